//! Charts as SVG: axes, grid lines, series, and the legend below. Lines if the places form a
//! sequence, groups of bars if they are unrelated cases.

use crate::axis::{amount, linear_ticks, logarithmic_ticks};
use crate::frame::{self, Frame, Labels};
use blockstar_draw::{escaped, short};
use std::fmt::Write;

/// How values are laid out along the y axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From 0, equal steps for equal differences.
    Linear,
    /// Equal steps for equal ratios.
    Logarithmic,
}

/// Points that belong together.
#[derive(Debug)]
pub struct Series {
    /// The text in the legend.
    pub label: String,
    /// The number of its colour, from 1.
    pub colour: u8,
    /// Whether it is in the background, such as printed values beside measured ones. Lines are then
    /// dashed, bars pale.
    pub dashed: bool,
    /// The points; NaN values are left out.
    pub points: Vec<(f64, f64)>,
}

/// A chart.
#[derive(Debug)]
pub struct Chart {
    /// Its labels.
    pub labels: Labels,
    /// How the y axis is laid out; the x axis has one step for each place that occurs.
    pub scale: Scale,
    /// A value that is marked by a line.
    pub mark: Option<f64>,
    /// The series.
    pub series: Vec<Series>,
}

/// How values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Lines,
    Bars,
}

const FRAME: Frame =
    Frame { width: 520.0, height: 300.0, left: 56.0, right: 14.0, top: 12.0, bottom: 44.0 };

impl Chart {
    /// A figure with the chart and its legend.
    pub fn html(&self) -> String {
        self.figure(Shape::Lines)
    }

    /// The same with a group of bars for each place.
    pub fn bars(&self) -> String {
        self.figure(Shape::Bars)
    }

    fn figure(&self, shape: Shape) -> String {
        let mut text = FRAME.open(&self.labels, "");
        self.svg(shape, &mut text);
        let legend = self.series.iter().map(|Series { colour, label, dashed, .. }| {
            let dash = if *dashed { " dashed" } else { "" };
            let sample = match shape {
                Shape::Lines => format!("<path class=\"line s{colour}{dash}\" d=\"M1 5H25\"/>"),
                Shape::Bars => format!(
                    "<rect class=\"fill s{colour}{dash}\" x=\"8\" width=\"10\" height=\"10\"/>"
                ),
            };
            (sample, label.clone())
        });
        frame::close(&mut text, legend);
        text
    }

    /// Whether a value can be drawn. On a logarithmic scale 0 cannot, but its case keeps its place
    /// on the axis.
    fn is_drawn(&self, point: &(f64, f64)) -> bool {
        point.1.is_finite() && (point.1 > 0.0 || (point.1 == 0.0 && self.scale == Scale::Linear))
    }

