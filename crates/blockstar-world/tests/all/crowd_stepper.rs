//! Steps are legal: on any map, at any density, for any sizes and rules.

use blockstar::random::Random;
use blockstar::{Cell, DistanceMap, Grid, Moves, Rule};
use blockstar_world::crowd::{Checker, Ground, Moved, PlaceError, Stepper};

/// Exact distances for units of all sizes: a map per unit.
struct Fields {
    grid: Grid,
    sizes: Vec<u8>,
    fields: Vec<Vec<u32>>,
}

impl Fields {
    fn stands(&self, cell: Cell, size: u8) -> bool {
        let side = u32::from(size);
        (0..side).all(|y| (0..side).all(|x| self.grid.is_free((cell.x + x, cell.y + y))))
    }
}

impl Ground for Fields {
    fn may_enter(&self, agent: u32, cell: Cell) -> bool {
        self.stands(cell, self.sizes[agent as usize])
    }

    fn distance(&self, agent: u32, cell: Cell) -> u32 {
        self.fields[agent as usize][(cell.y * self.grid.width() + cell.x) as usize]
    }
}

/// Distances to a goal, far ones where there is no way.
fn field(grid: &Grid, rule: Rule, goal: Cell) -> Vec<u32> {
    let map = DistanceMap::new(grid, Moves::new(rule), [goal]).unwrap();
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x, y)));
    let distance = |cell| map.distance(grid, cell).unwrap().map_or(1 << 30, |d| (d * 256.0) as u32);
    cells.map(distance).collect()
}

#[test]
fn steps_are_legal_on_random_maps() {
    let mut random = Random::new(14);
    for round in 0..300 {
        let rule = Rule::CELLS[round % 4];
        let (width, height) = (2 + random.below(12) as u32, 2 + random.below(12) as u32);
        let walls = random.below(40);
        let grid = Grid::from_fn(width, height, |_| !random.chance(walls, 100)).unwrap();
        let mut ground = Fields { grid, sizes: Vec::new(), fields: Vec::new() };
        let mut stepper = Stepper::new(width, height, rule);
        let most_size = 1 + random.below(3) as u8;
        let filled = 3 + random.below(95);
        for y in 0..height {
            for x in 0..width {
                let (cell, size) = (Cell::new(x, y), 1 + random.below(most_size.into()) as u8);
                let agent = ground.sizes.len() as u32;
                if random.chance(filled, 100)
                    && ground.stands(cell, size)
                    && stepper.place(agent, cell, size).is_ok()
                {
                    let goal = Cell::new(
                        random.below(width.into()) as u32,
                        random.below(height.into()) as u32,
                    );
                    ground.sizes.push(size);
                    ground.fields.push(field(&ground.grid, rule, goal));
                }
            }
        }
        let count = ground.sizes.len() as u32;
        let mut order: Vec<u32> = (0..count).collect();
        let places = |stepper: &Stepper| -> Vec<Cell> {
            (0..count).map(|agent| stepper.cell(agent).unwrap()).collect()
        };
        let mut checker = Checker::new(&ground.grid);
        for _ in 0..30 {
            random.shuffle(&mut order);
            let listed = random.below(order.len() as u64 + 1) as usize;
            let before = places(&stepper);
            stepper.step(&ground, &order[..listed.max(order.len() / 2)]);
            let moves: Vec<Moved> = before
                .into_iter()
                .zip(places(&stepper))
                .zip(&ground.sizes)
                .map(|((from, to), &size)| Moved { from, to, size })
                .collect();
            let wrong = checker.check(&ground.grid, rule, &moves);
            assert!(wrong.is_empty(), "round {round}, {rule}: {}", wrong[0]);
            for (agent, moved) in moves.iter().enumerate() {
                assert_eq!(stepper.occupant(moved.to), Some(agent as u32));
            }
        }
    }
}

/// Everybody wants to the right end.
struct Right;

impl Ground for Right {
    fn may_enter(&self, _: u32, _: Cell) -> bool {
        true
    }

    fn distance(&self, _: u32, cell: Cell) -> u32 {
        100_000 - cell.x
    }
}

#[test]
fn a_chain_of_fifty_thousand_steps_at_once() {
    let length = 50_000;
    let mut stepper = Stepper::new(length, 1, Rule::Four);
    for agent in 0..length - 1 {
        stepper.place(agent, Cell::new(agent, 0), 1).unwrap();
    }
    // The last to be asked is the only one with room.
    stepper.step(&Right, &[0]);
    for agent in 0..length - 1 {
        assert_eq!(stepper.cell(agent), Some(Cell::new(agent + 1, 0)));
    }
}

#[test]
fn places_are_checked() {
    let mut stepper = Stepper::new(4, 4, Rule::Four);
    stepper.place(3, Cell::new(1, 1), 2).unwrap();
    assert_eq!(
        stepper.place(0, Cell::new(2, 2), 1),
        Err(PlaceError::Taken { cell: Cell::new(2, 2), by: 3 })
    );
    assert_eq!(stepper.place(0, Cell::new(3, 0), 2), Err(PlaceError::Outside(Cell::new(3, 0))));
    let far = Cell::new(u32::MAX, u32::MAX);
    assert_eq!(stepper.place(0, far, 1), Err(PlaceError::Outside(far)));
    assert_eq!(stepper.place(0, Cell::new(0, 0), 0), Err(PlaceError::Size(0)));
    assert_eq!(stepper.place(3, Cell::new(0, 0), 1), Err(PlaceError::Twice(Cell::new(1, 1))));
    assert_eq!((stepper.cell(0), stepper.cell(9), stepper.size(3)), (None, None, 2));
    stepper.remove(3);
    stepper.remove(77);
    assert_eq!(stepper.occupant(Cell::new(1, 1)), None);
    stepper.place(0, Cell::new(2, 2), 1).unwrap();
}
