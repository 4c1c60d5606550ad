//! Obstacles that keep the letters of a table from arriving until a person removes them. The host is notified
//! of each once: by a letter, or else at their next action.

use futures_util::FutureExt;

use crate::model::{Desk, Obstacle};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use store::{Barrier, Result, Session, ShownAt, obstacles};
use tables::{AccountId, Address, TableCode, Time};

impl Obstacle {
    /// Records that a letter of a table met the obstacle. For the first, posts a letter to the table's host;
    /// without an address, the host is notified at their next action.
    pub(crate) async fn meet(
        &self,
        db: &mut Session,
        code: &TableCode,
        host: Option<&Address>,
        now: Time,
    ) -> Result<()> {
        let cause = self.to_string();
        let notified_at = host.map(|_| now);
        if !obstacles::meet_obstacle(db, code, &cause, notified_at, now).await? {
            return Ok(());
        }
        tracing::warn!(table = %code, cause, "letters cannot arrive until somebody mends it");
        let Some(address) = host else { return Ok(()) };
        let Some(mut tx) = db.touch(code, now).await? else { return Ok(()) };
        let language = obstacles::host(tx.db, code).await?.map(|(_, language)| language);
        let parts = vec![Part::Obstacle { obstacle: self.clone() }];
        let notice = Notice::of(&[], format!("obstacle-{now}-{cause}"), now);
        notice.post_to(&mut tx, address, language.as_deref(), parts)
    }

    /// Records that the letter about the obstacle cannot arrive either.
    pub(crate) async fn note_untold(&self, db: &mut Session, code: &TableCode) -> Result<()> {
        obstacles::note_obstacle(db, code, &self.to_string(), None).await.map(drop)
    }
}

/// Records that something at a table, which goes on without it, met an obstacle. Notifies the host once,
/// at this address if there is one.
pub async fn meet(
    desk: &Desk,
    code: &TableCode,
    obstacle: Obstacle,
    host: Option<Address>,
    now: Time,
) -> Result<()> {
    let about = (code.to_owned(), obstacle, host, now);
    let met = desk.store.write_about(about, |(code, obstacle, host, now), db| {
        obstacle.meet(db, code, host.as_ref(), *now).boxed()
    });
    met.await
}

/// Removes a barrier and, if there was one, its obstacles.
pub async fn unbar(
    desk: &Desk,
    barrier: Barrier,
    obstacles: Vec<Obstacle>,
    now: Time,
) -> Result<()> {
    let unbarred =
        desk.store.write_about((barrier, obstacles, now), |(barrier, obstacles, now), to| {
            let unbar = async move {
                if obstacles::unbar(to, barrier).await? {
                    overcome(to, obstacles, *now).await?;
                }
                Ok(())
            };
            unbar.boxed()
        });
    unbarred.await
}

/// Records that a message can be changed again. If no letter waits at its place, removes the obstacles of
/// the place.
pub async fn changes_again(
    desk: &Desk,
    at: &ShownAt,
    obstacles: Vec<Obstacle>,
    now: Time,
) -> Result<()> {
    let noted = desk.store.write_about((at.clone(), obstacles, now), |(at, obstacles, now), to| {
        let note = async move {
            obstacles::unbar(to, &Barrier::message(&at.place, &at.message)).await?;
            if obstacles::changes_again(to, &at.place, *now).await? {
                overcome(to, obstacles, *now).await?;
            }
            Ok(())
        };
        note.boxed()
    });
    noted.await
}

/// Returns the obstacles that a host has not been notified of, each with its table. They count as
/// notified from now on.
pub async fn untold(
    desk: &Desk,
    account: &AccountId,
    now: Time,
) -> Result<Vec<(TableCode, Obstacle)>> {
    let untold = obstacles::untold_obstacles(&mut desk.store.read().await?, account).await?;
    if untold.is_empty() {
        return Ok(Vec::new());
    }
    let noted = desk.store.write_about((untold, now), |(untold, now), db| {
        Box::pin(async move {
            let mut noted = Vec::new();
            for (code, cause) in untold {
                if obstacles::note_obstacle(db, code, cause, Some(*now)).await? {
                    let Ok(obstacle) = cause.parse();
                    noted.push((code.clone(), obstacle));
                }
            }
            Ok(noted)
        })
    });
    noted.await
}

/// Removes obstacles from every table that met them. The letters about them are updated in place.
pub(crate) async fn overcome(db: &mut Session, obstacles: &[Obstacle], now: Time) -> Result<()> {
    for obstacle in obstacles {
        let cause = obstacle.to_string();
        for code in obstacles::met_by(db, &cause).await? {
            if let Some(mut tx) = db.touch(&code, now).await? {
                obstacles::overcome_cause(&mut tx, &cause).await?;
            }
        }
    }
    Ok(())
}
