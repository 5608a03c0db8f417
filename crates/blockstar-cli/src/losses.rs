//! What is lost when a map is written to a file.

use crate::map_file::{Format, LoadedMap};
use blockstar::{Cell, Grid};
use blockstar_files::Target;

/// What is lost when heights are written as this kind of file, one sentence each.
pub fn of_heights(target: Target, grid: &Grid, cell_size: f64) -> Vec<String> {
    let mut losses = Vec::new();
    let blocked = grid.free_cells() < (grid.width() * grid.height()) as usize;
    if blocked && matches!(target, Target::Picture(_)) {
        losses.push("which cells are blocked or have no height: they are filled".into());
    }
    if cell_size != 1.0 && target != Target::Esri {
        losses.push(format!("the cell size: read it with --cell-size {cell_size}"));
    }
    losses
}

/// What is lost when a map is written as this kind of file, one sentence each.
pub fn of_map(target: Target, map: &LoadedMap) -> Vec<String> {
    let mut losses = Vec::new();
    let grid = &map.grid;
    if grid.has_costs() {
        match target {
            Target::MovingAi | Target::Picture(_) | Target::Table | Target::Esri => {
                losses.push("the terrain costs: every free cell costs 1".into());
            }
            Target::Drawing => {
                let rounded = cells(grid).filter(|&cell| !is_digit(grid.cost(cell))).count();
                if rounded > 0 {
                    losses.push(format!(
                        "the exact terrain costs of {rounded} cells: rounded to whole numbers \
                         from 1 to 9"
                    ));
                }
            }
        }
    }
    if grid.has_heights() {
        losses.push("the heights".into());
    }
    if map.ros.is_some() {
        losses.push("scale, origin and unknown cells of the ROS map".into());
    }
    if map.format == Format::Picture && !matches!(target, Target::Picture(_)) {
        losses.push("colours and shades: cells are free or blocked".into());
    }
    losses
}

/// The free cells of a map.
fn cells(grid: &Grid) -> impl Iterator<Item = Cell> + '_ {
    (0..grid.height())
        .flat_map(move |y| (0..grid.width()).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_free(cell))
}

/// Whether a drawing can hold this cost.
fn is_digit(cost: f64) -> bool {
    cost.fract() == 0.0 && (1.0..=9.0).contains(&cost)
}
