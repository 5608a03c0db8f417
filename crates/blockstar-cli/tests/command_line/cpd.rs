//! `build cpd`, `build planner hcdps`, and what other commands do with the files.

use crate::support::{self, Folder, errors};
use std::process::Output;

/// A folder with a small map.
fn rooms() -> Folder {
    let folder = Folder::new();
    let mut map = String::new();
    for y in 0..24 {
        for x in 0..30 {
            let wall = (x % 10 == 9 && y % 8 != 3) || (y % 12 == 11 && x % 10 != 4);
            map.push(if wall { '#' } else { '.' });
        }
        map.push('\n');
    }
    folder.write("rooms.txt", map);
    folder
}

fn run(arguments: &[&str]) -> (Output, String, String) {
    let output = support::run(arguments);
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = errors(&output);
    (output, answer, complaint)
}

#[test]
fn a_path_database_is_built_told_about_used_and_refused() {
    let folder = rooms();
    let (map, file) = (folder.path("rooms.txt"), folder.path("rooms.cpd"));
    let (output, answer, complaint) = run(&["build", "cpd", &map, "-o", &file, "--json"]);
    assert!(output.status.success(), "{complaint}");
    assert!(complaint.contains("about ") && complaint.contains("in memory"), "{complaint}");
    let facts: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(facts["bytes"].as_u64(), Some(std::fs::metadata(&file).unwrap().len()));
    assert!(facts["runs"].as_u64() >= facts["cells"].as_u64());

    let (output, answer, _) = run(&["info", &file]);
    assert!(output.status.success() && answer.contains("compressed path database"), "{answer}");
    let (output, answer, complaint) = run(&["verify", &file, "--map", &map]);
    assert!(output.status.success() && answer.contains("all of it is right"), "{complaint}");

    let route = |more: &[&str]| {
        let arguments = [&["route", &map, "--from", "1,1", "--to", "28,22", "--json"], more];
        let (output, answer, complaint) = run(&arguments.concat());
        assert!(output.status.success(), "{complaint}");
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        answer["cost"].as_f64().unwrap()
    };
    let best = route(&["--planner", "astar"]);
    assert!((route(&["--planner", "cpd"]) - best).abs() < 1e-9);
    assert!((route(&["--database", &file]) - best).abs() < 1e-9);

    let small = run(&["build", "cpd", &map, "-o", &file, "--memory", "0"]);
    assert_eq!(small.0.status.code(), Some(2));
    assert!(small.2.contains("the limit is 0 MiB"), "{}", small.2);
}

/// Prepared data is saved with its parameters, built again and compared.
#[test]
fn every_prepared_planner_is_built_told_about_and_checked() {
    let folder = rooms();
    let (map, file) = (folder.path("rooms.txt"), folder.path("rooms.prepared"));
    for planner in [
        "hcdps:depth=3:cut-off=20:memory=9",
        "knn-lrta-star:records=50",
        "subgoal-lrta-star:goals=auto",
        "d-lrta-star:level=2",
        "pra-star:abstraction=cliques",
    ] {
        let (output, _, complaint) = run(&["build", "planner", planner, &map, "-o", &file]);
        assert!(output.status.success(), "{complaint}");
        let (output, answer, _) = run(&["info", &file]);
        assert!(output.status.success() && answer.contains(planner), "{answer}");
        let (output, answer, complaint) = run(&["verify", &file, "--map", &map]);
        assert!(output.status.success() && answer.contains("all of it is right"), "{complaint}");
        let arguments = ["route", &map, "--from", "1,1", "--to", "28,22", "--database", &file];
        let (output, _, complaint) = run(&arguments);
        assert!(output.status.success(), "{planner}: {complaint}");
    }
}
