//! Where to go next on maps of many regions: tables by tiles.
//!
//! A matrix of all regions grows with the square of the map, and a search over all regions grows
//! with its area. So on large maps squares of regions form *tiles*. A tile touches the next one
//! along *entrances*: stretches of its rim, at most [`WINDOW`] sectors long, where neighbouring
//! regions follow each other on both sides. The regions in the middle of an entrance are its
//! *crossing*, and they are *gates* of their tiles. For every region the tile knows the cost of the
//! way to each of its gates, and the base path that it begins with. A query searches the crossings
//! alone, each tile being one look at a row of numbers, and follows the tables from gate to gate.
//! The idea is that of HPA* (A. Botea, M. Müller & J. Schaeffer, *Near Optimal Hierarchical
//! Path-Finding*, 2004) with regions in the place of cells.
//!
//! A way is bound to go through gates, and otherwise the shortest by the costs of base paths inside
//! its tiles; corners are cut as everywhere. Ends in the same tile or in adjoining ones are looked
//! for among the regions first.
//!
//! Everything here depends on the regions and base paths of a tile, and on the regions beyond its
//! rim. So an edit makes the tables of a few tiles again, whatever the size of the map, and they
//! are then what they would be if made for the new map.

use super::paths::Paths;
use crate::grid::bits::Bits;
use crate::regions::sectors::{NONE, Sectors};
use crate::sort;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The sectors along the side of a tile. An edit has to make the tables of one to four tiles.
const SIDE: u32 = 16;

/// The sectors that an entrance spans at most.
const WINDOW: u32 = 4;

/// The tables of all tiles.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// The number of tiles in a row.
    columns: u32,
    rows: u32,
    tiles: Vec<Tile>,
    /// The tile of each region and its place there, by number.
    places: Vec<(u32, u32)>,
    builder: Builder,
}

/// The tables of one tile. It falls into parts, whose regions reach each other inside the tile.
#[derive(Clone, Debug, Default)]
struct Tile {
    /// The part of each region, and which of the part's regions it is.
    members: Vec<(u32, u32)>,
    /// The parts, and where the last one's things end.
    parts: Vec<Part>,
    /// The regions that are gates, part by part.
    gates: Vec<u32>,
    /// The crossings, part by part, and where they lead.
    crossings: Vec<Crossing>,
    /// All pairs of neighbours that one could cross between, by the tile beyond.
    rim: Vec<Crossing>,
    /// For each region of a part, what it costs to get to each of its gates.
    costs: Vec<u32>,
    /// With which of its base paths that way begins.
    hops: Vec<u16>,
}

/// A part of a tile: where the things that belong to it start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    gate: u32,
    crossing: u32,
    entry: u32,
}

/// A way out of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    pub from: u32,
    /// The region beyond, and its tile.
    pub to: u32,
    tile: u32,
    pub cost: u32,
    /// Which of its part's gates the crossing starts at.
    gate: u32,
}

impl Crossing {
    /// Whether it leads from a region to a tile.
    pub fn leads(&self, from: u32, tile: u32) -> bool {
        self.from == from && self.tile == tile
    }
}

/// What a part knows of one of its regions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook<'a> {
    /// The gates of its part.
    pub gates: &'a [u32],
    crossings: &'a [Crossing],
    costs: &'a [u32],
    hops: &'a [u16],
}

impl Outlook<'_> {
    /// The ways out of the tile, with the cost of taking them from this region.
    #[inline]
    pub fn ways_out(&self) -> impl Iterator<Item = (u64, Crossing)> + '_ {
        let whole = |way: &Crossing| u64::from(self.costs[way.gate as usize]) + u64::from(way.cost);
        self.crossings.iter().map(move |way| (whole(way), *way))
    }

    /// The cost of getting to a gate, and the base path to begin with.
    pub fn way_to(&self, gate: u32) -> Option<(u64, u32)> {
        let at = self.gates.iter().position(|&other| other == gate)?;
        Some((self.costs[at].into(), self.hops[at].into()))
    }
}

impl Tiles {
    /// Maps of fewer regions do without: the matrix serves these.
    pub const MANY: usize = 4096;

