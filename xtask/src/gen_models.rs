//! `cargo xtask gen-models`: writes the nets of our own generators.

use anyhow::{Context, Result, bail};
use brine_models::{CATALOGUE, CountSource, FAMILIES, HEADER, family, table_line};
use brine_oracle::count_states;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes the nets in pnml/ with their table of state counts, or one net of any size.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  cargo xtask gen-models\n  \
    cargo xtask gen-models --model philosophers --size 5000 -o /tmp/philosophers-5000.pnml")]
pub(crate) struct Args {
    /// Write one net of this family (--list shows them).
    #[arg(long, value_name = "FAMILY", requires = "size")]
    model: Option<String>,
    /// The size of the net.
    #[arg(long, value_name = "N", requires = "model")]
    size: Option<u32>,
    /// The second parameter, for families that have one.
    #[arg(long, value_name = "N", requires = "model")]
    tokens: Option<u32>,
    /// List the families and their parameters.
    #[arg(long, conflicts_with = "model")]
    list: bool,
    /// The file to write (with --model), or the directory (without).
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.list {
        list();
        return Ok(());
    }
    match (&args.model, args.size) {
        (Some(name), Some(size)) => one(args, name, size),
        _ => catalogue(&args.output.clone().unwrap_or_else(|| PathBuf::from("pnml"))),
    }
}

fn list() {
    for family in FAMILIES {
        println!("{:22} {}", family.name, family.about);
        let tokens = family.tokens.map(|(what, default)| format!("; tokens: {what} ({default})"));
        println!("{:22}   size: {}{}", "", family.size, tokens.unwrap_or_default());
    }
}

/// Writes one net of any size.
fn one(args: &Args, name: &str, size: u32) -> Result<()> {
    let Some(family) = family(name) else {
        let names: Vec<&str> = FAMILIES.iter().map(|f| f.name).collect();
        bail!("unknown family {name}, expected one of {}", names.join(", "));
    };
    if size < family.min_size {
        bail!("{name} needs a size of at least {}", family.min_size);
    }
    if args.tokens.is_some() && family.tokens.is_none() {
        bail!("{name} has no second parameter");
    }
    let default = format!("{}.pnml", family.net_name(size, args.tokens));
    let path = args.output.as_deref().unwrap_or(Path::new(&default));
    write(path, |out| family.write_pnml(size, args.tokens, out))
}

/// Writes the committed nets and their table.
fn catalogue(directory: &Path) -> Result<()> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("creating {}", directory.display()))?;
    let mut table = format!("{HEADER}\n");
    for entry in CATALOGUE {
        let net = entry.net();
        write(&directory.join(entry.file_name()), |out| entry.write_pnml(out))?;
        let counts = match entry.source {
            CountSource::BruteForce => count_states(&net, 1_000_000)
                .with_context(|| format!("{} is too large to count", entry.file_name()))?,
            CountSource::Published(counts) | CountSource::Formula(counts) => counts,
        };
        table.push_str(&table_line(entry, &counts));
        table.push('\n');
    }
    let path = directory.join("states.csv");
    std::fs::write(&path, table).with_context(|| format!("writing {}", path.display()))
}

fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<()> {
    let save = || -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        content(&mut out)?;
        out.flush()
    };
    save().with_context(|| format!("writing {}", path.display()))
}
