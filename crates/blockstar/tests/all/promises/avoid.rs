//! Cells that a query avoids count as blocked, for this query alone.

use super::slicing::in_slices;
use crate::support::{
    Case, Record, all_hills, all_moves, at_least, cases_of_every_kind, expect_more, grounds,
    random_cell, record,
};
use blockstar::{
    Algorithm, Budget, Cell, Grid, Mask, Moves, Planner, Query, Rect, Scratch, Status, Tile,
};

/// The map with the cells of a mask blocked, except the start's own.
fn blocked(grid: &Grid, query: &Query, mask: &Mask) -> Grid {
    let mut masked = grid.clone();
    for cell in mask.cells().filter(|cell| grid.contains(*cell)) {
        masked.set(cell, Tile::Blocked).unwrap();
    }
    let own = grid.cell_of(query.start()).unwrap();
    if !masked.is_free(masked.cell_of(query.start()).unwrap()) && grid.is_free(own) {
        masked.set(own, Tile::Free).unwrap();
    }
    masked
}

/// From one cell to half of the map, some cells on it and some beyond; now and then the ends.
fn random_mask(case: &mut Case, query: &Query) -> Mask {
    let (grid, random) = (&case.grid, &mut case.random);
    let mut mask = Mask::new();
    let cells = u64::from(grid.width() * grid.height());
    for _ in 0..1 + random.below(cells / 2 + 1) {
        mask.insert(random_cell(random, grid));
    }
    if random.chance(1, 4) {
        let corner = random_cell(random, grid);
        mask.insert_rect(Rect::new(corner.x, corner.y, 3, 40));
    }
    for (chance, end) in [(4, query.start()), (8, query.goal())] {
        if random.chance(1, chance) {
            mask.extend(grid.cell_of(end));
        }
    }
    mask
}

/// Planners that pass a masked query on to another one, which may take another path at the same cost.
const PASS_ON: &[&str] = &["auto", "subgoal"];

/// The answer of a planner that was prepared for a map on which the cells are blocked.
fn expected(case: &Case, query: &Query, mask: &Mask) -> Record {
    let grid = blocked(&case.grid, query, mask);
    let planner = case.spec.prepare(&grid, case.moves).unwrap();
    let mut scratch = Scratch::new();
    let status = planner.find(&grid, query, &mut scratch).unwrap();
    record(status, &scratch)
}

/// The answer to a masked query must be that on a map without the cells. Two exceptions: a limit
/// may be met before it turns out that there is no path; and where a path on terrain runs along the
/// edge of a cheap avoided cell, its price is that of the map.
fn ask(case: &mut Case, query: &Query, mask: &Mask, scratch: &mut Scratch) -> Record {
    let expected = expected(case, query, mask);
    let status = expected.status;
    let masked = query.clone().avoid(mask);
    let limited = query.cost_limit().is_some() || query.expansion_limit().is_some();
    let got = case.answer(&masked, scratch);
    if limited && status == Status::NoPath {
        assert!(matches!(got.status, Status::NoPath | Status::LimitReached), "{got:?}");
    } else if !(query.cost_limit().is_some()
        && case.grid.has_costs()
        && case.moves.rule().is_any_angle())
    {
        assert_eq!(got.status, status);
        let same_cost = got.cost_bits == expected.cost_bits;
        let same = got.points == expected.points || (PASS_ON.contains(&case.row.name) && same_cost);
        assert!(same, "{got:?} instead of {expected:?}");
    }
    let path = scratch.path();
    assert!(path.is_empty() || path.check(&case.grid, case.moves).is_ok(), "{path}");
    let own = case.grid.cell_of(query.start());
    assert!(path.cells().all(|cell| !mask.contains(cell) || Some(cell) == own), "{path}");
    got
}

/// Status, path and cost, with fresh or used memory, in slices or not, between queries without a
/// mask and edits of the map.
#[test]
fn an_avoided_cell_is_as_good_as_a_blocked_one() {
    let (mut used, mut sliced) = (Scratch::new(), Scratch::new());
    let [mut asked, mut found, mut substitutes, mut cut] = [0; 4];
    let rules = all_moves();
    let grounds = grounds(91, 12, &rules).chain(all_hills(91, 12));
    for mut case in grounds.flat_map(|ground| ground.into_cases_of(|row| row.avoids)) {
        let mut mask = Mask::new();
        for round in 0..4 {
            let query = case.query_with_options();
            if round != 2 {
                mask = random_mask(&mut case, &query);
            }
            let got = ask(&mut case, &query, &mask, &mut used);
            let masked = query.clone().avoid(&mask);
            assert_eq!(case.fresh_answer(&masked), got, "fresh memory");
            let size = 1 + case.random.below(9);
            let slice = || Budget::expansions(size);
            assert_eq!(in_slices(&mut case, &masked, &mut sliced, slice), got, "slices of {size}");
            asked += 1;
            found += u64::from(got.status == Status::Found);
            substitutes += u64::from(got.status == Status::Nearest);
            cut += u64::from(got.status == Status::NoPath && got.stats.expanded > 0);
            if round % 2 == 0 {
                assert_eq!(case.answer(&query, &mut used), case.fresh_answer(&query), "unmasked");
            }
            if round == 1 {
                case.edit();
                case.update();
            }
        }
    }
    expect_more!(asked > 4_000, found > 1_000, substitutes > 200, cut > 300);
}

