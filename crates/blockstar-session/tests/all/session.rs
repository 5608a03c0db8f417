//! What people do: draw, plan, watch, compare, save.

use crate::client::{Ask, Client, Reply, ask};
use blockstar::{Algorithm, Grid, Moves, Planner, Query, Scratch};
use serde_json::{Value, json};

#[test]
fn hello_tells_what_there_is() {
    let reply = Client::new().ask(ask!("op": "hello", "id": 7));
    assert_eq!((&reply.header["id"], &reply.header["protocol"]), (&json!(7), &json!(1)));
    let planners = reply.header["planners"].as_array().unwrap();
    assert_eq!(planners.len(), Algorithm::all().len());
    assert!(reply.number("/limits/memory") < 4e9);
}

#[test]
fn a_path_is_planned_checked_and_traced() {
    let mut client = Client::new();
    let map = client.ask(ask!("op": "example", "name": "harbour"));
    assert_eq!(map.u8s("free").len(), 96 * 48);
    let mut plan = ask!(
        "op": "plan", "planner": "astar", "start": map.header["start"], "goal": map.header["goal"],
        "measure": 5, "optimum": true, "trace": true
    );
    let reply = client.ask(&plan);
    let header = &reply.header;
    assert_eq!((&header["status"], &header["check"]["legal"]), (&json!("found"), &json!(true)));
    assert_eq!(header["optimum"]["ratio"], 1.0);
    assert_eq!(header["times"]["runs"], 5);
    let path = reply.f64s("path");
    assert_eq!((path[0], path[1], path[path.len() - 1]), (3.5, 4.5, 40.5));
    // The events are those that were counted, and costs are in the engine's units.
    let expanded = reply.u8s("kind").iter().filter(|kind| **kind == 2).count();
    assert_eq!(header["stats"]["expanded"], expanded);
    let (g, scale) = (reply.u32s("g"), reply.number("/trace/scale"));
    assert_eq!(g.len(), reply.u32s("at").len());
    assert!(g.iter().all(|g| f64::from(*g) / scale <= reply.number("/path/cost")));
    assert_eq!(reply.u32s("at")[0], 7 | 9 << 16);
    // A window of the same.
    plan.0["trace"] = json!({ "skip": 10, "limit": 5 });
    let window = client.ask(&plan);
    assert_eq!(window.u32s("at"), reply.u32s("at")[10..15]);
    assert_eq!(window.header["trace"]["skipped"], 10);
    plan.0["trace"]["brief"] = true.into();
    let brief = client.ask(plan);
    assert_eq!(brief.u32s("from"), window.u32s("from"));
    assert!(!brief.header["columns"].to_string().contains("\"g\""));
}

#[test]
fn every_planner_answers_as_the_library_does() {
    let mut client = Client::new();
    for name in ["harbour", "rooms", "hills"] {
        let map = client.ask(ask!("op": "example", "name": name));
        let [start, goal] = ["start", "goal"].map(|end| {
            let at = |i: usize| map.header[end][i].as_u64().unwrap() as u32;
            (at(0), at(1))
        });
        let (width, height) = (map.number("/map/width") as u32, map.number("/map/height") as u32);
        let grid = Grid::from_bytes(width, height, map.u8s("free")).unwrap();
        for row in Algorithm::all() {
            let moves = Moves::new(row.rules[0]);
            let cells = u64::from(width) * u64::from(height);
            if row.name == "cpd" && cells > 10_000 {
                continue; // it takes seconds
            }
            let mut plan = ask!(
                "op": "plan", "planner": row.name, "moves": moves.rule().name(), "start": [start.0, start.1],
                "goal": [goal.0, goal.1], "measure": 1, "trace": true
            );
            if row.name == "ida-star" {
                plan.0["max_expansions"] = 20_000.into();
            }
            let reply = client.ask(&plan);
            let mut query = Query::new(start, goal);
            if row.name == "ida-star" {
                query = query.max_expansions(20_000);
            }
            let mut scratch = Scratch::new();
            let planner = row.choose().prepare(&grid, moves).unwrap();
            let status = planner.find(&grid, &query, &mut scratch).unwrap();
            assert_eq!(reply.header["status"], status.name(), "{} on {name}", row.name);
            assert_eq!(reply.header["stats"]["expanded"], scratch.stats().expanded, "{}", row.name);
            if status.has_path() {
                let points = scratch.path().points().iter().flat_map(|p| [p.x(), p.y()]);
                assert_eq!(reply.f64s("path"), points.collect::<Vec<_>>(), "{}", row.name);
                assert_eq!(reply.header["check"]["legal"], true);
            }
            client.ask(ask!("op": "structure", "planner": row.name, "moves": moves.rule().name()));
        }
    }
}

