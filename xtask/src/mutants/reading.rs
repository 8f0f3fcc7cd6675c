//! Planted bugs: what the reader of nets skips.

use super::{Mutant, Test, mutant};

pub(super) const MUTANTS: [Mutant; 5] = [
    mutant(
        Test::Strictness,
        "pnml: an arc may have any weight as attribute",
        "crates/brine-pnml/src/pnml/walk.rs",
        r#"["id", "source", "target", "type"], &[])"#,
        r#"["id", "source", "target", "type"], &["weight"])"#,
    ),
    mutant(
        Test::Strictness,
        "pnml: every arc is a normal one",
        "crates/brine-pnml/src/pnml/extras.rs",
        r#"if kind == "normal" {"#,
        r#"if !kind.is_empty() {"#,
    ),
    mutant(
        Test::Strictness,
        "xml: an attribute that nobody knows is skipped",
        "crates/brine-pnml/src/xml/mod.rs",
        "if decoration.contains(&name) || strict::everywhere(name) {",
        "if decoration.contains(&name) || !name.is_empty() {",
    ),
    mutant(
        Test::Strictness,
        "pnml: references may hold anything",
        "crates/brine-pnml/src/pnml/walk.rs",
        "no_labels(xml, text, warnings)?;",
        "let _ = (text, warnings);\n                    xml.skip_element()?;",
    ),
    mutant(
        Test::Strictness,
        "coloured: labels may hold anything",
        "crates/brine-pnml/src/coloured/tree.rs",
        r#""graphics" => return Ok(Child::Graphics),"#,
        r#""graphics" | "capacity" | "delay" => return Ok(Child::Graphics),"#,
    ),
];
