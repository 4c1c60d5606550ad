//! Declarations race with the close of the window, from two processes at the same time: an acknowledged one
//! counts, a refused one does not, and no window is closed twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value as Json;
use tokio::task::JoinSet;

use crate::model::{Desk, NotDone};
use crate::record::Event;
use crate::table::form::Form;
use crate::tests::support::{
    Database, SEED, VALUE, account, declarations, desk, form, guest, happened, looks, say, see,
    verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::{DeclarationStatus, ReceivedDeclaration};
use kit::time::{span, time};
use kit::toy_game::TOY;
use letters::{DeclarationRefused, Refused};
use rules::dice::Stream;
use rules::receipt::Receipt;
use rules::{BySeat, Declaration, Dice, Key, Label, Seat};
use tables::{TableCode, WindowNumber};

/// The number of windows that are raced for, and the number of tables at the same time.
const ROUNDS: usize = 120;
const AT_ONCE: usize = 16;

/// The number of windows that are raced for at a table: a game has no fewer.
const WINDOWS: usize = 6;

const NAMES: [&str; 4] = ["sakura", "kaede", "momiji", "ume"];

/// The number of times for each outcome.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    rounds: usize,
    acknowledged: usize,
    refused: usize,
    closed: usize,
    too_late: usize,
}

