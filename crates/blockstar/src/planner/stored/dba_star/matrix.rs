//! Where to go next: for every two regions the first base path of a shortest way.
//!
//! The paper keeps an R x R matrix of next regions and costs, closed by dynamic programming. For
//! its ten maps that takes a megabyte and more; but seen from one region, large parts of the map
//! lie behind the same next one. So the regions are ordered such that neighbours tend to follow
//! each other, and each row of the matrix is a list of runs: the hop to take from some rank on. A
//! lookup is a binary search in a short list.
//!
//! Rows are made by Dijkstra's algorithm, one search per region. Of ways of equal cost it takes the
//! one with the longest first base path (which leaves fewer junctions to cut corners at), of these
//! the first listed. That rule depends on nothing else, so a search for a single goal can apply it
//! and find the same ways.

use crate::regions::first_edges::{FirstEdges, NO_EDGE};
use std::cmp::Reverse;

/// A graph as lists of targets and costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub starts: Vec<u32>,
    pub edges: Vec<(u32, u32)>,
}

impl Graph {
    fn edges(&self, node: u32) -> &[(u32, u32)] {
        let at = node as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// Finds the first edges of the shortest ways from a node; of several the dearest edge, of
    /// these the first listed.
    fn find(&self, firsts: &mut FirstEdges, source: u32) {
        let own = self.edges(source);
        let rank = |edge: u32| (Reverse(own[edge as usize].1), edge);
        let edges = |node: u32| self.edges(node).iter().map(|edge| (edge.0, edge.1.into()));
        firsts.find(self.nodes(), source, edges, |a, b| rank(a) < rank(b));
    }
}

/// The compressed matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matrix {
    /// The place of each region in the order of columns.
    pub ranks: Vec<u16>,
    /// Where each region's runs start, and where the last one's end.
    pub starts: Vec<u32>,
    /// The rank at which each run begins, and its hop.
    pub froms: Vec<u16>,
    pub hops: Vec<u8>,
}

impl Matrix {
    /// The largest number of regions whose places fit.
    pub const MOST: usize = 1 << 16;

    /// Up to this many regions are always fine; with more, making the matrix may take too long.
    const FEW: usize = 4096;

    /// How many looks at an edge it may take then: a few seconds.
    const MOST_LOOKS: u64 = 400_000_000;

    /// The matrix of a graph; none if that would take too long or a node has too many edges.
    pub fn new(graph: &Graph) -> Option<Self> {
        let count = graph.nodes();
        let widest = (0..count as u32).map(|node| graph.edges(node).len()).max().unwrap_or(0);
        let looks = count as u64 * graph.edges.len() as u64;
        if widest > 256 || count > Self::MOST || count > Self::FEW && looks > Self::MOST_LOOKS {
            return None;
        }
        let order = depth_first(graph);
        let starts = Vec::with_capacity(count + 1);
        let mut matrix = Self { ranks: vec![0; count], starts, ..Self::default() };
        for (rank, &node) in order.iter().enumerate() {
            matrix.ranks[node as usize] = rank as u16;
        }
        let mut ways = FirstEdges::default();
        matrix.starts.push(0);
        for node in 0..count as u32 {
            graph.find(&mut ways, node);
            let mut last = NO_EDGE;
            for (rank, &target) in order.iter().enumerate() {
                let first = ways.firsts[target as usize];
                // Nobody asks for what cannot be reached: let it continue the run.
                if first == NO_EDGE || first == last {
                    continue;
                }
                // The first run also covers all ranks before it.
                matrix.froms.push(if last == NO_EDGE { 0 } else { rank as u16 });
                matrix.hops.push(first as u8);
                last = first;
            }
            matrix.starts.push(matrix.froms.len() as u32);
        }
        matrix.froms.shrink_to_fit();
        matrix.hops.shrink_to_fit();
        Some(matrix)
    }

    /// Where the runs of a region lie.
    #[inline]
    pub fn row(&self, region: u32) -> std::ops::Range<usize> {
        self.starts[region as usize] as usize..self.starts[region as usize + 1] as usize
    }

    /// The hop of a region that leads towards another.
    #[inline]
    pub fn hop(&self, from: u32, to: u32) -> Option<u32> {
        let row = self.row(from);
        let rank = self.ranks[to as usize];
        let froms = &self.froms[row.clone()];
        let at = froms.partition_point(|&from| from <= rank).checked_sub(1)?;
        Some(self.hops[row.start + at].into())
    }

    pub fn bytes(&self) -> usize {
        self.ranks.capacity() * 2
            + self.starts.capacity() * 4
            + self.froms.capacity() * 2
            + self.hops.capacity()
    }
}

