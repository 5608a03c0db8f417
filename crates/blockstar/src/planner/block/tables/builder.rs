//! How the tables of a database are made: of which blocks, and who is told how far it is.

use super::collected::{Collected, MOST_BYTES};
use super::complete::Complete;
use super::file::{Parameters, with_distance};
use super::symmetry::LARGEST;
use super::{Content, Layout, Lddb, MAX_SIDE, MIN_SIDE, TableRules};
use crate::db::DatabaseKind;
use crate::engine::parallel::Report;
use crate::{Error, Grid, Moves};
use std::collections::HashSet;

/// Settings for making an [`Lddb`].
///
/// ```
/// use blockstar::{Lddb, Moves};
/// let report = |done, of| eprintln!("{done} of {of} tables");
/// let lddb = Lddb::builder().block(3).on_progress(report).complete(Moves::EIGHT)?;
/// assert_eq!(lddb.len(), 512);
/// # Ok::<(), blockstar::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LddbBuilder {
    block: u32,
    report: Report,
}

/// Who refuses slopes: hardly any two blocks have equal heights, so a file would gain nothing.
const NO_SLOPES: &str = "a local distance database";

impl LddbBuilder {
    pub(super) fn new() -> Self {
        Self { block: LARGEST, report: Report::default() }
    }

    /// The cells along the side of a block, by default 4.
    #[must_use]
    pub fn block(self, cells: u32) -> Self {
        Self { block: cells, ..self }
    }

    /// Reports how many tables are made, and of how many. Called on the thread that asked for them.
    #[must_use]
    pub fn on_progress(self, report: impl Fn(usize, usize) + Send + Sync + 'static) -> Self {
        Self { report: Report::to(report), ..self }
    }

    /// Makes the tables of all contents of a block of 2 x 2 to 4 x 4 cells, on all cores.
    pub fn complete(self, moves: Moves) -> Result<Lddb, Error> {
        let block = self.block;
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
        let payload = with_distance!(moves, block, |layout, rules| {
            Complete::build(layout, rules, self.report.progress())
        });
        Lddb::seal(Parameters { moves, block, complete: true }, &payload)
    }

    /// Makes the tables of the contents that occur on some maps cut into blocks of 2 x 2 to 16 x 16
    /// cells, on all cores: those that `block-astar` makes there. The database can be used on other
    /// maps, too.
    pub fn collect<'a>(
        self,
        maps: impl IntoIterator<Item = &'a Grid>,
        moves: Moves,
    ) -> Result<Lddb, Error> {
        let block = self.block;
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
        self.of(contents, moves)
    }

    /// Makes the tables of different contents.
    pub(crate) fn of(self, contents: Vec<Content>, moves: Moves) -> Result<Lddb, Error> {
        let block = self.block;
        if moves.slope().is_some() {
            return Err(Error::no_slopes(NO_SLOPES, moves));
        }
        let count = contents.len();
        let payload = with_distance!(moves, block, |layout, rules| {
            Collected::build(layout, rules, contents, self.report.progress())
        });
        let payload = payload.ok_or_else(|| {
            DatabaseKind::Lddb.refuse(format!(
                "the tables of {count} contents would take more than {} MiB: take fewer maps or \
                 smaller blocks",
                MOST_BYTES >> 20
            ))
        })?;
        Lddb::seal(Parameters { moves, block, complete: false }, &payload)
    }
}
