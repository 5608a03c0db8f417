//! `plan`: one planner's answer, with the record of its search.

use crate::Session;
use crate::answer::describe_trace;
use crate::fields::Fields;
use crate::frame::{Frame, Reply};
use crate::question::{self, Question};
use crate::session::Answered;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let question = Question::read(fields, session.need_map()?, session)?;
    let spec = question::planner(fields.need_text("planner")?)?;
    let optimum = if question.optimum { session.optimum(&question)? } else { None };
    let answer = session.ask(&spec, &question)?;
    let grid = &session.need_map()?.grid;
    let fields = answer.describe(grid, &session.clock, optimum, "path", reply);
    reply.header.extend(fields);
    if let Some((trace, window)) = session.traced.trace().zip(question.trace) {
        describe_trace(trace, window.brief, reply);
    }
    Ok(())
}
