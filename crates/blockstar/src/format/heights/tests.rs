use super::*;
use crate::format::expect_faults;
use crate::random::Random;

/// Equation 1 of the A*MOD paper: W = pixel · Wmax / 255.
#[test]
fn a_pixel_is_a_share_of_the_highest() {
    let map = HeightMap::from_luma8(3, 1, &[0, 128, 255], 100.0).unwrap();
    assert_eq!(map.values(), [0.0, (128.0 * 100.0 / 255.0) as f32, 100.0]);
    let map = HeightMap::from_luma16(3, 1, &[0, 32768, 65535], 2000.0).unwrap();
    assert_eq!(map.values(), [0.0, (32768.0 * 2000.0 / 65535.0) as f32, 2000.0]);
    assert!(HeightMap::from_luma8(1, 1, &[0], f64::NAN).is_err());
    assert!(HeightMap::from_luma8(2, 2, &[0], 1.0).is_err());
}

#[test]
fn pgm_pictures_are_read_in_all_four_kinds() {
    let want = [0.0, 50.0, 100.0, 25.0];
    let plain = b"P2 # by hand\n2 2\n# grey\n4\n0 2 4\n1";
    assert_eq!(HeightMap::parse_pgm(plain, Some(100.0)).unwrap().values(), want);
    let binary = b"P5 2 2 4\n\x00\x02\x04\x01";
    assert_eq!(HeightMap::parse_pgm(binary, Some(100.0)).unwrap().values(), want);
    let wide = b"P5 2 2 400\n\x00\x00\x00\xc8\x01\x90\x00\x64";
    assert_eq!(HeightMap::parse_pgm(wide, Some(100.0)).unwrap().values(), want);
    assert_eq!(HeightMap::parse_pgm(wide, None).unwrap().values(), [0.0, 200.0, 400.0, 100.0]);
}

#[test]
fn bad_pgm_pictures_get_a_sentence() {
    let message = |text: &str| HeightMap::parse_pgm(text.as_bytes(), None).unwrap_err().to_string();
    let faults = [
        ("", "P2 or P5"),
        ("P6 1 1 255\n123", "P2 or P5"),
        ("P5 0 3 255\n", "0 x 3"),
        ("P5 99999999 99999999 255\n", "99999999 x 99999999"),
        ("P5 99999999999 3 255\n", "the width"),
        ("P5 2 2 70000\n", "up to 65535"),
        ("P5 2 2 0\n", "white is 0"),
        ("P5 2 2 255\nab", "2 bytes follow the header"),
        ("P5 2 2 255", "0 bytes follow"),
        ("P5 16384 16384 65535\nab", "need 536870912"),
        ("P2 2 2 9\n1 2 x 4", "line 2, column 5: grey value 3 of 4"),
        ("P2 2 2 9\n1 2 10 4", "must be 0 to 9"),
        ("P2 16384 16384 9\n1 2 3", "grey value 4"),
    ];
    expect_faults(message, &faults);
}

#[test]
fn srtm_tiles_have_voids_and_a_cell_size() {
    let mut bytes = Vec::new();
    for metres in [5i16, -3, i16::MIN, 8000] {
        bytes.extend(metres.to_be_bytes());
    }
    let map = HeightMap::parse_hgt(&bytes).unwrap();
    assert_eq!((map.width(), map.voids(), map.cell_size()), (2, 1, None));
    let blocked = map.grid(Voids::Blocked).unwrap();
    assert!(!blocked.is_free(Cell::new(0, 1)) && blocked.free_cells() == 3);
    let filled = map.grid(Voids::Filled).unwrap();
    assert_eq!(filled.free_cells(), 4);
    assert_eq!(filled.height_at(Cell::new(0, 1)), Some((8002.0 / 3.0) as f32));
    let tile = HeightMap::parse_hgt(&vec![0; 1201 * 1201 * 2]).unwrap();
    assert_eq!(tile.cell_size(), Some(90.0));
    for bad in [0, 1, 2, 7, 2_884_801, 2_884_800] {
        let error = HeightMap::parse_hgt(&vec![0; bad]).unwrap_err().to_string();
        assert!(error.contains(&format!("{bad} bytes")), "{error}");
    }
}

