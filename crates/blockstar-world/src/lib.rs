//! Thousands of units on a map that changes under their feet.
//!
//! A [`World`] owns the map, the planners and the units. You give orders and edit the map whenever you
//! like, call [`World::tick`] once a frame, and read what happened: a list of events, and columns of
//! positions. Each tick spends at most its [budget](TickBudget) of expansions; nobody starves, and
//! first steps come at once. Nothing calls back, nothing is drawn, no clock is read.
//!
//! # A game loop in forty lines
//!
//! ```
//! use blockstar::{Cell, Grid, Rect, Tile};
//! use blockstar_world::{Class, Edit, Event, Order, Settings, Spawn, Speed, World};
//!
//! // The map, and two kinds of units that see it differently: 1 x 1 and 2 x 2 cells.
//! let grid = Grid::new(64, 48)?;
//! let classes = [
//!     Class::new("scout").speed(Speed::cells_per_second(6.0)?),
//!     Class::new("tank").size(2).speed(Speed::cells_per_second(3.0)?),
//! ];
//! let mut world = World::new(&grid, Settings::new().classes(classes).ticks_per_second(30))?;
//!
//! let scouts: Vec<_> = (0..20)
//!     .map(|i| world.spawn(Spawn::new((2 + i % 5, 2 + i / 5), 0).team(1)))
//!     .collect::<Result<_, _>>()?;
//! let tank = world.spawn(Spawn::new((2, 20), 1))?;
//!
//! // Orders: a group shares one distance field; the tank goes, waits, and comes back.
//! let group = world.group(&scouts)?;
//! world.order(group, Order::go((50, 24)))?;
//! world.order(tank, Order::go((40, 20)))?;
//! world.queue(tank, Order::Wait(30))?;
//! world.queue(tank, Order::go((2, 20)))?;
//!
//! let mut arrived = 0;
//! for frame in 0..1800 {
//!     if frame == 60 {
//!         // A wall is built in their way: whoever is cut off goes around, the others do not notice.
//!         let report = world.edit(Edit::rect(Rect::new(30, 4, 1, 40), Tile::Blocked))?;
//!         assert!(!report.refused);
//!     }
//!     for event in world.tick() {
//!         match event {
//!             Event::Arrived(..) => arrived += 1,
//!             Event::Blocked(unit, rung) => println!("{unit} is held up and tries {rung:?}"),
//!             _ => {}
//!         }
//!     }
//!     // Draw: between two ticks, positions are interpolated.
//!     for unit in world.units() {
//!         let [_x, _y] = unit.position(0.5);
//!     }
//! }
//! assert_eq!(arrived, 20 + 3);
//! assert_eq!(world.unit(tank).map(|unit| unit.cell()), Some(Cell::new(2, 20)));
//! # Ok::<(), blockstar_world::Error>(())
//! ```
//!
//! # What do I need?
//!
//! | you want | use |
//! |---|---|
//! | to move, queue, follow, patrol, flee, hold, wait, stop | [`Order`] |
//! | goals: a cell, near one, the nearest of several, beside a building | [`Goal`] |
//! | walls, doors with keys, water, mud | [`Edit`], [`Kind`], [`Terrain`], [`Keys`] |
//! | units of n x n cells that never clip a wall | [`Class::size`] |
//! | discs that go at any angle and keep clear of each other | [`Stepping::Plane`], [`Class::radius`] |
//! | what happens when a wall is built on a unit | [`UnderUnit`] |
//! | groups, formations, one pace | [`World::group`], [`Formation`], [`Pace`] |
//! | to know why a unit does not get on | [`State::Stuck`] and [`Rung`] |
//! | the line under the cursor, who is near, what can be reached | [`World::preview`], [`World::near`], [`World::reachable`] |
//! | lockstep over a network | [`Command`], [`World::apply`], [`World::hash`] |
//! | saved games, replays | [`World::save`], [`World::record`], [`Recording`] |
//! | a crowd of one kind without the rest | [`crowd`] |
//!
//! # Promises
//!
//! * No two units on one cell, none through another, none in a wall ([`Stepping::Cells`]); no disc
//!   over another or over a wall by more than 1/8192 of a cell ([`Stepping::Plane`]).
//! * A tick never spends more than its budget, purpose by purpose. A quick path is planned in the
//!   tick after the order, as far as the budget for it goes; a way of quick, full and splice is never
//!   longer than quick and full together.
//! * An edit looks at units that stand on it or whose ways lead over it, and at no others.
//! * The same commands between the same ticks lead to the same world, bit for bit, on every machine
//!   and for any number of threads; so does one that was saved and loaded in between. Reading never
//!   changes anything. (Not with [`World::tick_until`], which looks at a clock.)
//! * Nothing panics on bad input, files included.
#![forbid(unsafe_code)]

mod choke;
mod claims;
mod class;
mod command;
pub mod crowd;
mod cuts;
mod disc;
mod error;
mod event;
mod field;
mod hash;
mod id;
mod layer;
mod local;
mod map;
mod measure;
mod orca;
mod order;
mod pack;
mod place;
mod queue;
mod recording;
mod route;
mod save;
mod settings;
mod unit;
mod world;

pub use class::{Class, ClassId, Keys, Kind, Speed, Terrain};
pub use command::{Command, Done, Edit, EditReport};
pub use error::Error;
pub use event::{Event, How, Leg, Rung, State, Why};
pub use hash::StateHash;
pub use id::{GroupId, OrderId, UnitId};
pub use order::{Formation, Goal, Order, Pace, Spawn, Who};
pub use recording::{Given, Recording};
pub use settings::{Patience, Settings, Stepping, TickBudget, UnderUnit};
pub use world::{Columns, Position, TickStats, UnitView, World};
