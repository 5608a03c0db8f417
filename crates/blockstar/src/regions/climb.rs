//! Hill climbing: walking towards a subgoal without searching, and paths as lists of such subgoals.
//!
//! V. Bulitko, Y. Björnsson & R. Lawrence, *Case-Based Subgoaling in Real-Time Heuristic Search for
//! Video Game Pathfinding* (2010), and W. Lee & R. Lawrence, *Fast Grid-based Path Finding for
//! Video Games* (2013), which uses it for DBA*. Each step goes to the neighbour with the lowest sum
//! of the move's cost and the octile estimate from there to the subgoal; of equally good ones to
//! the one with the more expensive move, the diagonal. Climbing fails when the estimate does not
//! strictly decrease, or after more steps than allowed. So it needs no memory at all, and it always
//! ends.
//!
//! What the papers leave open and this file decides (the text of the first paper was not at hand):
//! * Of moves with the same cost and the same estimate afterwards, the first clockwise from north
//!   is taken.
//! * Under the four-way rule the estimate is the Manhattan one and all good moves tie. The one
//!   along the longer of the two distances is taken: it keeps the choice open the longest, as the
//!   diagonal does with eight moves.
//! * A path is compressed into the fewest subgoals that a binary search finds. Whether cells can be
//!   climbed to is not monotone along a path, so the search only keeps results that were tried; the
//!   next cell of a path can always be climbed to.
//! * [`Notion`] says what "climbable" means for a compressed path. A climb that merely arrives may
//!   be longer than the path was. Normally it must cost no more than the stretch it replaces, so a
//!   bound on the cost of a path also holds for the walk along its subgoals.
//!
//! Terrain factors are ignored.

use crate::grid::bits::Bits;
use crate::rules::cost::StepCosts;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::{Grid, Moves, Rule};

/// When a stretch of a path may be replaced by climbing to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notion {
    /// When climbing arrives.
    Arrives,
    /// When climbing arrives and costs no more than the stretch.
    CostsNoMore,
}

/// Climbs hills on one grid under one movement rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climber<'a> {
    bits: &'a Bits,
    steps: &'static StepTable,
    straight: u32,
    diagonal: u32,
    manhattan: bool,
    /// What each direction adds to a node.
    offsets: [i32; 8],
}

/// For the signs of dx and dy, each plus one: the direction there. The middle one means nothing.
const TOWARDS: [[u8; 3]; 3] = [[7, 6, 5], [0, 0, 4], [1, 2, 3]];

impl<'a> Climber<'a> {
    pub fn new(grid: &'a Grid, moves: Moves) -> Self {
        Self::over(grid.rows(), moves)
    }

    /// Climbs over the cells of a map.
    pub fn over(bits: &'a Bits, moves: Moves) -> Self {
        let stride = bits.stride() as i32;
        let (straight, diagonal) = StepCosts::<u32>::units(moves);
        Self {
            bits,
            steps: step_table(moves.rule()),
            straight,
            diagonal,
            manhattan: moves.rule() == Rule::Four,
            offsets: std::array::from_fn(|d| Direction::DX[d] + Direction::DY[d] * stride),
        }
    }

    /// The same with costs of a straight and a diagonal step other than the narrow ones.
    pub fn with_units(self, (straight, diagonal): (u32, u32)) -> Self {
        Self { straight, diagonal, ..self }
    }

    /// The cost of a way from one node to another on a map without walls.
    #[inline]
    pub fn estimate(&self, from: u32, to: u32) -> u32 {
        let (dx, dy) = self.between(from, to);
        self.vector(dx, dy)
    }

    /// The cost of a step in a direction.
    #[inline]
    pub fn step_cost(&self, direction: u8) -> u32 {
        if direction & 1 != 0 { self.diagonal } else { self.straight }
    }

    /// The node that a step in a direction leads to.
    #[inline]
    pub fn neighbour(&self, node: u32, direction: u8) -> u32 {
        node.wrapping_add_signed(self.offsets[direction as usize & 7])
    }

    /// The legal steps at a node, one bit for each direction.
    #[inline]
    pub fn legal(&self, node: u32) -> u8 {
        self.steps[self.bits.around(node)]
    }

    /// The nodes one step from a node.
    #[inline]
    pub fn around(&self, node: u32) -> impl Iterator<Item = u32> + use<> {
        let (legal, offsets) = (self.legal(node), self.offsets);
        let steps = (0..8).filter(move |d| legal >> d & 1 != 0);
        steps.map(move |d| node.wrapping_add_signed(offsets[d]))
    }

