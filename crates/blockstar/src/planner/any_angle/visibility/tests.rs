//! Files with the right checksum that are wrong all the same.

use super::graph::Group;
use super::*;
use crate::db;
use crate::random::Random;
use crate::{Planner, Rect, Scratch, Tile, generate};

/// The payload of a graph with more edges: pairs in each other's quarters that are wanted.
fn with_edges(graph: &Graph, mut wanted: impl FnMut(u32, u32) -> bool) -> Vec<u8> {
    let count = graph.len() as u32;
    let (mut counts, mut edges) = (Vec::new(), Vec::new());
    for point in 0..count {
        let place = graph.place(point);
        for group in Group::BOTH {
            let known: Vec<u32> = graph.group(point, group).iter().map(|edge| edge.to).collect();
            let mut own: Vec<u32> = (0..count)
                .filter(|&other| {
                    let there = graph.place(other).point();
                    let possible = other != point && place.holds(group, there);
                    known.contains(&other) || possible && wanted(point, other)
                })
                .collect();
            own.sort_by(|&a, &b| {
                graph::order(place, group, &graph.edge(place, a), &graph.edge(place, b))
            });
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
    let label = file::label(grid.content_hash(), moves.rule());
    let payload = db::unseal(&bytes, label, |_| String::new()).unwrap();
    let mut random = Random::new(6);
    let mut scratch = Scratch::new();
    let (mut opened, mut refused, mut caught) = (0, 0, 0);
    for round in 0..1_500 {
        let forged = match round % 3 {
            0 => random.damage(payload),
            // More edges, in a proper frame and in order: as a look at each tells, they could be.
            1 => with_edges(&graph.method().graph, |_, _| random.chance(1, 40)),
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

/// Repairs a graph again and again and compares it with one that is built: the bytes of their files.
fn repair_again_and_again(rounds: u64, size: (u32, u32), edits: u32, most_cells: u32) -> u64 {
    let mut repaired = 0;
    for round in 0..rounds {
        let mut random = Random::new(round);
        let (width, height) = size;
        let mut grid = match round % 4 {
            0 => generate::caves(width, height, round).unwrap(),
            1 => generate::rooms(width, height, 7, round).unwrap(),
            2 => generate::random(width, height, 12.0, round).unwrap(),
            _ => generate::random(width, height, 35.0, round).unwrap(),
        };
        for rule in [Rule::AnyAngle, Rule::AnyAngleSqueeze] {
            let mut graph = Graph::build(&grid, rule, 1, &|_, _| ()).unwrap();
            let mut method = Visibility::new(graph.clone(), 1);
            method.make_lanes();
            let Visibility { mut lanes, graph: labelled, .. } = method;
            graph = labelled;
            let mut repair = Repair::default();
            for _ in 0..edits {
                let mut targets = Vec::new();
                for _ in 0..1 + random.below(3) / 2 {
                    let (w, h) = (
                        1 + random.below(most_cells.into()) as u32,
                        1 + random.below(most_cells.into()) as u32,
                    );
                    let x = random.below(u64::from(width - w + 1)) as u32;
                    let y = random.below(u64::from(height - h + 1)) as u32;
                    for cell in
                        crate::grid::raster::raster(x..x + w, y..y + h).map(crate::Cell::from)
                    {
                        if w * h == 1 || random.chance(1, 2) {
                            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                            grid.set(cell, tile).unwrap();
                        }
                    }
                    targets.push(Corners::of(Rect { x, y, width: w, height: h }));
                }
                graph.repair(&grid, rule, &targets, &mut repair);
                let built = Graph::build(&grid, rule, 1, &|_, _| ()).unwrap();
                assert!(graph.to_bytes(rule, 0) == built.to_bytes(rule, 0), "{targets:?}");
                lanes.repair(&mut graph, &repair);
                assert!(lanes.fit(&graph));
                if random.chance(1, 10) {
                    lanes.make_one(&mut graph);
                    assert!(lanes.fit(&graph));
                }
                repaired += 1;
            }
        }
    }
    repaired
}

/// What is repaired is what would be built, edge by edge, and labels fit all edges.
#[test]
fn a_repaired_graph_is_the_one_that_would_be_built() {
    let cells = repair_again_and_again(80, (24, 19), 60, 1);
    let wide = repair_again_and_again(12, (90, 70), 40, 1);
    let patches = repair_again_and_again(60, (30, 33), 25, 6);
    assert!(cells + wide + patches > 13_000, "{cells} {wide} {patches}");
}
