//! The server: a thread that accepts connections, and one for each of them.
//!
//! Threads, because nothing else must happen on a connection while its session thinks, and a slow or
//! dropped client holds up its own thread alone. Idle ones cost a few pages of memory each.

use super::{connection, file_limit};
use blockstar::Grid;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most connections at a time.
const MOST_CONNECTIONS: usize = 2000;

/// The stack of a connection's thread. It is reserved, not used, until something needs it.
const STACK: usize = 2 << 20;

/// A map that sessions begin with.
#[derive(Debug)]
pub struct FirstMap {
    pub grid: Grid,
    pub name: String,
    pub cell_size: f64,
}

/// A server, shared by all of its threads.
#[derive(Clone, Debug)]
pub struct Server(Arc<Shared>);

/// What connections need to know.
#[derive(Debug)]
pub struct Shared {
    listener: TcpListener,
    at: SocketAddr,
    token: String,
    pub map: Option<FirstMap>,
    /// Where the page is read from, if not from the program itself.
    pub page: Option<PathBuf>,
    next: AtomicU64,
    closing: AtomicBool,
    open: Mutex<Vec<(u64, Arc<TcpStream>)>>,
}

impl Server {
    /// Listens on a port of an address of this machine.
    pub fn bind(
        address: IpAddr,
        port: u16,
        map: Option<FirstMap>,
        page: Option<PathBuf>,
    ) -> Result<Self, String> {
        let cannot = |error: io::Error| {
            format!("port {port} of {address} cannot be used: {error}; take another with --port")
        };
        file_limit::raise();
        let listener = TcpListener::bind((address, port)).map_err(cannot)?;
        let at = listener.local_addr().map_err(cannot)?;
        Ok(Self(Arc::new(Shared {
            listener,
            at,
            token: token(),
            map,
            page,
            next: AtomicU64::new(0),
            closing: AtomicBool::new(false),
            open: Mutex::default(),
        })))
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.0.at, self.0.token)
    }

    /// Accepts connections until [`Server::close`].
    pub fn run(&self) -> io::Result<()> {
        loop {
            let stream = match self.0.listener.accept() {
                _ if self.0.closing.load(Ordering::Relaxed) => return Ok(()),
                Ok((stream, _)) => Arc::new(stream),
                // The client was gone before it was accepted, or there are too many open files: others
                // will end.
                Err(_) => {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    continue;
                }
            };
            let Some(guest) = self.0.enter(&stream) else { continue };
            let thread = std::thread::Builder::new().stack_size(STACK);
            // If there is no thread, the connection is dropped here.
            let _ = thread.spawn(move || {
                // A client that goes away is not worth a word.
                let _ = connection::serve(&stream, &guest.0);
            });
        }
    }

    /// Ends every connection.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, stream) in open.iter() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection that is counted until it ends.
struct Guest(Arc<Shared>, u64);

impl Drop for Guest {
    fn drop(&mut self) {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(number, _)| *number != self.1);
    }
}

impl Shared {
    /// Counts a connection in, if there is room.
    fn enter(self: &Arc<Self>, stream: &Arc<TcpStream>) -> Option<Guest> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() >= MOST_CONNECTIONS {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        open.push((number, stream.clone()));
        Some(Guest(self.clone(), number))
    }

    /// Whether a token is the right one. It takes as long for a wrong one.
    pub fn knows(&self, token: &str) -> bool {
        let mine = self.token.as_bytes();
        let differ = |(a, b): (&u8, &u8)| a ^ b;
        token.len() == mine.len()
            && token.as_bytes().iter().zip(mine).map(differ).fold(0, |all, bits| all | bits) == 0
    }

    /// Whether a `Host` is this server: by its number, or by the name that every machine has for
    /// itself. Other names may have been made to point here.
    pub fn is_here(&self, host: &str) -> bool {
        let port = self.at.port();
        if host == "localhost" || host == format!("localhost:{port}") {
            return true;
        }
        let numbered = host.parse::<SocketAddr>().ok();
        // The usual port is left out by browsers.
        let bare = || host.trim_matches(['[', ']']).parse().ok().map(|ip| SocketAddr::new(ip, 80));
        numbered.or_else(bare).is_some_and(|host| {
            host.port() == port && (host.ip().is_loopback() || !self.at.ip().is_loopback())
        })
    }
}

/// 128 bits that nobody can guess: the standard library keys its hash maps with the system's random
/// numbers, and a keyed hash does not tell its key.
fn token() -> String {
    let keyed = RandomState::new();
    format!("{:016x}{:016x}", keyed.hash_one(1), keyed.hash_one(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn hosts_and_tokens_are_told_apart() {
        let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0, None, None).unwrap();
        let port = server.0.at.port();
        for here in
            [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")]
        {
            assert!(server.0.is_here(&here), "{here}");
        }
        for elsewhere in [
            format!("evil.example:{port}"),
            format!("127.0.0.1:{}", port ^ 1),
            format!("10.0.0.1:{port}"),
            format!("localhost.evil.example:{port}"),
            "127.0.0.1".into(),
            String::new(),
        ] {
            assert!(!server.0.is_here(&elsewhere), "{elsewhere}");
        }
        let token = server.0.token.clone();
        assert!(server.0.knows(&token) && token.len() == 32);
        assert!(!server.0.knows(&token[1..]) && !server.0.knows(&"0".repeat(32)));
        assert_ne!(token, Server::bind(Ipv4Addr::LOCALHOST.into(), 0, None, None).unwrap().0.token);
    }
}
