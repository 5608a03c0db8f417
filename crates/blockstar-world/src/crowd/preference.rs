//! In which order a unit tries the places it could step to.
//!
//! Nearer places come first. Among equals, the hindrance tie-break of K. Okumura & H. Nagai
//! (*Lightweight and effective preference construction in PIBT for large-scale multi-agent
//! pathfinding*, SoCS 2025): a place counts one for each neighbour that would come nearer to
//! its goal by stepping there itself. Then comes what the choice was found to cost others
//! (`regret.rs`). What is still equal goes by a number that depends on the unit, the step and the
//! direction alone.

use super::stepper::{NONE, Unit};
use super::{Ground, Stepper};
use blockstar::{Cell, Rule};

/// Eight steps, and staying.
pub(super) const MOST_CHOICES: usize = 9;

/// The places that a unit can be at after the step, best first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    ranked: [Choice; MOST_CHOICES],
    count: u8,
}

/// A place that a unit could be at after the step. They are compared from the first member to the
/// last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Choice {
    pub distance: u32,
    hindrance: u32,
    regret: u32,
    luck: u32,
    pub place: u32,
    /// Of [`STEPS`], or [`STAY`].
    pub direction: u8,
}

/// The direction of staying.
pub(super) const STAY: u8 = 8;

impl Choices {
    /// Worst first.
    pub fn reverse(&mut self) {
        self.ranked[..usize::from(self.count)].reverse();
    }

    /// The first, of which there is always one.
    pub fn first(&self) -> Choice {
        self.ranked[0]
    }

    pub fn get(&self, index: u8) -> Option<Choice> {
        (index < self.count).then(|| self.ranked[usize::from(index)])
    }
}

/// The straight steps first, so that a rule of four takes the first half.
pub(super) const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

impl Stepper {
    /// The places that a unit could step to.
    pub(super) fn choices(&self, ground: &(impl Ground + ?Sized), agent: u32) -> Choices {
        let Unit { at, size, .. } = self.units[agent as usize];
        let here = self.cell_of(at);
        let choice = |cell: Cell, distance: u32, direction: u8| Choice {
            distance,
            hindrance: 0,
            regret: self.regrets.of(agent, direction),
            luck: if direction == STAY { 0 } else { mixed(agent, self.ticks, direction.into()) },
            place: self.number(cell),
            direction,
        };
        let stay = choice(here, ground.distance(agent, here), STAY);
        let mut ranked = [stay; MOST_CHOICES];
        let mut count = 1;
        let mut may = [false; 4];
        for (direction, &step) in STEPS.iter().enumerate() {
            let diagonal = direction >= 4;
            if diagonal {
                let (left, right) = (may[direction - 4], may[(direction - 3) % 4]);
                if !permits_diagonal(self.rule, left, right) {
                    continue;
                }
            }
            let Some(cell) = self.stepped(here, step, size) else { continue };
            if !ground.may_enter(agent, cell) {
                continue;
            }
            if !diagonal {
                may[direction] = true;
            }
            let distance = ground.distance(agent, cell);
            if distance != u32::MAX {
                ranked[count] = choice(cell, distance, direction as u8);
                count += 1;
            }
        }
        self.add_hindrance(ground, agent, &mut ranked[..count]);
        ranked[..count].sort_unstable();
        Choices { ranked, count: count as u8 }
    }

    /// Counts, for each place, the neighbours that want to be there.
    fn add_hindrance(&self, ground: &(impl Ground + ?Sized), agent: u32, ranked: &mut [Choice]) {
        let Unit { at, size, .. } = self.units[agent as usize];
        if size != 1 {
            return;
        }
        let steps = if self.rule == Rule::Four { &STEPS[..4] } else { &STEPS[..] };
        for &step in steps {
            let Some(cell) = self.stepped(self.cell_of(at), step, 1) else { continue };
            let number = self.number(cell);
            let other = self.occupied[number as usize];
            if other == NONE || self.units[other as usize].size != 1 {
                continue;
            }
            let its = ground.distance(other, cell);
            for choice in ranked.iter_mut().filter(|choice| choice.place != number) {
                let there = ground.distance(other, self.cell_of(choice.place));
                choice.hindrance += u32::from(there < its);
            }
        }
    }

    /// The place a step away, if a unit of this size there lies within the map.
    pub(super) fn stepped(&self, cell: Cell, (dx, dy): (i32, i32), size: u8) -> Option<Cell> {
        let x = cell.x.checked_add_signed(dx)?;
        let y = cell.y.checked_add_signed(dy)?;
        Some(Cell::new(x, y)).filter(|&cell| self.fits(cell, size))
    }
}

/// Whether a rule permits a diagonal step where the two straight ones beside it are possible or not.
pub(super) fn permits_diagonal(rule: Rule, left: bool, right: bool) -> bool {
    match rule {
        Rule::Four => false,
        Rule::EightCutOne => left || right,
        Rule::EightCutAny => true,
        _ => left && right,
    }
}

/// A number that looks random but depends on these three alone.
fn mixed(agent: u32, tick: u32, direction: u32) -> u32 {
    let mut z = u64::from(agent) << 32 | u64::from(tick) << 3 | u64::from(direction);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 33) as u32
}
