//! A queue for waves: what is nearer to where a wave began comes first, roughly.
//!
//! Exact order would cost more than it saves. First come, first served makes a wave pass most
//! subgoals two to four times, since ways with few edges are not the shortest.

/// Subgoals, each with the distance that a wave has come to get there.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    buckets: [Vec<(u32, u32)>; BUCKETS],
    len: usize,
    /// The distance of what came last. All distances wrap around.
    distance: u32,
}

const BUCKETS: usize = 64;

/// The binary logarithm of the width of a bucket: 5.7 cells.
const SHIFT: u32 = 15;

/// What is farther than the ring is long waits in its last bucket.
const FARTHEST: u32 = (BUCKETS as u32 - 1) << SHIFT;

impl Default for Ring {
    fn default() -> Self {
        Self { buckets: std::array::from_fn(|_| Vec::new()), len: 0, distance: 0 }
    }
}

impl Ring {
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a subgoal at some distance beyond what came last.
    #[inline(always)]
    pub fn push(&mut self, number: u32, beyond: u32) {
        let distance = self.distance.wrapping_add(beyond.min(FARTHEST));
        self.buckets[(distance >> SHIFT) as usize % BUCKETS].push((number, distance));
        self.len += 1;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        loop {
            let bucket = &mut self.buckets[(self.distance >> SHIFT) as usize % BUCKETS];
            if let Some((number, distance)) = bucket.pop() {
                self.distance = distance;
                return Some(number);
            }
            self.distance = (self.distance >> SHIFT).wrapping_add(1) << SHIFT;
        }
    }

    /// All that is in the queue.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.buckets.iter().flatten().map(|entry| entry.0)
    }

    pub fn bytes(&self) -> usize {
        self.buckets.iter().map(|bucket| bucket.capacity() * size_of::<(u32, u32)>()).sum()
    }
}
