//! Files of heights on the command line: bit depths, voids, cell sizes, resampling, and heights for
//! a map of walls.

use crate::support::within::{answer, complaint, json};
use crate::support::{Folder, png};
use png::{BitDepth, ColorType};
use std::fs;

const CROSS: [&str; 4] = ["--from", "0,0", "--to", "1,1"];

/// The costs of the paper have no cell size, but slope limits do.
#[test]
fn published_costs_keep_the_cell_size_for_limits() {
    let folder = Folder::new();
    fs::write(folder.join("a.csv"), "0,20,0\n0,20,0\n").unwrap();
    let route =
        ["route", "a.csv", "--as", "heights", "--from", "0,0", "--to", "2,0", "--published-costs"];
    // 20 m over 90 m are 22 % (16 % diagonally), over 1 m they are 2000 %.
    let gentle = ["--cell-size", "90", "--max-climb", "25%"];
    let value = json(&folder, &[&route[..], &gentle].concat());
    // A step costs 1 + 20, whatever the size of cells.
    assert!((value["cost"].as_f64().unwrap() - 42.0).abs() < 1e-9, "{value}");
    answer(&folder, 1, &[&route[..], &["--cell-size", "90", "--max-climb", "10%"]].concat());
    answer(&folder, 1, &[&route[..], &["--cell-size", "1", "--max-climb", "25%"]].concat());
}

/// Pictures whose pixels would be stretched, looked up or seen through are refused; all others are
/// read to the last bit.
#[test]
fn pictures_of_the_wrong_depth_get_a_sentence() {
    let folder = Folder::new();
    // The decoder expands small pixels; the header and data of a PNG file are written by hand here.
    for (bits, said) in [(1, "1 bit,"), (2, "2 bits,"), (4, "4 bits,")] {
        fs::write(folder.join("small.png"), small_png(bits, 0)).unwrap();
        let text = complaint(&folder, &[&["route", "small.png", "--heights"], &CROSS[..]].concat());
        assert!(text.contains(said) && text.contains("8 or 16 bits"), "{text}");
    }
    fs::write(folder.join("palette.png"), small_png(8, 3)).unwrap();
    let text = complaint(&folder, &[&["route", "palette.png", "--heights"], &CROSS[..]].concat());
    assert!(text.contains("palette"), "{text}");
    fs::write(folder.join("bits.pnm"), b"P4 2 2\n\x40\x80").unwrap();
    let text = complaint(&folder, &[&["route", "bits.pnm", "--heights"], &CROSS[..]].concat());
    assert!(text.contains("1 bit"), "{text}");

    let save = |name: &str, colour: ColorType, samples: &[u16]| {
        folder.write(name, png((2, 2), colour, BitDepth::Sixteen, samples));
    };
    let save8 = |name: &str, colour: ColorType, samples: &[u16]| {
        folder.write(name, png((2, 2), colour, BitDepth::Eight, samples));
    };
    fn route(name: &str) -> Vec<&str> {
        [&["route", name, "--heights", "--flat"], &CROSS[..]].concat()
    }
    save8("grey8.png", ColorType::Grayscale, &[0, 1, 2, 3]);
    save("grey16.png", ColorType::Grayscale, &[0, 1000, 2000, 3000]);
    assert!(answer(&folder, 0, &route("grey8.png")).contains("0.0 m to 3.0 m"));
    assert!(answer(&folder, 0, &route("grey16.png")).contains("0.0 m to 3000.0 m"));
    // Colours that only 16 bits tell apart, and greys of 16 bits in three channels.
    let nearly = [500, 501, 500, 501].map(|green| [500, green, 500]);
    save("nearly.png", ColorType::Rgb, nearly.as_flattened());
    assert!(complaint(&folder, &route("nearly.png")).contains("this picture has colours"));
    let three = [0, 1, 2, 3].map(|grey| [grey * 257; 3]);
    save("three.png", ColorType::Rgb, three.as_flattened());
    assert!(answer(&folder, 0, &route("three.png")).contains("0.0 m to 771.0 m"));
    // Transparent pixels are refused as heights; an opaque alpha channel is not.
    for (alpha, name) in [(255, "opaque.png"), (254, "glass.png")] {
        let pixels = [0, 1, 1, 2].map(|grey| [grey, alpha]);
        save8(name, ColorType::GrayscaleAlpha, pixels.as_flattened());
    }
    assert!(answer(&folder, 0, &route("opaque.png")).contains("0.0 m to 2.0 m"));
    assert!(complaint(&folder, &route("glass.png")).contains("transparent"));
}

/// A PNG of 2 x 2 pixels with this many bits and this kind of colour: one that an encoder made,
/// with the header changed. Nothing behind the header is looked at before it is refused.
fn small_png(bits: u8, kind: u8) -> Vec<u8> {
    let mut bytes = png((2, 2), ColorType::Grayscale, BitDepth::Eight, &[0, 1, 2, 3]);
    (bytes[24], bytes[25]) = (bits, kind);
    bytes
}

