//! Charts with two measured axes: points joined in series, as SVG.

use crate::axis::{amount, linear_ticks, logarithmic_ticks};
use crate::frame::{self, Frame, Labels};
use blockstar_draw::escaped;
use std::fmt::Write;

/// Points that belong together, with a label for each.
#[derive(Debug, Default)]
pub struct Series {
    pub label: String,
    /// The number of its colour, from 1.
    pub colour: u8,
    pub dashed: bool,
    /// Whether the points stand alone, and whether their labels are drawn.
    pub loose: bool,
    pub named: bool,
    pub points: Vec<(f64, f64, String)>,
}

/// A chart; the x axis is logarithmic, the y axis only if `logarithmic` is set.
#[derive(Debug)]
pub struct Scatter {
    pub labels: Labels,
    pub logarithmic: bool,
    pub series: Vec<Series>,
}

const FRAME: Frame =
    Frame { width: 560.0, height: 340.0, left: 58.0, right: 16.0, top: 12.0, bottom: 46.0 };

impl Scatter {
    /// A figure with the chart and its legend.
    pub fn html(&self) -> String {
        let mut text = FRAME.open(&self.labels, " style=\"max-width:46rem\"");
        self.plot(&mut text);
        let legend = self.series.iter().map(|series| (series.sample(), series.label.clone()));
        frame::close(&mut text, legend);
        text
    }

    /// The same as a picture of its own, with the style of a page.
    pub fn picture(&self) -> String {
        let mut text = FRAME.picture(&self.labels);
        self.plot(&mut text);
        let legend = self.series.iter().map(|series| (series.sample(), series.label.clone()));
        FRAME.close_picture(&mut text, legend);
        text
    }

    /// Axes and points.
    fn plot(&self, text: &mut String) {
        let points = || self.series.iter().flat_map(|series| &series.points).filter(is_drawn);
        let span = |of: &dyn Fn(&(f64, f64, String)) -> f64| {
            points().map(of).fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
        };
        let logarithmic = |(low, high)| logarithmic_ticks(low, high);
        let xs = logarithmic(span(&|point| point.0));
        let ys = if self.logarithmic {
            logarithmic(span(&|point| point.1))
        } else {
            linear_ticks(span(&|point| point.1).1)
        };
        let log = |value: f64, ticks: &[f64]| {
            (value / ticks[0]).ln() / (ticks[ticks.len() - 1] / ticks[0]).ln()
        };
        let across = |x: f64| FRAME.across(log(x, &xs));
        let up =
            |y: f64| FRAME.up(if self.logarithmic { log(y, &ys) } else { y / ys[ys.len() - 1] });
        let x_ticks = xs.iter().map(|&tick| (across(tick), amount(tick)));
        let y_ticks = ys.iter().map(|&tick| (up(tick), tick));
        FRAME.axes(text, (x_ticks, y_ticks), &self.labels);
        // Writing to a string cannot fail, here and below.
        for series in &self.series {
            let drawn: Vec<_> = series.points.iter().filter(is_drawn).collect();
            let line: Vec<_> =
                drawn.iter().map(|point| format!("{},{}", across(point.0), up(point.1))).collect();
            let class = format!("s{}{}", series.colour, if series.dashed { " dashed" } else { "" });
            if !series.loose {
                let line = line.join(" ");
                let _ = write!(text, "<polyline class=\"line {class}\" points=\"{line}\"/>");
            }
            for point in drawn {
                let _ = write!(
                    text,
                    "<circle class=\"point {class}\" cx=\"{}\" cy=\"{}\" r=\"3.4\">\
                     <title>{}: {} {}, {} {}</title></circle>",
                    across(point.0),
                    up(point.1),
                    escaped(&point.2),
                    amount(point.0),
                    escaped(&self.labels.x),
                    amount(point.1),
                    escaped(&self.labels.y)
                );
                if series.named {
                    // On the side where there is room.
                    let right = across(point.0) < FRAME.width * 0.75;
                    let _ = write!(
                        text,
                        "<text class=\"name\" style=\"text-anchor:{}\" x=\"{}\" y=\"{}\">{}</text>",
                        if right { "start" } else { "end" },
                        across(point.0) + if right { 6.0 } else { -6.0 },
                        up(point.1) - 5.0,
                        escaped(&point.2)
                    );
                }
            }
        }
    }
}

impl Series {
    /// What stands for it in the legend.
    fn sample(&self) -> String {
        let Self { colour, dashed, .. } = self;
        let dash = if *dashed { " dashed" } else { "" };
        if self.loose {
            format!("<circle class=\"point s{colour}\" cx=\"13\" cy=\"5\" r=\"3.4\"/>")
        } else {
            format!("<path class=\"line s{colour}{dash}\" d=\"M1 5H25\"/>")
        }
    }
}

/// Zeros and values that are not numbers cannot be drawn on a logarithmic scale.
fn is_drawn(point: &&(f64, f64, String)) -> bool {
    point.0.is_finite() && point.1.is_finite() && point.0 > 0.0 && point.1 > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All points at one place: within the chart.
    #[test]
    fn equal_values_lie_on_the_axis() {
        let points = vec![(3000.0, 70.0, "a".to_string()); 2];
        let series = vec![Series { label: "s".into(), colour: 1, points, ..Series::default() }];
        let chart = Scatter { labels: Labels::new("t", "x", "y"), logarithmic: true, series };
        let html = chart.html();
        let at = |name: &str| -> f64 {
            let rest = html.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        assert!(
            (FRAME.left..FRAME.width).contains(&at("cx"))
                && (0.0..FRAME.height).contains(&at("cy")),
            "{html}"
        );
    }

    #[test]
    fn points_that_are_no_numbers_are_left_out() {
        let point = |x: f64, y: f64| (x, y, "a <b>".to_string());
        let points =
            vec![point(1.0, 2.0), point(f64::NAN, 3.0), point(40.0, 0.0), point(90.0, 7.0)];
        let series = vec![Series { label: "s".into(), colour: 1, points, ..Series::default() }];
        let chart = Scatter { labels: Labels::new("t", "x", "y"), logarithmic: false, series };
        let html = chart.html();
        assert_eq!(html.matches("<circle").count(), 2);
        assert!(!html.contains("NaN") && html.contains("a &lt;b&gt;"));
    }
}
