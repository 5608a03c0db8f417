//! Tests of [`super`].

use super::nearest::Candidate;
use super::*;
use crate::generate;
use crate::rules::moves::{Direction, step_table};
use crate::{Point, Rect, Tile};
use std::collections::HashMap;

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u32) -> u32 {
        (self.next() % u64::from(end)) as u32
    }

    fn cell(&mut self, grid: &Grid) -> Cell {
        Cell::new(self.below(grid.width()), self.below(grid.height()))
    }

    fn rect(&mut self, grid: &Grid) -> Rect {
        let Cell { x, y } = self.cell(grid);
        let width = self.below((grid.width() - x).min(70)) + 1;
        let height = self.below((grid.height() - y).min(70)) + 1;
        // Mostly walls and gaps, sometimes an area.
        match self.below(3) {
            0 => Rect::new(x, y, width, 1),
            1 => Rect::new(x, y, 1, height),
            _ => Rect::new(x, y, width, height),
        }
    }

    fn tile(&mut self) -> Tile {
        if self.next() & 1 == 0 { Tile::Free } else { Tile::Blocked }
    }

    fn grid(&mut self, longest: u32) -> Grid {
        let (width, height) = (self.below(longest) + 1, self.below(longest) + 1);
        let blocked = self.below(71);
        Grid::from_fn(width, height, |_| self.below(100) >= blocked).unwrap()
    }

    fn edit(&mut self, grid: &mut Grid) {
        if self.below(4) == 0 {
            grid.set_rect(self.rect(grid), self.tile()).unwrap();
        } else {
            grid.set(self.cell(grid), self.tile()).unwrap();
        }
    }

    /// A point on the map or up to 100 cells off it: on a centre, a corner, or anywhere.
    fn point(&mut self, grid: &Grid) -> Point {
        let grain = [1, 512, 1024][self.below(3) as usize];
        let mut coordinate = |side: u32| {
            let units = (self.below((side + 200) * 1024) as i32 - 100 * 1024) / grain * grain;
            if grain == 1024 { units + 512 } else { units }
        };
        Point::from_units(coordinate(grid.width()), coordinate(grid.height()))
    }
}

fn cells(grid: &Grid) -> impl Iterator<Item = Cell> {
    let width = grid.width();
    (0..grid.height()).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
}

/// The components by flooding along the steps of the rule, row by row, numbered from 0 in the
/// order in which they are met.
fn flooded(grid: &Grid, rule: Rule) -> Vec<Option<u32>> {
    let (bits, steps) = (grid.rows(), step_table(rule));
    let mut labels = vec![None; bits.positions()];
    let mut stack = Vec::new();
    let mut next = 0;
    for cell in cells(grid).filter(|&cell| grid.is_free(cell)) {
        let seed = bits.position(cell.x, cell.y);
        if labels[seed as usize].is_some() {
            continue;
        }
        labels[seed as usize] = Some(next);
        stack.push(seed);
        while let Some(position) = stack.pop() {
            let legal = steps[bits.around(position)];
            for d in (0..8).filter(|d| legal >> d & 1 != 0) {
                let step = Direction::DX[d] + Direction::DY[d] * bits.stride() as i32;
                let to = position.wrapping_add_signed(step);
                if labels[to as usize].is_none() {
                    labels[to as usize] = Some(next);
                    stack.push(to);
                }
            }
        }
        next += 1;
    }
    cells(grid).map(|cell| labels[bits.position(cell.x, cell.y) as usize]).collect()
}

/// The same, asked of the components.
fn labelled(grid: &Grid, components: &Components) -> Vec<Option<u32>> {
    let mut numbers = HashMap::new();
    let label = |cell| {
        let next = numbers.len() as u32;
        components.component(cell).map(|id| *numbers.entry(id).or_insert(next))
    };
    cells(grid).map(label).collect()
}

