//! Where to go next: for every two regions the first base path of a shortest way.
//!
//! The paper keeps an R x R matrix of next regions and costs, closed by dynamic programming. A matrix
//! of the ten maps of the paper has a megabyte and more; but seen from one region, large parts of the
//! map lie behind the same next one. So the regions are put in an order in which those near each other
//! follow each other, and each row of the matrix is a list of runs: from which rank on which hop. A
//! look is a binary search in a short list.
//!
//! Rows are made by Dijkstra's algorithm, one search per region. Of ways that cost the same, the one
//! whose first base path is the longest is taken (there are fewer junctions to cut corners at), of
//! these the first listed: a rule that depends on nothing else, so a search for one goal that knows
//! the same rule finds the same ways.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph as lists of targets and costs.
#[derive(Debug, Default)]
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
}

/// The shortest ways from one node to all.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    /// The cost of getting to each node.
    pub costs: Vec<u64>,
    /// Which edge of the source a shortest way begins with.
    pub firsts: Vec<u32>,
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

/// A node that cannot be reached, or the source: no first edge.
pub(super) const NOWHERE: u32 = u32::MAX;

impl Sweep {
    pub fn run(&mut self, graph: &Graph, source: u32) {
        let Self { costs, firsts, open } = self;
        costs.clear();
        costs.resize(graph.nodes(), u64::MAX);
        firsts.clear();
        firsts.resize(graph.nodes(), NOWHERE);
        open.clear();
        costs[source as usize] = 0;
        open.push(Reverse((0, source)));
        let own = graph.edges(source);
        // Whether one first edge is to be preferred to another.
        let better = |a: u32, b: u32| {
            b == NOWHERE || (Reverse(own[a as usize].1), a) < (Reverse(own[b as usize].1), b)
        };
        while let Some(Reverse((cost, node))) = open.pop() {
            if cost != costs[node as usize] {
                continue;
            }
            // All that costs less is settled, so this is the best of all ways that cost as much.
            let first = firsts[node as usize];
            for (index, &(next, step)) in (0..).zip(graph.edges(node)) {
                let (cost, at) = (cost + u64::from(step), next as usize);
                let first = if node == source { index } else { first };
                if cost < costs[at] {
                    costs[at] = cost;
                    firsts[at] = first;
                    open.push(Reverse((cost, next)));
                } else if cost == costs[at] && next != source && better(first, firsts[at]) {
                    firsts[at] = first;
                }
            }
        }
    }
}

/// The compressed matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Matrix {
    /// The place of each region in the order of columns.
    pub ranks: Vec<u16>,
    /// Where each region's runs start, and where the last one's end.
    pub starts: Vec<u32>,
    /// The rank from which on a run goes, and its hop.
    pub froms: Vec<u16>,
    pub hops: Vec<u8>,
}

impl Matrix {
    /// The largest number of regions whose places fit.
    pub const MOST: usize = 1 << 16;

    /// So many regions are never too many; with more, making the matrix may take too long.
    const FEW: usize = 4096;

    /// How many looks at an edge making it may take then: some seconds.
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
        let mut sweep = Sweep::default();
        matrix.starts.push(0);
        for node in 0..count as u32 {
            sweep.run(graph, node);
            let mut last = NOWHERE;
            for (rank, &target) in order.iter().enumerate() {
                let first = sweep.firsts[target as usize];
                // What cannot be reached is never asked for: let it continue the run.
                if first == NOWHERE || first == last {
                    continue;
                }
                // The first run covers all that comes before it, too.
                matrix.froms.push(if last == NOWHERE { 0 } else { rank as u16 });
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

    /// Which hop of a region leads towards another.
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

/// The nodes in the order in which a depth-first search comes upon them.
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

    /// The matrix of Figure 2 of the DBA* paper, from its twelve costs between neighbours, in tenths.
    /// Three entries are printed wrong there: A-C (27.6), A-F (15.6) and D-F (36.4) are not what these
    /// costs add up to.
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
        let mut sweep = Sweep::default();
        let mut rows = expected.trim().lines();
        for from in 0..7 {
            sweep.run(&graph, from);
            let mut row = rows.next().unwrap().split_whitespace();
            for to in 0..7 {
                let entry = row.next().unwrap();
                if from == to {
                    assert_eq!(entry, "-");
                    continue;
                }
                let hop = matrix.hop(from, to).unwrap();
                assert_eq!(hop, sweep.firsts[to as usize]);
                let next = char::from(b'A' + graph.edges(from)[hop as usize].0 as u8);
                let cost = sweep.costs[to as usize];
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
