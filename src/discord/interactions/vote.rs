//! Votes of the table: what is proposed, and what somebody says about it.

use crate::clock;
use crate::conversation::Conversation;
use crate::desk::{Balloted, read_ballot_options};
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::incoming::{CommandArguments, Incoming, PickedTarget};
use crate::discord::interactions::{InteractionError, InteractionHandler};
use crate::discord::posting::post;
use crate::ids::{TableCode, VoteNumber};
use crate::letters::OverrideRefused;
use crate::rules::Seat;

impl InteractionHandler {
    /// `/vote`: proposes something, votes, or shows which votes are open.
    pub(super) async fn vote(
        &self,
        incoming: &Incoming,
        code: &TableCode,
        said: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let of = |name: &str| said.get(name).map_or("", String::as_str);
        let (mut rest, mut seat) = (of("time").to_owned() + of("text"), None);
        if let Some(whom) = &incoming.whom {
            let name;
            (seat, name) = self.seat_of(code, whom).await?;
            rest += &name;
        }
        let account = address::account(incoming.person.id);
        let speaker = self.speaker(&account, &reader);
        let said = read_ballot_options(of("what"), &rest, seat, &sight, speaker.now);
        let (balloted, text) = Conversation { speaker, sight: &sight }.vote(said).await?;
        (self.ring)();
        let mut rows = Vec::new();
        if let Some(Balloted::Shown(open)) = balloted {
            for vote in &open {
                rows.extend(post::voices(code, vote, &self.letters, &reader)?);
            }
        }
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// A press on a vote.
    pub(super) async fn cast_vote(
        &self,
        incoming: &Incoming,
        code: &TableCode,
        number: VoteNumber,
        yes: bool,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        let vote = self.desk.vote(code, &account, number, yes, clock::now()).await;
        // What is refused may have ended it.
        (self.ring)();
        let (sight, reader) = self.see(incoming, code).await?;
        let counted = Balloted::Counted { yes, vote: vote? };
        Ok(PrivateAnswer::words(counted.words(&self.letters, &reader, sight.pace.zone)?))
    }

    /// The seat of somebody, if they have one, and how they are called then.
    async fn seat_of(
        &self,
        code: &TableCode,
        whom: &PickedTarget,
    ) -> Result<(Option<Seat>, String), InteractionError> {
        let PickedTarget::Person { id, name, bot: false } = whom else {
            return Err(OverrideRefused::NoPerson.into());
        };
        let account = address::account(*id);
        let accounts = self.desk.store().read().await?.accounts(code).await?;
        let found = accounts.into_iter().find(|(_, of)| *of == account);
        let seat = found.map(|(seat, _)| seat);
        Ok((seat, seat.map_or_else(|| format!("@{name}"), |seat| seat.name().to_owned())))
    }
}
