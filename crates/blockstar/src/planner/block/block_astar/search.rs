//! The search: blocks in order of the least total among their newly reached boundary points.

use super::blocks::{BlockGrid, BlockTables, each_bit};
use super::estimate::Estimate;
use super::masked::MaskedBlocks;
use super::memory::{Arrival, BlockMemory};
use crate::engine::budget::Meter;
use crate::engine::gate::Task;
use crate::engine::open_list::{Entry, Open};
use crate::engine::partial::Closest;
use crate::engine::trace::{Event, Trace};
use crate::engine::vectors::{VectorLoop, with_widest};
use crate::engine::{Outcome, Problem, Slice};
use crate::planner::block::tables::{
    Content, Distance, MAX_SIDE, MAX_SLOTS, MakerMemory, Table, TableRules,
};
use crate::rules::cost::Cost;
use crate::rules::slope::{Incline, Way};
use crate::{Cell, Grid, Heuristic, Point, Stats};

/// By how much a path may exceed what smoothing makes of it: no path over blocks is longer than the
/// shortest one over the lattice of corners, which exceeds any other by at most this factor (Bailey
/// et al. 2015) and, between points that are not corners, by the ways to and from them.
const LATTICE_EXCESS: f64 = 1.0824;
const LATTICE_ENDS: f64 = 3.0;

/// Where the path that is to be written ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum PathEnd {
    Goal,
    /// At a point of a block.
    Slot {
        block: u32,
        slot: usize,
    },
}

/// What steps between the cells of two blocks cost, and so how they are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ground {
    /// The same everywhere: a whole side at once.
    Plain,
    /// By the terrain: a whole side at once.
    Weighted,
    /// By heights, or by the terrain in a weighted search: one by one.
    Hills,
}

/// One search on one map.
pub(super) struct BlockSearch<'a, D: Estimate> {
    pub grid: &'a Grid,
    pub blocks: &'a BlockGrid<D>,
    /// If `None`, each table is made when it is needed.
    pub tables: Option<&'a BlockTables<D>>,
    /// The blocks to which tables and doors in store do not apply, if the query avoids cells.
    masked: Option<&'a MaskedBlocks>,
    pub task: &'a Task,
    pub estimator: D::Estimator,
    /// Whether an entry's total is a lower bound of every path through it.
    bound: bool,
    max_total: D::Key,
    max_expansions: u64,
    ceiling: D::Key,
    /// The weight of the estimates.
    pub weight: f64,
    /// What steps from block to block cost.
    pub ground: Ground,
    /// The least that a straight and a diagonal step can cost.
    pub least_steps: [D; 2],
    /// On slopes, if there is an estimate: what slopes cost, and the height of the goal.
    hill: Option<(Incline, f32)>,
}

impl<'a, D: Estimate> BlockSearch<'a, D> {
    pub fn new(
        problem: &Problem<'a>,
        blocks: &'a BlockGrid<D>,
        tables: Option<&'a BlockTables<D>>,
        masked: Option<&'a MaskedBlocks>,
    ) -> Self {
        let Problem { grid, task, .. } = *problem;
        let (heuristic, query) = (problem.heuristic(), problem.query());
        let moves = blocks.rules.moves;
        let admissible = heuristic.is_admissible(moves)
            && !(moves.rule().is_any_angle() && heuristic == Heuristic::Octile);
        let weight = query.chosen_weight().unwrap_or(1.0);
        let weight = weight.min(D::largest_weight(grid, moves)).max(1.0);
        let smooths = moves.rule().is_any_angle() && query.wants_smoothing();
        let max_total = query.cost_limit().map(|limit| match (smooths, grid.has_costs()) {
            (false, _) => limit,
            (true, false) => limit * LATTICE_EXCESS + LATTICE_ENDS,
            (true, true) => f64::INFINITY,
        });
        Self {
            grid,
            blocks,
            tables,
            masked,
            task,
            estimator: D::estimator(problem, weight),
            bound: admissible && weight == 1.0,
            max_total: max_total.map_or(D::Key::MAX, |limit| D::limit(grid, moves, limit)),
            max_expansions: problem.max_expansions(),
            ceiling: D::ceiling(grid, moves, weight, blocks.layout.size().cells() as u64),
            weight,
            ground: match blocks.rules.incline.is_some() || (grid.has_costs() && weight != 1.0) {
                true if D::ON_HILLS => Ground::Hills,
                _ if D::ON_HILLS && grid.has_costs() => Ground::Weighted,
                _ => Ground::Plain,
            },
            least_steps: least_steps(grid, &blocks.rules),
            hill: blocks
                .rules
                .incline
                .filter(|_| heuristic != Heuristic::Zero)
                .map(|incline| (incline, grid.height_at(task.goal_cell).unwrap_or(0.0))),
        }
    }

