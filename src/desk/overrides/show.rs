//! Overrides in words.

use chrono_tz::Tz;
use serde_json::json;

use crate::model::{Override, Written};
use crate::overrides::ballot;
use crate::overrides::decision::{self, Rehearsal, RehearsedDecision, TableSnapshot};
use crate::overrides::gm_view::{
    GmView, JudgedWindow, LoggedOverride, ResultPreview, is_hidden_from,
};
use crate::overrides::read::reader;
use crate::record;
use crate::view::see::Sight;
use letters::{
    self, AbsenceInWords, ChangedLine, Changes, DecisionLog, DeclaredLine, FinalScores,
    LetterFault, Letters, LoggedDecision, Moment, Move, PaceInWords, PreviewHeading, Reader,
    Sample, SeatProgress, ShownDecision, WindowProgress, changed_lines, changes_beside, follow,
};
use rules::built_in_file;
use rules::data::{BuiltIn, parse_lines};
use rules::text::{self, Lang};
use rules::{Declaration, Seat};
use tables::{AccountId, OverrideNumber, ResultForm};

impl Override {
    /// True if the decision may have changed the result of a window.
    fn brings_result(&self) -> bool {
        matches!(self, Self::Judge { .. } | Self::Publish | Self::Undo { .. })
    }

    /// Returns the fields of the decision for letters, with times of this zone.
    pub fn shown<'a>(&self, reason: &'a str, zone: Tz) -> ShownDecision<'a> {
        let time = match self {
            Self::Extend { closes } => Some(*closes),
            Self::Pause { until } => Some(*until),
            _ => None,
        };
        let moves = match self {
            Self::Edit { said: declared } => Move::all(declared),
            _ => Vec::new(),
        };
        let pace = match self {
            Self::Pace { pace } => Some(json!(PaceInWords::new(pace))),
            _ => None,
        };
        let absence = match self {
            Self::Absence { absence } => Some(json!(AbsenceInWords::new(absence))),
            _ => None,
        };
        let (what, time) = (json!(self), time.map(|at| Moment::at(at, zone)));
        ShownDecision { what, moves, pace, absence, time, reason, undone: None, closes: None }
    }
}

/// A decision of each kind, in every form of writing, one per line.
static SAMPLES: BuiltIn<Vec<Override>> =
    BuiltIn::new(|| parse_lines(built_in_file!("templates/desk/samples.jsonl")));

/// Returns samples of every decision in every form of writing.
pub fn samples() -> Vec<ShownDecision<'static>> {
    let sample = |what: Override| {
        let decision = what.shown("Rain.", Tz::UTC);
        let time = decision.time.as_ref().map(|_| letters::samples::moment());
        ShownDecision { time, ..decision }
    };
    SAMPLES.iter().cloned().map(sample).collect()
}

/// Returns a sample of every letter.
pub fn letter_samples() -> Vec<Sample> {
    record::letter::letter_samples(&SAMPLES)
}

/// Returns every fault of the letters with the samples of letters and decisions.
pub fn check_letters(letters: &Letters) -> Vec<LetterFault> {
    let others = [decision::LETTERS, reader::LETTERS, ballot::LETTERS];
    letters.check(&letter_samples(), &samples(), &others)
}

impl Rehearsal {
    /// Returns the changes of the public view, line by line in plain text, in every language, as the log has
    /// readers of both.
    pub fn changes(&self, what: &Override, letters: &Letters) -> Written<Changes> {
        let changed = |lang: Lang| {
            let reader = |sight: &Sight| sight.reader(lang).in_plain_text();
            Ok((lang, self.changed(what, letters, &reader)?))
        };
        Ok(Changes(Lang::ALL.into_iter().map(changed).collect::<Written<_>>()?))
    }

    /// Returns the changes for a reader, whose players' names may differ before and after.
    fn changed(
        &self,
        what: &Override,
        letters: &Letters,
        reader: &impl Fn(&Sight) -> Reader,
    ) -> Written<Vec<ChangedLine>> {
        let Some(after) = &self.after else { return Ok(Vec::new()) };
        let before = &self.before;
        if let Some((set, to)) = set_by(&before.sight, what, letters, &reader(&before.sight))? {
            return Ok(changed_lines(&set, &to));
        }
        let result = |of: &TableSnapshot| of.result(letters, &reader(&of.sight));
        if *what == Override::Publish {
            // The result includes the changes of the position.
            return Ok(changed_lines("", &result(after)?));
        }
        let position = |of: &TableSnapshot| of.sight.position(letters, &reader(&of.sight), false);
        let mut changes = changed_lines(&position(before)?, &position(after)?);
        if what.brings_result() {
            let of_result = changed_lines(&result(before)?, &result(after)?);
            // The result includes the position, which is shown once.
            changes = changes_beside(changes, &of_result);
        }
        Ok(changes)
    }

    /// Sets the time zone for a single reader.
    #[must_use]
    pub fn in_zone(mut self, zone: Tz) -> Self {
        self.before.sight.zone = zone;
        if let Some(after) = &mut self.after {
            after.sight.zone = zone;
        }
        self
    }

    /// Writes the changes and the remarks.
    pub fn words(
        &self,
        what: &Override,
        reason: &str,
        letters: &Letters,
        lang: Lang,
        in_words: impl Fn(Reader) -> Reader,
    ) -> Written {
        let reader = |sight: &Sight| in_words(sight.reader(lang));
        let mut changes = self.changed(what, letters, &reader)?;
        // Seats have the names of their players before the override.
        let reader = reader(&self.before.sight);
        let then = self.after.as_ref().unwrap_or(&self.before);
        let then = then.sight.play.as_ref().map(|play| (then, play));
        if let (false, Some((after, play))) = (self.foreseen.is_empty(), then) {
            let report = play.contest.report(after.sight.viewer());
            // These changes are for the decider alone: the public log shows only the public view.
            changes.extend(changed_lines("", &letters.acted(&reader, &self.foreseen, &report)?));
        }
        let zone = self.before.sight.zone;
        let (decision, changes) = (&what.shown(reason, zone), &changes[..]);
        let (remarks, audience) = (&self.remarks[..], &self.audience);
        let reader = reader.in_zone(zone);
        letters.write(&reader, &RehearsedDecision { decision, changes, remarks, audience })
    }
}

