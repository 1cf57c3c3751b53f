//! Vocabularies → the phrases that claim something, and what each claims. Knows no prose.

use super::phrase::{Phrase, Source};
use crate::domain::Value;
use crate::policy::{Policy, Tool, ToolRef, VocabularyId};

/// What a phrase claims.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// A tool.
    Tool(ToolRef),
    /// An effect of a tool: index into its rules.
    Effect(ToolRef, usize),
    /// A value of an enum of this vocabulary, by index into its enums.
    Value(VocabularyId, usize, Value),
}

/// All that can be claimed.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    /// The phrases, each with the number of what it claims.
    pub phrases: Vec<Phrase>,
    /// By number.
    pub targets: Vec<Target>,
}

impl Lexicon {
    /// Everything that the vocabularies say is claimed by words.
    pub fn new(policy: &Policy) -> Lexicon {
        let mut lexicon = Lexicon::default();
        for (index, vocabulary) in policy.vocabularies.iter().enumerate() {
            let id = VocabularyId(index);
            for (at, info) in vocabulary.enums.iter().enumerate() {
                let own = words(&info.name).into_iter().chain(limit_nouns(policy, id)).collect::<Vec<String>>();
                for (value, claims) in &info.values {
                    let own = own.iter().cloned().chain(text(value).iter().flat_map(|text| words(text))).collect::<Vec<_>>();
                    lexicon.add(claims, Target::Value(id, at, value.clone()), Source::Value, &own);
                }
            }
            for (tool, declared) in vocabulary.tools.iter().enumerate() {
                let tool = ToolRef { vocabulary: id, tool };
                let own = own_words(declared);
                lexicon.add(&declared.claims, Target::Tool(tool), Source::Tool, &own);
                for (rule, effect) in declared.effects.iter().enumerate() {
                    lexicon.add(&effect.claims, Target::Effect(tool, rule), Source::Tool, &own);
                }
            }
        }
        lexicon
    }

    fn add(&mut self, claims: &[Box<str>], target: Target, source: Source, own: &[String]) {
        let number = self.targets.len();
        self.phrases.extend(claims.iter().filter_map(|claim| Phrase::new(claim, number, source, own.to_vec())));
        self.targets.push(target);
    }
}

/// The nouns of a vocabulary's limits: "terminal backend".
fn limit_nouns(policy: &Policy, id: VocabularyId) -> Vec<String> {
    policy.vocabulary(id).limits.iter().filter_map(|limit| limit.noun.as_ref()).flat_map(|noun| words(noun)).collect()
}

/// The words of a tool's name, arguments and documentation.
fn own_words(tool: &Tool) -> Vec<String> {
    let arguments = tool.arguments.iter().flat_map(|argument| words(&argument.member.name));
    let doc = tool.doc.iter().flat_map(|doc| words(doc));
    words(&tool.name).into_iter().chain(arguments).chain(doc).collect()
}

/// The words of a text in lower case, those that mean little left out.
pub(super) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    parts.map(str::to_lowercase).collect()
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => None,
    }
}
