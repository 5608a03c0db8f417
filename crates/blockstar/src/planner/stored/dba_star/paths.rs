//! The base paths: for each region the ways to those near it, as lists of hill-climbing subgoals.
//!
//! A base path leads from centre to centre, for every two regions at most L steps of the region
//! graph apart. It is optimal among the paths that stay within L sectors of either of them, so it
//! depends on these sectors alone. An edit changes it only if the cell lies there and a way over
//! that cell, or one beside it, could be as short: for any other path a new [search](Jumps) would find
//! the same cells as before, in the same order. So a repair gives what preparing everything again
//! would give.
//!
//! A record is two words, the target region with the number of subgoals in the upper byte and the
//! cost, and one word for each subgoal. (255 in that byte means that a word with the number
//! follows.)

use super::jumps::{Jumps, Sides};
use super::late::Late;
use crate::grid::bits::Bits;
use crate::regions::climb::{Climber, Notion};
use crate::regions::sectors::{Area, Layout, Lists, NONE, Sectors, units};
use crate::{Grid, Moves, Rect, Rule, sort};

/// The base paths of all regions.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub lists: Lists,
    depth: u32,
    maker: Maker,
    /// Those that are made when they are asked for.
    late: Option<Box<Late>>,
}

/// A base path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hop<'a> {
    pub target: u32,
    pub cost: u32,
    /// The nodes to climb to on the way, without the target's centre.
    pub subgoals: &'a [u32],
}

/// The largest number of regions plus one.
pub(super) const MOST_REGIONS: usize = 1 << 24;
const LONG: u32 = 255;

/// The hops of a list of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hops<'a>(pub &'a [u32]);

impl<'a> Iterator for Hops<'a> {
    type Item = Hop<'a>;

    #[inline]
    fn next(&mut self) -> Option<Hop<'a>> {
        let (&[head, cost], mut rest) = self.0.split_first_chunk()?;
        let mut count = head >> 24;
        if count == LONG {
            count = *rest.first()?;
            rest = &rest[1..];
        }
        let (subgoals, rest) = rest.split_at_checked(count as usize)?;
        self.0 = rest;
        Some(Hop { target: head & 0xff_ffff, cost, subgoals })
    }
}

impl Hop<'_> {
    pub fn write(&self, words: &mut Vec<u32>) {
        let count = self.subgoals.len() as u32;
        words.extend([self.target | count.min(LONG) << 24, self.cost]);
        if count >= LONG {
            words.push(count);
        }
        words.extend_from_slice(self.subgoals);
    }
}

/// Memory to make base paths with.
#[derive(Clone, Debug, Default)]
pub(super) struct Maker {
    jumps: Jumps,
    way: Vec<u32>,
    subgoals: Vec<u32>,
    /// The words of new records.
    words: Vec<u32>,
    /// New records: from, to, and where their words start and end.
    new: Vec<(u32, u32, usize, usize)>,
    targets: Vec<u32>,
    marks: Vec<u32>,
    regions: Vec<u32>,
    list: Vec<u32>,
    /// The sectors of the regions whose base paths the last repair has changed.
    relisted: Vec<u32>,
}

impl Paths {
    pub fn new(grid: &Grid, moves: Moves, sectors: &Sectors, depth: u32) -> Self {
        let mut maker = Maker::default();
        let mut lists = Lists::new(sectors.numbers());
        // For each region the records made for those before it, which come in order.
        let mut pending = vec![Vec::new(); sectors.numbers()];
        for region in sectors.all() {
            let mut list = std::mem::take(&mut pending[region as usize]);
            maker.find_targets(grid.rows(), sectors, region, depth);
            for target in std::mem::take(&mut maker.targets) {
                // On a new map numbers are in the order of sectors.
                if target > region {
                    maker.words.clear();
                    maker.new.clear();
                    maker.make(Sides::of(grid), moves, sectors, depth, region, target);
                    for &(from, _, start, end) in &maker.new {
                        let words = &maker.words[start..end];
                        let into =
                            if from == region { &mut list } else { &mut pending[from as usize] };
                        into.extend_from_slice(words);
                    }
                }
            }
            lists.set(region, &list);
        }
        lists.trim();
        // A repair needs little memory compared with all this.
        Self { lists, depth, maker: Maker::default(), late: None }
    }

    /// Base paths that are all made when they are asked for.
    pub fn late(grid: &Grid, moves: Moves, sectors: &Sectors, depth: u32) -> Self {
        let mut late = Box::new(Late::new(grid, moves, &sectors.layout, depth));
        late.put_all_off();
        let lists = Lists::new(sectors.numbers());
        Self { lists, depth, maker: Maker::default(), late: Some(late) }
    }

