//! A unit: where it is, what it was told, and how it gets there.

use crate::disc::Glide;
use crate::event::{Leg, Rung, State};
use crate::order::Order;
use crate::pack::packed;
use crate::route::{Route, Spot, centre};
use crate::{GroupId, OrderId, UnitId};
use blockstar::Cell;
use std::collections::VecDeque;

/// Where a unit is, exactly.
///
/// A unit goes along straight pieces. How much of one is done is counted in 1/65536 cells times the
/// ticks of a second: so a tick adds just the speed, nothing is ever rounded, and where a unit is
/// after a second does not depend on the number of ticks in it.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    /// The cell that it stands on or is going to: its own, and nobody else's.
    pub cell: Cell,
    pub from: Spot,
    pub to: Spot,
    pub progress: u64,
    /// Of the piece; 0 at rest.
    pub length: u64,
    /// What was left of the tick when the last piece ended.
    pub carry: u64,
    /// The direction of the last piece.
    pub facing: (i32, i32),
    /// Where it is in the plane, if it moves there: then it is never between two places.
    pub glide: Option<Glide>,
}

packed!(Body { cell, from, to, progress, length, carry, facing, glide });

impl Body {
    pub fn at(cell: Cell) -> Self {
        let spot = centre(cell);
        let facing = (0, 1);
        Self { cell, from: spot, to: spot, progress: 0, length: 0, carry: 0, facing, glide: None }
    }

    /// Puts it somewhere in the plane.
    pub fn put(&mut self, glide: Glide) {
        let spot = glide.spot();
        (self.cell, self.from, self.to) = (glide.cell(), spot, spot);
        if (glide.vx, glide.vy) != (0, 0) {
            self.facing = (glide.vx, glide.vy);
        }
        self.glide = Some(glide);
    }

    pub const fn is_at_rest(&self) -> bool {
        self.length == 0
    }

    /// Sets off for another place: `factor` in 1/256 is how much longer than on plain ground it
    /// takes.
    pub fn start(&mut self, to: Spot, cell: Cell, factor: u32, ticks_per_second: u16) {
        let (dx, dy) = (i64::from(to.x - self.from.x), i64::from(to.y - self.from.y));
        // In 1/65536 cells: 64 times the lattice.
        let length = ((dx * dx + dy * dy) as u64 * 4096).isqrt();
        if length == 0 {
            return;
        }
        self.facing = (dx as i32, dy as i32);
        (self.to, self.cell) = (to, cell);
        self.length = (length * u64::from(factor) / 256).max(1) * u64::from(ticks_per_second);
        self.progress = std::mem::take(&mut self.carry);
    }

    /// Goes on for a tick.
    pub fn advance(&mut self, speed: u32) {
        if self.is_at_rest() {
            self.carry = 0;
        } else {
            self.progress += u64::from(speed);
            self.settle();
        }
    }

    /// Ends the piece if it is done, and keeps what is left of the tick.
    pub fn settle(&mut self) {
        if !self.is_at_rest() && self.progress >= self.length {
            self.carry = self.progress - self.length;
            (self.from, self.progress, self.length) = (self.to, 0, 0);
        }
    }

    /// Stops where it is.
    pub fn halt(&mut self) {
        let spot = self.spot();
        (self.from, self.to) = (spot, spot);
        (self.progress, self.length, self.carry) = (0, 0, 0);
    }

    /// Where it is.
    pub fn spot(&self) -> Spot {
        if self.is_at_rest() {
            return self.from;
        }
        let part = |a: i32, b: i32| {
            let way = i128::from(b - a) * i128::from(self.progress) / i128::from(self.length);
            a + way as i32
        };
        Spot { x: part(self.from.x, self.to.x), y: part(self.from.y, self.to.y) }
    }
}

/// An order that was given to a unit.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub id: OrderId,
    pub order: Order,
    pub begun: bool,
    /// The stop of a patrol, or the tick until which to wait.
    pub count: u64,
    /// Whether a patrol goes backwards.
    pub back: bool,
    /// The place in a formation.
    pub post: Option<Cell>,
    /// The speed of the group, if all go at one pace.
    pub limit: Option<u32>,
}

packed!(Given { id, order, begun, count, back, post, limit });

