//! Letters: everything that can happen has a text in every language, and players' own texts do no harm.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use desk::{Audience, Because, RehearsedDecision, Remark, check_letters, decision_samples};
use games::find;
use letters::{
    Ballots, Behind, Beside, ChangedLine, ClosingTimes, Echoed, EndPreview, FaultLines,
    FinalScores, FormingTable, Goodbye, HostLeaves, HostName, LetterFault, Letters, LinesOfState,
    MixedIn, Moment, OwnHand, Reader, ReceiptLine, Refused, RulingLine, SealProgress, SeatProgress,
    ShownDecision, Spent, TABLE, UnreadLines, UnreadPiece, VoteTally, WholeBoard, WindowOpening,
    WindowProgress, WindowResult, open_questions, samples,
};
use letters::{
    Decided, MixedValue, OwnReceipt, OwnReceipts, PartnerShown, PlayedAgain, PostedHead,
    SealedThen, SideLineShown, SideShown, Sought, TooMuch, TouchedWindow, Voting,
};
use rules::text::Lang;
use rules::window::Progress;
use rules::{Clause, Entry, Fault, Interview, Key, Reason, Round, Ruling, Seat, window};
use serde_json::{Value as Json, json};
use tables::absence::{AbsenceFault, Away, Deed};
use tables::ids::{EntryNumber, TableCode};
use tables::time::{Span, Time};
use tables::{EndKind, OutageRule, PaceFault, ResultForm, TableSetting, TableSettings};

/// The table that letters are about.
static CODE: LazyLock<TableCode> = LazyLock::new(|| "K7Q2T".into());

const BARRED: [&str; 82] = [
    "already-attacks",
    "already-out",
    "answers-another",
    "attack-is-sealed",
    "award-without-role",
    "cannot-pay",
    "dead",
    "dear-weapon",
    "deck-empty",
    "defence-is-answer",
    "defence-no-attack",
    "disabled",
    "done-stands",
    "empty-hand",
    "fight-after-spell",
    "five-cards",
    "fixed",
    "has-attacked",
    "has-blocked",
    "hp-full",
    "is-ridden",
    "level-too-high",
    "monopoly-condition",
    "no-ability",
    "no-actions",
    "no-block",
    "no-bullet",
    "no-cover",
    "no-deck",
    "no-defence",
    "no-defence-now",
    "no-fights-left",
    "no-gear",
    "no-means",
    "no-mount",
    "no-moves",
    "no-role-affordable",
    "no-skill",
    "no-spells-left",
    "no-stamina",
    "no-target",
    "no-tower",
    "no-trades",
    "not-at-rest",
    "not-before-you",
    "not-for-sale",
    "not-held",
    "not-higher",
    "not-set",
    "not-your-turn",
    "not-yours",
    "on-the-board",
    "one-specialist",
    "only-characters",
    "only-summons",
    "other-line",
    "over-capacity",
    "own-side",
    "phase-skipped",
    "play-at-once",
    "release-roles",
    "second-extra-draw",
    "slot-taken",
    "specialist-used",
    "spell-after-fight",
    "strike-unaffordable",
    "summon-is-attacked",
    "supply-empty",
    "target-dead",
    "the-jack",
    "too-dear",
    "too-early",
    "too-fast",
    "too-few-cards",
    "too-slow",
    "truce",
    "two-proposals",
    "unaffordable",
    "used-up",
    "was-attacked",
    "while-guessing",
    "wrong-scope",
];

/// The words of the games' notes.
const NOTED: [&str; 20] = [
    "bot-plays",
    "costs-the-same",
    "covers-oneself",
    "disabled-already",
    "discards",
    "drawn-at-the-close",
    "empty-deck",
    "frame-is-lost",
    "harmless",
    "heals-nothing",
    "hidden-already",
    "misses",
    "no-damage",
    "no-lower",
    "not-attacked",
    "not-in-this-step",
    "nothing-to-break",
    "nothing-to-cleanse",
    "nothing-to-discard",
    "replaces",
];

fn reader(lang: Lang) -> Reader {
    Reader::new(find("eitsuku").unwrap(), lang).with_names(["アキ", "Ben", " \u{200b}"])
}

fn faults() -> Vec<Fault> {
    samples::faults(BARRED)
}

fn entries() -> Vec<Entry<Json>> {
    samples::entries(find("eitsuku").unwrap(), &samples::rulings(&faults()))
}

/// Returns a report with everything that a state can show; the first player knows their own hand.
fn report() -> Json {
    let slot = |slot, placed: Json| json!({ "slot": slot, "placed": placed });
    let placed =
        |role, award, promoter: Json| json!({ "role": role, "award": award, "promoter": promoter });
    let laid = |card, slot: Json, kind: Json| json!({ "card": card, "turn": 3, "slot": slot, "kind": kind, "used": false });
    let empty = |id| slot(id, Json::Null);
    let score = |seat, rank, film, total| json!({ "seat": seat, "rank": rank, "film": film, "a": 15, "b": 30, "c": -5, "d": 10, "total": total });
    let adjusted = |mut score: Json, points| {
        score["adjusted"] = json!(points);
        score
    };
    json!({
        "turn": 4,
        "few": false,
        "order": [2, 0, 1],
        "supply": { "small": 6, "medium": 12, "large": 15 },
        "decks": { "actor": 13, "writer": 15, "composer": 11, "director": 15, "event": 54 },
        "over": true,
        "scores": [adjusted(score(1, 1, true, 52), 2), score(0, 2, false, 0), score(2, 2, false, 0)],
        "players": [
            {
                "seat": 0,
                "hand": {
                    "budgets": { "small": 4, "medium": 2, "large": 0 },
                    "roles": ["actor-5", "composer-2"], "roles_down": 0,
                    "events": ["strike"], "events_down": 0,
                },
                "slots": [
                    slot("lead", placed("actor-5", 2, Json::Null)),
                    slot("support", placed("actor-6", 0, json!(1))),
                    empty("writer"), empty("composer"), empty("director"),
                ],
                "laid": [
                    laid("actor-award", json!("lead"), Json::Null),
                    laid("network", Json::Null, json!("roles")),
                ],
                "put": { "small": 3, "medium": 0, "large": 0 },
                "film": null,
                "ready": false,
                "worth": adjusted(score(0, 0, false, 47), -3),
                "adjusted": -3,
            },
            {
                "seat": 1,
                "hand": {
                    "budgets": { "small": 0, "medium": 1, "large": 2 },
                    "roles": [], "roles_down": 2, "events": [], "events_down": 3,
                },
                "slots": [
                    slot("lead", placed("actor-1", 0, Json::Null)),
                    empty("support"),
                    slot("writer", placed("writer-4", 0, Json::Null)),
                    slot("composer", placed("composer-4", 0, Json::Null)),
                    slot("director", placed("director-3", 0, Json::Null)),
                ],
                "laid": [laid("tie-in", Json::Null, Json::Null)],
                "put": { "small": 0, "medium": 0, "large": 0 },
                "film": { "title": "夜明けの役者", "turn": 4, "corrected": 4, "sum": 12, "bonus": 10, "events": 10 },
                "ready": true,
                "worth": adjusted(score(1, 0, true, 52), 2),
                "adjusted": 2,
            },
            {
                "seat": 2,
                "hand": {
                    "budgets": { "small": 0, "medium": 0, "large": 0 },
                    "roles": [], "roles_down": 0, "events": [], "events_down": 0,
                },
                "slots": [
                    empty("lead"), empty("support"), empty("writer"), empty("composer"), empty("director"),
                ],
                "laid": [],
                "put": { "small": 0, "medium": 0, "large": 0 },
                "film": { "title": null, "turn": 3, "corrected": 3, "sum": 12, "bonus": 10, "events": 0 },
                "ready": false,
                "worth": score(2, 0, true, 50),
                "adjusted": 0,
            },
        ],
    })
}

