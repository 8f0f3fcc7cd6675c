//! SE05 Table 1 in kind: six emptiness checks on leader election, same successor order.
//!
//! Writes `docs/experiments/se05.md`: the three parts of the table and, computed from the
//! figures, whether each of the paper's observations holds here.

use anyhow::{Context, anyhow};
use brine_explicit::graph::SearchStats;
use brine_explicit::setup::place_bounds;
use brine_explicit::{Checker, Control, Emptiness, SearchOptions};
use brine_ltl::{Automaton, Class, Formulas, Symbols, parse};
use brine_models::leader_ring;
use brine_net::{Net, Structure};
use std::fmt::Write;
use std::path::Path;

const NODES: u32 = 9;

/// Properties, with N for the number of the node that wins first and M for another one.
const PROPERTIES: [(&str, &str); 12] = [
    ("A", "G (leaderN = 1 -> F idleN = 1)"),
    ("B", "F G announcedN = 0"),
    ("C", "G (leaderN + leaderM <= 1)"),
    ("D", "G F leaderN = 1"),
    ("E", "G announcedN = 0"),
    ("F", "G (activeM = 1 -> F (idleM = 1 | leaderM = 1))"),
    ("G", "F G (leaderM = 0 | passiveN = 1)"),
    ("H", "G F leaderN = 1 -> G F activeM = 1"),
    ("I", "G (passiveM = 1 -> F activeM = 1)"),
    ("J", "F leaderM = 1"),
    ("K", "G (activeM = 1 -> (activeM = 1 U passiveM = 1))"),
    ("L", "F G (activeM = 0 | passiveM = 0) -> F G idleN = 0"),
];

pub(super) const CHECKS: [Emptiness; 6] = [
    Emptiness::Hpy,
    Emptiness::Gmz,
    Emptiness::Ndfs,
    Emptiness::CouvreurState,
    Emptiness::Gv,
    Emptiness::Tarjan,
];

/// One property on one variant.
pub(super) struct Se05Case {
    pub(super) variant: String,
    pub(super) name: &'static str,
    pub(super) formula: String,
    pub(super) weak: bool,
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) cycle: bool,
    /// One entry per check, in the order of [`CHECKS`], with the length of the witness.
    pub(super) found: Vec<(SearchStats, usize)>,
}

impl Se05Case {
    fn of(&self, check: Emptiness) -> SearchStats {
        self.found[CHECKS.iter().position(|&c| c == check).unwrap_or(0)].0
    }

    fn witness(&self, check: Emptiness) -> usize {
        self.found[CHECKS.iter().position(|&c| c == check).unwrap_or(0)].1
    }
}

/// Runs the task.
pub(super) fn run() -> anyhow::Result<()> {
    let mut cases = Vec::new();
    for (variant, rotating) in [(1, false), (2, true)] {
        let net = leader_ring(NODES, rotating);
        for (name, formula) in PROPERTIES {
            cases.push(measure(&net, variant, name, formula)?);
        }
    }
    let head = format!(
        "Written by `cargo xtask tables se05`; deterministic. The model is our own \
         `leader_ring({NODES}, ..)` (Chang-Roberts in a ring of {NODES}, elections start over; \
         variant 1: the same node wins every time, variant 2: every node gets a turn)."
    );
    let text = page(&cases, &head)?;
    print!("{text}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/experiments/se05.md");
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn measure(net: &Net, variant: u32, name: &'static str, formula: &str) -> anyhow::Result<Se05Case> {
    let text = formula.replace('N', &(NODES - 1).to_string()).replace('M', "1");
    let aut = violations(net, &text)?;
    let bounds = place_bounds(net, &Structure::new(net).bounds);
    let mut found = Vec::new();
    let mut cycle = false;
    for check in CHECKS {
        let options = SearchOptions { emptiness: Some(check), ..SearchOptions::default() };
        let answer = Checker::new(net, bounds.clone(), 0)
            .check(&aut, options, Control::default())
            .map_err(|m| anyhow!("{m:?}"))?;
        let run = answer.run.map_err(|stop| anyhow!("{stop:?}"))?;
        cycle = run.is_some();
        let length = run.map_or(0, |r| r.prefix.len() + r.cycle.len());
        found.push((answer.stats, length));
    }
    let size = Checker::new(net, bounds, 0).product_size(&aut, Control::default());
    let (states, transitions) = size.map_err(|stop| anyhow!("{stop:?}"))?;
    let weak = aut.class() <= Class::Weak;
    let variant = variant.to_string();
    Ok(Se05Case { variant, name, formula: text, weak, states, transitions, cycle, found })
}

/// The automaton of the negated formula.
fn violations(net: &Net, text: &str) -> anyhow::Result<Automaton> {
    let mut formulas = Formulas::new();
    let formula = parse(text, &mut formulas, &mut Symbols::of_net(net))
        .map_err(|e| anyhow!("{text}: {e}"))?;
    let negation = formulas.not(formula);
    Ok(brine_ltl::translate(&formulas, negation, &brine_ltl::Options::default())?)
}

/// The page: what was measured, the three parts of the table, what it means.
pub(super) fn page(cases: &[Se05Case], head: &str) -> anyhow::Result<String> {
    let mut out = String::new();
    writeln!(out, "# SE05 Table 1 in kind: emptiness checks on leader election\n")?;
    writeln!(
        out,
        "{head} All checks search the product with the same degeneralised (state-based) \
         automaton, in the same successor order. `st` distinct states visited, `tr` transitions \
         generated, `dp` largest call stack. The last table gives the lengths of the \
         counterexamples after shortening.\n"
    )?;
    nested_table(&mut out, cases)?;
    scc_table(&mut out, cases)?;
    empty_table(&mut out, cases)?;
    observations(&mut out, cases)?;
    formulas_table(&mut out, cases)?;
    Ok(out)
}

fn yes(weak: bool) -> &'static str {
    if weak { "yes" } else { "no" }
}

