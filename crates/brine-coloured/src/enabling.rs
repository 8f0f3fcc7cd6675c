//! The bindings that are enabled in one marking, kept up to date as the marking moves.
//!
//! The tokens of the marking are the relations that `join` searches. When tokens change, only
//! the transitions with a changed input place are looked at: bindings that lost tokens are
//! tested again, and new ones are looked for from the colours whose counts have risen, by the
//! triggers that unfolding has. That finds them all: a binding that was not enabled and is,
//! takes a colour of which there are more tokens than before.
//!
//! *Counts.* The joins only ask whether a colour is there. An arc `2'x + y` may need three tokens
//! of one colour, so each binding that a join finds is tested as a whole: the multiset of every
//! input arc against the counts.
//!
//! *Limits.* A transition may have 10^10 enabled bindings. Each list holds as many as `most`
//! says; then it is not complete, and says so. When few are left of such a list, all bindings are
//! looked for again, from another beginning each time. Invariant: a list is empty only if no
//! binding of the transition is enabled; a complete list has all of them, each once. So
//! "dead" and "fireable" are always exact, while "these are all successors" has to be asked
//! ([`Enabling::is_complete`]).
//!
//! Cost of a move: the partial bindings of the joins that changed colours trigger, and a test
//! of each binding in the lists of transitions that lost tokens.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::join::{Join, SearchWork};
use crate::net::{ColouredArc, ColouredNet};
use crate::plan::{Plans, Trigger};
use crate::terms::{Component, TooMany};
use crate::tokens::TokenRelation;
use brine_run::{Pace, Stop};

/// Most colours of one arc.
const WIDEST: u64 = 1 << 22;
/// Steps of a search that goes on after it has found something, for each binding it may find.
const WORK_PER_BINDING: u64 = 64;

/// New bindings that a changed token adds to a list that is cut and full.
const FRESH: usize = 8;
/// How far the beginning of a search for all bindings is from that of the one before.
const TURN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Number of a binding of some transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BindingId(pub u32);

/// The tokens of one colour in one place, and how they changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenChange {
    /// The place.
    pub place: u32,
    /// The colour.
    pub colour: u64,
    /// How many there were.
    pub old: u64,
    /// How many there are.
    pub new: u64,
}

/// What a binding takes or puts: (place, colour, tokens).
type Tokens<N> = Box<[(u32, u64, N)]>;

/// What is known of a binding.
#[derive(Clone, Debug)]
struct BindingFacts {
    /// What it takes.
    needs: Tokens<u64>,
    /// What changes when it is fired.
    effect: Option<Tokens<i64>>,
    /// Whether it is in the list of its transition.
    listed: bool,
}

/// Enabled bindings of one transition.
#[derive(Clone, Debug)]
struct BindingList {
    bindings: Vec<BindingId>,
    /// Whether there are no others.
    complete: bool,
}

/// The enabled bindings of all transitions in the present marking.
#[derive(Clone, Debug)]
pub struct Enabling {
    relations: Vec<TokenRelation>,
    plans: Vec<Plans>,
    /// Per transition: the plan that finds all bindings.
    everything: Vec<usize>,
    /// Per place: the plans (transition, number) that more tokens there trigger.
    triggered: Vec<Vec<(usize, usize)>>,
    /// Per place: the transitions that take from it.
    takers: Vec<Vec<u32>>,
    /// All bindings met so far: the number of the transition, then the values.
    bindings: IndexSet<Box<[u32]>, FxBuildHasher>,
    facts: Vec<BindingFacts>,
    lists: Vec<BindingList>,
    recent: Vec<BindingId>,
    most: usize,
    turn: u64,
    bytes: u64,
    /// Scratch: whether a transition was affected, and by a loss.
    affected: Vec<(bool, bool)>,
    key: Vec<u32>,
}

/// How a search for bindings ended.
enum Ended {
    /// All were found.
    Complete,
    /// There may be more.
    Cut,
}

