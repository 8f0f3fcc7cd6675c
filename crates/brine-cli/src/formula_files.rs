//! Formulas on the command line and in files: `--ltl FORMULA`, `--ltl @FILE`.
//!
//! A file has one formula after the other. One that begins a line may have a name in front,
//! `name: formula`; lines that begin with white space go on with the formula before them; lines
//! that begin with `#` are comments. *Invariant:* each formula keeps the place where it begins, and
//! its line breaks, so that what is wrong in it is told with file, line and column.

use anyhow::{Context, bail};
use brine_coloured::Position;
use brine_ltl::ParseError;
use std::path::{Path, PathBuf};

/// A formula that somebody gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GivenFormula {
    /// What the output calls it: its name, or its text.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The file, and where in it the text begins.
    place: Option<(PathBuf, Position)>,
}

impl GivenFormula {
    /// One whose name is its text.
    pub(crate) fn of_text(text: &str) -> Self {
        GivenFormula { name: text.to_owned(), text: text.to_owned(), place: None }
    }

    /// What is wrong with it, and where.
    pub(crate) fn complaint(&self, option: &str, error: &ParseError) -> anyhow::Error {
        let Some((file, start)) = &self.place else { return anyhow::anyhow!("{option}: {error}") };
        let inner = (error.line as u32, error.column as u32);
        let column = if inner.0 == 1 { start.column + inner.1 - 1 } else { inner.1 };
        let (line, file) = (start.line + inner.0 - 1, file.display());
        let whole = error.to_string();
        let excerpt = whole.split_once('\n').map_or("", |(_, excerpt)| excerpt);
        anyhow::anyhow!("{file}:{line}:{column}: {}\n{excerpt}", error.message)
    }

    /// The same for a reader that tells no place inside.
    pub(crate) fn complaint_at_start(&self, option: &str, message: &str) -> anyhow::Error {
        match &self.place {
            Some((file, at)) => anyhow::anyhow!("{}:{at}: {message}", file.display()),
            None => anyhow::anyhow!("{option}: {message}"),
        }
    }
}

/// The formulas that these words stand for: `@FILE` for those of a file, all others for
/// themselves.
pub(crate) fn given(option: &str, words: &[String]) -> anyhow::Result<Vec<GivenFormula>> {
    let mut all = Vec::with_capacity(words.len());
    for word in words {
        match word.strip_prefix('@') {
            Some(path) => all.extend(of_file(option, path)?),
            None => all.push(GivenFormula::of_text(word)),
        }
    }
    Ok(all)
}

fn of_file(option: &str, path: &str) -> anyhow::Result<Vec<GivenFormula>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{option} @{path}: cannot read the file with formulas"))?;
    let found = of_lines(&text, Path::new(path))?;
    if found.is_empty() {
        bail!("{path}: no formula in this file");
    }
    Ok(found)
}

fn of_lines(text: &str, file: &Path) -> anyhow::Result<Vec<GivenFormula>> {
    let mut all: Vec<GivenFormula> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = i as u32 + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            // Keeps the lines of the formula around it where they are.
            if let Some(last) = all.last_mut() {
                last.text.push('\n');
            }
            continue;
        }
        if line.starts_with(char::is_whitespace) {
            let Some(last) = all.last_mut() else {
                bail!(
                    "{}:{number}:1: a line that goes on, but nothing to go on with",
                    file.display()
                );
            };
            last.text.push('\n');
            last.text.push_str(line);
            continue;
        }
        let (name, rest) = named(line);
        let column = (line.chars().count() - rest.chars().count()) as u32 + 1;
        let place = Some((file.to_path_buf(), Position { line: number, column }));
        let name = name.unwrap_or_default().to_owned();
        all.push(GivenFormula { name, text: rest.to_owned(), place });
    }
    for given in &mut all {
        given.text.truncate(given.text.trim_end().len());
        if given.name.is_empty() {
            given.name = given.text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    Ok(all)
}

/// The name in front of a formula, and the formula.
fn named(line: &str) -> (Option<&str>, &str) {
    let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    match line[end..].strip_prefix(':') {
        Some(rest) if end > 0 && rest.starts_with(char::is_whitespace) => {
            (Some(&line[..end]), rest.trim_start())
        }
        _ => (None, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String, Position)> {
        let all = of_lines(text, Path::new("f")).unwrap();
        let parts = |g: GivenFormula| {
            let (_, at) = g.place.unwrap();
            (g.name, g.text, at)
        };
        all.into_iter().map(parts).collect()
    }

    #[test]
    fn names_comments_and_long_formulas_are_read() {
        let all =
            read("# all\nmutex: G p <= 1\n\nG (a = 1\n  -> F b = 1)\n# end\nlive-1:   F c = 1\n");
        let at = |line, column| Position { line, column };
        assert_eq!(all.len(), 3);
        assert_eq!(all[0], ("mutex".to_owned(), "G p <= 1".to_owned(), at(2, 8)));
        let text = "G (a = 1\n  -> F b = 1)".to_owned();
        assert_eq!(all[1], ("G (a = 1 -> F b = 1)".to_owned(), text, at(4, 1)));
        assert_eq!(all[2].2, at(7, 11));
        assert!(of_lines("  F a\n", Path::new("f")).is_err());
    }
}
