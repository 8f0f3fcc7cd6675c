//! Every pass over a large net looks at its budget: called off after its k-th look, it ends at
//! that look, and between two looks it works for a short time only.
//!
//! Nothing here depends on the clock: the budget is a number of looks, and the work between two
//! of them is measured in the CPU time of the thread, which a busy machine does not change much.

use brine_check::Simplifier;
use brine_models::{database_coloured, philosophers};
use brine_net::order::{Layout, candidates_within};
use brine_net::{Net, PlaceId, Structure, find_growth_within};
use brine_pnml::{ReadError, UnfoldLimits, read_model_from_within, write_pnml};
use brine_reduce::state_equation::StateEquation;
use brine_reduce::{Observed, Preserves, ReduceOptions, reduce};
use brine_run::{Control, Stop, Watch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

/// Nanoseconds of CPU time that may pass between two looks. A linear step that is not
/// interrupted takes some tens of milliseconds for these nets.
const LONGEST: u64 = 400_000_000;

/// Nanoseconds that this thread has worked; `None` where the system does not tell.
fn cpu_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// What happened at the looks of one pass.
#[derive(Default)]
struct Looks {
    count: AtomicU64,
    last: AtomicU64,
    longest: AtomicU64,
}

/// A control that says stop at look `limit`, counted from 1, and what it sees.
fn called_off_at(limit: u64) -> (Control, Arc<Looks>) {
    let (looks, cancel) = (Arc::new(Looks::default()), Arc::new(AtomicBool::new(false)));
    looks.last.store(cpu_time().unwrap_or(0), Ordering::Relaxed);
    let (seen, flag) = (looks.clone(), cancel.clone());
    let watch = Watch(Arc::new(move || {
        let now = cpu_time().unwrap_or(0);
        let before = seen.last.swap(now, Ordering::Relaxed);
        seen.longest.fetch_max(now.saturating_sub(before), Ordering::Relaxed);
        if seen.count.fetch_add(1, Ordering::Relaxed) + 1 >= limit {
            flag.store(true, Ordering::Relaxed);
        }
    }));
    (Control { cancel: Some(cancel), watch: Some(watch), ..Control::default() }, looks)
}

/// Runs a pass without a limit, and then called off at several looks.
fn ends_when_called_off(name: &str, pass: impl Fn(&Control) -> Result<(), Stop>) {
    let (control, looks) = called_off_at(u64::MAX);
    assert_eq!(pass(&control), Ok(()), "{name}: nothing stops it");
    let count = looks.count.load(Ordering::Relaxed);
    let after = cpu_time().unwrap_or(0).saturating_sub(looks.last.load(Ordering::Relaxed));
    let longest = looks.longest.load(Ordering::Relaxed).max(after);
    println!("{name}: {count} looks, at most {} ms between two", longest / 1_000_000);
    assert!(count >= 3, "{name}: {count} looks");
    assert!(longest < LONGEST, "{name}: {} ms without a look", longest / 1_000_000);
    for limit in [1, 2, count / 3, count - 1] {
        let (control, looks) = called_off_at(limit.max(1));
        assert_eq!(pass(&control), Err(Stop::Cancelled), "{name}, at look {limit} of {count}");
        // Whoever cleans up may look once more, but nothing goes on.
        let late = looks.count.load(Ordering::Relaxed) - limit.max(1);
        assert!(late <= 4, "{name}: {late} looks after it was called off");
    }
}

/// A large net, and a smaller one with as many arcs at some of its places.
static NET: LazyLock<Net> = LazyLock::new(|| philosophers(8_000));
static STRUCTURE: LazyLock<Structure> = LazyLock::new(|| Structure::new(&NET));

fn read(text: &[u8], control: &Control) -> Result<(), Stop> {
    match read_model_from_within(text, "net", &UnfoldLimits::default(), control) {
        Ok(_) => Ok(()),
        Err(ReadError::Stopped { stop, .. }) => Err(stop),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn reading_a_net() {
    let mut text = Vec::new();
    write_pnml(&NET, &mut text).unwrap();
    ends_when_called_off("reading", |control| read(&text, control));
}

#[test]
fn unfolding_a_net() {
    let mut text = Vec::new();
    database_coloured(150).write_pnml(&mut text).unwrap();
    ends_when_called_off("unfolding", |control| read(&text, control));
}

#[test]
fn structure() {
    let whole = STRUCTURE.semiflows.flows.len();
    ends_when_called_off("structure", |control| {
        let structure = Structure::within(&NET, control);
        // What there is, is right: no more than in the end, and no bound that is not there.
        let known = |p: PlaceId| structure.bounds.of(p).is_some();
        assert!(structure.semiflows.flows.len() <= whole);
        assert!(NET.place_ids().all(|p| !known(p) || STRUCTURE.bounds.of(p).is_some()));
        structure.stopped.map_or(Ok(()), Err)
    });
}

#[test]
fn orders() {
    ends_when_called_off("orders", |control| {
        candidates_within(&NET, &STRUCTURE, control).map(|all| assert!(!all.is_empty()))
    });
}

#[test]
fn looking_for_growth() {
    ends_when_called_off("growth", |control| find_growth_within(&NET, control).map(|_| ()));
}

#[test]
fn reduction() {
    let mut observed = Observed::new(&NET);
    observed.add_place(PlaceId(0));
    ends_when_called_off("reduction", |control| {
        let options = ReduceOptions { control: control.clone(), ..ReduceOptions::default() };
        reduce(&NET, &observed, Preserves::StutterInvariant, &options).map(|_| ())
    });
}

#[test]
fn simplification() {
    ends_when_called_off("state equation", |control| {
        StateEquation::within(&NET, &STRUCTURE, control).map(|_| ())
    });
    ends_when_called_off("simplifier", |control| {
        Simplifier::within(&NET, &STRUCTURE, control).map(|_| ())
    });
}

#[test]
fn events_over_levels() {
    let layout = Layout::as_given(&NET);
    ends_when_called_off("events", |control| {
        brine_sat::LevelModel::within(&NET, &layout, control).map(|_| ())
    });
}

#[test]
fn saturation() {
    let net = brine_models::kanban(40);
    let layout = Layout::as_given(&net);
    ends_when_called_off("saturation", |control| {
        let model = brine_sat::LevelModel::new(&net, &layout);
        let dd = brine_dd::Dd::new(control.clone());
        brine_sat::Saturation::new(model, dd).reach().map(|_| ())
    });
}
