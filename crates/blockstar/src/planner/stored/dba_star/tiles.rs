//! Where to go next on maps of many regions: tables by tiles.
//!
//! A matrix of all regions grows with the square of the map, and a search over all regions grows
//! with its area. So on large maps squares of regions form *tiles*. A tile touches the next one
//! along *entrances*: stretches of its rim, a few sectors long, where neighbouring regions follow
//! each other on both sides. The regions in the middle of an entrance are its *crossing*, and they
//! are *gates* of their tiles. For every region the [tables](super::tables) of its tile know the
//! cost of the way to each of its gates, and the next region on it. A query searches the crossings
//! alone, each tile being one look at a row of numbers, and follows the tables from gate to gate.
//! The idea is that of HPA* (A. Botea, M. Müller & J. Schaeffer, *Near Optimal Hierarchical
//! Path-Finding*, 2004) with regions in the place of cells.
//!
//! A way is bound to go through gates, and otherwise the shortest by the costs of base paths inside
//! its tiles; corners are cut as everywhere. Ends in the same tile or in adjoining ones are looked
//! for among the regions first.
//!
//! Everything here depends on the regions and base paths of a tile, and on the regions beyond its
//! rim. So an edit voids the tables of a few tiles, whatever the size of the map. They are made
//! again when a query first looks at them, and are then what they would be if made for the new map:
//! what a query answers does not depend on who made them. Making those of a tile takes a fifth of a
//! millisecond.

use super::source::Source;
use super::spare::Spare;
use super::tables::{Builder, NO_WAY, Outlook, Tables};
use crate::regions::sectors::{NONE, Sectors};
use std::sync::OnceLock;

/// The sectors along the side of a tile.
pub(super) const SIDE: u32 = 16;

/// All tiles.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// The number of tiles in a row.
    columns: u32,
    rows: u32,
    tiles: Vec<Tile>,
    /// Where each region is, by number.
    places: Vec<Place>,
    builders: Spare<Builder>,
}

/// Where a region is. What a search asks for is in one place, as each look is a miss of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub tile: u32,
    /// Which of the tile's regions it is.
    pub at: u32,
    /// Its part, and which of the part's regions it is.
    pub part: u32,
    pub row: u32,
}

const NOWHERE: Place = Place { tile: NONE, at: 0, part: NONE, row: 0 };

/// A square of sectors. It falls into parts, whose regions reach each other inside the tile.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    /// Its regions, by sector.
    pub regions: Vec<u32>,
    /// The part of each, and which of the part's regions it is.
    pub members: Vec<(u32, u32)>,
    /// What is known of its ways; nothing if an edit has voided it.
    tables: OnceLock<Tables>,
}

impl Tile {
    /// How many regions each part has.
    pub fn sizes(&self) -> Vec<u32> {
        let parts = self.members.iter().map(|member| member.0 + 1).max().unwrap_or(0);
        let mut sizes = vec![0; parts as usize];
        self.members.iter().for_each(|member| sizes[member.0 as usize] += 1);
        sizes
    }
}

impl Tiles {
    /// Maps of fewer regions do without: the matrix serves these.
    pub const MANY: usize = 4096;

    pub fn new(source: &Source<'_>) -> Self {
        let layout = &source.sectors.layout;
        let (columns, rows) = (layout.columns.div_ceil(SIDE), layout.rows.div_ceil(SIDE));
        let mut tiles = Self {
            columns,
            rows,
            tiles: vec![Tile::default(); (columns * rows) as usize],
            places: Vec::new(),
            builders: Spare::default(),
        };
        tiles.divide(source.sectors, 0..columns * rows);
        tiles
    }

    /// Makes all tables that are not there.
    pub fn make_all(&self, source: &Source<'_>) {
        for tile in 0..self.columns * self.rows {
            self.tables(source, tile);
        }
    }

