//! Maps to begin with, each with a question that shows something.

use crate::frame::Fault;
use blockstar::generate;
use blockstar::papers::{self, Case};
use blockstar::{Cell, Grid, format::movingai};

/// A map of the gallery.
#[derive(Debug)]
pub(crate) struct Example {
    pub name: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    pub planner: &'static str,
    pub moves: &'static str,
    make: fn() -> Result<(Grid, Cell, Cell), blockstar::Error>,
}

/// The map that the documentation uses.
const HARBOUR: &[u8] = include_bytes!("../../../maps/harbour.map");

/// The gallery.
pub(crate) const EXAMPLES: &[Example] = &[
    Example {
        name: "harbour",
        title: "Harbour",
        text: "A small town at the sea, with quays and houses.",
        planner: "astar",
        moves: "eight",
        make: || Ok((movingai::parse_map(HARBOUR)?, Cell::new(3, 4), Cell::new(90, 40))),
    },
    Example {
        name: "block-astar",
        title: "Block A*, Figure 2",
        text: "The worked example of the Block A* paper: six blocks of 5 x 5 cells.",
        planner: "block-astar:block=5",
        moves: "eight",
        make: || case(papers::block_astar_example()?),
    },
    Example {
        name: "dba-star",
        title: "DBA*, Figure 1",
        text: "The running example of the DBA* paper: six sectors of 16 x 16 cells, seven regions.",
        planner: "dba-star:sector=16",
        moves: "eight",
        make: || case(papers::dba_star_example()?),
    },
    Example {
        name: "maze",
        title: "Maze",
        text: "Exactly one way from anywhere to anywhere.",
        planner: "jps",
        moves: "eight",
        make: || ends(generate::maze(127, 127, 3, 7)?),
    },
    Example {
        name: "rooms",
        title: "Rooms",
        text: "Square rooms with doors.",
        planner: "block-astar",
        moves: "any-angle",
        make: || ends(generate::rooms(160, 120, 15, 3)?),
    },
    Example {
        name: "caves",
        title: "Caves",
        text: "One connected cave with smooth walls, 1024 x 1024 cells.",
        planner: "jps",
        moves: "eight",
        make: || ends(generate::caves(1024, 1024, 2)?),
    },
    Example {
        name: "clutter",
        title: "Clutter",
        text: "A fifth of the cells blocked at random: many corners to look around.",
        planner: "anya",
        moves: "any-angle",
        make: || ends(generate::random(120, 90, 20.0, 5)?),
    },
    Example {
        name: "hills",
        title: "Hills",
        text: "Fractal hills, 128 x 128 cells and 60 metres high.",
        planner: "astar",
        moves: "eight",
        make: || ends(generate::terrain(128, 128, 0.5, 60.0, 4)?),
    },
    Example {
        name: "game-map",
        title: "A*MOD, game map 40",
        text: "A height map of the A*MOD paper, rebuilt from its description.",
        planner: "astar-mod-fixed",
        moves: "eight",
        make: || match papers::astar_mod_cases()?.into_iter().find(|case| case.number == 8) {
            Some(found) => case(found),
            None => ends(generate::terrain(40, 40, 0.5, 255.0, 1)?),
        },
    },
];

impl Example {
    pub fn named(name: &str) -> Result<&'static Self, Fault> {
        EXAMPLES.iter().find(|example| example.name == name).ok_or_else(|| {
            let known: Vec<_> = EXAMPLES.iter().map(|example| example.name).collect();
            let name: String = name.chars().take(60).collect();
            format!("there is no example `{name}`; there are {}", known.join(", "))
        })
    }

    /// The map, a start and a goal.
    pub fn make(&self) -> Result<(Grid, Cell, Cell), Fault> {
        (self.make)().map_err(|error| error.to_string())
    }
}

fn case(case: Case) -> Result<(Grid, Cell, Cell), blockstar::Error> {
    Ok((case.grid, case.start, case.goal))
}

/// The map with two cells that are far apart.
fn ends(grid: Grid) -> Result<(Grid, Cell, Cell), blockstar::Error> {
    let (start, goal) = far_apart(&grid, 1).unwrap_or_default();
    Ok((grid, start, goal))
}

/// A start to the upper left and a goal to the lower right that are connected; none on a map without
/// free cells.
pub(crate) fn far_apart(grid: &Grid, seed: u64) -> Option<(Cell, Cell)> {
    let far = |(a, b): &(Cell, Cell)| {
        (i64::from(b.x) - i64::from(a.x)) + (i64::from(b.y) - i64::from(a.y))
    };
    let pairs = generate::queries(grid, 400, seed);
    pairs.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).max_by_key(far)
}
