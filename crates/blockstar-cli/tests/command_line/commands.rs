//! Routes, pictures, conversions and generated maps, and everything that is refused.

use crate::support::{Folder, answer, blockstar, harbour, json, png, png_size, refused};
use png::{BitDepth, ColorType};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

const SMALL: &str = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.....\n";

#[test]
fn a_route_is_told_with_a_drawing() {
    let folder = Folder::new();
    let map = folder.write("small.map", SMALL);
    let text = answer(0, &["route", &map, "--from", "0,1", "--to", "4,1"]);
    assert!(text.contains("found a path from 0,1 to 4,1"), "{text}");
    assert!(text.contains("cost      6.000000"), "{text}");
    assert!(text.contains("jps, moves eight, heuristic octile"), "{text}");
    assert!(text.contains("│S ██████G │"), "{text}");
    assert!(text.contains("path      0,1 0,0 4,0 4,1"), "{text}");
    assert!(!text.contains('\x1b'), "colours are for terminals");
    let bare =
        answer(0, &["route", &map, "--from", "0,1", "--to", "4,1", "--no-drawing", "--cells"]);
    assert!(!bare.contains('│'), "{bare}");
    assert!(bare.contains("cells     0,1 0,0 1,0 2,0 3,0 4,0 4,1"), "{bare}");
}

#[test]
fn a_route_as_json_has_every_field() {
    let folder = Folder::new();
    let map = folder.write("small.map", SMALL);
    let value = json(0, &["route", &map, "--from", "0,1", "--to", "4,1", "--json", "--cells"]);
    assert_eq!(value["status"], "found");
    assert_eq!(value["cost"], 6.0);
    assert_eq!(value["length"], 6.0);
    assert_eq!(value["turns"], 2);
    assert_eq!(value["points"][0], serde_json::json!([0.5, 1.5]));
    assert_eq!(value["cells"].as_array().unwrap().len(), 7);
    assert_eq!(value["planner"], "jps");
    assert_eq!(value["moves"], "eight");
    assert_eq!(value["heuristic"], "octile");
    for counter in ["expanded", "opened", "improved", "largest_open", "sight_checks", "rounds"] {
        assert!(value["stats"][counter].is_u64(), "{counter}");
    }
    for number in ["microseconds", "prepare_microseconds", "planner_bytes", "scratch_bytes"] {
        assert!(value[number].is_number(), "{number}");
    }
    assert_eq!(value["map"]["file"], map);
    assert_eq!(value["map"]["width"], 5);
    assert_eq!(value["map"]["height"], 3);
    assert_eq!(value["map"]["free_cells"], 12);
    let value = json(0, &["route", &map, "--from", "0,1", "--to", "4,1", "--json"]);
    assert!(value.get("cells").is_none());
}

#[test]
fn the_default_planner_suits_map_and_question() {
    let folder = Folder::new();
    let map = folder.write("small.map", SMALL);
    let terrain = folder.write("terrain.txt", "..3\n...\n");
    let planner = |map: &str, more: &[&str]| {
        let basic = ["route", map, "--from", "0,0", "--to", "2,0", "--json"];
        json(0, &[&basic[..], more].concat())["planner"].clone()
    };
    assert_eq!(planner(&map, &[]), "jps");
    assert_eq!(planner(&map, &["--moves", "four"]), "astar");
    assert_eq!(planner(&map, &["--moves", "any-angle"]), "anya");
    assert_eq!(planner(&map, &["--weight", "2"]), "weighted-astar");
    assert_eq!(planner(&terrain, &[]), "astar");
    assert_eq!(planner(&map, &["--planner", "ida-star:table=off"]), "ida-star:table=off");
}

#[test]
fn every_planner_answers_on_the_harbour_map() {
    let planners = json(0, &["planners", "--json"]);
    let mut names = 0;
    for planner in planners["planners"].as_array().unwrap() {
        let name = planner["name"].as_str().unwrap();
        let moves = planner["moves"][0].as_str().unwrap();
        let value = json(
            0,
            &[
                "route",
                &harbour(),
                "--from",
                "3,4",
                "--to",
                "22,8",
                "--json",
                "--planner",
                name,
                "--moves",
                moves,
            ],
        );
        assert_eq!(value["status"], "found", "{name}");
        names += 1;
    }
    assert!(names >= 7);
}

