//! Tables for the measurements: formed, joined and started as usual, or copies of such tables.

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::Value as Json;
use sqlx::{AnyConnection, Connection, Executor};

use crate::{BEGINNING, DAY, Done};
use desk::{Contact, DeclarationStatus, Desk, Form};
use games::GAMES;
use rules::text::Lang;
use rules::{Declaration, Dice, Key, Label, Seat};
use store::{Location, Store};
use tables::Pace;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

const GAME: &str = "eitsuku";
const CHAIRS: usize = 4;

/// The number of concurrent tasks outside of measurements.
const AT_ONCE: usize = 64;

/// The number of tables in a crowd that are not copies.
const ORIGINALS: usize = 250;

/// The number of windows resolved before a measurement.
const PLAYED: i64 = 2;

/// A table with the accounts of its players.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) code: TableCode,
    number: usize,
}

impl Table {
    /// Returns the account in a seat.
    pub(crate) fn account(&self, seat: Seat) -> AccountId {
        account(self.number, seat.index())
    }
}

/// A declaration that is still to be made.
#[derive(Clone, Debug)]
pub(crate) struct Intent {
    pub(crate) code: TableCode,
    pub(crate) account: AccountId,
    pub(crate) window: i64,
    pub(crate) seat: Seat,
    pub(crate) declaration: Declaration,
}

fn account(table: usize, seat: usize) -> AccountId {
    format!("terminal:{table}-{seat}").into()
}

/// A desk on a database.
pub(crate) async fn desk(url: &str) -> Done<Desk> {
    Ok(Desk::new(Store::open(&Location::new(url)).await?, GAMES))
}

/// Forms `count` tables, and starts each with four people.
pub(crate) async fn form(desk: &Desk, count: usize) -> Done<Vec<Table>> {
    stream::iter(0..count).map(|number| begin(desk, number)).buffered(AT_ONCE).try_collect().await
}

async fn begin(desk: &Desk, number: usize) -> Done<Table> {
    let guest = |seat| Contact {
        account: account(number, seat),
        name: format!("{number}の{seat}"),
        language: Lang::Ja,
        address: account(number, seat).as_str().into(),
    };
    let form = Form {
        game: GAME.to_owned(),
        options: Json::Null,
        chairs: CHAIRS,
        pace: Pace { reminders: Vec::new(), ..Pace::play(DAY, chrono_tz::Asia::Tokyo) },
        host: guest(0),
        place: None,
        settings: tables::TableSettings::default(),
        seed: Some((seed(number), "bench".to_owned())),
    };
    let code = desk::form(desk, form, BEGINNING).await?.code;
    for seat in 0..CHAIRS {
        desk::join(desk, &code, guest(seat), Some([0; 32]), BEGINNING).await?;
    }
    desk::start(desk, &code, &account(number, 0), "random", BEGINNING).await?;
    Ok(Table { code, number })
}

fn seed(number: usize) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// Returns everybody's next declarations at these tables, ordered by seat.
pub(crate) async fn intents(desk: &Desk, tables: &[Table], now: Time) -> Done<Vec<Intent>> {
    let intents = stream::iter(tables).map(|table| at(desk, table, now)).buffered(AT_ONCE);
    let mut intents: Vec<Intent> = intents.try_collect::<Vec<_>>().await?.concat();
    intents.sort_by_key(|intent| intent.seat);
    Ok(intents)
}

async fn at(desk: &Desk, table: &Table, now: Time) -> Done<Vec<Intent>> {
    let sight = desk::see(desk, &table.code, &account(table.number, 0), now).await?;
    let Some(play) = sight.play else { return Ok(Vec::new()) };
    let window = play.number.get();
    let chance = Dice::new(seed(table.number), "bench").house().of_window(window, 0);
    let intent = |&seat: &Seat| {
        let stream = chance.stream(&Label::of(seat, Key::part("policy")));
        Some(Intent {
            code: table.code.clone(),
            account: table.account(seat),
            window: play.number.get().into(),
            seat,
            declaration: play.contest.declare(seat, "random", stream)?,
        })
    };
    Ok(play.asked.iter().filter_map(intent).collect())
}

