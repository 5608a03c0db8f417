//! Small boards as SVG: cells with numbers, walls, blocks and paths. Colours are classes of the
//! page's style sheet, so that they suit light and dark pages.

use blockstar_draw::{escaped, short};
use std::fmt::Write;

/// Picture units per cell.
const UNIT: f64 = 26.0;
/// The same for the margin around the board, which has the names of rows and columns.
const MARGIN: f64 = 18.0;

/// A board under construction, in units of cells; y points down.
#[derive(Debug)]
pub struct Board {
    width: f64,
    height: f64,
    body: String,
}

impl Board {
    /// A board of one colour.
    pub fn plain(width: u32, height: u32, class: &str) -> Self {
        let (width, height) = (f64::from(width), f64::from(height));
        let mut board = Self { width, height, body: String::new() };
        board.rect((0.0, 0.0, width, height), class);
        board
    }

    /// An empty board with lines between its cells.
    pub fn new(width: u32, height: u32) -> Self {
        let mut board = Self::plain(width, height, "floor");
        let (width, height) = (board.width, board.height);
        let mut lines = String::new();
        let mut at = 1.0;
        while at < width.max(height) {
            // Writing to a string cannot fail, here and below.
            if at < width {
                let _ = write!(lines, "M{} 0V{}", at * UNIT, height * UNIT);
            }
            if at < height {
                let _ = write!(lines, "M0 {}H{}", at * UNIT, width * UNIT);
            }
            at += 1.0;
        }
        let _ = write!(board.body, "<path class=\"seam\" d=\"{lines}\"/>");
        board
    }

    /// A rectangle: x, y, width, height.
    pub fn rect(&mut self, (x, y, width, height): (f64, f64, f64, f64), class: &str) {
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
            short(x * UNIT),
            short(y * UNIT),
            short(width * UNIT),
            short(height * UNIT)
        );
    }

    /// A cell.
    pub fn cell(&mut self, x: f64, y: f64, class: &str) {
        self.rect((x, y, 1.0, 1.0), class);
    }

    /// Text around a point.
    pub fn text(&mut self, x: f64, y: f64, text: &str, class: &str) {
        let (x, y) = (short(x * UNIT), short(y * UNIT + 4.0));
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(text)
        );
    }

    /// Names of columns below and of rows to the left, `offset` after the lines: half a cell for
    /// cells, nothing for vertices.
    pub fn names(&mut self, columns: &[String], rows: &[String], offset: f64) {
        for (index, name) in columns.iter().enumerate() {
            self.text(index as f64 + offset, self.height + 0.42, name, "name");
        }
        for (index, name) in rows.iter().enumerate() {
            self.text(-0.4, index as f64 + offset, name, "name");
        }
    }

    /// A line through points.
    pub fn line(&mut self, points: &[(f64, f64)], class: &str) {
        let place = |&(x, y): &(f64, f64)| format!("{},{}", short(x * UNIT), short(y * UNIT));
        let points: Vec<_> = points.iter().map(place).collect();
        let _ = write!(self.body, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }

    /// A disc; `opacity` from 0 to 1.
    pub fn disc(&mut self, x: f64, y: f64, radius: f64, class: &str, opacity: f64) {
        let _ = write!(
            self.body,
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill-opacity=\"{}\"/>",
            short(x * UNIT),
            short(y * UNIT),
            short(radius * UNIT),
            short(opacity)
        );
    }

    /// The finished picture with cells of `pixels`, and a description for those who cannot see it.
    pub fn svg(&self, pixels: f64, description: &str) -> String {
        let (width, height) = (self.width * UNIT + 2.0 * MARGIN, self.height * UNIT + 2.0 * MARGIN);
        let (shown_width, shown_height) = (width * pixels / UNIT, height * pixels / UNIT);
        format!(
            "<svg class=\"board\" role=\"img\" viewBox=\"{} {} {width} {height}\" \
             width=\"{shown_width:.0}\" height=\"{shown_height:.0}\"><title>{}</title>{}</svg>",
            -MARGIN,
            -MARGIN,
            escaped(description),
            self.body
        )
    }
}
