//! Edits: what is repaired equals what would be built.
//!
//! Whether two turning points see each other depends on the cells that the segment between them
//! touches, if only at a corner, and whether a path can go on tautly at its ends on the cells around
//! them. So an edit concerns no edge but those that touch the closed rectangle of what was edited.
//! Up to where such an edge first touches it, nothing has changed: [who sees](super::beam) the
//! rectangle is the same before and after. Each of them
//! * drops its edges that end on the rectangle or no longer pass it;
//! * is joined to the turning points that are there now on the rectangle, which are scanned from as
//!   if they were new;
//! * if the rectangle is not all blocked, scans in the directions in which it lies for what is seen
//!   past it now. Only one end of each edge need look: the upper one.
//!
//! With several rectangles an edge that touched one of them is dropped on behalf of the first that it
//! meets, by either end, and found again likewise, so all can be repaired on the map as it is at last.
//!
//! Nothing here depends on the size of the map.

use super::beam::{self, Corners, Ray};
use super::graph::{Buffers, Edge, Graph, Group, Within, cross};
use super::scan::Limits;
use super::turning::{Place, Slope};
use crate::geometry::sight;
use crate::{Grid, Rect, Rule};

/// The memory of a repair, and what it did.
#[derive(Default)]
pub(super) struct Repair {
    /// Edges that are new, each with the turning point that it comes from.
    pub edges: Vec<(u32, Edge)>,
    /// Turning points that are new.
    pub added: Vec<u32>,
    /// Who may see a rectangle, by row and column.
    seers: Vec<(u32, u32)>,
    rays: Vec<Ray>,
    buffers: Buffers,
    kept: Vec<Edge>,
}

impl Corners {
    pub fn of(rect: Rect) -> Self {
        Self { left: rect.x, top: rect.y, right: rect.x + rect.width, bottom: rect.y + rect.height }
    }

    /// How many there are on the rectangle and in it.
    fn count(self) -> u64 {
        u64::from(self.right - self.left + 1) * u64::from(self.bottom - self.top + 1)
    }

    /// How long its outline is.
    pub fn outline(self) -> usize {
        2 * (self.right - self.left + self.bottom - self.top) as usize
    }

