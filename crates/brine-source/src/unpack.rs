//! gzip, told by its first two bytes, and the limits of what it may expand to.
//!
//! A meter counts the bytes that go into the decoder and those that come out. Two limits stop
//! a stream: the memory budget, because what is read becomes a model of about that size; and
//! the ratio, because a document that expands [`MOST_TIMES`] times is none (the contest's
//! expand 10 to 30 times; gzip can do 1,000). The ratio counts only after [`FREE`] bytes, so
//! small repetitive files are left alone. Work is therefore bounded by the size of the file.
//! Data that is not compressed is as large as it is and is not measured.

use std::cell::Cell;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use flate2::bufread::MultiGzDecoder;

use crate::SourceError;

/// Most bytes out for a byte in.
pub(crate) const MOST_TIMES: u64 = 250;
/// So many bytes may come out of anything.
pub(crate) const FREE: u64 = 64 << 20;

const GZIP: [u8; 2] = [0x1F, 0x8B];
/// How much of a stream is looked at before it is read: a header of tar.
pub(crate) const BLOCK: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Ratio,
    Memory(u64),
}

/// Counts, and remembers which limit was met.
#[derive(Debug)]
pub(crate) struct UnpackMeter {
    memory: Option<u64>,
    packed: Cell<u64>,
    unpacked: Cell<u64>,
    met: Cell<Option<Limit>>,
}

impl UnpackMeter {
    pub(crate) fn new(memory: Option<u64>) -> Self {
        UnpackMeter { memory, packed: Cell::new(0), unpacked: Cell::new(0), met: Cell::new(None) }
    }

    fn expanded(&self, bytes: usize) -> io::Result<()> {
        let unpacked = self.unpacked.get() + bytes as u64;
        self.unpacked.set(unpacked);
        let ratio = unpacked > FREE && unpacked / MOST_TIMES > self.packed.get();
        let memory = self.memory.filter(|&memory| unpacked > memory).map(Limit::Memory);
        let Some(limit) = ratio.then_some(Limit::Ratio).or(memory) else { return Ok(()) };
        self.met.set(Some(limit));
        Err(io::Error::other("expands to too much"))
    }

    /// The error for the limit that was met.
    pub(crate) fn exceeded(&self, file: &str) -> Option<SourceError> {
        let file = file.to_owned();
        Some(match self.met.get()? {
            Limit::Ratio => {
                let message = format!(
                    "expands to more than {MOST_TIMES} times its size ({} bytes to {} so far), \
                     expected a model and not an archive bomb",
                    self.packed.get(),
                    self.unpacked.get()
                );
                SourceError::Unusable { file, message }
            }
            Limit::Memory(bytes) => {
                let mib = bytes >> 20;
                let message =
                    format!("expands to more than the memory budget of {mib} MiB (see --memory)");
                SourceError::TooLarge { file, message }
            }
        })
    }
}

/// A stream with its first bytes, which have been looked at.
pub(crate) struct Unpacked<'r> {
    first: Cursor<Vec<u8>>,
    rest: Box<dyn Read + 'r>,
}

impl Unpacked<'_> {
    /// The first [`BLOCK`] bytes, or all if there are fewer.
    pub(crate) fn first(&self) -> &[u8] {
        self.first.get_ref()
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.first.read(buffer)? {
            0 => self.rest.read(buffer),
            n => Ok(n),
        }
    }
}

/// Looks at the first bytes and decompresses what is gzip.
pub(crate) fn unpack<'r>(
    mut input: impl Read + 'r,
    meter: &Rc<UnpackMeter>,
) -> io::Result<Unpacked<'r>> {
    let first = peek(&mut input)?;
    if !first.starts_with(&GZIP) {
        return Ok(Unpacked { first: Cursor::new(first), rest: Box::new(input) });
    }
    let whole = Counted { inner: Cursor::new(first).chain(input), meter: meter.clone() };
    let decoder = MultiGzDecoder::new(BufReader::new(whole));
    let mut rest = Measured { decoder, meter: meter.clone() };
    // What is wrong with the first block is for the reader to find, where it stands.
    let first = match peek(&mut rest) {
        Ok(first) => first,
        Err(e) => {
            return Ok(Unpacked { first: Cursor::default(), rest: Box::new(Broken(Some(e))) });
        }
    };
    Ok(Unpacked { first: Cursor::new(first), rest: Box::new(rest) })
}

fn peek(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(BLOCK);
    input.take(BLOCK as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// Counts what goes into the decoder.
struct Counted<R> {
    inner: R,
    meter: Rc<UnpackMeter>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.meter.packed.set(self.meter.packed.get() + n as u64);
        Ok(n)
    }
}

/// Counts what comes out of the decoder.
struct Measured<R> {
    decoder: MultiGzDecoder<BufReader<Counted<R>>>,
    meter: Rc<UnpackMeter>,
}

impl<R: Read> Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = match self.decoder.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => {
                let message = "the compressed data ends too early, expected a whole gzip file";
                return Err(io::Error::other(message));
            }
            Err(e) if e.kind() != io::ErrorKind::Interrupted => {
                let message = format!("damaged gzip data ({e}), expected a whole gzip file");
                return Err(io::Error::other(message));
            }
            result => result?,
        };
        self.meter.expanded(n)?;
        Ok(n)
    }
}

/// A stream that fails.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
