//! Units that live on a map: columns of them as arrays.
//!
//! A unit is one number here, its slot and generation; the world knows its name by the slot.

use crate::error::{raise_with, refuse};
use crate::grid::Grid;
use crate::place::Axes;
use crate::planner::unlocked;
use blockstar::{Cell, Moves, Rect, Tile};
use blockstar_world::{
    Class, Edit, EditReport, Error, Event, Formation, Goal, Keys, Order, Pace, Settings, Spawn,
    Speed, State, Stepping, UnderUnit, UnitId, Who,
};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Mutex;

/// See `blockstar/world.py`.
#[pyclass(frozen, subclass, module = "blockstar._blockstar", name = "World")]
pub struct World {
    inner: Mutex<Inner>,
}

struct Inner {
    world: blockstar_world::World,
    /// The units by slot, as they were last heard of.
    names: Vec<Option<UnitId>>,
}

/// A unit as a number.
fn number(unit: UnitId) -> u64 {
    u64::from(unit.generation()) << 32 | u64::from(unit.slot())
}

/// The name of what a unit does, by its number in the column of states.
const STATES: [&str; 9] =
    ["idle", "holding", "waiting", "moving", "yielding", "stuck", "arrived", "stranded", "held"];

fn state(state: State) -> u8 {
    match state {
        State::Idle => 0,
        State::Holding => 1,
        State::Waiting => 2,
        State::Moving(_) => 3,
        State::Yielding => 4,
        State::Stuck { .. } => 5,
        State::Arrived => 6,
        State::Stranded => 7,
        State::Held => 8,
    }
}

const STEPPING: [(&str, Stepping); 3] =
    [("cells", Stepping::Cells), ("plane", Stepping::Plane), ("ghost", Stepping::Ghost)];

const UNDER: [(&str, UnderUnit); 3] =
    [("push", UnderUnit::Push), ("refuse", UnderUnit::Refuse), ("crush", UnderUnit::Crush)];

const FORMATIONS: [(&str, Option<Formation>); 4] = [
    ("none", None),
    ("square", Some(Formation::Square)),
    ("line", Some(Formation::Line)),
    ("column", Some(Formation::Column)),
];

const PACES: [(&str, Pace); 2] = [("own", Pace::Own), ("slowest", Pace::Slowest)];

/// A class as `blockstar/world.py` writes it: name, size, speed, planner, radius, keys.
type ClassRow = (String, u8, f64, String, Option<f64>, u32);

fn class((name, size, speed, planner, radius, keys): ClassRow) -> Result<Class, Error> {
    let speed = Speed::cells_per_second(speed)?;
    let class = Class::new(name).size(size).speed(speed).planner(planner).keys(Keys(keys));
    Ok(radius.map_or(class.clone(), |radius| class.radius(radius)))
}

/// The setting of a name.
fn named<T: Copy>(what: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    all.iter().find(|(known, _)| *known == name).map(|&(_, value)| value).ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|(known, _)| format!("\"{known}\"")).collect();
        refuse(format!("{what} is \"{name}\": use one of {}", known.join(", ")))
    })
}

fn event(event: &Event) -> &'static str {
    match event {
        Event::Started(..) => "started",
        Event::PathChanged(..) => "path-changed",
        Event::Waypoint(..) => "waypoint",
        Event::Arrived(..) => "arrived",
        Event::Blocked(..) => "blocked",
        Event::Freed(_) => "freed",
        Event::Unreachable(..) => "unreachable",
        Event::GaveUp(..) => "gave-up",
        Event::TargetLost(..) => "target-lost",
        Event::Displaced(..) => "displaced",
        Event::Crushed(_) => "crushed",
        Event::GroupArrived(_) => "group-arrived",
        Event::GroupSplit(..) => "group-split",
        Event::Held(..) => "held",
        Event::Overloaded { .. } => "overloaded",
    }
}

/// The exception of an error, with places as (row, column).
fn raise(error: &Error) -> PyErr {
    let place = |cell: &Cell| format!("({}, {})", cell.y, cell.x);
    match error {
        Error::Outside { what, cell, width, height } => {
            let size = format!("{height} rows and {width} columns");
            let (what, at) = (*what, place(cell));
            let error =
                blockstar::Error::Outside { what, cell: *cell, width: *width, height: *height };
            raise_with(
                &error,
                format!("{what} {at}, (row, column), lies outside the map of {size}"),
            )
        }
        Error::Wall { cell, size } => refuse(format!(
            "a unit of {size} x {size} cells cannot stand at {}: a wall is in the way",
            place(cell)
        )),
        Error::Taken { cell, by } => refuse(format!("{by} stands at {} already", place(cell))),
        Error::Planner(error) => Axes::RowColumn.raise(error.clone()),
        Error::File(problem) => {
            let error = blockstar::Error::Database { kind: "a world", problem: problem.clone() };
            raise_with(&error, format!("this saved world cannot be used: {problem}"))
        }
        _ => refuse(error.to_string()),
    }
}