impl Count {
    fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.acknowledged += other.acknowledged;
        self.refused += other.refused;
        self.closed += other.closed;
        self.too_late += other.too_late;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_acknowledged_counts_and_nothing_else() {
    let database = Database::fresh().await;
    let desks = Arc::new([desk(&database).await, desk(&database).await]);
    let (mut count, mut tables, mut playing) = (Count::default(), 0, JoinSet::new());
    while count.rounds < ROUNDS {
        while playing.len() < AT_ONCE && count.rounds + playing.len() * WINDOWS < ROUNDS {
            let table = Table::deal(Arc::clone(&desks), tables).await;
            playing.spawn(table.play());
            tables += 1;
        }
        let (table, of_table) = playing.join_next().await.unwrap().unwrap();
        table.replay(&database).await;
        count.add(of_table);
    }
    verify(&database, &desks[0]).await;
    assert!(count.acknowledged > ROUNDS && count.refused > ROUNDS / 2, "{count:?}");
    assert!(count.too_late > 0, "nobody raced: {count:?}");
    assert_eq!(count.closed, count.rounds, "each window is closed once");
}

/// The last acknowledged declaration of each seat, and the receipt of a seal.
type Words = BTreeMap<Seat, (Declaration, Option<String>)>;

struct Table {
    desks: Arc<[Desk; 2]>,
    code: TableCode,
    number: usize,
    seats: usize,
    words: Vec<Words>,
}

impl Table {
    async fn deal(desks: Arc<[Desk; 2]>, number: usize) -> Self {
        let seats = 2 + number % 3;
        let desk = &desks[number % 2];
        let code =
            crate::form(desk, Form { chairs: seats, ..form("toy") }, time(0)).await.unwrap().code;
        for name in &NAMES[..seats] {
            crate::join(desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        crate::start(desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
        Self { desks, code, number, seats, words: Vec::new() }
    }

    async fn play(mut self) -> (Self, Count) {
        let mut count = Count::default();
        for window in 0..WINDOWS {
            let of_round = self.round(window).await;
            count.add(of_round);
        }
        (self, count)
    }

    /// Plays one window: everybody declares several times just before it closes, while two processes close
    /// it.
    async fn round(&mut self, window: usize) -> Count {
        let sight = see(&self.desks[0], &self.code, "sakura", i64::MAX).await;
        let timing = sight.play.unwrap().timing;
        // In every other round all seal at the same time, and the window closes early.
        let is_early = (self.number + window) % 2 == 1;
        let last =
            if is_early { timing.opens + span(1) } else { timing.closes - span(1) }.milliseconds();
        let mut declaring = JoinSet::new();
        for seat in 0..self.seats {
            let label = format!("{}-{window}-{seat}", self.number);
            let chance = chance(&label);
            let person = Person { table: self.shared(), seat, now: last, window, is_early, chance };
            declaring.spawn(person.declare());
        }
        let mut looking = JoinSet::new();
        for process in 0..2 {
            let chance = chance(&format!("{}-{window}-look-{process}", self.number));
            looking.spawn(close(self.shared(), process, last + 1, chance));
        }
        let mut count = Count { rounds: 1, ..Count::default() };
        let mut words = Words::new();
        while let Some(declared) = declaring.join_next().await {
            let (of_person, word) = declared.unwrap();
            count.add(of_person);
            words.extend(word);
        }
        while let Some(closed) = looking.join_next().await {
            count.closed += usize::from(closed.unwrap());
        }
        if count.closed == 0 {
            // The window still waited for a seat.
            let looked = looks(&self.desks[0], &self.code, timing.closes.milliseconds()).await;
            count.closed += usize::from(matches!(looked, TickOutcome::Closed(_)));
        }
        self.words.push(words);
        count
    }

    fn shared(&self) -> (Arc<[Desk; 2]>, TableCode) {
        (Arc::clone(&self.desks), self.code.clone())
    }

    /// Checks the database against the acknowledged declarations: the rows, the receipts in the journal, and
    /// the state of a contest that is played with them.
    async fn replay(&self, database: &Database) {
        let values = vec![VALUE; self.seats];
        let dice = Dice::mixed(SEED.0, &values, SEED.1);
        let (mut contest, _) = TOY.open(&Json::Null, self.seats, dice).unwrap();
        let kept = declarations(database, &self.code).await;
        let closed =
            happened(&self.desks[1], &self.code).await.into_iter().filter_map(|happened| {
                let Event::Closed { number, sealed, state, .. } = happened else { return None };
                Some((number, sealed, state))
            });
        let closed: Vec<_> = closed.collect();
        assert_eq!(closed.len(), self.words.len(), "each window once");
        for ((number, sealed, state), words) in closed.into_iter().zip(&self.words) {
            let rows = kept.iter().filter(|row| row.number == number);
            let rows: BTreeMap<Seat, Declaration> =
                rows.map(|row| (row.seat, serde_json::from_str(&row.answers).unwrap())).collect();
            let said: BTreeMap<Seat, Declaration> =
                words.iter().map(|(seat, (said, _))| (*seat, said.clone())).collect();
            assert_eq!(rows, said, "{} {number}", self.code);
            let receipts: Vec<(Seat, String)> = words
                .iter()
                .filter_map(|(seat, (_, receipt))| Some((*seat, receipt.clone()?)))
                .collect();
            let sealed: Vec<(Seat, String)> =
                sealed.into_iter().map(|(seat, hash)| (seat.unwrap(), receipt(&hash))).collect();
            assert_eq!(sealed, receipts, "{} {number}", self.code);
            contest.close(BySeat::new(self.seats, |seat| said.get(&seat).cloned())).unwrap();
            assert_eq!(state, hex::encode(contest.state_hash()), "{} {number}", self.code);
        }
    }
}

/// A player who cannot make up their mind, at two terminals.
struct Person {
    table: (Arc<[Desk; 2]>, TableCode),
    seat: usize,
    now: i64,
    window: usize,
    is_early: bool,
    chance: Stream,
}

impl Person {
    async fn declare(mut self) -> (Count, Option<(Seat, (Declaration, Option<String>))>) {
        let (mut count, mut word) = (Count::default(), None);
        for change in 0..4 {
            jitter(&mut self.chance).await;
            let said = if self.is_early || self.chance.below(2) == 0 {
                DeclarationStatus::Sealed
            } else {
                DeclarationStatus::Draft
            };
            let text = self.text(change);
            let desk = &self.table.0[self.chance.below(2) as usize];
            let done = say(desk, &self.table.1, NAMES[self.seat], &text, said, self.now).await;
            match done {
                Ok(ReceivedDeclaration { seat, number, receipt, .. }) => {
                    assert_eq!(number, WindowNumber::new(u32::try_from(self.window).unwrap()));
                    count.acknowledged += 1;
                    let declaration = kit::toy::said(&text);
                    let withdrawn = said == DeclarationStatus::Draft && declaration.is_empty();
                    word = (!withdrawn).then_some((seat, (declaration, receipt)));
                }
                Err(NotDone::Refused(refused)) => {
                    // Within a round some seats are asked for a reaction, and the others are not.
                    let why = [
                        DeclarationRefused::Closed.into(),
                        DeclarationRefused::Late.into(),
                        Refused::NotYet,
                        DeclarationRefused::NotAsked.into(),
                    ];
                    assert!(why.contains(&refused), "{refused:?}");
                    count.refused += usize::from(refused != DeclarationRefused::NotAsked);
                    count.too_late += usize::from(refused == DeclarationRefused::Closed);
                }
                Err(other) => panic!("{other}"),
            }
        }
        (count, word)
    }

    /// Returns a declaration that nobody has made before and that leads to another state.
    fn text(&mut self, change: usize) -> String {
        let mark = format!("bid.motto={}-{change}", self.window);
        match self.chance.below(6) {
            0 => String::new(),
            1 => format!("bid.gold={} {mark}", 1 + self.chance.below(6)),
            2 => format!("act.way=drop tax.pay=gold*1 {mark}"),
            _ => format!("bid.gold=1 act.way=draw tax.pay=gold*1 {mark}"),
        }
    }
}

/// Looks at the table several times, as a process that keeps the deadlines; returns true if this process
/// closed the window.
async fn close(
    (desks, code): (Arc<[Desk; 2]>, TableCode),
    process: usize,
    now: i64,
    mut chance: Stream,
) -> bool {
    let mut closed = false;
    for _ in 0..3 {
        jitter(&mut chance).await;
        closed |= matches!(looks(&desks[process], &code, now).await, TickOutcome::Closed(_));
    }
    closed
}

async fn jitter(chance: &mut Stream) {
    match chance.below(4) {
        0 => {}
        1 => tokio::task::yield_now().await,
        _ => tokio::time::sleep(Duration::from_micros(chance.below(8000).into())).await,
    }
}

fn chance(label: &str) -> Stream {
    let dice = Dice::new([5; 32], label).of_window(0, 0);
    dice.stream(&Label::table(Key::part("race")))
}

fn receipt(hash: &str) -> String {
    Receipt::from_hash(hex::decode(hash).unwrap().try_into().unwrap()).code()
}
