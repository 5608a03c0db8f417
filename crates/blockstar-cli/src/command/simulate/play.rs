//! A scenario or a recording, tick by tick.

use super::film::Film;
use super::scenario::{Early, Scenario, Source};
use super::timetable::Timetable;
use crate::progress::Bar;
use crate::{Outcome, output, progress};
use blockstar::{Algorithm, Grid, Planner, Query, Scratch, generate};
use blockstar_witness::{Summary, Witness};
use blockstar_world::{Recording, Settings, TickBudget, World};
use cpu_time::ProcessTime;
use serde_json::json;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is written of a simulation, and how it runs.
#[derive(clap::Args)]
pub struct PlayOptions {
    /// Pictures of a scenario, in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "gif")]
    image: Option<PathBuf>,

    /// A film of a scenario
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,

    /// A picture every so many ticks [default: ten pictures a second]
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,

    /// Let a film run so many times as fast as it was
    #[arg(long, value_name = "TIMES", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1000))]
    faster: u64,

    /// Write every command of a scenario down, for --replay
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// See a recording again, instead of a scenario
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "scenario"])]
    replay: Option<PathBuf>,

    /// Threads that plan; they change nothing but the time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: Option<u64>,

    /// For comparison: every unit of a scenario plans for itself, with plain A* and at once,
    /// whatever that takes
    #[arg(long)]
    plain: bool,
}

impl PlayOptions {
    /// Whether a recording was named.
    pub fn replays(&self) -> bool {
        self.replay.is_some()
    }

    /// Runs a scenario, or the recording that was named.
    pub fn run(&self, scenario: Option<&Path>, ticks: Option<u32>, json: bool) -> Outcome {
        if let Some(file) = &self.replay {
            return self.run_again(file, json);
        }
        let Some(file) = scenario else { return Err("name a scenario".into()) };
        let source = Source::read(file)?;
        let scenario = source.parse()?;
        let mut settings = scenario.settings(&source)?;
        if self.plain {
            settings = plainly(&settings);
        }
        let (mut world, mut table) = Timetable::new(&scenario, &source, settings)?;
        let grid = world.grid(0).ok_or("there are no classes")?.clone();
        world.set_threads(self.threads.unwrap_or(1) as usize);
        if self.record.is_some() {
            world.record();
        }
        let most = ticks.map_or(scenario.ticks, u64::from);
        let mut screening = self.screening(&world, most, json)?;
        let mut broken = Vec::new();
        while world.now() < most {
            screening.before(&world)?;
            let ordered = table.apply(&mut world)?;
            screening.witness.note_orders(&world, &ordered);
            screening.tick(&mut world)?;
            if let Some(early) = scenario.expect.early.as_ref().filter(|it| it.tick == world.now())
            {
                broken.extend(broken_early(early, &screening.witness));
            }
        }
        let witness = screening.finish()?;
        if let (Some(file), Some(recording)) = (&self.record, world.take_recording()) {
            output::write_file(file, &recording.to_bytes())?;
        }
        let mut summary = witness.summary(&world);
        let one = median_query(&grid)?;
        summary.more.insert("astar_median_us".into(), json!((one * 1e6).round()));
        for (name, time) in [
            ("tick_p50_per_astar", summary.tick_us_p50),
            ("tick_p99_per_astar", summary.tick_us_p99),
            ("tick_max_per_astar", summary.tick_us_max),
        ] {
            let ratio = (time / (one * 1e6) * 1e3).round() / 1e3;
            summary.more.insert(name.into(), json!(ratio));
        }
        if !json && !scenario.title.is_empty() {
            println!("{}", scenario.title);
        }
        output::print(&summary.written(json)?)?;
        if most >= scenario.ticks {
            broken.extend(broken_promises(&scenario, &summary));
        }
        broken.iter().for_each(|problem| eprintln!("blockstar: expected otherwise: {problem}"));
        Ok(ExitCode::from(u8::from(summary.collisions > 0 || !broken.is_empty())))
    }

    /// Does what was recorded again.
    fn run_again(&self, file: &Path, json: bool) -> Outcome {
        const MOST_BYTES: u64 = 4 << 30;
        let bytes = crate::map_file::read(file, MOST_BYTES)?;
        let name = file.display();
        let recording =
            Recording::from_bytes(&bytes).map_err(|error| format!("{name}: {error}"))?;
        let mut start = recording.start().map_err(|error| format!("{name}: {error}"))?;
        start.set_threads(self.threads.unwrap_or(1) as usize);
        let mut screening = self.screening(&start, recording.end(), json)?;
        let mut commands = recording.commands().iter().peekable();
        let mut world = start;
        while world.now() < recording.end() {
            screening.before(&world)?;
            while let Some(given) = commands.next_if(|given| given.tick <= world.now()) {
                // What failed then fails now.
                let _ = world.apply(&given.command);
            }
            screening.tick(&mut world)?;
        }
        let witness = screening.finish()?;
        let summary = witness.summary(&world);
        output::print(&summary.written(json)?)?;
        Ok(ExitCode::from(u8::from(summary.collisions > 0)))
    }

    fn screening(
        &self,
        world: &World,
        ticks: u64,
        json: bool,
    ) -> Result<Screening, Box<dyn Error>> {
        Ok(Screening {
            film: self.film(world)?,
            every: self.pause(world),
            witness: Witness::new(world)?,
            bar: progress::bar(ticks, "ticks"),
            json,
        })
    }

