//! A warm query allocates nothing. A separate binary, because its allocator counts and because it
//! looks at the memory of the process.

#[path = "all/support/mod.rs"]
mod support;

use blockstar::random::Random;
use blockstar::{
    Budget, Cell, Grid, Mask, Moves, Path, Planner, Query, Scratch, Slope, Status, generate,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use support::{
    Round, all_moves, at_least, cases, grounds_on, prepare, random_cell, rounds_on,
    rounds_on_terrain, zigzag,
};
use support::{random_grid, random_point};

/// The system's allocator, which counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Counter<u64> = const { Counter::new(0) };
}

fn count() {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(old, layout, size) }
    }
    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Counter::get);
    work();
    ALLOCATIONS.with(Counter::get) - before
}

fn ask(planner: &dyn Planner, grid: &Grid, queries: &[Query], scratch: &mut Scratch) {
    for (index, query) in queries.iter().enumerate() {
        if index % 3 == 2 {
            planner.begin(grid, query, scratch).unwrap();
            let slice = Budget::expansions(5);
            while planner.resume(grid, scratch, slice).unwrap() == Status::Working {}
        } else {
            planner.find(grid, query, scratch).unwrap();
        }
    }
}

/// The third time they are asked, queries allocate nothing. How many there were.
#[track_caller]
fn expect_none(planner: &dyn Planner, grid: &Grid, queries: &[Query]) -> u64 {
    let mut scratch = Scratch::new();
    ask(planner, grid, queries, &mut scratch);
    ask(planner, grid, queries, &mut scratch);
    assert_eq!(allocations(|| ask(planner, grid, queries, &mut scratch)), 0);
    queries.len() as u64
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(vec![0u8; 100])), 1);
    assert_eq!(allocations(|| ()), 0);
}

/// Paths, no paths, nearest substitutes and sliced searches, for every planner, rule and terrain:
/// asked a third time, the same queries allocate nothing.
#[test]
fn a_warm_query_allocates_nothing() {
    let mut asked = 0;
    for mut case in cases(71, 20, &all_moves()) {
        let queries: Vec<_> = (0..12)
            .map(|index| {
                let query = case.query();
                match index % 4 {
                    0 => {
                        let anywhere = random_cell(&mut case.random, &case.grid);
                        Query::new(query.start(), anywhere).nearest()
                    }
                    1 if case.row.partial => query.max_cost(case.random.below(20) as f64).partial(),
                    1 => query.max_cost(case.random.below(20) as f64),
                    2 if case.row.weight => query.weight(1.0 + case.random.below(30) as f64 / 10.0),
                    3 if case.random.chance(1, 2) => query.without_smoothing(),
                    _ => query,
                }
            })
            .collect();
        asked += expect_none(&*case.planner, &case.grid, &queries);
    }
    at_least("queries", asked, 8_000);
}

/// Block A* without room for tables makes each one in the scratch memory, and a query repeated
/// after an edit elsewhere is answered from the last search. Neither allocates.
#[test]
fn a_warm_query_without_tables_or_with_reuse_allocates_nothing() {
    let mut asked = 0;
    for mut round in rounds_on_terrain(73, 10, 2) {
        for moves in all_moves() {
            for name in ["block-astar:memory=0", "block-astar:memory=0:block=5", "block-astar"] {
                let planner = prepare(name, &round.grid, moves);
                let queries = [(); 8].map(|()| round.query(moves).reuse());
                let twice: Vec<_> = queries.into_iter().flat_map(|q| [q.clone(), q]).collect();
                asked += expect_none(&*planner, &round.grid, &twice);
            }
        }
    }
    at_least("queries", asked, 1_000);
}

/// Queries that avoid cells: masks of one size in turn, some with a nearest cell to be found, some
/// asked without a mask. Asked a third time, they allocate nothing.
#[test]
fn a_warm_masked_query_allocates_nothing() {
    let mut asked = 0;
    let rules = all_moves();
    for ground in grounds_on(74, (0..8).map(map), &rules) {
        for mut case in ground.into_cases_of(|row| row.avoids) {
            let queries: Vec<_> = (0..9)
                .map(|index| {
                    let mask: Mask =
                        (0..12).map(|_| random_cell(&mut case.random, &case.grid)).collect();
                    let query = case.query();
                    match index % 3 {
                        0 => query.avoid(&mask),
                        1 => query.avoid(&mask).nearest(),
                        _ => query,
                    }
                })
                .collect();
            asked += expect_none(&*case.planner, &case.grid, &queries);
        }
    }
    at_least("queries", asked, 4_000);
}

fn map(seed: u64) -> Grid {
    random_grid(&mut Random::new(seed), seed % 2 == 1)
}

/// Costs that do not fit 32 bits: Block A* then searches without the tables it has.
#[test]
fn a_warm_wide_query_allocates_nothing() {
    let grid = zigzag(1301, 48);
    let planner = prepare("block-astar", &grid, Moves::EIGHT);
    let query = Query::new(Cell::new(0, 0), Cell::new(0, 574));
    let mut scratch = Scratch::new();
    for warm in [false, true] {
        let find = || assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
        let count = allocations(find);
        assert!(!warm || count == 0, "{count}");
        assert!(scratch.path().cost() * 5741.0 > f64::from(u32::MAX / 2));
        assert!(scratch.stats().tables_made > 0, "the search was not wide");
    }
}

