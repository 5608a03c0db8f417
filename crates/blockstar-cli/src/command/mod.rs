//! One file per command.

pub mod bench;
pub mod convert;
pub mod generate;
pub mod planners;
pub mod render;
pub mod route;
