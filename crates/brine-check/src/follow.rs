//! What lies along a run: a formula of CTL is evaluated in the markings that it comes by.
//!
//! A run that satisfies a formula with its quantifiers left out nearly shows it; what is missing are
//! values in some of its markings. Those are found by a short look outwards from there, and if that
//! does not tell, by asking all engines, in a net that begins there. What they say may need another
//! run to be followed, a level deeper.
//!
//! ```text
//! value(m, E(f U g)), value(m, EG f), after a look outwards from m that did not tell:
//!     no run from m satisfies strong       false          ([`crate::ask::bounds`])
//!     some run from m satisfies under      true
//!     a run from m satisfies strong:       true if it shows the operator:
//!         E(f U g): its markings satisfy f, then g        EG f: all its markings satisfy f
//! ```
//!
//! A run for `EF g` that does not show it is followed by a walk from its end: runs end up where
//! little can happen any more, which is where `AG` and `EG` are true.
//!
//! *Why this is right.* True is said where a path is there whose markings have the values that the
//! operator wants, each of them final; false where no run is left. What the structure of a net says
//! of all markings that can be reached from its initial one is true of those that can be reached from
//! one of them, so it serves there, too.
//!
//! *Invariant.* Values that are noted are final, and belong to the markings of one [`LocalGraph`].
//!
//! Cost: limited by work, of which each level has a quarter of the one above it, and each question a
//! part; so recursion is as deep as work can be divided.

use crate::ask::bounds::CtlBounds;
use crate::auto::{Auto, Stages};
use crate::budget::Budget;
use crate::decide::{DecideError, Property};
use crate::verdict::Verdict;
use brine_explicit::local::{LocalGraph, LocalValues};
use brine_explicit::store::MarkingId;
use brine_ltl::{Ctl, CtlId, CtlNode, Formula, Formulas};
use brine_net::{Net, Run, Structure};
use brine_run::{Control, Stop};
use std::ops::Deref;
use std::time::Instant;

/// A level has this part of the work of the one above it.
const LEVEL_SHARE: u64 = 4;
/// A level with less work than this is none.
const LEAST_WORK: u64 = 2_000;
/// Levels at most; what is boolean counts as well.
const LEVELS: u32 = 8;
/// Steps of a look at a marking that a run comes by.
const GLANCE: u64 = 512;
/// Steps of a look outwards for a unit of work.
const LOOK_STEPS: u64 = 2;
/// Markings of one run that are looked at closely.
const CLOSELY: u32 = 3;
/// Runs that are longer are not followed.
const LONGEST: usize = 4_000;
/// Steps of the walk from the end of a run.
const WALK: usize = 3_000;
/// Successors that are looked at for `EX`.
const SUCCESSORS: usize = 64;
/// Nets with more nodes are not copied for each marking.
const HUGE: usize = 100_000;

/// A formula that is evaluated along runs.
pub(crate) struct Trail<'t, 'n> {
    pub(crate) net: &'n Net,
    pub(crate) structure: &'n dyn Deref<Target = Structure>,
    pub(crate) stages: Stages,
    pub(crate) graph: &'t mut LocalGraph<'n>,
    pub(crate) fs: &'t mut Formulas,
    pub(crate) ctl: &'t Ctl,
    pub(crate) bounds: CtlBounds,
    pub(crate) values: &'t mut LocalValues,
    pub(crate) budget: &'t Budget,
    pub(crate) start: Instant,
    /// Work that is left.
    pub(crate) left: u64,
}

/// Where to look for what shows a node.
#[derive(Clone, Copy, Debug)]
pub enum Candidate<'r> {
    /// Along this run from the initial marking.
    Run(&'r Run),
    /// Nothing is known that may show it.
    Open,
}

/// A node of a formula, and the store of what is inside.
#[derive(Clone, Copy, Debug)]
pub struct FollowedNode<'q> {
    /// The store.
    pub formulas: &'q Formulas,
    /// The formula.
    pub ctl: &'q Ctl,
    /// The node.
    pub at: CtlId,
}

