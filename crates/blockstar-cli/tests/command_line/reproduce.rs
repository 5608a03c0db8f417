//! `blockstar reproduce` at a tiny scale.

use crate::support::{Folder, errors, run};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

fn reproduce(output: &Path, options: &[&str]) -> Output {
    let output = output.to_str().unwrap();
    run(&[&["reproduce", "block-astar", "-o", output], options].concat())
}

/// Everything that does not depend on the machine: all numbers but times and what follows from
/// them.
fn fixed(value: &Value) -> Value {
    let timed = ["mean_us", "repeats_us", "mean_prepare_ms", "seconds", "update_us", "prepare_ms"];
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !timed.contains(&name.as_str()) && *name != "claims")
            .map(|(name, value)| (name.clone(), fixed(value)))
            .collect(),
        Value::Array(values) => values.iter().map(fixed).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_report_has_all_parts_and_depends_on_nothing_but_the_seed() {
    let folder = Folder::new();
    // A folder of game maps with one small map.
    let maps = folder.join("maps/dao");
    fs::create_dir_all(&maps).unwrap();
    let map = maps.join("arena2.map");
    let made = run(&[
        "generate",
        "rooms",
        "--size",
        "64x64",
        "--queries",
        "20",
        "-o",
        map.to_str().unwrap(),
    ]);
    assert!(made.status.success(), "{}", errors(&made));
    let maps = folder.join("maps");
    let options = ["--scale", "0.00004", "--seed", "3", "--maps", maps.to_str().unwrap(), "--json"];
    let runs: Vec<Output> = std::thread::scope(|scope| {
        let run = |name: &str| {
            let output = folder.join(name);
            scope.spawn(move || reproduce(&output, &options))
        };
        ["first", "second"].map(run).into_iter().map(|run| run.join().unwrap()).collect()
    });
    for run in &runs {
        assert_eq!(run.status.code(), Some(0), "{}", errors(run));
        assert!(errors(run).contains("sc1"), "what is left out is told: {}", errors(run));
    }
    let [first, second] =
        [0, 1].map(|run: usize| serde_json::from_slice::<Value>(&runs[run].stdout).unwrap());
    assert_eq!(fixed(&first), fixed(&second));
    let saved = fs::read(folder.join("first/report.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&saved).unwrap(), first);

    let names: Vec<_> =
        first["table_1"].as_array().unwrap().iter().map(|suite| suite["name"].as_str()).collect();
    let expected =
        ["random-0", "random-10", "random-20", "random-30", "random-40", "random-50", "dao"];
    assert_eq!(names, expected.map(Some));
    let suite = &first["table_1"][2];
    assert_eq!((suite["problems"].as_u64(), suite["maps"].as_u64()), (Some(2), Some(1)));
    assert_eq!(suite["published"][2]["expansions"], 1159.0);
    let row = |key: &str| {
        let rows = suite["rows"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("no {key}"))
    };
    let length = |key: &str| row(key)["mean_length"].as_f64().unwrap();
    assert!(length("anya") <= length("block-smoothed") && length("block") <= length("astar"));
    assert!((length("astar") - length("astar-euclid")).abs() < 1e-9);
    for field in ["mean_expansions", "mean_us", "table_bytes", "reexpansions_per_node"] {
        assert!(row("block")[field].is_number(), "{field}");
    }
    assert_eq!(first["arena2"]["name"], "arena2");
    assert_eq!(first["block_sizes"][0]["rows"].as_array().unwrap().len(), 4 + 7 + 1);
    assert_eq!(first["cell_rules"].as_array().unwrap().len(), 4);
    // What users get: the default block size, whose paths are pulled taut.
    assert_eq!(row("block-default")["planner"], "block-astar");
    assert!(length("block-default") <= length("block") + 1e-9);
    let sides = first["cell_rules"][0]["rows"].as_array().unwrap();
    assert!(sides.iter().any(|row| row["planner"] == "block-astar:block=12"));

    let claims = first["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 20);
    let verdict =
        |id: &str| claims.iter().find(|claim| claim["id"] == id).unwrap()["verdict"].as_str();
    for id in ["B1", "B2", "B3", "B4", "B18", "B20"] {
        assert_eq!(verdict(id), Some("holds"), "{id}");
    }
    assert_eq!(first["figures"]["length"], 23.0);

    let page = fs::read_to_string(folder.join("first/index.html")).unwrap();
    for part in ["figure-1", "figure-2", "figure-3", "figure-4", "table-1", "table-2", "claims"] {
        assert!(page.contains(&format!("<h2 id=\"{part}\">")), "{part}");
    }
    for label in ["Block A*, 12 x 12, pulled taut", "Block A*, greedily smoothed"] {
        assert!(page.contains(label), "{label}");
    }
    assert!(page.matches("<svg").count() > 20 && !page.contains("NaN"));
    assert!(!page.contains("http://") && !page.contains("https://"), "it needs no network");
}

#[test]
fn wrong_input_gets_a_sentence() {
    let folder = Folder::new();
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    let empty = folder.to_str().unwrap();
    let faults: [(&Path, &[&str], &str); 5] = [
        (&folder, &["--scale", "0"], "above 0 and up to 1"),
        (&folder, &["--scale", "-1"], "above 0 and up to 1"),
        (&folder, &["--maps", "no-such-folder"], "not a folder"),
        (&folder, &["--maps", empty], "none of the folders"),
        (&file, &[], "cannot be made"),
    ];
    for (output, options, sentence) in faults {
        let run = reproduce(output, options);
        assert_eq!(run.status.code(), Some(2), "{options:?}");
        assert!(errors(&run).contains(sentence), "{options:?}: {}", errors(&run));
    }
}

/// Ctrl-C in the middle: what was finished is kept, and said to be only a part.
#[cfg(unix)]
#[test]
fn an_interrupted_report_keeps_its_finished_parts() {
    use crate::support::blockstar;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = Folder::new();
    let mut command = blockstar();
    // So many searches for each time that the first case is soon done and the last never.
    command.args(["reproduce", "astar-mod", "--runs", "300", "--json", "-o"]).arg(&*folder);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The pictures of the second case are drawn when the first is finished.
    let start = Instant::now();
    while !folder.join("case-2.svg").exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", errors(&output));
    assert!(errors(&output).contains("interrupted"), "{}", errors(&output));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["interrupted"], true);
    assert!(told["cases"].as_array().is_some_and(|cases| !cases.is_empty()), "{told}");
    let kept = fs::read(folder.join("partial.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), told);
    assert!(!folder.join("report.json").exists());
}

/// Without maps generated ones stand in; every planner has its row, the pictures stand alone.
#[test]
fn the_report_on_change_has_all_parts() {
    let folder = Folder::new();
    let (empty, output) = (folder.join("maps"), folder.join("report"));
    fs::create_dir_all(&empty).unwrap();
    let (maps, report) = (empty.to_str().unwrap(), output.to_str().unwrap());
    let size = ["--queries", "3", "--changes", "2", "--largest", "512"];
    let run = run(
        &[&["reproduce", "change", "--maps", maps, "-o", report, "--json"], &size[..]].concat()
    );
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let (frontier, scale) = (report["frontier"].as_array().unwrap(), report["scale"].as_array());
    assert_eq!(frontier.iter().filter(|row| row["rule"] == "any-angle").count(), 6);
    assert_eq!(scale.unwrap().len(), 10, "five planners in caves and rooms of one size");
    for row in frontier {
        let number = |name: &str| row[name].as_f64().unwrap();
        assert!(number("query_us") > 0.0 && number("edit_us") > 0.0, "{row}");
        assert!(number("edit_p99_us") >= number("edit_us") * 0.5, "{row}");
        assert!(number("edit_and_query_us") > number("edit_us"), "{row}");
        let optimal =
            row["promise"] == "optimal" && (row["planner"] != "astar" || row["rule"] == "eight");
        assert!(!optimal || (number("over_optimum") - 1.0).abs() < 1e-9, "{row}");
    }
    for (file, names) in [
        ("frontier-eight.svg", ["jps", "dba-star"]),
        ("frontier-any-angle.svg", ["anya", "theta-star"]),
    ] {
        let picture = fs::read_to_string(output.join(file)).unwrap();
        assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
        assert!(names.iter().all(|name| picture.contains(name)) && !picture.contains("NaN"));
    }
    let page = fs::read_to_string(output.join("index.html")).unwrap();
    assert!(page.contains("caves: queries") && page.contains("What change and size cost"));
    // One size tells nothing about growth.
    let claims = report["claims"].as_array().unwrap();
    let verdict = |id: &str| &claims.iter().find(|claim| claim["id"] == id).unwrap()["verdict"];
    assert!(["C5", "C6", "C7"].iter().all(|id| verdict(id) == "not-tested"));
}
