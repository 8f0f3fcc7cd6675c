//! What the tables on provisos (DKPR16, EP10) have in common: the models, and a run.
//!
//! Models are nets of our own generators, or BEEM's. What a run counted can be kept in a file, so that a
//! measurement of hours can be left and taken up again.

use anyhow::{Context, anyhow};
use brine_dve::DveModel;
use brine_enumerate::stubborn::{GroupDependencies, GroupSets};
use brine_enumerate::vectors::Vectors;
use brine_explicit::Control;
use brine_explicit::markings::Markings;
use brine_explicit::provisos::{Counts, Proviso};
use brine_explicit::reduction::{Effort, Reduction, StubbornSets};
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::space::Space;
use brine_explicit::stubborn::{Choice, Dependencies, Stubborn};
use brine_explicit::successors::Expand;
use brine_models::{family, leader_ring};
use brine_net::{Net, Structure};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Families of our generators with the sizes that are measured: 39 nets.
const NETS: &[(&str, &[u32])] = &[
    ("philosophers", &[4, 5, 6, 7, 8]),
    ("philosophers-ordered", &[5, 6, 7, 8, 9]),
    ("philosophers-atomic", &[6, 10, 14]),
    ("kanban", &[1, 2]),
    ("fms", &[1, 2]),
    ("slotted-ring", &[3, 4]),
    ("token-ring", &[5, 10]),
    ("producer-consumer", &[3, 5, 8, 10]),
    ("fork-join", &[4, 6, 8, 10]),
    ("peterson", &[2, 3]),
    ("lamport", &[2, 3]),
    ("load-balancer", &[2, 3, 4, 5]),
    ("leader-ring", &[3, 4]),
];

/// Larger nets, for measuring speed.
const LARGE: &[(&str, &[u32])] = &[
    ("philosophers", &[9]),
    ("kanban", &[3]),
    ("slotted-ring", &[6]),
    ("lamport", &[3]),
    ("load-balancer", &[6]),
];

/// Models of BEEM with fewer states are left out.
const FEWEST: u64 = 10_000;
/// Models of BEEM for measuring speed.
const SPEED: [&str; 5] =
    ["bridge.2", "firewire_tree.3", "krebs.2", "leader_election.3", "synapse.5"];
/// Their steps go wrong, which reduction does not stand.
const WRONG: [&str; 1] = ["anderson.1"];

/// Where models come from.
#[derive(Clone, Debug)]
pub(super) enum Collection {
    /// Our generators.
    Ours,
    /// This folder.
    Beem(PathBuf),
}

/// A model with its name.
pub(super) struct ProvisoModel {
    pub(super) name: String,
    subject: ModelText,
}

enum ModelText {
    Net(Net),
    Dve(Box<DveModel>),
}

fn build(list: &[(&str, &[u32])]) -> anyhow::Result<Vec<ProvisoModel>> {
    let mut models = Vec::new();
    for &(name, sizes) in list {
        for &size in sizes {
            let net = match name {
                "leader-ring" => leader_ring(size, false),
                _ => family(name).ok_or_else(|| anyhow!("no family {name}"))?.net(size, None),
            };
            let subject = ModelText::Net(net);
            models.push(ProvisoModel { name: format!("{name}-{size}"), subject });
        }
    }
    Ok(models)
}

/// A row of the list of published counts.
#[derive(Deserialize, Debug)]
struct PublishedCount {
    model: String,
    states: Option<u64>,
}

impl Collection {
    /// What the pages call it.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Collection::Ours => "nets of our own generators",
            Collection::Beem(_) => "models of BEEM",
        }
    }

    /// What is added to the names of files.
    pub(super) fn suffix(&self) -> &'static str {
        match self {
            Collection::Ours => "",
            Collection::Beem(_) => "-beem",
        }
    }

    /// The models to be measured; those of BEEM that have 10,000 states, and at most so many.
    pub(super) fn models(&self, most: u64) -> anyhow::Result<Vec<ProvisoModel>> {
        match self {
            Collection::Ours => build(NETS),
            Collection::Beem(data) => {
                let names = published_counts(data, FEWEST..=most)?;
                let fits = |name: &&String| !WRONG.contains(&name.as_str());
                names.iter().filter(fits).map(|name| read(data, name)).collect()
            }
        }
    }

    /// Larger models.
    pub(super) fn large_models(&self) -> anyhow::Result<Vec<ProvisoModel>> {
        match self {
            Collection::Ours => build(LARGE),
            Collection::Beem(data) => SPEED.iter().map(|name| read(data, name)).collect(),
        }
    }
}

/// The models of BEEM with that many published states, those with few first.
pub(super) fn published_counts(
    data: &Path,
    wanted: RangeInclusive<u64>,
) -> anyhow::Result<Vec<String>> {
    let path = data.join("expected-states.csv");
    let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
    let mut rows: Vec<PublishedCount> = reader.deserialize().collect::<Result<_, _>>()?;
    rows.retain(|row| row.states.is_some_and(|n| wanted.contains(&n)));
    rows.sort_by_key(|row| row.states);
    Ok(rows.into_iter().map(|row| row.model).collect())
}

