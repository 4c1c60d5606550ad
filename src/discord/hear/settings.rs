//! How a table is set: shown to everybody, and changed by its host while it waits for its players;
//! what becomes of those who are missing, while it is played too.

use std::time::Duration;

use super::{Ears, Unanswered};
use crate::clock;
use crate::desk::{Change, Sight, follow};
use crate::discord::address;
use crate::discord::answer::{self, Answer, Promise};
use crate::discord::control::{Control, Settled};
use crate::discord::incoming::Incoming;
use crate::discord::pick::{Line, Pick};
use crate::discord::settings::{Drawing, is_editable, preset, settled, takes};
use crate::letters::{DISCORD, Reader};
use crate::tables::{Absence, Pace};

/// How long a form may take to be drawn: nothing can be promised before it is opened.
const FORM: Duration = Duration::from_secs(2);

impl Ears {
    /// The settings of a table as they stand.
    pub(super) async fn settings(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<Answer, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        Ok(self.drawing(&sight, &reader).draw(None)?)
    }

    fn drawing<'a>(&'a self, sight: &'a Sight, reader: &'a Reader) -> Drawing<'a> {
        Drawing { sight, letters: &self.letters, reader, now: clock::now() }
    }

    /// Something was picked on the settings of a table.
    pub(super) async fn pick(
        &self,
        incoming: &Incoming,
        from: &Settled,
        pick: Pick,
        typed: Option<&str>,
    ) -> Result<(), Unanswered> {
        match pick {
            Pick::Write(line) => return self.open_line(incoming, from, line, None).await,
            Pick::Rewrite(line) => return self.open_line(incoming, from, line, typed).await,
            _ => {}
        }
        let promise = answer::promise_anew(&self.api, incoming.slip.clone()).await?;
        let (sight, reader) = self.see(incoming, &from.code).await?;
        let change = match pick {
            Pick::Game(word) => Some(Change::Game(word)),
            Pick::Chairs(count) => Some(Change::Chairs(count)),
            Pick::Preset(key) => preset(&sight, &key).map(Change::Pace),
            Pick::Option { key, value } => Some(Change::Option { key, value }),
            Pick::Language(language) => Some(Change::Language(language)),
            Pick::CountOnly(only) => Some(Change::CountOnly(only)),
            Pick::Open(open) => Some(Change::Open(open)),
            Pick::Files(files) => Some(Change::Files(files)),
            Pick::BeginsWhenFull(begins) => Some(Change::BeginsWhenFull(begins)),
            Pick::Write(_) | Pick::Rewrite(_) => None,
        };
        let fresh = is_editable(&sight) && settled(&sight) == *from;
        match change.filter(|_| fresh) {
            Some(change) => self.settle(incoming, &from.code, change, promise).await,
            None => self.moved(&sight, &reader, promise).await,
        }
    }

    /// Makes a change, and draws the settings of it; or says above them why not.
    async fn settle(
        &self,
        incoming: &Incoming,
        code: &str,
        change: Change,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let account = address::account(incoming.person.id);
        let done = self.desk.settle(code, &account, change, clock::now()).await;
        let note = match done {
            Ok(()) => String::new(),
            Err(error) => self.excuse(incoming.person.lang, error.into())?,
        };
        (self.ring)();
        let (sight, reader) = self.see(incoming, code).await?;
        let shown = self.drawing(&sight, &reader).draw(None)?;
        Ok(promise.keep(below(note, shown)).await?)
    }

    /// Says that what was pressed has moved on, and draws the settings as they are now.
    async fn moved(
        &self,
        sight: &Sight,
        reader: &Reader,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let note = self.letters.letter(DISCORD, reader, "moved", ())?;
        let shown = self.drawing(sight, reader).draw(None)?;
        Ok(promise.keep(below(note, shown)).await?)
    }

    /// Opens the form to type a line into.
    async fn open_line(
        &self,
        incoming: &Incoming,
        from: &Settled,
        line: Line,
        typed: Option<&str>,
    ) -> Result<(), Unanswered> {
        let seen = tokio::time::timeout(FORM, self.see(incoming, &from.code)).await;
        if let Ok(Ok((sight, reader))) = &seen
            && takes(sight, line)
            && settled(sight) == *from
        {
            let (title, field) = self.drawing(sight, reader).form(line, typed)?;
            let control = Control::Line { settled: from.clone(), line };
            let (api, slip) = (&self.api, &incoming.slip);
            return Ok(answer::open(api, slip, &control, &title, &[field]).await?);
        }
        let promise = answer::promise_anew(&self.api, incoming.slip.clone()).await?;
        let (sight, reader) = self.see(incoming, &from.code).await?;
        self.moved(&sight, &reader, promise).await
    }

    /// A line was typed. If it says nothing, that is told, and what was typed is kept.
    pub(super) async fn lined(
        &self,
        incoming: &Incoming,
        (from, line): (&Settled, Line),
        fields: &[String],
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let (sight, reader) = self.see(incoming, &from.code).await?;
        if !takes(&sight, line) || settled(&sight) != *from {
            return self.moved(&sight, &reader, promise).await;
        }
        let typed = fields.first().map_or("", String::as_str);
        let change = match line {
            Line::Pace => Pace::read(typed, sight.pace.zone)
                .map(Change::Pace)
                .map_err(|fault| self.letters.pace_fault(&reader, &fault)),
            Line::Absence => Absence::read(typed, &sight.supposed_absence())
                .map(Change::Absence)
                .map_err(|fault| self.letters.absence_fault(&reader, &fault)),
        };
        match change {
            Ok(change) => self.settle(incoming, &from.code, change, promise).await,
            Err(note) => {
                let shown = self.drawing(&sight, &reader).draw(Some((line, typed)))?;
                Ok(promise.keep(below(note?, shown)).await?)
            }
        }
    }
}

/// An answer below something that is to be read first.
pub(super) fn below(mut note: String, answer: Answer) -> Answer {
    follow(&mut note, &answer.text);
    Answer { text: note, ..answer }
}
