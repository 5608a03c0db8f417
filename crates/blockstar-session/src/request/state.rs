//! `state` and `forget`: what the session holds.

use crate::Session;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::question;
use crate::session::Answered;
use serde_json::json;

pub(crate) fn answer(session: &mut Session, _: &Frame<'_>, reply: &mut Reply) -> Answered {
    let kept = session.planners.all();
    let planners: usize = kept.iter().map(|kept| kept.bytes()).sum();
    let search = session.scratch.memory_usage() + session.traced.memory_usage();
    let units = session.living.as_ref().map_or(0, |living| living.bytes());
    let (mut grid, mut history) = (0, 0);
    if let Some(map) = &session.map {
        (grid, history) = (map.grid.memory_usage(), map.history.bytes());
        map.describe(None, reply);
    }
    reply.set(
        "memory",
        json!({
            "map": grid,
            "history": history,
            "planners": planners,
            "search": search,
            "units": units,
            "total": grid + history + planners + search + units,
        }),
    );
    let stale = |version: &dyn Fn(&blockstar::Grid) -> bool| {
        session.map.as_ref().is_some_and(|map| version(&map.grid))
    };
    let listed = kept.iter().map(|kept| {
        json!({
            "planner": kept.spec.to_string(),
            "moves": kept.moves.to_string(),
            "memory": kept.bytes(),
            "stale": stale(&|grid| kept.is_stale(grid)),
        })
    });
    reply.set("planners", listed.collect::<Vec<_>>());
    Ok(())
}

pub(crate) fn forget(session: &mut Session, frame: &Frame<'_>, _: &mut Reply) -> Result<(), Fault> {
    let fields = Fields(&frame.header);
    let Some(text) = fields.text("planner")? else {
        session.planners.clear();
        return Ok(());
    };
    let spec = question::planner(text)?;
    let moves = fields.moves(session.map.as_ref().map_or(1.0, |map| map.cell_size))?;
    session.planners.retain(|kept| !kept.is(&spec, moves));
    Ok(())
}
