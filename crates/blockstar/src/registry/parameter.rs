//! Parameters of planners: what may be written after `planner:name=`.

use super::Algorithm;

/// A parameter of a planner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, as in `planner:name=value`.
    pub name: &'static str,
    /// The values it takes, alternatives separated by `|`: words, a range of whole numbers (`1-64`)
    /// and, after a range, `WxH` for two of them; `METRES` is any length, `PLANNER` the name of
    /// one, `CELLS` cells as in `12x40+80x33`, with `/` between groups. Values are checked against
    /// this text.
    pub values: &'static str,
    /// The default value.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// Names parameters: each with its name, the [values](Parameter::values) it takes, its default, and
/// what it does.
macro_rules! parameters {
    ($($(#[$doc:meta])* $vis:vis $constant:ident = $name:literal, $values:literal, $default:literal, $meaning:literal;)*) => {
        $(
            $(#[$doc])*
            $vis const $constant: crate::Parameter =
                crate::Parameter::new($name, $values, $default, $meaning);
        )*
    };
}
pub(crate) use parameters;

/// One of the alternatives of [`Parameter::values`].
enum Alternative {
    Range(u32, u32),
    /// Two numbers of the range, as in `16x12`.
    Sides(u32, u32),
    Metres,
    Planner,
    Cells,
    Word(&'static str),
}

impl Parameter {
    /// A parameter: its name, the [values](Parameter::values) it takes, its default, and what it
    /// does.
    pub const fn new(
        name: &'static str,
        values: &'static str,
        default: &'static str,
        meaning: &'static str,
    ) -> Self {
        Self { name, values, default, meaning }
    }

    /// Says why a value is not one of those it takes.
    pub(super) fn check(&self, value: &str) -> Result<(), String> {
        if self.alternatives().any(|alternative| alternative.fits(value)) {
            return Ok(());
        }
        let words: Vec<_> = self.alternatives().map(|alternative| alternative.words()).collect();
        let (last, first) = words.split_last().map_or(("nothing", &[][..]), |(l, f)| (l, f));
        let comma = if words.iter().any(|word| word.contains(' ')) { "," } else { "" };
        Err(match first {
            [] => format!("use {last}"),
            _ => format!("use {}{comma} or {last}", first.join(", ")),
        })
    }

    fn alternatives(&self) -> impl Iterator<Item = Alternative> {
        let mut range = (0, u32::MAX);
        self.values.split('|').map(move |text| {
            let numbers = text.split_once('-').map(|(low, high)| (low.parse(), high.parse()));
            match (text, numbers) {
                (_, Some((Ok(low), Ok(high)))) => {
                    range = (low, high);
                    Alternative::Range(low, high)
                }
                ("WxH", _) => Alternative::Sides(range.0, range.1),
                ("METRES", _) => Alternative::Metres,
                ("PLANNER", _) => Alternative::Planner,
                ("CELLS", _) => Alternative::Cells,
                _ => Alternative::Word(text),
            }
        })
    }
}

impl Alternative {
    fn fits(&self, value: &str) -> bool {
        let number = |text: &str, low: u32, high: u32| {
            text.parse().is_ok_and(|number| (low..=high).contains(&number))
        };
        match *self {
            Self::Range(low, high) => number(value, low, high),
            Self::Sides(low, high) => value.split_once('x').is_some_and(|(width, height)| {
                number(width, low, high) && number(height, low, high)
            }),
            Self::Metres => value.parse().is_ok_and(|metres| (0.0..1e9).contains(&metres)),
            Self::Planner => Algorithm::all().iter().any(|row| row.name == value),
            Self::Cells => value.split(['/', '+']).all(|cell| {
                cell.split_once('x')
                    .is_some_and(|(x, y)| number(x, 0, u32::MAX) && number(y, 0, u32::MAX))
            }),
            Self::Word(word) => value == word,
        }
    }

    fn words(&self) -> String {
        match *self {
            Self::Range(low, high) => format!("a whole number from {low} to {high}"),
            Self::Sides(..) => "two as in 16x12".into(),
            Self::Metres => "a number of metres".into(),
            Self::Planner => "the name of a planner".into(),
            Self::Cells => "cells as in 12x40+80x33".into(),
            Self::Word(word) => word.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_the_text_that_describes_them() {
        let refusal = |values, value| {
            Parameter { name: "p", values, default: "", meaning: "" }.check(value).err()
        };
        for (values, fits) in [
            ("2-16|auto", &["2", "16", "auto"][..]),
            ("on|off", &["on", "off"]),
            ("4-256|WxH", &["4", "16x12", "256x4"]),
            ("METRES|off", &["0", "1.5", "off"]),
            ("0|1", &["0", "1"]),
            ("off|PLANNER", &["off", "jps"]),
            ("doors|CELLS", &["doors", "0x0", "12x40+80x33/7x9"]),
        ] {
            for value in fits {
                assert_eq!(refusal(values, value), None, "{values}");
            }
        }
        for (values, value, reason) in [
            ("2-16", "17", "use a whole number from 2 to 16"),
            ("2-16|auto", "", "use a whole number from 2 to 16, or auto"),
            ("none|ends|all", "al", "use none, ends or all"),
            ("4-256|WxH", "16x3", "use a whole number from 4 to 256, or two as in 16x12"),
            ("doors|CELLS", "12x", "use doors, or cells as in 12x40+80x33"),
            ("off|PLANNER", "jsp", "use off, or the name of a planner"),
            ("METRES|off", "-1", "use a number of metres, or off"),
            ("METRES|off", "NaN", "use a number of metres, or off"),
            ("1-9", "-3", "use a whole number from 1 to 9"),
        ] {
            assert_eq!(refusal(values, value).as_deref(), Some(reason), "{values}: {value}");
        }
    }
}
