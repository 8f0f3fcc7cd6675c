//! LTL over random DVE programs, by every emptiness check and by diagrams, against the oracle.
//! BRINE_CASES sets the number of formulas, BRINE_SEED the first seed.

#![allow(clippy::unwrap_used, reason = "test helpers outside of test functions")]

use brine_check::{Budget, DecideError, ModelEngine, ModelProperty, Verdict, Violations};
use brine_explicit::Emptiness;
use brine_explicit::por::{Por, PorUse};
use brine_explicit::provisos::{Promise, Proviso};
use brine_explicit::stubborn::Choice;
use brine_ltl::{Class, Comparison, Expression, Formula, Formulas};
use brine_net::{Net, NetBuilder, PlaceId, Rng};
use brine_oracle::dve::{DveSpace, DveTree, RandomDve};
use brine_oracle::{Kripke, holds, number};
use brine_pins::{MatrixOptions, Strategy};

/// A formula about expressions, by their numbers.
enum Temporal {
    Atom(usize),
    Unary(&'static str, Box<Temporal>),
    Binary(&'static str, Box<Temporal>, Box<Temporal>),
}

impl Temporal {
    fn random(rng: &mut Rng, atoms: u32, depth: u32) -> Temporal {
        let more = |rng: &mut Rng| Box::new(Temporal::random(rng, atoms, depth - 1));
        match if depth == 0 { 0 } else { rng.below(8) } {
            0 => Temporal::Atom(rng.below(atoms) as usize),
            1..=4 => {
                let operator = ["not", "F", "G", "X"][rng.below(4) as usize];
                Temporal::Unary(operator, more(rng))
            }
            _ => {
                let operators = ["and", "or", "->", "U", "R", "W", "M", "<->"];
                let operator = operators[rng.below(8) as usize];
                Temporal::Binary(operator, more(rng), more(rng))
            }
        }
    }

    fn text(&self, atoms: &[DveTree]) -> String {
        match self {
            Temporal::Atom(a) => {
                atoms.get(*a).map_or(String::new(), DveTree::text_with_parentheses)
            }
            Temporal::Unary(operator, f) => format!("{operator} {}", f.text(atoms)),
            Temporal::Binary(operator, f, g) => {
                format!("({} {operator} {})", f.text(atoms), g.text(atoms))
            }
        }
    }

    /// The same about the places of [`one_place_a_state`].
    fn formula(&self, fs: &mut Formulas, atoms: &[Formula]) -> Formula {
        match self {
            Temporal::Atom(a) => atoms[*a],
            Temporal::Unary(operator, f) => {
                let f = f.formula(fs, atoms);
                match *operator {
                    "not" => fs.not(f),
                    "F" => fs.f(f),
                    "G" => fs.g(f),
                    _ => fs.x(f),
                }
            }
            Temporal::Binary(operator, f, g) => {
                let (f, g) = (f.formula(fs, atoms), g.formula(fs, atoms));
                match *operator {
                    "and" => fs.and([f, g]),
                    "or" => fs.or([f, g]),
                    "->" => fs.implies(f, g),
                    "<->" => fs.iff(f, g),
                    "U" => fs.u(f, g),
                    "R" => fs.r(f, g),
                    "W" => fs.w(f, g),
                    _ => fs.m(f, g),
                }
            }
        }
    }
}

/// A net whose markings are the states of a program.
fn one_place_a_state(space: &DveSpace) -> Net {
    let mut b = NetBuilder::new("states");
    let places: Vec<PlaceId> =
        (0..space.states.len()).map(|s| b.place(&format!("s{s}"), u32::from(s == 0))).collect();
    for (s, next) in space.next.iter().enumerate() {
        for (i, &t) in next.iter().enumerate() {
            b.transition(&format!("t{s}_{i}"), &[(places[s], 1)], &[(places[t], 1)]);
        }
    }
    b.build().unwrap()
}

/// Where an expression is true, as a formula about places; none if it goes wrong somewhere.
fn about_states(space: &DveSpace, tree: &DveTree, fs: &mut Formulas) -> Option<Formula> {
    let mut places = Vec::new();
    for state in 0..space.states.len() {
        if space.holds(tree, state)? {
            places.push(PlaceId(state as u32));
        }
    }
    let marked = Expression::places(&places);
    fs.compare(marked, Comparison::Ge, Expression::constant(1)).ok()
}

fn engine(rng: &mut Rng) -> ModelEngine {
    match rng.below(4) {
        0 => {
            let strategy = Strategy::ALL[rng.below(Strategy::ALL.len() as u32) as usize];
            ModelEngine::new(strategy, MatrixOptions::default())
        }
        1 => ModelEngine::explicit(None),
        // Those that take any automaton.
        _ => ModelEngine::explicit(Some(Emptiness::ALL[rng.below(7) as usize])),
    }
}

#[test]
fn random_formulas_agree_with_the_oracle() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut pairs, mut violated, mut seed) = (0, 0, first);
    while pairs < count {
        let mut rng = Rng::new(seed);
        let program = RandomDve::new(&mut rng);
        seed += 1;
        // The error state is no state of which the oracle knows what holds.
        let Some(space) = program.space(40).filter(|s| s.states.len() > 2 && !s.wrong) else {
            continue;
        };
        let net = one_place_a_state(&space);
        let kripke = Kripke::new(&net, 100).unwrap();
        for _ in 0..3 {
            let mut about = Formulas::new();
            let trees: Vec<DveTree> = (0..2).map(|_| program.expression(&mut rng)).collect();
            let atoms: Option<Vec<Formula>> =
                trees.iter().map(|t| about_states(&space, t, &mut about)).collect();
            let Some(atoms) = atoms else { continue };
            let depth = 1 + rng.below(4);
            let temporal = Temporal::random(&mut rng, 2, depth);
            let translated = temporal.formula(&mut about, &atoms);
            let Some(expected) = holds(&net, &kripke, &about, translated) else { continue };
            let text = temporal.text(&trees);
            let mut model = brine_dve::parse(&program.text()).unwrap();
            let mut formulas = Formulas::new();
            let context = format!("BRINE_SEED={} {text}\n{}", seed - 1, program.text());
            let formula = model.formula(&text, &mut formulas);
            let formula = formula.unwrap_or_else(|e| panic!("{e} {context}"));
            let property = ModelProperty { model: &model, formulas: &formulas, formula };
            let engine = engine(&mut rng);
            let decision = engine.decide(property, &Budget::default());
            // A part of an expression may go wrong where the whole does not look at it.
            if let Err(DecideError::Model(_)) = decision {
                continue;
            }
            let decision = decision.unwrap_or_else(|e| panic!("{e} {engine:?} {context}"));
            let holds = match decision.verdict {
                Verdict::Holds => true,
                Verdict::Violated(Some(_)) => false,
                other => panic!("{other:?} {engine:?} {context}"),
            };
            assert_eq!(holds, expected, "{engine:?} {context}");
            pairs += 1;
            violated += u64::from(!expected);
        }
    }
    println!("seeds {first}..{seed}: {violated} of {pairs} violated");
    if count >= 1_000 {
        assert!(violated * 5 > pairs && violated * 5 < pairs * 4);
    }
}

