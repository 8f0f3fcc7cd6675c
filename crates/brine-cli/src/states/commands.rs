//! `brine states` for guarded commands, through the state-vector interface.

use super::{Args, StatesReport, tell_step, with_progress};
use crate::clock::Clock;
use crate::progress::ProgressLine;
use crate::told::Told;
use crate::watchdog::Watchdog;
use anyhow::bail;
use brine_check::{EngineName, SpaceSpec, model_space};
use brine_dd::resident_bytes;
use brine_pins::PinsStop;
use brine_pins::gcl::GuardedCommands;
use brine_run::Control;

/// Computes the state space of a model; an error is a mistake in the model.
pub(super) fn search(
    args: &Args,
    model: &GuardedCommands,
    clock: &Clock,
    dog: &Watchdog<Told<StatesReport>>,
) -> anyhow::Result<()> {
    let mut options = args.options();
    if options.engine == Some(EngineName::Auto) {
        options.engine = Some(EngineName::Pins);
    }
    let SpaceSpec::Pins { pins, order } = SpaceSpec::new(&options)? else {
        let name = args.engine.name();
        bail!("--engine {name} needs a net; guarded commands need --engine pins");
    };
    if order.is_some() {
        bail!("--order is for nets; --regroup orders the variables of guarded commands");
    }
    dog.words().report.engine = "pins";
    let edges = with_progress(args.quiet, |progress| {
        let control = args.budget(clock).search_control().resident_beyond(resident_bytes());
        let control = Control { progress: Some(progress), ..control };
        let mut line = ProgressLine::new(args.quiet);
        model_space(model, &pins, &control, &mut |step| tell_step(args, dog, &mut line, &step))
    });
    match edges {
        Ok(edges) => dog.words().report.transitions = Some(edges.to_string()),
        Err(PinsStop::Stop(stop)) => return Err(stop.into()),
        Err(PinsStop::Model(error)) => bail!("{}: {error}", args.model.display()),
    }
    Ok(())
}