#[test]
fn an_edit_is_undone_and_done_again() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 40, "height": 30));
    let stroke = |paint: &Value| {
        let mut change =
            json!({ "shape": "stroke", "points": [[5, 5], [20, 9], [90, 9]], "radius": 2 });
        change.as_object_mut().unwrap().extend(paint.as_object().unwrap().clone());
        Ask(json!({ "op": "edit", "changes": [change] }))
    };
    let mut states = vec![client.ask(ask!("op": "map"))];
    for paint in [
        json!({ "tile": "blocked" }),
        json!({ "cost": 2.5 }),
        json!({ "tile": "blocked" }),
        json!({ "height": 3 }),
        json!({ "raise": -1.5 }),
        json!({ "tile": "free" }),
    ] {
        let reply = client.ask(stroke(&paint));
        assert!(reply.number("/step/cells") > 100.0);
        states.push(client.ask(ask!("op": "map")));
    }
    let same = |a: &Reply, b: &Reply| {
        assert_eq!(a.header["columns"], b.header["columns"]);
        assert_eq!(a.body, b.body);
    };
    for state in states.iter().rev().skip(1) {
        client.ask(ask!("op": "undo"));
        same(&client.ask(ask!("op": "map")), state);
    }
    assert_eq!(client.refusal(ask!("op": "undo")), "there is nothing to undo");
    for state in states.iter().skip(1) {
        client.ask(ask!("op": "redo"));
        same(&client.ask(ask!("op": "map")), state);
    }
    assert_eq!(client.refusal(ask!("op": "redo")), "there is nothing to do again");
}

#[test]
fn pieces_of_a_stroke_are_one_step() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 20, "height": 20));
    for x in 0..5 {
        let change = json!({ "shape": "stroke", "points": [[x, 3]], "tile": "blocked" });
        let reply = client.ask(ask!("op": "edit", "changes": [change], "join": x > 0));
        assert_eq!(reply.header["map"]["undo"], 1);
        assert_eq!(reply.header["map"]["area"], json!({ "x": x, "y": 3, "width": 1, "height": 1 }));
    }
    assert_eq!(client.ask(ask!("op": "undo")).header["map"]["free_cells"], 400);
}

#[test]
fn planners_are_kept_and_updated() {
    let mut client = Client::new();
    client.ask(ask!("op": "generate", "kind": "rooms", "width": 100, "height": 80));
    let plan = ask!(
        "op": "plan", "planner": "block-astar", "start": [2, 2], "goal": [97, 77], "optimum": true
    );
    let first = client.ask(&plan);
    assert!(first.header["times"]["prepare"].is_number());
    assert!(client.ask(&plan).header["times"]["prepare"].is_null());
    client.ask(ask!("op": "edit", "changes": [
        { "shape": "rect", "x": 40, "y": 0, "width": 3, "height": 70, "tile": "blocked" },
    ]));
    let edited = client.ask(&plan);
    assert!(edited.header["times"]["prepare"].is_null());
    assert!(edited.header["times"]["update"].is_number());
    assert_eq!(edited.header["optimum"]["ratio"], 1.0);
    assert!(edited.number("/path/cost") > first.number("/path/cost"));
    let state = client.ask(ask!("op": "state"));
    assert_eq!(state.header["planners"].as_array().unwrap().len(), 2);
    client.ask(ask!("op": "forget"));
    assert!(client.ask(&plan).header["times"]["prepare"].is_number());
}

#[test]
fn planners_are_compared_and_one_that_refuses_spoils_nothing() {
    let mut client = Client::new();
    let map = client.ask(ask!("op": "example", "name": "rooms"));
    let reply = client.ask(ask!(
        "op": "compare", "planners": ["astar", "jps", "cpd:nothing=1", "greedy"],
        "start": map.header["start"], "goal": map.header["goal"], "optimum": true, "measure": 3
    ));
    let results = reply.header["results"].as_array().unwrap();
    assert_eq!(
        results.iter().map(|r| r["ok"] == true).collect::<Vec<_>>(),
        [true, true, false, true]
    );
    assert_eq!(results[0]["path"]["cost"], results[1]["path"]["cost"]);
    assert!(results[3]["optimum"]["ratio"].as_f64() > Some(1.0));
    assert!(!reply.f64s("path.3").is_empty());
}

