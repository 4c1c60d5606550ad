//! A game master's decisions. Each is shown as a dry run first, and the proposal is stored until its reason
//! and its publicity are given.

pub(super) mod complete;

use chrono_tz::Tz;
use serenity::all::UserId;

use crate::address;
use crate::answer::{self, DeferredReply, PrivateAnswer};
use crate::controls::buttons;
use crate::controls::control::Control;
use crate::incoming::{GmCommand, GmRequest, Incoming, PickedTarget};
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::settings::below;
use crate::interactions::{meant, reply, substitute};
use desk::{
    Contact, Decision, GmView, MadeOverride, NotDone, Override, OverrideReply, OverrideRequest,
    clock, log_of_decisions,
};
use letters::discord::{MayDecide, ReasonField};
use letters::panel::{Field, Style, limits, shortened};
use letters::{LetterFault, MadeDecision, OverrideRefused, PutToTheVote, Reader, Refused};
use rules::text::Lang;
use store::traces;
use tables::Notified;
use tables::ids::{AccountId, OverrideNumber, ProposalId, TableCode};

/// The maximum length of a reason, in characters.
const REASON: usize = 1000;

/// Carries out a game master's command, or shows its dry run.
pub(super) async fn gm_request(
    handler: &InteractionHandler,
    incoming: &Incoming,
    request: &GmRequest,
) -> Result<PrivateAnswer, InteractionError> {
    let (code, gm, now) = (meant::code(handler, incoming).await?, incoming.gm(), clock::now());
    if let GmCommand::Other(reply @ (OverrideReply::Appoint | OverrideReply::Dismiss)) =
        request.command
    {
        let may = reply == OverrideReply::Appoint;
        return appoint(handler, incoming, &code, request.whom.as_ref(), may).await;
    }
    // The answer is private to the game master.
    let gm_view = desk::gm_view(&handler.desk, &code, &gm, now).await?;
    let gm_view = GmView { lang: incoming.person.lang, ..gm_view };
    let reader = gm_view.sight.reader(incoming.person.lang).with_stamps();
    let verb = match request.command {
        GmCommand::Decide(verb) => verb,
        GmCommand::Other(OverrideReply::Log) => {
            let zone = gm_view.sight.pace.zone;
            let text = log_of_decisions(&gm_view.decided, &handler.letters, &reader, zone, named)?;
            return Ok(PrivateAnswer::words(text));
        }
        GmCommand::Other(OverrideReply::Preview) => {
            return Ok(PrivateAnswer::words(gm_view.preview_words(&handler.letters, &reader)?));
        }
        GmCommand::Other(_) => {
            return Ok(PrivateAnswer::words(gm_view.words(&handler.letters, &reader)?));
        }
    };
    match OverrideRequest::read_options(verb, &request.arguments, &gm_view, now) {
        Ok(read) => {
            let guest = guest_of(handler, &code, request.whom.as_ref()).await?;
            propose(handler, incoming, &code, read.what, guest).await
        }
        Err(fault) => Ok(PrivateAnswer::words(fault.words(&handler.letters, &reader)?)),
    }
}

/// Shows the effect of a decision, and asks for confirmation.
async fn propose(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    what: Override,
    guest: Option<Contact>,
) -> Result<PrivateAnswer, InteractionError> {
    let (gm, lang, now) = (incoming.gm(), incoming.person.lang, clock::now());
    let rehearsal =
        desk::rehearse(&handler.desk, code, &gm, what.clone(), guest.clone(), now).await?;
    let text = rehearsal.words(&what, "", &handler.letters, lang, Reader::with_stamps)?;
    let audience = &rehearsal.audience;
    let shown = rehearsal.changes(&what, &handler.letters)?;
    let foundation = Some(rehearsal.foundation.clone());
    let decision = Decision { guest, foundation, shown, ..what.into() };
    let proposal = desk::propose(&handler.desk, code, &gm, &decision, now).await?;
    let decide = |public| Control::Decide { proposal: proposal.clone(), public };
    let reader = plain_reader(lang);
    let button = |word, style, public| {
        buttons::labelled(&handler.letters, &reader, word, style, &decide(public))
    };
    let mut shown = Vec::new();
    if audience.may_be_public() {
        shown.push(button("decide", Style::Main, true)?);
    }
    if audience.may_be_quiet() {
        shown.push(button("quietly", Style::Plain, false)?);
    }
    Ok(PrivateAnswer { text, rows: buttons::rows(&shown), ..PrivateAnswer::default() })
}

/// Opens the form for a decision's reason.
pub(super) async fn ask_why(
    handler: &InteractionHandler,
    incoming: &Incoming,
    control: &Control,
) -> Result<(), InteractionError> {
    let reader = plain_reader(incoming.person.lang);
    let proposal = match control {
        Control::Decide { proposal, .. } => {
            desk::proposal(&handler.desk, proposal, &incoming.gm()).await?
        }
        _ => None,
    };
    // The reason of a message in the table's name is not published.
    let is_published = !proposal.is_some_and(|(_, of)| matches!(of.what, Override::Say { .. }));
    let caption = |what: &str| {
        let text = handler.letters.write(&reader, &ReasonField { what, told: is_published })?;
        Ok::<_, LetterFault>(text.trim().to_owned())
    };
    let field = Field {
        label: shortened(caption("label")?, limits::TITLE),
        placeholder: shortened(caption("hint")?, limits::ENTRY),
        value: String::new(),
        min: 1,
        max: REASON,
        lines: true,
        required: true,
    };
    let title = shortened(caption("title")?, limits::TITLE);
    Ok(answer::open(&handler.api, &incoming.handle, control, &title, &[field]).await?)
}

