//! The parser of a pace in a line, in any order and either language.
//!
//! The word of a setting takes the value after it (`announce 22:00`), or else the value before it; if it is
//! attached to only one of the two, it takes that one. Times of day without such a word are deadlines, and a
//! length of time without one is the period.

use std::collections::BTreeMap;

use chrono_tz::Tz;

use crate::pace::scan::{Counted, Token};
use crate::pace::{ALLOWED_WITHIN, Length, PaceWord, SaidTime, Scan, TokenKind};
use crate::time::{DAY, Span};
use crate::{
    Announce, Every, ExceptedDays, KindPace, LastCall, OutageRule, Pace, PaceFault, Quiet, Tick,
    TimeOfDay, Weekdays,
};
use rules::WindowKind;

/// The shortest period.
const SHORTEST: Span = Span::seconds(10);

/// The longest length of time.
const LONGEST: Span = Span::days(60);

/// The period of a fast table.
const FAST: Span = Span::hours(2);

/// The period of a live table.
const LIVE: Span = Span::minutes(2);

impl Pace {
    /// Parses a pace from one line, such as `毎日21:00締切 22:00告知` or `fast 2h, no early`. Only the rhythm is
    /// required; the rest has the defaults of [`Pace::new`], in the default zone.
    pub fn read(text: &str, default_zone: Tz) -> Result<Self, PaceFault> {
        PaceReader::read(text)?.parts.pace(default_zone, None)
    }

    /// Parses a line with a pace, or with changes to `before`, such as `no early`.
    pub fn read_over(text: &str, before: &Self) -> Result<Self, PaceFault> {
        let reader = PaceReader::read(text)?;
        // Days off are taken from a rhythm, so the line must give one.
        let over = reader.days_off.is_none().then_some(before);
        reader.parts.pace(before.zone, over)
    }
}

impl<'t> PaceReader<'t> {
    fn read(text: &'t str) -> Result<Self, PaceFault> {
        let scan = Scan::new(text)?;
        let used = vec![false; scan.tokens.len()];
        let mut reader = PaceReader { scan, used, parts: PaceParts::default(), days_off: None };
        for token in 0..reader.scan.tokens.len() {
            if let TokenKind::Word(word) = reader.scan.tokens[token].kind
                && !reader.used[token]
            {
                reader.word(token, word)?;
            }
        }
        reader.rest()?;
        Ok(reader)
    }
}

struct PaceReader<'t> {
    scan: Scan<'t>,
    used: Vec<bool>,
    parts: PaceParts,
    /// The days of the week on which nothing closes, and the word that excepts them.
    days_off: Option<(Weekdays, usize)>,
}

