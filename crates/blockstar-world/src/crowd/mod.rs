//! Crowds on cells: units that step from cell to cell, never two on one cell, never two through
//! each other.

mod check;
#[expect(clippy::module_inception, reason = "the main type of the module")]
mod crowd;
mod field;
mod greedy;
mod ground;
mod guides;
pub mod instance;
mod jam;
mod lacam;
mod preference;
mod refine;
mod regret;
mod stepper;
mod swap;
mod tasks;
mod traffic;
mod trail;
mod window;

pub use check::{Checker, Moved, Wrong};
pub use crowd::{Crowd, CrowdError, Stepping};
pub use ground::Ground;
pub(crate) use jam::{Jam, JamPlan};
pub(crate) use stepper::ROUNDS;
pub use stepper::{PlaceError, Stepper};
pub use tasks::Tasks;