fn seat(index: usize) -> Seat {
    Seat::new(index)
}

/// Writes a letter with the template of this name.
fn told(
    letters: &Letters,
    reader: &Reader,
    name: &str,
    context: Json,
) -> Result<String, LetterFault> {
    letters.letter(TABLE, reader, name, context)
}

fn check(name: &str, letter: impl Fn(&Letters, &Reader) -> Result<String, LetterFault>) {
    let letters = Letters::built_in();
    let both = Lang::ALL.map(|lang| {
        let text = letter(&letters, &reader(lang)).unwrap_or_else(|fault| panic!("{fault}"));
        format!("[{lang}]\n{}\n", text.trim_matches('\n'))
    });
    insta::assert_snapshot!(name, both.join("\n"));
}

#[test]
fn everything_is_told_in_every_language() {
    let faults = check_letters(&Letters::built_in());
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The reasons of bars and the notes are words in the games' sources; each has its sentence.
#[test]
fn every_word_for_a_bar_has_its_sentence() {
    let words_behind = |marks: &[&str]| {
        let mut words = BTreeSet::new();
        for file in files(&kit::in_root("src/games")) {
            let source = fs::read_to_string(file).unwrap();
            for mark in marks {
                let here = source.split(mark).skip(1).filter_map(|rest| rest.split('"').next());
                words.extend(here.map(str::to_owned));
            }
        }
        words
    };
    let bars = words_behind(&["why: \"", "bar(\"", "Some((\"", "absent(\""]);
    assert_eq!(bars, BARRED.map(str::to_owned).into());
    let notes = words_behind(&["Reason::noted(\"", "Vain(\""]);
    assert_eq!(notes, NOTED.map(str::to_owned).into());
    let each = |lang| [faults(), samples::notes(NOTED)].map(|faults| (lang, faults));
    for (lang, faults) in Lang::ALL.into_iter().flat_map(each) {
        let told = Letters::built_in().write(&reader(lang), &FaultLines { faults: &faults });
        let told = told.unwrap();
        assert_eq!(told.lines().count(), faults.len(), "{told}");
    }
}

#[test]
fn letters_of_the_game() {
    let report = report();
    let entries = entries();
    let public: Vec<Entry<Json>> = entries.iter().map(public).collect();
    let (short, full) = (ResultForm::Short, ResultForm::Full);
    check("result", |letters, reader| letters.result(reader, &entries, &report, full));
    check("result_short", |letters, reader| letters.result(reader, &entries, &report, short));
    check("result_public", |letters, reader| letters.result(reader, &public, &report, full));
    check("result_beside_a_picture", |letters, reader| {
        let reader = reader.clone().with_stamps().beside(Beside::Picture);
        letters.result(&reader, &public, &report, short)
    });
    check("skip", |letters, reader| {
        Ok(letters.skip(reader, seat(0), &entries)?.expect("it is among the samples"))
    });
    check("scores", |letters, reader| letters.write(reader, &FinalScores { report: &report }));
    check("hand", |letters, reader| {
        letters.write(reader, &OwnHand { seat: seat(0), report: &report })
    });
    check("position", |letters, reader| letters.write(reader, &LinesOfState { report: &report }));
    let asked = [seat(0), seat(2)];
    let skips = Clause::new("E4.1");
    let opening = |suspended, closes: Option<_>| WindowOpening {
        window: Round::new(4),
        suspended,
        asked: &asked,
        announced: closes.clone(),
        still: false,
        closes,
        early: true,
        soonest: Some(samples::moment()),
        missing: Some(&skips),
        position: true,
        report: &report,
    };
    check("opening", |letters, reader| {
        letters.write(reader, &opening(false, Some(samples::moment())))
    });
    check("opening_of_setup", |letters, reader| letters.write(reader, &opening(true, None)));
}

fn public(entry: &Entry<Json>) -> Entry<Json> {
    use rules::Item;
    let item = match &entry.item {
        Item::Event(event) => Item::Event(event.clone()),
        Item::Ruling(ruling) => Item::Ruling(ruling.public()),
    };
    Entry { item, ..entry.clone() }
}

/// Returns a piece of text for every reason why a text cannot be parsed.
fn unread() -> Vec<UnreadPiece> {
    let unfitting = |name| Fault {
        key: Key::new("3", name),
        reason: Reason::Unfitting,
        clause: Clause::new("E4.4"),
    };
    let refused = vec![unfitting("card"), unfitting("money")];
    let unread = |why, section, nearest: &[&'static str]| UnreadPiece {
        text: "アクターx".into(),
        section,
        why,
        nearest: nearest.iter().map(|id| (*id).into()).collect(),
        faults: if why == "refused" { refused.clone() } else { Vec::new() },
    };
    let part = Some(Key::part("3"));
    vec![
        unread("unknown", part.clone(), &["actor-1", "actor-2"]),
        unread("unknown", None, &[]),
        unread("not-here", part, &["3A"]),
        unread("not-asked", None, &[]),
        unread("section-twice", None, &[]),
        unread("no-section", None, &[]),
        unread("too-many", Some(Key::part("3")), &[]),
        unread("tacit", Some(Key::part("3")), &["actor-1"]),
        unread("one-only", Some(Key::part("3")), &["actor-1"]),
        unread("several", Some(Key::part("3")), &["actor-1", "actor-2"]),
        unread("payment", Some(Key::part("3")), &[]),
        unread("too-long", Some(Key::part("3")), &[]),
        unread("reserve-alone", Some(Key::part("3")), &[]),
        unread("needed", Some(Key::part("3")), &["3A"]),
        unread("unquoted", Some(Key::part("5")), &[]),
        unread("moot", Some(Key::part("2")), &[]),
        unread("refused", Some(Key::part("3")), &[]),
    ]
}

#[test]
fn letters_about_declarations() {
    let (faults, unread) = (faults(), unread());
    let interview = samples::interview(&faults);
    let at = || Some(samples::moment());
    let echo = |sealed: bool, closing: ClosingTimes| {
        let mut echoed = Echoed::of(&interview, closing);
        (echoed.unread, echoed.sealed) = (&unread, sealed);
        echoed.receipt = sealed.then_some("K7Q2");
        echoed
    };
    let open = || ClosingTimes { closes: at(), ..ClosingTimes::default() };
    let nothing = Interview { missing: Some(Clause::new("E4.1")), ..Interview::default() };
    check("faults", |letters, reader| letters.write(reader, &FaultLines { faults: &faults }));
    let notes = samples::notes(NOTED);
    check("notes", |letters, reader| letters.write(reader, &FaultLines { faults: &notes }));
    check("misread", |letters, reader| letters.write(reader, &UnreadLines { unread: &unread }));
    check("echo_of_draft", |letters, reader| letters.write(reader, &echo(false, open())));
    check("echo_of_seal", |letters, reader| letters.write(reader, &echo(true, open())));
    check("echo_of_the_last_seal_in_quiet_hours", |letters, reader| {
        let closing = ClosingTimes { closes: at(), settles: at(), soonest: at() };
        letters.write(reader, &echo(true, closing))
    });
    check("echo_of_seal_in_quiet_hours", |letters, reader| {
        let closing = ClosingTimes { closes: at(), settles: None, soonest: at() };
        letters.write(reader, &echo(true, closing))
    });
    check("echo_of_a_lifted_seal", |letters, reader| {
        letters.write(reader, &Echoed { unsealed: true, ..echo(false, open()) })
    });
    check("echo_of_nothing", |letters, reader| {
        letters.write(reader, &Echoed::of(&nothing, ClosingTimes::default()))
    });
    check("questions", |letters, reader| letters.questions(reader, &interview));
    check("questions_none", |letters, reader| letters.questions(reader, &nothing));
}

#[test]
fn letters_about_rulings() {
    let rulings = samples::rulings(&faults());
    let entries = entries();
    let lines = |letters: &Letters, reader: &Reader, view: fn(&Ruling) -> Ruling| {
        let lines = rulings
            .iter()
            .map(|ruling| letters.write(reader, &RulingLine { ruling: &view(ruling) }));
        Ok(lines.collect::<Result<Vec<_>, _>>()?.join("\n"))
    };
    check("rulings", |letters, reader| lines(letters, reader, Clone::clone));
    check("rulings_public", |letters, reader| lines(letters, reader, Ruling::public));
    check("why", |letters, reader| letters.why(reader, &entries));
    check("why_none", |letters, reader| letters.why(reader, &[]));
    check("log", |letters, reader| {
        letters.log(
            reader,
            &[
                WindowResult { number: Round::DEAL, entries: &entries[..2] },
                WindowResult { number: Round::FIRST, entries: &entries },
            ],
        )
    });
}

/// Returns a sample of every fault of a pace line.
fn pace_faults() -> Vec<PaceFault> {
    let quoted = || "静穏@here".to_owned();
    let nearest = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    vec![
        PaceFault::Unknown { said: quoted(), nearest: nearest(&["夜休み", "quiet"]) },
        PaceFault::Unknown { said: quoted(), nearest: Vec::new() },
        PaceFault::Incomplete { said: quoted() },
        PaceFault::TimeOutOfRange { said: "30:00".to_owned() },
        PaceFault::OfNextDay { said: "25:00".to_owned() },
        PaceFault::NoRhythm,
        PaceFault::Twice { said: quoted() },
        PaceFault::TooShort { said: Span::seconds(2), least: Span::seconds(10) },
        PaceFault::TooLong { said: Span::days(61), most: Span::days(60) },
        PaceFault::ReminderTooLong { said: Span::hours(3), window: Span::hours(2) },
        PaceFault::UnknownZone {
            said: "Amerika/New_York".to_owned(),
            nearest: nearest(&["America/New_York"]),
        },
        PaceFault::UnknownZone { said: "Here/There".to_owned(), nearest: Vec::new() },
        PaceFault::NoSuchDay { said: "2/30".to_owned() },
        PaceFault::NoQuietHours { said: "7:00-7:00".to_owned() },
        PaceFault::EndsBeforeItBegins { said: "2027/1/3-2026/12/29".to_owned() },
        PaceFault::CloseOrNot { said: "sun".to_owned() },
        PaceFault::NoDayLeft { most: 60 },
    ]
}

/// Returns a sample of every fault of an absence line.
fn absence_faults() -> Vec<AbsenceFault> {
    let quoted = || "grase@here".to_owned();
    vec![
        AbsenceFault::Unknown { said: quoted(), nearest: Some("grace".to_owned()) },
        AbsenceFault::Unknown { said: quoted(), nearest: None },
        AbsenceFault::Incomplete { said: quoted() },
        AbsenceFault::Unfitting { said: quoted() },
        AbsenceFault::Twice { said: quoted() },
        AbsenceFault::TooMany { said: 5, most: 4 },
        AbsenceFault::TooLong { said: Span::days(8), most: Span::days(7) },
    ]
}

/// Returns every deed in every condition that can lead to it, each with the first and the last miss.
fn strikes() -> Vec<Json> {
    let mut all = Vec::new();
    for condition in ["nothing-sent", "delegated", "away", "inactive"] {
        for deed in ["skipped", "by-default", "by-house"] {
            for (misses, most, inactive) in
                [(0, 2, false), (1, 2, false), (2, 2, true), (3, 0, false)]
            {
                all.extend([false, true].map(|openly| {
                    json!({
                        "seat": 0, "condition": condition, "deed": deed, "misses": misses, "most": most,
                        "inactive": inactive, "openly": openly, "public": true,
                    })
                }));
            }
        }
    }
    all
}

/// Each letter is written to a reader whom it is about, and to another.
#[test]
fn letters_about_those_who_are_missing() {
    let (both, at) = ([seat(0), seat(1)], samples::moment);
    check("absence", |letters, reader| {
        let all = samples::absences();
        lines(all.iter().map(|absence| letters.absence(reader, absence)).collect())
    });
    check("absence_set", |letters, reader| {
        let absence = letters.absence(reader, &samples::absences()[1])?;
        told(letters, reader, "absence", json!({ "absence": absence }))
    });
    check("absence_faults", |letters, reader| {
        let all = absence_faults();
        lines(all.iter().map(|fault| letters.absence_fault(reader, fault)).collect())
    });
    for (name, missing, away) in [("put_off", &both[..], &both[1..]), ("put_off_unnamed", &[], &[])]
    {
        let put_off = json!({ "missing": missing, "away": away, "closes": at() });
        check(name, |letters, reader| told(letters, reader, "put_off", put_off.clone()));
    }
    let quarter = Some(Span::minutes(15));
    for (name, late, you, openly, step) in [
        ("grace", &both[..], None, false, None),
        ("grace_late", &both[..1], Some(0), false, None),
        ("grace_on_a_quarter", &[], None, false, quarter),
        ("grace_openly", &both, None, true, None),
        ("grace_openly_late", &both[..1], Some(0), true, None),
    ] {
        let grace = json!({
            "late": late, "you": you, "openly": openly, "step": step, "until": at(),
        });
        check(name, |letters, reader| told(letters, reader, "grace", grace.clone()));
    }
    for (name, you) in [("struck_own", 0), ("struck_others", 1)] {
        check(name, |letters, reader| {
            let context = |struck| json!({ "struck": [struck], "you": you });
            let told = |struck| told(letters, reader, "struck", context(struck));
            lines(strikes().into_iter().map(told).collect())
        });
    }
    check("back", |letters, reader| {
        let back = |you| told(letters, reader, "back", json!({ "you": you, "seat": 0 }));
        lines([0, 1].map(back).into())
    });
    check("away", |letters, reader| {
        let away = |rule, away: Option<[Moment; 2]>| {
            told(letters, reader, "away", json!({ "seat": 0, "rule": rule, "away": away }))
        };
        let rules = [Away::Extend, Away::House, Away::Skip, Away::Substitute];
        let mut all: Vec<_> = rules.map(|rule| away(rule, Some([at(), at()]))).into();
        all.push(away(Away::Skip, None));
        lines(all)
    });
    check("substitutes", |letters, reader| {
        let until = |name, until| told(letters, reader, name, json!({ "seat": 0, "until": until }));
        lines(vec![
            until("stood_in", Some(at())),
            until("stood_in", None),
            until("stand_in", Some(at())),
        ])
    });
}

/// Joins several texts with line breaks.
fn lines(all: Vec<Result<String, LetterFault>>) -> Result<String, LetterFault> {
    Ok(all.into_iter().collect::<Result<Vec<_>, _>>()?.join("\n"))
}

#[test]
fn letters_about_seats_that_can_be_taken() {
    let (code, at) = ("K7Q2T", samples::moment);
    for plain in [true, false] {
        let word = if plain { "_plain" } else { "" };
        let named = |name: &str| format!("{name}{word}");
        let to = |reader: &Reader| {
            if plain { reader.clone().in_plain_text() } else { reader.clone() }
        };
        check(&named("called"), |letters, reader| {
            let called = json!({ "code": code, "seat": 1, "closes": at(), "report": null });
            told(letters, &to(reader), "called", called)
        });
        check(&named("invited"), |letters, reader| {
            let invited = |seat: Option<u8>, closes: Option<Moment>| {
                let said = json!({ "code": code, "seat": seat, "closes": closes, "report": null });
                told(letters, &to(reader), "invited", said)
            };
            lines(vec![invited(None, None), invited(Some(1), Some(at()))])
        });
    }
    check("taken", |letters, reader| {
        let taken = |name, closes: Option<Moment>| {
            told(letters, reader, name, json!({ "seat": 1, "closes": closes }))
        };
        lines(vec![
            taken("taken", Some(at())),
            taken("taken", None),
            taken("gone", None),
            letters.write(reader, &Sought { seats: &[seat(0), seat(1)] }),
        ])
    });
}

#[test]
fn letters_about_what_can_be_checked() {
    let head = "abcd-efgh-jkmn-pqrs";
    let given = |seat| ReceiptLine { seat, code: head.into(), hash: "00ff".repeat(16) };
    let all = own_receipts();
    let own = |receipts, over| OwnReceipts { code: &CODE, receipts, over };
    for plain in [true, false] {
        let word = if plain { "_plain" } else { "" };
        let named = |name: &str| format!("{name}{word}");
        let to = |reader: &Reader| {
            if plain { reader.clone().in_plain_text() } else { reader.clone() }
        };
        check(&named("mixed_in"), |letters, reader| {
            let mixed =
                |words, open| MixedIn { seat: seat(1), value: "00ff", words, open, owes: None };
            lines(vec![
                letters.write(&to(reader), &mixed(Some("**rain** @everyone"), true)),
                letters.write(&to(reader), &mixed(None, true)),
                letters.write(&to(reader), &mixed(None, false)),
                letters.write(&to(reader), &MixedIn { owes: Some("00ff"), ..mixed(None, true) }),
                letters.write(&to(reader), &MixedIn { owes: Some(""), ..mixed(None, true) }),
                told(letters, &to(reader), "due", json!({ "seats": [0, 1] })),
            ])
        });
        check(&named("receipts"), |letters, reader| {
            lines(vec![
                letters.write(
                    &to(reader),
                    &SealedThen { sealed: &[given(Some(seat(0))), given(Some(seat(1)))], head },
                ),
                letters.write(&to(reader), &SealedThen { sealed: &[given(None)], head }),
                letters.write(&to(reader), &SealedThen { sealed: &[], head }),
            ])
        });
        check(&named("own_receipts"), |letters, reader| {
            lines(vec![
                letters.write(&to(reader), &own(&all, false)),
                letters.write(&to(reader), &own(&all, true)),
                letters.write(&to(reader), &own(&[], false)),
            ])
        });
        check(&named("verified"), |letters, reader| {
            let played = played_again();
            let told = played.iter().map(|played| letters.write(&to(reader), played));
            lines(told.collect())
        });
    }
}

#[test]
fn letters_before_a_deadline() {
    let open = open_questions(&samples::interview(&faults()));
    let skips = Clause::new("E4.1");
    let deadline = |left, progress| {
        json!({
            "closes": samples::moment(),
            "left": left,
            "progress": progress,
            "open": open,
            "faults": [],
            "fate": Deed::Skipped,
            "missing": skips,
            "last": false,
            "openly": false,
            "partners": [],
        })
    };
    for (name, fate) in [
        ("deadline_put_off", Deed::PutOff),
        ("deadline_grace", Deed::Grace),
        ("deadline_by_house", Deed::ByHouse),
        ("deadline_by_default", Deed::ByDefault),
    ] {
        check(name, |letters, reader| {
            let mut deadline = deadline(93_780_000, SealProgress::Nothing);
            (deadline["fate"], deadline["missing"]) = (json!(fate), Json::Null);
            (deadline["last"], deadline["open"]) = (json!(true), Json::Null);
            told(letters, reader, "reminder", deadline)
        });
    }
    check("deadline_openly", |letters, reader| {
        let mut deadline = deadline(93_780_000, SealProgress::Nothing);
        (deadline["fate"], deadline["missing"]) = (json!(Deed::ByDefault), Json::Null);
        deadline["openly"] = json!(true);
        told(letters, reader, "reminder", deadline)
    });
    check("deadline", |letters, reader| {
        told(letters, reader, "reminder", deadline(93_780_000, SealProgress::Nothing))
    });
    check("deadline_draft", |letters, reader| {
        told(letters, reader, "reminder", deadline(3_600_000, SealProgress::Draft))
    });
    check("deadline_faulty_draft", |letters, reader| {
        let mut deadline = deadline(3_600_000, SealProgress::Draft);
        deadline["faults"] = json!(faults());
        told(letters, reader, "reminder", deadline)
    });
    check("deadline_sealed", |letters, reader| {
        told(letters, reader, "reminder", deadline(1000, SealProgress::Sealed))
    });
    check("deadline_partners", |letters, reader| {
        let mut deadline = deadline(3_600_000, SealProgress::Sealed);
        deadline["partners"] = json!([0, 1]);
        told(letters, reader, "reminder", deadline)
    });
}

#[test]
fn letters_of_a_table_that_waits_for_its_players() {
    for (name, leads) in [("forming", false), ("forming_host", true)] {
        let (chairs, taken) = ([seat(0), seat(1), seat(2)], [seat(0), seat(1)]);
        let you = Some(seat(usize::from(!leads)));
        let (code, chairs, taken, pace) = (&CODE, &chairs, &taken, "2h");
        let (absence, commitment, value) = ("x", "5eed5eed", leads.then_some("00ff"));
        let settings = &TableSettings::default().with(TableSetting::BeginsWhenFull, leads);
        let host = HostName { seat: Some(seat(0)), ..HostName::default() };
        let forming = FormingTable {
            code,
            chairs,
            sides: &[],
            taken,
            you,
            leads,
            host,
            pace,
            absence,
            commitment,
            value,
            settings,
        };
        check(name, |letters, reader| letters.write(reader, &forming));
        if leads {
            let sides = [vec![seat(0), seat(2)], vec![seat(1)]];
            let forming = FormingTable { sides: &sides, ..forming };
            check("forming_sides", |letters, reader| letters.write(reader, &forming));
        }
    }
}

#[test]
fn letters_to_one_side_alone() {
    let side = |letters: &Letters, reader: &Reader, unread: bool| {
        let partner = |seat, progress, said: &[&str]| PartnerShown {
            seat: Seat::new(seat),
            progress,
            said: said.iter().map(|line| (*line).to_owned()).collect(),
        };
        let partners = [
            partner(0, Progress::SealedIncomplete, &["2: Tie-in", "3A"]),
            partner(1, Progress::Draft, &["5B *A title*"]),
            partner(2, Progress::NothingDeclared, &[]),
        ];
        let (seat, words) = (Seat::new(1), "all on P2, @everyone".to_owned());
        let lines = [SideLineShown { seat, at: samples::moment(), words }];
        letters.write(reader, &SideShown { partners: &partners, unread, lines: &lines })
    };
    check("side", |letters, reader| side(letters, reader, false));
    check("side_of_bots", |letters, reader| side(letters, reader, true));
    for name in ["side_line", "side_changed"] {
        check(name, |letters, reader| told(letters, reader, name, json!({ "by": 1 })));
    }
}

/// Returns samples of all decisions, in the order of the snapshots.
fn decisions() -> Vec<ShownDecision<'static>> {
    let place = |decision: &ShownDecision<'_>| match decision.what["does"].as_str().unwrap() {
        "extend" => 0,
        "pause" => 1,
        "judge" => 2,
        "rollback" | "end" | "say" | "open" | "undo" => 4,
        _ => 3,
    };
    let mut all = decision_samples();
    // A message to everybody is in no snapshot.
    all.retain(|decision| decision.what["to"] != json!([]));
    for decision in all.iter_mut().filter(|decision| decision.what["does"] == "say") {
        decision.what["words"] = json!("Hello");
    }
    all.sort_by_key(place);
    all
}

