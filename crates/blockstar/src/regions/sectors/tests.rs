use super::*;
use crate::random::Random;
use crate::{Cell, Rule, Tile, generate};
use std::collections::{BTreeSet, VecDeque};

fn random_grid(random: &mut Random) -> Grid {
    random.map((40, 40), 60)
}

/// The regions as sets of cells with their centres, and the pairs of neighbours by their centres.
type Picture = (BTreeSet<Vec<u32>>, BTreeSet<u32>, BTreeSet<(u32, u32)>);

/// Flood fill, cell by cell, and a look at every step.
fn naive(grid: &Grid, moves: Moves, side: (u32, u32)) -> Picture {
    let layout = Layout::new(grid, side);
    let rows = grid.rows();
    let steps = |node: u32| {
        let legal = step_table(moves.rule())[rows.around(node)];
        let (x, y) = rows.coordinates(node);
        (0..8usize).filter(move |d| legal >> d & 1 != 0).map(move |d| {
            (x.wrapping_add_signed(Direction::DX[d]), y.wrapping_add_signed(Direction::DY[d]))
        })
    };
    let mut of = std::collections::BTreeMap::new();
    let mut regions = Vec::new();
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            let node = rows.position(x, y);
            if !rows.get(node) || of.contains_key(&node) {
                continue;
            }
            let mut cells = vec![node];
            of.insert(node, regions.len());
            let mut waiting = VecDeque::from([node]);
            while let Some(node) = waiting.pop_front() {
                for (nx, ny) in steps(node) {
                    let next = rows.position(nx, ny);
                    if layout.sector(nx, ny) == layout.sector(x, y) && !of.contains_key(&next) {
                        of.insert(next, regions.len());
                        cells.push(next);
                        waiting.push_back(next);
                    }
                }
            }
            cells.sort_unstable();
            regions.push(cells);
        }
    }
    let centres: Vec<u32> = regions
        .iter()
        .map(|cells| {
            let of = |node: &u32| rows.coordinates(*node);
            let n = cells.len() as i64;
            let sum = cells
                .iter()
                .map(of)
                .fold((0, 0), |s: (i64, i64), c| (s.0 + i64::from(c.0), s.1 + i64::from(c.1)));
            *cells
                .iter()
                .min_by_key(|cell| {
                    let (x, y) = of(cell);
                    (n * i64::from(x) - sum.0).pow(2) + (n * i64::from(y) - sum.1).pow(2)
                })
                .unwrap()
        })
        .collect();
    let mut pairs = BTreeSet::new();
    for (&node, &region) in &of {
        for (x, y) in steps(node) {
            let other = of[&rows.position(x, y)];
            if other != region {
                pairs.insert((centres[region], centres[other]));
            }
        }
    }
    (regions.into_iter().collect(), centres.into_iter().collect(), pairs)
}

fn picture(sectors: &Sectors, grid: &Grid) -> Picture {
    let mut cells = std::collections::BTreeMap::<u32, Vec<u32>>::new();
    let mut labels = Labels::default();
    for y in 0..grid.height() {
        for x in (0..grid.width()).filter(|&x| grid.is_free(Cell::new(x, y))) {
            let region = sectors.region(grid, x, y, &mut labels, &mut 0);
            cells.entry(region).or_default().push(grid.rows().position(x, y));
        }
    }
    assert_eq!(cells.len(), sectors.live());
    assert_eq!(sectors.all().collect::<BTreeSet<_>>(), cells.keys().copied().collect());
    let mut pairs = BTreeSet::new();
    for region in sectors.all() {
        assert!(cells[&region].contains(&sectors.centre(region)), "a centre lies in its region");
        for &n in sectors.neighbours(region) {
            assert!(pairs.insert((sectors.centre(region), sectors.centre(n))));
        }
        let sorted = sectors.neighbours(region).iter();
        assert!(sorted.is_sorted_by_key(|&n| (sectors.sector(grid.rows(), n), n)));
    }
    let centres = sectors.all().map(|region| sectors.centre(region)).collect();
    (cells.into_values().collect(), centres, pairs)
}

/// Formula (1) of the DBA* paper, also for sectors that are not square or not a power of two.
#[test]
fn the_sector_of_a_cell_is_that_of_the_formula() {
    for (width, height, w, h) in
        [(64, 64, 16, 16), (100, 70, 16, 16), (37, 90, 7, 12), (5, 5, 9, 4)]
    {
        let grid = Grid::new(width, height).unwrap();
        let layout = Layout::new(&grid, (w, h));
        for y in 0..height {
            for x in 0..width {
                let wanted = (f64::from(y) / f64::from(h)).floor()
                    * (f64::from(width) / f64::from(w)).ceil()
                    + (f64::from(x) / f64::from(w)).floor();
                assert_eq!(f64::from(layout.sector(x, y)), wanted);
                assert!(layout.area(layout.sector(x, y)).contains(x, y));
            }
        }
    }
}

