use super::*;
use crate::random::Random;
use crate::{Cell, Rule, Tile, generate};

fn settings(side: (u32, u32), depth: u32) -> Settings {
    Settings { side, depth, centre: Centre::Mean, trim: Trim::All, matrix: true }
}

/// A base path: the node of its end, its cost and its subgoals.
type PathPicture = (u32, u32, Vec<u32>);

/// All base paths, by the nodes of their ends.
fn picture(planner: &DbaStar) -> Vec<(u32, Vec<PathPicture>)> {
    let centre = |region| planner.sectors.centre(region);
    let paths = |region| {
        let hops = planner.paths.hops(region);
        hops.map(|hop| (centre(hop.target), hop.cost, hop.subgoals.to_vec())).collect()
    };
    planner.sectors.all().map(|region| (centre(region), paths(region))).collect()
}

fn walk(planner: &DbaStar, grid: &Grid, query: &Query, scratch: &mut Scratch) -> (Status, f64) {
    let status = planner.find(grid, query, scratch).unwrap();
    if status.has_path() {
        scratch.path().check(grid, planner.desk.moves()).unwrap();
    }
    (status, scratch.path().cost())
}

/// Tens of thousands of edits that split, merge, make and delete regions and move their centres: the
/// repaired database is, path by path, the one that would be made anew, and leads the same ways although
/// its matrix is void.
#[test]
fn a_repaired_database_equals_a_fresh_one() {
    let mut random = Random::new(21);
    let mut scratch = Scratch::new();
    let (mut edits, mut void, mut unreachable) = (0, 0, 0);
    for round in 0..48 {
        let (width, height) = (12 + random.below(24) as u32, 12 + random.below(24) as u32);
        let share = 5 + random.below(40);
        let mut grid = Grid::from_fn(width, height, |_| !random.chance(share, 100)).unwrap();
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let side = (4 + random.below(8) as u32, 4 + random.below(8) as u32);
        let mut settings = settings(side, 1 + round as u32 % 4);
        if round % 12 == 11 {
            settings.centre = Centre::Tuned;
        }
        let mut planner = DbaStar::new(&grid, moves, settings).unwrap();
        for _ in 0..if settings.centre == Centre::Tuned { 10 } else { 60 } {
            // Mostly single cells, at times whole walls.
            for _ in 0..1 + random.below(20) {
                let cell = (random.below(width.into()) as u32, random.below(height.into()) as u32);
                let tile = if random.chance(share, 100) { Tile::Blocked } else { Tile::Free };
                if random.chance(1, 20) {
                    let span = 1 + random.below(6) as u32;
                    let rect = Rect::new(cell.0, cell.1, span.min(width - cell.0), 1);
                    grid.set_rect(rect, tile).unwrap();
                } else {
                    grid.set(cell, tile).unwrap();
                }
                edits += 1;
                if random.chance(1, 2) {
                    planner.update(&grid).unwrap();
                }
            }
            planner.update(&grid).unwrap();
            let fresh = DbaStar::new(&grid, moves, settings).unwrap();
            assert_eq!(picture(&planner), picture(&fresh));
            void += usize::from(planner.matrix.is_none());
            for _ in 0..3 {
                let cell = |random: &mut Random| {
                    Cell::new(random.below(width.into()) as u32, random.below(height.into()) as u32)
                };
                let query = Query::new(cell(&mut random), cell(&mut random));
                let repaired = walk(&planner, &grid, &query, &mut scratch);
                let points = scratch.path().points().to_vec();
                assert_eq!(walk(&fresh, &grid, &query, &mut scratch), repaired);
                assert_eq!(scratch.path().points(), points);
                unreachable += usize::from(repaired.0 == Status::NoPath);
            }
        }
    }
    assert!(edits > 20_000 && void > 1000 && unreachable > 300, "{edits} {void} {unreachable}");
}

