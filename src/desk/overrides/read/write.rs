//! The writing of a decision as a text that is parsed as the same decision.

use chrono::DateTime;

use crate::overrides::bench::{Bench, Case};
use crate::overrides::read::reader::OverrideRequest;
use crate::overrides::read::words::Particle;
use rules::text::{Lang, Lexicon};
use rules::{Answer, Key, Seat, Value};
use tables::ids::WindowNumber;
use tables::time::Time;

/// Writes a decision in a language, with times to the minute; `None` for a decision about a window that can
/// no longer be judged.
pub fn write(wish: &OverrideRequest, bench: &Bench, lang: Lang) -> Option<String> {
    let mut writer = OverrideWriter { bench, lang, guest: wish.guest.as_deref(), turn: None };
    let (verb, mut pieces) = writer.pieces(&wish.what)?;
    pieces.insert(0, verb.word(lang).to_owned());
    pieces.retain(|piece| !piece.is_empty());
    Some(pieces.join(" "))
}

pub(crate) struct OverrideWriter<'b> {
    pub(super) bench: &'b Bench,
    pub(super) lang: Lang,
    pub(super) guest: Option<&'b str>,
    /// The window and the seat of the turn; without a seat for the whole table.
    pub(super) turn: Option<(&'b Case, Option<Seat>)>,
}

impl OverrideWriter<'_> {
    /// Sets the seat's turn in a window for the next arguments. Returns the word for the window, empty if it
    /// need not be named.
    pub(super) fn judge(&mut self, window: WindowNumber, seat: Option<Seat>) -> Option<String> {
        let (case, is_named) = self.bench.case_of(window)?;
        self.turn = Some((case, seat));
        Some(if is_named { Particle::Last.word(self.lang).to_owned() } else { String::new() })
    }

    pub(super) fn time(&self, at: Time) -> String {
        let at = DateTime::from_timestamp_millis(at.milliseconds()).unwrap_or_default();
        at.with_timezone(&self.bench.sight.pace.zone).format("%Y-%m-%d %H:%M").to_string()
    }

    pub(super) fn chosen(&self, key: &Key, answer: &Answer) -> String {
        let mark = mark(self.bench.sight.game.lexicon(), &key.whole(), self.lang);
        match answer.value() {
            Some(value) => format!("{mark}: {}", self.value(value)),
            None => format!("{mark}: -"),
        }
    }

    pub(super) fn value(&self, value: &Value) -> String {
        let lexicon = self.bench.sight.game.lexicon();
        let name = |id: &str| lexicon.name(id, self.lang).to_owned();
        match value {
            Value::Choice(id) => name(id),
            Value::Picks(ids) => ids.iter().map(|id| name(id)).collect::<Vec<_>>().join(", "),
            Value::Payment(pieces) => {
                let pieces = pieces.iter().map(|(id, count)| format!("{}×{count}", name(id)));
                pieces.collect::<Vec<_>>().join(" ")
            }
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

/// Returns the name of a part in a declaration, with its number from the second on.
pub(crate) fn mark(lexicon: &Lexicon, part: &Key, lang: Lang) -> String {
    let mark = lexicon.mark(&part.section, lang).unwrap_or(&part.section);
    if part.number == 1 { mark.to_owned() } else { format!("{mark}#{}", part.number) }
}