    /// A block's table: its own or, if it has none, one made in spare memory.
    pub fn table<'t>(
        &'t self,
        block: u32,
        content: &mut Content,
        maker: &mut MakerMemory<D>,
        spare: &'t mut Table<D>,
        made: &mut u64,
    ) -> &'t Table<D> {
        let stored = self.tables.filter(|_| !self.masked.is_some_and(|m| m.contains(block)));
        if let Some(table) = stored.and_then(|tables| tables.get(block)) {
            return table;
        }
        *made += 1;
        let (left, top) = self.blocks.origin(block);
        self.blocks.rules.read(content, self.grid, self.blocks.layout.size(), left, top);
        self.blocks.rules.provide(&self.blocks.layout, content, maker, spare);
        spare
    }

    #[inline]
    pub fn estimate(&self, x: u32, y: u32) -> D {
        let flat = D::estimate(&self.estimator, x, y);
        let hill = if D::ON_HILLS { self.hill.as_ref() } else { None };
        let Some((incline, level)) = hill else { return flat };
        let height = self.grid.height_at(Cell::new(x, y)).unwrap_or(0.0);
        let penalty = Self::units(incline.penalty(height, *level));
        flat + if self.weight == 1.0 { penalty } else { penalty.stretch(self.weight) }
    }

    /// A distance between cells, from units.
    fn units(units: u64) -> D {
        D::from_key(D::Key::from_u64(units))
    }

    /// The slots through which a block can be entered and left.
    #[inline(always)]
    pub fn doors(&self, block: u32) -> u64 {
        match self.tables {
            Some(tables) if !D::CELLS => {
                let masked = self.masked.and_then(|masked| masked.doors(block));
                masked.unwrap_or_else(|| tables.doors(block))
            }
            _ => u64::MAX,
        }
    }

    /// Queues a block with the costs of its slots from the start.
    pub fn seed(
        &self,
        block: u32,
        distances: &[D],
        memory: &mut BlockMemory<D>,
        open: &mut Open<D::Key>,
    ) {
        let (left, top) = self.blocks.origin(block);
        let (mut reached, mut least) = (0, D::FAR);
        memory.touch(block, self.doors(block));
        for (slot, &g) in distances.iter().enumerate().take(self.blocks.layout.slots()) {
            if g.is_cost() {
                let (x, y) = self.blocks.layout.at(slot);
                memory.row_mut(block)[slot] = g;
                reached |= 1 << slot;
                least = least.least(g + self.estimate(left + x, top + y));
            }
        }
        let mark = memory.mark(block);
        mark.seeded = true;
        mark.entered = reached;
        if reached != 0 {
            mark.key = least.key();
            open.push(Entry { total: mark.key, g: mark.key, node: block });
        }
    }

    /// Runs until the goal, the end or the budget.
    pub fn run(
        &self,
        memory: &mut BlockMemory<D>,
        open: &mut Open<D::Key>,
        slice: &mut Slice<'_>,
    ) -> Outcome {
        let Slice { meter, stats, trace, closest, .. } = slice;
        // The widest vectors of this machine: 256 bits instead of 128 save 7 to 12 % of the time
        // (brc202d, blocks of 4 to 16).
        let search = self;
        with_widest(Vectored { search, memory, open, meter, stats, trace, closest })
    }

    #[inline(always)]
    fn run_vectored<const WIDE: bool>(
        &self,
        memory: &mut BlockMemory<D>,
        open: &mut Open<D::Key>,
        meter: &mut Meter,
        stats: &mut Stats,
        trace: &mut Option<Trace>,
        closest: &mut Closest,
    ) -> Outcome {
        let found = |memory: &BlockMemory<D>| match memory.arrival {
            Arrival::None if memory.pruned => Outcome::Limit,
            Arrival::None => Outcome::Exhausted,
            _ => Outcome::Goal,
        };
        loop {
            // Before anything is taken off the list: putting it back could reorder equal entries.
            if meter.is_spent() {
                return Outcome::Paused;
            }
            let Some(Entry { total, node: block, .. }) = open.pop() else { return found(memory) };
            if memory.best.key() <= total {
                return found(memory);
            }
            if memory.mark(block).key != total {
                continue; // an entry from before the block's total fell or the block was expanded
            }
            if self.bound && total > self.max_total {
                if !closest.is_wanted() {
                    return Outcome::Limit;
                }
                // No path is left, but ways to go on.
                memory.pruned = true;
                if !self.is_within_limit(block, memory) {
                    continue;
                }
            }
            if stats.expanded >= self.max_expansions {
                return Outcome::Limit;
            }
            if total > self.ceiling {
                return Outcome::Overflow;
            }
            meter.pay();
            stats.expanded += 1;
            self.expand::<WIDE>(block, total, memory, open, stats, trace);
            if closest.is_wanted() {
                self.report(block, memory.row(block), closest);
            }
            stats.largest_open = stats.largest_open.max(open.len() as u64);
        }
    }

    #[inline(always)]
    fn expand<const WIDE: bool>(
        &self,
        block: u32,
        total: D::Key,
        memory: &mut BlockMemory<D>,
        open: &mut Open<D::Key>,
        stats: &mut Stats,
        trace: &mut Option<Trace>,
    ) {
        let lanes = self.blocks.layout.lanes();
        let mark = memory.mark(block);
        mark.key = D::Key::MAX;
        let entered = std::mem::take(&mut mark.entered);
        let seeded = std::mem::take(&mut mark.seeded);
        stats.reexpanded += u64::from(std::mem::replace(&mut mark.expanded, true));
        let mut costs = [D::FAR; ROW_LANES];
        costs[..lanes].copy_from_slice(memory.row(block));
        {
            let BlockMemory { content, maker, table, .. } = &mut *memory;
            let table = self.table(block, content, maker, table, &mut stats.tables_made);
            if self.weight == 1.0 {
                relax::<WIDE, D>(&mut costs[..lanes], table, entered);
            } else {
                relax_reluctantly(&mut costs[..lanes], table, entered, self.weight);
            }
        }
        self.arrive(block, &costs[..lanes], memory);
        if let Some(trace) = trace {
            self.record(block, total, entered, memory.row(block), &costs, trace);
        }
        self.pass_on::<WIDE>(block, (entered, seeded), &costs, memory, open, stats);
        memory.row_mut(block).copy_from_slice(&costs[..lanes]);
    }

    /// Checks whether this block offers a shorter way to the goal.
    #[inline(always)]
    fn arrive(&self, block: u32, costs: &[D], memory: &mut BlockMemory<D>) {
        for goal in 0..memory.goals.len() {
            if memory.goals[goal].block != block {
                continue;
            }
            for (slot, &cost) in costs.iter().enumerate() {
                let total = cost + memory.goals[goal].distances[slot];
                if total < memory.best {
                    memory.best = total;
                    memory.arrival = Arrival::From { goal, slot };
                }
            }
        }
    }

    /// The cost of the step from a cell in a direction, and where it leads; [`Distance::FAR`] if it
    /// is too steep. Backwards, it is the step from there to the cell.
    #[inline]
    pub fn step(&self, x: u32, y: u32, direction: u8, way: Way) -> (D, u32, u32) {
        use crate::rules::moves::Direction;
        let d = usize::from(direction);
        let (tx, ty) =
            (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]));
        let rules = &self.blocks.rules;
        if D::ON_HILLS
            && let Some(incline) = &rules.incline
        {
            let rows = self.grid.rows();
            let (here, there) = (rows.position(x, y), rows.position(tx, ty));
            let (from, to) = match way {
                Way::Forward => (here, there),
                Way::Backward => (there, here),
            };
            let step = incline.between(self.grid, from, to, d % 2 != 0).map(Self::units);
            return (step.unwrap_or(D::FAR), tx, ty);
        }
        let unit = if d % 2 == 0 { rules.straight } else { rules.diagonal };
        let Some(factors) = self.grid.factors() else { return (unit, tx, ty) };
        let factor = |x, y| u32::from(factors[self.grid.rows().position(x, y) as usize]);
        (unit.times(factor(x, y) + factor(tx, ty)), tx, ty)
    }

    /// Whether the limit of cost lets the search get to a point where it is to enter a block.
    fn is_within_limit(&self, block: u32, memory: &mut BlockMemory<D>) -> bool {
        let entered = memory.mark(block).entered;
        let costs = memory.row(block);
        each_bit(entered).any(|slot| costs[slot].key() <= self.max_total)
    }

    /// Offers the points of an expanded block as ends of a partial path.
    fn report(&self, block: u32, costs: &[D], closest: &mut Closest) {
        let (left, top) = self.blocks.origin(block);
        for (slot, cost) in costs.iter().enumerate().take(self.blocks.layout.slots()) {
            if cost.is_cost() {
                let (x, y) = self.blocks.layout.at(slot);
                let cost = cost.length(self.grid, self.blocks.rules.moves);
                let node = u64::from(block) << 6 | slot as u64;
                closest.offer(node, self.place(left + x, top + y), cost);
            }
        }
    }

    /// Where a partial path is to end: at the goal, if a way there is known that only was not sure
    /// to be the best, or at the point that came closest to it. `None` if nothing was expanded.
    pub fn partial_end(&self, memory: &BlockMemory<D>, closest: &Closest) -> Option<PathEnd> {
        if memory.arrival != Arrival::None && memory.best.key() <= self.max_total {
            return closest.is_wanted().then_some(PathEnd::Goal);
        }
        let node = closest.node()?;
        Some(PathEnd::Slot { block: (node >> 6) as u32, slot: (node & 63) as usize })
    }

    fn record(
        &self,
        block: u32,
        total: D::Key,
        entered: u64,
        before: &[D],
        costs: &[D; ROW_LANES],
        trace: &mut Trace,
    ) {
        let moves = self.blocks.rules.moves;
        let (left, top) = self.blocks.origin(block);
        let f = D::from_key(total).length(self.grid, moves);
        trace.push(Event::Block { rect: self.blocks.rect(self.grid, block), f });
        for slot in 0..self.blocks.layout.slots() {
            if entered >> slot & 1 != 0 || costs[slot] < before[slot] {
                let (x, y) = self.blocks.layout.at(slot);
                let at = self.place(left + x, top + y);
                let g = costs[slot].length(self.grid, moves);
                let f = (costs[slot] + self.estimate(left + x, top + y)).length(self.grid, moves);
                trace.push(Event::Improved { at, from: None, g, f });
            }
        }
    }

    /// Where a point of the lattice is.
    #[inline]
    pub fn place(&self, x: u32, y: u32) -> Point {
        let cell = Cell::new(x, y);
        if D::CELLS { cell.centre() } else { cell.corner() }
    }
}

