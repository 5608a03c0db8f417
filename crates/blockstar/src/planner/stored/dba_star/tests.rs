use super::paths::climb_within;
use super::*;
use crate::grid::components::Components;
use crate::random::Random;
use crate::{Budget, Cell, Planner, Query, Rule, Scratch, Status, Tile, generate};

fn settings(side: (u32, u32), depth: u32) -> DbaSettings {
    DbaSettings { side, depth, centre: Centre::Mean, trim: Trim::All, matrix: true }
}

fn made(grid: &Grid, moves: Moves, settings: DbaSettings) -> Driver<DbaStar> {
    Driver::new(DbaStar::new(grid, moves, settings).unwrap(), grid, moves)
}

/// A base path: the node of its end, its cost and its subgoals.
type PathPicture = (u32, u32, Vec<u32>);

/// All base paths, by the nodes of their ends.
fn picture(planner: &Driver<DbaStar>) -> Vec<(u32, Vec<PathPicture>)> {
    let DbaStar { sectors, paths, .. } = planner.method();
    let centre = |region| sectors.centre(region);
    let paths = |region| {
        let hops = paths.hops(sectors, region);
        hops.map(|hop| (centre(hop.target), hop.cost, hop.subgoals.to_vec())).collect()
    };
    sectors.all().map(|region| (centre(region), paths(region))).collect()
}

fn walk(
    planner: &Driver<DbaStar>,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
) -> (Status, f64) {
    let status = planner.find(grid, query, scratch).unwrap();
    if status.has_path() {
        scratch.path().check(grid, planner.moves()).unwrap();
    }
    (status, scratch.path().cost())
}

/// A walk, and whether its first step was made before the way was known.
#[derive(Debug, PartialEq)]
struct Walked {
    status: Status,
    points: Vec<crate::Point>,
    cost: f64,
    stats: crate::Stats,
    late: bool,
}

/// Walks the first step by itself and the rest in one go; no first response may take more
/// expansions than a sector has cells.
fn walk_bounded(
    planner: &Driver<DbaStar>,
    grid: &Grid,
    query: &Query,
    scratch: &mut Scratch,
) -> Walked {
    let database = planner.method();
    planner.begin(grid, query, scratch).unwrap();
    let mut status = planner.resume(grid, scratch, Budget::expansions(1)).unwrap();
    let late = status == Status::Working && scratch.pool.get::<Journey>().is_searching();
    if status == Status::Working {
        status = planner.resume(grid, scratch, Budget::UNLIMITED).unwrap();
    }
    if status.has_path() {
        scratch.path().check(grid, planner.moves()).unwrap();
    }
    let (cells, stats) = (database.sectors.layout.cells(), *scratch.stats());
    assert!(stats.first_response <= cells, "{} of {cells}", stats.first_response);
    let rest = if late { database.search_work() } else { 0 };
    assert!(stats.largest_move <= database.work() + rest, "{}", stats.largest_move);
    let (points, cost) = (scratch.path().points().to_vec(), scratch.path().cost());
    Walked { status, points, cost, stats, late }
}

/// How much more walks cost that set out before their way was known.
#[derive(Debug, Default)]
struct Lateness {
    all: usize,
    late: usize,
    cost: f64,
    best: f64,
}

impl Lateness {
    /// Compares a walk without a matrix with the same with one.
    fn compare(&mut self, without: &Walked, with: &Walked, side: (u32, u32)) {
        assert_eq!(without.status, with.status);
        self.all += 1;
        // A first response that used up its budget may have climbed less far.
        let idle = without.stats.first_response + 1 < u64::from(side.0 * side.1);
        if without.late {
            self.late += 1;
            (self.cost, self.best) = (self.cost + without.cost, self.best + with.cost);
        } else if idle {
            assert_eq!(without.points, with.points);
        }
    }

    fn excess(&self) -> f64 {
        (self.cost / self.best.max(1.0) - 1.0) * 100.0
    }
}

