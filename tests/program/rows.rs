//! The length of letters on a phone: those of every turn, in rows of 40 half-width columns.

#![expect(clippy::print_stdout, reason = "how long letters are is told to whoever asks for it")]

use chrono_tz::Tz;
use desk::{Event, Letter, Part};
use games::any::AnyContest;
use games::find;
use kit::database::Database;
use kit::phone::rows;
use kit::program::{Running, shimekiri};
use letters::{Beside, DISCORD, Letters, Reader, SealProgress};
use rules::text::Lang;
use rules::{BySeat, Clause, Declaration, Dice, Entry, Key, Label, Round, Seat, Viewer};
use serde_json::{Value as Json, json};
use tables::absence::Deed;
use tables::ids::WindowNumber;
use tables::time::{Span, Time};
use tables::{CloseReason, ResultForm};

const NAMES: [&str; 12] = [
    "Sakura", "Ben", "Kaede", "アキ", "Momiji", "Joe", "Yuri", "Fuji", "Ann", "ハル", "Sora", "Bob",
];

/// The number of windows before the measured one, in the middle of a game.
const WINDOWS: usize = 5;

/// The deadline, on the day on which the letter is read.
const CLOSES: Time = Time::from_milliseconds(1_795_432_800_000);

/// A window in the middle of a seeded game in which everybody declared, and the next one.
struct Turn {
    contest: Box<dyn AnyContest>,
    told: Vec<(Viewer, Vec<Entry<Json>>)>,
    declared: Vec<Seat>,
}

impl Turn {
    fn of(game: &str, seats: usize) -> Self {
        Self::after(game, &Json::Null, seats, WINDOWS)
    }

    /// Plays this number of windows.
    fn after(game: &str, options: &Json, seats: usize, windows: usize) -> Self {
        let game = find(game).unwrap();
        let dice = Dice::new([7; 32], "rows");
        let (mut contest, mut told) = game.open(options, seats, dice.clone()).unwrap();
        let chance = dice.of_window(1_000, 0);
        let mut declared = Vec::new();
        for window in 0..windows {
            let asked = contest.asked();
            let window = u8::try_from(window).unwrap();
            let declarations = BySeat::new(seats, |seat| {
                let label = Label::of(seat, Key::part("house").nth(window));
                let declare = || contest.declare(seat, "house", chance.stream(&label));
                asked.contains(&seat).then(declare).flatten()
            });
            declared = asked;
            told = contest.close(declarations).unwrap();
        }
        let viewers = [Viewer::Public, Viewer::Seat(Seat::new(0))];
        let told = viewers.map(|viewer| (viewer, contest.seen(&told.entries, viewer))).into();
        Self { contest, told, declared }
    }

    /// Returns the letter about the window and the next one: to a seat, or in public.
    fn letter(&self, game: &str, lang: Lang, seat: Option<Seat>, parts: Vec<Part>) -> Letter {
        let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
        Letter {
            code: "K48T8".into(),
            game: game.to_owned(),
            card_set: None,
            seat,
            language: lang.code().to_owned(),
            zone: Tz::Asia__Tokyo,
            year: Some(2026),
            names: NAMES[..self.contest.seats()].iter().map(ToString::to_string).collect(),
            report: self.contest.report(viewer),
            head: "5eed".repeat(16),
            results: ResultForm::Short,
            in_thread: false,
            parts,
        }
    }

