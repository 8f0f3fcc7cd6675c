//! What `brine analyse` tells, for people.

use super::AnalysisReport;
use brine_check::analysis::PlaceTokens;

/// Places and steps that are shown without `--full`.
const SHOWN: usize = 12;

pub(super) fn print_human(r: &AnalysisReport) {
    let kind = if r.analysis.coloured { " (coloured)" } else { "" };
    let markings = r.analysis.markings.as_ref().map_or_else(
        || "reachable markings not counted".to_owned(),
        |count| format!("{count} reachable markings"),
    );
    println!(
        "{}{kind}: {} places, {} transitions, {markings}",
        r.analysis.model, r.analysis.places, r.analysis.transitions
    );
    line("deadlock", &deadlock(r));
    line("bounded", &bounded(r));
    line("one-safe", &answer(r.analysis.one_safe, ""));
    line("constant places", &names(r.analysis.constant_places.as_ref(), r.full));
    line("dead transitions", &names(r.analysis.dead_transitions.as_ref(), r.full));
    line("live", &live(r));
    line(
        "reversible",
        &answer(r.analysis.reversible, "the initial marking can always be reached again"),
    );
    line("home marking", &home(r));
    workflow(r);
    bounds(r);
    for unit in r.analysis.units.iter().filter(|_| r.full) {
        let most = unit.most.map_or_else(|| "?".to_owned(), |most| most.to_string());
        line("together", &format!("at most {most} in {}", unit.places.join(" + ")));
    }
    if let Some(reason) = r.analysis.reason {
        line("the rest", &format!("unknown ({reason})"));
    }
    println!("  {:.3} s, {:.0} MiB", r.time_s, r.peak_mem_mib.unwrap_or(0.0));
}

fn line(what: &str, text: &str) {
    println!("  {what:17} {text}");
}

fn answer(value: Option<bool>, because: &str) -> String {
    match value {
        Some(true) if !because.is_empty() => format!("yes: {because}"),
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => "unknown".to_owned(),
    }
}

/// Some of a list, or all of it.
fn some(list: &[String], full: bool) -> String {
    let shown = if full { list.len() } else { list.len().min(SHOWN) };
    let rest = list.len() - shown;
    let more = if rest > 0 { format!(" ({rest} more; --full)") } else { String::new() };
    list[..shown].join(", ") + &more
}

fn names(list: Option<&Vec<String>>, full: bool) -> String {
    match list {
        None => "unknown".to_owned(),
        Some(list) if list.is_empty() => "none".to_owned(),
        Some(list) => some(list, full),
    }
}

fn run(steps: &[String], full: bool) -> String {
    match steps.len() {
        0 => "at once".to_owned(),
        1 => format!("after 1 step: {}", steps[0]),
        n => format!("after {n} steps: {}", some(steps, full)),
    }
}

fn deadlock(r: &AnalysisReport) -> String {
    match (r.analysis.deadlock, &r.analysis.deadlock_run) {
        (Some(true), Some(steps)) => format!("yes, {}", run(steps, r.full)),
        (Some(true), None) => "yes".to_owned(),
        (Some(false), _) => match &r.analysis.deadlock_because {
            Some(because) => format!("no: {because}"),
            None => "no".to_owned(),
        },
        (None, _) => "unknown".to_owned(),
    }
}

fn bounded(r: &AnalysisReport) -> String {
    match (r.analysis.bounded, &r.analysis.growing_run) {
        (Some(false), Some(growing)) => {
            let before = match growing.prefix.len() {
                0 => String::new(),
                _ => format!("{}, then ", run(&growing.prefix, r.full)),
            };
            format!("no: {before}{} again and again", some(&growing.cycle, r.full))
        }
        (Some(true), _) => {
            let most = r
                .analysis
                .max_token_in_place
                .or_else(|| r.analysis.bounds.iter().filter_map(|p| p.bound).max());
            format!("yes: no place ever holds more than {}", most.unwrap_or(0))
        }
        _ => "unknown".to_owned(),
    }
}

fn live(r: &AnalysisReport) -> String {
    match (r.analysis.live, &r.analysis.not_live) {
        (Some(true), _) => "yes: every transition can always become enabled again".to_owned(),
        (Some(false), _) if r.analysis.deadlock == Some(true) => {
            "no: there is a deadlock".to_owned()
        }
        (Some(false), Some(list)) => format!("no: can be lost for ever: {}", some(list, r.full)),
        (Some(false), None) => "no".to_owned(),
        (None, _) => "unknown".to_owned(),
    }
}

fn home(r: &AnalysisReport) -> String {
    match (r.analysis.has_home_marking, r.analysis.reversible, &r.analysis.home_marking) {
        (Some(true), Some(true), _) => "the initial one".to_owned(),
        (Some(true), _, Some(marking)) => {
            let tokens = |(place, n): (&String, &u64)| match n {
                1 => place.clone(),
                n => format!("{n} {place}"),
            };
            let tokens: Vec<String> = marking.iter().map(tokens).collect();
            match tokens.is_empty() {
                true => "the empty one".to_owned(),
                false => some(&tokens, r.full),
            }
        }
        (Some(false), ..) => "none: runs can end up apart from each other".to_owned(),
        _ => "unknown".to_owned(),
    }
}

fn workflow(r: &AnalysisReport) {
    let Some(w) = &r.analysis.workflow else { return };
    if let Some(because) = &w.because {
        return line("workflow net", &format!("no: {because}"));
    }
    let (start, end) = (w.start.as_deref().unwrap_or("?"), w.end.as_deref().unwrap_or("?"));
    line("workflow net", &format!("yes, from {start} to {end}"));
    let what = match (w.sound, w.violations.is_empty()) {
        (Some(true), _) => {
            "yes: it can always end, with nothing left, and every transition can fire".to_owned()
        }
        (_, false) => format!("no: {}", some(&w.violations, r.full)),
        _ => "unknown".to_owned(),
    };
    line("sound", &what);
    if let Some(steps) = &w.run {
        line("", &format!("as {}", run(steps, r.full)));
    }
}

fn bounds(r: &AnalysisReport) {
    let shown = if r.full { r.analysis.bounds.len() } else { r.analysis.bounds.len().min(SHOWN) };
    if shown == 0 {
        return;
    }
    let wide = r.analysis.bounds[..shown]
        .iter()
        .map(|p| p.place.chars().count())
        .max()
        .unwrap_or(0)
        .max(5);
    println!("  {:wide$}  tokens  because", "place");
    for place in &r.analysis.bounds[..shown] {
        let because = place.because.clone().unwrap_or_default();
        println!("  {:wide$}  {:6}  {because}", place.place, tokens(place));
    }
    if shown < r.analysis.bounds.len() {
        println!("  ({} more places; --full)", r.analysis.bounds.len() - shown);
    }
}

/// From the least to the most; `?` where that is only what was seen.
fn tokens(place: &PlaceTokens) -> String {
    let PlaceTokens { least, most, bound, unbounded, .. } = place;
    match bound {
        _ if *unbounded => format!("{least}..inf"),
        Some(bound) if bound == most && least == most => format!("{most}"),
        Some(bound) => format!("{least}..{bound}"),
        None => format!("{least}..{most}?"),
    }
}
