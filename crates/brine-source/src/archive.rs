//! Archives as the contest hands them out: `NAME/model.pnml` and property files beside it.
//!
//! Entries are read in the order in which they come, once, and compared by name: the model is
//! the one regular file called `model.pnml`, wherever it is. Two of them are an error, and so
//! is a link of that name: where it leads is outside of what was given.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use tar::{Archive, Entry};

use crate::unpack::Unpacked;
use crate::{MODEL, SourceError, Text, whole_text};

/// Whether a stream is a tar archive: its first header says so.
pub(crate) fn is_archive(stream: &Unpacked<'_>) -> bool {
    stream.first().get(257..262) == Some(b"ustar")
}

/// Gives the model of an archive to its reader.
pub(crate) fn with_model<T, E: From<SourceError>>(
    archive: &str,
    stream: &mut dyn Read,
    read: impl FnOnce(&str, &mut dyn Read) -> Result<T, E>,
) -> Result<T, E> {
    let mut read = Some(read);
    let mut found: Option<(String, T)> = None;
    let mut files = Archive::new(stream);
    for entry in files.entries().map_err(|e| malformed(archive, &e))? {
        let mut entry = entry.map_err(|e| malformed(archive, &e))?;
        let path = path_of(&entry);
        if !is_called(&path, MODEL) {
            continue;
        }
        let shown = show(&path);
        regular(archive, &shown, &entry)?;
        match (&found, read.take()) {
            (None, Some(read)) => {
                let model = read(&format!("{archive}:{shown}"), &mut entry)?;
                found = Some((shown, model));
            }
            (first, _) => {
                let first = first.as_ref().map_or("", |(first, _)| first);
                let message = format!("holds two models, {first} and {shown}, expected one");
                return Err(SourceError::new(archive, message).into());
            }
        }
    }
    match found {
        Some((_, model)) => Ok(model),
        None => Err(SourceError::new(archive, format!("no {MODEL} in it, expected one")).into()),
    }
}

/// The text of a file beside the model, the first of these names that is there.
pub(crate) fn text_beside_model(
    archive: &str,
    stream: &mut dyn Read,
    names: &[String],
) -> Result<Option<Text>, SourceError> {
    let mut folder: Option<PathBuf> = None;
    // Files come before the model or after it, so all that may be meant are kept.
    let mut texts: Vec<(usize, PathBuf, Text)> = Vec::new();
    let mut files = Archive::new(stream);
    for entry in files.entries().map_err(|e| malformed(archive, &e))? {
        let mut entry = entry.map_err(|e| malformed(archive, &e))?;
        let path = path_of(&entry);
        let parent = path.parent().map(Path::to_path_buf).unwrap_or_default();
        if is_called(&path, MODEL) {
            folder = Some(parent);
        } else if let Some(rank) = names.iter().position(|name| is_called(&path, name)) {
            let shown = show(&path);
            regular(archive, &shown, &entry)?;
            let text = whole_text(&format!("{archive}:{shown}"), &mut entry)?;
            texts.push((rank, parent, text));
        }
    }
    texts.retain(|(_, parent, _)| Some(parent) == folder.as_ref());
    texts.sort_by_key(|(rank, ..)| *rank);
    match texts.as_slice() {
        [(a, ..), (b, _, twice), ..] if a == b => {
            let message = format!("holds {} twice, expected it once", twice.name);
            Err(SourceError::new(archive, message))
        }
        _ => Ok(texts.into_iter().next().map(|(_, _, text)| text)),
    }
}

/// The path of an entry, without `.` in it.
fn path_of<R: Read>(entry: &Entry<'_, R>) -> PathBuf {
    let bytes = entry.path_bytes();
    let text = String::from_utf8_lossy(&bytes);
    Path::new(text.as_ref()).components().filter(|c| *c != Component::CurDir).collect()
}

fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|file| file == name)
}

/// A path for a message, in one line.
fn show(path: &Path) -> String {
    path.display().to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Refuses what is no regular file: links, folders, devices.
fn regular<R: Read>(archive: &str, shown: &str, entry: &Entry<'_, R>) -> Result<(), SourceError> {
    let kind = entry.header().entry_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = match () {
        () if kind.is_symlink() || kind.is_hard_link() => "a link",
        () if kind.is_dir() => "a directory",
        () => "no regular file",
    };
    Err(SourceError::new(&format!("{archive}:{shown}"), format!("is {what}, expected a file")))
}

fn malformed(archive: &str, error: &io::Error) -> SourceError {
    let text: String =
        error.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    SourceError::new(archive, format!("malformed archive ({text}), expected a tar archive"))
}
