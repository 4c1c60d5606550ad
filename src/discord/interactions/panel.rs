//! Declarations by a panel, by a form, or by a typed line; and the draft that a panel shows.

use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::answer;
use crate::answer::PrivateAnswer;
use crate::blocking::run_blocking;
use crate::controls::control::{DraftKeeper, PressEffect};
use crate::controls::{Control, DraftReference, PressedAnswers};
use crate::interactions::{Context, InteractionHandler, Result, thread};
use crate::posting::channel::split_into_messages;
use desk::commands::Command;
use desk::conversation::{Conversation, ConversationAnswer, LINES_BESIDE, SaidAct};
use desk::{DeclarationStatus, PressedControl, Sight, clock};
use games::meaning::LineMeaning;
use letters::discord::{DoneNote, MovedOn, SealedNote, TypedInVain};
use letters::panel::{
    Blank, EditedDraft, PanelAction, PanelDrawing, PanelSubject, PressOutcome, Revision, View,
    limits, shortened,
};
use letters::{DeclarationRefused, Moment, OwnHand, Reader, Refused, UnreadPiece, follow, panel};
use rules::text::complete;
use rules::{Declaration, Interview, text};
use tables::ids::{TableCode, WindowNumber};

/// The timeout of drawing a form: a response that opens one cannot be deferred.
const FORM: Duration = Duration::from_secs(2);

/// `/orders` and `/next`: shows the panel of the stored draft, or changes it by a text.
pub(super) async fn say_ahead(
    cx: Context<'_>,
    command: Command,
    text: Option<&String>,
) -> Result<()> {
    let (code, is_next) = (thread::code(cx).await?, command == Command::Next);
    let context =
        if is_next { next_context(cx, &code).await? } else { orders_context(cx, &code).await? };
    let Some(text) = text else {
        return draw_draft(cx, &context, None).await;
    };
    let about = about(cx, &context);
    let answer = if is_next { about.next(text).await? } else { about.orders(text).await? };
    cx.send(cx.shown(&code, &context.reader, answer)?).await
}

/// `/declare`: shows the panel, or changes the draft by a text.
pub(super) async fn declare(cx: Context<'_>, text: Option<&String>) -> Result<()> {
    let code = thread::code(cx).await?;
    let Some(text) = text else { return panel(cx, &code).await };
    let context = declaration_context(cx, &code).await?;
    match run_blocking(|| context.sight.meaning(text, &context.own)) {
        LineMeaning::Card(card) => {
            let name = context.sight.game.lexicon().name(&card.id, context.reader.lang);
            let card_text = cx.handler.letters.card(&context.reader, name)?;
            return draw_draft(cx, &context, Some(card_text)).await;
        }
        LineMeaning::Acts(_) => {
            return offer_act(cx, context, text).await;
        }
        LineMeaning::Declares(_) => {}
    }
    let reading = run_blocking(|| context.sight.read(text, &context.own));
    let unread = UnreadPiece::of(&reading);
    let edited = EditedDraft { draft: reading.declaration, view: View::default(), unread };
    save_draft(cx, &context, edited, None).await
}

/// Shows the panel of the draft; to a player with nothing to declare, the panel of immediate acts.
pub(super) async fn panel(cx: Context<'_>, code: &TableCode) -> Result<()> {
    let seated = seat_context(cx, code).await?;
    let is_asked = seated.sight.is_asked();
    let declares = is_asked && !seated.form(&Declaration::default()).asked.is_empty();
    let context = if declares { seated } else { seated.with_act(Declaration::default()) };
    draw_draft(cx, &context, None).await
}

/// Handles a press on a panel.
pub(super) async fn press(
    cx: Context<'_>,
    drafted: &DraftReference,
    action: PanelAction,
) -> Result<()> {
    if let PanelAction::Write(blank) = action {
        return open(cx, drafted, blank).await;
    }
    cx.defer_update().await?;
    let context = draft_context(cx, drafted).await?;
    if context.subject == PanelSubject::Act && action == PanelAction::Seal {
        let pressed = context.pressed(drafted.window);
        return do_act(cx, context, Some(pressed)).await;
    }
    if context.drafted(&context.own) != *drafted {
        return draw_outdated(cx, &context).await;
    }
    let form = |draft: &Declaration| context.form(draft);
    let before = said_before(cx.handler, &context).await?;
    match panel::take(action, &form, &context.own, before.as_ref()) {
        Ok(PressOutcome::Kept(edited)) => save_draft(cx, &context, edited, None).await,
        Ok(PressOutcome::SaysAgain(again)) => {
            let note = about(cx, &context).note_of(&again, &context.own)?;
            let edited = EditedDraft::of(again.draft);
            save_draft(cx, &context, edited, Some(note)).await
        }
        Ok(PressOutcome::Seals(read)) => {
            let sealed = sealed(cx, &context, &context.own, read).await?;
            cx.send(sealed).await
        }
        Ok(PressOutcome::Opens(_)) | Err(_) => draw_outdated(cx, &context).await,
    }
}

