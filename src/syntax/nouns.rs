//! Rules and tokens → what they are called when people read about them. The table is exhaustive: a new rule needs a noun.

use super::grammar::Rule;
use super::token::{Token, TokenKind};
use super::words;

/// At most so many things are named as expected.
const MAX_NAMED: usize = 6;

/// "`tools`, `allow` or a limit (`name = …`)"
pub(super) fn expected(rules: &[Rule]) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in rules.iter().filter_map(|rule| noun(*rule)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.iter().any(|n| n == "the end of the line") {
        names.retain(|n| n != "`;`");
    }
    names.sort_by_key(|n| (n == "the end of the line", n.starts_with('`')));
    let rest = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    match names.split_last() {
        None => "something else".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) if rest == 0 => format!("{} or {last}", others.join(", ")),
        Some(_) => format!("{} and others", names.join(", ")),
    }
}

/// "`amount`", "the end of the line"
pub(super) fn found(token: &Token, text: &str) -> String {
    match token.kind {
        TokenKind::Newline => "the end of the line".to_owned(),
        TokenKind::OpenText => "a quote that is not closed".to_owned(),
        _ => {
            // every other token is shown as written
            let written = token.of(text);
            let shown: String = written.chars().take(40).collect();
            let dots = if shown.len() < written.len() { "…" } else { "" };
            format!("`{shown}{dots}`")
        }
    }
}

/// What a rule is called; `None` for what is never missed on its own.
fn noun(rule: Rule) -> Option<String> {
    if let Some(word) = words::WORDS.iter().find(|(r, _)| *r == rule).map(|(_, word)| word) {
        return Some(format!("`{word}`"));
    }
    NOUNS.iter().find(|(rules, _)| rules.contains(&rule)).map(|(_, noun)| (*noun).to_owned())
}

/// The text of a mark's rule.
pub(super) fn mark(rule: Rule) -> Option<&'static str> {
    let marks = Rule::semicolon as usize..=Rule::rparen as usize;
    let noun = NOUNS.iter().find(|(rules, _)| rules.contains(&rule)).map(|(_, noun)| *noun)?;
    noun.strip_prefix('`')?.strip_suffix('`').filter(|_| marks.contains(&(rule as usize)))
}

