//! JSON bytes → tokens, strictly, without copying and without allocating: what [`super::read()`] would read, or
//! [`Odd`] where only that reader can tell. What is scanned to the end is well-formed as that reader has it. Knows no types
//! and no policies.

use super::Bounds;
use crate::domain::Short;

/// Not to be told here: an error, or a form too rare to be worth a short way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Odd;

/// A scalar, as it stands in the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A string without escapes: its bytes between the quotes.
    Text(&'a [u8]),
    /// A string with escapes, each of them valid.
    Escaped,
    /// A number of few digits.
    Number(Short),
    /// `true`, `false`.
    Bool(bool),
    /// `null`.
    Null,
}

/// A place in the bytes of one text.
#[derive(Clone, Debug)]
pub(crate) struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Bytes seen in strings, or'ed: the high bits tell whether anything but ASCII is there.
    seen: u64,
    depth: usize,
}

/// Names of one object that are still compared, at most.
const NAMES: usize = 48;
/// Nesting that is told here.
const DEPTH: usize = 64;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A high bit at the first byte that is a quote, a backslash or a control character; those after it may be wrong.
fn special(word: u64) -> u64 {
    let quote = word ^ (ONES.wrapping_mul(0x22));
    let slash = word ^ (ONES.wrapping_mul(0x5c));
    let found = (quote.wrapping_sub(ONES) & !quote)
        | (slash.wrapping_sub(ONES) & !slash)
        | (word.wrapping_sub(ONES.wrapping_mul(0x20)) & !word);
    found & HIGHS
}

/// Words after which a string is no short one.
const SHORT: u32 = 4;
/// Bytes of a string that are looked at together.
const BLOCK: usize = 128;

/// What is in a block.
struct Block {
    /// Nothing that ends a string or makes one odd: no quote, no control character, and after each backslash a letter of a
    /// plain escape.
    smooth: bool,
    /// A backslash.
    escaped: bool,
    /// Anything but ASCII.
    wide: bool,
}

/// Looks at a block, with the byte after it. On its own, and each accumulator of its own, so that it becomes vector code.
#[inline(never)]
fn look(block: &[u8; BLOCK], next: &[u8; BLOCK]) -> Block {
    let (mut odd, mut slash, mut low, mut high) = (0_u8, 0_u8, u8::MAX, 0_u8);
    for (a, b) in block.iter().zip(next) {
        let plain = (*b == b'n') | (*b == b't') | (*b == b'r');
        let here = *a == b'\\';
        odd |= u8::from((*a == b'"') | (here & !plain));
        slash |= u8::from(here);
        low = low.min(*a);
        high = high.max(*a);
    }
    Block { smooth: odd == 0 && low >= 0x20, escaped: slash != 0, wide: high >= 0x80 }
}

impl<'a> Scan<'a> {
    /// At the beginning of `bytes`.
    pub(crate) fn new(bytes: &'a [u8], bounds: Bounds) -> Result<Scan<'a>, Odd> {
        if bytes.len() > bounds.size || bounds.depth < 2 {
            return Err(Odd);
        }
        Ok(Scan { bytes, at: 0, seen: 0, depth: bounds.depth.min(DEPTH) })
    }

    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn step(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes);
    }

