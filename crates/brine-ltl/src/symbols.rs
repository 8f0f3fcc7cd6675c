//! Names: from what users write to places and transitions, and back.
//!
//! The name of a place stands for its tokens: in a coloured net, for the sum over its
//! unfolded places and the tokens that never move. The name of a transition stands for all
//! its bindings. Ids win over names; a name that several ids share is ambiguous. The names
//! of single unfolded places and transitions, as witnesses print them, are known too.
//! Without a model, the table is *open*: a name that was never seen gets the next free
//! number, so that formulas can be read and automata built with no model.

use crate::atom::Expression;
use crate::lexer::is_word_char;
use brine_net::{Net, PlaceId, TransitionId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

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
    places: NameTable<Expression>,
    transitions: NameTable<Vec<TransitionId>>,
    open: bool,
    /// Names asked for that are an id, and the name of something else.
    shadowing: Vec<(NameKind, String)>,
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

/// One kind of name, and what each stands for.
#[derive(Clone, Debug)]
struct NameTable<T> {
    ids: FxHashMap<String, T>,
    /// `None`: the name belongs to several ids.
    names: FxHashMap<String, Option<T>>,
    /// What to print for each number: the ids in the net of the engines. For a coloured
    /// net these are the unfolded ones; a formula may use them, so they are looked up here,
    /// one by one, rather than being kept a second time.
    labels: Vec<String>,
    /// The ids behind the names of a coloured net, for `name[colour]`.
    coloured: FxHashMap<String, String>,
    /// Hashes of the names that are no plain words, made when they are first asked for.
    odd: OnceLock<FxHashSet<u64>>,
}

impl<T> Default for NameTable<T> {
    fn default() -> Self {
        let (ids, names, coloured) = Default::default();
        NameTable { ids, names, labels: Vec::new(), coloured, odd: OnceLock::new() }
    }
}

/// Places and transitions have names of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// A place, which stands for a number of tokens.
    Place,
    /// A transition, which is fireable or not.
    Transition,
}

impl NameKind {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            NameKind::Place => "place",
            NameKind::Transition => "transition",
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

impl<T: Clone> NameTable<T> {
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

    /// The number with this label, or with this name and colour: `Fork[2]` may be `f[2]`.
    fn label(&self, name: &str) -> Option<u32> {
        let find = |name: &str| self.labels.iter().position(|label| label == name);
        let with_id = || {
            let mut brackets = name.match_indices('[');
            let (id, colour) = brackets.find_map(|(i, _)| {
                let id = self.coloured.get(&name[..i])?;
                self.names.get(&name[..i])?.as_ref().map(|_| (id, &name[i..]))
            })?;
            find(&format!("{id}{colour}"))
        };
        find(name).or_else(with_id).map(|i| i as u32)
    }

    /// The members of a coloured transition in which these variables have these values:
    /// `change[x=3]` for all `change[x=3,y=..]`. Empty if the name is not of this kind.
    fn with_values(&self, name: &str) -> Vec<u32> {
        let parts = |text: &'_ str| -> Option<(usize, usize)> {
            let open = text.find('[')?;
            text.ends_with(']').then_some((open, text.len() - 1))
        };
        let Some((open, end)) = parts(name) else { return Vec::new() };
        let (stem, values) = (&name[..open], &name[open + 1..end]);
        let id = self.coloured.get(stem).map_or(stem, String::as_str);
        let fits = |label: &str| {
            parts(label).is_some_and(|(open, end)| {
                let has = |value| label[open + 1..end].split(',').any(|v| v == value);
                label[..open] == *id && values.split(',').all(|v| v.contains('=') && has(v.trim()))
            })
        };
        let all = self.labels.iter().zip(0..);
        all.filter(|(label, _)| fits(label)).map(|(_, number)| number).collect()
    }

    /// Like `add`, for what has members with colours.
    fn add_coloured(&mut self, id: &str, name: &str, target: T) {
        self.add(id, name, target);
        self.coloured.insert(name.to_owned(), id.to_owned());
    }

    /// Is this an id, and the name of something else?
    fn shadows(&self, name: &str) -> bool {
        self.names.contains_key(name) && self.ids.contains_key(name)
    }

    fn knows(&self, name: &str) -> bool {
        self.ids.contains_key(name) || self.names.contains_key(name) || self.label(name).is_some()
    }

    /// Is this the name of something, and no plain word?
    fn needs_quotes(&self, name: &str) -> bool {
        let odd = self.odd.get_or_init(|| {
            let all = self.ids.keys().chain(self.names.keys()).chain(&self.labels);
            all.filter(|name| !name.chars().all(is_word_char)).map(|name| hash(name)).collect()
        });
        !odd.is_empty() && odd.contains(&hash(name)) && self.knows(name)
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
            symbols.places.add(&place.id(), &place.name(), Expression::places(&[p]));
        }
        for (t, transition) in net.transition_ids().zip(net.transitions()) {
            symbols.transitions.add(&transition.id(), &transition.name(), vec![t]);
        }
        symbols
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

