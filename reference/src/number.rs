//! Number texts → digit strings that compare exactly. Nothing is ever expanded or rounded, but by [`Num::double`].

use std::cmp::Ordering;

/// `(-1)^negative × 0.DIGITS × 10^exponent`, without leading and trailing zero digits; zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Num {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Num {
    /// From its parts, made canonical.
    pub fn new(negative: bool, digits: &str, exponent: i64) -> Num {
        let stripped = digits.trim_start_matches('0');
        let exponent = exponent - (digits.len() - stripped.len()) as i64;
        let stripped = stripped.trim_end_matches('0');
        if stripped.is_empty() {
            return Num { negative: false, digits: String::new(), exponent: 0 };
        }
        Num { negative, digits: stripped.to_owned(), exponent }
    }

    /// From JSON number text. The limits are on the number, so that equal numbers fare alike: `None` beyond 1,024 digits or
    /// an exponent (of `d.ddd × 10^e`) of ±1,024.
    pub fn parse(text: &str) -> Option<Num> {
        Num::read(text).filter(|n| n.digits.len() <= 1024 && (n.digits.is_empty() || (n.exponent - 1).abs() <= 1024))
    }

    /// From JSON number text, of any size.
    pub fn read(text: &str) -> Option<Num> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |r| (true, r));
        let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let zero = digits.bytes().all(|b| b == b'0');
        let power: i64 = power.strip_prefix('+').unwrap_or(power).parse().ok().or(zero.then_some(0))?;
        Some(Num::new(negative, &digits, (whole.len() as i64).checked_add(power)?))
    }

    /// Whether there is nothing behind the point.
    pub fn is_integral(&self) -> bool {
        self.exponent >= self.digits.len() as i64
    }

    /// The nearest double.
    pub fn double(&self) -> f64 {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}0.{}e{}", if self.digits.is_empty() { "0" } else { &self.digits }, self.exponent)
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// Plain text: no exponent, no needless zeros.
    pub fn plain(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_owned();
        }
        let sign = if self.negative { "-" } else { "" };
        let count = self.digits.len() as i64;
        if self.exponent <= 0 {
            format!("{sign}0.{}{}", "0".repeat(-self.exponent as usize), self.digits)
        } else if self.exponent >= count {
            format!("{sign}{}{}", self.digits, "0".repeat((self.exponent - count) as usize))
        } else {
            let (whole, fraction) = self.digits.split_at(self.exponent as usize);
            format!("{sign}{whole}.{fraction}")
        }
    }

    /// This number plus `whole`, where both are small enough for that to be of use.
    pub fn plus(&self, other: &Num) -> Option<Num> {
        let scale = |n: &Num| n.digits.len() as i64 - n.exponent;
        let places = scale(self).max(scale(other)).max(0);
        let fixed = |n: &Num| -> Option<i128> {
            let zeros = places - scale(n);
            if n.digits.len() as i64 + zeros > 36 {
                return None;
            }
            let size: i128 = format!("0{}{}", n.digits, "0".repeat(zeros as usize)).parse().ok()?;
            Some(if n.negative { -size } else { size })
        };
        let sum = fixed(self)? + fixed(other)?;
        let digits = sum.unsigned_abs().to_string();
        let exponent = digits.len() as i64 - places;
        Some(Num::new(sum < 0, &digits, exponent))
    }
}

impl PartialOrd for Num {
    fn partial_cmp(&self, other: &Num) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Num {
    fn cmp(&self, other: &Num) -> Ordering {
        let sign = |n: &Num| {
            if n.digits.is_empty() {
                0
            } else if n.negative {
                -1
            } else {
                1
            }
        };
        let size = || self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => size(),
            _ => size().reverse(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Num;

    #[test]
    fn order_is_that_of_the_numbers() {
        let rising = [
            "-1e3",
            "-20",
            "-19.99",
            "-0.1",
            "0",
            "1e-9",
            "0.1",
            "0.10000000000000000001",
            "1",
            "99",
            "100",
            "100.00000000000000001",
            "1e3",
        ];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(Num::parse(a).cmp(&Num::parse(b)), i.cmp(&j), "{a} and {b}");
            }
        }
        assert_eq!(Num::parse("1e2"), Num::parse("100.0"));
        assert_eq!(Num::parse("-0"), Num::parse("0.000e7"));
    }

    #[test]
    fn plain_text_and_sums() {
        for (text, plain) in [("1e2", "100"), ("0.050", "0.05"), ("-12.50", "-12.5"), ("1e-3", "0.001"), ("0", "0")] {
            assert_eq!(Num::parse(text).map(|n| n.plain()).as_deref(), Some(plain));
        }
        let sum = |a: &str, b: &str| Num::parse(a).zip(Num::parse(b)).and_then(|(a, b)| a.plus(&b)).map(|n| n.plain());
        assert_eq!(sum("0.1", "-1").as_deref(), Some("-0.9"));
        assert_eq!(sum("99.5", "0.5").as_deref(), Some("100"));
        assert_eq!(sum("1", "-1").as_deref(), Some("0"));
    }
}
