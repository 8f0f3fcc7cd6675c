//! Plans: in which order a transition's variables are bound.
//!
//! A new token colour meets one colour term of an input arc (the *trigger*) and binds the
//! variables in it. The plan says how to go on, always by the most constrained step that
//! is left: test a conjunct of the guard whose variables are bound; test a colour term
//! whose variables are bound; take a variable from an equation in the guard; look up the
//! colours of a place that agree with what is bound so far, and bind the rest from them;
//! and only if nothing else is left, try every value of a variable.
//!
//! This is the order of joins in the bottom-up evaluation of a logic program: places are
//! relations, colours tuples, transitions rules.

use crate::guards::{self, ColourComparison, GuardOp};
use crate::net::ColouredTransition;
use crate::relation::Relation;
use crate::terms::{Component, Map};

/// A colour term of an input arc.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) input: usize,
    pub(crate) place: usize,
    pub(crate) colour: Vec<Component>,
    /// Its colours are taken under every binding. If not, something is subtracted.
    pub(crate) certain: bool,
}

/// One step of a plan.
#[derive(Clone, Debug)]
pub(crate) enum JoinStep {
    /// The conjunct must hold.
    Guard(usize),
    /// The colour of a pattern without `all` must be in its place.
    Contains(usize),
    /// Every colour of an input arc must be in its place.
    Holds(usize),
    /// The variable gets the value whose image is that of the component.
    Bind { variable: usize, map: Map, to: Component },
    /// The pattern must agree with one of its place's colours; binds variables.
    Match(Lookup),
    /// The variable gets each of its values.
    Choose(usize),
}

/// How to find the colours that agree with a pattern.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    pub(crate) pattern: usize,
    pub(crate) index: usize,
    /// The components whose values are known before.
    pub(crate) key: Vec<usize>,
    /// Components that bind a variable, and which.
    pub(crate) binds: Vec<(usize, usize)>,
    /// Components with a variable that another component of the pattern binds.
    pub(crate) tests: Vec<usize>,
}

/// What makes a transition look for new bindings.
#[derive(Clone, Debug)]
pub(crate) enum Trigger {
    /// A new colour that agrees with this pattern.
    Pattern(usize),
    /// A new colour in the place of this input arc, whose colours are not known beforehand.
    Arc(usize),
    /// The start, for bindings that take nothing.
    Start,
    /// Nothing: all bindings are looked for.
    Everything,
}

/// A trigger and what to do then.
#[derive(Clone, Debug)]
pub(crate) struct JoinPlan {
    pub(crate) trigger: Trigger,
    pub(crate) steps: Vec<JoinStep>,
    /// Of every step: the earlier ones that bind the variables it looks at, one bit each.
    pub(crate) depends: Vec<u64>,
}

impl JoinPlan {
    /// Plans with more steps do without dependencies.
    const MOST: usize = 64;

    fn new(trigger: Trigger, steps: Vec<JoinStep>, known: &Plans, of: &ColouredTransition) -> Self {
        let mut depends = Vec::with_capacity(steps.len());
        let mut binder: Vec<u64> = vec![0; of.variables.len()];
        for (i, step) in steps.iter().enumerate() {
            let all = if steps.len() > Self::MOST { u64::MAX } else { 0 };
            depends.push(step.looks_at(known, of).iter().fold(all, |bits, &v| bits | binder[v]));
            let bit = 1_u64.checked_shl(i as u32).unwrap_or(0);
            step.binds(|v| binder[v] = bit);
        }
        JoinPlan { trigger, steps, depends }
    }
}

impl JoinStep {
    /// The variables that must be bound before.
    fn looks_at(&self, plans: &Plans, of: &ColouredTransition) -> Vec<usize> {
        let colour = |p: usize| &plans.patterns[p].colour;
        match self {
            JoinStep::Guard(g) => guards::variables(&of.guard[*g]).collect(),
            JoinStep::Contains(p) => colour(*p).iter().filter_map(Component::variable).collect(),
            JoinStep::Holds(a) => {
                of.inputs[*a].bag.components().filter_map(Component::variable).collect()
            }
            JoinStep::Bind { to, .. } => to.variable().into_iter().collect(),
            JoinStep::Match(lookup) => {
                let colour = colour(lookup.pattern);
                lookup.key.iter().filter_map(|&i| colour[i].variable()).collect()
            }
            JoinStep::Choose(_) => Vec::new(),
        }
    }

