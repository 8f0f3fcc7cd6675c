//! No attribute and no element of a net is skipped in silence.
//!
//! An attribute or element is added somewhere in a valid file: a random net, a coloured one,
//! or one of the files of other tools in `pnml/dialects`. Either it is on the list of
//! decoration, and the net stays the same, or the file is refused, with a position. The
//! list is written down here once more, independently of the reader. An element that is moved
//! to another vocabulary is refused, unless it stood in decoration. Files with damaged
//! bytes are refused or read, without a panic.
//!
//! BRINE_CASES sets the number of files, BRINE_SEED the first seed.

use brine_models::{database_coloured, philosophers_coloured};
use brine_net::Rng;
use brine_oracle::mutate::Corpus;
use brine_oracle::nets::random_net;
use brine_oracle::number;
use brine_pnml::{Model, ReadError, UnfoldLimits, read_model_from, write_pnml};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Names that tools use for things that matter, names of decoration, and names of nothing.
const WORDS: [&str; 41] = [
    "type",
    "weight",
    "capacity",
    "priority",
    "initialMarking",
    "reset",
    "delay",
    "guard",
    "urgent",
    "invariant",
    "inscription",
    "inhibitor",
    "read",
    "test",
    "rate",
    "timed",
    "probability",
    "time",
    "condition",
    "tokens",
    "marking",
    "arctype",
    "value",
    "name",
    "colour",
    "player",
    "xmlns",
    "xml:lang",
    "xmlns:q",
    "xmlns:p",
    "q:type",
    "positionX",
    "graphics",
    "toolspecific",
    "finalmarkings",
    "labels",
    "label",
    "arcpath",
    "orientation",
    "x",
    "foo-bar",
];

/// What attributes are set to.
const VALUES: [&str; 6] = ["inhibitor", "normal", "5", "0", "", "true"];

/// Elements whose whole content belongs to the drawing or to another tool.
const SKIPPED: [&str; 12] = [
    "graphics",
    "toolspecific",
    "finalmarkings",
    "labels",
    "stategroup",
    "orientation",
    "infiniteServer",
    "arcpath",
    "label",
    "query",
    "k-bound",
    "size",
];

/// Where a drawing or the part of a tool may stand.
const DRAWN: [&str; 19] = [
    "net",
    "page",
    "place",
    "transition",
    "arc",
    "referencePlace",
    "referenceTransition",
    "name",
    "initialMarking",
    "inscription",
    "type",
    "arctype",
    "hlinitialMarking",
    "hlinscription",
    "condition",
    "declaration",
    "capacity",
    "rate",
    "timed",
];

/// Attributes of TAPAAL's own nets that change no run.
const TAPAAL: [&str; 8] = [
    "displayName",
    "nameOffsetX",
    "nameOffsetY",
    "positionX",
    "positionY",
    "markingOffsetX",
    "markingOffsetY",
    "angle",
];
const TAPAAL_TRANSITION: [&str; 4] = ["weight", "rate", "value", "infiniteServer"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Expected {
    /// Decoration: the same net.
    Same,
    /// Unknown: refused.
    Refused,
}

/// A place in a document where something can be added.
#[derive(Clone, Debug)]
struct Spot {
    /// Where to write.
    offset: usize,
    /// The elements around it, the innermost last.
    path: Vec<String>,
    /// For attributes: the tag's text.
    tag: String,
}

/// A valid document.
struct Document {
    text: String,
    model: Model,
    attributes: Vec<Spot>,
    elements: Vec<Spot>,
    tapaal: bool,
    pipe: bool,
    tina: bool,
    /// The prefix of its elements, with the colon, or empty.
    prefix: &'static str,
}

/// The places of a well-formed document, by a scan for its tags.
fn spots(text: &str) -> (Vec<Spot>, Vec<Spot>) {
    let (mut attributes, mut elements) = (Vec::new(), Vec::new());
    let mut path: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        let skip = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")];
        if let Some((_, end)) = skip.iter().find(|(open, _)| rest.starts_with(open)) {
            at = start + rest.find(end).expect("closed") + end.len();
            continue;
        }
        let end = start + tag_end(rest);
        let inner = &text[start + 1..end];
        at = end + 1;
        if inner.starts_with('/') {
            elements.push(Spot { offset: start, path: path.clone(), tag: String::new() });
            path.pop();
            continue;
        }
        let name: String = inner.chars().take_while(|c| !c.is_whitespace() && *c != '/').collect();
        path.push(name.rsplit(':').next().unwrap_or_default().to_owned());
        let offset = start + 1 + name.len();
        attributes.push(Spot { offset, path: path.clone(), tag: inner.to_owned() });
        if inner.ends_with('/') {
            path.pop();
        } else {
            elements.push(Spot { offset: end + 1, path: path.clone(), tag: String::new() });
        }
    }
    (attributes, elements)
}

