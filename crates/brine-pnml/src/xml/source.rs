//! A buffered byte source that checks UTF-8, counts lines and columns, and limits tokens.
//!
//! Invariant: `position` is the position of `buffer[start]`, the next byte to be
//! consumed, and `buffer[start..valid]` is whole UTF-8 characters. Bytes beyond `valid`
//! are the beginning of a character that the next read completes. When the input turns
//! out not to be UTF-8, everything before the bad byte is handed out first, so the
//! position of the error is the position of the bad byte.

use std::io::{self, BufRead, Read};

use super::Position;
use super::encoding::Decoder;

const BUFFER: usize = 1 << 16;

/// Largest single token (one tag, one text, one comment) that is read.
pub(super) const MAX_TOKEN: usize = 64 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// See the module's head.
#[derive(Debug)]
pub(super) struct XmlSource<R> {
    inner: Decoder<R>,
    buffer: Box<[u8]>,
    start: usize,
    valid: usize,
    end: usize,
    position: Position,
    /// Bytes consumed since the current token began.
    token: usize,
    at_start: bool,
    ended: bool,
    bad: bool,
}

impl<R: Read> XmlSource<R> {
    pub(super) fn new(inner: R) -> Self {
        XmlSource {
            inner: Decoder::new(inner),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            start: 0,
            valid: 0,
            end: 0,
            position: Position::START,
            token: 0,
            at_start: true,
            ended: false,
            bad: false,
        }
    }

    /// Says that a new token starts here.
    pub(super) fn start_token(&mut self) {
        self.token = 0;
    }

    /// Reads until at least one whole character is there, the input ends, or it is bad.
    fn refill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.valid..self.end, 0);
        self.end -= self.valid;
        self.start = 0;
        self.valid = 0;
        while self.valid == 0 && !self.bad && !self.ended {
            let read = match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(read) => read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            self.ended = read == 0;
            self.end += read;
            if self.at_start {
                self.skip_byte_order_mark();
            } else {
                self.validate();
            }
        }
        Ok(())
    }

    /// Drops the mark once the first bytes are complete.
    fn skip_byte_order_mark(&mut self) {
        let complete = self.ended || self.end >= BYTE_ORDER_MARK.len();
        if !complete && BYTE_ORDER_MARK.starts_with(&self.buffer[..self.end]) {
            return;
        }
        if self.buffer[..self.end].starts_with(BYTE_ORDER_MARK) {
            self.buffer.copy_within(BYTE_ORDER_MARK.len()..self.end, 0);
            self.end -= BYTE_ORDER_MARK.len();
        }
        self.at_start = false;
        self.validate();
    }

    fn validate(&mut self) {
        match std::str::from_utf8(&self.buffer[..self.end]) {
            Ok(_) => self.valid = self.end,
            Err(e) => {
                self.valid = e.valid_up_to();
                self.bad = e.error_len().is_some() || self.ended;
            }
        }
    }
}

impl<R> XmlSource<R> {
    /// The position of the next byte.
    pub(super) fn position(&self) -> Position {
        self.position
    }
}

impl<R: Read> Read for XmlSource<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(out.len());
        out[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for XmlSource<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.valid {
            if self.token > MAX_TOKEN {
                return Err(io::Error::other(format!(
                    "this markup is longer than {} MiB, expected smaller pieces",
                    MAX_TOKEN >> 20
                )));
            }
            if self.bad {
                return Err(io::Error::other("byte that is not UTF-8, expected text in UTF-8"));
            }
            self.refill()?;
            if self.bad && self.start == self.valid {
                return self.fill_buf();
            }
        }
        Ok(&self.buffer[self.start..self.valid])
    }

    fn consume(&mut self, amount: usize) {
        let end = (self.start + amount).min(self.valid);
        self.position = self.position.after(&self.buffer[self.start..end]);
        self.token += end - self.start;
        self.start = end;
    }
}