#[test]
fn components_are_those_of_a_flood() {
    let mut random = Random(1);
    for i in 0..2400 {
        let grid = random.grid(if i % 4 == 0 { 200 } else { 90 });
        let rule = Rule::ALL[i % 6];
        let components = Components::new(&grid, rule);
        let size = (grid.width(), grid.height());
        assert!(labelled(&grid, &components) == flooded(&grid, rule), "{i} {rule:?} {size:?}");
    }
}

#[test]
fn edits_are_followed() {
    let mut random = Random(2);
    let mut skipped = 0;
    for i in 0..60 {
        // Some have groups of two sizes.
        let mut grid = random.grid(if i % 5 == 0 { 600 } else { 200 });
        let rule = Rule::ALL[i % 6];
        let mut components = Components::new(&grid, rule);
        for step in 0..20 {
            for _ in 0..1 + random.below(3) * random.below(8) {
                random.edit(&mut grid);
            }
            skipped += u32::from(components.repair(&grid).groups == 0);
            assert_eq!(components.version, grid.version());
            let labels = labelled(&grid, &components);
            assert!(labels == flooded(&grid, rule), "{i} {rule:?}, step {step}");
            assert!(labels == labelled(&grid, &Components::new(&grid, rule)));
        }
    }
    assert!(skipped > 100, "the short way out must be tested too: {skipped}");
}

#[test]
fn a_few_cells_at_a_time_are_followed() {
    let mut random = Random(5);
    let (mut updates, mut relabelled) = (0, 0);
    for i in 0..60 {
        let mut grid = random.grid(90);
        let rule = Rule::ALL[i % 6];
        let mut components = Components::new(&grid, rule);
        for step in 0..400 {
            // Close together, so that one edit is around the next.
            let near = random.cell(&grid);
            for _ in 0..1 + random.below(2) * random.below(6) {
                let (x, y) = (near.x + random.below(3), near.y + random.below(3));
                let cell = Cell::new(x.min(grid.width() - 1), y.min(grid.height() - 1));
                grid.set(cell, random.tile()).unwrap();
            }
            relabelled += u32::from(components.repair(&grid).sectors > 0);
            updates += 1;
            assert!(labelled(&grid, &components) == flooded(&grid, rule), "{i} {rule:?}, {step}");
        }
    }
    assert!(relabelled * 2 < updates, "{relabelled} of {updates} updates relabel sectors");
}

#[test]
fn numbers_of_regions_do_not_run_out() {
    let mut grid = Grid::from_fn(64, 64, |_| false).unwrap();
    let mut components = Components::new(&grid, Rule::Four);
    for i in 0..5000 {
        let cell = Cell::new(1 + i % 20 * 3, 1 + i / 20 % 20 * 3);
        for tile in [Tile::Free, Tile::Blocked] {
            grid.set(cell, tile).unwrap();
            components.update(&grid);
            assert_eq!(components.component(cell).is_some(), tile == Tile::Free);
        }
    }
}

#[test]
fn connected_is_none_of_blocked_cells() {
    let grid = Grid::from_ascii("..#.\n###.").unwrap();
    let components = Components::new(&grid, Rule::Four);
    let connected = |ax, ay, bx, by| components.connected(Cell::new(ax, ay), Cell::new(bx, by));
    assert!(connected(0, 0, 1, 0) && connected(3, 0, 3, 1) && connected(0, 0, 0, 0));
    assert!(!connected(0, 0, 3, 0) && !connected(2, 0, 2, 0) && !connected(4, 0, 4, 0));
}

#[test]
fn nearest_is_that_of_a_scan() {
    let mut random = Random(3);
    let mut off = 0;
    for i in 0..600 {
        let grid = random.grid(if i % 3 == 0 { 300 } else { 100 });
        let components = Components::new(&grid, Rule::ALL[i % 6]);
        for _ in 0..4 {
            let (target, of) = (random.point(&grid), random.cell(&grid));
            let near = cells(&grid)
                .filter(|&cell| components.connected(of, cell))
                .min_by_key(|&cell| Candidate::new(target, cell))
                .filter(|_| grid.is_free(of));
            assert_eq!(components.nearest(target, of), near, "{i}: {target} of {of}");
            off += u32::from(near.is_some_and(|near| near != of));
        }
        assert_eq!(components.nearest(Point::new(0.0, 0.0), Cell::new(999, 0)), None);
    }
    assert!(off > 500);
}

