//! Planners whose paths take any angle.

pub(crate) mod anya;
pub(crate) mod ap_theta;
pub(crate) mod field_d_star;
mod field_walk;
pub(crate) mod theta;
pub(crate) mod visibility;
