//! Facts about a map: its size, free cells, connected parts, costs and heights.

use crate::map_file::{LoadedMap, Meaning};
use blockstar::{Cell, Grid};
use serde_json::{Value, json};

/// The facts, in order.
pub fn of(map: &LoadedMap) -> Vec<(&'static str, Value)> {
    let grid = &map.grid;
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    let parts = components(grid);
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

/// The sizes of the parts of a map that are connected by straight steps. Diagonal steps connect
/// them further only if they may pass the corners of walls.
fn components(grid: &Grid) -> Vec<usize> {
    let (width, height) = (grid.width(), grid.height());
    let at = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
    let mut seen = vec![false; width as usize * height as usize];
    let mut sizes = Vec::new();
    let mut waiting = Vec::new();
    for first in every_cell(grid).filter(|&cell| grid.is_free(cell)) {
        if std::mem::replace(&mut seen[at(first)], true) {
            continue;
        }
        waiting.push(first);
        let mut size = 0;
        while let Some(cell) = waiting.pop() {
            size += 1;
            let around = [
                (cell.x.wrapping_sub(1), cell.y),
                (cell.x + 1, cell.y),
                (cell.x, cell.y.wrapping_sub(1)),
                (cell.x, cell.y + 1),
            ];
            for next in around.map(|(x, y)| Cell::new(x, y)) {
                if grid.is_free(next) && !std::mem::replace(&mut seen[at(next)], true) {
                    waiting.push(next);
                }
            }
        }
        sizes.push(size);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_touch_at_corners_only_are_apart() {
        let parts = |drawing: &str| components(&Grid::from_ascii(drawing).unwrap());
        assert_eq!(parts("..#\n..#\n##."), [4, 1]);
        assert_eq!(parts("##\n##"), [0; 0]);
        assert_eq!(parts("...\n.#.\n..."), [8]);
    }
}
