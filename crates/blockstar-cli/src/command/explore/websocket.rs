//! The server's side of a WebSocket (RFC 6455) for binary messages.
//!
//! Messages may come in fragments, with pings between them; ours go out whole. A length is not
//! believed: memory grows with what arrives.

use std::io::{self, Read, Write};

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Message {
    /// A whole binary message.
    Binary(Vec<u8>),
    /// The client ends the connection, or broke a rule: with this code it is told that we do too.
    Close(u16),
}

/// Codes of section 7.4.
const NORMAL: u16 = 1000;
const PROTOCOL_ERROR: u16 = 1002;
const UNSUPPORTED: u16 = 1003;
const TOO_BIG: u16 = 1009;

/// Kinds of frame.
const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// The head of a frame.
struct FrameHead {
    last: bool,
    kind: u8,
    length: u64,
    mask: [u8; 4],
}

/// Reads up to the end of a message of at most so many bytes, answering pings on the way.
pub fn read(stream: &mut (impl Read + Write), most: usize) -> io::Result<Message> {
    let mut message: Option<Vec<u8>> = None;
    loop {
        let Some(head) = FrameHead::read(stream)? else {
            return Ok(Message::Close(PROTOCOL_ERROR));
        };
        let so_far = message.as_ref().map_or(0, Vec::len) as u64;
        match head.kind {
            CLOSE | PING | PONG if head.length > 125 || !head.last => {
                return Ok(Message::Close(PROTOCOL_ERROR));
            }
            CLOSE => return Ok(Message::Close(NORMAL)),
            PING => {
                let mut content = Vec::new();
                head.content(stream, &mut content)?;
                write(stream, PONG, &content)?;
            }
            PONG => head.content(stream, &mut Vec::new())?,
            TEXT => return Ok(Message::Close(UNSUPPORTED)),
            BINARY | CONTINUATION => {
                if (head.kind == BINARY) == message.is_some() {
                    return Ok(Message::Close(PROTOCOL_ERROR));
                }
                if head.length.saturating_add(so_far) > most as u64 {
                    return Ok(Message::Close(TOO_BIG));
                }
                let content = message.get_or_insert_default();
                head.content(stream, content)?;
                if head.last {
                    return Ok(Message::Binary(message.unwrap_or_default()));
                }
            }
            _ => return Ok(Message::Close(PROTOCOL_ERROR)),
        }
    }
}

/// Sends a binary message.
pub fn send(stream: &mut impl Write, message: &[u8]) -> io::Result<()> {
    write(stream, BINARY, message)
}

/// Says that the connection ends.
pub fn close(stream: &mut impl Write, code: u16) -> io::Result<()> {
    write(stream, CLOSE, &code.to_be_bytes())
}

impl FrameHead {
    /// Reads the head; `None` if it is not one that a client may send.
    fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut two = [0; 2];
        stream.read_exact(&mut two)?;
        let (reserved, masked) = (two[0] & 0x70, two[1] & 0x80);
        let length = match two[1] & 0x7f {
            126 => {
                let mut bytes = [0; 2];
                stream.read_exact(&mut bytes)?;
                u16::from_be_bytes(bytes).into()
            }
            127 => {
                let mut bytes = [0; 8];
                stream.read_exact(&mut bytes)?;
                u64::from_be_bytes(bytes)
            }
            short => short.into(),
        };
        if reserved != 0 || masked == 0 {
            return Ok(None);
        }
        let mut mask = [0; 4];
        stream.read_exact(&mut mask)?;
        Ok(Some(Self { last: two[0] & 0x80 != 0, kind: two[0] & 0x0f, length, mask }))
    }

    /// Adds the frame's content.
    fn content(&self, stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
        let start = bytes.len();
        let got = stream.take(self.length).read_to_end(bytes)?;
        if (got as u64) < self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // Eight bytes at a time.
        let [a, b, c, d] = self.mask;
        let mask = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
        let mut eights = bytes[start..].chunks_exact_mut(8);
        for eight in &mut eights {
            let mut word = [0; 8];
            word.copy_from_slice(eight);
            eight.copy_from_slice(&(u64::from_ne_bytes(word) ^ mask).to_ne_bytes());
        }
        for (byte, mask) in eights.into_remainder().iter_mut().zip(self.mask.iter().cycle()) {
            *byte ^= mask;
        }
        Ok(())
    }
}

fn write(stream: &mut impl Write, kind: u8, content: &[u8]) -> io::Result<()> {
    let mut head = vec![0x80 | kind];
    match content.len() {
        length @ 0..126 => head.push(length as u8),
        length @ 126..0x1_0000 => {
            head.push(126);
            head.extend((length as u16).to_be_bytes());
        }
        length => {
            head.push(127);
            head.extend((length as u64).to_be_bytes());
        }
    }
    if content.len() < 1 << 16 {
        // One packet instead of two.
        head.extend(content);
        stream.write_all(&head)?;
    } else {
        stream.write_all(&head)?;
        stream.write_all(content)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// What the client sends, and what it is sent.
    struct Line(Cursor<Vec<u8>>, Vec<u8>);

    impl Read for Line {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.0.read(bytes)
        }
    }

    impl Write for Line {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn frame(first: u8, content: &[u8]) -> Vec<u8> {
        let mask = [9, 200, 3, 77];
        let mut bytes = vec![first];
        if content.len() < 126 {
            bytes.push(0x80 | content.len() as u8);
        } else {
            bytes.push(0x80 | 127);
            bytes.extend((content.len() as u64).to_be_bytes());
        }
        bytes.extend(mask);
        bytes.extend(content.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        bytes
    }

    fn line(bytes: Vec<u8>) -> Line {
        Line(Cursor::new(bytes), Vec::new())
    }

    #[test]
    fn fragments_make_a_message_and_pings_are_answered() {
        let long: Vec<u8> = (0..1000).map(|i| i as u8).collect();
        let bytes =
            [frame(2, &long), frame(0x89, b"hi"), frame(0, b""), frame(0x80, b"end")].concat();
        let mut line = line(bytes);
        let message = read(&mut line, 2000).unwrap();
        assert_eq!(message, Message::Binary([&long[..], b"end"].concat()));
        assert_eq!(line.1, [0x8a, 2, b'h', b'i']);
    }

    #[test]
    fn what_breaks_the_rules_ends_the_connection() {
        let read = |bytes: Vec<u8>| read(&mut line(bytes), 100);
        for (bytes, code) in [
            (frame(0x82, &[0; 101]), TOO_BIG),
            ([frame(2, &[0; 60]), frame(0x80, &[0; 60])].concat(), TOO_BIG),
            (frame(0x81, b"text"), UNSUPPORTED),
            (frame(0x88, b""), NORMAL),
            (frame(0xc2, b""), PROTOCOL_ERROR),
            (frame(0x80, b""), PROTOCOL_ERROR),
            ([frame(2, b""), frame(0x82, b"")].concat(), PROTOCOL_ERROR),
            (frame(0x09, b""), PROTOCOL_ERROR),
            (frame(0x83, b""), PROTOCOL_ERROR),
            (vec![0x82, 1, 0, 0, 0, 0], PROTOCOL_ERROR),
        ] {
            assert_eq!(read(bytes).unwrap(), Message::Close(code));
        }
        // A length that nothing follows, however large, is the end of the line.
        let mut huge = vec![0x82, 0xff];
        huge.extend(100_u64.to_be_bytes());
        huge.extend([0; 10]);
        assert_eq!(read(huge).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
