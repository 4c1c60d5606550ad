//! A contest that is stored between its windows goes on like one that stays in memory.

use serde_json::Value as Json;
use tables::{Stage, Time, WindowNumber};

use crate::record::Event;
use crate::tests::support::{
    DRAW, Database, SEED, VALUE, desk, happened, looks, placing, seal, see, table, verify,
};
use crate::tick::TickOutcome;
use games::any::AnyContest;
use kit::toy_game::{HIDDEN, TOY};
use rules::{BySeat, Declaration, Dice, Round, Seat, Viewer};

#[tokio::test]
async fn it_comes_to_the_same_state_window_by_window() {
    let database = Database::fresh().await;
    for game in [TOY, HIDDEN] {
        // Each step uses another desk, so that no state stays outside of the database.
        let desks = [desk(&database).await, desk(&database).await];
        let code = table(&desks[0], game.key()).await;
        let dice = Dice::mixed(SEED.0, &[VALUE, VALUE], SEED.1);
        let (mut contest, _) = game.open(&Json::Null, 2, dice).unwrap();
        let (mut states, mut suspensions) = (Vec::new(), 0);
        for number in 0.. {
            let desk = &desks[number % 2];
            let now = crate::next_due(desk).await.unwrap();
            let play = see(desk, &code, "sakura", now.map_or(i64::MAX, Time::milliseconds))
                .await
                .play
                .unwrap();
            assert_eq!(play.state, hex::encode(contest.state_hash()));
            assert_eq!(play.asked, contest.asked());
            assert_eq!(play.number, WindowNumber::new(u32::try_from(number).unwrap()));
            if contest.standing().is_some() {
                break;
            }
            suspensions += usize::from(contest.round() > Round::DEAL && contest.is_suspended());
            let texts = BySeat::new(2, |seat| text(&*contest, seat));
            for (seat, text) in texts.iter() {
                let name = ["sakura", "kaede"][seat.index()];
                if let Some(text) = text {
                    seal(desk, &code, name, text, play.timing.opens.milliseconds()).await;
                }
            }
            let told = contest.close(texts.map(|_, text| text.as_deref().map(said))).unwrap();
            drop(told);
            states.push(hex::encode(contest.state_hash()));
            let settled = crate::next_due(desk).await.unwrap().unwrap();
            assert!(matches!(
                looks(desk, &code, settled.milliseconds()).await,
                TickOutcome::Closed(_)
            ));
        }
        assert!(suspensions >= 5, "{suspensions} times somebody was asked in the middle");
        let kept = happened(&desks[0], &code).await.into_iter().filter_map(|happened| {
            if let Event::Closed { state, .. } = happened { Some(state) } else { None }
        });
        assert_eq!(kept.collect::<Vec<String>>(), states);
        assert_eq!(see(&desks[1], &code, "kaede", i64::MAX).await.stage, Stage::Over);
    }
    verify(&database, &desk(&database).await).await;
}

fn said(text: &str) -> Declaration {
    kit::toy::said(text)
}

/// Returns a seat's declaration in the open window: it places a card while it can pay, and lets others place
/// theirs.
fn text(contest: &dyn AnyContest, seat: Seat) -> Option<String> {
    if !contest.asked().contains(&seat) {
        None
    } else if contest.round() == Round::new(0) {
        Some("bid.gold=6".to_owned())
    } else if contest.is_suspended() {
        let interview = contest.interview(seat, &Declaration::default());
        let asked = interview.open().next().unwrap().question.key.to_string();
        Some(format!("{asked}=pass"))
    } else {
        let place = placing(contest, seat);
        let held = contest.report(Viewer::Seat(seat))["hands"][seat.index()][0].is_number();
        let is_legal = held && contest.interview(seat, &said(&place)).faults.is_empty();
        Some(if is_legal { place } else { DRAW.to_owned() })
    }
}
