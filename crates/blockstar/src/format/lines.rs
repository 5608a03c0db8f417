//! What the text formats share: lines of bytes, which need not be UTF-8, and how parts of them are
//! shown in errors.

use std::borrow::Cow;

/// One line of a text without its end, and its number from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub bytes: &'a [u8],
}

/// The lines of a text: a byte order mark in front is skipped, lines end with LF or CRLF, and
/// spaces and tabs at their ends are cut off.
#[derive(Clone, Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), number: 0 }
    }

    /// What follows the last line read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next line that is not blank.
    pub fn next_filled(&mut self) -> Option<Line<'a>> {
        self.find(|line| !line.bytes.is_empty())
    }

    /// The number of the last line read, at least 1, for errors about what is missing.
    pub fn last_number(&self) -> usize {
        self.number.max(1)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        let bytes = self.rest[..end].trim_ascii_end();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        self.number += 1;
        Some(Line { number: self.number, bytes })
    }
}

impl<'a> Line<'a> {
    /// The words between spaces and tabs, each with its column from 1.
    pub fn words(self) -> impl Iterator<Item = (usize, &'a [u8])> {
        self.pieces(|byte| byte.is_ascii_whitespace()).filter(|(_, word)| !word.is_empty())
    }

    /// The trimmed pieces between the bytes that separate them, each with its column from 1.
    pub fn pieces(self, separates: impl Fn(u8) -> bool) -> impl Iterator<Item = (usize, &'a [u8])> {
        let mut next = 0;
        self.bytes.split(move |&byte| separates(byte)).map(move |piece| {
            let start = next;
            next += piece.len() + 1;
            let blank = piece.len() - piece.trim_ascii_start().len();
            (start + blank + 1, piece.trim_ascii())
        })
    }
}

/// Bytes as shown to a reader: as text where they are text, otherwise escaped, and shortened if
/// they are long.
pub(super) fn shown(bytes: &[u8]) -> Cow<'_, str> {
    const MOST: usize = 40;
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.len() <= MOST && !text.contains(char::is_control) => text.into(),
        _ if bytes.len() <= MOST => bytes.escape_ascii().to_string().into(),
        _ => format!("{}...", bytes[..MOST].escape_ascii()).into(),
    }
}

/// The number that the bytes spell in decimal digits, if they do and it fits.
pub(super) fn whole_number(bytes: &[u8]) -> Option<u64> {
    // `parse` alone would accept a sign, which is not part of a size or a coordinate.
    if bytes.is_empty() || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// The finite number that the bytes spell, if they do.
pub(super) fn finite_number(bytes: &[u8]) -> Option<f64> {
    let number: f64 = std::str::from_utf8(bytes).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_numbers_and_lose_their_ends() {
        let mut lines = Lines::new(b"\xef\xbb\xbfone \r\n\r\n\xff two");
        assert_eq!(lines.next(), Some(Line { number: 1, bytes: b"one" }));
        assert_eq!(lines.next_filled(), Some(Line { number: 3, bytes: b"\xff two" }));
        assert_eq!(lines.next(), None);
        assert_eq!(lines.last_number(), 3);
        assert_eq!(Lines::new(b"").next(), None);
    }

    #[test]
    fn words_know_their_columns() {
        let line = Line { number: 1, bytes: b" a\t bc" };
        assert_eq!(line.words().collect::<Vec<_>>(), [(2, &b"a"[..]), (5, b"bc")]);
        let pieces: Vec<_> = line.pieces(|byte| byte == b'\t').collect();
        assert_eq!(pieces, [(2, &b"a"[..]), (5, b"bc")]);
    }

    #[test]
    fn what_cannot_be_read_is_escaped_and_cut() {
        assert_eq!(shown("Zürich".as_bytes()), "Zürich");
        assert_eq!(shown(b"\xff\x1b[2J"), "\\xff\\x1b[2J");
        assert!(shown(&[b'x'; 1000]).len() < 50);
    }

    #[test]
    fn numbers_are_strict() {
        assert_eq!(whole_number(b"512"), Some(512));
        for bad in [&b""[..], b"-1", b"+1", b"1.0", b"99999999999999999999", b"\xff"] {
            assert_eq!(whole_number(bad), None);
        }
        assert_eq!(finite_number(b"-1e3"), Some(-1000.0));
        for bad in [&b""[..], b"nan", b"inf", b"1e999", b"1,5", b"\xff"] {
            assert_eq!(finite_number(bad), None);
        }
    }
}
