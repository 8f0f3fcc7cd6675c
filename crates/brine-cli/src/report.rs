//! `brine report`: the results of a campaign as one page, as plots for papers, as Markdown.
//! The work is done by [`brine_campaign::report`].

use crate::exit::Exit;
use anyhow::{Context, bail};
use brine_campaign::files::replace;
use brine_campaign::report::{Digest, latex, markdown, page, plots};
use brine_campaign::results;
use std::path::{Path, PathBuf};

/// Make a report of the results of a campaign
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine report results.csv -o report.html
  brine report results.csv --svg figures --latex figures --markdown summary.md

The page needs no network: open it, send it, keep it beside the results.")]
pub(crate) struct Args {
    /// The results of `brine bench`
    #[arg(value_name = "CSV")]
    results: PathBuf,
    /// The page
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["svg", "latex", "markdown"])]
    output: Option<PathBuf>,
    /// Write the plots to this folder, as SVG files
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write the plots to this folder, as LaTeX for pgfplots, with their data inside
    #[arg(long, value_name = "DIR")]
    latex: Option<PathBuf>,
    /// Write the tables as Markdown; - is stdout
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let rows = results::read(&args.results)?;
    if rows.is_empty() {
        bail!("{}: no rows", args.results.display());
    }
    let digest = Digest::new(&rows);
    let stem = args.results.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into());
    if let Some(path) = &args.output {
        replace(path, &page(&stem, &digest)?)?;
    }
    if let Some(path) = &args.markdown {
        let text = markdown(&stem, &digest);
        if path == Path::new("-") {
            print!("{text}");
        } else {
            replace(path, &text)?;
        }
    }
    if let Some(dir) = &args.svg {
        write_all(dir, plots(&digest)?)?;
    }
    if let Some(dir) = &args.latex {
        write_all(dir, latex(&digest))?;
    }
    Ok(Exit::Done)
}

/// Writes files into a folder.
fn write_all(dir: &Path, files: Vec<(String, String)>) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).with_context(|| format!("cannot write {}", dir.display()))?;
    files.iter().try_for_each(|(name, text)| replace(&dir.join(name), text))
}