#[test]
fn letters_about_decisions() {
    check("decided", |letters, reader| {
        let told = decisions();
        let told = told.iter().map(|decision| {
            letters.write(reader, &Decided { number: Some(4), alone: false, decision })
        });
        Ok(told.collect::<Result<Vec<_>, _>>()?.join("\n\n"))
    });
    check("decided_alone", |letters, reader| {
        let samples = decisions();
        let of = |does: &str| samples.iter().find(|of| of.what["does"] == does).unwrap().clone();
        let undo = ShownDecision { undone: Some(Box::new(of("extend"))), ..of("undo") };
        let told = [of("say"), undo, of("rule")];
        let told = told.iter().map(|decision| {
            letters.write(reader, &Decided { number: Some(4), alone: true, decision })
        });
        Ok(told.collect::<Result<Vec<_>, _>>()?.join("\n\n"))
    });
    check("rehearsed_declaration", |letters, reader| {
        let is_declared =
            |decision: &&ShownDecision<'_>| decision.what["change"]["is"] == "declare";
        let samples = decisions();
        let decision = samples.iter().find(is_declared).unwrap();
        let audience = &Audience::Choice { alone: vec![seat(1)] };
        letters.write(reader, &RehearsedDecision { decision, changes: &[], remarks: &[], audience })
    });
    check("rehearsed", |letters, reader| {
        let line = |sign| ChangedLine { sign, text: "大×1".to_owned() };
        let changes = [line('−'), line('+')];
        let (decision, remarks) = (&decisions()[0], remarks());
        let told = |audience: &Audience| {
            let everything = *audience == Audience::Everybody { because: Because::Playing };
            let remarks = if everything { &remarks[..] } else { &[] };
            let changes = if everything { &changes[..] } else { &[] };
            letters.write(reader, &RehearsedDecision { decision, changes, remarks, audience })
        };
        let told = audiences().iter().map(told).collect::<Result<Vec<_>, _>>();
        Ok(told?.join("\n\n"))
    });
}

