//! Where crowds get stuck: corridors, rings, puzzles, full rooms.

use blockstar::random::Random;
use blockstar::{Cell, Grid, Rule};
use blockstar_world::crowd::{Checker, Crowd, Moved, Stepping};
use std::collections::BTreeSet;

/// Lets a crowd with one goal each walk until all have arrived, at most so many ticks, and checks
/// every step. How many ticks it took, if all arrived.
fn walk(grid: Grid, rule: Rule, ends: &[(Cell, Cell)], most: u32) -> Option<u32> {
    let starts: Vec<Cell> = ends.iter().map(|&(start, _)| start).collect();
    let goals: Vec<Cell> = ends.iter().map(|&(_, goal)| goal).collect();
    let mut crowd = Crowd::new(grid, rule, &starts, Stepping::Cooperative).unwrap();
    crowd.set_goals(&goals).unwrap();
    finish(&mut crowd, most)
}

/// The same for a crowd that has its goals.
pub fn finish(crowd: &mut Crowd, most: u32) -> Option<u32> {
    let mut checker = Checker::new(crowd.grid());
    let rule = crowd.rule();
    let mut before: Vec<Cell> = (0..crowd.units()).map(|unit| crowd.at(unit)).collect();
    while crowd.ticks() < most && crowd.arrived() < crowd.units() {
        crowd.tick().unwrap();
        let after: Vec<Cell> = (0..crowd.units()).map(|unit| crowd.at(unit)).collect();
        let pairs = before.iter().zip(&after);
        let moves: Vec<Moved> = pairs.map(|(&from, &to)| Moved { from, to, size: 1 }).collect();
        let wrong = checker.check(crowd.grid(), rule, &moves);
        assert!(wrong.is_empty(), "{}", wrong[0]);
        before = after;
    }
    (crowd.arrived() == crowd.units()).then(|| crowd.ticks())
}

/// A corridor of some width and length between two halls, with bays of one cell on one side.
fn corridor(width: u32, length: u32, bays: &[u32]) -> Grid {
    let hall = 8;
    let above = (hall - width) / 2;
    Grid::from_fn(2 * hall + length, hall, |cell| {
        let Some(along) = cell.x.checked_sub(hall).filter(|&along| along < length) else {
            return true;
        };
        (above..above + width).contains(&cell.y) || cell.y + 1 == above && bays.contains(&along)
    })
    .unwrap()
}

#[test]
fn head_on_in_a_corridor() {
    let length = 12;
    for width in 1..=4 {
        for k in [1, 4, 10] {
            for bays in [&[][..], &[6], &[3, 8]] {
                let grid = corridor(width, length, bays);
                let right = grid.width() - 1;
                let mut ends = Vec::new();
                for index in 0..k {
                    let left = Cell::new(index / 8, index % 8);
                    let over = Cell::new(right - index / 8, 7 - index % 8);
                    ends.push((left, over));
                    ends.push((over, left));
                }
                let most = 12 * (length + 16 + 2 * k);
                let ticks = walk(grid, Rule::Four, &ends, most);
                println!("width {width}, {k} against {k}, bays {bays:?}: {ticks:?} of {most}");
                assert!(ticks.is_some(), "width {width}, {k} against {k}, bays {bays:?}");
            }
        }
    }
}

/// A ring of cells round a block.
fn ring(side: u32) -> (Grid, Vec<Cell>) {
    let last = side - 1;
    let grid = Grid::from_fn(side, side, |c| c.x == 0 || c.y == 0 || c.x == last || c.y == last);
    let mut cells = Vec::new();
    cells.extend((0..last).map(|x| Cell::new(x, 0)));
    cells.extend((0..last).map(|y| Cell::new(last, y)));
    cells.extend((0..last).map(|x| Cell::new(last - x, last)));
    cells.extend((0..last).map(|y| Cell::new(0, last - y)));
    (grid.unwrap(), cells)
}

#[test]
fn a_full_ring_turns() {
    for side in [2, 3, 5, 9] {
        for holes in [0, 1] {
            for turn in [1, side, 2 * side] {
                let (grid, cells) = ring(side);
                let count = cells.len() - holes;
                let ends: Vec<_> = (0..count)
                    .map(|i| (cells[i], cells[(i + turn as usize) % cells.len()]))
                    .collect();
                let ticks = walk(grid, Rule::Four, &ends, 40 * side * side);
                println!("ring of {side}, {holes} holes, turned by {turn}: {ticks:?}");
                assert!(ticks.is_some(), "ring of {side}, {holes} holes, turned by {turn}");
            }
        }
    }
}

#[test]
fn eight_puzzles() {
    let mut solved = 0;
    for seed in 0..20 {
        let mut random = Random::new(seed);
        // A random walk of the hole from the solved state.
        let cell = |index: usize| Cell::new(index as u32 % 3, index as u32 / 3);
        let mut tiles: Vec<usize> = (0..9).collect();
        let mut hole = 8;
        for _ in 0..200 {
            let next = random.below(9) as usize;
            let (a, b) = (cell(hole), cell(next));
            if a.x.abs_diff(b.x) + a.y.abs_diff(b.y) == 1 {
                tiles.swap(hole, next);
                hole = next;
            }
        }
        let ends: Vec<_> =
            (0..9).filter(|&i| tiles[i] != 8).map(|i| (cell(i), cell(tiles[i]))).collect();
        let grid = Grid::new(3, 3).unwrap();
        let ticks = walk(grid, Rule::Four, &ends, 2000);
        println!("puzzle {seed}: {ticks:?}");
        solved += u32::from(ticks.is_some());
    }
    assert_eq!(solved, 20);
}