impl TableSnapshot {
    /// Returns the last result; empty without one.
    fn result(&self, letters: &Letters, reader: &Reader) -> Written {
        let (Some(play), Some(last)) = (&self.sight.play, &self.last) else {
            return Ok(String::new());
        };
        let report = play.contest.report(self.sight.viewer());
        letters.result(reader, &last.entries, &report, ResultForm::Full)
    }
}

/// Returns the changed setting before and after; `None` for decisions that set nothing.
fn set_by(
    sight: &Sight,
    what: &Override,
    letters: &Letters,
    reader: &Reader,
) -> Written<Option<(String, String)>> {
    Ok(Some(match what {
        Override::Pace { pace } => {
            let set = sight.next_pace.as_ref().unwrap_or(&sight.pace);
            (letters.pace(reader, set)?, letters.pace(reader, pace)?)
        }
        Override::Absence { absence } => {
            (letters.absence(reader, &sight.absence)?, letters.absence(reader, absence)?)
        }
        _ => return Ok(None),
    }))
}

impl GmView {
    /// Writes the seals, and the declarations as far as the game master sees them; the position without a
    /// window.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Written {
        let Some(case) = self.case(false) else {
            return self.sight.position(letters, reader, false);
        };
        let hidden = is_hidden_from(case, &self.sight);
        let openly = self.sight.is_open_handed();
        // A playing game master sees no more of hidden sealings than other players do.
        let known = |seat| !openly && (!hidden || Some(seat) == self.sight.seat);
        let seats = case.progress.iter().filter(|(seat, _)| known(*seat));
        let seats = seats.map(|(seat, progress)| SeatProgress { seat, progress: *progress });
        let goes_on = self.open.is_some() && self.sight.held.is_none();
        let play = self.sight.play.as_ref().filter(|_| goes_on);
        let times = play.map(|play| self.sight.window_progress(play));
        let times = times.map(|window| (window.closes, window.settles, window.announced));
        let (closes, settles, announced) = times.unwrap_or_default();
        let progress = WindowProgress {
            seats: seats.collect(),
            openly,
            hidden,
            step: self.sight.closing_step(),
            count: None,
            closes,
            settles,
            announced,
        };
        let declared = self.declared(case, reader.lang);
        let mut text = letters.bench(reader, &progress, declared.as_deref())?;
        let sight = &self.sight;
        let below = [sight.waiting(letters, reader)?, sight.absent(letters, reader)?];
        for below in below.into_iter().flatten() {
            follow(&mut text, &below);
        }
        Ok(text)
    }

    /// Writes the result of the open window or the unannounced result of the last one; or the reason why it
    /// is hidden.
    pub fn preview_words(&self, letters: &Letters, reader: &Reader) -> Written {
        let preview = match self.preview() {
            Ok(preview) => preview,
            Err(why) => return letters.refused(reader, why, ""),
        };
        let ResultPreview { is_open, entries, report, is_over } = &preview;
        let mut text = letters.write(reader, &PreviewHeading { is_open: *is_open })?;
        follow(&mut text, &letters.result(reader, entries, report, ResultForm::Full)?);
        if *is_over {
            follow(&mut text, &letters.write(reader, &FinalScores { report })?);
        }
        Ok(text)
    }

    fn declared(&self, case: &JudgedWindow, lang: Lang) -> Option<Vec<DeclaredLine>> {
        let words = self.sight.words();
        let line = |seat: Seat, answers: &Declaration| {
            let text = text::write(answers, &case.contest.interview(seat, answers), &words, lang);
            DeclaredLine { seat, lines: text.lines().map(ToOwned::to_owned).collect() }
        };
        let declared = case.declared.as_ref()?.iter();
        let answers = declared.filter_map(|(seat, answers)| Some((seat, answers.as_ref()?)));
        Some(answers.map(|(seat, answers)| line(seat, answers)).collect())
    }
}

/// Writes the log of decisions of a table.
pub fn log(
    logged: &[LoggedOverride],
    letters: &Letters,
    reader: &Reader,
    zone: Tz,
    name: impl Fn(&AccountId) -> String,
) -> Written {
    let names: Vec<String> =
        logged.iter().map(|logged| logged.by.as_ref().map(&name).unwrap_or_default()).collect();
    let decisions: Vec<LoggedDecision<'_>> = logged
        .iter()
        .zip(&names)
        .map(|(logged, by)| LoggedDecision {
            number: logged.number.from_one(),
            at: Moment::at(logged.at, zone),
            by,
            voted: logged.voted,
            decision: logged.what.shown(&logged.reason, zone),
            public: logged.public,
            alone: &logged.alone,
            undone: logged.undone.map(OverrideNumber::from_one),
            shown: logged.shown.of(reader.lang),
            whole: logged.whole,
        })
        .collect();
    letters.write(reader, &DecisionLog { decisions: &decisions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::overrides::Verb;

    #[test]
    fn every_decision_has_a_sample() {
        let verbs: Vec<Verb> = SAMPLES.iter().map(Override::verb).collect();
        for verb in Verb::ALL {
            assert!(verbs.contains(verb), "{verb:?}");
        }
    }
}
