//! Maps of the ROS map server: a YAML file beside a grey picture.
//!
//! ```yaml
//! image: office.pgm
//! resolution: 0.05          # metres per pixel
//! origin: [-10.0, -5.0, 0]  # x, y in metres and yaw of the lower left pixel's outer corner
//! negate: 0
//! occupied_thresh: 0.65
//! free_thresh: 0.196
//! mode: trinary             # optional: trinary, scale or raw
//! ```
//!
//! A pixel of brightness v is occupied with p = (255 - v) / 255, or v / 255 if `negate` is set.
//! Above `occupied_thresh` the cell is occupied, else below `free_thresh` it is free, else it is
//! unknown, and the caller says what that means.
//!
//! The YAML is read by a small reader for what such files contain: one `key: value` per line,
//! comments, quotes (without escapes), lists in brackets or with dashes. Other keys, and what is
//! nested below them, are skipped. Decoding the picture is up to the caller.

use super::lines::{Line, Lines, finite_number, shown};
use crate::{Cell, Error, Grid, Tile, grid::check_length};

const ROS: &str = "ROS map";

/// How the brightness of a pixel becomes occupancy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Free, occupied or unknown by the two thresholds. The default.
    #[default]
    Trinary,
    /// As trinary, but pixels between the thresholds are known to be partly occupied. A grid cell
    /// is either free or blocked, so here they count as unknown.
    Scale,
    /// The pixel is the occupancy in percent, whatever `negate` says, and unknown above 100. The
    /// thresholds apply to the percentage.
    Raw,
}

/// The YAML file of a ROS map.
#[derive(Clone, Debug, PartialEq)]
pub struct RosMap {
    /// The picture as the file names it: a path, relative to the folder of the YAML file. It comes
    /// from outside and may name any file.
    pub image: String,
    /// Metres per pixel.
    pub resolution: f64,
    /// x and y, in metres, of the outer corner of the lower left pixel, and the yaw of the map, in
    /// radians anticlockwise.
    pub origin: [f64; 3],
    /// Whether bright is occupied, instead of dark.
    pub negate: bool,
    /// Pixels with more occupancy than this are occupied.
    pub occupied: f64,
    /// Pixels with less occupancy than this are free, unless they are occupied.
    pub free: f64,
    /// How pixels are read.
    pub mode: Mode,
}

