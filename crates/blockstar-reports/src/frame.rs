//! The frame of a chart, as SVG: axes with their ticks and titles, and the entries of the legend.

use crate::axis::amount;
use crate::page::STYLE;
use blockstar_draw::{escaped, short};
use std::fmt::Write;

/// The labels of a chart: its heading, and the names of the axes.
#[derive(Debug)]
pub struct Labels {
    title: String,
    pub x: String,
    pub y: String,
}

impl Labels {
    /// These labels.
    pub fn new(title: &str, x: &str, y: &str) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into() }
    }
}

/// The size of a chart and the margins around its plot.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The width of the chart.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// The margins.
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// The height of the legend of a picture.
const LEGEND: f64 = 22.0;

impl Frame {
    /// The width of the plot.
    pub fn plot_width(&self) -> f64 {
        self.width - self.left - self.right
    }

    /// A place along the x axis, from 0 to 1.
    pub fn across(&self, part: f64) -> f64 {
        short(self.left + self.plot_width() * part)
    }

    /// A place along the y axis, from 0 at the bottom to 1.
    pub fn up(&self, part: f64) -> f64 {
        short(self.top + (self.height - self.top - self.bottom) * (1.0 - part))
    }

    /// The tags that open the figure of a chart and its picture.
    pub fn open(&self, labels: &Labels, style: &str) -> String {
        let Self { width, height, .. } = self;
        format!(
            "<figure class=\"chart\"{style}><h3>{0}</h3><svg role=\"img\" viewBox=\"0 0 {width} \
             {height}\"><title>{0}</title>",
            escaped(&labels.title)
        )
    }

    /// The tag that opens a picture of its own, with room below for the legend.
    pub fn picture(&self, labels: &Labels) -> String {
        let Self { width, height, .. } = self;
        let tall = height + LEGEND;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{tall}\" \
             viewBox=\"0 0 {width} {tall}\"><title>{}</title><style>{STYLE}</style>\
             <rect class=\"paper\" width=\"{width}\" height=\"{tall}\"/>",
            escaped(&labels.title)
        )
    }

    /// Ends it with a row of marks and labels.
    pub fn close_picture(
        &self,
        text: &mut String,
        legend: impl ExactSizeIterator<Item = (String, String)>,
    ) {
        let step = self.plot_width() / legend.len().max(1) as f64;
        for (number, (mark, label)) in legend.enumerate() {
            let (x, y) = (short(self.left + step * number as f64), self.height + 2.0);
            // Writing to a string cannot fail.
            let _ = write!(
                text,
                "<g transform=\"translate({x} {y})\">{mark}<text class=\"tick\" \
                 style=\"text-anchor:start\" x=\"31\" y=\"9\">{}</text></g>",
                escaped(&label)
            );
        }
        text.push_str("</svg>\n");
    }

    /// A line and a number for each tick of the y axis, given as place and value; a text for each
    /// place of the x axis; and the titles of both axes.
    pub fn axes(
        &self,
        text: &mut String,
        (xs, ys): (impl Iterator<Item = (f64, String)>, impl Iterator<Item = (f64, f64)>),
        labels: &Labels,
    ) {
        // Writing to a string cannot fail, here and below.
        for (y, value) in ys {
            let _ = write!(
                text,
                "<path class=\"rule\" d=\"M{} {y}H{}\"/>\
                 <text class=\"tick end\" x=\"{}\" y=\"{}\">{}</text>",
                self.left,
                self.width - self.right,
                self.left - 6.0,
                y + 4.0,
                amount(value)
            );
        }
        for (x, name) in xs {
            let y = self.height - self.bottom + 17.0;
            let _ = write!(text, "<text class=\"tick\" x=\"{x}\" y=\"{y}\">{name}</text>");
        }
        let _ = write!(
            text,
            "<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>\
             <text class=\"axis\" transform=\"translate(13 {}) rotate(-90)\">{}</text>",
            self.left + self.plot_width() / 2.0,
            self.height - 8.0,
            escaped(&labels.x),
            (self.height - self.bottom) / 2.0,
            escaped(&labels.y)
        );
    }
}

/// Closes picture and figure, with a legend of marks and labels.
pub fn close(text: &mut String, legend: impl Iterator<Item = (String, String)>) {
    text.push_str("</svg><figcaption class=\"legend\">");
    for (mark, label) in legend {
        let label = escaped(&label);
        let _ = write!(text, "<span><svg width=\"26\" height=\"10\">{mark}</svg>{label}</span>");
    }
    text.push_str("</figcaption></figure>");
}
