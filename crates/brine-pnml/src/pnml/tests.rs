//! What is read, and one clear line for everything that is not.

use super::*;
use brine_net::{PlaceId, TransitionId};

const PT: &str = "http://www.pnml.org/version-2009/grammar/ptnet";

/// A document whose net has this content, which starts at 3:1.
fn document(content: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml><net id=\"n\" type=\"{PT}\">\n{content}\n</net></pnml>\n"
    )
}

fn read(content: &str) -> Result<Net, ReadError> {
    read_pnml_from(document(content).as_bytes(), "f")
}

/// Where and how reading fails.
#[track_caller]
fn assert_error(input: impl AsRef<[u8]>, expected: &str) {
    let error = read_pnml_from(input.as_ref(), "f").expect_err("must be refused").to_string();
    assert_eq!(error, expected);
    assert_eq!(error.lines().count(), 1);
}

/// Where and how reading a net with this content fails.
#[track_caller]
fn assert_net_error(content: &str, expected: &str) {
    assert_error(document(content), expected);
}

const TWO: &str = r#"<place id="p"/><transition id="t"/>"#;

#[test]
fn pages_names_markings_and_weights() {
    let net = read(
        r#"<name><text>ignored</text></name>
<page id="g1"><name><text>page</text></name>
 <arc id="a1" source="p" target="t"><inscription><text> 3 </text></inscription></arc>
 <place id="p"><name><graphics/><text>Fork &amp; <![CDATA[<knife>]]></text></name>
  <initialMarking><text>
    42</text></initialMarking></place>
 <page id="g2"><page id="g3"><transition id="t"><name><text>take</text></name></transition></page>
  <place id="q"><toolspecific tool="x" version="1"><place id="p"/></toolspecific></place></page>
</page>
<page id="g4"><arc id="a2" source="t" target="q"/><arc id="a3" source="t" target="q"/></page>"#,
    )
    .unwrap();
    assert_eq!(net.name(), "n");
    let nodes: Vec<_> = net.places().map(|p| (p.id(), p.name(), p.initial)).collect();
    assert_eq!(nodes, [("p".into(), "Fork & <knife>".into(), 42), ("q".into(), "q".into(), 0)]);
    let t = net.transition(TransitionId(0));
    assert_eq!((net.transitions().len(), &*t.id(), &*t.name()), (1, "t", "take"));
    assert_eq!((t.pre, t.post), ([(PlaceId(0), 3)].as_slice(), [(PlaceId(1), 2)].as_slice()));
}

#[test]
fn references_stand_for_their_nodes() {
    let net = read(
        r#"<page id="g"><arc id="a" source="rt" target="rrp"/><referencePlace id="rrp" ref="rp"/>
<referencePlace id="rp" ref="p"/><referenceTransition id="rt" ref="t"/></page>
<page id="h"><place id="p"/><transition id="t"/><arc id="b" source="rp" target="t"/></page>"#,
    )
    .unwrap();
    assert_eq!(net.places().len(), 1);
    assert_eq!(net.transition(TransitionId(0)).pre, [(PlaceId(0), 1)]);
    assert_eq!(net.transition(TransitionId(0)).post, [(PlaceId(0), 1)]);
}

#[test]
fn nupn_units() {
    let net = read(
        r#"<page id="g"><toolspecific tool="nupn" version="1.1"><size places="3"/>
<structure units="3" root="u0" safe="true"><unit id="u0"><places/><subunits>u1
 u2</subunits></unit><unit id="u1"><places>a b</places><subunits/></unit>
<unit id="u2"><places>c</places><subunits></subunits></unit></structure></toolspecific>
<place id="a"/><place id="b"/><place id="c"/><transition id="t"/></page>"#,
    )
    .unwrap();
    let nupn = net.nupn().unwrap();
    assert!(nupn.safe);
    assert_eq!(nupn.root, 0);
    assert_eq!(nupn.units[0].subunits, [1, 2]);
    assert_eq!(nupn.units[1].places, [PlaceId(0), PlaceId(1)]);
    assert_eq!(nupn.units[2].places, [PlaceId(2)]);
}

