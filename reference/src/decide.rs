//! The whole decision (decision.md, "Admission, in the order in which it is settled"), one question after the other.

use crate::changes::{Change, changes};
use crate::facts::{self, Facts};
use crate::formed::member_formed;
use crate::gate::{Gate, Grade};
use crate::json::{self, Json};
use crate::member::{self, Point, Polarity, Tri};
use crate::route::{self, Chosen, Route};
use crate::settle::{Outcome, Settled};
use crate::situation::{Setting, Situation, names, split};
use crate::{formed, places};
use bailiwick::domain::{Kind, Presence};
use bailiwick::policy::{Dispatch, Effect, LimitRef, Tool, ToolRef, VocabularyId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// A question to decide.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The connector's name.
    pub connector: &'q str,
    /// The tool's name.
    pub tool: &'q str,
    /// The arguments, as they came.
    pub arguments: &'q [u8],
    /// The facts.
    pub facts: &'q Json,
    /// The digest of the table that decides, for approvals.
    pub table: &'q str,
}

/// What is compared with the compiled path's decision.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Decision {
    /// `admission_status`.
    pub status: &'static str,
    /// The deciding code.
    pub code: Option<&'static str>,
    /// The deciding limit.
    pub limit: Option<String>,
    /// What is forwarded.
    pub arguments: Option<Json>,
    /// `provider_id`.
    pub provider_id: Option<String>,
    /// `route`.
    pub route: Option<&'static str>,
    /// `fallback_from`.
    pub fallback_from: Option<String>,
    /// What was changed on the way, when Ready.
    pub rewrites: Vec<Change>,
    /// What the host must still do, when Ready, names resolved to addresses apart.
    pub obligations: Vec<&'static str>,
}

impl Decision {
    fn of(status: &'static str, code: &'static str) -> Decision {
        Decision { status, code: Some(code), ..Decision::default() }
    }

    fn blocked(code: &'static str) -> Decision {
        Decision::of("PolicyBlocked", code)
    }

    fn at(status: &'static str, chosen: Chosen) -> Decision {
        let Chosen { provider, route, fallback_from } = chosen;
        Decision { status, provider_id: Some(provider), route: Some(route), fallback_from, ..Decision::default() }
    }
}

/// Decides one call.
pub fn decide(situation: &Situation, question: &Question) -> Decision {
    let Some(arguments) = json::read(question.arguments) else { return Decision::of("Malformed", "not-json") };
    let Some(id) = find(situation, question) else { return Decision::of("Malformed", "unknown-tool") };
    let bare = Gate::bare(situation, id);
    if bare.is_hidden() {
        return Decision::of("Hidden", "hidden");
    }
    admit(situation, id, question, &arguments)
}

/// The tool of a name.
pub fn find(situation: &Situation, question: &Question) -> Option<ToolRef> {
    let vocabulary = situation.policy.vocabularies.iter().position(|v| *v.name == *question.connector)?;
    let tool = situation.policy.vocabularies[vocabulary].tools.iter().position(|t| *t.name == *question.tool)?;
    Some(ToolRef { vocabulary: VocabularyId(vocabulary), tool })
}

/// Decides one call to a tool that is not hidden.
pub fn admit(situation: &Situation, id: ToolRef, question: &Question, arguments: &Json) -> Decision {
    let facts = read_facts(situation, question);
    let permitted = match judge(situation, id, arguments, &facts, Level::Outer) {
        Ok(permitted) => permitted,
        Err(decision) => return *decision,
    };
    let layers: Vec<_> = situation.layers.iter().map(|l| l.layer).collect();
    let route = route::route(situation.policy, &layers, &facts, id);
    if let Route::Blocked(code, provider_id) = route {
        return Decision { provider_id, ..Decision::blocked(code) };
    }
    if permitted.grade == Grade::Ask && facts.unavailable.contains("approvals") {
        return Decision::blocked("facts-unavailable");
    }
    let digest = args_digest(situation, question, &permitted.forwarded);
    let approved = facts.approvals.iter().any(|(d, t)| *d == digest && t == question.table);
    if permitted.grade == Grade::Ask && !approved {
        return Decision::blocked("approval");
    }
    match route {
        Route::Blocked(..) => unreachable!("returned above"),
        Route::Unsupported => Decision { status: "Unsupported", ..Decision::default() },
        Route::Missing(chosen) => Decision::at("MissingRuntimeBinding", chosen),
        Route::Offline(chosen) => Decision::at("ProviderOffline", chosen),
        Route::Ready(chosen) => {
            let rewrites = changes(arguments, &permitted.forwarded);
            let obligations = permitted.obligations.into_iter().collect();
            Decision { arguments: Some(permitted.forwarded), rewrites, obligations, ..Decision::at("Ready", chosen) }
        }
    }
}

