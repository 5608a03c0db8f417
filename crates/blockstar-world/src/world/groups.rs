//! Groups: units that are ordered together, and how they stand in formation.

use super::World;
use crate::pack::packed;
use crate::{Error, Event, Formation, Goal, GroupId, OrderId, State, UnitId};
use blockstar::{Cell, sort};

/// Units that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub id: GroupId,
    pub members: Vec<UnitId>,
    /// The order that it is carrying out as a group.
    pub order: Option<OrderId>,
    /// How many of it cannot get to the goal of that order.
    pub split: u32,
}

packed!(Group { id, members, order, split });

impl World {
    pub(crate) fn make_group(&mut self, units: &[UnitId]) -> Result<GroupId, Error> {
        if units.is_empty() {
            return Err(Error::Empty("a group"));
        }
        let mut slots = units.iter().map(|&unit| self.slot(unit)).collect::<Result<Vec<_>, _>>()?;
        slots.sort_unstable();
        slots.dedup();
        let next = self.groups.next().ok_or(Error::Empty("the list of free groups"))?;
        let id = GroupId::new(next.0, next.1);
        slots.iter().for_each(|&slot| self.leave_group(slot));
        let mut members = Vec::new();
        for slot in slots {
            if let Some(unit) = self.units.get_mut(slot) {
                unit.group = Some(id);
                members.push(unit.id);
            }
        }
        // Leaving may have freed a lower slot than the one that was looked up.
        let next = self.groups.next().ok_or(Error::Empty("the list of free groups"))?;
        let id = GroupId::new(next.0, next.1);
        for member in &members {
            if let Some(unit) = self.units.get_mut(member.slot()) {
                unit.group = Some(id);
            }
        }
        self.groups.put(Group { id, members, order: None, split: 0 });
        Ok(id)
    }

    pub(crate) fn members(&self, group: GroupId) -> Result<&[UnitId], Error> {
        let there = self.groups.get(group.slot()).filter(|known| known.id == group);
        there.map(|group| &group.members[..]).ok_or(Error::GroupGone(group))
    }

    pub(crate) fn forget_group(&mut self, group: GroupId) -> Result<(), Error> {
        for member in self.members(group)?.to_vec() {
            if let Some(unit) = self.units.get_mut(member.slot()) {
                unit.group = None;
            }
        }
        self.groups.take(group.slot());
        Ok(())
    }

    /// Takes a unit out of its group; an empty one is gone.
    pub(crate) fn leave_group(&mut self, slot: u32) {
        let Some(unit) = self.units.get_mut(slot) else { return };
        let (id, Some(group)) = (unit.id, unit.group.take()) else { return };
        if let Some(known) = self.groups.get_mut(group.slot()).filter(|known| known.id == group) {
            known.members.retain(|&member| member != id);
            if known.members.is_empty() {
                self.groups.take(group.slot());
            }
        }
    }

    pub(crate) fn note_group_order(&mut self, group: GroupId, order: OrderId) {
        if let Some(group) = self.groups.get_mut(group.slot()) {
            (group.order, group.split) = (Some(order), 0);
        }
    }

    /// Somebody of a group cannot get to the goal.
    pub(crate) fn note_split(&mut self, group: GroupId, order: OrderId) {
        if let Some(group) = self.groups.get_mut(group.slot())
            && group.order == Some(order)
        {
            group.split += 1;
        }
    }

