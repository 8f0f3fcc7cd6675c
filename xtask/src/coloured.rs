//! `cargo xtask coloured`: how well the contest's coloured nets unfold.
//!
//! For every coloured instance of the development set: its size, the size of its unfolding
//! and what that cost, and the size of the contest's own place/transition net of the same
//! family and parameter, where there is one. Ours must not be larger.
//!
//! With `--folder`, what unfolding the coloured nets below a folder costs: time and peak memory,
//! each in a process of its own.

use anyhow::{Context, bail};
use brine_net::Net;
use brine_pnml::{UnfoldLimits, read_model};
use brine_run::{Control, peak_resident_bytes};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Compare the unfoldings of the contest's coloured nets with its place/transition nets
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The folder of the contest's data
    #[arg(long, value_name = "DIR", default_value = "../shared/mcc")]
    data: PathBuf,
    /// Measure the unfolding of the coloured nets of this folder instead
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Only instances whose name contains this
    #[arg(long, default_value = "", requires = "folder")]
    filter: String,
    /// Memory for each unfolding
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: u64,
    /// Seconds for each unfolding
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Unfold this one file in this process, and tell the costs
    #[arg(long, value_name = "FILE", hide = true)]
    one: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match (&args.one, &args.folder) {
        (Some(file), _) => measure_one(file, args),
        (None, Some(folder)) => measure_folder(folder, args),
        (None, None) => compare(args),
    }
}

/// Unfolds one net: `places / transitions / arcs | seconds | MiB | per million arcs`, or why not.
fn measure_one(file: &Path, args: &Args) -> anyhow::Result<()> {
    let deadline = Instant::now().checked_add(Duration::from_secs(args.seconds));
    let control = Control { deadline, resident: Some(args.memory << 20), ..Control::default() };
    let read = brine_pnml::read_net_file(std::fs::File::open(file)?, "net", &control)?;
    let before = cpu_seconds()?;
    let model = match read.unfold(&UnfoldLimits::default(), &control) {
        Ok(model) => model,
        Err(error) => {
            let (time, peak) = (cpu_seconds()? - before, peak_resident_bytes() >> 20);
            println!("{error} | {time:.1} s | {peak} MiB | - |");
            return Ok(());
        }
    };
    let time = cpu_seconds()? - before;
    let peak = (peak_resident_bytes() >> 20) as f64;
    let millions = model.net.arcs() as f64 / 1e6;
    // What the process takes anyway would hide what small nets take.
    let each = match millions < 0.1 {
        true => "-".to_owned(),
        false => format!("{:.2} s, {:.0} MiB", time / millions, peak / millions),
    };
    println!("{} | {time:.2} s | {peak:.0} MiB | {each} |", show(size(&model.net)));
    Ok(())
}

fn measure_folder(folder: &Path, args: &Args) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.retain(|name| name.contains("-COL-") && name.contains(&args.filter));
    names.sort();
    println!("| instance | unfolded | CPU time | peak memory | per million arcs |");
    println!("|---|---|---|---|---|");
    for name in names {
        let output = Command::new(std::env::current_exe()?)
            .args(["coloured", "--memory", &args.memory.to_string()])
            .args(["--seconds", &args.seconds.to_string()])
            .arg("--one")
            .arg(folder.join(&name).join("model.pnml"))
            .output()?;
        print!("| {name} | {}", String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            println!("{} | - | - | - |", String::from_utf8_lossy(&output.stderr).trim());
        }
    }
    Ok(())
}

fn compare(args: &Args) -> anyhow::Result<()> {
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
    [net.places().len(), net.transitions().len(), net.arcs()]
}

fn show(size: [usize; 3]) -> String {
    size.map(|n| n.to_string()).join(" / ")
}

fn cpu_seconds() -> anyhow::Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok(usage.user_time().num_microseconds() as f64 / 1e6)
}