/// The facts; with a binding that is misnamed none of them counts.
fn read_facts(situation: &Situation, question: &Question) -> Facts {
    let mut facts = facts::read(question.facts);
    if !facts.bindings.iter().all(|(name, _)| is_one_of(situation, name)) {
        facts.unavailable.insert("bindings".to_owned());
        facts.bindings.clear();
    }
    facts
}

/// Whether a call came by itself, or within a call that dispatches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Outer,
    Inner,
}

/// A call that the policy permits.
struct Permitted {
    forwarded: Json,
    grade: Grade,
    effects: Vec<Effect>,
    obligations: BTreeSet<&'static str>,
}

/// The policy's part, up to and with mode, consent, limits, rows and bindings.
fn judge(
    situation: &Situation,
    id: ToolRef,
    arguments: &Json,
    facts: &Facts,
    level: Level,
) -> Result<Permitted, Box<Decision>> {
    let mut gate = Gate::bare(situation, id);
    let refused = bind(&mut gate, facts);
    gate.refused = refused.clone();
    if !formed_arguments(&gate, arguments) {
        return Err(Box::new(Decision::of("Malformed", "arguments")));
    }
    gate.resolved = facts.resolved_paths.clone();
    let outcome = gate.settle(arguments);
    let (call, grade) = match &outcome {
        Outcome::Permitted(settled) if refused.is_empty() => (&settled.call, settled.grade),
        Outcome::Permitted(Settled { call, .. }) | Outcome::Refused(call, _) => (call, Grade::Refuse),
    };
    let inner = gate.tool.dispatch.map(|dispatch| inner(&gate, dispatch, call, facts, level));
    let effects = match &inner {
        None => effects(gate.tool, call),
        Some(inner) => inner.as_ref().map(|(_, permitted)| permitted.effects.clone()).unwrap_or_default(),
    };
    let paths = governed_paths(&gate, call);
    if unavailable(&gate, facts, &effects, &paths) {
        return Err(Box::new(Decision::blocked("facts-unavailable")));
    }
    let connector = &situation.policy.vocabulary(id.vocabulary).name;
    if let Some(code) = standing(situation, facts, &effects, connector) {
        return Err(Box::new(Decision::blocked(code)));
    }
    if let Outcome::Refused(_, refusal) = &outcome {
        let limit = refusal.limit.map(|l| situation.policy.limit_name(l));
        return Err(Box::new(Decision { limit, ..Decision::blocked(refusal.code) }));
    }
    if let Some(None) = inner {
        return Err(Box::new(Decision::blocked("inner-call")));
    }
    if let Some(limit) = refused.first() {
        let limit = Some(situation.policy.limit_name(*limit));
        return Err(Box::new(Decision { limit, ..Decision::blocked("binding-refused") }));
    }
    let mut obligations = BTreeSet::new();
    if paths.iter().any(|(p, _)| !facts.resolved_paths.contains_key(p)) {
        obligations.insert("resolve_beneath");
    }
    if !governed(&gate, call, &|kind| matches!(kind, Kind::Url { .. })).is_empty() {
        obligations.insert("recheck_on_redirect");
    }
    let mut permitted = Permitted { forwarded: forwarded(&gate, arguments, call), grade, effects, obligations };
    if let Some(Some((name, inner))) = inner {
        permitted.grade = permitted.grade.min(inner.grade);
        permitted.obligations.extend(inner.obligations);
        carry(&mut permitted.forwarded, &name, inner.forwarded);
    }
    Ok(permitted)
}

/// The call within a call, if it is permitted: the argument that carries its arguments, and what is forwarded there.
fn inner(gate: &Gate, dispatch: Dispatch, call: &[Point], facts: &Facts, level: Level) -> Option<(String, Permitted)> {
    let (Level::Outer, Point::Value(Json::Str(name))) = (level, &call[dispatch.name]) else { return None };
    let tools = &gate.situation.policy.vocabulary(gate.id.vocabulary).tools;
    let id = ToolRef { tool: tools.iter().position(|t| *t.name == **name)?, ..gate.id };
    if Gate::bare(gate.situation, id).is_hidden() {
        return None;
    }
    let carrier = gate.tool.arguments[dispatch.arguments].member.name.to_string();
    let arguments = match &call[dispatch.arguments] {
        Point::Value(object @ Json::Obj(_)) => object.clone(),
        Point::Absent => Json::Obj(vec![]),
        Point::Value(_) | Point::Unspecified => return None,
    };
    // Pointers into the inner arguments begin where those stand.
    let mut own = facts.clone();
    let start = format!("/{}", places::escape(&carrier));
    let below =
        facts.resolved_paths.iter().filter_map(|(at, found)| Some((at.strip_prefix(&start)?.to_owned(), found.clone())));
    own.resolved_paths = below.collect();
    judge(gate.situation, id, &arguments, &own, Level::Inner).ok().map(|permitted| (carrier, permitted))
}

