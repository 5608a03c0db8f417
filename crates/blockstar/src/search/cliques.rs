//! The clique abstraction: groups of cells that are all neighbours of each other become one node, and
//! so do groups of such nodes, until one node is left for each connected part of the map.
//!
//! N. Sturtevant & M. Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005), whose
//! text was not at hand; built from descriptions of it. On a map with eight moves the largest cliques
//! are four cells, a 2 x 2 block. One level is made from the one below in four passes over its nodes in
//! their order: cliques of four, then of three, then of two nodes that have no parent yet; what is
//! left has neighbours with parents only, and is an *orphan*: it joins the parent of its neighbours
//! if they all have the same one, else it becomes a parent by itself. A level with an edge thus
//! always has a pair that becomes one node, so the levels end where no edge is left.
//!
//! What differs:
//! * Parents are numbered by their first child, so that the nodes of every level lie in rows like the
//!   cells do: open ground is cut into aligned squares of 2, 4, 8 … cells, and memory is walked in
//!   order.
//! * **Four moves** know no cliques of more than two. There a cycle of four nodes counts as one,
//!   which on open ground is the same 2 x 2 block; any two of its members are within two steps.
//! * An orphan in the paper has a single edge; here all its edges lead to one parent, which is the same
//!   one level up.
//!
//! The abstraction depends on the order of the nodes, so an edit may regroup far from it; it is made
//! anew, which takes about 20 ms of one core on the ten large Dragon Age maps (97,000 free cells).
//!
//! **Layout.** Level 0 are the cells, by their bit positions; nothing is stored of it but the parent
//! of each. Higher levels are dense: node numbers from 0, children and neighbours in one list each
//! with the index of each node's first entry.

use crate::bits::Bits;
use crate::moves::{Direction, StepTable, step_table};
use crate::{Grid, Rule};

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
    /// How many cells each node stands for.
    cells: Vec<u32>,
    /// The middle of each node's cells, in half cells from the top left corner of the map.
    middles: Vec<(u16, u16)>,
    /// The position of that one of a node's cells that is nearest to its middle.
    representatives: Vec<u32>,
}

impl Level {
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// The nodes of the level below, or the positions of the cells, that a node stands for.
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
        let ground = Ground::new(grid, rule);
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

    /// The node of a level, from 1, that the cell at a position belongs to, [`NONE`] if it is blocked.
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

/// What the next level is made from.
trait Graph {
    /// One more than the largest node.
    fn end(&self) -> usize;
    fn has(&self, node: u32) -> bool;
    /// Calls `to` with each neighbour, in ascending order.
    fn neighbours(&self, node: u32, to: impl FnMut(u32));
    /// Whether two nodes of the graph are neighbours.
    fn joined(&self, a: u32, b: u32) -> bool;
}

/// The cells.
struct Ground<'a> {
    bits: &'a Bits,
    steps: &'static StepTable,
    /// The directions in ascending order of what they add to a position, and what that is.
    offsets: [(u8, i32); 8],
}

impl<'a> Ground<'a> {
    fn new(grid: &'a Grid, rule: Rule) -> Self {
        let bits = grid.rows();
        let offset = |d: usize| Direction::DX[d] + Direction::DY[d] * bits.stride() as i32;
        let mut offsets = std::array::from_fn(|d| (d as u8, offset(d)));
        offsets.sort_unstable_by_key(|pair| pair.1);
        Self { bits, steps: step_table(rule), offsets }
    }
}

impl Graph for Ground<'_> {
    fn end(&self) -> usize {
        self.bits.positions()
    }

    fn has(&self, node: u32) -> bool {
        self.bits.get(node)
    }

    #[inline]
    fn neighbours(&self, node: u32, mut to: impl FnMut(u32)) {
        let legal = self.steps[self.bits.around(node)];
        for (d, offset) in self.offsets {
            if legal >> d & 1 != 0 {
                to(node.wrapping_add_signed(offset));
            }
        }
    }

    #[inline]
    fn joined(&self, a: u32, b: u32) -> bool {
        let offset = b.wrapping_sub(a) as i32;
        let legal = self.steps[self.bits.around(a)];
        self.offsets.iter().any(|&(d, by)| by == offset && legal >> d & 1 != 0)
    }
}

impl Graph for Level {
    fn end(&self) -> usize {
        self.children.starts.len() - 1
    }

    fn has(&self, _: u32) -> bool {
        true
    }

    fn neighbours(&self, node: u32, mut to: impl FnMut(u32)) {
        self.neighbours.of(node).iter().for_each(|&next| to(next));
    }

    fn joined(&self, a: u32, b: u32) -> bool {
        self.neighbours.of(a).binary_search(&b).is_ok()
    }
}

