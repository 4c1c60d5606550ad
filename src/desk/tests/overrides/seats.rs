//! Overrides about the players of the seats.

use serde_json::json;

use crate::model::{Gm, Override};
use crate::overrides::decision::Remark;
use crate::record::{Event, Part};
use crate::table::form::{Form, TableChange};
use crate::tests::kit::{LATER, Table, decision, gm};
use crate::tests::support::{
    BID, DRAW, Database, HOUR, MINUTE, VALUE, account, desk, draft, form, guest, looks, progress,
    refused, say, seal, see, verify,
};
use crate::tick::TickOutcome;
use crate::view::see::PendingResult;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use kit::toy::{P1, P2};
use letters::{AbsenceRefused, OverrideRefused, Refused};
use rules::window::Progress;
use rules::{Seat, Viewer};
use tables::{Announce, CloseReason, Stage, TableSetting};

fn replace(seat: Seat) -> Override {
    Override::Replace { seat }
}

fn house(seat: Seat) -> Override {
    Override::House { seat, policy: "random".to_owned() }
}

#[tokio::test]
async fn whoever_takes_a_seat_has_a_whole_window_and_nothing_of_who_left() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.bid(1).await;
    seal(desk, code, "kaede", DRAW, 2).await;
    table.sent(2).await;
    let before = table.standing().await;
    let now = 30 * MINUTE;
    let remarks = table.decide_with(replace(P2), Some(guest("ume")), now).await;
    let secrets = |seats: &[Seat]| Remark::Secrets { seats: seats.to_vec() };
    assert_eq!(remarks, [Remark::Lost { seats: vec![P2] }, secrets(&[P2])]);
    let sight = see(desk, code, "ume", now).await;
    assert_eq!((sight.seat, sight.names), (Some(P2), vec!["sakura".to_owned(), "ume".to_owned()]));
    let play = sight.play.unwrap();
    assert_eq!((play.timing.closes, play.own.is_empty()), (time(now + HOUR), true));
    assert_eq!(progress(desk, code, "ume", now).await[1], Progress::NothingDeclared);
    assert_eq!(see(desk, code, "kaede", now).await.seat, None);
    assert_eq!(
        refused(say(desk, code, "kaede", DRAW, DeclarationStatus::Draft, now).await),
        Refused::NotSeated
    );
    // Everybody is notified, also the player who left, and the new one is sent the position.
    let told = |part: &Part| {
        matches!(part, Part::Event(Event::Overridden { what: Override::Replace { .. }, .. }))
    };
    for name in ["sakura", "kaede", "ume"] {
        let parts = table.told_to(name, now).await;
        assert_eq!(parts.iter().filter(|part| told(part)).count(), 1, "{name}: {parts:?}");
        let is_opening = |part: &Part| matches!(part, Part::Opening { closes, .. } if *closes == time(now + HOUR));
        assert_eq!(parts.iter().any(is_opening), name == "ume", "{name}: {parts:?}");
    }
    table.undone(&before, now).await;
    let last = table.told_to("ume", now).await;
    assert!(
        matches!(
            last.last(),
            Some(Part::Event(Event::Overridden { what: Override::Undo { .. }, .. }))
        ),
        "{last:?}"
    );
    table.decide_with(replace(P2), Some(guest("ume")), now).await;
    seal(desk, code, "sakura", DRAW, now).await;
    seal(desk, code, "ume", DRAW, now).await;
    table.closes(now).await;
    verify(&table.database, desk).await;
}

#[tokio::test]
async fn whoever_left_a_seat_stands_in_for_no_other() {
    let table = Table::new().await;
    table.bid(1).await;
    table.decide_with(replace(P2), Some(guest("ume")), 2).await;
    let delegate = async |name| {
        let (until, now) = (time(HOUR), time(3));
        crate::delegate(&table.desk, &table.code, &account(name), guest("kaede"), until, now).await
    };
    assert_eq!(refused(delegate("sakura").await), AbsenceRefused::OtherSeat);
    assert_eq!(delegate("ume").await.unwrap(), P2, "it was theirs");
}

