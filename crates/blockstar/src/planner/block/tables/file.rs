//! The database as a file: tables that were made before.

use super::collected::{Collected, MOST_BYTES};
use super::complete::Complete;
use super::symmetry::{LARGEST, Symmetry};
use super::{Content, Layout, MAX_SIDE, MIN_SIDE, Measure, Pricing, Table, Workshop};
use crate::db::{self, Kind, Label, Whole};
use crate::engine::parallel;
use crate::{Algorithm, Diagonal, Error, Grid, Moves, Planner, Rule};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// A local distance database: exact distances between the boundary points of square blocks of cells,
/// for given contents of the block. It is what `block-astar` searches with.
///
/// A *complete* one holds every content of a block of 2 x 2, 3 x 3 or 4 x 4 cells, for any map without
/// terrain costs; a *collected* one the contents that occur on some maps, with terrain or without, in
/// blocks of up to 16 x 16 cells. A planner that has one takes its tables from there instead of making
/// them, also after edits, and makes those that are not there; its answers are the same to the last
/// bit.
///
/// It is opened from bytes wherever they are: a file that was read, a memory map, or
/// `include_bytes!`. Copies share them.
///
/// ```
/// use blockstar::{Cell, Grid, Lddb, Moves, Planner, Query, Scratch, Status};
/// let lddb = Lddb::complete(Moves::ANY_ANGLE, 3, &|done, of| eprintln!("{done} of {of}"))?;
/// assert_eq!((lddb.len(), lddb.distinct()), (512, 102));
/// let bytes = lddb.save();
///
/// let opened = Lddb::open(bytes)?;
/// assert_eq!(opened.verify()?, 512);
/// let grid = Grid::from_ascii(
///     "......
///      .####.
///      ......",
/// )?;
/// let planner = opened.planner(&grid)?;
/// let mut scratch = Scratch::new();
/// let query = Query::new(Cell::new(0, 1), Cell::new(5, 1));
/// assert_eq!(planner.find(&grid, &query, &mut scratch)?, Status::Found);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone)]
pub struct Lddb {
    inner: Arc<Inner>,
}

struct Inner {
    moves: Moves,
    block: u32,
    tables: Tables,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
}

enum Tables {
    Complete(Complete),
    Collected(Collected),
}

/// What the parameters of a file say.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Parameters {
    moves: Moves,
    block: u32,
    complete: bool,
}

impl Parameters {
    fn to_number(self) -> u64 {
        let Self { moves, block, complete } = self;
        moves.rule() as u64
            | (moves.diagonal() as u64) << 8
            | u64::from(block) << 16
            | u64::from(complete) << 24
    }

    fn from_number(number: u64) -> Option<Self> {
        let rule = Rule::ALL.into_iter().find(|&rule| rule as u64 == number & 0xff)?;
        let diagonals = [Diagonal::Sqrt2, Diagonal::OnePointFour];
        let diagonal = diagonals.into_iter().find(|&d| d as u64 == number >> 8 & 0xff)?;
        let block = (number >> 16 & 0xff) as u32;
        let complete = number >> 24 & 1 != 0;
        let parameters = Self { moves: Moves::new(rule).with_diagonal(diagonal), block, complete };
        let sides = MIN_SIDE..=if complete { LARGEST } else { MAX_SIDE };
        (sides.contains(&block) && parameters.to_number() == number).then_some(parameters)
    }
}

/// Runs a generic expression with the measure that files of a rule are made with.
macro_rules! with_measure {
    ($moves:expr, $block:expr, |$layout:ident, $pricing:ident| $body:expr) => {
        if $moves.rule().is_any_angle() {
            let ($layout, $pricing) =
                (&Layout::new($block, false), &Pricing::<f64>::new($moves, $block, None));
            $body
        } else {
            let ($layout, $pricing) =
                (&Layout::new($block, true), &Pricing::<u64>::new($moves, $block, None));
            $body
        }
    };
}

/// Who refuses slopes: hardly two blocks have equal heights, so nothing would be gained by a file.
const NO_SLOPES: &str = "a local distance database";

