//! Facts about all reachable markings, each an inequality `sum of c(p) m(p) <= b`.
//!
//! | line | says | why it is true of all reachable markings |
//! |---|---|---|
//! | `flow p:c ..` | `c m <= c m0` | no live transition raises the sum: `c C(t) <= 0` |
//! | `bound p f` | `m(p) <= floor(b / c(p))` | fact f without negative coefficients; counts are whole |
//! | `trap p ..` | `-(sum) <= -1` | a token is there at the start, and every live transition that takes from these places puts into them |
//! | `siphon p ..` | `sum <= 0` | no token is there at the start, and every live transition that puts into them takes from them |
//! | `dead t f` | t is never enabled | what t takes is more than fact f allows; t is not live from here on |
//!
//! *Why the order makes it right.* By induction over the lines: a transition is taken out of the
//! live ones only after a fact has shown that no reachable marking enables it, so at each line all
//! steps of the net are firings of live transitions.
//!
//! A *conflict* is a set of literals that no reachable marking satisfies. Its proof closes goals,
//! each a list of constraints, one after the other, the last one opened first:
//!
//! | line | does |
//! |---|---|
//! | `case L` | of a literal "one of these transitions is enabled": one goal for each, with what it takes |
//! | `case L t` | of a literal "these are not enabled": one goal for each input place of t, which holds too little |
//! | `cut L t` | adds what all goals of `case L t` have in common, by the bounds of the places |
//! | `farkas k:w .. / f:w ..` | closes: constraints and facts, each times a weight that is not negative, add up to `c m <= b` with c >= 0 and b < 0, which no marking satisfies |
//!
//! All numbers are whole; what does not fit into 128 bits is refused.

use crate::formula::Claim;
use crate::system::{System, tokens};
use crate::tableau::Literal;
use crate::text::Words;
use crate::{Refusal, refuse};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most goals that wait at a time.
const GOALS: usize = 1 << 20;

/// `sum of c(p) m(p) <= bound`
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inequality {
    /// Coefficients by place: ascending, no zeros.
    pub terms: Vec<(u32, i128)>,
    /// The right-hand side.
    pub bound: i128,
}

/// What is known about all reachable markings.
#[derive(Debug)]
pub struct Facts<'s> {
    system: &'s System,
    live: Vec<bool>,
    facts: Vec<Inequality>,
    /// For each place, the least bound and the fact that gives it.
    bounds: FxHashMap<u32, (u64, u32)>,
    /// For each place, the facts that speak of it.
    about: FxHashMap<u32, Vec<u32>>,
}

impl<'s> Facts<'s> {
    /// Nothing is known.
    pub fn new(system: &'s System) -> Self {
        let live = vec![true; system.steps.len()];
        let (facts, bounds, about) = Default::default();
        Facts { system, live, facts, bounds, about }
    }

    /// How many facts there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// The transitions that are not known to be dead.
    pub fn is_live(&self, t: u32) -> bool {
        self.live[t as usize]
    }

    /// The bound of a place, and the fact that gives it.
    pub fn bound(&self, p: u32) -> Option<(u64, u32)> {
        self.bounds.get(&p).copied()
    }

    /// One line that begins with `fact`.
    pub(crate) fn read(&mut self, words: &mut Words<'_>) -> Result<(), Refusal> {
        match words.word("a kind of fact")? {
            "flow" => {
                let terms = words.pairs("PLACE:COEFFICIENT")?;
                self.add_flow(terms)
            }
            "bound" => {
                let (p, f) = (words.number("a place")?, words.number("a fact")?);
                words.end()?;
                self.add_bound(p, f)
            }
            "trap" => self.add_trap(words.numbers("a place")?),
            "siphon" => self.add_siphon(words.numbers("a place")?),
            "dead" => {
                let (t, f) = (words.number("a transition")?, words.number("a fact")?);
                words.end()?;
                self.add_dead(t, f)
            }
            _ => Err(words.missing("flow, bound, trap, siphon or dead")),
        }
    }

