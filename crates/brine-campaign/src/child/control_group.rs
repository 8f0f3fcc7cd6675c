//! Control groups of the kernel: a program with everything that it starts, limited and counted by
//! the kernel, as BenchExec does.
//!
//! A run gets a group of its own below that of this process, joins it before it becomes the program
//! ([`crate::limited`]), and nothing that it starts can leave it. The kernel keeps the limit of
//! memory, counts processor time and the most memory (pages of files that the run reads in
//! included), and says whether it had to kill. At the end whatever is left in the group is killed.
//!
//! Both versions of the interface are served, also beside each other: a controller is in one of
//! them. Version 2 gives controllers to the groups below only from a group without processes of its
//! own; so where this process is alone in its group, as in a delegated scope of systemd, it moves
//! itself one down. Where groups cannot be made, [`why_not`] says so, and programs are watched
//! through `/proc` ([`super::group`]).

use anyhow::{Context, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The version of the interface that a controller is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    One,
    Two,
}

/// The groups of this process that count memory and processor time.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Parents {
    memory: (PathBuf, Version),
    cpu: (PathBuf, Version),
}

/// Found once; that groups can be made is tried, too.
fn parents() -> Result<&'static Parents, &'static str> {
    static FOUND: OnceLock<Result<Parents, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let parents = Parents::find().map_err(|error| format!("{error:#}"))?;
        parents.sweep();
        let group = ControlGroup::below(&parents, None).map_err(|error| format!("{error:#}"))?;
        group.cpu().map(|_| ()).ok_or("the kernel does not count processor time")?;
        Ok(parents)
    });
    found.as_ref().map_err(String::as_str)
}

/// Why runs of other programs get no control groups, if they do not.
pub fn why_not() -> Option<&'static str> {
    parents().err()
}

impl Parents {
    fn find() -> anyhow::Result<Parents> {
        let own = std::fs::read_to_string("/proc/self/cgroup")?;
        let mounts = std::fs::read_to_string("/proc/self/mountinfo")?;
        let unified = directory(&own, &mounts, "").filter(|folder| folder.is_dir());
        let old = |controller: &str| {
            directory(&own, &mounts, controller).filter(|folder| folder.is_dir())
        };
        let memory = match (old("memory"), &unified) {
            (Some(folder), _) => (folder, Version::One),
            (None, Some(folder)) => (lend_memory(folder)?, Version::Two),
            (None, None) => bail!("no control groups are mounted"),
        };
        // Version 2 counts processor time in every group.
        let cpu = match (&memory, unified, old("cpuacct")) {
            ((folder, Version::Two), ..) => (folder.clone(), Version::Two),
            (_, _, Some(folder)) => (folder, Version::One),
            (_, Some(folder), None) => (folder, Version::Two),
            (_, None, None) => bail!("no control group counts processor time"),
        };
        Ok(Parents { memory, cpu })
    }

    /// Removes groups that campaigns left behind which were killed.
    fn sweep(&self) {
        for folder in [&self.memory.0, &self.cpu.0] {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
                let gone = |pid: &str| !Path::new("/proc").join(pid).exists();
                if owner.is_some_and(gone) {
                    // One with processes in it stays.
                    let _ = std::fs::remove_dir(entry.path());
                }
            }
        }
    }
}

/// What groups are called: this, the process, a number.
const PREFIX: &str = "brine-";

/// The folder of this process's group that has a controller; of version 2 if it is empty.
fn directory(own: &str, mounts: &str, controller: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (names, path) = (parts.next()?, parts.next()?);
        names.split(',').any(|name| name == controller).then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut after = after.split(' ');
        let (kind, options) = (after.next()?, after.nth(1)?);
        let fits = match controller {
            "" => kind == "cgroup2",
            _ => kind == "cgroup" && options.split(',').any(|option| option == controller),
        };
        let mut before = before.split(' ').skip(3);
        let (root, mount) = (before.next()?, before.next()?);
        // What is mounted may be a part of the tree, as in containers.
        let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        fits.then(|| Path::new(mount).join(below))
    })
}

