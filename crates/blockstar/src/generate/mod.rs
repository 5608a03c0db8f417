//! Maps and queries made from a seed, for tests, measurements and demonstrations.
//!
//! The same arguments give the same map on every machine: only integers are involved, and tests pin
//! the results, so a measurement can name its maps by their seeds.

mod terrain;

pub use terrain::terrain;
pub(crate) use terrain::{fractal, scaled};

use crate::{Cell, Error, Grid, grid::check_size, random::Random};

/// A map where each cell is blocked with the given probability in percent, independently of the
/// others. From about 40 % on, such a map falls into pieces.
///
/// ```
/// let grid = blockstar::generate::random(100, 80, 20.0, 1)?;
/// assert!((6_200..6_600).contains(&grid.free_cells()));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn random(width: u32, height: u32, blocked_percent: f64, seed: u64) -> Result<Grid, Error> {
    if !(0.0..=100.0).contains(&blocked_percent) {
        let what = "the percentage of blocked cells";
        return Err(Error::Range { what, value: blocked_percent, range: "0 to 100" });
    }
    let blocked_per_million = (blocked_percent * 10_000.0).round() as u64;
    let mut random = stream(seed, "random");
    Grid::from_fn(width, height, |_| !random.chance(blocked_per_million, 1_000_000))
}

/// A maze with corridors of the given width between walls of one cell, with exactly one way from
/// anywhere to anywhere. Strips at the right and at the bottom that are too narrow for another
/// corridor are blocked.
///
/// ```
/// let maze = blockstar::generate::maze(15, 7, 1, 3)?;
/// // 8 x 4 places, and one gap in the walls for each place but the first.
/// assert_eq!(maze.free_cells(), 32 + 31);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn maze(width: u32, height: u32, corridor: u32, seed: u64) -> Result<Grid, Error> {
    let pitch = pitch(width, height, corridor, "the corridor width")?;
    let tree = Tree::grow((width + 1) / pitch, (height + 1) / pitch, &mut stream(seed, "maze"));
    Grid::from_fn(width, height, |cell| {
        let (column, row) = (cell.x / pitch, cell.y / pitch);
        if column >= tree.width || row >= tree.height {
            return false;
        }
        match (cell.x % pitch == corridor, cell.y % pitch == corridor) {
            (false, false) => true,
            (true, false) => tree.opens_east(column, row),
            (false, true) => tree.opens_south(column, row),
            (true, true) => false,
        }
    })
}

/// A map of square rooms of the given side between walls of one cell. Doors, one cell wide and in
/// random places, connect all rooms; about half of the remaining walls have a door too. The last
/// rooms at the right and at the bottom are smaller if the size does not divide evenly.
///
/// ```
/// use blockstar::Cell;
/// let grid = blockstar::generate::rooms(64, 64, 8, 5)?;
/// assert!(grid.is_free(Cell::new(7, 7)) && !grid.is_free(Cell::new(8, 8)));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn rooms(width: u32, height: u32, room: u32, seed: u64) -> Result<Grid, Error> {
    let pitch = pitch(width, height, room, "the room size")?;
    let (columns, rows) = (width.div_ceil(pitch), height.div_ceil(pitch));
    let mut random = stream(seed, "rooms");
    let tree = Tree::grow(columns, rows, &mut random);
    // For each room the places of the doors in its right and in its lower wall.
    let mut doors = Vec::with_capacity(columns as usize * rows as usize);
    for row in 0..rows {
        for column in 0..columns {
            let mut door = |opens: bool, rest: u32| {
                let place = random.below(rest.min(room).into()) as u32;
                (opens || random.chance(1, 2)).then_some(place as u16)
            };
            let right = door(tree.opens_east(column, row), height - row * pitch);
            let lower = door(tree.opens_south(column, row), width - column * pitch);
            doors.push([right, lower]);
        }
    }
    Grid::from_fn(width, height, |cell| {
        let (column, row) = (cell.x / pitch, cell.y / pitch);
        let (x, y) = (cell.x % pitch, cell.y % pitch);
        let [right, lower] = doors[row as usize * columns as usize + column as usize];
        match (x == room, y == room) {
            (false, false) => true,
            // A wall along the edge of the map needs no door.
            (true, false) => column + 1 < columns && right.map(u32::from) == Some(y),
            (false, true) => row + 1 < rows && lower.map(u32::from) == Some(x),
            (true, true) => false,
        }
    })
}

