//! `cell`: what is known of one cell.

use super::structure;
use crate::Session;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::session::Answered;
use blockstar::{Cell, Layer, Rect, Shapes};
use serde_json::{Value, json};

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let map = session.need_map()?;
    let (grid, fields) = (&map.grid, Fields(&frame.header));
    let (cell, width) = (fields.need_cell("cell")?, grid.width());
    if !grid.contains(cell) {
        let height = grid.height();
        return Err(format!("the cell {cell} is not on the map of {width} x {height} cells"));
    }
    reply.set("free", grid.is_free(cell));
    reply.set("cost", grid.cost(cell));
    reply.set("height", grid.height_at(cell));
    reply.set("slope", steepest(session, cell)?);
    if fields.get("planner").is_some() {
        let layers = structure::layers(session, fields)?;
        let facts = layers.iter().filter_map(|layer| fact(layer, cell, width));
        reply.set("facts", facts.collect::<Vec<_>>());
    }
    Ok(())
}

/// What a layer says about a cell.
fn fact(layer: &Layer, cell: Cell, width: u32) -> Option<Value> {
    let holds = |rect: &Rect| {
        cell.x.wrapping_sub(rect.x) < rect.width && cell.y.wrapping_sub(rect.y) < rect.height
    };
    let number = match &layer.shapes {
        Shapes::Rects(rects) => {
            let (rect, number) = rects.iter().find(|(rect, _)| holds(rect))?;
            let sharing = rects.iter().filter(|other| other.1 == *number).count();
            let Rect { x, y, width, height } = *rect;
            return Some(json!({
                "name": layer.name, "rect": [x, y, width, height],
                "number": numbered(*number), "sharing": sharing,
            }));
        }
        Shapes::Cells(labels) => *labels.get((cell.y * width + cell.x) as usize)?,
        Shapes::Points(points) => points.iter().find(|point| point.0.cell() == cell)?.1,
        _ => return None,
    };
    let sharing = match &layer.shapes {
        Shapes::Cells(labels) => labels.iter().filter(|label| **label == number).count(),
        _ => 1,
    };
    Some(json!({ "name": layer.name, "number": numbered(number), "sharing": sharing }))
}

fn numbered(number: u32) -> Option<u32> {
    Some(number).filter(|number| *number != Layer::NONE)
}

/// The steepest step from a cell to one of its neighbours, as rise over run.
fn steepest(session: &Session, cell: Cell) -> Result<Option<f64>, Fault> {
    let map = session.need_map()?;
    let Some(here) = map.grid.height_at(cell) else { return Ok(None) };
    let mut steepest: f64 = 0.0;
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)] {
        let neighbour = (cell.x.checked_add_signed(dx), cell.y.checked_add_signed(dy));
        let (Some(x), Some(y)) = neighbour else { continue };
        if let Some(there) = map.grid.height_at(Cell::new(x, y)) {
            let run = map.cell_size * f64::from(dx * dx + dy * dy).sqrt();
            steepest = steepest.max(f64::from((there - here).abs()) / run);
        }
    }
    Ok(Some(steepest))
}
