//! Helpers for the tests of the desk and of its database.

use std::fmt::Write as _;

use serde_json::Value as Json;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor};

use crate::audit::retell::Seen;
use crate::model::{Contact, Desk, NotDone};
use crate::record::Event;
use crate::table::form::Form;
use crate::tick::TickOutcome;
use crate::view::see::Sight;
use crate::window::declare::DeclarationStatus;
use games::any::{AnyContest, AnyGame};
use kit::stages_game::STAGES;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use kit::toy_game::{HIDDEN, TOY};
use letters::{Letters, Refused};
use rules::receipt::{self, Receipt};
use rules::text::Lang;
use rules::window::Progress;
use rules::{Declaration, Seat, Viewer};
use store::{JournalRow, Location, Store, windows};
use tables::{
    AccountId, CloseReason, EntryNumber, OverrideNumber, Pace, TableCode, TableSettings,
    WindowNumber,
};

pub(crate) use kit::database::Database;

/// The built-in letters, and those of the toys.
pub(crate) fn letters_with_toys() -> Letters {
    let folder = kit::toy_game::letters_folder();
    Letters::with_folder_for(folder.path(), &[TOY, HIDDEN]).unwrap()
}

/// The games of the tests' desks.
pub(crate) const GAMES: &[&dyn AnyGame] = &[TOY, HIDDEN, STAGES];

pub(crate) const MINUTE: i64 = 60 * 1000;
pub(crate) const HOUR: i64 = 60 * MINUTE;

/// The seed of the tests' tables, and the key of their dice.
pub(crate) const SEED: ([u8; 32], &str) = ([7; 32], "t");

/// The value that every player mixes into the seed.
pub(crate) const VALUE: [u8; 32] = [0; 32];

/// A bid, a bid that leaves the amount open, and a turn.
pub(crate) const BID: &str = "bid.gold=3";
pub(crate) const MOTTO_ONLY: &str = "bid.motto=hi";
pub(crate) const DRAW: &str = "tax.pay=gold*1 act.way=draw";

/// Opens a desk on the database, as another process would.
pub(crate) async fn desk(database: &Database) -> Desk {
    Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES)
}

pub(crate) fn guest(name: &str) -> Contact {
    Contact {
        account: account(name),
        name: name.to_owned(),
        language: Lang::En,
        address: account(name).as_str().into(),
    }
}

pub(crate) fn account(name: &str) -> AccountId {
    format!("terminal:{name}").into()
}

/// Returns the form of 桜's table for two, with windows of an hour.
pub(crate) fn form(game: &str) -> Form {
    Form {
        game: game.to_owned(),
        options: Json::Null,
        chairs: 2,
        pace: Pace::play(span(HOUR), chrono_tz::UTC),
        host: guest("sakura"),
        place: None,
        settings: TableSettings::default(),
        seed: Some((SEED.0, SEED.1.to_owned())),
    }
}