#[test]
fn prefixes_byte_order_mark_and_old_values() {
    let input = format!(
        "\u{feff}<pn:pnml xmlns:pn=\"x\"><pn:net id='n' type='{PT}'><pn:place id='p'>\
         <pn:initialMarking><pn:value>1</pn:value></pn:initialMarking></pn:place>\
         <pn:transition id='t'/></pn:net></pn:pnml><!-- end -->"
    );
    let net = read_pnml_from(input.as_bytes(), "f").unwrap();
    assert_eq!(net.place(PlaceId(0)).initial, 1);
}

#[test]
fn malformed_xml() {
    assert_error("", "f:1:1: the file is empty, expected an XML document");
    assert_error(" \n ", "f:2:2: the file is empty, expected an XML document");
    assert_error("hello", "f:1:1: text outside the root element, expected an XML element");
    assert_error(
        "<pnml>\n <net></page>",
        "f:2:2: <net> has no attribute type, expected type=\"...\"",
    );
    assert_error("<net/>", "f:1:1: unknown <net>, expected <pnml>");
    assert_error("<pnml></pnml>", "f:1:14: no <net> in this file, expected one");
    assert_error("<pnml><nett/></pnml>", "f:1:7: unknown <nett>, expected <net>");
    assert_net_error("<page id='g'>\n </pages>", "f:4:2: found </pages>, expected </page>");
    assert_net_error(
        "<place id=p/>",
        "f:3:11: attribute value without quotes, expected name=\"value\"",
    );
    assert_net_error("<place id/>", "f:3:10: malformed attribute, expected name=\"value\"");
    assert_net_error(
        "<place ü='' id='a' id='b'/>",
        "f:3:20: attribute is given twice, expected it once",
    );
    assert_net_error("<place id='a'>x</place>", "f:3:15: stray text, expected an element");
    let twice = document(TWO) + "<pnml/>";
    assert_error(twice, "f:5:1: <pnml> after the end of the document, expected nothing");
}

#[test]
fn truncated_files() {
    let whole = document(TWO);
    for cut in 0..whole.trim_end().len() {
        assert!(read_pnml_from(&whole.as_bytes()[..cut], "f").is_err(), "cut at {cut}");
    }
    let cut = whole.find("ition id").unwrap();
    assert_error(
        &whole[..cut],
        "f:3:16: the file ends inside this markup, expected its closing bracket",
    );
    let cut = whole.find("</net>").unwrap();
    assert_error(&whole[..cut], "f:4:1: the file ends too early, expected </net>");
}

#[test]
fn net_types() {
    let typed = |uri: &str| format!("<pnml>\n<net id='n' type='{uri}'/></pnml>");
    assert_error(
        typed("http://x.org/timed"),
        "f:2:19: unknown net type \"http://x.org/timed\", expected \
         \"http://www.pnml.org/version-2009/grammar/ptnet\" or .../symmetricnet (time is not \
         supported: without it the net has more runs)",
    );
    assert_error(
        typed("http://www.pnml.org/version-2009/grammar/symmetricnet"),
        "f:2:1: the net is empty, expected places and transitions",
    );
    assert_error(
        format!("<pnml><net id='n' type='{PT}'>{TWO}</net><net id='m' type='{PT}'/></pnml>"),
        "f:1:114: a second <net>, expected one net per file",
    );
}

