//! Where regions of different sectors touch.

use super::SIDE;
use super::node::{Link, Pair};
use super::sector::{Run, Sector, touching};
use crate::sort;

/// Lists the links that a sector keeps, sorted. Regions that touch the border of a sector have
/// numbers that fit.
pub(super) fn links(
    sectors: &[Sector],
    columns: usize,
    index: usize,
    reach: u8,
    links: &mut Vec<Link>,
) {
    let here = &sectors[index];
    let has_east = !(index + 1).is_multiple_of(columns);
    let east = has_east.then(|| &sectors[index + 1]);
    let south = sectors.get(index + columns);
    let last = SIDE - 1;

    links.clear();
    let mut add = |pair, from: &Run, to: &Run| {
        let link = Link { pair, from: from.region, to: to.region };
        // Neighbours along a border mostly belong to the same two regions as the pair before.
        if links.last() != Some(&link) {
            links.push(link);
        }
    };
    if let Some(east) = east {
        let reach = usize::from(reach);
        for y in 0..SIDE {
            let Some(from) = here.at_east(y) else { continue };
            for row in y.saturating_sub(reach)..(y + reach + 1).min(SIDE) {
                if let Some(to) = east.at_west(row) {
                    add(Pair::East, from, to);
                }
            }
        }
    }
    if let Some(south) = south {
        let (above, below) = (here.row(last), south.row(0));
        touching(above, below, reach, |a, b| add(Pair::South, &above[a], &below[b]));
    }
    if let (Some(east), Some(south), 1..) = (east, south, reach) {
        let south_east = &sectors[index + columns + 1];
        if let (Some(from), Some(to)) = (here.at_east(last), south_east.at_west(0)) {
            add(Pair::SouthEast, from, to);
        }
        if let (Some(from), Some(to)) = (east.at_west(last), south.at_east(0)) {
            add(Pair::Across, from, to);
        }
    }
    sort::ascending(links);
    links.dedup();
}
