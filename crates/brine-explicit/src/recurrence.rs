//! What can always happen again, on the whole marking graph.
//!
//! ```text
//! roots = []; for every marking m that leads to no root so far: add m; note all that lead to it
//! for the roots, the last first: if it leads to no root after it, it lies in a bottom component
//! ```
//!
//! A bottom component is a set of markings that lead to each other and to no others. *Why this is
//! right.* If m is the root r of the second loop, no root after it is reached from it, and none
//! before it either, or it would not be a root. Every marking that r leads to leads to some root
//! itself, which r therefore leads to, and that can only be r: so whatever r leads to leads back.
//!
//! A group of transitions is live if and only if each bottom component enables a member, because
//! from every marking some bottom component can be reached, and it is never left.
//!
//! Cost: linear in markings and edges, and firing once more in the bottom components.

use crate::branching::MarkingGraph;
use crate::fire::Step;
use crate::store::MarkingId;
use brine_net::{Recurrence, TransitionId};
use brine_run::{Control, Stop};

impl MarkingGraph<'_> {
    /// Of each group of transitions, whether a member is enabled in some marking.
    pub fn can_fire(
        &mut self,
        groups: &[Vec<TransitionId>],
        control: &Control,
    ) -> Result<Vec<bool>, Stop> {
        self.markings.meter.resume(control.without_work());
        let fired = self.fired_in(self.markings.store().ids())?;
        Ok(groups.iter().map(|g| g.iter().any(|t| fired[t.index()])).collect())
    }

    /// What comes back of these groups of transitions, and which markings do.
    pub fn recurrence(
        &mut self,
        groups: &[Vec<TransitionId>],
        control: &Control,
    ) -> Result<Recurrence, Stop> {
        self.markings.meter.resume(control.without_work());
        let bottoms = self.bottoms()?;
        let fired = self.fired_in(self.markings.store().ids())?;
        let of = |fired: &[bool]| -> Vec<bool> {
            groups.iter().map(|g| g.iter().any(|t| fired[t.index()])).collect()
        };
        let mut found = Recurrence { can_fire: of(&fired), ..Recurrence::default() };
        found.live = vec![true; groups.len()];
        for &bottom in &bottoms {
            let component = self.component(bottom)?;
            let fired = self.fired_in(component.into_iter())?;
            found.live.iter_mut().zip(of(&fired)).for_each(|(all, here)| *all &= here);
        }
        if let [home] = bottoms[..] {
            found.home = Some(self.markings.marking(home));
            let mut seen = vec![false; self.len()];
            found.reversible = self.lead_to(MarkingId::INITIAL, &mut seen)? == self.len();
        }
        Ok(found)
    }

    /// A marking of each bottom component.
    fn bottoms(&mut self) -> Result<Vec<MarkingId>, Stop> {
        let mut roots: Vec<MarkingId> = Vec::new();
        let mut seen = vec![false; self.len()];
        for id in self.markings.store().ids() {
            if !seen[id.index()] {
                roots.push(id);
                self.lead_to(id, &mut seen)?;
            }
        }
        let mut bottoms = Vec::new();
        seen.fill(false);
        for &root in roots.iter().rev() {
            if !seen[root.index()] {
                bottoms.push(root);
                self.lead_to(root, &mut seen)?;
            }
        }
        debug_assert!(!bottoms.is_empty(), "runs end up somewhere");
        Ok(bottoms)
    }

    /// Notes all markings that lead to this one, unless they were seen; how many are new.
    fn lead_to(&mut self, to: MarkingId, seen: &mut [bool]) -> Result<usize, Stop> {
        let mut open = vec![to.index()];
        seen[to.index()] = true;
        let mut count = 1;
        while let Some(m) = open.pop() {
            self.markings.meter.tick()?;
            for i in self.first[m]..self.first[m + 1] {
                let source = self.sources[i as usize] as usize;
                if !std::mem::replace(&mut seen[source], true) {
                    count += 1;
                    open.push(source);
                }
            }
        }
        Ok(count)
    }

    /// All markings that this one leads to.
    fn component(&mut self, from: MarkingId) -> Result<Vec<MarkingId>, Stop> {
        let mut seen = vec![false; self.len()];
        seen[from.index()] = true;
        let mut members = vec![from];
        let (mut enabled, mut found): (Vec<Step>, Vec<(MarkingId, bool)>) = Default::default();
        let mut next = 0;
        while next < members.len() {
            self.markings.meter.tick()?;
            enabled.clear();
            self.markings.enabled(members[next], &mut enabled);
            self.markings.fire_all(members[next], &enabled, &mut found)?;
            for &(id, is_new) in &found {
                debug_assert!(!is_new, "all markings are known");
                if !std::mem::replace(&mut seen[id.index()], true) {
                    members.push(id);
                }
            }
            next += 1;
        }
        Ok(members)
    }

    /// Of each transition, whether some marking of a list enables it.
    fn fired_in(&mut self, list: impl Iterator<Item = MarkingId>) -> Result<Vec<bool>, Stop> {
        let mut fired = vec![false; self.markings.net().transitions().len()];
        let mut enabled = Vec::new();
        for id in list {
            self.markings.meter.tick()?;
            enabled.clear();
            self.markings.enabled(id, &mut enabled);
            for &step in &enabled {
                fired[self.markings.firing().transition(step).index()] = true;
            }
        }
        Ok(fired)
    }
}
