//! How fast crowds get through chokes: gates and bridges of several widths, one way and both ways.
//!
//! Run with `cargo run --release -p blockstar-world --example chokes`.

use blockstar::Grid;
use blockstar_world::{Error, Event, Order, Settings, Spawn, UnitId, World};

/// Units of each crowd.
const UNITS: u32 = 200;

/// Two halls of 60 x 60 cells with a passage between them; one crowd or two.
fn cross(
    width: u32,
    length: u32,
    both: bool,
    settings: Settings,
) -> Result<(usize, u64, u64), Error> {
    let (hall, high) = (60, 60);
    let first = (high - width) / 2;
    let grid = Grid::from_fn(2 * hall + length, high, |cell| {
        !(hall..hall + length).contains(&cell.x) || (first..first + width).contains(&cell.y)
    })?;
    let mut world = World::new(&grid, settings)?;
    let total = 2 * hall + length;
    let mut crowd = |x: u32, to: u32| -> Result<Vec<UnitId>, Error> {
        let cells = (0..UNITS).map(|i| (x + i % 20, 20 + 2 * (i / 20)));
        let units: Vec<UnitId> =
            cells.map(|cell| world.spawn(Spawn::new(cell, 0))).collect::<Result<_, _>>()?;
        world.order(units.clone(), Order::go((to, high / 2)))?;
        Ok(units)
    };
    let mut units = crowd(20, total - 30)?;
    if both {
        units.extend(crowd(total - 40, 30)?);
    }
    let (mut arrived, mut last, mut sum) = (0, 0, 0);
    while world.now() < 12_000 && arrived < units.len() {
        let now = world.now() + 1;
        let events = world.tick();
        let count = events.iter().filter(|event| matches!(event, Event::Arrived(..))).count();
        arrived += count;
        sum += now * count as u64;
        if count > 0 {
            last = now;
        }
    }
    sum += (units.len() - arrived) as u64 * world.now();
    Ok((arrived, last, sum / units.len() as u64))
}

fn main() -> Result<(), Error> {
    println!("flow      width  length  arrived  last tick  mean tick, without and with metering");
    for both in [false, true] {
        for width in [1, 2, 4, 8] {
            for length in [1, 16] {
                let flow = if both { "opposing" } else { "one way" };
                print!("{flow:8}  {width:5}  {length:6}");
                for meter_chokes in [false, true] {
                    let settings = Settings { meter_chokes, ..Settings::new() };
                    let (arrived, last, mean) = cross(width, length, both, settings)?;
                    print!("  {arrived:7}  {last:9}  {mean:9}");
                }
                println!();
            }
        }
    }
    Ok(())
}
