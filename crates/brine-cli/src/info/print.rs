//! The report of `brine info` as text.

use super::{BoundReport, ColouredReport, InfoLists, NetReport, NupnReport};
use std::io::Write;

pub(super) fn print_human(r: &NetReport, out: &mut impl Write) -> std::io::Result<()> {
    let Some(size) = &r.size else {
        if let Some(coloured) = &r.coloured {
            writeln!(out, "{}: coloured net, too large to unfold", r.model)?;
            return print_coloured(coloured, out);
        }
        return writeln!(out, "{}: unknown ({})", r.model, r.reason.unwrap_or("stopped"));
    };
    writeln!(
        out,
        "{}: {} net, {} places, {} transitions, {} arcs (largest weight {})",
        r.model, size.kind, size.places, size.transitions, size.arcs, size.max_weight
    )?;
    if let Some(coloured) = &r.coloured {
        print_coloured(coloured, out)?;
    }
    let (tokens, marked) = (size.initial_tokens, size.marked_places as u64);
    writeln!(out, "  start        {} in {}", many(tokens, "token"), many(marked, "place"))?;
    match &r.nupn {
        // Nobody looked at it.
        None if r.lists.is_none() => {}
        None => writeln!(out, "  NUPN         none")?,
        Some(nupn) => print_nupn(nupn, out)?,
    }
    print_invariants(r, out)?;
    if let Some(bounds) = &r.bounds {
        print_bounds(bounds, size.places, out)?;
    }
    if let Some(units) = &r.units {
        writeln!(
            out,
            "  units        {} proved groups with {} of {} places, from {} (largest {})",
            units.groups, units.places, size.places, units.source, units.largest
        )?;
    }
    if let Some([first, others @ ..]) = r.orders.as_deref() {
        let others: Vec<&str> = others.iter().map(|o| o.order.as_str()).collect();
        writeln!(
            out,
            "  order        {} ({} levels) first, then {}",
            first.order,
            first.levels,
            others.join(", ")
        )?;
    }
    if let Some(lists) = &r.lists {
        print_lists(lists, out)?;
    }
    for equation in r.semiflows.iter().filter_map(|s| s.list.as_ref()).flatten() {
        writeln!(out, "  invariant    {equation}")?;
    }
    r.matrix.iter().try_for_each(|matrix| matrix.print(out))?;
    r.audit.iter().try_for_each(|audit| audit.print(out))?;
    match r.reason {
        Some(reason) => writeln!(out, "  the rest     unknown ({reason})"),
        None => Ok(()),
    }
}

fn print_invariants(r: &NetReport, out: &mut impl Write) -> std::io::Result<()> {
    let Some(semiflows) = &r.semiflows else { return Ok(()) };
    let completeness = if semiflows.complete { "all minimal ones" } else { "there may be more" };
    let falling = match semiflows.falling {
        0 => String::new(),
        n => format!("; {n} may fall"),
    };
    let flows = r.flows.as_ref().map_or_else(String::new, |flows| {
        let kind = if flows.complete { "a basis" } else { "part of a basis" };
        format!(", {} P-flows ({kind})", flows.count)
    });
    let count = semiflows.count;
    writeln!(out, "  invariants   {count} P-semiflows ({completeness}{falling}){flows}")
}

fn print_lists(lists: &InfoLists, out: &mut impl Write) -> std::io::Result<()> {
    print_names("constant", "places that never change", &lists.constant_places, out)?;
    print_names("isolated", "places without arcs", &lists.isolated_places, out)?;
    print_names("dead", "transitions that can never fire", &lists.dead_transitions, out)?;
    print_names("source", "transitions without input", &lists.source_transitions, out)?;
    print_names("sink", "transitions without output", &lists.sink_transitions, out)?;
    print_names("neutral", "transitions that change nothing", &lists.neutral_transitions, out)
}

/// A count with its noun.
pub(super) fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn print_coloured(c: &ColouredReport, out: &mut impl Write) -> std::io::Result<()> {
    let (p, t, a) = (c.places, c.transitions, c.arcs);
    writeln!(out, "  coloured     {p} places, {t} transitions, {a} arcs")?;
    if let Some(sizes) = &c.sizes {
        let (counted, exact) = (sizes.skeleton_places, sizes.skeleton_exact);
        writeln!(
            out,
            "  skeleton     counts {counted} of the places; {exact} of the transitions are exact"
        )?;
        if let (Some(p), Some(t)) = (sizes.merged_places, sizes.merged_transitions) {
            writeln!(
                out,
                "  merged       {p} places, {t} transitions, colours that behave alike as one"
            )?;
        }
    }
    if c.idle_tokens > 0 {
        let tokens = many(c.idle_tokens, "token");
        writeln!(out, "               {tokens} that no transition moves left out")?;
    }
    print_names("no binding", "coloured transitions that can never fire", &c.dead_transitions, out)
}

fn print_nupn(nupn: &NupnReport, out: &mut impl Write) -> std::io::Result<()> {
    let claim = if nupn.claimed_safe { "claims" } else { "does not claim" };
    let detail = nupn.detail.as_ref().map_or_else(String::new, |d| format!(" ({d})"));
    let (units, safety, proved) = (nupn.units, nupn.safety, nupn.proved_units);
    writeln!(out, "  NUPN         {units} units, {claim} unit-safety: {safety}{detail}")?;
    if safety == "not proved" {
        writeln!(out, "               {proved} units proved one by one; the claim is not used")?;
    }
    Ok(())
}

fn print_bounds(r: &BoundReport, places: usize, out: &mut impl Write) -> std::io::Result<()> {
    let text = match (&r.unbounded_by, r.max) {
        (Some(t), _) => format!("unbounded: {t} can fire for ever and only adds tokens"),
        (None, Some(_)) if r.safe => "every place holds at most one token".to_owned(),
        (None, Some(max)) => format!("every place is bounded, by at most {max}"),
        (None, None) => format!("{} of {places} places bounded", r.bounded_places),
    };
    writeln!(out, "  bounds       {text}")
}

/// One line for a list of names, the first few written out; none for an empty list.
fn print_names(
    label: &str,
    what: &str,
    names: &[String],
    out: &mut impl Write,
) -> std::io::Result<()> {
    const SHOWN: usize = 6;
    if names.is_empty() {
        return Ok(());
    }
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    writeln!(out, "  {label:12} {} {what}: {shown}{more}", names.len())
}
