//! Turns the encodings of XML files into UTF-8.
//!
//! The first bytes decide: a byte order mark, the pattern of zeros of a UTF-16 `<?`, or the
//! name in the XML declaration. UTF-8 passes through as it is and is checked later. What
//! is known: UTF-8, UTF-16 in both byte orders, ISO-8859-1, windows-1252, US-ASCII.
//!
//! Invariant: every call hands out whole characters before the first byte that cannot be
//! decoded, and the error for that byte afterwards; so positions of errors are exact.
//!
//! Cost: nothing for UTF-8 beyond the look at the first bytes, linear for the others.

use std::io::{self, Read};

/// How many bytes may come before the end of the XML declaration.
const DECLARATION: usize = 512;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 14;

/// The characters of windows-1252 from 0x80 to 0x9F; five of them are not assigned.
const WINDOWS: [Option<char>; 32] = [
    Some('\u{20AC}'),
    None,
    Some('\u{201A}'),
    Some('\u{0192}'),
    Some('\u{201E}'),
    Some('\u{2026}'),
    Some('\u{2020}'),
    Some('\u{2021}'),
    Some('\u{02C6}'),
    Some('\u{2030}'),
    Some('\u{0160}'),
    Some('\u{2039}'),
    Some('\u{0152}'),
    None,
    Some('\u{017D}'),
    None,
    None,
    Some('\u{2018}'),
    Some('\u{2019}'),
    Some('\u{201C}'),
    Some('\u{201D}'),
    Some('\u{2022}'),
    Some('\u{2013}'),
    Some('\u{2014}'),
    Some('\u{02DC}'),
    Some('\u{2122}'),
    Some('\u{0161}'),
    Some('\u{203A}'),
    Some('\u{0153}'),
    None,
    Some('\u{017E}'),
    Some('\u{0178}'),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Encoding {
    Utf8,
    Utf16 { big: bool },
    Latin1,
    Windows,
    Ascii,
}

/// A stream of UTF-8, decoded from what `inner` holds.
#[derive(Debug)]
pub(super) struct Decoder<R> {
    inner: R,
    /// `None` until the first bytes have been seen.
    encoding: Option<Encoding>,
    /// Bytes read but not decoded.
    raw: Vec<u8>,
    /// UTF-8 not handed out, from `start`.
    ready: Vec<u8>,
    start: usize,
    /// What is wrong with the next byte.
    problem: Option<String>,
    ended: bool,
}

impl<R: Read> Decoder<R> {
    pub(super) fn new(inner: R) -> Self {
        Decoder {
            inner,
            encoding: None,
            raw: Vec::new(),
            ready: Vec::new(),
            start: 0,
            problem: None,
            ended: false,
        }
    }

    /// Appends some bytes of the input to `raw`.
    fn read_more(&mut self, most: usize) -> io::Result<()> {
        let length = self.raw.len();
        self.raw.resize(length + most, 0);
        let read = self.inner.read(&mut self.raw[length..]);
        self.raw.truncate(length + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(())
    }

    /// Looks at the first bytes; false if more of them are needed.
    fn detect(&mut self) -> bool {
        let complete = self.ended || self.raw.len() >= DECLARATION;
        if !complete && (self.raw.len() < 4 || may_declare(&self.raw) && !declared(&self.raw)) {
            return false;
        }
        let (encoding, skip) = match self.raw.as_slice() {
            [0xFE, 0xFF, ..] => (Ok(Encoding::Utf16 { big: true }), 2),
            [0xFF, 0xFE, ..] => (Ok(Encoding::Utf16 { big: false }), 2),
            [0, b'<', 0, _, ..] => (Ok(Encoding::Utf16 { big: true }), 0),
            [b'<', 0, _, 0, ..] => (Ok(Encoding::Utf16 { big: false }), 0),
            [0xEF, 0xBB, 0xBF, ..] => (Ok(Encoding::Utf8), 0),
            bytes => (named(bytes), 0),
        };
        self.raw.drain(..skip);
        match encoding {
            Ok(encoding) => self.encoding = Some(encoding),
            Err(message) => {
                self.encoding = Some(Encoding::Utf8);
                self.problem = Some(message);
            }
        }
        true
    }

    /// Decodes `raw` into `ready`.
    fn decode(&mut self, encoding: Encoding) {
        self.ready.clear();
        self.start = 0;
        match encoding {
            Encoding::Utf8 => std::mem::swap(&mut self.raw, &mut self.ready),
            Encoding::Utf16 { big } => self.decode_utf16(big),
            Encoding::Latin1 => self.decode_bytes("ISO-8859-1", |b| Some(char::from(b))),
            Encoding::Ascii => {
                self.decode_bytes("US-ASCII", |b| b.is_ascii().then(|| char::from(b)));
            }
            Encoding::Windows => self.decode_bytes("windows-1252", |b| match b {
                0x80..=0x9F => WINDOWS[usize::from(b - 0x80)],
                _ => Some(char::from(b)),
            }),
        }
    }

    fn decode_bytes(&mut self, name: &str, character: impl Fn(u8) -> Option<char>) {
        for byte in self.raw.drain(..) {
            match character(byte) {
                Some(c) => push(&mut self.ready, c),
                None => {
                    let message = format!("byte that is not {name}, expected text in {name}");
                    self.problem = Some(message);
                    return;
                }
            }
        }
    }

    /// Decodes whole units; half a pair waits for the next bytes.
    fn decode_utf16(&mut self, big: bool) {
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
        };
        let units: Vec<u16> = self.raw.chunks_exact(2).map(unit).collect();
        let mut used = 0;
        for decoded in char::decode_utf16(units.iter().copied()) {
            match decoded {
                Ok(c) => {
                    push(&mut self.ready, c);
                    used += c.len_utf16();
                }
                Err(e) => {
                    let high = (0xD800..0xDC00).contains(&e.unpaired_surrogate());
                    let waits = high && used + 1 == units.len() && !self.ended;
                    if !waits {
                        self.problem = Some("half a character, expected text in UTF-16".to_owned());
                    }
                    break;
                }
            }
        }
        self.raw.drain(..2 * used);
        if self.ended && self.raw.len() == 1 && self.problem.is_none() {
            self.problem = Some("half a character, expected text in UTF-16".to_owned());
        }
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.start < self.ready.len() {
                let n = (self.ready.len() - self.start).min(out.len());
                out[..n].copy_from_slice(&self.ready[self.start..self.start + n]);
                self.start += n;
                return Ok(n);
            }
            if let Some(problem) = &self.problem {
                return Err(io::Error::other(problem.clone()));
            }
            match self.encoding {
                Some(Encoding::Utf8) if self.raw.is_empty() => return self.inner.read(out),
                Some(_) if self.ended => return Ok(0),
                Some(encoding) => {
                    self.read_more(CHUNK)?;
                    self.decode(encoding);
                }
                None => {
                    self.read_more(DECLARATION)?;
                    if self.detect() && self.problem.is_none() {
                        self.decode(self.encoding.unwrap_or(Encoding::Utf8));
                    }
                }
            }
        }
    }
}

