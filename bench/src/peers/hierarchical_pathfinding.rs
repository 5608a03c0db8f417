//! `hierarchical_pathfinding`: HPA* over chunks, with its paths inside the chunks cached.
//!
//! For this crate a diagonal step costs as much as a straight one and corners are always cut, so
//! its paths are compared by their length under the most permissive rule. The clock runs until the
//! path has been walked, because its paths are put together on the way.

use crate::contender::{Contender, Entry};
use crate::peers::Field;
use blockstar::{Cell, Grid, Moves, Point, Rule};
use hierarchical_pathfinding::PathCacheConfig;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache};

struct Peer {
    field: Field,
    cache: PathCache<MooreNeighborhood>,
    start: Cell,
    answer: Option<Vec<(usize, usize)>>,
}

/// The cost of a tile: negative means solid.
fn cost(field: &Field, (x, y): (usize, usize)) -> isize {
    if field.free[y * field.width as usize + x] { 1 } else { -1 }
}

impl Peer {
    fn new(grid: &Grid, moves: Moves, chunk_size: usize) -> Self {
        let field = Field::new(grid, moves);
        let (width, height) = (field.width as usize, field.height as usize);
        let cache = PathCache::new(
            (width, height),
            |tile| cost(&field, tile),
            MooreNeighborhood::new(width, height),
            PathCacheConfig::with_chunk_size(chunk_size),
        );
        Self { field, cache, start: Cell::new(0, 0), answer: None }
    }
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        let [from, to] = [start, goal].map(|cell| (cell.x as usize, cell.y as usize));
        let path = self.cache.find_path(from, to, |tile| cost(&self.field, tile));
        self.start = start;
        self.answer = path.map(Iterator::collect);
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        // Its paths do not include the start.
        let tiles = self.answer.take()?;
        let cells = tiles.into_iter().map(|(x, y)| Cell::new(x as u32, y as u32));
        Some(std::iter::once(self.start).chain(cells).map(Point::from).collect())
    }
}

pub(super) fn entries<'a>() -> [Entry<'a>; 2] {
    [16, 32].map(|chunk_size| Entry {
        name: format!("hierarchical_pathfinding:{chunk_size}"),
        rules: vec![Rule::EightCutAny],
        own: false,
        prepare: Box::new(move |grid, moves| Ok(Box::new(Peer::new(grid, moves, chunk_size)))),
    })
}
