//! Sight between the corners of a block's cells.
//!
//! Which cells a segment crosses depends only on how far it goes right and down, so one span of
//! cells per row is kept for each vector, and sight is a few masks ([`Rays::sees`]).
//!
//! Making a table takes the sight from one corner to all slots of a block, and there the question
//! is turned around: each blocked cell hides certain slots from a corner, whatever the other cells
//! are. Those slots are the bits of one word, and a corner sees what no blocked cell hides from it
//! ([`Rays::look`]): a table of 12x12 cells takes a third of the time that testing all pairs takes.
//! Under the strict rule double corners hide what is behind them in the same way. Only along grid
//! lines must two cells be blocked to hide something: there pairs are tested.

use super::{BlockSize, Content, Layout, MAX_SIDE};
use crate::grid::raster::raster;
use std::sync::OnceLock;

/// Sight in blocks of one size.
#[derive(Debug)]
pub(crate) struct Rays {
    /// The cells of a block, across and down.
    width: i32,
    height: i32,
    /// Where the spans of each vector (dx, dy) with dy > 0 begin.
    first: Vec<u32>,
    /// The first cell and the one after the last, relative to the column where the segment starts.
    spans: Vec<(i8, i8)>,
    /// The length of each vector, ignoring signs.
    lengths: Vec<f64>,
    slots: usize,
    /// For each corner and each obstacle (first the cells of the block, then the corners, row by
    /// row), the slots that the obstacle hides from the corner.
    hidden: Vec<u64>,
    /// For each corner, the slots on the same inner grid line.
    aligned: Vec<u64>,
    /// For each corner, the straight distance to each slot.
    straight: Vec<f64>,
    /// Where each slot is.
    at: Vec<(u8, u8)>,
}

