//! Where models and property files come from.
//!
//! A model is named by a path: a file, a folder (its `model.pnml`), or `-` for standard input.
//! Whatever that gives may be gzip, and may be a tar archive as the Model Checking Contest
//! hands them out (`NAME/model.pnml` and property files); both are told by their first bytes,
//! never by the name alone. The model is handed to its reader as a stream: nothing is ever
//! written, no document is held as a whole, and nothing outside of an archive is read, because
//! entries are only compared by name (a link in an archive is refused, not followed).
//!
//! What expands is measured on the way, against the memory budget and a largest ratio: an
//! archive bomb ends with an error after a bounded amount of work. One file per concern:
//! `unpack` is gzip and its limits, `archive` is tar.

mod archive;
mod unpack;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use unpack::{UnpackMeter, Unpacked, unpack};

/// What a folder or an archive calls its model.
pub const MODEL: &str = "model.pnml";

/// Why a source gives no model. Displays as one line: `FILE: message`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceError {
    /// It cannot be opened, or is not what was expected.
    Unusable {
        /// The file.
        file: String,
        /// What is wrong with it, and what was expected.
        message: String,
    },
    /// It expands to more than the memory budget.
    TooLarge {
        /// The file.
        file: String,
        /// Which budget.
        message: String,
    },
}

impl SourceError {
    fn new(file: &str, message: impl Into<String>) -> Self {
        SourceError::Unusable { file: file.to_owned(), message: message.into() }
    }

    fn open(file: &str, error: &io::Error) -> Self {
        let message = match error.kind() {
            io::ErrorKind::NotFound => "no such file, expected a PNML file".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => format!("cannot be opened: {error}"),
        };
        SourceError::new(file, message)
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (SourceError::Unusable { file, message } | SourceError::TooLarge { file, message }) =
            self;
        write!(f, "{file}: {message}")
    }
}

impl std::error::Error for SourceError {}

/// A text and what errors in it call its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// `FILE`, or `ARCHIVE:ENTRY`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A model's source, as named by the user. Nothing is opened before it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    path: PathBuf,
    memory: Option<u64>,
}

impl Source {
    /// The source that a path names; what is compressed may expand to `memory` bytes.
    #[must_use]
    pub fn new(path: &Path, memory: Option<u64>) -> Self {
        Source { path: path.to_owned(), memory }
    }

    /// The path as given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is standard input, which can be read only once.
    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// Gives the model to its reader: what errors call the file, and its bytes.
    pub fn with_model<T, E: From<SourceError>>(
        &self,
        read: impl FnOnce(&str, &mut dyn Read) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_stdin() {
            return self.stream("stdin", io::stdin().lock(), read);
        }
        let (path, shown) = self.model_file()?;
        let file = open(&path, &shown)?;
        self.stream(&path.display().to_string(), file, read)
    }

    /// The text of a property file: that file, or else [`Source::file_beside`] the model.
    pub fn property_file(&self, file: &Path) -> Result<Text, SourceError> {
        if !missing(file) {
            return self.text_of(file);
        }
        let shown = file.display().to_string();
        self.beside(file, vec![shown])
    }

    /// The text of the file of this name beside the model in its folder or archive, with or
    /// without `.xml`.
    pub fn file_beside(&self, name: &str) -> Result<Text, SourceError> {
        self.beside(Path::new(name), Vec::new())
    }

    /// The same, after others were `looked` for.
    fn beside(&self, file: &Path, mut looked: Vec<String>) -> Result<Text, SourceError> {
        let names = names_beside(file);
        let model = self.path.display().to_string();
        if self.is_stdin() {
            looked.push("nothing beside standard input, which is read only once".to_owned());
        } else if self.path.is_dir() {
            for path in names.iter().map(|name| self.path.join(name)) {
                if !missing(&path) {
                    return self.text_of(&path);
                }
                looked.push(path.display().to_string());
            }
        } else if self.path.is_file() && !names.is_empty() {
            let input = open(&self.path, &model)?;
            let found =
                self.unpacked(&model, input, |name, stream| match archive::is_archive(stream) {
                    true => archive::text_beside_model(name, stream, &names).map(Some),
                    false => Ok(None),
                })?;
            match found {
                Some(Some(text)) => return Ok(text),
                Some(None) => {
                    looked
                        .extend(names.iter().map(|name| format!("{name} beside {model}:{MODEL}")));
                }
                None if looked.is_empty() => {
                    looked.push(format!("nothing: {model} is neither a folder nor an archive"))
                }
                None => {}
            }
        }
        let looked = looked.join(", ");
        let message = format!("no such file, expected a property file (looked for {looked})");
        Err(SourceError::new(&file.display().to_string(), message))
    }