/// Tens of thousands of edits split, merge, make and delete regions and move their centres: the
/// repaired database equals a new one path by path, and so does what it saves. Where its matrix is
/// void, it walks exactly like a planner without a matrix, and like one with a matrix wherever the
/// first response had time to find the way.
#[test]
fn a_repaired_database_equals_a_fresh_one() {
    let mut random = Random::new(21);
    let mut scratch = Scratch::new();
    let (mut edits, mut void, mut unreachable) = (0, 0, 0);
    let mut lateness = Lateness::default();
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
        let mut planner = made(&grid, moves, settings);
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
            let fresh = made(&grid, moves, settings);
            assert_eq!(picture(&planner), picture(&fresh));
            assert_eq!(planner.save(), fresh.save());
            let is_void = planner.method().matrix.is_none();
            void += usize::from(is_void);
            let without = DbaSettings { matrix: !is_void, ..settings };
            let equal = made(&grid, moves, without);
            for _ in 0..3 {
                let cell = |random: &mut Random| {
                    Cell::new(random.below(width.into()) as u32, random.below(height.into()) as u32)
                };
                let query = Query::new(cell(&mut random), cell(&mut random));
                let repaired = walk_bounded(&planner, &grid, &query, &mut scratch);
                assert_eq!(walk_bounded(&equal, &grid, &query, &mut scratch), repaired);
                unreachable += usize::from(repaired.status == Status::NoPath);
                if is_void {
                    let with = walk_bounded(&fresh, &grid, &query, &mut scratch);
                    lateness.compare(&repaired, &with, side);
                }
            }
        }
    }
    assert!(edits > 20_000 && void > 1000 && unreachable > 300, "{edits} {void} {unreachable}");
    // These maps are so small that a step aside is much of the way.
    assert!(lateness.late > 50 && lateness.excess() < 3.0, "{lateness:?}");
}

/// The matrix says the same as a search for the way; where there is no time for the whole search,
/// the walk is hardly longer.
#[test]
fn the_matrix_leads_the_same_ways_as_a_search() {
    let mut random = Random::new(22);
    let mut scratch = Scratch::new();
    let mut lateness = Lateness::default();
    for seed in 0..4 {
        let grid = generate::caves(220, 200, seed).unwrap();
        for depth in 1..=4 {
            let with = made(&grid, Moves::EIGHT, settings((9, 11), depth));
            let without = DbaSettings { matrix: false, ..settings((9, 11), depth) };
            let without = made(&grid, Moves::EIGHT, without);
            assert!(with.method().matrix.is_some() && without.method().matrix.is_none());
            for (start, goal) in generate::queries(&grid, 40, random.next_u64()) {
                let query = Query::new(start, goal);
                let known = walk_bounded(&with, &grid, &query, &mut scratch);
                let searched = walk_bounded(&without, &grid, &query, &mut scratch);
                lateness.compare(&searched, &known, (9, 11));
            }
        }
    }
    assert!(lateness.late > 50 && lateness.late < lateness.all / 2, "{lateness:?}");
    assert!(lateness.excess() < 0.5, "{lateness:?}");
}

/// A map with too many regions for a matrix.
#[test]
fn a_map_of_many_regions_is_walked_without_a_matrix() {
    let mut scratch = Scratch::new();
    let grid = generate::caves(360, 360, 3).unwrap();
    let planner = made(&grid, Moves::EIGHT, settings((4, 4), 2));
    assert!(planner.method().sectors.live() > 4096 && planner.method().matrix.is_none());
    assert_eq!(planner.memory_usage().part("matrix"), 0);
    let bytes = planner.save().unwrap();
    let maker = crate::Database::inspect(&bytes).unwrap().maker().unwrap();
    assert!(maker.contains("matrix=off"), "{maker}");
    let mut late = 0;
    for (start, goal) in generate::queries(&grid, 60, 4) {
        let query = Query::new(start, goal);
        let walked = walk_bounded(&planner, &grid, &query, &mut scratch);
        assert_eq!(walked.status, Status::Found);
        late += usize::from(walked.late);
        // However the walk is sliced.
        for budget in [1, 45, 700, u64::MAX] {
            planner.begin(&grid, &query, &mut scratch).unwrap();
            let slice = Budget::expansions(budget);
            while planner.resume(&grid, &mut scratch, slice).unwrap() == Status::Working {}
            assert_eq!(
                (scratch.path().points(), scratch.stats()),
                (&walked.points[..], &walked.stats)
            );
        }
    }
    // Most ways over gates are found within the first response. (Over all regions half of these
    // walks set out before theirs was known.)
    assert!(late > 20, "{late}");
    // The work counts, not the number of regions.
    let grid = generate::caves(280, 280, 3).unwrap();
    let planner = made(&grid, Moves::EIGHT, settings((4, 4), 1));
    assert!(planner.method().sectors.live() > 4096 && planner.method().matrix.is_some());
}

