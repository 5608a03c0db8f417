//! How cones are carried from line to line, cut by walls and turned at corners.
//!
//! A *line* is y = 0 to height; a *strip* is the row of cells between two lines. A cone that heads
//! down (or up) has crossed the strip behind its line and is about to cross the one ahead. Inside a
//! strip it lies in one *run* of free cells, so what it sees there is convex. On a line:
//!
//! * Where the strip ahead is blocked, the cone is cut into pieces, one for each run ahead.
//! * *Around a wall ahead*: at a corner where a piece begins or ends, if the root lies beyond it.
//!   The new root sees what is between the wall and the ray through the corner.
//! * *Around a wall behind*: at an end of the interval where the run behind ended, if the run ahead
//!   goes on. The new root sees everything from the ray through the corner to the horizontal, and
//!   along the line. Under the permissive rule it also turns if only the cell beyond the corner is
//!   free (a double corner).
//!
//! **Exactness.** Roots are multiples of 2^-10 (the start) or integers. A ray is a direction from a
//! root to a corner, or the direction of the ray that the root was found by: multiples of 2^-10
//! below 2^14, exact even in `f32`. Where a ray meets a line is x = root.x + dx·rows/dy: the
//! product of two 24-bit numbers is exact, the quotient is rounded once. If x is an integer, the
//! quotient is a multiple of 2^-10 and exact, and so is the sum. If not, x is at least 2^-34 from
//! the nearest integer (its denominator is at most 2^10 · 2^24), while quotient and sum are off by
//! less than 2^-38 on a map of 2^14 columns. So every comparison of x with a corner, rounding to
//! cells included, is exact. Whether a cone is empty and whether it contains the goal are signs of
//! cross products, differences of two exact products of 48 bits. Only costs are rounded.

use super::rows::{FreeRun, LOADED, Rows, Way, ceil, floor};
use super::{Fans, GOAL, Root};
use crate::engine::Problem;
use crate::engine::open_list::Entry;
use crate::geometry::sight;
use crate::grid::bits::ones;
use crate::rules::cost::Real;
use crate::{Cell, Event, Grid, Point};

/// A queued interval of a line and the root that sees it. The first of each pair is the left end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    total: f64,
    x: [f64; 2],
    rays: [(f32, f32); 2],
    root: u32,
    line: u16,
    down: bool,
    walls: [bool; 2],
}

impl Cone {
    #[inline]
    pub fn root(&self) -> usize {
        self.root as usize
    }

    pub fn total(&self) -> f64 {
        self.total
    }

    /// The middle of the interval, for the trace.
    pub fn middle(&self) -> Point {
        Point::new(f64::midpoint(self.x[0], self.x[1]), f64::from(self.line))
    }

    /// The interval, for the trace.
    pub fn interval(&self) -> Event {
        let end = |x: f64| Point::new(x, f64::from(self.line));
        Event::Interval { left: end(self.x[0]), right: end(self.x[1]) }
    }
}

/// A direction: columns to the right, and rows away from the root, not negative.
#[derive(Clone, Copy, Debug)]
struct Ray {
    dx: f64,
    dy: f64,
}

const VERTICAL: Ray = Ray { dx: 0.0, dy: 1.0 };
/// Along the line to the left and to the right.
const FLAT: [Ray; 2] = [Ray { dx: -1.0, dy: 0.0 }, Ray { dx: 1.0, dy: 0.0 }];

/// What a root sees of a line.
#[derive(Clone, Copy, Debug)]
struct Span {
    x: [f64; 2],
    rays: [Ray; 2],
    /// Whether the run of the strip behind ends here.
    walls: [bool; 2],
}

/// The map as a search sees it.
pub(super) struct ConeField<'a> {
    grid: &'a Grid,
    rows: Rows<'a>,
    squeeze: bool,
    goal: (f64, f64),
    goal_cell: Cell,
    goal_point: Point,
    /// The strip in which a cone that heads up, or down, can see the goal: inside it or on its far
    /// line.
    goal_strip: [i32; 2],
    max_cost: f64,
    pub fans: &'a mut Fans,
}

