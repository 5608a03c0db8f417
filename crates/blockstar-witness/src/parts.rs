//! The connected parts of a map.

use blockstar::{Cell, Grid, Rect};

/// The sizes of the parts of a map that are connected by straight steps. Diagonal steps connect
/// them further only if they may pass the corners of walls.
pub fn parts(grid: &Grid) -> Vec<usize> {
    let (width, height) = (grid.width(), grid.height());
    let at = |cell: Cell| cell.y as usize * width as usize + cell.x as usize;
    let mut seen = vec![false; width as usize * height as usize];
    let mut sizes = Vec::new();
    let mut waiting = Vec::new();
    for first in Rect::new(0, 0, width, height).cells().filter(|&cell| grid.is_free(cell)) {
        if std::mem::replace(&mut seen[at(first)], true) {
            continue;
        }
        waiting.push(first);
        let mut size = 0;
        while let Some(cell) = waiting.pop() {
            size += 1;
            let around = [
                (cell.x.wrapping_sub(1), cell.y),
                (cell.x + 1, cell.y),
                (cell.x, cell.y.wrapping_sub(1)),
                (cell.x, cell.y + 1),
            ];
            for next in around.map(|(x, y)| Cell::new(x, y)) {
                if grid.is_free(next) && !std::mem::replace(&mut seen[at(next)], true) {
                    waiting.push(next);
                }
            }
        }
        sizes.push(size);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use blockstar::Grid;

    #[test]
    fn parts_that_touch_at_corners_only_are_apart() {
        let parts = |drawing: &str| super::parts(&Grid::from_ascii(drawing).unwrap());
        assert_eq!(parts("..#\n..#\n##."), [4, 1]);
        assert_eq!(parts("##\n##"), [0; 0]);
        assert_eq!(parts("...\n.#.\n..."), [8]);
    }
}
