//! The prepared graph: for each turning point the others that a taut path can go to.
//!
//! The edges of a turning point form two groups, those into its upper quarter and those into its
//! lower one: a taut path that comes from one group leaves by the other. At a corner with one
//! blocked cell each group is sorted by angle, starting at the wall. So the taut continuations of a
//! path are the first few edges of a group, and the search stops at the first one that is not taut.

use super::scan::{Along, Cone, Half, Scan};
use super::turning::{Place, Slope, TurningPoints};
use crate::engine::parallel;
use crate::{Error, Grid, Point, Rule};
use std::cmp::Ordering;

/// Turning points and taut edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub points: TurningPoints,
    /// Where the edges of the upper (2i) and lower (2i + 1) group of point i begin, and where the
    /// last group ends.
    pub starts: Vec<u32>,
    /// The points that the edges lead to.
    pub edges: Vec<u32>,
}

/// One of the two quarters that a taut path can come from and leave by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Upper = 0,
    Lower = 1,
}

impl Group {
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
        let at = place.point();
        let right = towards.ux() > at.ux();
        let upper = match towards.uy().cmp(&at.uy()) {
            Ordering::Less => true,
            Ordering::Greater => false,
            // To the right it goes down the falling slope and up the rising one.
            Ordering::Equal => right == (place.slope == Slope::Rising),
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
pub(super) fn order(
    points: &TurningPoints,
    place: Place,
    group: Group,
    a: u32,
    b: u32,
) -> Ordering {
    let direction = |other: u32| {
        let other = points.place(other);
        let (x, y) = (i64::from(place.x), i64::from(place.y));
        (i64::from(other.x) - x, i64::from(other.y) - y)
    };
    let (p, q) = (direction(a), direction(b));
    let by_angle = (place.turn_into(group) * cross(p, q)).cmp(&0);
    let by_distance = (p.0.abs() + p.1.abs()).cmp(&(q.0.abs() + q.1.abs()));
    by_angle.then(by_distance).then(a.cmp(&b))
}

/// What was found for one turning point: how many edges each group has, and the edges.
struct Found {
    counts: [u32; 2],
    edges: Box<[u32]>,
}

/// The memory of a thread.
#[derive(Default)]
struct Buffers {
    waiting: Vec<Cone>,
    edges: Vec<u32>,
}

impl Graph {
    /// Scans from every turning point, on `threads` threads. `progress` is called with how many are
    /// done, and of how many. The graph does not depend on the number of threads.
    pub fn build(
        grid: &Grid,
        rule: Rule,
        threads: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        let points = TurningPoints::new(grid, rule);
        progress(0, points.len());
        let found =
            parallel::map_on(threads, points.len(), progress, |buffers: &mut Buffers, index| {
                Found::from_point(grid, rule, &points, index as u32, buffers)
            });
        Self::assemble(points, found)
    }

    fn assemble(points: TurningPoints, found: Vec<Found>) -> Result<Self, Error> {
        let total: usize = found.iter().map(|found| found.edges.len()).sum();
        if u32::try_from(total).is_err() {
            return Err(super::ROW.unsupported(
                format!("a map with {total} taut edges"),
                "it holds at most 4294967295; use a planner that prepares less",
            ));
        }
        let mut starts = Vec::with_capacity(2 * points.len() + 1);
        let mut edges = Vec::with_capacity(total);
        let mut start = 0;
        starts.push(start);
        for found in found {
            for count in found.counts {
                start += count;
                starts.push(start);
            }
            edges.extend_from_slice(&found.edges);
        }
        Ok(Self { points, starts, edges })
    }

    /// Whether edges that came from a file could be those of the map, as far as a look at each
    /// tells: every one into its group's quarter, and those of a group in order. Sight is left to
    /// the proof of the paths.
    pub fn is_plausible(&self) -> bool {
        (0..self.points.len() as u32).all(|point| {
            let place = self.points.place(point);
            [Group::Upper, Group::Lower].into_iter().all(|group| {
                let edges = self.group(point, group);
                let into = |&edge: &u32| place.holds(group, self.points.place(edge).point());
                let sorted =
                    |a: &u32, b: &u32| order(&self.points, place, group, *a, *b) == Ordering::Less;
                edges.iter().all(into) && edges.is_sorted_by(sorted) && !edges.contains(&point)
            })
        })
    }

    /// The edges of a group.
    #[inline]
    pub fn group(&self, point: u32, group: Group) -> &[u32] {
        let at = 2 * point as usize + group as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.points.bytes() + (self.starts.capacity() + self.edges.capacity()) * 4
    }
}

impl Found {
    /// Scans from one turning point, in the directions that are taut there.
    fn from_point(
        grid: &Grid,
        rule: Rule,
        points: &TurningPoints,
        index: u32,
        buffers: &mut Buffers,
    ) -> Self {
        let Buffers { waiting, edges: all } = buffers;
        all.clear();
        let place = points.place(index);
        // The row does not matter: under the strict rule a double corner is not a turning point.
        let mut scan = Scan::new(grid, rule, points, place.point(), 0, waiting);
        let counts = [Group::Upper, Group::Lower].map(|group| {
            let before = all.len();
            let visit = &mut |found: u32| all.push(found);
            match (place.slope, group) {
                (Slope::Falling, Group::Upper) => {
                    scan.sweep::<false>(Half::Left, visit);
                    scan.slide(Along::Up, true, visit);
                    scan.slide(Along::Left, true, visit);
                }
                (Slope::Falling, Group::Lower) => {
                    scan.sweep::<true>(Half::Right, visit);
                    scan.slide(Along::Down, true, visit);
                    scan.slide(Along::Right, true, visit);
                }
                (Slope::Rising, Group::Upper) => {
                    scan.sweep::<false>(Half::Right, visit);
                    scan.slide(Along::Up, true, visit);
                    scan.slide(Along::Right, true, visit);
                }
                (Slope::Rising, Group::Lower) => {
                    scan.sweep::<true>(Half::Left, visit);
                    scan.slide(Along::Down, true, visit);
                    scan.slide(Along::Left, true, visit);
                }
            }
            let edges = &mut all[before..];
            edges.sort_unstable_by(|&a, &b| order(points, place, group, a, b));
            edges.len() as u32
        });
        Self { counts, edges: all.as_slice().into() }
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
                for index in 0..graph.points.len() as u32 {
                    let place = graph.points.place(index);
                    let expected = (0..graph.points.len() as u32).filter(|&other| {
                        let (a, b) = (place.point(), graph.points.place(other).point());
                        a != b
                            && can_leave(&grid, place, between(a, b))
                            && can_leave(&grid, graph.points.place(other), between(b, a))
                            && sight::visible(&grid, a, b, rule)
                    });
                    let groups = [Group::Upper, Group::Lower].map(|group| {
                        let edges = graph.group(index, group);
                        for &other in edges {
                            let other = graph.points.place(other).point();
                            assert_eq!(Group::of(place, other), group);
                            assert!(place.holds(group, other));
                        }
                        edges
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