impl Enabling {
    /// For the empty marking, with lists that hold up to `most` bindings (at least one).
    pub fn new(net: &ColouredNet, most: usize, pace: &mut Pace<'_>) -> Result<Self, Stop> {
        let mut relations: Vec<TokenRelation> =
            net.places.iter().map(|p| TokenRelation::new(p.layout.clone())).collect();
        let mut plans: Vec<Plans> =
            net.transitions.iter().map(|t| Plans::new(t, &mut relations)).collect();
        let mut triggered = vec![Vec::new(); net.places.len()];
        let mut takers = vec![Vec::new(); net.places.len()];
        for (t, transition) in net.transitions.iter().enumerate() {
            for (i, plan) in plans[t].plans.iter().enumerate() {
                match plan.trigger {
                    Trigger::Pattern(p) => triggered[plans[t].patterns[p].place].push((t, i)),
                    Trigger::Arc(a) => triggered[transition.inputs[a].place].push((t, i)),
                    Trigger::Start | Trigger::Everything => {}
                }
            }
            transition.inputs.iter().for_each(|arc| takers[arc.place].push(t as u32));
        }
        let everything = net.transitions.iter().zip(&mut plans);
        let everything = everything.map(|(t, p)| p.add_everything(t, &mut relations)).collect();
        let list = BindingList { bindings: Vec::new(), complete: true };
        let mut new = Enabling {
            relations,
            plans,
            everything,
            triggered,
            takers,
            bindings: IndexSet::default(),
            facts: Vec::new(),
            lists: vec![list; net.transitions.len()],
            recent: Vec::new(),
            most: most.max(1),
            turn: 0,
            bytes: 0,
            affected: vec![(false, false); net.transitions.len()],
            key: Vec::new(),
        };
        for t in 0..net.transitions.len() {
            new.list_again(net, t, pace)?;
        }
        Ok(new)
    }

    /// Where searches for bindings begin from now on.
    pub fn set_turn(&mut self, turn: u64) {
        self.turn = turn;
    }

    /// About the bytes that are kept for bindings.
    pub fn binding_bytes(&self) -> u64 {
        self.bytes
    }

    /// About the bytes that the tokens take.
    pub fn token_bytes(&self) -> u64 {
        self.relations.iter().map(TokenRelation::bytes).sum()
    }

    /// The number of bindings met so far.
    pub fn known(&self) -> usize {
        self.facts.len()
    }

    /// The enabled bindings of a transition, or some of them.
    pub fn list(&self, transition: usize) -> &[BindingId] {
        &self.lists[transition].bindings
    }

    /// Whether the lists have all enabled bindings.
    pub fn is_complete(&self) -> bool {
        self.lists.iter().all(|l| l.complete)
    }

    /// The bindings that the last move found.
    pub fn recent(&self) -> &[BindingId] {
        &self.recent
    }

    /// The transition of a binding, and the values of its variables.
    pub fn binding(&self, b: BindingId) -> (usize, &[u32]) {
        let key = &self.bindings[b.0 as usize];
        (key[0] as usize, &key[1..])
    }

    /// How the tokens change when an enabled binding is fired.
    pub fn effect(
        &mut self,
        net: &ColouredNet,
        b: BindingId,
        out: &mut Vec<TokenChange>,
    ) -> Result<(), Stop> {
        if self.facts[b.0 as usize].effect.is_none() {
            let effect = self.effect_of(net, b)?;
            self.bytes += (effect.len() * 24) as u64;
            self.facts[b.0 as usize].effect = Some(effect);
        }
        out.clear();
        for &(place, colour, change) in self.facts[b.0 as usize].effect.iter().flatten() {
            let old = self.relations[place as usize].count(colour);
            let new = old.checked_add_signed(change).ok_or(Stop::Overflow)?;
            out.push(TokenChange { place, colour, old, new });
        }
        Ok(())
    }

