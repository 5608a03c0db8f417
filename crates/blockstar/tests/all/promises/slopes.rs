//! Planners that take heights keep their promises on hills too, against an oracle that spells the
//! costs out from their definition.

use super::nearest::nearest_cell;
use crate::support::hills::assert_not_too_steep;
use crate::support::{
    Case, Question, Stage, all_moves, any_angle_hills, at_least, cases_on, cell_hills, cell_index,
    choices, close, expect_more, for_each_path, grounds, random_cell_moves, random_free_cell,
    random_query, record,
};
use blockstar::{
    Cell, Grid, Heuristic, Moves, Path, Promise, Query, Scratch, Slope, Status, Violation,
};

/// Thousands of random hills: legal paths, the promised cost, the right answer about existence, the
/// nearest cell that can be reached, after edits too.
#[test]
fn every_planner_keeps_its_promise_on_random_hills() {
    let mut scratch = Scratch::new();
    let (mut found, mut none, mut one_way, mut substitutes) = (0, 0, 0, 0);
    for mut ground in cell_hills(61, 250) {
        let numbers = ground.numbers.unwrap();
        let moves = ground.moves;
        let script = ground.script(3, 2);
        // For each question, the cell in reach that is nearest to the goal.
        let mut grid = ground.grid.clone();
        let mut nearest = Vec::new();
        for Stage { edits, questions } in &script {
            edits.iter().for_each(|edit| edit.apply(&mut grid));
            for &Question { start, goal, best } in questions {
                let costs = ground.costs(&grid, start);
                let back = ground.costs(&grid, goal)[cell_index(&grid, start)];
                one_way += u64::from(best.is_finite() && back.is_infinite());
                let reachable = |cell| costs[cell_index(&grid, cell)].is_finite();
                let free = grid.is_free(start);
                nearest.push(free.then(|| nearest_cell(&grid, reachable, goal.centre())));
            }
        }
        for mut case in ground.cases() {
            let mut nearest = nearest.iter();
            for (edits, &Question { start, goal, best }) in script.iter().flat_map(Stage::asked) {
                case.apply(edits);
                case.update();
                let query = Query::new(start, goal);
                if case.keeps_promise(&query, best, &mut scratch) {
                    found += 1;
                    let path = scratch.path();
                    assert_not_too_steep(&case.grid, numbers.slope(), path.points(), "");
                    assert!(path.still_valid(&case.grid));
                } else {
                    none += 1;
                }
                if case.row.weight && best.is_finite() {
                    let weight = 1.0 + case.random.below(40) as f64 / 10.0;
                    let heavy = query.clone().weight(weight);
                    assert_eq!(case.find(&heavy, &mut scratch), Status::Found);
                    let cost = scratch.path().cost();
                    assert!(cost <= best * weight + 1e-6, "cost {cost}, optimum {best}");
                }
                let status = case.find(&query.nearest(), &mut scratch);
                if let Some(nearest) = nearest.next().unwrap() {
                    let expected = if best.is_finite() { Status::Found } else { Status::Nearest };
                    assert_eq!(status, expected);
                    assert_eq!(scratch.path().points().last(), Some(&nearest.centre()));
                    scratch.path().check(&case.grid, moves).unwrap();
                    substitutes += u64::from(status == Status::Nearest);
                }
            }
        }
    }
    expect_more!(found > 4_000, none > 800, one_way > 20, substitutes > 500);
}

/// No admissible heuristic loses an optimum, in either direction.
#[test]
fn admissible_heuristics_stay_admissible_on_slopes() {
    let mut scratch = Scratch::new();
    let mut searches = 0;
    for mut ground in cell_hills(62, 550) {
        let questions = ground.questions();
        for mut case in ground.cases() {
            if case.promise() != Promise::Optimal {
                continue;
            }
            // Deepening with a poor estimate takes its time.
            let slow = case.row.name == "ida-star";
            if slow && case.grid.width() * case.grid.height() > 60 {
                continue;
            }
            let admissible = |h: &Heuristic| case.row.admits(*h, case.moves);
            let heuristics: Vec<_> = Heuristic::ALL.iter().copied().filter(admissible).collect();
            let asked = questions.iter().flat_map(|q| heuristics.iter().map(move |h| (q, *h)));
            for (&Question { start, goal, best }, heuristic) in asked {
                let query = Query::new(start, goal).heuristic(heuristic);
                let status = case.find(&query, &mut scratch);
                assert_eq!(status == Status::Found, best.is_finite());
                if best.is_finite() {
                    let cost = scratch.path().cost();
                    assert!(close(cost, best), "cost {cost}, optimum {best}");
                    searches += 1;
                }
            }
        }
    }
    at_least("searches", searches, 6_000);
}

/// Heights without a slope rule change nothing at all.
#[test]
fn heights_alone_change_nothing() {
    let mut compared = 0;
    for mut ground in grounds(66, 60, &all_moves()) {
        let mut high = ground.grid.clone();
        let cells = high.width() * high.height();
        let heights: Vec<_> = (0..cells).map(|_| ground.random.below(100) as f32).collect();
        high.set_heights(&heights).unwrap();
        for mut case in ground.cases() {
            let query = case.cell_query();
            let plain = case.fresh_answer(&query);
            let planner = case.spec.prepare(&high, case.moves).unwrap();
            let mut scratch = Scratch::new();
            let status = planner.find(&high, &query, &mut scratch).unwrap();
            assert_eq!(record(status, &scratch), plain);
            compared += 1;
        }
    }
    at_least("answers", compared, 8_000);
}

