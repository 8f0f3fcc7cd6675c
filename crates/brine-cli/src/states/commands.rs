//! `brine states` for guarded commands, through the state-vector interface.

use super::{Args, Engine, Told, with_limits};
use crate::clock::Clock;
use crate::pins::{Explored, Figures, explore};
use crate::watchdog::Watchdog;
use anyhow::bail;
use brine_dd::{Control, Stop, with_deep_stack};
use brine_pins::gcl::Model;
use brine_pins::{Failure, Pins, SlotId};

/// Computes the state space of a model; an error is a mistake in the model.
pub(super) fn search(
    args: &Args,
    model: &Model,
    clock: &Clock,
    dog: &Watchdog<Told>,
) -> anyhow::Result<()> {
    if matches!(args.engine, Engine::Symbolic | Engine::Explicit) {
        let name = args.engine.name();
        bail!("--engine {name} needs a net; guarded commands need --engine pins");
    }
    if args.order.named().is_some() {
        bail!("--order is for nets; --regroup orders the variables of guarded commands");
    }
    dog.words().report.engine = "pins";
    match with_limits(args, clock, |control| compute(args, model, control, dog)) {
        Ok(()) => Ok(()),
        Err(Failure::Stop(stop)) => Err(stop.into()),
        Err(Failure::Model(error)) => bail!("{}: {error}", args.model.display()),
    }
}

fn compute(
    args: &Args,
    model: &Model,
    control: &Control,
    dog: &Watchdog<Told>,
) -> Result<(), Failure> {
    let order = (0..model.slots() as u32).map(SlotId).collect();
    let mut explored = explore(model, &args.pins, order, control)?;
    let figures = Figures::new(&explored, model, &args.pins);
    if args.stats {
        figures.print();
    }
    let Explored { explorer, reached, .. } = &mut explored;
    let (states, final_nodes) = (explorer.dd.count(*reached), explorer.dd.node_count(*reached));
    {
        let report = &mut dog.words().report;
        report.states = Some(states.to_string());
        report.peak_nodes = Some(explorer.dd.stats().peak_nodes);
        report.final_nodes = Some(final_nodes);
        report.pins = Some(figures);
    }
    // A thread that the system refuses is a lack of memory.
    let edges = with_deep_stack(model.slots(), || explorer.edges(*reached))
        .unwrap_or(Err(Failure::Stop(Stop::Memory)))?;
    dog.words().report.transitions = Some(edges.to_string());
    Ok(())
}
