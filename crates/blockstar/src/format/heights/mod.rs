//! Height maps: grey pixels, PGM, SRTM tiles, ESRI ASCII grids and tables of numbers.
//!
//! All of them become a [`HeightMap`]: heights row by row from the top, some of which may be
//! *voids*, places that nobody measured. A height map can be scaled, resampled and turned into a
//! [`Grid`] with a height per cell, in which voids are blocked or filled.
//!
//! A pixel of brightness p stands for the height p · highest / 255, of 16 bits p · highest / 65535
//! (equation 1 of the A*MOD paper). Decoding pictures other than PGM is up to the caller.

mod esri;
mod table;

use super::lines::whole_number;
use crate::grid::{check_length, check_size};
use crate::{Cell, Error, Grid};

/// What to do with cells without a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Voids {
    /// They are blocked. (Their heights are filled all the same, because the ground next to them
    /// has a slope and pictures show them.)
    Blocked,
    /// They are free. From the edges of the void inwards, ring by ring, each gets the mean height
    /// of the cells around it that have one by then.
    Filled,
}

/// Heights row by row from the top.
///
/// ```
/// use blockstar::format::heights::{HeightMap, Voids};
/// let map = HeightMap::from_luma8(2, 1, &[0, 255], 100.0)?;
/// let grid = map.grid(Voids::Blocked)?;
/// assert_eq!(grid.height_at((1, 0)), Some(100.0));
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    width: u32,
    height: u32,
    /// NaN where there is none.
    values: Vec<f32>,
    cell_size: Option<f64>,
    notes: Vec<String>,
}

impl HeightMap {
    /// A height map from pixels of one byte: 255 is as high as `highest`.
    pub fn from_luma8(width: u32, height: u32, pixels: &[u8], highest: f64) -> Result<Self, Error> {
        Self::from_pixels(width, height, pixels, u8::MAX.into(), highest)
    }

    /// A height map from pixels of two bytes: 65535 is as high as `highest`.
    pub fn from_luma16(
        width: u32,
        height: u32,
        pixels: &[u16],
        highest: f64,
    ) -> Result<Self, Error> {
        Self::from_pixels(width, height, pixels, u16::MAX.into(), highest)
    }

    fn from_pixels<P: Copy + Into<f64>>(
        width: u32,
        height: u32,
        pixels: &[P],
        white: f64,
        highest: f64,
    ) -> Result<Self, Error> {
        check_length(width, height, pixels.len())?;
        if highest.is_nan() || highest.abs() > 1e9 {
            let (what, range) = ("the height of white", "a number up to 1000000000");
            return Err(Error::Range { what, value: highest, range });
        }
        let values = pixels.iter().map(|&pixel| (pixel.into() * highest / white) as f32).collect();
        Ok(Self { width, height, values, cell_size: None, notes: Vec::new() })
    }

    /// A height map from heights row by row; those that are not a number are voids.
    pub fn from_values(width: u32, height: u32, values: Vec<f32>) -> Result<Self, Error> {
        check_length(width, height, values.len())?;
        if let Some(bad) = values.iter().find(|value| value.is_infinite()) {
            return Err(Error::Range { what: "a height", value: (*bad).into(), range: "finite" });
        }
        Ok(Self { width, height, values, cell_size: None, notes: Vec::new() })
    }