#[tokio::test]
async fn a_hand_goes_to_the_newcomer_alone() {
    let table = Table::new().await;
    table.bid(1).await;
    table.sent(1).await;
    table.decide_with(replace(P2), Some(guest("ume")), 2).await;
    let question = "select body from outbox where letter like '%seated%'";
    let letters: Vec<(String,)> = crate::tests::support::rows(&table.database, question).await;
    let [(body,)] = &letters[..] else { panic!("{letters:?}") };
    let letter: crate::record::letter::Letter = serde_json::from_str(body).unwrap();
    let play = see(&table.desk, &table.code, "ume", 2).await.play.unwrap();
    let report = play.contest.report(Viewer::Seat(P2));
    assert_eq!((letter.seat, &letter.report["hands"]), (Some(P2), &report["hands"]));
    assert!(report["hands"][1][0].is_number() && report["hands"][0][0].is_null());
}

#[tokio::test]
async fn nobody_sits_twice_and_nobody_takes_a_seat_that_is_not_there() {
    let table = Table::new().await;
    let decide = async |what: Override, who| {
        let shown =
            crate::rehearse(&table.desk, &table.code, &gm(), what, Some(guest(who)), time(1)).await;
        refused(shown)
    };
    assert_eq!(decide(replace(P2), "sakura").await, OverrideRefused::SitsHere);
    assert_eq!(decide(replace(Seat::new(3)), "ume").await, Refused::NoSeat);
    assert_eq!(table.refuses(replace(P2), 1).await, Refused::NotSeated, "nobody is named");
    assert_eq!(table.refuses(house(Seat::new(3)), 1).await, Refused::NoSeat);
    let unknown = Override::House { seat: P1, policy: "clever".to_owned() };
    assert_eq!(table.refuses(unknown, 1).await, OverrideRefused::NoPolicy);
    let swap = |a, b| Override::Swap { a, b };
    assert_eq!(table.refuses(swap(P1, P1), 1).await, OverrideRefused::SitsHere);
    assert_eq!(table.refuses(swap(P1, Seat::new(3)), 1).await, Refused::NoSeat);
}

#[tokio::test]
async fn a_house_player_declares_at_once_where_it_is_awaited() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    seal(desk, code, "sakura", BID, 1).await;
    draft(desk, code, "kaede", BID, 1).await;
    let before = table.standing().await;
    table.decide(house(P2), 2).await;
    assert_eq!(
        crate::next_due(desk).await.unwrap(),
        Some(time(2)),
        "nobody is waited for any more"
    );
    table.undone(&before, 2).await;
    table.decide(house(P2), 2).await;
    table.closes(2).await;
    // The bot player goes on playing, and the player who left sees none of the seat's secrets.
    let sight = see(desk, code, "kaede", 2).await;
    assert_eq!((sight.seat, sight.house), (None, vec![P2]));
    seal(desk, code, "sakura", DRAW, 2).await;
    table.closes(2).await;
    let gone = table.told_to("kaede", 2).await;
    assert!(matches!(
        gone.last(),
        Some(Part::Event(Event::Overridden { what: Override::House { .. }, .. }))
    ));
    verify(&table.database, desk).await;
}