    /// Base paths read from a file.
    pub fn from_lists(lists: Lists, depth: u32) -> Self {
        Self { lists, depth, maker: Maker::default(), late: None }
    }

    /// The regions that one must have base paths to, in order.
    pub fn find_targets(&mut self, bits: &Bits, sectors: &Sectors, region: u32) -> &[u32] {
        self.maker.find_targets(bits, sectors, region, self.depth);
        &self.maker.targets
    }

    /// Where a base path between two regions may go.
    pub fn areas(&self, bits: &Bits, sectors: &Sectors, a: u32, b: u32) -> [Area; 2] {
        [a, b].map(|region| sectors.layout.areas(sectors.sector(bits, region), self.depth))
    }

    /// The base paths of a region.
    #[inline]
    pub fn hops(&self, sectors: &Sectors, region: u32) -> Hops<'_> {
        match &self.late {
            None => Hops(self.lists.get(region)),
            Some(late) => {
                Hops(late.words(sectors, region).unwrap_or_else(|| self.lists.get(region)))
            }
        }
    }

    /// Bytes of heap memory: of where the lists are, and of what is in them.
    pub fn bytes(&self) -> (usize, usize) {
        let (places, words) = self.lists.bytes();
        (places, words + self.late.as_ref().map_or(0, |late| late.bytes()))
    }

    /// Puts the base paths off that edits may have changed, after the sectors were updated: they
    /// are made when they are asked for.
    pub fn put_off(&mut self, grid: &Grid, moves: Moves, sectors: &Sectors, changes: &[Rect]) {
        let Self { lists, depth, maker, late } = self;
        let layout = &sectors.layout;
        lists.grow(sectors.numbers());
        let late = late.get_or_insert_with(|| Box::new(Late::new(grid, moves, layout, *depth)));
        late.follow(grid, changes);
        for sector in sectors.edited(grid.rows()) {
            // One end of a path may be this far away from the area of the other.
            late.put_off(layout, sector, 2 * *depth);
        }
        maker.relisted.clear();
        maker.relisted.extend(late.open_sectors(layout));
    }

    /// Repairs what edits have changed, after the sectors were updated. Says whether the graph of
    /// regions or the cost of an edge has changed.
    pub fn repair(
        &mut self,
        grid: &Grid,
        moves: Moves,
        sectors: &Sectors,
        changes: &[Rect],
    ) -> bool {
        let Self { lists, depth, maker, late } = self;
        let (depth, rows, repair) = (*depth, grid.rows(), sectors.repair());
        lists.grow(sectors.numbers());
        // The regions that may have other base paths are those near an edit or near a region that
        // moved.
        let near = sectors.edited(rows);
        if let Some(late) = late {
            late.follow(grid, changes);
            for &sector in &near {
                late.settle(&sectors.layout, sector, 2 * depth, |region, words| {
                    lists.set(region, words);
                });
            }
        }
        if late.as_ref().is_some_and(|late| late.is_over()) {
            *late = None;
        }
        // What is not made yet needs no repair.
        let is_open =
            |sector: u32| late.as_ref().is_some_and(|late| late.is_open(&sectors.layout, sector));
        let moved = |region: u32| repair.moved.binary_search(&region).is_ok();
        let relinked = !(repair.relinked.is_empty() && repair.gone.is_empty());
        let mut changed = !repair.gone.is_empty();
        maker.relisted.clear();
        for &region in &repair.gone {
            lists.set(region, &[]);
        }
        let mut around: Vec<u32> =
            near.iter().flat_map(|&sector| sectors.layout.around(sector, depth)).collect();
        around.sort_unstable();
        around.dedup();
        maker.regions.clear();
        let made = around.iter().filter(|&&sector| !is_open(sector));
        maker.regions.extend(made.flat_map(|&sector| sectors.regions(sector)));
        maker.words.clear();
        maker.new.clear();
        let mut ellipse = Ellipse::new(grid, moves, &sectors.layout, changes);
        let mut others = Vec::new();
        for index in 0..maker.regions.len() {
            let region = maker.regions[index];
            ellipse.look_around(&sectors.layout, sectors.sector(rows, region), 2 * depth);
            if relinked {
                maker.find_targets(rows, sectors, region, depth);
            } else {
                maker.targets.clear();
                maker.targets.extend(Hops(lists.get(region)).map(|hop| hop.target));
            }
            let mut old = Hops(lists.get(region)).peekable();
            let order = |region: u32| {
                if sectors.centre(region) == NONE {
                    (0, 0)
                } else {
                    (sectors.sector(rows, region) + 1, region)
                }
            };
            for at in 0..maker.targets.len() {
                let target = maker.targets[at];
                // Both lists have the same order, but the old one may have targets that are gone.
                while old.next_if(|hop| order(hop.target) < order(target)).is_some() {}
                let known = old.next_if(|hop| hop.target == target).filter(|hop| {
                    !moved(region)
                        && !moved(target)
                        && !ellipse.meets(sectors, depth, region, target, hop.cost)
                });
                // Each pair once: by its first region, unless that is too far away.
                let other = sectors.sector(rows, target);
                let (far, open) = (around.binary_search(&other).is_err(), is_open(other));
                if known.is_none() && (far || open || order(region) < order(target)) {
                    maker.make(Sides::of(grid), moves, sectors, depth, region, target);
                    if far && !open {
                        others.push(target);
                    }
                }
            }
        }
        if maker.new.is_empty() && !relinked {
            return changed;
        }
        sort::by_key(&mut maker.new, |&(from, to, ..)| (from, to));
        others.sort_unstable();
        others.dedup();
        for index in 0..maker.regions.len() + others.len() {
            let inner = index < maker.regions.len();
            let region =
                if inner { maker.regions[index] } else { others[index - maker.regions.len()] };
            if relinked && inner {
                maker.find_targets(rows, sectors, region, depth);
            } else {
                maker.targets.clear();
                maker.targets.extend(Hops(lists.get(region)).map(|hop| hop.target));
            }
            let Maker { targets, new, words, list, relisted, .. } = maker;
            list.clear();
            for &target in &*targets {
                let old = Hops(lists.get(region)).find(|hop| hop.target == target);
                match new.binary_search_by_key(&(region, target), |new| (new.0, new.1)) {
                    Ok(at) => {
                        let words = &words[new[at].2..new[at].3];
                        let cost = |hop: Hop<'_>| hop.cost;
                        changed |= Hops(words).next().map(cost) != old.map(cost);
                        list.extend_from_slice(words);
                    }
                    Err(_) => {
                        if let Some(hop) = old {
                            hop.write(list);
                        }
                    }
                }
            }
            changed |= Hops(lists.get(region)).count() != targets.len();
            if list != lists.get(region) {
                lists.set(region, list);
                relisted.push(sectors.sector(rows, region));
            }
        }
        changed
    }

    /// How many batches of base paths are not made.
    #[cfg(test)]
    pub fn open_batches(&self) -> usize {
        self.late.as_ref().map_or(0, |late| late.open_batches())
    }

    /// The sectors of the regions whose base paths the last repair has changed.
    pub fn relisted(&self) -> &[u32] {
        &self.maker.relisted
    }
}