#[test]
fn maps_are_loaded_exported_and_come_back() {
    let mut client = Client::new();
    let harbour = client.ask(ask!("op": "example", "name": "harbour"));
    let text = client.ask(ask!("op": "export", "format": "map")).header["text"].clone();
    let bytes = text.as_str().unwrap().as_bytes();
    let back = client.ask_with(ask!("op": "load", "name": "h.map"), "bytes", bytes);
    assert_eq!(
        (back.u8s("free"), &back.header["map"]["name"]),
        (harbour.u8s("free"), &json!("h.map"))
    );
    let drawn = client.ask(ask!("op": "export", "format": "text")).header["text"].clone();
    let again = client.ask_with(ask!("op": "load"), "bytes", drawn.as_str().unwrap().as_bytes());
    assert_eq!(again.u8s("free"), harbour.u8s("free"));
    let planes = ask!("op": "load", "format": "planes", "width": 96, "height": 48);
    let again = client.ask_with(planes, "free", harbour.u8s("free"));
    assert_eq!(again.u8s("free"), harbour.u8s("free"));
    let luma = ask!("op": "load", "format": "luma", "width": 2, "height": 1, "as": "heights");
    let hill = client.ask_with(luma, "luma", &[0, 255]);
    assert_eq!(
        (&hill.header["map"]["has_heights"], hill.number("/map/highest")),
        (&json!(true), 255.0)
    );
    let pgm =
        client.ask_with(ask!("op": "load", "name": "a.pgm"), "bytes", b"P5 2 1 255\n\x00\xff");
    assert_eq!(pgm.u8s("free"), [0, 1]);
}

#[test]
fn a_question_is_written_as_command_program_picture_and_trace() {
    let mut client = Client::new();
    let map = client.ask(ask!("op": "example", "name": "hills"));
    let mut request = ask!(
        "op": "export", "format": "command", "planner": "astar", "start": map.header["start"],
        "goal": map.header["goal"], "nearest": true, "file": "my hills.asc", "trace": { "limit": 500 },
        "moves": { "rule": "eight", "slope": { "cell_size": 2, "climb": 3, "max_climb": 0.5 } }
    );
    let mut text = |format: &str| -> String {
        request.0["format"] = format.into();
        client.ask(&request).header["text"].as_str().unwrap().into()
    };
    let command = text("command");
    assert!(command.starts_with("blockstar route 'my hills.asc' --from "), "{command}");
    assert!(
        command.ends_with("--cell-size 2 --climb-cost 3 --max-climb 0.5 --nearest"),
        "{command}"
    );
    let program = text("rust");
    let slope = "Moves::EIGHT.with_slope(Slope::new(2.0).penalties(3.0, 0.0).limits(0.5, 0.5))";
    assert!(program.contains(slope) && program.contains(".nearest()"), "{program}");
    assert!(text("svg").starts_with("<svg"));
    let posthoc: Value = serde_json::from_str(&text("posthoc")).unwrap();
    let events = posthoc["events"].as_array().unwrap();
    assert_eq!((&events[0]["type"], &events[2]["type"]), (&json!("source"), &json!("expanding")));
}

#[test]
fn cells_know_their_block_and_who_shares_its_table() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 24, "height": 24));
    let cell = ask!("op": "cell", "cell": [3, 4], "planner": "block-astar:block=8");
    let reply = client.ask(cell);
    let facts = reply.header["facts"].as_array().unwrap();
    assert_eq!((&facts[1]["name"], &facts[1]["sharing"]), (&json!("blocks"), &json!(9)));
    let structure = client.ask(ask!("op": "structure", "planner": "block-astar:block=8"));
    assert_eq!(structure.u32s("1.rects")[..4], [0, 0, 8, 8]);
    assert_eq!(structure.u32s("1.groups").len(), 9);
    assert_eq!(structure.u32s("0.labels").len(), 24 * 24);
}

#[test]
fn scenarios_and_queries_are_columns() {
    let mut client = Client::new();
    client.ask(ask!("op": "example", "name": "harbour"));
    let queries = client.ask(ask!("op": "queries", "count": 5, "seed": 2));
    assert_eq!((queries.u32s("starts").len(), queries.u32s("goals").len()), (10, 10));
    assert_eq!(client.ask(ask!("op": "queries", "far": true)).u32s("starts").len(), 2);
    let scen = b"version 1\n0\tharbour.map\t96\t48\t3\t4\t90\t40\t101.5\n";
    let read = client.ask_with(ask!("op": "scenarios"), "bytes", scen);
    assert_eq!((read.u32s("starts"), read.f64s("lengths")), (vec![3, 4], vec![101.5]));
}
