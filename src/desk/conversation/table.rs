//! What somebody says about the table itself: that they sit down, its votes, and who stands in for
//! them.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::{Ballot, Balloted, Desk, Guest, Motion, NotDone, Sight, VoteFault};
use letters::{OwnVoiceAlone, SeatRefused};
use rules::dice::Brought;
use rules::{Seat, text};
use tables::Stage;
use tables::ids::{Address, TableCode};
use tables::time::Time;

/// The code of a table, as somebody typed it. Whether there is such a table is for the desk to say.
pub fn table_code(typed: &str) -> TableCode {
    text::fold(typed.trim()).to_uppercase().into()
}

/// Somebody sits down at a table, or brings something else to the seat that they have. These words,
/// if there are any, choose what is mixed into the seed of the dice; and if a chair is said, they sit
/// there, as long as the game has not begun.
pub async fn join(
    desk: &Desk,
    code: &TableCode,
    guest: Guest,
    (words, chair): (Option<&str>, Option<Seat>),
    now: Time,
) -> Result<Seat, NotDone> {
    let words = words.map(str::trim).unwrap_or_default();
    let brought = Brought::read(words).map_err(|_| SeatRefused::NoPromise)?;
    desk.join_at(code, guest, brought, chair, now).await
}

/// True if these words are the name of a chair, as `P3` is, and nothing that anybody would mix into
/// the dice: whether there is such a chair is another question.
pub fn names_chair(words: &str) -> bool {
    let folded = text::fold(words.trim());
    let digits = folded.strip_prefix('p').unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

impl Sight {
    /// The chair that goes by this name at the table.
    /// Refused if none does.
    pub fn chair(&self, said: &str) -> Result<Seat, ConversationError> {
        let said = text::fold(said.trim()).to_uppercase();
        let chair = said.parse::<Seat>().ok().filter(|chair| chair.index() < self.chairs);
        chair.ok_or_else(|| {
            let free = Seat::all(self.chairs).filter(|chair| !self.taken.contains(chair));
            ConversationError::RefusedFor(SeatRefused::NoChair(free.collect()).into(), said)
        })
    }
}

impl Conversation<'_> {
    /// Says that their voice alone ends the game, and asks; nothing if it does not.
    fn ask_to_draw(
        &self,
        ballot: &Ballot,
    ) -> Result<Option<ConversationAnswer>, ConversationError> {
        let sight = self.sight;
        let is_own = sight.seat.is_some_and(|seat| sight.taken.contains(&seat));
        let ends = matches!(ballot, Ballot::Propose(Motion::Draw)) && sight.stage == Stage::Playing;
        if !ends || !is_own || sight.taken.iter().any(|&seat| self.votes_beside(seat)) {
            return Ok(None);
        }
        let Speaker { letters, reader, .. } = self.speaker;
        let text = letters.write(reader, &OwnVoiceAlone {})?;
        let next_steps = vec![NextStep::AgreeToDraw { revision: sight.revision.clone() }];
        Ok(Some(ConversationAnswer { text, next_steps, ..ConversationAnswer::default() }))
    }

    /// True if somebody else sits there who has a voice.
    fn votes_beside(&self, seat: Seat) -> bool {
        self.sight.seat != Some(seat) && !self.sight.house.contains(&seat)
    }

    /// Proposes something to the table, votes, or shows which votes are open; what came of it, if
    /// that could be read, and in words. What one voice alone would end is asked about, unless they
    /// were at this revision of the table.
    pub async fn vote(
        &self,
        said: Result<Ballot, VoteFault>,
        asked_at: Option<&str>,
    ) -> Result<(Option<Balloted>, ConversationAnswer), ConversationError> {
        let speaker = &self.speaker;
        let ballot = match said {
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
        let balloted = speaker.desk.ballot(code, speaker.account, &ballot, speaker.now).await?;
        let words = balloted.words(speaker.letters, speaker.reader, self.sight.zone)?;
        Ok((Some(balloted), ConversationAnswer::words(words)))
    }

    /// Where the letters go of who stands in for their seat now, and until when.
    pub async fn substitute(&self) -> Result<Option<(Address, Time)>, ConversationError> {
        let Speaker { desk, now, .. } = self.speaker;
        Ok(desk.substitute(&self.sight.code, self.sight.seated()?, now).await?)
    }
}
