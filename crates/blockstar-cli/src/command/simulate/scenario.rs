//! Scenarios: a map, units, and a timetable of orders and edits, as TOML.
//!
//! Whatever is wrong is said with the file and the line: fields that do not exist, units in walls or
//! on top of each other, goals outside the map. `docs/cli.md` has all fields.

use crate::map_file::{self, MapOptions};
use blockstar::{Cell, Grid, Moves, Rect, generate};
use blockstar_world::{
    Class, Formation, Goal, Keys, Kind, Order, Pace, Settings, Speed, Stepping, Terrain,
    TickBudget, UnderUnit,
};
use serde::Deserialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The most bytes of a scenario.
const MOST_BYTES: u64 = 16 << 20;

/// The most ticks of a timetable.
const MOST_TICKS: u64 = 10_000_000;

/// A scenario as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scenario {
    /// For people; nothing depends on it.
    #[serde(default)]
    pub title: String,
    /// How long it runs.
    pub ticks: u64,
    #[serde(default)]
    ticks_per_second: Option<Spanned<u16>>,
    #[serde(default)]
    moves: Option<Spanned<String>>,
    #[serde(default)]
    stepping: Option<Spanned<String>>,
    #[serde(default)]
    under_unit: Option<Spanned<String>>,
    #[serde(default)]
    share_from: Option<u32>,
    #[serde(default)]
    meter_chokes: Option<bool>,
    #[serde(default)]
    most_jammed: Option<u16>,
    #[serde(default)]
    budget: Budget,
    pub map: Spanned<MapSpec>,
    #[serde(default)]
    class: Vec<Spanned<ClassSpec>>,
    #[serde(default)]
    pub terrain: Vec<Spanned<TerrainSpec>>,
    #[serde(default)]
    pub door: Vec<Spanned<DoorSpec>>,
    #[serde(default)]
    pub unit: Vec<Spanned<UnitSpec>>,
    #[serde(default)]
    pub order: Vec<Spanned<OrderSpec>>,
    #[serde(default)]
    pub edit: Vec<Spanned<EditSpec>>,
    /// What must have come of it.
    #[serde(default)]
    pub expect: Expect,
}

/// Expansions per tick; what is left out has its default.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Budget {
    quick: Option<u32>,
    full: Option<u32>,
    repair: Option<u32>,
    fields: Option<u32>,
    steps: Option<u32>,
}

/// Where the map comes from: one of a file, a drawing and a generator.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MapSpec {
    file: Option<PathBuf>,
    drawing: Option<String>,
    generate: Option<String>,
    size: Option<(u32, u32)>,
    #[serde(default)]
    seed: u64,
    room: Option<u32>,
    corridor: Option<u32>,
    blocked: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ClassSpec {
    name: String,
    size: Option<u8>,
    speed: Option<f64>,
    /// Of its disc in the plane, in cells.
    radius: Option<f64>,
    /// What it can enter, with what that costs.
    terrain: Option<std::collections::BTreeMap<String, f64>>,
    #[serde(default)]
    keys: Vec<u8>,
    #[serde(default)]
    planner: String,
}

/// A rectangle of another kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TerrainSpec {
    /// x, y, width, height.
    pub rect: [u32; 4],
    /// `wall`, `ground`, `water`, or a number.
    pub kind: String,
}

/// A door.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DoorSpec {
    /// What edits call it.
    pub name: String,
    /// x, y, width, height.
    pub rect: [u32; 4],
    /// Who has this key opens it.
    #[serde(default)]
    pub key: u8,
    /// Whether it is open in the beginning.
    #[serde(default = "yes")]
    pub open: bool,
}

/// Some units.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitSpec {
    /// What orders call them.
    pub name: String,
    /// The name of their class; the first one if it is left out.
    pub class: Option<String>,
    /// Whose they are.
    #[serde(default)]
    pub team: u8,
    /// Where they stand, one cell each.
    #[serde(default)]
    pub at: Vec<[u32; 2]>,
    /// Or so many of them, on the first free places of a rectangle.
    pub area: Option<[u32; 4]>,
    /// How many.
    pub count: Option<u32>,
}

