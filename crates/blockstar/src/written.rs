//! How maps, queries and points look when they are written by serde.
//!
//! Types with internals (bits by rows and columns, snapped coordinates, versions) are written as
//! plain values and constructed again, with all checks, when they are read: a file cannot produce a
//! grid that the constructors would refuse.

use crate::grid::check_size;
use crate::{
    Cell, Diagonal, Error, Grid, Heuristic, Mask, Moves, Point, Query, QueryOptions, Rect, Rule,
    Slope,
};
use serde::{Deserialize, Serialize};

/// A map: its rows as text, `.` for free and `#` for blocked cells, then the layers it has.
#[derive(Serialize, Deserialize)]
pub(crate) struct GridText {
    width: u32,
    height: u32,
    rows: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    costs: Option<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heights: Option<Vec<f32>>,
}

impl From<Grid> for GridText {
    fn from(grid: Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let cells = || Rect::new(0, 0, width, height).cells();
        let tile = |x, y| if grid.is_free((x, y)) { '.' } else { '#' };
        let rows = (0..height).map(|y| (0..width).map(|x| tile(x, y)).collect()).collect();
        let costs = grid.has_costs().then(|| cells().map(|cell| grid.cost(cell)).collect());
        let heights =
            grid.has_heights().then(|| cells().filter_map(|c| grid.height_at(c)).collect());
        Self { width, height, rows, costs, heights }
    }
}

impl TryFrom<GridText> for Grid {
    type Error = Error;

    fn try_from(text: GridText) -> Result<Self, Error> {
        let GridText { width, height, rows, costs, heights } = text;
        let fits = rows.len() == height as usize
            && rows.iter().all(|row| row.len() == width as usize && row.bytes().all(is_tile));
        if !fits {
            check_size(width.into(), height.into())?;
            return Err(Error::Text {
                what: "a map",
                text: format!("{width} x {height} with {} rows", rows.len()),
                remedy: "write `height` rows of `width` letters each, `.` free and `#` blocked",
            });
        }
        let tiles = || rows.iter().flat_map(|row| row.bytes());
        let free: Vec<u8> = tiles().map(|tile| (tile == b'.').into()).collect();
        let mut grid = Self::from_bytes(width, height, &free)?;
        if let Some(mut costs) = costs {
            // A cell that is drawn as blocked is blocked, whatever its cost.
            let blocked = |(cost, tile): (&mut f64, u8)| {
                if tile == b'#' {
                    *cost = 0.0;
                }
            };
            costs.iter_mut().zip(tiles()).for_each(blocked);
            grid.set_costs(&costs)?;
        }
        if let Some(heights) = heights {
            grid.set_heights(&heights)?;
        }
        Ok(grid)
    }
}

fn is_tile(letter: u8) -> bool {
    matches!(letter, b'.' | b'#')
}

/// A point as a pair of numbers.
#[derive(Serialize, Deserialize)]
pub(crate) struct PointText(f64, f64);

impl From<Point> for PointText {
    fn from(point: Point) -> Self {
        Self(point.x(), point.y())
    }
}

impl From<PointText> for Point {
    fn from(PointText(x, y): PointText) -> Self {
        Self::new(x, y)
    }
}

/// A movement rule. Settings that do not apply to it are left out, as by its own methods.
#[derive(Serialize, Deserialize)]
pub(crate) struct MovesText {
    rule: Rule,
    #[serde(default)]
    diagonal: Diagonal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slope: Option<Slope>,
}

impl From<Moves> for MovesText {
    fn from(moves: Moves) -> Self {
        Self { rule: moves.rule(), diagonal: moves.diagonal(), slope: moves.slope() }
    }
}

impl From<MovesText> for Moves {
    fn from(MovesText { rule, diagonal, slope }: MovesText) -> Self {
        let moves = Self::new(rule).with_diagonal(diagonal);
        slope.map_or(moves, |slope| moves.with_slope(slope))
    }
}

