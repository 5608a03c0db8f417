//! The maps and scenarios of the MovingAI benchmarks, the common format of published results.
//!
//! A map is a header (`type octile`, `height` and `width`, in any order), the line `map`, and one
//! line of letters per row. In plain maps `.`, `G` and `S` are free, `@`, `O`, `T` and `W` are
//! blocked ([`parse_map`]); in maps with terrain the caller says what the letters mean
//! ([`parse_map_with`]).
//!
//! A scenario file lists queries on one map with the lengths of their shortest paths by
//! [`Moves::EIGHT`](crate::Moves::EIGHT). The files in use differ in ways that matter:
//!
//! * The first line is `version 1`, `version 1.0` or missing; tabs or spaces separate the fields;
//!   blank lines may be anywhere; lines are not always sorted by bucket.
//! * A length of 0 between two different cells stands for *no path*: ask [`Scenario::expected`].
//! * Lengths are rounded, to two decimals in the worst case: compare with [`Scenario::agrees`].
//! * The path of the map is one on the author's disk, sometimes even that of another set of maps:
//!   compare [`Scenario::base_name`] and the size ([`Scenario::check_fits`]).

use super::lines::{Line, Lines, finite_number, shown, whole_number};
use crate::{Cell, Error, Grid, grid::fixed_factor};
use std::fmt::Write;

const MAP: &str = "MovingAI map";
const SCEN: &str = "MovingAI scenario";

/// Reads a map in which `.`, `G` and `S` are free and `@`, `O`, `T` and `W` are blocked.
///
/// ```
/// use blockstar::format::movingai;
/// let grid = movingai::parse_map(b"type octile\nheight 2\nwidth 3\nmap\n.G@\nTS.\n")?;
/// assert_eq!((grid.width(), grid.height(), grid.free_cells()), (3, 2, 4));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn parse_map(text: &[u8]) -> Result<Grid, Error> {
    let sheet = Sheet::read(text)?;
    let is_free = |letter| matches!(letter, b'.' | b'G' | b'S');
    let known = |letter| is_free(letter) || matches!(letter, b'@' | b'O' | b'T' | b'W');
    sheet.check_letters(known, |letters| {
        format!(
            "{letters} is not a cell of a plain map: `.`, `G`, `S` are free and `@`, `O`, `T`, `W` \
             blocked; a map of terrain letters needs a cost for each letter"
        )
    })?;
    Grid::from_fn(sheet.width, sheet.height, |cell| is_free(sheet.letter(cell)))
}

/// Reads a map whose letters stand for terrain. `factor` gives the cost of a letter, within the
/// limits of [`Grid::set_cost`]: 0 is blocked, and `None` refuses the map.
///
/// It is called once for each letter that occurs. If all costs are 0 or 1, the map gets no terrain
/// layer.
///
/// ```
/// use blockstar::{Cell, format::movingai};
/// let grid = movingai::parse_map_with(b"type octile\nheight 1\nwidth 3\nmap\nHFW\n", |letter| {
///     match letter {
///         b'H' => Some(1.0),
///         b'F' => Some(1.5),
///         b'W' => Some(0.0),
///         _ => None,
///     }
/// })?;
/// assert_eq!(grid.cost(Cell::new(1, 0)), 1.5);
/// assert!(!grid.is_free(Cell::new(2, 0)));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn parse_map_with(text: &[u8], factor: impl Fn(u8) -> Option<f64>) -> Result<Grid, Error> {
    let sheet = Sheet::read(text)?;
    let mut fixed = [0; 256];
    let mut unpriced = [false; 256];
    for letter in (0..=u8::MAX).filter(|&letter| sheet.seen[usize::from(letter)]) {
        match factor(letter) {
            None => unpriced[usize::from(letter)] = true,
            Some(0.0) => {}
            Some(factor) => {
                fixed[usize::from(letter)] = fixed_factor(factor).map_err(|error| {
                    sheet
                        .fault_at(letter, format!("the cost of `{}`: {error}", letter_name(letter)))
                })?;
            }
        }
    }
    sheet.check_letters(
        |letter| !unpriced[usize::from(letter)],
        |letters| format!("{letters} has no cost: give every letter of the map a factor, or 0"),
    )?;
    let value = |letter: u8| fixed[usize::from(letter)];
    if fixed.iter().all(|&value| value == 0 || value == Grid::FACTOR_ONE) {
        return Grid::from_fn(sheet.width, sheet.height, |cell| value(sheet.letter(cell)) != 0);
    }
    let mut grid = Grid::new(sheet.width, sheet.height)?;
    let width = sheet.width as usize;
    grid.replace_factors(|index| value(sheet.rows[index / width].bytes[index % width]));
    Ok(grid)
}

