//! Computations that can be left and taken up again.

use crate::control::Control;

/// A search that goes on where it stopped.
///
/// [`Search::advance`] works until the search has ended, or has done the work of the control,
/// counted *in all* since the search began, or something else in the control ends it; and tells the
/// outcome so far. After a stop for work (and for time, or a cancel flag) it can be advanced again
/// with a more generous control. It may go on in two ways: from the very state in which it
/// stopped, as explicit searches do; or, where that state cannot be kept, with what was learned (a
/// symbolic search goes on with its next order, and with longer turns for the others).
///
/// Either way the outcome does not depend on how the work was sliced: advancing by many small
/// steps ends as one large step does.
///
/// After a lack of memory there is nothing to go on from: the search begins anew.
pub trait Search {
    /// What the search has come to.
    type Outcome;

    /// Goes on.
    fn advance(&mut self, control: &Control) -> Self::Outcome;
}

impl<S: Search + ?Sized> Search for Box<S> {
    type Outcome = S::Outcome;

    fn advance(&mut self, control: &Control) -> S::Outcome {
        (**self).advance(control)
    }
}
