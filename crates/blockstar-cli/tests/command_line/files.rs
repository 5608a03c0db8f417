//! What files mean, how they are named, and what is said about them.

use crate::support::{Folder, answer, errors, harbour, json, refused, run, run_with};
use serde_json::{Value, json};

/// A table of zeros and ones was once read as heights: flat ground with steps of a metre.
#[test]
fn occupancy_tables_are_not_read_as_heights() {
    let folder = Folder::new();
    let file = folder.write("walls.csv", "0,1,0\n0,1,0\n0,0,0\n");
    let route = ["route", &file, "--from", "0,0", "--to", "2,0", "--moves", "four"];
    refused(&route, &["walls.csv is a table of numbers", "--as occupancy", "--as heights"]);
    let ask = |more: &[&str]| json(0, &[&route[..], &["--json"], more].concat());
    let walls = ask(&["--as", "occupancy"]);
    assert_eq!((&walls["cost"], &walls["map"]["free_cells"]), (&json!(6.0), &json!(7)));
    assert!(walls["slope"].is_null());
    let hills = ask(&["--as", "heights"]);
    assert!(hills["slope"].is_string() && hills["map"]["free_cells"] == 9);
    assert_eq!(ask(&["--heights"])["cost"], hills["cost"]);
    let grounds = folder.write("costs.csv", "1,0.5,1\n1,,1\n2,0,300\n");
    let route = ["route", &grounds, "--from", "0,0", "--to", "2,0", "--as", "costs", "--json"];
    refused(&route, &["row 3, column 3", "the cost is 300"]);
    let grounds = folder.write("costs.csv", "1,0.5,1\n1,,1\n2,0,3\n");
    let route = ["route", &grounds, "--from", "0,0", "--to", "2,0", "--as", "costs", "--json"];
    assert_eq!(json(0, &route)["cost"], 1.5);
}

#[test]
fn tables_of_occupancy_know_unknown_cells() {
    let folder = Folder::new();
    let file = folder.write("grid.csv", "0,-1,0\n0,100,\n");
    let free = |more: &[&str]| {
        json(0, &[&["info", &file, "--as", "occupancy", "--json"], more].concat())["free_cells"]
            .clone()
    };
    assert_eq!(free(&[]), 3);
    assert_eq!(free(&["--unknown", "free"]), 5);
    let odd = folder.write("odd.csv", "0,1\n0,7\n");
    refused(
        &["info", &odd, "--as", "occupancy"],
        &["row 2, column 2: 7 is not an occupancy", "1 or 100 blocked"],
    );
    refused(&["info", &odd, "--as", "costs", "--unknown", "free"], &["--unknown is for ROS maps"]);
    // What a file says itself need not, and cannot, be said again.
    let map = harbour();
    refused(&["info", &map, "--as", "occupancy"], &["a MovingAI map", "leave --as out"]);
    let picture = folder.write("a.pgm", b"P5 2 1 255\n\x00\xff");
    refused(&["info", &picture, "--as", "costs"], &["cannot be read like this"]);
    assert_eq!(json(0, &["info", &picture, "--as", "occupancy", "--json"])["free_cells"], 1);
    assert_eq!(json(0, &["info", &picture, "--as", "heights", "--json"])["heights"][1], 255.0);
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let folder = Folder::new();
    let drawing = b"..#\n...\n#..\n";
    let made = run_with(drawing, &["convert", "-", "-"]);
    assert_eq!(made.status.code(), Some(0), "{}", errors(&made));
    assert!(made.stdout.starts_with(b"type octile\nheight 3\nwidth 3\nmap\n"));
    assert!(errors(&made).contains("3 x 3 cells, 7 free"), "what is told goes elsewhere");
    let route = ["route", "-", "--from", "0,0", "--to", "2,2", "--json"];
    let found: Value = serde_json::from_slice(&run_with(&made.stdout, &route).stdout).unwrap();
    assert_eq!((&found["status"], &found["turns"]), (&json!("found"), &json!(0)));
    let info = run_with(b"0,5\n9,1\n", &["info", "-", "--as", "heights", "--json"]);
    let info: Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!((&info["heights"], &info["format"]), (&json!([0.0, 9.0]), &json!("table")));
    let hills = run(&["generate", "terrain", "--size", "8x8", "-o", "-"]);
    assert!(hills.stdout.starts_with(b"ncols 8\n"), "{}", errors(&hills));
    let again = run_with(&hills.stdout, &["info", "-", "--json"]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["format"], "ESRI grid");
    let map = folder.write("flat.txt", "...\n...\n");
    let ends = ["--from", "0,0", "--to", "2,0", "--heights-file", "-", "--json"];
    let steep = run_with(b"0,9,0\n0,9,0\n", &[&["route", &map], &ends[..]].concat());
    let steep: Value = serde_json::from_slice(&steep.stdout).unwrap();
    assert!(steep["cost"].as_f64() > Some(18.0), "{steep}");
    refused(&[&["route", "-"], &ends[..]].concat(), &["both the map and its heights"]);
    refused(
        &["generate", "maze", "--size", "9x9", "--queries", "3", "-o", "-"],
        &["--queries", "standard output"],
    );
    let empty = run_with(b"", &["info", "-"]);
    assert_eq!(empty.status.code(), Some(2));
    assert!(errors(&empty).contains("standard input: neither the name nor the content"));
}

