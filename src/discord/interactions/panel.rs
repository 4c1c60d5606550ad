//! Declaring: by a panel, by a form to type into, or on one line.

use std::time::Duration;

use serde_json::json;

use super::{InteractionHandler, Unanswered};
use crate::clock;
use crate::desk::{Said, Sight, follow};
use crate::discord::address;
use crate::discord::answer::{self, DeferredReply, PrivateAnswer};
use crate::discord::aside::aside;
use crate::discord::control::{Control, DraftKeeper, DraftReference};
use crate::discord::incoming::Incoming;
use crate::discord::pieces::pieces;
use crate::discord::pressed::Pressed;
use crate::letters::{DISCORD, Echo, Reader, Refused};
use crate::panel::{self, Blank, EditedDraft, PanelAction, PanelDrawing, Revision, Taken, View};
use crate::rules::text::{Lang, NamedPart, complete};
use crate::rules::window::Progress;
use crate::rules::{Declaration, Interview, Seat};

/// How long a form may take to be drawn: nothing can be promised before it is opened.
const FORM: Duration = Duration::from_secs(2);

/// The longest value that can be suggested.
const SUGGESTED: usize = 100;

/// A table as somebody sees it who can say something there.
pub(super) struct DeclarationContext {
    pub(super) sight: Sight,
    pub(super) reader: Reader,
    pub(super) seat: Seat,
    pub(super) number: i64,
    /// What they have said so far.
    pub(super) own: Declaration,
    /// Whether it is done at once, and not sealed.
    pub(super) at_once: bool,
}

impl DeclarationContext {
    fn has_sealed(&self) -> bool {
        let progress = self.sight.play.as_ref().map(|play| play.progress[self.seat]);
        matches!(progress, Some(Progress::SealedComplete | Progress::SealedIncomplete))
    }

    /// For what they do at once, with what of it is said so far in place of their draft.
    pub(super) fn acting(self, said: Declaration) -> Self {
        Self { own: said, at_once: true, ..self }
    }

    /// What a draft of theirs comes to.
    pub(super) fn form(&self, draft: &Declaration) -> Interview {
        if self.at_once { self.sight.acting(draft) } else { self.sight.form(draft) }
    }

    /// What can come next in a text.
    fn suggested(&self, typed: &str, lang: Lang) -> Vec<String> {
        let form = |draft: &Declaration| self.form(draft);
        let next = complete(typed, &self.own, &form, &self.sight.words(), lang);
        let whole = next.into_iter().map(|next| format!("{}{}", &typed[..next.start], next.text));
        // A longer one could not be shown, and none of it may be cut.
        let short = |text: &String| text.encode_utf16().count() <= SUGGESTED;
        whole.filter(short).take(25).collect()
    }

    fn drafted(&self, draft: &Declaration) -> DraftReference {
        let keeper = if self.at_once {
            DraftKeeper::Panel(Pressed(draft.clone()))
        } else {
            DraftKeeper::Table(Revision::of(self.number, draft))
        };
        DraftReference { code: self.sight.code.clone(), window: self.number, keeper }
    }
}

