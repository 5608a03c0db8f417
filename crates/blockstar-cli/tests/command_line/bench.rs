//! `blockstar bench` on a small map with a scenario file by hand.

use crate::support::{Folder, blockstar, errors};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// Two rooms with a door at (5, 1), and a cell at (8, 4) that nobody can reach.
const MAP: &str = "type octile\nheight 5\nwidth 10\nmap\n\
    .....@....\n\
    ..........\n\
    .....@....\n\
    .....@..@@\n\
    .....@..@.\n";

/// The length through the door from (0, 4) to (7, 3): three diagonals up to (3, 1), three straight
/// steps through the door (both ends of a diagonal step must be clear of the wall) to (6, 1), one
/// diagonal and one straight step.
const THROUGH_THE_DOOR: &str = "9.65685425";

fn scen(length: &str) -> String {
    format!(
        "version 1\n\
         0\tmaps/elsewhere/rooms.map\t10\t5\t0\t0\t4\t0\t4\n\n\
         1\tmaps/elsewhere/rooms.map\t10\t5\t0\t4\t7\t3\t{length}\n\
         0\tmaps/elsewhere/rooms.map\t10\t5\t2\t2\t2\t2\t0\n\
         0\tmaps/elsewhere/rooms.map\t10\t5\t0\t0\t9\t4\t0\n"
    )
}

/// A fresh folder with the map and its scenario.
fn rooms(length: &str) -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.join("below")).unwrap();
    folder.write("below/rooms.map", MAP);
    folder.write("below/rooms.map.scen", scen(length));
    folder
}

fn bench(path: &Path, options: &[&str]) -> Output {
    blockstar().arg("bench").arg(path).args(options).output().unwrap()
}