fn read(data: &Path, name: &str) -> anyhow::Result<ProvisoModel> {
    let path = data.join("models").join(format!("{name}.dve"));
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let model = brine_dve::parse(&text).map_err(|e| anyhow!("{name}: {e}"))?;
    Ok(ProvisoModel { name: name.to_owned(), subject: ModelText::Dve(Box::new(model)) })
}

/// What one exploration counted, and its CPU time.
pub(super) struct ProvisoRun {
    pub(super) counts: Counts,
    pub(super) seconds: f64,
}

/// Explores a model with each proviso in the same firing order. The stubborn sets, which are the
/// same for all of them, are computed once: by the first.
pub(super) fn run(
    model: &ProvisoModel,
    seed: u64,
    provisos: &[Proviso],
    choice: Choice,
) -> anyhow::Result<Vec<ProvisoRun>> {
    match &model.subject {
        ModelText::Net(net) => {
            let order = firing_order(net, seed);
            let bounds = place_bounds(net, &Structure::new(net).bounds);
            let ms = Markings::new(net, &bounds, &order, Control::default());
            let ms = ms.map_err(|stop| anyhow!("{stop:?}"))?;
            let sets = Stubborn::new(&Dependencies::new(net, &order), Vec::new(), choice);
            explore_all(ms, sets, provisos)
        }
        ModelText::Dve(dve) => {
            let vectors = Vectors::ordered(&**dve, seed, Control::default())?;
            let tables = Arc::new(GroupDependencies::new(&**dve, vectors.order()));
            explore_all(vectors, GroupSets::new(tables, Vec::new(), choice), provisos)
        }
    }
}

fn explore_all<M: Expand, B: StubbornSets<M>>(
    states: M,
    sets: B,
    provisos: &[Proviso],
) -> anyhow::Result<Vec<ProvisoRun>> {
    let mut space = Space::new(states);
    let first = provisos.first().copied().unwrap_or(Proviso::None);
    let mut reduction = Reduction::new(sets, first, Effort::Always);
    let mut all = Vec::new();
    for &proviso in provisos {
        reduction.restart(proviso);
        let start = cpu_seconds()?;
        let counts = reduction.explore(&mut space, &mut |_| ());
        let counts = counts.map_err(|stop| anyhow!("{stop:?}"))?;
        all.push(ProvisoRun { counts, seconds: cpu_seconds()? - start });
    }
    Ok(all)
}

/// The proviso of that name.
pub(super) fn proviso(name: &str) -> anyhow::Result<Proviso> {
    Ok(Proviso::from_name(name)?)
}

/// User time of this process so far, in seconds.
fn cpu_seconds() -> anyhow::Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let time = getrusage(UsageWho::RUSAGE_SELF)?.user_time();
    Ok(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
}

/// What is kept of a run.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct KeptRun {
    model: String,
    seed: u64,
    proviso: String,
    pub(super) states: u64,
    pub(super) transitions: u64,
}

/// Runs that were done, in a file if there is one.
pub(super) struct KeptRuns {
    file: Option<PathBuf>,
    known: std::collections::BTreeMap<(String, u64), Vec<KeptRun>>,
}

impl KeptRuns {
    /// Those of an earlier measurement.
    pub(super) fn open(file: Option<PathBuf>) -> anyhow::Result<Self> {
        let mut known = std::collections::BTreeMap::<_, Vec<KeptRun>>::new();
        if let Some(path) = file.as_ref().filter(|path| path.exists()) {
            for row in csv::Reader::from_path(path)?.into_deserialize() {
                let row: KeptRun = row?;
                known.entry((row.model.clone(), row.seed)).or_default().push(row);
            }
        }
        Ok(KeptRuns { file, known })
    }

    /// What each of these provisos comes to, by looking it up or by a run.
    pub(super) fn run(
        &mut self,
        model: &ProvisoModel,
        seed: u64,
        provisos: &[Proviso],
        choice: Choice,
    ) -> anyhow::Result<Vec<KeptRun>> {
        let key = (model.name.clone(), seed);
        let of =
            |rows: &[KeptRun], p: &Proviso| rows.iter().find(|r| r.proviso == p.name()).cloned();
        if let Some(rows) = self.known.get(&key) {
            let all: Option<Vec<KeptRun>> = provisos.iter().map(|p| of(rows, p)).collect();
            if let Some(all) = all {
                return Ok(all);
            }
        }
        let runs = run(model, seed, provisos, choice)?;
        let kept = |(proviso, run): (&Proviso, ProvisoRun)| KeptRun {
            model: model.name.clone(),
            seed,
            proviso: proviso.name(),
            states: run.counts.states,
            transitions: run.counts.transitions,
        };
        let rows: Vec<KeptRun> = provisos.iter().zip(runs).map(kept).collect();
        if let Some(path) = &self.file {
            let headers = !path.exists();
            let file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
            let mut writer = csv::WriterBuilder::new().has_headers(headers).from_writer(file);
            rows.iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()?;
        }
        self.known.insert(key, rows.clone());
        Ok(rows)
    }
}
