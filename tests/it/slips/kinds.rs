//! The kinds of slip that people make, each at every place of the shipped policies where it can stand: one error, on the line
//! and the token that must change, and the fix that is offered leaves none.

use super::{errors, errors_after_fixes};

/// What stands there, what is written instead, and the token that must be pointed at (empty: only its line is asked).
type Slip = (&'static str, &'static str, &'static str);

/// At least two of each kind.
const KINDS: &[(&str, &[Slip])] = &[
    (
        "a keyword misspelt",
        &[
            ("        allow ", "        alow ", "alow"),
            ("        tools ", "        tolos ", "tolos"),
            ("\nagent ", "\nagnet ", "agnet"),
            ("\noverlay ", "\novrelay ", "ovrelay"),
            ("\nvocabulary ", "\nvocabulay ", "vocabulay"),
            ("\ndeployment ", "\ndeploymnet ", "deploymnet"),
            (" limited by ", " limted by ", "limted"),
            ("describe \"", "descrbie \"", "descrbie"),
            ("    capability ", "    capabilty ", "capabilty"),
            (" with approval", " with aproval", "aproval"),
            (" optional\n", " optoinal\n", "optoinal"),
            ("mutates, irreversible\n", "mutates, ireversible\n", "ireversible"),
            ("block mutates", "block mutatez", "mutatez"),
            ("    use ", "    ues ", "ues"),
            (" prefix \"", " prefxi \"", "prefxi"),
            (" except {", " excpet {", "excpet"),
            (" = unspecified ", " = unspecifed ", "unspecifed"),
            ("= single", "= singel", "singel"),
        ],
    ),
    (
        "a tool misspelt",
        &[
            ("tools list_agents", "tools list_agnets", "list_agnets"),
            ("allow send_money", "allow send_mony", "send_mony"),
            ("agents.spawn(", "agents.spwan(", "spwan"),
            ("        without edit\n", "        without eidt\n", "eidt"),
            ("resident github.search_issues", "resident github.serch_issues", "serch_issues"),
        ],
    ),
    (
        "an argument misspelt",
        &[
            ("{ kind in", "{ knid in", "knid"),
            ("            mode in {", "            moed in {", "moed"),
            ("(kind: ", "(knid: ", "knid"),
            ("{ path in { \"/work", "{ paht in { \"/work", "paht"),
            ("when action in", "when actoin in", "actoin"),
        ],
    ),
    (
        "an enum value misspelt",
        &[
            ("action in { click", "action in { clcik", "clcik"),
            ("= { tmux", "= { tmxu", "tmxu"),
            ("(action: scroll", "(action: scorll", "scorll"),
            ("mode in { get, list }", "mode in { gte, list }", "gte"),
            ("= EUR ", "= ERU ", "ERU"),
        ],
    ),
    (
        "a limit misspelt",
        &[
            ("limited by kinds", "limited by kidns", "kidns"),
            ("        domains = ", "        domians = ", "domians"),
            ("by agents.kinds", "by agents.kidns", "kidns"),
            ("requires github.repositories", "requires github.repositoires", "repositoires"),
            ("within backends by", "within backedns by", "backedns"),
        ],
    ),
    (
        "a type misspelt",
        &[(": text ", ": txet ", "txet"), (": path ", ": paht ", "paht"), (": text ", ": string ", "string")],
    ),
    (
        "a name of a test misspelt",
        &[
            (" is Ready", " is Raedy", "Raedy"),
            ("is PolicyBlocked by row", "is PolicyBlocked by rwo", "rwo"),
            ("{ mode = plan;", "{ mode = paln;", "paln"),
            ("consent = [github]", "consent = [gihtub]", "gihtub"),
            ("state: ready", "state: raedy", "raedy"),
        ],
    ),
    (
        "no brace that opens",
        &[
            (" in { \"", " in \"", ""),
            ("domains = { \"", "domains = \"", ""),
            ("actions = { ", "actions = ", ""),
            ("\n    tool send {\n", "\n    tool send\n", "send"),
            ("allow act {", "allow act", ""),
        ],
    ),
    ("no brace that closes", &[("\" }\n", "\"\n", "{"), ("{ scroll }\n", "{ scroll\n", "{")]),
    (
        "no quote",
        &[
            ("in { \"researcher\"", "in { \"researcher", ""),
            ("in { \"researcher\"", "in { researcher\"", ""),
            ("describe \"Starts", "describe Starts", ""),
            ("team-\"\n", "team-\n", "\"team-"),
        ],
    ),
    (
        "no quotes at all",
        &[
            ("{ \"reviewer\" } }", "{ reviewer } }", "reviewer"),
            ("\"docs.example.com\",", "docs.example.com,", "docs.example.com"),
            ("{ \"*.corp.example\" }", "{ *.corp.example }", "*.corp.example"),
            ("targets = \"tmux:main\"", "targets = tmux:main", "tmux:main"),
            ("\"https://*.corp.example/**\"", "https://*.corp.example/**", "https://*.corp.example/**"),
            ("\"support@corp.example\"", "support@corp.example", "support@corp.example"),
        ],
    ),
    (
        "no comma",
        &[
            ("\", \"", "\" \"", ""),
            ("{ click, type", "{ click type", "click"),
            ("tools list_agents, send", "tools list_agents send", "list_agents"),
        ],
    ),
    (
        "`=` for `in`",
        &[
            (" kind in {", " kind = {", "="),
            ("            mode in {", "            mode = {", "="),
            ("on in 2026", "on = 2026", "="),
        ],
    ),
    ("`==`", &[(" kind in {", " kind == {", "=="), ("domains = {", "domains == {", "=="), ("= single", "== single", "==")]),
    ("`!=`", &[(" kind in {", " kind != {", "!="), ("domains = {", "domains != {", "!=")]),
    ("`&&`", &[("; max_steps", " && max_steps", "&&"), ("; mode in { read }", " && mode in { read }", "&&")]),
    ("`||`", &[("} or { \"b@x", "} || { \"b@x", "||"), ("} or prefix", "} || prefix", "||")]),
    ("`not in`", &[(" kind in {", " kind not in {", "not in"), ("target.kind in {", "target.kind not in {", "not in")]),
    ("`not`", &[(" kind in {", " kind in not {", "not"), ("            mode in {", "            not mode in {", "not")]),
    (
        "`deny`",
        &[("        allow spawn", "        deny spawn", "deny"), ("        without edit", "        forbid edit", "forbid")],
    ),
    (
        "a literal of another type",
        &[
            ("<= 200", "<= \"200\"", "\"200\""),
            ("in { \"researcher\"", "in { 5", "5"),
            ("page: 49", "page: \"49\"", "\"49\""),
            ("{ false }", "{ 0 }", "0"),
            ("int 1..1000 = 50", "int 1..1000 = \"50\"", "\"50\""),
        ],
    ),
    (
        "a range reversed",
        &[
            ("int 1..1000 = 50", "int 1000..1 = 50", "1000..1"),
            ("2026-01-01..2026-12-31", "2026-12-31..2026-01-01", "2026-12-31..2026-01-01"),
        ],
    ),
    (
        "`..=`",
        &[
            ("1..1000", "1..=1000", "..="),
            ("size 0..64", "size 0..=64", "..="),
            ("2026-01-01..2026", "2026-01-01..=2026", "..="),
        ],
    ),
    ("`...`", &[("1..1000", "1...1000", "..."), ("size 0..64", "size 0...64", "...")]),
    (
        "a declaration or statement twice",
        &[
            ("    tool stop {", "    tool stop { reads; needs agents.message }\n    tool stop {", "stop"),
            ("    tool call {", "    tool call { name: text }\n    tool call {", "call"),
            (
                "        domains = { \"*.corp.example\" }\n",
                "        domains = { \"*.corp.example\" }\n        domains = { \"*.corp.example\" }\n",
                "domains",
            ),
            ("        issues = single\n", "        issues = single\n        issues = single\n", "issues"),
            ("limit kinds:", "limit kinds: set of text\n    limit kinds:", "kinds"),
            ("tools list_agents, send\n", "tools list_agents, send, send\n", "send"),
            ("peer: text limited by peers\n    }\n}", "peer: text limited by peers\n        peer: text\n    }\n}", "peer"),
            ("kitty  claimed by \"kitty\"", "kitty  claimed by \"tmux\"", "\"tmux\""),
        ],
    ),
    (
        "a wrong path",
        &[
            ("target.kind in", "target.sort in", "sort"),
            ("target.name in", "target.name.x in", "x"),
            ("edits.each in", "edits.path in", "path"),
            ("import std.agents", "import std.agnets", "std.agnets"),
        ],
    ),
    ("an unknown base", &[(" on lead {", " on laed {", "laed"), ("\ntest lead {", "\ntest laed {", "laed")]),
    (
        "other quotes",
        &[
            ("{ \"reviewer\" }", "{ “reviewer” }", "“reviewer”"),
            ("{ \"reviewer\" }", "{ 'reviewer' }", "'reviewer'"),
            ("\"docs.example.com\",", "«docs.example.com»,", "«docs.example.com»"),
        ],
    ),
    (
        "characters that nobody sees",
        &[
            (" kind in", " kind\u{a0}in", "\u{a0}"),
            (" kind in", " kind\u{200b} in", "\u{200b}"),
            (" kind in", " \u{202e}kind in", "\u{202e}"),
            (" kind in", " kind\u{2028}in", "\u{2028}"),
            (" kind in", " kind\u{7} in", "\u{7}"),
            (" kind in", " kind\0 in", "\0"),
            ("\"reviewer\" } }", "\"revi\u{202e}ewer\" } }", "\u{202e}"),
        ],
    ),
    (
        "other comments",
        &[
            ("\nimport", "\n# imports\nimport", "#"),
            ("\nimport", "\n/* imports */\nimport", "/*"),
            ("        tools ", "        /* all */ tools ", "/*"),
        ],
    ),
    ("`*` for tools", &[("tools list_agents, send\n", "tools *\n", "*"), ("tools snapshot\n", "tools *\n", "*")]),
    (
        "`tool` for `tools`",
        &[
            ("tools list_agents, send\n", "tool list_agents, send\n", "tool"),
            ("tools snapshot\n", "tool snapshot\n", "tool"),
        ],
    ),
    (
        "a connector before a name",
        &[
            ("tools snapshot\n", "tools browser.snapshot\n", "browser."),
            ("        domains = ", "        browser.domains = ", "browser."),
        ],
    ),
    (
        "`use` in an overlay",
        &[("    browser {\n", "    use browser {\n", "use"), ("    agents { kinds", "    use agents { kinds", "use")],
    ),
    ("a colon for `=`", &[("        domains = ", "        domains: ", ":"), ("issues = single", "issues: single", ":")]),
    ("`=` for a colon", &[("peer: text limited", "peer = text limited", "="), ("(kind: ", "(kind = ", "=")]),
    ("a number with a comma", &[("<= 200", "<= 1,200", ","), ("number >= 1\n", "number >= 1,5\n", ",")]),
    (
        "a number too long",
        &[("<= 200", "<= 1e999999999", "1e999999999"), ("1..1000 = 50", "1..1000 = 1e999999999", "1e999999999")],
    ),
    (
        "a bad string",
        &[("{ \"reviewer\" } }", "{ \"revi\\ud800ewer\" } }", ""), ("{ \"reviewer\" } }", "{ \"revi\\xewer\" } }", "")],
    ),
    (
        "a suffix in the wrong place",
        &[("text limited by peers", "limited by peers text", ""), ("bool = false\n", "= false bool\n", "")],
    ),
    ("no type", &[(": int 1..1000 = 50", ": 1..1000 = 50", "1..1000"), (": int 1..120", ": 1..120", "1..120")]),
    (
        "words exchanged",
        &[
            ("\noverlay reviewers_only on", "\nreviewers_only overlay on", "reviewers_only overlay"),
            ("        domains = {", "        = domains {", "= domains"),
        ],
    ),
    (
        "a word twice",
        &[
            ("        tools ", "        tools tools ", "tools"),
            (" kind in", " kind in in", "in"),
            ("    use ", "    use use ", "use"),
        ],
    ),
    (
        "a keyword missing",
        &[("\noverlay reviewers_only", "\nreviewers_only", "reviewers_only"), ("limited by kinds", "limited kinds", "")],
    ),
];

#[test]
fn each_kind_of_slip_is_one_error_wherever_it_is_made() {
    // One slip in three at one place; where mutants are asked for, every slip at every place.
    let all = std::env::var_os("BAILIWICK_MUTANTS").is_some();
    let policies = super::policies();
    let mut faults = Vec::new();
    for (kind, slips) in KINDS {
        let mut made = 0;
        for (index, (right, wrong, token)) in slips.iter().enumerate() {
            let places =
                policies.iter().flat_map(|(name, text)| text.match_indices(right).map(move |(at, _)| (name, text, at)));
            let places: Vec<_> = places.collect();
            made += places.len();
            let most = if all { places.len() } else { usize::from(index % 3 == 0) };
            for (name, text, at) in places.into_iter().take(most) {
                let changed = format!("{}{wrong}{}", &text[..at], &text[at + right.len()..]);
                let first = text[..at].matches('\n').count() + 1;
                let lines = first..=first + wrong.matches('\n').count() + 1;
                faults.extend(fault(&changed, token, lines).map(|why| format!("{kind}: {name}:{first} `{wrong}`: {why}")));
            }
        }
        assert!(made >= 2, "{kind}: stands at {made} places");
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// What is wrong with what is found of a slip.
fn fault(text: &str, token: &str, lines: std::ops::RangeInclusive<usize>) -> Option<String> {
    let found = errors(text);
    let [only] = found.as_slice() else {
        let told: Vec<String> = found.iter().map(|f| format!("{} on `{}`: {}", f.code, f.token, f.message)).collect();
        return Some(format!("{} errors: {}", found.len(), told.join("; ")));
    };
    let line = only.line as usize;
    if !lines.contains(&line) || !(token.is_empty() || only.token == token) {
        return Some(format!("{} on `{}` in line {line}: {}", only.code, only.token, only.message));
    }
    let left = errors_after_fixes(text)?;
    // A fix may leave an overlay that promises more: that is no slip of writing.
    let told = left.iter().find(|f| f.code != "E0500").map(|f| format!("{} on `{}`: {}", f.code, f.token, f.message))?;
    Some(format!("{} `{}` (fixable: {}) fixed leaves {told}", only.code, only.message, only.fixable))
}

#[test]
fn a_byte_order_mark_is_one_error_and_crlf_one_warning() {
    for (name, text) in super::policies().iter().take(6) {
        let marked = format!("\u{feff}{text}");
        let codes: Vec<&str> = errors(&marked).iter().map(|f| f.code).collect();
        assert_eq!(codes, ["E0004"], "{name}");
        assert!(errors_after_fixes(&marked).is_some_and(|left| left.is_empty()), "{name}");
        let crlf = super::built(&text.replace('\n', "\r\n"));
        let codes: Vec<&str> =
            crlf.found.iter().map(|d| d.code.id()).filter(|code| *code == "W0001" || code.starts_with('E')).collect();
        assert_eq!(codes, ["W0001"], "{name}");
    }
}
