//! Anderson's lock with a counter that overflows, counted by two implementations: the engine on a
//! DVE program, and code written by hand for this lock alone. BEEM's anderson.1 is this lock for two
//! processes; its published count is what the second rule below gives (docs/dve.md).

use brine_enumerate::explore::explore;
use brine_enumerate::vectors::Vectors;
use brine_run::Control;
use std::collections::HashSet;

/// The processes that take the lock.
const COUNT: usize = 2;

/// The lock as a program.
fn program() -> String {
    let process = |i: usize| {
        format!(
            "process P{i} {{ byte mine; state out, drawn, queued, called, inside; init out;
             trans out -> drawn {{ effect mine = ticket, ticket = ticket + 1; }},
             drawn -> queued {{ guard mine == {COUNT} - 1; effect ticket = ticket - {COUNT}; }},
             drawn -> queued {{ guard mine != {COUNT} - 1; effect mine = mine % {COUNT}; }},
             queued -> called {{ guard turn[mine] == 1; }},
             called -> inside {{ effect turn[(mine + {COUNT} - 1) % {COUNT}] = 0; }},
             inside -> out {{ effect turn[(mine + 1) % {COUNT}] = 1; }}; }}"
        )
    };
    let processes: Vec<String> = (0..COUNT).map(process).collect();
    format!("byte turn[{COUNT}] = {{1}}; byte ticket;\n{}\nsystem async;", processes.join("\n"))
}

/// Where a process stands that has no location.
const NOWHERE: u8 = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Lock {
    turn: [u8; COUNT],
    ticket: u8,
    /// Location and ticket of each process.
    at: [(u8, u8); COUNT],
}

impl Lock {
    /// The error state: everything 0, the first process nowhere.
    fn error() -> Lock {
        let mut at = [(0, 0); COUNT];
        at[0].0 = NOWHERE;
        Lock { turn: [0; COUNT], ticket: 0, at }
    }

    /// The step of a process, if it has one; no process has two at once.
    fn step(mut self, p: usize) -> Option<Lock> {
        let (location, mine) = self.at[p];
        let slot = |by: usize| (mine as usize + by) % COUNT;
        match location {
            0 => match self.ticket.checked_add(1) {
                Some(next) => {
                    self.at[p] = (1, self.ticket);
                    self.ticket = next;
                }
                None => return Some(Lock::error()),
            },
            1 if mine as usize == COUNT - 1 => match self.ticket.checked_sub(COUNT as u8) {
                Some(next) => {
                    self.at[p].0 = 2;
                    self.ticket = next;
                }
                None => return Some(Lock::error()),
            },
            1 => self.at[p] = (2, mine % COUNT as u8),
            2 if self.turn[mine as usize] == 1 => self.at[p].0 = 3,
            3 => {
                self.turn[slot(COUNT - 1)] = 0;
                self.at[p].0 = 4;
            }
            4 => {
                self.turn[slot(1)] = 1;
                self.at[p].0 = 0;
            }
            _ => return None,
        }
        Some(self)
    }
}

/// All states; `goes_on` says whether others move after an error.
fn count(goes_on: bool) -> usize {
    let mut turn = [0; COUNT];
    turn[0] = 1;
    let first = Lock { turn, ticket: 0, at: [(0, 0); COUNT] };
    let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
    while let Some(lock) = open.pop() {
        if lock.at[0].0 == NOWHERE && !goes_on {
            continue;
        }
        for next in (0..COUNT).filter_map(|p| lock.step(p)) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.len()
}

#[test]
fn what_happens_after_an_error_explains_the_published_count() {
    let model = brine_dve::parse(&program()).expect("DVE");
    let mut vectors = Vectors::new(&model, Control::default()).expect("an initial state");
    let counts = explore(&mut vectors, &mut |_| ()).expect("no limit");
    assert_eq!(counts.states, count(false) as u64);
    assert_eq!(count(false), 347_037, "the error state is the end");
    assert_eq!(count(true), 347_039, "published: the other process goes on from there");
}
