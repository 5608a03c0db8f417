//! Slopes: every planner that takes heights keeps its promise on random hills, against an oracle that
//! spells the costs out from their definition.

use crate::support::hills::{Numbers, assert_not_too_steep, hills};
use crate::support::{close, planners, random_edit, random_free_cell, random_grid, record};
use blockstar::random::Random;
use blockstar::{
    Algorithm, Budget, Cell, Diagonal, DistanceMap, Grid, Heuristic, Lddb, Moves, Promise, Query,
    Rule, Scratch, Slope, Status, VisibilityGraph, generate,
};

fn cell_moves(random: &mut Random) -> Moves {
    let moves = Moves::new(Rule::CELLS[random.below(4) as usize]);
    if random.chance(1, 4) { moves.with_diagonal(Diagonal::OnePointFour) } else { moves }
}

/// Thousands of random hills: legal paths, the promised cost, the right answer about existence, the
/// nearest cell that can be reached, after edits too.
#[test]
fn every_planner_keeps_its_promise_on_random_hills() {
    let mut random = Random::new(61);
    let mut scratch = Scratch::new();
    let (mut found, mut none, mut one_way, mut substitutes) = (0, 0, 0, 0);
    for round in 0..500 {
        let mut grid = hills(&mut random, round % 3 == 2);
        let numbers = Numbers::random(&mut random);
        let moves = cell_moves(&mut random).with_slope(numbers.slope());
        let mut prepared = planners(&grid, moves);
        for edit in 0..3 {
            if edit > 0 {
                random_edit(&mut random, &mut grid, round % 3 == 2);
                if random.chance(1, 2) {
                    let cell = crate::support::random_cell(&mut random, &grid);
                    let height = random.below(400) as f32 / 100.0;
                    grid.set_height(cell, height).unwrap();
                }
                for (_, planner) in &mut prepared {
                    planner.update(&grid).unwrap();
                }
            }
            let start = random_free_cell(&mut random, &grid);
            let goal = random_free_cell(&mut random, &grid);
            let costs = numbers.all_costs(&grid, moves, start);
            let index = |cell: Cell| (cell.y * grid.width() + cell.x) as usize;
            let best = costs[index(goal)];
            let back = numbers.all_costs(&grid, moves, goal)[index(start)];
            one_way += u32::from(best.is_finite() && !back.is_finite());
            for (algorithm, planner) in &prepared {
                let context = || {
                    let map = blockstar::format::ascii::draw(&grid);
                    format!("{} {moves} {start} -> {goal} best {best}\n{map}", algorithm.name)
                };
                let query = Query::new(start, goal);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                if best == f64::INFINITY {
                    none += 1;
                    assert_eq!(status, Status::NoPath, "{}", context());
                } else {
                    found += 1;
                    assert_eq!(status, Status::Found, "{}", context());
                    let path = scratch.path();
                    path.check(&grid, moves).unwrap_or_else(|e| panic!("{e} {}", context()));
                    assert_not_too_steep(&grid, numbers.slope(), path.points(), algorithm.name);
                    assert!(path.still_valid(&grid));
                    assert_eq!(path.points().last(), Some(&goal.centre()));
                    let kept = match algorithm.promise {
                        Promise::Optimal => close(path.cost(), best),
                        Promise::Within(factor) => path.cost() <= best * factor + 1e-6,
                        _ => true,
                    };
                    assert!(kept, "{} {}", path.cost(), context());
                }
                if algorithm.weight && best.is_finite() {
                    let weight = 1.0 + random.below(40) as f64 / 10.0;
                    let heavy = query.clone().weight(weight);
                    assert_eq!(planner.find(&grid, &heavy, &mut scratch).unwrap(), Status::Found);
                    let cost = scratch.path().cost();
                    assert!(cost <= best * weight + 1e-6, "{cost} {weight} {}", context());
                }
                let status = planner.find(&grid, &query.clone().nearest(), &mut scratch).unwrap();
                if grid.is_free(start) {
                    let expected = if best.is_finite() { Status::Found } else { Status::Nearest };
                    assert_eq!(status, expected, "{}", context());
                    let end = scratch.path().points().last().unwrap().as_centre().unwrap();
                    assert!(costs[index(end)].is_finite(), "{}", context());
                    let square = |cell: Cell| {
                        let d = |a: u32, b: u32| (i64::from(a) - i64::from(b)).pow(2);
                        (d(cell.x, goal.x) + d(cell.y, goal.y), cell.y, cell.x)
                    };
                    let cells = (0..grid.width() * grid.height())
                        .map(|i| Cell::new(i % grid.width(), i / grid.width()));
                    let reached = cells.filter(|&cell| costs[index(cell)].is_finite());
                    assert_eq!(
                        Some(end),
                        reached.min_by_key(|&cell| square(cell)),
                        "{}",
                        context()
                    );
                    scratch.path().check(&grid, moves).unwrap();
                    substitutes += u32::from(status == Status::Nearest);
                }
            }
        }
    }
    assert!(found > 4000 && none > 800 && one_way > 20, "{found} {none} {one_way}");
    assert!(substitutes > 500, "{substitutes}");
}

