//! Files that are either whole or not there.

use anyhow::{Context, bail};
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// Tells before any work whether [`replace`] could write this file, as far as that can be
/// known: its folder is there and may be written to, or it is no ordinary file and may be.
pub fn ensure_writable(path: &Path) -> anyhow::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let changed = match target.metadata() {
        Ok(there) if there.is_dir() => bail!("cannot write {}: it is a folder", path.display()),
        Ok(there) if !there.is_file() => target.as_path(),
        _ => match target.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => bail!("cannot write {}: this names no file", path.display()),
        },
    };
    if changed != target && !changed.is_dir() {
        bail!("cannot write {}: there is no folder {}", path.display(), changed.display());
    }
    may_write(changed).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(unix)]
fn may_write(path: &Path) -> std::io::Result<()> {
    use nix::unistd::{AccessFlags, access};
    Ok(access(path, AccessFlags::W_OK)?)
}

#[cfg(not(unix))]
fn may_write(path: &Path) -> std::io::Result<()> {
    match path.metadata()?.permissions().readonly() {
        true => Err(std::io::ErrorKind::PermissionDenied.into()),
        false => Ok(()),
    }
}

/// Writes a file so that there is never half of it: under another name first. What is no
/// ordinary file (a device, a pipe) has no name to give up and is written as it is.
pub fn replace(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let result = match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => std::fs::write(path, content),
        // A symbolic link stays one: the file behind it is replaced.
        Ok(_) => path.canonicalize().and_then(|path| write_whole(&path, content.as_ref())),
        Err(_) => write_whole(path, content.as_ref()),
    };
    result.with_context(|| format!("cannot write {}", path.display()))
}

fn write_whole(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut new = beside(path)?;
    new.write_all(content)?;
    new.persist(path)?;
    Ok(())
}

/// A new file in the folder of this one. It goes away again unless it is given the name.
pub(crate) fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".brine-").append(true);
    // As for any new file, the user's mask takes away from these.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_told_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        ensure_writable(&path("new")).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is written");
        ensure_writable(Path::new("new")).unwrap();
        let message = |path: &Path| ensure_writable(path).unwrap_err().to_string();
        assert!(message(&path("none/new")).contains("there is no folder"));
        assert!(message(dir.path()).ends_with("it is a folder"));
        std::fs::write(path("file"), "").unwrap();
        ensure_writable(&path("file")).unwrap();
        assert!(message(&path("file/new")).contains("there is no folder"));
        ensure_writable(Path::new("/dev/null")).unwrap();
        // For root there is no such file.
        let _ = ensure_writable(Path::new("/proc/version"));
    }

    #[test]
    fn links_stay_links_and_pipes_stay_pipes() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        replace(&file, "first").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "second").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "second");
        let mode = |path: &Path| std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap());
        std::fs::write(dir.path().join("plain"), "").unwrap();
        assert_eq!(mode(&file), mode(&dir.path().join("plain")), "who may read it");
        // A pipe, which is no ordinary file either: not one of the system's devices, which a
        // mistake would replace.
        let pipe = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut open = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        replace(&pipe, "through").unwrap();
        assert!(!pipe.metadata().unwrap().is_file(), "still a pipe");
        let mut read = [0; 7];
        std::io::Read::read_exact(&mut open, &mut read).unwrap();
        assert_eq!(&read, b"through");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 4, "nothing is left behind");
    }
}
