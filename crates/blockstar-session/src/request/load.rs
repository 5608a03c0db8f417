//! `load`: maps from the content of files, and from columns.

use crate::Session;
use crate::fields::Fields;
use crate::frame::{Fault, Frame, Reply};
use crate::map::{SessionMap, check_size};
use crate::session::Answered;
use blockstar::format::heights::{HeightMap, Voids};
use blockstar::format::{ascii, image, movingai};
use blockstar::{Error, Grid, Tile};
use serde_json::Value;

pub(crate) fn answer(session: &mut Session, frame: &Frame<'_>, reply: &mut Reply) -> Answered {
    let fields = Fields(&frame.header);
    let name = fields.text("name")?.unwrap_or("map");
    let format = match fields.text("format")?.unwrap_or("auto") {
        "auto" => guess(name, frame.column("bytes", "u8")?.unwrap_or_default()),
        format => format,
    };
    let mut cell_size = None;
    let grid = match format {
        "planes" => planes(session, frame)?,
        "luma" => {
            let (width, height) = (fields.need_small("width")?, fields.need_small("height")?);
            check_size(width, height, &session.limits)?;
            let pixels = frame.need_column("luma", "u8")?;
            if heights_wanted(fields)? {
                let highest = fields.number("highest")?.unwrap_or(255.0);
                let map = HeightMap::from_luma8(width, height, pixels, highest);
                map.and_then(|map| map.grid(Voids::Blocked)).map_err(text)?
            } else {
                image::from_luma(width, height, pixels, threshold(fields)?).map_err(text)?
            }
        }
        "map" | "text" => {
            let bytes = frame.need_column("bytes", "u8")?;
            if format == "map" { priced_map(fields, bytes)? } else { drawing(bytes)? }
        }
        "pgm" | "asc" | "csv" | "hgt" => {
            let bytes = frame.need_column("bytes", "u8")?;
            let walls = format == "pgm" && !heights_wanted(fields)?;
            let map = match format {
                "pgm" if walls => HeightMap::parse_pgm(bytes, Some(255.0)),
                "pgm" => HeightMap::parse_pgm(bytes, fields.number("highest")?),
                "asc" => HeightMap::parse_esri(bytes),
                "csv" => HeightMap::parse_csv(bytes),
                _ => HeightMap::parse_hgt(bytes),
            };
            let map = map.map_err(text)?;
            check_size(map.width(), map.height(), &session.limits)?;
            cell_size = map.cell_size();
            if walls {
                let dark = f32::from(threshold(fields)?);
                let bytes: Vec<u8> = map.values().iter().map(|v| u8::from(*v >= dark)).collect();
                Grid::from_bytes(map.width(), map.height(), &bytes).map_err(text)?
            } else {
                map.grid(Voids::Blocked).map_err(text)?
            }
        }
        other => {
            let other: String = other.chars().take(60).collect();
            return Err(format!(
                "`format` is `{other}`, but must be auto, map, text, pgm, asc, csv, hgt, luma or \
                 planes"
            ));
        }
    };
    check_size(grid.width(), grid.height(), &session.limits)?;
    let mut map = SessionMap::new(grid, name.chars().take(200).collect::<String>(), 0);
    map.cell_size = match fields.number("cell_size")?.or(cell_size).unwrap_or(1.0) {
        size if (1e-6..=1e9).contains(&size) => size,
        size => return Err(format!("`cell_size` is {size}, but must be 0.000001 to 1000000000")),
    };
    session.show(map, reply);
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn text(error: Error) -> Fault {
    error.to_string()
}

fn heights_wanted(fields: Fields<'_>) -> Result<bool, Fault> {
    match fields.text("as")?.unwrap_or("walls") {
        "walls" => Ok(false),
        "heights" => Ok(true),
        other => Err(format!("`as` is `{other}`, but must be `walls` or `heights`")),
    }
}

fn threshold(fields: Fields<'_>) -> Result<u8, Fault> {
    let threshold = fields.small("threshold")?.unwrap_or(128);
    u8::try_from(threshold).map_err(|_| format!("`threshold` is {threshold}, but must be 0 to 255"))
}

/// A MovingAI map, whose letters may have prices.
fn priced_map(fields: Fields<'_>, bytes: &[u8]) -> Result<Grid, Fault> {
    let Some(terrain) = fields.object("terrain")? else {
        return movingai::parse_map(bytes).map_err(text);
    };
    let price = |letter: u8| {
        let given = terrain.get(char::from(letter).encode_utf8(&mut [0; 4]));
        let given = given.and_then(Value::as_f64);
        given.or(match letter {
            b'.' => Some(1.0),
            b'@' | b'T' | b'W' => Some(0.0),
            _ => None,
        })
    };
    movingai::parse_map_with(bytes, price).map_err(text)
}

fn drawing(bytes: &[u8]) -> Result<Grid, Fault> {
    let drawing = std::str::from_utf8(bytes)
        .map_err(|_| "the file is not text in UTF-8, so it is not a drawing".to_owned())?;
    ascii::parse(drawing).map_err(text)
}

/// A map from the columns of one that was read before.
fn planes(session: &Session, frame: &Frame<'_>) -> Result<Grid, Fault> {
    let fields = Fields(&frame.header);
    let (width, height) = (fields.need_small("width")?, fields.need_small("height")?);
    check_size(width, height, &session.limits)?;
    let free = frame.need_column("free", "u8")?;
    let mut grid = Grid::from_bytes(width, height, free).map_err(text)?;
    if let Some(bytes) = frame.column("costs", "u16")? {
        let factor = |two: &[u8]| f64::from(u16::from_le_bytes([two[0], two[1]]));
        let costs = bytes.chunks_exact(2).map(|two| factor(two) / f64::from(Grid::FACTOR_ONE));
        grid.set_costs(&costs.collect::<Vec<_>>()).map_err(text)?;
        // A cell is free if both columns say so.
        let blocked = free.iter().enumerate().filter(|(_, free)| **free == 0);
        for (index, _) in blocked {
            let cell = (index as u32 % width, index as u32 / width);
            grid.set(cell, Tile::Blocked).map_err(text)?;
        }
    }
    if let Some(bytes) = frame.column("heights", "f32")? {
        let height = |four: &[u8]| f32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let heights: Vec<f32> = bytes.chunks_exact(4).map(height).collect();
        grid.set_heights(&heights).map_err(text)?;
    }
    Ok(grid)
}

/// The format of a file by its content and its name.
fn guess(name: &str, bytes: &[u8]) -> &'static str {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    match ending.as_str() {
        "hgt" => "hgt",
        "asc" => "asc",
        "csv" | "tsv" => "csv",
        "pgm" => "pgm",
        _ if bytes.starts_with(b"type ") => "map",
        _ if bytes.starts_with(b"P2") || bytes.starts_with(b"P5") => "pgm",
        _ if bytes.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"ncols")) => "asc",
        "map" => "map",
        _ => "text",
    }
}
