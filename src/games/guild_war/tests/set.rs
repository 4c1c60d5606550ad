//! The built-in set, and the faults of other sets.

use crate::guild_war::set::{Card, Line, Set};
use crate::guild_war::{set, texts};
use crate::playable::GameFiles;

#[test]
fn the_set_is_whole() {
    assert_eq!((Line::all().count(), Card::all().count()), (6, 136));
    for line in Line::all() {
        assert_eq!(line.deck().len(), 30, "{}", line.word());
        assert_eq!(line.beginner().stats().unwrap().level, 1);
    }
    assert_eq!(texts::fault(), None);
}

#[test]
fn what_is_wrong_in_a_set_is_told_with_its_line() {
    let wrong = |from: &str, to: &str| {
        let text = set::FILE.1;
        assert!(text.contains(from), "{from}");
        let fault = Set::parse("set.toml", &text.replacen(from, to, 1)).unwrap_err();
        format!("{}: {}", fault.line, fault.what)
    };
    assert!(wrong("\"2 cut-in\"", "\"2 cut-out\"").ends_with("`cut-out`: `cut-in` is like it"));
    assert!(wrong("\"2 cut-in\"", "\"5 cut-in\"").contains("W11.1"));
    assert!(wrong("\"2 cut-in\", ", "").contains("W1.2"));
    assert!(wrong("percent = 130", "percent = 130, power = 3").contains("W12.1"));
    assert!(wrong("percent = 130", "per_cent = 130").contains("per_cent"));
    assert!(wrong("frame = 1", "frame = 11").contains("W5.3"));
    assert!(wrong("id = \"sweep\"", "id = \"cut-in\"").contains("stands twice"));
    assert!(wrong("until = \"step\"", "until = \"round\"").contains("round"));
}

#[test]
fn a_text_is_written_from_the_effects() {
    let cards = crate::guild_war::GuildWar::cards();
    let of = |id: &str| cards.of(id).unwrap().text(rules::text::Lang::En).to_owned();
    assert_eq!(
        of("helm-splitter"),
        "A skill of the Swordfighter, from frame 3 on, on one enemy. attack with 140% of ATK, 3 \
         damage, if it hits: DEF −20 (to this step of the next frame)."
    );
    assert_eq!(of("round-shield"), "A shield, for everybody. DEF +12.");
}