/// Opens a form.
async fn open(cx: Context<'_>, drafted: &DraftReference, blank: Blank) -> Result<()> {
    let drawn = tokio::time::timeout(FORM, form_of(cx, drafted, blank)).await;
    match drawn {
        Ok(Ok(Some(modal))) => {
            let control = Control::Form { draft: drafted.clone(), blank };
            let (api, handle) = (&cx.handler.api, &cx.incoming.handle);
            Ok(answer::open(api, handle, &control, &modal.title, &modal.fields).await?)
        }
        drawn => {
            cx.defer_update().await?;
            if let Ok(Err(error)) = drawn {
                return Err(error);
            }
            let context = draft_context(cx, drafted).await?;
            draw_outdated(cx, &context).await
        }
    }
}

/// Returns a form; `None` if the draft has changed since.
async fn form_of(
    cx: Context<'_>,
    drafted: &DraftReference,
    blank: Blank,
) -> Result<Option<panel::Modal>> {
    let context = draft_context(cx, drafted).await?;
    if context.drafted(&context.own) != *drafted {
        return Ok(None);
    }
    let form = |draft: &Declaration| context.form(draft);
    let view = View::default();
    let drawing = PanelDrawing {
        letters: &cx.handler.letters,
        reader: &context.reader,
        form: &form,
        draft: &context.own,
        before: None,
        view: &view,
        unread: &[],
        subject: context.subject,
    };
    Ok(Some(panel::modal(&drawing, &context.sight.words(), blank)?))
}

/// Handles the submitted input of a form.
pub(super) async fn type_into_draft(
    cx: Context<'_>,
    drafted: &DraftReference,
    blank: Blank,
    fields: &[String],
) -> Result<()> {
    let context = match draft_context(cx, drafted).await {
        Ok(context) => context,
        Err(error) => {
            give_back(cx, fields).await?;
            return Err(error);
        }
    };
    let form = |draft: &Declaration| context.form(draft);
    let words = context.sight.words();
    let edited = if context.drafted(&context.own) == *drafted {
        run_blocking(|| panel::submit(blank, fields, &form, &context.own, &words)).ok()
    } else {
        None
    };
    let Some(edited) = edited else {
        draw_outdated(cx, &context).await?;
        return give_back(cx, fields).await;
    };
    save_draft(cx, &context, edited, None).await
}

/// Sends the input of an outdated form back to its author, so that it is not lost.
async fn give_back(cx: Context<'_>, fields: &[String]) -> Result<()> {
    let typed: Vec<&str> = fields.iter().flat_map(|field| field.lines()).collect();
    if typed.iter().all(|line| line.trim().is_empty()) {
        return Ok(());
    }
    let reader = cx.plain_reader();
    let text = cx.write(&reader, &TypedInVain { lines: typed })?;
    for piece in split_into_messages(&text) {
        cx.say_more(piece).await?;
    }
    Ok(())
}

/// `/seal`: seals the draft; if it is incomplete, shows the panel, which asks for confirmation.
pub(super) async fn seal(cx: Context<'_>, code: &TableCode) -> Result {
    let context = declaration_context(cx, code).await?;
    let form = |draft: &Declaration| context.sight.form(draft);
    match panel::take(PanelAction::Seal, &form, &context.own, None) {
        Ok(PressOutcome::Seals(read)) => sealed(cx, &context, &context.own, read).await,
        _ if context.own.is_empty() => Err(DeclarationRefused::Empty.into()),
        _ => Err(DeclarationRefused::Faulty.into()),
    }
}

/// `/withdraw`: clears the draft or one section.
pub(super) async fn withdraw(
    cx: Context<'_>,
    code: &TableCode,
    section: Option<&String>,
) -> Result {
    let context = declaration_context(cx, code).await?;
    let conversation = about(cx, &context);
    let (left, mut note) =
        conversation.without(&context.own, section.map_or("", String::as_str))?;
    let received = conversation.declare(&left, DeclarationStatus::Draft).await?;
    (cx.handler.ring)();
    follow(&mut note, &conversation.echo_of(&received, &[])?);
    Ok(PrivateAnswer::words(note))
}

