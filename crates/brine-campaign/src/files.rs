//! Files that are either whole or not there.

use anyhow::Context;
use std::path::{Path, PathBuf};

/// Writes a file so that there is never half of it: under another name first. What is no
/// ordinary file (a device, a pipe) has no name to give up and is written as it is.
pub fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let result = match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => std::fs::write(path, text),
        // A symbolic link stays one: the file behind it is replaced.
        Ok(_) => path.canonicalize().and_then(|path| write_whole(&path, text)),
        Err(_) => write_whole(path, text),
    };
    result.with_context(|| format!("cannot write {}", path.display()))
}

fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let result = std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path));
    if result.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_links_and_pipes_stay_pipes() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        replace(&file, "first").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "second").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "second");
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
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "nothing is left behind");
    }
}