#[test]
fn info_tells_about_maps() {
    let folder = Folder::new();
    let file = folder.write("a.txt", "..#2\n..#9\n");
    let facts = json(0, &["info", &file, "--json"]);
    let want = json!({
        "file": file,
        "holds": "map with terrain",
        "format": "drawing",
        "width": 4,
        "height": 2,
        "free_cells": 6,
        "free_share": 0.75,
        "components": 2,
        "largest_component": 4,
        "costs": [1.0, 9.0],
    });
    assert_eq!(facts, want);
    let text = answer(0, &["info", &file]);
    assert!(text.contains("free share        75.0 %\n"), "{text}");
    assert!(text.contains("costs             1.0 to 9.0\n"), "{text}");
    let heights = folder.write("h.asc", "ncols 2\nnrows 1\ncellsize 30\n5 -7.5\n");
    let text = answer(0, &["info", &heights]);
    assert!(text.contains("heights           -7.5 to 5.0 m\n"), "{text}");
    assert!(text.contains("cell size         30.0 m\n"), "{text}");
}

/// One object on standard output, nothing else, and the code as ever.
#[test]
fn errors_are_json_where_json_is_asked_for() {
    for arguments in [
        &["route", "no.map", "--from", "0,0", "--to", "1,1", "--json"][..],
        &["info", "no.map", "--json"],
        &["bench", "no.map", "--json"],
        &["planners", "--json", "--nonsense"],
        &["route", "--json"],
        &["generate", "maz", "--json"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", errors(&output));
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["exit_code"], 2);
        let error = object["error"].as_str().unwrap();
        assert!(!error.starts_with("error:") && !error.contains("Usage"), "{error}");
    }
    assert!(run(&["planners", "--json", "--help"]).status.success(), "help is no error");
}

#[test]
fn a_slip_of_the_finger_is_understood() {
    let map = harbour();
    let route = ["route", &map, "--from", "3,4", "--to", "9,9"];
    let slip = |more: &[&str], piece: &str| refused(&[&route[..], more].concat(), &[piece]);
    slip(&["--planner", "atsar"], "there is no planner `atsar`: did you mean `astar`?");
    slip(&["--planner", "block-astar:blok=4"], "did you mean `block`?");
    slip(&["--moves", "eigth"], "did you mean `eight`?");
    slip(&["--heuristic", "octille"], "did you mean `octile`?");
    slip(&["--planner", "zzzzzz"], "`blockstar planners` lists them");
    slip(&["--nearst"], "'--nearest'");
    refused(&["generate", "maz", "--size", "9x9", "-o", "a.map"], &["similar value", "'maze'"]);
    refused(
        &["render", &map, "-o", "a.png", "--route", "jsp", "--from", "0,0", "--to", "1,1"],
        &["did you mean `jps`?"],
    );
}

/// Blocks are not cells: what a legend says must not look as if they were.
#[test]
fn legends_say_blocks_where_blocks_are_counted() {
    let folder = Folder::new();
    let (map, picture) = (harbour(), folder.path("a.svg"));
    let ends = ["--from", "3,4", "--to", "90,40", "-o", &picture];
    let text = answer(0, &[&["render", &map, "--route", "astar,block-astar"], &ends[..]].concat());
    let line = |name: &str| text.lines().find(|line| line.trim().starts_with(name)).unwrap();
    assert!(line("block-astar").ends_with(" blocks expanded"), "{text}");
    assert!(!line("astar").contains("blocks"), "{text}");
}

/// Nothing that is written leaves anything but itself behind.
#[test]
fn files_are_whole_and_alone() {
    let folder = Folder::new();
    let map = folder.path("a.map");
    answer(0, &["generate", "maze", "--size", "60x60", "--queries", "3", "-o", &map]);
    let first = folder.read("a.map");
    answer(0, &["generate", "maze", "--size", "60x60", "--seed", "2", "-o", &map]);
    assert_ne!(first, folder.read("a.map"));
    let names = || {
        let entries = std::fs::read_dir(&*folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["a.map", "a.map.scen"]);
    refused(&["convert", &map, &folder.path("no/b.map")], &["no/b.map cannot be written"]);
    refused(&["convert", &map, &folder.path("c.csv")], &["holds heights, and no walls"]);
    assert_eq!(names(), ["a.map", "a.map.scen"]);
}
