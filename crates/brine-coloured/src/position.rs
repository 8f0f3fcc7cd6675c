//! Positions in files: where a part of a net was written.

use std::fmt;

/// A place in a text file. Lines and columns count from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The first character of a file.
    pub const START: Position = Position { line: 1, column: 1 };

    /// The position after `bytes`, if they start here.
    ///
    /// ```
    /// use brine_coloured::Position;
    /// let p = Position::START.after("größe\nab".as_bytes());
    /// assert_eq!(p, Position { line: 2, column: 3 });
    /// ```
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Position {
        let to_u32 = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (line, column, rest) = match bytes.iter().rposition(|&b| b == b'\n') {
            None => (self.line, self.column, bytes),
            Some(last) => {
                let lines = bytes[..=last].iter().filter(|&&b| b == b'\n').count();
                (self.line.saturating_add(to_u32(lines)), 1, &bytes[last + 1..])
            }
        };
        // A character starts at every byte that is not a UTF-8 continuation byte.
        let characters = rest.iter().filter(|&&b| b & 0xC0 != 0x80).count();
        Position { line, column: column.saturating_add(to_u32(characters)) }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
