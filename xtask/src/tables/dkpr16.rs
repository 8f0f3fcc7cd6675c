//! DKPR16 Tables 1 to 3 and figure 3 in kind: all 46 provisos on nets of our own generators, or on
//! models of BEEM; and Brine's own liveness rule beside them.
//!
//! Writes `docs/experiments/dkpr16.md` and `dkpr16-scores.svg` (`dkpr16-beem`). The findings of the paper are
//! judged from the figures, each with the numbers it rests on.

use super::provisos::{Collection, KeptRuns, ProvisoModel, proviso, run};
use anyhow::Context;
use brine_campaign::report::{box_plot, quantile};
use brine_explicit::provisos::{Danger, End, Live, Proviso, Sccs};
use brine_explicit::stubborn::Choice;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The 16 provisos of figure 3.
const SELECTED: [&str; 16] = [
    "Source",
    "CondSource",
    "CondSourceKnown",
    "WeightedSource",
    "WeightedSourceKnown",
    "WeightedSourceScan",
    "WeightedSourceKnownScan",
    "CondDest",
    "CondDestUnknown",
    "ColoredDest",
    "ColoredDestUnknown",
    "DeadWeightedSourceKnownScan",
    "DeadColoredDest",
    "HighlinkWeightedSourceKnown",
    "HighlinkWeightedDestScan",
    "HighlinkDeepestDestScan",
];

/// What was measured for one proviso.
struct ProvisoRow {
    proviso: Proviso,
    /// By net, then by seed.
    states: Vec<Vec<u64>>,
    transitions: u64,
    /// States a millisecond of CPU time on the larger nets.
    speed: f64,
}

impl ProvisoRow {
    fn total(&self) -> u64 {
        self.states.iter().flatten().sum()
    }
}

struct Results {
    collection: Collection,
    most: u64,
    seeds: u64,
    models: Vec<ProvisoModel>,
    rows: Vec<ProvisoRow>,
}

