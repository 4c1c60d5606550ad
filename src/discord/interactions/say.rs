//! One-press declarations on a table's post, and immediate acts.

use crate::answer::{DeferredReply, PrivateAnswer};
use crate::blocking::run_blocking;
use crate::controls::control::PressEffect;
use crate::controls::pressed_answers::PressedAnswers;
use crate::incoming::Incoming;
use crate::interactions::panel::DeclarationContext;
use crate::interactions::{InteractionError, InteractionHandler};
use crate::{address, answer};
use desk::PressedControl;
use desk::conversation::SaidAct;
use letters::discord::DoneNote;
use letters::panel::{EditedDraft, View};
use letters::{DeclarationRefused, Moment, Refused, follow};
use rules::Declaration;
use tables::ids::{TableCode, WindowNumber};

impl InteractionHandler {
    /// Handles a one-press button on a table's post.
    pub(super) async fn say_by_press(
        &self,
        incoming: &Incoming,
        (code, window): (&TableCode, WindowNumber),
        effect: PressEffect,
        answers: &PressedAnswers,
    ) -> Result<(), InteractionError> {
        let handle = incoming.handle.clone();
        match effect {
            PressEffect::Sealed => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.seals(incoming, code, window, &answers.0).await;
                self.finish(incoming, reply, done).await
            }
            PressEffect::Done(acts) => {
                // The post shows the act: only a refusal is sent.
                answer::defer_update(&self.api, handle).await?;
                let declared = answers.0.clone();
                let pressed = PressedControl { window, acts, said: declared, is_private: false };
                let done = match self.seat_context(incoming, code).await {
                    Ok(acting) => {
                        let acting = acting.with_act(pressed.said.clone());
                        self.carry_out(incoming, &acting, Some(pressed)).await
                    }
                    Err(error) => Err(error),
                };
                self.follow_up_if_refused(incoming, done).await
            }
            PressEffect::Begun => {
                let reply = answer::defer(&self.api, handle).await?;
                let shown = self.begin_act(incoming, (code, window), answers, reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
        }
    }

    /// `/act`: carries out an act if the text is complete; else shows the panel.
    pub(super) async fn act(
        &self,
        incoming: &Incoming,
        text: Option<&String>,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let code = self.code(incoming).await?;
        let seated = self.seat_context(incoming, &code).await?;
        let text = text.map_or("", String::as_str);
        let act = self.said_act(incoming, &seated, text);
        if act.is_whole() && act.is_named && !seated.sight.is_for_good(&act.declared) {
            return self.do_act(incoming, seated.with_act(act.declared), None, reply).await;
        }
        self.draw_act(incoming, seated, act, reply).await
    }

    /// Offers a declared line that could be an immediate act as a button.
    pub(super) async fn offer_act(
        &self,
        incoming: &Incoming,
        seated: DeclarationContext,
        text: &str,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let act = self.said_act(incoming, &seated, text);
        self.draw_act(incoming, seated, act, reply).await
    }

    fn said_act(&self, incoming: &Incoming, seated: &DeclarationContext, text: &str) -> SaidAct {
        let account = address::account(incoming.person.id);
        run_blocking(|| self.about(seated, &account).read_act(text))
    }

    async fn draw_act(
        &self,
        incoming: &Incoming,
        seated: DeclarationContext,
        act: SaidAct,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let acting = seated.with_act(act.declared);
        let draft = acting.own.clone();
        let edited = EditedDraft { draft, view: View::default(), unread: act.unread };
        self.save_draft(incoming, &acting, edited, None, reply).await
    }

    /// Seals an answer in place of the earlier declaration.
    async fn seals(
        &self,
        incoming: &Incoming,
        code: &TableCode,
        window: WindowNumber,
        declared: &Declaration,
    ) -> Result<PrivateAnswer, InteractionError> {
        let context = self.declaration_context(incoming, code).await?;
        if context.number != window {
            return Ok(PrivateAnswer::words(self.too_late(&context, window).await?));
        }
        let read = context.form(declared);
        if !read.is_complete() || !read.superfluous.is_empty() {
            return Err(Refused::NotNow.into());
        }
        self.sealed(incoming, &context, declared, read).await
    }

    /// Returns the notice that a window has closed, with its time.
    async fn too_late(
        &self,
        context: &DeclarationContext,
        window: WindowNumber,
    ) -> Result<String, InteractionError> {
        let DeclarationContext { sight, reader, .. } = context;
        let closed = self.desk.store().read().await?.closed(&sight.code, window).await?;
        let plain = reader.clone().in_plain_text();
        let at = closed.map(|(at, _)| self.letters.when(&plain, &Moment::at(at, sight.pace.zone)));
        let at = at.transpose()?.unwrap_or_default();
        Ok(self.letters.refused(reader, DeclarationRefused::Closed, &at)?)
    }

    /// Draws the panel of an incomplete act.
    async fn begin_act(
        &self,
        incoming: &Incoming,
        (code, window): (&TableCode, WindowNumber),
        answers: &PressedAnswers,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let acting = self.seat_context(incoming, code).await?.with_act(answers.0.clone());
        if acting.number == window {
            self.draw_draft(incoming, &acting, None, reply).await
        } else {
            self.draw_outdated(incoming, &acting, reply).await
        }
    }

    /// Carries out the act of a panel, and shows the new state: the hand, and further acts.
    pub(super) async fn do_act(
        &self,
        incoming: &Incoming,
        acting: DeclarationContext,
        pressed: Option<PressedControl>,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let (note, left) = match self.carry_out(incoming, &acting, pressed).await {
            Ok(()) => (self.letters.write(&acting.reader, &DoneNote {})?, Declaration::default()),
            Err(error) => {
                let Some(refused) = error.refused() else { return Err(error) };
                // Another change of the player's came between: the act is still possible.
                let is_left = refused == Refused::MovedOn;
                let left = if is_left { acting.own.clone() } else { Declaration::default() };
                (self.refusal_text(incoming.person.lang, error)?, left)
            }
        };
        let now = self.seat_context(incoming, &acting.sight.code).await?;
        self.draw_draft(incoming, &now.with_act(left), Some(note), reply).await
    }

    /// Shows the hand to a player who has nothing to declare or do, with a notice of that.
    pub(super) async fn tell_hand(
        &self,
        context: &DeclarationContext,
        note: Option<String>,
        reply: DeferredReply<'_>,
    ) -> Result<(), InteractionError> {
        let mut text = self.hand_of(context)?;
        let why = self.letters.refused(&context.reader, DeclarationRefused::NotAsked, "")?;
        for more in [note, Some(why)].into_iter().flatten() {
            follow(&mut text, &more);
        }
        Ok(reply.send(PrivateAnswer::words(text)).await?)
    }

    async fn carry_out(
        &self,
        incoming: &Incoming,
        acting: &DeclarationContext,
        pressed: Option<PressedControl>,
    ) -> Result<(), InteractionError> {
        let account = address::account(incoming.person.id);
        self.about(acting, &account).act(&acting.own, pressed).await?;
        (self.ring)();
        Ok(())
    }
}
