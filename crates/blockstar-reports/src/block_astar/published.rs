//! The numbers of the papers, as printed.

use serde::Serialize;

/// Where Tables 1 and 2 and the figures are from.
pub const SOURCE: &str = "P. Yap, N. Burch, R. Holte, J. Schaeffer: Block A*: Database-Driven Search \
     with Applications in Any-Angle Path-Planning. AAAI 2011";

/// The source of the figures for the map arena2: an independent implementation.
pub const SECOND_SOURCE: &str = "T. Uras, S. Koenig: An Empirical Comparison of Any-Angle \
     Path-Planning Algorithms. SoCS 2015 (the result files of their package)";

/// A printed row.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Published {
    /// The runner it belongs to.
    pub key: &'static str,
    /// The mean length.
    pub length: f64,
    /// The same after smoothing, where it is printed.
    pub smoothed: Option<f64>,
    /// The mean number of expansions.
    pub expansions: f64,
    /// The mean time of a query in milliseconds, on the machine of the authors.
    pub ms: f64,
}

const fn row(key: &'static str, length: f64, expansions: u32, ms: f64) -> Published {
    Published { key, length, smoothed: None, expansions: expansions as f64, ms }
}

/// A*, Theta* and Block A* on one set of maps. The A* of Table 1 has the Euclidean heuristic: with
/// the octile one it would expand a small fraction of what is printed.
const fn set(
    name: &'static str,
    [a, theta, block]: [(f64, u32, f64); 3],
) -> (&'static str, [Published; 3]) {
    let rows = [
        row("astar-euclid", a.0, a.1, a.2),
        row("theta", theta.0, theta.1, theta.2),
        row("block", block.0, block.1, block.2),
    ];
    (name, rows)
}

/// Table 1 by the names of our suites.
pub const TABLE_1: [(&str, [Published; 3]); 9] = [
    set("random-0", [(274.7, 14957, 4.81), (260.8, 918, 6.50), (261.8, 638, 1.03)]),
    set("random-10", [(275.3, 15039, 4.89), (261.6, 4439, 4.17), (262.5, 845, 1.40)]),
    set("random-20", [(276.4, 15351, 4.99), (263.3, 6229, 4.94), (264.3, 1159, 1.85)]),
    set("random-30", [(277.5, 15889, 5.18), (265.4, 8536, 6.32), (266.6, 1617, 2.40)]),
    set("random-40", [(282.7, 18025, 5.84), (271.5, 12603, 9.04), (273.0, 2407, 3.15)]),
    set("random-50", [(296.9, 26146, 8.25), (286.2, 22721, 14.84), (287.8, 4476, 4.68)]),
    set("sc1", [(300.2, 26456, 12.68), (285.7, 23729, 113.04), (286.8, 2890, 5.06)]),
    set("bg512", [(248.7, 10796, 3.34), (237.2, 7043, 17.96), (238.0, 1034, 1.47)]),
    set("dao", [(409.0, 15465, 4.78), (392.3, 14478, 26.97), (393.9, 1709, 2.26)]),
];

/// Table 2: without a heuristic all A* are alike.
pub const TABLE_2: [Published; 3] = [
    row("astar", 518.3, 478_457, 380.0),
    row("theta", 491.3, 478_096, 22_570.0),
    row("block", 493.1, 30_032, 40.0),
];

const fn smoothed(row: Published, length: f64) -> Published {
    Published { smoothed: Some(length), ..row }
}

/// The number of problems in the scenario of the map arena2.
pub const ARENA2_PROBLEMS: usize = 929;

/// The map arena2, all queries of its scenario.
pub const ARENA2: [Published; 5] = [
    smoothed(row("astar", 183.778, 5848, 1.84), 177.925),
    smoothed(row("astar-euclid", 183.778, 6875, 1.79), 178.169),
    smoothed(row("theta", 176.283, 6073, 5.54), 176.270),
    smoothed(row("block", 176.888, 711, 0.93), 176.382),
    row("anya", 176.215, 2746, 2.55),
];

/// The printed rows of a suite of Table 1.
pub fn table_1(name: &str) -> &'static [Published] {
    TABLE_1.iter().find(|set| set.0 == name).map_or(&[], |set| &set.1)
}
