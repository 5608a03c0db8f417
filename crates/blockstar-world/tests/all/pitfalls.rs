//! What goes wrong in other games, one test for each.

use crate::support::{Judge, open_world, put, send, world};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Rect, Tile};
use blockstar_world::{
    Class, Edit, Event, Formation, Goal, Order, Pace, Settings, Spawn, State, Stepping, TickBudget,
    UnderUnit, UnitId, World,
};
use std::collections::BTreeSet;

/// Two groups that have to pass each other in a corridor.
fn head_on(width: u32, length: u32, each: u32, bay: bool) -> (bool, u64, u64) {
    let room = 8;
    let total = 2 * room + length;
    let grid = Grid::from_fn(total, 8, |cell| {
        let inside = (room..room + length).contains(&cell.x);
        let corridor = (3..3 + width).contains(&cell.y);
        let in_bay = bay && cell.x == room + length / 2 && cell.y == 3 + width;
        !inside || corridor || in_bay
    })
    .unwrap();
    let mut world = World::new(&grid, Settings::new()).unwrap();
    let left = put(&mut world, (0..each).map(|i| (i % 6, i / 6)));
    let right = put(&mut world, (0..each).map(|i| (total - 1 - i % 6, i / 6)));
    world.order(left.clone(), Order::go((total - 4, 5))).unwrap();
    world.order(right.clone(), Order::go((3, 5))).unwrap();
    let mut judge = Judge::default();
    let all = [left, right].concat();
    let bound = 8 * 30 / 4 * u64::from(length + room + 2 * each);
    let done = judge.run(&mut world, &all, bound);
    (done, world.now(), bound)
}

#[test]
fn head_on_in_a_corridor() {
    for width in 1..=4 {
        for (each, length) in [(1, 12), (4, 16), (12, 20)] {
            for bay in [false, true] {
                let (done, now, bound) = head_on(width, length, each, bay);
                assert!(done, "width {width}, {each} each, bay {bay}: {now} of {bound} ticks");
            }
        }
    }
}

#[test]
fn livelock_is_noticed() {
    // A crowd through a door, and one that can never pass.
    let mut world = world(
        "..........#..........
         ..........#..........
         .....................
         ..........#..........
         ..........#..........",
        Settings::new(),
    );
    let rock = put(&mut world, [(10, 2)])[0];
    world.order(rock, Order::Hold).unwrap();
    let units = put(&mut world, (0..12).map(|i| (i % 4, i / 4)));
    world.order(units.clone(), Order::go((18, 2))).unwrap();
    let mut judge = Judge::default();
    let mut best = vec![(f64::INFINITY, 0_u64); units.len()];
    let mut blocked = BTreeSet::new();
    for _ in 0..900 {
        judge.tick(&mut world);
        for (_, event) in &judge.events {
            if let Event::Blocked(unit, _) = event {
                blocked.insert(*unit);
            }
        }
        for (unit, best) in units.iter().zip(&mut best) {
            let view = world.unit(*unit).unwrap();
            let Some(left) = view.distance_left() else { continue };
            if left < best.0 {
                *best = (left, world.now());
            }
            let waited = world.now() - best.1;
            let said = blocked.contains(unit)
                || matches!(view.state(), State::Stuck { .. } | State::Waiting);
            assert!(waited < 90 || said, "{unit} at {} for {waited} ticks", view.cell());
        }
    }
    // The rock goes away, and all get through.
    world.order(rock, Order::go((18, 4))).unwrap();
    assert!(judge.run(&mut world, &units, 12_000), "{}", judge.arrived.len());
}

