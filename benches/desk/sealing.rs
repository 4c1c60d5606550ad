//! Seals per second, each acknowledged once it is durable, compared with bare inserts of the same rows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use crate::bare::{Bare, Row};
use crate::databases::Databases;
use crate::tables::{self, Intent};
use crate::{BEGINNING, Done, median, per, rate, since};
use desk::{DeclarationStatus, Desk, NotDone};
use kit::figures::thousands;

/// The numbers of tables, of concurrent people and of rounds.
pub(crate) struct Plan {
    pub(crate) tables: usize,
    pub(crate) people: usize,
    pub(crate) rounds: usize,
}

/// The figures of each round.
#[derive(Default)]
struct Rounds {
    sealed: Vec<f64>,
    each: Vec<f64>,
    grouped: Vec<f64>,
    commits: Vec<f64>,
    statements: Vec<f64>,
}

pub(crate) async fn measure(databases: &Databases, plan: &Plan) -> Done {
    let desk = tables::desk(&databases.fresh("sealing").await?).await?;
    let each = Bare::open(&databases.fresh("each").await?).await?;
    let grouped = Bare::open(&databases.fresh("grouped").await?).await?;
    let tables = tables::form(&desk, plan.tables).await?;
    let mut rounds = Rounds::default();
    for _ in 0..plan.rounds {
        let intents = Arc::new(tables::intents(&desk, &tables, BEGINNING).await?);
        let rows = Arc::new(rows(&intents)?);
        let count = intents.len();
        let (commits, statements) = (desk.store().commits(), desk.store().statements());
        rounds.sealed.push(rate(count, seal(&desk, &intents, plan.people).await?));
        rounds.commits.push(per(since(commits, desk.store().commits()), count));
        rounds.statements.push(per(since(statements, desk.store().statements()), count));
        rounds.each.push(rate(count, each.each(&rows, plan.people).await?));
        rounds.grouped.push(rate(count, grouped.grouped(&rows).await?));
        // Everybody has sealed, so the next windows open.
        tables::settle(&desk, BEGINNING).await?;
    }
    rounds.tell(plan, databases)?;
    desk.store().close().await;
    each.close().await;
    grouped.close().await;
    for name in ["sealing", "each", "grouped"] {
        databases.remove(name).await?;
    }
    Ok(())
}

impl Rounds {
    fn tell(self, plan: &Plan, databases: &Databases) -> Done {
        let mut figures = databases.figures("sealing");
        figures.add([
            "a page written and synced".to_owned(),
            format!("{:.0} µs", databases.synced()?),
        ]);
        let (people, tables) = (plan.people, thousands(plan.tables));
        let sealed = median(self.sealed);
        let what = format!("sealings a second, {people} people at {tables} tables");
        figures.add([what, format!("{sealed:.0}")]);
        let inserts =
            [("each committed", median(self.each)), ("64 in a commit", median(self.grouped))];
        for (how, inserted) in inserts {
            figures.add([format!("bare inserts a second, {how}"), format!("{inserted:.0}")]);
            let ratio = sealed / inserted;
            figures.add([format!("sealings : bare inserts, {how}"), format!("{ratio:.2} : 1")]);
        }
        figures
            .add(["sealings in a commit".to_owned(), format!("{:.1}", 1.0 / median(self.commits))]);
        figures.add(["statements a sealing".to_owned(), format!("{:.2}", median(self.statements))]);
        Ok(figures.tell()?)
    }
}

/// Returns the rows that the store writes for these declarations.
fn rows(intents: &[Intent]) -> Done<Vec<Row>> {
    let row = |intent: &Intent| {
        Ok(Row {
            code: intent.code.clone(),
            number: intent.window,
            seat: i64::try_from(intent.seat.index())?,
            answers: serde_json::to_string(&intent.declaration)?,
        })
    };
    intents.iter().map(row).collect()
}

/// Seals from `people` concurrent tasks, each at one table after another.
async fn seal(desk: &Desk, intents: &Arc<Vec<Intent>>, people: usize) -> Done<Duration> {
    let begun = Instant::now();
    let tasks = (0..people).map(|one| {
        let (intents, desk) = (Arc::clone(intents), desk.clone());
        tokio::spawn(async move {
            for intent in intents.iter().skip(one).step_by(people) {
                let Intent { code, account, declaration, .. } = intent;
                desk::declare(
                    &desk,
                    code,
                    account,
                    declaration,
                    DeclarationStatus::Sealed,
                    None,
                    BEGINNING,
                )
                .await?;
            }
            Ok::<(), NotDone>(())
        })
    });
    try_join_all(tasks).await?.into_iter().collect::<Result<(), _>>()?;
    Ok(begun.elapsed())
}