fn audiences() -> Vec<Audience> {
    use Because as B;
    let because = [
        B::Playing,
        B::Dice,
        B::Asked,
        B::Closed,
        B::Result,
        B::Over,
        B::Sought,
        B::Watched,
        B::Applied,
        B::Seen,
    ];
    let everybody = because.map(|because| Audience::Everybody { because });
    let others = [vec![seat(1)], Vec::new()]
        .map(|alone| [Audience::Choice { alone: alone.clone() }, Audience::Alone { alone }]);
    everybody.into_iter().chain(others.concat()).collect()
}

fn remarks() -> Vec<Remark> {
    let (seat, seats) = (seat(1), vec![seat(1), seat(2)]);
    let announced = Time::from_milliseconds(1_795_262_700_000);
    vec![
        Remark::Posted,
        Remark::Revealed,
        Remark::Known,
        Remark::Lost { seats: seats.clone() },
        Remark::Replaced { seat },
        Remark::Secrets { seats: seats.clone() },
        Remark::Playing { seat },
        Remark::Unseen { missing: seats },
        Remark::Announced { announced },
        Remark::WithResult { announced: Some(announced) },
        Remark::WithResult { announced: None },
        Remark::Seek { seat },
        Remark::Final,
        Remark::OnlyRollback,
        Remark::UntilTold,
        Remark::SecondVoice { seat },
    ]
}

