//! `petgraph`: A* on a graph that is built from the map first.
//!
//! The graph has one node per cell, blocked ones included, so that a node is found from its
//! coordinates without a search. It is a `Graph`: with `Csr`, whose edges lie next to each other in
//! memory, queries took 3 to 8 % longer here and building five times as long.

use super::{Field, centre, octile};
use crate::contender::{Contender, Entry};
use blockstar::{Cell, Point, Rule};
use petgraph::algo::astar;
use petgraph::graph::{NodeIndex, UnGraph};

struct Peer {
    width: u32,
    graph: UnGraph<(u32, u32), u32>,
    answer: Option<(u32, Vec<NodeIndex>)>,
}

impl Peer {
    fn new(field: &Field) -> Self {
        let mut graph = UnGraph::with_capacity(field.free.len(), 4 * field.free.len());
        let places = || (0..field.height).flat_map(|y| (0..field.width).map(move |x| (x, y)));
        for place in places() {
            graph.add_node(place);
        }
        let node = |(x, y)| NodeIndex::new(field.index(x, y) as usize);
        for place in places().filter(|&(x, y)| field.is_free(x, y)) {
            // Each edge once: from the smaller to the larger number.
            for (to, cost) in field.steps(place).filter(|&(to, _)| node(to) > node(place)) {
                graph.add_edge(node(place), node(to), cost);
            }
        }
        Self { width: field.width, graph, answer: None }
    }
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let node = |cell: Cell| NodeIndex::new((cell.y * self.width + cell.x) as usize);
        let target = node(goal);
        self.answer = astar(
            &self.graph,
            node(start),
            |node| node == target,
            |edge| *edge.weight(),
            |node| octile(self.graph[node], (goal.x, goal.y)),
        );
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        let (_, nodes) = self.answer.take()?;
        Some(nodes.into_iter().map(|node| centre(self.graph[node])).collect())
    }
}

pub(super) fn entry<'a>() -> Entry<'a> {
    Entry {
        name: "petgraph".into(),
        rules: vec![Rule::Eight, Rule::EightCutAny],
        own: false,
        prepare: Box::new(|grid, moves| Ok(Box::new(Peer::new(&Field::new(grid, moves))))),
    }
}
