//! PRA*(∞) over cliques: a path through a small abstract graph first, then through finer and finer ones,
//! each time only where the path before has been.
//!
//! N. Sturtevant & M. Buro, *Partial Pathfinding Using Map Abstraction and Refinement* (2005), whose
//! text was not at hand; built from descriptions of it and of the author's published code. The
//! [clique abstraction](super::cliques) is prepared. A query climbs from start and goal to their first
//! common ancestor, takes the level half way up (but none with fewer than 2·√n nodes, n the free cells)
//! and finds a path there by A*, where an edge costs what lies between the middles of its nodes. Then,
//! level by level, A* searches among the children of the *corridor*: the nodes of the path above and
//! those at most `ring` steps from it. There always is a path, for the children of a node are connected.
//! Only whole paths are refined (K = ∞), so the answer is complete.
//!
//! An edit may regroup nodes far from it, so the abstraction is made anew.

use super::best_first::{Orders, Outcome, Priority, Space, Work};
use super::cells::Cells;
use super::cliques::{Cliques, Level};
use crate::budget::Meter;
use crate::cost::{Cost, Tariff};
use crate::desk::Desk;
use crate::heuristic::Estimator;
use crate::scratch::Task;
use crate::{
    Budget, Error, Grid, Heuristic, Memory, Moves, Planner, Point, Query, Rule, Scratch, Status,
};

/// The name in the registry.
const NAME: &str = "pra-star";

#[derive(Debug)]
pub(crate) struct PraCliques {
    desk: Desk,
    cliques: Cliques,
    /// How many steps to each side of a path the corridor is wide.
    ring: u32,
    /// The version of the grid that the abstraction was made for.
    version: u64,
}

/// A query under way.
#[derive(Debug, Default)]
pub(crate) struct Corridor {
    /// The level that is being searched; 0 are the cells.
    level: usize,
    /// Whether the search on this level has begun.
    begun: bool,
    /// Whether only the children of the corridor are searched.
    restricted: bool,
    /// The nodes of the corridor: the path on the level above and what is around it.
    route: Vec<u32>,
    /// Nodes of the level above that are in the corridor have the present stamp.
    marks: Vec<u32>,
    stamp: u32,
}

impl Corridor {
    pub fn bytes(&self) -> usize {
        (self.route.capacity() + self.marks.capacity()) * 4
    }

    /// Makes a corridor of the path in `route` on a level.
    fn mark(&mut self, level: &Level, ring: u32) {
        if self.marks.len() < level.len() || self.stamp == u32::MAX {
            self.marks = vec![0; level.len().max(self.marks.len())];
            self.stamp = 0;
        }
        self.stamp += 1;
        let Self { route, marks, stamp, .. } = self;
        route.iter().for_each(|&node| marks[node as usize] = *stamp);
        let mut first = 0;
        for _ in 0..ring {
            let last = route.len();
            for at in first..last {
                for &node in level.neighbours(route[at]) {
                    if std::mem::replace(&mut marks[node as usize], *stamp) != *stamp {
                        route.push(node);
                    }
                }
            }
            first = last;
        }
    }
}

/// The nodes of a level above the cells. Costs are in half cells.
struct Above<'a, C> {
    level: &'a Level,
    /// Which parents are in the corridor; none if every node may be used.
    marks: Option<(&'a [u32], u32)>,
    goal: (u16, u16),
    straight: C,
    diagonal: C,
    four: bool,
}

impl<C: Cost> Above<'_, C> {
    #[inline]
    fn between(&self, a: (u16, u16), b: (u16, u16)) -> C {
        let (dx, dy) = (u32::from(a.0.abs_diff(b.0)), u32::from(a.1.abs_diff(b.1)));
        if self.four {
            return self.straight.times(dx + dy);
        }
        self.straight.times(dx.max(dy) - dx.min(dy)) + self.diagonal.times(dx.min(dy))
    }
}

