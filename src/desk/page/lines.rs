//! The distinct lines of a page: steps and seats share most of their lines.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

/// The lines and their numbers.
#[derive(Debug, Default)]
pub(super) struct NumberedLines {
    lines: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NumberedLines {
    /// Stores the lines of a text, and returns their numbers. Empty lines and indents are left out.
    pub(super) fn add(&mut self, text: &str) -> Vec<usize> {
        let lines = text.lines().map(|line| line.trim_start_matches([' ', '\t']));
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.into_iter().map(|line| self.number(line)).collect()
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.numbers.get(line) {
            return *number;
        }
        let number = self.lines.len();
        self.lines.push(line.to_owned());
        self.numbers.insert(line.to_owned(), number);
        number
    }
}

impl Serialize for NumberedLines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.lines.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::NumberedLines;

    #[test]
    fn a_line_is_kept_once() {
        let mut lines = NumberedLines::default();
        assert_eq!(lines.add("<a>\n  <b>\n\n<a>\n"), [0, 1, 0]);
        assert_eq!(lines.add("<b>\n\u{3000}c"), [1, 2]);
        assert_eq!(serde_json::to_string(&lines).unwrap(), "[\"<a>\",\"<b>\",\"\u{3000}c\"]");
    }
}