#[test]
fn nodes_and_arcs() {
    assert_net_error(
        &format!("{TWO}\n<arc id='a' source='nowhere' target='t'/>"),
        "f:4:21: \"nowhere\" is not declared, expected the id of a place or transition",
    );
    assert_net_error(
        &format!("{TWO}\n<arc id='a' source='p'\n target='nowhere'/>"),
        "f:5:10: \"nowhere\" is not declared, expected the id of a place or transition",
    );
    assert_net_error(
        &format!("{TWO}<place id='q'/>\n<arc id='a' source='p' target='q'/>"),
        "f:4:32: an arc between two places, expected a transition here",
    );
    assert_net_error(
        &format!("{TWO}\n<arc id='a' source='t' target='t'/>"),
        "f:4:32: an arc between two transitions, expected a place here",
    );
    assert_net_error(
        &format!("{TWO}\n<arc id='a' target='t'/>"),
        "f:4:1: <arc> has no attribute source, expected source=\"...\"",
    );
    assert_net_error("<place/>", "f:3:1: <place> has no attribute id, expected id=\"...\"");
    assert_net_error("<place id=''/>", "f:3:12: empty id, expected a name");
    for again in ["<place id='p'/>", "<transition id='p'/>", "<place id='t'/>"] {
        let column = again.find("='").unwrap() + 3;
        let id = &again[column - 1..column];
        let expected = format!("f:4:{column}: id \"{id}\" is used twice, expected a new one");
        assert_net_error(&format!("{TWO}\n{again}"), &expected);
    }
    assert_net_error(
        &format!("{TWO}<arc id='a' source='t' target='p'/>\n<arc id='a' source='p' target='t'/>"),
        "f:4:10: id \"a\" is used twice, expected a new one",
    );
    assert_net_error(
        "<place id='p'>\n  <capacity/></place>",
        "f:4:3: unknown <capacity> in a <place> of a place/transition net, expected <name>, \
         <initialMarking>, <graphics> or <toolspecific> (capacities are not supported: add a \
         complementary place)",
    );
    assert_net_error(
        "<declaration/>",
        "f:3:1: unknown <declaration>, expected a page, place, transition or arc of a \
         place/transition net",
    );
}

#[test]
fn references_must_lead_somewhere() {
    assert_net_error(
        &format!("{TWO}\n<referencePlace id='r' ref='x'/>"),
        "f:4:29: \"x\" is not declared, expected the id of a place or transition",
    );
    assert_net_error(
        &format!("{TWO}\n<referencePlace id='r' ref='s'/>\n<referencePlace id='s' ref='r'/>"),
        "f:4:29: reference \"r\" leads back to itself, expected a place or transition",
    );
    assert_net_error(
        &format!("{TWO}\n<referencePlace id='r' ref='t'/>"),
        "f:4:29: \"t\" is of another kind, expected a place or transition as the arc or \
         reference needs",
    );
}

#[test]
fn numbers() {
    let marking = |text: &str| {
        format!(
            "<transition id='t'/><place id='p'>\n<initialMarking><text>{text}</text></initialMarking></place>"
        )
    };
    let weight = |text: &str| {
        format!(
            "{TWO}<arc id='a' source='p' target='t'>\n<inscription><text>{text}</text></inscription></arc>"
        )
    };
    assert_eq!(read(&marking("4294967295")).unwrap().place(PlaceId(0)).initial, u32::MAX);
    assert_eq!(read(&marking("007")).unwrap().place(PlaceId(0)).initial, 7);
    assert_eq!(read(&weight("4294967295")).unwrap().transition(TransitionId(0)).pre[0].1, u32::MAX);
    for (text, problem) in [
        ("-1", "is negative"),
        ("4294967296", "is too large"),
        ("99999999999999999999999999", "is too large"),
        ("two", "is not a number"),
        ("+2", "is not a number"),
        ("1.5", "is not a number"),
        ("1 1", "is not a number"),
        ("-", "is not a number"),
    ] {
        let line = format!("marking \"{text}\" {problem}, expected a number from 0 to 4294967295");
        assert_net_error(&marking(text), &format!("f:4:23: {line}"));
        assert_net_error(&marking(&format!("\n  {text}")), &format!("f:5:3: {line}"));
        let line = format!("weight \"{text}\" {problem}, expected a number from 1 to 4294967295");
        assert_net_error(&weight(text), &format!("f:4:20: {line}"));
    }
    assert_net_error(
        &weight("0"),
        "f:4:20: weight \"0\" is zero, expected a number from 1 to 4294967295",
    );
    assert_net_error(
        &marking(""),
        "f:4:23: marking \"\" is missing, expected a number from 0 to 4294967295",
    );
    let heavy = "<inscription><text>4294967295</text></inscription>";
    assert_net_error(
        &format!(
            "{TWO}<arc id='a' source='p' target='t'>{heavy}</arc>\
             <arc id='b' source='p' target='t'>{heavy}</arc>"
        ),
        "f:2:7: the arc weights of \"t\" add up to more than 4294967295",
    );
}