/// Where a tag ends; `>` in a value does not end it.
fn tag_end(tag: &str) -> usize {
    let mut quote = None;
    for (i, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return i,
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            _ => {}
        }
    }
    panic!("a tag without end: {tag}");
}

fn read(text: &[u8]) -> Result<Model, ReadError> {
    let limits = UnfoldLimits { places: 1_000, transitions: 1_000, arcs: 10_000, work: 100_000 };
    read_model_from(text, "f", &limits)
}

fn document(text: String) -> Option<Document> {
    let model = read(text.as_bytes()).ok()?;
    let (attributes, elements) = spots(&text);
    let (pipe, tapaal) = (text.contains("type=\"P/T net\""), text.contains("active=\"true\""));
    let tina = text.contains("laas.fr/tina");
    let pipe = pipe && !tapaal;
    let prefix = if text.contains("<p:pnml") { "p:" } else { "" };
    Some(Document { attributes, elements, model, tapaal, pipe, tina, prefix, text })
}

/// The same document with the prefix `p` on its elements.
fn with_prefix(text: &str) -> String {
    let mut out = text.replace(" xmlns=", " xmlns:p=").replace("</", "</p:");
    let mut at = 0;
    while let Some(found) = out[at..].find('<') {
        at += found + 1;
        if !out[at..].starts_with(['/', '?', '!']) {
            out.insert_str(at, "p:");
        }
    }
    out
}

fn documents() -> Vec<Document> {
    let mut texts = Vec::new();
    for seed in 0..20 {
        let mut bytes = Vec::new();
        write_pnml(&random_net(&mut Rng::new(seed)), &mut bytes).expect("memory");
        texts.push(bytes);
    }
    for net in [philosophers_coloured(3), database_coloured(3)] {
        let mut bytes = Vec::new();
        net.write_pnml(&mut bytes).expect("memory");
        texts.push(bytes);
    }
    let prefixed: Vec<String> =
        texts.iter().take(5).map(|t| with_prefix(&String::from_utf8_lossy(t))).collect();
    texts.extend(dialects());
    let texts = texts.into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
    texts.chain(prefixed).filter_map(document).collect()
}

/// The files of other tools.
fn dialects() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/dialects");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

/// Whether what stands here is skipped as a whole. The NUPN part is read, its size is not.
fn is_skipped(path: &[String], in_nupn: bool) -> bool {
    path.iter().enumerate().any(|(depth, element)| {
        let element = element.as_str();
        SKIPPED.contains(&element)
            && !(in_nupn && element == "toolspecific")
            && (element != "size" || in_nupn)
            && depth > 0
    })
}

/// What must happen to an attribute.
fn attribute(document: &Document, spot: &Spot, name: &str, value: &str, nupn: bool) -> Expected {
    let element = spot.path.last().map_or("", String::as_str);
    let parent = spot.path.iter().rev().nth(1).map_or("", String::as_str);
    let twice = spot.tag.contains(&format!(" {name}="));
    let tapaal_node = document.tapaal && matches!(element, "place" | "transition" | "arc");
    let same = !twice
        && (is_skipped(&spot.path, nupn)
            || matches!(name, "xml:lang" | "xmlns:q")
            || namespace_stays(document, spot, name, value, nupn)
            || (tapaal_node && TAPAAL.contains(&name))
            || (document.tapaal && element == "transition" && TAPAAL_TRANSITION.contains(&name))
            || (document.tapaal && element == "transition" && name == "player" && value == "0")
            || (document.tapaal && element == "constant" && name == "type")
            || (element == "arc" && name == "type" && value == "normal")
            || (parent == "arc"
                && matches!(element, "type" | "arctype")
                && name == "value"
                && value == "normal"));
    if same { Expected::Same } else { Expected::Refused }
}

