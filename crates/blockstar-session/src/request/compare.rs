//! `compare`: several planners, one question.

use crate::Session;
use crate::fields::{Fields, shortened};
use crate::frame::{Frame, Reply};
use crate::question::{self, Question};
use crate::session::Answered;
use serde_json::{Value, json};

/// The most planners of one comparison.
const MOST: usize = 8;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let mut question = Question::read(fields, session.need_map()?, session)?;
    question.trace = None;
    let planners = fields.need_list("planners")?;
    if planners.len() > MOST {
        return Err(format!("`planners` has {}, but may have {MOST} at most", planners.len()));
    }
    let optimum = if question.optimum { session.optimum(&question)? } else { None };
    let mut results = Vec::new();
    for (index, planner) in planners.iter().enumerate() {
        let Some(text) = planner.as_str() else {
            let planner = shortened(planner);
            return Err(format!("one of `planners` is {planner}, but must be a text"));
        };
        // One that refuses does not spoil the others.
        let answer = question::planner(text).and_then(|spec| session.ask(&spec, &question));
        results.push(match answer {
            Err(fault) => json!({ "ok": false, "planner": text, "error": fault }),
            Ok(answer) => {
                let grid = &session.need_map()?.grid;
                let column = format!("path.{index}");
                let mut fields = answer.describe(grid, &session.clock, optimum, &column, reply);
                fields.insert("ok".into(), true.into());
                Value::Object(fields)
            }
        });
    }
    reply.set("results", results);
    Ok(())
}
