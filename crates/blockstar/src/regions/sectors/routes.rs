//! Searching the graph of regions.
//!
//! The open list orders entries completely, by total, estimate and the place of the centre: what is found
//! does not depend on the numbers that regions happen to have, which edits change.

use super::{NONE, Sectors, units};
use crate::engine::nodes::{NodeTable, ROOT};
use crate::rules::cost::Cost;
use crate::{Grid, Moves, Rule};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Memory for such searches.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    nodes: NodeTable<u64>,
    /// Total, estimate, the node of the centre, and the region.
    open: BinaryHeap<Reverse<(u64, u64, u32, u32)>>,
}

/// What a search of the regions is after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quest<'a> {
    pub sectors: &'a Sectors,
    pub grid: &'a Grid,
    pub moves: Moves,
    /// The region to reach.
    pub to: u32,
}

impl Quest<'_> {
    /// What a way between the centres of two regions costs on a map without walls.
    pub fn between(&self, a: u32, b: u32) -> u64 {
        let rows = self.grid.rows();
        let [(ax, ay), (bx, by)] =
            [a, b].map(|region| rows.coordinates(self.sectors.centre(region)));
        let (dx, dy) = (u64::from(ax.abs_diff(bx)), u64::from(ay.abs_diff(by)));
        let (straight, diagonal) = units(self.moves);
        if self.moves.rule() == Rule::Four {
            return u64::from(straight) * (dx + dy);
        }
        u64::from(straight) * dx.max(dy) + u64::from(diagonal - straight) * dx.min(dy)
    }
}

impl Routes {
    /// Begins a search at a region.
    pub fn begin(&mut self, quest: &Quest<'_>, from: u32) {
        self.nodes.begin(quest.sectors.numbers());
        self.nodes.make_parents(quest.sectors.numbers());
        self.open.clear();
        self.nodes.set(from, 0, ROOT);
        self.push(quest, from, 0);
    }

    fn push(&mut self, quest: &Quest<'_>, region: u32, g: u64) {
        let h = quest.between(region, quest.to);
        self.open.push(Reverse((g + h, h, quest.sectors.centre(region), region)));
    }

    /// The next region to expand and what it costs to get there; nothing if all that could still be
    /// reached has a total above `most`.
    pub fn pop(&mut self, most: u64) -> Option<(u32, u64)> {
        while let Some(&Reverse((total, h, _, region))) = self.open.peek() {
            if total > most {
                return None;
            }
            self.open.pop();
            if self.nodes.g(region) == total - h {
                return Some((region, total - h));
            }
        }
        None
    }

    /// Notes a way to a region over another one.
    pub fn reach(&mut self, quest: &Quest<'_>, region: u32, g: u64, over: u32) {
        if g < self.nodes.g(region) {
            self.nodes.set(region, g, 0);
            self.nodes.set_parent(region, over);
            self.push(quest, region, g);
        }
    }

    /// The least known cost of getting to a region.
    pub fn cost(&self, region: u32) -> Option<u64> {
        Some(self.nodes.g(region)).filter(|&g| g != <u64 as Cost>::MAX)
    }

    /// The region before one on the way there, [`NONE`] at the start.
    pub fn before(&self, region: u32) -> u32 {
        match self.nodes.get(region) {
            Some((_, tag)) if tag != ROOT => self.nodes.parent(region),
            _ => NONE,
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.capacity() * size_of::<(u64, u64, u32, u32)>()
    }
}
