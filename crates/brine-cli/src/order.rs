//! `--order`, the same for all commands that use decision diagrams.

use brine_net::order::{Candidate, OrderSpec, UnknownOrder, candidates_within};
use brine_net::{Net, Structure};
use brine_run::Control;

/// The order from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct OrderArgs {
    /// The variable order: auto, or `[nupn/|units/|places/]HEURISTIC[+force][/reversed]`
    /// with HEURISTIC one of given, force, sloan, noack, cuthill-mckee, swap
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = order)]
    order: Order,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Auto,
    Named(OrderSpec),
}

fn order(text: &str) -> Result<Order, UnknownOrder> {
    if text == "auto" { Ok(Order::Auto) } else { text.parse().map(Order::Named) }
}

impl OrderArgs {
    /// The order that was named, if one was.
    pub(crate) fn named(self) -> Option<OrderSpec> {
        match self.order {
            Order::Auto => None,
            Order::Named(spec) => Some(spec),
        }
    }

    /// The orders to try, the most promising first.
    pub(crate) fn candidates(
        self,
        net: &Net,
        structure: &Structure,
        control: &Control,
    ) -> anyhow::Result<Vec<Candidate>> {
        let Some(spec) = self.named() else {
            return Ok(candidates_within(net, structure, control)?);
        };
        let layout = spec.layout_within(net, structure, control)?.ok_or_else(|| {
            anyhow::anyhow!("--order {spec}: this net has no such groups; try places/")
        })?;
        Ok(vec![Candidate { spec, layout, score: 0.0 }])
    }
}
