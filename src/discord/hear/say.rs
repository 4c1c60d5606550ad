//! What is said by one press on a table's post, and what is done at once.

use super::panel::Declaring;
use super::{Ears, Unanswered};
use crate::clock;
use crate::desk::{NotDone, follow, moment};
use crate::discord::address;
use crate::discord::answer::{self, Answer, Promise};
use crate::discord::aside::aside;
use crate::discord::control::{Drafted, Keeper, Spoken};
use crate::discord::incoming::Incoming;
use crate::discord::pressed::Pressed;
use crate::letters::{DISCORD, Refused, Unread};
use crate::panel::{Kept, View};
use crate::rules::Declaration;

impl Ears {
    /// A press on a table's post that says something.
    pub(super) async fn said(
        &self,
        incoming: &Incoming,
        (code, window): (&str, i64),
        spoken: Spoken,
        said: &Pressed,
    ) -> Result<(), Unanswered> {
        let slip = incoming.slip.clone();
        match spoken {
            Spoken::Sealed => {
                let promise = answer::promise(&self.api, slip).await?;
                let done = self.seals(incoming, code, window, &said.0).await;
                self.keep(incoming, promise, done).await
            }
            Spoken::Done => {
                // What was done is seen on the post: only a refusal is told.
                answer::promise_anew(&self.api, slip).await?;
                let done = match self.seated(incoming, code).await {
                    Ok(acting) if acting.number == window => {
                        self.carry_out(incoming, &acting, &said.0).await
                    }
                    Ok(_) => Err(Refused::TooLateToAct.into()),
                    Err(error) => Err(error),
                };
                self.or_say_why(incoming, done).await
            }
            Spoken::Begun => {
                let promise = answer::promise(&self.api, slip).await?;
                let keeper = Keeper::Panel(said.clone());
                let drafted = Drafted { code: code.to_owned(), window, keeper };
                let shown = self.begun(incoming, &drafted, promise.clone()).await;
                self.or_keep(incoming, promise, shown).await
            }
        }
    }

    /// `/act`: what a text says is done, if that is all there is to say; or else the panel of it.
    pub(super) async fn act(
        &self,
        incoming: &Incoming,
        text: Option<&String>,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let code = self.code(incoming).await?;
        let seated = self.seated(incoming, &code).await?;
        let text = text.map_or("", String::as_str);
        let reading = aside(|| seated.sight.read_act(text));
        let unread = Unread::of(&reading);
        let acting = seated.acting(reading.declaration);
        if unread.is_empty() && acting.form(&acting.own).is_all_said() {
            return self.does(incoming, acting, promise).await;
        }
        let kept = Kept { draft: acting.own.clone(), view: View::default(), unread };
        self.keep_draft(incoming, &acting, kept, promise).await
    }

    /// Seals an answer, in place of what was declared before.
    async fn seals(
        &self,
        incoming: &Incoming,
        code: &str,
        window: i64,
        said: &Declaration,
    ) -> Result<Answer, Unanswered> {
        let declaring = self.declaring(incoming, code).await?;
        if declaring.number != window {
            return Ok(Answer::words(self.too_late(&declaring, window).await?));
        }
        if !declaring.form(said).is_all_said() {
            return Err(Refused::NotNow.into());
        }
        Ok(Answer::words(self.sealed(incoming, &declaring, said).await?))
    }

    /// That a window has closed, and when.
    async fn too_late(&self, declaring: &Declaring, window: i64) -> Result<String, Unanswered> {
        let Declaring { sight, reader, .. } = declaring;
        let closed = self.desk.store().read().await?.closed(&sight.code, window).await?;
        let plain = reader.clone().in_plain_text();
        let at = closed.map(|(at, _)| self.letters.when(&plain, &moment(at, sight.pace.zone)));
        let at = at.transpose()?.unwrap_or_default();
        Ok(self.letters.refused(reader, Refused::Closed, &at)?)
    }

    /// The panel of an act that more is asked about.
    async fn begun(
        &self,
        incoming: &Incoming,
        drafted: &Drafted,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let acting = self.drafting(incoming, drafted).await?;
        if acting.number == drafted.window {
            self.asks(&acting, None, promise).await
        } else {
            self.afresh(&acting, promise).await
        }
    }

    /// Does what a panel says, and shows what is there now: their hand, and what else can be done.
    pub(super) async fn does(
        &self,
        incoming: &Incoming,
        acting: Declaring,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let note = match self.carry_out(incoming, &acting, &acting.own).await {
            Ok(()) => self.letters.letter(DISCORD, &acting.reader, "done", ())?,
            Err(error @ Unanswered::NotDone(NotDone::Refused(_))) => {
                self.excuse(incoming.person.lang, error)?
            }
            Err(error) => return Err(error),
        };
        let now = self.seated(incoming, &acting.sight.code).await?;
        self.asks(&now.acting(Declaration::default()), Some(note), promise).await
    }

    /// Shows their hand to who can say nothing now, and that it is so.
    pub(super) async fn tell_hand(
        &self,
        declaring: &Declaring,
        note: Option<String>,
        promise: Promise<'_>,
    ) -> Result<(), Unanswered> {
        let mut text = self.hand_of(declaring)?;
        let why = self.letters.refused(&declaring.reader, Refused::NotAsked, "")?;
        for more in [note, Some(why)].into_iter().flatten() {
            follow(&mut text, &more);
        }
        Ok(promise.keep(Answer::words(text)).await?)
    }

    async fn carry_out(
        &self,
        incoming: &Incoming,
        acting: &Declaring,
        said: &Declaration,
    ) -> Result<(), Unanswered> {
        let account = address::account(incoming.person.id);
        self.desk.act(&acting.sight.code, &account, said, clock::now()).await?;
        (self.ring)();
        Ok(())
    }
}
