//! The English that descriptions are written in: closed lists of words, and the forms of verbs. Knows no policies.

/// Forms of a verb whose base form is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// send
    Base,
    /// sends
    Third,
    /// sending
    Gerund,
    /// sent
    Participle,
}

/// How much a verb says of what it is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// see, read: reading is enough.
    Reads,
    /// drive, write: only changing is.
    Changes,
    /// use, reach: either is.
    Either,
}

const READS: &[&str] = &[
    "see", "read", "view", "capture", "observe", "watch", "inspect", "list", "look", "display", "monitor", "search", "show",
    "browse", "scan", "examine", "peek", "fetch", "follow",
];
const CHANGES: &[&str] = &[
    "drive",
    "control",
    "write",
    "change",
    "modify",
    "type",
    "edit",
    "delete",
    "remove",
    "create",
    "kill",
    "close",
    "operate",
    "manage",
    "run",
    "execute",
    "post",
    "send",
    "pay",
    "transfer",
    "update",
    "alter",
    "steer",
    "configure",
    "restart",
    "stop",
    "overwrite",
    "publish",
    "submit",
    "move",
    "rename",
    "merge",
    "push",
    "deploy",
    "cancel",
    "order",
    "buy",
    "drop",
    "book",
    "refund",
    "upload",
    "insert",
    "add",
    "archive",
    "label",
    "forward",
    "reply",
    "answer",
    "start",
    "spawn",
    "commit",
    "erase",
    "destroy",
    "purge",
    "revoke",
    "grant",
    "invite",
    "click",
    "fill",
    "download",
    "install",
    "schedule",
    "wire",
    "truncate",
    "append",
    "replace",
    "reset",
    "reboot",
    "shut",
    "terminate",
    "act",
];
const EITHER: &[&str] = &[
    "access", "reach", "touch", "use", "work", "open", "support", "handle", "talk", "connect", "interact", "enter",
    "attach", "cover", "include", "speak", "deal", "serve", "query", "ask", "call", "target", "join", "visit", "know",
];
/// Verbs that say nothing of reach, but open a clause whose subject is the agent.
const OTHERS: &[&str] = &[
    "help",
    "keep",
    "draft",
    "prepare",
    "suggest",
    "summarise",
    "summarize",
    "report",
    "explain",
    "wait",
    "live",
    "stay",
    "leave",
    "sort",
    "plan",
    "think",
    "need",
    "have",
    "be",
    "do",
    "make",
    "find",
    "collect",
    "gather",
    "track",
    "check",
    "review",
    "tidy",
    "test",
    "build",
    "translate",
    "compare",
    "count",
    "tell",
    "give",
    "take",
    "put",
    "set",
    "turn",
    "pick",
    "choose",
    "try",
    "note",
    "remember",
    "let",
    "contact",
    "want",
    "like",
    "learn",
    "offer",
    "provide",
    "allow",
    "assist",
    "ignore",
    "avoid",
    "refuse",
    "stick",
    "look",
    "confirm",
    "request",
    "require",
    "pause",
    "scroll",
    "save",
    "store",
    "log",
    "record",
    "sell",
    "process",
    "approve",
    "reject",
    "settle",
    "issue",
    "charge",
    "sign",
    "share",
    "copy",
    "print",
    "mail",
    "email",
    "message",
    "notify",
    "alert",
    "comment",
    "assign",
    "close",
    "reopen",
    "resolve",
    "press",
    "tap",
    "navigate",
    "go",
    "say",
];

/// (base, third, gerund, participle), where the rules do not give them.
const IRREGULAR: &[(&str, &str, &str, &str)] = &[
    ("be", "is", "being", "been"),
    ("have", "has", "having", "had"),
    ("do", "does", "doing", "done"),
    ("go", "goes", "going", "gone"),
    ("send", "sends", "sending", "sent"),
    ("see", "sees", "seeing", "seen"),
    ("write", "writes", "writing", "written"),
    ("overwrite", "overwrites", "overwriting", "overwritten"),
    ("drive", "drives", "driving", "driven"),
    ("pay", "pays", "paying", "paid"),
    ("run", "runs", "running", "run"),
    ("read", "reads", "reading", "read"),
    ("buy", "buys", "buying", "bought"),
    ("make", "makes", "making", "made"),
    ("take", "takes", "taking", "taken"),
    ("give", "gives", "giving", "given"),
    ("keep", "keeps", "keeping", "kept"),
    ("tell", "tells", "telling", "told"),
    ("put", "puts", "putting", "put"),
    ("set", "sets", "setting", "set"),
    ("shut", "shuts", "shutting", "shut"),
    ("know", "knows", "knowing", "known"),
    ("speak", "speaks", "speaking", "spoken"),
    ("find", "finds", "finding", "found"),
    ("leave", "leaves", "leaving", "left"),
    ("build", "builds", "building", "built"),
    ("sell", "sells", "selling", "sold"),
    ("say", "says", "saying", "said"),
    ("choose", "chooses", "choosing", "chosen"),
    ("think", "thinks", "thinking", "thought"),
    ("stick", "sticks", "sticking", "stuck"),
    ("die", "dies", "dying", "died"),
];

