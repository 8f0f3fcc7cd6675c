//! The plots as SVG files, for papers: the survival curve, and a scatter plot of each pair.

use super::digest::{Digest, DigestCell};
use crate::results::Word;
use plotters::coord::Shift;
use plotters::prelude::*;

const SQUARE: (u32, u32) = (520, 520);

/// Configurations; told apart by people who see colours differently, too.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 158, 115),
    RGBColor(120, 80, 200),
    RGBColor(192, 86, 154),
    RGBColor(160, 120, 0),
    RGBColor(59, 159, 224),
    RGBColor(100, 100, 100),
    RGBColor(11, 83, 148),
    RGBColor(168, 64, 26),
];
pub(super) const GRID: RGBColor = RGBColor(232, 234, 236);
pub(super) const HOLDS: RGBColor = RGBColor(0, 114, 178);
const VIOLATED: RGBColor = RGBColor(213, 94, 0);

/// All plots: file names and contents.
pub fn all(digest: &Digest) -> anyhow::Result<Vec<(String, String)>> {
    let mut plots = vec![("survival.svg".to_owned(), survival(digest)?)];
    for a in 0..digest.configs.len() {
        for b in a + 1..digest.configs.len() {
            let [x, y] = [a, b].map(|i| file_name(&digest.configs[i]));
            plots.push((format!("scatter-{x}-{y}.svg"), scatter(digest, a, b)?));
        }
    }
    Ok(plots)
}

/// A configuration's name as part of a file name.
pub(super) fn file_name(config: &str) -> String {
    config.replace(|c: char| !c.is_alphanumeric() && c != '-', "_")
}

/// The shortest and the longest time of all, a little apart.
pub(super) fn times(digest: &Digest) -> (f64, f64) {
    let times = digest.questions.iter().flat_map(|q| q.cells.iter().flatten()).map(|r| r.time_s);
    let (low, high) = times.fold((f64::MAX, 0.0_f64), |(l, h), t| (l.min(t), h.max(t)));
    let low = low.max(1e-5);
    (low / 1.5, (high * 1.5).max(low * 10.0))
}

