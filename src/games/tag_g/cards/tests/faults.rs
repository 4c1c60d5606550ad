//! The faults of a set, each with file, line, card and the right form.

use std::fmt::Write;

use super::super::card::FILE;
use super::super::card::Set;
use crate::cards::fault::SetFault;
use crate::cards::sets::CardSet;
use proptest::prelude::{Strategy, any, proptest};
use proptest::sample::Index;
use rules::text::Lang;

/// A kind of fault, and the change of the built-in set that has it.
const WRONG: &[(&str, &str, &str)] = &[
    ("no TOML", "speed = 5\ndamage = 4", "speed = = 5\ndamage = 4"),
    ("unknown table", "[[motion]]\nid = \"menace\"", "[[moton]]\nid = \"menace\""),
    ("unknown key", "speed = 5\ndamage = 4", "sped = 5\ndamage = 4"),
    ("missing key", "speed = 5\ndamage = 4", "speed = 5"),
    (
        "unknown verb",
        "damage = { amount = 2, on = \"blocker\" }",
        "damge = { amount = 2, on = \"blocker\" }",
    ),
    (
        "unknown key of a verb",
        "damage = { amount = 2, on = \"blocker\" }",
        "damage = { amout = 2, on = \"blocker\" }",
    ),
    ("unknown moment", "at = \"enters\"", "at = \"entres\""),
    ("unknown target", "on = \"blocker\"", "on = \"bloker\""),
    ("unknown kind of target", "{ what = \"equipment\"", "{ what = \"equipement\""),
    ("unknown owner of a target", "of = \"team\" } } } }", "of = \"teem\" } } } }"),
    ("unknown duration", "until = \"segment\"", "until = \"segement\""),
    ("unknown keyword", "keywords = [\"cover\"]", "keywords = [\"kover\"]"),
    ("unknown attribute", "attribute = \"fire\"", "attribute = \"fyre\""),
    ("unknown slot", "slot = \"helmet\"", "slot = \"helmt\""),
    ("unknown amount", "amount = \"all\"", "amount = \"al\""),
    ("amount of nothing", "amount = 3, on = \"attacked\"", "amount = 0, on = \"attacked\""),
    ("unknown amount for each", "per = \"tower\"", "per = \"towr\""),
    ("unknown change", "by = { times = 2 }", "by = { tims = 2 }"),
    ("wrong type", "damage = 4", "damage = \"4\""),
    ("number too large", "damage = 4", "damage = 400"),
    ("id twice", "id = \"swing\"", "id = \"cut\""),
    ("no id", "id = \"swing\"", "id = \"Full Swing\""),
    ("name twice", "en = \"Full Swing\"", "en = \"Stepping Cut\""),
    ("sign in a name", "en = \"Full Swing\"", "en = \"Full: Swing\""),
    ("digit behind a name", "en = \"Full Swing\"", "en = \"Full Swing 2\""),
    ("speed out of range", "speed = 6\ndamage = 3", "speed = 7\ndamage = 3"),
    ("unknown speed", "speed = \"none\"", "speed = \"non\""),
    ("level out of range", "level = 2\nupkeep = 1", "level = 5\nupkeep = 1"),
    ("stamina in the wrong order", "stamina = [29, 33]", "stamina = [33, 29]"),
    (
        "character without a fight",
        "fights = 2\nspells = 1\nstamina = [29",
        "fights = 0\nspells = 1\nstamina = [29",
    ),
    (
        "summon without defence",
        "attack = 1\ndefence = 1\neffects",
        "attack = 1\ndefence = 0\neffects",
    ),
    ("slot of mounts", "slot = \"ring\"", "slot = \"mount\""),
    ("upkeep of a used item", "id = \"salve\"", "id = \"salve\"\nupkeep = 1"),
    ("keyword of another kind", "keywords = [\"cover\"]", "keywords = [\"mount\"]"),
    (
        "no effect",
        "effects = [{ at = \"enters\", does = [{ draw = { amount = 1, on = \"user\" } }] }]",
        "effects = []",
    ),
    ("moment of another kind", "at = \"step-2\"", "at = \"enters\""),
    ("ability without a cost", "at = \"main\", cost = { discard = 1 }", "at = \"main\""),
    ("cost of no ability", "at = \"setup\"", "at = \"setup\", cost = { discard = 1 }"),
    ("card that costs itself", "cost = { stamina = 1 }", "cost = { stamina = 1, this = true }"),
    ("damaged too early", "at = \"step-8\", damaged", "at = \"step-7\", damaged"),
    (
        "target named too late",
        "damage = { amount = 2, on = \"blocker\" }",
        "damage = { amount = 2, on = { one = { what = \"summon\", of = \"opposing\" } } }",
    ),
    (
        "target of another verb",
        "return = { on = { one = { what = \"card\"",
        "return = { on = { one = { what = \"summon\"",
    ),
    (
        "damage without a number",
        "damage = { amount = 2, on = \"blocker\" }",
        "damage = { amount = \"all\", on = \"blocker\" }",
    ),
    ("change by nothing", "by = { times = 2 }", "by = { times = 1 }"),
    ("change without an end", "until = \"turn\"", "until = \"in-play\""),
    ("reduction too late", "at = \"step-6\"", "at = \"step-8\""),
    (
        "resentment of others that stays",
        "resent = { amount = 1, on = \"user\" }",
        "resent = { amount = 1, on = \"attacked\" }",
    ),
    ("verb that cannot last", "at = \"setup\"", "at = \"always\""),
    ("unknown card", "\"4 shadow-step\"", "\"4 shadow-stop\""),
    ("no row", "\"4 shadow-step\"", "\"shadow-step\""),
    ("fifth copy", "\"4 shadow-step\"", "\"5 shadow-step\""),
    ("deck too small", "\"4 shadow-step\", ", ""),
    ("unknown character", "character = \"blade\"", "character = \"blead\""),
    ("character in a deck", "\"4 shadow-step\"", "\"3 shadow-step\", \"1 blade\""),
    ("names shared too often", "\"1 jab\", \"1 cut\"", "\"3 jab\", \"1 cut\""),
];