impl<'a> ConeField<'a> {
    pub fn new(problem: &Problem<'a>, fans: &'a mut Fans) -> Self {
        let (grid, goal_point) = (problem.grid(), problem.goal());
        let goal = (goal_point.x(), goal_point.y());
        Self {
            grid,
            rows: Rows { bits: grid.rows() },
            squeeze: problem.moves().rule().squeezes(),
            goal,
            goal_cell: problem.goal_cell(),
            goal_point,
            goal_strip: [floor(goal.1), ceil(goal.1) - 1],
            // With a margin: the exact cost is compared once the path is known.
            max_cost: problem.max_cost() * (1.0 + 1e-9),
            fans,
        }
    }

    /// Queues what the start sees.
    pub fn seed(&mut self, problem: &Problem<'_>) {
        let (start, start_cell) = (problem.start(), problem.start_cell());
        let (x, y) = (start.x(), start.y());
        self.fans.roots.push(Root { x, y, g: 0.0, parent: 0, live: true });
        let ends = [(start, start_cell), (problem.goal(), problem.goal_cell())];
        if sight::ends_meet(self.grid, ends[0], ends[1], problem.moves().rule()) {
            self.arrive(0);
            return;
        }
        let corner = start.as_corner();
        if let Some((x, y)) = corner {
            self.fans.corners[self.rows.bits.position(x, y) as usize] = [0, self.fans.stamp];
        }
        let sides =
            corner.filter(|&(x, y)| !self.squeeze && sight::is_double_corner(self.grid, x, y));
        for down in [false, true] {
            // The strip that the start lies in, or the one above or below its line.
            let way =
                if down { self.rows.way(floor(y), true) } else { self.rows.way(ceil(y), false) };
            if sides.is_some() && way.strip != start_cell.y as i32 {
                continue;
            }
            if let Some(cell) =
                [floor(x), ceil(x) - 1].into_iter().find(|&x| self.rows.free(way, x))
            {
                self.cross(0, way, FLAT, FreeRun::cell(cell));
            }
        }
        if floor(y) != ceil(y) {
            return;
        }
        for (side, ray) in FLAT.into_iter().enumerate() {
            let towards = Point::new(x + ray.dx, y);
            if sides.is_none_or(|at| sight::side(self.grid, at, towards) == Some(start_cell)) {
                self.slide(0, floor(y), x, side);
            }
        }
    }