/// The parents of a graph's nodes, and the level that they make.
fn gather(graph: &impl Graph, cycles: bool) -> (Vec<u32>, Level) {
    let end = graph.end();
    // The first child of each group stands for it until they are numbered.
    let mut groups = vec![NONE; end];
    let mut around = Vec::new();
    for size in [4, 3, 2] {
        for node in (0..end as u32).filter(|&node| graph.has(node)) {
            if groups[node as usize] != NONE {
                continue;
            }
            around.clear();
            // A group with a node before this one would have been found there.
            graph.neighbours(node, |next| {
                if next > node && groups[next as usize] == NONE {
                    around.push(next);
                }
            });
            let found = match size {
                4 if cycles => cycle(graph, &groups, node, &around),
                4 => four(graph, node, &around),
                3 => three(graph, node, &around),
                _ => around.first().map(|&next| [node, next, node, node]),
            };
            let Some(found) = found else { continue };
            found.iter().for_each(|&member| groups[member as usize] = node);
        }
    }
    orphans(graph, &mut groups);
    number(graph, groups)
}

/// A clique of a node and three of the nodes around it.
fn four(graph: &impl Graph, node: u32, around: &[u32]) -> Option<[u32; 4]> {
    for (i, &a) in around.iter().enumerate() {
        for (j, &b) in around.iter().enumerate().skip(i + 1) {
            if !graph.joined(a, b) {
                continue;
            }
            let third = around[j + 1..].iter().find(|&&c| graph.joined(a, c) && graph.joined(b, c));
            if let Some(&c) = third {
                return Some([node, a, b, c]);
            }
        }
    }
    None
}

/// A clique of a node and two of the nodes around it.
fn three(graph: &impl Graph, node: u32, around: &[u32]) -> Option<[u32; 4]> {
    around.iter().enumerate().find_map(|(i, &a)| {
        let &b = around[i + 1..].iter().find(|&&b| graph.joined(a, b))?;
        Some([node, a, b, node])
    })
}

/// A cycle of a node, two of the nodes around it and another node that has no group.
fn cycle(graph: &impl Graph, groups: &[u32], node: u32, around: &[u32]) -> Option<[u32; 4]> {
    for (i, &a) in around.iter().enumerate() {
        for &b in &around[i + 1..] {
            let mut last = None;
            graph.neighbours(a, |c| {
                let free = groups[c as usize] == NONE && c > node && c != b;
                if last.is_none() && free && graph.joined(b, c) {
                    last = Some(c);
                }
            });
            if let Some(c) = last {
                return Some([node, a, b, c]);
            }
        }
    }
    None
}

/// Nodes that are left join the only group around them, or are groups by themselves.
fn orphans(graph: &impl Graph, groups: &mut [u32]) {
    for node in (0..groups.len() as u32).filter(|&node| graph.has(node)) {
        if groups[node as usize] != NONE {
            continue;
        }
        // No two orphans are neighbours: the last pass would have made a pair of them.
        let (mut only, mut several) = (NONE, false);
        graph.neighbours(node, |next| {
            let group = groups[next as usize];
            several |= only != NONE && only != group;
            only = group;
        });
        groups[node as usize] = if several || only == NONE { node } else { only };
    }
}

