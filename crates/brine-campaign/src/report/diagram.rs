//! The decision diagram of one search as a picture: how many nodes each level has, and how many
//! there were while it was made.

use super::plots::{Area, Drawn, GRID, HOLDS, drawn};
use plotters::prelude::*;

/// What is drawn.
#[derive(Clone, Debug)]
pub struct DiagramShape<'a> {
    /// The line above the picture.
    pub title: &'a str,
    /// Nodes of each level, from the root down.
    pub widths: &'a [usize],
    /// Work (look-ups of nodes) and the nodes alive then.
    pub growth: &'a [(u64, usize)],
}

const SIZE: (u32, u32) = (760, 420);
const TITLE_HEIGHT: u32 = 36;
/// More bars than this could not be told apart.
const MOST_BARS: usize = 320;

/// Draws it as SVG.
pub fn diagram_plot(shape: &DiagramShape<'_>) -> anyhow::Result<String> {
    drawn(SIZE, |root| {
        let (head, body) = root.split_vertically(TITLE_HEIGHT);
        head.draw(&Text::new(shape.title.to_owned(), (14, 12), ("sans-serif", 15)))?;
        let (left, right) = body.split_horizontally(SIZE.0 / 2);
        draw_widths(&left, shape.widths)?;
        draw_growth(&right, shape.growth)
    })
}

/// Bars from the left, the root's level at the top. Where there are too many levels, a bar stands
/// for several of them and shows the widest.
fn draw_widths(area: &Area<'_>, widths: &[usize]) -> Drawn {
    let levels = widths.len().max(1);
    let widest = widths.iter().copied().max().unwrap_or(0).max(1);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..widest as f64 * 1.05, levels as f64..0.0)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(GRID).x_labels(5);
    mesh.x_label_formatter(&|n| short(*n)).y_label_formatter(&|n| format!("{n:.0}"));
    mesh.x_desc("nodes").y_desc("level").draw()?;
    let together = levels.div_ceil(MOST_BARS);
    let bars = widths.chunks(together).enumerate().map(|(i, widths)| {
        let from = i * together;
        let width = widths.iter().copied().max().unwrap_or(0);
        let corners = [(0.0, from as f64), (width as f64, (from + widths.len()) as f64)];
        Rectangle::new(corners, HOLDS.filled())
    });
    chart.draw_series(bars)?;
    Ok(())
}

fn draw_growth(area: &Area<'_>, growth: &[(u64, usize)]) -> Drawn {
    let work = growth.last().map_or(1, |last| last.0).max(1);
    let most = growth.iter().map(|sample| sample.1).max().unwrap_or(0).max(1);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..work as f64, 0.0..most as f64 * 1.05)?;
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT).bold_line_style(GRID).x_labels(5);
    mesh.x_label_formatter(&|n| short(*n)).y_label_formatter(&|n| short(*n));
    mesh.x_desc("work (look-ups of nodes)").y_desc("nodes alive").draw()?;
    let points = growth.iter().map(|&(work, nodes)| (work as f64, nodes as f64));
    chart.draw_series(LineSeries::new(points, HOLDS.stroke_width(2)))?;
    Ok(())
}

/// A number with at most four digits and a letter: `12.5k`.
fn short(n: f64) -> String {
    let scales = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (scale, letter) = scales.into_iter().find(|s| n.abs() >= s.0).unwrap_or((1.0, ""));
    let digits = format!("{:.1}", n / scale);
    format!("{}{letter}", digits.strip_suffix(".0").unwrap_or(&digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_has_a_bar_unless_there_are_too_many() {
        let bars = |levels: usize| {
            let widths: Vec<usize> = (1..=levels).collect();
            let shape = DiagramShape { title: "t < u", widths: &widths, growth: &[(0, 0), (9, 4)] };
            let text = diagram_plot(&shape).unwrap();
            assert!(text.contains("t &lt; u") && text.contains("<polyline"), "{text}");
            // The sheet is one as well.
            text.matches("<rect").count() - 1
        };
        assert_eq!(bars(7), 7);
        assert_eq!(bars(MOST_BARS), MOST_BARS);
        assert_eq!(bars(MOST_BARS + 1), (MOST_BARS + 1).div_ceil(2));
        assert_eq!(bars(0), 0);
    }

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 7.0, 999.0, 1_500.0, 2_000_000.0, 3.26e9].map(short);
        assert_eq!(all, ["0", "7", "999", "1.5k", "2M", "3.3G"]);
    }
}
