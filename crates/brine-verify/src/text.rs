//! The text of a certificate: lines of words, packed by gzip or not.
//!
//! Nothing is believed: a line has a largest length, a number must fit its type, and what is
//! missing is told with the number of the line. *Invariant:* what is kept of a line is bounded by
//! the line; whoever reads lists keeps nothing that is larger than the text.

use crate::Refusal;
use flate2::bufread::MultiGzDecoder;
use std::io::{BufRead, BufReader, Read};
use std::str::{FromStr, SplitAsciiWhitespace};

/// The longest line.
const LONGEST: u64 = 1 << 28;
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The lines of a certificate, one after the other.
pub(crate) struct Lines<'r> {
    reader: Box<dyn BufRead + 'r>,
    number: u64,
    line: Vec<u8>,
}

impl<'r> Lines<'r> {
    /// The text behind a reader, unpacked if it is packed.
    pub(crate) fn new(input: impl Read + 'r) -> Result<Self, Refusal> {
        let mut plain = BufReader::with_capacity(1 << 16, input);
        let start = plain.fill_buf().map_err(|e| unreadable(0, &e))?;
        let reader: Box<dyn BufRead> = match start.starts_with(&GZIP) {
            true => Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(plain))),
            false => Box::new(plain),
        };
        Ok(Lines { reader, number: 0, line: Vec::new() })
    }

    /// Goes on to the next line; whether there is one.
    pub(crate) fn advance(&mut self) -> Result<bool, Refusal> {
        self.line.clear();
        self.number += 1;
        let mut limited = Read::take(&mut self.reader, LONGEST);
        let read = limited.read_until(b'\n', &mut self.line);
        let read = read.map_err(|e| unreadable(self.number, &e))?;
        if read == 0 {
            return Ok(false);
        }
        match self.line.pop() {
            Some(b'\n') => Ok(true),
            _ => Err(unreadable(self.number, &"the file ends in the middle of a line")),
        }
    }

    /// The number of the line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The words of the line.
    pub(crate) fn words(&self) -> Result<Words<'_>, Refusal> {
        let text = std::str::from_utf8(&self.line);
        let text = text.map_err(|_| unreadable(self.number, &"this is no text"))?;
        Ok(Words { words: text.split_ascii_whitespace(), line: self.number })
    }
}

pub(crate) fn unreadable(line: u64, what: &dyn ToString) -> Refusal {
    Refusal::Unreadable { line, message: what.to_string() }
}

/// The words of one line.
#[derive(Clone)]
pub(crate) struct Words<'l> {
    words: SplitAsciiWhitespace<'l>,
    line: u64,
}

impl<'l> Words<'l> {
    /// The next word, if there is one.
    pub(crate) fn next(&mut self) -> Option<&'l str> {
        self.words.next()
    }

    /// The next word.
    pub(crate) fn word(&mut self, expected: &str) -> Result<&'l str, Refusal> {
        self.next().ok_or_else(|| self.missing(expected))
    }

    /// The next word as a number.
    pub(crate) fn number<T: FromStr>(&mut self, expected: &str) -> Result<T, Refusal> {
        let word = self.word(expected)?;
        self.parse(word, expected)
    }

    /// All words that are left, as numbers.
    pub(crate) fn numbers<T: FromStr>(&mut self, expected: &str) -> Result<Vec<T>, Refusal> {
        let mut all = Vec::new();
        while let Some(word) = self.next() {
            all.push(self.parse(word, expected)?);
        }
        Ok(all)
    }

    /// All words that are left, as pairs `A:B`.
    pub(crate) fn pairs<A: FromStr, B: FromStr>(
        &mut self,
        expected: &str,
    ) -> Result<Vec<(A, B)>, Refusal> {
        let mut all = Vec::new();
        while let Some(word) = self.next() {
            let (a, b) = word.split_once(':').ok_or_else(|| self.missing(expected))?;
            all.push((self.parse(a, expected)?, self.parse(b, expected)?));
        }
        Ok(all)
    }

    /// Nothing is left.
    pub(crate) fn end(&mut self) -> Result<(), Refusal> {
        match self.next() {
            None => Ok(()),
            Some(word) => {
                Err(unreadable(self.line, &format!("\"{word}\", expected the line's end")))
            }
        }
    }

    pub(crate) fn parse<T: FromStr>(&self, word: &str, expected: &str) -> Result<T, Refusal> {
        word.parse().map_err(|_| unreadable(self.line, &format!("\"{word}\", expected {expected}")))
    }

    pub(crate) fn missing(&self, expected: &str) -> Refusal {
        unreadable(self.line, &format!("expected {expected}"))
    }
}
