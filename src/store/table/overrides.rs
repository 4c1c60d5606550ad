//! What game masters have decided, what they were shown and have yet to decide, and who they are.

use std::fmt;

use sqlx::{FromRow, query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::{Count, OrBeforeFirst};
use crate::rows::window::DeclarationRow;
use crate::table::tables::Touched;
use rules::{Declaration, Seat};
use tables::ids::{
    AccountId, Address, OverrideNumber, PersonId, ProposalId, TableCode, VoteNumber, WindowNumber,
};
use tables::time::{Span, Time};
use tables::{Notified, Oversight};

/// A decision of a game master, as the database keeps it.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct OverrideRow {
    /// Its number at the table, from 0.
    pub number: OverrideNumber,
    /// The time when it was made.
    pub at: Time,
    /// Who made it.
    pub person: PersonId,
    /// What it is, as JSON.
    pub what: String,
    /// Why it was made, in their words.
    pub reason: String,
    /// Who was told.
    pub notice: Notified,
    /// The hash of the journal on which it was made, in hex digits.
    pub foundation: String,
    /// How many entries the journal had with it.
    #[sqlx(try_from = "Count<u32>")]
    pub entries: u32,
    /// What it changed, as it was before and after, as JSON; none if it cannot be undone.
    pub image: Option<String>,
    /// The number of the override that undid it.
    pub undone: Option<OverrideNumber>,
    /// What it would change, as whoever made it was shown it, as JSON.
    pub shown: Option<String>,
    /// The number of the vote by which the table decided it; none if a game master did.
    pub vote: Option<VoteNumber>,
    /// What the journal's hashes of who decided it, why, and of what they were shown are salted with;
    /// none of whoever was erased.
    pub salt: Option<String>,
}

impl fmt::Debug for OverrideRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it changed may be a declaration, which must not reach a log.
        f.debug_struct("OverrideRow").field("number", &self.number).finish_non_exhaustive()
    }
}

/// Somebody who hears how a table goes on without sitting there.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct OnlookerRow {
    /// Who, if they have been here.
    pub person: Option<PersonId>,
    /// Where their letters go.
    pub address: Address,
    /// The language they read.
    pub language: Option<String>,
}

impl Session {
    /// Who may decide at a table beside its host: accounts, and roles such as `discord:role:1`.
    pub async fn game_masters(&mut self, code: &TableCode) -> Result<Vec<String>, StoreError> {
        let question =
            query_as::<_, (String,)>("select who from game_masters where code = $1 order by who");
        let masters = self.all(question.bind(code.to_owned())).await?;
        Ok(masters.into_iter().map(|(who,)| who).collect())
    }

    /// Who hears how a table goes on where everybody is written to alone, and does not sit there:
    /// whose seat went to somebody else, unless they were sent away, and who decides there. There an
    /// account is an address.
    pub async fn onlookers(&mut self, code: &TableCode) -> Result<Vec<OnlookerRow>, StoreError> {
        let question = query_as(
            "select people.person, address, language
             from former_seats join people on people.person = former_seats.person
             where code = $1 and address is not null
                 and former_seats.person not in
                     (select person from seats where code = $1 and person is not null)
                 and former_seats.person not in (select person from sent_away where code = $1)
             union
             select people.person, who, language
             from game_masters left join people on account = who
             where code = $1 and who not in
                 (select account from seats join people on people.person = seats.person
                  where code = $1)
             order by 2",
        );
        self.all(question.bind(code.to_owned())).await
    }

    /// What has been decided at a table, in order.
    pub async fn overrides(&mut self, code: &TableCode) -> Result<Vec<OverrideRow>, StoreError> {
        let question = query_as(
            "select number, at, person, what, reason, notice, foundation, entries, image, undone,
                 vote, shown, salt
             from overrides where code = $1 order by number",
        );
        self.all(question.bind(code.to_owned())).await
    }
}

impl Session {
    /// How much has been decided at a table.
    pub async fn decisions(&mut self, code: &TableCode) -> Result<u32, StoreError> {
        let question =
            query_as::<_, (Count<u32>,)>("select count(*) from overrides where code = $1");
        Ok(self.one(question.bind(code.to_owned())).await?.map_or(0, |(Count(count),)| count))
    }
}

