//! The writer, and the order of writes.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::AnyPool;
use tokio::sync::{mpsc, oneshot};

use crate::batch::whole_window::{FirstTouch, open_tables, read_ahead};
use crate::database::session::{Line, Readers, Shared};
use crate::database::{Result, Session, StoreError};
use crate::rows::OpenTable;
use tables::{AccountId, TableCode};

/// The writer of either kind of database.
#[derive(Clone, Debug)]
pub(crate) enum Writer {
    /// SQLite has one writer: pieces of work of all kinds in the order of arrival, several in one commit.
    One { queue: mpsc::Sender<Box<dyn Queued>>, pool: AnyPool },
    /// PostgreSQL has many writers, with one transaction for each piece of work.
    Pool,
}

/// The maximum number of pieces of work in a commit.
pub(crate) const GROUP: usize = 64;

/// A piece of work that is done in one transaction. It may run more than once, if the first try could not be
/// committed, and must not touch anything but the session.
#[derive(Debug)]
pub struct Work<A, T> {
    about: A,
    does: WorkStep<A, T>,
    begins_with: fn(&A) -> Option<FirstTouch<'_>>,
    keeps: fn(&T) -> bool,
}

/// A function that does the work about a subject. A refusal is a result, too.
pub type WorkStep<A, T> = for<'w> fn(&'w A, &'w mut Session) -> BoxFuture<'w, Result<T>>;

impl<A, T> Work<A, T> {
    /// Returns the work of a function.
    pub fn new(about: A, does: WorkStep<A, T>) -> Self {
        Self { about, does, begins_with: |_| None, keeps: |_| true }
    }

    /// Sets the table that the work touches first and whose open window it then reads, so that this is done
    /// for several pieces of work together.
    #[must_use]
    pub fn beginning_with(self, begins_with: fn(&A) -> Option<FirstTouch<'_>>) -> Self {
        Self { begins_with, ..self }
    }

    /// Sets the results whose writes are committed. The writes of others are undone, and the result is
    /// returned all the same: for dry runs, and refusals half way.
    #[must_use]
    pub fn keeping(self, keeps: fn(&T) -> bool) -> Self {
        Self { keeps, ..self }
    }
}

/// Turns a panic of a piece of work into a failure.
async fn guarded<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(StoreError::Failed(message.unwrap_or("it panicked").to_owned()))
    })
}

/// A piece of work whose caller waits for its result. Its type is hidden, so that the following code is
/// compiled only once.
pub(crate) trait Queued: Send {
    fn begins_with(&self) -> Option<FirstTouch<'_>>;
    /// Does the work within the open transaction, stores its result, and returns true if it is to be
    /// committed.
    fn work<'a>(&'a mut self, db: &'a mut Session) -> BoxFuture<'a, Result<bool>>;
    /// Sends the result to the caller, after the commit.
    fn acknowledge(self: Box<Self>);
    /// Sends the error to the caller: nothing is stored.
    fn fail(self: Box<Self>, error: StoreError);
}

struct Waiting<A, T> {
    work: Work<A, T>,
    done: Option<T>,
    reply: oneshot::Sender<Result<T>>,
}

impl<A: Send + Sync, T: Send> Queued for Waiting<A, T> {
    fn begins_with(&self) -> Option<FirstTouch<'_>> {
        (self.work.begins_with)(&self.work.about)
    }

    fn work<'a>(&'a mut self, db: &'a mut Session) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let done = guarded((self.work.does)(&self.work.about, db)).await?;
            Ok((self.work.keeps)(self.done.insert(done)))
        })
    }

    fn acknowledge(self: Box<Self>) {
        let unworked = || StoreError::Failed("it was never done".to_owned());
        // The caller may be gone.
        let _ = self.reply.send(self.done.ok_or_else(unworked));
    }

    fn fail(self: Box<Self>, error: StoreError) {
        let _ = self.reply.send(Err(error));
    }
}

