//! Tests of the pages of games that bot players played.

use super::{of_table, write};
use crate::audit::retell::{Step, StepKind};
use crate::record::{Event, Part};
use crate::tests::support;
use crate::tests::support::Database;
use crate::tick::TickOutcome;
use crate::{Decision, DeclarationStatus, Desk, Form, Gm, Override};
use games::GAMES;
use kit::time::{span, time};
use letters::{Changes, Letters};
use rules::text::Lang;
use rules::{Seat, Viewer};
use tables::{Notified, Pace, TableCode};

/// Names and reasons that would do harm if they were not escaped.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>{{ 7 * 7 }}{% raw %}",
    "<!--<script>\u{202e}&lt;b&gt;",
    "]]></style><a href=\"javascript:alert(1)\">",
];

/// Plays a table of two silent players with hostile names, and decisions with hostile reasons, to its end.
async fn over(database: &Database) -> (Desk, TableCode) {
    let desk = Desk::new(support::desk(database).await.store().clone(), GAMES);
    let pace = Pace { reminders: Vec::new(), ..Pace::play(span(support::HOUR), chrono_tz::UTC) };
    let code = support::dealt(&desk, Form { pace, ..support::form("eitsuku") }).await;
    for (seat, name) in HOSTILE[..2].iter().enumerate() {
        let name = name.replace('\'', "''");
        let statement = format!("update seats set name = '{name}' where seat = {seat}");
        support::execute(database, &statement).await;
    }
    for (now, reason) in (1..).zip(&HOSTILE) {
        let decision = Decision {
            what: Override::Rule { words: HOSTILE[2].to_owned() },
            guest: None,
            reason: (*reason).to_owned(),
            notified: Notified::Public,
            foundation: None,
            shown: Changes::default(),
        };
        let gm = Gm { account: support::account("sakura"), roles: Vec::new() };
        crate::decide(&desk, &code, &gm, decision, time(now)).await.unwrap();
    }
    for name in ["sakura", "kaede"] {
        // A seat asked in the deal declares nothing; any other is refused.
        let _ = support::say(&desk, &code, name, "", DeclarationStatus::Sealed, 5).await;
    }
    crate::look(&desk, &code, time(5)).await.unwrap();
    crate::end(&desk, &code, &support::account("sakura"), Some(HOSTILE[3]), None, time(10))
        .await
        .unwrap();
    (desk, code)
}

#[tokio::test]
async fn the_same_table_gives_the_same_page_and_one_that_goes_on_none() {
    let database = Database::fresh().await;
    let (desk, code) = over(&database).await;
    let letters = Letters::built_in();
    let page = |lang| of_table(&desk, &letters, &code, lang, time(20));
    let [ja, again, own] =
        [page(Some(Lang::Ja)).await, page(Some(Lang::Ja)).await, page(None).await];
    let (ja, again) = (ja.unwrap().unwrap(), again.unwrap().unwrap());
    assert_eq!(ja, again);
    let own = own.unwrap().unwrap();
    assert!(own.contains("<html lang=\"en\">") && ja.contains("<html lang=\"ja\">"));
    assert!(of_table(&desk, &letters, &"NOONE".into(), None, time(20)).await.is_err());

    let other = Database::fresh().await;
    let desk = Desk::new(support::desk(&other).await.store().clone(), GAMES);
    let code = support::table(&desk, "eitsuku").await;
    assert!(of_table(&desk, &letters, &code, None, time(1)).await.unwrap().is_none());
}

/// A deadline passes without declarations.
#[tokio::test]
async fn a_page_tells_of_a_deadline_that_was_missed() {
    let letters = Letters::built_in();
    for game in GAMES {
        let database = Database::fresh().await;
        let desk = Desk::new(support::desk(&database).await.store().clone(), GAMES);
        let pace =
            Pace { reminders: Vec::new(), ..Pace::play(span(support::HOUR), chrono_tz::UTC) };
        let chairs = *game.seats().start();
        let form = Form { chairs, pace, ..support::form(game.key()) };
        let code = support::dealt(&desk, form).await;
        let mut now = support::HOUR;
        while !matches!(crate::look(&desk, &code, time(now)).await.unwrap(), TickOutcome::Closed(_))
        {
            now += support::HOUR;
        }
        crate::end(&desk, &code, &support::account("sakura"), None, None, time(now)).await.unwrap();
        let retold = crate::retell(&desk, &code, time(now)).await.unwrap().unwrap();
        let is_closed = |step: &&Step| matches!(step.what, StepKind::Closed { .. });
        let closed = retold.steps.iter().find(is_closed).unwrap();
        let is_named = |part: &Part| match part {
            Part::Event(Event::Closed { awaited, .. }) => awaited.len() == 2,
            _ => false,
        };
        let named = closed.seen_by(Viewer::Public).parts.iter().any(is_named);
        assert!(closed.seen_by(Viewer::All).parts.iter().any(is_named), "{}", game.key());
        for lang in Lang::ALL {
            let shown = shown(&write(&retold, &letters, lang).unwrap(), 0);
            let words = ["Not submitted: sakura, kaede", "Nothing came from: sakura, kaede"];
            let is_shown = words.iter().any(|words| shown.contains(words));
            assert_eq!(is_shown, named, "{} {lang}: {shown}", game.key());
        }
    }
}