/// The least that a straight and a diagonal step can cost, on terrain or slopes.
fn least_steps<D: Distance>(grid: &Grid, rules: &TableRules<D>) -> [D; 2] {
    let least = 2 * u32::from(grid.least_factor());
    [rules.straight.times(least), rules.diagonal.times(least)]
}

/// A search to run with the vector instructions of this machine; everything that uses them must be
/// inlined into it.
struct Vectored<'a, D: Estimate> {
    search: &'a BlockSearch<'a, D>,
    memory: &'a mut BlockMemory<D>,
    open: &'a mut Open<D::Key>,
    meter: &'a mut Meter,
    stats: &'a mut Stats,
    trace: &'a mut Option<Trace>,
    closest: &'a mut Closest,
}

impl<D: Estimate> VectorLoop for Vectored<'_, D> {
    type Output = Outcome;

    #[inline(always)]
    fn run<const WIDE: bool>(self) -> Outcome {
        let Self { search, memory, open, meter, stats, trace, closest } = self;
        search.run_vectored::<WIDE>(memory, open, meter, stats, trace, closest)
    }
}

/// The most slots of a block, with room behind them for reading a side in whole vectors.
pub(super) const ROW_LANES: usize = MAX_SLOTS + MAX_SIDE as usize;

/// Lowers the costs of all slots by way of those entered: the heart of the search, a minimum of
/// sums over rows of fixed length, which the compiler turns into vector instructions.
///
/// At the default side a block has 48 slots (44 between cells) in rows of 48 lanes of 4 bytes: 192
/// bytes, three cache lines, for its costs and for each row of its table. With AVX2,
/// where available, the 48 costs stay in six registers, and an entered slot is six `vaddps`
/// with a row of the table, six `vminps` and 15 instructions around them, three of which are bounds
/// checks that never fail (`objdump` of the release build).
#[inline(always)]
fn relax<const WIDE: bool, D: Distance>(costs: &mut [D], table: &Table<D>, entered: u64) {
    match costs.len() {
        _ if !WIDE => relax_by_fours(costs, table, entered),
        8 => relax_lanes::<D, 8>(costs, table, entered),
        16 => relax_lanes::<D, 16>(costs, table, entered),
        24 => relax_lanes::<D, 24>(costs, table, entered),
        32 => relax_lanes::<D, 32>(costs, table, entered),
        40 => relax_lanes::<D, 40>(costs, table, entered),
        48 => relax_lanes::<D, 48>(costs, table, entered),
        56 => relax_lanes::<D, 56>(costs, table, entered),
        _ => relax_lanes::<D, 64>(costs, table, entered),
    }
}