    fn parts(&self, viewer: Viewer) -> Vec<Part> {
        let entries = self.told.iter().find(|told| told.0 == viewer).unwrap().1.clone();
        let hash = |seat: &Seat| (Some(*seat), format!("{:02x}", seat.index() + 16).repeat(32));
        let is_open = self.contest.procedure().sealing == rules::Sealing::Open;
        let sealed = self.declared.iter().filter(|_| is_open).map(hash).collect();
        vec![
            Part::Event(Event::Closed {
                number: WindowNumber::new(5),
                round: self.contest.round(),
                why: CloseReason::AllSealed,
                awaited: Vec::new(),
                openly: false,
                sealed: Vec::new(),
                announced: CLOSES,
                opens: CLOSES,
                closes: CLOSES,
                drafts: String::new(),
                entries: Vec::new(),
                state: String::new(),
            }),
            Part::Result { round: Round::DEAL, entries, at_once: false },
            Part::Receipts { sealed, head: "5eed".repeat(16) },
            Part::Opening {
                number: WindowNumber::new(6),
                round: self.contest.round(),
                suspended: self.contest.is_suspended(),
                asked: self.contest.asked(),
                closes: CLOSES,
                announced: CLOSES,
                early: true,
                soonest: Some(CLOSES),
                missing: self.missing(),
                still: false,
            },
        ]
    }

    fn missing(&self) -> Option<Clause> {
        let asked = self.contest.asked();
        self.contest.interview(asked[0], &Declaration::default()).missing
    }

    /// Returns the letter as posted on Discord, where the post has a picture.
    fn on_discord(&self, game: &str, lang: Lang) -> String {
        let letter = self.letter(game, lang, None, self.parts(Viewer::Public));
        letter.write_for(&Letters::built_in(), &phone(&letter, Beside::Picture)).unwrap()
    }

    /// Returns the letter as shown at a terminal.
    fn at_a_terminal(&self, game: &str, lang: Lang) -> String {
        let seat = Seat::new(0);
        let letter = self.letter(game, lang, Some(seat), self.parts(Viewer::Seat(seat)));
        let games = [find(game).unwrap()];
        letter.write(&Letters::built_in(), &games).unwrap()
    }
}

fn phone(letter: &Letter, beside: Beside) -> Reader {
    let games = [find(&letter.game).unwrap()];
    letter.reader(&games).unwrap().with_stamps().beside(beside)
}

fn fits(what: &str, lang: Lang, text: &str, most: usize) {
    let counted = rows(text, lang);
    println!(
        "{what} ({lang}): {counted} rows of at most {most}, {} characters",
        text.chars().count()
    );
    assert!(counted <= most, "{what} ({lang}): {counted} rows, at most {most}\n{text}");
}

#[test]
fn a_result_and_the_next_window_fit_on_a_phone() {
    for lang in Lang::ALL {
        let text = Turn::of("eitsuku", 4).on_discord("eitsuku", lang);
        // Seven rows belong to the post: the ping, its name, the deadline and who has declared.
        fits("eitsuku, four seats", lang, &text, 45 - 7);
        assert!(
            lang == Lang::Ja || text.chars().count() < 1300,
            "{}\n{text}",
            text.chars().count()
        );
        let text = Turn::of("eitsuku", 6).on_discord("eitsuku", lang);
        fits("eitsuku, six seats", lang, &text, 70 - 8);
        let text = Turn::of("the_gang", 4).on_discord("the_gang", lang);
        fits("the gang", lang, &text, 20 - 6);
        let text = Turn::of("gangster_paradise", 4).on_discord("gangster_paradise", lang);
        fits("gangster paradise", lang, &text, 20 - 6);
    }
}

/// The results of the windows of whole frames, each with the next window.
#[test]
fn a_result_of_guilds_fits_on_a_phone() {
    for (size, seats, most) in [("3on3", 6, 45), ("6v6", 12, 70)] {
        for window in 2..18 {
            let turn = Turn::after("guild_war", &json!({ "size": size }), seats, window);
            for lang in Lang::ALL {
                let text = turn.on_discord("guild_war", lang);
                fits(&format!("guild war, {size}, window {window}"), lang, &text, most);
            }
        }
    }
}

/// The results of turns and reactions, each with the next window.
#[test]
fn a_result_of_tag_g_fits_on_a_phone() {
    for window in 2..26 {
        let turn = Turn::after("tag_g", &Json::Null, 4, window);
        for lang in Lang::ALL {
            let text = turn.on_discord("tag_g", lang);
            fits(&format!("tag_g, window {window}"), lang, &text, 45);
        }
    }
}

