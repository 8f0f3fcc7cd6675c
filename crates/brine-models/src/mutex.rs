//! Mutual exclusion by shared variables: every step reads or writes one variable.
//!
//! A variable is a group of places, one per value; a process is a group of places, one
//! per point in its program. Reading a variable is a loop on the place of its value.

use super::{finish, flat_nupn};
use brine_net::{Net, NetBuilder, PlaceId};

/// A step of a process: from one point of its program to another, while a variable goes
/// from one value to another (the same for reading).
fn step(b: &mut NetBuilder, name: &str, [from, to]: [PlaceId; 2], [old, new]: [PlaceId; 2]) {
    b.transition(name, &[(from, 1), (old, 1)], &[(to, 1), (new, 1)]);
}

/// Peterson's algorithm (1981) for `n` processes. To pass level l a process writes its
/// level, then its number into `turn[l]`, then looks at the other processes one after the
/// other: it passes when all are below level l, or when `turn[l]` is not its own.
pub fn peterson(n: u32) -> Net {
    let n = n as usize;
    let mut b = NetBuilder::new(&format!("peterson-{n}"));
    let mut groups = Vec::new();
    // turn[l][i], level[i][l]; level 0 is "not interested".
    let mut group = |b: &mut NetBuilder, name: String, values: usize| -> Vec<PlaceId> {
        let places: Vec<PlaceId> =
            (0..values).map(|v| b.place(&format!("{name}_{v}"), u32::from(v == 0))).collect();
        groups.push(places.clone());
        places
    };
    let turn: Vec<Vec<PlaceId>> = (1..n).map(|l| group(&mut b, format!("turn_{l}"), n)).collect();
    let level: Vec<Vec<PlaceId>> = (0..n).map(|i| group(&mut b, format!("level_{i}"), n)).collect();
    for i in 0..n {
        // For each level: raise, enter, one look per other process; and last: critical.
        // The first point, before raising to level 1, is where the process rests.
        let points = group(&mut b, format!("process_{i}"), 1 + (n - 1) * (n + 1));
        let raise = |l: usize| points[(l - 1) * (n + 1)];
        let enter = |l: usize| points[(l - 1) * (n + 1) + 1];
        let look = |l: usize, k: usize| points[(l - 1) * (n + 1) + 2 + k];
        let others: Vec<usize> = (0..n).filter(|&k| k != i).collect();
        for l in 1..n {
            let name = format!("raise_{i}_to_{l}");
            step(&mut b, &name, [raise(l), enter(l)], [level[i][l - 1], level[i][l]]);
            for (j, &old) in turn[l - 1].iter().enumerate() {
                let name = format!("turn_{l}_{j}_to_{i}");
                step(&mut b, &name, [enter(l), look(l, 0)], [old, turn[l - 1][i]]);
            }
            for (k, &other) in others.iter().enumerate() {
                // After the last look comes the next level, or the critical section.
                let next = if k + 1 < others.len() { look(l, k + 1) } else { raise(l + 1) };
                for (m, &below) in level[other].iter().enumerate().take(l) {
                    let name = format!("below_{l}_{i}_{other}_{m}");
                    step(&mut b, &name, [look(l, k), next], [below; 2]);
                }
                for (j, &value) in turn[l - 1].iter().enumerate().filter(|&(j, _)| j != i) {
                    let name = format!("turn_{l}_is_{j}_{i}_{k}");
                    step(&mut b, &name, [look(l, k), raise(l + 1)], [value; 2]);
                }
            }
        }
        step(&mut b, &format!("leave_{i}"), [raise(n), points[0]], [level[i][n - 1], level[i][0]]);
    }
    b.nupn(flat_nupn(groups));
    finish(b)
}

/// Lamport's fast mutual exclusion (1987) for `n` processes, with the variables `x`, `y`
/// and one flag per process; processes count from 1, and `y` = 0 means free.
///
/// ```text
/// start: flag[i] := true; x := i;
///        if y != 0 { flag[i] := false; await y = 0; goto start }
///        y := i;
///        if x != i { flag[i] := false; for j { await !flag[j] };
///                    if y != i { await y = 0; goto start } }
///        critical; y := 0; flag[i] := false
/// ```
pub fn lamport(n: u32) -> Net {
    let n = n as usize;
    let mut b = NetBuilder::new(&format!("lamport-{n}"));
    let numbers = |from: usize| (from..=n).map(|v| v.to_string()).collect::<Vec<_>>();
    let flag = || vec!["off".to_owned(), "on".to_owned()];
    // x starts with some process's number; it is written before it is read.
    let variables = Lamport {
        x: group(&mut b, "x", &numbers(1)),
        y: group(&mut b, "y", &numbers(0)),
        flags: (1..=n).map(|i| group(&mut b, &format!("flag_{i}"), &flag())).collect(),
    };
    let mut groups = vec![variables.x.clone(), variables.y.clone()];
    groups.extend(variables.flags.iter().cloned());
    for i in 0..n {
        groups.push(variables.process(&mut b, i));
    }
    b.nupn(flat_nupn(groups));
    finish(b)
}

