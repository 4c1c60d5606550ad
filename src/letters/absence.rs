//! Letters about who is missing, late or away.

use serde_json::Value as Json;

use crate::checking::samples;
use crate::pace::LengthView;
use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{always, as_typed, letters, sampled, sampled_from};
use crate::template::views::{DeclaredAnswers, Moment, QuestionView};
use rules::Interview;
use tables::Absence;
use tables::absence::{AbsenceFault, Away, Inactive, Minimum, PeriodFault};
use tables::ids::TableCode;
use tables::time::Span;

/// The open questions of an interview, as a letter on its way keeps them.
pub fn open_questions(interview: &Interview) -> Json {
    let open: Vec<QuestionView> = interview.open().map(QuestionView::new).collect();
    serde_json::to_value(open).unwrap_or_default()
}

/// How a declaration reads, for a letter that is written later.
pub fn declared_answers(interview: &Interview) -> Json {
    serde_json::to_value(DeclaredAnswers::new(interview)).unwrap_or_default()
}

impl Letters {
    /// What becomes of those who are missing, as a sentence.
    pub fn absence(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        Ok(self.write(reader, &AbsenceInWords::new(absence))?.trim().to_owned())
    }

    /// The same in one line as it is typed, which [`Absence::read`] reads as the same if its grace
    /// is whole seconds.
    pub fn absence_line(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        let line = AbsenceLine(AbsenceInWords::new(absence));
        Ok(self.write(reader, &line)?.trim().to_owned())
    }

    /// Why a line does not say it, and what would be right.
    pub fn absence_fault(
        &self,
        reader: &Reader,
        fault: &AbsenceFault,
    ) -> Result<String, LetterFault> {
        self.write(reader, &AbsenceMisread { fault })
    }

    /// Where somebody is, for themselves: when they are away, and what becomes of a deadline then at
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

    /// Who stands in for the reader's seat and until when, if anybody does.
    pub fn standing_in(
        &self,
        reader: &Reader,
        substitute: Option<(&str, Moment)>,
    ) -> Result<String, LetterFault> {
        let (name, until) = substitute.unzip();
        self.write(reader, &StandingIn { name, until })
    }

    /// Why a text says no stretch of time, and what would be right.
    pub fn period_fault(
        &self,
        reader: &Reader,
        fault: &PeriodFault,
    ) -> Result<String, LetterFault> {
        self.write(reader, &PeriodMisread { fault })
    }

    /// What tells what becomes of somebody and is not read back as the same.
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
    /// Letters about who is missing, late or away.
    LETTERS in DESK;

    /// What becomes of those who are missing.
    "absence" pub struct AbsenceInWords {
        allowance: u8,
        grace: Option<LengthView>,
        inactive_after: u8,
        inactive: Inactive,
        away: Away,
        minimum: Option<Minimum>,
    }

    /// Why a line does not say that.
    "absence_fault" struct AbsenceMisread<'a> { fault: &'a AbsenceFault }

    /// Where somebody is.
    "whereabouts" struct Whereabouts {
        from: Option<Moment> => always,
        until: Option<Moment>,
        tables: Vec<AwayFrom>,
    }

    /// Who stands in for the reader, if anybody does.
    "standing_in" struct StandingIn<'a> { name: Option<&'a str>, until: Option<Moment> => always }

    /// Somebody is there again, for themselves.
    "home" pub struct Home {}

    /// Why a text says no stretch of time.
    "period_fault" struct PeriodMisread<'a> { fault: &'a PeriodFault }
}

sampled! {
    /// What becomes of a deadline at a table of somebody's who is away.
    struct AwayFrom { code: TableCode, rule: Away }
}

sampled_from! {
    Away: [Away::Skip, Away::Extend, Away::House, Away::Substitute];
    Inactive: [Inactive::Skip, Inactive::House];
    Minimum: Minimum::SPANS.map(|of| Minimum { missed: 2, of });
    AbsenceFault: samples::absence_faults();
    PeriodFault: samples::period_faults();
}

as_typed! {
    /// What becomes of those who are missing, in one line as it is typed.
    LINES in DESK: "absence_line" struct AbsenceLine(AbsenceInWords);
}

impl AbsenceInWords {
    /// Of this policy.
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
