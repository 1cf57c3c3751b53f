//! A table → the certificate of its overlays as JSON; a table and a certificate → whether that proves its overlays.

use crate::overlay::{CertificateFault, OverlayProof, OverlayVerdict, certify, check_certificate};
use crate::table::{LoadError, Table};
use serde::{Deserialize, Serialize};

/// The document.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Certificate {
    format: u32,
    /// The table that it is about.
    digest: String,
    overlays: Vec<OverlayProof>,
}

/// Why there is no certificate, or why one proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The table does not carry what the proof needs.
    #[error("the overlays of this table cannot be proved")]
    Table(#[from] LoadError),
    /// No certificate.
    #[error("this is no certificate")]
    Read(#[source] serde_json::Error),
    /// A certificate of another version.
    #[error("a certificate of format {0}, and this program reads format 1")]
    Format(u32),
    /// A certificate of another table.
    #[error("the certificate is of the table {of}, and this is {this}")]
    OtherTable {
        /// The digest that it states.
        of: String,
        /// The digest of the table at hand.
        this: String,
    },
    /// It does not prove what it is for.
    #[error("{0}")]
    Fault(#[from] CertificateFault),
}

/// The certificate of all overlays of `table`: whoever has both can replay it with [`replay_certificate`].
///
/// # Errors
/// [`CertificateError`]: there is no basis, or a clause is not proved within the bounds.
pub fn certificate(table: &Table) -> Result<String, CertificateError> {
    let overlays = certify(&table.basis()?.policy)?;
    let document = Certificate { format: 1, digest: table.digest().to_owned(), overlays };
    serde_json::to_string(&document).map_err(CertificateError::Read)
}

/// Replays a certificate against `table`: by overlay that it narrows. Nothing is searched.
///
/// # Errors
/// [`CertificateError`]: it is none, it is another table's, or some proof in it does not hold.
pub fn replay_certificate(table: &Table, certificate: &[u8]) -> Result<Vec<OverlayVerdict>, CertificateError> {
    let document: Certificate = serde_json::from_slice(certificate).map_err(CertificateError::Read)?;
    if document.format != 1 {
        return Err(CertificateError::Format(document.format));
    }
    if document.digest != table.digest() {
        return Err(CertificateError::OtherTable { of: document.digest, this: table.digest().to_owned() });
    }
    let basis = table.basis()?;
    check_certificate(&basis.policy, &document.overlays)?;
    let verdict = |(proof, overlay): (OverlayProof, &crate::policy::Overlay)| OverlayVerdict {
        name: proof.name,
        on: proof.on,
        holds: true,
        proved: true,
        widens: Vec::new(),
        undecided: Vec::new(),
        span: overlay.span,
    };
    Ok(document.overlays.into_iter().zip(&basis.policy.overlays).map(verdict).collect())
}
