//! Searches that wait, and those under way.
//!
//! Whoever needs a path gets a ticket. Tickets are served by the tick in which they are due, then by
//! number; a purpose of less urgency is due later, so it waits longer and never forever.
//!
//! A fixed number of *lanes* search at a time, each with memory of its own, and share the budget of a
//! tick in rounds: every lane that has a search gets an equal part, lanes that are done take the next
//! tickets, what is left is shared again. Which lane does what depends on the tickets alone, so it
//! makes no difference how many threads run the lanes.

use crate::Error;
use crate::layer::Layer;
use crate::pack::{Pack, Reader, packed, packed_enum};
use crate::route::Route;
use blockstar::{Budget, Cell, Query, Scratch, Status};
use std::collections::BTreeMap;
use std::time::Instant;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The whole path.
    Full,
    /// Back to a path that was cut.
    Repair,
    /// A path that may have become shorter.
    Refresh,
}

packed_enum!(Purpose { 0 Full, 1 Repair, 2 Refresh });

/// A search that somebody waits for.
#[derive(Clone, Debug)]
pub(crate) struct Ticket {
    pub unit: u32,
    /// Of the errand: another one needs another path.
    pub serial: u32,
    pub purpose: Purpose,
    pub layer: u16,
    pub from: Cell,
    pub to: Cell,
    /// When it was asked for.
    pub born: u64,
    /// No path longer than this is of use, in 1/408 cells.
    pub limit: u32,
    /// How often an edit made it start over.
    pub restarts: u8,
}

packed!(Ticket { unit, serial, purpose, layer, from, to, born, limit, restarts });

/// What came of a search.
#[derive(Debug)]
pub(crate) struct Answer {
    pub ticket: Ticket,
    pub found: Option<Route>,
}

/// A search under way.
#[derive(Debug)]
struct Lane {
    ticket: Option<Ticket>,
    /// Expansions so far; none before it has begun.
    spent: Option<u64>,
    scratch: Scratch,
    answer: Option<Answer>,
    used: u32,
}

/// Tickets and lanes for one part of the budget.
#[derive(Debug)]
pub(crate) struct Queue {
    waiting: BTreeMap<(u64, u64), Ticket>,
    lanes: Vec<Lane>,
    last: u64,
}

impl Queue {
    pub fn new(lanes: u8) -> Self {
        let lane =
            || Lane { ticket: None, spent: None, scratch: Scratch::new(), answer: None, used: 0 };
        Self {
            waiting: BTreeMap::new(),
            lanes: (0..lanes.max(1)).map(|_| lane()).collect(),
            last: 0,
        }
    }

    /// Adds a ticket that is due some ticks after it was asked for.
    pub fn push(&mut self, ticket: Ticket, later: u64) {
        self.last += 1;
        self.waiting.insert((ticket.born + later, self.last), ticket);
    }

    /// How many wait or are under way.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.lanes.iter().filter(|lane| lane.ticket.is_some()).count()
    }

    /// When the oldest was asked for.
    pub fn oldest(&self) -> Option<u64> {
        let lanes = self.lanes.iter().filter_map(|lane| lane.ticket.as_ref());
        self.waiting.values().chain(lanes).map(|ticket| ticket.born).min()
    }

    /// An edit makes the searches in a layer start over.
    pub fn restart(&mut self, layer: u16) {
        for lane in &mut self.lanes {
            if let Some(ticket) = lane.ticket.as_mut().filter(|ticket| ticket.layer == layer) {
                ticket.restarts = ticket.restarts.saturating_add(u8::from(lane.spent.is_some()));
                lane.spent = None;
            }
        }
    }

    /// Spends a budget, and returns how much of it and what was found, in the order of lanes and
    /// rounds. Tickets that are not `wanted` any more are dropped.
    pub fn serve(
        &mut self,
        layers: &[Layer],
        budget: u32,
        threads: usize,
        deadline: Option<Instant>,
        wanted: impl Fn(&Ticket) -> bool,
    ) -> (u32, Vec<Answer>) {
        let (mut left, mut answers) = (budget, Vec::new());
        for lane in &mut self.lanes {
            if lane.ticket.as_ref().is_some_and(|ticket| !wanted(ticket)) {
                (lane.ticket, lane.spent) = (None, None);
            }
        }
        while left > 0 && deadline.is_none_or(|deadline| Instant::now() < deadline) {
            for lane in self.lanes.iter_mut().filter(|lane| lane.ticket.is_none()) {
                lane.spent = None;
                while let Some((_, ticket)) = self.waiting.pop_first() {
                    if wanted(&ticket) {
                        lane.ticket = Some(ticket);
                        break;
                    }
                }
            }
            let busy = self.lanes.iter().filter(|lane| lane.ticket.is_some()).count() as u32;
            if busy == 0 {
                break;
            }
            let share = (left / busy).max(1);
            let running = self.lanes.iter_mut().filter(|lane| lane.ticket.is_some());
            let running: Vec<&mut Lane> = running.take(left as usize).collect();
            run(running, layers, share, if share >= 256 { threads } else { 1 });
            for lane in &mut self.lanes {
                left = left.saturating_sub(std::mem::take(&mut lane.used));
                if let Some(answer) = lane.answer.take() {
                    (lane.ticket, lane.spent) = (None, None);
                    answers.push(answer);
                }
            }
        }
        (budget - left, answers)
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let lanes = self.lanes.iter().map(|lane| lane.scratch.memory_usage()).sum::<usize>();
        lanes + self.waiting.len() * 80
    }

    pub fn tickets(&self) -> impl Iterator<Item = &Ticket> {
        let lanes = self.lanes.iter().filter_map(|lane| lane.ticket.as_ref());
        self.waiting.values().chain(lanes)
    }

    /// Does again what the searches under way had done when they were saved.
    pub fn catch_up(&mut self, layers: &[Layer]) {
        for lane in &mut self.lanes {
            if let (Some(spent), true) = (lane.spent.take(), lane.ticket.is_some()) {
                lane.run(layers, 0);
                if spent > 0 {
                    lane.run(layers, spent.min(u32::MAX.into()) as u32);
                }
                lane.used = 0;
            }
        }
    }
}

