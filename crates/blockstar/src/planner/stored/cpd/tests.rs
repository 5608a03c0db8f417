//! Floods and rows against the definition.

use super::file::label;
use super::*;
use crate::db;
use crate::engine::flood::{Flood, Ground};
use crate::random::Random;
use crate::{Diagonal, DistanceMap, Grid, Planner, Query, Rule, Scratch, Status, Tile};

/// Every first move of every pair, on small maps under every rule: a move is in the set exactly if
/// an optimal path begins with it, and the stored one is in the set.
#[test]
fn every_first_move_is_optimal_and_none_is_missing() {
    let mut random = Random::new(21);
    let mut pairs = 0;
    for round in 0..300 {
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let moves = if round % 8 < 4 { moves } else { moves.with_diagonal(Diagonal::OnePointFour) };
        let grid = random.map((12, 12), 50);
        let (ground, order) = (Ground::new(&grid, moves), Order::new(&grid));
        let database = PathDatabase::new(&grid, moves).unwrap();
        let cell = |position: u32| Cell::from(grid.rows().coordinates(position));
        let maps: Vec<_> = order
            .cells
            .iter()
            .map(|&position| DistanceMap::new(&grid, moves, [cell(position)]).unwrap())
            .collect();
        let mut flood = Flood::default();
        for (source, &from) in order.cells.iter().enumerate() {
            flood.run(&ground, from, |_| false);
            for (target, &to) in order.cells.iter().enumerate() {
                let distance = |number: usize| maps[number].distance(&grid, cell(to)).unwrap();
                let Some(best) = distance(source).filter(|_| source != target) else {
                    assert_eq!(flood.first_moves(to), 0);
                    assert_eq!(database.next_step(&grid, cell(from), cell(to)), Ok(None));
                    continue;
                };
                let mut optimal = 0u8;
                for d in (0..8).filter(|d| ground.legal[from as usize] >> d & 1 != 0) {
                    let next = from.wrapping_add_signed(ground.offsets[d]);
                    let step = if d & 1 == 0 { 1.0 } else { moves.diagonal().length() };
                    let rest = distance(order.numbers[next as usize] as usize).unwrap();
                    optimal |= u8::from((step + rest - best).abs() < 1e-4) << d;
                }
                assert_eq!(flood.first_moves(to), optimal);
                let stored = database.database().rows.first_move(source as u32, target as u32);
                assert!(optimal >> stored & 1 != 0);
                pairs += 1;
            }
        }
    }
    assert!(pairs > 300_000, "{pairs}");
}

/// Forged payloads with the right checksum are refused, or queries end in reasonable time without a
/// panic, "no path" is answered correctly, and paths are legal.
#[test]
fn forged_rows_are_refused_or_harmless() {
    let (mut random, mut scratch) = (Random::new(22), Scratch::new());
    let (mut refused, mut opened) = (0, 0);
    for round in 0..400 {
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let mut grid = Grid::from_fn(7, 6, |_| !random.chance(25, 100)).unwrap();
        let bytes = PathDatabase::new(&grid, moves).unwrap().save().unwrap();
        for _ in 0..20 {
            let mut payload = bytes[db::HEADER..].to_vec();
            if random.chance(1, 3) {
                payload = random.damage(&payload);
            } else {
                // Other moves in the runs: legal ones make cycles.
                let cells = grid.free_cells();
                for at in (4 + 4 * cells..payload.len()).step_by(4) {
                    if random.chance(1, 4) {
                        payload[at] = payload[at] & !7 | random.below(8) as u8;
                    }
                }
            }
            let forged = db::seal(label(grid.content_hash(), moves, 0), &payload);
            let Ok(mut planner) = PathDatabase::builder().open(&forged, &grid, moves) else {
                refused += 1;
                continue;
            };
            opened += 1;
            for edit in 0..2 {
                if edit == 1 {
                    grid.set((random.below(7) as u32, random.below(6) as u32), Tile::Blocked)
                        .unwrap();
                    planner.update(&grid).unwrap();
                }
                for _ in 0..5 {
                    let mut cell = || Cell::new(random.below(7) as u32, random.below(6) as u32);
                    let query = Query::new(cell(), cell());
                    if planner.find(&grid, &query, &mut scratch).unwrap() == Status::Found {
                        scratch.path().check(&grid, moves).unwrap();
                    }
                }
            }
            break; // the map has changed
        }
    }
    assert!(refused > 100 && opened > 100, "{refused} {opened}");
}
