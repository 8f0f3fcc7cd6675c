//! Text in HTML and in SVG, and data in a page.
//!
//! Names come from strangers' files. As text they lose the five characters that mean something
//! in markup; characters that XML does not allow become spaces. Data stands in a script element,
//! which ends at the first `</script` and may be changed by `<!--`: so no `<` is left in it.

use serde::Serialize;

/// For the content of an element and for attributes in double or single quotes.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// JSON for the content of a script element.
pub(crate) fn data(value: &impl Serialize) -> String {
    // Maps with keys that are no text, and values that refuse, do not occur.
    let json = serde_json::to_string(value).unwrap_or_default();
    // Outside of strings JSON has none of these.
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(text("a<b>&\"c'\u{1}"), "a&lt;b&gt;&amp;&quot;c&#39; ");
    }

    #[test]
    fn data_cannot_end_its_element_and_stays_what_it_was() {
        let nasty = "</script><!--<script>&\u{2028}\"\\";
        let written = data(&nasty);
        assert!(!written.contains(['<', '>', '&', '\u{2028}']), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), nasty);
    }
}