#[test]
fn rotation_and_swap_deadlock() {
    // A ring that is full but for one cell, everybody to the opposite side.
    let ring: Vec<(u32, u32)> = {
        let mut cells: Vec<(u32, u32)> = (0..6).map(|x| (x, 0)).collect();
        cells.extend((1..6).map(|y| (5, y)));
        cells.extend((0..5).rev().map(|x| (x, 5)));
        cells.extend((1..5).rev().map(|y| (0, y)));
        cells
    };
    let drawing = "......\n.####.\n.####.\n.####.\n.####.\n......";
    for holes in [0, 1] {
        let mut world = world(drawing, Settings::new().moves(Moves::FOUR));
        let units = put(&mut world, ring[..ring.len() - holes].iter().copied());
        for (index, &unit) in units.iter().enumerate() {
            let goal = ring[(index + 3) % ring.len()];
            world.order(unit, Order::go(goal)).unwrap();
        }
        let mut judge = Judge::default();
        assert!(judge.run(&mut world, &units, 4000), "{holes} holes: {}", judge.arrived.len());
    }
}

#[test]
fn rooms_that_only_rotation_solves() {
    // A room of 3 x 3 with one free cell, and 97 % of a square.
    let mut world = open_world(3, 3, Settings::new().moves(Moves::FOUR));
    let cells: Vec<(u32, u32)> = (0..8).map(|i| (i % 3, i / 3)).collect();
    let units = put(&mut world, cells.iter().copied());
    for (index, &unit) in units.iter().enumerate() {
        world.order(unit, Order::go(cells[(index + 1) % 8])).unwrap();
    }
    let mut judge = Judge::default();
    assert!(judge.run(&mut world, &units, 3000), "{}", judge.arrived.len());

    let mut world = open_world(32, 32, Settings::new());
    let mut cells: Vec<(u32, u32)> = (0..1024).map(|i| (i % 32, i / 32)).collect();
    Random::new(4).shuffle(&mut cells);
    let units = put(&mut world, cells[..993].iter().copied());
    // Everybody a few cells to the right: the whole square has to turn.
    for (index, &unit) in units.iter().enumerate() {
        let (x, y) = cells[index];
        world.order(unit, Order::go(((x + 3) % 32, y))).unwrap();
    }
    let mut judge = Judge::default();
    for _ in 0..2400 {
        judge.tick(&mut world);
    }
    assert!(judge.arrived.len() > 900, "{}", judge.arrived.len());
}

/// Eight units in a room of 3 x 3 cells, in a random order that the one free cell can make: how many
/// are home after a while.
fn puzzle(seed: u64, settings: Settings) -> usize {
    let mut world = open_world(3, 3, settings.moves(Moves::FOUR));
    let mut random = Random::new(seed);
    let (mut tiles, mut hole) = ((0..9).collect::<Vec<u32>>(), 8_usize);
    for _ in 0..200 {
        let next = random.below(9) as usize;
        if (hole % 3).abs_diff(next % 3) + (hole / 3).abs_diff(next / 3) == 1 {
            tiles.swap(hole, next);
            hole = next;
        }
    }
    let cells: Vec<usize> = (0..9).filter(|&at| tiles[at] != 8).collect();
    let units = put(&mut world, cells.iter().map(|&at| (at as u32 % 3, at as u32 / 3)));
    for (&unit, &at) in units.iter().zip(&cells) {
        world.order(unit, Order::go((tiles[at] % 3, tiles[at] / 3))).unwrap();
    }
    let mut judge = Judge::default();
    let mut home = 0;
    while home < 8 && world.now() < 12_000 {
        judge.tick(&mut world);
        let there = |(&unit, &at): (&UnitId, &usize)| {
            world.unit(unit).unwrap().cell() == Cell::new(tiles[at] % 3, tiles[at] / 3)
        };
        home = units.iter().zip(&cells).filter(|&pair| there(pair)).count();
    }
    println!("puzzle {seed}: {home} home after {} ticks", world.now());
    home
}

#[test]
fn puzzles_of_eight() {
    for seed in 0..12 {
        assert_eq!(puzzle(seed, Settings::new()), 8, "puzzle {seed}");
    }
}

