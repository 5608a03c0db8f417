//! Edits: what is repaired equals what would be built.
//!
//! A scan depends on the bits that it reads. If a cell is blocked or freed, bits change in the 3 x 3
//! cells around it: the cell's own, and which of them are subgoals of which slant. Whoever is
//! directly reachable from a cell reads it, and the other way round, so a scan *from* each changed
//! cell, on the map as it was, finds all subgoals whose scans are to be made again, and in which
//! quadrant. There is one exception: a diagonal step needs both cells beside it free, and reads them
//! even where the scan does not look beyond the diagonal. So the subgoals on the four diagonals that
//! pass the cell are looked for too.
//!
//! Nothing here depends on the size of the map.

use super::Subgoals;
use super::corners::{Corners, Slant};
use super::graph::{Edge, Parts};
use super::scan;
use crate::sort;

/// What the repair of one edit has to look at.
#[derive(Debug, Default)]
pub(super) struct Repair {
    /// Subgoals with the parts that are to be scanned again.
    marks: Vec<(u32, Parts)>,
    /// The subgoals whose edges may have changed.
    pub touched: Vec<u32>,
    /// Those among them that are new.
    pub added: Vec<u32>,
    edges: Vec<Edge>,
}

/// A cell with its corners before and after the edit.
type Change = ((u32, u32), Corners, Corners);

impl Subgoals {
    /// Blocks or frees a cell that was free or blocked.
    pub(super) fn toggle(&mut self, cell: (u32, u32), free: bool, repair: &mut Repair) {
        let (changes, count) = self.corners_around(cell, free);
        let changes = &changes[..count];
        repair.marks.clear();
        self.mark_who_sees(cell, changes, &mut repair.marks);
        self.mark_diagonals(cell, &mut repair.marks);
        self.apply(cell, free, changes, repair);
        self.scan_again(repair);
    }

    /// The cells whose corners change with an edit, and the edited cell in any case, first.
    fn corners_around(&mut self, cell: (u32, u32), free: bool) -> ([Change; 9], usize) {
        let mut list = [(cell, Corners::default(), Corners::default()); 9];
        let mut count = 1;
        let (width, height) = self.ground.size();
        for i in 0..8 {
            let x = cell.0.wrapping_add_signed(crate::rules::moves::Direction::DX[i]);
            let y = cell.1.wrapping_add_signed(crate::rules::moves::Direction::DY[i]);
            if x < width && y < height {
                list[count].0 = (x, y);
                count += 1;
            }
        }
        for change in &mut list[..count] {
            change.1 = self.ground.corners(change.0);
        }
        self.ground.put(cell, free);
        for change in &mut list[..count] {
            change.2 = self.ground.corners(change.0);
        }
        self.ground.put(cell, !free);
        let mut kept = 1;
        for i in 1..count {
            if list[i].1 != list[i].2 {
                list[kept] = list[i];
                kept += 1;
            }
        }
        (list, kept)
    }

    /// Marks the subgoals that read a bit that is about to change.
    fn mark_who_sees(&self, edited: (u32, u32), changes: &[Change], marks: &mut Vec<(u32, Parts)>) {
        let Self { ground, graph, .. } = self;
        for &(cell, before, after) in changes {
            let differs = |slant: Slant| cell == edited || before.has(slant) != after.has(slant);
            for quadrant in scan::QUADRANTS {
                if differs(scan::slant_of(quadrant)) {
                    let facing = Parts::quadrant(quadrant + 2);
                    scan::look(ground, cell, quadrant, &mut |seen| {
                        marks.push((graph.number(ground, seen.at), facing));
                    });
                }
            }
            for slant in Slant::BOTH.into_iter().filter(|&slant| differs(slant)) {
                scan::slanted_rays(ground, cell, slant, |at, facing| {
                    marks.push((graph.number(ground, at), Parts::quadrant(facing)));
                });
            }
            if cell == edited || before.is_none() != after.is_none() {
                scan::rays(ground, cell, |seen| {
                    marks.push((graph.number(ground, seen.at), Parts::RAYS));
                });
            }
        }
    }

    /// Marks the subgoals whose diagonals pass a cell.
    fn mark_diagonals(&self, (x, y): (u32, u32), marks: &mut Vec<(u32, Parts)>) {
        let Self { ground, graph, .. } = self;
        // North, east, south, west.
        let (dx, dy) = ([0, 1, 0, -1], [-1, 0, 1, 0]);
        let beside = |i: usize| (x.wrapping_add_signed(dx[i]), y.wrapping_add_signed(dy[i]));
        for i in 0..4 {
            let (one, other) = (beside(i), beside((i + 1) % 4));
            let corner = (one.0.wrapping_add_signed(dx[(i + 1) % 4]), one.1);
            let corner = (corner.0, corner.1.wrapping_add_signed(dy[(i + 1) % 4]));
            if ![one, other, corner].into_iter().all(|cell| ground.is_free(cell)) {
                continue;
            }
            let outwards = i as u8 + 3;
            for (from, quadrant) in [(one, outwards), (other, outwards + 2)] {
                scan::along_diagonal(ground, from, quadrant, |cell| {
                    let facing = Parts::quadrant(quadrant + 2);
                    marks.push((graph.number(ground, cell), facing));
                });
            }
        }
    }

    /// Changes the bits, and which subgoals there are.
    fn apply(&mut self, edited: (u32, u32), free: bool, changes: &[Change], repair: &mut Repair) {
        let Self { ground, graph, .. } = self;
        repair.added.clear();
        ground.put(edited, free);
        for &(cell, before, after) in changes {
            ground.mark(cell, after);
            match (before.is_none(), after.is_none()) {
                (true, true) => continue,
                (true, false) => {
                    let number = graph.add(ground, cell, after);
                    repair.added.push(number);
                    repair.marks.push((number, Parts::ALL));
                }
                (false, true) => graph.remove(ground, cell),
                (false, false) => {
                    let number = graph.number(ground, cell);
                    graph.set_corners(number, after);
                    repair.marks.push((number, Parts::ALL));
                }
            }
        }
    }

    /// Makes the scans again that were marked.
    fn scan_again(&mut self, repair: &mut Repair) {
        let Self { ground, graph, .. } = self;
        let Repair { marks, touched, edges, .. } = repair;
        sort::by_key(marks, |mark| mark.0);
        touched.clear();
        for same in marks.chunk_by(|a, b| a.0 == b.0) {
            let number = same[0].0;
            let node = graph.node(number);
            if node.is_none() {
                continue;
            }
            let parts = same.iter().fold(same[0].1, |parts, mark| parts.and(mark.1));
            graph.scan(ground, node, parts, edges);
            graph.set_edges(number, edges);
            touched.push(number);
        }
    }
}
