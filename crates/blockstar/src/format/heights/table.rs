//! Tables of heights, as spreadsheets and data frames save them (`.csv`).
//!
//! Files often have a line of names above the heights and a column of names beside them. They are
//! skipped only where there is no doubt, and [`HeightMap::notes`] says so: a first line without any
//! number is a line of names; so is one that counts columns, if the first field is empty and the
//! first fields of the other lines count rows (as pandas saves them). An empty field anywhere else
//! is a void.

use super::HeightMap;
use crate::Error;
use crate::format::lines::{Line, Lines, finite_number, shown};
use crate::grid::check_size;

/// The parts of a table that are not heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    None,
    /// The first line.
    Columns,
    /// The first line and the first field of every line.
    Both,
}

fn fault(line: Line<'_>, column: usize, problem: String) -> Error {
    Error::Format { format: "table of heights", line: line.number, column, problem }
}

/// The fields of a line, each with its column.
fn fields(line: Line<'_>, separator: Option<u8>) -> Vec<(usize, &[u8])> {
    match separator {
        Some(separator) => line.pieces(|byte| byte == separator).collect(),
        None => line.words().collect(),
    }
}

/// Whether the first line, and perhaps the first column, are names.
fn names<'a>(
    head: Line<'a>,
    separator: Option<u8>,
    mut rest: impl Iterator<Item = Line<'a>>,
) -> Names {
    let head = fields(head, separator);
    let Some((&(_, corner), others)) = head.split_first() else { return Names::None };
    let is_number =
        |field: &[u8]| std::str::from_utf8(field).is_ok_and(|text| text.parse::<f64>().is_ok());
    let mut filled = head.iter().filter(|(_, field)| !field.is_empty()).peekable();
    if filled.peek().is_some() && filled.all(|(_, field)| !is_number(field)) {
        return if corner.is_empty() { Names::Both } else { Names::Columns };
    }
    let counts = |index: usize, field: &[u8]| field == index.to_string().as_bytes();
    // Only here are rows read twice, and only as long as they count.
    let is_index = corner.is_empty()
        && others.iter().enumerate().all(|(index, &(_, field))| counts(index, field))
        && rest.by_ref().enumerate().all(|(index, line)| {
            fields(line, separator).first().is_some_and(|&(_, field)| counts(index, field))
        });
    if is_index { Names::Both } else { Names::None }
}

impl HeightMap {
    /// Reads a table of numbers, a line for each row, separated by commas, semicolons, tabs or
    /// blanks. Lines that begin with `#` are skipped, an empty field is a void. A first line of
    /// names, and a first column of names if the first field is empty, are skipped and
    /// [noted](Self::notes).
    pub fn parse_csv(bytes: &[u8]) -> Result<Self, Error> {
        let mut lines = Lines::new(bytes)
            .filter(|line| !line.bytes.is_empty() && line.bytes.first() != Some(&b'#'));
        let mut first = lines.next();
        let head = first.map_or(&b""[..], |line| line.bytes);
        let separator = [b',', b';', b'\t'].into_iter().find(|byte| head.contains(byte));
        let names = first.map_or(Names::None, |head| names(head, separator, lines.clone()));
        if names != Names::None {
            first = None;
        }
        let skipped = usize::from(names == Names::Both);
        let (mut width, mut height) = (0, 0u64);
        let mut values = Vec::new();
        for line in first.into_iter().chain(lines) {
            let fields = fields(line, separator);
            let fields = &fields[skipped.min(fields.len())..];
            if height == 0 {
                width = fields.len();
            }
            if fields.len() != width {
                let what = format!("this row has {} heights, the first has {width}", fields.len());
                return Err(fault(line, 1, what));
            }
            height += 1;
            check_size(width as u64, height)?;
            for &(column, field) in fields {
                values.push(match finite_number(field) {
                    Some(value) => value as f32,
                    None if field.is_empty() => f32::NAN,
                    None => {
                        let what = format!(
                            "`{}` is not a height: write a finite number, or nothing for a void",
                            shown(field)
                        );
                        return Err(fault(line, column, what));
                    }
                });
            }
        }
        check_size(width as u64, height)?;
        let mut map = Self::from_values(width as u32, height as u32, values)?;
        map.notes.extend(match names {
            Names::None => None,
            Names::Columns => Some("the first line was left out: it names columns".into()),
            Names::Both => Some(
                "the first line and the first column were left out: they name columns and rows"
                    .into(),
            ),
        });
        Ok(map)
    }
}
