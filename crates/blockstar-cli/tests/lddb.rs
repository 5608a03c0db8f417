//! `build lddb`, `info`, `verify` and `--lddb` as their users meet them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("blockstar-lddb-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn harbour() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/harbour.map");
    path.to_str().unwrap().into()
}

fn run(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_blockstar")).args(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(!complaint.contains("panicked"), "{arguments:?}: {complaint}");
    output
}

/// Standard output of a run that ends well.
fn answer(arguments: &[&str]) -> String {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// Checks that a run ends with code 2 and a sentence that holds the given piece.
fn refused(arguments: &[&str], piece: &str) {
    let output = run(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
    assert!(complaint.contains(piece), "{arguments:?}: no `{piece}` in: {complaint}");
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(arguments)).unwrap()
}

#[test]
fn a_complete_database_is_built_told_and_verified() {
    let folder = Folder::new();
    let file = folder.path("any.lddb");
    let build = ["build", "lddb", "--kind", "any-angle", "--block", "4", "-o", &file];
    let text = answer(&build);
    for piece in ["4 x 4 cells", "65,536", "8,548 up to turning", "any-angle", "seconds"] {
        assert!(text.contains(piece), "no `{piece}` in: {text}");
    }
    let built = json(&[&build[..], &["--json"]].concat());
    let told = json(&["info", &file, "--json"]);
    assert_eq!(told["holds"], "local distance database");
    assert_eq!((&told["map"], &told["format"]), (&"any".into(), &2.into()));
    for (name, value) in [
        ("kind", Value::from("any-angle")),
        ("moves", "any-angle".into()),
        ("block", 4.into()),
        ("complete", true.into()),
        ("patterns", 65_536.into()),
        ("distinct", 8548.into()),
        ("entries", 15_728_640.into()),
        ("bytes", std::fs::metadata(&file).unwrap().len().into()),
    ] {
        assert_eq!((&built[name], &told[name]), (&value, &value), "{name}");
    }
    assert!(built["seconds"].as_f64().unwrap() > 0.0);
    assert!(answer(&["info", &file]).contains("every content without terrain"));
    assert!(answer(&["verify", &file]).contains("all 65,536 tables are right"));
}

#[test]
fn every_kind_and_rule_is_built() {
    let folder = Folder::new();
    let file = folder.path("some.lddb");
    for (kind, rule) in [
        ("tile", "four"),
        ("octile", "eight"),
        ("octile", "eight-cut-one"),
        ("octile", "eight-cut-any"),
        ("any-angle", "any-angle"),
        ("any-angle", "any-angle-squeeze"),
    ] {
        let build = ["build", "lddb", "--kind", kind, "--moves", rule, "--block", "3"];
        let built = json(&[&build[..], &["-o", &file, "--json"]].concat());
        assert_eq!((&built["kind"], &built["moves"]), (&kind.into(), &rule.into()));
        assert!(answer(&["verify", &file]).contains("all 512 tables"));
    }
}

#[test]
fn tables_of_maps_are_collected_and_used() {
    let folder = Folder::new();
    let (file, map) = (folder.path("harbour.lddb"), harbour());
    let build = ["build", "lddb", "--kind", "octile", "--block", "8", "-o", &file, "--map", &map];
    let built = json(&[&build[..], &["--json"]].concat());
    assert_eq!(built["complete"], false);
    assert!(built["patterns"].as_u64() >= built["distinct"].as_u64());
    assert!(answer(&["verify", &file]).contains("tables are right"));
    let route = ["route", &map, "--from", "3,4", "--to", "90,40", "--json"];
    let given = json(&[&route[..], &["--lddb", &file]].concat());
    let own = json(&[&route[..], &["--planner", "block-astar:block=8"]].concat());
    assert_eq!(given["planner"], "block-astar:block=8");
    for name in ["status", "cost", "points", "stats", "planner_bytes"] {
        assert_eq!(given[name], own[name], "{name}");
    }
    let wrong_block = ["--lddb", &file, "--planner", "block-astar:block=4"];
    refused(&[&route[..], &wrong_block].concat(), "blocks of 8 cells");
    refused(&[&route[..], &["--lddb", &file, "--moves", "four"]].concat(), "not for four");
    refused(&[&route[..], &["--lddb", &file, "--planner", "jps"]].concat(), "use `block-astar`");

    let rooms = folder.path("rooms.map");
    answer(&["generate", "rooms", "--size", "40x40", "--queries", "5", "-o", &rooms]);
    let bench = ["bench", &rooms, "--json", "--lddb", &file];
    let results = json(&[&bench[..], &["--planner", "block-astar"]].concat());
    assert_eq!(results["results"][1]["planner"], "block-astar:block=8");
    refused(&[&bench[..], &["--planner", "jps"]].concat(), "use `block-astar`");
}

#[test]
fn what_makes_no_sense_is_refused_with_a_sentence() {
    let folder = Folder::new();
    let file = folder.path("tile.lddb");
    let build = ["build", "lddb", "--kind", "tile", "-o", &file];
    refused(&[&build[..], &["--block", "8"]].concat(), "2^64 contents");
    refused(&[&build[..], &["--block", "17"]].concat(), "17");
    refused(&[&build[..], &["--moves", "eight"]].concat(), "its rules are four");
    refused(&[&build[..], &["--diagonal", "1.4"]].concat(), "leave it out");
    assert!(!Path::new(&file).exists());
    answer(&[&build[..], &["--block", "3"]].concat());
    let bytes = std::fs::read(&file).unwrap();
    for (damaged, piece) in [
        (&bytes[..40], "within its header"),
        (&bytes[..bytes.len() - 1], "fetch it again"),
        (&[], "no file of this library"),
        (b"height 3", "no file of this library"),
    ] {
        std::fs::write(&file, damaged).unwrap();
        refused(&["info", &file], piece);
        refused(&["verify", &file], piece);
    }
    refused(&["info", &folder.path("nothing")], "cannot be read");
    refused(&["info", folder.0.to_str().unwrap()], "cannot be read");
}

/// What a planner has prepared for a map, as a file: the same as the tables collected from it.
#[test]
fn a_prepared_planner_is_kept_as_a_database() {
    let folder = Folder::new();
    let (kept, collected) = (folder.path("kept.lddb"), folder.path("collected.lddb"));
    for (moves, kind) in [("eight", "octile"), ("any-angle", "any-angle")] {
        let told = answer(&[
            "build",
            "planner",
            "block-astar:block=8",
            &harbour(),
            "--moves",
            moves,
            "-o",
            &kept,
        ]);
        assert!(told.contains("block-astar:block=8"), "{told}");
        answer(&[
            "build",
            "lddb",
            "--kind",
            kind,
            "--block",
            "8",
            "--map",
            &harbour(),
            "-o",
            &collected,
        ]);
        assert_eq!(std::fs::read(&kept).unwrap(), std::fs::read(&collected).unwrap());
        let ends = ["--moves", moves, "--from", "3,4", "--to", "90,40", "--json"];
        let route = |more: &[&str]| json(&[&["route", &harbour()][..], &ends, more].concat());
        let from_file = route(&["--lddb", &kept]);
        assert_eq!(from_file["points"], route(&["--planner", "block-astar:block=8"])["points"]);
    }
}
