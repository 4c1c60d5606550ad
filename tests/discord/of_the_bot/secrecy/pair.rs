//! Pairs of games that differ only in the hidden cards of one seat.

use std::fmt;
use std::ops::Range;

use double::{Discord, Locale, Person, Place};
use futures_util::{StreamExt, stream};
use sqlx::{AnyConnection, Connection, query};

use super::Came;
use super::hiding::{HIDING, Hiding};
use super::world::Standing;
use desk::{Contact, DeclarationStatus, Desk, Form, PlayView};
use games::any::AnyContest;
use games::{GAMES, find};
use kit::database::Database;
use rules::dice::Stream;
use rules::text::{Lang, write};
use rules::{BySeat, Declaration, Dice, Key, Label, Saved, Seat, Viewer};
use store::{Location, Store};
use tables::ids::{AccountId, TableCode};
use tables::{Pace, Stage};

/// The maximum number of windows played before.
const PLAYED: u32 = 5;

/// The number of tables that are prepared concurrently.
const AT_ONCE: usize = 8;

/// The people's contributions to the seed.
const VALUE: [u8; 32] = [7; 32];

/// A table in both worlds, with the next declarations of its people.
pub(super) struct Pair {
    pub(super) code: TableCode,
    pub(super) place: Place,
    /// The people by seat; the first is the host.
    pub(super) people: Vec<Person>,
    /// The seat whose cards differ in the twin.
    hider: Seat,
    /// True for two seats that know each other's cards.
    are_partners: fn(Seat, Seat) -> bool,
    /// The declarations by seat, `None` for no declaration.
    pub(super) texts: Vec<Option<String>>,
    /// True if the close of the window shows everybody else the same in both worlds.
    pub(super) closes: bool,
    /// True if hands are open, so that nothing is hidden.
    pub(super) open: bool,
    window: u32,
    /// The state of the twin.
    pub(super) twin: Standing,
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, hider, texts, closes, open, window, .. } = self;
        write!(f, "table {code}, window {window}: {hider} hides, {texts:?}, {closes} {open}")
    }
}

impl Pair {
    /// The player with a secret, and their text to the partners who may know of it.
    pub(super) fn hider_of_a_side(&self) -> Option<(&Person, Option<&str>)> {
        let is_partner =
            |seat: &Seat| *seat != self.hider && (self.are_partners)(*seat, self.hider);
        Seat::all(self.people.len()).find(is_partner)?;
        let hider = self.hider.index();
        Some((&self.people[hider], self.texts[hider].as_deref()))
    }

    /// Returns the people who do not know the differing cards.
    pub(super) fn others(&self) -> impl Iterator<Item = &Person> {
        let seats = Seat::all(self.people.len()).zip(&self.people);
        let knows = |seat: Seat| seat == self.hider || (self.are_partners)(seat, self.hider);
        seats.filter(move |(seat, _)| !knows(*seat)).map(|(_, person)| person)
    }
}

/// Returns the bytes that a person received about a table, without those of other tables.
pub(super) fn came_to(code: &TableCode, person: &Person) -> Came {
    let own = format!("#{}", channel(code));
    person.bytes_by_place(|place| place == own || !place.starts_with("#table-"))
}

/// Returns the name of a table's channel.
pub(super) fn channel(code: &TableCode) -> String {
    format!("table-{code}")
}