/// Whether the declaration of a namespace changes nothing: it stands at the root, or on the part
/// of a tool, or is for names that no element has, or says what is so already.
fn namespace_stays(doc: &Document, spot: &Spot, name: &str, value: &str, nupn: bool) -> bool {
    let declares_own = match name {
        "xmlns" => doc.prefix.is_empty(),
        "xmlns:p" => doc.prefix == "p:",
        _ => return false,
    };
    let of_tool = spot.path.last().is_some_and(|e| match e.as_str() {
        "toolspecific" => nupn,
        "interval" => doc.tina,
        _ => false,
    });
    let none_before = value.is_empty() && !doc.attributes[0].tag.contains(" xmlns=");
    !declares_own || spot.path.len() == 1 || (name == "xmlns" && (of_tool || none_before))
}

/// What must happen to an element that holds a text.
fn element(document: &Document, spot: &Spot, name: &str, nupn: bool) -> Expected {
    let parent = spot.path.last().map_or("", String::as_str);
    let drawn = DRAWN.contains(&parent)
        || (document.pipe && matches!(parent, "priority" | "tagged"))
        || (document.tina && parent == "delay");
    let same = is_skipped(&spot.path, nupn)
        || match name {
            "graphics" => drawn,
            "toolspecific" => drawn || parent == "pnml",
            "finalmarkings" => matches!(parent, "net" | "page"),
            "labels" => (document.pipe || document.tapaal) && matches!(parent, "net" | "page"),
            "label" => document.tina && matches!(parent, "place" | "transition"),
            "arcpath" => (document.pipe || document.tapaal) && parent == "arc",
            "orientation" => document.pipe && parent == "transition",
            _ => false,
        };
    if same { Expected::Same } else { Expected::Refused }
}

/// Adds something to a document.
fn mutate(document: &Document, rng: &mut Rng) -> (String, Expected, String) {
    let mut pick = |n: usize| rng.below(n as u32) as usize;
    let word = match pick(5) {
        0 => format!("w{}", pick(1_000)),
        1 | 2 => WORDS[pick(4)].to_owned(),
        _ => WORDS[pick(WORDS.len())].to_owned(),
    };
    let is_attribute = pick(2) == 0;
    let spots = if is_attribute { &document.attributes } else { &document.elements };
    // By the element first, so that rare ones get their share, and arcs a large one.
    let mut names: Vec<&String> = spots.iter().filter_map(|spot| spot.path.last()).collect();
    names.sort_unstable();
    names.dedup();
    let arc = names.iter().position(|&name| name == "arc");
    let name = names[arc.filter(|_| pick(5) == 0).unwrap_or_else(|| pick(names.len()))];
    let spots: Vec<&Spot> = spots.iter().filter(|spot| spot.path.last() == Some(name)).collect();
    let spot = spots[pick(spots.len())];
    let nupn = in_nupn(document, spot);
    let mut text = document.text.clone();
    let (added, expected) = if is_attribute {
        let value = VALUES[pick(VALUES.len())];
        (format!(" {word}=\"{value}\""), attribute(document, spot, &word, value, nupn))
    } else {
        let word = word.replace(':', "-");
        let prefix = ["", document.prefix, document.prefix, "x:"][pick(4)];
        let expected = match prefix {
            "x:" if is_skipped(&spot.path, nupn) => Expected::Same,
            "x:" => Expected::Refused,
            _ => element(document, spot, &word, nupn),
        };
        (format!("<{prefix}{word}>7</{prefix}{word}>"), expected)
    };
    text.insert_str(spot.offset, &added);
    (text, expected, format!("{added} in {}", spot.path.join("/")))
}

