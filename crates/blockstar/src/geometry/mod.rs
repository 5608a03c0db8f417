//! Lines, paths and what they run over.

pub(crate) mod curve;
pub(crate) mod natural;
pub(crate) mod path;
pub(crate) mod relief;
pub(crate) mod sight;
pub(crate) mod taut;
