//! `polyanya`: shortest any-angle paths on a navigation mesh.
//!
//! The mesh is made from the map: free cells are merged greedily into rectangles, each as large as
//! possible to the right and down from the first cell that is not in one yet. Where the corner of a
//! rectangle lies on the side of another, it is a vertex of both, so that an edge has one polygon
//! on each side. Making it is counted as preparing, with what the crate bakes on top: the tree that
//! finds the polygon of a point, and the islands. Dead ends are marked, which spares the crate
//! work. (The vertices to turn at are the crate's own choice, all at the edge of the mesh. With
//! only the corners of single blocked cells, it missed paths that graze cells on both sides.)
//!
//! Polygons are only neighbours across edges, so no path leads through a double corner: the rule is
//! the strict `any-angle`. For the crate a point on a double corner is on both sides of it, but a
//! query means a cell; so both ends are moved into their cells by [`NUDGE`].
//!
//! The crate computes in `f32`, and by its own account accepts as a vertex what is some thousandths
//! of a cell away from it. A shortest path turns only at corners, so points this near to a corner,
//! including start and goal, are snapped to it before the path is walked and measured: neither
//! rounding nor the moved ends count against it, and its lengths are exact. Any difference left is
//! real.

use crate::contender::{Contender, Entry};
use blockstar::{Cell, Grid, Point, Rule};
use glam::Vec2;
use polyanya::{Mesh, Path, Polygon, Vertex};

/// What the crate writes where no polygon is.
const OUTSIDE: u32 = u32::MAX;

/// How far from a corner a point may be to be meant for it, in cells.
const NEAR: f32 = 0.01;

/// How far start and goal are moved, right and down, in cells: enough for the crate to tell them
/// from the corner on maps of some thousand cells.
const NUDGE: f32 = 1.0 / 1024.0;

/// The free cells of a map in rectangles.
struct Tiling {
    width: u32,
    height: u32,
    /// The rectangle of each cell, or [`OUTSIDE`].
    owners: Vec<u32>,
    tiles: Vec<Tile>,
}

/// A rectangle of cells: from the corner (`left`, `top`) to the corner (`right`, `bottom`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tile {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Tile {
    fn area(self) -> u64 {
        u64::from(self.right - self.left) * u64::from(self.bottom - self.top)
    }

    /// The corner points of cells all around, in the order in which y turns to x: what the crate
    /// calls counter-clockwise.
    fn ring(self) -> impl Iterator<Item = (u32, u32)> {
        let Self { left, top, right, bottom } = self;
        (left..right)
            .map(move |x| (x, top))
            .chain((top..bottom).map(move |y| (right, y)))
            .chain((left + 1..=right).rev().map(move |x| (x, bottom)))
            .chain((top + 1..=bottom).rev().map(move |y| (left, y)))
    }
}