/// Six units in a maze of single cells, each with a goal of its own: whether all are there at once
/// within some time.
fn tangle(seed: u64, settings: Settings) -> bool {
    let mut random = Random::new(seed);
    let grid = crate::crowd_pitfalls::maze(7, &mut random);
    let mut cells: Vec<Cell> =
        Rect::new(0, 0, 7, 7).cells().filter(|&cell| grid.is_free(cell)).collect();
    random.shuffle(&mut cells);
    let starts = cells[..6].to_vec();
    random.shuffle(&mut cells);
    let mut world = World::new(&grid, settings.moves(Moves::FOUR)).unwrap();
    let units = put(&mut world, starts.into_iter().map(|cell| (cell.x, cell.y)));
    for (&unit, &goal) in units.iter().zip(&cells) {
        world.order(unit, Order::go(goal)).unwrap();
    }
    let mut judge = Judge::default();
    (0..6000).any(|_| {
        judge.tick(&mut world);
        units.iter().zip(&cells).all(|(&unit, &goal)| world.unit(unit).unwrap().cell() == goal)
    })
}

#[test]
fn tangles_that_only_the_jam_solver_parts() {
    let alone = Settings { most_jammed: 0, ..Settings::new() };
    let seeds = [3, 4, 6, 8, 14, 15, 17, 18, 24, 25, 26, 27];
    let parted: Vec<u64> =
        seeds.into_iter().filter(|&seed| tangle(seed, Settings::new())).collect();
    let by_steps: Vec<u64> =
        seeds.into_iter().filter(|&seed| tangle(seed, alone.clone())).collect();
    println!("{parted:?} with the jam solver, {by_steps:?} without");
    assert!(parted.len() >= 9 && by_steps.len() <= 1, "{parted:?}, without {by_steps:?}");
}

#[test]
fn starvation() {
    // A player who clicks for ever must not keep a lone search from its turn.
    let budget = TickBudget { quick: 64, full: 40, repair: 40, fields: 200, steps: 64 };
    let grid = blockstar::generate::caves(120, 90, 3).unwrap();
    let mut world = World::new(&grid, Settings::new().budget(budget)).unwrap();
    let pairs = blockstar::generate::queries(&grid, 40, 5);
    let mut taken = BTreeSet::new();
    let mut units = Vec::new();
    for (start, _) in &pairs {
        if taken.insert(*start) {
            units.push(world.spawn(Spawn::new(*start, 0)).unwrap());
        }
    }
    let lone = units[0];
    let goal = pairs[1].1;
    world.order(lone, Order::go(goal)).unwrap();
    let mut judge = Judge::default();
    let mut oldest = 0;
    for tick in 0..1500_usize {
        let clicked = units[1 + tick % (units.len() - 1)];
        let _ = world.order(clicked, Order::go(pairs[tick % pairs.len()].1));
        judge.tick(&mut world);
        oldest = oldest.max(world.stats().oldest);
    }
    assert!(oldest < 400, "a search waited {oldest} ticks");
    assert!(
        judge.events.iter().any(|(tick, event)| {
            *tick < 600 && matches!(event, Event::PathChanged(unit, _) if *unit == lone)
        }) || judge.arrived.contains_key(&lone)
    );
}

#[test]
fn starvation_at_one_expansion_a_tick() {
    let least = TickBudget { quick: 1, full: 1, repair: 1, fields: 1, steps: 1 };
    for stepping in [Stepping::Cells, Stepping::Plane, Stepping::Ghost] {
        let grid = blockstar::generate::caves(40, 30, 5).unwrap();
        let mut world =
            World::new(&grid, Settings::new().budget(least).stepping(stepping)).unwrap();
        let mut units = Vec::new();
        for (start, goal) in blockstar::generate::queries(&grid, 10, 6) {
            if let Ok(unit) = world.spawn(Spawn::new(start, 0)) {
                world.order(unit, Order::go(goal)).unwrap();
                units.push(unit);
            }
        }
        // A group that shares a field, too.
        let free = (0..1200).map(|i| (i % 40, i / 40)).filter(|&cell| grid.is_free(cell));
        let spawned = free.filter_map(|cell| world.spawn(Spawn::new(cell, 0)).ok());
        let group: Vec<UnitId> = spawned.take(8).collect();
        let goal = blockstar::generate::queries(&grid, 1, 9)[0].1;
        world.order(group.clone(), Order::go(goal)).unwrap();
        units.extend(group);
        let mut judge = Judge::default();
        let done = judge.run(&mut world, &units, 40_000);
        assert!(done, "{stepping:?}: {}", judge.arrived.len());
    }
}

