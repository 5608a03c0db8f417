//! Costs that do not fit 32 bits: the search starts over on wide ones and nothing is lost.

use crate::support::{
    Case, Ground, Question, all_costs, at_least, cases_on, cell_index, choices, grounds_on, record,
    serpentine, zigzag,
};
use blockstar::random::Random;
use blockstar::{Algorithm, Budget, Cell, Grid, Moves, Promise, Query, Scratch, Status, generate};

/// Rows that are not sent through a corridor of a million cells, with reasons. Those among them that
/// have narrow costs are agents, which begin on wide ones on large maps:
/// `agents_on_large_maps_walk_on_wide_costs` asks them there.
const LEFT_OUT: &[(&str, &str)] = &[
    ("ida-star", "deepens once for each step of a corridor; its costs are always wide"),
    ("lrta-star", "learns its way through a corridor step by step"),
    ("knn-lrta-star", "solves thousands of such corridors to be prepared"),
    ("subgoal-lrta-star", "takes minutes to be prepared"),
    ("d-lrta-star", "takes minutes to be prepared"),
    ("hcdps", "takes minutes to be prepared; its costs are always wide"),
];

/// Settings of agents that are prepared in a moment on a large map.
const SPARING: &[(&str, &str)] = &[("records", "30"), ("goals", "4"), ("level", "9")];

/// Lanes of two rows that wind through the map, with a pillar in one of the two rows every few
/// columns: there is a choice to make all the way.
fn lanes(width: u32, lanes: u32) -> Grid {
    let mut random = Random::new(77);
    let mut pillars = vec![2; (width * lanes) as usize];
    for lane in 0..lanes {
        let mut x = 3;
        while x + 3 < width {
            pillars[(lane * width + x) as usize] = random.below(2) as u32;
            x += 2 + random.below(4) as u32;
        }
    }
    Grid::from_fn(width, 3 * lanes - 1, |cell| {
        let (lane, row) = (cell.y / 3, cell.y % 3);
        let turn = if lane % 2 == 0 { width - 1 } else { 0 };
        if row == 2 { cell.x == turn } else { pillars[(lane * width + cell.x) as usize] != row }
    })
    .unwrap()
}

/// A question that a ground and its oracle are asked: how to get from the first cell to another.
fn asked(ground: &Ground, goal: Cell) -> Question {
    let start = Cell::new(0, 0);
    let best = ground.costs(&ground.grid, start)[cell_index(&ground.grid, goal)];
    assert!(best * 5741.0 > f64::from(u32::MAX), "narrow costs suffice: {best}");
    Question { start, goal, best }
}

/// Every other planner at the start of a way too long for 32 bits, with the question how to get to
/// its end and what the oracle says to it.
fn long_walks(moves: &Moves) -> impl Iterator<Item = (Case, Question)> {
    fn is_quick(row: &Algorithm) -> bool {
        !row.blocks && LEFT_OUT.iter().all(|(name, _)| *name != row.name)
    }
    // Without 32 bits Block A* has no tables in store: a corridor that comes to each block once.
    let maps = [lanes(1299, 577), zigzag(1301, 96)];
    let goals = [Cell::new(1298, 1729), Cell::new(0, 1150)];
    let wanted: [fn(&Algorithm) -> bool; 2] = [is_quick, |row| row.blocks];
    grounds_on(0, maps, std::slice::from_ref(moves)).zip(goals).zip(wanted).flat_map(
        |((ground, goal), wanted)| {
            let question = asked(&ground, goal);
            ground.into_cases_of(wanted).map(move |case| (case, question))
        },
    )
}

/// The number of steps from the first to the last cell of a serpentine of an odd height.
fn steps(grid: &Grid) -> u64 {
    let rows = u64::from(grid.height().div_ceil(2));
    rows * u64::from(grid.width()) + rows - 2
}

/// The two ends of a serpentine of an odd height.
fn ends(grid: &Grid) -> Query {
    let rows = grid.height().div_ceil(2);
    let last = if rows % 2 == 1 { grid.width() - 1 } else { 0 };
    Query::new(Cell::new(0, 0), Cell::new(last, grid.height() - 1))
}

/// 5741 units per step and more than 750,000 steps: more than 32 bits hold. Every planner keeps its
/// promise by the oracle's costs; optimal ones to the last step.
#[test]
fn paths_of_a_million_steps_have_exact_costs() {
    let mut scratch = Scratch::new();
    let (mut asked, mut optimal) = (0, 0);
    for (mut case, Question { start, goal, best }) in long_walks(&Moves::FOUR) {
        assert!(case.keeps_promise(&Query::new(start, goal), best, &mut scratch));
        asked += 1;
        if case.promise() == Promise::Optimal {
            assert_eq!(scratch.path().cost(), best);
            optimal += 1;
        }
    }
    at_least("planners", asked, 10);
    at_least("optimal planners", optimal, 5);
}

/// Agents learn values up to the cost of the longest path without a loop, so on a map with this many
/// cells they take wide costs from the start, whatever the question.
#[test]
fn agents_on_large_maps_walk_on_wide_costs() {
    let grid = generate::rooms(640, 640, 40, 5).unwrap();
    assert!(2 * grid.free_cells() as u64 * 5741 > u64::from(u32::MAX));
    let mut scratch = Scratch::new();
    let mut walks = 0;
    for moves in [Moves::FOUR, Moves::EIGHT] {
        let questions: Vec<_> = generate::queries(&grid, 2, 9)
            .into_iter()
            .map(|(start, goal)| {
                let best = all_costs(&grid, moves, start)[cell_index(&grid, goal)];
                Question { start, goal, best }
            })
            .collect();
        for ground in grounds_on(0, [grid.clone()], &[moves]) {
            let agents = |row: &Algorithm| row.walks();
            for mut case in ground.into_cases_with(SPARING, agents) {
                for &Question { start, goal, best } in &questions {
                    assert!(case.keeps_promise(&Query::new(start, goal), best, &mut scratch));
                    walks += 1;
                }
            }
        }
    }
    at_least("walks", walks, 20);
}