/// The nodes in the order in which a depth-first search finds them.
fn depth_first(graph: &Graph) -> Vec<u32> {
    let mut seen = vec![false; graph.nodes()];
    let mut order = Vec::with_capacity(graph.nodes());
    let mut stack = Vec::new();
    for root in 0..graph.nodes() as u32 {
        stack.push(root);
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                order.push(node);
                stack.extend(graph.edges(node).iter().rev().map(|edge| edge.0));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn graph(nodes: usize, links: &[(usize, usize, u32)]) -> Graph {
        let mut lists = vec![Vec::new(); nodes];
        for &(a, b, cost) in links {
            lists[a].push((b as u32, cost));
            lists[b].push((a as u32, cost));
        }
        let mut graph = Graph { starts: vec![0], edges: Vec::new() };
        for list in &mut lists {
            list.sort_unstable();
            graph.edges.extend(&*list);
            graph.starts.push(graph.edges.len() as u32);
        }
        graph
    }

    /// The matrix of Figure 2 of the DBA* paper, from its twelve costs between neighbours, in
    /// tenths. Three entries are misprinted there: A-C (27.6), A-F (15.6) and D-F (36.4) are not
    /// what these costs add up to.
    #[test]
    fn the_matrix_of_the_paper() {
        let [a, b, c, d, e, f, g] = [0, 1, 2, 3, 4, 5, 6];
        let graph = graph(
            7,
            &[
                (a, b, 138),
                (a, d, 132),
                (a, e, 200),
                (b, c, 148),
                (b, d, 216),
                (b, e, 200),
                (b, f, 118),
                (b, g, 236),
                (c, f, 98),
                (c, g, 136),
                (d, e, 146),
                (f, g, 130),
            ],
        );
        let expected = "
            -     B13.8 B28.6 D13.2 E20.0 B25.6 B37.4
            A13.8 -     C14.8 D21.6 E20.0 F11.8 G23.6
            B28.6 B14.8 -     B36.4 B34.8 F9.8  G13.6
            A13.2 B21.6 B36.4 -     E14.6 B33.4 B45.2
            A20.0 B20.0 B34.8 D14.6 -     B31.8 B43.6
            B25.6 B11.8 C9.8  B33.4 B31.8 -     G13.0
            B37.4 B23.6 C13.6 B45.2 B43.6 F13.0 -";
        let matrix = Matrix::new(&graph).unwrap();
        let mut ways = FirstEdges::default();
        let mut rows = expected.trim().lines();
        for from in 0..7 {
            graph.find(&mut ways, from);
            let mut row = rows.next().unwrap().split_whitespace();
            for to in 0..7 {
                let entry = row.next().unwrap();
                if from == to {
                    assert_eq!(entry, "-");
                    continue;
                }
                let hop = matrix.hop(from, to).unwrap();
                assert_eq!(hop, ways.firsts[to as usize]);
                let next = char::from(b'A' + graph.edges(from)[hop as usize].0 as u8);
                let cost = ways.costs[to as usize];
                assert_eq!(format!("{next}{}.{}", cost / 10, cost % 10), entry);
            }
        }
        // The running example: from E to G over B, at 43.6.
        assert_eq!(graph.edges(4)[matrix.hop(4, 6).unwrap() as usize].0, 1);
    }

    #[test]
    fn every_hop_is_the_first_of_a_shortest_way() {
        let mut random = Random::new(4);
        for _ in 0..60 {
            let nodes = 1 + random.below(30) as usize;
            let mut links = Vec::new();
            for a in 0..nodes {
                for b in a + 1..nodes {
                    if random.chance(1, 6) {
                        links.push((a, b, 1 + random.below(5) as u32));
                    }
                }
            }
            let graph = graph(nodes, &links);
            let mut costs = vec![vec![u64::MAX / 4; nodes]; nodes];
            for &(a, b, cost) in &links {
                (costs[a][b], costs[b][a]) = (cost.into(), cost.into());
            }
            for k in 0..nodes {
                costs[k][k] = 0;
                for i in 0..nodes {
                    for j in 0..nodes {
                        costs[i][j] = costs[i][j].min(costs[i][k] + costs[k][j]);
                    }
                }
            }
            let matrix = Matrix::new(&graph).unwrap();
            for i in 0..nodes {
                for j in (0..nodes).filter(|&j| j != i && costs[i][j] < u64::MAX / 4) {
                    let edges = graph.edges(i as u32);
                    let best = (0..edges.len()).filter(|&e| {
                        let (next, cost) = edges[e];
                        u64::from(cost) + costs[next as usize][j] == costs[i][j]
                    });
                    let best = best.min_by_key(|&e| (Reverse(edges[e].1), e)).unwrap();
                    assert_eq!(matrix.hop(i as u32, j as u32), Some(best as u32));
                }
            }
        }
    }
}