    /// Reads a PGM picture, plain (P2) or binary (P5), of 8 or 16 bits. White, whose value is in
    /// the file, is as high as `highest`; without `highest`, a grey value is its own height.
    pub fn parse_pgm(bytes: &[u8], highest: Option<f64>) -> Result<Self, Error> {
        let fault = |at: usize, problem: String| fault_at("PGM picture", bytes, at, problem);
        let plain = match bytes.get(..2) {
            Some(b"P2") => true,
            Some(b"P5") => false,
            _ => return Err(fault(0, "it does not begin with P2 or P5".into())),
        };
        let mut at = 2;
        let mut number = |name: &str, most: u64| {
            skip_blanks(bytes, &mut at);
            let start = at;
            at += bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            whole_number(&bytes[start..at])
                .filter(|&value| value <= most)
                .ok_or_else(|| fault(start, format!("{name} must be a number up to {most}")))
        };
        let width = number("the width", u64::from(u32::MAX))?;
        let height = number("the height", u64::from(u32::MAX))?;
        let white = number("the value of white", 65535)?;
        check_size(width, height)?;
        if white == 0 {
            return Err(fault(at, "the value of white is 0: it must be 1 to 65535".into()));
        }
        let count = (width * height) as usize;
        let mut pixels: Vec<u16> = Vec::new();
        if plain {
            // Not allocated before they are read: a grey value takes at least two bytes.
            pixels.reserve(count.min(bytes.len() / 2 + 1));
            for index in 0..count {
                skip_blanks(bytes, &mut at);
                let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let value = whole_number(&bytes[at..at + digits]).filter(|&value| value <= white);
                let Some(value) = value else {
                    let what = format!("grey value {} of {count} must be 0 to {white}", index + 1);
                    return Err(fault(at, what));
                };
                pixels.push(value as u16);
                at += digits;
            }
        } else {
            at += 1; // one blank
            let size = if white < 256 { 1 } else { 2 };
            let data = bytes.get(at..).unwrap_or_default();
            if data.len() < count * size {
                let (got, want) = (data.len(), count * size);
                let what =
                    format!("{got} bytes follow the header, but {width} x {height} need {want}");
                return Err(fault(at.min(bytes.len()), what));
            }
            let grey = |pixel: &[u8]| match *pixel {
                [high, low] => u16::from(high) << 8 | u16::from(low),
                _ => pixel[0].into(),
            };
            pixels.extend(data[..count * size].chunks(size).map(grey));
        }
        let white = white as f64;
        Self::from_pixels(width as u32, height as u32, &pixels, white, highest.unwrap_or(white))
    }

    /// Reads an SRTM tile (`.hgt`): big-endian 16-bit numbers, in metres, row by row from the
    /// north; −32768 is a void. A tile of 1201 x 1201 has cells of about 90 m, one of 3601 x 3601
    /// of about 30 m; squares of another size are read as well.
    pub fn parse_hgt(bytes: &[u8]) -> Result<Self, Error> {
        let count = bytes.len() / 2;
        let side = count.isqrt();
        if !bytes.len().is_multiple_of(2) || side * side != count || side < 2 {
            let problem = format!(
                "{} bytes are no square of heights of two bytes each: a tile has 2884802 (1201 x \
                 1201) or 25934402 (3601 x 3601)",
                bytes.len()
            );
            return Err(Error::Format { format: "SRTM tile", line: 1, column: 1, problem });
        }
        check_size(side as u64, side as u64)?;
        let value = |pair: &[u8]| match i16::from_be_bytes([pair[0], pair[1]]) {
            i16::MIN => f32::NAN,
            metres => metres.into(),
        };
        let values = bytes.chunks(2).map(value).collect();
        let mut map = Self::from_values(side as u32, side as u32, values)?;
        map.cell_size = match side {
            1201 => Some(90.0),
            3601 => Some(30.0),
            _ => None,
        };
        Ok(map)
    }

    /// The number of columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The distance between the centres of neighbouring cells, if it is known.
    pub fn cell_size(&self) -> Option<f64> {
        self.cell_size
    }

    /// The same with another distance between neighbouring cells.
    #[must_use]
    pub fn with_cell_size(self, size: f64) -> Self {
        Self { cell_size: Some(size), ..self }
    }

    /// The parts of the file that were not read as heights, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The heights row by row; NaN where there is none.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// How many cells have no height.
    pub fn voids(&self) -> usize {
        self.values.iter().filter(|value| value.is_nan()).count()
    }