    /// Whether the step between two neighbouring nodes is a diagonal one.
    #[inline]
    pub fn is_diagonal(&self, a: u32, b: u32) -> bool {
        let by = b.abs_diff(a);
        by != 1 && by != self.bits.stride()
    }

    /// The cost of the step between two neighbouring nodes.
    #[inline]
    pub fn apart(&self, a: u32, b: u32) -> u32 {
        let by = b.abs_diff(a);
        if by == 1 || by == self.bits.stride() { self.straight } else { self.diagonal }
    }

    /// Climbs from one node to another in at most `cut_off` steps and calls `visit` with every node
    /// after the first. Returns the cost of the way, or nothing if it does not arrive.
    #[inline]
    pub fn climb(&self, from: u32, to: u32, cut_off: u32, visit: impl FnMut(u32)) -> Option<u32> {
        self.climb_for(from, to, (cut_off, u32::MAX), visit)
    }

    /// The same, if that costs at most `most`, which is at least the estimate: gives up as soon as
    /// it is clear that it does not.
    #[inline]
    pub fn climb_for(
        &self,
        from: u32,
        to: u32,
        (cut_off, most): (u32, u32),
        mut visit: impl FnMut(u32),
    ) -> Option<u32> {
        let (mut dx, mut dy) = self.between(from, to);
        let (mut node, mut cost, mut left) = (from, 0, cut_off);
        while (dx, dy) != (0, 0) {
            if left == 0 {
                return None;
            }
            left -= 1;
            let towards = TOWARDS[(dx.signum() + 1) as usize][(dy.signum() + 1) as usize];
            // Nearly always the step is on a straight way to the subgoal.
            let direct = if dx != 0 && dy != 0 {
                !self.manhattan && self.steps[self.bits.around(node)] >> towards & 1 != 0
            } else {
                self.bits.get(node.wrapping_add_signed(self.offsets[towards as usize]))
            };
            let direction = if direct { towards } else { self.step(node, dx, dy)? };
            dx -= Direction::DX[direction as usize];
            dy -= Direction::DY[direction as usize];
            node = node.wrapping_add_signed(self.offsets[direction as usize]);
            cost += self.step_cost(direction);
            // Only a step to the side makes the way longer than it seemed.
            if !direct && most != u32::MAX && cost + self.vector(dx, dy) > most {
                return None;
            }
            visit(node);
        }
        Some(cost)
    }

    /// The cost of climbing from one node to another, if that arrives within `cut_off` steps.
    #[inline]
    pub fn reaches(&self, from: u32, to: u32, cut_off: u32) -> Option<u32> {
        self.climb(from, to, cut_off, |_| ())
    }

    /// The direction to climb in from a node whose subgoal lies (dx, dy) away, which is not (0, 0).
    #[inline(never)]
    pub fn step(&self, node: u32, dx: i32, dy: i32) -> Option<u8> {
        let legal = self.steps[self.bits.around(node)];
        let is_legal = |d: u8| legal >> d & 1 != 0;
        let towards =
            |dx: i32, dy: i32| TOWARDS[(dx.signum() + 1) as usize][(dy.signum() + 1) as usize];
        let (across, along) =
            if dx.abs() >= dy.abs() { ((0, dy), (dx, 0)) } else { ((dx, 0), (0, dy)) };
        let along = towards(along.0, along.1);
        if self.manhattan {
            let second = (across != (0, 0)).then(|| towards(across.0, across.1));
            return [Some(along), second].into_iter().flatten().find(|&d| is_legal(d));
        }
        // Nearly always there is a step on a straight way to the subgoal: the diagonal, or the one
        // along the longer distance.
        if dx != 0 && dy != 0 && is_legal(towards(dx, dy)) {
            return Some(towards(dx, dy));
        }
        if dx.abs() != dy.abs() && is_legal(along) {
            return Some(along);
        }
        let here = self.vector(dx, dy);
        let mut best: Option<(u32, u8)> = None;
        for d in (0..8u8).filter(|&d| is_legal(d)) {
            let (step, h) = (self.step_cost(d), {
                let (x, y) = (Direction::DX[d as usize], Direction::DY[d as usize]);
                self.vector(dx - x, dy - y)
            });
            let better =
                best.is_none_or(|(total, known)| (step + h, self.step_cost(known)) < (total, step));
            if h < here && better {
                best = Some((step + h, d));
            }
        }
        // By definition only the best of all moves counts, even if it does not lower the estimate;
        // but any move that does not is worse than every move that does.
        best.map(|best| best.1)
    }

