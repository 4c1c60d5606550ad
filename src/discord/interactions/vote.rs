//! Votes of the table: what is proposed, and what somebody says about it.

use super::{InteractionError, InteractionHandler};
use crate::clock;
use crate::desk::{Balloted, Sight, read_ballot};
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::incoming::{CommandArguments, Incoming, PickedTarget};
use crate::discord::post;
use crate::ids::VoteNumber;
use crate::letters::{Reader, Refused};

impl InteractionHandler {
    /// `/vote`: proposes something, votes, or shows which votes are open.
    pub(super) async fn vote(
        &self,
        incoming: &Incoming,
        code: &str,
        said: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let of = |name: &str| said.get(name).map_or("", String::as_str);
        let mut line = format!("{} {}", of("what"), of("time"));
        if let Some(whom) = &incoming.whom {
            line += &self.seat_of(code, whom).await?;
        }
        let (account, now) = (address::account(incoming.person.id), clock::now());
        let ballot = match read_ballot(&line, &sight, now) {
            Ok(ballot) => ballot,
            Err(fault) => return Ok(PrivateAnswer::words(fault.words(&self.letters, &reader)?)),
        };
        let balloted = self.desk.ballot(code, &account, &ballot, now).await?;
        (self.ring)();
        self.balloted(&sight, &reader, &balloted)
    }

    /// A press on a vote.
    pub(super) async fn cast_vote(
        &self,
        incoming: &Incoming,
        code: &str,
        number: VoteNumber,
        yes: bool,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        let vote = self.desk.vote(code, &account, number, yes, clock::now()).await;
        // What is refused may have ended it.
        (self.ring)();
        let (sight, reader) = self.see(incoming, code).await?;
        self.balloted(&sight, &reader, &Balloted::Counted { yes, vote: vote? })
    }

    /// What came of it, and the buttons of what is open.
    fn balloted(
        &self,
        sight: &Sight,
        reader: &Reader,
        balloted: &Balloted,
    ) -> Result<PrivateAnswer, InteractionError> {
        let mut rows = Vec::new();
        if let Balloted::Shown(open) = balloted {
            for vote in open {
                rows.extend(post::voices(&sight.code, vote, &self.letters, reader)?);
            }
        }
        let text = balloted.words(&self.letters, reader, sight.pace.zone)?;
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// The seat of somebody, as it is written; a name that is nobody's if they have none.
    async fn seat_of(&self, code: &str, whom: &PickedTarget) -> Result<String, InteractionError> {
        let PickedTarget::Person { id, name, bot: false } = whom else {
            return Err(Refused::NoPerson.into());
        };
        let account = address::account(*id);
        let accounts = self.desk.store().read().await?.accounts(code).await?;
        let found = accounts.into_iter().find(|(_, of)| *of == account);
        Ok(found.map_or_else(|| format!("@{name}"), |(seat, _)| seat.name().to_owned()))
    }
}
