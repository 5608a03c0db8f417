//! The database as a file: ready-made tables.

use super::collected::Collected;
use super::complete::Complete;
use super::symmetry::{LARGEST, Symmetry};
use super::{
    BlockSize, Content, Distance, Layout, LddbBuilder, MAX_SIDE, MIN_SIDE, MakerMemory, Table,
    TableFor, TableRules,
};
use crate::db::{self, DatabaseKind, IntactFile, Label};
use crate::engine::parallel;
use crate::{Algorithm, Diagonal, Error, Grid, Moves, Planner, Rule};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// A local distance database: exact distances between the boundary points of square blocks of
/// cells, for given contents of the block. It is what `block-astar` searches with.
///
/// A *complete* one holds every content of a block of 2 x 2, 3 x 3 or 4 x 4 cells, for any map
/// without terrain costs; a *collected* one holds the contents that occur on some maps, with or
/// without terrain, in blocks of up to 16 x 16 cells. A planner that has one takes its tables from
/// it instead of making them, after edits as well, and makes those it lacks; its answers are the
/// same to the last bit.
///
/// It is opened from bytes wherever they are: a file that was read, a memory map, or
/// `include_bytes!`. Clones share them.
///
/// ```
/// use blockstar::{Cell, Grid, Lddb, Moves, Planner, Query, Scratch, Status};
/// let lddb = Lddb::complete(Moves::ANY_ANGLE, 3)?;
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
    origin: Origin,
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
}

/// Where the bytes of a database come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// They were written a moment ago and are right.
    Made,
    /// From a file, which may say anything.
    File,
}

/// The payload of a database, to be read: what its tables are for, and where it comes from.
pub(super) struct Unread<'a, D> {
    pub layout: &'a Layout,
    pub rules: &'a TableRules<D>,
    pub payload: &'a [u8],
    pub origin: Origin,
}

enum Tables {
    Complete(Complete),
    Collected(Collected),
}

/// The parameters in a file's header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameters {
    pub moves: Moves,
    pub block: u32,
    pub complete: bool,
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
        let rule = Rule::ALL.iter().copied().find(|&rule| rule as u64 == number & 0xff)?;
        let diagonals = [Diagonal::Sqrt2, Diagonal::OnePointFour];
        let diagonal = diagonals.into_iter().find(|&d| d as u64 == number >> 8 & 0xff)?;
        let block = (number >> 16 & 0xff) as u32;
        let complete = number >> 24 & 1 != 0;
        let parameters = Self { moves: Moves::new(rule).with_diagonal(diagonal), block, complete };
        let sides = MIN_SIDE..=if complete { LARGEST } else { MAX_SIDE };
        (sides.contains(&block) && parameters.to_number() == number).then_some(parameters)
    }
}

/// Evaluates an expression with the kind of distance that files of a rule are made with.
macro_rules! with_distance {
    ($moves:expr, $block:expr, |$layout:ident, $rules:ident| $body:expr) => {
        if $moves.rule().is_any_angle() {
            let ($layout, $rules) =
                (&Layout::new($block, false), &TableRules::<f64>::new($moves, $block, None));
            $body
        } else {
            let ($layout, $rules) =
                (&Layout::new($block, true), &TableRules::<u64>::new($moves, $block, None));
            $body
        }
    };
}

pub(super) use with_distance;

impl Lddb {
    /// Makes the tables of all contents of a block of `block` x `block` cells, 2 to 4, on all
    /// cores.
    pub fn complete(moves: Moves, block: u32) -> Result<Self, Error> {
        Self::builder().block(block).complete(moves)
    }

