//! The way through the regions: looked up in the matrix, or searched for.
//!
//! On maps of many regions it is the gates of [tiles](super::tiles) that are searched, unless the
//! goal is near.

use super::journey::Journey;
use super::leg::Leg;
use super::paths::Hop;
use super::tables::Crossing;
use super::tiles::Tiles;
use crate::regions::routes::Rank;
use crate::regions::sectors::RegionSpace;

/// How many regions a way between adjoining tiles may take to be found among the regions. What is
/// farther away than that is looked for over the gates of tiles.
pub(super) const NEARBY: u64 = 256;

/// The search over gates takes estimates to be larger, by as much as ways inside the tiles of start
/// and goal cost more than their estimates (12 % in generated caves, 36 % in rooms), but by one in
/// this many at most. Ways are bound to gates anyhow and hardly longer for it, but fewer are looked
/// at: on 4096 x 4096 cells of rooms 406 with an eighth more.
const MOST_GREED: u64 = 4;

impl<'a> Leg<'a> {
    /// Looks up hops until two subgoals are known or there are no more.
    pub(super) fn extend(&mut self, journey: &mut Journey) {
        while journey.targets.len() < 2 && journey.region != journey.goal_region {
            if journey.hops > self.planner.sectors.live() && !journey.searched {
                // A matrix from a file may say anything.
                self.search_route(journey, u64::MAX);
            }
            journey.hops += 1;
            let Some(hop) = self.hop(journey) else {
                if journey.searched {
                    return;
                }
                self.search_route(journey, u64::MAX);
                continue;
            };
            let at = journey.targets.len();
            journey.targets.extend_from_slice(hop.subgoals);
            journey.targets.push(self.planner.sectors.centre(hop.target));
            journey.targets[at..].reverse();
            if self.planner.tiles.is_some() {
                self.touch_cells(journey, at);
            }
            // The next subgoal is on top of the stack.
            journey.targets.rotate_left(at);
            journey.region = hop.target;
        }
    }

