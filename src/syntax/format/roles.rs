//! The tree of a text → what each of its tokens is there for, by offset: all that the layout asks of the grammar.

use crate::syntax::grammar::{Node, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of one kind below one another share columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Member,
    Setting,
    Clause,
    Case,
    EnumValue,
}

/// What tokens are there for, by the offset at which they begin.
#[derive(Debug, Default)]
pub(super) struct Roles {
    /// Braces that hold clauses.
    clausal: BTreeSet<usize>,
    /// Line ends that end a clause.
    ends: BTreeSet<usize>,
    /// Parentheses and brackets that stand without a blank before, or without blanks inside.
    calls: BTreeSet<usize>,
    arrays: BTreeSet<usize>,
    /// Commas between values of an enum.
    enum_commas: BTreeSet<usize>,
    /// Tokens that begin something with columns.
    items: BTreeMap<usize, Column>,
    /// Tokens that begin a column, and the item they belong to.
    columns: BTreeMap<usize, usize>,
    /// Offsets inside a leaf of several tokens.
    inside: BTreeSet<usize>,
}

impl Roles {
    /// Adds what a tree says whose text begins at `base`.
    pub fn collect(&mut self, node: Node<'_>, base: usize) {
        let rule = node.as_rule();
        let start = first(&node) + base;
        self.note_item(&node, start, base);
        for child in node.into_inner() {
            let at = child.as_span().start() + base;
            match (rule, child.as_rule()) {
                (_, Rule::line_end) => drop(self.ends.insert(at)),
                (Rule::arguments, Rule::lparen) => drop(self.calls.insert(at)),
                (Rule::array, Rule::lbracket | Rule::rbracket) => drop(self.arrays.insert(at)),
                (Rule::enum_decl, Rule::comma) => drop(self.enum_commas.insert(at)),
                (rule, Rule::lbrace) if !is_free(rule) => drop(self.clausal.insert(at)),
                (_, Rule::code) => self.inside.extend(at + 1..child.as_span().end() + base),
                _ => {} // nothing special
            }
            self.collect(child, base);
        }
    }

    fn note_item(&mut self, node: &Node<'_>, start: usize, base: usize) {
        let mut parts = node.clone().into_inner();
        let (column, marks): (Column, Vec<Node<'_>>) = match node.as_rule() {
            Rule::member => {
                let after = |n: &Node<'_>| matches!(n.as_rule(), Rule::type_of | Rule::limited_by);
                (Column::Member, parts.filter(after).collect())
            }
            Rule::limit_setting | Rule::given_fact => {
                (Column::Setting, parts.filter(|n| n.as_rule() == Rule::equals).collect())
            }
            Rule::clause => (Column::Clause, parts.by_ref().skip(1).take(1).collect()),
            Rule::case => (Column::Case, parts.filter(|n| n.as_rule() == Rule::kw_is).collect()),
            Rule::enum_claimed => (Column::EnumValue, parts.filter(|n| n.as_rule() == Rule::claims).collect()),
            _ => return, // no columns
        };
        self.items.insert(start, column);
        for mark in marks {
            self.columns.insert(first(&mark) + base, start);
        }
    }

    pub fn is_clausal(&self, at: usize) -> bool {
        self.clausal.contains(&at)
    }

    pub fn ends_clause(&self, at: usize) -> bool {
        self.ends.contains(&at)
    }

    pub fn is_call(&self, at: usize) -> bool {
        self.calls.contains(&at)
    }

    pub fn is_array(&self, at: usize) -> bool {
        self.arrays.contains(&at)
    }

    pub fn is_enum_comma(&self, at: usize) -> bool {
        self.enum_commas.contains(&at)
    }

    pub fn is_inside(&self, at: usize) -> bool {
        self.inside.contains(&at)
    }

    /// The columns of what begins here.
    pub fn item(&self, at: usize) -> Option<Column> {
        self.items.get(&at).copied()
    }

    /// The item of which a column begins here.
    pub fn column_of(&self, at: usize) -> Option<usize> {
        self.columns.get(&at).copied()
    }
}

/// Whether newlines are free in the braces of a rule.
fn is_free(rule: Rule) -> bool {
    matches!(rule, Rule::values | Rule::union | Rule::object | Rule::wrong_empty_set)
}

/// Where a node's first leaf begins.
fn first(node: &Node<'_>) -> usize {
    let mut first = node.clone();
    while let Some(inner) = first.clone().into_inner().next() {
        first = inner;
    }
    first.as_span().start()
}
