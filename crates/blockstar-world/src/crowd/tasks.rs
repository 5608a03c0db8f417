//! Errands for a crowd, given out as units become free.
//!
//! So many tasks are *revealed* at a time, those under way included; when one is finished, the next
//! of the list is revealed, and after the last the list starts again. Of all pairs of a free unit
//! and a revealed task that nobody has, the nearest goes first, then the nearest of what is left
//! (a greedy matching); near is how far the unit is from the first place of the task, by straight
//! steps as if there were no walls. Equal pairs go by the numbers of unit and task.

use blockstar::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The tasks of a crowd.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// By task: where to go, one after the other.
    list: Vec<Vec<Cell>>,
    /// How many are revealed at a time.
    reveal: usize,
    /// The next one to reveal.
    next: usize,
    /// Revealed and given to nobody: numbers of the list.
    open: Vec<u32>,
    under_way: usize,
    finished: u64,
}

impl Tasks {
    /// A list of tasks, each of at least one place, of which `reveal` are known at a time. Tasks
    /// without a place are left out.
    pub fn new(list: Vec<Vec<Cell>>, reveal: usize) -> Self {
        let list: Vec<_> = list.into_iter().filter(|task| !task.is_empty()).collect();
        Self { list, reveal: reveal.max(1), next: 0, open: Vec::new(), under_way: 0, finished: 0 }
    }

    /// How many were finished.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// The places of a task.
    pub fn places(&self, task: u32) -> &[Cell] {
        &self.list[task as usize]
    }

    /// One of those under way is done.
    pub fn finish(&mut self) {
        self.finished += 1;
        self.under_way -= 1;
    }

    /// Reveals what is due and gives at most so many tasks to free units, each by its number and
    /// place: (unit, task).
    pub fn give_out(&mut self, free: &[(u32, Cell)], most: usize) -> Vec<(u32, u32)> {
        while !self.list.is_empty() && self.open.len() + self.under_way < self.reveal {
            self.open.push(self.next as u32);
            self.next = (self.next + 1) % self.list.len();
        }
        let mut buckets = Buckets::new(self.open.iter().map(|&task| self.list[task as usize][0]));
        let mut nearest: BinaryHeap<_> = free
            .iter()
            .enumerate()
            .filter_map(|(index, &(unit, at))| {
                let (distance, place) = buckets.nearest(at)?;
                Some(Reverse((distance, unit, place, index)))
            })
            .collect();
        let mut given = Vec::new();
        let mut taken = vec![false; self.open.len()];
        while given.len() < most
            && let Some(Reverse((_, unit, place, index))) = nearest.pop()
        {
            if taken[place] {
                if let Some((distance, place)) = buckets.nearest(free[index].1) {
                    nearest.push(Reverse((distance, unit, place, index)));
                }
                continue;
            }
            taken[place] = true;
            buckets.remove(place);
            given.push((unit, self.open[place]));
        }
        let mut kept = taken.into_iter();
        self.open.retain(|_| !kept.next().unwrap_or(false));
        self.under_way += given.len();
        given
    }
}

/// Places by squares of the map, to find the nearest of them.
struct Buckets {
    places: Vec<Cell>,
    columns: u32,
    rows: u32,
    buckets: Vec<Vec<u32>>,
    count: usize,
}

impl Buckets {
    const SIDE: u32 = 32;

    fn new(places: impl Iterator<Item = Cell>) -> Self {
        let places: Vec<Cell> = places.collect();
        let columns = places.iter().map(|place| place.x / Self::SIDE + 1).max().unwrap_or(0);
        let rows = places.iter().map(|place| place.y / Self::SIDE + 1).max().unwrap_or(0);
        let mut buckets = vec![Vec::new(); (columns * rows) as usize];
        for (number, place) in places.iter().enumerate() {
            let bucket = place.y / Self::SIDE * columns + place.x / Self::SIDE;
            buckets[bucket as usize].push(number as u32);
        }
        Self { count: places.len(), places, columns, rows, buckets }
    }

    fn remove(&mut self, number: usize) {
        let place = self.places[number];
        let bucket = place.y / Self::SIDE * self.columns + place.x / Self::SIDE;
        self.buckets[bucket as usize].retain(|&other| other as usize != number);
        self.count -= 1;
    }

    /// The nearest place and how far it is; of equals the first.
    fn nearest(&self, at: Cell) -> Option<(u32, usize)> {
        if self.count == 0 {
            return None;
        }
        let mut best: Option<(u32, usize)> = None;
        let (column, row) = ((at.x / Self::SIDE) as i64, (at.y / Self::SIDE) as i64);
        let farthest = i64::from(self.columns.max(self.rows)) + column.max(row);
        for ring in 0..=farthest {
            // Whatever is in this ring or beyond is at least so far.
            let least = (ring - 1).max(0) as u32 * Self::SIDE;
            if best.is_some_and(|(distance, _)| distance < least) {
                break;
            }
            for y in row - ring..=row + ring {
                if !(0..i64::from(self.rows)).contains(&y) {
                    continue;
                }
                let whole = (y - row).abs() == ring;
                let step = if whole || ring == 0 { 1 } else { 2 * ring };
                let mut x = column - ring;
                while x <= column + ring {
                    if (0..i64::from(self.columns)).contains(&x) {
                        let bucket = y * i64::from(self.columns) + x;
                        for &number in &self.buckets[bucket as usize] {
                            let place = self.places[number as usize];
                            let distance = place.x.abs_diff(at.x) + place.y.abs_diff(at.y);
                            let found = (distance, number as usize);
                            best = Some(best.map_or(found, |best| best.min(found)));
                        }
                    }
                    x += step;
                }
            }
        }
        best
    }
}
