//! Repair after an edit: what it touched is recomputed, the rest stays.
//!
//! A climb looks at the cells next to its way, and all climbs of a region stay inside it. So an
//! edit concerns only the regions that have a cell next to an edited one, at most nine for one
//! cell. Their cells and the freed ones are distributed again: the regions grow again from their
//! representatives, large ones first. A region disappears if its representative is blocked or was
//! swallowed by a neighbour, and cells that no region could take form new regions. The numbers of
//! regions that are gone are reused.
//!
//! A base path is optimal on the whole map, so an edit anywhere between its ends may concern it.
//! Only an edit whose octile distances to the two ends add up to no more than the path's cost can
//! do so. Such a path is recomputed if climbing along it on the edited map fails or costs more, or
//! if the way past a freed cell is shorter, which one flood from the edited cells finds out for all
//! paths. Paths that are newly needed, because regions appeared or became neighbours, are added,
//! and those no longer needed are dropped.
//!
//! A next hop between two regions may depend on base paths anywhere. So if the base paths or their
//! costs have changed, the whole table is dropped, and agents search the regions for their way
//! ([`ways`](super::ways)) until the planner is prepared again.

use super::paths::{Costs, Hops, Paths, Rings};
use super::region_map::RegionMap;
use super::regions::{Grower, NONE};
use super::{Data, HcdpsSettings};
use crate::engine::best_first::Space;
use crate::engine::frontier::Frontier;
use crate::engine::nodes::ROOT;
use crate::engine::open_list::Entry;
use crate::grid::raster::raster;
use crate::regions::climb::{Climber, Notion};
use crate::rules::cost::StepCosts;
use crate::rules::heuristic::Estimator;
use crate::space::cells::Cells;
use crate::{Cell, Grid, Heuristic, Moves, Rect, sort};
use std::cmp::Reverse;

/// What repairs and searches need besides the stored data.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    /// The regions that can be stepped to from each region, ascending.
    neighbours: Vec<Vec<u32>>,
    /// The cost of each base path.
    pub costs: Costs,
    /// Numbers without a region.
    holes: Vec<u32>,
    /// The number of regions when everything was built.
    made: usize,
}

/// Everything is rebuilt once the number of regions has grown by more than a quarter plus this.
const MORE_REGIONS: usize = 16;

/// A quarter of the regions plus this number may be touched at once.
const MOST_TOUCHED: usize = 8;

impl Links {
    pub fn new(neighbours: Vec<Vec<u32>>, costs: Costs) -> Self {
        let made = neighbours.len();
        Self { neighbours, costs, holes: Vec::new(), made }
    }

    /// The links of stored data.
    pub fn of(data: &Data, grid: &Grid, moves: Moves) -> Self {
        let climber = Climber::new(grid, moves);
        let rows = grid.rows();
        let cells = raster(0..grid.width(), 0..grid.height());
        let free = cells.map(|(x, y)| rows.position(x, y)).filter(|&node| rows.get(node));
        let region = |node: u32| data.map.region(Cell::from(rows.coordinates(node)));
        let count = data.representatives.len();
        let pairs = borders(climber, free, region);
        let mut neighbours = vec![Vec::new(); count];
        pairs.into_iter().for_each(|(a, b)| neighbours[a as usize].push(b));
        let walker =
            PathWalker { climber, units: StepCosts::<u64>::units(moves), cut_off: u32::MAX };
        let costs = (0..count as u32)
            .flat_map(|region| data.paths.from(region).map(move |path| (region, path)))
            .map(|(region, path)| walker.cost(data, region, path).unwrap_or(0))
            .collect();
        Self::new(neighbours, costs)
    }

    #[cfg(test)]
    pub fn neighbours(&self) -> &[Vec<u32>] {
        &self.neighbours
    }

    pub fn bytes(&self) -> usize {
        let lists = self.neighbours.iter().map(|list| size_of::<Vec<u32>>() + list.capacity() * 4);
        lists.sum::<usize>() + self.costs.capacity() * 8 + self.holes.capacity() * 4
    }
}

