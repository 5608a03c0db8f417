//! Answers are the same on every machine and in every version: checksums of thousands, one per
//! planner.
//!
//! **To renew a line** after a deliberate change (another order of expansion breaks ties
//! differently), run the test: it prints the lines that differ. The costs of optimal planners must
//! not change with it; `cost.rs` sees to that. A new row has no past to agree with; its line, which
//! the test prints with `--nocapture`, pins it from then on.

use crate::support::{Fnv, all_moves, choices, random_query};
use blockstar::random::Random;
use blockstar::{Algorithm, Grid, Path, Query, Scratch, Slope, Status, generate};

/// Fails unless what was computed is what a table says, and prints the lines to change or add.
fn compare(table: &[(&str, u64)], now: &[(String, u64)]) {
    let mut lines = String::new();
    for (name, hash) in now {
        let known = table.iter().find(|line| line.0 == name);
        let line = format!("    ({name:?}, {hash:#018x}),\n");
        match known {
            Some(known) if known.1 == *hash => {}
            Some(_) => lines += &format!("{name} answers differently; its line would be\n{line}"),
            None => println!("{name} is new; pin it with\n{line}"),
        }
    }
    for (name, _) in table {
        if !now.iter().any(|line| line.0 == *name) {
            lines += &format!("{name} was not asked: remove its line\n");
        }
    }
    assert!(lines.is_empty(), "\n{lines}");
}

/// What is pinned of a path: its cost, its turns and every cell. Points in the middle of straight
/// stretches change none of these, not even the last bit of a sum.
fn words_of(grid: &Grid, path: &Path) -> Vec<u64> {
    let turns = path.without_collinear().points().to_vec();
    let thin = Path::new(grid, path.moves(), turns);
    let mut words = vec![thin.cost().to_bits()];
    words.extend(thin.points().iter().flat_map(|at| [at.x().to_bits(), at.y().to_bits()]));
    words.extend(thin.cells().map(|cell| u64::from(cell.x) << 32 | u64::from(cell.y)));
    words
}

/// Every turn, cell and cost, over generated maps and every rule that the planner supports.
const PLAIN: &[(&str, u64)] = &[
    ("astar", 0x5fb6abc19f7deccc),
    ("dijkstra", 0xdb0d341924d62060),
    ("greedy", 0x9c49db4cc5f1bece),
    ("weighted-astar", 0x8f52b3215c696edf),
    ("bidirectional-astar", 0x4291687cd95b4d94),
    ("ida-star", 0x8ca2a9ed141356fc),
    ("jps", 0x737e00376db44c01),
    ("block-astar", 0xd5a5a2dcd1b71946),
    ("anya", 0x67bc5bff7ff7d6cd),
    ("theta-star", 0x3e9352f34c497832),
    ("lazy-theta-star", 0x2a636d1a3b4c5d99),
    ("strict-theta-star", 0x4a13f44328a551d2),
    ("visibility-graph", 0x67bc5bff7ff7d6cd),
    ("rea-star", 0x54e45fbe76d74547),
    ("fringe", 0xf69c1ba40a156c58),
    ("ap-theta-star", 0x7293db47ac0e5556),
    ("field-d-star", 0x43b06b3a58abe5a9),
    ("lrta-star", 0xdc3e8e1c206161e8),
    ("tba-star", 0x76cf4686d247b1f0),
    ("knn-lrta-star", 0x833050b219fd5a12),
    ("subgoal-lrta-star", 0x91eaa81c1f5dbf2e),
    ("d-lrta-star", 0xd7a27df71789ea6a),
    ("pra-star", 0xc48dbea3aef893eb),
    ("dba-star", 0x84f8130e5f625bf0),
    ("cpd", 0xa97be291ed670895),
    ("hcdps", 0x34e75cf4aee6e9b7),
    ("astar-mod", 0x7cb6c35c3bd842e7),
    ("astar-mod-fixed", 0xf61704a1d7329e50),
    ("d-star-lite", 0x8987c087c4df4fbd),
    ("quadtree", 0x29fade006fda73b8),
    ("island", 0x568a959ea289d2b4),
    ("three-step", 0x8d2b9b6d81468a2a),
    ("framed-quadtree", 0xf3f7e0c2cbf034c8),
    ("subgoal", 0x5c588b8d0ff0b1ff),
];