#[test]
fn exit_codes_tell_found_from_not_found() {
    let folder = Folder::new();
    let map = folder.write("split.txt", "..#..\n..#..\n");
    let route = |code: i32, more: &[&str]| {
        let basic = ["route", &map, "--from", "0,0", "--to", "4,1", "--json"];
        json(code, &[&basic[..], more].concat())
    };
    let value = route(1, &[]);
    assert_eq!(value["status"], "no-path");
    assert_eq!(value["cost"], Value::Null);
    assert_eq!(value["points"], serde_json::json!([]));
    let value = route(0, &["--nearest"]);
    assert_eq!(value["status"], "nearest");
    assert_eq!(value["points"][1], serde_json::json!([1.5, 1.5]));
    let open = harbour();
    let limited = ["route", &open, "--from", "3,4", "--to", "90,40", "--json"];
    let value = json(1, &[&limited[..], &["--max-expansions", "5"]].concat());
    assert_eq!(value["status"], "limit-reached");
    let value = json(1, &[&limited[..], &["--max-cost", "50"]].concat());
    assert_eq!(value["status"], "limit-reached");

    let told = answer(1, &["route", &map, "--from", "2,0", "--to", "4,1"]);
    assert!(told.contains("the start is blocked"), "{told}");
    let told = answer(1, &["route", &map, "--from", "0,0", "--to", "2,1"]);
    assert!(told.contains("the goal is blocked"), "{told}");
    let told = answer(0, &["route", &map, "--from", "0,0", "--to", "4,1", "--nearest"]);
    assert!(told.contains("nearest place that can be reached"), "{told}");
    let told = answer(0, &["route", &map, "--from", "0,0", "--to", "0,0"]);
    assert!(told.contains("length    0.000000"), "{told}");
}

#[test]
fn points_corners_and_smoothing() {
    let folder = Folder::new();
    let map = folder.write("small.map", SMALL);
    let route = |more: &[&str]| {
        json(0, &[&["route", &map, "--json", "--moves", "any-angle"][..], more].concat())
    };
    let value = route(&["--from", "0.25,0.5", "--to", "4.0,3.0"]);
    assert_eq!(value["points"][0], serde_json::json!([0.25, 0.5]));
    let value = route(&["--from", "0,0", "--to", "4,2", "--corners"]);
    assert_eq!(value["points"][0], serde_json::json!([0.0, 0.0]));
    let rough = json(0, &["route", &map, "--json", "--from", "0,0", "--to", "4,1"]);
    let smooth =
        json(0, &["route", &map, "--json", "--from", "0,0", "--to", "4,1", "--smooth", "on"]);
    assert!(smooth["cost"].as_f64() <= rough["cost"].as_f64());
    let short = json(
        0,
        &["route", &harbour(), "--json", "--from", "3,4", "--to", "90,40", "--diagonal", "1.4"],
    );
    assert!(short["cost"].as_f64() < short["length"].as_f64());
}

#[test]
fn pictures_of_a_route() {
    let folder = Folder::new();
    let (png, svg) = (folder.path("a.png"), folder.path("a.svg"));
    let basic = ["route", &harbour(), "--from", "3,4", "--to", "90,40", "--no-drawing", "--image"];
    answer(0, &[&basic[..], &[&png]].concat());
    let (width, _) = png_size(&folder.read("a.png"));
    assert!((800..=1600).contains(&width), "{width}");
    answer(0, &[&basic[..], &[&svg, "--planner", "astar"]].concat());
    let text = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert!(text.contains("astar  cost 107.77"), "the legend names planner and cost");
    assert!(text.len() < 40_000, "{} bytes for 4608 cells", text.len());
    // A tiny map and a long name fit too, and names cannot break out of the text.
    let map = folder.write("a<b>&\"c.map", SMALL);
    answer(0, &["route", &map, "--from", "0,0", "--to", "4,0", "--image", &svg]);
    let text = String::from_utf8(folder.read("a.svg")).unwrap();
    assert!(text.contains("a&lt;b&gt;&amp;&quot;c.map"), "{text}");
}