/// The nouns. With [`words::WORDS`] and `SILENT` every rule is named once.
const NOUNS: &[(&[Rule], &str)] = &[
    (&[Rule::file], "a file"),
    (&[Rule::declaration], "a declaration"),
    (&[Rule::language], "`language 1`"),
    (&[Rule::import], "`import`"),
    (&[Rule::let_set], "`let`"),
    (&[Rule::vocabulary], "`vocabulary`"),
    (&[Rule::enum_decl], "`enum`"),
    (
        &[Rule::enum_value, Rule::enum_claimed, Rule::literal_set, Rule::json, Rule::object, Rule::array, Rule::literal],
        "a value",
    ),
    (&[Rule::claims], "`claimed by`"),
    (&[Rule::capability], "`capability`"),
    (&[Rule::limit_decl], "`limit`"),
    (&[Rule::noun], "`noun`"),
    (&[Rule::within], "`within`"),
    (&[Rule::tool], "`tool`"),
    (&[Rule::effects, Rule::effect], "an effect"),
    (&[Rule::when, Rule::fallback_when], "`when`"),
    (&[Rule::needs], "`needs`"),
    (&[Rule::dispatches], "`dispatches`"),
    (&[Rule::open], "`open`"),
    (&[Rule::member], "an argument (`name: type`)"),
    (&[Rule::or_all], "`or all`"),
    (&[Rule::or_null], "`or null`"),
    (&[Rule::or_absent], "`or absent`"),
    (&[Rule::optional], "`optional`"),
    (&[Rule::default], "a default (`= …`)"),
    (&[Rule::limited_by], "`limited by`"),
    (&[Rule::reaches], "`reaches`"),
    (
        &[
            Rule::type_full,
            Rule::type_of,
            Rule::type_core,
            Rule::type_parens,
            Rule::text_opaque,
            Rule::json_opaque,
            Rule::text_by_pattern,
            Rule::path_ignoring_case,
            Rule::url_or_bare,
            Rule::literal_type,
            Rule::type_name,
        ],
        "a type",
    ),
    (&[Rule::type_prefix], "`list of`"),
    (&[Rule::or_list], "`or list`"),
    (&[Rule::record], "`record`"),
    (&[Rule::rest, Rule::argv_tail, Rule::dotdot], "`..`"),
    (&[Rule::union], "`union`"),
    (
        &[Rule::set, Rule::set_term, Rule::values, Rule::wrong_empty_set, Rule::record_set, Rule::argv, Rule::set_parens],
        "a set",
    ),
    (&[Rule::set_op], "`or`, `and`, `except`"),
    (&[Rule::range], "a range"),
    (&[Rule::compare, Rule::bare_set, Rule::bare_term], "a comparison"),
    (&[Rule::prefix], "`prefix`"),
    (&[Rule::suffix_word], "`suffix`"),
    (&[Rule::matches], "`matches`"),
    (&[Rule::length], "`length`"),
    (&[Rule::size], "`size`"),
    (&[Rule::count], "a count"),
    (&[Rule::each], "`each`"),
    (&[Rule::keys], "`keys`"),
    (&[Rule::map_values], "`values`"),
    (&[Rule::clause], "a clause (`argument in set`)"),
    (&[Rule::path], "an argument"),
    (&[Rule::agent], "`agent`"),
    (&[Rule::describe], "`describe`"),
    (&[Rule::welcome], "`welcome`"),
    (&[Rule::skill_ref, Rule::skill], "`skill`"),
    (&[Rule::use_connector], "`use`"),
    (&[Rule::statements, Rule::row, Rule::lbrace], "`{`"),
    (&[Rule::tools], "`tools`"),
    (&[Rule::without], "`without`"),
    (&[Rule::allow], "`allow`"),
    (&[Rule::with_approval], "`with approval`"),
    (&[Rule::accepting_opaque], "`accepting opaque`"),
    (&[Rule::limit_setting], "a limit (`name = …`)"),
    (&[Rule::overlay], "`overlay`"),
    (&[Rule::connector], "a connector (`name { … }`)"),
    (&[Rule::without_provider], "`without provider`"),
    (&[Rule::boundary], "`boundary`"),
    (&[Rule::version], "`version`"),
    (&[Rule::instructions], "`instructions`"),
    (&[Rule::resources], "`resources`"),
    (&[Rule::requires], "`requires`"),
    (&[Rule::test], "`test`"),
    (&[Rule::test_with], "`with`"),
    (&[Rule::given], "`given`"),
    (&[Rule::given_fact], "a fact (`name = …`)"),
    (&[Rule::case], "a case (`connector.tool(…) is …`)"),
    (&[Rule::call], "a call"),
    (&[Rule::arguments, Rule::lparen], "`(`"),
    (&[Rule::case_by], "`by`"),
    (&[Rule::deployment], "`deployment`"),
    (&[Rule::provider], "`provider`"),
    (&[Rule::disabled], "`disabled`"),
    (&[Rule::offers], "`offers`"),
    (&[Rule::offer], "a capability"),
    (&[Rule::offer_except], "a tool"),
    (&[Rule::fallback], "`fallback`"),
    (&[Rule::chain], "a provider"),
    (&[Rule::mode], "`mode`"),
    (&[Rule::mode_block], "`block`"),
    (&[Rule::consent], "`consent`"),
    (&[Rule::surface], "`surface`"),
    (&[Rule::budget], "`budget`"),
    (&[Rule::resident], "`resident`"),
    (&[Rule::deferred], "`deferred`"),
    (&[Rule::pair], "`name: value`"),
    (&[Rule::scalar], "a number, date or string"),
    (&[Rule::dotted, Rule::name, Rule::ident, Rule::set_name], "a name"),
    (&[Rule::code], "a code"),
    (&[Rule::string], "a string"),
    (&[Rule::number], "a number"),
    (&[Rule::time], "a date"),
    (&[Rule::line_end], "the end of the line"),
    (&[Rule::semicolon], "`;`"),
    (&[Rule::comma], "`,`"),
    (&[Rule::colon], "`:`"),
    (&[Rule::dot], "`.`"),
    (&[Rule::equals], "`=`"),
    (&[Rule::arrow], "`->`"),
    (&[Rule::star], "`*`"),
    (&[Rule::at_most], "`<=`"),
    (&[Rule::less], "`<`"),
    (&[Rule::at_least], "`>=`"),
    (&[Rule::greater], "`>`"),
    (&[Rule::rbrace], "`}`"),
    (&[Rule::lbracket], "`[`"),
    (&[Rule::rbracket], "`]`"),
    (&[Rule::rparen], "`)`"),
    (&[Rule::EOI], "the end of the declaration"),
];

/// Rules that make no node.
#[cfg(test)]
pub(super) const SILENT: &[Rule] = &[
    Rule::free,
    Rule::clausal,
    Rule::restore,
    Rule::sep,
    Rule::more,
    Rule::block,
    Rule::line,
    Rule::vocabulary_item,
    Rule::enum_sep,
    Rule::enum_entry,
    Rule::tool_item,
    Rule::effect_word,
    Rule::suffix,
    Rule::type_atom,
    Rule::record_item,
    Rule::refinement,
    Rule::set_primary,
    Rule::argv_item,
    Rule::set_word,
    Rule::agent_item,
    Rule::statement,
    Rule::overlay_item,
    Rule::boundary_item,
    Rule::skill_item,
    Rule::deployment_item,
    Rule::provider_item,
    Rule::surface_item,
    Rule::word,
    Rule::WHITESPACE,
    Rule::COMMENT,
];

/// How often a rule is in the table.
#[cfg(test)]
pub(super) fn named(rule: Rule) -> usize {
    NOUNS.iter().flat_map(|(rules, _)| rules.iter()).chain(SILENT).filter(|r| **r == rule).count()
}
