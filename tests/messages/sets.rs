//! The faults of a set's file and of a deck, in both languages.

use std::fmt::Write as _;

use games::any::AnyGame;
use games::find;
use letters::{FaultLines, Letters, Reader, UnreadLines, UnreadPiece};
use rules::text::{Lang, Words, read_typed};
use rules::{BySeat, Declaration, Dice, Seat};
use serde_json::json;

const STARTER: &str = include_str!("../../data/guild_war/sets/starter.toml");

fn game() -> &'static dyn AnyGame {
    find("guild_war").unwrap()
}

/// Changes of the starter set, each of which makes it faulty.
const FAULTS: &[(&str, &str)] = &[
    ("[set]", "[set"),
    ("game = \"guild_war\"\n", ""),
    ("version = 1", "version = \"one\""),
    ("version = 1", ""),
    ("name = { ja = \"はじまりの組\"", "name = { en = \"x\", jp = \"はじまりの組\""),
    ("[[item]]", "[[itme]]"),
    ("id = \"sweep\"", "id = \"cut-in\""),
    ("id = \"sweep\"", "id = \"Sweep it\""),
    ("id = \"sweep\"", "id = 5"),
    (
        "name = { ja = \"なぎ払い\", en = \"Wide Sweep\" }",
        "name = { ja = \"\", en = \"Wide Sweep\" }",
    ),
    ("name = { ja = \"なぎ払い\", en = \"Wide Sweep\" }", "name = { ja = \"斬り込み\" }"),
    ("name = { ja = \"なぎ払い\", en = \"Wide Sweep\" }\n", ""),
    ("level = 1, vit = 8", "level = 2, vit = 8"),
    ("level = 10, vit = 8", "level = 100, vit = 8"),
    ("level = 10, vit = 8", "level = 10, vti = 8"),
    ("level = 10, vit = 8", "level = 10, vit = 800"),
    ("level = 10, vit = 8", "level = 10"),
    ("line = \"sword\"\nframe = 1", "line = \"swrod\"\nframe = 1"),
    ("frame = 3", "frame = 0"),
    ("frame = 3", "frame = 11"),
    ("frame = 3", "frame = \"third\""),
    ("scope = \"one-enemy\"", "scope = \"one-enmy\""),
    ("scope = \"one-enemy\"", "scope = \"party\""),
    ("percent = 130", "per_cent = 130"),
    ("percent = 130", "percent = 130, power = 30"),
    ("percent = 130, ", ""),
    ("{ with = \"atk\"", "{ with = \"def\""),
    ("effect = [{ attack", "effect = [{ atack"),
    ("until = \"step\"", "until = \"round\""),
    ("slot = \"weapon\"", "slot = \"waepon\""),
    ("bonus = { atk", "bonus = { atck"),
    ("\"2 cut-in\"", "\"2 cut-out\""),
    ("\"2 cut-in\"", "\"two cut-in\""),
    ("\"2 cut-in\"", "\"5 cut-in\""),
    ("\"2 cut-in\", ", ""),
    ("id = \"sword-30\"\nline = \"sword\"", "id = \"sword-30\"\nline = \"shade\""),
];

#[test]
fn every_fault_of_a_set_is_told() {
    let sets = game().sets().unwrap();
    assert_eq!(sets.check("mine.toml", STARTER), []);
    let mut told = String::new();
    for (from, to) in FAULTS {
        assert!(STARTER.contains(from), "{from}");
        let faults = sets.check("mine.toml", &STARTER.replacen(from, to, 1));
        assert!(!faults.is_empty(), "{to}");
        writeln!(told, "{} → {}", from.trim(), to.trim()).unwrap();
        for lang in Lang::ALL {
            for fault in faults.iter().take(4) {
                writeln!(told, "  {}", fault.written(lang)).unwrap();
            }
        }
    }
    insta::assert_snapshot!(told);
}

/// The page about sets in each language.
const PAGES: [&str; 2] =
    [include_str!("../../docs/ja/cards.md"), include_str!("../../docs/en/cards.md")];

#[test]
fn the_example_of_the_page_lacks_nothing_but_cards_in_its_deck() {
    for page in PAGES {
        let example = page.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
        let faults = game().sets().unwrap().check("mine.toml", example);
        assert_eq!(faults.len(), 1, "{faults:?}");
        let told = faults[0].written(Lang::En);
        assert!(told.ends_with("a ready-made deck has 30 or 60 cards, not 12 (W1.2)"), "{told}");
    }
}