    pub fn new(bits: &Bits, sectors: &Sectors, paths: &Paths) -> Self {
        let layout = &sectors.layout;
        let (columns, rows) = (layout.columns.div_ceil(SIDE), layout.rows.div_ceil(SIDE));
        let mut tiles = Self {
            columns,
            rows,
            tiles: vec![Tile::default(); (columns * rows) as usize],
            places: Vec::new(),
            builder: Builder::default(),
        };
        let all: Vec<u32> = (0..columns * rows).collect();
        tiles.make(bits, sectors, paths, &all);
        tiles
    }

    /// Follows a repair of sectors and base paths.
    pub fn repair(&mut self, bits: &Bits, sectors: &Sectors, paths: &Paths) {
        let columns = self.columns;
        let tile = |sector: u32| {
            let (column, row) = (sector % sectors.layout.columns, sector / sectors.layout.columns);
            row / SIDE * columns + column / SIDE
        };
        let touched = sectors.repair().touched.iter().map(|&sector| tile(sector));
        let relisted = paths.relisted().iter().map(|&region| tile(sectors.sector(bits, region)));
        let mut stale: Vec<u32> = touched.chain(relisted).collect();
        stale.sort_unstable();
        stale.dedup();
        self.make(bits, sectors, paths, &stale);
    }

    /// Makes the tables of some tiles, and of those next to them whose crossings are others then.
    fn make(&mut self, bits: &Bits, sectors: &Sectors, paths: &Paths, stale: &[u32]) {
        let Self { tiles, places, builder, columns, .. } = self;
        places.resize(sectors.numbers(), (0, 0));
        // Which regions cross together depends on the parts on both sides: parts come first.
        for &tile in stale {
            builder.list_regions(sectors, *columns, tile);
            for (place, &region) in (0..).zip(&builder.regions) {
                places[region as usize] = (tile, place);
            }
            builder.find_edges(paths, places, tile);
            builder.find_parts(&mut tiles[tile as usize].members);
        }
        let mut beside: Vec<u32> = stale.iter().flat_map(|&tile| self.around(tile)).collect();
        beside.sort_unstable();
        beside.dedup();
        for tile in beside {
            let Self { tiles, places, builder, columns, .. } = self;
            builder.list_regions(sectors, *columns, tile);
            builder.find_crossings(bits, sectors, paths, (places, tiles), (tile, *columns));
            let old = &mut tiles[tile as usize];
            if stale.binary_search(&tile).is_ok() || !builder.crosses_as(&old.crossings) {
                builder.find_edges(paths, places, tile);
                let rim = builder.rim.iter().filter_map(|rim| rim.crossing(paths, tile)).collect();
                let members = std::mem::take(&mut old.members);
                *old = Tile { rim, ..builder.build(places, members) };
            }
        }
    }

    /// A tile and those next to it.
    fn around(&self, tile: u32) -> impl Iterator<Item = u32> + use<> {
        let (column, row, columns) = (tile % self.columns, tile / self.columns, self.columns);
        let across = column.saturating_sub(1)..(column + 2).min(self.columns);
        let down = row.saturating_sub(1)..(row + 2).min(self.rows);
        crate::grid::raster::raster(across, down).map(move |(x, y)| y * columns + x)
    }

    /// The tile of a region.
    #[inline]
    pub fn tile(&self, region: u32) -> u32 {
        self.places[region as usize].0
    }

    /// The best place to cross between two gates of adjoining tiles: the regions on both sides.
    ///
    /// The search has crossed in the middle of an entrance; but once the gates before and after
    /// that crossing are fixed, the tables know what every other one would cost.
    pub fn best_crossing(&self, before: u32, after: u32) -> Option<(u32, u32)> {
        let beyond = self.tile(after);
        let column = |gate: u32| self.outlook(gate).gates.iter().position(|&other| other == gate);
        let (first, second) = (column(before)?, column(after)?);
        let (start, end) = (self.part(before), self.part(after));
        let rim = &self.tiles[self.tile(before) as usize].rim;
        let from = rim.partition_point(|way| way.tile < beyond);
        let ways = rim[from..].iter().take_while(|way| way.tile == beyond);
        let ways = ways.filter(|way| self.part(way.from) == start && self.part(way.to) == end);
        let cost = |way: &&Crossing| {
            let ends = [(way.from, first), (way.to, second)];
            let cost = |(region, at): (u32, usize)| u64::from(self.outlook(region).costs[at]);
            u64::from(way.cost) + ends.map(cost).iter().sum::<u64>()
        };
        ways.min_by_key(cost).map(|way| (way.from, way.to))
    }