    /// Places and transitions by id and name, numbered as they come, each with what it stands for:
    /// for nets that are not made of plain places and transitions.
    pub fn of_nodes<'a>(
        places: impl IntoIterator<Item = Named<'a, Expression>>,
        transitions: impl IntoIterator<Item = Named<'a, Vec<TransitionId>>>,
    ) -> Self {
        let mut symbols = Symbols::default();
        for node in places {
            symbols.places.labels.push(node.id.to_owned());
            symbols.places.add(node.id, node.name, node.target);
        }
        for node in transitions {
            symbols.transitions.labels.push(node.id.to_owned());
            symbols.transitions.add(node.id, node.name, node.target);
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
            symbols.places.add_coloured(group.id, group.name, group.target);
        }
        for group in transitions {
            symbols.transitions.add_coloured(group.id, group.name, group.target);
        }
        symbols
    }

    /// Prints places and transitions by the ids they have in `net`.
    fn label_as(&mut self, net: &Net) {
        self.places.labels = net.places().map(|p| p.id().into_owned()).collect();
        self.transitions.labels = net.transitions().map(|t| t.id().into_owned()).collect();
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
        if self.places.shadows(name) {
            self.shadowing.push((NameKind::Place, name.to_owned()));
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
        if self.transitions.shadows(name) {
            self.shadowing.push((NameKind::Transition, name.to_owned()));
        }
        match self.transitions.get(name, |t| vec![TransitionId(t)]) {
            Err(e) if !e.ambiguous => {
                let some = self.transitions.with_values(name);
                if some.is_empty() {
                    Err(e)
                } else {
                    Ok(some.into_iter().map(TransitionId).collect())
                }
            }
            found => found,
        }
    }

    /// What to tell the user about the names asked for so far that are the id of one node and the
    /// name of another: ids win.
    ///
    /// ```
    /// use brine_ltl::Symbols;
    /// use brine_net::NetBuilder;
    /// let mut b = NetBuilder::new("n");
    /// b.named_place("a", "b", 0);
    /// b.named_place("b", "c", 0);
    /// let mut symbols = Symbols::of_net(&b.build().unwrap());
    /// symbols.tokens("b").unwrap();
    /// symbols.tokens("c").unwrap();
    /// let note = "\"b\" is the id of one place and the name of another: the id is meant";
    /// assert_eq!(symbols.take_shadowing(), [note]);
    /// ```
    pub fn take_shadowing(&mut self) -> Vec<String> {
        let mut found = std::mem::take(&mut self.shadowing);
        found.sort_by(|a, b| a.1.cmp(&b.1));
        found.dedup();
        let told = |(kind, name): (NameKind, String)| {
            let word = kind.word();
            format!("\"{name}\" is the id of one {word} and the name of another: the id is meant")
        };
        found.into_iter().map(told).collect()
    }

    /// Is this a name of that kind which must be in quotes? Names that an open table learned
    /// from formulas do not count.
    pub(crate) fn needs_quotes(&self, kind: NameKind, name: &str) -> bool {
        !self.open
            && match kind {
                NameKind::Place => self.places.needs_quotes(name),
                NameKind::Transition => self.transitions.needs_quotes(name),
            }
    }

    /// What to say about a name that stands for no place or transition.
    pub fn trouble(&self, kind: NameKind, e: &NameError) -> String {
        let (name, word) = (&e.name, kind.word());
        if e.ambiguous {
            return format!("several {word}s are called \"{name}\": use the id");
        }
        let (is_other, other) = match kind {
            NameKind::Place => (self.knows_transition(name), self.transitions.closest(name)),
            NameKind::Transition => (self.knows_place(name), self.places.closest(name)),
        };
        match (kind, &e.suggestion, other) {
            (NameKind::Place, ..) if is_other => {
                format!(
                    "\"{name}\" is a transition, no number of tokens: write fireable(\"{name}\")"
                )
            }
            (NameKind::Transition, ..) if is_other => {
                format!("\"{name}\" is a place; fireable takes transitions: write \"{name}\" >= 1")
            }
            (_, Some(known), _) => format!("unknown {word} \"{name}\" (did you mean \"{known}\"?)"),
            (NameKind::Place, None, Some(known)) => {
                format!("unknown place \"{name}\" (did you mean fireable(\"{known}\")?)")
            }
            (NameKind::Transition, None, Some(known)) => {
                format!("unknown transition \"{name}\" (did you mean the place \"{known}\"?)")
            }
            (_, None, None) => format!("unknown {word} \"{name}\""),
        }
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
    fn some_variables_stand_for_several_bindings() {
        let mut b = NetBuilder::new("n");
        let p = b.place("p", 1);
        for name in ["t[x=1,y=1]", "t[x=1,y=2]", "t[x=2,y=1]", "u[x=1]"] {
            b.transition(name, &[(p, 1)], &[]);
        }
        let net = b.build().unwrap();
        let all = vec![TransitionId(0), TransitionId(1), TransitionId(2)];
        let group = Named { id: "t", name: "move", target: all.clone() };
        let mut symbols = Symbols::of_groups(&net, [], [group]);
        assert_eq!(symbols.transitions("t").unwrap(), all);
        for (name, expected) in
            [("t[x=1]", vec![0, 1]), ("move[y=1]", vec![0, 2]), ("t[y=1,x=2]", vec![2])]
        {
            let expected: Vec<TransitionId> = expected.into_iter().map(TransitionId).collect();
            assert_eq!(symbols.transitions(name).unwrap(), expected, "{name}");
        }
        for name in ["t[x=3]", "t[1]", "v[x=1]", "t[]"] {
            assert!(symbols.transitions(name).is_err(), "{name}");
        }
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
