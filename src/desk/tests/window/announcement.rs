//! Results that are announced later than their windows closed.

use crate::model::Desk;
use crate::record::{Letter, Part};
use crate::table::form::Form;
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, SEED, VALUE, account, dealt, desk, form, guest, looks,
    passes, placing, refused, rows, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::view::see::PendingResult;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use letters::{DeclarationRefused, Refused, SeatRefused};
use tables::pace::Announce;
use tables::{CloseReason, Pace, Stage, TableCode, WindowNumber};

const LATER: i64 = 30 * MINUTE;

async fn announced_later(desk: &Desk) -> TableCode {
    let pace =
        Pace { announce: Announce::After(span(LATER)), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    dealt(desk, Form { pace, ..form("toy") }).await
}

#[tokio::test]
async fn before_its_announcement_nothing_is_known_of_a_result() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = announced_later(&desk).await;
    seal(&desk, &code, "sakura", BID, MINUTE).await;
    seal(&desk, &code, "kaede", BID, MINUTE).await;
    let before = sight(&desk, &code, MINUTE).await;
    assert_eq!(looks(&desk, &code, MINUTE).await, TickOutcome::Closed(CloseReason::AllSealed));
    let announced = MINUTE + LATER;
    assert_eq!(sight(&desk, &code, announced - 1).await, before);
    let shut = Some(PendingResult { closed: time(MINUTE), announced: time(announced) });
    assert_eq!(see(&desk, &code, "kaede", announced - 1).await.play.unwrap().shut, shut);
    let told: Vec<(i64,)> =
        rows(&database, "select send_at from outbox where letter like '%-0-shut-%'").await;
    assert_eq!(told, [(MINUTE,), (MINUTE,)]);
    let early = say(&desk, &code, "sakura", DRAW, DeclarationStatus::Sealed, announced - 1).await;
    assert_eq!(refused(early), Refused::NotYet);
    let early = crate::close(&desk, &code, &account("sakura"), None, time(announced - 1)).await;
    assert_eq!(refused(early), Refused::NotYet);
    assert_eq!(looks(&desk, &code, announced - 1).await, TickOutcome::Nothing);
    let letters: Vec<(i64,)> =
        rows(&database, "select send_at from outbox where letter like '%-1-opening-%'").await;
    assert_eq!(letters, [(announced,), (announced,)]);

    let after = see(&desk, &code, "sakura", announced).await;
    assert_eq!(crate::past(&desk, &after, time(announced)).await.unwrap().len(), 2);
    let play = after.play.unwrap();
    assert_eq!((play.number, play.timing.opens), (WindowNumber::new(1), time(announced)));
    assert_eq!(play.timing.closes, time(announced + HOUR), "a window has its whole time");
    say(&desk, &code, "sakura", DRAW, DeclarationStatus::Sealed, announced).await.unwrap();
    verify(&database, &desk).await;
}

#[tokio::test]
async fn before_its_announcement_nobody_knows_who_is_asked_next() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = announced_later(&desk).await;
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let now = HOUR + LATER;
    let play = see(&desk, &code, "sakura", now).await.play.unwrap();
    seal(&desk, &code, "sakura", &placing(&*play.contest, kit::toy::P1), now).await;
    seal(&desk, &code, "kaede", DRAW, now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Closed(CloseReason::AllSealed));
    for name in ["sakura", "kaede"] {
        let early = say(&desk, &code, name, DRAW, DeclarationStatus::Draft, now + 1).await;
        assert_eq!(refused(early), Refused::NotYet);
    }
    let unasked = say(&desk, &code, "sakura", DRAW, DeclarationStatus::Draft, now + LATER).await;
    assert_eq!(refused(unasked), DeclarationRefused::NotAsked);
}

#[tokio::test]
async fn before_its_announcement_the_end_of_a_game_is_not_known() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = announced_later(&desk).await;
    let mut before = sight(&desk, &code, 0).await;
    let mut now = 0;
    while let Some(due) = crate::next_due(&desk).await.unwrap() {
        now = due.milliseconds();
        before = sight(&desk, &code, now).await;
        passes(&desk, &code, now).await;
    }
    let announced = now + LATER;
    assert_eq!(sight(&desk, &code, announced - 1).await, before);
    let late = say(&desk, &code, "sakura", DRAW, DeclarationStatus::Sealed, announced - 1).await;
    assert_eq!(refused(late), DeclarationRefused::Late);
    for wish in [
        crate::end(&desk, &code, &account("sakura"), None, None, time(announced - 1)).await,
        crate::close(&desk, &code, &account("sakura"), None, time(announced - 1)).await,
    ] {
        assert_eq!(refused(wish), Refused::NotYet);
    }
    // Deeds of players are answered as before the end.
    let kaede = account("kaede");
    assert!(crate::back(&desk, &code, &kaede, time(announced - 1)).await.is_ok());
    let left = crate::leave(&desk, &code, &kaede, time(announced - 1)).await;
    assert_eq!(refused(left), SeatRefused::NoLeaving);
    let untimely =
        format!("select letter from outbox where body like '%scores%' and send_at < {announced}");
    assert_eq!(rows::<(String,)>(&database, &untimely).await, []);

    let after = see(&desk, &code, "sakura", announced).await;
    assert_eq!(after.stage, Stage::Over);
    assert!(after.play.as_ref().unwrap().contest.standing().is_some());
    assert_eq!(crate::past(&desk, &after, time(announced)).await.unwrap().len(), 7);
    let late = say(&desk, &code, "sakura", DRAW, DeclarationStatus::Sealed, announced).await;
    assert_eq!(refused(late), Refused::Over);
    assert_eq!(
        refused(crate::end(&desk, &code, &account("sakura"), None, None, time(announced)).await),
        Refused::Over
    );
    verify(&database, &desk).await;
}

