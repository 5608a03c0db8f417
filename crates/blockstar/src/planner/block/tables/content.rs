//! What is inside a block: the key of its table.

use super::layout::{BlockSize, MAX_SIDE};
use crate::Grid;
use crate::grid::raster::raster;

/// Which cells of a block are free, what they cost on weighted terrain, and how high they are on
/// slopes. Cells beyond the map's edge are blocked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Content {
    size: BlockSize,
    /// Bit x of row y: whether the cell is free.
    free: [u16; MAX_SIDE as usize],
    /// Terrain factors row by row, 0 where blocked; empty without terrain.
    factors: Vec<u16>,
    /// On slopes: heights row by row; empty on level ground.
    heights: Vec<f32>,
    /// The key of a content with heights: their bits, then the factors.
    sloped_key: Vec<u16>,
}

impl Default for Content {
    fn default() -> Self {
        let (factors, heights, sloped_key) = Default::default();
        Self { size: 0.into(), free: [0; MAX_SIDE as usize], factors, heights, sloped_key }
    }
}

impl Content {
    /// The content of a block without terrain.
    pub fn new(size: impl Into<BlockSize>, is_free: impl Fn(u32, u32) -> bool) -> Self {
        let mut content = Self { size: size.into(), ..Self::default() };
        for (x, y) in content.places() {
            content.free[y as usize] |= u16::from(is_free(x, y)) << x;
        }
        content
    }

    /// The content with this [key](Self::key), if it is one.
    pub fn from_key(size: impl Into<BlockSize>, weighted: bool, key: &[u16]) -> Option<Self> {
        let mut content = Self { size: size.into(), ..Self::default() };
        let BlockSize { width, height } = content.size;
        if !weighted {
            content.free.get_mut(..key.len())?.copy_from_slice(key);
            let fits =
                key.len() == height as usize && key.iter().all(|&row| u32::from(row) >> width == 0);
            return fits.then_some(content);
        }
        for (y, row) in key.chunks(width as usize).enumerate() {
            let bits = row.iter().rev().fold(0, |bits, &factor| bits << 1 | u16::from(factor != 0));
            *content.free.get_mut(y)? = bits;
        }
        content.factors = key.into();
        (key.len() == content.size.cells()).then_some(content)
    }

    /// The content of a small block whose cells are the bits of a number, row by row.
    pub fn from_pattern(size: impl Into<BlockSize>, pattern: u32) -> Self {
        let size = size.into();
        Self::new(size, |x, y| pattern >> size.index(x, y) & 1 != 0)
    }

    /// The free cells of a small block as the bits of a number, row by row.
    pub fn pattern(&self) -> u32 {
        let rows = 0..self.size.height;
        rows.map(|y| u32::from(self.row(y)) << self.size.index(0, y)).sum()
    }

    /// Reads the block whose top left cell is (`left`, `top`).
    pub fn read(&mut self, grid: &Grid, size: impl Into<BlockSize>, left: u32, top: u32) {
        self.size = size.into();
        let BlockSize { width, height } = self.size;
        let (bits, inside) = (grid.rows(), grid.height().saturating_sub(top).min(height));
        // Beyond the right edge a load sees the next row's cells.
        let mask = ((1u32 << grid.width().saturating_sub(left).min(width)) - 1) as u16;
        self.free = [0; MAX_SIDE as usize];
        for y in 0..inside {
            self.free[y as usize] = bits.after(bits.position(left, top + y)) as u16 & mask;
        }
        self.factors.clear();
        self.heights.clear();
        self.sloped_key.clear();
        if let Some(factors) = grid.factors() {
            for y in 0..height {
                for x in 0..width {
                    let free = self.is_free(x, y);
                    let factor = || factors[bits.position(left + x, top + y) as usize];
                    self.factors.push(if free { factor() } else { 0 });
                }
            }
        }
    }

    /// Reads the heights of the block, after everything else.
    pub fn read_heights(&mut self, grid: &Grid, left: u32, top: u32) {
        let Some(heights) = grid.heights() else { return };
        for (x, y) in self.places() {
            let free = self.is_free(x, y);
            let position = || grid.rows().position(left + x, top + y) as usize;
            let height = if free { heights[position()] } else { 0.0 };
            // No height has all bits set: that is not a number.
            let bits = if free { height.to_bits() } else { u32::MAX };
            self.heights.push(height);
            self.sloped_key.extend([(bits >> 16) as u16, bits as u16]);
        }
        self.sloped_key.extend_from_slice(&self.factors);
    }

