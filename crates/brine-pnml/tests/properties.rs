//! Reading the property files of the contest.

#![allow(clippy::unwrap_used)] // helpers of tests may panic
use brine_ltl::{Formulas, Symbols, parse};
use brine_net::{Net, NetBuilder};
use brine_pnml::read_mcc;
use std::path::PathBuf;

fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

fn philosophers() -> Net {
    let mut b = NetBuilder::new("forks");
    let fork = b.named_place("f1", "Fork 1", 1);
    let hand = b.place("hand", 0);
    let other = b.place("Fork", 0);
    b.transition("take", &[(fork, 1)], &[(hand, 1)]);
    b.transition("drop", &[(hand, 1)], &[(fork, 1), (other, 1)]);
    b.build().unwrap()
}

fn xml(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n\
         <id>x-00</id>\n<description>d</description>\n<formula>\n{body}\n</formula>\n</property>\n\
         </property-set>\n"
    )
}

#[test]
fn contest_properties() {
    let until = "<all-paths><until><before><integer-le><integer-sum><integer-constant>2\
        </integer-constant><tokens-count><place>hand</place><place>Fork 1</place></tokens-count>\
        </integer-sum><integer-difference><tokens-count><place>Fork</place></tokens-count>\
        <integer-constant>1</integer-constant></integer-difference></integer-le></before><reach>\
        <exclusive-disjunction><deadlock/><is-fireable><transition>take</transition><transition>\
        drop</transition></is-fireable></exclusive-disjunction></reach></until></all-paths>";
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&philosophers()));
    let properties = read_mcc(&xml(until), &mut fs, &mut symbols).unwrap();
    assert_eq!(properties.len(), 1);
    assert_eq!(properties[0].id, "x-00");
    assert_eq!(
        fs.print(properties[0].query.all_runs().unwrap(), &symbols),
        "f1 + hand + 3 <= \"Fork\" U (deadlock xor fireable(take, drop))"
    );
}

/// Every element of a property against the same formula as text.
#[test]
fn elements_mean_what_the_operators_mean() {
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&philosophers()));
    let take = "<is-fireable><transition>take</transition></is-fireable>";
    let tokens = "<tokens-count><place>hand</place></tokens-count>";
    let one = "<integer-constant>1</integer-constant>";
    let both = |tag: &str, x: &str, y: &str| format!("<{tag}>{x}{y}</{tag}>");
    let mut pairs = vec![
        (both("globally", take, ""), "G fireable(take)".to_owned()),
        (both("finally", take, ""), "F fireable(take)".to_owned()),
        (both("next", take, ""), "X fireable(take)".to_owned()),
        (both("negation", take, ""), "!fireable(take)".to_owned()),
        (both("integer-le", &both("integer-product", one, tokens), one), "hand <= 1".to_owned()),
    ];
    for (tag, operator) in [
        ("conjunction", "&"),
        ("disjunction", "|"),
        ("implication", "->"),
        ("equivalence", "<->"),
        ("exclusive-disjunction", "xor"),
    ] {
        let text = format!("fireable(take) {operator} deadlock");
        pairs.push((both(tag, take, "<deadlock/>"), text));
    }
    for (tag, operator) in
        [("le", "<="), ("lt", "<"), ("ge", ">="), ("gt", ">"), ("eq", "="), ("ne", "!=")]
    {
        let text = format!("hand {operator} 1");
        pairs.push((both(&format!("integer-{tag}"), tokens, one), text));
    }
    for (element, text) in pairs {
        let source = xml(&format!("<all-paths>{element}</all-paths>"));
        let read = read_mcc(&source, &mut fs, &mut symbols).unwrap()[0].query.all_runs().unwrap();
        assert_eq!(read, parse(&text, &mut fs, &mut symbols).unwrap(), "{element}");
    }
}

/// `reach` is what is reached, even if it is written first.
#[test]
fn sides_of_until_go_by_name() {
    let (before, reach) = ("<before><deadlock/></before>", "<reach><true/></reach>");
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::of_net(&philosophers()));
    let mut read = |sides: String| {
        let source = xml(&format!("<all-paths><until>{sides}</until></all-paths>"));
        read_mcc(&source, &mut fs, &mut symbols).unwrap()[0].query.all_runs().unwrap()
    };
    assert_eq!(read(format!("{before}{reach}")), read(format!("{reach}{before}")));
}

