//! Files with the right checksum that are wrong all the same.

use super::*;
use crate::random::Random;
use crate::{Scratch, generate};

/// Whatever a forger writes behind a proper header is either refused or answers queries with some
/// path, but it neither panics nor runs forever.
#[test]
fn forged_edges_do_no_harm() {
    let grid = generate::random(16, 16, 30.0, 4).unwrap();
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let graph = VisibilityGraph::build(&grid, moves, &|_, _| ()).unwrap();
    let bytes = graph.save();
    let label = label(grid.content_hash(), moves.rule());
    let payload = db::unseal(&bytes, label, |_| String::new()).unwrap();
    let mut random = Random::new(6);
    let mut scratch = Scratch::new();
    let (mut opened, mut refused) = (0, 0);
    for round in 0..3_000 {
        let forged = match round % 3 {
            0 => random.damage(payload),
            // Other edges in a proper frame.
            1 => {
                let mut forged = payload.to_vec();
                let first = 8 + 8 * graph.corners();
                for edge in forged[first..].as_chunks_mut::<4>().0 {
                    if random.chance(1, 5) {
                        let other = random.below(graph.corners() as u64) as u32;
                        *edge = other.to_le_bytes();
                    }
                }
                forged
            }
            // Sizes that are not there.
            _ => {
                let mut forged = payload[..random.below(60) as usize].to_vec();
                forged.extend([0xff; 8]);
                forged.rotate_right(8);
                forged
            }
        };
        let Ok(planner) = VisibilityGraph::open(&db::seal(label, &forged), &grid, moves) else {
            refused += 1;
            continue;
        };
        opened += 1;
        for (start, goal) in generate::queries(&grid, 3, round) {
            planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
        }
    }
    assert!(opened > 900 && refused > 900, "{opened} {refused}");
}