impl Lddb {
    /// Makes the tables of all contents of a block of `block` x `block` cells, 2 to 4, on all cores.
    /// `progress` is called on this thread with how many tables are done, and of how many.
    pub fn complete(
        moves: Moves,
        block: u32,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        if moves.slope().is_some() {
            return Err(Error::no_slopes(NO_SLOPES, moves));
        }
        if !(MIN_SIDE..=LARGEST).contains(&block) {
            return Err(Error::Range {
                what: "the block of a complete database",
                value: block.into(),
                range: "2 to 4, for larger ones have too many contents: collect those of your maps",
            });
        }
        let payload = with_measure!(moves, block, |layout, pricing| {
            Complete::build(layout, pricing, progress)
        });
        Self::seal(Parameters { moves, block, complete: true }, &payload)
    }

    /// Makes the tables of the contents that occur on some maps cut into blocks of `block` x `block`
    /// cells, 2 to 16, on all cores: those that `block-astar` makes there. The database is of use on
    /// other maps, too.
    pub fn collect<'a>(
        maps: impl IntoIterator<Item = &'a Grid>,
        moves: Moves,
        block: u32,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        if !(MIN_SIDE..=MAX_SIDE).contains(&block) {
            let (what, range) = ("the block of a database", "2 to 16");
            return Err(Error::Range { what, value: block.into(), range });
        }
        let mut known = HashSet::<(bool, Box<[u16]>)>::new();
        let mut contents = Vec::new();
        let mut content = Content::default();
        for grid in maps {
            for top in (0..grid.height()).step_by(block as usize) {
                for left in (0..grid.width()).step_by(block as usize) {
                    content.read(grid, block, left, top);
                    let key = (content.is_weighted(), content.key().into());
                    if !content.is_blocked() && known.insert(key) {
                        contents.push(content.clone());
                    }
                }
            }
        }
        Self::of(contents, moves, block, progress)
    }

    /// Makes the tables of different contents of blocks of `block` x `block` cells.
    pub(crate) fn of(
        contents: Vec<Content>,
        moves: Moves,
        block: u32,
        progress: &dyn Fn(usize, usize),
    ) -> Result<Self, Error> {
        if moves.slope().is_some() {
            return Err(Error::no_slopes(NO_SLOPES, moves));
        }
        let count = contents.len();
        let payload = with_measure!(moves, block, |layout, pricing| {
            Collected::build(layout, pricing, contents, progress)
        });
        let payload = payload.ok_or_else(|| {
            Kind::Lddb.refuse(format!(
                "the tables of {count} contents would take more than {} MiB: take fewer maps or \
                 smaller blocks",
                MOST_BYTES >> 20
            ))
        })?;
        Self::seal(Parameters { moves, block, complete: false }, &payload)
    }

    fn seal(parameters: Parameters, payload: &[u8]) -> Result<Self, Error> {
        let parameters = parameters.to_number();
        Self::open(db::seal(Label { kind: Kind::Lddb, parameters, grid: 0 }, payload))
    }

    /// A database that was [saved](Lddb::save). Everything else is refused with a sentence: other
    /// files, damaged and truncated ones, those of another version.
    ///
    /// The bytes stay where they are. They must not change: a memory map needs a file that nobody
    /// writes to.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Error> {
        let Whole { parameters, grid, payload, .. } = Whole::of(bytes.as_ref(), Kind::Lddb)?;
        let parameters = Parameters::from_number(parameters).filter(|_| grid == 0);
        let Some(Parameters { moves, block, complete }) = parameters else {
            return Err(Kind::Lddb.refuse("it was made for something unknown: make it anew"));
        };
        let tables = with_measure!(moves, block, |layout, pricing| if complete {
            Complete::read(layout, pricing, payload).map(Tables::Complete)
        } else {
            Collected::read(layout, pricing, payload).map(Tables::Collected)
        });
        let tables =
            tables.map_err(|problem| Kind::Lddb.refuse(format!("{problem}: make it anew")))?;
        let inner = Inner { moves, block, tables, bytes: Box::new(bytes) };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The database as bytes for [`Lddb::open`].
    pub fn save(&self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }

    /// The same without a copy.
    pub fn as_bytes(&self) -> &[u8] {
        (*self.inner.bytes).as_ref()
    }

    /// The movement rule that the tables are for.
    pub fn moves(&self) -> Moves {
        self.inner.moves
    }

    /// What the distances are between: `tile` for cells and four steps, `octile` for cells and eight
    /// steps, `any-angle` for the corners of cells.
    pub fn kind(&self) -> &'static str {
        match self.moves().rule() {
            Rule::Four => "tile",
            Rule::Eight | Rule::EightCutOne | Rule::EightCutAny => "octile",
            Rule::AnyAngle | Rule::AnyAngleSqueeze => "any-angle",
        }
    }

    /// The cells along the side of a block.
    pub fn block(&self) -> u32 {
        self.inner.block
    }

    /// Whether it has every content without terrain.
    pub fn is_complete(&self) -> bool {
        matches!(self.inner.tables, Tables::Complete(_))
    }

    /// For how many contents it has the table.
    pub fn len(&self) -> usize {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.patterns(),
            Tables::Collected(tables) => tables.len(),
        }
    }

    /// Whether it has no table at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of the contents are left if those that are turned or mirrored images of each other
    /// count once.
    pub fn distinct(&self) -> usize {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.distinct(),
            Tables::Collected(tables) => {
                let contents = tables.contents(self.payload(), self.block());
                contents.iter().map(representative).collect::<HashSet<_>>().len()
            }
        }
    }

    /// How many distances from one boundary point to another it answers.
    pub fn entries(&self) -> usize {
        let slots = Layout::new(self.block(), !self.moves().rule().is_any_angle()).slots();
        self.len() * slots * (slots - 1)
    }

    /// How many different distances it has, those from turns inside a block included; `None` if it has
    /// more than 65,536, or no table.
    pub fn costs(&self) -> Option<usize> {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.palette().distances(),
            Tables::Collected(tables) => tables.palette().distances(),
        }
    }

    /// Bytes of heap memory, besides the bytes it was opened from.
    pub fn memory_usage(&self) -> usize {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.bytes(),
            Tables::Collected(tables) => tables.bytes(),
        }
    }

    /// Makes every table anew, on all cores, and compares. Gives how many there are.
    pub fn verify(&self) -> Result<usize, Error> {
        let contents: Vec<Content> = match &self.inner.tables {
            Tables::Complete(tables) => {
                let patterns = 0..tables.patterns() as u32;
                patterns.map(|pattern| Content::from_pattern(self.block(), pattern)).collect()
            }
            Tables::Collected(tables) => tables.contents(self.payload(), self.block()),
        };
        let wrong = with_measure!(self.moves(), self.block(), |layout, pricing| {
            self.compare(layout, pricing, &contents)
        });
        match wrong {
            None => Ok(contents.len()),
            Some(index) => Err(Kind::Lddb.refuse(format!(
                "its table for the block {} is not what comes out when it is made: make it anew",
                drawing(&contents[index])
            ))),
        }
    }

    /// The first content whose table is not what is made for it.
    fn compare<D: Measure>(
        &self,
        layout: &Layout,
        pricing: &Pricing<D>,
        contents: &[Content],
    ) -> Option<usize> {
        type Memory<D> = (Workshop<D>, Table<D>, Table<D>);
        let equal = parallel::share(contents.len(), &|_, _| (), |memory: &mut Memory<D>, index| {
            let ((workshop, made, found), content) = (memory, &contents[index]);
            D::make(layout, pricing, content, workshop, made);
            self.fetch(layout, pricing, content, workshop, found) && made == found
        });
        equal.iter().position(|equal| !equal)
    }

    /// A `block-astar` planner for a map that takes its tables from here.
    ///
    /// With parameters, it is
    /// `Algorithm::named("block-astar:memory=64")?.with_lddb(&lddb)?.prepare(&grid, moves)`.
    pub fn planner(&self, grid: &Grid) -> Result<Box<dyn Planner>, Error> {
        Algorithm::named("block-astar")?.with_lddb(self)?.prepare(grid, self.moves())
    }

    /// Gets the table for the content of a block; false if it is not there.
    pub(super) fn fetch<D: Measure>(
        &self,
        layout: &Layout,
        pricing: &Pricing<D>,
        content: &Content,
        workshop: &mut Workshop<D>,
        table: &mut Table<D>,
    ) -> bool {
        let payload = self.payload();
        match &self.inner.tables {
            Tables::Complete(tables) => {
                tables.fetch(payload, layout, pricing, content, workshop, table)
            }
            Tables::Collected(tables) => {
                tables.fetch(payload, layout, pricing, content, workshop, table)
            }
        }
    }

    /// The movement rule in the parameters of a file.
    pub(crate) fn read_moves(parameters: u64) -> Result<Moves, Error> {
        let parameters = Parameters::from_number(parameters);
        let unknown = || Kind::Lddb.refuse("it was made for something unknown: make it anew");
        parameters.map(|parameters| parameters.moves).ok_or_else(unknown)
    }

    fn payload(&self) -> &[u8] {
        self.as_bytes().get(db::HEADER..).unwrap_or_default()
    }
}

