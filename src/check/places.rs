//! Where limits bite in a tool: `limited by` and `reaches` at any depth, and which texts name which argument.

use super::Known;
use super::agree::{called, is_hole, same};
use crate::diag::{Code, Diagnostic, Sink};
use crate::domain::{Kind, Member, Part, Step, Type};
use crate::policy::{self, Channel, Coupling, LimitRef, Place, VocabularyId};
use crate::source::Span;
use crate::syntax::ast::{self, TypeKind};

/// What a tool's arguments have to do with limits.
#[derive(Default)]
pub struct Places {
    pub places: Vec<Place>,
    pub couplings: Vec<Coupling>,
    pub channels: Vec<Channel>,
}

struct Walk<'k, 'a> {
    known: &'k Known<'a>,
    home: VocabularyId,
    argument: usize,
    found: Places,
    /// Where each place is written.
    spans: Vec<Span>,
}

/// All places of a tool, in the order of the text.
pub fn of_tool(known: &Known, home: VocabularyId, tool: &ast::Tool, members: &[&Member], sink: &mut Sink) -> Places {
    let mut walk = Walk { known, home, argument: 0, found: Places::default(), spans: Vec::new() };
    for (at, (written, member)) in tool.arguments.iter().zip(members).enumerate() {
        walk.argument = at;
        walk.member(written, &member.ty, &[], sink);
    }
    walk.couple(tool, sink);
    walk.found
}

impl Walk<'_, '_> {
    fn limit(&self, limit: LimitRef) -> &policy::Limit {
        &self.known.limits[limit.vocabulary.0][limit.limit]
    }

    fn member(&mut self, member: &ast::Member, ty: &Type, steps: &[Step], sink: &mut Sink) {
        if let Some(name) = &member.limited_by
            && let Some(limit) = self.known.names.limit_in_reach(Some(self.home), name, sink)
        {
            self.place(member, ty, steps, limit, name.span, sink);
        }
        for name in &member.reaches {
            let Some(limit) = self.known.names.limit_in_reach(Some(self.home), name, sink) else { continue };
            if matches!(ty.kind, Kind::OpaqueText | Kind::OpaqueJson) {
                self.found.channels.push(Channel { argument: self.argument, limit });
            } else if !is_hole(ty) {
                let message = format!("`reaches` speaks of what is opaque, and `{}` is `{}`", member.name.text, called(ty));
                sink.push(
                    Diagnostic::new(Code::BAD_REACHES, name.span, message)
                        .help("write `limited by`, or make it `text opaque`"),
                );
            }
        }
        self.inside(&member.ty, ty, steps, sink);
    }

    fn place(&mut self, member: &ast::Member, ty: &Type, steps: &[Step], limit: LimitRef, span: Span, sink: &mut Sink) {
        let declared = self.limit(limit);
        if is_hole(ty) || is_hole(&declared.ty) {
            return;
        }
        match descend(ty, &declared.ty) {
            Some(more) => {
                let steps = steps.iter().cloned().chain(more).collect();
                self.found.places.push(Place { argument: self.argument, steps, limit });
                self.spans.push(member.name.span);
            }
            None => {
                let message = format!(
                    "`{}` is `{}`, and limit `{}` speaks of `{}`",
                    member.name.text,
                    called(ty),
                    declared.name,
                    called(&declared.ty)
                );
                sink.push(
                    Diagnostic::new(Code::LIMIT_TYPE, span, message).also(declared.span, "the limit is declared here"),
                );
            }
        }
    }

    fn inside(&mut self, written: &ast::TypeExpr, ty: &Type, steps: &[Step], sink: &mut Sink) {
        let deeper = |step: Step| -> Vec<Step> { steps.iter().cloned().chain([step]).collect() };
        match (&written.kind, &ty.kind) {
            (TypeKind::OrNull(inner), _) => self.inside(inner, ty, steps, sink),
            (TypeKind::ListOf(inner), Kind::List(ty)) => self.inside(inner, ty, &deeper(Step::Each), sink),
            (TypeKind::OrList(inner), Kind::OneOrList(ty)) => self.inside(inner, ty, &deeper(Step::OneOrEach), sink),
            (TypeKind::MapOf(inner), Kind::Map(ty)) => self.inside(inner, ty, &deeper(Step::Values), sink),
            (TypeKind::Record { members, .. }, Kind::Record { members: lowered, .. }) => {
                for (written, member) in members.iter().zip(lowered) {
                    self.member(written, &member.ty, &deeper(Step::Field(member.name.clone())), sink);
                }
            }
            (TypeKind::Union(types), Kind::Union(lowered)) => {
                for (at, (written, ty)) in types.iter().zip(lowered).enumerate() {
                    self.inside(written, ty, &deeper(Step::Alternative(u32::try_from(at).unwrap_or(u32::MAX))), sink);
                }
            }
            _ => {} // nothing else has members
        }
    }

    /// A text under a limit `within` another names the argument that is limited by that one.
    fn couple(&mut self, tool: &ast::Tool, sink: &mut Sink) {
        for place in 0..self.found.places.len() {
            let Some(within) = &self.limit(self.found.places[place].limit).within else { continue };
            let named: Vec<usize> = (0..self.found.places.len())
                .filter(|at| self.found.places[*at].limit == within.limit && self.found.places[*at].steps.is_empty())
                .collect();
            match named.as_slice() {
                [] => {}
                [one] => {
                    let named = self.found.places[*one].argument;
                    self.found.couplings.push(Coupling { place, named });
                }
                [first, second, ..] => {
                    let name = |at: usize| &tool.arguments[self.found.places[at].argument].name.text;
                    let limit = &self.limit(within.limit).name;
                    let message = format!(
                        "`{}` and `{}` are both limited by `{limit}`: which of them does `{}` name?",
                        name(*first),
                        name(*second),
                        name(place)
                    );
                    sink.push(
                        Diagnostic::new(Code::BAD_WITHIN, self.spans[*second], message)
                            .also(self.spans[place], "this text names a value of it"),
                    );
                }
            }
        }
    }
}

/// The way from a value of `ty` to what `limit` speaks of; `None`: the types do not agree.
fn descend(ty: &Type, limit: &Type) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut at = ty;
    loop {
        if same(at, limit) {
            return Some(steps);
        }
        match &at.kind {
            Kind::List(inner) => {
                steps.push(Step::Each);
                at = inner;
            }
            Kind::OneOrList(inner) => {
                steps.push(Step::OneOrEach);
                at = inner;
            }
            Kind::Url { .. } | Kind::Email if limit.kind == Kind::Host => {
                steps.push(Step::Part(Part::Host));
                return Some(steps);
            }
            _ => return None, // no other type has something of the limit's inside
        }
    }
}