    /// How many tiles apart two regions are: the larger of their differences in columns and rows.
    pub fn apart(&self, a: u32, b: u32) -> u32 {
        let [(ax, ay), (bx, by)] = [a, b]
            .map(|region| (self.tile(region) % self.columns, self.tile(region) / self.columns));
        ax.abs_diff(bx).max(ay.abs_diff(by))
    }

    /// Whether two regions reach each other inside a tile.
    pub fn are_joined(&self, a: u32, b: u32) -> bool {
        self.tile(a) == self.tile(b) && self.part(a) == self.part(b)
    }

    fn part(&self, region: u32) -> u32 {
        let (tile, place) = self.places[region as usize];
        self.tiles[tile as usize].members[place as usize].0
    }

    /// What its tile knows of a region.
    #[inline]
    pub fn outlook(&self, region: u32) -> Outlook<'_> {
        let (tile, place) = self.places[region as usize];
        let tile = &self.tiles[tile as usize];
        let (part, row) = tile.members[place as usize];
        let [part, next] = [tile.parts[part as usize], tile.parts[part as usize + 1]];
        let gates = (next.gate - part.gate) as usize;
        let entry = part.entry as usize + row as usize * gates;
        Outlook {
            gates: &tile.gates[part.gate as usize..next.gate as usize],
            crossings: &tile.crossings[part.crossing as usize..next.crossing as usize],
            costs: &tile.costs[entry..entry + gates],
            hops: &tile.hops[entry..entry + gates],
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let of = |tile: &Tile| {
            tile.members.capacity() * size_of::<(u32, u32)>()
                + tile.parts.capacity() * size_of::<Part>()
                + tile.gates.capacity() * 4
                + (tile.crossings.capacity() + tile.rim.capacity()) * size_of::<Crossing>()
                + tile.costs.capacity() * 4
                + tile.hops.capacity() * 2
        };
        self.tiles.capacity() * size_of::<Tile>()
            + self.places.capacity() * size_of::<(u32, u32)>()
            + self.tiles.iter().map(of).sum::<usize>()
    }
}

/// Memory to make tables with.
#[derive(Clone, Debug, Default)]
struct Builder {
    /// The regions of the tile, in order.
    regions: Vec<u32>,
    /// The ways out, with their place on the rim: the tile beyond and where they lie along it.
    rim: Vec<Rim>,
    chosen: Vec<Crossing>,
    /// The base paths inside the tile, and where each region's start.
    edges: Vec<Edge>,
    starts: Vec<u32>,
    stack: Vec<u32>,
    nodes: Vec<Node>,
    open: BinaryHeap<Reverse<u64>>,
}

/// A pair of neighbouring regions in two tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rim {
    tile: u32,
    /// Where along the rim the one in the tile of the lower number lies, in windows.
    window: u32,
    /// The parts of the two, that one first.
    parts: [u32; 2],
    /// The sector and number of that one, and of the other.
    ends: [(u32, u32); 2],
}

