//! Sectors and regions as shapes.

use super::{Labels, Sectors};
use crate::engine::layer::{Layer, Shapes, centre};
use crate::{Grid, Rect};

impl Sectors {
    /// Sectors, regions, their centres, and which regions are neighbours.
    pub fn layers(&self, grid: &Grid) -> Vec<Layer> {
        let mut labels = Labels::default();
        let width = grid.width() as usize;
        let mut numbers = vec![Layer::NONE; width * grid.height() as usize];
        let mut rects = Vec::new();
        for sector in 0..self.layout.sectors() {
            let area = self.layout.area(sector);
            let (left, top) = (area.left, area.top);
            rects.push((Rect::new(left, top, area.right - left, area.bottom - top), sector));
            let first = self.regions(sector).start;
            labels.label(grid.rows(), area, self.corner_reach());
            for run in &labels.runs {
                let row = run.row as usize * width;
                numbers[row + run.first as usize..=row + run.last as usize]
                    .fill(first + run.region);
            }
        }
        let points = self.all().map(|region| (centre(grid, self.centre(region)), region));
        let links = self.all().flat_map(|region| {
            let others = self.neighbours(region).iter().filter(move |other| **other > region);
            others.map(move |&other| (region, other))
        });
        let link =
            |(a, b): (u32, u32)| (centre(grid, self.centre(a)), centre(grid, self.centre(b)));
        vec![
            Layer::new("sectors", "squares that the map is cut into", Shapes::Rects(rects)),
            Layer::new(
                "regions",
                "cells of a sector that are connected within it",
                Shapes::Cells(numbers),
            ),
            Layer::new(
                "centres",
                "the cell that stands for each region",
                Shapes::Points(points.collect()),
            ),
            Layer::new(
                "neighbours",
                "regions that touch",
                Shapes::Links(links.map(link).collect()),
            ),
        ]
    }
}
