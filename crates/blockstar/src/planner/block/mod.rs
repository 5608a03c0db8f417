//! Block A* and its tables of the distances inside blocks.

pub(crate) mod block_astar;
pub(crate) mod tables;
