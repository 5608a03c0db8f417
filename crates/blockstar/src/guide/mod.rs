//! The guide: how to choose a planner, and how to live with it.
//!
//! | chapter | answers |
//! |---|---|
//! | [choosing] | which planner and which movement rule? |
//! | [edits] | what happens when the map changes? |
//! | [slices] | how is a search spread over frames, or many over threads? |
//! | [files] | how are maps read, and prepared data saved? |
//! | [terrain] | how do costs and slopes work? |
//! | [real_time] | how does a unit move before its path is complete? |
//! | [performance] | what makes it fast, and what slow? |
//!
//! [`engine`](crate::engine) explains how to write a planner of your own.

#[doc = include_str!("choosing.md")]
pub mod choosing {}

#[doc = include_str!("edits.md")]
pub mod edits {}

#[doc = include_str!("slices.md")]
pub mod slices {}

#[doc = include_str!("files.md")]
pub mod files {}

#[doc = include_str!("terrain.md")]
pub mod terrain {}

#[doc = include_str!("real_time.md")]
pub mod real_time {}

#[doc = include_str!("performance.md")]
pub mod performance {}