impl Rays {
    /// The rays for blocks of a size, made once: 2 MB for the largest blocks, 0.5 MB for those of
    /// 12x12.
    pub fn of(size: BlockSize) -> &'static Self {
        const SIDES: usize = MAX_SIDE as usize + 1;
        static MADE: [OnceLock<Rays>; SIDES * SIDES] = [const { OnceLock::new() }; SIDES * SIDES];
        let made = &MADE[size.height as usize * SIDES + size.width as usize];
        made.get_or_init(|| Self::new(size))
    }

    fn new(size: BlockSize) -> Self {
        let layout = (size.cells() > 0).then(|| Layout::new(size, false));
        let at: Vec<(u8, u8)> = layout.map_or(Vec::new(), |layout| {
            let slots = 0..layout.slots();
            slots.map(|slot| layout.at(slot)).map(|(x, y)| (x as u8, y as u8)).collect()
        });
        let (width, height) = (size.width as i32, size.height as i32);
        let mut rays = Self {
            width,
            height,
            first: Vec::new(),
            spans: Vec::new(),
            lengths: Vec::new(),
            slots: at.len(),
            hidden: Vec::new(),
            aligned: Vec::new(),
            straight: Vec::new(),
            at,
        };
        let points = raster(0..size.width + 1, 0..size.height + 1);
        rays.lengths = points.map(|(x, y)| length(x, y)).collect();
        for dx in -width..=width {
            for dy in 0..=height {
                rays.first.push(rays.spans.len() as u32);
                for row in 0..dy {
                    let ends = [dx * row, dx * (row + 1)];
                    let low = ends[0].min(ends[1]).div_euclid(dy);
                    let high = -(-ends[0].max(ends[1])).div_euclid(dy);
                    rays.spans.push((low as i8, high as i8));
                }
            }
        }
        rays.cast();
        rays
    }

    /// Works out what hides each slot from each corner.
    fn cast(&mut self) {
        let (across, down) = (self.width as usize + 1, self.height as usize + 1);
        let obstacles = self.obstacles();
        self.hidden = vec![0; across * down * obstacles];
        self.aligned = vec![0; across * down];
        for corner in 0..across * down {
            let from = ((corner % across) as u8, (corner / across) as u8);
            let row = corner * obstacles;
            for slot in 0..self.slots {
                let to = self.at[slot];
                self.straight.push(self.length(from, to));
                let inner = |v: u8, side: i32| v > 0 && i32::from(v) < side;
                if (from.0 == to.0 && inner(to.0, self.width))
                    || (from.1 == to.1 && inner(to.1, self.height))
                {
                    self.aligned[corner] |= 1 << slot;
                    continue;
                }
                let bit = 1u64 << slot;
                for (x, y) in self.crossed(from, to) {
                    let cell = self.cell(x, y);
                    self.hidden[row + cell] |= bit;
                }
                for (x, y) in passed(from, to) {
                    let corner = self.corner(x, y);
                    self.hidden[row + corner] |= bit;
                }
            }
        }
    }

    fn obstacles(&self) -> usize {
        (self.width * self.height + (self.width + 1) * (self.height + 1)) as usize
    }

    /// The number of a cell as an obstacle.
    fn cell(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// The number of a corner as an obstacle.
    fn corner(&self, x: u32, y: u32) -> usize {
        let (width, height) = (self.width as usize, self.height as usize);
        width * height + y as usize * (width + 1) + x as usize
    }

    /// The cells that are crossed between two corners; along the block's border, those just inside.
    fn crossed(&self, a: (u8, u8), b: (u8, u8)) -> Vec<(u32, u32)> {
        let (a, b) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let (dx, dy) = (i32::from(b.0) - i32::from(a.0), i32::from(b.1) - i32::from(a.1));
        let (x, y) = (u32::from(a.0), u32::from(a.1));
        if dy == 0 {
            let columns = u32::from(a.0.min(b.0))..a.0.max(b.0).into();
            return columns.map(|x| (x, y.min(self.height as u32 - 1))).collect();
        }
        if dx == 0 {
            return (y..b.1.into()).map(|y| (x.min(self.width as u32 - 1), y)).collect();
        }
        let first = self.first[((dx + self.width) * (self.height + 1) + dy) as usize] as usize;
        let rows = (y..).zip(&self.spans[first..first + dy as usize]);
        rows.flat_map(|(row, &(low, high))| {
            (low..high).map(move |column| (x.wrapping_add_signed(column.into()), row))
        })
        .collect()
    }

    /// The straight distance between two corners of a block.
    #[inline]
    pub fn length(&self, a: (u8, u8), b: (u8, u8)) -> f64 {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        self.lengths[usize::from(dy) * (self.width as usize + 1) + usize::from(dx)]
    }

    /// Lists the obstacles in a block. Returns whether double corners are among them.
    pub fn list(&self, content: &Content, squeeze: bool, obstacles: &mut Vec<u16>) -> bool {
        obstacles.clear();
        let (width, height) = (self.width as u32, self.height as u32);
        for y in 0..height {
            let mut blocked = !u32::from(content.row(y)) & ((1 << width) - 1);
            while blocked != 0 {
                obstacles.push(self.cell(blocked.trailing_zeros(), y) as u16);
                blocked &= blocked - 1;
            }
        }
        let cells = obstacles.len();
        if !squeeze {
            for y in 1..height {
                // Two adjacent cells, one of them free, above two with only the other free.
                let [above, below] = [y - 1, y].map(|y| u32::from(content.row(y)));
                let mut double = above ^ above >> 1;
                double &= above ^ below;
                double &= (above ^ below) >> 1;
                double &= (1 << (width - 1)) - 1;
                while double != 0 {
                    obstacles.push(self.corner(double.trailing_zeros() + 1, y) as u16);
                    double &= double - 1;
                }
            }
        }
        obstacles.len() > cells
    }

    /// Writes the distance to each slot as seen from a corner; infinite where it is hidden.
    /// `doubles` is what [`Rays::list`] returned.
    #[inline(always)]
    pub fn look(
        &self,
        content: &Content,
        obstacles: &[u16],
        doubles: bool,
        from: (u8, u8),
        lengths: &mut [f64],
    ) {
        let corner = usize::from(from.1) * (self.width as usize + 1) + usize::from(from.0);
        let count = self.obstacles();
        let row = &self.hidden[corner * count..][..count];
        let mut hidden = obstacles.iter().fold(0, |hidden, &o| hidden | row[usize::from(o)]);
        let mut aligned = self.aligned[corner];
        while aligned != 0 {
            let slot = aligned.trailing_zeros();
            if !self.sees(content, !doubles, from, self.at[slot as usize]) {
                hidden |= 1 << slot;
            }
            aligned &= aligned - 1;
        }
        let straight = &self.straight[corner * self.slots..][..self.slots];
        for (slot, (length, &straight)) in lengths.iter_mut().zip(straight).enumerate() {
            *length = if hidden >> slot & 1 == 0 { straight } else { f64::INFINITY };
        }
    }

    /// Whether one can walk straight between two corners of a block without leaving it.
    #[inline]
    pub fn sees(&self, content: &Content, squeeze: bool, a: (u8, u8), b: (u8, u8)) -> bool {
        let (a, b) = if a.1 <= b.1 { (a, b) } else { (b, a) };
        let (dx, dy) = (i32::from(b.0) - i32::from(a.0), i32::from(b.1) - i32::from(a.1));
        let (x, y) = (u32::from(a.0), u32::from(a.1));
        if dy == 0 {
            let (low, high) = (a.0.min(b.0).into(), a.0.max(b.0).into());
            return along_row(content, squeeze, y, low, high);
        }
        if dx == 0 {
            return along_column(content, squeeze, x, y, b.1.into());
        }
        let first = self.first[((dx + self.width) * (self.height + 1) + dy) as usize] as usize;
        for (row, &(low, high)) in (y..).zip(&self.spans[first..first + dy as usize]) {
            let low = i32::from(low) + x as i32;
            let width = i32::from(high) + x as i32 - low;
            let mask = ((1u32 << width) - 1) << low;
            if u32::from(content.row(row)) & mask != mask {
                return false;
            }
        }
        squeeze || !passed(a, b).any(|(x, y)| is_double(content.quad(x, y)))
    }
}

