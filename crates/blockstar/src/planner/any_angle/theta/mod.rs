//! Theta*, Lazy Theta* and Strict Theta*: A* over the corners of cells, except that the parent of a
//! corner may be any corner in sight, not just a neighbour.
//!
//! Information travels along the lattice of corners, as in A*; paths do not. When a corner s with a
//! neighbour t is expanded, t may be reached from s (*path 1*) or, if they see each other, straight
//! from the parent of s (*path 2*), which is never longer. The planners differ in when they look:
//!
//! * [`basic`] looks from the parent at every neighbour;
//! * [`lazy`] takes it for granted that the parent sees the neighbour, and looks only once, when
//!   the neighbour itself is expanded;
//! * [`strict`] looks only where the path would have slack, and then tries the parent's parent;
//! * [Angle-Propagation Theta*](super::ap_theta) hardly ever looks.
//!
//! None of them is optimal: a parent is chosen among the ancestors that a corner's neighbours
//! happen to have. This file holds what they share.
//!
//! What differs from the papers:
//!
//! * Corners follow both rules for double corners, and start and goal may be any points
//!   ([`Corners`]).
//! * A corner may improve after it was expanded, because totals are not monotone. The authors never
//!   expand a corner twice; `theta-star` does, except with `reopen=off`. On game maps this takes
//!   0.5 to 2.5 % more expansions and 3 to 9 % more time, and leaves a tenth of the excess length
//!   or less (mean lengths under the permissive rule: DAO 551.99 to 551.52, BG2 226.792 to 226.714,
//!   SC1 524.28 to 523.55); on a random map with 20 % blocked, 322.74 to 322.23 for a fifth more
//!   expansions. `strict-theta-star` gains only 0.004 % on DAO and looks half as often again, so
//!   there it is off by default.
//! * Ties are broken by the [open list](crate::engine::open_list): last in, first out. Preferring a
//!   small or a large cost so far changes lengths by less than 0.01 % (every third query of arena2:
//!   176.080 and 176.090).
//! * What a parent sees often follows from what it sees of two neighbours ([`Corners::gate`]): that
//!   answers 45 % of the questions on SC1.
//! * On slopes `theta-star` prices a segment along the ground, piece by piece between the lines
//!   through the centres of cells ([`relief`](crate::geometry::relief)), and takes no segment that
//!   is too steep anywhere. With limits of slope the centres of cells are nodes beside the corners,
//!   so that a path is found wherever steps from cell to cell find one; a goal that cannot be
//!   reached by steps over corners or centres counts as out of reach.
//! * On terrain and slopes a link is at most [`LONGEST_LINK`] long, because each one that is tried
//!   is priced piece by piece: without a bound, 1 x 16384 cells took over 13 s instead of 0.3 s. A
//!   path that the bound has cut is joined again at the end where that costs no more. What is lost:
//!   0.013 % and 0.003 % on the weighted maps Map1 and Map2 of the MovingAI set (2048 x 2048, three
//!   queries each), nothing on caves with patches of 40 x 40 cells (700 x 700) and on hills.
//! * `sight=always` looks at every successor as the authors do, for comparisons of time. Nothing
//!   that is left out otherwise could change an answer.
//! * Totals are not lower bounds, because a neighbour may lie nearer to the straight line than the
//!   corner it was found from. So a cost limit leaves out a corner only if its total exceeds the
//!   limit by [`SLACK`].

mod basic;
mod lazy;
mod strict;

use super::RULES;
use super::point_search::{self, Expand, PointSearch};
use crate::engine::frontier::Frontier;
use crate::engine::{Driver, MemoryPool, Method, Outcome, Problem, Searched, Slice};
use crate::geometry::path::segment_cost;
use crate::registry::{kind, parameters, settings};
use crate::rules::cost::Real;
use crate::rules::moves::Direction;
use crate::space::corners::{Corners, LINK};
use crate::{
    Algorithm, Error, Grid, Heuristic, Moves, Parameter, Path, Planner, PlannerSpec, Point, Slope,
    Stats,
};