fn push(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Whether the bytes may be the beginning of an XML declaration in a superset of ASCII.
fn may_declare(bytes: &[u8]) -> bool {
    let start = b"<?xml";
    let n = bytes.len().min(start.len());
    bytes[..n] == start[..n]
}

/// Whether the XML declaration is complete.
fn declared(bytes: &[u8]) -> bool {
    bytes.windows(2).any(|pair| pair == b"?>")
}

/// The encoding that an XML declaration names; UTF-8 if there is none.
fn named(bytes: &[u8]) -> Result<Encoding, String> {
    if !may_declare(bytes) {
        return Ok(Encoding::Utf8);
    }
    let end = bytes.windows(2).position(|pair| pair == b"?>").unwrap_or(0);
    let declaration = String::from_utf8_lossy(&bytes[..end]);
    let Some((_, rest)) = declaration.split_once("encoding") else { return Ok(Encoding::Utf8) };
    let name = rest.trim_start_matches([' ', '\t', '\r', '\n', '=', '"', '\'']);
    let name = name.split(['"', '\'', ' ']).next().unwrap_or_default();
    Ok(match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Encoding::Utf8,
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" => Encoding::Latin1,
        "windows-1252" | "cp1252" => Encoding::Windows,
        "us-ascii" | "ascii" => Encoding::Ascii,
        "utf-16" | "utf-16be" | "utf-16le" => {
            return Err(format!("the file says that it is in {name}, but it is not"));
        }
        _ => {
            return Err(format!(
                "encoding \"{name}\" is not read, expected UTF-8, UTF-16, ISO-8859-1, \
                 windows-1252 or US-ASCII"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that hands out one byte at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.0.len().min(out.len()).min(1);
            out[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    /// The text before the first error, and the error.
    fn decoded(bytes: &[u8]) -> (String, Option<String>) {
        let read = |input: &mut dyn Read| {
            let mut text = Vec::new();
            let mut decoder = Decoder::new(input);
            let error = decoder.read_to_end(&mut text).err().map(|e| e.to_string());
            (String::from_utf8(text).expect("UTF-8"), error)
        };
        let whole = read(&mut { bytes });
        assert_eq!(read(&mut Drip(bytes)), whole);
        whole
    }

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        let bytes = |u: u16| if big { u.to_be_bytes() } else { u.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn all_encodings_give_the_same_text() {
        let long = "größe ".repeat(5_000);
        for name in ["ISO-8859-1", "latin1", "windows-1252"] {
            let text = format!("<?xml version='1.0' encoding=\"{name}\"?><a>{long}</a>");
            let bytes: Vec<u8> =
                text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
            assert_eq!(decoded(&bytes), (text, None));
        }
        let text = format!("<?xml version='1.0' encoding='UTF-16'?><a>{long}\u{1F600}</a>");
        for big in [false, true] {
            let plain = utf16(&text, big);
            assert_eq!(decoded(&plain), (text.clone(), None));
            let marked = [utf16("\u{FEFF}", big), plain].concat();
            assert_eq!(decoded(&marked), (text.clone(), None));
        }
        assert_eq!(decoded("<a>ä€</a>".as_bytes()), ("<a>ä€</a>".to_owned(), None));
    }

    #[test]
    fn windows_and_ascii() {
        let head = "<?xml version='1.0' encoding='windows-1252'?>";
        let (text, error) = decoded(&[head.as_bytes(), b"\x80\x9F\xE4\x81x"].concat());
        assert_eq!(text, format!("{head}\u{20AC}\u{178}\u{E4}"));
        assert_eq!(error.unwrap(), "byte that is not windows-1252, expected text in windows-1252");
        let head = "<?xml version='1.0' encoding='US-ASCII'?>";
        let (text, error) = decoded(&[head.as_bytes(), b"ab\xE4c"].concat());
        assert_eq!(text, format!("{head}ab"));
        assert_eq!(error.unwrap(), "byte that is not US-ASCII, expected text in US-ASCII");
    }

    #[test]
    fn broken_files() {
        let half = "half a character, expected text in UTF-16".to_owned();
        assert_eq!(decoded(b"\xFF\xFE<\0a"), ("<".to_owned(), Some(half.clone())));
        assert_eq!(decoded(b"\xFF\xFE<\0\0\xD8a\0"), ("<".to_owned(), Some(half.clone())));
        assert_eq!(decoded(b"\xFF\xFE<\0\0\xD8"), ("<".to_owned(), Some(half)));
        let (_, error) = decoded(b"<?xml version='1.0' encoding='UTF-16'?>");
        assert_eq!(error.unwrap(), "the file says that it is in UTF-16, but it is not");
        let (_, error) = decoded(b"<?xml version='1.0' encoding='EBCDIC'?>");
        assert!(error.unwrap().starts_with("encoding \"EBCDIC\" is not read, expected UTF-8"));
        assert_eq!(decoded(b""), (String::new(), None));
        assert_eq!(decoded(b"<?xml"), ("<?xml".to_owned(), None));
    }
}