/// Of two labels that say different things, neither is taken.
#[test]
fn labels_that_come_twice() {
    assert_net_error(
        "<place id='p'><name><text>a</text></name>\n<name><text>b</text></name></place>",
        "f:4:1: a second <name>, expected at most one",
    );
    let changed = |file: &str, from: &str, to: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/dialects/");
        let text = std::fs::read_to_string(format!("{folder}{file}")).expect("a file of ours");
        let text = text.replacen(from, to, 1);
        read_pnml_from(text.as_bytes(), "f").expect_err(to).to_string()
    };
    let twice = "<timed><value>false</value></timed><timed>";
    assert!(changed("pipe-timed.pnml", "<timed>", twice).contains("expected it only once"));
    let again = "<constant name=\"N\" value=\"1\"/><constant name=\"N\" value=\"3\"/><net ";
    let message = changed("tapaal-old.tapn", "<net ", again);
    assert!(message.contains("a second constant \"N\""), "{message}");
    let number = changed("tapaal-old.tapn", "<net ", "<constant name=\"2\" value=\"1\"/><net ");
    assert!(number.contains("a constant called \"2\", expected a name"), "{number}");
}

#[test]
fn empty_nets() {
    assert_net_error("<page id='g'/>", "f:2:7: the net is empty, expected places and transitions");
    assert_net_error(
        "<place id='p'/>",
        "f:2:7: the net has no transitions, so nothing can ever happen in it, expected at least \
         one transition",
    );
}

#[test]
fn files_that_are_none() {
    let directory = std::env::temp_dir();
    let error = read_pnml(&directory).unwrap_err();
    let name = directory.display();
    assert_eq!(error.to_string(), format!("{name}: is a directory, expected a PNML file"));
    let error = read_pnml("/nowhere/at/all.pnml".as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "/nowhere/at/all.pnml: no such file, expected a PNML file");
}

#[test]
fn deep_nesting() {
    // <pnml> and <net> are two levels.
    let pages = |n: usize| "<page id='g'>".repeat(n) + TWO + &"</page>".repeat(n);
    assert!(read(&pages(crate::xml::MAX_DEPTH - 3)).is_ok());
    let column = 13 * (crate::xml::MAX_DEPTH - 2) + 1;
    assert_net_error(
        &pages(1_000_000),
        &format!(
            "f:3:{column}: elements are nested more than 1024 deep, expected a flatter document"
        ),
    );
}

#[test]
fn entities() {
    let laughs = r#"<?xml version="1.0"?>
<!DOCTYPE pnml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<pnml>&b;</pnml>"#;
    assert_error(
        laughs,
        "f:2:1: document type declarations are not read (they can define entities that explode, \
         and default values of attributes), expected one without [...] or none",
    );
    assert_net_error(
        "<place id='p'><name><text>&b;</text></name></place>",
        "f:3:27: unknown entity &b;, expected one of &lt; &gt; &amp; &quot; &apos; or &#...;",
    );
    assert_net_error(
        "<place id='a&b;'/>",
        "f:3:12: unknown entity &b;, expected one of &lt; &gt; &amp; &quot; &apos; or &#...;",
    );
    assert_net_error(
        "<place id='p'><name><text>a & b</text></name></place>",
        "f:3:29: reference is not closed, expected &name; (write &amp; for a plain &)",
    );
    assert_net_error(
        "<place id='p'><name><text>&#xFFFFFF;</text></name></place>",
        "f:3:27: &#xFFFFFF; is no character, expected a Unicode character",
    );
    assert_eq!(
        read("<place id='&lt;&#228;'/><transition id='t'/>").unwrap().place(PlaceId(0)).id(),
        "<ä"
    );
}

#[test]
fn bytes_that_are_not_utf8() {
    let mut bytes = document("<place id='ä");
    bytes.truncate(bytes.find('ä').unwrap());
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice("ä\u{20AC}".as_bytes());
    bytes.extend_from_slice(b"\xE4'/></net></pnml>");
    let message = "byte that is not UTF-8, expected text in UTF-8";
    assert_error(&bytes, &format!("f:3:14: {message}"));
    assert_error(b"\xFE\xFE\x00<\x00p", &format!("f:1:1: {message}"));
    // A character cut off by the end of the file.
    assert_error(b"<pnml>\n\xE2\x82", &format!("f:2:1: {message}"));
}

