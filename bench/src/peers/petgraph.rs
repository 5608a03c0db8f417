//! `petgraph`: A* on a graph that is built from the map first.
//!
//! Two of its graph types are compared: `Graph`, which everybody starts with, and `Csr`, whose
//! edges lie next to each other in memory. Both have one node per cell, blocked ones included, so
//! that a node is found from its coordinates without a search.

use super::{Field, centre, octile};
use crate::contender::{Contender, Entry};
use blockstar::{Cell, Point, Rule};
use petgraph::algo::astar;
use petgraph::csr::Csr;
use petgraph::graph::{NodeIndex, UnGraph};

struct AsGraph {
    width: u32,
    graph: UnGraph<(u32, u32), u32>,
    answer: Option<(u32, Vec<NodeIndex>)>,
}

impl AsGraph {
    fn new(field: &Field) -> Self {
        let mut graph = UnGraph::with_capacity(field.free.len(), 4 * field.free.len());
        for y in 0..field.height {
            for x in 0..field.width {
                graph.add_node((x, y));
            }
        }
        let node = |(x, y)| NodeIndex::new(field.index(x, y) as usize);
        for cell in cells(field) {
            for (to, cost) in field.steps(cell).filter(|&(to, _)| node(to) > node(cell)) {
                graph.add_edge(node(cell), node(to), cost);
            }
        }
        Self { width: field.width, graph, answer: None }
    }
}

impl Contender for AsGraph {
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

struct AsRows {
    width: u32,
    graph: Csr<(), u32>,
    coordinates: Vec<(u32, u32)>,
    answer: Option<(u32, Vec<u32>)>,
}

impl AsRows {
    fn new(field: &Field) -> Self {
        let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(8 * field.free.len());
        for (x, y) in cells(field) {
            let from = field.index(x, y);
            let steps = field.steps((x, y));
            edges.extend(steps.map(|((x, y), cost)| (from, field.index(x, y), cost)));
        }
        edges.sort_unstable();
        // Cannot fail on sorted edges, and an empty graph finds nothing, which would be counted.
        let mut graph = Csr::from_sorted_edges(&edges).unwrap_or_default();
        // The last rows of the map may have no edges, but queries may still name them.
        while graph.node_count() < field.free.len() {
            graph.add_node(());
        }
        let coordinates =
            (0..field.height).flat_map(|y| (0..field.width).map(move |x| (x, y))).collect();
        Self { width: field.width, graph, coordinates, answer: None }
    }
}

impl Contender for AsRows {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let node = |cell: Cell| cell.y * self.width + cell.x;
        let target = node(goal);
        self.answer = astar(
            &self.graph,
            node(start),
            |node| node == target,
            |edge| *petgraph::visit::EdgeRef::weight(&edge),
            |node| octile(self.coordinates[node as usize], (goal.x, goal.y)),
        );
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        let (_, nodes) = self.answer.take()?;
        Some(nodes.into_iter().map(|node| centre(self.coordinates[node as usize])).collect())
    }
}

/// The free cells.
fn cells(field: &Field) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..field.height)
        .flat_map(|y| (0..field.width).map(move |x| (x, y)))
        .filter(|&(x, y)| field.is_free(x, y))
}

pub(super) fn entries<'a>() -> [Entry<'a>; 2] {
    let rules = vec![Rule::Eight, Rule::EightCutAny];
    [
        Entry {
            name: "petgraph:graph".into(),
            rules: rules.clone(),
            own: false,
            prepare: Box::new(|grid, moves| Ok(Box::new(AsGraph::new(&Field::new(grid, moves))))),
        },
        Entry {
            name: "petgraph:csr".into(),
            rules,
            own: false,
            prepare: Box::new(|grid, moves| Ok(Box::new(AsRows::new(&Field::new(grid, moves))))),
        },
    ]
}
