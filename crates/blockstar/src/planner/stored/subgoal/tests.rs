//! The graph against what is said of it.

use super::corners::Ground;
use super::graph::{Graph, Units};
use super::*;
use crate::db::parameters::moves_code;
use crate::db::{self, DatabaseKind, HEADER, Label};
use crate::engine::flood::{Flood, Ground as FloodGround};
use crate::random::Random;
use crate::{Cell, Planner, Query, Scratch, Status, Tile};

fn random_grid(random: &mut Random, width: u32, height: u32, percent: u64) -> Grid {
    Grid::from_fn(width, height, |_| !random.chance(percent, 100)).unwrap()
}

fn toggle(grid: &mut Grid, cell: Cell) {
    let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
    grid.set(cell, tile).unwrap();
}

/// On small maps every pair of cells costs what a flood says.
#[test]
fn every_pair_of_cells_of_small_maps() {
    let mut random = Random::new(1);
    let mut scratch = Scratch::new();
    let mut pairs = 0;
    for round in 0..400 {
        let (width, height) = (1 + random.below(9) as u32, 1 + random.below(9) as u32);
        let percent = 5 + round % 45;
        let grid = random_grid(&mut random, width, height, percent);
        let planner = Driver::new(Subgoals::build(&grid, Moves::EIGHT), &grid, Moves::EIGHT);
        let ground = FloodGround::new(&grid, Moves::EIGHT);
        let mut flood = Flood::default();
        let units = StepCosts::<u64>::units(Moves::EIGHT);
        let cells: Vec<Cell> = (0..width * height)
            .map(|i| Cell::new(i % width, i / width))
            .filter(|&cell| grid.is_free(cell))
            .collect();
        for &start in &cells {
            let mut costs = vec![None; grid.rows().positions()];
            let mut order = Vec::new();
            flood.run(&ground, grid.rows().position(start.x, start.y), |cell| {
                order.push(cell);
                false
            });
            order.iter().for_each(|&cell| costs[cell as usize] = Some(flood.cost(cell)));
            for &goal in &cells {
                let status = planner.find(&grid, &Query::new(start, goal), &mut scratch).unwrap();
                let expected = costs[grid.rows().position(goal.x, goal.y) as usize];
                assert_eq!(status == Status::Found, expected.is_some());
                let Some(expected) = expected else { continue };
                let expected = expected as f64 / units.0 as f64;
                let cost = scratch.path().cost();
                assert!((cost - expected).abs() < 1e-6, "{start} {goal}: {cost} {expected}");
                scratch.path().check(&grid, Moves::EIGHT).unwrap();
                pairs += 1;
            }
        }
    }
    assert!(pairs > 100_000, "{pairs}");
}

fn units() -> Units {
    let (straight, diagonal) = StepCosts::<u32>::units(Moves::EIGHT);
    Units { straight, diagonal }
}

/// The edges of a graph as pairs of cells with class and cost, sorted: numbers do not matter.
fn edges_of(graph: &Graph) -> Vec<(Cell, Cell, scan::Class, u32)> {
    let mut edges = Vec::new();
    for node in graph.nodes.iter().filter(|node| !node.is_none()) {
        for edge in graph.edges(node) {
            let target = graph.node(edge.target());
            edges.push((node.cell().into(), target.cell().into(), edge.class(), edge.cost));
        }
    }
    edges.sort_unstable();
    edges
}

/// Fails unless a repaired planner equals one that is built for its map.
fn expect_equal(method: &Subgoals, grid: &Grid) {
    let fresh = Subgoals::without_lanes(grid, Moves::EIGHT);
    assert_eq!(method.graph.len(), fresh.graph.len());
    assert_eq!(edges_of(&method.graph), edges_of(&fresh.graph));
    for node in &fresh.graph.nodes {
        let number = method.graph.find(&method.ground, node.cell()).unwrap();
        assert_eq!(method.graph.node(number).corners(), node.corners());
        let targets = |graph: &Graph, number: u32| -> Vec<_> {
            let edges = graph.edges(graph.node(number)).iter();
            edges.map(|edge| graph.node(edge.target()).cell()).collect()
        };
        let own = fresh.graph.find(&fresh.ground, node.cell()).unwrap();
        assert_eq!(targets(&method.graph, number), targets(&fresh.graph, own), "in their order");
    }
}

