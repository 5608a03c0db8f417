//! Orders and what comes of them.

use crate::support::{Judge, open_world, put, send, world};
use blockstar::{Cell, Rect, Tile};
use blockstar_world::{
    Edit, Error, Event, Goal, How, Order, Pace, Settings, Spawn, State, Stepping,
};

#[test]
fn a_unit_walks_to_its_goal_at_its_speed() {
    for stepping in [Stepping::Cells, Stepping::Ghost] {
        let mut world = open_world(100, 20, Settings::new().stepping(stepping));
        let unit = put(&mut world, [(3, 5)]);
        let judge = send(&mut world, &unit, (83, 5), 2000);
        let at = judge.arrived[&unit[0]];
        // 80 cells at 4 a second and 30 ticks: 600 ticks.
        assert!((600..=603).contains(&at), "{stepping:?} {at}");
        assert_eq!(world.unit(unit[0]).unwrap().cell(), Cell::new(83, 5));
        assert_eq!(world.unit(unit[0]).unwrap().state(), State::Arrived);
        assert_eq!(judge.count(|event| matches!(event, Event::Started(..))), 1);
    }
}

#[test]
fn the_first_step_comes_with_the_first_tick() {
    let mut world = open_world(300, 300, Settings::new());
    let unit = put(&mut world, [(3, 5)])[0];
    world.order(unit, Order::go((290, 290))).unwrap();
    let events = world.tick();
    assert!(events.iter().any(|event| matches!(event, Event::Started(..))), "{events:?}");
    assert!(matches!(world.unit(unit).unwrap().state(), State::Moving(_)));
}

#[test]
fn orders_wait_for_each_other() {
    let mut world = open_world(40, 20, Settings::new());
    let unit = put(&mut world, [(1, 1)])[0];
    let first = world.order(unit, Order::go((10, 1))).unwrap();
    world.queue(unit, Order::Wait(10)).unwrap();
    let last = world.queue(unit, Order::go((10, 10))).unwrap();
    let mut judge = Judge::default();
    for _ in 0..400 {
        judge.tick(&mut world);
    }
    let arrivals: Vec<_> = judge
        .events
        .iter()
        .filter_map(|(_, event)| match event {
            Event::Arrived(_, order, _) => Some(*order),
            _ => None,
        })
        .collect();
    assert_eq!((arrivals[0], *arrivals.last().unwrap(), arrivals.len()), (first, last, 3));
    assert_eq!(world.unit(unit).unwrap().cell(), Cell::new(10, 10));
}

#[test]
fn a_goal_out_of_reach_strands_until_a_wall_opens() {
    let mut world = world(
        "..........#.....
         ..........#.....
         ..........#.....",
        Settings::new(),
    );
    let units = put(&mut world, [(0, 0), (0, 1), (1, 2)]);
    let judge = send(&mut world, &units, (15, 1), 400);
    assert_eq!(judge.count(|event| matches!(event, Event::Unreachable(..))), 3);
    assert_eq!(judge.count(|event| matches!(event, Event::Arrived(_, _, How::Nearest))), 3);
    assert!(units.iter().all(|&unit| world.unit(unit).unwrap().state() == State::Stranded));
    world.edit(Edit::rect(Rect::new(10, 1, 1, 1), Tile::Free)).unwrap();
    let mut judge = Judge::default();
    assert!(judge.run(&mut world, &units, 400));
    assert!(judge.count(|event| matches!(event, Event::Arrived(_, _, How::Exact))) == 1);
}

#[test]
fn goals_near_any_of_and_beside() {
    let mut world = open_world(60, 40, Settings::new());
    let near = put(&mut world, [(2, 2), (3, 2)]);
    world
        .order(
            near.clone(),
            Order::Move { to: Goal::Near(Cell::new(40, 20), 5), formation: None, pace: Pace::Own },
        )
        .unwrap();
    let any = put(&mut world, [(2, 30), (50, 30)]);
    let exits = vec![Cell::new(0, 39), Cell::new(59, 39)];
    world.order(any.clone(), Order::go(Goal::Any(exits.clone()))).unwrap();
    world.edit(Edit::rect(Rect::new(20, 5, 4, 3), Tile::Blocked)).unwrap();
    let beside = put(&mut world, [(20, 30), (25, 30), (30, 30)]);
    world.order(beside.clone(), Order::go(Goal::Beside(Rect::new(20, 5, 4, 3)))).unwrap();
    let all: Vec<_> = [near.clone(), any.clone(), beside.clone()].concat();
    assert!(Judge::default().run(&mut world, &all, 1500));
    for unit in near {
        let cell = world.unit(unit).unwrap().cell();
        assert!(cell.x.abs_diff(40).max(cell.y.abs_diff(20)) <= 6, "{cell}");
    }
    assert_eq!(world.unit(any[0]).unwrap().cell(), exits[0]);
    assert_eq!(world.unit(any[1]).unwrap().cell(), exits[1]);
    for unit in beside {
        let cell = world.unit(unit).unwrap().cell();
        assert!((19..=24).contains(&cell.x) && (4..=8).contains(&cell.y), "{cell}");
    }
}

