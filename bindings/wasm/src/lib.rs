//! Sessions as a WebAssembly module: bytes in and out through its memory, without generated glue.
//!
//! The host asks for memory (`alloc`), writes a request there, calls `handle`, reads `reply_length`
//! bytes from where that points, and releases them (`free`). `create` makes another session and
//! returns its number, `select` directs requests to it; session 0 exists from the start. `env.now`
//! is the host's clock, in microseconds.
//!
//! There is no `unsafe` block here: Rust's side only hands out the addresses of its own vectors. (The
//! attributes are unsafe because exported names might clash. In a module they do not; in a program for
//! the machine itself `free` would take the C library's place, so there the names are not exported.)

use blockstar_session::{Clock, Limits, Session};
use std::cell::RefCell;

/// What browsers and servers can spare: maps of 2048 x 2048 cells, as WebAssembly has 4 GiB at most.
const LIMITS: Limits = Limits {
    cells: 2048 * 2048,
    request: 64 << 20,
    trace: 2_000_000,
    time: 60e6,
    planners: 6,
    planner_memory: 512 << 20,
    history: 128 << 20,
    units: 10_000,
    units_memory: 512 << 20,
};

/// The smallest difference of the host's clock that can be trusted: browsers coarsen theirs.
const RESOLUTION: f64 = 100.0;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn now() -> f64;
}

#[derive(Default)]
struct Module {
    sessions: Vec<Option<Session>>,
    selected: usize,
    request: Vec<u8>,
    reply: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

fn session() -> Session {
    Session::new(LIMITS, Clock::new("wall", RESOLUTION, || now()))
}

impl Module {
    fn selected(&mut self) -> Option<&mut Session> {
        if self.sessions.is_empty() {
            self.sessions.push(Some(session()));
        }
        self.sessions.get_mut(self.selected)?.as_mut()
    }
}

/// Memory for a request of this many bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    MODULE.with_borrow_mut(|module| {
        module.request.clear();
        module.request.resize(length.min(LIMITS.request + 1), 0);
        module.request.as_mut_ptr()
    })
}

/// Answers the request that was written where `alloc` said.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn handle(_pointer: *const u8, length: usize) -> *const u8 {
    MODULE.with_borrow_mut(|module| {
        let mut request = std::mem::take(&mut module.request);
        request.truncate(length);
        module.reply =
            module.selected().map(|session| session.handle(&request)).unwrap_or_default();
        module.reply.as_ptr()
    })
}

/// The length of the reply; 0 if the selected session does not exist.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn reply_length() -> usize {
    MODULE.with_borrow(|module| module.reply.len())
}

/// Takes the reply back.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn free(_pointer: *const u8, _length: usize) {
    MODULE.with_borrow_mut(|module| module.reply = Vec::new());
}

/// Makes a session and returns its number.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn create() -> usize {
    MODULE.with_borrow_mut(|module| {
        module.selected();
        module.sessions.push(Some(session()));
        module.sessions.len() - 1
    })
}

/// From now on requests go to this session.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn select(number: usize) {
    MODULE.with_borrow_mut(|module| module.selected = number);
}

/// Ends a session.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn destroy(number: usize) {
    MODULE.with_borrow_mut(|module| {
        if let Some(session) = module.sessions.get_mut(number) {
            *session = None;
        }
    });
}