impl Tiling {
    fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let owners = vec![OUTSIDE; width as usize * height as usize];
        let mut tiling = Self { width, height, owners, tiles: Vec::new() };
        for y in 0..height {
            for x in 0..width {
                if tiling.is_open(grid, x, y) {
                    tiling.grow(grid, x, y);
                }
            }
        }
        tiling
    }

    /// Whether a cell is free and in no rectangle yet.
    fn is_open(&self, grid: &Grid, x: u32, y: u32) -> bool {
        x < self.width
            && y < self.height
            && grid.is_free(Cell::new(x, y))
            && self.owners[self.index(x, y)] == OUTSIDE
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Adds the larger of two rectangles: first to the right and then down, or the other way round.
    fn grow(&mut self, grid: &Grid, left: u32, top: u32) {
        let open = |x, y| self.is_open(grid, x, y);
        let mut wide = Tile { left, top, right: left + 1, bottom: top + 1 };
        let mut high = wide;
        while open(wide.right, top) {
            wide.right += 1;
        }
        while (left..wide.right).all(|x| open(x, wide.bottom)) {
            wide.bottom += 1;
        }
        while open(left, high.bottom) {
            high.bottom += 1;
        }
        while (top..high.bottom).all(|y| open(high.right, y)) {
            high.right += 1;
        }
        let tile = if high.area() > wide.area() { high } else { wide };
        let number = self.tiles.len() as u32;
        for y in tile.top..tile.bottom {
            let from = self.index(tile.left, y);
            self.owners[from..from + (tile.right - tile.left) as usize].fill(number);
        }
        self.tiles.push(tile);
    }

    /// The rectangles of the four cells at a corner point, in the order of [`Tile::ring`].
    fn around(&self, (x, y): (u32, u32)) -> [u32; 4] {
        // Left of or above the map, a coordinate wraps to a huge number.
        let (west, north) = (x.wrapping_sub(1), y.wrapping_sub(1));
        [(x, y), (west, y), (west, north), (x, north)].map(|(x, y)| {
            if x < self.width && y < self.height { self.owners[self.index(x, y)] } else { OUTSIDE }
        })
    }

    /// The rectangles as the crate wants them.
    fn mesh(&self) -> (Vec<Vertex>, Vec<Polygon>) {
        let row = self.width as usize + 1;
        let place = |(x, y): (u32, u32)| y as usize * row + x as usize;
        let mut numbers = vec![OUTSIDE; row * (self.height as usize + 1)];
        let mut vertices = Vec::new();
        for tile in &self.tiles {
            let Tile { left, top, right, bottom } = *tile;
            for corner in [(left, top), (right, top), (right, bottom), (left, bottom)] {
                let number = &mut numbers[place(corner)];
                if *number == OUTSIDE {
                    *number = vertices.len() as u32;
                    vertices.push(self.vertex(corner));
                }
            }
        }
        let polygons = self.tiles.iter().map(|tile| {
            let ring = tile.ring().map(|corner| numbers[place(corner)]);
            let vertices: Vec<_> = ring.filter(|&number| number != OUTSIDE).collect();
            Polygon::new(vertices, self.is_dead_end(*tile))
        });
        let polygons = polygons.collect();
        (vertices, polygons)
    }

    fn vertex(&self, corner: (u32, u32)) -> Vertex {
        let mut polygons = self.around(corner).to_vec();
        polygons.dedup();
        if polygons.len() > 1 && polygons.first() == polygons.last() {
            polygons.pop();
        }
        Vertex::new(point(corner), polygons)
    }

    /// Whether a rectangle has no more than one neighbour.
    fn is_dead_end(&self, tile: Tile) -> bool {
        let Tile { left, top, right, bottom } = tile;
        let above = (left..right).map(|x| self.around((x, top))[3]);
        let below = (left..right).map(|x| self.around((x, bottom))[0]);
        let before = (top..bottom).map(|y| self.around((left, y))[1]);
        let behind = (top..bottom).map(|y| self.around((right, y))[0]);
        let mut neighbours =
            above.chain(below).chain(before).chain(behind).filter(|&owner| owner != OUTSIDE);
        let first = neighbours.next();
        neighbours.all(|neighbour| Some(neighbour) == first)
    }
}

fn point((x, y): (u32, u32)) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

struct Peer {
    /// There is none for a map without free cells.
    mesh: Option<Mesh>,
    start: Cell,
    answer: Option<Path>,
}

impl Peer {
    fn new(grid: &Grid) -> Self {
        let (vertices, polygons) = Tiling::new(grid).mesh();
        Self { mesh: Mesh::new(vertices, polygons).ok(), start: Cell::new(0, 0), answer: None }
    }
}

impl Contender for Peer {
    fn solve(&mut self, start: Cell, goal: Cell) {
        self.start = start;
        let [from, to] = [start, goal].map(|cell| point((cell.x, cell.y)) + NUDGE);
        self.answer = self.mesh.as_ref().and_then(|mesh| mesh.path(from, to));
    }

    fn route(&mut self) -> Option<Vec<Point>> {
        // Its paths do not include the start.
        let turns = self.answer.take()?.path.into_iter().map(|turn| {
            let corner = turn.round();
            let meant = if turn.distance(corner) < NEAR { corner } else { turn };
            Point::new(meant.x.into(), meant.y.into())
        });
        let mut points: Vec<_> = std::iter::once(self.start.corner()).chain(turns).collect();
        // The first turn or the last may be at the corner from which the end was moved.
        points.dedup();
        Some(points)
    }
}