    /// The same with all heights multiplied: 0.3048 turns feet into metres.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.values.iter_mut().for_each(|value| *value = (f64::from(*value) * factor) as f32);
        self
    }

    /// The same ground with another number of cells. Along a side that gets fewer cells, each is
    /// the mean of what it covers; along a side that gets more, heights are interpolated. A cell
    /// more than half of which is void is void.
    ///
    /// The cell size changes with the number of cells. Everything else assumes square cells: if the
    /// sides change by different factors, the ground is distorted, and the cell size is that of
    /// squares of the same area.
    pub fn resampled(&self, width: u32, height: u32) -> Result<Self, Error> {
        check_size(width.into(), height.into())?;
        let across = shares(self.width, width);
        let down = shares(self.height, height);
        let mut values = Vec::with_capacity(width as usize * height as usize);
        for rows in &down {
            for columns in &across {
                let (mut sum, mut known) = (0.0, 0.0);
                for &(y, part_y) in rows {
                    for &(x, part_x) in columns {
                        let value = self.values[y as usize * self.width as usize + x as usize];
                        if !value.is_nan() {
                            sum += f64::from(value) * part_x * part_y;
                            known += part_x * part_y;
                        }
                    }
                }
                values.push(if known >= 0.5 { (sum / known) as f32 } else { f32::NAN });
            }
        }
        let mut map = Self::from_values(width, height, values)?;
        let wider = f64::from(self.width) / f64::from(width);
        let higher = f64::from(self.height) / f64::from(height);
        let factor = if wider == higher { wider } else { (wider * higher).sqrt() };
        map.cell_size = self.cell_size.map(|size| size * factor);
        map.notes.clone_from(&self.notes);
        Ok(map)
    }

    /// A grid with a height per cell. All cells are free, except voids if they should be blocked.
    pub fn grid(&self, voids: Voids) -> Result<Grid, Error> {
        let index = |cell: Cell| cell.y as usize * self.width as usize + cell.x as usize;
        let free = |cell| voids == Voids::Filled || !self.values[index(cell)].is_nan();
        let mut grid = Grid::from_fn(self.width, self.height, free)?;
        grid.set_heights(&self.filled()?)?;
        Ok(grid)
    }

    /// The heights with voids filled ring by ring from their edges inwards: the next ring is the
    /// voids that touch a height at a side or corner, and each gets the mean of the heights it
    /// touches, except those of its own ring. Each void is visited twice, whatever its depth.
    fn filled(&self) -> Result<Vec<f32>, Error> {
        let mut values = self.values.clone();
        let (w, h) = (self.width as usize, self.height as usize);
        let around = |at: usize| {
            let (x, y) = (at % w, at / w);
            let columns = x.saturating_sub(1)..(x + 2).min(w);
            let rows = y.saturating_sub(1)..(y + 2).min(h);
            rows.flat_map(move |y| columns.clone().map(move |x| y * w + x))
        };
        let mut waits: Vec<bool> = values.iter().map(|value| value.is_nan()).collect();
        if waits.iter().all(|&void| void) {
            let (what, range) = ("the number of heights", "at least 1: everything is void");
            return Err(Error::Range { what, value: 0.0, range });
        }
        let touches = |at: &usize| waits[*at] && around(*at).any(|i| !values[i].is_nan());
        let mut ring: Vec<usize> = (0..values.len()).filter(touches).collect();
        ring.iter().for_each(|&at| waits[at] = false);
        let (mut means, mut next) = (Vec::new(), Vec::new());
        while !ring.is_empty() {
            means.clear();
            means.extend(ring.iter().map(|&at| {
                let known = around(at).map(|i| values[i]).filter(|value| !value.is_nan());
                let add = |(sum, count), value| (sum + f64::from(value), count + 1);
                let (sum, count) = known.fold((0.0, 0), add);
                (sum / f64::from(count)) as f32
            }));
            ring.iter().zip(&means).for_each(|(&at, &mean)| values[at] = mean);
            for i in ring.drain(..).flat_map(around) {
                if std::mem::take(&mut waits[i]) {
                    next.push(i);
                }
            }
            std::mem::swap(&mut ring, &mut next);
        }
        Ok(values)
    }
}

/// For each of `to` cells along a side, the cells of `from` that it is made of, and their shares.
fn shares(from: u32, to: u32) -> Vec<Vec<(u32, f64)>> {
    let ratio = f64::from(from) / f64::from(to);
    let covered = |i: u32| {
        let (start, end) = (f64::from(i) * ratio, f64::from(i + 1) * ratio);
        let first = start as u32;
        let last = (end.ceil() as u32).clamp(first + 1, from);
        let part = |j: u32| (end.min(f64::from(j + 1)) - start.max(f64::from(j))).max(0.0) / ratio;
        (first..last).map(|j| (j, part(j))).collect()
    };
    let between = |i: u32| {
        let centre = (f64::from(i) + 0.5) * ratio - 0.5;
        let low = centre.floor().clamp(0.0, f64::from(from - 1));
        let part = (centre - low).clamp(0.0, 1.0);
        let high = (low as u32 + 1).min(from - 1);
        vec![(low as u32, 1.0 - part), (high, part)]
    };
    (0..to).map(|i| if ratio >= 1.0 { covered(i) } else { between(i) }).collect()
}

/// Skips blanks and comments of a PGM header.
fn skip_blanks(bytes: &[u8], at: &mut usize) {
    while let Some(&byte) = bytes.get(*at) {
        if byte == b'#' {
            *at += bytes[*at..].iter().take_while(|&&byte| byte != b'\n').count();
        } else if byte.is_ascii_whitespace() {
            *at += 1;
        } else {
            return;
        }
    }
}

/// An error at a byte of a text.
fn fault_at(format: &'static str, bytes: &[u8], at: usize, problem: String) -> Error {
    let before = &bytes[..at.min(bytes.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    Error::Format { format, line, column, problem }
}

#[cfg(test)]
mod tests;
