//! Regions, paths and hops against their definitions; forged files.

use super::*;
use crate::random::Random;
use crate::{Cell, DistanceMap, Planner, Query, Rule, Scratch, Status, Tile};

fn moves(round: usize) -> Moves {
    Moves::new(Rule::CELLS[round % 4])
}

fn random_grid(random: &mut Random) -> Grid {
    random.map((18, 18), 50)
}

fn cells(grid: &Grid) -> Vec<(Cell, u32)> {
    (0..grid.height())
        .flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_free(cell))
        .map(|cell| (cell, grid.rows().position(cell.x, cell.y)))
        .collect()
}

/// Coverage is total; every cell can be climbed to from its representative and back, within the
/// cut-off and inside the region; base paths are optimal and hops arrive.
#[test]
fn everything_that_walking_rests_on_holds() {
    let mut random = Random::new(31);
    let mut pairs = 0;
    for round in 0..1500 {
        let (grid, moves) = (random_grid(&mut random), moves(round));
        let settings = HcdpsSettings {
            depth: 1 + round as u32 % 3,
            cut_off: [1, 3, 8, 64][round / 4 % 4],
            ..HcdpsSettings::default()
        };
        let planner = HcdpsPlanner::build(&grid, moves, settings).unwrap();
        pairs += check(&planner, &grid);
    }
    assert!(pairs > 100_000, "{pairs}");
}

/// Tries everything that walking relies on. Returns the number of pairs of regions.
fn check(planner: &HcdpsPlanner, grid: &Grid) -> usize {
    let (moves, settings) = (planner.moves(), planner.method().settings);
    let climber = Climber::new(grid, moves);
    let Data { representatives, map, paths, hops } = &planner.method().data;
    for (cell, node) in cells(grid) {
        let region = map.region(cell);
        let own = representatives[region as usize];
        for (from, to) in [(node, own), (own, node)] {
            let arrives = climber.climb(from, to, settings.cut_off, |node| {
                assert_eq!(map.region(Cell::from(grid.rows().coordinates(node))), region);
            });
            assert!(arrives.is_some());
        }
    }
    let count = representatives.len();
    let cell = |region: usize| Cell::from(grid.rows().coordinates(representatives[region]));
    let alive: Vec<usize> = (0..count).filter(|&region| representatives[region] != NONE).collect();
    let mut pairs = 0;
    for &source in &alive {
        assert_eq!(map.region(cell(source)) as usize, source);
        let distances = DistanceMap::new(grid, moves, [cell(source)]).unwrap();
        for path in paths.from(source as u32) {
            let end = paths.ends[path] as usize;
            let (mut at, mut cost) = (representatives[source], 0);
            for &subgoal in paths.subgoals(path).iter().chain([&representatives[end]]) {
                cost += climber.reaches(at, subgoal, settings.cut_off).unwrap();
                at = subgoal;
            }
            let best = distances.distance(grid, cell(end)).unwrap().unwrap();
            let (straight, _) = StepCosts::<u32>::units(moves);
            assert!((f64::from(cost) / f64::from(straight) - best).abs() < 1e-4 * best);
            let (straight, _) = StepCosts::<u64>::units(moves);
            let known = planner.method().links.costs[path] as f64 / straight as f64;
            assert!((known - best).abs() < 1e-4 * best, "{known} {best}");
        }
        for &target in alive.iter().filter(|&&target| target != source) {
            if !hops.is_dropped() {
                let hop = hops.get(source * count + target);
                assert_eq!(
                    hop.is_some(),
                    distances.distance(grid, cell(target)).unwrap().is_some()
                );
            }
            pairs += 1;
        }
    }
    if !hops.is_dropped() && alive.len() == count {
        let components = Components::new(grid, moves.rule());
        assert!(planner.method().data.hops_arrive(|a, b| components.connected(cell(a), cell(b))));
    }
    pairs
}