/// How far apart the walls of a map with places of a given side are, if there can be such a map.
fn pitch(width: u32, height: u32, side: u32, what: &'static str) -> Result<u32, Error> {
    check_size(width.into(), height.into())?;
    if side == 0 || side > width.min(height) {
        let range = "1 to the smaller side of the map";
        return Err(Error::Range { what, value: side.into(), range });
    }
    Ok(side + 1)
}

/// A cave with smooth walls, grown by a cellular automaton. It is one connected piece: all caves
/// except the largest are filled. A map too small for a cave is one free cell in rock.
///
/// ```
/// let grid = blockstar::generate::caves(120, 90, 2)?;
/// assert!(grid.free_cells() > 120 * 90 / 4);
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn caves(width: u32, height: u32, seed: u64) -> Result<Grid, Error> {
    check_size(width.into(), height.into())?;
    let mut random = stream(seed, "caves");
    // One byte per cell, 1 for rock, inside a frame of rock.
    let stride = width as usize + 2;
    let mut rock = vec![1_u8; stride * (height as usize + 2)];
    for row in rock.chunks_exact_mut(stride).skip(1).take(height as usize) {
        row[1..=width as usize].fill_with(|| random.chance(45, 100).into());
    }
    let mut next = rock.clone();
    for _ in 0..5 {
        for y in 1..=height as usize {
            for x in 1..=width as usize {
                let around: u8 = [y - 1, y, y + 1]
                    .into_iter()
                    .flat_map(|y| &rock[y * stride + x - 1..=y * stride + x + 1])
                    .sum();
                next[y * stride + x] = (around >= 5).into();
            }
        }
        std::mem::swap(&mut rock, &mut next);
    }
    let index = |cell: Cell| (cell.y as usize + 1) * stride + cell.x as usize + 1;
    let smooth = Grid::from_fn(width, height, |cell| rock[index(cell)] == 0)?;
    let pieces = Pieces::of(&smooth);
    rock.fill(1);
    if pieces.cells.is_empty() {
        rock[index(Cell::new(width / 2, height / 2))] = 0;
    }
    for &cell in pieces.largest() {
        rock[index(cell_of(cell, width))] = 0;
    }
    Grid::from_fn(width, height, |cell| rock[index(cell)] == 0)
}

/// Random queries: pairs of free cells that are connected by steps to edge neighbours, so there is
/// a path under every movement rule. The start is any free cell, the goal any other cell of the
/// same piece; they are equal only where a piece is a single cell. A map without free cells has
/// none.
///
/// ```
/// let grid = blockstar::Grid::from_ascii("..#..\n..#..")?;
/// let queries = blockstar::generate::queries(&grid, 100, 1);
/// assert!(queries.iter().all(|(start, goal)| start != goal && (start.x < 2) == (goal.x < 2)));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn queries(grid: &Grid, n: usize, seed: u64) -> Vec<(Cell, Cell)> {
    let pieces = Pieces::of(grid);
    if pieces.cells.is_empty() {
        return Vec::new();
    }
    let mut random = stream(seed, "queries");
    let mut query = || {
        let start = random.below(pieces.cells.len() as u64) as usize;
        let piece = pieces.ends.partition_point(|&end| end <= start);
        let first = if piece == 0 { 0 } else { pieces.ends[piece - 1] };
        let length = pieces.ends[piece] - first;
        // Some places farther on in the piece, but not all the way round.
        let steps = 1 + random.below(length as u64 - 1) as usize;
        let goal = first + (start - first + steps) % length;
        [start, goal].map(|index| cell_of(pieces.cells[index], grid.width())).into()
    };
    (0..n).map(|_| query()).collect()
}