    fn add(&mut self, fact: Inequality) {
        let number = self.facts.len() as u32;
        for &(p, _) in &fact.terms {
            self.about.entry(p).or_default().push(number);
        }
        self.facts.push(fact);
    }

    /// `flow`
    pub fn add_flow(&mut self, terms: Vec<(u32, i128)>) -> Result<(), Refusal> {
        self.ensure_places(terms.iter().map(|t| t.0))?;
        let mut change: FxHashMap<u32, i128> = FxHashMap::default();
        let mut bound = 0;
        for &(p, c) in &terms {
            bound = times_plus(c, self.system.initial[p as usize].into(), bound)?;
            for &(t, e) in &self.system.changers[p as usize] {
                let sum = change.entry(t).or_default();
                *sum = times_plus(c, e.into(), *sum)?;
            }
        }
        if let Some(t) = change.into_iter().find(|&(t, sum)| sum > 0 && self.is_live(t)) {
            return refuse(format!("transition {} raises the sum", t.0));
        }
        let terms = terms.into_iter().filter(|t| t.1 != 0).collect();
        self.add(Inequality { terms, bound });
        Ok(())
    }

    /// `bound`
    pub fn add_bound(&mut self, p: u32, f: u32) -> Result<(), Refusal> {
        let fact = self.fact(f)?;
        let Some(c) = coefficient(fact, p).filter(|&c| c > 0) else {
            return refuse(format!("fact {f} says nothing about place {p}"));
        };
        if fact.bound < 0 || fact.terms.iter().any(|t| t.1 < 0) {
            return refuse(format!("fact {f} has a negative number"));
        }
        let bound = fact.bound / c;
        let number = self.facts.len() as u32;
        if let Ok(least) = u64::try_from(bound)
            && self.bounds.get(&p).is_none_or(|old| least < old.0)
        {
            self.bounds.insert(p, (least, number));
        }
        self.add(Inequality { terms: vec![(p, 1)], bound });
        Ok(())
    }

    /// `trap`
    pub fn add_trap(&mut self, places: Vec<u32>) -> Result<(), Refusal> {
        self.ensure_places(places.iter().copied())?;
        if places.iter().all(|&p| self.system.initial[p as usize] == 0) {
            return refuse("no place of the trap is marked at the start");
        }
        let inside: FxHashSet<u32> = places.iter().copied().collect();
        if let Some(t) =
            self.live().find(|s| touches(&s.1.take, &inside) && !touches(&s.1.put, &inside))
        {
            return refuse(format!(
                "transition {} takes from the trap and puts nothing there",
                t.0
            ));
        }
        let terms = places.into_iter().map(|p| (p, -1)).collect();
        self.add(Inequality { terms, bound: -1 });
        Ok(())
    }

    /// `siphon`
    pub fn add_siphon(&mut self, places: Vec<u32>) -> Result<(), Refusal> {
        self.ensure_places(places.iter().copied())?;
        if places.iter().any(|&p| self.system.initial[p as usize] > 0) {
            return refuse("a place of the siphon is marked at the start");
        }
        let inside: FxHashSet<u32> = places.iter().copied().collect();
        if let Some(t) =
            self.live().find(|s| touches(&s.1.put, &inside) && !touches(&s.1.take, &inside))
        {
            return refuse(format!(
                "transition {} puts into the siphon and takes nothing there",
                t.0
            ));
        }
        let number = self.facts.len() as u32;
        for &p in &places {
            self.bounds.insert(p, (0, number));
        }
        let terms = places.into_iter().map(|p| (p, 1)).collect();
        self.add(Inequality { terms, bound: 0 });
        Ok(())
    }

    /// `dead`
    pub fn add_dead(&mut self, t: u32, f: u32) -> Result<(), Refusal> {
        let Some(step) = self.system.steps.get(t as usize) else {
            return refuse(format!("there is no transition {t}"));
        };
        if !self.is_too_much(&step.take, f)? {
            return refuse(format!("fact {f} allows what transition {t} takes"));
        }
        self.live[t as usize] = false;
        Ok(())
    }

