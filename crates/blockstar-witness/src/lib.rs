//! Maps and worlds seen from outside: what looks at every cell or every unit on behalf of the command
//! line, which itself is compiled without optimisation.

#![forbid(unsafe_code)]

mod parts;
mod summary;
mod witness;

pub use parts::parts;
pub use summary::Summary;
pub use witness::Witness;
