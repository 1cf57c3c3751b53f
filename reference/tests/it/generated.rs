//! The generator alone: its worlds check, and its calls reach every state.

use crate::compile;
use crate::conformance::situation;
use bailiwick_reference::generate::{self, Breadth, Rng, calls};
use bailiwick_reference::{Question, decide};
use std::collections::BTreeMap;

#[test]
fn worlds_check() {
    let mut wrong: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut good = 0;
    let mut states: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
    for seed in 0..20 {
        let world = generate::world(seed, Breadth::Scalars);
        let policy = match compile::policy(std::slice::from_ref(&world.text)) {
            Ok((policy, _)) => policy,
            Err(errors) => {
                errors.into_iter().take(1).for_each(|e| wrong.entry(e).or_default().push(seed));
                continue;
            }
        };
        good += 1;
        let mut rng = Rng::new(seed);
        for (agent, overlays) in &world.agents {
            let situation = situation(&policy, agent, overlays);
            for id in generate::tools(&policy) {
                let pool = calls::Pool::new(&mut rng, &situation, id);
                for _ in 0..8 {
                    let call = pool.call(&mut rng);
                    let bytes = calls::bytes(&mut rng, &call);
                    let facts = calls::facts(&mut rng, &situation, &pool);
                    let question = Question {
                        connector: &pool.connector,
                        tool: &pool.tool,
                        arguments: &bytes,
                        facts: &facts,
                        table: "",
                    };
                    let decision = decide(&situation, &question);
                    *states.entry((decision.status, decision.code)).or_default() += 1;
                }
            }
        }
    }
    println!("{states:#?}");
    for (error, seeds) in &wrong {
        println!("{} {error}", seeds.len());
    }
    assert!(good >= 14, "only {good} of 20 worlds check");
}
