//! The geometry of [`rea_star`](super::rea_star): how far a free interval grows, the free runs of a
//! wall, and the costs on the far side of a free rectangle.

use crate::bits::Bits;
use crate::cost::Cost;

/// Cells that one load decides.
const STRETCH: u32 = 57;
const DECIDED: u64 = (1 << STRETCH) - 1;

/// The cells from `position` on, to the right if `forward`: bit i is the cell i steps away. The
/// upper seven bits mean nothing.
#[inline]
fn cells(bits: &Bits, position: u32, forward: bool) -> u64 {
    if forward { bits.after(position) } else { bits.before(position).reverse_bits() }
}

/// How many cells beyond the one at `position` are free, at most `limit`.
#[inline]
fn free_beyond(bits: &Bits, position: u32, forward: bool, limit: u32) -> u32 {
    let mut steps = 1;
    while steps <= limit {
        let at = if forward { position + steps } else { position - steps };
        let blocked = !cells(bits, at, forward) & DECIDED;
        if blocked != 0 {
            return (steps + blocked.trailing_zeros() - 1).min(limit);
        }
        steps += STRETCH;
    }
    limit
}

/// How far the `width` cells from `position` on to the right can be moved up or down (down if
/// `forward`) over free cells. `across` is the same map by columns, `first` the first cell there.
pub(crate) fn growth(
    along: &Bits,
    position: u32,
    across: &Bits,
    first: u32,
    width: u32,
    forward: bool,
) -> u32 {
    // Few columns are followed one by one, 57 cells at a time; many are tested row by row.
    const FEW: u32 = 6;
    let mut depth = u32::MAX - STRETCH;
    let few = width.min(FEW);
    // The last ones first: they lie beyond those that bound the neighbouring rectangle.
    for column in 0..few {
        let at = first + (width - 1 - column) * across.stride();
        depth = free_beyond(across, at, forward, depth);
        if depth == 0 {
            return 0;
        }
    }
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
    at: u32,
    count: u32,
}

impl<'a> Runs<'a> {
    #[inline]
    pub fn new(bits: &'a Bits, position: u32, forward: bool, count: u32) -> Self {
        Self { bits, position, forward, at: 0, count }
    }

    /// The cells from distance `at` on.
    #[inline]
    fn load(&self) -> u64 {
        let at = if self.forward { self.position + self.at } else { self.position - self.at };
        cells(self.bits, at, self.forward)
    }
}

impl Iterator for Runs<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        let mut word;
        loop {
            if self.at >= self.count {
                return None;
            }
            word = self.load() & DECIDED;
            if word != 0 {
                break;
            }
            self.at += STRETCH;
        }
        let skipped = word.trailing_zeros();
        self.at += skipped;
        if self.at >= self.count {
            return None;
        }
        let start = self.at;
        // The zeros shifted in from above end the run, unless they are all that ends it.
        let length = (!(word >> skipped)).trailing_zeros();
        self.at += length;
        if skipped + length == STRETCH {
            while self.at < self.count {
                let blocked = !self.load() & DECIDED;
                if blocked != 0 {
                    self.at += blocked.trailing_zeros();
                    break;
                }
                self.at += STRETCH;
            }
        }
        Some((start, self.at.min(self.count)))
    }
}

/// The costs of an interval's cells and what is computed from them, reused from one rectangle to
/// the next.
#[derive(Debug, Default)]
pub(crate) struct Line<C> {
    /// The cost of each cell of the interval.
    pub g: Vec<C>,
    /// The costs of the opposite side of the rectangle less those of the straight steps there, if
    /// they differ from those of the interval.
    far: Vec<C>,
    queue: Vec<(C, u32)>,
    /// Whether a diagonal step can lead from one cell to below its neighbour more cheaply than a
    /// straight one from there.
    slanted: bool,
    /// Whether that may still be so on the far side.
    far_slanted: bool,
    /// Whether `far` is in use.
    far_differs: bool,
}

