//! Terrain and a path as a Wavefront OBJ file, for 3-D tools.
//!
//! The ground is a net of triangles between the centres of cells: x to the east, y up and z to the
//! south, in metres, as in game engines. Squares with a blocked corner form a separate group. The
//! path is a line along the ground, a little above it.
//!
//! A square is cut along the diagonal with the lower midpoint. The surface over the square then
//! sags, and no part of a path, which is straight from side to side ([`Path::profile_points`]), can
//! lie under it.

use blockstar::{Cell, Grid, Path, ProfilePoint};
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
                let level = |i: usize| {
                    let (x, y) = corners[i];
                    f64::from(grid.height_at(Cell::new(x, y)).unwrap_or(0.0))
                };
                let [a, b, c, d] = corners.map(|(x, y)| corner(x, y));
                // Anticlockwise as seen from above, so that faces point up.
                let _ = if level(0) + level(2) <= level(1) + level(3) {
                    writeln!(text, "f {a} {b} {c}\nf {a} {c} {d}")
                } else {
                    writeln!(text, "f {b} {c} {d}\nf {b} {d} {a}")
                };
            }
        }
    }
    if path.points().len() > 1 {
        text.push_str("o path\n");
        let above = 0.02 * cell_size + 0.002 * f64::from(high - low);
        let mut count = 0;
        for ProfilePoint { x, y, height, .. } in path.profile_points(grid) {
            let (east, south) = ((x - 0.5) * cell_size, (y - 0.5) * cell_size);
            count += 1;
            let _ = writeln!(text, "v {east:.4} {:.4} {south:.4}", height + above);
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
        grid.set_heights(&(0..12).map(|i| i as f32).collect::<Vec<_>>()).unwrap();
        grid.set((3, 2), Tile::Blocked).unwrap();
        let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(2, 2)]);
        let text = write(&grid, &path, 10.0, "test");
        let lines = |start: &str| text.lines().filter(|l| l.starts_with(start)).count();
        assert_eq!((lines("f "), lines("g "), lines("l ")), (12, 2, 1));
        let vertices = lines("v ");
        assert_eq!(vertices, 12 + 3);
        for line in text.lines().filter(|l| l.starts_with("f ") || l.starts_with("l ")) {
            for index in line.split(' ').skip(1) {
                assert!((1..=vertices).contains(&index.parse().unwrap()), "{line}");
            }
        }
        assert!(text.contains("v 30 11 20"), "{text}");
    }

    /// Every vertex of a file.
    fn vertices(text: &str) -> Vec<[f64; 3]> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
        let numbers = |line: &str| {
            let words: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            [words[0], words[1], words[2]]
        };
        lines.map(numbers).collect()
    }

    /// On random ground the path never dips below a triangle, and every triangle points up.
    #[test]
    fn the_path_lies_above_the_ground_and_faces_look_up() {
        let mut random = blockstar::random::Random::new(3);
        for _ in 0..200 {
            let mut grid = Grid::new(5, 5).unwrap();
            grid.set_heights(&(0..25).map(|_| random.below(40) as f32).collect::<Vec<_>>())
                .unwrap();
            let mut part = || 0.5 + random.below(4097) as f64 / 1024.0;
            let ends = [0, 1].map(|_| blockstar::Point::new(part(), part()));
            let path = Path::new(&grid, Moves::ANY_ANGLE, ends);
            let text = write(&grid, &path, 2.0, "");
            let all = vertices(&text);
            let line = &all[25..];
            for face in text.lines().filter_map(|line| line.strip_prefix("f ")) {
                let index: Vec<usize> = face.split(' ').map(|i| i.parse().unwrap()).collect();
                let [a, b, c] = [0, 1, 2].map(|i| all[index[i] - 1]);
                let flat = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
                    (q[0] - p[0]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[0] - p[0])
                };
                let area = flat(a, b, c);
                // The normal (b - a) x (c - a) points up where z x x does.
                assert!(area < 0.0, "{face}");
                for pair in line.windows(2) {
                    for i in 0..=8 {
                        let t = f64::from(i) / 8.0;
                        let p = [0, 1, 2].map(|k| pair[0][k] + (pair[1][k] - pair[0][k]) * t);
                        let parts = [flat(b, c, p), flat(c, a, p), flat(a, b, p)];
                        let parts = parts.map(|part| part / area);
                        if parts.iter().all(|part| *part >= 0.0) {
                            let ground = parts[0] * a[1] + parts[1] * b[1] + parts[2] * c[1];
                            assert!(p[1] > ground, "{p:?} under {ground}");
                        }
                    }
                }
            }
        }
    }
}
