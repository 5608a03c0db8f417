//! Facts about a map: its size, free cells, connected parts, costs and heights.

use crate::map_file::{LoadedMap, Meaning};
use blockstar::{Cell, Grid};
use serde_json::{Value, json};

/// The facts, in order.
pub fn of(map: &LoadedMap) -> Vec<(&'static str, Value)> {
    let grid = &map.grid;
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    let parts = blockstar_witness::parts(grid);
    let holds = match map.meaning {
        Meaning::Heights => "map with heights",
        Meaning::Occupancy | Meaning::Costs if grid.has_costs() => "map with terrain",
        _ => "map",
    };
    let mut facts = vec![
        ("file", json!(map.path.to_string_lossy())),
        ("holds", json!(holds)),
        ("format", json!(map.format.name().trim_start_matches("an ").trim_start_matches("a "))),
        ("width", json!(grid.width())),
        ("height", json!(grid.height())),
        ("free_cells", json!(grid.free_cells())),
        ("free_share", json!(grid.free_cells() as f64 / cells as f64)),
        ("components", json!(parts.len())),
        ("largest_component", json!(parts.iter().max().unwrap_or(&0))),
    ];
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        (low <= high).then_some([low, high])
    };
    let free = || every_cell(grid).filter(|&cell| grid.is_free(cell));
    if grid.has_costs() {
        facts.push(("costs", json!(range(&mut free().map(|cell| grid.cost(cell))))));
    }
    if grid.has_heights() {
        let heights = &mut free().filter_map(|cell| grid.height_at(cell)).map(f64::from);
        facts.push(("heights", json!(range(heights))));
    }
    if let Some(ground) = &map.ground {
        facts.push(("cell_size", json!(ground.cell_size)));
        facts.extend(ground.notes.iter().map(|note| ("note", json!(note))));
    }
    if let Some(ros) = &map.ros {
        facts.push(("resolution", json!(ros.resolution)));
    }
    facts
}

fn every_cell(grid: &Grid) -> impl Iterator<Item = Cell> + '_ {
    (0..grid.height()).flat_map(move |y| (0..grid.width()).map(move |x| Cell::new(x, y)))
}
