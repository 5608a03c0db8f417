//! Scenes as shapes, in few bytes: equal neighbours are merged into rectangles, and everything of
//! one colour is one path.

use crate::heat::{self, LEVELS, Shades};
use crate::hills::Hills;
use crate::layout::{Entry, Layout, Swatch};
use crate::{Colour, Scene, escaped, short};
use blockstar::{Cell, Grid, Point};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of an SVG file.
pub fn write(scene: &Scene<'_>) -> String {
    let layout = Layout::of(scene);
    let mut text = String::new();
    let (width, height) = (layout.width, layout.height);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escaped(&scene.title),
        Colour::PAPER
    );
    let _ = writeln!(
        text,
        "<g transform=\"translate({} {}) scale({})\">",
        layout.map_x, layout.map_y, layout.scale
    );
    ground(&mut text, scene, layout.scale);
    heat_map(&mut text, scene);
    let walls = shape(scene.grid, |cell| !scene.grid.is_free(cell));
    if layout.scale >= 5 {
        let _ = writeln!(
            text,
            "<clipPath id=\"map\"><rect width=\"{}\" height=\"{}\"/></clipPath>\
             <g clip-path=\"url(#map)\"><path d=\"{walls}\" transform=\"translate(.2 .2)\" \
             fill=\"{}\" opacity=\".16\"/></g>",
            scene.grid.width(),
            scene.grid.height(),
            Colour::INK
        );
    }
    let _ = writeln!(
        text,
        "<path d=\"{walls}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>",
        Colour::WALL
    );
    routes(&mut text, scene, &layout);
    text.push_str("</g>\n");
    if let Some((start, goal)) = scene.ends {
        let scale = f64::from(layout.scale);
        let place = |point: Point| {
            let (x, y) = (f64::from(layout.map_x), f64::from(layout.map_y));
            (x + point.x() * scale, y + point.y() * scale)
        };
        mark(&mut text, Swatch::Start, place(start), layout.mark_radius());
        mark(&mut text, Swatch::Goal, place(goal), layout.mark_radius());
    }
    legend(&mut text, &layout);
    text.push_str("</svg>\n");
    text
}

fn ground(text: &mut String, scene: &Scene<'_>, scale: u32) {
    let grid = scene.grid;
    let (width, height) = (grid.width(), grid.height());
    let _ =
        writeln!(text, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>", Colour::FLOOR);
    if let Some(hills) = Hills::of(grid) {
        // Shades do not merge into shapes: the hills are an embedded picture.
        let _ = writeln!(
            text,
            "<image width=\"{width}\" height=\"{height}\" href=\"{}\"/>",
            hills.data_url(scale)
        );
        return;
    }
    let Some(shades) = Shades::of(grid) else { return };
    // Step 0 is the floor itself.
    for step in 1..16 {
        let is_step = |cell: Cell| grid.is_free(cell) && shades.step(grid.cost(cell)) == step;
        let path = shape(grid, is_step);
        if !path.is_empty() {
            let _ = writeln!(
                text,
                "<path d=\"{path}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>",
                Shades::colour(step)
            );
        }
    }
}

fn heat_map(text: &mut String, scene: &Scene<'_>) {
    let opacity = format!(" fill-opacity=\"{}\"", heat::cover(scene.grid));
    let opacity = if heat::cover(scene.grid) < 1.0 { opacity.as_str() } else { "" };
    let mut paths = vec![String::new(); LEVELS];
    // The run of neighbours that is being collected: level, left edge, upper edge, length.
    let mut run: Option<(usize, f64, f64, f64)> = None;
    let mut close = |run: Option<(usize, f64, f64, f64)>| {
        if let Some((level, x, y, length)) = run {
            let _ = write!(paths[level], "M{x} {y}h{length}v1h-{length}z");
        }
    };
    for (level, point) in heat::levels(scene.expanded) {
        let (x, y) = (point.x() - 0.5, point.y() - 0.5);
        match &mut run {
            Some((at, left, top, length)) if (*at, *left + *length, *top) == (level, x, y) => {
                *length += 1.0;
            }
            _ => close(run.replace((level, x, y, 1.0))),
        }
    }
    close(run);
    let drawn = paths.iter().enumerate().filter(|(_, path)| !path.is_empty());
    for (level, path) in drawn {
        let colour = heat::colour(level);
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"{colour}\"{opacity} shape-rendering=\"crispEdges\"/>"
        );
    }
}

