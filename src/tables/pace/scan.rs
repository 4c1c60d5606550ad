//! The scanner of a pace, which cuts a line into tokens: times of day, lengths of time, words, zones;
//! and the faults of a line.

use std::ops::Range;

use chrono_tz::{TZ_VARIANTS, Tz};
use serde::Serialize;
use strum::VariantNames;

use crate::pace::day::NoDate;
use crate::pace::length::{Length, counted_at, length_at};
use crate::pace::words::DayPart;
use crate::pace::words::{PaceMeaning, Unit, WORDS, zone, zones_by_city};
use crate::pace::{PaceWord, SaidTime};
use crate::time::Span;
use crate::vocabulary::count_at;
use crate::vocabulary::{nearest, quote};
use crate::{CalendarDate, Dates, Quiet, Weekdays};
use rules::text::Folded;

/// The reference point of a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Plain,
    /// Before a deadline.
    Before,
    /// After a close.
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Time(SaidTime),
    Hours(Quiet),
    Length(Length, Counted),
    Days(Weekdays),
    Dates(Dates),
    Zone(Tz),
    Word(PaceWord),
}

impl TokenKind {
    /// Returns the token of a word.
    fn of(word: PaceWord) -> Self {
        let time = word.time().map(Self::Time);
        time.or(word.days().map(Self::Days)).unwrap_or(Self::Word(word))
    }
}

/// A token of the line.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The range of its folded characters.
    span: Range<usize>,
    /// True if a separator comes before the token.
    pub(super) apart: bool,
}