impl Touched<'_> {
    /// Who hears how the table goes on and does not sit there.
    pub async fn onlookers(&mut self) -> Result<Vec<OnlookerRow>, StoreError> {
        if self.few.is_some_and(|few| !few.onlookers) {
            return Ok(Vec::new());
        }
        let code = self.table.code.clone();
        self.session.onlookers(&code).await
    }

    /// Lets somebody decide at the table, or no more.
    pub async fn appoint(&mut self, who: &str, may: bool) -> Result<(), StoreError> {
        let text = if may {
            "insert into game_masters (code, who) values ($1, $2) on conflict (code, who) do nothing"
        } else {
            "delete from game_masters where code = $1 and who = $2"
        };
        let statement = query(text).bind(self.table.code.clone()).bind(who.to_owned());
        self.few = None;
        self.session.execute(statement).await.map(drop)
    }

    /// What has been decided at the table, in order.
    pub async fn overrides(&mut self) -> Result<Vec<OverrideRow>, StoreError> {
        let code = self.table.code.clone();
        self.session.overrides(&code).await
    }

    /// Keeps an override.
    pub async fn keep_override(&mut self, row: &OverrideRow) -> Result<(), StoreError> {
        let statement = query(
            "insert into overrides (code, number, at, person, what, reason, notice, foundation,
                 entries, image, vote, shown, salt)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        )
        .bind(self.table.code.clone())
        .bind(row.number)
        .bind(row.at)
        .bind(row.person.clone())
        .bind(row.what.clone())
        .bind(row.reason.clone())
        .bind(row.notice)
        .bind(row.foundation.clone())
        .bind(Count(row.entries))
        .bind(row.image.clone())
        .bind(row.vote)
        .bind(row.shown.clone())
        .bind(row.salt.clone());
        self.session.execute(statement).await.map(drop)
    }

    /// Notes that an override has been undone by another, or that it counts again.
    pub async fn undo(
        &mut self,
        number: OverrideNumber,
        by: Option<OverrideNumber>,
    ) -> Result<(), StoreError> {
        let statement = query("update overrides set undone = $3 where code = $1 and number = $2");
        let statement = statement.bind(self.table.code.clone()).bind(number).bind(by);
        self.session.execute(statement).await.map(drop)
    }

    /// What was declared in the open window, the whole of it.
    pub async fn declarations(&mut self) -> Result<Vec<DeclarationRow>, StoreError> {
        let question = query_as(
            "select seat, answers, sealed, complete, salt, hash from declarations
             where code = $1 and number = $2 and late = 0 order by seat",
        );
        let question =
            question.bind(self.table.code.clone()).bind(OrBeforeFirst(self.table.open_window));
        self.session.all(question).await
    }

    /// Takes over into the open window what was declared in another one: what counted there, and
    /// what this seat declared too late. What others did is still too late. What the open window
    /// has already stays.
    pub async fn take_over(
        &mut self,
        from: WindowNumber,
        late: Option<Seat>,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash,
                 late)
             select code, $3, seat, answers, sealed, complete, salt, hash,
                 case when seat = $4 then 0 else late end
             from declarations where code = $1 and number = $2
             on conflict (code, number, seat) do nothing",
        )
        .bind(self.table.code.clone())
        .bind(from)
        .bind(OrBeforeFirst(self.table.open_window))
        .bind(late);
        self.session.execute(statement).await.map(drop)
    }

    /// Notes that the sealings of another window count in the open one.
    pub async fn count_again(&mut self, from: WindowNumber) -> Result<(), StoreError> {
        let statement = query("update windows set again = $3 where code = $1 and number = $2");
        let statement = statement
            .bind(self.table.code.clone())
            .bind(OrBeforeFirst(self.table.open_window))
            .bind(from);
        self.session.execute(statement).await.map(drop)
    }

    /// Keeps what a seat declared in a window that has closed. It does not count.
    pub async fn declare_late(
        &mut self,
        number: WindowNumber,
        seat: Seat,
        answers: Declaration,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into declarations (code, number, seat, answers, sealed, complete, late)
             values ($1, $2, $3, $4, 0, 0, 1)
             on conflict (code, number, seat) do update set answers = excluded.answers
                 where declarations.late = 1",
        )
        .bind(self.table.code.clone())
        .bind(number)
        .bind(seat)
        .bind(answers);
        self.session.execute(statement).await.map(drop)
    }

    /// True if a seat has declared something in a window that came too late.
    pub async fn is_late(&mut self, number: WindowNumber, seat: Seat) -> Result<bool, StoreError> {
        let question = query_as::<_, (Count<u32>,)>(
            "select count(*) from declarations
             where code = $1 and number = $2 and seat = $3 and late = 1",
        );
        let question = question.bind(self.table.code.clone()).bind(number).bind(seat);
        Ok(self.session.one(question).await?.is_some_and(|(count,)| count.0 > 0))
    }

    /// Puts on record what has been said in the root window before a window.
    pub async fn keep_said(
        &mut self,
        number: WindowNumber,
        said: String,
    ) -> Result<(), StoreError> {
        let statement = query("update windows set said = $3 where code = $1 and number = $2");
        let statement = statement.bind(self.table.code.clone()).bind(number).bind(said);
        self.session.execute(statement).await.map(drop)
    }

    /// Lets letters that have not been sent tell the hash of the last entry of the journal instead of
    /// this one.
    pub async fn rehead(&mut self, before: &str) -> Result<(), StoreError> {
        let statement = query(
            "update outbox set body = replace(body, $2, $3) where letter like $1 and sent_at is null",
        );
        let statement = statement.bind(format!("{}-%", self.table.code)).bind(before.to_owned());
        let statement = statement.bind(self.table.chain.clone());
        self.session.execute(statement).await.map(drop)
    }

    /// Takes away the letters of a window's opening that have not been sent. True: there were some.
    pub async fn burn_opening(&mut self, number: WindowNumber) -> Result<bool, StoreError> {
        let statement = query("delete from outbox where letter like $1 and sent_at is null");
        let like = format!("{}-{number}-opening%", self.table.code);
        Ok(self.session.execute(statement.bind(like)).await? > 0)
    }

    /// Takes away what was to be told to each alone of a window that has closed, and was not sent.
    pub async fn burn_struck(&mut self, number: WindowNumber) -> Result<(), StoreError> {
        let statement = query("delete from outbox where letter like $1 and sent_at is null");
        let like = format!("{}-{number}-struck%", self.table.code);
        self.session.execute(statement.bind(like)).await.map(drop)
    }

    /// Puts another occupant of a seat on record.
    pub async fn reseat(&mut self, row: &crate::SeatRow) -> Result<(), StoreError> {
        let statement = query(
            "insert into former_seats (code, seat, person, name, address, salt, since, until)
             select code, seat, person, name, address, salt,
                 coalesce((select max(until) from former_seats former
                     where former.code = seats.code and former.seat = seats.seat), 0), $3
             from seats where code = $1 and seat = $2 and person is not null and person <> $4",
        )
        .bind(self.table.code.clone())
        .bind(row.seat)
        .bind(OrBeforeFirst(self.table.open_window))
        .bind(row.person.clone().unwrap_or_default());
        let had_orders = self.few.is_none_or(|few| few.orders);
        let had_next = self.few.is_none_or(|few| few.next_declarations);
        self.few = None;
        self.session.execute(statement).await?;
        if had_orders {
            self.drop_orders(row.seat).await?;
        }
        if had_next {
            self.drop_next_declarations(row.seat).await?;
        }
        let statement = query(
            "update seats set person = $3, house = $4, name = $5, address = $6, salt = $7
             where code = $1 and seat = $2",
        )
        .bind(self.table.code.clone())
        .bind(row.seat)
        .bind(row.person.clone())
        .bind(row.house.clone())
        .bind(row.name.clone())
        .bind(row.address.clone())
        .bind(row.salt.clone());
        self.session.execute(statement).await.map(drop)
    }

    /// Puts on record whether game masters see what is sealed.
    pub async fn oversee(&mut self, oversight: Oversight) -> Result<(), StoreError> {
        let statement = query("update tables set oversight = $2 where code = $1");
        let statement = statement.bind(self.table.code.clone()).bind(oversight);
        self.session.execute(statement).await?;
        self.table.oversight = oversight;
        Ok(())
    }
}