/// After each of thousands of edits, everything that walking relies on holds as if it had just been
/// built: climbs, costs, and which regions have a path. The saved file opens, and is complete.
#[test]
fn what_is_repaired_is_as_sound_as_what_is_made() {
    let mut random = Random::new(33);
    let (mut repaired, mut gone) = (0, 0);
    for round in 0..700 {
        let (mut grid, moves) = (random_grid(&mut random), moves(round));
        let settings = HcdpsSettings {
            depth: 1 + round as u32 % 3,
            cut_off: [2, 8, 64][round / 4 % 3],
            ..HcdpsSettings::default()
        };
        let mut planner = HcdpsPlanner::build(&grid, moves, settings).unwrap();
        for edit in 0..12 {
            for _ in 0..1 + random.below(3) {
                let cell = Cell::new(
                    random.below(grid.width().into()) as u32,
                    random.below(grid.height().into()) as u32,
                );
                // Preferably representatives.
                let reps = &planner.method().data.representatives;
                let some = reps.get(random.below(reps.len().max(1) as u64) as usize);
                let cell = match some {
                    Some(&node) if node != NONE && random.chance(1, 4) => {
                        Cell::from(grid.rows().coordinates(node))
                    }
                    _ => cell,
                };
                let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                grid.set(cell, tile).unwrap();
            }
            planner.update(&grid).unwrap();
            check(&planner, &grid);
            repaired += usize::from(planner.method().data.hops.is_dropped());
            let reps = &planner.method().data.representatives;
            gone += usize::from(reps.contains(&NONE));
            let fresh = Links::of(&planner.method().data, &grid, moves);
            assert_eq!(planner.method().links.costs, fresh.costs);
            assert_eq!(planner.method().links.neighbours(), fresh.neighbours());
            let mut rings = paths::Rings::default();
            for region in 0..reps.len() as u32 {
                let wanted = rings.around(fresh.neighbours(), region, settings.depth);
                let ends =
                    &planner.method().data.paths.ends[planner.method().data.paths.from(region)];
                assert_eq!(ends, wanted, "region {region}");
            }
            if edit % 4 == 3 {
                let opened = HcdpsPlanner::open(&planner.save().unwrap(), &grid, moves).unwrap();
                check(&opened, &grid);
                assert_eq!(opened.method().data.regions(), planner.method().data.regions());
            }
        }
    }
    assert!(repaired > 5000 && gone > 300, "{repaired} {gone}");
}

/// Forged payloads with a correct checksum are refused, or as good as a real one.
#[test]
fn forged_databases_are_refused_or_sound() {
    let (mut random, mut scratch) = (Random::new(32), Scratch::new());
    let (mut refused, mut opened) = (0, 0);
    for round in 0..150 {
        let (grid, moves) = (random_grid(&mut random), moves(round));
        let settings = HcdpsSettings { depth: 1, cut_off: 8, ..HcdpsSettings::default() };
        let planner = HcdpsPlanner::build(&grid, moves, settings).unwrap();
        let payload = planner.method().data.write();
        for _ in 0..40 {
            let mut forged = payload.clone();
            if random.chance(1, 4) {
                forged = random.damage(&forged);
            } else {
                let at = random.below(forged.len() as u64) as usize;
                forged[at] = random.next_u64() as u8;
            }
            let forged = db::seal(label(grid.content_hash(), moves, settings), &forged);
            let Ok(planner) = HcdpsPlanner::open(&forged, &grid, moves) else {
                refused += 1;
                continue;
            };
            opened += 1;
            for _ in 0..4 {
                let all = cells(&grid);
                let mut cell = || all[random.below(all.len() as u64) as usize].0;
                if all.is_empty() {
                    break;
                }
                let query = Query::new(cell(), cell());
                let status = planner.find(&grid, &query, &mut scratch).unwrap();
                assert!(matches!(status, Status::Found | Status::NoPath));
                if status == Status::Found {
                    scratch.path().check(&grid, moves).unwrap();
                }
            }
        }
    }
    assert!(refused > 2000 && opened > 100, "{refused} {opened}");
}

#[test]
fn a_map_of_nothing_and_a_map_of_one_cell_are_no_trouble() {
    let mut grid = Grid::new(3, 3).unwrap();
    for tile in [Tile::Free, Tile::Blocked] {
        (0..9).for_each(|i| grid.set((i % 3, i / 3), tile).unwrap());
        let planner = HcdpsPlanner::build(&grid, Moves::EIGHT, HcdpsSettings::default()).unwrap();
        assert_eq!(planner.method().data.regions(), usize::from(tile == Tile::Free));
        let bytes = planner.save().unwrap();
        assert_eq!(
            HcdpsPlanner::open(&bytes, &grid, Moves::EIGHT).unwrap().method().data,
            planner.method().data
        );
    }
}
