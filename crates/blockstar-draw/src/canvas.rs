//! Pixels, and shapes on them with smooth edges.
//!
//! How much a shape covers a pixel depends on how far the pixel's centre lies inside it, from half
//! a pixel outside to half a pixel inside: for lines and discs that is as good as supersampling.

use crate::{Colour, font};

/// A picture of red, green and blue bytes.
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    /// A picture in one colour.
    pub fn new(width: u32, height: u32, colour: Colour) -> Self {
        let (width, height) = (width as usize, height as usize);
        let pixels = [colour.0, colour.1, colour.2].repeat(width * height);
        Self { width, height, pixels }
    }

    /// The bytes, row by row.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// Fills whole pixels; what lies outside the picture is cut off.
    pub fn fill(&mut self, (x, y): (i64, i64), (w, h): (i64, i64), colour: Colour, cover: f64) {
        let clip = |v: i64, most: usize| v.clamp(0, most as i64) as usize;
        let (left, right) = (clip(x, self.width), clip(x + w, self.width));
        for row in clip(y, self.height)..clip(y + h, self.height) {
            for column in left..right {
                self.blend(column, row, colour, cover);
            }
        }
    }

    /// A line with round ends.
    pub fn line(&mut self, a: (f64, f64), b: (f64, f64), width: f64, colour: Colour) {
        let radius = width / 2.0;
        let reach = radius + 1.0;
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let squared = dx * dx + dy * dy;
        let rows = Self::range(a.1.min(b.1) - reach, a.1.max(b.1) + reach, self.height);
        for row in rows {
            let y = row as f64 + 0.5;
            // Only the part of the line that comes near this row can touch it.
            let at = |target: f64| if dy == 0.0 { f64::NAN } else { (target - a.1) / dy };
            let (s, t) = (at(y - reach), at(y + reach));
            let (s, t) = if dy == 0.0 { (0.0, 1.0) } else { (s.min(t), s.max(t)) };
            let (s, t) = (s.clamp(0.0, 1.0), t.clamp(0.0, 1.0));
            let (p, q) = (a.0 + dx * s, a.0 + dx * t);
            for column in Self::range(p.min(q) - reach, p.max(q) + reach, self.width) {
                let x = column as f64 + 0.5;
                let along = if squared == 0.0 {
                    0.0
                } else {
                    (((x - a.0) * dx + (y - a.1) * dy) / squared).clamp(0.0, 1.0)
                };
                let (ex, ey) = (x - a.0 - dx * along, y - a.1 - dy * along);
                self.blend(column, row, colour, radius + 0.5 - ex.hypot(ey));
            }
        }
    }

    /// A disc.
    pub fn disc(&mut self, centre: (f64, f64), radius: f64, colour: Colour) {
        self.line(centre, centre, 2.0 * radius, colour);
    }

    /// A text of the pixel font, by its left end and middle line and the side of its pixels.
    pub fn text(&mut self, (x, y): (f64, f64), size: i64, text: &str, colour: Colour) {
        let top = y as i64 - font::HEIGHT as i64 * size / 2 + size / 2;
        for (i, character) in text.chars().enumerate() {
            let left = x as i64 + i as i64 * size * (font::WIDTH as i64 + 1);
            for (row, bits) in font::glyph(character).into_iter().enumerate() {
                for column in 0..font::WIDTH {
                    if bits >> (font::WIDTH - 1 - column) & 1 != 0 {
                        let at = (left + column as i64 * size, top + row as i64 * size);
                        self.fill(at, (size, size), colour, 1.0);
                    }
                }
            }
        }
    }

    fn range(from: f64, to: f64, most: usize) -> std::ops::Range<usize> {
        let clip = |v: f64| v.clamp(0.0, most as f64) as usize;
        clip(from.floor())..clip(to.ceil())
    }

    fn blend(&mut self, column: usize, row: usize, colour: Colour, cover: f64) {
        if cover <= 0.0 {
            return;
        }
        let at = (row * self.width + column) * 3;
        let pixel = &mut self.pixels[at..at + 3];
        let mixed = if cover >= 1.0 {
            colour
        } else {
            Colour(pixel[0], pixel[1], pixel[2]).mix(colour, cover)
        };
        pixel.copy_from_slice(&[mixed.0, mixed.1, mixed.2]);
    }
}
