//! Base paths that are made when they are asked for.
//!
//! A large change of the map concerns more base paths than an update has time for. Then those near it
//! become *late*: the first query that asks for one makes all of its *batch*, the base paths of
//! 8 x 8 sectors, which takes some milliseconds, and they stay. What they are depends on the map
//! alone, so an answer does not depend on who made them, or when.

use super::jumps::Sides;
use super::paths::{Hops, Maker};
use super::spare::Spare;
use crate::grid::bits::Bits;
use crate::regions::sectors::{Layout, Sectors};
use crate::{Grid, Moves, Rect};
use std::sync::OnceLock;

/// The sectors along the side of a batch. Paths to regions of other batches are made twice, once
/// for each end: with 8 and a depth of 2, a third of all.
const SIDE: u32 = 8;

/// The batches of a map, some of them late.
#[derive(Clone, Debug)]
pub(super) struct Late {
    columns: u32,
    moves: Moves,
    depth: u32,
    /// None for batches whose base paths are where they always are.
    batches: Vec<Option<OnceLock<Batch>>>,
    /// How many of them are late.
    count: usize,
    /// The cells of the map, by rows and by columns.
    bits: Bits,
    turned: Bits,
    makers: Spare<Maker>,
}

/// The base paths of some regions.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// The regions, by number, and where the words of each one start.
    pub regions: Vec<(u32, u32)>,
    pub words: Vec<u32>,
}

impl Batch {
    /// The words of a region.
    fn list(&self, region: u32) -> &[u32] {
        let Ok(at) = self.regions.binary_search_by_key(&region, |entry| entry.0) else {
            return &[];
        };
        let end = self.regions.get(at + 1).map_or(self.words.len(), |next| next.1 as usize);
        &self.words[self.regions[at].1 as usize..end]
    }
}

impl Late {
    /// No batch is late yet.
    pub fn new(grid: &Grid, moves: Moves, layout: &Layout, depth: u32) -> Self {
        let columns = layout.columns.div_ceil(SIDE);
        let batches = vec![None; (columns * layout.rows.div_ceil(SIDE)) as usize];
        let (bits, turned) = (grid.rows().clone(), grid.columns().clone());
        Self { columns, moves, depth, batches, count: 0, bits, turned, makers: Spare::default() }
    }

    /// Follows edits of the map.
    pub fn follow(&mut self, grid: &Grid, changes: &[Rect]) {
        for cell in changes.iter().flat_map(|rect| rect.cells()) {
            let at = grid.rows().position(cell.x, cell.y);
            self.bits.put(at, grid.rows().get(at));
            self.turned.put(grid.columns().position(cell.y, cell.x), grid.rows().get(at));
        }
    }

    /// Makes everything late.
    pub fn put_all_off(&mut self) {
        self.batches.fill(Some(OnceLock::new()));
        self.count = self.batches.len();
    }

    /// Makes the batches late that have a sector at most `within` sectors away from one.
    pub fn put_off(&mut self, layout: &Layout, sector: u32, within: u32) {
        for batch in self.near(layout, sector, within) {
            self.count += usize::from(self.batches[batch].is_none());
            self.batches[batch] = Some(OnceLock::new());
        }
    }

    /// Takes the base paths out that were made for batches with a sector at most `within` sectors
    /// away from one: these batches are then no longer late.
    pub fn settle(
        &mut self,
        layout: &Layout,
        sector: u32,
        within: u32,
        mut take: impl FnMut(u32, &[u32]),
    ) {
        for batch in self.near(layout, sector, within) {
            let Some(made) = self.batches[batch].as_mut().and_then(OnceLock::take) else {
                continue;
            };
            made.regions.iter().for_each(|&(region, _)| take(region, made.list(region)));
            self.batches[batch] = None;
            self.count -= 1;
        }
    }

    /// Whether nothing is late.
    pub fn is_over(&self) -> bool {
        self.count == 0
    }

    /// How many batches are late and not made.
    #[cfg(test)]
    pub fn open_batches(&self) -> usize {
        self.batches.iter().flatten().filter(|batch| batch.get().is_none()).count()
    }

    /// The sectors of all batches that are late and not made.
    pub fn open_sectors<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = u32> + 'a {
        (0..layout.sectors()).filter(|&sector| self.is_open(layout, sector))
    }

    /// Whether the base paths of a sector's regions are not made.
    pub fn is_open(&self, layout: &Layout, sector: u32) -> bool {
        let batch = &self.batches[self.batch(layout, sector)];
        batch.as_ref().is_some_and(|batch| batch.get().is_none())
    }

    /// The base paths of a region, if its batch is late.
    pub fn words(&self, sectors: &Sectors, region: u32) -> Option<&[u32]> {
        let at = self.batch(&sectors.layout, sectors.sector(&self.bits, region));
        let batch = self.batches[at].as_ref()?;
        Some(batch.get_or_init(|| self.make(sectors, at)).list(region))
    }

    pub fn bytes(&self) -> usize {
        let of = |batch: &Batch| batch.words.capacity() * 4 + batch.regions.capacity() * 8;
        let made = self.batches.iter().flatten().filter_map(OnceLock::get);
        self.bits.bytes()
            + self.turned.bytes()
            + self.batches.capacity() * size_of::<Option<OnceLock<Batch>>>()
            + made.map(of).sum::<usize>()
    }

    fn batch(&self, layout: &Layout, sector: u32) -> usize {
        let (column, row) = (sector % layout.columns, sector / layout.columns);
        (row / SIDE * self.columns + column / SIDE) as usize
    }

    /// The batches with a sector at most `within` sectors away from one.
    fn near(
        &self,
        layout: &Layout,
        sector: u32,
        within: u32,
    ) -> impl Iterator<Item = usize> + use<> {
        let (column, row, columns) =
            (sector % layout.columns, sector / layout.columns, self.columns);
        let span = |at: u32, end: u32| {
            at.saturating_sub(within) / SIDE..(at + within).min(end - 1) / SIDE + 1
        };
        let (across, down) = (span(column, layout.columns), span(row, layout.rows));
        crate::grid::raster::raster(across, down).map(move |(x, y)| (y * columns + x) as usize)
    }

    /// Makes the base paths of a batch.
    fn make(&self, sectors: &Sectors, batch: usize) -> Batch {
        let layout = &sectors.layout;
        let (left, top) = (batch as u32 % self.columns * SIDE, batch as u32 / self.columns * SIDE);
        let mut regions = Vec::new();
        for row in top..(top + SIDE).min(layout.rows) {
            for column in left..(left + SIDE).min(layout.columns) {
                regions.extend(sectors.regions(row * layout.columns + column));
            }
        }
        regions.sort_unstable();
        let mut made = Batch::default();
        self.makers.lend(|maker| {
            let map = Sides { rows: &self.bits, columns: &self.turned };
            maker.make_all(map, self.moves, sectors, self.depth, &regions);
            for &region in &regions {
                made.regions.push((region, made.words.len() as u32));
                maker.list_new(&self.bits, sectors, self.depth, region, &mut made.words);
            }
        });
        made.words.shrink_to_fit();
        debug_assert!(Hops(&made.words).all(|hop| hop.cost > 0));
        made
    }
}
