//! Box plots of several distributions, one line each.

use super::plots::drawn;
use plotters::prelude::*;

const WIDTH: i32 = 960;
const LINE: i32 = 30;
const LEFT: i32 = 300;
const MARGIN: i32 = 40;

/// The numbers that a box shows: quartiles, whiskers, outliers.
struct Box {
    quartiles: [f64; 3],
    whiskers: [f64; 2],
    outliers: Vec<f64>,
}

impl Box {
    /// Whiskers reach to the last value within 1.5 times the interquartile range.
    fn new(values: &[f64]) -> Box {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quartiles = [0.25, 0.5, 0.75].map(|q| quantile(&sorted, q));
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let inside = |v: &f64| *v >= quartiles[0] - reach && *v <= quartiles[2] + reach;
        let first = sorted.iter().copied().find(inside).unwrap_or(quartiles[0]);
        let last = sorted.iter().copied().rfind(inside).unwrap_or(quartiles[2]);
        let outliers = sorted.iter().copied().filter(|v| !inside(v)).collect();
        Box { quartiles, whiskers: [first.min(quartiles[0]), last.max(quartiles[2])], outliers }
    }
}

/// The q-quantile of sorted values, interpolated.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let at = q * (sorted.len().max(1) - 1) as f64;
    let below = sorted.get(at.floor() as usize).copied().unwrap_or(0.0);
    let above = sorted.get(at.ceil() as usize).copied().unwrap_or(below);
    below + (above - below) * at.fract()
}

/// Draws one box per distribution, as SVG.
pub fn box_plot(title: &str, lines: &[(String, Vec<f64>)]) -> anyhow::Result<String> {
    let height = LINE * lines.len() as i32 + 2 * MARGIN;
    let boxes: Vec<Box> = lines.iter().map(|(_, values)| Box::new(values)).collect();
    let all = lines.iter().flat_map(|(_, values)| values);
    let low = all.clone().copied().fold(0.0, f64::min).floor();
    let high = all.copied().fold(1.0, f64::max).ceil();
    let x = |v: f64| LEFT + ((v - low) / (high - low) * f64::from(WIDTH - LEFT - MARGIN)) as i32;
    let font = ("sans-serif", 14).into_font();
    let text = |s: &str, at: (i32, i32)| Text::new(s.to_owned(), at, font.clone());
    drawn((WIDTH as u32, height as u32), |root| {
        root.draw(&text(title, (MARGIN, 10)))?;
        let mut tick = low;
        while tick <= high {
            let line = vec![(x(tick), MARGIN), (x(tick), height - MARGIN)];
            root.draw(&PathElement::new(line, BLACK.mix(0.2)))?;
            root.draw(&text(&format!("{tick}"), (x(tick) - 5, height - MARGIN + 8)))?;
            tick += 1.0;
        }
        for (i, ((name, _), b)) in lines.iter().zip(&boxes).enumerate() {
            let middle = MARGIN + LINE * i as i32 + LINE / 2;
            root.draw(&text(name, (10, middle - 7)))?;
            let whisker = vec![(x(b.whiskers[0]), middle), (x(b.whiskers[1]), middle)];
            root.draw(&PathElement::new(whisker, BLACK))?;
            let [first, median, third] = b.quartiles.map(x);
            let corners = [(first, middle - 9), (third, middle + 9)];
            root.draw(&Rectangle::new(corners, RGBColor(170, 200, 235).filled()))?;
            root.draw(&Rectangle::new(corners, BLACK))?;
            let bar = vec![(median, middle - 9), (median, middle + 9)];
            root.draw(&PathElement::new(bar, BLACK.stroke_width(2)))?;
            for &v in &b.outliers {
                root.draw(&Circle::new((x(v), middle), 2, BLACK.mix(0.4)))?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_whiskers_and_outliers() {
        let values = [1.0, 2.0, 3.0, 4.0, 100.0];
        let b = Box::new(&values);
        assert_eq!(b.quartiles, [2.0, 3.0, 4.0]);
        assert_eq!((b.whiskers, b.outliers), ([1.0, 4.0], vec![100.0]));
    }
}
