//! One connection: files of the page, then perhaps a session.

use super::http::{Head, Reply};
use super::server::Shared;
use super::websocket::{self, Message};
use super::{page, sha1};
use blockstar_session::{Clock, Limits, Session};
use cpu_time::ThreadTime;
use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a client may take to send a request, or to receive some of a reply.
const PATIENCE: Duration = Duration::from_secs(30);

/// A stream that is read in pieces as large as they come.
struct Stream<'a>(BufReader<&'a TcpStream>);

impl Read for Stream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Write for Stream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.get_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.get_mut().flush()
    }
}

/// Serves a connection until it ends.
pub fn serve(stream: &TcpStream, server: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut stream = Stream(BufReader::with_capacity(4096, stream));
    while let Some(head) = Head::read(&mut stream)? {
        let head_only = head.method == "HEAD";
        if let Some(refusal) = refusal(&head, server) {
            return refusal.send(&mut stream, head_only);
        }
        if head.path == "/session" {
            return converse(&head, stream, server);
        }
        match page::file(&head.path, server.page.as_deref()) {
            Some((kind, body)) => {
                Reply { status: "200 OK", kind, body: &body }.send(&mut stream, head_only)?;
            }
            None => Reply::text("404 Not Found", "there is no such file")
                .send(&mut stream, head_only)?,
        }
    }
    Ok(())
}

/// Why a request is not answered.
fn refusal(head: &Head, server: &Shared) -> Option<Reply<'static>> {
    if head.method != "GET" && head.method != "HEAD" {
        return Some(Reply::text("405 Method Not Allowed", "only GET is answered here"));
    }
    if !head.field("host").is_some_and(|host| server.is_here(host)) {
        return Some(Reply::text("403 Forbidden", "this is not the host that was asked for"));
    }
    let from_here =
        |origin: &str| origin.strip_prefix("http://").is_some_and(|host| server.is_here(host));
    if head.has("origin") && !head.field("origin").is_some_and(from_here) {
        return Some(Reply::text("403 Forbidden", "other pages are not answered"));
    }
    // A body would be taken for the next request.
    if head.has("transfer-encoding") || head.field("content-length").is_some_and(|n| n != "0") {
        return Some(Reply::text("400 Bad Request", "a request has no body here"));
    }
    None
}

/// A session over a WebSocket.
fn converse(head: &Head, mut stream: Stream<'_>, server: &Shared) -> io::Result<()> {
    if !head.parameter("token").is_some_and(|token| server.knows(token)) {
        let sentence = "the token is not right: open the address that blockstar has printed";
        return Reply::text("403 Forbidden", sentence).send(&mut stream, false);
    }
    let upgrades = head.lists("upgrade", "websocket") && head.lists("connection", "upgrade");
    let version = head.field("sec-websocket-version") == Some("13");
    let Some(key) = head.field("sec-websocket-key").filter(|_| upgrades && version) else {
        let sentence = "sessions are spoken to over a WebSocket, version 13";
        return Reply::text("426 Upgrade Required", sentence).send(&mut stream, false);
    };
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        sha1::accept_key(key)
    );
    stream.write_all(answer.as_bytes())?;
    // Between requests a client may take its time.
    stream.0.get_ref().set_read_timeout(None)?;
    let limits = Limits::default();
    let clock = || ThreadTime::now().as_duration().as_secs_f64() * 1e6;
    let begun = Instant::now();
    let wall = move || begun.elapsed().as_secs_f64() * 1e6;
    let clock = Clock::new("processor", 1.0, clock).and_wall(wall);
    let mut session = Session::new(limits, clock);
    if let Some(map) = &server.map {
        session = session.with_map(map.grid.clone(), &map.name, map.cell_size);
    }
    loop {
        match websocket::read(&mut stream, limits.request)? {
            Message::Binary(request) => websocket::send(&mut stream, &session.handle(&request))?,
            Message::Close(code) => return websocket::close(&mut stream, code),
        }
    }
}
