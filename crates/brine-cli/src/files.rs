//! Files that are either whole or not there.

use anyhow::Context;
use std::path::{Path, PathBuf};

/// Writes a file so that there is never half of it: under another name first. What is no
/// ordinary file (a device, a pipe) has no name to give up and is written as it is.
pub(crate) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
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
    fn links_stay_links_and_devices_stay_devices() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        replace(&file, "first").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, "second").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "second");
        let null = Path::new("/dev/null");
        replace(null, "gone").unwrap();
        assert!(!null.metadata().unwrap().is_file() && !Path::new("/dev/null.new").exists());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing is left behind");
    }
}
