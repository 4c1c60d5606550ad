//! Substitutes, who declare for a seat until a date.

use serenity::all::UserId;

use crate::address::{self, Destination};
use crate::answer::PrivateAnswer;
use crate::controls::buttons;
use crate::controls::control::Control;
use crate::incoming::{CommandArguments, Incoming, PickedTarget};
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::{Contact, Sight, clock};
use letters::discord::StandsIn;
use letters::panel::Style;
use letters::{Moment, Reader, Refused};
use rules::Seat;
use store::posts;
use tables::absence::Period;
use tables::ids::TableCode;

/// `/substitute`: names a substitute, or shows the present one.
pub(super) async fn substitute(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    let seat = own_seat(handler, incoming, &sight).await?;
    let Some(PickedTarget::Person { id, name, bot }) = &incoming.whom else {
        return standing_in(handler, &sight, &reader, seat).await;
    };
    if *bot {
        let (user, refused) = (Some(id.to_string()), Some("bot"));
        let stands_in = StandsIn { code, user, until: None, refused };
        return Ok(PrivateAnswer::words(handler.letters.write(&reader, &stands_in)?));
    }
    let (now, until) = (clock::now(), arguments.get("until").map(String::as_str));
    let until = match Period::between(None, until, sight.pace.zone, now) {
        Ok(period) => period.until,
        Err(fault) => {
            return Ok(PrivateAnswer::words(handler.letters.period_fault(&reader, &fault)?));
        }
    };
    let to = Contact {
        account: address::account(*id),
        name: name.clone(),
        language: sight.language,
        address: address::own(*id),
    };
    let account = address::account(incoming.person.id);
    desk::delegate(&handler.desk, code, &account, to, until, now).await?;
    (handler.ring)();
    show_thread(handler, code, *id).await?;
    standing_in(handler, &sight, &reader, seat).await
}

/// Dismisses a player's substitute.
pub(super) async fn dismiss_substitute(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    let seat = desk::dismiss_substitute(&handler.desk, code, &account, clock::now()).await?;
    (handler.ring)();
    let (sight, reader) = handler.see(incoming, code).await?;
    standing_in(handler, &sight, &reader, seat).await
}

/// Returns the person's own seat: a substitute cannot name another one.
async fn own_seat(
    handler: &InteractionHandler,
    incoming: &Incoming,
    sight: &Sight,
) -> Result<Seat, InteractionError> {
    let account = address::account(incoming.person.id);
    let accounts = posts::accounts(&mut handler.desk.store().read().await?, &sight.code).await?;
    let own = accounts.into_iter().find(|(_, of)| *of == account);
    own.map(|(seat, _)| seat).ok_or_else(|| Refused::NotSeated.into())
}

/// Shows the substitute of a seat.
async fn standing_in(
    handler: &InteractionHandler,
    sight: &Sight,
    reader: &Reader,
    seat: Seat,
) -> Result<PrivateAnswer, InteractionError> {
    let code = &sight.code;
    let substitute = desk::substitute(&handler.desk, code, seat, clock::now()).await?;
    let user = substitute.as_ref().and_then(|(address, _)| match Destination::parse(address) {
        Some(Destination::User(user)) => Some(user.to_string()),
        _ => None,
    });
    let until = substitute.map(|(_, until)| Moment::end_at(until, sight.pace.zone));
    let rows = match &user {
        Some(_) => {
            let control = Control::TakeBack { code: code.clone() };
            buttons::one(&handler.letters, reader, "take-back", Style::Plain, &control)?
        }
        None => Vec::new(),
    };
    let stands_in = StandsIn { code, user, until, refused: None };
    let text = handler.letters.write(reader, &stands_in)?;
    Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
}

/// Adds a user to the thread of a table, if it has one.
pub(super) async fn show_thread(
    handler: &InteractionHandler,
    code: &TableCode,
    user: UserId,
) -> Result<(), InteractionError> {
    let table = handler.desk.store().read().await?.table(code).await?;
    let place = table.and_then(|table| table.place);
    if let Some(Destination::Channel(thread)) = place.as_ref().and_then(Destination::parse)
        && let Err(unsent) = handler.api.add_to_thread(thread, user).await
    {
        // The user can see the thread without being a member.
        tracing::debug!(%unsent, "somebody was not brought into the thread");
    }
    Ok(())
}
