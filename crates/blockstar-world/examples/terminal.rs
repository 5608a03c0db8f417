//! Units that cross a map whose doors open and close, drawn in the terminal.
//!
//! Run with `cargo run --release -p blockstar-world --example terminal`; with `--still` it prints the
//! last picture alone.

use blockstar::{Grid, Rect};
use blockstar_world::{Edit, Error, Event, Order, Settings, Spawn, State, World};
use std::time::Duration;

const DOORS: [u32; 4] = [3, 9, 14, 19];

fn main() -> Result<(), Error> {
    let still = std::env::args().any(|argument| argument == "--still");
    // Two halls, and a wall with four doors between them.
    let grid = Grid::from_fn(72, 22, |cell| cell.x != 36 || DOORS.contains(&cell.y))?;
    let mut world = World::new(&grid, Settings::new().ticks_per_second(20))?;
    for y in DOORS {
        world.edit(Edit::AddDoor(Rect::new(36, y, 1, 1), 0))?;
    }
    let side = |world: &mut World, x: u32, team: u8| -> Result<Vec<_>, Error> {
        (0..40).map(|i| world.spawn(Spawn::new((x + i % 4, 2 + i / 4), 0).team(team))).collect()
    };
    let (left, right) = (side(&mut world, 3, 0)?, side(&mut world, 65, 1)?);
    world.order(left, Order::go((60, 11)))?;
    world.order(right, Order::go((11, 11)))?;
    let mut arrived = 0;
    for frame in 0..900 {
        // Each second one door closes and the one before opens.
        if frame % 20 == 0 {
            let door = (frame / 20 % 4) as u16;
            world.edit(Edit::door(door, false))?;
            world.edit(Edit::door((door + 3) % 4, true))?;
        }
        let events = world.tick();
        arrived += events.iter().filter(|event| matches!(event, Event::Arrived(..))).count();
        if !still {
            print!("\x1b[H\x1b[2J{}", picture(&world));
            println!("tick {}  arrived {arrived} of 80", world.now());
            std::thread::sleep(Duration::from_millis(50));
        }
        if arrived == 80 {
            break;
        }
    }
    print!("{}", picture(&world));
    println!("tick {}  arrived {arrived} of 80", world.now());
    Ok(())
}

fn picture(world: &World) -> String {
    let closed: Vec<Rect> = world.doors().filter(|door| !door.1).map(|door| door.0).collect();
    let mut text = String::new();
    for y in 0..world.height() {
        for x in 0..world.width() {
            let unit = world.occupant((x, y)).and_then(|unit| world.unit(unit));
            text.push(match unit {
                Some(unit) if matches!(unit.state(), State::Stuck { .. }) => '!',
                Some(unit) if unit.team() == 0 => '>',
                Some(_) => '<',
                None if closed.iter().any(|door| (door.x, door.y) == (x, y)) => '+',
                None if world.grid(0).is_some_and(|grid| grid.is_free((x, y))) => ' ',
                None => '#',
            });
        }
        text.push('\n');
    }
    text
}