/// The matrix survives edits that change no cost, and says the same as a search for the way.
#[test]
fn the_matrix_leads_the_same_ways_as_a_search() {
    let mut random = Random::new(22);
    let mut scratch = Scratch::new();
    for seed in 0..6 {
        let grid = generate::caves(120, 100, seed).unwrap();
        for depth in 1..=4 {
            let with = DbaStar::new(&grid, Moves::EIGHT, settings((9, 11), depth)).unwrap();
            let without = Settings { matrix: false, ..settings((9, 11), depth) };
            let without = DbaStar::new(&grid, Moves::EIGHT, without).unwrap();
            assert!(with.matrix.is_some() && without.matrix.is_none());
            for (start, goal) in generate::queries(&grid, 40, random.next_u64()) {
                let query = Query::new(start, goal);
                walk(&with, &grid, &query, &mut scratch);
                let points = scratch.path().points().to_vec();
                walk(&without, &grid, &query, &mut scratch);
                assert_eq!(scratch.path().points(), points);
            }
        }
    }
}

/// The agent is under way after at most as many expansions as a sector has cells (and one).
#[test]
fn the_first_response_is_bounded_by_a_sectors_cells() {
    let mut scratch = Scratch::new();
    let mut largest = 0;
    for (round, side) in [(16, 16), (8, 8), (4, 4), (32, 16), (10, 7)].into_iter().enumerate() {
        for seed in 0..5 {
            let maps = [
                generate::caves(150, 140, seed).unwrap(),
                generate::maze(120, 120, 1 + seed as u32 % 3, seed).unwrap(),
                generate::random(100, 100, 38.0, seed).unwrap(),
                Grid::from_fn(90, 90, |cell| (cell.x + cell.y) % 2 == 0).unwrap(),
            ];
            for grid in &maps {
                let moves = if round % 2 == 0 { Moves::EIGHT } else { Moves::EIGHT_CUT_ANY };
                let planner =
                    DbaStar::new(grid, moves, settings(side, 1 + seed as u32 % 4)).unwrap();
                for (start, goal) in generate::queries(grid, 40, seed) {
                    walk(&planner, grid, &Query::new(start, goal), &mut scratch);
                    let Some(first) = Some(scratch.stats().first_response).filter(|&f| f > 0)
                    else {
                        continue;
                    };
                    let cells = u64::from(side.0 * side.1);
                    assert!(first <= cells + 1, "{first} for sectors of {side:?}");
                    assert!(scratch.stats().largest_move <= planner.work());
                    largest = largest.max(100 * first / cells);
                }
            }
        }
    }
    assert!(largest > 50, "the bound is not idle: {largest} %");
}

/// Figure 4 and 5 of the paper on a map of our own: cutting corners helps, and so do deeper paths.
#[test]
fn trimming_helps_and_depth_helps() {
    let grid = generate::caves(300, 260, 5).unwrap();
    let queries: Vec<_> = generate::queries(&grid, 150, 3);
    let mut scratch = Scratch::new();
    let mut total = |settings: Settings| {
        let planner = DbaStar::new(&grid, Moves::EIGHT, settings).unwrap();
        let cost = |&(start, goal): &(Cell, Cell)| {
            walk(&planner, &grid, &Query::new(start, goal), &mut scratch).1
        };
        queries.iter().map(cost).sum::<f64>()
    };
    let base = settings((16, 16), 1);
    let [none, ends, all] =
        [Trim::None, Trim::Ends, Trim::All].map(|trim| total(Settings { trim, ..base }));
    assert!(none > 1.005 * ends && ends > 1.005 * all, "{none} {ends} {all}");
    let deeper = total(Settings { depth: 2, ..base });
    assert!(all > 1.002 * deeper, "{all} {deeper}");
    // Without cutting corners, deeper paths alone help, too.
    let plain = total(Settings { depth: 2, trim: Trim::None, ..base });
    assert!(none > 1.005 * plain, "{none} {plain}");
}