/// Writes the passability of a map, with `.` for free and `@` for blocked cells. The format cannot
/// hold terrain costs or heights.
///
/// ```
/// use blockstar::{Grid, format::movingai};
/// let text = movingai::write_map(&Grid::from_ascii("..#\n...")?);
/// assert_eq!(text, "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn write_map(grid: &Grid) -> String {
    let (width, height) = (grid.width(), grid.height());
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    text.reserve((width as usize + 1) * height as usize);
    for y in 0..height {
        text.extend((0..width).map(|x| if grid.is_free(Cell::new(x, y)) { '.' } else { '@' }));
        text.push('\n');
    }
    text
}

/// A map as it is in the file: the size in its header, and that many rows of letters.
struct Sheet<'a> {
    width: u32,
    height: u32,
    rows: Vec<Line<'a>>,
    seen: [bool; 256],
}

impl<'a> Sheet<'a> {
    fn read(text: &'a [u8]) -> Result<Self, Error> {
        let mut lines = Lines::new(text);
        let (width, height) = read_header(&mut lines)?;
        let (cells, bytes) = (u64::from(width) * u64::from(height), lines.rest().len());
        if cells > bytes as u64 {
            return Err(Error::Format {
                format: MAP,
                line: lines.last_number() + 1,
                column: 1,
                problem: format!(
                    "the header says {width} x {height} = {cells} cells, but only {bytes} bytes \
                     follow: is the file cut off?"
                ),
            });
        }
        // Grows with the lines that are really there.
        let mut rows = Vec::new();
        let mut seen = [false; 256];
        while rows.len() < height as usize {
            let Some(line) = lines.next() else {
                return Err(Error::Format {
                    format: MAP,
                    line: lines.last_number() + 1,
                    column: 1,
                    problem: format!(
                        "the map ends after {} rows, but its header says {height}",
                        rows.len()
                    ),
                });
            };
            let length = line.bytes.len();
            if length != width as usize {
                return Err(Error::Format {
                    format: MAP,
                    line: line.number,
                    column: length.min(width as usize) + 1,
                    problem: format!(
                        "this row has {length} cells, but the header says a width of {width}"
                    ),
                });
            }
            for &letter in line.bytes {
                seen[usize::from(letter)] = true;
            }
            rows.push(line);
        }
        if let Some(line) = lines.next_filled() {
            return Err(Error::Format {
                format: MAP,
                line: line.number,
                column: 1,
                problem: format!(
                    "`{}` follows the last of the {height} rows in the header",
                    shown(line.bytes)
                ),
            });
        }
        Ok(Self { width, height, rows, seen })
    }

    fn letter(&self, cell: Cell) -> u8 {
        self.rows[cell.y as usize].bytes[cell.x as usize]
    }

    /// An error that points at the first cell with this letter.
    fn fault_at(&self, letter: u8, problem: String) -> Error {
        let place = self.rows.iter().find_map(|row| {
            let column = row.bytes.iter().position(|&byte| byte == letter)?;
            Some((row.number, column + 1))
        });
        let (line, column) = place.unwrap_or((1, 1));
        Error::Format { format: MAP, line, column, problem }
    }

    /// Refuses the map if it has unknown letters, with an error that names them all.
    fn check_letters(
        &self,
        known: impl Fn(u8) -> bool,
        problem: impl Fn(&str) -> String,
    ) -> Result<(), Error> {
        let strange: Vec<u8> = (0..=u8::MAX)
            .filter(|&letter| self.seen[usize::from(letter)] && !known(letter))
            .collect();
        let Some(&first) = strange.first() else { return Ok(()) };
        let names: Vec<_> = strange.iter().map(|&letter| letter_name(letter)).collect();
        let listed = if let [only] = &names[..] {
            format!("the letter `{only}`")
        } else {
            format!("each of the letters `{}`", names.join("`, `"))
        };
        Err(self.fault_at(first, problem(&listed)))
    }
}

fn letter_name(letter: u8) -> String {
    letter.escape_ascii().to_string()
}