/// The parser names all words that it takes in a place if it finds another there.
#[test]
fn the_page_has_every_word_of_the_format() {
    let places = [
        ("[[item]]", "[[x]]"),
        ("version = 1", "x = 1"),
        ("level = 1,", "x = 1,"),
        ("line = \"sword\"\nframe = 1", "x = 1"),
        ("consumed = true", "x = true"),
        ("slot = \"weapon\"", "x = 1"),
        ("line = \"sword\"\ncards", "x = 1\ncards"),
        ("scope = \"one-enemy\"", "scope = \"x\""),
        ("slot = \"weapon\"", "slot = \"x\""),
        ("effect = [{ attack", "effect = [{ x"),
        ("percent = 130", "x = 130"),
        ("until = \"step\"", "until = \"x\""),
        ("with = \"atk\"", "with = \"x\""),
        ("cards = 2 } }", "x = 2 } }"),
        ("amount = ", "x = "),
        ("rests = ", "x = "),
    ];
    for (from, to) in places {
        assert!(STARTER.contains(from), "{from}");
        let faults = game().sets().unwrap().check("mine.toml", &STARTER.replacen(from, to, 1));
        let mut told = faults.iter().map(|fault| fault.written(Lang::En));
        let told = told.find(|told| told.contains("`x`")).expect(from);
        let known: Vec<&str> = told.split('`').skip(3).step_by(2).collect();
        assert!(!known.is_empty(), "{told}");
        for page in PAGES {
            for word in &known {
                let is_there = ["`WORD`", "`[WORD]`", "`[[WORD]]`", "`\"WORD\"`"].iter();
                let mut is_there = is_there.map(|form| form.replace("WORD", word));
                assert!(is_there.any(|form| page.contains(&form)), "{from}: {word}");
            }
        }
    }
}

/// Decks of the Swordfighter, each of which is at fault, and a whole one behind each fault.
const DECKS: &[&str] = &[
    "",
    "4 Cut In",
    "5 Cut In",
    "4 Cut In, 1 Cut In",
    "4 Cut Inn",
    "4 斬りこみ",
    "Cut",
    "0 Cut In",
    "1000 Cut In",
    "x Cut In",
    "4",
    "Swordfighter 1",
    "4 Swordfighter 1",
    "normal attack",
    "P2",
    "4 Cut In 4",
    "four Cut In",
    "4 Cut In\n4 Wide Swep\n5 Salve",
    "４枚　斬り込み、ファイアボール",
    "# nothing but a comment",
    "4 Fire Dart, 4 Lightning, 4 Ward, 4 Shimmer, 4 Salve, 4 Great Fireball, 4 Falling Star, 2 Cut In",
    "4 Cut In, 4 Wide Sweep, 4 Iron Guard, 4 Helm Splitter, 4 War Cry, 4 Cleave, 4 Salve, 3 Full Strength",
];

#[test]
fn every_fault_of_a_deck_is_told() {
    let game = game();
    let options = json!({ "size": "1v1" });
    let (contest, _) = game.open(&options, 2, Dice::new([3; 32], "decks")).unwrap();
    let names = BySeat::new(2, |_| Vec::new());
    let words = Words::new(game.lexicon(), &names);
    let seat = Seat::all(2).next().unwrap();
    let letters = Letters::built_in();
    let mut told = String::new();
    for deck in DECKS {
        let text = format!("Swordfighter\nMy deck: {deck}");
        let form = |draft: &Declaration| contest.interview(seat, draft);
        let reading = read_typed(&text, &Declaration::default(), &form, &words);
        let found = contest.interview(seat, &reading.declaration);
        writeln!(told, "{deck}").unwrap();
        for lang in Lang::ALL {
            let reader = Reader::new(game, lang).in_plain_text();
            let unread = UnreadPiece::of(&reading);
            let said = [
                letters.write(&reader, &UnreadLines { unread: &unread }).unwrap(),
                letters.write(&reader, &FaultLines { faults: &found.faults }).unwrap(),
                letters.write(&reader, &FaultLines { faults: &found.notes }).unwrap(),
            ];
            for line in said.concat().lines() {
                writeln!(told, "  {line}").unwrap();
            }
        }
    }
    insta::assert_snapshot!(told);
}
