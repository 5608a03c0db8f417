//! A short way around those who stand still: A* over a few cells.
//!
//! It looks at the ground near by and at who stands there, which no prepared planner could know, and
//! ends after a bounded number of expansions.

use crate::layer::Layer;
use crate::measure::{DIAGONAL, STRAIGHT, apart, may_step, stepped, steps};
use blockstar::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A way that was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// All cells, the start included.
    pub cells: Vec<Cell>,
    pub cost: u32,
}

/// The shortest way that enters no cell of `taken`, if it is found within so many expansions, which
/// are counted off.
pub(crate) fn search(
    layer: &Layer,
    from: Cell,
    to: Cell,
    budget: &mut u32,
    most: u32,
    taken: impl Fn(Cell) -> bool,
) -> Option<Found> {
    let rule = layer.rule();
    let mut open = BinaryHeap::from([Reverse((apart(rule, from, to), 0, from))]);
    // Costs and the cells before.
    let mut nodes = BTreeMap::from([(from, (0_u32, from))]);
    let mut left = most.min(*budget);
    while let Some(Reverse((_, minus, cell))) = open.pop() {
        let cost = u32::MAX - minus;
        let cost = if cell == from { 0 } else { cost };
        if nodes.get(&cell).is_none_or(|node| node.0 != cost) {
            continue;
        }
        if cell == to {
            return Some(trace(&nodes, to, cost));
        }
        if left == 0 {
            return None;
        }
        left -= 1;
        *budget -= 1;
        for &step in steps(rule) {
            if !may_step(&layer.grid, rule, cell, step) {
                continue;
            }
            let Some(next) = stepped(cell, step) else { continue };
            if taken(next) {
                continue;
            }
            let unit = if step.0 != 0 && step.1 != 0 { DIAGONAL } else { STRAIGHT };
            let sum = cost.saturating_add(unit * layer.factor(next) / 256);
            let node = nodes.entry(next).or_insert((u32::MAX, cell));
            if sum < node.0 {
                *node = (sum, cell);
                let total = sum.saturating_add(apart(rule, next, to));
                // Of equal totals the one that has come farthest.
                open.push(Reverse((total, u32::MAX - sum, next)));
            }
        }
    }
    None
}

fn trace(nodes: &BTreeMap<Cell, (u32, Cell)>, to: Cell, cost: u32) -> Found {
    let mut cells = vec![to];
    let mut at = to;
    while let Some(&(known, before)) = nodes.get(&at) {
        if known == 0 || before == at {
            break;
        }
        cells.push(before);
        at = before;
    }
    cells.reverse();
    Found { cells, cost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;
    use crate::map::Map;
    use blockstar::{Grid, Moves};

    #[test]
    fn it_goes_around_who_stands_there() {
        let map = Map::new(&Grid::new(9, 3).unwrap());
        let layer = Layer::new(&map, &Class::new("x"), Moves::EIGHT).unwrap();
        let (from, to) = (Cell::new(0, 1), Cell::new(8, 1));
        let stands = |cell: Cell| cell.x == 4 && cell.y < 2;
        let mut budget = 100;
        let found = search(&layer, from, to, &mut budget, 64, stands).unwrap();
        assert_eq!(found.cells.len(), 9);
        assert_eq!(found.cost, 6 * STRAIGHT + 2 * DIAGONAL);
        assert_eq!((found.cells[0], found.cells[8]), (from, to));
        assert!(budget < 100 && search(&layer, from, to, &mut budget, 3, stands).is_none());
        assert!(search(&layer, from, to, &mut budget, 64, |cell| cell.x == 4).is_none());
    }
}