/// Why there is no value at all.
#[derive(Debug)]
pub(crate) enum TrailError {
    Stop(Stop),
    Decide(DecideError),
}

impl From<Stop> for TrailError {
    fn from(stop: Stop) -> Self {
        TrailError::Stop(stop)
    }
}

/// A value, if it was found.
type Found = Result<Option<bool>, TrailError>;

impl Trail<'_, '_> {
    /// Whether the initial marking satisfies a node.
    pub(crate) fn initially(&mut self, at: CtlId, candidate: Candidate<'_>) -> Found {
        let (m, work) = (MarkingId::INITIAL, self.left);
        match candidate {
            Candidate::Run(run) => {
                let found = self.follow(m, at, run, work / LEVEL_SHARE, LEVELS)?;
                self.noted(m, at, found)
            }
            Candidate::Open => self.resolve(m, at, work, LEVELS),
        }
    }

    fn control(&self) -> Control {
        self.budget.since(self.start).control()
    }

    fn noted(&mut self, m: MarkingId, at: CtlId, value: Option<bool>) -> Found {
        if let Some(value) = value {
            self.graph.note(self.ctl, (m, at), value, self.values)?;
        }
        Ok(value)
    }

    /// A look outwards.
    fn look(&mut self, m: MarkingId, at: CtlId, steps: u64) -> Found {
        let control = self.control();
        Ok(self.graph.value((self.fs, self.ctl), (m, at), self.values, steps, &control)?)
    }

    /// The value of a node in a marking, with so much work.
    fn resolve(&mut self, m: MarkingId, at: CtlId, work: u64, levels: u32) -> Found {
        let known = self.look(m, at, work.saturating_mul(LOOK_STEPS).max(GLANCE))?;
        if known.is_some() || levels == 0 || work.min(self.left) < LEAST_WORK {
            return Ok(known);
        }
        let ctl = self.ctl;
        let value = match &ctl.nodes()[at] {
            CtlNode::State(_) => None,
            CtlNode::Not(f) => self.resolve(m, *f, work, levels - 1)?.map(|f| !f),
            CtlNode::And(list) => self.combined(m, list, false, work, levels - 1)?,
            CtlNode::Or(list) => self.combined(m, list, true, work, levels - 1)?,
            CtlNode::ExistsNext(f) => self.next(m, *f, work / LEVEL_SHARE, levels - 1)?,
            CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => {
                self.path(m, at, work, levels - 1)?
            }
        };
        self.noted(m, at, value)
    }

    fn combined(
        &mut self,
        m: MarkingId,
        list: &[CtlId],
        decides: bool,
        work: u64,
        levels: u32,
    ) -> Found {
        let mut all = Some(!decides);
        for &f in list {
            match self.resolve(m, f, work, levels)? {
                Some(value) if value == decides => return Ok(Some(decides)),
                Some(_) => (),
                None => all = None,
            }
        }
        Ok(all)
    }

