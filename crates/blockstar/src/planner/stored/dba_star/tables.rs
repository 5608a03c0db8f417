//! What is known of the ways through one tile: for each of its regions the cost to each gate, and
//! the next region on the way there.
//!
//! A part's costs are laid out by region, because a search looks at all gates of one; the next
//! regions by gate, because a walk follows one way. On a large map every look at another place is a
//! miss of the cache, so what is asked for together lies together: the costs between gates, which a
//! search over gates asks for, and those from the rim to each gate, which the choice of a crossing
//! asks for, are kept a second time.

use super::source::Source;
use super::tiles::{Place, Tiles};
use crate::sort;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The sectors that an entrance spans at most. With 8 instead of 4 a search looks at a third of the
/// ways, but walks on 4096 x 4096 cells are 1.3 % (caves) and 1.8 % (rooms) longer.
const WINDOW: u32 = 4;

/// What is known of a tile's ways.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// The parts, and where the last one's things end.
    parts: Vec<Part>,
    /// The regions that are gates, part by part.
    gates: Vec<u32>,
    /// The crossings, part by part, and where they lead.
    crossings: Vec<Crossing>,
    /// All pairs of neighbours that one could cross between, by the tile beyond, and the costs of
    /// their base paths.
    rim: Vec<(u32, u32)>,
    tolls: Vec<u32>,
    /// The tiles beyond, in order, and where the pairs of each one start.
    sides: Vec<(u32, u32)>,
    /// For each gate what it costs to get there from each of the rim, [`NO_WAY`] from another part.
    rim_costs: Vec<u32>,
    /// The regions, part by part, each in the order of its rows.
    regions: Vec<u32>,
    /// For each region of a part, what it costs to get to each of its gates.
    costs: Vec<u32>,
    /// The same for gates only.
    gate_costs: Vec<u32>,
    /// For each gate of a part, the row of the region that comes next on the way from each of the
    /// part's regions.
    next: Vec<u32>,
    /// The costs from gate to gate, and what they would be without walls.
    pub detour: (u64, u64),
}

/// A part of a tile: where the things that belong to it start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Part {
    gate: u32,
    crossing: u32,
    region: u32,
    entry: u32,
    gate_entry: u32,
}

/// The cost of a way that does not exist. Ways as long as that exist on paper only; they count as
/// one unit shorter, and would just be chosen less well.
pub(super) const NO_WAY: u32 = u32::MAX;

/// A way out of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    pub from: u32,
    /// The region beyond, its tile and its centre.
    pub to: u32,
    pub tile: u32,
    pub node: u32,
    pub cost: u32,
    /// Which of its part's gates the crossing starts at.
    gate: u32,
}

/// What a part knows of one of its regions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook<'a> {
    /// The gates of its part.
    pub gates: &'a [u32],
    crossings: &'a [Crossing],
    costs: &'a [u32],
}

impl<'a> Outlook<'a> {
    /// The ways out of the tile, with the cost of taking them from this region.
    #[inline]
    pub fn ways_out(&self) -> impl Iterator<Item = (u64, &'a Crossing)> + use<'a> {
        let Self { crossings, costs, .. } = *self;
        let whole = |way: &Crossing| u64::from(costs[way.gate as usize]) + u64::from(way.cost);
        crossings.iter().map(move |way| (whole(way), way))
    }

    /// Which of the part's gates one is.
    #[inline]
    pub fn column(&self, gate: u32) -> Option<usize> {
        self.gates.iter().position(|&other| other == gate)
    }

    /// The cost of getting to the gate of a column.
    #[inline]
    pub fn cost(&self, column: usize) -> u64 {
        self.costs[column].into()
    }

    /// The cost of getting to a gate.
    #[inline]
    pub fn cost_to(&self, gate: u32) -> Option<u64> {
        Some(self.cost(self.column(gate)?))
    }
}

impl Tables {
    /// What is known of a region.
    #[inline]
    pub fn outlook(&self, place: Place) -> Outlook<'_> {
        let [part, next] = self.part(place.part);
        let gates = (next.gate - part.gate) as usize;
        let entry = part.entry as usize + place.row as usize * gates;
        Outlook {
            gates: &self.gates[part.gate as usize..next.gate as usize],
            crossings: &self.crossings[part.crossing as usize..next.crossing as usize],
            costs: &self.costs[entry..entry + gates],
        }
    }

