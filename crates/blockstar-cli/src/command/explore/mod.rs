//! `blockstar explore`: watch planners think, in the browser.
//!
//! A server on this machine for one person: the page as plain files, and a socket for each
//! [session](blockstar_session::Session). It is bound to the loopback address, but pages from
//! elsewhere run on this machine too: so `Host` and `Origin` are checked, which stops them and names
//! that are made to point here, and the socket wants a token that only the printed address has.

mod browser;
mod connection;
mod file_limit;
mod http;
mod page;
mod server;
mod sha1;
mod websocket;

use crate::map_file::{self, MapOptions};
use crate::{Outcome, interrupt};
use server::{FirstMap, Server};
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Watch planners think: serve a page on this machine, print its address and open it
#[derive(clap::Args)]
pub struct Arguments {
    /// The map to begin with, in any format that `info` reads [default: the harbour]
    map: Option<PathBuf>,

    #[command(flatten)]
    map_options: MapOptions,

    /// The port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// The address to listen on; others than this machine's own let others in, with the token
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    listen: IpAddr,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Write the page as a folder of files that any web server can serve, instead of serving it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["map", "port", "no_open", "page"])]
    export: Option<PathBuf>,

    /// The engine for --export as WebAssembly; packages/blockstar/build.sh makes it
    #[arg(long, value_name = "FILE", requires = "export")]
    wasm: Option<PathBuf>,

    /// Serve the page from this folder, for work on the page itself
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

impl Arguments {
    /// Runs the command.
    pub fn run(self) -> Outcome {
        if let Some(folder) = &self.export {
            return page::export(folder, self.wasm.as_deref());
        }
        let map = match &self.map {
            None => None,
            Some(path) => {
                let loaded = map_file::load(path, &self.map_options)?;
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let cell_size = loaded.ground.as_ref().map_or(1.0, |ground| ground.cell_size);
                Some(FirstMap { grid: loaded.grid, name: name.into_owned(), cell_size })
            }
        };
        let server = Server::bind(self.listen, self.port, map, self.page)?;
        let address = server.address();
        println!("{address}");
        eprintln!("The explorer is at the address above. Ctrl-C ends it.");
        if !self.no_open
            && let Err(problem) = browser::open(&address)
        {
            eprintln!("The browser cannot be opened ({problem}): open the address yourself.");
        }
        let serving = server.clone();
        // It serves until it is told to stop; an interruption is the usual way to end it.
        interrupt::watch(move || serving.run())?;
        server.close();
        Ok(ExitCode::SUCCESS)
    }
}
