//! Levels against their definitions; forged files.

use super::gather::{CellGraph, Graph};
use super::*;
use crate::grid::components::Components;
use crate::random::Random;
use crate::{Cell, Moves};

/// Open ground of 16 x 16 cells is cut into aligned squares by every rule.
#[test]
fn open_ground_is_cut_into_squares() {
    let grid = Grid::new(16, 16).unwrap();
    for &rule in Rule::CELLS {
        let cliques = Cliques::new(&grid, rule);
        assert_eq!(cliques.height(), 4, "{rule:?}");
        for level in 1..=4 {
            let side = 16 >> level;
            assert_eq!(cliques.level(level).len(), side * side, "{rule:?}");
            for y in 0..16u32 {
                for x in 0..16u32 {
                    let node = cliques.ancestor(grid.rows().position(x, y), level);
                    let (x, y) = (x as usize >> level, y as usize >> level);
                    assert_eq!(node as usize, y * side + x, "{rule:?}");
                }
            }
        }
        let top = cliques.level(4);
        assert_eq!((top.cells(0), top.middle(0)), (256, (16, 16)));
        assert!(top.parent(0) == NONE && top.neighbours(0).is_empty());
    }
}

/// An orphan joins the group if all its neighbours are in one.
#[test]
fn orphans_join_the_only_parent_around_them() {
    let corridor = |width| Grid::new(width, 1).unwrap();
    let cliques = Cliques::new(&corridor(3), Rule::Eight);
    assert_eq!((cliques.height(), cliques.level(1).len()), (1, 1));
    assert_eq!(cliques.level(1).children(0).len(), 3);
    let cliques = Cliques::new(&corridor(5), Rule::Eight);
    let sizes: Vec<_> = (0..2).map(|node| cliques.level(1).children(node).len()).collect();
    assert_eq!((cliques.level(1).len(), sizes), (2, vec![2, 3]));
    // A star of four arms of one cell: the centre and one arm are a pair, the others join it.
    let star = Grid::from_ascii("#.#\n...\n#.#").unwrap();
    let cliques = Cliques::new(&star, Rule::Eight);
    assert_eq!((cliques.height(), cliques.level(1).len()), (1, 1));
}

/// Random maps with fewer than `blocked` percent of walls, and a rule for each.
fn maps(seed: u64, count: usize, blocked: u64) -> impl Iterator<Item = (Grid, Rule)> {
    let mut random = Random::new(seed);
    (0..count).map(move |round| (random.map((24, 24), blocked), Rule::CELLS[round % 4]))
}

/// Everything that a level claims, against the definitions, on random maps by every rule.
#[test]
fn levels_are_partitions_into_connected_groups() {
    for (grid, rule) in maps(11, 3000, 70) {
        check(&grid, rule, &Cliques::new(&grid, rule));
    }
}

fn check(grid: &Grid, rule: Rule, cliques: &Cliques) {
    let rows = grid.rows();
    let ground = CellGraph::new(grid, rule);
    let cells: Vec<u32> = (0..grid.height())
        .flat_map(|y| (0..grid.width()).map(move |x| (x, y)))
        .map(|(x, y)| rows.position(x, y))
        .filter(|&position| rows.get(position))
        .collect();
    assert_eq!(cliques.height() == 0, cells.is_empty());
    let (mut known, mut size) = (cells.clone(), usize::MAX);
    for at in 1..=cliques.height() {
        let level = cliques.level(at);
        assert!(level.len() < size, "every level is smaller than the one below");
        size = level.len();
        // Every node of the level below is the child of its parent and of no other.
        let mut children: Vec<u32> = Vec::new();
        for node in 0..level.len() as u32 {
            assert!(!level.children(node).is_empty());
            for &child in level.children(node) {
                let parent = match at {
                    1 => cliques.parent_of_cell(child),
                    _ => cliques.level(at - 1).parent(child),
                };
                assert_eq!(parent, node);
            }
            children.extend(level.children(node));
            assert!(connected(level.children(node), |a, b| match at {
                1 => ground.joined(a, b),
                _ => cliques.level(at - 1).joined(a, b),
            }));
            let own = level.representative(node);
            assert_eq!(cliques.ancestor(own, at), node, "it lies in its node");
        }
        children.sort_unstable();
        assert_eq!(children, known);
        known = (0..level.len() as u32).collect();
        // Nodes are neighbours exactly if cells of theirs are.
        let mut edges = Vec::new();
        let mut counts = vec![0; level.len()];
        for &cell in &cells {
            let a = cliques.ancestor(cell, at);
            counts[a as usize] += 1;
            ground.neighbours(cell, |next| {
                let b = cliques.ancestor(next, at);
                if a != b {
                    edges.push((a, b));
                }
            });
        }
        edges.sort_unstable();
        edges.dedup();
        assert_eq!(level.neighbours, Lists::new(level.len(), &edges));
        assert_eq!(level.cells, counts);
    }
    // One node for each connected part of the map.
    if cliques.height() > 0 {
        let components = Components::new(grid, Moves::new(rule).rule());
        let cell = |position| {
            let (x, y) = rows.coordinates(position);
            Cell::new(x, y)
        };
        let top = cliques.level(cliques.height());
        assert!(top.neighbours.items.is_empty());
        for &a in &cells {
            let b = top.representative(cliques.ancestor(a, cliques.height()));
            assert!(components.connected(cell(a), cell(b)));
        }
    }
}

fn connected(nodes: &[u32], joined: impl Fn(u32, u32) -> bool) -> bool {
    let mut reached = vec![nodes[0]];
    let mut at = 0;
    while at < reached.len() {
        for &node in nodes {
            if !reached.contains(&node) && joined(reached[at], node) {
                reached.push(node);
            }
        }
        at += 1;
    }
    reached.len() == nodes.len()
}

/// What was written is what is read.
#[test]
fn what_was_written_is_read() {
    for (grid, rule) in maps(12, 400, 101) {
        let cliques = Cliques::new(&grid, rule);
        assert_eq!(Cliques::read(&cliques.write(), &grid, rule), Some(cliques));
    }
}

/// Forged payloads are refused, or give an abstraction that keeps its promises.
#[test]
fn forged_levels_are_refused_or_sound() {
    let mut random = Random::new(13);
    let (mut refused, mut read) = (0, 0);
    for round in 0..300 {
        let rule = Rule::CELLS[round % 4];
        let grid = Grid::from_fn(12, 10, |_| !random.chance(30, 100)).unwrap();
        let payload = Cliques::new(&grid, rule).write();
        for _ in 0..40 {
            let mut forged = payload.clone();
            if random.chance(1, 4) {
                forged = random.damage(&forged);
            } else {
                // Children of other parents, mostly.
                let words = (forged.len() / 4) as u64;
                let mut place = || 4 * random.below(words) as usize;
                let (from, to) = (place(), place());
                forged.copy_within(from..from + 4, to);
            }
            match Cliques::read(&forged, &grid, rule) {
                Some(cliques) => {
                    check(&grid, rule, &cliques);
                    read += 1;
                }
                None => refused += 1,
            }
        }
    }
    assert!(refused > 3000 && read > 200, "{refused} {read}");
}