/// A query: what was not asked for is left out.
#[derive(Serialize, Deserialize)]
pub(crate) struct QueryText {
    start: Point,
    goal: Point,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heuristic: Option<Heuristic>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_cost: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_expansions: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    avoid: Vec<Cell>,
    #[serde(default, skip_serializing_if = "is_false")]
    nearest: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    partial: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    without_smoothing: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    reuse: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    keep_learning: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl From<Query> for QueryText {
    fn from(query: Query) -> Self {
        Self {
            start: query.start(),
            goal: query.goal(),
            heuristic: query.chosen_heuristic(),
            weight: query.chosen_weight(),
            max_cost: query.cost_limit(),
            max_expansions: query.expansion_limit(),
            avoid: query.avoided().into_iter().flat_map(Mask::cells).collect(),
            nearest: query.wants_nearest(),
            partial: query.wants_partial(),
            without_smoothing: !query.wants_smoothing(),
            reuse: query.wants_reuse(),
            keep_learning: query.wants_learning_kept(),
        }
    }
}

impl TryFrom<QueryText> for Query {
    type Error = Error;

    fn try_from(text: QueryText) -> Result<Self, Error> {
        let options = QueryOptions {
            heuristic: text.heuristic,
            weight: text.weight,
            max_cost: text.max_cost,
            max_expansions: text.max_expansions,
            avoid: Some(text.avoid.into_iter().collect()),
            nearest: text.nearest,
            partial: text.partial,
            without_smoothing: text.without_smoothing,
            reuse: text.reuse,
            keep_learning: text.keep_learning,
        };
        let query = Self::with_options(text.start, text.goal, options);
        query.check()?;
        Ok(query)
    }
}

/// A limit that may be infinite, which JSON cannot express: it is then left empty.
pub(crate) mod limit {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub fn serialize<S: Serializer>(limit: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        limit.is_finite().then_some(*limit).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Path, Stats, Status, generate};
    use serde::de::DeserializeOwned;
    use std::fmt::Debug;

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
        let text = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
        text
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(round_trip(&Cell::new(3, 4)), r#"{"x":3,"y":4}"#);
        assert_eq!(round_trip(&Point::new(3.5, -0.25)), "[3.5,-0.25]");
        assert_eq!(round_trip(&Status::LimitReached), r#""limit-reached""#);
        assert_eq!(round_trip(&Rule::EightCutOne), r#""eight-cut-one""#);
        round_trip(&Stats { expanded: 7, raw_cost: Some(1.5), ..Stats::default() });
        round_trip(&Moves::EIGHT.with_slope(Slope::new(2.0).limits(0.6, f64::INFINITY)));
        let forged = r#"{"rule":"any-angle","diagonal":"one-point-four"}"#;
        assert_eq!(serde_json::from_str::<Moves>(forged).unwrap(), Moves::ANY_ANGLE);
        let mut grid = generate::caves(40, 30, 7).unwrap();
        round_trip(&grid);
        grid.set_cost((3, 3), 2.5).unwrap();
        grid.set_height((4, 4), 7.0).unwrap();
        round_trip(&grid);
        let path = Path::new(&grid, Moves::EIGHT, [Cell::new(3, 3), Cell::new(5, 5)]);
        round_trip(&path);
        let plain = Query::new((0, 0), (5, 2));
        assert_eq!(round_trip(&plain), r#"{"start":[0.5,0.5],"goal":[5.5,2.5]}"#);
        let mask = [(1, 1), (2, 7)].into_iter().collect();
        round_trip(&plain.clone().avoid(&mask).partial());
        round_trip(
            &plain.nearest().weight(2.0).max_cost(9.5).without_smoothing().max_expansions(8),
        );
    }

    #[test]
    fn what_no_constructor_takes_is_refused_with_a_sentence() {
        let refusal = |text: &str| serde_json::from_str::<Grid>(text).unwrap_err().to_string();
        assert!(refusal(r#"{"width":0,"height":1,"rows":[]}"#).contains("16384"));
        assert!(refusal(r#"{"width":2,"height":1,"rows":["."]}"#).contains("`width` letters"));
        assert!(refusal(r#"{"width":2,"height":1,"rows":[".x"]}"#).contains("`#` blocked"));
        let costs = r#"{"width":2,"height":1,"rows":[".."],"costs":[1.0,-3.0]}"#;
        assert!(refusal(costs).contains("-3"));
        let query = r#"{"start":[0.5,0.5],"goal":[1.5,1.5],"weight":0.1}"#;
        assert!(serde_json::from_str::<Query>(query).unwrap_err().to_string().contains("0.1"));
    }
}