impl Inner {
    fn new(world: blockstar_world::World) -> Self {
        let mut inner = Self { names: Vec::new(), world };
        let names: Vec<_> = inner.world.units().map(|unit| unit.id()).collect();
        names.into_iter().for_each(|unit| inner.remember(unit));
        inner
    }

    fn remember(&mut self, unit: UnitId) {
        let slot = unit.slot() as usize;
        if self.names.len() <= slot {
            self.names.resize(slot + 1, None);
        }
        self.names[slot] = Some(unit);
    }

    /// The names of units by their numbers.
    fn units(&self, numbers: &[u64]) -> Result<Vec<UnitId>, String> {
        let name = |&wanted: &u64| {
            let known = self.names.get(wanted as u32 as usize).copied().flatten();
            known.filter(|unit| number(*unit) == wanted && self.world.unit(*unit).is_some())
        };
        let named = numbers.iter().map(|wanted| name(wanted).ok_or(wanted));
        named.collect::<Result<_, _>>().map_err(|wanted| {
            format!("there is no unit {wanted} (any more): take those of `world.ids`")
        })
    }
}

impl World {
    /// Does something with the world while other Python threads run.
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut Inner) -> T + Send) -> T {
        py.detach(|| act(&mut unlocked(&self.inner)))
    }

    /// Changes the map; how many ways that cut, and who stood there.
    fn edit(&self, py: Python<'_>, edits: Vec<Edit>) -> PyResult<(u32, Vec<u64>)> {
        let edited = self.with(py, |inner| {
            let (mut cut, mut under) = (0, Vec::new());
            for edit in edits {
                let EditReport { refused, under: stood, cut: cuts, .. } = inner.world.edit(edit)?;
                if refused {
                    return Ok(None);
                }
                cut += cuts;
                under.extend(stood.into_iter().map(number));
            }
            Ok(Some((cut, under)))
        });
        edited.map_err(|error: Error| raise(&error))?.ok_or_else(|| {
            refuse("units stand there, and the world refuses to build on them (under_unit)")
        })
    }

    /// A column of pairs of the units that are there.
    fn pairs<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        pair: impl Fn(&blockstar_world::Columns, usize) -> [T; 2] + Sync,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values: Vec<T> = self.with(py, |inner| {
            let columns = inner.world.columns();
            let slots = (0..columns.ids().len()).filter(|&slot| columns.ids()[slot].is_some());
            slots.flat_map(|slot| pair(columns, slot)).collect()
        });
        let rows = values.len() / 2;
        Ok(PyArray1::from_vec(py, values).reshape([rows, 2])?.into_any())
    }
}

#[pymethods]
impl World {
    /// What units do, by the numbers in `states`.
    #[classattr]
    const STATES: [&'static str; 9] = STATES;

    #[new]
    fn new(
        py: Python<'_>,
        grid: &Grid,
        classes: Vec<ClassRow>,
        moves: &str,
        ticks_per_second: u16,
        stepping: &str,
        under_unit: &str,
    ) -> PyResult<Self> {
        let classes = classes.into_iter().map(class).collect::<Result<Vec<Class>, Error>>();
        let classes = classes.map_err(|error| raise(&error))?;
        let under = named("under_unit", under_unit, &UNDER)?;
        let stepping = named("stepping", stepping, &STEPPING)?;
        let moves: Moves = moves.parse().map_err(crate::error::raise)?;
        let settings = Settings::new().classes(classes).moves(moves).stepping(stepping);
        let settings = settings.ticks_per_second(ticks_per_second).under_unit(under);
        let world = grid.shared.work(py, |grid| blockstar_world::World::new(grid, settings))?;
        let inner = Inner::new(world.map_err(|error| raise(&error))?);
        Ok(Self { inner: Mutex::new(inner) })
    }

    /// Makes units of one class, all or none; their numbers.
    fn spawn_cells<'py>(
        &self,
        py: Python<'py>,
        cells: PyReadonlyArray2<'_, i64>,
        class: u16,
        team: u8,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let rows = cells.as_array();
        let read = |row: usize| Axes::RowColumn.cell_of("a unit", [rows[[row, 0]], rows[[row, 1]]]);
        let cells = (0..cells.shape()[0]).map(read).collect::<Result<Vec<Cell>, _>>();
        let cells = cells.map_err(|error| Axes::RowColumn.raise(error))?;
        let spawned = self.with(py, |inner| {
            let mut made = Vec::with_capacity(cells.len());
            for cell in cells {
                match inner.world.spawn(Spawn::new(cell, class).team(team)) {
                    Ok(unit) => made.push(unit),
                    Err(error) => {
                        for unit in made {
                            inner.world.despawn(unit);
                        }
                        return Err(error);
                    }
                }
            }
            made.iter().for_each(|&unit| inner.remember(unit));
            Ok(made.into_iter().map(number).collect::<Vec<u64>>())
        });
        Ok(PyArray1::from_vec(py, spawned.map_err(|error| raise(&error))?))
    }