#[test]
fn retry_storm() {
    // 2,000 units behind a wall.
    let mut world =
        World::new(&Grid::from_fn(140, 60, |cell| cell.x != 70).unwrap(), Settings::new()).unwrap();
    let units = put(&mut world, (0..2000).map(|i| (i % 40, i / 40)));
    world.order(units.clone(), Order::go((120, 30))).unwrap();
    let mut judge = Judge::default();
    for _ in 0..1800 {
        judge.tick(&mut world);
    }
    // All have said that they cannot, and ask no more.
    let (before, budget) = (judge.events.len(), world.settings().budget.total());
    let mut spent = 0;
    for _ in 0..60 {
        judge.tick(&mut world);
        spent += world.stats().spent.total();
    }
    assert!(spent < 60 * budget / 100, "{spent} of {}", 60 * budget);
    assert!(judge.events.len() - before < 600, "{}", judge.events.len() - before);
    // The door opens, and all leave.
    world.edit(Edit::rect(Rect::new(70, 0, 1, 60), Tile::Free)).unwrap();
    judge.arrived.clear();
    assert!(judge.run(&mut world, &units, 3000), "{} of 2000", judge.arrived.len());
}

#[test]
fn army_takes_the_long_way() {
    // A bridge of two cells, or ten times the way around.
    let grid = Grid::from_fn(120, 120, |cell| {
        !(58..=61).contains(&cell.x) || (4..6).contains(&cell.y) || cell.y > 110
    })
    .unwrap();
    let mut world = World::new(&grid, Settings::new()).unwrap();
    let units = put(&mut world, (0..200).map(|i| (30 + i % 20, i / 20)));
    world.order(units.clone(), Order::go((80, 5))).unwrap();
    let mut judge = Judge::default();
    let mut lost = BTreeSet::new();
    for _ in 0..4000 {
        judge.tick(&mut world);
        for &unit in &units {
            if world.unit(unit).unwrap().cell().y > 60 {
                lost.insert(unit);
            }
        }
        if judge.arrived.len() == units.len() {
            break;
        }
    }
    assert_eq!(judge.arrived.len(), 200, "after {} ticks", world.now());
    assert!(lost.len() < 10, "{} went around", lost.len());
}

#[test]
fn crowded_goal() {
    for stepping in [Stepping::Cells, Stepping::Ghost] {
        let mut world = open_world(120, 90, Settings::new().stepping(stepping));
        let units = put(&mut world, (0..500).map(|i| (i % 25, 20 + i / 25)));
        let mut judge = send(&mut world, &units, (85, 45), 4000);
        assert_eq!(judge.arrived.len(), 500, "{stepping:?}");
        let middle = Cell::new(85, 45).centre();
        let radius =
            world.units().map(|unit| unit.cell().centre().distance(middle)).fold(0.0, f64::max);
        let bound = 1.2 * (500.0 / std::f64::consts::PI).sqrt();
        assert!(radius <= bound, "{stepping:?} {radius} {bound}");
        let cells: BTreeSet<Cell> = world.units().map(|unit| unit.cell()).collect();
        assert_eq!(cells.len(), 500, "two on one cell");
        // The last may still change places with each other for a moment.
        for _ in 0..300 {
            judge.tick(&mut world);
        }
        let before: Vec<Cell> = world.columns().cells().to_vec();
        for _ in 0..200 {
            judge.tick(&mut world);
        }
        assert!(world.columns().cells() == before, "somebody moves after that");
    }
}