/// With `nearest`, wherever the goal is cut off: inside the mask, behind it, or on another island.
#[test]
fn a_goal_cut_off_by_a_mask_has_a_nearest_cell() {
    let mut scratch = Scratch::new();
    let mut substitutes = 0;
    for ground in grounds(92, 9, &all_moves()) {
        for mut case in ground.into_cases_of(|row| row.avoids) {
            for limit in [None, Some(5.0), Some(1e6)] {
                let query = case.cell_query().nearest();
                let query = limit.map_or(query.clone(), |limit| query.clone().max_cost(limit));
                let mut mask = random_mask(&mut case, &query);
                // A ring around the goal.
                let goal = query.goal().cell();
                let ring = Rect::new(goal.x.saturating_sub(1), goal.y.saturating_sub(1), 3, 3);
                mask.extend(ring.cells().filter(|cell| *cell != goal));
                let got = ask(&mut case, &query, &mask, &mut scratch);
                substitutes += u64::from(got.status == Status::Nearest);
            }
        }
    }
    at_least("substitutes", substitutes, 1_000);
}

/// On rules and maps of every kind, a planner that refuses names one that answers.
#[test]
fn who_cannot_avoid_cells_names_a_planner_that_can() {
    let mut scratch = Scratch::new();
    let (mut refused, mut honoured) = (0, 0);
    for mut case in cases_of_every_kind() {
        let query = Query::new((1, 4), (7, 4));
        let mask: Mask = (2..7).map(|y| Cell::new(4, y)).collect();
        let masked = query.clone().avoid(&mask);
        assert_eq!(case.find(&query.clone().avoid(&Mask::new()), &mut scratch), Status::Found);
        if case.row.avoids {
            assert_eq!(case.find(&masked, &mut scratch), Status::Found);
            honoured += 1;
            continue;
        }
        refused += 1;
        let error = case.try_find(&masked, &mut scratch).unwrap_err();
        assert!(scratch.path().is_empty());
        let able = case.named_instead(&error);
        assert_eq!(able.find(&case.grid, &masked, &mut scratch), Ok(Status::Found), "{error}");
    }
    expect_more!(refused > 50, honoured > 100);
    for name in ["jps", "astar", "block-astar", "anya"] {
        assert!(Algorithm::named(name).unwrap().algorithm().avoids, "{name}");
    }
}

/// A query repeated with the same mask may be answered by the last search; with another mask it is
/// another query.
#[test]
fn block_astar_reuses_a_masked_search_for_the_same_mask_only() {
    let mut scratch = Scratch::new();
    let (mut reused, mut searched) = (0, 0);
    for ground in grounds(93, 20, &all_moves()) {
        for mut case in ground.into_cases_of(|row| row.blocks) {
            let query = case.query().reuse();
            let masks = [random_mask(&mut case, &query), random_mask(&mut case, &query)];
            for round in 0..8 {
                let mask = &masks[usize::from(round == 4)];
                let masked = query.clone().avoid(mask);
                let status = case.find(&masked, &mut scratch);
                let mut other = Scratch::new();
                assert_eq!(case.find(&masked, &mut other), status);
                assert_eq!(scratch.path(), other.path());
                reused += u64::from(scratch.stats().reused);
                searched += u64::from(!scratch.stats().reused);
                assert!(!(scratch.stats().reused && round == 4), "another mask");
                if round % 2 == 1 {
                    case.edit();
                    case.update();
                }
            }
        }
    }
    expect_more!(reused > 300, searched > 500);
}

/// A mask is part of the question, is read back, and belongs to one query only.
#[test]
fn a_mask_belongs_to_its_query() {
    let grid = Grid::from_ascii("...\n.#.\n...").unwrap();
    let planner = Algorithm::named("jps").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let query = Query::new((0, 1), (2, 1));
    let above: Mask = [(1, 0)].into_iter().collect();
    let both: Mask = [(1, 0), (1, 2)].into_iter().collect();
    assert_eq!(query.avoided(), None);
    assert_eq!(query.clone().avoid(&above).avoided(), Some(&above));
    assert_eq!(query.clone().avoid(&above).avoid(&both), query.clone().avoid(&both));
    assert_ne!(query.clone().avoid(&above), query);
    assert_eq!(query.clone().avoid(&above).avoid(&Mask::new()), query);
    let mut scratch = Scratch::new();
    let mut ask = |query: &Query| planner.find(&grid, query, &mut scratch).unwrap();
    assert_eq!(ask(&query.clone().avoid(&both)), Status::NoPath);
    assert_eq!(ask(&query), Status::Found);
    assert_eq!(ask(&query.clone().avoid(&above)), Status::Found);
    assert_eq!(ask(&query.clone().avoid(&both).nearest()), Status::Nearest);
    assert!(grid.is_free((1, 0)));
    // Start and goal are the same cell, which is avoided.
    let here: Mask = [(0, 1)].into_iter().collect();
    assert_eq!(ask(&Query::new((0, 1), (0, 1)).avoid(&here)), Status::Found);
    assert_eq!(ask(&query.clone().avoid(&here)), Status::Found);
    assert_eq!(ask(&Query::new((2, 1), (0, 1)).avoid(&here)), Status::NoPath);
}

/// Freeing the search memory also frees the copy of the map.
#[test]
fn a_masked_query_leaves_no_trace_in_shrunk_memory() {
    let grid = Grid::new(300, 300).unwrap();
    let planner = Algorithm::named("jps").unwrap().prepare(&grid, Moves::EIGHT).unwrap();
    let mask: Mask = [(10, 10)].into_iter().collect();
    let query = Query::new((0, 0), (20, 20)).avoid(&mask);
    let mut scratch = Scratch::new();
    let answer = |scratch: &mut Scratch| {
        let status = planner.find(&grid, &query, scratch).unwrap();
        record(status, scratch)
    };
    let expected = answer(&mut scratch);
    let held = scratch.memory_usage();
    scratch.shrink();
    assert!(held - scratch.memory_usage() > grid.memory_usage());
    assert_eq!(answer(&mut scratch), expected);
}
