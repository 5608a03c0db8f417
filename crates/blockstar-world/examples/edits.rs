//! What an edit costs where nobody walks, with 10 units elsewhere and with 10,000, in processor time.
//!
//! Run with `cargo run --release -p blockstar-world --example edits`.

use blockstar::{Grid, Rect, Tile};
use blockstar_world::{Edit, Error, Order, Settings, Spawn, World};
use cpu_time::ProcessTime;

const EDITS: u32 = 2000;

fn main() -> Result<(), Error> {
    println!(
        "units   ways known  µs per edit far from them  µs per edit across their ways  cut each"
    );
    for units in [10, 100, 1000, 10_000] {
        let mut world = World::new(&Grid::new(1024, 512)?, Settings::new())?;
        // All of them in the left half, each with a goal of its own there.
        for i in 0..units {
            let unit = world.spawn(Spawn::new((i % 200, 2 * (i / 200)), 0))?;
            world.order(unit, Order::go((200 + i * 7 % 200, 120 + i * 13 % 380)))?;
        }
        for _ in 0..60 {
            world.tick();
        }
        let known = world.units().filter(|unit| unit.path().next().is_some()).count();
        let (far, cut_far) = edit(&mut world, 700)?;
        let (near, cut_near) = edit(&mut world, 300)?;
        assert_eq!(cut_far, 0);
        let each = f64::from(cut_near) / f64::from(EDITS);
        println!("{units:6}  {known:10}  {far:25.2}  {near:29.2}  {each:8.1}");
    }
    Ok(())
}

/// Builds and tears down walls in a column, and returns the microseconds of each edit and how many
/// ways were cut.
fn edit(world: &mut World, x: u32) -> Result<(f64, u32), Error> {
    let mut cut = 0;
    let clock = ProcessTime::now();
    for i in 0..EDITS {
        let tile = if i % 2 == 0 { Tile::Blocked } else { Tile::Free };
        let rect = Rect::new(x, 150 + i / 2 % 300, 3, 2);
        let report = world.edit(Edit::rect(rect, tile))?;
        cut += report.cut;
    }
    Ok((clock.elapsed().as_secs_f64() * 1e6 / f64::from(EDITS), cut))
}