/// The pairs of neighbouring regions that some cells show, in order and once each.
fn borders(
    climber: Climber<'_>,
    cells: impl Iterator<Item = u32>,
    region: impl Fn(u32) -> u32,
) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for cell in cells {
        let own = region(cell);
        for other in climber.around(cell).map(&region) {
            if other != own && pairs.last() != Some(&(own, other)) {
                pairs.push((own, other));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Walks along base paths.
struct PathWalker<'a> {
    climber: Climber<'a>,
    units: (u64, u64),
    cut_off: u32,
}

impl PathWalker<'_> {
    /// The cost of walking along a path, if that arrives.
    fn cost(&self, data: &Data, region: u32, path: usize) -> Option<u64> {
        let end = data.representatives[data.paths.ends[path] as usize];
        let mut at = data.representatives[region as usize];
        let mut cost = 0;
        for &subgoal in data.paths.subgoals(path).iter().chain([&end]) {
            let mut before = at;
            let mut step = |node: u32| {
                let diagonal = self.climber.is_diagonal(before, node);
                cost += if diagonal { self.units.1 } else { self.units.0 };
                before = node;
            };
            self.climber.climb(at, subgoal, self.cut_off, &mut step)?;
            at = subgoal;
        }
        Some(cost)
    }
}

/// Searches from cell to cell.
struct Seeker<'a> {
    grid: &'a Grid,
    moves: Moves,
    frontier: Frontier<u64>,
}

impl Seeker<'_> {
    /// Runs A* (towards a cell) or Dijkstra's algorithm, and calls `settle` with every settled cell
    /// and its cost until that returns true.
    fn run(
        &mut self,
        sources: impl Iterator<Item = u32>,
        towards: Option<u32>,
        mut settle: impl FnMut(u32, u64) -> bool,
    ) {
        let Self { grid, moves, frontier } = self;
        let step_costs = StepCosts::<u64>::new(grid, *moves);
        let (heuristic, goal) = match towards {
            Some(goal) => (Heuristic::default_for(*moves), grid.rows().coordinates(goal)),
            None => (Heuristic::Zero, (0, 0)),
        };
        let estimator = Estimator::new(heuristic, &step_costs, goal);
        let space = Cells::<u64>::new(grid, *moves, step_costs, estimator);
        frontier.begin(grid.rows().positions(), step_costs.usual_step());
        let Frontier { nodes, open, .. } = frontier;
        for source in sources {
            nodes.set(source, 0, ROOT);
            open.push(Entry { total: space.estimate(source), g: 0, node: source });
        }
        while let Some(Entry { g, node, .. }) = open.pop() {
            let Some((_, tag)) = nodes.get(node).filter(|known| known.0 == g) else { continue };
            // A cell edited twice is a source twice.
            if nodes.is_closed(node) {
                continue;
            }
            nodes.close(node);
            if settle(node, g) {
                return;
            }
            space.expand(node, tag, |next, step, tag| {
                let g = g + step;
                if g < nodes.g(next) {
                    nodes.set(next, g, tag);
                    open.push(Entry { total: g + space.estimate(next), g, node: next });
                }
            });
        }
    }

    /// The way from the source to a settled cell, backwards, and its cost.
    fn way(&self, to: u32) -> (Vec<u32>, u64) {
        let climber = Climber::new(self.grid, self.moves);
        let (mut way, mut at) = (vec![to], to);
        while let Some((_, tag)) = self.frontier.nodes.get(at).filter(|known| known.1 != ROOT) {
            at = climber.neighbour(at, (tag + 4) & 7);
            way.push(at);
        }
        (way, self.frontier.nodes.g(to))
    }
}

/// A base path made for the repair.
struct Made {
    ends: (u32, u32),
    cost: u64,
    subgoals: Vec<u32>,
}

/// A repair in progress.
struct Repair<'a> {
    grid: &'a Grid,
    moves: Moves,
    settings: HcdpsSettings,
    changes: &'a [Rect],
    climber: Climber<'a>,
    rings: Rings,
    /// By number: whether the region's representative has changed.
    renewed: Vec<bool>,
}

impl Data {
    /// Repairs what is stored for a grid that has changed inside some rectangles and nowhere else.
    /// False if it is better to rebuild everything; the data is then unusable.
    pub fn repair(
        &mut self,
        links: &mut Links,
        grid: &Grid,
        moves: Moves,
        settings: HcdpsSettings,
        changes: &[Rect],
    ) -> bool {
        let mut repair = Repair {
            grid,
            moves,
            settings,
            changes,
            climber: Climber::new(grid, moves),
            rings: Rings::default(),
            renewed: Vec::new(),
        };
        let Some(affected) = repair.regions(self, links) else { return false };
        let (paths, costs) = repair.paths(self, links, &affected);
        let same = |a: &Paths, b: &Paths| a.starts == b.starts && a.ends == b.ends;
        if !same(&paths, &self.paths) || costs != links.costs || repair.renewed.contains(&true) {
            self.hops = Hops::default();
        }
        (self.paths, links.costs) = (paths, costs);
        true
    }
}