/// Reads up to and including the line `map`, and returns the width and the height.
fn read_header(lines: &mut Lines<'_>) -> Result<(u32, u32), Error> {
    const KEYS: &str = "`type octile`, `height N`, `width N` and `map`";
    let (mut kind, mut width, mut height) = (false, None, None);
    while let Some(line) = lines.next_filled() {
        let fault = |column, problem| {
            Err(Error::Format { format: MAP, line: line.number, column, problem })
        };
        let mut words = line.words();
        let (column, key) = words.next().unwrap_or((1, b""));
        let value = words.next();
        if let Some((column, word)) = words.next() {
            let (key, word) = (shown(key), shown(word));
            return fault(column, format!("`{word}` follows the value of `{key}`: remove it"));
        }
        let repeated = match key {
            b"type" => kind,
            b"width" => width.is_some(),
            b"height" => height.is_some(),
            b"map" if value.is_none() => break,
            _ => {
                let key = shown(key);
                return fault(
                    column,
                    format!("`{key}` is not a line of a header, which is {KEYS}"),
                );
            }
        };
        let key = shown(key);
        if repeated {
            return fault(column, format!("`{key}` was given before: remove one of the two"));
        }
        let Some((at, value)) = value else {
            return fault(line.bytes.len() + 1, format!("`{key}` has no value"));
        };
        if key == "type" {
            if value != b"octile" {
                let value = shown(value);
                return fault(at, format!("the type is `{value}`, but must be `octile`"));
            }
            kind = true;
            continue;
        }
        let side = whole_number(value).and_then(|n| u32::try_from(n).ok());
        let Some(side) = side.filter(|side| (1..=Grid::MAX_SIDE).contains(side)) else {
            let (value, max) = (shown(value), Grid::MAX_SIDE);
            return fault(at, format!("the {key} is `{value}`, but must be 1 to {max}"));
        };
        *(if key == "width" { &mut width } else { &mut height }) = Some(side);
    }
    // The type may be missing: nothing depends on it.
    let (Some(width), Some(height)) = (width, height) else {
        let missing = if width.is_none() { "width" } else { "height" };
        return Err(Error::Format {
            format: MAP,
            line: lines.last_number(),
            column: 1,
            problem: format!("the header has no `{missing}`; a header is {KEYS}"),
        });
    };
    Ok((width, height))
}

/// One query of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The file of the map as named in the scenario, usually with a path on the author's disk.
    pub map: String,
    /// The width of the map.
    pub width: u32,
    /// The height of the map.
    pub height: u32,
    /// Where the path starts.
    pub start: Cell,
    /// Where the path ends.
    pub goal: Cell,
    /// The length as listed; see [`Scenario::expected`] for what it means.
    pub optimal: f64,
    /// The group of queries with about the same length: a quarter of the length, rounded down.
    pub bucket: u32,
}

/// What a [`Scenario`] says the answer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A shortest path of this length, as rounded in the file.
    Length(f64),
    /// No path at all.
    NoPath,
}

impl Scenario {
    /// The listed answer: a length of 0 between two different cells means that there is no path.
    pub fn expected(&self) -> Expected {
        if self.optimal > 0.0 && self.optimal.is_finite() {
            Expected::Length(self.optimal)
        } else if self.start == self.goal {
            Expected::Length(0.0)
        } else {
            Expected::NoPath
        }
    }

    /// Whether this is the length that the scenario lists, to within its rounding: 0.0101, or a
    /// hundred-thousandth of the listed length if that is more. For a query without a path give
    /// `f64::INFINITY`.
    ///
    /// ```
    /// use blockstar::format::movingai::parse_scen;
    /// let text = b"version 1.0\n61 maps/bgmaps/a.map 512 512 10 300 210 200 241.42";
    /// let scenario = &parse_scen(text)?[0];
    /// assert!(scenario.agrees(241.421_356));
    /// assert!(!scenario.agrees(241.5));
    /// assert!(!scenario.agrees(f64::INFINITY));
    /// # Ok::<(), blockstar::Error>(())
    /// ```
    pub fn agrees(&self, length: f64) -> bool {
        match self.expected() {
            Expected::Length(listed) => (length - listed).abs() <= f64::max(0.0101, 1e-5 * listed),
            Expected::NoPath => length == f64::INFINITY,
        }
    }

    /// The name of the map without folders.
    pub fn base_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }

    /// The error if the scenario is not for a map of this size, or its cells are not on the map.
    pub fn check_fits(&self, grid: &Grid) -> Result<(), Error> {
        if (self.width, self.height) != (grid.width(), grid.height()) {
            return Err(Error::Misfit {
                map: shown(self.base_name().as_bytes()).into_owned(),
                want_width: self.width,
                want_height: self.height,
                width: grid.width(),
                height: grid.height(),
            });
        }
        grid.check_cell("start", self.start)?;
        grid.check_cell("goal", self.goal)
    }
}

/// The columns of a scenario file, for errors.
const FIELDS: [&str; 9] =
    ["bucket", "map", "width", "height", "start x", "start y", "goal x", "goal y", "length"];