impl<C: Cost> Space<C> for Above<'_, C> {
    const LINKS: bool = true;

    #[inline]
    fn expand(&self, node: u32, _: u8, mut reach: impl FnMut(u32, C, u8)) {
        let here = self.level.middle(node);
        for &next in self.level.neighbours(node) {
            let permitted = self
                .marks
                .is_none_or(|(marks, stamp)| marks[self.level.parent(next) as usize] == stamp);
            if permitted {
                reach(next, self.between(here, self.level.middle(next)), 0);
            }
        }
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        self.between(self.level.middle(node), self.goal)
    }

    fn back(&self, node: u32, _: u8) -> u32 {
        node
    }

    fn place(&self, node: u32) -> Point {
        let (x, y) = self.level.middle(node);
        Point::new(f64::from(x) / 2.0, f64::from(y) / 2.0)
    }
}

/// The cells of the corridor.
struct Inside<'a, C> {
    cells: Cells<'a, C, false>,
    cliques: &'a Cliques,
    marks: &'a [u32],
    stamp: u32,
}

impl<C: Cost> Space<C> for Inside<'_, C> {
    #[inline]
    fn expand(&self, node: u32, tag: u8, mut reach: impl FnMut(u32, C, u8)) {
        self.cells.expand(node, tag, |next, step, tag| {
            if self.marks[self.cliques.parent_of_cell(next) as usize] == self.stamp {
                reach(next, step, tag);
            }
        });
    }

    #[inline]
    fn estimate(&self, node: u32) -> C {
        self.cells.estimate(node)
    }

    fn back(&self, node: u32, tag: u8) -> u32 {
        self.cells.back(node, tag)
    }

    fn place(&self, node: u32) -> Point {
        self.cells.place(node)
    }
}

impl PraCliques {
    pub fn new(grid: &Grid, moves: Moves, ring: u32) -> Self {
        let desk = Desk::new(NAME, grid, moves);
        let cliques = Cliques::new(grid, moves.rule());
        Self { desk, cliques, ring, version: grid.version() }
    }

    /// The level to begin with.
    fn first_level(&self, start: u32, goal: u32) -> usize {
        let common = (1..=self.cliques.height()).find(|&level| {
            self.cliques.ancestor(start, level) == self.cliques.ancestor(goal, level)
        });
        let mut level = common.unwrap_or(self.cliques.height()) / 2;
        let cells = self.cliques.cells() as u64;
        // Nodes² < (2√n)².
        while level > 0 && (self.cliques.level(level).len() as u64).pow(2) < 4 * cells {
            level -= 1;
        }
        level
    }

