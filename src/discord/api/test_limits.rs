//! Rate limits, over real sockets.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use serenity::model::id::{ChannelId, InteractionId, MessageId};
use tokio::time::Instant;

use crate::SendError;
use crate::api::ApiSettings;
use crate::api::test_support::{INTERACTION_TOKEN, double, limited, posted, reply, settings};

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A bucket of two per period, as Discord would count it: a third request is answered 429.
#[tokio::test]
async fn a_bucket_is_obeyed_and_served_in_order() {
    // Long compared with the delays of a busy machine.
    const WHILE: Duration = millis(600);
    let state = std::sync::Mutex::new((Instant::now(), 0_u32));
    let double = double(settings(), move |_, _| {
        let mut state = state.lock().unwrap();
        if state.1 == 0 || state.0.elapsed() > WHILE {
            *state = (Instant::now(), 0);
        }
        state.1 += 1;
        let left = WHILE.saturating_sub(state.0.elapsed());
        if state.1 > 2 {
            return limited("user", left).bucket("m", 2, 0, left);
        }
        posted().bucket("m", 2, 2 - state.1, left)
    })
    .await;
    let texts: Vec<String> = (0..6).map(|text| format!("t{text}")).collect();
    let done = join_all(texts.iter().map(|text| double.post(7, text))).await;
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    let seen = double.seen();
    assert_eq!(seen.len(), 6, "nothing was asked too early");
    for (seen, text) in seen.iter().zip(&texts) {
        assert!(seen.body.contains(text), "in the order in which they were given");
    }
    assert!(seen[5].at - seen[0].at >= millis(1100));
}

#[tokio::test]
async fn two_channels_do_not_wait_for_each_other() {
    let double = double(settings(), |what, _| {
        let full = what.contains("/1/");
        posted().bucket("m", 5, if full { 0 } else { 4 }, millis(1200))
    })
    .await;
    let began = Instant::now();
    let slow = async {
        double.post(1, "a").await.unwrap();
        double.post(1, "b").await.unwrap();
        began.elapsed()
    };
    let quick = async {
        for text in ["c", "d", "e"] {
            double.post(2, text).await.unwrap();
        }
        began.elapsed()
    };
    let (slow, quick) = tokio::join!(slow, quick);
    assert!(slow >= millis(1200), "{slow:?}");
    assert!(quick < millis(1000), "{quick:?}");
}

/// Two routes of one channel that share a bucket.
#[tokio::test]
async fn a_bucket_is_known_by_its_name() {
    let double = double(settings(), |_, number| {
        let left = [2, 1, 0].get(number).copied().unwrap_or(2);
        posted().bucket("shared", 3, left, millis(400))
    })
    .await;
    let channel = ChannelId::new(3);
    let edit = |id: u64| {
        let api = double.api.clone();
        async move { api.edit(channel, id.into(), &json!({ "content": "x" }), Vec::new()).await }
    };
    double.post(3, "a").await.unwrap();
    edit(9).await.unwrap();
    edit(9).await.unwrap();
    double.post(3, "b").await.unwrap();
    let seen = double.seen();
    assert!(seen[3].at - seen[2].at >= millis(390));
}

#[tokio::test]
async fn a_429_for_everything_stops_everything_but_answers_to_interactions() {
    let double = double(settings(), |_, number| match number {
        0 => limited("global", millis(800)),
        _ => posted(),
    })
    .await;
    let began = Instant::now();
    let first = double.post(1, "a");
    let later = async {
        tokio::time::sleep(millis(200)).await;
        let answer = async {
            let response = json!({ "type": 5 });
            let api = &double.api;
            api.respond(InteractionId::new(5), INTERACTION_TOKEN, &response, Vec::new())
                .await
                .unwrap();
            began.elapsed()
        };
        tokio::join!(double.post(2, "b"), answer)
    };
    let (first, (second, answered)) = tokio::join!(first, later);
    first.unwrap();
    second.unwrap();
    assert!(answered < millis(750), "{answered:?}");
    for seen in double.seen().iter().skip(1).filter(|seen| seen.what.contains("channels")) {
        assert!(seen.at - began >= millis(790), "{seen:?}");
    }
    let counts = double.api.counts();
    assert_eq!(counts.limited_over_all.get(), 1);
    assert_eq!(counts.refused.get(), 1);
}

