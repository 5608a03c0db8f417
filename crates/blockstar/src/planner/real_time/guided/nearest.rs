//! The most similar of many pairs of cells: a k-d tree in four dimensions. (Unrelated to
//! [`Query::nearest`](crate::Query::nearest), which the gate answers.)
//!
//! Two problems are similar if their starts are close to each other and so are their goals: the
//! distance is the sum of the two estimates. The tree is implicit, in the order of the list: the
//! median by the x of the start is in the middle, the medians of the two halves by the y of the
//! start are in the middles of the halves, and so on by the coordinates of start and goal in turn.

use crate::rules::cost::StepCosts;
use crate::{Moves, Rule};

/// A pair of cells: x and y of the first, x and y of the second.
pub(super) type Pair = [u16; 4];

/// A pair and its distance from the query, by which neighbours are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Neighbour {
    distance: u32,
    /// The number of the pair.
    pub index: u32,
}

/// Pairs in the order of the tree, with their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct PairIndex {
    pairs: Vec<(Pair, u32)>,
    /// The units of a straight and of a diagonal step.
    units: (u32, u32),
}

impl PairIndex {
    /// An index of pairs, numbered from 0, with the estimates of a movement rule.
    pub fn new(pairs: impl Iterator<Item = Pair>, moves: Moves) -> Self {
        let (straight, diagonal) = StepCosts::<u32>::units(moves);
        let diagonal = if moves.rule() == Rule::Four { 2 * straight } else { diagonal };
        Self::with_units(pairs, (straight, diagonal))
    }

    fn with_units(pairs: impl Iterator<Item = Pair>, units: (u32, u32)) -> Self {
        let mut pairs: Vec<_> = pairs.zip(0..).collect();
        order(&mut pairs, 0);
        Self { pairs, units }
    }

    /// Finds the `count` nearest pairs, nearest first; among equally near ones the lowest numbers.
    pub fn nearest(&self, to: Pair, count: usize, found: &mut Vec<Neighbour>) {
        found.clear();
        if count > 0 {
            self.search(&self.pairs, 0, to, [0; 4], count, found);
        }
    }

    fn search(
        &self,
        part: &[(Pair, u32)],
        axis: usize,
        to: Pair,
        outside: Pair,
        count: usize,
        found: &mut Vec<Neighbour>,
    ) {
        let middle = part.len() / 2;
        let Some(&(pair, index)) = part.get(middle) else { return };
        let apart = std::array::from_fn(|i| pair[i].abs_diff(to[i]));
        let neighbour = Neighbour { distance: self.distance(apart), index };
        if found.len() < count || found.last().is_some_and(|last| neighbour < *last) {
            found.truncate(count - 1);
            let place = found.partition_point(|other| *other < neighbour);
            found.insert(place, neighbour);
        }
        let (low, high) = (&part[..middle], &part[middle + 1..]);
        let next = (axis + 1) % 4;
        let (near, far) = if to[axis] <= pair[axis] { (low, high) } else { (high, low) };
        self.search(near, next, to, outside, count, found);
        // The least distance to the far part, in each coordinate.
        let mut beyond = outside;
        beyond[axis] = pair[axis].abs_diff(to[axis]);
        let least = self.distance(beyond);
        if found.len() < count || found.last().is_some_and(|last| least <= last.distance) {
            self.search(far, next, to, beyond, count, found);
        }
    }

    /// The sum of the two estimates over these differences.
    fn distance(&self, apart: Pair) -> u32 {
        let (straight, diagonal) = self.units;
        let estimate = |dx: u16, dy: u16| {
            let (long, short) = (u32::from(dx.max(dy)), u32::from(dx.min(dy)));
            long * straight + short * (diagonal - straight)
        };
        estimate(apart[0], apart[1]) + estimate(apart[2], apart[3])
    }

    pub fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<(Pair, u32)>()
    }
}

/// Puts the medians into the middle.
fn order(part: &mut [(Pair, u32)], axis: usize) {
    if part.len() < 2 {
        return;
    }
    let middle = part.len() / 2;
    part.select_nth_unstable_by_key(middle, |&(pair, index)| (pair[axis], index));
    let (low, rest) = part.split_at_mut(middle);
    order(low, (axis + 1) % 4);
    order(&mut rest[1..], (axis + 1) % 4);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_nearest_are_those_of_a_scan() {
        let mut random = Random::new(4);
        let mut found = Vec::new();
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            let spread = [3, 50, 1000][random.below(3) as usize];
            let mut pair = || std::array::from_fn(|_| random.below(spread) as u16);
            let pairs: Vec<Pair> = (0..count).map(|_| pair()).collect();
            for units in [(5, 7), (5, 10)] {
                let tree = PairIndex::with_units(pairs.iter().copied(), units);
                for k in [0, 1, 2, 10] {
                    let to = pair();
                    tree.nearest(to, k, &mut found);
                    let mut all: Vec<_> = (0u32..)
                        .zip(&pairs)
                        .map(|(index, pair)| {
                            let apart = std::array::from_fn(|i| pair[i].abs_diff(to[i]));
                            Neighbour { distance: tree.distance(apart), index }
                        })
                        .collect();
                    all.sort_unstable();
                    all.truncate(k);
                    assert_eq!(found, all);
                }
            }
        }
    }
}