/// An order at a time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OrderSpec {
    /// After how many ticks.
    #[serde(default)]
    pub tick: u64,
    /// The name of the units.
    pub units: String,
    /// Where to.
    #[serde(rename = "move")]
    go: Option<[u32; 2]>,
    near: Option<u16>,
    /// Where to, one cell for each unit.
    pub places: Option<Vec<[u32; 2]>>,
    any: Option<Vec<[u32; 2]>>,
    beside: Option<[u32; 4]>,
    patrol: Option<Vec<[u32; 2]>>,
    wait: Option<u32>,
    #[serde(default)]
    hold: bool,
    #[serde(default)]
    stop: bool,
    /// The name of whom to follow.
    pub follow: Option<String>,
    /// The name of whom to flee from.
    pub flee: Option<String>,
    range: Option<u16>,
    formation: Option<String>,
    pace: Option<String>,
    /// After what they are doing.
    #[serde(default)]
    pub queue: bool,
    /// Each unit by itself, not as a group.
    #[serde(default)]
    pub each: bool,
}

/// An edit at a time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EditSpec {
    /// After how many ticks.
    #[serde(default)]
    pub tick: u64,
    /// Again after so many.
    pub every: Option<u64>,
    /// Not after this tick.
    pub until: Option<u64>,
    /// A rectangle becomes a wall.
    pub block: Option<[u32; 4]>,
    /// A rectangle becomes ground.
    pub free: Option<[u32; 4]>,
    /// The name of a door that opens.
    pub open: Option<String>,
    /// The name of a door that closes.
    pub close: Option<String>,
    /// Walls in random places, which are gone again the next time.
    pub scatter: Option<Scatter>,
}

/// Walls in random places.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Scatter {
    /// How many.
    pub count: u32,
    /// Their width and height.
    pub size: (u32, u32),
    /// The seed.
    #[serde(default)]
    pub seed: u64,
}

/// What must hold in the end; what is left out need not.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Expect {
    /// At least so many units arrived.
    pub arrived: Option<u32>,
    /// At most so many ended outside the radius of their group.
    pub outside_radius: Option<u32>,
    /// Nobody waited longer for a quick path, in ticks.
    pub quick_path_ticks: Option<u64>,
    /// The hash of the last state.
    pub hash: Option<String>,
    /// What must hold before the end.
    pub early: Option<Early>,
}

/// What must hold after some of the ticks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Early {
    /// After how many.
    pub tick: u64,
    /// At least so many units have arrived by then.
    pub arrived: Option<u32>,
    /// Nobody waited longer for a quick path until then, in ticks.
    pub quick_path_ticks: Option<u64>,
}

const fn yes() -> bool {
    true
}

/// A file with its lines, to say where something is wrong.
pub struct Source {
    path: PathBuf,
    text: String,
}

const STEPPING: [(&str, Stepping); 3] =
    [("cells", Stepping::Cells), ("plane", Stepping::Plane), ("ghost", Stepping::Ghost)];
const UNDER_UNIT: [(&str, UnderUnit); 3] =
    [("refuse", UnderUnit::Refuse), ("push", UnderUnit::Push), ("crush", UnderUnit::Crush)];

impl Source {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let bytes = map_file::read(path, MOST_BYTES)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| format!("{} is no text: write it as UTF-8", path.display()))?;
        Ok(Self { path: path.into(), text })
    }

    /// The scenario in it.
    pub fn parse(&self) -> Result<Scenario, Box<dyn Error>> {
        let scenario: Scenario = toml::from_str(&self.text).map_err(|error| {
            let line = error.span().map_or(1, |span| self.line(span.start));
            let words = error.message().trim_end().replace('\n', ": ");
            format!("{}, line {line}: {words}", self.path.display())
        })?;
        if scenario.ticks == 0 || scenario.ticks > MOST_TICKS {
            return Err(format!(
                "{}: ticks is {}, but must be 1 to {MOST_TICKS}",
                self.path.display(),
                scenario.ticks
            )
            .into());
        }
        Ok(scenario)
    }

    /// A sentence about a part of it.
    pub fn at<T>(&self, part: &Spanned<T>, problem: impl std::fmt::Display) -> String {
        format!("{}, line {}: {problem}", self.path.display(), self.line(part.span().start))
    }

    /// What a word of it stands for.
    fn word<T: Copy>(
        &self,
        name: &Spanned<String>,
        what: &str,
        known: [(&str, T); 3],
    ) -> Result<T, String> {
        let meant = known.iter().find(|(word, _)| word == name.get_ref());
        let [first, second, third] = known.map(|(word, _)| word);
        meant.map(|(_, value)| *value).ok_or_else(|| {
            self.at(name, format_args!("{what} is `{first}`, `{second}` or `{third}`"))
        })
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text.bytes().take(at).filter(|&byte| byte == b'\n').count()
    }

    /// A file that is named in it, beside it.
    fn beside(&self, path: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }
}

