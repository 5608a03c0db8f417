//! What a session may take: of memory, of time, of its host's patience.

use blockstar::{Algorithm, Preparation};

/// The limits of a session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most cells of a map.
    pub cells: u64,
    /// The most bytes of a request.
    pub request: usize,
    /// The most events of a trace in one reply.
    pub trace: usize,
    /// The most microseconds of search in one request, where there is a clock.
    pub time: f64,
    /// How many planners stay prepared.
    pub planners: usize,
    /// The most bytes that all prepared planners hold together.
    pub planner_memory: usize,
    /// The most bytes of the steps that can be undone.
    pub history: usize,
    /// The most units that live on the map.
    pub units: u64,
    /// The most bytes that they take, with all that plans for them.
    pub units_memory: usize,
}

impl Default for Limits {
    /// For one person at one page: maps of 4096 x 4096 cells.
    fn default() -> Self {
        Self {
            cells: 4096 * 4096,
            request: 160 << 20,
            trace: 4_000_000,
            time: 30e6,
            planners: 6,
            planner_memory: 1 << 30,
            history: 128 << 20,
            units: 20_000,
            units_memory: 512 << 20,
        }
    }
}

impl Limits {
    /// The most bytes that a session holds between two requests.
    ///
    /// A map with all layers takes at most 8 bytes per cell. The searches of all planners together
    /// take at most 192 bytes per cell: between two requests a session that has more gives it back.
    /// Traces have 25 bytes per event and their points.
    pub fn memory(&self) -> u64 {
        let cells = self.cells * 8 + self.search_memory() as u64;
        cells
            + self.trace as u64 * 33
            + self.planner_memory as u64
            + self.history as u64
            + self.units_memory as u64
    }

    /// The most bytes of search memory that are kept.
    pub(crate) fn search_memory(&self) -> usize {
        self.cells as usize * 96
    }

    /// The largest map that a planner is prepared for, in cells, where that is less than the limit:
    /// preparing cannot be interrupted.
    pub(crate) fn cells_for(&self, algorithm: &Algorithm) -> Option<u64> {
        let cells = match algorithm.preparation {
            Preparation::Light => return None,
            Preparation::Local => 2048 * 2048,
            Preparation::Wide => 512 * 512,
            _ => 160 * 160,
        };
        Some(cells).filter(|cells| *cells < self.cells)
    }
}
