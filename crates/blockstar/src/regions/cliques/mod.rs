//! The clique abstraction: groups of cells that are all neighbours of each other become one node,
//! and so do groups of such nodes, until one node is left for each connected part of the map.
//!
//! N. Sturtevant & M. Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005). The
//! text was not at hand; this is built from descriptions of it. With eight moves the largest
//! cliques are four cells, a 2 x 2 block. A level is made from the one below in four passes over
//! its nodes, in order. The first three group nodes without a parent into cliques of four, of three
//! and of two. What is left only has neighbours with parents, and is an *orphan*: it joins the
//! parent of its neighbours if they all have the same one, else it becomes a parent by itself. So
//! if a level has an edge, some pair becomes one node, and the levels end where no edge is left.
//!
//! What differs:
//! * Parents are numbered by their first child, so the nodes of every level lie in rows as the
//!   cells do: open ground is cut into aligned squares of 2, 4, 8 … cells, and memory is read in
//!   order.
//! * With **four moves** there are no cliques of more than two. There a cycle of four nodes counts
//!   as one, which on open ground is the same 2 x 2 block; its members are within two steps of each
//!   other.
//! * An orphan in the paper has a single edge; here all its edges lead to one parent, which is the
//!   same one level up.
//!
//! The abstraction depends on the order of the nodes, so an edit may regroup nodes far from it. It
//! is then rebuilt, which takes about 20 ms on one core for the ten large Dragon Age maps (97,000
//! free cells).
//!
//! **Layout.** Level 0 is the cells, by their bit positions; only the parent of each is stored.
//! Higher levels are dense: nodes are numbered from 0, and children and neighbours are in one list
//! each, with the index of each node's first entry.

mod file;
mod gather;

use crate::{Grid, Rule};
use gather::{CellGraph, gather};

/// No node: the parent of a blocked cell, or of a node on the highest level.
pub(crate) const NONE: u32 = u32::MAX;

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    #[inline]
    fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.items[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// From pairs of list and item; the items of a list keep their order.
    fn new(count: usize, pairs: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; count + 1];
        for &(list, _) in pairs {
            starts[list as usize + 1] += 1;
        }
        for at in 1..=count {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut items) = (starts.clone(), vec![0; pairs.len()]);
        for &(list, item) in pairs {
            items[next[list as usize] as usize] = item;
            next[list as usize] += 1;
        }
        Self { starts, items }
    }

    fn bytes(&self) -> usize {
        (self.starts.len() + self.items.len()) * 4
    }
}

/// One level above the cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Level {
    children: Lists,
    neighbours: Lists,
    parents: Vec<u32>,
    /// The number of cells that each node stands for.
    cells: Vec<u32>,
    /// The middle of each node's cells, in half cells from the top left corner of the map.
    middles: Vec<(u16, u16)>,
    /// The position of the cell of each node that is nearest to its middle.
    representatives: Vec<u32>,
}

impl Level {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The nodes of the level below that a node stands for; on level 1 the positions of its cells.
    #[cfg(test)]
    pub fn children(&self, node: u32) -> &[u32] {
        self.children.of(node)
    }

    /// The nodes of this level that can be stepped to, in ascending order.
    #[inline]
    pub fn neighbours(&self, node: u32) -> &[u32] {
        self.neighbours.of(node)
    }

    /// The node's parent on the level above, [`NONE`] on the highest level.
    #[inline]
    pub fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    /// How many cells a node stands for.
    pub fn cells(&self, node: u32) -> u32 {
        self.cells[node as usize]
    }

    /// The middle of a node's cells, x and y in half cells.
    #[inline]
    pub fn middle(&self, node: u32) -> (u16, u16) {
        self.middles[node as usize]
    }

    /// The position of a node's cell that is nearest to its middle.
    #[inline]
    pub fn representative(&self, node: u32) -> u32 {
        self.representatives[node as usize]
    }

    fn bytes(&self) -> usize {
        let per_node = 4 + 4 + 4 + 4;
        self.children.bytes() + self.neighbours.bytes() + self.len() * per_node
    }
}