impl PaceReader<'_> {
    fn kind(&self, token: usize) -> Option<TokenKind> {
        let free = self.used.get(token).is_some_and(|used| !used);
        free.then(|| self.scan.tokens[token].kind)
    }

    fn is(&self, token: usize, word: PaceWord) -> bool {
        self.kind(token) == Some(TokenKind::Word(word))
    }

    /// True if a token directly follows the one before it.
    fn is_onto(&self, token: usize) -> bool {
        self.scan.tokens.get(token).is_some_and(|token| !token.apart)
    }

    fn twice(&self, token: usize) -> PaceFault {
        PaceFault::Twice { said: self.scan.quoted(token) }
    }

    fn incomplete(&self, token: usize) -> PaceFault {
        PaceFault::Incomplete { said: self.scan.quoted(token) }
    }

    /// Takes the value of the word at this place, if there is one next to it.
    fn taken<T>(&mut self, at: usize, can: impl Fn(TokenKind) -> Option<T>) -> Option<T> {
        let arg = |token: usize| self.kind(token).and_then(&can);
        let behind =
            arg(at + 1).filter(|_| !self.is(at + 2, PaceWord::AtATime)).map(|it| (it, at + 1));
        let before = at.checked_sub(1).and_then(|before| arg(before).map(|it| (it, before)));
        let is_deadline = matches!(self.kind(at + 1), Some(TokenKind::Time(_)))
            && self.is(at + 2, PaceWord::Deadline);
        let written_onto = self.is_onto(at) && !self.is_onto(at + 1);
        let chosen = if behind.is_none() || written_onto || is_deadline {
            before.or(behind)
        } else {
            behind
        };
        let (it, token) = chosen?;
        self.used[token] = true;
        Some(it)
    }

    /// True if a word for none follows the word at this place.
    fn is_none(&mut self, at: usize) -> bool {
        let none = self.is(at + 1, PaceWord::None);
        if none {
            self.used[at + 1] = true;
        }
        none
    }

    fn word(&mut self, at: usize, word: PaceWord) -> Result<(), PaceFault> {
        match word {
            PaceWord::No => match self.kind(at + 1) {
                Some(TokenKind::Word(word)) if is_dispensable(word) => {
                    self.used[at + 1] = true;
                    self.without(at + 1, word)?;
                }
                Some(kind) if is_exceptable(kind) => self.except(at, PaceWord::Except)?,
                _ => return Err(self.incomplete(at)),
            },
            word if is_dispensable(word) && self.is_none(at) => self.without(at, word)?,
            PaceWord::Announce => {
                let announce = self.taken(at, announce).ok_or_else(|| self.incomplete(at))?;
                checked(match announce {
                    Announce::After(after) => after,
                    _ => Span::ZERO,
                })?;
                self.say(at, |parts| &mut parts.announce, announce)?;
            }
            PaceWord::Early => {
                if self.is(at + 1, PaceWord::Yes) {
                    self.used[at + 1] = true;
                }
                self.say(at, |parts| &mut parts.early, true)?;
            }
            PaceWord::CoolDown | PaceWord::Least => {
                let length = self.taken(at, plain).ok_or_else(|| self.incomplete(at))?;
                self.length(at, word, checked(length.span())?)?;
            }
            PaceWord::Remind => self.remind(at)?,
            PaceWord::LastCall => {
                let length = self.taken(at, plain_or_after).ok_or_else(|| self.incomplete(at))?;
                let after = checked(length.span())?;
                self.say(at, |parts| &mut parts.last_call, LastCall::After(after))?;
            }
            PaceWord::Quiet => {
                let hours = |kind| match kind {
                    TokenKind::Hours(quiet) => Some(quiet),
                    _ => None,
                };
                let quiet = self.taken(at, hours).ok_or_else(|| self.incomplete(at))?;
                if quiet.from == quiet.to {
                    let quoted = format!("{}-{}", quiet.from, quiet.to);
                    return Err(PaceFault::NoQuietHours { said: quoted });
                }
                self.say(at, |parts| &mut parts.quiet, Some(quiet))?;
            }
            PaceWord::Except | PaceWord::Excluding => self.except(at, word)?,
            PaceWord::Outage => {
                let outage = self.taken(at, outage).ok_or_else(|| self.incomplete(at))?;
                self.say(at, |parts| &mut parts.outage, outage)?;
            }
            PaceWord::Every => match self.kind(at + 1) {
                Some(TokenKind::Length(length, Counted::Plain)) => {
                    self.used[at + 1] = true;
                    self.rhythm(at + 1, length)?;
                }
                Some(TokenKind::Days(_)) => {}
                _ => return Err(self.incomplete(at)),
            },
            PaceWord::AtATime => match at.checked_sub(1).and_then(|before| self.kind(before)) {
                Some(TokenKind::Length(length, Counted::Plain)) => {
                    self.used[at - 1] = true;
                    self.rhythm(at - 1, length)?;
                }
                _ => return Err(self.incomplete(at)),
            },
            PaceWord::Fast | PaceWord::Live => {
                let period = if word == PaceWord::Fast { FAST } else { LIVE };
                let length = match self.kind(at + 1) {
                    Some(TokenKind::Length(length, Counted::Plain)) => {
                        self.used[at + 1] = true;
                        length
                    }
                    // `fast, every 2h`: the rhythm is given later.
                    Some(TokenKind::Word(PaceWord::Every)) => {
                        self.used[at] = true;
                        return Ok(());
                    }
                    _ => Length { days: 0, rest: period },
                };
                self.rhythm(at, length)?;
            }
            PaceWord::Setup => self.of_kind(at, WindowKind::Setup)?,
            PaceWord::Reaction => self.of_kind(at, WindowKind::Reaction)?,
            PaceWord::Choice => self.of_kind(at, WindowKind::Choice)?,
            // These words belong to others, and are checked once those have taken theirs.
            _ => return Ok(()),
        }
        self.used[at] = true;
        Ok(())
    }

    /// Sets the setting of a word to none.
    fn without(&mut self, at: usize, word: PaceWord) -> Result<(), PaceFault> {
        match word {
            PaceWord::Early => self.say(at, |parts| &mut parts.early, false),
            PaceWord::Remind => self.say(at, |parts| &mut parts.reminders, Vec::new()),
            PaceWord::LastCall => self.say(at, |parts| &mut parts.last_call, LastCall::Never),
            PaceWord::Quiet => self.say(at, |parts| &mut parts.quiet, None),
            PaceWord::Except => self.say(at, |parts| &mut parts.except, ExceptedDays::default()),
            _ => self.length(at, word, Span::ZERO),
        }?;
        self.used[at] = true;
        Ok(())
    }

    /// Sets a setting, with a fault if it is set already.
    fn say<T>(
        &mut self,
        at: usize,
        place: impl FnOnce(&mut PaceParts) -> &mut Option<T>,
        value: T,
    ) -> Result<(), PaceFault> {
        let before = place(&mut self.parts).replace(value);
        if before.is_some() { Err(self.twice(at)) } else { Ok(()) }
    }

    /// Sets a length of time that is not a rhythm.
    fn length(&mut self, at: usize, word: PaceWord, length: Span) -> Result<(), PaceFault> {
        match word {
            PaceWord::CoolDown => self.say(at, |parts| &mut parts.cool_down, length),
            _ => self.say(at, |parts| &mut parts.least, length),
        }
    }

    /// Takes all lengths of time that follow as reminders, except a rhythm.
    fn remind(&mut self, at: usize) -> Result<(), PaceFault> {
        if self.parts.reminders.is_some() {
            return Err(self.twice(at));
        }
        let mut reminders = Vec::new();
        let mut next = at + 1;
        while let Some(TokenKind::Length(length, Counted::Plain | Counted::Before)) =
            self.kind(next)
            && !self.is(next + 1, PaceWord::AtATime)
        {
            reminders.push(checked(length.span())?);
            self.used[next] = true;
            next += 1;
        }
        let named =
            |token: usize| matches!(self.kind(token), Some(TokenKind::Length(_, Counted::Before)));
        if reminders.is_empty() && !(0..self.used.len()).any(named) {
            return Err(self.incomplete(at));
        }
        self.parts.reminders = Some(reminders);
        Ok(())
    }

    /// Takes the days after the word, or else those before it, as days off.
    fn except(&mut self, at: usize, word: PaceWord) -> Result<(), PaceFault> {
        let can = |token: &usize| self.kind(*token).is_some_and(is_exceptable);
        let behind: Vec<usize> = (at + 1..self.used.len()).take_while(can).collect();
        let mut before: Vec<usize> = (0..at).rev().take_while(can).collect();
        before.reverse();
        let written_onto = self.is_onto(at) && !self.is_onto(at + 1) && !before.is_empty();
        let is_behind_them = behind.is_empty() || written_onto || word == PaceWord::Excluding;
        let days = if is_behind_them { before } else { behind };
        if days.is_empty() {
            return Err(self.incomplete(at));
        }
        self.check_weekdays(&days)?;
        days.into_iter().try_for_each(|token| {
            self.used[token] = true;
            self.except_one(token)
        })
    }

    /// Checks that days of the week among excepted dates cannot be meant as the rhythm: the rhythm is given
    /// elsewhere, or there are only days of the week.
    fn check_weekdays(&self, days: &[usize]) -> Result<(), PaceFault> {
        let is_weekday =
            |token: &usize| matches!(self.scan.tokens[*token].kind, TokenKind::Days(_));
        let mut others = (0..self.used.len()).filter(|token| !days.contains(token));
        let is_rhythm = |token: &Token| {
            matches!(token.kind, TokenKind::Word(PaceWord::Every | PaceWord::AtATime))
        };
        let unclear = !self.scan.tokens.iter().any(is_rhythm)
            && days.iter().any(|token| !is_weekday(token))
            && !others.any(|it| is_weekday(&it));
        match days.iter().find(|token| is_weekday(token)) {
            Some(token) if unclear => Err(PaceFault::CloseOrNot { said: self.scan.quoted(*token) }),
            _ => Ok(()),
        }
    }

    fn except_one(&mut self, token: usize) -> Result<(), PaceFault> {
        let except = self.parts.except.get_or_insert_default();
        match self.scan.tokens[token].kind {
            TokenKind::Days(days) => {
                let before = self.days_off.map(|(before, _)| before);
                self.days_off = Some((before.map_or(days, |before| before.with(days)), token));
            }
            TokenKind::Dates(dates) if dates.is_reversed() => {
                return Err(PaceFault::EndsBeforeItBegins { said: self.scan.quoted(token) });
            }
            TokenKind::Dates(dates) if !except.dates.contains(&dates) => except.dates.push(dates),
            TokenKind::Word(PaceWord::Holidays) if !except.holidays => except.holidays = true,
            _ => return Err(self.twice(token)),
        }
        Ok(())
    }

    /// Removes the days off from the days of the rhythm.
    fn take_days_off(&mut self) -> Result<(), PaceFault> {
        let Some((off, at)) = self.days_off else { return Ok(()) };
        let is_said = self.parts.days.is_some() || !self.parts.times.is_empty();
        let days = self.parts.days.unwrap_or(Weekdays::DAILY).without(off);
        let left = days.ok_or(PaceFault::NoDayLeft { most: ALLOWED_WITHIN })?;
        match self.parts.rhythm {
            Some(Every::Days(_)) => {
                self.parts.except.get_or_insert_default().weekdays = Some(off);
                return Ok(());
            }
            Some(_) => return Err(self.twice(at)),
            None => {}
        }
        self.parts.days = is_said.then_some(left);
        Ok(())
    }

    /// Parses the pace of a kind after its name: its length, its closing moments, and its minimum time.
    fn of_kind(&mut self, at: usize, kind: WindowKind) -> Result<(), PaceFault> {
        let mut of_kind = KindParts::default();
        let mut next = at + 1;
        while let Some(found) = self.kind(next) {
            match found {
                TokenKind::Length(length, Counted::Plain)
                    if of_kind.length.is_none() && !self.is(next + 1, PaceWord::AtATime) =>
                {
                    let length = checked(length.span())?;
                    if length < SHORTEST {
                        return Err(PaceFault::TooShort { said: length, least: SHORTEST });
                    }
                    of_kind.length = Some(length);
                }
                TokenKind::Word(PaceWord::Hourly) if of_kind.tick.is_none() => {
                    of_kind.tick = Some(Tick::Hourly);
                }
                TokenKind::Word(PaceWord::AnyTime) if of_kind.tick.is_none() => {
                    of_kind.tick = Some(Tick::Any);
                }
                TokenKind::Time(SaidTime { time, .. }) => {
                    match of_kind.tick.get_or_insert(Tick::Times(Vec::new())) {
                        Tick::Times(times) if !times.contains(&time) => times.push(time),
                        _ => return Err(self.twice(next)),
                    }
                }
                TokenKind::Word(PaceWord::Least) if of_kind.least.is_none() => {
                    let Some(TokenKind::Length(length, Counted::Plain)) = self.kind(next + 1)
                    else {
                        break;
                    };
                    of_kind.least = Some(checked(length.span())?);
                    self.used[next] = true;
                    next += 1;
                }
                _ => break,
            }
            self.used[next] = true;
            next += 1;
        }
        if let Some(Tick::Times(times)) = &mut of_kind.tick {
            times.sort_unstable();
        }
        if next == at + 1 {
            return Err(self.incomplete(at));
        }
        let before = self.parts.kinds.insert(kind, of_kind);
        if before.is_some() { Err(self.twice(at)) } else { Ok(()) }
    }

    fn rhythm(&mut self, at: usize, length: Length) -> Result<(), PaceFault> {
        let span = checked(length.span())?;
        if span < SHORTEST {
            return Err(PaceFault::TooShort { said: span, least: SHORTEST });
        }
        let days = u32::try_from(length.days).ok().filter(|_| length.rest == Span::ZERO);
        let rhythm = days.map_or(Every::Period(span), Every::Days);
        self.say(at, |parts| &mut parts.rhythm, rhythm)
    }

    /// Handles the pieces that no word has taken.
    fn rest(&mut self) -> Result<(), PaceFault> {
        let mut twice_a_week = None;
        let (mut once_a_week, mut weekly) = (None, false);
        let mut of_night = Vec::new();
        for at in 0..self.used.len() {
            let Some(kind) = self.kind(at) else { continue };
            match kind {
                TokenKind::Time(SaidTime { time, next_day }) => {
                    if self.parts.times.contains(&time) || self.parts.rhythm.is_some() {
                        return Err(self.twice(at));
                    }
                    self.parts.times.push(time);
                    of_night.extend(next_day.then_some(at));
                }
                TokenKind::Days(days) => {
                    if self.parts.rhythm.is_some() {
                        return Err(self.twice(at));
                    }
                    self.parts.days =
                        Some(self.parts.days.map_or(days, |before| before.with(days)));
                }
                TokenKind::Length(length, Counted::Plain) => {
                    if self.parts.days.is_some() || !self.parts.times.is_empty() {
                        return Err(self.twice(at));
                    }
                    self.rhythm(at, length)?;
                }
                TokenKind::Length(length, Counted::Before) => {
                    let before = checked(length.span())?;
                    self.parts.reminders.get_or_insert_default().push(before);
                }
                TokenKind::Zone(zone) => self.say(at, |parts| &mut parts.zone, zone)?,
                TokenKind::Word(PaceWord::TwiceAWeek) => twice_a_week = Some(at),
                TokenKind::Word(PaceWord::OnceAWeek) => once_a_week = Some(at),
                TokenKind::Word(PaceWord::Weekly) => weekly = true,
                TokenKind::Word(PaceWord::AtOnce) => {
                    self.say(at, |parts| &mut parts.announce, Announce::AtOnce)?;
                }
                TokenKind::Word(PaceWord::Deadline) => {}
                _ => return Err(self.incomplete(at)),
            }
        }
        for (at, supposed) in [(twice_a_week, Weekdays::TWICE), (once_a_week, Weekdays::ONCE)] {
            let Some(at) = at else { continue };
            let days = self.parts.days.get_or_insert(supposed);
            if days.count() != supposed.count() || self.parts.rhythm.is_some() {
                return Err(self.twice(at));
            }
        }
        // "Weekly on Mondays and Thursdays" means the same as the days alone.
        if weekly && self.parts.rhythm.is_none() {
            self.parts.days.get_or_insert(Weekdays::ONCE);
        }
        self.take_days_off()?;
        self.move_nights(&of_night)
    }

    /// Moves the hours of a night to the day after the named one.
    fn move_nights(&mut self, of_night: &[usize]) -> Result<(), PaceFault> {
        let (Some(first), Some(days)) = (of_night.first(), self.parts.days) else { return Ok(()) };
        if of_night.len() < self.parts.times.len() && days != Weekdays::DAILY {
            return Err(PaceFault::OfNextDay { said: self.scan.quoted(*first) });
        }
        self.parts.days = Some(days.next());
        Ok(())
    }
}

