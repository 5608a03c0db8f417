//! An optional record of what a search did, in order, for pictures and replay.
//!
//! Events are kept as columns, 17 bytes each: a kind, two places, two numbers. A place packs
//! doubled coordinates into four bytes, so centres, corners and the middles of edges can be read
//! without the size of the map; other points are in a table. Numbers are the search's own integer
//! units as long as they fit 32 bits, and floating-point from the first that does not.

use crate::{Point, Rect};

/// One step of a search. Costs are in cells.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A node was reached for the first time and put on the open list.
    Opened {
        /// Where the node is.
        at: Point,
        /// The node that it was reached from, where the search knows.
        from: Option<Point>,
        /// The cost to it.
        g: f64,
        /// The priority it was queued with.
        f: f64,
    },
    /// A known node was reached at a lower cost and put on the open list again.
    Improved {
        /// Where the node is.
        at: Point,
        /// The node that it was reached from, where the search knows.
        from: Option<Point>,
        /// The lower cost.
        g: f64,
        /// The priority it was queued with.
        f: f64,
    },
    /// A node was taken from the open list and its successors were looked at.
    Expanded {
        /// Where the node is.
        at: Point,
        /// The node that it was reached from, where the search knows.
        from: Option<Point>,
        /// The cost to it.
        g: f64,
        /// The priority it had.
        f: f64,
    },
    /// A block of cells was taken from the open list; the boundary points that it was entered by,
    /// or whose cost fell, follow as [`Event::Improved`].
    Block {
        /// The cells of the block.
        rect: Rect,
        /// The priority it had.
        f: f64,
    },
    /// The agent of a real-time planner made a move.
    Moved {
        /// Where it is now.
        at: Point,
        /// Where it was.
        from: Option<Point>,
    },
    /// The node of the previous event is this interval of a row of points (ANYA).
    Interval {
        /// Its left end.
        left: Point,
        /// Its right end.
        right: Point,
    },
    /// The map was scanned along a line, whether or not anything was found (JPS).
    Ray {
        /// Where the scan began.
        from: Point,
        /// The last place it reached.
        to: Point,
    },
    /// A line-of-sight check between two points.
    Sight {
        /// From where.
        from: Point,
        /// What was looked at.
        to: Point,
        /// Whether they do.
        clear: bool,
    },
    /// A real-time planner learned that a cell is farther from the goal than it thought.
    Raised {
        /// The cell.
        at: Point,
        /// The estimate before.
        before: f64,
        /// The estimate now.
        after: f64,
    },
    /// Another round of iterative deepening begins.
    Round {
        /// Where it starts.
        at: Point,
        /// The bound of the round before.
        before: f64,
        /// Its bound.
        bound: f64,
    },
    /// The search continues one level further down a hierarchy.
    Level {
        /// The number of the level; the map itself is 0.
        level: u32,
    },
}

impl Event {
    /// Where it happened: the node, the agent; of a block its top left corner, of an interval the
    /// left end, of a ray or a look the far end. Levels are nowhere.
    pub fn at(&self) -> Option<Point> {
        match *self {
            Self::Opened { at, .. }
            | Self::Improved { at, .. }
            | Self::Expanded { at, .. }
            | Self::Moved { at, .. }
            | Self::Raised { at, .. }
            | Self::Round { at, .. } => Some(at),
            Self::Block { rect: Rect { x, y, .. }, .. } => Some(Point::new(x.into(), y.into())),
            Self::Interval { left, .. } => Some(left),
            Self::Ray { to, .. } | Self::Sight { to, .. } => Some(to),
            Self::Level { .. } => None,
        }
    }

    /// Where it came from: the parent, where the search knows; of a block its lower right corner, of
    /// an interval the right end, of a ray or a look where it begins.
    pub fn origin(&self) -> Option<Point> {
        match *self {
            Self::Opened { from, .. }
            | Self::Improved { from, .. }
            | Self::Expanded { from, .. }
            | Self::Moved { from, .. } => from,
            Self::Block { rect: Rect { x, y, width, height }, .. } => {
                Some(Point::new((x + width).into(), (y + height).into()))
            }
            Self::Interval { right, .. } => Some(right),
            Self::Ray { from, .. } | Self::Sight { from, .. } => Some(from),
            Self::Raised { .. } | Self::Round { .. } | Self::Level { .. } => None,
        }
    }