#[test]
fn nearest_prefers_the_upper_then_the_left_of_equals() {
    let grid = Grid::new(130, 130).unwrap();
    let components = Components::new(&grid, Rule::Eight);
    let of = Cell::new(100, 100);
    for (x, y) in [(64.0, 64.0), (64.0, 63.5), (64.5, 64.0), (1e6, -1e6), (-1e6, 1e6)] {
        let target = Point::new(x, y);
        let near = |v: f64| (v.ceil() - 1.0).clamp(0.0, 129.0) as u32;
        assert_eq!(components.nearest(target, of), Some(Cell::new(near(x), near(y))));
    }
}

#[test]
fn one_cell_in_the_open_is_repaired_in_its_sector() {
    let mut grid = Grid::new(512, 512).unwrap();
    for rule in [Rule::Eight, Rule::EightCutAny] {
        let mut components = Components::new(&grid, rule);
        // The first is not at the border of its sector.
        let cells = [(Cell::new(100, 100), 0), (Cell::new(128, 140), 1), (Cell::new(511, 0), 1)];
        for (cell, sectors) in cells {
            for tile in [Tile::Blocked, Tile::Free] {
                grid.set(cell, tile).unwrap();
                assert_eq!(components.repair(&grid), Repair { sectors, groups: 0 }, "{cell}");
            }
        }
    }
}

#[test]
fn every_sector_is_relabelled_once_however_many_edits() {
    let mut grid = Grid::new(512, 512).unwrap();
    let mut components = Components::new(&grid, Rule::Eight);
    for x in 64..120 {
        for y in 90..96 {
            grid.set(Cell::new(x, y), Tile::Blocked).unwrap();
        }
    }
    assert_eq!(components.repair(&grid), Repair { sectors: 1, groups: 0 });
    grid.set_rect(Rect::new(0, 200, 512, 1), Tile::Blocked).unwrap();
    // The two groups of sectors that the wall cuts in two, and the map.
    assert_eq!(components.repair(&grid), Repair { sectors: 8, groups: 3 });
    assert!(!components.connected(Cell::new(0, 0), Cell::new(0, 511)));
    assert_eq!(components.repair(&grid), Repair { sectors: 0, groups: 0 });
}

#[test]
fn a_closed_room_inside_a_sector_concerns_no_group() {
    let mut grid = Grid::new(512, 512).unwrap();
    grid.set_rect(Rect::new(70, 70, 20, 20), Tile::Blocked).unwrap();
    grid.set_rect(Rect::new(71, 71, 18, 18), Tile::Free).unwrap();
    let (door, inside) = (Cell::new(70, 80), Cell::new(80, 80));
    let mut components = Components::new(&grid, Rule::Eight);
    for (tile, open) in [(Tile::Free, true), (Tile::Blocked, false), (Tile::Free, true)] {
        grid.set(door, tile).unwrap();
        assert_eq!(components.repair(&grid), Repair { sectors: 1, groups: 0 });
        assert_eq!(components.connected(inside, Cell::new(0, 0)), open);
    }
}

