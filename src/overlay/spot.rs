//! A way into an argument → the member at its end. Knows no sets.

use crate::domain::{Kind, Member, NumberKind, Part, Presence, Step, Type};

/// What stands at the end of `steps`; `None`: the type has no such way.
pub(super) fn member_at(member: &Member, steps: &[Step]) -> Option<Member> {
    steps.iter().try_fold(member.clone(), |at, step| into(&at, step))
}

fn into(member: &Member, step: &Step) -> Option<Member> {
    let plain = |ty: Type| Member { name: member.name.clone(), ty, presence: Presence::Required, wildcard: false };
    let of = |kind| plain(Type { kind, null: false, refinement: None });
    match (step, &member.ty.kind) {
        (Step::Field(name), Kind::Record { members, .. }) => members.iter().find(|m| m.name == *name).cloned(),
        (Step::Each, Kind::List(element)) | (Step::OneOrEach, Kind::OneOrList(element)) => Some(plain((**element).clone())),
        (Step::Values, Kind::Map(value)) => Some(plain((**value).clone())),
        (Step::Keys, Kind::Map(_)) | (Step::Each, Kind::Argv) => Some(of(Kind::Text { by_pattern: true })),
        (Step::Alternative(index), Kind::Union(alternatives)) => alternatives.get(*index as usize).cloned().map(plain),
        (Step::Part(part), Kind::Url { .. } | Kind::Email) => Some(of(match part {
            Part::Scheme | Part::Local => Kind::Text { by_pattern: true },
            Part::Host => Kind::Host,
            Part::Port => Kind::Number(NumberKind::Int),
            Part::Path => Kind::Path { ignore_case: false },
        })),
        (
            Step::Field(_) | Step::Each | Step::OneOrEach | Step::Values | Step::Keys | Step::Alternative(_) | Step::Part(_),
            _,
        ) => None,
    }
}