    /// The two numbers of it: cost and priority; what an estimate or a bound was before and what it
    /// is now; 0 where there is none.
    pub fn numbers(&self) -> (f64, f64) {
        match *self {
            Self::Opened { g, f, .. }
            | Self::Improved { g, f, .. }
            | Self::Expanded { g, f, .. } => (g, f),
            Self::Block { f, .. } => (0.0, f),
            Self::Raised { before, after, .. } => (before, after),
            Self::Round { before, bound, .. } => (before, bound),
            _ => (0.0, 0.0),
        }
    }
}

/// A bounded list of [`Event`]s; see [`Scratch::record`](crate::Scratch::record).
#[derive(Clone, Debug)]
pub struct Trace {
    kinds: Vec<u8>,
    at: Vec<u32>,
    from: Vec<u32>,
    costs: Costs,
    points: Vec<Point>,
    /// The integer cost of one cell.
    scale: f64,
    skip: u64,
    limit: usize,
    /// All events, kept or not.
    seen: u64,
}

/// The costs of events: integers until one of them is not.
#[derive(Clone, Debug)]
enum Costs {
    Whole { g: Vec<u32>, f: Vec<u32> },
    Real { g: Vec<f64>, f: Vec<f64> },
}

/// The events of a [`Trace`] as columns: one element of each per event.
///
/// A place is `x | y << 16` in half cells: the centre of cell (3, 4) is `7 | 9 << 16`. If its low 16
/// bits exceed [`Columns::ON_LATTICE`], it is number `(low & 0x7fff) - 1 << 16 | high` of
/// [`Columns::points`]. [`Columns::NOWHERE`] is no place.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// What happened: one of [`Columns::KINDS`] by its number, and [`Columns::BACKWARD`].
    pub kinds: &'a [u8],
    /// Where: the node, the agent; of a block its top left corner, of an interval the left end, of a
    /// ray or a look the far end.
    pub at: &'a [u32],
    /// Where it came from: the parent; of a block its lower right corner, of an interval the right
    /// end, of a ray or a look where it begins; of a level its number.
    pub from: &'a [u32],
    /// Its numbers.
    pub costs: CostColumns<'a>,
    /// The points that are not on the lattice of half cells.
    pub points: &'a [Point],
}

/// The two numbers of each event: cost and priority; an estimate or a bound before and now; 0 if
/// there is none.
#[derive(Clone, Copy, Debug)]
pub enum CostColumns<'a> {
    /// The search's own integers; a cell is `scale` of them.
    Whole {
        /// The cost, or the number before.
        g: &'a [u32],
        /// The priority, or the number now.
        f: &'a [u32],
        /// What one cell is.
        scale: f64,
    },
    /// In cells.
    Real {
        /// The cost, or the number before.
        g: &'a [f64],
        /// The priority, or the number now.
        f: &'a [f64],
    },
}

impl Columns<'_> {
    /// The kinds of event by their numbers.
    pub const KINDS: [&'static str; 12] = [
        "opened", "improved", "expanded", "block", "moved", "interval", "ray", "sight", "blind",
        "raised", "round", "level",
    ];
    /// Added to the kind by the search from the goal, where a planner searches from both ends.
    pub const BACKWARD: u8 = 0x80;
    /// The largest coordinate, in half cells.
    pub const ON_LATTICE: u32 = 0x8000;
    /// No place.
    pub const NOWHERE: u32 = u32::MAX;
}

/// Kinds by number, in the order of [`Columns::KINDS`].
mod kind {
    pub const OPENED: u8 = 0;
    pub const IMPROVED: u8 = 1;
    pub const EXPANDED: u8 = 2;
    pub const BLOCK: u8 = 3;
    pub const MOVED: u8 = 4;
    pub const INTERVAL: u8 = 5;
    pub const RAY: u8 = 6;
    pub const SIGHT: u8 = 7;
    pub const BLIND: u8 = 8;
    pub const RAISED: u8 = 9;
    pub const ROUND: u8 = 10;
    pub const LEVEL: u8 = 11;
}

/// An event as one row of the columns; numbers are in cells.
type Row = (u8, u32, u32, f64, f64);

impl Trace {
    /// The most events of a trace: their points must have numbers.
    const MOST: usize = 1 << 29;

    pub(crate) fn new(skip: u64, limit: usize) -> Self {
        Self {
            kinds: Vec::new(),
            at: Vec::new(),
            from: Vec::new(),
            costs: Costs::Whole { g: Vec::new(), f: Vec::new() },
            points: Vec::new(),
            scale: 1.0,
            skip,
            limit: limit.min(Self::MOST),
            seen: 0,
        }
    }

