//! URLs and emails: the `url` crate is the meaning of a URL; a plain reading after RFC 3986 tells which ones two readers may
//! read differently.

use crate::host::{self, Reading};
use crate::path;
use url::{Host, Url};

/// What a URL text is.
#[derive(Clone, Debug)]
pub enum UrlReading {
    /// This URL.
    Is(Url),
    /// Two readers may read it differently.
    Ambiguous,
    /// No absolute URL.
    Not,
}

/// The text that is read: with `bare`, a value without `scheme://` is read as `https://` + value.
pub fn completed(text: &str, bare: bool) -> String {
    if bare && !has_scheme(text) { format!("https://{text}") } else { text.to_owned() }
}

/// Whether `text` begins with `scheme://`.
pub fn has_scheme(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// A value of type url in a call.
pub fn read_url(text: &str, bare: bool) -> UrlReading {
    let text = completed(text, bare);
    let Ok(url) = Url::parse(&text) else { return UrlReading::Not };
    if agrees(&text, &url).is_some() { UrlReading::Is(url) } else { UrlReading::Ambiguous }
}

/// `None` unless a reader after RFC 3986 sees the same host and path, without userinfo.
fn agrees(text: &str, url: &Url) -> Option<()> {
    let holds = |condition: bool| condition.then_some(());
    holds(text.is_ascii() && !text.contains('\\') && !text.chars().any(|c| c.is_control() || c == ' '))?;
    let (_, rest) = text.split_once("://")?;
    let (before, _) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let (authority, path) = before.split_at(before.find('/').unwrap_or(before.len()));
    holds(!authority.contains('@'))?;
    let named = authority
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(authority, |(h, _)| h);
    let Reading::Is(read) = host::read(named) else { return None };
    holds(Some(&read) == host_of(url).as_ref())?;
    let lower = path.to_ascii_lowercase();
    holds(!["%2e", "%2f", "%5c"].iter().any(|e| lower.contains(e)))?;
    holds(without_dots(path) == url.path())
}

/// RFC 3986, 5.2.4, for a path that is empty or begins with `/`.
fn without_dots(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let parts: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    for (i, part) in parts.iter().enumerate() {
        let last = i + 1 == parts.len();
        match *part {
            "." => {}
            ".." => {
                out.pop();
            }
            part => out.push(part),
        }
        if last && (*part == "." || *part == "..") {
            out.push("");
        }
    }
    format!("/{}", out.join("/"))
}

/// The host of a URL, without a trailing dot.
pub fn host_of(url: &Url) -> Option<Host<String>> {
    url.host().map(|h| host::undotted(h.to_owned()))
}

/// Whether a URL pattern holds a URL: scheme and port equal, host by pattern, path by segments.
pub fn url_pattern(pattern: &str, url: &Url) -> bool {
    let Some((scheme, rest)) = pattern.split_once("://") else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let port_at = authority.rfind(':').filter(|i| authority[i + 1..].bytes().all(|b| b.is_ascii_digit()));
    let (name, port) = port_at.map_or((authority, None), |i| (&authority[..i], authority[i + 1..].parse::<u16>().ok()));
    let default = Url::parse(&format!("{scheme}://x/")).ok().and_then(|u| u.port_or_known_default());
    let split = |p: &str| p.strip_prefix('/').unwrap_or(p).split('/').map(str::to_owned).collect::<Vec<_>>();
    url.scheme() == scheme
        && url.port_or_known_default() == port.or(default)
        && host_of(url).is_some_and(|h| host::pattern(name, &h))
        && path::whole(&split(path), &split(url.path()))
}

/// Local part and domain of an addr-spec.
pub fn read_email(text: &str) -> Option<(String, Reading)> {
    let (local, domain) = text.rsplit_once('@')?;
    let atom = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c));
    if !local.split('.').all(atom) {
        return None;
    }
    match host::read(domain) {
        Reading::Not => None,
        Reading::Is(_) if domain.starts_with('[') => Some((local.to_owned(), Reading::Ambiguous)), // an address literal
        reading @ (Reading::Is(_) | Reading::Ambiguous) => Some((local.to_owned(), reading)),
    }
}

/// Whether an email pattern holds an address.
pub fn email_pattern(pattern: &str, local: &str, domain: &Host<String>) -> bool {
    let Some((who, place)) = pattern.rsplit_once('@') else { return false };
    (who == "*" || who == local) && host::pattern(place, domain)
}

#[cfg(test)]
mod tests {
    use super::{UrlReading, read_url, url_pattern};

    #[test]
    fn urls() {
        let holds = |p: &str, text: &str| match read_url(text, false) {
            UrlReading::Is(url) => Some(url_pattern(p, &url)),
            UrlReading::Ambiguous | UrlReading::Not => None,
        };
        let p = "https://*.example.com/docs/**";
        for (text, expected) in [
            ("https://a.example.com/docs/x?q#f", Some(true)),
            ("HTTPS://A.Example.com:443/docs", Some(true)),
            ("https://a.example.com/docs/../x", Some(false)),
            ("https://a.example.com:8443/docs/x", Some(false)),
            ("http://a.example.com/docs/x", Some(false)),
            ("https://example.com/docs/x", Some(false)),
            ("https://a.example.com@evil.test/docs", None),
            ("https:\\\\a.example.com/docs", None),
            ("https://a.example.com/docs/%2e%2e/x", None),
            ("https:///a.example.com/docs", None),
            ("https://127.1/docs", None),
            ("docs", None),
        ] {
            assert_eq!(holds(p, text), expected, "{text}");
        }
    }
}