/// Version 2: a group whose groups below have the controller of memory.
fn lend_memory(folder: &Path) -> anyhow::Result<PathBuf> {
    let has = |file: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.split_whitespace().any(|name| name == "memory")
    };
    if !has("cgroup.controllers") {
        bail!("{} has no controller of memory", folder.display());
    }
    let lend = || std::fs::write(folder.join("cgroup.subtree_control"), "+memory");
    if has("cgroup.subtree_control") || lend().is_ok() {
        return Ok(folder.to_owned());
    }
    // A group with processes lends nothing: this process moves one down, if it is alone.
    let procs = folder.join("cgroup.procs");
    let id = std::process::id().to_string();
    if std::fs::read_to_string(&procs)?.trim() != id {
        bail!(
            "{} is not this process's alone (systemd-run --user --scope -p Delegate=yes gives one)",
            folder.display()
        );
    }
    let inner = folder.join(format!("{PREFIX}{id}-self"));
    std::fs::create_dir_all(&inner)?;
    std::fs::write(inner.join("cgroup.procs"), "0")?;
    if let Err(error) = lend() {
        std::fs::write(&procs, "0")?;
        return Err(error).with_context(|| format!("{} lends no memory", folder.display()));
    }
    Ok(folder.to_owned())
}

/// The group of one run. Dropping it kills what is left in it.
#[derive(Debug)]
pub(super) struct ControlGroup {
    memory: (PathBuf, Version),
    cpu: (PathBuf, Version),
}

impl ControlGroup {
    /// A group with this limit, if groups can be had here.
    pub(super) fn new(memory: Option<u64>) -> anyhow::Result<Option<ControlGroup>> {
        match parents() {
            Ok(parents) => ControlGroup::below(parents, memory).map(Some),
            Err(_) => Ok(None),
        }
    }