impl Rim {
    /// The way out of a tile. Neighbours have a base path.
    fn crossing(&self, paths: &Paths, tile: u32) -> Option<Crossing> {
        let [mut from, mut to] = self.ends.map(|end| end.1);
        if self.tile < tile {
            std::mem::swap(&mut from, &mut to);
        }
        let cost = paths.hops(from).find(|hop| hop.target == to)?.cost;
        Some(Crossing { from, to, tile: self.tile, cost, gate: 0 })
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    cost: u32,
    /// Which of the target's base paths leads back.
    back: u16,
}

/// A region in the search from a gate.
#[derive(Clone, Copy, Debug)]
struct Node {
    cost: u64,
    /// The base path towards the gate, and its cost.
    hop: u16,
    first: u32,
}

const FAR: Node = Node { cost: u64::MAX, hop: 0, first: 0 };

/// The lower bits of an entry of the open list are the region: a tile has at most 2^23.
const PLACE_BITS: u32 = 24;

impl Builder {
    fn list_regions(&mut self, sectors: &Sectors, columns: u32, tile: u32) {
        let layout = &sectors.layout;
        let (left, top) = (tile % columns * SIDE, tile / columns * SIDE);
        self.regions.clear();
        for row in top..(top + SIDE).min(layout.rows) {
            for column in left..(left + SIDE).min(layout.columns) {
                self.regions.extend(sectors.regions(row * layout.columns + column));
            }
        }
    }

    /// Finds the crossings of a tile. Those to another tile are the ones that it finds too.
    fn find_crossings(
        &mut self,
        bits: &Bits,
        sectors: &Sectors,
        paths: &Paths,
        (places, made): (&[(u32, u32)], &[Tile]),
        (tile, tiles): (u32, u32),
    ) {
        let Self { regions, rim, chosen, .. } = self;
        let columns = sectors.layout.columns;
        let part = |region: u32| {
            let (tile, place) = places[region as usize];
            made[tile as usize].members[place as usize].0
        };
        rim.clear();
        for &region in &*regions {
            for &beyond in sectors.neighbours(region) {
                let other = places[beyond as usize].0;
                if other == tile {
                    continue;
                }
                let end = |region: u32| (sectors.sector(bits, region), region);
                let mut ends = [end(region), end(beyond)];
                if other < tile {
                    ends.reverse();
                }
                let (sector, _) = ends[0];
                let beside = other / tiles == tile / tiles;
                let along = if beside { sector / columns } else { sector % columns };
                let parts = ends.map(|end| part(end.1));
                rim.push(Rim { tile: other, window: along / WINDOW, parts, ends });
            }
        }
        sort::ascending(rim);
        chosen.clear();
        let key = |rim: &Rim| (rim.tile, rim.window, rim.parts);
        for entrance in rim.chunk_by(|a, b| key(a) == key(b)) {
            chosen.extend(entrance[entrance.len() / 2].crossing(paths, tile));
        }
    }

    /// Whether the crossings found are those of a tile, apart from their gates.
    fn crosses_as(&self, old: &[Crossing]) -> bool {
        let key = |way: &Crossing| (way.from, way.to, way.cost);
        let same = |way: &Crossing| old.iter().any(|other| key(other) == key(way));
        self.chosen.len() == old.len() && self.chosen.iter().all(same)
    }

    /// Makes the tables of the tile whose crossings and base paths were found last.
    fn build(&mut self, places: &[(u32, u32)], members: Vec<(u32, u32)>) -> Tile {
        let member = |region: u32| members[places[region as usize].1 as usize];
        sort::by_key(&mut self.chosen, |way| member(way.from));
        let mut sizes =
            vec![0; members.iter().map(|member| member.0 + 1).max().unwrap_or(0) as usize];
        members.iter().for_each(|member| sizes[member.0 as usize] += 1);
        let mut made = Tile::default();
        let (mut crossing, mut entry) = (0, 0);
        for (part, size) in (0..).zip(sizes) {
            let gate = made.gates.len() as u32;
            made.parts.push(Part { gate, crossing: crossing as u32, entry });
            while let Some(way) =
                self.chosen.get_mut(crossing).filter(|way| member(way.from).0 == part)
            {
                if made.gates[gate as usize..].last() != Some(&way.from) {
                    made.gates.push(way.from);
                }
                way.gate = made.gates.len() as u32 - gate - 1;
                crossing += 1;
            }
            entry += size * (made.gates.len() as u32 - gate);
        }
        made.parts.push(Part { gate: made.gates.len() as u32, crossing: crossing as u32, entry });
        made.costs = vec![0; entry as usize];
        made.hops = vec![0; entry as usize];
        for &gate in &made.gates {
            self.flood(places[gate as usize].1);
            let own = member(gate).0;
            let [part, next] = [made.parts[own as usize], made.parts[own as usize + 1]];
            let gates = &made.gates[part.gate as usize..next.gate as usize];
            let Some(column) = gates.iter().position(|&other| other == gate) else { continue };
            for (node, &(part_of, row)) in self.nodes.iter().zip(&members) {
                if part_of == own {
                    let at = part.entry as usize + row as usize * gates.len() + column;
                    // Ways that long exist on paper only; they would just be chosen less well.
                    made.costs[at] = node.cost.min(u32::MAX.into()) as u32;
                    made.hops[at] = node.hop;
                }
            }
        }
        made.crossings.extend_from_slice(&self.chosen);
        made.gates.shrink_to_fit();
        made.parts.shrink_to_fit();
        Tile { members, ..made }
    }

