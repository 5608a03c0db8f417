//! The geometry of [`rea_star`](super::rea_star): how far a free interval grows, the free runs of a
//! wall, and the costs on the far side of a free rectangle.

use crate::grid::bits::Bits;
use crate::rules::cost::Cost;

/// Cells that one load decides.
const STRETCH: u32 = 57;
const DECIDED: u64 = (1 << STRETCH) - 1;

/// The cells from `position` on, to the right if `forward`: bit i is the cell i steps away. The
/// upper seven bits mean nothing.
#[inline]
fn cells(bits: &Bits, position: u32, forward: bool) -> u64 {
    if forward { bits.after(position) } else { bits.before(position).reverse_bits() }
}

/// How many cells beyond the one at `position` are free, in each of the next `count` rows.
#[inline]
fn free_beyond(bits: &Bits, position: u32, count: u32, forward: bool) -> u32 {
    let mut steps = 1;
    loop {
        // All rows at once: any of them may be the shortest.
        let at = if forward { position + steps } else { position - steps };
        let rows = (0..count).map(|row| at + row * bits.stride());
        let free = if forward {
            rows.fold(u64::MAX, |free, at| free & bits.after(at))
        } else {
            rows.fold(u64::MAX, |free, at| free & bits.before(at)).reverse_bits()
        };
        let blocked = !free & DECIDED;
        if blocked != 0 {
            return steps + blocked.trailing_zeros() - 1;
        }
        steps += STRETCH;
    }
}

/// How far the `width` cells from `position` to the right can be moved over free cells, down if
/// `forward`, else up. `across` is the same map by columns, and `first` the first cell there.
pub(crate) fn growth(
    along: &Bits,
    position: u32,
    across: &Bits,
    first: u32,
    width: u32,
    forward: bool,
) -> u32 {
    // Few columns are followed, 57 cells at a time; many are tested row by row.
    const FEW: u32 = 6;
    // The last ones, as they lie beyond those that bound the neighbouring rectangle.
    let few = width.min(FEW);
    let depth = free_beyond(across, first + (width - few) * across.stride(), few, forward);
    if width <= FEW {
        return depth;
    }
    let stride = along.stride();
    let mut row = position;
    for grown in 0..depth {
        row = if forward { row + stride } else { row - stride };
        if !all_free(along, row, width - few) {
            return grown;
        }
    }
    depth
}

#[inline]
fn all_free(bits: &Bits, mut position: u32, mut count: u32) -> bool {
    while count > STRETCH {
        if !bits.after(position) & DECIDED != 0 {
            return false;
        }
        position += STRETCH;
        count -= STRETCH;
    }
    !bits.after(position) & (DECIDED >> (STRETCH - count)) == 0
}

/// The runs of free cells among the `count` cells from `position` on, as half-open ranges of
/// distances.
pub(crate) struct Runs<'a> {
    bits: &'a Bits,
    position: u32,
    forward: bool,
    count: u32,
    /// The free cells that remain of the stretch beginning at distance `base`.
    word: u64,
    base: u32,
}

impl<'a> Runs<'a> {
    #[inline]
    pub fn new(bits: &'a Bits, position: u32, forward: bool, count: u32) -> Self {
        let mut runs = Self { bits, position, forward, count, word: 0, base: 0 };
        runs.load();
        runs
    }

    /// Loads the stretch at `base`, which is not beyond the last cell.
    #[inline]
    fn load(&mut self) {
        let at = if self.forward { self.position + self.base } else { self.position - self.base };
        let decided = DECIDED >> (STRETCH - (self.count - self.base).min(STRETCH));
        self.word = cells(self.bits, at, self.forward) & decided;
    }

    /// Goes on to the next stretch, if there is one.
    #[inline]
    fn advance(&mut self) -> bool {
        self.base += STRETCH;
        let more = self.base < self.count;
        if more {
            self.load();
        }
        more
    }
}

impl Iterator for Runs<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        while self.word == 0 {
            if self.base >= self.count || !self.advance() {
                return None;
            }
        }
        let start = self.base + self.word.trailing_zeros();
        // Adding the lowest bit carries through the run, up to the first cell that is not free.
        let mut rest = self.word.wrapping_add(self.word & self.word.wrapping_neg());
        let mut end = rest.trailing_zeros();
        self.word &= rest;
        while end == STRETCH && self.advance() {
            rest = self.word.wrapping_add(1);
            end = rest.trailing_zeros();
            self.word &= rest;
        }
        let end = if self.base < self.count { self.base + end } else { self.count };
        Some((start, end))
    }
}