/// A stream that hands out one byte at a time.
struct Drip<'a>(&'a [u8]);

impl std::io::Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.len().min(out.len()).min(1);
        out[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

#[test]
fn the_size_of_reads_does_not_matter() {
    let content = "<place id='ä€'/>\n<transition id='t'/>\n<arc id='1' source='ä€' target='x'/>";
    let input = format!("\u{feff}{}", document(content));
    let error = read_pnml_from(Drip(input.as_bytes()), "f").unwrap_err();
    assert_eq!(
        error.to_string(),
        "f:5:33: \"x\" is not declared, expected the id of a place or transition"
    );
    assert_eq!(read_pnml_from(input.as_bytes(), "f").unwrap_err(), error);
}

#[test]
fn wrong_units() {
    let nupn = |structure: &str| {
        format!("{TWO}<toolspecific tool='nupn' version='1.1'>\n{structure}</toolspecific>")
    };
    assert_net_error(&nupn(""), "f:4:16: NUPN part without <structure>, expected one");
    assert_net_error(
        &nupn("<structure safe='perhaps'/>"),
        "f:4:18: malformed safe, expected true or false",
    );
    assert_net_error(
        &nupn("<structure safe='true'/>"),
        "f:4:1: <structure> has no attribute root, expected one",
    );
    assert_net_error(
        &nupn("<structure root='u'/>"),
        "f:4:18: root unit \"u\" is not declared, expected a unit",
    );
    assert_net_error(
        &nupn("<structure root='u'><unit id='u'><places>\n p x</places></unit></structure>"),
        "f:5:2: unit \"u\" names \"x\", expected the id of a place",
    );
    assert_net_error(
        &nupn("<structure root='u'><unit id='u'><subunits>v</subunits></unit></structure>"),
        "f:4:44: subunit \"v\" is not declared, expected a unit",
    );
    assert_net_error(
        &nupn("<structure root='u'><unit id='u'/><unit id='u'/></structure>"),
        "f:4:45: unit \"u\" is declared twice, expected a new id",
    );
}

#[test]
fn every_contest_model_is_read() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/mcc/models");
    let Ok(directory) = std::fs::read_dir(models) else {
        println!("skipped: no contest models at {models}");
        return;
    };
    for entry in directory {
        let path = entry.unwrap().path().join("model.pnml");
        let model = read_model(&path, &UnfoldLimits::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(model.coloured.is_some(), path.to_string_lossy().contains("-COL-"));
    }
}

#[test]
fn messages_stay_on_one_line() {
    assert_net_error("<place id='p'>\n</pl\nace>", "f:4:1: found </pl ace>, expected </place>");
    let long = format!("{TWO}<arc id='a' source='{}' target='t'/>", "x".repeat(5000));
    let message = read(&long).expect_err("unknown source").to_string();
    assert!(message.len() < 500 && message.ends_with("..."), "{message}");
}

/// Cuts, doubles, swaps and overwrites pieces of a document.
fn mutate(bytes: &mut Vec<u8>, rng: &mut brine_net::Rng) {
    for _ in 0..=rng.below(3) {
        let length = bytes.len() as u32;
        let from = rng.below(length) as usize;
        let to = (from + rng.below(30) as usize).min(bytes.len());
        let piece = bytes[from..to].to_vec();
        match rng.below(4) {
            0 => drop(bytes.drain(from..to)),
            1 => drop(bytes.splice(from..from, piece)),
            2 => {
                let elsewhere = rng.below(length) as usize;
                bytes.splice(elsewhere..elsewhere, piece);
            }
            _ => {
                let alphabet = b"<>/&;\"'= \n0-9p\xE4!?[]";
                bytes[from] = alphabet[rng.below(alphabet.len() as u32) as usize];
            }
        }
        if bytes.is_empty() {
            return;
        }
    }
}

#[test]
fn damaged_files_never_panic() {
    let mut original = Vec::new();
    write_pnml(&brine_models::fork_join(2), &mut original).expect("memory");
    let cases = std::env::var("BRINE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut refused = 0;
    for seed in 0..cases {
        let mut bytes = original.clone();
        mutate(&mut bytes, &mut brine_net::Rng::new(seed));
        if let Err(error) = read_pnml_from(bytes.as_slice(), "f") {
            assert_eq!(error.to_string().lines().count(), 1, "seed {seed}: {error}");
            let ReadError::Invalid { at, .. } = error else { continue };
            let lines = bytes.iter().filter(|&&b| b == b'\n').count() as u32 + 1;
            assert!(at.line <= lines, "seed {seed}");
            refused += 1;
        }
    }
    assert!(refused > cases / 2);
}

#[test]
fn attributes_that_carry_meaning() {
    let arc = |attributes: &str| format!("{TWO}\n<arc id='a' source='p' target='t' {attributes}/>");
    assert!(read(&arc("type='normal'")).is_ok());
    for (kind, feature) in [
        ("inhibitor", "inhibitor arcs are not supported"),
        ("reset", "reset arcs are not supported"),
        ("test", "read arcs are not supported"),
        ("read", "read arcs are not supported"),
    ] {
        let error = read(&arc(&format!("type='{kind}'"))).expect_err(kind).to_string();
        let expected = format!(
            "f:4:41: an arc of type \"{kind}\" in a place/transition net, expected a normal one ({feature}"
        );
        assert!(error.starts_with(&expected), "{error}");
    }
    let error = read(&arc("weight='5'")).expect_err("a weight").to_string();
    let expected = "f:4:35: unknown attribute weight=\"5\" of <arc>, expected only id, source, \
                    target and type (in this kind of net, the weight of an arc is written";
    assert!(error.starts_with(expected), "{error}");
    for node in [
        "<place id='q' capacity='1'/>",
        "<place id='q' initialMarking='1'/>",
        "<transition id='u' priority='2'/>",
        "<page id='g' weight='1'/>",
        "<referencePlace id='r' ref='p' capacity='1'/>",
        "<place id='q'><name weight='1'/></place>",
        "<place id='q'><initialMarking colour='1'><text>1</text></initialMarking></place>",
        "<place id='q'><initialMarking><text unit='k'>1</text></initialMarking></place>",
        "<place id='q'><initialMarking><text>1</text><text>2</text></initialMarking></place>",
        "<place id='q'><initialMarking><text>1</text><colour/></initialMarking></place>",
        "<place id='q'><initialMarking><text>1<b/></text></initialMarking></place>",
        "<referencePlace id='r' ref='p'><capacity/></referencePlace>",
    ] {
        let error = read(&format!("{TWO}\n{node}")).expect_err(node).to_string();
        assert!(error.starts_with("f:4:"), "{node}: {error}");
    }
}

#[test]
fn elements_of_another_vocabulary_are_not_ours() {
    for (content, expected) in [
        ("<x:arc id='a' source='p' target='t'/>", "f:4:1: unknown <x:arc>"),
        ("<x:place id='q'/>", "f:4:1: unknown <x:place>"),
        ("<place id='q'><x:initialMarking/></place>", "f:4:15: unknown <x:initialMarking>"),
        ("<x:toolspecific tool='y'/>", "f:4:1: unknown <x:toolspecific>"),
    ] {
        let error = read(&format!("{TWO}\n{content}")).expect_err(content).to_string();
        assert!(error.starts_with(expected), "{content}: {error}");
    }
    // Inside of what is skipped, any vocabulary goes.
    let part = "<place id='q'><toolspecific tool='y' version='1'><x:arc/></toolspecific></place>";
    assert!(read(&format!("{TWO}{part}")).is_ok());
    // Without a prefix, but in another default namespace; PNML's own may be said again.
    let arc = |namespace: &str| {
        read(&format!("{TWO}\n<arc id='a' source='p' target='t' xmlns='{namespace}'/>"))
    };
    let error = arc("urn:sketch").expect_err("another namespace").to_string();
    assert!(
        error.starts_with("f:4:35: xmlns=\"urn:sketch\" makes this part of another vocabulary"),
        "{error}"
    );
    assert!(arc("http://www.pnml.org/version-2009/grammar/pnml").is_ok());
}

#[test]
fn elements_without_the_prefix_of_the_root_are_not_ours() {
    let net = |own: &str, arc: &str| {
        format!(
            "<p:pnml xmlns:p='http://www.pnml.org/version-2009/grammar/pnml'{own}>\
             <p:net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'>\
             <p:page id='g'><p:place id='p'/><p:transition id='t'/>\n\
             <{arc} id='a' source='p' target='t'/></p:page></p:net></p:pnml>"
        )
    };
    let read = |own: &str, arc: &str| {
        let limits = UnfoldLimits::default();
        read_model_from(net(own, arc).as_bytes(), "f", &limits).map_err(|e| e.to_string())
    };
    assert!(read("", "p:arc").is_ok());
    let error = read("", "arc").expect_err("no prefix");
    assert_eq!(error, "f:2:1: <arc> is not of the root's vocabulary, expected <p:arc>");
    // The default namespace may be the same one.
    let same = " xmlns='http://www.pnml.org/version-2009/grammar/pnml'";
    assert!(read(same, "arc").is_ok() && read(same, "p:arc").is_ok());
}

#[test]
fn labels_that_say_nothing() {
    let missing = |label: &str| {
        format!("f:4:15: <{label}> without a <text>, expected one (or leave <{label}> out)")
    };
    for label in ["<initialMarking/>", "<initialMarking><graphics/></initialMarking>"] {
        let error = read(&format!("{TWO}\n<place id='q'>{label}</place>")).expect_err(label);
        assert_eq!(error.to_string(), missing("initialMarking"));
    }
    for label in ["inscription", "type", "arctype"] {
        let arc = format!("{TWO}\n<arc id='a'   source='p' target='t'><{label}/></arc>");
        let error = read(&arc).expect_err(label).to_string();
        assert!(error.starts_with("f:4:37: <") && error.contains("without a <text>"), "{error}");
    }
    assert!(
        read(&format!("{TWO}<arc id='a' source='p' target='t'><type value='normal'/></arc>"))
            .is_ok()
    );
    let reference = "<referencePlace id='r' ref='p'><initialMarking/></referencePlace>";
    assert_error(
        document(&format!("{TWO}\n{reference}")),
        "f:4:32: unknown <initialMarking> in a label, expected <name>, <graphics> or \
         <toolspecific>",
    );
}

#[test]
fn parts_of_tools_that_mention_features() {
    let read = |part: &str| {
        let content = format!(
            "<transition id='t'/>\n<place id='p'><toolspecific tool='x' version='1'>{part}\
             </toolspecific></place>\n<place id='q'><name><toolspecific tool='x'>{part}\
             </toolspecific></name></place>"
        );
        let model = read_model_from(document(&content).as_bytes(), "f", &UnfoldLimits::default());
        model.expect("valid").warnings
    };
    assert_eq!(read("<colour>red</colour>"), Vec::<String>::new());
    for part in ["<Capacity/>", "<a b='capacity'/>", "<a><b>the capacity: 5</b></a>"] {
        let expected = "f:4:15: warning: a <toolspecific> of x mentions \"capacity\", and 1 more \
                        like it; such parts are not read, so x may see another net than Brine";
        assert_eq!(read(part), [expected]);
    }
    // Any word of a stem counts.
    for (part, word) in [
        ("<prioritised>1</prioritised>", "priority"),
        ("<a kind='Inhibiting'/>", "inhibitor"),
        ("<resetArcs/>", "reset"),
        ("<place capacities='3'/>", "capacity"),
        ("<guards/>", "guard"),
        ("<delayed/>", "delay"),
    ] {
        let warnings = read(part);
        assert!(warnings[0].contains(&format!("mentions \"{word}\"")), "{warnings:?}");
    }
}

#[test]
fn a_grammar_may_be_named() {
    let named = document(TWO).replace("<pnml>", "<!DOCTYPE pnml SYSTEM 'x.dtd'>\n<pnml>");
    assert!(read_pnml_from(named.as_bytes(), "f").is_ok());
    let late = document(&format!("{TWO}<!DOCTYPE pnml>"));
    assert_error(
        late,
        "f:3:36: a document type declaration here, expected at most one, before the root element",
    );
}
