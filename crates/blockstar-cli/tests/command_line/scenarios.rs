//! `blockstar simulate SCENARIO`: what it prints and writes, and what it says of bad scenarios.

use crate::support::{Folder, blockstar};
use serde_json::Value;
use std::path::Path;

const SMALL: &str = r#"
ticks = 200
ticks-per-second = 30
under-unit = "push"

[map]
drawing = """
..........
....#.....
....#.....
..........
"""

[[unit]]
name = "pair"
at = [[0, 0], [0, 1]]

[[order]]
units = "pair"
move = [9, 3]

[[edit]]
tick = 20
block = [4, 0, 1, 1]

[expect]
arrived = 2
"#;

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = blockstar().arg("simulate").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn summary(text: &str) -> Value {
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_scenario_is_summed_up_recorded_and_seen_again() {
    let folder = Folder::new();
    let scenario = folder.write("small.toml", SMALL);
    let (recording, film) = (folder.path("run.bin"), folder.path("run.gif"));
    let (code, text, errors) = run(&[&scenario, "--json", "--record", &recording, "--gif", &film]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(text.lines().count(), 201);
    let first = summary(&text);
    for (name, value) in [("ticks", 200), ("agents", 2), ("arrived", 2), ("collisions", 0)] {
        assert_eq!(first[name], value, "{name}");
    }
    for name in [
        "unreachable",
        "over_budget_ticks",
        "tick_us_p50",
        "tick_us_p99",
        "tick_us_max",
        "first_step_ticks_max",
        "tasks_finished",
        "sum_of_costs",
        "makespan",
        "replans",
        "bytes_per_unit",
        "state_hash",
    ] {
        assert!(!first[name].is_null(), "{name}");
    }
    assert!(folder.read("run.gif").starts_with(b"GIF89a"));
    let (code, text, _) = run(&["--replay", &recording, "--json", "--threads", "3"]);
    assert_eq!(code, 0);
    assert_eq!(summary(&text)["state_hash"], first["state_hash"]);
    let (_, text, _) = run(&[&scenario, "--json", "--image", &folder.path("frames")]);
    assert_eq!(summary(&text)["state_hash"], first["state_hash"]);
    assert!(folder.join("frames/000000.png").exists());
}

#[test]
fn a_bad_scenario_is_told_with_its_line() {
    let folder = Folder::new();
    for (from, to, line, words) in [
        ("ticks = 200", "ticks = 200\ncolour = 3", 3, "unknown field `colour`"),
        ("at = [[0, 0], [0, 1]]", "at = [[4, 1]]", 14, "a wall is in the way"),
        ("at = [[0, 0], [0, 1]]", "at = [[0, 0], [0, 0]]", 14, "stands at (0, 0) already"),
        ("at = [[0, 0], [0, 1]]", "at = [[0, 40]]", 14, "outside the map of 10 x 4"),
        ("at = [[0, 0], [0, 1]]", "", 14, "say where these units are"),
        ("at = [[0, 0], [0, 1]]", "area = [0, 0, 2, 2]\ncount = 9", 14, "room for 4 of 9"),
        ("move = [9, 3]", "move = [99, 3]", 18, "goal (99, 3) lies outside"),
        ("move = [9, 3]", "", 18, "an order is one of"),
        ("units = \"pair\"", "units = \"pears\"", 18, "no units `pears`"),
        ("block = [4, 0, 1, 1]", "open = \"gate\"", 22, "no door `gate`"),
        ("drawing", "generate = \"moon\"\nsize = [9, 9]\ntext", 9, "unknown field"),
        ("\"push\"", "\"hug\"", 4, "`refuse`, `push` or `crush`"),
        ("under-unit = \"push\"", "stepping = \"fly\"", 4, "`cells`, `plane` or `ghost`"),
        ("move = [9, 3]", "places = [[9, 3]]", 18, "1 `places` for 2 units: one each"),
        ("move = [9, 3]", "places = [[9, 3], [9, 33]]", 18, "goal (9, 33) lies outside"),
        ("[[unit]]", "[[class]]\nname = \"x\"\nradius = 2.0\n[[unit]]", 14, "radius of a class"),
    ] {
        assert!(SMALL.contains(from));
        let scenario = folder.write("bad.toml", SMALL.replacen(from, to, 1));
        let (code, _, errors) = run(&[&scenario]);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(words), "{words}: {errors}");
        assert!(errors.contains(&format!("bad.toml, line {line}: ")), "line {line}: {errors}");
    }
    let scenario =
        folder.write("late.toml", SMALL.replace("block = [4, 0, 1, 1]", "block = [4, 0, 9, 9]"));
    let (code, _, errors) = run(&[&scenario]);
    assert!(code == 2 && errors.contains("line 22") && errors.contains("outside"), "{errors}");
    let scenario = folder.write("hope.toml", SMALL.replace("arrived = 2", "arrived = 3"));
    let (code, _, errors) = run(&[&scenario]);
    assert!(code == 1 && errors.contains("2 units arrived, not 3"), "{errors}");
}

#[test]
fn discs_in_the_plane_are_watched_drawn_and_seen_again() {
    let folder = Folder::new();
    let scenario = SMALL
        .replace("under-unit = \"push\"", "stepping = \"plane\"")
        .replace("move = [9, 3]", "places = [[9, 3], [9, 0]]");
    let scenario = folder.write("plane.toml", scenario);
    let (recording, film) = (folder.path("run.bin"), folder.path("run.gif"));
    let (code, text, errors) = run(&[&scenario, "--json", "--record", &recording, "--gif", &film]);
    assert_eq!((code, errors.as_str()), (0, ""));
    let first = summary(&text);
    for (name, value) in [("arrived", 2), ("collisions", 0), ("over_budget_ticks", 0)] {
        assert_eq!(first[name], value, "{name}");
    }
    let (_, text, _) = run(&["--replay", &recording, "--json", "--faster", "2", "--gif", &film]);
    assert_eq!(summary(&text)["state_hash"], first["state_hash"]);
}

#[test]
fn a_damaged_recording_is_refused() {
    let folder = Folder::new();
    let scenario = folder.write("small.toml", SMALL);
    let recording = folder.path("run.bin");
    run(&[&scenario, "--ticks", "5", "--record", &recording]);
    let mut bytes = folder.read("run.bin");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    let (code, _, errors) = run(&["--replay", &folder.write("bad.bin", bytes)]);
    assert!(code == 2 && errors.contains("checksum"), "{errors}");
}

/// Every scenario expects something. Those that take long expect something of their beginning too,
/// and run that far.
#[test]
fn the_scenarios_of_the_project_keep_their_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.display();
        let scenario: toml::Table =
            std::fs::read_to_string(&path).unwrap().parse().expect("a scenario is TOML");
        let expected = scenario.get("expect").and_then(toml::Value::as_table);
        assert!(expected.is_some_and(|it| !it.is_empty()), "{file} expects nothing");
        let early = expected.and_then(|it| it.get("early")).and_then(|it| it.get("tick"));
        let ticks = early.unwrap_or(&scenario["ticks"]).as_integer().unwrap().to_string();
        let (code, text, errors) = run(&[path.to_str().unwrap(), "--ticks", &ticks, "--json"]);
        assert_eq!((code, errors.as_str()), (0, ""), "{file}");
        let summary = summary(&text);
        assert_eq!(summary["collisions"], 0, "{file}");
        assert_eq!(summary["over_budget_ticks"], 0, "{file}");
        count += 1;
    }
    assert!(count >= 14, "{count} scenarios");
}

#[test]
fn a_scenario_that_breaks_its_promise_says_so() {
    let folder = Folder::new();
    let late = SMALL.replace("arrived = 2", "arrived = 2\nearly = { tick = 5, arrived = 1 }");
    for (text, problem) in [
        (late, "0 units arrived by tick 5, not 1"),
        (SMALL.replace("arrived = 2", "arrived = 3"), "2 units arrived, not 3"),
        (SMALL.replace("arrived = 2", "quick-path-ticks = 0"), "a quick path took"),
    ] {
        let (code, _, errors) = run(&[&folder.write("broken.toml", text)]);
        assert!(code == 1 && errors.contains(problem), "{errors}");
    }
}