pub(crate) const THETA: Algorithm = Algorithm {
    name: "theta-star",
    summary: "Theta*: A* over corners whose parents may be any corner in sight",
    source: "Nash, Daniel, Koenig & Felner 2007",
    rules: RULES,
    terrain: true,
    heights: true,
    free_points: true,
    parameters: &[Parameter { default: "on", ..REOPEN }, SIGHT],
    make: |spec, grid, moves| make(ThetaKind::Basic(Sight::of(spec)), spec, grid, moves),
    avoids: true,
    ..Algorithm::BASE
};

pub(crate) const LAZY_THETA: Algorithm = Algorithm {
    name: "lazy-theta-star",
    summary: "Lazy Theta*: looks once per expansion, not once per successor",
    source: "Nash, Koenig & Tovey 2010",
    rules: RULES,
    free_points: true,
    make: |spec, grid, moves| make(ThetaKind::Lazy, spec, grid, moves),
    avoids: true,
    ..Algorithm::BASE
};

pub(crate) const STRICT_THETA: Algorithm = Algorithm {
    name: "strict-theta-star",
    summary: "Recursive Strict Theta*: only taut paths, next to optimal",
    source: "Oh & Leong 2016",
    rules: RULES,
    free_points: true,
    parameters: &[Parameter { default: "off", ..REOPEN }],
    make: |spec, grid, moves| make(ThetaKind::Strict, spec, grid, moves),
    avoids: true,
    ..Algorithm::BASE
};

settings! { kind::ThetaStar:
    /// Does not expand corners again that improve after they were expanded.
    without_reopening() = "reopen", "off";
    /// Looks at every successor, as the authors do, not only where it can matter.
    look_always() = "sight", "always";
}

settings! { kind::StrictThetaStar:
    /// Expands corners again that improve after they were expanded.
    with_reopening() = "reopen", "on";
}

parameters! {
    REOPEN = "reopen", "on|off", "", "expand corners again that improve after they were expanded";
    SIGHT = "sight", "gated|always", "gated",
        "look only where that can matter, or at every successor as in the paper";
}

fn make(
    kind: ThetaKind,
    spec: &PlannerSpec,
    grid: &Grid,
    moves: Moves,
) -> Result<Box<dyn Planner>, Error> {
    // The lazy kind has no such parameter: it relies on what was expanded.
    let reopen = spec.is_on(REOPEN.name);
    Ok(Driver::boxed(Theta { kind, reopen }, grid, moves))
}

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThetaKind {
    Basic(Sight),
    Lazy,
    Strict,
}

/// Where Theta* looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// Where it can matter and does not follow from what is known.
    Gated,
    /// At every successor.
    Always,
}

impl Sight {
    fn of(spec: &PlannerSpec) -> Self {
        if spec.word(SIGHT.name) == "always" { Self::Always } else { Self::Gated }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Theta {
    kind: ThetaKind,
    /// Whether corners that improve after they were expanded are expanded again.
    reopen: bool,
}

/// How far a total may exceed the cost limit: the lattice strays from a straight line by less than
/// a cell, which adds less than twice that to a total.
const SLACK: f64 = 2.0;

/// How much a node that has been expanded must improve to be expanded again. A rounding error must
/// not be enough: it would pass from node to node.
const WORTH_REOPENING: f64 = 1e-6;

/// How long a link may be where it is priced piece by piece, on terrain and slopes, in cells.
/// Otherwise every successor would be priced along the whole way from its parent.
const LONGEST_LINK: f64 = 64.0;

/// The tag of a node with nothing to remember about it.
pub(super) const PLAIN: u8 = 0;

/// A node and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub node: u32,
    pub point: Point,
}

/// A node that is being expanded. The start is its own parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub at: Spot,
    pub g: f64,
    pub parent: Spot,
    pub parent_g: f64,
}

impl Visit {
    pub fn is_start(&self) -> bool {
        self.at.node == self.parent.node
    }
}