    #[inline]
    fn between(&self, from: u32, to: u32) -> (i32, i32) {
        let ((ax, ay), (bx, by)) = (self.bits.coordinates(from), self.bits.coordinates(to));
        (bx as i32 - ax as i32, by as i32 - ay as i32)
    }

    #[inline]
    fn vector(&self, dx: i32, dy: i32) -> u32 {
        let (dx, dy) = (dx.unsigned_abs(), dy.unsigned_abs());
        if self.manhattan {
            return self.straight * (dx + dy);
        }
        self.straight * dx.max(dy) + (self.diagonal - self.straight) * dx.min(dy)
    }

    /// Appends the subgoals between the ends of a path, each climbable from the one before it in at
    /// most `cut_off` steps (1 or more). The path is the list of all its cells. Returns the cost of
    /// the walk from subgoal to subgoal.
    pub fn compress(
        &self,
        path: &[u32],
        notion: Notion,
        cut_off: u32,
        subgoals: &mut Vec<u32>,
    ) -> u64 {
        // A path may be far longer than a climb: 32 bits do not hold its cost.
        let mut total = 0;
        let mut at = 0;
        // The cost of the path between two of its cells.
        let stretch = |from: usize, to: usize| -> u64 {
            path[from..=to].windows(2).map(|pair| u64::from(self.apart(pair[0], pair[1]))).sum()
        };
        let climbable = |from: usize, to: usize, stretch: u64| {
            let most = if notion == Notion::Arrives { u64::MAX } else { stretch };
            let most = most.min(u32::MAX.into()) as u32;
            self.climb_for(path[from], path[to], (cut_off, most), |_| ())
        };
        let last = path.len().saturating_sub(1);
        let mut rest = stretch(0, last);
        while at < last {
            if let Some(cost) = climbable(at, last, rest) {
                return total + u64::from(cost);
            }
            // The next cell can always be climbed to; `beyond` was tried and failed.
            let (mut reached, mut beyond) = (at + 1, last);
            let mut cost = self.apart(path[at], path[at + 1]);
            let mut done = u64::from(cost);
            while beyond - reached > 1 {
                let middle = reached + (beyond - reached) / 2;
                let there = done + stretch(reached, middle);
                match climbable(at, middle, there) {
                    Some(found) => (reached, cost, done) = (middle, found, there),
                    None => beyond = middle,
                }
            }
            if reached == last {
                return total + u64::from(cost);
            }
            subgoals.push(path[reached]);
            total += u64::from(cost);
            rest -= done;
            at = reached;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Algorithm, Cell, Diagonal, Planner, Query, Scratch, Status};

    const ENOUGH: u32 = 1 << 20;

    fn moves() -> Vec<Moves> {
        let mut all: Vec<_> = Rule::CELLS.iter().copied().map(Moves::new).collect();
        all.push(Moves::EIGHT.with_diagonal(Diagonal::OnePointFour));
        all
    }

    fn random_grid(random: &mut Random) -> Grid {
        let (width, height) =
            (1 + random.next_u64() as u32 % 20, 1 + random.next_u64() as u32 % 20);
        let share = random.next_u64() % 50;
        Grid::from_fn(width, height, |_| random.next_u64() % 100 >= share).unwrap()
    }

    fn free_cell(grid: &Grid, random: &mut Random) -> Option<u32> {
        (0..50).find_map(|_| {
            let cell = Cell::new(
                random.next_u64() as u32 % grid.width(),
                random.next_u64() as u32 % grid.height(),
            );
            grid.is_free(cell).then(|| grid.rows().position(cell.x, cell.y))
        })
    }

    /// The definition, word for word.
    fn naive_step(grid: &Grid, moves: Moves, at: u32, to: u32) -> Option<u32> {
        let climber = Climber::new(grid, moves);
        let legal = step_table(moves.rule())[grid.rows().around(at)];
        let next = (0..8u8).filter(|d| legal >> d & 1 != 0).map(|d| {
            let next = at.wrapping_add_signed(climber.offsets[d as usize]);
            let step = climber.step_cost(d);
            (step + climber.estimate(next, to), u32::MAX - step, d, next)
        });
        let (_, _, _, next) = next.min()?;
        (climber.estimate(next, to) < climber.estimate(at, to)).then_some(next)
    }

    #[test]
    fn each_step_is_the_one_of_the_definition() {
        let mut random = Random::new(1);
        let mut steps = 0;
        for _ in 0..4000 {
            let grid = random_grid(&mut random);
            for moves in moves().into_iter().filter(|moves| moves.rule() != Rule::Four) {
                let (Some(from), Some(to)) =
                    (free_cell(&grid, &mut random), free_cell(&grid, &mut random))
                else {
                    continue;
                };
                let climber = Climber::new(&grid, moves);
                let mut at = from;
                let mut last = from;
                let arrived = climber.climb(from, to, ENOUGH, |next| {
                    assert_eq!(naive_step(&grid, moves, at, to), Some(next));
                    (at, last) = (next, next);
                    steps += 1;
                });
                match arrived {
                    Some(_) => assert_eq!(last, to),
                    None => assert_eq!(naive_step(&grid, moves, last, to), None),
                }
            }
        }
        assert!(steps > 50_000, "{steps}");
    }

    #[test]
    fn four_way_climbing_goes_down_along_the_longer_distance() {
        let grid = Grid::from_ascii("......\n......\n......").unwrap();
        let climber = Climber::new(&grid, Moves::FOUR);
        let at = |x, y| grid.rows().position(x, y);
        let mut way = Vec::new();
        assert_eq!(climber.climb(at(0, 0), at(4, 2), 99, |node| way.push(node)), Some(6 * 5741));
        assert_eq!(way, [at(1, 0), at(2, 0), at(3, 0), at(3, 1), at(4, 1), at(4, 2)]);
    }

    #[test]
    fn climbing_ends_at_walls_and_at_the_cut_off() {
        let grid = Grid::from_ascii(
            "......
             ..##..
             ...#..
             ......",
        )
        .unwrap();
        let climber = Climber::new(&grid, Moves::EIGHT);
        let at = |x, y| grid.rows().position(x, y);
        assert_eq!(climber.reaches(at(2, 2), at(5, 2), 99), None, "in a pocket");
        assert_eq!(climber.reaches(at(0, 0), at(5, 0), 5), Some(5 * 5741));
        assert_eq!(climber.reaches(at(0, 0), at(5, 0), 4), None);
        assert_eq!(climber.reaches(at(3, 3), at(3, 3), 0), Some(0));
        // Around a bump: up beside the wall, then along it.
        assert_eq!(climber.reaches(at(5, 3), at(2, 0), 9), Some(8119 + 4 * 5741));
    }

    #[test]
    fn compressed_paths_are_climbed_at_no_more_cost() {
        let (mut random, mut scratch) = (Random::new(2), Scratch::new());
        let (mut paths, mut with_subgoals) = (0, 0);
        for round in 0..3000 {
            let grid = random_grid(&mut random);
            let moves = moves()[round % 5];
            let (Some(from), Some(to)) =
                (free_cell(&grid, &mut random), free_cell(&grid, &mut random))
            else {
                continue;
            };
            let cell = |node| Cell::from(grid.rows().coordinates(node));
            let planner = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
            let query = Query::new(cell(from), cell(to));
            if planner.find(&grid, &query, &mut scratch).unwrap() != Status::Found {
                continue;
            }
            let path: Vec<u32> =
                scratch.path().cells().map(|cell| grid.rows().position(cell.x, cell.y)).collect();
            let climber = Climber::new(&grid, moves);
            let optimum: u32 = path.windows(2).map(|pair| climber.apart(pair[0], pair[1])).sum();
            for cut_off in [1, 3, ENOUGH] {
                for notion in [Notion::Arrives, Notion::CostsNoMore] {
                    let mut subgoals = Vec::new();
                    let said = climber.compress(&path, notion, cut_off, &mut subgoals);
                    paths += 1;
                    with_subgoals += usize::from(!subgoals.is_empty());
                    subgoals.push(to);
                    let (mut at, mut cost) = (from, 0);
                    for &subgoal in &subgoals {
                        cost += climber.reaches(at, subgoal, cut_off).expect("climbable");
                        at = subgoal;
                    }
                    assert_eq!(u64::from(cost), said);
                    match notion {
                        Notion::Arrives => assert!(cost >= optimum),
                        Notion::CostsNoMore => assert_eq!(cost, optimum),
                    }
                }
            }
        }
        assert!(paths > 4000 && with_subgoals > 1000, "{paths} {with_subgoals}");
    }
}
