//! Figures 1 to 5 of the paper: its running example, with the matrix computed again.
//!
//! The map is [`dba_star_example`], which agrees with the twelve costs between neighbours that the
//! paper prints. Regions, centres and costs are found on it here, the matrix follows from them, and
//! the walks are those of the planner.

use blockstar::papers::{Case, dba_star_example};
use blockstar::{Algorithm, Cell, Diagonal, Error, Grid, Moves, Path, Planner, Query, Scratch};
use std::collections::BTreeSet;

/// The side of a sector.
pub const SECTOR: u32 = 16;

const COUNT: usize = 7;

/// What the paper prints: the next region and the cost for each pair of regions. If the next region
/// is the goal itself, the two are neighbours.
const PRINTED: &str = "
    -     B13.8 B27.6 D13.2 E20.0 B15.6 B37.4
    A13.8 -     C14.8 D21.6 E20.0 F11.8 G23.6
    B27.6 B14.8 -     B36.4 B34.8 F9.8  G13.6
    A13.2 B21.6 B36.4 -     E14.6 B36.4 B45.2
    A20.0 B20.0 B34.8 D14.6 -     B31.8 B43.6
    B15.6 B11.8 C9.8  B36.4 B31.8 -     G13.0
    B37.4 B23.6 C13.6 B45.2 B43.6 F13.0 -";

/// A cost in tenths and the next region for each pair of regions; `u32::MAX` where there is none.
pub type Matrix = [[(u32, usize); COUNT]; COUNT];

/// The cells of a sector that can be reached from each other within it.
#[derive(Debug)]
pub struct Region {
    pub cells: Vec<Cell>,
    /// The cell nearest to their mean.
    pub centre: Cell,
}

/// The example, worked.
#[derive(Debug)]
pub struct Example {
    pub case: Case,
    /// A to G.
    pub regions: Vec<Region>,
    /// Computed from the costs between neighbours on the map.
    pub matrix: Matrix,
    /// The walks of the planners from start to goal: the optimum first, then Figures 3, 4 and 5.
    pub walks: Vec<(&'static str, Path)>,
}

/// An entry that is printed differently: which one, as printed, and as computed.
pub type Misprint = (String, f64, f64);

impl Example {
    /// Works the example.
    pub fn work() -> Result<Self, Error> {
        let case = dba_star_example()?;
        let regions = regions(&case.grid);
        let mut links = [[(u32::MAX, 0); COUNT]; COUNT];
        for (a, row) in links.iter_mut().enumerate() {
            for (b, link) in row.iter_mut().enumerate() {
                if touch(&case.grid, &regions[a], &regions[b]) && a != b {
                    let path = walk(&case.grid, "astar", regions[a].centre, regions[b].centre)?;
                    *link = ((path.cost() * 10.0).round() as u32, b);
                }
            }
        }
        let mut walks = Vec::new();
        for (label, planner) in [
            ("optimum", "astar"),
            ("through every centre (Figure 3)", "dba-star:sector=16:depth=1:trim=none"),
            ("corners cut (Figure 4)", "dba-star:sector=16:depth=1"),
            ("corners cut, depth 2 (Figure 5)", "dba-star:sector=16:depth=2"),
        ] {
            walks.push((label, walk(&case.grid, planner, case.start, case.goal)?));
        }
        Ok(Self { case, regions, matrix: closed(links), walks })
    }

    /// Percent above the optimum, of the walks of Figures 3, 4 and 5.
    pub fn excesses(&self) -> Vec<f64> {
        let cost = |walk: &(&str, Path)| walk.1.cost();
        let best = self.walks.first().map_or(f64::NAN, cost);
        self.walks.iter().skip(1).map(|walk| (cost(walk) / best - 1.0) * 100.0).collect()
    }

    /// The next region on the way from one to another, and the cost.
    pub fn way(&self, from: char, to: char) -> (char, f64) {
        let (cost, next) = self.matrix[number(from)][number(to)];
        (name(next), tenths(cost))
    }

