//! From sectors to the whole map: sixteen sectors make a *group*, sixteen groups a larger one, and so
//! on until one holds the whole map.
//!
//! A group sees of the nodes in it only the regions at their borders and the links between them, and
//! [joins](super::joiner) them into regions of its own. Those without a way out are components. So
//! to find the component of a cell one climbs from region to region, four times at most, until
//! there is no way out.
//!
//! What a group makes of its nodes depends on their borders and links and on nothing else. So where
//! these stay as they were, a change is absorbed: nothing above has to look at it. When a door
//! closes beside another one, the first group that holds the way round absorbs it. What has to be
//! told to the very top costs a look at sixteen nodes of each size, and these have no more regions
//! than their borders have room for: the work grows with the side of the map at worst, not with its
//! area.

use super::joiner::{Joiner, Members};
use super::node::{Border, Link, Node, Sides};
use super::worklist::Worklist;

/// Nodes on each side of a group: with 4 there are at most four levels above the sectors, and a group
/// is joined in 1 to 10 µs.
pub(super) const SPAN: usize = 4;

/// A region that its group has yet to number.
const UNNUMBERED: u32 = u32::MAX;

/// A checkerboard has the most regions in a sector, half as many as cells: they fit these bits. A
/// group has no more than its nodes have at their borders: two more bits for each level.
pub(super) const REGION_BITS: u32 = 11;

/// Of the number of a component the bits below say which node and region it is, those above at which
/// level.
const LEVEL_SHIFT: u32 = 29;

/// The sectors of a map in groups of all sizes.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// Sectors, then groups from the smallest up.
    levels: Vec<Level>,
    /// Whether nodes are linked at their corners too.
    corners: bool,
    joiner: Joiner,
}

/// All nodes of one size.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub nodes: Vec<Node>,
    /// The number of nodes side by side, and one below the other.
    pub columns: usize,
    rows: usize,
    /// Nodes whose regions have to be made again, and whose links have to.
    touched: Worklist,
    unlinked: Worklist,
}

/// A region of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub level: usize,
    pub column: usize,
    pub row: usize,
    pub number: u32,
}

impl Level {
    fn new(columns: usize, rows: usize) -> Self {
        let count = columns * rows;
        Self {
            nodes: vec![Node::default(); count],
            columns,
            rows,
            touched: Worklist::new(count),
            unlinked: Worklist::new(count),
        }
    }

    #[inline]
    pub fn node(&self, column: usize, row: usize) -> &Node {
        &self.nodes[row * self.columns + column]
    }

    /// The nodes in the group at a column and row of the next level.
    fn members(&self, column: usize, row: usize) -> Members {
        let range = |at: usize, end: usize| at * SPAN..end.min(at * SPAN + SPAN);
        Members { columns: range(column, self.columns), rows: range(row, self.rows) }
    }

    fn bytes(&self) -> usize {
        let inside = self.nodes.iter().map(Node::bytes).sum::<usize>();
        inside + super::bytes(&self.nodes) + self.touched.bytes() + self.unlinked.bytes()
    }
}

impl Region {
    /// As one number.
    fn id(self, columns: usize) -> u32 {
        let node = (self.row * columns + self.column) as u32;
        let level = self.level as u32;
        level << LEVEL_SHIFT | node << (REGION_BITS + 2 * level) | self.number
    }
}

impl Levels {
    /// The levels above so many sectors, of which none has regions. `reach` is 1 if corners connect.
    pub fn new(columns: usize, rows: usize, reach: u8) -> Self {
        let mut levels = vec![Level::new(columns, rows)];
        let (mut columns, mut rows) = (columns, rows);
        while columns * rows > 1 {
            (columns, rows) = (columns.div_ceil(SPAN), rows.div_ceil(SPAN));
            levels.push(Level::new(columns, rows));
        }
        Self { levels, corners: reach > 0, joiner: Joiner::default() }
    }

    /// The sides at which a sector has a neighbour.
    pub fn open_sides(&self, column: usize, row: usize) -> Sides {
        let Level { columns, rows, .. } = self.levels[0];
        Sides::NORTH.only_if(row > 0)
            | Sides::SOUTH.only_if(row + 1 < rows)
            | Sides::WEST.only_if(column > 0)
            | Sides::EAST.only_if(column + 1 < columns)
    }

    /// Takes note of a sector whose regions were made again, with the sides that those at its border
    /// touch.
    pub fn set_sector(&mut self, sector: usize, sides: &[Sides]) {
        self.set_sides(0, sector, sides);
        self.unlink(0, sector);
    }

    /// The next sector whose links have to be made again.
    pub fn next_unlinked(&mut self) -> Option<usize> {
        self.levels[0].unlinked.pop()
    }

    /// Takes note of the links that a sector keeps.
    pub fn set_sector_links(&mut self, sector: usize, links: &[Link]) {
        self.set_links(0, sector, links);
    }

    /// Makes all groups again that have to do with what has changed. Returns how many.
    pub fn settle(&mut self) -> usize {
        let mut joined = 0;
        for above in 1..self.levels.len() {
            while let Some(group) = self.levels[above].touched.pop() {
                self.join(above, group);
                joined += 1;
            }
            while let Some(group) = self.levels[above].unlinked.pop() {
                self.link(above, group);
            }
        }
        joined
    }