    /// Tells of groups that were split, and of those that have arrived.
    pub(crate) fn attend_groups(&mut self) {
        let arrived = self.stats.arrived > 0 || self.stats.gave_up > 0;
        for slot in 0..self.groups.len() {
            let Some(group) = self.groups.get_mut(slot) else { continue };
            let Some(order) = group.order else { continue };
            let id = group.id;
            let split = std::mem::take(&mut group.split);
            if split > 0 {
                self.events.push(Event::GroupSplit(id, split));
            }
            if !arrived {
                continue;
            }
            let Some(group) = self.groups.get(slot) else { continue };
            let done = group.members.iter().all(|member| {
                self.units.get(member.slot()).is_none_or(|unit| {
                    let busy = unit.orders.iter().any(|given| given.id == order);
                    !busy || unit.state == State::Stranded
                })
            });
            if done {
                self.events.push(Event::GroupArrived(id));
                if let Some(group) = self.groups.get_mut(slot) {
                    group.order = None;
                }
            }
        }
    }

    /// The places of a formation, one for each unit: in ranks across the direction of the march,
    /// the goal in the middle. The foremost units get the foremost rank, and in each rank those on
    /// the left the places on the left, so that their ways do not cross.
    pub(crate) fn posts(
        &self,
        slots: &[u32],
        goal: &Goal,
        formation: Formation,
    ) -> Vec<Option<Cell>> {
        let (Goal::Cell(goal) | Goal::Near(goal, _)) = goal else { return vec![None; slots.len()] };
        let cells: Vec<Cell> = slots
            .iter()
            .map(|&slot| self.units.get(slot).map_or(*goal, |unit| self.here(unit)))
            .collect();
        let count = cells.len() as i64;
        let side =
            |axis: fn(&Cell) -> u32| cells.iter().map(|cell| i64::from(axis(cell))).sum::<i64>();
        // From the middle of the units to the goal, times their number.
        let ahead = (
            i64::from(goal.x) * count - side(|cell| cell.x),
            i64::from(goal.y) * count - side(|cell| cell.y),
        );
        // The march is along the axis that it is nearest to.
        let forward: (i64, i64) = if ahead.0.abs() > ahead.1.abs() {
            (ahead.0.signum(), 0)
        } else {
            (0, if ahead.1 == 0 { 1 } else { ahead.1.signum() })
        };
        let right = (-forward.1, forward.0);
        let dot =
            |cell: Cell, axis: (i64, i64)| i64::from(cell.x) * axis.0 + i64::from(cell.y) * axis.1;
        let files = match formation {
            Formation::Square => (count as u64 - 1).isqrt() as i64 + 1,
            Formation::Line => (count + 1) / 2,
            Formation::Column => 2.min(count),
        };
        let spacing = slots
            .iter()
            .filter_map(|&slot| self.units.get(slot))
            .map(|unit| i64::from(unit.size))
            .max()
            .unwrap_or(1);
        let ranks = (count + files - 1) / files;
        let mut order: Vec<usize> = (0..cells.len()).collect();
        sort::by_key(&mut order, |&index| {
            (-dot(cells[index], forward), dot(cells[index], right), index)
        });
        let mut posts = vec![None; cells.len()];
        let mut used = std::collections::BTreeSet::new();
        for (rank, row) in order.chunks(files as usize).enumerate() {
            let mut row = row.to_vec();
            sort::by_key(&mut row, |&index| (dot(cells[index], right), index));
            let wide = row.len() as i64;
            for (file, index) in row.into_iter().enumerate() {
                let back = (2 * rank as i64 - (ranks - 1)) * spacing / 2;
                let across = (2 * file as i64 - (wide - 1)) * spacing / 2;
                let x = i64::from(goal.x) - back * forward.0 + across * right.0;
                let y = i64::from(goal.y) - back * forward.1 + across * right.1;
                let clamp = |v: i64, side: u32| v.clamp(0, i64::from(side) - 1) as u32;
                let cell = Cell::new(clamp(x, self.map.width), clamp(y, self.map.height));
                let Some(unit) = self.units.get(slots[index]) else { continue };
                let free = self.layers[usize::from(unit.layer)].grid.is_free(cell);
                // Where the ground leaves no room, the unit finds a place for itself.
                if free && used.insert(cell) {
                    posts[index] = Some(cell);
                }
            }
        }
        posts
    }
}
