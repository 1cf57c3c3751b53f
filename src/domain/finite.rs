//! Finite sets and finite types: membership by looking up, cells value by value.

use super::cells::Cells;
use super::matcher::{Readers, Reading, Test};
use super::number::Short;
use super::texts::Texts;
use super::{Atom, Bits, Bound, Cell, Decimal, Kind, Membership, Value, Work};

/// A compiled list of values, by kind, each sorted for search.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    texts: Texts,
    numbers: Box<[Decimal]>,
    doubles: Option<Box<[f64]>>,
    truths: [bool; 2],
}

impl Values {
    /// Compiles the list.
    pub(crate) fn new(values: &[Value], readers: Readers) -> Values {
        let (mut texts, mut numbers, mut truths) = (Vec::new(), Vec::new(), [false, false]);
        for value in values {
            match value {
                Value::Text(text) => texts.push(text.clone()),
                Value::Number(number) => numbers.push(number.clone()),
                Value::Bool(false) => truths = [true, truths[1]],
                Value::Bool(true) => truths = [truths[0], true],
                Value::Null | Value::List(_) | Value::Object(_) => {}
            }
        }
        numbers.sort_unstable();
        let doubles = match readers {
            Readers::WithDoubles => Some(numbers.iter().map(Decimal::nearest_double).collect()),
            Readers::ExactOnly => None,
        };
        Values { texts: Texts::new(texts), numbers: numbers.into(), doubles, truths }
    }

    /// Whether `value` is among them.
    pub(crate) fn read(&self, value: &Value, reading: Reading) -> Membership {
        Membership::of(match value {
            Value::Text(text) => return self.read_text(text),
            Value::Number(number) => match (reading, &self.doubles) {
                (Reading::Double, Some(doubles)) => {
                    let double = number.nearest_double();
                    doubles.binary_search_by(|listed| listed.total_cmp(&double)).is_ok()
                }
                (Reading::Exact, _) | (Reading::Double, None) => self.numbers.binary_search(number).is_ok(),
            },
            Value::Bool(false) => self.truths[0],
            Value::Bool(true) => self.truths[1],
            Value::Null | Value::List(_) | Value::Object(_) => false,
        })
    }

    /// Whether a number of few digits is among them.
    pub(crate) fn read_short(&self, number: Short, reading: Reading) -> Membership {
        Membership::of(match (reading, &self.doubles) {
            (Reading::Double, Some(doubles)) => {
                let double = number.nearest_double();
                doubles.binary_search_by(|listed| listed.total_cmp(&double)).is_ok()
            }
            (Reading::Exact, _) | (Reading::Double, None) => {
                self.numbers.binary_search_by(|listed| number.compare_decimal(listed).reverse()).is_ok()
            }
        })
    }

    /// Whether the truth value is among them.
    pub(crate) fn read_truth(&self, truth: bool) -> Membership {
        Membership::of(if truth { self.truths[1] } else { self.truths[0] })
    }

    /// Whether the string is among them.
    pub(crate) fn read_text(&self, text: &str) -> Membership {
        Membership::of(self.texts.contains(text))
    }
}

/// The cells of a closed list of values (bool, enum) over `atoms`.
pub(crate) fn cells(kind: &Kind, values: &[Value], atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let tests = tests(kind, atoms, work)?;
    let mut cells = Cells::new();
    for value in values {
        work.spend(tests.len(), "a closed list")?;
        cells.offer(vector(&tests, value), value.clone());
    }
    Ok(cells.into_vec())
}

/// The compiled atoms.
pub(crate) fn tests(kind: &Kind, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Test>, Bound> {
    atoms.iter().map(|atom| Test::compile(kind, atom, work)).collect()
}

/// Which of the tests hold for `value`, read exactly.
pub(crate) fn vector(tests: &[Test], value: &Value) -> Bits {
    let holds = |test: &Test| test.read(value, Reading::Exact).is_in();
    tests.iter().enumerate().filter(|(_, test)| holds(test)).map(|(index, _)| index).collect()
}
