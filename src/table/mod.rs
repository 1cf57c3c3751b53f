//! Verified policy → [`Table`], the artifact that decides: its bytes, its digest, its meaning and the texts for people.
//! Nothing but this room knows the layout of the bytes.

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

#[cfg(feature = "compile")]
pub mod basis;
#[cfg(feature = "compile")]
pub mod build;
mod format;
mod index;
pub mod model;
pub mod texts;
mod validate;

use model::Model;
use std::sync::Arc;
use texts::Texts;

#[cfg(feature = "compile")]
pub use build::build;
pub use format::{LoadError, VERSION};

/// A compiled set. Cheap to clone, shared between threads.
#[derive(Clone, Debug)]
pub struct Table {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    model: Model,
    texts: Texts,
    digest: String,
    index: index::Index,
    basis: Kept,
    #[cfg(feature = "compile")]
    read: std::sync::OnceLock<Arc<basis::Basis>>,
}

/// The third part, which the run side carries and does not read.
#[derive(Clone, Debug)]
enum Kept {
    /// As it came.
    Bytes(Arc<[u8]>),
    /// As it was made here.
    #[cfg(feature = "compile")]
    Made(Arc<basis::Basis>),
}

impl Table {
    /// Reads the bytes of a table, and validates them whole.
    ///
    /// # Errors
    /// [`LoadError`]: no table, of another version, cut, bent, or inconsistent.
    pub fn load(bytes: &[u8]) -> Result<Table, LoadError> {
        format::decode(bytes)
    }

    /// The bytes: the same table gives the same bytes.
    ///
    /// # Errors
    /// [`LoadError::Deep`] for a policy nested too deep to be read again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, LoadError> {
        format::encode(self)
    }

    /// `sha256:…` of the meaning part: all that decides, for all declarations, applied or not.
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// The same table, with what is known of each agent.
    #[cfg(feature = "compile")]
    pub(crate) fn with_settled(self, settled: &[bool]) -> Table {
        let mut model = self.inner.model.clone();
        model.agents.iter_mut().zip(settled).for_each(|(agent, settled)| agent.settled = *settled);
        format::table(model, self.inner.texts.clone(), self.inner.basis.clone())
    }

    /// The meaning.
    pub fn model(&self) -> &Model {
        &self.inner.model
    }

    /// The tool of this name in the connector of that name: one look-up, however many there are.
    pub fn find_tool(&self, connector: &str, tool: &str) -> Option<model::ToolId> {
        self.inner.index.find(&self.inner.model, connector, tool)
    }

    /// What overlays on it are proved against.
    ///
    /// # Errors
    /// [`LoadError`]: the table carries none, or one that is not its own.
    #[cfg(feature = "compile")]
    pub fn basis(&self) -> Result<Arc<basis::Basis>, LoadError> {
        let bytes = match &self.inner.basis {
            Kept::Made(basis) => return Ok(basis.clone()),
            Kept::Bytes(bytes) => bytes,
        };
        if let Some(basis) = self.inner.read.get() {
            return Ok(basis.clone());
        }
        let basis = Arc::new(basis::Basis::read(bytes, self)?);
        Ok(self.inner.read.get_or_init(|| basis).clone())
    }

    /// The texts for people.
    pub fn texts(&self) -> &Texts {
        &self.inner.texts
    }
}

#[cfg(all(test, feature = "compile"))]
pub(crate) mod tests;
