//! The memory of this process, as the system counts it.

/// Bytes of this process that lie in memory now; 0 where `/proc` is missing.
pub fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm.split(' ').nth(1).and_then(|p| p.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// The most bytes of this process that ever lay in memory; 0 where `/proc` is missing.
pub fn peak_resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kib: usize = line.and_then(|l| l.trim().split(' ').next()?.parse().ok()).unwrap_or(0);
    kib * 1024
}
