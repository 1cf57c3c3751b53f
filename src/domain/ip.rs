//! IP addresses: text → numbers of a family, CIDR blocks and the classes of addresses → ranges, ranges → cells. An
//! IPv4-mapped address *is* the IPv4 address. Must not know names, URLs or policies.

use super::Class;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

mod cells;

pub(super) use cells::segments;

/// The two families; each is a line of numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    V4,
    V6,
}

/// Addresses of one family from `low` to `high`, both in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Block {
    pub(super) family: Family,
    pub(super) low: u128,
    pub(super) high: u128,
}

/// The address that `text` spells (dotted decimal, RFC 4291 text), IPv4-mapped ones unwrapped. Zones are none.
pub(super) fn read(text: &str) -> Option<IpAddr> {
    text.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// Family and number, IPv4-mapped addresses unwrapped.
pub(super) fn number(address: IpAddr) -> (Family, u128) {
    match address.to_canonical() {
        IpAddr::V4(v4) => (Family::V4, u128::from(u32::from(v4))),
        IpAddr::V6(v6) => (Family::V6, u128::from(v6)),
    }
}

/// The address with that number; numbers beyond a family's end are its last address.
pub(super) fn address(family: Family, number: u128) -> IpAddr {
    match family {
        Family::V4 => IpAddr::V4(Ipv4Addr::from(u32::try_from(number).unwrap_or(u32::MAX))),
        Family::V6 => IpAddr::V6(Ipv6Addr::from(number)),
    }
}

impl Block {
    /// Just this address.
    pub(super) fn one(address: IpAddr) -> Block {
        let (family, number) = number(address);
        Block { family, low: number, high: number }
    }

    /// Whether the address lies in it.
    pub(super) fn contains(&self, address: IpAddr) -> bool {
        let (family, number) = number(address);
        family == self.family && self.low <= number && number <= self.high
    }

    /// The block that `text` (`10.0.0.0/8`, `::1`) spells, and its canonical text.
    pub(super) fn read(text: &str) -> Result<(Block, Box<str>), CidrFault> {
        let (address_text, length) = match text.split_once('/') {
            Some((head, tail)) => (head, Some(tail)),
            None => (text, None),
        };
        let written: IpAddr = address_text.parse().map_err(|_| CidrFault::NoAddress)?;
        let bits: u32 = if written.is_ipv4() { 32 } else { 128 };
        let length = match length {
            None => bits,
            Some(digits) => read_length(digits).filter(|n| *n <= bits).ok_or(CidrFault::Length { most: bits })?,
        };
        let (written, length) = match (written, written.to_canonical()) {
            (IpAddr::V6(_), IpAddr::V4(v4)) if length >= 96 => (IpAddr::V4(v4), length.saturating_sub(96)),
            (written, _) => (written, length),
        };
        let (family, from, bits) = match written {
            IpAddr::V4(v4) => (Family::V4, u128::from(u32::from(v4)), 32),
            IpAddr::V6(v6) => (Family::V6, u128::from(v6), 128),
        };
        let below = low_bits(u32::saturating_sub(bits, length));
        let block = Block { family, low: from & !below, high: from | below };
        if block.low != from {
            return Err(CidrFault::HostBits { block: block.text(length) });
        }
        Ok((block, block.text(length)))
    }

    fn text(&self, length: u32) -> Box<str> {
        format!("{}/{length}", address(self.family, self.low)).into()
    }
}

/// Why a text is no CIDR block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CidrFault {
    /// Before the slash is no address.
    NoAddress,
    /// The prefix length is none, or too long.
    Length { most: u32 },
    /// Bits beyond the prefix are set; the block that holds the address.
    HostBits { block: Box<str> },
}

/// The canonical text of a CIDR block or address: `10.0.0.0/8`, `::1/128`; or why it is none.
pub fn canonical_cidr(text: &str) -> Result<Box<str>, Box<str>> {
    Block::read(text).map(|(_, canonical)| canonical).map_err(|fault| match fault {
        CidrFault::NoAddress => "it is no IPv4 or IPv6 address or block such as 10.0.0.0/8".into(),
        CidrFault::Length { most } => format!("the prefix length is a number from 0 to {most}").into(),
        CidrFault::HostBits { block } => format!("bits beyond the prefix are set; the block is {block}").into(),
    })
}