#[test]
fn esri_grids_are_read() {
    let text = b"ncols 3\nNROWS 2\nxllcorner 7.5\nyllcorner 1\ncellsize 25\nNODATA_value -1\n\
                 1 2 3\n-1 5.5 6\n";
    let map = HeightMap::parse_esri(text).unwrap();
    assert_eq!((map.width(), map.height(), map.cell_size()), (3, 2, Some(25.0)));
    assert_eq!(map.values()[..3], [1.0, 2.0, 3.0]);
    assert!(map.values()[3].is_nan() && map.values()[4] == 5.5);
    let message = |text: &str| HeightMap::parse_esri(text.as_bytes()).unwrap_err().to_string();
    let faults = [
        ("", "does not say ncols"),
        ("ncols 2\n1 2\n", "nrows"),
        ("ncols 2\nnrows x\n", "needs a number"),
        ("ncols 2\nnrows 1\nspeed 3\n", "`speed` is not a line of the header"),
        ("ncols 2\nnrows 0\n1 2", "nrows is 0"),
        ("ncols 2.5\nnrows 1\n1 2", "ncols is 2.5"),
        ("ncols 99999\nnrows 99999\n1 2", "99999 x 99999"),
        ("ncols 2\nnrows 2\n1 2 3", "there are 3 heights"),
        ("ncols 2\nnrows 1\n1 2 3", "more than 2 x 1"),
        ("ncols 2\nnrows 1\n1 nan", "line 3, column 3: `nan` is not a height"),
        ("ncols 2\nnrows 1\ncellsize -2\n1 2", "line 3, column 1: cellsize is"),
        ("ncols 2\n\nnrows 0\n1 2", "line 3, column 1: nrows is 0"),
        ("ncols 2\nnrows 1\ndx 2\ndy 3\n1 2", "line 4, column 1: dx is 2"),
        ("ncols 2\nnrows 1\ndx 2\ndy 0\n1 2", "dy is 0"),
        ("ncols nan\nnrows 1\n1 2", "needs a number"),
    ];
    expect_faults(message, &faults);
    let map = |text: &str| HeightMap::parse_esri(text.as_bytes()).unwrap();
    let nan = map("ncols 3\nnrows 1\ndx 2.5\ndy 2.5\nNODATA_value nan\nnan 2 NaN\n");
    assert_eq!((nan.cell_size(), nan.voids(), nan.values()[1]), (Some(2.5), 2, 2.0));
    // The usual marker, if no other is given.
    assert_eq!(map("ncols 2\nnrows 1\n-9999 2").voids(), 1);
    assert_eq!(map("ncols 2\nnrows 1\nNODATA_value nan\n-9999 2").voids(), 0);
}

#[test]
fn tables_are_read_with_and_without_names() {
    let values =
        |text: &str| HeightMap::parse_csv(text.as_bytes()).map(|map| map.values().to_vec());
    for text in
        ["1,2\n3,4\n", "1;2\n3;4", "1 2\n\n3\t4", "# metres\n1\t2\n3\t4", ",a,b\nx,1,2\ny,3,4"]
    {
        assert_eq!(values(text).unwrap(), [1.0, 2.0, 3.0, 4.0], "{text}");
    }
    assert!(values("1,,2").unwrap()[1].is_nan());
    let message = |text: &str| values(text).unwrap_err().to_string();
    let faults = [
        ("1,2\n3,NaN", "line 2, column 3: `NaN` is not a height"),
        ("1,inf", "`inf` is not a height"),
        ("1,2\n3", "line 2, column 1: this row has 1 heights, the first has 2"),
        ("", "0 x 0"),
        ("a,b", "0 x 0"),
        ("1,b", "`b` is not a height"),
        ("nan,1", "`nan` is not a height"),
    ];
    expect_faults(message, &faults);
    let wide = "1,".repeat(20_000) + "1";
    assert!(message(&wide).contains("20001 x 1"));
}

