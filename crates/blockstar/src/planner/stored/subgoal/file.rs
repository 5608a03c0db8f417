//! The graph as bytes.
//!
//! Which cells are subgoals follows from the map, so the payload has only the lanes in use, the number
//! of subgoals and, for each subgoal by row and column, how many edges it has, where they lead, as
//! numbers of subgoals in this order, and its labels. Classes and costs follow from where the ends
//! are. The overlay follows from the edges and is made anew.
//!
//! A bit of the parameters says that the lanes are not what they would be if they were made for this
//! map, because of edits.

use super::corners::Ground;
use super::graph::{Edge, Graph, Units};
use super::lanes::{LARGEST, LaneSet, Lanes, Line};
use super::overlay::Overlay;
use super::refresh::Refresh;
use super::scan::Seen;
use super::{ROW, Subgoals, lanes};
use crate::db::parameters::moves_code;
use crate::db::{self, DatabaseKind, IntactFile, Label, take_u32};
use crate::engine::{Driver, parallel};
use crate::rules::cost::StepCosts;
use crate::{Error, Grid, Moves};

/// The bit of the parameters for lanes that edits have left their marks on.
const WORN: u64 = 1 << 63;

impl Subgoals {
    pub(super) fn to_bytes(&self, moves: Moves, map: u64) -> Vec<u8> {
        let (graph, order) = (&self.graph, self.graph.by_row());
        let mut ranks = vec![0; graph.nodes.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        let numbers = 2 + order.len() * (1 + lanes::LANES) + 2 * graph.edge_count();
        let mut payload = Vec::with_capacity(4 * numbers);
        let mut add = |number: u32| payload.extend_from_slice(&number.to_le_bytes());
        add(self.lanes.intact().into());
        add(order.len() as u32);
        for &number in &order {
            let node = graph.node(number);
            let edges = graph.edges(node);
            add(edges.len() as u32);
            edges.iter().for_each(|edge| add(ranks[edge.target() as usize]));
            self.lanes.labels(number).iter().for_each(|&label| add(label));
        }
        let worn = if self.refresh.is_done() { 0 } else { WORN };
        let label = Label {
            kind: DatabaseKind::SubgoalGraph,
            parameters: moves_code(moves) | worn,
            grid: map,
        };
        db::seal(label, &payload)
    }
}

impl Driver<Subgoals> {
    /// Opens a graph that was saved for the same map and movement rule. Everything else is refused:
    /// other files, damaged or truncated ones, those of another version, map or rule. Of a forged
    /// file every path is legal, or the query says what is wrong; that a path is a shortest one
    /// rests on the file.
    pub(super) fn open(bytes: &[u8], grid: &Grid, moves: Moves) -> Result<Self, Error> {
        let kind = DatabaseKind::SubgoalGraph;
        let IntactFile { parameters, payload, .. } =
            IntactFile::for_map(bytes, kind, grid.content_hash(), moves)?;
        let (straight, diagonal) = StepCosts::<u32>::units(moves);
        let ground = Ground::new(grid);
        let mut graph = Graph::without_edges(&ground, Units { straight, diagonal });
        let lanes = read(payload, &mut graph).ok_or_else(|| {
            kind.refuse("its edges or labels make no sense for this map: build it again")
        })?;
        let refresh = if parameters & WORN == 0 { Refresh::default() } else { Refresh::due() };
        let overlay = Overlay::due(&ground, &graph);
        let mut method = Subgoals { ground, graph, lanes, refresh, overlay };
        method.overlay.build(&method.ground, &method.graph, parallel::cores());
        method.renumber();
        Ok(Self::opened(method, grid, moves, kind))
    }
}

/// The planner that makes a graph with these parameters, if its lanes are as they were made.
pub(super) fn maker(parameters: u64) -> Option<String> {
    (parameters & WORN == 0).then(|| ROW.name.into())
}

/// Reads the edges of a graph that has none, and its lanes.
fn read(mut payload: &[u8], graph: &mut Graph) -> Option<Lanes> {
    let intact = LaneSet::try_from(take_u32(&mut payload)?).ok()?;
    let order = graph.by_row();
    if take_u32(&mut payload)? as usize != order.len() {
        return None;
    }
    let (mut list, mut labels) = (Vec::new(), vec![Line::ZERO; graph.nodes.len()]);
    for &number in &order {
        let count = take_u32(&mut payload)? as usize;
        // Checked before anything is allocated.
        if payload.len() / 4 < count {
            return None;
        }
        list.clear();
        for _ in 0..count {
            let target = *order.get(take_u32(&mut payload)? as usize)?;
            list.push(edge_between(graph, number, target)?);
        }
        Graph::sort(&mut list);
        graph.set_edges(number, &list);
        for label in &mut labels[number as usize].0 {
            *label = take_u32(&mut payload).filter(|&label| label <= LARGEST)?;
        }
    }
    let lanes = Lanes::with(labels, intact);
    (payload.is_empty() && lanes.fit(graph)).then_some(lanes)
}

/// The edge from one subgoal to another, if they are two.
pub(super) fn edge_between(graph: &Graph, from: u32, to: u32) -> Option<Edge> {
    let seen = Seen::between(graph.node(from).cell(), graph.node(to).cell())?;
    Some(Edge::new(to, seen.class, graph.units.cost(&seen)))
}
