//! Two worlds that differ only in the holder of the shield, over a turn with its reaction and its choice.
//! Everybody who may not know the holder is sent the same at the same time, and the two who may know see a
//! difference in their own hand alone.
//!
//! These laws have found a game that asks only the holder, that keeps a reaction open if the struck player
//! holds the shield, or that shows who has put up an unneeded one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::model::{Desk, Override};
use crate::table::form::Form;
use crate::tests::kit::{decision, gm, gm_called};
use crate::tests::support::{
    Database, HOUR, MINUTE, VALUE, account, connection, desk, form, guest, looks, rows, say, see,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus::{self, Draft, Sealed};
use kit::stages::State;
use kit::stages_game::STAGES;
use kit::time::time;
use kit::toy::said;
use rules::dice::Stream;
use rules::{BySeat, Declaration, Dice, Key, Label, Saved, Seat, WindowKind};
use tables::{Pace, TableCode, WindowNumber};

/// The number of pairs of worlds: in the suite, and all.
const PAIRS: (usize, usize) = (8, 24);

/// The players, by seat, and a person who does not play.
const NAMES: [&str; 4] = ["sakura", "kaede", "ume", "fuji"];
const NOBODY: &str = "nobody";

/// The time from one pair to the next, in milliseconds.
const APART: i64 = 5 * 24 * HOUR;

/// A deed, and its time after the beginning, in milliseconds.
#[derive(Clone, Debug)]
struct Deed {
    at: i64,
    name: &'static str,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Order(&'static str),
    Declare(String, DeclarationStatus),
    /// The game master extends the deadline to this time after the beginning.
    Extend(i64),
}

/// The facts that both worlds share, and the holder of the shield in each.
#[derive(Clone, Debug)]
struct Pair {
    number: u8,
    holders: [Seat; 2],
    struck: Seat,
    /// The deeds, in the order of time.
    deeds: Vec<Deed>,
    /// True if the struck player gives something in the choice that follows.
    gives: bool,
}

/// The players who give standing orders before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ordering {
    Nobody,
    Everybody,
    Some,
}

impl Pair {
    fn of(number: u8) -> Self {
        let dice = Dice::new([number; 32], "worlds").of_window(0, 0);
        let mut chance = dice.stream(&Label::table(Key::part("pair")));
        let below = |chance: &mut Stream, n: usize| chance.below(n.try_into().unwrap()) as usize;
        let one = below(&mut chance, 4);
        let other = (one + 1 + below(&mut chance, 3)) % 4;
        let struck = 1 + below(&mut chance, 3);
        let mut deeds = Vec::new();
        let mut deed = |at, name, what| deeds.push(Deed { at, name, what });
        let ordering = [Ordering::Nobody, Ordering::Everybody, Ordering::Some][number as usize % 3];
        for name in NAMES {
            let orders = match ordering {
                Ordering::Nobody => continue,
                Ordering::Some if chance.below(2) == 0 => continue,
                _ => ["react.shield=use", "react.shield=pass"][below(&mut chance, 2)],
            };
            deed(HOUR, name, What::Order(orders));
        }
        let strike = format!("strike.whom=P{}", struck + 1);
        deed(8 * HOUR + 20 * MINUTE, NAMES[0], What::Declare(strike, Sealed));
        // From half past eight on they answer by hand, some twice, and some not at all; often all of them
        // within the first half hour, so that the window closes early.
        let within = if chance.below(2) == 0 { 29 } else { 11 * 60 };
        for name in [1, 2, 3, 1, 2, 3].map(|seat| NAMES[seat]) {
            let at = 8 * HOUR + (31 + i64::from(chance.below(within))) * MINUTE;
            let status = if chance.below(4) == 0 { Draft } else { Sealed };
            let answers = ["react.shield=use", "react.shield=pass"][below(&mut chance, 2)];
            if chance.below(4) > 0 {
                deed(at, name, What::Declare(answers.to_owned(), status));
            }
        }
        if chance.below(4) == 0 {
            deed(8 * HOUR + 45 * MINUTE, "momiji", What::Extend(22 * HOUR));
        }
        deeds.sort_by_key(|deed| deed.at);
        let (holders, gives) = ([one, other].map(Seat::new), chance.below(2) == 0);
        Self { number, holders, struck: Seat::new(struck), deeds, gives }
    }

