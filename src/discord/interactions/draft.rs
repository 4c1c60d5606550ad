//! The draft of a declaration: its context, and the panel that shows it.

use serde_json::{Value as Json, json};

use crate::address;
use crate::answer::{DeferredReply, PrivateAnswer};
use crate::controls::control::{DraftKeeper, DraftReference};
use crate::controls::pressed_answers::PressedAnswers;
use crate::incoming::Incoming;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use desk::conversation::{Conversation, ConversationAnswer, LINES_BESIDE};
use desk::{DeclarationStatus, PressedControl, Sight, clock};
use letters::discord::{MovedOn, SealedNote};
use letters::panel::{self, EditedDraft, PanelDrawing, PanelSubject, Revision, limits, shortened};
use letters::{DeclarationRefused, OwnHand, Reader, follow};
use rules::text::{self, complete};
use rules::{Declaration, Interview};
use tables::ids::{AccountId, TableCode, WindowNumber};

/// The maximum length of a suggested value.
const SUGGESTED: usize = 100;

/// A table from the view of a person who can declare or act there.
pub(super) struct DeclarationContext {
    pub(super) sight: Sight,
    pub(super) reader: Reader,
    pub(super) number: WindowNumber,
    /// The declaration so far.
    pub(super) own: Declaration,
    pub(super) subject: PanelSubject,
    /// The number of acts in the window when it was first shown to the person.
    pub(super) acts: usize,
}

impl DeclarationContext {
    /// Returns the context of an immediate act, with the act so far in place of the draft.
    pub(super) fn with_act(self, declared: Declaration) -> Self {
        Self { own: declared, subject: PanelSubject::Act, ..self }
    }

    /// Returns the panel's control that carries out the act.
    pub(super) fn pressed(&self, window: WindowNumber) -> PressedControl {
        PressedControl { window, acts: self.acts, said: self.own.clone(), is_private: true }
    }

    /// Returns the context of standing orders or of the next window, with this declaration in place of the
    /// draft.
    pub(super) fn with_said_ahead(self, own: Declaration, subject: PanelSubject) -> Self {
        Self { own, subject, ..self }
    }

    /// Returns the interview of a draft.
    pub(super) fn form(&self, draft: &Declaration) -> Interview {
        match self.subject {
            PanelSubject::Declaration => self.sight.form_with_orders(draft),
            PanelSubject::Next => self.sight.form(draft),
            PanelSubject::Act => self.sight.acting(draft),
            PanelSubject::Orders => self.sight.ordering(draft),
        }
    }

    /// Returns the completions of an input.
    pub(super) fn suggested(&self, typed: &str) -> Vec<(String, Json)> {
        let form = |draft: &Declaration| self.form(draft);
        let next = complete(typed, &self.own, &form, &self.sight.words(), self.reader.lang);
        let whole = next.into_iter().map(|next| {
            let whole = format!("{}{}", &typed[..next.start], next.text);
            let about = next.id.and_then(|id| self.reader.about(&id));
            let shown = about.map(|about| format!("{whole} \u{2013} {about}"));
            let shown = shown.unwrap_or_else(|| whole.clone());
            (shown, whole)
        });
        // A longer text is left out, since Discord limits values and a text must not be cut.
        let short = whole.filter(|(_, whole)| whole.encode_utf16().count() <= SUGGESTED);
        let choice = |(shown, whole)| (shortened(shown, limits::ENTRY), json!(whole));
        short.map(choice).take(limits::ENTRIES).collect()
    }

    /// Returns a draft as a typed line.
    pub(super) fn written(&self, draft: &Declaration) -> String {
        text::write(draft, &self.form(draft), &self.sight.words(), self.reader.lang)
    }

    pub(super) fn drafted(&self, draft: &Declaration) -> DraftReference {
        let keeper = match self.subject {
            PanelSubject::Declaration => DraftKeeper::Table(Revision::of(self.number, draft)),
            PanelSubject::Act => DraftKeeper::Panel(PressedAnswers(draft.clone()), self.acts),
            PanelSubject::Orders => DraftKeeper::Orders(Revision::of(self.number, draft)),
            PanelSubject::Next => DraftKeeper::Next(Revision::of(self.number, draft)),
        };
        DraftReference { code: self.sight.code.clone(), window: self.number, keeper }
    }
}

