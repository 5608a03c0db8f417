//! The results as a table of values separated by commas: the fields of the JSON output as columns.

use super::Report;
use serde_json::{Map, Value};

/// A line for each planner over all maps, then those of each map; the column `map` says which.
pub fn text(report: &Report) -> Result<String, serde_json::Error> {
    let all = report.results.iter().map(|row| ("all", row));
    let by_map = report.maps.iter().flat_map(|map| map.results.iter().map(|row| (&*map.map, row)));
    let mut text = String::new();
    for (map, row) in all.chain(by_map) {
        let Value::Object(fields) = serde_json::to_value(row)? else { continue };
        if text.is_empty() {
            let names: Map<String, Value> =
                fields.keys().map(|name| (name.clone(), name.clone().into())).collect();
            text += &line("map", &names);
        }
        text += &line(map, &fields);
    }
    Ok(text)
}

fn line(map: &str, fields: &Map<String, Value>) -> String {
    let values = fields.values().map(|value| match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        value => value.to_string(),
    });
    let line: Vec<String> = [quoted(map)].into_iter().chain(values).collect();
    line.join(",") + "\n"
}

/// A text as a field: in quotes only where it must be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("a.map"), "a.map");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