    /// Takes units away.
    fn despawn_units(&self, py: Python<'_>, units: Vec<u64>) -> PyResult<()> {
        let gone = self.with(py, |inner| {
            let units = inner.units(&units)?;
            for unit in units {
                inner.world.despawn(unit);
            }
            Ok(())
        });
        gone.map_err(|problem: String| refuse(problem))
    }

    /// Tells units what to do.
    #[allow(clippy::too_many_arguments)]
    fn order(
        &self,
        py: Python<'_>,
        units: Vec<u64>,
        what: &str,
        places: Vec<Bound<'_, PyAny>>,
        numbers: [u16; 2],
        whom: Option<u64>,
        group: [String; 2],
        queued: bool,
    ) -> PyResult<()> {
        let formation = named("formation", &group[0], &FORMATIONS)?;
        let pace = named("pace", &group[1], &PACES)?;
        let go = |to: Goal| Order::Move { to, formation, pace };
        let cells = places.iter().map(|place| Axes::RowColumn.read_cell("goal", place));
        let cells = cells.collect::<PyResult<Vec<Cell>>>()?;
        let [first, second] = numbers;
        let ordered = self.with(py, |inner| {
            let units = inner.units(&units)?;
            let whom = whom.map(|whom| inner.units(&[whom])).transpose()?;
            let order = match (what, whom.as_deref(), cells.as_slice()) {
                ("stop", ..) => Order::Stop,
                ("hold", ..) => Order::Hold,
                ("wait", ..) => Order::Wait(first.into()),
                ("follow", Some(&[whom]), _) => Order::Follow { whom, min: first, max: second },
                ("flee", Some(&[from]), _) => Order::Flee { from, range: first },
                ("patrol", _, stops) => {
                    let stops = stops.iter().map(|&cell| Goal::Cell(cell)).collect();
                    Order::Patrol { stops, cycle: first != 0 }
                }
                ("beside", _, &[corner]) => {
                    go(Goal::Beside(Rect::new(corner.x, corner.y, second.into(), first.into())))
                }
                (_, _, &[cell]) if first > 0 => go(Goal::Near(cell, first)),
                (_, _, &[cell]) => go(Goal::Cell(cell)),
                (_, _, cells) => go(Goal::Any(cells.to_vec())),
            };
            let who = Who::Units(units);
            let world = &mut inner.world;
            let given = if queued { world.queue(who, order) } else { world.order(who, order) };
            Ok(given.map(drop))
        });
        ordered.map_err(|problem: String| refuse(problem))?.map_err(|error| raise(&error))
    }

    /// Frees and blocks cells from a cell on; how many ways that cut, and who stood there.
    fn patch(
        &self,
        py: Python<'_>,
        row: u32,
        column: u32,
        free: PyReadonlyArray2<'_, u8>,
    ) -> PyResult<(u32, Vec<u64>)> {
        let (rows, columns) = (free.shape()[0] as u32, free.shape()[1] as u32);
        let array = free.as_array();
        let cells = |tile: Tile| {
            let chosen = array
                .indexed_iter()
                .filter(move |(_, value)| (**value != 0) == (tile == Tile::Free));
            chosen.map(|((down, right), _)| Cell::new(column + right as u32, row + down as u32))
        };
        let rect = Rect::new(column, row, columns, rows);
        let first = array.iter().next().map(|value| *value != 0);
        let edits = match first {
            None => Vec::new(),
            Some(free) if array.iter().all(|value| (*value != 0) == free) => {
                vec![Edit::rect(rect, if free { Tile::Free } else { Tile::Blocked })]
            }
            Some(_) => {
                [Tile::Free, Tile::Blocked].map(|tile| Edit::stamp(cells(tile), tile)).into()
            }
        };
        self.edit(py, edits)
    }

