//! `brine show`: a net as a page to play with.

use crate::clock::Clock;
use crate::exit::Exit;
use crate::limits::LimitArgs;
use crate::page::{load_drawn, spots};
use crate::watchdog::{LastWords, Watchdog};
use anyhow::{Context, bail};
use brine_check::show::drawn_net;
use brine_page::{WebPage, html};
use brine_pnml::UnfoldLimits;
use brine_run::Stop;
use std::path::PathBuf;

/// Larger nets make pages that no browser likes.
const LARGEST: usize = 20_000;

/// Draw a net as a page on which tokens can be moved
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine show pnml/philosophers-5.pnml --html philosophers.html
  brine show pnml/philosophers-coloured-5.pnml --html - > coloured.html

The page is one file and needs no network. Click a green transition to fire it, step back and
forth, find places by name, load the runs that brine check --witness runs.jsonl writes. Coloured
nets are unfolded. Of nets with more than 300 places and transitions the part near the tokens is
drawn; all can be found and fired.")]
pub(crate) struct Args {
    /// The net, a PNML file; also compressed (.gz), in a contest archive (.tgz) or a folder, or -
    /// for stdin
    model: PathBuf,
    /// Write the page to this file; - is stdout
    #[arg(long, value_name = "FILE", required = true)]
    html: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    /// Do not print warnings
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let clock = Clock::start(&args.limits);
    let dog = Watchdog::start(clock.fence(1), NotDrawn);
    let text = draw(args, &clock)?;
    // Nobody ends the process any more: what is written is written whole.
    drop(dog.finish());
    if args.html.as_os_str() == "-" {
        print!("{text}");
    } else {
        crate::files::replace(&args.html, &text)?;
    }
    Ok(Exit::Done)
}

/// What is said when a budget runs out.
struct NotDrawn;

impl LastWords for NotDrawn {
    fn speak(&mut self, stop: Stop) -> Exit {
        eprintln!("not drawn: {}", stop.word());
        Exit::Unknown
    }
}

/// The text of the page.
fn draw(args: &Args, clock: &Clock) -> anyhow::Result<String> {
    if args.html.as_os_str() != "-" {
        crate::files::ensure_writable(&args.html).context("--html")?;
    }
    if crate::model::is_language(&args.model) {
        let path = args.model.display();
        bail!(
            "{path}: brine show draws nets, and this model has no places; brine check --html shows \
             its runs with the values of its variables"
        );
    }
    let control = clock.control();
    let source = crate::model::source(&args.model, args.limits.memory_bytes());
    let (file, positions) = load_drawn(&source, &control)?;
    crate::model::show_warnings(&file.warnings, args.quiet);
    let model = file.unfold(&UnfoldLimits::default(), &control)?;
    let net = &model.net;
    let size = net.places().len() + net.transitions().len();
    if size > LARGEST {
        bail!(
            "{}: the net has {size} places and transitions{}, and a page holds {LARGEST}; brine \
             check --html shows the part that a run touches",
            args.model.display(),
            if model.coloured.is_some() { ", unfolded" } else { "" }
        );
    }
    let mut page = WebPage::of_net(drawn_net(net, &spots(&positions)));
    page.title = crate::model::name(net, &args.model);
    Ok(html(&page))
}
