//! What a choice costs others, learned by deciding several times before a step is made (the regret
//! of K. Okumura & H. Nagai, *Lightweight and effective preference construction in PIBT for
//! large-scale multi-agent pathfinding*, SoCS 2025).
//!
//! Whoever is asked to go regrets what it could not have: how much farther from its goal it ends up
//! than at its best place. The sum, over all that were asked in turn, is what the choice of the
//! first one cost. The next time the crowd decides, among places equally near and equally
//! hindering, those that cost others less come first.

/// Per unit and direction: how much farther from their goals others ended up because of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Regrets {
    learned: Vec<[u16; 9]>,
    /// Units that have learned something in this step.
    touched: Vec<u32>,
}

/// The unit of what is learned.
const ONE: u32 = 16;

/// More than this is all the same.
const MOST: u32 = 1000;

impl Regrets {
    /// Forgets everything; there are so many units now.
    pub fn begin(&mut self, units: usize) {
        for agent in self.touched.drain(..) {
            self.learned[agent as usize] = [0; 9];
        }
        self.learned.resize(units, [0; 9]);
    }

    /// Bytes of heap memory.
    pub fn bytes(&self) -> usize {
        self.learned.capacity() * size_of::<[u16; 9]>()
    }

    /// What is known of a direction.
    pub fn of(&self, agent: u32, direction: u8) -> u32 {
        self.learned[agent as usize][usize::from(direction)].into()
    }

    /// A unit has chosen a direction, which cost others so much. The last time counts nine tenths.
    pub fn learn(&mut self, agent: u32, direction: u8, burden: u32) {
        let learned = &mut self.learned[agent as usize][usize::from(direction)];
        if burden == 0 && *learned == 0 {
            return;
        }
        let new = burden.min(MOST) * ONE;
        *learned = ((u32::from(*learned) + 9 * new) / 10) as u16;
        self.touched.push(agent);
    }
}
