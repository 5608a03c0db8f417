//! Maps with heights on the command line: reading, routes, pictures, profiles, OBJ files and the
//! report.

use crate::support::Folder;
use crate::support::within::{answer, json, refused};
use serde_json::Value;
use std::fs;
use std::path::Path;

const ENDS: [&str; 4] = ["--from", "1,1", "--to", "46,30"];

/// The same hills in four kinds of file give the same route.
#[test]
fn terrain_is_written_and_read_in_every_format() {
    let folder = Folder::new();
    let mut costs = Vec::new();
    for (file, read) in [
        ("hills.pgm", &["--heights", "--highest", "300"][..]),
        ("hills.png", &["--heights", "--highest", "300"]),
        ("hills.csv", &["--as", "heights"]),
        ("hills.asc", &[]),
    ] {
        let made = answer(
            &folder,
            0,
            &[
                "generate",
                "terrain",
                "--size",
                "48x32",
                "--highest",
                "300",
                "--seed",
                "3",
                "-o",
                file,
            ],
        );
        assert!(made.contains("48 x 32 heights from 0 to 300 m"), "{made}");
        let route = ["route", file, "--cell-size", "20", "--climb-cost", "5"];
        let value = json(&folder, &[&route, &ENDS[..], read].concat());
        assert_eq!(value["status"], "found");
        assert_eq!(value["ground"]["cell_size"], 20.0);
        assert!(value["natural"]["gained"].as_f64().unwrap() > 10.0);
        costs.push(value["cost"].as_f64().unwrap());
    }
    for cost in &costs {
        // Sixteen bits of grey are 5 mm apart.
        assert!((cost / costs[2] - 1.0).abs() < 1e-3, "{costs:?}");
    }
}

#[test]
fn planners_agree_on_slopes_and_respect_their_limits() {
    let folder = Folder::new();
    answer(
        &folder,
        0,
        &["generate", "terrain", "--size", "48x32", "--highest", "90", "-o", "a.csv"],
    );
    let base = [
        "route",
        "a.csv",
        "--as",
        "heights",
        "--cell-size",
        "10",
        "--max-climb",
        "45%",
        "--max-descent",
        "40deg",
    ];
    let cost = |planner: &str| {
        let value = json(&folder, &[&base, &ENDS[..], &["--planner", planner]].concat());
        value["cost"].as_f64().unwrap()
    };
    let best = cost("astar");
    for planner in ["dijkstra", "bidirectional-astar", "block-astar", "astar-mod-fixed", "ida-star"]
    {
        assert!((cost(planner) - best).abs() < 1e-6, "{planner}");
    }
    assert!(cost("astar-mod") >= best - 1e-9);
    refused(
        &folder,
        &[&base, &ENDS[..], &["--planner", "jps"]].concat(),
        &["does not support slopes"],
    );
    let flat = ["route", "a.csv", "--as", "heights", "--flat", "--planner", "jps"];
    answer(&folder, 0, &[&flat, &ENDS[..]].concat());
    let any = ["route", "a.csv", "--as", "heights", "--moves", "any-angle"];
    let value = json(&folder, &[&any, &ENDS[..]].concat());
    assert_eq!(value["planner"], "theta-star");
    // So steep that nothing can be reached: as near as possible.
    let steep = ["route", "a.csv", "--as", "heights", "--max-climb", "0", "--nearest"];
    let value = json(&folder, &[&steep, &ENDS[..]].concat());
    assert_eq!(value["status"], "nearest");
    let text = answer(
        &folder,
        1,
        &[&["route", "a.csv", "--as", "heights", "--max-climb", "0"], &ENDS[..]].concat(),
    );
    assert!(text.contains("no path"), "{text}");
}

