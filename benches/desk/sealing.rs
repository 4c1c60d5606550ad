//! Sealings a second, each acknowledged once it is durable, beside bare inserts of the same rows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use shimekiri::desk::{Desk, NotDone, Said};

use crate::bare::{Bare, Row};
use crate::databases::Databases;
use crate::tables::{self, Intent};
use crate::{BEGINNING, Done, median, per, rate, say, since};

/// Who seals where, and how often.
pub(crate) struct Plan {
    pub(crate) tables: usize,
    pub(crate) people: usize,
    pub(crate) rounds: usize,
}

/// The figures of each round.
#[derive(Default)]
struct Figures {
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
    let mut figures = Figures::default();
    for _ in 0..plan.rounds {
        let intents = Arc::new(tables::intents(&desk, &tables, BEGINNING).await?);
        let rows = Arc::new(rows(&intents)?);
        let count = intents.len();
        let (commits, statements) = (desk.store().commits(), desk.store().statements());
        figures.sealed.push(rate(count, seal(&desk, &intents, plan.people).await?));
        figures.commits.push(per(since(commits, desk.store().commits()), count));
        figures.statements.push(per(since(statements, desk.store().statements()), count));
        figures.each.push(rate(count, each.each(&rows, plan.people).await?));
        figures.grouped.push(rate(count, grouped.grouped(&rows).await?));
        // Everybody has sealed: the next windows open.
        tables::settle(&desk, BEGINNING).await?;
    }
    figures.tell(plan);
    desk.store().close().await;
    each.close().await;
    grouped.close().await;
    for name in ["sealing", "each", "grouped"] {
        databases.remove(name).await?;
    }
    Ok(())
}

impl Figures {
    fn tell(self, plan: &Plan) {
        let Plan { tables, people, rounds } = plan;
        let sealed = median(self.sealed);
        let (each, grouped) = (median(self.each), median(self.grouped));
        say(&format!("sealing: {people} people at {tables} tables, {rounds} rounds"));
        say(&format!("  sealings a second                     {sealed:>9.0}"));
        say(&format!("  bare inserts a second, each committed {each:>9.0}"));
        say(&format!("  bare inserts a second, 64 in a commit {grouped:>9.0}"));
        say(&format!("  sealings : inserts, each committed    {:>9.2}", sealed / each));
        say(&format!("  sealings : inserts, 64 in a commit    {:>9.2}", sealed / grouped));
        let commits = median(self.commits);
        say(&format!("  commits per sealing            {commits:>16.4} (1/{:.1})", 1.0 / commits));
        say(&format!("  statements per sealing                {:>9.2}", median(self.statements)));
    }
}

/// The rows that the store keeps of these.
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

/// So many people seal at once, each at one table after the other.
async fn seal(desk: &Desk, intents: &Arc<Vec<Intent>>, people: usize) -> Done<Duration> {
    let begun = Instant::now();
    let tasks = (0..people).map(|one| {
        let (intents, desk) = (Arc::clone(intents), desk.clone());
        tokio::spawn(async move {
            for intent in intents.iter().skip(one).step_by(people) {
                let Intent { code, account, declaration, .. } = intent;
                desk.declare(code, account, declaration, Said::Sealed, BEGINNING).await?;
            }
            Ok::<(), NotDone>(())
        })
    });
    try_join_all(tasks).await?.into_iter().collect::<Result<(), _>>()?;
    Ok(begun.elapsed())
}
