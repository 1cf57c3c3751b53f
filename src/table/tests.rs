//! Tables survive their bytes, and bytes that are no table are refused, whatever is wrong with them.

use super::build::build_unproved;
use super::model::Model;
use super::*;
use crate::digest::sha256_bytes;
use crate::source::Sources;

pub(crate) mod world;

fn table() -> Table {
    let (policy, sources) = world::policy(vec![world::backends(&["tmux"])], vec![world::bound("tmux:main")]);
    build_unproved(&policy, &sources)
}

fn bytes() -> Vec<u8> {
    table().to_bytes().expect("it is not deep")
}

/// A table of altered meaning, with its digests right.
fn altered(change: impl Fn(&mut Model)) -> Vec<u8> {
    let table = table();
    let mut model = table.model().clone();
    change(&mut model);
    format::encode(&format::table(model, table.texts().clone(), Kept::Bytes(Arc::from([])))).expect("it is not deep")
}

fn check_refused(bytes: &[u8], expected: &str) {
    let error = Table::load(bytes).expect_err("no table").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_table_is_what_its_bytes_say() {
    let (table, bytes) = (table(), bytes());
    let again = Table::load(&bytes).expect("a table");
    assert_eq!(again.model(), table.model());
    assert_eq!(again.texts(), table.texts());
    assert_eq!(again.digest(), table.digest());
    assert_eq!(again.to_bytes().expect("it is not deep"), bytes);
    assert!(bytes.starts_with(b"BWT1"));
}

#[test]
fn the_digest_is_of_the_meaning_alone() {
    let build = |name: &str, doc: &str, limit: &str| {
        let (mut policy, _) = world::policy(vec![world::backends(&[limit])], Vec::new());
        policy.vocabularies[0].doc = Some(doc.into());
        policy.vocabularies[0].limits[0].noun = Some(doc.into());
        let mut sources = Sources::default();
        sources.add(name, "// another\nlayout");
        build_unproved(&policy, &sources)
    };
    let table = build("a.bwk", "one", "tmux");
    assert_eq!(table.digest(), build("b.bwk", "two", "tmux").digest());
    assert_ne!(table.to_bytes().ok(), build("b.bwk", "two", "tmux").to_bytes().ok());
    assert_ne!(table.digest(), build("a.bwk", "one", "kitty").digest());
}

#[test]
fn every_cut_is_refused() {
    let bytes = bytes();
    for length in 0..bytes.len() {
        assert!(Table::load(&bytes[..length]).is_err(), "cut at {length}");
    }
    let longer = [bytes.as_slice(), b"x"].concat();
    check_refused(&longer, "basis");
}

#[test]
fn every_bent_bit_is_refused() {
    let bytes = bytes();
    for index in 0..bytes.len() {
        let mut bent = bytes.clone();
        bent[index] ^= 1 << (index % 8);
        assert!(Table::load(&bent).is_err(), "bent at {index}");
    }
}

#[test]
fn other_versions_are_named() {
    let mut bytes = bytes();
    bytes[4] = 9;
    check_refused(&bytes, "format 9");
    check_refused(b"PK\x03\x04", "BWT1");
}

#[test]
fn ids_that_lead_nowhere_are_refused() {
    check_refused(&altered(|m| m.agents[0].layer.uses[0].connector = 7), "a connector");
    check_refused(&altered(|m| m.agents[0].layer.uses[0].rows[0].tool = 7), "a tool");
    check_refused(&altered(|m| m.agents[0].layer.uses[0].limits[0].limit.1 = 7), "a limit");
    check_refused(&altered(|m| m.agents[0].layer.uses[0].origin.0 = 7_000), "an origin");
    check_refused(&altered(|m| m.connectors[0].tools[1].places[0].argument = 7), "an argument");
    check_refused(&altered(|m| m.connectors[0].tools[1].couplings[0].place = 7), "a place");
    check_refused(&altered(|m| m.connectors[0].tools[1].couplings[0].place = 1), "names nothing");
    check_refused(&altered(|m| m.overlays[0].agent = 7), "an agent");
}

#[test]
fn circles_are_refused() {
    check_refused(&altered(|m| m.agents[0].parent = Some(0)), "under each other");
    check_refused(&altered(|m| m.overlays[0].on = Some(0)), "on each other");
}

#[test]
fn hostile_depth_is_an_error() {
    use crate::domain::Set;
    let nested = |depth: usize| (0..depth).fold(Set::Any, |set, _| Set::Not(Box::new(set)));
    let of = |depth: usize| altered(|m| m.connectors[0].tools[1].arguments[0].ty.refinement = Some(nested(depth)));
    assert!(Table::load(&of(90)).is_ok());
    // By hand, as no table is written that could not be read.
    let shallow = of(90);
    let level = postcard::to_allocvec(&nested(1)).expect("bytes")[0];
    let at = shallow.windows(90).position(|window| window.iter().all(|byte| *byte == level)).expect("the set");
    let meaning_length = u64::from_le_bytes(shallow[8..16].try_into().expect("eight bytes")) as usize;
    let mut meaning = shallow[88..88 + meaning_length].to_vec();
    meaning.splice(at - 88..at - 88, std::iter::repeat_n(level, 1_000_000));
    let mut bytes = shallow[..8].to_vec();
    bytes.extend((meaning.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&shallow[16..24]);
    bytes.extend(sha256_bytes(&meaning));
    bytes.extend_from_slice(&shallow[56..88]);
    bytes.extend_from_slice(&meaning);
    bytes.extend_from_slice(&shallow[88 + meaning_length..]);
    check_refused(&bytes, "cannot be read");
}

#[test]
fn bytes_with_the_right_digests_and_any_meaning_are_an_error_or_a_table() {
    let bytes = bytes();
    let meaning_length = u64::from_le_bytes(bytes[8..16].try_into().expect("eight bytes")) as usize;
    for at in 0..meaning_length {
        for bit in 0..8 {
            let mut bent = bytes.clone();
            bent[88 + at] ^= 1 << bit;
            let digest = sha256_bytes(&bent[88..88 + meaning_length]);
            bent[24..56].copy_from_slice(&digest);
            let Ok(table) = Table::load(&bent) else { continue };
            // Whatever it says now, it answers.
            let agents: Vec<String> = table.model().agents.iter().map(|agent| agent.name.to_string()).collect();
            for agent in agents {
                let Ok(handle) = table.handle(&agent, &[], &[]) else { continue };
                let call = crate::eval::Call { connector: "terminal", tool: "capture", arguments: b"{\"target\":\"main\"}" };
                let _ = handle.verdict(&call, &crate::eval::Facts::none()).status();
            }
        }
    }
}
