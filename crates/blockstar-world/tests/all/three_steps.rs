//! Quick, full and splice: never farther than quick and full together, and an answer at once.

use crate::support::Judge;
use blockstar::random::Random;
use blockstar::{Algorithm, Cell, Grid, Moves, Path, Planner, Query, Scratch};
use blockstar_world::{Order, Settings, Spawn, TickBudget, World};

fn length(cells: &[Cell]) -> f64 {
    cells.windows(2).map(|pair| pair[0].centre().distance(pair[1].centre())).sum()
}

/// What a unit walks that goes the quick path to its end and then the full one.
fn without_splice(grid: &Grid, start: Cell, goal: Cell, settings: &Settings) -> Option<f64> {
    let astar = Algorithm::named("astar").unwrap().prepare(grid, Moves::EIGHT).unwrap();
    let mut scratch = Scratch::new();
    let query = Query::new(start, goal).max_expansions(settings.quick_expansions.into()).partial();
    let status = astar.find(grid, &query, &mut scratch).unwrap();
    let quick: Vec<Cell> = scratch.path().cells().collect();
    let whole = status.has_path();
    let cut =
        if whole { quick.len() } else { quick.len().min(usize::from(settings.quick_cells) + 1) };
    let end = *quick[..cut].last()?;
    let rest = match whole {
        true => 0.0,
        false => {
            astar.find(grid, &Query::new(end, goal), &mut scratch).unwrap();
            scratch.path().cost()
        }
    };
    Some(length(&quick[..cut]) + rest)
}

#[test]
fn a_splice_never_walks_farther() {
    let mut random = Random::new(3);
    let (mut shorter, mut total) = (0, 0);
    for round in 0..60 {
        let grid = match round % 3 {
            0 => blockstar::generate::rooms(90, 70, 11, round).unwrap(),
            1 => blockstar::generate::caves(90, 70, round).unwrap(),
            // Pockets that quick paths run into.
            _ => Grid::from_fn(90, 70, |cell| {
                let (x, y) = (cell.x % 18, cell.y % 14);
                !(x == 12 && (2..12).contains(&y) || (4..12).contains(&x) && (y == 2 || y == 11))
            })
            .unwrap(),
        };
        for (start, goal) in blockstar::generate::queries(&grid, 8, round) {
            // Any budget: the full path comes early, late, or when the unit waits at the end.
            let full = 1 + random.below(60) as u32;
            let budget = TickBudget { full, ..TickBudget::default() };
            let settings = Settings::new().budget(budget);
            let Some(bound) = without_splice(&grid, start, goal, &settings) else { continue };
            let mut world = World::new(&grid, settings).unwrap();
            let unit = world.spawn(Spawn::new(start, 0)).unwrap();
            world.order(unit, Order::go(goal)).unwrap();
            let mut judge = Judge::default();
            let mut walk = vec![start];
            while !judge.arrived.contains_key(&unit) {
                judge.tick(&mut world);
                let cell = world.unit(unit).unwrap().cell();
                if walk.last() != Some(&cell) {
                    walk.push(cell);
                }
                assert!(world.now() < 20_000);
            }
            let path = Path::new(&grid, Moves::EIGHT, walk.iter().copied());
            assert!(path.check(&grid, Moves::EIGHT).is_ok());
            let walked = length(&walk);
            assert!(
                walked <= bound + 1e-6,
                "round {round}: {start} to {goal}, {full} a tick: {walked} of {bound}"
            );
            shorter += u32::from(walked < bound - 1e-6);
            total += 1;
        }
    }
    assert!(shorter * 10 > total, "{shorter} of {total} were spliced shorter");
}

#[test]
fn a_dead_end_is_left_where_the_unit_stands() {
    let grid = Grid::from_ascii(
        "........................................
         .....##############.....................
         ..................#.....................
         ..................#.....................
         ..................#.....................
         .....##############.....................
         ........................................",
    )
    .unwrap();
    let settings = Settings { quick_expansions: 24, ..Settings::new() };
    let mut world = World::new(&grid, settings).unwrap();
    let unit = world.spawn(Spawn::new((6, 3), 0)).unwrap();
    world.order(unit, Order::go((39, 3))).unwrap();
    let mut judge = Judge::default();
    let mut farthest = 0;
    while !judge.arrived.contains_key(&unit) {
        judge.tick(&mut world);
        let cell = world.unit(unit).unwrap().cell();
        if (2..=4).contains(&cell.y) && cell.x < 18 {
            farthest = farthest.max(cell.x);
        }
        assert!(world.now() < 3000);
    }
    assert!(farthest < 10, "{farthest}");
}
