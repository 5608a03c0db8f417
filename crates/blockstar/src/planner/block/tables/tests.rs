//! Tables against those of makers too simple to be wrong, and what holds for every kind of
//! distance.

use super::*;
use crate::random::Random;
use crate::rules::slope::Way;
use crate::{Cell, Diagonal, Grid, Moves, Point, Rule, Slope};

/// A map that is one block, and its content.
fn random_block(
    random: &mut Random,
    size: impl Into<BlockSize>,
    weighted: bool,
) -> (Grid, Content) {
    let size @ BlockSize { width, height } = size.into();
    let blocked = [0, 10, 25, 40, 60][random.below(5) as usize];
    let mut grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
    if weighted {
        for cell in (0..width * height).map(|i| Cell::new(i % width, i / width)) {
            if grid.is_free(cell) {
                grid.set_cost(cell, 0.25 + random.below(30) as f64 / 4.0).unwrap();
            }
        }
    }
    let mut content = Content::default();
    content.read(&grid, size, 0, 0);
    (grid, content)
}

fn make<D: Distance>(moves: Moves, content: &Content) -> (Layout, Table<D>) {
    let size = content.size();
    let layout = Layout::new(size, D::CELLS);
    let mut table = Table::default();
    let rules = TableRules::new(moves, size, None);
    let subject = TableFor { layout: &layout, rules: &rules, content };
    D::make(subject, &mut MakerMemory::default(), &mut table);
    (layout, table)
}

/// Distances are symmetric, zero only from a slot to itself, and never shorter by way of a third
/// slot.
fn check_metric<D: Distance + Into<f64>>(layout: &Layout, table: &Table<D>, rounding: f64) {
    let distance = |a: usize, b: usize| -> f64 {
        let distance = table.row(a)[b];
        if distance.is_far() { f64::INFINITY } else { distance.into() }
    };
    for a in 0..layout.slots() {
        assert!(distance(a, a) == 0.0 || distance(a, a) == f64::INFINITY);
        for b in 0..layout.slots() {
            let (there, back) = (distance(a, b), distance(b, a));
            assert!(there == back || (there - back).abs() <= rounding * there, "{there} {back}");
            assert!(a == b || there > 0.0);
            for c in 0..layout.slots() {
                let around = distance(a, c) + distance(c, b);
                assert!(there <= around * (1.0 + rounding), "{there} {around}");
            }
        }
        for lane in layout.slots()..layout.lanes() {
            assert!(table.row(a)[lane].is_far(), "behind the slots nothing is reached");
        }
    }
}

/// Distances from a cell, lowered until nothing changes, in units of a step's cost.
fn cell_distances(grid: &Grid, moves: Moves, steps: (f64, f64), from: Cell) -> Vec<f64> {
    let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
    let mut costs = vec![f64::INFINITY; (width * height) as usize];
    let at = |x: i64, y: i64| (y * width + x) as usize;
    let free = |x: i64, y: i64| x >= 0 && y >= 0 && grid.is_free(Cell::new(x as u32, y as u32));
    if free(from.x.into(), from.y.into()) {
        costs[at(from.x.into(), from.y.into())] = 0.0;
    }
    loop {
        let mut changed = false;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (nx, ny) = (x + dx, y + dy);
                if (dx, dy) == (0, 0) || !free(x, y) || !free(nx, ny) {
                    continue;
                }
                let beside = u8::from(free(nx, y)) + u8::from(free(x, ny));
                let legal = match moves.rule() {
                    _ if dx == 0 || dy == 0 => true,
                    Rule::Four => false,
                    Rule::Eight => beside == 2,
                    Rule::EightCutOne => beside >= 1,
                    _ => true,
                };
                let mut step = if dx == 0 || dy == 0 { steps.0 } else { steps.1 };
                if grid.has_costs() {
                    let factor = |x: i64, y: i64| grid.cost(Cell::new(x as u32, y as u32)) * 256.0;
                    step *= factor(x, y) + factor(nx, ny);
                }
                if legal && costs[at(x, y)] + step < costs[at(nx, ny)] {
                    costs[at(nx, ny)] = costs[at(x, y)] + step;
                    changed = true;
                }
            }
        }
        if !changed {
            return costs;
        }
    }
}