/// No admissible heuristic loses an optimum, in either direction.
#[test]
fn admissible_heuristics_stay_admissible_on_slopes() {
    let mut random = Random::new(62);
    let mut scratch = Scratch::new();
    let mut searches = 0;
    for round in 0..1100 {
        let grid = hills(&mut random, round % 3 == 2);
        let numbers = Numbers::random(&mut random);
        let moves = cell_moves(&mut random).with_slope(numbers.slope());
        let start = random_free_cell(&mut random, &grid);
        let goal = random_free_cell(&mut random, &grid);
        let costs = numbers.all_costs(&grid, moves, start);
        let best = costs[(goal.y * grid.width() + goal.x) as usize];
        for name in ["astar", "bidirectional-astar", "block-astar:block=4"] {
            let choice = Algorithm::named(name).unwrap();
            if !choice.algorithm().heights {
                continue;
            }
            let planner = choice.prepare(&grid, moves).unwrap();
            for heuristic in Heuristic::ALL.into_iter().filter(|h| h.is_admissible(moves)) {
                let query = Query::new(start, goal).heuristic(heuristic);
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                assert_eq!(status == Status::Found, best.is_finite(), "{name}");
                if best.is_finite() {
                    let cost = scratch.path().cost();
                    assert!(close(cost, best), "{name} {heuristic} {cost} {best} {moves}");
                    searches += 1;
                }
            }
        }
    }
    assert!(searches > 6000, "{searches}");
}

/// Slices, reused memory and limits change nothing.
#[test]
fn sliced_reused_and_limited_searches_agree_on_slopes() {
    let mut random = Random::new(63);
    let mut reused = Scratch::new();
    let mut asked = 0;
    for round in 0..150 {
        let grid = hills(&mut random, round % 3 == 2);
        let numbers = Numbers::random(&mut random);
        let any_angle = [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE][round % 2];
        for moves in [cell_moves(&mut random), any_angle] {
            let moves = moves.with_slope(numbers.slope());
            for (algorithm, planner) in planners(&grid, moves) {
                let query = Query::new(
                    random_free_cell(&mut random, &grid),
                    random_free_cell(&mut random, &grid),
                );
                let mut fresh = Scratch::new();
                let status = planner.find(&grid, &query, &mut fresh).unwrap();
                let want = record(status, &fresh);
                let status = planner.find(&grid, &query, &mut reused).unwrap();
                assert_eq!(record(status, &reused), want, "{}", algorithm.name);
                planner.begin(&grid, &query, &mut reused).unwrap();
                let status = loop {
                    let budget = Budget::expansions(1 + random.below(7));
                    match planner.resume(&grid, &mut reused, budget).unwrap() {
                        Status::Working => {}
                        status => break status,
                    }
                };
                assert_eq!(record(status, &reused), want, "{} sliced", algorithm.name);
                asked += 1;
                let cost = f64::from_bits(want.cost_bits);
                if want.status == Status::Found && cost > 0.0 {
                    if algorithm.promise_under(moves.rule()) == Promise::Optimal {
                        let query = query.clone().max_cost(cost);
                        let status = planner.find(&grid, &query, &mut reused).unwrap();
                        assert_eq!(status, Status::Found, "{} {cost}", algorithm.name);
                    }
                    let query = query.clone().max_cost(cost * 0.99);
                    let status = planner.find(&grid, &query, &mut reused).unwrap();
                    if algorithm.promise_under(moves.rule()) == Promise::Optimal {
                        assert_eq!(status, Status::LimitReached, "{}", algorithm.name);
                    }
                }
            }
        }
    }
    assert!(asked > 1200, "{asked}");
}

