//! Hill-climbable regions: every cell can be climbed to from its region's representative, and back.

use crate::Grid;
use crate::grid::raster::raster;
use crate::regions::climb::Climber;

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

/// Makes regions out of the cells that it was offered.
pub(super) struct Grower<'a> {
    climber: Climber<'a>,
    cut_off: u32,
    /// By position: the region's number plus one, or one of the marks below. It starts as zeroes,
    /// so that only touched pages take memory: a repair touches few.
    of: Vec<u32>,
    /// By position: how many steps it takes to climb to the representative.
    steps: Vec<u32>,
    members: Vec<u32>,
}

/// A cell that is blocked or must not be touched.
const FOREIGN: u32 = 0;
/// A cell that was offered and has no region yet.
const HOMELESS: u32 = u32::MAX;

impl Regions {
    pub fn new(grid: &Grid, climber: Climber<'_>, cut_off: u32) -> Self {
        let mut grower = Grower::new(grid, climber, cut_off);
        let rows = grid.rows();
        let free = || {
            let all = raster(0..grid.width(), 0..grid.height());
            all.map(|(x, y)| rows.position(x, y)).filter(|&node| rows.get(node))
        };
        free().for_each(|node| {
            grower.offer(node);
        });
        let mut representatives = Vec::new();
        for seed in free() {
            // The region around the middle of the seed's region need not contain the seed.
            while grower.is_homeless(seed) {
                representatives.push(grower.found(grid, seed, representatives.len() as u32));
            }
        }
        let mut of = grower.of;
        of.iter_mut().for_each(|region| *region = region.wrapping_sub(1));
        Self { representatives, of }
    }
}

impl<'a> Grower<'a> {
    pub fn new(grid: &Grid, climber: Climber<'a>, cut_off: u32) -> Self {
        let positions = grid.rows().positions();
        let (of, steps) = (vec![FOREIGN; positions], vec![0; positions]);
        Self { climber, cut_off, of, steps, members: Vec::new() }
    }

    /// Offers a free cell for regions. False if it was known.
    pub fn offer(&mut self, cell: u32) -> bool {
        std::mem::replace(&mut self.of[cell as usize], HOMELESS) == FOREIGN
    }

    /// Whether a cell was offered and has no region yet.
    pub fn is_homeless(&self, cell: u32) -> bool {
        self.of[cell as usize] == HOMELESS
    }

    /// The region that a cell was put in, if it was offered.
    pub fn region(&self, cell: u32) -> Option<u32> {
        let of = self.of[cell as usize];
        (of != FOREIGN && of != HOMELESS).then(|| of - 1)
    }

    /// Makes a region of cells without one. Returns its representative, the middle of the region
    /// that grows from the seed.
    pub fn found(&mut self, grid: &Grid, seed: u32, id: u32) -> u32 {
        self.grow(seed, id);
        let middle = self.middle(grid);
        if middle != seed {
            self.members.iter().for_each(|&cell| self.of[cell as usize] = HOMELESS);
            self.grow(middle, id);
        }
        middle
    }

    /// Makes the region of a representative out of cells that have none.
    pub fn grow(&mut self, representative: u32, id: u32) {
        let Self { climber, cut_off, of, steps, members } = self;
        let mark = id + 1;
        members.clear();
        members.push(representative);
        of[representative as usize] = mark;
        steps[representative as usize] = 0;
        let mut next = 0;
        while let Some(&cell) = members.get(next) {
            next += 1;
            for cell in climber.around(cell) {
                if of[cell as usize] != HOMELESS {
                    continue;
                }
                // Climbing has no memory, so after its first step the way is known.
                let mut step = NONE;
                climber.climb(cell, representative, 1, |node| step = node);
                if step == NONE || of[step as usize] != mark || steps[step as usize] >= *cut_off {
                    continue;
                }
                let mut inside = true;
                let there = climber.climb(representative, cell, *cut_off, |node| {
                    inside &= of[node as usize] == mark || node == cell;
                });
                if there.is_some() && inside {
                    of[cell as usize] = mark;
                    steps[cell as usize] = steps[step as usize] + 1;
                    members.push(cell);
                }
            }
        }
    }

    /// The cell nearest to the middle of the region grown last.
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
