//! The graphs that searches run over.

pub(crate) mod cells;
pub(crate) mod corners;
pub(crate) mod hills;
pub(crate) mod lattice;
