//! An agent under way: from subgoal to subgoal, [leg](super::leg) by leg.

use crate::engine::SearchMemory;
use crate::regions::routes::Routes;
use crate::regions::sectors::{AreaMemory, Labels, NONE};

/// The state of an agent between two legs.
#[derive(Debug, Default)]
pub(crate) struct Journey {
    pub(super) phase: Phase,
    /// The subgoals ahead, the last one first.
    pub(super) targets: Vec<u32>,
    /// The region whose centre is the last of them; while there are none, that of the start.
    pub(super) region: u32,
    /// [`NONE`] while it is not known.
    pub(super) goal_region: u32,
    /// How many hops were looked up.
    pub(super) hops: usize,
    /// Whether the search for a way has begun.
    pub(super) begun: bool,
    /// The cost of a shortest way, once it is known.
    pub(super) most: u64,
    /// Whether all shortest ways are known: then they are taken from `routes` instead of the
    /// matrix.
    pub(super) searched: bool,
    /// How many regions may still be expanded before the search goes over to the gates of tiles.
    pub(super) nearby: u64,
    /// Whether it has: then `routes` holds gates.
    pub(super) tiled: bool,
    /// The gate, or the goal's region, that is ahead in the present tile.
    pub(super) gate: u32,
    /// How much larger the search over gates takes estimates to be, in parts of 256.
    pub(super) greed: u32,
    /// The next regions on the way there, the last one first.
    pub(super) stretch: Vec<u32>,
    /// The cells from the agent to the first subgoal, which is included.
    pub(super) ahead: Vec<u32>,
    /// The cells of the climb tried last.
    pub(super) trial: Vec<u32>,
    /// The way on from the end of `ahead`, if cutting a corner has found it.
    pub(super) best: Vec<u32>,
    /// Nothing but the use of what was read ahead of time.
    pub(super) touched: u32,
    pub(super) labels: Labels,
    pub(super) area: AreaMemory,
    pub(super) routes: Routes,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Nothing is known yet.
    #[default]
    Start,
    /// Moving in the start's region, while the goal's region or the way there is not known.
    Search,
    /// On the way to the centre of the start's region, which could not be planned all at once.
    Regain,
    /// On the way from subgoal to subgoal.
    Walk,
    /// In the goal's region, with the goal next.
    Final,
}

impl Journey {
    pub fn begin(&mut self) {
        self.phase = Phase::Start;
        self.targets.clear();
        self.goal_region = NONE;
        (self.hops, self.begun, self.searched) = (0, false, false);
        self.stretch.clear();
        // These three swap places, so each must have room for what the largest has held.
        let lists = [&mut self.ahead, &mut self.trial, &mut self.best];
        let most = lists.iter().map(|list| list.capacity()).max().unwrap_or(0);
        for list in lists {
            list.clear();
            list.reserve_exact(most);
        }
    }

    pub fn is_fresh(&self) -> bool {
        self.phase == Phase::Start
    }

    /// Whether the next leg may have to find the whole way through the regions.
    pub fn is_searching(&self) -> bool {
        self.phase == Phase::Search
    }
}

impl SearchMemory for Journey {
    fn bytes(&self) -> usize {
        let words = [&self.targets, &self.stretch, &self.ahead, &self.trial, &self.best];
        words.iter().map(|list| list.capacity() * 4).sum::<usize>()
            + self.labels.bytes()
            + self.area.bytes()
            + self.routes.bytes()
    }
}
