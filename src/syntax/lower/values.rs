//! Scalars and JSON values: nodes → ast.

use super::{Lower, children};
use crate::diag::{Code, Diagnostic};
use crate::domain::Decimal;
use crate::syntax::ast::{Json, JsonKind, Literal, LiteralKind, Name};
use crate::syntax::grammar::{Node, Rule};
use crate::syntax::literal;

/// Where a bare word may be meant as a value of an enum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// Words that mean points or sets must be quoted.
    AreValues,
    /// There are none, or they are checked elsewhere.
    AreFree,
}

impl Lower<'_> {
    /// The scalar that is the first child of the node: `literal`, `scalar`, `literal_set`, `literal_type`.
    pub fn scalar(&mut self, node: Node<'_>, words: Words) -> Option<Literal> {
        let leaf = node.into_inner().next()?;
        let span = self.span(&leaf);
        let text = leaf.as_str();
        let kind = match leaf.as_rule() {
            Rule::string => LiteralKind::Text(self.text(&leaf).value),
            Rule::number => LiteralKind::Number(self.number(&leaf)?),
            Rule::time => LiteralKind::Time(text.to_owned()),
            Rule::kw_true => LiteralKind::Bool(true),
            Rule::kw_false => LiteralKind::Bool(false),
            Rule::kw_null => LiteralKind::Null,
            _ => {
                // an identifier
                if words == Words::AreValues && matches!(text, "any" | "absent" | "all") {
                    let message = format!("`{text}` is a word of the language, not a value");
                    let quoted = format!("\"{text}\"");
                    self.found.push(
                        Diagnostic::new(Code::WORD_AS_VALUE, span, message)
                            .help(format!("write `{quoted}` if it is a value"))
                            .fix("quote it", span, quoted),
                    );
                }
                LiteralKind::Word(text.to_owned())
            }
        };
        Some(Literal { kind, span })
    }

    /// A `number` node; what is no number here is reported.
    pub fn number(&mut self, leaf: &Node<'_>) -> Option<Decimal> {
        match literal::number(leaf.as_str()) {
            Ok(number) => Some(number),
            Err(message) => {
                let span = self.span(leaf);
                self.found.push(Diagnostic::new(Code::BAD_NUMBER, span, message));
                None
            }
        }
    }

    /// A `json`, `object` or `array` node.
    pub fn json(&mut self, node: Node<'_>) -> Json {
        let span = self.span(&node);
        let node = match node.as_rule() {
            Rule::json => node.clone().into_inner().next().unwrap_or(node),
            _ => node, // already the value
        };
        let kind = match node.as_rule() {
            Rule::object => JsonKind::Object(self.pairs(&node)),
            Rule::array => JsonKind::List(children(&node, Rule::json).map(|n| self.json(n)).collect()),
            Rule::string => JsonKind::Text(self.text(&node).value),
            Rule::number => self.number(&node).map_or(JsonKind::Null, JsonKind::Number),
            Rule::kw_true => JsonKind::Bool(true),
            Rule::kw_false => JsonKind::Bool(false),
            Rule::kw_null => JsonKind::Null,
            _ => JsonKind::Word(node.as_str().to_owned()), // a bare word or time
        };
        Json { kind, span }
    }

    /// The `pair`s of an `object` or of `arguments`.
    pub fn pairs(&mut self, node: &Node<'_>) -> Vec<(Name, Json)> {
        let mut pairs = Vec::new();
        for pair in children(node, Rule::pair) {
            let mut parts = pair.into_inner().filter(|n| matches!(n.as_rule(), Rule::name | Rule::json));
            if let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                let key = self.name(key);
                pairs.push((key, self.json(value)));
            }
        }
        pairs
    }
}