/// Numbers the groups by their first nodes and makes a level of them.
fn number(graph: &impl Graph, mut groups: Vec<u32>) -> (Vec<u32>, Level) {
    let end = groups.len() as u32;
    // An orphan may come before the node that its group is named after.
    let mut numbers = vec![NONE; groups.len()];
    let mut count = 0;
    for node in (0..end).filter(|&node| graph.has(node)) {
        let number = &mut numbers[groups[node as usize] as usize];
        if *number == NONE {
            *number = count;
            count += 1;
        }
    }
    let mut children = Vec::new();
    for node in (0..end).filter(|&node| graph.has(node)) {
        let group = &mut groups[node as usize];
        *group = numbers[*group as usize];
        children.push((*group, node));
    }
    drop(numbers);
    let children = Lists::new(count as usize, &children);
    let mut edges = Vec::new();
    let mut own = Vec::new();
    for parent in 0..count {
        own.clear();
        for &child in children.of(parent) {
            graph.neighbours(child, |next| {
                let other = groups[next as usize];
                if own.last() != Some(&other) {
                    own.push(other);
                }
            });
        }
        own.sort_unstable();
        own.dedup();
        edges.extend(own.iter().filter(|&&other| other != parent).map(|&other| (parent, other)));
    }
    let level = Level {
        children,
        neighbours: Lists::new(count as usize, &edges),
        parents: vec![NONE; count as usize],
        ..Level::default()
    };
    (groups, level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::random::Random;
    use crate::{Cell, Moves};

    /// Open ground of 16 x 16 cells is cut into aligned squares by every rule.
    #[test]
    fn open_ground_is_cut_into_squares() {
        let grid = Grid::new(16, 16).unwrap();
        for rule in Rule::CELLS {
            let cliques = Cliques::new(&grid, rule);
            assert_eq!(cliques.height(), 4, "{rule:?}");
            for level in 1..=4 {
                let side = 16 >> level;
                assert_eq!(cliques.level(level).len(), side * side, "{rule:?}");
                for y in 0..16u32 {
                    for x in 0..16u32 {
                        let node = cliques.ancestor(grid.rows().position(x, y), level);
                        let (x, y) = (x as usize >> level, y as usize >> level);
                        assert_eq!(node as usize, y * side + x, "{rule:?}");
                    }
                }
            }
            let top = cliques.level(4);
            assert_eq!((top.cells(0), top.middle(0)), (256, (16, 16)));
            assert!(top.parent(0) == NONE && top.neighbours(0).is_empty());
        }
    }

    /// A pair, a single cell that joins it, and one that cannot: `.` has two parents around it.
    #[test]
    fn orphans_join_the_only_parent_around_them() {
        let corridor = |width| Grid::new(width, 1).unwrap();
        let cliques = Cliques::new(&corridor(3), Rule::Eight);
        assert_eq!((cliques.height(), cliques.level(1).len()), (1, 1));
        assert_eq!(cliques.level(1).children(0).len(), 3);
        let cliques = Cliques::new(&corridor(5), Rule::Eight);
        let sizes: Vec<_> = (0..2).map(|node| cliques.level(1).children(node).len()).collect();
        assert_eq!((cliques.level(1).len(), sizes), (2, vec![2, 3]));
        // A star of four arms of one cell: the centre and one arm are a pair, the others join it.
        let star = Grid::from_ascii("#.#\n...\n#.#").unwrap();
        let cliques = Cliques::new(&star, Rule::Eight);
        assert_eq!((cliques.height(), cliques.level(1).len()), (1, 1));
    }

    /// Everything that a level claims, against the definitions, on random maps by every rule.
    #[test]
    fn levels_are_partitions_into_connected_groups() {
        let mut random = Random::new(11);
        for round in 0..3000 {
            let rule = Rule::CELLS[round % 4];
            let (width, height) = (1 + random.below(24) as u32, 1 + random.below(24) as u32);
            let blocked = random.below(70);
            let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
            let cliques = Cliques::new(&grid, rule);
            check(&grid, rule, &cliques);
        }
    }

    fn check(grid: &Grid, rule: Rule, cliques: &Cliques) {
        let rows = grid.rows();
        let ground = Ground::new(grid, rule);
        let cells: Vec<u32> = (0..grid.height())
            .flat_map(|y| (0..grid.width()).map(move |x| (x, y)))
            .map(|(x, y)| rows.position(x, y))
            .filter(|&position| rows.get(position))
            .collect();
        assert_eq!(cliques.height() == 0, cells.is_empty());
        let (mut known, mut size) = (cells.clone(), usize::MAX);
        for at in 1..=cliques.height() {
            let level = cliques.level(at);
            assert!(level.len() < size, "every level is smaller than the one below");
            size = level.len();
            // Every node of the level below is the child of its parent and of no other.
            let mut children: Vec<u32> = Vec::new();
            for node in 0..level.len() as u32 {
                assert!(!level.children(node).is_empty());
                for &child in level.children(node) {
                    let parent = match at {
                        1 => cliques.parent_of_cell(child),
                        _ => cliques.level(at - 1).parent(child),
                    };
                    assert_eq!(parent, node);
                }
                children.extend(level.children(node));
                assert!(connected(level.children(node), |a, b| match at {
                    1 => ground.joined(a, b),
                    _ => cliques.level(at - 1).joined(a, b),
                }));
                let own = level.representative(node);
                assert_eq!(cliques.ancestor(own, at), node, "it lies in its node");
            }
            children.sort_unstable();
            assert_eq!(children, known);
            known = (0..level.len() as u32).collect();
            // Nodes are neighbours exactly if cells of theirs are.
            let mut edges = Vec::new();
            let mut counts = vec![0; level.len()];
            for &cell in &cells {
                let a = cliques.ancestor(cell, at);
                counts[a as usize] += 1;
                ground.neighbours(cell, |next| {
                    let b = cliques.ancestor(next, at);
                    if a != b {
                        edges.push((a, b));
                    }
                });
            }
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(level.neighbours, Lists::new(level.len(), &edges));
            assert_eq!(level.cells, counts);
        }
        // One node for each connected part of the map.
        if cliques.height() > 0 {
            let components = Components::new(grid, Moves::new(rule).rule());
            let cell = |position| {
                let (x, y) = rows.coordinates(position);
                Cell::new(x, y)
            };
            let top = cliques.level(cliques.height());
            assert!(top.neighbours.items.is_empty());
            for &a in &cells {
                let b = top.representative(cliques.ancestor(a, cliques.height()));
                assert!(components.connected(cell(a), cell(b)));
            }
        }
    }

    fn connected(nodes: &[u32], joined: impl Fn(u32, u32) -> bool) -> bool {
        let mut reached = vec![nodes[0]];
        let mut at = 0;
        while at < reached.len() {
            for &node in nodes {
                if !reached.contains(&node) && joined(reached[at], node) {
                    reached.push(node);
                }
            }
            at += 1;
        }
        reached.len() == nodes.len()
    }
}