/// The corners on the segment between two others.
#[inline]
fn passed(a: (u8, u8), b: (u8, u8)) -> impl Iterator<Item = (u32, u32)> {
    let (dx, dy) = (i32::from(b.0) - i32::from(a.0), i32::from(b.1) - i32::from(a.1));
    let steps = greatest_common_divisor(dx.unsigned_abs(), dy.unsigned_abs()) as i32;
    let (dx, dy) = (dx / steps.max(1), dy / steps.max(1));
    let (x, y) = (u32::from(a.0), u32::from(a.1));
    (1..steps).map(move |i| (x.wrapping_add_signed(i * dx), y.wrapping_add_signed(i * dy)))
}

fn greatest_common_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether the four cells around a corner make it a double corner.
#[inline]
pub(crate) fn is_double(quad: u32) -> bool {
    quad == 0b0110 || quad == 0b1001
}

fn along_row(content: &Content, squeeze: bool, y: u32, low: u32, high: u32) -> bool {
    let row = |y: u32| if y < content.size().height { u32::from(content.row(y)) } else { 0 };
    let mask = (1u32 << high) - (1u32 << low);
    (row(y) | row(y.wrapping_sub(1))) & mask == mask
        && (squeeze || !(low + 1..high).any(|x| is_double(content.quad(x, y))))
}

fn along_column(content: &Content, squeeze: bool, x: u32, low: u32, high: u32) -> bool {
    (low..high).all(|y| content.is_free(x, y) || content.is_free(x.wrapping_sub(1), y))
        && (squeeze || !(low + 1..high).any(|y| is_double(content.quad(x, y))))
}

/// The length of a vector: that of the shortest one in its direction, rounded to a multiple of
/// 2^-40, times how often it fits. So the parts of a segment add up to the whole.
fn length(dx: u32, dy: u32) -> f64 {
    const GRAIN: f64 = (1u64 << 40) as f64;
    let times = greatest_common_divisor(dx, dy).max(1);
    let (dx, dy) = (dx / times, dy / times);
    (f64::from(dx * dx + dy * dy).sqrt() * GRAIN).round() / GRAIN * f64::from(times)
}
