//! Which answers are wrong.

use blockstar::format::movingai::{Expected, Scenario};
use blockstar::{Grid, Moves, Promise, Query, Scratch, Status};

/// What a planner answered, without the path.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How the search ended.
    pub status: Status,
    /// The cost of the path, if there is one.
    pub cost: f64,
    /// Why the path is not legal or not what was asked for.
    pub fault: Option<String>,
}

impl Answer {
    /// Looks at the answer in the scratch memory, proving its path legal.
    pub fn read(
        status: Status,
        scratch: &Scratch,
        grid: &Grid,
        moves: Moves,
        query: &Query,
    ) -> Self {
        let path = scratch.path();
        let fault = match status {
            Status::Found => {
                let ends = (path.points().first(), path.points().last());
                path.check(grid, moves).err().map(|fault| fault.to_string()).or_else(|| {
                    (ends != (Some(&query.start()), Some(&query.goal())))
                        .then(|| "its path does not lead from the start to the goal".into())
                })
            }
            Status::NoPath | Status::LimitReached => {
                (!path.is_empty()).then(|| "it says that there is none, but gives a path".into())
            }
            _ => Some(format!("it ended with {status}")),
        };
        Self { status, cost: path.cost(), fault }
    }

    /// Whether there is a path, if that is known.
    fn exists(&self) -> Option<bool> {
        match self.status {
            Status::Found => Some(true),
            Status::NoPath => Some(false),
            _ => None,
        }
    }
}

/// What answers are compared with.
#[derive(Clone, Copy, Debug)]
pub enum Expectation<'a> {
    /// The scenario's own length.
    Listed(&'a Scenario),
    /// The answer of another planner.
    Peer {
        /// Its name.
        name: &'a str,
        /// What it answered.
        answer: &'a Answer,
        /// Whether its cost is the optimum; otherwise it only shows whether there is a path.
        optimal: bool,
    },
}

impl Expectation<'_> {
    /// The cost to compare with, if there is one.
    pub fn cost(&self) -> Option<f64> {
        match self {
            Self::Listed(scenario) => match scenario.expected() {
                Expected::Length(length) => Some(length),
                Expected::NoPath => None,
            },
            Self::Peer { answer, optimal, .. } => {
                (*optimal && answer.status == Status::Found).then_some(answer.cost)
            }
        }
    }

    fn exists(&self) -> Option<bool> {
        match self {
            Self::Listed(scenario) => Some(scenario.expected() != Expected::NoPath),
            Self::Peer { answer, .. } => answer.exists(),
        }
    }

    fn agrees(&self, cost: f64) -> bool {
        match self {
            Self::Listed(scenario) => scenario.agrees(cost),
            Self::Peer { .. } => self.cost().is_none_or(|best| (cost - best).abs() <= SLACK),
        }
    }

    /// Whether a path is cheaper than possible. Listed lengths are not used for this: a file that
    /// is wrong shows in the optimal planners.
    fn is_beaten_by(&self, cost: f64) -> bool {
        match self {
            Self::Listed(_) => false,
            Self::Peer { .. } => self.cost().is_some_and(|best| cost < best - SLACK),
        }
    }

    fn is_within(&self, cost: f64, factor: f64) -> bool {
        self.cost().is_none_or(|best| cost <= factor * best) || self.agrees(cost / factor)
    }

    fn describe(&self) -> String {
        let (who, verb) = match self {
            Self::Listed(_) => ("the scenario", "lists"),
            Self::Peer { name, .. } => (*name, "found"),
        };
        match (self.exists(), self.cost()) {
            (Some(false), _) => format!("{who} {verb} no path"),
            (_, Some(cost)) => format!("{who} {verb} {cost}"),
            _ => format!("{who} {verb} a path"),
        }
    }
}

/// Costs added up in a different order may differ by this much.
const SLACK: f64 = 1e-6;

/// Why an answer is wrong, if it is. Reaching a limit is wrong only where none was set.
pub fn objection(
    answer: &Answer,
    promise: Promise,
    expectation: Expectation<'_>,
    limited: bool,
) -> Option<String> {
    if let Some(fault) = &answer.fault {
        return Some(fault.clone());
    }
    let against = |got: String| Some(format!("{got}, but {}", expectation.describe()));
    match answer.status {
        Status::LimitReached if !limited => {
            Some("it ended at a limit, but none was set".to_string())
        }
        Status::NoPath if expectation.exists() == Some(true) => against("it found no path".into()),
        Status::Found => {
            let cost = answer.cost;
            let kept = match promise {
                Promise::Optimal => expectation.agrees(cost),
                Promise::Within(factor) => expectation.is_within(cost, factor),
                _ => true,
            };
            let none = expectation.exists() == Some(false);
            if none || !kept || expectation.is_beaten_by(cost) {
                return against(format!("it found a path of cost {cost}"));
            }
            None
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use blockstar::format::movingai::parse_scen;

    fn found(cost: f64) -> Answer {
        Answer { status: Status::Found, cost, fault: None }
    }

    fn none(status: Status) -> Answer {
        Answer { status, cost: 0.0, fault: None }
    }

    #[test]
    fn listed_lengths_bind_by_promise() {
        let scenario = |length: &str| {
            parse_scen(format!("0 a.map 9 9 0 0 1 1 {length}").as_bytes()).unwrap().remove(0)
        };
        let (ten, never) = (scenario("10"), scenario("0"));
        let wrong = |answer: Answer, promise, scenario| {
            objection(&answer, promise, Expectation::Listed(scenario), false).is_some()
        };
        assert!(!wrong(found(10.005), Promise::Optimal, &ten));
        assert!(wrong(found(10.5), Promise::Optimal, &ten));
        assert!(wrong(found(9.5), Promise::Optimal, &ten));
        assert!(!wrong(found(15.0), Promise::Within(1.5), &ten));
        assert!(wrong(found(15.1), Promise::Within(1.5), &ten));
        assert!(!wrong(found(99.0), Promise::Complete, &ten));
        assert!(wrong(none(Status::NoPath), Promise::Complete, &ten));
        assert!(wrong(found(1.0), Promise::Complete, &never));
        assert!(!wrong(none(Status::NoPath), Promise::Optimal, &never));
        assert!(wrong(none(Status::LimitReached), Promise::Optimal, &ten));
    }

    #[test]
    fn peers_bind_by_promise_and_are_never_beaten() {
        let best = found(10.0);
        let wrong = |answer: &Answer, promise, optimal| {
            let expectation = Expectation::Peer { name: "astar", answer: &best, optimal };
            objection(answer, promise, expectation, true).is_some()
        };
        assert!(!wrong(&found(10.0 + 1e-7), Promise::Optimal, true));
        assert!(wrong(&found(10.1), Promise::Optimal, true));
        assert!(!wrong(&found(10.1), Promise::Complete, true));
        assert!(wrong(&found(9.9), Promise::Complete, true));
        assert!(!wrong(&found(9.9), Promise::Optimal, false));
        assert!(!wrong(&none(Status::LimitReached), Promise::Optimal, true));
        assert!(wrong(&none(Status::NoPath), Promise::Optimal, false));
        let illegal = Answer { fault: Some("through a wall".into()), ..found(10.0) };
        assert!(wrong(&illegal, Promise::Complete, false));
        // A peer that gave up says nothing.
        let answer = none(Status::LimitReached);
        let silent = Expectation::Peer { name: "astar", answer: &answer, optimal: true };
        assert!(objection(&found(3.0), Promise::Optimal, silent, true).is_none());
    }
}