/// The same for machines without wide vectors and for WebAssembly, where a copy for each length would
/// be too much. There everything is compiled for size, and no loop becomes vectors by itself; four
/// lanes written out do become one.
#[inline(always)]
fn relax_by_fours<D: Distance>(costs: &mut [D], table: &Table<D>, entered: u64) {
    let mut before = [D::FAR; MAX_SLOTS];
    let before = &mut before[..costs.len()];
    before.copy_from_slice(costs);
    let (costs, _) = costs.as_chunks_mut::<4>();
    for slot in each_bit(entered) {
        let cost = before[slot];
        let (row, _) = table.row(slot).as_chunks::<4>();
        for (least, row) in costs.iter_mut().zip(row) {
            *least = [
                least[0].least(cost + row[0]),
                least[1].least(cost + row[1]),
                least[2].least(cost + row[2]),
                least[3].least(cost + row[3]),
            ];
        }
    }
}

#[inline(always)]
fn relax_lanes<D: Distance, const LANES: usize>(costs: &mut [D], table: &Table<D>, entered: u64) {
    let Ok(costs) = <&mut [D; LANES]>::try_from(costs) else { return };
    let mut least = *costs;
    for slot in each_bit(entered) {
        let Ok(row) = <&[D; LANES]>::try_from(table.row(slot)) else { return };
        let cost = costs[slot];
        for lane in 0..LANES {
            least[lane] = least[lane].least(cost + row[lane]);
        }
    }
    *costs = least;
}

