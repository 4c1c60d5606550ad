//! Commands of a person about themselves, at all of their tables.

use chrono_tz::Tz;
use serde_json::json;

use super::{ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::absence::away::{self, back_at, back_everywhere, whereabouts};
use crate::absence::reputation;
use crate::person::settings::{person_settings, set_person};
use crate::view::mine::mine;
use crate::{Mine, OwnList, Whereabouts};
use letters::{Home, LetterFault, Moment, OwnSettings, OwnTables, SettingsMisread};
use tables::PersonSettings;
use tables::absence::{Period, PeriodFault};
use tables::calling::SettingsFault;
use tables::ids::TableCode;

impl Speaker<'_> {
    /// Sets the person's absence from all of their tables, unless `period` is `None`, and shows it.
    pub async fn away(
        &self,
        period: Option<Result<Period, PeriodFault>>,
        zone: Tz,
    ) -> Result<ConversationAnswer, ConversationError> {
        match period.transpose() {
            Ok(None) => {}
            Ok(Some(Period { from, until })) => {
                away::away(self.desk, self.account, from, until, self.now).await?;
            }
            Err(fault) => {
                return Ok(ConversationAnswer::words(
                    self.letters.period_fault(self.reader, &fault)?,
                ));
            }
        }
        let Whereabouts { away, tables } = whereabouts(self.desk, self.account, self.now).await?;
        let away =
            away.map(|away| (Moment::at(away.from_at, zone), Moment::end_at(away.until_at, zone)));
        let next_steps = if away.is_some() { vec![NextStep::NotAway] } else { Vec::new() };
        let text = self.letters.whereabouts(self.reader, away, &tables)?;
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// Changes the person's settings for all of their tables, and shows them.
    pub async fn me(
        &self,
        change: impl FnOnce(PersonSettings) -> Result<PersonSettings, SettingsFault>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let before = person_settings(self.desk, self.account).await?;
        let settings = match change(before) {
            Ok(settings) => settings,
            Err(SettingsFault::Pace(fault)) => {
                let text = self.letters.pace_fault(self.reader, &fault)?;
                return Ok(ConversationAnswer::words(text));
            }
            Err(fault) => {
                let misread = SettingsMisread { fault: json!(fault) };
                return Ok(ConversationAnswer::words(self.letters.write(self.reader, &misread)?));
            }
        };
        if settings != before {
            set_person(self.desk, self.account, self.reader.lang, settings).await?;
        }
        let quiet = settings.quiet.map(|quiet| format!("{}-{}", quiet.from, quiet.to));
        let own = OwnSettings {
            zone: settings.zone.map(Tz::name),
            quiet: quiet.as_deref(),
            way: settings.way.into(),
            moments: settings.moments.into(),
        };
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &own)?))
    }

    /// Ends the person's absence at one table, or at all of theirs if `at` is `None`.
    pub async fn back(
        &self,
        at: Option<&TableCode>,
    ) -> Result<ConversationAnswer, ConversationError> {
        match at {
            Some(code) => back_at(self.desk, code, self.account, self.now).await?,
            None => back_everywhere(self.desk, self.account, self.now).await?,
        }
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &Home {})?))
    }

    /// Returns the person's tables, the soonest deadline first, and their attendance record. The front end
    /// writes the line for each table.
    pub async fn my(
        &self,
        line: impl Fn(&Mine) -> Result<String, LetterFault>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let OwnList { tables, more } = mine(self.desk, self.account, self.now).await?;
        let tables = tables.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let reputation = reputation::reputation(self.desk, self.account, self.now).await?;
        let own =
            OwnTables { tables: &tables, more, lately: reputation.lately, long: reputation.long };
        Ok(ConversationAnswer::words(self.letters.write(self.reader, &own)?))
    }
}