/// A group of places, one per value, of which the first is marked.
fn group(b: &mut NetBuilder, name: &str, values: &[String]) -> Vec<PlaceId> {
    let place =
        |(v, value): (usize, &String)| b.place(&format!("{name}_{value}"), u32::from(v == 0));
    values.iter().enumerate().map(place).collect()
}

/// The shared variables: `x[i - 1]` and `y[i]` stand for the value i.
struct Lamport {
    x: Vec<PlaceId>,
    y: Vec<PlaceId>,
    flags: Vec<Vec<PlaceId>>,
}

impl Lamport {
    /// Adds process `i` (from 0); gives its places.
    fn process(&self, b: &mut NetBuilder, i: usize) -> Vec<PlaceId> {
        let id = i + 1;
        let mut names = ["idle", "set_x", "test_y", "await_y", "set_y", "test_x", "give_up"]
            .map(str::to_owned)
            .to_vec();
        names.extend(["critical", "leave", "slow", "confirm_y", "wait_y"].map(str::to_owned));
        let first_scan = names.len();
        names.extend((1..=self.flags.len()).map(|j| format!("scan_{j}")));
        let p = group(b, &format!("process_{id}"), &names);
        let [idle, set_x, test_y, await_y, set_y, test_x, give_up] =
            [p[0], p[1], p[2], p[3], p[4], p[5], p[6]];
        let [critical, leave, slow] = [p[7], p[8], p[9]];
        let (off, on) = (self.flags[i][0], self.flags[i][1]);
        let free = self.y[0];
        step(b, &format!("flag_on_{id}"), [idle, set_x], [off, on]);
        for (j, &old) in self.x.iter().enumerate() {
            step(b, &format!("x_{}_to_{id}", j + 1), [set_x, test_y], [old, self.x[i]]);
            let to = if j == i { critical } else { slow };
            step(b, &format!("x_is_{}_{id}", j + 1), [test_x, to], [old; 2]);
        }
        step(b, &format!("y_free_{id}"), [test_y, set_y], [free; 2]);
        step(b, &format!("flag_off_{id}"), [give_up, await_y], [on, off]);
        step(b, &format!("again_{id}"), [await_y, idle], [free; 2]);
        for (j, &value) in self.y.iter().enumerate() {
            if j > 0 {
                step(b, &format!("y_busy_{j}_{id}"), [test_y, give_up], [value; 2]);
            }
            step(b, &format!("y_{j}_to_{id}"), [set_y, test_x], [value, self.y[id]]);
            // A process that saw y free earlier may have written it since.
            step(b, &format!("y_{j}_to_0_{id}"), [critical, leave], [value, free]);
        }
        // On the slow path the flag is already off.
        step(b, &format!("leave_fast_{id}"), [leave, idle], [on, off]);
        step(b, &format!("leave_slow_{id}"), [leave, idle], [off, off]);
        self.slow_path(b, id, &p, first_scan);
        p
    }

    /// Adds the steps of a process that found another number in x. `p` are its places, in
    /// the order of [`Self::process`].
    fn slow_path(&self, b: &mut NetBuilder, id: usize, p: &[PlaceId], first_scan: usize) {
        let [idle, critical, slow, confirm_y, wait_y] = [p[0], p[7], p[9], p[10], p[11]];
        let (off, on) = (self.flags[id - 1][0], self.flags[id - 1][1]);
        step(b, &format!("slow_flag_off_{id}"), [slow, p[first_scan]], [on, off]);
        for (j, flag) in self.flags.iter().enumerate() {
            let here = p[first_scan + j];
            let next = p.get(first_scan + j + 1).copied().unwrap_or(confirm_y);
            step(b, &format!("no_flag_{}_{id}", j + 1), [here, next], [flag[0]; 2]);
        }
        for (j, &value) in self.y.iter().enumerate() {
            let to = if j == id { critical } else { wait_y };
            step(b, &format!("y_still_{j}_{id}"), [confirm_y, to], [value; 2]);
        }
        step(b, &format!("retry_{id}"), [wait_y, idle], [self.y[0]; 2]);
    }
}
