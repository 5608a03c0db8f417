//! Scenes as pixels.

use crate::canvas::Canvas;
use crate::heat::{self, Shades};
use crate::hills::Hills;
use crate::layout::{Entry, Layout, Swatch};
use crate::{Colour, Pixels, Scene};
use blockstar::{Cell, Point};
use std::io;

/// The bytes of a PNG file.
pub fn encode(scene: &Scene<'_>) -> io::Result<Vec<u8>> {
    let layout = Layout::of(scene);
    let mut painter = Painter {
        canvas: Canvas::new(layout.width, layout.height, Colour::PAPER),
        scene,
        layout: &layout,
    };
    painter.ground();
    painter.heat();
    painter.walls();
    painter.routes();
    painter.marks();
    for entry in &layout.legend {
        painter.legend(entry);
    }
    Pixels::Rgb8(&painter.canvas.into_pixels()).png(layout.width, layout.height)
}

struct Painter<'a> {
    canvas: Canvas,
    scene: &'a Scene<'a>,
    layout: &'a Layout,
}

impl Painter<'_> {
    fn side(&self) -> i64 {
        self.layout.scale.into()
    }

    /// The pixel at the top left of a cell.
    fn corner(&self, x: u32, y: u32) -> (i64, i64) {
        let at = |origin: u32, v: u32| i64::from(origin) + i64::from(v) * self.side();
        (at(self.layout.map_x, x), at(self.layout.map_y, y))
    }

    /// Where a point is in the picture.
    fn place(&self, point: Point) -> (f64, f64) {
        let scale = f64::from(self.layout.scale);
        (
            f64::from(self.layout.map_x) + point.x() * scale,
            f64::from(self.layout.map_y) + point.y() * scale,
        )
    }

    fn ground(&mut self) {
        let (grid, side) = (self.scene.grid, self.side());
        let (w, h) = (i64::from(grid.width()), i64::from(grid.height()));
        self.canvas.fill(self.corner(0, 0), (w * side, h * side), Colour::FLOOR, 1.0);
        if let Some(hills) = Hills::of(grid) {
            let (left, top) = self.corner(0, 0);
            let columns = (w * side) as usize;
            for (index, colour) in hills.paint(self.layout.scale).into_iter().enumerate() {
                let at = (left + (index % columns) as i64, top + (index / columns) as i64);
                self.canvas.fill(at, (1, 1), colour, 1.0);
            }
            return;
        }
        if let Some(shades) = Shades::of(grid) {
            for y in 0..grid.height() {
                for x in 0..grid.width() {
                    let cost = grid.cost(Cell::new(x, y));
                    if cost > 0.0 {
                        let colour = Shades::colour(shades.step(cost));
                        self.canvas.fill(self.corner(x, y), (side, side), colour, 1.0);
                    }
                }
            }
        }
        if side >= 9 {
            for x in 1..grid.width() {
                self.canvas.fill(self.corner(x, 0), (1, h * side), Colour::SEAM, 1.0);
            }
            for y in 1..grid.height() {
                self.canvas.fill(self.corner(0, y), (w * side, 1), Colour::SEAM, 1.0);
            }
        }
    }

    fn heat(&mut self) {
        let side = self.side();
        // Terrain shines through.
        let cover = heat::cover(self.scene.grid);
        // With seams between them, cells can be counted.
        let seam = i64::from(side >= 9 && !self.scene.grid.has_heights());
        for (level, point) in heat::levels(self.scene.expanded) {
            let (x, y) = self.place(point);
            let half = side as f64 / 2.0;
            let at = ((x - half).round() as i64 + seam, (y - half).round() as i64 + seam);
            let size = (side - seam, side - seam);
            self.canvas.fill(at, size, heat::colour(level), cover);
        }
    }

    fn walls(&mut self) {
        let (grid, side) = (self.scene.grid, self.side());
        let blocked = |x: u32, y: u32| !grid.is_free(Cell::new(x, y));
        // The shadow, which lifts the walls off the ground, is the walls moved a little to the
        // lower right. On a free cell it has three parts, by the walls above, to the left and
        // between.
        let depth = (side * 2 / 9).min(6);
        let rest = side - depth;
        for y in 0..if depth > 0 { grid.height() } else { 0 } {
            for x in 0..grid.width() {
                if blocked(x, y) {
                    continue;
                }
                let (left, top) = self.corner(x, y);
                let parts = [
                    (y > 0 && blocked(x, y - 1), (left + depth, top), (rest, depth)),
                    (x > 0 && blocked(x - 1, y), (left, top + depth), (depth, rest)),
                    (x > 0 && y > 0 && blocked(x - 1, y - 1), (left, top), (depth, depth)),
                ];
                for (_, at, size) in parts.into_iter().filter(|part| part.0) {
                    self.canvas.fill(at, size, Colour::INK, 0.16);
                }
            }
        }
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                if blocked(x, y) {
                    self.canvas.fill(self.corner(x, y), (side, side), Colour::WALL, 1.0);
                }
            }
        }
    }

    fn routes(&mut self) {
        for (number, route) in self.scene.routes.iter().enumerate() {
            let points: Vec<_> = route.points.iter().map(|&point| self.place(point)).collect();
            let width = self.layout.line_width(self.scene, number);
            // The outermost path gets a white edge; the others lie on it.
            let casing =
                (number == 0).then_some((width + (width * 0.5).clamp(2.0, 4.0), Colour::WHITE));
            for (width, colour) in casing.into_iter().chain([(width, route.colour)]) {
                for pair in points.windows(2) {
                    self.canvas.line(pair[0], pair[1], width, colour);
                }
            }
        }
    }

    fn marks(&mut self) {
        if let Some((start, goal)) = self.scene.ends {
            let radius = self.layout.mark_radius();
            let (start, goal) = (self.place(start), self.place(goal));
            self.start(start, radius);
            self.goal(goal, radius);
        }
    }

    fn start(&mut self, at: (f64, f64), radius: f64) {
        self.canvas.disc(at, radius * 1.25, Colour::WHITE);
        self.canvas.disc(at, radius, Colour::START);
        self.canvas.disc(at, radius * 0.35, Colour::WHITE);
    }

    fn goal(&mut self, at: (f64, f64), radius: f64) {
        self.canvas.disc(at, radius * 1.25, Colour::WHITE);
        self.canvas.disc(at, radius, Colour::GOAL);
        self.canvas.disc(at, radius * 0.68, Colour::WHITE);
        self.canvas.disc(at, radius * 0.4, Colour::GOAL);
    }

    fn legend(&mut self, entry: &Entry) {
        let (x, y, unit) = (entry.x, entry.y, self.layout.unit);
        let swatch = self.layout.swatch();
        match entry.swatch {
            Swatch::None => {}
            Swatch::Line(colour) => {
                let (from, to) = (x + 2.0 * unit, x + swatch - 2.0 * unit);
                self.canvas.line((from, y), (to, y), 3.0 * unit, colour);
            }
            Swatch::Heat => {
                for column in 0..swatch as i64 {
                    let colour = Colour::heat(column as f64 / (swatch - 1.0));
                    let at = (x as i64 + column, (y - 3.5 * unit) as i64);
                    self.canvas.fill(at, (1, 7 * unit as i64), colour, 1.0);
                }
            }
            Swatch::Start => self.start((x + 4.0 * unit, y), 3.5 * unit),
            Swatch::Goal => self.goal((x + 4.0 * unit, y), 3.5 * unit),
        }
        let faded = if entry.swatch == Swatch::None { 0.0 } else { 0.15 };
        let colour = Colour::INK.mix(Colour::PAPER, faded);
        self.canvas.text((entry.text_x, y), unit as i64, &entry.text, colour);
    }
}
