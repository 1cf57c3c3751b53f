//! A checked policy → calls near what it permits, and facts.

use super::Rng;
use super::layers::PROVIDERS;
use crate::candidates;
use crate::gate::Gate;
use crate::json::Json;
use crate::member::{Point, Tri};
use crate::situation::Situation;
use bailiwick::domain::{Presence, Slot};
use bailiwick::policy::{Row, ToolRef};

/// What may be given for one argument: `None` is nothing.
type Given = Option<Json>;

/// The calls of one tool.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Which tool.
    pub id: ToolRef,
    /// The connector's name.
    pub connector: String,
    /// The tool's name.
    pub tool: String,
    names: Vec<String>,
    all: Vec<Vec<Given>>,
    /// For each choice of rows, what passes, argument by argument.
    good: Vec<Vec<Vec<Given>>>,
    /// Where the tool carries another's call: the arguments that do, and the pools of the others.
    inner: Option<((String, String), Vec<Pool>)>,
}

impl Pool {
    /// The pool of a tool.
    pub fn new(rng: &mut Rng, situation: &Situation, id: ToolRef) -> Pool {
        let gate = Gate::bare(situation, id);
        let choices = row_choices(rng, &gate);
        let mut all: Vec<Vec<Given>> = Vec::new();
        for (i, argument) in gate.tool.arguments.iter().enumerate() {
            let mut given = possible(&gate, i);
            while given.len() > 60 {
                given.swap_remove(rng.below(given.len()));
            }
            if argument.member.presence != Presence::Required {
                given.push(None);
            }
            if argument.member.wildcard {
                given.push(Some(Json::str("all")));
            }
            all.push(given);
        }
        let inner = gate.tool.dispatch.map(|dispatch| {
            let name = |argument: usize| gate.tool.arguments[argument].member.name.to_string();
            let others = situation.policy.vocabulary(id.vocabulary).tools.iter().enumerate();
            let others = others.filter(|(_, t)| t.dispatch.is_none()).map(|(tool, _)| ToolRef { tool, ..id });
            ((name(dispatch.name), name(dispatch.arguments)), others.map(|id| Pool::new(rng, situation, id)).collect())
        });
        let good = choices
            .iter()
            .map(|rows| {
                all.iter()
                    .enumerate()
                    .map(|(i, given)| given.iter().filter(|g| passes(&gate, rows, i, g)).cloned().collect())
                    .collect()
            })
            .collect();
        Pool {
            id,
            connector: situation.policy.vocabulary(id.vocabulary).name.to_string(),
            tool: gate.tool.name.to_string(),
            names: gate.tool.arguments.iter().map(|a| a.member.name.to_string()).collect(),
            all,
            good,
            inner,
        }
    }

    /// A call: mostly permitted, or but for one argument, or anything.
    pub fn call(&self, rng: &mut Rng) -> Json {
        let good = if self.good.is_empty() { None } else { Some(rng.pick(&self.good).clone()) };
        let anything = rng.chance(8);
        let spoiled = if rng.chance(30) { rng.below(self.names.len()) } else { usize::MAX };
        let mut members = Vec::new();
        for (i, name) in self.names.iter().enumerate() {
            let from = match &good {
                Some(good) if !anything && i != spoiled && !good[i].is_empty() => &good[i],
                Some(_) | None => &self.all[i],
            };
            if let Some(Some(v)) = from.get(rng.below(from.len())).cloned() {
                members.push((name.clone(), v));
            }
        }
        if rng.chance(50) {
            members.reverse();
        }
        self.carry(rng, &mut members);
        let mut call = Json::Obj(members);
        if rng.chance(7) {
            spoil(rng, &mut call);
        }
        call
    }
}

impl Pool {
    /// Mostly, a call to another tool in the arguments that carry one.
    fn carry(&self, rng: &mut Rng, members: &mut Vec<(String, Json)>) {
        let Some(((name, arguments), pools)) = &self.inner else { return };
        if pools.is_empty() || rng.chance(8) {
            return;
        }
        let pool = rng.pick(pools);
        let inner = pool.call(rng);
        let left_out = inner == Json::Obj(vec![]) && rng.chance(50);
        members.retain(|(n, _)| n != name && n != arguments);
        members.push((name.clone(), Json::str(&pool.tool)));
        if !left_out {
            members.push((arguments.clone(), inner));
        }
    }

    /// The tools whose arguments a call may carry.
    fn tools(&self) -> impl Iterator<Item = ToolRef> + '_ {
        let inner = self.inner.iter().flat_map(|(_, pools)| pools).map(|p| p.id);
        std::iter::once(self.id).chain(inner)
    }
}

fn row_choices<'p>(rng: &mut Rng, gate: &Gate<'p>) -> Vec<Vec<&'p Row>> {
    let layers = gate.layers_of_rows().unwrap_or_default();
    (0..4).map(|_| layers.iter().filter(|(_, rows)| !rows.is_empty()).map(|(_, rows)| *rng.pick(rows)).collect()).collect()
}

/// Everything worth giving for an argument.
fn possible(gate: &Gate, argument: usize) -> Vec<Given> {
    let member = &gate.tool.arguments[argument].member;
    let slots: Vec<Slot> = gate.slots_on(argument);
    let sets: Vec<_> = slots.iter().map(|s| &s.values).collect();
    let mut found: Vec<Given> = candidates::candidates(&member.ty, &sets).into_iter().map(Some).collect();
    if member.ty.null {
        found.push(Some(Json::Null));
    }
    found
}

