use proptest::prelude::*;
use serde_json::json;

use crate::commands::{Command, Manifest, OptionKind};
use crate::model::{Desk, Gm, Judgement, Override, Verb};
use crate::overrides::decision::Decision;
use crate::overrides::gm_view::{GmView, OverrideReply};
use crate::overrides::read::reader::{
    ArgumentForm, DecisionFault, OverrideRequest, complete, write,
};
use crate::tests::support::{
    DRAW, Database, HOUR, MINUTE, account, desk, draft, looks, seal, table,
};
use games::GAMES;
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use letters::Reader;
use rules::text::Lang;
use rules::{Key, Round, Value};
use tables::{Absence, OverrideNumber, Pace, TableCode, WindowNumber};

fn sakura() -> Gm {
    Gm { account: account("sakura"), roles: Vec::new() }
}

/// The time of the benches in these tests, in milliseconds.
const NOW: i64 = 30 * MINUTE;

/// Returns a table in its first round, after the bids of the deal. 桜 hosts it and plays P1; 楓 has a draft.
async fn playing(desk: &Desk) -> TableCode {
    let code = table(desk, "toy").await;
    for name in ["sakura", "kaede"] {
        seal(desk, &code, name, "bid.gold=3 bid.motto=hi", MINUTE).await;
    }
    looks(desk, &code, MINUTE).await;
    draft(desk, &code, "kaede", DRAW, 2 * MINUTE).await;
    code
}

async fn gm_view(desk: &Desk, code: &TableCode) -> GmView {
    crate::gm_view(desk, code, &sakura(), time(NOW)).await.unwrap()
}

async fn decide(desk: &Desk, code: &TableCode, what: Override) {
    let decision = Decision { reason: "so".to_owned(), ..what.into() };
    crate::decide(desk, code, &sakura(), decision, time(NOW)).await.unwrap();
}

fn wish(gm_view: &GmView, text: &str) -> Override {
    OverrideRequest::read(text, gm_view, time(NOW))
        .unwrap_or_else(|fault| panic!("{text:?}: {fault:?}"))
        .what
}

fn judged(window: u32, change: Judgement) -> Override {
    Override::Judge { window: WindowNumber::new(window), change }
}

