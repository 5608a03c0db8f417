//! `hello`: what there is.

use super::maps::GENERATORS;
use crate::example::EXAMPLES;
use crate::frame::{Fault, Frame, Reply};
use crate::limits::Limits;
use crate::{PROTOCOL, Session};
use blockstar::{Algorithm, Columns, Grid, Heuristic, Promise, Rule, Status};
use serde_json::{Value, json};

pub(crate) fn answer(session: &mut Session, _: &Frame<'_>, reply: &mut Reply) -> Result<(), Fault> {
    let limits = &session.limits;
    reply.set("protocol", PROTOCOL);
    reply.set("version", env!("CARGO_PKG_VERSION"));
    reply.set("clock", session.clock.name());
    reply.set(
        "limits",
        json!({
            "cells": limits.cells,
            "side": Grid::MAX_SIDE,
            "request": limits.request,
            "trace": limits.trace,
            "time": limits.time,
            "planners": limits.planners,
            "planner_memory": limits.planner_memory,
            "history": limits.history,
            "units": limits.units,
            "units_memory": limits.units_memory,
            "memory": limits.memory(),
        }),
    );
    reply.set("map", Value::Null);
    if let Some(map) = &session.map {
        map.describe(None, reply);
    }
    let planners = Algorithm::all().iter().map(|algorithm| describe(algorithm, limits));
    reply.set("planners", planners.collect::<Vec<_>>());
    let rules = Rule::ALL.iter();
    let rules = rules.map(|r| json!({ "name": r.name(), "any_angle": r.is_any_angle() }));
    reply.set("rules", rules.collect::<Vec<_>>());
    let heuristics = Heuristic::ALL.iter().map(|h| Value::from(h.name()));
    reply.set("heuristics", heuristics.collect::<Vec<_>>());
    let statuses = [Status::Found, Status::Nearest, Status::NoPath, Status::LimitReached];
    reply.set("statuses", statuses.map(|s| Value::from(s.name())).to_vec());
    reply.set("kinds", Columns::KINDS.map(Value::from).to_vec());
    let generators = GENERATORS.iter().map(|generator| {
        json!({
            "name": generator.name,
            "summary": generator.summary,
            "parameters": generator.parameter.iter().map(|p| json!({
                "name": p.name, "min": p.min, "max": p.max, "whole": p.whole,
                "default": p.default, "meaning": p.meaning,
            })).collect::<Vec<_>>(),
        })
    });
    reply.set("generators", generators.collect::<Vec<_>>());
    let examples = EXAMPLES.iter().map(
        |example| json!({ "name": example.name, "title": example.title, "text": example.text }),
    );
    reply.set("examples", examples.collect::<Vec<_>>());
    Ok(())
}

fn describe(algorithm: &Algorithm, limits: &Limits) -> Value {
    let parameters = algorithm.parameters.iter().map(|parameter| {
        json!({
            "name": parameter.name,
            "values": parameter.values,
            "default": parameter.default,
            "meaning": parameter.meaning,
        })
    });
    json!({
        "name": algorithm.name,
        "summary": algorithm.summary,
        "source": algorithm.source,
        "promise": algorithm.promise.to_string(),
        "optimal": algorithm.promise == Promise::Optimal,
        "real_time": algorithm.promise == Promise::RealTime,
        "rules": algorithm.rules.iter().map(|rule| rule.name()).collect::<Vec<_>>(),
        "terrain": algorithm.terrain,
        "heights": algorithm.heights,
        "free_points": algorithm.free_points,
        "lattice": algorithm.lattice,
        "blocks": algorithm.blocks,
        "weight": algorithm.weight,
        "avoids": algorithm.avoids,
        "partial": algorithm.partial,
        "parameters": parameters.collect::<Vec<_>>(),
        "cells": limits.cells_for(algorithm),
    })
}