/// The receiver of the result of a piece of work.
pub(crate) type ResultReceiver<T> = oneshot::Receiver<Result<T>>;

/// Returns a piece of work to queue, and the receiver of its result.
pub(crate) fn queued<A, T>(work: Work<A, T>) -> (Box<dyn Queued>, ResultReceiver<T>)
where
    A: Send + Sync + 'static,
    T: Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    (Box::new(Waiting { work, done: None, reply }), answer)
}

/// Starts the only writer.
pub(crate) fn start(pool: AnyPool, shared: Shared, commits: Arc<AtomicU64>) -> Writer {
    let (queue, mut waiting) = mpsc::channel(4 * GROUP);
    let writers = pool.clone();
    tokio::spawn(async move {
        let mut group = Vec::with_capacity(GROUP);
        let mut resting = None;
        // Work that arrives during a commit shares the next one.
        while waiting.recv_many(&mut group, GROUP).await > 0 {
            let db = match resting.take() {
                Some(db) => db,
                None => match writers.acquire().await {
                    Ok(connection) => Line::new(connection, shared.clone()).into(),
                    Err(error) => {
                        fail_all(group.drain(..), &error.into());
                        continue;
                    }
                },
            };
            let db = write_group(db, &mut group, &commits).await;
            // The session is given back only if no work is waiting.
            resting = db.filter(|_| !waiting.is_empty());
        }
    });
    Writer::One { queue, pool }
}

/// Fails all work of a group.
fn fail_all(group: impl Iterator<Item = Box<dyn Queued>>, error: &StoreError) {
    group.for_each(|job| job.fail(error.for_another()));
}

/// Commits a group together; if that fails, or one is to be undone, each alone, so that a failed piece of
/// work affects no other. Returns the session if it is still usable.
async fn write_group(
    mut db: Session,
    group: &mut Vec<Box<dyn Queued>>,
    commits: &AtomicU64,
) -> Option<Session> {
    let mut failed = false;
    if group.len() > 1 {
        match write(&mut db, group).await {
            Ok(Ok(true)) => {
                commits.fetch_add(1, Ordering::Relaxed);
                group.drain(..).for_each(Queued::acknowledge);
                return Some(db);
            }
            Ok(_) => {}
            // Each piece of work alone would wait as long, one after the other.
            Err(NotBegun(error)) => {
                fail_all(group.drain(..), &error);
                db.abandon().await;
                return None;
            }
        }
    }
    let mut jobs = group.drain(..);
    while let Some(mut job) = jobs.next() {
        match write(&mut db, std::slice::from_mut(&mut job)).await {
            Ok(Ok(stored)) => {
                commits.fetch_add(u64::from(stored), Ordering::Relaxed);
                job.acknowledge();
            }
            Ok(Err(error)) => {
                failed = true;
                job.fail(error);
            }
            Err(NotBegun(error)) => {
                failed = true;
                fail_all(jobs.by_ref(), &error);
                job.fail(error);
            }
        }
    }
    if failed {
        db.abandon().await;
        return None;
    }
    Some(db)
}

/// Does one piece of work in a transaction of its own, which begins with this statement. Returns false if the
/// work asked for its undoing.
pub(crate) async fn alone(
    db: &mut Session,
    begin: &'static str,
    job: &mut Box<dyn Queued>,
) -> Result<bool> {
    db.control(begin).await?;
    done(db, std::slice::from_mut(job)).await
}

/// The error of a transaction that could not begin: another program writes for too long, or writing is
/// impossible.
struct NotBegun(StoreError);

/// Does these pieces of work in one transaction. Returns false if one of them must be undone, which undoes
/// all of them.
async fn write(db: &mut Session, jobs: &mut [Box<dyn Queued>]) -> Result<Result<bool>, NotBegun> {
    // Other programs may be writing too. SQLite fails immediately if a transaction reads first and another
    // program has written before its first write; so it begins as a writer.
    db.control("begin immediate").await.map_err(NotBegun)?;
    Ok(done(db, jobs).await)
}