#[test]
fn maps_are_rendered_with_routes() {
    let folder = Folder::new();
    let map = folder.write("small.map", SMALL);
    let other = folder.write("other.txt", ".5#\n9.1\n");
    let many = folder.path("{name}.png");
    let told = answer(0, &["render", &map, &other, "-o", &many]);
    assert!(told.contains("small.png") && told.contains("other.png"), "{told}");
    png_size(&folder.read("small.png"));
    png_size(&folder.read("other.png"));
    let svg = folder.path("routes.svg");
    let routes =
        ["render", &map, "-o", &svg, "--route", "astar,greedy", "--from", "0,1", "--to", "4,1"];
    let told = answer(0, &routes);
    assert!(told.contains("astar  cost 6.00"), "{told}");
    let text = String::from_utf8(folder.read("routes.svg")).unwrap();
    assert!(text.contains("greedy  cost") && text.matches("<polyline").count() == 3, "{text}");
    let split = folder.write("split.txt", "..#..\n");
    answer(1, &["render", &split, "-o", &svg, "--route", "astar", "--from", "0,0", "--to", "4,0"]);
    refused(&["render", &map, &other, "-o", &svg], &["2 maps", "{name}"]);
    refused(&["render", &map, "-o", &svg, "--route", "astar"], &["--from"]);
    refused(&["render", &map, "-o", "a.gif"], &["a.gif", ".png or .svg"]);
}

#[test]
fn planners_are_listed() {
    let text = answer(0, &["planners"]);
    assert!(text.contains("jps") && text.contains("Harabor"), "{text}");
    assert!(text.contains("ida-star:table=on|off"), "{text}");
    let value = json(0, &["planners", "--json"]);
    let jps = value["planners"].as_array().unwrap().iter().find(|p| p["name"] == "jps").unwrap();
    assert_eq!(jps["promise"], "optimal");
    assert_eq!(jps["terrain"], false);
    assert_eq!(jps["heights"], false);
    assert_eq!(jps["free_points"], false);
    assert!(jps["moves"].is_array() && jps["parameters"].is_array());
    assert!(jps["summary"].is_string() && jps["source"].is_string());
    // Under the any-angle rules nothing shorter than between blocks is promised.
    let planners = value["planners"].as_array().unwrap();
    let block = planners.iter().find(|p| p["name"] == "block-astar").unwrap();
    assert_eq!((&block["promise"], &block["blocks"]), (&"optimal".into(), &true.into()));
    assert_eq!(block["any_angle_promise"], "complete");
    assert!(jps["any_angle_promise"].is_null());
    assert!(
        text.contains("\nblock-astar: under the any-angle rules its paths are straight"),
        "{text}"
    );
}

#[test]
fn a_question_asked_twice_is_answered_from_the_first_search() {
    let ends = ["--from", "3,4", "--to", "90,40", "--json"];
    for moves in ["eight", "any-angle"] {
        let ask = |more: &[&str]| {
            json(0, &[&["route", &harbour(), "--moves", moves][..], &ends, more].concat())
        };
        let first = ask(&["--planner", "block-astar"]);
        let again = ask(&["--planner", "block-astar", "--reuse"]);
        assert_eq!(
            (&first["stats"]["reused"], &again["stats"]["reused"]),
            (&false.into(), &true.into())
        );
        assert_eq!((&first["cost"], &first["points"]), (&again["cost"], &again["points"]));
        assert_eq!(again["stats"]["expanded"], 0);
        assert_eq!(ask(&["--planner", "astar", "--reuse"])["stats"]["reused"], false);
    }
}

#[test]
fn maps_are_generated_with_queries() {
    let folder = Folder::new();
    let kinds: [&[&str]; 4] = [
        &["random", "--blocked", "20"],
        &["maze", "--corridor", "2"],
        &["rooms", "--room", "7"],
        &["caves"],
    ];
    for kind in kinds {
        let map = folder.path("made.map");
        let rest = ["--size", "40x30", "--seed", "3", "-o", &map, "--queries", "20"];
        let told = answer(0, &[&["generate"], kind, &rest].concat());
        assert!(told.contains("40 x 30 cells"), "{told}");
        let grid = blockstar::format::movingai::parse_map(&folder.read("made.map")).unwrap();
        let scenarios =
            blockstar::format::movingai::parse_scen(&folder.read("made.map.scen")).unwrap();
        assert_eq!(scenarios.len(), 20);
        for query in scenarios {
            query.check_fits(&grid).unwrap();
            assert_eq!(query.base_name(), "made.map");
            assert_eq!(query.bucket, (query.optimal / 4.0) as u32);
            let start = format!("{},{}", query.start.x, query.start.y);
            let goal = format!("{},{}", query.goal.x, query.goal.y);
            if query.optimal < 12.0 {
                let value = json(0, &["route", &map, "--from", &start, "--to", &goal, "--json"]);
                assert!(query.agrees(value["cost"].as_f64().unwrap()));
            }
        }
    }
    for name in ["made.txt", "made.png", "made.pgm"] {
        let map = folder.path(name);
        answer(0, &["generate", "caves", "--size", "40x30", "-o", &map]);
        let value =
            json(0, &["route", &map, "--from", "20,15", "--to", "20,15", "--nearest", "--json"]);
        assert_eq!(value["map"]["width"], 40);
    }
    refused(
        &["generate", "maze", "--size", "9x9", "-o", "a.map", "--blocked", "3"],
        &["--blocked", "`random`", "`maze`"],
    );
    refused(&["generate", "caves", "--size", "9x0", "-o", "a.map"], &["9x0", "16384"]);
    refused(&["generate", "caves", "--size", "big", "-o", "a.map"], &["big", "128x96"]);
    refused(&["generate", "caves", "--size", "9x9", "-o", "a.gif"], &["a.gif", ".map"]);
    refused(
        &["generate", "random", "--size", "9x9", "-o", "a.map", "--blocked", "NaN"],
        &["NaN", "0 to 100"],
    );
    refused(
        &["generate", "maze", "--size", "9x9", "-o", "a.map", "--corridor", "10"],
        &["10", "corridor"],
    );
    let map = folder.path("full.map");
    refused(
        &["generate", "random", "--size", "9x9", "-o", &map, "--blocked", "100", "--queries", "1"],
        &["no free cell"],
    );
}

