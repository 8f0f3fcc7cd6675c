//! What merging colours does to the contest's coloured nets, if they are there.
//!
//! BRINE_NETS names another folder of instances for the table.

use brine_coloured::{ColouredNet, UnfoldError, UnfoldLimits, merge, unfold};
use brine_pnml::{AnyNet, read_net_file};
use brine_run::Control;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn instances(folder: &Path) -> Vec<PathBuf> {
    let Ok(folders) = std::fs::read_dir(folder) else {
        println!("skipped: no contest data at {}", folder.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = folders.map(|f| f.expect("contest data").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains("-COL-"));
    paths.sort();
    paths
}

fn coloured(path: &Path) -> ColouredNet {
    let file = File::open(path.join("model.pnml")).expect("contest data");
    let name = path.to_string_lossy();
    match read_net_file(BufReader::new(file), &name, &Control::default()).map(|f| f.net) {
        Ok(AnyNet::Coloured(net)) => net,
        Ok(AnyNet::Plain(_)) => panic!("{name}: not coloured"),
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Places and transitions of the unfolding.
fn size(net: &ColouredNet) -> Option<(usize, usize)> {
    match unfold(net, &UnfoldLimits::default(), &Control::default()) {
        Ok(unfolded) => Some((unfolded.net.places().len(), unfolded.net.transitions().len())),
        Err(UnfoldError::TooLarge(_)) => None,
        Err(error) => panic!("{}: {error:?}", net.name),
    }
}

/// Prints a line for each instance; how many there are, and how many became smaller.
fn table(folder: &Path) -> (usize, usize) {
    let (mut all, mut smaller) = (0, 0);
    for path in instances(folder) {
        let net = coloured(&path);
        let start = Instant::now();
        let merged = merge(&net, &Control::default()).expect("no limits");
        let time = start.elapsed();
        let (full, small) = (size(&net), merged.and_then(|m| size(&m.net)));
        let show =
            |s: Option<(usize, usize)>| s.map_or("-".to_owned(), |(p, t)| format!("{p} / {t}"));
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let (places, transitions) = (net.places.len(), net.transitions.len());
        println!(
            "| {name} | {places} / {transitions} | {} | {} | {:.1} |",
            show(small),
            show(full),
            time.as_secs_f64() * 1000.0
        );
        if let (Some(full), Some(small)) = (full, small) {
            assert!(small.0 <= full.0 && small.1 <= full.1, "{name}: {small:?}, {full:?}");
        }
        all += 1;
        smaller += usize::from(small.is_some() && small != full);
    }
    (all, smaller)
}

#[test]
fn merging_makes_contest_nets_smaller() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/mcc/models");
    let (all, smaller) = table(&data);
    println!("{smaller} of {all} are smaller");
    assert!(all == 0 || smaller > 0);
}

#[test]
#[ignore = "for the table in docs/experiments"]
fn sizes_of_other_instances() {
    let Some(folder) = std::env::var_os("BRINE_NETS") else { return };
    table(Path::new(&folder));
}
