//! The built-in set, and the faults of other sets.

use super::super::GuildWar;
use super::super::set::{Set, TableSet};
use crate::cards::deck::WrittenDeck;
use crate::cards::fault::SetFault;
use crate::cards::sets::CardSet;
use crate::playable::GameFiles;
use proptest::prelude::{Strategy, any, proptest};
use proptest::sample::Index;
use rules::text::Lang;

const STARTER: &str = include_str!("../../../../data/guild_war/sets/starter.toml");

#[test]
fn the_set_is_whole() {
    let set = TableSet::default();
    assert_eq!((set.lines().count(), set.cards().count()), (6, 136));
    for line in set.lines() {
        assert_eq!(set.deck(line).count(), 30, "{line:?}");
        assert_eq!(set.beginner(line).stats().unwrap().level, 1);
    }
    assert_eq!(GuildWar::data_faults(), []);
}

/// Returns the faults of the built-in set with one change.
fn wrong(from: &str, to: &str) -> Vec<SetFault> {
    assert!(STARTER.contains(from), "{from}");
    Set::parse("set.toml", &STARTER.replacen(from, to, 1)).unwrap_err()
}

#[test]
fn what_is_wrong_in_a_set_is_told_with_its_line() {
    let told = |from, to| {
        let faults = wrong(from, to);
        faults.iter().map(|fault| fault.written(Lang::En)).collect::<Vec<_>>().join("\n")
    };
    assert!(told("\"2 cut-in\"", "\"2 cut-out\"").contains("`cut-out` (`cut-in` is like it)"));
    assert!(told("\"2 cut-in\"", "\"5 cut-in\"").contains("W11.1"));
    assert!(told("\"2 cut-in\", ", "").contains("W1.2"));
    assert!(told("percent = 130", "percent = 130, power = 3").contains("W12.1"));
    assert!(told("percent = 130", "per_cent = 130").contains("`percent` is like it"));
    assert!(told("frame = 1", "frame = 11").contains("W5.3"));
    assert!(told("id = \"sweep\"", "id = \"cut-in\"").contains("stands twice"));
    assert!(told("until = \"step\"", "until = \"round\"").contains("round"));
}

#[test]
fn every_fault_of_a_set_is_told_at_once() {
    let text = STARTER
        .replacen("frame = 3", "frame = 13", 1)
        .replacen("scope = \"one-enemy\"", "scope = \"one-enmy\"", 2)
        .replacen("until = \"step\"", "until = \"round\"", 1)
        .replacen("slot = \"weapon\"", "slto = \"weapon\"", 1);
    let faults = Set::parse("set.toml", &text).unwrap_err();
    let lines = faults.iter().map(|fault| fault.line).collect::<Vec<_>>();
    assert!(lines.is_sorted(), "{lines:?}");
    let own = |word: &str| {
        let told = faults.iter().map(|fault| fault.written(Lang::Ja));
        told.filter(|told| told.contains(word)).count()
    };
    for (word, count) in [("one-enmy", 2), ("round", 1), ("slto", 1), ("W5.3", 1)] {
        assert_eq!(own(word), count, "{word}: {faults:#?}");
    }
}

#[test]
fn a_text_is_written_from_the_effects() {
    let cards = crate::guild_war::GuildWar::cards();
    let of = |id: &str| {
        let card = cards.all().find(|card| card.id.starts_with(&format!("{id}@")));
        card.unwrap().text(Lang::En).to_owned()
    };
    assert_eq!(
        of("helm-splitter"),
        "A skill of the Swordfighter, from frame 3 on, on one enemy. attack with 140% of ATK, 3 \
         damage, if it hits: DEF −20 (to this step of the next frame)."
    );
    assert_eq!(of("round-shield"), "A shield, for everybody. DEF +12.");
}

/// Pieces that mean something in a set or a deck, and some that do not.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "[",
        "]",
        "{",
        "}",
        "\"",
        "=",
        ",",
        "\n",
        "#",
        "[[skill]]",
        "id = \"x\"",
        "0",
        "-1",
        "99999999999",
        "x",
        "×",
        "4 ",
        "枚",
        "斬り込み",
        "Cut In",
        "\u{feff}",
        "\u{3000}",
        "true",
        "cover",
        "//",
        "、",
    ];
    proptest::prop_oneof![
        proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        ".{0,8}",
    ]
}

proptest! {
    #[test]
    fn any_change_of_a_set_is_a_set_or_a_fault(
        at in any::<Index>(), length in 0..40_usize, piece in piece(),
    ) {
        let mut from = at.index(STARTER.len());
        while !STARTER.is_char_boundary(from) {
            from -= 1;
        }
        let mut to = (from + length).min(STARTER.len());
        while !STARTER.is_char_boundary(to) {
            to -= 1;
        }
        let text = format!("{}{piece}{}", &STARTER[..from], &STARTER[to..]);
        if let Err(faults) = Set::parse("set.toml", &text) {
            let last = text.lines().count() + 1;
            assert!(!faults.is_empty() && faults.iter().all(|fault| fault.line <= last));
        }
    }

    #[test]
    fn any_text_is_a_deck_or_a_fault(pieces in proptest::collection::vec(piece(), 0..40)) {
        let words = TableSet::default().lexicon();
        let deck = WrittenDeck::read(&pieces.concat(), words);
        assert!(deck.rows.iter().all(|row| row.count > 0));
    }
}
