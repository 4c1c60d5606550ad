//! Commands about the table itself: taking a seat, votes, and substitutes.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::absence::delegate;
use crate::overrides::vote::ballot;
use crate::table::form::join_at;
use crate::{Ballot, Balloted, Desk, Guest, NotDone, Override, Sight, VoteFault};
use letters::{OwnVoiceAlone, SeatRefused};
use rules::dice::Brought;
use rules::{Seat, text};
use tables::Stage;
use tables::ids::{Address, TableCode};
use tables::time::Time;

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
        Ok(delegate::substitute(desk, &self.sight.code, self.sight.seated()?, now).await?)
    }
}
