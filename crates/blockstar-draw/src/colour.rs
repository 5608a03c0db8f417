//! The colours of the pictures.
//!
//! Light ground and dark walls, so that the search can be shown between them: from pale green for
//! what was expanded first to blue for what came last. Paths are in strong colours that occur
//! nowhere else.

use std::fmt;

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Around the map.
    pub const PAPER: Self = Self(0xf4, 0xf1, 0xea);
    /// Free cells.
    pub const FLOOR: Self = Self(0xfd, 0xfc, 0xf8);
    /// Lines between free cells.
    pub const SEAM: Self = Self(0xef, 0xeb, 0xe1);
    /// Blocked cells.
    pub const WALL: Self = Self(0x36, 0x3c, 0x4a);
    /// Text.
    pub const INK: Self = Self(0x2a, 0x2e, 0x38);
    /// Around paths and marks.
    pub const WHITE: Self = Self(0xff, 0xff, 0xff);
    /// The mark of the start.
    pub const START: Self = Self(0x1f, 0x8a, 0x4c);
    /// The mark of the goal.
    pub const GOAL: Self = Self(0xb5, 0x17, 0x9e);

    /// The colours of paths, in the order of use.
    pub const ROUTES: [Self; 8] =
        Self::row([0xe6392b, 0x2563d9, 0xf59f00, 0x0c9a6b, 0x8b3fc9, 0x0b9dc4, 0xd6336c, 0x7c5a3a]);

    /// Colours as they are written on the web, red first: 0xff0000 is red.
    pub(crate) const fn row<const N: usize>(codes: [u32; N]) -> [Self; N] {
        let mut row = [Self::PAPER; N];
        let mut index = 0;
        while index < N {
            let [_, red, green, blue] = codes[index].to_be_bytes();
            row[index] = Self(red, green, blue);
            index += 1;
        }
        row
    }

    /// The colour of the path with this number, cyclically.
    pub const fn route(number: usize) -> Self {
        Self::ROUTES[number % Self::ROUTES.len()]
    }

    /// From this colour (0) to another (1).
    #[must_use]
    pub fn mix(self, other: Self, part: f64) -> Self {
        let part = part.clamp(0.0, 1.0);
        let mix =
            |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The colour of points expanded at this part of the search, from 0 to 1.
    pub fn heat(part: f64) -> Self {
        const STOPS: [Colour; 4] = Colour::row([0xe4f4d8, 0xa9deb9, 0x62bec8, 0x4586c6]);
        Self::along(&STOPS, part)
    }

    /// The colour at a part, from 0 to 1, of the way through two or more evenly spaced colours.
    pub(crate) fn along(stops: &[Self], part: f64) -> Self {
        let place = part.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
        let stop = (place as usize).min(stops.len() - 2);
        stops[stop].mix(stops[stop + 1], place - stop as f64)
    }

    /// The colour of a free cell by its terrain: from 0 for the cheapest to 1 for the most
    /// expensive.
    pub fn terrain(part: f64) -> Self {
        const SAND: Colour = Colour(0xe6, 0xcf, 0xa0);
        const EARTH: Colour = Colour(0xa8, 0x82, 0x5a);
        if part < 0.5 {
            Self::FLOOR.mix(SAND, part * 2.0)
        } else {
            SAND.mix(EARTH, part * 2.0 - 1.0)
        }
    }
}

/// As in SVG.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}
