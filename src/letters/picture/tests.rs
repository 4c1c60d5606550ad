use serde_json::Value as Json;

use super::{LONGEST_ALT, Picture, Pictures, alt};
use crate::{Letters, PictureRoom, Reader, Widths};
use games::GAMES;
use games::any::{AnyContest, AnyGame, RANDOM};
use rules::text::Lang;
use rules::{BySeat, Dice, Key, Label, Viewer};

/// Names that would do harm if they were not escaped.
const HOSTILE: [&str; 6] = [
    "</text><script>alert(1)</script>",
    "&lt;b&gt; ]]> \"'",
    "\u{202e}abc\u{200b}\u{2066}",
    "e\u{301}\u{302}\u{303}\u{304}\u{305} \u{5d0}\u{5d1} 🎬",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
    "<!DOCTYPE x [<!ENTITY e \"e\">]>&e;",
];

fn pictures() -> Option<Pictures> {
    let pictures = Pictures::new(None).unwrap();
    if pictures.is_none() {
        #[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
        {
            eprintln!("skipped: this machine has no Japanese font");
        }
    }
    pictures
}

/// Returns a contest with this many seats after some windows of random play.
fn played(game: &'static dyn AnyGame, seats: usize, seed: u8, windows: u8) -> Box<dyn AnyContest> {
    let dice = Dice::new([seed; 32], "picture");
    let chance = dice.of_window(0, 0);
    let (mut contest, _) = game.open(&Json::Null, seats, dice).unwrap();
    for window in 0..windows {
        if contest.standing().is_some() {
            break;
        }
        let asked = contest.asked();
        let declared = BySeat::new(seats, |seat| {
            let label = Label::of(seat, Key::part("picture").nth(window));
            let declare = || contest.declare(seat, RANDOM, chance.stream(&label));
            asked.contains(&seat).then(declare).flatten()
        });
        contest.close(declared).unwrap();
    }
    contest
}

/// Returns the end of a long game with hostile names and titles.
fn hostile(game: &'static dyn AnyGame, lang: Lang) -> (Reader, Json) {
    let seats = HOSTILE.len().min(*game.seats().end());
    let reports = (0..20).map(|seed| played(game, seats, seed, 60).report(Viewer::Public));
    let titles = |report: &Json| {
        let mut count = 0;
        entitle(&mut report.clone(), &mut || {
            count += 1;
            String::new()
        });
        count
    };
    // A game without titles has only hostile names.
    let mut report = reports.max_by_key(titles).unwrap();
    let mut words = HOSTILE.iter().cycle();
    entitle(&mut report, &mut || words.next().unwrap().repeat(2).chars().take(60).collect());
    (Reader::new(game, lang).with_names(HOSTILE), report)
}

/// Sets every title in a report.
fn entitle(report: &mut Json, word: &mut dyn FnMut() -> String) {
    match report {
        Json::Object(fields) => {
            for (key, field) in fields {
                if key == "title" { *field = word().into() } else { entitle(field, word) }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| entitle(item, word)),
        _ => {}
    }
}

fn draw(pictures: &Pictures, reader: &Reader, report: &Json) -> Picture {
    pictures.draw(&Letters::built_in(), reader, report).unwrap()
}

/// The variable with the folder for pictures to look at.
const FOLDER: &str = "SHIMEKIRI_TEST_PICTURES";

fn is_kept() -> bool {
    std::env::var_os(FOLDER).is_some()
}

fn keep(name: &str, picture: &Picture) {
    if let Ok(folder) = std::env::var(FOLDER) {
        std::fs::write(format!("{folder}/{name}.png"), &picture.png).unwrap();
        std::fs::write(format!("{folder}/{name}.txt"), &picture.alt).unwrap();
    }
}

/// Returns the texts in a picture.
fn written(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.descendants().filter_map(|node| node.text()).collect()).collect()
}