/// Prepares tables in a new database, each at some turn of its game.
pub(super) async fn prepare(discord: &Discord, numbers: Range<usize>) -> (Database, Vec<Pair>) {
    let database = Database::fresh().await;
    let store = Store::open(&Location::new(&database.url)).await.unwrap();
    let desk = Desk::new(store, GAMES);
    let pairs = stream::iter(numbers).map(|number| pair(&desk, discord, number));
    let pairs: Vec<Pair> = pairs.buffered(AT_ONCE).collect().await;
    desk.store().close().await;
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    // The letters of the open window are still to be sent; all earlier ones count as sent.
    for pair in &pairs {
        let sent = "update outbox set sent_at = send_at, body = ''
             where letter like $1 and letter not like $2";
        let (all, last) = (format!("{}-%", pair.code), format!("{}-{}-%", pair.code, pair.window));
        query(sent).bind(all).bind(last).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
    (database, pairs)
}

/// Plays some windows at a table, and builds its twin.
async fn pair(desk: &Desk, discord: &Discord, number: usize) -> Pair {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let (hiding, round) = (&HIDING[number % HIDING.len()], number / HIDING.len());
    let count = hiding.least_seats + if hiding.has_room { round % 2 } else { 0 };
    let open = hiding.open.filter(|_| round % 6 == 2);
    let people: Vec<Person> = (0..count).map(|seat| somebody(discord, number, seat)).collect();
    let place = discord.opens_channel("table");
    let code = form(desk, hiding.game, &people, place, seed, open).await;
    discord.renames(place, &channel(&code));
    let values = vec![VALUE; count];
    let dice = Dice::mixed(seed, &values, "secrecy");
    let mut chance = dice.of_window(0, 9).stream(&Label::table(Key::part("secrecy")));
    let mut left = chance.below(PLAYED);
    loop {
        let sight =
            desk::see(desk, &code, &account(&people[0]), crate::of_the_bot::now()).await.unwrap();
        assert_eq!(sight.stage, Stage::Playing, "{code}");
        let play = sight.play.as_ref().unwrap();
        let declared = declarations(play, &mut chance);
        let least = (hiding.asked)(count);
        let many_asked = play.asked.len() >= least && !play.contest.is_suspended();
        if left == 0
            && many_asked
            && let Some(twins) = twins(hiding, play, &dice, &declared, &mut chance)
        {
            let Twins { hider, declared, closes, twin: (state, hash) } = twins;
            let texts = declared.iter().map(|(seat, said)| {
                let said = said.as_ref()?;
                let lang = Lang::ALL[seat.index() % 2];
                Some(write(said, &play.contest.interview(seat, said), &sight.words(), lang))
            });
            let (texts, window) = (texts.collect(), play.number.get());
            let twin = Standing { code: code.clone(), window: play.number, state, hash };
            let open = open.is_some();
            let are_partners = hiding.are_partners;
            return Pair {
                code,
                place,
                people,
                hider,
                are_partners,
                texts,
                closes,
                open,
                window,
                twin,
            };
        }
        left = left.saturating_sub(1);
        for (seat, said) in declared.iter().filter_map(|(seat, said)| Some((seat, said.as_ref()?)))
        {
            let account = account(&people[seat.index()]);
            desk::declare(
                desk,
                &code,
                &account,
                said,
                DeclarationStatus::Sealed,
                None,
                crate::of_the_bot::now(),
            )
            .await
            .unwrap();
        }
        desk::close(desk, &code, &account(&people[0]), None, crate::of_the_bot::now())
            .await
            .unwrap();
    }
}

/// Creates a person, whose language depends on the seat.
fn somebody(discord: &Discord, number: usize, seat: usize) -> Person {
    let locale = if seat.is_multiple_of(2) { Locale::Ja } else { Locale::En };
    discord.person(&format!("p{number}-{seat}"), locale)
}

pub(super) fn account(person: &Person) -> AccountId {
    format!("discord:{}", person.id()).into()
}

async fn form(
    desk: &Desk,
    game: &str,
    people: &[Person],
    place: Place,
    seed: [u8; 32],
    open: Option<(&str, &str)>,
) -> TableCode {
    let guest = |seat: usize| Contact {
        account: account(&people[seat]),
        name: people[seat].name().to_owned(),
        language: Lang::ALL[seat % 2],
        address: format!("discord:user:{}", people[seat].id()).into(),
    };
    let form = Form {
        game: game.to_owned(),
        options: open.into_iter().collect(),
        chairs: people.len(),
        pace: pace(),
        host: guest(0),
        place: Some(format!("discord:channel:{}", place.0).into()),
        settings: tables::TableSettings::default(),
        seed: Some((seed, "secrecy".to_owned())),
    };
    let code = desk::form(desk, form, crate::of_the_bot::now()).await.unwrap().code;
    for seat in 0..people.len() {
        desk::join(desk, &code, guest(seat), Some(VALUE), crate::of_the_bot::now()).await.unwrap();
    }
    desk::start(desk, &code, &account(&people[0]), "random", crate::of_the_bot::now())
        .await
        .unwrap();
    code
}

/// Returns a pace without early closes: the host closes the windows, the deadlines are half a day away and
/// the same in both worlds, and nobody is reminded meanwhile.
fn pace() -> Pace {
    let hour = (crate::of_the_bot::now().milliseconds() / 3_600_000 + 12) % 24;
    let pace = Pace::read(&format!("daily {hour}:00, reactions 12h, choices 12h"), chrono_tz::UTC);
    let pace = pace.unwrap();
    Pace { early: false, reminders: Vec::new(), ..pace }
}

fn declarations(play: &PlayView, chance: &mut Stream) -> BySeat<Option<Declaration>> {
    BySeat::new(play.contest.seats(), |seat| declaration(play, seat, chance))
}

fn declaration(play: &PlayView, seat: Seat, chance: &mut Stream) -> Option<Declaration> {
    let dice = Dice::new(std::array::from_fn(|_| byte(chance)), "declared").of_window(0, 0);
    let stream = dice.stream(&Label::of(seat, Key::part("policy")));
    play.asked.contains(&seat).then(|| play.contest.declare(seat, "random", stream))?
}

fn byte(chance: &mut Stream) -> u8 {
    u8::try_from(chance.below(256)).unwrap()
}

struct Twins {
    hider: Seat,
    declared: BySeat<Option<Declaration>>,
    closes: bool,
    /// The twin's state and its hash.
    twin: (String, String),
}

/// Builds the twin of a contest, with declarations whose resolution shows everybody else the same in both, if
/// there are any; `None` if no cards can be exchanged.
fn twins(
    hiding: &Hiding,
    play: &PlayView,
    dice: &Dice,
    declared: &BySeat<Option<Declaration>>,
    chance: &mut Stream,
) -> Option<Twins> {
    let game = find(hiding.game).unwrap();
    let hider = Seat::new(chance.below(u32::try_from(declared.count()).unwrap()) as usize);
    let saved = play.contest.save();
    let root = (hiding.twin)(&saved.root, hider, chance)?;
    let other = Saved { root: root.clone(), said: saved.said.clone() };
    let load = |saved: &Saved| game.load(saved, dice.clone()).unwrap();
    let twin = load(&other);
    let mut declared = declared.clone();
    let mut closes = false;
    for attempt in 0..8 {
        let theirs = if attempt < 7 { declaration(play, hider, chance) } else { None };
        let faulty =
            theirs.as_ref().is_some_and(|said| !twin.interview(hider, said).faults.is_empty());
        declared[hider] = theirs;
        let knows = |seat| seat == hider || (hiding.are_partners)(seat, hider);
        closes = !faulty && shows_the_same(load(&saved), load(&other), knows, &declared);
        if closes {
            break;
        }
    }
    let hash = hex::encode(twin.state_hash());
    Some(Twins { hider, declared, closes, twin: (root, hash) })
}

/// True if the close of two contests shows the same to everybody who does not know the hidden cards.
fn shows_the_same(
    mut here: Box<dyn AnyContest>,
    mut there: Box<dyn AnyContest>,
    knows: impl Fn(Seat) -> bool,
    declared: &BySeat<Option<Declaration>>,
) -> bool {
    let close = |contest: &mut Box<dyn AnyContest>| {
        let told = contest.close(declared.clone()).unwrap();
        let others = declared.seats().filter(|seat| !knows(*seat)).map(Viewer::Seat);
        let shown = others.chain([Viewer::Public]).map(|viewer| {
            (
                format!("{:?}", contest.seen(&told.entries, viewer)),
                contest.report(viewer).to_string(),
            )
        });
        (contest.asked(), contest.is_suspended(), shown.collect::<Vec<_>>())
    };
    close(&mut here) == close(&mut there)
}
