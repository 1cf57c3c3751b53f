//! Overlays admitted to tables whose bytes are all there is: every shipped one, and whatever must not come in.

use bailiwick::diag::Sink;
use bailiwick::driver::{Admission, Built, Input, NoImports, Options, admit, compile};
use bailiwick::eval::{Call, Facts};
use bailiwick::source::Sources;
use bailiwick::syntax::{ast, parse};
use bailiwick::table::Table;
use std::fs;
use std::path::{Path, PathBuf};

fn input(name: &str, text: &str) -> Input {
    Input { name: name.to_owned(), identity: name.to_owned(), text: text.to_owned() }
}

fn compiled(texts: &[(&str, &str)]) -> Built {
    compile(texts.iter().map(|(name, text)| input(name, text)).collect(), &mut NoImports, &Options::default())
}

/// A table as a host has it: from its bytes.
fn shipped(text: &str) -> Table {
    let table = compiled(&[("base.bwk", text)]).table.expect("it compiles");
    Table::load(&table.to_bytes().expect("not deep")).expect("a table")
}

fn admitted(table: &Table, text: &str) -> Admission {
    admit(table, &input("over.bwk", text), &Options::default()).expect("the table has a basis")
}

/// Every policy that is shipped, imports of files aside.
fn policies() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let libraries = fs::read_dir(root.join("stdlib-policies")).expect("the library").flatten();
    let mut paths: Vec<PathBuf> = libraries.map(|entry| entry.path().join("example.bwk")).filter(|p| p.exists()).collect();
    paths.extend(["examples/quickstart/policy.bwk", "examples/banking/banking.bwk"].map(|path| root.join(path)));
    paths.push(root.join("tests/policies/cases/business.bwk"));
    paths.sort();
    paths
}

#[test]
fn every_shipped_overlay_is_admitted_as_if_compiled_with_its_policy() {
    let mut count = 0usize;
    for path in policies() {
        let text = fs::read_to_string(&path).expect("a policy");
        let mut sources = Sources::default();
        let id = sources.add("all.bwk", text.as_str());
        let (mut base, mut overlays) = (text.clone(), Vec::new());
        for item in parse(&sources, id, &mut Sink::default()).items.iter().rev() {
            if let ast::Item::Overlay(ast::Overlay { span, .. }) = item {
                overlays.push(text[span.range()].to_owned());
                base.replace_range(span.range(), "");
            } else if let ast::Item::Test(ast::Test { span, .. }) = item {
                base.replace_range(span.range(), "");
            }
        }
        let table = shipped(&base);
        for overlay in overlays {
            let together = compiled(&[("base.bwk", &base), ("over.bwk", &overlay)]);
            let alone = admitted(&table, &overlay);
            let digest = |table: &Option<Table>| table.as_ref().map(|table| table.digest().to_owned());
            assert_eq!(digest(&alone.table()), digest(&together.table), "{}: {overlay}", path.display());
            count += usize::from(alone.table().is_some());
        }
    }
    assert!(count > 10, "{count} overlays were admitted");
}

const BASE: &str = r#"
vocabulary bank {
    limit payees: set of text
    tool send_money { mutates; to: text limited by payees; amount: decimal }
    tool balance { reads }
}
let regulars: text = { "ann", "bob" }
agent payer { use bank { tools balance; allow send_money { amount <= 100 }; payees = { "ann", "bob", "eve" } } }
overlay team on payer { bank { allow send_money { amount <= 50 } } }
"#;

#[test]
fn an_admitted_overlay_decides() {
    let table = shipped(BASE);
    let text = "let few: text = { \"ann\" }\noverlay mine on team { bank { allow send_money { to in few and regulars } } }";
    let handle = table.admit_overlay(text).unwrap_or_else(|widening| panic!("{widening}"));
    assert_eq!(handle.agent(), "payer");
    let overlays: Vec<&str> = handle.overlays().collect();
    assert_eq!(overlays, ["mine", "team"]);
    let state = |to: &str, amount: u32| {
        let arguments = format!("{{\"to\":\"{to}\",\"amount\":{amount}}}");
        let call = Call { connector: "bank", tool: "send_money", arguments: arguments.as_bytes() };
        handle.decide(&call, &Facts::none()).status.name()
    };
    assert_eq!([state("ann", 40), state("ann", 60), state("bob", 40)], ["Ready", "PolicyBlocked", "PolicyBlocked"]);
    // The table itself is as it was.
    assert!(table.handle("payer", &["mine"], &[]).is_err());
    // What was admitted is a table like any other, and the next overlay may be on it.
    let grown = admitted(&table, text).table().expect("it narrows");
    let again = Table::load(&grown.to_bytes().expect("not deep")).expect("a table");
    assert!(again.admit_overlay("overlay inner on mine { bank { without balance } }").is_ok());
}

