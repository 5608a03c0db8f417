//! The ground of a map with heights: tints by height, shade by slope, and contour lines.
//!
//! The light comes from the upper left, as on printed maps, and hills are exaggerated so that the
//! picture has relief whatever the unit of the heights. Contour lines are a round number of metres
//! apart, every fifth one is darker.

use crate::{Colour, Pixels};
use blockstar::{Cell, Grid};
use std::io;

/// How a map's heights are drawn.
#[derive(Debug)]
pub struct Hills<'a> {
    grid: &'a Grid,
    low: f64,
    range: f64,
    /// Metres between contour lines; none on level ground.
    interval: Option<f64>,
    /// The slope of the shaded ground for a difference of one metre between neighbours.
    relief: f64,
}

impl<'a> Hills<'a> {
    /// The drawing of a map's heights, if it has any.
    pub fn of(grid: &'a Grid) -> Option<Self> {
        if !grid.has_heights() {
            return None;
        }
        let (mut low, mut high, mut steps, mut count) =
            (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0);
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let height = |x, y| grid.height_at(Cell::new(x, y)).map(f64::from);
                let Some(here) = height(x, y) else { continue };
                (low, high) = (low.min(here), high.max(here));
                for next in [height(x + 1, y), height(x, y + 1)].into_iter().flatten() {
                    steps += (next - here).abs();
                    count += 1.0;
                }
            }
        }
        let range = high - low;
        // Steps of 1, 2 or 5 times a power of ten, at most fifteen of them.
        let interval = (range > 0.0).then(|| {
            let unit = 10_f64.powf((range / 15.0).log10().floor());
            let parts = [1.0, 2.0, 5.0, 10.0].map(|part| part * unit);
            parts.into_iter().find(|step| range / step <= 15.0).unwrap_or(10.0 * unit)
        });
        let mean = if count > 0.0 { steps / count } else { 0.0 };
        // The mean step of neighbours is drawn as a slope of 0.45.
        let relief = if mean > 0.0 { 0.45 / mean } else { 0.0 };
        Some(Self { grid, low, range, interval, relief })
    }

    /// Metres between contour lines.
    pub fn interval(&self) -> Option<f64> {
        self.interval
    }

    /// The height at a place in cells, level beyond the outermost centres.
    fn height(&self, x: f64, y: f64) -> f64 {
        let place = |v: f64, count: u32| {
            let v = (v - 0.5).clamp(0.0, f64::from(count - 1));
            let low = (v as u32).min(count - 1);
            (low, (low + 1).min(count - 1), v - f64::from(low))
        };
        let (left, right, across) = place(x, self.grid.width());
        let (top, bottom, down) = place(y, self.grid.height());
        let at = |x, y| self.grid.height_at(Cell::new(x, y)).map_or(0.0, f64::from);
        let row = |y| at(left, y) + (at(right, y) - at(left, y)) * across;
        row(top) + (row(bottom) - row(top)) * down
    }

    /// The colours of a picture with `scale` pixels per cell, row by row.
    pub fn paint(&self, scale: u32) -> Vec<Colour> {
        let (width, height) = (self.grid.width() * scale, self.grid.height() * scale);
        let pixel = 1.0 / f64::from(scale);
        let row = |y: u32| -> Vec<f64> {
            (0..width + 1)
                .map(|x| self.height((f64::from(x) + 0.5) * pixel, (f64::from(y) + 0.5) * pixel))
                .collect()
        };
        let mut colours = Vec::with_capacity(width as usize * height as usize);
        let mut here = row(0);
        for y in 0..height {
            let below = row(y + 1);
            for x in 0..width as usize {
                let (u, v) = ((x as f64 + 0.5) * pixel, (f64::from(y) + 0.5) * pixel);
                let slope = |du: f64, dv: f64| {
                    (self.height(u + du, v + dv) - self.height(u - du, v - dv)) * self.relief
                };
                // Over a cell, so that the facets between centres do not show.
                let (east, south) = (slope(0.5, 0.0), slope(0.0, 0.5));
                let light = (1.0 + east + south) / (1.0 + east * east + south * south).sqrt();
                let mut colour = self.tint(here[x]);
                colour = if light < 1.0 {
                    colour.mix(Colour(0x2b, 0x30, 0x45), ((1.0 - light) * 0.5).min(0.55))
                } else {
                    colour.mix(Colour::WHITE, ((light - 1.0) * 0.75).min(0.5))
                };
                if let Some(interval) = self.interval {
                    let band = |height: f64| (height / interval).floor();
                    let (a, b, c) = (band(here[x]), band(here[x + 1]), band(below[x]));
                    if a != b || a != c {
                        let line = a.max(b).max(c);
                        let strong = line.rem_euclid(5.0) == 0.0;
                        colour =
                            colour.mix(Colour(0x4f, 0x3a, 0x26), if strong { 0.65 } else { 0.4 });
                    }
                }
                colours.push(colour);
            }
            here = below;
        }
        colours
    }

    /// The colour of a height: from meadows to snow.
    fn tint(&self, height: f64) -> Colour {
        const STOPS: [Colour; 6] =
            Colour::row([0x9dc08b, 0xc5d39a, 0xeae0b3, 0xddc292, 0xc6a280, 0xf1ece6]);
        let part = if self.range > 0.0 { (height - self.low) / self.range } else { 0.3 };
        Colour::along(&STOPS, part)
    }

    /// The same as a PNG file.
    ///
    /// # Errors
    /// If the picture is larger than a PNG file can hold.
    pub fn png(&self, scale: u32) -> io::Result<Vec<u8>> {
        let colours = self.paint(scale).into_iter();
        let pixels: Vec<u8> = colours.flat_map(|colour| [colour.0, colour.1, colour.2]).collect();
        Pixels::Rgb8(&pixels).png(self.grid.width() * scale, self.grid.height() * scale)
    }

    /// The same as a data URL, for pages and SVG files.
    pub fn data_url(&self, scale: u32) -> String {
        let bytes = self.png(scale).unwrap_or_default();
        format!("data:image/png;base64,{}", base64(&bytes))
    }
}

/// Bytes in base64.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i <= three.len() {
                text.push(char::from(LETTERS[(word >> (18 - 6 * i) & 63) as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_64_characters() {
        assert_eq!(
            ["", "f", "fo", "foo", "foob"].map(|t| base64(t.as_bytes())),
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }

    #[test]
    fn contour_lines_are_round_and_few() {
        let mut grid = Grid::new(2, 1).unwrap();
        for (high, interval) in [(1.0, 0.1), (15.0, 1.0), (1793.0, 200.0), (40.0, 5.0)] {
            grid.set_heights(&[0.0, high]).unwrap();
            assert_eq!(Hills::of(&grid).unwrap().interval(), Some(interval), "{high}");
        }
        grid.set_heights(&[3.0, 3.0]).unwrap();
        let level = Hills::of(&grid).unwrap();
        assert_eq!(level.interval(), None);
        assert_eq!(level.paint(3).len(), 18);
    }
}
