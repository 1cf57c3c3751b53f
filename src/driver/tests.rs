//! The driver: imports once, whatever they are called; findings for what is not there.

use super::*;
use std::collections::BTreeMap;

struct Files(BTreeMap<&'static str, &'static str>);

impl Loader for Files {
    fn load(&mut self, path: &str, _: &Input) -> Result<Input, String> {
        let name = path.trim_start_matches("./");
        let text = self.0.get(name).ok_or("there is no such file")?;
        Ok(Input { name: path.to_owned(), identity: name.to_owned(), text: (*text).to_owned() })
    }
}

fn main_file(text: &str) -> Vec<Input> {
    vec![Input { name: "main.bwk".to_owned(), identity: "main.bwk".to_owned(), text: text.to_owned() }]
}

fn codes(built: &Built) -> Vec<&'static str> {
    built.found.iter().map(|d| d.code.id()).collect()
}

#[test]
fn a_file_is_read_once_however_often_it_is_imported() {
    let files = [
        ("a.bwk", "import \"b.bwk\"\nimport \"main.bwk\"\n"),
        ("b.bwk", "import \"./a.bwk\"\nvocabulary v { tool t { reads } }\n"),
        ("main.bwk", ""),
    ];
    let text =
        "import \"a.bwk\"\nimport \"./a.bwk\"\nimport std.terminal\nimport std.terminal\nagent x { use v { tools t } }\n";
    let built = compile(main_file(text), &mut Files(files.into()), &Options::default());
    assert_eq!(codes(&built), Vec::<&str>::new(), "{:?}", built.found);
    assert_eq!(built.sources.iter().count(), 4);
    assert!(built.table.is_some());
}

#[test]
fn the_library_given_by_path_is_the_library() {
    let text = library("terminal").expect("shipped");
    let mut inputs = main_file("import std.terminal\n");
    inputs.push(Input { name: "lib/vocabulary.bwk".to_owned(), identity: "x".to_owned(), text: text.to_owned() });
    let built = compile(inputs, &mut NoImports, &Options::default());
    assert_eq!(codes(&built), Vec::<&str>::new(), "{:?}", built.found);
}

#[test]
fn what_is_not_there_is_one_finding_each() {
    let text = "import std.terminl\nimport \"./no.bwk\"\nagent x { use bank { tools t } }\n";
    let built = compile(main_file(text), &mut Files(BTreeMap::new()), &Options::default());
    assert_eq!(codes(&built), ["E0290", "E0290"], "{:?}", built.found);
    assert!(built.found[0].help.as_deref() == Some("did you mean `std.terminal`?"), "{:?}", built.found[0]);
    assert!(built.table.is_none());
}
