//! The paper's listing again, with a queue that returns the first of equal entries.
//!
//! The paper does not say how its queue breaks ties. The library's returns the last entry; with
//! many equally cheap paths, a queue that returns the first finds another one. Only the turns
//! matter here, so this is as plain as possible: costs in whole millionths, so that equal sums are
//! equal, and a heap with a counter.

use blockstar::papers::{self, Case};
use blockstar::{Cell, Moves, Path};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// The Manhattan distance and nothing else.
    AStar,
    /// The Chebyshev distance, times √2 after a diagonal step.
    Modified,
}

const ONE: f64 = 1e6;

/// How often the path changes its heading.
pub fn turns(case: &Case, listing: Listing) -> usize {
    search(case, listing).turns()
}

fn search(case: &Case, listing: Listing) -> Path {
    let grid = &case.grid;
    let (width, height) = (i64::from(grid.width()), i64::from(grid.height()));
    let place = |cell: Cell| i64::from(cell.y) * width + i64::from(cell.x);
    let level =
        |x: i64, y: i64| grid.height_at(Cell::new(x as u32, y as u32)).map_or(0.0, f64::from);
    let (start, goal) = (place(case.start), place(case.goal));
    let units = |length: f64| (length * ONE).round() as u64;
    let estimate = |x: i64, y: i64, diagonal: bool| {
        let (dx, dy) = ((x - goal % width).abs(), (y - goal / width).abs());
        let times = if diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
        match listing {
            Listing::AStar => units((dx + dy) as f64),
            Listing::Modified => units(dx.max(dy) as f64 * times),
        }
    };
    let mut known: Vec<Option<(u64, i64)>> = vec![None; (width * height) as usize];
    let mut queue = BinaryHeap::new();
    let mut count = 0u64;
    known[start as usize] = Some((0, start));
    queue.push(Reverse((0, count, start)));
    while let Some(Reverse((_, _, at))) = queue.pop() {
        if at == goal {
            break;
        }
        let (x, y) = (at % width, at / width);
        let Some((cost, _)) = known[at as usize] else { continue };
        // The order in which the library looks at neighbours: clockwise from the north.
        for (dx, dy) in [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)] {
            let (nx, ny) = (x + dx, y + dy);
            let inside = (0..width).contains(&nx) && (0..height).contains(&ny);
            if !inside || !grid.is_free(Cell::new(nx as u32, ny as u32)) {
                continue;
            }
            let diagonal = dx != 0 && dy != 0;
            let length = if diagonal { std::f64::consts::SQRT_2 } else { 1.0 };
            let step = units(length * (1.0 + (level(nx, ny) - level(x, y)).abs()));
            let (next, new) = (ny * width + nx, cost + step);
            if known[next as usize].is_none_or(|(old, _)| new < old) {
                known[next as usize] = Some((new, at));
                count += 1;
                queue.push(Reverse((new + estimate(nx, ny, diagonal), count, next)));
            }
        }
    }
    let mut cells = vec![goal];
    let mut at = goal;
    while let Some((_, before)) = known[at as usize].filter(|_| at != start) {
        at = before;
        cells.push(at);
    }
    let cells = cells.iter().rev().map(|at| Cell::new((at % width) as u32, (at / width) as u32));
    Path::new(grid, Moves::EIGHT_CUT_ANY.with_slope(papers::astar_mod_slope(1.0)), cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::{Algorithm, Query, Scratch};

    /// The paths are legal, lead from end to end, and cost what the listing permits: with the √2 at
    /// most that many times the optimum.
    #[test]
    fn the_plain_listing_finds_paths_within_its_bound() {
        for case in papers::astar_mod_cases().unwrap() {
            let moves = Moves::EIGHT_CUT_ANY.with_slope(papers::astar_mod_slope(1.0));
            let planner = Algorithm::named("astar").unwrap().prepare(&case.grid, moves).unwrap();
            let mut scratch = Scratch::new();
            planner.find(&case.grid, &Query::new(case.start, case.goal), &mut scratch).unwrap();
            let best = scratch.path().cost();
            for listing in [Listing::AStar, Listing::Modified] {
                let path = search(&case, listing);
                path.check(&case.grid, moves).unwrap();
                let ends = (path.points().first().copied(), path.points().last().copied());
                assert_eq!(ends, (Some(case.start.centre()), Some(case.goal.centre())));
                assert!(path.cost() >= best - 1e-6, "{} {listing:?}", case.number);
                let most = best * std::f64::consts::SQRT_2 + 1e-3;
                assert!(
                    listing == Listing::AStar || path.cost() <= most,
                    "{} {listing:?}",
                    case.number
                );
            }
        }
    }
}
