//! Being away and back, and what a host sets about those who are missing.

use super::sitting::{Broken, Sitting};
use crate::desk::{Change, Whereabouts, moment};
use crate::tables::Absence;
use crate::tables::absence::Period;

impl Sitting {
    /// Says to all of their tables when they are away, or shows what they have said.
    pub(super) async fn away(&self, text: &str, now: i64) -> Result<String, Broken> {
        let (account, zone) = (&self.guest.account, self.zone());
        if !text.is_empty() {
            match Period::read(text, zone, now) {
                Ok(period) => self.desk.away(account, period.from, period.until, now).await?,
                Err(fault) => return Ok(self.letters.period_fault(&self.reader, &fault)?),
            }
        }
        let Whereabouts { away, tables } = self.desk.whereabouts(account, now).await?;
        let away = away.map(|away| (moment(away.from_at, zone), moment(away.until_at, zone)));
        Ok(self.letters.whereabouts(&self.reader, away, &tables)?)
    }

    /// They are there, at all of their tables.
    pub(super) async fn back(&self, now: i64) -> Result<String, Broken> {
        self.desk.back_everywhere(&self.guest.account, now).await?;
        Ok(self.letters.home(&self.reader)?)
    }

    /// What becomes of those who are missing: set by the host, or shown.
    pub(super) async fn absence(&mut self, line: &str, now: i64) -> Result<String, Broken> {
        if !line.is_empty() {
            match Absence::read(line) {
                Ok(absence) => {
                    let (code, account) = (&self.sight.code, &self.guest.account);
                    self.desk.settle(code, account, Change::Absence(absence), now).await?;
                    self.refresh(now).await?;
                }
                Err(fault) => return Ok(self.letters.absence_fault(&self.reader, &fault)?),
            }
        }
        Ok(self.letters.absence(&self.reader, &self.sight.absence)?)
    }
}
