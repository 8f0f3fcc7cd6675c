//! A model: read from a file or a text, or built in code.

use crate::language::LanguageModel;
use crate::options::Limits;
use crate::{Error, Options};
use brine_check::coloured::ColouredModel;
use brine_check::show::drawn_net;
use brine_net::{Net, Structure};
use brine_page::WebPage;
use brine_pnml::{AnyNet, NetFile, UnfoldLimits, read_net_file, unfold_in, write_pnml};
use brine_run::Control;
use brine_source::Source;
use std::cell::OnceCell;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// What kind of model it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// A place/transition net.
    Net,
    /// A symmetric coloured net.
    Coloured,
    /// A DVE model.
    Dve,
    /// Guarded commands.
    Commands,
}

impl Kind {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Net => "net",
            Kind::Coloured => "coloured net",
            Kind::Dve => "DVE model",
            Kind::Commands => "guarded commands",
        }
    }
}

/// A place or a transition, a variable or a command.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Node {
    /// The id, which is unique.
    pub id: String,
    /// What people call it; the id where the file has no name.
    pub name: String,
}

impl Node {
    pub(crate) fn new(id: &str, name: &str) -> Self {
        let name = if name.is_empty() { id } else { name };
        Node { id: id.to_owned(), name: name.to_owned() }
    }
}

/// A model about which questions can be asked. Cloning it is cheap, and threads may share it.
#[derive(Clone, Debug)]
pub struct Model {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: String,
    warnings: Vec<String>,
    body: Body,
}

/// What is asked.
#[derive(Debug)]
pub(crate) enum Body {
    /// A place/transition net.
    Plain(Box<PlainNet>),
    /// A coloured net.
    Coloured(Box<ColouredNet>),
    /// A model that is no net.
    Language(LanguageModel),
}

/// Reads a model as the command does: PNML, `.dve` or `.gcl`, also compressed, in a folder or in an
/// archive; `-` is standard input.
pub fn load(path: impl AsRef<Path>) -> Result<Model, Error> {
    load_within(path.as_ref(), &Options::new())
}

fn load_within(path: &Path, options: &Options) -> Result<Model, Error> {
    let source = Source::new(path, brine_run::usable_bytes());
    let plain = match path.extension() {
        Some(ending) if ending == "gz" => path.file_stem().map_or(path, Path::new),
        _ => path,
    };
    let called = || {
        let name = if path.is_dir() { path.file_name() } else { plain.file_stem() };
        name.map_or_else(String::new, |s| s.to_string_lossy().into_owned())
    };
    let ending = plain.extension().and_then(|e| e.to_str());
    if let Some(ending @ ("dve" | "gcl")) = ending {
        let text = source.model_text()?;
        let language = LanguageModel::read(&text.name, &text.text, ending == "dve")?;
        return Ok(Model::of(called(), Vec::new(), Body::Language(language)));
    }
    let control = options.start().control();
    let file = source
        .with_model(|name, input| read_net_file(input, name, &control).map_err(Error::from))?;
    Ok(Model::of_file(file, called))
}

impl Model {
    fn of(name: String, warnings: Vec<String>, body: Body) -> Model {
        Model { inner: Arc::new(Inner { name, warnings, body }) }
    }

    fn of_file(file: NetFile, called: impl FnOnce() -> String) -> Model {
        let NetFile { file, net, warnings } = file;
        let (name, body) = match net {
            AnyNet::Plain(net) => {
                (net.name().to_owned(), Body::Plain(Box::new(PlainNet::new(net))))
            }
            AnyNet::Coloured(net) => {
                let name = net.name.clone();
                let net = ColouredModel::new(net);
                (name, Body::Coloured(Box::new(ColouredNet { file, net, plain: OnceLock::new() })))
            }
        };
        let name = if name.is_empty() { called() } else { name };
        Model::of(name, warnings, body)
    }