#[tokio::test]
async fn every_decision_is_read_in_both_languages() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    decide(&desk, &code, Override::Rule { words: "x".to_owned() }).await;
    let gm_view = gm_view(&desk, &code).await;
    let (open, last) = (1, 0);
    let answers = || said("act.way=draw");
    let policy = || "random".to_owned();
    let words = || "both count".to_owned();
    let three_hours = Box::new(Pace::play(span(3 * HOUR), chrono_tz::UTC));
    let absence = Absence { allowance: 2, ..gm_view.sight.supposed_absence() };
    let closes = gm_view.open.as_ref().map(|_| gm_view.sight.play.as_ref().unwrap().timing.closes);
    for (en, ja, what) in [
        ("extend 2:00", "延長 2時", Override::Extend { closes: time(2 * HOUR) }),
        ("extend +2h", "延長 2時間", Override::Extend { closes: closes.unwrap() + span(2 * HOUR) }),
        (
            "pause 1/3 00:30",
            "休止 1月3日 0時30分",
            Override::Pause { until: time(48 * HOUR + NOW) },
        ),
        ("pause 2h", "休止２時間", Override::Pause { until: time(NOW + 2 * HOUR) }),
        ("close", "締切", Override::Close),
        ("resume", "再開", Override::Resume),
        ("lock", "ロック", Override::Lock { stops: false }),
        ("lock stop clock", "ロック 時計も止める", Override::Lock { stops: true }),
        ("unlock", "ロック解除", Override::Unlock),
        ("void", "やり直し", Override::Void),
        ("take-back", "実行取消", Override::TakeBack { seat: None, act: 0 }),
        ("hold", "保留", Override::Hold),
        ("publish", "告知", Override::Publish),
        ("end", "打ち切り", Override::End),
        ("open", "開封", Override::Open),
        ("skip P2", "飛ばし kaede", judged(open, Judgement::Skip { seat: P2 })),
        ("skip last kaede", "飛ばし P2 前回", judged(last, Judgement::Skip { seat: P2 })),
        ("unskip P1", "飛ばし取消 P1", judged(open, Judgement::Unskip { seat: P1 })),
        ("accept-late P2", "遅刻承認 P2", judged(open, Judgement::AcceptLate { seat: P2 })),
        (
            "return P2 act",
            "差し戻し P2 行動",
            judged(open, Judgement::Return { seat: P2, part: Key::part("act") }),
        ),
        (
            "return P2 act draw",
            "差し戻し P2 行動 引く",
            judged(open, Judgement::Return { seat: P2, part: Key::part("act") }),
        ),
        (
            "declare P2 act: draw",
            "代理宣言 P2 行動:引く",
            judged(open, Judgement::Declare { seat: P2, answers: answers() }),
        ),
        (
            "choose P2 act: place",
            "決定 P2 行動:置く",
            judged(open, Judgement::Choose { seat: P2, answers: said("act.way=place") }),
        ),
        (
            "edit purse: P2 3",
            "訂正 金貨: P2 3",
            Override::Edit { said: said("gold.who=P2 gold.count=3") },
        ),
        ("pace every 3h UTC", "進行 3時間ごと UTC", Override::Pace { pace: three_hours }),
        ("absence extensions 2", "欠席 延長2回", Override::Absence { absence }),
        ("rule both count", "裁定 both count", Override::Rule { words: words() }),
        ("house P2", "ハウス P2", Override::House { seat: P2, policy: policy() }),
        ("house kaede random", "ハウス P2 random", Override::House { seat: P2, policy: policy() }),
        ("swap P1 P2", "席替え sakura、kaede", Override::Swap { a: P1, b: P2 }),
        ("call P2", "募集 kaede", Override::Call { seat: P2 }),
        ("recall P2", "募集取消 kaede", Override::Recall { seat: P2 }),
        ("kick P2", "退席 kaede", Override::Kick { seat: P2 }),
        ("host P2", "卓主 kaede", Override::Host { seat: P2 }),
        ("cancel", "中止", Override::Cancel),
        ("rollback setup", "巻き戻し 前回", back(0)),
        ("rollback 0", "巻き戻し 準備の受付", back(0)),
        ("rollback window 1", "巻き戻し 第１受付", back(1)),
        ("rollback #1", "巻き戻し 受付1", back(1)),
        ("say both count", "伝言 both count", Override::Say { words: words(), to: vec![] }),
        (
            "say @P2 @sakura both count",
            "伝言 @P2 @P1 both count",
            Override::Say { words: words(), to: vec![P2, P1] },
        ),
        ("undo", "取消 1", Override::Undo { number: OverrideNumber::new(0) }),
    ] {
        assert_eq!(wish(&gm_view, en), what, "{en}");
        assert_eq!(wish(&gm_view, ja), what, "{ja}");
    }
    let replace = OverrideRequest::read("replace P2 Bob Smith", &gm_view, time(NOW)).unwrap();
    assert_eq!(replace.what, Override::Replace { seat: P2 });
    assert_eq!(replace.guest.as_deref(), Some("Bob Smith"));
    let invite = OverrideRequest::read("招待 kaede 梅", &gm_view, time(NOW)).unwrap();
    assert_eq!(invite.what, Override::Invite { seat: Some(P2) });
    assert_eq!(invite.guest.as_deref(), Some("梅"));
    assert_eq!(write(&invite, &gm_view, Lang::Ja).as_deref(), Some("招待 P2 梅"));
}

