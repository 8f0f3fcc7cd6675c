//! A coloured net, and what was worked out about it for all questions: the plain net that the
//! engines of `auto` get, and its structure.
//!
//! Both are made when they are first needed, since most questions are decided before. Where many
//! questions share one budget, the caller gives it ([`ColouredModel::within`]); else it is made under
//! the budget of the question that needs it. Unfolding may use half of what is left of it. A net that is too large to unfold stays so; an unfolding that ran out of time is
//! tried again only if there is twice that time.

use crate::auto::{Auto, Stages};
use crate::verdict::Reason;
use brine_coloured::{
    ColouredNet, ColouredRun, Merged, Skeleton, TextbookSize, UnfoldError, UnfoldLimits, Unfolded,
    initially_fireable, merge, unfold,
};
use brine_net::{NetError, Structure, TransitionId};
use brine_run::Control;
use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Unfolding takes at most this part of the time.
const UNFOLD_SHARE: u32 = 2;
/// A net whose textbook unfolding has more places and transitions than this is large.
const LARGE: f64 = 3e5;

/// A coloured net, and what is known about it.
#[derive(Debug)]
pub struct ColouredModel {
    net: ColouredNet,
    /// The budget of all questions together.
    common: Option<Control>,
    /// The net over classes of colours that behave alike, if that is smaller.
    merged: OnceLock<Option<Merged>>,
    skeleton: OnceLock<Option<StructuredSkeleton>>,
    plain: OnceLock<PlainNet>,
    /// Why it could not be unfolded, and how long that took.
    failed: Mutex<Option<(Reason, Duration)>>,
}

impl ColouredModel {
    /// A net of which nothing is known.
    pub fn new(net: ColouredNet) -> Self {
        ColouredModel {
            net,
            common: None,
            merged: OnceLock::new(),
            skeleton: OnceLock::new(),
            plain: OnceLock::new(),
            failed: Mutex::new(None),
        }
    }

    /// The same under a budget of all questions together.
    pub fn within(self, control: Control) -> Self {
        ColouredModel { common: Some(control), ..self }
    }

    /// The net.
    pub fn net(&self) -> &ColouredNet {
        &self.net
    }

    /// The net that searches work on: colours that behave alike are merged, if there was time for
    /// that when it was first needed. Places and transitions keep their numbers.
    pub(super) fn working_net(&self, control: &Control) -> &ColouredNet {
        let make = || merge(&self.net, &control.without_work()).ok().flatten();
        self.merged.get_or_init(make).as_ref().map_or(&self.net, |merged| &merged.net)
    }

    /// Whether unfolding may take long.
    pub(super) fn is_large(&self, control: &Control) -> bool {
        let size = TextbookSize::of(self.working_net(control));
        self.plain.get().is_none() && size.places + size.transitions > LARGE
    }

    /// The run of the net itself that a run of the working net stands for; `None` if it was not
    /// found in the work that lifting may take.
    pub(super) fn lift(&self, run: ColouredRun, control: &Control) -> Option<ColouredRun> {
        match self.merged.get() {
            Some(Some(merged)) => {
                merged.lift(&self.net, &run, &control.without_work()).ok().flatten()
            }
            _ => Some(run),
        }
    }

    /// The skeleton with its structure, if there was time for it when it was first needed.
    pub(super) fn skeleton(&self, control: &Control) -> Option<&StructuredSkeleton> {
        let make = || StructuredSkeleton::new(&self.net, &control.without_work()).ok();
        self.skeleton.get_or_init(make).as_ref()
    }

    /// The tokens of every place at the start, of all colours together, where they are known.
    pub fn initial_tokens(&self, control: &Control) -> Vec<Option<u32>> {
        let Some(StructuredSkeleton { skeleton, .. }) = self.skeleton(control) else {
            return vec![None; self.net.places.len()];
        };
        let places = skeleton.net().place_ids();
        places.map(|p| skeleton.knows(p).then(|| skeleton.net().place(p).initial)).collect()
    }

    /// The plain net and its structure, unless making it takes long or is not possible. Colours
    /// that behave alike are merged in it: its groups of places keep their sums.
    pub fn unfolded(&self, control: &Control) -> Option<(&Unfolded, &Structure)> {
        if self.is_large(control) {
            return None;
        }
        let plain = self.plain(control).ok()?;
        Some((&plain.unfolded, &plain.structure))
    }

