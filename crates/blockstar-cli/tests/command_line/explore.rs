//! `blockstar explore`: the page, the socket, and who is let in.

use crate::support::{blockstar, harbour};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
struct Explorer {
    child: Child,
    host: String,
    token: String,
}

impl Explorer {
    fn start(arguments: &[&str]) -> Self {
        let mut command = blockstar();
        command.args(["explore", "--no-open"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let (host, token) = line.trim().split_once("/?token=").expect("an address");
        let host = host.strip_prefix("http://").unwrap().into();
        Self { child, host, token: token.into() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// What a request is answered, head and body.
    fn get(&self, path: &str, fields: &str) -> String {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\n{fields}\r\n").unwrap();
        // The server goes on listening; the length says when the reply is over.
        let mut reply = Vec::new();
        let mut bytes = [0; 4096];
        loop {
            let text = String::from_utf8_lossy(&reply).into_owned();
            let whole = text.split_once("\r\n\r\n").is_some_and(|(head, _)| {
                let length = head.split("Content-Length: ").nth(1);
                let length = length.and_then(|rest| rest.lines().next()?.parse().ok());
                reply.len() >= head.len() + 4 + length.unwrap_or(0)
            });
            if whole {
                return text;
            }
            match stream.read(&mut bytes) {
                Ok(0) | Err(_) => return text,
                Ok(count) => reply.extend(&bytes[..count]),
            }
        }
    }

    fn socket(&self) -> Socket {
        let mut stream = self.connect();
        write!(
            stream,
            "GET /session?token={} HTTP/1.1\r\nHost: {}\r\nOrigin: http://{}\r\nUpgrade: websocket\r\n\
             Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.token, self.host, self.host
        )
        .unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        assert!(head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
        Socket(stream)
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client's end of a WebSocket.
struct Socket(TcpStream);

impl Socket {
    fn send(&mut self, request: &Value) {
        let message = blockstar_session::frame(request.as_object().unwrap(), &[]);
        let mask = [1, 2, 3, 4];
        let mut bytes = vec![0x82, 0xfe];
        bytes.extend((message.len() as u16).to_be_bytes());
        bytes.extend(mask);
        bytes.extend(message.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        self.0.write_all(&bytes).unwrap();
    }

    /// The header of a reply.
    fn receive(&mut self) -> Value {
        let mut read = |count: usize| {
            let mut bytes = vec![0; count];
            self.0.read_exact(&mut bytes).unwrap();
            bytes
        };
        let head = read(2);
        assert_eq!(head[0], 0x82);
        let length = match head[1] {
            126 => u16::from_be_bytes(read(2).try_into().unwrap()).into(),
            127 => u64::from_be_bytes(read(8).try_into().unwrap()) as usize,
            short => short.into(),
        };
        let message = read(length);
        let length = u32::from_le_bytes(message[..4].try_into().unwrap()) as usize;
        serde_json::from_slice(&message[4..4 + length]).unwrap()
    }

    fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        self.receive()
    }
}

#[test]
fn the_page_is_served_and_strangers_are_not() {
    let explorer = Explorer::start(&[]);
    let host = format!("Host: {}\r\n", explorer.host);
    let page = explorer.get("/?token=whatever", &host);
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("<html"), "{page}");
    assert!(page.contains("Content-Security-Policy: default-src 'self'"), "{page}");
    for (path, fields, status) in [
        ("/nothing.js", &*host, "404"),
        ("/../Cargo.toml", &host, "404"),
        ("/", "", "403"),
        ("/", "Host: evil.example\r\n", "403"),
        ("/", &format!("{host}Origin: http://evil.example\r\n"), "403"),
        ("/", &format!("{host}Origin: null\r\n"), "403"),
        ("/", &format!("{host}{host}"), "403"),
        ("/", &format!("{host}Content-Length: 5\r\n"), "400"),
        ("/session", &host, "403"),
        ("/session?token=0123456789abcdef0123456789abcdef", &host, "403"),
        (&format!("/session?token={}", explorer.token), &host, "426"),
    ] {
        let reply = explorer.get(path, fields);
        assert!(reply.starts_with(&format!("HTTP/1.1 {status}")), "{path} {fields}: {reply}");
    }
    let mut stream = explorer.connect();
    write!(stream, "POST / HTTP/1.1\r\n{host}\r\n").unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 405"), "{reply}");
}

#[test]
fn a_session_begins_with_the_map_of_the_command_line() {
    let explorer = Explorer::start(&[&harbour()]);
    let mut socket = explorer.socket();
    let hello = socket.ask(&json!({ "op": "hello" }));
    assert_eq!(
        (&hello["map"]["name"], &hello["clock"]),
        (&json!("harbour.map"), &json!("processor"))
    );
    let plan =
        json!({ "op": "plan", "planner": "jps", "start": [3, 4], "goal": [90, 40], "trace": true });
    let answer = socket.ask(&plan);
    assert_eq!((&answer["status"], &answer["check"]["legal"]), (&json!("found"), &json!(true)));
    // Another connection is another session of the same map.
    socket.ask(&json!({ "op": "edit", "changes": [
        { "shape": "rect", "x": 0, "y": 0, "width": 96, "height": 48, "tile": "blocked" } ] }));
    assert_eq!(socket.ask(&plan)["status"], "no-path");
    assert_eq!(explorer.socket().ask(&plan)["status"], "found");
}

#[test]
fn a_slow_or_silent_client_stalls_nobody() {
    let explorer = Explorer::start(&[]);
    // One that asks for much and reads nothing, one that stops in the middle of a message, and one
    // that hangs up.
    let mut deaf = explorer.socket();
    for _ in 0..20 {
        deaf.send(&json!({ "op": "example", "name": "caves" }));
    }
    let mut silent = explorer.socket();
    silent.0.write_all(&[0x82, 0xff, 0, 0]).unwrap();
    let mut rude = explorer.socket();
    rude.send(&json!({ "op": "example", "name": "caves" }));
    drop(rude);
    let begun = Instant::now();
    let mut socket = explorer.socket();
    for _ in 0..20 {
        assert_eq!(socket.ask(&json!({ "op": "new", "width": 9, "height": 9 }))["ok"], true);
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // Bytes that are no WebSocket frame end that connection alone.
    let mut wrong = explorer.socket();
    wrong.0.write_all(&[0xff; 64]).unwrap();
    let mut rest = Vec::new();
    let _ = wrong.0.read_to_end(&mut rest);
    assert_eq!(rest[..4], [0x88, 2, 0x03, 0xea], "protocol error");
    assert_eq!(socket.ask(&json!({ "op": "map" }))["ok"], true);
}

#[test]
fn a_thousand_connections_hold() {
    let explorer = Explorer::start(&[]);
    let mut sockets = Vec::new();
    for _ in 0..1000 {
        // Where this process may not have so many files open, as many as it may.
        match TcpStream::connect(&explorer.host) {
            Err(error) if error.kind() != ErrorKind::ConnectionRefused && sockets.len() > 400 => {
                break;
            }
            connected => drop(connected.unwrap()),
        }
        sockets.push(explorer.socket());
    }
    let request = json!({ "op": "generate", "kind": "rooms", "width": 40, "height": 40 });
    for socket in &mut sockets {
        socket.send(&request);
    }
    for socket in &mut sockets {
        assert_eq!(socket.receive()["map"]["width"], 40);
    }
    if cfg!(target_os = "linux") {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", explorer.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap();
        println!("{} connections take {kilobytes} kB", sockets.len());
        assert!(kilobytes < 400_000, "{kilobytes} kB");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_open_connections() {
    let mut explorer = Explorer::start(&[]);
    let mut socket = explorer.socket();
    let pid = explorer.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let begun = Instant::now();
    let status = explorer.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(10));
    let mut rest = Vec::new();
    let _ = socket.0.read_to_end(&mut rest);
    assert!(rest.is_empty());
}

#[test]
fn the_page_is_exported_with_an_engine() {
    let folder = crate::support::Folder::new();
    let engine = folder.write("engine.wasm", b"\0asm\x01\0\0\0");
    let out = folder.path("site");
    crate::support::answer(0, &["explore", "--export", &out, "--wasm", &engine]);
    assert!(folder.read("site/index.html").starts_with(b"<!"));
    assert_eq!(folder.read("site/blockstar.wasm"), b"\0asm\x01\0\0\0");
    let wrong = folder.write("wrong.wasm", b"text");
    crate::support::answer(2, &["explore", "--export", &out, "--wasm", &wrong]);
}
