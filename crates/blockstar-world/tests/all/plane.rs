//! Crowds in the plane: discs at any angle that never touch each other or a wall.

use crate::support::{Judge, open_world, put, send, world};
use blockstar::random::Random;
use blockstar::{Cell, Grid, Moves, Rect, Tile};
use blockstar_world::{
    Class, Edit, Error, Order, Settings, Spawn, State, Stepping, UnderUnit, UnitId, World,
};

fn plane() -> Settings {
    Settings::new().stepping(Stepping::Plane)
}

/// Cells on a circle, as evenly as cells can be.
fn circle(count: u32, middle: u32, radius: f64) -> Vec<Cell> {
    let turn = std::f64::consts::TAU / f64::from(count);
    let at = |angle: f64| {
        let side = |v: f64| (f64::from(middle) + radius * v).round() as u32;
        Cell::new(side(angle.cos()), side(angle.sin()))
    };
    (0..count).map(|i| at(turn * f64::from(i))).collect()
}

#[test]
fn a_circle_of_two_hundred_changes_sides() {
    let mut world = open_world(104, 104, plane());
    let cells = circle(200, 52, 48.0);
    let mut units = Vec::new();
    for (index, &cell) in cells.iter().enumerate() {
        let unit = world.spawn(Spawn::new(cell, 0)).unwrap();
        world.order(unit, Order::go(cells[(index + 100) % 200])).unwrap();
        units.push(unit);
    }
    let mut judge = Judge::default();
    // Straight across it is 96 cells, 24 seconds.
    assert!(judge.run(&mut world, &units, 90 * 30), "{} of 200 arrived", judge.arrived.len());
    println!("all arrived after {:.1} seconds", world.now() as f64 / 30.0);
    // The last may have pushed others aside.
    for _ in 0..150 {
        judge.tick(&mut world);
    }
    for (index, &unit) in units.iter().enumerate() {
        assert_eq!(world.unit(unit).unwrap().cell(), cells[(index + 100) % 200]);
    }
}

#[test]
fn a_disc_alone_goes_straight_and_cuts_corners_as_far_as_there_is_room() {
    let mut world = open_world(60, 40, plane());
    let unit = put(&mut world, [(3, 4)])[0];
    let (from, to) = (Cell::new(3, 4), Cell::new(52, 31));
    world.order(unit, Order::go(to)).unwrap();
    let mut judge = Judge::default();
    let mut length = 0.0;
    while !judge.arrived.contains_key(&unit) {
        judge.tick(&mut world);
        let view = world.unit(unit).unwrap();
        let ([ax, ay], [bx, by]) = (view.position(0.0), view.position(1.0));
        length += f64::from(bx - ax).hypot(f64::from(by - ay));
        assert!(world.now() < 1000);
    }
    // It has arrived in the cell, not in its middle.
    let straight = from.centre().distance(to.centre());
    assert!(length < 1.02 * straight, "{length} of {straight}");
}

#[test]
fn the_same_second_at_any_number_of_ticks() {
    let grid = blockstar::generate::caves(90, 70, 6).unwrap();
    let pairs = blockstar::generate::queries(&grid, 12, 4);
    for &(start, goal) in &pairs {
        let mut seconds = Vec::new();
        for ticks in [10, 30, 60] {
            let mut world = World::new(&grid, plane().ticks_per_second(ticks)).unwrap();
            let unit = world.spawn(Spawn::new(start, 0)).unwrap();
            world.order(unit, Order::go(goal)).unwrap();
            let mut judge = Judge::default();
            assert!(judge.run(&mut world, &[unit], 20_000), "{start} {goal}");
            seconds.push(world.now() as f64 / f64::from(ticks));
        }
        let (least, most) =
            (seconds[1].min(seconds[2]), seconds[0].max(seconds[1]).max(seconds[2]));
        assert!(most < 1.05 * least + 0.6, "{start} {goal}: {seconds:?}");
    }
}

#[test]
fn crowds_among_walls_arrive() {
    // Discs that nearly fill a corridor, against each other: 60 on each of six maps.
    let (mut all, mut there) = (0, 0);
    for seed in 0..6 {
        let grid = match seed % 2 {
            0 => blockstar::generate::caves(70, 60, seed).unwrap(),
            _ => blockstar::generate::rooms(70, 60, 13, seed).unwrap(),
        };
        let classes = [Class::new("small").radius(0.3), Class::new("wide").radius(0.45)];
        let mut world = World::new(&grid, plane().classes(classes)).unwrap();
        let mut units = Vec::new();
        let pairs = blockstar::generate::queries(&grid, 60, seed);
        for (&(start, goal), class) in pairs.iter().zip([0, 1].into_iter().cycle()) {
            if let Ok(unit) = world.spawn(Spawn::new(start, class)) {
                world.order(unit, Order::go(goal)).unwrap();
                units.push(unit);
            }
        }
        let mut judge = Judge::default();
        judge.run(&mut world, &units, 6000);
        for &unit in units.iter().filter(|unit| !judge.arrived.contains_key(unit)) {
            let unit = world.unit(unit).unwrap();
            println!("seed {seed}: {} at {:?} {:?}", unit.id(), unit.position(1.0), unit.state());
        }
        all += units.len();
        there += judge.arrived.len();
    }
    assert_eq!(there, all);
}

