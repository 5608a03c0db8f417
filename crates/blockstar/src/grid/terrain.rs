//! The terrain layer of a map: how much more than its length a step costs.

use super::{Grid, check_length};
use crate::{Cell, Error, Rect};
use std::collections::BTreeMap;

/// The terrain layer: one fixed-point factor per cell, at the cell's bit position.
#[derive(Clone, Debug)]
pub(super) struct Terrain {
    factors: Vec<u16>,
    /// How many cells have each factor, so that the smallest stays known under edits. (The same map
    /// type as in [`Mask`](crate::Mask), so that its code exists once.)
    counts: BTreeMap<u32, u64>,
}

impl Terrain {
    /// Whether all factors are 1.
    fn is_plain(&self) -> bool {
        self.counts.len() == 1 && self.counts.contains_key(&Grid::FACTOR_ONE.into())
    }
}

impl Grid {
    /// Gives a cell a terrain factor, from 1/256 to [`Grid::MAX_FACTOR`] (rounded to 1/256), and
    /// frees it; a factor of 0 blocks it. A step costs the mean of its two cells' factors times its
    /// length. The first factor other than 1 adds the terrain layer, two bytes per cell.
    pub fn set_cost(&mut self, cell: impl Into<Cell>, factor: f64) -> Result<(), Error> {
        let cell = cell.into();
        self.check_cell("cell", cell)?;
        let value = fixed_factor_or_blocked(factor)?;
        let before = self.content_of(Rect::cell(cell));
        if self.put_cost(cell, value) {
            self.log_edit(Rect::cell(cell), before);
        }
        Ok(())
    }

    /// Gives a cell a fixed-point factor; 0 blocks it and leaves the factor. Returns whether that
    /// changed anything.
    pub(super) fn put_cost(&mut self, cell: Cell, value: u16) -> bool {
        let position = self.rows.position(cell.x, cell.y);
        let kept = if value == 0 { self.factor_at(position) } else { value };
        let free = value != 0;
        let changes = self.factor_at(position) != kept || self.rows.get(position) != free;
        if changes {
            self.put(cell.x, cell.y, free);
            self.put_factor(position, kept);
        }
        changes
    }

    /// Replaces the terrain layer by one factor per cell, row by row; 0 blocks the cell, every
    /// other factor frees it. Takes any number type that converts to `f64`.
    pub fn set_costs<N: Copy + Into<f64>>(&mut self, factors: &[N]) -> Result<(), Error> {
        check_length(self.width, self.height, factors.len())?;
        let mut fixed = Vec::with_capacity(factors.len());
        for &factor in factors {
            fixed.push(fixed_factor_or_blocked(factor.into())?);
        }
        self.replace_factors(|index| fixed[index]);
        Ok(())
    }

    /// Replaces the terrain layer by fixed-point factors, which a function gives for each cell
    /// index, row by row; 0 blocks the cell. Unlike a slice of factors this needs no extra memory
    /// per cell.
    pub(crate) fn replace_factors(&mut self, factor: impl Fn(usize) -> u16) {
        let mut layer = vec![Self::FACTOR_ONE; self.rows.positions()];
        let mut counts = BTreeMap::new();
        for y in 0..self.height {
            for x in 0..self.width {
                let value = factor(y as usize * self.width as usize + x as usize);
                self.put(x, y, value != 0);
                let kept = if value == 0 { Self::FACTOR_ONE } else { value };
                layer[self.rows.position(x, y) as usize] = kept;
                *counts.entry(kept.into()).or_insert(0) += 1;
            }
        }
        self.terrain = Some(Terrain { factors: layer, counts });
        self.content = self.content_of(self.whole());
        self.log.push(self.whole());
    }

    /// The terrain factor of a cell: 1 where none was set, 0 where it is blocked or off the map.
    pub fn cost(&self, cell: impl Into<Cell>) -> f64 {
        let cell = cell.into();
        if !self.is_free(cell) {
            return 0.0;
        }
        f64::from(self.factor_at(self.rows.position(cell.x, cell.y))) / f64::from(Self::FACTOR_ONE)
    }

    /// Whether any cell has a terrain factor other than 1.
    pub fn has_costs(&self) -> bool {
        self.factors().is_some()
    }

    /// The terrain factors by position, in 1/256, or none where all are 1.
    #[inline]
    pub(crate) fn factors(&self) -> Option<&[u16]> {
        self.terrain.as_ref().filter(|terrain| !terrain.is_plain()).map(|t| &t.factors[..])
    }

    /// The smallest terrain factor of any cell, in 1/256.
    pub(crate) fn least_factor(&self) -> u16 {
        let least = self.terrain.as_ref().and_then(|t| t.counts.first_key_value());
        least.map_or(Self::FACTOR_ONE, |(&factor, _)| factor as u16)
    }

    /// The largest terrain factor of any cell, in 1/256.
    pub(crate) fn largest_factor(&self) -> u16 {
        let largest = self.terrain.as_ref().and_then(|t| t.counts.last_key_value());
        largest.map_or(Self::FACTOR_ONE, |(&factor, _)| factor as u16)
    }

    /// Bytes of heap memory of the layer.
    pub(super) fn factor_bytes(&self) -> usize {
        self.terrain.as_ref().map_or(0, |terrain| terrain.factors.len() * 2)
    }

    fn factor_at(&self, position: u32) -> u16 {
        self.terrain.as_ref().map_or(Self::FACTOR_ONE, |t| t.factors[position as usize])
    }

    /// Copies the factors of a rectangle from a map of the same size.
    pub(super) fn copy_factors(&mut self, map: &Self, rect: Rect) {
        if self.terrain.is_some() || map.terrain.is_some() {
            for cell in rect.cells() {
                let position = self.rows.position(cell.x, cell.y);
                self.put_factor(position, map.factor_at(position));
            }
        }
    }

    fn put_factor(&mut self, position: u32, value: u16) {
        if self.terrain.is_none() && value == Self::FACTOR_ONE {
            return;
        }
        let (positions, cells) = (self.rows.positions(), self.width * self.height);
        let terrain = self.terrain.get_or_insert_with(|| {
            let mut counts = BTreeMap::new();
            counts.insert(Self::FACTOR_ONE.into(), cells.into());
            Terrain { factors: vec![Self::FACTOR_ONE; positions], counts }
        });
        let old = std::mem::replace(&mut terrain.factors[position as usize], value);
        if let Some(count) = terrain.counts.get_mut(&old.into()) {
            *count -= 1;
            if *count == 0 {
                terrain.counts.remove(&old.into());
            }
        }
        *terrain.counts.entry(value.into()).or_insert(0) += 1;
    }
}

/// A terrain factor as the terrain layer stores it, or 0 where it blocks the cell.
pub(super) fn fixed_factor_or_blocked(factor: f64) -> Result<u16, Error> {
    if factor == 0.0 { Ok(0) } else { fixed_factor(factor) }
}

/// A terrain factor other than 0 as the terrain layer stores it.
pub(crate) fn fixed_factor(factor: f64) -> Result<u16, Error> {
    let value = (factor * f64::from(Grid::FACTOR_ONE)).round();
    if value >= 1.0 && value <= f64::from(u16::MAX) {
        return Ok(value as u16);
    }
    let range = "0 (blocked) or from 1/256 to 255.99";
    Err(Error::Range { what: "a terrain factor", value: factor, range })
}