    /// The next byte that is no white space.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Result<u8, Odd> {
        match self.peek() {
            Some(byte) if byte > b' ' => Ok(byte),
            _ => self.after_space(),
        }
    }

    #[cold]
    fn after_space(&mut self) -> Result<u8, Odd> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.step(1),
                Some(byte) => return Ok(byte),
                None => return Err(Odd),
            }
        }
    }

    /// Past `byte`, after white space.
    #[inline(always)]
    pub(crate) fn require(&mut self, byte: u8) -> Result<(), Odd> {
        if self.next()? != byte {
            return Err(Odd);
        }
        self.step(1);
        Ok(())
    }

    /// Past `byte`, if it is next after white space.
    #[inline(always)]
    pub(crate) fn take(&mut self, byte: u8) -> Result<bool, Odd> {
        let is_there = self.next()? == byte;
        self.step(usize::from(is_there));
        Ok(is_there)
    }

    /// Nothing but white space is left, and the whole is UTF-8.
    pub(crate) fn end(&mut self) -> Result<(), Odd> {
        if self.next().is_ok() || self.seen & HIGHS != 0 && std::str::from_utf8(self.bytes).is_err() {
            return Err(Odd);
        }
        Ok(())
    }

    /// A scalar; the next byte is known to be none of an array or object.
    #[inline]
    pub(crate) fn scalar(&mut self) -> Result<Token<'a>, Odd> {
        match self.next()? {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number().map(Token::Number),
            b't' => self.word(b"true", Token::Bool(true)),
            b'f' => self.word(b"false", Token::Bool(false)),
            b'n' => self.word(b"null", Token::Null),
            _ => Err(Odd),
        }
    }

    fn word(&mut self, word: &[u8], token: Token<'a>) -> Result<Token<'a>, Odd> {
        if !self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            return Err(Odd);
        }
        self.step(word.len());
        Ok(token)
    }

    /// A member's name and the colon after it. One with escapes is odd.
    #[inline(always)]
    pub(crate) fn name(&mut self) -> Result<&'a [u8], Odd> {
        if self.next()? != b'"' {
            return Err(Odd);
        }
        match self.string()? {
            Token::Text(name) => self.require(b':').map(|()| name),
            Token::Escaped | Token::Number(_) | Token::Bool(_) | Token::Null => Err(Odd),
        }
    }

    /// A string; at its first quote.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Token<'a>, Odd> {
        self.step(1);
        let start = self.at;
        let mut words = 0_u32;
        let mut escaped = false;
        loop {
            match self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
                Some(chunk) => {
                    let word = u64::from_le_bytes(*chunk);
                    self.seen |= word;
                    let found = special(word);
                    if found == 0 {
                        self.step(8);
                        words = words.wrapping_add(1);
                        if words >= SHORT {
                            // A block that is not smooth is walked by words before another is tried.
                            words = 0;
                            escaped |= self.blocks();
                        }
                        continue;
                    }
                    self.step(usize::try_from(found.trailing_zeros() >> 3).unwrap_or(0));
                }
                None => self.slowly(),
            }
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.escape()?;
                    escaped = true;
                }
                Some(_) | None => return Err(Odd),
            }
        }
        let text = self.bytes.get(start..self.at).unwrap_or_default();
        self.step(1);
        Ok(if escaped { Token::Escaped } else { Token::Text(text) })
    }

    /// To the next special byte, near the end of the text.
    fn slowly(&mut self) {
        while let Some(byte) = self.peek().filter(|byte| *byte >= 0x20 && !matches!(byte, b'"' | b'\\')) {
            self.seen |= u64::from(byte);
            self.step(1);
        }
    }

    /// Past whole smooth blocks; whether there are escapes in them. Between two characters of a string.
    #[inline(never)]
    fn blocks(&mut self) -> bool {
        let mut escaped = false;
        while let Some((block, next)) = self.pair() {
            let of_block = look(block, next);
            if !of_block.smooth {
                break;
            }
            self.seen |= if of_block.wide { HIGHS } else { 0 };
            escaped |= of_block.escaped;
            // A backslash at the end of the block belongs to the letter after it.
            self.step(BLOCK.wrapping_sub(usize::from(block.last() == Some(&b'\\'))));
        }
        escaped
    }

    /// The next block, and the same one byte on.
    fn pair(&self) -> Option<(&'a [u8; BLOCK], &'a [u8; BLOCK])> {
        let rest = self.bytes.get(self.at..)?;
        Some((rest.first_chunk()?, rest.get(1..)?.first_chunk()?))
    }

    /// At a backslash: past a valid escape.
    fn escape(&mut self) -> Result<(), Odd> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest {
            [_, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => self.step(2),
            [_, b'u', a, b, c, d, ..] => {
                let unit = hex([*a, *b, *c, *d]).ok_or(Odd)?;
                if (0xd800..0xe000).contains(&unit) {
                    return self.pair_of_surrogates(unit);
                }
                self.step(6);
            }
            _ => return Err(Odd),
        }
        Ok(())
    }

    fn pair_of_surrogates(&mut self, high: u16) -> Result<(), Odd> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let low = match rest.get(6..) {
            Some([b'\\', b'u', a, b, c, d, ..]) => hex([*a, *b, *c, *d]).ok_or(Odd)?,
            Some(_) | None => return Err(Odd),
        };
        if high >= 0xdc00 || !(0xdc00..0xe000).contains(&low) {
            return Err(Odd);
        }
        self.step(12);
        Ok(())
    }

    /// A number without exponent and with at most 15 digits; others are odd.
    #[inline(always)]
    fn number(&mut self) -> Result<Short, Odd> {
        let negative = self.peek() == Some(b'-');
        self.step(usize::from(negative));
        let start = self.at;
        let mut digits = self.digits(0)?;
        let whole = self.at.wrapping_sub(start);
        if whole == 0 || whole > 1 && self.bytes.get(start) == Some(&b'0') {
            return Err(Odd);
        }
        let mut scale = 0;
        if self.peek() == Some(b'.') {
            self.step(1);
            let start = self.at;
            digits = self.digits(digits)?;
            scale = self.at.wrapping_sub(start);
            if scale == 0 {
                return Err(Odd);
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E' | b'.' | b'+' | b'-')) || whole.wrapping_add(scale) > Short::DIGITS {
            return Err(Odd);
        }
        Short::new(negative, digits, scale).ok_or(Odd)
    }

    /// Reads digits on to a number that had `before`; more than would fit are odd.
    #[inline(always)]
    fn digits(&mut self, before: i64) -> Result<i64, Odd> {
        let mut number = before;
        while let Some(digit) = self.peek().map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit <= 9) {
            if number >= 100_000_000_000_000_000 {
                return Err(Odd);
            }
            number = number.wrapping_mul(10).wrapping_add(i64::from(digit));
            self.step(1);
        }
        Ok(number)
    }

    /// Any value, past its end: nested within the bounds, without duplicate members. Depth costs no stack.
    pub(crate) fn skip(&mut self) -> Result<(), Odd> {
        if !matches!(self.next()?, b'{' | b'[') {
            return self.scalar().map(|_| ());
        }
        let mut open = Opened { objects: 0, depth: 1, names: [&[]; NAMES], count: 0, starts: [0; DEPTH] };
        let mut ended = self.open(&mut open)?;
        loop {
            if ended {
                open.close();
                // One level is the object of arguments itself.
                if open.depth == 1 {
                    return Ok(());
                }
                if self.take(b',')? {
                    ended = false;
                    if open.in_object() {
                        open.name(self.name()?)?;
                    }
                } else {
                    self.require(if open.in_object() { b'}' } else { b']' })?;
                    continue;
                }
            }
            if matches!(self.next()?, b'{' | b'[') {
                ended = self.open(&mut open)?;
                continue;
            }
            self.scalar()?;
            if self.take(b',')? {
                if open.in_object() {
                    open.name(self.name()?)?;
                }
            } else {
                self.require(if open.in_object() { b'}' } else { b']' })?;
                ended = true;
            }
        }
    }

    /// Past the start of an array or object, and the name of its first member; whether it ended at once.
    fn open(&mut self, open: &mut Opened<'a>) -> Result<bool, Odd> {
        let object = self.take(b'{')?;
        if !object {
            self.require(b'[')?;
        }
        open.enter(object, self.depth)?;
        if self.take(if object { b'}' } else { b']' })? {
            return Ok(true);
        }
        if object {
            open.name(self.name()?)?;
        }
        Ok(false)
    }
}

