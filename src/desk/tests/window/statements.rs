//! The number of database statements of every frequent operation: a change that adds statements must be
//! declared here.

use futures_util::future::{join, join_all};

use crate::model::Desk;
use crate::table::form::Form;
use crate::tests::support::{
    BID, Database, HOUR, VALUE, account, desk, draft, execute, form, guest, looks, seal,
};
use crate::tick::TickOutcome;
use kit::time::{span, time};
use store::{OpenTable, Post, PostedWindow, Session, StalePost, StoreError, posts};
use tables::{CloseReason, Pace, TableCode};

const PEOPLE: [&str; 4] = ["sakura", "kaede", "momiji", "ume"];

/// Deals a table of four at the time 0.
async fn table(desk: &Desk, place: Option<&str>) -> TableCode {
    let form = Form {
        chairs: 4,
        pace: Pace { reminders: Vec::new(), ..Pace::play(span(HOUR), chrono_tz::UTC) },
        place: place.map(Into::into),
        ..form("toy")
    };
    let code = crate::form(desk, form, time(0)).await.unwrap().code;
    for name in PEOPLE {
        crate::join(desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    code
}

/// Returns the number of statements of an operation, with the begin and the end of its transactions.
async fn cost<T>(desk: &Desk, done: impl Future<Output = T>) -> (u64, T) {
    let before = desk.store().statements();
    let done = done.await;
    (desk.store().statements() - before, done)
}

/// Returns the costs of a window from its first draft to its close, at a table with private letters or in a
/// place.
async fn of_a_window(place: Option<&str>) -> [u64; 8] {
    let database = Database::fresh().await;
    let desk = &desk(&database).await;
    let code = table(desk, place).await;
    let (drafted, ()) = cost(desk, draft(desk, &code, "sakura", BID, 1)).await;
    let (sealed, ()) = cost(desk, seal(desk, &code, "sakura", BID, 1)).await;
    seal(desk, &code, "kaede", BID, 1).await;
    let (but_one, ()) = cost(desk, seal(desk, &code, "momiji", BID, 1)).await;
    let (early, looked) = cost(desk, looks(desk, &code, 1)).await;
    assert_eq!(looked, TickOutcome::Nothing);
    let (last, ()) = cost(desk, seal(desk, &code, "ume", BID, 1)).await;
    let (all_sealed, looked) = cost(desk, looks(desk, &code, 1)).await;
    assert_eq!(looked, TickOutcome::Closed(CloseReason::AllSealed));

    let code = table(desk, place.map(|_| "discord:channel:2")).await;
    for name in &PEOPLE[..3] {
        seal(desk, &code, name, BID, 1).await;
    }
    let (one_missing, looked) = cost(desk, looks(desk, &code, HOUR)).await;
    assert_eq!(looked, TickOutcome::Closed(CloseReason::Deadline));
    // The close comes too late.
    let (late, looked) = cost(desk, looks(desk, &code, HOUR)).await;
    assert_eq!(looked, TickOutcome::Nothing);
    [drafted, sealed, but_one, last, early, late, all_sealed, one_missing]
}

#[tokio::test]
async fn what_happens_in_a_window_costs_so_many_statements() {
    // The costs of a draft, a seal, the last seal but one and the last, a look that comes too early and one
    // that comes too late, a close with all seals, and one with a seal missing.
    let counted = [of_a_window(None).await, of_a_window(Some("discord:channel:1")).await];
    assert_eq!(counted, [[6, 6, 8, 8, 4, 4, 13, 15], [7, 7, 9, 8, 4, 4, 13, 15]]);
}

#[tokio::test]
async fn windows_that_close_in_one_commit_are_read_and_written_together() {
    let database = Database::fresh().await;
    let desk = &desk(&database).await;
    let mut codes = Vec::new();
    for _ in 0..8 {
        let code = table(desk, None).await;
        for name in &PEOPLE[..3] {
            seal(desk, &code, name, BID, 1).await;
        }
        codes.push(code);
    }
    let commits = desk.store().commits();
    let looks = join_all(codes.iter().map(|code| looks(desk, code, HOUR)));
    let (statements, looked) = cost(desk, looks).await;
    assert!(
        looked.iter().all(|looked| *looked == TickOutcome::Closed(CloseReason::Deadline)),
        "{looked:?}"
    );
    // Each close alone costs 15.
    let wanted = if database.is_embedded() { (1, 15) } else { (8, 8 * 15) };
    assert_eq!((desk.store().commits() - commits, statements), wanted);
}

#[tokio::test]
async fn tables_that_are_asked_for_at_the_same_time_are_read_together() {
    let database = Database::fresh().await;
    let desk = &desk(&database).await;
    let mut codes = Vec::new();
    for _ in 0..5 {
        codes.push(table(desk, None).await);
    }
    let nowhere = TableCode::from("NOSUCH");
    let wanted = codes.iter().map(|code| (code, "sakura")).chain([
        (&codes[0], "kaede"),
        (&codes[0], "nobody"),
        (&nowhere, "sakura"),
    ]);
    let read = join_all(wanted.map(|(code, name)| {
        let account = account(name);
        async move { desk.store().open_table(code, &account).await.unwrap() }
    }));
    let (statements, read) = cost(desk, read).await;
    assert_eq!(statements, 1);
    let own = |read: &OpenTable| {
        let own = read.seats.iter().find(|row| Some(row.seat) == read.own);
        (read.table.code.clone(), own.map(|row| row.name.clone()))
    };
    let of = |code: usize, name: Option<&str>| Some((codes[code].clone(), name.map(str::to_owned)));
    let (sakura, kaede) = (Some("sakura"), Some("kaede"));
    let wanted = (0..5).map(|code| of(code, sakura)).chain([of(0, kaede), of(0, None), None]);
    assert_eq!(
        read.iter().map(|read| read.as_ref().map(own)).collect::<Vec<_>>(),
        wanted.collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_table_that_cannot_be_read_spoils_no_other() {
    let database = Database::fresh().await;
    let desk = &desk(&database).await;
    let (broken, sound) = (table(desk, None).await, table(desk, None).await);
    let does = format!("update tables set stage = 'asleep' where code = '{broken}'");
    execute(&database, &does).await;
    let account = &account("sakura");
    let read = |code| desk.store().open_table(code, account);
    let (broken, sound) = join(read(&broken), read(&sound)).await;
    assert!(matches!(broken, Err(StoreError::Unreadable(_))), "{broken:?}");
    assert_eq!(sound.unwrap().unwrap().seats.len(), 4);
}

/// The operations of a keeper of posts.
enum Posting {
    Note(Post),
    Claim(StalePost),
    Drawn(StalePost),
}

impl Posting {
    async fn work(&self, db: &mut Session) -> Result<(), StoreError> {
        match self {
            Self::Note(post) => posts::note_post(db, post).await,
            Self::Claim(stale) => {
                posts::claim_post(db, stale, time(3)).await.map(|is_ours| assert!(is_ours))
            }
            Self::Drawn(stale) => posts::note_drawn(db, stale, true, time(4)).await,
        }
    }
}

async fn write(desk: &Desk, posting: Posting) {
    let written = desk.store().write_about(posting, |posting, db| Box::pin(posting.work(db)));
    written.await.unwrap();
}

#[tokio::test]
async fn a_post_that_is_drawn_costs_so_many_statements() {
    let database = Database::fresh().await;
    let desk = &desk(&database).await;
    let code = table(desk, Some("discord:channel:1")).await;
    let post = Post {
        code: code.clone(),
        message: "1".to_owned(),
        window: PostedWindow::BeforeFirst,
        shown: 0,
    };
    write(desk, Posting::Note(post)).await;
    seal(desk, &code, "sakura", BID, 1).await;
    let drawn = async {
        let mut db = desk.store().read().await.unwrap();
        let [stale] =
            posts::stale_posts(&mut db, "discord:", time(0), 64).await.unwrap().try_into().unwrap();
        drop(db);
        write(desk, Posting::Claim(StalePost::clone(&stale))).await;
        let sight = crate::see(desk, &code, None, time(3)).await.unwrap();
        sight.presence();
        write(desk, Posting::Drawn(stale)).await;
    };
    assert_eq!(cost(desk, drawn).await.0, 8);
}
