//! Overlays as files beside a compiled table: `verify TABLE.bwt --overlay O.bwk`, `eval TABLE.bwt --overlay O.bwk`.

use super::{run, run_in};
use std::fs;

const MINE: &str = "overlay mine on bill_payer { bank { allow send_money { amount <= 20 } } }\n";

/// A directory with the quickstart compiled, and overlays.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    let out = place.path().join("a.bwt").display().to_string();
    let compiled = run(&["compile", "examples/quickstart", "-o", &out]);
    assert_eq!(compiled.code, 0, "{}", compiled.err);
    for (name, text) in [
        ("mine.bwk", MINE.to_owned()),
        ("wide.bwk", MINE.replace("mine", "wide").replace("20", "9000")),
        ("inner.bwk", MINE.replace("mine", "inner").replace("bill_payer", "mine").replace("20", "10")),
        ("wrong.bwk", MINE.replace("amount", "amoun")),
        ("out.bwk", format!("import std.mail\n{MINE}")),
    ] {
        fs::write(place.path().join(name), text).expect("writable");
    }
    place
}

#[test]
fn a_table_admits_overlays_in_files() {
    let place = place();
    let verify = |overlays: &[&str]| {
        let arguments: Vec<&str> = ["verify", "a.bwt", "--format", "json"].into_iter().collect();
        let overlays = overlays.iter().flat_map(|overlay| ["--overlay", overlay]);
        run_in(place.path(), &arguments.into_iter().chain(overlays).collect::<Vec<_>>(), "")
    };
    let json = |out: &str| serde_json::from_str::<serde_json::Value>(out).expect("JSON");
    let mine = verify(&["mine.bwk"]);
    assert_eq!((mine.code, json(&mine.out)["overlays"][0]["name"].as_str()), (0, Some("mine")), "{}", mine.err);
    let both = verify(&["mine.bwk", "inner.bwk"]);
    assert_eq!((both.code, json(&both.out)["overlays"][1]["on"].as_str()), (0, Some("mine")), "{}", both.err);
    let wide = verify(&["wide.bwk"]);
    assert_eq!(wide.code, 3);
    let clause = &json(&wide.out)["overlays"][0]["widens"][0];
    assert_eq!(clause["permitted_by"]["source"]["file"], "wide.bwk");
    assert!(clause["repair"].as_str().is_some_and(|repair| repair.contains("amount in 0.01..500")), "{clause}");
    assert!(wide.err.contains("wide.bwk:1:"), "{}", wide.err);
    for (file, code) in [("wrong.bwk", "E0204"), ("out.bwk", "E0405")] {
        let refused = verify(&[file]);
        assert!(refused.code == 2 && refused.out.is_empty() && refused.err.contains(code), "{}", refused.err);
    }
    // Without a file: the overlays that the table has, proved once more.
    let own = verify(&[]);
    assert_eq!(own.code, 0, "{}", own.err);
    assert_eq!(json(&own.out)["holds"], true);
}

#[test]
fn an_overlay_in_a_file_decides() {
    let place = place();
    let call = "{\"connector\":\"bank\",\"tool\":\"send_money\",\"arguments\":{\"recipient\":\"x\",\"amount\":9999}}\n";
    let eval = |overlay: &str| {
        let arguments = ["eval", "a.bwt", "--agent", "bill_payer", "--overlay", overlay, "--format", "json", "--calls", "-"];
        run_in(place.path(), &arguments, call)
    };
    let mine = eval("mine.bwk");
    assert!(mine.code == 1 && mine.out.contains("PolicyBlocked"), "{} {}", mine.out, mine.err);
    let wide = eval("wide.bwk");
    assert!(wide.code == 2 && wide.out.is_empty() && wide.err.contains("E0500"), "{} {}", wide.out, wide.err);
    let sources = ["eval", "examples/quickstart", "--agent", "bill_payer", "--calls", "-", "--overlay"];
    let file = place.path().join("mine.bwk").display().to_string();
    let beside = run_in(&super::root(), &sources.into_iter().chain([file.as_str()]).collect::<Vec<_>>(), call);
    assert!(beside.code == 1 && beside.out.contains("PolicyBlocked"), "{} {}", beside.out, beside.err);
}
