//! The maps of the experiment: ten real ones, and generated ones of any size.

use crate::dba::problems;
use crate::race::Course;
use blockstar::{Cell, Grid, generate};
use std::error::Error;
use std::path::Path;

/// A map with queries.
#[derive(Debug)]
pub struct Ground {
    /// What kind of map it is, and its side if it was generated.
    pub family: String,
    pub side: Option<u32>,
    pub course: Course,
}

/// Generated maps.
pub const FAMILIES: [Family; 2] = [Family::Caves, Family::Rooms];

/// A kind of generated map, as `blockstar generate` makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    Caves,
    Rooms,
}

impl Family {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Caves => "caves",
            Self::Rooms => "rooms",
        }
    }

    fn generate(self, side: u32, seed: u64) -> Result<Grid, blockstar::Error> {
        match self {
            Self::Caves => generate::caves(side, side, seed),
            Self::Rooms => generate::rooms(side, side, 15, seed),
        }
    }
}

impl Ground {
    /// The ten maps of the DBA* paper with queries evenly over their scenarios, and notes.
    pub fn real(
        folder: Option<&Path>,
        queries: u32,
        seed: u64,
    ) -> Result<(Vec<Self>, Vec<String>), Box<dyn Error>> {
        let (fields, notes) = problems::load(folder, queries as usize, seed)?;
        let real = problems::are_the_ten(&fields);
        let family = if real { "dao-10" } else { "stand-ins" };
        let grounds = fields.into_iter().map(|field| {
            let pairs = field.evenly.iter().map(|problem| (problem.start, problem.goal));
            Self {
                family: family.into(),
                side: None,
                course: course(field.name, field.grid, pairs.collect()),
            }
        });
        Ok((grounds.collect(), notes))
    }

    /// A generated map with random queries.
    pub fn generated(
        family: Family,
        side: u32,
        queries: u32,
        seed: u64,
    ) -> Result<Self, Box<dyn Error>> {
        let grid = family.generate(side, seed)?;
        let pairs = generate::queries(&grid, queries as usize, seed);
        let name = format!("{} {side}", family.name());
        let course = course(name, grid, pairs);
        Ok(Self { family: family.name().into(), side: Some(side), course })
    }
}

fn course(name: String, grid: Grid, pairs: Vec<(Cell, Cell)>) -> Course {
    let pairs = pairs.into_iter().map(|(start, goal)| (start.centre(), goal.centre())).collect();
    Course { name, grid, pairs }
}
