//! What the tables on provisos (DKPR16, EP10) have in common: the nets, and a run.

use anyhow::anyhow;
use brine_explicit::Control;
use brine_explicit::markings::Markings;
use brine_explicit::provisos::{Counts, Proviso};
use brine_explicit::reduction::{Effort, Reduction};
use brine_explicit::setup::{firing_order, place_bounds};
use brine_explicit::space::Space;
use brine_explicit::stubborn::{Choice, Dependencies, Stubborn};
use brine_models::{family, leader_ring};
use brine_net::{Net, Structure};

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

/// A net with its name.
pub(super) struct ProvisoModel {
    pub(super) name: String,
    pub(super) net: Net,
}

fn build(list: &[(&str, &[u32])]) -> anyhow::Result<Vec<ProvisoModel>> {
    let mut models = Vec::new();
    for &(name, sizes) in list {
        for &size in sizes {
            let net = match name {
                "leader-ring" => leader_ring(size, false),
                _ => family(name).ok_or_else(|| anyhow!("no family {name}"))?.net(size, None),
            };
            models.push(ProvisoModel { name: format!("{name}-{size}"), net });
        }
    }
    Ok(models)
}

/// The nets to be measured.
pub(super) fn models() -> anyhow::Result<Vec<ProvisoModel>> {
    build(NETS)
}

/// Larger nets.
pub(super) fn large_models() -> anyhow::Result<Vec<ProvisoModel>> {
    build(LARGE)
}

/// What one exploration counted, and its CPU time.
pub(super) struct ProvisoRun {
    pub(super) counts: Counts,
    pub(super) seconds: f64,
}

/// Explores a net with each proviso in the same firing order. The stubborn sets, which are the
/// same for all of them, are computed once: by the first.
pub(super) fn run(
    net: &Net,
    seed: u64,
    provisos: &[Proviso],
    choice: Choice,
) -> anyhow::Result<Vec<ProvisoRun>> {
    let order = firing_order(net, seed);
    let bounds = place_bounds(net, &Structure::new(net).bounds);
    let stopped = |stop| anyhow!("{stop:?}");
    let ms = Markings::new(net, &bounds, &order, Control::default()).map_err(stopped)?;
    let mut space = Space::new(ms);
    let stubborn = Stubborn::new(&Dependencies::new(net, &order), Vec::new(), choice);
    let first = provisos.first().copied().unwrap_or(Proviso::None);
    let mut reduction = Reduction::new(stubborn, first, Effort::Always);
    let mut all = Vec::new();
    for &proviso in provisos {
        reduction.restart(proviso);
        let start = cpu_seconds()?;
        let counts = reduction.explore(&mut space, &mut |_| ()).map_err(stopped)?;
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