#[tokio::test]
async fn dice_are_named_where_the_game_master_may_know_them() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = playing(&desk).await;
    // The questions left open by 楓 are decided by dice.
    seal(&desk, &code, "kaede", "tax.pay=gold*1", 3 * MINUTE).await;
    let blind = gm_view(&desk, &code).await;
    assert_eq!(OverrideRequest::read("die P2 draw", &blind, time(NOW)), Err(DecisionFault::Hidden));
    assert!(blind.open.as_ref().unwrap().declared.is_none());
    assert!(complete("die P2 ", &blind, Lang::En).is_empty());
    decide(&desk, &code, Override::Open).await;
    let open = gm_view(&desk, &code).await;
    let die = judged(
        1,
        Judgement::Die {
            seat: Some(P2),
            key: Key::new("act", "way"),
            shows: Value::Choice("place".into()),
        },
    );
    for text in
        ["die P2 way place", "die kaede way: place", "ダイス P2 way 置く", "die P2 act.way: 置く"]
    {
        assert_eq!(wish(&open, text), die, "{text}");
    }
    // A repeated throw shows the same face in each dry run.
    let again = wish(&open, "die P2 way again");
    assert_eq!(again, wish(&open, "ダイス P2 way 振り直し"));
    let Override::Judge { change: Judgement::Die { shows, .. }, .. } = again else { panic!() };
    assert!(["place", "draw", "drop"].map(|way| Value::Choice(way.into())).contains(&shows));
    let complete = |text| -> Vec<String> {
        complete(text, &open, Lang::En).into_iter().map(|next| next.text).collect()
    };
    assert_eq!(complete("die P2 "), ["way: ", "dropped: "]);
    assert_eq!(complete("die P2 way: d"), ["draw", "drop"]);
    assert!(matches!(
        OverrideRequest::read("die P2 place", &open, time(NOW)),
        Err(DecisionFault::NoDie { .. })
    ));
    let Err(DecisionFault::NoFace { said: quoted, die, faces, .. }) =
        OverrideRequest::read("die P2 way fly", &open, time(NOW))
    else {
        panic!()
    };
    assert_eq!((quoted.as_str(), die.as_str()), ("fly", "way"));
    assert_eq!(faces, ["draw", "place", "drop"]);
    assert!(matches!(
        OverrideRequest::read("die last P2 fly", &open, time(NOW)),
        Err(DecisionFault::NoDie { .. })
    ));
    // A blind game master also knows the dice of a closed window.
    assert!(blind.last.as_ref().unwrap().thrown().is_some());
}

/// Input with every fault, and the kind of the fault.
const WRONG: &[(&str, &str)] = &[
    ("", "unknown"),
    ("extnd 22:00", "unknown"),
    ("extend", "lacks"),
    ("skip", "lacks"),
    ("edit", "no-move"),
    ("edit purs: P2 3", "no-move"),
    ("edit purse: P2 much", "unread"),
    ("edit purse: P2", "unfinished"),
    ("undo", "lacks"),
    ("swap P1", "lacks"),
    ("invite P2", "lacks"),
    ("invite ume", "lacks"),
    ("invite P9 ume", "no-seat"),
    ("kick", "lacks"),
    ("call P9", "no-seat"),
    ("recall P2 now", "surplus"),
    ("cancel it", "surplus"),
    ("say @P2", "lacks"),
    ("close now", "surplus"),
    ("skip P2 please", "surplus"),
    ("extend soon", "no-time"),
    ("pace", "lacks"),
    ("pace soon", "no-pace"),
    ("absence", "lacks"),
    ("欠席 たぶん", "no-absence"),
    ("延長 30:00", "no-time"),
    ("skip P9", "no-seat"),
    ("飛ばし kaeda", "no-seat"),
    ("replace P2 P1", "no-name"),
    ("return P2 9Z", "no-part"),
    ("die last P2 9", "no-die"),
    ("die P2 9", "hidden"),
    ("rollback", "no-window"),
    ("rollback 99", "no-window"),
    ("rollback 1 0", "no-window"),
    ("rollback turn 1", "no-window"),
    ("undo 7", "no-decision"),
    ("house P2 clever", "no-policy"),
    ("declare P2 act: fly", "unread"),
    ("edit purse: P9 3", "faulty"),
];