    /// Searches one level after the other.
    fn search<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        corridor: &mut Corridor,
        work: &mut Work<'_, C>,
    ) -> Outcome {
        let rows = grid.rows();
        let [start, goal] =
            [task.start_cell, task.goal_cell].map(|cell| rows.position(cell.x, cell.y));
        if work.fresh {
            corridor.level = self.first_level(start, goal);
            (corridor.begun, corridor.restricted) = (false, false);
        }
        while corridor.level > 0 {
            let outcome = self.search_above(grid, task, (start, goal), corridor, work);
            if outcome != Outcome::Goal {
                return outcome;
            }
            corridor.mark(self.cliques.level(corridor.level), self.ring);
            corridor.level -= 1;
            (corridor.begun, corridor.restricted) = (false, true);
        }
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let heuristic = Heuristic::default_for(moves);
        let estimator = Estimator::new(heuristic, &tariff, rows.coordinates(goal));
        let cells = Cells::<C, false>::new(grid, moves, tariff, estimator);
        let orders = Orders::new(grid, task, tariff, Priority::AStar, goal, true);
        let mut work = work.again();
        if !std::mem::replace(&mut corridor.begun, true) {
            work.frontier.begin(rows.positions(), tariff.usual_step());
            work.seed(&cells, &orders, start, C::ZERO);
        }
        if !corridor.restricted {
            return work.run(&cells, &orders);
        }
        let Corridor { marks, stamp, .. } = corridor;
        work.run(&Inside { cells, cliques: &self.cliques, marks, stamp: *stamp }, &orders)
    }

    /// Searches the present level, which is not that of the cells, and leaves its path in the route.
    fn search_above<C: Cost>(
        &self,
        grid: &Grid,
        task: &Task,
        ends: (u32, u32),
        corridor: &mut Corridor,
        work: &mut Work<'_, C>,
    ) -> Outcome {
        let moves = self.desk.moves();
        let tariff = Tariff::<C>::new(grid, moves);
        let level = self.cliques.level(corridor.level);
        let [start, goal] =
            [ends.0, ends.1].map(|cell| self.cliques.ancestor(cell, corridor.level));
        let marks = corridor.restricted.then_some((&corridor.marks[..], corridor.stamp));
        let space = Above {
            level,
            marks,
            goal: level.middle(goal),
            straight: tariff.straight,
            diagonal: tariff.diagonal,
            four: moves.rule() == Rule::Four,
        };
        let mut orders = Orders::new(grid, task, tariff, Priority::AStar, goal, false);
        // Middles lie up to a map apart, in half cells, and costs here have no limit.
        let ceiling = orders.ceiling.to_u64().saturating_sub(2 * tariff.largest_estimate(grid));
        (orders.max_cost, orders.ceiling) = (C::MAX, C::from_u64(ceiling));
        let mut level_work = work.again();
        if !std::mem::replace(&mut corridor.begun, true) {
            let step = tariff.straight.times(2 << corridor.level.min(12));
            level_work.frontier.begin(level.len(), step);
            level_work.seed(&space, &orders, start, C::ZERO);
        }
        let outcome = level_work.run(&space, &orders);
        if outcome == Outcome::Goal {
            work.path.clear(moves);
            corridor.route.clear();
            corridor.route.push(goal);
            let mut at = goal;
            // A node is reached before others are from there, so one pass finds all.
            for link in work.frontier.links.iter().rev() {
                if link.node == at {
                    at = link.parent;
                    corridor.route.push(at);
                }
            }
        }
        outcome
    }
}

impl Planner for PraCliques {
    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), Error> {
        self.desk.open(grid, query, scratch)
    }

    fn resume(&self, grid: &Grid, scratch: &mut Scratch, budget: Budget) -> Result<Status, Error> {
        let mut task = self.desk.task(grid, scratch)?;
        if task.status != Status::Working {
            return Ok(task.status);
        }
        let mut meter = Meter::new(budget);
        let outcome = loop {
            let fresh = !std::mem::replace(&mut task.started, true);
            let Scratch { narrow, wide, corridor, stats, trace, path, .. } = &mut *scratch;
            let meter = &mut meter;
            let outcome = if task.wide {
                let mut work = Work { fresh, frontier: wide, meter, stats, trace, path };
                self.search(grid, &task, corridor, &mut work)
            } else {
                let mut work = Work { fresh, frontier: narrow, meter, stats, trace, path };
                self.search(grid, &task, corridor, &mut work)
            };
            if outcome != Outcome::Overflow {
                break outcome;
            }
            (task.wide, task.started) = (true, false);
            scratch.start_over();
        };
        let success = task.success;
        scratch.task = Some(task);
        match outcome.status(success) {
            Status::Working => Ok(Status::Working),
            status => Ok(self.desk.close(grid, scratch, status)),
        }
    }

    /// Makes the abstraction anew if any cell has changed.
    fn update(&mut self, grid: &Grid) -> Result<(), Error> {
        self.desk.update(grid);
        let unchanged = grid
            .changes_since(self.version)
            .is_some_and(|mut changes| changes.all(|rect| rect.width * rect.height == 0));
        if !unchanged {
            self.cliques = Cliques::new(grid, self.desk.moves().rule());
        }
        self.version = grid.version();
        Ok(())
    }

    fn memory_usage(&self) -> Memory {
        self.desk.memory().with("cliques", self.cliques.bytes())
    }
}
