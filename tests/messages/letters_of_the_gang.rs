//! The letters of The Gang: their texts in both languages, and the information that they hide.

use games::find;
use letters::{
    FinalScores, LetterFault, Letters, LinesOfState, OwnHand, PictureText, Reader, SealProgress,
    TABLE, WholeBoard, WindowOpening, samples,
};
use rules::text::Lang;
use rules::{Clause, Entry, Item, Round, Seat};
use serde_json::{Value as Json, json};
use tables::ResultForm;
use tables::absence::Deed;

fn check(name: &str, letter: impl Fn(&Letters, &Reader) -> Result<String, LetterFault>) {
    let letters = Letters::built_in();
    let both = Lang::ALL.map(|lang| {
        let game = find("the_gang").unwrap();
        let reader = Reader::new(game, lang).with_names(["アキ", "Ben", "桜", " \u{200b}"]);
        let text = letter(&letters, &reader).unwrap_or_else(|fault| panic!("{fault}"));
        format!("[{lang}]\n{}\n", text.trim_matches('\n'))
    });
    insta::assert_snapshot!(name, both.join("\n"));
}

fn player(seat: u8, chips: [Json; 4], pocket: [&str; 2]) -> Json {
    let [white, yellow, orange, red] = chips;
    let down = pocket.map(|card| (!card.is_empty()).then_some(card));
    json!({
        "seat": seat,
        "chips": { "white": white, "yellow": yellow, "orange": orange, "red": red },
        "held": null, "fixed": false, "ok": false, "moves_left": 3, "agreed": false,
        "guess": null, "informed": null, "pocket": down, "shown": false, "hand": null, "muscle": false,
        "asked": true,
    })
}

fn hand(ranking: &str, made: &[&str], kickers: &[&str]) -> Json {
    json!({ "ranking": ranking, "made": made, "kickers": kickers })
}

fn extra(id: &str, kind: &str) -> Json {
    json!({ "id": id, "kind": kind, "number": 1, "permanent": false, "used": false, "user": null })
}

fn stage(kind: &str, pass: Option<u8>) -> Json {
    json!({ "kind": kind, "pass": pass, "passes": 3, "about": null, "seat": null })
}

/// Returns a report about the yellow chips of a heist, as the first player knows them.
fn report() -> Json {
    let mut players = [
        player(0, [json!(4), json!(3), Json::Null, Json::Null], ["SA", "H10"]),
        player(1, [json!(1), Json::Null, Json::Null, Json::Null], ["", ""]),
        player(2, [json!(3), json!(1), Json::Null, Json::Null], ["", ""]),
        player(3, [json!(2), Json::Null, Json::Null, Json::Null], ["", ""]),
    ];
    players[0]["hand"] = hand("pair", &["ten"], &["ace", "king", "two"]);
    players[2]["fixed"] = json!(true);
    let mut scan = extra("noise-sensors", "challenge");
    scan["permanent"] = json!(true);
    json!({
        "heist": 2, "street": "flop", "stage": stage("wishing", Some(3)),
        "options": {
            "mode": "professional", "chips": "sealed", "passes": "3", "moves": "3", "early": "on",
        },
        "vaults": { "gold": 0, "needed": 3 }, "alarms": { "red": 1, "most": 3 },
        "effect": [scan, extra("informant", "specialist")],
        "board": ["S2", "D10", "DK"], "middle": [2, 4], "deals": false, "chips": true,
        "players": players,
        "proposal": {
            "by": 0, "card": "informant", "user": 1, "on": 3, "value": null, "agreed": [0, 2],
        },
        "showdown": null, "guesses": [], "over": false, "won": null,
    })
}

/// Returns the report before any event.
fn dealt() -> Json {
    let mut report = report();
    report["street"] = json!("pre-flop");
    (report["stage"], report["deals"]) = (stage("wishing", Some(1)), json!(true));
    (report["board"], report["middle"]) = (json!([]), json!([1, 2, 3, 4]));
    report["proposal"] = Json::Null;
    for player in report["players"].as_array_mut().unwrap() {
        player["chips"] = json!({ "white": null, "yellow": null, "orange": null, "red": null });
        player["fixed"] = json!(false);
    }
    report
}

