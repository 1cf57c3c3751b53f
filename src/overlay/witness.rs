//! A counterexample of the proof → the call to show, and the words of each side about it. Knows no repairs.

use super::narrow::Context;
use super::stack::{Permit, Reason, Speaker, permits};
use super::verdict::Quote;
use crate::domain::{Call, Default, Member, Point, Presence, Slot, SlotMatcher, Value, Work, slot_contains};
use crate::policy::{LimitSetting, ListedTool, Policy, Row, Tool, ToolRef, VocabularyId};

/// What shows that a clause widens.
#[derive(Clone, Debug)]
pub(super) struct Show {
    /// The connector.
    pub vocabulary: VocabularyId,
    /// The tool that is called; `None`: none falls under the limit.
    pub tool: Option<ToolRef>,
    /// The arguments.
    pub arguments: Value,
    /// The overlay's words.
    pub permitted_by: Quote,
    /// The base's words.
    pub refused_by: Quote,
}

/// For a row: `call` lies in it and in no row of the base.
pub(super) fn of_row(cx: &Context<'_>, tool: ToolRef, row: &Row, call: &Call, work: &mut Work) -> Show {
    let declared = cx.policy.tool(tool);
    let mentioned: Vec<usize> = row.clauses.iter().map(|c| c.argument).collect();
    let refusing = refusing(cx, tool, call, Some(&mentioned), work);
    let argument = refusing.as_ref().map(|reason| reason.argument);
    let clause = row.clauses.iter().find(|c| Some(c.argument) == argument).or(row.clauses.first());
    let permitted_by = match clause {
        Some(clause) => Quote { text: super::words::in_words(&clause.path, &clause.permitted), span: clause.span },
        None => Quote { text: format!("allow {}", declared.name), span: row.span },
    };
    let refused_by = refusing.map_or_else(|| withholds(cx, tool), |reason| quote(&reason));
    Show { vocabulary: tool.vocabulary, tool: Some(tool), arguments: arguments(declared, call), permitted_by, refused_by }
}

/// For a tool in `tools` that the base has no row for.
pub(super) fn of_tool(cx: &Context<'_>, tool: ToolRef, listed: &ListedTool, call: Option<&Call>) -> Show {
    let declared = cx.policy.tool(tool);
    let arguments = call.map_or(Value::Object(Vec::new()), |call| arguments(declared, call));
    let permitted_by = Quote { text: format!("tools {}", declared.name), span: listed.span };
    Show { vocabulary: tool.vocabulary, tool: Some(tool), arguments, permitted_by, refused_by: withholds(cx, tool) }
}

/// For a limit: `found` is a call with a value that the base gives no room to.
pub(super) fn of_limit(cx: &Context<'_>, setting: &LimitSetting, found: Option<(ToolRef, Call)>, work: &mut Work) -> Show {
    let name = cx.policy.limit_name(setting.limit);
    let permitted_by = Quote { text: format!("{name} = {}", setting.permitted), span: setting.span };
    let declared = cx.base.settings(setting.limit);
    let refused_by = match (declared.last(), &found) {
        (Some((_, below)), _) => Quote { text: format!("{name} = {}", below.permitted), span: below.span },
        (None, Some((tool, call))) => {
            refusing(cx, *tool, call, None, work).map_or_else(|| withholds(cx, *tool), |reason| quote(&reason))
        }
        (None, None) => base_quote(cx),
    };
    let (tool, arguments) = match &found {
        Some((tool, call)) => (Some(*tool), arguments(cx.policy.tool(*tool), call)),
        None => (None, Value::Object(Vec::new())),
    };
    Show { vocabulary: tool.map_or(setting.limit.vocabulary, |t| t.vocabulary), tool, arguments, permitted_by, refused_by }
}

fn quote(reason: &Reason) -> Quote {
    Quote { text: reason.text.clone(), span: reason.span }
}