/// Measures, and writes the page and the figure.
pub(super) fn measure_and_write(
    collection: Collection,
    (seeds, most): (u64, u64),
    mut kept: KeptRuns,
) -> anyhow::Result<()> {
    let suffix = collection.suffix();
    let results = measure(collection, seeds, most, &mut kept)?;
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/experiments");
    let write = |name: &str, text: String| {
        let path: PathBuf = dir.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(&format!("dkpr16{suffix}.md"), render(&results)?)?;
    let scores = scores(&results)?;
    let title = "Standard scores of the number of states (DKPR16 figure 3)";
    write(&format!("dkpr16{suffix}-scores.svg"), box_plot(title, &scores)?)
}

fn measure(
    collection: Collection,
    seeds: u64,
    most: u64,
    kept: &mut KeptRuns,
) -> anyhow::Result<Results> {
    let models = collection.models(most)?;
    let bounds = [Proviso::None, Proviso::Full, Proviso::OnTheFly { live: true }];
    let provisos: Vec<Proviso> =
        bounds.into_iter().chain(Live::all().into_iter().map(Proviso::Live)).collect();
    let mut rows: Vec<ProvisoRow> = provisos
        .iter()
        .map(|&proviso| ProvisoRow { proviso, states: Vec::new(), transitions: 0, speed: 0.0 })
        .collect();
    rows.iter_mut().for_each(|row| row.states.resize(models.len(), Vec::new()));
    for seed in 1..=seeds {
        eprintln!("order {seed}");
        for (i, model) in models.iter().enumerate() {
            let runs = kept.run(model, seed, &provisos, Choice::default())?;
            for (row, run) in rows.iter_mut().zip(runs) {
                row.transitions += run.transitions;
                row.states[i].push(run.states);
            }
        }
    }
    let large = collection.large_models()?;
    for row in &mut rows {
        let (mut states, mut seconds) = (0, 0.0);
        for model in &large {
            for run in run(model, 1, &[row.proviso], Choice::default())? {
                states += run.counts.states;
                seconds += run.seconds;
            }
        }
        row.speed = states as f64 / seconds / 1000.0;
    }
    Ok(Results { collection, most, seeds, models, rows })
}

impl Results {
    fn row(&self, name: &str) -> anyhow::Result<&ProvisoRow> {
        let wanted = proviso(name)?;
        self.rows.iter().find(|r| r.proviso == wanted).with_context(|| format!("no row {name}"))
    }

    /// States of a proviso, in percent of those without reduction.
    fn percent(&self, name: &str) -> anyhow::Result<f64> {
        Ok(100.0 * self.row(name)?.total() as f64 / self.row("Full")?.total() as f64)
    }

    /// A table of the rows that pass, most states first.
    fn table(&self, wanted: impl Fn(Proviso) -> bool, text: &mut String) -> anyhow::Result<()> {
        writeln!(
            text,
            "| proviso | states (10^6) | of Full | transitions (10^6) | of Full | st/ms |"
        )?;
        writeln!(text, "|---|--:|--:|--:|--:|--:|")?;
        let full = self.row("Full")?;
        let mut rows: Vec<&ProvisoRow> = self.rows.iter().filter(|r| wanted(r.proviso)).collect();
        rows.sort_by_key(|r| std::cmp::Reverse(r.total()));
        for row in rows {
            let states = row.total() as f64 / 1e6;
            let percent = |part: u64, all: u64| 100.0 * part as f64 / all as f64;
            writeln!(
                text,
                "| {} | {states:.3} | {:.2} % | {:.3} | {:.2} % | {:.0} |",
                row.proviso.name(),
                percent(row.total(), full.total()),
                row.transitions as f64 / 1e6,
                percent(row.transitions, full.transitions),
                row.speed
            )?;
        }
        Ok(())
    }
}

fn render(results: &Results) -> anyhow::Result<String> {
    let mut text = String::new();
    let (nets, seeds) = (results.models.len(), results.seeds);
    writeln!(text, "# Provisos: the tables of DKPR16\n")?;
    let (options, sets) = match results.collection {
        Collection::Ours => (String::new(), "weak where that helps, smallest of four"),
        Collection::Beem(_) => {
            (format!(" --beem --most {}", results.most), "strong, smallest of four")
        }
    };
    writeln!(
        text,
        "Written by `cargo xtask tables dkpr16 --seeds {seeds}{options}`. {nets} {}, {seeds} \
         firing orders each (seeds 1 to {seeds}), sums over all runs. The stubborn sets are \
         Brine's default ({sets}). Speed: states per millisecond of CPU time on five larger \
         models, one seed, stubborn sets included. `Acyclic` is Brine's own rule. What it \
         means: [provisos.md](provisos.md).\n",
        results.collection.name()
    )?;
    let is_bound =
        |p| matches!(p, Proviso::Full | Proviso::None | Proviso::OnTheFly { live: true });
    let live = |p, wanted: fn(Live) -> bool| matches!(p, Proviso::Live(l) if wanted(l));
    let reference = |p: Proviso, names: &[&str]| names.contains(&p.name().as_str());
    writeln!(text, "## Table 1: expanding the source\n")?;
    let plain_source = |l: Live| l.end == End::Source && l.sccs == Sccs::Unused;
    results.table(|p| is_bound(p) || live(p, plain_source), &mut text)?;
    writeln!(text, "\n## Table 2: expanding the destination\n")?;
    let plain_dest = |l: Live| l.end == End::Dest && l.sccs == Sccs::Unused;
    let best_source = ["WeightedSourceKnownScan"];
    results.table(|p| reference(p, &best_source) || live(p, plain_dest), &mut text)?;
    writeln!(text, "\n## Table 3: using components\n")?;
    let with_sccs = |l: Live| l.sccs != Sccs::Unused;
    let bases = ["DeepestDest", "WeightedDest", "ColoredDest", "WeightedSourceKnown"];
    let own = Proviso::OnTheFly { live: true };
    results.table(|p| p == own || reference(p, &bases) || live(p, with_sccs), &mut text)?;
    writeln!(text, "\n## Figure 3: standard scores\n")?;
    writeln!(
        text,
        "![Box plots of the standard scores of 16 provisos](dkpr16{}-scores.svg)\n",
        results.collection.suffix()
    )?;
    writeln!(
        text,
        "Per model, the states of all runs of these 16 provisos are standardised (mean 0, standard \
         deviation 1; models where all runs agree are left out). Medians, best first:\n"
    )?;
    for (name, values) in scores(results)? {
        let mut sorted = values;
        sorted.sort_by(f64::total_cmp);
        writeln!(text, "- {name}: {:.2}", quantile(&sorted, 0.5))?;
    }
    writeln!(text, "\n## The paper's findings, judged by these figures\n")?;
    findings(results, &mut text)?;
    Ok(text)
}

/// The standard scores of the selected provisos, smallest median first.
fn scores(results: &Results) -> anyhow::Result<Vec<(String, Vec<f64>)>> {
    let rows: Vec<&ProvisoRow> =
        SELECTED.iter().map(|name| results.row(name)).collect::<anyhow::Result<_>>()?;
    let mut scores: Vec<(String, Vec<f64>)> =
        rows.iter().map(|r| (r.proviso.name(), Vec::new())).collect();
    for net in 0..results.models.len() {
        let all: Vec<f64> = rows.iter().flat_map(|r| &r.states[net]).map(|&n| n as f64).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64;
        if variance == 0.0 {
            continue;
        }
        for (row, (_, scores)) in rows.iter().zip(&mut scores) {
            scores.extend(row.states[net].iter().map(|&n| (n as f64 - mean) / variance.sqrt()));
        }
    }
    let median = |values: &[f64]| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        quantile(&sorted, 0.5)
    };
    scores.sort_by(|a, b| median(&a.1).total_cmp(&median(&b.1)));
    Ok(scores)
}

