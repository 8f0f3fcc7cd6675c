//! Cores that runs are bound to, so that runs made at the same time do not share one.
//!
//! Invariant: a core is in the hands of one run, or here.

use anyhow::bail;
use std::sync::{Mutex, PoisonError};

/// The cores that are free.
#[derive(Debug)]
pub(crate) struct Cores {
    /// Cores for each run; none are bound if it is 0.
    each: usize,
    free: Mutex<Vec<usize>>,
}

impl Cores {
    /// So many cores for each of `jobs` runs at a time.
    pub(crate) fn new(each: Option<u32>, jobs: usize) -> anyhow::Result<Cores> {
        let Some(each) = each.map(|n| n as usize) else {
            return Ok(Cores { each: 0, free: Mutex::new(Vec::new()) });
        };
        let free = allowed()?;
        if each * jobs > free.len() {
            let have = free.len();
            bail!("{jobs} runs at a time with {each} cores each need more than the {have} here");
        }
        Ok(Cores { each, free: Mutex::new(free) })
    }

    /// Cores for a run; none if runs are not bound.
    pub(crate) fn take(&self) -> Vec<usize> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        debug_assert!(free.len() >= self.each, "as many runs at a time as there are cores for");
        let rest = free.len().saturating_sub(self.each);
        free.split_off(rest)
    }

    /// The run has ended.
    pub(crate) fn give_back(&self, cores: Vec<usize>) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).extend(cores);
    }
}

/// The cores that this process may use.
#[cfg(target_os = "linux")]
fn allowed() -> anyhow::Result<Vec<usize>> {
    use nix::sched::{CpuSet, sched_getaffinity};
    let set = sched_getaffinity(nix::unistd::Pid::from_raw(0))?;
    Ok((0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> anyhow::Result<Vec<usize>> {
    bail!("limits.cores needs Linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_at_the_same_time_share_no_core() {
        let cores = Cores { each: 2, free: Mutex::new(vec![0, 1, 4, 5]) };
        let (a, b) = (cores.take(), cores.take());
        assert!(a.len() == 2 && b.len() == 2 && a.iter().all(|core| !b.contains(core)));
        cores.give_back(a.clone());
        assert_eq!(cores.take(), a);
        assert!(Cores::new(None, 1000).unwrap().take().is_empty());
        assert!(Cores::new(Some(1), 1_000_000).is_err());
    }
}
