//! `export`: the map, the picture, and the question in other languages.

use crate::Session;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::question::{self, Question, Window};
use crate::session::Answered;
use crate::written;
use blockstar::format::{ascii, movingai};
use blockstar::{Cell, Event, Point};
use blockstar_draw::{Colour, PictureFormat, Route, Scene};

/// The most events of a picture and of a Posthoc trace.
const MOST_EVENTS: usize = 50_000;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let (text, ending, kind) = match fields.need_text("format")? {
        "map" => (movingai::write_map(&session.need_map()?.grid), "map", "text/plain"),
        "text" => (ascii::draw(&session.need_map()?.grid), "txt", "text/plain"),
        "svg" => (picture(session, fields)?, "svg", "image/svg+xml"),
        "posthoc" => (posthoc(session, fields)?, "trace.json", "application/json"),
        "command" => {
            let map = session.need_map()?;
            let question = Question::read(fields, map, session)?;
            let file = fields.text("file")?.unwrap_or(&map.name);
            let spec = question::planner(fields.need_text("planner")?)?;
            (written::command(&spec, &question, file), "sh", "text/plain")
        }
        "rust" => {
            let map = session.need_map()?;
            let question = Question::read(fields, map, session)?;
            let file = fields.text("file")?.unwrap_or(&map.name);
            let spec = question::planner(fields.need_text("planner")?)?;
            (written::program(&spec, &question, file), "rs", "text/plain")
        }
        other => {
            let other: String = other.chars().take(60).collect();
            return Err(format!(
                "`format` is `{other}`, but must be map, text, svg, command, rust or posthoc"
            ));
        }
    };
    reply.set("text", text);
    let name = &session.need_map()?.name;
    let stem = name.strip_suffix(".map").unwrap_or(name);
    reply.set("name", format!("{stem}.{ending}"));
    reply.set("type", kind);
    Ok(())
}

/// The events of a search, and its answer.
fn searched(
    session: &mut Session,
    fields: Fields<'_>,
) -> Result<(Question, crate::answer::Answer, Vec<Event>), Fault> {
    let mut question = Question::read(fields, session.need_map()?, session)?;
    question.measure = 0;
    let wanted = question.trace.is_some();
    let window = question.trace.unwrap_or(Window { skip: 0, limit: 1, brief: true });
    question.trace = Some(Window { limit: window.limit.min(MOST_EVENTS), ..window });
    let spec = question::planner(fields.need_text("planner")?)?;
    let answer = session.ask(&spec, &question)?;
    let events = session.traced.trace().filter(|_| wanted).into_iter();
    let events = events.flat_map(|trace| trace.events()).collect();
    Ok((question, answer, events))
}

/// The map with a path and the search for it, as `blockstar route` draws it; the map alone, if no
/// planner is named.
fn picture(session: &mut Session, fields: Fields<'_>) -> Result<String, Fault> {
    let (mut expanded, mut routes, mut ends) = (Vec::new(), Vec::new(), None);
    if fields.get("planner").is_some() {
        let (question, answer, events) = searched(session, fields)?;
        let grid = &session.need_map()?.grid;
        for event in events {
            match event {
                Event::Expanded { at, .. } => expanded.push(at),
                Event::Block { rect, .. } => {
                    expanded.extend(rect.cells().filter(|&c| grid.is_free(c)).map(Cell::centre));
                }
                _ => {}
            }
        }
        ends = Some((question.query.start(), question.query.goal()));
        let label = match answer.status.has_path() {
            true => format!("{}: cost {:.3}", answer.spec, answer.path.cost()),
            false => format!("{}: {}", answer.spec, answer.status),
        };
        let points = answer.path.points().to_vec();
        routes.push(Route { points, colour: Colour::route(0), label });
    }
    let map = session.need_map()?;
    let scene = Scene {
        grid: &map.grid,
        title: map.name.clone(),
        all_expanded: expanded.len() < MOST_EVENTS,
        expanded: &expanded,
        routes,
        ends,
    };
    let bytes = PictureFormat::Svg.encode(&scene).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "the picture is not text".into())
}

/// A search as Posthoc reads it: one event per line of a list, with views that draw cells.
fn posthoc(session: &mut Session, fields: Fields<'_>) -> Result<String, Fault> {
    let (question, _, events) = searched(session, fields)?;
    let grid = &session.need_map()?.grid;
    let id = |p: Point| format!("{},{}", p.x(), p.y());
    let mut lines = Vec::new();
    let mut line = |kind: &str, at: Point, from: Option<Point>, g: f64, f: f64| {
        lines.push(serde_json::json!({
            "type": kind, "id": id(at), "pId": from.map(id), "x": at.x(), "y": at.y(), "g": g, "f": f,
        }));
    };
    line("source", question.query.start(), None, 0.0, 0.0);
    line("destination", question.query.goal(), None, 0.0, 0.0);
    for event in events {
        match event {
            Event::Opened { at, from, g, f } => line("generating", at, from, g, f),
            Event::Improved { at, from, g, f } => line("updating", at, from, g, f),
            Event::Expanded { at, from, g, f } => line("expanding", at, from, g, f),
            _ => {}
        }
    }
    let shape = serde_json::json!({
        "$": "rect", "width": 1, "height": 1, "x": "${{ $.x - 0.5 }}", "y": "${{ $.y - 0.5 }}",
        "fill": "${{ $.color }}", "clear": false,
    });
    let trace = serde_json::json!({
        "version": "1.4.0",
        "render": {
            "views": { "cell": [shape], "main": [{ "$": "cell" }] },
            "context": { "width": grid.width(), "height": grid.height() },
        },
        "events": lines,
    });
    Ok(trace.to_string())
}
