//! Votes of the table: proposals and ballots.

use crate::address;
use crate::answer::PrivateAnswer;
use crate::controls::control::ShownRevision;
use crate::incoming::{CommandArguments, Incoming, PickedTarget};
use crate::interactions::conversation;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::posting::post;
use desk::conversation::Conversation;
use desk::{Ballot, Balloted, Override, clock, read_ballot_options};
use letters::OverrideRefused;
use rules::Seat;
use store::posts;
use tables::ids::{TableCode, VoteNumber};

/// `/vote`: proposes something, votes, or shows the open votes.
pub(super) async fn vote(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let of = |name: &str| arguments.get(name).map_or("", String::as_str);
    let (mut rest, mut seat) = (of("time").to_owned() + of("text"), None);
    if let Some(whom) = &incoming.whom {
        let name;
        (seat, name) = seat_of(handler, code, whom).await?;
        rest += &name;
    }
    let account = address::account(incoming.person.id);
    let speaker = handler.speaker(&account, &reader);
    let ballot = read_ballot_options(of("what"), &rest, seat, &sight, speaker.now);
    let (balloted, answer) = Conversation { speaker, sight: &sight }.vote(ballot, None).await?;
    (handler.ring)();
    let mut shown = conversation::shown(handler, code, &reader, answer)?;
    if let Some(Balloted::Shown(open)) = balloted {
        for vote in &open {
            shown.rows.extend(post::voices(code, vote, &handler.letters, &reader)?);
        }
    }
    Ok(shown)
}

/// Agrees to a draw, if the table is unchanged since the question.
pub(super) async fn agree_to_draw(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    asked_at: &ShownRevision,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let account = address::account(incoming.person.id);
    let conversation = Conversation { speaker: handler.speaker(&account, &reader), sight: &sight };
    let draw = Ok(Ballot::Propose(Override::End));
    let (_, answer) = conversation.vote(draw, Some(asked_at.as_str())).await?;
    (handler.ring)();
    conversation::shown(handler, code, &reader, answer)
}

/// Handles a press on a vote.
pub(super) async fn cast_vote(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    number: VoteNumber,
    yes: bool,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    let vote = desk::give_voice(&handler.desk, code, &account, number, yes, clock::now()).await;
    // A refused ballot may have ended the vote.
    (handler.ring)();
    let (sight, reader) = handler.see(incoming, code).await?;
    let counted = Balloted::Counted { yes, vote: vote? };
    Ok(PrivateAnswer::words(counted.words(&handler.letters, &reader, sight.pace.zone)?))
}

/// Returns the seat of a person, if they have one, and the text that names the person.
async fn seat_of(
    handler: &InteractionHandler,
    code: &TableCode,
    whom: &PickedTarget,
) -> Result<(Option<Seat>, String), InteractionError> {
    let PickedTarget::Person { id, name, bot: false } = whom else {
        return Err(OverrideRefused::NoPerson.into());
    };
    let account = address::account(*id);
    let accounts = posts::accounts(&mut handler.desk.store().read().await?, code).await?;
    let found = accounts.into_iter().find(|(_, of)| *of == account);
    let seat = found.map(|(seat, _)| seat);
    Ok((seat, seat.map_or_else(|| format!("@{name}"), |seat| seat.name().to_owned())))
}
