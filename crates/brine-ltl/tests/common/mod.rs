//! Random formulas, random words, and checks that share nothing with the translation.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub)] // helpers of several test files; tests may panic

use brine_ltl::{Automaton, Formula, Formulas, StateId, holds_on_lasso};
use brine_net::Rng;
use std::path::PathBuf;

/// The seed of the random campaigns: `BRINE_SEED`, or 1.
pub fn seed() -> u64 {
    let seed = std::env::var("BRINE_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    println!("BRINE_SEED={seed}");
    seed
}

/// The number of random cases: `BRINE_CASES`, or the given default.
pub fn cases(default: usize) -> usize {
    std::env::var("BRINE_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

pub fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

/// A random formula with about `size` operators over `atoms` propositions a, b, ...
pub fn random_formula(fs: &mut Formulas, r: &mut Rng, size: usize, atoms: usize) -> Formula {
    let leaves: Vec<Formula> =
        (0..atoms).map(|i| fs.prop(&char::from(b'a' + i as u8).to_string())).collect();
    random_over(fs, r, size, &leaves)
}

/// A random formula with about `size` operators over the given leaves.
pub fn random_over(fs: &mut Formulas, r: &mut Rng, size: usize, leaves: &[Formula]) -> Formula {
    if size == 0 {
        let p = leaves[r.index(leaves.len())];
        return if r.index(3) == 0 { fs.not(p) } else { p };
    }
    if size == 1 || r.index(5) < 2 {
        let f = random_over(fs, r, size - 1, leaves);
        return match r.index(8) {
            0 | 1 => fs.x(f),
            2..=4 => fs.f(f),
            5 | 6 => fs.g(f),
            _ => fs.not(f),
        };
    }
    let left = r.index(size);
    let f = random_over(fs, r, left, leaves);
    let g = random_over(fs, r, size - 1 - left, leaves);
    match r.index(13) {
        0 | 1 => fs.and([f, g]),
        2 | 3 => fs.or([f, g]),
        4 => fs.implies(f, g),
        5 => fs.iff(f, g),
        6 => fs.xor(f, g),
        7 | 8 => fs.u(f, g),
        9 => fs.r(f, g),
        10 => fs.w(f, g),
        _ => fs.m(f, g),
    }
}

/// A word: prefix and cycle, each letter over the atoms of an automaton.
#[derive(Clone, Debug)]
pub struct Word {
    pub prefix: Vec<u64>,
    pub cycle: Vec<u64>,
}

impl Word {
    pub fn random(r: &mut Rng, atoms: usize) -> Self {
        let mut letters =
            |n: usize| -> Vec<u64> { (0..n).map(|_| r.bits() & ((1 << atoms) - 1)).collect() };
        let code = letters(2);
        let (p, c) = (code[0] as usize % 4, code[1] as usize % 4);
        let (p, c) = (p, c + 1);
        Word { prefix: letters(p), cycle: letters(c) }
    }
}

/// All words with a prefix and cycle of `length` letters together over `atoms` atoms.
pub fn all_words(length: usize, atoms: usize) -> Vec<Word> {
    let mut words = Vec::new();
    for code in 0..1u64 << (length * atoms) {
        let letters: Vec<u64> =
            (0..length).map(|i| code >> (i * atoms) & ((1 << atoms) - 1)).collect();
        for p in 0..length {
            words.push(Word { prefix: letters[..p].to_vec(), cycle: letters[p..].to_vec() });
        }
    }
    words
}

/// Does the word satisfy `f`? Letters are over the atoms of `a`; an atom that `a` does
/// not have is false everywhere (it cannot matter).
pub fn satisfies(fs: &Formulas, f: Formula, a: &Automaton, word: &Word) -> bool {
    let index: Vec<Option<usize>> =
        fs.atoms_of(f).iter().map(|&p| a.atoms().iter().position(|q| q == fs.atom(p))).collect();
    let atoms = fs.atoms_of(f);
    holds_on_lasso(fs, f, word.prefix.len(), word.cycle.len(), |p, i| {
        let bit = index[atoms.binary_search(&p).unwrap()];
        let letter =
            word.prefix.get(i).copied().unwrap_or_else(|| word.cycle[i - word.prefix.len()]);
        bit.is_some_and(|b| letter >> b & 1 == 1)
    })
}

/// Is some word accepted by both? By cubes, without BDDs; both over the same atoms.
/// Depth-first numbering of the product, then Kosaraju.
pub fn intersects(a: &Automaton, b: &Automaton) -> bool {
    assert_eq!(a.atoms(), b.atoms());
    let (n, m) = (a.num_states(), b.num_states());
    let meet = |l: &brine_ltl::Label, k: &brine_ltl::Label| {
        l.cubes.iter().any(|x| k.cubes.iter().any(|y| (x.pos | y.pos) & (x.neg | y.neg) == 0))
    };
    let mut succ: Vec<Vec<(usize, u64, u64)>> = vec![Vec::new(); n * m];
    let mut pred: Vec<Vec<usize>> = vec![Vec::new(); n * m];
    let start = a.initial().index() * m + b.initial().index();
    let mut seen = vec![false; n * m];
    seen[start] = true;
    let mut todo = vec![start];
    while let Some(v) = todo.pop() {
        for e in a.edges_of(StateId((v / m) as u32)) {
            for f in b.edges_of(StateId((v % m) as u32)) {
                if meet(a.label(e.label), b.label(f.label)) {
                    let w = e.dst.index() * m + f.dst.index();
                    succ[v].push((w, e.marks, f.marks));
                    pred[w].push(v);
                    if !std::mem::replace(&mut seen[w], true) {
                        todo.push(w);
                    }
                }
            }
        }
    }
    let order = post_order(&succ, &seen);
    let mut component = vec![usize::MAX; n * m];
    for &root in order.iter().rev() {
        if component[root] != usize::MAX {
            continue;
        }
        let mut todo = vec![root];
        component[root] = root;
        while let Some(v) = todo.pop() {
            for &w in &pred[v] {
                if component[w] == usize::MAX {
                    component[w] = root;
                    todo.push(w);
                }
            }
        }
    }
    let mut marks = vec![None; n * m];
    for (v, arcs) in succ.iter().enumerate() {
        for &(w, x, y) in arcs {
            if component[v] == component[w] {
                let (p, q) = marks[component[v]].get_or_insert((0, 0));
                *p |= x;
                *q |= y;
            }
        }
    }
    marks.contains(&Some((a.all_marks(), b.all_marks())))
}

fn post_order(succ: &[Vec<(usize, u64, u64)>], reachable: &[bool]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; succ.len()];
    for root in 0..succ.len() {
        if !reachable[root] || std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some(top) = path.last_mut() {
            let (v, i) = *top;
            top.1 += 1;
            match succ[v].get(i) {
                Some(&(w, _, _)) => {
                    if !std::mem::replace(&mut seen[w], true) {
                        path.push((w, 0));
                    }
                }
                None => {
                    order.push(v);
                    path.pop();
                }
            }
        }
    }
    order
}

/// A word that a random walk through the automaton reads: random steps, then back to a
/// state met before. `None` when the walk gets stuck or does not come back.
pub fn random_walk(a: &Automaton, r: &mut Rng) -> Option<Word> {
    let mut visited = vec![a.initial()];
    let mut letters = Vec::new();
    for _ in 0..12 {
        let edges = a.edges_of(*visited.last().unwrap());
        if edges.is_empty() {
            return None;
        }
        let e = edges[r.index(edges.len())];
        let cubes = &a.label(e.label).cubes;
        let cube = cubes[r.index(cubes.len())];
        letters.push((r.bits() & !cube.neg & ((1u64 << a.atoms().len()) - 1)) | cube.pos);
        if let Some(i) = visited.iter().position(|&q| q == e.dst)
            && r.index(2) == 0
        {
            return Some(Word { prefix: letters[..i].to_vec(), cycle: letters[i..].to_vec() });
        }
        visited.push(e.dst);
    }
    None
}