    /// The entries that are printed differently, each once; those between neighbours come first, if
    /// there are any.
    pub fn misprints(&self) -> Vec<Misprint> {
        let printed = printed();
        let pairs = (0..COUNT).flat_map(|a| (a + 1..COUNT).map(move |b| (a, b)));
        let wrong = pairs.filter(|&(a, b)| printed[a][b].0 != self.matrix[a][b].0);
        let told = wrong.map(|(a, b)| {
            let pair = format!("{}-{}", name(a), name(b));
            (pair, tenths(printed[a][b].0), tenths(self.matrix[a][b].0))
        });
        told.collect()
    }
}

/// The name of a region.
pub fn name(number: usize) -> char {
    (b'A' + number as u8) as char
}

fn number(name: char) -> usize {
    (name as usize).saturating_sub('A' as usize).min(COUNT - 1)
}

/// A cost from tenths.
pub fn tenths(cost: u32) -> f64 {
    f64::from(cost) / 10.0
}

/// The matrix of the paper.
pub fn printed() -> Matrix {
    let entry = |text: &str| {
        let mut letters = text.chars();
        let next = letters.next().filter(|letter| letter.is_ascii_uppercase())?;
        let cost: f64 = letters.as_str().parse().ok()?;
        Some(((cost * 10.0).round() as u32, number(next)))
    };
    let mut matrix = [[(u32::MAX, 0); COUNT]; COUNT];
    for (row, line) in matrix.iter_mut().zip(PRINTED.trim_start().lines()) {
        for (place, text) in row.iter_mut().zip(line.split_whitespace()) {
            *place = entry(text).unwrap_or((u32::MAX, 0));
        }
    }
    matrix
}

/// A matrix of the costs between neighbours, completed by the Floyd–Warshall algorithm.
fn closed(mut matrix: Matrix) -> Matrix {
    for over in 0..COUNT {
        for from in 0..COUNT {
            for to in (0..COUNT).filter(|&to| to != from) {
                let (first, next) = matrix[from][over];
                let sum = first.saturating_add(matrix[over][to].0);
                if sum < matrix[from][to].0 {
                    matrix[from][to] = (sum, next);
                }
            }
        }
    }
    matrix
}

/// The regions, sector by sector.
fn regions(grid: &Grid) -> Vec<Region> {
    let sector = |cell: Cell| (cell.y / SECTOR, cell.x / SECTOR);
    let mut left: BTreeSet<_> = (0..grid.height())
        .flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)))
        .filter(|&cell| grid.is_free(cell))
        .map(|cell| (sector(cell), cell.y, cell.x))
        .collect();
    let mut regions = Vec::new();
    while let Some((sector, y, x)) = left.pop_first() {
        let (mut cells, mut next) = (vec![Cell::new(x, y)], 0);
        while let Some(&Cell { x, y }) = cells.get(next) {
            next += 1;
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if left.remove(&(sector, y, x)) {
                    cells.push(Cell::new(x, y));
                }
            }
        }
        let mean = |of: &dyn Fn(&Cell) -> u32| {
            f64::from(cells.iter().map(of).sum::<u32>()) / cells.len() as f64
        };
        let middle = (mean(&|cell| cell.x), mean(&|cell| cell.y));
        let off = |cell: &Cell| {
            (f64::from(cell.x) - middle.0).powi(2) + (f64::from(cell.y) - middle.1).powi(2)
        };
        let centre = cells.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b)));
        regions.push(Region { centre: centre.unwrap_or_default(), cells });
    }
    regions
}

/// Whether a step leads from one region to the other without cutting corners.
fn touch(grid: &Grid, a: &Region, b: &Region) -> bool {
    a.cells.iter().any(|from| {
        b.cells.iter().any(|to| {
            from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)) == 1
                && grid.is_free(Cell::new(from.x, to.y))
                && grid.is_free(Cell::new(to.x, from.y))
        })
    })
}

fn walk(grid: &Grid, planner: &str, start: Cell, goal: Cell) -> Result<Path, Error> {
    let moves = Moves::EIGHT.with_diagonal(Diagonal::OnePointFour);
    let mut scratch = Scratch::new();
    let planner = Algorithm::named(planner)?.prepare(grid, moves)?;
    planner.find(grid, &Query::new(start, goal), &mut scratch)?;
    Ok(scratch.take_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_has_the_twelve_costs_that_are_printed() {
        let example = Example::work().unwrap();
        let printed = printed();
        assert_eq!(example.regions.len(), COUNT);
        let mut links = 0;
        for (a, row) in printed.iter().enumerate() {
            for (b, &(cost, next)) in row.iter().enumerate().filter(|(b, _)| *b != a) {
                let (one, two) = (&example.regions[a], &example.regions[b]);
                assert_eq!(touch(&example.case.grid, one, two), next == b, "{a} {b}");
                if next == b {
                    assert_eq!(example.matrix[a][b], (cost, next), "{a} {b}");
                    links += 1;
                }
            }
        }
        assert_eq!(links, 24);
    }

    #[test]
    fn three_entries_are_misprints() {
        let example = Example::work().unwrap();
        let wanted = [("A-C", 27.6, 28.6), ("A-F", 15.6, 25.6), ("D-F", 36.4, 33.4)];
        let wanted = wanted.map(|(pair, printed, right)| (pair.to_string(), printed, right));
        assert_eq!(example.misprints(), wanted);
        assert_eq!(example.way('E', 'G'), ('B', 43.6));
        assert_eq!(example.way('G', 'D'), ('B', 45.2));
    }

    #[test]
    fn cutting_corners_and_depth_shorten_the_walk_as_printed() {
        let [plain, cut, deep] = Example::work().unwrap().excesses()[..] else { panic!() };
        assert!((22.5..23.5).contains(&plain) && (10.0..14.0).contains(&cut), "{plain} {cut}");
        assert_eq!(deep, 0.0);
    }
}