#[tokio::test]
async fn a_long_wait_is_given_back_and_holds_for_that_channel_only() {
    let double = double(settings(), |what, _| {
        if what.contains("/1/") { limited("shared", millis(60_000)) } else { posted() }
    })
    .await;
    let began = Instant::now();
    assert_eq!(double.post(1, "a").await.unwrap_err(), SendError::Later { after: millis(60_000) });
    let again = double.post(1, "b").await.unwrap_err();
    assert!(matches!(again, SendError::Later { after } if after > millis(50_000)), "{again}");
    double.post(2, "c").await.unwrap();
    assert!(began.elapsed() < millis(2000));
    assert_eq!(double.seen().len(), 2, "what is known to be too early is not asked");
}

/// A proxy before Discord's API names no scope.
#[tokio::test]
async fn a_429_without_json_is_for_everything() {
    let double = double(settings(), |_, _| reply(429, &json!("")).header("retry-after", &90)).await;
    for channel in [1, 2] {
        let unsent = double.post(channel, "a").await.unwrap_err();
        assert!(matches!(unsent, SendError::Later { after } if after > millis(80_000)), "{unsent}");
    }
    assert_eq!(double.seen().len(), 1);
}

#[tokio::test]
async fn no_second_holds_more_than_its_share_and_little_less() {
    let settings = ApiSettings { per_second: 20, ..settings() };
    let double = double(settings, |_, _| posted()).await;
    let texts: Vec<String> = (0..50).map(|text| format!("t{text}")).collect();
    let all = texts.iter().zip(1..).map(|(text, channel)| double.post(channel, text));
    let began = Instant::now();
    assert!(join_all(all).await.iter().all(Result::is_ok));
    // Twenty requests immediately, twenty more after a second, ten after another.
    assert!(began.elapsed() < millis(4000), "{:?}", began.elapsed());
    let mut at: Vec<Instant> = double.seen().iter().map(|seen| seen.at).collect();
    at.sort();
    for window in at.windows(21) {
        assert!(window[20] - window[0] > millis(900), "{:?}", window[20] - window[0]);
    }
}

/// Too many refusals stop first the retries of refused requests, and then everything.
#[tokio::test]
async fn too_many_refusals_stop_retries_first_and_then_everything() {
    let settings = ApiSettings { most_refused: 4, ..settings() };
    let refusal = json!({ "code": 50013, "message": "Missing Permissions" });
    let double = double(settings, move |_, _| reply(403, &refusal)).await;
    let state = || (double.api.is_refused_often(), double.api.is_paused());
    for wanted in [(false, false), (true, false), (true, false), (true, true)] {
        let unsent = double.post(1, "a").await.unwrap_err();
        assert!(matches!(unsent, SendError::Refused { .. }), "{unsent}");
        assert_eq!(state(), wanted, "{:?}", double.seen());
    }
    assert_eq!(double.api.counts().refused.get(), 4);
    let unsent = double.post(2, "b").await.unwrap_err();
    assert!(matches!(unsent, SendError::Later { .. }), "{unsent}");
    assert_eq!(double.seen().len(), 4, "nothing is sent any more");
}

/// Code 30046: an old message was edited too often, and newer ones can still be edited.
#[tokio::test]
async fn an_old_message_rests_for_minutes_and_no_other_does() {
    let refusal = json!({ "code": 30046, "message": "Maximum number of edits reached" });
    let double =
        double(
            settings(),
            move |what, _| {
                if what.ends_with("/1") { reply(429, &refusal) } else { posted() }
            },
        )
        .await;
    let edit = async |message| {
        let (channel, body) = (ChannelId::new(7), json!({ "content": "a" }));
        double.api.edit(channel, MessageId::new(message), &body, Vec::new()).await
    };
    let unsent = edit(1).await.unwrap_err();
    assert_eq!(unsent, SendError::Later { after: Duration::from_mins(10) });
    edit(2).await.unwrap();
    assert_eq!(double.seen().len(), 2);
}