/// Samples of every proposal, open and with every outcome, and of refusals.
#[test]
fn letters_about_votes() {
    check("vote", |letters, reader| {
        let mut decisions = decisions();
        let proposed =
            |does: &str| ["extend", "pause", "take-back", "house", "end"].contains(&does);
        decisions.retain(|decision| proposed(decision.what["does"].as_str().unwrap()));
        let outcomes = [None, Some("passed"), Some("overtaken"), Some("rejected"), Some("expired")];
        let vote = |(decision, outcome): (ShownDecision<'static>, Option<&'static str>)| {
            let (by, closes) = (Some(seat(1)), samples::moment());
            let tally = VoteTally { yes: 2, no: 1, needed: 3 };
            let (about, second) = (Some("楓"), false);
            let vote = Ballots { by, about, decision, closes, tally, second, outcome };
            letters.write(reader, &vote)
        };
        let told = decisions.into_iter().zip(outcomes).map(vote);
        Ok(told.collect::<Result<Vec<_>, _>>()?.join("\n"))
    });
    check("voting", |letters, reader| letters.write(&reader.clone().in_plain_text(), &Voting {}));
    check("spent", |letters, reader| {
        let all =
            [0, 2].map(Span::hours).map(|left| [Spent::Extension { left }, Spent::Pause { left }]);
        let told = all.into_iter().flatten().map(|spent| letters.write(reader, &TooMuch { spent }));
        Ok(told.collect::<Result<Vec<_>, _>>()?.join("\n"))
    });
}