/// Returns the report of the end of a game: everybody has shown, and one hand was weaker.
fn over() -> Json {
    let row = |seat: u8, pocket: [&str; 2], mut shown: Json, fits: bool| {
        for (key, value) in [
            ("seat", json!(seat)),
            ("star", json!(seat + 1)),
            ("pocket", json!(pocket)),
            ("best", json!([])),
            ("muscle", json!(seat == 3)),
            ("fits", json!(fits)),
        ] {
            shown[key] = value;
        }
        shown
    };
    let rows = [
        row(0, ["SA", "H10"], hand("pair", &["ten"], &["ace", "king", "seven"]), true),
        row(1, ["S7", "C2"], hand("two-pair", &["seven", "two"], &["king"]), true),
        row(
            2,
            ["S9", "C8"],
            hand("high-card", &["king"], &["ten", "nine", "eight", "seven"]),
            false,
        ),
        row(3, ["HK", "CK"], hand("three-of-a-kind", &["king"], &["ten", "seven"]), true),
    ];
    let players = rows.iter().map(|row| {
        let chips = [2, 1, 3, row["star"].as_u64().unwrap()].map(Json::from);
        let pocket = [0, 1].map(|at| row["pocket"][at].as_str().unwrap());
        let seat = u8::try_from(row["seat"].as_u64().unwrap()).unwrap();
        let mut player = player(seat, chips, pocket);
        player["shown"] = json!(true);
        player["hand"] = hand("pair", &["six"], &["king"]);
        player
    });
    let mut report = report();
    report["players"] = players.collect();
    report["showdown"] = json!({ "heist": 5, "rows": rows, "success": false });
    (report["street"], report["stage"]) = (json!("river"), stage("over", None));
    report["board"] = json!(["S2", "D10", "DK", "H7", "C6"]);
    (report["heist"], report["chips"], report["proposal"]) = (json!(5), json!(false), Json::Null);
    (report["alarms"]["red"], report["over"], report["won"]) =
        (json!(3), json!(true), json!(false));
    report
}

/// Returns entries with every event.
fn entries() -> Vec<Entry<Json>> {
    let entry = |event| Entry { turn: None, section: "".into(), item: Item::Event(event) };
    find("the_gang").unwrap().sample_events().into_iter().map(entry).collect()
}

fn opening<'a>(asked: &'a [Seat], report: &'a Json, early: bool) -> WindowOpening<'a> {
    WindowOpening {
        window: Round::new(4),
        suspended: false,
        asked,
        closes: early.then(samples::moment),
        announced: early.then(samples::moment),
        still: false,
        early,
        soonest: early.then(samples::moment),
        missing: None,
        position: early,
        report,
    }
}

#[test]
fn letters_of_a_heist() {
    let (report, dealt, over, entries) = (report(), dealt(), over(), entries());
    let all = [0, 1, 2, 3].map(Seat::new);
    check("gang_result", |letters, reader| {
        letters.result(reader, &entries, &report, ResultForm::Full)
    });
    let at_once = |kind: &str| {
        let of_kind = |entry: &&Entry<Json>| match &entry.item {
            Item::Event(event) => event["kind"] == kind,
            Item::Ruling(_) => false,
        };
        entries.iter().filter(of_kind).take(1).cloned().collect::<Vec<_>>()
    };
    check("gang_at_once", |letters, reader| {
        let told = [at_once("agreed"), at_once("used")].concat();
        letters.acted(reader, &told, &report)
    });
    check("gang_opening_of_heist", |letters, reader| {
        letters.write(reader, &opening(&all, &dealt, true))
    });
    check("gang_opening_of_last_pass", |letters, reader| {
        letters.write(reader, &opening(&[all[0], all[1], all[3]], &report, true))
    });
    check("gang_hand", |letters, reader| {
        letters.write(reader, &OwnHand { seat: all[0], report: &report })
    });
    check("gang_board", |letters, reader| {
        letters.write(reader, &WholeBoard { report: &report, brief: false })
    });
    check("gang_position", |letters, reader| {
        letters.write(reader, &LinesOfState { report: &report })
    });
    check("gang_alt", |letters, reader| {
        letters.write(reader, &PictureText { report: &report, brief: false })
    });
    check("gang_alt_of_showdown", |letters, reader| {
        letters.write(reader, &PictureText { report: &over, brief: true })
    });
    check("gang_scores", |letters, reader| letters.write(reader, &FinalScores { report: &over }));
    check("gang_why", |letters, reader| letters.why(reader, &entries));
    for (openly, [guide, help]) in
        [(false, ["gang_guide", "gang_help"]), (true, ["gang_guide_openly", "gang_help_openly"])]
    {
        check(guide, |letters, reader| letters.help(reader, openly, true));
        let context = serde_json::json!({ "openly": openly });
        check(help, |letters, reader| letters.letter("the_gang", reader, "help", &context));
    }
}