fn findings(results: &Results, text: &mut String) -> anyhow::Result<()> {
    let of = |name: &str| results.percent(name);
    let mut say = |claim: &str, holds: bool, why: String| {
        let verdict = if holds { "holds" } else { "does not hold" };
        writeln!(text, "- {claim}: **{verdict}** ({why}).")
    };
    let (source, cond, best) = (of("Source")?, of("CondSource")?, of("WeightedSourceKnownScan")?);
    let share = 100.0 * (source - cond) / (source - best);
    say(
        "CondSource gets most of the gain of the source provisos",
        share > 50.0,
        format!(
            "Source {source:.2} %, CondSource {cond:.2} %, WeightedSourceKnownScan {best:.2} %: {share:.0} % of it"
        ),
    )?;
    let (dest, cond_dest) = (of("Dest")?, of("CondDest")?);
    say(
        "The condition brings most for destinations as well",
        cond_dest < 0.9 * dest,
        format!("Dest {dest:.2} %, CondDest {cond_dest:.2} %"),
    )?;
    let (weighted, deepest) = (of("WeightedDest")?, of("DeepestDest")?);
    say(
        "Weights ruin destination provisos without highlinks",
        weighted > cond_dest && deepest > cond_dest,
        format!(
            "CondDest {cond_dest:.2} %, WeightedDest {weighted:.2} %, DeepestDest {deepest:.2} %"
        ),
    )?;
    let dead = of("DeadDeepestDest")?;
    say(
        "Dead components alone change little",
        (deepest - dead).abs() < 0.1 * deepest,
        format!("DeepestDest {deepest:.2} %, DeadDeepestDest {dead:.2} %"),
    )?;
    let smallest = results.rows.iter().filter(|r| matches!(r.proviso, Proviso::Live(_)));
    let smallest = smallest.min_by_key(|r| r.total()).context("no provisos")?;
    let is_highlink = matches!(smallest.proviso, Proviso::Live(l) if l.sccs == Sccs::Highlink);
    let name = smallest.proviso.name();
    say(
        "A highlink proviso is the best of all",
        is_highlink,
        format!("{name} {:.2} %", of(&name)?),
    )?;
    let is_deepest = matches!(smallest.proviso, Proviso::Live(l) if l.danger == Danger::Deepest);
    say("With highlinks, the deepest destination wins", is_deepest, format!("the best is {name}"))?;
    let (plain, scan) = (of("WeightedSourceKnown")?, of("WeightedSourceKnownScan")?);
    let (high, high_scan) = (of("HighlinkDeepestDest")?, of("HighlinkDeepestDestScan")?);
    say(
        "Scanning the stack helps without highlinks and hardly with them",
        scan < plain && (plain - scan) / plain > (high - high_scan) / high,
        format!(
            "WeightedSourceKnown {plain:.2} -> {scan:.2} %, HighlinkDeepestDest {high:.2} -> {high_scan:.2} %"
        ),
    )?;
    let (own, best) = (of("Acyclic")?, of(&name)?);
    say(
        "Acyclic, which needs no stack, is as good as the best of them",
        own <= best,
        format!("Acyclic {own:.2} %, {name} {best:.2} %"),
    )?;
    let (colored, unknown) = (of("ColoredDest")?, of("ColoredDestUnknown")?);
    say(
        "Known and Unknown bring little",
        (colored - unknown).abs() < 0.05 * colored
            && (cond - of("CondSourceKnown")?).abs() < 0.05 * cond,
        format!(
            "ColoredDest {colored:.2} -> {unknown:.2} %, CondSource {cond:.2} -> {:.2} %",
            of("CondSourceKnown")?
        ),
    )?;
    Ok(())
}
