//! Planners that stay prepared from request to request, and are repaired after edits.

use crate::clock::Clock;
use crate::frame::Fault;
use crate::limits::Limits;
use blockstar::{Grid, Moves, Planner, PlannerSpec, Update};

/// A planner with what it was asked for as.
#[derive(Debug)]
pub(crate) struct Kept {
    pub spec: PlannerSpec,
    pub moves: Moves,
    pub planner: Box<dyn Planner>,
    /// The version of the map that it is right for.
    version: u64,
    bytes: usize,
}

/// What had to be done before a planner could answer; times in microseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readied {
    pub prepare: Option<f64>,
    pub update: Option<(f64, Update)>,
}

/// Prepared planners, the one used last at the end.
#[derive(Debug, Default)]
pub(crate) struct KeptPlanners(Vec<Kept>);

impl KeptPlanners {
    pub fn all(&self) -> &[Kept] {
        &self.0
    }

    /// Forgets some.
    pub fn retain(&mut self, keep: impl FnMut(&Kept) -> bool) {
        self.0.retain(keep);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The planner, prepared or repaired now if need be.
    pub fn ready(
        &mut self,
        spec: &PlannerSpec,
        moves: Moves,
        grid: &Grid,
        limits: &Limits,
        clock: &Clock,
    ) -> Result<(&dyn Planner, Readied), Fault> {
        let mut readied = Readied::default();
        let mut kept = match self.0.iter().position(|kept| kept.is(spec, moves)) {
            Some(index) => self.0.remove(index),
            None => {
                check(spec, grid, limits)?;
                let (time, planner) = clock.time_shared(|| spec.prepare(grid, moves));
                let planner = planner.map_err(|error| error.to_string())?;
                readied.prepare = Some(time);
                let bytes = planner.memory_usage().total();
                Kept { spec: spec.clone(), moves, planner, version: grid.version(), bytes }
            }
        };
        if kept.is_stale(grid) {
            // One that cannot be repaired is not put back.
            let (time, update) = clock.time_shared(|| kept.planner.update(grid));
            readied.update = Some((time, update.map_err(|error| error.to_string())?));
            kept.version = grid.version();
            kept.bytes = kept.planner.memory_usage().total();
        }
        if kept.bytes > limits.planner_memory {
            return Err(format!(
                "{spec} takes {} bytes for this map, but this session keeps {} at most: use a \
                 smaller map or another planner",
                kept.bytes, limits.planner_memory
            ));
        }
        self.0.push(kept);
        let bytes = |kept: &[Kept]| kept.iter().map(|kept| kept.bytes).sum::<usize>();
        while self.0.len() > limits.planners || bytes(&self.0) > limits.planner_memory {
            self.0.remove(0);
        }
        match self.0.last() {
            Some(kept) => Ok((&*kept.planner, readied)),
            None => Err("no planner may be kept: raise the limit".into()),
        }
    }
}

impl Kept {
    pub fn is(&self, spec: &PlannerSpec, moves: Moves) -> bool {
        self.moves == moves && self.spec == *spec
    }

    pub fn is_stale(&self, grid: &Grid) -> bool {
        self.version != grid.version()
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

/// Refuses to prepare what would take too long.
fn check(spec: &PlannerSpec, grid: &Grid, limits: &Limits) -> Result<(), Fault> {
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    match limits.cells_for(spec.algorithm()) {
        Some(most) if cells > most => Err(format!(
            "{} is prepared here for maps of up to {most} cells, because it takes long, and this \
             one has {cells}: use a smaller map, or the command line",
            spec.name()
        )),
        _ => Ok(()),
    }
}