/// Does the work within the open transaction, and ends the transaction.
async fn done(db: &mut Session, jobs: &mut [Box<dyn Queued>]) -> Result<bool> {
    let mut keeps = worked(db, jobs).await;
    if let Ok(true) = keeps {
        keeps = db.flush().await.map(|()| true);
    }
    if let Ok(true) = keeps {
        keeps = db.control("commit").await.map(|()| true);
    }
    match keeps {
        Ok(true) => Ok(true),
        Ok(false) => db.control("rollback").await.map(|()| false),
        Err(error) => {
            // SQLite may have rolled back by itself. The first error is the one to report.
            let _ = db.control("rollback").await;
            Err(error)
        }
    }
}

/// Does all pieces of work, whose unsaved rows are then written together.
async fn worked(db: &mut Session, jobs: &mut [Box<dyn Queued>]) -> Result<bool> {
    let mut tables: BTreeMap<&TableCode, FirstTouch<'_>> = BTreeMap::new();
    for begins in jobs.iter().filter_map(|job| job.begins_with()) {
        let both = tables.get(begins.code()).map_or(begins, |other| other.and(begins));
        tables.insert(begins.code(), both);
    }
    if tables.len() > 1 {
        read_ahead(db, &tables).await?;
    }
    for job in jobs {
        if !job.work(db).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The task that reads open tables for its callers, several at a time.
#[derive(Clone, Debug)]
pub(crate) struct TableReader(mpsc::Sender<AskedTable>);

/// A caller that waits for a table.
struct AskedTable {
    /// The code of the table, and the account for which the table is read.
    table: (TableCode, Option<AccountId>),
    reply: oneshot::Sender<Result<Option<OpenTable>>>,
}

impl TableReader {
    pub(crate) fn start(readers: Readers) -> Self {
        let (queue, mut asked) = mpsc::channel(4 * GROUP);
        tokio::spawn(async move {
            let mut group = Vec::with_capacity(GROUP);
            // Requests that arrive during a statement share the next one.
            while asked.recv_many(&mut group, GROUP).await > 0 {
                answer(&readers, &mut group).await;
            }
        });
        Self(queue)
    }

    /// Returns a table as it was a moment ago, for an account.
    pub(crate) async fn open_table(
        &self,
        code: &TableCode,
        account: &AccountId,
    ) -> Result<Option<OpenTable>> {
        // This happens only at the end of the program.
        let gone = || StoreError::Unreachable(sqlx::Error::PoolClosed);
        let (reply, answer) = oneshot::channel();
        let asked = AskedTable { table: (code.to_owned(), Some(account.to_owned())), reply };
        self.0.send(asked).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Answers all requests. If the read fails, each table is read alone, so that a faulty table affects no
/// other.
async fn answer(readers: &Readers, group: &mut Vec<AskedTable>) {
    let tables: Vec<_> = group.iter().map(|asked| asked.table.clone()).collect();
    match read(readers, &tables).await {
        Ok(opened) => {
            for (asked, opened) in group.drain(..).zip(opened) {
                asked.tell(Ok(opened));
            }
        }
        Err(StoreError::Unreachable(error)) => {
            let (last, error) = (group.pop(), StoreError::Unreachable(error));
            group.drain(..).for_each(|asked| asked.tell(Err(error.for_another())));
            if let Some(last) = last {
                last.tell(Err(error));
            }
        }
        Err(_) => {
            for asked in group.drain(..) {
                let opened = read(readers, slice::from_ref(&asked.table)).await;
                asked.tell(opened.map(|mut opened| opened.pop().flatten()));
            }
        }
    }
}

async fn read(
    readers: &Readers,
    tables: &[(TableCode, Option<AccountId>)],
) -> Result<Vec<Option<OpenTable>>> {
    open_tables(&mut readers.session().await?, tables).await
}

impl AskedTable {
    fn tell(self, opened: Result<Option<OpenTable>>) {
        // The caller may be gone.
        let _ = self.reply.send(opened);
    }
}