#[test]
fn a_result_and_the_next_window_fit_at_a_terminal() {
    for lang in Lang::ALL {
        let text = Turn::of("eitsuku", 4).at_a_terminal("eitsuku", lang);
        fits("eitsuku, four seats, terminal", lang, &text, 55);
        let text = Turn::of("eitsuku", 6).at_a_terminal("eitsuku", lang);
        fits("eitsuku, six seats, terminal", lang, &text, 80);
        let text = Turn::of("the_gang", 4).at_a_terminal("the_gang", lang);
        fits("the gang, terminal", lang, &text, 20);
        let text = Turn::of("gangster_paradise", 4).at_a_terminal("gangster_paradise", lang);
        fits("gangster paradise, terminal", lang, &text, 30);
    }
}

#[test]
fn a_reminder_is_read_at_a_glance() {
    let games = ["eitsuku", "the_gang", "gangster_paradise"];
    for (game, lang) in games.into_iter().zip(Lang::ALL.into_iter().cycle()) {
        for lang in [lang, Lang::Ja, Lang::En] {
            let turn = Turn::of(game, 4);
            let seat = turn.contest.asked()[0];
            let interview = turn.contest.interview(seat, &Declaration::default());
            for progress in [SealProgress::Nothing, SealProgress::Draft] {
                let reminder = Part::Reminder {
                    closes: CLOSES,
                    left: Span::hours(4),
                    progress,
                    number: WindowNumber::new(6),
                    open: letters::open_questions(&interview),
                    faults: Vec::new(),
                    fate: Some(Deed::Skipped),
                    missing: turn.missing(),
                    last: false,
                    openly: false,
                    partners: Vec::new(),
                };
                let letter = turn.letter(game, lang, Some(seat), vec![reminder]);
                let reader = phone(&letter, Beside::Nothing);
                let text = letter.write_to_one(&Letters::built_in(), &reader, Some("1")).unwrap();
                fits("reminder", lang, &text, 6);
            }
        }
    }
}

#[test]
fn a_recruitment_is_read_at_a_glance() {
    use tables::{Absence, Pace};
    let letters = Letters::built_in();
    let seats: Vec<Seat> = Seat::all(4).collect();
    let pace = Pace::read("daily 21:00 Asia/Tokyo", Tz::Asia__Tokyo).unwrap();
    for lang in Lang::ALL {
        let reader = Reader::new(find("eitsuku").unwrap(), lang).with_names(NAMES).with_stamps();
        let context = serde_json::json!({
            "stage": "forming", "code": "K48T8", "past": false, "closed": false, "held": null,
            "sought": [], "sides": [], "chairs": seats, "taken": seats[..2], "house": [],
            "gathering": true, "options": [], "gone": null,
            "pace": letters.pace(&reader, &pace).unwrap(),
            "absence": letters.absence(&reader, &Absence::of_game(false)).unwrap(),
            "presence": null, "window": null, "suspended": false, "standing": null,
            "announced": null, "table": null, "commitment": "5eed".repeat(16),
            "settings": ["begins-when-full"], "asked": [],
            "host": { "seat": seats[0], "user": null, "name": null },
        });
        let text = letters.letter(DISCORD, &reader, "post", context).unwrap();
        // The whole hash of the seed takes two rows.
        fits("recruitment", lang, &text, 12);
    }
}

/// The output of a terminal that begins a game, up to its first prompt.
#[tokio::test]
async fn a_terminal_asks_before_it_has_scrolled() {
    for game in ["eitsuku", "the_gang", "gangster_paradise"] {
        for lang in Lang::ALL {
            let database = Database::fresh().await;
            let words = format!("play {game} --seed 7 --lang {}", lang.code());
            let (told, code) = Running::start(shimekiri(&database.url, &words)).end();
            assert_eq!(code, Some(0), "{told}");
            // The last line says goodbye, as nothing was typed.
            let (told, _) = told.trim_end().rsplit_once('\n').unwrap();
            fits(&format!("before the first prompt of {game}"), lang, told, 45);
        }
    }
}