#[test]
fn a_cell_in_the_midst_of_a_crowd_is_free_again() {
    // The crowd stands still, so whoever comes later is far from the free cell and stays far.
    let mut world = open_world(60, 40, Settings::new());
    let units = put(&mut world, (0..160).map(|i| (i % 10, 4 + i / 10)));
    let middle = Cell::new(35, 20);
    let mut judge = send(&mut world, &units, (35, 20), 3000);
    assert_eq!(judge.arrived.len(), 160);
    let first = world.occupant(middle).unwrap();
    assert!(world.despawn(first));
    let late = put(&mut world, [(2, 2)]);
    world.order(late.clone(), Order::go(middle)).unwrap();
    assert!(judge.run(&mut world, &late, 600), "{:?}", world.unit(late[0]).unwrap().state());
    // Somebody stands in the middle again.
    for _ in 0..200 {
        judge.tick(&mut world);
    }
    assert!(world.occupant(middle).is_some());
}

#[test]
fn group_partly_cut_off() {
    let mut world = world(
        "..............#.....
         ..............#.....
         ..............#.....
         ..............#.....",
        Settings::new(),
    );
    let units = put(&mut world, [(0, 0), (0, 1), (0, 2), (16, 0), (16, 1)]);
    let group = world.group(&units).unwrap();
    world.order(group, Order::go((18, 3))).unwrap();
    let mut judge = Judge::default();
    for _ in 0..600 {
        judge.tick(&mut world);
    }
    let split = |event: &Event| matches!(event, Event::GroupSplit(of, 3) if *of == group);
    assert_eq!(judge.count(split), 1);
    assert_eq!(judge.count(|event| *event == Event::GroupArrived(group)), 1);
    assert_eq!(judge.arrived.len(), 5);
    let moving = world.units().filter(|unit| matches!(unit.state(), State::Moving(_))).count();
    assert_eq!(moving, 0);
    let last = judge.events.last().unwrap().0;
    assert!(last < 500, "somebody is still at it in tick {last}");
}

#[test]
fn edit_missed_or_everybody_plans_again() {
    let mut random = Random::new(17);
    let grid = blockstar::generate::rooms(120, 100, 12, 2).unwrap();
    let mut world = World::new(&grid, Settings::new()).unwrap();
    let mut units = Vec::new();
    while units.len() < 150 {
        let cell = (random.below(120) as u32, random.below(100) as u32);
        if let Ok(unit) = world.spawn(Spawn::new(cell, 0)) {
            units.push(unit);
        }
    }
    let mut judge = Judge::default();
    let (mut missed, mut found, mut more) = (0, 0, 0);
    for tick in 0..1500 {
        if tick % 40 == 0 {
            for &unit in &units {
                let cell = Cell::new(random.below(120) as u32, random.below(100) as u32);
                let _ = world.order(unit, Order::go(cell));
            }
        }
        judge.tick(&mut world);
        if tick % 3 != 0 {
            continue;
        }
        let rect = Rect::new(random.below(118) as u32, random.below(98) as u32, 2, 1);
        let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
        let before = world.grid(0).unwrap().clone();
        let paths: std::collections::BTreeMap<UnitId, Vec<_>> =
            world.units().map(|unit| (unit.id(), unit.path().collect())).collect();
        let report = world.edit(Edit::rect(rect, tile)).unwrap();
        let by_oracle = cut_by_oracle(&world, &before, &paths, &report.under);
        let events = world.tick().to_vec();
        let told: BTreeSet<UnitId> = events
            .iter()
            .filter_map(|event| match event {
                Event::PathChanged(unit, blockstar_world::Why::Cut) => Some(*unit),
                _ => None,
            })
            .collect();
        judge.look(&world, &report.under);
        missed += by_oracle.difference(&told).count();
        more += told.difference(&by_oracle).count();
        found += by_oracle.len();
        assert!(report.looked_at <= 150);
    }
    assert!(found > 100, "{found}");
    assert_eq!(missed, 0, "of {found}");
    // The piece that a unit is on may be cut behind the next corner of the oracle.
    assert!(more * 10 <= found, "{more} of {found} were told without need");
}

