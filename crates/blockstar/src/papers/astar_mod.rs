//! The costs of the A*MOD paper (J. Smołka et al., 2019), and its test cases.

use super::Case;
use crate::generate::{fractal, maze, scaled};
use crate::geometry::relief;
use crate::{Cell, Error, Grid, Path, Point, Slope, Tile};

/// The costs of the paper: a step costs K · (1 + |difference of heights|), where K is the length of
/// the step. The paper's weights are the heights, and its cells have unit size; on cells of another
/// size only the [limits](Slope::limits) depend on it.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Path, papers};
/// let mut grid = Grid::new(2, 1)?;
/// grid.set_heights(&[0.0, 3.0])?;
/// let moves = Moves::EIGHT.with_slope(papers::astar_mod_slope(1.0));
/// assert_eq!(Path::new(&grid, moves, [Cell::new(0, 0), Cell::new(1, 0)]).cost(), 4.0);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub const fn astar_mod_slope(cell_size: f64) -> Slope {
    Slope::new(cell_size).planar().penalties(cell_size, cell_size).rise_times_length()
}

/// Equation 3 of the paper, see [`astar_mod_costs`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AstarModCosts {
    /// As printed: the sum of the differences in height, times √2 for diagonal steps. Straight
    /// steps telescope, so only their ends count.
    pub printed: f64,
    /// The same with absolute differences.
    pub absolute: f64,
}

/// The cost of a path by Equation 3 of the paper.
///
/// ```
/// use blockstar::{Cell, Grid, Moves, Path, papers};
/// let mut grid = Grid::new(3, 3)?;
/// grid.set_heights(&[0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0])?;
/// let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(2, 2)]);
/// let costs = papers::astar_mod_costs(&path, &grid);
/// // As printed it only tells the ends apart: √2 (3 - 2).
/// assert!((costs.printed - 2f64.sqrt()).abs() < 1e-9);
/// assert!((costs.absolute - 5.0 * 2f64.sqrt()).abs() < 1e-9);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn astar_mod_costs(path: &Path, grid: &Grid) -> AstarModCosts {
    let mut costs = AstarModCosts::default();
    for pair in path.points().windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let longest = (b.ux() - a.ux()).abs().max((b.uy() - a.uy()).abs()).max(1);
        // The length of a step in this direction: 1 straight, √2 diagonal.
        let times = a.distance(b) * f64::from(Point::UNITS) / f64::from(longest);
        relief::chords(grid, a, b, |chord| {
            costs.printed += chord.rise * times;
            costs.absolute += chord.rise.abs() * times;
        });
    }
    costs
}

/// The ten test cases of the A*MOD paper (its Figures 5 to 9), rebuilt from their descriptions: the
/// pictures themselves are not in the text. Grid sizes are those of the paper. White walls of the
/// 2D cases are blocked; the height maps are open. The tenth was a photograph; here it is fractal
/// (use a real elevation tile instead if you have one).
pub fn astar_mod_cases() -> Result<Vec<Case>, Error> {
    (1..=10).map(astar_mod_case).collect()
}

fn astar_mod_case(number: u32) -> Result<Case, Error> {
    let (name, side) = match number {
        1 => ("uniform", 20),
        2 => ("unified track", 20),
        3 => ("track with obstacles", 20),
        4 => ("simple labyrinth", 20),
        5 => ("simple height map", 20),
        6 => ("complex height map", 40),
        7 => ("game map 20", 20),
        8 => ("game map 40", 40),
        9 => ("complex labyrinth", 80),
        _ => ("real terrain", 40),
    };
    let last = side - 1;
    let (mut start, mut goal) = (Cell::new(0, 0), Cell::new(last, last));
    let mut grid = Grid::new(side, side)?;
    match number {
        1 => grid.set_heights(&vec![128.0; (side * side) as usize])?,
        2 | 3 => {
            track(&mut grid)?;
            if number == 3 {
                for (x, y) in
                    [(4, 3), (9, 4), (10, 4), (15, 7), (14, 12), (9, 12), (5, 15), (11, 18)]
                {
                    grid.set((x, y), Tile::Blocked)?;
                }
            }
            (start, goal) = (Cell::new(1, 3), Cell::new(18, 17));
        }
        4 => {
            walls(&mut grid, &SIMPLE_LABYRINTH)?;
            (start, goal) = (Cell::new(1, 1), Cell::new(18, 18));
        }
        5 => {
            // One hill in the middle of a plain.
            let hill = |x: f64, y: f64| {
                1.0 / (1.0 + ((x - 10.0) * (x - 10.0) + (y - 9.0) * (y - 9.0)) / 14.0)
            };
            grid.set_heights(&grey(side, hill))?;
        }
        6 => grid.set_heights(&scaled(fractal(side, side, 0.55, 6), 255.0))?,
        7 | 8 => {
            game(&mut grid)?;
            (start, goal) =
                (Cell::new(side / 10, side / 10), Cell::new(side * 9 / 10, side * 9 / 10));
        }
        9 => {
            let maze = maze(side, side, 3, 9)?;
            for y in 0..side {
                for x in 0..side {
                    let cell = Cell::new(x, y);
                    if !maze.is_free(cell) {
                        grid.set(cell, Tile::Blocked)?;
                    }
                }
            }
            grid.set_heights(&vec![0.0; (side * side) as usize])?;
            (start, goal) = (Cell::new(1, 1), Cell::new(77, 77));
        }
        _ => grid.set_heights(&scaled(fractal(side, side, 0.5, 10), 255.0))?,
    }
    Ok(Case { number, name, grid, start, goal })
}

