//! What a request asks of planners: the fields that `plan`, `compare` and `export` share.

use crate::Session;
use crate::fields::{Fields, SlopeFields, shortened};
use crate::frame::Fault;
use crate::map::SessionMap;
use blockstar::{Algorithm, Mask, Moves, PlannerSpec, Query, Rect};
use serde_json::Value;

/// A question, without the planner.
#[derive(Debug)]
pub(crate) struct Question {
    pub moves: Moves,
    /// The slope of `moves` in words.
    pub slope: Option<SlopeFields>,
    pub query: Query,
    /// How many runs to time.
    pub measure: u64,
    /// The most microseconds of timing.
    pub measure_time: f64,
    /// Whether the cheapest path is wanted too.
    pub optimum: bool,
    pub trace: Option<Window>,
}

/// The part of a trace that is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub skip: u64,
    pub limit: usize,
    /// Whether to leave the costs out.
    pub brief: bool,
}

impl Question {
    /// Reads the fields.
    pub fn read(fields: Fields<'_>, map: &SessionMap, session: &Session) -> Result<Self, Fault> {
        let mut query = Query::new(fields.need_place("start")?, fields.need_place("goal")?);
        if let Some(name) = fields.text("heuristic")? {
            query = query.heuristic(name.parse().map_err(|e: blockstar::Error| e.to_string())?);
        }
        if let Some(weight) = fields.number("weight")? {
            query = query.weight(weight);
        }
        if let Some(limit) = fields.number("max_cost")? {
            query = query.max_cost(limit);
        }
        if let Some(limit) = fields.whole("max_expansions")? {
            query = query.max_expansions(limit);
        }
        if fields.is_on("nearest")? {
            query = query.nearest();
        }
        if fields.is_on("partial")? {
            query = query.partial();
        }
        if fields.is_on("reuse")? {
            query = query.reuse();
        }
        if fields.is_on("keep_learning")? {
            query = query.keep_learning();
        }
        if fields.flag("smooth")? == Some(false) {
            query = query.without_smoothing();
        }
        if let Some(rects) = fields.list("avoid")? {
            query = query.avoid(&mask(rects, map)?);
        }
        let measure_time = fields.number("measure_time")?.unwrap_or(200_000.0);
        Ok(Self {
            moves: fields.moves(map.cell_size)?,
            slope: SlopeFields::read(fields, map.cell_size)?,
            query,
            measure: fields.whole("measure")?.unwrap_or(1).min(1000),
            measure_time: measure_time.clamp(0.0, session.limits.time),
            optimum: fields.is_on("optimum")?,
            trace: window(fields, session.limits.trace)?,
        })
    }
}

/// The window of `trace`: `true`, or an object.
fn window(fields: Fields<'_>, most: usize) -> Result<Option<Window>, Fault> {
    if let None | Some(Value::Bool(false)) = fields.get("trace") {
        return Ok(None);
    }
    let mut window = Window { skip: 0, limit: most, brief: false };
    if fields.get("trace") != Some(&Value::Bool(true))
        && let Some(trace) = fields.object("trace")?
    {
        window.skip = trace.whole("skip")?.unwrap_or(0);
        window.limit = trace.whole("limit")?.map_or(most, |limit| most.min(limit as usize));
        window.brief = trace.is_on("brief")?;
    }
    Ok(Some(window))
}

fn mask(rects: &[Value], map: &SessionMap) -> Result<Mask, Fault> {
    let mut mask = Mask::new();
    for value in rects {
        let numbers: Option<Vec<u32>> = value
            .as_array()
            .and_then(|numbers| numbers.iter().map(|n| n.as_u64()?.try_into().ok()).collect());
        let Some(&[x, y, width, height]) = numbers.as_deref() else {
            let value = shortened(value);
            return Err(format!(
                "a rectangle of `avoid` is {value}, but must be [x, y, width, height]"
            ));
        };
        mask.insert_rect(crate::brush::on_map(Rect::new(x, y, width, height), &map.grid));
    }
    Ok(mask)
}

/// The planner of a text.
pub(crate) fn planner(text: &str) -> Result<PlannerSpec, Fault> {
    // A message would repeat it.
    if text.len() > 300 {
        return Err(format!("the planner's text has {} bytes, but may have 300", text.len()));
    }
    Algorithm::named(text).map_err(|error| error.to_string())
}
