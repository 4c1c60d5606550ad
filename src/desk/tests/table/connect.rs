//! Opening a database: with others at the same time, after a newer program, and for want of room.

use futures_util::future::join_all;

use crate::model::{Desk, NotDone};
use crate::tests::support::{
    BID, Database, GAMES, codes, desk, execute, looks, progress, rows, say, seal, see, table,
    verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use rules::window::Progress::{NothingDeclared, SealedComplete};
use store::{Access, Location, OpenError, Store, StoreError};
use tables::CloseReason;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn programs_can_open_the_same_new_database_at_once() {
    for _ in 0..5 {
        let database = Database::empty().await;
        let open = |_| {
            let location = Location::new(&database.url);
            tokio::spawn(async move { Store::open(&location).await })
        };
        for opened in join_all((0..6).map(open)).await {
            let desk = Desk::new(opened.unwrap().unwrap(), GAMES);
            table(&desk, "toy").await;
        }
        assert_eq!(codes(&database).await.len(), 6);
    }
}

#[tokio::test]
async fn a_database_whose_schema_is_damaged_is_refused() {
    let database = Database::empty().await;
    if !database.is_embedded() {
        return;
    }
    desk(&database).await.store().close().await;
    execute(
        &database,
        "pragma writable_schema = 1;
         update sqlite_master set sql = replace(sql, 'absence', 'abs' || cast(x'ff' as text) || 'e')
         where name = 'lateness'",
    )
    .await;
    let refused = Store::open(&Location::new(&database.url)).await.unwrap_err();
    assert!(matches!(refused, OpenError::Damaged), "{refused}");
}

#[tokio::test]
async fn only_its_owner_can_read_a_database_and_its_copies() {
    use std::os::unix::fs::PermissionsExt;
    let database = Database::empty().await;
    let desk = desk(&database).await;
    table(&desk, "toy").await;
    let copy = database.folder.path().join("copy");
    let location = Location::new(&database.url);
    // Without pg_dump no copy is made; the file that is created is private all the same.
    let _ = desk.store().back_up(&location, &copy).await;
    let files = std::fs::read_dir(database.folder.path()).unwrap().map(Result::unwrap);
    let files: Vec<_> = files.filter(|file| file.file_type().unwrap().is_file()).collect();
    assert_eq!(files.len(), if database.is_embedded() { 4 } else { 1 }, "{files:?}");
    for file in files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

#[tokio::test]
async fn a_database_of_another_time_is_refused() {
    let newer = refused_with(9999).await;
    assert!(matches!(newer, OpenError::Newer { found: 9999, known: 200 }), "{newer}");
    let older = refused_with(17).await;
    assert!(matches!(older, OpenError::Older), "{older}");
    // A development version may have had another schema of the same number.
    let other = refused_after(|sum| format!("update _sqlx_migrations set checksum = {sum}")).await;
    assert!(matches!(other, OpenError::Older), "{other}");
}

/// Returns the refusal of a database with this migration.
async fn refused_with(migration: i64) -> OpenError {
    let insert = |checksum: &str| {
        format!(
            "insert into _sqlx_migrations
                 (version, description, installed_on, success, checksum, execution_time)
             values ({migration}, 'of another time', current_timestamp, true, {checksum}, 0)"
        )
    };
    refused_after(insert).await
}

/// Returns the refusal of a database after a change of its list of migrations, given a checksum.
async fn refused_after(change: impl Fn(&str) -> String) -> OpenError {
    let database = Database::empty().await;
    desk(&database).await.store().close().await;
    let checksum = if database.is_embedded() { "x'00'" } else { r"'\x00'" };
    execute(&database, &change(checksum)).await;
    Store::open(&Location::new(&database.url)).await.unwrap_err()
}

/// The schema is created completely or not at all, and is completed once there is room.
#[tokio::test]
async fn a_database_without_room_for_its_schema_is_refused() {
    let mut sizes = 2;
    loop {
        let database = Database::empty().await;
        if !database.is_embedded() {
            return;
        }
        let location = Location { max_pages: Some(sizes), ..Location::new(&database.url) };
        match Store::open(&location).await {
            Ok(store) => {
                assert_eq!(store.lacking().await.unwrap(), None);
                assert!(sizes > 20, "it needs no less");
                return;
            }
            Err(error) => assert!(matches!(error, OpenError::Full), "{sizes}: {error}"),
        }
        table(&desk(&database).await, "toy").await;
        sizes += 7;
    }
}

#[tokio::test]
async fn a_database_that_lacks_something_is_refused() {
    for (lack, lacking) in [
        ("drop table heard", "heard.heard_at"),
        ("alter table tables drop column settings", "tables.settings"),
    ] {
        let database = Database::empty().await;
        let desk = desk(&database).await;
        assert_eq!(desk.store().lacking().await.unwrap(), None);
        execute(&database, lack).await;
        assert_eq!(desk.store().lacking().await.unwrap().as_deref(), Some(lacking));
        desk.store().close().await;
        for access in [Access::Make, Access::Check, Access::Read] {
            let location = Location { access, ..Location::new(&database.url) };
            let refused = Store::open(&location).await.unwrap_err();
            assert!(matches!(&refused, OpenError::Lacking(what) if what == lacking), "{refused}");
        }
        let location = Location { access: Access::Copy, ..Location::new(&database.url) };
        Store::open(&location).await.unwrap().close().await;
    }
}

#[tokio::test]
async fn what_was_declared_outlasts_a_full_disk() {
    let database = Database::empty().await;
    if !database.is_embedded() {
        // Only an embedded database has a limit on its pages.
        return;
    }
    let roomy = desk(&database).await;
    let code = table(&roomy, "toy").await;
    seal(&roomy, &code, "sakura", BID, 1).await;
    let (pages,): (i64,) = rows(&database, "pragma page_count").await.remove(0);
    roomy.store().close().await;

    let pages = Some(u32::try_from(pages).unwrap() + 20);
    let location = Location { max_pages: pages, ..Location::new(&database.url) };
    let desk = Desk::new(Store::open(&location).await.unwrap(), GAMES);
    let mut taken = BID.to_owned();
    let mut full = None;
    for length in (1..).map(|tries| tries * 4000) {
        let text = format!("bid.gold=2 bid.motto={}", "x".repeat(length));
        match say(&desk, &code, "kaede", &text, DeclarationStatus::Draft, 2).await {
            Ok(_) => taken = text,
            Err(error) => {
                full = Some(error);
                break;
            }
        }
    }
    assert!(matches!(full, Some(NotDone::Store(StoreError::Full))), "{full:?}");
    assert!(taken.len() > 4000, "at first there was room");
    let own = see(&desk, &code, "kaede", 3).await.play.unwrap().own;
    assert_eq!(own, kit::toy::said(&taken), "what was there stays");
    let own = see(&desk, &code, "sakura", 3).await.play.unwrap().own;
    assert_eq!(own, kit::toy::said(BID));
    say(&desk, &code, "kaede", "", DeclarationStatus::Draft, 3).await.unwrap();
    assert_eq!(
        progress(&desk, &code, "sakura", 3).await,
        [SealedComplete, NothingDeclared],
        "there is room for what needs none"
    );
    desk.store().close().await;

    let roomy = self::desk(&database).await;
    seal(&roomy, &code, "kaede", &format!("{BID} bid.motto={}", "x".repeat(200_000)), 4).await;
    assert_eq!(looks(&roomy, &code, 4).await, TickOutcome::Closed(CloseReason::AllSealed));
    verify(&database, &roomy).await;
}
