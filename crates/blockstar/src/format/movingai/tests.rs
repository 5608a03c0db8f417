//! Tests of [`super`].

use super::*;
use crate::format::expect_faults;
use crate::{format::ascii, random::Random};

const SMALL: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n.G@\nTS.\n";

fn map_fault(text: impl AsRef<[u8]>) -> String {
    parse_map(text.as_ref()).unwrap_err().to_string()
}

/// A fault that begins with the kind of file and the line.
fn of_file(kind: &str, fault: String) -> String {
    assert!(fault.starts_with(&format!("MovingAI {kind}, line")), "{fault}");
    fault
}

fn scen_fault(text: &str) -> String {
    parse_scen(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn all_letters_of_a_plain_map_are_known() {
    let grid = parse_map(b"type octile\nheight 1\nwidth 7\nmap\n.GS@OTW\n").unwrap();
    assert_eq!(ascii::draw(&grid), "...####\n");
    assert!(!grid.has_costs());
}

#[test]
fn a_map_reads_back() {
    let grid = parse_map(SMALL).unwrap();
    let again = parse_map(write_map(&grid).as_bytes()).unwrap();
    assert_eq!(ascii::draw(&again), "..#\n#..\n");
}

#[test]
fn header_order_line_ends_marks_and_blank_lines_do_not_matter() {
    for text in [
        &b"width 3\nheight 2\ntype octile\nmap\n.G@\nTS."[..],
        b"height 2\nwidth 3\nmap\n.G@\nTS.\n",
        b"\xef\xbb\xbftype octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.G@\r\nTS.",
        b"\ntype\toctile\n\nheight  2 \nwidth 3\nmap \n.G@\nTS. \n\n\r\n  \n",
    ] {
        let grid = parse_map(text).unwrap();
        assert_eq!(ascii::draw(&grid), "..#\n#..\n", "{}", text.escape_ascii());
    }
}

#[test]
fn a_bad_header_is_told_by_line_and_column() {
    let faults = [
        ("", "line 1, column 1: the header has no `width`"),
        ("type octile\nmap\n.\n", "line 2, column 1: the header has no `width`"),
        ("width 1\nmap\n.\n", "line 2, column 1: the header has no `height`"),
        ("type hexagonal\n", "line 1, column 6: the type is `hexagonal`, but must be `octile`"),
        ("width 3\nwidth 3\n", "line 2, column 1: `width` was given before"),
        ("type octile\ntype octile\n", "line 2, column 1: `type` was given before"),
        ("width\n", "line 1, column 6: `width` has no value"),
        ("width 3 4\n", "line 1, column 9: `4` follows the value of `width`"),
        ("width 0\n", "line 1, column 7: the width is `0`, but must be 1 to 16384"),
        ("height 16385\n", "line 1, column 8: the height is `16385`, but must be 1 to 16384"),
        ("height -1\n", "the height is `-1`"),
        ("height 4294967297\n", "the height is `4294967297`"),
        ("height 99999999999999999999\n", "the height is `99999999999999999999`"),
        ("depth 3\n", "`depth` is not a line of a header"),
        ("map of it\n", "`it` follows the value of `map`"),
        ("map it\n", "`map` is not a line of a header"),
        ("\u{1b}[2J\n", "`\\x1b[2J` is not a line"),
    ];
    expect_faults(|text| of_file("map", map_fault(text)), &faults);
}

#[test]
fn a_header_is_compared_with_the_data_before_anything_is_allocated() {
    let got = map_fault("type octile\nheight 16384\nwidth 16384\nmap\n..........");
    assert!(
        got.contains("line 5, column 1")
            && got.contains("16384 x 16384 = 268435456 cells, but only 10 bytes follow"),
        "{got}"
    );
}

#[test]
fn rows_must_be_as_the_header_tells() {
    let rows = |rows: &str| map_fault(format!("height 2\nwidth 3\nmap\n{rows}"));
    let faults = [
        ("....\n...\n", "line 4, column 4: this row has 4 cells"),
        ("...\n..\n.\n", "line 5, column 3: this row has 2 cells"),
        ("...\n\n...\n", "line 5, column 1: this row has 0 cells"),
        ("...\n     \n", "line 5, column 1: this row has 0 cells"),
        ("...       ", "line 5, column 1: the map ends after 1 rows"),
        ("...\n...\n\n.@.\n", "line 7, column 1: `.@.` follows the last"),
    ];
    expect_faults(rows, &faults);
}

#[test]
fn unknown_letters_are_all_named() {
    let got = map_fault("height 2\nwidth 3\nmap\n..C\nA\u{7}.\n");
    assert!(got.contains("line 5, column 2: each of the letters `\\x07`, `A`, `C`"), "{got}");
    let got = map_fault(b"height 1\nwidth 3\nmap\n..\xff\n");
    assert!(got.contains("line 4, column 3: the letter `\\xff` is not a cell"), "{got}");
}

#[test]
fn terrain_letters_cost_what_the_caller_says() {
    let text = b"type octile\r\nheight 2\r\nwidth 2\r\nmap\r\nHF\r\nCW\r\n";
    let price = |letter| match letter {
        b'H' => Some(1.0),
        b'F' => Some(1.5),
        b'C' => Some(4.0),
        b'W' => Some(0.0),
        _ => None,
    };
    let grid = parse_map_with(text, price).unwrap();
    let costs = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|cell| grid.cost(cell));
    assert_eq!(costs, [1.0, 1.5, 4.0, 0.0]);
    assert_eq!(grid.free_cells(), 3);

    let got = parse_map_with(text, |letter| price(letter).filter(|&f| f != 1.5)).unwrap_err();
    let got = got.to_string();
    assert!(got.contains("line 5, column 2: the letter `F` has no cost"), "{got}");

    for bad in [-1.0, 300.0, f64::NAN, f64::INFINITY] {
        let got = parse_map_with(text, |_| Some(bad)).unwrap_err().to_string();
        assert!(got.contains("the cost of `C`") && got.contains("255.99"), "{got}");
    }
    assert!(!parse_map_with(text, |_| Some(1.0)).unwrap().has_costs());
}

#[test]
fn the_version_line_may_be_missing_or_have_decimals() {
    for head in ["", "version 1\n", "version 1.0\n", "\u{feff}version 1\r\n", "\n\nversion\t1\n"] {
        let text = format!("{head}3 a.map 5 6 1 2 3 4 12.5\n");
        let scenarios = parse_scen(text.as_bytes()).unwrap();
        let want = Scenario {
            map: "a.map".into(),
            width: 5,
            height: 6,
            start: Cell::new(1, 2),
            goal: Cell::new(3, 4),
            optimal: 12.5,
            bucket: 3,
        };
        assert_eq!(scenarios, [want], "{head:?}");
    }
    assert!(scen_fault("version 2\n").contains("line 1, column 9: `version 2` is not known"));
    assert!(scen_fault("version\n").contains("`version` is not known"));
    assert!(scen_fault("version 1\nversion 1\n").contains("line 2, column 1: this line has 2"));
    assert_eq!(parse_scen(b"").unwrap(), []);
    assert_eq!(parse_scen(b"version 1\n\n").unwrap(), []);
}

#[test]
fn tabs_spaces_blank_lines_and_odd_names_are_read() {
    let text = "version 1\n\
        9\tmaps/dao/x.map\t49\t49\t1\t2\t3\t4\t7\r\n\r\n\
        61 maps/bgmaps/a.map 512 512 10 300 210 200 241.42\n   \n\
        1\tC:\\maps\\Two Words.map\t512\t512\t1\t2\t3\t4\t5.41421\n\
        2\t a.map  9 9\t0 0 1 1 1.41421\n";
    let scenarios = parse_scen(text.as_bytes()).unwrap();
    let names: Vec<_> = scenarios.iter().map(Scenario::base_name).collect();
    assert_eq!(names, ["x.map", "a.map", "Two Words.map", "a.map"]);
    assert_eq!(scenarios[0].bucket, 9, "not sorted by bucket");
    assert_eq!(parse_scen(b"0 \xff.map 9 9 0 0 1 1 2").unwrap()[0].map, "\u{fffd}.map");
}

#[test]
fn a_length_of_zero_means_two_things() {
    let expected = |line: &str| parse_scen(line.as_bytes()).unwrap()[0].expected();
    assert_eq!(expected("0 a.map 9 9 1 2 1 2 0.00000000"), Expected::Length(0.0));
    assert_eq!(expected("0 a.map 9 9 1 2 1 3 0"), Expected::NoPath);
    assert_eq!(expected("0 a.map 9 9 1 2 1 3 1"), Expected::Length(1.0));
}

#[test]
fn lengths_agree_to_within_their_rounding() {
    let scenario = |length: &str| {
        parse_scen(format!("0 a.map 9 9 0 0 1 1 {length}").as_bytes()).unwrap().remove(0)
    };
    assert!(scenario("132.40").agrees(132.41));
    assert!(!scenario("132.40").agrees(132.42));
    assert!(scenario("5000").agrees(5000.049) && !scenario("5000").agrees(5000.051));
    assert!(!scenario("5000").agrees(f64::NAN) && !scenario("5000").agrees(f64::INFINITY));
    let none = scenario("0");
    assert!(none.agrees(f64::INFINITY) && !none.agrees(0.0) && !none.agrees(f64::NAN));
}

#[test]
fn a_bad_query_is_told_by_line_and_column() {
    let faults = [
        ("0 a.map 9 9 0 0 1 1\n", "line 1, column 1: this line has 8 fields instead of 9"),
        ("0 a.map 9 9 0 0 1 1 2 3\n", "this line has 10 fields instead of 9"),
        ("0\t\t9\t9\t0\t0\t1\t1\t2\n", "this line has 8 fields instead of 9"),
        ("x a.map 9 9 0 0 1 1 2\n", "line 1, column 1: the bucket is `x`"),
        ("0 a.map 0 9 0 0 1 1 2\n", "column 9: the width is `0`, but must be 1 to 16384"),
        ("0 a.map 9 16385 0 0 1 1 2\n", "column 11: the height is `16385`"),
        ("0 a.map 9 9 -1 0 1 1 2\n", "column 13: the start x is `-1`, but must be 0 to 16383"),
        ("0 a.map 9 9 0 16384 1 1 2\n", "the start y is `16384`"),
        ("0 a.map 9 9 0 0 4294967296 1 2\n", "the goal x is `4294967296`"),
        ("0 a.map 9 9 0 0 0 1.5 2\n", "the goal y is `1.5`"),
        ("0 a.map 9 9 0 0 1 1 nan\n", "column 21: the length is `nan`"),
        ("0 a.map 9 9 0 0 1 1 -2\n", "the length is `-2`, but must be a number of at least 0"),
        ("0 a.map 9 9 0 0 1 1 1e999\n", "the length is `1e999`"),
    ];
    expect_faults(|text| of_file("scenario", scen_fault(text)), &faults);
}

#[test]
fn a_scenario_fits_a_map_of_its_size_that_has_its_cells() {
    let mut scenario = parse_scen(b"0 maps/a.map 5 4 0 0 4 3 2").unwrap().remove(0);
    let grid = Grid::new(5, 4).unwrap();
    scenario.check_fits(&grid).unwrap();
    let got = scenario.check_fits(&Grid::new(4, 5).unwrap()).unwrap_err().to_string();
    assert!(got.contains("for a.map with 5 x 4 cells, but this map has 4 x 5"), "{got}");
    scenario.goal.x = 5;
    let got = scenario.check_fits(&grid).unwrap_err().to_string();
    assert!(got.contains("goal (5, 3) lies outside"), "{got}");
}

#[test]
fn scenarios_read_back() {
    let text = "version 1\n0\tmy map.map\t5\t4\t0\t0\t1\t1\t1.41421356\n\
                1\tmy map.map\t5\t4\t0\t0\t4\t3\t0\n";
    let scenarios = parse_scen(text.as_bytes()).unwrap();
    let grid = Grid::new(5, 4).unwrap();
    assert_eq!(write_scen("my map.map", &grid, &scenarios), text);
    let mut odd = scenarios.clone();
    odd[0].optimal = f64::INFINITY;
    odd[1].optimal = -0.0;
    let again = parse_scen(write_scen("a\tb\nc", &grid, &odd).as_bytes()).unwrap();
    assert_eq!((again[0].map.as_str(), again[0].expected()), ("a_b_c", Expected::NoPath));
    let again = parse_scen(write_scen(" ", &grid, &scenarios).as_bytes()).unwrap();
    assert_eq!(again[1].map, "unnamed.map");
}

#[test]
fn damaged_files_never_panic() {
    let scen = b"version 1\n0\ta.map\t5\t4\t0\t0\t1\t1\t1.41421356\n1 a.map 5 4 0 0 4 3 0\n";
    let mut random = Random::new(7);
    for _ in 0..4000 {
        let map = random.damage(SMALL);
        let _ = parse_map(&map).map(|grid| grid.free_cells());
        let _ = parse_map_with(&map, |letter| Some(f64::from(letter)));
        for scenario in parse_scen(&random.damage(scen)).unwrap_or_default() {
            let _ = (scenario.expected(), scenario.agrees(1.0), scenario.base_name());
            let _ = (scenario.start.centre(), scenario.goal.centre());
        }
    }
}