#[tokio::test]
async fn whatever_is_wrong_is_told_in_one_sentence_in_both_languages() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let gm_view = gm_view(&desk, &playing(&desk).await).await;
    let letters = crate::tests::support::letters_with_toys();
    let mut faults = Vec::new();
    for (text, kind) in WRONG {
        let fault = OverrideRequest::read(text, &gm_view, time(NOW)).unwrap_err();
        let is_told_elsewhere = matches!(
            fault,
            DecisionFault::Unread(_)
                | DecisionFault::Faulty(_)
                | DecisionFault::NoPace(_)
                | DecisionFault::NoAbsence(_)
        );
        if !is_told_elsewhere {
            assert_eq!(json!(fault)["kind"], *kind, "{text}");
        }
        faults.push((text.to_string(), fault));
    }
    faults.push(("yes".to_owned(), DecisionFault::Nothing));
    faults.push(("last".to_owned(), DecisionFault::NoLast));
    for (text, fault) in faults {
        for lang in Lang::ALL {
            let reader = Reader::new(gm_view.sight.game, lang).with_names(&gm_view.sight.names);
            let words = fault.words(&letters, &reader.in_plain_text()).unwrap();
            assert!(words.chars().count() > 12, "{text:?} {lang}: {words:?}");
        }
    }
    for &verb in Verb::ALL {
        let reader = Reader::new(gm_view.sight.game, Lang::En).in_plain_text();
        let words = DecisionFault::Lacks { verb }.words(&letters, &reader).unwrap();
        assert!(words.contains(verb.word(Lang::En)) || verb == Verb::Undo, "{words}");
    }
    let near = OverrideRequest::read("extnd 22:00", &gm_view, time(NOW)).unwrap_err();
    let quoted = "extnd".to_owned();
    assert_eq!(near, DecisionFault::Unknown { said: quoted, nearest: vec!["extend".to_owned()] });
    let seats = vec![P1, P2];
    let (quoted, nearest) = ("kaeda".to_owned(), vec!["kaede".to_owned()]);
    assert_eq!(
        OverrideRequest::read("skip kaeda", &gm_view, time(NOW)),
        Err(DecisionFault::NoSeat { said: quoted, nearest, seats })
    );
}

/// Checks the words after `gm` in the letters to game masters, and the names of commands on Discord.
#[test]
fn every_word_that_is_told_is_read() {
    let is_read = |text: &str| Verb::read(text).is_some() || OverrideReply::read(text).is_some();
    let letters = crate::tests::support::letters_with_toys();
    for game in GAMES {
        for lang in Lang::ALL {
            let reader = Reader::new(*game, lang).in_plain_text();
            let list = letters.write(&reader, &letters::Deciding {}).unwrap();
            let commands: Vec<&str> = list.split("gm ").skip(1).collect();
            assert!(commands.len() > Verb::ALL.len(), "{list}");
            for text in commands {
                assert!(is_read(text.lines().next().unwrap()), "{text}");
            }
        }
    }
    for command in Command::OF_GAME_MASTERS {
        for below in command.manifest().below() {
            for lang in Lang::ALL {
                assert!(is_read(below.called(lang)), "{}", below.called(lang));
            }
        }
    }
}

/// Checks that the commands have the arguments of the list of decisions.
#[test]
fn every_decision_has_its_command() {
    let mut verbs = Vec::new();
    let commands = Command::OF_GAME_MASTERS.map(Command::manifest).into_iter();
    for command in commands.flat_map(Manifest::below) {
        let Some((verb, "")) = Verb::read(&command.name) else { continue };
        let form = |(name, form): (&'static str, ArgumentForm)| {
            let (kind, completes) = match form {
                ArgumentForm::Time
                | ArgumentForm::Words
                | ArgumentForm::Word
                | ArgumentForm::Window => (OptionKind::String, false),
                ArgumentForm::Seat | ArgumentForm::GameWords | ArgumentForm::Policy => {
                    (OptionKind::String, true)
                }
                ArgumentForm::WindowBack | ArgumentForm::Decision => (OptionKind::Integer, true),
                ArgumentForm::Somebody => (OptionKind::User, false),
            };
            (name, kind, completes)
        };
        let mut asked: Vec<_> = verb.arguments().into_iter().map(form).collect();
        let options = command.options.iter();
        let mut found: Vec<_> =
            options.map(|found| (found.name.as_str(), found.kind, found.autocomplete)).collect();
        asked.sort_by_key(|(name, ..)| *name);
        found.sort_by_key(|(name, ..)| *name);
        assert_eq!(found, asked, "{}", command.name);
        verbs.push(verb);
    }
    verbs.sort();
    assert_eq!(verbs, Verb::ALL);
}

