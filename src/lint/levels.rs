//! Names of rules and what is said of them → how each finding counts. Knows no policies.
//!
//! What is said of one rule beats what is said of all `warnings`; of several sayings on one rule the strictest counts.

use crate::diag::{Code, Diagnostic, Level, Severity, all_codes, did_you_mean, find_code};
use serde::Deserialize;
use std::collections::BTreeMap;

/// How a lint counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LintLevel {
    /// Not shown.
    Allow,
    /// Shown.
    Warn,
    /// Fails the run.
    Deny,
}

/// Why nothing can be said of a rule of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// There is none.
    #[error("`{name}` is no rule{}", hint(.nearest.as_deref()))]
    Unknown {
        /// The name.
        name: String,
        /// The rule that may be meant.
        nearest: Option<String>,
    },
    /// It is an error.
    #[error("`{0}` is an error, which always counts: only lints have levels")]
    NoLint(String),
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |best| format!("; did you mean `{best}`?"))
}

/// The word for all lints that are shown by default.
const WARNINGS: &str = "warnings";

/// What is said of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    rules: BTreeMap<&'static str, LintLevel>,
    warnings: Option<LintLevel>,
}

impl Levels {
    /// Sets the level of the rule with this code or slug, or of all `warnings`.
    ///
    /// # Errors
    /// [`LevelError`]: there is no such rule, or it is no lint.
    pub fn set(&mut self, name: &str, level: LintLevel) -> Result<(), LevelError> {
        if name == WARNINGS {
            self.warnings = self.warnings.max(Some(level));
            return Ok(());
        }
        let code = rule(name)?;
        let before = self.rules.get(code.id()).copied();
        self.rules.insert(code.id(), before.map_or(level, |before| before.max(level)));
        Ok(())
    }

    /// These, but where `over` says something that counts.
    #[must_use]
    pub fn under(&self, over: &Levels) -> Levels {
        let mut rules = self.rules.clone();
        if over.warnings.is_some() {
            // Said later of all: what was said before of one stands only where it hides it on purpose.
            rules.retain(|_, level| *level == LintLevel::Allow);
        }
        rules.extend(over.rules.iter().map(|(id, level)| (*id, *level)));
        Levels { rules, warnings: over.warnings.or(self.warnings) }
    }

    /// How a finding counts; errors have no level.
    pub fn of(&self, code: Code) -> Option<LintLevel> {
        let by_default = match code.level() {
            Level::Error => return None,
            Level::Deny => LintLevel::Deny,
            Level::Warn => LintLevel::Warn,
        };
        let of_all = self.warnings.filter(|_| by_default == LintLevel::Warn);
        Some(self.rules.get(code.id()).copied().or(of_all).unwrap_or(by_default))
    }
}

/// The finding at this level, if it is shown.
pub(super) fn at(level: LintLevel, found: Diagnostic) -> Option<Diagnostic> {
    match level {
        LintLevel::Allow => None,
        LintLevel::Warn => Some(Diagnostic { severity: Severity::Warning, ..found }),
        LintLevel::Deny => Some(Diagnostic { severity: Severity::Error, ..found }),
    }
}

/// The lint of that code or slug.
pub(super) fn rule(name: &str) -> Result<Code, LevelError> {
    match find_code(name) {
        Some(code) if code.level() == Level::Error => Err(LevelError::NoLint(name.to_owned())),
        Some(code) => Ok(code),
        None => {
            let lints = all_codes().filter(|code| code.level() != Level::Error).map(Code::slug);
            let nearest = did_you_mean(name, lints.chain([WARNINGS])).map(str::to_owned);
            Err(LevelError::Unknown { name: name.to_owned(), nearest })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(said: &[(&str, LintLevel)]) -> Levels {
        let mut levels = Levels::default();
        said.iter().for_each(|(name, level)| levels.set(name, *level).expect("a rule"));
        levels
    }

    #[test]
    fn one_rule_beats_all_and_later_beats_earlier() {
        let project = levels(&[("dead-row", LintLevel::Allow), ("W0104", LintLevel::Warn)]);
        let run = levels(&[("warnings", LintLevel::Deny)]);
        let both = project.under(&run);
        assert_eq!(both.of(Code::DEAD_ROW), Some(LintLevel::Allow));
        assert_eq!(both.of(Code::OPEN_TOOL), Some(LintLevel::Deny));
        assert_eq!(both.of(Code::WIDENS), None);
        assert_eq!(levels(&[("dead-row", LintLevel::Deny)]).of(Code::DEAD_ROW), Some(LintLevel::Deny));
    }

    #[test]
    fn an_unknown_rule_has_a_neighbour_and_an_error_no_level() {
        let unknown = Levels::default().set("ded-row", LintLevel::Deny).expect_err("no rule");
        assert_eq!(unknown.to_string(), "`ded-row` is no rule; did you mean `dead-row`?");
        let error = Levels::default().set("widens", LintLevel::Allow).expect_err("no lint");
        assert!(error.to_string().contains("always counts"), "{error}");
    }
}
