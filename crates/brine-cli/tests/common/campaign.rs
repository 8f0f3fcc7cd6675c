//! A campaign with small nets in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A plan with small nets of `pnml/` in a folder of its own.
pub(crate) struct Campaign {
    pub(crate) dir: tempfile::TempDir,
}

/// Every run of this plan takes milliseconds and ends with a verdict.
pub(crate) const PLAN: &str = r#"
repetitions = 2
[limits]
time_s = 60
memory_mib = 1024
[[models]]
glob = "nets/*.pnml"
[[properties]]
ltl = "G !deadlock"
[[properties]]
name = "ends, some time"
ltl = "F deadlock"
[[properties]]
ltl = "G eat_0 + eat_1 <= 1"
models = "phil*"
expected = "holds"
[[configurations]]
name = "plain"
options = ["--engine", "explicit"]
[[configurations]]
name = "tarjan"
options = ["--engine", "explicit", "--emptiness", "tarjan"]
"#;

impl Campaign {
    pub(crate) fn new(plan: &str, nets: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        std::fs::create_dir(dir.path().join("nets")).expect("a folder");
        for net in nets {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pnml").join(net);
            let to = dir.path().join("nets").join(net);
            let [from, to] = [from, to].map(|p| p.with_extension("pnml"));
            std::fs::copy(from, to).expect("copied");
        }
        std::fs::write(dir.path().join("plan.toml"), plan).expect("written");
        Campaign { dir }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_brine"));
        command.arg("bench").args(args).current_dir(self.dir.path());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("brine starts")
    }

    /// The rows without what differs from run to run: times and memory.
    pub(crate) fn rows(&self, name: &str) -> Vec<Vec<String>> {
        let mut reader = csv::Reader::from_path(self.path(name)).expect("results");
        let header = reader.headers().expect("header").clone();
        let varies = ["time_s", "peak_mem_mib", "scc_time_s", "cpu_s", "date"];
        let rows = reader.records().map(|row| {
            let row = row.expect("a whole row");
            let cells = header.iter().zip(&row).filter(|(h, _)| !varies.contains(h));
            cells.map(|(_, cell)| cell.to_owned()).collect()
        });
        rows.collect()
    }
}
