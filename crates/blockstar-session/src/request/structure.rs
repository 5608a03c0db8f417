//! `structure`: what a planner has prepared, for drawing.

use crate::Session;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::question;
use crate::session::{Answered, no_map};
use blockstar::{Layer, Shapes};
use serde_json::json;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let layers = layers(session, Fields(&frame.header))?;
    let described = layers.iter().enumerate().map(|(index, layer)| {
        let column = |name: &str| format!("{index}.{name}");
        let (kind, count) = match &layer.shapes {
            Shapes::Rects(rects) => {
                let sides = rects.iter().flat_map(|(r, _)| [r.x, r.y, r.width, r.height]);
                reply.column_of(column("rects"), rects.len() * 4, sides);
                reply.column_of(column("groups"), rects.len(), rects.iter().map(|rect| rect.1));
                ("rects", rects.len())
            }
            Shapes::Cells(labels) => {
                reply.column(column("labels"), labels);
                ("cells", labels.len())
            }
            Shapes::Points(points) => {
                let places = points.iter().flat_map(|(point, _)| [point.x(), point.y()]);
                reply.column_of(column("points"), points.len() * 2, places);
                reply.column_of(column("groups"), points.len(), points.iter().map(|p| p.1));
                ("points", points.len())
            }
            Shapes::Links(links) => {
                let ends = links.iter().flat_map(|(a, b)| [a.x(), a.y(), b.x(), b.y()]);
                reply.column_of(column("ends"), links.len() * 4, ends);
                ("links", links.len())
            }
            _ => ("unknown", 0),
        };
        json!({ "name": layer.name, "meaning": layer.meaning, "kind": kind, "count": count })
    });
    let described: Vec<_> = described.collect();
    reply.set("layers", described);
    Ok(())
}

/// The layers of the planner that the fields name, prepared now if need be.
pub(crate) fn layers(session: &mut Session, fields: Fields<'_>) -> Result<Vec<Layer>, Fault> {
    let Session { limits, clock, map, planners, .. } = session;
    let map = map.as_ref().ok_or_else(no_map)?;
    let spec = question::planner(fields.need_text("planner")?)?;
    let moves = fields.moves(map.cell_size)?;
    let (planner, _) = planners.ready(&spec, moves, &map.grid, limits, clock)?;
    planner.layers(&map.grid).map_err(|error| error.to_string())
}