impl Repair<'_> {
    /// The regions that have a cell next to an edited one.
    fn touched(&self, map: &RegionMap) -> Vec<u32> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let mut touched = Vec::new();
        for rect in self.changes {
            for y in rect.y.saturating_sub(1)..(rect.y + rect.height + 1).min(height) {
                for x in rect.x.saturating_sub(1)..(rect.x + rect.width + 1).min(width) {
                    // Whether an edited cell was free is not known; if it was, its run has its
                    // region.
                    let cell = Cell::new(x, y);
                    let edited =
                        x.wrapping_sub(rect.x) < rect.width && y.wrapping_sub(rect.y) < rect.height;
                    let region = map.get(cell).filter(|_| edited || self.grid.is_free(cell));
                    if region.is_some() && region != touched.last().copied() {
                        touched.extend(region);
                    }
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The nodes of the cells that are edited and free.
    fn edited(&self) -> impl Iterator<Item = u32> + '_ {
        let rows = self.grid.rows();
        let cells = self.changes.iter().flat_map(|rect| rect.cells());
        let nodes = cells.map(|cell| rows.position(cell.x, cell.y));
        nodes.filter(|&node| rows.get(node))
    }

    /// Distributes the cells of touched regions again. Returns the regions that may need other
    /// paths than before, ascending; nothing if it is better to rebuild everything.
    fn regions(&mut self, data: &mut Data, links: &mut Links) -> Option<Vec<u32>> {
        let Data { representatives, map, .. } = data;
        let (grid, rows, cut_off) = (self.grid, self.grid.rows(), self.settings.cut_off);
        let alive = representatives.len() - links.holes.len();
        let mut touched = self.touched(map);
        touched.retain(|&region| representatives[region as usize] != NONE);
        if touched.len() > alive / 4 + MOST_TOUCHED {
            return None;
        }
        let mut grower = Grower::new(grid, self.climber, cut_off);
        // The cells to distribute, each with its former region.
        let mut cells: Vec<(u32, u32)> = Vec::new();
        cells.extend(self.edited().filter(|&node| grower.offer(node)).map(|node| (node, NONE)));
        let mut sizes = Vec::new();
        for &region in &touched {
            let (x, y) = rows.coordinates(representatives[region as usize]);
            let before = cells.len();
            let among = x.saturating_sub(cut_off)..x.saturating_add(cut_off + 1).min(grid.width());
            for y in y.saturating_sub(cut_off)..y.saturating_add(cut_off + 1).min(grid.height()) {
                let nodes = map.columns(y, among.clone(), region).map(|x| rows.position(x, y));
                let free = nodes.filter(|&node| rows.get(node) && grower.offer(node));
                cells.extend(free.map(|node| (node, region)));
            }
            sizes.push((Reverse(cells.len() - before), region));
        }
        sort::ascending(&mut sizes);
        self.renewed = vec![false; representatives.len()];
        for &(_, region) in &sizes {
            let representative = &mut representatives[region as usize];
            if grower.is_homeless(*representative) {
                grower.grow(*representative, region);
            } else {
                *representative = NONE;
                self.renewed[region as usize] = true;
                links.holes.push(region);
            }
        }
        cells.sort_unstable();
        let mut redone = touched.clone();
        for &(seed, _) in &cells {
            while grower.is_homeless(seed) {
                let id = links.holes.pop().unwrap_or(representatives.len() as u32);
                if id as usize == representatives.len() {
                    representatives.push(NONE);
                    self.renewed.push(true);
                    links.neighbours.push(Vec::new());
                }
                representatives[id as usize] = grower.found(grid, seed, id);
                self.renewed[id as usize] = true;
                redone.push(id);
            }
        }
        let alive = representatives.len() - links.holes.len();
        if alive > links.made + links.made / 4 + MORE_REGIONS || representatives.len() >= 1 << 16 {
            return None;
        }
        redone.sort_unstable();
        redone.dedup();
        let place = |node: u32| Cell::from(rows.coordinates(node));
        let dealt = |&(node, before): &(u32, u32)| {
            let region = grower.region(node).filter(|&region| region != before)?;
            Some((place(node), region))
        };
        let moved: Vec<(Cell, u32)> = cells.iter().filter_map(dealt).collect();
        if !moved.is_empty() {
            map.change(grid, &moved);
        }
        let region = |node: u32| grower.region(node).unwrap_or_else(|| map.region(place(node)));
        let pairs = borders(self.climber, cells.iter().map(|cell| cell.0), region);
        Some(self.relink(links, &redone, &pairs))
    }

    /// Updates the neighbours of some regions. Returns the regions that may need other paths.
    fn relink(&mut self, links: &mut Links, redone: &[u32], pairs: &[(u32, u32)]) -> Vec<u32> {
        let is_redone = |region: &u32| redone.binary_search(region).is_ok();
        let of = |region: u32| {
            let first = pairs.partition_point(|pair| pair.0 < region);
            pairs[first..].iter().take_while(move |pair| pair.0 == region).map(|pair| pair.1)
        };
        // The regions beside them, before and now.
        let mut beside: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        beside.extend(redone.iter().flat_map(|&region| &links.neighbours[region as usize]));
        beside.retain(|region| !is_redone(region));
        beside.sort_unstable();
        beside.dedup();
        let mut lists: Vec<(u32, Vec<u32>)> =
            redone.iter().map(|&region| (region, of(region).collect())).collect();
        for region in beside {
            let known = links.neighbours[region as usize].iter().copied();
            let mut list: Vec<u32> = known.filter(|other| !is_redone(other)).collect();
            list.extend(pairs.iter().filter(|pair| pair.1 == region).map(|pair| pair.0));
            list.sort_unstable();
            lists.push((region, list));
        }
        lists.retain(|(region, list)| {
            self.renewed[*region as usize] || *list != links.neighbours[*region as usize]
        });
        let changed: Vec<u32> = lists.iter().map(|list| list.0).collect();
        let depth = self.settings.depth;
        let mut affected = self.rings.of(&links.neighbours, &changed, depth);
        lists.into_iter().for_each(|(region, list)| links.neighbours[region as usize] = list);
        affected.extend(self.rings.of(&links.neighbours, &changed, depth));
        affected.sort_unstable();
        affected.dedup();
        affected
    }

    /// For each path, whether it must be dropped.
    fn broken(&self, data: &Data, links: &Links, seeker: &mut Seeker<'_>) -> Vec<bool> {
        let (rows, step_costs) = (self.grid.rows(), StepCosts::<u64>::new(self.grid, self.moves));
        let heuristic = Heuristic::default_for(self.moves);
        let walker = PathWalker {
            climber: self.climber,
            units: (step_costs.straight, step_costs.diagonal),
            cut_off: self.settings.cut_off,
        };
        let estimators: Vec<Estimator<u64>> = self
            .changes
            .iter()
            .map(|rect| {
                let last = (rect.x + rect.width - 1, rect.y + rect.height - 1);
                Estimator::to_rectangle(heuristic, &step_costs, (rect.x, rect.y), last)
            })
            .collect();
        // How much less a way past a freed cell costs than one through it: a new diagonal beside
        // it.
        let saved = (2 * step_costs.straight).saturating_sub(step_costs.diagonal);
        let mut broken = vec![false; data.paths.ends.len()];
        // Paths that may be too long now, with their first regions.
        let mut near = Vec::new();
        let place = |region: u32| match data.representatives[region as usize] {
            NONE => None,
            node => Some(rows.coordinates(node)).filter(|_| !self.renewed[region as usize]),
        };
        for region in 0..data.paths.regions() as u32 {
            let paths = data.paths.from(region);
            let Some((ax, ay)) = place(region) else {
                broken[paths].fill(true);
                continue;
            };
            for path in paths {
                let Some((bx, by)) = place(data.paths.ends[path]) else {
                    broken[path] = true;
                    continue;
                };
                // A climb looks at the cells next to its way.
                let most = links.costs[path] + 2 * step_costs.diagonal;
                let past = |to: &Estimator<u64>| to.estimate(ax, ay) + to.estimate(bx, by);
                let Some(past) = estimators.iter().map(past).min().filter(|&it| it <= most) else {
                    continue;
                };
                let cost = walker.cost(data, region, path);
                broken[path] = cost.is_none_or(|cost| cost > links.costs[path]);
                if !broken[path] && past < links.costs[path] + saved {
                    near.push((region, path));
                }
            }
        }
        // A freed cell with fewer than two free cells around it is only on ways to itself.
        let open = || self.edited().filter(|&node| rows.around(node).count_ones() > 2);
        let farthest = near.iter().map(|&(_, path)| links.costs[path]).max().unwrap_or(0);
        if near.is_empty() || open().next().is_none() {
            return broken;
        }
        // Flood until all ends are reached or too far away.
        let node = |region: u32| data.representatives[region as usize];
        let mut ends: Vec<u32> = near.iter().map(|&(region, _)| node(region)).collect();
        ends.extend(near.iter().map(|&(_, path)| node(data.paths.ends[path])));
        ends.sort_unstable();
        ends.dedup();
        let mut left = ends.len();
        seeker.run(open(), None, |node, cost| {
            left -= usize::from(ends.binary_search(&node).is_ok());
            left == 0 || cost > farthest
        });
        for (region, path) in near {
            let [a, b] =
                [region, data.paths.ends[path]].map(|region| seeker.frontier.nodes.g(node(region)));
            broken[path] = a.saturating_add(b) < links.costs[path] + saved;
        }
        broken
    }

    /// The base paths that are needed now.
    fn paths(&mut self, data: &Data, links: &Links, affected: &[u32]) -> (Paths, Costs) {
        let frontier = Frontier::default();
        let mut seeker = Seeker { grid: self.grid, moves: self.moves, frontier };
        let broken = self.broken(data, links, &mut seeker);
        let old = &data.paths;
        let count = data.representatives.len() as u32;
        let kept = |region: u32, end: u32| {
            let known = (region as usize) < old.regions();
            known.then(|| old.find(region, end).filter(|&path| !broken[path])).flatten()
        };
        let mut wanted = Vec::with_capacity(affected.len());
        let mut missing = Vec::new();
        let mut rest = affected;
        for region in 0..count {
            let mut lack = |end: u32| {
                if kept(region, end).is_none() {
                    missing.push((region, end));
                }
            };
            if let [first, tail @ ..] = rest
                && *first == region
            {
                rest = tail;
                let list = self.rings.around(&links.neighbours, region, self.settings.depth);
                list.iter().for_each(|&end| lack(end));
                wanted.push(list);
            } else {
                old.ends[old.from(region)].iter().for_each(|&end| lack(end));
            }
        }
        let made = self.make(data, &missing, &mut seeker);
        let (mut paths, mut costs) = (Paths::none(), Costs::new());
        let mut lists = affected.iter().zip(&wanted).peekable();
        for region in 0..count {
            let ends = match lists.next_if(|list| *list.0 == region) {
                Some((_, list)) => list,
                None => &old.ends[old.from(region)],
            };
            for &end in ends {
                if let Some(path) = kept(region, end) {
                    paths.push(end, old.subgoals(path));
                    costs.push(links.costs[path]);
                } else if let Ok(at) = made.binary_search_by_key(&(region, end), |made| made.ends) {
                    paths.push(end, &made[at].subgoals);
                    costs.push(made[at].cost);
                }
            }
            paths.end_region();
        }
        (paths, costs)
    }

    /// Makes the missing base paths, which are sorted pairs of regions.
    fn make(&self, data: &Data, missing: &[(u32, u32)], seeker: &mut Seeker<'_>) -> Vec<Made> {
        let at = |region: u32| data.representatives[region as usize];
        let mut made = Vec::with_capacity(missing.len());
        // One search serves both directions, and a new region has many to make.
        let renewed = |region: u32| self.renewed[region as usize];
        let mut pairs: Vec<(u32, u32)> =
            missing
                .iter()
                .map(|&(a, b)| {
                    if (Reverse(renewed(a)), a) <= (Reverse(renewed(b)), b) {
                        (a, b)
                    } else {
                        (b, a)
                    }
                })
                .collect();
        pairs.sort_unstable();
        pairs.dedup();
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            let source = group[0].0;
            let mut left = group.len();
            let towards = (left == 1).then(|| at(group[0].1));
            seeker.run([at(source)].into_iter(), towards, |node, _| {
                left -= usize::from(group.iter().any(|pair| at(pair.1) == node));
                left == 0
            });
            for &(_, end) in group {
                let (mut way, cost) = seeker.way(at(end));
                for ends in [(end, source), (source, end)] {
                    if missing.binary_search(&ends).is_ok() {
                        let mut subgoals = Vec::new();
                        let cut_off = self.settings.cut_off;
                        self.climber.compress(&way, Notion::CostsNoMore, cut_off, &mut subgoals);
                        made.push(Made { ends, cost, subgoals });
                    }
                    way.reverse();
                }
            }
        }
        sort::by_key(&mut made, |made| made.ends);
        made
    }
}