    fn below(parents: &Parents, most: Option<u64>) -> anyhow::Result<ControlGroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let of = |(folder, version): &(PathBuf, Version)| (folder.join(&name), *version);
        let group = ControlGroup { memory: of(&parents.memory), cpu: of(&parents.cpu) };
        for folder in group.folders() {
            let told = || format!("cannot make the control group {}", folder.display());
            std::fs::create_dir(folder).with_context(told)?;
        }
        group.limit(most)?;
        Ok(group)
    }

    fn limit(&self, most: Option<u64>) -> anyhow::Result<()> {
        let (folder, version) = &self.memory;
        let Some(most) = most.map(|bytes| bytes.to_string()) else { return Ok(()) };
        // Swap would be room beside the limit; machines without it have no such file.
        let (limit, swap, none) = match version {
            Version::One => ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", &*most),
            Version::Two => ("memory.max", "memory.swap.max", "0"),
        };
        let told = || format!("cannot limit {}", folder.display());
        std::fs::write(folder.join(limit), &most).with_context(told)?;
        if folder.join(swap).exists() {
            std::fs::write(folder.join(swap), none).with_context(told)?;
        }
        if *version == Version::Two {
            // All or nothing; where the kernel is too old for it, what is left is killed from here.
            let _ = std::fs::write(folder.join("memory.oom.group"), "1");
        }
        Ok(())
    }

    /// The folders of the group, each once.
    fn folders(&self) -> Vec<&Path> {
        let (memory, cpu) = (&*self.memory.0, &*self.cpu.0);
        if memory == cpu { vec![memory] } else { vec![memory, cpu] }
    }

    /// Files into which a process writes 0 to join.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.folders().into_iter().map(|folder| folder.join("cgroup.procs")).collect()
    }

    /// The processor time of all that was in the group.
    pub(super) fn cpu(&self) -> Option<Duration> {
        let (folder, version) = &self.cpu;
        match version {
            Version::One => number(&folder.join("cpuacct.usage"), None).map(Duration::from_nanos),
            Version::Two => {
                number(&folder.join("cpu.stat"), Some("usage_usec")).map(Duration::from_micros)
            }
        }
    }

    /// The most memory of the group, in mebibytes; kernels before 5.19 do not tell it in version 2.
    pub(super) fn peak_mib(&self) -> Option<f64> {
        let (folder, version) = &self.memory;
        let file = match version {
            Version::One => "memory.max_usage_in_bytes",
            Version::Two => "memory.peak",
        };
        number(&folder.join(file), None).map(|bytes| bytes as f64 / (1 << 20) as f64)
    }

    /// Whether the kernel had to kill for want of memory.
    pub(super) fn ran_out(&self) -> bool {
        let (folder, version) = &self.memory;
        let file = match version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        number(&folder.join(file), Some("oom_kill")).is_some_and(|kills| kills > 0)
    }

    /// Kills everything in it, and waits until it has gone, for two seconds at most.
    pub(super) fn clear(&self) {
        for _ in 0..200 {
            let mut members = Vec::new();
            for door in self.doors() {
                let text = std::fs::read_to_string(door).unwrap_or_default();
                members.extend(text.lines().filter_map(|pid| pid.parse::<i32>().ok()));
            }
            // 0 is a process that cannot be seen from here.
            members.retain(|&pid| pid > 0);
            if members.is_empty() {
                return;
            }
            for pid in members {
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        self.clear();
        for folder in self.folders() {
            // A process that is not reaped yet keeps it for a moment.
            for _ in 0..50 {
                match std::fs::remove_dir(folder) {
                    Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => {
                        std::thread::sleep(Duration::from_millis(10));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// A number in a file of the kernel's: the first, or that behind a word at the beginning of a line.
fn number(file: &Path, word: Option<&str>) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let value = match word {
        None => text.trim(),
        Some(word) => text.lines().find_map(|l| l.strip_prefix(word)?.strip_prefix(' '))?,
    };
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpu,cpuacct
35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";

    #[test]
    fn the_own_groups_are_found_in_both_versions() {
        let own = "5:cpu,cpuacct:/a\n4:memory:/docker/abc/d:e\n0::/u/v\n";
        let of = |controller| directory(own, MOUNTS, controller);
        assert_eq!(of("memory"), Some("/sys/fs/cgroup/memory/d:e".into()));
        assert_eq!(of("cpuacct"), Some("/sys/fs/cgroup/cpuacct/a".into()));
        assert_eq!(of(""), Some("/sys/fs/cgroup/unified/u/v".into()));
        assert_eq!(of("pids"), None);
        assert_eq!(directory("0::/", "", ""), None);
    }

    /// A folder that looks like a group of version 2.
    #[test]
    fn figures_of_version_2_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        let group = ControlGroup {
            memory: (folder.path().to_owned(), Version::Two),
            cpu: (folder.path().to_owned(), Version::Two),
        };
        assert_eq!((group.cpu(), group.peak_mib(), group.ran_out()), (None, None, false));
        write("cpu.stat", "usage_usec 1500000\nuser_usec 7\n");
        write("memory.peak", "3145728\n");
        write("memory.events", "low 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n");
        write("memory.swap.max", "max");
        group.limit(Some(1000)).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!((read("memory.max"), read("memory.swap.max")), ("1000".into(), "0".into()));
        assert_eq!(group.cpu(), Some(Duration::from_millis(1500)));
        assert_eq!((group.peak_mib(), group.ran_out()), (Some(3.0), true));
    }

    /// As the root of version 2, and as a delegated group.
    #[test]
    fn version_2_lends_memory_or_says_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        let message = || lend_memory(folder.path()).unwrap_err().to_string();
        write("cgroup.controllers", "cpu pids");
        assert!(message().contains("no controller of memory"));
        write("cgroup.controllers", "cpu memory");
        write("cgroup.subtree_control", "cpu memory");
        assert_eq!(lend_memory(folder.path()).unwrap(), folder.path());
        std::fs::remove_file(folder.path().join("cgroup.subtree_control")).unwrap();
        std::fs::create_dir(folder.path().join("cgroup.subtree_control")).unwrap();
        write("cgroup.procs", "1\n2\n");
        assert!(message().contains("not this process's alone"), "{}", message());
    }
}
