//! Crowds at narrow passages: they take turns where they meet, and only there.

use crate::support::{Judge, put};
use blockstar::{Grid, Rect, Tile};
use blockstar_world::{Edit, Event, Order, Settings, State, UnitId, World};
use std::collections::BTreeMap;

/// Units of each crowd.
const EACH: u32 = 80;

/// Two halls with a passage between them; the crowds of both are to change sides, or only the first.
fn halls(width: u32, length: u32, crowds: u32, settings: Settings) -> (World, Vec<UnitId>) {
    let hall = 40;
    let grid = Grid::from_fn(2 * hall + length, 40, |cell| {
        !(hall..hall + length).contains(&cell.x) || (20..20 + width).contains(&cell.y)
    });
    let mut world = World::new(&grid.unwrap(), settings).unwrap();
    let mut all = Vec::new();
    for crowd in 0..crowds {
        let (x, to) = if crowd == 0 { (8, hall + length + 20) } else { (hall + length + 16, 20) };
        let units = put(&mut world, (0..EACH).map(|i| (x + i % 16, 14 + 2 * (i / 16))));
        world.order(units.clone(), Order::go((to, 20))).unwrap();
        all.extend(units);
    }
    (world, all)
}

fn metered() -> Settings {
    Settings { meter_chokes: true, ..Settings::new() }
}

/// The tick in which the last unit arrives.
fn last_arrival(width: u32, length: u32, crowds: u32, settings: Settings) -> (u64, Judge) {
    let (mut world, units) = halls(width, length, crowds, settings);
    let mut judge = Judge::default();
    assert!(judge.run(&mut world, &units, 9000), "{} of {}", judge.arrived.len(), units.len());
    (world.now(), judge)
}

fn is_held(event: &Event) -> bool {
    matches!(event, Event::Held(_))
}

#[test]
fn crowds_that_meet_at_a_choke_take_turns() {
    let cases = [(1, 1, 70), (1, 12, 70), (2, 1, 75), (2, 12, 90), (4, 12, 95)];
    for (width, length, percent) in cases {
        let (before, judge) = last_arrival(width, length, 2, Settings::new());
        assert_eq!(judge.count(is_held), 0);
        let (ticks, judge) = last_arrival(width, length, 2, metered());
        println!("{width} wide, {length} long: {ticks} ticks, {before} without metering");
        assert!(judge.count(is_held) > 0);
        assert!(ticks * 100 < before * percent, "{width} wide, {length} long");
    }
}

#[test]
fn a_crowd_alone_is_not_held() {
    for (width, length) in [(1, 1), (2, 1), (2, 12)] {
        let (before, _) = last_arrival(width, length, 1, Settings::new());
        let (ticks, judge) = last_arrival(width, length, 1, metered());
        assert_eq!((judge.count(is_held), ticks), (0, before), "{width} wide, {length} long");
    }
}

#[test]
fn nobody_is_held_for_ever() {
    let (mut world, units) = halls(1, 4, 2, metered());
    let mut judge = Judge::default();
    let (mut waits, mut longest) = (BTreeMap::new(), 0);
    while judge.arrived.len() < units.len() && world.now() < 9000 {
        judge.tick(&mut world);
        for unit in world.units() {
            let wait: &mut u64 = waits.entry(unit.id()).or_default();
            *wait = if unit.state() == State::Held { *wait + 1 } else { 0 };
            longest = longest.max(*wait);
        }
    }
    // Six steps of eight ticks for each of 4 + 2 x 12 cells, and the way out of the passage.
    assert!(longest <= 6 * 8 * 28 + 300, "{longest} ticks");
}

#[test]
fn a_world_with_chokes_is_saved_and_a_wall_changes_them() {
    let (mut world, units) = halls(1, 4, 2, metered());
    let mut judge = Judge::default();
    while judge.count(is_held) == 0 {
        assert!(world.now() < 3000);
        judge.tick(&mut world);
    }
    let mut loaded = World::load(&world.save()).unwrap();
    for _ in 0..400 {
        judge.tick(&mut world);
        loaded.tick();
        assert_eq!(world.hash(), loaded.hash());
    }
    // A second row of cells, while both crowds wait.
    world.edit(Edit::rect(Rect::new(40, 21, 4, 3), Tile::Free)).unwrap();
    assert!(judge.run(&mut world, &units, 9000), "{}", judge.arrived.len());
}
