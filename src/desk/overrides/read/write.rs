//! A decision as a text that is read as the same decision.

use chrono::DateTime;

use crate::desk::model::overrides::{Change, Override};
use crate::desk::overrides::bench::Bench;
use crate::desk::overrides::read::OverrideRequest;
use crate::desk::overrides::read::words::{Particle, Verb};
use crate::ids::WindowNumber;
use crate::rules::text::{self, Lang, Lexicon};
use crate::rules::{Answer, Declaration, Key, Seat, Value, Viewer};
use crate::time::Time;

/// Writes a decision in the words of a language. Times are to the minute. None for one about a
/// window that can be judged no more.
pub fn write(wish: &OverrideRequest, bench: &Bench, lang: Lang) -> Option<String> {
    let writer = OverrideWriter { bench, lang };
    let (verb, rest) = writer.body(wish)?;
    let gap = if rest.is_empty() { "" } else { " " };
    Some(format!("{}{gap}{rest}", verb.word(lang)))
}

struct OverrideWriter<'b> {
    bench: &'b Bench,
    lang: Lang,
}

impl OverrideWriter<'_> {
    fn body(&self, wish: &OverrideRequest) -> Option<(Verb, String)> {
        use Override as O;
        let nothing = String::new;
        Some(match &wish.what {
            O::Extend { closes } => (Verb::Extend, self.time(*closes)),
            O::Pause { until } => (Verb::Pause, self.time(*until)),
            O::Close => (Verb::Close, nothing()),
            O::Resume => (Verb::Resume, nothing()),
            O::Void => (Verb::Void, nothing()),
            O::Hold => (Verb::Hold, nothing()),
            O::Publish => (Verb::Publish, nothing()),
            O::End => (Verb::End, nothing()),
            O::Cancel => (Verb::Cancel, nothing()),
            O::Open => (Verb::Open, nothing()),
            O::Judge { window, change } => self.judged(*window, change)?,
            O::Edit { said } => {
                let contest = &self.bench.sight.play.as_ref()?.contest;
                let words = self.bench.sight.words();
                let asked = contest.rehearse(said, Viewer::All);
                (Verb::Edit, text::write(said, &asked, &words, self.lang))
            }
            O::Rule { words } => (Verb::Rule, words.clone()),
            O::Replace { seat } => {
                (Verb::Replace, format!("{seat} {}", wish.guest.as_deref().unwrap_or_default()))
            }
            O::Call { seat } => (Verb::Call, seat.to_string()),
            O::Recall { seat } => (Verb::Recall, seat.to_string()),
            O::Kick { seat } => (Verb::Kick, seat.to_string()),
            O::Invite { seat } => {
                let seat = seat.map(|seat| format!("{seat} ")).unwrap_or_default();
                (Verb::Invite, format!("{seat}{}", wish.guest.as_deref().unwrap_or_default()))
            }
            O::House { seat, policy } => (Verb::House, format!("{seat} {policy}")),
            O::Swap { a, b } => (Verb::Swap, format!("{a} {b}")),
            O::Rollback { number, .. } => {
                let opened = self.bench.windows.iter().find(|opened| opened.number == *number)?;
                (Verb::Rollback, opened.name(self.lang))
            }
            O::Say { words, to } => {
                let mut said: Vec<String> = to.iter().map(|seat| format!("@{seat}")).collect();
                said.push(words.clone());
                (Verb::Say, said.join(" "))
            }
            O::Undo { number } => (Verb::Undo, number.from_one().to_string()),
        })
    }

    fn time(&self, at: Time) -> String {
        let at = DateTime::from_timestamp_millis(at.milliseconds()).unwrap_or_default();
        at.with_timezone(&self.bench.sight.pace.zone).format("%Y-%m-%d %H:%M").to_string()
    }

    fn judged(&self, window: WindowNumber, change: &Change) -> Option<(Verb, String)> {
        let (case, is_named) = self.bench.case_of(window)?;
        let last =
            if is_named { format!("{} ", Particle::Last.word(self.lang)) } else { String::new() };
        let lexicon = self.bench.sight.game.lexicon();
        let words = self.bench.sight.words();
        let said = |seat: &Seat, said: &Declaration| {
            text::write(said, &case.contest.interview(*seat, said), &words, self.lang)
        };
        let (verb, body) = match change {
            Change::Declare { seat, answers } => {
                (Verb::Declare, format!("{seat} {}", said(seat, answers)))
            }
            Change::AcceptLate { seat } => (Verb::AcceptLate, seat.to_string()),
            Change::Return { seat, part } => (Verb::Return, format!("{seat} {part}")),
            Change::Skip { seat } => (Verb::Skip, seat.to_string()),
            Change::Unskip { seat } => (Verb::Unskip, seat.to_string()),
            Change::Die { seat, key, shows } => {
                let whose = seat.map_or(Particle::Table.word(self.lang), Seat::name);
                (Verb::Die, format!("{whose} {key}: {}", self.value(shows)))
            }
            Change::Choose { seat, answers } => {
                let mut chosen = answers.iter();
                let one = chosen.next().filter(|_| chosen.next().is_none());
                let text = match one {
                    Some((key, answer)) => self.chosen(lexicon, key, answer),
                    None => said(seat, answers),
                };
                (Verb::Choose, format!("{seat} {text}"))
            }
        };
        Some((verb, format!("{last}{body}")))
    }

    fn chosen(&self, lexicon: &Lexicon, key: &Key, answer: &Answer) -> String {
        let mark = crate::desk::overrides::read::parts::mark(lexicon, &key.whole(), self.lang);
        match answer {
            Answer::Given(value) => format!("{mark}: {}", self.value(value)),
            Answer::LeftOut => format!("{mark}: -"),
        }
    }

    fn value(&self, value: &Value) -> String {
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