/// Any-angle paths on slopes are legal, never steeper than permitted, and cost what they say.
#[test]
fn any_angle_paths_respect_slopes() {
    let (mut found, mut steep) = (0, 0);
    let cases = any_angle_hills(64, 400).flat_map(|ground| ground.into_cases());
    for_each_path(cases, 3, Case::query, |case, _, path| {
        let (grid, slope) = (&case.grid, case.moves.slope().unwrap());
        path.check(grid, case.moves).unwrap();
        let smooth = path.smoothed(grid);
        smooth.check(grid, case.moves).unwrap();
        for points in [path.points(), smooth.points()] {
            assert_not_too_steep(grid, slope, points, case.row.name);
        }
        assert!(smooth.cost() <= path.cost() * (1.0 + 1e-9) + 1e-9);
        found += 1;
        let tight = case.moves.with_slope(slope.limits(0.05, 0.05));
        let flat = Path::new(grid, tight, path.points().to_vec());
        steep += u64::from(matches!(flat.check(grid, tight), Err(Violation::Steep { .. })));
    });
    expect_more!(found > 2_000, steep > 200);
}

/// Two level cells beside two others, 10 m off: the corner between them lies halfway up, and no
/// step over corners is flat enough.
#[test]
fn a_level_way_beside_a_cliff_is_found_under_any_angle_rules() {
    let mut grid = Grid::new(2, 2).unwrap();
    grid.set_heights(&[0.0, 10.0, 10.0, 0.0]).unwrap();
    let slope = Slope::new(1.0).limits(0.5, 0.5);
    let query = Query::new(Cell::new(0, 0), Cell::new(1, 1));
    let rules = [Moves::EIGHT, Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE];
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &rules.map(|moves| moves.with_slope(slope))) {
        assert_eq!(case.find(&query, &mut scratch), Status::Found);
        assert!((scratch.path().cost() - 2f64.sqrt()).abs() < 1e-9);
    }
}

/// Whenever cell steps find a way, so do the planners under the any-angle rules; those that promise
/// the cheapest way over their lattice never find a more expensive one.
#[test]
fn any_angle_planners_find_a_way_wherever_cell_steps_do() {
    let mut scratch = Scratch::new();
    let (mut asked, mut found) = (0, 0);
    for mut ground in any_angle_hills(71, 2700) {
        let numbers = ground.numbers.unwrap();
        let slope = numbers.slope();
        if slope.max_climb().is_infinite() && slope.max_descent().is_infinite() {
            continue;
        }
        let cells = match ground.moves.rule().squeezes() {
            true => Moves::EIGHT_CUT_ANY,
            false => [Moves::FOUR, Moves::EIGHT, Moves::EIGHT_CUT_ONE][ground.round as usize % 3],
        };
        let query = random_query(&mut ground.random, &ground.grid);
        let [start, goal] = [query.start(), query.goal()].map(|end| end.as_centre().unwrap());
        let costs = numbers.all_costs(&ground.grid, cells.with_slope(slope), start);
        let best = costs[cell_index(&ground.grid, goal)];
        for mut case in ground.cases() {
            let status = case.find(&query, &mut scratch);
            asked += 1;
            if status == Status::Found {
                scratch.path().check(&case.grid, case.moves).unwrap();
                let points = scratch.path().points();
                assert_not_too_steep(&case.grid, slope, points, case.row.name);
            }
            if best.is_finite() {
                assert_eq!(status, Status::Found);
                found += 1;
                if case.row.lattice && case.row.promise == Promise::Optimal {
                    let cost = scratch.path().cost();
                    assert!(cost <= best * (1.0 + 1e-6) + 1e-6, "cost {cost}, over cells {best}");
                }
            }
        }
    }
    expect_more!(asked > 5_000, found > 2_000);
}

/// On a map without heights, or with level ones, a slope rule changes nothing but the rounding.
#[test]
fn level_ground_costs_what_it_costs_without_slopes() {
    let mut scratch = Scratch::new();
    let slope = Slope::new(3.0).penalties(5.0, 2.0).limits(0.0, 0.0);
    for mut ground in grounds(65, 200, &[Moves::EIGHT]) {
        let plain = random_cell_moves(&mut ground.random);
        let mut level = ground.grid.clone();
        if ground.round % 4 < 2 {
            let cells = (level.width() * level.height()) as usize;
            level.set_heights(&vec![77.7; cells]).unwrap();
        }
        let start = random_free_cell(&mut ground.random, &level);
        let query = Query::new(start, random_free_cell(&mut ground.random, &level));
        for spec in choices(&level, plain.with_slope(slope)) {
            if spec.promise_under(plain.rule()) != Promise::Optimal {
                continue;
            }
            let mut ask = |moves: Moves| {
                let planner = spec.prepare(&level, moves).unwrap();
                let status = planner.find(&level, &query, &mut scratch).unwrap();
                (status, scratch.path().cost())
            };
            let (flat, sloped) = (ask(plain), ask(plain.with_slope(slope)));
            assert!(flat.0 == sloped.0 && close(sloped.1, flat.1), "{spec} {flat:?} {sloped:?}");
        }
    }
}
