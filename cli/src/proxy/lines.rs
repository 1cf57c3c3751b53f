//! A byte stream → messages, one a line, each within a bound. What is longer is skipped and said; a line without its end is no
//! message. Knows no JSON.

use std::io::{self, BufRead};

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, its end included.
    Whole,
    /// A line of more bytes than the bound; it was skipped.
    TooLong,
    /// The stream ended inside a line.
    Half,
    /// The stream ended.
    End,
}

/// Reads the next line into `line`.
pub fn next(reader: &mut impl BufRead, line: &mut Vec<u8>, bound: usize) -> io::Result<Line> {
    line.clear();
    let mut skipped = false;
    loop {
        let available = match reader.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(if line.is_empty() && !skipped { Line::End } else { Line::Half });
        }
        let (part, ended) = match available.iter().position(|byte| *byte == b'\n') {
            Some(at) => (&available[..=at], true),
            None => (available, false),
        };
        let used = part.len();
        if skipped || line.len() + used > bound {
            skipped = true;
            line.clear();
            line.shrink_to(1 << 16);
        } else {
            line.extend_from_slice(part);
        }
        reader.consume(used);
        if ended {
            return Ok(if skipped { Line::TooLong } else { Line::Whole });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_bounded_and_ended() {
        let mut reader = io::BufReader::with_capacity(3, &b"ab\n\n123456789\nxy"[..]);
        let mut line = Vec::new();
        let mut read = || (next(&mut reader, &mut line, 5).expect("bytes"), line.clone());
        assert_eq!(read(), (Line::Whole, b"ab\n".to_vec()));
        assert_eq!(read(), (Line::Whole, b"\n".to_vec()));
        assert_eq!(read(), (Line::TooLong, vec![]));
        assert_eq!(read().0, Line::Half);
        assert_eq!(read().0, Line::End);
    }
}
