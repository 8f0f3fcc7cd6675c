//! The tables as Markdown.

use super::digest::Digest;
use super::tables::{ReportTable, all, cards, correctness};

/// A text with all tables.
pub fn markdown(name: &str, digest: &Digest) -> String {
    let mut text = format!("# {}\n\n{}\n\n", escaped(name), correctness(digest));
    for complaint in &digest.complaints {
        text += &format!("- **{}**\n", escaped(complaint));
    }
    for (word, number) in cards(digest) {
        text += &format!("- {word}: {number}\n");
    }
    all(digest).iter().for_each(|t| text += &table(t));
    text
}

fn table(table: &ReportTable) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| escaped(c)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|---|{}\n", "---:|".repeat(table.head.len() - 1));
    let rows: String = table.rows.iter().map(|r| line(r)).collect();
    format!("\n## {}\n\n{}\n\n{}{rule}{rows}", table.title, table.note, line(&table.head))
}

/// Text in which no character means more than itself.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\`*_|<>[]#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::digest::tests::rows;
    use super::*;

    #[test]
    fn tables_are_tables() {
        let text = markdown("r_1", &Digest::new(&rows()));
        assert!(text.starts_with("# r\\_1\n\nNo two configurations disagree."), "{text}");
        let line = "| b | 2 | 1 | 1 | 1 | 0 | 0 | 0 | 1 |";
        assert!(text.lines().any(|l| l == line), "{text}");
        assert!(text.contains("\n|---|---:|---:|\n| weak | 1 of 3"), "{text}");
    }
}