/// The agent starts on the centre of its region, which is sometimes the only cell there, and does
/// not know where to go yet.
#[test]
fn an_agent_on_a_centre_steps_aside() {
    let mut scratch = Scratch::new();
    let (mut late, mut single) = (0, 0);
    for seed in 0..4 {
        let grid = generate::random(90, 90, 36.0, seed).unwrap();
        for moves in [Moves::EIGHT, Moves::EIGHT_CUT_ANY, Moves::FOUR] {
            let settings = DbaSettings { matrix: false, ..settings((5, 4), 1 + seed as u32 % 2) };
            let planner = made(&grid, moves, settings);
            let components = Components::new(&grid, moves.rule());
            let cell = |node: u32| Cell::from(grid.rows().coordinates(node));
            let goals: Vec<_> = generate::queries(&grid, 3, seed).iter().map(|q| q.1).collect();
            for region in planner.method().sectors.all() {
                let start = cell(planner.method().sectors.centre(region));
                let goal = goals[region as usize % 3];
                let query = Query::new(start, goal);
                let walked = walk_bounded(&planner, &grid, &query, &mut scratch);
                let reachable = components.connected(start, goal);
                assert_eq!(walked.status == Status::Found, reachable);
                if walked.late {
                    late += 1;
                    let sector = |at: usize| {
                        let point = walked.points[at];
                        planner.method().sectors.layout.sector(point.x() as u32, point.y() as u32)
                    };
                    single += usize::from(sector(0) != sector(1));
                }
            }
        }
    }
    assert!(late > 500 && single > 10, "{late} {single}");
}

/// The agent sets out after at most as many expansions as a sector has cells, with and without a
/// matrix, on new maps and after edits.
#[test]
fn the_first_response_is_bounded_by_a_sectors_cells() {
    let mut random = Random::new(23);
    let mut scratch = Scratch::new();
    let mut largest = 0;
    let sides = [(16, 16), (8, 8), (4, 4), (32, 16), (10, 7), (5, 5), (5, 4), (7, 9)];
    for (round, side) in sides.into_iter().enumerate() {
        for seed in 0..4 {
            let maps = [
                generate::caves(100, 90, seed).unwrap(),
                generate::maze(90, 90, 1 + seed as u32 % 3, seed).unwrap(),
                generate::random(80, 80, 38.0, seed).unwrap(),
                Grid::from_fn(60, 60, |cell| (cell.x + cell.y) % 2 == 0).unwrap(),
                // Regions of single columns in all sectors.
                Grid::from_fn(60, 60, |cell| cell.x % 2 == 0 || cell.y % 45 == 44).unwrap(),
            ];
            for mut grid in maps {
                let moves = if round % 2 == 0 { Moves::EIGHT } else { Moves::EIGHT_CUT_ANY };
                let settings =
                    DbaSettings { matrix: seed % 2 == 0, ..settings(side, 1 + seed as u32 % 3) };
                let mut planner = made(&grid, moves, settings);
                for edits in [0, 15] {
                    for _ in 0..edits {
                        let x = random.below(grid.width().into()) as u32;
                        let y = random.below(grid.height().into()) as u32;
                        let free = grid.is_free(Cell::new(x, y));
                        grid.set((x, y), if free { Tile::Blocked } else { Tile::Free }).unwrap();
                        planner.update(&grid).unwrap();
                    }
                    for (start, goal) in generate::queries(&grid, 15, random.next_u64()) {
                        let query = Query::new(start, goal);
                        walk_bounded(&planner, &grid, &query, &mut scratch);
                        let first = scratch.stats().first_response;
                        largest =
                            largest.max(100 * first / planner.method().sectors.layout.cells());
                    }
                }
            }
        }
    }
    assert!(largest > 90, "the bound is not idle: {largest} %");
}