#[test]
fn a_full_room() {
    for filled in [50, 80, 90, 97] {
        let mut random = Random::new(3);
        let mut cells: Vec<Cell> = (0..1024).map(|i| Cell::new(i % 32, i / 32)).collect();
        random.shuffle(&mut cells);
        let starts = cells.clone();
        random.shuffle(&mut cells);
        let count = 1024 * filled / 100;
        let ends: Vec<_> = starts.into_iter().zip(cells).take(count).collect();
        let ticks = walk(Grid::new(32, 32).unwrap(), Rule::Four, &ends, 5000);
        println!("{filled} % filled: {ticks:?}");
        assert!(ticks.is_some());
    }
}

/// A tree of corridors, one cell wide: the worst ground for a crowd.
pub fn maze(side: u32, random: &mut Random) -> Grid {
    let mut open = vec![false; (side * side) as usize];
    let number = |cell: Cell| (cell.y * side + cell.x) as usize;
    let mut stack = vec![Cell::new(0, 0)];
    open[0] = true;
    while let Some(&cell) = stack.last() {
        let mut steps = [(0, -2), (2, 0), (0, 2), (-2, 0_i32)];
        random.shuffle(&mut steps);
        let next = steps.iter().find_map(|&(dx, dy)| {
            let x = cell.x.checked_add_signed(dx).filter(|&x| x < side)?;
            let y = cell.y.checked_add_signed(dy).filter(|&y| y < side)?;
            (!open[number(Cell::new(x, y))]).then_some(Cell::new(x, y))
        });
        let Some(next) = next else {
            stack.pop();
            continue;
        };
        open[number(next)] = true;
        open[number(Cell::new((cell.x + next.x) / 2, (cell.y + next.y) / 2))] = true;
        stack.push(next);
    }
    Grid::from_fn(side, side, |cell| open[number(cell)]).unwrap()
}

#[test]
fn crowds_in_mazes() {
    let mut random = Random::new(8);
    let mut solved = 0;
    for round in 0..60 {
        let side = [9, 11, 13, 17][round % 4];
        let grid = maze(side, &mut random);
        let mut cells: Vec<Cell> = (0..side * side)
            .map(|i| Cell::new(i % side, i / side))
            .filter(|&cell| grid.is_free(cell))
            .collect();
        let count = cells.len() * (5 + random.below(20) as usize) / 100;
        random.shuffle(&mut cells);
        let starts = cells.clone();
        random.shuffle(&mut cells);
        let ends: Vec<_> = starts.into_iter().zip(cells).take(count.max(2)).collect();
        let ticks = walk(grid, Rule::Four, &ends, 3000);
        println!("maze {round} of {side}, {} units: {ticks:?}", ends.len());
        solved += u32::from(ticks.is_some());
    }
    println!("{solved} of 60");
    assert!(solved >= 58, "{solved} of 60 crowds arrived");
}

/// A wall with two gates of one cell; the second is `away` cells below the first.
fn two_gates(away: u32) -> Grid {
    Grid::from_fn(60, 24 + away, |cell| cell.x != 30 || cell.y == 8 || cell.y == 8 + away).unwrap()
}

#[test]
fn a_crowd_takes_the_second_gate_too_but_not_one_that_is_far() {
    // The ticks until all are through, and how many took the second gate.
    let walk = |away: u32, traffic: bool| {
        let place = |i: u32, x: u32| Cell::new(x + i / 16, i % 16);
        let starts: Vec<Cell> = (0..200).map(|i| place(i, 2)).collect();
        let goals: Vec<Cell> = (0..200).map(|i| place(i, 45)).collect();
        let grid = two_gates(away);
        let mut crowd = Crowd::new(grid, Rule::Four, &starts, Stepping::Cooperative).unwrap();
        crowd.follow_trails();
        if traffic {
            crowd.watch_out_for_traffic().unwrap();
        }
        crowd.set_goals(&goals).unwrap();
        let mut second = BTreeSet::new();
        while crowd.arrived() < crowd.units() {
            assert!(crowd.ticks() < 2000, "all arrive");
            let next = crowd.ticks() + 1;
            finish(&mut crowd, next);
            second.extend((0..200).filter(|&unit| crowd.at(unit) == Cell::new(30, 8 + away)));
        }
        assert_eq!(traffic, crowd.detours() > 0);
        (crowd.ticks(), second.len())
    };
    let (alone, none) = walk(12, false);
    let (both, second) = walk(12, true);
    assert!(second > none + 20 && both * 10 < alone * 9, "{both} of {alone} ticks, {second} units");
    let (_, second) = walk(200, true);
    assert!(second < 10, "{second} units went far round");
}