impl RosMap {
    /// Reads the YAML file.
    ///
    /// ```
    /// use blockstar::{Cell, Tile, format::ros::RosMap};
    /// let map = RosMap::parse(
    ///     b"image: office.pgm\nresolution: 0.05\norigin: [-1.0, -2.0, 0.0]\nnegate: 0\n\
    ///       occupied_thresh: 0.65\nfree_thresh: 0.196\n",
    /// )?;
    /// let grid = map.grid(3, 1, &[254, 205, 0], Tile::Blocked)?;
    /// assert_eq!(grid.free_cells(), 1);
    /// assert_eq!(map.cell(-0.99, -1.99, 3, 1), Some(Cell::new(0, 0)));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn parse(yaml: &[u8]) -> Result<Self, Error> {
        let entries = Entries::read(yaml)?;
        let resolution = entries.number("resolution")?;
        if resolution.value <= 0.0 {
            let problem = format!(
                "the resolution is {}, but must be above 0 metres per pixel",
                resolution.value
            );
            return Err(resolution.fault(problem));
        }
        let threshold = |key| {
            let number = entries.number(key)?;
            if (0.0..=1.0).contains(&number.value) {
                return Ok(number.value);
            }
            let problem = format!("{key} is {}, but must be 0 to 1", number.value);
            Err(number.fault(problem))
        };
        Ok(Self {
            image: entries.text("image")?,
            resolution: resolution.value,
            origin: entries.origin()?,
            negate: entries.flag("negate")?,
            occupied: threshold("occupied_thresh")?,
            free: threshold("free_thresh")?,
            mode: entries.mode()?,
        })
    }

    /// The map from the brightness of the picture's pixels, row by row from the top. Unknown cells
    /// become `unknown`: [`Tile::Blocked`] for a robot that stays on known ground.
    pub fn grid(&self, width: u32, height: u32, luma: &[u8], unknown: Tile) -> Result<Grid, Error> {
        check_length(width, height, luma.len())?;
        // There are only 256 different pixels.
        let mut free = [false; 256];
        for (free, brightness) in free.iter_mut().zip(0..=u8::MAX) {
            *free = self.tile(brightness).unwrap_or(unknown) == Tile::Free;
        }
        Grid::from_fn(width, height, |c| {
            free[usize::from(luma[c.y as usize * width as usize + c.x as usize])]
        })
    }

    /// The tile for a pixel of this brightness, or none if it is unknown.
    pub fn tile(&self, brightness: u8) -> Option<Tile> {
        let occupancy = match self.mode {
            Mode::Raw if brightness > 100 => return None,
            Mode::Raw => f64::from(brightness) / 100.0,
            _ if self.negate => f64::from(brightness) / 255.0,
            _ => f64::from(255 - brightness) / 255.0,
        };
        if occupancy > self.occupied {
            Some(Tile::Blocked)
        } else if occupancy < self.free {
            Some(Tile::Free)
        } else {
            None
        }
    }

    /// The centre of a cell in the world, in metres; `height` is that of the grid, whose rows count
    /// from the top while the world's y points up.
    ///
    /// ```
    /// use blockstar::{Cell, format::ros::{Mode, RosMap}};
    /// let map = RosMap {
    ///     image: "a.pgm".into(),
    ///     resolution: 0.5,
    ///     origin: [10.0, 20.0, 0.0],
    ///     negate: false,
    ///     occupied: 0.65,
    ///     free: 0.196,
    ///     mode: Mode::Trinary,
    /// };
    /// assert_eq!(map.world(Cell::new(0, 9), 10), (10.25, 20.25));
    /// assert_eq!(map.world(Cell::new(0, 0), 10), (10.25, 24.75));
    /// assert_eq!(map.cell(10.1, 20.1, 30, 10), Some(Cell::new(0, 9)));
    /// ```
    pub fn world(&self, cell: Cell, height: u32) -> (f64, f64) {
        let right = (f64::from(cell.x) + 0.5) * self.resolution;
        let up = (f64::from(height) - f64::from(cell.y) - 0.5) * self.resolution;
        let [x, y, yaw] = self.origin;
        // No sine and cosine for the usual map: its numbers stay exact.
        if yaw == 0.0 {
            return (x + right, y + up);
        }
        let (sin, cos) = yaw.sin_cos();
        (x + right * cos - up * sin, y + right * sin + up * cos)
    }

    /// The cell at a place in the world, in metres, on a grid of this size; none if it is off the
    /// map. A place between two cells belongs to the one with the larger x and y in the world.
    pub fn cell(&self, x: f64, y: f64, width: u32, height: u32) -> Option<Cell> {
        let (x, y, yaw) = (x - self.origin[0], y - self.origin[1], self.origin[2]);
        let (right, up) = if yaw == 0.0 {
            (x, y)
        } else {
            let (sin, cos) = yaw.sin_cos();
            (x * cos + y * sin, y * cos - x * sin)
        };
        let column = (right / self.resolution).floor();
        let row = (up / self.resolution).floor();
        // NaN is in no range.
        let inside =
            (0.0..f64::from(width)).contains(&column) && (0.0..f64::from(height)).contains(&row);
        inside.then(|| Cell::new(column as u32, height - 1 - row as u32))
    }
}

/// A piece of the file and its position.
#[derive(Clone, Copy, Debug)]
struct At<T> {
    line: usize,
    column: usize,
    value: T,
}

impl<T> At<T> {
    fn fault(&self, problem: String) -> Error {
        Error::Format { format: ROS, line: self.line, column: self.column, problem }
    }

    fn with<U>(&self, value: U) -> At<U> {
        At { line: self.line, column: self.column, value }
    }
}