/// True if a word's setting can be none.
fn is_dispensable(word: PaceWord) -> bool {
    use PaceWord::{CoolDown, Early, Except, LastCall, Least, Quiet, Remind};
    matches!(word, Early | Remind | LastCall | Quiet | Except | CoolDown | Least)
}

/// True for a day that can be excepted, but not for every day.
fn is_exceptable(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Days(days) => days != Weekdays::DAILY,
        TokenKind::Dates(_) | TokenKind::Word(PaceWord::Holidays) => true,
        _ => false,
    }
}

fn announce(kind: TokenKind) -> Option<Announce> {
    match kind {
        TokenKind::Time(time) => Some(Announce::At(time.time)),
        TokenKind::Length(length, Counted::Plain | Counted::After) => {
            Some(Announce::After(length.span()))
        }
        TokenKind::Word(PaceWord::AtOnce) => Some(Announce::AtOnce),
        _ => None,
    }
}

fn plain_or_after(kind: TokenKind) -> Option<Length> {
    match kind {
        TokenKind::Length(length, Counted::Plain | Counted::After) => Some(length),
        _ => None,
    }
}

fn plain(kind: TokenKind) -> Option<Length> {
    match kind {
        TokenKind::Length(length, Counted::Plain) => Some(length),
        _ => None,
    }
}