/// The tokens of a line.
#[derive(Debug)]
pub(super) struct Scan<'t> {
    text: Folded<'t>,
    pub(super) tokens: Vec<Token>,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, PaceFault> {
        let text = Folded::new(text);
        let mut scan = Self { text, tokens: Vec::new() };
        let (mut at, mut apart) = (0, true);
        while let Some(c) = scan.text.char(at) {
            if is_between(c) {
                (at, apart) = (at + 1, true);
                continue;
            }
            let (kind, end) = scan.piece_at(at).map_err(|fault| scan.of_outage(fault))?;
            if let Some(kind) = kind {
                scan.tokens.push(Token { kind, span: at..end, apart });
                apart = false;
            }
            at = end;
        }
        scan.tokens = join(std::mem::take(&mut scan.tokens));
        Ok(scan)
    }

    /// Adds the words for outages to the fault of an unknown word after the word for an outage.
    fn of_outage(&self, fault: PaceFault) -> PaceFault {
        let outage =
            self.tokens.last().is_some_and(|last| last.kind == TokenKind::Word(PaceWord::Outage));
        match fault {
            PaceFault::Unknown { said: number, nearest } if outage && nearest.is_empty() => {
                PaceFault::Unknown { nearest: WORDS.of_outage(&number), said: number }
            }
            fault => fault,
        }
    }

    /// Returns a token as it was typed.
    pub(super) fn quoted(&self, token: usize) -> String {
        self.tokens.get(token).map_or_else(String::new, |token| self.quote(token.span.clone()))
    }

    fn quote(&self, span: Range<usize>) -> String {
        quote(self.text.piece(span))
    }

    /// Parses the token here and returns its end, `None` for a word without meaning.
    fn piece_at(&self, at: usize) -> Result<(Option<TokenKind>, usize), PaceFault> {
        if let Some((date, end)) = self.date_at(at) {
            let none = |NoDate| PaceFault::NoSuchDay { said: self.quote(at..end) };
            let date = date.map_err(none)?;
            return Ok((Some(TokenKind::Dates(Dates::one(date))), end));
        }
        if self.digit(at).is_some() {
            let (kind, end) = self.number_at(at)?;
            return Ok((Some(kind), end));
        }
        let name_ends = self.skip(at, is_of_zone);
        let name: String = self.text.chars()[at..name_ends].iter().collect();
        if let Some(zone) = zone(&name) {
            return Ok((Some(TokenKind::Zone(zone)), name_ends));
        }
        match WORDS.words.at(&self.text, at) {
            Some((PaceMeaning::Noise, end)) => Ok((None, end)),
            Some((PaceMeaning::Zone(zone), end)) => Ok((Some(TokenKind::Zone(zone)), end)),
            Some((PaceMeaning::Word(word), end)) => match (TokenKind::of(word), word.day_part()) {
                (TokenKind::Word(_), Some(part)) => {
                    let digits = self.skip(end, char::is_whitespace);
                    match self.time_at(digits, Some(part)) {
                        Some((time, end)) => Ok((Some(TokenKind::Time(time?)), end)),
                        None => Err(PaceFault::Incomplete { said: self.quote(at..end) }),
                    }
                }
                (token, _) => Ok((Some(token), end)),
            },
            None if name.contains('/') => Err(PaceFault::UnknownZone {
                said: self.quote(at..name_ends),
                nearest: nearest_zones(&name),
            }),
            None => Err(self.unknown(at)),
        }
    }

    /// Parses the date here; after a date and a word for "to", a day of the same month.
    fn date_at(&self, at: usize) -> Option<(Result<CalendarDate, NoDate>, usize)> {
        CalendarDate::at(&self.text, at).or_else(|| match self.tokens.as_slice() {
            [.., Token { kind: TokenKind::Dates(dates), .. }, joint]
                if joint.kind == TokenKind::Word(PaceWord::To) =>
            {
                dates.to.same_month_at(&self.text, at).map(|(date, end)| (Ok(date), end))
            }
            _ => None,
        })
    }

    /// Parses a number as a time of day or a length of time.
    fn number_at(&self, at: usize) -> Result<(TokenKind, usize), PaceFault> {
        if let Some((length, end)) = length_at(&self.text, at) {
            return Ok((TokenKind::Length(length, Counted::Plain), end));
        }
        match self.time_at(at, self.part_before()) {
            Some((time, end)) => Ok((TokenKind::Time(time?), end)),
            // A word may begin with a number.
            None => match WORDS.words.at(&self.text, at) {
                Some((PaceMeaning::Word(word), end)) => Ok((TokenKind::Word(word), end)),
                _ => Err(self.unknown(at)),
            },
        }
    }

    /// Returns the part of the day for a time here: night after a word for every night and its times.
    fn part_before(&self) -> Option<DayPart> {
        let is_of_it = |kind: TokenKind| {
            matches!(kind, TokenKind::Time(_) | TokenKind::Word(PaceWord::Deadline))
        };
        let before = self.tokens.iter().rev().find(|token| !is_of_it(token.kind))?;
        let is_nightly = self.is_word(before.span.start, PaceWord::Nightly).is_some();
        is_nightly.then_some(DayPart::Night)
    }

    /// Parses the part of the day after this hour, and returns its end. A word for every night is parsed
    /// again for its own meaning.
    fn part_behind(&self, at: usize, hour: u32) -> Option<(DayPart, usize)> {
        let (PaceMeaning::Word(word), end) = WORDS.words.at(&self.text, at)? else {
            return None;
        };
        let part = word.day_part()?;
        let is_of_next = self.digit(self.skip(end, char::is_whitespace)).is_some();
        match word {
            PaceWord::Am | PaceWord::Pm => Some((part, end)),
            // `12 noon` is one time; `9 noon` is two: nine o'clock, and noon.
            PaceWord::Noon | PaceWord::Midnight => part.hour(hour).map(|_| (part, end)),
            _ if is_of_next => None,
            PaceWord::Nightly => Some((part, 0)),
            _ => Some((part, end)),
        }
    }

    /// Parses a time of day and returns its end. The inner fault means that no clock shows it.
    fn time_at(
        &self,
        at: usize,
        before: Option<DayPart>,
    ) -> Option<(Result<SaidTime, PaceFault>, usize)> {
        let number = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
        let (hour, digits) = count_at(&self.text, at)?;
        let hour = number(hour);
        let (mut minute, mut end) = (0, digits);
        let mut is_time = before.is_some();
        if self.text.char(digits) == Some(':') {
            (minute, end) =
                count_at(&self.text, digits + 1).filter(|(_, end)| *end == digits + 3)?;
            is_time = true;
        } else if let Some(behind) =
            self.is_word(self.skip(digits, char::is_whitespace), PaceWord::OClock)
        {
            (end, is_time) = (behind, true);
            if let Some(behind) = self.is_word(end, PaceWord::Half) {
                (minute, end) = (30, behind);
            } else if let Some((count, Unit::Minute, behind)) = counted_at(&self.text, end) {
                (minute, end) = (count, behind);
            }
        }
        let mut part = before;
        if part.is_none()
            && let behind = self.skip(end, char::is_whitespace)
            && let Some((of_day, behind)) = self.part_behind(behind, hour)
        {
            (part, end, is_time) = (Some(of_day), end.max(behind), true);
        }
        // An hour outside of its part of the day is a fault.
        let hour = part.map_or(Some(hour), |part| part.hour(hour));
        let time = hour.and_then(|hour| SaidTime::new(hour, number(minute)));
        let time = time.ok_or_else(|| PaceFault::TimeOutOfRange { said: self.quote(at..end) });
        is_time.then_some((time, end))
    }

    /// Returns the end of this word, if it is here.
    fn is_word(&self, at: usize, word: PaceWord) -> Option<usize> {
        let (found, end) = WORDS.words.at(&self.text, at)?;
        (found == PaceMeaning::Word(word)).then_some(end)
    }

    fn digit(&self, at: usize) -> Option<u32> {
        self.text.char(at)?.to_digit(10)
    }

    fn skip(&self, mut at: usize, is: impl Fn(char) -> bool) -> usize {
        while self.text.char(at).is_some_and(&is) {
            at += 1;
        }
        at
    }

    /// Returns the fault for the unknown word here. In Japanese, which has no spaces, it ends at the next
    /// known word.
    fn unknown(&self, at: usize) -> PaceFault {
        let latin = self.text.char(at).is_some_and(|c| c.is_ascii());
        let goes_on = |at: usize| {
            let Some(c) = self.text.char(at).filter(|c| !is_between(*c)) else { return false };
            let known = || {
                let word = WORDS.words.at(&self.text, at);
                word.is_some_and(|(_, end)| end > at + 1)
            };
            if latin { c.is_ascii() } else { !c.is_ascii() && !known() }
        };
        let end = (at + 1..self.text.len()).find(|at| !goes_on(*at)).unwrap_or(self.text.len());
        let quoted = self.quote(at..end);
        PaceFault::Unknown { nearest: WORDS.nearest(&quoted), said: quoted }
    }
}

