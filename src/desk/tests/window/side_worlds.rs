//! Two worlds that differ in nothing but what a side hides: the hands, piles and orders of its seats,
//! their drafts, and what they write to each other. In every kind of window, everybody else is told
//! the same at the same time.

use std::collections::BTreeSet;

use crate::record::{Letter, Part};
use crate::tests::support::{HOUR, MINUTE, account, connection, looks, rows, see};
use crate::tests::window::sides::{NAMES, SideTable};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus::{Draft, Sealed};
use games::guild_war::state::{Order, State};
use kit::time::{span, time};
use rules::dice::Stream;
use rules::{Declaration, Dice, Key, Label, Seat, Viewer};
use tables::Pace;

/// The side that hides something, and how it is written into the place of another.
const HIDING: [usize; 3] = [0, 2, 4];

/// The other side, which drafts the same in both worlds.
const OTHER_SIDE: [usize; 3] = [1, 3, 5];

/// Windows that are played: in the suite, and all.
const WINDOWS: (usize, usize) = (9, 40);

/// The viewer.
const OTHERS: [&str; 5] = ["kaede", "fuji", "yuri", "momiji", "nobody"];

struct SideWorld {
    table: SideTable,
    /// The number of the world.
    is_other: bool,
    read: BTreeSet<String>,
}

impl SideWorld {
    async fn new(is_other: bool) -> Self {
        let reminders = vec![span(HOUR / 2)];
        let pace = Pace { reminders, ..Pace::play(span(HOUR), chrono_tz::UTC) };
        let table = SideTable::new(pace, Some("discord:channel:1")).await;
        Self { table, is_other, read: BTreeSet::new() }
    }

    /// Returns the declaration of a policy for a seat; another number gives another one.
    async fn declaration(&self, seat: usize, number: u32, now: i64) -> Declaration {
        let play = see(&self.table.desk, &self.table.code, NAMES[seat], now).await.play.unwrap();
        play.contest.declare(Seat::new(seat), "random", chance(seat, number)).unwrap()
    }

    async fn declares(&self, seat: usize, said: &Declaration, sealed: bool, now: i64) {
        let (desk, code, account) = (&self.table.desk, &self.table.code, account(NAMES[seat]));
        let status = if sealed { Sealed } else { Draft };
        crate::declare(desk, code, &account, said, status, None, time(now)).await.unwrap();
    }

    /// The side drafts, seals, changes its mind and writes: in each world something else, and in one
    /// of them more.
    async fn hides(&self, asked: &[Seat], window: u32, now: i64) {
        let number = 100 * window + if self.is_other { 50 } else { 1 };
        for (place, seat) in
            HIDING.into_iter().filter(|at| asked.contains(&Seat::new(*at))).enumerate()
        {
            let at = now + i64::try_from(place).unwrap() * MINUTE;
            let said = self.declaration(seat, number, at).await;
            // Seals and drafts differ as well.
            match (self.is_other, place) {
                (false, _) => self.declares(seat, &said, place == 0, at).await,
                (true, 0) => {}
                (true, _) => {
                    self.declares(seat, &said, true, at).await;
                    let said = self.declaration(seat, number + 7, at).await;
                    self.declares(seat, &said, false, at).await;
                }
            }
        }
        if self.is_other {
            for (seat, words) in [(0, "one"), (2, "two"), (0, "three")] {
                self.table.writes(NAMES[seat], words, now + 3 * MINUTE).await.unwrap();
            }
        } else {
            self.table.writes(NAMES[4], "four", now + 4 * MINUTE).await.unwrap();
        }
    }

    /// The state at the opening of the root window, in which the side's hands, HP and decks are
    /// exchanged, or what the captain has ordered is something else.
    async fn exchanges(&self) -> String {
        let (database, code) = (&self.table.database, &self.table.code);
        let question = format!(
            "select state from snapshots join tables on tables.code = snapshots.code
             join windows on windows.code = tables.code and windows.number = open_window
             where snapshots.code = '{code}' and snapshots.number = root"
        );
        let [(before,)]: [(String,); 1] = rows(database, &question).await.try_into().unwrap();
        let mut state: State = serde_json::from_str(&before).unwrap();
        for seat in HIDING.map(Seat::new) {
            let character = &mut state.characters[seat];
            character.deck.reverse();
            let (hand, hp) = (character.hand.len(), character.hp.len());
            for (card, other) in (0..hand).zip(0..character.deck.len()) {
                std::mem::swap(&mut character.hand[card], &mut character.deck[other]);
            }
            for (card, other) in (0..hp).zip((0..character.deck.len()).rev()) {
                std::mem::swap(&mut character.hp[card], &mut character.deck[other]);
            }
        }
        state.orders[0] = match state.orders[0] {
            Some(Order::First) => Some(Order::Second),
            _ => Some(Order::First),
        };
        self.keep(&serde_json::to_string(&state).unwrap()).await;
        before
    }

    async fn keep(&self, state: &str) {
        let change = "update snapshots set state = $1 where code = $2 and number =
            (select root from windows join tables on tables.code = windows.code
                 and windows.number = open_window where tables.code = $2)";
        let change = sqlx::query(change).bind(state.to_owned()).bind(self.table.code.as_str());
        let changed = change.execute(&mut connection(&self.table.database).await).await.unwrap();
        assert_eq!(changed.rows_affected(), 1);
    }

