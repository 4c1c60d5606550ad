//! A game master who plays learns nothing by trying: in two worlds that differ only in what their seat does
//! not know, all input, completions and previews have the same answers.
//!
//! A world is a state of the window in the database; in the other one, two things are exchanged that this
//! seat does not see. A preview changes nothing, so both are compared in one database, one after the other.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use sqlx::{AnyConnection, Connection};

use desk::{
    ConfirmingDecision, Contact, Decision, Desk, Form, Gm, NotDone, Override, OverrideRequest,
    Verb, complete_decision,
};
use games::GAMES;
use games::any::{AnyContest, AnyGame};
use kit::database::Database;
use letters::{Letters, Reader, follow};
use rules::dice::Stream;
use rules::question::Shape;
use rules::text::Lang;
use rules::{Declaration, Dice, Key, Label, Saved, Seat, Viewer};
use store::{Location, Store};
use tables::ids::{AccountId, TableCode};
use tables::time::{Span, Time};
use tables::{Pace, Stage};

/// The number of windows of a game in which worlds are compared in the suite.
const WINDOWS: usize = 1;

/// The number of other worlds of a window.
const TWINS: usize = 1;

/// The number of names that are tried.
const NAMES: usize = 4;

/// The seat of the host, who is also a game master.
const OWN: Seat = Seat::new(0);

fn account(name: &str) -> AccountId {
    format!("terminal:{name}").as_str().into()
}

fn guest(name: &str) -> Contact {
    let account = account(name);
    let address = account.as_str().into();
    Contact { account, name: name.to_owned(), language: Lang::En, address }
}

fn gm() -> Gm {
    Gm { account: account("sakura"), roles: Vec::new() }
}

/// Starts a table at which everybody is a person.
async fn begun(desk: &Desk, game: &dyn AnyGame) -> TableCode {
    let names = ["sakura", "kaede", "ume", "fuji", "take", "matsu"];
    let chairs = game.seat_counts().into_iter().find(|seats| *seats > 2).unwrap();
    let form = Form {
        game: game.key().to_owned(),
        options: Json::Null,
        chairs,
        pace: Pace::play(Span::hours(1), chrono_tz::UTC),
        host: guest(names[0]),
        place: None,
        settings: tables::TableSettings::default(),
        seed: Some(([7; 32], "worlds".to_owned())),
    };
    let at = Time::from_milliseconds(0);
    let code = desk::form(desk, form, at).await.unwrap().code;
    for name in &names[..chairs] {
        desk::join(desk, &code, guest(name), None, at).await.unwrap();
    }
    desk::start(desk, &code, &account(names[0]), "random", at).await.unwrap();
    code
}

/// Collects the paths of all texts in a document.
fn leaves(value: &Json, way: &str, found: &mut Vec<String>) {
    match value {
        Json::Array(values) => {
            let each = values.iter().enumerate();
            each.for_each(|(place, value)| leaves(value, &format!("{way}/{place}"), found));
        }
        Json::Object(members) => {
            let each = members.iter();
            each.for_each(|(name, value)| leaves(value, &format!("{way}/{name}"), found));
        }
        Json::String(_) => found.push(way.to_owned()),
        _ => {}
    }
}

/// Returns everything that this seat knows of a window.
fn known(contest: &dyn AnyContest) -> (Json, Json, String) {
    let nothing = Declaration::default();
    let own = format!("{:?}", (contest.asked(), contest.interview(OWN, &nothing)));
    (contest.report(Viewer::Seat(OWN)), contest.report(Viewer::Public), own)
}

/// Returns states of the same window with two things exchanged that this seat does not see.
fn twins(game: &dyn AnyGame, saved: &Saved, chance: &mut Stream) -> Vec<String> {
    let dice = || Dice::new([7; 32], "worlds");
    let state: Json = serde_json::from_str(&saved.root).unwrap();
    let here = known(&*game.load(saved, dice()).unwrap());
    let (mut places, mut twins) = (Vec::new(), Vec::new());
    leaves(&state, "", &mut places);
    for _ in 0..400 {
        let mut place =
            || places[chance.below(u32::try_from(places.len()).unwrap()) as usize].clone();
        let (one, other) = (place(), place());
        let value = |place: &str| state.pointer(place).unwrap().clone();
        let last = |place: &str| {
            place.rsplit('/').find(|name| name.parse::<u8>().is_err()).map(str::to_owned)
        };
        if value(&one) == value(&other) || last(&one) != last(&other) {
            continue;
        }
        let mut twin = state.clone();
        *twin.pointer_mut(&one).unwrap() = value(&other);
        *twin.pointer_mut(&other).unwrap() = value(&one);
        let root = twin.to_string();
        let Ok(there) = game.load(&Saved { root: root.clone(), ..saved.clone() }, dice()) else {
            continue;
        };
        // The state is written by the game itself, so the order of fields is the same.
        let root = there.save().root;
        if root != saved.root && known(&*there) == here && !twins.contains(&root) {
            twins.push(root);
        }
        if twins.len() == TWINS {
            break;
        }
    }
    twins
}

