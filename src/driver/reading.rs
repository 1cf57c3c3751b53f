//! Texts → parsed files, imports followed: each file once, however often and by whichever name it is imported.

use super::library::{library, library_names};
use crate::diag::{Code, Diagnostic, Sink};
use crate::source::{FileId, Sources};
use crate::syntax::ast;
use crate::syntax::parse;
use std::collections::BTreeSet;

/// One text to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name that people read: a path as given, or `<stdin>`.
    pub name: String,
    /// Equal iff it is the same file: for files, the canonical path.
    pub identity: String,
    /// The text.
    pub text: String,
}

/// Where `import "…"` finds its texts.
pub trait Loader {
    /// The file that `path` means in the file `from`, or why there is none.
    fn load(&mut self, path: &str, from: &Input) -> Result<Input, String>;
}

/// A loader for policies that stand alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoImports;

impl Loader for NoImports {
    fn load(&mut self, _: &str, _: &Input) -> Result<Input, String> {
        Err("files cannot be imported here".to_owned())
    }
}

/// What reading leaves: every file's tree and what was found on the way.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The texts.
    pub sources: Sources,
    /// One tree for each text, in the order of reading.
    pub files: Vec<ast::File>,
    /// What was found.
    pub sink: Sink,
    /// How many of the texts, from the first, were given; the others were imported.
    pub given: usize,
}

/// Parses the inputs and everything they import.
pub fn read(inputs: Vec<Input>, loader: &mut dyn Loader) -> Parsed {
    let mut reading = Reading { parsed: Parsed::default(), seen: BTreeSet::new(), waiting: Vec::new() };
    for input in inputs {
        reading.accept(input);
    }
    reading.parsed.given = reading.parsed.files.len();
    while let Some((input, file)) = reading.waiting.pop() {
        reading.follow(&input, file, loader);
    }
    reading.parsed
}

struct Reading {
    parsed: Parsed,
    seen: BTreeSet<String>,
    /// Parsed files whose imports are still to be followed: index into `parsed.files`.
    waiting: Vec<(Input, usize)>,
}

impl Reading {
    fn accept(&mut self, input: Input) {
        // The library's own files, given by path, are the library.
        let shipped = library_names().find(|name| library(name) == Some(input.text.as_str()));
        let identity = shipped.map_or_else(|| input.identity.clone(), |name| format!("std.{name}"));
        if !self.seen.insert(identity) {
            return;
        }
        let id: FileId = self.parsed.sources.add(input.name.as_str(), input.text.as_str());
        let file = parse(&self.parsed.sources, id, &mut self.parsed.sink);
        self.waiting.push((input, self.parsed.files.len()));
        self.parsed.files.push(file);
    }

    fn follow(&mut self, input: &Input, file: usize, loader: &mut dyn Loader) {
        let Some(imports) = self.parsed.files.get(file).map(|f| f.imports.clone()) else { return };
        for import in imports {
            let found = match &import {
                ast::Import::Library(name) => from_library(name),
                ast::Import::Path(path) => from_loader(path, input, loader),
            };
            match found {
                Ok(input) => self.accept(input),
                Err(diagnostic) => {
                    self.parsed.sink.push(*diagnostic);
                    self.parsed.files[file].broken.push(ast::Broken { name: None });
                }
            }
        }
    }
}

fn from_library(name: &ast::Dotted) -> Result<Input, Box<Diagnostic>> {
    let parts: Vec<&str> = name.parts.iter().map(|p| p.text.as_str()).collect();
    let written = parts.join(".");
    let [root, short] = parts[..] else {
        let message = format!("`{written}` is no name of the library: it has two parts, `std.NAME`");
        return Err(Box::new(Diagnostic::new(Code::UNKNOWN_IMPORT, name.span, message).note(shipped())));
    };
    match library(short).filter(|_| root == "std") {
        Some(text) => {
            let name = format!("std/{short}.bwk");
            Ok(Input { identity: written, name, text: text.to_owned() })
        }
        None => {
            let names: Vec<String> = library_names().map(|n| format!("std.{n}")).collect();
            let message = format!("the library has no `{written}`");
            let found = Diagnostic::new(Code::UNKNOWN_IMPORT, name.span, message).note(shipped());
            Err(Box::new(found.did_you_mean(&written, names.iter().map(String::as_str))))
        }
    }
}

fn shipped() -> String {
    let names: Vec<String> = library_names().map(|n| format!("`std.{n}`")).collect();
    format!("the library has {}", names.join(", "))
}

fn from_loader(path: &ast::Text, from: &Input, loader: &mut dyn Loader) -> Result<Input, Box<Diagnostic>> {
    loader.load(&path.value, from).map_err(|why| {
        let message = format!("cannot import `{}`: {why}", path.value);
        let found = Diagnostic::new(Code::UNKNOWN_IMPORT, path.span, message);
        Box::new(found.help("a path is relative to the file that imports; the library's are written `import std.terminal`"))
    })
}