    fn film(&self, world: &World) -> Result<Option<Film>, Box<dyn Error>> {
        if let Some(folder) = &self.image {
            return Film::folder(folder).map(Some);
        }
        let Some(file) = &self.gif else { return Ok(None) };
        // As fast as it was, as far as the format can.
        let second = u64::from(world.settings().ticks_per_second);
        let hundredths = (self.pause(world) * 100 / second / self.faster).clamp(2, 200) as u16;
        Film::movie(file, world, hundredths).map(Some)
    }

    fn pause(&self, world: &World) -> u64 {
        let usual = u64::from(world.settings().ticks_per_second / 10).max(1);
        self.every.unwrap_or(usual)
    }
}

/// Somebody watches a world tick by tick, and it may be filmed.
struct Screening {
    film: Option<Film>,
    every: u64,
    witness: Witness,
    bar: Bar,
    json: bool,
}

impl Screening {
    /// Takes the picture that is due.
    fn before(&mut self, world: &World) -> Result<(), Box<dyn Error>> {
        let due = world.now().is_multiple_of(self.every);
        self.film.as_mut().filter(|_| due).map_or(Ok(()), |film| film.add(world))
    }

    /// Lets a tick pass, and looks at what came of it.
    fn tick(&mut self, world: &mut World) -> Result<(), Box<dyn Error>> {
        let clock = ProcessTime::now();
        world.tick();
        let seconds = clock.elapsed().as_secs_f64();
        self.witness.look(world, seconds);
        self.bar.advance(1);
        if self.json { output::print_json(&self.witness.tick(world, seconds)) } else { Ok(()) }
    }

    /// Ends the film; what was seen.
    fn finish(self) -> Result<Witness, Box<dyn Error>> {
        self.bar.clear();
        self.film.map_or(Ok(()), Film::finish)?;
        Ok(self.witness)
    }
}

/// The same settings for units that plan as if there was nothing but plain A*.
fn plainly(settings: &Settings) -> Settings {
    const ALL: u32 = 1 << 30;
    let classes = settings.classes.iter().map(|class| class.clone().planner("astar"));
    Settings {
        classes: classes.collect(),
        budget: TickBudget { full: ALL, repair: ALL, ..settings.budget },
        quick_cells: 1,
        quick_expansions: 1,
        share_from: u32::MAX,
        ..settings.clone()
    }
}

/// What a scenario expects before its end and did not get.
fn broken_early(early: &Early, witness: &Witness) -> Vec<String> {
    let (tick, arrived, waited) = (early.tick, witness.arrived(), witness.longest_quick_wait());
    let few = early.arrived.filter(|&least| arrived < least);
    let long = early.quick_path_ticks.filter(|&most| waited > most);
    let few = few.map(|least| format!("{arrived} units arrived by tick {tick}, not {least}"));
    let long = long.map(|most| format!("a quick path took {waited} ticks, not {most}"));
    few.into_iter().chain(long).collect()
}

/// What a scenario expects and did not get.
fn broken_promises(scenario: &Scenario, summary: &Summary) -> Vec<String> {
    let mut broken = Vec::new();
    let expect = &scenario.expect;
    if let Some(least) = expect.arrived.filter(|&least| summary.arrived < least) {
        broken.push(format!("{} units arrived, not {least}", summary.arrived));
    }
    let outside = summary.more.get("outside_radius").and_then(serde_json::Value::as_u64);
    if let Some(most) = expect.outside_radius
        && outside.unwrap_or(0) > most.into()
    {
        broken.push(format!("{} units are outside their radius", outside.unwrap_or(0)));
    }
    let waited = summary.more.get("quick_path_ticks_max").and_then(serde_json::Value::as_u64);
    if let Some(most) = expect.quick_path_ticks.filter(|&most| waited.unwrap_or(0) > most) {
        broken.push(format!("a quick path took {} ticks, not {most}", waited.unwrap_or(0)));
    }
    if summary.over_budget_ticks > 0 {
        broken.push(format!("{} ticks exceeded their budget", summary.over_budget_ticks));
    }
    if let Some(hash) = expect.hash.as_ref().filter(|&hash| *hash != summary.state_hash) {
        broken.push(format!("the state is {}, not {hash}", summary.state_hash));
    }
    broken
}

/// The seconds that plain A* takes for a query of median length on a map.
fn median_query(grid: &Grid) -> Result<f64, Box<dyn Error>> {
    const QUERIES: usize = 101;
    let moves = blockstar::Moves::EIGHT;
    let astar = Algorithm::named("astar")?.prepare(grid, moves)?;
    let mut scratch = Scratch::new();
    let mut times = Vec::new();
    for (start, goal) in generate::queries(grid, QUERIES, 1) {
        let query = Query::new(start, goal);
        astar.find(grid, &query, &mut scratch)?;
        let cost = scratch.path().cost();
        let clock = ProcessTime::now();
        astar.find(grid, &query, &mut scratch)?;
        times.push((cost, clock.elapsed().as_secs_f64()));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The clock is coarse: the mean of the ten around the middle.
    let middle = times.len() / 2;
    let around = &times[middle.saturating_sub(5)..(middle + 5).min(times.len())];
    Ok(around.iter().map(|time| time.1).sum::<f64>() / around.len().max(1) as f64)
}
