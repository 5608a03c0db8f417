//! The rows of the database: for each source the first move to every target, as runs of equal
//! moves.
//!
//! Where several first moves are optimal, any of them will do: a run goes on as long as one move
//! serves all its targets, which makes the fewest runs that this order allows. A run is one word:
//! the number of its first target, and its move in the lowest three bits.

use super::order::Order;
use crate::db::SharedBytes;
use crate::engine::flood::{Flood, Ground};
use crate::engine::parallel;
use std::sync::Arc;

/// The number of sources sampled before building.
const SAMPLES: usize = 64;
/// The number of rows made before they are joined: these need memory twice.
const SEGMENT: usize = 1024;
const MOVE_BITS: u32 = 3;

/// All runs, row after row.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    starts: Vec<u32>,
    runs: Shared,
}

/// Bytes owned here or elsewhere, from an offset on: runs, four bytes each.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub bytes: SharedBytes,
    pub from: usize,
}

impl Shared {
    fn owned(runs: Vec<u8>) -> Self {
        Self { bytes: SharedBytes(Arc::new(runs)), from: 0 }
    }

    #[inline]
    fn get(&self) -> &[u8] {
        &self.bytes.as_ref()[self.from..]
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self { starts: Vec::new(), runs: Shared::owned(Vec::new()) }
    }
}

/// How many bytes rows will take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub kept: usize,
    /// The rows that are held twice while they are joined.
    pub held: usize,
}

/// Why rows were not made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooLarge {
    /// The bytes that all rows would take, judging by those made so far.
    pub bytes: usize,
}

impl Rows {
    /// The bytes that the rows of a map will take, judging by those of a few cells spread over it.
    pub fn estimate(ground: &Ground, order: &Order) -> Expected {
        let count = order.cells.len();
        // Small maps need fewer.
        let samples = SAMPLES.min(count.div_ceil(16));
        let (mut flood, mut runs) = (Flood::default(), Vec::new());
        for sample in 0..samples {
            flood.run(ground, order.cells[sample * count / samples], |_| false);
            compress(&flood, order, &mut runs);
        }
        // A tenth more, because a sample is not the whole.
        let per_row = runs.len() as f64 / samples.max(1) as f64 * 1.1;
        let bytes = |rows: usize| ((per_row + 1.0) * 4.0 * rows as f64) as usize;
        // A boxed row also has an address and a length.
        let held = SEGMENT.min(count);
        Expected { kept: bytes(count), held: bytes(held) + held * size_of::<Box<[u32]>>() }
    }

    /// Makes the rows on all cores, in at most `limit` bytes; `expected` bytes are set aside.
    pub fn build(
        ground: &Ground,
        order: &Order,
        expected: usize,
        limit: usize,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, TooLarge> {
        let count = order.cells.len();
        let mut starts = Vec::with_capacity(count + 1);
        let mut runs: Vec<u8> = Vec::with_capacity(expected);
        starts.push(0);
        for first in (0..count).step_by(SEGMENT) {
            let sources = &order.cells[first..count.min(first + SEGMENT)];
            let told = |done: usize, _: usize| progress(first + done, count);
            let made = parallel::map(sources.len(), &told, |memory: &mut Memory, index| {
                memory.flood.run(ground, sources[index], |_| false);
                memory.runs.clear();
                compress(&memory.flood, order, &mut memory.runs);
                Box::<[u32]>::from(memory.runs.as_slice())
            });
            // Exactly: if the estimate was too low, a list that doubles could exceed the limit.
            runs.reserve_exact(4 * made.iter().map(|row| row.len()).sum::<usize>());
            for row in made {
                row.iter().for_each(|run| runs.extend_from_slice(&run.to_le_bytes()));
                starts.push((runs.len() / 4) as u32);
            }
            let (done, bytes) = (first + sources.len(), starts.len() * 4 + runs.len());
            if bytes > limit || runs.len() / 4 > u32::MAX as usize / 2 {
                return Err(TooLarge { bytes: bytes / done * count });
            }
        }
        runs.shrink_to_fit();
        Ok(Self { starts, runs: Shared::owned(runs) })
    }

    /// From what was saved, if it is sound: a legal move for every pair.
    pub fn from_parts(
        starts: Vec<u32>,
        runs: Shared,
        ground: &Ground,
        order: &Order,
    ) -> Option<Self> {
        let rows = Self { starts, runs };
        let count = order.cells.len();
        let whole = rows.starts.len() == count + 1
            && rows.starts[0] == 0
            && rows.starts.is_sorted()
            && rows.starts[count] as usize == rows.runs();
        let sound = |source: usize| {
            let row = rows.row(source as u32);
            let legal = ground.legal[order.cells[source] as usize];
            let target = |run: &[u8; 4]| u32::from_le_bytes(*run) >> MOVE_BITS;
            // A cell without neighbours has nowhere to go and is never looked up.
            row.first().is_some_and(|run| target(run) == 0)
                && row.windows(2).all(|pair| target(&pair[0]) < target(&pair[1]))
                && target(&row[row.len() - 1]) < count as u32
                && (legal == 0 || row.iter().all(|run| legal >> (run[0] & 7) & 1 != 0))
        };
        (whole && (0..count).all(sound)).then_some(rows)
    }

    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.runs.get().len() / 4
    }

    /// All runs, four bytes each.
    pub fn as_bytes(&self) -> &[u8] {
        self.runs.get()
    }

    /// The move to make at the source for the target, both by number.
    #[inline]
    pub fn first_move(&self, source: u32, target: u32) -> u8 {
        let row = self.row(source);
        let after = row.partition_point(|run| u32::from_le_bytes(*run) >> MOVE_BITS <= target);
        row[after - 1][0] & ((1 << MOVE_BITS) - 1)
    }

    #[inline]
    fn row(&self, source: u32) -> &[[u8; 4]] {
        let source = source as usize;
        let (runs, _) = self.runs.get().as_chunks();
        &runs[self.starts[source] as usize..self.starts[source + 1] as usize]
    }

    pub fn bytes(&self) -> usize {
        self.starts.len() * 4 + self.runs.get().len()
    }
}

#[derive(Debug, Default)]
struct Memory {
    flood: Flood,
    runs: Vec<u32>,
}

/// Appends the runs of the row whose source was flooded.
fn compress(flood: &Flood, order: &Order, runs: &mut Vec<u32>) {
    const ANY: u8 = u8::MAX;
    let (mut first, mut common) = (0, ANY);
    let mut end_run = |first: u32, common: u8| {
        runs.push(first << MOVE_BITS | common.trailing_zeros());
    };
    for (number, &cell) in order.cells.iter().enumerate() {
        // The way to the source itself, or to cells out of reach, is never asked for.
        let moves = match flood.first_moves(cell) {
            0 => ANY,
            moves => moves,
        };
        if common & moves == 0 {
            end_run(first, common);
            (first, common) = (number as u32, moves);
        } else {
            common &= moves;
        }
    }
    end_run(first, common);
}
