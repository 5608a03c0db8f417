//! The maps and scenarios of the MovingAI benchmarks, the common format of published results.
//!
//! A map is a header (`type octile`, `height` and `width`, in any order), the line `map`, and one
//! line of letters per row. In plain maps `.`, `G` and `S` are free, `@`, `O`, `T` and `W` are
//! blocked ([`parse_map`]); in maps with terrain the letters mean what the caller says
//! ([`parse_map_with`]).
//!
//! A scenario file lists queries on one map with the lengths of their shortest paths by
//! [`Moves::EIGHT`](crate::Moves::EIGHT). The files in use differ in ways that matter:
//!
//! * The first line is `version 1`, `version 1.0` or missing; tabs or spaces separate the fields;
//!   blank lines may stand anywhere; lines are not always sorted by bucket.
//! * A length of 0 between two different cells stands for *no path*: ask [`Scenario::expected`].
//! * Lengths are rounded, to two decimals in the worst case: compare with [`Scenario::agrees`].
//! * The path of the map is that of the author's disk, sometimes even another set of maps: compare
//!   [`Scenario::base_name`] and the size ([`Scenario::check_fits`]).

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
            "{letters} is no cell of a plain map: `.`, `G`, `S` are free and `@`, `O`, `T`, `W` \
             blocked; a map of terrain letters needs a cost for each letter"
        )
    })?;
    Grid::from_fn(sheet.width, sheet.height, |cell| is_free(sheet.letter(cell)))
}

/// Reads a map whose letters stand for terrain. `factor` tells what a letter costs, within the
/// limits of [`Grid::set_cost`]: 0 is blocked, and `None` refuses the map.
///
/// It is called once for each letter that occurs. If no letter costs anything but 0 or 1, the map
/// gets no terrain layer.
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

/// Writes the passability of a map, with `.` for free and `@` for blocked cells. Terrain costs and
/// heights have no place in this format.
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

/// A map as it stands in the file: the size of its header, and as many rows of as many letters.
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
                    "the header tells of {width} x {height} = {cells} cells, but only {bytes} bytes \
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
                        "the map ends after {} rows, but its header tells of {height}",
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
                        "this row has {length} cells, but the header tells of a width of {width}"
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
                    "`{}` follows the last of the {height} rows that the header tells of",
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

    /// Refuses the map if it has letters that are not known, with a problem that names them all.
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

/// Reads up to and including the line `map`, and gives the width and the height.
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
                return fault(column, format!("`{key}` is no line of a header, which is {KEYS}"));
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
    /// The file of the map as the scenario names it, usually with a path of the author's disk.
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

    /// Whether a shortest path of this length is what the scenario lists, to within its rounding:
    /// 0.0101, or a hundred-thousandth of the listed length if that is more. For a query without a
    /// path give `f64::INFINITY`.
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
/// Whether the cells lie on the map is not looked at here but by [`Scenario::check_fits`].
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

/// Whether this is the version line; an error if it is that of an unknown version.
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
    // A name with spaces can only be told in a file that separates by tabs.
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

/// Writes a scenario file for a map: its name and the size of the grid stand in every line, whatever
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
    // A tab or a line end in the name would make another file of it.
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
mod tests {
    use super::*;
    use crate::{format::ascii, random::Random};

    const SMALL: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n.G@\nTS.\n";

    fn map_fault(text: impl AsRef<[u8]>) -> String {
        parse_map(text.as_ref()).unwrap_err().to_string()
    }