/// Returns the completions of an input to `/declare`, `/orders`, `/next` or `/act`.
pub(super) async fn suggested(
    cx: Context<'_>,
    typed: &str,
    command: Command,
) -> Result<Vec<(String, Json)>> {
    let code = thread::code(cx).await?;
    let context = match command {
        Command::Act => seat_context(cx, &code).await?.with_act(Declaration::default()),
        Command::Orders => orders_context(cx, &code).await?,
        Command::Next => next_context(cx, &code).await?,
        _ => declaration_context(cx, &code).await?,
    };
    Ok(context.suggested(typed))
}

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
    fn with_said_ahead(self, own: Declaration, subject: PanelSubject) -> Self {
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

    fn drafted(&self, draft: &Declaration) -> DraftReference {
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
pub(super) async fn seat_context(cx: Context<'_>, code: &TableCode) -> Result<DeclarationContext> {
    let (sight, reader) = cx.see(code).await?;
    sight.seated()?;
    let (play, _) = sight.seated_in_game()?;
    let (number, own) = (play.number, play.own.clone());
    let (subject, acts) = (PanelSubject::Declaration, play.contest.acts_done());
    Ok(DeclarationContext { sight, reader, number, own, subject, acts })
}

/// Returns the context of a player who is asked to declare.
pub(super) async fn declaration_context(
    cx: Context<'_>,
    code: &TableCode,
) -> Result<DeclarationContext> {
    let context = seat_context(cx, code).await?;
    if context.sight.is_asked() { Ok(context) } else { Err(DeclarationRefused::NotAsked.into()) }
}

/// Returns the context of a draft's panel.
async fn draft_context(cx: Context<'_>, drafted: &DraftReference) -> Result<DeclarationContext> {
    match &drafted.keeper {
        DraftKeeper::Table(_) => declaration_context(cx, &drafted.code).await,
        DraftKeeper::Panel(PressedAnswers(declared), acts) => {
            let seated = seat_context(cx, &drafted.code).await?;
            Ok(DeclarationContext { acts: *acts, ..seated.with_act(declared.clone()) })
        }
        DraftKeeper::Orders(_) => orders_context(cx, &drafted.code).await,
        DraftKeeper::Next(_) => next_context(cx, &drafted.code).await,
    }
}

/// Returns the context of a player's standing orders.
async fn orders_context(cx: Context<'_>, code: &TableCode) -> Result<DeclarationContext> {
    let seated = seat_context(cx, code).await?;
    let standing = desk::orders(&cx.handler.desk, code, cx.account(), clock::now()).await?;
    Ok(seated.with_said_ahead(standing.orders, PanelSubject::Orders))
}

/// Returns the context of a player's declaration for the next window.
async fn next_context(cx: Context<'_>, code: &TableCode) -> Result<DeclarationContext> {
    let seated = seat_context(cx, code).await?;
    seated.sight.next_kind()?;
    let next = seated.sight.play.as_ref().map(|play| play.next.clone());
    Ok(seated.with_said_ahead(next.unwrap_or_default(), PanelSubject::Next))
}

/// Draws the panel of the context's draft, below a note.
pub(super) async fn draw_draft(
    cx: Context<'_>,
    context: &DeclarationContext,
    note: Option<String>,
) -> Result<()> {
    let draft = context.own.clone();
    let edited = EditedDraft::of(draft);
    draw(cx, context, &edited, note).await
}

/// Stores a draft if it has changed, and draws its panel below a note. An immediate act is stored only in
/// the panel.
pub(super) async fn save_draft(
    cx: Context<'_>,
    context: &DeclarationContext,
    mut edited: EditedDraft,
    note: Option<String>,
) -> Result<()> {
    let conversation = about(cx, context);
    match context.subject {
        PanelSubject::Declaration if edited.draft != context.own => {
            let received = conversation.declare(&edited.draft, DeclarationStatus::Draft).await?;
            edited.draft = received.declaration;
            (cx.handler.ring)();
        }
        PanelSubject::Orders if edited.draft != context.own => {
            conversation.keep_orders(&edited.draft).await?;
        }
        PanelSubject::Next => conversation.keep_next(&edited.draft).await?,
        _ => {}
    }
    draw(cx, context, &edited, note.filter(|note| !note.is_empty())).await
}

/// Shows that the pressed panel is outdated, and draws the present one.
pub(super) async fn draw_outdated(cx: Context<'_>, context: &DeclarationContext) -> Result<()> {
    let note = cx.write(&context.reader, &MovedOn {})?;
    let draft = match context.subject {
        PanelSubject::Act => Declaration::default(),
        PanelSubject::Declaration | PanelSubject::Orders | PanelSubject::Next => {
            context.own.clone()
        }
    };
    let edited = EditedDraft::of(draft);
    draw(cx, context, &edited, Some(note)).await
}

/// Draws a panel below the player's hand.
pub(super) async fn draw(
    cx: Context<'_>,
    context: &DeclarationContext,
    edited: &EditedDraft,
    note: Option<String>,
) -> Result<()> {
    let form = |draft: &Declaration| context.form(draft);
    if context.subject == PanelSubject::Act && form(&Declaration::default()).asked.is_empty() {
        return tell_hand(cx, context, note).await;
    }
    let drafted = context.drafted(&edited.draft);
    if !drafted.fits() {
        let text = context.written(&edited.draft);
        let long = DeclarationRefused::TooLongForButtons;
        let refusal = cx.handler.letters.refused(&context.reader, long, &text)?;
        return cx.send(PrivateAnswer::words(refusal)).await;
    }
    let before = said_before(cx.handler, context).await?;
    let mut panel = panel::draw(&PanelDrawing {
        letters: &cx.handler.letters,
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
    let sealed = sealed.then(|| cx.write(&context.reader, &SealedNote {}));
    let mut text = note.unwrap_or_default();
    if context.subject == PanelSubject::Act {
        let asked = about(cx, context).ask_before(&edited.draft, true)?;
        follow(&mut text, &asked.unwrap_or_default());
    }
    for more in [sealed.transpose()?, Some(panel.text)].into_iter().flatten() {
        follow(&mut text, &more);
    }
    panel.text = text;
    let mut hand = hand_of(cx.handler, context)?;
    let own = if declares { &edited.draft } else { &context.own };
    let side = about(cx, context).side_beside(own, LINES_BESIDE).await?;
    follow(&mut hand, &side.unwrap_or_default());
    let InteractionHandler { api, .. } = cx.handler;
    Ok(answer::draw(api, &cx.incoming.handle, &hand, &panel, &drafted).await?)
}

/// Returns the player's previous declaration, if the panel is one of a declaration.
async fn said_before(
    handler: &InteractionHandler,
    context: &DeclarationContext,
) -> Result<Option<Declaration>> {
    if context.subject != PanelSubject::Declaration {
        return Ok(None);
    }
    Ok(desk::said_before(&handler.desk, &context.sight).await?)
}

/// Returns the player's hand, with their private information.
fn hand_of(handler: &InteractionHandler, context: &DeclarationContext) -> Result<String> {
    let DeclarationContext { sight, reader, .. } = context;
    let (play, seat) = sight.seated_in_play()?;
    let report = play.contest.report(sight.viewer());
    Ok(handler.letters.write(reader, &OwnHand { seat, report: &report })?)
}

/// Seals a draft with its parsed interview, and echoes it with its receipt.
pub(super) async fn sealed(
    cx: Context<'_>,
    context: &DeclarationContext,
    draft: &Declaration,
    read: Interview,
) -> Result {
    let conversation = about(cx, context);
    let received = conversation.declare_as_read(draft, read, DeclarationStatus::Sealed).await?;
    (cx.handler.ring)();
    let text = conversation.echo_of(&received, &[])?;
    let next_steps = conversation.after_sealing(draft);
    let sealed = ConversationAnswer { text, next_steps, ..ConversationAnswer::default() };
    Ok(PrivateAnswer::of(sealed, &context.sight.code, &cx.handler.letters, &context.reader)?)
}

/// Returns the conversation of the person about the context's table.
pub(super) fn about<'a>(cx: Context<'a>, context: &'a DeclarationContext) -> Conversation<'a> {
    cx.about(&context.sight, &context.reader)
}

/// Shows the hand to a player who has nothing to declare or do, with a notice of that.
async fn tell_hand(
    cx: Context<'_>,
    context: &DeclarationContext,
    note: Option<String>,
) -> Result<()> {
    let mut text = hand_of(cx.handler, context)?;
    let why = cx.handler.letters.refused(&context.reader, DeclarationRefused::NotAsked, "")?;
    for more in [note, Some(why)].into_iter().flatten() {
        follow(&mut text, &more);
    }
    cx.send(PrivateAnswer::words(text)).await
}

/// Handles a one-press button on a table's post.
pub(super) async fn say_by_press(
    cx: Context<'_>,
    (code, window): (&TableCode, WindowNumber),
    effect: PressEffect,
    answers: &PressedAnswers,
) -> Result<()> {
    match effect {
        PressEffect::Sealed => cx.answer(seals(cx, code, window, &answers.0)).await,
        PressEffect::Done(acts) => {
            let said = answers.0.clone();
            let pressed = PressedControl { window, acts, said, is_private: false };
            // The post shows the act: only a refusal is sent.
            let done = async {
                let acting = seat_context(cx, code).await?;
                let acting = acting.with_act(pressed.said.clone());
                carry_out(cx, &acting, Some(pressed)).await
            };
            cx.update(done).await
        }
        PressEffect::Begun => {
            let at = (code, window);
            cx.show(begin_act(cx, at, answers)).await
        }
    }
}

/// `/act`: carries out an act if the text is complete; else shows the panel.
pub(super) async fn act(cx: Context<'_>, text: Option<&String>) -> Result<()> {
    let code = thread::code(cx).await?;
    let seated = seat_context(cx, &code).await?;
    let text = text.map_or("", String::as_str);
    let act = said_act(cx, &seated, text);
    if act.is_whole() && act.is_named && seated.sight.at_stake(&act.declared).is_none() {
        return do_act(cx, seated.with_act(act.declared), None).await;
    }
    draw_act(cx, seated, act).await
}

/// Offers a declared line that could be an immediate act as a button.
pub(super) async fn offer_act(
    cx: Context<'_>,
    seated: DeclarationContext,
    text: &str,
) -> Result<()> {
    let act = said_act(cx, &seated, text);
    draw_act(cx, seated, act).await
}

fn said_act(cx: Context<'_>, seated: &DeclarationContext, text: &str) -> SaidAct {
    run_blocking(|| about(cx, seated).read_act(text))
}

async fn draw_act(cx: Context<'_>, seated: DeclarationContext, act: SaidAct) -> Result<()> {
    let acting = seated.with_act(act.declared);
    let draft = acting.own.clone();
    let edited = EditedDraft { draft, view: View::default(), unread: act.unread };
    save_draft(cx, &acting, edited, None).await
}

/// Seals an answer in place of the earlier declaration.
async fn seals(
    cx: Context<'_>,
    code: &TableCode,
    window: WindowNumber,
    declared: &Declaration,
) -> Result {
    let context = declaration_context(cx, code).await?;
    if context.number != window {
        return Ok(PrivateAnswer::words(too_late(cx.handler, &context, window).await?));
    }
    let read = context.form(declared);
    if !read.is_complete() || !read.superfluous.is_empty() {
        return Err(Refused::NotNow.into());
    }
    sealed(cx, &context, declared, read).await
}

/// Returns the notice that a window has closed, with its time.
async fn too_late(
    handler: &InteractionHandler,
    context: &DeclarationContext,
    window: WindowNumber,
) -> Result<String> {
    let DeclarationContext { sight, reader, .. } = context;
    let closed =
        store::windows::closed(&mut handler.desk.store().read().await?, &sight.code, window)
            .await?;
    let plain = reader.clone().in_plain_text();
    let at = closed.map(|(at, _)| handler.letters.when(&plain, &Moment::at(at, sight.pace.zone)));
    let at = at.transpose()?.unwrap_or_default();
    Ok(handler.letters.refused(reader, DeclarationRefused::Closed, &at)?)
}

/// Draws the panel of an incomplete act.
async fn begin_act(
    cx: Context<'_>,
    (code, window): (&TableCode, WindowNumber),
    answers: &PressedAnswers,
) -> Result<()> {
    let acting = seat_context(cx, code).await?.with_act(answers.0.clone());
    if acting.number == window {
        draw_draft(cx, &acting, None).await
    } else {
        draw_outdated(cx, &acting).await
    }
}

/// Carries out the act of a panel, and shows the new state: the hand, and further acts.
pub(super) async fn do_act(
    cx: Context<'_>,
    acting: DeclarationContext,
    pressed: Option<PressedControl>,
) -> Result<()> {
    let (note, left) = match carry_out(cx, &acting, pressed).await {
        Ok(()) => (cx.write(&acting.reader, &DoneNote {})?, Declaration::default()),
        Err(error) => {
            let Some(refused) = error.refused() else { return Err(error) };
            // Another change of the player's came between: the act is still possible.
            let is_left = refused == Refused::MovedOn;
            let left = if is_left { acting.own.clone() } else { Declaration::default() };
            (cx.refusal_text(error)?, left)
        }
    };
    let now = seat_context(cx, &acting.sight.code).await?;
    draw_draft(cx, &now.with_act(left), Some(note)).await
}

async fn carry_out(
    cx: Context<'_>,
    acting: &DeclarationContext,
    pressed: Option<PressedControl>,
) -> Result<()> {
    about(cx, acting).act(&acting.own, pressed).await?;
    (cx.handler.ring)();
    Ok(())
}