/// How many properties each configuration has solved within a time.
fn survival(digest: &Digest) -> anyhow::Result<String> {
    let curves: Vec<Vec<f64>> = (0..digest.configs.len())
        .map(|config| {
            let mut times: Vec<f64> =
                digest.of(config).filter(|r| r.solved()).map(|r| r.time_s.max(1e-5)).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = curves.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let (low, high) = times(digest);
    drawn(SQUARE, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(56)
            .build_cartesian_2d((low..high).log_scale(), 0.0..most as f64 * 1.05)?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(GRID);
        mesh.y_label_formatter(&|n| format!("{n:.0}"));
        mesh.x_desc("time (s)").y_desc("properties solved").draw()?;
        for (i, times) in curves.iter().enumerate() {
            let steps = times.iter().enumerate();
            let points = steps.flat_map(|(n, &t)| [(t, n as f64), (t, (n + 1) as f64)]);
            let points = points.chain(std::iter::once((high, times.len() as f64)));
            let style = colour(i).stroke_width(2);
            let marks = times.iter().enumerate().step_by(times.len().div_ceil(MARKS).max(1));
            let marks: Vec<(f64, f64)> = marks.map(|(n, &t)| (t, (n + 1) as f64)).collect();
            draw_marks(&mut chart, i, &marks)?;
            chart
                .draw_series(LineSeries::new(points, style))?
                .label(format!("{} ({})", digest.configs[i], times.len()))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
        let mut labels = chart.configure_series_labels();
        labels.position(SeriesLabelPosition::UpperLeft).background_style(WHITE).draw()?;
        Ok(())
    })
}

/// One configuration's times against another's; who has no verdict stands at the border.
fn scatter(digest: &Digest, a: usize, b: usize) -> anyhow::Result<String> {
    let (low, high) = times(digest);
    let border = high * 1.6;
    let axis = || (low..border * 1.3).log_scale();
    let at = |cell: &DigestCell| if cell.solved() { cell.time_s.max(low) } else { border };
    drawn(SQUARE, |root| {
        let mut chart = ChartBuilder::on(root)
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(60)
            .build_cartesian_2d(axis(), axis())?;
        let names = [a, b].map(|i| format!("{} (s)", digest.configs[i]));
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(GRID);
        mesh.x_desc(&*names[0]).y_desc(&*names[1]).draw()?;
        let line = |points: [(f64, f64); 2]| PathElement::new(points, BLACK.mix(0.4));
        let (far, least) = (border * 1.3, low * 10.0);
        let guide = |points: [(f64, f64); 2]| PathElement::new(points, BLACK.mix(0.2));
        // Ten times as fast, and ten times as slow.
        let guides =
            [guide([(least, low), (far, far / 10.0)]), guide([(low, least), (far / 10.0, far)])];
        chart.draw_series(guides)?;
        let lines = [
            line([(low, low), (border, border)]),
            line([(high, low), (high, border * 1.3)]),
            line([(low, high), (border * 1.3, high)]),
        ];
        chart.draw_series(lines)?;
        let of = |word: Word| {
            digest.questions.iter().filter_map(move |q| {
                let (x, y) = (q.cells[a].as_ref()?, q.cells[b].as_ref()?);
                let verdict = [x, y].into_iter().find(|cell| cell.solved())?.verdict;
                (verdict == word).then(|| (at(x), at(y)))
            })
        };
        // Discs and hollow triangles, so that print without colours tells them apart.
        let (disc, hollow) = (HOLDS.mix(0.7).filled(), VIOLATED.stroke_width(1));
        chart
            .draw_series(of(Word::Holds).map(|p| Circle::new(p, 3, disc)))?
            .label("holds")
            .legend(move |(x, y)| Circle::new((x + 9, y), 3, disc));
        chart
            .draw_series(of(Word::Violated).map(|p| TriangleMarker::new(p, 4, hollow)))?
            .label("violated")
            .legend(move |(x, y)| TriangleMarker::new((x + 9, y), 4, hollow));
        let mut labels = chart.configure_series_labels();
        labels.position(SeriesLabelPosition::LowerRight).background_style(WHITE).draw()?;
        Ok(())
    })
}

fn colour(i: usize) -> RGBColor {
    COLOURS[i % COLOURS.len()]
}

/// Symbols on a curve; the same colour may come again, the same colour and symbol much later.
const MARKS: usize = 6;

type Curves<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<LogCoord<f64>, plotters::coord::types::RangedCoordf64>,
>;

/// Puts the symbol of a curve on some of its points.
fn draw_marks(chart: &mut Curves<'_, '_>, i: usize, points: &[(f64, f64)]) -> Drawn {
    let style = colour(i).stroke_width(2);
    let points = points.iter().copied();
    match i % 3 {
        0 => drop(chart.draw_series(points.map(|p| Circle::new(p, 4, style.filled())))?),
        1 => drop(chart.draw_series(points.map(|p| TriangleMarker::new(p, 5, style)))?),
        _ => drop(chart.draw_series(points.map(|p| Cross::new(p, 4, style)))?),
    }
    Ok(())
}

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Drawn = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// What is drawn on a white sheet.
pub(super) fn drawn(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> anyhow::Result<String> {
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    root.fill(&WHITE)?;
    draw(&root).map_err(|e| anyhow::anyhow!("cannot draw a plot: {e}"))?;
    root.present()?;
    drop(root);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::digest::tests::rows;
    use super::*;
    use crate::results::ResultRow;

    /// Discs and triangles.
    fn marks(plot: &str) -> usize {
        plot.matches("<circle").count() + plot.matches("<polygon").count()
    }

    #[test]
    fn wrong_verdicts_are_neither_points_nor_steps() {
        let mut rows = rows();
        rows[3].expect(Word::Holds);
        let plots = all(&Digest::new(&rows)).unwrap();
        assert!(plots[0].1.contains("b (1)"), "the legend of the survival curve counts one");
        assert_eq!(marks(&plots[1].1), 3, "two in the key, one that is right");
    }

    #[test]
    fn there_is_a_plot_for_each_pair_with_a_mark_for_each_property() {
        let mut rows = rows();
        rows.push(ResultRow { config: "c/1".to_owned(), ..rows[0].clone() });
        let plots = all(&Digest::new(&rows)).unwrap();
        let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
        let expected =
            ["survival.svg", "scatter-a-b.svg", "scatter-a-c_1.svg", "scatter-b-c_1.svg"];
        assert_eq!(names, expected);
        // Two in the key; the question that neither solved is left out.
        assert_eq!((marks(&plots[1].1), marks(&plots[2].1)), (4, 3));
        for (name, text) in &plots {
            assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{name}");
        }
        assert!(plots[0].1.contains("b (2)"), "the legend counts");
    }
}