/// Heights from 0 to 255 as a function of the cell.
fn grey(side: u32, height: impl Fn(f64, f64) -> f64) -> Vec<f32> {
    let values =
        (0..side * side).map(|i| height(f64::from(i % side), f64::from(i / side))).collect();
    scaled(values, 255.0)
}

/// A level track that winds through blocked ground, three to five cells wide.
fn track(grid: &mut Grid) -> Result<(), Error> {
    // Straight pieces: from, to, and half the width.
    const PIECES: [((f64, f64), (f64, f64)); 5] = [
        ((1.0, 3.0), (15.0, 4.0)),
        ((15.0, 4.0), (15.0, 11.0)),
        ((15.0, 11.0), (5.0, 12.0)),
        ((5.0, 12.0), (5.0, 17.0)),
        ((5.0, 17.0), (18.0, 17.0)),
    ];
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let near = PIECES.iter().any(|&(a, b)| {
                let (px, py) = (f64::from(x) - a.0, f64::from(y) - a.1);
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let t = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
                let (ex, ey) = (px - t * dx, py - t * dy);
                ex * ex + ey * ey <= 4.0
            });
            if !near {
                grid.set((x, y), Tile::Blocked)?;
            }
        }
    }
    let cells = (grid.width() * grid.height()) as usize;
    grid.set_heights(&vec![0.0; cells])
}

/// Walls with gaps, one per line: across or down, where, from, to.
const SIMPLE_LABYRINTH: [(bool, u32, u32, u32); 9] = [
    (true, 4, 0, 14),
    (true, 8, 5, 19),
    (true, 12, 0, 9),
    (true, 12, 13, 19),
    (true, 16, 4, 19),
    (false, 17, 0, 5),
    (false, 2, 7, 10),
    (false, 11, 9, 10),
    (false, 6, 14, 16),
];

fn walls(grid: &mut Grid, walls: &[(bool, u32, u32, u32)]) -> Result<(), Error> {
    for &(across, at, from, to) in walls {
        for i in from..=to {
            grid.set(if across { (i, at) } else { (at, i) }, Tile::Blocked)?;
        }
    }
    let cells = (grid.width() * grid.height()) as usize;
    grid.set_heights(&vec![0.0; cells])
}

/// A valley with a river between two ranges, a pass and a plateau: the same ground at any size.
fn game(grid: &mut Grid) -> Result<(), Error> {
    let side = f64::from(grid.width());
    let ground = |x: f64, y: f64| {
        let (u, v) = ((x + 0.5) / side, (y + 0.5) / side);
        let bump = |cx: f64, cy: f64, wide: f64, high: f64| {
            let square = (u - cx) * (u - cx) + (v - cy) * (v - cy);
            high / (1.0 + square / (wide * wide))
        };
        let range =
            bump(0.2, 0.75, 0.16, 0.9) + bump(0.45, 0.5, 0.12, 1.0) + bump(0.8, 0.2, 0.18, 0.95);
        let river = u + v * 0.35 - 0.62;
        range + bump(0.75, 0.8, 0.1, 0.35) - 0.25 / (1.0 + river * river * 300.0)
    };
    let side = grid.width();
    grid.set_heights(&grey(side, ground))?;
    // Lakes and a fortress.
    for y in 0..side {
        for x in 0..side {
            let (u, v) =
                ((f64::from(x) + 0.5) / f64::from(side), (f64::from(y) + 0.5) / f64::from(side));
            let lake = (u - 0.33) * (u - 0.33) / 0.012 + (v - 0.25) * (v - 0.25) / 0.004 < 1.0;
            let fort = (0.6..0.7).contains(&u) && (0.55..0.72).contains(&v);
            if lake || fort {
                grid.set((x, y), Tile::Blocked)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Moves, Query, Scratch, Status};

    #[test]
    fn every_case_of_the_paper_has_a_path() {
        let sizes: Vec<u32> =
            astar_mod_cases().unwrap().iter().map(|case| case.grid.width()).collect();
        assert_eq!(sizes, [20, 20, 20, 20, 20, 40, 20, 40, 80, 40]);
        for case in astar_mod_cases().unwrap() {
            let (low, high) = case.grid.height_range();
            assert!(low >= 0.0 && high <= 255.0, "{}", case.name);
            let moves = Moves::EIGHT.with_slope(astar_mod_slope(1.0));
            let planner =
                Algorithm::named("astar-mod").unwrap().prepare(&case.grid, moves).unwrap();
            let mut scratch = Scratch::new();
            let query = Query::new(case.start, case.goal);
            let status = planner.find(&case.grid, &query, &mut scratch).unwrap();
            assert_eq!(status, Status::Found, "{}", case.name);
            assert!(scratch.path().cells().count() >= 18, "{}", case.name);
        }
    }
}