impl Maker {
    /// Finds the regions within `depth` steps of one, in order.
    fn find_targets(&mut self, bits: &Bits, sectors: &Sectors, region: u32, depth: u32) {
        let Self { targets, marks, .. } = self;
        targets.clear();
        if depth == 1 {
            targets.extend_from_slice(sectors.neighbours(region));
            return;
        }
        marks.resize(sectors.numbers().div_ceil(32), 0);
        let mut mark = |region: u32| {
            let (word, bit) = (&mut marks[region as usize / 32], 1 << (region % 32));
            let new = *word & bit == 0;
            *word |= bit;
            new
        };
        mark(region);
        targets.push(region);
        let mut from = 0;
        for _ in 0..depth {
            let end = targets.len();
            for at in from..end {
                for &next in sectors.neighbours(targets[at]) {
                    if mark(next) {
                        targets.push(next);
                    }
                }
            }
            from = end;
        }
        for &region in &*targets {
            marks[region as usize / 32] = 0;
        }
        targets.swap_remove(0);
        sectors.sort(bits, targets);
    }

    /// Makes the base paths of some regions, given by number, in both directions.
    pub fn make_all(
        &mut self,
        map: Sides<'_>,
        moves: Moves,
        sectors: &Sectors,
        depth: u32,
        regions: &[u32],
    ) {
        self.words.clear();
        self.new.clear();
        for &region in regions {
            self.find_targets(map.rows, sectors, region, depth);
            for target in std::mem::take(&mut self.targets) {
                // Each pair once.
                if target > region || regions.binary_search(&target).is_err() {
                    self.make(map, moves, sectors, depth, region, target);
                }
            }
        }
        sort::by_key(&mut self.new, |&(from, to, ..)| (from, to));
    }

