//! The words of a file by number: it has many entries, but few different ones.

use crate::db::{take_u32, take_u64};
use crate::sort;

/// The different [words](super::word) of a file in ascending order. With up to 256 of them an entry
/// takes one byte, with up to 65,536 two; with more there is no dictionary, and an entry is the
/// word itself.
#[derive(Debug, PartialEq)]
pub(super) struct Dictionary {
    words: Vec<u64>,
}

impl Dictionary {
    const MOST: usize = 1 << 16;

    /// The dictionary of the words in all these lists.
    pub fn new<'a>(lists: impl Iterator<Item = &'a [u64]>) -> Self {
        let mut words: Vec<u64> = Vec::new();
        let mut own = Vec::new();
        for list in lists {
            own.clear();
            own.extend_from_slice(list);
            own.sort_unstable();
            own.dedup();
            // There is hardly ever anything new.
            own.retain(|word| words.binary_search(word).is_err());
            if !own.is_empty() {
                words.append(&mut own);
                // Two ascending runs: a stable sort merges them.
                sort::ascending(&mut words);
            }
            if words.len() > Self::MOST {
                return Self { words: Vec::new() };
            }
        }
        Self { words }
    }

    /// How many bytes an entry takes.
    pub fn width(&self) -> usize {
        match self.words.len() {
            0 => 8,
            1..=256 => 1,
            _ => 2,
        }
    }

    /// How many different distances there are, not counting "out of reach"; `None` if entries are
    /// words.
    pub fn distances(&self) -> Option<usize> {
        let finite = self.words.iter().filter(|&&word| word != super::word::FAR).count();
        (!self.words.is_empty()).then_some(finite)
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.words.len() as u32).to_le_bytes());
        self.words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }

    /// Reads a dictionary off the front of some bytes.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let count = take_u32(bytes)? as usize;
        if count > Self::MOST || count * 8 > bytes.len() {
            return None;
        }
        let words: Vec<u64> = (0..count).map_while(|_| take_u64(bytes)).collect();
        words.is_sorted_by(|a, b| a < b).then_some(Self { words })
    }

    /// Writes an entry for a word of the dictionary.
    pub fn encode(&self, word: u64, out: &mut Vec<u8>) {
        let index = self.words.binary_search(&word).unwrap_or(0);
        match self.width() {
            1 => out.push(index as u8),
            2 => out.extend_from_slice(&(index as u16).to_le_bytes()),
            _ => out.extend_from_slice(&word.to_le_bytes()),
        }
    }

    /// The word of the entry with this index.
    #[inline]
    pub fn decode(&self, entries: &[u8], index: usize) -> Option<u64> {
        let number = match self.width() {
            1 => usize::from(*entries.get(index)?),
            2 => usize::from(u16::from_le_bytes(*entries.get(index * 2..)?.first_chunk()?)),
            _ => return Some(u64::from_le_bytes(*entries.get(index * 8..)?.first_chunk()?)),
        };
        self.words.get(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_they_were_written() {
        for (count, width) in [(0, 8), (1, 1), (256, 1), (257, 2), (65_536, 2), (65_537, 8)] {
            let words: Vec<u64> = (0..count).map(|i| i * i * 7 + 1).collect();
            let dictionary = Dictionary::new([&words[..], &words[..words.len() / 2]].into_iter());
            assert_eq!(dictionary.width(), width);
            let mut bytes = Vec::new();
            dictionary.write(&mut bytes);
            let mut rest = &bytes[..];
            assert_eq!(Dictionary::read(&mut rest).as_ref(), Some(&dictionary));
            assert!(rest.is_empty());
            let mut entries = Vec::new();
            words.iter().rev().for_each(|&word| dictionary.encode(word, &mut entries));
            assert_eq!(entries.len(), words.len() * width);
            let read = (0..words.len()).map(|i| dictionary.decode(&entries, i).unwrap());
            assert!(read.eq(words.iter().rev().copied()));
            assert_eq!(dictionary.decode(&entries, words.len()), None);
        }
    }

    #[test]
    fn a_dictionary_that_claims_more_than_there_is_is_refused() {
        for bytes in [&[9, 0][..], &[0xff; 4], &[1, 0, 0, 0, 7], &[2, 0, 0, 0, 1, 0, 0, 0]] {
            assert_eq!(Dictionary::read(&mut &bytes[..]), None);
        }
    }
}
