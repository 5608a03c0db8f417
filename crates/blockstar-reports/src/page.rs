//! A page that needs nothing but a browser: style and pictures are part of it.

use crate::table::{Cells, headings};
use blockstar_draw::escaped;
use std::fmt::Write;

/// A page under construction.
#[derive(Debug)]
pub struct Page {
    title: String,
    contents: String,
    body: String,
}

impl Page {
    /// An empty page with a heading and a line below it, which is HTML.
    pub fn new(title: &str, lead: &str) -> Self {
        let body =
            format!("<header><h1>{}</h1><p class=\"lead\">{lead}</p></header>", escaped(title));
        Self { title: title.into(), contents: String::new(), body }
    }

    /// A section; the table of contents has its title up to a colon.
    pub fn section(&mut self, id: &str, title: &str) {
        let name = title.split(':').next().unwrap_or(title);
        // Writing to a string cannot fail.
        let _ = write!(self.contents, "<a href=\"#{id}\">{}</a>", escaped(name));
        let _ = write!(self.body, "<h2 id=\"{id}\">{}</h2>", escaped(title));
    }

    /// Any HTML.
    pub fn html(&mut self, html: &str) {
        self.body += html;
    }

    /// A paragraph of HTML.
    pub fn paragraph(&mut self, html: &str) {
        let _ = write!(self.body, "<p>{html}</p>");
    }

    /// Numbers that sum up the page, each with a few words.
    pub fn cards(&mut self, cards: impl IntoIterator<Item = (String, String)>) {
        let card = |(number, text): (String, String)| {
            format!("<div class=\"card\"><b>{number}</b><span>{text}</span></div>")
        };
        let cards: String = cards.into_iter().map(card).collect();
        let _ = write!(self.body, "<div class=\"cards\">{cards}</div>");
    }

    /// Charts side by side.
    pub fn charts(&mut self, charts: &[String]) {
        let _ = write!(self.body, "<div class=\"charts\">{}</div>", charts.concat());
    }

    /// The text of the file.
    pub fn finish(self) -> String {
        let Self { title, contents, body } = self;
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>{}</title><style>{STYLE}</style></head>\n<body><nav>{contents}</nav>\
             <main>{body}</main></body></html>\n",
            escaped(&title)
        )
    }
}

/// A table of HTML cells; the first column is aligned to the left, all others to the right.
#[derive(Debug)]
pub struct Grid {
    columns: usize,
    html: String,
}

impl Grid {
    /// A table with these headings, `|` between them.
    pub fn new(line: &str) -> Self {
        let cells: String = headings(line).map(|heading| format!("<th>{heading}</th>")).collect();
        Self { columns: headings(line).count(), html: format!("<thead><tr>{cells}</tr></thead>") }
    }

    /// A row; `class` may be empty. Columns without a cell stay empty.
    pub fn row(&mut self, class: &str, cells: Cells) {
        let cells = cells.padded(self.columns).0;
        let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = write!(self.html, "<tr class=\"{class}\">{cells}</tr>");
    }

    /// A heading across all columns.
    pub fn band(&mut self, html: &str) {
        let columns = self.columns;
        let _ = write!(self.html, "<tr class=\"band\"><th colspan=\"{columns}\">{html}</th></tr>");
    }

    /// The table; `class` may be empty.
    pub fn finish(self, class: &str) -> String {
        format!("<div class=\"scroll\"><table class=\"{class}\">{}</table></div>", self.html)
    }
}

/// The style of pages and of the pictures that belong to them.
pub const STYLE: &str = include_str!("page.css");