    /// Whether a fact, without negative coefficients, allows no marking with so many tokens.
    fn is_too_much(&self, least: &[(u32, u32)], f: u32) -> Result<bool, Refusal> {
        let fact = self.fact(f)?;
        let mut sum = 0;
        for &(p, c) in &fact.terms {
            if c < 0 {
                return Ok(false);
            }
            sum = times_plus(c, tokens(least, p).into(), sum)?;
        }
        Ok(sum > fact.bound)
    }

    /// Whether no reachable marking holds so many tokens, by a single fact.
    pub fn exclude(&self, least: &[(u32, u32)]) -> bool {
        let asked = least.iter().filter(|l| l.1 > 0).filter_map(|l| self.about.get(&l.0));
        let mut facts: Vec<u32> = asked.flatten().copied().collect();
        facts.sort_unstable();
        facts.dedup();
        facts.into_iter().any(|f| self.is_too_much(least, f) == Ok(true))
    }

    fn live(&self) -> impl Iterator<Item = (usize, &crate::system::Step)> {
        self.system.steps.iter().enumerate().filter(|(t, _)| self.live[*t])
    }

    fn fact(&self, f: u32) -> Result<&Inequality, Refusal> {
        self.facts.get(f as usize).ok_or_else(|| Refusal::no_proof(format!("there is no fact {f}")))
    }

    fn ensure_places(&self, places: impl Iterator<Item = u32>) -> Result<(), Refusal> {
        let mut last = None;
        for p in places {
            if p as usize >= self.system.initial.len() {
                return refuse(format!("there is no place {p}"));
            }
            if last >= Some(p) {
                return refuse("the places do not ascend");
            }
            last = Some(p);
        }
        Ok(())
    }
}

fn touches(arcs: &[(u32, u32)], inside: &FxHashSet<u32>) -> bool {
    arcs.iter().any(|(p, _)| inside.contains(p))
}

fn coefficient(fact: &Inequality, p: u32) -> Option<i128> {
    fact.terms.binary_search_by_key(&p, |t| t.0).ok().map(|i| fact.terms[i].1)
}

/// `a * b + c`, if it fits.
fn times_plus(a: i128, b: i128, c: i128) -> Result<i128, Refusal> {
    let sum = a.checked_mul(b).and_then(|product| product.checked_add(c));
    sum.ok_or_else(|| Refusal::no_proof("a number is too large"))
}

/// The proof of a conflict, as far as it was read.
#[derive(Debug)]
pub struct Goals {
    /// The literals of the conflict.
    pub literals: Vec<Literal>,
    /// Constraints of the goal that is worked on.
    assumed: Vec<Inequality>,
    /// Goals that wait: how many constraints they share with this one, and what they add.
    waiting: Vec<(usize, Vec<Inequality>)>,
    closed: bool,
}

impl Goals {
    /// The goal of a conflict: its comparisons.
    pub fn new(literals: Vec<Literal>, atoms: &[Claim]) -> Result<Self, Refusal> {
        if !literals.is_sorted_by(|a, b| a.0 < b.0) {
            return refuse("the literals do not ascend");
        }
        let mut assumed = Vec::new();
        for &(atom, value) in &literals {
            match atoms.get(atom as usize) {
                None => return refuse(format!("there is no atom {atom}")),
                Some(Claim::AtMost(terms, bound)) => assumed.push(comparison(terms, *bound, value)),
                Some(Claim::Fireable(_) | Claim::Deadlock) => (),
            }
        }
        Ok(Goals { literals, assumed, waiting: Vec::new(), closed: false })
    }

    /// The constraints of the goal that is worked on.
    pub fn assumed(&self) -> &[Inequality] {
        &self.assumed
    }

    /// How many goals wait for this one.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether all goals are closed.
    pub fn are_closed(&self) -> bool {
        self.closed
    }

