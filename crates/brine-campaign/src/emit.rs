//! `brine bench --emit`: a campaign as a job array of an engine that runs on many machines.
//!
//! Brine writes no scheduler. A task of the array is `brine bench PLAN --part I/N` with a
//! results file of its own, so a task that is requeued goes on where it was stopped. The
//! parts together make the same rows as the campaign on one machine.

use crate::plan::Limits;
use std::path::Path;

/// An engine for job arrays.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayTarget {
    /// A script for `sbatch`
    Slurm,
    /// A script for `hq submit`
    Hyperqueue,
    /// A script that runs GNU parallel
    Parallel,
}

/// What the scripts are made from.
#[derive(Debug)]
pub struct JobArray<'a> {
    /// The words of `brine bench PLAN ...`, without part and output.
    pub command: Vec<String>,
    /// What the job is called.
    pub name: String,
    /// The tasks of the array.
    pub parts: usize,
    /// The most runs in one part.
    pub runs_in_part: usize,
    /// What each run may use.
    pub limits: Limits,
    /// The results file.
    pub out: &'a Path,
}

/// Minutes and mebibytes beside what the runs themselves may use.
const SPARE_MINUTES: u64 = 5;
const SPARE_MIB: u64 = 256;

impl JobArray<'_> {
    /// The script.
    pub fn script(&self, target: ArrayTarget) -> String {
        match target {
            ArrayTarget::Slurm => self.slurm(),
            ArrayTarget::Hyperqueue => self.hyperqueue(),
            ArrayTarget::Parallel => self.parallel(),
        }
    }

    fn slurm(&self) -> String {
        let JobArray { name, parts, .. } = self;
        let (minutes, memory) = (self.minutes(), self.memory_mib());
        let cores = self.limits.cores.unwrap_or(1);
        format!(
            "#!/bin/bash\n\
             # Submit with: sbatch THIS-FILE\n\
             # Afterwards:  {}\n\
             #SBATCH --job-name={name}\n\
             #SBATCH --array=1-{parts}\n\
             #SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task={cores}\n\
             #SBATCH --time={minutes}\n\
             #SBATCH --mem={memory}M\n\
             #SBATCH --requeue\n\
             set -eu\n\
             {}\n\
             {}\n",
            self.merge(),
            self.make_folder(),
            self.part("$SLURM_ARRAY_TASK_ID")
        )
    }

    fn hyperqueue(&self) -> String {
        let JobArray { name, parts, .. } = self;
        let (minutes, memory) = (self.minutes(), self.memory_mib());
        let cores = self.limits.cores.unwrap_or(1);
        format!(
            "#!/bin/bash\n\
             #HQ --name={name}\n\
             #HQ --array=1-{parts}\n\
             #HQ --cpus={cores}\n\
             #HQ --resource mem={memory}\n\
             #HQ --time-limit={minutes}m\n\
             # Submit with: hq submit THIS-FILE\n\
             # Afterwards:  {}\n\
             set -eu\n\
             {}\n\
             {}\n",
            self.merge(),
            self.make_folder(),
            self.part("$HQ_TASK_ID")
        )
    }

    fn parallel(&self) -> String {
        format!(
            "#!/bin/bash\n\
             # PlannedRun with: JOBS=2 bash THIS-FILE\n\
             # On many machines: set SSHLOGINS to a file of hosts that share this folder.\n\
             set -u\n\
             export SHELL=/bin/bash\n\
             {}\n\
             part() {{\n  {}\n}}\n\
             export -f part\n\
             seq 1 {} | parallel --will-cite --jobs \"${{JOBS:-1}}\" \
             ${{SSHLOGINS:+--sshloginfile \"$SSHLOGINS\" --env part}} part\n\
             status=$?\n\
             {} || status=$?\n\
             exit $status\n",
            self.make_folder(),
            self.part("$1"),
            self.parts,
            self.merge()
        )
    }

    /// The longest that a part may take, in minutes.
    fn minutes(&self) -> u64 {
        let seconds = (self.limits.time_s + 3.0) * self.runs_in_part as f64;
        (seconds / 60.0).ceil() as u64 + SPARE_MINUTES
    }

    fn memory_mib(&self) -> u64 {
        let budget = self.limits.memory_mib;
        budget + (budget / 8).max(64) + SPARE_MIB
    }

    fn folder(&self) -> String {
        format!("{}.parts", self.out.display())
    }

    fn make_folder(&self) -> String {
        format!("mkdir -p {}", quote(&self.folder()))
    }

    /// The command of one part; `number` is the shell's variable.
    fn part(&self, number: &str) -> String {
        let command: Vec<String> = self.command.iter().map(|w| quote(w)).collect();
        let folder = quote(&self.folder());
        let parts = self.parts;
        let command = command.join(" ");
        format!("{command} --quiet --part \"{number}/{parts}\" -o {folder}/\"{number}\".csv")
    }

    fn merge(&self) -> String {
        let program = self.command.first().map_or("brine", String::as_str);
        let (program, folder) = (quote(program), quote(&self.folder()));
        let out = quote(&self.out.display().to_string());
        format!("{program} bench --merge {folder}/*.csv -o {out}")
    }
}

/// A word as the shell must see it.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(out: &Path) -> JobArray<'_> {
        JobArray {
            command: ["/bin/brine", "bench", "/a b/plan.toml"].map(str::to_owned).to_vec(),
            name: "brine-plan".to_owned(),
            parts: 7,
            runs_in_part: 100,
            limits: Limits { time_s: 57.0, memory_mib: 4096, cpu_s: None, cores: None },
            out,
        }
    }

    #[test]
    fn words_survive_the_shell() {
        for word in ["plain", "a b", "it's", "*$HOME`", "", "ü"] {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", quote(word))])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), word);
        }
    }

    #[test]
    fn scripts_ask_for_what_their_parts_need() {
        let slurm = array(Path::new("/out/r.csv")).script(ArrayTarget::Slurm);
        for line in [
            "#SBATCH --array=1-7",
            "#SBATCH --time=105",
            "#SBATCH --mem=4864M",
            "mkdir -p /out/r.csv.parts",
            "/bin/brine bench '/a b/plan.toml' --quiet --part \"$SLURM_ARRAY_TASK_ID/7\" \
             -o /out/r.csv.parts/\"$SLURM_ARRAY_TASK_ID\".csv",
        ] {
            assert!(slurm.lines().any(|l| l == line), "{line} in\n{slurm}");
        }
        let hq = array(Path::new("/out/r.csv")).script(ArrayTarget::Hyperqueue);
        assert!(hq.contains("#HQ --array=1-7\n") && hq.contains("\"$HQ_TASK_ID/7\""), "{hq}");
    }

    #[test]
    fn every_script_is_one_that_bash_reads() {
        for target in [ArrayTarget::Slurm, ArrayTarget::Hyperqueue, ArrayTarget::Parallel] {
            let script = array(Path::new("/it's/r.csv")).script(target);
            let status =
                std::process::Command::new("bash").args(["-n", "-c", &script]).status().unwrap();
            assert!(status.success(), "{script}");
        }
    }
}