#[test]
fn the_same_state_gives_the_same_bytes_and_another_others() {
    let Some(pictures) = pictures() else { return };
    let again = Pictures::new(None).unwrap().unwrap();
    for game in GAMES {
        for lang in Lang::ALL {
            let report = played(*game, *game.seats().end(), 1, 40).report(Viewer::Public);
            let reader = Reader::new(*game, lang).with_names(["アキ", "Ben"]);
            let first = draw(&pictures, &reader, &report);
            assert_eq!(first, draw(&again, &reader, &report));
            let other = reader.with_names(["アケ", "Ben"]);
            assert_ne!(first, draw(&pictures, &other, &report));
            keep(&format!("{}-{lang}", game.key()), &first);
        }
    }
}

#[test]
fn a_picture_shows_nothing_that_is_hidden() {
    let letters = Letters::built_in();
    for game in GAMES {
        let contest = played(*game, *game.seats().end(), 3, 4);
        let (public, all) = (contest.report(Viewer::Public), contest.report(Viewer::All));
        for lang in Lang::ALL {
            let reader = Reader::new(*game, lang);
            let covered = letters.picture(&reader, &public, PictureRoom::Wide, Widths).unwrap();
            let open = letters.picture(&reader, &all, PictureRoom::Wide, Widths).unwrap();
            assert!(covered != open, "cards that everybody may see are drawn");
        }
    }
}

#[test]
fn every_letter_is_one_of_the_font() {
    let Some(pictures) = pictures() else { return };
    for game in GAMES {
        for lang in Lang::ALL {
            let (reader, report) = hostile(*game, lang);
            let letters = Letters::built_in();
            let svg = letters
                .picture(&reader, &report, PictureRoom::Wide, pictures.font().clone())
                .unwrap();
            for text in written(&svg) {
                let strange: Vec<char> =
                    text.chars().filter(|c| !pictures.font().has(*c)).collect();
                assert!(strange.is_empty(), "{strange:?} in {text:?}");
            }
            if is_kept() {
                keep(&format!("{}-hostile-{lang}", game.key()), &draw(&pictures, &reader, &report));
            }
        }
    }
}

#[test]
fn names_and_titles_do_no_harm_in_a_picture() {
    let letters = Letters::built_in();
    for game in GAMES {
        for lang in Lang::ALL {
            let tame = |game| Reader::new(game, lang).with_names(["a", "b", "c", "d", "e", "f"]);
            let (reader, report) = hostile(*game, lang);
            let svg = letters.picture(&reader, &report, PictureRoom::Wide, Widths).unwrap();
            let mut plain = report.clone();
            entitle(&mut plain, &mut || "a".to_owned());
            let plain = letters.picture(&tame(*game), &plain, PictureRoom::Wide, Widths).unwrap();
            // A long text takes more text elements.
            let marks = |svg: &str| {
                let document = roxmltree::Document::parse(svg).unwrap();
                let marks = document.descendants().filter(roxmltree::Node::is_element);
                let mut marks: Vec<_> =
                    marks.map(|node| node.tag_name().name().to_owned()).collect();
                marks.dedup_by(|next, mark| next == "text" && mark == "text");
                marks
            };
            assert_eq!(marks(&svg), marks(&plain), "names make no marks");
            let all = written(&svg).concat();
            assert!(all.contains("＜/text＞＜script＞"), "{all}");
            assert!(!all.contains(['\u{202e}', '\u{200b}', '\u{2066}']), "{all}");
        }
    }
}

#[test]
fn the_words_beside_a_picture_have_room() {
    let letters = Letters::built_in();
    for game in GAMES {
        for lang in Lang::ALL {
            let (reader, report) = hostile(*game, lang);
            let words = alt(&letters, &reader, &report).unwrap();
            assert!(words.encode_utf16().count() <= LONGEST_ALT, "{words}");
            assert!(!words.ends_with('…'), "they are whole: {words}");
            let report = played(*game, *game.seats().start(), 1, 7).report(Viewer::Public);
            let reader = Reader::new(*game, lang).with_names(["アキ", "Ben"]);
            let words = alt(&letters, &reader, &report).unwrap();
            assert!(words.contains("アキ") && words.contains("Ben"), "{words}");
        }
    }
}

#[test]
fn a_file_that_is_no_font_is_none() {
    for file in ["Cargo.toml", "no-such-file"] {
        let fault = Pictures::new(Some(file.as_ref())).unwrap_err().to_string();
        assert!(fault.starts_with(file), "{fault}");
    }
}