    fn join(&mut self, above: usize, group: usize) {
        let mut joiner = std::mem::take(&mut self.joiner);
        let (members, below) = self.below(above, group);
        if joiner.join(below, &members) {
            self.unlink(above, group);
        }
        self.set_sides(above, group, joiner.sides());
        self.joiner = joiner;
    }

    fn link(&mut self, above: usize, group: usize) {
        let mut joiner = std::mem::take(&mut self.joiner);
        let (members, below) = self.below(above, group);
        let links = joiner.links(below, &members);
        self.set_links(above, group, links);
        self.joiner = joiner;
    }

    /// The nodes in a group, and the level that they are of.
    fn below(&mut self, above: usize, group: usize) -> (Members, &mut Level) {
        let columns = self.levels[above].columns;
        let below = &mut self.levels[above - 1];
        (below.members(group % columns, group / columns), below)
    }

    fn set_sides(&mut self, level: usize, node: usize, sides: &[Sides]) {
        let borders = &mut self.levels[level].nodes[node].borders;
        if borders.iter().map(|border| &border.sides).eq(sides) {
            return;
        }
        borders.clear();
        borders.extend(sides.iter().map(|&sides| Border { up: UNNUMBERED, sides }));
        if let Some((above, group)) = self.group_of(level, node) {
            above.touched.add(group);
        }
    }

    /// Links within its group concern how that joins its nodes, others the links that it keeps.
    fn set_links(&mut self, level: usize, node: usize, links: &[Link]) {
        let Level { nodes, columns, .. } = &mut self.levels[level];
        let (column, row) = (node % *columns % SPAN, node / *columns % SPAN);
        let is_inner = |link: &&Link| {
            let within = |(east, south)| column + east < SPAN && row + south < SPAN;
            link.pair.ends().into_iter().all(within)
        };
        let known = &mut nodes[node].links;
        if known == links {
            return;
        }
        let differ = |chosen: &dyn Fn(&&Link) -> bool| {
            !known.iter().filter(chosen).eq(links.iter().filter(chosen))
        };
        let (inner, outer) = (differ(&is_inner), differ(&|link| !is_inner(link)));
        known.clear();
        known.extend_from_slice(links);
        if let Some((above, group)) = self.group_of(level, node) {
            if inner {
                above.touched.add(group);
            }
            if outer {
                above.unlinked.add(group);
            }
        }
    }

    /// The number of the group that a node is in, and its level; none if the node is the whole map.
    fn group_of(&mut self, level: usize, node: usize) -> Option<(&mut Level, usize)> {
        let columns = self.levels[level].columns;
        let above = self.levels.get_mut(level + 1)?;
        let group = node / columns / SPAN * above.columns + node % columns / SPAN;
        Some((above, group))
    }

    /// The links with a node have to be made again, whoever keeps them.
    fn unlink(&mut self, level: usize, node: usize) {
        let corners = self.corners;
        let Level { columns, unlinked, .. } = &mut self.levels[level];
        let (west, north) = (!node.is_multiple_of(*columns), node >= *columns);
        unlinked.add(node);
        if west {
            unlinked.add(node - 1);
        }
        if north {
            unlinked.add(node - *columns);
        }
        if west && north && corners {
            unlinked.add(node - *columns - 1);
        }
    }

    /// The region of the group above that a region is part of, none if it has no way out.
    #[inline]
    fn up(&self, region: Region) -> Option<Region> {
        let Region { level, column, row, number } = region;
        let border = self.levels[level].node(column, row).borders.get(number as usize)?;
        let (column, row) = (column / SPAN, row / SPAN);
        Some(Region { level: level + 1, column, row, number: border.up })
    }

    /// The component of a region: the largest region that it is part of.
    #[inline]
    pub fn component(&self, mut region: Region) -> Region {
        while let Some(above) = self.up(region) {
            region = above;
        }
        region
    }

    /// The same as a number.
    pub fn number(&self, region: Region) -> u32 {
        let component = self.component(region);
        component.id(self.levels[component.level].columns)
    }

    /// Whether two regions of sectors are part of the same component.
    #[inline]
    pub fn connected(&self, mut one: Region, mut other: Region) -> bool {
        // Near ones meet early.
        while one != other {
            let (Some(above), Some(beside)) = (self.up(one), self.up(other)) else { return false };
            (one, other) = (above, beside);
        }
        true
    }

    /// Whether both say the same of all nodes.
    #[cfg(test)]
    pub fn equal(&self, other: &Self) -> bool {
        let nodes = |levels: &Self| levels.levels.iter().map(|level| level.nodes.clone()).collect();
        let [one, other]: [Vec<_>; 2] = [nodes(self), nodes(other)];
        one == other
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.levels[1..].iter().map(|level| level.nodes.len()).sum()
    }

    /// The nodes in a group.
    pub fn members(&self, level: usize, (column, row): (usize, usize)) -> Members {
        self.levels[level - 1].members(column, row)
    }

    /// How many border regions a node has.
    pub fn borders(&self, level: usize, (column, row): (usize, usize)) -> u32 {
        self.levels[level].node(column, row).borders.len() as u32
    }

    pub fn bytes(&self) -> usize {
        let levels = self.levels.iter().map(Level::bytes).sum::<usize>();
        levels + super::bytes(&self.levels) + self.joiner.bytes()
    }
}

impl Node {
    fn bytes(&self) -> usize {
        super::bytes(&self.borders) + super::bytes(&self.links)
    }
}
