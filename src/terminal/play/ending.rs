//! What ends something is asked about once, and done on what was shown: to close a window now, and to
//! end a table.

use super::session::{SessionError, TerminalSession};
use crate::commands::Command;
use crate::desk::{NotDone, follow};
use crate::letters::Refused;
use crate::time::Time;

/// What somebody was asked about, and the revision of the table that they were shown with it.
#[derive(Debug)]
pub(super) struct EndQuestion {
    about: Command,
    shown: String,
}

impl TerminalSession {
    /// The host closes the open window: the second word does it, where it cuts anybody's time short.
    pub(super) async fn close(&mut self, now: Time) -> Result<String, SessionError> {
        let shown = match self.was_shown(Command::Close) {
            Some(shown) => shown,
            None => match self.ask_close(now)? {
                Some(asked) => return Ok(asked),
                None => self.sight.revision.clone(),
            },
        };
        let (code, account) = (&self.sight.code, &self.guest.account);
        let closed = self.desk.close(code, account, Some(&shown), now).await;
        self.refresh(now).await?;
        match closed {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let mut text = self.refuse(Refused::MovedOn, "")?;
                follow(&mut text, &self.ask_close(now)?.unwrap_or_default());
                Ok(text)
            }
            Err(error) => Err(error.into()),
            Ok(()) => Ok(self.shut()?.unwrap_or_default()),
        }
    }

    /// Says whose time would be cut short, if anybody's may be.
    fn ask_close(&mut self, now: Time) -> Result<Option<String>, SessionError> {
        let Some(closing) = self.sight.closing(now).filter(|_| self.sight.is_host) else {
            return Ok(None);
        };
        let text = self.letters.closing(&self.reader, &closing)?;
        self.asks_about(Command::Close);
        Ok(Some(text))
    }

    /// The host ends the table: the second word does it.
    pub(super) async fn end_table(&mut self, now: Time) -> Result<String, SessionError> {
        if !self.sight.is_host {
            return self.refuse(Refused::NotHost, "");
        }
        let Some(shown) = self.was_shown(Command::End) else { return self.ask_end() };
        let (code, account) = (&self.sight.code, &self.guest.account);
        match self.desk.end(code, account, None, Some(&shown), now).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let mut text = self.refuse(Refused::MovedOn, "")?;
                follow(&mut text, &self.ask_end()?);
                Ok(text)
            }
            Err(error) => Err(error.into()),
            Ok(()) => Ok(String::new()),
        }
    }

    /// Says what would be lost.
    fn ask_end(&mut self) -> Result<String, SessionError> {
        let text = self.letters.ending(&self.reader, &self.sight.ending(""))?;
        self.asks_about(Command::End);
        Ok(text)
    }

    fn asks_about(&mut self, about: Command) {
        self.asked_about = Some(EndQuestion { about, shown: self.sight.revision.clone() });
    }

    /// The revision that they were shown when they were asked about this; none if they were not.
    fn was_shown(&mut self, about: Command) -> Option<String> {
        let asked = self.asked_about.take_if(|asked| asked.about == about)?;
        Some(asked.shown)
    }
}
