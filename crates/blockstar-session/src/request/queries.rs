//! `queries`: questions that have an answer.

use crate::Session;
use crate::example::far_apart;
use crate::fields::Fields;
use crate::frame::{Frame, Reply};
use crate::session::Answered;
use blockstar::generate;

/// The most questions of one reply.
const MOST: u64 = 10_000;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let (grid, fields) = (&session.need_map()?.grid, Fields(&frame.header));
    let seed = fields.whole("seed")?.unwrap_or(1);
    let count = fields.whole("count")?.unwrap_or(1);
    if count > MOST {
        return Err(format!("`count` is {count}, but may be {MOST} at most"));
    }
    let pairs = match fields.is_on("far")? {
        true => far_apart(grid, seed).into_iter().collect(),
        false => generate::queries(grid, count as usize, seed),
    };
    let starts: Vec<u32> = pairs.iter().flat_map(|(start, _)| [start.x, start.y]).collect();
    let goals: Vec<u32> = pairs.iter().flat_map(|(_, goal)| [goal.x, goal.y]).collect();
    reply.column("starts", &starts);
    reply.column("goals", &goals);
    Ok(())
}
