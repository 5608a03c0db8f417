//! What a world is made with. Settings are part of the state: saved, hashed, equal on all peers.

use crate::Error;
use crate::class::Class;
use crate::pack::{Pack, Reader, packed, packed_enum};
use blockstar::{Algorithm, Moves, Rule};

/// How units get from one place to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stepping {
    /// From cell to cell, never two on one cell: [`crowd`](crate::crowd).
    Cells,
    /// Along their paths, as if they were alone.
    Ghost,
    /// In the plane, at any angle, as discs that never touch each other or a wall. Plans are those
    /// of cells; whoever has room cuts their corners.
    Plane,
}

/// What becomes of a unit when a wall is built on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnderUnit {
    /// The edit is refused.
    Refuse,
    /// The unit is put on the nearest free cell; if there is none, it is crushed.
    Push,
    /// The unit is gone.
    Crush,
}

/// How many expansions a tick may spend, by purpose. Whatever is left over is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TickBudget {
    /// The first cells of a way, within a tick or two.
    pub quick: u32,
    /// Whole paths, and shorter ones where a wall opened.
    pub full: u32,
    /// Paths that an edit has cut.
    pub repair: u32,
    /// Distance fields of groups, and places around goals.
    pub fields: u32,
    /// Joining paths, and ways around those who stand in the way.
    pub steps: u32,
}

impl TickBudget {
    /// The sum.
    pub const fn total(self) -> u64 {
        self.quick as u64
            + self.full as u64
            + self.repair as u64
            + self.fields as u64
            + self.steps as u64
    }
}

impl Default for TickBudget {
    fn default() -> Self {
        Self { quick: 16_384, full: 4096, repair: 4096, fields: 8192, steps: 4096 }
    }
}

/// How long a unit that is held up waits before it tries something else, in steps: the ticks that
/// it would take to walk one cell. See [`Rung`](crate::Rung).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Patience {
    /// Until it says that it is blocked and asks others to yield.
    pub ask: u16,
    /// Until it looks for a way around whoever stands in front.
    pub splice: u16,
    /// Until it looks for a longer one.
    pub around: u16,
    /// Until its jam is taken to the jam solver.
    pub jam: u16,
    /// Until it stops trying for a while; the while doubles each time.
    pub back_off: u16,
    /// Until it gives up.
    pub give_up: u16,
}

impl Default for Patience {
    fn default() -> Self {
        Self { ask: 4, splice: 8, around: 16, jam: 24, back_off: 48, give_up: 2000 }
    }
}

/// Everything that a world is made with, besides its map.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The kinds of units.
    pub classes: Vec<Class>,
    /// The movement rule. `Stepping::Cells` takes a rule that steps from cell to cell, and
    /// `Stepping::Plane` one of those that leave room for a disc: `four` or `eight`.
    pub moves: Moves,
    /// How units move.
    pub stepping: Stepping,
    /// How many ticks a second has: 1 to 1000.
    pub ticks_per_second: u16,
    /// The work of a tick.
    pub budget: TickBudget,
    /// When a blocked unit tries what.
    pub patience: Patience,
    /// What a wall does to a unit under it.
    pub under_unit: UnderUnit,
    /// The length of a quick path, in cells; the course that it comes from has 3 to 15.
    pub quick_cells: u16,
    /// The expansions of a quick path.
    pub quick_expansions: u32,
    /// So many units with one goal, or more, share a distance field.
    pub share_from: u32,
    /// The most distance fields at a time; beyond that, units plan for themselves.
    pub most_fields: u32,
    /// Whether crowds that meet at a narrow passage go through it in turns. Two crowds of 400 get over
    /// a bridge of two cells in 6,558 ticks that way; otherwise 533 of the 800 are over after 6,000.
    /// In a house full of rooms with single doors, where one queue ends in the next, it costs about
    /// 5 % of the arrivals instead, so it is off unless asked for.
    pub meter_chokes: bool,
    /// The most units that are led out of a jam together, 0 to 100; more are a crowd, and stepping
    /// does better there. 0: no jam is solved.
    pub most_jammed: u16,
    /// Searches that take turns. More make the small ones wait less for the large ones, and are
    /// what threads work on. Each takes search memory of its own.
    pub lanes: u8,
}