    fn effect_of(&self, net: &ColouredNet, b: BindingId) -> Result<Tokens<i64>, Stop> {
        let (t, binding) = self.binding(b);
        let mut effect: Vec<(u32, u64, i64)> = Vec::new();
        for &(place, colour, n) in &self.facts[b.0 as usize].needs {
            let n = i64::try_from(n).map_err(|_| Stop::Overflow)?;
            effect.push((place, colour, -n));
        }
        for arc in &net.transitions[t].outputs {
            for (colour, n) in tokens(net, arc, binding).map_err(|TooMany| Stop::Memory)? {
                let n = i64::try_from(n).map_err(|_| Stop::Overflow)?;
                effect.push((arc.place as u32, colour, n));
            }
        }
        effect.sort_unstable_by_key(|&(place, colour, _)| (place, colour));
        let mut merged: Vec<(u32, u64, i64)> = Vec::with_capacity(effect.len());
        for (place, colour, n) in effect {
            match merged.last_mut() {
                // One of the two is negative: there is one arc for each direction.
                Some(last) if (last.0, last.1) == (place, colour) => last.2 += n,
                _ => merged.push((place, colour, n)),
            }
        }
        merged.retain(|&(_, _, n)| n != 0);
        Ok(merged.into_boxed_slice())
    }

    /// Changes tokens, and nothing else: the lists are those of before. For a look at another
    /// marking, which [`Enabling::put_back`] ends.
    pub fn put(&mut self, changes: &[TokenChange]) {
        for c in changes {
            debug_assert_eq!(self.relations[c.place as usize].count(c.colour), c.old);
            self.relations[c.place as usize].set(c.colour, c.new);
        }
    }

    /// Takes changes back.
    pub fn put_back(&mut self, changes: &[TokenChange]) {
        for c in changes {
            debug_assert_eq!(self.relations[c.place as usize].count(c.colour), c.new);
            self.relations[c.place as usize].set(c.colour, c.old);
        }
    }

    /// Whether a transition has an enabled binding, after changes of the marking whose lists
    /// these are.
    pub fn is_fireable(
        &mut self,
        net: &ColouredNet,
        t: usize,
        changes: &[TokenChange],
        pace: &mut Pace<'_>,
    ) -> Result<bool, Stop> {
        if self.lists[t].bindings.iter().any(|&b| self.fits(b)) {
            return Ok(true);
        }
        for c in changes.iter().filter(|c| c.new > c.old) {
            for i in 0..self.triggered[c.place as usize].len() {
                let (transition, plan) = self.triggered[c.place as usize][i];
                if transition == t && self.finds_one(net, (t, plan), c.colour, pace)? {
                    return Ok(true);
                }
            }
        }
        Ok(!self.lists[t].complete && self.finds_one(net, (t, self.everything[t]), 0, pace)?)
    }

    /// Moves on to a marking that differs in these tokens. After an error the marking is undefined:
    /// [`Enabling::clear`].
    pub fn advance(
        &mut self,
        net: &ColouredNet,
        changes: &[TokenChange],
        pace: &mut Pace<'_>,
    ) -> Result<(), Stop> {
        self.put(changes);
        self.recent.clear();
        for c in changes {
            for &t in &self.takers[c.place as usize] {
                let (affected, lost) = &mut self.affected[t as usize];
                *affected = true;
                *lost |= c.new < c.old;
            }
        }
        for t in 0..self.affected.len() {
            if self.affected[t].1 {
                pace.steps(self.lists[t].bindings.len())?;
                self.drop_disabled(t);
            }
        }
        for c in changes.iter().filter(|c| c.new > c.old) {
            for i in 0..self.triggered[c.place as usize].len() {
                let plan = self.triggered[c.place as usize][i];
                let list = &self.lists[plan.0];
                let full = !list.complete && list.bindings.len() >= self.most;
                let room = if full { FRESH.min(self.most) } else { self.most };
                if let Ended::Cut = self.find(net, plan, c.colour, room, pace)? {
                    self.lists[plan.0].complete = false;
                }
            }
        }
        for t in 0..self.affected.len() {
            if std::mem::take(&mut self.affected[t]).0 {
                self.keep_within_limits(t);
                let list = &self.lists[t];
                if !list.complete && list.bindings.len() <= self.most / 2 {
                    self.list_again(net, t, pace)?;
                }
            }
        }
        Ok(())
    }