#[tokio::test]
async fn what_is_said_one_by_one_is_refused_as_on_a_line() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let gm_view = gm_view(&desk, &playing(&desk).await).await;
    for (line, verb, options) in [
        ("close", Verb::Close, &[][..]),
        ("extend 22:00", Verb::Extend, &[("time", " 22:00")]),
        ("extend soon", Verb::Extend, &[("time", "soon")]),
        ("skip last P2", Verb::Skip, &[("seat", "P2"), ("window", "last")]),
        ("skip P2", Verb::Skip, &[("seat", "P2"), ("window", "open")]),
        ("skip P9", Verb::Skip, &[("seat", "P9")]),
        ("skip P2 now", Verb::Skip, &[("seat", "P2 now")]),
        (
            "return last P2 act",
            Verb::Return,
            &[("seat", "P2"), ("part", "act"), ("window", "last")],
        ),
        ("declare kaede act: fly", Verb::Declare, &[("seat", "kaede"), ("text", "act: fly")]),
        ("choose P2 act: place", Verb::Choose, &[("seat", "P2"), ("text", "act: place")]),
        ("die last table 9", Verb::Die, &[("seat", "table"), ("text", "9"), ("window", "last")]),
        ("edit purse: P2", Verb::Edit, &[("text", "purse: P2")]),
        ("rollback 1", Verb::Rollback, &[("window", "1")]),
        ("undo 7", Verb::Undo, &[("number", "7")]),
        ("house P2", Verb::House, &[("seat", "P2")]),
        ("house P2 clever", Verb::House, &[("seat", "P2"), ("policy", "clever")]),
        ("swap P1 kaede", Verb::Swap, &[("seat", "P1"), ("other", "kaede")]),
        ("swap P1", Verb::Swap, &[("seat", "P1")]),
        ("replace P2 7", Verb::Replace, &[("seat", "P2"), ("user", "7")]),
        ("invite P2 7", Verb::Invite, &[("user", "7"), ("seat", "P2")]),
        ("invite 7", Verb::Invite, &[("user", "7")]),
        ("say @P1 @kaede a  b", Verb::Say, &[("to", "P1、@kaede"), ("text", "a  b")]),
        ("say a", Verb::Say, &[("text", "a")]),
        ("say @P9 a", Verb::Say, &[("to", "P9"), ("text", "a")]),
    ] {
        let options =
            options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let one_by_one = OverrideRequest::read_options(verb, &options, &gm_view, time(NOW));
        assert_eq!(one_by_one, OverrideRequest::read(line, &gm_view, time(NOW)), "{line}");
    }
}

#[tokio::test]
async fn what_comes_next_is_completed() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let gm_view = gm_view(&desk, &playing(&desk).await).await;
    let complete = |text, lang| -> Vec<String> {
        let found = complete(text, &gm_view, lang);
        assert!(found.iter().all(|next| text.is_char_boundary(next.start)));
        found.into_iter().map(|next| next.text).collect()
    };
    assert_eq!(complete("ex", Lang::En), ["extend"]);
    assert_eq!(complete("飛", Lang::Ja), ["飛ばし", "飛ばし取消"]);
    assert_eq!(complete("skip ", Lang::En), ["P1", "sakura", "P2", "kaede", "last"]);
    assert_eq!(complete("skip k", Lang::En), ["kaede"]);
    assert_eq!(complete("return P2 ", Lang::En), ["tax", "react", "act"]);
    assert_eq!(complete("rollback ", Lang::En), ["setup", "1"]);
    assert_eq!(complete("house P2 ", Lang::En), ["random"]);
    assert_eq!(complete("declare P2 act: d", Lang::En), ["draw", "drop"]);
    assert_eq!(complete("edit purse: P", Lang::En), ["P1", "P2"]);
    assert!(complete("close ", Lang::En).is_empty());
}

