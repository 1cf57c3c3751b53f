//! Sets of numbers: every endpoint *and every gap* between two. Decimals are never expanded and never floats; the witness
//! in a gap is its shortest decimal.

use super::cells::Cells;
use super::finite::{tests, vector};
use super::matcher::{Readers, Reading, Test};
use super::number::Short;
use super::{Atom, Bound, Cell, Comparison, Decimal, Kind, Membership, NumberKind, Range, Value, Work};
use std::cmp::Ordering;

/// A compiled range: both readings of both ends.
#[derive(Clone, Debug)]
pub(crate) struct NumberTest {
    exact: Range<Decimal>,
    /// The same, where both ends have few digits.
    short: Option<Range<Short>>,
    double: Option<Range<f64>>,
}

impl NumberTest {
    /// Compiles the range.
    pub(crate) fn new(range: &Range<Decimal>, readers: Readers) -> NumberTest {
        let double = |end: &Option<(Decimal, Comparison)>| end.as_ref().map(|(end, how)| (end.nearest_double(), *how));
        let double = match readers {
            Readers::WithDoubles => Some(Range { low: double(&range.low), high: double(&range.high) }),
            Readers::ExactOnly => None,
        };
        NumberTest { exact: range.clone(), short: short(range), double }
    }

    /// Whether a number of few digits lies in the range.
    pub(crate) fn read_short(&self, number: Short, reading: Reading) -> Membership {
        Membership::of(match (reading, &self.double, &self.short) {
            (Reading::Double, Some(range), _) => {
                let double = number.nearest_double();
                range.admits(|end| double.total_cmp(end))
            }
            (Reading::Exact, _, Some(short)) | (Reading::Double, None, Some(short)) => {
                short.admits(|end| number.compare(*end))
            }
            (Reading::Exact, _, None) | (Reading::Double, None, None) => {
                self.exact.admits(|end| number.compare_decimal(end))
            }
        })
    }

    /// Whether `number` lies in the range.
    pub(crate) fn read(&self, number: &Decimal, reading: Reading) -> Membership {
        Membership::of(match (reading, &self.double) {
            (Reading::Double, Some(range)) => {
                let double = number.nearest_double();
                range.admits(|end| double.total_cmp(end))
            }
            (Reading::Exact, _) | (Reading::Double, None) => self.exact.contains(number),
        })
    }
}

fn short(range: &Range<Decimal>) -> Option<Range<Short>> {
    let end = |end: &Option<(Decimal, Comparison)>| match end {
        None => Some(None),
        Some((number, how)) => Some(Some((Short::of(number)?, *how))),
    };
    Some(Range { low: end(&range.low)?, high: end(&range.high)? })
}

impl<T> Range<T> {
    /// Whether a value lies in the range, given how it compares with an end.
    pub(crate) fn admits(&self, compare: impl Fn(&T) -> Ordering) -> bool {
        let within = |end: &Option<(T, Comparison)>, beyond: Ordering| match end {
            None => true,
            Some((end, how)) => {
                let order = compare(end);
                order == beyond || order == Ordering::Equal && *how == Comparison::Inclusive
            }
        };
        within(&self.low, Ordering::Greater) && within(&self.high, Ordering::Less)
    }
}

impl Range<Decimal> {
    /// Whether `number` lies in the range.
    pub fn contains(&self, number: &Decimal) -> bool {
        self.admits(|end| number.cmp(end))
    }
}

/// The cells of numbers of one kind over `atoms`.
pub(crate) fn cells(kind: NumberKind, atoms: &[&Atom], work: &mut Work) -> Result<Vec<Cell>, Bound> {
    let tests = tests(&Kind::Number(kind), atoms, work)?;
    let points = endpoints(atoms);
    let mut cells = Cells::new();
    for point in &points {
        if well_formed(kind, point) {
            offer(&mut cells, &tests, point.clone(), work)?;
        }
    }
    for (low, high) in gaps(&points) {
        if let Some(witness) = in_gap(kind, low, high) {
            work.spend(tests.len(), "a set of numbers")?;
            let value = Value::Number(witness.clone());
            let vector = vector(&tests, &value);
            if is_alone(kind, &witness, low, high) { cells.offer(vector, value) } else { cells.offer_many(vector, value) }
        }
    }
    Ok(cells.into_vec())
}

