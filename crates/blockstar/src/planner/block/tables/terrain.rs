//! Tables for the any-angle rules on weighted terrain: the cheapest chains of straight segments
//! between the corners of a block's cells.
//!
//! A segment costs the integral of the terrain factor along it; along a grid line the cheaper side
//! counts. Ways bend where terrain changes, so every corner in the block is a place to turn. Under
//! the strict rule a double corner inside the block is two places, one for each of its free cells,
//! and no way leads from one to the other.

use super::rays::is_double;
use super::table::{LOWER, UPPER};
use super::{Content, Distance, MakerMemory, Table, TableFor};
use crate::Grid;
use crate::grid::raster::raster;

/// Which side of a corner, if it is a double corner under the strict rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Whole,
    Upper,
    Lower,
}

/// A corner where ways may begin, end or turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    x: u8,
    y: u8,
    side: Side,
}

/// The places inside a block where ways turn, in the order of its table.
pub(super) fn turns(content: &Content, squeeze: bool) -> impl Iterator<Item = (u8, u8)> {
    inner_places(content, squeeze).map(|place| match place.side {
        Side::Whole => (place.x, place.y),
        Side::Upper => (place.x | UPPER, place.y),
        Side::Lower => (place.x | LOWER, place.y),
    })
}

fn inner_places(content: &Content, squeeze: bool) -> impl Iterator<Item = Place> {
    let size = content.size();
    raster(1..size.width, 1..size.height).flat_map(move |(x, y)| {
        let sides: &[Side] = match content.quad(x, y) {
            0 => &[],
            quad if is_double(quad) && !squeeze => &[Side::Upper, Side::Lower],
            _ => &[Side::Whole],
        };
        sides.iter().map(move |&side| Place { x: x as u8, y: y as u8, side })
    })
}

pub(super) fn make<D: Distance>(
    subject: TableFor<'_, D>,
    memory: &mut MakerMemory<D>,
    table: &mut Table<D>,
) {
    let TableFor { layout, rules, content } = subject;
    let squeeze = rules.rule().squeezes();
    let slots = layout.slots();
    memory.places.clear();
    memory.places.extend((0..slots).map(|slot| {
        let (x, y) = layout.at(slot);
        Place { x: x as u8, y: y as u8, side: Side::Whole }
    }));
    memory.places.extend(inner_places(content, squeeze));
    memory.turns.clear();
    memory.turns.extend(turns(content, squeeze));
    table.begin(slots, layout.lanes(), &memory.turns, D::FAR, true);

    let MakerMemory { places, real, next, .. } = memory;
    let count = places.len();
    real.clear();
    real.resize(count * count, f64::INFINITY);
    next.clear();
    next.resize(count * count, 0);
    for (a, &from) in places.iter().enumerate() {
        next[a * count + a] = a as u16;
        if content.quad(from.x.into(), from.y.into()) != 0 {
            real[a * count + a] = 0.0;
        }
        for (b, &to) in places.iter().enumerate().take(a) {
            let cost = segment(content, squeeze, from, to);
            real[a * count + b] = cost;
            real[b * count + a] = cost;
            next[a * count + b] = b as u16;
            next[b * count + a] = a as u16;
        }
    }
    for via in 0..count {
        for a in 0..count {
            let first = real[a * count + via];
            if a == via || first == f64::INFINITY {
                continue;
            }
            for b in 0..count {
                let cost = first + real[via * count + b];
                if cost < real[a * count + b] {
                    real[a * count + b] = cost;
                    next[a * count + b] = next[a * count + via];
                }
            }
        }
    }
    for from in 0..count {
        for to in 0..slots {
            table.set(from, to, D::from_length(real[from * count + to]));
            table.set_next(from, to, next[from * count + to].into());
        }
    }
}

/// The cost of the straight segment between two places; infinity if it cannot be walked.
fn segment(content: &Content, squeeze: bool, a: Place, b: Place) -> f64 {
    let (ax, ay, bx, by) = (i32::from(a.x), i32::from(a.y), i32::from(b.x), i32::from(b.y));
    let (dx, dy) = (bx - ax, by - ay);
    if (dx, dy) == (0, 0) || !leaves_by(content, a, (dx, dy)) || !leaves_by(content, b, (-dx, -dy))
    {
        return f64::INFINITY;
    }
    let factor = |x: i32, y: i32| {
        let free = x >= 0 && y >= 0 && content.is_free(x as u32, y as u32);
        if free { f64::from(content.factor(x as u32, y as u32)) } else { f64::INFINITY }
    };
    let double = |x: i32, y: i32| !squeeze && is_double(content.quad(x as u32, y as u32));
    let mut sum = 0.0;
    if dx == 0 || dy == 0 {
        let steps = dx.abs().max(dy.abs());
        for i in 0..steps {
            let (x, y) = (ax + i * dx.signum(), ay + i * dy.signum());
            if i > 0 && double(x, y) {
                return f64::INFINITY;
            }
            let (x, y) = (x.min(x + dx.signum()), y.min(y + dy.signum()));
            sum += factor(x, y).min(if dx == 0 { factor(x - 1, y) } else { factor(x, y - 1) });
        }
        return sum / f64::from(Grid::FACTOR_ONE);
    }
    // The crossings with grid lines, in order: at i / |dx| and j / |dy| of the way.
    let (wide, high) = (dx.abs(), dy.abs());
    let (mut i, mut j, mut at) = (0, 0, 0.0);
    let length = f64::from(dx * dx + dy * dy).sqrt();
    while i < wide && j < high {
        let x = if dx > 0 { ax + i } else { ax - i - 1 };
        let y = if dy > 0 { ay + j } else { ay - j - 1 };
        let (column, row) = ((i + 1) * high, (j + 1) * wide);
        let until = f64::from(column.min(row)) / f64::from(wide * high);
        sum += factor(x, y) * (until - at);
        at = until;
        i += i32::from(column <= row);
        j += i32::from(row <= column);
        if column == row && i < wide && double(ax + i * dx.signum(), ay + j * dy.signum()) {
            return f64::INFINITY;
        }
    }
    sum * length / f64::from(Grid::FACTOR_ONE)
}

/// Whether a segment from a place starts on its side.
fn leaves_by(content: &Content, place: Place, (dx, dy): (i32, i32)) -> bool {
    if place.side == Side::Whole {
        return true;
    }
    let (x, y) = (i32::from(place.x), i32::from(place.y));
    // The cell where the segment starts; along a grid line, the free one of the two beside it.
    let column = if dx > 0 { x } else { x - 1 };
    let row = if dy > 0 { y } else { y - 1 };
    let free = |x: i32, y: i32| content.is_free(x as u32, y as u32);
    let upper = match (dx, dy) {
        (_, 0) => free(column, y - 1),
        (0, _) => dy < 0,
        _ => row < y,
    };
    upper == (place.side == Side::Upper)
}
