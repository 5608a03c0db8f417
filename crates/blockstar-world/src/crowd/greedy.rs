//! Stepping without cooperation: one after the other, each to the best neighbour that is free, or
//! it stays. What one would write first, kept to compare with.

use super::stepper::{NONE, Unit, cells_of};
use super::{Ground, Stepper};

impl Stepper {
    /// All units of `by_priority` step, one after the other.
    pub(super) fn step_greedily(&mut self, ground: &(impl Ground + ?Sized), by_priority: &[u32]) {
        self.regrets.begin(self.units.len());
        for &agent in by_priority {
            let Unit { at, size, .. } = self.units[agent as usize];
            let choices = self.choices(ground, agent);
            let free = |place: &u32| {
                let mut cells = cells_of(self.width, *place, size);
                cells.all(|cell| {
                    let other = self.occupied[cell as usize];
                    other == NONE || other == agent
                })
            };
            let best =
                (0..).map_while(|choice| choices.get(choice)).map(|choice| choice.place).find(free);
            if let Some(best) = best.filter(|&best| best != at) {
                let cell = self.cell_of(best);
                self.remove(agent);
                // The place was free.
                let _ = self.place(agent, cell, size);
            }
        }
        self.ticks = self.ticks.wrapping_add(1);
    }
}
