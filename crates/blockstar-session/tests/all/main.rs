//! Sessions through their protocol.

mod client;
mod hostile;
mod session;
mod units;