    /// Makes the tables of the contents that occur on some maps cut into blocks of `block` x
    /// `block` cells, 2 to 16, on all cores: those that `block-astar` makes there. The database can
    /// be used on other maps, too.
    pub fn collect<'a>(
        maps: impl IntoIterator<Item = &'a Grid>,
        moves: Moves,
        block: u32,
    ) -> Result<Self, Error> {
        Self::builder().block(block).collect(maps, moves)
    }

    /// The same with settings, and reports of how far it is.
    pub fn builder() -> LddbBuilder {
        LddbBuilder::new()
    }

    pub(super) fn seal(parameters: Parameters, payload: &[u8]) -> Result<Self, Error> {
        let parameters = parameters.to_number();
        let label = Label { kind: DatabaseKind::Lddb, parameters, grid: 0 };
        Self::read(Box::new(db::seal(label, payload)), Origin::Made)
    }

    /// Opens a database that was [saved](Lddb::save). Other files, damaged or truncated ones and
    /// those of another version are errors that say what is wrong.
    ///
    /// Of a forged file, whose checksum is right and whose distances are not, every path is legal,
    /// or the query says what is wrong; that a path is a shortest one rests on the file
    /// ([`Lddb::verify`] proves it).
    ///
    /// The bytes stay where they are and must not change. Those of a memory map do so only if nobody
    /// writes to the file or cuts it short: the system ends a process that reads beyond the new end.
    /// Bytes that were read are safe.
    pub fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Error> {
        Self::read(Box::new(bytes), Origin::File)
    }

    fn read(bytes: Box<dyn AsRef<[u8]> + Send + Sync>, origin: Origin) -> Result<Self, Error> {
        let file = IntactFile::of((*bytes).as_ref(), DatabaseKind::Lddb)?;
        let IntactFile { parameters, grid, payload, .. } = file;
        let parameters = Parameters::from_number(parameters).filter(|_| grid == 0);
        let Some(Parameters { moves, block, complete }) = parameters else {
            return Err(
                DatabaseKind::Lddb.refuse("it was made for something unknown: build it again")
            );
        };
        let tables = with_distance!(moves, block, |layout, rules| if complete {
            Complete::read(&Unread { layout, rules, payload, origin }).map(Tables::Complete)
        } else {
            Collected::read(&Unread { layout, rules, payload, origin }).map(Tables::Collected)
        });
        let tables = tables
            .map_err(|problem| DatabaseKind::Lddb.refuse(format!("{problem}: build it again")))?;
        let inner = Inner { moves, block, tables, origin, bytes };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Whether it was opened, so that paths made with it must be proved.
    pub(crate) fn is_from_file(&self) -> bool {
        self.inner.origin == Origin::File
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

    /// What the distances are between: `tile` for cells and four steps, `octile` for cells and
    /// eight steps, `any-angle` for the corners of cells.
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

    /// How many contents it has the table of.
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

    /// How many contents there are if those that are rotated or mirrored images of each other count
    /// once.
    pub fn distinct(&self) -> usize {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.distinct(),
            Tables::Collected(tables) => {
                let contents = tables.contents(self.payload(), self.block().into());
                contents.iter().map(representative).collect::<HashSet<_>>().len()
            }
        }
    }

    /// How many distances from one boundary point to another it answers.
    pub fn entries(&self) -> usize {
        let slots = Layout::new(self.block(), !self.moves().rule().is_any_angle()).slots();
        self.len() * slots * (slots - 1)
    }

    /// How many different distances it has, including those from turns inside a block; `None` if
    /// there are more than 65,536, or no tables.
    pub fn costs(&self) -> Option<usize> {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.dictionary().distances(),
            Tables::Collected(tables) => tables.dictionary().distances(),
        }
    }

    /// Bytes of heap memory, besides the bytes it was opened from.
    pub fn memory_usage(&self) -> usize {
        match &self.inner.tables {
            Tables::Complete(tables) => tables.bytes(),
            Tables::Collected(tables) => tables.bytes(),
        }
    }

    /// Makes every table again, on all cores, and compares. Returns how many there are.
    pub fn verify(&self) -> Result<usize, Error> {
        let contents: Vec<Content> = match &self.inner.tables {
            Tables::Complete(tables) => {
                let patterns = 0..tables.patterns() as u32;
                patterns.map(|pattern| Content::from_pattern(self.block(), pattern)).collect()
            }
            Tables::Collected(tables) => tables.contents(self.payload(), self.block().into()),
        };
        let wrong = with_distance!(self.moves(), self.block(), |layout, rules| {
            self.compare(layout, rules, &contents)
        });
        match wrong {
            None => Ok(contents.len()),
            Some(index) => Err(DatabaseKind::Lddb.refuse(format!(
                "its table for the block {} is not what comes out when it is made: build it again",
                drawing(&contents[index])
            ))),
        }
    }

    /// The first content whose table differs from a newly made one.
    fn compare<D: Distance>(
        &self,
        layout: &Layout,
        rules: &TableRules<D>,
        contents: &[Content],
    ) -> Option<usize> {
        type Memory<D> = (MakerMemory<D>, Table<D>, Table<D>);
        let equal = parallel::map(contents.len(), &|_, _| (), |memory: &mut Memory<D>, index| {
            let ((memory, made, found), content) = (memory, &contents[index]);
            let subject = TableFor { layout, rules, content };
            D::make(subject, memory, made);
            self.fetch(subject, memory, found).is_some() && made == found
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

    /// Fetches the table of a content, if it is there.
    pub(super) fn fetch<D: Distance>(
        &self,
        subject: TableFor<'_, D>,
        memory: &mut MakerMemory<D>,
        table: &mut Table<D>,
    ) -> Option<()> {
        let payload = self.payload();
        match &self.inner.tables {
            Tables::Complete(tables) => tables.fetch(payload, subject, memory, table),
            Tables::Collected(tables) => tables.fetch(payload, subject, memory, table),
        }
    }

    /// The movement rule in the parameters of a file.
    pub(crate) fn read_moves(parameters: u64) -> Result<Moves, Error> {
        let parameters = Parameters::from_number(parameters);
        let unknown =
            || DatabaseKind::Lddb.refuse("it was made for something unknown: build it again");
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

/// The least among a content and its images, cell by cell.
fn representative(content: &Content) -> (bool, Vec<u16>) {
    let side = content.size().width;
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
    let BlockSize { width, height } = content.size();
    let row = |y: u32| -> String {
        (0..width).map(|x| if content.is_free(x, y) { '.' } else { '#' }).collect()
    };
    (0..height).map(row).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a database has exactly the table that is made for every pattern.
    fn is_exact<D: Distance>(lddb: &Lddb) {
        let layout = Layout::new(lddb.block(), D::CELLS);
        let rules = TableRules::<D>::new(lddb.moves(), lddb.block(), None);
        let (mut memory, mut made, mut found) =
            (MakerMemory::default(), Table::default(), Table::default());
        for pattern in 0..1 << (lddb.block() * lddb.block()) {
            let content = Content::from_pattern(lddb.block(), pattern);
            let subject = TableFor { layout: &layout, rules: &rules, content: &content };
            D::make(subject, &mut memory, &mut made);
            lddb.fetch(subject, &mut memory, &mut found).unwrap();
            assert!(made == found, "{:?}: {}", lddb, drawing(&content));
        }
    }

    #[test]
    fn a_complete_database_has_what_is_made_for_every_pattern_in_every_precision() {
        let short = Moves::EIGHT.with_diagonal(Diagonal::OnePointFour);
        for moves in Rule::ALL.iter().copied().map(Moves::new).chain([short]) {
            for block in MIN_SIDE..=LARGEST {
                let lddb = Lddb::complete(moves, block).unwrap();
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
        for &rule in Rule::ALL {
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
