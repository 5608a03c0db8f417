//! `grid_pathfinding`: jump point search that always cuts corners.
//!
//! Prepared as in the crate's own benchmark. The time covers its waypoints, the least it can be
//! asked for and what blockstar's own jump point search returns too; the check fills in the cells
//! between them. Its diagonal costs 99/70, so a path may be slightly off the optimum without being
//! wrong.

use crate::contender::{Contender, Entry};
use blockstar::{Cell, Grid, Point, Rule};
use grid_pathfinding::{PathingGrid, waypoints_to_path};
use grid_util::grid::{BoolGrid, ValueGrid};
use grid_util::point::Point as Place;

struct Peer {
    pathing: PathingGrid,
    answer: Option<Vec<Place>>,
}

impl Peer {
    fn new(grid: &Grid, improved_pruning: bool) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let mut blocked = BoolGrid::new(width, height, false);
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                blocked.set(x as i32, y as i32, !grid.is_free(Cell::new(x, y)));
            }
        }
        let mut pathing = PathingGrid::new(width, height, true);
        pathing.grid = blocked;
        pathing.improved_pruning = improved_pruning;
        pathing.initialize();
        pathing.generate_components();
        Self { pathing, answer: None }
    }
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let [start, goal] = [start, goal].map(|cell| Place::new(cell.x as i32, cell.y as i32));
        self.answer = self.pathing.get_waypoints_single_goal(start, goal, false);
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        let places = waypoints_to_path(self.answer.take()?);
        Some(places.into_iter().map(|p| Cell::new(p.x as u32, p.y as u32).into()).collect())
    }
}

pub(super) fn entries<'a>() -> [Entry<'a>; 2] {
    [("grid_pathfinding:plain", false), ("grid_pathfinding:improved", true)].map(
        |(name, improved_pruning)| Entry {
            name: name.into(),
            rules: vec![Rule::EightCutAny],
            own: false,
            prepare: Box::new(move |grid, _| Ok(Box::new(Peer::new(grid, improved_pruning)))),
        },
    )
}
