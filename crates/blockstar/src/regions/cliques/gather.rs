//! One level of the abstraction from the one below: four passes over its nodes.

use super::{Level, Lists, NONE};
use crate::grid::bits::Bits;
use crate::rules::moves::{Direction, StepTable, step_table};
use crate::{Grid, Rule};

/// The graph that the next level is made from.
pub(super) trait Graph {
    /// One more than the largest node.
    fn end(&self) -> usize;
    fn has(&self, node: u32) -> bool;
    /// Calls `to` with each neighbour, in ascending order.
    fn neighbours(&self, node: u32, to: impl FnMut(u32));
    /// Whether two nodes of the graph are neighbours.
    fn joined(&self, a: u32, b: u32) -> bool;
}

/// The cells and the steps between them.
pub(super) struct CellGraph<'a> {
    bits: &'a Bits,
    steps: &'static StepTable,
    /// The directions with what they add to a position, in ascending order of that.
    offsets: [(u8, i32); 8],
}

impl<'a> CellGraph<'a> {
    pub fn new(grid: &'a Grid, rule: Rule) -> Self {
        let bits = grid.rows();
        let offset = |d: usize| Direction::DX[d] + Direction::DY[d] * bits.stride() as i32;
        let offsets = [7, 0, 1, 6, 2, 5, 4, 3].map(|d| (d, offset(d.into())));
        debug_assert!(offsets.is_sorted_by_key(|pair| pair.1));
        Self { bits, steps: step_table(rule), offsets }
    }
}

impl Graph for CellGraph<'_> {
    fn end(&self) -> usize {
        self.bits.positions()
    }

    fn has(&self, node: u32) -> bool {
        self.bits.get(node)
    }

    #[inline]
    fn neighbours(&self, node: u32, mut to: impl FnMut(u32)) {
        let legal = self.steps[self.bits.around(node)];
        for (d, offset) in self.offsets {
            if legal >> d & 1 != 0 {
                to(node.wrapping_add_signed(offset));
            }
        }
    }

    #[inline]
    fn joined(&self, a: u32, b: u32) -> bool {
        let offset = b.wrapping_sub(a) as i32;
        let legal = self.steps[self.bits.around(a)];
        self.offsets.iter().any(|&(d, by)| by == offset && legal >> d & 1 != 0)
    }
}

impl Graph for Level {
    fn end(&self) -> usize {
        self.children.starts.len() - 1
    }

    fn has(&self, _: u32) -> bool {
        true
    }

    fn neighbours(&self, node: u32, mut to: impl FnMut(u32)) {
        self.neighbours.of(node).iter().for_each(|&next| to(next));
    }

    fn joined(&self, a: u32, b: u32) -> bool {
        self.neighbours.of(a).binary_search(&b).is_ok()
    }
}

/// The parents of a graph's nodes, and the level that they form.
pub(super) fn gather(graph: &impl Graph, cycles: bool) -> (Vec<u32>, Level) {
    let end = graph.end();
    // The first child of each group stands for it until they are numbered.
    let mut groups = vec![NONE; end];
    let mut around = Vec::new();
    for size in [4, 3, 2] {
        for node in (0..end as u32).filter(|&node| graph.has(node)) {
            if groups[node as usize] != NONE {
                continue;
            }
            around.clear();
            // A group with an earlier node would have been found from that one.
            graph.neighbours(node, |next| {
                if next > node && groups[next as usize] == NONE {
                    around.push(next);
                }
            });
            let found = match size {
                4 if cycles => cycle(graph, &groups, node, &around),
                4 => four(graph, node, &around),
                3 => three(graph, node, &around),
                _ => around.first().map(|&next| [node, next, node, node]),
            };
            let Some(found) = found else { continue };
            found.iter().for_each(|&member| groups[member as usize] = node);
        }
    }
    orphans(graph, &mut groups);
    number(graph, groups)
}

/// A clique of a node and three of the nodes around it.
fn four(graph: &impl Graph, node: u32, around: &[u32]) -> Option<[u32; 4]> {
    for (i, &a) in around.iter().enumerate() {
        for (j, &b) in around.iter().enumerate().skip(i + 1) {
            if !graph.joined(a, b) {
                continue;
            }
            let third = around[j + 1..].iter().find(|&&c| graph.joined(a, c) && graph.joined(b, c));
            if let Some(&c) = third {
                return Some([node, a, b, c]);
            }
        }
    }
    None
}

/// A clique of a node and two of the nodes around it.
fn three(graph: &impl Graph, node: u32, around: &[u32]) -> Option<[u32; 4]> {
    around.iter().enumerate().find_map(|(i, &a)| {
        let &b = around[i + 1..].iter().find(|&&b| graph.joined(a, b))?;
        Some([node, a, b, node])
    })
}

/// A cycle of a node, two of the nodes around it and another node that has no group.
fn cycle(graph: &impl Graph, groups: &[u32], node: u32, around: &[u32]) -> Option<[u32; 4]> {
    for (i, &a) in around.iter().enumerate() {
        for &b in &around[i + 1..] {
            let mut last = None;
            graph.neighbours(a, |c| {
                let free = groups[c as usize] == NONE && c > node && c != b;
                if last.is_none() && free && graph.joined(b, c) {
                    last = Some(c);
                }
            });
            if let Some(c) = last {
                return Some([node, a, b, c]);
            }
        }
    }
    None
}

/// The remaining nodes join the only group around them, or become groups by themselves.
fn orphans(graph: &impl Graph, groups: &mut [u32]) {
    for node in (0..groups.len() as u32).filter(|&node| graph.has(node)) {
        if groups[node as usize] != NONE {
            continue;
        }
        // No two orphans are neighbours: the last pass would have paired them.
        let (mut only, mut several) = (NONE, false);
        graph.neighbours(node, |next| {
            let group = groups[next as usize];
            several |= only != NONE && only != group;
            only = group;
        });
        groups[node as usize] = if several || only == NONE { node } else { only };
    }
}

/// Numbers the groups by their first nodes and makes a level of them.
pub(super) fn number(graph: &impl Graph, mut groups: Vec<u32>) -> (Vec<u32>, Level) {
    let end = groups.len() as u32;
    // An orphan may come before the node that its group is named after.
    let mut numbers = vec![NONE; groups.len()];
    let mut count = 0;
    for node in (0..end).filter(|&node| graph.has(node)) {
        let number = &mut numbers[groups[node as usize] as usize];
        if *number == NONE {
            *number = count;
            count += 1;
        }
    }
    let mut children = Vec::new();
    for node in (0..end).filter(|&node| graph.has(node)) {
        let group = &mut groups[node as usize];
        *group = numbers[*group as usize];
        children.push((*group, node));
    }
    drop(numbers);
    let children = Lists::new(count as usize, &children);
    let mut edges = Vec::new();
    let mut own = Vec::new();
    for parent in 0..count {
        own.clear();
        for &child in children.of(parent) {
            graph.neighbours(child, |next| {
                let other = groups[next as usize];
                if own.last() != Some(&other) {
                    own.push(other);
                }
            });
        }
        own.sort_unstable();
        own.dedup();
        edges.extend(own.iter().filter(|&&other| other != parent).map(|&other| (parent, other)));
    }
    let level = Level {
        children,
        neighbours: Lists::new(count as usize, &edges),
        parents: vec![NONE; count as usize],
        ..Level::default()
    };
    (groups, level)
}
