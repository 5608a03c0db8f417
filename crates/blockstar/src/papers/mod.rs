//! What papers do differently from the library, for comparisons: test cases, examples and costs as
//! printed. Nothing else needs it.

mod astar_mod;
mod examples;

pub use astar_mod::{AstarModCosts, astar_mod_cases, astar_mod_costs, astar_mod_slope};
pub use examples::{block_astar_example, dba_star_example};

use crate::{Cell, Grid};

/// A test case of a paper: a map, perhaps with heights, a start and a goal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Its number in the paper: of the case, or of the figure that shows it.
    pub number: u32,
    /// Its name in the paper.
    pub name: &'static str,
    /// The map. Heights are the weights of the A*MOD paper: grey values from 0 to 255.
    pub grid: Grid,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
}
