//! How large the unfolding of the textbooks is: a place for every colour, a transition for every
//! binding of the variables, whether it can occur or not. It is known without unfolding, and an
//! upper bound of what unfolding gives.

use crate::net::ColouredNet;
use std::fmt;

/// Upper bounds of the size of an unfolding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextbookSize {
    /// Colours of all places.
    pub places: f64,
    /// Bindings of all transitions, guards ignored.
    pub transitions: f64,
}

impl TextbookSize {
    /// Of a net.
    pub fn of(net: &ColouredNet) -> Self {
        let size = |&sort| f64::from(net.sorts.get(sort).size());
        let places = net.places.iter().map(|p| p.sort.iter().map(size).product::<f64>());
        let choices = |t: &crate::net::ColouredTransition| {
            t.variables.iter().map(|v| f64::from(v.choices())).product::<f64>()
        };
        TextbookSize {
            places: places.sum(),
            transitions: net.transitions.iter().map(choices).sum(),
        }
    }
}

/// `up to 1.2e10 places, 2.4e3 transitions`
impl fmt::Display for TextbookSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |n: f64| if n < 1e6 { n.to_string() } else { format!("{n:.1e}") };
        write!(f, "up to {} places, {} transitions", short(self.places), short(self.transitions))
    }
}
