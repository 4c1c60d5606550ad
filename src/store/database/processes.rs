//! The heartbeats of processes, and the outages without any.

use crate::database::error::Result;
use crate::database::session::Session;
use crate::delivery::obstacles;
use crate::rows::{OutageRow, Placeholders};
use tables::{Span, Time};

/// The time for which a silent process is remembered.
const CLOCK_MEMORY: Span = Span::days(1);

/// The times on the clocks of other machines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherClocks {
    /// The other processes that have not ended, and the time of each last heartbeat on its own clock.
    pub beats: Vec<(String, Time)>,
    /// The time on the database server, `None` for an embedded database.
    pub server: Option<Time>,
}

/// Returns the times on other clocks than that of this process.
pub async fn other_clocks(db: &mut Session, process: &str) -> Result<OtherClocks> {
    let text = "select process, beat_at from processes where process <> $1 and ended_at is null";
    let beats = db.rows(text, (process,)).await?;
    let server = match db.marks() {
        // An embedded database uses the clock of this machine.
        Placeholders::InOrder => None,
        Placeholders::Numbered => {
            let text = "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
            db.value(text, ()).await?
        }
    };
    Ok(OtherClocks { beats, server })
}

/// Stores the heartbeat of a process. A time without any heartbeat longer than `silence` is stored and
/// returned as an outage. A heartbeat from the future comes from a wrong clock, and does not count.
pub async fn beat(
    db: &mut Session,
    process: &str,
    now: Time,
    silence: Span,
) -> Result<Option<OutageRow>> {
    let text = "insert into processes (process, started_at, beat_at) values ($1, $2, $2)
         on conflict (process) do update
             set beat_before = processes.beat_at, beat_at = excluded.beat_at";
    db.write(text, (process, now)).await?;
    // The clocks of machines differ a little: of a process ahead, the heartbeat before may count.
    let text = "select max(beaten) from (
             select case when process = $1 or beat_at > $2 then beat_before else beat_at end
                 as beaten
             from processes
         ) beats where beaten <= $2";
    let last = db.value::<Option<Time>>(text, (process, now)).await?.flatten();
    let text = "delete from processes where (beat_at < $1 or beat_at > $2) and process <> $3";
    db.write(text, (now - CLOCK_MEMORY, now + silence, process)).await?;
    // An outage noted by a wrong clock would put off deadlines until it is over.
    db.write("delete from outages where ended_at > $1", (now + silence,)).await?;
    forget_heard(db, now).await?;
    obstacles::forget_barred(db, now).await?;
    let Some(began_at) = last.filter(|last| now - *last > silence) else { return Ok(None) };
    let outage = OutageRow { began_at, ended_at: now };
    let text = "insert into outages (began_at, ended_at) values ($1, $2) on conflict do nothing";
    db.write(text, (began_at, now)).await?;
    Ok(Some(outage))
}

/// Stores the end of a process, which no longer is a witness of the time.
pub async fn end(db: &mut Session, process: &str, now: Time) -> Result<()> {
    let text = "update processes set ended_at = $2 where process = $1";
    db.write(text, (process, now)).await?;
    Ok(())
}

/// Returns the outage at this time, `None` if there was none.
pub async fn outage_at(db: &mut Session, at: Time) -> Result<Option<OutageRow>> {
    let text = "select began_at, ended_at from outages where began_at <= $1 and $1 < ended_at
         order by began_at limit 1";
    db.row(text, (at,)).await
}

/// The time for which an interaction is remembered, longer than the time for an answer.
const MEMORY: Span = Span::minutes(20);

/// Takes on an interaction. Returns false if another process has it, or this one already.
pub async fn take_on(db: &mut Session, interaction: &str, now: Time) -> Result<bool> {
    let text = "insert into heard (interaction, heard_at) values ($1, $2) on conflict do nothing";
    Ok(db.changes(text, (interaction, now)).await? == 1)
}

/// Deletes interactions that can no longer arrive.
async fn forget_heard(db: &mut Session, now: Time) -> Result<()> {
    db.write("delete from heard where heard_at < $1", (now - MEMORY,)).await
}