impl Lane {
    /// Searches for a share of the budget.
    fn run(&mut self, layers: &[Layer], share: u32) {
        let Some(ticket) = &self.ticket else { return };
        let found = match layers.get(usize::from(ticket.layer)) {
            Some(layer) => search(ticket, &mut self.spent, &mut self.scratch, layer, share),
            None => Ok((None, 1)),
        };
        let (status, used) = found.unwrap_or((Some(Status::NoPath), 1));
        self.used = used;
        match status {
            Some(Status::Working) => {}
            Some(Status::Found) => {
                let route = Route::of(self.scratch.path(), u32::MAX);
                self.answer = Some(Answer { ticket: ticket.clone(), found: Some(route) });
            }
            _ => self.answer = Some(Answer { ticket: ticket.clone(), found: None }),
        }
    }
}

/// One slice of a search, and what it took: never nothing, so that answers without a search are
/// counted too.
fn search(
    ticket: &Ticket,
    spent: &mut Option<u64>,
    scratch: &mut Scratch,
    layer: &Layer,
    share: u32,
) -> Result<(Option<Status>, u32), Error> {
    let before = match *spent {
        Some(spent) => spent,
        None => {
            let mut query = Query::new(ticket.from, ticket.to);
            if ticket.limit < u32::MAX {
                let cells = f64::from(ticket.limit) / f64::from(crate::measure::STRAIGHT);
                query = query.max_cost(cells);
            }
            layer.full.begin(&layer.grid, &query, scratch)?;
            *spent = Some(0);
            0
        }
    };
    if share == 0 {
        return Ok((Some(Status::Working), 0));
    }
    let status = layer.full.resume(&layer.grid, scratch, Budget::expansions(share.into()))?;
    let now = scratch.stats().expanded;
    *spent = Some(now);
    let used = now.saturating_sub(before).clamp(1, share.into()) as u32;
    Ok((Some(status), used))
}

/// Runs lanes on some threads.
fn run(mut lanes: Vec<&mut Lane>, layers: &[Layer], share: u32, threads: usize) {
    let threads = threads.min(lanes.len());
    if threads < 2 {
        lanes.into_iter().for_each(|lane| lane.run(layers, share));
        return;
    }
    let each = lanes.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for part in lanes.chunks_mut(each) {
            scope.spawn(move || part.iter_mut().for_each(|lane| lane.run(layers, share)));
        }
    });
}

impl Pack for Queue {
    fn pack(&self, out: &mut Vec<u8>) {
        self.waiting.pack(out);
        self.last.pack(out);
        (self.lanes.len() as u32).pack(out);
        for lane in &self.lanes {
            lane.ticket.pack(out);
            lane.spent.pack(out);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let (waiting, last) = (BTreeMap::unpack(from)?, u64::unpack(from)?);
        let count = from.count(2)?;
        let mut queue = Self::new(u8::try_from(count).ok().filter(|&count| count > 0)?);
        (queue.waiting, queue.last) = (waiting, last);
        for lane in &mut queue.lanes {
            (lane.ticket, lane.spent) = (Pack::unpack(from)?, Pack::unpack(from)?);
        }
        Some(queue)
    }
}