/// Resolves due tables until none is due.
pub(crate) async fn settle(desk: &Desk, now: Time) -> Done {
    loop {
        let due = desk::due(desk, now, 1024).await?;
        if due.is_empty() {
            return Ok(());
        }
        let looks =
            stream::iter(&due).map(|code| desk::look(desk, code, now)).buffer_unordered(AT_ONCE);
        looks.try_collect::<Vec<_>>().await?;
    }
}

/// Creates `count` tables with a window open since [`BEGINNING`], in which three of four people have sealed
/// or drafted: a few hundred real ones some windows into the game, and copies of their rows.
pub(crate) async fn crowd(url: &str, count: usize) -> Done {
    let desk = desk(url).await?;
    let originals = form(&desk, ORIGINALS.min(count)).await?;
    for window in 0..=PLAYED {
        for intent in intents(&desk, &originals, BEGINNING).await? {
            let Intent { code, account, seat, declaration, .. } = intent;
            let last = window == PLAYED;
            if last && seat.index() == CHAIRS - 1 {
                continue;
            }
            let drafted = last && seat.index() == CHAIRS - 2;
            let said = if drafted { DeclarationStatus::Draft } else { DeclarationStatus::Sealed };
            desk::declare(&desk, &code, &account, &declaration, said, None, BEGINNING).await?;
        }
        if window < PLAYED {
            settle(&desk, BEGINNING).await?;
        }
    }
    desk.store().close().await;
    let mut connection = AnyConnection::connect(url).await?;
    if url.starts_with("sqlite:") {
        connection.execute("pragma synchronous = off; pragma cache_size = -200000;").await?;
    }
    // The earlier letters count as sent.
    connection.execute("update outbox set sent_at = send_at, body = ''").await?;
    connection.execute("begin").await?;
    for copy in 1..count.div_ceil(ORIGINALS) {
        for statement in COPIES {
            let mark = format!("-{copy}");
            sqlx::query(*statement).bind(mark).execute(&mut connection).await?;
        }
    }
    connection.execute("commit").await?;
    if !url.starts_with("sqlite:") {
        // As the server's autovacuum would do after a while.
        connection.execute("vacuum analyze").await?;
    }
    Ok(connection.close().await?)
}

/// The statements that copy the originals, whose codes and ids contain no `-`. The key of the dice stays the
/// same.
const COPIES: &[&str] = &[
    "insert into people (person, account, language)
     select person || $1, account || $1, language from people where person not like '%-%'",
    "insert into tables
         (code, game, edition, data, options, language, pace, chairs, host, stage, held, seed,
          commitment, open_window, look_at, touched, entries, chain, dice, formed_at, windows,
          absence, settings)
     select code || $1, game, edition, data, options, language, pace, chairs, host || $1, stage,
         held, seed, commitment, open_window, look_at, touched, entries, chain, dice, formed_at,
         windows, absence, settings
     from tables where code not like '%-%'",
    "insert into seats
     select code || $1, seat, person || $1, house, name, shown_as, value, address || $1, salt
     from seats where code not like '%-%'",
    "insert into windows
         (code, number, root, kind, said, asked, opens_at, closes_at, settles_at, reminded_at,
          closed_at, why, awaited, follows, again, extended)
     select code || $1, number, root, kind, said, asked, opens_at, closes_at, settles_at,
         reminded_at, closed_at, why, awaited, follows, again, extended
     from windows where code not like '%-%'",
    "insert into snapshots
     select code || $1, number, state, hash from snapshots where code not like '%-%'",
    "insert into declarations
     select code || $1, number, seat, answers, sealed, complete, salt, hash, late
     from declarations where code not like '%-%'",
    "insert into lateness
     select code || $1, number, absence, put_off, missed, late, called_at
     from lateness where code not like '%-%'",
    "insert into attendance
     select code || $1, seat, person || $1, misses, put_off, inactive_at
     from attendance where code not like '%-%'",
    "insert into reputation
     select code || $1, number, seat, person || $1, kept, at, counts
     from reputation where code not like '%-%'",
    "insert into journal
     select code || $1, entry, at, body, hash from journal where code not like '%-%'",
];