impl Given {
    pub const fn new(id: OrderId, order: Order) -> Self {
        Self { id, order, begun: false, count: 0, back: false, post: None, limit: None }
    }
}

/// A way somewhere, under way.
#[derive(Clone, Debug)]
pub(crate) struct Errand {
    /// Whose arrival is told; none if the unit only makes room.
    pub order: Option<OrderId>,
    pub place: u32,
    /// Where the way leads: the goal, then a cell of the unit's own near it.
    pub target: Cell,
    /// Whether the target is the unit's own.
    pub claimed: bool,
    /// It has arrived when it is no farther than this.
    pub near: u32,
    /// Whether the goal itself is out of reach.
    pub nearest: bool,
    /// The place in a formation.
    pub post: Option<Cell>,
    pub route: Route,
    /// The point of the route that it goes to.
    pub next: u32,
    pub leg: Leg,
    /// Whether the route leads to the target.
    pub whole: bool,
    /// Whether the route leads around somebody and then back to the field.
    pub detour: bool,
    /// Distinguishes this plan from earlier ones.
    pub serial: u32,
    /// Since when, for who goes first.
    pub born: u64,
    /// Whether it has taken a step.
    pub started: bool,
    /// Whether an edit has cut the route, and from which of its points on it is clear again.
    pub cut: Option<u32>,
    /// The map that its route was last held against for shorter ways.
    pub edition: u64,
    /// Whether it waits before a choke.
    pub held: bool,
    pub ladder: Ladder,
}

packed!(Errand {
    order,
    place,
    target,
    claimed,
    near,
    nearest,
    post,
    route,
    next,
    leg,
    whole,
    detour,
    serial,
    born,
    started,
    cut,
    edition,
    held,
    ladder
});

impl Errand {
    /// A way to a cell of the unit's own that nobody is told of.
    pub fn silent(place: u32, target: Cell, serial: u32, tick: u64) -> Self {
        Self {
            order: None,
            place,
            target,
            claimed: true,
            near: 0,
            nearest: false,
            post: None,
            route: Route::default(),
            next: 0,
            leg: Leg::Full,
            whole: false,
            detour: false,
            serial,
            born: tick,
            started: true,
            cut: None,
            edition: 0,
            held: false,
            ladder: Ladder::new(tick),
        }
    }
}

/// How far up the ladder of the blocked a unit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ladder {
    /// The least distance so far.
    pub best: u32,
    /// The tick in which that was.
    pub since: u64,
    pub rung: Rung,
    /// How often it has backed off.
    pub rests: u8,
    /// Until when it tries nothing.
    pub until: u64,
}

packed!(Ladder { best, since, rung, rests, until });

impl Ladder {
    pub const fn new(tick: u64) -> Self {
        Self { best: u32::MAX, since: tick, rung: Rung::Wait, rests: 0, until: 0 }
    }
}

/// How a unit in the plane makes way for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MakesWay {
    pub first: u32,
    pub until: u64,
    /// By going back, not by going ahead.
    pub back: bool,
}

packed!(MakesWay { first, until, back });

/// A unit.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub id: UnitId,
    pub class: u16,
    pub layer: u16,
    pub size: u8,
    pub team: u8,
    pub tag: u64,
    pub body: Body,
    /// What it was told; the first is what it does.
    pub orders: VecDeque<Given>,
    pub errand: Option<Errand>,
    /// The cell that it returns to when it has made room.
    pub home: Option<Cell>,
    /// The place that it has arrived at, as long as it stays there.
    pub parked: Option<u32>,
    pub group: Option<GroupId>,
    pub state: State,
    /// When it was last away from home without getting nearer.
    pub away: u64,
    /// In the plane: for whom it makes way.
    pub makes_way: Option<MakesWay>,
}

packed!(Unit {
    id,
    class,
    layer,
    size,
    team,
    tag,
    body,
    orders,
    errand,
    home,
    parked,
    group,
    state,
    away,
    makes_way
});

impl Unit {
    pub fn is_holding(&self) -> bool {
        self.orders.front().is_some_and(|given| matches!(given.order, Order::Hold))
    }

    /// The cells that it covers at a cell.
    pub fn square(&self, cell: Cell) -> blockstar::Rect {
        blockstar::Rect::new(cell.x, cell.y, self.size.into(), self.size.into())
    }
}
