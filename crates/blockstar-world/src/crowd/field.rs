//! Exact distances to one goal from every cell, two bytes each: for small maps, where each unit can
//! have its own, and for goals that many share.

use super::preference::{STEPS, permits_diagonal};
use super::window::StepCost;
use blockstar::{Cell, Grid, Rule};

/// Not reached.
const FAR: u16 = u16::MAX;

/// The most cells of a map with fields: no distance on it exceeds two bytes.
pub(super) fn most_cells(rule: Rule) -> u64 {
    let cost = StepCost::of(rule);
    u64::from((u32::from(FAR) - 1) / cost.straight.max(cost.diagonal))
}

/// Distances to a goal.
#[derive(Clone, Debug)]
pub(super) struct Field {
    width: u32,
    distances: Vec<u16>,
}

impl Field {
    /// The distances to a goal on a map of at most [`most_cells`].
    pub fn new(grid: &Grid, rule: Rule, goal: Cell) -> Self {
        let (width, cost) = (grid.width(), StepCost::of(rule));
        let mut distances = vec![FAR; (width * grid.height()) as usize];
        let mut buckets: [Vec<Cell>; 8] = Default::default();
        let mut waiting = 0;
        if grid.is_free(goal) {
            distances[(goal.y * width + goal.x) as usize] = 0;
            buckets[0].push(goal);
            waiting = 1;
        }
        let mut level = 0;
        while waiting > 0 {
            while let Some(cell) = buckets[level as usize % 8].pop() {
                waiting -= 1;
                if u32::from(distances[(cell.y * width + cell.x) as usize]) != level {
                    continue;
                }
                let mut may = [false; 4];
                for (direction, &(dx, dy)) in STEPS.iter().enumerate() {
                    let diagonal = direction >= 4;
                    if diagonal {
                        let (a, b) = (may[direction - 4], may[(direction - 3) % 4]);
                        if !permits_diagonal(rule, a, b) {
                            continue;
                        }
                    }
                    let to =
                        Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                    if !grid.is_free(to) {
                        continue;
                    }
                    if !diagonal {
                        may[direction] = true;
                    }
                    let distance = level + if diagonal { cost.diagonal } else { cost.straight };
                    let known = &mut distances[(to.y * width + to.x) as usize];
                    if distance < u32::from(*known) {
                        *known = distance as u16;
                        buckets[distance as usize % 8].push(to);
                        waiting += 1;
                    }
                }
            }
            level += 1;
        }
        Self { width, distances }
    }

    /// The distance from a cell of the map; `u32::MAX` if there is no way.
    pub fn distance(&self, cell: Cell) -> u32 {
        match self.distances[(cell.y * self.width + cell.x) as usize] {
            FAR => u32::MAX,
            near => near.into(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.distances.capacity() * size_of::<u16>()
    }
}
