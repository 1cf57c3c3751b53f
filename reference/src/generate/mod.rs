//! A seed → worlds (policy texts) and calls to them, biased to lie near the edges of what is permitted.
//!
//! Worlds are made as text, so that they pass through every room of the compiler; calls are made from the checked policy.

pub mod calls;
pub mod layers;
pub mod rng;
pub mod sets;
pub mod world;

pub use rng::Rng;
pub use world::World;

/// A world as policy text, with the names that calls need.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The policy.
    pub text: String,
    /// Agents, each with the overlays that may be applied to it.
    pub agents: Vec<(String, Vec<String>)>,
}

/// One world for one seed.
pub fn world(seed: u64) -> Generated {
    let mut rng = Rng::new(seed);
    let world = World::random(&mut rng);
    layers::policy(&mut rng, &world)
}