    /// One line of the proof.
    pub(crate) fn read(
        &mut self,
        word: &str,
        words: &mut Words<'_>,
        atoms: &[Claim],
        facts: &Facts<'_>,
    ) -> Result<(), Refusal> {
        match word {
            "case" => {
                let atom = words.number("an atom")?;
                let t = words.next().map(|w| words.parse(w, "a transition")).transpose()?;
                words.end()?;
                self.case(atom, t, atoms, facts)
            }
            "cut" => {
                let (atom, t) = (words.number("an atom")?, words.number("a transition")?);
                words.end()?;
                self.cut(atom, t, atoms, facts)
            }
            "farkas" => {
                let mut weights: [Vec<(u32, i128)>; 2] = Default::default();
                let mut part = 0;
                while let Some(word) = words.next() {
                    if word == "/" && part == 0 {
                        part = 1;
                        continue;
                    }
                    let (a, w) = word.split_once(':').ok_or_else(|| words.missing("N:WEIGHT"))?;
                    weights[part].push((words.parse(a, "a number")?, words.parse(w, "a weight")?));
                }
                self.close(&weights[0], &weights[1], facts)
            }
            _ => Err(words.missing("case, cut or farkas")),
        }
    }

    /// Whether the literal says that something is (not) enabled, and which transitions.
    fn enabling<'a>(
        &self,
        atom: u32,
        atoms: &'a [Claim],
        facts: &Facts<'_>,
    ) -> Result<(bool, Which<'a>), Refusal> {
        let literal = self.literals.iter().find(|l| l.0 == atom);
        let all = facts.system.steps.len() as u32;
        match (literal, atoms.get(atom as usize)) {
            (Some(&(_, value)), Some(Claim::Fireable(ts))) => Ok((value, Which::These(ts))),
            (Some(&(_, value)), Some(Claim::Deadlock)) => Ok((!value, Which::All(all))),
            _ => refuse(format!("atom {atom} is no literal about enabled transitions")),
        }
    }

    fn ensure_open(&self) -> Result<(), Refusal> {
        if self.closed { refuse("the conflict is proved already") } else { Ok(()) }
    }

    /// `case`
    pub fn case(
        &mut self,
        atom: u32,
        t: Option<u32>,
        atoms: &[Claim],
        facts: &Facts<'_>,
    ) -> Result<(), Refusal> {
        self.ensure_open()?;
        let (enabled, which) = self.enabling(atom, atoms, facts)?;
        let mut goals: Vec<Vec<Inequality>> = match (enabled, t) {
            // A dead one is not enabled.
            (true, None) => which
                .list()
                .filter(|&t| facts.live.get(t as usize).copied().unwrap_or(false))
                .map(|t| facts.system.steps[t as usize].take.iter().map(at_least).collect())
                .collect(),
            (false, Some(t)) if which.contains(t) => {
                let step = facts.system.steps.get(t as usize);
                let take = step.map_or(&[][..], |s| &s.take[..]);
                take.iter().map(|arc| vec![too_little(arc)]).collect()
            }
            _ => return refuse("the case does not fit the literal"),
        };
        if goals.len() + self.waiting.len() > GOALS {
            return refuse("too many goals");
        }
        let shared = self.assumed.len();
        goals.reverse();
        self.waiting.extend(goals.into_iter().map(|g| (shared, g)));
        self.go_on();
        Ok(())
    }

    /// `cut`: with u(p) >= m(p) and t needing w(p), (u - m) / (u - w + 1) is never negative, and
    /// at least 1 where p holds too little. So over all input places the sum is at least 1.
    pub fn cut(
        &mut self,
        atom: u32,
        t: u32,
        atoms: &[Claim],
        facts: &Facts<'_>,
    ) -> Result<(), Refusal> {
        self.ensure_open()?;
        let (enabled, which) = self.enabling(atom, atoms, facts)?;
        if enabled || !which.contains(t) || t as usize >= facts.system.steps.len() {
            return refuse("the cut does not fit the literal");
        }
        let cut = cut(facts, t).ok_or_else(|| Refusal::no_proof("a place of the cut has no bound"));
        self.assumed.push(cut?);
        Ok(())
    }

    /// `farkas`
    pub fn close(
        &mut self,
        weights: &[(u32, i128)],
        by_facts: &[(u32, i128)],
        facts: &Facts<'_>,
    ) -> Result<(), Refusal> {
        self.ensure_open()?;
        let mut sum: FxHashMap<u32, i128> = FxHashMap::default();
        let mut bound = 0;
        let mut add = |inequality: &Inequality, weight: i128| -> Result<(), Refusal> {
            if weight < 0 {
                return refuse("a weight is negative");
            }
            bound = times_plus(weight, inequality.bound, bound)?;
            for &(p, c) in &inequality.terms {
                let entry = sum.entry(p).or_default();
                *entry = times_plus(weight, c, *entry)?;
            }
            Ok(())
        };
        for &(k, weight) in weights {
            let constraint = self.assumed.get(k as usize);
            let constraint = constraint
                .ok_or_else(|| Refusal::no_proof(format!("there is no constraint {k}")))?;
            add(constraint, weight)?;
        }
        for &(f, weight) in by_facts {
            add(facts.fact(f)?, weight)?;
        }
        if bound >= 0 || sum.values().any(|&c| c < 0) {
            return refuse("the weights do not lead to a contradiction");
        }
        self.go_on();
        Ok(())
    }

    /// The next goal, if there is one.
    fn go_on(&mut self) {
        match self.waiting.pop() {
            Some((shared, added)) => {
                self.assumed.truncate(shared);
                self.assumed.extend(added);
            }
            None => self.closed = true,
        }
    }
}

