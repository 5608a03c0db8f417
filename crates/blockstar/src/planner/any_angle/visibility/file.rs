//! The graph as a file. It holds the edges alone: turning points are quickly found, and so are labels.

use super::graph::{Edge, Graph, Group};
use super::{ROW, Visibility, check_moves};
use crate::db::{self, DatabaseKind, Label};
use crate::engine::Driver;
use crate::{Error, Grid, Moves, Rule};

impl Driver<Visibility> {
    /// Opens a saved graph, for the same map and movement rule. Everything
    /// else is refused: other files, damaged and truncated ones, those of another version, another
    /// map or another rule. Of a forged file every path is legal, or the query says what is wrong;
    /// that a path is a shortest one rests on the file.
    pub(super) fn open(
        bytes: &[u8],
        grid: &Grid,
        moves: Moves,
        threads: usize,
    ) -> Result<Self, Error> {
        check_moves(moves)?;
        let payload = db::unseal(bytes, label(grid.content_hash(), moves.rule()), |parameters| {
            let rule = rule_of(parameters);
            format!("the rule `{}`", rule.map_or("unknown", |rule| rule.name()))
        })?;
        if grid.has_costs() {
            return Err(Error::no_terrain(ROW.name, moves));
        }
        let graph = Graph::without_edges(grid, moves.rule());
        let graph = graph.with_edges(payload).ok_or_else(|| {
            DatabaseKind::VisibilityGraph
                .refuse("its edges make no sense for this map: build it again")
        })?;
        let mut method = Visibility::new(graph, threads);
        method.make_lanes();
        Ok(Self::opened(method, grid, moves, DatabaseKind::VisibilityGraph))
    }
}

/// The header of the file for a map and a rule.
pub(super) fn label(map: u64, rule: Rule) -> Label {
    Label { kind: DatabaseKind::VisibilityGraph, parameters: rule as u64, grid: map }
}

/// The movement rule of a file with these parameters.
pub(super) fn rule_of(parameters: u64) -> Option<Rule> {
    Rule::ALL.iter().copied().find(|&rule| rule as u64 == parameters)
}

impl Graph {
    /// The graph with the edges that a payload describes, if it describes some between these points.
    fn with_edges(mut self, mut payload: &[u8]) -> Option<Self> {
        let corners = db::take_u32(&mut payload)?;
        let count = db::take_u32(&mut payload)?;
        // Nothing is allocated before this is checked.
        let numbers = 2 * u64::from(corners) + u64::from(count);
        if corners as usize != self.len() || payload.len() as u64 != 4 * numbers {
            return None;
        }
        let (mut counts, mut edges) = payload.split_at(8 * corners as usize);
        let mut list = Vec::new();
        for point in 0..corners {
            for group in Group::BOTH {
                let length = db::take_u32(&mut counts)?;
                if u64::from(length) * 4 > edges.len() as u64 {
                    return None;
                }
                list.clear();
                for _ in 0..length {
                    let to = db::take_u32(&mut edges).filter(|&to| to < corners)?;
                    list.push(self.edge(self.place(point), to));
                }
                self.set_group(point, group, &list);
            }
        }
        Some(self).filter(|graph| edges.is_empty() && graph.is_plausible())
    }

    /// The bytes of the file: points count by row and column, whatever their numbers are.
    pub(super) fn to_bytes(&self, rule: Rule, map: u64) -> Vec<u8> {
        let order = self.by_row();
        let mut rank = vec![0; self.nodes.len()];
        for (index, &number) in order.iter().enumerate() {
            rank[number as usize] = index as u32;
        }
        let count = self.edge_count();
        let mut payload = Vec::with_capacity((2 * order.len() + count + 2) * 4);
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(order.len() as u32);
        add(count as u32);
        let groups = || order.iter().flat_map(|&point| Group::BOTH.map(|g| self.group(point, g)));
        groups().for_each(|edges| add(edges.len() as u32));
        groups().flatten().for_each(|edge: &Edge| add(rank[edge.to as usize]));
        db::seal(label(map, rule), &payload)
    }
}