impl Scenario {
    /// The map.
    pub fn grid(&self, source: &Source) -> Result<Grid, Box<dyn Error>> {
        let spec = self.map.get_ref();
        let wrong = |problem: &str| -> Box<dyn Error> { source.at(&self.map, problem).into() };
        let grid = match (&spec.file, &spec.drawing, &spec.generate) {
            (Some(file), None, None) => {
                return Ok(map_file::load(&source.beside(file), &MapOptions::default())?.grid);
            }
            (None, Some(drawing), None) => Grid::from_ascii(drawing),
            (None, None, Some(kind)) => {
                let (width, height) = spec
                    .size
                    .ok_or_else(|| wrong("a generated map needs a `size`, as in [64, 48]"))?;
                match kind.as_str() {
                    "open" => Grid::new(width, height),
                    "caves" => generate::caves(width, height, spec.seed),
                    "rooms" => generate::rooms(width, height, spec.room.unwrap_or(15), spec.seed),
                    "maze" => generate::maze(width, height, spec.corridor.unwrap_or(3), spec.seed),
                    "random" => {
                        generate::random(width, height, spec.blocked.unwrap_or(20.0), spec.seed)
                    }
                    _ => {
                        return Err(wrong(
                            "there are `open`, `caves`, `rooms`, `maze` and `random` maps",
                        ));
                    }
                }
            }
            _ => {
                return Err(wrong("give the map one of `file`, `drawing` and `generate`"));
            }
        };
        grid.map_err(|error| source.at(&self.map, error).into())
    }

    /// The settings of the world.
    pub fn settings(&self, source: &Source) -> Result<Settings, Box<dyn Error>> {
        let mut settings = Settings::new();
        if let Some(ticks) = &self.ticks_per_second {
            settings.ticks_per_second = *ticks.get_ref();
        }
        if let Some(name) = &self.moves {
            settings.moves =
                name.get_ref().parse::<Moves>().map_err(|error| source.at(name, error))?;
        }
        if let Some(name) = &self.stepping {
            settings.stepping = source.word(name, "stepping", STEPPING)?;
        }
        if let Some(name) = &self.under_unit {
            settings.under_unit = source.word(name, "under-unit", UNDER_UNIT)?;
        }
        settings.share_from = self.share_from.unwrap_or(settings.share_from);
        settings.meter_chokes = self.meter_chokes.unwrap_or(settings.meter_chokes);
        settings.most_jammed = self.most_jammed.unwrap_or(settings.most_jammed);
        let Budget { quick, full, repair, fields, steps } = self.budget;
        let usual = settings.budget;
        settings.budget = TickBudget {
            quick: quick.unwrap_or(usual.quick),
            full: full.unwrap_or(usual.full),
            repair: repair.unwrap_or(usual.repair),
            fields: fields.unwrap_or(usual.fields),
            steps: steps.unwrap_or(usual.steps),
        };
        if !self.class.is_empty() {
            settings.classes.clear();
        }
        for class in &self.class {
            settings.classes.push(class_of(class, source)?);
        }
        Ok(settings)
    }
}