/// Random numbers for one purpose: a map and its queries, or two kinds of map, are unrelated even
/// if they have the same seed.
fn stream(seed: u64, purpose: &str) -> Random {
    let mut start = seed;
    for byte in purpose.bytes() {
        start = Random::new(start ^ u64::from(byte)).next_u64();
    }
    Random::new(start)
}

fn cell_of(index: u32, width: u32) -> Cell {
    Cell::new(index % width, index / width)
}

/// A random spanning tree of a rectangle of places, grown by a walk that turns back where all
/// neighbours are known. It takes one byte per place, which also holds the way back.
struct Tree {
    width: u32,
    height: u32,
    places: Vec<u8>,
}

impl Tree {
    /// Place bits: known, passages to the right and below, and the direction back in the high bits.
    const KNOWN: u8 = 1;
    const EAST: u8 = 2;
    const SOUTH: u8 = 4;
    const BACK: u32 = 4;

    fn grow(width: u32, height: u32, random: &mut Random) -> Self {
        let mut places = vec![0; width as usize * height as usize];
        let index = |x: u32, y: u32| y as usize * width as usize + x as usize;
        // North, east, south, west; the opposite of d is d ^ 2.
        let neighbour = |x: u32, y: u32, direction: u8| match direction {
            0 => (y > 0).then(|| (x, y - 1)),
            1 => (x + 1 < width).then(|| (x + 1, y)),
            2 => (y + 1 < height).then(|| (x, y + 1)),
            _ => (x > 0).then(|| (x - 1, y)),
        };
        let root = (random.below(width.into()) as u32, random.below(height.into()) as u32);
        let (mut x, mut y) = root;
        places[index(x, y)] = Self::KNOWN;
        loop {
            let mut choices = [0; 4];
            let mut count = 0;
            for direction in 0..4 {
                let next = neighbour(x, y, direction);
                if next.is_some_and(|(x, y)| places[index(x, y)] & Self::KNOWN == 0) {
                    choices[count] = direction;
                    count += 1;
                }
            }
            if count == 0 && (x, y) == root {
                return Self { width, height, places };
            }
            let direction = if count == 0 {
                places[index(x, y)] >> Self::BACK
            } else {
                choices[random.below(count as u64) as usize]
            };
            // Choices and ways back always lead to a place, so the walk always moves.
            let Some(next) = neighbour(x, y, direction) else {
                return Self { width, height, places };
            };
            if count > 0 {
                places[index(next.0, next.1)] |= Self::KNOWN | (direction ^ 2) << Self::BACK;
                match direction {
                    0 => places[index(next.0, next.1)] |= Self::SOUTH,
                    1 => places[index(x, y)] |= Self::EAST,
                    2 => places[index(x, y)] |= Self::SOUTH,
                    _ => places[index(next.0, next.1)] |= Self::EAST,
                }
            }
            (x, y) = next;
        }
    }

    fn opens_east(&self, x: u32, y: u32) -> bool {
        self.places[y as usize * self.width as usize + x as usize] & Self::EAST != 0
    }

    fn opens_south(&self, x: u32, y: u32) -> bool {
        self.places[y as usize * self.width as usize + x as usize] & Self::SOUTH != 0
    }
}

/// The free cells of a map, sorted by the pieces into which steps to edge neighbours connect them.
struct Pieces {
    /// `y * width + x` of each free cell, piece by piece.
    cells: Vec<u32>,
    /// Where each piece ends in `cells`.
    ends: Vec<usize>,
}