#[tokio::test]
async fn everybody_is_told_that_a_host_has_closed_a_window() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for game in ["toy", "toy-hidden"] {
        let pace = Pace {
            announce: Announce::After(span(LATER)),
            ..Pace::play(span(HOUR), chrono_tz::UTC)
        };
        let code = dealt(&desk, Form { pace, ..form(game) }).await;
        crate::close(&desk, &code, &account("sakura"), None, time(MINUTE)).await.unwrap();
        let shut = Some(PendingResult { closed: time(MINUTE), announced: time(MINUTE + LATER) });
        assert_eq!(see(&desk, &code, "sakura", MINUTE).await.play.unwrap().shut, shut);
        let told = "select letter from outbox where letter like";
        let told = format!("{told} '{code}-0-shut-%' order by letter");
        let to_both = ["P1", "P2"].map(|seat| (format!("{code}-0-shut-{seat}"),));
        assert_eq!(rows::<(String,)>(&database, &told).await, to_both);
    }
}

#[tokio::test]
async fn where_sealings_are_hidden_nobody_learns_that_all_have_sealed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace =
        Pace { announce: Announce::After(span(LATER)), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let code = dealt(&desk, Form { pace, ..form("toy-hidden") }).await;
    seal(&desk, &code, "sakura", BID, MINUTE).await;
    seal(&desk, &code, "kaede", BID, MINUTE).await;
    let closes = 15 * MINUTE;
    assert_eq!(looks(&desk, &code, closes).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(see(&desk, &code, "sakura", closes).await.play.unwrap().shut, None);
    let told = "select letter from outbox where letter like '%-shut-%'";
    assert_eq!(rows::<(String,)>(&database, told).await, []);
}

#[tokio::test]
async fn what_only_house_players_are_asked_keeps_nobody_waiting() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace =
        Pace { announce: Announce::After(span(LATER)), ..Pace::play(span(HOUR), chrono_tz::UTC) };
    let table = Form { pace, seed: Some((SEED.0, SEED.1.to_owned())), ..form("toy") };
    let code = crate::form(&desk, table, time(0)).await.unwrap().code;
    crate::join(&desk, &code, guest("sakura"), Some(VALUE), time(0)).await.unwrap();
    crate::start(&desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::Deadline));
    let now = HOUR + LATER;
    let play = see(&desk, &code, "sakura", now).await.play.unwrap();
    seal(&desk, &code, "sakura", &placing(&*play.contest, kit::toy::P1), now).await;
    assert_eq!(looks(&desk, &code, now).await, TickOutcome::Closed(CloseReason::AllSealed));
    let open = "select asked, opens_at from windows where closed_at is null";
    let announced = now + LATER;
    let asked: Vec<(String, i64)> = rows(&database, open).await;
    assert_eq!(asked, [("P2".to_owned(), announced)], "what somebody was asked is waited for");
    let told = "select body from outbox where letter like '%-2-opening-P1'";
    let letter: Letter =
        serde_json::from_str(&rows::<(String,)>(&database, told).await[0].0).unwrap();
    let times = letter.parts.iter().find_map(|part| match part {
        Part::Opening { closes, announced, .. } => Some((*closes, *announced)),
        _ => None,
    });
    assert_eq!(times, Some((time(announced), time(announced))), "it is over as soon as it is told");
    assert_eq!(looks(&desk, &code, announced).await, TickOutcome::Closed(CloseReason::AllSealed));
    let (_, opens): (String, i64) = rows(&database, open).await.remove(0);
    assert_eq!(opens, announced);
    verify(&database, &desk).await;
}

/// Returns everything that 桜 can see of a table.
async fn sight(desk: &Desk, code: &TableCode, now: i64) -> String {
    let mut sight = see(desk, code, "sakura", now).await;
    // The close of a window is public before its result is.
    if let Some(play) = &mut sight.play {
        play.shut = None;
    }
    let past = crate::past(desk, &sight, time(now)).await.unwrap();
    format!("{sight:?} {past:?}")
}