fn class_of(spec: &Spanned<ClassSpec>, source: &Source) -> Result<Class, Box<dyn Error>> {
    let ClassSpec { name, size, speed, radius, terrain, keys, planner } = spec.get_ref();
    let mut class = Class::new(name.as_str()).size(size.unwrap_or(1)).planner(planner.as_str());
    if let Some(speed) = speed {
        let speed = Speed::cells_per_second(*speed).map_err(|error| source.at(spec, error))?;
        class = class.speed(speed);
    }
    if let Some(radius) = radius {
        class = class.radius(*radius);
        class.check().map_err(|error| source.at(spec, error))?;
    }
    if let Some(terrain) = terrain {
        let mut known = Terrain::only(Kind::WALL).with(Kind::WALL, 0);
        for (name, cost) in terrain {
            let kind = kind(name).map_err(|problem| source.at(spec, problem))?;
            if !(0.0..256.0).contains(cost) {
                return Err(source.at(spec, format!("{name} costs {cost}: 0 to 255")).into());
            }
            known = known.with(kind, (cost * 256.0) as u16);
        }
        class = class.terrain(known);
    }
    let mut bits = 0;
    for &key in keys {
        if key > 31 {
            return Err(source.at(spec, format!("key {key} must be 0 to 31")).into());
        }
        bits |= 1 << key;
    }
    Ok(class.keys(Keys(bits)))
}

/// A kind of cell by its name.
pub fn kind(name: &str) -> Result<Kind, String> {
    match name {
        "wall" => Ok(Kind::WALL),
        "ground" => Ok(Kind::GROUND),
        "water" => Ok(Kind::WATER),
        number => {
            number.parse().ok().filter(|&kind: &u8| kind < Kind::COUNT).map(Kind).ok_or_else(|| {
                format!("`{name}` is no kind of cell: `wall`, `ground`, `water`, or a number to 15")
            })
        }
    }
}

/// A rectangle from four numbers.
pub const fn rect([x, y, width, height]: [u32; 4]) -> Rect {
    Rect::new(x, y, width, height)
}

impl OrderSpec {
    /// The order, but for those that name other units.
    pub fn order(&self) -> Result<Option<Order>, String> {
        let cell = |[x, y]: [u32; 2]| Cell::new(x, y);
        let cells = |list: &[[u32; 2]]| list.iter().map(|&at| cell(at)).collect::<Vec<_>>();
        let formation = match self.formation.as_deref() {
            None => None,
            Some("square") => Some(Formation::Square),
            Some("line") => Some(Formation::Line),
            Some("column") => Some(Formation::Column),
            Some(other) => {
                return Err(format!("there is no formation `{other}`: `square`, `line`, `column`"));
            }
        };
        let pace = match self.pace.as_deref() {
            None | Some("own") => Pace::Own,
            Some("slowest") => Pace::Slowest,
            Some(other) => return Err(format!("there is no pace `{other}`: `own`, `slowest`")),
        };
        let go = |to| Order::Move { to, formation, pace };
        let mut found = Vec::new();
        if let Some(to) = self.go {
            let goal = match self.near {
                Some(near) => Goal::Near(cell(to), near),
                None => Goal::Cell(cell(to)),
            };
            found.push(Some(go(goal)));
        }
        found.extend(self.places.as_ref().map(|_| None));
        found.extend(self.any.as_ref().map(|list| Some(go(Goal::Any(cells(list))))));
        found.extend(self.beside.map(|building| Some(go(Goal::Beside(rect(building))))));
        found.extend(self.patrol.as_ref().map(|list| {
            let stops = cells(list).into_iter().map(Goal::Cell).collect();
            Some(Order::Patrol { stops, cycle: true })
        }));
        found.extend(self.wait.map(|ticks| Some(Order::Wait(ticks))));
        found.extend(self.hold.then_some(Some(Order::Hold)));
        found.extend(self.stop.then_some(Some(Order::Stop)));
        found.extend(self.follow.as_ref().map(|_| None));
        found.extend(self.flee.as_ref().map(|_| None));
        match found.len() {
            1 => Ok(found.remove(0)),
            _ => Err(
                "an order is one of `move`, `places`, `any`, `beside`, `patrol`, `wait`, `hold`, `stop`, \
                      `follow` and `flee`"
                    .into(),
            ),
        }
    }

    /// How near to follow, or how far to flee.
    pub fn range(&self) -> u16 {
        self.range.unwrap_or(4)
    }
}