/// A formula without X, in which the expressions stand where single steps do not count.
fn without_next(rng: &mut Rng, depth: u32) -> Temporal {
    loop {
        let temporal = Temporal::random(rng, 2, depth);
        if !temporal.text(&[]).contains('X') {
            return temporal;
        }
    }
}

/// An engine that reduces, with any proviso that keeps runs, or the one that suits.
fn reducing_engine(rng: &mut Rng) -> ModelEngine {
    let emptiness = rng.chance(50).then(|| Emptiness::ALL[rng.below(7) as usize]);
    let live: Vec<Proviso> =
        Proviso::all().into_iter().filter(|p| p.promise() == Promise::Liveness).collect();
    let proviso = rng.chance(70).then(|| live[rng.index(live.len())]);
    let choice = Choice { tries: 1 + rng.below(5) as usize, ..Choice::default() };
    let seed = u64::from(rng.below(3));
    ModelEngine::explicit(emptiness).with_por(Some(Por { proviso, choice }), seed)
}

/// With partial-order reduction all is as before: against the oracle, or, for programs that go
/// wrong, against the search without it.
#[test]
fn reduced_programs_agree_with_whole_ones() {
    let (first, count) = (number("BRINE_SEED", 0), number("BRINE_CASES", 3_000));
    let (mut pairs, mut applied, mut smaller, mut violated, mut wrong) = (0, 0, 0, 0, 0);
    let mut seed = first;
    while pairs < count {
        let mut rng = Rng::new(seed ^ 0x5eed_0000);
        let program = match rng.chance(80) {
            true => RandomDve::concurrent(&mut rng),
            false => RandomDve::new(&mut rng),
        };
        seed += 1;
        let Some(space) = program.space(150).filter(|s| s.states.len() > 3) else { continue };
        let trees: Vec<DveTree> = (0..2).map(|_| program.expression(&mut rng)).collect();
        let depth = 1 + rng.below(4);
        let temporal = without_next(&mut rng, depth);
        let text = temporal.text(&trees);
        let mut model = brine_dve::parse(&program.text()).unwrap();
        let mut formulas = Formulas::new();
        let context = format!("BRINE_SEED={} {text}\n{}", seed - 1, program.text());
        let formula = model.formula(&text, &mut formulas);
        let formula = formula.unwrap_or_else(|e| panic!("{e} {context}"));
        let property = ModelProperty { model: &model, formulas: &formulas, formula };
        let whole = ModelEngine::explicit(None).decide(property, &Budget::default());
        let engine = reducing_engine(&mut rng);
        let reduced = engine.decide(property, &Budget::default());
        let (Ok(whole), Ok(reduced)) = (whole, reduced) else { continue };
        let told = [&whole, &reduced].map(|d| match d.verdict {
            Verdict::Holds => true,
            Verdict::Violated(Some(_)) => false,
            ref other => panic!("{other:?} {engine:?} {context}"),
        });
        assert_eq!(told[0], told[1], "{engine:?} {context}");
        pairs += 1;
        violated += u64::from(!told[0]);
        wrong += u64::from(space.wrong);
        if let Some(PorUse::Applied { .. }) = reduced.stats.por {
            applied += 1;
            smaller += u64::from(reduced.stats.states_stored < whole.stats.states_stored);
        }
    }
    println!(
        "seeds {first}..{seed}: {violated} of {pairs} violated, {wrong} go wrong, {applied} \
         reduced, {smaller} of them smaller"
    );
    if count >= 1_000 {
        assert!(applied * 5 > pairs && smaller * 40 > pairs && wrong * 50 > pairs);
    }
}

