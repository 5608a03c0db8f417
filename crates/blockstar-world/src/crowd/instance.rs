//! The text files of multi-robot competitions: where agents start, and the tasks they are given.
//!
//! Both begin with the number of lines that follow; lines that begin with `#` are comments. A
//! location is `row * width + column`. A start is one location, a task several, separated by commas,
//! to be visited in this order. Nothing in a file is trusted.

use blockstar::{Cell, Grid};
use std::fmt;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl std::error::Error for InstanceError {}

impl fmt::Display for InstanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

fn wrong<T>(line: usize, problem: String) -> Result<T, InstanceError> {
    Err(InstanceError { line, problem })
}

/// Where agents start: `team` of them, each on a free cell of its own.
pub fn parse_agents(text: &[u8], grid: &Grid, team: usize) -> Result<Vec<Cell>, InstanceError> {
    let mut lines = Lines::new(text, grid);
    let count = lines.count("agents")?;
    if count < team {
        let line = lines.number;
        return wrong(
            line,
            format!("the file has {count} agents, but the team has {team}: make the team smaller"),
        );
    }
    let mut starts = Vec::new();
    // Whose cell it is: the line.
    let mut taken = std::collections::BTreeMap::new();
    for index in 0..team {
        let Some((line, text)) = lines.next() else {
            return wrong(
                lines.number,
                format!("the file ends after {index} agents, but the team has {team}"),
            );
        };
        let cell = lines.location(line, text)?;
        if let Some(other) = taken.insert(cell, line) {
            return wrong(line, format!("the agent of line {other} starts on {cell} as well"));
        }
        starts.push(cell);
    }
    Ok(starts)
}

/// Tasks: the places to be visited, one list for each.
pub fn parse_tasks(text: &[u8], grid: &Grid) -> Result<Vec<Vec<Cell>>, InstanceError> {
    let mut lines = Lines::new(text, grid);
    let count = lines.count("tasks")?;
    let mut tasks = Vec::new();
    while tasks.len() < count {
        let Some((line, text)) = lines.next() else {
            return wrong(
                lines.number,
                format!("the file ends after {} tasks, but says it has {count}", tasks.len()),
            );
        };
        let places = text.split(|&byte| byte == b',');
        tasks.push(places.map(|place| lines.location(line, place)).collect::<Result<_, _>>()?);
    }
    Ok(tasks)
}

/// The lines of a file that are neither comments nor blank.
struct Lines<'a> {
    rest: &'a [u8],
    grid: &'a Grid,
    /// Of the last line read.
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a [u8], grid: &'a Grid) -> Self {
        Self { rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), grid, number: 0 }
    }

    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        while !self.rest.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
            let line = self.rest[..end].trim_ascii();
            self.rest = self.rest.get(end + 1..).unwrap_or_default();
            self.number += 1;
            if !line.is_empty() && line[0] != b'#' {
                return Some((self.number, line));
            }
        }
        None
    }

    /// The number of lines that follow.
    fn count(&mut self, things: &str) -> Result<usize, InstanceError> {
        let Some((line, text)) = self.next() else {
            return wrong(self.number.max(1), format!("the number of {things} is missing"));
        };
        match number(text) {
            Some(count) => Ok(count as usize),
            None => wrong(line, format!("`{}` is not the number of {things}", shown(text))),
        }
    }

    /// A free cell of the map by its number.
    fn location(&self, line: usize, text: &[u8]) -> Result<Cell, InstanceError> {
        let text = text.trim_ascii();
        let (width, height) = (self.grid.width(), self.grid.height());
        let cells = u64::from(width) * u64::from(height);
        let Some(place) = number(text) else {
            return wrong(
                line,
                format!("`{}` is not a location: write row * {width} + column", shown(text)),
            );
        };
        if place >= cells {
            return wrong(
                line,
                format!(
                    "location {place} lies outside the map of {width} x {height} cells, whose last \
                     location is {}",
                    cells - 1
                ),
            );
        }
        let (x, y) = (place % u64::from(width), place / u64::from(width));
        let cell = Cell::new(x as u32, y as u32);
        if !self.grid.is_free(cell) {
            return wrong(line, format!("location {place} is the cell {cell}, which is blocked"));
        }
        Ok(cell)
    }
}

/// The number that decimal digits spell, if it fits.
fn number(text: &[u8]) -> Option<u64> {
    if !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Bytes for the eyes of a reader.
fn shown(text: &[u8]) -> String {
    text[..text.len().min(40)].escape_ascii().to_string()
}