fn read_length(digits: &str) -> Option<u32> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let no_leading_zero = digits == "0" || !digits.starts_with('0');
    if plain && no_leading_zero { digits.parse().ok() } else { None }
}

const fn low_bits(count: u32) -> u128 {
    match 128_u32.checked_sub(count) {
        None => u128::MAX,
        Some(128) => 0,
        Some(shift) => u128::MAX >> shift,
    }
}

/// The class of an address.
pub(super) fn class(address: IpAddr) -> Class {
    [Class::Loopback, Class::LinkLocal, Class::Private]
        .into_iter()
        .find(|class| blocks(*class).iter().any(|block| block.contains(address)))
        .unwrap_or(Class::Public)
}

/// The ranges of a class; of [`Class::Public`] the complement of all others, so it has no ranges of its own here.
///
/// Public is what the IANA special-purpose registries (RFC 6890 and its updates) call globally reachable: every other
/// range that names neither this host nor this link counts as private, translated and tunnelled IPv4 included.
pub(super) fn blocks(class: Class) -> &'static [Block] {
    match class {
        Class::Loopback => LOOPBACK,
        Class::LinkLocal => LINK_LOCAL,
        Class::Private => PRIVATE,
        Class::Public => &[],
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u32) -> Block {
    let low = u32::from_be_bytes([a, b, c, d]) as u128;
    Block { family: Family::V4, low, high: low | low_bits(32_u32.saturating_sub(length)) }
}

const fn v6(high_bits: u32, low: u128, length: u32) -> Block {
    let low = ((high_bits as u128) << 96) | low;
    Block { family: Family::V6, low, high: low | low_bits(128_u32.saturating_sub(length)) }
}

/// 127.0.0.0/8 and ::1; 0.0.0.0/8 and ::, which systems connect to themselves.
const LOOPBACK: &[Block] = &[v4(127, 0, 0, 0, 8), v4(0, 0, 0, 0, 8), v6(0, 0, 128), v6(0, 1, 128)];

/// 169.254.0.0/16, fe80::/10.
const LINK_LOCAL: &[Block] = &[v4(169, 254, 0, 0, 16), v6(0xfe80_0000, 0, 10)];

const PRIVATE: &[Block] = &[
    v4(10, 0, 0, 0, 8),
    v4(172, 16, 0, 0, 12),
    v4(192, 168, 0, 0, 16),
    v4(100, 64, 0, 0, 10),                                   // shared address space
    v4(192, 0, 0, 0, 24),                                    // protocol assignments
    v4(192, 0, 2, 0, 24),                                    // documentation
    v4(198, 51, 100, 0, 24),                                 // documentation
    v4(203, 0, 113, 0, 24),                                  // documentation
    v4(198, 18, 0, 0, 15),                                   // benchmarks
    v4(224, 0, 0, 0, 3),                                     // multicast, reserved, broadcast
    Block { family: Family::V6, low: 2, high: 0xffff_ffff }, // ::/96, the deprecated IPv4-compatible ones
    v6(0x0064_ff9b, 0, 96),                                  // NAT64
    v6(0x0064_ff9b, 1 << 80, 48),                            // NAT64, local use
    v6(0x0100_0000, 0, 64),                                  // discard
    v6(0x2001_0000, 0, 23),                                  // protocol assignments, Teredo
    v6(0x2001_0db8, 0, 32),                                  // documentation
    v6(0x2002_0000, 0, 16),                                  // 6to4
    v6(0x3fff_0000, 0, 20),                                  // documentation
    v6(0xfc00_0000, 0, 7),                                   // unique local
    v6(0xfec0_0000, 0, 10),                                  // site-local, deprecated
    v6(0xff00_0000, 0, 8),                                   // multicast
];