/// All levels of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cliques {
    /// The parent of the cell at each position.
    ground: Vec<u32>,
    levels: Vec<Level>,
    /// How many cells are free.
    cells: usize,
}

impl Cliques {
    pub fn new(grid: &Grid, rule: Rule) -> Self {
        let ground = CellGraph::new(grid, rule);
        let cycles = rule == Rule::Four;
        let mut cliques = Self { cells: grid.free_cells(), ..Self::default() };
        let (parents, level) = gather(&ground, cycles);
        cliques.ground = parents;
        if level.len() == 0 {
            return cliques;
        }
        cliques.levels.push(level);
        while let Some(top) = cliques.levels.last_mut()
            && !top.neighbours.items.is_empty()
        {
            let (parents, level) = gather(top, cycles);
            top.parents = parents;
            cliques.levels.push(level);
        }
        cliques.place(grid);
        cliques
    }

    /// How many cells the lowest level has.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many levels there are above the cells.
    pub fn height(&self) -> usize {
        self.levels.len()
    }

    /// A level above the cells, from 1.
    #[inline]
    pub fn level(&self, level: usize) -> &Level {
        &self.levels[level - 1]
    }

    /// The node of level 1 that the cell at a position belongs to, [`NONE`] if it is blocked.
    #[inline]
    pub fn parent_of_cell(&self, position: u32) -> u32 {
        self.ground[position as usize]
    }

    /// The node of a level, from 1, that the cell at a position belongs to, [`NONE`] if it is
    /// blocked.
    #[inline]
    pub fn ancestor(&self, position: u32, level: usize) -> u32 {
        let mut node = self.ground[position as usize];
        if node == NONE {
            return NONE;
        }
        for level in &self.levels[..level - 1] {
            node = level.parents[node as usize];
        }
        node
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.ground.len() * 4 + self.levels.iter().map(Level::bytes).sum::<usize>()
    }

    /// Counts the cells of each node and finds its middle and representative.
    fn place(&mut self, grid: &Grid) {
        let rows = grid.rows();
        let mut sums: Vec<(u64, u64)> = Vec::new();
        for at in 0..self.levels.len() {
            let (below, level) = self.levels.split_at_mut(at);
            let level = &mut level[0];
            let mut next = Vec::with_capacity(level.len());
            for node in 0..level.len() as u32 {
                let (mut count, mut sum) = (0, (0, 0));
                for &child in level.children.of(node) {
                    let (cells, (x, y)) = match below.last() {
                        Some(below) => (below.cells(child), sums[child as usize]),
                        None => {
                            let (x, y) = rows.coordinates(child);
                            (1, (u64::from(x), u64::from(y)))
                        }
                    };
                    count += cells;
                    sum = (sum.0 + x, sum.1 + y);
                }
                // Twice the mean of the centres, which lie half a cell from the corner.
                let middle = |sum: u64| (2 * sum / u64::from(count) + 1) as u16;
                level.cells.push(count);
                level.middles.push((middle(sum.0), middle(sum.1)));
                next.push(sum);
            }
            sums = next;
            level.representatives = vec![NONE; level.len()];
        }
        let mut nearest: Vec<Vec<u32>> =
            self.levels.iter().map(|level| vec![u32::MAX; level.len()]).collect();
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let position = rows.position(x, y);
                let mut node = self.ground[position as usize];
                for (level, nearest) in self.levels.iter_mut().zip(&mut nearest) {
                    if node == NONE {
                        break;
                    }
                    let (mx, my) = level.middles[node as usize];
                    let (dx, dy) =
                        ((2 * x + 1).abs_diff(mx.into()), (2 * y + 1).abs_diff(my.into()));
                    let distance = dx * dx + dy * dy;
                    if distance < nearest[node as usize] {
                        nearest[node as usize] = distance;
                        level.representatives[node as usize] = position;
                    }
                    node = level.parents[node as usize];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
