//! A seed → worlds (policy texts) and calls to them, biased to lie near the edges of what is permitted.
//!
//! Worlds are made as text, so that they pass through every room of the compiler; calls are made from the checked policy.

pub mod calls;
pub mod forms;
pub mod layers;
pub mod rng;
pub mod sets;
pub mod world;

pub use rng::Rng;
pub use world::{Breadth, World};

/// A world as policy text, with the names that calls need.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The policy.
    pub text: String,
    /// Agents, each with the overlays that may be applied to it.
    pub agents: Vec<(String, Vec<String>)>,
}

/// One world for one seed.
pub fn world(seed: u64, breadth: Breadth) -> Generated {
    let mut rng = Rng::new(seed);
    let world = World::random(&mut rng, breadth);
    layers::policy(&mut rng, &world)
}

/// Every tool of a policy.
pub fn tools(policy: &bailiwick::policy::Policy) -> Vec<bailiwick::policy::ToolRef> {
    let vocabularies = policy.vocabularies.iter().enumerate();
    vocabularies
        .flat_map(|(v, vocabulary)| {
            (0..vocabulary.tools.len())
                .map(move |tool| bailiwick::policy::ToolRef { vocabulary: bailiwick::policy::VocabularyId(v), tool })
        })
        .collect()
}
