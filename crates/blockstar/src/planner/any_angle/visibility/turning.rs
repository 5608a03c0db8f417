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
//! The points are kept as bit maps, one for each slope, because a scan in one quarter of the plane
//! needs only one slope, and once more by columns for those who [look](super::beam) along them.
//! Numbers stay with their points whatever is edited elsewhere: a graph that refers to them needs to
//! be repaired only where something changed.

use crate::engine::pool::{Pool, Span};
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
    numbers: Pool<u32>,
    /// 64 corners of one column each.
    columns: Vec<u64>,
    words_per_column: u32,
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
    /// What a number is at that stands for no turning point.
    pub const NOWHERE: Self = Self { x: 0, y: 0, slope: Slope::Falling, turn: 0 };

    /// What a corner is, from (0, 0) to (width, height).
    pub fn of(grid: &Grid, rule: Rule, x: u32, y: u32) -> Option<Self> {
        let bits = grid.rows();
        let below = bits.position(x, y);
        let blocked = |position: u32| !bits.from(position - 1) & 3;
        // Bits: upper left, upper right, lower left, lower right.
        let (slope, turn) = match blocked(below - bits.stride()) | blocked(below) << 2 {
            0b0010 => (Slope::Falling, -1),
            0b0100 => (Slope::Falling, 1),
            0b0001 => (Slope::Rising, 1),
            0b1000 => (Slope::Rising, -1),
            0b0110 if rule.squeezes() => (Slope::Falling, 0),
            0b1001 if rule.squeezes() => (Slope::Rising, 0),
            _ => return None,
        };
        Some(Self { x: x as u16, y: y as u16, slope, turn })
    }

    pub fn point(self) -> Point {
        Point::from_units(i32::from(self.x) * Point::UNITS, i32::from(self.y) * Point::UNITS)
    }

    /// For sorting by row and column.
    pub fn by_row(self) -> u32 {
        u32::from(self.y) << 16 | u32::from(self.x)
    }
}

/// 64 corners of one line.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    slopes: [u64; 2],
    /// The numbers of the turning points among them.
    numbers: Span,
}

impl TurningPoints {
    /// The turning points of a map, in the order of their numbers: by row and column.
    pub fn new(grid: &Grid, rule: Rule) -> (Self, Vec<Place>) {
        let words_per_line = (grid.width() + 1).div_ceil(64);
        let words_per_column = (grid.height() + 1).div_ceil(64);
        let mut points = Self {
            words: vec![Word::default(); (words_per_line * (grid.height() + 1)) as usize],
            words_per_line,
            numbers: Pool::default(),
            columns: vec![0; (words_per_column * (grid.width() + 1)) as usize],
            words_per_column,
        };
        let mut places = Vec::new();
        let mut numbers = Vec::new();
        // No corner of the border has fewer than two blocked cells, and none is a double corner.
        for y in 1..grid.height() {
            for first in (0..=grid.width()).step_by(64) {
                let before = places.len() as u32;
                let word = points.row_word(first, y);
                points.words[word].slopes = points.find(grid, rule, first, y, &mut places);
                numbers.clear();
                numbers.extend(before..places.len() as u32);
                points.numbers.set(&mut points.words[word].numbers, &numbers);
            }
        }
        for place in &places {
            points.put_upright(place.x.into(), place.y.into(), true);
        }
        (points, places)
    }

    /// Finds the turning points among the 64 corners from (`first`, `y`) on.
    fn find(
        &self,
        grid: &Grid,
        rule: Rule,
        first: u32,
        y: u32,
        places: &mut Vec<Place>,
    ) -> [u64; 2] {
        let bits = grid.rows();
        let position = bits.position(first, y);
        let (below, above) = (position, position - bits.stride());
        let (nw, ne) = (!bits.from(above - 1), !bits.from(above));
        let (sw, se) = (!bits.from(below - 1), !bits.from(below));
        // Beyond the last corner, the load holds cells of the next line.
        let on_map = u64::MAX >> (63 - (grid.width() - first).min(63));
        let both = rule.squeezes();
        let on = |a: u64, b: u64| if both { a | b } else { a ^ b };
        let falling = on(ne, sw) & !nw & !se & on_map;
        let rising = on(nw, se) & !ne & !sw & on_map;
        let mut left = falling | rising;
        while left != 0 {
            places.extend(Place::of(grid, rule, first + left.trailing_zeros(), y));
            left &= left - 1;
        }
        [falling, rising]
    }

    #[inline]
    fn row_word(&self, x: u32, y: u32) -> usize {
        (y * self.words_per_line + x / 64) as usize
    }