    /// Back to the empty marking. What is known of bindings stays.
    pub fn clear(&mut self, net: &ColouredNet, pace: &mut Pace<'_>) -> Result<(), Stop> {
        self.relations.iter_mut().for_each(TokenRelation::clear);
        self.affected.fill((false, false));
        self.recent.clear();
        for t in 0..self.lists.len() {
            self.drop_disabled(t);
            self.list_again(net, t, pace)?;
        }
        Ok(())
    }

    /// Forgets the bindings met so far: their numbers begin anew. Back to the empty marking.
    pub fn forget_bindings(&mut self, net: &ColouredNet, pace: &mut Pace<'_>) -> Result<(), Stop> {
        self.bindings.clear();
        self.facts.clear();
        self.lists.iter_mut().for_each(|l| l.bindings.clear());
        self.bytes = 0;
        self.clear(net, pace)
    }

    /// Of a list that has become too long, the older half is dropped.
    fn keep_within_limits(&mut self, t: usize) {
        let list = &mut self.lists[t];
        if list.bindings.len() > 2 * self.most {
            let older = list.bindings.len() - self.most;
            for b in list.bindings.drain(..older) {
                self.facts[b.0 as usize].listed = false;
            }
            list.complete = false;
        }
    }

    /// Looks for all bindings of a transition, and adds those that its list does not have.
    fn list_again(&mut self, net: &ColouredNet, t: usize, pace: &mut Pace<'_>) -> Result<(), Stop> {
        self.turn = self.turn.wrapping_add(TURN);
        let ended = self.find(net, (t, self.everything[t]), 0, self.most, pace)?;
        let list = &mut self.lists[t];
        list.complete = matches!(ended, Ended::Complete);
        debug_assert!(list.complete || !list.bindings.is_empty(), "only a find cuts a search");
        self.keep_within_limits(t);
        Ok(())
    }

    /// Takes the bindings that are no longer enabled off a list.
    fn drop_disabled(&mut self, t: usize) {
        let mut bindings = std::mem::take(&mut self.lists[t].bindings);
        bindings.retain(|&b| {
            let stays = self.fits(b);
            self.facts[b.0 as usize].listed = stays;
            stays
        });
        self.lists[t].bindings = bindings;
    }

    /// Whether all tokens that a binding takes are there.
    #[inline]
    fn fits(&self, b: BindingId) -> bool {
        fits(&self.relations, &self.facts[b.0 as usize].needs)
    }