pub(super) fn entry<'a>() -> Entry<'a> {
    Entry {
        name: "polyanya".into(),
        rules: vec![Rule::AnyAngle],
        own: false,
        prepare: Box::new(|grid, _| Ok(Box::new(Peer::new(grid)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Algorithm, Moves, Query, Scratch, Status, generate};

    #[test]
    fn a_small_map_becomes_the_right_polygons() {
        let tiling = Tiling::new(&Grid::from_ascii("...\n.#.\n...").unwrap());
        let tile = |left, top, right, bottom| Tile { left, top, right, bottom };
        let expected = [tile(0, 0, 3, 1), tile(0, 1, 1, 3), tile(2, 1, 3, 3), tile(1, 2, 2, 3)];
        assert_eq!(tiling.tiles, expected);

        let (vertices, polygons) = tiling.mesh();
        let rings: Vec<Vec<_>> = polygons
            .iter()
            .map(|polygon| {
                let coords = |&v: &u32| vertices[v as usize].coords;
                polygon.vertices.iter().map(coords).map(|at| (at.x as u32, at.y as u32)).collect()
            })
            .collect();
        // Corners of other rectangles are in the rings, too: (1, 1) and (2, 1) below the first one.
        assert_eq!(rings[0], [(0, 0), (3, 0), (3, 1), (2, 1), (1, 1), (0, 1)]);
        assert_eq!(rings[1], [(0, 1), (1, 1), (1, 2), (1, 3), (0, 3)]);
        assert_eq!(rings[2], [(2, 1), (3, 1), (3, 3), (2, 3), (2, 2)]);
        assert_eq!(rings[3], [(1, 2), (2, 2), (2, 3), (1, 3)]);
        let at = |x, y| vertices.iter().find(|vertex| vertex.coords == point((x, y))).unwrap();
        assert_eq!(at(1, 1).polygons, [OUTSIDE, 1, 0]);
        assert_eq!(at(2, 2).polygons, [2, 3, OUTSIDE]);
        assert_eq!(at(0, 1).polygons, [1, OUTSIDE, 0]);
        assert!(vertices.iter().all(|vertex| vertex.is_corner), "all are next to blocked cells");
        assert!(polygons.iter().all(|polygon| !polygon.is_one_way));
    }

    #[test]
    fn dead_ends_are_told_and_double_corners_are_closed() {
        let tiling = Tiling::new(&Grid::from_ascii("..##\n#..#\n##..").unwrap());
        let (_, polygons) = tiling.mesh();
        assert_eq!(polygons.len(), 3);
        let dead_ends: Vec<_> = polygons.iter().map(|polygon| polygon.is_one_way).collect();
        assert_eq!(dead_ends, [true, false, true]);

        let mut peer = Peer::new(&Grid::from_ascii(".#\n#.").unwrap());
        peer.solve(Cell::new(0, 0), Cell::new(1, 1));
        assert_eq!(peer.route(), None, "it must not squeeze through");
    }

    #[test]
    fn its_lengths_are_those_of_anya() {
        for seed in 0..6 {
            let grid = generate::random(24, 20, 20.0, seed).unwrap();
            let anya = Algorithm::named("anya").unwrap().prepare(&grid, Moves::ANY_ANGLE).unwrap();
            let (mut peer, mut scratch) = (Peer::new(&grid), Scratch::new());
            for (start, goal) in generate::queries(&grid, 40, seed) {
                let query = Query::between_corners(start, goal);
                assert_eq!(anya.find(&grid, &query, &mut scratch), Ok(Status::Found));
                peer.solve(start, goal);
                let route = peer.route().unwrap_or_default();
                let path = blockstar::Path::new(&grid, Moves::ANY_ANGLE, route);
                let (length, expected) = (path.cost(), scratch.path().cost());
                assert_eq!(path.check(&grid, Moves::ANY_ANGLE), Ok(()));
                assert!(
                    (length - expected).abs() < 1e-3,
                    "seed {seed}, {start} to {goal}: {length} instead of {expected}"
                );
            }
        }
    }
}