/// What is open while a value is skipped.
struct Opened<'a> {
    /// Bit by depth: an object and no array.
    objects: u64,
    depth: usize,
    names: [&'a [u8]; NAMES],
    count: usize,
    /// By depth: where the names of an object begin.
    starts: [u8; DEPTH],
}

impl<'a> Opened<'a> {
    fn enter(&mut self, object: bool, most: usize) -> Result<(), Odd> {
        if self.depth >= most {
            return Err(Odd);
        }
        let start = self.starts.get_mut(self.depth).ok_or(Odd)?;
        *start = u8::try_from(self.count).map_err(|_| Odd)?;
        let bit = 1_u64.checked_shl(u32::try_from(self.depth).unwrap_or(u32::MAX)).ok_or(Odd)?;
        self.objects = if object { self.objects | bit } else { self.objects & !bit };
        self.depth = self.depth.wrapping_add(1);
        Ok(())
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.count = self.starts.get(self.depth).copied().map_or(0, usize::from);
    }

    fn in_object(&self) -> bool {
        let last = u32::try_from(self.depth.saturating_sub(1)).unwrap_or(0);
        self.objects.checked_shr(last).unwrap_or(0) & 1 == 1
    }

    /// One more name of the innermost object.
    fn name(&mut self, name: &'a [u8]) -> Result<(), Odd> {
        let start = self.starts.get(self.depth.saturating_sub(1)).copied().map_or(0, usize::from);
        if self.names.get(start..self.count).is_none_or(|names| names.contains(&name)) {
            return Err(Odd);
        }
        *self.names.get_mut(self.count).ok_or(Odd)? = name;
        self.count = self.count.wrapping_add(1);
        Ok(())
    }
}

fn hex(digits: [u8; 4]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |number, digit| {
        let value = char::from(*digit).to_digit(16).and_then(|value| u16::try_from(value).ok())?;
        Some((number << 4) | value)
    })
}

#[cfg(test)]
mod tests;
