//! Many short lists of numbers in one piece of memory; each can be replaced.

/// Lists of words, numbered from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    /// Where each list starts and how long it is.
    spans: Vec<(u32, u32)>,
    pool: Vec<u32>,
    /// Words of the pool that belong to no list.
    wasted: usize,
}

impl Lists {
    /// A number of empty lists.
    pub fn new(count: usize) -> Self {
        Self { spans: vec![(0, 0); count], pool: Vec::new(), wasted: 0 }
    }

    /// Makes the number of lists at least `count`.
    pub fn grow(&mut self, count: usize) {
        if count > self.spans.len() {
            self.spans.resize(count, (0, 0));
        }
    }

    #[inline]
    pub fn get(&self, list: u32) -> &[u32] {
        let (start, length) = self.spans[list as usize];
        &self.pool[start as usize..][..length as usize]
    }

    /// Replaces a list. A longer one moves to the end; gaps are closed once they are half of the
    /// memory.
    pub fn set(&mut self, list: u32, words: &[u32]) {
        let (start, length) = self.spans[list as usize];
        if words.len() <= length as usize {
            self.pool[start as usize..][..words.len()].copy_from_slice(words);
            self.spans[list as usize].1 = words.len() as u32;
            self.wasted += length as usize - words.len();
        } else {
            self.wasted += length as usize;
            self.spans[list as usize] = (self.pool.len() as u32, words.len() as u32);
            self.pool.extend_from_slice(words);
        }
        if self.wasted > 64 && 2 * self.wasted > self.pool.len() {
            self.close_gaps();
        }
    }

    /// Moves the lists together, with room for a sixteenth more behind them: or else the next change
    /// would move them all.
    fn close_gaps(&mut self) {
        let length = self.pool.len() - self.wasted;
        let mut pool = Vec::with_capacity(length + length / 16 + 64);
        for (start, length) in &mut self.spans {
            let from = std::mem::replace(start, pool.len() as u32) as usize;
            pool.extend_from_slice(&self.pool[from..][..*length as usize]);
        }
        self.pool = pool;
        self.wasted = 0;
    }

    /// Frees memory that is not in use, but for room to grow.
    pub fn trim(&mut self) {
        self.close_gaps();
        self.spans.shrink_to(self.spans.len() + self.spans.len() / 16 + 16);
        self.spans.reserve_exact(self.spans.len() / 16 + 16);
    }

    /// Bytes of heap memory: of where the lists are, and of what is in them.
    pub fn bytes(&self) -> (usize, usize) {
        (self.spans.capacity() * size_of::<(u32, u32)>(), self.pool.capacity() * size_of::<u32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn lists_hold_what_was_put_there() {
        let mut random = Random::new(3);
        let mut lists = Lists::new(20);
        let mut naive = vec![Vec::new(); 20];
        for _ in 0..20_000 {
            let list = random.below(20) as usize;
            naive[list] = (0..random.below(12)).map(|_| random.next_u64() as u32).collect();
            lists.set(list as u32, &naive[list]);
            let other = random.below(20) as usize;
            assert_eq!(lists.get(other as u32), &naive[other][..]);
        }
        assert!(lists.pool.len() < 2 * 20 * 12 + 64 + 12);
        lists.trim();
        assert!((0..20).all(|list| lists.get(list) == &naive[list as usize][..]));
        assert_eq!(lists.pool.len(), naive.iter().map(Vec::len).sum::<usize>());
    }

    #[test]
    fn the_first_changes_do_not_move_everything() {
        let mut lists = Lists::new(1000);
        (0..1000).for_each(|list| lists.set(list, &[list; 8]));
        lists.trim();
        let (place, spans) = (lists.pool.as_ptr(), lists.spans.as_ptr());
        lists.grow(1010);
        (0..50).for_each(|list| lists.set(list, &[list; 9]));
        assert_eq!((lists.pool.as_ptr(), lists.spans.as_ptr()), (place, spans));
        let least = lists.pool.len() * size_of::<u32>();
        assert!(lists.bytes().1 < least + least / 8, "{:?}", lists.bytes());
    }
}
