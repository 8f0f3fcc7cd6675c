//! The page: one file of HTML with its style, its script and its data inside.

use super::digest::{Digest, DigestCell, DigestQuestion};
use super::tables::{ReportTable, all, cards, correctness};
use crate::results::Word;
use serde::Serialize;
use std::collections::BTreeSet;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Tables longer than this are folded.
const LONG: usize = 12;

/// What the script draws.
#[derive(Serialize, Debug)]
struct Data<'a> {
    configs: &'a [String],
    questions: Vec<QuestionData<'a>>,
}

#[derive(Serialize, Debug)]
struct QuestionData<'a> {
    model: &'a str,
    property: &'a str,
    cells: Vec<Option<CellData<'a>>>,
}

#[derive(Serialize, Debug)]
struct CellData<'a> {
    verdict: Word,
    wrong: bool,
    reason: Option<&'a str>,
    time: f64,
    memory: Option<f64>,
}

/// The page.
pub fn page(name: &str, digest: &Digest) -> anyhow::Result<String> {
    let data = Data {
        configs: &digest.configs,
        questions: digest.questions.iter().map(question_data).collect(),
    };
    // Inside a script element, only `</` and `<!--` could end the data.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let tables: String = all(digest).iter().map(table).collect();
    let parts = [
        ("title", escaped(name)),
        ("style", STYLE.to_owned()),
        ("complaints", complaints(digest)),
        ("cards", card_list(digest)),
        ("bars", bars(digest)),
        ("tables", tables),
        ("origin", escaped(&origin(digest))),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("data", data),
        ("script", SCRIPT.to_owned()),
    ];
    Ok(filled(TEMPLATE, &parts))
}

/// The template with `{{name}}` replaced by the parts, in one pass.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        text.push_str(before);
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        if let Some((_, part)) = parts.iter().find(|(n, _)| *n == name) {
            text.push_str(part);
        }
        rest = after;
    }
    text + rest
}

fn question_data(question: &DigestQuestion) -> QuestionData<'_> {
    QuestionData {
        model: &question.model,
        property: &question.property,
        cells: question.cells.iter().map(|c| c.as_ref().map(cell_data)).collect(),
    }
}

fn cell_data(cell: &DigestCell) -> CellData<'_> {
    CellData {
        verdict: cell.verdict,
        wrong: cell.doubtful(),
        reason: cell.reason.as_deref(),
        time: cell.time_s,
        memory: cell.peak_mem_mib,
    }
}

/// The first thing on the page.
fn complaints(digest: &Digest) -> String {
    let sentence = escaped(&correctness(digest));
    if digest.complaints.is_empty() {
        return format!("<p class=\"right\">{sentence}</p>");
    }
    let items: String =
        digest.complaints.iter().map(|c| format!("<li>{}</li>", escaped(c))).collect();
    format!("<section class=\"wrong\"><h2>{sentence}</h2><ul>{items}</ul></section>")
}

fn card_list(digest: &Digest) -> String {
    let card = |(word, number): (&str, String)| {
        let mark = if word.starts_with("wrong") && number != "0" { " bad" } else { "" };
        format!("<div class=\"card{mark}\"><b>{}</b><span>{word}</span></div>", escaped(&number))
    };
    cards(digest).into_iter().map(card).collect()
}

/// Limits, machines and days of the rows, as far as they say so.
fn origin(digest: &Digest) -> String {
    let rows = || digest.questions.iter().flat_map(|q| q.cells.iter().flatten());
    let distinct = |of: fn(&DigestCell) -> Option<&str>| {
        rows().filter_map(of).filter(|text| !text.is_empty()).collect::<BTreeSet<&str>>()
    };
    let named = |what: &str, words: BTreeSet<&str>| {
        let list: Vec<&str> = words.iter().copied().take(3).collect();
        let more = if words.len() > 3 { ", ..." } else { "" };
        (!words.is_empty()).then(|| format!("{what} {}{more}", list.join(", ")))
    };
    // The day is the first word of the time.
    let days = distinct(|c| c.date.as_deref().and_then(|d| d.split(['T', ' ']).next()));
    let days = match (days.first(), days.last()) {
        (Some(first), Some(last)) if first != last => Some(format!("{first} to {last}")),
        (Some(day), _) => Some((*day).to_owned()),
        _ => None,
    };
    let parts = [
        named("limits", distinct(|c| c.limits.as_deref())),
        named("on", distinct(|c| c.host.as_deref())),
        named("brine", distinct(|c| c.version.as_deref())),
        days,
    ];
    parts.into_iter().flatten().collect::<Vec<String>>().join(" · ")
}

