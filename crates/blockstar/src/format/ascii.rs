//! Maps as drawings, for tests, documentation and quick experiments.
//!
//! One line per row; spaces around a line and empty lines are ignored, so a drawing can be
//! indented in source code. `.` is free, `#` and `@` are blocked, a digit 1 to 9 is free with that
//! terrain factor.

use crate::{Cell, Error, Grid, grid::check_size};

/// Reads a drawing.
///
/// ```
/// let grid = blockstar::format::ascii::parse("..#\n.9.")?;
/// assert_eq!(grid.cost((1, 1)), 9.0);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn parse(drawing: &str) -> Result<Grid, Error> {
    let lines: Vec<(usize, usize, &str)> = drawing
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            (i + 1, indent, line.trim())
        })
        .filter(|(_, _, line)| !line.is_empty())
        .collect();
    let width = lines.first().map_or(0, |(_, _, line)| line.chars().count());
    check_size(width as u64, lines.len() as u64)?;
    let mut factors = Vec::with_capacity(width * lines.len());
    for &(number, indent, line) in &lines {
        let fault = |cell: usize, problem| {
            let column = indent + cell + 1;
            Error::Format { format: "drawing", line: number, column, problem }
        };
        let length = line.chars().count();
        if length != width {
            let problem = format!("this row has {length} cells, but the first row has {width}");
            return Err(fault(length.min(width), problem));
        }
        for (x, character) in line.chars().enumerate() {
            factors.push(match character {
                '.' => 1.0,
                '#' | '@' => 0.0,
                '1'..='9' => f64::from(character as u32 - '0' as u32),
                other => {
                    let problem = format!("`{other}` is not a cell: use `.`, `#`, `@` or 1 to 9");
                    return Err(fault(x, problem));
                }
            });
        }
    }
    let (width, height) = (width as u32, lines.len() as u32);
    let factor = |cell: Cell| factors[cell.y as usize * width as usize + cell.x as usize];
    let mut grid = Grid::from_fn(width, height, |cell| factor(cell) != 0.0)?;
    if factors.iter().any(|&factor| factor > 1.0) {
        grid.set_costs(&factors)?;
    }
    Ok(grid)
}

/// Draws passability: `.` for free and `#` for blocked cells.
pub fn draw(grid: &Grid) -> String {
    let mut drawing = String::with_capacity((grid.width() as usize + 1) * grid.height() as usize);
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            drawing.push(if grid.is_free(Cell::new(x, y)) { '.' } else { '#' });
        }
        drawing.push('\n');
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_reads_back() {
        let drawing = "..#\n#..\n";
        assert_eq!(draw(&parse(drawing).unwrap()), drawing);
    }

    #[test]
    fn a_bad_drawing_is_told_by_line_and_column() {
        let message = |drawing| parse(drawing).unwrap_err().to_string();
        assert_eq!(
            message("...\n.x.\n"),
            "drawing, line 2, column 2: `x` is not a cell: use `.`, `#`, `@` or 1 to 9"
        );
        assert!(message("...\n....\n").contains("line 2, column 4"));
        assert!(message("  ...\n  .x.\n").contains("line 2, column 4"));
        assert!(message("").contains("0 x 0"));
    }
}
