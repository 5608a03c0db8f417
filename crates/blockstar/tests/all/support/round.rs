//! Rounds: the loop of a test that tries one planner on many random maps.

use super::case::stream;
use super::place::{Place, on};
use super::{
    all_cell_moves, assert_same_answers, random_edit, random_free_cell, random_grid, random_point,
    random_query,
};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Planner, Query};

/// A random map and what is drawn for it. No round changes what another one draws.
pub struct Round {
    pub number: usize,
    pub grid: Grid,
    pub random: Random,
}

/// Rounds on maps without terrain costs.
pub fn rounds(seed: u64, count: usize) -> impl Iterator<Item = Round> {
    rounds_on(seed, count, |_, random| random_grid(random, false))
}

/// Rounds of which every `share`th is on weighted terrain.
pub fn rounds_on_terrain(seed: u64, count: usize, share: usize) -> impl Iterator<Item = Round> {
    rounds_on(seed, count, move |number, random| random_grid(random, number % share == share - 1))
}

/// Rounds on maps of the test's own making.
pub fn rounds_on(
    seed: u64,
    count: usize,
    mut map: impl FnMut(usize, &mut Random) -> Grid,
) -> impl Iterator<Item = Round> {
    (0..count).map(move |number| {
        let mut random = stream(seed, &format!("round {number}"));
        Round { number, grid: map(number, &mut random), random }
    })
}

impl Round {
    /// One of several things, in turn.
    pub fn turn<T: Copy>(&self, of: &[T]) -> T {
        of[self.number % of.len()]
    }

    /// One of several things, at random.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len() as u64) as usize]
    }

    /// A cell rule with one of both lengths of diagonals, in turn.
    pub fn cell_moves(&self) -> Moves {
        self.turn(&all_cell_moves())
    }

    /// The map under a rule.
    pub fn on(&self, moves: Moves) -> Place<'_> {
        on(&self.grid, moves)
    }

    pub fn free_cell(&mut self) -> Cell {
        random_free_cell(&mut self.random, &self.grid)
    }

    /// A query between cells.
    pub fn cell_query(&mut self) -> Query {
        random_query(&mut self.random, &self.grid)
    }

    /// A query between points of every kind that the rule permits.
    pub fn query(&mut self, moves: Moves) -> Query {
        let mut point = || random_point(&mut self.random, &self.grid, moves, true);
        Query::new(point(), point())
    }

    /// Asks two planners some random questions between cells; their answers must be the same to the last bit.
    pub fn assert_same_answers(&mut self, a: &dyn Planner, b: &dyn Planner, count: usize) {
        let queries: Vec<_> = (0..count).map(|_| self.cell_query()).collect();
        assert_same_answers(a, b, &self.grid, &queries);
    }

    /// The same before each of some edits, after which both planners are updated.
    pub fn assert_same_answers_through_edits(
        &mut self,
        a: &mut dyn Planner,
        b: &mut dyn Planner,
        edits: usize,
    ) {
        for _ in 0..edits {
            self.assert_same_answers(a, b, 5);
            self.edit(&mut [a, b]);
        }
        self.assert_same_answers(a, b, 5);
    }

    /// Edits the map, its costs too if it has some, and updates the planners.
    pub fn edit(&mut self, planners: &mut [&mut dyn Planner]) {
        let weighted = self.grid.has_costs();
        random_edit(&mut self.random, &mut self.grid, weighted);
        planners.iter_mut().for_each(|planner| planner.update(&self.grid).map(|_| ()).unwrap());
    }
}
