//! The points at which a shortest path can turn, and around what.
//!
//! A path is *taut* at a turn if the obstacle lies in the inner angle: pulled tight, it would not
//! move. Of the sixteen ways in which the four cells around a corner can be blocked,
//!
//! * **one blocked cell** is a turning point under both rules: the path wraps around that cell;
//! * a **double corner** (two blocked cells touching diagonally) is one under the permissive rule,
//!   where a path passes from one free cell to the other and wraps around either wall. Under the
//!   strict rule it is not: a path has to stay in one free quarter there, and two directions of
//!   one quarter always have free ground between them;
//! * **all others** are not: two blocked cells side by side leave half a plane free, three leave a
//!   quarter and none leaves everything, so any turn there can be shortened.
//!
//! So the blocked cells of a turning point lie on one diagonal, and a taut path comes from one of
//! the two quarters on the *other* diagonal and leaves by the opposite one. That diagonal is the
//! point's [`Slope`]. Of the four directions along grid lines, those that touch a blocked cell
//! belong to the quarter they bound, and the others are not taut (a path would go on straight).
//!
//! The points are kept as two bit maps, one for each slope, because a scan in one quarter of the
//! plane needs only one slope. The counts in between turn a bit into an index.

use crate::{Grid, Point, Rule};

/// The diagonal along which taut paths run through a turning point, as seen on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slope {
    /// From upper left to lower right: a blocked cell lies to the upper right or lower left.
    Falling = 0,
    /// From lower left to upper right.
    Rising = 1,
}

/// The turning points of a map under one rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct TurningPoints {
    words: Vec<Word>,
    words_per_line: u32,
    places: Vec<Place>,
}

/// Where a turning point is and how a path turns there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub x: u16,
    pub y: u16,
    pub slope: Slope,
    /// The sign of the cross product of two successive directions (y is down) of a taut path from
    /// the upper quarter to the lower one; the other way it is the opposite. 0 at a double corner,
    /// where every turn from quarter to quarter is taut.
    pub turn: i8,
}

impl Place {
    pub fn point(self) -> Point {
        Point::from_units(i32::from(self.x) * Point::UNITS, i32::from(self.y) * Point::UNITS)
    }
}

/// 64 corners of one line.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    slopes: [u64; 2],
    /// How many turning points come before them.
    before: u32,
}

impl TurningPoints {
    pub fn new(grid: &Grid, rule: Rule) -> Self {
        let words_per_line = (grid.width() + 1).div_ceil(64);
        let mut points = Self {
            words: Vec::with_capacity((words_per_line * (grid.height() + 1)) as usize),
            words_per_line,
            places: Vec::new(),
        };
        for y in 0..=grid.height() {
            for first in (0..=grid.width()).step_by(64) {
                points.add_word(grid, rule, first, y);
            }
        }
        points
    }

