//! Hills from a seed, and the ten test cases of the A*MOD paper.

use super::stream;
use crate::grid::check_size;
use crate::{Cell, Error, Grid, Tile};

/// Fractal hills: an open map with heights from 0 to `highest`. `roughness`, from 0 to 1, is how
/// high hills are compared with those of twice their size: 0.5 looks like old mountains.
///
/// The heights are sums of lattices of random heights, each twice as fine as the one before,
/// smoothly interpolated. Only sums and products are involved, so the same arguments give the same
/// heights on every machine.
///
/// ```
/// let grid = blockstar::generate::terrain(64, 48, 0.5, 900.0, 7)?;
/// let (low, high) = grid.height_range();
/// assert_eq!((low, high), (0.0, 900.0));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn terrain(
    width: u32,
    height: u32,
    roughness: f64,
    highest: f64,
    seed: u64,
) -> Result<Grid, Error> {
    check_size(width.into(), height.into())?;
    if !(0.0..=1.0).contains(&roughness) {
        return Err(Error::Range { what: "the roughness", value: roughness, range: "0 to 1" });
    }
    if !(0.0..=1e9).contains(&highest) {
        let (what, range) = ("the highest height", "0 to 1000000000");
        return Err(Error::Range { what, value: highest, range });
    }
    let heights = scaled(fractal(width, height, roughness, seed), highest);
    let mut grid = Grid::new(width, height)?;
    grid.set_heights(&heights)?;
    Ok(grid)
}

/// Sums of ever finer lattices of random heights.
fn fractal(width: u32, height: u32, roughness: f64, seed: u64) -> Vec<f64> {
    let mut random = stream(seed, "terrain");
    let mut values = vec![0.0; width as usize * height as usize];
    let mut pitch = f64::from(width.max(height)) / 2.0;
    let mut share = 1.0;
    while pitch >= 1.0 && share > 1e-3 {
        let columns = (f64::from(width) / pitch) as usize + 2;
        let rows = (f64::from(height) / pitch) as usize + 2;
        let lattice: Vec<f64> =
            (0..columns * rows).map(|_| random.below(1 << 20) as f64 / (1 << 20) as f64).collect();
        let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
        for y in 0..height {
            let v = f64::from(y) / pitch;
            let (row, down) = (v as usize, smooth(v - v.floor()));
            for x in 0..width {
                let u = f64::from(x) / pitch;
                let (column, across) = (u as usize, smooth(u - u.floor()));
                let at = |dx: usize, dy: usize| lattice[(row + dy) * columns + column + dx];
                let upper = at(0, 0) + (at(1, 0) - at(0, 0)) * across;
                let lower = at(0, 1) + (at(1, 1) - at(0, 1)) * across;
                let value = upper + (lower - upper) * down;
                values[y as usize * width as usize + x as usize] += share * value;
            }
        }
        pitch /= 2.0;
        share *= roughness;
    }
    values
}

/// Scales heights to a range from 0 to `highest`.
fn scaled(values: Vec<f64>, highest: f64) -> Vec<f32> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = if high > low { high - low } else { 1.0 };
    values.into_iter().map(|value| ((value - low) / range * highest) as f32).collect()
}

/// A test case of a paper: a map, perhaps with heights, a start and a goal.
#[derive(Debug)]
pub struct Case {
    /// Its number in the paper: of the case, or of the figure that shows it.
    pub number: u32,
    /// Its name in the paper.
    pub name: &'static str,
    /// The map. Heights are the weights of the A*MOD paper: grey values from 0 to 255.
    pub grid: Grid,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
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
            let maze = super::maze(side, side, 3, 9)?;
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
    use crate::{Algorithm, Moves, Query, Scratch, Slope, Status};

    #[test]
    fn hills_depend_on_their_arguments_alone() {
        let heights = |grid: &Grid| -> Vec<u32> {
            (0..grid.width() * grid.height())
                .map(|i| Cell::new(i % grid.width(), i / grid.width()))
                .map(|cell| grid.height_at(cell).unwrap().to_bits())
                .collect()
        };
        let one = heights(&terrain(33, 20, 0.5, 100.0, 4).unwrap());
        assert_eq!(one, heights(&terrain(33, 20, 0.5, 100.0, 4).unwrap()));
        assert_ne!(one, heights(&terrain(33, 20, 0.5, 100.0, 5).unwrap()));
        let sum =
            one.iter().fold(0u64, |sum, &bits| sum.wrapping_mul(31).wrapping_add(bits.into()));
        assert_eq!(sum, PINNED, "the hills of a seed have changed");
        assert!(terrain(3, 3, f64::NAN, 1.0, 1).is_err());
        assert!(terrain(3, 3, 0.5, -1.0, 1).is_err());
        assert!(terrain(0, 3, 0.5, 1.0, 1).is_err());
        terrain(1, 1, 0.0, 0.0, 1).unwrap();
    }

    const PINNED: u64 = 11_612_712_649_694_598_484;

    #[test]
    fn every_case_of_the_paper_has_a_path() {
        let sizes: Vec<u32> =
            astar_mod_cases().unwrap().iter().map(|case| case.grid.width()).collect();
        assert_eq!(sizes, [20, 20, 20, 20, 20, 40, 20, 40, 80, 40]);
        for case in astar_mod_cases().unwrap() {
            let (low, high) = case.grid.height_range();
            assert!(low >= 0.0 && high <= 255.0, "{}", case.name);
            let moves = Moves::EIGHT.with_slope(Slope::published());
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
