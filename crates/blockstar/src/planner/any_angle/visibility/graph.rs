//! The graph: for each turning point the others that a taut path can go to.
//!
//! The edges of a turning point form two groups, those into its upper quarter and those into its
//! lower one: a taut path that comes from one group leaves by the other. At a corner with one
//! blocked cell each group is sorted by angle, starting at the wall. So the taut continuations of a
//! path are the first few edges of a group, and the search stops at the first one that is not taut.

use super::lanes::{LANES, Labels};
use super::scan::{Along, Cone, Limits, Scan};
use super::turning::{Place, Slope, TurningPoints};
use crate::engine::parallel;
use crate::engine::pool::{Pool, Span};
use crate::{Error, Grid, Point, Rule, sort};
use std::cmp::Ordering;

/// Turning points and taut edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub points: TurningPoints,
    pub nodes: Vec<Node>,
    pub edges: Pool<Edge>,
    /// Numbers that stand for no turning point.
    unused: Vec<u32>,
}

/// A turning point: its labels, where it is and the edges of its two groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub labels: Labels,
    place: Option<Place>,
    pub groups: [Span; 2],
}

impl Node {
    /// A number that stands for no turning point.
    const NONE: Self = Self { labels: [0; LANES], place: None, groups: [Span::EMPTY; 2] };

    /// Whether it has no edges.
    #[inline]
    pub fn is_alone(&self) -> bool {
        self.groups.iter().all(|group| group.len() == 0)
    }
}

/// A way to another turning point: its number, and how far it is to the right and down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edge {
    pub to: u32,
    pub dx: i16,
    pub dy: i16,
}

impl Edge {
    #[inline]
    pub fn along(self) -> (i64, i64) {
        (self.dx.into(), self.dy.into())
    }

    #[inline]
    pub fn length(self) -> f64 {
        let (dx, dy) = (f64::from(self.dx), f64::from(self.dy));
        (dx * dx + dy * dy).sqrt()
    }
}

/// One of the two quarters that a taut path can come from and leave by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Upper = 0,
    Lower = 1,
}

impl Group {
    pub const BOTH: [Self; 2] = [Self::Upper, Self::Lower];

    pub fn opposite(self) -> Self {
        match self {
            Self::Upper => Self::Lower,
            Self::Lower => Self::Upper,
        }
    }

    /// The group of the direction from a turning point to another point. It must be a direction
    /// that a taut path can take there.
    #[inline]
    pub fn of(place: Place, towards: Point) -> Self {
        Self::towards(place, between(place.point(), towards))
    }

    /// The group of a direction.
    #[inline]
    pub fn towards(place: Place, (dx, dy): (i64, i64)) -> Self {
        let upper = match dy.cmp(&0) {
            Ordering::Less => true,
            Ordering::Greater => false,
            // To the right it goes down the falling slope and up the rising one.
            Ordering::Equal => (dx > 0) == (place.slope == Slope::Rising),
        };
        if upper { Self::Upper } else { Self::Lower }
    }
}

impl Place {
    /// Whether a point lies in the quarter of a group, its edges included.
    #[inline]
    pub fn holds(self, group: Group, point: Point) -> bool {
        let (x, y) = between(self.point(), point);
        let x = if self.slope == Slope::Falling { x } else { -x };
        match group {
            Group::Upper => x <= 0 && y <= 0,
            Group::Lower => x >= 0 && y >= 0,
        }
    }

    /// The sign of the cross product of a taut path that leaves by a group; 0 if any will do.
    #[inline]
    pub fn turn_into(self, group: Group) -> i64 {
        match group {
            Group::Lower => self.turn.into(),
            Group::Upper => -i64::from(self.turn),
        }
    }
}

/// The cross product of two vectors; positive if the second is clockwise of the first (y is down).
#[inline]
pub(crate) fn cross(a: (i64, i64), b: (i64, i64)) -> i64 {
    a.0 * b.1 - a.1 * b.0
}

/// From one point to another.
#[inline]
pub(crate) fn between(from: Point, to: Point) -> (i64, i64) {
    (i64::from(to.ux()) - i64::from(from.ux()), i64::from(to.uy()) - i64::from(from.uy()))
}

/// The order of two edges in a group: by angle, equal angles by distance, so that it does not
/// depend on the order of the scan.
pub(super) fn order(place: Place, group: Group, a: &Edge, b: &Edge) -> Ordering {
    let (p, q) = (a.along(), b.along());
    let by_angle = (place.turn_into(group) * cross(p, q)).cmp(&0);
    let by_distance = (p.0.abs() + p.1.abs()).cmp(&(q.0.abs() + q.1.abs()));
    by_angle.then(by_distance).then((p.1, p.0).cmp(&(q.1, q.0)))
}

/// The memory of a thread.
#[derive(Default)]
pub(super) struct Buffers {
    waiting: Vec<Cone>,
    edges: Vec<Edge>,
}