#[test]
fn regions_centres_and_neighbours_are_those_of_the_definition() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let grid = random_grid(&mut random);
        let side = (4 + random.below(14) as u32, 4 + random.below(14) as u32);
        for &rule in Rule::CELLS {
            let sectors = Sectors::new(&grid, Moves::new(rule), side, Centre::Mean);
            assert_eq!(picture(&sectors, &grid), naive(&grid, Moves::new(rule), side));
        }
    }
}

/// The paper's claim: the abstraction takes time in proportion to the cells, each looked at once.
#[test]
fn each_free_cell_is_labelled_once() {
    for (seed, side) in [(1, (16, 16)), (2, (7, 31)), (3, (64, 64)), (4, (4, 4))] {
        let grid = generate::caves(150, 130, seed).unwrap();
        let sectors = Sectors::new(&grid, Moves::EIGHT, side, Centre::Mean);
        assert_eq!(sectors.labelled(), grid.free_cells() as u64);
    }
}

/// Thousands of edits split, merge, make and delete regions.
#[test]
fn updated_sectors_are_those_of_the_edited_map() {
    let mut random = Random::new(8);
    let (mut gone, mut moved) = (0, 0);
    for round in 0..60 {
        let mut grid = random_grid(&mut random);
        let side = (4 + random.below(9) as u32, 4 + random.below(9) as u32);
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let centre = if round % 6 == 5 { Centre::Tuned } else { Centre::Mean };
        let mut sectors = Sectors::new(&grid, moves, side, centre);
        for _ in 0..if centre == Centre::Tuned { 20 } else { 150 } {
            let version = grid.version();
            for _ in 0..1 + random.below(3) {
                let x = random.below(grid.width().into()) as u32;
                let y = random.below(grid.height().into()) as u32;
                let tile = if random.chance(1, 2) { Tile::Free } else { Tile::Blocked };
                grid.set((x, y), tile).unwrap();
            }
            if !sectors.update(&grid, grid.changes_since(version).unwrap()) {
                sectors = Sectors::new(&grid, moves, side, centre);
            }
            gone += sectors.repair().gone.len();
            moved += sectors.repair().moved.len();
            let fresh = Sectors::new(&grid, moves, side, centre);
            assert_eq!(picture(&sectors, &grid), picture(&fresh, &grid));
        }
    }
    assert!(gone > 1000 && moved > 3000, "{gone} {moved}");
}

/// What tuning minimises: the most cells off the way, there or back, in searches between a centre
/// and the mean of each neighbour.
fn off_the_way(grid: &Grid, mean: &Sectors, region: u32, centre: u32) -> u64 {
    let mut memory = AreaMemory::default();
    let area = |region: u32| mean.layout.areas(mean.sector(grid.rows(), region), 1);
    let between = |memory: &mut AreaMemory, from: u32, to: u32, neighbour: u32| {
        let search = AreaSearch::new(grid.rows(), Moves::EIGHT, [area(region), area(neighbour)]);
        let (mut expanded, mut way) = (0, Vec::new());
        let found = search.search(memory, from, to, u64::MAX, &mut expanded);
        assert!(matches!(found, Found::Path(_)));
        search.trace_back(memory, to, &mut way);
        expanded.saturating_sub(way.len() as u64 - 1)
    };
    let pairs = mean.neighbours(region).iter().map(|&n| (n, mean.centre(n)));
    let both = pairs.map(|(n, other)| {
        let there = between(&mut memory, centre, other, n);
        there.max(between(&mut memory, other, centre, n))
    });
    both.max().unwrap_or(0)
}

