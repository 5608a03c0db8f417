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
    /// From which cell of the interval it is that cost.
    pub source: Vec<u32>,
    /// The costs of the opposite side of the rectangle, less those of the straight steps there.
    pub far: Vec<C>,
    /// From which cell of the interval these are.
    pub from: Vec<u32>,
    queue: Vec<u32>,
}

impl<C: Cost> Line<C> {
    pub fn clear(&mut self) {
        self.g.clear();
        self.source.clear();
    }

    #[inline]
    pub fn push(&mut self, g: C) {
        self.source.push(self.g.len() as u32);
        self.g.push(g);
    }

    /// Lets the cells pass on their costs along the interval: afterwards no two neighbours differ
    /// by more than a straight step.
    #[inline]
    pub fn level(&mut self, straight: C) {
        let (g, source) = (&mut self.g[..], &mut self.source[..]);
        let count = g.len().min(source.len());
        for i in 1..count {
            if g[i - 1] + straight < g[i] {
                (g[i], source[i]) = (g[i - 1] + straight, source[i - 1]);
            }
        }
        for i in (1..count).rev() {
            if g[i] + straight < g[i - 1] {
                (g[i - 1], source[i - 1]) = (g[i] + straight, source[i]);
            }
        }
    }

    /// Computes `far` for a rectangle that reaches `depth` beyond the levelled interval.
    ///
    /// On the far side, a cell is best reached from one at most `depth` to either side, because one
    /// further away passes its cost on along the interval just as well; so from each such cell it
    /// is `depth` straight steps, and for each column in between a diagonal step instead, which
    /// costs `extra` more. That is a minimum over a window, once from the left and once from the
    /// right.
    pub fn cross(&mut self, depth: u32, extra: C) {
        let count = self.g.len();
        self.far.clear();
        self.far.extend_from_slice(&self.g);
        self.from.clear();
        self.from.extend(0..count as u32);
        if depth == 0 {
            return;
        }
        if depth as usize + 1 >= count {
            self.cross_unbounded(extra);
            return;
        }
        self.queue.resize(self.queue.len().max(count), 0);
        let (g, far, from, queue) = (&self.g, &mut self.far, &mut self.from, &mut self.queue);
        // The queue holds the cells of the window that may yet be the best, the best one first.
        let (mut head, mut tail) = (0, 0);
        for i in 0..count {
            let from_cell = |cell: u32| g[cell as usize] + extra.times(i as u32 - cell);
            while head < tail && from_cell(queue[tail - 1]) >= g[i] {
                tail -= 1;
            }
            queue[tail] = i as u32;
            tail += 1;
            if i as u32 - queue[head] > depth {
                head += 1;
            }
            (far[i], from[i]) = (from_cell(queue[head]), queue[head]);
        }
        (head, tail) = (0, 0);
        for i in (0..count).rev() {
            let from_cell = |cell: u32| g[cell as usize] + extra.times(cell - i as u32);
            while head < tail && from_cell(queue[tail - 1]) >= g[i] {
                tail -= 1;
            }
            queue[tail] = i as u32;
            tail += 1;
            if queue[head] - i as u32 > depth {
                head += 1;
            }
            let best = from_cell(queue[head]);
            if best < far[i] {
                (far[i], from[i]) = (best, queue[head]);
            }
        }
    }

    /// The same where the rectangle is at least as deep as wide, so that the window is everything.
    fn cross_unbounded(&mut self, extra: C) {
        let (far, from) = (&mut self.far[..], &mut self.from[..]);
        let count = far.len().min(from.len());
        for i in 1..count {
            if far[i - 1] + extra < far[i] {
                (far[i], from[i]) = (far[i - 1] + extra, from[i - 1]);
            }
        }
        for i in (1..count).rev() {
            if far[i] + extra < far[i - 1] {
                (far[i - 1], from[i - 1]) = (far[i] + extra, from[i]);
            }
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        (self.g.capacity() + self.far.capacity()) * size_of::<C>()
            + (self.source.capacity() + self.from.capacity() + self.queue.capacity()) * 4
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
            for _ in 0..count {
                line.push(random.below(steep + 1) as u32);
            }
            let given = line.g.clone();
            line.level(straight);
            line.cross(depth, diagonal - straight);
            for i in 0..count {
                let cost = |j: u32| {
                    let across = i.abs_diff(j);
                    let steps = across.max(depth) * straight;
                    given[j as usize] + steps + across.min(depth) * (diagonal - straight)
                };
                let best = (0..count).map(cost).min().unwrap();
                assert_eq!(line.far[i as usize] + depth * straight, best);
                let source = line.source[line.from[i as usize] as usize];
                assert_eq!(cost(source), best);
            }
        }
    }
}