fn outage(kind: TokenKind) -> Option<OutageRule> {
    match kind {
        TokenKind::Word(PaceWord::Extend) => Some(OutageRule::Extend),
        TokenKind::Word(PaceWord::Late) => Some(OutageRule::Late),
        TokenKind::Word(PaceWord::Wait) => Some(OutageRule::Wait),
        _ => None,
    }
}

/// Returns a length of time, with a fault if it is too long.
fn checked(length: Span) -> Result<Span, PaceFault> {
    if length > LONGEST {
        Err(PaceFault::TooLong { said: length, most: LONGEST })
    } else {
        Ok(length)
    }
}

/// The hour of a deadline that is given by its days alone.
const EVENING: u32 = 21;

/// The settings parsed so far, `None` for those not given.
#[derive(Debug, Default)]
struct PaceParts {
    pub(super) rhythm: Option<Every>,
    pub(super) times: Vec<TimeOfDay>,
    pub(super) days: Option<Weekdays>,
    pub(super) zone: Option<Tz>,
    pub(super) announce: Option<Announce>,
    pub(super) early: Option<bool>,
    pub(super) cool_down: Option<Span>,
    pub(super) least: Option<Span>,
    pub(super) reminders: Option<Vec<Span>>,
    pub(super) last_call: Option<LastCall>,
    #[expect(clippy::option_option, reason = "nothing given, none wanted, or these hours")]
    pub(super) quiet: Option<Option<Quiet>>,
    pub(super) except: Option<ExceptedDays>,
    pub(super) outage: Option<OutageRule>,
    pub(super) kinds: BTreeMap<WindowKind, KindParts>,
}

