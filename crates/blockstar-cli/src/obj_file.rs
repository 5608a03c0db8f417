//! Terrain and a path as a Wavefront OBJ file, for 3-D tools.
//!
//! The ground is a net of squares between the centres of cells: x to the east, y up and z to the south,
//! in metres, as engines have it. Squares with a blocked corner are a group of their own. The path is a
//! line along the ground, a little above it.

use blockstar::{Cell, Grid, Path, Point};
use std::fmt::Write;

/// The text of an OBJ file.
pub fn write(grid: &Grid, path: &Path, cell_size: f64, title: &str) -> String {
    let (width, height) = (grid.width(), grid.height());
    let (low, high) = grid.height_range();
    let mut text = format!(
        "# {}\n# {width} x {height} heights, cells of {cell_size} m; x east, y up, z south\no terrain\n",
        title.replace(['\n', '\r'], " ")
    );
    for y in 0..height {
        for x in 0..width {
            let metres = grid.height_at(Cell::new(x, y)).unwrap_or(0.0);
            let (east, south) = (f64::from(x) * cell_size, f64::from(y) * cell_size);
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(text, "v {east} {metres} {south}");
        }
    }
    let corner = |x: u32, y: u32| u64::from(y) * u64::from(width) + u64::from(x) + 1;
    for (group, blocked) in [("ground", false), ("blocked", true)] {
        let mut named = false;
        for y in 1..height {
            for x in 1..width {
                let corners = [(x - 1, y - 1), (x - 1, y), (x, y), (x, y - 1)];
                let free = corners.iter().all(|&(x, y)| grid.is_free(Cell::new(x, y)));
                if free == blocked {
                    continue;
                }
                if !std::mem::replace(&mut named, true) {
                    let _ = writeln!(text, "g {group}");
                }
                let [a, b, c, d] = corners.map(|(x, y)| corner(x, y));
                let _ = writeln!(text, "f {a} {b} {c} {d}");
            }
        }
    }
    if path.points().len() > 1 {
        text.push_str("o path\n");
        let above = 0.02 * cell_size + 0.002 * f64::from(high - low);
        let mut count = 0;
        let mut vertex = |at: Point| {
            let metres = grid.height_at_point(at).unwrap_or(0.0) + above;
            let (east, south) = ((at.x() - 0.5) * cell_size, (at.y() - 0.5) * cell_size);
            count += 1;
            let _ = writeln!(text, "v {east:.4} {metres:.4} {south:.4}");
        };
        vertex(path.points()[0]);
        for pair in path.points().windows(2) {
            // From centre line to centre line the ground is nearly straight.
            let steps = (2.0 * pair[0].distance(pair[1])).ceil().max(1.0) as u32;
            for i in 1..=steps {
                let part = f64::from(i) / f64::from(steps);
                let along = |a: f64, b: f64| a + (b - a) * part;
                vertex(Point::new(
                    along(pair[0].x(), pair[1].x()),
                    along(pair[0].y(), pair[1].y()),
                ));
            }
        }
        let first = u64::from(width) * u64::from(height) + 1;
        text.push('l');
        for index in first..first + count {
            let _ = write!(text, " {index}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Moves, Tile};

    #[test]
    fn faces_and_lines_name_vertices_that_are_there() {
        let mut grid = Grid::new(4, 3).unwrap();
        grid.set_heights((0..12).map(|i| i as f32).collect()).unwrap();
        grid.set((3, 2), Tile::Blocked).unwrap();
        let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(2, 2)]);
        let text = write(&grid, &path, 10.0, "test");
        let lines = |start: &str| text.lines().filter(|l| l.starts_with(start)).count();
        assert_eq!((lines("f "), lines("g "), lines("l ")), (6, 2, 1));
        let vertices = lines("v ");
        assert_eq!(vertices, 12 + 7);
        for line in text.lines().filter(|l| l.starts_with("f ") || l.starts_with("l ")) {
            for index in line.split(' ').skip(1) {
                assert!((1..=vertices).contains(&index.parse().unwrap()), "{line}");
            }
        }
        assert!(text.contains("v 30 11 20"), "{text}");
    }
}
