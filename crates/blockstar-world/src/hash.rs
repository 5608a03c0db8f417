//! The state of a world as a few numbers: equal on all machines that simulate the same.
//!
//! Each part is the hash of the bytes that a save would have. So nothing that matters is left out,
//! and two worlds of one hash go on alike.

use crate::World;
use crate::pack::Pack;

/// How many units are hashed together.
const BLOCK: u32 = 64;

/// The hash of a world, in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateHash {
    /// Of everything.
    pub whole: u64,
    /// Of map and settings.
    pub map: u64,
    /// Of groups, places and their fields.
    pub places: u64,
    /// Of the searches that wait or are under way.
    pub queue: u64,
    /// Of the units, 64 slots at a time.
    pub blocks: Vec<u64>,
}

impl StateHash {
    /// Where two worlds differ, in words; none if they do not.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        let part = |name: &str, a: u64, b: u64| (a != b).then(|| name.to_owned());
        let block = (0..self.blocks.len().max(other.blocks.len()))
            .find(|&index| self.blocks.get(index) != other.blocks.get(index))
            .map(|index| format!("the units {} to {}", index * 64, index * 64 + 63));
        let parts = [
            part("the map", self.map, other.map),
            block,
            part("the places", self.places, other.places),
            part("the queue", self.queue, other.queue),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Some(if parts.is_empty() { "the counters".into() } else { parts.join(", ") })
    }
}

/// A hash in progress: the words of the bytes, mixed in by reversible steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixer(u64);

impl Mixer {
    pub const fn new() -> Self {
        Self(0x243f_6a88_85a3_08d3)
    }

    pub const fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 32;
    }

    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last));
    }

    pub const fn finish(self) -> u64 {
        self.0
    }
}

/// The hash of some bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    let mut mixer = Mixer::new();
    mixer.add_bytes(bytes);
    mixer.finish()
}

pub(crate) fn of(world: &World) -> StateHash {
    let part = |pack: &dyn Fn(&World, &mut Vec<u8>)| of_bytes(&world.packed(pack));
    let map = part(&|world, out| {
        world.pack_settings(out);
        world.map.pack(out);
    });
    let places = part(&|world, out| world.pack_places(out));
    let queue = part(&|world, out| world.pack_queue(out));
    let counters = part(&|world, out| world.pack_counters(out));
    let blocks: Vec<u64> = (0..world.units.len().div_ceil(BLOCK))
        .map(|block| {
            part(&|world, out| {
                for slot in block * BLOCK..((block + 1) * BLOCK).min(world.units.len()) {
                    if let Some(unit) = world.units.get(slot) {
                        unit.pack(out);
                    } else {
                        out.push(0);
                    }
                }
            })
        })
        .collect();
    let mut whole = Mixer::new();
    [map, places, queue, counters].iter().chain(&blocks).for_each(|&part| whole.add(part));
    StateHash { whole: whole.finish(), map, places, queue, blocks }
}
