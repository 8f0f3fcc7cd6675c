//! `cargo xtask coloured`: how well the contest's coloured nets unfold.
//!
//! For every coloured instance of the development set: its size, the size of its unfolding
//! and what that cost, and the size of the contest's own place/transition net of the same
//! family and parameter, where there is one. Ours must not be larger.

use anyhow::{Context, bail};
use brine_net::Net;
use brine_pnml::{UnfoldLimits, read_model};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::path::{Path, PathBuf};

/// Compare the unfoldings of the contest's coloured nets with its place/transition nets
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder of the contest's data
    #[arg(long, value_name = "DIR", default_value = "../shared/mcc")]
    data: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let list = args.data.join("dev.txt");
    let list = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    println!("| instance | coloured | unfolded | P/T net of the contest | CPU time |");
    println!("|---|---|---|---|---|");
    let mut larger = Vec::new();
    for name in list.lines().filter(|name| name.contains("-COL-")) {
        let before = cpu_seconds()?;
        let model = read_model(&model_file(&args.data, name), &UnfoldLimits::default())?;
        let time = cpu_seconds()? - before;
        let coloured = model.coloured.with_context(|| format!("{name} is not coloured"))?;
        let (p, t) = (coloured.places.len(), coloured.transitions.len());
        let plain = model_file(&args.data, &name.replace("-COL-", "-PT-"));
        let plain = plain.exists().then(|| brine_pnml::read_pnml(&plain)).transpose()?;
        let (ours, theirs) = (size(&model.net), plain.as_ref().map(size));
        println!(
            "| {name} | {} | {} | {} | {:.0} ms |",
            show([p, t, coloured.arcs]),
            show(ours),
            theirs.map_or_else(|| "-".to_owned(), show),
            time * 1000.0
        );
        if theirs.is_some_and(|theirs| ours.iter().zip(&theirs).any(|(a, b)| a > b)) {
            larger.push(name);
        }
    }
    if !larger.is_empty() {
        bail!("larger than the contest's own: {}", larger.join(", "));
    }
    Ok(())
}

fn model_file(data: &Path, name: &str) -> PathBuf {
    data.join("models").join(name).join("model.pnml")
}

/// Places, transitions, arcs.
fn size(net: &Net) -> [usize; 3] {
    let arcs = net.transitions().map(|t| t.pre.len() + t.post.len()).sum();
    [net.places().len(), net.transitions().len(), arcs]
}

fn show(size: [usize; 3]) -> String {
    size.map(|n| n.to_string()).join(" / ")
}

fn cpu_seconds() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok(usage.user_time().num_microseconds() as f64 / 1e6)
}
