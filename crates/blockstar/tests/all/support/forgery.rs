//! Files that this library never wrote, with the checksum it would have given them.

use blockstar::random::Random;

/// The same bytes with a correct length and checksum, so that only the checks of the content are
/// left. The hash is spelled out from the format's description.
pub fn sealed(bytes: &[u8]) -> Vec<u8> {
    const HEADER: usize = 48;
    let mut bytes = bytes.to_vec();
    if bytes.len() < HEADER {
        return bytes;
    }
    let length = (bytes.len() - HEADER) as u64;
    bytes[32..40].copy_from_slice(&length.to_le_bytes());
    let mut state = 0x243f_6a88_85a3_08d3u64;
    let mut add = |word: u64| {
        state = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^= state >> 32;
    };
    for part in [&bytes[..40], &bytes[HEADER..]] {
        add(part.len() as u64);
        let mut words = part.chunks_exact(8);
        words.by_ref().for_each(|word| add(u64::from_le_bytes(word.try_into().unwrap())));
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        add(u64::from_le_bytes(last));
    }
    add(0);
    bytes[40..HEADER].copy_from_slice(&state.to_le_bytes());
    bytes
}

/// A file that is wrong somewhere after its header, but sealed: bytes are damaged, or numbers are
/// changed in place, by a little or into others of the file.
pub fn forged(random: &mut Random, file: &[u8]) -> Vec<u8> {
    const HEADER: usize = 48;
    let (header, payload) = file.split_at(HEADER);
    let mut payload = payload.to_vec();
    if payload.is_empty() || random.chance(1, 8) {
        return sealed(&[header, &random.damage(&payload)].concat());
    }
    // Few numbers mostly, at times many.
    let count = if random.chance(1, 4) { 1 + random.below(60) } else { 1 + random.below(3) };
    let width = [1, 1, 2, 4, 4, 8][random.below(6) as usize].min(payload.len());
    let places = (payload.len() - width + 1) as u64;
    for _ in 0..count {
        // Numbers of 32 bits are aligned in all but some local distance databases.
        let place = |random: &mut Random| {
            let place = random.below(places) as usize;
            if random.chance(3, 4) { place / width * width } else { place }
        };
        let at = place(random);
        match random.below(4) {
            0 => {
                let from = place(random);
                payload.copy_within(from..from + width, at);
            }
            1 => {
                let from = place(random);
                for byte in 0..width {
                    payload.swap(from + byte, at + byte);
                }
            }
            2 => {
                let change = [1, 1, 2, 8, 255, 254][random.below(6) as usize];
                payload[at] = payload[at].wrapping_add(change);
            }
            _ => payload[at] = random.next_u64() as u8,
        }
    }
    sealed(&[header, &payload].concat())
}
