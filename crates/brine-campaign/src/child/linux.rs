//! Starting, watching and reaping a process on Linux.

use super::control_group::ControlGroup;
use super::group::GroupUse;
use super::{ChildEnd, Finished, Job, THIS_PROGRAM};
use anyhow::Context;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// More output than this is read but not kept.
const MOST_OUTPUT: u64 = 1 << 30;
/// More messages than this are read but not kept.
const MOST_MESSAGES: u64 = 1 << 16;

impl Job {
    /// Runs the command to its end, which comes at once when `interrupted` becomes true.
    pub fn run(&self, interrupted: &AtomicBool) -> anyhow::Result<Finished> {
        let kept_by_kernel = match self.control_group {
            true => ControlGroup::new(self.memory)?,
            false => None,
        };
        let start = Instant::now();
        let mut child = self
            .command(kept_by_kernel.as_ref())
            .spawn()
            .with_context(|| format!("cannot start {}", self.program.display()))?;
        let stdout = child.stdout.take().context("no output")?;
        let stderr = child.stderr.take().context("no messages")?;
        let pid = Pid::from_raw(child.id() as i32);
        let mut watch = ChildWatch {
            job: self,
            start,
            pid,
            interrupted,
            peak_mem_mib: None,
            group: GroupUse::default(),
            kept_by_kernel,
        };
        let (stdout, stderr, early) = std::thread::scope(|scope| {
            let stdout = scope.spawn(move || kept(stdout, MOST_OUTPUT));
            let stderr = scope.spawn(move || kept(stderr, MOST_MESSAGES));
            let early = watch.wait();
            // Whatever else is in the group would keep the pipes open; mostly there is nothing.
            let _ = killpg(pid, Signal::SIGKILL);
            if let Some(group) = &watch.kept_by_kernel {
                group.clear();
            }
            (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default(), early)
        });
        let wall = start.elapsed();
        let used = child.wait4()?;
        let kernel = watch.kept_by_kernel.as_ref();
        let seen = (used.rusage.utime + used.rusage.stime).max(watch.group.cpu());
        let end = match kernel.is_some_and(ControlGroup::ran_out) {
            // Another limit that it passed as well came later.
            true => ChildEnd::Memory,
            false => early?.unwrap_or(ChildEnd::Exited(used.status)),
        };
        Ok(Finished {
            end,
            wall,
            cpu: kernel.and_then(ControlGroup::cpu).unwrap_or(seen),
            peak_mem_mib: kernel.and_then(ControlGroup::peak_mib).or(watch.peak_mem_mib),
            stdout,
            stderr,
        })
    }

    fn command(&self, group: Option<&ControlGroup>) -> Command {
        let mut command = Command::new(THIS_PROGRAM);
        command.arg("limited").args(["--parent", &std::process::id().to_string()]);
        if let Some(bytes) = self.address_space {
            command.args(["--address-space", &bytes.to_string()]);
        }
        if let Some(seconds) = self.cpu_s {
            command.args(["--cpu", &seconds.to_string()]);
        }
        for core in &self.cores {
            command.args(["--core", &core.to_string()]);
        }
        for door in group.map(ControlGroup::doors).unwrap_or_default() {
            command.arg("--join").arg(door);
        }
        command.arg("--").arg(&self.program).args(&self.args);
        command.envs(self.env.iter().cloned());
        // A backtrace takes memory: with none left, the standard library would wait for itself.
        command.env_remove("RUST_BACKTRACE");
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        // A group of its own: Ctrl-C reaches this process alone, which then ends what it started.
        command.process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The watch over one process.
struct ChildWatch<'a> {
    job: &'a Job,
    start: Instant,
    pid: Pid,
    interrupted: &'a AtomicBool,
    peak_mem_mib: Option<f64>,
    group: GroupUse,
    /// Its control group, if it has one.
    kept_by_kernel: Option<ControlGroup>,
}

impl ChildWatch<'_> {
    /// Waits until the process has ended, and kills it when it must go: then this says why. The
    /// process is not reaped, so its number stays its own.
    fn wait(&mut self) -> anyhow::Result<Option<ChildEnd>> {
        let mut pause = Duration::from_millis(1);
        while !self.has_ended(WaitPidFlag::WNOHANG)? {
            // The last look at a group comes before its processes are gone.
            if let Some(end) = self.must_go() {
                let _ = killpg(self.pid, Signal::SIGKILL);
                self.has_ended(WaitPidFlag::empty())?;
                return Ok(Some(end));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        Ok(None)
    }

    fn has_ended(&self, how: WaitPidFlag) -> anyhow::Result<bool> {
        loop {
            match waitid(Id::Pid(self.pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | how) {
                Ok(WaitStatus::StillAlive) => return Ok(false),
                Ok(_) => return Ok(true),
                Err(nix::errno::Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Why the process must go, if it must.
    fn must_go(&mut self) -> Option<ChildEnd> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(ChildEnd::Interrupted);
        }
        let kernel = self.kept_by_kernel.as_ref();
        let seen = match (kernel, self.job.whole_group) {
            (Some(group), _) if group.ran_out() => return Some(ChildEnd::Memory),
            (Some(group), _) if group.peak_mib().is_some() => None,
            (_, true) => self.group.look(self.pid),
            (_, false) => peak_mib(self.pid),
        };
        if let Some(mib) = seen {
            self.peak_mem_mib = Some(self.peak_mem_mib.unwrap_or(0.0).max(mib));
        }
        if self.job.time.is_some_and(|time| self.start.elapsed() >= time) {
            return Some(ChildEnd::Timeout);
        }
        let most = self.job.memory? as f64 / (1 << 20) as f64;
        self.peak_mem_mib.is_some_and(|peak| peak > most).then_some(ChildEnd::Memory)
    }
}

/// The most memory of a process so far; nothing if it has gone.
fn peak_mib(pid: Pid) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024.0)
}

/// Reads to the end, so that the process never waits for its reader; keeps the beginning.
fn kept(mut from: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A pipe that breaks has ended.
    let _ = from.by_ref().take(most).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    bytes
}