/// Returns the context of a player at a table that has begun, with their declaration.
pub(super) async fn seat_context(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<DeclarationContext, InteractionError> {
    let (sight, reader) = handler.see(incoming, code).await?;
    sight.seated()?;
    let (play, _) = sight.seated_in_game()?;
    let (number, own) = (play.number, play.own.clone());
    let (subject, acts) = (PanelSubject::Declaration, play.contest.acts_done());
    Ok(DeclarationContext { sight, reader, number, own, subject, acts })
}

/// Returns the context of a player who is asked to declare.
pub(super) async fn declaration_context(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<DeclarationContext, InteractionError> {
    let context = seat_context(handler, incoming, code).await?;
    if context.sight.is_asked() { Ok(context) } else { Err(DeclarationRefused::NotAsked.into()) }
}

/// Returns the context of a draft's panel.
pub(super) async fn draft_context(
    handler: &InteractionHandler,
    incoming: &Incoming,
    drafted: &DraftReference,
) -> Result<DeclarationContext, InteractionError> {
    match &drafted.keeper {
        DraftKeeper::Table(_) => declaration_context(handler, incoming, &drafted.code).await,
        DraftKeeper::Panel(PressedAnswers(declared), acts) => {
            let seated = seat_context(handler, incoming, &drafted.code).await?;
            Ok(DeclarationContext { acts: *acts, ..seated.with_act(declared.clone()) })
        }
        DraftKeeper::Orders(_) => orders_context(handler, incoming, &drafted.code).await,
        DraftKeeper::Next(_) => next_context(handler, incoming, &drafted.code).await,
    }
}

/// Returns the context of a player's standing orders.
pub(super) async fn orders_context(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<DeclarationContext, InteractionError> {
    let seated = seat_context(handler, incoming, code).await?;
    let account = address::account(incoming.person.id);
    let standing = desk::orders(&handler.desk, code, &account, clock::now()).await?;
    Ok(seated.with_said_ahead(standing.orders, PanelSubject::Orders))
}

/// Returns the context of a player's declaration for the next window.
pub(super) async fn next_context(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<DeclarationContext, InteractionError> {
    let seated = seat_context(handler, incoming, code).await?;
    seated.sight.next_kind()?;
    let next = seated.sight.play.as_ref().map(|play| play.next.clone());
    Ok(seated.with_said_ahead(next.unwrap_or_default(), PanelSubject::Next))
}

/// Draws the panel of the context's draft, below a note.
pub(super) async fn draw_draft(
    handler: &InteractionHandler,
    incoming: &Incoming,
    context: &DeclarationContext,
    note: Option<String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let draft = context.own.clone();
    let edited = EditedDraft::of(draft);
    draw(handler, incoming, context, &edited, note, reply).await
}

/// Stores a draft if it has changed, and draws its panel below a note. An immediate act is stored only in
/// the panel.
pub(super) async fn save_draft(
    handler: &InteractionHandler,
    incoming: &Incoming,
    context: &DeclarationContext,
    mut edited: EditedDraft,
    note: Option<String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let account = address::account(incoming.person.id);
    let conversation = about(handler, context, &account);
    match context.subject {
        PanelSubject::Declaration if edited.draft != context.own => {
            let received = conversation.declare(&edited.draft, DeclarationStatus::Draft).await?;
            edited.draft = received.declaration;
            (handler.ring)();
        }
        PanelSubject::Orders if edited.draft != context.own => {
            conversation.keep_orders(&edited.draft).await?;
        }
        PanelSubject::Next => conversation.keep_next(&edited.draft).await?,
        _ => {}
    }
    draw(handler, incoming, context, &edited, note.filter(|note| !note.is_empty()), reply).await
}

/// Shows that the pressed panel is outdated, and draws the present one.
pub(super) async fn draw_outdated(
    handler: &InteractionHandler,
    incoming: &Incoming,
    context: &DeclarationContext,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let note = handler.letters.write(&context.reader, &MovedOn {})?;
    let draft = match context.subject {
        PanelSubject::Act => Declaration::default(),
        PanelSubject::Declaration | PanelSubject::Orders | PanelSubject::Next => {
            context.own.clone()
        }
    };
    let edited = EditedDraft::of(draft);
    draw(handler, incoming, context, &edited, Some(note), reply).await
}

/// Draws a panel below the player's hand.
pub(super) async fn draw(
    handler: &InteractionHandler,
    incoming: &Incoming,
    context: &DeclarationContext,
    edited: &EditedDraft,
    note: Option<String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let form = |draft: &Declaration| context.form(draft);
    if context.subject == PanelSubject::Act && form(&Declaration::default()).asked.is_empty() {
        return tell_hand(handler, context, note, reply).await;
    }
    let drafted = context.drafted(&edited.draft);
    if !drafted.fits() {
        let text = context.written(&edited.draft);
        let long = DeclarationRefused::TooLongForButtons;
        let refusal = handler.letters.refused(&context.reader, long, &text)?;
        return Ok(reply.send(PrivateAnswer::words(refusal)).await?);
    }
    let before = said_before(handler, context).await?;
    let mut panel = panel::draw(&PanelDrawing {
        letters: &handler.letters,
        reader: &context.reader,
        form: &form,
        draft: &edited.draft,
        before: before.as_ref(),
        view: &edited.view,
        unread: &edited.unread,
        subject: context.subject,
    })?;
    let declares = context.subject == PanelSubject::Declaration;
    let own = declares && context.sight.has_sealed();
    let sealed = own && edited.draft == context.own;
    let sealed = sealed.then(|| handler.letters.write(&context.reader, &SealedNote {}));
    let mut text = note.unwrap_or_default();
    if context.subject == PanelSubject::Act {
        let account = address::account(incoming.person.id);
        let asked = about(handler, context, &account).ask_before(&edited.draft, true)?;
        follow(&mut text, &asked.unwrap_or_default());
    }
    for more in [sealed.transpose()?, Some(panel.text)].into_iter().flatten() {
        follow(&mut text, &more);
    }
    panel.text = text;
    let mut hand = hand_of(handler, context)?;
    let account = address::account(incoming.person.id);
    let own = if declares { &edited.draft } else { &context.own };
    let side = about(handler, context, &account).side_beside(own, LINES_BESIDE).await?;
    follow(&mut hand, &side.unwrap_or_default());
    Ok(reply.draw(&hand, &panel, &drafted).await?)
}

/// Returns the player's previous declaration, if the panel is one of a declaration.
pub(super) async fn said_before(
    handler: &InteractionHandler,
    context: &DeclarationContext,
) -> Result<Option<Declaration>, InteractionError> {
    if context.subject != PanelSubject::Declaration {
        return Ok(None);
    }
    Ok(desk::said_before(&handler.desk, &context.sight).await?)
}

/// Returns the player's hand, with their private information.
pub(super) fn hand_of(
    handler: &InteractionHandler,
    context: &DeclarationContext,
) -> Result<String, InteractionError> {
    let DeclarationContext { sight, reader, .. } = context;
    let (play, seat) = sight.seated_in_play()?;
    let report = play.contest.report(sight.viewer());
    Ok(handler.letters.write(reader, &OwnHand { seat, report: &report })?)
}

/// Seals a draft with its parsed interview, and echoes it with its receipt.
pub(super) async fn sealed(
    handler: &InteractionHandler,
    incoming: &Incoming,
    context: &DeclarationContext,
    draft: &Declaration,
    read: Interview,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    let conversation = about(handler, context, &account);
    let received = conversation.declare_as_read(draft, read, DeclarationStatus::Sealed).await?;
    (handler.ring)();
    let text = conversation.echo_of(&received, &[])?;
    let next_steps = conversation.after_sealing(draft);
    let sealed = ConversationAnswer { text, next_steps, ..ConversationAnswer::default() };
    Ok(PrivateAnswer::of(sealed, &context.sight.code, &handler.letters, &context.reader)?)
}

/// Returns the conversation of an account about the context's table.
pub(super) fn about<'a>(
    handler: &'a InteractionHandler,
    context: &'a DeclarationContext,
    account: &'a AccountId,
) -> Conversation<'a> {
    Conversation { speaker: handler.speaker(account, &context.reader), sight: &context.sight }
}

/// Shows the hand to a player who has nothing to declare or do, with a notice of that.
pub(super) async fn tell_hand(
    handler: &InteractionHandler,
    context: &DeclarationContext,
    note: Option<String>,
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let mut text = hand_of(handler, context)?;
    let why = handler.letters.refused(&context.reader, DeclarationRefused::NotAsked, "")?;
    for more in [note, Some(why)].into_iter().flatten() {
        follow(&mut text, &more);
    }
    Ok(reply.send(PrivateAnswer::words(text)).await?)
}
