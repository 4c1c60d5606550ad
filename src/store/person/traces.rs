//! What one person has left in the database: to be shown to them, or to be taken away.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Flag;
use crate::table::tables::Touched;
use rules::Seat;
use tables::Pace;
use tables::ids::{
    AccountId, Address, OverrideNumber, PersonId, TableCode, VoteNumber, WindowNumber,
};
use tables::time::Time;

/// A table that is somebody's, or at which they sit, and what of its row and theirs is about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptTable {
    /// What people type.
    pub code: TableCode,
    /// The game's word.
    pub game: String,
    /// The time when it was formed.
    pub formed_at: Time,
    /// 1 if it is their table.
    pub is_host: Flag,
    /// Their seat, from 0; none if they are but its host.
    pub seat: Option<Seat>,
    /// What they are called there; empty for P1 and so on.
    pub name: Option<String>,
    /// Where their letters go.
    pub address: Option<Address>,
    /// What they mixed into the seed, in hex digits.
    pub value: Option<String>,
}

/// What somebody has declared in a window, the whole of it: for nobody but themselves.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptDeclaration {
    pub code: TableCode,
    /// The window, from 0.
    pub number: WindowNumber,
    /// Their seat, from 0.
    pub seat: Seat,
    /// The answers, as JSON.
    #[serde(skip)]
    pub answers: String,
    /// 0 for a draft.
    pub sealed: Flag,
    /// 1 if nothing was left open in it.
    pub complete: Flag,
    /// The salt of the sealing, in hex digits.
    pub salt: Option<String>,
    /// Its hash, in hex digits.
    pub hash: Option<String>,
}

impl fmt::Debug for KeptDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A declaration must not reach a log.
        f.debug_struct("KeptDeclaration").field("code", &self.code).finish_non_exhaustive()
    }
}

/// A letter that was written to somebody alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptLetter {
    pub letter: String,
    /// Not before this time.
    pub send_at: Time,
    pub sent_at: Option<Time>,
    /// What it tells, as JSON; empty once it has been sent and need not be kept true.
    #[serde(skip)]
    pub body: String,
}

/// A seat on which somebody sat before somebody else took it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct FormerSeat {
    pub code: TableCode,
    /// The seat, from 0.
    pub seat: Seat,
    /// What they were called there; empty for P1 and so on.
    pub name: String,
    /// Where their letters went.
    pub address: Option<Address>,
}

/// Something that somebody has decided as a game master.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptOverride {
    pub code: TableCode,
    /// Its number there, from 0.
    pub number: OverrideNumber,
    /// The time when it was made.
    pub at: Time,
    /// What it is, as JSON.
    #[serde(skip)]
    pub what: String,
    /// Why it was made, in their words.
    pub reason: String,
    /// The number of the vote that they had proposed, if the table decided it.
    pub vote: Option<VoteNumber>,
}

impl fmt::Debug for KeptOverride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It may be a declaration, which must not reach a log.
        f.debug_struct("KeptOverride").field("code", &self.code).finish_non_exhaustive()
    }
}

/// A letter that is on its way.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Unsent {
    pub letter: String,
    /// What it tells, as JSON.
    pub body: String,
}

impl Session {
    /// The language of an account, if it is known.
    pub async fn language_of(&mut self, account: &AccountId) -> Result<Option<String>, StoreError> {
        let question = query_as::<_, (String,)>("select language from people where account = $1");
        Ok(self.one(question.bind(account.to_owned())).await?.map(|(language,)| language))
    }

    /// The tables that are a person's or at which they sit, the oldest first.
    pub async fn kept_tables(&mut self, person: &PersonId) -> Result<Vec<KeptTable>, StoreError> {
        let question = query_as(
            "select tables.code, game, formed_at, case when host = $1 then 1 else 0 end as is_host,
                 seat, name, address, value
             from tables left join seats on seats.code = tables.code and person = $1
             where host = $1 or person = $1 order by formed_at, tables.code",
        );
        self.all(question.bind(person.to_owned())).await
    }

