//! Refusing what the reader does not know, and saying why.
//!
//! A file of another tool may say more than the reader understands: that an arc inhibits,
//! that a place has a capacity. To skip such a thing is to read another net. So every
//! attribute is either asked for, or known to be decoration, or an error; and the error
//! says which feature the word stands for, where that can be guessed.

/// The attributes that are decoration on every element, next to `xmlns` and `xmlns:...`.
const EVERYWHERE: [&str; 5] =
    ["xml:space", "xml:lang", "xml:base", "xsi:schemaLocation", "xsi:noNamespaceSchemaLocation"];

const TIME: &str = "time is not supported: without it the net has more runs";
const READ: &str = "read arcs are not supported: write an arc to the transition and one back";
const DATA: &str = "data and guards are not supported, except in symmetric nets";
const CHANCE: &str = "probabilities and rates are not supported";
const TOKENS: &str =
    "in this kind of net, tokens are written <initialMarking><text>N</text></initialMarking>";

/// Beginnings of words, in lower case, and the feature that they stand for.
const FEATURES: [(&str, &str); 24] = [
    (
        "inhibit",
        "inhibitor arcs are not supported: test for zero tokens with a complementary place",
    ),
    ("tapninhibit", "inhibitor arcs are not supported: use a complementary place"),
    ("reset", "reset arcs are not supported"),
    ("test", READ),
    ("read", READ),
    ("stopwatch", TIME),
    ("transport", TIME),
    ("delay", TIME),
    ("interval", TIME),
    ("time", TIME),
    ("clock", TIME),
    ("urgent", TIME),
    ("invariant", TIME),
    ("priorit", "priorities are not supported: without them the net has more runs"),
    ("capacit", "capacities are not supported: add a complementary place"),
    (
        "weight",
        "in this kind of net, the weight of an arc is written \
         <inscription><text>N</text></inscription>",
    ),
    ("initialmarking", TOKENS),
    ("marking", TOKENS),
    ("token", TOKENS),
    ("guard", DATA),
    ("condition", DATA),
    ("variable", DATA),
    ("rate", CHANCE),
    ("probabilit", CHANCE),
];

/// Whether an attribute is decoration on every element.
pub(super) fn everywhere(attribute: &str) -> bool {
    attribute.starts_with("xmlns") && matches!(attribute.as_bytes().get(5), None | Some(b':'))
        || EVERYWHERE.contains(&attribute)
}

/// What a word says about the feature behind it, in brackets, or nothing.
///
/// ```
/// assert_eq!(brine_pnml::xml::hint("Reset"), " (reset arcs are not supported)");
/// assert_eq!(brine_pnml::xml::hint("colour"), "");
/// ```
pub fn hint(word: &str) -> String {
    let word = word.to_ascii_lowercase();
    let feature = FEATURES.iter().find(|(start, _)| word.starts_with(start));
    feature.map_or_else(String::new, |(_, what)| format!(" ({what})"))
}

/// The message for an attribute that an element does not have.
pub(super) fn unknown_attribute(element: &str, name: &str, value: &str, known: &[&str]) -> String {
    let known = match known {
        [] => "no attribute".to_owned(),
        [one] => format!("only {one}"),
        [most @ .., last] => format!("only {} and {last}", most.join(", ")),
    };
    let shown: String = value.chars().take(40).collect();
    let hint = hint(name);
    format!("unknown attribute {name}=\"{shown}\" of <{element}>, expected {known}{hint}")
}

/// The message for a namespace that is not the root's.
pub(super) fn unknown_namespace(name: &str, value: &str, root: Option<&str>) -> String {
    let shown: String = value.chars().take(80).collect();
    let expected = root.map_or_else(
        || "none, as at the root".to_owned(),
        |root| format!("that of the root, \"{}\"", root.chars().take(80).collect::<String>()),
    );
    format!("{name}=\"{shown}\" makes this part of another vocabulary, expected {expected}")
}
