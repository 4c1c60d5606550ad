//! What ends something is asked about once, and done on what was shown: to close a window now, and to
//! end a table.

use super::settings::below;
use super::{InteractionError, InteractionHandler};
use crate::clock;
use crate::desk::{NotDone, Sight};
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::buttons;
use crate::discord::control::{ButtonAction, Control, ShownRevision};
use crate::discord::incoming::Incoming;
use crate::letters::{DISCORD, Reader, Refused};
use crate::panel::Style;
use crate::tables::Stage;

/// How long the text of a control can be, as Discord counts texts: in units of UTF-16.
const LONGEST: usize = 100;

impl InteractionHandler {
    /// `/table end`: says what would be lost, and asks.
    pub(super) async fn end(
        &self,
        incoming: &Incoming,
        code: &str,
        reason: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        self.ask_end(&sight, &reader, reason)
    }

    fn ask_end(
        &self,
        sight: &Sight,
        reader: &Reader,
        reason: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        is_hosts(sight)?;
        let control = fitting(&sight.code, &ShownRevision::of(&sight.revision), reason);
        let Control::End { reason, .. } = &control else { return Ok(PrivateAnswer::default()) };
        let text = self.letters.ending(reader, &sight.ending(reason))?;
        let rows = buttons::one(&self.letters, reader, "end", Style::Grave, &control)?;
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// The table is to be ended, if it stands as it stood when that was asked.
    pub(super) async fn end_confirmed(
        &self,
        incoming: &Incoming,
        code: &str,
        shown: &ShownRevision,
        reason: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        let said = Some(reason).filter(|reason| !reason.is_empty());
        let shown = Some(shown.as_str());
        match self.desk.end(code, &account, said, shown, clock::now()).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let (sight, reader) = self.see(incoming, code).await?;
                let note = self.letters.letter(DISCORD, &reader, "moved", ())?;
                Ok(below(note, self.ask_end(&sight, &reader, reason)?))
            }
            Err(error) => Err(error.into()),
            Ok(()) => self.done(incoming, code).await,
        }
    }

    /// `/table close`: where nobody is missing it is done, or else it is asked.
    pub(super) async fn close(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        match self.ask_close(&sight, &reader)? {
            Some(asked) => Ok(asked),
            None => self.close_confirmed(incoming, code, &ShownRevision::of(&sight.revision)).await,
        }
    }

    /// Says whose time would be cut short, and asks; nothing if it is nobody's, or if it cannot be
    /// done anyway.
    fn ask_close(
        &self,
        sight: &Sight,
        reader: &Reader,
    ) -> Result<Option<PrivateAnswer>, InteractionError> {
        is_hosts(sight)?;
        let Some(closing) = sight.closing(clock::now()) else { return Ok(None) };
        let text = self.letters.closing(reader, &closing)?;
        let control =
            Control::Close { code: sight.code.clone(), shown: ShownRevision::of(&sight.revision) };
        let rows = buttons::one(&self.letters, reader, "close", Style::Grave, &control)?;
        Ok(Some(PrivateAnswer { text, rows, ..PrivateAnswer::default() }))
    }

    /// The window is to be closed, if the table stands as it stood when that was asked.
    pub(super) async fn close_confirmed(
        &self,
        incoming: &Incoming,
        code: &str,
        shown: &ShownRevision,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        match self.desk.close(code, &account, Some(shown.as_str()), clock::now()).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {}
            Err(error) => return Err(error.into()),
            Ok(()) => return self.done(incoming, code).await,
        }
        let (sight, reader) = self.see(incoming, code).await?;
        let note = self.letters.letter(DISCORD, &reader, "moved", ())?;
        match self.ask_close(&sight, &reader)? {
            Some(asked) => Ok(below(note, asked)),
            None => Ok(below(note, self.press_button(incoming, code, ButtonAction::Show).await?)),
        }
    }
}

/// The control that ends a table, with as much of the reason as hangs on it: that much is shown
/// above it, and told.
fn fitting(code: &str, shown: &ShownRevision, reason: &str) -> Control {
    let mut reason = reason.to_owned();
    loop {
        let (code, shown) = (code.to_owned(), shown.clone());
        let control = Control::End { code, shown, reason: reason.clone() };
        if control.to_string().encode_utf16().count() <= LONGEST || reason.pop().is_none() {
            return control;
        }
    }
}

fn is_hosts(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.is_host => Err(Refused::NotHost),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}