#[test]
fn maps_keep_their_cells_through_every_format() {
    let folder = Folder::new();
    let free = |path: &str| {
        json(0, &["route", path, "--from", "3,4", "--to", "3,4", "--json"])["map"]["free_cells"]
            .clone()
    };
    let mut from = harbour();
    let cells = free(&from);
    for name in ["a.txt", "b.png", "c.pgm", "d.bmp", "e.map"] {
        let to = folder.path(name);
        answer(0, &["convert", &from, &to]);
        assert_eq!(free(&to), cells, "{name}");
        from = to;
    }
    let terrain = folder.write("t.txt", "12#\n9.3\n");
    let told = answer(0, &["convert", &terrain, &folder.path("t.map")]);
    assert!(told.contains("lost: the terrain costs"), "{told}");
    let told = answer(0, &["convert", &terrain, &folder.path("u.txt")]);
    assert!(!told.contains("lost"), "{told}");
    assert_eq!(folder.read("u.txt"), b".2#\n9.3\n");
    refused(&["convert", &terrain, &terrain], &["overwrite"]);
    refused(&["convert", &terrain, "x.jpg"], &["x.jpg", ".pgm"]);
    let told = answer(0, &["convert", &harbour(), &folder.path("q.map"), "--queries", "5"]);
    assert!(told.contains("q.map.scen: 5 queries"), "{told}");
}

#[test]
fn terrain_letters_have_prices() {
    let folder = Folder::new();
    let map = folder.write("w.map", "type octile\nheight 1\nwidth 4\nmap\nHFG.\n");
    let basic = ["route", &map, "--from", "0,0", "--to", "3,0", "--json"];
    let value = json(0, &[&basic[..], &["--terrain", "H=1,F=1.5,G=2"]].concat());
    assert_eq!(value["cost"], 1.25 + 1.75 + 1.5);
    refused(&basic, &["w.map", "line 5, column", "--terrain"]);
    refused(&[&basic[..], &["--terrain", "H=1"]].concat(), &["`F`", "`G`"]);
    refused(&[&basic[..], &["--terrain", "H=x"]].concat(), &["`x`", "255.99609375"]);
    refused(&[&basic[..], &["--terrain", "H=300"]].concat(), &["300", "255.99609375"]);
    refused(&[&basic[..], &["--terrain", "H=NaN"]].concat(), &["NaN"]);
    refused(&[&basic[..], &["--terrain", "Road=1"]].concat(), &["Road=1", "LETTER=COST"]);
    refused(&[&basic[..], &["--terrain", "H=1,H=2"]].concat(), &["two costs"]);
}

const YAML: &str = "image: IMAGE\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n\
                    occupied_thresh: 0.65\nfree_thresh: 0.196\n";

#[test]
fn ros_maps_are_read_with_the_picture_beside_them() {
    let folder = Folder::new();
    folder.write("office.pgm", b"P5\n4 1\n255\n\xfe\xcd\x00\xfe");
    let yaml = folder.write("office.yaml", YAML.replace("IMAGE", "office.pgm"));
    let free = |more: &[&str]| {
        let basic = ["route", &yaml, "--from", "0,0", "--to", "0,0", "--json"];
        json(0, &[&basic[..], more].concat())["map"]["free_cells"].clone()
    };
    assert_eq!(free(&[]), 2);
    assert_eq!(free(&["--unknown", "free"]), 3);
    let told = answer(0, &["convert", &yaml, &folder.path("office.map")]);
    assert!(told.contains("lost: scale, origin"), "{told}");
}

