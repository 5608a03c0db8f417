//! `pathfinding`: A* over closures, the crate that most people take.
//!
//! Nothing is prepared. Nodes are pairs of coordinates, as in the crate's own examples, costs are
//! integers, and the successors come from an iterator that allocates nothing.

use super::{Field, centre, octile};
use crate::contender::{Contender, Entry};
use blockstar::{Cell, Point, Rule};

struct Peer {
    field: Field,
    answer: Option<(Vec<(u32, u32)>, u32)>,
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let goal = (goal.x, goal.y);
        self.answer = pathfinding::directed::astar::astar(
            &(start.x, start.y),
            |&node| self.field.steps(node),
            |&node| octile(node, goal),
            |&node| node == goal,
        );
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        let (nodes, _) = self.answer.take()?;
        Some(nodes.into_iter().map(centre).collect())
    }
}

pub(super) fn entry<'a>() -> Entry<'a> {
    Entry {
        name: "pathfinding".into(),
        rules: vec![Rule::Eight, Rule::EightCutAny],
        own: false,
        prepare: Box::new(|grid, moves| {
            Ok(Box::new(Peer { field: Field::new(grid, moves), answer: None }))
        }),
    }
}
