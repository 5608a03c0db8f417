//! Charts whose both axes are measured: points joined in series, as SVG.

use crate::command::reproduce::page::{escaped, short};
use std::fmt::Write;

/// Points that belong together, with a word about each.
#[derive(Debug, Default)]
pub struct Series {
    pub label: String,
    /// The number of its colour, from 1.
    pub colour: u8,
    pub dashed: bool,
    /// Whether the points stand alone, and whether the words are written beside them.
    pub loose: bool,
    pub named: bool,
    pub points: Vec<(f64, f64, String)>,
}

/// A chart; the x axis is logarithmic, the y axis too if told so.
#[derive(Debug)]
pub struct Scatter {
    pub title: String,
    pub x: String,
    pub y: String,
    pub logarithmic: bool,
    pub series: Vec<Series>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

impl Scatter {
    /// A figure with the chart and its legend.
    pub fn html(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points).filter(is_drawn);
        let span = |of: &dyn Fn(&(f64, f64, String)) -> f64| {
            points().map(of).fold((f64::MAX, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)))
        };
        let xs = powers(span(&|point| point.0));
        let ys = if self.logarithmic {
            powers(span(&|point| point.1))
        } else {
            steps(span(&|point| point.1).1)
        };
        let log = |value: f64, ticks: &[f64]| {
            (value / ticks[0]).ln() / (ticks[ticks.len() - 1] / ticks[0]).ln()
        };
        let across = |x: f64| short(LEFT + (WIDTH - LEFT - RIGHT) * log(x, &xs));
        let up = |y: f64| {
            let part = if self.logarithmic { log(y, &ys) } else { y / ys[ys.len() - 1] };
            short(TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - part))
        };
        let mut text = format!(
            "<figure class=\"chart\" style=\"max-width:46rem\"><h3>{0}</h3><svg role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">\
             <title>{0}</title>",
            escaped(&self.title)
        );
        // Writing to a string cannot fail, here and below.
        for &tick in &ys {
            let y = up(tick);
            let _ = write!(
                text,
                "<path class=\"rule\" d=\"M{LEFT} {y}H{}\"/>\
                 <text class=\"tick end\" x=\"{}\" y=\"{}\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                amount(tick)
            );
        }
        for &tick in &xs {
            let _ = write!(
                text,
                "<text class=\"tick\" x=\"{}\" y=\"{}\">{}</text>",
                across(tick),
                HEIGHT - BOTTOM + 17.0,
                amount(tick)
            );
        }
        let _ = write!(
            text,
            "<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>\
             <text class=\"axis\" transform=\"translate(13 {}) rotate(-90)\">{}</text>",
            LEFT + (WIDTH - LEFT - RIGHT) / 2.0,
            HEIGHT - 8.0,
            escaped(&self.x),
            (HEIGHT - BOTTOM) / 2.0,
            escaped(&self.y)
        );
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
                    escaped(&self.x),
                    amount(point.1),
                    escaped(&self.y)
                );
                if series.named {
                    // On the side where there is room.
                    let right = across(point.0) < WIDTH * 0.75;
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
        text += "</svg><figcaption class=\"legend\">";
        for series in &self.series {
            let dash = if series.dashed { " dashed" } else { "" };
            let mark = if series.loose {
                format!("<circle class=\"point s{}\" cx=\"13\" cy=\"5\" r=\"3.4\"/>", series.colour)
            } else {
                format!("<path class=\"line s{}{dash}\" d=\"M1 5H25\"/>", series.colour)
            };
            let label = escaped(&series.label);
            let _ =
                write!(text, "<span><svg width=\"26\" height=\"10\">{mark}</svg>{label}</span>");
        }
        text + "</figcaption></figure>"
    }
}

/// Nothing and what is no number have no place on a chart with logarithms.
fn is_drawn(point: &&(f64, f64, String)) -> bool {
    point.0.is_finite() && point.1.is_finite() && point.0 > 0.0 && point.1 > 0.0
}

/// Values 1, 2, 5, 10 … around a span, only powers of ten where these are many.
fn powers((low, high): (f64, f64)) -> Vec<f64> {
    let (low, high) = match () {
        () if low < high => (low, high),
        () if low == high => (low / 1.5, low * 1.5),
        () => (0.5, 2.0), // no points
    };
    let parts: &[f64] = if high / low > 300.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let decades = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
    let all: Vec<f64> =
        decades.flat_map(|d| parts.iter().map(move |part| part * 10_f64.powi(d))).collect();
    let first = all.iter().rposition(|&tick| tick <= low).unwrap_or(0);
    let last = all.iter().position(|&tick| tick >= high).unwrap_or(all.len() - 1);
    all[first..=last.max(first + 1).min(all.len() - 1)].to_vec()
}

/// Round steps from 0 to at least `high`.
fn steps(high: f64) -> Vec<f64> {
    let high = if high > 0.0 { high } else { 1.0 };
    let unit = 10_f64.powf((high / 4.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * unit);
    let step = step.into_iter().find(|step| high / step <= 6.0).unwrap_or(10.0 * unit);
    (0..=(high / step).ceil() as u32).map(|index| f64::from(index) * step).collect()
}

fn amount(value: f64) -> String {
    match value {
        v if v >= 10_000.0 => format!("{}k", short(v / 1000.0)),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 0.1 => format!("{}", short(v)),
        v => format!("{}", (v * 100_000.0).round() / 100_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All points at one place: within the chart.
    #[test]
    fn equal_values_lie_on_the_axis() {
        let points = vec![(3000.0, 70.0, "a".to_string()); 2];
        let series = vec![Series { label: "s".into(), colour: 1, points, ..Series::default() }];
        let chart =
            Scatter { title: "t".into(), x: "x".into(), y: "y".into(), logarithmic: true, series };
        let html = chart.html();
        let at = |name: &str| -> f64 {
            let rest = html.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        assert!((LEFT..WIDTH).contains(&at("cx")) && (0.0..HEIGHT).contains(&at("cy")), "{html}");
    }

    #[test]
    fn points_that_are_no_numbers_are_left_out() {
        let point = |x: f64, y: f64| (x, y, "a <b>".to_string());
        let points =
            vec![point(1.0, 2.0), point(f64::NAN, 3.0), point(40.0, 0.0), point(90.0, 7.0)];
        let series = vec![Series { label: "s".into(), colour: 1, points, ..Series::default() }];
        let chart =
            Scatter { title: "t".into(), x: "x".into(), y: "y".into(), logarithmic: false, series };
        let html = chart.html();
        assert_eq!(html.matches("<circle").count(), 2);
        assert!(!html.contains("NaN") && html.contains("a &lt;b&gt;"));
        assert_eq!(powers((3.0, 70.0)), [2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(powers((3.0, 3.0)), [2.0, 5.0]);
        assert_eq!(powers((f64::MAX, 0.0)), [0.5, 1.0, 2.0]);
    }
}