/// Moves an element of a document into another vocabulary, by a prefix.
fn estrange(document: &Document, rng: &mut Rng) -> (String, Expected, String) {
    let spot = &document.attributes[rng.below(document.attributes.len() as u32) as usize];
    let mut text = document.text.clone();
    let name = text[..spot.offset].rfind('<').expect("a tag") + 1;
    let end = document.elements.iter().find(|end| {
        end.offset > spot.offset && end.path == spot.path && text[end.offset..].starts_with("</")
    });
    let name_in_end = end.map(|end| end.offset + 2).filter(|_| !spot.tag.ends_with('/'));
    for at in name_in_end.into_iter().chain([name]) {
        let own = if text[at..].starts_with(document.prefix) { document.prefix.len() } else { 0 };
        text.replace_range(at..at + own, "x:");
    }
    let around = &spot.path[..spot.path.len() - 1];
    let skipped = is_skipped(around, in_nupn(document, spot));
    let expected = if skipped { Expected::Same } else { Expected::Refused };
    (text, expected, format!("x: at {}", spot.path.join("/")))
}

/// Whether a place is inside of a NUPN part.
fn in_nupn(document: &Document, spot: &Spot) -> bool {
    let before = &document.text[..spot.offset];
    let opened = before.rfind("<toolspecific");
    let own = format!("<{}", spot.tag);
    spot.path.iter().any(|e| e == "toolspecific")
        && (own.contains("tool=\"nupn\"")
            || opened
                .is_some_and(|at| document.text[at..].starts_with("<toolspecific tool=\"nupn\"")))
}

#[test]
fn nothing_unknown_is_silently_skipped() {
    let documents = documents();
    assert!(documents.len() > 45, "{} documents", documents.len());
    assert!(documents.iter().any(|d| d.tina) && documents.iter().any(|d| d.tapaal));
    assert!(documents.iter().any(|d| d.pipe) && documents.iter().any(|d| d.prefix == "p:"));
    let mut counts: BTreeMap<Expected, u64> = BTreeMap::new();
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 20_000));
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let document = &documents[rng.below(documents.len() as u32) as usize];
        let change = if rng.below(5) == 0 { estrange } else { mutate };
        let (text, expected, what) = change(document, &mut rng);
        let context = || format!("BRINE_SEED={seed}: {what} of\n{text}");
        match read(text.as_bytes()) {
            Ok(model) => {
                assert_eq!(expected, Expected::Same, "{}", context());
                assert!(model.net == document.model.net, "another net: {}", context());
                assert!(model.coloured == document.model.coloured, "another net: {}", context());
            }
            Err(ReadError::Invalid { message, .. }) => {
                assert_eq!(expected, Expected::Refused, "{message}: {}", context());
                assert!(!message.is_empty());
            }
            Err(other) => panic!("{other}: {}", context()),
        }
        *counts.entry(expected).or_default() += 1;
    }
    println!("{counts:?}");
    if count >= 1_000 {
        assert!(counts[&Expected::Same] * 20 > count && counts[&Expected::Refused] * 4 > count);
    }
}

#[test]
fn damaged_dialect_files_do_not_panic() {
    let documents = dialects();
    let tokens = [
        " type=\"inhibitor\"",
        "<capacity>",
        "<value>",
        "Default,",
        "[0,inf)",
        " active=\"true\"",
        "<interval>",
        "<!DOCTYPE pnml [",
        "encoding=\"UTF-16\"",
        "encoding=\"ISO-8859-1\"",
        "\u{feff}",
        "<toolspecific>",
        "<type>",
        "<numberof>",
        "P/T net",
    ];
    let corpus = Corpus { documents: &documents, tokens: &tokens };
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 20_000));
    let mut accepted = 0;
    for seed in first..first + count {
        let bytes = corpus.draw(&mut Rng::new(seed));
        let result = catch_unwind(AssertUnwindSafe(|| read(&bytes)));
        match result.unwrap_or_else(|_| panic!("BRINE_SEED={seed}: a panic")) {
            Ok(_) => accepted += 1,
            Err(e) => assert!(!e.to_string().is_empty()),
        }
    }
    if count >= 1_000 {
        assert!(accepted > 0 && accepted < count, "{accepted} of {count} read");
    }
}
