//! The conversation of one person about their tables, for all front ends: each verb is here once.
//!
//! A front end finds out which verb a line or a press means, and shows the [`ConversationAnswer`] in its own
//! way; it decides nothing itself.

mod declaring;
mod looking;
pub mod phrases;

use crate::absence::away;
use crate::model::from_refusals;
use crate::overrides::{ballot, host};
use crate::table::form::{self, join_at};
use crate::view::see::see_as;
use crate::{Ballot, Balloted, Desk, Gm, Guest, NotDone, Override, Sight, VoteFault};
use letters::{
    ChapterLink, HostLeaves, KeepingRefused, LetterFault, Letters, OwnVoiceAlone, Reader, Refused,
    SeatRefused, follow,
};
use rules::dice::Brought;
use rules::{Declaration, Seat, text};
use store::StoreError;
use tables::Stage;
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

pub use crate::conversation::declaring::SaidAct;
pub use crate::conversation::looking::LINES_BESIDE;
pub use crate::conversation::phrases::TypedLine;

/// A person who gives a command, and the means to answer.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    pub desk: &'a Desk,
    pub letters: &'a Letters,
    pub account: &'a AccountId,
    pub reader: &'a Reader,
    pub now: Time,
}

/// A person's conversation about a table, as they saw it a moment ago.
#[derive(Clone, Copy, Debug)]
pub struct Conversation<'a> {
    pub speaker: Speaker<'a>,
    pub sight: &'a Sight,
}

/// An answer to one person alone.
#[derive(Debug, Default)]
pub struct ConversationAnswer {
    /// Empty if the result shows elsewhere.
    pub text: String,
    /// The possible next steps, for front ends with buttons.
    pub next_steps: Vec<NextStep>,
    /// Text after the answer that must be shown character by character.
    pub verbatim: String,
}

/// A step that a person can take next with one press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The person answers the questions.
    Declare,
    /// The person reads the texts of the cards before them.
    Cards,
    /// The person reads one of these chapters of the rules.
    Rules(Vec<ChapterLink>),
    /// The person makes their sealed declaration standing orders.
    Always,
    /// The person leaves their seat and stays the host.
    Leave,
    /// The person ends their absence.
    NotAway,
    /// The person ends the game as a draw by their vote alone, at this revision of the table.
    AgreeToDraw { revision: String },
    /// The person does the act that was shown, for good.
    Act { declared: Declaration },
    /// The person closes the window, at this revision of the table.
    Close { revision: String },
    /// The person ends the table, at this revision and for this reason.
    End { revision: String, reason: String },
}

impl ConversationAnswer {
    pub(super) fn words(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// Returns the whole answer as one text, for front ends without files.
    pub fn written(mut self) -> String {
        follow(&mut self.text, &self.verbatim);
        self.text
    }

    /// Puts the answer below a note.
    pub(super) fn below(self, mut note: String) -> Self {
        follow(&mut note, &self.text);
        Self { text: note, ..self }
    }
}

impl Speaker<'_> {
    pub(super) fn refused(
        &self,
        refused: Refused,
        detail: &str,
    ) -> Result<String, ConversationError> {
        Ok(self.letters.refused(self.reader, refused, detail)?)
    }
}

/// An error in a conversation, or the refusal of a command.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    /// Refused because of this word of the input.
    #[error("refused: {0:?} ({1})")]
    RefusedFor(Refused, String),
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

from_refusals!(ConversationError, |refused| NotDone::Refused(refused).into());

impl From<ConversationError> for std::io::Error {
    fn from(broken: ConversationError) -> Self {
        Self::other(broken)
    }
}

impl From<StoreError> for ConversationError {
    fn from(error: StoreError) -> Self {
        Self::NotDone(error.into())
    }
}

impl ConversationError {
    /// Returns the refusal and the word that caused it. A store error is logged and becomes a refusal; a
    /// faulty letter is returned as the error.
    pub fn refusal(self) -> Result<(Refused, String), Self> {
        let error = match self {
            Self::NotDone(NotDone::Refused(refused)) => return Ok((refused, String::new())),
            Self::RefusedFor(refused, detail) => return Ok((refused, detail)),
            Self::NotDone(NotDone::Store(error)) => error,
            broken => return Err(broken),
        };
        tracing::error!(%error, "could not be saved");
        let refused = match error {
            StoreError::Full => KeepingRefused::NoRoom,
            StoreError::ReadOnly => KeepingRefused::ReadOnly,
            _ => KeepingRefused::Unsaved,
        };
        Ok((refused.into(), String::new()))
    }
}

