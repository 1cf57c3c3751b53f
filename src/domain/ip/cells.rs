//! Ranges of addresses → the segments that no range cuts, each with its shortest address.

use super::{Block, Family, address};
use std::net::IpAddr;

/// Addresses that no end of a given range divides.
#[derive(Clone, Debug)]
pub(in crate::domain) struct Segment {
    /// The address with the shortest text (of IPv6: the shortest among the round ones).
    pub(in crate::domain) lightest: IpAddr,
    /// Whether it is one address.
    pub(in crate::domain) single: bool,
}

/// The numbers ::ffff:0:0/96, which are IPv4 addresses and no IPv6 ones.
const MAPPED: Block = Block { family: Family::V6, low: 0xffff_0000_0000, high: 0xffff_ffff_ffff };

/// Cuts both families at every end of every range.
pub(in crate::domain) fn segments(ranges: &[Block]) -> Vec<Segment> {
    [(Family::V4, u128::from(u32::MAX)), (Family::V6, u128::MAX)]
        .into_iter()
        .flat_map(|(family, last)| family_segments(family, last, ranges))
        .collect()
}

fn family_segments(family: Family, last: u128, ranges: &[Block]) -> Vec<Segment> {
    let blocks = || ranges.iter().chain(std::iter::once(&MAPPED)).filter(|b| b.family == family);
    let mut starts: Vec<u128> = std::iter::once(0)
        .chain(blocks().map(|b| b.low))
        .chain(blocks().filter_map(|b| b.high.checked_add(1)))
        .filter(|n| *n <= last)
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).map(|n| n.saturating_sub(1)).chain(std::iter::once(last));
    starts
        .iter()
        .zip(ends)
        .filter(|(low, _)| family == Family::V4 || !(MAPPED.low..=MAPPED.high).contains(*low))
        .map(|(low, high)| Segment { lightest: lightest(family, *low, high), single: *low == high })
        .collect()
}

fn lightest(family: Family, low: u128, high: u128) -> IpAddr {
    match family {
        Family::V4 => address(family, lightest_v4(low, high)),
        Family::V6 => address(family, lightest_v6(low, high)),
    }
}

/// The number in the range whose dotted text is shortest, then least.
fn lightest_v4(low: u128, high: u128) -> u128 {
    let mut candidates = vec![low, high];
    let mut open: Vec<(u128, u32)> = vec![(0, 32)];
    while let Some((base, bits)) = open.pop() {
        let rest = bits.saturating_sub(8);
        for octet in octets(base, rest, low, high) {
            let next = base | (octet << rest);
            if rest == 0 {
                candidates.push(next);
            } else {
                open.push((next, rest));
            }
        }
    }
    candidates
        .into_iter()
        .filter(|n| low <= *n && *n <= high)
        .min_by_key(|n| {
            let text = address(Family::V4, *n).to_string();
            (text.len(), text)
        })
        .unwrap_or(low)
}

/// The octets worth trying at a place: those on the edge of the range, and the least of each length strictly inside.
fn octets(base: u128, rest: u32, low: u128, high: u128) -> Vec<u128> {
    let below = (1_u128 << rest).saturating_sub(1);
    let fits = |octet: u128| {
        let from = base | (octet << rest);
        from <= high && from | below >= low
    };
    let whole = |octet: u128| {
        let from = base | (octet << rest);
        low <= from && from | below <= high
    };
    let edge = |bound: u128| (bound >> rest) & 0xff;
    let mut tried: Vec<u128> = [edge(low), edge(high)].into_iter().filter(|o| fits(*o)).collect();
    tried.extend([0..10, 10..100, 100..256].into_iter().filter_map(|mut range| range.find(|o| whole(*o))));
    tried.sort_unstable();
    tried.dedup();
    tried
}

/// The shortest text among the ends and, for each number of trailing zero bits, the first such number of the range.
fn lightest_v6(low: u128, high: u128) -> u128 {
    (0..128_u32)
        .filter_map(|zeros| {
            let below = (1_u128 << zeros).saturating_sub(1);
            low.checked_add(below).map(|n| n & !below)
        })
        .chain([high])
        .filter(|n| low <= *n && *n <= high)
        .min_by_key(|n| {
            let text = address(Family::V6, *n).to_string();
            (text.len(), text)
        })
        .unwrap_or(low)
}
