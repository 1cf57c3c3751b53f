//! Is there any call to a tool that every layer permits, under any facts? Every choice of one row per layer, and for each
//! the points worth trying, argument by argument (an argument and those that can name it together).

use crate::candidates;
use crate::gate::Gate;
use crate::json::Json;
use crate::member::{Point, Tri};
use crate::places;
use crate::situation::{InForce, Setting, split};
use bailiwick::domain::{Atom, Set, Slot};
use bailiwick::policy::{Row, Tool};

impl Gate<'_> {
    /// Whether no call is permitted under any facts.
    pub fn is_hidden(&self) -> bool {
        Gate::bare(self.situation, self.id).permits_nothing(None)
    }

    /// Whether no call is permitted with what the session binds, in which something stands at the place `carried`.
    pub fn permits_nothing(&self, carried: Option<usize>) -> bool {
        let Some(layers) = self.layers_of_rows() else { return true };
        let mut choices: Vec<Vec<(InForce, &Row)>> = vec![vec![]];
        for (layer, rows) in &layers {
            let live: Vec<&Row> = rows.iter().copied().filter(|r| self.void(layer, r).is_none()).collect();
            choices =
                choices.iter().flat_map(|c| live.iter().map(move |r| [c.as_slice(), &[(*layer, *r)]].concat())).collect();
        }
        !choices.iter().any(|rows| self.permits_something(rows, carried))
    }

    fn permits_something(&self, rows: &[(InForce, &Row)], carried: Option<usize>) -> bool {
        dimensions(self.tool).iter().all(|dimension| self.satisfiable(dimension, rows, carried))
    }

    /// Whether some points of these arguments pass all limits and all clauses of `rows` that speak of them.
    fn satisfiable(&self, dimension: &[usize], chosen: &[(InForce, &Row)], carried: Option<usize>) -> bool {
        let sizes: Vec<_> = chosen.iter().flat_map(|(layer, row)| self.sizes_implied(layer, row)).collect();
        let rows = &chosen.iter().map(|(_, row)| *row).collect::<Vec<_>>();
        let clauses: Vec<_> = rows.iter().flat_map(|r| &r.clauses).filter(|c| dimension.contains(&c.argument)).collect();
        let mut calls: Vec<Vec<Point>> = vec![vec![Point::Absent; self.tool.arguments.len()]];
        for argument in dimension {
            let slots = self.slots_of(*argument, rows);
            let mut points = candidates::points(&self.tool.arguments[*argument].member, &slots.iter().collect::<Vec<_>>());
            let bound = self.tool.places.iter().filter(|p| p.argument == *argument).flat_map(|p| self.bound(p.limit));
            let lists = |v: &Json| (1..=4).map(|count| Point::Value(Json::List(vec![v.clone(); count]))).collect::<Vec<_>>();
            points.extend(bound.flat_map(|v| [lists(&v), vec![Point::Value(v)]].concat()));
            if self.tool.couplings.iter().any(|c| c.named == *argument) {
                // Each value is named by texts of its own, so none stands for another.
                let all = candidates::candidates(&self.tool.arguments[*argument].member.ty, &[]);
                points.extend(all.into_iter().map(Point::Value));
            }
            points.retain(|p| match p {
                Point::Value(v) => crate::formed::well_formed(&self.tool.arguments[*argument].member.ty, v),
                Point::Absent | Point::Unspecified => true,
            });
            for place in carried.map(|c| &self.tool.places[c]).iter().filter(|c| c.argument == *argument) {
                points.retain(|p| places::carries(&self.tool.arguments[*argument].member, &place.steps, p));
            }
            let with = |call: &Vec<Point>, p: &Point| {
                let mut call = call.clone();
                call[*argument] = p.clone();
                call
            };
            calls = calls.iter().flat_map(|c| points.iter().map(move |p| with(c, p))).take(50_000).collect();
        }
        calls.iter().any(|call| {
            clauses.iter().all(|c| self.clause(c, call) == Tri::In)
                && sizes.iter().filter(|list| dimension.contains(&list.argument)).all(|list| {
                    let member = &self.tool.arguments[list.argument].member;
                    !crate::places::is_empty_at(member, &list.steps, &call[list.argument])
                })
                && self.incoherent(call).is_none()
                && self.limits_on(dimension, call)
        })
    }

    /// What is asked of an argument by every row and limit.
    pub fn slots_on(&self, argument: usize) -> Vec<Slot> {
        let layers = self.layers_of_rows().unwrap_or_default();
        let rows: Vec<&Row> = layers.into_iter().flat_map(|(_, rows)| rows).collect();
        self.slots_of(argument, &rows)
    }

    /// The limits, asked only of places in `dimension`.
    pub fn limits_on(&self, dimension: &[usize], call: &[Point]) -> bool {
        let kept = Tool { places: self.tool.places.clone(), ..self.tool.clone() };
        let outside = |p: &bailiwick::policy::Place| !dimension.contains(&p.argument);
        if kept.places.iter().any(outside) {
            // Places outside are asked of a point that passes everywhere: take them away, and with them the indices.
            let mut tool = kept;
            let indices: Vec<usize> =
                (0..tool.places.len()).filter(|i| dimension.contains(&tool.places[*i].argument)).collect();
            tool.couplings.retain(|c| indices.contains(&c.place));
            tool.couplings.iter_mut().for_each(|c| c.place = indices.iter().position(|i| *i == c.place).unwrap_or(0));
            tool.places.retain(|p| !outside(p));
            let part = Gate {
                situation: self.situation,
                id: self.id,
                tool: &tool,
                session: self.session.clone(),
                refused: vec![],
                resolved: self.resolved.clone(),
            };
            return self.situation.limits_of(&tool).into_iter().all(|l| part.limit(l, call) == Tri::In);
        }
        self.situation.limits_of(self.tool).into_iter().all(|l| self.limit(l, call) == Tri::In)
    }

    /// What is asked of an argument, as slots, so that candidates answer it both ways.
    fn slots_of(&self, argument: usize, rows: &[&Row]) -> Vec<Slot> {
        let clauses = rows.iter().flat_map(|r| &r.clauses).filter(|c| c.argument == argument);
        let mut slots: Vec<Slot> = clauses.map(|c| c.slot.clone()).collect();
        slots.extend(self.sets_on(argument).into_iter().map(|values| Slot { values, null: true, absent: true }));
        for place in self.tool.places.iter().filter(|p| p.argument == argument) {
            let Some(within) = &self.situation.policy.limit(place.limit).within else { continue };
            let speaks = self.settings(place.limit).into_iter().chain(self.settings(within.limit));
            let bound = speaks.filter_map(|s| if let Setting::Bound(v) = s { v.text().map(str::to_owned) } else { None });
            let names = within.values.iter().map(|v| Atom::Prefix(format!("{v}{}", within.separator).into()));
            let rests: Vec<String> = bound.map(|b| split(self.situation.policy, place.limit, &b).1.to_owned()).collect();
            let named = within.values.iter().flat_map(|v| rests.iter().map(move |r| format!("{v}{}{r}", within.separator)));
            let spellings: Vec<String> = named.chain(rests.clone()).collect();
            let literals = spellings.into_iter().map(|b| Atom::OneOf(vec![bailiwick::domain::Value::Text(b.into())]));
            for atom in names.chain(literals) {
                let values = crate::settle::lifted(&place.steps, &Set::Atom(atom));
                slots.push(Slot { values, null: true, absent: true });
            }
        }
        slots
    }
}

/// Arguments that must be looked at together.
fn dimensions(tool: &Tool) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = (0..tool.arguments.len()).map(|i| vec![i]).collect();
    for coupling in &tool.couplings {
        let pair = [tool.places[coupling.place].argument, coupling.named];
        let (together, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| pair.iter().any(|a| g.contains(a)));
        groups = apart;
        groups.push(together.concat());
    }
    groups
}