/// Returns the snapshot's name of a refusal, without the refusal's data.
fn name_of(refused: Refused) -> String {
    let word = match json!(refused) {
        Json::Object(told) => told.into_iter().next().unwrap().0,
        word => word.as_str().unwrap().to_owned(),
    };
    format!("refused_{}", word.replace('-', ""))
}

#[test]
fn letters_of_the_desk() {
    check("help", |letters, reader| letters.help(reader, false, true));
    check("help_first", |letters, reader| letters.help(reader, false, false));
    let values = [(seat(0), "00ff".to_owned()), (seat(1), "ff00".to_owned())];
    let welcome = json!({
        "code": "K7Q2T",
        "table": "terminal",
        "seats": 3,
        "you": 0,
        "commitment": "5eed5eed",
        "values": values,
        "house": [1],
        "options": { "ja": "チップはすぐ取る", "en": "live chips" },
    });
    check("welcome", |letters, reader| told(letters, reader, "welcome", welcome.clone()));
    for behind in [Behind::StoodUp, Behind::Forming, Behind::Playing, Behind::Over, Behind::Nothing]
    {
        let again = behind == Behind::Over;
        let goodbye =
            Goodbye { code: &CODE, name: "桜", behind, outage: OutageRule::Extend, again };
        let name = format!("goodbye_{}", format!("{behind:?}").to_lowercase());
        check(&name, |letters, reader| letters.write(reader, &goodbye));
    }
    for (name, how, reason) in [
        ("ended", EndKind::Played, None),
        ("ended_early", EndKind::Ended, None),
        ("ended_drawn", EndKind::Drawn, None),
        ("ended_because", EndKind::Ended, Some("**rain** @everyone")),
        ("ended_cancelled", EndKind::Cancelled, Some("**rain** @everyone")),
    ] {
        let you = reason.is_none().then_some(0);
        let (code, seed, head) = ("K7Q2T", "5eed5eed", "00ff00ff");
        let over = json!({
            "code": code, "you": you, "how": how, "seed": seed, "head": head, "reason": reason,
        });
        check(name, |letters, reader| told(letters, reader, "over", over.clone()));
    }
    for (name, window) in [("ending", Some(Round::new(3))), ("ending_forming", None)] {
        let ending = EndPreview { code: &CODE, window, taken: 2, reason: "" };
        check(name, |letters, reader| letters.write(&reader.clone().in_plain_text(), &ending));
    }
    check("host_leaves", |letters, reader| {
        letters.write(reader, &HostLeaves { code: &CODE, others: vec![seat(1), seat(2)] })
    });
    for (name, empty) in [("unbegun", false), ("unbegun_empty", true)] {
        check(name, |letters, reader| told(letters, reader, "unbegun", json!({ "empty": empty })));
    }
    let shut = json!({ "closed": samples::moment(), "announced": samples::moment() });
    for name in ["late", "shut"] {
        check(name, |letters, reader| told(letters, reader, name, shut.clone()));
    }
    for (name, paused) in [("extended", false), ("extended_paused", true)] {
        let (closes, outage) = (samples::moment(), 93_780_000);
        let extended = json!({ "closes": closes, "outage": outage, "paused": paused, "locked": false, "before": closes });
        check(name, |letters, reader| told(letters, reader, "extended", extended.clone()));
    }
    for why in ["outage", "rules"] {
        let held = json!({ "code": "K7Q2T", "why": why, "until": null });
        let name = format!("waiting_{why}");
        check(&name, |letters, reader| told(letters, reader, "held", held.clone()));
    }
    for hidden in [false, true] {
        let progress = [window::Progress::Draft, window::Progress::SealedIncomplete];
        let seats = progress.into_iter().zip([seat(0), seat(1)]);
        let seats = seats.map(|(progress, seat)| SeatProgress { seat, progress }).collect();
        let step = hidden.then_some(Span::minutes(15));
        let closes = Some(samples::moment());
        let (openly, count, settles, announced) = (false, None, None, None);
        let standing =
            WindowProgress { seats, openly, hidden, step, count, closes, settles, announced };
        let name = if hidden { "progress_hidden" } else { "progress" };
        check(name, |letters, reader| letters.write(reader, &standing));
    }
    for refused in Refused::all() {
        check(&name_of(refused), |letters, reader| letters.refused(reader, refused, "E9.9"));
    }
    for (name, openly) in [("closed", false), ("closed_openly", true)] {
        let closed = json!({ "awaited": [0, 1], "openly": openly, "why": "deadline" });
        check(name, |letters, reader| told(letters, reader, "closed", closed.clone()));
    }
    check("board", |letters, reader| {
        letters.write(reader, &WholeBoard { report: &report(), brief: false })
    });
}

