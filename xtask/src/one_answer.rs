//! `cargo xtask one-answer`: the contest's questions about reachability, each asked in three ways.
//!
//! `AG f` and `EF f` are questions about all runs (LTL), about some run, and about the markings
//! around the initial one (CTL). All who answer must say the same, and what the contest knows.

use crate::mcc::{Set, data_dir, instances};
use anyhow::bail;
use brine_check::{
    Budget, EngineOptions, MarkingsWays, PlainAsker, QueryAnswer, QueryCase, Schedule,
};
use brine_ltl::{Ctl, Formula, Formulas, Node, Query};
use brine_net::{Net, Structure};
use brine_pnml::{UnfoldLimits, read_mcc, read_model};
use brine_run::Shelf;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ask contest questions about reachability as LTL, as reachability and as CTL
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where `unpack DIR other` has laid out the instances
    #[arg(long, value_name = "DIR")]
    models: PathBuf,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only every so many-th instance
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    every: NonZeroUsize,
    /// Wall-clock seconds for each way of asking
    #[arg(long, default_value_t = 1.0)]
    time: f64,
    /// Work for each way of asking
    #[arg(long, default_value_t = 200_000)]
    work: u64,
}

/// What the ways of asking came to.
#[derive(Default, Debug)]
struct AnswerTally {
    questions: usize,
    /// Answered by so many of the three ways.
    answered: [usize; 4],
    wrong: Vec<String>,
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let mut known: HashMap<String, String> = HashMap::new();
    for row in csv::Reader::from_path(data.join("expected-other.csv"))?.deserialize() {
        let (_, _, formula, verdict): (String, String, String, String) = row?;
        known.insert(formula, verdict);
    }
    let mut tally = AnswerTally::default();
    for instance in instances(Set::Dev, &args.filter, &data)?.iter().step_by(args.every.get()) {
        ask_instance(args, &args.models.join(instance), &known, &mut tally)?;
        eprintln!("{instance}: {} questions so far", tally.questions);
    }
    let AnswerTally { questions, answered: [none, one, two, three], wrong } = tally;
    println!(
        "{questions} questions: {three} have an answer in all three ways, {two} in two, {one} in \
         one, {none} in none; {} disagree",
        wrong.len()
    );
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

fn ask_instance(
    args: &Args,
    dir: &Path,
    known: &HashMap<String, String>,
    tally: &mut AnswerTally,
) -> anyhow::Result<()> {
    let model = read_model(&dir.join("model.pnml"), &UnfoldLimits::default())?;
    let structure = Structure::new(&model.net);
    let file = dir.join("ReachabilityCardinality.xml");
    let Ok(source) = std::fs::read_to_string(&file) else { return Ok(()) };
    let (mut formulas, mut symbols) = (Formulas::new(), model.symbols());
    for property in read_mcc(&source, &mut formulas, &mut symbols)? {
        let Some((state, always)) = parts(&formulas, &property.query) else { continue };
        let queries = three_ways(&mut formulas, state, always);
        let expected = known.get(&property.id).map(|verdict| verdict == "TRUE");
        let mut said: Vec<bool> = Vec::new();
        for (query, opposite) in &queries {
            if let Some(holds) = ask(args, &model.net, &structure, &formulas, query)? {
                said.push(holds != *opposite);
            }
        }
        tally.questions += 1;
        tally.answered[said.len()] += 1;
        if said.iter().copied().chain(expected).any(|holds| Some(&holds) != said.first())
            && !said.is_empty()
        {
            tally.wrong.push(format!("{}: {said:?}, expected {expected:?}", property.id));
        }
    }
    Ok(())
}

/// The state formula f of `AG f` (true) or `EF f` (false).
fn parts(fs: &Formulas, query: &Query) -> Option<(Formula, bool)> {
    match query {
        Query::AllRuns(f) => match fs.node(*f) {
            Node::G(f) => Some((f, true)),
            _ => None,
        },
        Query::SomeRun(f) => match fs.node(*f) {
            Node::F(f) => Some((f, false)),
            _ => None,
        },
        _ => None,
    }
}

/// As LTL, as reachability, and as CTL; and whether the answer is the opposite of the one wanted.
fn three_ways(fs: &mut Formulas, state: Formula, always: bool) -> [(Query, bool); 3] {
    let not = fs.not(state);
    let (bad, good) = if always { (not, state) } else { (state, not) };
    let (all, some) = (fs.g(good), fs.f(bad));
    let ctl = match always {
        true => Ctl::always(fs, state),
        false => Ctl::finally(fs, state),
    };
    [(Query::AllRuns(all), !always), (Query::SomeRun(some), always), (Query::Branching(ctl), false)]
}

fn ask(
    args: &Args,
    net: &Net,
    structure: &Structure,
    formulas: &Formulas,
    query: &Query,
) -> anyhow::Result<Option<bool>> {
    let schedule = Schedule { ticks: Some(args.work), ..Schedule::default() };
    let budget = Budget {
        time: Some(Duration::from_secs_f64(args.time)),
        memory: Some(1 << 30),
        schedule,
        ..Budget::default()
    };
    let decider = EngineOptions::default().spec()?.build(net, &structure, &budget.control())?;
    let shelf = Shelf::default();
    let mut asker =
        PlainAsker::new(net, decider, &shelf).with_markings(&structure, MarkingsWays::default());
    let mut case = match query {
        Query::AllRuns(f) => QueryCase::all_runs(&mut asker, formulas, *f),
        Query::SomeRun(f) => QueryCase::some_run(&mut asker, formulas, *f),
        Query::Branching(ctl) => QueryCase::branching(formulas, ctl),
        Query::Bound(_) | Query::Whole(_) => return Ok(None),
    };
    Ok(match case.advance(&mut asker, &budget, u64::MAX)?.0 {
        QueryAnswer::Holds => Some(true),
        QueryAnswer::Fails => Some(false),
        QueryAnswer::Number(_) | QueryAnswer::Unknown(_) => None,
    })
}