/// A seal from before a bot player took the seat counts.
#[tokio::test]
async fn a_house_player_leaves_a_seal_as_it_is() {
    let table = Table::new().await;
    seal(&table.desk, &table.code, "kaede", "bid.gold=6", 1).await;
    table.decide(house(P2), 2).await;
    seal(&table.desk, &table.code, "sakura", BID, 2).await;
    table.closes(2).await;
    let play = see(&table.desk, &table.code, "sakura", 2).await.play.unwrap();
    assert_eq!(play.contest.report(Viewer::Public)["gold"], json!([7, 10]));
    // A person can take the seat back from the bot player.
    table.decide_with(replace(P2), Some(guest("kaede")), 3).await;
    assert_eq!(see(&table.desk, &table.code, "kaede", 3).await.seat, Some(P2));
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn two_exchange_their_seats_and_what_they_know() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    table.bid(1).await;
    table.sent(1).await;
    seal(desk, code, "sakura", DRAW, 2).await;
    let before = table.standing().await;
    let swap = Override::Swap { a: P1, b: P2 };
    let remarks = table.decide(swap.clone(), 3).await;
    let secrets = Remark::Secrets { seats: vec![P1, P2] };
    assert_eq!(remarks, [Remark::Lost { seats: vec![P1] }, secrets]);
    let seats = [see(desk, code, "sakura", 3).await.seat, see(desk, code, "kaede", 3).await.seat];
    assert_eq!(seats, [Some(P2), Some(P1)]);
    let nothing = [Progress::NothingDeclared; 2];
    assert_eq!(progress(desk, code, "sakura", 3).await, nothing);
    for name in ["sakura", "kaede"] {
        let parts = table.told_to(name, 3).await;
        assert!(parts.iter().any(|part| matches!(part, Part::Opening { .. })), "{parts:?}");
    }
    table.undone(&before, 3).await;
    table.decide(swap, 3).await;
    table.both(DRAW, DRAW, 4).await;
    verify(&table.database, desk).await;
}

/// The preview names the players who still sit there.
#[tokio::test]
async fn whose_declaration_is_lost_goes_by_who_declared_it() {
    let table = Table::in_words(Announce::AtOnce).await;
    say(&table.desk, &table.code, "sakura", "", DeclarationStatus::Sealed, 2).await.unwrap();
    let lost = "! Declarations in the open window, if there are any, become invalid: sakura";
    let swapped = table.words(Override::Swap { a: P1, b: P2 }, None, 3).await;
    assert!(swapped.contains(lost), "{swapped}");
    assert!(swapped.contains("sees what only P1 or P2 can see"), "{swapped}");
    let replaced = table.words(replace(P1), Some(guest("ume")), 3).await;
    assert!(replaced.contains(lost), "{replaced}");
    assert!(replaced.contains("sees what only P1 can see"), "{replaced}");
}

/// A bot player that moves to another seat declares there.
#[tokio::test]
async fn a_house_player_exchanges_its_seat_too() {
    let table = Table::new().await;
    table.decide(house(P2), 1).await;
    table.decide(Override::Swap { a: P1, b: P2 }, 2).await;
    assert_eq!(see(&table.desk, &table.code, "sakura", 2).await.house, [P1]);
    seal(&table.desk, &table.code, "sakura", BID, 3).await;
    table.closes(3).await;
    verify(&table.database, &table.desk).await;
}

#[tokio::test]
async fn a_seat_that_is_not_asked_changes_no_deadline() {
    let table = Table::new().await;
    crate::tests::support::suspended(&table.desk, &table.code).await;
    let times = table.times().await;
    table.decide_with(replace(P1), Some(guest("ume")), 10 * MINUTE).await;
    assert_eq!(table.times().await, times);
    assert_eq!(
        looks(&table.desk, &table.code, times.1).await,
        TickOutcome::Closed(CloseReason::Deadline)
    );
    verify(&table.database, &table.desk).await;
}