    /// Follows a repair of sectors and base paths: `relisted` are the sectors of the regions whose
    /// base paths have changed.
    pub fn repair(&mut self, source: &Source<'_>, relisted: impl Iterator<Item = u32>) {
        let Source { bits, sectors, .. } = *source;
        // What links regions may also change next to a sector that was edited.
        let mut divided = vec![false; self.tiles.len()];
        for sector in sectors.edited(bits) {
            for near in sectors.layout.around(sector, 1) {
                divided[self.tile_of(sectors, near) as usize] = true;
            }
        }
        let mut stale = divided.clone();
        for sector in relisted {
            stale[self.tile_of(sectors, sector) as usize] = true;
        }
        for tile in (0..).zip(&divided).filter_map(|(tile, &is)| is.then_some(tile)) {
            let of = &mut self.tiles[tile as usize];
            let before = (std::mem::take(&mut of.regions), std::mem::take(&mut of.members));
            self.divide(sectors, std::iter::once(tile));
            let of = &self.tiles[tile as usize];
            if (&before.0, &before.1) != (&of.regions, &of.members) {
                // Which regions cross together depends on the parts on both sides.
                self.around(tile).for_each(|beside| stale[beside as usize] = true);
            }
        }
        for (tile, _) in self.tiles.iter_mut().zip(stale).filter(|(_, stale)| *stale) {
            tile.tables = OnceLock::new();
        }
    }

    /// Lists the regions of tiles and finds their parts.
    fn divide(&mut self, sectors: &Sectors, tiles: impl Iterator<Item = u32>) {
        self.places.resize(sectors.numbers(), NOWHERE);
        let (layout, mut stack) = (&sectors.layout, Vec::new());
        for tile in tiles {
            let (left, top) = (tile % self.columns * SIDE, tile / self.columns * SIDE);
            let of = &mut self.tiles[tile as usize];
            of.regions.clear();
            for row in top..(top + SIDE).min(layout.rows) {
                for column in left..(left + SIDE).min(layout.columns) {
                    of.regions.extend(sectors.regions(row * layout.columns + column));
                }
            }
            for (at, &region) in (0..).zip(&of.regions) {
                self.places[region as usize] = Place { tile, at, ..NOWHERE };
            }
            let mut part = 0;
            for &first in &of.regions {
                let place = &mut self.places[first as usize];
                if place.part != NONE {
                    continue;
                }
                let mut row = 0;
                (place.part, place.row) = (part, row);
                stack.push(first);
                while let Some(region) = stack.pop() {
                    for &next in sectors.neighbours(region) {
                        let place = &mut self.places[next as usize];
                        if place.tile == tile && place.part == NONE {
                            row += 1;
                            (place.part, place.row) = (part, row);
                            stack.push(next);
                        }
                    }
                }
                part += 1;
            }
            of.members.clear();
            of.members.extend(of.regions.iter().map(|&region| {
                let place = self.places[region as usize];
                (place.part, place.row)
            }));
        }
    }

    fn tile_of(&self, sectors: &Sectors, sector: u32) -> u32 {
        let columns = sectors.layout.columns;
        sector / columns / SIDE * self.columns + sector % columns / SIDE
    }

    /// A tile and those next to it.
    fn around(&self, tile: u32) -> impl Iterator<Item = u32> + use<> {
        let (column, row, columns) = (tile % self.columns, tile / self.columns, self.columns);
        let across = column.saturating_sub(1)..(column + 2).min(self.columns);
        let down = row.saturating_sub(1)..(row + 2).min(self.rows);
        crate::grid::raster::raster(across, down).map(move |(x, y)| y * columns + x)
    }

    /// Whether two tiles have a row in common: then they lie side by side, not one above the other.
    pub fn are_in_a_row(&self, a: u32, b: u32) -> bool {
        a / self.columns == b / self.columns
    }

    /// The tile of a region.
    #[inline]
    pub fn tile(&self, region: u32) -> u32 {
        self.places[region as usize].tile
    }