/// The base form, if the word is a form of `base`.
pub fn form_of(word: &str, base: &str) -> Option<Form> {
    if word == base {
        return Some(Form::Base);
    }
    if let Some((_, third, gerund, participle)) = IRREGULAR.iter().find(|(b, ..)| *b == base) {
        return match word {
            w if w == *third => Some(Form::Third),
            w if w == *gerund => Some(Form::Gerund),
            w if w == *participle => Some(Form::Participle),
            _ => None,
        };
    }
    let stem = base.strip_suffix('e').unwrap_or(base);
    let doubled = base.chars().last().map(|last| format!("{base}{last}")).unwrap_or_default();
    let y = base.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    let third =
        |w: &str| w == format!("{base}s") || w == format!("{base}es") || y.is_some_and(|stem| w == format!("{stem}ies"));
    if third(word) {
        return Some(Form::Third);
    }
    if [format!("{stem}ing"), format!("{base}ing"), format!("{doubled}ing")].iter().any(|w| w == word) {
        return Some(Form::Gerund);
    }
    let past = [format!("{stem}ed"), format!("{base}ed"), format!("{doubled}ed")];
    (past.iter().any(|w| w == word) || y.is_some_and(|stem| word == format!("{stem}ied"))).then_some(Form::Participle)
}

/// The base form of a word in the third person, as claims are written: `sends` → `send`.
pub fn base_of_third(word: &str) -> Option<String> {
    if let Some((base, ..)) = IRREGULAR.iter().find(|(_, third, ..)| *third == word) {
        return Some((*base).to_owned());
    }
    if !word.ends_with('s') || word.ends_with("ss") || word.len() < 3 {
        return None;
    }
    let plain = &word[..word.len() - 1];
    let candidates = [
        Some(plain.to_owned()),
        plain.strip_suffix('e').map(str::to_owned),
        plain.strip_suffix("ie").map(|s| format!("{s}y")),
    ];
    let mut candidates = candidates.into_iter().flatten();
    let known = candidates.clone().find(|base| is_verb(base));
    let by_sound = || {
        let hiss = ["ses", "xes", "zes", "ches", "shes"].iter().any(|end| word.ends_with(end)) && !word.ends_with("ses");
        if hiss { plain.strip_suffix('e').map(str::to_owned) } else { None }
    };
    known.or_else(by_sound).or_else(|| candidates.next())
}

/// Whether the base form is of a verb that we know.
pub fn is_verb(base: &str) -> bool {
    [READS, CHANGES, EITHER, OTHERS].iter().any(|list| list.contains(&base))
}

/// The verb that the word is a form of: its base and the form.
pub fn verb(word: &str) -> Option<(&'static str, Form)> {
    let lists = [READS, CHANGES, EITHER, OTHERS];
    lists.iter().flat_map(|list| list.iter()).find_map(|base| form_of(word, base).map(|form| (*base, form)))
}

/// What the verb says of what it is done to, if anything.
pub fn reach(base: &str) -> Option<Reach> {
    let among = |list: &[&str]| list.contains(&base);
    match (among(READS), among(CHANGES), among(EITHER)) {
        (true, _, _) => Some(Reach::Reads),
        (_, true, _) => Some(Reach::Changes),
        (_, _, true) => Some(Reach::Either),
        (false, false, false) => None,
    }
}

/// Words that may stand between a verb and what it is done to without saying which.
pub fn is_determiner(word: &str) -> bool {
    matches!(
        word,
        "any"
            | "the"
            | "a"
            | "an"
            | "all"
            | "your"
            | "my"
            | "our"
            | "their"
            | "its"
            | "any of"
            | "of"
            | "every"
            | "each"
            | "other"
            | "in"
            | "into"
            | "inside"
            | "on"
            | "onto"
            | "with"
            | "at"
            | "to"
            | "from"
            | "both"
            | "either"
            | "even"
            | "through"
            | "via"
            | "over"
            | "about"
    )
}

/// Determiners that leave a denial whole: "never deletes your files", "never deletes any files".
pub fn is_whole_determiner(word: &str) -> bool {
    matches!(word, "any" | "the" | "a" | "an" | "all" | "your" | "my" | "our" | "its" | "of")
}

/// Adverbs that may stand before a verb and change nothing of what is claimed.
pub fn is_plain_adverb(word: &str) -> bool {
    matches!(
        word,
        "also"
            | "only"
            | "then"
            | "just"
            | "simply"
            | "even"
            | "ever"
            | "actually"
            | "always"
            | "itself"
            | "too"
            | "really"
            | "happily"
            | "quickly"
            | "gladly"
            | "safely"
            | "merely"
            | "usually"
            | "directly"
    )
}

/// Words for what tools touch that say no more than the thing itself: "kitty windows" is kitty.
pub fn is_generic_noun(word: &str) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    matches!(
        one,
        "window"
            | "session"
            | "pane"
            | "tab"
            | "terminal"
            | "screen"
            | "instance"
            | "target"
            | "backend"
            | "host"
            | "database"
            | "account"
            | "repository"
            | "channel"
            | "content"
            | "buffer"
            | "environment"
            | "server"
            | "workspace"
            | "project"
            | "folder"
            | "system"
            | "device"
            | "table"
            | "queue"
            | "cluster"
            | "region"
            | "site"
            | "page"
            | "user"
            | "connection"
            | "repositorie"
            | "app"
            | "application"
            | "tool"
            | "thing"
            | "data"
            | "emulator"
            | "process"
            | "processe"
    )
}

/// Words that end a denial's object and leave it whole: "at all", "to anyone".
pub const WHOLE_ENDS: &[&[&str]] = &[
    &["at", "all"],
    &["ever"],
    &["either"],
    &["anywhere"],
    &["anything"],
    &["to", "anyone"],
    &["to", "anybody"],
    &["to", "anything"],
    &["for", "anyone"],
    &["for", "you"],
    &["for", "anybody"],
    &["on", "your", "behalf"],
    &["of", "any", "kind"],
    &["whatsoever"],
    &["under", "any", "circumstances"],
    &["in", "any", "way"],
    &["itself"],
    &["too"],
    &["though"],
    &["however"],
    &["in", "any", "case"],
    &["no", "matter", "what"],
    &["by", "any", "means"],
    &["by", "design"],
];
