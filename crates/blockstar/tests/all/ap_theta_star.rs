//! Angle-Propagation Theta*: what it takes for visible is visible, and it misses next to nothing.

use crate::support::plane::RULES;
use crate::support::{prepare, random_grid, rounds, rounds_on};
use blockstar::{Algorithm, Grid, Moves, Point, Query, Scratch, Status, generate};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The planner itself asserts, where debug assertions are that the parent sees each neighbour
/// that it takes for visible, with respect to the sides of double corners as well: here on
/// thousands of maps of every density, small ones (many cases near the parent) and larger ones
/// (long intervals, more than a word wide).
#[test]
fn nothing_that_is_taken_for_visible_is_hidden() {
    let mut scratch = Scratch::new();
    let mut found = 0;
    let maps = |round, random: &mut _| {
        let seed = round as u64;
        let map = match round % 20 {
            0 => generate::random(90, 70, [5.0, 15.0, 30.0, 40.0][round / 20 % 4], seed),
            1 => generate::caves(100, 60, seed),
            2 => generate::rooms(140, 30, 9, seed),
            3 => generate::random(150, 150, 0.5, seed),
            _ => Ok(random_grid(random, false)),
        };
        map.unwrap()
    };
    for mut round in rounds_on(81, 4000, maps) {
        for moves in RULES {
            let planner = prepare("ap-theta-star", &round.grid, moves);
            for free in [false, false, true] {
                let query = round.query(moves);
                let corner = |point: Point| Point::new(point.x().round(), point.y().round());
                let corners = Query::new(corner(query.start()), corner(query.goal()));
                let query = if free { query } else { corners };
                if round.on(moves).has_path(&planner, &query, &mut scratch) {
                    let checks = scratch.stats().sight_checks;
                    assert!(free || checks == 0, "{checks} looks between corners");
                    found += 1;
                }
            }
        }
    }
    assert!(found > 12_000, "{found}");
}

/// An entry of the naive open list: the smallest total first.
#[derive(PartialEq)]
struct Entry(f64, usize);

impl Eq for Entry {}
impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

/// Theta* as in the paper, with lines of sight, under the rule that squeezes.
fn theta(grid: &Grid, start: (u32, u32), goal: (u32, u32)) -> f64 {
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let width = grid.width() as usize + 1;
    let point = |node: usize| Point::new((node % width) as f64, (node / width) as f64);
    let id = |(x, y): (u32, u32)| y as usize * width + x as usize;
    let (start, goal) = (id(start), id(goal));
    let count = width * (grid.height() as usize + 1);
    let (mut g, mut parent) = (vec![f64::INFINITY; count], vec![start; count]);
    let mut closed = vec![false; count];
    let mut open = BinaryHeap::from([Entry(0.0, start)]);
    g[start] = 0.0;
    while let Some(Entry(_, node)) = open.pop() {
        if node == goal {
            return g[goal];
        }
        if std::mem::replace(&mut closed[node], true) {
            continue;
        }
        let (x, y) = ((node % width) as i64, (node / width) as i64);
        for (nx, ny) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy))) {
            let on_map = nx >= 0 && ny >= 0 && nx < width as i64 && ny <= grid.height().into();
            if !on_map || (nx, ny) == (x, y) {
                continue;
            }
            let next = ny as usize * width + nx as usize;
            if closed[next] || !grid.line_of_sight(point(node), point(next), moves) {
                continue;
            }
            let seen = grid.line_of_sight(point(parent[node]), point(next), moves);
            let from = if seen { parent[node] } else { node };
            let cost = g[from] + point(from).distance(point(next));
            if cost < g[next] {
                (g[next], parent[next]) = (cost, from);
                open.push(Entry(cost + point(next).distance(point(goal)), next));
            }
        }
    }
    f64::INFINITY
}

/// The published difference is 0.02 % (578.51 against 578.41); on these maps it is at most 0.02 %.
#[test]
fn paths_are_as_long_as_those_of_theta_star() {
    let moves = Moves::ANY_ANGLE_SQUEEZE;
    let mut scratch = Scratch::new();
    let maps = [
        generate::random(120, 120, 10.0, 1).unwrap(),
        generate::random(120, 120, 20.0, 2).unwrap(),
        generate::random(120, 120, 35.0, 3).unwrap(),
        generate::caves(150, 120, 4).unwrap(),
        generate::rooms(120, 100, 11, 5).unwrap(),
    ];
    for (index, grid) in maps.iter().enumerate() {
        let planner = prepare("ap-theta-star", grid, moves);
        let (mut by_angles, mut by_sight) = (0.0, 0.0);
        for (start, goal) in generate::queries(grid, 60, 6) {
            let query = Query::between_corners(start, goal);
            let status = planner.find(grid, &query, &mut scratch).unwrap();
            assert_eq!(status, Status::Found);
            by_angles += scratch.path().cost();
            by_sight += theta(grid, (start.x, start.y), (goal.x, goal.y));
        }
        let ratio = by_angles / by_sight;
        println!("map {index}: {ratio:.6}");
        assert!((ratio - 1.0).abs() < 0.001, "map {index}: {ratio}");
    }
}

#[test]
fn on_open_ground_the_path_is_one_segment() {
    let grid = Grid::new(80, 60).unwrap();
    let mut scratch = Scratch::new();
    for moves in RULES {
        let planner = prepare("ap-theta-star", &grid, moves);
        for (x, y) in [(80, 60), (80, 0), (79, 1), (1, 60), (41, 40), (0, 60)] {
            let query = Query::new(Point::new(0.0, 0.0), Point::new(f64::from(x), f64::from(y)));
            assert_eq!(planner.find(&grid, &query, &mut scratch), Ok(Status::Found));
            assert_eq!(scratch.path().points().len(), 2, "({x}, {y})");
        }
    }
}

/// A limit of exactly the cost of the path changes nothing.
#[test]
fn a_limit_that_the_path_meets_is_kept() {
    let mut scratch = Scratch::new();
    for mut round in rounds(82, 300) {
        for moves in RULES {
            let planner = prepare("ap-theta-star", &round.grid, moves);
            let query = if round.number % 2 == 0 { round.query(moves) } else { round.cell_query() };
            round.on(moves).has_path_at_its_cost(&planner, &query, &mut scratch);
        }
    }
}

#[test]
fn terrain_is_refused() {
    let mut grid = Grid::new(4, 4).unwrap();
    grid.set_cost((1, 1), 2.0).unwrap();
    let spec = Algorithm::named("ap-theta-star").unwrap();
    let error = spec.prepare(&grid, Moves::ANY_ANGLE).err().unwrap();
    assert!(error.to_string().contains("field-d-star"), "{error}");
}