#[test]
fn a_widening_overlay_is_told_with_witness_and_repair() {
    let table = shipped(BASE);
    let widening = table.admit_overlay("overlay mine on team {\n  bank { allow send_money { amount <= 70 } }\n}");
    let widening = widening.expect_err("it widens");
    let clause = &widening.verdict().expect("a verdict").widens[0];
    assert_eq!(clause.repair.as_deref(), Some("amount <= 50"));
    let sources = widening.sources();
    let (here, there) = (sources.location(clause.permitted_by.span), sources.location(clause.refused_by.span));
    assert_eq!((&*here.file, here.line, here.column), ("<overlay>", 2, 36));
    assert_eq!((&*there.file, there.line, there.column), ("base.bwk", 9, 58));
    assert_eq!(sources.text(clause.refused_by.span), "<= 50");
    assert!(widening.to_string().starts_with("<overlay>:2:36: error[E0500]: "), "{widening}");
    let json: serde_json::Value = serde_json::from_str(&widening.to_json()).expect("JSON");
    assert_eq!(json["overlays"][0]["widens"][0]["witness"]["amount"].to_string(), "51");
}

#[test]
fn whatever_reaches_out_is_refused_at_its_token() {
    let table = shipped(BASE);
    let over = "overlay mine on payer { bank { without balance } }";
    let refused = |text: &str| {
        let widening = table.admit_overlay(text).expect_err(text);
        let [only] = widening.diagnostics() else { panic!("{widening}") };
        assert!(widening.verdict().is_none());
        (only.code.id(), widening.sources().text(only.primary.span).to_owned())
    };
    assert_eq!(refused(&format!("import std.terminal\n{over}")), ("E0405", "std.terminal".into()));
    assert_eq!(refused(&format!("vocabulary v {{ tool t {{ reads }} }}\n{over}")), ("E0405", "v".into()));
    assert_eq!(refused(&format!("agent other {{ use bank {{ tools balance }} }}\n{over}")), ("E0405", "other".into()));
    assert_eq!(refused(&format!("boundary b {{ bank {{ without balance }} }}\n{over}")), ("E0405", "b".into()));
    assert_eq!(refused(&format!("{over}\noverlay two on payer {{ bank {{ without balance }} }}")), ("E0405", "two".into()));
    assert_eq!(refused(""), ("E0405", "".into()));
    assert_eq!(refused("overlay mine on nobody { bank { without balance } }"), ("E0207", "nobody".into()));
    assert_eq!(refused("overlay team on payer { bank { without balance } }"), ("E0210", "team".into()));
    assert_eq!(refused("overlay payer on payer { bank { without balance } }"), ("E0210", "payer".into()));
    assert_eq!(refused("let regulars: text = { \"x\" }\noverlay mine on payer { bank { without balance } }").0, "E0210");
    assert_eq!(refused("overlay mine on payer { bank { without balanc } }"), ("E0203", "balanc".into()));
    assert_eq!(refused("overlay mine on payer { bank { allow send_money { to in regularz } } }").0, "E0200");
    assert_eq!(refused("overlay mine on payer { bank { allow send_money { amount < } } }").0.get(..3), Some("E01"));
    assert!(table.admit_overlay(over).is_ok());
}

#[test]
fn odd_texts_are_answered() {
    let table = shipped(BASE);
    let deep = "(".repeat(5_000);
    let long = "\"x\", ".repeat(20_000);
    for text in [
        "\u{feff}",
        "\0",
        "overlay",
        "overlay mine on payer {",
        "}}}}",
        "let",
        &deep,
        &format!("overlay mine on payer {{ bank {{ allow send_money {{ to in {deep} }} }} }}"),
        &format!("overlay mine on payer {{ bank {{ allow send_money {{ to in {{ {long} \"x\" }} }} }} }}"),
    ] {
        assert!(table.admit_overlay(text).is_err(), "{:.40}", text);
    }
}

/// A basis that is not that of the meaning proves something else.
#[test]
fn a_basis_of_another_policy_is_refused() {
    let parts = |text: &str| {
        let bytes = compiled(&[("base.bwk", text)]).table.expect("it compiles").to_bytes().expect("not deep");
        let length =
            |at: usize| usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8"))).expect("fits");
        let basis = 88 + length(8) + length(16);
        (bytes, basis)
    };
    let (mut bytes, at) = parts(BASE);
    let (other, other_at) = parts(&BASE.replace("100", "900"));
    bytes.truncate(at);
    bytes.extend_from_slice(&other[other_at..]);
    let table = Table::load(&bytes).expect("each part is what its digest says");
    let widening = table.admit_overlay("overlay mine on payer { bank { without balance } }").expect_err("another's basis");
    assert!(widening.to_string().contains("contradicts itself"), "{widening}");
}
