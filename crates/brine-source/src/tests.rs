//! Every form of a source gives the same bytes; what is damaged, too large or ambiguous is told.

use super::unpack::{FREE, MOST_TIMES};
use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

const NET: &[u8] = b"<pnml>\n  <net/>\n</pnml>\n";

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive of these entries: name, kind, content.
fn tar(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, kind, content) in entries {
        let mut header = Header::new_gnu();
        // Set by hand: the builder refuses paths that lead outside.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        if *kind == EntryType::Symlink {
            header.set_link_name(std::str::from_utf8(content).unwrap()).unwrap();
            header.set_size(0);
            header.set_cksum();
            builder.append(&header, io::empty()).unwrap();
            continue;
        }
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap()
}

const FILE: EntryType = EntryType::Regular;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// What a file of these bytes gives: the name after the folder's, and the model.
    fn read(&self, name: &str, bytes: &[u8]) -> Result<(String, Vec<u8>), String> {
        self.read_within(name, bytes, None)
    }

    fn read_within(
        &self,
        name: &str,
        bytes: &[u8],
        memory: Option<u64>,
    ) -> Result<(String, Vec<u8>), String> {
        read(&Source::new(&self.file(name, bytes), memory))
            .map_err(|e| e.to_string())
            .map_or_else(|e| Err(self.short(&e)), |(name, model)| Ok((self.short(&name), model)))
    }

    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn read(source: &Source) -> Result<(String, Vec<u8>), SourceError> {
    source.with_model(|name, input| {
        let mut bytes = Vec::new();
        match input.read_to_end(&mut bytes) {
            Ok(_) => Ok((name.to_owned(), bytes)),
            Err(e) => Err(SourceError::new(name, e.to_string())),
        }
    })
}

#[test]
fn every_form_gives_the_same_bytes_whatever_it_is_called() {
    let folder = Folder::new();
    let contest = tar(&[
        ("NAME/", EntryType::Directory, b""),
        ("NAME/LTLCardinality.xml", FILE, b"<c/>"),
        ("NAME/model.pnml", FILE, NET),
        ("NAME/iscolored", FILE, b"FALSE"),
    ]);
    let forms: [(&str, Vec<u8>, &str); 8] = [
        ("x.pnml", NET.to_vec(), "x.pnml"),
        ("x.pnml.gz", gz(NET), "x.pnml.gz"),
        ("called-plain.pnml", gz(NET), "called-plain.pnml"),
        ("called-gz.gz", NET.to_vec(), "called-gz.gz"),
        ("two-members.gz", [gz(&NET[..9]), gz(&NET[9..])].concat(), "two-members.gz"),
        ("x.tgz", gz(&contest), "x.tgz:NAME/model.pnml"),
        ("x.tar", contest.clone(), "x.tar:NAME/model.pnml"),
        ("archive-without-an-ending", gz(&contest), "archive-without-an-ending:NAME/model.pnml"),
    ];
    for (name, bytes, shown) in forms {
        assert_eq!(folder.read(name, &bytes), Ok((shown.to_owned(), NET.to_vec())), "{name}");
    }
    let flat = tar(&[("./model.pnml", FILE, NET)]);
    assert_eq!(folder.read("flat.tgz", &gz(&flat)).unwrap().0, "flat.tgz:model.pnml");
    // A folder is its model.
    folder.file("model.pnml", &gz(NET));
    let (name, bytes) = read(&Source::new(folder.0.path(), None)).unwrap();
    assert_eq!((folder.short(&name).as_str(), bytes.as_slice()), ("model.pnml", NET));
}

#[test]
fn long_names_and_large_models_are_read() {
    let mut builder = Builder::new(Vec::new());
    let model: Vec<u8> = NET.iter().copied().cycle().take(3 << 20).collect();
    let mut header = Header::new_gnu();
    header.set_size(model.len() as u64);
    let path = format!("{}/model.pnml", "n".repeat(200));
    builder.append_data(&mut header, &path, model.as_slice()).unwrap();
    let archive = gz(&builder.into_inner().unwrap());
    let (name, bytes) = Folder::new().read("x.tgz", &archive).unwrap();
    assert_eq!((name, bytes.len()), (format!("x.tgz:{path}"), model.len()));
}