/// The same for weighted searches, which reach blocks long before the best way to them is known and
/// would expand them again and again for hair's-breadth gains. Here a way only counts if it
/// improves on the known cost even when its length is multiplied by the weight: along a shortest
/// path costs then grow by at most the weight times its length, and the path found costs at most
/// that. (On a map of 1000 x 900 cells with one wall, weight 1.5 takes 28,000 expansions instead of
/// 4.4 million.)
#[inline(always)]
fn relax_reluctantly<D: Distance>(costs: &mut [D], table: &Table<D>, entered: u64, weight: f64) {
    let (mut least, mut heavy) = ([D::FAR; MAX_SLOTS], [D::FAR; MAX_SLOTS]);
    let (least, heavy) = (&mut least[..costs.len()], &mut heavy[..costs.len()]);
    for slot in each_bit(entered) {
        let from = costs[slot];
        let lanes = least.iter_mut().zip(heavy.iter_mut());
        for ((least, heavy), &way) in lanes.zip(table.row(slot)) {
            *least = least.least(from + way);
            *heavy = heavy.least(from + way.stretch(weight));
        }
    }
    for (cost, (&least, &heavy)) in costs.iter_mut().zip(least.iter().zip(heavy.iter())) {
        *cost = if heavy < *cost { least } else { *cost };
    }
}