    /// The variables that it binds.
    fn binds(&self, mut f: impl FnMut(usize)) {
        match self {
            JoinStep::Bind { variable, .. } | JoinStep::Choose(variable) => f(*variable),
            JoinStep::Match(lookup) => lookup.binds.iter().for_each(|&(_, v)| f(v)),
            JoinStep::Guard(_) | JoinStep::Contains(_) | JoinStep::Holds(_) => {}
        }
    }
}

/// All plans of one transition.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    pub(crate) patterns: Vec<Pattern>,
    /// Arcs that have to be evaluated as a whole.
    whole: Vec<usize>,
    pub(crate) plans: Vec<JoinPlan>,
}

impl Plans {
    /// Makes plans, and the indexes they need.
    pub(crate) fn new<R: Relation>(transition: &ColouredTransition, relations: &mut [R]) -> Plans {
        let mut patterns = Vec::new();
        let mut whole = Vec::new();
        let mut triggers = Vec::new();
        for (input, arc) in transition.inputs.iter().enumerate() {
            let certain = arc.bag.certain();
            let is_certain = certain.is_some();
            let Some(colours) = certain.or_else(|| arc.bag.possible()) else {
                whole.push(input);
                triggers.push(Trigger::Arc(input));
                continue;
            };
            let counted = R::COUNTS && arc.bag.single().is_none();
            if !is_certain || counted || colours.iter().any(|c| needs_evaluation(c)) {
                whole.push(input);
            }
            for colour in colours {
                triggers.push(Trigger::Pattern(patterns.len()));
                let colour = colour.to_vec();
                patterns.push(Pattern { input, place: arc.place, colour, certain: is_certain });
            }
        }
        if !patterns.iter().any(|p| p.certain) {
            triggers.push(Trigger::Start);
        }
        let mut plans = Plans { patterns, whole, plans: Vec::new() };
        triggers.into_iter().for_each(|trigger| plans.add(trigger, transition, relations));
        plans
    }

    /// Adds the plan that finds all bindings; gives its number.
    pub(crate) fn add_everything<R: Relation>(
        &mut self,
        transition: &ColouredTransition,
        relations: &mut [R],
    ) -> usize {
        self.add(Trigger::Everything, transition, relations);
        self.plans.len() - 1
    }

    fn add<R: Relation>(
        &mut self,
        trigger: Trigger,
        transition: &ColouredTransition,
        relations: &mut [R],
    ) {
        let mut planner = Planner::new(transition, &self.patterns, &self.whole);
        let steps = planner.run(&trigger, relations);
        self.plans.push(JoinPlan::new(trigger, steps, self, transition));
    }
}

/// A colour term that stands for several colours, or whose variables cannot be read off.
fn needs_evaluation(colour: &[Component]) -> bool {
    colour.iter().any(|c| match c {
        Component::Each(_) => true,
        Component::Variable { map, .. } => matches!(map, Map::Table(_)),
        Component::Value(_) => false,
    })
}

/// The state of one planning.
struct Planner<'t> {
    transition: &'t ColouredTransition,
    patterns: &'t [Pattern],
    bound: Vec<bool>,
    /// Conjuncts, patterns and whole arcs that the plan has not used.
    guards: Vec<usize>,
    left: Vec<usize>,
    whole: Vec<usize>,
    steps: Vec<JoinStep>,
}

impl<'t> Planner<'t> {
    fn new(transition: &'t ColouredTransition, patterns: &'t [Pattern], whole: &[usize]) -> Self {
        Planner {
            transition,
            patterns,
            bound: vec![false; transition.variables.len()],
            guards: (0..transition.guard.len()).collect(),
            left: (0..patterns.len()).filter(|&p| patterns[p].certain).collect(),
            whole: whole.to_vec(),
            steps: Vec::new(),
        }
    }

    fn run<R: Relation>(&mut self, trigger: &Trigger, relations: &mut [R]) -> Vec<JoinStep> {
        if let Trigger::Pattern(p) = *trigger {
            self.left.retain(|&q| q != p);
            for variable in self.patterns[p].colour.iter().filter_map(invertible) {
                self.bound[variable] = true;
            }
        }
        loop {
            self.test();
            if self.equation() {
                continue;
            }
            if let Some(best) = self.best_pattern() {
                self.look_up(best, relations);
                continue;
            }
            let unbound = (0..self.bound.len()).filter(|&v| !self.bound[v]);
            let Some(v) = unbound.min_by_key(|&v| self.transition.variables[v].choices()) else {
                break;
            };
            self.bound[v] = true;
            self.steps.push(JoinStep::Choose(v));
        }
        std::mem::take(&mut self.steps)
    }