#[test]
fn a_ros_map_cannot_name_files_elsewhere() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("inner")).unwrap();
    let outside = folder.write("secret.pgm", b"P5\n1 1\n255\n\xfe");
    let basic = |yaml: &str| {
        refused(
            &["route", yaml, "--from", "0,0", "--to", "0,0"],
            &["lies outside the folder", "beside"],
        );
    };
    for name in ["../secret.pgm", "x/../../secret.pgm", &outside, "/etc/passwd"] {
        basic(&folder.write("inner/a.yaml", YAML.replace("IMAGE", name)));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.join("inner/link.pgm")).unwrap();
        basic(&folder.write("inner/a.yaml", YAML.replace("IMAGE", "link.pgm")));
    }
    let yaml = folder.write("inner/a.yaml", YAML.replace("IMAGE", "none.pgm"));
    refused(&["route", &yaml, "--from", "0,0", "--to", "0,0"], &["a.yaml", "none.pgm"]);
}

#[test]
fn bad_files_are_refused_with_a_sentence() {
    let folder = Folder::new();
    let reads = |path: &str, pieces: &[&str]| {
        refused(&["route", path, "--from", "0,0", "--to", "0,0"], pieces);
    };
    reads(&folder.path("none.map"), &["none.map", "cannot be read"]);
    reads(folder.to_str().unwrap(), &["directory"]);
    let broken = SMALL.replace(".@@@.", ".@x@.");
    reads(&folder.write("broken.map", broken), &["broken.map", "line 6, column 3", "`x`"]);
    let short = SMALL.replace(".@@@.", ".@@@");
    reads(&folder.write("short.map", short), &["line 6, column 5", "4 cells"]);
    let huge = SMALL.replace("height 3", "height 16384").replace("width 5", "width 16384");
    reads(&folder.write("huge.map", huge), &["16384 x 16384", "cut off"]);
    let giant = SMALL.replace("width 5", "width 99999999999999999999");
    reads(&folder.write("giant.map", giant), &["99999999999999999999", "1 to 16384"]);
    reads(&folder.write("empty.map", ""), &["empty.map", "width"]);
    reads(&folder.write("empty.txt", ""), &["empty.txt", "0 x 0"]);
    reads(&folder.write("odd.txt", "...\n..\n"), &["odd.txt", "line 2"]);
    reads(&folder.write("letters.txt", "..x\n"), &["column 3", "`x`"]);
    reads(&folder.write("binary.txt", b".\n\xff\xfe"), &["line 2", "UTF-8"]);
    reads(&folder.write("what.xyz", "hello"), &["what.xyz", "neither the name nor the content"]);
    reads(&folder.write("map.yaml", "image: a.pgm\n"), &["map.yaml", "missing"]);
    reads(&folder.write("map.yml", "nonsense\n"), &["map.yml", "line 1"]);

    answer(0, &["generate", "caves", "--size", "60x60", "-o", &folder.path("whole.png")]);
    let whole = folder.read("whole.png");
    for length in [0, 7, 20, 40, whole.len() / 2] {
        reads(&folder.write("cut.png", &whole[..length]), &["cut.png"]);
    }
    let wide = png((20_000, 1), ColorType::Grayscale, BitDepth::Eight, &[0; 20_000]);
    folder.write("wide.png", wide);
    reads(&folder.path("wide.png"), &["wide.png", "20000 x 1", "1 to 16384"]);
    reads(&folder.write("wide.pgm", "P5\n4000000000 2\n255\n"), &["wide.pgm"]);
    reads(&folder.write("cut.pgm", "P5\n16384 16384\n255\n..."), &["cut.pgm"]);
    reads(&folder.write("no.jpg", "no picture"), &["no.jpg", "cannot be read as a picture"]);
}

#[test]
fn files_are_known_by_content_where_the_name_says_nothing() {
    let folder = Folder::new();
    let plain = folder.write("plain", SMALL);
    answer(0, &["convert", &plain, &folder.path("a.png")]);
    let files = [
        plain,
        folder.write("map.txt", SMALL),
        folder.write("drawing", ".....\n"),
        folder.write("picture", folder.read("a.png")),
    ];
    for file in &files {
        let value = json(0, &["route", file, "--from", "3,0", "--to", "3,0", "--json"]);
        assert_eq!(value["map"]["width"], 5, "{file}");
    }
}