/// The units whose way ahead led through free cells and leads through a wall now, found without the
/// index.
fn cut_by_oracle(
    world: &World,
    before: &Grid,
    paths: &std::collections::BTreeMap<UnitId, Vec<blockstar::Point>>,
    under: &[UnitId],
) -> BTreeSet<UnitId> {
    let (grid, moves) = (world.grid(0).unwrap(), world.settings().moves);
    let mut cut = BTreeSet::new();
    for (unit, points) in paths {
        if points.is_empty() || under.contains(unit) {
            continue;
        }
        let was = blockstar::Path::new(before, moves, points.iter().copied());
        let is = blockstar::Path::new(grid, moves, points.iter().copied());
        if was.still_valid(before) && !is.still_valid(grid) {
            cut.insert(*unit);
        }
    }
    cut
}

#[test]
fn edit_burst() {
    let grid = blockstar::generate::rooms(200, 200, 9, 4).unwrap();
    let budget = TickBudget { quick: 4000, full: 600, repair: 600, fields: 2000, steps: 600 };
    let mut world = World::new(&grid, Settings::new().budget(budget)).unwrap();
    let mut random = Random::new(9);
    let mut doors = 0;
    while doors < 500 {
        let rect = Rect::new(random.below(199) as u32, random.below(199) as u32, 1, 1);
        if grid.is_free((rect.x, rect.y)) {
            world.edit(Edit::AddDoor(rect, 0)).unwrap();
            doors += 1;
        }
    }
    let pairs = blockstar::generate::queries(&grid, 400, 8);
    let mut units = Vec::new();
    for (start, goal) in pairs {
        if let Ok(unit) = world.spawn(Spawn::new(start, 0)) {
            world.order(unit, Order::go(goal)).unwrap();
            units.push(unit);
        }
    }
    let mut judge = Judge::default();
    let mut oldest = 0;
    for tick in 0..900 {
        if tick == 100 || tick == 250 {
            for door in 0..500 {
                world.edit(Edit::door(door, tick == 250)).unwrap();
            }
        }
        judge.tick(&mut world);
        oldest = oldest.max(world.stats().oldest);
    }
    assert!(oldest <= 300, "{oldest}");
}

#[test]
fn unit_in_a_wall() {
    for policy in [UnderUnit::Refuse, UnderUnit::Push, UnderUnit::Crush] {
        let mut world = open_world(40, 40, Settings::new().under_unit(policy));
        let units = put(&mut world, (0..100).map(|i| (15 + i % 10, 15 + i / 10)));
        world.order(units[..50].to_vec(), Order::go((2, 2))).unwrap();
        let mut judge = Judge::default();
        for _ in 0..20 {
            judge.tick(&mut world);
        }
        let report = world.edit(Edit::rect(Rect::new(15, 15, 10, 10), Tile::Blocked)).unwrap();
        judge.look(&world, &report.under);
        assert!(report.under.len() >= 50, "{}", report.under.len());
        assert_eq!(report.refused, policy == UnderUnit::Refuse);
        let left = if policy == UnderUnit::Crush { 100 - report.under.len() } else { 100 };
        assert_eq!(world.len(), left);
        judge.tick(&mut world);
        let displaced = judge.count(|event| matches!(event, Event::Displaced(..)));
        let crushed = judge.count(|event| matches!(event, Event::Crushed(..)));
        let want = match policy {
            UnderUnit::Refuse => (0, 0),
            UnderUnit::Push => (report.under.len(), 0),
            UnderUnit::Crush => (0, report.under.len()),
        };
        assert_eq!((displaced, crushed), want);
        for _ in 0..300 {
            judge.tick(&mut world);
        }
    }
}