/// A tuned centre is never worse to get to than the mean, some are better, and none could be better
/// still; where the mean is good enough it stays.
#[test]
fn tuned_centres_are_the_best_of_their_regions() {
    let grid = generate::maze(60, 60, 2, 5).unwrap();
    let mean = Sectors::new(&grid, Moves::EIGHT, (16, 16), Centre::Mean);
    let tuned = Sectors::new(&grid, Moves::EIGHT, (16, 16), Centre::Tuned);
    let (a, b) = (picture(&mean, &grid), picture(&tuned, &grid));
    assert_eq!(a.0, b.0);
    let (mut labels, mut better, mut kept) = (Labels::default(), 0, 0);
    for region in mean.all() {
        let [before, after] = [mean.centre(region), tuned.centre(region)]
            .map(|centre| off_the_way(&grid, &mean, region, centre));
        assert!(after <= before, "{after} {before}");
        if before <= 24 {
            assert_eq!(mean.centre(region), tuned.centre(region));
            kept += 1;
            continue;
        }
        better += usize::from(after < before);
        let area = mean.layout.area(mean.sector(grid.rows(), region));
        for (x, y) in
            (area.top..area.bottom).flat_map(|y| (area.left..area.right).map(move |x| (x, y)))
        {
            if grid.is_free(Cell::new(x, y))
                && mean.region(&grid, x, y, &mut labels, &mut 0) == region
            {
                let node = grid.rows().position(x, y);
                assert!(after <= off_the_way(&grid, &mean, region, node));
            }
        }
    }
    assert!(better > 3 && kept > 0, "{better} {kept}");
}

/// The search as it is defined: all legal steps, one heap of total, estimate and node.
fn plain_search(
    grid: &Grid,
    moves: Moves,
    areas: [Area; 2],
    (from, to): (u32, u32),
) -> Option<(u32, u64, Vec<u32>)> {
    let (rows, (straight, diagonal)) = (grid.rows(), units(moves));
    let inside = |node: u32| {
        let (x, y) = rows.coordinates(node);
        areas.iter().any(|area| area.contains(x, y))
    };
    let climber = crate::regions::climb::Climber::new(grid, moves).with_units((straight, diagonal));
    let place = |node: u32| {
        let (x, y) = rows.coordinates(node);
        (y, x)
    };
    let mut known = std::collections::HashMap::from([(from, (0, from))]);
    let mut open = BTreeSet::from([(climber.estimate(from, to), 0, place(from), from)]);
    let mut expanded = 0;
    while let Some((total, h, _, node)) = open.pop_first() {
        // The first entry has no estimate of its own: it is alone.
        let g = if node == from { 0 } else { total - h };
        if known[&node].0 != g {
            continue;
        }
        if node == to {
            let mut way = vec![to];
            while let Some(&last) = way.last().filter(|&&last| last != from) {
                way.push(known[&last].1);
            }
            return Some((g, expanded, way));
        }
        expanded += 1;
        for d in (0..8u8).filter(|d| climber.legal(node) >> d & 1 != 0) {
            let next = climber.neighbour(node, d);
            let g = g + climber.step_cost(d);
            if inside(next) && known.get(&next).is_none_or(|known| known.0 > g) {
                known.insert(next, (g, node));
                let h = climber.estimate(next, to);
                open.insert((g + h, h, place(next), next));
            }
        }
    }
    None
}

/// Leaving out steps that lead nowhere more cheaply changes neither path nor work.
#[test]
fn steps_left_out_change_nothing() {
    let (mut random, mut memory) = (Random::new(9), AreaMemory::default());
    let (mut found, mut lost) = (0, 0);
    for round in 0..600 {
        let share = random.below(45);
        let grid = Grid::from_fn(40, 36, |_| !random.chance(share, 100)).unwrap();
        let moves = Moves::new(Rule::CELLS[round % 4]);
        let side = 8 + random.below(16) as u32;
        let mut area = || {
            let (left, top) = (random.below(20) as u32, random.below(16) as u32);
            Area { left, top, right: (left + side).min(40), bottom: (top + side).min(36) }
        };
        let areas = [area(), area()];
        let mut end = |area: Area| {
            let x = area.left + random.below((area.right - area.left).into()) as u32;
            grid.rows().position(x, area.top + random.below((area.bottom - area.top).into()) as u32)
        };
        let ends = (end(areas[0]), end(areas[1]));
        if !grid.rows().get(ends.0) || !grid.rows().get(ends.1) {
            continue;
        }
        let (search, mut expanded) = (AreaSearch::new(grid.rows(), moves, areas), 0);
        let outcome = search.search(&mut memory, ends.0, ends.1, u64::MAX, &mut expanded);
        match (outcome, plain_search(&grid, moves, areas, ends)) {
            (Found::Path(cost), Some((g, work, plain))) => {
                let mut way = Vec::new();
                search.trace_back(&memory, ends.1, &mut way);
                assert_eq!((cost, expanded, way), (g, work, plain));
                found += 1;
            }
            (Found::Nothing, None) => lost += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(found > 200 && lost > 20, "{found} {lost}");
}
