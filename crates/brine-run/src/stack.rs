//! A stack deep enough for recursion over all levels.

/// Runs `f` on a thread whose stack holds recursion over `levels` levels.
///
/// Operations on diagrams recurse over levels, a few frames each; nets reach tens of
/// thousands of levels. Stack pages are only backed by memory once they are touched,
/// so the size asked for costs nothing by itself.
///
/// A panic in `f` goes on in the caller.
pub fn with_deep_stack<R: Send>(levels: usize, f: impl FnOnce() -> R + Send) -> std::io::Result<R> {
    // Largest frames measured: about 500 bytes in release and 1.5 KiB in test builds;
    // saturation stacks at most four frames a level.
    const PER_LEVEL: usize = 8 << 10;
    let size = (16 << 20) + levels * PER_LEVEL;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, f)?;
        match thread.join() {
            Ok(result) => Ok(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
