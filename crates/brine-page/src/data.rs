//! What is drawn: plain data, with places and transitions by number.

use serde::Serialize;

/// A point of the drawing: to the right, and down.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A net that is to be drawn.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DrawnNet {
    /// What it is called.
    pub name: String,
    /// Its places.
    pub places: Vec<DrawnPlace>,
    /// Its transitions.
    pub transitions: Vec<DrawnTransition>,
    /// What the reader should know about it: that this is a part of a larger net.
    pub note: Option<String>,
    /// Whether all transitions are here, so that tokens can be played with.
    pub is_whole: bool,
}

/// A place.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DrawnPlace {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Tokens in the first marking.
    pub tokens: u32,
    /// Where an editor put it.
    #[serde(skip)]
    pub at: Option<Point>,
}

/// A transition.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DrawnTransition {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Tokens that it needs and takes, by place; each place once.
    pub takes: Vec<(usize, u32)>,
    /// Tokens that it puts, by place; each place once.
    pub puts: Vec<(usize, u32)>,
    /// Where an editor put it.
    #[serde(skip)]
    pub at: Option<Point>,
}

/// A variable of a model that is no net.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownVariable {
    /// Its name.
    pub label: String,
    /// Its first value.
    pub value: String,
}

/// What runs are runs of.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawnSubject {
    /// A net, or a part of one.
    Net(DrawnNet),
    /// A model without places: a table of its variables is shown.
    Variables(Vec<ShownVariable>),
}

/// A number of tokens, or the value of a variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum ShownValue {
    /// Tokens.
    Tokens(u32),
    /// A value of a variable.
    Text(String),
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownStep {
    /// The transition, in the subject; none of a model without places.
    pub transition: Option<usize>,
    /// What people call the step.
    pub label: String,
    /// Place or variable, before, after.
    pub changes: Vec<(usize, ShownValue, ShownValue)>,
    /// Places whose tokens the step needs and leaves, with how many.
    pub needs: Vec<(usize, u32)>,
}

/// How what is shown of a run ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunEnd {
    /// It goes back to the position where the cycle begins, for ever.
    Repeats,
    /// Nothing is enabled.
    Dead,
    /// The formula is violated whatever follows.
    Violated,
    /// What some run was asked to do is done, whatever follows.
    Shown,
}

/// A part of the formula along a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TruthRow {
    /// The part.
    pub text: String,
    /// A letter `T`, `F` or `?` (open) for each position; position 0 is the start.
    pub values: String,
}

/// A run, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownRun {
    /// What it is a run of: the number of a [`DrawnSubject`] of the page.
    pub subject: usize,
    /// Its steps.
    pub steps: Vec<ShownStep>,
    /// Steps before the cycle, if the run repeats.
    pub home: usize,
    /// How it ends.
    pub end: RunEnd,
    /// The formula and its parts.
    pub truth: Vec<TruthRow>,
}

/// What came of a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ShownAnswer {
    /// The property.
    pub property: String,
    /// The verdict, and what there is to say about the run, in words.
    pub words: String,
    /// The run that shows it, by its number on the page.
    pub run: Option<usize>,
}

/// A page: nets, runs of them, and what the runs show.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct WebPage {
    /// The model.
    pub title: String,
    /// What is drawn.
    pub subjects: Vec<DrawnSubject>,
    /// The runs.
    pub runs: Vec<ShownRun>,
    /// The properties.
    pub answers: Vec<ShownAnswer>,
}

impl WebPage {
    /// The page of a net alone.
    pub fn of_net(net: DrawnNet) -> Self {
        let title = net.name.clone();
        WebPage { title, subjects: vec![DrawnSubject::Net(net)], ..WebPage::default() }
    }
}
