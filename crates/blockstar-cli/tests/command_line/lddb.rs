//! `build lddb`, `info`, `verify` and `--lddb` as their users meet them.

use crate::support::{Folder, answer, harbour, json, refused};
use serde_json::Value;
use std::path::Path;

#[test]
fn a_complete_database_is_built_told_and_verified() {
    let folder = Folder::new();
    let file = folder.path("any.lddb");
    let build = ["build", "lddb", "--kind", "any-angle", "--block", "4", "-o", &file];
    let text = answer(0, &build);
    for piece in ["4 x 4 cells", "65,536", "8,548 up to rotation", "any-angle", "seconds"] {
        assert!(text.contains(piece), "no `{piece}` in: {text}");
    }
    let built = json(0, &[&build[..], &["--json"]].concat());
    let told = json(0, &["info", &file, "--json"]);
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
    assert!(answer(0, &["info", &file]).contains("every content without terrain"));
    assert!(answer(0, &["verify", &file]).contains("all 65,536 tables are right"));
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
        let built = json(0, &[&build[..], &["-o", &file, "--json"]].concat());
        assert_eq!((&built["kind"], &built["moves"]), (&kind.into(), &rule.into()));
        assert!(answer(0, &["verify", &file]).contains("all 512 tables"));
    }
}

#[test]
fn tables_of_maps_are_collected_and_used() {
    let folder = Folder::new();
    let (file, map) = (folder.path("harbour.lddb"), harbour());
    let build = ["build", "lddb", "--kind", "octile", "--block", "8", "-o", &file, "--map", &map];
    let built = json(0, &[&build[..], &["--json"]].concat());
    assert_eq!(built["complete"], false);
    assert!(built["patterns"].as_u64() >= built["distinct"].as_u64());
    assert!(answer(0, &["verify", &file]).contains("tables are right"));
    let route = ["route", &map, "--from", "3,4", "--to", "90,40", "--json"];
    let given = json(0, &[&route[..], &["--lddb", &file]].concat());
    let own = json(0, &[&route[..], &["--planner", "block-astar:block=8"]].concat());
    assert_eq!(given["planner"], "block-astar:block=8");
    for name in ["status", "cost", "points", "stats", "planner_bytes"] {
        assert_eq!(given[name], own[name], "{name}");
    }
    let wrong_block = ["--lddb", &file, "--planner", "block-astar:block=4"];
    refused(&[&route[..], &wrong_block].concat(), &["blocks of 8 cells"]);
    refused(&[&route[..], &["--lddb", &file, "--moves", "four"]].concat(), &["not for four"]);
    refused(&[&route[..], &["--lddb", &file, "--planner", "jps"]].concat(), &["use `block-astar`"]);

    let rooms = folder.path("rooms.map");
    answer(0, &["generate", "rooms", "--size", "40x40", "--queries", "5", "-o", &rooms]);
    let bench = ["bench", &rooms, "--json", "--lddb", &file];
    let results = json(0, &[&bench[..], &["--planner", "block-astar"]].concat());
    assert_eq!(results["results"][1]["planner"], "block-astar:block=8");
    refused(&[&bench[..], &["--planner", "jps"]].concat(), &["use `block-astar`"]);
}

#[test]
fn what_makes_no_sense_is_refused_with_a_sentence() {
    let folder = Folder::new();
    let file = folder.path("tile.lddb");
    let build = ["build", "lddb", "--kind", "tile", "-o", &file];
    refused(&[&build[..], &["--block", "8"]].concat(), &["2^64 contents"]);
    refused(&[&build[..], &["--block", "17"]].concat(), &["17"]);
    refused(&[&build[..], &["--moves", "eight"]].concat(), &["its rules are four"]);
    refused(&[&build[..], &["--diagonal", "1.4"]].concat(), &["leave it out"]);
    assert!(!Path::new(&file).exists());
    answer(0, &[&build[..], &["--block", "3"]].concat());
    let bytes = std::fs::read(&file).unwrap();
    for (damaged, piece) in [
        (&bytes[..40], "within its header"),
        (&bytes[..bytes.len() - 1], "fetch it again"),
        (&[], "not a file of this library"),
        (b"height 3", "not a file of this library"),
    ] {
        std::fs::write(&file, damaged).unwrap();
        refused(&["info", &file], &[piece]);
        refused(&["verify", &file], &[piece]);
    }
    refused(&["info", &folder.path("nothing")], &["cannot be read"]);
    refused(&["info", folder.to_str().unwrap()], &["cannot be read"]);
}

/// What a planner has prepared for a map, as a file: the same as the tables collected from it.
#[test]
fn a_prepared_planner_is_kept_as_a_database() {
    let folder = Folder::new();
    let (kept, collected) = (folder.path("kept.lddb"), folder.path("collected.lddb"));
    for (moves, kind) in [("eight", "octile"), ("any-angle", "any-angle")] {
        let told = answer(
            0,
            &["build", "planner", "block-astar:block=8", &harbour(), "--moves", moves, "-o", &kept],
        );
        assert!(told.contains("block-astar:block=8"), "{told}");
        answer(
            0,
            &[
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
            ],
        );
        assert_eq!(std::fs::read(&kept).unwrap(), std::fs::read(&collected).unwrap());
        let ends = ["--moves", moves, "--from", "3,4", "--to", "90,40", "--json"];
        let route = |more: &[&str]| json(0, &[&["route", &harbour()][..], &ends, more].concat());
        let from_file = route(&["--lddb", &kept]);
        assert_eq!(from_file["points"], route(&["--planner", "block-astar:block=8"])["points"]);
    }
}
