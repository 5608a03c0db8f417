//! The elevation profile along a path: in the terminal, and as SVG.

use crate::{Colour, round_step, short, tidy};
use blockstar::{Grid, Path};
use std::fmt::Write;

/// Heights along a path.
#[derive(Debug)]
pub struct Profile {
    /// The distance along the path and the height, both in metres.
    points: Vec<(f64, f64)>,
    low: f64,
    high: f64,
}

impl Profile {
    /// The profile of a path; none if the map has no heights or the path no length.
    pub fn of(path: &Path, grid: &Grid, cell_size: f64) -> Option<Self> {
        if !grid.has_heights() {
            return None;
        }
        let places = path.profile_points(grid);
        let points: Vec<_> =
            places.iter().map(|place| (place.walked * cell_size, place.height)).collect();
        let heights = || points.iter().map(|point| point.1);
        let (low, high) =
            (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        let long = points.last().is_some_and(|point| point.0 > 0.0);
        long.then_some(Self { points, low, high })
    }

    fn length(&self) -> f64 {
        self.points.last().map_or(0.0, |point| point.0)
    }

    /// The height at a fraction of the way, from 0 to 1.
    fn at(&self, part: f64) -> f64 {
        let walked = part * self.length();
        let next =
            self.points.partition_point(|point| point.0 < walked).clamp(1, self.points.len() - 1);
        let ((x0, y0), (x1, y1)) = (self.points[next - 1], self.points[next]);
        if x1 > x0 { y0 + (y1 - y0) * ((walked - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { y1 }
    }

    /// A drawing of 80 columns and 10 lines in eighths of blocks.
    pub fn text(&self) -> String {
        const COLUMNS: usize = 80;
        const LINES: usize = 10;
        const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let range = if self.high > self.low { self.high - self.low } else { 1.0 };
        let fill: Vec<usize> = (0..COLUMNS)
            .map(|column| {
                let height = self.at((column as f64 + 0.5) / COLUMNS as f64);
                1 + ((height - self.low) / range * (LINES * 8 - 1) as f64).round() as usize
            })
            .collect();
        let mut text = String::new();
        for line in (0..LINES).rev() {
            // Writing to a string cannot fail, here and below.
            let _ = match line {
                l if l == LINES - 1 => write!(text, "{:>8} m ┤", tidy(self.high, 0)),
                0 => write!(text, "{:>8} m ┤", tidy(self.low, 0)),
                _ => write!(text, "           │"),
            };
            for &eighths in &fill {
                text.push(EIGHTHS[eighths.saturating_sub(line * 8).min(8)]);
            }
            text.push('\n');
        }
        let _ = writeln!(text, "           └{}", "─".repeat(COLUMNS));
        let length = distance(self.length());
        let _ = writeln!(text, "            0{length:>width$}", width = COLUMNS - 1);
        text
    }

    /// The text of an SVG file.
    pub fn svg(&self, title: &str) -> String {
        const WIDTH: f64 = 960.0;
        const HEIGHT: f64 = 300.0;
        const LEFT: f64 = 70.0;
        const RIGHT: f64 = 20.0;
        const TOP: f64 = 40.0;
        const BOTTOM: f64 = 40.0;
        let ticks = ticks(self.low, self.high);
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        let across = |walked: f64| LEFT + (WIDTH - LEFT - RIGHT) * walked / self.length();
        let up = |height: f64| {
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (height - first) / (last - first)
        };
        let title: String =
            title.chars().map(|c| if "<>&\"".contains(c) { '_' } else { c }).collect();
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 \
             {WIDTH} {HEIGHT}\" font-family=\"ui-sans-serif,system-ui,sans-serif\" font-size=\"12\">\n\
             <title>{title}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{}\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-weight=\"bold\" fill=\"{ink}\">{title}</text>\n",
            Colour::PAPER,
            ink = Colour::INK
        );
        for &tick in &ticks {
            let y = short(up(tick));
            let _ = writeln!(
                text,
                "<path d=\"M{LEFT} {y}H{}\" stroke=\"#d9d3c5\"/><text x=\"{}\" y=\"{}\" \
                 text-anchor=\"end\" fill=\"{}\">{tick} m</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                Colour::INK
            );
        }
        for tick in
            self::ticks(0.0, self.length()).into_iter().filter(|tick| *tick <= self.length())
        {
            let _ = writeln!(
                text,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
                short(across(tick)),
                HEIGHT - 16.0,
                Colour::INK,
                distance(tick)
            );
        }
        // A picture has fewer columns than a long path has points.
        let most = (WIDTH - LEFT - RIGHT) as usize * 2;
        let line: Vec<String> = if self.points.len() <= most {
            self.points
                .iter()
                .map(|p| format!("{},{}", short(across(p.0)), short(up(p.1))))
                .collect()
        } else {
            (0..=most)
                .map(|i| i as f64 / most as f64)
                .map(|part| {
                    format!("{},{}", short(across(part * self.length())), short(up(self.at(part))))
                })
                .collect()
        };
        let line = line.join(" ");
        let base = HEIGHT - BOTTOM;
        let _ = writeln!(
            text,
            "<polygon points=\"{LEFT},{base} {line} {},{base}\" fill=\"#c9b48c\" fill-opacity=\".7\"/>\n\
             <polyline points=\"{line}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" \
             stroke-linejoin=\"round\"/>\n</svg>",
            WIDTH - RIGHT,
            Colour::route(0)
        );
        text
    }
}

/// Round numbers from below to above a range, four to eight of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let range = if high > low { high - low } else { 1.0 };
    let step = round_step(range);
    let first = (low / step).floor();
    let count = ((high / step).ceil() - first).max(1.0) as u32;
    (0..=count).map(|i| ((first + f64::from(i)) * step * 1e6).round() / 1e6 + 0.0).collect()
}

fn distance(metres: f64) -> String {
    match metres {
        m if m >= 10_000.0 => format!("{} km", (m / 100.0).round() / 10.0),
        m => format!("{} m", (m * 10.0).round() / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Cell, Moves};

    #[test]
    fn a_profile_follows_the_ground() {
        let mut grid = Grid::new(5, 1).unwrap();
        grid.set_heights(&[0.0, 10.0, 40.0, 10.0, 0.0]).unwrap();
        let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(4, 0)]);
        let profile = Profile::of(&path, &grid, 30.0).unwrap();
        assert_eq!((profile.low, profile.high, profile.length()), (0.0, 40.0, 120.0));
        assert_eq!(profile.at(0.5), 40.0);
        assert_eq!(profile.at(0.375), 25.0);
        let text = profile.text();
        assert_eq!(text.lines().count(), 12);
        assert!(text.contains("40 m") && text.contains("120 m") && text.contains('█'), "{text}");
        assert!(profile.svg("a<b").contains("a_b"));
        assert!(ticks(-0.3, 0.0).iter().all(|tick| tick.is_sign_positive() || *tick < 0.0));
        let stay = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0)]);
        assert!(Profile::of(&stay, &grid, 1.0).is_none());
    }

    /// Heights between four centres are bilinear, but a diagonal step does not climb the peaks
    /// beside it.
    #[test]
    fn a_path_that_climbs_nothing_has_no_hump() {
        let mut grid = Grid::new(2, 2).unwrap();
        grid.set_heights(&[3.0, 10.0, 10.0, 3.0]).unwrap();
        let path = Path::new(&grid, Moves::EIGHT, [Cell::new(0, 0), Cell::new(1, 1)]);
        assert_eq!(blockstar::Naturalness::of(&path, &grid, 1.0).gained, 0.0);
        let profile = Profile::of(&path, &grid, 1.0).unwrap();
        assert_eq!((profile.low, profile.high, profile.at(0.5)), (3.0, 3.0, 3.0));
    }
}