    /// The next base path towards the goal.
    fn hop(&self, journey: &mut Journey) -> Option<Hop<'a>> {
        let planner = self.planner;
        if let Some(tiles) = planner.tiles.as_ref().filter(|_| journey.searched && journey.tiled) {
            return self.hop_by_tile(journey, tiles);
        }
        let mut hops = self.source.hops(journey.region);
        match &planner.matrix {
            Some(matrix) if !journey.searched => {
                hops.nth(matrix.hop(journey.region, journey.goal_region)? as usize)
            }
            _ => {
                let here = journey.routes.cost(journey.region)?;
                let on_the_way = hops.filter(|hop| {
                    let there = journey.routes.cost(hop.target);
                    there.is_some_and(|there| there + u64::from(hop.cost) == here)
                });
                // Of several the longest, of these the first, like the matrix.
                on_the_way.reduce(|a, b| if b.cost > a.cost { b } else { a })
            }
        }
    }

    /// The next base path on the way from gate to gate.
    fn hop_by_tile(&self, journey: &mut Journey, tiles: &Tiles) -> Option<Hop<'a>> {
        if journey.stretch.is_empty() {
            self.find_stretch(journey, tiles)?;
            self.touch_regions(journey);
        }
        let next = journey.stretch.pop()?;
        self.source.hops(journey.region).find(|hop| hop.target == next)
    }

    /// Lists the regions up to the next gate, or to the goal's region.
    fn find_stretch(&self, journey: &mut Journey, tiles: &Tiles) -> Option<()> {
        let here = journey.region;
        if here == journey.gate {
            journey.gate = journey.routes.over(here)?;
            if tiles.tile(here) != tiles.tile(journey.gate) {
                return self.cross(journey, tiles);
            }
        }
        let Journey { stretch, gate, .. } = journey;
        if *gate == journey.goal_region {
            // The tables lead to gates: the way from the goal to the gate here, backwards.
            return tiles.way_to(&self.source, *gate, here, stretch);
        }
        tiles.way_to(&self.source, here, *gate, stretch)?;
        stretch.push(*gate);
        stretch.reverse();
        stretch.pop();
        Some(())
    }

    /// Crosses from a gate to the tile of the next one, and goes on over the best place to leave
    /// that tile again, if the gate after that is known to its tables.
    fn cross(&self, journey: &mut Journey, tiles: &Tiles) -> Option<()> {
        let Journey { region: here, stretch, routes, gate: next, goal_region, .. } = journey;
        let (source, beyond) = (&self.source, tiles.tile(*next));
        // Of the crossings that start here the one that the search has found.
        let there = tiles.outlook(source, *next);
        let whole = |(cost, way): (u64, &Crossing)| Some((cost + there.cost_to(way.to)?, way.to));
        let ways = tiles.outlook(source, *here).ways_out();
        let ways = ways.filter(|(_, way)| way.from == *here && way.tile == beyond);
        let (_, landing) = ways.filter_map(whole).min_by_key(|way| way.0)?;
        if *next != *goal_region {
            let after = routes.over(*next)?;
            let best = || tiles.best_crossing(source, landing, after);
            if let Some((leave, enter)) = (after != *goal_region).then(best).flatten() {
                stretch.push(enter);
                tiles.way_to(source, leave, landing, stretch)?;
                *next = after;
            }
        }
        stretch.push(landing);
        Some(())
    }

    /// Reads where the base paths of the regions ahead are. On a large map each is a miss of the
    /// cache; here they do not wait for each other.
    fn touch_regions(&self, journey: &mut Journey) {
        let planner = self.planner;
        for &region in &journey.stretch {
            // One word of each 64 bytes.
            let words = self.source.hops(region).0.iter().step_by(16);
            let sum =
                words.fold(planner.sectors.centre(region), |sum, word| sum.wrapping_add(*word));
            journey.touched = journey.touched.wrapping_add(sum);
        }
    }

    /// Reads cells on the way from the centre of the present region over the subgoals from `at` on,
    /// the last one first: for the same reason, a new row of cells mostly being a miss.
    fn touch_cells(&self, journey: &mut Journey, at: usize) {
        let rows = self.grid.rows();
        let (mut x, mut y) = rows.coordinates(self.planner.sectors.centre(journey.region));
        for &next in journey.targets[at..].iter().rev() {
            let (to_x, to_y) = rows.coordinates(next);
            let steps = y.abs_diff(to_y);
            // In parts of 2^-16; a map has at most 2^14 columns.
            let slope = ((to_x as i32 - x as i32) << 16) / steps.max(1) as i32;
            let (mut across, down) = ((x as i32) << 16, if to_y < y { -1 } else { 1 });
            for _ in 0..steps {
                across += slope;
                y = y.wrapping_add_signed(down);
                let cell = rows.position((across >> 16) as u32, y);
                journey.touched = journey.touched.wrapping_add(u32::from(rows.get(cell)));
            }
            (x, y) = (to_x, to_y);
        }
    }

    /// Searches from the goal's region to the agent's, until all shortest ways are known or `limit`
    /// regions are expanded. That counts as spent, but is not taken from what is left.
    pub(super) fn search_route(&mut self, journey: &mut Journey, limit: u64) {
        let Self { planner, grid, moves, source, .. } = *self;
        let (from, to) = (journey.goal_region, journey.region);
        let space = RegionSpace { sectors: &planner.sectors, grid, moves, to };
        if !std::mem::replace(&mut journey.begun, true) {
            journey.nearby = match &planner.tiles {
                Some(tiles) if tiles.apart(from, to) > 1 => 0,
                // The way inside the tile bounds the search.
                Some(tiles) if !tiles.are_joined(from, to) => NEARBY,
                _ => u64::MAX,
            };
            journey.tiled = false;
            journey.most = u64::MAX;
            space.begin(&mut journey.routes, from);
        }
        for _ in 0..limit {
            let found = journey.most != u64::MAX;
            if journey.nearby == 0 && !found && !journey.tiled {
                self.begin_gates(journey);
            }
            let routes = &mut journey.routes;
            let Some((region, g)) = routes.pop(journey.most) else {
                journey.searched = true;
                return;
            };
            self.spent += 1;
            journey.nearby = journey.nearby.saturating_sub(1);
            if region == to {
                journey.most = g;
                if journey.tiled {
                    journey.searched = true;
                    return;
                }
            }
            if journey.tiled {
                self.expand_gate(journey, region, g);
                continue;
            }
            for hop in source.hops(region) {
                space.reach(routes, hop.target, g + u64::from(hop.cost), region);
            }
        }
    }

    /// Begins the search over gates.
    fn begin_gates(&self, journey: &mut Journey) {
        let Some(tiles) = &self.planner.tiles else { return };
        let ends = [journey.goal_region, journey.region];
        let detours = ends.map(|end| tiles.tables(&self.source, tiles.tile(end)).detour);
        let [cost, estimate] = [detours[0].0 + detours[1].0, (detours[0].1 + detours[1].1).max(1)];
        let more = cost.saturating_sub(estimate);
        journey.greed = (more.min(estimate / MOST_GREED) * 256 / estimate) as u32;
        journey.tiled = true;
        journey.gate = journey.region;
        let [from, to] = ends.map(|end| self.planner.sectors.centre(end));
        let rank = self.gate_rank(from, to, journey.greed);
        journey.routes.begin(self.planner.sectors.numbers(), journey.goal_region, rank);
    }

    #[inline]
    fn gate_rank(&self, node: u32, to: u32, greed: u32) -> Rank {
        let estimate = self.source.between(node, to);
        Rank { estimate: estimate + estimate * u64::from(greed) / 256, tie: node }
    }

    /// Reaches from a gate what is beyond its tile, and the agent's region if it is in there.
    fn expand_gate(&self, journey: &mut Journey, region: u32, g: u64) {
        let Some(tiles) = &self.planner.tiles else { return };
        let (to, greed) = (journey.region, journey.greed);
        let end = self.planner.sectors.centre(to);
        let routes = &mut journey.routes;
        // With estimates that large a gate may be expanded before the best way there is known; once
        // is enough, and bounds the search.
        routes.close(region);
        for (cost, way) in tiles.outlook_of_gate(&self.source, region).ways_out() {
            if !routes.is_closed(way.to) {
                routes.reach(way.to, g + cost, region, || self.gate_rank(way.node, end, greed));
            }
        }
        if tiles.are_joined(region, to)
            && let Some(cost) = tiles.outlook(&self.source, to).cost_to(region)
        {
            routes.reach(to, g + cost, region, || self.gate_rank(end, end, greed));
        }
    }
}
