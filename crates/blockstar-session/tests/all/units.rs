//! The living map: units are placed, walk, are ordered about and go around what is drawn.

use crate::client::{Client, Reply, ask};
use blockstar_session::{Limits, frame};
use serde_json::json;

/// Everybody's state by slot, 255 where nobody is.
fn living(reply: &Reply) -> usize {
    reply.u8s("state").iter().filter(|state| **state != 255).count()
}

/// Asks with a column of slots.
fn order(client: &mut Client, request: &serde_json::Value, slots: &[u32]) -> Reply {
    let mut request = request.clone();
    request["columns"] =
        json!([{ "name": "units", "type": "u32", "offset": 0, "length": slots.len() }]);
    let bytes: Vec<u8> = slots.iter().flat_map(|slot| slot.to_le_bytes()).collect();
    client.raw(&frame(request.as_object().unwrap(), &bytes))
}

#[test]
fn units_walk_about_and_never_share_a_cell() {
    let mut client = Client::new();
    client.ask(ask!("op": "example", "name": "harbour"));
    let placed = client.ask(ask!("op": "units.place", "count": 200, "wander": true, "teams": 4));
    assert_eq!((placed.number("/placed"), living(&placed)), (200.0, 200));
    assert_eq!(placed.u8s("team").iter().max(), Some(&3));
    let mut arrived = 0.0;
    let mut last = placed.f32s("positions");
    for _ in 0..40 {
        let reply = client.ask(ask!("op": "units.tick", "ticks": 30, "heat": true));
        assert_eq!((reply.f64s("times").len(), reply.u32s("spent").len()), (30, 150));
        arrived += reply.header["events"]["arrived"].as_f64().unwrap_or(0.0);
        last = reply.f32s("positions");
        let budget: Vec<u64> = reply.header["budget"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect();
        for tick in reply.u32s("spent").chunks(5) {
            assert!(tick.iter().zip(&budget).all(|(spent, most)| u64::from(*spent) <= *most));
        }
        assert_eq!(reply.u8s("heat").len(), 96 * 48);
    }
    assert!(arrived > 100.0, "{arrived} arrived");
    // A second session that is asked the same is in the same state: nothing depends on time.
    let mut twin = Client::new();
    twin.ask(ask!("op": "example", "name": "harbour"));
    twin.ask(ask!("op": "units.place", "count": 200, "wander": true, "teams": 4));
    let ticks = (0..10).map(|_| twin.ask(ask!("op": "units.tick", "ticks": 120)).f32s("positions"));
    assert_eq!(ticks.last(), Some(last));
}

#[test]
fn a_wall_and_a_door_cut_ways_and_the_units_go_around() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 40, "height": 20));
    for y in 0..8 {
        let area = json!({ "op": "units.place", "x": 1, "y": 5 + y, "width": 1, "height": 1 });
        client.ask(crate::client::Ask(area));
    }
    // Each on an errand of its own, so that each has a way of its own.
    for slot in 0..8_u32 {
        let go = json!({ "op": "units.order", "goal": [38, 5 + slot] });
        assert_eq!(order(&mut client, &go, &[slot]).header["ordered"], 1);
    }
    let watched = client.ask(ask!("op": "units.tick", "ticks": 30, "watch": [0, 7]));
    assert_eq!(watched.header["watched"][1]["unit"], 7);
    let points: u64 =
        (0..2).map(|i| watched.header["watched"][i]["points"].as_u64().unwrap()).sum();
    assert!(points > 0 && watched.f32s("ways").len() as u64 == 2 * points);
    let wall =
        json!({ "shape": "rect", "x": 20, "y": 0, "width": 1, "height": 18, "tile": "blocked" });
    let edit = client.ask(ask!("op": "edit", "changes": [wall]));
    assert_eq!(edit.header["units"]["cut"], 8);
    // The only way left is a door, which closes and opens again.
    let door = client.ask(ask!("op": "units.door", "x": 20, "y": 18, "width": 1, "height": 2));
    assert_eq!(door.u32s("doors"), [20, 18, 1, 2, 1]);
    client.ask(ask!("op": "units.door", "door": 0, "open": false));
    let held = client.ask(ask!("op": "units.tick", "ticks": 200));
    assert!(held.f32s("positions").iter().step_by(2).all(|x| *x < 21.0));
    let open = client.ask(ask!("op": "units.door", "door": 0, "open": true));
    assert_eq!(open.u32s("doors")[4], 1);
    // The door and the wall are undone.
    for _ in 0..4 {
        client.ask(ask!("op": "undo"));
    }
    for _ in 0..5 {
        client.ask(ask!("op": "units.tick", "ticks": 240));
    }
    let end = client.ask(ask!("op": "units.tick", "ticks": 1));
    let far = end.f32s("positions").iter().step_by(2).filter(|x| **x > 37.0).count();
    assert_eq!(far, 8);
}