impl Graph {
    /// The turning points of a map, without edges.
    pub fn without_edges(grid: &Grid, rule: Rule) -> Self {
        let (points, places) = TurningPoints::new(grid, rule);
        let node = |place| Node { place: Some(place), ..Node::NONE };
        Self { points, nodes: places.into_iter().map(node).collect(), ..Self::default() }
    }

    /// Scans from every turning point, on `threads` threads. `progress` is called with how many are
    /// done, and of how many. The graph does not depend on the number of threads.
    pub fn build(
        grid: &Grid,
        rule: Rule,
        threads: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        let mut graph = Self::without_edges(grid, rule);
        let count = graph.nodes.len();
        progress(0, count);
        let found = parallel::map_on(threads, count, progress, |buffers: &mut Buffers, index| {
            Group::BOTH.map(|group| {
                graph.scan(grid, rule, index as u32, group, &Within::default(), buffers);
                Box::<[Edge]>::from(&buffers.edges[..])
            })
        });
        let total: usize = found.iter().flatten().map(|edges| edges.len()).sum();
        // Lists have room to grow by up to their own length.
        if total > (u32::MAX / 2) as usize {
            return Err(super::ROW.unsupported(
                format!("a map with {total} taut edges"),
                "it holds at most 2147483647; use a planner that prepares less",
            ));
        }
        for (node, lists) in graph.nodes.iter_mut().zip(&found) {
            for (span, list) in node.groups.iter_mut().zip(lists) {
                graph.edges.set(span, list);
            }
        }
        Ok(graph)
    }

    /// The number of turning points.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.unused.len()
    }

    /// The number of edges, each counted from both ends.
    pub fn edge_count(&self) -> usize {
        self.nodes.iter().flat_map(|node| node.groups).map(Span::len).sum()
    }

    /// The numbers of all turning points, ascending by row and column.
    pub fn by_row(&self) -> Vec<u32> {
        let all = (0..self.nodes.len() as u32).filter(|&n| self.nodes[n as usize].place.is_some());
        sort::numbers_by(all, |number| self.place(number).by_row())
    }

    /// Whether edges that came from a file could be those of the map, as far as a look at each
    /// tells: every one into its group's quarter, and those of a group in order. Sight is left to
    /// the proof of the paths.
    pub fn is_plausible(&self) -> bool {
        (0..self.nodes.len() as u32).all(|point| {
            let place = self.place(point);
            Group::BOTH.into_iter().all(|group| {
                let edges = self.group(point, group);
                let into = |edge: &Edge| place.holds(group, self.place(edge.to).point());
                let sorted = |a: &Edge, b: &Edge| order(place, group, a, b) == Ordering::Less;
                let loops = edges.iter().any(|edge| edge.to == point);
                edges.iter().all(into) && edges.is_sorted_by(sorted) && !loops
            })
        })
    }

    /// Where a turning point is.
    #[inline]
    pub fn place(&self, number: u32) -> Place {
        self.nodes[number as usize].place.unwrap_or(Place::NOWHERE)
    }

    /// The edge from a place to a turning point.
    pub fn edge(&self, from: Place, to: u32) -> Edge {
        let there = self.place(to);
        let across = |a: u16, b: u16| (i32::from(b) - i32::from(a)) as i16;
        Edge { to, dx: across(from.x, there.x), dy: across(from.y, there.y) }
    }

    /// The edges of a group.
    #[inline]
    pub fn group(&self, point: u32, group: Group) -> &[Edge] {
        self.edges.list(self.nodes[point as usize].groups[group as usize])
    }

    /// The edges of both groups.
    pub fn edges_of(&self, point: u32) -> impl Iterator<Item = Edge> + '_ {
        Group::BOTH.into_iter().flat_map(move |group| self.group(point, group)).copied()
    }

    pub fn set_group(&mut self, point: u32, group: Group, edges: &[Edge]) {
        self.edges.set(&mut self.nodes[point as usize].groups[group as usize], edges);
    }

    /// Where an edge leads.
    pub fn end(&self, from: Place, edge: Edge) -> Point {
        let units = |at: u16, by: i16| (i32::from(at) + i32::from(by)) * Point::UNITS;
        Point::from_units(units(from.x, edge.dx), units(from.y, edge.dy))
    }

    /// Adds an edge to its group, if it is not there.
    pub fn insert(&mut self, point: u32, edge: Edge) -> bool {
        let place = self.place(point);
        let group = Group::of(place, self.end(place, edge));
        let list = self.group(point, group);
        let Err(at) = list.binary_search_by(|known| order(place, group, known, &edge)) else {
            return false;
        };
        self.edges.insert(&mut self.nodes[point as usize].groups[group as usize], at, edge);
        true
    }

    /// Makes a corner a turning point that was none, without edges, and gives it a number.
    pub fn add(&mut self, place: Place) -> u32 {
        let node = Node { place: Some(place), ..Node::NONE };
        let number = match self.unused.pop() {
            Some(number) => {
                self.nodes[number as usize] = node;
                number
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.points.insert(place, number);
        number
    }

    /// Makes a turning point none.
    pub fn remove(&mut self, number: u32) {
        self.points.remove(self.place(number));
        Group::BOTH.into_iter().for_each(|group| self.set_group(number, group, &[]));
        self.nodes[number as usize] = Node::NONE;
        self.unused.push(number);
    }

    /// Lets a turning point be another one at the same corner.
    pub fn turn(&mut self, number: u32, place: Place) {
        self.points.remove(self.place(number));
        self.points.insert(place, number);
        self.nodes[number as usize].place = Some(place);
    }

    /// Finds the edges of a group in some directions, sorted.
    pub fn scan<'b>(
        &self,
        grid: &Grid,
        rule: Rule,
        point: u32,
        group: Group,
        within: &Within,
        buffers: &'b mut Buffers,
    ) -> &'b mut Vec<Edge> {
        let Buffers { waiting, edges } = buffers;
        edges.clear();
        let place = self.place(point);
        // The row does not matter: under the strict rule a double corner is not a turning point.
        let mut scan = Scan::new(grid, rule, &self.points, place.point(), 0, waiting);
        let visit = &mut |found: u32| edges.push(self.edge(place, found));
        let left = (place.slope == Slope::Falling) == (group == Group::Upper);
        let (half, aside) =
            if left { (Limits::LEFT, Along::Left) } else { (Limits::RIGHT, Along::Right) };
        let ahead = if group == Group::Upper { Along::Up } else { Along::Down };
        if let Some(limits) = within.sweep {
            match group {
                Group::Upper => scan.sweep::<false>(half.and(limits), visit),
                Group::Lower => scan.sweep::<true>(half.and(limits), visit),
            }
        }
        for (along, wanted) in [(ahead, within.ahead), (aside, within.aside)] {
            if wanted {
                scan.slide(along, true, visit);
            }
        }
        edges.sort_unstable_by(|a, b| order(place, group, a, b));
        edges
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.unused.capacity() * 4;
        self.points.bytes() + nodes + self.edges.bytes()
    }
}

