//! `--html`: the page of a net and of runs, collected and written at the end.

use crate::files::replace;
use crate::runs::RunArgs;
use anyhow::anyhow;
use brine_check::show::{Trace, add_run, drawn_net, headline};
use brine_check::{Decision, Verdict};
use brine_coloured::{ColouredNet, UnfoldLimits, unfold};
use brine_net::Net;
use brine_page::{DRAWN, DrawnSubject, Point, ShownAnswer, WebPage, html};
use brine_pnml::{NetFile, Positions, read_net_file, read_positions};
use brine_run::Control;
use brine_source::Source;
use std::path::PathBuf;

/// A page that grows while properties are answered.
#[derive(Debug)]
pub(crate) struct PageFile {
    path: PathBuf,
    page: WebPage,
    positions: Positions,
    /// The run of the property that is being answered.
    run: Option<usize>,
}

impl PageFile {
    /// The page that the options ask for.
    pub(crate) fn new(args: &RunArgs) -> Option<Self> {
        let path = args.html.clone()?;
        let (page, positions) = (WebPage::default(), Positions::new());
        Some(PageFile { path, page, positions, run: None })
    }

    /// What the model is called.
    pub(crate) fn title(&mut self, title: &str) {
        title.clone_into(&mut self.page.title);
    }

    /// Where an editor drew the nodes of the net.
    pub(crate) fn positions(&mut self, positions: Positions) {
        self.positions = positions;
    }

    /// The net, which is drawn if it is small: also where no property has a run.
    pub(crate) fn net(&mut self, net: &Net) {
        if net.places().len() + net.transitions().len() <= DRAWN {
            let drawn = drawn_net(net, &spots(&self.positions));
            self.page.subjects.push(DrawnSubject::Net(drawn));
        }
    }

    /// A coloured net, which is drawn unfolded if that is small.
    pub(crate) fn unfolded(&mut self, net: &ColouredNet, control: &Control) {
        let most = DRAWN as u64;
        let limits =
            UnfoldLimits { places: most, transitions: most, arcs: 20 * most, work: 1_000 * most };
        if let Ok(unfolded) = unfold(net, &limits, control) {
            self.net(&unfolded.net);
        }
    }

    /// A run of a net, all of it or the part that the run touches, or of another model.
    pub(crate) fn run(&mut self, net: Option<(&Net, bool)>, trace: &Trace) {
        let number = add_run(&mut self.page, net, trace, &spots(&self.positions));
        self.run = Some(number);
    }

    /// What came of the property whose run came last.
    pub(crate) fn answer(
        &mut self,
        property: &str,
        trace: Option<&Trace>,
        decision: &Decision,
    ) -> ShownAnswer {
        let verdict = match &decision.verdict {
            Verdict::Holds => "Holds.".to_owned(),
            Verdict::Violated(_) => "Violated.".to_owned(),
            Verdict::Unknown(reason) => format!("Unknown: {reason}."),
        };
        let run = self.run.take();
        let words = match trace.filter(|_| run.is_some()) {
            Some(trace) => {
                let (what, proof) = headline(trace);
                format!("{verdict} {what}{proof}.")
            }
            None => format!("{verdict} There is no run to show."),
        };
        ShownAnswer { property: property.to_owned(), words, run }
    }

    /// Shows an answer below the others.
    pub(crate) fn show(&mut self, answer: ShownAnswer) {
        self.page.answers.push(answer);
    }

    /// Writes the page.
    pub(crate) fn write(&self) -> anyhow::Result<()> {
        let mut page = self.page.clone();
        if page.subjects.is_empty() {
            page.subjects.push(DrawnSubject::Variables(Vec::new()));
        }
        replace(&self.path, html(&page))
    }
}

/// Positions as points.
pub(crate) fn spots(positions: &Positions) -> impl Fn(&str) -> Option<Point> + '_ {
    |id| positions.get(id).map(|&(x, y)| Point { x, y })
}

/// Reads a net, and where an editor drew its nodes. The file is kept in memory meanwhile: it may
/// come from a pipe or from an archive.
pub(crate) fn load_drawn(
    source: &Source,
    control: &Control,
) -> anyhow::Result<(NetFile, Positions)> {
    crate::model::ensure_net(source)?;
    source.with_model(|name, input| {
        let mut text = Vec::new();
        let read = input.read_to_end(&mut text);
        read.map_err(|e| anyhow!("{name}: cannot be read to its end: {e}"))?;
        let file = read_net_file(&text[..], name, control)?;
        Ok((file, read_positions(&text[..])))
    })
}
