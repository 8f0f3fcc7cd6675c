//! Names: from what users write to places and transitions, and back.
//!
//! The name of a place stands for its tokens: in a coloured net, for the sum over its
//! unfolded places and the tokens that never move. The name of a transition stands for all
//! its bindings. Ids win over names; a name that several ids share is ambiguous. The names
//! of single unfolded places and transitions, as witnesses print them, are known too.
//! Without a model, the table is *open*: a name that was never seen gets the next free
//! number, so that formulas can be read and automata built with no model.

use crate::atom::Expression;
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
/// assert_eq!(symbols.tokens("Fork 1").unwrap().terms, [(p, 1)]);
/// assert_eq!(symbols.tokens("Frok 1").unwrap_err().suggestion.as_deref(), Some("Fork 1"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    places: Table<Expression>,
    transitions: Table<Vec<TransitionId>>,
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

/// An id and a name, and what they stand for.
#[derive(Clone, Debug)]
pub struct Named<'a, T> {
    /// The id.
    pub id: &'a str,
    /// The name.
    pub name: &'a str,
    /// What both stand for.
    pub target: T,
}

impl NameError {
    /// What to say about the name of a `kind` ("place" or "transition") that cannot be used.
    pub fn message(&self, kind: &str) -> String {
        let name = &self.name;
        if self.ambiguous {
            return format!("several {kind}s are called \"{name}\": use the id");
        }
        match &self.suggestion {
            Some(known) => format!("unknown {kind} \"{name}\" (did you mean \"{known}\"?)"),
            None => format!("unknown {kind} \"{name}\""),
        }
    }
}

/// One kind of name, and what each stands for.
#[derive(Clone, Debug)]
struct Table<T> {
    ids: FxHashMap<String, T>,
    /// `None`: the name belongs to several ids.
    names: FxHashMap<String, Option<T>>,
    /// What to print for each number: the ids in the net of the engines. For a coloured
    /// net these are the unfolded ones; a formula may use them, so they are looked up here,
    /// one by one, rather than being kept a second time.
    labels: Vec<String>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { ids: FxHashMap::default(), names: FxHashMap::default(), labels: Vec::new() }
    }
}

impl<T: Clone> Table<T> {
    fn add(&mut self, id: &str, name: &str, target: T) {
        if name != id {
            self.names
                .entry(name.to_owned())
                .and_modify(|entry| *entry = None)
                .or_insert_with(|| Some(target.clone()));
        }
        self.ids.insert(id.to_owned(), target);
    }

    /// What a name stands for; `one` gives it for a single number.
    fn get(&self, name: &str, one: fn(u32) -> T) -> Result<T, NameError> {
        let error =
            |ambiguous, suggestion| NameError { name: name.to_owned(), ambiguous, suggestion };
        if let Some(target) = self.ids.get(name) {
            return Ok(target.clone());
        }
        match (self.names.get(name), self.label(name)) {
            (Some(Some(target)), _) => Ok(target.clone()),
            (_, Some(number)) => Ok(one(number)),
            (Some(None), None) => Err(error(true, None)),
            (None, None) => Err(error(false, self.closest(name))),
        }
    }

    fn label(&self, name: &str) -> Option<u32> {
        self.labels.iter().position(|label| label == name).map(|i| i as u32)
    }

    fn knows(&self, name: &str) -> bool {
        self.ids.contains_key(name) || self.names.contains_key(name) || self.label(name).is_some()
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
        let places = net.place_ids().zip(net.places()).map(|(p, place)| Named {
            id: &place.id,
            name: &place.name,
            target: Expression::places(&[p]),
        });
        let transitions = net.transition_ids().zip(net.transitions());
        let transitions = transitions.map(|(t, transition)| Named {
            id: &transition.id,
            name: &transition.name,
            target: vec![t],
        });
        Symbols::of_groups(net, places, transitions)
    }

    /// Places and transitions by name alone, numbered as they come: for models that are no nets.
    /// Names must differ; the last of equal ones wins.
    ///
    /// ```
    /// use brine_ltl::Symbols;
    /// let mut symbols = Symbols::of_names(["x", "b[0]"], ["step"]);
    /// assert_eq!(symbols.tokens("b[0]").unwrap().terms[0].0.index(), 1);
    /// assert!(symbols.knows_transition("step"));
    /// ```
    pub fn of_names<'a>(
        places: impl IntoIterator<Item = &'a str>,
        transitions: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let mut symbols = Symbols::default();
        for (p, name) in (0..).map(PlaceId).zip(places) {
            symbols.places.add(name, name, Expression::places(&[p]));
            symbols.places.labels.push(name.to_owned());
        }
        for (t, name) in (0..).map(TransitionId).zip(transitions) {
            symbols.transitions.add(name, name, vec![t]);
            symbols.transitions.labels.push(name.to_owned());
        }
        symbols
    }

    /// Names for groups: of places, each with the tokens it stands for, and of transitions,
    /// each with its members. The names of the single places and transitions of `net` are
    /// known too. For nets that come from something larger, as coloured nets do.
    pub fn of_groups<'a>(
        net: &Net,
        places: impl IntoIterator<Item = Named<'a, Expression>>,
        transitions: impl IntoIterator<Item = Named<'a, Vec<TransitionId>>>,
    ) -> Self {
        let mut symbols = Symbols::default();
        symbols.label_as(net);
        for group in places {
            symbols.places.add(group.id, group.name, group.target);
        }
        for group in transitions {
            symbols.transitions.add(group.id, group.name, group.target);
        }
        symbols
    }

    /// Prints places and transitions by the ids they have in `net`.
    fn label_as(&mut self, net: &Net) {
        self.places.labels = net.places().iter().map(|p| p.id.clone()).collect();
        self.transitions.labels = net.transitions().iter().map(|t| t.id.clone()).collect();
    }

    /// True when unknown names are welcome.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The tokens a name stands for.
    pub fn tokens(&mut self, name: &str) -> Result<Expression, NameError> {
        if self.open && !self.places.ids.contains_key(name) {
            let p = PlaceId(self.places.labels.len() as u32);
            self.places.labels.push(name.to_owned());
            self.places.add(name, name, Expression::places(&[p]));
        }
        self.places.get(name, |p| Expression::places(&[PlaceId(p)]))
    }

    /// The transitions a name stands for.
    pub fn transitions(&mut self, name: &str) -> Result<Vec<TransitionId>, NameError> {
        if self.open && !self.transitions.ids.contains_key(name) {
            let t = TransitionId(self.transitions.labels.len() as u32);
            self.transitions.labels.push(name.to_owned());
            self.transitions.add(name, name, vec![t]);
        }
        self.transitions.get(name, |t| vec![TransitionId(t)])
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
        assert_eq!(symbols.tokens("x").unwrap(), Expression::places(&[x]));
        assert_eq!(symbols.tokens("a").unwrap(), Expression::places(&[a]));
        assert!(symbols.tokens("z").unwrap_err().ambiguous);
        assert_eq!(symbols.tokens("quite another").unwrap_err().suggestion, None);
    }

    #[test]
    fn open_tables_number_names() {
        let mut symbols = Symbols::open();
        assert_eq!(symbols.tokens("p").unwrap().terms, [(PlaceId(0), 1)]);
        assert_eq!(symbols.tokens("q").unwrap().terms, [(PlaceId(1), 1)]);
        assert_eq!(symbols.tokens("p").unwrap().terms, [(PlaceId(0), 1)]);
        assert_eq!(symbols.place_label(PlaceId(1)), Some("q"));
    }
}