fn passes(gate: &Gate, rows: &[&Row], argument: usize, given: &Given) -> bool {
    let member = &gate.tool.arguments[argument].member;
    let mut call = vec![Point::Absent; gate.tool.arguments.len()];
    call[argument] = crate::member::point(member, given.as_ref());
    let clauses = rows.iter().flat_map(|r| &r.clauses).filter(|c| c.argument == argument);
    let open = call[argument] == Point::Unspecified;
    open || (clauses.into_iter().all(|c| gate.clause(c, &call) == Tri::In) && gate.limits_on(&[argument], &call))
}

/// Makes a call wrong in itself.
fn spoil(rng: &mut Rng, call: &mut Json) {
    let Json::Obj(members) = call else { return };
    match rng.below(4) {
        0 => members.push(("zz".to_owned(), Json::Bool(true))),
        1 if !members.is_empty() => {
            members.remove(rng.below(members.len()));
        }
        2 if !members.is_empty() => {
            let i = rng.below(members.len());
            members[i].1 =
                rng.pick(&[Json::Null, Json::str("\u{0}"), Json::num("1.5"), Json::Bool(true), Json::Obj(vec![])]).clone();
        }
        _ => *call = Json::List(vec![]),
    }
}

/// The bytes of a call: mostly plain, at times with blanks, or broken.
pub fn bytes(rng: &mut Rng, call: &Json) -> Vec<u8> {
    let text = call.canonical();
    match rng.below(60) {
        0 => text.replace(',', " ,\n").into_bytes(),
        1 => format!("{text}}}").into_bytes(),
        2 => text.replacen('{', "{\"zz\":1,\"zz\":1,", 1).into_bytes(),
        _ => text.into_bytes(),
    }
}

/// Facts for one call.
pub fn facts(rng: &mut Rng, situation: &Situation, pool: &Pool) -> Json {
    let mut facts: Vec<(&str, Json)> = Vec::new();
    let policy = situation.policy;
    if policy.deployment.is_some() {
        let states = ["ready", "ready", "ready", "degraded", "offline", "unknown", "odd"];
        let mut providers = Vec::new();
        for name in PROVIDERS {
            if rng.chance(69) {
                providers.push((name.to_owned(), provider(rng, pool, states)));
            }
        }
        facts.push(("providers", Json::Obj(providers)));
        if rng.chance(75) {
            facts.push(("consent", Json::List(vec![Json::str("c0"), Json::str("c1")])));
        }
        if rng.chance(8) {
            facts.push(("mode", Json::str(rng.pick(&["plan", "normal", "nosuch"]))));
        }
    }
    if rng.chance(28) {
        let places = pool.tools().flat_map(|id| &policy.tool(id).places);
        let limits = places.map(|p| p.limit).filter(|l| policy.limit(*l).one);
        let values = ["ka:x", "x", "kb:y", "y", "kc:z", "ab"];
        let bindings: Vec<_> = limits.map(|l| (policy.limit_name(l), Json::str(rng.pick(&values)))).collect();
        if !bindings.is_empty() {
            let mut seen = std::collections::BTreeSet::new();
            facts.push(("bindings", Json::Obj(bindings.into_iter().filter(|(n, _)| seen.insert(n.clone())).collect())));
        }
    }
    if rng.chance(4) {
        let keys = [
            "mode",
            "consent",
            "approvals",
            "providers",
            "bindings",
            "resolved_paths",
            "routes",
            "on_behalf_of",
            "generation",
            "overlays",
            "zz",
        ];
        let key = *rng.pick(&keys);
        facts.retain(|(k, _)| *k != key);
        facts.push((key, Json::str("unavailable")));
    }
    if rng.chance(4) {
        let to = *rng.pick(&["p0", "p1", "local", "nobody"]);
        let capability = policy.tool(pool.id).capability.to_string();
        facts.retain(|(k, _)| *k != "routes");
        facts.push(("routes", Json::Obj(vec![(capability, Json::str(to))])));
    }
    if rng.chance(8) && !pool.names.is_empty() {
        let mut at = format!("/{}{}", rng.pick(&pool.names), rng.pick(&["", "", "/0"]));
        if let Some(((_, arguments), pools)) = &pool.inner
            && let Some(inner) = pools.first().and_then(|p| p.names.first())
        {
            at = format!("/{arguments}/{inner}");
        }
        facts.retain(|(k, _)| *k != "resolved_paths");
        facts.push(("resolved_paths", Json::Obj(vec![(at, Json::str(rng.pick(&["/w/a", "/etc/hosts", "/zz", "~"])))])));
    }
    Json::Obj(facts.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
}

fn provider(rng: &mut Rng, pool: &Pool, states: [&str; 7]) -> Json {
    let state = Json::str(rng.pick(&states));
    if rng.chance(60) {
        return state;
    }
    let digest = Json::str(rng.pick(&["sha256:aa", "sha256:bb"]));
    let mut entry = vec![("digest".to_owned(), digest)];
    if rng.chance(80) {
        entry.push(("native".to_owned(), Json::str("n")));
    }
    let tools = Json::Obj(vec![(format!("{}.{}", pool.connector, pool.tool), Json::Obj(entry))]);
    Json::Obj(vec![("state".to_owned(), state), ("tools".to_owned(), tools)])
}
