//! The texts about a table for its viewer.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::model::Written;
use crate::view::past::PastResult;
use crate::view::see::{PlayView, Sight};
use crate::window::declare::{StandstillRequest, refused_by};
use games::any::AnyGame;
use games::meaning::{LineMeaning, Listening};
use letters::{
    ClosePreview, ClosingTimes, EndPreview, FormingTable, HostName, Letters, MixedIn, Moment,
    Reader, Refused, SealedCount, SeatProgress, ShutWindow, Sought, StandsStill, StoppedBy,
    WhoIsAway, WholeBoard, WindowOpening, WindowProgress, follow,
};
use rules::text::{self, Example, Lang, Reading, Words};
use rules::window::Progress;
use rules::{BySeat, Declaration, Dice, Interview, Procedure, Sealing, Seat, Side, Viewer};
use tables::{Absence, HoldReason, Pace, Span, Stage, TableSetting, Time, Timing};

impl Sight {
    /// Returns the reader of letters about the table, in this language.
    pub fn reader(&self, lang: Lang) -> Reader {
        Reader::new(self.game, lang).with_names(&self.names)
    }

    /// Returns the words of this table, with the names of its players.
    pub fn words(&self) -> Words<'static> {
        let words = words(self.game, self.chairs, &self.names);
        match self.seat {
            Some(seat) => words.of(seat),
            None => words,
        }
    }

    /// Returns the viewer: their seat, or the public.
    pub fn viewer(&self) -> Viewer {
        self.seat.into()
    }

    /// Returns the interview about a draft of the viewer's in the open window.
    pub fn form(&self, draft: &Declaration) -> Interview {
        match (&self.play, self.seat) {
            (Some(play), Some(seat)) => play.contest.interview(seat, draft),
            _ => Interview::default(),
        }
    }

    /// Returns the interview about a draft, with the gaps filled by the viewer's standing orders.
    pub fn form_with_orders(&self, draft: &Declaration) -> Interview {
        match (&self.play, self.seat) {
            (Some(play), Some(seat)) if !play.orders.is_empty() => {
                self.form(&play.contest.with_orders(seat, draft, &play.orders))
            }
            _ => self.form(draft),
        }
    }

    /// Returns the interview about an act of the viewer's.
    pub fn acting(&self, declared: &Declaration) -> Interview {
        match (&self.play, self.seat) {
            (Some(play), Some(seat)) => play.contest.acting(seat, declared),
            _ => Interview::default(),
        }
    }

    /// Returns what this act of the viewer's puts at stake. `None` if the viewer is asked for no
    /// confirmation.
    pub fn at_stake(&self, act: &Declaration) -> Option<&'static str> {
        let play = self.play.as_ref()?;
        play.contest.at_stake(self.viewer(), &play.own, act)
    }

    /// Parses a declaration over a draft. A line that is not understood to its end, or that would make a legal
    /// part of the draft faulty, does not count.
    pub fn read(&self, text: &str, draft: &Declaration) -> Reading {
        text::read_typed(text, draft, &|draft| self.form(draft), &self.words())
    }

    /// Parses an act.
    pub fn read_act(&self, line: &str) -> Reading {
        text::read_act(line, &|declared| self.acting(declared), &self.words())
    }

    /// Returns the interview about standing orders.
    pub fn ordering(&self, declared: &Declaration) -> Interview {
        match (&self.play, self.seat) {
            (Some(play), Some(seat)) => play.contest.ordering(seat, declared),
            _ => Interview::default(),
        }
    }

    /// Returns the meaning of a line that the viewer types, over a draft of theirs.
    pub fn meaning(&self, line: &str, draft: &Declaration) -> LineMeaning {
        self.listening(draft, |listening| listening.meaning(line))
    }

    /// Calls `listens` with a parser for the viewer's lines, over a draft of theirs.
    pub(crate) fn listening<T>(
        &self,
        draft: &Declaration,
        listens: impl FnOnce(&Listening<'_>) -> T,
    ) -> T {
        let words = self.words();
        let (form, acting) = (|draft: &_| self.form(draft), |declared: &_| self.acting(declared));
        let ordering = |orders: &_| self.ordering(orders);
        let with_orders = |draft: &Declaration, orders: &_| match (&self.play, self.seat) {
            (Some(play), Some(seat)) => play.contest.with_orders(seat, draft, orders),
            _ => draft.clone(),
        };
        listens(&Listening {
            game: self.game,
            words: &words,
            form: &form,
            acting: &acting,
            ordering: &ordering,
            with_orders: &with_orders,
            draft,
        })
    }

    /// Returns those of these windows that are over: the acts in the open window are no result yet.
    pub fn over<'a>(&self, past: &'a [PastResult]) -> &'a [PastResult] {
        let open = self
            .play
            .as_ref()
            .filter(|play| play.contest.acts_done() > 0 && !play.contest.is_suspended());
        let open = open.map(|play| play.contest.round());
        match past.split_last() {
            Some((last, before)) if Some(last.round) == open => before,
            _ => past,
        }
    }

    /// Returns an act as it could be typed.
    pub fn written_act(&self, declared: &Declaration, lang: Lang) -> String {
        text::written_act(declared, &self.acting(declared), &self.words(), lang)
    }

    /// Returns every possible act.
    pub fn acts(&self, lang: Lang) -> Vec<Example> {
        text::acts(&|declared| self.acting(declared), &self.words(), lang)
    }

    /// Writes the table as it waits for its players.
    pub fn forming(&self, letters: &Letters, reader: &Reader) -> Written {
        let chairs: Vec<Seat> = Seat::all(self.chairs).collect();
        let forming = FormingTable {
            code: &self.code,
            chairs: &chairs,
            sides: &self.sides(),
            taken: &self.taken,
            you: self.seat,
            leads: self.leads,
            host: self.host_name(),
            pace: &letters.pace(reader, &self.pace)?,
            absence: &letters.absence(reader, &self.absence)?,
            commitment: &self.commitment,
            value: self.value.as_deref(),
            settings: &self.settings,
        };
        letters.write(reader, &forming)
    }

    /// True if a setting of the table is on.
    pub fn has(&self, setting: TableSetting) -> bool {
        self.settings.has(setting)
    }

    /// Returns the name of the table's host.
    pub fn host_name(&self) -> HostName {
        let account = self.host_account.as_ref().filter(|account| !account.is_erased());
        let known = account.and_then(|account| account.as_str().split_once(':'));
        let known = known.map(|(_, known)| known.to_owned()).filter(|known| !known.is_empty());
        let is_id = |known: &String| known.bytes().all(|byte| byte.is_ascii_digit());
        HostName {
            seat: self.host,
            user: known.clone().filter(is_id),
            name: known.filter(|known| !is_id(known)),
        }
    }

    /// Writes the value that the viewer has mixed into the seed, with the words if they have just chosen it;
    /// empty if they have no seat of their own.
    pub fn mixed_in(&self, letters: &Letters, reader: &Reader, words: Option<&str>) -> Written {
        let (Some(seat), Some(value)) = (self.seat, &self.value) else { return Ok(String::new()) };
        let open = self.stage == Stage::Forming;
        let owes = self.owes.as_deref();
        letters.write(reader, &MixedIn { seat, value, words, open, owes })
    }

    /// Writes the position: the board and the declarations, or the chairs of a forming table.
    pub fn position(&self, letters: &Letters, reader: &Reader, brief: bool) -> Written {
        let Some(play) = &self.play else { return self.forming(letters, reader) };
        let report = &play.contest.report(self.viewer());
        let mut text = letters.write(reader, &WholeBoard { report, brief })?;
        follow(&mut text, &self.beside_the_board(play, letters, reader)?);
        Ok(text)
    }

    /// Writes the facts that the board does not show: the declarations, the reason for a hold, the absent
    /// seats, and the seats open to new players.
    pub fn beside_the_board(&self, play: &PlayView, letters: &Letters, reader: &Reader) -> Written {
        let mut text = match self.shut(letters, reader)? {
            Some(shut) => shut,
            None => letters.write(reader, &self.window_progress(play))?,
        };
        if let Some(waiting) = self.waiting(letters, reader)? {
            follow(&mut text, &waiting);
        }
        if let Some(away) = self.absent(letters, reader)? {
            follow(&mut text, &away);
        }
        if !self.sought.is_empty() {
            follow(&mut text, &letters.write(reader, &Sought { seats: &self.sought })?);
        }
        Ok(text)
    }

    /// True if time runs: the table is not held, or is locked while its clock goes on.
    pub fn is_clock_running(&self) -> bool {
        !self.held.as_ref().is_some_and(HoldReason::stops_clock)
    }

    /// `None` if nobody is away; otherwise the seats that are, in words, each with the end of the absence.
    pub fn absent(&self, letters: &Letters, reader: &Reader) -> Written<Option<String>> {
        if self.away.is_empty() {
            return Ok(None);
        }
        let until = |(seat, until): &(Seat, Time)| (*seat, Moment::at(*until, self.zone));
        let away: Vec<_> = self.away.iter().map(until).collect();
        letters.write(reader, &WhoIsAway { away: &away }).map(Some)
    }

    /// `None` if the table is not held; otherwise the reason, in words, and the end if it is known.
    pub fn waiting(&self, letters: &Letters, reader: &Reader) -> Written<Option<String>> {
        let Some(held) = &self.held else { return Ok(None) };
        let until = self.until.map(|until| Moment::at(until, self.zone));
        let still = StandsStill { code: &self.code, why: held.into_str(), until };
        let mut text = letters.write(reader, &still)?;
        text.truncate(text.trim_end().len());
        text.push('\n');
        text.push_str(&self.stopped_by(letters, reader)?);
        Ok(Some(text))
    }

    /// Refuses while the table is held or locked.
    pub fn refuse_standstill(&self) -> Result<(), Refused> {
        self.held.as_ref().map_or(Ok(()), |held| Err(refused_by(held)))
    }

    /// Writes the author of the hold, its beginning and its reason; empty if it has no author.
    pub fn stopped_by(&self, letters: &Letters, reader: &Reader) -> Written {
        let Some(StandstillRequest { since, by, voted, reason }) = &self.wanted else {
            return Ok(String::new());
        };
        let since = Moment::at(*since, self.zone);
        let locked = self.held != Some(HoldReason::Pause);
        letters.write(reader, &StoppedBy { locked, since, by: *by, voted: *voted, reason })
    }

    /// `None` unless the window has closed and waits for its announcement; otherwise both times, in words.
    pub fn shut(&self, letters: &Letters, reader: &Reader) -> Written<Option<String>> {
        let Some(shut) = self.play.as_ref().and_then(|play| play.shut) else { return Ok(None) };
        let moment = |at| Moment::at(at, self.zone);
        let (closed, announced) = (moment(shut.closed), moment(shut.announced));
        letters.write(reader, &ShutWindow { closed, announced }).map(Some)
    }

    /// True if nothing is sealed in the open window, because everything asked is done by acts.
    pub fn is_open_handed(&self) -> bool {
        self.play.as_ref().is_some_and(|play| play.contest.is_open_handed())
    }

    /// The seats of each side, in order; none where there are no sides.
    pub fn sides(&self) -> Vec<Vec<Seat>> {
        let of_bare = || {
            let bare = self.game.bare(&self.options, self.chairs, Dice::new([0; 32], ""));
            bare.map(|bare| bare.sides()).unwrap_or_default()
        };
        let sides = self.play.as_ref().map_or_else(of_bare, |play| play.contest.sides());
        let mut by_side: BTreeMap<Side, Vec<Seat>> = BTreeMap::new();
        for (seat, side) in sides.iter().filter_map(|(seat, side)| Some((seat, (*side)?))) {
            by_side.entry(side).or_default().push(seat);
        }
        by_side.into_values().collect()
    }

    /// Returns the sealing of the game: open, or hidden.
    pub fn sealing(&self) -> Sealing {
        if let Some(play) = &self.play {
            return play.contest.procedure().sealing;
        }
        let bare = self.game.bare(&self.options, self.chairs, Dice::new([0; 32], ""));
        // Without known rules, seals are secret.
        bare.map_or(Sealing::Hidden, |bare| bare.procedure().sealing)
    }

    /// `None` if the open window does not close early, nobody else plays, or seals are open; otherwise the
    /// interval of the clock times, counted from the full hour, at which it closes once all have sealed,
    /// which hides the time of the last seal.
    pub fn closing_step(&self) -> Option<Span> {
        let play = self.play.as_ref()?;
        let hides = play.among == Sealing::Hidden && play.contest.procedure().closes_early;
        let step = self.window_pace().step(play.timing.opens);
        step.filter(|_| self.pace.early && hides)
    }

    /// True if a game master has decided that no declaration of the viewer's counts in the open window.
    pub fn is_skipped(&self) -> bool {
        let play = self.play.as_ref().zip(self.seat);
        play.is_some_and(|(play, seat)| play.contest.is_skipped(seat))
    }

    /// Returns the absence settings that the game has by default.
    pub fn supposed_absence(&self) -> Absence {
        Absence::of_game(self.game.house_for_gone())
    }

    /// Returns the loss if the table is ended now, for this reason.
    pub fn ending<'a>(&'a self, reason: &'a str) -> EndPreview<'a> {
        EndPreview {
            code: &self.code,
            window: self.play.as_ref().map(|play| play.contest.round()),
            taken: self.taken.len(),
            reason,
        }
    }

    /// `None` if closing the open window would cut nobody's time short, or is impossible; otherwise the facts
    /// to consider before. If seals are secret, somebody may always be awaited, and nobody is named.
    pub fn closing(&self, now: Time) -> Option<ClosePreview<'_>> {
        let play = self.play.as_ref().filter(|play| play.shut.is_none())?;
        let named = self.sealing() == Sealing::Open && !self.has(TableSetting::CountOnly);
        let waits =
            |progress: &Progress| matches!(progress, Progress::NothingDeclared | Progress::Draft);
        let awaited = play.progress.iter().filter(|(_, progress)| waits(progress));
        let awaited: Vec<Seat> = awaited.map(|(seat, _)| seat).collect();
        if named && awaited.is_empty() {
            return None;
        }
        let announced = self.window_pace().announced(play.timing.opens, now);
        Some(ClosePreview {
            code: &self.code,
            window: play.contest.round(),
            openly: self.is_open_handed(),
            awaited: if named { awaited } else { Vec::new() },
            announced: (announced > now).then(|| Moment::at(announced, self.zone)),
        })
    }

    /// Returns the closing times of the open window, as they are shown to its players.
    pub fn closing_times(&self, timing: Timing, now: Time) -> ClosingTimes {
        // The last seal may close the window immediately: there is no more time to reconsider.
        if timing.settles.is_some_and(|settles| settles <= now) {
            return ClosingTimes::default();
        }
        let before = |at: &Time| now < *at && *at < timing.closes;
        let moment = |at| Moment::at(at, self.zone);
        let soonest = self.play.as_ref().and_then(|play| self.soonest(play, now)).filter(before);
        ClosingTimes {
            closes: Some(moment(timing.closes)),
            settles: timing.settles.filter(before).map(moment),
            soonest: soonest.map(moment),
        }
    }

    /// `None` if the open window does not close early; otherwise the soonest close, if all have sealed by
    /// now.
    fn soonest(&self, play: &PlayView, now: Time) -> Option<Time> {
        let procedure = Procedure { sealing: play.among, ..play.contest.procedure() };
        play.timing.soonest(&self.window_pace(), &procedure, now)
    }

    /// Returns the progress of everybody in the open window, as far as it is public.
    pub fn window_progress(&self, play: &PlayView) -> WindowProgress {
        let hidden = play.contest.procedure().sealing == Sealing::Hidden;
        let (named, openly) =
            (!hidden && !self.has(TableSetting::CountOnly), play.contest.is_open_handed());
        let is_own = |seat| Some(seat) == self.seat || play.partners.contains(&seat);
        let known = |seat| !openly && (named || is_own(seat));
        let known = play.progress.iter().filter(|(seat, _)| known(*seat));
        let seats = known.map(|(seat, progress)| SeatProgress { seat, progress: *progress });
        let open = self.stage == Stage::Playing && self.is_clock_running();
        let (timing, zone) = (play.timing, self.zone);
        let closes = open.then(|| Moment::at(timing.closes, zone));
        // Without quiet hours and cool-down, the window is closing right now.
        let is_later = self.pace.quiet.is_some() || self.pace.cool_down > Span::ZERO;
        let settles = timing.settles.filter(|at| open && is_later && *at < timing.closes);
        let settles = settles.map(|settles| Moment::at(settles, zone));
        let announced = self.window_pace().announced(timing.opens, timing.closes);
        let announced = (open && announced != timing.closes).then(|| Moment::at(announced, zone));
        let count = (self.has(TableSetting::CountOnly) && !hidden && !openly).then(|| count(play));
        let step = self.closing_step();
        WindowProgress {
            seats: seats.collect(),
            openly,
            hidden,
            step,
            count,
            closes,
            settles,
            announced,
        }
    }

    /// Returns the pace of the open window.
    pub fn window_pace(&self) -> Pace {
        let kind = self.play.as_ref().map(|play| play.contest.procedure().kind);
        self.pace.clone().of(kind.unwrap_or_default())
    }

    /// Writes the opening of the open window.
    pub fn opening(
        &self,
        play: &PlayView,
        letters: &Letters,
        reader: &Reader,
        position: bool,
        now: Time,
    ) -> Written {
        let (closes, report) = (play.timing.closes, play.contest.report(self.viewer()));
        let announced = self.window_pace().announced(play.timing.opens, closes);
        let still = !self.is_clock_running();
        let missing = play.missing(self.seat);
        let soonest = self.soonest(play, now);
        let opening = WindowOpening {
            window: play.contest.round(),
            suspended: play.contest.is_suspended(),
            asked: &play.asked,
            closes: (!still).then(|| Moment::at(closes, self.zone)),
            announced: (!still && announced != closes).then(|| Moment::at(announced, self.zone)),
            still,
            missing: missing.as_ref(),
            early: soonest.is_some(),
            soonest: soonest.filter(|at| *at > now).map(|at| Moment::at(at, self.zone)),
            position,
            report: &report,
        };
        letters.write(reader, &opening)
    }
}

/// Returns the words of a game's table, with the names of its seats.
pub(crate) fn words(game: &dyn AnyGame, chairs: usize, names: &[String]) -> Words<'static> {
    let name = |seat: Seat| names.get(seat.index()).filter(|name| !name.is_empty());
    let names = BySeat::new(chairs, |seat| name(seat).map(SmolStr::from));
    let names = names.map(|_, name| name.iter().map(ToString::to_string).collect());
    Words::new(game.lexicon(), &names)
}

fn count(play: &PlayView) -> SealedCount {
    let is_sealed = |progress: &Progress| {
        matches!(progress, Progress::SealedComplete | Progress::SealedIncomplete)
    };
    let sealed = play.progress.iter().filter(|(_, progress)| is_sealed(progress)).count();
    SealedCount { sealed, asked: play.asked.len() }
}
