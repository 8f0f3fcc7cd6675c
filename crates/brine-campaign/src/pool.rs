//! A few threads that work through a list.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does `work` for each item, `jobs` at a time, in the list's order of beginning. The first error
/// ends all: `interrupted` becomes true, which `work` may look at, too.
pub fn each<T: Send>(
    jobs: usize,
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    interrupted: &AtomicBool,
    work: impl Fn(T) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let items = Mutex::new(items.into_iter());
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one = || {
        while !interrupted.load(Ordering::Relaxed) {
            let Some(item) = next() else { break };
            if let Err(error) = work(item) {
                interrupted.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(one)).collect();
        let mut result = Ok(());
        for thread in threads {
            let ended = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(ended);
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_an_error_ends_it() {
        let done = Mutex::new(Vec::new());
        let add = |n: u32| {
            done.lock().unwrap().push(n);
            Ok(())
        };
        each(3, 0..100, &AtomicBool::new(false), add).unwrap();
        let mut all = std::mem::take(&mut *done.lock().unwrap());
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        let stop = AtomicBool::new(false);
        let fails = |n: u32| if n == 5 { anyhow::bail!("five") } else { add(n) };
        assert_eq!(each(1, 0..100, &stop, fails).unwrap_err().to_string(), "five");
        assert_eq!(*done.lock().unwrap(), [0, 1, 2, 3, 4]);
        assert!(stop.load(Ordering::Relaxed));
    }
}