/// What the variants of Theta* differ in.
pub(super) trait Variant {
    /// Whether a parent is only assumed to see its children until they are expanded.
    const ASSUMING: bool = false;

    /// Puts right what was only assumed about a node that is now expanded or, if it is the goal,
    /// accepted.
    #[inline]
    fn settle<const TERRAIN: bool>(
        &mut self,
        field: &mut ThetaField<'_, TERRAIN>,
        visit: &mut Visit,
        tag: u8,
    ) {
        let _ = (field, visit, tag);
    }

    /// Prepares to offer ways to the neighbours of a node.
    #[inline]
    fn look_around<const TERRAIN: bool>(&mut self, field: &ThetaField<'_, TERRAIN>, visit: &Visit) {
        let _ = (field, visit);
    }

    /// Offers a better way to a neighbour, if there is one.
    fn relax<const TERRAIN: bool>(&mut self, field: &mut ThetaField<'_, TERRAIN>, edge: Edge);
}

/// The step from a node that is expanded to a neighbour.
pub(super) struct Edge<'a> {
    pub from: &'a Visit,
    pub to: Spot,
    /// The direction of the neighbour, or [`LINK`].
    pub d: u8,
}

/// What a search works on.
pub(super) struct ThetaField<'a, const TERRAIN: bool> {
    pub grid: &'a Grid,
    moves: Moves,
    pub corners: &'a Corners<'a>,
    pub search: PointSearch<'a>,
    heuristic: Heuristic,
    goal: Point,
    /// The least that a cell of length costs.
    least: f64,
    /// On slopes with penalties, if there is an estimate: the slope and the height of the goal.
    hill: Option<(Slope, f64)>,
    /// Whether nodes that improve after they were expanded are expanded again.
    reopen: bool,
    /// [`Variant::ASSUMING`].
    assuming: bool,
    /// The highest cost that the query permits.
    max_cost: f64,
}

impl<const TERRAIN: bool> ThetaField<'_, TERRAIN> {
    fn spot(&self, node: u32) -> Spot {
        Spot { node, point: self.corners.place(node) }
    }

    /// The cost of a node, infinite if it has not been reached.
    #[inline]
    pub fn known(&self, node: u32) -> f64 {
        self.search.known(node)
    }

    /// Whether a node has been reached and has this parent.
    #[inline]
    fn is_child(&self, node: u32, parent: u32) -> bool {
        self.search.nodes.is_reached(node) && self.search.nodes.parent(node) == parent
    }

    /// The cost that a new way to a node must beat.
    #[inline]
    fn to_beat(&self, node: u32) -> f64 {
        let closed = self.reopen && self.search.nodes.is_closed(node);
        self.known(node) - if closed { WORTH_REOPENING } else { 0.0 }
    }

    /// Whether a node sees a corner; looks only if the corner's neighbours do not tell.
    #[inline]
    fn sees(&mut self, from: Spot, to: Spot) -> bool {
        if let Some((one, two)) = self.corners.gate(from.point, to.node, to.point)
            && self.is_seen_from(one, from.node)
            && self.is_seen_from(two, from.node)
        {
            debug_assert!(self.corners.sees(from.node, to.node));
            return true;
        }
        self.look(from, to)
    }

    /// Looks from a node to another.
    #[inline]
    pub fn look(&mut self, from: Spot, to: Spot) -> bool {
        let clear = self.corners.sees_between((from.node, from.point), (to.node, to.point));
        self.search.note_look(from.point, to.point, clear);
        clear
    }

    /// Whether a node has this parent and is known to be seen from there.
    #[inline]
    fn is_seen_from(&self, node: u32, parent: u32) -> bool {
        self.is_child(node, parent) && (!self.assuming || self.search.nodes.is_closed(node))
    }

    /// The cost of a straight segment that is known to be legal.
    #[inline]
    fn cost(&mut self, a: Point, b: Point) -> f64 {
        let length = a.distance(b);
        if !TERRAIN {
            return length;
        }
        self.search.stats.priced_cells += length.ceil() as u64;
        segment_cost(self.grid, self.moves, a, b)
    }

    #[inline]
    fn estimate(&self, at: Point) -> f64 {
        let flat = self.least * self.heuristic.length(at, self.goal);
        let Some((slope, level)) = self.hill else { return flat };
        flat + slope.net_penalty(self.grid.height_at_point(at).unwrap_or(0.0), level)
    }

    /// The least that the difference in height between two points costs.
    fn net_penalty(&self, a: Point, b: Point) -> f64 {
        let Some((slope, _)) = self.hill else { return 0.0 };
        let height = |point| self.grid.height_at_point(point).unwrap_or(0.0);
        slope.net_penalty(height(a), height(b))
    }

    /// Whether every path through a node is likely to cost more than the query permits.
    #[cold]
    fn is_too_far(&self, at: Point, g: f64) -> bool {
        g + self.least * at.distance(self.goal) > self.max_cost + SLACK * self.least
    }

    /// Gives a node a parent and the cost of coming from there, and queues it.
    #[inline]
    pub fn offer(&mut self, to: Spot, parent: u32, g: f64, tag: u8) {
        if self.max_cost < f64::INFINITY && self.is_too_far(to.point, g) {
            *self.search.pruned = true;
            return;
        }
        let total = g + self.estimate(to.point);
        self.search.nodes.set_parent(to.node, parent);
        let corners = self.corners;
        self.search.offer((to.node, to.point), g, total, tag, || Some(corners.place(parent)));
    }
}

