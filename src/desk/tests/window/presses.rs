//! Acts by a press: once for each control, whatever others do meanwhile.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::model::{Desk, NotDone};
use crate::table::form::Form;
use crate::tests::support::{
    Database, VALUE, account, desk, form, guest, looks, refused, see, table,
};
use crate::window::act::PressedControl;
use crate::window::declare::DeclarationStatus;
use games::GAMES;
use games::any::AnyGame;
use kit::time::time;
use kit::toy::said;
use letters::{DeclarationRefused, Refused};
use rules::dice::{Dice, Stream};
use rules::{Declaration, Key, Label, Seat};
use store::{Location, Store};
use tables::TableCode;

const PEOPLE: [&str; 7] = ["sakura", "kaede", "momiji", "tsubaki", "ayame", "botan", "sumire"];

/// The number of windows that are played of each game.
const WINDOWS: u32 = 8;

async fn press(
    desk: &Desk,
    code: &TableCode,
    name: &str,
    pressed: &PressedControl,
    now: i64,
) -> Result<(), NotDone> {
    let said = &pressed.said;
    crate::act_by(desk, code, &account(name), said, Some(pressed.clone()), time(now)).await
}

/// Returns a control for this act, as a person sees the table now.
async fn shown(
    desk: &Desk,
    code: &TableCode,
    name: &str,
    said: Declaration,
    is_private: bool,
) -> PressedControl {
    let play = see(desk, code, name, 3).await.play.unwrap();
    PressedControl { window: play.number, acts: play.contest.acts_done(), said, is_private }
}

/// Deals a table of 桜 and 楓 and plays their bids.
async fn playing(desk: &Desk) -> TableCode {
    let code = table(desk, "toy").await;
    for name in ["sakura", "kaede"] {
        crate::tests::support::seal(desk, &code, name, crate::tests::support::BID, 1).await;
    }
    looks(desk, &code, 1).await;
    code
}

#[tokio::test]
async fn what_others_do_meanwhile_refuses_no_press() {
    for is_private in [true, false] {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let code = playing(&desk).await;
        let give = said("now.do=give now.to=P2");
        let pressed = shown(&desk, &code, "sakura", give, is_private).await;
        let other = said("now.do=give now.to=P1");
        crate::act(&desk, &code, &account("kaede"), &other, time(3)).await.unwrap();
        press(&desk, &code, "sakura", &pressed, 4).await.unwrap();
        let again = press(&desk, &code, "sakura", &pressed, 5).await;
        assert_eq!(refused(again), DeclarationRefused::DoneBefore);
        // A control that is drawn again works once more.
        let drawn = shown(&desk, &code, "sakura", pressed.said, is_private).await;
        press(&desk, &code, "sakura", &drawn, 6).await.unwrap();
    }
}

#[tokio::test]
async fn a_post_is_pressed_once_by_each_seat_and_a_panel_knows_all_that_its_own_did() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    let rest = said("now.do=rest");
    let post = shown(&desk, &code, "sakura", rest.clone(), false).await;
    let panel = PressedControl { is_private: true, ..post.clone() };
    let give = said("now.do=give now.to=P2");
    crate::act(&desk, &code, &account("sakura"), &give, time(3)).await.unwrap();
    assert_eq!(refused(press(&desk, &code, "sakura", &panel, 4).await), Refused::MovedOn);
    press(&desk, &code, "sakura", &post, 5).await.unwrap();
    for pressed in [&post, &panel] {
        let again = press(&desk, &code, "sakura", pressed, 6).await;
        assert_eq!(refused(again), DeclarationRefused::DoneBefore);
    }
}

#[tokio::test]
async fn the_second_tap_is_told_so_also_where_the_first_has_closed_the_window() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    crate::act(&desk, &code, &account("kaede"), &said("now.do=rest"), time(3)).await.unwrap();
    let pressed = shown(&desk, &code, "sakura", said("now.do=rest"), false).await;
    press(&desk, &code, "sakura", &pressed, 4).await.unwrap();
    let again = async |now| refused(press(&desk, &code, "sakura", &pressed, now).await);
    assert_eq!(again(5).await, DeclarationRefused::DoneBefore, "nobody is asked any more");
    looks(&desk, &code, 6).await;
    assert_eq!(again(7).await, DeclarationRefused::DoneBefore, "another window is open");
    // A player who has not done the act is shown that the window has closed.
    let kaede = refused(press(&desk, &code, "kaede", &pressed, 7).await);
    assert_eq!(kaede, DeclarationRefused::TooLateToAct);
}

