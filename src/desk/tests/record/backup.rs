//! A backup that is made during play is a database that works.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tables::{CloseReason, Stage, WindowNumber};

use tokio::sync::Barrier;

use crate::tests::support::{Database, HOUR, codes, desk, looks, rows, seal, see, table, verify};
use crate::tick::TickOutcome;
use store::{BackupError, Location};

const TABLES: usize = 6;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_copy_of_a_database_in_use_goes_on() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let mut playing = Vec::new();
    let stop = Arc::new(AtomicBool::new(false));
    let at_work = Arc::new(Barrier::new(TABLES + 1));
    for _ in 0..TABLES {
        let code = table(&desk, "toy").await;
        let (desk, stop, at_work) = (desk.clone(), Arc::clone(&stop), Arc::clone(&at_work));
        playing.push(tokio::spawn(async move {
            for now in 1.. {
                seal(&desk, &code, "sakura", &format!("bid.gold={}", now % 6 + 1), now).await;
                if now == 1 {
                    at_work.wait().await;
                }
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        }));
    }
    at_work.wait().await;
    let file = database.folder.path().join("copy");
    let location = Location::new(&database.url);
    desk.store().back_up(&location, &file).await.unwrap();
    stop.store(true, Ordering::Relaxed);
    for playing in playing {
        playing.await.unwrap();
    }
    let again = desk.store().back_up(&location, &file).await;
    assert!(matches!(again, Err(BackupError::Exists)), "nothing is overwritten");

    let copy = restored(&database, &file).await;
    let elsewhere = self::desk(&copy).await;
    assert_eq!(codes(&copy).await.len(), TABLES);
    for code in codes(&copy).await {
        let sight = see(&elsewhere, &code, "sakura", 1).await;
        assert_eq!(sight.stage, Stage::Playing);
        assert_eq!(sight.play.unwrap().own.iter().count(), 1);
        assert_eq!(
            looks(&elsewhere, &code, HOUR).await,
            TickOutcome::Closed(CloseReason::Deadline)
        );
        // The original database knows nothing of this.
        assert_eq!(see(&desk, &code, "sakura", 1).await.play.unwrap().number, WindowNumber::new(0));
    }
    verify(&copy, &elsewhere).await;
    if copy.is_embedded() {
        let found: Vec<(String,)> = rows(&copy, "pragma integrity_check").await;
        assert_eq!(found, [("ok".to_owned(),)]);
    }
}

/// Restores the backup as a database of its own.
async fn restored(database: &Database, file: &std::path::Path) -> Database {
    let mut copy = Database::empty().await;
    if copy.is_embedded() {
        copy.url = format!("sqlite:{}", file.display());
        return copy;
    }
    assert!(!database.is_embedded());
    let mut restoring = Command::new("pg_restore");
    restoring.args(["--no-owner", "--dbname", &copy.url]).arg(file);
    let restored = restoring.output().unwrap();
    assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    copy
}
