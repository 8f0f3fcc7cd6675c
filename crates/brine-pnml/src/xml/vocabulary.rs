//! Which elements of a document are its own: those of the root's namespace.
//!
//! XML lets a file mix vocabularies: `<x:arc>` of another vocabulary is not PNML's `<arc>`, and
//! neither is an `<arc xmlns="...">` that changes the default namespace for itself. Full
//! namespaces are not needed to keep them apart. The root tells the prefix of the document's own
//! elements and their namespace; an element of the net must have that prefix and must not declare
//! it anew for something else. Everything below an element that was accepted is judged the same
//! way, so whatever is read as the net's has the root's namespace. Parts of other tools are
//! skipped unjudged.

use super::strict::unknown_namespace;
use quick_xml::events::BytesStart;

/// The root's prefix and namespace.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// The prefix with its colon, or empty.
    prefix: String,
    /// The attribute that declares the namespace: `xmlns` or `xmlns:prefix`.
    declaration: String,
    /// Its value at the root; `None` where the root declares none.
    namespace: Option<String>,
    /// The root has a prefix, and its default namespace is the same.
    without_prefix: bool,
}

impl Vocabulary {
    /// That of a root.
    pub(crate) fn of_root(root: &BytesStart<'_>) -> Self {
        let name = root.name().into_inner();
        let prefix = name.find(':').map_or("", |colon| &name[..=colon]);
        let declaration = match prefix.strip_suffix(':') {
            None => "xmlns".to_owned(),
            Some(prefix) => format!("xmlns:{prefix}"),
        };
        let value = |declaration: &str| {
            let found = root.attributes().flatten().find(|a| a.key.into_inner() == declaration);
            found.map(|a| a.value.into_owned())
        };
        let namespace = value(&declaration);
        let without_prefix = namespace.is_some() && value("xmlns") == namespace;
        Vocabulary { prefix: prefix.to_owned(), declaration, namespace, without_prefix }
    }

    /// An element's name without the document's own prefix. Another prefix is part of the name,
    /// so that nobody takes such an element for one of his own.
    #[inline]
    pub(crate) fn own_name<'a>(&self, name: &'a str) -> &'a str {
        // Most documents have no prefix, and names are asked for all the time.
        if self.prefix.is_empty() {
            return name;
        }
        name.strip_prefix(self.prefix.as_str()).unwrap_or(name)
    }

    /// What is wrong with the name of an element that is about to be read as the document's own.
    pub(crate) fn refuses_name(&self, name: &str) -> Option<String> {
        let prefix = &self.prefix;
        let own = prefix.is_empty() || name.starts_with(prefix.as_str());
        (!own && !self.without_prefix)
            .then(|| format!("<{name}> is not of the root's vocabulary, expected <{prefix}{name}>"))
    }

    /// What is wrong with an attribute that declares a namespace.
    pub(crate) fn refuses_declaration(&self, attribute: &str, value: &str) -> Option<String> {
        let concerned =
            attribute == self.declaration || (self.without_prefix && attribute == "xmlns");
        // Old tools declare PNML's namespace at the net, or that of another edition.
        let own = self.namespace.as_deref().unwrap_or("") == value || is_pnml(value);
        (concerned && !own).then(|| unknown_namespace(attribute, value, self.namespace.as_deref()))
    }
}

/// Whether a namespace is an edition of PNML's.
fn is_pnml(namespace: &str) -> bool {
    namespace.starts_with("http") && namespace.to_ascii_lowercase().contains("pnml")
}
