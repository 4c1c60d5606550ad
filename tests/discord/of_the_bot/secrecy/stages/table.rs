//! Tables of the test game that differ in the holder of the shield.

use std::fmt;

use double::{Discord, Locale, Person, Place};

use super::program::GAMES;
use crate::of_the_bot::now;
use crate::of_the_bot::secrecy::pair::{account, channel};
use crate::of_the_bot::secrecy::world::Standing;
use desk::{Contact, Desk, Form};
use kit::database::Database;
use kit::stages::State;
use kit::stages_game::STAGES;
use rules::dice::Stream;
use rules::text::Lang;
use rules::{BySeat, Dice, Key, Label, Saved, Seat};
use store::{Location, Store};
use tables::Pace;
use tables::ids::TableCode;

/// The difference between the worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// The holder of the shield.
    Card,
    /// The holder of the shield, and standing orders, which exist in one world only.
    CardAndOrders,
}

impl Difference {
    pub(super) fn differs_in_orders(self) -> bool {
        self == Self::CardAndOrders
    }
}

/// The number of players. The first one strikes, and the others can answer.
const SEATS: usize = 4;

/// The answers to a strike.
const ANSWERS: [&str; 2] = ["react: use", "react: pass"];

/// A table in both worlds, with the actions of its people.
pub(super) struct Table {
    pub(super) code: TableCode,
    pub(super) place: Place,
    /// The people by seat; the first is the host.
    pub(super) people: Vec<Person>,
    /// The holder of the shield in each world.
    holders: [Seat; 2],
    pub(super) struck: Seat,
    /// True for the worlds in which the first holder answers by standing orders. In the other world the
    /// holder answers by hand, or not at all if that makes no difference.
    pub(super) ordered: [bool; 2],
    /// True if a player gives no answer, so that the reaction lasts until its deadline.
    pub(super) is_late: bool,
    /// The answers to the strike by seat, by hand or by standing orders.
    pub(super) answers: Vec<&'static str>,
    /// The state of the table in each world.
    pub(super) standings: [Standing; 2],
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, holders: [here, there], struck, ordered, is_late, answers, .. } = self;
        write!(f, "table {code}: {here} or {there} holds, {struck} is struck, ")?;
        write!(f, "ordered {ordered:?}, late {is_late}, {answers:?}")
    }
}

impl Table {
    /// Returns the seat with standing orders in one world only.
    pub(super) fn orderer(&self) -> Seat {
        self.holders[0]
    }

    /// Returns the people who hold the shield in one of the worlds.
    pub(super) fn holders(&self) -> impl Iterator<Item = &Person> {
        self.holders.iter().map(|seat| &self.people[seat.index()])
    }

    /// Returns the people who hold the shield in neither world.
    pub(super) fn others(&self) -> impl Iterator<Item = &Person> {
        let seats = Seat::all(SEATS).zip(&self.people);
        seats.filter(|(seat, _)| !self.holders.contains(seat)).map(|(_, person)| person)
    }

    /// Returns the seats that answer a strike by hand in a world.
    pub(super) fn by_hand(&self, world: usize) -> Vec<Seat> {
        let silent = |seat: Seat| {
            let has_ordered = seat == self.orderer() && (self.is_late || self.ordered[world]);
            has_ordered || self.is_late && !self.holders.contains(&seat)
        };
        Seat::all(SEATS).skip(1).filter(|seat| !silent(*seat)).collect()
    }
}

/// Prepares tables in a new database, before the first declaration.
pub(super) async fn prepare(
    discord: &Discord,
    count: usize,
    of: Difference,
) -> (Database, Vec<Table>) {
    let database = Database::fresh().await;
    let store = Store::open(&Location::new(&database.url)).await.unwrap();
    let desk = Desk::new(store, GAMES);
    let mut tables = Vec::new();
    for number in 0..count {
        tables.push(table(&desk, discord, number, of).await);
    }
    desk.store().close().await;
    (database, tables)
}

