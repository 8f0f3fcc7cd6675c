//! `brine states --engine explicit`: the same four numbers, one marking at a time.

use super::{Args, Tokens, Told};
use crate::clock::Clock;
use crate::progress::Progress;
use crate::watchdog::Watchdog;
use brine_explicit::explore::{Exploration, explore};
use brine_explicit::markings::Markings;
use brine_explicit::setup::{firing_order, place_bounds};
use brine_net::Structure;
use brine_pnml::Model;
use brine_run::{Control, Stop};

/// Counts markings and edges, and then looks at all markings once more for their tokens.
pub(super) fn search(
    args: &Args,
    model: &Model,
    structure: &Structure,
    clock: &Clock,
    dog: &Watchdog<Told>,
) -> Result<(), Stop> {
    let net = &model.net;
    let limits = Control {
        deadline: clock.control().deadline,
        charged: clock.memory_left(),
        resident: clock.resident(),
        ..Control::default()
    };
    let mut progress = Progress::new(args.quiet);
    let mut watch = |e: &Exploration| {
        progress.say(|| format!("{} states, {} expanded", e.states, e.expanded));
    };
    let bounds = place_bounds(net, &structure.bounds);
    let mut markings = Markings::new(net, &bounds, &firing_order(net, 0), limits)?;
    let counts = explore(&mut markings, &mut watch)?;
    progress.finish();
    {
        let report = &mut dog.words().report;
        report.states = Some(counts.states.to_string());
        report.transitions = Some(counts.transitions.to_string());
    }
    let (mut most, mut sum) = (0, 0);
    for id in 0..markings.store().len() as u32 {
        markings.meter.tick()?;
        let marking = markings.marking(id);
        most = most.max(marking.iter().copied().max().map_or(0, u64::from));
        sum = sum.max(marking.iter().map(|&tokens| u64::from(tokens)).sum());
    }
    // Tokens of a coloured net that never move are not in its unfolded net.
    let report = &mut dog.words().report;
    report.max_token_in_place = Some(Tokens::Finite(most.max(model.most_idle_tokens())));
    report.max_token_per_marking = Some(Tokens::Finite(sum.saturating_add(model.idle_tokens())));
    Ok(())
}