#[test]
fn doors_are_undone_and_redone_like_every_other_edit() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 20, "height": 10));
    client.ask(ask!("op": "units.place", "x": 1, "y": 1, "width": 1, "height": 1));
    let wall =
        json!({ "shape": "rect", "x": 5, "y": 0, "width": 1, "height": 8, "tile": "blocked" });
    client.ask(ask!("op": "edit", "changes": [wall]));
    // Two doors, one over the other; the first is closed, and so stays below the second.
    client.ask(ask!("op": "units.door", "x": 5, "y": 8, "width": 1, "height": 2));
    client.ask(ask!("op": "units.door", "door": 0, "open": false));
    let both = client.ask(ask!("op": "units.door", "x": 4, "y": 8, "width": 3, "height": 1));
    assert_eq!(both.header["map"]["undo"], 4);
    // What changes nothing is not a step.
    let again = client.ask(ask!("op": "units.door", "door": 0, "open": false));
    assert_eq!(again.header["map"]["undo"], 4);
    let mut ages = vec![both.u32s("doors")];
    for _ in 0..3 {
        ages.push(client.ask(ask!("op": "undo")).u32s("doors"));
    }
    let (open, closed) = ([5, 8, 1, 2, 1], [5, 8, 1, 2, 0]);
    assert_eq!(ages[1..], [closed.to_vec(), open.to_vec(), Vec::new()]);
    let wall = client.ask(ask!("op": "undo"));
    assert_eq!(
        (&wall.header["map"]["free_cells"], &wall.header["map"]["undo"]),
        (&json!(200), &json!(0))
    );
    client.ask(ask!("op": "redo"));
    for age in ages[..3].iter().rev() {
        assert_eq!(client.ask(ask!("op": "redo")).u32s("doors"), *age);
    }
    // The first door is closed below the second again once that is gone: nobody gets through.
    client.ask(ask!("op": "undo"));
    client.ask(ask!("op": "units.order", "goal": [15, 5]));
    let held = client.ask(ask!("op": "units.tick", "ticks": 240));
    assert!(held.f32s("positions")[0] < 6.0);
    client.ask(ask!("op": "undo"));
    client.ask(ask!("op": "units.order", "goal": [15, 5]));
    let through = client.ask(ask!("op": "units.tick", "ticks": 240));
    assert!(through.f32s("positions")[0] > 15.0);
    // Another world has other doors: the steps of the old ones are gone with it.
    client.ask(ask!("op": "units.remove"));
    client.ask(ask!("op": "units.place", "stepping": "plane"));
    let state = client.ask(ask!("op": "undo"));
    assert_eq!(
        (&state.header["map"]["undo"], &state.header["map"]["redo"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn terrain_that_is_painted_slows_units_down() {
    let walk = |factor: f64| {
        let mut client = Client::new();
        client.ask(ask!("op": "new", "width": 30, "height": 3));
        client.ask(ask!("op": "units.place", "x": 0, "y": 1, "width": 1, "height": 1));
        let mud =
            json!({ "shape": "rect", "x": 0, "y": 0, "width": 30, "height": 3, "cost": factor });
        client.ask(ask!("op": "edit", "changes": [mud]));
        client.ask(ask!("op": "units.order", "goal": [29, 1]));
        client.ask(ask!("op": "units.tick", "ticks": 60)).f32s("positions")[0]
    };
    let (plain, mud) = (walk(1.0), walk(4.0));
    assert!(plain > 2.0 * mud, "{plain} and {mud}");
}

#[test]
fn units_are_ordered_taken_away_and_gone_with_their_map() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 30, "height": 30));
    client.ask(ask!("op": "units.place", "count": 50, "size": 2));
    let all = client.ask(ask!("op": "units.order", "goal": [15, 15], "formation": "square"));
    assert_eq!(all.header["ordered"], 50);
    for _ in 0..10 {
        client.ask(ask!("op": "units.tick", "ticks": 120));
    }
    let near = client.ask(ask!("op": "units.tick", "ticks": 1)).f32s("positions");
    assert!(near.chunks(2).all(|at| (at[0] - 15.0).abs() < 11.0 && (at[1] - 15.0).abs() < 11.0));
    for what in ["stop", "hold", "wander"] {
        client.ask(ask!("op": "units.order", "order": what));
    }
    let removed = order(&mut client, &json!({ "op": "units.remove" }), &[0, 1, 1, 99]);
    assert_eq!((removed.header["removed"].as_u64(), living(&removed)), (Some(2), 48));
    assert!(client.ask(ask!("op": "state")).number("/memory/units") > 0.0);
    client.ask(ask!("op": "new", "width": 30, "height": 30));
    assert!(client.refusal(ask!("op": "units.tick")).contains("there are no units yet"));
}