#[test]
fn letters_about_paces() {
    check("pace", |letters, reader| {
        let paces: Result<Vec<String>, _> =
            samples::paces().iter().map(|pace| letters.pace(reader, pace)).collect();
        paces.map(|lines| lines.join("\n"))
    });
    check("pace_faults", |letters, reader| {
        let faults: Result<Vec<String>, _> =
            pace_faults().iter().map(|fault| letters.pace_fault(reader, fault)).collect();
        faults.map(|lines| lines.join("\n"))
    });
}

/// Mentions, markdown, bidirectional control characters and line breaks have no effect.
#[test]
fn a_players_own_words_do_no_harm() {
    let wild = "@everyone <@1> `x` *y* __z__ ~~s~~ ||p|| \u{202e}rtl\u{200b} [a](b) \\\n# h";
    let letters = Letters::built_in();
    for lang in Lang::ALL {
        let reader = reader(lang).with_names([wild, "Ben"]);
        let unread = UnreadPiece {
            text: wild.into(),
            section: None,
            why: "unknown",
            nearest: Vec::new(),
            faults: Vec::new(),
        };
        let mut report = report();
        report["players"][1]["film"]["title"] = json!(wild);
        let released = |title| json!({ "kind": "released", "seat": 0, "turn": 7, "title": title });
        let told = [
            letters.event(&reader, &released(wild)),
            letters.event(&reader, &json!({ "kind": "ordered", "order": [0, 1] })),
            letters.write(&reader, &UnreadLines { unread: &[unread] }),
        ];
        for told in told {
            let told = told.unwrap();
            assert_eq!(told.lines().count(), 1, "{told}");
            assert!(!told.contains(harmful), "{told:?}");
        }
        let roleplay = json!({ "kind": "roleplay", "seat": 0, "text": wild });
        let told = letters.event(&reader, &roleplay).unwrap();
        assert_eq!(told.lines().count(), 3, "{told}");
        assert!(!told.replace('\n', "").contains(harmful), "{told:?}");
        let before = letters.write(&reader, &LinesOfState { report: &self::report() }).unwrap();
        let after = letters.write(&reader, &LinesOfState { report: &report }).unwrap();
        assert_eq!(after.lines().count(), before.lines().count(), "{after}");
    }
}

fn harmful(c: char) -> bool {
    matches!(c, '@' | '<' | '`' | '*' | '_' | '~' | '|' | '[' | '\\' | '#' | '\n')
        || matches!(c, '\u{200b}' | '\u{202e}')
}

