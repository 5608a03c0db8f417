//! ESRI ASCII grids: a header of names and numbers, then the heights row by row from the north.

use super::HeightMap;
use crate::Error;
use crate::error::plain;
use crate::format::lines::{Line, Lines, finite_number, shown};
use crate::grid::check_size;

/// A number of the header and its position.
#[derive(Clone, Copy)]
struct Entry {
    value: f64,
    line: usize,
    column: usize,
}

#[derive(Default)]
struct Header {
    columns: Option<Entry>,
    rows: Option<Entry>,
    size: Option<Entry>,
    /// Width and height of cells, which some programs write instead of the cell size.
    wide: Option<Entry>,
    high: Option<Entry>,
    void: Option<f64>,
}

fn fault(line: usize, column: usize, problem: String) -> Error {
    Error::Format { format: "ESRI ASCII grid", line, column, problem }
}

/// Any number, including NaN.
fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

impl Header {
    /// Reads a line of the header; false if it has heights.
    fn take(&mut self, line: Line<'_>) -> Result<bool, Error> {
        let mut words = line.words();
        let Some((column, name)) = words.next() else { return Ok(true) };
        if number(name).is_some() {
            return Ok(false);
        }
        let key = name.to_ascii_lowercase();
        let void = key == b"nodata_value";
        let value = words.next().and_then(|(_, word)| number(word));
        let Some(value) = value.filter(|value| value.is_finite() || (void && value.is_nan()))
        else {
            let what = format!("`{}` needs a number behind it", shown(name));
            return Err(fault(line.number, column, what));
        };
        let entry = Some(Entry { value, line: line.number, column });
        match key.as_slice() {
            b"ncols" => self.columns = entry,
            b"nrows" => self.rows = entry,
            b"cellsize" => self.size = entry,
            b"dx" => self.wide = entry,
            b"dy" => self.high = entry,
            b"nodata_value" => self.void = Some(value),
            b"xllcorner" | b"yllcorner" | b"xllcenter" | b"yllcenter" => {}
            _ => {
                let what = format!(
                    "`{}` is not a line of the header: those are ncols, nrows, xllcorner, yllcorner, \
                     xllcenter, yllcenter, cellsize (or dx and dy) and NODATA_value",
                    shown(name)
                );
                return Err(fault(line.number, column, what));
            }
        }
        Ok(true)
    }

    fn is_void(&self, value: f64) -> bool {
        match self.void {
            Some(void) if void.is_nan() => value.is_nan(),
            void => value == void.unwrap_or(-9999.0),
        }
    }

    /// The cell size, if the header has it.
    fn cell_size(&self) -> Result<Option<f64>, Error> {
        for (entry, name) in [(self.size, "cellsize"), (self.wide, "dx"), (self.high, "dy")] {
            if let Some(Entry { value, line, column }) = entry.filter(|entry| entry.value <= 0.0) {
                return Err(fault(
                    line,
                    column,
                    format!("{name} is {}, but must be above 0", plain(value)),
                ));
            }
        }
        if let (Some(wide), Some(high)) = (self.wide, self.high)
            && (wide.value / high.value - 1.0).abs() > 1e-6
        {
            let what = format!(
                "dx is {} and dy is {}, but cells must be squares: reproject the grid",
                plain(wide.value),
                plain(high.value)
            );
            return Err(fault(high.line, high.column, what));
        }
        Ok(self.size.or(self.wide).or(self.high).map(|entry| entry.value))
    }
}

impl HeightMap {
    /// Reads an ESRI ASCII grid: a header with `ncols`, `nrows` and `cellsize` (or `dx` and `dy`,
    /// if they are equal), perhaps a `NODATA_value`, which may be `nan`, and then the heights row
    /// by row from the north.
    pub fn parse_esri(bytes: &[u8]) -> Result<Self, Error> {
        let mut lines = Lines::new(bytes);
        let mut header = Header::default();
        let mut first = None;
        while let Some(line) = lines.next_filled() {
            if !header.take(line)? {
                first = Some(line);
                break;
            }
        }
        let last = lines.last_number();
        let side = |entry: Option<Entry>, name: &str| match entry {
            Some(Entry { value, .. }) if value.fract() == 0.0 && (1.0..1e9).contains(&value) => {
                Ok(value as u64)
            }
            Some(Entry { value, line, column }) => {
                Err(fault(line, column, format!("{name} is {}, but must be a size", plain(value))))
            }
            None => Err(fault(last, 1, format!("the header does not say {name}"))),
        };
        let (width, height) = (side(header.columns, "ncols")?, side(header.rows, "nrows")?);
        check_size(width, height)?;
        let size = header.cell_size()?;
        let count = (width * height) as usize;
        let mut values = Vec::with_capacity(count.min(bytes.len()));
        for line in first.into_iter().chain(lines.by_ref()) {
            for (column, word) in line.words() {
                let void = number(word).is_some_and(|value| header.is_void(value));
                let value = if void { Some(f64::NAN) } else { finite_number(word) };
                let Some(value) = value else {
                    let what = format!("`{}` is not a height", shown(word));
                    return Err(fault(line.number, column, what));
                };
                if values.len() == count {
                    let what = format!("there are more than {width} x {height} heights");
                    return Err(fault(line.number, column, what));
                }
                values.push(value as f32);
            }
        }
        if values.len() < count {
            let what = format!(
                "there are {} heights, but {width} x {height} = {count} are needed",
                values.len()
            );
            return Err(fault(lines.last_number(), 1, what));
        }
        let mut map = Self::from_values(width as u32, height as u32, values)?;
        map.cell_size = size;
        Ok(map)
    }
}
