//! `brine completions` and `brine man`: what shells and manuals say, from the one definition of the
//! options.

use crate::Cli;
use crate::exit::Exit;
use crate::files::replace;
use anyhow::{Context, bail};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;

/// Print a script with which a shell completes commands and options
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine completions bash > ~/.local/share/bash-completion/completions/brine
  brine completions zsh > ~/.zfunc/_brine
  brine completions fish > ~/.config/fish/completions/brine.fish")]
pub(crate) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

/// Print a manual page
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  brine man check | man -l -
  brine man --folder ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// The command it is about [default: brine itself]
    command: Option<String>,
    /// Write all pages to this folder instead, as brine.1, brine-check.1 and so on
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    folder: Option<PathBuf>,
}

/// Prints the script of a shell.
pub(crate) fn complete(args: CompletionArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "brine", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
    Ok(Exit::Done)
}

/// Prints or writes pages of the manual.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    let pages = pages()?;
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot write {}", folder.display()))?;
        for (name, text) in &pages {
            replace(&folder.join(format!("{name}.1")), text)?;
        }
        return Ok(Exit::Done);
    }
    let wanted = match &args.command {
        Some(command) => format!("brine-{command}"),
        None => "brine".to_owned(),
    };
    let Some((_, text)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let known: Vec<&str> =
            pages.iter().filter_map(|(name, _)| name.strip_prefix("brine-")).collect();
        bail!(
            "no command is called {}; known are {}",
            wanted.replace("brine-", ""),
            known.join(", ")
        );
    };
    print!("{text}");
    Ok(Exit::Done)
}

/// The name of each page, and its text.
fn pages() -> anyhow::Result<Vec<(String, String)>> {
    let mut brine = Cli::command();
    brine.build();
    let mut pages = vec![page("brine", brine.clone())?];
    for command in brine.get_subcommands().filter(|c| !c.is_hide_set() && c.get_name() != "help") {
        let name = format!("brine-{}", command.get_name());
        pages.push(page(&name, command.clone())?);
    }
    Ok(pages)
}

fn page(name: &str, command: clap::Command) -> anyhow::Result<(String, String)> {
    let mut text = Vec::new();
    Man::new(command).title(name).render(&mut text)?;
    Ok((name.to_owned(), String::from_utf8(text)?))
}