    fn svg(&self, shape: Shape, text: &mut String) {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let points = || all().filter(|point| self.is_drawn(point));
        let mut places: Vec<f64> =
            all().filter(|point| point.1.is_finite()).map(|point| point.0).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let values = points().map(|point| point.1).chain(self.mark);
        let (low, high) =
            values.fold((f64::MAX, 0.0_f64), |(low, high), y| (low.min(y), high.max(y)));
        let ticks = match self.scale {
            Scale::Linear => linear_ticks(high),
            Scale::Logarithmic => logarithmic_ticks(low, high),
        };
        let (first, last) = (ticks[0], ticks[ticks.len() - 1]);
        let height = |value: f64| match self.scale {
            Scale::Linear => value / last,
            Scale::Logarithmic => (value / first).ln() / (last / first).ln(),
        };
        let step = FRAME.plot_width() / places.len().max(1) as f64;
        let across = |place: f64| {
            let index = places.iter().position(|&other| other == place).unwrap_or(0);
            short(FRAME.left + step * (index as f64 + 0.5))
        };
        let up = |value: f64| FRAME.up(height(value));
        let xs = places.iter().map(|&place| (across(place), place.to_string()));
        let ys = ticks.iter().map(|&tick| (up(tick), tick));
        FRAME.axes(text, (xs, ys), &self.labels);
        if let Some(mark) = self.mark {
            let (left, right) = (FRAME.left, FRAME.width - FRAME.right);
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, "<path class=\"mark\" d=\"M{left} {}H{right}\"/>", up(mark));
        }
        for (number, series) in self.series.iter().enumerate() {
            let drawn = series.points.iter().filter(|point| self.is_drawn(point));
            if shape == Shape::Bars {
                let wide = step * 0.8 / self.series.len() as f64;
                let pale = if series.dashed { " dashed" } else { "" };
                for point in drawn {
                    let (top, bottom) = (up(point.1), FRAME.height - FRAME.bottom);
                    // A value of 0 is a line on the axis, to distinguish it from a missing one.
                    let tall = (bottom - top).max(1.0);
                    let left = across(point.0) - step * 0.4 + wide * number as f64;
                    let _ = write!(
                        text,
                        "<rect class=\"fill s{}{pale}\" x=\"{}\" y=\"{}\" width=\"{}\" \
                         height=\"{}\"><title>{}, {}: {}</title></rect>",
                        series.colour,
                        short(left),
                        short(bottom - tall),
                        short(wide * 0.88),
                        short(tall),
                        escaped(&series.label),
                        point.0,
                        amount(point.1)
                    );
                }
                continue;
            }
            let drawn: Vec<_> = drawn.collect();
            let line: Vec<_> =
                drawn.iter().map(|point| format!("{},{}", across(point.0), up(point.1))).collect();
            let dash = if series.dashed { " dashed" } else { "" };
            let colour = series.colour;
            let _ = write!(
                text,
                "<polyline class=\"line s{colour}{dash}\" points=\"{}\"/>",
                line.join(" ")
            );
            for (x, y) in drawn {
                let _ = write!(
                    text,
                    "<circle class=\"point s{colour}{dash}\" cx=\"{}\" cy=\"{}\" r=\"3.4\">\
                     <title>{}, {x}: {}</title></circle>",
                    across(*x),
                    up(*y),
                    escaped(&series.label),
                    amount(*y)
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_leaves_out_what_is_no_number() {
        let points = vec![(0.0, 1.0), (10.0, f64::NAN), (20.0, 4.0)];
        let series = Series { label: "a <b>".into(), colour: 1, dashed: false, points };
        let chart = Chart {
            labels: Labels::new("t", "x", "y"),
            scale: Scale::Logarithmic,
            mark: Some(1.0),
            series: vec![series],
        };
        let html = chart.html();
        assert!(html.contains("a &lt;b&gt;") && !html.contains("NaN"), "{html}");
        assert_eq!(html.matches("<circle").count(), 2);
    }

    /// Cases without height used to be missing from the chart of costs, and even from its axis.
    #[test]
    fn zeros_are_drawn_on_a_linear_scale_and_keep_their_place_on_any() {
        let points = vec![(1.0, 0.0), (2.0, 4.0), (3.0, f64::NAN)];
        let series =
            |colour| Series { label: "a".into(), colour, dashed: false, points: points.clone() };
        let chart = |scale| Chart {
            labels: Labels::new("t", "x", "y"),
            scale,
            mark: None,
            series: vec![series(1), series(2)],
        };
        let bars = chart(Scale::Linear).bars();
        // Two of each series, and two in the legend.
        assert_eq!(bars.matches("<rect").count(), 6);
        assert!(bars.contains("a, 1: 0<"), "{bars}");
        assert_eq!(chart(Scale::Linear).html().matches("<circle").count(), 4);
        let logarithmic = chart(Scale::Logarithmic).bars();
        assert_eq!(logarithmic.matches("<rect").count(), 4);
        for html in [bars, logarithmic] {
            assert!(html.contains(">1</text>") && html.contains(">2</text>"), "{html}");
            assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        }
    }
}
