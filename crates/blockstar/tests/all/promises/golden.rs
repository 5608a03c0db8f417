//! Answers are the same on every machine and in every version: checksums of thousands, one per
//! planner.
//!
//! **To renew a line** after a deliberate change (another order of expansion breaks ties another
//! way), run the test: it prints the lines that differ. The costs of optimal planners must not
//! change with it; `cost.rs` sees to that. A new row has no past to agree with; its line, which the
//! test prints with `--nocapture`, pins it from then on.

use crate::support::{Fnv, all_moves, choices, random_query, record};
use blockstar::random::Random;
use blockstar::{Algorithm, Grid, Point, Query, Scratch, Slope, Status, generate};

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

/// Every point and cost, over generated maps and every rule that the planner supports.
const PLAIN: &[(&str, u64)] = &[
    ("astar", 0x687a4ca3e8c66a0b),
    ("dijkstra", 0x672dca12a0078645),
    ("greedy", 0xb026341a0d061b7f),
    ("weighted-astar", 0x3e8b39f467969eae),
    ("bidirectional-astar", 0xf23295905e38d9c0),
    ("ida-star", 0x97e72e27c1538c68),
    ("jps", 0xc53a3a8afb41580d),
    ("block-astar", 0x719fdee90221fb86),
    ("anya", 0xcb47dcd1f2236aba),
    ("theta-star", 0xf8b2e8979830f93f),
    ("lazy-theta-star", 0xd32b8b257acedd9a),
    ("strict-theta-star", 0x639c2da102df9a7b),
    ("visibility-graph", 0x00833246aed21c1d),
    ("rea-star", 0x175c0d257d6c1f07),
    ("fringe", 0xda90e40e7eb0bb08),
    ("ap-theta-star", 0xa93a310e255718fb),
    ("field-d-star", 0xf3ae225e02ec1172),
    ("lrta-star", 0xa6c0f6a2fff49d1a),
    ("tba-star", 0xb927b75130475650),
    ("knn-lrta-star", 0x59843f2a64611663),
    ("subgoal-lrta-star", 0x9c026be5e5a60db5),
    ("d-lrta-star", 0x1c50fa0c89b677e8),
    ("pra-star", 0x910629eb97c28bdf),
    ("dba-star", 0xeb87a985d8d975ff),
    ("cpd", 0x7e0c7237abc13799),
    ("hcdps", 0x5051871d7835957b),
    ("astar-mod", 0x94d204be24474f54),
    ("astar-mod-fixed", 0x210b891e16c3e514),
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
                    for point in scratch.path().points() {
                        hash.add(point.x().to_bits());
                        hash.add(point.y().to_bits());
                    }
                    hash.add(scratch.path().cost().to_bits());
                }
            }
        }
        hash.0
    };
    let rows = Algorithm::all().iter();
    let now: Vec<_> = rows.map(|row| (row.name.to_string(), hash_of(row))).collect();
    compare(PLAIN, &now);
}

/// Every point, cost and number of expansions on generated hills.
const SLOPES: &[(&str, u64)] = &[
    ("astar", 0x8b0ca5b83fd4e04f),
    ("dijkstra", 0x580d1d9136b119e1),
    ("greedy", 0x6ee9630f15184cae),
    ("weighted-astar", 0xbf6a919378237e3b),
    ("bidirectional-astar", 0x01bf0354c175b5f0),
    ("ida-star", 0x36e5bd9c42007149),
    ("block-astar", 0x855f6cfeb81fd292),
    ("block-astar:block=3", 0x63cbef8c1bb045ad),
    ("astar-mod", 0xed4f9d9fdf62a70d),
    ("astar-mod-fixed", 0xc38f12132235e37f),
    ("theta-star", 0xef8bc44cb2f00113),
    ("fringe", 0x48c9d96bb2eb8825),
];

/// The same over the first lines of [`SLOPES`], from before there was one for each planner.
const FIRST: usize = 11;
const ALL_SLOPES: u64 = 0x10e6_cc84_a24c_4e61;

fn mix(hash: &mut u64, word: u64) {
    *hash = (*hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
}

#[test]
fn answers_on_slopes_are_the_same_on_every_machine() {
    let mut random = Random::new(67);
    let mut scratch = Scratch::new();
    let mut now: Vec<(String, u64)> = Vec::new();
    let mut all = 0;
    let slope = Slope::new(4.0).penalties(2.0, 0.5).limits(0.8, 1.1);
    for round in 0..12 {
        let grid = generate::terrain(40, 36, 0.6, 60.0, round).unwrap();
        for moves in all_moves() {
            let moves = moves.with_slope(slope);
            let query = random_query(&mut random, &grid);
            let mut answers = Vec::new();
            for choice in choices(&grid, moves) {
                let name = choice.to_string();
                let planner = choice.prepare(&grid, moves).unwrap();
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let answer = record(status, &scratch);
                let point = |p: &Point| p.x().to_bits() ^ p.y().to_bits().rotate_left(32);
                let mut words = vec![answer.cost_bits, answer.stats.expanded];
                words.extend(answer.points.iter().map(point));
                let index = now.iter().position(|line| line.0 == name).unwrap_or_else(|| {
                    now.push((name.clone(), 0));
                    now.len() - 1
                });
                words.iter().for_each(|word| mix(&mut now[index].1, *word));
                let line = SLOPES[..FIRST].iter().position(|line| line.0 == name);
                answers.extend(line.map(|line| (line, words)));
            }
            answers.sort_unstable();
            answers.iter().flat_map(|answer| &answer.1).for_each(|word| mix(&mut all, *word));
        }
    }
    compare(SLOPES, &now);
    assert_eq!(all, ALL_SLOPES);
}
