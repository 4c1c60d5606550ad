//! Substitutes, who declare for a seat until a date.

use serenity::all::UserId;

use crate::address;
use crate::address::Destination;
use crate::answer::PrivateAnswer;
use crate::controls::buttons;
use crate::controls::control::Control;
use crate::incoming::{CommandArguments, Incoming, PickedTarget};
use crate::interactions::{InteractionError, InteractionHandler};
use desk::clock;
use desk::{Guest, Sight};
use letters::discord::StandsIn;
use letters::panel::Style;
use letters::{Moment, Reader, Refused};
use rules::Seat;
use tables::absence::Period;
use tables::ids::TableCode;

impl InteractionHandler {
    /// `/substitute`: names a substitute, or shows the present one.
    pub(super) async fn substitute(
        &self,
        incoming: &Incoming,
        code: &TableCode,
        arguments: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let seat = self.own_seat(incoming, &sight).await?;
        let Some(PickedTarget::Person { id, name, bot }) = &incoming.whom else {
            return self.standing_in(&sight, &reader, seat).await;
        };
        if *bot {
            let (user, refused) = (Some(id.to_string()), Some("bot"));
            let stands_in = StandsIn { code, user, until: None, refused };
            return Ok(PrivateAnswer::words(self.letters.write(&reader, &stands_in)?));
        }
        let (now, until) = (clock::now(), arguments.get("until").map(String::as_str));
        let until = match Period::between(None, until, sight.pace.zone, now) {
            Ok(period) => period.until,
            Err(fault) => {
                return Ok(PrivateAnswer::words(self.letters.period_fault(&reader, &fault)?));
            }
        };
        let to = Guest {
            account: address::account(*id),
            name: name.clone(),
            language: sight.language,
            address: address::own(*id),
        };
        let account = address::account(incoming.person.id);
        self.desk.delegate(code, &account, to, until, now).await?;
        (self.ring)();
        self.show_thread(code, *id).await?;
        self.standing_in(&sight, &reader, seat).await
    }

    /// Dismisses a player's substitute.
    pub(super) async fn dismiss_substitute(
        &self,
        incoming: &Incoming,
        code: &TableCode,
    ) -> Result<PrivateAnswer, InteractionError> {
        let account = address::account(incoming.person.id);
        let seat = self.desk.dismiss_substitute(code, &account, clock::now()).await?;
        (self.ring)();
        let (sight, reader) = self.see(incoming, code).await?;
        self.standing_in(&sight, &reader, seat).await
    }

    /// Returns the person's own seat: a substitute cannot name another one.
    async fn own_seat(&self, incoming: &Incoming, sight: &Sight) -> Result<Seat, InteractionError> {
        let account = address::account(incoming.person.id);
        let accounts = self.desk.store().read().await?.accounts(&sight.code).await?;
        let own = accounts.into_iter().find(|(_, of)| *of == account);
        own.map(|(seat, _)| seat).ok_or_else(|| Refused::NotSeated.into())
    }

    /// Shows the substitute of a seat.
    async fn standing_in(
        &self,
        sight: &Sight,
        reader: &Reader,
        seat: Seat,
    ) -> Result<PrivateAnswer, InteractionError> {
        let code = &sight.code;
        let substitute = self.desk.substitute(code, seat, clock::now()).await?;
        let user = substitute.as_ref().and_then(|(address, _)| match Destination::parse(address) {
            Some(Destination::User(user)) => Some(user.to_string()),
            _ => None,
        });
        let until = substitute.map(|(_, until)| Moment::end_at(until, sight.pace.zone));
        let rows = match &user {
            Some(_) => {
                let control = Control::TakeBack { code: code.clone() };
                buttons::one(&self.letters, reader, "take-back", Style::Plain, &control)?
            }
            None => Vec::new(),
        };
        let stands_in = StandsIn { code, user, until, refused: None };
        let text = self.letters.write(reader, &stands_in)?;
        Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
    }

    /// Adds a user to the thread of a table, if it has one.
    pub(super) async fn show_thread(
        &self,
        code: &TableCode,
        user: UserId,
    ) -> Result<(), InteractionError> {
        let table = self.desk.store().read().await?.table(code).await?;
        let place = table.and_then(|table| table.place);
        if let Some(Destination::Channel(thread)) = place.as_ref().and_then(Destination::parse)
            && let Err(unsent) = self.api.add_to_thread(thread, user).await
        {
            // The user can see the thread without being a member.
            tracing::debug!(%unsent, "somebody was not brought into the thread");
        }
        Ok(())
    }
}
