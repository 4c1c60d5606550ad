//! The cost of parsing the longest texts that can be typed, in every game with every option: counted in
//! interviews, which dominate the time.

use std::cell::Cell;

use serde_json::{Value as Json, json};

use super::GAMES;
use super::any::AnyContest;
use rules::seat::BySeat;
use rules::text::{Words, read, read_act};
use rules::{Declaration, Dice, Interview, Seat};

/// The maximum length of typed text, in characters.
const LONGEST: usize = 4000;

/// The maximum number of interviews to parse a declaration, and to parse an immediate act, which is tried
/// under each possible deed.
const DECLARATION: u32 = 260;
const ACT: u32 = 500;

/// The longest texts, made of one repeated bit: bits that once took seconds, and every mark of the game with
/// a bit.
fn texts(contest: &dyn AnyContest, game: usize) -> Vec<String> {
    let odd = ["ﷺ", "★3", "★3を", "3: ", "4:", "(", "x", "-", "\n", "大", "P2 "];
    let lexicon = GAMES[game].lexicon();
    let seat = Seat::new(0);
    let asked = [
        contest.interview(seat, &Declaration::default()),
        contest.acting(seat, &Declaration::default()),
    ];
    let asked = asked.iter().flat_map(|found| &found.asked);
    let marks =
        asked.filter_map(|asked| lexicon.mark(&asked.question.key.section, rules::text::Lang::Ja));
    let marked = marks.flat_map(|mark| ["ﷺ", "★3", "x"].map(|bit| format!("{mark}: {bit}")));
    let bits: Vec<String> = odd.map(str::to_owned).into_iter().chain(marked).collect();
    bits.iter().map(|bit| bit.chars().cycle().take(LONGEST).collect()).collect()
}

/// Counts the interviews during a parse.
fn asked(
    reads: impl Fn(&dyn Fn(&Declaration) -> Interview),
    form: impl Fn(&Declaration) -> Interview,
) -> u32 {
    let count = Cell::new(0);
    reads(&|said| {
        count.set(count.get() + 1);
        form(said)
    });
    count.get()
}

#[test]
fn the_longest_texts_are_read_with_few_interviews() {
    for (place, game) in GAMES.iter().enumerate() {
        for set in game.options(&Json::Null) {
            // The values between the first and the last ask no more questions than these.
            let values = set.option.values;
            for value in values.first().into_iter().chain(values.last()) {
                let options = json!({ set.option.key: value });
                let seats = *game.seats().end();
                let Ok((contest, _)) = game.open(&options, seats, Dice::new([0; 32], "reading"))
                else {
                    continue;
                };
                let words = Words::new(game.lexicon(), &BySeat::new(seats, |_| Vec::new()));
                let seat = Seat::new(0);
                for text in texts(&*contest, place) {
                    let declared = asked(
                        |form| drop(read(&text, &Declaration::default(), form, &words)),
                        |said| contest.interview(seat, said),
                    );
                    let done = asked(
                        |form| drop(read_act(&text, form, &words)),
                        |said| contest.acting(seat, said),
                    );
                    let bit: String = text.chars().take(12).collect();
                    assert!(declared <= DECLARATION && done <= ACT, "{bit}: {declared}, {done}");
                }
            }
        }
    }
}
