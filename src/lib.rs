//! The rooms, in the order of the spine; an import may only point up. See ARCHITECTURE.md.
//!
#![cfg_attr(feature = "compile", doc = include_str!("../README.md"))]
#![deny(missing_docs)]

pub mod source;
pub mod diag;
pub mod digest;
pub mod domain;
#[cfg(feature = "compile")]
pub mod syntax;
#[cfg(feature = "compile")]
pub mod policy;
#[cfg(feature = "compile")]
pub mod check;
#[cfg(feature = "compile")]
pub mod overlay;
#[cfg(feature = "compile")]
pub mod lint;
pub mod table;
pub mod call;
pub mod eval;
pub mod diff;
pub mod surface;
pub mod explain;
#[cfg(feature = "compile")]
pub mod import;
#[cfg(feature = "compile")]
pub mod suite;
#[cfg(feature = "compile")]
pub mod driver;