/// The costs of an interval's cells and what follows from them, reused for every rectangle.
#[derive(Debug, Default)]
pub(crate) struct Line<C> {
    /// The cost of each cell of the interval.
    pub g: Vec<C>,
    /// The costs on the opposite side of the rectangle, without those of the straight steps there,
    /// if they differ from the interval's.
    far: Vec<C>,
    /// The costs of cells outside the rectangle.
    wall: Vec<C>,
    near: Vec<C>,
    /// Whether the cell in front of some cell may be reached more cheaply by a diagonal step from a
    /// neighbour than by the straight one.
    slanted: bool,
    /// Whether that may still be the case on the far side.
    far_slanted: bool,
    /// Whether `far` is in use.
    far_differs: bool,
}

impl<C: Cost> Line<C> {
    /// Reads the costs of `count` cells and passes them on along the interval: afterwards no two
    /// neighbours differ by more than a straight step.
    #[inline]
    pub fn read(&mut self, count: u32, straight: C, extra: C, mut cost: impl FnMut(u32) -> C) {
        self.g.clear();
        let mut before = cost(0);
        self.g.push(before);
        let mut steepest = C::ZERO;
        self.g.extend((1..count).map(|i| {
            let g = cost(i);
            steepest = steepest.max(g.max(before) - g.min(before));
            before = g;
            g
        }));
        self.slanted = steepest > extra;
        if steepest > straight {
            self.level(straight);
        }
    }

    fn level(&mut self, straight: C) {
        pass_on(self.g.iter_mut(), straight);
        pass_on(self.g.iter_mut().rev(), straight);
    }

    /// The costs that [`Line::cross`] computed.
    #[cfg(test)]
    pub fn far(&self) -> &[C] {
        if self.far_differs { &self.far } else { &self.g }
    }

    /// Prepares for [`Line::beside`], at the high or the low end of the interval.
    ///
    /// The cell of the rectangle in row r of that side is best reached from one of the last r + 1
    /// cells of the interval, in r steps. The number of diagonal ones is the distance of that cell
    /// from the side.
    pub fn pass_aside<const HIGH: bool>(&mut self, depth: u32, straight: C, extra: C) {
        let rows = depth as usize + 1;
        let (mut least, mut slant, mut steps) = (C::MAX, C::ZERO, straight + extra);
        let near = |g: &C| {
            least = least.min(*g + slant);
            slant = slant + extra;
            let cost = least + steps;
            steps = steps + straight;
            cost
        };
        self.wall.clear();
        self.wall.push(C::ZERO);
        if HIGH {
            self.wall.extend(self.g.iter().rev().take(rows).map(near));
        } else {
            self.wall.extend(self.g.iter().take(rows).map(near));
        }
        self.wall.extend((self.g.len()..rows).map(|_| {
            let cost = least + steps;
            steps = steps + straight;
            cost
        }));
    }

    /// The costs of a run of cells beside the rectangle.
    ///
    /// The first is reached by a straight step; for the others, a diagonal step from the row before
    /// is at least as cheap.
    #[inline]
    pub fn beside(&mut self, start: u32, end: u32, extra: C) -> &mut [C] {
        let (start, end) = (start as usize, end as usize);
        self.wall[start] = self.wall[start + 1] - extra;
        &mut self.wall[start..end]
    }

    /// The costs of a run of cells beyond the far side and, where wanted, of the corners beside it.
    ///
    /// `out` is the cost of straight steps from the interval; a diagonal one costs `extra` more.
    #[inline]
    pub fn beyond(
        &mut self,
        start: u32,
        end: u32,
        corners: [bool; 2],
        out: C,
        extra: C,
    ) -> &mut [C] {
        let far = if self.far_differs { &self.far } else { &self.g };
        let far = &far[start as usize..end as usize];
        let (wall, diagonal) = (&mut self.wall, out + extra);
        wall.clear();
        if corners[0] {
            wall.push(far[0] + diagonal);
        }
        if !self.far_slanted || far.len() == 1 {
            wall.extend(far.iter().map(|&cost| cost + out));
        } else {
            let end = far.len() - 1;
            wall.push((far[0] + out).min(far[1] + diagonal));
            wall.extend(far.windows(3).map(|w| (w[1] + out).min(w[0].min(w[2]) + diagonal)));
            wall.push((far[end] + out).min(far[end - 1] + diagonal));
        }
        if corners[1] {
            wall.push(far[far.len() - 1] + diagonal);
        }
        wall
    }

