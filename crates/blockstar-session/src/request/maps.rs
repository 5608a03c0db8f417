//! `new`, `generate`, `example`, `map`: maps that need no file.

use crate::Session;
use crate::brush::on_map;
use crate::example::Example;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::map::{SessionMap, check_size};
use crate::session::Answered;
use blockstar::{Error, Grid, generate};
use serde_json::json;

/// A kind of map from a seed.
pub(crate) struct Generator {
    pub name: &'static str,
    pub summary: &'static str,
    pub parameter: &'static [Knob],
    make: fn(u32, u32, u64, &[f64]) -> Result<Grid, Error>,
}

/// A number that a generator takes.
pub(crate) struct Knob {
    pub name: &'static str,
    pub min: f64,
    pub max: f64,
    pub whole: bool,
    pub default: f64,
    pub meaning: &'static str,
}

impl Knob {
    const fn whole(name: &'static str, max: f64, default: f64, meaning: &'static str) -> Self {
        Self { name, min: 1.0, max, whole: true, default, meaning }
    }

    const fn real(name: &'static str, max: f64, default: f64, meaning: &'static str) -> Self {
        Self { name, min: 0.0, max, whole: false, default, meaning }
    }
}

/// All of them, with the defaults of the command line.
pub(crate) const GENERATORS: &[Generator] = &[
    Generator {
        name: "random",
        summary: "cells blocked at random, independently of each other",
        parameter: &[Knob::real("blocked", 100.0, 35.0, "how many cells are blocked, in percent")],
        make: |width, height, seed, knobs| generate::random(width, height, knobs[0], seed),
    },
    Generator {
        name: "maze",
        summary: "corridors with exactly one way from anywhere to anywhere",
        parameter: &[Knob::whole("corridor", 64.0, 3.0, "the width of the corridors")],
        make: |width, height, seed, knobs| generate::maze(width, height, knobs[0] as u32, seed),
    },
    Generator {
        name: "rooms",
        summary: "square rooms with doors",
        parameter: &[Knob::whole("room", 256.0, 15.0, "the side of the rooms")],
        make: |width, height, seed, knobs| generate::rooms(width, height, knobs[0] as u32, seed),
    },
    Generator {
        name: "caves",
        summary: "a cave with smooth walls",
        parameter: &[],
        make: |width, height, seed, _| generate::caves(width, height, seed),
    },
    Generator {
        name: "terrain",
        summary: "fractal hills: heights, and no walls",
        parameter: &[
            Knob::real("roughness", 1.0, 0.5, "how rough, from one smooth hill to noise"),
            Knob::real("highest", 1e6, 60.0, "the height of the highest cell, in metres"),
        ],
        make: |width, height, seed, knobs| {
            generate::terrain(width, height, knobs[0], knobs[1], seed)
        },
    },
];

impl Session {
    /// Puts another map in place of the one before, which the planners were for.
    pub(crate) fn show(&mut self, mut map: SessionMap, reply: &mut Reply) {
        map.revision = self.map.as_ref().map_or(0, |before| before.revision) + 1;
        map.describe(Some(map.whole()), reply);
        self.planners.clear();
        self.map = Some(map);
        self.let_live(None);
    }
}

fn size(session: &Session, fields: Fields<'_>) -> Result<(u32, u32), Fault> {
    let (width, height) = (fields.need_small("width")?, fields.need_small("height")?);
    check_size(width, height, &session.limits)?;
    Ok((width, height))
}

pub(crate) fn new(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let (width, height) = size(session, Fields(&frame.header))?;
    let grid = Grid::new(width, height).map_err(|error| error.to_string())?;
    session.show(SessionMap::new(grid, "new", 0), reply);
    Ok(())
}

pub(crate) fn generate(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let (width, height) = size(session, fields)?;
    let kind = fields.need_text("kind")?;
    let Some(generator) = GENERATORS.iter().find(|generator| generator.name == kind) else {
        let known: Vec<_> = GENERATORS.iter().map(|generator| generator.name).collect();
        let kind: String = kind.chars().take(60).collect();
        return Err(format!("there is no generator `{kind}`; there are {}", known.join(", ")));
    };
    let seed = fields.whole("seed")?.unwrap_or(1);
    let mut knobs = Vec::new();
    for knob in generator.parameter {
        let Knob { name, min, max, whole, default, .. } = *knob;
        let value = fields.number(name)?.unwrap_or(default);
        if !(min..=max).contains(&value) || (whole && value.fract() != 0.0) {
            let kind = if whole { "a whole number from" } else { "a number from" };
            return Err(format!("`{name}` is {value}, but must be {kind} {min} to {max}"));
        }
        knobs.push(value);
    }
    let grid = (generator.make)(width, height, seed, &knobs).map_err(|error| error.to_string())?;
    session.show(SessionMap::new(grid, format!("{kind}-{seed}"), 0), reply);
    Ok(())
}

pub(crate) fn example(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let example = Example::named(Fields(&frame.header).need_text("name")?)?;
    let (grid, start, goal) = example.make()?;
    check_size(grid.width(), grid.height(), &session.limits)?;
    session.show(SessionMap::new(grid, example.name, 0), reply);
    reply.set("title", example.title);
    reply.set("text", example.text);
    reply.set("planner", example.planner);
    reply.set("moves", example.moves);
    reply.set("start", json!([start.x, start.y]));
    reply.set("goal", json!([goal.x, goal.y]));
    Ok(())
}

pub(crate) fn part(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let (map, fields) = (session.need_map()?, Fields(&frame.header));
    let area = match fields.get("x") {
        None => map.whole(),
        Some(_) => on_map(fields.rect()?, &map.grid),
    };
    map.describe(Some(area), reply);
    Ok(())
}
