//! `build dba`, `info`, `verify`, `--database` and `reproduce dba` as their users meet them.

use crate::support::{Folder, answer, refused, run};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn map(folder: &Path, name: &str, kind: &str) -> String {
    let path = folder.join(name).to_str().unwrap().to_string();
    answer(0, &["generate", kind, "--size", "64x64", "--queries", "30", "-o", &path]);
    path
}

#[test]
fn a_database_is_built_told_about_verified_and_used() {
    let folder = Folder::new();
    let (map, other) = (map(&folder, "a.map", "caves"), map(&folder, "b.map", "rooms"));
    let file = folder.join("a.dba").to_str().unwrap().to_string();
    let built =
        answer(0, &["build", "dba", "--sector", "16", "--depth", "2", &map, "-o", &file, "--json"]);
    let built: Value = serde_json::from_str(&built).unwrap();
    for part in ["regions", "paths", "matrix", "bytes"] {
        assert!(built[part].as_u64().unwrap() > 0, "{part}");
    }
    assert!(answer(0, &["info", &file]).contains("dba-star:sector=16x16:depth=2"));
    assert!(answer(0, &["verify", &file]).contains("--map"));
    assert!(answer(0, &["verify", &file, "--map", &map]).contains("all of it is right"));
    refused(&["verify", &file, "--map", &other], &["another map"]);

    let bench = answer(0, &["bench", &map, "--planner", "dba-star", "--database", &file, "--json"]);
    let bench: Value = serde_json::from_str(&bench).unwrap();
    let row = bench["results"].as_array().unwrap().iter().find(|row| row["planner"] == "dba-star");
    assert_eq!(row.unwrap()["wrong"], 0);
    refused(&["bench", &map, "--planner", "jps", "--database", &file], &["takes no part"]);
    refused(&["bench", &other, "--planner", "dba-star", "--database", &file], &["another map"]);

    let scen = fs::read_to_string(format!("{map}.scen")).unwrap();
    let line: Vec<_> = scen.lines().nth(20).unwrap().split_whitespace().collect();
    let (from, to) = (format!("{},{}", line[4], line[5]), format!("{},{}", line[6], line[7]));
    let ends = ["--from", &from, "--to", &to, "--json"];
    let route = |more: &[&str]| -> Value {
        serde_json::from_str(&answer(0, &[&["route", &map][..], &ends, more].concat())).unwrap()
    };
    let opened = route(&["--database", &file]);
    let made = route(&["--planner", "dba-star:sector=16:depth=2"]);
    assert_eq!(opened["cost"], made["cost"]);
    refused(
        &[&["route", &map][..], &ends, &["--database", &file, "--planner", "dba-star:depth=3"]]
            .concat(),
        &["depth 2, not for"],
    );
    refused(
        &["route", &map, "--from", "0,0", "--to", "1,1", "--database", &map],
        &["not a file of this library"],
    );
    refused(&["build", "planner", "jps", &map, "-o", &file], &["needs no file"]);
    refused(&["build", "dba", "--sector", "2", &map, "-o", &file], &["from 4 to 256"]);
}

#[test]
fn a_report_has_all_parts() {
    let folder = Folder::new();
    let maps = folder.join("maps");
    fs::create_dir_all(&maps).unwrap();
    map(&maps, "hrt000d.map", "caves");
    let output = folder.join("report").to_str().unwrap().to_string();
    let maps = maps.to_str().unwrap();
    let run = run(&[
        "reproduce",
        "dba",
        "--maps",
        maps,
        "--problems",
        "6",
        "--changes",
        "3",
        "-o",
        &output,
        "--json",
    ]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let complaint = String::from_utf8_lossy(&run.stderr);
    assert!(complaint.contains("orz100d is not in"), "what is left out is told: {complaint}");
    assert!(complaint.contains("hrt000d.map is not the map of that name"), "{complaint}");
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(report["real_maps"], false);
    assert_eq!(report["maps"][0], "hrt000d (another map)");
    let rows = report["rows"].as_array().unwrap();
    let named = |name: &str| rows.iter().find(|row| row["planner"] == name).unwrap();
    for (sector, depth) in [(16, 1), (16, 4), (32, 2), (128, 3)] {
        let row = named(&format!("dba-star:sector={sector}:depth={depth}"));
        assert_eq!(row["problems"], 6);
        assert!(row["suboptimality"].as_f64().unwrap() >= 0.0);
    }
    assert!(named("pra-star:sector=64")["bytes"].as_f64().unwrap() > 0.0);
    let edits = report["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 7);
    for edits in edits {
        assert_eq!(edits["points"].as_array().unwrap().len(), 15, "k = 0 to 14");
        assert_eq!(edits["equal_to_fresh"], true, "{edits}");
    }
    let frontier = report["frontier"].as_array().unwrap();
    assert!(!frontier.is_empty() && frontier.len() <= rows.len());
    let claims = report["claims"].as_array().unwrap();
    let verdict = |id: &str| &claims.iter().find(|claim| claim["id"] == id).unwrap()["verdict"];
    assert_eq!(verdict("D3"), "does-not-hold", "three entries are misprints");
    assert_eq!(verdict("D4"), "holds");
    assert_eq!(verdict("D11"), "holds");
    // Nothing is said about the paper's maps by another one.
    for id in ["D6", "D6b", "D7", "D8", "D9", "D9b", "D10", "D13", "D13b", "S1", "S2"] {
        assert_eq!(verdict(id), "not-tested", "{id}");
    }
    let page = fs::read_to_string(folder.join("report/index.html")).unwrap();
    let parts = "claims example figure-6 figure-7 figure-8 frontier table ablation edits";
    for part in parts.split(' ') {
        assert!(page.contains(&format!("<h2 id=\"{part}\">")), "{part}");
    }
    assert!(page.contains("B 28.6 <s>27.6</s>"), "the matrix, with what is misprinted");
    let picture = fs::read(folder.join("report/example.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(page.matches("<svg").count() > 4 && !page.contains("NaN"));
    assert!(!page.contains("http://") && !page.contains("https://"), "it needs no network");
}