impl Pieces {
    fn of(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut known = vec![false; width as usize * height as usize];
        let (mut cells, mut ends) = (Vec::with_capacity(grid.free_cells()), Vec::new());
        for first in 0..width * height {
            if known[first as usize] || !grid.is_free(cell_of(first, width)) {
                continue;
            }
            // The list of found cells is also the queue of cells to visit.
            let mut at = cells.len();
            known[first as usize] = true;
            cells.push(first);
            while at < cells.len() {
                let cell = cell_of(cells[at], width);
                at += 1;
                let neighbours = [
                    (cell.x, cell.y.wrapping_sub(1)),
                    (cell.x + 1, cell.y),
                    (cell.x, cell.y + 1),
                    (cell.x.wrapping_sub(1), cell.y),
                ];
                for (x, y) in neighbours {
                    if grid.is_free(Cell::new(x, y)) {
                        let index = y * width + x;
                        if !std::mem::replace(&mut known[index as usize], true) {
                            cells.push(index);
                        }
                    }
                }
            }
            ends.push(cells.len());
        }
        Self { cells, ends }
    }

    /// The cells of the largest piece; of several, the first.
    fn largest(&self) -> &[u32] {
        let (mut best, mut first) = (0..0, 0);
        for &end in &self.ends {
            if end - first > best.len() {
                best = first..end;
            }
            first = end;
        }
        &self.cells[best]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tile, format::ascii};