/// A search by one of the variants.
struct ThetaSearch<'a, V, const TERRAIN: bool> {
    variant: V,
    field: ThetaField<'a, TERRAIN>,
}

impl<'a, V: Variant, const TERRAIN: bool> Expand<'a> for ThetaSearch<'a, V, TERRAIN> {
    type Visit = Visit;

    #[inline]
    fn search(&mut self) -> &mut PointSearch<'a> {
        &mut self.field.search
    }

    fn goal(&self) -> u32 {
        self.field.corners.goal()
    }

    #[inline]
    fn settle(&mut self, node: u32, g: f64, tag: u8) -> Visit {
        let field = &mut self.field;
        let parent = field.spot(field.search.nodes.parent(node));
        let parent_g = field.known(parent.node);
        let mut visit = Visit { at: field.spot(node), g, parent, parent_g };
        self.variant.settle(field, &mut visit, tag);
        visit
    }

    #[inline]
    fn expand(&mut self, visit: Visit, total: f64) {
        let Self { variant, field } = self;
        field.search.record_expansion(visit.at.point, visit.g, total, || {
            (!visit.is_start()).then_some(visit.parent.point)
        });
        variant.look_around(field, &visit);
        let corners = field.corners;
        let (x, y) = (visit.at.point.ux(), visit.at.point.uy());
        corners.neighbours(visit.at.node, |next, d| {
            if !field.reopen && field.search.nodes.is_closed(next) {
                return;
            }
            let point = if d == LINK {
                corners.place(next)
            } else {
                let (dx, dy) = (Direction::DX[d as usize & 7], Direction::DY[d as usize & 7]);
                Point::from_units(x + dx * Point::UNITS, y + dy * Point::UNITS)
            };
            variant.relax(field, Edge { from: &visit, to: Spot { node: next, point }, d });
        });
    }
}