    /// Appends the list of a region that was among those of the last [`Maker::make_all`].
    pub fn list_new(
        &mut self,
        bits: &Bits,
        sectors: &Sectors,
        depth: u32,
        region: u32,
        list: &mut Vec<u32>,
    ) {
        self.find_targets(bits, sectors, region, depth);
        for &target in &self.targets {
            if let Ok(at) = self.new.binary_search_by_key(&(region, target), |new| (new.0, new.1)) {
                list.extend_from_slice(&self.words[self.new[at].2..self.new[at].3]);
            }
        }
    }

    /// Makes the base path between two regions, in both directions.
    fn make(
        &mut self,
        map: Sides<'_>,
        moves: Moves,
        sectors: &Sectors,
        depth: u32,
        region: u32,
        target: u32,
    ) {
        let bits = map.rows;
        // The direction of the search must not depend on who asks.
        let (sector, other) = (sectors.sector(bits, region), sectors.sector(bits, target));
        let (a, b) =
            if (sector, region) < (other, target) { (region, target) } else { (target, region) };
        let areas = [sector, other].map(|sector| sectors.layout.areas(sector, depth));
        let ends = (sectors.centre(a), sectors.centre(b));
        let Some(cost) = self.jumps.find(map, moves, areas, ends, &mut self.way) else {
            debug_assert!(false, "neighbours are connected within the areas");
            return;
        };
        let climber = Climber::over(bits, moves).with_units(units(moves));
        for (source, target) in [(b, a), (a, b)] {
            // The way was traced from b to a.
            self.subgoals.clear();
            climber.compress(&self.way, Notion::CostsNoMore, u32::MAX, &mut self.subgoals);
            self.keep_within(&climber, bits, areas);
            let start = self.words.len();
            Hop { target, cost, subgoals: &self.subgoals }.write(&mut self.words);
            self.new.push((source, target, start, self.words.len()));
            self.way.reverse();
        }
    }

    /// Adds subgoals where a climb would leave the areas, because it takes another way than the
    /// path it stands for: an edit out there that stops it would not be noticed.
    fn keep_within(&mut self, climber: &Climber<'_>, bits: &Bits, areas: [Area; 2]) {
        let Self { way, subgoals, list, .. } = self;
        let [Some(&first), Some(&last)] = [way.first(), way.last()] else { return };
        let ends = subgoals.iter().copied().chain([last]);
        let stays = |from: u32, to: u32| climb_within(climber, bits, areas, from, to);
        // A climb gets no farther off than half the way: mostly there is nothing to try.
        let is_inside = |from: u32, to: u32| {
            let [(ax, ay), (bx, by)] = [from, to].map(|node| bits.coordinates(node));
            let off = ax.abs_diff(bx).max(ay.abs_diff(by)) / 2 + 1;
            let low = (ax.min(bx).checked_sub(off), ay.min(by).checked_sub(off));
            let (Some(left), Some(top)) = low else { return false };
            let (right, bottom) = (ax.max(bx) + off, ay.max(by) + off);
            areas.iter().any(|area| area.contains(left, top) && area.contains(right, bottom))
        };
        let mut from = first;
        let stays_inside = |to: u32| {
            let from = std::mem::replace(&mut from, to);
            is_inside(from, to) || stays(from, to).is_some()
        };
        if ends.clone().all(stays_inside) {
            return;
        }
        // Rare: halve the ways between the subgoals until each half stays inside and is as short.
        list.clear();
        let mut at = 0;
        for end in ends {
            let Some(end) = way[at..].iter().position(|&node| node == end).map(|by| at + by) else {
                continue;
            };
            let mut tried = end;
            while at < end {
                let stretch =
                    way[at..=tried].windows(2).map(|pair| climber.apart(pair[0], pair[1]));
                let stretch = stretch.sum::<u32>();
                if stays(way[at], way[tried]).is_some_and(|cost| cost <= stretch) {
                    at = tried;
                    tried = end;
                    if at + 1 < way.len() {
                        list.push(way[at]);
                    }
                } else {
                    // The next cell can always be climbed to.
                    tried = at + (tried - at).div_ceil(2).min(tried - at - 1).max(1);
                }
            }
        }
        std::mem::swap(subgoals, list);
    }
}

/// The cost of climbing between two nodes, if that arrives and stays within the areas.
pub(super) fn climb_within(
    climber: &Climber<'_>,
    bits: &Bits,
    areas: [Area; 2],
    from: u32,
    to: u32,
) -> Option<u32> {
    let mut stays = true;
    let cost = climber.climb(from, to, u32::MAX, |node| {
        let (x, y) = bits.coordinates(node);
        stays &= areas.iter().any(|area| area.contains(x, y));
    });
    cost.filter(|_| stays)
}

