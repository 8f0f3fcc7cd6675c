//! The firing rule on plain markings: one number per place.
//!
//! A transition is enabled if every input place holds at least the weight of its arc; firing
//! takes these tokens, then puts those of the output arcs. A marking whose numbers would pass
//! `u32` cannot be had: firing says so and changes nothing.
//!
//! Replay and the oracle fire by rules of their own, and atoms ask by their own whether a
//! transition is enabled, on purpose: they judge what uses this one.

use crate::net::{Net, TransitionId};

impl Net {
    /// Is the transition enabled?
    pub fn is_enabled(&self, t: TransitionId, marking: &[u32]) -> bool {
        debug_assert_eq!(marking.len(), self.places().len());
        self.transition(t).pre.iter().all(|&(p, w)| marking[p.index()] >= w)
    }

    /// The marking after a transition; `None` if it is not enabled or a number passes `u32`.
    ///
    /// ```
    /// use brine_net::NetBuilder;
    /// let mut b = NetBuilder::new("n");
    /// let (p, q) = (b.place("p", 1), b.place("q", u32::MAX - 2));
    /// let t = b.transition("t", &[(p, 1)], &[(p, 1), (q, 2)]);
    /// let net = b.build().unwrap();
    /// let after = net.fire(t, &net.initial_marking()).unwrap();
    /// assert_eq!(after, [1, u32::MAX]);
    /// assert_eq!(net.fire(t, &after), None);
    /// assert_eq!(net.fire(t, &[0, 0]), None);
    /// ```
    pub fn fire(&self, t: TransitionId, marking: &[u32]) -> Option<Vec<u32>> {
        // Asked before copying: most transitions are not enabled, and markings are long.
        if !self.is_enabled(t, marking) {
            return None;
        }
        let mut after = marking.to_vec();
        self.fire_enabled(t, &mut after).then_some(after)
    }

    /// Fires in place. False, and nothing is changed, if the transition is not enabled or a
    /// number would pass `u32`.
    pub fn fire_in_place(&self, t: TransitionId, marking: &mut [u32]) -> bool {
        self.is_enabled(t, marking) && self.fire_enabled(t, marking)
    }

    fn fire_enabled(&self, t: TransitionId, marking: &mut [u32]) -> bool {
        let arcs = self.transition(t);
        arcs.pre.iter().for_each(|&(p, w)| marking[p.index()] -= w);
        for (i, &(p, w)) in arcs.post.iter().enumerate() {
            let Some(sum) = marking[p.index()].checked_add(w) else {
                arcs.post[..i].iter().for_each(|&(p, w)| marking[p.index()] -= w);
                arcs.pre.iter().for_each(|&(p, w)| marking[p.index()] += w);
                return false;
            };
            marking[p.index()] = sum;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::NetBuilder;

    #[test]
    fn what_cannot_be_fired_changes_nothing() {
        let mut b = NetBuilder::new("n");
        let (p, q, r) = (b.place("p", 2), b.place("q", 0), b.place("r", u32::MAX));
        let t = b.transition("t", &[(p, 2)], &[(q, 3), (r, 1)]);
        let u = b.transition("u", &[(p, 3)], &[]);
        let back = b.transition("back", &[(r, 2)], &[(r, 1)]);
        let net = b.build().unwrap();
        let mut marking = net.initial_marking();
        assert!(!net.fire_in_place(t, &mut marking) && !net.fire_in_place(u, &mut marking));
        assert_eq!(marking, net.initial_marking());
        assert!(net.fire_in_place(back, &mut marking) && net.fire_in_place(t, &mut marking));
        assert_eq!(marking, [0, 3, u32::MAX]);
    }
}
