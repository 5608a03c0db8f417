//! Agents that are guided by subgoals prepared beforehand: kNN LRTA* ([`knn`]), LRTA* with subgoal
//! trees ([`trees`]) and D LRTA* ([`dynamic`]).
//!
//! All three rely on LRTA*, which always arrives: the first two [climb](climbing) from subgoal to
//! subgoal and turn to LRTA* when lost; D LRTA* uses it all the way. Every move is chosen on the
//! map as it is, so moves are always legal: no database, however wrong, can lead an agent through a
//! wall or keep it from its goal.
//!
//! What all guides share is here: [`Guided`] prepares them, saves and opens their files, and
//! prepares them again after an edit.

mod climbing;
pub(crate) mod dynamic;
mod file;
pub(crate) mod knn;
mod nearest;
mod runs;
#[cfg(test)]
mod tests;
pub(crate) mod trees;

use super::lrta;
use crate::db::parameters::read_moves;
use crate::engine::walk::{self, Agent};
use crate::engine::{Changes, Driver, MemoryPool, Method, Problem, Searched, Slice, Update};
use crate::registry::SavedFile;
use crate::{
    Algorithm, DatabaseKind, Error, Grid, Memory, Moves, Planner, PlannerSpec, Preparation,
};
use file::Amount;
use std::fmt::Debug;

/// Subgoals that were prepared for a map. The default has none.
pub(crate) trait Guide: Clone + Debug + Default + Send + Sync + 'static {
    /// The registry row of the planner with this guide.
    const ROW: &'static Algorithm;

    /// The kind of its files.
    const KIND: DatabaseKind;

    /// How agents use the guide.
    type Settings: Copy + Debug + Send + Sync;

    fn settings(spec: &PlannerSpec) -> Self::Settings;

    /// Prepares the guide for a map without terrain.
    fn prepare(grid: &Grid, moves: Moves, amount: Amount) -> Self;

    /// Appends the guide to the payload of a file.
    fn write(&self, payload: &mut Vec<u8>);

    /// Reads what [`Guide::write`] wrote. `None` if that cannot be.
    fn read(payload: &[u8], grid: &Grid, moves: Moves) -> Option<Self>;

    /// Adds the parts of the guide.
    fn memory(&self, memory: Memory) -> Memory;

    /// Sets up the search memory of an agent.
    fn begin(&self, problem: &Problem<'_>, pool: &mut MemoryPool);
}

/// LRTA* with a guide.
#[derive(Clone, Debug)]
pub(crate) struct Guided<G: Guide> {
    guide: G,
    /// The amount that the guide was prepared with.
    amount: Amount,
    settings: G::Settings,
}

impl<G: Guide> Guided<G>
where
    Self: Agent,
{
    /// What the registry rows of all guides share.
    const BASE: Algorithm = Algorithm {
        terrain: false,
        preparation: Preparation::Wide,
        files: &[SavedFile {
            kind: G::KIND,
            moves: read_moves,
            maker: |parameters| file::maker(G::KIND, parameters),
        }],
        open: Some(Self::open),
        make: Self::make,
        ..lrta::BASE
    };

    /// Makes the planner of a registry row.
    fn make(spec: &PlannerSpec, grid: &Grid, moves: Moves) -> Result<Box<dyn Planner>, Error> {
        let amount = spec.number_or_word(file::parameter(G::KIND));
        Ok(Driver::boxed(Self::new(grid, moves, amount, G::settings(spec)), grid, moves))
    }

    /// Opens a file for the planner of a registry row. If the settings name the amount, the file
    /// must have been made with it.
    fn open(
        spec: &PlannerSpec,
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
    ) -> Result<Box<dyn Planner>, Error> {
        let parameter = file::parameter(G::KIND);
        let wanted = spec.given(parameter).map(|_| spec.number_or_word(parameter));
        let opened = Self::read(bytes, grid, moves, wanted, G::settings(spec))?;
        Ok(Box::new(Driver::opened(opened, grid, moves, G::KIND)))
    }

    fn new(grid: &Grid, moves: Moves, amount: Amount, settings: G::Settings) -> Self {
        Self { guide: prepare(grid, moves, amount), amount, settings }
    }

    fn read(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        wanted: Option<Amount>,
        settings: G::Settings,
    ) -> Result<Self, Error> {
        let (payload, amount) = file::open(bytes, G::KIND, grid.content_hash(), moves, wanted)?;
        let guide = G::read(payload, grid, moves).ok_or_else(|| {
            G::KIND.refuse(format!(
                "its {} make no sense for this map: build it again",
                file::content(G::KIND)
            ))
        })?;
        Ok(Self { guide, amount, settings })
    }
}

/// Prepares a guide. On terrain it stays empty: queries are refused there.
fn prepare<G: Guide>(grid: &Grid, moves: Moves, amount: Amount) -> G {
    if grid.has_costs() { G::default() } else { G::prepare(grid, moves, amount) }
}

impl<G: Guide> Method for Guided<G>
where
    Self: Agent,
{
    fn row(&self) -> &'static Algorithm {
        G::ROW
    }

    fn needs_wide(&self, problem: &Problem<'_>) -> bool {
        lrta::local::needs_wide(problem.grid, problem.moves)
    }

    fn search(&self, problem: &Problem, slice: &mut Slice, pool: &mut MemoryPool) -> Searched {
        if slice.is_fresh() {
            self.guide.begin(problem, pool);
        }
        Ok(walk::walk(self, problem, slice, pool))
    }

    /// Prepares the whole guide again if any cell has changed.
    fn update(&mut self, grid: &Grid, moves: Moves, changes: &Changes) -> Result<Update, Error> {
        if !changes.is_empty() {
            // The old guide is dropped first, so that memory for both is never needed.
            self.guide = G::default();
            self.guide = prepare(grid, moves, self.amount);
        }
        Ok(Update::default())
    }

    fn memory(&self, memory: Memory) -> Memory {
        self.guide.memory(memory)
    }

    fn save(&self, moves: Moves, map: u64) -> Option<Vec<u8>> {
        let mut payload = Vec::new();
        self.guide.write(&mut payload);
        Some(file::seal(&payload, G::KIND, map, moves, self.amount))
    }
}