    /// Deals a table at which this seat holds the shield, with everything else the same in both worlds.
    async fn table(&self, database: &Database, desk: &Desk, holder: Seat) -> TableCode {
        let began = self.began();
        let pace = Pace::read("every 1 day, no reminders", chrono_tz::UTC).unwrap();
        let seed = Some(([self.number; 32], "worlds".to_owned()));
        let channel = Some(format!("discord:channel:{}", self.number).as_str().into());
        let form = Form { chairs: NAMES.len(), pace, seed, place: channel, ..form("stages") };
        let code = crate::form(desk, form, time(began)).await.unwrap().code;
        for name in NAMES {
            crate::join(desk, &code, guest(name), Some(VALUE), time(began)).await.unwrap();
        }
        crate::appoint(desk, &code, &account(NAMES[0]), account("momiji").as_str(), true, time(0))
            .await
            .unwrap();
        crate::start(desk, &code, &account(NAMES[0]), "random", time(began)).await.unwrap();
        let dealt = see(desk, &code, NOBODY, began).await.play.unwrap().contest.save();
        let mut state: State = serde_json::from_str(&dealt.root).unwrap();
        state.shield = BySeat::new(NAMES.len(), |seat| Some(seat == holder));
        let root = serde_json::to_string(&state).unwrap();
        let saved = Saved { root: root.clone(), ..dealt };
        let contest = STAGES.load(&saved, Dice::new([0; 32], "worlds")).unwrap();
        let hash = hex::encode(contest.state_hash());
        let change = "update snapshots set state = $1, hash = $2 where code = $3 and number = 0";
        let change = sqlx::query(change).bind(root).bind(hash).bind(code.as_str());
        let changed = change.execute(&mut connection(database).await).await.unwrap();
        assert_eq!(changed.rows_affected(), 1);
        code
    }

    /// Returns the time when the table is formed.
    fn began(&self) -> i64 {
        i64::from(self.number) * APART
    }
}

/// A moment of a world.
#[derive(Debug)]
struct Step {
    /// The time after the beginning, in milliseconds.
    at: i64,
    /// The deed, and its result.
    done: String,
    /// The close of the open window, the next look, and all other stored times.
    times: String,
    /// The letters by their address, and the sights by name.
    told: BTreeMap<String, Vec<String>>,
}

struct World<'a> {
    pair: &'a Pair,
    database: &'a Database,
    desk: &'a Desk,
    code: TableCode,
    /// The letters that have been read.
    read: BTreeSet<String>,
}