#[test]
fn the_threshold_tells_which_pixels_are_free() {
    let folder = Folder::new();
    let picture = png((3, 1), ColorType::Grayscale, BitDepth::Eight, &[255, 128, 50]);
    let path = folder.write("grey.png", picture);
    let free = |more: &[&str]| {
        let basic = ["route", &path, "--from", "0,0", "--to", "0,0", "--json"];
        json(0, &[&basic[..], more].concat())["map"]["free_cells"].clone()
    };
    assert_eq!(free(&[]), 2);
    assert_eq!(free(&["--threshold", "129"]), 1);
    assert_eq!(free(&["--threshold", "50"]), 3);
}

#[test]
fn bad_arguments_are_refused_with_a_sentence() {
    let map = harbour();
    let asks = |more: &[&str], pieces: &[&str]| {
        let basic = ["route", &map, "--from", "3,4"];
        refused(&[&basic[..], more].concat(), pieces);
    };
    asks(&["--to", "96,0"], &["96,0", "outside the map of 96 x 48", "0 to 95"]);
    asks(&["--to", "99999999999,0"], &["99999999999,0", "outside"]);
    asks(&["--to", "-1,0"], &["-1", "outside"]);
    asks(&["--to", "5"], &["`5`", "X,Y"]);
    asks(&["--to", "a,b"], &["`a,b`", "X,Y"]);
    asks(&["--to", "1,2,3"], &["`1,2,3`", "X,Y"]);
    asks(&["--to", "NaN,1.0"], &["NaN", "not finite"]);
    asks(&["--to", "1.25,1.5"], &["1.25", "any-angle"]);
    asks(&["--to", "1e30,1.5", "--moves", "any-angle"], &["outside"]);
    let far = |more: &[&str], pieces: &[&str]| {
        asks(&[&["--to", "90,40"][..], more].concat(), pieces);
    };
    far(&["--planner", "magic"], &["`magic`", "`blockstar planners` lists them"]);
    far(&["--planner", "jps:speed=9"], &["speed=9", "no parameters"]);
    far(&["--planner", "ida-star:table=maybe"], &["table=maybe", "on or off"]);
    far(&["--planner", "jps", "--moves", "four"], &["`four`", "eight"]);
    far(&["--moves", "six"], &["`six`", "eight-cut-one"]);
    far(&["--heuristic", "luck"], &["`luck`", "octile"]);
    far(&["--weight", "0.5"], &["0.5", "1 to 1000"]);
    far(&["--weight", "NaN"], &["NaN"]);
    far(&["--weight", "inf"], &["inf", "1 to 1000"]);
    far(&["--weight", "2", "--planner", "astar"], &["weighted-astar"]);
    far(&["--max-cost", "-1"], &["-1", "not below 0"]);
    far(&["--max-expansions", "-1"], &["-1"]);
    far(&["--diagonal", "1.5"], &["1.5", "sqrt2"]);
    far(&["--diagonal", "1.4", "--moves", "any-angle"], &["--diagonal", "any-angle"]);
    far(&["--corners"], &["--corners", "--moves any-angle"]);
    far(&["--image", "a.gif"], &["a.gif", ".png or .svg"]);
    far(&["--image", "/nowhere/at/all.png"], &["/nowhere/at/all.png", "cannot be written"]);
    far(&["--threshold", "10"], &["--threshold", "pictures", "MovingAI"]);
    far(&["--threshold", "300"], &["300"]);
    far(&["--unknown", "free"], &["--unknown", "ROS"]);
    far(&["--unknown", "maybe"], &["maybe", "blocked"]);
    far(&["--smooth", "much"], &["much", "on"]);
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["planners"][..], &["route", &harbour(), "--from", "3,4", "--to", "90,40"]] {
        let mut child = blockstar()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn the_harbour_scenarios_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let text = std::fs::read(folder.join("harbour.map.scen")).unwrap();
    let scenarios = blockstar::format::movingai::parse_scen(&text).unwrap();
    assert_eq!(scenarios.len(), 50);
    for query in scenarios.iter().step_by(10) {
        let start = format!("{},{}", query.start.x, query.start.y);
        let goal = format!("{},{}", query.goal.x, query.goal.y);
        let value = json(0, &["route", &harbour(), "--from", &start, "--to", &goal, "--json"]);
        assert!(query.agrees(value["cost"].as_f64().unwrap()), "{query:?}");
    }
}
