//! Tests of [`super`].

use super::*;
use crate::{format::ascii, random::Random};

const OFFICE: &str = "image: office.pgm\nresolution: 0.05\norigin: [-10.0, -5.5, 0.0]\n\
                      negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\n";

fn parse(yaml: &str) -> RosMap {
    RosMap::parse(yaml.as_bytes()).unwrap_or_else(|error| panic!("{error}: {yaml}"))
}

fn office() -> RosMap {
    parse(OFFICE)
}

#[test]
fn the_usual_file_is_read() {
    let want = RosMap {
        image: "office.pgm".into(),
        resolution: 0.05,
        origin: [-10.0, -5.5, 0.0],
        negate: false,
        occupied: 0.65,
        free: 0.196,
        mode: Mode::Trinary,
    };
    assert_eq!(office(), want);
}

#[test]
fn all_ways_to_write_it_are_read() {
    for (from, to) in [
        ("\n", "\r\n"),
        ("image", "\u{feff}image"),
        ("image: office.pgm", "---\n# a map\n\nimage:   'office.pgm'  # the picture"),
        ("image: office.pgm", "%YAML 1.2\n---\n\"image\": \"office.pgm\""),
        ("image: office.pgm", "image:\n  office.pgm"),
        ("[-10.0, -5.5, 0.0]", "[ -1e1,-5.5 , 0 ]"),
        ("[-10.0, -5.5, 0.0]", "[-10.0,  # x\n  -5.5,\n\n 0.0,\n]"),
        ("[-10.0, -5.5, 0.0]", "\n- -10.0\n- -5.5\n- 0.0"),
        ("[-10.0, -5.5, 0.0]", "\n  -   -10.0 # x\n\n  - -5.5\n  - '0'"),
        ("negate: 0", "negate: False"),
        ("negate: 0", "negate: no\nmode: trinary"),
        ("negate: 0", "negate: 0\nextra: [1, 2\n]\nother:\n  image: no\n  - 5\nlast: {a: 1}"),
        ("free_thresh: 0.196\n", "free_thresh: 0.196\n...\nnonsense"),
    ] {
        assert_eq!(parse(&OFFICE.replace(from, to)), office(), "{to}");
    }
    assert!(parse(&OFFICE.replace("negate: 0", "negate: on")).negate);
    assert_eq!(parse(&OFFICE.replace("office.pgm", "it's a: b#1 #2")).image, "it's a: b#1");
    assert_eq!(parse(&OFFICE.replace("office.pgm", "'a #1.pgm'")).image, "a #1.pgm");
    for (name, mode) in [("scale", Mode::Scale), ("raw", Mode::Raw), ("trinary", Mode::Trinary)] {
        assert_eq!(parse(&format!("{OFFICE}mode: {name}")).mode, mode);
    }
}

#[test]
fn a_wrong_file_is_told_by_line_and_column() {
    for (from, to, want) in [
        ("0.05", "0", "line 2, column 13: the resolution is 0, but must be above 0"),
        ("0.05", "-1", "the resolution is -1"),
        ("0.05", ".nan", "line 2, column 13: resolution is `.nan`, but must be a finite"),
        ("0.05", "inf", "resolution is `inf`, but must be a finite number"),
        ("0.05", "[1]", "resolution is a list, but must be one value"),
        ("0.05", "", "resolution is ``, but must be"),
        ("0.05", "1\n  2", "line 3, column 3: `2` follows the value of `resolution`"),
        ("0.65", "1.5", "line 5, column 18: occupied_thresh is 1.5, but must be 0 to 1"),
        ("0.196", "-0.1", "line 6, column 14: free_thresh is -0.1, but must be 0 to 1"),
        ("[-10.0, -5.5, 0.0]", "3", "line 3, column 9: origin must be a list of three"),
        ("[-10.0, -5.5, 0.0]", "[1, 2]", "line 3, column 9: origin has 2 numbers"),
        ("[-10.0, -5.5, 0.0]", "[1, 2, x]", "line 3, column 16: a number of origin is `x`"),
        ("[-10.0, -5.5, 0.0]", "[1, 2, 3] 4", "line 3, column 19: `4` follows the list"),
        ("[-10.0, -5.5, 0.0]", "[1, 2, 3", "line 3, column 9: this list is never closed"),
        ("[-10.0, -5.5, 0.0]", "\n- 1\n- 2\n- 1e999", "line 6, column 3: a number of origin"),
        ("negate: 0", "negate: 2", "line 4, column 9: negate is `2`, but must be 0 or 1"),
        ("negate: 0\n", "", "line 5, column 1: `negate` is missing"),
        ("negate: 0", "negate: 0\nnegate: 0", "line 5, column 1: `negate` was given before"),
        ("negate: 0", "negate: 0\nmode: best", "mode is `best`, but must be trinary, scale"),
        ("negate: 0", "nonsense", "line 4, column 1: `nonsense` is not a line of the form"),
        ("office.pgm", "''", "line 1, column 8: image is empty"),
    ] {
        let text = OFFICE.replacen(from, to, 1);
        let got = RosMap::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(got.starts_with("ROS map, line") && got.contains(want), "{text}{got}");
    }
    let got = RosMap::parse(b"").unwrap_err().to_string();
    assert!(got.contains("line 1, column 1: `resolution` is missing"), "{got}");
    let got = RosMap::parse(b"image: \xff\nresolution: 1\n").unwrap_err().to_string();
    assert!(got.contains("image is `\\xff`, which is not UTF-8"), "{got}");
}