/// Puts the inner arguments in place; where none came and none are put in, none are forwarded.
fn carry(outer: &mut Json, name: &str, inner: Json) {
    let Json::Obj(members) = outer else { return };
    match members.iter_mut().find(|(n, _)| n == name) {
        Some((_, value)) => *value = inner,
        None if inner == Json::Obj(vec![]) => {}
        None => members.push((name.to_owned(), inner)),
    }
}

/// The digest that would have to be approved, if the policy permits the call.
pub fn digest_to_approve(situation: &Situation, id: ToolRef, question: &Question) -> Option<String> {
    let arguments = json::read(question.arguments)?;
    let permitted = judge(situation, id, &arguments, &read_facts(situation, question), Level::Outer).ok()?;
    Some(args_digest(situation, question, &permitted.forwarded))
}

/// SHA-256 over agent, connector, tool and arguments as forwarded.
pub fn args_digest(situation: &Situation, question: &Question, forwarded: &Json) -> String {
    let agent = &situation.policy.agents[situation.agent.0].name;
    let whole = Json::Obj(vec![
        ("agent".to_owned(), Json::str(agent)),
        ("connector".to_owned(), Json::str(question.connector)),
        ("tool".to_owned(), Json::str(question.tool)),
        ("arguments".to_owned(), forwarded.clone()),
    ]);
    let digest = Sha256::digest(whole.canonical().as_bytes());
    format!("sha256:{}", digest.iter().map(|b| format!("{b:02x}")).collect::<String>())
}

/// Whether a qualified name is that of a `one of` limit.
fn is_one_of(situation: &Situation, name: &str) -> bool {
    situation.policy.vocabularies.iter().any(|v| v.limits.iter().any(|l| l.one && format!("{}.{}", v.name, l.name) == name))
}

/// Takes the session's bindings, by name (members of an object have no order); gives the limits whose binding is refused.
fn bind(gate: &mut Gate, facts: &Facts) -> Vec<LimitRef> {
    let mut refused = Vec::new();
    let mut bindings = facts.bindings.clone();
    bindings.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, value) in &bindings {
        let policy = gate.situation.policy;
        let places = gate.tool.places.iter().map(|p| p.limit);
        let Some(limit) = places.into_iter().find(|l| policy.limit_name(*l) == *name) else { continue };
        if may_bind(gate, limit, value) { gate.session.push((limit, value.clone())) } else { refused.push(limit) }
    }
    refused
}

fn may_bind(gate: &Gate, limit: LimitRef, value: &Json) -> bool {
    let policy = gate.situation.policy;
    let declared = policy.limit(limit);
    if !declared.one || !formed::well_formed(&declared.ty, value) {
        return false;
    }
    let name_rest = |v: &Json| {
        let (name, rest) = split(policy, limit, v.text().unwrap_or(""));
        (name, rest.to_owned())
    };
    let same = |other: &Json| {
        if declared.within.is_none() {
            return places::canonical(&declared.ty, other) == places::canonical(&declared.ty, value);
        }
        let ((a, a_rest), (b, b_rest)) = (name_rest(other), name_rest(value));
        a_rest == b_rest && (a.is_none() || b.is_none() || a == b)
    };
    let named = declared.within.as_ref().and_then(|w| name_rest(value).0.map(|n| (w.limit, n)));
    let within = named.is_none_or(|(outer, name)| {
        gate.settings(outer).iter().all(|s| match s {
            Setting::Set(slot) => names(&policy.limit(outer).ty, &slot.values, &name) == Tri::In,
            Setting::Bound(b) => b.text() == Some(&name),
            Setting::Single => true,
        })
    });
    within && gate.bound(limit).iter().all(same) && leaves_something(gate, limit, value)
}

/// Whether some tool that takes the value would still permit a call that carries it: null and absence carry none.
fn leaves_something(gate: &Gate, limit: LimitRef, value: &Json) -> bool {
    let key = format!("{:?} {limit:?} {value:?}", gate.session);
    if let Some(known) = gate.situation.bindings.borrow().get(&key) {
        return *known;
    }
    let takes = |t: &ToolRef| gate.situation.policy.tool(*t).places.iter().any(|p| p.limit == limit);
    let leaves = crate::generate::tools(gate.situation.policy).into_iter().filter(takes).any(|t| {
        let mut bound = Gate::bare(gate.situation, t);
        bound.session = gate.session.clone();
        bound.session.push((limit, value.clone()));
        let places = bound.tool.places.iter().enumerate().filter(|(_, p)| p.limit == limit);
        places.into_iter().any(|(place, _)| !bound.permits_nothing(Some(place)))
    });
    gate.situation.bindings.borrow_mut().insert(key, leaves);
    leaves
}