/// The only violation is a step that goes wrong, invisible, beside a step that is seen and after
/// which nothing is violated any more.
#[test]
fn a_fault_is_met_while_the_automaton_is_alive() {
    let text = "byte h = 1;
        process Q { state a, b; init a; trans a -> a {}, a -> b {}; }
        process P { byte x, y; state a, b; init a; trans a -> b { effect x = x / y; }; }
        system async;";
    let mut model = brine_dve::parse(text).unwrap();
    let mut formulas = Formulas::new();
    let formula = model.formula("Q.b R h", &mut formulas).unwrap();
    let property = ModelProperty { model: &model, formulas: &formulas, formula };
    for seed in 0..4 {
        let engine = ModelEngine::explicit(None).with_por(Some(Por::default()), seed);
        let decision = engine.decide(property, &Budget::default()).unwrap();
        assert!(matches!(decision.verdict, Verdict::Violated(_)), "{seed} {decision:?}");
    }
}

/// A property process means what the formula means whose violations it accepts.
#[test]
fn property_processes_are_automata_of_violations() {
    let system = "byte x;
        process P { state a, b; init a; trans a -> b { guard x < 2; effect x = x + 1; },
                                               b -> a { }, a -> a { guard x == 2; }; }";
    let property = |guard: &str| {
        format!(
            "{system} process N {{ state q, r; init q; accept r;
            trans q -> q {{}}, q -> r {{ guard {guard}; }}, r -> r {{ guard {guard}; }}; }}
            system async property N;"
        )
    };
    // Violations of F G not GUARD, that is of "GUARD for ever" never coming true.
    for (guard, holds) in [("x == 2", false), ("x == 1", true), ("P.a", false), ("P.b", true)] {
        for engine in [ModelEngine::default(), ModelEngine::explicit(None)] {
            let mut model = brine_dve::parse(&property(guard)).unwrap();
            let automaton = model.property().unwrap().unwrap();
            assert_eq!(automaton.class(), Class::Weak);
            let violations = Violations::new(automaton, &Budget::default());
            let decision =
                engine.decide_automaton(&model, &violations, &Budget::default()).unwrap();
            assert_eq!(decision.verdict == Verdict::Holds, holds, "{guard}");
        }
    }
}
