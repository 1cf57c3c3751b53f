//! The bytes of a call's arguments → one slot for each argument that a test asks about, in one pass. The whole text is proved
//! well-formed, its members declared, distinct and of their types. Knows no sets but those of types.

use super::program::{Check, Program, SLOTS, Shape};
use crate::call::{Bounds, Odd, Scan, Token};
use crate::domain::{NumberKind, Seen, Short, see};

/// The arguments that tests ask about, as they stand in the bytes.
#[derive(Clone, Debug)]
pub(crate) struct Slots<'a> {
    /// By slot; none: left out.
    pub(super) tokens: [Option<Token<'a>>; SLOTS],
    /// Bit by argument: it is there.
    pub(super) there: u64,
}

impl Slots<'_> {
    /// Nothing is there.
    pub(crate) const NONE: Self = Slots { tokens: [None; SLOTS], there: 0 };
}

/// Whether arguments or a token are of their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// They are, but for strings of kinds that are read as a whole, which are told when they are judged.
    Fits,
    /// An argument is undeclared, missing or of another type; or the bytes are no JSON.
    Malformed,
}

impl From<bool> for Fit {
    fn from(fits: bool) -> Fit {
        if fits { Fit::Fits } else { Fit::Malformed }
    }
}

/// Reads the arguments of a call to the tool of `program` into empty slots.
pub(crate) fn read<'a>(program: &Program, bytes: &'a [u8], bounds: Bounds, slots: &mut Slots<'a>) -> Result<Fit, Odd> {
    let mut scan = Scan::new(bytes, bounds)?;
    scan.require(b'{')?;
    if !scan.take(b'}')? {
        loop {
            let name = scan.name()?;
            // Whatever follows, the call is malformed: the text is, or its members are.
            let Some(argument) = program.find(name) else { return Ok(Fit::Malformed) };
            let bit = 1_u64.wrapping_shl(u32::try_from(argument).unwrap_or(0));
            if slots.there & bit != 0 {
                return Ok(Fit::Malformed);
            }
            slots.there |= bit;
            let check = program.checks.get(argument).ok_or(Odd)?;
            if value(&mut scan, check, slots)? == Fit::Malformed {
                return Ok(Fit::Malformed);
            }
            if !scan.take(b',')? {
                break;
            }
        }
        scan.require(b'}')?;
    }
    scan.end()?;
    let missing = program.required & !slots.there;
    Ok((missing == 0).into())
}

#[inline]
fn value<'a>(scan: &mut Scan<'a>, check: &Check, slots: &mut Slots<'a>) -> Result<Fit, Odd> {
    match &check.shape {
        Shape::Any => return scan.skip().map(|()| Fit::Fits),
        Shape::Odd => return Err(Odd),
        Shape::List { of, size, one } => {
            if scan.next()? == b'[' {
                return list(scan, of, |count| size.contains(count));
            }
            return match scan.scalar()? {
                Token::Null if check.null => Ok(Fit::Fits),
                token if *one => fit(token, of),
                token => fit(token, check),
            };
        }
        Shape::Text | Shape::Listed(_) | Shape::Spelled(_) | Shape::Bool | Shape::Number(_) => {}
    }
    if matches!(scan.next()?, b'{' | b'[') {
        return Ok(Fit::Malformed);
    }
    let token = scan.scalar()?;
    if let Some(slot) = check.slot {
        *slots.tokens.get_mut(usize::from(slot)).ok_or(Odd)? = Some(token);
        // What is spelled in a special way is read once, when it is judged.
        if matches!((&check.shape, token), (Shape::Spelled(_), Token::Text(_))) && check.refinement.is_none() {
            return Ok(Fit::Fits);
        }
    }
    fit(token, check)
}

fn list(scan: &mut Scan<'_>, of: &Check, fits: impl Fn(usize) -> bool) -> Result<Fit, Odd> {
    scan.require(b'[')?;
    let mut count = 0_usize;
    if !scan.take(b']')? {
        loop {
            if matches!(scan.next()?, b'{' | b'[') || fit(scan.scalar()?, of)? == Fit::Malformed {
                return Ok(Fit::Malformed);
            }
            count = count.saturating_add(1);
            if !scan.take(b',')? {
                break;
            }
        }
        scan.require(b']')?;
    }
    Ok(fits(count).into())
}

/// Whether a scalar is of the type.
fn fit(token: Token<'_>, check: &Check) -> Result<Fit, Odd> {
    let seen = match (&check.shape, token) {
        (_, Token::Null) => return Ok(check.null.into()),
        (Shape::Text, Token::Text(_)) if check.refinement.is_none() => return Ok(Fit::Fits),
        (Shape::Text, Token::Escaped) if check.refinement.is_none() && !check.wildcard && check.slot.is_none() => {
            return Ok(Fit::Fits);
        }
        (_, Token::Escaped) => return Err(Odd),
        (Shape::Text, Token::Text(bytes)) => Seen::Text(text(bytes)?),
        (Shape::Listed(listed), Token::Text(bytes)) => {
            let text = text(bytes)?;
            let is_value = listed.contains(text) || check.wildcard && text == "all";
            if !is_value {
                return Ok(Fit::Malformed);
            }
            Seen::Text(text)
        }
        (Shape::Spelled(kind), Token::Text(bytes)) => match see(kind, text(bytes)?) {
            Some((seen, _)) => seen,
            None if check.wildcard => return Err(Odd),
            None => return Ok(Fit::Malformed),
        },
        (Shape::Bool, Token::Bool(truth)) => Seen::Bool(truth),
        (Shape::Number(kind), Token::Number(number)) if is_of(*kind, number) => Seen::Number(number),
        _ if check.wildcard => return Err(Odd),
        _ => return Ok(Fit::Malformed), // another token than the type has
    };
    Ok(check.refinement.as_ref().is_none_or(|refinement| refinement.test_seen_exactly(&seen).is_in()).into())
}

/// Fifteen digits are within the bounds of every kind.
fn is_of(kind: NumberKind, number: Short) -> bool {
    match kind {
        NumberKind::Decimal => true,
        NumberKind::Int | NumberKind::Int64 => number.is_integral(),
    }
}

/// The bytes of a string without escapes.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Odd> {
    std::str::from_utf8(bytes).map_err(|_| Odd)
}