    fn put_upright(&mut self, x: u32, y: u32, set: bool) {
        let word = &mut self.columns[(x * self.words_per_column + y / 64) as usize];
        *word = *word & !(1 << (y % 64)) | u64::from(set) << (y % 64);
    }

    /// The turning point at a corner, if there is one.
    #[inline]
    pub fn at(&self, x: u32, y: u32) -> Option<u32> {
        let word = &self.words[self.row_word(x, y)];
        let (all, bit) = (word.slopes[0] | word.slopes[1], 1 << (x % 64));
        (all & bit != 0).then(|| self.number(word, (all & (bit - 1)).count_ones()))
    }

    #[inline]
    fn number(&self, word: &Word, rank: u32) -> u32 {
        self.numbers.list(word.numbers)[rank as usize]
    }

    /// Makes a corner a turning point that was none.
    pub fn insert(&mut self, place: Place, number: u32) {
        let (x, y) = (u32::from(place.x), u32::from(place.y));
        let (index, bit) = (self.row_word(x, y), 1 << (x % 64));
        let word = &mut self.words[index];
        let rank = ((word.slopes[0] | word.slopes[1]) & (bit - 1)).count_ones();
        word.slopes[place.slope as usize] |= bit;
        self.numbers.insert(&mut word.numbers, rank as usize, number);
        self.put_upright(x, y, true);
    }

    /// Makes a turning point none.
    pub fn remove(&mut self, place: Place) {
        let (x, y) = (u32::from(place.x), u32::from(place.y));
        let (index, bit) = (self.row_word(x, y), 1 << (x % 64));
        let word = &mut self.words[index];
        let rank = ((word.slopes[0] | word.slopes[1]) & (bit - 1)).count_ones();
        word.slopes[place.slope as usize] &= !bit;
        self.numbers.remove(&mut word.numbers, rank as usize);
        self.put_upright(x, y, false);
    }

    /// Calls `visit` with the x of each turning point on line `y` between two corners, inclusive.
    #[inline]
    pub fn along_row(&self, y: u32, first: u32, last: u32, visit: &mut impl FnMut(u32)) {
        let line = (y * self.words_per_line) as usize;
        let word = |column: u32| {
            let word = &self.words[line + column as usize];
            word.slopes[0] | word.slopes[1]
        };
        set_bits(first, last, word, visit);
    }

    /// The same for the y of each on column `x`.
    #[inline]
    pub fn along_column(&self, x: u32, first: u32, last: u32, visit: &mut impl FnMut(u32)) {
        let line = (x * self.words_per_column) as usize;
        set_bits(first, last, |row| self.columns[line + row as usize], visit);
    }

    /// Whether there may be a turning point on line `y` from corner `first` to corner `last`
    /// inclusive: with few corners it is certain.
    #[inline]
    pub fn any_on_line(&self, y: u32, first: u32, last: u32) -> bool {
        let (index, end) = (self.row_word(first, y), self.row_word(last, y));
        let slopes = self.words[index].slopes;
        let here = (slopes[0] | slopes[1]) & within(first / 64, first, last.max(first));
        here != 0 || index != end
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
            let mut found = word.slopes[slope as usize] & within(column, first, last);
            let all = word.slopes[0] | word.slopes[1];
            while found != 0 {
                let bit = found & found.wrapping_neg();
                visit(self.number(word, (all & (bit - 1)).count_ones()));
                found ^= bit;
            }
        }
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        let words = self.words.capacity() * size_of::<Word>() + self.columns.capacity() * 8;
        words + self.numbers.bytes()
    }
}

/// The bits of the `index`th word that lie between two bits, inclusive.
#[inline]
fn within(index: u32, first: u32, last: u32) -> u64 {
    let from = if index == first / 64 { u64::MAX << (first % 64) } else { u64::MAX };
    let to = if index == last / 64 { u64::MAX >> (63 - last % 64) } else { u64::MAX };
    from & to
}

/// Calls `visit` with each set bit between two bits, inclusive.
#[inline]
fn set_bits(first: u32, last: u32, word: impl Fn(u32) -> u64, visit: &mut impl FnMut(u32)) {
    for index in first / 64..=last / 64 {
        let mut found = word(index) & within(index, first, last);
        while found != 0 {
            visit(index * 64 + found.trailing_zeros());
            found &= found - 1;
        }
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
                let (points, places) = TurningPoints::new(&grid, rule);
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
                        let place = places[index as usize];
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
                assert_eq!(places.len(), count as usize);
            }
        }
    }
}
