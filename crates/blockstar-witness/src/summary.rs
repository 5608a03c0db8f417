//! What a simulation comes to: one line of JSON, or some lines of text.

use std::fmt::Write;

/// The outcome of a simulation.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Summary {
    /// Ticks simulated.
    pub ticks: u32,
    /// Units.
    pub agents: u32,
    /// Units that are at their goals in the end.
    pub arrived: u32,
    /// Units whose goals cannot be reached.
    pub unreachable: u32,
    /// Pairs of units that shared a cell or passed through each other, and units in walls, over all
    /// ticks.
    pub collisions: u64,
    /// Ticks that exceeded their budget of expansions.
    pub over_budget_ticks: u32,
    /// Processor time of a tick: half of them took no longer.
    pub tick_us_p50: f64,
    /// The same for 99 of 100.
    pub tick_us_p99: f64,
    /// The longest.
    pub tick_us_max: f64,
    /// The most ticks that a unit waited for its first step.
    pub first_step_ticks_max: u32,
    /// Tasks finished.
    pub tasks_finished: u64,
    /// The ticks until each unit stayed at its goal, summed.
    pub sum_of_costs: u64,
    /// The tick at which the last unit came to stay.
    pub makespan: u32,
    /// Paths that were planned again.
    pub replans: u64,
    /// Bytes of memory per unit, without map and planner.
    pub bytes_per_unit: u64,
    /// A hash of the last state.
    pub state_hash: String,
    /// What else is worth knowing, of this kind of simulation.
    #[serde(flatten)]
    pub more: serde_json::Map<String, serde_json::Value>,
}

impl Summary {
    /// Fills in the times of ticks, given in seconds.
    pub fn set_times(&mut self, times: &[f64]) {
        let mut sorted: Vec<f64> = times.iter().map(|seconds| seconds * 1e6).collect();
        sorted.sort_by(f64::total_cmp);
        let at = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1) - 1;
            sorted.get(rank).copied().unwrap_or(0.0).round()
        };
        (self.tick_us_p50, self.tick_us_p99, self.tick_us_max) = (at(50), at(99), at(100));
    }

    /// How it is printed: as a line of JSON, or as text.
    pub fn written(&self, json: bool) -> Result<String, serde_json::Error> {
        let value = serde_json::to_value(self)?;
        if json {
            return Ok(format!("{value}\n"));
        }
        let mut text = String::new();
        for (name, value) in value.as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = writeln!(text, "{:22} {value}", name.replace('_', " "));
        }
        Ok(text)
    }
}
