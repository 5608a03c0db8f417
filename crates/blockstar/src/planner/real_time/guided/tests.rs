//! Guides keep their promises; forged files do no harm.

use super::climbing::{WorkBounds, climb_step};
use super::dynamic::PairSubgoals;
use super::knn::{KnnRecords, KnnSettings};
use super::trees::SubgoalTrees;
use super::{Agent, Guide, Guided, file};
use crate::db::HEADER;
use crate::engine::Driver;
use crate::planner::real_time::lrta::local::Lookahead;
use crate::random::Random;
use crate::regions::climb::Climber;
use crate::{
    Cell, Diagonal, DistanceMap, Grid, Moves, Planner, Query, Rule, Scratch, Status, generate,
};

const LOOKAHEAD: Lookahead = Lookahead { work: 4, avoid: true, sparing: true };
const BOUNDS: WorkBounds = WorkBounds { work: 500, lookahead: LOOKAHEAD };
const KNN: KnnSettings = KnnSettings { nearest: 5, bounds: BOUNDS };

fn all_moves() -> Vec<Moves> {
    let mut all: Vec<_> = Rule::CELLS.iter().copied().map(Moves::new).collect();
    all.push(Moves::EIGHT.with_diagonal(Diagonal::OnePointFour));
    all
}

/// An agent that follows a tree walks a shortest path, from everywhere.
#[test]
fn trees_lead_to_their_goal_by_shortest_paths() {
    let (mut random, mut walked) = (Random::new(2011), 0);
    for round in 0..60 {
        let blocked = [0, 10, 25, 40][round % 4];
        let (width, height) = (1 + random.below(25) as u32, 1 + random.below(25) as u32);
        let grid = Grid::from_fn(width, height, |_| !random.chance(blocked, 100)).unwrap();
        let rows = grid.rows();
        for moves in all_moves() {
            let climber = Climber::new(&grid, moves);
            let trees = SubgoalTrees::prepare(&grid, moves, Some(5));
            for tree in 0..trees.goals().len() {
                let goal = trees.goals()[tree];
                let (x, y) = rows.coordinates(goal);
                let distances = DistanceMap::new(&grid, moves, [Cell::new(x, y)]).unwrap();
                for y in 0..height {
                    for x in 0..width {
                        let best = distances.distance(&grid, Cell::new(x, y)).unwrap();
                        let Some(best) = best else { continue };
                        let (mut at, mut cost) = (rows.position(x, y), 0.0);
                        while at != goal {
                            let subgoal = trees.subgoal(&grid, tree as u32, at).unwrap();
                            while at != subgoal {
                                let next = climb_step(&grid, &climber, at, subgoal).unwrap();
                                let diagonal = climber.is_diagonal(at, next);
                                cost += if diagonal { moves.diagonal().length() } else { 1.0 };
                                at = next;
                            }
                        }
                        assert!((cost - best).abs() < 1e-6, "{cost} {best} {moves}");
                        walked += 1;
                    }
                }
            }
        }
    }
    assert!(walked > 50_000, "{walked}");
}

/// How many forged files were refused, and how many opened.
#[derive(Default)]
struct Fates {
    refused: u64,
    opened: u64,
}

/// Forges files of a guide, and lets agents walk with those that can be opened.
fn forge<G: Guide>(
    (grid, moves): (&Grid, Moves),
    (amount, settings): (u32, G::Settings),
    random: &mut Random,
    scratch: &mut Scratch,
    fates: &mut Fates,
) where
    Guided<G>: Agent,
{
    let made = Guided::<G>::new(grid, moves, Some(amount), settings);
    let bytes = Driver::new(made, grid, moves).save().unwrap();
    for _ in 0..400 {
        let mut payload = bytes[HEADER..].to_vec();
        if random.chance(1, 3) {
            payload = random.damage(&payload);
        } else {
            // Numbers of the file in other places: free cells, mostly.
            for _ in 0..1 + random.below(20) {
                let words = (payload.len() / 4) as u64;
                let mut place = || 4 * random.below(words) as usize;
                let (from, to) = (place(), place());
                payload.copy_within(from..from + 4, to);
            }
        }
        let file = file::seal(&payload, G::KIND, grid.content_hash(), moves, None);
        let Ok(forged) = Guided::<G>::read(&file, grid, moves, None, settings) else {
            fates.refused += 1;
            continue;
        };
        fates.opened += 1;
        let planner = Driver::new(forged, grid, moves);
        for (start, goal) in generate::queries(grid, 3, fates.opened) {
            let query = Query::new(start, goal);
            let status = planner.find(grid, &query, scratch).unwrap();
            assert_eq!(status, Status::Found, "{:?}", G::KIND);
            scratch.path().check(grid, moves).unwrap();
        }
    }
}

/// Files with changed content and a matching checksum: they are refused, or they lead agents
/// astray, but by legal moves and not for ever.
#[test]
fn forged_files_do_no_harm() {
    let mut random = Random::new(83);
    let (scratch, fates) = (&mut Scratch::new(), &mut Fates::default());
    for seed in 0..3 {
        let grid = generate::random(24, 20, 25.0, seed).unwrap();
        for moves in [Moves::FOUR, Moves::EIGHT] {
            let map = (&grid, moves);
            forge::<KnnRecords>(map, (40, KNN), &mut random, scratch, fates);
            forge::<SubgoalTrees>(map, (5, BOUNDS), &mut random, scratch, fates);
            forge::<PairSubgoals>(map, (2, LOOKAHEAD), &mut random, scratch, fates);
        }
    }
    let Fates { refused, opened } = fates;
    assert!(*refused > 500 && *opened > 500, "{refused} {opened}");
}
