//! Folders for tests, and runs of the binary.

use png::{BitDepth, ColorType};
use serde_json::Value;
use std::io::Cursor;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A fresh folder for one test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.join(name).to_str().unwrap().into()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.join(name), content).unwrap();
        self.path(name)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.join(name)).unwrap()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The project's own map.
pub fn harbour() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/harbour.map");
    path.to_str().unwrap().into()
}

/// The binary with a clean environment: the maps of the machine would make runs long.
pub fn blockstar() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_blockstar"));
    command.env_remove("BLOCKSTAR_MAPS").env_remove("NO_COLOR");
    command
}

pub fn run(arguments: &[&str]) -> Output {
    finish(blockstar().args(arguments))
}

/// Standard output of a run that ends with this code.
pub fn answer(code: i32, arguments: &[&str]) -> String {
    answered(run(arguments), code, arguments)
}

/// The same as JSON.
pub fn json(code: i32, arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(code, arguments)).unwrap()
}

/// A run that reads this from standard input.
pub fn run_with(input: &[u8], arguments: &[&str]) -> Output {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = blockstar();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Checks that a run ends with code 2 and a message that contains all these pieces.
pub fn refused(arguments: &[&str], pieces: &[&str]) {
    check_refused(&run(arguments), arguments, pieces);
}

pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The same for runs inside a folder.
pub mod within {
    use super::*;

    fn run(folder: &Path, arguments: &[&str]) -> Output {
        finish(blockstar().current_dir(folder).args(arguments))
    }

    pub fn answer(folder: &Path, code: i32, arguments: &[&str]) -> String {
        answered(run(folder, arguments), code, arguments)
    }

    /// The output of a run with `--json`.
    pub fn json(folder: &Path, arguments: &[&str]) -> Value {
        serde_json::from_str(&answer(folder, 0, &[arguments, &["--json"]].concat())).unwrap()
    }

    pub fn refused(folder: &Path, arguments: &[&str], pieces: &[&str]) {
        check_refused(&run(folder, arguments), arguments, pieces);
    }

    /// The message of a run that ends with code 2.
    pub fn complaint(folder: &Path, arguments: &[&str]) -> String {
        let output = run(folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        complaint_of(&output, arguments)
    }
}

/// A PNG file of these samples.
pub fn png(
    (width, height): (u32, u32),
    colour: ColorType,
    depth: BitDepth,
    samples: &[u16],
) -> Vec<u8> {
    let data: Vec<u8> = match depth {
        BitDepth::Sixteen => samples.iter().flat_map(|sample| sample.to_be_bytes()).collect(),
        _ => samples.iter().map(|&sample| sample as u8).collect(),
    };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The width and height of a PNG file whose every pixel can be decoded.
pub fn png_size(bytes: &[u8]) -> (u32, u32) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    (frame.width, frame.height)
}

fn finish(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let complaint = errors(&output);
    assert!(!complaint.contains("panicked"), "{command:?}: {complaint}");
    output
}

fn answered(output: Output, code: i32, arguments: &[&str]) -> String {
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", errors(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What a run complains about: with `--json` in an object on standard output.
fn complaint_of(output: &Output, arguments: &[&str]) -> String {
    if !arguments.contains(&"--json") {
        return errors(output);
    }
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["exit_code"], 2, "{arguments:?}: {object}");
    assert_eq!(object.as_object().unwrap().len(), 2, "{object}");
    object["error"].as_str().unwrap().into()
}

fn check_refused(output: &Output, arguments: &[&str], pieces: &[&str]) {
    let complaint = complaint_of(output, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    for piece in pieces {
        assert!(complaint.contains(piece), "{arguments:?}: no `{piece}` in: {complaint}");
    }
}