/// Returns the inputs of a game master at this window, for every verb.
fn lines(game: &dyn AnyGame, worlds: &[Box<dyn AnyContest>]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for contest in worlds {
        for seat in Seat::all(contest.seats()).skip(1) {
            for asked in contest.interview(seat, &Declaration::default()).asked {
                if let Shape::Choose { options, .. } | Shape::Pick { options, .. } =
                    asked.question.shape
                {
                    let name =
                        |id: &smol_str::SmolStr| game.lexicon().name(id, Lang::En).to_owned();
                    names.extend(options.iter().map(name));
                }
            }
        }
    }
    let step = (names.len() / NAMES).max(1);
    let names: Vec<String> = names.into_iter().step_by(step).collect();
    let mut lines = Vec::new();
    for verb in Verb::ALL {
        let word = verb.word(Lang::En);
        lines.extend([word.to_owned(), format!("{word} P2"), format!("{word} last P2")]);
        if ["declare", "choose", "return", "edit"].contains(&word) {
            for name in &names {
                lines.push(format!("{word} P2 {name}"));
                lines.push(format!("{word} P2 {name} P3"));
            }
        }
    }
    lines
}

/// Returns the answers to these inputs, with the completions.
async fn answers(desk: &Desk, code: &TableCode, lines: &[String], now: Time) -> Vec<String> {
    let letters = Letters::built_in();
    let gm = gm();
    let gm_view = desk::gm_view(desk, code, &gm, now).await.unwrap();
    let reader = Reader::new(gm_view.sight.game, Lang::En).in_plain_text();
    let mut answers = Vec::new();
    for line in lines {
        let completed = complete_decision(&format!("{line} "), &gm_view, Lang::En);
        let mut answer = format!("{line} … {completed:?}\n");
        match OverrideRequest::read(line, &gm_view, now) {
            Err(fault) => answer += &fault.words(&letters, &reader).unwrap(),
            Ok(OverrideRequest { what, guest: name }) => {
                let guest = name.map(|name| guest(&name));
                match desk::rehearse(desk, code, &gm, what.clone(), guest, now).await {
                    Err(refused) => answer += &refused.to_string(),
                    Ok(rehearsal) => {
                        let plain = |reader: Reader| reader.in_plain_text();
                        let words = rehearsal.words(&what, "", &letters, Lang::En, plain);
                        follow(&mut answer, &words.unwrap());
                        let audience = &rehearsal.audience;
                        let confirming = ConfirmingDecision { audience };
                        follow(&mut answer, &letters.write(&reader, &confirming).unwrap());
                    }
                }
            }
        }
        answers.push(answer);
    }
    answers
}

/// Replaces the state of a window in the database.
async fn set_state(connection: &mut AnyConnection, code: &TableCode, number: i64, state: &str) {
    let change = "update snapshots set state = $1 where code = $2 and number = $3";
    let change = sqlx::query(change).bind(state.to_owned()).bind(code.to_string()).bind(number);
    assert_eq!(change.execute(connection).await.unwrap().rows_affected(), 1);
}