    /// What a person has declared, in order.
    pub async fn kept_declarations(
        &mut self,
        person: &PersonId,
    ) -> Result<Vec<KeptDeclaration>, StoreError> {
        let question = query_as(
            "select declarations.code, number, declarations.seat, answers, sealed, complete,
                 declarations.salt, hash
             from declarations join seats
                 on seats.code = declarations.code and seats.seat = declarations.seat
             where person = $1 and number >= coalesce((select max(until) from former_seats former
                 where former.code = seats.code and former.seat = seats.seat), 0)
             union all
             select declarations.code, number, declarations.seat, answers, sealed, complete,
                 declarations.salt, hash
             from declarations join former_seats
                 on former_seats.code = declarations.code and former_seats.seat = declarations.seat
             where person = $1 and since <= number and number < until
             order by 1, 2",
        );
        self.all(question.bind(person.to_owned())).await
    }

    /// What was declared for a seat in a window: for whoever declares for it.
    pub async fn kept_declaration(
        &mut self,
        code: &TableCode,
        number: WindowNumber,
        seat: Seat,
    ) -> Result<Option<KeptDeclaration>, StoreError> {
        let question = query_as(
            "select code, number, seat, answers, sealed, complete, salt, hash from declarations
             where code = $1 and number = $2 and seat = $3",
        );
        self.one(question.bind(code.to_owned()).bind(number).bind(seat)).await
    }

    /// The seats that a person has left to others.
    pub async fn former_seats(&mut self, person: &PersonId) -> Result<Vec<FormerSeat>, StoreError> {
        let question = query_as(
            "select code, seat, name, address from former_seats where person = $1
             order by code, seat, until",
        );
        self.all(question.bind(person.to_owned())).await
    }

    /// Takes the names and addresses away from the seats that a person has left to others.
    pub async fn unname_former(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query(
            "update former_seats set name = '', address = null, salt = null where person = $1",
        );
        self.execute(statement.bind(person.to_owned())).await.map(drop)
    }

    /// What a person has decided as a game master, in order.
    pub async fn kept_overrides(
        &mut self,
        person: &PersonId,
    ) -> Result<Vec<KeptOverride>, StoreError> {
        let question = query_as(
            "select code, number, at, what, reason, vote from overrides where person = $1
             order by code, number",
        );
        self.all(question.bind(person.to_owned())).await
    }

    /// The tables at which an account may decide beside their hosts.
    pub async fn appointed_at(
        &mut self,
        account: &AccountId,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select code from game_masters where who = $1 order by code",
        );
        let codes = self.all(question.bind(account.to_owned())).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }

    /// The letters to a person alone that may be read by now, in order.
    pub async fn kept_letters(
        &mut self,
        person: &PersonId,
        now: Time,
    ) -> Result<Vec<KeptLetter>, StoreError> {
        let question = query_as(
            "select letter, send_at, sent_at, body from outbox
             where send_at <= $2 and address in (select address from seats where person = $1
                 union select address from substitutes where person = $1
                 union select address from calls where person = $1)
             order by send_at, letter",
        );
        self.all(question.bind(person.to_owned()).bind(now)).await
    }
}

/// Takes them away.
impl Session {
    /// Lets an account be called otherwise: nothing leads from it to the person any more, who is
    /// given back. `None`: it is not known.
    pub async fn disown(
        &mut self,
        account: &AccountId,
        nobody: &AccountId,
    ) -> Result<Option<PersonId>, StoreError> {
        let statement = query_as::<_, (PersonId,)>(
            "update people set account = $2, settings = '{}' where account = $1 returning person",
        );
        let statement = statement.bind(account.to_owned()).bind(nobody.to_owned());
        Ok(self.one(statement).await?.map(|(person,)| person))
    }

    /// Takes away every letter to an address, wherever it lies, and what kept them from arriving.
    pub async fn burn_letters(&mut self, address: &Address) -> Result<(), StoreError> {
        for statement in [
            "delete from outbox where address = $1",
            "delete from mail where address = $1",
            // A letter about what kept them from arriving goes by it, too.
            "delete from outbox where letter like '%-obstacle-% ' || $1",
            "delete from obstacles where cause like '% ' || $1",
            "delete from barred where place = $1",
        ] {
            self.execute(query(statement).bind(address.to_owned())).await?;
        }
        Ok(())
    }

    /// An account decides nowhere any more.
    pub async fn dismiss_master(&mut self, account: &AccountId) -> Result<(), StoreError> {
        let statement = query("delete from game_masters where who = $1");
        self.execute(statement.bind(account.to_owned())).await.map(drop)
    }