    /// Runs a plan, and adds the enabled bindings that it finds to the list of the transition, at
    /// most so many.
    fn find(
        &mut self,
        net: &ColouredNet,
        (t, plan): (usize, usize),
        colour: u64,
        most: usize,
        pace: &mut Pace<'_>,
    ) -> Result<Ended, Stop> {
        let Enabling { relations, plans, bindings, facts, lists, recent, key, bytes, .. } = self;
        let join = join_of(net, t, plans, relations, self.turn);
        let mut found = 0;
        let mut report = |binding: &[u32], work: &mut SearchWork<'_>| {
            key.clear();
            key.push(t as u32);
            key.extend_from_slice(binding);
            let known = bindings.get_index_of(key.as_slice());
            let b = match known {
                Some(i) if !fits(relations, &facts[i].needs) => return Ok(()),
                Some(i) => i,
                None => {
                    let needs = needs_of(net, t, binding)?;
                    if !fits(relations, &needs) {
                        return Ok(());
                    }
                    *bytes += (64 + 16 + key.len() * 4 + needs.len() * 24) as u64;
                    facts.push(BindingFacts { needs, effect: None, listed: false });
                    bindings.insert_full(key.clone().into_boxed_slice()).0
                }
            };
            work.left = work.left.min(most as u64 * WORK_PER_BINDING);
            if !facts[b].listed {
                if found == most {
                    return Err(TooMany);
                }
                found += 1;
                facts[b].listed = true;
                lists[t].bindings.push(BindingId(b as u32));
                recent.push(BindingId(b as u32));
            }
            Ok(())
        };
        let mut work = SearchWork { left: u64::MAX, pace: pace.clone(), stopped: None };
        let result = join.run(&plans[t].plans[plan], colour, &mut work, &mut report);
        *pace = work.pace;
        match (result, work.stopped) {
            (_, Some(stop)) => Err(stop),
            (Ok(()), _) => Ok(Ended::Complete),
            (Err(TooMany), _) if found == most || work.left == 0 => Ok(Ended::Cut),
            (Err(TooMany), _) => Err(Stop::Memory),
        }
    }

    /// Whether a plan finds an enabled binding.
    fn finds_one(
        &self,
        net: &ColouredNet,
        (t, plan): (usize, usize),
        colour: u64,
        pace: &mut Pace<'_>,
    ) -> Result<bool, Stop> {
        let join = join_of(net, t, &self.plans, &self.relations, self.turn);
        let mut found = false;
        let mut report = |binding: &[u32], _: &mut SearchWork<'_>| {
            found = fits(&self.relations, &needs_of(net, t, binding)?);
            if found { Err(TooMany) } else { Ok(()) }
        };
        let mut work = SearchWork { left: u64::MAX, pace: pace.clone(), stopped: None };
        let result = join.run(&self.plans[t].plans[plan], colour, &mut work, &mut report);
        *pace = work.pace;
        match (result, work.stopped) {
            (_, Some(stop)) => Err(stop),
            (Err(TooMany), _) if !found => Err(Stop::Memory),
            _ => Ok(found),
        }
    }
}

fn join_of<'r>(
    net: &'r ColouredNet,
    t: usize,
    plans: &'r [Plans],
    relations: &'r [TokenRelation],
    turn: u64,
) -> Join<'r, TokenRelation> {
    let transition = &net.transitions[t];
    Join { transition, plans: &plans[t], relations, widest: WIDEST, turn }
}

fn tokens(
    net: &ColouredNet,
    arc: &ColouredArc,
    binding: &[u32],
) -> Result<Vec<(u64, u64)>, TooMany> {
    arc.bag.evaluate(&net.places[arc.place].layout, binding, WIDEST)
}

/// The colour of an arc that moves one token.
fn one_colour(net: &ColouredNet, arc: &ColouredArc, binding: &[u32]) -> Option<u64> {
    let layout = &net.places[arc.place].layout;
    let share = |(i, c): (usize, &Component)| Some(layout.weight(i, c.value(binding)?));
    arc.bag.single()?.iter().enumerate().map(share).sum()
}

/// What a binding takes.
fn needs_of(net: &ColouredNet, t: usize, binding: &[u32]) -> Result<Tokens<u64>, TooMany> {
    let mut needs = Vec::new();
    for arc in &net.transitions[t].inputs {
        let place = arc.place as u32;
        if let Some(colour) = one_colour(net, arc, binding) {
            needs.push((place, colour, 1));
            continue;
        }
        needs.extend(tokens(net, arc, binding)?.into_iter().map(|(colour, n)| (place, colour, n)));
    }
    Ok(needs.into_boxed_slice())
}

/// Whether all these tokens are there.
#[inline]
fn fits(relations: &[TokenRelation], needs: &[(u32, u64, u64)]) -> bool {
    needs.iter().all(|&(place, colour, n)| relations[place as usize].count(colour) >= n)
}