/// Climbing to a subgoal may take another way, just as short as the path that it stands for, but it
/// must not go through sectors whose edits do not repair the path.
#[test]
fn climbs_stay_where_edits_are_noticed() {
    let mut random = Random::new(24);
    let mut checked = 0;
    for round in 0..150 {
        let (width, height) = (20 + random.below(40) as u32, 20 + random.below(40) as u32);
        let share = 10 + random.below(30);
        let grid = Grid::from_fn(width, height, |_| !random.chance(share, 100)).unwrap();
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let depth = 1 + round as u32 % 3;
        let DbaStar { sectors, paths, .. } =
            DbaStar::new(&grid, moves, settings((4, 4), depth)).unwrap();
        let climber =
            crate::regions::climb::Climber::new(&grid, moves).with_units(sectors::units(moves));
        for region in sectors.all() {
            for hop in paths.hops(&sectors, region) {
                let areas = paths.areas(grid.rows(), &sectors, region, hop.target);
                let (mut at, mut sum) = (sectors.centre(region), 0);
                for &next in hop.subgoals.iter().chain([&sectors.centre(hop.target)]) {
                    let cost = climb_within(&climber, grid.rows(), areas, at, next);
                    (at, sum) = (next, sum + cost.expect("inside the areas"));
                    checked += 1;
                }
                assert_eq!(sum, hop.cost);
            }
        }
    }
    assert!(checked > 80_000, "{checked}");
}

/// An update that fails leaves a planner that says so, and the next one prepares everything again.
#[test]
fn a_failed_update_leaves_a_stale_planner() {
    let mut scratch = Scratch::new();
    let mut grid = Grid::new(40, 40).unwrap();
    let mut planner = made(&grid, Moves::EIGHT, settings((8, 8), 2));
    planner.method_mut().most_regions = 30;
    let query = Query::new(Cell::new(0, 0), Cell::new(39, 39));
    // Two walls split nine sectors.
    grid.set_rect(Rect::new(0, 3, 40, 1), Tile::Blocked).unwrap();
    grid.set_rect(Rect::new(0, 11, 39, 1), Tile::Blocked).unwrap();
    let message = planner.update(&grid).unwrap_err().to_string();
    assert!(message.contains("34 regions") && message.contains("larger sectors"), "{message}");
    let stale = planner.find(&grid, &query, &mut scratch).unwrap_err();
    assert!(matches!(stale, Error::Stale { .. }), "{stale}");
    assert!(planner.save().is_none());
    assert!(planner.update(&grid).is_err(), "still too many");
    grid.set_rect(Rect::new(0, 3, 40, 1), Tile::Free).unwrap();
    grid.set_rect(Rect::new(0, 11, 39, 1), Tile::Free).unwrap();
    planner.update(&grid).unwrap();
    assert_eq!(planner.find(&grid, &query, &mut scratch).unwrap(), Status::Found);
    let fresh = made(&grid, Moves::EIGHT, settings((8, 8), 2));
    assert_eq!(picture(&planner), picture(&fresh));
}

/// Figures 4 and 5 of the paper on a map of our own: cutting corners helps, and so do deeper paths.
#[test]
fn trimming_helps_and_depth_helps() {
    let grid = generate::caves(300, 260, 5).unwrap();
    let queries: Vec<_> = generate::queries(&grid, 150, 3);
    let mut scratch = Scratch::new();
    let mut total = |settings: DbaSettings| {
        let planner = made(&grid, Moves::EIGHT, settings);
        let cost = |&(start, goal): &(Cell, Cell)| {
            walk(&planner, &grid, &Query::new(start, goal), &mut scratch).1
        };
        queries.iter().map(cost).sum::<f64>()
    };
    let base = settings((16, 16), 1);
    let [none, ends, all] =
        [Trim::None, Trim::Ends, Trim::All].map(|trim| total(DbaSettings { trim, ..base }));
    assert!(none > 1.005 * ends && ends > 1.005 * all, "{none} {ends} {all}");
    let deeper = total(DbaSettings { depth: 2, ..base });
    assert!(all > 1.002 * deeper, "{all} {deeper}");
    // Deeper paths also help without cutting corners.
    let plain = total(DbaSettings { depth: 2, trim: Trim::None, ..base });
    assert!(none > 1.005 * plain, "{none} {plain}");
}