#[test]
fn bad_contest_files() {
    let fail = |source: &str| {
        let mut symbols = Symbols::of_net(&philosophers());
        let e = read_mcc(source, &mut Formulas::new(), &mut symbols).unwrap_err();
        (e.line, e.message)
    };
    assert_eq!(fail(""), (1, "the file contains no <property>".into()));
    assert!(fail(&xml("<all-paths><deadlock/>")).1.contains("not well-formed"));
    assert!(fail("<property-set><property>").1.contains("never closed"));
    let bound = fail(&xml("<all-paths><place-bound/></all-paths>")).1;
    assert!(bound.contains("expected a formula inside <all-paths>"), "{bound}");
    let unknown = "<all-paths><is-fireable><transition>tak</transition></is-fireable></all-paths>";
    assert!(fail(&xml(unknown)).1.contains("did you mean \"take\""));
    assert!(fail(&xml("<all-paths><next></next></all-paths>")).1.contains("needs an operand"));
    assert!(fail(&xml("<all-paths><integer-le/></all-paths>")).1.contains("two integer"));
    let bare = "<all-paths><until><deadlock/><deadlock/></until></all-paths>";
    assert!(fail(&xml(bare)).1.contains("one <before> and one <reach>"));
    let lost = "<all-paths><globally><reach><deadlock/></reach></globally></all-paths>";
    assert!(fail(&xml(lost)).1.contains("expected a formula inside <globally>"));
    let two =
        xml("<all-paths><true/></all-paths></formula>\n<formula><all-paths><true/></all-paths>");
    assert_eq!(fail(&two), (8, "this <property> has a second <formula>".to_owned()));
    let one = "<property><id>a</id><formula><all-paths><true/></all-paths></formula></property>\n";
    let twice = format!("<property-set>\n{one}{one}</property-set>");
    let message = "there is another property with the id \"a\"";
    assert_eq!(fail(&twice), (3, message.to_owned()));
    assert_eq!(fail("<pnml/>"), (1, "this is a net (PNML), expected a property file".into()));
    assert!(fail("<nets/>").1.contains("expected one <property-set>"));
    let all = "<all-paths><true/></all-paths>";
    let changes = [
        ("<true/>", "<true x='1'/>", "unknown attribute \"x\" of <true>"),
        ("<property>", "<property weight='1'>", "unknown attribute \"weight\" of <property>"),
        ("<true/>", "<x:true/>", "<x:true>"),
        ("<true/>", "<true xmlns='urn:x'/>", "makes this part of another vocabulary"),
        ("<true/>", "<true><deadlock/></true>", "an element inside <true>"),
        ("<true/>", "<next>not<true/></next>", "text (\"not\") inside <next>"),
        ("<id>x-00</id>", "<id>x<b/></id>", "not part of a property"),
        ("<id>x-00</id>", "<id>x<true/></id>", "an element inside <id>"),
        ("<id>", "<true/><id>", "expected <id>, <description> and <formula>"),
        ("<property>", "<true/><property>", "expected only <property>"),
        ("<property>", "x<property>", "text (\"x\") inside <property-set>"),
        ("</property-set>", "</property-set><property-set/>", "expected one <property-set>"),
        ("</property-set>", "</property-set>more", "\"more\" stands outside"),
    ];
    for (from, to, message) in changes {
        let said = fail(&xml(all).replacen(from, to, 1)).1;
        assert!(said.contains(message), "{to}: {said}");
    }
    let schema = xml(all).replace("xmlns=", "xmlns:xsi='x' xsi:schemaLocation='y' xmlns=");
    assert!(read_mcc(&schema, &mut Formulas::new(), &mut Symbols::open()).is_ok());
    let place = "<all-paths><is-fireable><transition>hand</transition></is-fireable></all-paths>";
    assert!(fail(&xml(place)).1.contains("is a place; fireable takes transitions"));
    let deep = format!("<all-paths>{}<deadlock/>", "<next>".repeat(100_000));
    assert!(fail(&xml(&deep)).1.contains("not well-formed"));
}

#[test]
fn contest_files_all_read() {
    let Some(models) = shared("mcc/models") else { return };
    let mut properties = 0;
    let mut dirs: Vec<_> = std::fs::read_dir(models).unwrap().map(|d| d.unwrap().path()).collect();
    dirs.sort();
    for dir in dirs {
        for file in ["LTLCardinality.xml", "LTLFireability.xml"] {
            let source = std::fs::read_to_string(dir.join(file)).unwrap();
            let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
            let all = read_mcc(&source, &mut fs, &mut symbols).unwrap();
            properties += all.len();
            for p in &all[..2] {
                let text = fs.print(p.query.all_runs().unwrap(), &symbols);
                assert_eq!(
                    parse(&text, &mut fs, &mut symbols).unwrap(),
                    p.query.all_runs().unwrap(),
                    "{text}"
                );
            }
        }
    }
    assert_eq!(properties, 8128);
}

/// What a run calls `Thinks[2]` may be written so in a formula; not if several are so called.
#[test]
fn names_of_coloured_places_take_colours() {
    let mut model = brine_models::philosophers_coloured(3).unfold().unwrap();
    let coloured = model.coloured.as_mut().unwrap();
    let think = coloured.places.iter().position(|p| p.id == "think").unwrap();
    coloured.places[think].name = "Thinks".to_owned();
    let mut symbols = model.symbols();
    assert_eq!(symbols.tokens("Thinks[2]"), symbols.tokens("think[2]"));
    assert_eq!(symbols.tokens("Thinks"), symbols.tokens("think"));
    assert!(symbols.tokens("Thinks[7]").is_err() && symbols.tokens("Drinks[2]").is_err());
    let coloured = model.coloured.as_mut().unwrap();
    coloured.places[(think + 1) % 2].name = "Thinks".to_owned();
    assert!(model.symbols().tokens("Thinks[2]").is_err());
}

/// Contest files list tens of thousands of places in one sum, each on a line of its own. (Looking
/// at the blanks between them again for each took seconds: quadratic.)
#[test]
fn long_sums() {
    let places: String = (0..50_000).map(|i| format!("    <place>p{i}</place>\n")).collect();
    let body = format!(
        "<all-paths><globally><integer-le><tokens-count>\n{places}</tokens-count>\
         <integer-constant>3</integer-constant></integer-le></globally></all-paths>"
    );
    let (mut fs, mut symbols) = (Formulas::new(), Symbols::open());
    let property = &read_mcc(&xml(&body), &mut fs, &mut symbols).unwrap()[0];
    let text = fs.print(property.query.all_runs().unwrap(), &symbols);
    assert!(text.starts_with("G p0 + p1 + p2 + ") && text.ends_with("p49999 <= 3"));
}
