//! The abstraction as bytes: the parent of each node.
//!
//! The payload is the number of levels and, for the cells and each level but the highest, the
//! number of nodes and the parent of each. The rest follows from that and is computed when a file
//! is opened. What a search relies on is then checked: every node has a parent, the children of a
//! node are connected, each level has fewer nodes than the one below, and nothing is left to join
//! on the highest. Whether groups are cliques is not checked: other groups lead to other paths and
//! do no harm.

use super::gather::{CellGraph, Graph, number};
use super::{Cliques, Level, NONE};
use crate::db::take_u32;
use crate::{Grid, Rule};

impl Cliques {
    /// As a payload.
    pub fn write(&self) -> Vec<u8> {
        let mut payload = (self.levels.len() as u32).to_le_bytes().to_vec();
        let mut add = |parents: &[u32]| {
            let known = parents.iter().filter(|&&parent| parent != NONE);
            payload.extend_from_slice(&(known.clone().count() as u32).to_le_bytes());
            known.for_each(|parent| payload.extend_from_slice(&parent.to_le_bytes()));
        };
        if let Some((_, below)) = self.levels.split_last() {
            add(&self.ground);
            below.iter().for_each(|level| add(&level.parents));
        }
        payload
    }

    /// From a payload, if it is sound for this map.
    pub fn read(mut payload: &[u8], grid: &Grid, rule: Rule) -> Option<Self> {
        let height = take_u32(&mut payload)?;
        let mut cliques = Self { cells: grid.free_cells(), ..Self::default() };
        cliques.ground = vec![NONE; grid.rows().positions()];
        if (height == 0) != (cliques.cells == 0) {
            return None;
        }
        let ground = CellGraph::new(grid, rule);
        for at in 0..height {
            let Some(top) = cliques.levels.last_mut() else {
                let (parents, level) = read_level(&mut payload, &ground, cliques.cells)?;
                cliques.ground = parents;
                cliques.levels.push(level);
                continue;
            };
            let nodes = top.len();
            let (parents, level) = read_level(&mut payload, top, nodes)?;
            if level.len() >= nodes {
                return None;
            }
            top.parents = parents;
            cliques.levels.push(level);
            debug_assert_eq!(cliques.levels.len(), at as usize + 1);
        }
        let joined = |top: &Level| !top.neighbours.items.is_empty();
        if !payload.is_empty() || cliques.levels.last().is_some_and(joined) {
            return None;
        }
        cliques.place(grid);
        Some(cliques)
    }
}

/// The parents of the `count` nodes of a graph, and the level that they form.
fn read_level(payload: &mut &[u8], graph: &impl Graph, count: usize) -> Option<(Vec<u32>, Level)> {
    // Nothing is allocated before this is known.
    if take_u32(payload)? as usize != count || payload.len() / 4 < count {
        return None;
    }
    let mut parents = vec![NONE; graph.end()];
    for node in (0..graph.end()).filter(|&node| graph.has(node as u32)) {
        parents[node] = take_u32(payload).filter(|&parent| (parent as usize) < count)?;
    }
    let (numbered, level) = number(graph, parents.clone());
    // Parents are numbered by their first child.
    (numbered == parents && parts(graph, &parents) == level.len()).then_some((parents, level))
}

/// How many connected parts there are if only children of the same parent are joined.
fn parts(graph: &impl Graph, parents: &[u32]) -> usize {
    let mut seen = vec![false; parents.len()];
    let (mut stack, mut count) = (Vec::new(), 0);
    for first in (0..parents.len() as u32).filter(|&node| graph.has(node)) {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        count += 1;
        stack.push(first);
        while let Some(node) = stack.pop() {
            graph.neighbours(node, |next| {
                let own = parents[next as usize] == parents[node as usize];
                if own && !std::mem::replace(&mut seen[next as usize], true) {
                    stack.push(next);
                }
            });
        }
    }
    count
}