fn check_cells<D: Distance + Into<f64>>(grid: &Grid, moves: Moves, content: &Content) {
    let (layout, table) = make::<D>(moves, content);
    let (straight, diagonal) = D::steps(moves);
    for from in 0..layout.slots() {
        let (x, y) = layout.at(from);
        let steps = (straight.into(), diagonal.into());
        let costs = cell_distances(grid, moves, steps, Cell::new(x, y));
        for to in 0..layout.slots() {
            let (x, y) = layout.at(to);
            let got = table.row(from)[to];
            let want = costs[content.size().index(x, y)];
            assert_eq!(got.is_far(), want.is_infinite(), "{moves}");
            assert!(got.is_far() || got.into() == want, "{moves} {want}");
        }
    }
}

fn cell_moves() -> impl Iterator<Item = Moves> {
    let diagonals = [Diagonal::Sqrt2, Diagonal::OnePointFour];
    let rules = Rule::CELLS.iter().copied().map(Moves::new);
    rules.flat_map(move |moves| diagonals.map(|diagonal| moves.with_diagonal(diagonal)))
}

#[test]
fn cell_tables_are_exact() {
    let mut random = Random::new(1);
    for side in MIN_SIDE..=MAX_SIDE {
        for round in 0..3 {
            let other = if round == 2 { MIN_SIDE + random.below(15) as u32 } else { side };
            let size = BlockSize { width: side, height: other };
            let (grid, content) = random_block(&mut random, size, false);
            let moves = cell_moves().nth(random.below(8) as usize).unwrap();
            check_cells::<u32>(&grid, moves, &content);
            if round == 0 {
                let (layout, table) = make::<u32>(moves, &content);
                check_metric(&layout, &table, 0.0);
            }
        }
    }
    for size in [(2, 2), (3, 3), (4, 4), (5, 5), (7, 7), (2, 6), (7, 3), (5, 4)] {
        let size = BlockSize { width: size.0, height: size.1 };
        for moves in cell_moves() {
            for _ in 0..4 {
                // (Terrain of such small blocks fits 32 bits.)
                for weighted in [false, true] {
                    let (grid, content) = random_block(&mut random, size, weighted);
                    check_cells::<u32>(&grid, moves, &content);
                }
            }
        }
    }
}

#[test]
fn a_flood_that_knows_its_end_finds_the_way_of_one_that_does_not() {
    let slope = Slope::new(2.0).penalties(3.0, 0.5).limits(1.0, 1.5);
    let mut cells = [0, 0];
    for (round, mut random) in Random::rounds(21, 300).enumerate() {
        let mut side = || 2 + random.below(15) as u32;
        let size = BlockSize { width: side(), height: side() };
        let (mut grid, _) = random_block(&mut random, size, round % 2 == 0);
        let mut moves = cell_moves().nth(round % 8).unwrap();
        if round % 3 == 0 {
            let heights: Vec<f32> =
                (0..size.cells()).map(|_| random.below(50) as f32 / 10.0).collect();
            grid.set_heights(&heights).unwrap();
            moves = moves.with_slope(slope);
        }
        let rules = TableRules::<u64>::new(moves, size, None);
        let mut content = Content::default();
        rules.read(&mut content, &grid, size, 0, 0);
        let mut cell = || {
            let BlockSize { width, height } = size;
            (random.below(width.into()) as u32, random.below(height.into()) as u32)
        };
        let (from, to) = (cell(), cell());
        let index = size.index(to.0, to.1);
        let flood = |end: Option<FloodEnd<u64>>, way: Way| {
            let mut distances = Vec::new();
            <u64 as Distance>::flood(&content, &rules, from, way, end, &mut distances);
            distances
        };
        let all = flood(None, Way::Forward);
        let cost = all[index];
        if cost.is_far() || from == to {
            continue;
        }
        let some = flood(Some(FloodEnd { cell: to, cost }), Way::Forward);
        assert!(some.iter().zip(&all).all(|(some, all)| some >= all));
        let way = |distances: &[u64]| {
            let mut way = Vec::new();
            let visit = |cell| way.push(cell);
            <u64 as Distance>::descend(&content, &rules, distances, to, visit);
            way
        };
        assert_eq!(way(&some), way(&all));
        assert_eq!(way(&all).last(), Some(&from));
        let less = flood(Some(FloodEnd { cell: to, cost: cost - 1 }), Way::Forward);
        assert!(less[index].is_far(), "nothing costs less");
        // The way back from there is what a flood from there finds.
        let mut back = Vec::new();
        <u64 as Distance>::flood(&content, &rules, to, Way::Backward, None, &mut back);
        assert_eq!(back[size.index(from.0, from.1)], cost);
        for (cells, list) in cells.iter_mut().zip([&some, &all]) {
            *cells += list.iter().filter(|distance| !distance.is_far()).count();
        }
    }
    assert!(cells[0] * 2 < cells[1], "it leaves out most of a block: {cells:?}");
}