/// Fails unless labels, cut where they are, differ on no edge by more than it costs.
fn expect_labels_fit(method: &Subgoals) {
    let Subgoals { graph, lanes, .. } = method;
    for (number, node) in graph.nodes.iter().enumerate() {
        for edge in graph.edges(node) {
            for lane in 0..lanes::LANES {
                let ends = [number, edge.target() as usize];
                let [a, b] = ends.map(|number| lanes.labels[number].0[lane].min(lanes.cuts[lane]));
                assert!(a.abs_diff(b) <= edge.cost, "lane {lane}: {a} {b} {edge:?}");
            }
        }
    }
}

#[test]
fn edges_lead_both_ways() {
    let mut random = Random::new(5);
    for round in 0..200 {
        let grid = random_grid(&mut random, 12, 11, 5 + round % 40);
        let graph = Graph::build(&Ground::new(&grid), units(), 1);
        let edges = edges_of(&graph);
        for &(from, to, class, cost) in &edges {
            let back = (to, from, (class + 8) % 16, cost);
            assert!(edges.binary_search(&back).is_ok(), "{from:?} {to:?}");
        }
    }
}

#[test]
fn a_repaired_graph_equals_one_that_is_built() {
    let mut random = Random::new(7);
    for round in 0..300 {
        let (width, height) = (1 + random.below(24) as u32, 1 + random.below(24) as u32);
        let mut grid = random_grid(&mut random, width, height, 2 + round % 50);
        let mut planner = Driver::new(Subgoals::build(&grid, Moves::EIGHT), &grid, Moves::EIGHT);
        for _ in 0..120 {
            let cell =
                Cell::new(random.below(width.into()) as u32, random.below(height.into()) as u32);
            toggle(&mut grid, cell);
            planner.update(&grid).unwrap();
            expect_equal(planner.method(), &grid);
            expect_labels_fit(planner.method());
            if random.chance(1, 3) {
                let Subgoals { ground, graph, lanes, refresh, .. } = planner.method_mut();
                refresh.run(
                    ground,
                    graph,
                    lanes,
                    &mut Meter::new(Budget::expansions(random.below(30))),
                );
                expect_labels_fit(planner.method());
            }
        }
    }
}

#[test]
fn what_is_between_two_cells_is_what_a_scan_says() {
    let mut random = Random::new(4);
    for _ in 0..100 {
        let grid = random_grid(&mut random, 15, 15, 15);
        let ground = Ground::new(&grid);
        let graph = Graph::build(&ground, units(), 1);
        for node in &graph.nodes {
            for edge in graph.edges(node) {
                let there = graph.node(edge.target()).cell();
                let seen = scan::Seen::between(node.cell(), there).unwrap();
                assert_eq!((seen.class, units().cost(&seen)), (edge.class(), edge.cost));
            }
        }
    }
}

/// A graph some of whose edges lead where none do, with labels that fit every edge.
fn forge(method: &Subgoals, random: &mut Random) -> Subgoals {
    let mut forged = method.clone();
    let count = forged.graph.nodes.len() as u64;
    forged.lanes.labels.fill(lanes::Line::ZERO);
    for _ in 0..1 + random.below(12) {
        let [from, to] = [random.below(count), random.below(count)].map(|number| number as u32);
        let graph = &mut forged.graph;
        let mut edges = graph.edges(graph.node(from)).to_vec();
        let Some(edge) = file::edge_between(graph, from, to) else { continue };
        if edges.is_empty() || random.chance(1, 2) {
            edges.push(edge);
        } else {
            let at = random.below(edges.len() as u64) as usize;
            edges[at] = edge;
        }
        graph.set_edges(from, &edges);
    }
    forged
}

#[test]
fn a_forged_file_gives_legal_paths_or_errors() {
    let mut random = Random::new(8);
    let mut scratch = Scratch::new();
    let [mut answered, mut blamed] = [0; 2];
    for round in 0..300 {
        let mut grid = random_grid(&mut random, 20, 20, 10 + round % 30);
        let method = Subgoals::build(&grid, Moves::EIGHT);
        let bytes = forge(&method, &mut random).to_bytes(Moves::EIGHT, grid.content_hash());
        let mut planner = Driver::<Subgoals>::open(&bytes, &grid, Moves::EIGHT).unwrap();
        for step in 0..40 {
            let mut cell = || Cell::new(random.below(20) as u32, random.below(20) as u32);
            match planner.find(&grid, &Query::new(cell(), cell()), &mut scratch) {
                Ok(status) if status.has_path() => {
                    scratch.path().check(&grid, Moves::EIGHT).unwrap();
                    answered += 1;
                }
                Ok(_) => {}
                Err(error) => {
                    assert!(error.to_string().contains("forged"), "{error}");
                    blamed += 1;
                }
            }
            if step % 10 == 9 {
                toggle(&mut grid, cell());
                planner.update(&grid).unwrap();
            }
        }
    }
    assert!(answered > 5000 && blamed > 20, "{answered} {blamed}");
}

