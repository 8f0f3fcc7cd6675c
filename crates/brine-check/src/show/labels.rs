//! What the places or the transitions of a net are called in a text.

use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The names of the nodes of one kind.
pub(super) struct Labels<'a> {
    /// How many of them have this as name or id.
    uses: FxHashMap<Cow<'a, str>, u32>,
}

impl<'a> Labels<'a> {
    /// From ids and names.
    pub(super) fn new(nodes: impl Iterator<Item = (Cow<'a, str>, Cow<'a, str>)>) -> Self {
        let mut uses = FxHashMap::default();
        for (id, name) in nodes {
            if id != name {
                *uses.entry(id).or_default() += 1;
            }
            *uses.entry(name).or_default() += 1;
        }
        Labels { uses }
    }

    /// The name, with the id in brackets if something else is called so too; the id where
    /// there is no name. In quotes, as in a formula, if it has spaces.
    pub(super) fn of(&self, id: &str, name: &str) -> String {
        let quoted = |text: &str| match text.contains(char::is_whitespace) {
            true => format!("\"{}\"", escape(text).replace(char::is_control, " ")),
            false => text.to_owned(),
        };
        if name.trim().is_empty() || name == id {
            return quoted(id);
        }
        match self.uses.get(name) {
            Some(1) => quoted(name),
            _ => format!("{} ({id})", quoted(name)),
        }
    }
}

/// For double quotes.
pub(super) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, with ids in brackets where a name is not enough.
    #[test]
    fn names_are_shown() {
        let nodes = [
            ("p1", "Fork 1"),
            ("p2", "hand"),
            ("p3", "hand"),
            ("p4", "p5"),
            ("p5", ""),
            ("p6", "p6"),
        ];
        let labels = Labels::new(nodes.iter().map(|&(i, n)| (i.into(), n.into())));
        let shown: Vec<String> = nodes.iter().map(|(i, n)| labels.of(i, n)).collect();
        assert_eq!(shown, ["\"Fork 1\"", "hand (p2)", "hand (p3)", "p5 (p4)", "p5", "p6"]);
        assert_eq!(labels.of("p7", "two\nlines"), "\"two lines\" (p7)");
    }
}
