//! Maps cut into regions, climbing between cells, and searching graphs of regions.

pub(crate) mod climb;
pub(crate) mod cliques;
pub(crate) mod first_edges;
pub(crate) mod routes;
pub(crate) mod sectors;