/// Returns the code of a table as typed. The desk checks that there is such a table.
pub fn table_code(typed: &str) -> TableCode {
    text::fold(typed.trim()).to_uppercase().into()
}

/// Seats a guest at a table, or changes the value brought by a guest who is seated. The words, if any, choose
/// the value that is mixed into the seed of the dice; the chair, if any, is taken unless the game has begun.
pub async fn join(
    desk: &Desk,
    code: &TableCode,
    guest: Guest,
    (words, chair): (Option<&str>, Option<Seat>),
    now: Time,
) -> Result<Seat, NotDone> {
    let words = words.map(str::trim).unwrap_or_default();
    let brought = Brought::read(words).map_err(|_| SeatRefused::NoPromise)?;
    join_at(desk, code, guest, brought, chair, now).await
}

/// True if these words name a chair, such as `P3`, which need not exist, and are no value for the dice.
pub fn names_chair(words: &str) -> bool {
    let folded = text::fold(words.trim());
    let digits = folded.strip_prefix('p').unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

impl Sight {
    /// Returns the table's chair with this name.
    /// Refused if there is none.
    pub fn chair(&self, input: &str) -> Result<Seat, ConversationError> {
        let input = text::fold(input.trim()).to_uppercase();
        let chair = input.parse::<Seat>().ok().filter(|chair| chair.index() < self.chairs);
        chair.ok_or_else(|| {
            let free = Seat::all(self.chairs).filter(|chair| !self.taken.contains(chair));
            ConversationError::RefusedFor(SeatRefused::NoChair(free.collect()).into(), input)
        })
    }
}

impl Conversation<'_> {
    /// `None` unless the person's vote alone ends the game; otherwise the question to confirm it.
    fn ask_to_draw(
        &self,
        ballot: &Ballot,
    ) -> Result<Option<ConversationAnswer>, ConversationError> {
        let sight = self.sight;
        let is_own = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let ends =
            matches!(ballot, Ballot::Propose(Override::End)) && sight.stage == Stage::Playing;
        if !ends || !is_own || sight.taken.iter().any(|&seat| self.votes_beside(seat)) {
            return Ok(None);
        }
        let Speaker { letters, reader, .. } = self.speaker;
        let text = letters.write(reader, &OwnVoiceAlone {})?;
        let next_steps = vec![NextStep::AgreeToDraw { revision: sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// True if another person, who has a vote, sits on the seat.
    fn votes_beside(&self, seat: Seat) -> bool {
        self.sight.seat != Some(seat) && !self.sight.house.contains(&seat)
    }

    /// Proposes a motion, votes, or shows the open votes. Returns the outcome, `None` if the input could not
    /// be read, and its text. A vote that ends the game alone is asked about first, unless the person was
    /// asked at this revision of the table.
    pub async fn vote(
        &self,
        ballot: Result<Ballot, VoteFault>,
        asked_at: Option<&str>,
    ) -> Result<(Option<Balloted>, ConversationAnswer), ConversationError> {
        let speaker = &self.speaker;
        let ballot = match ballot {
            Ok(ballot) => ballot,
            Err(fault) => {
                let text = fault.words(speaker.letters, speaker.reader)?;
                return Ok((None, ConversationAnswer::words(text)));
            }
        };
        if asked_at != Some(&self.sight.revision)
            && let Some(asked) = self.ask_to_draw(&ballot)?
        {
            return Ok((None, asked));
        }
        let code = &self.sight.code;
        let balloted =
            ballot::ballot(speaker.desk, code, speaker.account, &ballot, speaker.now).await?;
        let words = balloted.words(speaker.letters, speaker.reader, self.sight.zone)?;
        Ok((Some(balloted), ConversationAnswer::words(words)))
    }

    /// `None` if the person has no substitute; otherwise the substitute's address and the end of the
    /// substitution.
    pub async fn substitute(&self) -> Result<Option<(Address, Time)>, ConversationError> {
        let Speaker { desk, now, .. } = self.speaker;
        Ok(away::substitute(desk, &self.sight.code, self.sight.seated()?, now).await?)
    }
}

impl Conversation<'_> {
    /// Closes the open window for whoever leads the table: immediately if nobody's time is cut short, or at
    /// the revision that was shown with the question.
    pub async fn close(
        &self,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let revision = match asked_at {
            Some(revision) => revision,
            None => match self.ask_close()? {
                Some(asked) => return Ok(asked),
                None => &self.sight.revision,
            },
        };
        let speaker = &self.speaker;
        let code = &self.sight.code;
        match host::close(speaker.desk, code, self.gm(), Some(revision), speaker.now).await {
            Err(NotDone::Refused(Refused::MovedOn)) => {}
            closed => return Ok(closed.map(|()| ConversationAnswer::default())?),
        }
        let sight = self.see_again().await?;
        let again = Conversation { sight: &sight, ..*self };
        let shown = match again.ask_close()? {
            Some(asked) => asked,
            None => again.position().await?,
        };
        Ok(shown.below(speaker.refused(Refused::MovedOn, "")?))
    }

    /// `None` if nobody's time would be cut short; otherwise the question, with the people concerned.
    fn ask_close(&self) -> Result<Option<ConversationAnswer>, ConversationError> {
        is_led(self.sight)?;
        let Some(closing) = self.sight.closing(self.speaker.now) else { return Ok(None) };
        let text = self.speaker.letters.write(self.speaker.reader, &closing)?;
        let next_steps = vec![NextStep::Close { revision: self.sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// Ends the table for whoever leads it, for a reason that may be empty, at the revision that was shown.
    /// If `asked_at` is `None`, shows the loss and asks.
    pub async fn end(
        &self,
        reason: &str,
        asked_at: Option<&str>,
    ) -> Result<ConversationAnswer, ConversationError> {
        let Some(revision) = asked_at else { return self.ask_end(reason) };
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let given_reason = Some(reason).filter(|reason| !reason.is_empty());
        let ended =
            host::end(speaker.desk, code, self.gm(), given_reason, Some(revision), speaker.now);
        match ended.await {
            Err(NotDone::Refused(Refused::MovedOn)) => {
                let sight = self.see_again().await?;
                let asked = Conversation { sight: &sight, ..*self }.ask_end(reason)?;
                Ok(asked.below(speaker.refused(Refused::MovedOn, "")?))
            }
            ended => Ok(ended.map(|()| ConversationAnswer::default())?),
        }
    }

    fn ask_end(&self, reason: &str) -> Result<ConversationAnswer, ConversationError> {
        is_led(self.sight)?;
        let text = self.speaker.letters.write(self.speaker.reader, &self.sight.ending(reason))?;
        let (revision, reason) = (self.sight.revision.clone(), reason.to_owned());
        let next_steps = vec![NextStep::End { revision, reason }];
        Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() })
    }

    /// Leaves the seat before the game begins. A host with other players is asked first, unless `was_asked`.
    pub async fn leave(&self, was_asked: bool) -> Result<ConversationAnswer, ConversationError> {
        let (speaker, sight) = (&self.speaker, self.sight);
        let is_other = |seat: &Seat| Some(*seat) != sight.seat;
        let others: Vec<Seat> = sight.taken.iter().copied().filter(is_other).collect();
        let is_sitting = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let leads_others = sight.is_host && is_sitting && !others.is_empty();
        if leads_others && sight.stage == Stage::Forming && !was_asked {
            let leaves = HostLeaves { code: &sight.code, others };
            let text = speaker.letters.write(speaker.reader, &leaves)?;
            let next_steps = vec![NextStep::Leave];
            return Ok(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() });
        }
        form::leave(speaker.desk, &sight.code, speaker.account, speaker.now).await?;
        Ok(ConversationAnswer::default())
    }

    async fn see_again(&self) -> Result<Sight, NotDone> {
        let speaker = &self.speaker;
        see_as(speaker.desk, &self.sight.code, &self.gm(), speaker.now).await
    }

    fn gm(&self) -> Gm {
        self.sight.gm.clone().unwrap_or_else(|| self.speaker.account.into())
    }
}

fn is_led(sight: &Sight) -> Result<(), Refused> {
    match sight.stage {
        _ if !sight.leads => Err(Refused::NotLeader),
        Stage::Over => Err(Refused::Over),
        Stage::Forming | Stage::Playing => Ok(()),
    }
}
