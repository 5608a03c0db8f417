//! A walk over hills: steep ground is avoided, and the path is made fit for an engine.

use blockstar::{
    Algorithm, Cell, Curve, Moves, Naturalness, Query, Scratch, Slope, Status, generate,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Hills of up to 400 m on cells of 20 m.
    let grid = generate::terrain(120, 80, 0.5, 400.0, 4)?;
    let cell = 20.0;
    // A metre up is as tiring as eight along; steeper than 35 % up or 50 % down is impossible.
    let slope = Slope::new(cell).penalties(8.0, 0.0).limits(0.35, 0.5);
    let moves = Moves::EIGHT.with_slope(slope);
    let query = Query::new(Cell::new(5, 5), Cell::new(110, 70)).nearest();
    let mut scratch = Scratch::new();
    for name in ["astar", "block-astar", "astar-mod", "astar-mod-fixed"] {
        let planner = Algorithm::named(name)?.prepare(&grid, moves)?;
        let status = planner.find(&grid, &query, &mut scratch)?;
        assert!(matches!(status, Status::Found | Status::Nearest));
        let path = scratch.path();
        path.check(&grid, moves)?;
        // Straight where the slopes permit it, then rounded.
        let curve = path.smoothed(&grid).curved(&grid, Curve::CatmullRom, 8);
        curve.check(&grid, curve.moves())?;
        for (what, path) in [(name, path), ("  smooth and round", &curve)] {
            let natural = Naturalness::of(path, &grid, cell);
            println!(
                "{what:<18} cost {:7.2}  {:5.0} m long  {:3.0} m up  {:3.0} m down  turning {:5.0}°",
                path.cost(),
                natural.spatial_length,
                natural.gained,
                natural.lost,
                natural.turning.to_degrees()
            );
        }
    }
    Ok(())
}