    /// The tables at which somebody has decided where a person sits.
    pub async fn moved_at(&mut self, person: &PersonId) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select distinct code from overrides where image like '%' || $1 || '%'",
        );
        let codes = self.all(question.bind(person.to_owned())).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }
}

impl Touched<'_> {
    /// Empties the reasons that a person gave for what they decided.
    pub async fn burn_reasons(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement =
            query("update overrides set reason = '', salt = null where code = $1 and person = $2");
        let statement = statement.bind(self.table.code.clone()).bind(person.to_owned());
        self.session.execute(statement).await.map(drop)
    }

    /// Takes away what was changed by what was decided at the table, and what was shown of it: it
    /// cannot be undone any more.
    pub async fn burn_images(&mut self) -> Result<(), StoreError> {
        for statement in [
            "update overrides set image = null, shown = null where code = $1",
            "update proposals set shown = null where code = $1",
        ] {
            self.session.execute(query(statement).bind(self.table.code.clone())).await?;
        }
        Ok(())
    }

    /// Takes away what a seat has declared too late.
    pub async fn burn_late(&mut self, seat: Seat) -> Result<(), StoreError> {
        let statement =
            query("delete from declarations where code = $1 and seat = $2 and late = 1");
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement).await.map(drop)
    }

    /// Takes the name and the address away from a seat.
    pub async fn unname(&mut self, seat: Seat) -> Result<(), StoreError> {
        let statement = query(
            "update seats set name = '', address = null, salt = null where code = $1 and seat = $2",
        );
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement).await.map(drop)
    }

    /// Lets a house player take a seat.
    pub async fn seat_house(&mut self, seat: Seat, house: &str) -> Result<(), StoreError> {
        let statement = query(
            "update seats set person = null, house = $3, salt = null where code = $1 and seat = $2",
        );
        let statement = statement.bind(self.table.code.clone()).bind(seat);
        self.session.execute(statement.bind(house.to_owned())).await.map(drop)
    }

    /// Lets somebody be the host.
    pub async fn hand_to(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query("update tables set host = $2 where code = $1");
        let statement = statement.bind(self.table.code.clone()).bind(person.to_owned());
        person.clone_into(&mut self.table.host);
        self.session.execute(statement).await.map(drop)
    }

    /// Lets whoever sits on the first chair be the host. False: nobody sits there.
    pub async fn inherit(&mut self) -> Result<bool, StoreError> {
        let statement = query(
            "update tables set host = (select person from seats
                 where code = $1 and person is not null order by seat limit 1)
             where code = $1 and exists (select 1 from seats
                 where code = $1 and person is not null)",
        );
        Ok(self.session.execute(statement.bind(self.table.code.clone())).await? > 0)
    }

    /// The letters about the table of which it is known what they tell: those on their way, those
    /// at a terminal, and those that are kept true.
    pub async fn unsent(&mut self) -> Result<Vec<Unsent>, StoreError> {
        let question = query_as(
            "select letter, body from outbox where letter like $1 and body <> ''
             union all select letter, body from mail where code = $2",
        );
        let like = format!("{}-%", self.table.code);
        self.session.all(question.bind(like).bind(self.table.code.clone())).await
    }

    /// Writes another body into a letter, wherever it lies.
    pub async fn rewrite(&mut self, unsent: Unsent) -> Result<(), StoreError> {
        for statement in [
            "update outbox set body = $2 where letter = $1",
            "update mail set body = $2 where letter = $1",
        ] {
            let statement = query(statement).bind(unsent.letter.clone());
            self.session.execute(statement.bind(unsent.body.clone())).await?;
        }
        Ok(())
    }

    /// Puts another pace on record, and the one that follows it from the next window on.
    pub async fn keep_paces(
        &mut self,
        pace: Arc<Pace>,
        next: Option<Arc<Pace>>,
    ) -> Result<(), StoreError> {
        let statement = query("update tables set pace = $2, next_pace = $3 where code = $1");
        let statement = statement.bind(self.table.code.clone()).bind(pace.clone());
        self.session.execute(statement.bind(next.clone())).await?;
        (self.table.pace, self.table.next_pace) = (pace, next);
        Ok(())
    }
}
