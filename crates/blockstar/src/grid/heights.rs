//! The height layer of a map. What heights mean is up to the [`Slope`](crate::Slope) of the
//! movement rule.

use super::{Grid, check_length};
use crate::{Cell, Error, Rect};

/// The height layer: one height per cell, at the cell's bit position.
#[derive(Clone, Debug)]
pub(super) struct Heights {
    values: Vec<f32>,
    /// Bounds of all heights; after edits they may be wider than necessary.
    low: f32,
    high: f32,
}

impl Grid {
    /// Gives the map a height per cell centre, in metres, row by row. Heights matter only to
    /// planners whose [`Moves`](crate::Moves) have a [`Slope`](crate::Slope). Takes any number type
    /// that converts to `f64`, and stores `f32`.
    pub fn set_heights<N: Copy + Into<f64>>(&mut self, heights: &[N]) -> Result<(), Error> {
        check_length(self.width, self.height, heights.len())?;
        let mut values = vec![0.0; self.rows.positions()];
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for (y, row) in heights.chunks(self.width as usize).enumerate() {
            let first = self.rows.position(0, y as u32) as usize;
            for (kept, &value) in values[first..].iter_mut().zip(row) {
                Self::check_height(value.into())?;
                *kept = value.into() as f32;
                (low, high) = (low.min(*kept), high.max(*kept));
            }
        }
        self.heights = Some(Heights { values, low, high });
        self.log.push(self.whole());
        Ok(())
    }

    /// Changes the height of one cell; a map without heights first becomes flat at 0.
    pub fn set_height(&mut self, cell: impl Into<Cell>, height: f32) -> Result<(), Error> {
        let cell = cell.into();
        self.check_cell("cell", cell)?;
        Self::check_height(height.into())?;
        if self.put_height(cell, height) {
            self.log.push(Rect::cell(cell));
        }
        Ok(())
    }

    /// The error for a height that the layer cannot store.
    pub(super) fn check_height(height: f64) -> Result<(), Error> {
        if (height as f32).is_finite() {
            return Ok(());
        }
        Err(Error::Range { what: "a height", value: height, range: "finite" })
    }

    /// Sets the height of a cell of the map. Returns whether that changed anything.
    pub(super) fn put_height(&mut self, cell: Cell, height: f32) -> bool {
        let added = self.heights.is_none();
        let (positions, position) = (self.rows.positions(), self.rows.position(cell.x, cell.y));
        let heights = self.heights.get_or_insert_with(|| Heights {
            values: vec![0.0; positions],
            low: 0.0,
            high: 0.0,
        });
        let was = std::mem::replace(&mut heights.values[position as usize], height);
        (heights.low, heights.high) = (heights.low.min(height), heights.high.max(height));
        added || was != height
    }

    /// The height at the centre of a cell, if the map has heights.
    pub fn height_at(&self, cell: impl Into<Cell>) -> Option<f32> {
        let cell = cell.into();
        let heights = self.heights.as_ref()?;
        self.contains(cell).then(|| heights.values[self.rows.position(cell.x, cell.y) as usize])
    }

    /// Whether the map has heights.
    pub fn has_heights(&self) -> bool {
        self.heights.is_some()
    }

    /// The lowest and the highest height; after edits the range may be wider than necessary.
    pub fn height_range(&self) -> (f32, f32) {
        self.heights.as_ref().map_or((0.0, 0.0), |heights| (heights.low, heights.high))
    }

    /// The heights by position; none on a flat map.
    #[inline]
    pub(crate) fn heights(&self) -> Option<&[f32]> {
        self.heights.as_ref().map(|heights| &heights.values[..])
    }

    /// Copies the heights of a rectangle from a map of the same size.
    pub(super) fn copy_heights(&mut self, map: &Self, rect: Rect) {
        let Some(Heights { values, low, high }) = &map.heights else { return };
        let level = || Heights { values: vec![0.0; values.len()], low: 0.0, high: 0.0 };
        let heights = self.heights.get_or_insert_with(level);
        for cell in rect.cells() {
            let position = self.rows.position(cell.x, cell.y) as usize;
            heights.values[position] = values[position];
        }
        (heights.low, heights.high) = (*low, *high);
    }

    /// Bytes of heap memory of the layer.
    pub(super) fn height_bytes(&self) -> usize {
        self.heights.as_ref().map_or(0, |heights| heights.values.len() * 4)
    }
}
