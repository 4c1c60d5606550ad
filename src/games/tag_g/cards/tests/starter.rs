//! The built-in set.

use std::collections::BTreeMap;

use super::super::card::FILE;
use super::super::card::{CardKind, Set};
use super::super::{COPIES, Deck, TableSet};
use crate::cards::sets::CardSet;
use crate::playable::GameFiles;
use crate::tag_g::TagG;
use rules::text::Lang;

#[test]
fn the_set_is_whole() {
    assert_eq!(TagG::data_faults(), []);
    let set = TableSet::default();
    let characters = set.cards().filter(|card| card.character().is_some()).count();
    assert_eq!((characters, set.cards().count(), set.decks().count()), (8, 72, 16));
    for card in set.cards() {
        assert_eq!(super::super::Card::find(card.word()), Some(card));
    }
}

/// Returns the number of copies of each card in a deck.
fn counts(deck: Deck) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for card in deck.cards() {
        *counts.entry(card.word()).or_default() += 1;
    }
    counts
}

#[test]
fn a_character_has_six_names_of_its_own_and_sixteen_are_shared() {
    let set = TableSet::default();
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for deck in set.decks() {
        for card in counts(deck).keys() {
            let of = users.entry(card).or_default();
            if !of.contains(&deck.character().word()) {
                of.push(deck.character().word());
            }
        }
    }
    let shared = users.values().filter(|of| of.len() > 1).count();
    assert_eq!((users.len(), shared), (64, 16));
    for character in set.cards().filter(|card| card.character().is_some()) {
        let own = users.values().filter(|of| of.as_slice() == [character.word()]).count();
        assert_eq!(own, 6, "{character:?}");
    }
    for deck in set.decks() {
        for (card, count) in counts(deck) {
            let most = if users[card].len() > 1 { 1 } else { COPIES };
            assert!(count <= most, "{deck:?} {card}");
        }
    }
}

#[test]
fn any_three_decks_of_different_characters_obey_t2_1() {
    let decks: Vec<Deck> = TableSet::default().decks().collect();
    for one in &decks {
        for two in decks.iter().filter(|two| two.character() != one.character()) {
            let apart =
                |three: &&Deck| ![one.character(), two.character()].contains(&three.character());
            for three in decks.iter().filter(apart) {
                let mut sum: BTreeMap<&str, usize> = BTreeMap::new();
                for deck in [one, two, three] {
                    for (card, count) in counts(*deck) {
                        *sum.entry(card).or_default() += count;
                    }
                }
                assert!(sum.values().all(|count| *count <= COPIES), "{one:?} {two:?} {three:?}");
            }
        }
    }
}

#[test]
fn no_two_decks_of_equal_opening_hand_have_the_same_size() {
    let of = |deck: Deck| {
        let card = deck.character();
        let character = card.character().unwrap();
        let size = deck.cards().count();
        assert!(character.stamina.contains(&size), "{deck:?}");
        (character.hand, size)
    };
    let mut sizes: Vec<_> = TableSet::default().decks().map(of).collect();
    sizes.sort_unstable();
    assert!(sizes.windows(2).all(|pair| pair[0] != pair[1]), "{sizes:?}");
}

#[test]
fn every_word_of_the_vocabulary_has_a_card() {
    let (_, text) = FILE;
    let words = "use step-2 step-4 step-6 step-7 step-8 step-9 step-10 enters destroyed setup main always \
        damage reduce heal draw discard return destroy modify forbid resent segment turn next-turn in-play \
        resentment regeneration mount cover tower summon all user partner attacked attacker blocker one \
        weapon shield armour helmet ring fire water wind earth times add";
    for word in words.split(' ') {
        let has =
            [format!("\"{word}\""), format!(" {word} =")].iter().any(|as_it| text.contains(as_it));
        assert!(has, "{word}");
    }
}

#[test]
fn the_text_of_every_card_is_written_from_its_effects() {
    let set = Set::parse(FILE.0, FILE.1).unwrap();
    let texts = set.texts();
    let lines: Vec<String> = texts
        .all()
        .flat_map(|card| Lang::ALL.map(|lang| format!("{}: {}", card.id, card.text(lang))))
        .collect();
    let named = |line: &String| line.split_once('@').map(|(id, _)| id.to_owned());
    assert!(lines.iter().all(|line| named(line).is_some() && !line.contains(['{', '}'])));
    let bare =
        |line: &String| format!("{}{}", named(line).unwrap(), &line[line.find(':').unwrap()..]);
    let written = lines.iter().map(bare).collect::<Vec<_>>().join("\n") + "\n";
    super::stands("cards.txt", &written);
}

#[test]
fn the_kinds_are_as_issued() {
    let mut count = [0; 8];
    for card in TableSet::default().cards() {
        let at = match card.kind() {
            CardKind::Character(_) => 0,
            CardKind::Attack(_) => 1,
            CardKind::Defence(_) => 2,
            CardKind::Motion => 3,
            CardKind::Instant(_) => 4,
            CardKind::Shape(_) => 5,
            CardKind::Summon(_) => 6,
            CardKind::Item(_) => 7,
        };
        count[at] += 1;
    }
    assert_eq!(count, [8, 18, 8, 6, 11, 4, 7, 10]);
}