/// The time for which it is remembered: a table has moved on by then.
const MEMORY: Span = Span::days(1);

/// A decision that was rehearsed.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct ProposalRow {
    pub proposal: ProposalId,
    pub code: TableCode,
    /// The account of who was shown it.
    pub account: AccountId,
    /// What it is, as JSON.
    pub what: String,
    /// Who would take a seat, as JSON.
    pub guest: Option<String>,
    /// The hash of the journal on which it was rehearsed, in hex digits.
    pub foundation: String,
    /// What it would change, as JSON.
    pub shown: Option<String>,
}

impl fmt::Debug for ProposalRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it is may be a declaration, which must not reach a log.
        f.debug_struct("ProposalRow").field("code", &self.code).finish_non_exhaustive()
    }
}

impl Session {
    /// Keeps what somebody was shown, and forgets what was shown too long ago.
    pub async fn keep_proposal(&mut self, row: &ProposalRow, now: Time) -> Result<(), StoreError> {
        let forgotten = query("delete from proposals where shown_at < $1").bind(now - MEMORY);
        self.execute(forgotten).await?;
        let statement = query(
            "insert into proposals (proposal, code, account, what, guest, foundation, shown_at,
                 shown)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(row.proposal.clone())
        .bind(row.code.clone())
        .bind(row.account.clone())
        .bind(row.what.clone())
        .bind(row.guest.clone())
        .bind(row.foundation.clone())
        .bind(now)
        .bind(row.shown.clone());
        self.execute(statement).await.map(drop)
    }

    /// What this account was shown.
    pub async fn proposal(
        &mut self,
        proposal: &ProposalId,
        account: &AccountId,
    ) -> Result<Option<ProposalRow>, StoreError> {
        let question = query_as(
            "select proposal, code, account, what, guest, foundation, shown from proposals
             where proposal = $1 and account = $2",
        );
        self.one(question.bind(proposal.clone()).bind(account.to_owned())).await
    }

    /// Forgets what an account was shown, and what others were shown of it.
    pub async fn forget_proposals(&mut self, account: &AccountId) -> Result<(), StoreError> {
        let statement =
            query("delete from proposals where account = $1 or guest like '%\"' || $1 || '\"%'");
        self.execute(statement.bind(account.to_owned())).await.map(drop)
    }
}
