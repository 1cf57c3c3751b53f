//! Exact decimals: from the text of a JSON number, compared by sign, exponent and digits, never expanded, never a float.

use super::Decimal;
use std::cmp::Ordering;
use std::fmt;

mod short;

pub(crate) use short::Short;

/// The most significant digits a number may have.
pub const MAX_DIGITS: usize = 1_024;
/// The largest absolute exponent, of `d.ddd × 10^e`.
pub const MAX_EXPONENT: i32 = 1_024;

/// The powers of ten that doubles hold exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Why a text is no number here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not a number as JSON writes them.
    #[error("not a JSON number")]
    Syntax,
    /// More than 1,024 significant digits.
    #[error("more than 1,024 digits")]
    Digits,
    /// An exponent beyond 1,024.
    #[error("an exponent beyond 1,024")]
    Exponent,
}

impl Decimal {
    /// Zero.
    pub fn zero() -> Decimal {
        Decimal { negative: false, digits: "".into(), exponent: 0 }
    }

    /// Reads a JSON number (RFC 8259). The limits are on the value, so that equal numbers are equally well-formed: at most
    /// 1,024 digits between the first and the last that is not zero, and an exponent (of `d.ddd × 10^e`) within ±1,024.
    ///
    /// # Errors
    /// [`NumberError`]: not a number, or outside the limits.
    pub fn parse(text: &str) -> Result<Decimal, NumberError> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, written) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return Err(NumberError::Syntax),
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let digits_only = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !digits_only(whole) || !digits_only(fraction) {
            return Err(NumberError::Syntax);
        }
        let point = i64::try_from(whole.len()).unwrap_or(i64::MAX).saturating_add(written);
        Decimal::limited(negative, &[whole, fraction], point)
    }

    /// `0.DIGITS × 10^point`, where the digits are the parts joined, within the limits.
    fn limited(negative: bool, parts: &[&str], point: i64) -> Result<Decimal, NumberError> {
        let digits = || parts.iter().flat_map(|part| part.bytes());
        let leading = digits().take_while(|digit| *digit == b'0').count();
        let significant = match digits().rev().position(|digit| digit != b'0') {
            None => return Ok(Decimal::zero()),
            Some(trailing) => digits().count().saturating_sub(leading).saturating_sub(trailing),
        };
        if significant > MAX_DIGITS {
            return Err(NumberError::Digits);
        }
        let point = point.saturating_sub(i64::try_from(leading).unwrap_or(i64::MAX));
        if point.saturating_sub(1).unsigned_abs() > MAX_EXPONENT.unsigned_abs().into() {
            return Err(NumberError::Exponent);
        }
        let digits: String = digits().skip(leading).take(significant).map(char::from).collect();
        let exponent = i32::try_from(point).map_err(|_| NumberError::Exponent)?;
        Ok(Decimal { negative, digits: digits.into(), exponent })
    }

    /// The whole number `value`.
    pub fn from_i64(value: i64) -> Decimal {
        Decimal::scaled(value < 0, &value.unsigned_abs().to_string(), 0)
    }

    /// `±DIGITS × 10^-scale`; `digits` are ASCII digits. Not checked against the limits: see [`Decimal::within_limits`].
    pub(crate) fn scaled(negative: bool, digits: &str, scale: i32) -> Decimal {
        let significant = digits.trim_start_matches('0');
        let exponent = i32::try_from(significant.len()).unwrap_or(i32::MAX).saturating_sub(scale);
        let significant = significant.trim_end_matches('0');
        if significant.is_empty() {
            return Decimal::zero();
        }
        Decimal { negative, digits: significant.into(), exponent }
    }

    /// Whether it is a number that a call may carry.
    pub fn within_limits(&self) -> bool {
        self.digits.len() <= MAX_DIGITS && self.exponent.saturating_sub(1).saturating_abs() <= MAX_EXPONENT
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether it is a whole number (`5.0` is).
    pub fn is_integral(&self) -> bool {
        i32::try_from(self.digits.len()).is_ok_and(|count| count <= self.exponent.max(0))
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(&self) -> Decimal {
        Decimal { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    /// The number without its sign.
    #[must_use]
    pub fn absolute(&self) -> Decimal {
        Decimal { negative: false, ..self.clone() }
    }

    /// The whole number it is, if it is one and fits.
    pub fn to_i64(&self) -> Option<i64> {
        if !self.is_integral() || self.exponent > 19 {
            return None;
        }
        self.to_string().parse().ok()
    }

    /// The nearest double, ties to even, as every reader with doubles gets it. Beyond their range: infinite. Never -0.
    pub fn nearest_double(&self) -> f64 {
        let double = self.short_double().unwrap_or_else(|| self.parsed_double());
        if double == 0.0 { 0.0 } else { double }
    }

    /// Few digits and a small scale: the digits and the power of ten are exact doubles, so one division rounds correctly.
    fn short_double(&self) -> Option<f64> {
        let scale = i32::try_from(self.digits.len()).ok()?.saturating_sub(self.exponent);
        let power = POWERS.get(usize::try_from(scale.unsigned_abs()).ok()?)?;
        if self.digits.len() > 15 {
            return None;
        }
        let digit = |byte: u8| f64::from(byte.saturating_sub(b'0'));
        let digits = self.digits.bytes().fold(0.0, |number, byte| number * 10.0 + digit(byte));
        let size = if scale < 0 { digits * power } else { digits / power };
        Some(if self.negative { -size } else { size })
    }

    fn parsed_double(&self) -> f64 {
        // Digits, then `e` and the exponent of the last digit: correctly rounded by the standard library. On the stack.
        let mut text = [0u8; MAX_DIGITS + 16];
        let mut rest: &mut [u8] = &mut text;
        let scale = i64::from(self.exponent).saturating_sub(i64::try_from(self.digits.len()).unwrap_or(i64::MAX));
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.is_zero() { "0" } else { &*self.digits };
        let written = std::io::Write::write_fmt(&mut rest, format_args!("{sign}{digits}e{scale}"));
        let unused = rest.len();
        let used = text.len().saturating_sub(unused);
        let number = text.get(..used).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(|text| text.parse().ok());
        match (written, number) {
            (Ok(()), Some(number)) => number,
            // Only for numbers beyond the limits, which no call and no policy holds.
            _ => self.to_string().parse().unwrap_or(f64::NAN),
        }
    }

    /// For a number not below zero: the smallest multiple of `10^-scale` above it.
    pub(crate) fn next_above(&self, scale: i32) -> Decimal {
        let kept = usize::try_from(self.exponent.saturating_add(scale)).unwrap_or(0);
        let mut digits: Vec<u8> = self.digits.bytes().chain(std::iter::repeat(b'0')).take(kept).collect();
        let mut carry = true;
        for digit in digits.iter_mut().rev() {
            if *digit == b'9' {
                *digit = b'0';
            } else {
                *digit = digit.saturating_add(1);
                carry = false;
                break;
            }
        }
        let text: String = carry.then_some('1').into_iter().chain(digits.into_iter().map(char::from)).collect();
        Decimal::scaled(false, &text, scale)
    }

    fn magnitude(&self, other: &Decimal) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

/// The exponent after `e`; beyond what can matter it is only known to be large.
fn exponent_of(text: &str) -> Result<i64, NumberError> {
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1, text.get(1..).unwrap_or("")),
        Some(b'+') => (1, text.get(1..).unwrap_or("")),
        _ => (1, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let size = digits
        .bytes()
        .fold(0i64, |size, digit| size.saturating_mul(10).saturating_add(i64::from(digit.saturating_sub(b'0'))));
    Ok(size.min(i64::MAX / 4).saturating_mul(sign))
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<Decimal> for String {
    fn from(number: Decimal) -> String {
        number.to_string()
    }
}

impl TryFrom<String> for Decimal {
    type Error = NumberError;

    fn try_from(text: String) -> Result<Decimal, NumberError> {
        Decimal::parse(&text)
    }
}

impl fmt::Display for Decimal {
    /// Plain: no exponent, no leading or trailing zeros. Equal numbers, and only they, have equal texts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        if self.negative {
            f.write_str("-")?;
        }
        let zeros = |f: &mut fmt::Formatter<'_>, count: usize| (0..count).try_for_each(|_| f.write_str("0"));
        match usize::try_from(self.exponent) {
            Ok(0) | Err(_) => {
                f.write_str("0.")?;
                zeros(f, usize::try_from(self.exponent.unsigned_abs()).unwrap_or(0))?;
                f.write_str(&self.digits)
            }
            Ok(whole) => match self.digits.split_at_checked(whole).filter(|(_, fraction)| !fraction.is_empty()) {
                Some((whole, fraction)) => write!(f, "{whole}.{fraction}"),
                None => {
                    f.write_str(&self.digits)?;
                    zeros(f, whole.saturating_sub(self.digits.len()))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests;