/// The value of a key.
#[derive(Debug)]
enum Value<'a> {
    Scalar(&'a [u8]),
    List(Vec<At<&'a [u8]>>),
}

/// The keys of the format, in the order in which they are usually written.
const KEYS: [&str; 7] =
    ["image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"];

/// The file as the values of the keys that matter.
#[derive(Debug, Default)]
struct Entries<'a> {
    values: [Option<At<Value<'a>>>; 7],
    last_line: usize,
}

impl<'a> Entries<'a> {
    fn read(yaml: &'a [u8]) -> Result<Self, Error> {
        let mut entries = Self::default();
        let mut lines = Lines::new(yaml);
        // The key that dashes and deeper lines belong to: none before the first key, or for a key
        // to skip.
        let mut open = None;
        let mut any = false;
        while let Some(line) = lines.next_filled() {
            let text = without_comment(line.bytes);
            let indent = text.len() - text.trim_ascii_start().len();
            let body = At { line: line.number, column: indent + 1, value: text.trim_ascii() };
            if body.value.is_empty() || body.value.starts_with(b"%") || body.value == b"---" {
                continue;
            }
            if body.value == b"..." {
                break;
            }
            let item = body.value.strip_prefix(b"-").filter(|rest| {
                rest.is_empty() || rest.starts_with(b" ") || rest.starts_with(b"\t")
            });
            if any && (indent > 0 || item.is_some()) {
                if let Some(key) = open {
                    entries.continue_value(key, body, item)?;
                }
                continue;
            }
            let Some(colon) = key_end(body.value) else {
                let text = shown(body.value);
                return Err(body.fault(format!("`{text}` is not a line of the form `key: value`")));
            };
            any = true;
            let key = unquoted(body.value[..colon].trim_ascii());
            open = KEYS.iter().position(|known| known.as_bytes() == key);
            let rest = &body.value[colon + 1..];
            let blank = rest.len() - rest.trim_ascii_start().len();
            let column = body.column + colon + 1 + blank;
            let value = At { line: line.number, column, value: rest.trim_ascii() };
            if value.value.starts_with(b"[") {
                let list = read_list(value, &mut lines)?;
                if let Some(key) = open {
                    entries.put(key, body, value.with(Value::List(list)))?;
                }
            } else if let Some(key) = open {
                entries.put(key, body, value.with(Value::Scalar(value.value)))?;
            }
        }
        entries.last_line = lines.last_number();
        Ok(entries)
    }

    fn put(&mut self, key: usize, at: At<&[u8]>, value: At<Value<'a>>) -> Result<(), Error> {
        if self.values[key].is_some() {
            let key = KEYS[key];
            return Err(at.fault(format!("`{key}` was given before: remove one of the two")));
        }
        self.values[key] = Some(value);
        Ok(())
    }

    /// Reads a line below a key: an item of a list with dashes, or the value on a line of its own.
    fn continue_value(
        &mut self,
        key: usize,
        body: At<&'a [u8]>,
        item: Option<&'a [u8]>,
    ) -> Result<(), Error> {
        let Some(value) = &mut self.values[key] else { return Ok(()) };
        let item = item.map(|item| {
            let blank = item.len() - item.trim_ascii_start().len();
            let column = body.column + 1 + blank;
            At { line: body.line, column, value: item.trim_ascii() }
        });
        match (&mut value.value, item) {
            (Value::Scalar(b""), Some(item)) => {
                *value = value.with(Value::List(vec![item]));
            }
            (Value::List(items), Some(item)) => items.push(item),
            (Value::Scalar(b""), None) => {
                *value = body.with(Value::Scalar(body.value));
            }
            _ => {
                let (text, key) = (shown(body.value), KEYS[key]);
                return Err(body.fault(format!(
                    "`{text}` follows the value of `{key}`: write the value on one line"
                )));
            }
        }
        Ok(())
    }

    fn get(&self, key: &'static str) -> Option<&At<Value<'a>>> {
        let index = KEYS.iter().position(|&known| known == key)?;
        self.values[index].as_ref()
    }

    fn needed(&self, key: &'static str) -> Result<&At<Value<'a>>, Error> {
        self.get(key).ok_or_else(|| Error::Format {
            format: ROS,
            line: self.last_line,
            column: 1,
            problem: format!("`{key}` is missing: every map needs {}", KEYS[..6].join(", ")),
        })
    }

    fn scalar(&self, key: &'static str) -> Result<At<&'a [u8]>, Error> {
        let at = self.needed(key)?;
        match at.value {
            Value::Scalar(text) => Ok(at.with(unquoted(text))),
            Value::List(_) => Err(at.fault(format!("{key} is a list, but must be one value"))),
        }
    }

    fn text(&self, key: &'static str) -> Result<String, Error> {
        let at = self.scalar(key)?;
        match std::str::from_utf8(at.value) {
            Ok("") => Err(at.fault(format!("{key} is empty: name a file"))),
            Ok(text) => Ok(text.into()),
            Err(_) => Err(at.fault(format!("{key} is `{}`, which is not UTF-8", shown(at.value)))),
        }
    }

    fn number(&self, key: &'static str) -> Result<At<f64>, Error> {
        let at = self.scalar(key)?;
        number(key, at).map(|number| at.with(number))
    }

    fn flag(&self, key: &'static str) -> Result<bool, Error> {
        let at = self.scalar(key)?;
        match &at.value.to_ascii_lowercase()[..] {
            b"0" | b"false" | b"no" | b"off" => Ok(false),
            b"1" | b"true" | b"yes" | b"on" => Ok(true),
            _ => {
                let value = shown(at.value);
                Err(at.fault(format!("{key} is `{value}`, but must be 0 or 1, false or true")))
            }
        }
    }

    fn origin(&self) -> Result<[f64; 3], Error> {
        let at = self.needed("origin")?;
        let Value::List(items) = &at.value else {
            return Err(at.fault("origin must be a list of three numbers: [x, y, yaw]".into()));
        };
        let [x, y, yaw] = &items[..] else {
            let got = items.len();
            return Err(at.fault(format!("origin has {got} numbers, but must have 3: [x, y, yaw]")));
        };
        let part = |at: &At<&[u8]>| number("a number of origin", at.with(unquoted(at.value)));
        Ok([part(x)?, part(y)?, part(yaw)?])
    }

    fn mode(&self) -> Result<Mode, Error> {
        if self.get("mode").is_none() {
            return Ok(Mode::default());
        }
        let at = self.scalar("mode")?;
        match at.value {
            b"trinary" => Ok(Mode::Trinary),
            b"scale" => Ok(Mode::Scale),
            b"raw" => Ok(Mode::Raw),
            other => {
                let mode = shown(other);
                Err(at.fault(format!("mode is `{mode}`, but must be trinary, scale or raw")))
            }
        }
    }
}

fn number(what: &str, at: At<&[u8]>) -> Result<f64, Error> {
    finite_number(at.value).ok_or_else(|| {
        at.fault(format!("{what} is `{}`, but must be a finite number", shown(at.value)))
    })
}

/// Reads a list in brackets, which may continue on the following lines.
fn read_list<'a>(open: At<&'a [u8]>, lines: &mut Lines<'a>) -> Result<Vec<At<&'a [u8]>>, Error> {
    let mut items = Vec::new();
    let mut at = open.line;
    let mut column = open.column + 1;
    let mut text = &open.value[1..];
    loop {
        let end = text.iter().position(|&byte| byte == b']');
        let inside = Line { number: at, bytes: &text[..end.unwrap_or(text.len())] };
        for (offset, item) in inside.pieces(|byte| byte == b',') {
            // There is nothing between the last comma and the end of the line or of the list.
            if !item.is_empty() {
                items.push(At { line: at, column: column + offset - 1, value: item });
            }
        }
        if let Some(end) = end {
            let rest = text[end + 1..].trim_ascii();
            if rest.is_empty() {
                return Ok(items);
            }
            let blank = text.len() - end - 1 - text[end + 1..].trim_ascii_start().len();
            let place = At { line: at, column: column + end + 1 + blank, value: rest };
            return Err(place.fault(format!("`{}` follows the list: remove it", shown(rest))));
        }
        let Some(line) = lines.next_filled() else {
            return Err(open.fault("this list is never closed: its `]` is missing".into()));
        };
        (at, column, text) = (line.number, 1, without_comment(line.bytes));
    }
}

/// The line up to a `#` that starts it or follows a space, and is not in quotes.
fn without_comment(line: &[u8]) -> &[u8] {
    let mut quote = None;
    let mut before = b' ';
    for (i, &byte) in line.iter().enumerate() {
        match (quote, byte) {
            (None, b'#') if before.is_ascii_whitespace() => return &line[..i],
            // An apostrophe within a word is not a quote.
            (None, b'"' | b'\'') if !before.is_ascii_alphanumeric() => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        before = byte;
    }
    line
}

/// Where the key of a line ends: at the first colon that a space or the end of the line follows.
fn key_end(text: &[u8]) -> Option<usize> {
    (0..text.len())
        .find(|&i| text[i] == b':' && text.get(i + 1).is_none_or(|next| next.is_ascii_whitespace()))
}

/// The text without the quotes around it.
fn unquoted(text: &[u8]) -> &[u8] {
    match text {
        [b'"', inside @ .., b'"'] | [b'\'', inside @ .., b'\''] => inside,
        _ => text,
    }
}

#[cfg(test)]
mod tests;