#[test]
fn follower_jitter() {
    let grid = blockstar::generate::caves(160, 120, 6).unwrap();
    let pairs = blockstar::generate::queries(&grid, 30, 2);
    let mut ends: Vec<Vec<u64>> = Vec::new();
    for ticks in [10, 30, 60] {
        let mut times = Vec::new();
        for &(start, goal) in &pairs {
            // The full path begins where the quick one ends: next to the unit.
            let settings = Settings { quick_cells: 1, ..Settings::new() }
                .moves(Moves::ANY_ANGLE)
                .stepping(Stepping::Ghost)
                .ticks_per_second(ticks);
            let mut world = World::new(&grid, settings).unwrap();
            let unit = world.spawn(Spawn::new(start, 0)).unwrap();
            world.order(unit, Order::go(goal)).unwrap();
            let mut judge = Judge::default();
            let mut track: Vec<[f32; 2]> = vec![world.columns().positions()[0]];
            while !judge.arrived.contains_key(&unit) && world.now() < 20_000 {
                judge.tick(&mut world);
                let at = world.columns().positions()[0];
                if track.last() != Some(&at) {
                    track.push(at);
                }
            }
            assert!(judge.arrived.contains_key(&unit));
            let length: f64 = track
                .windows(2)
                .map(|pair| {
                    let (dx, dy) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
                    f64::from(dx * dx + dy * dy).sqrt()
                })
                .sum();
            let mut scratch = blockstar::Scratch::new();
            world.preview(0, start, goal, &mut scratch).unwrap();
            let taut = scratch.path().cost();
            assert!(length <= 1.03 * taut + 2.5, "{start} {goal}: {length} {taut}");
            let reversals = track
                .windows(3)
                .filter(|w| {
                    let (ax, ay) = (w[1][0] - w[0][0], w[1][1] - w[0][1]);
                    let (bx, by) = (w[2][0] - w[1][0], w[2][1] - w[1][1]);
                    ax * bx + ay * by < -1e-6
                })
                .count();
            assert!(reversals <= 1, "{reversals} reversals on {start} {goal}");
            times.push(judge.arrived[&unit] * 60 / u64::from(ticks));
        }
        ends.push(times);
    }
    for index in 0..pairs.len() {
        let of = |ticks: usize| ends[ticks][index];
        assert!(of(0).abs_diff(of(2)) <= 20 && of(1).abs_diff(of(2)) <= 20, "{:?}", pairs[index]);
    }
}

#[test]
fn target_set_again_each_frame() {
    let mut world = open_world(100, 100, Settings::new());
    let leader = put(&mut world, [(50, 50)])[0];
    let stops = vec![Goal::Cell(Cell::new(90, 50)), Goal::Cell(Cell::new(50, 50))];
    world.order(leader, Order::Patrol { stops, cycle: true }).unwrap();
    let followers = put(&mut world, (0..1000).map(|i| (i % 40, i / 40)));
    let mut judge = Judge::default();
    let (mut plans, ticks) = (0, 120);
    for _ in 0..ticks {
        for &unit in &followers {
            world.order(unit, Order::Follow { whom: leader, min: 1, max: 4 }).unwrap();
        }
        judge.tick(&mut world);
        plans += world.stats().quick_paths + world.stats().plans;
    }
    // A quick path and a full one for each plan.
    assert!(plans <= 2 * 1000 * (ticks / 30 + 1), "{plans}");
    let mut lone = open_world(60, 9, Settings::new());
    let unit = put(&mut lone, [(1, 4)])[0];
    let mut plans = 0;
    for _ in 0..200 {
        lone.order(unit, Order::go((50, 4))).unwrap();
        lone.tick();
        plans += lone.stats().quick_paths + lone.stats().plans;
    }
    assert!(plans <= 3, "the same goal is no new one: {plans}");
}

