//! The plots as LaTeX for pgfplots: one file each, with its data inside, to be `\input` in a
//! paper. They say the same as the SVG files ([`super::plots`]), in the paper's own fonts.

use super::digest::{Digest, DigestCell};
use super::plots::{file_name, times};
use crate::results::Word;
use std::fmt::Write;

/// All plots: file names and contents.
pub fn latex(digest: &Digest) -> Vec<(String, String)> {
    let mut plots = vec![("survival.tex".to_owned(), survival(digest))];
    for a in 0..digest.configs.len() {
        for b in a + 1..digest.configs.len() {
            let [x, y] = [a, b].map(|i| file_name(&digest.configs[i]));
            plots.push((format!("scatter-{x}-{y}.tex"), scatter(digest, a, b)));
        }
    }
    plots
}

/// What stands before each plot.
const HEAD: &str =
    "% Made by brine report --latex; needs \\usepackage{pgfplots}.\n\\begin{tikzpicture}\n";

fn survival(digest: &Digest) -> String {
    let (low, high) = times(digest);
    let mut out = format!(
        "{HEAD}\\begin{{axis}}[width=8cm, height=8cm, xmode=log, xmin={low:e}, xmax={high:e}, ymin=0,\n  \
         xlabel={{time (s)}}, ylabel={{properties solved}}, legend pos=north west,\n  \
         cycle list name=mark list, mark repeat=10]\n"
    );
    for (i, config) in digest.configs.iter().enumerate() {
        let mut solved: Vec<f64> =
            digest.of(i).filter(|r| r.solved()).map(|r| r.time_s.max(1e-5)).collect();
        solved.sort_by(f64::total_cmp);
        let _ = writeln!(out, "\\addplot+[const plot] coordinates {{");
        for (n, time) in solved.iter().enumerate() {
            let _ = writeln!(out, "  ({time:e}, {})", n + 1);
        }
        let _ = writeln!(out, "}};\n\\addlegendentry{{{} ({})}}", plain(config), solved.len());
    }
    out + "\\end{axis}\n\\end{tikzpicture}\n"
}

fn scatter(digest: &Digest, a: usize, b: usize) -> String {
    let (low, high) = times(digest);
    // Who has no verdict stands at the border.
    let border = high * 1.6;
    let at = |cell: &DigestCell| if cell.solved() { cell.time_s.max(low) } else { border };
    let names = [a, b].map(|i| plain(&digest.configs[i]));
    let mut out = format!(
        "{HEAD}\\begin{{axis}}[width=8cm, height=8cm, xmode=log, ymode=log, xmin={low:e}, ymin={low:e},\n  \
         xmax={far:e}, ymax={far:e}, xlabel={{{} (s)}}, ylabel={{{} (s)}}, legend pos=south east]\n",
        names[0],
        names[1],
        far = border * 1.3
    );
    let line = |out: &mut String, style: &str, points: [(f64, f64); 2]| {
        let [(x1, y1), (x2, y2)] = points;
        let _ = writeln!(
            out,
            "\\addplot[{style}, forget plot] coordinates {{({x1:e}, {y1:e}) ({x2:e}, {y2:e})}};"
        );
    };
    line(&mut out, "gray", [(low, low), (border, border)]);
    line(&mut out, "gray, dotted", [(low * 10.0, low), (border, border / 10.0)]);
    line(&mut out, "gray, dotted", [(low, low * 10.0), (border / 10.0, border)]);
    for (word, name, mark) in
        [(Word::Holds, "holds", "mark=*"), (Word::Violated, "violated", "mark=triangle")]
    {
        let _ = writeln!(out, "\\addplot[only marks, {mark}, mark size=1.5pt] coordinates {{");
        for question in &digest.questions {
            let (Some(x), Some(y)) = (&question.cells[a], &question.cells[b]) else { continue };
            let verdict = [x, y].into_iter().find(|cell| cell.solved()).map(|cell| cell.verdict);
            if verdict == Some(word) {
                let _ = writeln!(out, "  ({:e}, {:e})", at(x), at(y));
            }
        }
        let _ = writeln!(out, "}};\n\\addlegendentry{{{name}}}");
    }
    out + "\\end{axis}\n\\end{tikzpicture}\n"
}

/// A name in which no character means more than itself.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::digest::tests::rows;
    use super::*;
    use crate::results::ResultRow;

    #[test]
    fn each_pair_has_a_plot_with_its_points() {
        let mut rows = rows();
        rows.push(ResultRow { config: "c_1%".to_owned(), ..rows[0].clone() });
        let plots = latex(&Digest::new(&rows));
        let names: Vec<&str> = plots.iter().map(|(name, _)| name.as_str()).collect();
        let expected =
            ["survival.tex", "scatter-a-b.tex", "scatter-a-c_1_.tex", "scatter-b-c_1_.tex"];
        assert_eq!(names, expected);
        let points = |i: usize| plots[i].1.lines().filter(|l| l.starts_with("  (")).count();
        // As many as the SVG files have.
        assert_eq!((points(1), points(2)), (2, 1));
        assert!(plots[2].1.contains("ylabel={c\\_1\\% (s)}"), "{}", plots[2].1);
        for (name, text) in &plots {
            let count = |what: &str| text.matches(what).count();
            assert_eq!(count("\\begin"), count("\\end{"), "{name}");
            assert_eq!(count("{"), count("}"), "{name}");
        }
    }
}