/// Of two doors between two sectors either may close: the group around them absorbs it.
#[test]
fn a_way_round_is_found_in_the_group_around_it() {
    let mut grid = Grid::new(4096, 4096).unwrap();
    grid.set_rect(Rect::new(0, 64, 4096, 1), Tile::Blocked).unwrap();
    let doors = [Cell::new(2100, 64), Cell::new(2200, 64)];
    let mut components = Components::new(&grid, Rule::Eight);
    // With the first door the halves of the map are joined, which the whole map has to know.
    for (door, tile, groups) in [
        (doors[0], Tile::Free, 3),
        (doors[1], Tile::Free, 1),
        (doors[0], Tile::Blocked, 1),
        (doors[0], Tile::Free, 1),
        (doors[1], Tile::Blocked, 1),
        (doors[0], Tile::Blocked, 3),
    ] {
        grid.set(door, tile).unwrap();
        assert_eq!(components.repair(&grid).groups, groups, "{door} {tile:?}");
        let open = doors.iter().any(|&door| grid.is_free(door));
        assert_eq!(components.connected(Cell::new(0, 0), Cell::new(4095, 4095)), open);
    }
}

/// Kinds of maps: those with many ways round, and those where most cuts divide the map. With each the
/// number of groups that a hundred edits of a large one may join again, twice what they were seen to.
fn kinds(width: u32, height: u32) -> [(&'static str, usize, Grid); 5] {
    // Walls with a hole in every sixteen cells, in lines that no sector ends at.
    let perforated = Grid::from_fn(width, height, |Cell { x, y }| {
        let hole = |along: u32, line: u32| (along * 7 + line) % 16 == 3;
        (x % 21 != 10 || hole(y, x)) && (y % 33 != 20 || hole(x, y))
    });
    [
        ("caves", 3, generate::caves(width, height, 3).unwrap()),
        ("rooms", 3, generate::rooms(width, height, 15, 4).unwrap()),
        ("clutter", 28, generate::random(width, height, 40.0, 5).unwrap()),
        ("maze", 48, generate::maze(width, height, 2, 6).unwrap()),
        ("perforated", 2, perforated.unwrap()),
    ]
}

/// A cell that is free or beside a free one, often near a place.
fn ground_cell(grid: &Grid, near: Cell, random: &mut Random) -> Cell {
    loop {
        let cell = if random.below(4) > 0 {
            let mut beside =
                |at: u32, side: u32| (at + random.below(9)).saturating_sub(4).min(side - 1);
            Cell::new(beside(near.x, grid.width()), beside(near.y, grid.height()))
        } else {
            random.cell(grid)
        };
        let Cell { x, y } = cell;
        let mut around = (y.saturating_sub(1)..=y + 1)
            .flat_map(|y| (x.saturating_sub(1)..=x + 1).map(move |x| Cell::new(x, y)));
        if around.any(|cell| grid.is_free(cell)) || random.below(50) == 0 {
            return cell;
        }
    }
}

/// Whatever edits there were, groups of all sizes are what they would be if joined for this map:
/// their numbers too depend on the map alone.
#[test]
fn what_is_repaired_equals_what_is_made_anew() {
    let mut random = Random(6);
    // Groups of two sizes below the map side by side, and of three.
    for (name, _, map) in kinds(700, 700).into_iter().chain(kinds(1300, 330)) {
        for rule in [Rule::Eight, Rule::EightCutAny] {
            let mut grid = map.clone();
            let mut components = Components::new(&grid, rule);
            for round in 0..100 {
                let near = random.cell(&grid);
                for _ in 0..10 {
                    let cell = ground_cell(&grid, near, &mut random);
                    let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
                    grid.set(cell, tile).unwrap();
                    // Mostly one edit at a time.
                    if random.below(8) > 0 {
                        components.update(&grid);
                    }
                }
                if random.below(8) == 0 {
                    grid.set_rect(random.rect(&grid), random.tile()).unwrap();
                }
                components.update(&grid);
                let anew = Components::new(&grid, rule);
                assert!(components.levels.equal(&anew.levels), "{name} {rule:?}, {round}");
            }
            assert!(labelled(&grid, &components) == flooded(&grid, rule), "{name} {rule:?}");
        }
    }
}

/// How many groups an edit joins again depends on what is around it, not on the size of the map;
/// even in a maze, where every cut divides the map, it is only one of each size.
#[test]
fn edits_are_absorbed_near_where_they_are() {
    const EDITS: usize = 4000;
    let mut random = Random(7);
    for (name, most, mut grid) in kinds(2100, 2100) {
        let mut components = Components::new(&grid, Rule::Eight);
        let mut groups = 0;
        for _ in 0..EDITS {
            let near = random.cell(&grid);
            let cell = ground_cell(&grid, near, &mut random);
            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
            grid.set(cell, tile).unwrap();
            let Repair { sectors, groups: joined } = components.repair(&grid);
            // At most four of the two sizes below the map.
            assert!(sectors <= 1 && joined <= 4 + 4 + 1, "{name}: {joined}");
            groups += joined;
        }
        assert!(groups * 100 <= EDITS * most, "{name}: {groups} groups for {EDITS} edits");
    }
}

#[test]
fn another_grid_is_taken_over_whole() {
    let mut components = Components::new(&Grid::new(3, 3).unwrap(), Rule::Four);
    let grid = Grid::from_fn(200, 70, |cell| cell.x != 100).unwrap();
    components.update(&grid);
    assert!(labelled(&grid, &components) == flooded(&grid, Rule::Four));
    let clone = grid.clone();
    assert_eq!(components.repair(&clone), Repair { sectors: 0, groups: 0 });
    assert_eq!(components.version, clone.version());
}

#[test]
fn the_extremes_fit() {
    for free in [false, true] {
        let grid = Grid::from_fn(1, 1, |_| free).unwrap();
        let components = Components::new(&grid, Rule::Four);
        assert_eq!(components.component(Cell::new(0, 0)).is_some(), free);
    }
    let board = Grid::from_fn(128, 128, |cell| (cell.x + cell.y) % 2 == 0).unwrap();
    for rule in [Rule::Four, Rule::EightCutAny] {
        assert!(labelled(&board, &Components::new(&board, rule)) == flooded(&board, rule));
    }
    let side = Grid::MAX_SIDE;
    let mut grid = Grid::new(side, side).unwrap();
    let mut components = Components::new(&grid, Rule::Eight);
    let (first, last) = (Cell::new(0, 0), Cell::new(side - 1, side - 1));
    assert!(components.connected(first, last));
    grid.set_rect(Rect::new(0, 8000, side, 1), Tile::Blocked).unwrap();
    components.update(&grid);
    assert!(!components.connected(first, last));
    assert_eq!(components.nearest(first.centre(), last), Some(Cell::new(0, 8001)));
}

/// More cells than 32 bits can count; a sum that wrapped around to a small number would have looked
/// at each cell.
#[test]
fn sixteen_edits_of_the_whole_of_the_largest_map_are_counted() {
    let whole = Rect::new(0, 0, Grid::MAX_SIDE, Grid::MAX_SIDE);
    let flips = (0..16).fold(0, |flips, _| more_flips(flips, whole));
    assert_eq!(flips, u32::MAX);
}

#[test]
fn memory_does_not_grow_with_edits() {
    let mut random = Random(4);
    let mut grid = Grid::from_fn(200, 200, |_| random.next() & 1 == 0).unwrap();
    let mut components = Components::new(&grid, Rule::Four);
    let mut there_and_back = || {
        let toggled: Vec<Cell> = (0..500).map(|_| random.cell(&grid)).collect();
        for &cell in toggled.iter().chain(toggled.iter().rev()) {
            let tile = if grid.is_free(cell) { Tile::Blocked } else { Tile::Free };
            grid.set(cell, tile).unwrap();
            components.update(&grid);
        }
        components.memory_usage()
    };
    let first = there_and_back();
    let last = (0..10).map(|_| there_and_back()).last();
    // A list that outgrows its first allocation doubles it, once.
    assert!(last <= Some(first * 2), "{first} bytes became {last:?}");
    let again = (0..10).map(|_| there_and_back()).last();
    assert_eq!(again, last);
}
