//! Whatever is sent, the answer is a frame, the session goes on and keeps within its limits.

use crate::client::{Client, ask};
use blockstar::random::Random;
use blockstar_session::{Limits, frame};
use serde_json::{Map, Value, json};

/// Every request, with fields that make sense.
fn requests() -> Vec<Value> {
    let plan = json!({
        "op": "plan", "planner": "weighted-astar", "moves": "eight", "start": [1, 1], "goal": [8, 8],
        "nearest": true, "heuristic": "octile", "weight": 1.5, "max_cost": 100, "max_expansions": 500,
        "measure": 2, "optimum": true, "trace": { "limit": 100, "skip": 3 }, "avoid": [[3, 3, 2, 2]],
    });
    let mut compare = plan.clone();
    compare["op"] = "compare".into();
    compare["planners"] = json!(["jps", "anya", "lrta-star"]);
    let mut export = plan.clone();
    (export["op"], export["format"]) = ("export".into(), "svg".into());
    vec![
        json!({ "op": "hello" }),
        json!({ "op": "new", "width": 12, "height": 10 }),
        json!({ "op": "generate", "kind": "maze", "width": 20, "height": 15, "seed": 3, "corridor": 2 }),
        json!({ "op": "generate", "kind": "terrain", "width": 20, "height": 15, "roughness": 0.5 }),
        json!({ "op": "example", "name": "block-astar" }),
        json!({ "op": "load", "format": "planes", "width": 2, "height": 2, "columns": [
            { "name": "free", "type": "u8", "offset": 0, "length": 4 } ] }),
        json!({ "op": "load", "format": "luma", "as": "heights", "width": 2, "height": 4, "columns": [
            { "name": "luma", "type": "u8", "offset": 0, "length": 8 } ] }),
        json!({ "op": "load", "format": "auto", "name": "a.csv", "columns": [
            { "name": "bytes", "type": "u8", "offset": 0, "length": 40 } ] }),
        json!({ "op": "map", "x": 1, "y": 1, "width": 3, "height": 2 }),
        json!({ "op": "edit", "join": true, "changes": [
            { "shape": "rect", "x": 1, "y": 2, "width": 3, "height": 4, "tile": "blocked" },
            { "shape": "stroke", "points": [[0, 0], [5, 9]], "radius": 1.5, "cost": 2 },
            { "shape": "stroke", "points": [[4, 4]], "radius": 3, "raise": 1 } ] }),
        json!({ "op": "edit", "changes": [{ "shape": "cells", "column": "cells", "height": 4 }],
            "columns": [{ "name": "cells", "type": "u32", "offset": 0, "length": 2 }] }),
        json!({ "op": "undo" }),
        json!({ "op": "redo" }),
        plan,
        compare,
        export,
        json!({ "op": "cell", "cell": [2, 3], "planner": "dba-star" }),
        json!({ "op": "structure", "planner": "block-astar", "moves": {
            "rule": "eight", "diagonal": "1.4", "slope": { "cell_size": 2, "climb": 1, "max_climb": 0.5 } } }),
        json!({ "op": "scenarios", "columns": [
            { "name": "bytes", "type": "u8", "offset": 0, "length": 30 } ] }),
        json!({ "op": "queries", "count": 3, "seed": 1 }),
        json!({ "op": "state" }),
        json!({ "op": "forget", "planner": "astar" }),
        json!({ "op": "units.place", "x": 1, "y": 1, "width": 8, "height": 7, "count": 9, "size": 2,
            "team": 1, "teams": 3, "seed": 4, "wander": true, "stepping": "cells" }),
        json!({ "op": "units.order", "order": "go", "goal": [3, 4], "queue": true, "formation": "line",
            "columns": [{ "name": "units", "type": "u32", "offset": 0, "length": 3 }] }),
        json!({ "op": "units.order", "order": "wander" }),
        json!({ "op": "units.door", "x": 2, "y": 2, "width": 1, "height": 3 }),
        json!({ "op": "units.door", "door": 0, "open": false }),
        json!({ "op": "units.tick", "ticks": 20, "heat": true, "watch": [0, 3, 900] }),
        json!({ "op": "units.remove",
            "columns": [{ "name": "units", "type": "u32", "offset": 0, "length": 2 }] }),
    ]
}

/// A value that may be anything.
fn strange(random: &mut Random) -> Value {
    match random.below(14) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e300),
        4 => json!(0.5),
        5 => json!(random.below(300)),
        6 => json!("astar"),
        7 => json!("\u{0}\u{1f600}:::==="),
        8 => json!("x".repeat(1000)),
        9 => json!([]),
        10 => json!([[1, 2], [3]]),
        11 => json!({}),
        12 => json!(true),
        _ => json!([random.below(30), random.below(30)]),
    }
}

/// Changes one place somewhere in a value.
fn damage(value: &mut Value, random: &mut Random) {
    let go_on = random.chance(3, 4);
    match value {
        Value::Object(fields) if go_on && !fields.is_empty() => {
            let index = random.below(fields.len() as u64) as usize;
            let key = fields.keys().nth(index).unwrap().clone();
            if random.chance(1, 6) {
                fields.remove(&key);
            } else {
                damage(&mut fields[&key], random);
            }
        }
        Value::Array(list) if go_on && !list.is_empty() => {
            let index = random.below(list.len() as u64) as usize;
            damage(&mut list[index], random);
        }
        _ => *value = strange(random),
    }
}