/// Searches by one of the variants.
pub(super) fn search<V: Variant, const TERRAIN: bool>(
    variant: V,
    reopen: bool,
    problem: &Problem<'_>,
    slice: &mut Slice<'_>,
    frontier: &mut Frontier<Real>,
) -> Outcome {
    let Problem { grid, moves, .. } = *problem;
    let corners = Corners::new(grid, moves, problem.task);
    let (start, goal) = (corners.start(), corners.goal());
    let least = f64::from(grid.least_factor()) / f64::from(Grid::FACTOR_ONE);
    let informed = problem.heuristic() != Heuristic::Zero;
    let hill = moves.slope().filter(|slope| informed && slope.has_penalties());
    if slice.is_fresh() {
        // Hardly any two totals are equal, so buckets are narrower than those of octile searches.
        // (On SC1, buckets four times as wide or a quarter as wide made no difference beyond
        // noise.)
        frontier.begin_with_parents(Corners::count(grid, moves), Real(least / 16.0));
    }
    let field = ThetaField::<TERRAIN> {
        grid,
        moves,
        corners: &corners,
        search: PointSearch::new(frontier, slice.stats, slice.trace),
        heuristic: problem.heuristic(),
        goal: problem.goal(),
        least,
        hill: hill.zip(grid.height_at_point(problem.goal())),
        reopen,
        assuming: V::ASSUMING,
        max_cost: problem.max_cost(),
    };
    let mut theta = ThetaSearch { variant, field };
    if slice.fresh {
        let total = theta.field.estimate(problem.start());
        theta.field.search.seed(start, total);
        theta.field.search.nodes.set_parent(start, start);
    }
    let outcome = point_search::run(&mut theta, problem, slice.meter);
    if outcome == Outcome::Goal {
        theta.field.search.write_path(start, goal, |node| corners.place(node), slice.path);
        if TERRAIN {
            join_links(grid, moves, slice.path, slice.stats);
        }
    }
    outcome
}

/// Joins the links of a path that was cut because none may be longer. As in greedy smoothing, each
/// point that is kept goes straight to the last point for which that costs no more than the way
/// between; but only points about a link apart are tried, so that a long way is priced once per
/// link and not once per point.
fn join_links(grid: &Grid, moves: Moves, path: &mut Path, stats: &mut Stats) {
    // A link that was cut ends at the last neighbour in reach.
    let is_cut = |pair: &[Point]| pair[0].distance(pair[1]) > LONGEST_LINK - 1.5;
    if !path.points().windows(2).any(is_cut) {
        return;
    }
    let last = path.points().len() - 1;
    let (mut kept, mut anchor) = (1, 0);
    while anchor < last {
        // `end` is the last point known to be reachable from `anchor` in one segment.
        let (mut end, mut walked) = (anchor, 0.0);
        loop {
            let (mut next, mut length) = (end, 0.0);
            while next < last && length < LONGEST_LINK {
                let (a, b) = (path.points()[next], path.points()[next + 1]);
                walked += segment_cost(grid, moves, a, b);
                length += a.distance(b);
                next += 1;
            }
            if next == end {
                break;
            }
            stats.sight_checks += 1;
            let direct = path.shortcut(grid, moves, anchor, next);
            if !direct.is_some_and(|direct| direct <= walked * (1.0 + 1e-12)) {
                break;
            }
            end = next;
        }
        anchor = end.max(anchor + 1);
        let point = path.points()[anchor];
        path.points_mut()[kept] = point;
        kept += 1;
    }
    path.points_mut().truncate(kept);
}

impl Method for Theta {
    fn row(&self) -> &'static Algorithm {
        match self.kind {
            ThetaKind::Basic(_) => &THETA,
            ThetaKind::Lazy => &LAZY_THETA,
            ThetaKind::Strict => &STRICT_THETA,
        }
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        let (frontier, reopen) = (pool.get(), self.reopen);
        let is_flat = !problem.grid.has_costs() && problem.moves.slope().is_none();
        Ok(match self.kind {
            ThetaKind::Basic(sight) if is_flat => {
                search::<_, false>(basic::Basic { sight }, reopen, problem, slice, frontier)
            }
            ThetaKind::Basic(sight) => {
                search::<_, true>(basic::Basic { sight }, reopen, problem, slice, frontier)
            }
            ThetaKind::Lazy => search::<_, false>(lazy::Lazy, reopen, problem, slice, frontier),
            ThetaKind::Strict => {
                search::<_, false>(strict::Strict, reopen, problem, slice, frontier)
            }
        })
    }
}