    /// Where a region is.
    #[inline]
    pub fn place(&self, region: u32) -> Place {
        self.places[region as usize]
    }

    pub fn get(&self, tile: u32) -> &Tile {
        &self.tiles[tile as usize]
    }

    /// What is known of a tile's ways.
    #[inline]
    pub fn tables(&self, source: &Source<'_>, tile: u32) -> &Tables {
        let tables = &self.tiles[tile as usize].tables;
        match tables.get() {
            Some(made) => made,
            None => tables
                .get_or_init(|| self.builders.lend(|builder| builder.build(source, self, tile))),
        }
    }

    /// The best place to cross between two gates of adjoining tiles: the regions on both sides.
    ///
    /// The search has crossed in the middle of an entrance; but once the gates before and after
    /// that crossing are fixed, the tables know what every other one would cost.
    pub fn best_crossing(
        &self,
        source: &Source<'_>,
        before: u32,
        after: u32,
    ) -> Option<(u32, u32)> {
        let ends = [self.place(before), self.place(after)];
        let [here, there] = ends.map(|place| self.tables(source, place.tile));
        let ways = here.rim_to(ends[1].tile)?;
        // Both tiles list the ways between them in the same order.
        let first = here.costs_along(ends[0].part, before, ends[1].tile)?;
        let second = there.costs_along(ends[1].part, after, ends[0].tile)?;
        let known = ways.zip(first.iter().zip(second)).filter_map(|((way, toll), (&a, &b))| {
            let whole = || u64::from(toll) + u64::from(a) + u64::from(b);
            (a != NO_WAY && b != NO_WAY).then(|| (whole(), way))
        });
        known.min_by_key(|known| known.0).map(|known| known.1)
    }

    /// How many tiles apart two regions are: the larger of their differences in columns and rows.
    pub fn apart(&self, a: u32, b: u32) -> u32 {
        let [(ax, ay), (bx, by)] = [a, b]
            .map(|region| (self.tile(region) % self.columns, self.tile(region) / self.columns));
        ax.abs_diff(bx).max(ay.abs_diff(by))
    }

    /// Whether two regions reach each other inside a tile.
    #[inline]
    pub fn are_joined(&self, a: u32, b: u32) -> bool {
        self.tile(a) == self.tile(b) && self.part(a) == self.part(b)
    }

    pub fn part(&self, region: u32) -> u32 {
        self.places[region as usize].part
    }

    /// What its tile knows of a region.
    #[inline]
    pub fn outlook(&self, source: &Source<'_>, region: u32) -> Outlook<'_> {
        let place = self.places[region as usize];
        self.tables(source, place.tile).outlook(place)
    }

    /// The same for a region that is mostly a gate.
    #[inline]
    pub fn outlook_of_gate(&self, source: &Source<'_>, region: u32) -> Outlook<'_> {
        let place = self.places[region as usize];
        self.tables(source, place.tile).outlook_of_gate(place, region)
    }

    /// Adds the regions on the way from one to a gate of its part, the first one included and the
    /// gate not, in that order. Nothing if it is no gate of its part.
    pub fn way_to(
        &self,
        source: &Source<'_>,
        region: u32,
        gate: u32,
        way: &mut Vec<u32>,
    ) -> Option<()> {
        let [place, end] = [region, gate].map(|region| self.place(region));
        let tables = self.tables(source, place.tile);
        let column = tables.outlook(place).column(gate)?;
        let (regions, next) = tables.column(place.part, column);
        let mut row = place.row;
        while row != end.row {
            way.push(regions[row as usize]);
            row = next[row as usize];
        }
        Some(())
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let of = |tile: &Tile| {
            tile.regions.capacity() * 4
                + tile.members.capacity() * size_of::<(u32, u32)>()
                + tile.tables.get().map_or(0, Tables::bytes)
        };
        self.tiles.capacity() * size_of::<Tile>()
            + self.places.capacity() * size_of::<Place>()
            + self.tiles.iter().map(of).sum::<usize>()
    }
}
