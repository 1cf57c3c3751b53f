//! The bytes of a table, all integers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `BWT1` |
//! | 2 | version |
//! | 2 | zero |
//! | 8 | length of the meaning part |
//! | 8 | length of the texts part |
//! | 32 | SHA-256 of the meaning part: the table's digest |
//! | 32 | SHA-256 of the texts part |
//! | … | the meaning part: [`Model`] as postcard writes it |
//! | … | the texts part: [`Texts`], the same |
//! | 32 | SHA-256 of the basis |
//! | … | the basis: what overlays are proved against, as JSON; nobody who only decides reads it |

use super::index::Index;
use super::{Inner, Kept, Table, model::Model, texts::Texts, validate};
use crate::digest::{sha256, sha256_bytes};
use std::sync::Arc;

/// The version of the layout.
pub const VERSION: u16 = 2;
const MAGIC: &[u8; 4] = b"BWT1";

/// Why bytes are no table.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// They do not begin with `BWT1`.
    #[error("not a compiled table: it does not begin with `BWT1`")]
    Magic,
    /// Another version of the layout.
    #[error("a table of format {found}, and this program reads format {VERSION}")]
    Version {
        /// The version stated.
        found: u16,
    },
    /// Fewer or more bytes than stated.
    #[error("the table is cut: {found} bytes where {stated} are stated")]
    Cut {
        /// Bytes stated.
        stated: u64,
        /// Bytes there.
        found: u64,
    },
    /// A digest that is not that of its part.
    #[error("the {part} of the table is not what its digest says")]
    Bent {
        /// Which part.
        part: &'static str,
    },
    /// A part that does not decode.
    #[error("the {part} of the table cannot be read")]
    Part {
        /// Which part.
        part: &'static str,
    },
    /// A table without the part that overlays are proved against.
    #[error("the table carries nothing that an overlay could be proved against")]
    NoBasis,
    /// Nested too deep.
    #[error("the policy is nested too deep for a table")]
    Deep,
    /// Parts that contradict each other.
    #[error("the table contradicts itself: {0}")]
    Inconsistent(&'static str),
}

pub(super) fn encode(table: &Table) -> Result<Vec<u8>, LoadError> {
    let meaning = write(&table.inner.model, "meaning")?;
    let texts = write(&table.inner.texts, "text part")?;
    // What could not be read again is not written.
    postcard::from_bytes::<Model>(&meaning).map_err(|_| LoadError::Deep)?;
    let basis: Arc<[u8]> = match &table.inner.basis {
        Kept::Bytes(bytes) => bytes.clone(),
        #[cfg(feature = "compile")]
        Kept::Made(basis) => basis.to_bytes()?.into(),
    };
    let mut out = Vec::new();
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out.extend_from_slice(&length(&meaning).to_le_bytes());
    out.extend_from_slice(&length(&texts).to_le_bytes());
    out.extend_from_slice(&sha256_bytes(&meaning));
    out.extend_from_slice(&sha256_bytes(&texts));
    out.extend_from_slice(&meaning);
    out.extend_from_slice(&texts);
    out.extend_from_slice(&sha256_bytes(&basis));
    out.extend_from_slice(&basis);
    Ok(out)
}

pub(super) fn decode<'b>(bytes: &'b [u8]) -> Result<Table, LoadError> {
    let mut rest = bytes;
    if take(&mut rest) != Some(*MAGIC) {
        return Err(LoadError::Magic);
    }
    let cut = |stated| LoadError::Cut { stated, found: length(bytes) };
    let header = 88;
    let found = u16::from_le_bytes(take(&mut rest).ok_or(cut(header))?);
    if found != VERSION {
        return Err(LoadError::Version { found });
    }
    if take::<2>(&mut rest).ok_or(cut(header))? != [0, 0] {
        return Err(LoadError::Inconsistent("reserved bytes are set"));
    }
    let meaning_length = u64::from_le_bytes(take(&mut rest).ok_or(cut(header))?);
    let texts_length = u64::from_le_bytes(take(&mut rest).ok_or(cut(header))?);
    let meaning_digest: [u8; 32] = take(&mut rest).ok_or(cut(header))?;
    let texts_digest: [u8; 32] = take(&mut rest).ok_or(cut(header))?;
    let stated = meaning_length.saturating_add(texts_length);
    let all = stated.saturating_add(header).saturating_add(32);
    let split = |bytes: &'b [u8], length: u64| usize::try_from(length).ok().and_then(|n| bytes.split_at_checked(n));
    let (meaning, rest) = split(rest, meaning_length).ok_or(cut(all))?;
    let (texts, mut basis) = split(rest, texts_length).ok_or(cut(all))?;
    // It reaches to the end, so what is cut off or appended is not what its digest says.
    if take::<32>(&mut basis).ok_or(cut(all))? != sha256_bytes(basis) {
        return Err(LoadError::Bent { part: "basis" });
    }
    let model: Model = part(meaning, meaning_digest, "meaning")?;
    let texts: Texts = part(texts, texts_digest, "text part")?;
    validate::check(&model, &texts).map_err(LoadError::Inconsistent)?;
    let digest = sha256(meaning);
    Ok(Table { inner: Arc::new(Inner::new(model, texts, digest, Kept::Bytes(basis.into()))) })
}

impl Inner {
    fn new(model: Model, texts: Texts, digest: String, basis: Kept) -> Inner {
        let index = Index::new(&model);
        Inner {
            model,
            texts,
            digest,
            index,
            basis,
            #[cfg(feature = "compile")]
            read: std::sync::OnceLock::new(),
        }
    }
}

/// A table of a model made here.
#[cfg(feature = "compile")]
pub(super) fn table(model: Model, texts: Texts, basis: Kept) -> Table {
    let digest = digest(&model);
    Table { inner: Arc::new(Inner::new(model, texts, digest, basis)) }
}

/// The digest of a table of this meaning.
#[cfg(feature = "compile")]
pub(super) fn digest(model: &Model) -> String {
    // Writing to memory cannot fail.
    sha256(&postcard::to_allocvec(model).unwrap_or_default())
}

fn write<T: serde::Serialize>(part: &T, name: &'static str) -> Result<Vec<u8>, LoadError> {
    postcard::to_allocvec(part).map_err(|_| LoadError::Part { part: name })
}

fn part<T: serde::de::DeserializeOwned>(bytes: &[u8], digest: [u8; 32], name: &'static str) -> Result<T, LoadError> {
    if sha256_bytes(bytes) != digest {
        return Err(LoadError::Bent { part: name });
    }
    match postcard::take_from_bytes(bytes) {
        Ok((read, [])) => Ok(read),
        Ok(_) | Err(_) => Err(LoadError::Part { part: name }),
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
