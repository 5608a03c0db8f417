//! Search memory by type: a search asks the pool for the memory it needs, and gets what the last
//! search of that type left behind.
//!
//! The pool knows no planner, so a planner outside this crate keeps its memory here just like those
//! inside. There are rarely more than ten types in one pool; a linear search is faster than a hash.

use std::any::{Any, TypeId};
use std::fmt;

/// Memory that a search keeps from query to query.
///
/// It is created once with `Default` and then reused, so a search must reset what it reads. It
/// grows to the size of the map on the first query and never shrinks, which keeps warm queries free
/// of allocations.
pub trait SearchMemory: Any + Send + Sync {
    /// Bytes of heap memory held.
    fn bytes(&self) -> usize;
}

/// One value of each type of [`SearchMemory`] that was asked for.
#[derive(Default)]
pub struct MemoryPool {
    slots: Vec<Box<dyn SearchMemory>>,
}

impl fmt::Debug for MemoryPool {
    /// Not what is in it: nobody reads millions of nodes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryPool of {} memories, {} bytes", self.slots.len(), self.bytes())
    }
}

impl MemoryPool {
    /// The memory of a type, created on first use.
    pub fn get<T: SearchMemory + Default>(&mut self) -> &mut T {
        let index = self.index::<T>();
        cast(&mut *self.slots[index])
    }

    /// The memories of two different types. Panics if they are the same type.
    pub fn get_two<A, B>(&mut self) -> (&mut A, &mut B)
    where
        A: SearchMemory + Default,
        B: SearchMemory + Default,
    {
        let indices = [self.index::<A>(), self.index::<B>()];
        let [a, b] = self.slots.get_disjoint_mut(indices).expect("two different types");
        (cast(&mut **a), cast(&mut **b))
    }

    /// The memories of three different types. Panics if two are the same type.
    pub fn get_three<A, B, C>(&mut self) -> (&mut A, &mut B, &mut C)
    where
        A: SearchMemory + Default,
        B: SearchMemory + Default,
        C: SearchMemory + Default,
    {
        let indices = [self.index::<A>(), self.index::<B>(), self.index::<C>()];
        let [a, b, c] = self.slots.get_disjoint_mut(indices).expect("three different types");
        (cast(&mut **a), cast(&mut **b), cast(&mut **c))
    }

    /// Bytes of heap memory held by all.
    pub fn bytes(&self) -> usize {
        self.slots.iter().map(|slot| slot.bytes()).sum()
    }

    /// Frees all memory.
    pub fn clear(&mut self) {
        self.slots = Vec::new();
    }

    fn index<T: SearchMemory + Default>(&mut self) -> usize {
        let wanted = TypeId::of::<T>();
        let found = self.slots.iter().position(|slot| (&**slot as &dyn Any).type_id() == wanted);
        found.unwrap_or_else(|| {
            self.slots.push(Box::new(T::default()));
            self.slots.len() - 1
        })
    }
}

fn cast<T: SearchMemory>(slot: &mut dyn SearchMemory) -> &mut T {
    (slot as &mut dyn Any).downcast_mut().expect("slots are found by type")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Numbers(Vec<u32>);

    #[derive(Debug, Default)]
    struct Words(Vec<u64>);

    impl SearchMemory for Numbers {
        fn bytes(&self) -> usize {
            self.0.len() * 4
        }
    }

    impl SearchMemory for Words {
        fn bytes(&self) -> usize {
            self.0.len() * 8
        }
    }

    #[test]
    fn memory_is_kept_by_type() {
        let mut pool = MemoryPool::default();
        pool.get::<Numbers>().0.push(7);
        let (words, numbers) = pool.get_two::<Words, Numbers>();
        words.0.push(8);
        assert_eq!(numbers.0, [7]);
        assert_eq!(pool.bytes(), 12);
        pool.clear();
        assert!(pool.get::<Numbers>().0.is_empty());
    }

    #[test]
    #[should_panic(expected = "two different types")]
    fn one_memory_is_not_lent_twice() {
        MemoryPool::default().get_two::<Words, Words>();
    }
}
