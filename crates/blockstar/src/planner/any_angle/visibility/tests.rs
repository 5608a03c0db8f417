//! Files with the right checksum that are wrong all the same.

use super::*;
use crate::random::Random;
use crate::{Planner, Scratch, generate};

/// The payload of a graph with more edges: pairs in each other's quarters that are wanted.
fn with_edges(graph: &Graph, mut wanted: impl FnMut(u32, u32) -> bool) -> Vec<u8> {
    let points = &graph.points;
    let count = points.len() as u32;
    let (mut counts, mut edges) = (Vec::new(), Vec::new());
    for point in 0..count {
        let place = points.place(point);
        for group in [Group::Upper, Group::Lower] {
            let known = graph.group(point, group);
            let mut own: Vec<u32> = (0..count)
                .filter(|&other| {
                    let there = points.place(other).point();
                    let possible = other != point && place.holds(group, there);
                    known.contains(&other) || possible && wanted(point, other)
                })
                .collect();
            own.sort_by(|&a, &b| graph::order(points, place, group, a, b));
            counts.push(own.len() as u32);
            edges.extend(own);
        }
    }
    let numbers = [count, edges.len() as u32].into_iter().chain(counts).chain(edges);
    numbers.flat_map(u32::to_le_bytes).collect()
}

/// Whatever a forger writes behind a proper header is refused, when it is opened or by the query
/// that makes an illegal path of it, or answers queries with legal paths.
#[test]
fn forged_edges_do_no_harm() {
    let grid = generate::random(16, 16, 30.0, 4).unwrap();
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let graph = VisibilityGraph::new(&grid, moves).unwrap();
    let bytes = graph.save().unwrap();
    let label = label(grid.content_hash(), moves.rule());
    let payload = db::unseal(&bytes, label, |_| String::new()).unwrap();
    let mut random = Random::new(6);
    let mut scratch = Scratch::new();
    let (mut opened, mut refused, mut caught) = (0, 0, 0);
    for round in 0..1_500 {
        let forged = match round % 3 {
            0 => random.damage(payload),
            // More edges, in a proper frame and in order: as a look at each tells, they could be.
            1 => with_edges(graph.graph(), |_, _| random.chance(1, 40)),
            // Sizes that are not there.
            _ => {
                let mut forged = payload[..random.below(60) as usize].to_vec();
                forged.extend([0xff; 8]);
                forged.rotate_right(8);
                forged
            }
        };
        let Ok(planner) = VisibilityGraph::builder().open(&db::seal(label, &forged), &grid, moves)
        else {
            refused += 1;
            continue;
        };
        opened += 1;
        for (start, goal) in generate::queries(&grid, 3, round) {
            match planner.find(&grid, &Query::new(start, goal), &mut scratch) {
                Ok(_) => scratch.path().check(&grid, moves).unwrap(),
                Err(error) => {
                    assert!(error.to_string().contains("damaged or forged"), "{error}");
                    caught += 1;
                }
            }
        }
    }
    assert!(opened > 450 && refused > 750 && caught > 20, "{opened} {refused} {caught}");
}