    /// Puts an open door over some cells, for those with the key also passable when closed; its
    /// number.
    fn put_door(
        &self,
        py: Python<'_>,
        rows: (u32, u32),
        columns: (u32, u32),
        key: u8,
    ) -> PyResult<usize> {
        let rect = Rect::new(columns.0, rows.0, columns.1 - columns.0, rows.1 - rows.0);
        let door = self.with(py, |inner| inner.world.doors().count());
        self.edit(py, vec![Edit::AddDoor(rect, key)]).map(|_| door)
    }

    /// Opens or closes a door; how many ways that cut, and who stood there.
    fn set_door(&self, py: Python<'_>, door: u16, open: bool) -> PyResult<(u32, Vec<u64>)> {
        self.edit(py, vec![Edit::Door(door, open)])
    }

    /// Which doors are open.
    #[getter]
    fn doors(&self, py: Python<'_>) -> Vec<bool> {
        self.with(py, |inner| inner.world.doors().map(|(_, open)| open).collect())
    }

    /// Goes on for some ticks; what happened, as (tick, event, unit or None).
    fn ticks(&self, py: Python<'_>, count: u32) -> PyResult<Vec<(u64, &'static str, Option<u64>)>> {
        let mut told = Vec::new();
        let mut left = count;
        while left > 0 {
            py.check_signals()?;
            // A tick has a budget: sixteen of them do not keep Ctrl-C waiting.
            let some = left.min(16);
            told.append(&mut self.with(py, |inner| {
                let mut told = Vec::new();
                for _ in 0..some {
                    let tick = inner.world.now();
                    let events = inner.world.tick().iter();
                    told.extend(events.map(|one| (tick, event(one), one.unit().map(number))));
                }
                told
            }));
            left -= some;
        }
        Ok(told)
    }

    /// How many threads plan; it changes nothing but the time.
    fn set_threads(&self, py: Python<'_>, threads: usize) -> PyResult<()> {
        crate::planner::check_threads(Some(threads))?;
        self.with(py, |inner| inner.world.set_threads(threads));
        Ok(())
    }

    /// The number of ticks so far.
    #[getter]
    fn now(&self, py: Python<'_>) -> u64 {
        self.with(py, |inner| inner.world.now())
    }

    /// The units that are there, as uint64; all columns below have the same order. They are as of
    /// the last tick.
    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let ids = self.with(py, |inner| {
            inner.world.columns().ids().iter().flatten().map(|&unit| number(unit)).collect()
        });
        PyArray1::from_vec(py, ids)
    }

    /// The upper left cells that units have, as an (n, 2) int32 array of rows and columns.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.pairs(py, |columns, slot| Axes::RowColumn.of_cell(columns.cells()[slot]))
    }

    /// The middles of units, as an (n, 2) float32 array of rows and columns.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.pairs(py, |columns, slot| {
            let [x, y] = columns.positions()[slot];
            [y - 0.5, x - 0.5]
        })
    }

    /// Where units look, as an (n, 2) float32 array of vectors down and to the right.
    #[getter]
    fn headings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.pairs(py, |columns, slot| {
            let [x, y] = columns.headings()[slot];
            [y, x]
        })
    }

    /// What units do, as uint8: numbers of `STATES`.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let states = self.with(py, |inner| {
            let columns = inner.world.columns();
            let there = columns.ids().iter().zip(columns.states());
            there.filter(|(id, _)| id.is_some()).map(|(_, &one)| state(one)).collect()
        });
        PyArray1::from_vec(py, states)
    }

    /// What the last tick did, as a dictionary.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stats = self.with(py, |inner| *inner.world.stats());
        let dict = PyDict::new(py);
        dict.set_item("expansions", stats.spent.total())?;
        dict.set_item("queued", stats.queued)?;
        dict.set_item("plans", stats.plans)?;
        dict.set_item("repairs", stats.repairs)?;
        dict.set_item("arrived", stats.arrived)?;
        dict.set_item("gave_up", stats.gave_up)?;
        dict.set_item("movers", stats.movers)?;
        Ok(dict)
    }

    /// A hash of all that matters: equal worlds have equal ones, on every machine.
    #[getter]
    fn state_hash(&self, py: Python<'_>) -> u64 {
        self.with(py, |inner| inner.world.hash().whole)
    }

    /// The world as bytes.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(py, |inner| inner.world.save()))
    }

    /// Becomes the world that was saved.
    fn load_bytes(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let world = py.detach(|| blockstar_world::World::load(saved));
        let loaded = Inner::new(world.map_err(|error| raise(&error))?);
        self.with(py, |inner| *inner = loaded);
        Ok(())
    }

    #[getter]
    fn shape(&self, py: Python<'_>) -> (u32, u32) {
        self.with(py, |inner| (inner.world.height(), inner.world.width()))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.with(py, |inner| inner.world.len())
    }
}
