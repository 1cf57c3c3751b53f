//! pest's tree of one declaration → ast, with spans in the file. Knows no name and no type; what the grammar reads although it
//! is wrong (`wrong_…`, suffixes out of order, `or absent` in the middle) is reported here.

mod agents;
mod operators;
mod sets;
mod tests_of_policies;
mod types;
mod values;
mod vocabularies;

use super::ast::{Dotted, Import, Item, Name, Text};
use super::draft::Draft;
use super::grammar::{Node, Rule};
use super::literal;
use crate::diag::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// What one declaration is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lowered {
    /// Comments of another language, which are reported: nothing is lost.
    Nothing,
    Language(u32, Span),
    Import(Import),
    Item(Box<Item>),
}

/// The way from a node's offsets to spans, and where findings go.
pub(super) struct Lower<'a> {
    pub draft: &'a Draft,
    pub file: FileId,
    pub found: &'a mut Vec<Diagnostic>,
}

impl Lower<'_> {
    /// The declaration in a `declaration` node.
    pub fn declaration(&mut self, node: Node<'_>) -> Option<Lowered> {
        let node = node.into_inner().find(|n| !is_mark(n.as_rule()))?;
        let item = match node.as_rule() {
            Rule::language => return self.language(node),
            Rule::import => return self.import(node),
            Rule::vocabulary => Item::Vocabulary(self.vocabulary(node)),
            Rule::agent => Item::Agent(self.agent(node)),
            Rule::overlay => Item::Overlay(self.overlay(node)),
            Rule::boundary => Item::Boundary(self.boundary(node)),
            Rule::let_set => Item::Let(self.let_set(node)?),
            Rule::test => Item::Test(self.test(node)),
            Rule::deployment => Item::Deployment(self.deployment(node)),
            Rule::skill => Item::Skill(self.skill(node)),
            _ => return None, // `declaration` holds nothing else
        };
        Some(Lowered::Item(Box::new(item)))
    }

    fn language(&mut self, node: Node<'_>) -> Option<Lowered> {
        let number = child(&node, Rule::number)?;
        let span = self.span(&number);
        match number.as_str().parse() {
            Ok(version) => Some(Lowered::Language(version, span)),
            Err(_) => {
                let message = format!("`{}` is no version of the language", number.as_str());
                self.found.push(Diagnostic::new(Code::BAD_NUMBER, span, message).note("this is language 1"));
                None
            }
        }
    }

    fn import(&mut self, node: Node<'_>) -> Option<Lowered> {
        let what = node.into_inner().find(|n| matches!(n.as_rule(), Rule::string | Rule::dotted))?;
        let import = match what.as_rule() {
            Rule::string => Import::Path(self.text(&what)),
            _ => Import::Library(self.dotted(what)), // `dotted`, by the filter above
        };
        Some(Lowered::Import(import))
    }

    /// The span of a node, without the white space that pest may have taken with it.
    pub fn span(&self, node: &Node<'_>) -> Span {
        let range = extent(node);
        self.range(range.start, range.end)
    }

    pub fn range(&self, start: usize, end: usize) -> Span {
        let (start, end) = (self.draft.start(start), self.draft.end(end));
        Span::new(self.file, start, end.max(start))
    }

    /// `ident`, `set_name`, or `name`.
    pub fn name(&mut self, node: Node<'_>) -> Name {
        let span = self.span(&node);
        let inner = match node.as_rule() {
            Rule::name => node.clone().into_inner().next().unwrap_or(node),
            _ => node, // the other names are leaves
        };
        match inner.as_rule() {
            Rule::string => Name { text: self.decode(&inner), span, quoted: true },
            _ => Name { text: inner.as_str().to_owned(), span, quoted: false }, // an identifier
        }
    }

    /// All names directly in the node.
    pub fn names(&mut self, node: &Node<'_>) -> Vec<Name> {
        let names = node.clone().into_inner().filter(|n| matches!(n.as_rule(), Rule::name | Rule::ident));
        names.map(|n| self.name(n)).collect()
    }

    pub fn dotted(&mut self, node: Node<'_>) -> Dotted {
        let span = self.span(&node);
        let parts = node.into_inner().filter(|n| matches!(n.as_rule(), Rule::name | Rule::ident));
        Dotted { parts: parts.map(|n| self.name(n)).collect(), span }
    }

    /// All dotted names directly in the node.
    pub fn dotteds(&mut self, node: &Node<'_>) -> Vec<Dotted> {
        node.clone().into_inner().filter(|n| n.as_rule() == Rule::dotted).map(|n| self.dotted(n)).collect()
    }

    /// A `string` node.
    pub fn text(&mut self, node: &Node<'_>) -> Text {
        Text { value: self.decode(node), span: self.span(node) }
    }

    /// All strings directly in the node.
    pub fn texts(&mut self, node: &Node<'_>) -> Vec<Text> {
        node.clone().into_inner().filter(|n| n.as_rule() == Rule::string).map(|n| self.text(&n)).collect()
    }

    /// All strings directly in the node as one.
    pub fn joined(&mut self, node: &Node<'_>) -> Option<Text> {
        let texts = self.texts(node);
        let (first, last) = (texts.first()?.span, texts.last()?.span);
        Some(Text { value: texts.into_iter().map(|t| t.value).collect(), span: first.to(last) })
    }

    /// The value of a string literal; what is wrong in it is reported and left out.
    fn decode(&mut self, node: &Node<'_>) -> String {
        let start = node.as_span().start();
        let (value, slips) = literal::decode(node.as_str());
        for slip in slips {
            let span = self.range(start + slip.range.start, start + slip.range.end);
            let mut finding = Diagnostic::new(Code::BAD_STRING, span, slip.message);
            if let Some((title, replacement)) = slip.fix {
                finding = finding.fix(title, span, replacement);
            }
            self.found.push(finding);
        }
        value
    }

    /// The `///` lines right above the line on which the node begins.
    pub fn doc(&self, node: &Node<'_>) -> Option<String> {
        let before = self.draft.text.get(..node.as_span().start())?;
        let above = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?;
        let mut lines: Vec<&str> = above
            .rsplit('\n')
            .map_while(|line| line.trim().strip_prefix("///"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        lines.reverse();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

/// From a node's first leaf to its last: pest's own span may begin and end with white space.
fn extent(node: &Node<'_>) -> std::ops::Range<usize> {
    let (mut first, mut last) = (node.clone(), node.clone());
    while let Some(inner) = first.clone().into_inner().next() {
        first = inner;
    }
    while let Some(inner) = last.clone().into_inner().next_back() {
        last = inner;
    }
    first.as_span().start()..last.as_span().end()
}

fn is_mark(rule: Rule) -> bool {
    matches!(rule, Rule::line_end | Rule::semicolon | Rule::EOI)
}

/// The first child of that rule.
fn child<'i>(node: &Node<'i>, rule: Rule) -> Option<Node<'i>> {
    node.clone().into_inner().find(|n| n.as_rule() == rule)
}

/// The children of that rule.
fn children<'i>(node: &Node<'i>, rule: Rule) -> impl Iterator<Item = Node<'i>> {
    node.clone().into_inner().filter(move |n| n.as_rule() == rule)
}
