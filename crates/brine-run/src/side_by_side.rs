//! Several attempts at once, with the outcome of making them one after another.
//!
//! Attempts are listed in the order in which they would be made on one core. The first *in
//! that list* that decides is the outcome, not the first in time: what comes before a
//! decided one is waited for, what comes after it is called off. So the answer, and all
//! figures with it, do not depend on the number of threads or on who was faster.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// How often the caller's flag is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// One attempt. It is given a flag to watch; once that is set, its result is of no use.
pub type Attempt<'a, T> = Box<dyn FnOnce(Arc<AtomicBool>) -> T + Send + 'a>;

/// Makes all attempts, each on a thread of its own. Returns their results in order, up to
/// and with the first that decides. `cancel` calls all of them off.
///
/// A panic in an attempt that is not called off goes on in the caller.
///
/// ```
/// use brine_run::{Attempt, side_by_side};
/// let attempts = [3, 4, 5, 6].map(|n| -> Attempt<'_, u32> { Box::new(move |_| n) });
/// let results = side_by_side(attempts.into(), None, |n| n % 2 == 0);
/// assert_eq!(results, [3, 4]);
/// ```
pub fn side_by_side<T: Send>(
    attempts: Vec<Attempt<'_, T>>,
    cancel: Option<&AtomicBool>,
    decides: impl Fn(&T) -> bool,
) -> Vec<T> {
    let flags: Vec<Arc<AtomicBool>> = attempts.iter().map(|_| Arc::default()).collect();
    let mut results: Vec<Option<std::thread::Result<T>>> = attempts.iter().map(|_| None).collect();
    let mut needed = attempts.len();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for (i, attempt) in attempts.into_iter().enumerate() {
            let (sender, flag) = (sender.clone(), flags[i].clone());
            let attempt = Arc::new(Mutex::new(Some(attempt)));
            let work = {
                let attempt = attempt.clone();
                move || make(&attempt, i, flag, &sender)
            };
            // A thread that the system refuses is no reason to leave the attempt out.
            if Builder::new().spawn_scoped(scope, work.clone()).is_err() {
                work();
            }
        }
        let mut missing = flags.len();
        while missing > 0 {
            match receiver.recv_timeout(LOOK) {
                Ok((i, result)) => {
                    missing -= 1;
                    let decided = result.as_ref().map_or(true, &decides);
                    results[i] = Some(result);
                    if decided && i < needed {
                        needed = i + 1;
                        flags[needed..].iter().for_each(|f| f.store(true, Ordering::Relaxed));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
                        flags.iter().for_each(|f| f.store(true, Ordering::Relaxed));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    let results = results.into_iter().take(needed).flatten();
    results.map(|r| r.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

/// What an attempt came to, and which one.
type Made<T> = (usize, std::thread::Result<T>);

/// Makes an attempt, unless it was made already, and tells what came of it.
fn make<T>(
    attempt: &Mutex<Option<Attempt<'_, T>>>,
    number: usize,
    flag: Arc<AtomicBool>,
    sender: &Sender<Made<T>>,
) {
    let attempt = attempt.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(attempt) = attempt {
        let result = catch_unwind(AssertUnwindSafe(|| attempt(flag)));
        // The receiver lives as long as the scope.
        let _ = sender.send((number, result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Waits for its flag.
    fn endless(flag: &AtomicBool) -> &'static str {
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        "called off"
    }

    #[test]
    fn what_comes_after_the_first_to_decide_is_called_off() {
        let attempts: Vec<Attempt<'_, &str>> =
            vec![Box::new(|_| "no"), Box::new(|_| "yes"), Box::new(|flag| endless(&flag))];
        assert_eq!(side_by_side(attempts, None, |r| *r == "yes"), ["no", "yes"]);
    }

    #[test]
    fn an_earlier_attempt_is_waited_for() {
        let second_is_done = AtomicBool::new(false);
        let attempts: Vec<Attempt<'_, &str>> = vec![
            Box::new(|_| {
                endless(&second_is_done);
                "slow yes"
            }),
            Box::new(|_| {
                second_is_done.store(true, Ordering::Relaxed);
                "quick yes"
            }),
        ];
        assert_eq!(side_by_side(attempts, None, |r| r.ends_with("yes")), ["slow yes"]);
    }

    #[test]
    fn what_is_called_off_may_still_decide_and_does_not_count() {
        let attempts: Vec<Attempt<'_, &str>> = vec![
            Box::new(|_| "yes"),
            Box::new(|flag| {
                endless(&flag);
                "late yes"
            }),
        ];
        assert_eq!(side_by_side(attempts, None, |r| r.ends_with("yes")), ["yes"]);
    }

    #[test]
    fn the_caller_calls_all_of_them_off() {
        let cancel = AtomicBool::new(true);
        let attempts: Vec<Attempt<'_, &str>> =
            vec![Box::new(|flag| endless(&flag)), Box::new(|flag| endless(&flag))];
        let start = Instant::now();
        let results = side_by_side(attempts, Some(&cancel), |_| false);
        assert_eq!(results, ["called off"; 2], "after {:?}", start.elapsed());
    }

    #[test]
    #[should_panic(expected = "the reason")]
    fn a_panic_reaches_the_caller_with_its_message() {
        let attempts: Vec<Attempt<'_, &str>> =
            vec![Box::new(|_| panic!("the reason")), Box::new(|flag| endless(&flag))];
        side_by_side(attempts, None, |_| false);
    }
}
