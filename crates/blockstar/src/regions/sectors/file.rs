//! Regions in files, as PRA* and DBA* save them.
//!
//! Both kinds of file have these parameters: the movement rule in bits 0 to 3, the length of
//! diagonals in bits 4 to 7, the width and height of a sector from bits 8 and 20, whether centres
//! are tuned in bit 32, and what the kind adds from bit 40 on. The payload begins with the number
//! of regions and their centres, by sector. The regions themselves are found on the map, which is
//! faster than reading them.

use super::{Centre, Sectors};
use crate::db::parameters::{is_free_node, moves_code, read_moves};
use crate::db::take_u32;
use crate::{Grid, Moves};

/// The parameters that both kinds of file have.
pub(crate) fn parameters(moves: Moves, side: (u32, u32), centre: Centre) -> u64 {
    moves_code(moves)
        | u64::from(side.0) << 8
        | u64::from(side.1) << 20
        | u64::from(centre == Centre::Tuned) << 32
}

/// The size of a sector and the choice of centres that parameters name.
pub(crate) fn read_parameters(parameters: u64) -> Option<((u32, u32), Centre)> {
    let side = ((parameters >> 8 & 0xfff) as u32, (parameters >> 20 & 0xfff) as u32);
    let centre = if parameters >> 32 & 1 != 0 { Centre::Tuned } else { Centre::Mean };
    Sectors::check_side(side).is_ok().then_some((side, centre))
}

/// The planner of a file of regions, with its parameters.
pub(crate) fn maker(parameters: u64) -> Option<String> {
    let ((w, h), centre) = read_parameters(parameters)?;
    Some(format!("pra-star:sector={w}x{h}:centre={}", centre.name()))
}

/// The parameters in words.
pub(crate) fn describe(parameters: u64) -> String {
    let moves = read_moves(parameters)
        .map_or("an unknown rule".into(), |moves| format!("the rule `{moves}`"));
    match read_parameters(parameters) {
        Some(((w, h), centre)) => {
            let centre = if centre == Centre::Tuned { ", tuned centres" } else { "" };
            format!("{moves}, sectors of {w} x {h} cells{centre}")
        }
        None => format!("{moves}, sectors of an impossible size"),
    }
}

impl Sectors {
    /// Writes the regions by sector; on a new map that is the order of their numbers.
    pub fn write(&self, payload: &mut Vec<u8>) {
        let centres = self.all().map(|region| self.centre(region));
        let words = std::iter::once(self.live as u32).chain(centres);
        words.for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
    }

    /// The regions of a map with the centres of a payload, if each centre lies in its region.
    pub fn read(
        payload: &mut &[u8],
        grid: &Grid,
        moves: Moves,
        side: (u32, u32),
        centre: Centre,
    ) -> Option<Self> {
        let mut sectors = Self::new(grid, moves, side, Centre::Mean);
        if take_u32(payload)? as usize != sectors.live {
            return None;
        }
        let (rows, mut labels) = (grid.rows(), super::Labels::default());
        for region in 0..sectors.live as u32 {
            let node = take_u32(payload)?;
            if node == sectors.centre(region) {
                continue;
            }
            if centre == Centre::Mean || !is_free_node(grid, node) {
                return None;
            }
            let (x, y) = rows.coordinates(node);
            if sectors.region(grid, x, y, &mut labels, &mut 0) != region {
                return None;
            }
            sectors.set_centre(region, node);
        }
        sectors.centre = centre;
        Some(sectors)
    }
}
