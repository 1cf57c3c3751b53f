//! Sets and clauses: nodes → ast. Operators bind left to right; what stands side by side meets.

use super::values::Words;
use super::{Lower, child, children};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{ArgvTail, Clause, CountRange, Literal, Operator, Path, SetExpr, SetKind, Text};
use crate::syntax::grammar::{Node, Rule};

/// How deep operators may nest: `a or b except c or d …` nests at each change.
const MAX_NESTING: usize = 64;

/// Whether `or absent` and `or null` may end the set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    AtTheEnd,
    Nowhere,
}

impl Lower<'_> {
    /// A `clause` node.
    pub fn clause(&mut self, node: Node<'_>) -> Option<Clause> {
        let span = self.span(&node);
        let mut path = None;
        let mut set = None;
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::path => path = Some(self.path(part)),
                Rule::set | Rule::bare_set => set = self.combined(part, Points::AtTheEnd),
                _ => {} // `in`
            }
        }
        Some(Clause { path: path?, set: set?, span })
    }

    /// The `clause`s directly in the node.
    pub fn clauses(&mut self, node: &Node<'_>) -> Vec<Clause> {
        children(node, Rule::clause).filter_map(|n| self.clause(n)).collect()
    }

    fn path(&mut self, node: Node<'_>) -> Path {
        let span = self.span(&node);
        Path { steps: self.names(&node), span }
    }

    /// A `set` node where `or absent` may end it.
    pub fn set(&mut self, node: Node<'_>) -> Option<SetExpr> {
        self.combined(node, Points::AtTheEnd)
    }

    /// `set` or `bare_set`: terms and operators, left to right.
    fn combined(&mut self, node: Node<'_>, points: Points) -> Option<SetExpr> {
        let mut whole: Option<SetExpr> = None;
        let mut operator = None;
        let mut depth = 0;
        let mut point: Option<Span> = None;
        for part in node.into_inner() {
            if part.as_rule() == Rule::set_op {
                operator = part.into_inner().next().map(|n| n.as_rule());
                continue;
            }
            let term = self.term(part)?;
            let is_point = matches!(term.kind, SetKind::Absent | SetKind::Null);
            self.check_point(&mut point, &term, is_point, operator, points);
            whole = Some(match (whole.take(), operator) {
                (Some(left), Some(rule)) => join(left, rule, term, &mut depth),
                (_, _) => term,
            });
            if depth > MAX_NESTING {
                let span = whole.as_ref().map(|s| s.span)?;
                let message = "`or`, `and`, `except` alternate too often in one set";
                self.found.push(Diagnostic::new(Code::TOO_DEEP, span, message).help("name a part of it with `let`"));
                return None;
            }
        }
        whole
    }

    /// `or absent` and `or null` stand at the end of a clause, or alone.
    fn check_point(
        &mut self,
        seen: &mut Option<Span>,
        term: &SetExpr,
        is_point: bool,
        operator: Option<Rule>,
        points: Points,
    ) {
        let word = |span: Span| match term.kind {
            SetKind::Null if span == term.span => "null",
            _ => "absent", // the other point, or one seen before
        };
        let misplaced = match *seen {
            Some(earlier) if !is_point => Some(earlier),
            _ if is_point && operator.is_some_and(|rule| rule != Rule::kw_or) => Some(term.span),
            _ if is_point && points == Points::Nowhere => Some(term.span),
            _ => None, // in its place
        };
        if is_point {
            *seen = Some(term.span);
        }
        if let Some(span) = misplaced {
            let message = format!("`or {}` ends a clause", word(span));
            let note =
                "it speaks of the argument as a whole, not of a value: write it last, after `or`, outside of parentheses";
            self.found.push(Diagnostic::new(Code::MISPLACED_POINT, span, message).note(note));
            *seen = None;
        }
    }

    /// `set_term` or `bare_term`: a set and words beside it.
    fn term(&mut self, node: Node<'_>) -> Option<SetExpr> {
        let span = self.span(&node);
        let mut parts = Vec::new();
        for part in node.into_inner() {
            parts.push(self.primary(part)?);
        }
        match parts.len() {
            1 => parts.pop(),
            _ => Some(SetExpr { kind: SetKind::Beside(parts), span }),
        }
    }

    /// One set or set word.
    pub fn primary(&mut self, node: Node<'_>) -> Option<SetExpr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::values => SetKind::Values(self.values(node)),
            Rule::wrong_empty_set => return self.empty_set(span),
            Rule::record_set => SetKind::Record(self.clauses(&node)),
            Rule::argv => self.argv(node)?,
            Rule::set_parens => SetKind::Parenthesised(Box::new(self.combined(child(&node, Rule::set)?, Points::Nowhere)?)),
            Rule::kw_any => SetKind::Any,
            Rule::kw_absent => SetKind::Absent,
            Rule::kw_null => SetKind::Null,
            Rule::range => self.interval(node)?,
            Rule::literal_set => SetKind::Literal(self.scalar(node, Words::AreFree)?),
            Rule::set_name => SetKind::Name(self.name(node)),
            _ => return self.word(node), // a set word
        };
        Some(SetExpr { kind, span })
    }

    /// A set word.
    pub fn word(&mut self, node: Node<'_>) -> Option<SetExpr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::compare => self.compare(node)?,
            Rule::prefix => SetKind::Prefix(self.only_text(&node)?),
            Rule::suffix_word => SetKind::Suffix(self.only_text(&node)?),
            Rule::matches => SetKind::Matches(self.only_text(&node)?),
            Rule::length => SetKind::Length(self.count(child(&node, Rule::count)?)?),
            Rule::size => SetKind::Size(self.count(child(&node, Rule::count)?)?),
            Rule::each => SetKind::Each(Box::new(self.operand(node)?)),
            Rule::keys => SetKind::Keys(Box::new(self.operand(node)?)),
            Rule::map_values => SetKind::MapValues(Box::new(self.operand(node)?)),
            _ => return None, // the grammar has no other
        };
        Some(SetExpr { kind, span })
    }

    /// What `each`, `keys`, `values` are followed by.
    fn operand(&mut self, node: Node<'_>) -> Option<SetExpr> {
        let introductions = [Rule::kw_each, Rule::kw_keys, Rule::kw_values, Rule::kw_in];
        let operand = node.into_inner().find(|n| !introductions.contains(&n.as_rule()))?;
        self.primary(operand)
    }

    fn only_text(&mut self, node: &Node<'_>) -> Option<Text> {
        child(node, Rule::string).map(|n| self.text(&n))
    }

    /// `values`: literals in braces.
    pub fn values(&mut self, node: Node<'_>) -> Vec<Literal> {
        children(&node, Rule::literal).filter_map(|n| self.scalar(n, Words::AreValues)).collect()
    }

    fn empty_set(&mut self, span: Span) -> Option<SetExpr> {
        let note =
            "to withhold a tool, write `without` or `tools none`; for an argument that must not be given, say `absent`";
        self.found.push(Diagnostic::new(Code::EMPTY_SET, span, "`{ }` is never written").note(note));
        None
    }

    fn argv(&mut self, node: Node<'_>) -> Option<SetKind> {
        let mut positions = Vec::new();
        let mut tail = ArgvTail::None;
        for item in node.into_inner() {
            let misplaced = match item.as_rule() {
                Rule::set if tail == ArgvTail::None => {
                    positions.push(self.combined(item, Points::Nowhere)?);
                    None
                }
                Rule::argv_tail if tail == ArgvTail::None => {
                    let span = self.span(&item);
                    tail = match child(&item, Rule::each) {
                        Some(each) => ArgvTail::Each(Box::new(self.operand(each)?)),
                        None => ArgvTail::Any(span),
                    };
                    None
                }
                Rule::set | Rule::argv_tail => Some(self.span(&item)),
                _ => None, // marks
            };
            if let Some(span) = misplaced {
                let message = "nothing may follow the tail `..`";
                self.found.push(Diagnostic::new(Code::SYNTAX, span, message).note("positions first, then one `..`"));
                return None;
            }
        }
        Some(SetKind::Argv(positions, tail))
    }

    fn interval(&mut self, node: Node<'_>) -> Option<SetKind> {
        let mut ends = [None, None];
        let mut side = 0;
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::dotdot => side = 1,
                _ => ends[side] = Some(self.scalar(part, Words::AreFree)?), // `scalar`
            }
        }
        let [low, high] = ends;
        Some(SetKind::Range(low, high))
    }

    fn compare(&mut self, node: Node<'_>) -> Option<SetKind> {
        let mut parts = node.into_inner();
        let operator = match parts.next()?.as_rule() {
            Rule::at_most => Operator::AtMost,
            Rule::less => Operator::Less,
            Rule::at_least => Operator::AtLeast,
            _ => Operator::Greater, // `greater`
        };
        Some(SetKind::Compare(operator, self.scalar(parts.next()?, Words::AreFree)?))
    }

    fn count(&mut self, node: Node<'_>) -> Option<CountRange> {
        let span = self.span(&node);
        let mut ends: [Option<Literal>; 2] = [None, None];
        let mut side = 0;
        let mut ranged = false;
        for part in node.into_inner() {
            if part.as_rule() == Rule::dotdot {
                (side, ranged) = (1, true);
                continue;
            }
            let span = self.span(&part);
            let number = self.number(&part)?;
            ends[side] = Some(Literal { kind: crate::syntax::ast::LiteralKind::Number(number), span });
        }
        let [low, high] = ends;
        let high = if ranged { high } else { low.clone() };
        Some(CountRange { low, high, span })
    }
}

/// `left OP right`, flat where the operator is the same, or where `except` follows `except`.
fn join(left: SetExpr, operator: Rule, right: SetExpr, depth: &mut usize) -> SetExpr {
    let span = left.span.to(right.span);
    let kind = match (operator, left.kind) {
        (Rule::kw_or, SetKind::Or(mut sets)) => {
            sets.push(right);
            SetKind::Or(sets)
        }
        (Rule::kw_and, SetKind::And(mut sets)) => {
            sets.push(right);
            SetKind::And(sets)
        }
        (operator, kind) => {
            *depth += 1;
            let left = SetExpr { kind, span: left.span };
            match operator {
                Rule::kw_or => SetKind::Or(vec![left, right]),
                Rule::kw_and => SetKind::And(vec![left, right]),
                _ => SetKind::Except(Box::new(left), Box::new(right)), // `except`
            }
        }
    };
    SetExpr { kind, span }
}
