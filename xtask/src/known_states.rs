//! `cargo xtask states`: every instance of the contest whose state space is known, before and
//! after.
//!
//! Each instance of `expected-states.csv` and `expected-states-large.csv` is given to one binary
//! or to two, one process at a time. All numbers that a process tells are compared with the known
//! ones, also where it could not tell all four. What is kept in the file is not run again.

use crate::mcc::{Set, build_binary, data_dir, models};
use crate::state_space::{
    SpaceAnswer, SpaceLimit, SpaceNumbers, differences, expected, run_states,
};
use anyhow::bail;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

/// Run `brine states` on all instances with a known state space, and compare two binaries
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Seconds for each instance
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Memory for each instance
    #[arg(long, value_name = "MIB", default_value_t = 6144)]
    memory: u64,
    /// A binary to compare with
    #[arg(long, value_name = "FILE")]
    old: Option<PathBuf>,
    /// The binary; by default the release build of this folder
    #[arg(long, value_name = "FILE")]
    new: Option<PathBuf>,
    /// Only instances whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// The folder of the large models; by default the archives are unpacked
    #[arg(long, value_name = "DIR")]
    large: Option<PathBuf>,
    /// Where the results are kept; what stands there is not run again
    #[arg(long, value_name = "CSV", default_value = "target/states.csv")]
    out: PathBuf,
}

/// One row of the results.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct KnownRow {
    instance: String,
    binary: String,
    states: String,
    transitions: String,
    max_token_in_place: String,
    max_token_per_marking: String,
    cpu_s: f64,
    time_s: f64,
    peak_mib: f64,
    order: String,
}

impl KnownRow {
    fn new(instance: &str, binary: &str, answer: SpaceAnswer) -> Self {
        let SpaceNumbers { states, transitions, max_token_in_place, max_token_per_marking } =
            answer.told;
        KnownRow {
            instance: instance.to_owned(),
            binary: binary.to_owned(),
            states,
            transitions,
            max_token_in_place,
            max_token_per_marking,
            cpu_s: answer.cpu_s,
            time_s: answer.time_s,
            peak_mib: answer.peak_mib,
            order: answer.order,
        }
    }

    fn numbers(&self) -> SpaceNumbers {
        SpaceNumbers {
            states: self.states.clone(),
            transitions: self.transitions.clone(),
            max_token_in_place: self.max_token_in_place.clone(),
            max_token_per_marking: self.max_token_per_marking.clone(),
        }
    }
}

/// Of the instances of a family: how many there are, and for each binary how many states were
/// counted and how many have all four numbers.
#[derive(Default, Debug)]
struct FamilyCount {
    all: usize,
    solved: [[usize; 2]; 2],
}

/// Runs the task.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let data = data_dir()?;
    let new = args.new.clone().map_or_else(build_binary, Ok)?;
    let binaries = [("old", args.old.clone()), ("new", Some(new))];
    let large = args.large.clone().map_or_else(|| models(Set::Large, &data), Ok)?;
    let (mut kept, mut file) = open(&args.out)?;
    let mut families: BTreeMap<String, FamilyCount> = BTreeMap::new();
    let mut wrong = 0;
    let lists =
        [("expected-states.csv", data.join("models")), ("expected-states-large.csv", large)];
    for (list, folder) in lists {
        let mut known: Vec<_> = expected(&data, list)?.into_iter().collect();
        known.retain(|(name, numbers)| name.contains(&args.filter) && is_finite(numbers));
        known.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, numbers) in known {
            let family = families.entry(family(&name)).or_default();
            family.all += 1;
            for (i, (which, binary)) in binaries.iter().enumerate() {
                let Some(binary) = binary else { continue };
                let row = match kept.remove(&(name.clone(), (*which).to_owned())) {
                    Some(row) => row,
                    None => {
                        let row = ask(args, &name, which, binary, &folder)?;
                        file.serialize(&row)?;
                        file.flush()?;
                        row
                    }
                };
                let told = row.numbers();
                family.solved[i][0] += usize::from(!told.states.is_empty());
                family.solved[i][1] += usize::from(told.is_whole());
                let word = if !differences(&told, &numbers).is_empty() {
                    wrong += 1;
                    eprintln!("{name}, {which}: got {told:?}, expected {numbers:?}");
                    "WRONG"
                } else if told.is_whole() {
                    "ok"
                } else if told.states.is_empty() {
                    "open"
                } else {
                    "part"
                };
                let KnownRow { cpu_s, peak_mib, order, .. } = &row;
                println!("{name:<42} {which} {word:<5} {cpu_s:>8.2} s {peak_mib:>6.0} MiB {order}");
            }
        }
    }
    summarise(&families);
    if wrong > 0 {
        bail!("{wrong} answers differ from the known numbers");
    }
    Ok(())
}

fn is_finite(numbers: &SpaceNumbers) -> bool {
    !numbers.states.is_empty() && numbers.states != "+inf"
}

fn family(instance: &str) -> String {
    instance.split('-').next().unwrap_or(instance).to_owned()
}

/// Earlier rows, and the file for further ones.
#[allow(clippy::type_complexity, reason = "used once")]
fn open(path: &Path) -> anyhow::Result<(HashMap<(String, String), KnownRow>, csv::Writer<File>)> {
    let mut kept = HashMap::new();
    let is_new = !path.exists();
    if !is_new {
        for row in csv::Reader::from_path(path)?.deserialize() {
            let row: KnownRow = row?;
            kept.insert((row.instance.clone(), row.binary.clone()), row);
        }
    }
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    Ok((kept, csv::WriterBuilder::new().has_headers(is_new).from_writer(file)))
}

fn ask(
    args: &Args,
    name: &str,
    which: &str,
    binary: &Path,
    folder: &Path,
) -> anyhow::Result<KnownRow> {
    let model = folder.join(name).join("model.pnml");
    let answer = run_states(binary, &model, SpaceLimit::Clock(args.seconds), args.memory, &[])?;
    if let Some(reason) = &answer.refused {
        bail!("{name}: {reason}");
    }
    Ok(KnownRow::new(name, which, answer))
}

fn summarise(families: &BTreeMap<String, FamilyCount>) {
    println!("\n| family | instances | old: states | old: all four | states | all four |");
    println!("|---|---|---|---|---|---|");
    let mut sum = FamilyCount::default();
    for (name, count) in families {
        let FamilyCount { all, solved: [old, new] } = count;
        println!("| {name} | {all} | {} | {} | {} | {} |", old[0], old[1], new[0], new[1]);
        sum.all += all;
        for (sums, numbers) in sum.solved.iter_mut().zip([old, new]) {
            sums.iter_mut().zip(numbers).for_each(|(a, b)| *a += b);
        }
    }
    let FamilyCount { all, solved: [old, new] } = sum;
    println!("| all | {all} | {} | {} | {} | {} |", old[0], old[1], new[0], new[1]);
}
