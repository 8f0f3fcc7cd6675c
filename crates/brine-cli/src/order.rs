//! `--order`, the same for all commands that use decision diagrams.

use brine_check::EngineOptions;
use brine_net::order::{OrderSpec, UnknownOrder};

/// The order from the command line.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Variable order")]
pub(crate) struct OrderArgs {
    /// The variable order: auto, or `[nupn/|units/|places/]HEURISTIC[+force][/reversed]`
    /// with HEURISTIC one of given, force, sloan, noack, cuthill-mckee, swap, louvain
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = order, hide_short_help = true)]
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
    /// Writes down what was given.
    pub(crate) fn fill(self, options: &mut EngineOptions) {
        options.order = match self.order {
            Order::Auto => None,
            Order::Named(spec) => Some(spec),
        };
    }
}
