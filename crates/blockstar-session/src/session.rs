//! The state of a session, and which request goes where.

use crate::clock::Clock;
use crate::fields::{Fields, shortened};
use crate::frame::{Fault, Frame, Reply};
use crate::kept::KeptPlanners;
use crate::limits::Limits;
use crate::living::Living;
use crate::map::SessionMap;
use crate::request;
use blockstar::{Grid, Scratch};

/// One map, its history, the planners prepared for it and the memory of their searches.
#[derive(Debug)]
pub struct Session {
    pub(crate) limits: Limits,
    pub(crate) clock: Clock,
    pub(crate) map: Option<SessionMap>,
    pub(crate) planners: KeptPlanners,
    /// Units on the map, once some were placed.
    pub(crate) living: Option<Living>,
    /// For searches that are timed.
    pub(crate) scratch: Scratch,
    /// For searches that are traced: the trace must not slow the others.
    pub(crate) traced: Scratch,
}

/// What comes of a request, besides the reply.
pub(crate) type Answered = Result<(), Fault>;

/// What answers a request.
type Handler = fn(&mut Session, &Frame<'_>, &mut Reply) -> Answered;

/// Every request by its name.
const REQUESTS: [(&str, Handler); 23] = [
    ("hello", request::hello::answer),
    ("new", request::maps::new),
    ("generate", request::maps::generate),
    ("example", request::maps::example),
    ("load", request::load::answer),
    ("map", request::maps::part),
    ("edit", request::edit::answer),
    ("undo", request::edit::undo),
    ("redo", request::edit::redo),
    ("plan", request::plan::answer),
    ("compare", request::compare::answer),
    ("cell", request::cell::answer),
    ("structure", request::structure::answer),
    ("export", request::export::answer),
    ("scenarios", request::scenarios::answer),
    ("queries", request::queries::answer),
    ("state", request::state::answer),
    ("forget", request::state::forget),
    ("units.place", request::units::place),
    ("units.order", request::units::order),
    ("units.door", request::units::door),
    ("units.tick", request::units::tick),
    ("units.remove", request::units::remove),
];

impl Session {
    /// A session without a map.
    pub fn new(limits: Limits, clock: Clock) -> Self {
        Self {
            limits,
            clock,
            map: None,
            planners: KeptPlanners::default(),
            living: None,
            scratch: Scratch::new(),
            traced: Scratch::new(),
        }
    }

    /// The same with a map to begin with. `cell_size` is in the unit of its heights.
    #[must_use]
    pub fn with_map(mut self, grid: Grid, name: &str, cell_size: f64) -> Self {
        self.map = Some(SessionMap { cell_size, ..SessionMap::new(grid, name, 1) });
        self
    }

    /// Answers a request. Whatever the bytes are, the answer is a frame.
    pub fn handle(&mut self, request: &[u8]) -> Vec<u8> {
        if request.len() > self.limits.request {
            let (length, most) = (request.len(), self.limits.request);
            let fault = format!("the request has {length} bytes, but may have {most} at most");
            return Reply::refusal(&fault, None);
        }
        let mut frame = match Frame::read(request) {
            Ok(frame) => frame,
            Err(fault) => return Reply::refusal(&fault, None),
        };
        let id = frame.header.remove("id");
        let mut reply = Reply::default();
        let answered = self.answer(&frame, &mut reply);
        self.keep_within_limits();
        match answered {
            Ok(()) => reply.write(id),
            Err(fault) => Reply::refusal(&fault, id),
        }
    }

    fn answer(&mut self, frame: &Frame<'_>, reply: &mut Reply) -> Result<(), Fault> {
        let op = Fields(&frame.header).need_text("op")?;
        let Some((_, handler)) = REQUESTS.iter().find(|(name, _)| *name == op) else {
            let known: Vec<_> = REQUESTS.iter().map(|(name, _)| *name).collect();
            let op = shortened(&op.into());
            return Err(format!("there is no request {op}; there are {}", known.join(", ")));
        };
        handler(self, frame, reply)
    }

    /// Gives back what is beyond the limits.
    fn keep_within_limits(&mut self) {
        // An answer is in the reply by now; nobody asks for the trace again.
        self.traced.record(0);
        for scratch in [&mut self.scratch, &mut self.traced] {
            if scratch.memory_usage() > self.limits.search_memory() {
                *scratch = Scratch::new();
            }
        }
    }

    /// The map, if there is one.
    pub(crate) fn need_map(&self) -> Result<&SessionMap, Fault> {
        self.map.as_ref().ok_or_else(no_map)
    }
}

/// The fault of a request that comes too early.
pub(crate) fn no_map() -> Fault {
    "there is no map yet: ask for `new`, `generate`, `example` or `load` first".into()
}
