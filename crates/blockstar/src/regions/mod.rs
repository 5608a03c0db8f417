//! Maps cut into regions, and climbing between them.

pub(crate) mod climb;
pub(crate) mod cliques;
pub(crate) mod sectors;