fn nested_table(out: &mut String, cases: &[Se05Case]) -> anyhow::Result<()> {
    writeln!(out, "## With cycles, nested searches\n")?;
    writeln!(
        out,
        "| variant | φ | weak | states | trans | HPY st | tr | dp | GMZ st | tr | dp | New st | tr | dp |"
    )?;
    writeln!(out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for c in cases.iter().filter(|c| c.cycle) {
        write!(
            out,
            "| {} | {} | {} | {} | {} |",
            c.variant,
            c.name,
            yes(c.weak),
            c.states,
            c.transitions
        )?;
        for check in [Emptiness::Hpy, Emptiness::Gmz, Emptiness::Ndfs] {
            let s = c.of(check);
            write!(out, " {} | {} | {} |", s.states, s.transitions, s.depth)?;
        }
        writeln!(out)?;
    }
    writeln!(out)?;
    Ok(())
}

fn scc_table(out: &mut String, cases: &[Se05Case]) -> anyhow::Result<()> {
    writeln!(out, "## With cycles, SCC-based searches\n")?;
    writeln!(
        out,
        "| variant | φ | weak | states | trans | Couv/GV st | dp | Couv tr | Roots | GV tr | Current | Tarjan st | tr |"
    )?;
    writeln!(out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for c in cases.iter().filter(|c| c.cycle) {
        let (couv, gv) = (c.of(Emptiness::CouvreurState), c.of(Emptiness::Gv));
        let tarjan = c.of(Emptiness::Tarjan);
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            c.variant,
            c.name,
            yes(c.weak),
            c.states,
            c.transitions,
            couv.states,
            couv.depth,
            couv.transitions,
            couv.stack,
            gv.transitions,
            gv.stack,
            tarjan.states,
            tarjan.transitions
        )?;
    }
    writeln!(out)?;
    Ok(())
}

fn empty_table(out: &mut String, cases: &[Se05Case]) -> anyhow::Result<()> {
    writeln!(out, "## Without cycles\n")?;
    writeln!(
        out,
        "| variant | φ | weak | states | depth | HPY tr | GMZ tr | New tr | Couv tr | GV tr | Roots | Current |"
    )?;
    writeln!(out, "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")?;
    for c in cases.iter().filter(|c| !c.cycle) {
        let tr = |check| c.of(check).transitions;
        let (couv, gv) = (c.of(Emptiness::CouvreurState), c.of(Emptiness::Gv));
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            c.variant,
            c.name,
            yes(c.weak),
            c.states,
            couv.depth,
            tr(Emptiness::Hpy),
            tr(Emptiness::Gmz),
            tr(Emptiness::Ndfs),
            couv.transitions,
            gv.transitions,
            couv.stack,
            gv.stack
        )?;
    }
    writeln!(out)?;
    Ok(())
}