#[test]
fn formation_waltz() {
    let mut world = open_world(90, 60, Settings::new());
    let units = put(&mut world, (0..25).map(|i| (20 + i % 5, 28 + i / 5)));
    let group = world.group(&units).unwrap();
    let march = |to: (u32, u32)| Order::Move {
        to: to.into(),
        formation: Some(Formation::Square),
        pace: Pace::Slowest,
    };
    for to in [(60, 30), (20, 30)] {
        let from: Vec<Cell> = units.iter().map(|&unit| world.unit(unit).unwrap().cell()).collect();
        world.order(group, march(to)).unwrap();
        let mut judge = Judge::default();
        assert!(judge.run(&mut world, &units, 3000), "{to:?}: {}", judge.arrived.len());
        let ends: Vec<Cell> = units.iter().map(|&unit| world.unit(unit).unwrap().cell()).collect();
        // A square again, around the goal.
        let (xs, ys): (BTreeSet<u32>, BTreeSet<u32>) =
            (ends.iter().map(|c| c.x).collect(), ends.iter().map(|c| c.y).collect());
        assert_eq!((xs.len(), ys.len()), (5, 5), "{ends:?}");
        assert!(xs.contains(&to.0) && ys.contains(&to.1));
        let mut crossings = 0;
        for a in 0..25 {
            for b in 0..a {
                crossings += u32::from(crosses((from[a], ends[a]), (from[b], ends[b])));
            }
        }
        assert_eq!(crossings, 0, "{to:?}");
        let settled = world.columns().cells().to_vec();
        for _ in 0..60 {
            judge.tick(&mut world);
        }
        assert_eq!(world.columns().cells(), settled);
    }
    // Through a gap of two cells, and in order again behind it.
    world.edit(Edit::rect(Rect::new(40, 0, 1, 60), Tile::Blocked)).unwrap();
    world.edit(Edit::rect(Rect::new(40, 30, 1, 2), Tile::Free)).unwrap();
    world.order(group, march((62, 30))).unwrap();
    let mut judge = Judge::default();
    assert!(judge.run(&mut world, &units, 4000), "{}", judge.arrived.len());
    // Who has made room for another goes back to its place.
    for _ in 0..200 {
        judge.tick(&mut world);
    }
    let cells: Vec<Cell> = units.iter().map(|&unit| world.unit(unit).unwrap().cell()).collect();
    let xs: BTreeSet<u32> = cells.iter().map(|cell| cell.x).collect();
    let odd: Vec<_> = judge
        .events
        .iter()
        .filter(|(_, event)| !matches!(event, Event::Started(..) | Event::PathChanged(..)))
        .collect();
    assert_eq!(xs.len(), 5, "{cells:?} {odd:?}");
}

/// Whether two segments cross in their inside.
fn crosses(a: (Cell, Cell), b: (Cell, Cell)) -> bool {
    let side = |p: Cell, q: Cell, r: Cell| {
        let v = |a: u32, b: u32| i64::from(b) - i64::from(a);
        (v(p.x, q.x) * v(p.y, r.y) - v(p.y, q.y) * v(p.x, r.x)).signum()
    };
    side(a.0, a.1, b.0) * side(a.0, a.1, b.1) < 0 && side(b.0, b.1, a.0) * side(b.0, b.1, a.1) < 0
}

#[test]
fn abstract_graph_lies() {
    let mut random = Random::new(21);
    let grid = Grid::from_fn(40, 30, |_| random.chance(2, 3)).unwrap();
    let classes = [Class::new("small"), Class::new("large").size(2)];
    let mut world = World::new(&grid, Settings::new().classes(classes)).unwrap();
    for _ in 0..150 {
        let rect = Rect::new(random.below(38) as u32, random.below(28) as u32, 2, 2);
        let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
        world.edit(Edit::rect(rect, tile)).unwrap();
        for class in 0..2 {
            let grid = world.grid(class).unwrap();
            let from = Cell::new(random.below(40) as u32, random.below(30) as u32);
            let mut reached = BTreeSet::new();
            let mut open = vec![from];
            while let Some(cell) = open.pop() {
                if !grid.is_free(cell) || !reached.insert(cell) {
                    continue;
                }
                for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let (x, y) = (cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                    open.push(Cell::new(x, y));
                }
            }
            for cell in Rect::new(0, 0, 40, 30).cells() {
                assert_eq!(world.reachable(class, from, cell), reached.contains(&cell));
            }
        }
    }
}
