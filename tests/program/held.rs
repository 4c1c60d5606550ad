//! The contents of a database about a table, with the invariants that hold at every moment, even after a
//! kill.

use std::collections::BTreeMap;

use desk::Event;
use rules::receipt::{self, Receipt};
use sqlx::{AnyConnection, Connection, query_as};

/// The contents of a database about a table.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) code: String,
    pub(crate) stage: String,
    pub(crate) open_window: i64,
    pub(crate) seed: String,
    pub(crate) journal: Vec<Event>,
    /// The declarations by window and seat.
    pub(crate) declared: BTreeMap<(i64, i64), Declared>,
    /// The times of sending in milliseconds, by the letter's id without the table's code; `None` if unsent.
    pub(crate) outbox: BTreeMap<String, Option<i64>>,
    /// The times of reading in milliseconds, by the letter's id without the table's code; `None` if unread.
    pub(crate) mail: BTreeMap<String, Option<i64>>,
    /// The hash of the newest stored state.
    pub(crate) state: String,
}

/// A declaration as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) answers: String,
    pub(crate) sealed: bool,
    pub(crate) salt: Option<String>,
    /// The short code of its seal.
    pub(crate) receipt: Option<String>,
    hash: Option<String>,
}

/// Connects to an existing database.
pub(crate) async fn connect(url: &str) -> AnyConnection {
    sqlx::any::install_default_drivers();
    AnyConnection::connect(url).await.unwrap()
}

type Sealing = (i64, i64, String, i64, Option<String>, Option<String>);

impl Held {
    /// Reads the contents about a table.
    pub(crate) async fn read(connection: &mut AnyConnection, code: &str) -> Self {
        let table = query_as::<_, (String, i64, String, i64, String)>(
            "select stage, open_window, seed, entries, chain from tables where code = $1",
        );
        let (stage, open_window, seed, entries, chain) =
            table.bind(code).fetch_one(&mut *connection).await.unwrap();
        let journal = query_as::<_, (i64, i64, String, String)>(
            "select entry, at, body, hash from journal where code = $1 order by entry",
        );
        let journal = journal.bind(code).fetch_all(&mut *connection).await.unwrap();
        let journal = unchained(&journal, entries, &chain);
        let declared = query_as::<_, Sealing>(
            "select number, seat, answers, sealed, salt, hash from declarations where code = $1",
        );
        let declared = declared.bind(code).fetch_all(&mut *connection).await.unwrap();
        let declared = declared.into_iter().map(|(number, seat, answers, sealed, salt, hash)| {
            let receipt = hash.as_deref().map(short);
            ((number, seat), Declared { answers, sealed: sealed != 0, salt, receipt, hash })
        });
        let windows = query_as::<_, (i64, Option<i64>)>(
            "select number, closed_at from windows where code = $1 order by number",
        );
        let windows: Vec<(i64, bool)> = windows
            .bind(code)
            .fetch_all(&mut *connection)
            .await
            .unwrap()
            .into_iter()
            .map(|(number, closed)| (number, closed.is_some()))
            .collect();
        let all: Vec<_> = (0..=open_window).map(|number| (number, number < open_window)).collect();
        assert_eq!(windows, all, "{code}: every window but the newest is closed");
        let newest = query_as::<_, (String,)>(
            "select hash from snapshots where code = $1 order by number desc limit 1",
        );
        let newest = newest.bind(code).fetch_optional(&mut *connection).await.unwrap();
        let held = Self {
            code: code.to_owned(),
            stage,
            open_window,
            seed,
            journal,
            declared: declared.collect(),
            outbox: letters(connection, "outbox", "sent_at", code).await,
            mail: letters(connection, "mail", "read_at", code).await,
            state: newest.map(|(hash,)| hash).unwrap_or_default(),
        };
        held.check(connection).await;
        held
    }

