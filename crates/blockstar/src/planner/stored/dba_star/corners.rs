//! Walking from subgoal to subgoal, cutting corners where that costs no more.

use super::Trim;
use super::journey::{Journey, Phase};
use super::leg::Leg;

/// How often the way ahead is halved to find a cell to cut a corner from. Each halving makes walks
/// a little shorter and takes about a fifth more time. On the 100 longest problems of each of the
/// paper's ten maps, with sectors of 16, none, one, two and three halvings give walks 2.1, 1.8, 1.5
/// and 1.3 % above the optimum with base paths one region deep, and 0.72, 0.63, 0.58 and 0.52 %
/// with two.
const HALVINGS: u32 = 1;

impl Leg<'_> {
    /// Plans a leg towards the next subgoal and says how many of the cells ahead belong to it.
    pub(super) fn walk(&mut self, journey: &mut Journey) -> usize {
        loop {
            if journey.ahead.is_empty() {
                // The agent is at a subgoal and can climb to the next one.
                while journey.targets.last() == Some(&self.at) {
                    journey.targets.pop();
                }
                self.extend(journey);
                match journey.targets.last() {
                    Some(&next) => {
                        // The agent must have at least one step to make.
                        self.left = self.left.max(1);
                        self.climb_from(journey, self.at, next);
                        std::mem::swap(&mut journey.ahead, &mut journey.trial);
                    }
                    None => {
                        journey.phase = Phase::Final;
                        self.finish(journey);
                        return journey.ahead.len();
                    }
                }
            }
            if journey.ahead.last() != journey.targets.last() {
                return journey.ahead.len(); // a climb that was too long for one leg
            }
            self.extend(journey);
            let last = journey.targets.len() - 1;
            if last == 0 {
                return self.cut_end(journey);
            }
            if self.planner.settings.trim != Trim::All {
                return journey.ahead.len();
            }
            let next = journey.targets[last - 1];
            if !self.cut(journey, next) {
                return journey.ahead.len();
            }
            journey.targets.pop();
            if !journey.ahead.is_empty() {
                return journey.ahead.len();
            }
            // The corner can be cut right here: try the subgoal after that.
            std::mem::swap(&mut journey.ahead, &mut journey.best);
        }
    }

    /// Leaves the way ahead as early as it finds to be possible and climbs straight to `next`, if
    /// that costs no more than going over the subgoal between. Cuts the way ahead off there and
    /// puts the climb into `best`.
    fn cut(&mut self, journey: &mut Journey, next: u32) -> bool {
        let Some(&corner) = journey.ahead.last() else { return false };
        let over = self.climber.estimate(corner, next);
        let mut rest = over + self.length(self.at, &journey.ahead);
        journey.best.clear();
        let try_from = |leg: &mut Self, journey: &mut Journey, from: u32, most: u32| {
            let done = leg.climb_from(journey, from, next).is_some_and(|cost| cost <= most);
            if done {
                std::mem::swap(&mut journey.best, &mut journey.trial);
            }
            done
        };
        if try_from(self, journey, self.at, rest) {
            journey.ahead.clear();
            return true;
        }
        // `failed` was tried; `works` was tried too, or is the subgoal itself.
        let (mut failed, mut works) = (0, journey.ahead.len());
        for _ in 0..HALVINGS {
            if works - failed <= 1 || self.left == 0 {
                break;
            }
            let middle = failed + (works - failed) / 2;
            let from = journey.ahead[middle - 1];
            rest = over + self.length(from, &journey.ahead[middle..]);
            if try_from(self, journey, from, rest) {
                works = middle;
            } else {
                failed = middle;
            }
        }
        let found = works < journey.ahead.len();
        journey.ahead.truncate(works);
        found
    }

    /// With only the centre of the goal's region left, heads for the goal as early as possible.
    fn cut_end(&mut self, journey: &mut Journey) -> usize {
        if self.planner.settings.trim == Trim::None {
            return journey.ahead.len();
        }
        let goal = self.goal_node();
        if self.cut(journey, goal) {
            journey.targets.clear();
            journey.phase = Phase::Final;
            if journey.ahead.is_empty() {
                std::mem::swap(&mut journey.ahead, &mut journey.best);
            }
            return journey.ahead.len();
        }
        // The goal cannot be climbed to: search for it from where the agent enters its sector for
        // good.
        let layout = &self.planner.sectors.layout;
        let area = layout.area(layout.sector(self.goal.0, self.goal.1));
        let inside = |node: u32| {
            let (x, y) = self.grid.rows().coordinates(node);
            area.contains(x, y)
        };
        let outside = journey.ahead.iter().rposition(|&node| !inside(node));
        let entered = outside.map_or(usize::from(!inside(self.at)), |at| at + 2);
        journey.targets.clear();
        journey.phase = Phase::Final;
        journey.ahead.truncate(entered.min(journey.ahead.len()));
        if journey.ahead.is_empty() {
            self.finish(journey);
        }
        journey.ahead.len()
    }

    /// Climbs from the start to the second subgoal, past the centre of the start's region.
    pub(super) fn skip_first(&mut self, journey: &mut Journey) -> bool {
        let [.., next, centre] = journey.targets[..] else { return false };
        let most = self.climber.estimate(self.at, centre) + self.climber.estimate(centre, next);
        let skipped = self.climb_from(journey, self.at, next).is_some_and(|cost| cost <= most);
        if skipped {
            journey.targets.pop();
            std::mem::swap(&mut journey.ahead, &mut journey.trial);
        }
        skipped
    }

    /// Climbs as far as what is left to spend allows; the cells go into `trial`.
    pub(super) fn climb_from(&mut self, journey: &mut Journey, from: u32, to: u32) -> Option<u32> {
        journey.trial.clear();
        let cut_off = self.left.min(u32::MAX.into()) as u32;
        let cost = self.climber.climb(from, to, cut_off, |node| journey.trial.push(node));
        self.pay(journey.trial.len() as u64);
        cost
    }

    fn length(&self, mut from: u32, way: &[u32]) -> u32 {
        let mut sum = 0;
        for &node in way {
            sum += self.climber.apart(from, node);
            from = node;
        }
        sum
    }
}