    /// Carries a cone on until it splits, turns or ends.
    pub fn expand(&mut self, cone: &Cone) {
        let Root { x: root_x, y: root_y, .. } = self.fans.roots[cone.root()];
        let ray = |(dx, dy): (f32, f32)| Ray { dx: dx.into(), dy: dy.into() };
        let [mut left, mut right] = cone.rays.map(ray);
        let [mut low, mut high] = cone.x;
        let [mut wall_left, mut wall_right] = cone.walls;
        // The cells that the interval touches, and whether its ends are corners.
        let (mut first, mut end) = (floor(low), ceil(high));
        let mut corner_left = low == f64::from(first);
        let mut corner_right = high == f64::from(end);
        let mut way = self.rows.way(cone.line.into(), cone.down);
        let mut rows = (f64::from(way.line) - root_y).abs();
        let goal_strip = self.goal_strip[usize::from(cone.down)];
        loop {
            // Where the rays meet the next line, walls aside.
            let next_low = root_x + left.dx * rows / left.dy;
            let next_high = root_x + right.dx * rows / right.dy;
            let (next_first, next_end) = (floor(next_low), ceil(next_high));
            // Everything that can matter in the strip; one more cell is looked at on either side.
            let from = first.min(next_first);
            let width = end.max(next_end) - from;
            if width > 55 || way.strip == goal_strip {
                let span =
                    Span { x: [low, high], rays: [left, right], walls: [wall_left, wall_right] };
                let Some(next) = self.advance(cone.root, way, &span) else { return };
                [low, high] = next.x;
                [left, right] = next.rays;
                [wall_left, wall_right] = next.walls;
                (first, end) = (floor(low), ceil(high));
                corner_left = low == f64::from(first);
                corner_right = high == f64::from(end);
            } else {
                let word = self.rows.bits.after(way.row.wrapping_add_signed(from - 1));
                // How many of the cells looked at come before the interval, and before its end.
                let (before, upto) = ((first - from + 1) as u32, (end - from + 1) as u32);
                let free_left = word >> (before - 1) & 1 != 0;
                let free_right = word >> upto & 1 != 0;
                let blocked = !(word >> before) & ones((end - first) as u32);
                let turns_left = corner_left & (wall_left == free_left);
                let turns_right = corner_right & (wall_right == free_right);
                if (blocked != 0) | turns_left | turns_right {
                    let walls = [wall_left, wall_right];
                    let span = Span { x: [low, high], rays: [left, right], walls };
                    return self.branch(cone.root, way, &span);
                }
                // The walls next to the interval, or a place beyond all that matters if there is
                // none.
                let wall = from + 63 - (!word & ones(before)).leading_zeros() as i32;
                let wall_x = f64::from(wall);
                wall_left = wall_x >= next_low;
                (low, first) = (next_low, next_first);
                corner_left = low == f64::from(first);
                if wall_left {
                    (low, first, corner_left) = (wall_x, wall, true);
                    left = Ray { dx: wall_x - root_x, dy: rows };
                }
                let wall = end + ((!word & LOADED) >> upto).trailing_zeros() as i32;
                let wall_x = f64::from(wall);
                wall_right = wall_x <= next_high;
                (high, end) = (next_high, next_end);
                corner_right = high == f64::from(end);
                if wall_right {
                    (high, end, corner_right) = (wall_x, wall, true);
                    right = Ray { dx: wall_x - root_x, dy: rows };
                }
                if left.dx * right.dy >= right.dx * left.dy {
                    return;
                }
            }
            way = self.rows.onward(way);
            rows += 1.0;
        }
    }

    /// One round of [`ConeField::expand`] for any width; also looks for the goal.
    fn advance(&mut self, root: u32, way: Way, span: &Span) -> Option<Span> {
        let cells = [floor(span.x[0]), ceil(span.x[1])];
        let outside = [self.rows.free(way, cells[0] - 1), self.rows.free(way, cells[1])];
        let corner = |side: usize| {
            span.x[side] == f64::from(cells[side]) && span.walls[side] == outside[side]
        };
        if corner(0) || corner(1) || self.rows.run_end(way, cells[0], cells[1]) < cells[1] {
            self.branch(root, way, span);
            return None;
        }
        let run = FreeRun { cells, closed: outside.map(|free| !free) };
        let Root { x, y, .. } = self.fans.roots[root as usize];
        if way.strip == self.goal_strip[usize::from(way.down)] {
            self.cross(root, way, span.rays, run);
            return None;
        }
        self.project((x, y), way, span.rays, run)
    }