/// What the tiles know of each region, by the nodes of their ends.
fn outlooks(planner: &Driver<DbaStar>, grid: &Grid) -> Vec<String> {
    let DbaStar { sectors, tiles, .. } = planner.method();
    let tiles = tiles.as_ref().unwrap();
    let source = planner.method().source(grid.rows(), planner.moves());
    let centre = |region: &u32| sectors.centre(*region);
    let outlook = |region: u32| {
        let outlook = tiles.outlook(&source, region);
        // What is kept a second time for gates says the same.
        assert!(outlook.ways_out().eq(tiles.outlook_of_gate(&source, region).ways_out()));
        let way = |gate: u32| {
            let mut way = Vec::new();
            tiles.way_to(&source, region, gate, &mut way).unwrap();
            way.iter().map(centre).collect::<Vec<_>>()
        };
        let gates: Vec<_> = outlook
            .gates
            .iter()
            .map(|gate| (centre(gate), outlook.cost_to(*gate), way(*gate)))
            .collect();
        let ways: Vec<_> = outlook
            .ways_out()
            .map(|(cost, way)| (cost, centre(&way.from), centre(&way.to), way.node, way.cost))
            .collect();
        let pairs = outlook.gates.iter().flat_map(|&gate| {
            let after = outlook.ways_out().map(|(_, way)| way.to).collect::<Vec<_>>();
            after.into_iter().map(move |after| tiles.best_crossing(&source, gate, after))
        });
        let best: Vec<_> =
            pairs.map(|pair| pair.map(|(from, to)| (centre(&from), centre(&to)))).collect();
        let detour = tiles.tables(&source, tiles.tile(region)).detour;
        format!("{gates:?} {ways:?} {best:?} {detour:?}")
    };
    sectors.all().map(outlook).collect()
}

/// Edits of cells and of whole stretches on a map of many regions: the tables of tiles are those of
/// a new planner, and so are the walks.
#[test]
fn repaired_tiles_equal_fresh_ones() {
    let mut random = Random::new(25);
    let mut scratch = Scratch::new();
    let (mut changed, mut late) = (0, 0);
    for (round, moves) in [Moves::EIGHT, Moves::EIGHT_CUT_ANY, Moves::FOUR].into_iter().enumerate()
    {
        let mut grid = generate::caves(320, 300, 7 + round as u64).unwrap();
        let depth = 1 + round as u32 % 2;
        let settings = DbaSettings { matrix: false, ..settings((4, 4), depth) };
        let mut planner = made(&grid, moves, settings);
        let mut before = outlooks(&planner, &grid);
        for batch in 0..5 {
            for _ in 0..1 + random.below(12) {
                let (x, y) = (random.below(300) as u32, random.below(280) as u32);
                if random.chance(1, 6) {
                    let share = random.below(100);
                    // A third of them is large enough to put base paths off.
                    let width = [20, 20, 100][random.below(3) as usize].min(320 - x);
                    let rect = Rect::new(x, y, width, 1 + random.below(20) as u32);
                    grid.patch(rect, |_| random.chance(share, 100)).unwrap();
                } else {
                    let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
                    grid.set((x, y), tile).unwrap();
                }
                if batch % 2 == 0 {
                    planner.update(&grid).unwrap();
                }
            }
            planner.update(&grid).unwrap();
            late += usize::from(planner.method().paths.open_batches() > 0);
            let fresh = made(&grid, moves, settings);
            assert!(fresh.method().tiles.is_some());
            let after = outlooks(&planner, &grid);
            assert!(after == outlooks(&fresh, &grid), "{moves}, batch {batch}");
            changed += usize::from(after != before);
            before = after;
            for (start, goal) in generate::queries(&grid, 25, random.next_u64()) {
                let query = Query::new(start, goal);
                let repaired = walk_bounded(&planner, &grid, &query, &mut scratch);
                assert_eq!(walk_bounded(&fresh, &grid, &query, &mut scratch), repaired);
            }
        }
    }
    assert!(changed > 10 && late > 3, "{changed} {late}");
}