    /// Computes [`Line::far`] for a rectangle that reaches `depth` beyond the interval.
    ///
    /// A cell on the far side is best reached from one at most `depth` to either side, because one
    /// farther away passes its cost on along the interval just as well. From each such cell it
    /// takes `depth` steps, one of them diagonal for each column in between, which costs `extra`
    /// more. So it is a minimum over a window, which is doubled until it is wide enough: a few
    /// passes without a branch took a third of the time of a queue of candidates.
    pub fn cross(&mut self, depth: u32, extra: C) {
        self.far_slanted = self.slanted;
        self.far_differs = depth > 0 && self.slanted;
        if !self.far_differs {
            return;
        }
        self.far.clear();
        self.far.extend_from_slice(&self.g);
        let far = &mut self.far[..];
        let count = far.len();
        if depth as usize + 1 >= count {
            // The window is everything.
            self.far_slanted = false;
            pass_on(far.iter_mut(), extra);
            pass_on(far.iter_mut().rev(), extra);
            return;
        }
        // Windows of `reach` neighbours on either side, shifted by up to one more, leave no gap.
        let (mut reach, depth) = (0, depth as usize);
        while reach < depth {
            let shift = (reach + 1).min(depth - reach);
            let passed = extra.times(shift as u32);
            self.near.clear();
            self.near.extend_from_slice(&self.far);
            let (near, far) = (&self.near[..], &mut self.far[..]);
            lower_each(&mut far[shift..], &near[..count - shift], passed);
            lower_each(&mut far[..count - shift], &near[shift..], passed);
            reach += shift;
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let Self { g, far, near, wall, .. } = self;
        [g, far, near, wall].iter().map(|costs| costs.capacity()).sum::<usize>() * size_of::<C>()
    }
}

/// Lowers each cost to at most the one before plus `step`.
#[inline]
fn pass_on<'a, C: Cost + 'a>(costs: impl Iterator<Item = &'a mut C>, step: C) {
    let mut before = None;
    for cost in costs {
        if let Some(before) = before {
            *cost = (*cost).min(before + step);
        }
        before = Some(*cost);
    }
}

/// Lowers each cost to at most its counterpart plus `step`.
#[inline]
fn lower_each<C: Cost>(costs: &mut [C], others: &[C], step: C) {
    for (cost, &other) in costs.iter_mut().zip(others) {
        *cost = (*cost).min(other + step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::random::Random;

    #[test]
    fn runs_and_growth_agree_with_single_cells() {
        for (round, mut random) in Random::rounds(5, 400).enumerate() {
            let (width, height) = (1 + random.below(200) as u32, 1 + random.below(90) as u32);
            let blocked = [0, 1, 2, 10, 50][round % 5];
            let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
            let (rows, columns) = (grid.rows(), grid.columns());
            for _ in 0..20 {
                let x = random.below(width.into()) as u32;
                let y = random.below(height.into()) as u32;
                let forward = random.chance(1, 2);
                let longest = if forward { width - x } else { x + 1 };
                let count = 1 + random.below(longest.into()) as u32;
                let free = |i: u32| grid.is_free((if forward { x + i } else { x - i }, y));
                let mut expected = Vec::new();
                for i in 0..count {
                    if free(i) && (i == 0 || !free(i - 1)) {
                        let length = (i..count).take_while(|&j| free(j)).count() as u32;
                        expected.push((i, i + length));
                    }
                }
                let position = rows.position(x, y);
                let runs: Vec<_> = Runs::new(rows, position, forward, count).collect();
                assert_eq!(runs, expected);

                let across = 1 + random.below((width - x).into()) as u32;
                let mut depth = 0;
                loop {
                    let row = if forward { y + depth + 1 } else { y.wrapping_sub(depth + 1) };
                    if row >= height || !(x..x + across).all(|x| grid.is_free((x, row))) {
                        break;
                    }
                    depth += 1;
                }
                let first = columns.position(y, x);
                assert_eq!(growth(rows, position, columns, first, across, forward), depth);
            }
        }
    }

    /// The far side of a rectangle, checked against octile distances between all pairs of cells.
    #[test]
    fn the_far_side_costs_what_octile_distance_says() {
        let mut random = Random::new(6);
        let (straight, diagonal) = <u32 as Cost>::UNITS;
        for _ in 0..2000 {
            let count = 1 + random.below(40) as u32;
            let depth = random.below(45) as u32;
            let steep = random.below(60_000);
            let mut line = Line::<u32>::default();
            let given: Vec<_> = (0..count).map(|_| random.below(steep + 1) as u32).collect();
            let extra = diagonal - straight;
            line.read(count, straight, extra, |i| given[i as usize]);
            line.cross(depth, extra);
            for i in 0..count {
                let cost = |j: u32| {
                    let across = i.abs_diff(j);
                    let steps = across.max(depth) * straight;
                    given[j as usize] + steps + across.min(depth) * (diagonal - straight)
                };
                let best = (0..count).map(cost).min().unwrap();
                assert_eq!(line.far()[i as usize] + depth * straight, best);
            }
        }
    }
}
