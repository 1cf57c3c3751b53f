//! Types, arguments and members: nodes → ast.

use super::values::Words;
use super::{Lower, child, children, extent};
use crate::diag::{Code, Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::syntax::ast::{Absence, DefaultExpr, Dotted, Member, SetKind, TypeExpr, TypeKind};
use crate::syntax::grammar::{Node, Rule};

impl Lower<'_> {
    /// `type_full`: a type, perhaps with `or null`.
    pub fn type_full(&mut self, node: Node<'_>) -> Option<TypeExpr> {
        let span = self.span(&node);
        let ty = self.type_of(child(&node, Rule::type_of)?)?;
        Some(match child(&node, Rule::or_null) {
            Some(_) => or_null(ty, span),
            None => ty,
        })
    }

    /// `type_of`: a type, perhaps `or list`.
    fn type_of(&mut self, node: Node<'_>) -> Option<TypeExpr> {
        let start = node.as_span().start();
        let mut ty: Option<TypeExpr> = None;
        for part in node.into_inner().filter(|n| n.as_rule() != Rule::kw_in) {
            let span = self.span(&part);
            match (part.as_rule(), ty.take()) {
                (Rule::type_core, _) => ty = Some(self.type_core(part)?),
                (Rule::or_list, Some(inner)) => {
                    let span = Span { start: self.range(start, start).start, ..inner.span.to(span) };
                    ty = Some(plain(TypeKind::OrList(Box::new(inner)), span));
                }
                (_, Some(mut outer)) => {
                    let refinement = self.primary(part)?;
                    outer.span = outer.span.to(refinement.span);
                    outer.refinement.push(refinement);
                    ty = Some(outer);
                }
                (_, None) => return None, // a `type_core` comes first
            }
        }
        ty
    }

    /// `list of … ATOM words`: words of scalars go to the atom, `size` and `each` to the whole.
    fn type_core(&mut self, node: Node<'_>) -> Option<TypeExpr> {
        let whole = self.span(&node);
        let mut prefixes = Vec::new();
        let mut atom: Option<TypeExpr> = None;
        let mut outer = Vec::new();
        for part in node.into_inner().filter(|n| n.as_rule() != Rule::kw_in) {
            if part.as_rule() == Rule::type_prefix {
                let word = part.clone().into_inner().next().map(|n| n.as_rule());
                prefixes.push((self.span(&part).start, word));
                continue;
            }
            let Some(ty) = &mut atom else {
                atom = Some(self.atom(part)?);
                continue;
            };
            let refinement = self.primary(part)?;
            let of_whole =
                matches!(refinement.kind, SetKind::Size(_) | SetKind::Each(_) | SetKind::Keys(_) | SetKind::MapValues(_));
            if of_whole && !prefixes.is_empty() {
                outer.push(refinement);
            } else {
                ty.span = ty.span.to(refinement.span);
                ty.refinement.push(refinement);
            }
        }
        let mut ty = atom?;
        for (start, word) in prefixes.into_iter().rev() {
            let span = Span { start, ..ty.span };
            let inner = Box::new(ty);
            let kind = if word == Some(Rule::kw_map) { TypeKind::MapOf(inner) } else { TypeKind::ListOf(inner) };
            ty = plain(kind, span);
        }
        if !outer.is_empty() {
            ty.span = whole;
            ty.refinement = outer;
        }
        Some(ty)
    }

    fn atom(&mut self, node: Node<'_>) -> Option<TypeExpr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::type_parens => return self.type_full(child(&node, Rule::type_full)?),
            Rule::record => self.record(&node),
            Rule::union => TypeKind::Union(children(&node, Rule::type_full).filter_map(|n| self.type_full(n)).collect()),
            Rule::values => TypeKind::Values(self.values(node)),
            Rule::text_opaque => TypeKind::TextOpaque,
            Rule::json_opaque => TypeKind::JsonOpaque,
            Rule::text_by_pattern => TypeKind::TextByPattern,
            Rule::path_ignoring_case => TypeKind::PathIgnoringCase,
            Rule::url_or_bare => TypeKind::UrlOrBare,
            Rule::literal_type => TypeKind::Values(vec![self.scalar(node, Words::AreFree)?]),
            _ => TypeKind::Named(self.dotted(node)), // `type_name`
        };
        Some(plain(kind, span))
    }

    fn record(&mut self, node: &Node<'_>) -> TypeKind {
        let mut rest = None;
        let mut members = Vec::new();
        for item in node.clone().into_inner() {
            match item.as_rule() {
                Rule::member => members.extend(self.member(item)),
                Rule::rest => {
                    let span = self.span(&item);
                    let of = child(&item, Rule::type_full).and_then(|n| self.type_full(n)).map(Box::new);
                    if rest.is_some() {
                        self.found.push(Diagnostic::new(Code::SYNTAX, span, "a record says `..` once"));
                    }
                    rest = Some((of, span));
                }
                _ => {} // marks
            }
        }
        TypeKind::Record { members, rest }
    }

    /// `member`: an argument of a tool or a member of a record.
    pub fn member(&mut self, node: Node<'_>) -> Option<Member> {
        let doc = self.doc(&node);
        let span = self.span(&node);
        self.check_suffix_order(&node);
        let name = self.name(child(&node, Rule::name)?);
        let ty = self.type_of(child(&node, Rule::type_of)?)?;
        let mut member = Member {
            name,
            doc,
            ty,
            wildcard: None,
            absence: None,
            default: None,
            limited_by: None,
            reaches: Vec::new(),
            span,
        };
        for part in node.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::or_all => member.wildcard = Some(span),
                Rule::or_null if matches!(member.ty.kind, TypeKind::OrNull(_)) => {}
                Rule::or_null => member.ty = or_null(member.ty.clone(), member.ty.span.to(span)),
                Rule::or_absent => member.absence = Some((Absence::OrAbsent, span)),
                Rule::optional => member.absence = Some((Absence::Optional, span)),
                Rule::default => member.default = self.default(&part),
                Rule::limited_by => member.limited_by = self.dotteds(&part).pop(),
                Rule::reaches => member.reaches.extend(self.dotteds(&part) as Vec<Dotted>),
                _ => {} // name, mark, type
            }
        }
        Some(member)
    }

    fn default(&mut self, node: &Node<'_>) -> Option<DefaultExpr> {
        let value = node.clone().into_inner().find(|n| n.as_rule() != Rule::equals)?;
        let span = self.span(&value);
        Some(match value.as_rule() {
            Rule::kw_unspecified => DefaultExpr::Unspecified(span),
            Rule::kw_all => DefaultExpr::All(span),
            _ => DefaultExpr::Value(self.json(value)), // `json`
        })
    }

    /// One report where what follows a type is out of order or said twice, with the order as a fix.
    fn check_suffix_order(&mut self, node: &Node<'_>) {
        let suffixes: Vec<(usize, Node<'_>)> =
            node.clone().into_inner().filter_map(|n| Some((place(n.as_rule())?, n))).collect();
        let Some(at) = suffixes.windows(2).position(|pair| match pair {
            [a, b] => a.0 > b.0 || (a.0 == b.0 && a.1.as_rule() != Rule::reaches),
            _ => false, // windows are of two
        }) else {
            return;
        };
        let (before, after) = (&suffixes[at], &suffixes[at + 1]);
        let (spans, texts): (Vec<Span>, Vec<&str>) = suffixes.iter().map(|(_, n)| (self.span(n), self.written(n))).unzip();
        let (left, right) = (texts[at], texts[at + 1]);
        if before.0 == after.0 {
            let message = match left == right {
                true => format!("`{right}` is said twice"),
                false => format!("`{left}` and `{right}` exclude each other"),
            };
            let finding = Diagnostic::new(Code::SUFFIX_ORDER, spans[at + 1], message).also(spans[at], "said here");
            self.found.push(finding);
            return;
        }
        let mut order: Vec<usize> = (0..suffixes.len()).collect();
        order.sort_by_key(|i| (suffixes[*i].0, *i));
        let edits = order.iter().zip(&spans).map(|(from, to)| Edit { span: *to, replacement: texts[*from].to_owned() });
        let fix = Fix { title: "put them in order".to_owned(), edits: edits.collect(), machine_applicable: true };
        let order =
            "the order is: type, `or all`, `or null`, `or absent` or `optional`, `= default`, `limited by`, `reaches`";
        let mut finding = Diagnostic::new(Code::SUFFIX_ORDER, spans[at + 1], format!("`{right}` stands before `{left}`"))
            .also(spans[at], format!("before this `{left}`"))
            .note(order);
        finding.fixes.push(fix);
        self.found.push(finding);
    }

    /// The text of a node as it stands in the draft, without what surrounds it.
    fn written<'n>(&'n self, node: &Node<'_>) -> &'n str {
        self.draft.text.get(extent(node)).unwrap_or("")
    }
}

/// The place of a suffix in the order, or `None` for what is no suffix.
fn place(rule: Rule) -> Option<usize> {
    match rule {
        Rule::or_all => Some(0),
        Rule::or_null => Some(1),
        Rule::or_absent | Rule::optional => Some(2),
        Rule::default => Some(3),
        Rule::limited_by => Some(4),
        Rule::reaches => Some(5),
        _ => None, // no suffix
    }
}

fn plain(kind: TypeKind, span: Span) -> TypeExpr {
    TypeExpr { kind, refinement: Vec::new(), span }
}

fn or_null(ty: TypeExpr, span: Span) -> TypeExpr {
    plain(TypeKind::OrNull(Box::new(ty)), span)
}
