//! Opening an address in the browser, as each system does it.

use std::process::{Command, Stdio};

/// Opens an address; it does not wait for the browser.
pub fn open(address: &str) -> std::io::Result<()> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        // `start` takes its first quoted argument for a title.
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // Nobody needs its exit code, but it must be collected.
    std::thread::spawn(move || child.wait());
    Ok(())
}