#[test]
fn openings_of_other_windows() {
    let all = [0, 1, 2, 3].map(Seat::new);
    let mut report = report();
    report["proposal"] = Json::Null;
    let mut told = |kind: &str, about: Json, seat: Json| {
        report["stage"] =
            json!({ "kind": kind, "pass": null, "passes": 3, "about": about, "seat": seat });
        let asked = if kind == "choosing" { &all[1..2] } else { &all[..] };
        check(&format!("gang_opening_{kind}"), |letters, reader| {
            letters.write(reader, &opening(asked, &report, false))
        });
    };
    told("taking", Json::Null, Json::Null);
    told("choosing", Json::Null, json!(1));
    told("guessing", json!("value"), json!(3));
    told("passing", Json::Null, Json::Null);
}

#[test]
fn hands_of_every_ranking_are_told() {
    let hands = [
        hand("high-card", &["ace"], &["knave", "nine", "six", "two"]),
        hand("pair", &["six"], &[]),
        hand("two-pair", &["king", "nine"], &["ace"]),
        hand("three-of-a-kind", &["two"], &["ace", "king"]),
        hand("straight", &["five", "four", "three", "two", "ace"], &[]),
        hand("flush", &["ace", "knave", "nine", "six", "two"], &[]),
        hand("full-house", &["knave", "six"], &[]),
        hand("four-of-a-kind", &["knave"], &["knave"]),
        hand("straight-flush", &["ten", "nine", "eight", "seven", "six"], &[]),
        hand("royal-flush", &["ace", "king", "queen", "knave", "ten"], &[]),
    ];
    check("gang_hands", |letters, reader| {
        let told = hands.iter().map(|hand| {
            let mut event = hand.clone();
            for (key, value) in [
                ("kind", json!("shown")),
                ("seat", json!(0)),
                ("star", json!(1)),
                ("pocket", json!(["SA", "J"])),
                ("muscle", json!(false)),
                ("fits", json!(true)),
            ] {
                event[key] = value;
            }
            letters.event(reader, &event)
        });
        Ok(told.collect::<Result<Vec<_>, _>>()?.join("\n"))
    });
}

/// The reminder and the opening of a window tell the same consequence of silence.
#[test]
fn a_reminder_says_what_becomes_of_silence() {
    let clause = Clause::new("G2.5");
    let wish = json!([{ "key": "chip.star" }]);
    let card = json!([{ "key": "pass.card" }]);
    for (missing, open, ja, en) in [
        (None, json!([]), "今のチップをそのまま希望", "wishing for the chip you hold"),
        (None, wish, "今のチップをそのまま希望", "wishing for the chip you hold"),
        (None, card, "ダイスかルール", "the dice or the rules"),
        (Some(&clause), json!([]), "無効になります（G2.5）", "nothing of yours is valid (G2.5)"),
    ] {
        for lang in Lang::ALL {
            let reader = Reader::new(find("the_gang").unwrap(), lang);
            let letter = Letters::built_in().letter(
                "the_gang",
                &reader,
                "silent",
                json!({ "missing": missing, "open": open }),
            );
            let words = if lang == Lang::Ja { ja } else { en };
            assert!(letter.as_ref().unwrap().contains(words), "{letter:?}");
        }
    }
    check("reminder", |letters, reader| {
        let deadline = json!({
            "closes": samples::moment(),
            "left": 3_600_000,
            "progress": SealProgress::Nothing,
            "open": [],
            "fate": Deed::ByDefault,
            "missing": null,
            "last": false,
            "openly": false,
            "partners": [],
        });
        letters.letter(TABLE, reader, "reminder", deadline)
    });
}