// --- An operator's folder ---

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("shimekiri-letters-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the only fault of a folder: its file, its line, and its message.
fn only_fault(folder: &Folder) -> (String, usize, String) {
    let faults = match Letters::with_folder(&folder.0) {
        Ok(letters) => check_letters(&letters),
        Err(fault) => vec![fault],
    };
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    let file = Path::new(&fault.file).strip_prefix(&folder.0).map(Path::to_path_buf);
    (file.unwrap().display().to_string(), fault.line, fault.message.clone())
}

#[test]
fn an_operator_replaces_single_letters() {
    let folder = Folder::new("replaced").file("desk/en/help.md", "Ask {{ 'P1'|seat }}.");
    let letters = Letters::with_folder(&folder.0).unwrap();
    assert_eq!(check_letters(&letters), []);
    assert_eq!(letters.help(&reader(Lang::En), false, false).unwrap(), "Ask アキ.");
    let own = Letters::built_in().help(&reader(Lang::Ja), false, false);
    assert_eq!(letters.help(&reader(Lang::Ja), false, false), own);
}

#[test]
fn an_unknown_variable_is_one_fault_with_its_line() {
    let text = "One line.\nAnd {{ nobody }}.\n";
    let folder = Folder::new("variable").file("desk/ja/help.md", text);
    let (file, line, message) = only_fault(&folder);
    assert_eq!((file.as_str(), line), ("desk/ja/help.md", 2));
    assert!(message.contains("`nobody`"), "{message}");
}

#[test]
fn a_template_that_cannot_be_read_is_one_fault_with_its_line() {
    let folder = Folder::new("syntax").file("desk/ja/help.md", "One line.\n{% if %}\n");
    let (file, line, _) = only_fault(&folder);
    assert_eq!((file.as_str(), line), ("desk/ja/help.md", 2));
}

#[test]
fn what_discord_would_not_take_is_one_fault_with_its_line() {
    let folder = Folder::new("long").file("discord/en/thread.md", &"long ".repeat(21));
    let (file, line, message) = only_fault(&folder);
    assert_eq!((file.as_str(), line), ("discord/en/thread.md", 1));
    assert_eq!(message, "Discord takes at most 100 characters here, and not 104");

    let folder = Folder::new("call").file("desk/en/home.md", "You are back.\nTell @everyone!\n");
    let (file, line, message) = only_fault(&folder);
    assert_eq!((file.as_str(), line), ("desk/en/home.md", 2));
    assert_eq!(message, "`@everyone` would call nobody from a letter: leave it out");
}

#[test]
fn a_file_that_replaces_nothing_is_a_fault() {
    let both = "=== home\n\nja| いる\nen| There {{ nobody }}\n";
    let folder = Folder::new("both").file("desk/person.md", both);
    let (file, line, _) = only_fault(&folder);
    assert_eq!((file.as_str(), line), ("desk/person.md", 4));

    let folder = Folder::new("unknown").file("desk/ja/halp.md", "?");
    let (file, _, message) = only_fault(&folder);
    assert_eq!(file, "desk/ja/halp.md");
    assert!(message.contains("there is no letter desk/ja/halp.md"), "{message}");
}

#[test]
fn what_is_told_and_what_tells_belong_together() {
    let misread = Letters::built_in().texts()["desk/en/misread.md"].clone();
    let more = format!("{misread}{{% macro gossip(u) %}}psst{{% endmacro %}}\n");
    let (file, line, message) = only_fault(&Folder::new("more").file("desk/en/misread.md", &more));
    assert_eq!((file.as_str(), line), ("desk/en/misread.md", misread.lines().count() + 1));
    assert_eq!(message, "there is no `gossip` to tell");

    let less = misread.replace("macro section_twice", "macro section_thrice");
    let folder = Folder::new("less").file("desk/en/misread.md", &less);
    let faults = check_letters(&Letters::with_folder(&folder.0).unwrap());
    let missing = |fault: &LetterFault| fault.message.starts_with("nothing tells `section_twice`");
    assert!(faults.iter().any(missing), "{faults:?}");
}

#[test]
fn a_time_of_another_year_is_told_with_it() {
    let letters = Letters::built_in();
    for (lang, other, same) in [
        (Lang::Ja, "2026年11月21日(土)21:05", "11月21日(土)21:05"),
        (Lang::En, "Sat 21 Nov 2026, 21:05", "Sat 21 Nov, 21:05"),
    ] {
        let late = |year| {
            let reader = reader(lang).in_the_year(year);
            told(&letters, &reader, "late", json!({ "closed": samples::moment() })).unwrap()
        };
        assert!(late(Some(2025)).contains(other), "{}", late(Some(2025)));
        for year in [Some(2026), None] {
            let told = late(year);
            assert!(told.contains(same) && !told.contains("2026"), "{told}");
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// Returns receipts of windows that are open, closed, and rolled back.
fn own_receipts() -> Vec<OwnReceipt> {
    let receipt = |window: Option<u32>, suspended, open: Option<bool>| OwnReceipt {
        window: window.map(Round::new),
        suspended,
        closed: open.filter(|open| !open).map(|_| samples::moment()),
        closes: open.filter(|open| *open).map(|_| samples::moment()),
        code: "abcd-efgh-jkmn-pqrs".to_owned(),
        hash: "00ff".repeat(16),
    };
    vec![
        receipt(Some(0), true, Some(false)),
        receipt(Some(1), false, Some(false)),
        receipt(Some(2), true, Some(true)),
        receipt(None, false, None),
    ]
}

/// Returns samples of the results of a replay.
fn played_again() -> Vec<PlayedAgain<'static>> {
    let touched = |window, decisions: &[u32]| TouchedWindow { window, decisions: decisions.into() };
    let sound = PlayedAgain {
        code: &CODE,
        closed: 12,
        dice: 34,
        dice_untold: false,
        other_policies: false,
        unnamed: 0,
        broken: None,
        difference: Json::Null,
        touched: Vec::new(),
        commitment: "00ff",
        name: "K7Q2T",
        values: [(false, false), (true, false), (true, true)]
            .into_iter()
            .zip(Seat::all(3))
            .map(|((chosen, promised), seat)| MixedValue {
                seat,
                value: "00ff".to_owned(),
                chosen,
                promised,
            })
            .collect(),
        heads: Vec::new(),
        over: true,
    };
    let head = |window: Option<i64>| PostedHead {
        said: "abcd-efgh-jkmn-pqrs".to_owned(),
        found: window.is_some(),
        window,
        followed: false,
    };
    let about = [
        "commitment",
        "seed",
        "options",
        "value",
        "deal",
        "ground",
        "seal",
        "event",
        "state",
        "die",
        "end",
        "name",
        "order",
        "asked",
        "decision",
        "policy",
        "seating",
        "times",
    ];
    let difference = |(place, what): (usize, &str)| {
        let is_in_window = place % 2 == 0;
        json!({
            "what": what,
            "number": is_in_window.then_some(place),
            "window": is_in_window.then_some(place),
            "seat": is_in_window.then_some(0),
            "question": (place > 4).then_some("act.way"),
            "expected": if place > 2 { "3" } else { "" },
            "found": if place > 2 { "" } else { "4" },
        })
    };
    let all = [touched(Some(-1), &[1]), touched(Some(0), &[2, 3]), touched(None, &[4])];
    let mut played = vec![
        sound.clone(),
        PlayedAgain {
            touched: all.into_iter().chain([touched(Some(3), &[5])]).collect(),
            ..sound.clone()
        },
        PlayedAgain { closed: 1, dice: 1, dice_untold: true, ..sound.clone() },
        PlayedAgain { broken: Some(EntryNumber::new(7)), name: "terminal", ..sound.clone() },
        PlayedAgain { heads: vec![head(Some(-1)), head(Some(0)), head(Some(3))], ..sound.clone() },
        PlayedAgain { heads: vec![head(Some(0)), head(None)], ..sound.clone() },
        PlayedAgain { heads: vec![head(None)], ..sound.clone() },
        PlayedAgain {
            heads: vec![PostedHead { followed: true, ..head(Some(3)) }],
            other_policies: true,
            unnamed: 2,
            ..sound.clone()
        },
    ];
    let wrong = about.into_iter().enumerate().map(difference);
    played.extend(wrong.map(|difference| PlayedAgain { difference, ..sound.clone() }));
    played
}