#[test]
fn what_is_missing_or_ambiguous_is_told() {
    let folder = Folder::new();
    let error = |name: &str, bytes: &[u8]| folder.read(name, bytes).unwrap_err();
    let none = tar(&[("NAME/other.pnml", FILE, NET)]);
    assert_eq!(error("none.tgz", &gz(&none)), "none.tgz: no model.pnml in it, expected one");
    let two = tar(&[("A/model.pnml", FILE, NET), ("B/model.pnml", FILE, NET)]);
    assert_eq!(
        error("two.tgz", &gz(&two)),
        "two.tgz: holds two models, A/model.pnml and B/model.pnml, expected one"
    );
    let directory = tar(&[("NAME/model.pnml", EntryType::Directory, b"")]);
    assert_eq!(
        error("directory.tgz", &gz(&directory)),
        "directory.tgz:NAME/model.pnml: is a directory, expected a file"
    );
    let missing = read(&Source::new(Path::new("/nowhere"), None)).unwrap_err();
    assert_eq!(missing.to_string(), "/nowhere: no such file, expected a PNML file");
    let empty = read(&Source::new(folder.0.path(), None)).unwrap_err();
    assert!(empty.to_string().ends_with(": is a directory, expected a model, or model.pnml in it"));
}

/// Nothing outside of an archive is read, and nothing is written.
#[test]
fn links_and_paths_in_archives_lead_nowhere() {
    let folder = Folder::new();
    folder.file("secret.pnml", NET);
    let secret = folder.0.path().join("secret.pnml");
    let target = secret.to_str().unwrap().as_bytes();
    let link = tar(&[("NAME/model.pnml", EntryType::Symlink, target)]);
    assert_eq!(
        folder.read("link.tgz", &gz(&link)).unwrap_err(),
        "link.tgz:NAME/model.pnml: is a link, expected a file"
    );
    // A path that leads outside is only a name.
    let outside = tar(&[("../../model.pnml", FILE, NET)]);
    assert_eq!(folder.read("outside.tgz", &gz(&outside)).unwrap().1, NET);
    let files: Vec<_> = std::fs::read_dir(folder.0.path()).unwrap().collect();
    assert_eq!(files.len(), 3, "only what the test wrote");
}

#[test]
fn damage_is_told() {
    let folder = Folder::new();
    let noise: Vec<u8> = (0..20_000_u32).map(|i| ((i * i) >> 7) as u8).collect();
    let whole = gz(&noise);
    for cut in [3, 12, whole.len() / 2, whole.len() - 1] {
        let error = folder.read("cut.gz", &whole[..cut]).unwrap_err();
        assert!(error.starts_with("cut.gz: the compressed data ends too early"), "{cut}: {error}");
    }
    let mut flipped = whole.clone();
    let at = whole.len() - 6;
    flipped[at] ^= 1;
    let error = folder.read("flipped.gz", &flipped).unwrap_err();
    assert!(error.starts_with("flipped.gz: damaged gzip data"), "{error}");
    let archive = tar(&[("NAME/model.pnml", FILE, &noise)]);
    let packed = gz(&archive);
    let error = folder.read("cut.tgz", &packed[..packed.len() / 2]).unwrap_err();
    assert!(error.starts_with("cut.tgz:NAME/model.pnml: the compressed data ends too"), "{error}");
    // Damage behind the model counts, too: there might have been a second one.
    let archive = tar(&[("NAME/model.pnml", FILE, NET), ("NAME/noise", FILE, &noise)]);
    let packed = gz(&archive);
    let error = folder.read("tail.tgz", &packed[..packed.len() - 100]).unwrap_err();
    assert!(error.starts_with("tail.tgz: malformed archive (the compressed data"), "{error}");
    let mut broken = tar(&[("NAME/model.pnml", FILE, NET)]);
    broken[150] ^= 1;
    let error = folder.read("broken.tar", &broken).unwrap_err();
    assert!(error.starts_with("broken.tar: malformed archive ("), "{error}");
    assert_eq!(error.lines().count(), 1);
}

/// Megabytes that expand to gigabytes: one compressed piece over and over.
fn bomb(piece: &[u8], times: usize) -> Vec<u8> {
    gz(piece).repeat(times)
}

#[test]
fn a_bomb_is_an_error_and_not_work() {
    let folder = Folder::new();
    // 4 GiB of spaces in 4 MiB.
    let spaces = bomb(&[b' '; 1 << 20], 4096);
    assert!(spaces.len() < 8 << 20);
    let error = folder.read("bomb.gz", &spaces).unwrap_err();
    assert!(error.starts_with("bomb.gz: expands to more than 250 times its size ("), "{error}");
    // Hidden beside the model, in what is only skipped.
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..9].copy_from_slice(b"NAME/junk");
    header.set_size(4 << 30);
    header.set_cksum();
    let archive = [gz(header.as_bytes()), spaces].concat();
    let error = folder.read("bomb.tgz", &archive).unwrap_err();
    assert!(error.starts_with("bomb.tgz: expands to more than 250 times its size ("), "{error}");
    // A long name that is a bomb.
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(4 << 30);
    header.set_cksum();
    let archive = [gz(header.as_bytes()), bomb(&[b'n'; 1 << 20], 4096)].concat();
    let error = folder.read("name.tgz", &archive).unwrap_err();
    assert!(error.starts_with("name.tgz: expands to more than 250 times its size ("), "{error}");
}

