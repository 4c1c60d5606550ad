//! What somebody looks at: their hand, the table, what has happened, and the rules.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::desk::{PlayView, follow};
use crate::letters::{Refused, WindowResult};
use crate::rules::receipt::Head;
use crate::rules::{Declaration, Seat};
use crate::tables::{ResultForm, Stage};

impl<'a> Conversation<'a> {
    /// Where they sit, or for whom they declare.
    pub fn seat(&self) -> Result<Seat, Refused> {
        self.sight.seat.ok_or(Refused::NotSeated)
    }

    /// The contest, once it has begun.
    pub fn playing(&self) -> Result<&'a PlayView, Refused> {
        self.sight.play.as_ref().ok_or(Refused::NotBegun)
    }

    /// Whether something is asked of them in the open window.
    pub fn is_asked(&self) -> bool {
        let play = self.sight.play.as_ref();
        play.zip(self.sight.seat).is_some_and(|(play, seat)| play.asked.contains(&seat))
    }

    /// Their hand and what they have on the table.
    pub fn hand(&self) -> Result<ConversationAnswer, ConversationError> {
        let play = self.playing()?;
        let report = play.contest.report(self.sight.viewer());
        let speaker = &self.speaker;
        let text = speaker.letters.hand(speaker.reader, self.seat()?, &report)?;
        let acts = || self.sight.acting(&Declaration::default()).is_asking();
        let says = self.sight.stage == Stage::Playing && (self.is_asked() || acts());
        let next_steps = if says { vec![NextStep::Declare] } else { Vec::new() };
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// What the last window brought, in the whole form of the source, and where everything stands
    /// (E7).
    pub async fn position(&self) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { letters, reader, desk, now, .. } = self.speaker;
        let past = desk.past(self.sight, now).await?;
        let Some((play, last)) = self.sight.play.as_ref().zip(self.sight.over(&past).last()) else {
            return Ok(ConversationAnswer::words(self.sight.position(letters, reader)?));
        };
        let report = play.contest.report(self.sight.viewer());
        let mut text = letters.result(reader, &last.entries, &report, ResultForm::Full)?;
        follow(&mut text, &self.sight.beside_the_board(play, letters, reader)?);
        Ok(ConversationAnswer::words(text))
    }

    /// What has happened so far.
    pub async fn log(&self) -> Result<ConversationAnswer, ConversationError> {
        let past = self.speaker.desk.past(self.sight, self.speaker.now).await?;
        let windows = past.iter();
        let windows = windows
            .map(|past| WindowResult { number: past.window, entries: &past.entries })
            .collect::<Vec<_>>();
        Ok(ConversationAnswer::words(self.speaker.letters.log(self.speaker.reader, &windows)?))
    }

    /// The rulings of the last window.
    pub async fn why(&self) -> Result<ConversationAnswer, ConversationError> {
        let past = self.speaker.desk.past(self.sight, self.speaker.now).await?;
        // The first is the deal.
        let last = self.sight.over(&past).iter().skip(1).next_back();
        let last = last.ok_or(Refused::NothingRuled)?;
        Ok(ConversationAnswer::words(self.speaker.letters.why(self.speaker.reader, &last.entries)?))
    }

    /// Their receipts, and once the table is over, by what each can be computed again.
    pub async fn receipts(&self) -> Result<ConversationAnswer, ConversationError> {
        let speaker = &self.speaker;
        let receipts = speaker.desk.receipts(self.sight, speaker.account, speaker.now).await?;
        let text = receipts.written(speaker.letters, speaker.reader, self.sight.pace.zone)?;
        Ok(ConversationAnswer {
            text,
            verbatim: receipts.commands(),
            ..ConversationAnswer::default()
        })
    }

    /// What comes of playing the table again, once it is over, held against the heads of its journal
    /// that were posted.
    pub async fn verify(&self, heads: &[Head]) -> Result<ConversationAnswer, ConversationError> {
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let replay = speaker.desk.verify(code, speaker.now).await?;
        Ok(ConversationAnswer::words(replay.written(
            speaker.letters,
            speaker.reader,
            code,
            heads,
        )?))
    }
}
