//! Hill-climbable regions: every cell can be climbed to from its region's representative, and back.

use crate::Grid;
use crate::search::climb::Climber;
use crate::search::flood::Ground;

/// No region.
pub(super) const NONE: u32 = u32::MAX;

/// The regions of a map while they are made.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// The cells that the regions are named after.
    pub representatives: Vec<u32>,
    /// The region of the cell at each position, [`NONE`] where it is blocked.
    pub of: Vec<u32>,
}

/// What growing needs.
struct Grower<'a> {
    ground: &'a Ground,
    climber: Climber<'a>,
    cut_off: u32,
    of: Vec<u32>,
    /// How many steps climbing to the representative takes.
    steps: Vec<u32>,
    members: Vec<u32>,
}

impl Regions {
    pub fn new(grid: &Grid, ground: &Ground, climber: Climber<'_>, cut_off: u32) -> Self {
        let positions = grid.rows().positions();
        let mut grower = Grower {
            ground,
            climber,
            cut_off,
            of: vec![NONE; positions],
            steps: vec![0; positions],
            members: Vec::new(),
        };
        let rows = grid.rows();
        let mut representatives = Vec::new();
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let seed = rows.position(x, y);
                // The region around the middle of the seed's region need not have the seed.
                while rows.get(seed) && grower.of[seed as usize] == NONE {
                    let id = representatives.len() as u32;
                    grower.grow(seed, id);
                    let middle = grower.middle(grid);
                    if middle != seed {
                        grower.dissolve();
                        grower.grow(middle, id);
                    }
                    representatives.push(middle);
                }
            }
        }
        Self { representatives, of: grower.of }
    }
}

impl Grower<'_> {
    /// Makes the region of a representative out of cells that have none.
    fn grow(&mut self, representative: u32, id: u32) {
        let Self { ground, climber, cut_off, of, steps, members } = self;
        members.clear();
        members.push(representative);
        of[representative as usize] = id;
        steps[representative as usize] = 0;
        let mut next = 0;
        while let Some(&cell) = members.get(next) {
            next += 1;
            let legal = ground.legal[cell as usize];
            for d in (0..8).filter(|d| legal >> d & 1 != 0) {
                let cell = cell.wrapping_add_signed(ground.offsets[d]);
                if of[cell as usize] != NONE {
                    continue;
                }
                // Climbing forgets where it came from, so from the first step on the way is known.
                let mut step = NONE;
                climber.climb(cell, representative, 1, |node| step = node);
                if step == NONE || of[step as usize] != id || steps[step as usize] >= *cut_off {
                    continue;
                }
                let mut inside = true;
                let there = climber.climb(representative, cell, *cut_off, |node| {
                    inside &= of[node as usize] == id || node == cell;
                });
                if there.is_some() && inside {
                    of[cell as usize] = id;
                    steps[cell as usize] = steps[step as usize] + 1;
                    members.push(cell);
                }
            }
        }
    }

    fn dissolve(&mut self) {
        self.members.iter().for_each(|&cell| self.of[cell as usize] = NONE);
    }

    /// The cell of the region that was grown last that is nearest to the middle of its cells.
    fn middle(&self, grid: &Grid) -> u32 {
        let rows = grid.rows();
        let (mut x, mut y) = (0, 0);
        for &cell in &self.members {
            let (cx, cy) = rows.coordinates(cell);
            (x, y) = (x + u64::from(cx), y + u64::from(cy));
        }
        let count = self.members.len() as u64;
        let (x, y) = (x / count, y / count);
        let distance = |&cell: &u32| {
            let (cx, cy) = rows.coordinates(cell);
            let (dx, dy) = (x.abs_diff(cx.into()), y.abs_diff(cy.into()));
            (dx * dx + dy * dy, cell)
        };
        self.members.iter().copied().min_by_key(distance).unwrap_or(NONE)
    }
}
