//! `hello`: what there is.

use super::maps::GENERATORS;
use crate::example::EXAMPLES;
use crate::frame::{Frame, Reply, object};
use crate::limits::Limits;
use crate::session::Answered;
use crate::{PROTOCOL, Session};
use blockstar::{Algorithm, Columns, Grid, Heuristic, Promise, Rule, Status};
use serde_json::Value;

pub(crate) fn answer(session: &mut Session, _: &Frame<'_>, reply: &mut Reply) -> Answered {
    let limits = &session.limits;
    reply.set("protocol", PROTOCOL);
    reply.set("version", env!("CARGO_PKG_VERSION"));
    reply.set("clock", session.clock.name());
    reply.set(
        "limits",
        object(vec![
            ("cells", limits.cells.into()),
            ("side", Grid::MAX_SIDE.into()),
            ("request", limits.request.into()),
            ("trace", limits.trace.into()),
            ("time", limits.time.into()),
            ("planners", limits.planners.into()),
            ("planner_memory", limits.planner_memory.into()),
            ("history", limits.history.into()),
            ("units", limits.units.into()),
            ("units_memory", limits.units_memory.into()),
            ("memory", limits.memory().into()),
        ]),
    );
    reply.set("map", Value::Null);
    if let Some(map) = &session.map {
        map.describe(None, reply);
    }
    let planners = Algorithm::all().iter().map(|algorithm| describe(algorithm, limits));
    reply.set("planners", planners.collect::<Vec<_>>());
    let rules = Rule::ALL.iter();
    let rules = rules
        .map(|r| object(vec![("name", r.name().into()), ("any_angle", r.is_any_angle().into())]));
    reply.set("rules", rules.collect::<Vec<_>>());
    let heuristics = Heuristic::ALL.iter().map(|h| Value::from(h.name()));
    reply.set("heuristics", heuristics.collect::<Vec<_>>());
    let statuses = [Status::Found, Status::Nearest, Status::NoPath, Status::LimitReached];
    reply.set("statuses", statuses.map(|s| Value::from(s.name())).to_vec());
    reply.set("kinds", Columns::KINDS.map(Value::from).to_vec());
    let generators = GENERATORS.iter().map(|generator| {
        let parameters = generator.parameter.iter().map(|knob| {
            object(vec![
                ("name", knob.name.into()),
                ("min", knob.min.into()),
                ("max", knob.max.into()),
                ("whole", knob.whole.into()),
                ("default", knob.default.into()),
                ("meaning", knob.meaning.into()),
            ])
        });
        object(vec![
            ("name", generator.name.into()),
            ("summary", generator.summary.into()),
            ("parameters", parameters.collect()),
        ])
    });
    reply.set("generators", generators.collect::<Vec<_>>());
    let examples = EXAMPLES.iter().map(|example| {
        object(vec![
            ("name", example.name.into()),
            ("title", example.title.into()),
            ("text", example.text.into()),
        ])
    });
    reply.set("examples", examples.collect::<Vec<_>>());
    Ok(())
}

fn describe(algorithm: &'static Algorithm, limits: &Limits) -> Value {
    let parameters = algorithm.parameters.iter().map(|parameter| {
        object(vec![
            ("name", parameter.name.into()),
            ("values", parameter.values.into()),
            ("default", parameter.default.into()),
            ("meaning", parameter.meaning.into()),
        ])
    });
    let spec = algorithm.choose();
    let optimal = |rule: &&Rule| spec.promise_under(**rule) == Promise::Optimal;
    let optimal_under = algorithm.rules.iter().filter(optimal);
    object(vec![
        ("name", algorithm.name.into()),
        ("summary", algorithm.summary.into()),
        ("source", algorithm.source.into()),
        ("promise", algorithm.promise.to_string().into()),
        ("optimal", (algorithm.promise == Promise::Optimal).into()),
        ("real_time", algorithm.walks().into()),
        ("rules", algorithm.rules.iter().map(|rule| rule.name()).collect()),
        ("optimal_under", optimal_under.map(|rule| rule.name()).collect()),
        ("terrain", algorithm.terrain.into()),
        ("heights", algorithm.heights.into()),
        ("free_points", algorithm.free_points.into()),
        ("lattice", algorithm.lattice.into()),
        ("blocks", algorithm.blocks.into()),
        ("weight", algorithm.weight.into()),
        ("avoids", algorithm.avoids.into()),
        ("partial", algorithm.partial.into()),
        ("parameters", parameters.collect()),
        ("cells", limits.cells_for(algorithm).into()),
    ])
}
