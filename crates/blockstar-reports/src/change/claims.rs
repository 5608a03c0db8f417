//! What the library promises about change and size, held against the numbers.

use super::Report;
use super::contest::Row;
use super::ground::{FAMILIES, Family};
use crate::claim::{Claim, Verdict};
use crate::noise::Interval;
use std::fmt;

/// How many times as long something takes, and how many times as long the paths are.
struct Growth {
    time: f64,
    length: f64,
}

impl Growth {
    fn between(small: &Row, large: &Row) -> Self {
        Self { time: large.query_us / small.query_us, length: large.length / small.length }
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.1} for {:.1} times the length", self.time, self.length)
    }
}

/// The rows of a planner on the smallest and on the largest map of a family.
fn ends<'a>(report: &'a Report, planner: &str, family: Family) -> Option<(&'a Row, &'a Row)> {
    let rows = || report.scale.iter().filter(|row| row.is(planner) && row.is_of(family));
    let (small, large) = (rows().min_by_key(|row| row.side)?, rows().max_by_key(|row| row.side)?);
    (small.side < large.side).then_some((small, large))
}

impl Row {
    fn is(&self, planner: &str) -> bool {
        self.planner == planner
    }

    /// Whether it is of a generated map of a family.
    pub fn is_of(&self, family: Family) -> bool {
        self.side.is_some() && self.ground.starts_with(family.name())
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
    let edits = |planner: &'static str| {
        let (said, holds) = in_families(report, planner, |small, large| {
            let ratio = large.edit_us / small.edit_us;
            (format!("{ratio:.1}"), ratio <= 2.0)
        });
        (format!("{planner}: {said}"), holds)
    };
    let (walk, linear) = in_families(report, "dba-star", |small, large| {
        let growth = Growth::between(small, large);
        (growth.to_string(), growth.time <= 1.5 * growth.length)
    });
    let (graph, power) = in_families(report, "subgoal", |small, large| {
        let growth = Growth::between(small, large);
        (growth.to_string(), growth.time <= growth.length.powf(1.5))
    });
    let edits = ["subgoal", "dba-star"].map(edits);
    let all = edits.iter().map(|edits| edits.1).reduce(|a, b| Some(a? && b?)).flatten();
    let verdict = |holds: Option<bool>| holds.map_or(Verdict::NotTested, Verdict::of);
    let remark = || "from the smallest map to the largest".to_string();
    [
        Claim {
            id: "C5",
            claim: "DBA* grows no faster than one and a half times the length of its paths",
            paper: "1.5 times the length".into(),
            ours: walk,
            verdict: verdict(linear),
            remark: remark(),
        },
        Claim {
            id: "C6",
            claim: "The subgoal graph grows no faster than the length to the power of 1.5",
            paper: "length to the power of 1.5".into(),
            ours: graph,
            verdict: verdict(power),
            remark: remark(),
        },
        Claim {
            id: "C7",
            claim: "An edit does not depend on the size of the map",
            paper: "at most twice as long".into(),
            ours: edits.map(|edits| edits.0).join("; "),
            verdict: verdict(all),
            remark: "times as long; larger maps miss the caches more often".into(),
        },
    ]
}

/// What `say` says of the smallest and the largest map of each family, and whether all of it holds.
fn in_families(
    report: &Report,
    planner: &str,
    say: impl Fn(&Row, &Row) -> (String, bool),
) -> (String, Option<bool>) {
    let said: Vec<_> = FAMILIES
        .into_iter()
        .filter_map(|family| {
            let (small, large) = ends(report, planner, family)?;
            let (said, holds) = say(small, large);
            Some((format!("{} {said}", family.name()), holds))
        })
        .collect();
    if said.is_empty() {
        return ("one size only".into(), None);
    }
    let holds = said.iter().all(|said| said.1);
    let said: Vec<_> = said.into_iter().map(|said| said.0).collect();
    (said.join(", "), Some(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(planner: &str, (family, side): (&str, u32), times: (f64, f64, f64)) -> Row {
        let (query_us, length, edit_us) = times;
        let (planner, ground) = (planner.into(), format!("{family} {side}"));
        Row { planner, ground, side: Some(side), query_us, length, edit_us, ..Row::default() }
    }

    fn report(scale: Vec<Row>) -> Report {
        let (maps, frontier) = (Vec::new(), Vec::new());
        Report { maps, queries: 1, changes: 1, seed: 1, frontier, scale }
    }

    #[test]
    fn growth_is_judged_on_every_family() {
        let rows = |rooms: f64| {
            let mut rows = Vec::new();
            for planner in ["subgoal", "dba-star"] {
                rows.push(row(planner, ("caves", 512), (10.0, 100.0, 5.0)));
                rows.push(row(planner, ("caves", 1024), (29.0, 200.0, 6.0)));
                rows.push(row(planner, ("rooms", 512), (10.0, 100.0, 5.0)));
                rows.push(row(planner, ("rooms", 1024), (rooms, 200.0, 11.0)));
            }
            rows
        };
        let verdicts = |scale| growth(&report(scale)).map(|claim| claim.verdict);
        // Twice the length: 2.83 times the time is allowed to the graph, three times to DBA*.
        assert_eq!(
            verdicts(rows(28.0)),
            [Verdict::Holds, Verdict::DoesNotHold, Verdict::DoesNotHold]
        );
        assert_eq!(
            verdicts(rows(31.0)),
            [Verdict::DoesNotHold, Verdict::DoesNotHold, Verdict::DoesNotHold]
        );
        assert_eq!(verdicts(Vec::new()), [Verdict::NotTested; 3]);
        let said = growth(&report(rows(28.0))).map(|claim| claim.ours);
        assert_eq!(
            said[0],
            "caves 2.9 for 2.0 times the length, rooms 2.8 for 2.0 times the length"
        );
        assert_eq!(said[2], "subgoal: caves 1.2, rooms 2.2; dba-star: caves 1.2, rooms 2.2");
    }
}
