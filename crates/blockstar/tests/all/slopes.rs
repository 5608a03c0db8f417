//! Slopes: what the promises over all planners (`promises/slopes.rs`) do not cover.

use crate::support::hills::{hills, steepest};
use crate::support::{Round, prepare, random_cell, random_point, rounds_on};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Cell, Grid, Lddb, Moves, Path, Query, Scratch, Slope, Violation, VisibilityGraph,
    generate,
};

#[test]
fn what_cannot_take_slopes_says_so() {
    let grid = Grid::new(8, 8).unwrap();
    let slope = Slope::new(10.0);
    let moves = Moves::EIGHT.with_slope(slope);
    let refused = [
        Lddb::complete(moves, 2).err(),
        Lddb::collect([&grid], moves, 4).err(),
        VisibilityGraph::new(&grid, Moves::ANY_ANGLE.with_slope(slope)).err(),
    ];
    for error in refused {
        assert!(error.unwrap().to_string().contains("does not support slopes"));
    }
    let message = |slope: Slope, grid: &Grid| {
        let moves = Moves::EIGHT.with_slope(slope);
        Algorithm::named("astar").unwrap().prepare(grid, moves).err().unwrap().to_string()
    };
    assert!(message(Slope::new(0.0), &grid).contains("the cell size is 0"));
    assert!(message(Slope::new(f64::NAN), &grid).contains("NaN"));
    assert!(message(slope.penalties(-1.0, 0.0), &grid).contains("-1"));
    assert!(message(slope.limits(f64::NAN, 0.0), &grid).contains("steepest"));
    let mut high = grid.clone();
    high.set_height((1, 1), 1e30).unwrap();
    assert!(message(slope, &high).contains("64 bits"));
    // After an edit the query says the same.
    let moves = Moves::EIGHT.with_slope(slope);
    let mut planner = Algorithm::named("astar").unwrap().prepare(&grid, moves).unwrap();
    planner.update(&high).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(3, 3));
    let error = planner.find(&high, &query, &mut Scratch::new()).unwrap_err();
    assert!(error.to_string().contains("64 bits"));
}

/// A search that is used again after edits elsewhere is still right on slopes, where heights change
/// too.
#[test]
fn searches_used_again_are_right_on_slopes() {
    let (mut mine, mut other) = (Scratch::new(), Scratch::new());
    let mut reused = 0;
    let moves = Moves::EIGHT.with_slope(Slope::new(4.0).penalties(2.0, 0.5).limits(1.4, 2.0));
    let terrain = |number, _: &mut _| generate::terrain(40, 36, 0.6, 60.0, number as u64).unwrap();
    for mut round in rounds_on(68, 60, terrain) {
        let [mut blocks, mut astar] =
            ["block-astar:block=4", "astar"].map(|name| prepare(name, &round.grid, moves));
        let start = round.free_cell();
        let Round { mut grid, mut random, .. } = round;
        let near =
            |v: u32, most: u32, random: &mut Random| (v + random.below(12) as u32).min(most - 1);
        let goal = Cell::new(near(start.x, 40, &mut random), near(start.y, 36, &mut random));
        let query = Query::new(start, goal).reuse();
        for _ in 0..6 {
            let status = blocks.find(&grid, &query, &mut mine).unwrap();
            assert_eq!(astar.find(&grid, &query, &mut other).unwrap(), status);
            assert_eq!(mine.path().cost().to_bits(), other.path().cost().to_bits());
            reused += u32::from(mine.stats().reused);
            let cell = random_cell(&mut random, &grid);
            grid.set_height(cell, random.below(600) as f32 / 10.0).unwrap();
            blocks.update(&grid).unwrap();
            astar.update(&grid).unwrap();
        }
    }
    assert!(reused > 30, "{reused}");
}

/// Without its table IDA* has no memory of where it has been, and would never end without a path.
#[test]
fn ida_star_without_a_table_ends_on_slopes() {
    let mut scratch = Scratch::new();
    let (mut found, mut none) = (0, 0);
    let moves = Moves::EIGHT.with_slope(Slope::new(1.0).limits(1.0, 2.0));
    let steep = |_, random: &mut Random| {
        let mut grid = Grid::new(4, 4).unwrap();
        let heights: Vec<_> = (0..16).map(|_| random.below(5) as f32).collect();
        grid.set_heights(&heights).unwrap();
        grid
    };
    for mut round in rounds_on(69, 200, steep) {
        let query = round.cell_query();
        let mut cost = |name: &str| round.on(moves).cost_by(name, &query, &mut scratch);
        let want = cost("astar");
        assert_eq!(cost("ida-star:table=off"), want);
        found += u32::from(want.is_some());
        none += u32::from(want.is_none());
    }
    assert!(found > 50 && none > 20, "{found} {none}");
}

/// The check of a path and the definition of steepness agree on random segments, legal and not.
#[test]
fn the_check_of_slopes_agrees_with_the_definition() {
    let mut random = Random::new(72);
    let (mut steep, mut fine) = (0, 0);
    for round in 0..1500 {
        let grid = hills(&mut random, false);
        let size = [0.5, 1.0, 30.0][round % 3];
        for _ in 0..4 {
            let [a, b] = [0, 1].map(|_| random_point(&mut random, &grid, Moves::ANY_ANGLE, true));
            let (climb, descent) = steepest(&grid, size, a, b);
            // A little more than needed, a little less, and limits of any kind.
            for part in [0.999, 1.001] {
                let slope = Slope::new(size).limits(climb * part, descent * part);
                let moves = Moves::ANY_ANGLE_SQUEEZE.with_slope(slope);
                let path = Path::new(&grid, moves, [a, b]);
                match path.check(&grid, moves) {
                    Err(Violation::Steep { .. }) => {
                        assert!(part < 1.0, "{a} {b} {climb} {descent}");
                        steep += 1;
                    }
                    Ok(()) => {
                        let level = climb.max(descent) < 1e-5;
                        assert!(part > 1.0 || level, "{a} {b} {climb} {descent}");
                        fine += 1;
                    }
                    Err(_) => {}
                }
            }
        }
    }
    assert!(steep > 1000 && fine > 1000, "{steep} {fine}");
}
