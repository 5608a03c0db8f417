//! blockstar behind a protocol: [`Session::handle`] takes a request as bytes and answers with bytes.
//!
//! No I/O, no threads, no clock of its own: a server passes the bytes over a socket, WebAssembly over
//! its memory, and both get the same answers. `PROTOCOL.md` describes requests and replies.
//!
//! ```
//! use blockstar_session::{Clock, Limits, Session, frame};
//!
//! let mut session = Session::new(Limits::default(), Clock::wall());
//! let request = serde_json::json!({ "op": "new", "width": 8, "height": 4 });
//! let reply = session.handle(&frame(request.as_object().unwrap(), &[]));
//! assert!(String::from_utf8_lossy(&reply).contains("\"ok\":true"));
//! ```
#![forbid(unsafe_code)]

mod answer;
mod brush;
mod clock;
mod counters;
mod example;
mod fields;
mod frame;
mod history;
mod kept;
mod limits;
mod living;
mod map;
mod question;
mod request;
mod session;
mod written;

pub use clock::Clock;
pub use counters::counters;
pub use frame::frame;
pub use limits::Limits;
pub use session::Session;

/// The number of the protocol: another one when old pages no longer understand the replies.
pub const PROTOCOL: u32 = 1;