fn routes(text: &mut String, scene: &Scene<'_>, layout: &Layout) {
    for (number, route) in scene.routes.iter().enumerate() {
        if route.points.is_empty() {
            continue;
        }
        let points: Vec<_> =
            route.points.iter().map(|point| format!("{},{}", point.x(), point.y())).collect();
        let width = layout.line_width(scene, number);
        let casing =
            (number == 0).then_some((width + (width * 0.5).clamp(2.0, 4.0), Colour::WHITE));
        for (width, colour) in casing.into_iter().chain([(width, route.colour)]) {
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                points.join(" "),
                short(width / f64::from(layout.scale))
            );
        }
    }
}

fn mark(text: &mut String, swatch: Swatch, (x, y): (f64, f64), radius: f64) {
    let discs: &[(f64, Colour)] = match swatch {
        Swatch::Start => &[(1.25, Colour::WHITE), (1.0, Colour::START), (0.35, Colour::WHITE)],
        _ => &[
            (1.25, Colour::WHITE),
            (1.0, Colour::GOAL),
            (0.68, Colour::WHITE),
            (0.4, Colour::GOAL),
        ],
    };
    for (part, colour) in discs {
        let (x, y, radius) = (short(x), short(y), short(radius * part));
        let _ = writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{colour}\"/>");
    }
}

fn legend(text: &mut String, layout: &Layout) {
    let (unit, width) = (layout.unit, layout.swatch());
    let _ = writeln!(
        text,
        "<g font-family=\"ui-monospace,Menlo,Consolas,monospace\" font-size=\"{}\">",
        8.5 * unit
    );
    for entry in &layout.legend {
        let &Entry { swatch, x, y, text_x, .. } = entry;
        match swatch {
            Swatch::None => {}
            Swatch::Line(colour) => {
                let (from, to) = (short(x + 2.0 * unit), short(x + width - 2.0 * unit));
                let _ = writeln!(
                    text,
                    "<path d=\"M{from} {}H{to}\" stroke=\"{colour}\" stroke-width=\"{}\" \
                     stroke-linecap=\"round\"/>",
                    short(y),
                    3.0 * unit
                );
            }
            Swatch::Heat => {
                text.push_str("<linearGradient id=\"heat\">");
                for stop in 0..=6 {
                    let part = f64::from(stop) / 6.0;
                    let colour = Colour::heat(part);
                    let part = short(part);
                    let _ = write!(text, "<stop offset=\"{part}\" stop-color=\"{colour}\"/>");
                }
                let _ = writeln!(
                    text,
                    "</linearGradient><rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{}\" \
                     fill=\"url(#heat)\"/>",
                    short(x),
                    short(y - 3.5 * unit),
                    7.0 * unit
                );
            }
            Swatch::Start | Swatch::Goal => mark(text, swatch, (x + 4.0 * unit, y), 3.5 * unit),
        }
        let weight = if swatch == Swatch::None { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" fill=\"{}\"{weight}>{}</text>",
            short(text_x),
            short(y + 3.0 * unit),
            Colour::INK,
            escaped(&entry.text)
        );
    }
    text.push_str("</g>\n");
}

/// The cells that a function chooses as the data of a path: runs in a row, merged with equal runs
/// in the rows below.
fn shape(grid: &Grid, chosen: impl Fn(Cell) -> bool) -> String {
    let mut data = String::new();
    // Runs that reach the current row: first and last column, and the row they began in.
    let mut open: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for y in 0..=grid.height() {
        let mut runs = BTreeMap::new();
        let mut x = 0;
        while y < grid.height() && x < grid.width() {
            let from = x;
            while x < grid.width() && chosen(Cell::new(x, y)) {
                x += 1;
            }
            if x > from {
                runs.insert((from, x), open.remove(&(from, x)).unwrap_or(y));
            }
            x += 1;
        }
        for ((from, to), top) in open {
            let (width, height) = (to - from, y - top);
            let _ = write!(data, "M{from} {top}h{width}v{height}h-{width}z");
        }
        open = runs;
    }
    data
}