/// Tells which base paths edits may have changed: those for which a way over an edited cell might
/// be as short.
struct Ellipse<'a> {
    grid: &'a Grid,
    /// The edits of each sector with any, as one rectangle, by sector.
    changes: Vec<(u32, Rect)>,
    /// Those near the present region.
    near: Vec<Rect>,
    straight: u32,
    diagonal: u32,
    manhattan: bool,
}

impl<'a> Ellipse<'a> {
    fn new(grid: &'a Grid, moves: Moves, layout: &Layout, changes: &[Rect]) -> Self {
        let (straight, diagonal) = units(moves);
        let mut split = Vec::new();
        for &rect in changes.iter().filter(|rect| rect.width > 0 && rect.height > 0) {
            layout.split(rect, |sector, piece| split.push((sector, piece)));
        }
        sort::by_key(&mut split, |piece| piece.0);
        let mut changes: Vec<(u32, Rect)> = Vec::new();
        for (sector, piece) in split {
            match changes.last_mut() {
                Some(last) if last.0 == sector => last.1 = around_both(last.1, piece),
                _ => changes.push((sector, piece)),
            }
        }
        let manhattan = moves.rule() == Rule::Four;
        Self { grid, changes, near: Vec::new(), straight, diagonal, manhattan }
    }

    /// Lists the edits at most `within` sectors away from one.
    fn look_around(&mut self, layout: &Layout, sector: u32, within: u32) {
        self.near.clear();
        let (column, row) = (sector % layout.columns, sector / layout.columns);
        let last = (column + within).min(layout.columns - 1);
        for row in row.saturating_sub(within)..=(row + within).min(layout.rows - 1) {
            let ends = [column.saturating_sub(within), last + 1];
            let [from, to] = ends.map(|column| {
                self.changes.partition_point(|change| change.0 < row * layout.columns + column)
            });
            self.near.extend(self.changes[from..to].iter().map(|change| change.1));
        }
    }

    fn meets(&self, sectors: &Sectors, depth: u32, a: u32, b: u32, cost: u32) -> bool {
        let rows = self.grid.rows();
        let [from, to] = [a, b].map(|region| rows.coordinates(sectors.centre(region)));
        // A search looks at the cells around those on a way: two diagonal steps there and back.
        let most = cost + 2 * self.diagonal;
        self.near.iter().any(|rect| {
            let away = |x: u32, low: u32, size: u32| {
                low.saturating_sub(x) + x.saturating_sub(low + size.saturating_sub(1))
            };
            let estimate = |(x, y): (u32, u32)| {
                let (dx, dy) = (away(x, rect.x, rect.width), away(y, rect.y, rect.height));
                if self.manhattan {
                    self.straight * (dx + dy)
                } else {
                    self.straight * dx.max(dy) + (self.diagonal - self.straight) * dx.min(dy)
                }
            };
            let near = || {
                let layout = &sectors.layout;
                [a, b].iter().any(|&region| {
                    let area = layout.areas(sectors.sector(rows, region), depth);
                    rect.x < area.right
                        && rect.y < area.bottom
                        && rect.x + rect.width > area.left
                        && rect.y + rect.height > area.top
                })
            };
            rect.width > 0 && estimate(from) + estimate(to) <= most && near()
        })
    }
}

/// The smallest rectangle around two.
fn around_both(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let right = (a.x + a.width).max(b.x + b.width);
    let bottom = (a.y + a.height).max(b.y + b.height);
    Rect::new(x, y, right - x, bottom - y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path goes around the corner of the areas; climbing from its start to its end cuts it.
    #[test]
    fn climbs_are_kept_within_the_areas() {
        let grid = Grid::new(16, 16).unwrap();
        let at = |(x, y): (u32, u32)| grid.rows().position(x, y);
        let square =
            |from: u32| Area { left: from, top: from, right: from + 12, bottom: from + 12 };
        let areas = [square(0), square(4)];
        let climber = Climber::new(&grid, Moves::EIGHT);
        let cells = [(1, 10), (2, 10), (3, 11), (4, 11), (5, 12), (6, 13), (6, 14)];
        let way: Vec<u32> = cells.map(at).into();
        assert!(climber.reaches(way[0], way[6], 99).is_some());
        assert_eq!(climb_within(&climber, grid.rows(), areas, way[0], way[6]), None);
        let mut maker = Maker { way: way.clone(), ..Maker::default() };
        maker.keep_within(&climber, grid.rows(), areas);
        assert!(!maker.subgoals.is_empty());
        let mut at = way[0];
        for &next in maker.subgoals.iter().chain([&way[6]]) {
            assert!(way.contains(&next));
            assert!(climb_within(&climber, grid.rows(), areas, at, next).is_some());
            at = next;
        }
    }
}
