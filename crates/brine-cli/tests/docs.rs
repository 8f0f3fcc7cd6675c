//! What the docs name exists: files, links and their headings, and the assertions that
//! docs/invariants.md lists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All pages, relative to the root.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(PathBuf::from).to_vec();
    for folder in ["docs", "docs/decisions", "docs/experiments"] {
        let entries = std::fs::read_dir(root().join(folder)).expect(folder);
        let names = entries.map(|e| Path::new(folder).join(e.expect(folder).file_name()));
        pages.extend(names.filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

/// The lines outside of fenced blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    page.lines().filter(move |line| {
        fenced ^= line.starts_with("```");
        !fenced && !line.starts_with("```")
    })
}

/// What stands between backticks in a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of the links in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings =
        prose(page).filter(|l| l.starts_with('#')).map(|l| l.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// A path that the docs name in full; those with patterns stand for several.
fn is_path(word: &str) -> bool {
    let folders =
        ["crates/", "docs/", "xtask/", "planted-bugs/", "plans/", "contest/", "gcl/", "dve/"];
    folders.iter().any(|f| word.starts_with(f)) && !word.contains(['{', '*', ' ', '<'])
}

#[test]
fn files_that_the_docs_name_exist() {
    let mut named = 0;
    for page in pages() {
        let content = text(&root().join(&page));
        for path in prose(&content).flat_map(quoted).filter(|word| is_path(word)) {
            assert!(root().join(path).exists(), "{}: there is no {path}", page.display());
            named += 1;
        }
    }
    assert!(named > 300, "{named}");
}

#[test]
fn links_of_the_docs_lead_somewhere() {
    let mut followed = 0;
    for page in pages() {
        let content = text(&root().join(&page));
        let folder = root().join(page.parent().expect("a folder"));
        for link in prose(&content).flat_map(links).filter(|l| !l.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { root().join(&page) } else { folder.join(file) };
            assert!(target.exists(), "{}: no {link}", page.display());
            if !anchor.is_empty() {
                let known = anchors(&text(&target)).contains(anchor);
                assert!(known, "{}: no heading for {link}", page.display());
            }
            followed += 1;
        }
    }
    assert!(followed > 100, "{followed}");
}

/// The bodies of all functions of this name: up to the next function.
fn bodies<'a>(source: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let starts = [format!("fn {name}("), format!("fn {name}<")];
    source
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let here = *at;
            *at += line.len();
            Some((here, line))
        })
        .filter(move |(_, line)| starts.iter().any(|s| line.contains(s.as_str())))
        .map(|(at, line)| {
            let rest = &source[at + line.len()..];
            let is_function = |l: &str| l.trim_start().starts_with("fn ") || l.contains(" fn ");
            let end: usize =
                rest.split_inclusive('\n').take_while(|l| !is_function(l)).map(str::len).sum();
            &rest[..end]
        })
}

/// Each row of docs/invariants.md ends with files and the functions that assert.
#[test]
fn invariants_are_asserted_where_the_index_says() {
    let page = text(&root().join("docs/invariants.md"));
    let rows = prose(&page).filter(|l| l.starts_with("| ") && !l.starts_with("| invariant"));
    let (mut asserted, mut files) = (0, BTreeSet::new());
    for row in rows {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().expect("two columns");
        for part in place.split("; ") {
            let (file, functions) = part.split_once(": ").unwrap_or_else(|| panic!("{row}"));
            let file = quoted(file).next().unwrap_or_else(|| panic!("{row}"));
            let source = text(&root().join(file));
            for function in quoted(functions) {
                let found = bodies(&source, function).any(|body| body.contains("debug_assert"));
                assert!(found, "{file}: no assertion in {function}, for: {row}");
                asserted += 1;
            }
            files.insert(file.to_owned());
        }
    }
    assert!(asserted > 70 && files.len() > 45, "{asserted} in {} files", files.len());
}
