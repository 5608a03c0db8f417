//! Which steps are worth taking after another.
//!
//! Whoever came to a cell from a neighbour need not go on to where that neighbour leads more cheaply
//! past it. The nine cells around tell: such a way has two steps at most, and its cells lie among
//! them. Ways that are only just as cheap are kept, so ties are broken as if nothing were left out.

use crate::Rule;
use crate::engine::nodes::ROOT;
use crate::rules::moves::{Direction, StepTable, by_steps, step_table};

/// For each direction of arrival, and for [`ROOT`], the steps worth taking by the nine cells
/// around. What follows is never asked for: it makes the length a power of two.
pub(super) type OnwardTable = [StepTable; 16];

/// The table of a movement rule.
pub(super) const fn onward_table(rule: Rule) -> &'static OnwardTable {
    by_steps!(rule, OnwardTable, make)
}

const fn make(rule: Rule) -> OnwardTable {
    let mut table = [[0; 512]; 16];
    let mut around = 0;
    while around < 512 {
        let legal = step_table(rule)[around];
        let mut arrival = 0;
        while arrival <= ROOT as usize {
            let mut onward = legal;
            let mut step = 0;
            while step < 8 && arrival < ROOT as usize {
                if legal >> step & 1 != 0 && has_way_past(around, rule, arrival, step) {
                    onward &= !(1 << step);
                }
                step += 1;
            }
            table[arrival][around] = onward;
            arrival += 1;
        }
        around += 1;
    }
    table
}

/// Whether the cell before the one in the middle leads more cheaply to the one after it.
const fn has_way_past(around: usize, rule: Rule, arrival: usize, step: usize) -> bool {
    let before = (-Direction::DX[arrival], -Direction::DY[arrival]);
    let after = (Direction::DX[step], Direction::DY[step]);
    if before.0 == after.0 && before.1 == after.1 || leads(around, rule, before, after) {
        return true;
    }
    let diagonals = arrival % 2 + step % 2;
    let mut d = 0;
    while d < 8 {
        let between = (Direction::DX[d], Direction::DY[d]);
        let cheaper = is_diagonal(before, between) + is_diagonal(between, after) < diagonals;
        if cheaper && leads(around, rule, before, between) && leads(around, rule, between, after) {
            return true;
        }
        d += 1;
    }
    false
}

const fn is_diagonal(from: (i32, i32), to: (i32, i32)) -> usize {
    (from.0 != to.0 && from.1 != to.1) as usize
}

/// Whether a legal step leads between two of the nine cells, given by their places relative to the
/// one in the middle.
const fn leads(around: usize, rule: Rule, from: (i32, i32), to: (i32, i32)) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if dx * dx > 1 || dy * dy > 1 || (dx == 0 && dy == 0) {
        return false;
    }
    if !is_free(around, to.0, to.1) {
        return false;
    }
    if dx == 0 || dy == 0 {
        return true;
    }
    let (one, other) = (is_free(around, from.0, to.1), is_free(around, to.0, from.1));
    match rule {
        Rule::Four => false,
        Rule::Eight => one && other,
        Rule::EightCutOne | Rule::AnyAngle => one || other,
        Rule::EightCutAny | Rule::AnyAngleSqueeze => true,
    }
}

const fn is_free(around: usize, x: i32, y: i32) -> bool {
    around >> (4 + x + 3 * y) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_open_three_steps_remain() {
        let eight = onward_table(Rule::Eight);
        for (d, steps) in eight.iter().enumerate().take(8) {
            let onward = [d, (d + 1) % 8, (d + 7) % 8].iter().fold(0u8, |steps, d| steps | 1 << d);
            assert_eq!(steps[511], onward, "{d}");
            // Straight steps alone: every way but back is as short as any other.
            assert_eq!(onward_table(Rule::Four)[d & 6][511], 0b0101_0101 & !(1 << ((d & 6) ^ 4)));
        }
        assert_eq!(eight[usize::from(ROOT)][511], 255);
        // Past a wall in the north-west, after a step to the east, north is worth a look.
        assert_eq!(eight[2][511 & !1], 0b1111);
    }
}