    /// Asserts that each window is resolved once and in order, from its sealed declarations, and announced
    /// once.
    async fn check(&self, connection: &mut AnyConnection) {
        let mut closed = 0;
        for happened in &self.journal {
            let Event::Closed { number, sealed, .. } = happened else { continue };
            let number = i64::from(number.get());
            assert_eq!(number, closed, "{}: one close for each window", self.code);
            closed += 1;
            let kept = self.declared.iter().filter(|((of, _), _)| *of == number);
            let kept =
                kept.filter_map(|((_, seat), declared)| Some((*seat, declared.hash.clone()?)));
            let sealed = sealed
                .iter()
                .map(|(seat, hash)| (i64::try_from(seat.unwrap().index()).unwrap(), hash.clone()));
            assert_eq!(kept.collect::<Vec<_>>(), sealed.collect::<Vec<_>>(), "what was sealed");
        }
        let dealt = self.journal.iter().any(|entry| matches!(entry, Event::Dealt { .. }));
        assert_eq!(self.open_window, if dealt { closed } else { -1 }, "{}: no gap", self.code);
        for (letter, sent) in &self.outbox {
            // Outdated reminders are not sent.
            let may_lapse = letter.contains("reminder") || letter.contains("last");
            let arrived = self.mail.contains_key(letter);
            assert!(sent.is_none() || arrived || may_lapse, "{letter} was sent nowhere");
        }
        assert!(self.mail.keys().all(|letter| self.outbox.contains_key(letter)));
        let seats = query_as::<_, (i64,)>(
            "select seat from seats where code = $1 and address is not null order by seat",
        );
        let seats = seats.bind(&self.code).fetch_all(connection).await.unwrap();
        for number in 0..=self.open_window {
            for (seat,) in &seats {
                let letter = format!("{number}-opening-P{}", seat + 1);
                assert!(self.outbox.contains_key(&letter), "{}: no {letter}", self.code);
            }
        }
    }

    /// True if every letter has arrived, except outdated ones.
    pub(crate) fn is_delivered(&self) -> bool {
        // The reminder to the last player is sent later, if it is still true then.
        let is_done = |(letter, sent): (&String, &Option<i64>)| {
            sent.is_some() || letter.contains("-last-") || letter.ends_with("-last")
        };
        self.outbox.iter().all(is_done)
    }

    /// Returns the hashes of the states after each window.
    pub(crate) fn states(&self) -> Vec<&str> {
        let states = self.journal.iter().filter_map(|happened| match happened {
            Event::Dealt { state, .. } | Event::Closed { state, .. } => Some(state.as_str()),
            _ => None,
        });
        states.collect()
    }
}

/// Returns the short code of a seal with this hash.
fn short(hash: &str) -> String {
    let mut bytes = [0; 32];
    hex::decode_to_slice(hash, &mut bytes).unwrap();
    Receipt::from_hash(bytes).code()
}

/// Returns a journal after checking its chain.
fn unchained(rows: &[(i64, i64, String, String)], entries: i64, chain: &str) -> Vec<Event> {
    let mut last = receipt::BEGINNING;
    let mut journal = Vec::new();
    for (number, (entry, at, body, hash)) in (0..).zip(rows) {
        assert_eq!(*entry, number, "no entry is missing");
        last = receipt::chain(&last, &format!("{entry} {at} {body}"));
        assert_eq!(*hash, hex::encode(last), "the chain holds");
        journal.push(serde_json::from_str(body).unwrap());
    }
    assert_eq!((i64::try_from(rows.len()).unwrap(), hex::encode(last).as_str()), (entries, chain));
    journal
}

async fn letters(
    connection: &mut AnyConnection,
    of: &str,
    when: &str,
    code: &str,
) -> BTreeMap<String, Option<i64>> {
    let statement = format!("select letter, {when} from {of} where letter like $1");
    let letters = query_as::<_, (String, Option<i64>)>(sqlx::AssertSqlSafe(statement));
    let letters = letters.bind(format!("{code}-%")).fetch_all(connection).await.unwrap();
    let bare = |letter: String| letter[code.len() + 1..].to_owned();
    letters.into_iter().map(|(letter, when)| (bare(letter), when)).collect()
}