/// The settings of the windows of one kind.
#[derive(Debug, Default)]
struct KindParts {
    pub(super) length: Option<Span>,
    pub(super) least: Option<Span>,
    pub(super) tick: Option<Tick>,
}

impl PaceParts {
    /// Returns the pace, with defaults for the rest. Without a rhythm, the settings change `before`.
    pub(super) fn pace(self, default_zone: Tz, before: Option<&Pace>) -> Result<Pace, PaceFault> {
        let days = self.days.or((!self.times.is_empty()).then_some(Weekdays::DAILY));
        let every = match (self.rhythm, days) {
            (Some(rhythm), _) => Some(rhythm),
            (None, None) => None,
            (None, Some(days)) => {
                let mut times = self.times;
                if times.is_empty() {
                    times.extend(TimeOfDay::new(EVENING, 0));
                }
                times.sort_unstable();
                Some(Every::Times { times, days })
            }
        };
        let mut pace = match (every, before) {
            (Some(every), _) => Pace::new(every, default_zone),
            (None, Some(before)) => before.clone(),
            (None, None) => return Err(PaceFault::NoRhythm),
        };
        pace.zone = self.zone.unwrap_or(pace.zone);
        pace.announce = self.announce.unwrap_or(pace.announce);
        pace.early = self.early.unwrap_or(pace.early);
        pace.cool_down = self.cool_down.unwrap_or(pace.cool_down);
        pace.least = self.least.unwrap_or(pace.least);
        pace.last_call = self.last_call.unwrap_or(pace.last_call);
        pace.quiet = self.quiet.unwrap_or(pace.quiet);
        pace.except = self.except.unwrap_or(pace.except);
        pace.outage = self.outage.unwrap_or(pace.outage);
        for (kind, parts) in self.kinds {
            let supposed = pace.supposed(kind);
            let length = parts.length.or(supposed.as_ref().map(|supposed| supposed.length));
            let Some(length) = length else { return Err(PaceFault::NoRhythm) };
            let mut of_kind = KindPace::supposed(kind, length);
            of_kind.least = parts.least.unwrap_or(of_kind.least);
            of_kind.tick = parts.tick.unwrap_or(of_kind.tick);
            if of_kind.least >= length {
                return Err(PaceFault::TooLong { said: of_kind.least, most: length });
            }
            if supposed != Some(of_kind.clone()) {
                pace.kinds.insert(kind, of_kind);
            }
        }
        if let Some(mut reminders) = self.reminders {
            reminders.sort_unstable_by(|one, other| other.cmp(one));
            reminders.dedup();
            let window = pace.longest();
            if let Some(longest) = reminders.first().copied().filter(|longest| *longest >= window) {
                return Err(PaceFault::ReminderTooLong { said: longest, window });
            }
            pace.reminders = reminders;
        }
        if !pace.leaves_days() {
            return Err(PaceFault::NoDayLeft { most: ALLOWED_WITHIN });
        }
        Ok(pace)
    }
}

impl Pace {
    /// Returns the longest time for which a window can be open, without clock changes and quiet hours.
    fn longest(&self) -> Span {
        let rhythm = match &self.every {
            Every::Period(period) => *period,
            Every::Days(days) => DAY * i64::from(*days),
            Every::Times { .. } => DAY * 7,
        };
        rhythm.max(self.least)
    }
}