#[test]
fn small_files_may_expand_as_they_like_and_the_budget_holds() {
    let folder = Folder::new();
    let small = vec![b' '; FREE as usize];
    let packed = gz(&small);
    assert!(packed.len() as u64 * MOST_TIMES < FREE, "more than the ratio allows");
    assert_eq!(folder.read("small.gz", &packed).unwrap().1.len(), small.len());
    let more = vec![b' '; FREE as usize + 1];
    assert!(folder.read("more.gz", &gz(&more)).is_err());
    // The budget is met exactly, or not.
    let noise: Vec<u8> = (0..1_u32 << 20).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
    let packed = gz(&noise);
    assert!(folder.read_within("noise.gz", &packed, Some(1 << 20)).is_ok());
    let path = folder.file("noise.gz", &packed);
    let error = read(&Source::new(&path, Some((1 << 20) - 1))).unwrap_err();
    assert!(matches!(error, SourceError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("expands to more than the memory budget"), "{error}");
    // What is not compressed does not expand.
    assert!(folder.read_within("plain.pnml", &noise, Some(10)).is_ok());
}

#[test]
fn property_files_are_found_beside_the_model() {
    let folder = Folder::new();
    let archive = gz(&tar(&[
        ("other/P.xml", FILE, b"not beside"),
        ("NAME/P.xml", FILE, b"p"),
        ("NAME/bare", FILE, b"b"),
        ("NAME/both", FILE, b"1"),
        ("NAME/both.xml", FILE, b"2"),
        ("NAME/model.pnml", FILE, NET),
        ("NAME/late.xml", FILE, b"l"),
        ("NAME/link.xml", EntryType::Symlink, b"/etc/passwd"),
        ("NAME/twice", FILE, b"1"),
        ("NAME/twice", FILE, b"2"),
    ]));
    let source = Source::new(&folder.file("x.tgz", &archive), None);
    let text = |name: &str| {
        let found = source.property_file(Path::new(name));
        found.map_or_else(
            |e| folder.short(&e.to_string()),
            |t| format!("{} = {}", folder.short(&t.name), t.text),
        )
    };
    assert_eq!(text("P"), "x.tgz:NAME/P.xml = p");
    assert_eq!(text("P.xml"), "x.tgz:NAME/P.xml = p");
    assert_eq!(text("bare.xml"), "x.tgz:NAME/bare = b");
    assert_eq!(text("both"), "x.tgz:NAME/both = 1");
    assert_eq!(text("both.xml"), "x.tgz:NAME/both.xml = 2");
    assert_eq!(text("late"), "x.tgz:NAME/late.xml = l");
    assert_eq!(text("link"), "x.tgz:NAME/link.xml: is a link, expected a file");
    assert!(text("twice").contains("twice, expected it once"), "{}", text("twice"));
    assert_eq!(
        text("Q"),
        "Q: no such file, expected a property file (looked for Q, Q beside x.tgz:model.pnml, \
         Q.xml beside x.tgz:model.pnml)"
    );
    // A path is not looked up inside.
    assert_eq!(
        text("NAME/P.xml"),
        "NAME/P.xml: no such file, expected a property file (looked for NAME/P.xml)"
    );
    // On disk comes first, and may be compressed.
    let near = folder.file("near.xml.gz", &gz(b"near"));
    assert_eq!(source.property_file(&near).unwrap().text, "near");
    // In a folder.
    folder.file("model.pnml", NET);
    folder.file("P.xml", b"folder");
    let source = Source::new(folder.0.path(), None);
    assert_eq!(source.property_file(Path::new("P")).unwrap().text, "folder");
    assert_eq!(source.file_beside("P.xml").unwrap().text, "folder");
    let error = source.property_file(Path::new("../P")).unwrap_err();
    assert!(error.to_string().contains("(looked for ../P)"), "{error}");
    // Nothing is beside a plain file.
    let source = Source::new(&folder.0.path().join("model.pnml"), None);
    let error = source.property_file(Path::new("P")).unwrap_err();
    assert!(error.to_string().ends_with("(looked for P)"), "{error}");
    let error = source.file_beside("P").unwrap_err().to_string();
    assert!(error.ends_with("model.pnml is neither a folder nor an archive)"), "{error}");
}