/// Damaged files of every kind give a result or an error, never a panic.
#[test]
fn damaged_files_never_panic() {
    let mut random = Random::new(9);
    let good: [&[u8]; 5] = [
        b"P2 3 2 9\n1 2 3\n4 5 6\n",
        b"P5 3 2 300\n\x00\x01\x00\x02\x00\x03\x01\x01\x00\x01\x00\x02",
        b"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5 6\n",
        b",a,b\n0,1,2\n1,3,4\n",
        &[0, 5, 0, 7, 128, 0, 1, 1],
    ];
    for _ in 0..20_000 {
        let mut bytes = good[random.below(5) as usize].to_vec();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len() as u64 + 1) as usize;
            match random.below(3) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, b" \n-9#,e.x"[random.below(9) as usize]),
                _ if at < bytes.len() => bytes[at] = random.below(256) as u8,
                _ => {}
            }
        }
        for map in [
            HeightMap::parse_pgm(&bytes, Some(9.0)),
            HeightMap::parse_hgt(&bytes),
            HeightMap::parse_esri(&bytes),
            HeightMap::parse_csv(&bytes),
        ] {
            if let Ok(grid) = map.and_then(|map| map.resampled(3, 4)?.grid(Voids::Filled)) {
                assert!(grid.height_at(Cell::new(2, 3)).unwrap().is_finite());
            }
        }
    }
}

#[test]
fn resampling_keeps_means_and_ramps() {
    let ramp: Vec<f32> = (0..64).map(|i| (i % 8) as f32 + (i / 8) as f32 * 10.0).collect();
    let map = HeightMap::from_values(8, 8, ramp.clone()).unwrap();
    assert_eq!(map.resampled(8, 8).unwrap().values(), ramp);
    let half = map.resampled(4, 4).unwrap();
    assert_eq!(half.values()[..2], [5.5, 7.5]);
    let mean = |values: &[f32]| values.iter().sum::<f32>() / values.len() as f32;
    for (w, h) in [(1, 1), (3, 5), (7, 2)] {
        let small = map.resampled(w, h).unwrap();
        assert!((mean(small.values()) - mean(&ramp)).abs() < 1e-3);
    }
    let large = map.resampled(16, 8).unwrap();
    assert_eq!(large.values()[7..9], [3.25, 3.75]);
    assert!(map.resampled(0, 8).is_err() && map.resampled(8, 20_000).is_err());
    let holes = HeightMap::from_values(2, 1, vec![f32::NAN, 4.0]).unwrap();
    assert_eq!(holes.resampled(1, 1).unwrap().values(), [4.0]);
    let nothing = HeightMap::from_values(1, 1, vec![f32::NAN]).unwrap();
    assert!(nothing.grid(Voids::Filled).unwrap_err().to_string().contains("everything is void"));
}

/// The rings spelled out, looking at every cell for every ring.
fn filled_slowly(width: usize, mut values: Vec<f32>) -> Vec<f32> {
    while values.iter().any(|value| value.is_nan()) {
        let before = values.clone();
        for (at, value) in values.iter_mut().enumerate().filter(|(_, value)| value.is_nan()) {
            let near = |i: usize| {
                let apart = |a: usize, b: usize| a.abs_diff(b) <= 1;
                apart(i % width, at % width) && apart(i / width, at / width)
            };
            let known = (0..before.len()).filter(|&i| near(i) && !before[i].is_nan());
            let known: Vec<f64> = known.map(|i| before[i].into()).collect();
            if !known.is_empty() {
                *value = (known.iter().sum::<f64>() / known.len() as f64) as f32;
            }
        }
    }
    values
}