    /// The plain net, which is made now if there is time for it, and its structure.
    pub(crate) fn plain_net(
        &self,
        control: &Control,
    ) -> Result<(&Unfolded, &dyn Deref<Target = Structure>), Reason> {
        let plain = self.plain(control)?;
        Ok((&plain.unfolded, &plain.structure))
    }

    /// The plain net, which is made now if there is time for it.
    pub(super) fn plain(&self, control: &Control) -> Result<&PlainNet, Reason> {
        if let Some(plain) = self.plain.get() {
            return Ok(plain);
        }
        let whole = self.common.as_ref().unwrap_or(control).without_work();
        let share = whole.time_left().map(|left| left / UNFOLD_SHARE);
        let control = share.map_or_else(|| whole.clone(), |time| whole.at_most(time));
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((reason, took)) = &*failed {
            let more = control.time_left().is_none_or(|left| left > 2 * *took);
            if *reason != Reason::Timeout || !more {
                return Err(reason.clone());
            }
        }
        let start = Instant::now();
        match PlainNet::new(self.working_net(&control), &control, whole) {
            Ok(plain) => Ok(self.plain.get_or_init(|| plain)),
            Err(reason) => {
                if reason != Reason::Cancelled {
                    *failed = Some((reason.clone(), start.elapsed()));
                }
                Err(reason)
            }
        }
    }
}

/// The skeleton, and what is known about it.
#[derive(Debug)]
pub(super) struct StructuredSkeleton {
    pub(super) skeleton: Skeleton,
    pub(super) structure: Structure,
    /// Whether some binding of each transition is enabled at the start, if there was time to see.
    initially: Option<Vec<bool>>,
}

impl StructuredSkeleton {
    fn new(net: &ColouredNet, control: &Control) -> Result<Self, NetError> {
        let skeleton = Skeleton::new(net, control)?;
        let structure = Structure::within(skeleton.net(), control);
        let initially = initially_fireable(net, control).ok();
        Ok(StructuredSkeleton { skeleton, structure, initially })
    }

    /// Whether some binding of a transition is enabled at the start, if that is known.
    pub(super) fn initially(&self, t: TransitionId) -> Option<bool> {
        self.initially.as_ref().map(|fireable| fireable[t.index()])
    }
}

/// The plain net that means the same for sums over all colours.
#[derive(Debug)]
pub(super) struct PlainNet {
    pub(super) unfolded: Arc<Unfolded>,
    structure: LazyStructure,
}

impl PlainNet {
    /// Unfolds a net under a control; another one is for its structure.
    fn new(net: &ColouredNet, control: &Control, whole: Control) -> Result<Self, Reason> {
        let unfolded = unfold(net, &UnfoldLimits::default(), control);
        let unfolded = Arc::new(unfolded.map_err(|error| match error {
            UnfoldError::TooLarge(what) => Reason::Unsupported(what),
            UnfoldError::Stopped(stop) => stop.into(),
            UnfoldError::Invalid { message, .. } => Reason::Unsupported(message),
        })?);
        let structure = LazyStructure {
            unfolded: unfolded.clone(),
            control: whole,
            structure: OnceLock::new(),
        };
        Ok(PlainNet { unfolded, structure })
    }

    /// `auto` for this net, after a hunt on coloured markings.
    pub(super) fn auto(&self, stages: Stages) -> Auto<'_> {
        Auto::new(&self.unfolded.net, &self.structure, stages).after_hunt()
    }

    /// Its size, for people.
    pub(super) fn size(&self) -> String {
        let net = &self.unfolded.net;
        format!("{} places, {} transitions", net.places().len(), net.transitions().len())
    }
}

/// The structure of a net, worked out when it is first looked at.
#[derive(Debug)]
struct LazyStructure {
    unfolded: Arc<Unfolded>,
    control: Control,
    structure: OnceLock<Structure>,
}

impl Deref for LazyStructure {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        self.structure.get_or_init(|| Structure::within(&self.unfolded.net, &self.control))
    }
}