    /// `EX f`
    fn next(&mut self, m: MarkingId, f: CtlId, work: u64, levels: u32) -> Found {
        let control = self.control();
        let after = self.graph.after(m, &control)?;
        let mut any = (after.len() <= SUCCESSORS).then_some(false);
        for to in after.into_iter().take(SUCCESSORS) {
            match self.resolve(to, f, work, levels)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => (),
                None => any = None,
            }
        }
        Ok(any)
    }

    /// `E(f U g)` or `EG f`: asks the engines, and follows the run that they find.
    fn path(&mut self, m: MarkingId, at: CtlId, work: u64, levels: u32) -> Found {
        let under = self.bounds.of(at).under;
        let Some(strong) = self.bounds.of(at).strong else { return Ok(None) };
        let run = match self.ask(m, strong, work)? {
            Some(Verdict::Holds) => return Ok(Some(false)),
            Some(Verdict::Violated(_)) if under == strong => return Ok(Some(true)),
            Some(Verdict::Violated(run)) => run,
            _ => None,
        };
        if under != strong && matches!(self.ask(m, under, work)?, Some(Verdict::Violated(_))) {
            return Ok(Some(true));
        }
        match run {
            Some(run) => self.follow(m, at, &run, work / LEVEL_SHARE, levels),
            None => Ok(None),
        }
    }

    /// Do all runs from a marking satisfy the negation?
    fn ask(
        &mut self,
        m: MarkingId,
        formula: Formula,
        work: u64,
    ) -> Result<Option<Verdict>, TrailError> {
        let work = work.min(self.left);
        let size = self.net.places().len() + self.net.transitions().len();
        if work < LEAST_WORK || size > HUGE {
            return Ok(None);
        }
        self.left -= work;
        let formula = self.fs.not(formula);
        let net = self.net.starting_from(self.graph.marking(m));
        let mut budget = self.budget.since(self.start);
        budget.schedule.ticks = Some(work);
        let property = Property { net: &net, formulas: self.fs, formula };
        let mut auto = Auto::of(&net, self.structure, self.stages);
        let decision = auto.decide(property, &budget).map_err(TrailError::Decide)?;
        Ok(Some(decision.verdict))
    }

    /// Whether a run from a marking shows that it satisfies a path operator.
    fn follow(&mut self, m: MarkingId, at: CtlId, run: &Run, work: u64, levels: u32) -> Found {
        if run.len() > LONGEST {
            return Ok(None);
        }
        let control = self.control();
        let Some(list) = self.graph.along(m, run.steps(), &control)? else { return Ok(None) };
        match self.ctl.nodes()[at] {
            CtlNode::ExistsUntil(f, g) => self.follow_until((at, f, g), &list, work, levels),
            CtlNode::ExistsGlobally(f) => {
                let last = list[list.len() - 1];
                let ends = match run.cycle.is_empty() {
                    true => self.graph.after(last, &control)?.is_empty(),
                    false => last == list[run.prefix.len()],
                };
                if ends { self.follow_globally(at, f, &list, work, levels) } else { Ok(None) }
            }
            _ => Ok(None),
        }
    }

    /// Some marking satisfies g, and those before it f.
    fn follow_until(
        &mut self,
        (at, f, g): (CtlId, CtlId, CtlId),
        list: &[MarkingId],
        work: u64,
        levels: u32,
    ) -> Found {
        let mut closely = CLOSELY;
        for (i, &m) in list.iter().enumerate() {
            if self.closer(m, g, work, levels, &mut closely)? == Some(true) {
                return self.shown(&list[..=i], at);
            }
            if self.closer(m, f, work, levels, &mut closely)? != Some(true) {
                return Ok(None);
            }
        }
        let always = self.ctl.nodes()[f] == CtlNode::State(Formula::TRUE);
        let Some(&last) = list.last().filter(|_| always) else { return Ok(None) };
        let control = self.control();
        let walk = self.graph.stroll(last, WALK, &control)?;
        // At its end, and on the way.
        for i in [walk.len() - 1, walk.len() / 8] {
            if self.resolve(walk[i], g, work, levels)? == Some(true) {
                self.shown(&walk[..=i], at)?;
                return self.shown(list, at);
            }
        }
        Ok(None)
    }

    /// All markings satisfy f.
    fn follow_globally(
        &mut self,
        at: CtlId,
        f: CtlId,
        list: &[MarkingId],
        work: u64,
        levels: u32,
    ) -> Found {
        let mut closely = 2 * CLOSELY;
        for &m in list {
            if self.closer(m, f, work, levels, &mut closely)? != Some(true) {
                return Ok(None);
            }
        }
        self.shown(list, at)
    }

    /// A glance, and if that does not tell, a closer look, of which there are a few.
    fn closer(
        &mut self,
        m: MarkingId,
        at: CtlId,
        work: u64,
        levels: u32,
        closely: &mut u32,
    ) -> Found {
        let glance = self.look(m, at, GLANCE)?;
        if glance.is_some() || *closely == 0 {
            return Ok(glance);
        }
        *closely -= 1;
        self.resolve(m, at, work, levels)
    }

    fn shown(&mut self, list: &[MarkingId], at: CtlId) -> Found {
        for &m in list {
            self.graph.note(self.ctl, (m, at), true, self.values)?;
        }
        Ok(Some(true))
    }
}