#[test]
fn voids_are_filled_ring_by_ring() {
    let mut random = Random::new(10);
    for round in 0..300 {
        let (width, height) = (1 + random.below(9) as u32, 1 + random.below(9) as u32);
        let mut values: Vec<f32> = (0..width * height)
            .map(|_| match random.below(4) < round % 4 {
                true => f32::NAN,
                false => random.below(100) as f32,
            })
            .collect();
        let known = random.below(values.len() as u64) as usize;
        values[known] = 7.0;
        let map = HeightMap::from_values(width, height, values.clone()).unwrap();
        let grid = map.grid(Voids::Filled).unwrap();
        let want = filled_slowly(width as usize, values);
        for y in 0..height {
            for x in 0..width {
                let got = grid.height_at(Cell::new(x, y)).unwrap();
                assert_eq!(got, want[(y * width + x) as usize], "{x},{y} round {round}");
            }
        }
    }
}

/// Filling used to look at every void for every ring: 16 s for a tile with one height, in a release
/// build.
#[test]
fn a_tile_that_is_mostly_void_is_filled_in_linear_time() {
    let mut bytes = [128, 0].repeat(1201 * 1201);
    bytes[..2].copy_from_slice(&[1, 0]);
    let started = std::time::Instant::now();
    let map = HeightMap::parse_hgt(&bytes).unwrap();
    for voids in [Voids::Blocked, Voids::Filled] {
        let grid = map.grid(voids).unwrap();
        assert_eq!(grid.height_at(Cell::new(1200, 1200)), Some(256.0));
        assert_eq!(grid.is_free(Cell::new(1200, 1200)), voids == Voids::Filled);
    }
    let seconds = started.elapsed().as_secs();
    assert!(seconds < 30, "{seconds} s");
}

/// A table whose first field is a void used to lose its first row and column.
#[test]
fn a_first_field_that_is_void_is_no_heading() {
    let read = |text: &str| {
        let map = HeightMap::parse_csv(text.as_bytes()).unwrap();
        let values: Vec<_> = map.values().iter().map(|v| v.to_string()).collect();
        (map.width(), values.join(" "), map.notes().len())
    };
    let row = |width, values: &str, notes| (width, values.to_string(), notes);
    assert_eq!(read(",2\n3,4\n"), row(2, "NaN 2 3 4", 0));
    assert_eq!(read(",2,3\n,5,6\n"), row(3, "NaN 2 3 NaN 5 6", 0));
    assert_eq!(read(",\n3,4\n"), row(2, "NaN NaN 3 4", 0));
    // Names, and what counts columns and rows.
    assert_eq!(read(",a,b\nx,1,2\ny,3,4\n"), row(2, "1 2 3 4", 1));
    assert_eq!(read("a,b\n1,2\n3,4\n"), row(2, "1 2 3 4", 1));
    assert_eq!(read(",0,1\n0,1,2\n1,3,4\n"), row(2, "1 2 3 4", 1));
    // Nearly.
    assert_eq!(read(",0,1\n0,1,2\n2,3,4\n"), row(3, "NaN 0 1 0 1 2 2 3 4", 0));
    assert_eq!(read(",0,2\n0,1,2\n"), row(3, "NaN 0 2 0 1 2", 0));
}

#[test]
fn cells_grow_as_their_number_shrinks() {
    let map = HeightMap::from_values(8, 6, vec![1.0; 48]).unwrap();
    assert_eq!(map.resampled(4, 3).unwrap().cell_size(), None);
    let map = map.with_cell_size(30.0);
    let size = |width, height| map.resampled(width, height).unwrap().cell_size().unwrap();
    assert_eq!((size(8, 6), size(4, 3), size(16, 12)), (30.0, 60.0, 15.0));
    // Twice as wide and as high as before: squares of the same area.
    assert!((size(4, 6) - 30.0 * 2f64.sqrt()).abs() < 1e-9);
    assert!((size(8, 3) - 30.0 * 2f64.sqrt()).abs() < 1e-9);
}