/// A jump may be as long as the map, and it must fit as well.
#[test]
fn long_jumps_near_the_end_of_narrow_costs_fit() {
    let grid = serpentine(16_384, 91);
    assert!(steps(&grid) * 5741 > u64::from(u32::MAX));
    let mut scratch = Scratch::new();
    for moves in [Moves::EIGHT, Moves::EIGHT_CUT_ONE, Moves::EIGHT_CUT_ANY] {
        let planner = Algorithm::named("jps").unwrap().prepare(&grid, moves).unwrap();
        assert_eq!(planner.find(&grid, &ends(&grid), &mut scratch).unwrap(), Status::Found);
        scratch.path().check(&grid, moves).unwrap();
        if moves == Moves::EIGHT {
            assert_eq!(scratch.path().cost(), steps(&grid) as f64);
        }
    }
}

/// The restart is part of the search: slices and limits make no difference.
#[test]
fn the_restart_on_wide_costs_can_be_sliced() {
    let mut scratch = Scratch::new();
    for (mut case, Question { start, goal, best }) in long_walks(&Moves::EIGHT) {
        let query = Query::new(start, goal);
        assert!(case.keeps_promise(&query, best, &mut scratch));
        let whole = record(Status::Found, &scratch);
        let cost = f64::from_bits(whole.cost_bits);
        if case.promise() == Promise::Optimal {
            // The rounding error of the oracle's floating-point sum.
            assert!((cost - best).abs() < 1e-4, "{cost} {best}");
        }
        if case.row.blocks {
            continue; // minutes in slices: without 32 bits it makes its tables over and over
        }
        case.planner.begin(&case.grid, &query, &mut scratch).unwrap();
        let status = loop {
            let slice = Budget::expansions(99);
            match case.planner.resume(&case.grid, &mut scratch, slice).unwrap() {
                Status::Working => {}
                status => break status,
            }
        };
        assert!(record(status, &scratch) == whole, "a sliced search differs");
        if case.promise() == Promise::Optimal {
            assert_eq!(case.find(&query.clone().max_cost(cost), &mut scratch), Status::Found);
            let short = query.clone().max_cost(cost - 1.0);
            assert_eq!(case.find(&short, &mut scratch), Status::LimitReached);
        }
    }
}

/// The most expensive terrain: every cell costs 255.996.
#[test]
fn the_dearest_terrain_has_exact_costs() {
    let mut grid = serpentine(301, 301);
    let query = ends(&grid);
    let cells: Vec<_> = (0..301 * 301).map(|i| Cell::new(i % 301, i / 301)).collect();
    let factor = |cell: &Cell| if grid.is_free(*cell) { Grid::MAX_FACTOR } else { 0.0 };
    let factors: Vec<f64> = cells.iter().map(factor).collect();
    grid.set_costs(&factors).unwrap();
    let best = steps(&grid) as f64 * Grid::MAX_FACTOR;
    let mut scratch = Scratch::new();
    for mut case in cases_on(&grid, &[Moves::FOUR, Moves::EIGHT]) {
        let query = match case.row.weight {
            true => query.clone().weight(1000.0),
            false => query.clone(),
        };
        assert_eq!(case.find(&query, &mut scratch), Status::Found);
        let cost = scratch.path().cost();
        assert!((cost - best).abs() < 1e-6, "{cost} {best}");
    }
}

/// A search that starts over on wide costs counts from 0, and its expansion limit applies to the
/// second search alone: `rea-star` used to add both, reporting 2,430 expansions instead of 1,300.
///
/// From outside it is seen in two ways. No optimal planner expands more often than the corridor has
/// cells. And a corridor half again as long takes half again the expansions, give or take a few at
/// its ends, whether 32 bits hold its cost or not.
#[test]
fn a_restart_on_wide_costs_counts_its_own_expansions_alone() {
    let mut scratch = Scratch::new();
    let mut faults = Vec::new();
    let maps = [499, 899, 1299].map(|height| serpentine(1299, height));
    for choice in choices(&maps[2], Moves::EIGHT) {
        let row = choice.algorithm();
        let left_out = LEFT_OUT.iter().any(|(name, _)| *name == row.name);
        if left_out || row.blocks || row.walks() {
            continue;
        }
        let [short, middle, long] = [0, 1, 2].map(|at: usize| {
            let (grid, query) = (&maps[at], ends(&maps[at]));
            let planner = choice.prepare(grid, Moves::EIGHT).unwrap();
            assert_eq!(planner.find(grid, &query, &mut scratch), Ok(Status::Found));
            let expanded = scratch.stats().expanded;
            if row.promise == Promise::Optimal {
                let most = grid.free_cells() as u64 + 1;
                assert!(expanded <= most, "{choice}: {expanded} expansions, at most {most}");
            }
            let enough = query.max_expansions(expanded + 1);
            assert_eq!(planner.find(grid, &enough, &mut scratch), Ok(Status::Found), "{choice}");
            expanded
        });
        let growth = [middle - short, long - middle];
        let slack = 2 + long / 100;
        if growth[0].abs_diff(growth[1]) > slack {
            faults.push(format!("{choice}: {short}, {middle}, {long} expansions"));
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}