fn back(round: u32) -> Override {
    Override::Rollback { number: WindowNumber::new(round), round: Some(Round::new(round)) }
}

fn decisions() -> impl Strategy<Value = Override> {
    let seat = prop_oneof![Just(P1), Just(P2)];
    let minutes = 31..500_000_i64;
    let answers = prop_oneof![
        Just(said("act.way=draw")),
        Just(said("tax.pay=gold*2 act.way=draw")),
        Just(said("act.way=place")),
        Just(said("react.if-large=stop act.way=drop")),
    ];
    let words = "[a-zA-Z!?]{1,9}( [a-z]{1,9}){0,3}";
    let window = prop_oneof![Just(0), Just(1)];
    let change = prop_oneof![
        seat.clone().prop_map(|seat| Judgement::Skip { seat }),
        seat.clone().prop_map(|seat| Judgement::Unskip { seat }),
        seat.clone().prop_map(|seat| Judgement::AcceptLate { seat }),
    ];
    let part = prop_oneof![Just("tax"), Just("react"), Just("act")];
    prop_oneof![
        minutes.clone().prop_map(|minutes| Override::Extend { closes: time(minutes * MINUTE) }),
        minutes.prop_map(|minutes| Override::Pause { until: time(minutes * MINUTE) }),
        Just(Override::Close),
        Just(Override::Resume),
        any::<bool>().prop_map(|stops| Override::Lock { stops }),
        Just(Override::Unlock),
        Just(Override::Void),
        Just(Override::Hold),
        Just(Override::Publish),
        Just(Override::End),
        Just(Override::Open),
        (window, change).prop_map(|(window, change)| judged(window, change)),
        (seat.clone(), part, 1..4_u8).prop_map(|(seat, part, number)| {
            judged(1, Judgement::Return { seat, part: Key::part(part).nth(number) })
        }),
        (seat.clone(), answers)
            .prop_map(|(seat, answers)| judged(1, Judgement::Declare { seat, answers })),
        (0..10_i64, seat.clone()).prop_map(|(gold, seat)| {
            Override::Edit { said: said(&format!("gold.who={seat} gold.count={gold}")) }
        }),
        words.prop_map(|words| Override::Rule { words }),
        (words, prop::sample::subsequence(vec![P1, P2], 0..3))
            .prop_map(|(words, to)| Override::Say { words, to }),
        seat.clone().prop_map(|seat| Override::House { seat, policy: "random".to_owned() }),
        Just(Override::Swap { a: P1, b: P2 }),
        (0..2_u32).prop_map(|round| Override::Rollback {
            number: WindowNumber::new(round),
            round: Some(Round::new(round)),
        }),
    ]
}

#[test]
fn any_text_can_be_read_and_what_is_written_reads_as_the_same() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let gm_view = runtime.block_on(async {
        let database = Database::fresh().await;
        let desk = desk(&database).await;
        let code = playing(&desk).await;
        gm_view(&desk, &code).await
    });
    let config = || ProptestConfig::with_cases(64);
    proptest!(config(), |(text in ".{0,60}")| {
        let _ = OverrideRequest::read(&text, &gm_view, time(NOW));
        let _ = complete(&text, &gm_view, Lang::Ja);
    });
    let verbs: Vec<&str> =
        Verb::ALL.iter().flat_map(|verb| Lang::ALL.map(|lang| verb.word(lang))).collect();
    proptest!(config(), |(verb in prop::sample::select(verbs), rest in "[ 　:@#0-9P前回lasttableact桜\\PC]{0,30}")| {
        let _ = OverrideRequest::read(&format!("{verb} {rest}"), &gm_view, time(NOW));
        let _ = complete(&format!("{verb} {rest}"), &gm_view, Lang::En);
    });
    proptest!(config(), |(what in decisions(), ja: bool)| {
        let lang = if ja { Lang::Ja } else { Lang::En };
        let wish = OverrideRequest { what, guest: None };
        let text = write(&wish, &gm_view, lang).unwrap();
        prop_assert_eq!(OverrideRequest::read(&text, &gm_view, time(NOW)), Ok(wish), "{}", text);
    });
}
