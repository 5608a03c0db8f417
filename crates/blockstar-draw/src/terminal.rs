//! A small drawing of a map and a path in characters.
//!
//! A character is about twice as high as wide. A small map gets two characters per cell; a larger
//! one gets one character for a column of two cells, drawn with half blocks, or for more cells.

use blockstar::{Cell, Grid, Path, Point};

/// The most columns and lines of a drawing.
const COLUMNS: u32 = 100;
const LINES: u32 = 40;

/// Whether the drawing is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// With the escape sequences of terminals.
    Coloured,
    /// Characters only.
    Plain,
}

impl Ink {
    /// Colours on a terminal, unless the user has set `NO_COLOR`.
    pub fn for_stdout() -> Self {
        use std::io::IsTerminal;
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if std::io::stdout().is_terminal() && !refused { Self::Coloured } else { Self::Plain }
    }
}

/// What a character shows, in ascending order of importance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Nothing,
    Expanded,
    Path,
    Start,
    Goal,
}

/// Draws a map with what was expanded, a path and its ends.
pub fn draw(
    grid: &Grid,
    expanded: &[Point],
    path: &Path,
    (start, goal): (Point, Point),
    ink: Ink,
) -> String {
    let (width, height) = (grid.width(), grid.height());
    let large = 2 * width <= COLUMNS && height <= LINES;
    // Cells per character.
    let across = if large { 1 } else { width.div_ceil(COLUMNS).max(height.div_ceil(2 * LINES)) };
    let down = if large { 1 } else { 2 * across };
    let (columns, lines) = (width.div_ceil(across), height.div_ceil(down));
    let mut marks = vec![Mark::Nothing; columns as usize * lines as usize];
    let mut put = |cell: Option<Cell>, mark: Mark| {
        if let Some(cell) = cell.filter(|&cell| grid.contains(cell)) {
            let at = &mut marks[(cell.y / down * columns + cell.x / across) as usize];
            *at = mark.max(*at);
        }
    };
    for &point in expanded {
        put(grid.cell_of(point), Mark::Expanded);
    }
    // Along its points: `Path::cells` leaves out stretches on grid lines.
    for pair in path.points().windows(2) {
        let steps = (4.0 * pair[0].distance(pair[1])).ceil().max(1.0);
        for i in 0..=steps as u32 {
            let share = f64::from(i) / steps;
            let along = |a: f64, b: f64| a + (b - a) * share;
            let (x, y) = (along(pair[0].x(), pair[1].x()), along(pair[0].y(), pair[1].y()));
            put(grid.cell_of(Point::new(x, y)), Mark::Path);
        }
    }
    put(grid.cell_of(start), Mark::Start);
    put(grid.cell_of(goal), Mark::Goal);

    let mut text = String::new();
    let border = if large { 2 * columns } else { columns } as usize;
    text.push_str(&format!("┌{}┐\n", "─".repeat(border)));
    for line in 0..lines {
        text.push('│');
        for column in 0..columns {
            let mark = marks[(line * columns + column) as usize];
            let is_wall = |top: u32, rows: u32| {
                mostly_blocked(grid, column * across, line * down + top, across, rows)
            };
            let (glyph, code) = match mark {
                Mark::Start => ('S', "1;32"),
                Mark::Goal => ('G', "1;35"),
                Mark::Path => ('*', "1;31"),
                Mark::Expanded | Mark::Nothing => {
                    let (upper, lower) = if large {
                        (is_wall(0, 1), is_wall(0, 1))
                    } else {
                        (is_wall(0, across), is_wall(across, across))
                    };
                    match (upper, lower) {
                        (true, true) => ('█', "90"),
                        (true, false) => ('▀', "90"),
                        (false, true) => ('▄', "90"),
                        (false, false) if mark == Mark::Expanded => ('·', "36"),
                        (false, false) => (' ', ""),
                    }
                }
            };
            let mut piece = String::from(glyph);
            if large {
                piece.push(if glyph == '█' { '█' } else { ' ' });
            }
            match ink {
                Ink::Coloured if !code.is_empty() => {
                    text.push_str(&format!("\x1b[{code}m{piece}\x1b[0m"));
                }
                _ => text.push_str(&piece),
            }
        }
        text.push_str("│\n");
    }
    text.push_str(&format!("└{}┘\n", "─".repeat(border)));
    text
}

/// Whether more than half of the cells of a rectangle are blocked, as far as they lie on the map.
fn mostly_blocked(grid: &Grid, left: u32, top: u32, width: u32, height: u32) -> bool {
    let right = (left + width).min(grid.width());
    let bottom = (top + height).min(grid.height());
    let cells = (top..bottom).flat_map(|y| (left..right).map(move |x| Cell::new(x, y)));
    let (blocked, all) = cells
        .fold((0, 0), |(blocked, all), cell| (blocked + usize::from(!grid.is_free(cell)), all + 1));
    2 * blocked > all
}
