//! Letters about who is missing, late or away.

use serde_json::{Value as Json, json};

use crate::letters::checking::samples;
use crate::letters::pace::LengthView;
use crate::letters::template::letters::{DESK, LetterFault, Letters, template_name};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::{Moment, QuestionView};
use crate::rules::Interview;
use crate::tables::Absence;
use crate::tables::absence::{AbsenceFault, Away, Inactive, Minimum, PeriodFault};
use crate::time::Span;

/// The open questions of an interview, as a letter on its way keeps them.
pub fn open_questions(interview: &Interview) -> Json {
    let open: Vec<QuestionView> = interview.open().map(QuestionView::new).collect();
    serde_json::to_value(open).unwrap_or_default()
}

impl Letters {
    /// What becomes of those who are missing, as a sentence.
    pub fn absence(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        Ok(self.letter(DESK, reader, "absence", view(absence))?.trim().to_owned())
    }

    /// The same in one line as it is typed, which [`Absence::read`] reads as the same if its grace
    /// is whole seconds.
    pub fn absence_line(&self, reader: &Reader, absence: &Absence) -> Result<String, LetterFault> {
        Ok(self.letter(DESK, reader, "absence_line", view(absence))?.trim().to_owned())
    }

    /// Why a line does not say it, and what would be right.
    pub fn absence_fault(
        &self,
        reader: &Reader,
        fault: &AbsenceFault,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "absence_fault", json!({ "fault": fault }))
    }

    /// Where somebody is, for themselves: when they are away, and what becomes of a deadline then at
    /// each of their tables.
    pub fn whereabouts(
        &self,
        reader: &Reader,
        away: Option<(Moment, Moment)>,
        tables: &[(String, Away)],
    ) -> Result<String, LetterFault> {
        let (from, until) = away.unzip();
        let table = |(code, rule): &(String, Away)| json!({ "code": code, "rule": rule });
        let tables: Vec<Json> = tables.iter().map(table).collect();
        let context = json!({ "from": from, "until": until, "tables": tables });
        self.letter(DESK, reader, "whereabouts", context)
    }

    /// Who stands in for the reader's seat and until when, if anybody does.
    pub fn standing_in(
        &self,
        reader: &Reader,
        substitute: Option<(&str, Moment)>,
    ) -> Result<String, LetterFault> {
        let (name, until) = substitute.unzip();
        self.letter(DESK, reader, "standing_in", json!({ "name": name, "until": until }))
    }

    /// Somebody is there again, for themselves.
    pub fn home(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "home", ())
    }

    /// Why a text says no stretch of time, and what would be right.
    pub fn period_fault(
        &self,
        reader: &Reader,
        fault: &PeriodFault,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "period_fault", json!({ "fault": fault }))
    }

    /// Everything of this, once, for the letters' own check: what fails, and what is not read back
    /// as what it tells.
    pub(super) fn check_absence(&self, reader: &Reader) -> Vec<Result<String, LetterFault>> {
        let mut all = Vec::new();
        for absence in absences() {
            all.push(self.absence(reader, &absence));
            let line = self.absence_line(reader, &absence);
            if let Ok(line) = &line
                && Absence::read(line, &Absence::of_game(true)) != Ok(absence)
            {
                let file = self.file(&template_name(DESK, reader.lang, "absence_line"));
                let message = format!("{line:?} is not read back as the same");
                all.push(Err(LetterFault { file, line: 1, message }));
            }
            all.push(line);
        }
        all.extend(faults().iter().map(|fault| self.absence_fault(reader, fault)));
        let at = samples::moment;
        let rules = [Away::Extend, Away::House, Away::Skip, Away::Substitute];
        let tables = rules.map(|rule| ("K7Q2T".to_owned(), rule));
        all.push(self.whereabouts(reader, Some((at(), at())), &tables));
        all.push(self.whereabouts(reader, None, &[]));
        all.push(self.home(reader));
        all.push(self.standing_in(reader, None));
        all.push(
            self.standing_in(reader, Some(("ume", crate::letters::checking::samples::moment()))),
        );
        all.extend(period_faults().iter().map(|fault| self.period_fault(reader, fault)));
        all
    }
}

/// What the templates of a policy see.
fn view(absence: &Absence) -> Json {
    let grace = (absence.grace > Span::ZERO).then(|| LengthView::new(absence.grace));
    json!({
        "allowance": absence.allowance,
        "grace": grace,
        "inactive_after": absence.inactive_after,
        "inactive": absence.inactive,
        "away": absence.away,
        "minimum": absence.minimum,
    })
}

/// Some of everything that a host can set.
pub fn absences() -> Vec<Absence> {
    let mut all = vec![Absence::default()];
    for (at, away) in
        [Away::Extend, Away::House, Away::Skip, Away::Substitute].into_iter().enumerate()
    {
        let inactive = if at % 2 == 0 { Inactive::House } else { Inactive::Skip };
        let count = u8::try_from(at).unwrap_or_default();
        let grace = Span::seconds([0, 5_400, 7_200, 61][at]);
        let minimum = (at > 1).then_some(Minimum { missed: count, of: Minimum::SPANS[at % 2] });
        let allowance = count + 1;
        all.push(Absence { allowance, grace, inactive_after: count, inactive, away, minimum });
    }
    all
}

/// Every way in which a line can fail to say it.
pub fn faults() -> Vec<AbsenceFault> {
    let said = || "grase@here".to_owned();
    let all = vec![
        AbsenceFault::Unknown { said: said(), nearest: Some("grace".to_owned()) },
        AbsenceFault::Unknown { said: said(), nearest: None },
        AbsenceFault::Incomplete { said: said() },
        AbsenceFault::Unfitting { said: said() },
        AbsenceFault::Twice { said: said() },
        AbsenceFault::TooMany { said: 5, most: 4 },
        AbsenceFault::TooLong { said: Span::days(8), most: Span::days(7) },
    ];
    // A new fault must come to be told: add it above.
    for fault in &all {
        match fault {
            AbsenceFault::Unknown { .. }
            | AbsenceFault::Incomplete { .. }
            | AbsenceFault::Unfitting { .. }
            | AbsenceFault::Twice { .. }
            | AbsenceFault::TooMany { .. }
            | AbsenceFault::TooLong { .. } => {}
        }
    }
    all
}

/// Every way in which a text can fail to say a stretch of time.
pub fn period_faults() -> Vec<PeriodFault> {
    let all = vec![PeriodFault::NoTime { said: "so*o*n".to_owned() }, PeriodFault::NoEnd];
    // A new fault must come to be told: add it above.
    for fault in &all {
        match fault {
            PeriodFault::NoTime { .. } | PeriodFault::NoEnd => {}
        }
    }
    all
}