/// Returns the faults of the built-in set with one change.
fn wrong(from: &str, to: &str) -> Vec<SetFault> {
    let (_, text) = FILE;
    assert!(text.contains(from), "{from}");
    Set::parse("set.toml", &text.replacen(from, to, 1)).unwrap_err()
}

#[test]
fn what_is_wrong_in_a_set_is_told_with_its_line_and_the_right_form() {
    let mut written = String::new();
    for (kind, from, to) in WRONG {
        writeln!(written, "# {kind}").unwrap();
        for fault in wrong(from, to) {
            for lang in Lang::ALL {
                writeln!(written, "{}", fault.written(lang)).unwrap();
            }
        }
    }
    super::stands("faults.txt", &written);
}

#[test]
fn every_fault_of_a_set_is_told_at_once() {
    let (_, text) = FILE;
    let text = WRONG.iter().skip(4).fold(text.to_owned(), |text, (_, from, to)| {
        if text.matches(to).count() == 0 { text.replacen(from, to, 1) } else { text }
    });
    let faults = Set::parse("set.toml", &text).unwrap_err();
    let lines = faults.iter().map(|fault| fault.line).collect::<Vec<_>>();
    assert!(lines.is_sorted() && lines.len() >= 25, "{lines:?}");
}

/// Pieces that mean something in a set, and some that do not.
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
        "[[attack]]",
        "id = \"x\"",
        "0",
        "-1",
        "99999999999",
        "all",
        "one = ",
        "until",
        "\u{feff}",
        "\u{3000}",
        "true",
        "step-4",
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
        let (_, starter) = FILE;
        let mut from = at.index(starter.len());
        while !starter.is_char_boundary(from) {
            from -= 1;
        }
        let mut to = (from + length).min(starter.len());
        while !starter.is_char_boundary(to) {
            to -= 1;
        }
        let text = format!("{}{piece}{}", &starter[..from], &starter[to..]);
        if let Err(faults) = Set::parse("set.toml", &text) {
            let last = text.lines().count() + 1;
            assert!(!faults.is_empty() && faults.iter().all(|fault| fault.line <= last));
        }
    }
}
