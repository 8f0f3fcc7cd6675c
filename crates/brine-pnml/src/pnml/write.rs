//! PNML out: one page, places, transitions, arcs, and the NUPN part if there is one.

use std::io::{self, Write};

use quick_xml::escape::escape;

use brine_net::{Net, Nupn, PlaceId};

/// Writes a net as PNML. Reading it back gives an equal net.
///
/// ```
/// use brine_models::fork_join;
/// use brine_pnml::{read_pnml_from, write_pnml};
/// let net = fork_join(2);
/// let mut bytes = Vec::new();
/// write_pnml(&net, &mut bytes).unwrap();
/// assert_eq!(read_pnml_from(bytes.as_slice(), "net").unwrap(), net);
/// ```
pub fn write_pnml(net: &Net, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">")?;
    let net_type = "http://www.pnml.org/version-2009/grammar/ptnet";
    writeln!(out, "<net id=\"{}\" type=\"{net_type}\">", escape(net.name()))?;
    writeln!(out, "<name><text>{}</text></name>", escape(net.name()))?;
    writeln!(out, "<page id=\"page\">")?;
    for place in net.places() {
        write!(out, "<place id=\"{}\">", escape(place.id()))?;
        write!(out, "<name><text>{}</text></name>", escape(place.name()))?;
        if place.initial > 0 {
            write!(out, "<initialMarking><text>{}</text></initialMarking>", place.initial)?;
        }
        writeln!(out, "</place>")?;
    }
    for t in net.transitions() {
        let (id, name) = (escape(t.id()), escape(t.name()));
        writeln!(out, "<transition id=\"{id}\"><name><text>{name}</text></name></transition>")?;
    }
    write_arcs(net, out)?;
    if let Some(nupn) = net.nupn() {
        write_nupn(net, nupn, out)?;
    }
    writeln!(out, "</page>\n</net>\n</pnml>")
}

fn write_arcs(net: &Net, out: &mut impl Write) -> io::Result<()> {
    let mut ids = ArcIds::new(net);
    for t in net.transitions() {
        for &(p, weight) in t.pre {
            write_arc(out, &ids.next(), &net.place(p).id(), &t.id(), weight)?;
        }
        for &(p, weight) in t.post {
            write_arc(out, &ids.next(), &t.id(), &net.place(p).id(), weight)?;
        }
    }
    Ok(())
}

/// Numbers arcs `a0`, `a1`, ... with a prefix that starts no other id.
struct ArcIds {
    prefix: String,
    next: usize,
}

impl ArcIds {
    fn new(net: &Net) -> Self {
        let mut prefix = "a".to_owned();
        let places = net.places().map(|p| p.id());
        let ids = || places.clone().chain(net.transitions().map(|t| t.id()));
        let clashes = |id: &str, prefix: &str| {
            id.strip_prefix(prefix).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        };
        while ids().any(|id| clashes(&id, &prefix)) {
            prefix.push('_');
        }
        ArcIds { prefix, next: 0 }
    }

    fn next(&mut self) -> String {
        self.next += 1;
        format!("{}{}", self.prefix, self.next - 1)
    }
}

fn write_arc(
    out: &mut impl Write,
    id: &str,
    source: &str,
    target: &str,
    weight: u32,
) -> io::Result<()> {
    let (source, target) = (escape(source), escape(target));
    write!(out, "<arc id=\"{id}\" source=\"{source}\" target=\"{target}\"")?;
    if weight == 1 {
        writeln!(out, "/>")
    } else {
        writeln!(out, "><inscription><text>{weight}</text></inscription></arc>")
    }
}

fn write_nupn(net: &Net, nupn: &Nupn, out: &mut impl Write) -> io::Result<()> {
    let arcs = net.arcs();
    writeln!(out, "<toolspecific tool=\"nupn\" version=\"1.1\">")?;
    writeln!(
        out,
        "<size places=\"{}\" transitions=\"{}\" arcs=\"{arcs}\"/>",
        net.places().len(),
        net.transitions().len()
    )?;
    let unit_id = |u: usize| escape(&nupn.units[u].id);
    let (count, root) = (nupn.units.len(), unit_id(nupn.root));
    writeln!(out, "<structure units=\"{count}\" root=\"{root}\" safe=\"{}\">", nupn.safe)?;
    for unit in &nupn.units {
        write!(out, "<unit id=\"{}\"><places>", escape(&unit.id))?;
        write_list(out, unit.places.iter().map(|&p: &PlaceId| escape(net.place(p).id())))?;
        write!(out, "</places><subunits>")?;
        write_list(out, unit.subunits.iter().map(|&u| unit_id(u)))?;
        writeln!(out, "</subunits></unit>")?;
    }
    writeln!(out, "</structure>\n</toolspecific>")
}

fn write_list(
    out: &mut impl Write,
    items: impl Iterator<Item = impl std::fmt::Display>,
) -> io::Result<()> {
    for (i, item) in items.enumerate() {
        let gap = if i == 0 { "" } else { " " };
        write!(out, "{gap}{item}")?;
    }
    Ok(())
}