/// True for a character that may separate the tokens of a line.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, ',' | ';' | '.' | ':' | '(' | ')' | '[' | ']')
        || matches!(c, '、' | '。' | '・' | '「' | '」' | '|')
}

fn is_of_zone(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '+' | '-')
}

/// Joins tokens that belong together: a range of times, days or dates, and a length with its reference point.
fn join(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let (last, next) = (joined.last(), rest.peek());
        let last_kind = last.map(|last| last.kind);
        let next_kind = next.map(|next| next.kind);
        let (kind, ends) = match (last_kind, token.kind, next_kind) {
            (
                Some(TokenKind::Time(from)),
                TokenKind::Word(PaceWord::To),
                Some(TokenKind::Time(to)),
            ) => (Some(TokenKind::Hours(Quiet { from: from.time, to: to.time })), true),
            (
                Some(TokenKind::Days(from)),
                TokenKind::Word(PaceWord::To),
                Some(TokenKind::Days(to)),
            ) => (from.to(to).map(TokenKind::Days), true),
            (
                Some(TokenKind::Dates(from)),
                TokenKind::Word(PaceWord::To),
                Some(TokenKind::Dates(to)),
            ) => (Some(TokenKind::Dates(from.up_to(to))), true),
            (
                Some(TokenKind::Length(length, Counted::Plain)),
                TokenKind::Word(PaceWord::Before),
                _,
            ) => (Some(TokenKind::Length(length, Counted::Before)), false),
            (
                Some(TokenKind::Length(length, Counted::Plain)),
                TokenKind::Word(PaceWord::After),
                next,
            ) if !token.apart || !matches!(next, Some(TokenKind::Length(..))) => {
                (Some(TokenKind::Length(length, Counted::After)), false)
            }
            (
                _,
                TokenKind::Word(PaceWord::After),
                Some(TokenKind::Length(length, Counted::Plain)),
            ) => {
                let end = rest.next().map_or(token.span.end, |next| next.span.end);
                let kind = TokenKind::Length(length, Counted::After);
                joined.push(Token { kind, span: token.span.start..end, apart: token.apart });
                continue;
            }
            _ => (None, false),
        };
        let consumed = if ends && kind.is_some() { rest.next() } else { None };
        match (kind, joined.last_mut()) {
            (Some(kind), Some(last)) => {
                last.kind = kind;
                last.span.end = consumed.map_or(token.span.end, |next| next.span.end);
            }
            // A dash that joins nothing separates two tokens.
            _ if token.kind == TokenKind::Word(PaceWord::To) => {
                if let Some(next) = rest.peek_mut() {
                    next.apart = true;
                }
            }
            _ => joined.push(token),
        }
    }
    joined
}

/// Returns the names of the most similar zones, best first.
fn nearest_zones(input: &str) -> Vec<String> {
    let names = TZ_VARIANTS.iter().map(|zone| (zone.name().to_lowercase(), zone.name()));
    nearest(input, names.chain(zones_by_city()))
}

/// The reason why a line is not a pace. It quotes the input as typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PaceFault {
    /// An unknown word.
    Unknown {
        said: String,
        /// Similar words, best first.
        nearest: Vec<String>,
    },
    /// A word without its value, such as "quiet" without hours.
    Incomplete { said: String },
    /// A time of day that no clock shows.
    TimeOutOfRange { said: String },
    /// A time on the day after the named one, among other times on the named day.
    OfNextDay { said: String },
    /// The line gives no closing times.
    NoRhythm,
    /// A setting given twice.
    Twice {
        /// The second value.
        said: String,
    },
    /// A period too short for a declaration.
    TooShort { said: Span, least: Span },
    /// A length of time above the maximum.
    TooLong { said: Span, most: Span },
    /// A reminder before the opening of the window.
    ReminderTooLong {
        /// The time of the reminder before the deadline.
        said: Span,
        /// The maximum length of a window.
        window: Span,
    },
    /// An unknown zone.
    UnknownZone {
        said: String,
        /// Similar names, best first.
        nearest: Vec<String>,
    },
    /// A date that no calendar has.
    NoSuchDay { said: String },
    /// Quiet hours with equal ends.
    NoQuietHours { said: String },
    /// A range of dates that ends before it begins.
    EndsBeforeItBegins { said: String },
    /// Days of the week that may be meant as closing days or as days off.
    CloseOrNot { said: String },
    /// A rhythm in which no window could close for too long.
    NoDayLeft { most: u32 },
}
