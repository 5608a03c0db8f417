//! One sort for lists of all kinds.
//!
//! The standard library's sorts are compiled anew for each type and each key: 3 KB of WebAssembly every
//! time, and more to optimise in a native build. Here the sort itself exists once, over indices, and
//! compares through a pointer; only that comparison and moving the items are generic. It takes about
//! twice as long and allocates, so inner loops keep the standard sorts, preferably of plain numbers.

use std::cmp::Ordering;

/// Sorts a list. Equal items keep their order, as in all sorts of this module.
pub fn ascending<T: Ord>(list: &mut [T]) {
    by(list, T::cmp);
}

/// Sorts a list by a key, which is computed for every comparison.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    by(list, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a list by a comparison.
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = order(list.len(), &|a, b| compare(&list[a], &list[b]));
    for place in 0..list.len() {
        let mut from = order[place] as usize;
        // What stood before this place has been moved: to where it tells.
        while from < place {
            from = order[from] as usize;
        }
        order[place] = from as u32;
        list.swap(place, from);
    }
}

/// Numbers in the order of their keys, and those of one key ascending.
pub(crate) fn numbers_by(numbers: impl Iterator<Item = u32>, key: impl Fn(u32) -> u32) -> Vec<u32> {
    let keyed = |number| u64::from(key(number)) << 32 | u64::from(number);
    let mut list: Vec<u64> = numbers.map(keyed).collect();
    list.sort_unstable();
    list.into_iter().map(|keyed| keyed as u32).collect()
}

/// For each place, the index of the item that belongs there.
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn lists_come_out_as_those_of_the_standard_library() {
        let mut random = Random::new(1);
        for length in (0..70).chain([1000]) {
            for spread in [1, 3, 1000] {
                let make = |n: u64| (random.below(spread) as u32, n as u32);
                let list: Vec<(u32, u32)> = (0..length).rev().map(make).collect();
                let (mut ours, mut theirs) = (list.clone(), list.clone());
                by_key(&mut ours, |item| item.0);
                theirs.sort_by_key(|item| item.0);
                assert_eq!(ours, theirs, "{list:?}");
                by(&mut ours, |a, b| b.cmp(a));
                theirs.sort_by(|a, b| b.cmp(a));
                assert_eq!(ours, theirs, "{list:?}");
                ascending(&mut ours);
                theirs.sort();
                assert_eq!(ours, theirs, "{list:?}");
                let numbers = numbers_by(0..list.len() as u32, |number| list[number as usize].0);
                let mut sorted: Vec<u32> = (0..list.len() as u32).collect();
                sorted.sort_by_key(|&number| list[number as usize].0);
                assert_eq!(numbers, sorted, "{list:?}");
            }
        }
    }
}