#[test]
fn patrol_follow_flee_hold_and_stop() {
    let mut world = open_world(60, 40, Settings::new());
    let patrol = put(&mut world, [(5, 5)])[0];
    let stops = vec![Goal::Cell(Cell::new(15, 5)), Goal::Cell(Cell::new(5, 5))];
    world.order(patrol, Order::Patrol { stops, cycle: true }).unwrap();
    let follower = put(&mut world, [(5, 20)])[0];
    world.order(follower, Order::Follow { whom: patrol, min: 1, max: 3 }).unwrap();
    let coward = put(&mut world, [(12, 8)])[0];
    world.order(coward, Order::Flee { from: patrol, range: 20 }).unwrap();
    let rock = put(&mut world, [(10, 5)])[0];
    world.order(rock, Order::Hold).unwrap();
    let mut judge = Judge::default();
    for _ in 0..900 {
        judge.tick(&mut world);
    }
    assert!(judge.count(|event| matches!(event, Event::Waypoint(..))) >= 6);
    assert_eq!(world.unit(rock).unwrap().cell(), Cell::new(10, 5));
    assert_eq!(world.unit(rock).unwrap().state(), State::Holding);
    let at = |unit| world.unit(unit).unwrap().cell();
    let apart = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
    assert!(apart(at(follower), at(patrol)) <= 8, "{} {}", at(follower), at(patrol));
    assert!(judge.arrived.contains_key(&coward));
    world.despawn(patrol);
    judge.tick(&mut world);
    assert_eq!(
        judge.count(|event| matches!(event, Event::TargetLost(unit, _) if *unit == follower)),
        1
    );
    world.order(rock, Order::Stop).unwrap();
    judge.tick(&mut world);
    assert_eq!(world.unit(rock).unwrap().state(), State::Idle);
}

#[test]
fn misuse_gets_a_sentence() {
    let mut world = world("....\n..#.\n....", Settings::new());
    let unit = put(&mut world, [(0, 0)])[0];
    assert!(matches!(world.spawn(Spawn::new((2, 1), 0)), Err(Error::Wall { .. })));
    assert!(matches!(world.spawn(Spawn::new((0, 0), 0)), Err(Error::Taken { .. })));
    assert!(matches!(world.spawn(Spawn::new((9, 0), 0)), Err(Error::Outside { .. })));
    assert!(matches!(world.spawn(Spawn::new((1, 0), 4)), Err(Error::Class { .. })));
    assert!(matches!(world.order(unit, Order::go((4, 4))), Err(Error::Outside { .. })));
    assert!(world.order(unit, Order::go(Goal::Any(vec![]))).is_err());
    assert!(world.edit(Edit::rect(Rect::new(3, 0, 2, 1), Tile::Free)).is_err());
    assert!(matches!(world.edit(Edit::door(0, true)), Err(Error::Door(0))));
    assert!(world.despawn(unit) && !world.despawn(unit));
    let message = world.order(unit, Order::Stop).unwrap_err().to_string();
    assert!(message.contains("unit 0.1"), "{message}");
    let again = put(&mut world, [(0, 0)])[0];
    assert_eq!((again.slot(), again.generation()), (0, 2));
}

#[test]
fn an_edit_far_from_units_looks_at_none_of_them() {
    let mut world = open_world(400, 200, Settings::new());
    let units = put(&mut world, (0..2000).map(|i| (i % 100, i / 100)));
    for (index, &unit) in units.iter().enumerate() {
        let index = index as u32;
        world.order(unit, Order::go((100 + index % 60, 30 + index / 60))).unwrap();
    }
    for _ in 0..40 {
        world.tick();
    }
    let report = world.edit(Edit::rect(Rect::new(300, 100, 20, 20), Tile::Blocked)).unwrap();
    assert_eq!((report.looked_at, report.cut, report.under.len()), (0, 0, 0));
    let report = world.edit(Edit::rect(Rect::new(110, 5, 2, 60), Tile::Blocked)).unwrap();
    assert!(report.cut > 100, "{report:?}");
    let mut judge = Judge::default();
    judge.look(&world, &report.under);
    judge.tick(&mut world);
}

#[test]
fn a_refused_edit_changes_nothing() {
    let settings = Settings::new().under_unit(blockstar_world::UnderUnit::Refuse);
    let mut world = open_world(20, 10, settings);
    put(&mut world, [(5, 5)]);
    world.edit(Edit::AddDoor(Rect::new(5, 4, 1, 3), 0)).unwrap();
    let before = world.hash();
    for edit in [
        Edit::rect(Rect::new(3, 3, 4, 4), Tile::Blocked),
        Edit::stamp([(1, 1), (5, 5), (1, 1)], Tile::Blocked),
        Edit::door(0, false),
    ] {
        assert!(world.edit(edit.clone()).unwrap().refused, "{edit:?}");
        assert_eq!(world.hash(), before);
    }
    assert!(!world.edit(Edit::rect(Rect::new(8, 8, 2, 2), Tile::Blocked)).unwrap().refused);
}

#[test]
fn doors_are_walls_or_costs_by_key() {
    use blockstar_world::{Class, Keys};
    let classes = [Class::new("thief"), Class::new("owner").keys(Keys(1 << 3))];
    let mut world = world(
        "....#....
         ....#....
         .........
         ....#....",
        Settings::new().classes(classes),
    );
    world.edit(Edit::AddDoor(Rect::new(4, 2, 1, 1), 3)).unwrap();
    assert!(world.reachable(0, (0, 0), (8, 0)));
    world.edit(Edit::door(0, false)).unwrap();
    assert!(!world.reachable(0, (0, 0), (8, 0)) && world.reachable(1, (0, 0), (8, 0)));
    let owner = world.spawn(Spawn::new((0, 2), 1)).unwrap();
    world.order(owner, Order::go((8, 2))).unwrap();
    let mut judge = Judge::default();
    assert!(judge.run(&mut world, &[owner], 400));
    // 8 cells at 4 a second, and the door takes longer.
    assert!(judge.arrived[&owner] > 75, "{}", judge.arrived[&owner]);
}
