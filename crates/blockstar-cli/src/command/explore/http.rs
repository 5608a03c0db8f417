//! As much of HTTP/1.1 as a page needs: the head of a GET request, and a reply.

use std::io::{self, Read, Write};

/// The most bytes of a request's head.
const MOST_BYTES: usize = 16 << 10;

/// The head of a request.
#[derive(Debug, Default)]
pub struct Head {
    pub method: String,
    pub path: String,
    pub query: String,
    fields: Vec<(String, String)>,
}

/// What to answer.
#[derive(Debug)]
pub struct Reply<'a> {
    pub status: &'static str,
    pub kind: &'a str,
    pub body: &'a [u8],
}

impl Head {
    /// Reads a head. `None` if the client has ended the connection, or sends something else.
    pub fn read(stream: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        // Byte by byte from a buffer: nothing behind the head may be taken away.
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            if bytes.len() >= MOST_BYTES || stream.read(&mut byte)? == 0 {
                return Ok(None);
            }
            bytes.push(byte[0]);
        }
        Ok(std::str::from_utf8(&bytes).ok().and_then(Self::parse))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") {
            return None;
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut head = Self {
            method: method.into(),
            path: path.into(),
            query: query.into(),
            fields: Vec::new(),
        };
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            head.fields.push((name.to_ascii_lowercase(), value.trim().into()));
        }
        Some(head)
    }

    /// The value of a field, named in lower case; `None` if it is there twice.
    pub fn field(&self, name: &str) -> Option<&str> {
        let mut values = self.fields.iter().filter(|field| field.0 == name);
        let value = values.next()?;
        values.next().is_none().then_some(&*value.1)
    }

    /// Whether a field is there, however often.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.0 == name)
    }

    /// Whether one of the words of a list is this one.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        self.field(name).is_some_and(|value| {
            value.split(',').any(|listed| listed.trim().eq_ignore_ascii_case(word))
        })
    }

    /// A parameter of the query. (Tokens need no decoding.)
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|pair| pair.0 == name).map(|pair| pair.1).next()
    }
}

impl<'a> Reply<'a> {
    /// A sentence.
    pub fn text(status: &'static str, body: &'a str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: body.as_bytes() }
    }

    /// Sends it; without the body, if only the head was asked for.
    pub fn send(&self, stream: &mut impl Write, head_only: bool) -> io::Result<()> {
        // The page is all there is: nothing comes from elsewhere, nobody frames it, nothing of the
        // address leaves with a link.
        let policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' \
                      'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:; \
                      worker-src 'self' blob:; frame-ancestors 'none'";
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Content-Security-Policy: {policy}\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        if !head_only {
            stream.write_all(self.body)?;
        }
        stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_and_strange_ones_refused() {
        let read = |text: &str| Head::read(&mut text.as_bytes()).unwrap();
        let head =
            read("GET /a/b?x=1&token=t HTTP/1.1\r\nHost: me:1\r\nConnection: A, upgrade\r\n\r\n!");
        let head = head.unwrap();
        assert_eq!((&*head.method, &*head.path), ("GET", "/a/b"));
        assert_eq!((head.parameter("token"), head.field("host")), (Some("t"), Some("me:1")));
        assert!(head.lists("connection", "Upgrade") && !head.lists("host", "you"));
        for strange in [
            "",
            "GET",
            "GET / HTTP/1.1\r\n",
            "GET /\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET / a b HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nnothing\r\n\r\n",
        ] {
            assert!(read(strange).is_none(), "{strange:?}");
        }
        let twice = read("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n").unwrap();
        assert!(twice.field("host").is_none() && twice.has("host"));
        assert!(read(&format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(MOST_BYTES))).is_none());
        assert!(Head::read(&mut &b"GET /\xff HTTP/1.1\r\n\r\n"[..]).unwrap().is_none());
    }
}