/// Reads a scenario file; a file without queries gives an empty list.
///
/// It does not check whether the cells lie on the map; [`Scenario::check_fits`] does.
///
/// ```
/// use blockstar::{Cell, format::movingai::{Expected, parse_scen}};
/// let text = b"version 1\n0\tmaps/dao/a.map\t49\t49\t1\t11\t1\t12\t1\n\n\
///              0\tmaps/dao/a.map\t49\t49\t1\t11\t30\t20\t0\n";
/// let scenarios = parse_scen(text)?;
/// assert_eq!(scenarios[0].base_name(), "a.map");
/// assert_eq!(scenarios[0].start, Cell::new(1, 11));
/// assert_eq!(scenarios[1].expected(), Expected::NoPath);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn parse_scen(text: &[u8]) -> Result<Vec<Scenario>, Error> {
    let mut lines = Lines::new(text);
    let mut scenarios = Vec::new();
    let mut first = true;
    while let Some(line) = lines.next_filled() {
        if !(std::mem::take(&mut first) && is_version(line)?) {
            scenarios.push(parse_query(line)?);
        }
    }
    Ok(scenarios)
}

/// Whether this is the version line; an error if the version is unknown.
fn is_version(line: Line<'_>) -> Result<bool, Error> {
    let mut words = line.words();
    if words.next().is_none_or(|(_, word)| word != b"version") {
        return Ok(false);
    }
    let (column, version) = words.next().unwrap_or((line.bytes.len() + 1, b""));
    if matches!(version, b"1" | b"1.0") && words.next().is_none() {
        return Ok(true);
    }
    let all = shown(line.bytes);
    let problem = format!("`{all}` is not known: only `version 1` and `version 1.0` can be read");
    Err(Error::Format { format: SCEN, line: line.number, column, problem })
}

fn parse_query(line: Line<'_>) -> Result<Scenario, Error> {
    let fault =
        |column, problem| Error::Format { format: SCEN, line: line.number, column, problem };
    // A name with spaces can only be recognised in a file separated by tabs.
    let mut fields: Vec<_> = line.pieces(|byte| byte == b'\t').take(10).collect();
    if fields.len() != 9 || fields.iter().any(|(_, field)| field.is_empty()) {
        fields = line.words().take(10).collect();
    }
    let Ok(fields) = <[_; 9]>::try_from(fields) else {
        let (got, all) = (line.words().count(), FIELDS.join(", "));
        return Err(fault(1, format!("this line has {got} fields instead of 9: {all}")));
    };
    let whole = |index: usize, least: u64, most: u64| {
        let (column, field) = fields[index];
        let number = whole_number(field).filter(|number| (least..=most).contains(number));
        number.map(|number| number as u32).ok_or_else(|| {
            let (name, field) = (FIELDS[index], shown(field));
            fault(column, format!("the {name} is `{field}`, but must be {least} to {most}"))
        })
    };
    let most = u64::from(Grid::MAX_SIDE);
    let (column, length) = fields[8];
    let optimal = finite_number(length).filter(|&length| length >= 0.0).ok_or_else(|| {
        let length = shown(length);
        fault(column, format!("the length is `{length}`, but must be a number of at least 0"))
    })?;
    Ok(Scenario {
        bucket: whole(0, 0, u32::MAX.into())?,
        map: String::from_utf8_lossy(fields[1].1).into_owned(),
        width: whole(2, 1, most)?,
        height: whole(3, 1, most)?,
        start: Cell::new(whole(4, 0, most - 1)?, whole(5, 0, most - 1)?),
        goal: Cell::new(whole(6, 0, most - 1)?, whole(7, 0, most - 1)?),
        optimal,
    })
}

/// Writes a scenario file for a map: its name and the size of the grid are in every line, whatever
/// map the scenarios were for before. A length that is not a number of at least 0 (such as
/// infinity, for no path) is written as 0.
///
/// ```
/// use blockstar::{Grid, format::movingai};
/// let scenarios = movingai::parse_scen(b"0 old.map 9 9 0 0 1 1 1.41421356")?;
/// let text = movingai::write_scen("new.map", &Grid::new(5, 4)?, &scenarios);
/// assert_eq!(text, "version 1\n0\tnew.map\t5\t4\t0\t0\t1\t1\t1.41421356\n");
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn write_scen(map_name: &str, grid: &Grid, scenarios: &[Scenario]) -> String {
    // A tab or a line end in the name would corrupt the file.
    let name = map_name.trim().replace(char::is_control, "_");
    let name = if name.is_empty() { "unnamed.map" } else { &name };
    let (width, height) = (grid.width(), grid.height());
    let mut text = String::from("version 1\n");
    for Scenario { start, goal, optimal, bucket, .. } in scenarios {
        let length = if optimal.is_finite() && *optimal > 0.0 { *optimal } else { 0.0 };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{bucket}\t{name}\t{width}\t{height}\t{}\t{}\t{}\t{}\t{length}",
            start.x, start.y, goal.x, goal.y
        );
    }
    text
}

#[cfg(test)]
mod tests;