    /// The smallest rectangle that holds both.
    fn and(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether a straight way ends on the rectangle.
    #[inline]
    fn is_end(self, from: Place, edge: Edge) -> bool {
        let x = u32::from(from.x).wrapping_add_signed(edge.dx.into());
        let y = u32::from(from.y).wrapping_add_signed(edge.dy.into());
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Whether a straight way touches the rectangle.
    #[inline]
    fn touches(self, from: Place, edge: Edge) -> bool {
        let (dx, dy) = edge.along();
        let (left, right) = (self.left.into(), self.right.into());
        let (top, bottom) = (self.top.into(), self.bottom.into());
        let (x, y) = (i64::from(from.x), i64::from(from.y));
        if x.min(x + dx) > right || x.max(x + dx) < left {
            return false;
        }
        if y.min(y + dy) > bottom || y.max(y + dy) < top {
            return false;
        }
        let corners: [(i64, i64); 4] = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let sides = corners.map(|corner| cross((dx, dy), (corner.0 - x, corner.1 - y)));
        sides.into_iter().any(|side| side <= 0) && sides.into_iter().any(|side| side >= 0)
    }

    fn has_free_cells(self, grid: &Grid) -> bool {
        let width = self.right - self.left;
        (self.top..self.bottom).any(|y| grid.rows().count(self.left, y, width) > 0)
    }

    /// Whether some of the rectangle lies in a group's quarter.
    #[inline]
    fn is_in(self, place: Place, group: Group) -> bool {
        let (x, y) = (place.x.into(), place.y.into());
        let leftwards = (place.slope == Slope::Falling) == (group == Group::Upper);
        let aside = if leftwards { self.left <= x } else { self.right >= x };
        aside && if group == Group::Upper { self.top <= y } else { self.bottom >= y }
    }

    /// The directions into a group's quarter in which the rectangle lies, if there are any.
    fn within(self, place: Place, group: Group) -> Option<Within> {
        let (x, y) = (i64::from(place.x), i64::from(place.y));
        let leftwards = (place.slope == Slope::Falling) == (group == Group::Upper);
        // The part in the quarter: how far it is aside and ahead, from and to.
        let quarter = |from: u32, to: u32, at: i64, backwards: bool| {
            let (from, to) = (i64::from(from) - at, i64::from(to) - at);
            let (from, to) = if backwards { (-to, -from) } else { (from, to) };
            (to >= 0).then_some((from.max(0), to))
        };
        let aside = quarter(self.left, self.right, x, leftwards)?;
        let ahead = quarter(self.top, self.bottom, y, group == Group::Upper)?;
        let across = |aside: i64| if leftwards { -aside } else { aside };
        let steep = (across(aside.0), ahead.1);
        let flat = (ahead.0 > 0).then_some((across(aside.1), ahead.0));
        let limits = if leftwards { Limits(flat, Some(steep)) } else { Limits(Some(steep), flat) };
        Some(Within {
            sweep: (ahead.1 > 0 && aside.1 > 0).then_some(limits),
            ahead: aside.0 == 0 && ahead.1 > 0,
            aside: ahead.0 == 0 && aside.1 > 0,
        })
    }
}

/// Makes one rectangle of several that lie close together, as the cells of a wall do.
pub(super) fn merge(targets: &mut Vec<Corners>) {
    let Some(all) = targets.iter().copied().reduce(Corners::and) else { return };
    if all.count() <= targets.iter().map(|target| target.count()).sum() {
        *targets = vec![all];
    }
}

impl Graph {
    /// How many turning points there are on a rectangle and in it.
    pub(super) fn count_on(&self, target: Corners) -> usize {
        let mut count = 0;
        for y in target.top..=target.bottom {
            self.points.along_row(y, target.left, target.right, &mut |_| count += 1);
        }
        count
    }

    /// Repairs the graph after edits in some rectangles.
    pub(super) fn repair(
        &mut self,
        grid: &Grid,
        rule: Rule,
        targets: &[Corners],
        repair: &mut Repair,
    ) {
        repair.edges.clear();
        repair.added.clear();
        for &target in targets {
            self.find_points(grid, rule, target, repair);
        }
        for &target in targets {
            let mut seers = std::mem::take(&mut repair.seers);
            seers.clear();
            let mut see = |number: u32| seers.push((self.place(number).by_row(), number));
            beam::who_sees(grid, &self.points, target, &mut repair.rays, &mut see);
            seers.sort_unstable();
            seers.dedup();
            for &(_, number) in &seers {
                self.drop_edges(grid, rule, number, target, &mut repair.kept);
            }
            self.scan_from(grid, rule, target, repair);
            if target.has_free_cells(grid) {
                for &(_, number) in &seers {
                    self.look_past(grid, rule, number, target, repair);
                }
            }
            repair.seers = seers;
        }
    }

    /// Takes note of the turning points that there are now on a rectangle.
    fn find_points(&mut self, grid: &Grid, rule: Rule, target: Corners, repair: &mut Repair) {
        for y in target.top..=target.bottom {
            for x in target.left..=target.right {
                match (self.points.at(x, y), Place::of(grid, rule, x, y)) {
                    (None, None) => {}
                    (None, Some(place)) => repair.added.push(self.add(place)),
                    (Some(number), None) => self.remove(number),
                    (Some(number), Some(place)) if self.place(number) == place => {}
                    (Some(number), Some(place)) => self.turn(number, place),
                }
            }
        }
    }

    /// Scans from all turning points on a rectangle.
    fn scan_from(&mut self, grid: &Grid, rule: Rule, target: Corners, repair: &mut Repair) {
        for y in target.top..=target.bottom {
            for x in target.left..=target.right {
                let Some(number) = self.points.at(x, y) else { continue };
                for group in Group::BOTH {
                    let mut buffers = std::mem::take(&mut repair.buffers);
                    let all = &Within::default();
                    self.set_group(number, group, &[]);
                    for &edge in &*self.scan(grid, rule, number, group, all, &mut buffers) {
                        self.join(number, edge, repair);
                    }
                    repair.buffers = buffers;
                }
            }
        }
    }

    /// Drops the edges of a turning point that end on a rectangle or no longer pass it.
    fn drop_edges(
        &mut self,
        grid: &Grid,
        rule: Rule,
        number: u32,
        target: Corners,
        kept: &mut Vec<Edge>,
    ) {
        let place = self.place(number);
        for group in Group::BOTH.into_iter().filter(|&group| target.is_in(place, group)) {
            let known = self.group(number, group);
            kept.clear();
            kept.extend(known.iter().filter(|&&edge| {
                !target.touches(place, edge)
                    || !target.is_end(place, edge)
                        && sight::visible(grid, place.point(), self.end(place, edge), rule)
            }));
            if kept.len() < known.len() {
                self.set_group(number, group, kept);
            }
        }
    }

    /// Finds the edges of a turning point that pass a rectangle downwards, or along a line.
    fn look_past(
        &mut self,
        grid: &Grid,
        rule: Rule,
        number: u32,
        target: Corners,
        repair: &mut Repair,
    ) {
        let place = self.place(number);
        for group in Group::BOTH {
            let Some(mut within) = target.within(place, group) else { continue };
            if group == Group::Upper {
                (within.sweep, within.ahead) = (None, false);
            }
            if within.sweep.is_none() && !within.ahead && !within.aside {
                continue;
            }
            let mut buffers = std::mem::take(&mut repair.buffers);
            for &edge in &*self.scan(grid, rule, number, group, &within, &mut buffers) {
                if target.touches(place, edge) && !target.is_end(place, edge) {
                    self.join(number, edge, repair);
                }
            }
            repair.buffers = buffers;
        }
    }

    /// Adds an edge to both its ends, if it is not there.
    fn join(&mut self, from: u32, edge: Edge, repair: &mut Repair) {
        if self.insert(from, edge) {
            let back = Edge { to: from, dx: -edge.dx, dy: -edge.dy };
            self.insert(edge.to, back);
            repair.edges.push((from, edge));
        }
    }
}
