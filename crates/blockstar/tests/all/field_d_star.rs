//! Field D*: legal everywhere, near the straight line on open ground, and refracted like light
//! where the terrain changes.

use crate::support::plane::RULES;
use crate::support::{close, on, prepare, rounds_on, rounds_on_terrain};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Point, Query, Scratch};

fn cost(grid: &Grid, start: Point, goal: Point, scratch: &mut Scratch) -> f64 {
    let planner = prepare("field-d-star", grid, Moves::ANY_ANGLE);
    assert!(on(grid, Moves::ANY_ANGLE).has_path(&planner, &Query::new(start, goal), scratch));
    scratch.path().cost()
}

/// The cost of the cheapest free cell.
fn least_cost(grid: &Grid) -> f64 {
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
    cells.filter(|cell| grid.is_free(*cell)).map(|c| grid.cost(c)).fold(f64::INFINITY, f64::min)
}

/// Every path is legal, runs from end to end, costs what it says and not less than is possible, on
/// thousands of maps; and a limit of exactly its cost changes nothing.
#[test]
fn every_path_is_legal() {
    let mut scratch = Scratch::new();
    let mut found = 0;
    for mut round in rounds_on_terrain(91, 4000, 2) {
        let least = least_cost(&round.grid);
        for moves in RULES {
            let planner = prepare("field-d-star", &round.grid, moves);
            for query in [round.query(moves), round.query(moves)] {
                if round.on(moves).has_path_at_its_cost(&planner, &query, &mut scratch) {
                    found += 1;
                    let (path, straight) = (scratch.path(), query.start().distance(query.goal()));
                    assert!(path.cost() >= least * straight - 1e-9, "{path}");
                }
            }
        }
    }
    assert!(found > 8_000, "{found}");
}

/// How far costs in proportion are from the truth is greatest near the start, where the true costs
/// along an edge are most hollow, and a matter of a fraction of a cell in all.
#[test]
fn on_open_ground_the_path_is_nearly_straight() {
    let grid = Grid::new(40, 40).unwrap();
    let mut scratch = Scratch::new();
    let start = Point::new(0.0, 0.0);
    let mut worst = (0.0f64, 0.0f64);
    for y in 0..=40 {
        for x in 0..=40 {
            if (x, y) == (0, 0) {
                continue;
            }
            let goal = Point::new(f64::from(x), f64::from(y));
            let (got, straight) = (cost(&grid, start, goal, &mut scratch), start.distance(goal));
            worst = (worst.0.max(got / straight), worst.1.max(got - straight));
            if x == 0 || y == 0 || x == y {
                assert!(close(got, straight), "({x}, {y}): {got}");
            }
        }
    }
    println!("at worst {:.5} times, {:.4} more", worst.0, worst.1);
    assert!(worst.0 < 1.012 && worst.1 < 0.16, "{worst:?}");
}

/// Two kinds of ground with a straight border: the path breaks there by the law of refraction.
#[test]
fn paths_are_refracted_where_the_terrain_changes() {
    let mut scratch = Scratch::new();
    for (left, right) in [(1.0, 2.0), (1.0, 5.0), (3.0, 1.0), (1.0, 1.25), (2.0, 60.0)] {
        let mut grid = Grid::new(60, 50).unwrap();
        for y in 0..50 {
            for x in 0..60 {
                grid.set_cost((x, y), if x < 30 { left } else { right }).unwrap();
            }
        }
        for (from, to) in [(5.0, 45.0), (0.0, 20.0), (25.0, 26.0), (40.5, 3.25)] {
            let (start, goal) = (Point::new(2.0, from), Point::new(55.0, to));
            // The cost of crossing the border at a height is convex in it.
            let at = |y: f64| {
                let border = |p: Point| ((p.x() - 30.0).powi(2) + (p.y() - y).powi(2)).sqrt();
                left * border(start) + right * border(goal)
            };
            let (mut low, mut high) = (0.0, 50.0);
            for _ in 0..100 {
                let third = (high - low) / 3.0;
                if at(low + third) < at(high - third) {
                    high -= third;
                } else {
                    low += third;
                }
            }
            let best = at(low);
            let got = cost(&grid, start, goal, &mut scratch);
            println!("{left}|{right} {from}->{to}: {:.5} of the optimum", got / best);
            assert!(got >= best * (1.0 - 1e-9) && got <= best * 1.01, "{got} {best}");
        }
    }
}

/// On random terrain, paths cost less than the best ones over corners; so they do in total on maps
/// with walls.
#[test]
fn paths_cost_less_than_over_corners() {
    let mut scratch = Scratch::new();
    for weighted in [false, true] {
        let (mut field, mut lattice, mut dearer, mut count) = (0.0, 0.0, 0, 0);
        let maps = |_, random: &mut Random| {
            let blocked = [0, 10, 25][random.below(3) as usize];
            let mut grid = Grid::from_fn(60, 60, |_| !random.chance(blocked, 100)).unwrap();
            for y in 0..60 * u32::from(weighted) {
                for x in 0..60 {
                    if grid.is_free(Cell::new(x, y)) {
                        grid.set_cost((x, y), 1.0 + random.below(15) as f64).unwrap();
                    }
                }
            }
            grid
        };
        for mut round in rounds_on(92, 150, maps) {
            for moves in RULES {
                let query = round.query(moves);
                let mut cost = |name| round.on(moves).cost_by(name, &query, &mut scratch);
                if let Some(got) = cost("field-d-star") {
                    let over_corners = cost("astar").unwrap();
                    dearer += u32::from(got > over_corners + 1e-6);
                    count += 1;
                    field += got;
                    lattice += over_corners;
                }
            }
        }
        println!("weighted {weighted}: {:.4}, dearer {dearer} of {count}", field / lattice);
        let most = if weighted { 0.993 } else { 0.97 };
        assert!(field < lattice * most && dearer * 50 < count, "{field} {lattice} {dearer}");
    }
}

/// A cheap road beside expensive ground is followed along its edge and left where it pays.
#[test]
fn cheap_edges_are_followed() {
    let mut grid = Grid::new(20, 10).unwrap();
    for y in 0..10 {
        for x in 0..20 {
            grid.set_cost((x, y), if y == 4 { 1.0 } else { 10.0 }).unwrap();
        }
    }
    let mut scratch = Scratch::new();
    // From the upper edge of the road to a corner a cell above it: along, then across at a right
    // angle or nearly so.
    let got = cost(&grid, Point::new(0.0, 4.0), Point::new(19.0, 3.0), &mut scratch);
    let best = 19.0 + (10.0f64 * 10.0 - 1.0).sqrt();
    assert!(got <= best * 1.002 && got >= best - 1e-9, "{got} {best}");
}
