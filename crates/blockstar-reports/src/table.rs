//! Tables for people: aligned columns, and numbers of a readable length.

use std::fmt;
use std::ops::Range;

/// The blanks between two columns.
const GAP: usize = 2;

/// Rows of text under headings; the first column is aligned to the left, all others to the right
/// unless they hold words.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    words: bool,
}

impl Table {
    /// A table with these headings.
    pub fn new<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Self {
        Self { rows: vec![headings.into_iter().map(Into::into).collect()], words: false }
    }

    /// The same for words: all columns are aligned to the left.
    #[must_use]
    pub fn of_words(self) -> Self {
        Self { words: true, ..self }
    }

    /// A table whose headings are the parts of one line, with `|` between them.
    pub fn headed(line: &str) -> Self {
        Self::new(headings(line))
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Adds a row of cells.
    pub fn row(&mut self, cells: Cells) {
        self.push(cells.0);
    }

    /// The table in lines of at most this width: a table that is too wide becomes several, one
    /// below the other, each with the first column. A single column may still be wider.
    pub fn folded(&self, columns: usize) -> String {
        let widths = self.widths();
        let Some((first, others)) = widths.split_first() else { return String::new() };
        let mut text = String::new();
        let mut from = 1;
        loop {
            let mut width = *first;
            let fits = others[from - 1..].iter().take_while(|&&other| {
                width += GAP + other;
                width <= columns
            });
            let to = (from + fits.count().max(1)).min(widths.len());
            self.write_columns(&mut text, &widths, from..to);
            if to >= widths.len() {
                return text;
            }
            text.push('\n');
            from = to;
        }
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &Vec<String>, column: usize| {
            row.get(column).map_or(0, |text| text.chars().count())
        };
        (0..columns)
            .map(|column| self.rows.iter().map(|row| length(row, column)).max().unwrap_or(0))
            .collect()
    }

    /// Writes the first column and some of the others.
    fn write_columns(&self, text: &mut String, widths: &[usize], columns: Range<usize>) {
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths[column];
                if column == 0 {
                    line += &format!("{cell:<width$}");
                } else if columns.contains(&column) {
                    line += &match self.words {
                        true => format!("{:GAP$}{cell:<width$}", ""),
                        false => format!("{:GAP$}{cell:>width$}", ""),
                    };
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
}

/// The headings of a table from one line, with `|` between them.
pub(crate) fn headings(line: &str) -> impl Iterator<Item = &str> {
    line.split('|').map(str::trim)
}

/// The cells of a row, from left to right.
#[derive(Debug)]
pub struct Cells(pub(crate) Vec<String>);

impl Cells {
    /// A row that begins with this text.
    pub fn of(first: impl Into<String>) -> Self {
        Self(vec![first.into()])
    }

    /// Text, or anything that is shown as it is.
    #[must_use]
    pub fn text(mut self, text: impl fmt::Display) -> Self {
        self.0.push(text.to_string());
        self
    }

    /// The same for several items.
    #[must_use]
    pub fn texts<T: fmt::Display>(self, texts: impl IntoIterator<Item = T>) -> Self {
        texts.into_iter().fold(self, Self::text)
    }

    /// Numbers with this many decimals; a dash for NaN.
    #[must_use]
    pub fn fixed(self, places: usize, values: impl IntoIterator<Item = f64>) -> Self {
        let known = |value: f64| Some(value).filter(|value| !value.is_nan());
        self.texts(values.into_iter().map(|value| decimals(known(value), places)))
    }

    /// A number of bytes.
    #[must_use]
    pub fn bytes(self, count: f64) -> Self {
        self.text(bytes(count as usize))
    }

    /// The same row, padded with empty cells to at least this many.
    #[must_use]
    pub(crate) fn padded(mut self, count: usize) -> Self {
        self.0.resize(count.max(self.0.len()), String::new());
        self
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.folded(usize::MAX))
    }
}

/// A number with this many decimals, or a dash where there is none.
pub fn decimals(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.decimals$}"))
}

/// A ratio with three significant digits, or a dash where there is none.
pub fn ratio(value: Option<f64>) -> String {
    let Some(value) = value else { return "-".into() };
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

/// A number of bytes in the unit that suits it.
pub fn bytes(count: usize) -> String {
    let count = count as f64;
    match count {
        c if c < 1024.0 => format!("{c} B"),
        c if c < 1024.0 * 1024.0 => format!("{:.1} KiB", c / 1024.0),
        c if c < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MiB", c / (1024.0 * 1024.0)),
        c => format!("{:.1} GiB", c / (1024.0 * 1024.0 * 1024.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["name", "µs"]);
        table.push(vec!["a".into(), "10.0".into()]);
        table.push(vec!["longer".into(), "7".into()]);
        assert_eq!(table.to_string(), "name      µs\na       10.0\nlonger     7\n");
        let words = "name    µs\na       10.0\nlonger  7\n";
        assert_eq!(table.of_words().to_string(), words);
    }

    #[test]
    fn a_wide_table_is_folded_and_no_line_is_too_long() {
        let mut table = Table::new(["name", "one", "two", "three"]);
        table.push(["a", "1", "22", "333"].map(String::from).to_vec());
        assert_eq!(table.folded(21), table.to_string());
        assert_eq!(
            table.folded(20),
            "name  one  two\na       1   22\n\nname  three\na       333\n"
        );
        // Too narrow for anything: a column each.
        assert_eq!(table.folded(1).matches("name").count(), 3);
        assert_eq!(Table::new(["alone"]).folded(3), "alone\n");
        assert_eq!(Table::default().folded(3), "");
    }

    #[test]
    fn headings_and_cells_line_up() {
        let mut table = Table::headed("name | µs | memory | found");
        table.row(Cells::of("a").fixed(1, [1.25]).bytes(2048.0).text(3));
        table.row(Cells::of("b").fixed(2, [f64::NAN]));
        let text = table.to_string();
        assert_eq!(text, "name   µs   memory  found\na     1.2  2.0 KiB      3\nb       -\n");
    }

    #[test]
    fn numbers_are_short() {
        let ratios = [0.01234, 0.12345, 0.99949, 0.9996, 1.0, 12.345, 9.996, 1234.5].map(Some);
        let shown = ratios.map(ratio);
        assert_eq!(shown, ["0.0123", "0.123", "0.999", "1.00", "1.00", "12.3", "10.0", "1234"]);
        assert_eq!(ratio(None), "-");
        assert_eq!(decimals(Some(1.25), 1), "1.2");
        assert_eq!([0, 1023, 1536, 3 << 20].map(bytes), ["0 B", "1023 B", "1.5 KiB", "3.0 MiB"]);
    }
}
