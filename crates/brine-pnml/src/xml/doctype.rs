//! Which document type declarations are let through: those that change nothing.
//!
//! `<!DOCTYPE pnml SYSTEM "x.dtd">` names a grammar; it is neither fetched nor needed. What
//! stands between `[` and `]` may define entities, which can explode, and default values
//! of attributes, which would be attributes that the file does not show. Only comments and
//! `<!ELEMENT ...>` may stand there.

/// Checks what stands between `<!DOCTYPE` and `>`.
pub(super) fn check(declaration: &str) -> Result<(), String> {
    let Some(start) = subset(declaration) else { return Ok(()) };
    let mut rest = &declaration[start..];
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if rest.starts_with("<!ELEMENT") {
            rest = rest.split_once('>').map_or("", |(_, rest)| rest);
        } else if rest.trim_end() == "]" {
            return Ok(());
        } else {
            return Err("document type declarations are not read (they can define entities that \
                        explode, and default values of attributes), expected one without [...] \
                        or none"
                .to_owned());
        }
    }
}

/// Where the internal subset starts (after its `[`), if there is one; brackets in quotes
/// belong to the name of a grammar.
fn subset(declaration: &str) -> Option<usize> {
    let mut quote = None;
    for (i, byte) in declaration.bytes().enumerate() {
        match (quote, byte) {
            (None, b'[') => return Some(i + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(q), _) if q == byte => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_ones() {
        for text in [
            "pnml",
            "pnml SYSTEM \"http://x.org/p[1].dtd\"",
            "pnml PUBLIC '-//X//EN' 'p.dtd' []",
            "pnml [ <!-- <!ENTITY --> <!ELEMENT pnml (net)> \n] ",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn others() {
        for text in [
            "pnml [<!ENTITY a 'b'>]",
            "pnml [<!ATTLIST arc type CDATA 'inhibitor'>]",
            "pnml [%a;]",
            "pnml [<!ELEMENT pnml (net)><!ENTITY % a 'b'>]",
            "pnml [",
            "pnml [<!--",
            "pnml [] x",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
