//! The integration tests of the library in one binary: it links once.

mod again;
mod anya;
mod ap_theta_star;
mod block_any_angle;
mod block_astar;
mod cpd;
mod cursor;
mod d_star_lite;
mod dba_star;
mod distance_map;
mod field_d_star;
#[path = "../../examples/first_day.rs"]
mod first_day;
mod front_door;
mod guided;
mod hcdps;
mod heuristics;
mod ida;
mod island;
mod layers;
mod lddb;
mod movingai;
mod natural;
#[path = "../../examples/own_planner.rs"]
mod own_planner;
mod path;
mod pra_cliques;
mod promises;
mod quadtree;
mod rea_star;
mod real_time;
mod real_time_maps;
mod sight;
mod slopes;
mod subgoal;
mod support;
mod taut;
mod theta;
mod three_step;
mod tile;
mod trace;
mod visibility;

/// Slices, a batch, the edit log: the example asserts all of it.
#[test]
fn a_planner_from_outside_works_like_those_inside() {
    own_planner::main().unwrap();
}

/// Two hundred units, edits, a batch, a distance map and a saved database, without a planner's name in
/// a string.
#[test]
fn the_first_day_goes_well() {
    first_day::main().unwrap();
}
