//! One file per command.

pub mod bench;
pub mod build;
pub mod convert;
pub mod generate;
pub mod info;
pub mod planners;
pub mod render;
pub mod reproduce;
pub mod route;
pub mod verify;