/// At a public table, the place and the player who left are notified.
#[tokio::test]
async fn a_public_place_is_told_and_who_left_alone() {
    let table = Table::new().await;
    let seed = Some((crate::tests::support::SEED.0, "u".to_owned()));
    let code = crate::form(
        &table.desk,
        Form { place: Some("terminal:square".into()), seed, ..form("toy") },
        time(0),
    )
    .await
    .unwrap()
    .code;
    for name in ["sakura", "kaede"] {
        crate::join(&table.desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    crate::start(&table.desk, &code, &account("sakura"), "random", time(0)).await.unwrap();
    crate::appoint(&table.desk, &code, &account("sakura"), gm().account.as_str(), true, time(0))
        .await
        .unwrap();
    crate::decide(&table.desk, &code, &gm(), decision(house(P2)), time(1)).await.unwrap();
    let question =
        format!("select letter from outbox where letter like '{code}-override%' order by 1");
    let letters: Vec<(String,)> = crate::tests::support::rows(&table.database, &question).await;
    let ids = [format!("{code}-override-0-all"), format!("{code}-override-0-gone-P2")];
    assert_eq!(letters.into_iter().map(|(id,)| id).collect::<Vec<_>>(), ids);
}

/// For a person alone with bot players the closing time gives nothing away, so they are sent the close, and
/// are not refused in a window that is shown to them as open.
#[tokio::test]
async fn whoever_is_left_alone_is_told_that_the_window_has_closed() {
    for game in ["toy", "toy-hidden"] {
        let table = Table::of(game, Announce::After(span(LATER))).await;
        let (desk, code) = (&table.desk, &table.code);
        seal(desk, code, "kaede", BID, 1).await;
        table.sent(1).await;
        table.decide(house(P1), 2).await;
        seal(desk, code, "kaede", BID, 3).await;
        table.closes(3).await;
        let shut = PendingResult { closed: time(3), announced: time(3 + LATER) };
        assert_eq!(see(desk, code, "kaede", 4).await.play.unwrap().shut, Some(shut), "{game}");
        let told = table.told_to("kaede", 4).await;
        let (closed, announced) = (shut.closed, shut.announced);
        assert!(told.contains(&Part::Shut { closed, announced }), "{game}: {told:?}");
        let late = refused(say(desk, code, "kaede", DRAW, DeclarationStatus::Draft, 4).await);
        assert_eq!(late, Refused::NotYet, "{game}");
    }
}

/// The new host leads the table, and nobody but the host can hand it over.
#[tokio::test]
async fn a_host_hands_the_table_over() {
    let table = Table::new().await;
    let (desk, code) = (&table.desk, &table.code);
    let over = |seat| Override::Host { seat };
    table.appoint("terminal:shiori").await;
    let by = async |name: &str, what| {
        let gm = Gm { account: account(name), roles: Vec::new() };
        crate::decide(desk, code, &gm, decision(what), time(1)).await
    };
    assert_eq!(refused(by("shiori", over(P2)).await), Refused::NotHost);
    assert_eq!(refused(by("sakura", over(P1)).await), Refused::Nothing);
    assert!(by("sakura", over(P2)).await.unwrap().is_final);
    let hosts = async |name: &str| see(desk, code, name, 2).await.is_host;
    assert!(hosts("kaede").await && !hosts("sakura").await);
    assert_eq!(refused(by("sakura", Override::Close).await), OverrideRefused::NotGm);
    assert!(by("kaede", over(P1)).await.unwrap().is_final, "and it can be handed back");
    assert!(hosts("sakura").await);
    verify(&table.database, desk).await;
}

/// Appointed game masters lead the table like its host, but for choosing them.
#[tokio::test]
async fn who_is_appointed_leads_the_table() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = crate::form(&desk, form("toy"), time(0)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), Some(VALUE), time(0)).await.unwrap();
    }
    let gm = Gm { account: account("shiori"), roles: vec!["discord:role:2".to_owned()] };
    let files = || TableChange::Set(TableSetting::Files, false);
    let denied = crate::change_table(&desk, &code, &gm, files(), time(1)).await;
    assert_eq!(refused(denied), Refused::NotLeader);
    crate::appoint(&desk, &code, &account("sakura"), "discord:role:2", true, time(0))
        .await
        .unwrap();
    assert!(crate::see_as(&desk, &code, &gm, time(1)).await.unwrap().leads);
    assert!(!see(&desk, &code, "shiori", 1).await.leads, "without the role");
    crate::change_table(&desk, &code, &gm, files(), time(1)).await.unwrap();
    crate::start(&desk, &code, &gm, "random", time(1)).await.unwrap();
    let sight = crate::see_as(&desk, &code, &gm, time(1)).await.unwrap();
    crate::close(&desk, &code, &gm, Some(&sight.revision), time(2)).await.unwrap();
    assert_eq!(
        refused(crate::appoint(&desk, &code, &gm.account, "terminal:ume", true, time(0)).await),
        Refused::NotHost
    );
    crate::end(&desk, &code, &gm, None, None, time(3)).await.unwrap();
    assert_eq!(see(&desk, &code, "kaede", 3).await.stage, Stage::Over);
}
