//! Memory for work that queries do now and then, on whatever thread.

use std::sync::Mutex;

/// Spare memory of one kind: a query takes some, or makes it, and gives it back.
#[derive(Debug, Default)]
pub(super) struct Spare<T>(Mutex<Vec<T>>);

impl<T: Default> Spare<T> {
    pub fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        // Whoever panicked with the lock held was only moving a value in or out.
        let take = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let taken = take().pop();
        let mut memory = taken.unwrap_or_default();
        let result = work(&mut memory);
        take().push(memory);
        result
    }
}

/// A copy begins without any.
impl<T> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Self(Mutex::new(Vec::new()))
    }
}