    /// The pieces and turns of a cone at its line.
    fn branch(&mut self, root: u32, way: Way, span: &Span) {
        if span.walls[0] {
            self.turn_behind::<0>(root, way, span);
        }
        if span.walls[1] {
            self.turn_behind::<1>(root, way, span);
        }
        let root_x = self.fans.roots[root as usize].x;
        let high = ceil(span.x[1]);
        let mut first = self.rows.run_start_after(way, floor(span.x[0]), high);
        while first < high {
            let end = self.rows.run_end(way, first, high).min(high);
            let (low_x, high_x) = (f64::from(first), f64::from(end));
            let cut = [low_x > span.x[0], high_x < span.x[1]];
            let rows = self.rows_to(root, way);
            let run = FreeRun { cells: [first, end], closed: cut };
            let mut rays = span.rays;
            if cut[0] {
                rays[0] = Ray { dx: low_x - root_x, dy: rows };
            }
            if cut[1] {
                rays[1] = Ray { dx: high_x - root_x, dy: rows };
            }
            if low_x > root_x && (cut[0] || self.touches::<0>(way, span, first)) {
                self.turn_ahead::<0>(root, way, rays[0], run);
            }
            if high_x < root_x && (cut[1] || self.touches::<1>(way, span, end)) {
                self.turn_ahead::<1>(root, way, rays[1], run);
            }
            self.cross(root, way, rays, run);
            first = self.rows.run_start_after(way, end + 1, high);
        }
    }

    /// The rows from a root to the near line of a strip.
    fn rows_to(&self, root: u32, way: Way) -> f64 {
        (f64::from(way.near()) - self.fans.roots[root as usize].y).abs()
    }

    /// Whether the left (`SIDE` 0) or right end of an interval just touches a wall ahead.
    fn touches<const SIDE: usize>(&self, way: Way, span: &Span, corner: i32) -> bool {
        let outside = if SIDE == 0 { corner - 1 } else { corner };
        span.x[SIDE] == f64::from(corner) && !span.walls[SIDE] && !self.rows.free(way, outside)
    }

    /// Turns around a wall ahead, at the left (`SIDE` 0) or right end of a run; `ray` leads there.
    fn turn_ahead<const SIDE: usize>(&mut self, root: u32, way: Way, ray: Ray, mut run: FreeRun) {
        let Some(turned) = self.turn(root, run.cells[SIDE], way.near()) else { return };
        let mut rays = [VERTICAL; 2];
        rays[1 - SIDE] = ray;
        run.closed[SIDE] = true;
        self.cross(turned, way, rays, run);
    }

    /// Turns around a wall behind, at the left (`SIDE` 0) or right end of an interval.
    fn turn_behind<const SIDE: usize>(&mut self, root: u32, way: Way, span: &Span) {
        let corner = floor(span.x[SIDE]);
        let (beyond, inner) = if SIDE == 0 { (corner - 1, corner) } else { (corner, corner - 1) };
        if !self.rows.free(way, beyond) {
            return;
        }
        let convex = self.rows.free(way, inner);
        if !(convex || self.squeeze) {
            return;
        }
        let Some(turned) = self.turn(root, corner, way.near()) else { return };
        let mut rays = FLAT;
        rays[1 - SIDE] = if convex { span.rays[SIDE] } else { VERTICAL };
        let mut run = FreeRun::cell(beyond);
        run.closed[1 - SIDE] = !convex;
        self.cross(turned, way, rays, run);
        self.slide(turned, way.near(), f64::from(corner), SIDE);
    }

