//! Where two regions touch.

use super::{Labels, Sectors, near};
use crate::Grid;
use crate::rules::moves::{Direction, step_table};

impl Sectors {
    /// Calls `door` with the node of each cell of one region that a step leads to from another,
    /// which is a neighbour in another sector.
    pub fn doors(
        &self,
        grid: &Grid,
        (from, to): (u32, u32),
        labels: &mut [Labels; 2],
        mut door: impl FnMut(u32),
    ) {
        let (rows, steps) = (grid.rows(), step_table(self.moves.rule()));
        let sectors = [from, to].map(|region| self.sector(rows, region));
        let areas = sectors.map(|sector| self.layout.area(sector));
        for (labels, area) in labels.iter_mut().zip(areas) {
            labels.label(rows, area, self.corner_reach());
        }
        let region = |side: usize, x: u32, y: u32| {
            self.regions(sectors[side]).start + labels[side].region(x, y)
        };
        let [beyond, area] = areas;
        for y in near(area.top, area.bottom, beyond.top, beyond.bottom) {
            for x in near(area.left, area.right, beyond.left, beyond.right) {
                let node = rows.position(x, y);
                if !rows.get(node) || region(1, x, y) != to {
                    continue;
                }
                let legal = steps[rows.around(node)];
                let leads = (0..8).filter(|d| legal >> d & 1 != 0).any(|d| {
                    let (dx, dy) = (Direction::DX[d], Direction::DY[d]);
                    let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                    beyond.contains(x, y) && region(0, x, y) == from
                });
                if leads {
                    door(node);
                }
            }
        }
    }
}
