//! The front of a flood: subgoals whose labels have yet to be passed on, nearest first.
//!
//! Labels lie in buckets no wider than the shortest edge. What is reached from a bucket then belongs
//! to a later one, so within a bucket the order does not matter: no subgoal is passed on twice, and
//! nothing has to be sorted. And it is known well ahead who comes next, which can be
//! [looked at](Front::upcoming) before it is needed: in a large graph a flood mostly waits for memory.
//!
//! Buckets are used in turns. What is farther than all of them waits aside.

/// Labels and the subgoals that have them.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    buckets: Vec<Vec<Entry>>,
    /// The binary logarithm of the width of a bucket.
    shift: u32,
    /// What the labels are, in widths, that are taken at present.
    now: u32,
    far: Vec<Entry>,
    /// The least of them, in widths.
    far_from: u32,
    len: usize,
}

/// A label and a subgoal.
pub(super) type Entry = (u32, u32);

const BUCKETS: u32 = 256;

impl Front {
    /// Empties the front for a flood along edges of some length and more.
    pub fn begin(&mut self, shortest: u32) {
        self.buckets.resize_with(BUCKETS as usize, Vec::new);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.far.clear();
        (self.shift, self.now, self.far_from, self.len) = (shortest.max(1).ilog2(), 0, u32::MAX, 0);
    }

    // Not inlined, or what asks whether to push is not.
    #[inline(never)]
    pub fn push(&mut self, entry: Entry) {
        let at = entry.0 >> self.shift;
        if self.len == 0 || at < self.now {
            self.now = at;
        }
        self.len += 1;
        if at - self.now < BUCKETS {
            self.buckets[(at % BUCKETS) as usize].push(entry);
        } else {
            self.put_aside(entry);
        }
    }

    fn put_aside(&mut self, entry: Entry) {
        self.far_from = self.far_from.min(entry.0 >> self.shift);
        self.far.push(entry);
    }

    /// Takes a nearest entry.
    #[inline]
    pub fn pop(&mut self) -> Option<Entry> {
        while self.len > 0 {
            let Some(entry) = self.buckets[(self.now % BUCKETS) as usize].pop() else {
                self.advance();
                continue;
            };
            // An edit may have begun a nearer wave behind this one.
            if entry.0 >> self.shift != self.now {
                self.put_aside(entry);
                continue;
            }
            self.len -= 1;
            return Some(entry);
        }
        None
    }

    /// Goes on to the next bucket in use.
    #[inline(never)]
    fn advance(&mut self) {
        let in_use = |at: &u32| !self.buckets[(at % BUCKETS) as usize].is_empty();
        let next = (self.now + 1..self.now + BUCKETS).find(in_use).unwrap_or(u32::MAX);
        self.now = next.min(self.far_from);
        if self.far_from <= next {
            self.far_from = u32::MAX;
            let mut kept = 0;
            for index in 0..self.far.len() {
                let entry = self.far[index];
                let at = entry.0 >> self.shift;
                if at - self.now < BUCKETS {
                    self.buckets[(at % BUCKETS) as usize].push(entry);
                } else {
                    self.far_from = self.far_from.min(at);
                    self.far[kept] = entry;
                    kept += 1;
                }
            }
            self.far.truncate(kept);
        }
    }

    /// Some of what is taken next: every now and then eight entries, mostly none.
    #[inline]
    pub fn upcoming(&self) -> &[Entry] {
        const AHEAD: usize = 8;
        let bucket = self.buckets.get((self.now % BUCKETS) as usize).map_or(&[][..], |all| all);
        if bucket.len().is_multiple_of(AHEAD) {
            &bucket[bucket.len().saturating_sub(AHEAD)..]
        } else {
            &[]
        }
    }

    pub fn bytes(&self) -> usize {
        let entries: usize = self.buckets.iter().map(Vec::capacity).sum();
        (entries + self.far.capacity()) * size_of::<Entry>()
            + self.buckets.capacity() * size_of::<Vec<Entry>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// What is pushed is popped, bucket by bucket in order, whatever lies behind or far ahead.
    #[test]
    fn labels_are_popped_in_the_order_of_their_buckets() {
        let mut random = Random::new(5);
        let mut front = Front::default();
        for round in 0..400 {
            let width = [1, 4, 4096][round % 3];
            front.begin(width + width / 2);
            let spread = u64::from(width) * [3, 200, 100_000][random.below(3) as usize];
            let (mut labels, mut least) = (Vec::<Entry>::new(), 0);
            for step in 0..random.below(1500) {
                if random.chance(1, 3) && !labels.is_empty() {
                    labels.sort_unstable();
                    let (label, number) = front.pop().unwrap();
                    let at = labels.iter().position(|&entry| entry == (label, number)).unwrap();
                    assert_eq!(labels[0].0 / width, label / width, "{round}, {step}");
                    labels.remove(at);
                    least = label;
                } else {
                    // Mostly ahead of what was taken, as in a flood.
                    let from = if random.chance(1, 50) { 0 } else { least };
                    let entry = (from + random.below(spread) as u32, step as u32);
                    labels.push(entry);
                    front.push(entry);
                }
            }
            let mut rest: Vec<_> = std::iter::from_fn(|| front.pop()).collect();
            assert!(rest.is_sorted_by_key(|entry| entry.0 / width));
            labels.sort_unstable();
            rest.sort_unstable();
            assert_eq!(rest, labels);
        }
    }

    #[test]
    fn what_is_upcoming_is_taken_next() {
        let mut front = Front::default();
        assert!(front.upcoming().is_empty());
        front.begin(16);
        (0..20).for_each(|number| front.push((number % 16, number)));
        let (mut seen, mut looks) = (Vec::<Entry>::new(), 0);
        while !seen.is_empty() || front.len > 0 {
            if !front.upcoming().is_empty() {
                assert!(seen.is_empty());
                seen.extend_from_slice(front.upcoming());
                looks += 1;
            }
            let taken = front.pop();
            if let Some(expected) = seen.pop() {
                assert_eq!(taken, Some(expected));
            }
        }
        assert_eq!(looks, 2);
    }
}