/// Forms a table. Four consecutive tables cover a strike against a holder or another seat, a late player or
/// none, and standing orders in one, both or no worlds.
async fn table(desk: &Desk, discord: &Discord, number: usize, of: Difference) -> Table {
    let person = |seat| discord.person(&format!("s{number}-{seat}"), Locale::En);
    let people: Vec<Person> = (0..SEATS).map(person).collect();
    let place = discord.opens_channel("table");
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let code = dealt(desk, &people, place, seed).await;
    discord.renames(place, &channel(&code));

    let of_the_others = |at: usize| Seat::new(1 + (number + at) % (SEATS - 1));
    let holders = [of_the_others(0), of_the_others(1)];
    let struck = if number.is_multiple_of(2) { of_the_others(2) } else { holders[number / 8 % 2] };
    let mut chance = chance_of(seed);
    let answers = Seat::all(SEATS).map(|seat| {
        let answer = ANSWERS[chance.below(2) as usize];
        // A shield used for the struck seat itself would be visible to everybody.
        if seat == struck && holders.contains(&seat) { ANSWERS[1] } else { answer }
    });
    let answers = answers.collect();
    let standings = standings(desk, &code, &people[0], holders).await;
    let is_late = number / 2 % 2 == 1;
    let ordered = (number + number / 2 + number / 4).is_multiple_of(2);
    let ordered = [ordered, ordered != of.differs_in_orders()];
    Table { code, place, people, holders, struck, ordered, is_late, answers, standings }
}

fn chance_of(seed: [u8; 32]) -> Stream {
    let dice = Dice::new(seed, "secrecy").of_window(0, 0);
    dice.stream(&Label::table(Key::part("secrecy")))
}

/// Deals a table with turns of a day, so that a reaction closes on a full hour within half a day.
async fn dealt(desk: &Desk, people: &[Person], place: Place, seed: [u8; 32]) -> TableCode {
    let guest = |person: &Person| Contact {
        account: account(person),
        name: person.name().to_owned(),
        language: Lang::En,
        address: format!("discord:user:{}", person.id()).into(),
    };
    let hour = now().milliseconds() / 3_600_000 % 24;
    let daily = format!("daily {hour}:00, no reminders");
    let form = Form {
        game: STAGES.key().to_owned(),
        options: serde_json::Value::Null,
        chairs: people.len(),
        pace: Pace::read(&daily, chrono_tz::UTC).unwrap(),
        host: guest(&people[0]),
        place: Some(format!("discord:channel:{}", place.0).into()),
        settings: tables::TableSettings::default(),
        seed: Some((seed, "secrecy".to_owned())),
    };
    let code = desk::form(desk, form, now()).await.unwrap().code;
    for person in people {
        desk::join(desk, &code, guest(person), Some([7; 32]), now()).await.unwrap();
    }
    desk::start(desk, &code, &account(&people[0]), "random", now()).await.unwrap();
    code
}

/// Returns the two states of a dealt table, one for each holder of the shield.
async fn standings(
    desk: &Desk,
    code: &TableCode,
    host: &Person,
    holders: [Seat; 2],
) -> [Standing; 2] {
    let play = desk::see(desk, code, &account(host), now()).await.unwrap().play.unwrap();
    let dealt = play.contest.save();
    holders.map(|holder| {
        let mut state: State = serde_json::from_str(&dealt.root).unwrap();
        state.shield = BySeat::new(SEATS, |seat| Some(seat == holder));
        let root = serde_json::to_string(&state).unwrap();
        let saved = Saved { root: root.clone(), said: dealt.said.clone() };
        let contest = STAGES.load(&saved, Dice::new([0; 32], "secrecy")).unwrap();
        let hash = hex::encode(contest.state_hash());
        Standing { code: code.clone(), window: play.number, state: root, hash }
    })
}