    /// Moves from a root along its line, to the left (`side` 0) or right, and turns at the corners
    /// of walls that end there.
    fn slide(&mut self, root: u32, line: i32, from: f64, side: usize) {
        let (bits, right) = (self.rows.bits, side == 1);
        let mut cell = if right { floor(from) } else { ceil(from) - 1 };
        let rows = [self.rows.way(line, false).row, self.rows.way(line, true).row];
        // Where it has to stop: at a wall, or at a corner that can be reached sooner.
        let end = 'scan: loop {
            // Bit i is the cell i further on.
            let [above, below] = rows.map(|row| {
                let at = row.wrapping_add_signed(cell);
                if right { bits.after(at) } else { bits.before(at).reverse_bits() }
            });
            let corners_above = !above << 1 & above;
            let corners_below = !below << 1 & below;
            let double = (corners_above & !below) | (corners_below & !above);
            let shut = (!above & !below) | if self.squeeze { 0 } else { double };
            let mut stops = (corners_above | corners_below | shut) & LOADED;
            while stops != 0 {
                let steps = stops.trailing_zeros();
                stops &= stops - 1;
                let corner = if right { cell + steps as i32 } else { cell + 1 - steps as i32 };
                if shut >> steps & 1 != 0 {
                    break 'scan corner;
                }
                let Some(turned) = self.turn(root, corner, line) else { break 'scan corner };
                let way = self.rows.way(line, corners_below >> steps & 1 != 0);
                let mut rays = [VERTICAL; 2];
                rays[side] = FLAT[side];
                let mut run = FreeRun::cell(if right { corner } else { corner - 1 });
                run.closed[1 - side] = true;
                self.cross(turned, way, rays, run);
            }
            // The last cell is looked at again, for the corner between it and the next one.
            cell += if right { 56 } else { -56 };
        };
        let (low, high) = if right { (from, f64::from(end)) } else { (f64::from(end), from) };
        if self.goal.1 == f64::from(line) && (low..=high).contains(&self.goal.0) {
            self.arrive(root);
        }
    }

    /// Makes a corner a root, unless a way to it is known that is no longer.
    fn turn(&mut self, from: u32, x: i32, y: i32) -> Option<u32> {
        let (x, y, at) = (f64::from(x), f64::from(y), self.rows.bits.position(x as u32, y as u32));
        let root = &self.fans.roots[from as usize];
        let g = root.g + length(x - root.x, y - root.y);
        let total = g + length(self.goal.0 - x, self.goal.1 - y);
        if total > self.max_cost || total > self.fans.best {
            self.fans.pruned |= total > self.max_cost;
            return None;
        }
        let slot = &mut self.fans.corners[at as usize];
        if slot[1] == self.fans.stamp {
            let known = &mut self.fans.roots[slot[0] as usize];
            if known.g <= g {
                return None;
            }
            known.live = false;
        }
        let number = self.fans.roots.len() as u32;
        *slot = [number, self.fans.stamp];
        self.fans.roots.push(Root { x, y, g, parent: from, live: true });
        Some(number)
    }

    /// Carries a cone across a strip and queues it; looks for the goal.
    fn cross(&mut self, root: u32, way: Way, rays: [Ray; 2], run: FreeRun) {
        let Root { x, y, g, .. } = self.fans.roots[root as usize];
        if way.strip == self.goal_strip[usize::from(way.down)]
            && self.sees_goal((x, y), way, rays, run)
        {
            self.arrive(root);
        }
        let Some(span) = self.project((x, y), way, rays, run) else { return };
        if self.is_dead_end(way, &span) {
            return;
        }
        let total = g + self.estimate((x, y), way, &span);
        if total > self.max_cost || total > self.fans.best {
            self.fans.pruned |= total > self.max_cost;
            return;
        }
        let node = self.fans.cones.len() as u32;
        self.fans.cones.push(Cone {
            total,
            x: span.x,
            rays: span.rays.map(|ray| (ray.dx as f32, ray.dy as f32)),
            root,
            line: way.line as u16,
            down: way.down,
            walls: span.walls,
        });
        self.fans.open.push(Entry { total: Real(total), g: Real(g), node });
    }

    /// Whether a cone that has crossed a strip finds no free cell beyond, nor beside it.
    fn is_dead_end(&self, way: Way, span: &Span) -> bool {
        let ahead = self.rows.onward(way);
        let first = floor(span.x[0]) - i32::from(span.walls[0]);
        let end = ceil(span.x[1]) + i32::from(span.walls[1]);
        self.rows.run_start_after(ahead, first, end) >= end
    }