/// On a map without heights, or with level ones, a slope rule changes nothing.
#[test]
fn level_ground_costs_what_it_costs_without_slopes() {
    let mut random = Random::new(65);
    let mut scratch = Scratch::new();
    for round in 0..200 {
        let mut grid = random_grid(&mut random, round % 2 == 0);
        let query = crate::support::random_query(&mut random, &grid);
        let moves = cell_moves(&mut random);
        let astar = Algorithm::named("astar").unwrap();
        let status =
            astar.prepare(&grid, moves).unwrap().find(&grid, &query, &mut scratch).unwrap();
        let plain = scratch.path().cost();
        if round % 4 < 2 {
            let cells = (grid.width() * grid.height()) as usize;
            grid.set_heights(vec![77.7; cells]).unwrap();
        }
        let slope = Slope::new(3.0).penalties(5.0, 2.0).limits(0.0, 0.0);
        let moves = moves.with_slope(slope);
        let planner = astar.prepare(&grid, moves).unwrap();
        assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), status);
        assert!(close(scratch.path().cost(), plain), "{} {plain}", scratch.path().cost());
    }
}

/// Heights without a slope rule change nothing at all.
#[test]
fn heights_alone_change_nothing() {
    let mut random = Random::new(66);
    for round in 0..60 {
        let plain = random_grid(&mut random, round % 2 == 0);
        let mut high = plain.clone();
        let cells = plain.width() * plain.height();
        high.set_heights((0..cells).map(|_| random.below(100) as f32).collect()).unwrap();
        let query = crate::support::random_query(&mut random, &plain);
        for moves in crate::support::all_moves() {
            let pairs = planners(&plain, moves).into_iter();
            for ((row, a), (_, b)) in pairs.zip(planners(&high, moves)) {
                let mut answers = [(&plain, a), (&high, b)].map(|(grid, planner)| {
                    let mut scratch = Scratch::new();
                    let status = planner.find(grid, &query, &mut scratch).unwrap();
                    record(status, &scratch)
                });
                let [a, b] = &mut answers;
                assert_eq!(a, b, "{}", row.name);
            }
        }
    }
}