impl InteractionHandler {
    /// Somebody who sits at a table that has begun, with what they have declared.
    pub(super) async fn seated(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<DeclarationContext, Unanswered> {
        let (sight, reader) = self.see(incoming, code).await?;
        let seat = sight.seat.ok_or(Refused::NotSeated)?;
        let play = sight.play.as_ref().ok_or(Refused::NotBegun)?;
        let (number, own) = (play.number, play.own.clone());
        Ok(DeclarationContext { sight, reader, seat, number, own, at_once: false })
    }

    /// The table as they see it, if they are asked to declare there.
    pub(super) async fn declaring(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<DeclarationContext, Unanswered> {
        let declaring = self.seated(incoming, code).await?;
        let play = declaring.sight.play.as_ref();
        if play.is_none_or(|play| !play.asked.contains(&declaring.seat)) {
            return Err(Refused::NotAsked.into());
        }
        Ok(declaring)
    }

    /// The table as they see it, for who has the panel of this draft.
    pub(super) async fn drafting(
        &self,
        incoming: &Incoming,
        drafted: &DraftReference,
    ) -> Result<DeclarationContext, Unanswered> {
        match &drafted.keeper {
            DraftKeeper::Table(_) => self.declaring(incoming, &drafted.code).await,
            DraftKeeper::Panel(Pressed(said)) => {
                Ok(self.seated(incoming, &drafted.code).await?.acting(said.clone()))
            }
        }
    }

    /// `/declare`: the panel, or what is made of a text.
    pub(super) async fn declare(
        &self,
        incoming: &Incoming,
        text: Option<&String>,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let code = self.code(incoming).await?;
        let Some(text) = text else { return self.panel(incoming, &code, reply).await };
        let declaring = self.declaring(incoming, &code).await?;
        let (draft, unread) = aside(|| declaring.sight.read(text, &declaring.own));
        let kept = EditedDraft { draft, view: View::default(), unread };
        self.keep_draft(incoming, &declaring, kept, reply).await
    }

    /// The panel as the draft stands; for who has nothing to declare, that of what they can do at
    /// once.
    pub(super) async fn panel(
        &self,
        incoming: &Incoming,
        code: &str,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let seated = self.seated(incoming, code).await?;
        let is_asked =
            seated.sight.play.as_ref().is_some_and(|play| play.asked.contains(&seated.seat));
        let declares = is_asked && !seated.form(&Declaration::default()).asked.is_empty();
        let declaring = if declares { seated } else { seated.acting(Declaration::default()) };
        self.asks(&declaring, None, reply).await
    }

    /// The panel of what they have said so far, below a note.
    pub(super) async fn asks(
        &self,
        declaring: &DeclarationContext,
        note: Option<String>,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let draft = declaring.own.clone();
        let kept = EditedDraft { draft, view: View::default(), unread: Vec::new() };
        self.draw(declaring, &kept, note, reply).await
    }

    /// A press on a panel.
    pub(super) async fn press(
        &self,
        incoming: &Incoming,
        drafted: &DraftReference,
        action: PanelAction,
    ) -> Result<(), Unanswered> {
        if let PanelAction::Write(blank) = action {
            return self.open(incoming, drafted, blank).await;
        }
        let reply = answer::defer_update(&self.api, incoming.handle.clone()).await?;
        let declaring = self.drafting(incoming, drafted).await?;
        if declaring.drafted(&declaring.own) != *drafted {
            return self.afresh(&declaring, reply).await;
        }
        if declaring.at_once && action == PanelAction::Seal {
            return self.does(incoming, declaring, reply).await;
        }
        let form = |draft: &Declaration| declaring.form(draft);
        match panel::take(action, &form, &declaring.own) {
            Ok(Taken::Kept(kept)) => self.keep_draft(incoming, &declaring, kept, reply).await,
            Ok(Taken::Seals) => {
                let text = self.sealed(incoming, &declaring, &declaring.own).await?;
                Ok(reply.send(PrivateAnswer::words(text)).await?)
            }
            Ok(Taken::Opens(_)) | Err(_) => self.afresh(&declaring, reply).await,
        }
    }

    /// Opens a form to type into.
    async fn open(
        &self,
        incoming: &Incoming,
        drafted: &DraftReference,
        blank: Blank,
    ) -> Result<(), Unanswered> {
        let drawn = tokio::time::timeout(FORM, self.form_of(incoming, drafted, blank)).await;
        match drawn {
            Ok(Ok(Some(modal))) => {
                let control = Control::Form { draft: drafted.clone(), blank };
                let (api, handle) = (&self.api, &incoming.handle);
                Ok(answer::open(api, handle, &control, &modal.title, &modal.fields).await?)
            }
            drawn => {
                let reply = answer::defer_update(&self.api, incoming.handle.clone()).await?;
                if let Ok(Err(error)) = drawn {
                    return Err(error);
                }
                let declaring = self.drafting(incoming, drafted).await?;
                self.afresh(&declaring, reply).await
            }
        }
    }

    /// A form; none where the draft is another one by now.
    async fn form_of(
        &self,
        incoming: &Incoming,
        drafted: &DraftReference,
        blank: Blank,
    ) -> Result<Option<panel::Modal>, Unanswered> {
        let declaring = self.drafting(incoming, drafted).await?;
        if declaring.drafted(&declaring.own) != *drafted {
            return Ok(None);
        }
        let form = |draft: &Declaration| declaring.form(draft);
        let view = View::default();
        let drawing = PanelDrawing {
            letters: &self.letters,
            reader: &declaring.reader,
            form: &form,
            draft: &declaring.own,
            view: &view,
            unread: &[],
            at_once: declaring.at_once,
        };
        Ok(Some(panel::modal(&drawing, &declaring.sight.words(), blank)?))
    }

    /// What was typed into a form.
    pub(super) async fn typed(
        &self,
        incoming: &Incoming,
        drafted: &DraftReference,
        blank: Blank,
        fields: &[String],
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let declaring = match self.drafting(incoming, drafted).await {
            Ok(declaring) => declaring,
            Err(error) => {
                self.give_back(incoming, fields).await?;
                return Err(error);
            }
        };
        let form = |draft: &Declaration| declaring.form(draft);
        let words = declaring.sight.words();
        let kept = if declaring.drafted(&declaring.own) == *drafted {
            aside(|| panel::submit(blank, fields, &form, &declaring.own, &words)).ok()
        } else {
            None
        };
        let Some(kept) = kept else {
            self.afresh(&declaring, reply).await?;
            return self.give_back(incoming, fields).await;
        };
        self.keep_draft(incoming, &declaring, kept, reply).await
    }

    /// Gives back what was typed into a form that was of no use any more, so that nobody has to
    /// think it up again.
    async fn give_back(&self, incoming: &Incoming, fields: &[String]) -> Result<(), Unanswered> {
        let typed: Vec<&str> = fields.iter().flat_map(|field| field.lines()).collect();
        if typed.iter().all(|line| line.trim().is_empty()) {
            return Ok(());
        }
        let reader = super::plain_reader(incoming.person.lang);
        let text = self.letters.letter(DISCORD, &reader, "typed", json!({ "lines": typed }))?;
        for piece in pieces(&text) {
            self.say_more(incoming, piece).await?;
        }
        Ok(())
    }

    /// Keeps a draft if it is another one, and draws the panel of it. What is done at once is kept
    /// nowhere else.
    pub(super) async fn keep_draft(
        &self,
        incoming: &Incoming,
        declaring: &DeclarationContext,
        kept: EditedDraft,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        if !declaring.at_once && kept.draft != declaring.own {
            self.file(incoming, declaring, &kept.draft, Said::Draft).await?;
        }
        self.draw(declaring, &kept, None, reply).await
    }

    async fn file(
        &self,
        incoming: &Incoming,
        declaring: &DeclarationContext,
        draft: &Declaration,
        said: Said,
    ) -> Result<crate::desk::Filed, Unanswered> {
        let account = address::account(incoming.person.id);
        let code = &declaring.sight.code;
        let filed = self.desk.declare(code, &account, draft, said, clock::now()).await?;
        (self.ring)();
        Ok(filed)
    }

    /// Says that what was pressed has moved on, and draws the panel as it is now.
    pub(super) async fn afresh(
        &self,
        declaring: &DeclarationContext,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let note = self.letters.letter(DISCORD, &declaring.reader, "moved", ())?;
        let draft = if declaring.at_once { Declaration::default() } else { declaring.own.clone() };
        let kept = EditedDraft { draft, view: View::default(), unread: Vec::new() };
        self.draw(declaring, &kept, Some(note), reply).await
    }

    /// Draws a panel below their hand.
    async fn draw(
        &self,
        declaring: &DeclarationContext,
        kept: &EditedDraft,
        note: Option<String>,
        reply: DeferredReply<'_>,
    ) -> Result<(), Unanswered> {
        let form = |draft: &Declaration| declaring.form(draft);
        if declaring.at_once && form(&Declaration::default()).asked.is_empty() {
            return self.tell_hand(declaring, note, reply).await;
        }
        let mut panel = panel::draw(&PanelDrawing {
            letters: &self.letters,
            reader: &declaring.reader,
            form: &form,
            draft: &kept.draft,
            view: &kept.view,
            unread: &kept.unread,
            at_once: declaring.at_once,
        })?;
        let own = !declaring.at_once && declaring.has_sealed();
        let sealed = own && kept.draft == declaring.own;
        let sealed = sealed.then(|| self.letters.letter(DISCORD, &declaring.reader, "sealed", ()));
        let mut text = note.unwrap_or_default();
        for more in [sealed.transpose()?, Some(panel.text)].into_iter().flatten() {
            follow(&mut text, &more);
        }
        panel.text = text;
        let hand = self.hand_of(declaring)?;
        Ok(reply.draw(&hand, &panel, &declaring.drafted(&kept.draft)).await?)
    }

    /// Their hand, with what they alone may know.
    pub(super) fn hand_of(&self, declaring: &DeclarationContext) -> Result<String, Unanswered> {
        let DeclarationContext { sight, reader, seat, .. } = declaring;
        let play = sight.play.as_ref().ok_or(Refused::NotBegun)?;
        Ok(self.letters.hand(reader, *seat, &play.contest.report(sight.viewer()))?)
    }

    /// Seals a draft, and echoes it with its receipt.
    pub(super) async fn sealed(
        &self,
        incoming: &Incoming,
        declaring: &DeclarationContext,
        draft: &Declaration,
    ) -> Result<String, Unanswered> {
        let filed = self.file(incoming, declaring, draft, Said::Sealed).await?;
        let echo = Echo {
            seat: declaring.seat,
            interview: &filed.interview,
            unread: &[],
            sealed: true,
            skipped: declaring.sight.is_skipped(),
            closing: declaring.sight.closing_times(filed.timing, clock::now()),
            on_a_quarter: declaring.sight.closes_on_a_quarter(),
            receipt: filed.receipt.as_deref(),
        };
        Ok(self.letters.echo(&declaring.reader, &echo)?)
    }

    /// `/seal`: what is drafted; what it lacks is shown on the panel, where sealing is asked about.
    pub(super) async fn seal(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, Unanswered> {
        let declaring = self.declaring(incoming, code).await?;
        let form = |draft: &Declaration| declaring.sight.form(draft);
        match panel::take(PanelAction::Seal, &form, &declaring.own) {
            Ok(Taken::Seals) => {
                Ok(PrivateAnswer::words(self.sealed(incoming, &declaring, &declaring.own).await?))
            }
            _ if declaring.own.is_empty() => Err(Refused::Empty.into()),
            _ => Err(Refused::Faulty.into()),
        }
    }

    /// `/withdraw`: all of it, or one section.
    pub(super) async fn withdraw(
        &self,
        incoming: &Incoming,
        code: &str,
        section: Option<&String>,
    ) -> Result<PrivateAnswer, Unanswered> {
        let declaring = self.declaring(incoming, code).await?;
        if declaring.own.is_empty() && !declaring.has_sealed() {
            return Err(Refused::NothingDeclared.into());
        }
        let mut draft = Declaration::default();
        if let Some(section) = section {
            let lexicon = declaring.sight.game.lexicon();
            draft = NamedPart::read(section).taken_from(&declaring.own, lexicon);
            if draft == declaring.own {
                let text =
                    self.letters.refused(&declaring.reader, Refused::NothingThere, section)?;
                return Ok(PrivateAnswer::words(text));
            }
        }
        let filed = self.file(incoming, &declaring, &draft, Said::Draft).await?;
        let echo = Echo {
            seat: declaring.seat,
            interview: &filed.interview,
            unread: &[],
            sealed: false,
            skipped: declaring.sight.is_skipped(),
            closing: declaring.sight.closing_times(filed.timing, clock::now()),
            on_a_quarter: declaring.sight.closes_on_a_quarter(),
            receipt: None,
        };
        Ok(PrivateAnswer::words(self.letters.echo(&declaring.reader, &echo)?))
    }

    /// What can come next in a text that declares, or in one that says what is done at once.
    pub(super) async fn suggested(
        &self,
        incoming: &Incoming,
        typed: &str,
        at_once: bool,
    ) -> Result<Vec<String>, Unanswered> {
        let code = self.code(incoming).await?;
        let declaring = if at_once {
            self.seated(incoming, &code).await?.acting(Declaration::default())
        } else {
            self.declaring(incoming, &code).await?
        };
        Ok(declaring.suggested(typed, incoming.person.lang))
    }
}