    /// Lists the base paths between regions of the tile, whose places are those in its order.
    fn find_edges(&mut self, paths: &Paths, places: &[(u32, u32)], tile: u32) {
        let Self { regions, edges, starts, stack: cursors, .. } = self;
        edges.clear();
        starts.clear();
        for &region in &*regions {
            starts.push(edges.len() as u32);
            for (index, hop) in paths.hops(region).enumerate() {
                let (other, to) = places[hop.target as usize];
                if other == tile {
                    edges.push(Edge { to, cost: hop.cost, back: index as u16 });
                }
            }
        }
        starts.push(edges.len() as u32);
        // Lists are in order and every base path has one back: those that lead to a region come up
        // in the order of its own list. What each has noted of itself is what the other wants.
        cursors.clear();
        cursors.extend_from_slice(&starts[..regions.len()]);
        let own: Vec<u16> = edges.iter().map(|edge| edge.back).collect();
        for edge in edges.iter_mut() {
            let cursor = &mut cursors[edge.to as usize];
            edge.back = own[*cursor as usize];
            *cursor += 1;
        }
    }

    /// Finds the parts of the tile, by their first regions: for each region its part and which of
    /// the part's regions it is.
    fn find_parts(&mut self, members: &mut Vec<(u32, u32)>) {
        let Self { regions, edges, starts, stack, .. } = self;
        members.clear();
        members.resize(regions.len(), (NONE, 0));
        let mut part = 0;
        for first in 0..regions.len() {
            if members[first].0 != NONE {
                continue;
            }
            let mut row = 0;
            stack.clear();
            stack.push(first as u32);
            members[first] = (part, row);
            while let Some(at) = stack.pop() {
                let own = starts[at as usize] as usize..starts[at as usize + 1] as usize;
                for edge in &edges[own] {
                    let member = &mut members[edge.to as usize];
                    if member.0 == NONE {
                        row += 1;
                        *member = (part, row);
                        stack.push(edge.to);
                    }
                }
            }
            part += 1;
        }
    }

    /// Finds the ways from the regions of a part to one of its gates: of ways of equal cost the one
    /// with the longest first base path, of these the first listed, like the matrix.
    fn flood(&mut self, gate: u32) {
        let Self { regions, edges, starts, nodes, open, .. } = self;
        nodes.clear();
        nodes.resize(regions.len(), FAR);
        nodes[gate as usize].cost = 0;
        open.clear();
        open.push(Reverse(u64::from(gate)));
        while let Some(Reverse(entry)) = open.pop() {
            let (cost, at) = (entry >> PLACE_BITS, (entry & ((1 << PLACE_BITS) - 1)) as usize);
            if cost != nodes[at].cost {
                continue; // an entry from before the region was improved
            }
            for edge in &edges[starts[at] as usize..starts[at + 1] as usize] {
                let node = &mut nodes[edge.to as usize];
                let cost = cost + u64::from(edge.cost);
                if cost > node.cost {
                    continue;
                }
                if cost < node.cost {
                    open.push(Reverse(cost << PLACE_BITS | u64::from(edge.to)));
                } else if (Reverse(edge.cost), edge.back) >= (Reverse(node.first), node.hop) {
                    continue;
                }
                *node = Node { cost, hop: edge.back, first: edge.cost };
            }
        }
    }
}