/// The parsed output of a run without wrong answers.
fn json(path: &Path, options: &[&str]) -> Value {
    let output = bench(path, &[options, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{options:?}: {}", errors(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn row<'a>(report: &'a Value, planner: &str) -> &'a Value {
    let rows = report["results"].as_array().unwrap();
    rows.iter().find(|row| row["planner"] == planner).unwrap_or_else(|| panic!("no {planner}"))
}

#[test]
fn every_field_is_there_and_right() {
    let folder = rooms(THROUGH_THE_DOOR);
    let report = json(&folder, &[]);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&report), ["results", "maps"]);
    let fields = [
        "planner",
        "moves",
        "queries",
        "solved",
        "wrong",
        "limit_reached",
        "mean_us",
        "median_us",
        "p99_us",
        "max_us",
        "mean_expansions",
        "expansion_unit",
        "mean_cost",
        "cost_over_reference",
        "smoothed_over_reference",
        "mean_turns",
        "prepare_ms",
        "memory_bytes",
        "connectivity_bytes",
        "scratch_bytes",
        "time_over_astar",
        "time_over_astar_low",
        "time_over_astar_high",
        "rounds",
        "middle_us",
        "edit_us",
        "edit_p99_us",
        "edit_and_query_us",
        "edit_there_us",
        "edit_back_us",
        "edit_made_us",
        "edit_made_share",
        "edit_there_over_astar_middle",
        "edit_back_over_astar_middle",
        "edit_made_over_astar_middle",
        "edit_there_over_astar_middle_low",
        "edit_there_over_astar_middle_high",
        "edit_back_over_astar_middle_low",
        "edit_back_over_astar_middle_high",
        "edit_made_over_astar_middle_low",
        "edit_made_over_astar_middle_high",
        "reused",
        "mean_moves",
        "first_response_us",
        "mean_move_us",
        "max_move_us",
        "first_response_expansions",
        "max_first_response_expansions",
        "max_move_expansions",
    ];
    for row in report["results"].as_array().unwrap() {
        assert_eq!(keys(row), fields);
        assert_eq!((&row["queries"], &row["solved"]), (&4.into(), &3.into()), "{row}");
        assert_eq!((&row["wrong"], &row["limit_reached"]), (&0.into(), &0.into()));
        assert!(row["edit_us"].is_null() && row["max_us"].as_f64() >= row["median_us"].as_f64());
        assert_eq!(row["rounds"], 9);
        let ratio = |field: &str| row[field].as_f64().unwrap_or_else(|| panic!("{field}: {row}"));
        assert!(ratio("time_over_astar_low") <= ratio("time_over_astar"), "{row}");
        assert!(ratio("time_over_astar_high") >= ratio("time_over_astar"), "{row}");
        let unit = if row["planner"] == "block-astar" { "blocks" } else { "nodes" };
        assert_eq!(row["expansion_unit"], unit, "{row}");
    }
    let walk = row(&report, "tba-star");
    assert!(walk["mean_moves"].as_f64() >= Some(6.0), "{walk}");
    assert!(walk["first_response_us"].as_f64() <= walk["max_move_us"].as_f64(), "{walk}");
    assert!(walk["max_move_expansions"].as_u64() <= Some(32), "{walk}");
    let astar = row(&report, "astar");
    assert!(astar["mean_moves"].is_null() && astar["max_move_us"].is_null());
    assert_eq!(astar["time_over_astar"], 1.0);
    assert!((astar["cost_over_reference"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    assert!((astar["mean_cost"].as_f64().unwrap() - 13.65685425 / 3.0).abs() < 1e-6);
    assert!(report["results"].as_array().unwrap().iter().all(|row| row["planner"] != "ida-star"));
    assert_eq!(report["maps"][0]["map"], "rooms.map");
    assert_eq!(keys(&report["maps"][0]["results"][0]), fields);
}

#[test]
fn maps_scenarios_and_folders_are_the_same_queries() {
    let folder = rooms(THROUGH_THE_DOOR);
    fs::write(folder.join("bare.map"), MAP).unwrap();
    for path in ["", "below", "below/rooms.map", "below/rooms.map.scen"] {
        let report = json(&folder.join(path), &["--planner", "jps", "--repeat", "3"]);
        assert_eq!(row(&report, "jps")["queries"], 4, "{path}");
        assert_eq!(row(&report, "astar")["queries"], 4, "astar runs without being named");
        assert_eq!(report["results"].as_array().unwrap().len(), 2);
    }
    assert!(errors(&bench(&folder, &[])).contains("skipped 1 map"));
    assert_eq!(row(&json(&folder, &["--limit", "2"]), "jps")["queries"], 2);
    let longest = json(&folder, &["--longest", "1"]);
    assert!((row(&longest, "jps")["mean_cost"].as_f64().unwrap() - 9.65685425).abs() < 1e-6);
}

#[test]
fn a_false_length_is_a_wrong_answer() {
    let folder = rooms("9.5");
    let output = bench(&folder, &["--json"]);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row(&report, "astar")["wrong"], 1);
    assert_eq!(row(&report, "jps")["wrong"], 1);
    assert_eq!(row(&report, "greedy")["wrong"], 0, "greedy promises no length");
    let told = errors(&output);
    let want = "rooms.map, query 2 from (0, 4) to (7, 3), astar: it found a path of cost 9.65685";
    assert!(told.contains(want) && told.contains("the scenario lists 9.5"), "{told}");
    // The length says nothing about other rules.
    json(&folder, &["--moves", "eight-cut-one"]);
}

#[test]
fn a_path_that_should_not_exist_is_a_wrong_answer_for_everyone() {
    let output = bench(&rooms("0"), &["--json"]);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["results"].as_array().unwrap().iter().all(|row| row["wrong"] == 1));
    assert!(errors(&output).contains("the scenario lists no path"));
}

#[test]
fn every_rule_edits_threads_and_limits_give_right_answers() {
    let folder = rooms(THROUGH_THE_DOOR);
    for moves in
        ["four", "eight", "eight-cut-one", "eight-cut-any", "any-angle", "any-angle-squeeze"]
    {
        let report = json(&folder, &["--moves", moves]);
        assert_eq!(row(&report, "astar")["moves"], moves);
        assert_eq!(row(&report, "astar")["solved"], 3);
        let edited = json(&folder, &["--moves", moves, "--edits", "1,5"]);
        let rows = edited["results"].as_array().unwrap();
        assert_eq!(rows.len(), 2 * report["results"].as_array().unwrap().len());
        assert!(rows.iter().all(|row| row["edit_us"].as_f64() > Some(0.0)));
        assert_eq!((&rows[0]["edits"], &rows[rows.len() - 1]["edits"]), (&1.into(), &5.into()));
        let threaded = json(&folder, &["--moves", moves, "--edits", "1,5", "--threads", "3"]);
        for (a, b) in rows.iter().zip(threaded["results"].as_array().unwrap()) {
            // Repaired regions of HCDPS, and labels of subgoals, depend on what was edited before,
            // and each thread has its own share of the queries.
            let fields = ["planner", "solved", "mean_cost", "mean_expansions"];
            let told = match a["planner"].as_str() {
                Some("hcdps") => 2,
                Some("subgoal" | "auto") => 3,
                _ => fields.len(),
            };
            for field in &fields[..told] {
                assert_eq!(a[field], b[field], "{field} of {} under {moves}", a["planner"]);
            }
        }
    }
    let patched = ["--edits", "2", "--patch", "3x2", "--edit-place", "ground"];
    let patched = json(&folder, &patched);
    for row in patched["results"].as_array().unwrap() {
        assert!(row["edit_and_query_us"].as_f64() > row["edit_there_us"].as_f64());
        assert!(row["edit_p99_us"].as_f64() > Some(0.0) && row["wrong"] == 0, "{row}");
    }
    let limited = json(&folder, &["--max-expansions", "2"]);
    assert_eq!(row(&limited, "dijkstra")["limit_reached"], 2);
    let weighted = json(&folder, &["--weight", "3", "--heuristic", "euclidean"]);
    assert_eq!(row(&weighted, "weighted-astar")["solved"], 3);
}

/// Edits to contents that are not there yet make a table, edits back do not; the last search is
/// used again where the edits allow it, and the answers are the same.
#[test]
fn edits_are_told_apart_and_searches_used_again() {
    let folder = Folder::new();
    let path = folder.join("caves.map");
    let generate = ["generate", "caves", "--size", "96x96", "--queries", "30", "-o"];
    assert!(blockstar().args(generate).arg(&path).status().unwrap().success());
    for moves in ["eight", "any-angle"] {
        let options = ["--planner", "block-astar", "--moves", moves, "--edits", "1"];
        let report = json(&path, &options);
        let block = row(&report, "block-astar");
        let number = |field: &str| block[field].as_f64().unwrap();
        let share = number("edit_made_share");
        assert!(share > 0.3 && share <= 1.0, "{share}");
        assert_eq!(row(&report, "astar")["edit_made_share"], 0.0);
        assert!(row(&report, "astar")["edit_made_us"].is_null());
        for way in ["there", "back", "made"] {
            let name = format!("edit_{way}_over_astar_middle");
            let [low, ratio, high] =
                ["_low", "", "_high"].map(|end| number(&format!("{name}{end}")));
            assert!(0.0 < low && low <= ratio && ratio <= high, "{low} {ratio} {high}");
        }
        // Of one round there is no interval, and the ratio is that of the times.
        let report = json(&path, &[&options[..], &["--repeat", "1"]].concat());
        let middle = row(&report, "astar")["middle_us"].as_f64().unwrap();
        let once = row(&report, "block-astar");
        for way in ["there", "back", "made"] {
            let ratio = once[format!("edit_{way}_over_astar_middle")].as_f64().unwrap();
            let want = once[format!("edit_{way}_us")].as_f64().unwrap() / middle;
            assert!((ratio - want).abs() < 1e-9 * want, "{way}");
            assert!(once[format!("edit_{way}_over_astar_middle_low")].is_null());
        }
        assert_eq!(block["reused"], 0);
        let reused = json(&path, &[&options[..], &["--reuse"]].concat());
        assert!(row(&reused, "block-astar")["reused"].as_u64() > Some(0));
        assert_eq!(row(&reused, "astar")["reused"], 0);
        assert_eq!(row(&reused, "block-astar")["mean_cost"], block["mean_cost"]);
    }
    assert!(errors(&bench(&path, &["--reuse"])).contains("--edits"));
}

#[test]
fn tables_are_for_people() {
    let output = bench(&rooms(THROUGH_THE_DOOR), &["--by-map", "--planner", "jps"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("rooms.map\nplanner "), "{text}");
    assert!(text.contains("1 map, moves eight\nplanner ") && text.contains("x faster than astar"));
    assert_eq!(text.lines().filter(|line| line.starts_with("jps ")).count(), 2);
    assert!(!text.contains("real time"), "nobody walks");
    let output = bench(&rooms(THROUGH_THE_DOOR), &["--planner", "lrta-star:work=1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("lrta-star:work=1 ")).count(), 2);
    assert!(text.contains("\nreal time ") && text.contains("per agent"), "{text}");
}

/// Fewer than six rounds say nothing about how far a median is to be trusted.
#[test]
fn an_interval_needs_six_rounds() {
    let folder = rooms(THROUGH_THE_DOOR);
    for (repeat, known) in [("1", false), ("5", false), ("6", true)] {
        let report = json(&folder, &["--planner", "jps", "--repeat", repeat]);
        let jps = row(&report, "jps");
        assert!(jps["time_over_astar"].is_f64(), "{jps}");
        assert_eq!(jps["time_over_astar_low"].is_f64(), known, "{repeat}: {jps}");
        assert_eq!(jps["time_over_astar_high"].is_f64(), known, "{repeat}: {jps}");
    }
}

#[test]
fn results_are_written_as_csv() {
    let folder = rooms(THROUGH_THE_DOOR);
    let options = ["--planner", "jps", "--repeat", "1", "--csv"];
    let printed = bench(&folder, &[&options[..], &["-"]].concat());
    let text = String::from_utf8(printed.stdout).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 2 + 2, "{text}");
    assert_eq!(lines[0][..4], ["map", "planner", "moves", "queries"]);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{text}");
    assert_eq!(lines[2][..5], ["all", "jps", "eight", "4", "3"]);
    assert_eq!(lines[4][..5], ["rooms.map", "jps", "eight", "4", "3"]);
    let file = folder.path("out.csv");
    let output = bench(&folder, &[&options[..], &[&*file]].concat());
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("time/astar"), "the table is printed as well: {table}");
    assert!(folder.read("out.csv").starts_with(b"map,planner,moves,queries,"));
}

/// A baseline by hand: jps was a thousand times faster, greedy has no interval, astar is the same.
#[test]
fn a_baseline_tells_what_changed_beyond_noise() {
    let folder = rooms(THROUGH_THE_DOOR);
    let planners = ["--planner", "jps,greedy,dijkstra"];
    let mut before = json(&folder, &planners);
    for row in before["results"].as_array_mut().unwrap() {
        match row["planner"].as_str().unwrap() {
            "jps" => {
                for field in ["time_over_astar", "time_over_astar_low", "time_over_astar_high"] {
                    row[field] = (row[field].as_f64().unwrap() / 1000.0).into();
                }
                row["mean_expansions"] = 1.into();
            }
            "greedy" => row["time_over_astar_low"] = Value::Null,
            "dijkstra" => row["planner"] = "lost".into(),
            _ => {}
        }
    }
    let file = folder.write("before.json", before.to_string());
    let report = json(&folder, &[&planners[..], &["--baseline", &file]].concat());
    let told = |planner: &str| {
        let rows = report["baseline"].as_array().unwrap();
        let row = rows.iter().find(|row| row["planner"] == planner);
        row.unwrap_or_else(|| panic!("no {planner} in {report}"))
    };
    assert_eq!(told("jps")["time"], "slower");
    assert!(told("jps")["notes"][1].as_str().unwrap().starts_with("mean expansions 1 before"));
    assert_eq!(told("astar")["time"], "same");
    for unknown in ["greedy", "dijkstra", "lost"] {
        assert_eq!(told(unknown)["time"], "unknown", "{unknown}");
    }
    let text = bench(&folder, &[&planners[..], &["--baseline", &file]].concat());
    assert_eq!(text.status.code(), Some(0));
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("compared with the baseline:\n"), "{text}");
    assert!(text.contains("  jps: slower: time/astar 0."), "{text}");
    assert!(text.contains("  lost: is only in the baseline"), "{text}");
}

/// Ctrl-C in the middle of a long run: the results so far, soon, and the code of the signal.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_it_has() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = rooms(THROUGH_THE_DOOR);
    for format in [&["--json"][..], &[]] {
        let mut command = blockstar();
        command.arg("bench").arg(&*folder).args(["--planner", "jps", "--repeat", "1000"]);
        // Planners that are asked for so many random cells never get to an end.
        command.args(["--edits", "1,1000000"]).args(format);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let id = child.id().to_string();
        let sent = Instant::now();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(20), "{:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
        assert!(errors(&output).contains("interrupted"), "{}", errors(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        if format.is_empty() {
            assert!(text.contains("jps "), "{text}");
        } else {
            let report: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(report["interrupted"], true);
            assert_eq!(row(&report, "jps")["wrong"], 0);
        }
    }
}

#[test]
fn bad_input_gets_a_sentence() {
    let folder = rooms(THROUGH_THE_DOOR);
    let rooms = folder.join("below/rooms.map");
    let refused = |path: &Path, options: &[&str], want: &str| {
        let output = bench(path, options);
        let told = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(want) && output.stdout.is_empty(), "{told}");
    };
    refused(&folder.join("no.map"), &[], "no.map cannot be read");
    refused(&rooms, &["--planner", "jsp"], "there is no planner `jsp`: did you mean `jps`?");
    refused(Path::new("-"), &[], "standard input has none");
    let both = bench(&rooms, &["--json", "--csv", "-"]);
    assert!(String::from_utf8(both.stdout).unwrap().contains("name a file for --csv"));
    refused(&rooms, &["--baseline", "no.json"], "no.json cannot be read");
    refused(&rooms, &["--baseline", rooms.to_str().unwrap()], "not the output of `bench --json`");
    refused(&rooms, &["--planner", "jps", "--moves", "four"], "it supports eight");
    refused(&rooms, &["--moves", "nine"], "there is no movement rule `nine`");
    refused(&rooms, &["--heuristic", "guess"], "there is no heuristic `guess`");
    refused(&rooms, &["--weight", "0.5"], "the weight is 0.5, but must be a number from 1");
    refused(&rooms, &["--limit", "0"], "0 is not in 1..");
    refused(&rooms, &["--edits", "1,x"], "'x'");
    fs::create_dir_all(folder.join("empty")).unwrap();
    refused(&folder.join("empty"), &[], "there is no map with a scenario");
    fs::write(folder.join("bare.map"), MAP).unwrap();
    refused(&folder.join("bare.map"), &[], "has no scenario");
    fs::write(folder.join("lost.map.scen"), scen("1")).unwrap();
    refused(&folder.join("lost.map.scen"), &[], "put it beside it as");
    fs::write(folder.join("readme.txt"), "hello").unwrap();
    refused(&folder.join("readme.txt"), &[], "neither a folder nor");
    fs::write(&rooms, MAP.replace("height 5", "height 6") + "..........\n").unwrap();
    refused(&rooms, &[], "rooms.map.scen: the scenario is for rooms.map with 10 x 5 cells");
    fs::write(&rooms, "type octile\nheight 1\nwidth 1\nmap\nQ\n").unwrap();
    refused(&rooms, &[], "the letter `Q`");
}
