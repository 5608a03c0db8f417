//! Lines, paths and the ground below them.

pub(crate) mod crossing;
pub(crate) mod cursor;
pub(crate) mod curve;
pub(crate) mod natural;
pub(crate) mod passed;
pub(crate) mod path;
pub(crate) mod relief;
pub(crate) mod sight;
pub(crate) mod smooth;
pub(crate) mod taut;