impl fmt::Debug for Lddb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lddb")
            .field("moves", &self.moves())
            .field("block", &self.block())
            .field("complete", &self.is_complete())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// The least of a content and its images, cell by cell.
fn representative(content: &Content) -> (bool, Vec<u16>) {
    let side = content.side();
    let image = |symmetry: Symmetry| {
        let mut cells = vec![0; (side * side) as usize];
        for y in 0..side {
            for x in 0..side {
                let (to_x, to_y) = symmetry.apply((x, y), side - 1);
                let factor = if content.is_free(x, y) { content.factor(x, y) as u16 } else { 0 };
                cells[(to_y * side + to_x) as usize] = factor;
            }
        }
        cells
    };
    let least = Symmetry::ALL.map(image).into_iter().min().unwrap_or_default();
    (content.is_weighted(), least)
}

/// A content in one line: rows of `.` and `#`.
fn drawing(content: &Content) -> String {
    let side = content.side();
    let row = |y: u32| -> String {
        (0..side).map(|x| if content.is_free(x, y) { '.' } else { '#' }).collect()
    };
    (0..side).map(row).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a database has, for every pattern, exactly what is made for it.
    fn is_exact<D: Measure>(lddb: &Lddb) {
        let layout = Layout::new(lddb.block(), D::CELLS);
        let pricing = Pricing::<D>::new(lddb.moves(), lddb.block(), None);
        let (mut workshop, mut made, mut found) =
            (Workshop::default(), Table::default(), Table::default());
        for pattern in 0..1 << (lddb.block() * lddb.block()) {
            let content = Content::from_pattern(lddb.block(), pattern);
            D::make(&layout, &pricing, &content, &mut workshop, &mut made);
            assert!(lddb.fetch(&layout, &pricing, &content, &mut workshop, &mut found));
            assert!(made == found, "{:?}: {}", lddb, drawing(&content));
        }
    }

    #[test]
    fn a_complete_database_has_what_is_made_for_every_pattern_in_every_precision() {
        let short = Moves::EIGHT.with_diagonal(Diagonal::OnePointFour);
        for moves in Rule::ALL.map(Moves::new).into_iter().chain([short]) {
            for block in MIN_SIDE..=LARGEST {
                let lddb = Lddb::complete(moves, block, &|_, _| ()).unwrap();
                if moves.rule().is_any_angle() {
                    is_exact::<f32>(&lddb);
                    is_exact::<f64>(&lddb);
                } else {
                    is_exact::<u32>(&lddb);
                    is_exact::<u64>(&lddb);
                }
            }
        }
    }

    #[test]
    fn parameters_are_read_as_they_were_written() {
        for rule in Rule::ALL {
            for block in 0..20 {
                for complete in [false, true] {
                    let parameters = Parameters { moves: Moves::new(rule), block, complete };
                    let known = (2..=if complete { 4 } else { 16 }).contains(&block);
                    let read = Parameters::from_number(parameters.to_number());
                    assert_eq!(read, known.then_some(parameters));
                }
            }
        }
        assert_eq!(Parameters::from_number(u64::MAX), None);
    }
}