    fn scen_fault(text: &str) -> String {
        parse_scen(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn all_letters_of_a_plain_map_are_known() {
        let grid = parse_map(b"type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n").unwrap();
        assert_eq!(ascii::draw(&grid), "...####\n");
        assert!(!grid.has_costs());
    }

    #[test]
    fn a_map_reads_back() {
        let grid = parse_map(SMALL).unwrap();
        let again = parse_map(write_map(&grid).as_bytes()).unwrap();
        assert_eq!(ascii::draw(&again), "..#\n#..\n");
    }

    #[test]
    fn header_order_line_ends_marks_and_blank_lines_do_not_matter() {
        for text in [
            &b"width 3\nheight 2\ntype octile\nmap\n.G@\nTS."[..],
            b"height 2\nwidth 3\nmap\n.G@\nTS.\n",
            b"\xef\xbb\xbftype octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.G@\r\nTS.",
            b"\ntype\toctile\n\nheight  2 \nwidth 3\nmap \n.G@\nTS. \n\n\r\n  \n",
        ] {
            let grid = parse_map(text).unwrap();
            assert_eq!(ascii::draw(&grid), "..#\n#..\n", "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_bad_header_is_told_by_line_and_column() {
        for (text, want) in [
            ("", "line 1, column 1: the header has no `width`"),
            ("type octile\nmap\n.\n", "line 2, column 1: the header has no `width`"),
            ("width 1\nmap\n.\n", "line 2, column 1: the header has no `height`"),
            ("type hexagonal\n", "line 1, column 6: the type is `hexagonal`, but must be `octile`"),
            ("width 3\nwidth 3\n", "line 2, column 1: `width` was given before"),
            ("type octile\ntype octile\n", "line 2, column 1: `type` was given before"),
            ("width\n", "line 1, column 6: `width` has no value"),
            ("width 3 4\n", "line 1, column 9: `4` follows the value of `width`"),
            ("width 0\n", "line 1, column 7: the width is `0`, but must be 1 to 16384"),
            ("height 16385\n", "line 1, column 8: the height is `16385`, but must be 1 to 16384"),
            ("height -1\n", "the height is `-1`"),
            ("height 4294967297\n", "the height is `4294967297`"),
            ("height 99999999999999999999\n", "the height is `99999999999999999999`"),
            ("depth 3\n", "`depth` is no line of a header"),
            ("map of it\n", "`it` follows the value of `map`"),
            ("map it\n", "`map` is no line of a header"),
            ("\u{1b}[2J\n", "`\\x1b[2J` is no line"),
        ] {
            let got = map_fault(text);
            assert!(got.starts_with("MovingAI map, line") && got.contains(want), "{text}: {got}");
        }
    }

    #[test]
    fn a_header_is_compared_with_the_data_before_anything_is_allocated() {
        let got = map_fault("type octile\nheight 16384\nwidth 16384\nmap\n..........");
        assert!(
            got.contains("line 5, column 1")
                && got.contains("16384 x 16384 = 268435456 cells, but only 10 bytes follow"),
            "{got}"
        );
    }

    #[test]
    fn rows_must_be_as_the_header_tells() {
        let rows = |rows: &str| map_fault(format!("height 2\nwidth 3\nmap\n{rows}"));
        assert!(rows("....\n...\n").contains("line 4, column 4: this row has 4 cells"));
        assert!(rows("...\n..\n.\n").contains("line 5, column 3: this row has 2 cells"));
        assert!(rows("...\n\n...\n").contains("line 5, column 1: this row has 0 cells"));
        assert!(rows("...\n     \n").contains("line 5, column 1: this row has 0 cells"));
        assert!(rows("...       ").contains("line 5, column 1: the map ends after 1 rows"));
        assert!(rows("...\n...\n\n.@.\n").contains("line 7, column 1: `.@.` follows the last"));
    }

    #[test]
    fn unknown_letters_are_all_named() {
        let got = map_fault("height 2\nwidth 3\nmap\n..C\nA\u{7}.\n");
        assert!(got.contains("line 5, column 2: each of the letters `\\x07`, `A`, `C`"), "{got}");
        let got = map_fault(b"height 1\nwidth 3\nmap\n..\xff\n");
        assert!(got.contains("line 4, column 3: the letter `\\xff` is no cell"), "{got}");
    }

    #[test]
    fn terrain_letters_cost_what_the_caller_says() {
        let text = b"type octile\r\nheight 2\r\nwidth 2\r\nmap\r\nHF\r\nCW\r\n";
        let price = |letter| match letter {
            b'H' => Some(1.0),
            b'F' => Some(1.5),
            b'C' => Some(4.0),
            b'W' => Some(0.0),
            _ => None,
        };
        let grid = parse_map_with(text, price).unwrap();
        let costs = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|cell| grid.cost(cell.into()));
        assert_eq!(costs, [1.0, 1.5, 4.0, 0.0]);
        assert_eq!(grid.free_cells(), 3);

        let got = parse_map_with(text, |letter| price(letter).filter(|&f| f != 1.5)).unwrap_err();
        let got = got.to_string();
        assert!(got.contains("line 5, column 2: the letter `F` has no cost"), "{got}");

        for bad in [-1.0, 300.0, f64::NAN, f64::INFINITY] {
            let got = parse_map_with(text, |_| Some(bad)).unwrap_err().to_string();
            assert!(got.contains("the cost of `C`") && got.contains("255.99"), "{got}");
        }
        assert!(!parse_map_with(text, |_| Some(1.0)).unwrap().has_costs());
    }

    #[test]
    fn the_version_line_may_be_missing_or_have_decimals() {
        for head in
            ["", "version 1\n", "version 1.0\n", "\u{feff}version 1\r\n", "\n\nversion\t1\n"]
        {
            let text = format!("{head}3 a.map 5 6 1 2 3 4 12.5\n");
            let scenarios = parse_scen(text.as_bytes()).unwrap();
            let want = Scenario {
                map: "a.map".into(),
                width: 5,
                height: 6,
                start: Cell::new(1, 2),
                goal: Cell::new(3, 4),
                optimal: 12.5,
                bucket: 3,
            };
            assert_eq!(scenarios, [want], "{head:?}");
        }
        assert!(scen_fault("version 2\n").contains("line 1, column 9: `version 2` is not known"));
        assert!(scen_fault("version\n").contains("`version` is not known"));
        assert!(scen_fault("version 1\nversion 1\n").contains("line 2, column 1: this line has 2"));
        assert_eq!(parse_scen(b"").unwrap(), []);
        assert_eq!(parse_scen(b"version 1\n\n").unwrap(), []);
    }

    #[test]
    fn tabs_spaces_blank_lines_and_odd_names_are_read() {
        let text = "version 1\n\
            9\tmaps/dao/x.map\t49\t49\t1\t2\t3\t4\t7\r\n\r\n\
            61 maps/bgmaps/a.map 512 512 10 300 210 200 241.42\n   \n\
            1\tC:\\maps\\Two Words.map\t512\t512\t1\t2\t3\t4\t5.41421\n\
            2\t a.map  9 9\t0 0 1 1 1.41421\n";
        let scenarios = parse_scen(text.as_bytes()).unwrap();
        let names: Vec<_> = scenarios.iter().map(Scenario::base_name).collect();
        assert_eq!(names, ["x.map", "a.map", "Two Words.map", "a.map"]);
        assert_eq!(scenarios[0].bucket, 9, "not sorted by bucket");
        assert_eq!(parse_scen(b"0 \xff.map 9 9 0 0 1 1 2").unwrap()[0].map, "\u{fffd}.map");
    }

    #[test]
    fn a_length_of_zero_means_two_things() {
        let expected = |line: &str| parse_scen(line.as_bytes()).unwrap()[0].expected();
        assert_eq!(expected("0 a.map 9 9 1 2 1 2 0.00000000"), Expected::Length(0.0));
        assert_eq!(expected("0 a.map 9 9 1 2 1 3 0"), Expected::NoPath);
        assert_eq!(expected("0 a.map 9 9 1 2 1 3 1"), Expected::Length(1.0));
    }

    #[test]
    fn lengths_agree_to_within_their_rounding() {
        let scenario = |length: &str| {
            parse_scen(format!("0 a.map 9 9 0 0 1 1 {length}").as_bytes()).unwrap().remove(0)
        };
        assert!(scenario("132.40").agrees(132.41));
        assert!(!scenario("132.40").agrees(132.42));
        assert!(scenario("5000").agrees(5000.049) && !scenario("5000").agrees(5000.051));
        assert!(!scenario("5000").agrees(f64::NAN) && !scenario("5000").agrees(f64::INFINITY));
        let none = scenario("0");
        assert!(none.agrees(f64::INFINITY) && !none.agrees(0.0) && !none.agrees(f64::NAN));
    }

    #[test]
    fn a_bad_query_is_told_by_line_and_column() {
        for (text, want) in [
            ("0 a.map 9 9 0 0 1 1\n", "line 1, column 1: this line has 8 fields instead of 9"),
            ("0 a.map 9 9 0 0 1 1 2 3\n", "this line has 10 fields instead of 9"),
            ("0\t\t9\t9\t0\t0\t1\t1\t2\n", "this line has 8 fields instead of 9"),
            ("x a.map 9 9 0 0 1 1 2\n", "line 1, column 1: the bucket is `x`"),
            ("0 a.map 0 9 0 0 1 1 2\n", "column 9: the width is `0`, but must be 1 to 16384"),
            ("0 a.map 9 16385 0 0 1 1 2\n", "column 11: the height is `16385`"),
            ("0 a.map 9 9 -1 0 1 1 2\n", "column 13: the start x is `-1`, but must be 0 to 16383"),
            ("0 a.map 9 9 0 16384 1 1 2\n", "the start y is `16384`"),
            ("0 a.map 9 9 0 0 4294967296 1 2\n", "the goal x is `4294967296`"),
            ("0 a.map 9 9 0 0 0 1.5 2\n", "the goal y is `1.5`"),
            ("0 a.map 9 9 0 0 1 1 nan\n", "column 21: the length is `nan`"),
            ("0 a.map 9 9 0 0 1 1 -2\n", "the length is `-2`, but must be a number of at least 0"),
            ("0 a.map 9 9 0 0 1 1 1e999\n", "the length is `1e999`"),
        ] {
            let got = scen_fault(text);
            assert!(got.starts_with("MovingAI scenario, line") && got.contains(want), "{got}");
        }
    }

    #[test]
    fn a_scenario_fits_a_map_of_its_size_that_has_its_cells() {
        let mut scenario = parse_scen(b"0 maps/a.map 5 4 0 0 4 3 2").unwrap().remove(0);
        let grid = Grid::new(5, 4).unwrap();
        scenario.check_fits(&grid).unwrap();
        let got = scenario.check_fits(&Grid::new(4, 5).unwrap()).unwrap_err().to_string();
        assert!(got.contains("for a.map with 5 x 4 cells, but this map has 4 x 5"), "{got}");
        scenario.goal.x = 5;
        let got = scenario.check_fits(&grid).unwrap_err().to_string();
        assert!(got.contains("goal (5, 3) lies outside"), "{got}");
    }

    #[test]
    fn scenarios_read_back() {
        let text = "version 1\n0\tmy map.map\t5\t4\t0\t0\t1\t1\t1.41421356\n\
                    1\tmy map.map\t5\t4\t0\t0\t4\t3\t0\n";
        let scenarios = parse_scen(text.as_bytes()).unwrap();
        let grid = Grid::new(5, 4).unwrap();
        assert_eq!(write_scen("my map.map", &grid, &scenarios), text);
        let mut odd = scenarios.clone();
        odd[0].optimal = f64::INFINITY;
        odd[1].optimal = -0.0;
        let again = parse_scen(write_scen("a\tb\nc", &grid, &odd).as_bytes()).unwrap();
        assert_eq!((again[0].map.as_str(), again[0].expected()), ("a_b_c", Expected::NoPath));
        let again = parse_scen(write_scen(" ", &grid, &scenarios).as_bytes()).unwrap();
        assert_eq!(again[1].map, "unnamed.map");
    }

    #[test]
    fn damaged_files_never_panic() {
        let scen = b"version 1\n0\ta.map\t5\t4\t0\t0\t1\t1\t1.41421356\n1 a.map 5 4 0 0 4 3 0\n";
        let mut random = Random::new(7);
        for _ in 0..4000 {
            let map = random.damage(SMALL);
            let _ = parse_map(&map).map(|grid| grid.free_cells());
            let _ = parse_map_with(&map, |letter| Some(f64::from(letter)));
            for scenario in parse_scen(&random.damage(scen)).unwrap_or_default() {
                let _ = (scenario.expected(), scenario.agrees(1.0), scenario.base_name());
                let _ = (scenario.start.centre(), scenario.goal.centre());
            }
        }
    }
}
