//! The page: one file with its data, its styles and its scripts, which loads nothing.
//!
//! What can be drawn before anybody moves is drawn here; the scripts in `web/` move tokens. They
//! find the data as JSON in an element of the page.

use crate::data::{DrawnSubject, WebPage};
use crate::drawing::draw;
use crate::escape::{data, text};
use crate::svg::{DOTS, STYLE, Spots, picture};
use serde::Serialize;

const FRAME: &str = include_str!("web/page.html");
const PAGE_STYLE: &str = include_str!("web/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("web/track.js"),
    include_str!("web/view.js"),
    include_str!("web/timeline.js"),
    include_str!("web/page.js"),
];

/// What the scripts read.
#[derive(Serialize, Debug)]
struct Data<'a> {
    page: &'a WebPage,
    /// Of each subject that is a net.
    spots: Vec<Option<Spots>>,
    dots: &'static [&'static [(i8, i8)]],
}

/// The page as text of an HTML file.
pub fn html(page: &WebPage) -> String {
    let mut drawings = String::new();
    let mut spots = Vec::new();
    for (i, subject) in page.subjects.iter().enumerate() {
        let DrawnSubject::Net(net) = subject else {
            spots.push(None);
            continue;
        };
        let drawing = draw(net);
        let mut note = net.note.iter().map(|n| format!("{n} ")).collect::<String>();
        let (count, all) = (drawing.count(), drawing.points.len());
        if count < all {
            note.push_str(&format!(
                "{count} of {all} nodes are drawn: those nearest to the tokens."
            ));
        }
        drawings.push_str(&format!(
            "<div class=\"drawing\" data-subject=\"{i}\" data-note=\"{}\" hidden>",
            text(&note)
        ));
        let label = format!("role=\"group\" aria-label=\"The net {}\" ", text(&net.name));
        drawings.push_str(&picture(net, &drawing, &label, ""));
        drawings.push_str("</div>\n");
        spots.push(Some(Spots::new(net, &drawing)));
    }
    let scripts = SCRIPTS.concat();
    let data = data(&Data { page, spots, dots: &DOTS });
    let title = text(&page.title);
    // One pass: what is put in is not searched for further marks.
    let parts = [
        ("{title}", title.as_str()),
        ("{style}", STYLE),
        ("{page style}", PAGE_STYLE),
        ("{drawings}", drawings.as_str()),
        ("{data}", data.as_str()),
        ("{scripts}", scripts.as_str()),
    ];
    let mut out = String::new();
    let mut rest = FRAME;
    while let Some((at, mark, with)) =
        parts.iter().filter_map(|(m, w)| rest.find(m).map(|at| (at, *m, *w))).min()
    {
        out.push_str(&rest[..at]);
        out.push_str(with);
        rest = &rest[at + mark.len()..];
    }
    out + rest
}
