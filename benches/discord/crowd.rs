//! Many tables on the fake Discord, each in a channel, with an open window.

use double::{Discord, Locale, Person, Place};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value as Json;
use sqlx::{AnyConnection, Connection, query, query_as, query_scalar};
use tempfile::TempDir;

use crate::{Arguments, Done, now};
use desk::{Contact, Desk, Form};
use games::GAMES;
use rules::text::Lang;
use store::{Location, Store};
use tables::Pace;
use tables::time::{Span, Time};

const CHAIRS: usize = 4;

/// The number of concurrent tasks outside of measurements.
const AT_ONCE: usize = 64;

/// The time from the opening of a window to its deadline, unless a storm is prepared.
const DAY: Span = Span::days(1);

/// A table with its people.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) place: Place,
    pub(crate) people: Vec<Person>,
}

/// Many tables in one database.
pub(crate) struct Crowd {
    pub(crate) tables: Vec<Table>,
    pub(crate) url: String,
    pub(crate) folder: TempDir,
}

impl Crowd {
    /// Creates the tables. Their letters count as sent.
    pub(crate) async fn gather(discord: &Discord, arguments: &Arguments) -> Done<Self> {
        let folder = TempDir::with_prefix_in("discord-", &arguments.folder)?;
        let url = format!("sqlite:{}", folder.path().join("crowd.db").display());
        let desk = Desk::new(Store::open(&Location::new(&url)).await?, GAMES);
        let tables = stream::iter(0..arguments.tables).map(|number| begin(&desk, discord, number));
        let tables = tables.buffered(AT_ONCE).try_collect().await?;
        desk.store().close().await;
        let crowd = Self { tables, url, folder };
        let mut connection = crowd.connect().await?;
        query("update outbox set sent_at = send_at, body = ''").execute(&mut connection).await?;
        connection.close().await?;
        Ok(crowd)
    }

    pub(crate) async fn connect(&self) -> Done<AnyConnection> {
        sqlx::any::install_default_drivers();
        Ok(AnyConnection::connect(&self.url).await?)
    }

    /// Sets the deadline of every open window to one time, in milliseconds since 1970.
    pub(crate) async fn is_due_at(&self, at: i64) -> Done {
        let mut connection = self.connect().await?;
        query("pragma busy_timeout = 30000").execute(&mut connection).await?;
        for statement in [
            "update windows set closes_at = $1 where closed_at is null",
            "update tables set look_at = $1",
        ] {
            query(statement).bind(at).execute(&mut connection).await?;
        }
        Ok(connection.close().await?)
    }

    /// Returns the address and the message id of each delivered letter, by address and in order.
    pub(crate) async fn arrived(&self) -> Done<Vec<(String, String)>> {
        let mut connection = self.connect().await?;
        let question = "select address, arrived from outbox where arrived is not null
             order by address, send_at, letter";
        let arrived = query_as(question).fetch_all(&mut connection).await?;
        connection.close().await?;
        Ok(arrived)
    }

    /// Returns the number of letters still to be sent and tables still due.
    pub(crate) async fn left(&self) -> Done<i64> {
        let mut connection = self.connect().await?;
        let question = "select (select count(*) from outbox where sent_at is null)
             + (select count(*) from tables where look_at <= $1)";
        let left = query_scalar(question).bind(now()).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(left)
    }
}

async fn begin(desk: &Desk, discord: &Discord, number: usize) -> Done<Table> {
    let person = |seat| discord.person(&format!("{number}の{seat}"), Locale::Ja);
    let people: Vec<Person> = (0..CHAIRS).map(person).collect();
    let place = discord.opens_channel(&format!("table-{number}"));
    let guest = |person: &Person| Contact {
        account: format!("discord:{}", person.id()).into(),
        name: person.name().to_owned(),
        language: Lang::Ja,
        address: format!("discord:user:{}", person.id()).into(),
    };
    let form = Form {
        game: "eitsuku".to_owned(),
        options: Json::Null,
        chairs: CHAIRS,
        // No window closes early by the last seal.
        pace: Pace { early: false, ..Pace::play(DAY, chrono_tz::Asia::Tokyo) },
        host: guest(&people[0]),
        place: Some(format!("discord:channel:{}", place.0).into()),
        settings: tables::TableSettings::default(),
        seed: None,
    };
    let code = desk::form(desk, form, Time::from_milliseconds(now())).await?.code;
    for person in &people {
        desk::join(desk, &code, guest(person), None, Time::from_milliseconds(now())).await?;
    }
    desk::start(desk, &code, &guest(&people[0]).account, "random", Time::from_milliseconds(now()))
        .await?;
    Ok(Table { place, people })
}
