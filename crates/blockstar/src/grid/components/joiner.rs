//! Makes regions and links of a group out of those of the nodes in it.
//!
//! A union-find over the links within the group joins their border regions. Those that touch one of
//! the group's own sides are numbered first, in the order in which they are met. Links that leave
//! the group become links between groups.

use super::forest::Forest;
use super::levels::{Level, SPAN};
use super::node::{Link, Offset, Sides};
use crate::grid::raster::raster;
use crate::sort;
use std::ops::Range;

/// Buffers that are reused for the next group.
#[derive(Clone, Debug, Default)]
pub(super) struct Joiner {
    /// Over the border regions of all nodes.
    forest: Forest,
    /// By root the sides of the group that a region touches, and its number.
    touched: Vec<Sides>,
    numbers: Vec<u32>,
    /// The sides of those that are numbered first.
    sides: Vec<Sides>,
    links: Vec<Link>,
}

/// The columns and rows of the nodes in a group.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

impl Members {
    /// Columns and rows, row by row.
    pub fn each(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let [columns, rows] =
            [&self.columns, &self.rows].map(|range| range.start as u32..range.end as u32);
        raster(columns, rows).map(|(column, row)| (column as usize, row as usize))
    }

    /// Which group a node is in, seen from this one.
    #[inline]
    fn group_of(&self, (column, row): (usize, usize)) -> Offset {
        (usize::from(column >= self.columns.end), usize::from(row >= self.rows.end))
    }

    /// The place of a node among those of the group.
    #[inline]
    fn index(&self, (column, row): (usize, usize)) -> usize {
        (row - self.rows.start) * SPAN + column - self.columns.start
    }

    /// The sides that a node shares with the group.
    fn shared_sides(&self, (column, row): (usize, usize)) -> Sides {
        Sides::NORTH.only_if(row == self.rows.start)
            | Sides::SOUTH.only_if(row + 1 == self.rows.end)
            | Sides::WEST.only_if(column == self.columns.start)
            | Sides::EAST.only_if(column + 1 == self.columns.end)
    }
}

impl Joiner {
    /// Joins the regions of a group and tells those of its nodes. Returns whether that told any of
    /// them something new.
    pub fn join(&mut self, below: &mut Level, members: &Members) -> bool {
        let mut firsts = [0; SPAN * SPAN];
        let mut count = 0;
        for at in members.each() {
            firsts[members.index(at)] = count;
            count += below.node(at.0, at.1).borders.len() as u32;
        }
        self.forest.reset(count);
        for (column, row) in members.each() {
            for link in &below.node(column, row).links {
                let ends = link.pair.ends().map(|(east, south)| (column + east, row + south));
                if ends.map(|end| members.group_of(end)) == [(0, 0); 2] {
                    let [from, to] = ends.map(|end| firsts[members.index(end)]);
                    self.forest.join(from + u32::from(link.from), to + u32::from(link.to));
                }
            }
        }
        self.forest.flatten();
        self.number(below, members, count);
        self.tell(below, members)
    }

    /// Numbers the regions by their roots.
    fn number(&mut self, below: &Level, members: &Members, count: u32) {
        let roots = self.forest.parents();
        self.touched.clear();
        self.touched.resize(count as usize, Sides::NONE);
        let mut root = roots.iter();
        for at in members.each() {
            let shared = members.shared_sides(at);
            for (border, &root) in below.node(at.0, at.1).borders.iter().zip(&mut root) {
                self.touched[root as usize] |= border.sides & shared;
            }
        }
        self.numbers.clear();
        self.numbers.resize(count as usize, 0);
        self.sides.clear();
        for (number, &sides) in self.numbers.iter_mut().zip(&self.touched) {
            // Only roots have sides.
            if sides != Sides::NONE {
                *number = self.sides.len() as u32;
                self.sides.push(sides);
            }
        }
        let mut next = self.sides.len() as u32;
        for (node, &root) in roots.iter().enumerate() {
            if root as usize == node && self.touched[node] == Sides::NONE {
                self.numbers[node] = next;
                next += 1;
            }
        }
    }

    /// Tells the regions below their numbers here.
    fn tell(&self, below: &mut Level, members: &Members) -> bool {
        let mut news = false;
        let mut root = self.forest.parents().iter();
        for (column, row) in members.each() {
            let node = &mut below.nodes[row * below.columns + column];
            for (border, &root) in node.borders.iter_mut().zip(&mut root) {
                let up = self.numbers[root as usize];
                news |= border.up != up;
                border.up = up;
            }
        }
        news
    }

    /// The sides that each region touches which has some, of the group that was joined last.
    pub fn sides(&self) -> &[Sides] {
        &self.sides
    }

    /// The links that a group keeps, sorted. All groups that they lead to must have been joined.
    pub fn links(&mut self, below: &Level, members: &Members) -> &[Link] {
        self.links.clear();
        for (column, row) in members.each() {
            // Only the last ones reach beyond the group.
            if column + 1 < members.columns.end && row + 1 < members.rows.end {
                continue;
            }
            for link in &below.node(column, row).links {
                let end = |(east, south), region: u16| {
                    let at = (column + east, row + south);
                    let border = below.node(at.0, at.1).borders[usize::from(region)];
                    // It touches a side of the group, so it has a small number.
                    (members.group_of(at), border.up as u16)
                };
                let [from, to] = link.pair.ends();
                self.links.extend(Link::between(end(from, link.from), end(to, link.to)));
            }
        }
        sort::ascending(&mut self.links);
        self.links.dedup();
        &self.links
    }

    pub fn bytes(&self) -> usize {
        self.forest.bytes()
            + super::bytes(&self.touched)
            + super::bytes(&self.numbers)
            + super::bytes(&self.sides)
            + super::bytes(&self.links)
    }
}
