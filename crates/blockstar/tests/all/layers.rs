//! What planners prepared, as shapes on the map.

use crate::support::{all_moves, cases};
use blockstar::{Error, Grid, Layer, Moves, Planner, Rect, Shapes, Tile};
use std::collections::BTreeMap;

/// The numbers of a layer by its name.
fn numbers<'a>(layers: &'a [Layer], name: &str) -> &'a [u32] {
    match &layers.iter().find(|layer| layer.name == name).expect(name).shapes {
        Shapes::Cells(numbers) => numbers,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_free_cell_has_a_number_and_shapes_lie_on_the_map() {
    let mut seen = BTreeMap::<&str, u32>::new();
    for case in cases(51, 6, &all_moves()) {
        let grid = &case.grid;
        let layers = case.planner.layers(grid).unwrap();
        assert_eq!(layers[0].name, "islands");
        for Layer { name, shapes, .. } in &layers {
            *seen.entry(*name).or_default() += 1;
            let whole = Rect::new(0, 0, grid.width(), grid.height());
            let inside = |x: f64, y: f64| {
                (0.0..=f64::from(grid.width())).contains(&x)
                    && (0.0..=f64::from(grid.height())).contains(&y)
            };
            match shapes {
                Shapes::Cells(numbers) => {
                    for (cell, number) in whole.cells().zip(numbers) {
                        let none = *number == Layer::NONE;
                        assert_eq!(none, !grid.is_free(cell), "{name} {cell}");
                    }
                }
                Shapes::Rects(rects) => {
                    let area: u32 = rects.iter().map(|(rect, _)| rect.width * rect.height).sum();
                    assert_eq!(area, grid.width() * grid.height(), "{name} cover the map");
                }
                Shapes::Points(points) => assert!(points.iter().all(|p| inside(p.0.x(), p.0.y()))),
                Shapes::Links(links) => {
                    assert!(
                        links.iter().all(|(a, b)| inside(a.x(), a.y()) && inside(b.x(), b.y()))
                    );
                }
                _ => panic!("{name}"),
            }
        }
    }
    for name in ["blocks", "sectors", "regions", "centres", "base paths", "level 1", "edges"] {
        assert!(seen.contains_key(name), "{name} of {seen:?}");
    }
}

#[test]
fn blocks_of_equal_content_share_a_table_and_an_edit_parts_them() {
    let mut grid = Grid::new(20, 10).unwrap();
    let mut planner = blockstar::BlockAstar::builder().block(5).build(&grid, Moves::EIGHT).unwrap();
    let tables = |planner: &dyn Planner, grid: &Grid| match &planner.layers(grid).unwrap()[1].shapes
    {
        Shapes::Rects(rects) => rects.iter().map(|rect| rect.1).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let before = tables(&planner, &grid);
    assert!(before.len() == 8 && before.iter().all(|table| *table == before[0]));
    grid.set((7, 2), Tile::Blocked).unwrap();
    assert!(matches!(planner.layers(&grid), Err(Error::Stale { .. })));
    planner.update(&grid).unwrap();
    let after = tables(&planner, &grid);
    assert_eq!((0..8).filter(|&block| after[block] != before[block]).collect::<Vec<_>>(), [1]);
}

#[test]
fn islands_are_the_connected_cells() {
    let grid = Grid::from_ascii("..#..\n..#..\n.##.#").unwrap();
    let planner = blockstar::Jps::new(&grid, Moves::EIGHT).unwrap();
    let layers = planner.layers(&grid).unwrap();
    let islands = numbers(&layers, "islands");
    assert_eq!((islands[0], islands[3]), (islands[10], islands[13]));
    assert_ne!(islands[0], islands[3]);
    assert_eq!(islands[2], Layer::NONE);
}