/// Returns the options of a game, each set to its last value as far as the fewest seats allow.
fn with_other_options(game: &dyn AnyGame) -> Json {
    let mut options = serde_json::Map::new();
    for set in game.options(&Json::Null) {
        let last = set.option.values.last().copied().unwrap_or_default();
        let mut more = options.clone();
        more.insert(set.option.key.to_owned(), last.into());
        if game.check_options(&more.clone().into(), *game.seats().start()).is_ok() {
            options = more;
        }
    }
    options.into()
}

/// A game of people alone.
struct Game {
    desk: Desk,
    code: TableCode,
    seats: usize,
}

impl Game {
    async fn begins(database: &Database, game: &'static dyn AnyGame, options: Json) -> Self {
        let store = Store::open(&Location::new(&database.url)).await.unwrap();
        let (desk, seats) = (Desk::new(store, GAMES), *game.seats().start());
        let form = Form { chairs: seats, options, ..form(game.key()) };
        let code = crate::form(&desk, form, time(0)).await.unwrap().code;
        for name in &PEOPLE[..seats] {
            crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
        }
        crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
        Self { desk, code, seats }
    }

    fn chance(at: u32, seat: Seat, what: &'static str) -> Stream {
        let dice = Dice::new([7; 32], "presses");
        dice.of_window(at, 0).stream(&Label::of(seat, Key::part(what)))
    }

    /// Does every act of every player in the open window, each by a control that is tapped twice; returns the
    /// acts.
    async fn taps(&self, at: u32, is_private: bool) -> BTreeSet<String> {
        let mut done = BTreeSet::new();
        for round in 0..6 {
            for (seat, name) in Seat::all(self.seats).zip(PEOPLE) {
                let sight = see(&self.desk, &self.code, name, 3).await;
                let Some(play) = &sight.play else { return done };
                let chance = Self::chance(at * 16 + round, seat, "act");
                let Some(act) = play.contest.act_by(seat, "random", chance) else { continue };
                let deed = act.declaration.iter().find(|(key, _)| key.name == "do");
                let what = deed.map(|(_, answer)| format!("{answer:?}"));
                let pressed =
                    shown(&self.desk, &self.code, name, act.declaration.clone(), is_private).await;
                if press(&self.desk, &self.code, name, &pressed, 3).await.is_err() {
                    continue;
                }
                let again = refused(press(&self.desk, &self.code, name, &pressed, 3).await);
                assert_eq!(again, DeclarationRefused::DoneBefore, "{what:?}");
                done.extend(what);
            }
        }
        done
    }

    /// Closes the open window with the declarations of policies.
    async fn closes(&self, at: u32) {
        for (seat, name) in Seat::all(self.seats).zip(PEOPLE) {
            let Some(play) = see(&self.desk, &self.code, name, 3).await.play else { return };
            if !play.asked.contains(&seat) {
                continue;
            }
            let chance = Self::chance(at, seat, "declaration");
            let Some(declared) = play.contest.declare(seat, "random", chance) else { continue };
            let (account, sealed) = (account(name), DeclarationStatus::Sealed);
            let _ =
                crate::declare(&self.desk, &self.code, &account, &declared, sealed, None, time(3))
                    .await;
        }
        let _ = crate::close(&self.desk, &self.code, &account("sakura"), None, time(3)).await;
        looks(&self.desk, &self.code, 3).await;
    }
}

#[tokio::test]
async fn every_deed_of_every_game_is_done_once_by_two_taps() {
    let mut deeds = BTreeSet::new();
    for game in GAMES.iter().copied() {
        for options in [Json::Null, with_other_options(game)] {
            let database = Database::fresh().await;
            let table = Game::begins(&database, game, options).await;
            for at in 0..WINDOWS {
                let done = table.taps(at, at % 2 == 0).await;
                deeds.extend(done.into_iter().map(|deed| (game.key(), deed)));
                table.closes(at).await;
            }
        }
    }
    let games: BTreeSet<&str> = deeds.iter().map(|(game, _)| *game).collect();
    assert!(games.len() >= 2 && deeds.len() >= 8, "{deeds:?}");
}