#[test]
fn routes_are_drawn_profiled_and_exported() {
    let folder = Folder::new();
    answer(&folder, 0, &["generate", "terrain", "--size", "48x32", "--seed", "5", "-o", "a.pgm"]);
    let base = ["route", "a.pgm", "--heights", "--cell-size", "30"];
    let all =
        ["--image", "a.png", "--obj", "a.obj", "--profile", "--curve", "catmull-rom", "--smooth"];
    let text = answer(&folder, 0, &[&base, &ENDS[..], &all].concat());
    assert!(text.contains("m up") && text.contains('┤') && text.contains("a.obj"), "{text}");
    assert!(fs::read(folder.join("a.png")).unwrap().starts_with(b"\x89PNG"));
    let obj = fs::read_to_string(folder.join("a.obj")).unwrap();
    assert!(obj.contains("o terrain") && obj.contains("o path") && obj.contains("\nl "));
    assert_eq!(obj.lines().filter(|line| line.starts_with("f ")).count(), 2 * 47 * 31);
    refused(&folder, &[&base, &ENDS[..], &["--profile", "p.png"]].concat(), &["ends in .svg"]);
    let more = ["--image", "a.svg", "--profile", "p.svg", "--no-drawing", "--deviation", "3"];
    answer(&folder, 0, &[&base, &ENDS[..], &more].concat());
    let svg = fs::read_to_string(folder.join("a.svg")).unwrap();
    assert!(svg.contains("data:image/png;base64,") && svg.contains("contour lines every"));
    assert!(fs::read_to_string(folder.join("p.svg")).unwrap().contains("<polygon"));
    let points = |more: &[&str]| {
        let value = json(&folder, &[&base, &ENDS[..], more].concat());
        value["points"].as_array().unwrap().len()
    };
    assert!(points(&["--deviation", "0.5"]) > points(&[]));
    assert!(points(&["--curve", "bezier"]) > points(&[]));
    // Every point in the middle of a stretch was left out here, so these did nothing.
    let all = points(&["--planner", "astar-mod-fixed:post=off"]);
    let some = points(&["--planner", "astar-mod-fixed:deviation=600"]);
    let few = points(&["--planner", "astar-mod-fixed"]);
    assert!(all > some && some > few, "{all} {some} {few}");
    let small = json(
        &folder,
        &["route", "a.pgm", "--heights", "--resample", "12x8", "--from", "0,0", "--to", "11,7"],
    );
    assert_eq!(small["map"]["width"], 12);
}

#[test]
fn voids_are_blocked_or_filled_and_said() {
    let folder = Folder::new();
    fs::write(folder.join("a.csv"), "1,2,3\n4,,6\n7,8,9\n").unwrap();
    let ends = ["--from", "0,1", "--to", "2,1", "--no-drawing"];
    let text = answer(&folder, 0, &[&["route", "a.csv", "--as", "heights"], &ends[..]].concat());
    assert!(text.contains("1 cells without a height are blocked"), "{text}");
    let text = answer(
        &folder,
        0,
        &[&["route", "a.csv", "--as", "heights", "--voids", "filled"], &ends[..]].concat(),
    );
    assert!(text.contains("filled from around") && text.contains("turns     0"), "{text}");
}

#[test]
fn hostile_files_and_options_get_a_sentence() {
    let folder = Folder::new();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("zero.pgm", b"P5 0 0 255\n");
    write("huge.pgm", b"P5 99999 99999 255\n");
    write("short.pgm", b"P5 20 20 255\nabc");
    write("deep.pgm", b"P5 2 2 99999\nabcdefgh");
    write("nan.csv", b"1,2\n3,NaN\n");
    write("short.asc", b"ncols 3\nnrows 3\n1 2 3\n");
    write("short.hgt", &[0; 77]);
    write("bad.png", b"\x89PNG\r\n\x1a\nrubbish");
    write("flat.csv", b"1,1\n1,1\n");
    let ends = ["--from", "0,0", "--to", "1,1"];
    let route = |file: &str, more: &[&str], pieces: &[&str]| {
        let meaning = if file.ends_with(".csv") { &["--as", "heights"][..] } else { &[] };
        refused(&folder, &[&["route", file], &ends[..], meaning, more].concat(), pieces);
    };
    route("zero.pgm", &["--heights"], &["zero.pgm", "0 x 0"]);
    route("huge.pgm", &["--heights"], &["99999 x 99999", "16384"]);
    route("short.pgm", &["--heights"], &["3 bytes follow the header"]);
    route("deep.pgm", &["--heights"], &["up to 65535"]);
    route("nan.csv", &[], &["line 2, column 3", "`NaN` is not a height"]);
    route("short.asc", &[], &["there are 3 heights"]);
    route("short.hgt", &[], &["77 bytes"]);
    route("bad.png", &["--heights"], &["bad.png cannot be read as a picture"]);
    route("flat.csv", &["--cell-size", "0"], &["the cell size is 0"]);
    route("flat.csv", &["--cell-size", "nan"], &["is not a number"]);
    route("flat.csv", &["--max-climb", "-3"], &["`-3` is not a slope"]);
    route("flat.csv", &["--climb-cost", "-1"], &["penalty", "-1"]);
    route("flat.csv", &["--highest", "9"], &["--highest is for pictures"]);
    route("flat.csv", &["--threshold", "9"], &["--threshold is for pictures"]);
    route("flat.csv", &["--resample", "0x9"], &["is not a size"]);
    let harbour = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps/harbour.map");
    let harbour = harbour.to_str().unwrap();
    route(harbour, &["--max-climb", "1"], &["--max-climb is for maps with heights"]);
    route(harbour, &["--voids", "filled"], &["--voids is for heights", "leave it out"]);
    refused(
        &folder,
        &["route", harbour, "--from", "3,4", "--to", "90,40", "--profile"],
        &["--profile is for maps with heights"],
    );
    // Two grey pixels of different colours.
    let red = image(&[255, 0, 0, 0, 0, 0]);
    write("red.bmp", &red);
    route("red.bmp", &["--heights"], &["shades of grey"]);
}

