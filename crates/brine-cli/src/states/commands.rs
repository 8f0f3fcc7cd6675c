//! `brine states` for models that are no nets, through the state-vector interface.

use super::{Args, Complaint, Listener, StatesReport, with_progress};
use crate::clock::Clock;
use crate::model::LanguageModel;
use crate::told::Told;
use crate::watchdog::Watchdog;
use anyhow::bail;
use brine_check::{
    EngineName, SetupError, SpaceSpec, SpaceStep, explored_space, model_orders, model_space,
};
use brine_dd::resident_bytes;
use brine_pins::{ModelError, PinsStop};
use brine_run::Control;

/// Computes the state space of a model; an error is a mistake in the model.
pub(super) fn search(
    args: &Args,
    model: &LanguageModel,
    clock: &Clock,
    dog: &Watchdog<Told<StatesReport>>,
) -> anyhow::Result<()> {
    let mut options = args.options();
    if options.engine == Some(EngineName::Auto) {
        let diagrams = options.of_pins().is_some() || options.order.is_some();
        let explicit = model.is_explicit() && !diagrams;
        let engine = if explicit { EngineName::Explicit } else { EngineName::Pins };
        options.engine = Some(engine);
    }
    if args.no_reduction {
        bail!("--no-reduction is for nets");
    }
    let spec = SpaceSpec::new(&options)?;
    dog.words().report.engine = spec.name();
    let mut listener = Listener::new(args, dog)?;
    let result = match &spec {
        SpaceSpec::Explicit => explicit(args, model, clock, &mut listener),
        SpaceSpec::Pins { pins, order } => with_progress(args.quiet, |progress| {
            let control = args.budget(clock).search_control().resident_beyond(resident_bytes());
            let control = Control { progress: Some(progress), ..control };
            let tell = &mut |step: SpaceStep<'_>| listener.hear(&step);
            let orders = match model_orders(model.pins(), pins, *order, &control.without_work()) {
                Ok(orders) => orders,
                Err(SetupError::Stop(stop)) => return Err(stop.into()),
                Err(SetupError::BadOption(bad)) => return Err(ModelError(bad.0).into()),
            };
            let edges = model_space(model.pins(), pins, &orders, &control, tell)?;
            dog.words().report.transitions = Some(edges.to_string());
            Ok(())
        }),
        SpaceSpec::Symbolic { .. } => {
            let name = args.engine.name();
            bail!("--engine {name} needs a net; models have --engine pins and explicit");
        }
    };
    match result {
        Ok(()) => listener.finish(),
        Err(PinsStop::Stop(stop)) => Err(stop.into()),
        Err(PinsStop::Model(error)) => bail!("{}: {error}", args.model.display()),
    }
}

fn explicit(
    args: &Args,
    model: &LanguageModel,
    clock: &Clock,
    listener: &mut Listener<'_>,
) -> Result<(), PinsStop> {
    let control = Control {
        charged: clock.memory_left(),
        resident: clock.resident(),
        ..args.budget(clock).search_control()
    };
    let tell = &mut |step: SpaceStep<'_>| listener.hear(&step);
    let space = explored_space(model.pins(), 0, control, tell)?;
    listener.dog.words().report.complaint =
        space.complaint.map(|(states, first)| Complaint { states, first });
    Ok(())
}
