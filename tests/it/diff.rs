//! Two policies → what changes, each change shown by the lightest call, which the two tables decide differently.

use bailiwick::diff::{Difference, Given, Verdict, diff, verdict};
use bailiwick::digest::compact;
use bailiwick::driver::{Input, NoImports, Options, compile};
use bailiwick::eval::{Call, Code, Facts, Status};
use bailiwick::table::Table;

const WORLD: &str = r#"
vocabulary shop {
    tool pay {
        mutates
        amount: decimal
        to:     text
    }
    tool item {
        reads when op in { get, list }
        op: { get, list, set, drop }
        id: int optional
    }
}
"#;

fn table(rows: &str) -> Table {
    let text = format!("{WORLD}\n{rows}");
    let input = Input { name: "policy.bwk".to_owned(), identity: "policy.bwk".to_owned(), text };
    let built = compile(vec![input], &mut NoImports, &Options::default());
    built.table.unwrap_or_else(|| panic!("{:#?}", built.found))
}

fn agent(rows: &str) -> String {
    format!("agent a {{\n use shop {{\n{rows}\n }}\n}}\n")
}

/// The change in one line, after both tables were asked about its witness.
fn told(old: &Table, new: &Table, difference: &Difference) -> String {
    let given = |table: &Table| {
        if !table.model().agents.iter().any(|a| *a.name == *difference.agent) {
            return Given::Refuse;
        }
        let handle = table.handle(&difference.agent, &[], &[]).expect("a handle");
        let arguments = compact(&difference.witness);
        let call = Call { connector: &difference.connector, tool: &difference.tool, arguments: arguments.as_bytes() };
        let decision = handle.decide(&call, &Facts::none());
        match (decision.status, decision.because.first().map(|b| b.code)) {
            (Status::Ready, _) => Given::Allow,
            (_, Some(Code::Approval)) => Given::Ask,
            _ => Given::Refuse,
        }
    };
    assert_eq!((given(old), given(new)), (difference.from, difference.to), "{difference:?}");
    let selector = difference.selector.as_ref().map_or_else(String::new, |(_, value)| format!(" {}", compact(value)));
    let witness = compact(&difference.witness);
    format!("{}{selector} {:?} -> {:?} {witness}", difference.tool, difference.from, difference.to)
}

fn changes(old: &str, new: &str) -> (Verdict, Vec<String>) {
    let (old, new) = (table(old), table(new));
    let found = diff(&old, &new, None).expect("a comparison");
    (verdict(&found), found.iter().map(|difference| told(&old, &new, difference)).collect())
}

#[test]
fn equal_policies_have_no_differences_however_they_are_written() {
    let old = agent("allow pay { amount in 1..10 }");
    let new = agent("allow pay { amount >= 1; amount <= 10 }\nallow pay { amount in 2..3; to in { \"x\" } }");
    assert_eq!(changes(&old, &new), (Verdict::Equal, vec![]));
}

#[test]
fn narrower_and_wider_are_told_with_the_lightest_call() {
    let (old, new) = (agent("allow pay { amount in 1..10 }"), agent("allow pay { amount in 1..7 }"));
    assert_eq!(changes(&old, &new), (Verdict::Narrower, vec![r#"pay Allow -> Refuse {"amount":8,"to":""}"#.to_owned()]));
    assert_eq!(changes(&new, &old), (Verdict::Wider, vec![r#"pay Refuse -> Allow {"amount":8,"to":""}"#.to_owned()]));
}

#[test]
fn approval_that_falls_away_is_newly_permitted() {
    let old = agent("allow pay { amount <= 5 }\nallow pay { amount in 5..9 } with approval");
    let new = agent("allow pay { amount <= 9 }");
    let (verdict, told) = changes(&old, &new);
    assert_eq!((verdict, told), (Verdict::Wider, vec![r#"pay Ask -> Allow {"amount":6,"to":""}"#.to_owned()]));
    assert_eq!(changes(&new, &old).0, Verdict::Narrower);
}

#[test]
fn both_kinds_of_widening_are_told() {
    let old = agent("allow pay { amount in 1..9 } with approval");
    let new = agent("allow pay { amount in 1..20 }");
    let told = changes(&old, &new).1;
    assert_eq!(told, [r#"pay Refuse -> Allow {"amount":10,"to":""}"#, r#"pay Ask -> Allow {"amount":1,"to":""}"#]);
}

#[test]
fn a_tool_that_chooses_its_effect_is_told_by_the_value_that_chooses() {
    let old = agent("allow item { op in { get, list } }");
    let new = agent("allow item { op in { get, set } }");
    let told = changes(&old, &new).1;
    assert_eq!(told, [r#"item "set" Refuse -> Allow {"op":"set"}"#, r#"item "list" Allow -> Refuse {"op":"list"}"#]);
}

#[test]
fn agents_and_tools_that_come_and_go_are_told() {
    let old = agent("tools item");
    let new = "agent b {\n use shop { tools pay }\n}\n";
    let (verdict, told) = changes(&old, new);
    assert_eq!(verdict, Verdict::Wider);
    assert!(told.contains(&r#"pay Refuse -> Allow {"amount":0,"to":""}"#.to_owned()), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("item \"get\" Allow -> Refuse")), "{told:?}");
}

#[test]
fn a_boundary_is_part_of_what_is_compared() {
    let old = agent("allow pay { amount <= 9 }");
    let new = format!("{old}\nboundary b {{\n shop {{ allow pay {{ amount <= 3 }} }}\n}}\n");
    assert_eq!(changes(&old, &new).0, Verdict::Narrower);
}

#[test]
fn an_unknown_agent_is_an_error() {
    let table = table(&agent("tools pay"));
    assert!(diff(&table, &table, Some("nobody")).is_err());
}
