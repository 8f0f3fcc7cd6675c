//! `cargo xtask sizes`: how large the code is, crate by crate.
//!
//! Everything is read off the text, which rustfmt has laid out: a function ends with the first
//! closing brace in the column in which it began, and a public item is a line that begins
//! with `pub` and a keyword. Test modules (`mod tests`, files of tests) are not counted as code.

use anyhow::Context;
use std::fs;
use std::path::{Path, PathBuf};

/// Print the sizes of the code: lines, public items and assertions of each crate, and the
/// longest function and file
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder of another checkout, to compare
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// What is counted of some code.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
struct CodeSize {
    files: usize,
    lines: usize,
    tests: usize,
    public: usize,
    assertions: usize,
    functions: Vec<usize>,
    longest_function: (usize, String),
    longest_file: (usize, String),
}

impl CodeSize {
    fn add(&mut self, other: CodeSize) {
        self.files += other.files;
        self.lines += other.lines;
        self.tests += other.tests;
        self.public += other.public;
        self.assertions += other.assertions;
        self.functions.extend(other.functions);
        for (mine, theirs) in [
            (&mut self.longest_function, other.longest_function),
            (&mut self.longest_file, other.longest_file),
        ] {
            if theirs.0 > mine.0 {
                *mine = theirs;
            }
        }
    }
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let crates = args.folder.join("crates");
    let mut folders: Vec<PathBuf> = fs::read_dir(&crates)
        .with_context(|| format!("cannot read {}", crates.display()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    folders.push(args.folder.join("xtask"));
    folders.sort();
    println!("| crate | files | lines | lines of tests | public items | assertions |");
    println!("|---|---|---|---|---|---|");
    let mut all = CodeSize::default();
    for folder in folders.iter().filter(|folder| folder.join("src").is_dir()) {
        let mut size = measure_folder(&folder.join("src"))?;
        size.tests += lines_below(&folder.join("tests"))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        println!("{}", row(&name, &size));
        all.add(size);
    }
    println!("{}", row("all", &all));
    all.functions.sort_unstable();
    let at = |share: usize| all.functions.get(all.functions.len() * share / 100).unwrap_or(&0);
    println!("\nfunctions: {}; lines: median {}, p90 {}", all.functions.len(), at(50), at(90));
    println!("longest function: {} lines, {}", all.longest_function.0, all.longest_function.1);
    println!("longest file: {} lines, {}", all.longest_file.0, all.longest_file.1);
    Ok(())
}

fn row(name: &str, size: &CodeSize) -> String {
    let CodeSize { files, lines, tests, public, assertions, .. } = size;
    format!("| {name} | {files} | {lines} | {tests} | {public} | {assertions} |")
}

/// The Rust files in a folder and below it, in order.
fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let pattern = folder.join("**/*.rs");
    let found = glob::glob(&pattern.to_string_lossy())?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn lines_below(folder: &Path) -> anyhow::Result<usize> {
    let mut lines = 0;
    for file in rust_files(folder)? {
        lines += fs::read_to_string(&file)?.lines().count();
    }
    Ok(lines)
}

fn measure_folder(folder: &Path) -> anyhow::Result<CodeSize> {
    let mut size = CodeSize::default();
    for file in rust_files(folder)? {
        let text = fs::read_to_string(&file)?;
        let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
        size.add(if is_test {
            CodeSize { tests: text.lines().count(), ..CodeSize::default() }
        } else {
            measure(&text, &file.display().to_string())
        });
    }
    Ok(size)
}

/// Keywords that can follow `pub` at the start of an item.
const ITEMS: [&str; 9] =
    ["fn ", "struct ", "enum ", "trait ", "const ", "static ", "type ", "mod ", "use "];

/// What a file holds.
fn measure(text: &str, name: &str) -> CodeSize {
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().position(|line| line.starts_with("mod tests {")).unwrap_or(lines.len());
    let code = &lines[..end];
    let mut size =
        CodeSize { files: 1, lines: end, tests: lines.len() - end, ..CodeSize::default() };
    size.longest_file = (end, name.to_owned());
    for (i, line) in code.iter().enumerate() {
        let trimmed = line.trim_start();
        let public = trimmed.strip_prefix("pub ");
        size.public +=
            usize::from(public.is_some_and(|rest| ITEMS.iter().any(|item| rest.starts_with(item))));
        size.assertions += usize::from(trimmed.starts_with("debug_assert"));
        if let Some(function) = function_name(trimmed) {
            let indent = line.len() - trimmed.len();
            let length = function_length(&code[i..], indent);
            size.functions.push(length);
            if length > size.longest_function.0 {
                size.longest_function = (length, format!("`{function}` in {name}"));
            }
        }
    }
    size
}

/// The name of the function that a line begins, if it begins one.
fn function_name(line: &str) -> Option<&str> {
    let before = line.find("fn ")?;
    let words = line[..before].split_whitespace();
    let known = |word: &str| word.starts_with("pub") || word == "const" || word.ends_with(')');
    let rest = &line[before + 3..];
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    words.into_iter().all(known).then_some(&rest[..end]).filter(|name| !name.is_empty())
}

/// How many lines a function has that begins with the first of these, which is indented.
fn function_length(lines: &[&str], indent: usize) -> usize {
    let ends = |line: &str| {
        let trimmed = line.trim_start();
        line.len() - trimmed.len() == indent && (trimmed == "}" || trimmed.ends_with(';'))
    };
    // A function of one line ends where it begins.
    if lines[0].ends_with('}') || lines[0].ends_with(';') {
        return 1;
    }
    lines.iter().skip(1).position(|line| ends(line)).map_or(lines.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_functions_and_assertions_are_counted() {
        let text = "pub struct A;\n\nimpl A {\n    pub(crate) fn f(\n        x: u32,\n    ) -> u32 {\n        \
                    debug_assert!(x > 0);\n        x\n    }\n}\n\npub const fn g() {}\n\n#[cfg(test)]\n\
                    mod tests {\n    fn h() {\n    }\n}\n";
        let size = measure(text, "a.rs");
        assert_eq!((size.lines, size.tests, size.public, size.assertions), (14, 4, 2, 1));
        assert_eq!(size.functions, [6, 1]);
        assert_eq!(size.longest_function, (6, "`f` in a.rs".to_owned()));
    }
}
