//! The memory of this process, as the system counts it.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Bytes of this process that lie in memory now; 0 where the system does not tell.
pub fn resident_bytes() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// Microseconds for which a reading is good enough for those who look often.
const FRESH: u64 = 4_000;

/// [`resident_bytes`] of a few milliseconds ago at most. Asking the system takes some microseconds,
/// and every pass over a net begins with a look; a process grows by little in that time.
pub fn recent_resident_bytes() -> usize {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    static READ_AT: AtomicU64 = AtomicU64::new(0);
    static BYTES: AtomicUsize = AtomicUsize::new(0);
    // From 1 on: 0 means that nothing was read yet.
    let now = START.elapsed().as_micros() as u64 + 1;
    let read_at = READ_AT.load(Ordering::Acquire);
    if read_at != 0 && now < read_at + FRESH {
        return BYTES.load(Ordering::Relaxed);
    }
    let bytes = resident_bytes();
    BYTES.store(bytes, Ordering::Relaxed);
    READ_AT.store(now, Ordering::Release);
    bytes
}

/// The bytes that a process may use unasked: three quarters of what is free. `None` where
/// `/proc` is missing.
pub fn usable_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024 / 4 * 3)
}

/// The most bytes of this process that ever lay in memory; 0 where `/proc` is missing.
pub fn peak_resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib: usize = line.and_then(|l| l.trim().split(' ').next()?.parse().ok()).unwrap_or(0);
    kib * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_renewed() {
        let before = recent_resident_bytes();
        let block = vec![1_u8; 64 << 20];
        std::thread::sleep(std::time::Duration::from_micros(2 * FRESH));
        let after = recent_resident_bytes();
        assert_eq!(block.iter().map(|&b| u64::from(b)).sum::<u64>(), 64 << 20);
        assert!(before == 0 || after > before + (32 << 20), "{before} {after}");
    }
}
