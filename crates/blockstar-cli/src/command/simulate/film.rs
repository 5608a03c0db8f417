//! Pictures of a world, tick by tick.

use crate::output;
use blockstar::Cell;
use blockstar_draw::{Colour, Movie, Pixels};
use blockstar_world::{Kind, State, Stepping, UnitView, World};
use std::error::Error;
use std::path::{Path, PathBuf};

/// The widest and highest frame, in pixels; cells are at least one.
const SIDE: u32 = 512;

/// The colours of a frame; teams follow.
const FLOOR: u8 = 0;
const WALL: u8 = 1;
const WATER: u8 = 2;
const DOOR: u8 = 3;
const STUCK: u8 = 4;
const TEAMS: u8 = 5;

/// What is drawn, and where it goes.
pub enum Film {
    /// One picture for each frame, in a folder.
    Folder(PathBuf),
    /// All frames in one file.
    Movie(PathBuf, Movie),
}

impl Film {
    /// A film of a world.
    pub fn folder(path: &Path) -> Result<Self, Box<dyn Error>> {
        std::fs::create_dir_all(path)
            .map_err(|error| format!("{} cannot be made: {error}", path.display()))?;
        Ok(Self::Folder(path.into()))
    }

    /// A film of a world, so many hundredths of a second for each frame.
    pub fn movie(path: &Path, world: &World, hundredths: u16) -> Result<Self, Box<dyn Error>> {
        let (width, height, _) = size(world);
        let movie = Movie::new(width, height, &palette(), hundredths)?;
        Ok(Self::Movie(path.into(), movie))
    }

    /// Adds a frame.
    pub fn add(&mut self, world: &World) -> Result<(), Box<dyn Error>> {
        let pixels = frame(world);
        match self {
            Self::Movie(_, movie) => Ok(movie.add(&pixels)?),
            Self::Folder(folder) => {
                let (width, height, _) = size(world);
                let colours = palette();
                let rgb: Vec<u8> = pixels
                    .iter()
                    .flat_map(|&index| {
                        let Colour(red, green, blue) = colours[usize::from(index)];
                        [red, green, blue]
                    })
                    .collect();
                let png = Pixels::Rgb8(&rgb).png(width.into(), height.into())?;
                output::write_file(&folder.join(format!("{:06}.png", world.now())), &png)
            }
        }
    }

    /// Writes what is not written yet.
    pub fn finish(self) -> Result<(), Box<dyn Error>> {
        match self {
            Self::Folder(_) => Ok(()),
            Self::Movie(path, movie) => output::write_file(&path, &movie.finish()?),
        }
    }
}

fn palette() -> Vec<Colour> {
    let mut colours = vec![
        Colour::FLOOR,
        Colour::WALL,
        Colour(0xa9, 0xc9, 0xe8),
        Colour(0xc8, 0x8a, 0x3a),
        Colour(0x20, 0x20, 0x20),
    ];
    colours.extend(Colour::ROUTES);
    colours
}

/// Width, height and the side of a cell, in pixels.
fn size(world: &World) -> (u16, u16, u32) {
    let side = (SIDE / world.width().max(world.height())).max(1);
    let pixels = |cells: u32| (cells * side).min(u16::MAX.into()) as u16;
    (pixels(world.width()), pixels(world.height()), side)
}

/// The colour of a unit.
fn team(unit: &UnitView<'_>) -> u8 {
    TEAMS + unit.team() % Colour::ROUTES.len() as u8
}

/// The colours of all pixels, as numbers.
fn frame(world: &World) -> Vec<u8> {
    let (width, height, side) = size(world);
    let mut pixels = vec![FLOOR; usize::from(width) * usize::from(height)];
    let mut fill = |x: u32, y: u32, w: u32, h: u32, colour: u8| {
        for row in y..(y + h).min(height.into()) {
            for column in x..(x + w).min(width.into()) {
                pixels[row as usize * usize::from(width) + column as usize] = colour;
            }
        }
    };
    for y in 0..world.height() {
        for x in 0..world.width() {
            let colour = match world.kind(Cell::new(x, y)) {
                Kind::GROUND => continue,
                Kind::WALL => WALL,
                _ => WATER,
            };
            fill(x * side, y * side, side, side, colour);
        }
    }
    for (rect, open) in world.doors().filter(|door| !door.1) {
        let _ = open;
        fill(rect.x * side, rect.y * side, rect.width * side, rect.height * side, DOOR);
    }
    let plane = world.settings().stepping == Stepping::Plane;
    for unit in world.units() {
        let [x, y] = unit.position(1.0);
        if plane {
            let (middle, radius) =
                ([x * side as f32, y * side as f32], unit.radius() * side as f32);
            let from = |v: f32| (v - radius).max(0.0) as u32;
            for row in from(middle[1])..=(middle[1] + radius) as u32 {
                for column in from(middle[0])..=(middle[0] + radius) as u32 {
                    let (dx, dy) = (column as f32 + 0.5 - middle[0], row as f32 + 0.5 - middle[1]);
                    if dx * dx + dy * dy <= radius * radius {
                        fill(column, row, 1, 1, team(&unit));
                    }
                }
            }
            continue;
        }
        let body = f32::from(unit.size()) * side as f32;
        let corner = |middle: f32| (middle * side as f32 - body / 2.0).round().max(0.0) as u32;
        let stuck = matches!(unit.state(), State::Stuck { .. });
        // A single pixel is hard to see.
        let (x, y, body) = (corner(x), corner(y), (body as u32).max(2));
        fill(x, y, body, body, team(&unit));
        if stuck && body > 3 {
            fill(x + body / 2 - 1, y + body / 2 - 1, 2, 2, STUCK);
        }
    }
    pixels
}