impl World<'_> {
    /// Plays the table until the turn is over.
    async fn pass(mut self) -> Vec<Step> {
        let (began, mut deeds) = (self.pair.began(), self.pair.deeds.clone());
        let mut chooses = false;
        let mut steps = vec![self.step(began, "dealt".to_owned()).await];
        loop {
            let look = self.rows("select cast(look_at as text) from tables where code =").await;
            let look: i64 = look[0].parse().unwrap();
            let (now, done) = if deeds.first().is_some_and(|deed| began + deed.at <= look) {
                let deed = deeds.remove(0);
                (began + deed.at, self.carry_out(&deed, began).await)
            } else {
                let looked = looks(self.desk, &self.code, look).await;
                assert_ne!(looked, TickOutcome::Nothing, "{:?}", self.pair);
                (look, format!("{looked:?}"))
            };
            steps.push(self.step(now, done).await);
            let stage = see(self.desk, &self.code, NOBODY, now).await.play.unwrap();
            match stage.contest.procedure().kind {
                WindowKind::Choice if !chooses => {
                    chooses = true;
                    let what = What::Declare("give.gold=1".to_owned(), Sealed);
                    let name = NAMES[self.pair.struck.index()];
                    let gift = Deed { at: now - began + HOUR, name, what };
                    deeds = if self.pair.gives { vec![gift] } else { Vec::new() };
                }
                WindowKind::Turn if stage.number > WindowNumber::new(0) => return steps,
                _ => {}
            }
        }
    }

    async fn carry_out(&self, deed: &Deed, began: i64) -> String {
        let (desk, code, now) = (self.desk, &self.code, began + deed.at);
        match &deed.what {
            What::Order(orders) => {
                let orders = said(orders);
                crate::give_orders(desk, code, &account(deed.name), &orders, time(now))
                    .await
                    .unwrap();
                "ordered".to_owned()
            }
            What::Declare(text, status) => {
                match say(desk, code, deed.name, text, *status, now).await {
                    Ok(received) => format!("{:?} {:?}", received.timing, received.interview),
                    Err(refused) => format!("{refused:?}"),
                }
            }
            What::Extend(to) => {
                let what = Override::Extend { closes: time(began + to) };
                let done = crate::decide(desk, code, &gm(), decision(what), time(now)).await;
                format!("{done:?}")
            }
        }
    }

    /// Returns the single column of a query about the table.
    async fn rows(&self, question: &str) -> Vec<String> {
        let (code, order) = (&self.code, "order by 1");
        let rows = rows(self.database, &format!("{question} '{code}' {order}")).await;
        rows.into_iter().map(|(row,): (String,)| self.plain(&row)).collect()
    }

    /// Returns a text without the table's name, hashes and salts.
    fn plain(&self, text: &str) -> String {
        let (mut plain, mut hex) = (String::new(), String::new());
        for letter in text.replace(self.code.as_str(), "CODE").chars().chain(['\n']) {
            if letter.is_ascii_hexdigit() {
                hex.push(letter);
                continue;
            }
            plain.push_str(if hex.len() < 64 { &hex } else { "HASH" });
            hex.clear();
            plain.push(letter);
        }
        plain.pop();
        plain
    }

    async fn step(&mut self, now: i64, done: String) -> Step {
        let times = [
            "select stage || coalesce(held, '') || open_window || '/' || look_at from tables
             where code =",
            "select number || '/' || kind || asked || opens_at || '/' || closes_at || '/'
                 || coalesce(settles_at, -1) || '/' || reminded_at || '/' || coalesce(closed_at, -1)
                 || coalesce(why, '') || coalesce(awaited, '') || extended
             from windows where code =",
            "select seat || '/' || misses from attendance where code =",
        ];
        let mut kept = Vec::new();
        for question in times {
            kept.extend(self.rows(question).await);
        }
        let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let question = format!(
            "select letter, address, send_at, body from outbox where letter like '{}-%'
             order by send_at, letter",
            self.code
        );
        let letters: Vec<(String, String, i64, String)> = rows(self.database, &question).await;
        for (letter, address, send_at, body) in letters {
            let (letter, body) = (self.plain(&letter), self.plain(&body));
            let line = format!("{letter} at {send_at}: {body}");
            if self.read.insert(format!("{address} {line}")) {
                told.entry(address).or_default().push(line);
            }
        }
        for name in NAMES.into_iter().chain([NOBODY, "momiji"]) {
            told.entry(account(name).as_str().to_owned())
                .or_default()
                .push(self.plain(&self.seen_by(name, now).await));
        }
        for name in [NOBODY, "momiji"] {
            let reader = gm_called(name);
            let log = crate::overrides(self.desk, &self.code, &reader).await.unwrap();
            told.entry(account(name).as_str().to_owned())
                .or_default()
                .push(self.plain(&format!("{log:?}")));
        }
        let gm_view = crate::gm_view(self.desk, &self.code, &gm(), time(now)).await.unwrap();
        let cases = [gm_view.open, gm_view.last].map(|case| case.map(|case| case.progress));
        told.entry(account("momiji").as_str().to_owned()).or_default().push(format!("{cases:?}"));
        Step { at: now - self.pair.began(), done, times: kept.concat(), told }
    }

    /// Returns everything that a person can look up.
    async fn seen_by(&self, name: &str, now: i64) -> String {
        let sight = see(self.desk, &self.code, name, now).await;
        let play = sight.play.as_ref().unwrap();
        let contest = &play.contest;
        let mut seen = format!(
            "{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            sight.revision,
            play.timing,
            play.progress,
            play.asked,
            play.own,
            play.orders,
            play.shut,
            play.presence,
            sight.held,
        );
        let past = crate::past(self.desk, &sight, time(now)).await.unwrap();
        let close = crate::last_close(self.desk, &sight, time(now)).await.unwrap();
        let answers = (contest.common_answers(), contest.procedure(), contest.asked());
        write!(seen, " {past:?} {close:?} {answers:?} {}", contest.report(sight.viewer())).unwrap();
        if let Some(seat) = sight.seat {
            let nothing = Declaration::default();
            let asked = (contest.interview(seat, &nothing), contest.ordering(seat, &nothing));
            write!(seen, " {asked:?}").unwrap();
        }
        seen
    }
}