    /// The same for a region that is mostly a gate: then it is found next to that of other gates.
    #[inline]
    pub fn outlook_of_gate(&self, place: Place, region: u32) -> Outlook<'_> {
        let [part, next] = self.part(place.part);
        let gates = &self.gates[part.gate as usize..next.gate as usize];
        let Some(column) = gates.iter().position(|&gate| gate == region) else {
            return self.outlook(place);
        };
        let entry = part.gate_entry as usize + column * gates.len();
        Outlook {
            gates,
            crossings: &self.crossings[part.crossing as usize..next.crossing as usize],
            costs: &self.gate_costs[entry..entry + gates.len()],
        }
    }

    /// A part and the one after it.
    #[inline]
    fn part(&self, part: u32) -> [Part; 2] {
        [self.parts[part as usize], self.parts[part as usize + 1]]
    }

    /// The regions of a part by row, and the rows that come next on the ways to one of its gates.
    pub fn column(&self, part: u32, column: usize) -> (&[u32], &[u32]) {
        let [part, next] = self.part(part);
        let regions = &self.regions[part.region as usize..next.region as usize];
        let rows = &self.next[part.entry as usize + column * regions.len()..][..regions.len()];
        (regions, rows)
    }

    /// All ways across to a tile, as the regions on both sides, and what they cost.
    pub fn rim_to(&self, tile: u32) -> Option<impl Iterator<Item = ((u32, u32), u32)>> {
        let side = self.side(tile)?;
        let tolls = self.tolls[side.clone()].iter().copied();
        Some(self.rim[side].iter().copied().zip(tolls))
    }

    /// What it costs to get to a gate of a part from each of the rim next to a tile.
    pub fn costs_along(&self, part: u32, gate: u32, tile: u32) -> Option<&[u32]> {
        let [part, next] = self.part(part);
        let gates = &self.gates[part.gate as usize..next.gate as usize];
        let column = gates.iter().position(|&other| other == gate)?;
        let costs = &self.rim_costs[(part.gate as usize + column) * self.rim.len()..];
        Some(&costs[self.side(tile)?])
    }

    /// Where the rim next to a tile is listed.
    fn side(&self, tile: u32) -> Option<std::ops::Range<usize>> {
        let at = self.sides.iter().position(|side| side.0 == tile)?;
        let end = self.sides.get(at + 1).map_or(self.rim.len(), |next| next.1 as usize);
        Some(self.sides[at].1 as usize..end)
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let words = [&self.gates, &self.tolls, &self.rim_costs, &self.regions, &self.costs];
        let words = words.into_iter().chain([&self.gate_costs, &self.next]);
        self.parts.capacity() * size_of::<Part>()
            + words.map(|list| list.capacity() * 4).sum::<usize>()
            + (self.rim.capacity() + self.sides.capacity()) * size_of::<(u32, u32)>()
            + self.crossings.capacity() * size_of::<Crossing>()
    }
}

/// Memory to make tables with.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    /// The ways out, with their place on the rim: the tile beyond and where they lie along it.
    rim: Vec<Rim>,
    /// The base paths inside the parts of the tile, and where each region's start.
    edges: Vec<Edge>,
    starts: Vec<u32>,
    /// Which of its base paths each of them is, by the order of the region's own.
    own: Vec<u16>,
    cursors: Vec<u32>,
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
    fn crossing(&self, source: &Source<'_>, tile: u32) -> Option<Crossing> {
        let [mut from, mut to] = self.ends.map(|end| end.1);
        if self.tile < tile {
            std::mem::swap(&mut from, &mut to);
        }
        let cost = source.hops(from).find(|hop| hop.target == to)?.cost;
        Some(Crossing { from, to, tile: self.tile, node: source.sectors.centre(to), cost, gate: 0 })
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
    /// The region next on the way to the gate, by its place; which base path leads there, and its
    /// cost.
    next: u32,
    hop: u16,
    first: u32,
}

const FAR: Node = Node { cost: u64::MAX, next: 0, hop: 0, first: 0 };

/// The lower bits of an entry of the open list are the region: a tile has at most 2^23.
const PLACE_BITS: u32 = 24;

