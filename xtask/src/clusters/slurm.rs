//! One node of Slurm: munged, slurmctld, slurmd, started and ended here.

use super::{Array, said, wait_for_rows, wait_until};
use anyhow::Context;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where Debian puts daemons.
const DAEMONS: &str = "/usr/sbin";
/// Away from the ports of a real cluster.
const PORT: u32 = 26_817;

/// Runs the array, kills the node and the controller, resumes, compares.
pub(super) fn run(array: &Array, folder: &Path, install: bool) -> anyhow::Result<()> {
    let missing = || ["munged", "slurmctld", "slurmd"].into_iter().find(|d| !daemon(d).is_file());
    if missing().is_some() && install {
        said(Command::new("apt-get").args([
            "install",
            "-y",
            "--no-install-recommends",
            "slurm-wlm",
            "munge",
        ]))?;
    }
    if let Some(name) = missing() {
        println!("Slurm: skipped, no {name} (apt-get install slurm-wlm munge, or --install)");
        return Ok(());
    }
    let (script, out) = array.script(folder, "slurm")?;
    let node = Node::start(folder)?;
    let job = node.ask(
        "sbatch",
        &[
            "--parsable",
            &format!("--output={}", node.file("job-%a.txt")),
            &script.to_string_lossy(),
        ],
    )?;
    println!("Slurm: job {}", job.trim());
    let before = wait_for_rows(&out, 10)?;
    node.kill_worker()?;
    node.kill_controller()?;
    println!("Slurm: {before} rows, then slurmd, its tasks and slurmctld were killed");
    node.start_controller()?;
    node.start_worker()?;
    wait_until("end of the array", || {
        let queue = node.ask("squeue", &["--noheader", "--array"]);
        // The controller may not be there yet.
        Ok(queue.ok().filter(|q| q.trim().is_empty()).map(|_| ()))
    })?;
    array.finish(&out)?;
    println!("Slurm: equal");
    Ok(())
}

fn daemon(name: &str) -> PathBuf {
    Path::new(DAEMONS).join(name)
}

/// A cluster of one node; dropping it ends it.
struct Node {
    folder: PathBuf,
}

impl Node {
    fn start(folder: &Path) -> anyhow::Result<Node> {
        let node = Node { folder: folder.to_owned() };
        for name in ["state", "spool", "munge"] {
            std::fs::create_dir_all(folder.join(name))?;
        }
        // Munge wants its folder and its key for itself alone.
        said(Command::new("chmod").args(["700", &node.file("munge")]))?;
        let key: Vec<u8> = {
            use std::io::Read;
            let mut key = vec![0; 1024];
            std::fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
            key
        };
        std::fs::write(node.file("munge/key"), key)?;
        said(Command::new("chmod").args(["400", &node.file("munge/key")]))?;
        let option = |name: &str, file: &str| format!("--{name}={}", node.file(file));
        said(Command::new(daemon("munged")).arg("--force").args([
            option("key-file", "munge/key"),
            option("socket", "munge/socket"),
            option("pid-file", "munge.pid"),
            option("log-file", "munge/log"),
            option("seed-file", "munge/seed"),
        ]))?;
        let host = said(Command::new("hostname").arg("-s"))?.trim().to_owned();
        std::fs::write(node.file("slurm.conf"), node.configuration(&host))?;
        node.start_controller()?;
        node.start_worker()?;
        wait_until("idle node", || {
            let states = node.ask("sinfo", &["--noheader", "--format=%t"]);
            Ok(states.ok().filter(|s| s.trim() == "idle").map(|_| ()))
        })?;
        Ok(node)
    }

    fn configuration(&self, host: &str) -> String {
        let Node { folder } = self;
        let folder = folder.display();
        format!(
            "ClusterName=brine\nSlurmctldHost={host}(127.0.0.1)\n\
             AuthInfo=socket={folder}/munge/socket\n\
             SlurmUser=root\nSlurmdUser=root\n\
             SlurmctldPort={PORT}\nSlurmdPort={}\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\n\
             SwitchType=switch/none\nMpiDefault=none\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_Core_Memory\nReturnToService=2\nBatchStartTimeout=5\n\
             SlurmdTimeout=20\nSlurmctldTimeout=20\nKillWait=5\n\
             SlurmdParameters=config_overrides\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=6000 State=UNKNOWN\n\
             PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            PORT + 1
        )
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// What a command of Slurm says about this cluster.
    fn ask(&self, command: &str, args: &[&str]) -> anyhow::Result<String> {
        said(Command::new(command).args(args).env("SLURM_CONF", self.file("slurm.conf")))
    }

    fn start_daemon(&self, name: &str) -> anyhow::Result<()> {
        let conf = self.file("slurm.conf");
        said(Command::new(daemon(name)).args(["-f", &conf]).env("SLURM_CONF", &conf)).map(|_| ())
    }

    fn start_controller(&self) -> anyhow::Result<()> {
        self.start_daemon("slurmctld")
    }

    fn start_worker(&self) -> anyhow::Result<()> {
        self.start_daemon("slurmd")
    }

    fn pid(&self, name: &str) -> anyhow::Result<Pid> {
        let text = std::fs::read_to_string(self.file(&format!("{name}.pid")))?;
        Ok(Pid::from_raw(text.trim().parse().with_context(|| format!("{name}.pid: {text}"))?))
    }

    fn kill_controller(&self) -> anyhow::Result<()> {
        Ok(kill(self.pid("slurmctld")?, Signal::SIGKILL)?)
    }

    /// What a power cut does to a node: the daemon, the keepers of its jobs, the jobs themselves.
    fn kill_worker(&self) -> anyhow::Result<()> {
        let tasks = self.ask("scontrol", &["listpids"])?;
        kill(self.pid("slurmd")?, Signal::SIGKILL)?;
        let first = |line: &str| line.split_whitespace().next()?.parse::<i32>().ok();
        for task in tasks.lines().skip(1).filter_map(first).filter(|&pid| pid > 0) {
            // Whoever keeps a task that is its child is a slurmstepd of this cluster.
            if let Some(keeper) = parent(task).filter(|&p| name(p).starts_with("slurmstepd")) {
                let _ = kill(Pid::from_raw(keeper), Signal::SIGKILL);
            }
            // It may have ended meanwhile.
            let _ = kill(Pid::from_raw(task), Signal::SIGKILL);
        }
        Ok(())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        for name in ["slurmd", "slurmctld", "munge"] {
            if let Ok(pid) = self.pid(name) {
                let _ = kill(pid, Signal::SIGTERM);
            }
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// The parent of a process.
fn parent(pid: i32) -> Option<i32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|l| l.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// What a process is called.
fn name(pid: i32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default()
}
