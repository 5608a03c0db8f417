//! `pathfinding`: A* over closures, the crate that most people use.
//!
//! Nothing is prepared but the user's own map. Nodes are cell numbers: pairs of coordinates, as in
//! the crate's own examples, took 2 to 12 % longer here. Costs are integers, and the successors
//! come from an iterator that allocates nothing.

use super::{Field, centre, octile};
use crate::contender::{Contender, Entry};
use blockstar::{Cell, Point, Rule};
use pathfinding::directed::astar::astar;

struct Peer {
    field: Field,
    answer: Option<(Vec<u32>, u32)>,
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let field = &self.field;
        let target = field.index(goal.x, goal.y);
        self.answer = astar(
            &field.index(start.x, start.y),
            |&node| {
                let steps = field.steps(field.place(node));
                steps.map(|((x, y), cost)| (field.index(x, y), cost))
            },
            |&node| octile(field.place(node), (goal.x, goal.y)),
            |&node| node == target,
        );
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        let (nodes, _) = self.answer.take()?;
        Some(nodes.into_iter().map(|node| centre(self.field.place(node))).collect())
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