/// Compares worlds in some windows of a game, and returns the number of pairs.
async fn compared(game: &'static dyn AnyGame) -> usize {
    let database = Database::fresh().await;
    let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
    let code = begun(&desk, game).await;
    let dice = Dice::new([7; 32], "worlds").of_window(0, 0);
    let mut chance = dice.stream(&Label::table(Key::part("worlds")));
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    let windows = kit::cases(WINDOWS, usize::MAX);
    let (mut now, mut pairs, mut met) = (Time::from_milliseconds(1), 0, 0);
    while met < windows {
        let sight = desk::see(&desk, &code, &account("sakura"), now).await.unwrap();
        if sight.stage == Stage::Over {
            break;
        }
        if let Some(play) = &sight.play
            && !play.contest.is_suspended()
            && play.contest.round() > rules::Round::DEAL
        {
            let question = "select root from windows where code = $1 and number = $2";
            let question = sqlx::query_as::<_, (i64,)>(question).bind(code.to_string());
            let number = i64::from(play.number.get());
            let (root,) = question.bind(number).fetch_one(&mut connection).await.unwrap();
            let saved = play.contest.save();
            let states = twins(game, &saved, &mut chance);
            met += usize::from(!states.is_empty());
            let world = |root: &String| {
                let saved = Saved { root: root.clone(), ..saved.clone() };
                game.load(&saved, Dice::new([7; 32], "worlds")).unwrap()
            };
            let worlds: Vec<_> = [&saved.root].into_iter().chain(&states).map(world).collect();
            let lines = lines(game, &worlds);
            let here = answers(&desk, &code, &lines, now).await;
            for state in &states {
                set_state(&mut connection, &code, root, state).await;
                let there = answers(&desk, &code, &lines, now).await;
                for (here, there) in here.iter().zip(&there) {
                    assert_eq!(here, there, "{} in window {number}", game.key());
                }
                pairs += 1;
            }
            set_state(&mut connection, &code, root, &saved.root).await;
        }
        let Some(due) = desk::next_due(&desk).await.unwrap() else {
            desk::resume(&desk, &code, &account("sakura"), None, now).await.unwrap();
            continue;
        };
        now = due.max(now + Span::INSTANT);
        desk::look(&desk, &code, now).await.unwrap();
    }
    desk.store().close().await;
    pairs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_master_who_plays_learns_nothing_by_trying() {
    for game in GAMES {
        assert!(compared(*game).await > 0, "{} hides something", game.key());
    }
}

/// An impossible attempt that a player could not know to be impossible stays on record.
#[tokio::test]
async fn what_cannot_be_made_is_told_to_everybody() {
    let game = games::find("gangster_paradise").unwrap();
    let database = Database::fresh().await;
    let desk = Desk::new(Store::open(&Location::new(&database.url)).await.unwrap(), GAMES);
    let code = begun(&desk, game).await;
    let mut now = Time::from_milliseconds(1);
    let gm = gm();
    let told = loop {
        let gm_view = desk::gm_view(&desk, &code, &gm, now).await.unwrap();
        let contest = gm_view.sight.play.as_ref().unwrap().contest.copy();
        let mut told = None;
        for line in lines(game, &[contest]).iter().filter(|line| line.starts_with("declare P2 ")) {
            let gm_view = desk::gm_view(&desk, &code, &gm, now).await.unwrap();
            let Ok(OverrideRequest { what, .. }) = OverrideRequest::read(line, &gm_view, now)
            else {
                continue;
            };
            if !matches!(what, Override::InWords { .. }) {
                continue;
            }
            let decision = Decision { reason: "I guess".to_owned(), ..what.clone().into() };
            if let Err(NotDone::Refused(why)) = desk::decide(&desk, &code, &gm, decision, now).await
            {
                assert_eq!(why, letters::OverrideRefused::InVain, "{line}");
                told = Some(what);
                break;
            }
        }
        if let Some(told) = told {
            break told;
        }
        now = desk::next_due(&desk).await.unwrap().unwrap().max(now + Span::INSTANT);
        desk::look(&desk, &code, now).await.unwrap();
    };
    let others = Gm { account: account("kaede"), roles: Vec::new() };
    let log = desk::overrides(&desk, &code, &others).await.unwrap();
    let tried = Override::Tried { what: Box::new(told) };
    assert_eq!(log.last().map(|logged| (&logged.what, logged.public)), Some((&tried, true)));
    assert!(desk::replay(&desk, &code).await.unwrap().is_sound());
    let mut connection = AnyConnection::connect(&database.url).await.unwrap();
    let question = "select count(*) from outbox where body like '%\"does\":\"tried\"%'";
    let (letters,): (i64,) = sqlx::query_as(question).fetch_one(&mut connection).await.unwrap();
    assert_eq!(letters, 4, "everybody is told");
    desk.store().close().await;
}
