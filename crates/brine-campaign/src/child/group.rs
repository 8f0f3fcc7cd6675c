//! What a whole process group uses: programs that start others, as scripts do.
//!
//! The kernel counts a process that has ended for the one that waited for it. What nobody waits
//! for, and what is killed together, is only seen by looking: for each process of the group the
//! processor time at the last look is kept. Both sums are lower bounds, so the larger one is told;
//! it misses at most what processes did between the last look at them and their end.
//!
//! Memory is the sum of proportional set sizes where there are several processes: pages that they
//! share count once. Cost of a look: one short file for each process of the machine.

use nix::unistd::Pid;
use std::collections::HashMap;
use std::time::Duration;

/// The kernel tells processor time in hundredths of a second, whatever its own clock.
const TICK: Duration = Duration::from_millis(10);

/// What was seen of a group.
#[derive(Debug, Default)]
pub(super) struct GroupUse {
    ticks: HashMap<i32, u64>,
}

impl GroupUse {
    /// Looks at all processes of the group; their memory in mebibytes, if there are any.
    pub(super) fn look(&mut self, group: Pid) -> Option<f64> {
        let mut members = Vec::new();
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            let name = entry.file_name();
            let Some(pid) = name.to_str().and_then(|n| n.parse::<i32>().ok()) else { continue };
            let Some(stat) = Stat::of(pid).filter(|s| s.group == group.as_raw()) else { continue };
            self.ticks.insert(pid, stat.ticks);
            members.push(pid);
        }
        let kib: Vec<f64> = members.iter().filter_map(|&pid| pss_kib(pid)).collect();
        (!kib.is_empty()).then(|| kib.iter().sum::<f64>() / 1024.0)
    }

    /// The processor time of all that was seen.
    pub(super) fn cpu(&self) -> Duration {
        let ticks: u64 = self.ticks.values().sum();
        TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX))
    }
}

/// A line of `/proc/PID/stat`.
struct Stat {
    group: i32,
    ticks: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Stat> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Stat::parse(&text)
    }

    /// The name, in parentheses, may contain anything; numbers begin behind the last one.
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // Field 3 of the manual, the state, is the first one here.
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let group = fields.get(2)?.parse().ok()?;
        Some(Stat { group, ticks: number(14)? + number(15)? })
    }
}

/// The proportional set size of a process.
fn pss_kib(pid: i32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_contain_anything() {
        let text = "12 (a) b (c) S 1 77 77 0 -1 4194304 1 0 0 0 30 4 9 9 20 0 1 0 5 6 7";
        let stat = Stat::parse(text).unwrap();
        assert_eq!((stat.group, stat.ticks), (77, 34));
        assert!(Stat::parse("12 (x").is_none());
    }
}