/// From a map with a matrix to one with sixteen times as many regions, the work of a query grows
/// like the length of its walk; over all regions it would grow like the area. Walks bound to gates
/// are a little longer.
#[test]
fn the_work_of_a_query_grows_like_its_length() {
    let mut scratch = Scratch::new();
    for make in [|side| generate::caves(side, side, 7), |side| generate::rooms(side, side, 6, 7)] {
        let mut total = |planner: &Driver<DbaStar>, grid: &Grid| {
            let (mut work, mut length) = (0.0, 0.0);
            for (start, goal) in generate::queries(grid, 80, 3) {
                let query = Query::new(start, goal);
                let (status, cost) = walk(planner, grid, &query, &mut scratch);
                assert_eq!(status, Status::Found);
                (work, length) = (work + scratch.stats().expanded as f64, length + cost);
            }
            (work, length)
        };
        let small: Grid = make(160).unwrap();
        let planner = made(&small, Moves::EIGHT, settings((5, 5), 2));
        assert!(planner.method().matrix.is_some());
        let (work, length) = total(&planner, &small);
        let large: Grid = make(640).unwrap();
        let mut planner = made(&large, Moves::EIGHT, settings((5, 5), 2));
        assert!(planner.method().matrix.is_none() && planner.method().tiles.is_some());
        let (tiled_work, tiled_length) = total(&planner, &large);
        let growth = |(more, longer): (f64, f64)| more / work / (longer / length);
        assert!(tiled_length > 3.0 * length, "{tiled_length} {length}");
        let by_tiles = growth((tiled_work, tiled_length));
        planner.method_mut().tiles = None;
        let (all_work, all_length) = total(&planner, &large);
        let by_regions = growth((all_work, all_length));
        assert!(by_tiles < 1.5 && by_regions > 1.5, "{by_tiles} {by_regions}");
        assert!(tiled_length < 1.05 * all_length, "{tiled_length} {all_length}");
    }
}

/// Patches, thousands of single cells and edits in between, with queries that make some of what was
/// put off: at any time the planner answers and saves what a new one does.
#[test]
fn what_a_large_change_puts_off_is_made_when_asked_for() {
    let mut random = Random::new(27);
    let mut scratch = Scratch::new();
    let (mut all, mut some, mut repaired) = (0, 0, 0);
    for round in 0..12 {
        let (width, height) = (230, 210);
        let mut grid = generate::caves(width, height, round).unwrap();
        let moves = [Moves::EIGHT, Moves::FOUR, Moves::EIGHT_CUT_ANY][round as usize % 3];
        let settings = DbaSettings { matrix: false, ..settings((8, 7), 1 + round as u32 % 3) };
        let mut planner = made(&grid, moves, settings);
        let batches = 4 * 4;
        for _ in 0..8 {
            let at = (random.below(130) as u32, random.below(120) as u32);
            let before = planner.method().paths.open_batches();
            match random.below(5) {
                0 => {
                    let share = random.below(60);
                    let rect = Rect::new(at.0, at.1, 90, 40);
                    grid.patch(rect, |_| !random.chance(share, 100)).unwrap();
                }
                1 => {
                    // More than the map keeps a list of.
                    for _ in 0..5000 {
                        let cell = Cell::new(
                            random.below(width.into()) as u32,
                            random.below(height.into()) as u32,
                        );
                        let tile = if random.chance(1, 3) { Tile::Blocked } else { Tile::Free };
                        grid.set(cell, tile).unwrap();
                    }
                }
                _ => {
                    for by in 0..3 {
                        let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
                        grid.set((at.0 + by, at.1 + by), tile).unwrap();
                    }
                    repaired += usize::from(before > 0);
                }
            }
            planner.update(&grid).unwrap();
            let open = planner.method().paths.open_batches();
            all += usize::from(open == batches);
            some += usize::from(open > 0 && open < batches);
            let fresh = made(&grid, moves, settings);
            for (start, goal) in generate::queries(&grid, 2, random.next_u64()) {
                let query = Query::new(start, goal);
                let late = walk_bounded(&planner, &grid, &query, &mut scratch);
                assert_eq!(late, walk_bounded(&fresh, &grid, &query, &mut scratch));
            }
            if random.chance(1, 4) {
                assert_eq!(picture(&planner), picture(&fresh));
                assert_eq!(planner.save(), fresh.save());
                assert_eq!(planner.method().paths.open_batches(), 0);
            }
        }
    }
    assert!(all > 5 && some > 20 && repaired > 15, "{all} {some} {repaired}");
}
