//! The memory of this process, as the system counts it.

/// Bytes of this process that lie in memory now; 0 where the system does not tell.
pub fn resident_bytes() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// The most bytes of this process that ever lay in memory; 0 where `/proc` is missing.
pub fn peak_resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib: usize = line.and_then(|l| l.trim().split(' ').next()?.parse().ok()).unwrap_or(0);
    kib * 1024
}