    /// The height of a free cell; 0 on level ground.
    #[inline]
    pub fn height(&self, x: u32, y: u32) -> f32 {
        self.heights.get(self.size.index(x, y)).copied().unwrap_or(0.0)
    }

    /// How many cells there are across and down.
    #[inline]
    pub fn size(&self) -> BlockSize {
        self.size
    }

    /// Where all cells are, row by row.
    pub fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        raster(0..self.size.width, 0..self.size.height)
    }

    /// Whether a cell is free; outside the block none is.
    #[inline]
    pub fn is_free(&self, x: u32, y: u32) -> bool {
        x < self.size.width && y < self.size.height && self.free[y as usize] >> x & 1 != 0
    }

    /// The free cells of a row as bits.
    #[inline]
    pub fn row(&self, y: u32) -> u16 {
        self.free[y as usize]
    }

    /// Whether no cell is free.
    pub fn is_blocked(&self) -> bool {
        self.free == [0; MAX_SIDE as usize]
    }

    /// Whether there is a terrain layer.
    pub fn is_weighted(&self) -> bool {
        !self.factors.is_empty()
    }

    /// The terrain factor of a free cell; 1 (and not 256) without terrain.
    #[inline]
    pub fn factor(&self, x: u32, y: u32) -> u32 {
        self.factors.get(self.size.index(x, y)).map_or(1, |&factor| factor.into())
    }

    /// The least terrain factor of a free cell, if there is terrain.
    pub fn least_factor(&self) -> Option<u32> {
        // 0 is a blocked cell, and below it is the largest number there is.
        let least = self.factors.iter().map(|factor| factor.wrapping_sub(1)).min()?;
        Some(u32::from(least) + 1)
    }

    /// What identifies the content.
    pub fn key(&self) -> &[u16] {
        if !self.sloped_key.is_empty() {
            return &self.sloped_key;
        }
        if self.is_weighted() { &self.factors } else { &self.free[..self.size.height as usize] }
    }

    /// The four cells around a corner of the block's cells, as bits: NW, NE, SW, SE. Cells outside
    /// the block are blocked.
    #[inline]
    pub fn quad(&self, x: u32, y: u32) -> u32 {
        let two = |y: u32| {
            let row = u32::from(self.free.get(y as usize).copied().unwrap_or(0)) << 1;
            row >> x & 3
        };
        two(y.wrapping_sub(1)) | two(y) << 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Cell, Tile};

    #[test]
    fn a_block_is_read_as_the_grid_has_it() {
        let mut content = Content::default();
        let side = |random: &mut Random| 2 + random.below(15) as u32;
        for (round, mut random) in Random::rounds(3, 200).enumerate() {
            let (width, height) = (1 + random.below(40) as u32, 1 + random.below(40) as u32);
            let mut grid = Grid::from_fn(width, height, |_| random.chance(1, 2)).unwrap();
            if round % 2 == 0 {
                let cell = Cell::new(random.below(width.into()) as u32, 0);
                grid.set_cost(cell, 3.5).unwrap();
                grid.set(cell, if round % 4 == 0 { Tile::Free } else { Tile::Blocked }).unwrap();
            }
            let size = BlockSize { width: side(&mut random), height: side(&mut random) };
            for top in (0..height).step_by(size.height as usize) {
                for left in (0..width).step_by(size.width as usize) {
                    content.read(&grid, size, left, top);
                    assert_eq!(content.is_weighted(), grid.has_costs());
                    let again = Content::from_key(size, grid.has_costs(), content.key());
                    assert_eq!(again.as_ref(), Some(&content));
                    for y in 0..size.height {
                        for x in 0..size.width {
                            let cell = Cell::new(left + x, top + y);
                            assert_eq!(content.is_free(x, y), grid.is_free(cell));
                            if grid.has_costs() && grid.is_free(cell) {
                                let factor = f64::from(content.factor(x, y)) / 256.0;
                                assert_eq!(factor, grid.cost(cell));
                            }
                        }
                    }
                    for y in 0..=size.height {
                        for x in 0..=size.width {
                            let free =
                                |dx: u32, dy: u32| {
                                    u32::from(content.is_free(
                                        (x + dx).wrapping_sub(1),
                                        (y + dy).wrapping_sub(1),
                                    ))
                                };
                            let quad =
                                free(0, 0) | free(1, 0) << 1 | free(0, 1) << 2 | free(1, 1) << 3;
                            assert_eq!(content.quad(x, y), quad);
                        }
                    }
                }
            }
        }
    }
}
