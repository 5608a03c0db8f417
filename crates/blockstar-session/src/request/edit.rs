//! `edit`, `undo`, `redo`.

use crate::Session;
use crate::brush::Stroke;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::history::{Change, Step, Travelled};
use crate::map::SessionMap;
use crate::session::{Answered, no_map};
use serde_json::json;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let limits = session.limits;
    let map = session.map.as_mut().ok_or_else(no_map)?;
    let fields = Fields(&frame.header);
    let join = fields.is_on("join")?;
    // All of it is understood before any of it is done.
    let (mut strokes, mut cells) = (Vec::new(), 0);
    for change in fields.need_list("changes")? {
        let stroke = Stroke::read(change, frame, &map.grid)?;
        cells += stroke.cells.len();
        let most = limits.history / size_of::<Change>();
        if cells > most {
            return Err(format!(
                "the edit touches more than {most} cells, which could not be undone: make it in \
                 parts, or load another map"
            ));
        }
        strokes.push(stroke);
    }
    let mut step = Step::default();
    for stroke in &strokes {
        step.first_heights |= stroke.paint.is_height() && !map.grid.has_heights();
        step.changes.extend(stroke.paint.apply(&stroke.cells, &mut map.grid));
    }
    step.first_heights &= map.grid.has_heights();
    reply.set("step", json!({ "cells": step.changes.len() }));
    let area = step.area();
    if !step.changes.is_empty() {
        map.history.push(step, join, limits.history);
        map.revision += 1;
    }
    map.describe(Some(area), reply);
    session.tell_units(area, reply);
    Ok(())
}

pub(crate) fn undo(session: &mut Session, _: &Frame<'_>, reply: &mut Reply) -> Answered {
    step(session, reply, |map| map.history.undo(&mut map.grid), "undo")
}

pub(crate) fn redo(session: &mut Session, _: &Frame<'_>, reply: &mut Reply) -> Answered {
    step(session, reply, |map| map.history.redo(&mut map.grid), "do again")
}

fn step(
    session: &mut Session,
    reply: &mut Reply,
    step: fn(&mut SessionMap) -> Option<Travelled>,
    what: &str,
) -> Result<(), Fault> {
    let map = session.map.as_mut().ok_or_else(no_map)?;
    let Travelled { area, door } =
        step(map).ok_or_else(|| format!("there is nothing to {what}"))?;
    map.revision += 1;
    map.describe(Some(area), reply);
    match door {
        Some(edit) => session.edit_door(edit, reply),
        None => {
            session.tell_units(area, reply);
            Ok(())
        }
    }
}
