//! Fields of a request, each read with a sentence for what is wrong with it.

use crate::frame::Fault;
use blockstar::{Cell, Diagonal, Moves, Place, Point, Rect, Rule, Slope};
use serde_json::{Map, Value};

/// The fields of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(pub &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// A field; one that is `null` is not there.
    pub fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn need<T>(self, name: &str, found: Option<T>) -> Result<T, Fault> {
        found.ok_or_else(|| format!("the field `{name}` is missing"))
    }

    fn read<T>(
        self,
        name: &str,
        kind: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Fault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match read(value) {
            Some(found) => Ok(Some(found)),
            None => Err(format!("`{name}` is {}, but must be {kind}", shortened(value))),
        }
    }

    pub fn text(self, name: &str) -> Result<Option<&'a str>, Fault> {
        self.read(name, "a text", Value::as_str)
    }

    pub fn need_text(self, name: &str) -> Result<&'a str, Fault> {
        self.need(name, self.text(name)?)
    }

    pub fn number(self, name: &str) -> Result<Option<f64>, Fault> {
        self.read(name, "a number", Value::as_f64)
    }

    /// A whole number from 0 on.
    pub fn whole(self, name: &str) -> Result<Option<u64>, Fault> {
        self.read(name, "a whole number from 0 on", whole)
    }

    pub fn small(self, name: &str) -> Result<Option<u32>, Fault> {
        let kind = "a whole number from 0 to 4294967295";
        self.read(name, kind, |value| whole(value)?.try_into().ok())
    }

    pub fn need_small(self, name: &str) -> Result<u32, Fault> {
        self.need(name, self.small(name)?)
    }

    /// Whether a switch is on; off if it is not there.
    pub fn is_on(self, name: &str) -> Result<bool, Fault> {
        Ok(self.flag(name)?.unwrap_or(false))
    }

    pub fn flag(self, name: &str) -> Result<Option<bool>, Fault> {
        self.read(name, "true or false", Value::as_bool)
    }

    pub fn list(self, name: &str) -> Result<Option<&'a [Value]>, Fault> {
        self.read(name, "a list", |value| value.as_array().map(Vec::as_slice))
    }

    pub fn need_list(self, name: &str) -> Result<&'a [Value], Fault> {
        self.need(name, self.list(name)?)
    }

    pub fn object(self, name: &str) -> Result<Option<Fields<'a>>, Fault> {
        self.read(name, "an object", |value| value.as_object().map(Fields))
    }

    pub fn need_cell(self, name: &str) -> Result<Cell, Fault> {
        let kind = "a cell [x, y]";
        self.need(name, self.read(name, kind, |value| cell(value).map(Cell::from))?)
    }

    /// A cell `[x, y]` or a point `{"x", "y"}`.
    pub fn need_place(self, name: &str) -> Result<Place, Fault> {
        let kind = "a cell [x, y] or a point {\"x\": 3.5, \"y\": 4}";
        let place = self.read(name, kind, |value| {
            let point = || Some((value.get("x")?.as_f64()?, value.get("y")?.as_f64()?));
            match cell(value) {
                Some(cell) => Some(Place::from(cell)),
                None => point().map(|(x, y)| Place::from(Point::new(x, y))),
            }
        })?;
        self.need(name, place)
    }

    /// A rectangle in fields of its own.
    pub fn rect(self) -> Result<Rect, Fault> {
        Ok(Rect::new(
            self.need_small("x")?,
            self.need_small("y")?,
            self.need_small("width")?,
            self.need_small("height")?,
        ))
    }

    /// The movement rule, `eight` if none is named. `cell_size` is that of the map.
    pub fn moves(self, cell_size: f64) -> Result<Moves, Fault> {
        let fields = match self.get("moves") {
            None => return Ok(Moves::EIGHT),
            Some(Value::String(name)) => return rule(name).map(Moves::new),
            Some(Value::Object(fields)) => Fields(fields),
            Some(other) => {
                let other = shortened(other);
                return Err(format!("`moves` is {other}, but must be a rule's name or an object"));
            }
        };
        let mut moves = Moves::new(rule(fields.need_text("rule")?)?);
        match fields.text("diagonal")? {
            None | Some("sqrt2") => {}
            Some("1.4") => moves = moves.with_diagonal(Diagonal::OnePointFour),
            Some(other) => {
                return Err(format!("`diagonal` is `{other}`, but must be `sqrt2` or `1.4`"));
            }
        }
        if let Some(slope) = SlopeFields::read(self, cell_size)? {
            moves = moves.with_slope(slope.slope());
        }
        Ok(moves)
    }
}

/// What slopes mean, as it was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlopeFields {
    pub cell_size: f64,
    pub climb: f64,
    pub descent: f64,
    pub max_climb: Option<f64>,
    pub max_descent: Option<f64>,
    pub planar: bool,
    pub published: bool,
}

impl SlopeFields {
    /// Reads the slope of `moves`, if there is one.
    pub fn read(fields: Fields<'_>, cell_size: f64) -> Result<Option<Self>, Fault> {
        let moves = fields.get("moves").and_then(Value::as_object).map(Fields);
        let slope = moves.map(|moves| moves.object("slope")).transpose()?.flatten();
        let Some(slope) = slope else { return Ok(None) };
        Ok(Some(Self {
            cell_size: slope.number("cell_size")?.unwrap_or(cell_size),
            climb: slope.number("climb")?.unwrap_or(0.0),
            descent: slope.number("descent")?.unwrap_or(0.0),
            max_climb: slope.number("max_climb")?,
            max_descent: slope.number("max_descent")?,
            planar: slope.is_on("planar")?,
            published: slope.is_on("published")?,
        }))
    }

    fn slope(self) -> Slope {
        let Self { cell_size, climb, descent, max_climb, max_descent, planar, published } = self;
        let plain = Slope::new(cell_size).penalties(climb, descent);
        let slope = match (published, planar) {
            (true, _) => blockstar::papers::astar_mod_slope(cell_size),
            (false, true) => plain.planar(),
            (false, false) => plain,
        };
        let limit = |limit: Option<f64>| limit.unwrap_or(f64::INFINITY);
        slope.limits(limit(max_climb), limit(max_descent.or(max_climb)))
    }
}

fn rule(name: &str) -> Result<Rule, Fault> {
    name.parse().map_err(|error: blockstar::Error| error.to_string())
}

/// A whole number, also if it is written with a point: some languages know no other.
fn whole(value: &Value) -> Option<u64> {
    let real = || value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=9e15).contains(n));
    value.as_u64().or_else(|| real().map(|number| number as u64))
}

/// The coordinates of `[x, y]`.
pub(crate) fn cell(value: &Value) -> Option<(u32, u32)> {
    let [x, y] = value.as_array()?.as_slice() else { return None };
    Some((whole(x)?.try_into().ok()?, whole(y)?.try_into().ok()?))
}

/// A value as it was written, but not all of a long one.
pub(crate) fn shortened(value: &Value) -> String {
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(60) {
        text.truncate(end);
        text.push('…');
    }
    text
}
