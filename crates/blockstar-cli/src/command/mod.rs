//! One file per command.

pub mod bench;
pub mod build;
pub mod convert;
pub mod explore;
pub mod generate;
pub mod info;
pub mod planners;
pub mod render;
pub mod reproduce;
pub mod route;
pub mod simulate;
pub mod verify;