#[test]
fn free_blocks_have_the_distances_of_open_ground() {
    for side in MIN_SIDE..=MAX_SIDE {
        let content = Content::new(side, |_, _| true);
        for moves in cell_moves() {
            let (layout, table) = make::<u32>(moves, &content);
            let (straight, diagonal) = u32::steps(moves);
            for (a, b) in pairs(layout.slots()) {
                let ((ax, ay), (bx, by)) = (layout.at(a), layout.at(b));
                let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
                let want = match moves.rule() {
                    Rule::Four => straight * (dx + dy),
                    _ => diagonal * dx.min(dy) + straight * (dx.max(dy) - dx.min(dy)),
                };
                assert_eq!(table.row(a)[b], want);
            }
        }
        for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
            let (layout, table) = make::<f64>(moves, &content);
            assert_eq!(table.turns(), 0);
            for (a, b) in pairs(layout.slots()) {
                let [a_at, b_at] = [a, b].map(|slot| corner(&layout, slot));
                // Lengths are rounded to 2^-40.
                assert!((table.row(a)[b] - a_at.distance(b_at)).abs() < 1e-10);
                assert_eq!(table.next(a, b), b);
            }
        }
    }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (0..count).map(move |b| (a, b)))
}

fn corner(layout: &Layout, slot: usize) -> Point {
    let (x, y) = layout.at(slot);
    Cell::new(x, y).corner()
}

/// A corner inside a block or on its border; under the strict rule a double corner is two places,
/// one for each of its free cells.
type Place = (Point, Option<Cell>);

fn places(grid: &Grid, moves: Moves) -> Vec<Place> {
    let mut places = Vec::new();
    for (x, y) in (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| (x, y))) {
        let around = [(1, 1), (0, 1), (1, 0), (0, 0)];
        let cells = around.map(|(dx, dy)| Cell::new(x.wrapping_sub(dx), y.wrapping_sub(dy)));
        let point = Cell::new(x, y).corner();
        match cells.map(|cell| grid.is_free(cell)) {
            [false, false, false, false] => {}
            [true, false, false, true] if !moves.rule().squeezes() => {
                places.extend([(point, Some(cells[0])), (point, Some(cells[3]))]);
            }
            [false, true, true, false] if !moves.rule().squeezes() => {
                places.extend([(point, Some(cells[1])), (point, Some(cells[2]))]);
            }
            _ => places.push((point, None)),
        }
    }
    places
}

/// The cost of the straight way between two places of a block, priced as paths are.
fn straight(grid: &Grid, moves: Moves, a: Place, b: Place) -> f64 {
    let begins = |at: Place, to: Place| {
        at.1.is_none_or(|cell| {
            let (x, y) = (f64::from(cell.x), f64::from(cell.y));
            let side = |low: f64, at: f64, to: f64| if at == low { to >= at } else { to <= at };
            side(x, at.0.x(), to.0.x()) && side(y, at.0.y(), to.0.y())
        })
    };
    if a.0 != b.0 && begins(a, b) && begins(b, a) && grid.line_of_sight(a.0, b.0, moves) {
        crate::Path::new(grid, moves, [a.0, b.0]).cost()
    } else {
        f64::INFINITY
    }
}

