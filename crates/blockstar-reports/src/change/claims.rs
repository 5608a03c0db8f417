//! What the library promises about change and size, held against the numbers.

use super::Report;
use super::contest::Row;
use crate::claim::{Claim, Verdict};
use crate::noise::Interval;

/// How much faster, at most, something may grow than what it is compared with.
struct Growth {
    time: f64,
    length: f64,
}

impl Growth {
    /// From the smallest map of a family to the largest.
    fn of(report: &Report, planner: &str, family: &str) -> Option<Self> {
        let (small, large) = ends(report, planner, family)?;
        Some(Self { time: large.query_us / small.query_us, length: large.length / small.length })
    }
}

/// The rows of a planner on the smallest and on the largest map of a family.
fn ends<'a>(report: &'a Report, planner: &str, family: &str) -> Option<(&'a Row, &'a Row)> {
    let rows =
        || report.scale.iter().filter(|row| row.is(planner) && row.ground.starts_with(family));
    let (small, large) = (rows().min_by_key(|row| row.side)?, rows().max_by_key(|row| row.side)?);
    (small.side < large.side).then_some((small, large))
}

impl Row {
    fn is(&self, planner: &str) -> bool {
        self.planner == planner
    }
}

pub fn judge(report: &Report) -> Vec<Claim> {
    let row = |rule: &str, planner: &str| {
        report.frontier.iter().find(|row| row.rule == rule && row.is(planner))
    };
    let pair = |rule: &str, one: &str, other: &str| row(rule, one).zip(row(rule, other));
    let faster = pair("eight", "jps", "subgoal")
        .map_or(Interval::UNKNOWN, |(jps, subgoal)| jps.repeats.over(&subgoal.repeats));
    let edit = pair("eight", "jps", "subgoal")
        .map_or(f64::NAN, |(jps, subgoal)| subgoal.edit_us / jps.query_us);
    let straight = pair("any-angle", "anya", "visibility-graph")
        .map_or(Interval::UNKNOWN, |(anya, graph)| anya.repeats.over(&graph.repeats));
    let repaired = row("any-angle", "visibility-graph").map_or(f64::NAN, |graph| graph.edit_us);
    let mut claims = vec![
        Claim {
            id: "C1",
            claim: "The subgoal graph is at least five times as fast as jump point search",
            paper: "5".into(),
            ours: format!("{faster:.1}"),
            verdict: faster.at_least(5.0),
            remark: String::new(),
        },
        Claim {
            id: "C2",
            claim: "An edit of the subgoal graph takes less than half a query of jump point search",
            paper: "0.5".into(),
            ours: format!("{edit:.2}"),
            verdict: Verdict::of(edit < 0.5).tested(!edit.is_nan()),
            remark: String::new(),
        },
        Claim {
            id: "C3",
            claim: "The visibility graph is the fastest optimal any-angle planner",
            paper: "1".into(),
            ours: format!("{straight:.1} times as fast as ANYA"),
            verdict: straight.at_least(1.0),
            remark: String::new(),
        },
        Claim {
            id: "C4",
            claim: "An edit of the visibility graph takes at most 300 µs",
            paper: "300".into(),
            ours: format!("{repaired:.0} µs"),
            verdict: Verdict::of(repaired <= 300.0).tested(!repaired.is_nan()),
            remark: "a time, not a ratio: it depends on the machine".into(),
        },
    ];
    claims.extend(growth(report));
    claims
}

/// What is said about maps that grow.
fn growth(report: &Report) -> [Claim; 3] {
    let of = |planner: &str| Growth::of(report, planner, "caves");
    let told = |growth: &Option<Growth>| match growth {
        Some(Growth { time, length }) => {
            format!("{time:.1} times the time, {length:.1} times the length")
        }
        None => "one size only".into(),
    };
    let (walk, graph) = (of("dba-star"), of("subgoal"));
    let linear = walk.as_ref().map(|growth| growth.time <= 1.5 * growth.length);
    let power = graph.as_ref().map(|growth| growth.time <= growth.length.powf(1.5));
    let edits =
        ends(report, "subgoal", "caves").map(|(small, large)| large.edit_us / small.edit_us);
    let verdict = |holds: Option<bool>| holds.map_or(Verdict::NotTested, Verdict::of);
    [
        Claim {
            id: "C5",
            claim: "DBA* grows no faster than one and a half times the length of its paths",
            paper: "1.5 times the length".into(),
            ours: told(&walk),
            verdict: verdict(linear),
            remark: "caves, from the smallest to the largest".into(),
        },
        Claim {
            id: "C6",
            claim: "The subgoal graph grows no faster than the length to the power of 1.5",
            paper: "length to the power of 1.5".into(),
            ours: told(&graph),
            verdict: verdict(power),
            remark: "caves, from the smallest to the largest".into(),
        },
        Claim {
            id: "C7",
            claim: "An edit does not depend on the size of the map",
            paper: "at most twice as long".into(),
            ours: edits.map_or("one size only".into(), |ratio| format!("{ratio:.1} times as long")),
            verdict: verdict(edits.map(|ratio| ratio <= 2.0)),
            remark: "the subgoal graph on caves; larger maps miss the caches more often".into(),
        },
    ]
}