#[test]
fn random_bytes_get_a_sentence() {
    let mut random = Random::new(1);
    let mut client = Client::new();
    for round in 0..20_000 {
        let length = random.below(if round % 100 == 0 { 5000 } else { 60 });
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        assert_eq!(client.raw(&bytes).header["ok"], false);
    }
    // Headers that end too soon, or say they are enormous.
    let whole = frame(requests()[1].as_object().unwrap(), &[]);
    for cut in 0..whole.len() - 8 {
        assert_eq!(client.raw(&whole[..cut]).header["ok"], false);
    }
    for length in [u32::MAX, 1 << 31, 100, 1] {
        let mut bytes = whole.clone();
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        assert_eq!(client.raw(&bytes).header["ok"], false);
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let mut bytes = (deep.len() as u32).to_le_bytes().to_vec();
    bytes.extend(deep.as_bytes());
    assert_eq!(client.raw(&bytes).header["ok"], false);
}

#[test]
fn damaged_requests_in_any_order_never_end_a_session() {
    let limits =
        Limits { cells: 4000, trace: 2000, history: 100_000, time: 2e6, ..Limits::default() };
    let mut random = Random::new(2);
    let requests = requests();
    let mut answered = 0;
    for _ in 0..30 {
        let mut client = Client::with(limits);
        client.ask(ask!("op": "new", "width": 12, "height": 10));
        for _ in 0..150 {
            let mut request = requests[random.below(requests.len() as u64) as usize].clone();
            for _ in 0..random.below(3) {
                damage(&mut request, &mut random);
            }
            let empty = Map::new();
            let body: Vec<u8> = (0..random.below(64)).map(|_| random.below(256) as u8).collect();
            let reply = client.raw(&frame(request.as_object().unwrap_or(&empty), &body));
            answered += u32::from(reply.header["ok"] == true);
        }
        let state = client.ask(ask!("op": "state"));
        assert!(state.number("/memory/history") <= 100_000.0);
        assert!(state.number("/memory/total") <= limits.memory() as f64);
    }
    assert!(answered > 900, "{answered} of 4500 were answered");
}

#[test]
fn sizes_beyond_the_limits_are_refused_before_they_are_made() {
    let mut client = Client::new();
    for (width, height) in
        [(1u64 << 32, 1), (16384, 16384), (u64::MAX, 2), (0, 5), (20_000, 20_000)]
    {
        for op in ["new", "generate"] {
            client.refusal(ask!("op": op, "kind": "caves", "width": width, "height": height));
        }
    }
    // A file that says it is large.
    let reply = client.ask_with(
        ask!("op": "load"),
        "bytes",
        b"type octile\nheight 16384\nwidth 16384\nmap\n..",
    );
    assert_eq!(reply.header["ok"], false);
    let most = Limits { request: 1000, ..Limits::default() };
    assert_eq!(Client::with(most).raw(&[0; 1001]).header["ok"], false);
    client.ask(ask!("op": "new", "width": 4000, "height": 4000));
    let all = json!({ "shape": "rect", "x": 0, "y": 0, "width": 4000, "height": 4000, "tile": "blocked" });
    assert!(client.refusal(ask!("op": "edit", "changes": [all])).contains("could not be undone"));
    assert!(
        client
            .refusal(ask!(
                "op": "plan", "planner": "cpd", "start": [0, 0], "goal": [1, 1]
            ))
            .contains("prepared here for maps of up to")
    );
    let state = client.ask(ask!("op": "state"));
    assert_eq!(state.header["map"]["free_cells"], 16_000_000);
}

#[test]
fn requests_in_the_wrong_state_are_refused() {
    let mut client = Client::new();
    for request in requests() {
        let op = request["op"].as_str().unwrap();
        if ["map", "edit", "undo", "redo", "plan", "compare", "cell", "structure", "queries"]
            .contains(&op)
        {
            let refusal = client.refusal(ask!("op": op));
            assert!(refusal.contains("there is no map yet"), "{op}: {refusal}");
        }
    }
    assert!(client.refusal(ask!("op": "units.fly")).contains("there is no request"));
    assert!(client.refusal(ask!("op": "units.place")).contains("there is no map yet"));
    for op in ["units.order", "units.tick", "units.remove"] {
        assert!(client.refusal(ask!("op": op)).contains("there are no units yet"));
    }
    client.ask(ask!("op": "new", "width": 5, "height": 5));
    for (start, goal) in [([9, 0], [0, 0]), ([0, 0], [0, 9])] {
        let refusal =
            client.refusal(ask!("op": "plan", "planner": "jps", "start": start, "goal": goal));
        assert!(refusal.contains("outside"), "{refusal}");
    }
}

#[test]
fn a_search_that_takes_too_long_is_ended() {
    let mut client = Client::with(Limits { time: 100_000.0, ..Limits::default() });
    client
        .ask(ask!("op": "generate", "kind": "random", "width": 200, "height": 200, "blocked": 35));
    let ends = client.ask(ask!("op": "queries", "far": true));
    let (start, goal) = (ends.u32s("starts"), ends.u32s("goals"));
    let plan = ask!("op": "plan", "planner": "ida-star:table=off", "start": start, "goal": goal);
    let begun = std::time::Instant::now();
    assert!(client.refusal(plan).contains("took longer than 0.1 s"));
    assert!(begun.elapsed().as_secs() < 20);
    client.ask(ask!("op": "plan", "planner": "jps", "start": start, "goal": goal));
}

#[test]
fn a_refused_edit_changes_nothing() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 5, "height": 5));
    let good =
        json!({ "shape": "rect", "x": 0, "y": 0, "width": 2, "height": 2, "tile": "blocked" });
    let bad = json!({ "shape": "rect", "x": 0, "y": 0, "width": 2, "height": 2, "cost": -1 });
    client.refusal(ask!("op": "edit", "changes": [good, bad]));
    let map = client.ask(ask!("op": "map"));
    assert_eq!(
        (&map.header["map"]["free_cells"], &map.header["map"]["undo"]),
        (&json!(25), &json!(0))
    );
}