/// One map of each kind that can be generated, an empty one, and caves with terrain.
fn maps() -> Vec<Grid> {
    let mut weighted = generate::caves(40, 40, 6).unwrap();
    let mut random = Random::new(34);
    for y in 0..40 {
        for x in 0..40 {
            if weighted.is_free((x, y)) {
                weighted.set_cost((x, y), 1.0 + random.below(33) as f64 / 4.0).unwrap();
            }
        }
    }
    vec![
        generate::random(50, 40, 10.0, 1).unwrap(),
        generate::random(40, 50, 35.0, 2).unwrap(),
        generate::maze(41, 33, 1, 3).unwrap(),
        generate::rooms(60, 45, 7, 4).unwrap(),
        generate::caves(70, 50, 5).unwrap(),
        Grid::new(30, 30).unwrap(),
        weighted,
    ]
}

#[test]
fn answers_are_the_same_on_every_machine() {
    let maps = maps();
    let mut scratch = Scratch::new();
    let mut hash_of = |row: &'static Algorithm| {
        let mut hash = Fnv::new();
        for grid in maps.iter().filter(|grid| row.terrain || !grid.has_costs()) {
            for moves in all_moves().into_iter().filter(|moves| row.supports(moves.rule())) {
                let planner = row.choose().prepare(grid, moves).unwrap();
                for (start, goal) in generate::queries(grid, 12, 7) {
                    let query = Query::new(start, goal);
                    let status = planner.find(grid, &query, &mut scratch).unwrap();
                    hash.add(if status == Status::Found { 1 } else { 2 });
                    words_of(grid, scratch.path()).into_iter().for_each(|word| hash.add(word));
                }
            }
        }
        hash.0
    };
    let rows = Algorithm::all().iter();
    let now: Vec<_> = rows.map(|row| (row.name.to_string(), hash_of(row))).collect();
    compare(PLAIN, &now);
}

/// Every turn, cell, cost and number of expansions on generated hills.
const SLOPES: &[(&str, u64)] = &[
    ("astar", 0x0b584853940d1a4f),
    ("dijkstra", 0x9bfc238a30038c30),
    ("greedy", 0x0f6363187f679b77),
    ("weighted-astar", 0xfe67dc6682c10dc1),
    ("bidirectional-astar", 0xe72ef3fb6d759d21),
    ("ida-star", 0x8e1f8597cd3454fb),
    ("block-astar", 0xc3a3178c06b60db2),
    ("block-astar:block=3", 0x2a6faedaf8f40094),
    ("astar-mod", 0xd4c7cf68f5947cc4),
    ("astar-mod-fixed", 0xfe3130cbb60f5255),
    ("theta-star", 0x17885b8c3ba1f5b2),
    ("fringe", 0xc1968c207fb14fe8),
    ("d-star-lite", 0x34650c9ea4c7c0b1),
];

fn mix(hash: &mut u64, word: u64) {
    *hash = (*hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
}

#[test]
fn answers_on_slopes_are_the_same_on_every_machine() {
    let mut random = Random::new(67);
    let mut scratch = Scratch::new();
    let mut now: Vec<(String, u64)> = Vec::new();
    let slope = Slope::new(4.0).penalties(2.0, 0.5).limits(0.8, 1.1);
    for round in 0..12 {
        let grid = generate::terrain(40, 36, 0.6, 60.0, round).unwrap();
        for moves in all_moves() {
            let moves = moves.with_slope(slope);
            let query = random_query(&mut random, &grid);
            for spec in choices(&grid, moves) {
                let name = spec.to_string();
                let planner = spec.prepare(&grid, moves).unwrap();
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let mut words = vec![status.has_path().into(), scratch.stats().expanded];
                words.extend(words_of(&grid, scratch.path()));
                let index = now.iter().position(|line| line.0 == name).unwrap_or_else(|| {
                    now.push((name.clone(), 0));
                    now.len() - 1
                });
                words.iter().for_each(|word| mix(&mut now[index].1, *word));
            }
        }
    }
    compare(SLOPES, &now);
}
