//! What cannot be undone is asked about once: to close a window now, and to end a table.

use serde_json::json;

use super::settings::below;
use super::{Ears, Unanswered};
use crate::clock;
use crate::desk::{Play, Sight};
use crate::discord::address;
use crate::discord::answer::Answer;
use crate::discord::buttons;
use crate::discord::control::{Control, Wish};
use crate::discord::incoming::Incoming;
use crate::letters::{DISCORD, Reader, Refused};
use crate::panel::Style;
use crate::rules::window::Progress;
use crate::rules::{Sealing, Seat};
use crate::tables::Stage;

impl Ears {
    /// `/table end`: says what would be lost, and asks.
    pub(super) async fn end(
        &self,
        incoming: &Incoming,
        code: &str,
        reason: &str,
    ) -> Result<Answer, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        self.ask_end(&sight, &reader, reason)
    }

    fn ask_end(&self, sight: &Sight, reader: &Reader, reason: &str) -> Result<Answer, Unanswered> {
        is_hosts(sight)?;
        let window = number(sight);
        let text = self.letters.ending(reader, &sight.ending(reason))?;
        let control = Control::End { code: sight.code.clone(), window, reason: reason.to_owned() };
        let rows = buttons::one(&self.letters, reader, "end", Style::Grave, &control)?;
        Ok(Answer { text, rows, ..Answer::default() })
    }

    /// The table is to be ended, if it stands as it stood when that was asked.
    pub(super) async fn ended(
        &self,
        incoming: &Incoming,
        code: &str,
        window: i64,
        reason: &str,
    ) -> Result<Answer, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        if number(&sight) != window {
            let note = self.letters.letter(DISCORD, &reader, "moved", ())?;
            return Ok(below(note, self.ask_end(&sight, &reader, reason)?));
        }
        let account = address::account(incoming.person.id);
        let reason = Some(reason).filter(|reason| !reason.is_empty());
        self.desk.end(code, &account, reason, clock::now()).await?;
        self.done(incoming, code).await
    }

    /// `/table close`: where nobody is missing it is done, or else it is asked.
    pub(super) async fn close(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<Answer, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        match self.ask_close(&sight, &reader)? {
            Some(asked) => Ok(asked),
            None => self.close_now(incoming, code).await,
        }
    }

    async fn close_now(&self, incoming: &Incoming, code: &str) -> Result<Answer, Unanswered> {
        let account = address::account(incoming.person.id);
        self.desk.close(code, &account, clock::now()).await?;
        self.done(incoming, code).await
    }

    /// Says whose time would be cut short, and asks; nothing if it is nobody's, or if it cannot be
    /// done anyway. Where it is not told who has sealed, it is asked always, and of nobody in
    /// particular.
    fn ask_close(&self, sight: &Sight, reader: &Reader) -> Result<Option<Answer>, Unanswered> {
        is_hosts(sight)?;
        let Some(play) = sight.play.as_ref().filter(|play| play.shut.is_none()) else {
            return Ok(None);
        };
        let named = sight.sealing() == Sealing::Open && !sight.count_only;
        let awaited = awaited(play);
        if named && awaited.is_empty() {
            return Ok(None);
        }
        let told = json!({
            "window": play.contest.window(),
            "code": sight.code,
            "openly": sight.is_open_handed(),
            "awaited": if named { awaited } else { Vec::new() },
        });
        let text = self.letters.letter(DISCORD, reader, "closing", told)?;
        let control = Control::Close { code: sight.code.clone(), window: play.number };
        let rows = buttons::one(&self.letters, reader, "close", Style::Grave, &control)?;
        Ok(Some(Answer { text, rows, ..Answer::default() }))
    }

    /// The window is to be closed, if it is open still.
    pub(super) async fn closed(
        &self,
        incoming: &Incoming,
        code: &str,
        window: i64,
    ) -> Result<Answer, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        if number(&sight) == window {
            return self.close_now(incoming, code).await;
        }
        let note = self.letters.letter(DISCORD, &reader, "moved", ())?;
        match self.ask_close(&sight, &reader)? {
            Some(asked) => Ok(below(note, asked)),
            None => Ok(below(note, self.wish(incoming, code, Wish::Show).await?)),
        }
    }
}

/// The number of the window that somebody sees; -1 before the first.
fn number(sight: &Sight) -> i64 {
    sight.play.as_ref().map_or(-1, |play| play.number)
}

fn is_hosts(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.is_host => Err(Refused::NotHost),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}

/// Who is asked and has not sealed.
fn awaited(play: &Play) -> Vec<Seat> {
    let waits =
        |progress: &Progress| matches!(progress, Progress::NothingDeclared | Progress::Draft);
    play.progress.iter().filter(|(_, progress)| waits(progress)).map(|(seat, _)| seat).collect()
}
