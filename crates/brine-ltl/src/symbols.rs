//! Names: from what users write to places and transitions, and back.
//!
//! A name may stand for several places (a coloured place stands for the sum over its
//! unfolded places) or transitions. Ids win over names; a name that several ids share is
//! ambiguous. Without a net, the table is *open*: a name that was never seen gets the
//! next free number, so that formulas can be read and automata built with no model.

use brine_net::{Net, PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// The names a formula may use.
///
/// ```
/// use brine_ltl::Symbols;
/// use brine_net::NetBuilder;
/// let mut b = NetBuilder::new("n");
/// let p = b.named_place("p1", "Fork 1", 1);
/// let net = b.build().unwrap();
/// let mut symbols = Symbols::of_net(&net);
/// assert_eq!(symbols.places("Fork 1").unwrap(), [p]);
/// assert_eq!(symbols.places("Frok 1").unwrap_err().suggestion.as_deref(), Some("Fork 1"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    places: Table<PlaceId>,
    transitions: Table<TransitionId>,
    open: bool,
}

/// Why a name cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameError {
    /// The name as written.
    pub name: String,
    /// Several ids carry this name.
    pub ambiguous: bool,
    /// A known name that looks like it.
    pub suggestion: Option<String>,
}

/// One kind of name.
#[derive(Clone, Debug)]
struct Table<T> {
    ids: FxHashMap<String, Vec<T>>,
    /// `None`: the name belongs to several ids.
    names: FxHashMap<String, Option<Vec<T>>>,
    /// What to print for each number.
    labels: Vec<String>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { ids: FxHashMap::default(), names: FxHashMap::default(), labels: Vec::new() }
    }
}

impl<T: Clone> Table<T> {
    fn add(&mut self, id: &str, name: &str, targets: Vec<T>) {
        if name != id {
            self.names
                .entry(name.to_owned())
                .and_modify(|entry| *entry = None)
                .or_insert_with(|| Some(targets.clone()));
        }
        self.ids.insert(id.to_owned(), targets);
    }

    fn get(&self, name: &str) -> Result<&[T], NameError> {
        let error =
            |ambiguous, suggestion| NameError { name: name.to_owned(), ambiguous, suggestion };
        if let Some(targets) = self.ids.get(name) {
            return Ok(targets);
        }
        match self.names.get(name) {
            Some(Some(targets)) => Ok(targets),
            Some(None) => Err(error(true, None)),
            None => Err(error(false, self.closest(name))),
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.ids.contains_key(name) || self.names.contains_key(name)
    }

    /// The known name nearest to `name`, if it is near enough to be a slip.
    fn closest(&self, name: &str) -> Option<String> {
        let allowed = 1 + name.chars().count() / 4;
        self.ids
            .keys()
            .chain(self.names.keys())
            .filter(|known| known.len().abs_diff(name.len()) <= 4 * allowed)
            .map(|known| (strsim::osa_distance(name, known), known))
            .filter(|&(distance, _)| distance <= allowed)
            .min()
            .map(|(_, known)| known.clone())
    }
}

impl Symbols {
    /// An open table: every name is welcome.
    pub fn open() -> Self {
        Symbols { open: true, ..Symbols::default() }
    }

    /// The places and transitions of a net, by id and by name.
    pub fn of_net(net: &Net) -> Self {
        let mut symbols = Symbols::default();
        symbols.label_as(net);
        for (p, place) in net.place_ids().zip(net.places()) {
            symbols.add_place(&place.id, &place.name, vec![p]);
        }
        for (t, transition) in net.transition_ids().zip(net.transitions()) {
            symbols.add_transition(&transition.id, &transition.name, vec![t]);
        }
        symbols
    }

    /// Prints places and transitions by the ids they have in `net`, without making these
    /// ids known to the reader of formulas. For coloured nets: `net` is the unfolded one,
    /// and the coloured names are added one by one.
    pub fn label_as(&mut self, net: &Net) {
        self.places.labels = net.places().iter().map(|p| p.id.clone()).collect();
        self.transitions.labels = net.transitions().iter().map(|t| t.id.clone()).collect();
    }

    /// Makes a place known that stands for the sum of `targets`.
    pub fn add_place(&mut self, id: &str, name: &str, targets: Vec<PlaceId>) {
        self.places.add(id, name, targets);
    }

    /// Makes a transition known that stands for any of `targets`.
    pub fn add_transition(&mut self, id: &str, name: &str, targets: Vec<TransitionId>) {
        self.transitions.add(id, name, targets);
    }

    /// True when unknown names are welcome.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The places a name stands for.
    pub fn places(&mut self, name: &str) -> Result<&[PlaceId], NameError> {
        if self.open && !self.places.knows(name) {
            let p = PlaceId(self.places.labels.len() as u32);
            self.places.labels.push(name.to_owned());
            self.places.add(name, name, vec![p]);
        }
        self.places.get(name)
    }

    /// The transitions a name stands for.
    pub fn transitions(&mut self, name: &str) -> Result<&[TransitionId], NameError> {
        if self.open && !self.transitions.knows(name) {
            let t = TransitionId(self.transitions.labels.len() as u32);
            self.transitions.labels.push(name.to_owned());
            self.transitions.add(name, name, vec![t]);
        }
        self.transitions.get(name)
    }

    /// Is this a place?
    pub fn knows_place(&self, name: &str) -> bool {
        self.places.knows(name)
    }

    /// Is this a transition?
    pub fn knows_transition(&self, name: &str) -> bool {
        self.transitions.knows(name)
    }

    /// What to print for a place.
    pub fn place_label(&self, p: PlaceId) -> Option<&str> {
        self.places.labels.get(p.index()).map(String::as_str)
    }

    /// What to print for a transition.
    pub fn transition_label(&self, t: TransitionId) -> Option<&str> {
        self.transitions.labels.get(t.index()).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brine_net::NetBuilder;

    #[test]
    fn ids_win_and_shared_names_are_ambiguous() {
        let mut b = NetBuilder::new("n");
        let a = b.named_place("a", "x", 0);
        let x = b.named_place("x", "y", 0);
        b.named_place("c", "z", 0);
        b.named_place("d", "z", 0);
        let mut symbols = Symbols::of_net(&b.build().unwrap());
        assert_eq!(symbols.places("x").unwrap(), [x]);
        assert_eq!(symbols.places("a").unwrap(), [a]);
        assert!(symbols.places("z").unwrap_err().ambiguous);
        assert_eq!(symbols.places("quite another").unwrap_err().suggestion, None);
    }

    #[test]
    fn open_tables_number_names() {
        let mut symbols = Symbols::open();
        assert_eq!(symbols.places("p").unwrap(), [PlaceId(0)]);
        assert_eq!(symbols.places("q").unwrap(), [PlaceId(1)]);
        assert_eq!(symbols.places("p").unwrap(), [PlaceId(0)]);
        assert_eq!(symbols.place_label(PlaceId(1)), Some("q"));
    }
}