impl Settings {
    /// One class of units of one cell, eight moves, 30 ticks a second.
    pub fn new() -> Self {
        Self {
            classes: vec![Class::new("unit")],
            moves: Moves::EIGHT,
            stepping: Stepping::Cells,
            ticks_per_second: 30,
            budget: TickBudget::default(),
            patience: Patience::default(),
            under_unit: UnderUnit::Push,
            quick_cells: 15,
            quick_expansions: 32,
            share_from: 6,
            most_fields: 32,
            meter_chokes: false,
            most_jammed: 24,
            lanes: 4,
        }
    }

    /// The same with other classes.
    #[must_use]
    pub fn classes(self, classes: impl IntoIterator<Item = Class>) -> Self {
        Self { classes: classes.into_iter().collect(), ..self }
    }

    /// The same with another movement rule.
    #[must_use]
    pub fn moves(self, moves: Moves) -> Self {
        Self { moves, ..self }
    }

    /// The same with another way of stepping.
    #[must_use]
    pub fn stepping(self, stepping: Stepping) -> Self {
        Self { stepping, ..self }
    }

    /// The same with another number of ticks a second.
    #[must_use]
    pub fn ticks_per_second(self, ticks_per_second: u16) -> Self {
        Self { ticks_per_second, ..self }
    }

    /// The same with another budget.
    #[must_use]
    pub fn budget(self, budget: TickBudget) -> Self {
        Self { budget, ..self }
    }

    /// The same with another policy for walls on units.
    #[must_use]
    pub fn under_unit(self, under_unit: UnderUnit) -> Self {
        Self { under_unit, ..self }
    }

    /// Refuses what does not go together.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let range = |what, value: u64, least: u64, most: u64, range| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(Error::Range { what, value: value as f64, range })
        };
        if self.classes.is_empty() {
            return Err(Error::Empty("the list of classes"));
        }
        range("the number of classes", self.classes.len() as u64, 1, 256, "1 to 256")?;
        range("ticks per second", self.ticks_per_second.into(), 1, 1000, "1 to 1000")?;
        range("the length of a quick path", self.quick_cells.into(), 1, 64, "1 to 64 cells")?;
        range("quick expansions", self.quick_expansions.into(), 1, 65536, "1 to 65536")?;
        range("the number of lanes", self.lanes.into(), 1, 64, "1 to 64")?;
        range("the most units of a jam", self.most_jammed.into(), 0, 100, "0 to 100")?;
        range("the number of fields", self.most_fields.into(), 0, 4096, "0 to 4096")?;
        for class in &self.classes {
            class.check()?;
            if !class.planner.is_empty() {
                Algorithm::named(&class.planner)?;
            }
        }
        if self.moves.slope().is_some() {
            return Err(Error::Settings("units do not know slopes; leave the slope out".into()));
        }
        let rule = self.moves.rule();
        if self.stepping == Stepping::Cells && rule.is_any_angle() {
            return Err(Error::Settings(format!(
                "cells are stepped on, and the rule is `{rule}`: take `eight`, or stepping `ghost`"
            )));
        }
        if self.stepping == Stepping::Plane && !matches!(rule, Rule::Four | Rule::Eight) {
            return Err(Error::Settings(format!(
                "in the plane units go at any angle by themselves, and the rule of their plans is \
                 `{rule}`: take `eight` or `four`, which leave room for a disc"
            )));
        }
        Ok(())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::new()
    }
}

/// The rule of movement by its place in the list; diagonals are √2.
impl Pack for Moves {
    fn pack(&self, out: &mut Vec<u8>) {
        let index = Rule::ALL.iter().position(|&rule| rule == self.rule()).unwrap_or(1);
        out.push(index as u8);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Rule::ALL.get(usize::from(u8::unpack(from)?)).map(|&rule| Self::new(rule))
    }
}

packed_enum!(Stepping { 0 Cells, 1 Ghost, 2 Plane });
packed_enum!(UnderUnit { 0 Refuse, 1 Push, 2 Crush });
packed!(TickBudget { quick, full, repair, fields, steps });
packed!(Patience { ask, splice, around, jam, back_off, give_up });
packed!(Settings {
    classes,
    moves,
    stepping,
    ticks_per_second,
    budget,
    patience,
    under_unit,
    quick_cells,
    quick_expansions,
    share_from,
    most_fields,
    meter_chokes,
    most_jammed,
    lanes
});