    /// Finds the turning points among the 64 corners from (`first`, `y`) on.
    fn add_word(&mut self, grid: &Grid, rule: Rule, first: u32, y: u32) {
        let bits = grid.rows();
        let mut word = Word { slopes: [0; 2], before: self.places.len() as u32 };
        // No corner of the border has fewer than two blocked cells, and none is a double corner.
        if y > 0 && y < grid.height() {
            let position = bits.position(first, y);
            let (below, above) = (position, position - bits.stride());
            let (nw, ne) = (!bits.from(above - 1), !bits.from(above));
            let (sw, se) = (!bits.from(below - 1), !bits.from(below));
            // Beyond the last corner, the load holds cells of the next line.
            let on_map = u64::MAX >> (63 - (grid.width() - first).min(63));
            let both = rule.squeezes();
            let on = |a: u64, b: u64| if both { a | b } else { a ^ b };
            word.slopes[Slope::Falling as usize] = on(ne, sw) & !nw & !se & on_map;
            word.slopes[Slope::Rising as usize] = on(nw, se) & !ne & !sw & on_map;
            let (east, west) = (ne | se, nw | sw);
            let mut left = word.slopes[0] | word.slopes[1];
            while left != 0 {
                let bit = left & left.wrapping_neg();
                let slope = if word.slopes[0] & bit != 0 { Slope::Falling } else { Slope::Rising };
                let turn = i8::from(west & bit != 0) - i8::from(east & bit != 0);
                let x = first + left.trailing_zeros();
                self.places.push(Place { x: x as u16, y: y as u16, slope, turn });
                left ^= bit;
            }
        }
        self.words.push(word);
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    #[inline]
    pub fn place(&self, index: u32) -> Place {
        self.places[index as usize]
    }

    /// The turning point at a corner, if there is one.
    #[inline]
    pub fn at(&self, x: u32, y: u32) -> Option<u32> {
        let word = self.words[(y * self.words_per_line + x / 64) as usize];
        let (all, bit) = (word.slopes[0] | word.slopes[1], 1 << (x % 64));
        (all & bit != 0).then(|| word.before + (all & (bit - 1)).count_ones())
    }

    /// Calls `visit` with each turning point of a slope on line `y` from corner `first` to corner
    /// `last` inclusive, from left to right.
    #[inline]
    pub fn on_line(
        &self,
        y: u32,
        first: u32,
        last: u32,
        slope: Slope,
        visit: &mut impl FnMut(u32),
    ) {
        let line = y * self.words_per_line;
        for column in first / 64..=last / 64 {
            let word = &self.words[(line + column) as usize];
            let mut found = word.slopes[slope as usize];
            if found == 0 {
                continue;
            }
            if column == first / 64 {
                found &= u64::MAX << (first % 64);
            }
            if column == last / 64 {
                found &= u64::MAX >> (63 - last % 64);
            }
            let all = word.slopes[0] | word.slopes[1];
            while found != 0 {
                let bit = found & found.wrapping_neg();
                visit(word.before + (all & (bit - 1)).count_ones());
                found ^= bit;
            }
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<Word>() + self.places.capacity() * size_of::<Place>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;
    use crate::geometry::sight;
    use crate::random::Random;

    /// Bit tricks against the definition, corner by corner.
    #[test]
    fn corners_with_one_blocked_cell_and_squeezable_double_corners_are_turning_points() {
        let mut random = Random::new(1);
        for (width, height) in [(1, 1), (3, 2), (63, 4), (64, 3), (65, 5), (130, 4)] {
            let grid = Grid::from_fn(width, height, |_| !random.chance(35, 100)).unwrap();
            for rule in [Rule::AnyAngle, Rule::AnyAngleSqueeze] {
                let points = TurningPoints::new(&grid, rule);
                let mut count = 0;
                for y in 0..=height {
                    for x in 0..=width {
                        let free = |dx: u32, dy: u32| {
                            x + dx > 0
                                && y + dy > 0
                                && grid.is_free(Cell::new(x + dx - 1, y + dy - 1))
                        };
                        let blocked =
                            [free(0, 0), free(1, 0), free(0, 1), free(1, 1)].map(|free| !free);
                        let double = sight::is_double_corner(&grid, x, y);
                        let single = blocked.iter().filter(|&&blocked| blocked).count() == 1;
                        let expected = single || (double && rule.squeezes());
                        let found = points.at(x, y);
                        assert_eq!(found.is_some(), expected, "({x}, {y})");
                        let Some(index) = found else { continue };
                        assert_eq!(index, count);
                        count += 1;
                        let place = points.place(index);
                        assert_eq!((u32::from(place.x), u32::from(place.y)), (x, y));
                        let falling = blocked[1] || blocked[2];
                        assert_eq!(place.slope == Slope::Falling, falling);
                        let turn = match blocked {
                            _ if double => 0,
                            [true, ..] | [_, _, true, _] => 1,
                            _ => -1,
                        };
                        assert_eq!(place.turn, turn);
                    }
                }
                assert_eq!(points.len(), count as usize);
            }
        }
    }
}
