//! Crowds on cells: units with goals or tasks that all step at once.

use super::crowd_file::{Errands, Instance};
use crate::{Outcome, output, progress};
use blockstar::{Cell, Rule};
use blockstar_witness::Summary;
use blockstar_world::crowd::{Checker, Crowd, Moved, Stepping, Tasks};
use cpu_time::ProcessTime;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::process::ExitCode;

/// How a crowd moves.
#[derive(clap::Args)]
pub struct Options {
    /// How many ticks at most [default: 500; with one goal for each unit until all have arrived,
    /// at most 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    ticks: Option<u32>,

    /// The movement rule: four, eight, eight-cut-one or eight-cut-any
    #[arg(long, value_name = "RULE", default_value = "four")]
    moves: Rule,

    /// How units step
    #[arg(long, value_name = "HOW", default_value = "cooperative")]
    stepping: How,

    /// One goal for each unit instead of tasks: the first place of the tasks, in their order,
    /// without those that are another unit's goal already
    #[arg(long)]
    one_shot: bool,

    /// With one goal for each unit: improve the walk before it begins, by so many expansions; for
    /// small maps (64 x 64 cells and 400 units: 5000000 take half a second)
    #[arg(long, value_name = "EXPANSIONS", default_value = "0")]
    refine: u64,

    /// The expansions that all units together may spend on planning in a tick [default: 40000]
    #[arg(long, value_name = "EXPANSIONS", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,

    /// Let steps cost more where units wait, so that others look for ways around
    #[arg(long)]
    traffic: bool,

    /// Give tasks to at most so many units at a time; the others make way
    #[arg(long, value_name = "N")]
    active: Option<u32>,
}

/// How units step.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Together: whoever has waited longest goes first, and others make way
    Cooperative,
    /// Each to its best free neighbour, for comparison
    Greedy,
}

impl Options {
    /// How many ticks were asked for.
    pub const fn ticks(&self) -> Option<u32> {
        self.ticks
    }

    /// Lets the crowd move.
    pub fn run(&self, instance: Instance, json: bool) -> Outcome {
        if self.moves.is_any_angle() {
            return Err(format!(
                "a crowd steps from cell to cell, but {} does not: use four, eight, \
                 eight-cut-one or eight-cut-any",
                self.moves
            )
            .into());
        }
        let start = ProcessTime::now();
        let one_shot = self.one_shot || matches!(instance.errands, Errands::Goals(_));
        let mut crowd = self.gather(instance)?;
        let least = crowd.lower_bound();
        let refined = if self.refine > 0 && one_shot {
            let saved = crowd.rehearse(10_000, self.refine)?;
            let saved = saved.ok_or(
                "the walk cannot be refined: not all units arrive, or the map is too large for a \
                 table of all cells and ticks; leave --refine out",
            )?;
            Some(saved)
        } else {
            None
        };
        let started = start.elapsed().as_secs_f64();
        let most = self.ticks.unwrap_or(if one_shot { 10_000 } else { 500 });
        let bar = progress::bar(most.into(), "ticks");
        let mut checker = Checker::new(crowd.grid());
        let mut summary = Summary::default();
        let mut times = Vec::new();
        let mut before = places(&crowd);
        while crowd.ticks() < most && !(one_shot && crowd.arrived() == crowd.units()) {
            let clock = ProcessTime::now();
            crowd.tick()?;
            times.push(clock.elapsed().as_secs_f64());
            let after = places(&crowd);
            let moved = before.iter().zip(&after).map(|(&from, &to)| Moved { from, to, size: 1 });
            let wrong = checker.check(crowd.grid(), self.moves, &moved.collect::<Vec<_>>());
            summary.collisions += wrong.len() as u64;
            before = after;
            bar.advance(1);
            if json {
                output::print_json(&tick_json(&crowd, times.last().copied().unwrap_or(0.0)))?;
            }
        }
        bar.clear();
        summary.ticks = crowd.ticks();
        summary.agents = crowd.units();
        summary.arrived = crowd.arrived();
        summary.unreachable = crowd.unreachable();
        summary.over_budget_ticks = crowd.over_budget_ticks();
        summary.set_times(&times);
        summary.first_step_ticks_max = crowd.first_step_ticks_max();
        summary.tasks_finished = crowd.tasks_finished();
        summary.replans = crowd.replans();
        summary.bytes_per_unit = crowd.unit_bytes() as u64 / u64::from(crowd.units().max(1));
        summary.state_hash = format!("{:016x}", crowd.state_hash());
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let mut more = vec![
            ("start_s", json!(rounded(started, 1e3))),
            ("tick_us_mean", json!((mean * 1e6).round())),
            ("peak_memory_mb", peak_memory().map_or(Value::Null, |mb| json!(rounded(mb, 10.0)))),
        ];
        if one_shot {
            summary.sum_of_costs = crowd.sum_of_costs();
            summary.makespan = crowd.makespan();
            let ratio = summary.sum_of_costs as f64 / least.max(1) as f64;
            more.push(("sum_of_shortest", json!(least)));
            more.push(("cost_ratio", json!(rounded(ratio, 1e4))));
            more.extend(refined.map(|saved| ("refinement_saved", json!(saved))));
        }
        summary.more = more.into_iter().map(|(name, value)| (name.into(), value)).collect();
        output::print(&summary.written(json)?)?;
        let all = summary.collisions == 0 && (!one_shot || summary.arrived == summary.agents);
        Ok(ExitCode::from(u8::from(!all)))
    }

    /// The crowd with its goals or tasks.
    fn gather(&self, instance: Instance) -> Result<Crowd, Box<dyn Error>> {
        let stepping = match self.stepping {
            How::Cooperative => Stepping::Cooperative,
            How::Greedy => Stepping::Greedy,
        };
        let Instance { grid, starts, errands } = instance;
        let mut crowd = Crowd::new(grid, self.moves, &starts, stepping)?;
        if let Some(budget) = self.budget {
            crowd.set_budget(budget);
        }
        if self.traffic {
            crowd.watch_out_for_traffic()?;
        }
        if let Some(active) = self.active {
            crowd.limit_active(active);
        }
        match errands {
            Errands::Goals(goals) => crowd.set_goals(&goals)?,
            Errands::Tasks(tasks, _) if self.one_shot => {
                let mut taken = BTreeSet::new();
                let firsts = tasks.iter().filter_map(|task| task.first().copied());
                let goals: Vec<Cell> =
                    firsts.filter(|&goal| taken.insert(goal)).take(starts.len()).collect();
                if goals.len() < starts.len() {
                    return Err(format!(
                        "{} units need as many goals, but the tasks begin at {} places only",
                        starts.len(),
                        goals.len()
                    )
                    .into());
                }
                crowd.set_goals(&goals)?;
            }
            Errands::Tasks(tasks, reveal) => crowd.set_tasks(Tasks::new(tasks, reveal))?,
        }
        Ok(crowd)
    }
}

fn places(crowd: &Crowd) -> Vec<Cell> {
    (0..crowd.units()).map(|unit| crowd.at(unit)).collect()
}

fn tick_json(crowd: &Crowd, seconds: f64) -> Value {
    json!({
        "tick": crowd.ticks(),
        "arrived": crowd.arrived(),
        "tasks_finished": crowd.tasks_finished(),
        "replans": crowd.replans(),
        "tick_us": (seconds * 1e6).round(),
    })
}

fn rounded(value: f64, places: f64) -> f64 {
    (value * places).round() / places
}

/// The most memory that this process has had, in megabytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? * 1024.0 / 1e6)
}