#[test]
fn units_step_from_cell_to_cell_or_glide_in_the_plane() {
    let mut client = Client::new();
    client.ask(ask!("op": "new", "width": 40, "height": 30));
    client.ask(ask!("op": "units.place", "count": 30, "stepping": "plane"));
    let other = ask!("op": "units.place", "stepping": "cells");
    assert!(client.refusal(&other).contains("take them away first"));
    client.ask(ask!("op": "units.order", "goal": [20, 15]));
    client.ask(ask!("op": "units.tick", "ticks": 60));
    let there = client.ask(ask!("op": "units.tick", "ticks": 1)).f32s("positions");
    // Somebody is where no cell has its middle.
    assert!(there.iter().any(|at| (at.fract() - 0.5).abs() > 0.01));
    client.ask(ask!("op": "units.remove"));
    client.ask(other);
    assert!(
        client.refusal(ask!("op": "units.place", "stepping": "fly")).contains("cells or plane")
    );
}

#[test]
fn units_keep_within_the_limits() {
    let limits = Limits { units: 100, units_memory: 1 << 20, ..Limits::default() };
    let mut client = Client::with(limits);
    client.ask(ask!("op": "new", "width": 200, "height": 200));
    assert!(client.refusal(ask!("op": "units.place")).contains("maps of up to 10485 cells"));
    client.ask(ask!("op": "new", "width": 20, "height": 20));
    assert!(client.refusal(ask!("op": "units.place", "count": 101)).contains("100 at most"));
    client.ask(ask!("op": "units.place", "count": 100));
    assert!(client.refusal(ask!("op": "units.place")).contains("there are 100 units"));
    assert!(client.refusal(ask!("op": "units.tick", "ticks": 1000)).contains("240 at most"));
    assert!(client.refusal(ask!("op": "units.door", "door": 3)).contains("there is no door 3"));
    // Where there is no room for all, as many are placed as there is room for.
    client.ask(ask!("op": "new", "width": 5, "height": 5));
    assert_eq!(client.ask(ask!("op": "units.place", "count": 60)).header["placed"], 25);
}

#[test]
fn sixteen_hundred_units_on_a_large_map() {
    let mut client = Client::new();
    client.ask(ask!("op": "generate", "kind": "rooms", "width": 512, "height": 512, "room": 31));
    client.ask(ask!("op": "units.place", "count": 1600, "wander": true, "teams": 4));
    let begun = std::time::Instant::now();
    let reply = client.ask(ask!("op": "units.tick", "ticks": 60, "heat": true));
    println!("60 ticks of 1,600 units: {:?}, {} bytes", begun.elapsed(), reply.header["memory"]);
    assert_eq!(living(&reply), 1600);
    assert!(reply.number("/memory") <= Limits::default().units_memory as f64);
    // One square of the heat map for each 2 x 2 cells.
    assert_eq!(reply.u8s("heat").len(), 256 * 256);
}