    /// Reads the text of a PNML file.
    ///
    /// ```
    /// let error = brine::Model::from_pnml("<pnml>").unwrap_err();
    /// assert_eq!((error.line, error.column), (Some(1), Some(7)));
    /// ```
    pub fn from_pnml(text: &str) -> Result<Model, Error> {
        let file = read_net_file(text.as_bytes(), "text", &Control::default())?;
        Ok(Model::of_file(file, || "net".to_owned()))
    }

    /// Reads the text of a DVE model.
    ///
    /// ```
    /// use brine::{Model, Options, Question, Verdict};
    /// let model = Model::from_dve(
    ///     "byte turn = 0;
    ///      process P { state a; init a; trans a -> a { effect turn = 1 - turn; }; }
    ///      system async;",
    /// )?;
    /// let answer = model.check("G F turn == 1", &Options::new())?;
    /// assert_eq!(answer.verdict, Verdict::Holds);
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn from_dve(text: &str) -> Result<Model, Error> {
        let language = LanguageModel::read("text", text, true)?;
        Ok(Model::of("dve".to_owned(), Vec::new(), Body::Language(language)))
    }

    /// Reads guarded commands.
    ///
    /// ```
    /// use brine::{Model, Options, Size};
    /// let model = Model::from_commands("var x = 0; up: x < 2 -> x := x + 1;")?;
    /// let states = model.states(&Options::new())?;
    /// assert_eq!(states.states, Some(Size::Finite(3_u32.into())));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn from_commands(text: &str) -> Result<Model, Error> {
        let language = LanguageModel::read("text", text, false)?;
        Ok(Model::of("commands".to_owned(), Vec::new(), Body::Language(language)))
    }

    /// Takes a net that was built in code.
    pub fn from_net(net: Net) -> Result<Model, Error> {
        let name = if net.name().is_empty() { "net" } else { net.name() }.to_owned();
        Ok(Model::of(name, Vec::new(), Body::Plain(Box::new(PlainNet::new(net)))))
    }

    /// The net's id, or else the file's name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What kind of model it is.
    pub fn kind(&self) -> Kind {
        match self.body() {
            Body::Plain(_) => Kind::Net,
            Body::Coloured(_) => Kind::Coloured,
            Body::Language(model) if model.is_dve() => Kind::Dve,
            Body::Language(_) => Kind::Commands,
        }
    }

    /// What the user should know about the file, one line each, with file and position.
    pub fn warnings(&self) -> &[String] {
        &self.inner.warnings
    }

    /// The places; of a coloured net the coloured ones, of another model its variables.
    pub fn places(&self) -> Vec<Node> {
        match self.body() {
            Body::Plain(plain) => {
                plain.net().places().map(|p| Node::new(&p.id(), &p.name())).collect()
            }
            Body::Coloured(coloured) => {
                coloured.net.net().places.iter().map(|p| Node::new(&p.id, &p.name)).collect()
            }
            Body::Language(model) => model.slots(),
        }
    }

    /// The transitions; of a coloured net the coloured ones, of another model its commands.
    pub fn transitions(&self) -> Vec<Node> {
        match self.body() {
            Body::Plain(plain) => {
                plain.net().transitions().map(|t| Node::new(&t.id(), &t.name())).collect()
            }
            Body::Coloured(coloured) => {
                coloured.net.net().transitions.iter().map(|t| Node::new(&t.id, &t.name)).collect()
            }
            Body::Language(model) => model.groups(),
        }
    }

    /// The initial marking of the net ([`Model::net`]), or the initial values of the variables.
    /// Empty for a coloured net that cannot be unfolded.
    pub fn initial_marking(&self) -> Vec<u32> {
        match self.body() {
            Body::Language(model) => model.pins().initial(),
            _ => self.net().map(Net::initial_marking).unwrap_or_default(),
        }
    }

    /// The place/transition net; a coloured one is unfolded when it is first asked for.
    pub fn net(&self) -> Result<&Net, Error> {
        Ok(self.plain(&Options::new().start())?.net())
    }

    /// The net as PNML; a coloured one is unfolded.
    ///
    /// ```
    /// use brine::{Model, NetBuilder};
    /// let mut net = NetBuilder::new("n");
    /// let p = net.place("p", 2);
    /// net.transition("t", &[(p, 1)], &[]);
    /// let model = Model::from_net(net.build()?)?;
    /// assert_eq!(Model::from_pnml(&model.pnml()?)?.initial_marking(), [2]);
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn pnml(&self) -> Result<String, Error> {
        let mut text = Vec::new();
        write_pnml(self.net()?, &mut text).map_err(|e| Error::input(e.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The net as a graph in DOT; a coloured one is unfolded.
    pub fn dot(&self) -> Result<String, Error> {
        let mut text = Vec::new();
        brine_net::write_dot(self.net()?, &mut text).map_err(|e| Error::input(e.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// The net as a picture; a coloured one is unfolded. A large net is named, not drawn.
    ///
    /// ```
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pnml/philosophers-5.pnml");
    /// assert!(brine::load(path)?.svg()?.starts_with("<svg"));
    /// # Ok::<(), brine::Error>(())
    /// ```
    pub fn svg(&self) -> Result<String, Error> {
        Ok(brine_page::svg(&drawn_net(self.net()?, &|_| None)))
    }

    /// The net as a page for a browser, to play with its tokens; a coloured one is unfolded.
    pub fn html(&self) -> Result<String, Error> {
        let net = drawn_net(self.net()?, &|_| None);
        Ok(brine_page::html(&WebPage::of_net(net)))
    }

    pub(crate) fn body(&self) -> &Body {
        &self.inner.body
    }

    /// The place/transition net, within a budget.
    pub(crate) fn plain(&self, limits: &Limits) -> Result<&PlainNet, Error> {
        match self.body() {
            Body::Plain(plain) => Ok(plain),
            Body::Coloured(coloured) => coloured.unfolded(&limits.control()),
            Body::Language(_) => Err(Error::options(format!(
                "{} needs a net, this is a {}",
                self.name(),
                self.kind().name()
            ))),
        }
    }
}

/// A coloured net, and what it unfolds to once somebody needs that.
#[derive(Debug)]
pub(crate) struct ColouredNet {
    file: String,
    pub(crate) net: ColouredModel,
    plain: OnceLock<PlainNet>,
}

impl ColouredNet {
    fn unfolded(&self, control: &Control) -> Result<&PlainNet, Error> {
        if let Some(plain) = self.plain.get() {
            return Ok(plain);
        }
        let model = unfold_in(&self.file, self.net.net(), &UnfoldLimits::default(), control)?;
        Ok(self.plain.get_or_init(|| PlainNet { model, structure: OnceLock::new() }))
    }
}

/// A place/transition net, and its structure once it is known completely.
#[derive(Debug)]
pub(crate) struct PlainNet {
    pub(crate) model: brine_pnml::Model,
    structure: OnceLock<Structure>,
}

impl PlainNet {
    fn new(net: Net) -> Self {
        PlainNet { model: brine_pnml::Model::new(net), structure: OnceLock::new() }
    }

    pub(crate) fn net(&self) -> &Net {
        &self.model.net
    }

    /// Its structure, worked out when it is first looked at.
    pub(crate) fn structure(&self, control: Control) -> LazyStructure<'_> {
        LazyStructure { plain: self, control, own: OnceCell::new() }
    }
}

/// The structure of a net under the budget of one question. Only one that is complete is kept for
/// the next question.
pub(crate) struct LazyStructure<'a> {
    plain: &'a PlainNet,
    control: Control,
    own: OnceCell<Structure>,
}

impl Deref for LazyStructure<'_> {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        let PlainNet { model, structure } = self.plain;
        if let Some(known) = structure.get() {
            return known;
        }
        let own = self.own.get_or_init(|| Structure::within(&model.net, &self.control));
        match own.stopped {
            Some(_) => own,
            None => structure.get_or_init(|| own.clone()),
        }
    }
}