#[tokio::test]
async fn nothing_that_was_typed_becomes_a_mark() {
    let database = Database::fresh().await;
    let (desk, code) = over(&database).await;
    let retold = crate::retell(&desk, &code, time(20)).await.unwrap().unwrap();
    for lang in Lang::ALL {
        let page = write(&retold, &Letters::built_in(), lang).unwrap();
        for mark in ["<script", "</script", "<style", "</style", "<!--", "<svg", "<img", "<a "] {
            let own = match mark {
                "<script" | "</script" => 2,
                "<style" | "</style" => 1,
                _ => 0,
            };
            assert_eq!(page.matches(mark).count(), own, "{lang}: {mark}");
        }
        assert!(!page.contains('\u{202e}') && page.contains("&lt;&#x2f;script&gt;"));
        assert!(page.contains("{{ 7 * 7 }}") && page.contains("default-src 'none'"));
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://"));
    }
}

/// Returns the text that the script shows of a view, including its pictures.
fn shown(page: &str, viewer: usize) -> String {
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let text = |lines: &serde_json::Value| {
        let lines = lines.as_array().unwrap().iter();
        let line = |line: &serde_json::Value| {
            data["lines"][usize::try_from(line.as_u64().unwrap()).unwrap()].as_str().unwrap()
        };
        lines.map(line).collect::<Vec<_>>().join("\n")
    };
    let mut shown = String::new();
    for step in data["sheets"]["en"].as_array().unwrap() {
        let sheet = text(&step[viewer]);
        let boards = ["data-board=\"", "data-narrow=\""].map(|mark| sheet.split(mark).skip(1));
        for board in boards.into_iter().flatten() {
            let number: usize = board.split(['"', ' ']).next().unwrap().parse().unwrap();
            let svg = text(&data["boards"][number]);
            assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
            shown.push_str(&svg);
        }
        // The sheet is well formed except for the `img` elements, which HTML does not close.
        let closed = sheet.split("<img ").enumerate().map(|(part, text)| match part {
            0 => text.to_owned(),
            _ => format!("<img {}", text.replacen("\">", "\"/>", 1)),
        });
        let sheet = format!("<main>{}</main>", closed.collect::<String>());
        assert!(roxmltree::Document::parse(&sheet).is_ok(), "{sheet}");
        shown.push_str(&sheet);
    }
    shown
}

#[tokio::test]
async fn a_view_names_no_card_that_it_could_not_know() {
    let database = Database::fresh().await;
    let (desk, code) = over(&database).await;
    let retold = crate::retell(&desk, &code, time(20)).await.unwrap().unwrap();
    let page = write(&retold, &Letters::built_in(), Lang::En).unwrap();
    let report = retold.steps[0].seen_by(Viewer::All).report.unwrap();
    let hand = |seat: usize| -> Vec<&str> {
        let hand = &report["players"][seat]["hand"];
        let cards = ["roles", "events"].into_iter().flat_map(|of| hand[of].as_array().unwrap());
        cards.map(|card| card.as_str().unwrap()).collect()
    };
    let words = retold.game.lexicon();
    let mut count = 0;
    for (seat, other) in [(0, 1), (1, 0)] {
        for card in hand(other).into_iter().filter(|card| !hand(seat).contains(card)) {
            let name = words.name(card, Lang::En);
            assert!(shown(&page, 3).contains(name), "{name}");
            for viewer in [0, seat + 1] {
                let seen = retold
                    .steps
                    .iter()
                    .map(|step| format!("{:?}", step.seen_by(retold.viewers()[viewer])));
                let could = seen.collect::<String>().contains(&format!("\"{card}\""));
                assert_eq!(shown(&page, viewer).contains(name), could, "{name} as {viewer}");
            }
            count += 1;
        }
    }
    assert!(count > 4, "{count}");
    assert_eq!(retold.viewers()[1], Viewer::Seat(Seat::new(0)));
}