/// Numbers anywhere in a file, and files cut short.
#[test]
fn a_damaged_file_is_refused_or_right() {
    let mut random = Random::new(9);
    let grid = random_grid(&mut random, 20, 20, 25);
    let bytes = Subgoals::build(&grid, Moves::EIGHT).to_bytes(Moves::EIGHT, grid.content_hash());
    let label = Label {
        kind: DatabaseKind::SubgoalGraph,
        parameters: moves_code(Moves::EIGHT),
        grid: grid.content_hash(),
    };
    let mut refused = 0;
    for _ in 0..2000 {
        let payload = random.damage(&bytes[HEADER..]);
        let opened = Driver::<Subgoals>::open(&db::seal(label, &payload), &grid, Moves::EIGHT);
        refused += u64::from(opened.is_err());
    }
    assert!(refused > 1800, "{refused}");
}

/// What comes out of a file is what was saved, and saves as the same bytes.
#[test]
fn a_saved_graph_is_opened_as_it_was() {
    let mut random = Random::new(10);
    for round in 0..60 {
        let mut grid = random_grid(&mut random, 25, 20, 5 + round % 40);
        let mut planner = Driver::new(Subgoals::build(&grid, Moves::EIGHT), &grid, Moves::EIGHT);
        for _ in 0..round % 4 * 5 {
            toggle(&mut grid, Cell::new(random.below(25) as u32, random.below(20) as u32));
            planner.update(&grid).unwrap();
        }
        let bytes = planner.save().unwrap();
        let opened = Driver::<Subgoals>::open(&bytes, &grid, Moves::EIGHT).unwrap();
        expect_equal(opened.method(), &grid);
        assert_eq!(opened.method().lanes.intact(), planner.method().lanes.intact());
        assert!(opened.save().unwrap() == bytes);
    }
}

/// How thoroughly a run of edits is checked: after how many edits the graph is compared with one that
/// is built, a query with A*, and lanes are made anew for a while.
struct Checks {
    graph: u64,
    query: u64,
    refresh: u64,
}

/// Edits on or beside free ground: what is repaired is what would be built, labels fit, and costs are
/// those of A*. A cell is toggled, or one that was toggled before is put back, so that a map of some
/// kind stays one. Returns how many queries had a path.
fn run_of_edits(kind: &str, grid: &mut Grid, edits: u64, checks: &Checks) -> u64 {
    let mut random = Random::new(21);
    let mut scratch = Scratch::new();
    let mut planner = Driver::new(Subgoals::build(grid, Moves::EIGHT), grid, Moves::EIGHT);
    let cells = u64::from(grid.width()) * u64::from(grid.height());
    let mut toggled = Vec::new();
    let cell = |grid: &Grid, random: &mut Random| {
        let side = |most: u32| random.below(most.into()) as u32;
        let [x, y] = [grid.width(), grid.height()].map(side);
        Cell::new(x, y)
    };
    let (mut done, mut found) = (0, 0);
    while done < edits {
        let at = if toggled.len() as u64 > cells / 16 || random.chance(toggled.len() as u64, cells)
        {
            toggled.swap_remove(random.below(toggled.len() as u64) as usize)
        } else {
            let at = cell(grid, &mut random);
            let (x, y) = (at.x.saturating_sub(1), at.y.saturating_sub(1));
            let mut around = (x..at.x + 2).flat_map(|x| (y..at.y + 2).map(move |y| (x, y)));
            if !around.any(|cell| grid.is_free(cell)) {
                continue;
            }
            toggled.push(at);
            at
        };
        toggle(grid, at);
        planner.update(grid).unwrap();
        done += 1;
        if done % checks.graph == 0 || done == edits {
            expect_equal(planner.method(), grid);
            expect_labels_fit(planner.method());
        }
        if done % checks.query == 0 {
            let mut free = || {
                let mut tries = std::iter::repeat_with(|| cell(grid, &mut random)).take(1000);
                tries.find(|&cell| grid.is_free(cell)).unwrap_or_default()
            };
            let query = Query::new(free(), free());
            let astar = crate::Astar::new(grid, Moves::EIGHT).unwrap();
            let expected = astar.find(grid, &query, &mut scratch);
            let cost = scratch.path().cost();
            let status = planner.find(grid, &query, &mut scratch);
            assert_eq!(status.as_ref().ok(), expected.as_ref().ok(), "{kind} {query:?}");
            if matches!(status, Ok(Status::Found)) {
                assert_eq!(scratch.path().cost(), cost, "{kind} {query:?}");
                scratch.path().check(grid, Moves::EIGHT).unwrap();
                found += 1;
            }
        }
        if done % checks.refresh == 0 {
            let Subgoals { ground, graph, lanes, refresh, .. } = planner.method_mut();
            refresh.run(ground, graph, lanes, &mut Meter::new(Budget::expansions(5000)));
        }
    }
    found
}

