//! What BenchKit allows: seconds of wall-clock time and mebibytes of memory.
//!
//! Brine plans with a little less than it is given. An engine may take up to a second
//! to notice that its time is up, and the process needs memory beside the engine's tables.

use crate::limits;
use std::time::Duration;

/// The limits of the whole run.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Confinement {
    /// Seconds for the whole examination, or with a unit: 90s, 10m, 1h
    #[arg(long, value_name = "SECONDS", env = "BK_TIME_CONFINEMENT", default_value = "3600",
          value_parser = limits::seconds)]
    timeout: Duration,
    /// Mebibytes for the whole process, or with a unit: 512M, 16G [default: three quarters of what
    /// is free]
    #[arg(long, value_name = "MIB", env = "BK_MEMORY_CONFINEMENT",
          value_parser = limits::mebibytes)]
    memory: Option<u64>,
}

impl Confinement {
    /// The time that is given to engines: all but a twentieth, at least one second and at
    /// most ten, and never less than half.
    pub(crate) fn working_time(&self) -> Duration {
        let reserve = (self.timeout / 20).clamp(Duration::from_secs(1), Duration::from_secs(10));
        self.timeout.saturating_sub(reserve).max(self.timeout / 2)
    }

    /// The time at which the watchdog ends the run: half-way from there to the limit.
    pub(crate) fn last_moment(&self) -> Duration {
        (self.working_time() + self.timeout) / 2
    }

    /// Bytes that the process may take.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory.map(|mib| mib << 20).or_else(limits::usable_memory).unwrap_or(u64::MAX)
    }

    /// Bytes that are left for an engine, beside those in use now.
    pub(crate) fn memory_left(&self) -> u64 {
        let all = self.memory_bytes();
        (all - all / 20).saturating_sub(brine_dd::resident_bytes() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_seconds(seconds: u64) -> Confinement {
        Confinement { timeout: Duration::from_secs(seconds), memory: Some(100) }
    }

    #[test]
    fn a_reserve_is_kept_back() {
        let c = of_seconds(60);
        assert_eq!(c.working_time(), Duration::from_secs(57));
        assert_eq!(c.last_moment(), Duration::from_millis(58_500));
        assert_eq!(of_seconds(3600).working_time(), Duration::from_secs(3590));
        assert_eq!(of_seconds(1).working_time(), Duration::from_millis(500));
        for seconds in [0, 1, 2, 10, 100] {
            let c = of_seconds(seconds);
            assert!(c.working_time() <= c.last_moment() && c.last_moment() <= c.timeout);
        }
    }

    #[test]
    fn memory_counts_in_mebibytes() {
        let c = of_seconds(60);
        assert_eq!(c.memory_bytes(), 100 << 20);
        assert!(c.memory_left() < 95 << 20);
    }
}