impl<C: Cost> Line<C> {
    /// Takes the costs of `count` cells, and lets them pass on their costs along the interval:
    /// afterwards no two neighbours differ by more than a straight step.
    #[inline]
    pub fn read(&mut self, count: u32, straight: C, extra: C, mut cost: impl FnMut(u32) -> C) {
        self.g.clear();
        let (mut rugged, mut slanted, mut last) = (false, false, None);
        self.g.extend((0..count).map(|i| {
            let g = cost(i);
            let before = last.replace(g).unwrap_or(g);
            let difference = if g > before { g - before } else { before - g };
            rugged |= difference > straight;
            slanted |= difference > extra;
            g
        }));
        self.slanted = slanted;
        if rugged {
            self.level(straight);
        }
    }

    fn level(&mut self, straight: C) {
        pass_on(self.g.iter_mut(), straight);
        pass_on(self.g.iter_mut().rev(), straight);
    }

    /// Whether no cell beyond the far side is better reached diagonally than straight.
    #[inline]
    pub fn is_flat(&self) -> bool {
        !self.far_slanted
    }

    /// The costs that [`Line::cross`] computed.
    #[inline]
    pub fn far(&self) -> &[C] {
        if self.far_differs { &self.far } else { &self.g }
    }

    /// Computes [`Line::far`] for a rectangle that reaches `depth` beyond the interval.
    ///
    /// On the far side, a cell is best reached from one at most `depth` to either side, because one
    /// further away passes its cost on along the interval just as well; so from each such cell it
    /// is `depth` straight steps, and for each column in between a diagonal step instead, which
    /// costs `extra` more. That is a minimum over a window, once from the left and once from the
    /// right.
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
        if self.queue.len() < count {
            self.queue.resize(count, (C::ZERO, 0));
        }
        slide(self.g.iter().zip(far.iter_mut()), &mut self.queue, depth, extra);
        let backward = self.g.iter().rev().zip(far.iter_mut().rev());
        slide(backward, &mut self.queue, depth, extra);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        (self.g.capacity() + self.far.capacity()) * size_of::<C>()
            + self.queue.capacity() * size_of::<(C, u32)>()
    }
}

/// Lowers each cost to that of the one before plus `step`.
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

/// Lowers each cost of `far` to the least of those at most `depth` cells before plus `extra` for
/// each cell in between.
#[inline]
fn slide<'a, C: Cost + 'a>(
    cells: impl ExactSizeIterator<Item = (&'a C, &'a mut C)>,
    queue: &mut [(C, u32)],
    depth: u32,
    extra: C,
) {
    // The queue holds the cells of the window that may yet be the best, the best one first, with
    // their costs as passed on to the last cell of all.
    let (mut head, mut tail) = (0, 0);
    let mut rest = extra.times(cells.len() as u32);
    for (i, (&g, far)) in (0u32..).zip(cells) {
        rest = rest - extra;
        let passed = g + rest;
        while head < tail && queue[tail - 1].0 >= passed {
            tail -= 1;
        }
        queue[tail] = (passed, i);
        tail += 1;
        if i - queue[head].1 > depth {
            head += 1;
        }
        *far = (*far).min(queue[head].0 - rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Grid;
    use crate::random::Random;

    #[test]
    fn runs_and_growth_agree_with_single_cells() {
        let mut random = Random::new(5);
        for round in 0..400 {
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
                let free = |i: u32| grid.is_free((if forward { x + i } else { x - i }, y).into());
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
                    if row >= height || !(x..x + across).all(|x| grid.is_free((x, row).into())) {
                        break;
                    }
                    depth += 1;
                }
                let first = columns.position(y, x);
                assert_eq!(growth(rows, position, columns, first, across, forward), depth);
            }
        }
    }

    /// The far side of a rectangle against all pairs of cells, with octile distances.
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