/// The paper's observations, judged by the figures above.
fn observations(out: &mut String, cases: &[Se05Case]) -> anyhow::Result<()> {
    let with: Vec<&Se05Case> = cases.iter().filter(|c| c.cycle).collect();
    let weak: Vec<&&Se05Case> = with.iter().filter(|c| c.weak).collect();
    let st = |c: &Se05Case, check| c.of(check).states;
    let couv = Emptiness::CouvreurState;
    let older = [Emptiness::Hpy, Emptiness::Gmz];
    let count = |cases: &[&Se05Case], test: &dyn Fn(&Se05Case) -> bool| {
        cases.iter().filter(|c| test(c)).count()
    };
    let weak: Vec<&Se05Case> = weak.into_iter().copied().collect();
    writeln!(out, "## The paper's observations here\n")?;
    let total = with.len();
    let word = |confirmed: bool, partly: bool| match (confirmed, partly) {
        (true, _) => "Confirmed",
        (false, true) => "Partly confirmed",
        (false, false) => "Not confirmed",
    };
    let earlier = count(&weak, &|c| older.iter().all(|&o| st(c, couv) < st(c, o)));
    let no_later = count(&weak, &|c| older.iter().all(|&o| st(c, couv) <= st(c, o)));
    writeln!(
        out,
        "- SCC-based checks find counterexamples earlier than HPY and GMZ on weak automata. {}: \
         strictly earlier than both in {earlier} of {n}, never later in {no_later} of {n}.",
        word(earlier == weak.len(), no_later == weak.len()),
        n = weak.len()
    )?;
    let nested = count(&with, &|c| st(c, couv) < st(c, Emptiness::Ndfs));
    let nested_weak = count(&weak, &|c| st(c, couv) < st(c, Emptiness::Ndfs));
    writeln!(
        out,
        "- They also find some earlier than the new nested search, but not on weak automata. {}: \
         {nested} of {total}, of these {nested_weak} on weak automata.",
        word(nested > 0 && nested_weak == 0, nested > 0)
    )?;
    let new = count(&with, &|c| older.iter().all(|&o| st(c, Emptiness::Ndfs) < st(c, o)));
    let worse = count(&with, &|c| older.iter().any(|&o| st(c, Emptiness::Ndfs) > st(c, o)));
    writeln!(
        out,
        "- The new nested search finds counterexamples faster than the older ones. {}: it visits \
         fewer states than both in {new} of {total}, more than one of them in {worse}.",
        word(new > 0 && worse == 0, worse == 0)
    )?;
    let gmz = count(&with, &|c| st(c, Emptiness::Gmz) < st(c, Emptiness::Ndfs));
    writeln!(
        out,
        "- GMZ is never faster than the new nested search. {}: it is in {gmz} of {total}.",
        word(gmz == 0, false)
    )?;
    let shorter = count(&with, &|c| c.of(couv).depth < c.of(Emptiness::Hpy).depth);
    let longer = count(&with, &|c| c.of(couv).depth > c.of(Emptiness::Hpy).depth);
    writeln!(
        out,
        "- Earlier detection means shorter counterexamples. {}: the call stack at detection is \
         shorter with Couvreur's check than with HPY in {shorter} of {total}, longer in {longer}.",
        word(shorter > 0 && longer == 0, shorter > longer)
    )?;
    let all: Vec<&Se05Case> = cases.iter().collect();
    let smaller = count(&all, &|c| c.of(couv).stack < c.of(Emptiness::Gv).stack);
    let ratio = |c: &&Se05Case| c.of(Emptiness::Gv).stack as f64 / c.of(couv).stack.max(1) as f64;
    let most = all.iter().map(ratio).fold(0.0, f64::max);
    writeln!(
        out,
        "- Roots is often much smaller than Current. {}: smaller in {smaller} of {}, up to \
         {most:.0} times; in return transitions are generated twice when components are removed.",
        word(smaller * 2 > all.len() && most > 10.0, smaller > 0),
        all.len()
    )?;
    let same = count(&with, &|c| st(c, couv) == st(c, Emptiness::Gv));
    writeln!(
        out,
        "- Couvreur's check and that of Geldenhuys and Valmari explore the same states. {}: {same} \
         of {total}.\n",
        word(same == total, false)
    )?;
    Ok(())
}

fn formulas_table(out: &mut String, cases: &[Se05Case]) -> anyhow::Result<()> {
    writeln!(out, "## Properties, and lengths of the shortened witnesses\n")?;
    writeln!(out, "| variant | φ | formula | verdict | HPY | GMZ | New | Couv | GV | Tarjan |")?;
    writeln!(out, "|---|---|---|---|--:|--:|--:|--:|--:|--:|")?;
    for c in cases {
        let verdict = if c.cycle { "violated" } else { "holds" };
        let formula = c.formula.replace('|', "\\|");
        write!(out, "| {} | {} | `{formula}` | {verdict} |", c.variant, c.name)?;
        for check in CHECKS {
            write!(out, " {} |", c.witness(check))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