#[test]
fn a_group_gathers_around_its_goal_and_comes_to_rest() {
    let mut world = open_world(80, 60, plane());
    let units = put(&mut world, (0..120).map(|i| (3 + i % 12, 20 + i / 12)));
    let judge = send(&mut world, &units, (60, 30), 3000);
    assert_eq!(judge.arrived.len(), 120);
    for _ in 0..300 {
        world.tick();
    }
    let radius = (120.0 / std::f64::consts::PI).sqrt();
    for unit in world.units() {
        let far = unit.cell().centre().distance(Cell::new(60, 30).centre());
        assert!(far <= 1.2 * radius + 1.0, "{far}");
    }
    let before = world.columns().positions().to_vec();
    for _ in 0..100 {
        world.tick();
    }
    assert_eq!(world.columns().positions(), before, "somebody still moves");
}

#[test]
fn two_crowds_pass_through_each_other_and_a_gate() {
    let grid = Grid::from_fn(60, 30, |cell| cell.x != 30 || (12..18).contains(&cell.y)).unwrap();
    let mut world = World::new(&grid, plane()).unwrap();
    let left = put(&mut world, (0..30).map(|i| (4 + i % 5, 12 + i / 5)));
    let right = put(&mut world, (0..30).map(|i| (51 + i % 5, 12 + i / 5)));
    world.order(left.clone(), Order::go((52, 15))).unwrap();
    world.order(right.clone(), Order::go((7, 15))).unwrap();
    let mut judge = Judge::default();
    let all = [left, right].concat();
    assert!(judge.run(&mut world, &all, 4000), "{} of 60", judge.arrived.len());
}

#[test]
fn one_that_holds_is_not_moved() {
    let mut world = world(
        "............
         ............
         ............
         ............",
        plane(),
    );
    let rock = put(&mut world, [(6, 1)])[0];
    world.order(rock, Order::Hold).unwrap();
    let unit = put(&mut world, [(1, 1)])[0];
    let at = world.unit(rock).unwrap().position(1.0);
    let judge = send(&mut world, &[unit], (10, 1), 600);
    assert!(judge.arrived.contains_key(&unit));
    assert_eq!(world.unit(rock).unwrap().position(1.0), at);
    assert_eq!(world.unit(rock).unwrap().state(), State::Holding);
}

#[test]
fn walls_that_come_and_go_catch_nobody() {
    for policy in [UnderUnit::Refuse, UnderUnit::Push, UnderUnit::Crush] {
        let mut random = Random::new(7);
        let classes =
            [Class::new("small"), Class::new("large").size(2), Class::new("huge").size(4)];
        let mut world = open_world(50, 40, plane().under_unit(policy).classes(classes));
        let mut units: Vec<UnitId> = Vec::new();
        for _ in 0..60 {
            let cell = Cell::new(random.below(47) as u32, random.below(37) as u32);
            units.extend(world.spawn(Spawn::new(cell, random.below(3) as u16)));
        }
        let mut judge = Judge::default();
        let mut refused = 0;
        for tick in 0..600 {
            if tick % 50 == 0 {
                for &unit in &units {
                    let cell = Cell::new(random.below(50) as u32, random.below(40) as u32);
                    let _ = world.order(unit, Order::go(cell));
                }
            }
            if tick % 5 == 0 {
                let (x, y) = (random.below(47) as u32, random.below(38) as u32);
                let tile = if random.chance(1, 2) { Tile::Blocked } else { Tile::Free };
                let report = world.edit(Edit::rect(Rect::new(x, y, 3, 2), tile)).unwrap();
                refused += u32::from(report.refused);
                judge.look(&world, &[]);
            }
            judge.tick(&mut world);
        }
        assert_eq!(refused > 0, policy == UnderUnit::Refuse);
        assert_eq!(world.len() < units.len(), policy == UnderUnit::Crush);
    }
}

#[test]
fn misuse_in_the_plane_gets_a_sentence() {
    let grid = Grid::new(9, 9).unwrap();
    let refused = |settings| World::new(&grid, settings).err().unwrap().to_string();
    let wrong = refused(plane().moves(Moves::ANY_ANGLE));
    assert!(wrong.contains("at any angle by themselves") && wrong.contains("`eight`"), "{wrong}");
    let wrong = refused(plane().moves(Moves::EIGHT_CUT_ANY));
    assert!(wrong.contains("leave room for a disc"), "{wrong}");
    for radius in [0.1, 0.5, f64::NAN] {
        let wrong = refused(plane().classes([Class::new("x").radius(radius)]));
        assert!(wrong.contains("the radius of a class"), "{wrong}");
    }
    let mut world = World::new(&grid, plane().classes([Class::new("x").radius(0.45)])).unwrap();
    let first = world.spawn(Spawn::new((4, 4), 0)).unwrap();
    let cell = Cell::new(4, 4);
    assert_eq!(world.spawn(Spawn::new((4, 4), 0)), Err(Error::Taken { cell, by: first }));
    world.spawn(Spawn::new((5, 4), 0)).unwrap();
}
