//! Planners whose paths take any angle.

pub(crate) mod anya;
#[cfg(feature = "study")]
pub(crate) mod ap_theta;
#[cfg(feature = "study")]
pub(crate) mod field_d_star;
#[cfg(feature = "study")]
mod field_walk;
mod point_search;
pub(crate) mod theta;
pub(crate) mod visibility;

use crate::Rule;

/// The movement rules that these planners support.
const RULES: &[Rule] = &[Rule::AnyAngle, Rule::AnyAngleSqueeze];
