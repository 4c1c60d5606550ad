//! Letters about players who are missing, late or away.

use serde_json::Value as Json;

use crate::checking::samples;
use crate::pace::LengthView;
use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{always, as_typed, letters, sampled, sampled_from, sampled_variants};
use crate::template::views::{DeclaredAnswers, Moment, QuestionView};
use rules::Interview;
use tables::Absence;
use tables::absence::{AbsenceFault, Away, Inactive, Minimum, PeriodFault};
use tables::ids::TableCode;
use tables::time::Span;

/// Returns the open questions of an interview as JSON, for a letter that is stored and written later.
pub fn open_questions(interview: &Interview) -> Json {
    let open: Vec<QuestionView> = interview.open().map(QuestionView::new).collect();
    serde_json::to_value(open).unwrap_or_default()
}

/// Returns the answers of a declaration as JSON, for a letter that is written later.
pub fn declared_answers(interview: &Interview) -> Json {
    serde_json::to_value(DeclaredAnswers::new(interview)).unwrap_or_default()
}

impl Letters {
    /// Writes an absence policy as a sentence.
    pub fn absence(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        Ok(self.write(reader, &AbsenceInWords::new(absence))?.trim().to_owned())
    }

    /// Writes an absence policy as one line of input, which [`Absence::read`] parses back to the same policy
    /// if its grace is in whole seconds.
    pub fn absence_line(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        let line = AbsenceLine(AbsenceInWords::new(absence));
        Ok(self.write(reader, &line)?.trim().to_owned())
    }

    /// Writes why a line could not be parsed as an absence policy, and what would be correct.
    pub fn absence_fault(
        &self,
        reader: &Reader,
        fault: &AbsenceFault,
    ) -> Result<String, LetterFault> {
        self.write(reader, &AbsenceMisread { fault })
    }

    /// Writes the reader's absence for the reader: its beginning and end, and what becomes of deadlines at
    /// each of their tables.
    pub fn whereabouts(
        &self,
        reader: &Reader,
        away: Option<(Moment, Moment)>,
        tables: &[(TableCode, Away)],
    ) -> Result<String, LetterFault> {
        let (from, until) = away.unzip();
        let table = |(code, rule): &(TableCode, Away)| AwayFrom { code: code.clone(), rule: *rule };
        let tables = tables.iter().map(table).collect();
        self.write(reader, &Whereabouts { from, until, tables })
    }

    /// Writes the name of the substitute for the reader's seat and the end of the substitution, or that there
    /// is no substitute.
    pub fn standing_in(
        &self,
        reader: &Reader,
        substitute: Option<(&str, Moment)>,
    ) -> Result<String, LetterFault> {
        let (name, until) = substitute.unzip();
        self.write(reader, &StandingIn { name, until })
    }

    /// Writes why a text could not be parsed as a period, and what would be correct.
    pub fn period_fault(
        &self,
        reader: &Reader,
        fault: &PeriodFault,
    ) -> Result<String, LetterFault> {
        self.write(reader, &PeriodMisread { fault })
    }

    /// Returns a fault for each sample policy whose line is not parsed back to the same policy.
    pub(super) fn absence_not_read_back(&self, reader: &Reader) -> Vec<LetterFault> {
        let mut all = Vec::new();
        for absence in samples::absences() {
            let Ok(line) = self.absence_line(reader, &absence) else { continue };
            if Absence::read(&line, &Absence::of_game(true)) != Ok(absence) {
                let message = format!("{line:?} is not read back as the same");
                all.push(self.fault_of::<AbsenceLine>(reader, message));
            }
        }
        all
    }
}

letters! {
    /// Letters about players who are missing, late or away.
    LETTERS in DESK;

    /// An absence policy.
    "absence" pub struct AbsenceInWords {
        allowance: u8,
        grace: Option<LengthView>,
        inactive_after: u8,
        inactive: Inactive,
        away: Away,
        minimum: Option<Minimum>,
    }

    /// The reason why a line is not an absence policy.
    "absence_fault" struct AbsenceMisread<'a> { fault: &'a AbsenceFault }

    /// The period in which the reader is away.
    "whereabouts" struct Whereabouts {
        from: Option<Moment> => always,
        until: Option<Moment>,
        tables: Vec<AwayFrom>,
    }

    /// The substitute for the reader's seat, if there is one.
    "standing_in" struct StandingIn<'a> { name: Option<&'a str>, until: Option<Moment> => always }

    /// The note to a player who is no longer away.
    "home" pub struct Home {}

    /// The reason why a text is not a period.
    "period_fault" struct PeriodMisread<'a> { fault: &'a PeriodFault }
}

sampled! {
    /// The effect of a player's absence on the deadlines of one table.
    struct AwayFrom { code: TableCode, rule: Away }
}

sampled_from! {
    Minimum: Minimum::SPANS.map(|of| Minimum { missed: 2, of });
}

sampled_variants! {
    Away { Skip, Extend, House, Substitute }
    Inactive { Skip, House }
    AbsenceFault {
        Unknown { said, nearest }, Incomplete { said }, Unfitting { said }, Twice { said },
        TooMany { said, most }, TooLong { said, most },
    }
    PeriodFault { NoTime { said }, NoEnd }
}

as_typed! {
    /// An absence policy as one line of input.
    LINES in DESK: "absence_line" struct AbsenceLine(AbsenceInWords);
}

impl AbsenceInWords {
    /// Returns the letter of an absence policy.
    pub fn new(absence: &Absence) -> Self {
        Self {
            allowance: absence.allowance,
            grace: (absence.grace > Span::ZERO).then(|| LengthView::new(absence.grace)),
            inactive_after: absence.inactive_after,
            inactive: absence.inactive,
            away: absence.away,
            minimum: absence.minimum,
        }
    }
}
