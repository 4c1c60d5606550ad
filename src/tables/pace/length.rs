//! The parser of numbers and lengths of time.

use crate::pace::PaceWord;
use crate::pace::words::{PaceMeaning, Unit, WORDS};
use crate::time::{DAY, Span};
use crate::vocabulary::count_at;
use rules::text::Folded;

/// A length of time. Calendar days are separate: `3 days` may not be 72 hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Length {
    pub(super) days: i64,
    pub(super) rest: Span,
}

impl Length {
    /// Returns the total length, with 24 hours a day.
    pub(crate) fn span(self) -> Span {
        DAY * self.days + self.rest
    }

    fn add(&mut self, count: i64, unit: Unit) {
        let whole = unit.span();
        if whole >= DAY {
            self.days = self.days.saturating_add(count.saturating_mul(whole / DAY));
        } else {
            self.rest += whole * count;
        }
    }
}

/// Parses a number with the unit of time after it, and returns the end.
pub(super) fn counted_at(text: &Folded<'_>, at: usize) -> Option<(i64, Unit, usize)> {
    let (count, mut end) = count_at(text, at)?;
    while text.char(end).is_some_and(char::is_whitespace) {
        end += 1;
    }
    let (unit, end) = WORDS.units.at(text, end)?;
    Some((count, unit, end))
}

/// Parses a length of time, such as 1h30m, and returns its end: the units grow smaller, with no text between
/// them.
pub(crate) fn length_at(text: &Folded<'_>, at: usize) -> Option<(Length, usize)> {
    let mut length = Length::default();
    let mut end = at;
    let mut smallest: Option<Unit> = None;
    while let Some((count, unit, behind)) = counted_at(text, end)
        && smallest.is_none_or(|smallest| unit > smallest)
    {
        length.add(count, unit);
        (end, smallest) = (behind, Some(unit));
    }
    let unit = smallest?;
    let half = WORDS.words.at(text, end);
    if let Some((PaceMeaning::Word(PaceWord::Half), behind)) = half {
        length.rest += unit.span() / 2;
        end = behind;
    }
    Some((length, end))
}