/// Makes a decision after its reason was given; if the table has changed, shows the decision anew.
pub(super) async fn decided(
    handler: &InteractionHandler,
    incoming: &Incoming,
    proposal: &ProposalId,
    public: bool,
    reason: &str,
) -> Result<PrivateAnswer, InteractionError> {
    let gm = incoming.gm();
    let reader = plain_reader(incoming.person.lang);
    let Some((code, proposed)) = desk::proposal(&handler.desk, proposal, &gm).await? else {
        return Err(Refused::MovedOn.into());
    };
    let (what, guest) = (proposed.what.clone(), proposed.guest.clone());
    let decision = Decision {
        reason: reason.trim().to_owned(),
        notified: if public { Notified::Public } else { Notified::Private },
        ..proposed
    };
    match desk::decide(&handler.desk, &code, &gm, decision, clock::now()).await {
        Ok(made) => {
            (handler.ring)();
            // An invited person is added only after accepting.
            let is_asked = matches!(what, Override::Invite { .. });
            bring(handler, &code, guest.as_ref().filter(|_| !is_asked)).await?;
            confirmation(handler, &reader, &code, &what, made)
        }
        Err(NotDone::Refused(
            why @ (Refused::MovedOn
            | Refused::Override(OverrideRefused::NoReason | OverrideRefused::NotQuietly)),
        )) => {
            let note = handler.letters.refused(&reader, why, "")?;
            Ok(below(note, propose(handler, incoming, &code, what, guest).await?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the confirmation of a decision: its number, and a button to undo it if that is possible.
fn confirmation(
    handler: &InteractionHandler,
    reader: &Reader,
    code: &TableCode,
    what: &Override,
    made: MadeOverride,
) -> Result<PrivateAnswer, InteractionError> {
    if made.vote {
        return Ok(PrivateAnswer::words(handler.letters.write(reader, &PutToTheVote {})?));
    }
    let is_final = made.is_final;
    let (number, decision) = (made.number.from_one(), what.shown("", Tz::UTC));
    let text = handler.letters.write(
        reader,
        &MadeDecision { number, before: made.before, is_final, decision: &decision },
    )?;
    let control = Control::Undo { code: code.to_owned(), number: made.number };
    let rows = if is_final {
        Vec::new()
    } else {
        buttons::one(&handler.letters, reader, "undo", Style::Plain, &control)?
    };
    Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
}

/// Proposes to undo a decision, which is a decision as well.
pub(super) async fn undo_override(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    number: OverrideNumber,
) -> Result<PrivateAnswer, InteractionError> {
    propose(handler, incoming, code, Override::Undo { number }, None).await
}

/// Adds the taker of a seat to the thread.
async fn bring(
    handler: &InteractionHandler,
    code: &TableCode,
    guest: Option<&Contact>,
) -> Result<(), InteractionError> {
    let Some(user) = guest.and_then(|guest| address::user(&guest.account)) else {
        return Ok(());
    };
    substitute::show_thread(handler, code, user).await
}

/// Returns the taker of a seat, with their language, or the table's if they are unknown.
async fn guest_of(
    handler: &InteractionHandler,
    code: &TableCode,
    whom: Option<&PickedTarget>,
) -> Result<Option<Contact>, InteractionError> {
    let Some(PickedTarget::Person { id, name, bot }) = whom else { return Ok(None) };
    if *bot {
        return Err(OverrideRefused::NoPerson.into());
    }
    let account = address::account(*id);
    let mut session = handler.desk.store().read().await?;
    let known = traces::language_of(&mut session, &account).await?;
    let table = session.table(code).await?.ok_or(Refused::NoTable)?;
    let language = known.unwrap_or(table.language).parse().unwrap_or(Lang::Ja);
    let (name, address) = (name.clone(), address::own(*id));
    Ok(Some(Contact { account, name, language, address }))
}

/// Lets a person or a role make decisions, or revokes that.
async fn appoint(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    whom: Option<&PickedTarget>,
    may: bool,
) -> Result<PrivateAnswer, InteractionError> {
    let (who, id, role) = match whom {
        Some(PickedTarget::Person { bot: true, .. }) | None => {
            return Err(OverrideRefused::NoPerson.into());
        }
        Some(PickedTarget::Person { id, .. }) => {
            (address::account(*id).to_string(), id.get(), false)
        }
        Some(PickedTarget::Role(id)) => (address::role(*id), id.get(), true),
    };
    let host = address::account(incoming.person.id);
    desk::appoint(&handler.desk, code, &host, &who, may).await?;
    let reader = plain_reader(incoming.person.lang);
    let text = MayDecide { who: id.to_string(), role, may };
    Ok(PrivateAnswer::words(handler.letters.write(&reader, &text)?))
}

/// Answers the form for a decision's reason.
pub(super) async fn decide_with_reason(
    handler: &InteractionHandler,
    incoming: &Incoming,
    (proposal, public): (&ProposalId, bool),
    fields: &[String],
    reply: DeferredReply<'_>,
) -> Result<(), InteractionError> {
    let reason = fields.first().map_or("", String::as_str);
    let done = decided(handler, incoming, proposal, public, reason).await;
    reply::finish(handler, incoming, reply, done).await
}

/// Returns a mention, which notifies nobody inside an answer.
fn named(account: &AccountId) -> String {
    address::user(account).map_or_else(String::new, |user: UserId| format!("<@{user}>"))
}
