//! `scenarios`: lists of questions as MovingAI writes them.

use crate::Session;
use crate::frame::{Fault, Frame, Reply};
use blockstar::format::movingai;

pub(crate) fn answer(_: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Result<(), Fault> {
    let bytes = frame.need_column("bytes", "u8")?;
    let scenarios = movingai::parse_scen(bytes).map_err(|error| error.to_string())?;
    reply.set("count", scenarios.len());
    let starts: Vec<u32> = scenarios.iter().flat_map(|s| [s.start.x, s.start.y]).collect();
    let goals: Vec<u32> = scenarios.iter().flat_map(|s| [s.goal.x, s.goal.y]).collect();
    reply.column("starts", &starts);
    reply.column("goals", &goals);
    reply.column("lengths", &scenarios.iter().map(|s| s.optimal).collect::<Vec<f64>>());
    reply.column("buckets", &scenarios.iter().map(|s| s.bucket).collect::<Vec<u32>>());
    Ok(())
}