#[test]
fn pixels_follow_the_published_rule() {
    let mut map = office();
    // 0.65 * 255 = 165.75 and 0.196 * 255 = 49.98, both counted from white.
    let pixels = [0, 89, 90, 205, 206, 255];
    let draw = |map: &RosMap, unknown| {
        ascii::draw(&map.grid(6, 1, &pixels, unknown).unwrap()).trim().to_string()
    };
    assert_eq!(draw(&map, Tile::Blocked), "####..");
    assert_eq!(draw(&map, Tile::Free), "##....");
    map.mode = Mode::Scale;
    assert_eq!(draw(&map, Tile::Free), "##....");
    map.negate = true;
    assert_eq!(draw(&map, Tile::Blocked), ".#####");
    assert_eq!(draw(&map, Tile::Free), "...###");
    map.mode = Mode::Raw;
    assert_eq!([0, 19, 20, 65, 66, 100, 101].map(|pixel| map.tile(pixel)), {
        let (free, blocked) = (Some(Tile::Free), Some(Tile::Blocked));
        [free, free, None, None, blocked, blocked, None]
    });
}

#[test]
fn a_value_on_a_threshold_is_unknown() {
    let map = RosMap { occupied: 1.0, free: 0.0, ..office() };
    assert!((0..=255).all(|pixel| map.tile(pixel).is_none()));
}

#[test]
fn pixels_that_do_not_fit_the_size_are_refused() {
    assert!(office().grid(2, 2, &[0; 3], Tile::Free).is_err());
    assert!(office().grid(u32::MAX, u32::MAX, &[], Tile::Free).is_err());
}

#[test]
fn cells_and_the_world_map_to_each_other() {
    for yaw in [0.0, 0.3, std::f64::consts::FRAC_PI_2, -2.0] {
        let map = RosMap { origin: [-10.0, 3.0, yaw], ..office() };
        for cell in [(0, 0), (19, 0), (0, 9), (19, 9), (7, 4)].map(Cell::from) {
            let (x, y) = map.world(cell, 10);
            assert_eq!(map.cell(x, y, 20, 10), Some(cell), "yaw {yaw}");
        }
    }
    let map = RosMap { resolution: 1.0, origin: [0.0; 3], ..office() };
    assert_eq!(map.cell(0.0, 0.0, 20, 10), Some(Cell::new(0, 9)));
    assert_eq!(map.cell(19.9, 9.9, 20, 10), Some(Cell::new(19, 0)));
    for (x, y) in [(-0.1, 0.0), (0.0, -0.1), (20.0, 0.0), (0.0, 10.0), (f64::NAN, 0.0)] {
        assert_eq!(map.cell(x, y, 20, 10), None);
    }
    assert_eq!(map.cell(f64::INFINITY, f64::NEG_INFINITY, 20, 10), None);
    // A quarter turn: the map's right is the world's up.
    let turned = RosMap { origin: [0.0, 0.0, std::f64::consts::FRAC_PI_2], ..map };
    let (x, y) = turned.world(Cell::new(5, 9), 10);
    assert!((x + 0.5).abs() < 1e-9 && (y - 5.5).abs() < 1e-9, "{x} {y}");
}

#[test]
fn damaged_files_never_panic() {
    let block = OFFICE.replace("[-10.0, -5.5, 0.0]", "\n - -10\n - '5' # y\n - 0\nmode: raw");
    let mut random = Random::new(11);
    for _ in 0..4000 {
        for file in [OFFICE, &block] {
            if let Ok(map) = RosMap::parse(&random.damage(file.as_bytes())) {
                let _ = map.grid(2, 1, &[0, 255], Tile::Free).unwrap();
                let (x, y) = map.world(Cell::new(1, 0), 1);
                let _ = map.cell(x, y, 2, 1);
            }
        }
    }
}