/// Undeclared, missing (unless bound) or ill-typed arguments.
fn formed_arguments(gate: &Gate, arguments: &Json) -> bool {
    let Json::Obj(given) = arguments else { return false };
    let declared = |name: &str| gate.tool.arguments.iter().find(|a| *a.member.name == *name);
    let formed =
        given.iter().all(|(name, value)| declared(name).map_or(gate.tool.open, |a| member_formed(&a.member, value)));
    let there = |name: &str| given.iter().any(|(n, _)| n == name);
    formed
        && gate
            .tool
            .arguments
            .iter()
            .enumerate()
            .all(|(i, a)| a.member.presence != Presence::Required || there(&a.member.name) || gate.bound_value(i).is_some())
}

/// The effects in force for a call.
pub fn effects(tool: &Tool, call: &[Point]) -> Vec<Effect> {
    let holds = |rule: &&bailiwick::policy::EffectRule| match &rule.when {
        None => true,
        Some((argument, slot)) => {
            let member = &tool.arguments[*argument].member;
            member::both(|w| member::in_slot(member, slot, &call[*argument], w, Polarity::Permits)) == Tri::In
        }
    };
    let mut effects: Vec<Effect> = tool.effects.iter().filter(holds).map(|r| r.effect).collect();
    let reads = effects.contains(&Effect::Reads);
    if effects.contains(&Effect::Irreversible) || (!reads && !effects.contains(&Effect::Mutates)) {
        effects.push(Effect::Mutates);
    }
    effects
}

/// Pointers of the governed paths of a call.
fn governed_paths(gate: &Gate, call: &[Point]) -> Vec<(String, Json)> {
    governed(gate, call, &|kind| matches!(kind, Kind::Path { .. }))
}

/// Pointers of the governed strings of some kinds.
fn governed(gate: &Gate, call: &[Point], wanted: &dyn Fn(&Kind) -> bool) -> Vec<(String, Json)> {
    let mut found = Vec::new();
    for (i, argument) in gate.tool.arguments.iter().enumerate() {
        if let Point::Value(v) = &call[i] {
            let at = format!("/{}", places::escape(&argument.member.name));
            found.extend(places::pointers(&argument.member.ty, v, &at, &[], &gate.locations(i), wanted));
        }
    }
    found
}

fn unavailable(gate: &Gate, facts: &Facts, effects: &[Effect], paths: &[(String, Json)]) -> bool {
    let deployment = gate.situation.policy.deployment.as_ref();
    facts.unavailable.iter().any(|key| match key.as_str() {
        "providers" | "routes" => deployment.is_some(),
        "consent" => deployment.is_some_and(|d| d.consent.iter().any(|e| effects.contains(e))),
        "approvals" => false, // asked last, with approval itself
        "bindings" => gate.tool.places.iter().any(|p| gate.situation.policy.limit(p.limit).one),
        "resolved_paths" => !paths.is_empty(),
        "on_behalf_of" | "listing_generation" => false,
        _ => true, // mode, overlays, generation, and every key nobody knows
    })
}

/// Mode, then consent.
fn standing(situation: &Situation, facts: &Facts, effects: &[Effect], connector: &str) -> Option<&'static str> {
    let deployment = situation.policy.deployment.as_ref();
    let mode = facts.mode.as_deref().unwrap_or("normal");
    let declared = deployment.and_then(|d| d.modes.iter().find(|m| *m.name == *mode));
    let blocks = match declared {
        Some(mode) => mode.blocks.iter().any(|e| effects.contains(e)),
        None => mode != "normal",
    };
    let asks = deployment.is_some_and(|d| d.consent.iter().any(|e| effects.contains(e)));
    match (blocks, asks && !facts.consent.iter().any(|c| c == connector)) {
        (true, _) => Some("mode"),
        (false, true) => Some("consent"),
        (false, false) => None,
    }
}

/// What is forwarded: what came, with what settling had to say said.
fn forwarded(gate: &Gate, arguments: &Json, call: &[Point]) -> Json {
    let Json::Obj(given) = arguments else { return arguments.clone() };
    let settled: BTreeMap<&str, (usize, &Point)> =
        gate.tool.arguments.iter().enumerate().map(|(i, a)| (&*a.member.name, (i, &call[i]))).collect();
    let mut out: Vec<(String, Json)> = given
        .iter()
        .map(|(name, value)| match settled.get(name.as_str()) {
            Some((_, Point::Value(v))) => (name.clone(), v.clone()),
            Some((_, Point::Absent | Point::Unspecified)) | None => (name.clone(), value.clone()),
        })
        .collect();
    for (name, (argument, point)) in settled {
        if let (false, Point::Value(v)) = (given.iter().any(|(n, _)| n == name), point)
            && gate.governed(argument)
        {
            out.push((name.to_owned(), v.clone()));
        }
    }
    Json::Obj(out)
}