/// The same on slopes.
#[test]
fn a_warm_query_on_slopes_allocates_nothing() {
    let mut asked = 0;
    let slope = Slope::new(1.0).penalties(3.0, 1.0).limits(1.2, 1.5);
    let rules: Vec<_> = all_moves().into_iter().map(|moves| moves.with_slope(slope)).collect();
    let maps = rounds_on_terrain(72, 12, 2).map(|Round { mut grid, mut random, .. }| {
        let cells = grid.width() * grid.height();
        let heights: Vec<_> = (0..cells).map(|_| random.below(200) as f32 / 100.0).collect();
        grid.set_heights(&heights).unwrap();
        grid
    });
    for mut case in grounds_on(72, maps, &rules).flat_map(|ground| ground.into_cases()) {
        let queries: Vec<_> = (0..8)
            .map(|index| {
                let start = case.free_cell();
                let query = Query::new(start, random_cell(&mut case.random, &case.grid));
                let nearest = index % 3 == 0 && !case.moves.rule().is_any_angle();
                if nearest { query.nearest() } else { query }
            })
            .collect();
        asked += expect_none(&*case.planner, &case.grid, &queries);
    }
    at_least("queries", asked, 3_000);
}

/// A unit that follows its path allocates nothing, and neither does listing the cells.
#[test]
fn following_a_path_allocates_nothing() {
    let mut random = Random::new(74);
    let grid = random_grid(&mut random, false);
    for moves in all_moves() {
        let mut point = || random_point(&mut random, &grid, moves, true);
        let points: Vec<_> = (0..20).map(|_| point()).collect();
        let path = Path::new(&grid, moves, points);
        let mut cursor = path.cursor();
        let follow = || {
            let mut seen = path.cells().count() + path.cell_count();
            while cursor.advance(&path, 0.3) == 0.0 {
                seen += cursor.ahead(&path).count();
                seen += usize::from(cursor.still_valid(&path, &grid));
                seen += usize::from(cursor.next_turn(&path) == cursor.position(&path));
            }
            assert!(seen > 0);
        };
        assert_eq!(allocations(follow), 0, "{moves}");
    }
}

/// The same after edits, which drop the matrix of DBA*: its queries then search the regions.
#[test]
fn a_warm_query_after_an_edit_allocates_nothing() {
    let caves = |number, _: &mut _| generate::caves(90, 80, number as u64).unwrap();
    for Round { number, mut grid, mut random } in rounds_on(73, 4, caves) {
        for name in ["dba-star:sector=5:depth=2", "dba-star", "pra-star:sector=8"] {
            let mut planner = prepare(name, &grid, Moves::EIGHT);
            for _ in 0..15 {
                let cell = random_cell(&mut random, &grid);
                grid.set(cell, blockstar::Tile::Blocked).unwrap();
                planner.update(&grid).unwrap();
            }
            assert_eq!(planner.memory_usage().part("matrix"), 0, "{name}");
            let ends = generate::queries(&grid, 30, number as u64).into_iter();
            let queries: Vec<_> = ends.map(|(start, goal)| Query::new(start, goal)).collect();
            expect_none(&*planner, &grid, &queries);
        }
    }
}

/// The graph of subgoals after edits that add and remove some, with lanes being made fit and anew: the
/// queries allocate nothing. Right after an edit they rarely do: memory grows ahead of the graph.
#[test]
fn a_warm_query_of_an_edited_subgoal_graph_allocates_nothing() {
    let caves = |number, _: &mut _| generate::caves(90, 80, number as u64).unwrap();
    for Round { number, mut grid, mut random } in rounds_on(75, 6, caves) {
        let mut planner = prepare("subgoal", &grid, Moves::EIGHT);
        let ends = generate::queries(&grid, 30, number as u64).into_iter();
        let queries: Vec<_> = ends.map(|(start, goal)| Query::new(start, goal).nearest()).collect();
        let mut scratch = Scratch::new();
        let mut late = 0;
        for edit in 0..100 {
            let cell = random_cell(&mut random, &grid);
            let tiles = [blockstar::Tile::Blocked, blockstar::Tile::Free];
            grid.set(cell, tiles[usize::from(!grid.is_free(cell))]).unwrap();
            planner.update(&grid).unwrap();
            let count = allocations(|| ask(&*planner, &grid, &queries, &mut scratch));
            late += if edit < 20 { 0 } else { count };
        }
        assert!(late < 5, "{late} allocations in 2,400 queries");
        expect_none(&*planner, &grid, &queries);
    }
}

/// Resident memory of this process in bytes, if the system reports it.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// On the largest map a short query touches only the memory it needs.
#[test]
fn a_short_query_on_the_largest_map_is_cheap() {
    let before = resident();
    let mut grid = Grid::new(Grid::MAX_SIDE, Grid::MAX_SIDE).unwrap();
    assert!(grid.memory_usage() < 70_000_000);
    for x in 0..Grid::MAX_SIDE {
        if x % 100 != 99 {
            grid.set((x, 9000), blockstar::Tile::Blocked).unwrap();
        }
    }
    let mut scratch = Scratch::new();
    for name in ["astar", "jps", "bidirectional-astar", "block-astar"] {
        let planner = prepare(name, &grid, Moves::EIGHT);
        let query = Query::new(Cell::new(9010, 8990), Cell::new(9010, 9010));
        assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), Status::Found);
        scratch.path().check(&grid, Moves::EIGHT).unwrap();
        let corner = Query::new(Cell::new(16_383, 16_383), Cell::new(16_370, 16_380));
        assert_eq!(planner.find(&grid, &corner, &mut scratch).unwrap(), Status::Found);
        assert_eq!(scratch.path().points()[0], Cell::new(16_383, 16_383).centre());
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let used = after.saturating_sub(before);
        assert!(used < 1_000_000_000, "{used} bytes");
    }
}