#[test]
fn what_cannot_take_slopes_says_so() {
    let grid = Grid::new(8, 8).unwrap();
    let slope = Slope::new(10.0);
    for algorithm in Algorithm::all() {
        for rule in algorithm.rules {
            let moves = Moves::new(*rule).with_slope(slope);
            let answer = algorithm.choose().prepare(&grid, moves);
            let refused = answer.err().map(|error| error.to_string());
            let octile_only = algorithm.blocks && rule.is_any_angle();
            if algorithm.heights && !octile_only {
                assert_eq!(refused, None, "{}", algorithm.name);
            } else {
                assert!(refused.unwrap().contains("does not support slopes"), "{}", algorithm.name);
            }
        }
    }
    let moves = Moves::EIGHT.with_slope(slope);
    let refused = [
        DistanceMap::new(&grid, moves, &[]).err(),
        Lddb::complete(moves, 2, &|_, _| ()).err(),
        Lddb::collect([&grid], moves, 4, &|_, _| ()).err(),
        VisibilityGraph::build(&grid, Moves::ANY_ANGLE.with_slope(slope), &|_, _| ()).err(),
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

/// The hills of the generator are the same everywhere, and so must be the answers: a hash of many.
#[test]
fn answers_on_slopes_are_the_same_on_every_machine() {
    let mut random = Random::new(67);
    let mut scratch = Scratch::new();
    let mut hash = 0u64;
    let mut add =
        |word: u64| hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for round in 0..12 {
        let grid = generate::terrain(40, 36, 0.6, 60.0, round).unwrap();
        let slope = Slope::new(4.0).penalties(2.0, 0.5).limits(0.8, 1.1);
        for moves in crate::support::all_moves() {
            let moves = moves.with_slope(slope);
            let query = crate::support::random_query(&mut random, &grid);
            for (_, planner) in planners(&grid, moves) {
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                let answer = record(status, &scratch);
                add(answer.cost_bits);
                add(answer.stats.expanded);
                for point in answer.points {
                    add(point.x().to_bits() ^ point.y().to_bits().rotate_left(32));
                }
            }
        }
    }
    assert_eq!(hash, GOLDEN, "some answer has changed; the new hash is {hash:#x}");
}

const GOLDEN: u64 = 0x10e6_cc84_a24c_4e61;

/// A search that is used again after edits elsewhere is still right on slopes, where heights change too.
#[test]
fn searches_used_again_are_right_on_slopes() {
    let mut random = Random::new(68);
    let (mut mine, mut other) = (Scratch::new(), Scratch::new());
    let mut reused = 0;
    for round in 0..60 {
        let mut grid = generate::terrain(40, 36, 0.6, 60.0, round).unwrap();
        let moves = Moves::EIGHT.with_slope(Slope::new(4.0).penalties(2.0, 0.5).limits(1.4, 2.0));
        let prepare = |name: &str| Algorithm::named(name).unwrap().prepare(&grid, moves).unwrap();
        let (mut blocks, mut astar) = (prepare("block-astar:block=4"), prepare("astar"));
        let start = random_free_cell(&mut random, &grid);
        let near =
            |v: u32, most: u32, random: &mut Random| (v + random.below(12) as u32).min(most - 1);
        let goal = Cell::new(near(start.x, 40, &mut random), near(start.y, 36, &mut random));
        let query = Query::new(start, goal).reuse();
        for _ in 0..6 {
            let status = blocks.find(&grid, &query, &mut mine).unwrap();
            assert_eq!(astar.find(&grid, &query, &mut other).unwrap(), status);
            assert_eq!(mine.path().cost().to_bits(), other.path().cost().to_bits());
            reused += u32::from(mine.stats().reused);
            let cell = crate::support::random_cell(&mut random, &grid);
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
    let mut random = Random::new(69);
    let mut scratch = Scratch::new();
    let (mut found, mut none) = (0, 0);
    for _ in 0..200 {
        let heights = (0..16).map(|_| random.below(5) as f32).collect();
        let mut grid = Grid::new(4, 4).unwrap();
        grid.set_heights(heights).unwrap();
        let moves = Moves::EIGHT.with_slope(Slope::new(1.0).limits(1.0, 2.0));
        let query = crate::support::random_query(&mut random, &grid);
        let mut ask = |name: &str| {
            let planner = Algorithm::named(name).unwrap().prepare(&grid, moves).unwrap();
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            (status, scratch.path().cost())
        };
        let want = ask("astar");
        assert_eq!(ask("ida-star:table=off"), want);
        found += u32::from(want.0 == Status::Found);
        none += u32::from(want.0 == Status::NoPath);
    }
    assert!(found > 50 && none > 20, "{found} {none}");
}