/// Forms the table, seats 桜 and 楓, and deals at the time 0.
pub(crate) async fn dealt(desk: &Desk, form: Form) -> TableCode {
    let code = crate::form(desk, form, time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    code
}

pub(crate) async fn table(desk: &Desk, game: &str) -> TableCode {
    dealt(desk, form(game)).await
}

pub(crate) async fn see(desk: &Desk, code: &TableCode, name: &str, now: i64) -> Sight {
    crate::see(desk, code, &account(name), time(now)).await.unwrap()
}

/// Returns the progress of each seat, as a person sees it.
pub(crate) async fn progress(desk: &Desk, code: &TableCode, name: &str, now: i64) -> Vec<Progress> {
    let play = see(desk, code, name, now).await.play.unwrap();
    play.progress.iter().map(|(_, progress)| *progress).collect()
}

/// Declares a text such as `bid.gold=3 bid.motto=hi`.
pub(crate) async fn say(
    desk: &Desk,
    code: &TableCode,
    name: &str,
    text: &str,
    said: DeclarationStatus,
    now: i64,
) -> Result<crate::window::declare::ReceivedDeclaration, NotDone> {
    crate::declare(desk, code, &account(name), &kit::toy::said(text), said, None, time(now)).await
}

pub(crate) async fn seal(desk: &Desk, code: &TableCode, name: &str, text: &str, now: i64) {
    say(desk, code, name, text, DeclarationStatus::Sealed, now).await.unwrap();
}

pub(crate) async fn draft(desk: &Desk, code: &TableCode, name: &str, text: &str, now: i64) {
    say(desk, code, name, text, DeclarationStatus::Draft, now).await.unwrap();
}

pub(crate) async fn looks(desk: &Desk, code: &TableCode, now: i64) -> TickOutcome {
    crate::look(desk, code, time(now)).await.unwrap()
}

/// Looks at a table; if it is held as deserted, lets its host resume it.
pub(crate) async fn passes(desk: &Desk, code: &TableCode, now: i64) -> TickOutcome {
    let looked = looks(desk, code, now).await;
    if looked != TickOutcome::Waiting {
        return looked;
    }
    for host in ["sakura", "kaede"] {
        if crate::resume(desk, code, &account(host), None, time(now)).await.is_ok() {
            return TickOutcome::Closed(CloseReason::Deadline);
        }
    }
    panic!("neither of them is its host")
}

/// Returns the reason for a refusal.
pub(crate) fn refused<T: std::fmt::Debug>(done: Result<T, NotDone>) -> Refused {
    match done.unwrap_err() {
        NotDone::Refused(refused) => refused,
        other => panic!("{other}"),
    }
}

/// Opens a separate connection, for statements that the desk does not offer.
pub(crate) async fn connection(database: &Database) -> AnyConnection {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(&database.url).await.unwrap()
}

pub(crate) async fn execute(database: &Database, statement: &str) {
    let mut connection = connection(database).await;
    connection.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
    connection.close().await.unwrap();
}

pub(crate) async fn rows<R>(database: &Database, question: &str) -> Vec<R>
where
    R: Send + Unpin + for<'r> sqlx::FromRow<'r, AnyRow>,
{
    let mut connection = connection(database).await;
    let question = sqlx::query_as(AssertSqlSafe(question.to_owned()));
    let rows = question.fetch_all(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    rows
}

/// The codes of all tables.
pub(crate) async fn codes(database: &Database) -> Vec<TableCode> {
    let codes: Vec<(TableCode,)> = rows(database, "select code from tables order by code").await;
    codes.into_iter().map(|(code,)| code).collect()
}

pub(crate) async fn journal(desk: &Desk, code: &TableCode) -> Vec<JournalRow> {
    store::tables::journal(&mut desk.store().read().await.unwrap(), code, EntryNumber::new(0))
        .await
        .unwrap()
}

pub(crate) async fn happened(desk: &Desk, code: &TableCode) -> Vec<Event> {
    let rows = journal(desk, code).await;
    let events = rows.iter().map(|row| serde_json::from_str(&row.body).unwrap());
    events.map(without_author).collect()
}

/// Returns the event without the salted hashes of its author and its preview.
fn without_author(mut event: Event) -> Event {
    if let Event::Overridden { by, shown, .. } = &mut event {
        by.clear();
        *shown = None;
    }
    event
}

/// Returns everything that is stored about a table, except the number of its changes, for comparison.
pub(crate) async fn everything(database: &Database, code: &TableCode) -> String {
    let mut everything = String::new();
    for (table, columns) in [
        (
            "tables",
            "stage || '/' || coalesce(held, '') || '/' || open_window || '/' || coalesce(look_at, -1) || '/' || entries || '/' || chain || '/' || data",
        ),
        ("seats", "seat || '/' || name || '/' || value || '/' || coalesce(person, '')"),
        (
            "windows",
            "number || '/' || closes_at || '/' || coalesce(settles_at, -1) || '/' || reminded_at || '/' || coalesce(closed_at, -1) || '/' || said",
        ),
        (
            "declarations",
            "number || '/' || seat || '/' || answers || '/' || sealed || '/' || complete || '/' || coalesce(hash, '')",
        ),
    ] {
        let question =
            format!("select {columns} from {table} where code = '{code}' order by {columns}");
        for (row,) in rows::<(String,)>(database, &question).await {
            writeln!(everything, "{table} {row}").unwrap();
        }
    }
    let question = "select letter || '/' || send_at from outbox order by letter";
    for (row,) in rows::<(String,)>(database, question).await {
        writeln!(everything, "outbox {row}").unwrap();
    }
    let people = "select account || '/' || language from people order by account";
    for (row,) in rows::<(String,)>(database, people).await {
        writeln!(everything, "people {row}").unwrap();
    }
    everything
}

/// Checks the journal of every table against the promises of `docs/verify.md`.
pub(crate) async fn verify(database: &Database, desk: &Desk) {
    for code in codes(database).await {
        verify_table(database, desk, &code).await;
        match crate::replay(desk, &code).await {
            Ok(replay) => assert!(replay.is_sound(), "{replay:?}"),
            Err(NotDone::Refused(Refused::OtherEdition)) => continue,
            Err(error) => panic!("{error}"),
        }
        tell(desk, &code).await;
    }
}

/// Checks that the retelling of a table that is over has every closed window and every override once.
async fn tell(desk: &Desk, code: &TableCode) {
    let Some(retold) = crate::retell(desk, code, time(i64::MAX)).await.unwrap() else { return };
    let seen: Vec<Seen> = retold.steps.iter().map(|step| step.seen_by(Viewer::All)).collect();
    let mut decided: Vec<OverrideNumber> =
        seen.iter().flat_map(|seen| seen.decided.iter().map(|logged| logged.number)).collect();
    decided.sort_unstable();
    let all = happened(desk, code).await;
    let number = |happened: &Event| match happened {
        Event::Overridden { number, .. } => Some(*number),
        _ => None,
    };
    assert!(decided.iter().copied().eq(all.iter().filter_map(number)), "{decided:?}");
    let is_step = |happened: &&Event| {
        use Event::{Closed, Dealt, Over};
        matches!(happened, Dealt { .. } | Closed { .. } | Over { .. })
    };
    assert_eq!(seen.len(), all.iter().filter(is_step).count());
    for viewer in retold.viewers() {
        for step in &retold.steps {
            step.seen_by(viewer);
        }
    }
}

async fn verify_table(database: &Database, desk: &Desk, code: &TableCode) {
    let table = desk.store().read().await.unwrap().table(code).await.unwrap().unwrap();
    let mut chain = receipt::BEGINNING;
    let rows = journal(desk, code).await;
    for (entry, row) in rows.iter().enumerate() {
        chain = receipt::chain(&chain, &row.line());
        assert_eq!(
            (row.entry, &row.hash),
            (EntryNumber::new(entry.try_into().unwrap()), &hex::encode(chain))
        );
    }
    assert_eq!(table.chain, hex::encode(chain));
    assert_eq!(usize::try_from(table.entries), Ok(rows.len()));
    let kept = declarations(database, code).await;
    let mut closed = Vec::new();
    let all = happened(desk, code).await;
    let as_it_came = !all.iter().any(|happened| matches!(happened, Event::Overridden { .. }));
    for (entry, happened) in all.into_iter().enumerate() {
        match happened {
            Event::Formed { commitment, .. } => {
                assert_eq!((entry, commitment), (0, table.commitment.clone()));
            }
            Event::Closed { number, sealed, .. } => {
                assert!(!closed.contains(&number), "each window once");
                closed.push(number);
                assert!(
                    !as_it_came || u32::try_from(closed.len()) == Ok(number.from_one()),
                    "in order"
                );
                let again = windows::again(&mut desk.store().read().await.unwrap(), code, number)
                    .await
                    .unwrap();
                let of_window = kept.iter().filter(|row| row.number == number);
                let hashes: Vec<(Option<Seat>, String)> = of_window
                    .clone()
                    .filter_map(|row| Some((Some(row.seat), row.hash.clone()?)))
                    .collect();
                assert_eq!(sealed, hashes);
                for row in of_window.filter(|row| row.salt.is_some()) {
                    let sealed = again.iter().map(|number| row.receipt(code, *number));
                    assert!(sealed.into_iter().any(|receipt| Some(receipt) == row.hash));
                }
            }
            Event::Over { seed, .. } => {
                assert_eq!(seed, table.seed);
                let seed: [u8; 32] = hex::decode(seed).unwrap().try_into().unwrap();
                let committed = rules::dice::commitment(&table.dice, &seed);
                assert_eq!(hex::encode(committed), table.commitment);
            }
            _ => {}
        }
    }
}

/// A declaration as stored in the database.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct Kept {
    pub(crate) number: WindowNumber,
    pub(crate) seat: Seat,
    pub(crate) answers: String,
    pub(crate) salt: Option<String>,
    hash: Option<String>,
}

impl Kept {
    /// Computes the receipt of the seal from its contents, as made in this window.
    fn receipt(&self, code: &TableCode, number: WindowNumber) -> String {
        let salt = hex::decode(self.salt.as_ref().unwrap()).unwrap().try_into().unwrap();
        let declaration: Declaration = serde_json::from_str(&self.answers).unwrap();
        hex::encode(Receipt::of(code.as_str(), number.get(), self.seat, &salt, &declaration).hash())
    }
}

pub(crate) async fn declarations(database: &Database, code: &TableCode) -> Vec<Kept> {
    let question = format!(
        "select number, seat, answers, salt, hash from declarations where code = '{code}' and late = 0
         order by number, seat"
    );
    rows(database, &question).await
}

/// Plays a table that was just dealt until 楓 is asked for a reaction within a round, at the time 2: 桜 places
/// a card.
pub(crate) async fn suspended(desk: &Desk, code: &TableCode) {
    for name in ["sakura", "kaede"] {
        seal(desk, code, name, BID, 1).await;
    }
    assert_eq!(looks(desk, code, 1).await, TickOutcome::Closed(CloseReason::AllSealed));
    let play = see(desk, code, "sakura", 1).await.play.unwrap();
    seal(desk, code, "sakura", &placing(&*play.contest, P1), 2).await;
    seal(desk, code, "kaede", DRAW, 2).await;
    assert_eq!(looks(desk, code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(see(desk, code, "kaede", 2).await.play.unwrap().asked, [P2]);
}

/// Returns a turn that places the first card of a seat's hand.
pub(crate) fn placing(contest: &dyn AnyContest, seat: Seat) -> String {
    let report = contest.report(Viewer::Seat(seat));
    let card = &report["hands"][seat.index()][0];
    format!("tax.pay=gold*1 act.way=place act.card={card} act.pay=gold*{card}")
}