/// Which transitions a literal speaks of.
enum Which<'a> {
    These(&'a [u32]),
    All(u32),
}

impl Which<'_> {
    fn contains(&self, t: u32) -> bool {
        match self {
            Which::These(ts) => ts.contains(&t),
            Which::All(all) => t < *all,
        }
    }

    fn list(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Which::These(ts) => Box::new(ts.iter().copied()),
            Which::All(all) => Box::new(0..*all),
        }
    }
}

/// A comparison, or its negation: `-s <= -b - 1`, since counts are whole.
fn comparison(terms: &[(u32, i64)], bound: i64, value: bool) -> Inequality {
    let sign = if value { 1 } else { -1 };
    let terms = terms.iter().map(|&(p, c)| (p, sign * i128::from(c))).collect();
    let bound = if value { i128::from(bound) } else { -i128::from(bound) - 1 };
    Inequality { terms, bound }
}

fn at_least(&(p, w): &(u32, u32)) -> Inequality {
    Inequality { terms: vec![(p, -1)], bound: -i128::from(w) }
}

fn too_little(&(p, w): &(u32, u32)) -> Inequality {
    Inequality { terms: vec![(p, 1)], bound: i128::from(w) - 1 }
}

/// What all markings have in common that do not enable the transition, by the bounds of its input
/// places; `None` if one has none, or leaves no room.
pub fn cut(facts: &Facts<'_>, t: u32) -> Option<Inequality> {
    let mut rooms = Vec::new();
    let mut unit = 1_i128;
    for &(p, w) in &facts.system.steps[t as usize].take {
        let most = i128::from(facts.bound(p)?.0);
        let room = most - (i128::from(w) - 1);
        if room < 1 {
            return None;
        }
        unit = unit.checked_mul(room).filter(|&u| u < 1 << 64)?;
        rooms.push((p, most, room));
    }
    // sum (u - m) unit / room >= unit
    let mut bound = -unit;
    let mut terms = Vec::new();
    for (p, most, room) in rooms {
        bound = bound.checked_add(most.checked_mul(unit / room)?)?;
        terms.push((p, unit / room));
    }
    Some(Inequality { terms, bound })
}
