//! All tests of this crate in one binary.

mod chokes;
mod crowd_guides;
mod crowd_instances;
mod crowd_pitfalls;
mod crowd_stepper;
mod lockstep;
mod orders;
mod pitfalls;
mod plane;
mod support;
mod three_steps;