fn base_quote(cx: &Context<'_>) -> Quote {
    let first = cx.base.factors.first();
    Quote { text: cx.base.name().to_owned(), span: first.map_or(cx.overlay.span, |f| f.span) }
}

/// The declaration of the base that has no row for the tool.
fn withholds(cx: &Context<'_>, tool: ToolRef) -> Quote {
    let none = |permits: Option<Vec<Permit>>| permits.is_some_and(|rows| rows.is_empty());
    let silent = cx.base.factors.iter().find(|f| none(permits(cx.policy, **f, tool, &cx.base.in_force)));
    let Some(factor) = silent else { return base_quote(cx) };
    let span = factor.spoken(tool).map_or(factor.span, |spoken| spoken.span);
    Quote { text: format!("{} has no row for {}", factor.name, cx.policy.tool(tool).name), span }
}

/// What refuses the call in the row of the base that comes nearest: limits first, mentioned arguments first.
fn refusing(cx: &Context<'_>, tool: ToolRef, call: &Call, mentioned: Option<&[usize]>, work: &mut Work) -> Option<Reason> {
    let declared = cx.policy.tool(tool);
    let mut best: Option<Vec<&Reason>> = None;
    for permit in cx.base.rows(tool).ok()? {
        let speaks = |r: &&Reason| mentioned.is_none_or(|m| m.contains(&r.argument));
        let failing: Vec<&Reason> =
            permit.reasons.iter().filter(speaks).filter(|r| fails(declared, r, call, work)).collect();
        if !failing.is_empty() && best.as_ref().is_none_or(|b| distinct(&failing) < distinct(b)) {
            best = Some(failing);
        }
    }
    let best = best?;
    let limit = best.iter().find(|r| matches!(r.speaker, Speaker::Limit(_)));
    limit.or(best.first()).map(|reason| (*reason).clone())
}

fn distinct(reasons: &[&Reason]) -> usize {
    let mut arguments: Vec<usize> = reasons.iter().map(|r| r.argument).collect();
    arguments.sort_unstable();
    arguments.dedup();
    arguments.len()
}

fn fails(tool: &Tool, reason: &Reason, call: &Call, work: &mut Work) -> bool {
    let (Some(argument), Some(point)) = (tool.arguments.get(reason.argument), call.points.get(reason.argument)) else {
        return false;
    };
    !contains(&argument.member, &reason.slot, point, work)
}

/// Whether the point lies in the slot; a slot too large to compile counts as not holding it.
pub(super) fn contains(member: &Member, slot: &Slot, point: &Point, work: &mut Work) -> bool {
    SlotMatcher::compile(member, slot, work).is_ok_and(|matcher| slot_contains(&matcher, point).is_in())
}

/// The call's arguments as an object: what is absent, or what omission spells, is left out.
pub(super) fn arguments(tool: &Tool, call: &Call) -> Value {
    let written = tool.arguments.iter().zip(&call.points).filter_map(|(argument, point)| {
        let value = match point {
            Point::Value(value) if argument.member.presence == Presence::Defaulted(Default::Value(value.clone())) => {
                return None;
            }
            Point::Value(value) => value.clone(),
            Point::Unspecified if argument.member.presence == Presence::Defaulted(Default::Unspecified) => return None,
            Point::Unspecified => Value::Text("all".into()),
            Point::Absent => return None,
        };
        Some((argument.member.name.clone(), value))
    });
    Value::Object(written.collect())
}

/// `connector.tool(argument: value, …)` as tests write calls.
pub(super) fn spelled(policy: &Policy, show: &Show) -> String {
    let connector = &policy.vocabulary(show.vocabulary).name;
    let Some(tool) = show.tool else { return connector.to_string() };
    let arguments = match &show.arguments {
        Value::Object(members) => {
            members.iter().map(|(name, value)| format!("{name}: {}", crate::domain::compact(value))).collect()
        }
        // Arguments are an object.
        _other => Vec::new(),
    };
    format!("{connector}.{}({})", policy.tool(tool).name, arguments.join(", "))
}