/// 1,500 edits of small maps of each kind. If `BLOCKSTAR_SUBGOAL_EDITS` gives another number: so many,
/// and as many of one map of each set in `BLOCKSTAR_MAPS`.
#[test]
fn long_runs_of_edits_on_every_kind_of_map() {
    let given = std::env::var("BLOCKSTAR_SUBGOAL_EDITS").ok();
    let given: Option<u64> = given.map(|count| count.parse().unwrap());
    let checks = Checks { graph: 10, query: 5, refresh: 300 };
    for (kind, mut grid) in [
        ("caves", crate::generate::caves(64, 64, 3).unwrap()),
        ("rooms", crate::generate::rooms(64, 64, 7, 3).unwrap()),
        ("maze", crate::generate::maze(63, 63, 2, 3).unwrap()),
        ("random", crate::generate::random(64, 64, 25.0, 3).unwrap()),
        ("empty", Grid::new(64, 64).unwrap()),
    ] {
        let found = run_of_edits(kind, &mut grid, given.unwrap_or(1500), &checks);
        assert!(found > 40, "{kind}: {found}");
        eprintln!("{kind}: {found} paths");
    }
    let folder = std::env::var_os("BLOCKSTAR_MAPS").filter(|folder| !folder.is_empty());
    let (Some(edits), Some(folder)) = (given, folder) else { return };
    let checks = Checks { graph: 2000, query: 100, refresh: 10_000 };
    for map in [
        "dao/orz900d",
        "rooms/8room_000",
        "mazes/maze512-2-0",
        "random/random512-35-0",
        "sc1/BigGameHunters",
        "bg512/AR0011SR",
    ] {
        let file = std::path::Path::new(&folder).join(format!("{map}.map"));
        let mut grid = crate::format::movingai::parse_map(&std::fs::read(file).unwrap()).unwrap();
        let found = run_of_edits(map, &mut grid, edits, &checks);
        assert!(found > edits / 4000, "{map}: {found}");
        eprintln!("{map}: {found} paths");
    }
}

/// Without lanes, or with lanes that are cut too low, it is jump point search that answers, expansion
/// for expansion.
#[test]
fn without_lanes_jump_point_search_answers() {
    let grid = crate::generate::caves(120, 120, 5).unwrap();
    let jps = crate::Jps::new(&grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    let mut ask = |planner: &dyn Planner, query: &Query| {
        planner.find(&grid, query, &mut scratch).unwrap();
        (scratch.path().points().to_vec(), scratch.stats().expanded)
    };
    let without = Subgoals::without_lanes(&grid, Moves::EIGHT);
    let mut cut = Subgoals::build(&grid, Moves::EIGHT);
    let cells = 40;
    cut.lanes.cuts = [cells * cut.graph.units.straight; lanes::LANES];
    let planners = [without, cut].map(|method| Driver::new(method, &grid, Moves::EIGHT));
    let [mut near, mut far] = [0; 2];
    for (start, goal) in crate::generate::queries(&grid, 200, 4) {
        let query = Query::new(start, goal);
        let expected = ask(&jps, &query);
        assert_eq!(ask(&planners[0], &query), expected);
        if start.x.abs_diff(goal.x).max(start.y.abs_diff(goal.y)) > cells {
            assert_eq!(ask(&planners[1], &query), expected);
            far += 1;
        } else {
            near += u64::from(ask(&planners[1], &query) != expected);
        }
    }
    assert!(far > 50 && near > 20, "{far} {near}");
}