/// Cell size and voids survive a table and a grid and back.
#[test]
fn heights_survive_a_round_trip() {
    let folder = Folder::new();
    let grid = "ncols 3\nnrows 2\ncellsize 25\nNODATA_value -1\n-1 2.5 -9999\n4 -1 6\n";
    fs::write(folder.join("a.asc"), grid).unwrap();
    let text = answer(&folder, 0, &["convert", "a.asc", "b.asc"]);
    assert!(!text.contains("lost"), "{text}");
    let written = fs::read_to_string(folder.join("b.asc")).unwrap();
    assert!(written.contains("cellsize 25\nNODATA_value -99999\n-99999 2.5 -9999\n4 -99999 6\n"));
    let text = answer(&folder, 0, &["convert", "b.asc", "c.csv"]);
    assert!(text.contains("lost: the cell size: read it with --cell-size 25"), "{text}");
    assert_eq!(fs::read_to_string(folder.join("c.csv")).unwrap(), ",2.5,-9999.0\n4.0,,6.0\n");
    answer(&folder, 0, &["convert", "c.csv", "d.asc", "--as", "heights", "--cell-size", "25"]);
    assert_eq!(fs::read(folder.join("d.asc")).unwrap(), written.as_bytes());
    fs::write(folder.join("thin.asc"), "ncols 1\nnrows 2\n-9999 1\n").unwrap();
    assert!(complaint(&folder, &["convert", "thin.asc", "thin.csv"]).contains("use .asc"));
    fs::write(folder.join("e.csv"), "1,2\n,4\n").unwrap();
    let text = answer(&folder, 0, &["convert", "e.csv", "e.png", "--as", "heights"]);
    assert!(text.contains("lost: which cells are blocked or have no height"), "{text}");
}

#[test]
fn names_that_are_left_out_are_noted() {
    let folder = Folder::new();
    fs::write(folder.join("a.csv"), ",0,1\n0,5,6\n1,7,8\n").unwrap();
    let text = answer(&folder, 0, &[&["route", "a.csv", "--as", "heights"], &CROSS[..]].concat());
    assert!(text.contains("the first line and the first column were left out"), "{text}");
    fs::write(folder.join("b.csv"), ",5\n7,8\n").unwrap();
    let text =
        answer(&folder, 0, &["route", "b.csv", "--as", "heights", "--from", "1,0", "--to", "1,1"]);
    assert!(text.contains("1 cells without a height") && !text.contains("left out"), "{text}");
}

#[test]
fn resampling_scales_the_cell_size_and_notes_another_shape() {
    let folder = Folder::new();
    let row = "1,2,3,4,5,6,7,8\n";
    fs::write(folder.join("a.csv"), row.repeat(4)).unwrap();
    let ground = |more: &[&str]| {
        let route = ["route", "a.csv", "--as", "heights", "--from", "0,0", "--to", "1,1"];
        json(&folder, &[&route[..], more].concat())["ground"].clone()
    };
    assert_eq!(ground(&[])["cell_size"], 1.0);
    assert_eq!(ground(&["--resample", "4x2"])["cell_size"], 2.0);
    let given = ground(&["--resample", "4x2", "--cell-size", "30"]);
    assert_eq!(given["cell_size"], 60.0);
    assert_eq!(given["notes"].as_array().unwrap().len(), 1, "{given}");
    let stretched = ground(&["--resample", "4x4"]);
    assert!(stretched["notes"][1].as_str().unwrap().contains("another shape than 8 x 4"));
}

/// A map with walls and a file of heights beside it: what the report saves of its cases 7 and 8.
#[test]
fn a_map_of_walls_gets_heights_from_another_file() {
    let folder = Folder::new();
    fs::write(folder.join("a.txt"), "...\n.#.\n...\n").unwrap();
    fs::write(folder.join("h.csv"), "0,9,0\n0,0,0\n0,0,0\n").unwrap();
    fs::write(folder.join("void.csv"), "0,,0\n0,0,0\n0,0,0\n").unwrap();
    fs::write(folder.join("small.csv"), "0,9\n").unwrap();
    let route = ["route", "a.txt", "--from", "0,0", "--to", "2,0", "--moves", "four"];
    let ask = |more: &[&str]| json(&folder, &[&route[..], more].concat());
    assert_eq!(ask(&[])["cost"], 2.0);
    // Around the wall, as the hill is too steep, or as there is no ground.
    assert_eq!(ask(&["--heights-file", "h.csv", "--max-climb", "1"])["cost"], 6.0);
    assert_eq!(ask(&["--heights-file", "void.csv"])["cost"], 6.0);
    assert_eq!(ask(&["--heights-file", "void.csv", "--voids", "filled"])["cost"], 2.0);
    let refused = |more: &[&str]| complaint(&folder, &[&route[..], more].concat());
    let text = refused(&["--heights-file", "small.csv"]);
    assert!(text.contains("2 x 1 heights") && text.contains("--resample 3x3"), "{text}");
    assert!(refused(&["--heights-file", "a.txt"]).contains("heights are read from"));
    let text = complaint(
        &folder,
        &[
            "route",
            "h.csv",
            "--as",
            "heights",
            "--heights-file",
            "h.csv",
            "--from",
            "0,0",
            "--to",
            "1,1",
        ],
    );
    assert!(text.contains("has heights itself"), "{text}");
}

#[test]
fn numbers_are_written_for_people() {
    let folder = Folder::new();
    fs::write(folder.join("a.csv"), "-0.01,-0.02,0\n0,0,0\n0,0,0\n").unwrap();
    let route = ["route", "a.csv", "--as", "heights", "--from", "0,0", "--to", "2,0"];
    let text = answer(&folder, 0, &[&route[..], &["--profile"]].concat());
    assert!(text.contains("0.0 m to 0.0 m") && !text.contains("-0"), "{text}");
    let text = complaint(&folder, &[&route[..], &["--cell-size", "1e-300"]].concat());
    assert!(text.contains("the cell size is 1e-300, but"), "{text}");
    // A curve has points that are not centres: then none is written as a cell.
    let bent =
        ["route", "a.csv", "--as", "heights", "--from", "0,0", "--to", "2,1", "--curve", "bezier"];
    let text = answer(&folder, 0, &[&bent[..], &["--no-drawing"]].concat());
    let list = text.lines().find(|line| line.starts_with("path")).unwrap();
    assert!(list.contains(" 0.5,0.5 ") && !list.contains(" 0,0 "), "{list}");
}