fn check_corners<D: Distance + Into<f64>>(grid: &Grid, moves: Moves, content: &Content) {
    let (layout, table) = make::<D>(moves, content);
    check_metric(&layout, &table, 1e-6);
    let places = places(grid, moves);
    let cost: Vec<Vec<f64>> = places
        .iter()
        .map(|&a| places.iter().map(|&b| straight(grid, moves, a, b)).collect())
        .collect();
    for from in 0..layout.slots() {
        let start = places.iter().position(|place| place.0 == corner(&layout, from));
        let mut costs = vec![f64::INFINITY; places.len()];
        if let Some(start) = start {
            costs[start] = 0.0;
        }
        let mut done = vec![false; places.len()];
        loop {
            let open = (0..places.len()).filter(|&i| !done[i] && costs[i].is_finite());
            let Some(i) = open.min_by(|&i, &j| costs[i].total_cmp(&costs[j])) else { break };
            done[i] = true;
            for j in 0..places.len() {
                costs[j] = costs[j].min(costs[i] + cost[i][j]);
            }
        }
        for to in 0..layout.slots() {
            let end = places.iter().position(|place| place.0 == corner(&layout, to));
            let want = end.map_or(f64::INFINITY, |end| costs[end]);
            let got: f64 = table.row(from)[to].into();
            let near = got == want || (got - want).abs() <= 1e-6 * want;
            assert!(near, "{moves} {from} {to}: {got}, not {want}");
            // The places on the way lead there and cost as much.
            if want.is_finite() {
                let (mut at, mut way) = (from, vec![corner(&layout, from)]);
                while at != to {
                    at = table.next(at, to);
                    way.push(if at < layout.slots() {
                        corner(&layout, at)
                    } else {
                        let turn = table.turn(at - layout.slots());
                        Cell::new(turn.x, turn.y).corner()
                    });
                }
                let path = crate::Path::new(grid, moves, way);
                assert_eq!(path.check(grid, moves), Ok(()), "{path}");
                assert!((path.cost() - want).abs() <= 1e-6 * want, "{path} {want}");
            }
        }
    }
}

/// Random blocks of every side up to `most` under both any-angle rules, every second one of another
/// width: many of a side below `small`, few of the larger ones.
fn for_each_block(
    random: &mut Random,
    (small, most): (u32, u32),
    (many, few): (u32, u32),
    weighted: bool,
    check: fn(&Grid, Moves, &Content),
) {
    let widths = u64::from(most - MIN_SIDE) + 1;
    for side in MIN_SIDE..=most {
        for moves in [Moves::ANY_ANGLE, Moves::ANY_ANGLE_SQUEEZE] {
            for round in 0..if side < small { many } else { few } {
                let other = MIN_SIDE + random.below(widths) as u32;
                let size =
                    BlockSize { width: if round % 2 == 1 { other } else { side }, height: side };
                let (grid, content) = random_block(random, size, weighted);
                check(&grid, moves, &content);
            }
        }
    }
}

#[test]
fn corner_tables_equal_brute_force() {
    for_each_block(&mut Random::new(2), (7, MAX_SIDE), (40, 2), false, |grid, moves, content| {
        check_corners::<f32>(grid, moves, content);
        check_corners::<f64>(grid, moves, content);
    });
}

#[test]
fn terrain_tables_equal_brute_force() {
    for_each_block(&mut Random::new(3), (5, 9), (30, 1), true, check_corners::<f64>);
}

/// How many entries a full database has, by the formula of the paper: 2^(b^2) patterns of 4 (b - 1)
/// cells, each with a distance to all others.
#[test]
fn a_full_database_of_four_by_four_blocks_has_as_many_entries_as_the_paper_says() {
    let slots = Layout::new(4, true).slots() as u64;
    assert_eq!((1u64 << 16) * slots * (slots - 1), 8_650_752);
}

fn content_of(bits: u32) -> Content {
    Content::new(4, |x, y| bits >> (4 * y + x) & 1 != 0)
}