/// Whether a number is a value of the kind.
pub(crate) fn well_formed(kind: NumberKind, number: &Decimal) -> bool {
    number.within_limits()
        && match kind {
            NumberKind::Decimal => true,
            NumberKind::Int64 => number.is_integral() && number.to_i64().is_some(),
            NumberKind::Int => number.is_integral() && number.to_i64().is_some_and(|value| value.unsigned_abs() <= MAX_SAFE),
        }
}

/// The largest integer up to which doubles hold every one: 2^53 − 1.
pub(crate) const MAX_SAFE: u64 = 9_007_199_254_740_991;

/// The ends of ranges and the listed numbers, sorted, distinct.
fn endpoints(atoms: &[&Atom]) -> Vec<Decimal> {
    let mut points: Vec<Decimal> = Vec::new();
    for atom in atoms {
        match atom {
            Atom::OneOf(values) => points.extend(values.iter().filter_map(|value| match value {
                Value::Number(number) => Some(number.clone()),
                _ => None, // other kinds name no number
            })),
            Atom::Numbers(range) => {
                points.extend([&range.low, &range.high].into_iter().flatten().map(|(end, _)| end.clone()))
            }
            _ => {} // atoms of other kinds hold of no number
        }
    }
    points.sort_unstable();
    points.dedup();
    points
}

/// The open gaps between sorted points, the outer rays included.
pub(crate) fn gaps(points: &[Decimal]) -> impl Iterator<Item = (Option<&Decimal>, Option<&Decimal>)> {
    let lows = std::iter::once(None).chain(points.iter().map(Some));
    let highs = points.iter().map(Some).chain(std::iter::once(None));
    lows.zip(highs)
}

/// The shortest number of the kind strictly between the two, nearest to zero among those; `None`: there is none.
fn in_gap(kind: NumberKind, low: Option<&Decimal>, high: Option<&Decimal>) -> Option<Decimal> {
    let scales = match kind {
        NumberKind::Int | NumberKind::Int64 => 0..=0,
        NumberKind::Decimal => 0..=SCALES,
    };
    let witness = shortest(low, high, scales)?;
    well_formed(kind, &witness).then_some(witness)
}

/// The number strictly between the two with the fewest decimals within `scales`, nearest to zero among those.
pub(crate) fn shortest(
    low: Option<&Decimal>,
    high: Option<&Decimal>,
    mut scales: std::ops::RangeInclusive<i32>,
) -> Option<Decimal> {
    let zero = Decimal::zero();
    if low.is_none_or(|low| *low < zero) && high.is_none_or(|high| *high > zero) {
        return Some(zero);
    }
    match low.filter(|low| **low >= zero) {
        Some(low) => scales.find_map(|scale| Some(low.next_above(scale)).filter(|next| high.is_none_or(|high| next < high))),
        // Below zero: the mirror image.
        None => {
            let (near, far) = (high?.negated(), low.map(Decimal::negated));
            shortest(Some(&near), far.as_ref(), scales).map(|found| found.negated())
        }
    }
}

/// Whether `witness`, the number of the gap that is nearest to zero, is its only one.
fn is_alone(kind: NumberKind, witness: &Decimal, low: Option<&Decimal>, high: Option<&Decimal>) -> bool {
    let in_gap = |number: &Decimal| {
        well_formed(kind, number) && low.is_none_or(|low| low < number) && high.is_none_or(|high| number < high)
    };
    match kind {
        NumberKind::Decimal => false,
        NumberKind::Int | NumberKind::Int64 => {
            let further = witness.absolute().next_above(0);
            !in_gap(&further) && !in_gap(&further.negated())
        }
    }
}

fn offer(cells: &mut Cells, tests: &[Test], number: Decimal, work: &mut Work) -> Result<(), Bound> {
    work.spend(tests.len(), "a set of numbers")?;
    let value = Value::Number(number);
    cells.offer(vector(tests, &value), value);
    Ok(())
}

/// No number within the limits has more decimals.
const SCALES: i32 = 2 * super::number::MAX_EXPONENT;
