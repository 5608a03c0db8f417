//! Many short lists in one piece of memory, each with a little room to grow.
//!
//! A list that outgrows its place, or shrinks out of it, moves to one of the size it needs; places
//! that were left are used again. So a change of one list costs as much as that list is long.

/// Where a list is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    len: u32,
}

impl Span {
    pub const EMPTY: Self = Self { start: 0, len: 0 };

    pub fn len(self) -> usize {
        self.len as usize
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Pool<T> {
    items: Vec<T>,
    /// The places that are not used, by size: see [`class`].
    unused: Vec<Vec<u32>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { items: Vec::new(), unused: Vec::new() }
    }
}

/// The size class of a list of a length that is not 0, and how long lists of this class may be:
/// multiples of 4 up to 32, then doubled.
fn class(len: u32) -> (usize, u32) {
    match len.div_ceil(4) {
        fours @ 0..=8 => (fours as usize, 4 * fours),
        fours => {
            let room = fours.next_power_of_two();
            (5 + room.trailing_zeros() as usize, 4 * room)
        }
    }
}

impl<T: Copy + Default> Pool<T> {
    #[inline]
    pub fn list(&self, span: Span) -> &[T] {
        &self.items[span.start as usize..][..span.len as usize]
    }

    pub fn list_mut(&mut self, span: Span) -> &mut [T] {
        &mut self.items[span.start as usize..][..span.len as usize]
    }

    /// Puts other items in the place of a list.
    pub fn set(&mut self, span: &mut Span, items: &[T]) {
        let len = items.len() as u32;
        if class(len) != class(span.len) {
            self.give_back(*span);
            span.start = self.take(len);
        }
        span.len = len;
        self.list_mut(*span).copy_from_slice(items);
    }

    /// Puts an item in front of the `at`th of a list.
    pub fn insert(&mut self, span: &mut Span, at: usize, item: T) {
        let len = span.len + 1;
        if class(len) != class(span.len) {
            let start = self.take(len);
            let from = span.start as usize;
            self.items.copy_within(from..from + span.len(), start as usize);
            self.give_back(*span);
            span.start = start;
        }
        span.len = len;
        let list = self.list_mut(*span);
        list.copy_within(at..len as usize - 1, at + 1);
        list[at] = item;
    }

    /// Removes the `at`th item of a list.
    pub fn remove(&mut self, span: &mut Span, at: usize) {
        let list = self.list_mut(*span);
        list.copy_within(at + 1.., at);
        let len = span.len - 1;
        if class(len) != class(span.len) {
            let start = self.take(len);
            let from = span.start as usize;
            self.items.copy_within(from..from + len as usize, start as usize);
            self.give_back(*span);
            span.start = start;
        }
        span.len = len;
    }

    /// Makes room for a sixteenth more items, so that it takes many changes until one of them has to
    /// move all lists to where there is more.
    pub fn make_room(&mut self) {
        self.items.reserve_exact(self.items.len() / 16 + 64);
    }

    fn take(&mut self, len: u32) -> u32 {
        let (class, room) = class(len);
        if let Some(start) = self.unused.get_mut(class).and_then(Vec::pop) {
            return start;
        }
        let start = self.items.len() as u32;
        self.items.resize(self.items.len() + room as usize, T::default());
        start
    }

    fn give_back(&mut self, span: Span) {
        let (class, room) = class(span.len);
        if room > 0 {
            if self.unused.len() <= class {
                self.unused.resize(class + 1, Vec::new());
            }
            self.unused[class].push(span.start);
        }
    }

    pub fn bytes(&self) -> usize {
        let unused: usize = self.unused.iter().map(|list| list.capacity() * 4).sum();
        self.items.capacity() * size_of::<T>() + unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn lists_are_what_vectors_would_be() {
        let mut random = Random::new(3);
        let mut pool = Pool::<u32>::default();
        let mut lists = vec![(Span::default(), Vec::new()); 20];
        for step in 0..20_000 {
            let (span, list) = &mut lists[random.below(20) as usize];
            match random.below(5) {
                0 => {
                    list.clear();
                    list.extend((0..random.below(90)).map(|_| random.next_u64() as u32));
                    pool.set(span, list);
                }
                1 if !list.is_empty() => {
                    let at = random.below(list.len() as u64) as usize;
                    list.remove(at);
                    pool.remove(span, at);
                }
                _ => {
                    let at = random.below(list.len() as u64 + 1) as usize;
                    list.insert(at, step);
                    pool.insert(span, at, step);
                }
            }
            assert!(lists.iter().all(|(span, list)| pool.list(*span) == *list));
        }
        assert!(pool.items.len() < 20 * 128 * 2, "{}", pool.items.len());
    }
}
