//! Hosts and addresses, as the `url` crate parses them; their classes and patterns.

use bailiwick::domain::Class;
use std::net::IpAddr;
use url::Host;

/// What a host text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// This name (lower case, A-labels, no trailing dot) or address.
    Is(Host<String>),
    /// Two readers may read it differently.
    Ambiguous,
    /// No host.
    Not,
}

/// A value of type host in a call.
pub fn read(text: &str) -> Reading {
    if !text.is_ascii() {
        return Reading::Ambiguous;
    }
    let Ok(host) = Host::parse(text) else { return Reading::Not };
    let host = undotted(host);
    let same = match &host {
        Host::Domain(name) => name.is_empty() || text.trim_end_matches('.').to_ascii_lowercase() == *name,
        // What only WHATWG reads as an address is a name to others.
        Host::Ipv4(v4) => text == v4.to_string() || text == format!("{v4}."),
        Host::Ipv6(_) => true,
    };
    if host == Host::Domain(String::new()) {
        return Reading::Not;
    }
    if same { Reading::Is(host) } else { Reading::Ambiguous }
}

/// Without one trailing dot.
pub fn undotted(host: Host<String>) -> Host<String> {
    match host {
        Host::Domain(name) => Host::Domain(name.strip_suffix('.').unwrap_or(&name).to_owned()),
        address @ (Host::Ipv4(_) | Host::Ipv6(_)) => address,
    }
}

/// A host as text.
pub fn text(host: &Host<String>) -> String {
    host.to_string()
}

/// Whether a pattern, `example.com` or `*.example.com`, holds a host.
pub fn pattern(pattern: &str, host: &Host<String>) -> bool {
    match (pattern.strip_prefix("*."), host) {
        (Some(parent), Host::Domain(name)) => {
            name.strip_suffix(parent).is_some_and(|head| head.len() > 1 && head.ends_with('.'))
        }
        (Some(_), Host::Ipv4(_) | Host::Ipv6(_)) => false,
        (None, Host::Domain(name)) => name == pattern,
        (None, Host::Ipv4(_) | Host::Ipv6(_)) => Host::parse(pattern).is_ok_and(|p| &p == host) || text(host) == pattern,
    }
}

/// The class of a host.
pub fn class(host: &Host<String>) -> Class {
    match host {
        Host::Ipv4(v4) => address_class(IpAddr::V4(*v4)),
        Host::Ipv6(v6) => address_class(IpAddr::V6(*v6)),
        Host::Domain(name) => {
            let labels: Vec<&str> = name.split('.').collect();
            let ends = |tail: &[&str]| labels.ends_with(tail);
            if ends(&["localhost"]) {
                Class::Loopback
            } else if labels.len() == 1 || ends(&["local"]) || ends(&["internal"]) || ends(&["home", "arpa"]) {
                Class::Private
            } else {
                Class::Public
            }
        }
    }
}

/// What is not globally reachable, beside loopback and link-local (IANA's special-purpose registries).
const PRIVATE: [&str; 22] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "fc00::/7",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "ff00::/8",
];

/// The class of an address; an IPv4-mapped one is the IPv4 one.
pub fn address_class(address: IpAddr) -> Class {
    let within = |block: &str| cidr(block, address);
    if within("127.0.0.0/8") || within("::1/128") || within("0.0.0.0/8") || within("::/128") {
        Class::Loopback
    } else if PRIVATE.into_iter().any(within) {
        Class::Private
    } else if within("169.254.0.0/16") || within("fe80::/10") {
        Class::LinkLocal
    } else {
        Class::Public
    }
}

/// Whether a block holds an address: the first bits, one by one.
pub fn cidr(block: &str, address: IpAddr) -> bool {
    let Some((base, length)) = block.split_once('/') else { return false };
    let (Ok(base), Ok(length)) = (base.parse::<IpAddr>(), length.parse::<usize>()) else { return false };
    let (base, address) = (bits(base), bits(address.to_canonical()));
    base.len() == address.len() && base[..length] == address[..length]
}

fn bits(address: IpAddr) -> Vec<bool> {
    let octets = match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    };
    octets.iter().flat_map(|o| (0..8).rev().map(move |i| o >> i & 1 == 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Reading, cidr, class, pattern, read};
    use bailiwick::domain::Class;

    #[test]
    fn hosts() {
        let classed = |text: &str| if let Reading::Is(host) = read(text) { Some(class(&host)) } else { None };
        for (text, expected) in [
            ("Example.COM.", Some(Class::Public)),
            ("a.localhost", Some(Class::Loopback)),
            ("printer", Some(Class::Private)),
            ("[::ffff:10.0.0.1]", Some(Class::Private)),
            ("169.254.1.1", Some(Class::LinkLocal)),
            ("127.1", None),
            ("b\u{fc}cher.example", None),
            ("a b", None),
        ] {
            assert_eq!(classed(text), expected, "{text}");
        }
        let holds = |p: &str, text: &str| if let Reading::Is(host) = read(text) { pattern(p, &host) } else { false };
        assert!(
            holds("*.example.com", "a.b.example.com")
                && !holds("*.example.com", "example.com")
                && !holds("*.example.com", "notexample.com")
        );
        assert!(
            cidr("10.0.0.0/8", "10.255.0.1".parse().expect("ip")) && !cidr("10.0.0.0/8", "11.0.0.0".parse().expect("ip"))
        );
    }
}