/// Checks that both worlds showed the same at a step, except for this seat's own hand.
fn assert_same([here, there]: [&Step; 2], pair: &Pair, is_told: bool) {
    assert_eq!((here.at, &here.done), (there.at, &there.done), "{pair:?}");
    if !is_told {
        return;
    }
    assert_eq!(here.times, there.times, "{pair:?}");
    let addresses = [here, there].map(|step| step.told.keys().collect::<Vec<_>>());
    assert_eq!(addresses[0], addresses[1], "{pair:?}");
    let own = pair.holders.map(|seat| account(NAMES[seat.index()]).as_str().to_owned());
    for (address, told) in &here.told {
        let mut told = [told.clone(), there.told[address].clone()];
        if own.contains(address) {
            told = told.map(|told| told.iter().map(|line| without_hand(line)).collect());
        }
        let [here, there] = told;
        assert_eq!(here, there, "{address} after {} in {pair:?}", there.len());
    }
}

/// Returns a text without its reader's own hand.
fn without_hand(line: &str) -> String {
    const HAND: &str = r#""shield":["#;
    let mut parts = line.split(HAND);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| {
        let (hand, rest) = part.split_once(']').unwrap();
        assert_eq!(hand.matches("null").count(), NAMES.len() - 1, "one hand alone: {hand}");
        line + HAND + "]" + rest
    })
}

#[tokio::test]
async fn two_worlds_that_differ_in_who_holds_the_shield_are_the_same_to_everybody_else() {
    let databases = [Database::fresh().await, Database::fresh().await];
    let desks = [desk(&databases[0]).await, desk(&databases[1]).await];
    let (mut early, mut at_the_deadline, mut shielded, mut chosen) = (0, 0, 0, 0);
    for number in 0..u8::try_from(kit::cases(PAIRS.0, PAIRS.1)).unwrap() {
        let pair = Pair::of(number);
        let mut worlds = Vec::new();
        for index in 0..2 {
            let (database, desk) = (&databases[index], &desks[index]);
            let code = pair.table(database, desk, pair.holders[index]).await;
            let world = World { pair: &pair, database, desk, code, read: BTreeSet::new() };
            worlds.push(world.pass().await);
        }
        let [here, there] = [&worlds[0], &worlds[1]];
        // A shield before the struck player is visible to everybody.
        let shows = |steps: &[Step]| steps.last().unwrap().told["terminal:nobody"].concat();
        let is_shown = [here, there].map(|steps| shows(steps).contains("Shielded"));
        let is_same = is_shown[0] == is_shown[1];
        let close = here.iter().position(|step| step.at >= 9 * HOUR && closed(step)).unwrap();
        assert!(is_same || pair.holders.contains(&pair.struck), "{pair:?}");
        for (index, steps) in here.iter().zip(there).enumerate() {
            assert_same([steps.0, steps.1], &pair, is_same || index < close);
            if !is_same && index == close {
                break;
            }
        }
        assert!(!is_same || here.len() == there.len());
        let by_all = here[close].done.contains("AllSealed");
        early += u32::from(by_all);
        at_the_deadline += u32::from(!by_all);
        shielded += u32::from(!is_same);
        chosen += u32::from(is_same && !is_shown[0]);
    }
    let met = (early, at_the_deadline, shielded, chosen);
    assert!(early > 2 && at_the_deadline > 2 && shielded > 1 && chosen > 3, "{met:?}");
}

/// True if a window was closed in this step.
fn closed(step: &Step) -> bool {
    step.done.starts_with("Closed")
}