    /// Forgets the events, but keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.kinds.clear();
        self.at.clear();
        self.from.clear();
        self.points.clear();
        self.seen = 0;
        match &mut self.costs {
            Costs::Whole { g, f } => {
                g.clear();
                f.clear();
            }
            Costs::Real { .. } => self.costs = Costs::Whole { g: Vec::new(), f: Vec::new() },
        }
    }

    /// Sets the integer cost of one cell, before the first event.
    pub(crate) fn count_in(&mut self, units_per_cell: f64) {
        if self.kinds.is_empty() {
            self.scale = units_per_cell;
        }
    }

    /// Out of line, here and below: unwatched loops must not make room for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn push(&mut self, event: Event) {
        self.push_side(event, false);
    }

    /// An event of the search from the start or from the goal.
    #[cold]
    #[inline(never)]
    pub(crate) fn push_side(&mut self, event: Event, backward: bool) {
        self.seen += 1;
        if self.seen <= self.skip || self.kinds.len() >= self.limit {
            return;
        }
        let (kind, at, from, g, f) = self.row(event);
        self.kinds.push(if backward { kind | Columns::BACKWARD } else { kind });
        self.at.push(at);
        self.from.push(from);
        // A length was an integer divided by the scale, so multiplied by the scale it is that
        // integer again, except for the last bit.
        let whole = |number: f64| {
            let units = number * self.scale;
            let nearest = units.round();
            let is_whole = (units - nearest).abs() <= 1e-6 && nearest >= 0.0;
            (is_whole && nearest <= f64::from(u32::MAX)).then_some(nearest as u32)
        };
        let both = whole(g).zip(whole(f));
        let scale = self.scale;
        match (&mut self.costs, both) {
            (Costs::Whole { g: gs, f: fs }, Some((g, f))) => {
                gs.push(g);
                fs.push(f);
            }
            (Costs::Real { g: gs, f: fs }, _) => {
                gs.push(g);
                fs.push(f);
            }
            (Costs::Whole { g: gs, f: fs }, None) => {
                let cells = |units: &[u32], last: f64| {
                    let before = units.iter().map(|&units| f64::from(units) / scale);
                    before.chain([last]).collect()
                };
                self.costs = Costs::Real { g: cells(gs, g), f: cells(fs, f) };
            }
        }
    }

    fn row(&mut self, event: Event) -> Row {
        let mut place = |point: Point| self.place(point);
        match event {
            Event::Opened { at, from, g, f } => {
                (kind::OPENED, place(at), from.map_or(Columns::NOWHERE, place), g, f)
            }
            Event::Improved { at, from, g, f } => {
                (kind::IMPROVED, place(at), from.map_or(Columns::NOWHERE, place), g, f)
            }
            Event::Expanded { at, from, g, f } => {
                (kind::EXPANDED, place(at), from.map_or(Columns::NOWHERE, place), g, f)
            }
            Event::Block { rect: Rect { x, y, width, height }, f } => {
                let corner = |x: u32, y: u32| Point::new(x.into(), y.into());
                let (first, last) = (corner(x, y), corner(x + width, y + height));
                (kind::BLOCK, place(first), place(last), 0.0, f)
            }
            Event::Moved { at, from } => {
                (kind::MOVED, place(at), from.map_or(Columns::NOWHERE, place), 0.0, 0.0)
            }
            Event::Interval { left, right } => {
                (kind::INTERVAL, place(left), place(right), 0.0, 0.0)
            }
            Event::Ray { from, to } => (kind::RAY, place(to), place(from), 0.0, 0.0),
            Event::Sight { from, to, clear } => {
                let kind = if clear { kind::SIGHT } else { kind::BLIND };
                (kind, place(to), place(from), 0.0, 0.0)
            }
            Event::Raised { at, before, after } => {
                (kind::RAISED, place(at), Columns::NOWHERE, before, after)
            }
            Event::Round { at, before, bound } => {
                (kind::ROUND, place(at), Columns::NOWHERE, before, bound)
            }
            Event::Level { level } => (kind::LEVEL, Columns::NOWHERE, level, 0.0, 0.0),
        }
    }

    /// A point as a place.
    fn place(&mut self, point: Point) -> u32 {
        const HALF: i32 = Point::UNITS / 2;
        let (x, y) = (point.ux(), point.uy());
        let on_lattice =
            |v: i32| v % HALF == 0 && (0..=Columns::ON_LATTICE as i32).contains(&(v / HALF));
        if on_lattice(x) && on_lattice(y) {
            return (x / HALF) as u32 | ((y / HALF) as u32) << 16;
        }
        let number = self.points.len() as u32;
        self.points.push(point);
        ((number >> 16) + Columns::ON_LATTICE + 1) | (number & 0xffff) << 16
    }

    /// The point of a place.
    fn point(&self, place: u32) -> Option<Point> {
        const HALF: i32 = Point::UNITS / 2;
        if place == Columns::NOWHERE {
            return None;
        }
        let (x, y) = (place & 0xffff, place >> 16);
        if x > Columns::ON_LATTICE {
            let number = (x - Columns::ON_LATTICE - 1) << 16 | y;
            return self.points.get(number as usize).copied();
        }
        Some(Point::from_units(x as i32 * HALF, y as i32 * HALF))
    }

    /// Frees memory that is not in use.
    pub(crate) fn shrink(&mut self) {
        self.kinds.shrink_to_fit();
        self.at.shrink_to_fit();
        self.from.shrink_to_fit();
        self.points.shrink_to_fit();
        match &mut self.costs {
            Costs::Whole { g, f } => {
                g.shrink_to_fit();
                f.shrink_to_fit();
            }
            Costs::Real { g, f } => {
                g.shrink_to_fit();
                f.shrink_to_fit();
            }
        }
    }

    /// Bytes of heap memory.
    pub(crate) fn bytes(&self) -> usize {
        let costs = match &self.costs {
            Costs::Whole { g, f } => (g.capacity() + f.capacity()) * size_of::<u32>(),
            Costs::Real { g, f } => (g.capacity() + f.capacity()) * size_of::<f64>(),
        };
        let places = (self.at.capacity() + self.from.capacity()) * size_of::<u32>();
        self.kinds.capacity() + places + costs + self.points.capacity() * size_of::<Point>()
    }

    /// How many events are kept.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The events in the order they happened.
    pub fn events(&self) -> impl ExactSizeIterator<Item = Event> + '_ {
        (0..self.len()).map(|index| self.event(index))
    }

    /// The events as columns, to be drawn or sent as they are.
    pub fn columns(&self) -> Columns<'_> {
        let costs = match &self.costs {
            Costs::Whole { g, f } => CostColumns::Whole { g, f, scale: self.scale },
            Costs::Real { g, f } => CostColumns::Real { g, f },
        };
        let Self { kinds, at, from, points, .. } = self;
        Columns { kinds, at, from, costs, points }
    }

    /// How many events came before the first that is kept, as
    /// [`Scratch::record_after`](crate::Scratch::record_after) asked.
    pub fn skipped(&self) -> u64 {
        self.seen.min(self.skip)
    }

    /// How many events came after the list was full.
    pub fn dropped(&self) -> u64 {
        self.seen - self.skipped() - self.len() as u64
    }

    fn event(&self, index: usize) -> Event {
        let point = |place: u32| self.point(place).unwrap_or_default();
        let (at, from) = (point(self.at[index]), self.point(self.from[index]));
        let other = from.unwrap_or_default();
        let (g, f) = match &self.costs {
            Costs::Whole { g, f } => {
                (f64::from(g[index]) / self.scale, f64::from(f[index]) / self.scale)
            }
            Costs::Real { g, f } => (g[index], f[index]),
        };
        match self.kinds[index] & !Columns::BACKWARD {
            kind::OPENED => Event::Opened { at, from, g, f },
            kind::IMPROVED => Event::Improved { at, from, g, f },
            kind::EXPANDED => Event::Expanded { at, from, g, f },
            kind::BLOCK => {
                let (first, last) = (at.cell(), other.cell());
                let rect = Rect::new(first.x, first.y, last.x - first.x, last.y - first.y);
                Event::Block { rect, f }
            }
            kind::MOVED => Event::Moved { at, from },
            kind::INTERVAL => Event::Interval { left: at, right: other },
            kind::RAY => Event::Ray { from: other, to: at },
            kind::SIGHT => Event::Sight { from: other, to: at, clear: true },
            kind::BLIND => Event::Sight { from: other, to: at, clear: false },
            kind::RAISED => Event::Raised { at, before: g, after: f },
            kind::ROUND => Event::Round { at, before: g, bound: f },
            _ => Event::Level { level: self.from[index] },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events() -> Vec<Event> {
        let (a, b) = (Point::new(3.5, 4.5), Point::new(0.0, 16384.0));
        let off = Point::new(7.25, 1.125);
        vec![
            Event::Opened { at: a, from: None, g: 1.0, f: 2.5 },
            Event::Improved { at: b, from: Some(a), g: 0.5, f: 7.0 },
            Event::Expanded { at: off, from: Some(b), g: 1.0, f: 2.5 },
            Event::Block { rect: Rect::new(3, 0, 5, 16384), f: 9.0 },
            Event::Moved { at: a, from: Some(off) },
            Event::Interval { left: off, right: Point::new(9.125, 1.125) },
            Event::Ray { from: a, to: b },
            Event::Sight { from: b, to: a, clear: true },
            Event::Sight { from: b, to: off, clear: false },
            Event::Raised { at: a, before: 3.0, after: 4.5 },
            Event::Round { at: b, before: 0.0, bound: 20.0 },
            Event::Level { level: 3 },
        ]
    }

    #[test]
    fn events_tell_what_is_in_their_columns() {
        let mut trace = Trace::new(0, 100);
        trace.count_in(70.0);
        events().into_iter().for_each(|event| trace.push(event));
        let (CostColumns::Whole { g, f, scale }, columns) =
            (trace.columns().costs, trace.columns())
        else {
            panic!("all numbers are whole")
        };
        // Places on the lattice of half cells.
        let place = |at: Point| (at.x() * 2.0) as u32 | ((at.y() * 2.0) as u32) << 16;
        let on_lattice = |code: u32| code & 0xffff <= Columns::ON_LATTICE;
        for (index, event) in events().into_iter().enumerate() {
            let numbers = (f64::from(g[index]) / scale, f64::from(f[index]) / scale);
            assert_eq!(event.numbers(), numbers, "{event:?}");
            for (told, code) in
                [(event.at(), columns.at[index]), (event.origin(), columns.from[index])]
            {
                match told {
                    Some(at) if on_lattice(code) => assert_eq!(place(at), code, "{event:?}"),
                    Some(at) => assert!(columns.points.contains(&at), "{event:?}"),
                    None => assert!(
                        code == Columns::NOWHERE || matches!(event, Event::Level { .. }),
                        "{event:?}"
                    ),
                }
            }
        }
    }

    #[test]
    fn events_come_back_from_their_columns() {
        let mut trace = Trace::new(0, 100);
        trace.count_in(70.0);
        events().into_iter().for_each(|event| trace.push(event));
        assert_eq!(trace.events().collect::<Vec<_>>(), events());
        let CostColumns::Whole { g, f, scale } = trace.columns().costs else { panic!() };
        assert_eq!((g[1], f[1], scale), (35, 490, 70.0));
        assert_eq!(trace.columns().kinds, (0..12).collect::<Vec<u8>>());
        // One number that is not an integer turns all of them into floating-point, and none is
        // lost.
        let real = Event::Expanded { at: Point::new(1.5, 1.5), from: None, g: 0.123, f: 2.0 };
        trace.push_side(real, true);
        assert!(trace.events().eq(events().into_iter().chain([real])));
        assert!(matches!(trace.columns().costs, CostColumns::Real { .. }));
        assert_eq!(trace.columns().kinds[12], 2 | Columns::BACKWARD);
        trace.clear();
        assert!(trace.is_empty() && matches!(trace.columns().costs, CostColumns::Whole { .. }));
    }

    #[test]
    fn a_window_of_events_is_kept() {
        let mut trace = Trace::new(3, 4);
        events().into_iter().for_each(|event| trace.push(event));
        assert!(trace.events().eq(events()[3..7].iter().copied()));
        assert_eq!((trace.skipped(), trace.len(), trace.dropped()), (3, 4, 5));
        trace.clear();
        assert_eq!((trace.skipped(), trace.len(), trace.dropped()), (0, 0, 0));
    }

    #[test]
    fn an_event_takes_seventeen_bytes() {
        let mut trace = Trace::new(0, 1000);
        trace.count_in(1.0);
        for x in 0..1000 {
            trace.push(Event::Expanded {
                at: Point::new(f64::from(x) + 0.5, 0.5),
                from: None,
                g: x.into(),
                f: 1e6,
            });
        }
        trace.shrink();
        assert_eq!(trace.bytes(), 17_000);
    }
}
