//! `blockstar simulate`: units that move.

mod crowd;
mod crowd_file;
mod film;
mod play;
mod scenario;
mod timetable;

use crate::Outcome;
use std::path::PathBuf;

/// Let units move on a map, and count what happens
///
/// A crowd steps from cell to cell, never two on one cell and never two through each other. The
/// last line of --json is a summary object.
#[derive(clap::Args)]
pub struct Arguments {
    /// A scenario: a .toml file with a map, units, orders and edits
    #[arg(value_name = "SCENARIO", required_unless_present_any = ["crowd", "map", "replay"], conflicts_with_all = ["crowd", "map"])]
    scenario: Option<PathBuf>,

    /// A competition instance: a .json file that names its map, agents and tasks
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    crowd: Option<PathBuf>,

    /// A MovingAI map, with --scen: one start and one goal for each unit
    #[arg(long, value_name = "FILE", requires = "scen")]
    map: Option<PathBuf>,

    /// The scenario file: its first lines are the units
    #[arg(long, value_name = "FILE", requires = "map")]
    scen: Option<PathBuf>,

    /// How many units [default: all of the file]
    #[arg(long, value_name = "N")]
    agents: Option<u32>,

    #[command(flatten)]
    options: crowd::Options,

    #[command(flatten)]
    play: play::PlayOptions,

    /// One JSON object per tick, and a summary object as the last line
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        if self.scenario.is_some() || self.play.replays() {
            return self.play.run(self.scenario.as_deref(), self.options.ticks(), self.json);
        }
        let instance = match (&self.crowd, &self.map, &self.scen) {
            (Some(file), ..) => crowd_file::competition(file, self.agents)?,
            (None, Some(map), Some(scen)) => crowd_file::scenario(map, scen, self.agents)?,
            _ => return Err("name an instance with --crowd, or a map with --map and --scen".into()),
        };
        self.options.run(instance, self.json)
    }
}