/// Some directions of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// Those between the two along grid lines.
    pub sweep: Option<Limits>,
    /// Straight up or down.
    pub ahead: bool,
    /// Straight to the left or right.
    pub aside: bool,
}

impl Default for Within {
    /// All of them.
    fn default() -> Self {
        Self { sweep: Some(Limits::NONE), ahead: true, aside: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::sight;
    use crate::random::Random;

    /// Whether a taut path can leave a turning point in a direction: the definition in words.
    fn can_leave(grid: &Grid, place: Place, (dx, dy): (i64, i64)) -> bool {
        let blocked = |right: bool, below: bool| {
            let x = i32::from(place.x) - i32::from(!right);
            !grid.is_free_at(x, i32::from(place.y) - i32::from(!below))
        };
        // There is a blocked cell beside the direction, a quarter to its left or right.
        match (dx.signum(), dy.signum()) {
            (0, dy) => blocked(false, dy > 0) || blocked(true, dy > 0),
            (dx, 0) => blocked(dx > 0, false) || blocked(dx > 0, true),
            (dx, dy) => blocked(dx < 0, dy > 0) || blocked(dx > 0, dy < 0),
        }
    }

    /// The scans find exactly the pairs that see each other and are taut at both ends.
    #[test]
    fn edges_are_the_pairs_that_see_each_other_and_are_taut() {
        let mut random = Random::new(3);
        let mut edges = 0;
        for round in 0..150 {
            let (width, height) = [(9, 9), (20, 14), (70, 9), (8, 75), (40, 40)][round % 5];
            let blocked = [2, 5, 10, 25, 40][random.below(5) as usize];
            let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
            for rule in [Rule::AnyAngle, Rule::AnyAngleSqueeze] {
                let graph = Graph::build(&grid, rule, 1, &|_, _| ()).unwrap();
                for index in 0..graph.nodes.len() as u32 {
                    let place = graph.place(index);
                    let expected = (0..graph.nodes.len() as u32).filter(|&other| {
                        let (a, b) = (place.point(), graph.place(other).point());
                        a != b
                            && can_leave(&grid, place, between(a, b))
                            && can_leave(&grid, graph.place(other), between(b, a))
                            && sight::visible(&grid, a, b, rule)
                    });
                    let groups = Group::BOTH.map(|group| {
                        let edges = graph.group(index, group);
                        for edge in edges {
                            assert_eq!(*edge, graph.edge(place, edge.to));
                            let other = graph.place(edge.to).point();
                            assert_eq!(Group::of(place, other), group);
                            assert!(place.holds(group, other));
                        }
                        edges.iter().map(|edge| edge.to).collect::<Vec<_>>()
                    });
                    let mut found = groups.concat();
                    found.sort_unstable();
                    edges += found.len();
                    assert_eq!(found, expected.collect::<Vec<_>>(), "{place:?} {rule:?}");
                }
            }
        }
        assert!(edges > 100_000, "{edges}");
    }
}