impl Builder {
    /// Makes the tables of a tile.
    pub fn build(&mut self, source: &Source<'_>, tiles: &Tiles, tile: u32) -> Tables {
        let of = tiles.get(tile);
        let member = |region: u32| (tiles.place(region).part, tiles.place(region).row);
        let mut made = Tables::default();
        self.find_rim(source, tiles, tile);
        let key = |rim: &Rim| (rim.tile, rim.window, rim.parts);
        for entrance in self.rim.chunk_by(|a, b| key(a) == key(b)) {
            made.crossings.extend(entrance[entrance.len() / 2].crossing(source, tile));
        }
        for way in self.rim.iter().filter_map(|rim| rim.crossing(source, tile)) {
            if made.sides.last().is_none_or(|side| side.0 != way.tile) {
                made.sides.push((way.tile, made.rim.len() as u32));
            }
            made.rim.push((way.from, way.to));
            made.tolls.push(way.cost);
        }
        sort::by_key(&mut made.crossings, |way| member(way.from));
        let mut crossing = 0;
        let mut at = Part::default();
        for (part, size) in (0..).zip(of.sizes()) {
            made.parts.push(at);
            let gate = at.gate;
            while let Some(way) =
                made.crossings.get_mut(crossing).filter(|way| member(way.from).0 == part)
            {
                if made.gates[gate as usize..].last() != Some(&way.from) {
                    made.gates.push(way.from);
                }
                way.gate = made.gates.len() as u32 - gate - 1;
                crossing += 1;
            }
            let gates = made.gates.len() as u32 - gate;
            at = Part {
                gate: gate + gates,
                crossing: crossing as u32,
                region: at.region + size,
                entry: at.entry + size * gates,
                gate_entry: at.gate_entry + gates * gates,
            };
        }
        made.parts.push(at);
        made.costs = vec![0; at.entry as usize];
        made.next = vec![0; at.entry as usize];
        made.gate_costs = vec![0; at.gate_entry as usize];
        made.rim_costs = Vec::with_capacity(made.gates.len() * made.rim.len());
        made.regions = vec![0; of.regions.len()];
        for (&region, &(part, row)) in of.regions.iter().zip(&of.members) {
            made.regions[(made.parts[part as usize].region + row) as usize] = region;
        }
        self.find_edges(source, tiles, tile);
        for (at, &gate) in (0..).zip(&made.gates) {
            self.flood(tiles.place(gate).at);
            let own = tiles.place(gate).part;
            let [part, next] = [made.parts[own as usize], made.parts[own as usize + 1]];
            let (gates, column) = ((next.gate - part.gate) as usize, at - part.gate as usize);
            let entry = part.entry as usize;
            let rows = (next.region - part.region) as usize;
            let cost = |node: &Node| node.cost.min(u64::from(NO_WAY - 1)) as u32;
            for (node, &(part, row)) in self.nodes.iter().zip(&of.members) {
                if part == own {
                    made.costs[entry + row as usize * gates + column] = cost(node);
                    made.next[entry + column * rows + row as usize] =
                        of.members[node.next as usize].1;
                }
            }
            made.rim_costs.extend(made.rim.iter().map(|way| {
                let place = tiles.place(way.0);
                if place.part == own { cost(&self.nodes[place.at as usize]) } else { NO_WAY }
            }));
            let ends = &made.gates[part.gate as usize..next.gate as usize];
            for (row, &other) in ends.iter().enumerate() {
                let node = &self.nodes[tiles.place(other).at as usize];
                made.gate_costs[part.gate_entry as usize + row * gates + column] = cost(node);
                if row < column {
                    let nodes = [gate, other].map(|region| source.sectors.centre(region));
                    made.detour.0 += node.cost;
                    made.detour.1 += source.between(nodes[0], nodes[1]);
                }
            }
        }
        made.crossings.shrink_to_fit();
        made.rim.shrink_to_fit();
        made.tolls.shrink_to_fit();
        made.gates.shrink_to_fit();
        made.parts.shrink_to_fit();
        made
    }

    /// Finds the pairs of neighbours in the tile and others. Those to another tile are the ones
    /// that it finds too.
    fn find_rim(&mut self, source: &Source<'_>, tiles: &Tiles, tile: u32) {
        let Source { bits, sectors, .. } = *source;
        let (rim, columns) = (&mut self.rim, sectors.layout.columns);
        rim.clear();
        for &region in &tiles.get(tile).regions {
            for &beyond in sectors.neighbours(region) {
                let other = tiles.tile(beyond);
                if other == tile {
                    continue;
                }
                let end = |region: u32| (sectors.sector(bits, region), region);
                let mut ends = [end(region), end(beyond)];
                if other < tile {
                    ends.reverse();
                }
                let (sector, _) = ends[0];
                let beside = tiles.are_in_a_row(tile, other);
                let along = if beside { sector / columns } else { sector % columns };
                let parts = ends.map(|end| tiles.part(end.1));
                rim.push(Rim { tile: other, window: along / WINDOW, parts, ends });
            }
        }
        sort::ascending(rim);
    }

    /// Lists the base paths between regions of one part.
    fn find_edges(&mut self, source: &Source<'_>, tiles: &Tiles, tile: u32) {
        let Self { edges, starts, own, cursors, .. } = self;
        let of = tiles.get(tile);
        edges.clear();
        starts.clear();
        for (&region, member) in of.regions.iter().zip(&of.members) {
            starts.push(edges.len() as u32);
            for (index, hop) in source.hops(region).enumerate() {
                let Place { tile: other, at: to, part, .. } = tiles.place(hop.target);
                if other == tile && part == member.0 {
                    edges.push(Edge { to, cost: hop.cost, back: index as u16 });
                }
            }
        }
        starts.push(edges.len() as u32);
        // Lists are in order and every base path has one back: those that lead to a region come up
        // in the order of its own list. What each has noted of itself is what the other wants.
        cursors.clear();
        cursors.extend_from_slice(&starts[..of.regions.len()]);
        own.clear();
        own.extend(edges.iter().map(|edge| edge.back));
        for edge in edges.iter_mut() {
            let cursor = &mut cursors[edge.to as usize];
            edge.back = own[*cursor as usize];
            *cursor += 1;
        }
    }

    /// Finds the ways from the regions of a part to one of its gates: of ways of equal cost the one
    /// with the longest first base path, of these the first listed, like the matrix.
    fn flood(&mut self, gate: u32) {
        let Self { edges, starts, nodes, open, .. } = self;
        nodes.clear();
        nodes.resize(starts.len() - 1, FAR);
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
                *node = Node { cost, next: at as u32, hop: edge.back, first: edge.cost };
            }
        }
    }
}