/// Equal blocks share a table, unused tables are kept while there is room, and the limit holds.
#[test]
fn a_store_counts_what_it_holds() {
    let layout = Layout::new(4, true);
    let rules = TableRules::<u32>::new(Moves::EIGHT, 4, None);
    let mut store = Store::new(64 << 10);
    let blocked = store.acquire(&layout, &rules, &content_of(0));
    assert_eq!((blocked, store.len(), store.bytes()), (TableId::BLOCKED, 0, 0));
    let first = store.acquire(&layout, &rules, &content_of(1));
    assert_eq!(store.acquire(&layout, &rules, &content_of(1)), first);
    assert_eq!((store.len(), store.made()), (1, 1));
    let one = store.bytes();
    // Unused, but still there.
    store.release(first);
    store.release(first);
    assert_eq!((store.len(), store.bytes(), store.room()), (1, one, 64 << 10));
    assert_eq!(store.acquire(&layout, &rules, &content_of(1)), first);
    assert_eq!(store.made(), 1);

    // As many as fit, all in use; then there is no room until one is released.
    let fit = (64 << 10) / one;
    let ids: Vec<_> =
        (2..100).map(|bits| store.acquire(&layout, &rules, &content_of(bits))).collect();
    assert_eq!(ids.iter().filter(|&&id| id != TableId::NO_ROOM).count(), fit - 1);
    assert!(store.bytes() <= 64 << 10 && store.len() == fit);
    assert!(store.get(TableId::NO_ROOM).is_none());
    let late = store.acquire(&layout, &rules, &content_of(200));
    assert_eq!(late, TableId::NO_ROOM);
    store.release(late);
    store.release(first);
    let next = store.acquire(&layout, &rules, &content_of(200));
    assert!(store.get(next).is_some());
    assert_eq!((store.len(), store.made()), (fit, fit as u64 + 1));
    ids.into_iter().for_each(|id| store.release(id));
    assert!(store.bytes() - one <= (64 << 10) / 8, "an eighth for what is unused");
}

/// A table that was used again in the meantime has not been unused for long: others go first. It
/// once kept its place in the queue from its first release.
#[test]
fn the_table_that_was_released_last_is_dropped_last() {
    let layout = Layout::new(4, true);
    let rules = TableRules::<u32>::new(Moves::EIGHT, 4, None);
    let one = Store::bytes_of(&layout, &rules, &content_of(1));
    let mut store = Store::new(10 * 8 * one);
    let take = |store: &mut Store<u32>, bits| {
        let made = store.made();
        let id = store.acquire(&layout, &rules, &content_of(bits));
        (id, store.made() > made)
    };
    for bits in 1..=10 {
        let (id, made) = take(&mut store, bits);
        assert!(made);
        store.release(id);
    }
    // The first is used once more, then two more come than may be kept unused.
    let (id, made) = take(&mut store, 1);
    assert!(!made);
    store.release(id);
    for bits in 11..=12 {
        let (id, _) = take(&mut store, bits);
        store.release(id);
    }
    assert_eq!((store.len(), store.bytes()), (10, 10 * one));
    for (bits, kept) in [(1, true), (4, true), (12, true), (2, false), (3, false)] {
        assert_eq!(take(&mut store, bits).1, !kept, "{bits}");
    }
}

/// Random uses and releases: every table is the right one, and the bytes are those of the tables.
#[test]
fn a_store_hands_out_the_right_tables() {
    let mut random = Random::new(4);
    let layout = Layout::new(4, true);
    let rules = TableRules::<u32>::new(Moves::EIGHT, 4, None);
    let mut memory = MakerMemory::default();
    for limit in [0, 3 << 10, 20 << 10, 1 << 20] {
        let mut store = Store::new(limit);
        let mut held: Vec<(u32, TableId)> = Vec::new();
        for _ in 0..3_000 {
            if held.len() < 40 && random.chance(1, 2) {
                let bits = random.below(60) as u32;
                held.push((bits, store.acquire(&layout, &rules, &content_of(bits))));
            } else if !held.is_empty() {
                let (_, id) = held.swap_remove(random.below(held.len() as u64) as usize);
                store.release(id);
            }
            assert!(store.bytes() <= limit && store.room() <= limit);
            let Some(&(bits, id)) = held.last() else { continue };
            if let Some(table) = store.get(id) {
                let mut fresh = Table::default();
                let content = &content_of(bits);
                let subject = TableFor { layout: &layout, rules: &rules, content };
                u32::make(subject, &mut memory, &mut fresh);
                assert!((0..layout.slots()).all(|slot| table.row(slot) == fresh.row(slot)));
            } else {
                assert_eq!(id == TableId::BLOCKED, bits == 0);
            }
        }
        held.into_iter().for_each(|(_, id)| store.release(id));
        assert!(store.bytes() <= limit / 8);
        assert_eq!(store.room(), limit);
    }
}
