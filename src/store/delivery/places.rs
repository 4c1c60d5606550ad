//! Where the places of tables are, and which tables are somewhere or somebody's.

use sqlx::{query, query_as};

use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::rows::columns::Count;
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

/// True if a table is not over, as far as that has been announced by `$2`: the end of a game is
/// kept in a window that opens when it is announced.
macro_rules! not_over {
    () => {
        "(stage <> 'over' or exists (
             select 1 from windows where windows.code = tables.code
                 and number = open_window and opens_at > $2))"
    };
}

/// The soonest deadline first, and of those without one the newest.
macro_rules! soonest {
    () => {
        " order by coalesce((select closes_at from windows where windows.code = tables.code
                 and number = open_window and closed_at is null and held is null),
             9223372036854775807), formed_at desc, tables.code"
    };
}
pub(crate) use soonest;

/// Whether a table is an account's (`$1`), or it is a game master there by name; and is played on a
/// server (`$3`), if that is not empty.
macro_rules! watched {
    () => {
        "(host in (select person from people where account = $1)
             or exists (select 1 from game_masters
                 where game_masters.code = tables.code and who = $1))
         and ($3 = '' or place in (select places.place from places where server = $3))"
    };
}

impl Session {
    /// Notes where a place is: above it, and on which server.
    pub async fn put_place(
        &mut self,
        place: &Address,
        above: &Address,
        server: Option<&str>,
    ) -> Result<(), StoreError> {
        let statement = query(
            "insert into places (place, above, server) values ($1, $2, $3)
             on conflict (place) do update set above = excluded.above, server = excluded.server",
        );
        let server = server.map(ToOwned::to_owned);
        let statement = statement.bind(place.to_owned()).bind(above.to_owned()).bind(server);
        self.execute(statement).await.map(drop)
    }

    /// What is above the places of a server where a table is not over yet.
    pub async fn above_tables_of(&mut self, server: &str) -> Result<Vec<Address>, StoreError> {
        let question = query_as::<_, (Address,)>(
            "select distinct above from places join tables on tables.place = places.place
             where server = $1 and stage <> 'over' and above is not null order by above",
        );
        let above = self.all(question.bind(server.to_owned())).await?;
        Ok(above.into_iter().map(|(above,)| above).collect())
    }

    /// The tables that are not over in a place, or in a place right below it, the soonest deadline
    /// first.
    pub async fn tables_around(
        &mut self,
        place: &Address,
        now: Time,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(concat!(
            "select tables.code from tables left join places on places.place = tables.place
             where (tables.place = $1 or above = $1) and ",
            not_over!(),
            soonest!()
        ));
        let codes = self.all(question.bind(place.to_owned()).bind(now)).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }

    /// The tables of a game that are over and were played in the same channel as a place, or in its
    /// threads: the last ones, the newest first.
    pub async fn over_around(
        &mut self,
        place: &Address,
        game: &str,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(
            "select code from tables where game = $2 and stage = 'over' and (place = $1
                 or place in (select beside.place from places as here join places as beside
                     on beside.above = here.above where here.place = $1))
             order by formed_at desc, code limit 8",
        );
        let codes = self.all(question.bind(place.to_owned()).bind(game.to_owned())).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }

    /// The tables that are not over and are an account's, or at which it is a game master by name;
    /// if a server is given, those that are played there. The soonest deadline first.
    pub async fn watched_tables(
        &mut self,
        account: &AccountId,
        server: Option<&str>,
        now: Time,
        limit: u32,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(concat!(
            "select code from tables where ",
            watched!(),
            " and ",
            not_over!(),
            soonest!(),
            " limit $4"
        ));
        let question = question.bind(account.to_owned()).bind(now);
        let question = question.bind(server.unwrap_or_default().to_owned()).bind(Count(limit));
        Ok(self.all(question).await?.into_iter().map(|(code,)| code).collect())
    }

    /// What changes whenever one of these tables may look different.
    pub async fn watched_mark(
        &mut self,
        account: &AccountId,
        server: Option<&str>,
        now: Time,
    ) -> Result<String, StoreError> {
        let question = query_as::<_, (i64, i64, i64, i64, i64)>(concat!(
            "select count(*), cast(coalesce(sum(stirred), 0) as bigint),
                 cast(coalesce(sum(entries), 0) as bigint),
                 cast(coalesce(sum(case when exists (select 1 from windows
                     where windows.code = tables.code and number = open_window
                         and opens_at <= $2) then 1 else 0 end), 0) as bigint),
                 cast(coalesce(sum((select count(*) from obstacles
                     where obstacles.code = tables.code)), 0) as bigint)
             from tables where ",
            watched!(),
            " and ",
            not_over!()
        ));
        let question = question.bind(account.to_owned()).bind(now);
        let question = question.bind(server.unwrap_or_default().to_owned());
        let mark = self.one(question).await?.unwrap_or_default();
        Ok(format!("{}/{}/{}/{}/{}", mark.0, mark.1, mark.2, mark.3, mark.4))
    }

    /// True if something keeps letters of a table from arriving.
    pub async fn is_obstructed(&mut self, code: &TableCode) -> Result<bool, StoreError> {
        let question =
            query_as::<_, (Count<u32>,)>("select count(*) from obstacles where code = $1");
        let met = self.one(question.bind(code.to_owned())).await?;
        Ok(met.is_some_and(|(count,)| count.0 > 0))
    }

    /// The tables that are not over at which an account sits or which are theirs, the soonest
    /// deadline first.
    pub async fn tables_of(
        &mut self,
        account: &AccountId,
        now: Time,
    ) -> Result<Vec<TableCode>, StoreError> {
        let question = query_as::<_, (TableCode,)>(concat!(
            "select tables.code from tables join people on account = $1
             where (host = person or exists (select 1 from seats
                 where seats.code = tables.code and seats.person = people.person)) and ",
            not_over!(),
            soonest!()
        ));
        let codes = self.all(question.bind(account.to_owned()).bind(now)).await?;
        Ok(codes.into_iter().map(|(code,)| code).collect())
    }
}