/// A BMP picture of two pixels.
fn image(rgb: &[u8; 6]) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    for word in [62u32, 0, 54, 40, 2, 1] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([1, 0, 24, 0]);
    bytes.extend([0; 24]);
    bytes.extend([rgb[2], rgb[1], rgb[0], rgb[5], rgb[4], rgb[3], 0, 0]);
    bytes
}

#[test]
fn the_report_on_the_paper_has_all_parts() {
    let folder = Folder::new();
    let text = answer(&folder, 0, &["reproduce", "astar-mod", "--runs", "2", "-o", "report"]);
    assert!(text.contains("of 7 claims hold"), "{text}");
    let bytes = fs::read(folder.join("report/report.json")).unwrap();
    let report: Value = serde_json::from_slice(&bytes).unwrap();
    let cases = report["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 10);
    let sizes: Vec<_> = cases.iter().map(|case| case["width"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [20, 20, 20, 20, 20, 40, 20, 40, 80, 40]);
    assert!(report["notes"][0].as_str().unwrap().contains("fractal"));
    let row = |case: usize, key: &str| {
        let rows = cases[case]["rows"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap().clone()
    };
    // What the paper says of level ground.
    let ratio = row(0, "astar-mod")["expanded"].as_f64().unwrap()
        / row(0, "astar-manhattan")["expanded"].as_f64().unwrap();
    assert!((4.0..6.0).contains(&ratio), "{ratio}");
    for case in 0..10 {
        let cost = |key: &str| row(case, key)["cost"].as_f64().unwrap();
        assert!((cost("astar") - cost("astar-mod-fixed")).abs() < 1e-6, "{case}");
        assert!(cost("astar-mod") >= cost("astar") - 1e-6, "{case}");
        assert!(cost("jps") >= cost("astar") - 1e-6, "{case}");
        assert!(folder.join(format!("report/case-{}.svg", case + 1)).is_file());
        // Without heights the walls are all that counts: under one rule all find the same.
        if case < 4 {
            assert!((cost("jps") - cost("astar")).abs() < 1e-6, "{case}");
            assert!((cost("rea-star") - cost("astar-eight")).abs() < 1e-6, "{case}");
        }
    }
    // The files of a case with walls and hills, and what the report says to do with them.
    let command = cases[6]["command"].as_str().unwrap();
    assert!(command.contains("--heights-file"), "{command}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let found = json(&folder.join("report"), &words);
    let cost = row(6, "astar-mod")["cost"].as_f64().unwrap();
    // Grey of sixteen bits is not exact.
    assert!((found["cost"].as_f64().unwrap() / cost - 1.0).abs() < 1e-3, "{found}");
    let claims = report["claims"].as_array().unwrap();
    let ids: Vec<_> = claims.iter().map(|claim| claim["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["M1", "M2", "M3", "M4", "M5", "M6", "M7"]);
    let page = fs::read_to_string(folder.join("report/index.html")).unwrap();
    for part in ["Figure 10", "Figure 14", "The ten cases", "complex labyrinth", "What Wmax does"] {
        assert!(page.contains(part), "{part}");
    }
    refused(&folder, &["reproduce", "astar-mod", "--runs", "0"], &["0"]);
}