    fn is_bound(&self, component: &Component) -> bool {
        component.variable().is_none_or(|v| self.bound[v])
    }

    /// Every test whose variables are bound.
    fn test(&mut self) {
        let bound = &self.bound;
        let conjuncts = &self.transition.guard;
        let ready = |g: &mut usize| guards::variables(&conjuncts[*g]).all(|v| bound[v]);
        self.steps.extend(self.guards.extract_if(.., ready).map(JoinStep::Guard));
        let patterns = self.patterns;
        let ready = |p: &mut usize| {
            let colour = &patterns[*p].colour;
            colour.iter().all(|c| c.variable().is_none_or(|v| bound[v]))
        };
        for p in self.left.extract_if(.., ready) {
            // Those with `all` are tested with their arc.
            if !patterns[p].colour.iter().any(|c| matches!(c, Component::Each(_))) {
                self.steps.push(JoinStep::Contains(p));
            }
        }
        let inputs = &self.transition.inputs;
        let ready = |a: &mut usize| {
            let mut components = inputs[*a].bag.components();
            components.all(|c| c.variable().is_none_or(|v| bound[v]))
        };
        self.steps.extend(self.whole.extract_if(.., ready).map(JoinStep::Holds));
    }

    /// Takes a variable from an equation, if there is one whose other side is known.
    fn equation(&mut self) -> bool {
        for &g in &self.guards {
            let [GuardOp::Compare(ColourComparison::Equal, a, b)] =
                self.transition.guard[g].as_slice()
            else {
                continue;
            };
            for (unknown, to) in [(a, b), (b, a)] {
                if let Component::Variable { variable, map } = unknown
                    && invertible(unknown).is_some()
                    && !self.bound[*variable]
                    && self.is_bound(to)
                {
                    self.bound[*variable] = true;
                    let (variable, map, to) = (*variable, map.clone(), to.clone());
                    // The conjunct itself is tested too: it is cheap and keeps this simple.
                    self.steps.push(JoinStep::Bind { variable, map, to });
                    return true;
                }
            }
        }
        false
    }

    /// The pattern with the most known components among those that bind what is unknown.
    fn best_pattern(&self) -> Option<usize> {
        let known = |c: &Component| matches!(c, Component::Each(_)) || self.is_bound(c);
        let usable = |p: &usize| {
            let colour = &self.patterns[*p].colour;
            colour.iter().all(|c| known(c) || invertible(c).is_some())
        };
        let worth = |&p: &usize| {
            let colour = &self.patterns[p].colour;
            let unknown = colour.iter().filter(|c| !known(c)).count();
            // Prefer a known component, then few unknown ones, then the first in the file.
            (colour.len() > unknown, usize::MAX - unknown, usize::MAX - p)
        };
        self.left.iter().copied().filter(usable).max_by_key(worth)
    }

    fn look_up<R: Relation>(&mut self, pattern: usize, relations: &mut [R]) {
        self.left.retain(|&p| p != pattern);
        let Pattern { place, colour, .. } = &self.patterns[pattern];
        let (mut key, mut binds, mut tests) = (Vec::new(), Vec::new(), Vec::new());
        let before = self.bound.clone();
        for (i, component) in colour.iter().enumerate() {
            match component.variable() {
                Some(v) if before[v] => key.push(i),
                Some(v) if self.bound[v] => tests.push(i),
                Some(v) => {
                    self.bound[v] = true;
                    binds.push((i, v));
                }
                // Of `all`, the first value stands for the others.
                None => key.push(i),
            }
        }
        let index = relations[*place].index_on(&key);
        self.steps.push(JoinStep::Match(Lookup { pattern, index, key, binds, tests }));
    }
}

/// The variable of a component whose value can be read off a colour.
fn invertible(component: &Component) -> Option<usize> {
    match component {
        Component::Variable { variable, map: Map::Shift { .. } } => Some(*variable),
        _ => None,
    }
}