/// For each configuration a bar: holds, violated, open.
fn bars(digest: &Digest) -> String {
    let total = digest.questions.len().max(1);
    let bar = |(i, config): (usize, &String)| {
        let count = |w: Word| digest.of(i).filter(|c| c.solved() && c.verdict == w).count();
        let (holds, violated) = (count(Word::Holds), count(Word::Violated));
        let part = |class: &str, n: usize| {
            let width = 100.0 * n as f64 / total as f64;
            format!("<i class=\"{class}\" style=\"width:{width:.2}%\" title=\"{n} {class}\"></i>")
        };
        format!(
            "<div class=\"bar\"><span>{}</span><div>{}{}</div><b>{}</b></div>",
            escaped(config),
            part("holds", holds),
            part("violated", violated),
            holds + violated
        )
    };
    digest.configs.iter().enumerate().map(bar).collect()
}

fn table(table: &ReportTable) -> String {
    let line = |tag: &str, cells: &[String]| {
        let cells: String =
            cells.iter().map(|c| format!("<{tag}>{}</{tag}>", escaped(c))).collect();
        format!("<tr>{cells}</tr>")
    };
    let head = line("th", &table.head);
    let rows: String = table.rows.iter().map(|r| line("td", r)).collect();
    let inner = format!(
        "<p class=\"note\">{}</p><div class=\"scroll\"><table><thead>{head}</thead>\
         <tbody>{rows}</tbody></table></div>",
        escaped(table.note)
    );
    let title = escaped(table.title);
    if table.rows.len() > LONG {
        let count = table.rows.len();
        format!(
            "<section><details><summary><h2>{title}</h2> <span>{count} lines</span></summary>\
             {inner}</details></section>\n"
        )
    } else {
        format!("<section><h2>{title}</h2>{inner}</section>\n")
    }
}

/// Text in which no character means more than itself.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::digest::tests::rows;
    use super::*;

    #[test]
    fn the_page_is_whole_and_asks_the_network_for_nothing() {
        let page = page("a <b>", &Digest::new(&rows())).unwrap();
        assert!(!page.contains("{{"), "every part is filled in");
        assert!(page.contains("<title>a &lt;b&gt;"), "names are escaped");
        let outside = page.replace("http://www.w3.org/2000/svg", "");
        for forbidden in ["http:", "https:", " src=", "@import", "url("] {
            assert!(!outside.contains(forbidden), "{forbidden}");
        }
    }

    #[test]
    fn limits_machine_and_day_stand_on_the_page() {
        let mut rows = rows();
        rows[0].limits = Some("10 s, 2048 MiB".to_owned());
        rows[0].host = Some("box <1>".to_owned());
        rows[0].date = Some("2026-11-18T20:00:00Z".to_owned());
        let page = page("x", &Digest::new(&rows)).unwrap();
        let line = "<p class=\"note\">limits 10 s, 2048 MiB · on box &lt;1&gt; · 2026-11-18</p>";
        assert!(page.contains(line), "{page}");
    }

    #[test]
    fn data_cannot_break_out_of_its_element() {
        let mut rows = rows();
        rows[0].property = "</script><script>alert(1)//".to_owned();
        let page = page("x", &Digest::new(&rows)).unwrap();
        assert_eq!(page.matches("</script>").count(), 2, "the data's and the script's");
        let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["questions"][0]["property"], "</script><script>alert(1)//");
    }

    #[test]
    fn wrong_answers_come_first() {
        let mut rows = rows();
        rows[1].verdict = Word::Violated;
        let page = page("x", &Digest::new(&rows)).unwrap();
        let wrong = page.find("DISAGREE m p: holds [a], violated [b]").unwrap();
        assert!(wrong < page.find("class=\"cards\"").unwrap());
        assert!(page.contains("card bad"));
        let nobody = "title=\"0 holds\"></i><i class=\"violated\" style=\"width:0.00%\"";
        assert!(page.contains(nobody), "no bar counts what is disputed");
        let script = "cell.verdict !== \"unknown\" && !cell.wrong";
        assert!(page.contains(script), "nor does the script that draws the plots");
    }
}