    /// The whole text of a file, which may be gzip.
    fn text_of(&self, path: &Path) -> Result<Text, SourceError> {
        let name = path.display().to_string();
        let file = open(path, &name)?;
        self.unpacked(&name, file, |name, input| whole_text(name, input))
    }

    /// The whole text of the model itself; for formats whose reader needs it.
    pub fn model_text(&self) -> Result<Text, SourceError> {
        self.with_model(whole_text)
    }

    /// The file that a path names, and what errors about opening it say.
    fn model_file(&self) -> Result<(PathBuf, String), SourceError> {
        let shown = self.path.display().to_string();
        if !self.path.is_dir() {
            return Ok((self.path.clone(), shown));
        }
        let model = self.path.join(MODEL);
        if !model.is_file() {
            let message = format!("is a directory, expected a model, or {MODEL} in it");
            return Err(SourceError::new(&shown, message));
        }
        let shown = model.display().to_string();
        Ok((model, shown))
    }

    /// Unpacks a stream and gives the model in it to its reader.
    fn stream<T, E: From<SourceError>>(
        &self,
        name: &str,
        input: impl Read,
        read: impl FnOnce(&str, &mut dyn Read) -> Result<T, E>,
    ) -> Result<T, E> {
        self.unpacked(name, input, |name, stream| match archive::is_archive(stream) {
            true => archive::with_model(name, stream, read),
            false => read(name, stream),
        })
    }

    /// Unpacks a stream, within the limits.
    fn unpacked<T, E: From<SourceError>>(
        &self,
        name: &str,
        input: impl Read,
        read: impl FnOnce(&str, &mut Unpacked<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let meter = Rc::new(UnpackMeter::new(self.memory));
        let mut stream = unpack(input, &meter).map_err(|e| SourceError::open(name, &e))?;
        // To the end, where the checksum stands, also behind the end of an archive.
        let result = read(name, &mut stream).and_then(|value| {
            io::copy(&mut stream, &mut io::sink()).map_err(|e| damaged(name, &e))?;
            Ok(value)
        });
        // Whatever the reader made of a stream that was cut off, this is why.
        meter.exceeded(name).map_or(result, |error| Err(error.into()))
    }
}

/// The error for data that cannot be decompressed to its end.
fn damaged(name: &str, error: &io::Error) -> SourceError {
    let message = format!("damaged behind the model ({error}), expected a whole file");
    SourceError::new(name, message)
}

/// Opens a file for reading; a folder is none.
fn open(path: &Path, shown: &str) -> Result<File, SourceError> {
    let file = File::open(path).map_err(|e| SourceError::open(shown, &e))?;
    let metadata = file.metadata().map_err(|e| SourceError::open(shown, &e))?;
    match metadata.is_dir() {
        true => Err(SourceError::new(shown, "is a directory, expected a file")),
        false => Ok(file),
    }
}

/// Whether there is nothing of this name. What is there but cannot be read is not missing.
fn missing(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

/// The names to look for beside a model: only of a plain name, never of a path.
fn names_beside(file: &Path) -> Vec<String> {
    let mut components = file.components();
    let (Some(Component::Normal(name)), None) = (components.next(), components.next()) else {
        return Vec::new();
    };
    let name = name.to_string_lossy().into_owned();
    let other = match name.strip_suffix(".xml") {
        Some(stem) => stem.to_owned(),
        None => format!("{name}.xml"),
    };
    vec![name, other]
}

fn whole_text(name: &str, input: &mut dyn Read) -> Result<Text, SourceError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(|e| SourceError::new(name, e.to_string()))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Text { name: name.to_owned(), text }),
        Err(e) => {
            let at = e.utf8_error().valid_up_to();
            Err(SourceError::new(name, format!("byte {at} is not UTF-8, expected text in UTF-8")))
        }
    }
}

#[cfg(test)]
mod tests;