    /// What remains of a cone on the far line of a strip.
    #[inline(always)]
    fn project(&self, root: (f64, f64), way: Way, rays: [Ray; 2], run: FreeRun) -> Option<Span> {
        let rows = (f64::from(way.line) - root.1).abs();
        let (low, left, wall_left) = self.project_ray::<0>(root.0, rows, way, rays[0], run);
        let (high, right, wall_right) = self.project_ray::<1>(root.0, rows, way, rays[1], run);
        let is_empty = left.dx * right.dy >= right.dx * left.dy;
        let span = Span { x: [low, high], rays: [left, right], walls: [wall_left, wall_right] };
        (!is_empty).then_some(span)
    }

    /// Where the left (`SIDE` 0) or right ray meets the far line or, before that, a wall.
    #[inline(always)]
    fn project_ray<const SIDE: usize>(
        &self,
        root_x: f64,
        rows: f64,
        way: Way,
        ray: Ray,
        run: FreeRun,
    ) -> (f64, Ray, bool) {
        let x = root_x + ray.dx * rows / ray.dy; // infinite for a flat ray
        let known = run.cells[SIDE];
        let is_inside = if SIDE == 0 { x > f64::from(known) } else { x < f64::from(known) };
        if is_inside {
            return (x, ray, false);
        }
        // The run may go on beyond the known cells. Then one more cell is looked at, in case it
        // ends just here.
        let wall = if run.closed[SIDE] {
            known
        } else if SIDE == 0 {
            self.rows.run_start(way, known - 1, floor(x.max(-1.0)) - 1)
        } else {
            self.rows.run_end(way, known, ceil(x.min(65536.0)) + 1)
        };
        let wall = f64::from(wall);
        if if SIDE == 0 { wall >= x } else { wall <= x } {
            (wall, Ray { dx: wall - root_x, dy: rows }, true)
        } else {
            (x, ray, false)
        }
    }

    /// The shortest way from a root through an interval to the goal.
    fn estimate(&self, root: (f64, f64), way: Way, span: &Span) -> f64 {
        let line = f64::from(way.line);
        let (before, after) = ((line - root.1).abs(), (self.goal.1 - line).abs());
        let (dx, rows) = (self.goal.0 - root.0, before + after);
        let [left, right] = span.x;
        let bend = if (left - root.0) * rows > dx * before {
            left
        } else if (right - root.0) * rows < dx * before {
            right
        } else {
            return length(dx, rows);
        };
        length(bend - root.0, before) + length(self.goal.0 - bend, after)
    }

    /// Whether the cone contains the goal, which lies in the strip or on its far line.
    fn sees_goal(&self, root: (f64, f64), way: Way, [left, right]: [Ray; 2], run: FreeRun) -> bool {
        let (dx, dy) = (self.goal.0 - root.0, self.goal.1 - root.1);
        if (dy < 0.0) == way.down && dy != 0.0 {
            return false; // the other half of the strip that the start is in
        }
        let dy = dy.abs();
        if left.dx * dy > dx * left.dy || right.dx * dy < dx * right.dy {
            return false;
        }
        let [first, end] = run.cells;
        let start = self.rows.run_start(way, first - 1, floor(self.goal.0));
        let end = self.rows.run_end(way, end, ceil(self.goal.0));
        (f64::from(start)..=f64::from(end)).contains(&self.goal.0)
    }

    /// Queues the goal, seen from a root.
    fn arrive(&mut self, root: u32) {
        let Root { x, y, g, .. } = self.fans.roots[root as usize];
        if !self.squeeze
            && let Some((column, row)) = self.goal_point.as_corner()
            && sight::is_double_corner(self.grid, column, row)
            && sight::side(self.grid, (column, row), Point::new(x, y)) != Some(self.goal_cell)
        {
            return;
        }
        let total = g + length(self.goal.0 - x, self.goal.1 - y);
        if total < self.fans.best {
            self.fans.best = total;
            self.fans.open.push(Entry { total: Real(total), g: Real(total), node: GOAL | root });
        }
    }
}

#[inline]
fn length(dx: f64, dy: f64) -> f64 {
    (dx * dx + dy * dy).sqrt()
}
