//! The questions that the contest asks about a coloured net and about its place/transition form.
//!
//! A file of properties of `NAME-COL-..` and that of `NAME-PT-..` share some properties: the same
//! operators and numbers, with the unfolded places or transitions in place of the coloured ones.
//! The others were drawn anew. Properties are paired only if they are the same in this sense:
//! element by element equal, and in each list of names, every unfolded name begins with a coloured
//! one and every coloured one begins an unfolded one (letters and digits alone, without case).
//! Lists of names may still mean different things; then verdicts may differ, and a person looks.

use anyhow::Context;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::path::Path;

/// A part of a property: a tag, a number, or the names below a tag.
#[derive(PartialEq, Eq, Debug)]
enum Part {
    Tag(String),
    Text(String),
    Names(Vec<String>),
}

/// The numbers of the properties that two files share, from 0.
pub(super) fn shared(coloured: &Path, plain: &Path) -> anyhow::Result<Vec<usize>> {
    let read = |path: &Path| -> anyhow::Result<Vec<Vec<Part>>> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        properties(&text).with_context(|| path.display().to_string())
    };
    let both = read(coloured)?.into_iter().zip(read(plain)?).enumerate();
    Ok(both.filter(|(_, (coloured, plain))| same(coloured, plain)).map(|(i, _)| i).collect())
}

/// The formulas of a file, each as its parts from first to last.
fn properties(text: &str) -> anyhow::Result<Vec<Vec<Part>>> {
    let mut reader = Reader::from_str(text);
    let (mut all, mut formula, mut tag) = (Vec::new(), None, String::new());
    loop {
        let event = reader.read_event()?;
        if let Event::Start(start) = &event {
            tag = start.name().into_inner().to_owned();
            if tag == "formula" {
                formula = Some(Vec::new());
            }
        }
        let Some(parts) = &mut formula else {
            match event {
                Event::Eof => return Ok(all),
                _ => continue,
            }
        };
        let is_name = tag == "place" || tag == "transition";
        match event {
            Event::Start(_) if !is_name => parts.push(Part::Tag(tag.clone())),
            Event::Text(text) if !text.trim().is_empty() => {
                let text = text.trim().to_owned();
                match parts.last_mut() {
                    Some(Part::Names(names)) if is_name => names.push(text),
                    _ if is_name => parts.push(Part::Names(vec![text])),
                    _ => parts.push(Part::Text(text)),
                }
            }
            Event::End(end) => match end.name().into_inner() {
                "formula" => all.extend(formula.take()),
                "place" | "transition" => tag.clear(),
                name => {
                    parts.push(Part::Tag(format!("/{name}")));
                    tag.clear();
                }
            },
            Event::Eof => anyhow::bail!("the file ends within a formula"),
            _ => {}
        }
    }
}

/// Whether the second formula is the first one with unfolded names.
fn same(coloured: &[Part], plain: &[Part]) -> bool {
    let same_part = |parts: (&Part, &Part)| match parts {
        (Part::Names(coloured), Part::Names(plain)) => same_names(coloured, plain),
        (a, b) => a == b,
    };
    coloured.len() == plain.len() && coloured.iter().zip(plain).all(same_part)
}

fn same_names(coloured: &[String], plain: &[String]) -> bool {
    let bare = |name: &String| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
    };
    let coloured: Vec<String> = coloured.iter().map(bare).collect();
    let plain: Vec<String> = plain.iter().map(bare).collect();
    plain.iter().all(|p| coloured.iter().any(|c| p.starts_with(c)))
        && coloured.iter().all(|c| plain.iter().any(|p| p.starts_with(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bodies: &[&str]) -> Vec<Vec<Part>> {
        let text: Vec<String> = bodies
            .iter()
            .map(|b| format!("<property><id>x</id><formula>\n {b} </formula></property>"))
            .collect();
        properties(&format!("<property-set>{}</property-set>", text.join("\n"))).expect("XML")
    }

    fn at_most(n: u32, places: &[&str]) -> String {
        let places: Vec<String> = places.iter().map(|p| format!("<place>{p}</place>")).collect();
        format!(
            "<integer-le><tokens-count> {} </tokens-count><integer-constant>{n}</integer-constant>\
             </integer-le>",
            places.join("\n ")
        )
    }

    #[test]
    fn properties_are_shared_up_to_unfolded_names() {
        let coloured = at_most(2, &["P", "Q"]);
        for (plain, expected) in [
            (at_most(2, &["P_1", "P_2", "q_1"]), true),
            (at_most(3, &["P_1", "P_2", "Q_1"]), false),
            (at_most(2, &["P_1", "P_2"]), false),
            (at_most(2, &["P_1", "Q_1", "R_1"]), false),
            (format!("<next>{}</next>", at_most(2, &["P_1", "Q_1"])), false),
        ] {
            let (a, b) = (file(&[&coloured]), file(&[&plain]));
            assert_eq!(same(&a[0], &b[0]), expected, "{plain}");
        }
    }

    #[test]
    fn every_formula_of_a_file_is_read() {
        let all = file(&[&at_most(1, &["P"]), &at_most(2, &["P"])]);
        assert_eq!(all.len(), 2);
        assert!(all[0].contains(&Part::Names(vec!["P".to_owned()])), "{all:?}");
        assert!(all[1].contains(&Part::Text("2".to_owned())), "{all:?}");
        assert!(properties("<formula><next>").is_err());
    }
}