    /// FNV-1a of the drawing.
    fn hash(text: &str) -> u64 {
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// The number of cells that a flood from the first free cell reaches, written independently of
    /// [`Pieces`].
    fn flooded(grid: &Grid) -> usize {
        let (width, height) = (grid.width() as i32, grid.height() as i32);
        let mut dry = grid.clone();
        let first = (0..width * height).map(|i| (i % width, i / width));
        let mut stack: Vec<_> = first.filter(|&(x, y)| grid.is_free_at(x, y)).take(1).collect();
        while let Some((x, y)) = stack.pop() {
            if dry.is_free_at(x, y) {
                dry.set((x as u32, y as u32), Tile::Blocked).unwrap();
                stack.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
            }
        }
        grid.free_cells() - dry.free_cells()
    }

    #[test]
    fn the_results_are_pinned() {
        let drawn = |grid: Result<Grid, Error>| hash(&ascii::draw(&grid.unwrap()));
        let got = [
            drawn(random(67, 45, 33.3, 1)),
            drawn(maze(67, 45, 2, 1)),
            drawn(rooms(67, 45, 7, 1)),
            drawn(caves(67, 45, 1)),
            hash(&format!("{:?}", queries(&random(67, 45, 33.3, 1).unwrap(), 50, 1))),
        ];
        let want = [
            1084726210240089308,
            5195616358072243268,
            2620206173023265406,
            7073396435758956218,
            656879892566285520,
        ];
        assert_eq!(
            got, want,
            "a generator has changed: measurements made with it are not comparable"
        );
    }

    #[test]
    fn random_maps_have_their_density() {
        for percent in [0.0, 10.0, 37.5, 90.0, 100.0] {
            let grid = random(300, 200, percent, 9).unwrap();
            let got = 100.0 - grid.free_cells() as f64 / 600.0;
            let tolerance = if percent == 0.0 || percent == 100.0 { 0.0 } else { 1.0 };
            assert!((got - percent).abs() <= tolerance, "{percent}: {got}");
        }
        assert_ne!(
            ascii::draw(&random(20, 20, 50.0, 1).unwrap()),
            ascii::draw(&random(20, 20, 50.0, 2).unwrap())
        );
    }

    #[test]
    fn a_maze_is_connected_and_has_no_loops() {
        for (width, height, corridor) in
            [(1, 1, 1), (2, 1, 1), (64, 64, 1), (65, 31, 1), (40, 90, 3), (10, 10, 10), (99, 9, 8)]
        {
            for seed in 0..5 {
                let grid = maze(width, height, corridor, seed).unwrap();
                let places = ((width + 1) / (corridor + 1)) * ((height + 1) / (corridor + 1));
                let free = places * corridor * corridor + (places - 1) * corridor;
                assert_eq!(grid.free_cells(), free as usize, "{width} {height} {corridor}");
                assert_eq!(flooded(&grid), free as usize, "{width} {height} {corridor}");
            }
        }
    }

    #[test]
    fn rooms_are_connected_and_have_extra_doors() {
        let sizes =
            [(1, 1, 1), (2, 2, 1), (64, 64, 7), (66, 31, 8), (50, 60, 1), (64, 65, 64), (99, 9, 9)];
        for (width, height, room) in sizes {
            for seed in 0..5 {
                let grid = rooms(width, height, room, seed).unwrap();
                assert_eq!(flooded(&grid), grid.free_cells(), "{width} {height} {room}");
            }
        }
        let grid = rooms(63, 63, 7, 1).unwrap();
        let doors = grid.free_cells() - 64 * 49;
        assert!(
            (64 + 10..112 - 10).contains(&doors),
            "{doors} doors of 63 needed and 112 possible"
        );
        for i in 0..8 {
            assert!(!grid.is_free(Cell::new(i * 8 + 7, i * 8 + 7)), "the walls meet in posts");
        }
    }

    #[test]
    fn a_cave_is_one_large_piece() {
        for seed in 0..5 {
            let grid = caves(200, 150, seed).unwrap();
            let percent = grid.free_cells() * 100 / (200 * 150);
            assert!((30..80).contains(&percent), "{percent} % free");
            assert_eq!(flooded(&grid), grid.free_cells());
        }
        for side in 1..6 {
            assert!(caves(side, 3, 1).unwrap().free_cells() > 0);
        }
    }

    #[test]
    fn queries_stay_within_a_piece() {
        let grid = random(80, 60, 45.0, 4).unwrap();
        let pieces = Pieces::of(&grid);
        let piece = |cell: Cell| {
            let index = cell.y * 80 + cell.x;
            let place = pieces.cells.iter().position(|&other| other == index).unwrap();
            pieces.ends.partition_point(|&end| end <= place)
        };
        let queries = queries(&grid, 500, 3);
        assert_eq!(queries.len(), 500);
        for (start, goal) in queries {
            assert!(grid.is_free(start) && grid.is_free(goal));
            assert_eq!(piece(start), piece(goal));
        }
    }

    #[test]
    fn queries_need_a_free_cell_and_differ_where_they_can() {
        assert_eq!(queries(&random(9, 9, 100.0, 0).unwrap(), 5, 0), []);
        let one = Cell::new(1, 0);
        assert_eq!(queries(&Grid::from_ascii("#.#").unwrap(), 2, 0), [(one, one); 2]);
        let grid = Grid::from_ascii("..").unwrap();
        assert!(queries(&grid, 50, 0).iter().all(|(start, goal)| start != goal));
        assert_eq!(queries(&grid, 0, 0), []);
    }

    #[test]
    fn wrong_parameters_are_told() {
        let told = |result: Result<Grid, Error>, part: &str| {
            let message = result.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        told(random(5, 5, 100.1, 0), "blocked cells is 100.1, but must be 0 to 100");
        told(random(5, 5, -0.5, 0), "-0.5");
        told(random(5, 5, f64::NAN, 0), "NaN");
        told(random(0, 5, 10.0, 0), "0 x 5");
        told(maze(5, 5, 0, 0), "the corridor width is 0, but must be 1 to the smaller side");
        told(maze(5, 9, 6, 0), "the corridor width is 6");
        told(maze(5, 5, u32::MAX, 0), "4294967295");
        told(maze(u32::MAX, u32::MAX, 1, 0), "16384");
        told(rooms(5, 5, 0, 0), "the room size is 0");
        told(rooms(5, 9, 6, 0), "the room size is 6");
        told(rooms(20000, 5, 1, 0), "20000 x 5");
        told(caves(5, 0, 0), "5 x 0");
    }
}