    /// Every letter that is new and was written to anybody but the side, with its time; and all that
    /// is kept about times and entries.
    async fn told(&mut self) -> Vec<String> {
        let (database, code) = (&self.table.database, self.table.code.as_str());
        let letters: Vec<(String, String, i64, String)> = rows(
            database,
            "select letter, address, send_at, body from outbox order by send_at, letter",
        )
        .await;
        let hiding = HIDING.map(|seat| account(NAMES[seat]).as_str().to_owned());
        let mut told = Vec::new();
        for (letter, address, send_at, body) in letters {
            if hiding.contains(&address) || !self.read.insert(letter.clone()) {
                continue;
            }
            let read: Letter = serde_json::from_str(&body).unwrap();
            let is_theirs = |part: &Part| match part {
                Part::SideLine { by } | Part::SideChanged { by } => HIDING.contains(&by.index()),
                _ => false,
            };
            assert!(!read.parts.iter().any(is_theirs), "{letter}");
            told.push(format!(
                "{letter} to {address} at {send_at}: {:?} {}",
                read.parts, read.report
            ));
        }
        for question in [
            "select stage || open_window || '/' || coalesce(look_at, -1) || '/' || entries || '/' || stirred from tables",
            "select number || '/' || kind || '/' || closes_at || '/' || reminded_at || '/' || coalesce(closed_at, -1) from windows order by number",
            "select seat || '/' || misses from attendance order by seat",
        ] {
            told.extend(rows::<(String,)>(database, question).await.into_iter().map(|(row,)| row));
        }
        let plain = told.iter().map(|line| without_hashes(&line.replace(code, "CODE")));
        let mut told: Vec<String> = plain.collect();
        // Ids of letters begin with hashes in part.
        told.sort();
        told
    }

    /// Returns everything that the other side can look up.
    async fn seen(&self, now: i64) -> Vec<String> {
        let (desk, code) = (&self.table.desk, &self.table.code);
        let mut seen = Vec::new();
        for name in OTHERS {
            let sight = see(desk, code, name, now).await;
            let play = sight.play.as_ref().unwrap();
            let contest = &play.contest;
            seen.push(format!(
                "{name} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {}",
                play.timing,
                play.progress,
                play.asked,
                play.own,
                play.shut,
                play.presence,
                contest.common_answers(),
                self.table.shown(name, now).await,
                contest.report(sight.viewer()),
            ));
            if let Some(seat) = sight.seat {
                let asked = contest.interview(seat, &Declaration::default());
                seen.push(format!("{asked:?}"));
            }
        }
        seen
    }
}

fn chance(seat: usize, number: u32) -> Stream {
    let dice = Dice::new([9; 32], "sides").of_window(number, 0);
    dice.stream(&Label::of(Seat::new(seat), Key::part("said")))
}

/// A text without what is hashed or salted.
fn without_hashes(text: &str) -> String {
    let is_hash =
        |word: &str| word.len() >= 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words = text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric());
    let plain = words.map(|word| {
        let bare = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        if is_hash(bare) { word.replace(bare, "HASH") } else { word.to_owned() }
    });
    plain.collect()
}

#[tokio::test]
async fn two_worlds_that_differ_in_what_a_side_hides_are_the_same_to_everybody_else() {
    let mut worlds = [SideWorld::new(false).await, SideWorld::new(true).await];
    let (mut now, mut kinds, mut differing) = (0, BTreeSet::new(), 0);
    for window in 0..u32::try_from(kit::cases(WINDOWS.0, WINDOWS.1)).unwrap() {
        let play =
            see(&worlds[0].table.desk, &worlds[0].table.code, "nobody", now).await.play.unwrap();
        if play.contest.standing().is_some() {
            break;
        }
        let report = play.contest.report(Viewer::Public);
        kinds.insert(report["stage"]["kind"].as_str().unwrap().to_owned());
        let asked = play.asked.clone();
        let begin = now;
        let mut told = [Vec::new(), Vec::new()];
        let mut own = [const { String::new() }; 2];
        for (index, world) in worlds.iter_mut().enumerate() {
            for seat in OTHER_SIDE.into_iter().filter(|seat| asked.contains(&Seat::new(*seat))) {
                let said = world.declaration(seat, 100 * window, begin).await;
                world.declares(seat, &said, false, begin).await;
            }
            world.hides(&asked, window, begin + MINUTE).await;
            told[index].push(world.told().await);
            told[index].push(world.seen(begin + 10 * MINUTE).await);
            let before = if world.is_other { Some(world.exchanges().await) } else { None };
            told[index].push(world.seen(begin + 11 * MINUTE).await);
            own[index] = format!("{:?}", world.table.shown("ume", begin + 11 * MINUTE).await);
            if let Some(before) = before {
                world.keep(&before).await;
            }
            let look = begin + HOUR / 2;
            assert_eq!(
                looks(&world.table.desk, &world.table.code, look).await,
                TickOutcome::Reminded
            );
            told[index].push(world.told().await);
        }
        assert_eq!(told[0], told[1], "window {window}");
        differing += u32::from(own[0] != own[1]);
        // In both of them the same counts in the end.
        for world in &mut worlds {
            for seat in asked.iter().map(|seat| seat.index()) {
                let said = world.declaration(seat, window, begin + HOUR / 2).await;
                world.declares(seat, &said, true, begin + HOUR / 2 + MINUTE).await;
            }
            now = begin + HOUR;
            let looked = looks(&world.table.desk, &world.table.code, now).await;
            assert!(matches!(looked, TickOutcome::Closed(_)), "{looked:?}");
        }
        let [here, there] = &mut worlds;
        assert_eq!(here.told().await, there.told().await, "after window {window}");
        assert_eq!(here.seen(now).await, there.seen(now).await, "after window {window}");
    }
    let known = ["decks", "prepare", "response", "rest", "step"].map(str::to_owned);
    assert_eq!(kinds, BTreeSet::from(known));
    assert!(differing > 6, "the side itself sees a difference: {differing}");
}
