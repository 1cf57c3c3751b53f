//! Numbers of few digits without a heap: what most calls carry. Compared with exact decimals exactly.

use super::{Decimal, POWERS};
use std::cmp::Ordering;

/// `digits × 10^-scale`, of at most 15 digits, so that the digits are an exact double too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Short {
    digits: i64,
    scale: u8,
}

impl Short {
    /// The most digits.
    pub(crate) const DIGITS: usize = 15;

    /// `±digits × 10^-scale`; none if there are too many digits.
    pub(crate) fn new(negative: bool, digits: i64, scale: usize) -> Option<Short> {
        let scale = u8::try_from(scale).ok().filter(|scale| usize::from(*scale) <= Short::DIGITS)?;
        let few = (0..1_000_000_000_000_000).contains(&digits);
        few.then_some(Short { digits: if negative { digits.wrapping_neg() } else { digits }, scale })
    }

    /// The same number, if it is one of few digits.
    pub(crate) fn of(number: &Decimal) -> Option<Short> {
        let count = i32::try_from(number.digits.len()).ok()?;
        let scale = count.checked_sub(number.exponent)?;
        let digits: i64 = if count == 0 { 0 } else { number.digits.parse().ok()? };
        let zeros = scale.min(0).unsigned_abs();
        let digits = digits.checked_mul(10_i64.checked_pow(zeros)?)?;
        Short::new(number.negative, digits, usize::try_from(scale.max(0)).ok()?)
    }

    /// Whether it is a whole number.
    pub(crate) fn is_integral(self) -> bool {
        let power = 10_i64.checked_pow(u32::from(self.scale)).unwrap_or(1);
        self.digits.checked_rem(power).is_some_and(|rest| rest == 0)
    }

    /// The nearest double, ties to even: one division of exact doubles rounds once. Never -0.
    pub(crate) fn nearest_double(self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // 15 digits are exact
        let digits = self.digits as f64;
        let power = POWERS.get(usize::from(self.scale)).copied().unwrap_or(1.0);
        let double = digits / power;
        if double == 0.0 { 0.0 } else { double }
    }

    /// How it compares with another.
    pub(crate) fn compare(self, other: Short) -> Ordering {
        if self.scale == other.scale {
            return self.digits.cmp(&other.digits);
        }
        let scaled = |number: Short, by: u8| i128::from(number.digits).wrapping_mul(10_i128.wrapping_pow(u32::from(by)));
        scaled(self, other.scale).cmp(&scaled(other, self.scale))
    }

    /// How it compares with any decimal.
    pub(crate) fn compare_decimal(self, other: &Decimal) -> Ordering {
        if let Some(other) = Short::of(other) {
            return self.compare(other);
        }
        // Beyond 15 digits, or with a large exponent: sign, then size.
        let negative = self.digits < 0;
        if negative != other.negative {
            return if negative { Ordering::Less } else { Ordering::Greater };
        }
        let size = self.size(other);
        if negative { size.reverse() } else { size }
    }

    /// How the sizes compare, signs aside.
    fn size(self, other: &Decimal) -> Ordering {
        let mut left = self.digits.unsigned_abs();
        if left == 0 {
            return if other.is_zero() { Ordering::Equal } else { Ordering::Less };
        }
        let mut digits = [0_u8; 20];
        let mut count = 0_usize;
        for place in digits.iter_mut().rev() {
            if left == 0 {
                break;
            }
            *place = b'0'.wrapping_add(u8::try_from(left % 10).unwrap_or(0));
            left /= 10;
            count = count.wrapping_add(1);
        }
        let own = digits.get(digits.len().wrapping_sub(count)..).unwrap_or_default();
        let exponent = i32::try_from(count).unwrap_or(0).wrapping_sub(i32::from(self.scale));
        let kept = own.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last.wrapping_add(1));
        let own = own.get(..kept).unwrap_or_default();
        if other.is_zero() {
            return Ordering::Greater;
        }
        exponent.cmp(&other.exponent).then_with(|| own.cmp(other.digits.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    //! Short numbers are the decimals that they are.
    use super::*;

    fn short(text: &str) -> Short {
        Short::of(&Decimal::parse(text).expect("a number")).expect("few digits")
    }

    #[test]
    fn compares_as_decimals_do() {
        let texts = [
            "0",
            "1",
            "-1",
            "0.1",
            "0.10",
            "-0.1",
            "499.99",
            "500",
            "500.000000001",
            "999999999999999",
            "-999999999999999",
            "0.000000000000001",
            "1e14",
            "123456789012345",
            "3.14159",
        ];
        let long = ["1e15", "-1e15", "1e300", "1e-300", "0.1000000000000000001", "9007199254740993", "499.9900000000000001"];
        for a in texts {
            let exact = Decimal::parse(a).expect("a number");
            assert_eq!(short(a).nearest_double().to_bits(), exact.nearest_double().to_bits(), "{a}");
            assert_eq!(short(a).is_integral(), exact.is_integral(), "{a}");
            for b in texts.iter().chain(&long) {
                let other = Decimal::parse(b).expect("a number");
                assert_eq!(short(a).compare_decimal(&other), exact.cmp(&other), "{a} {b}");
            }
            for b in texts {
                assert_eq!(short(a).compare(short(b)), exact.cmp(&Decimal::parse(b).expect("a number")), "{a} {b}");
            }
        }
    }
}
