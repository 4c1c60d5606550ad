//! A game master's decisions. Each is shown as a dry run first, and the proposal is stored until its reason
//! and its publicity are given. And votes of the table.

use chrono_tz::Tz;
use serde_json::{Value as Json, json};
use serenity::all::UserId;

use crate::answer::PrivateAnswer;
use crate::controls::{Control, buttons};
use crate::incoming::{Arguments, GmCommand, GmRequest, PickedTarget};
use crate::interactions::settings::below;
use crate::interactions::{Context, InteractionHandler, Result, person, thread};
use crate::posting::post;
use crate::{answer, incoming};
use desk::{
    ArgumentForm, Ballot, Balloted, Contact, Decision, GmView, MadeOverride, NotDone, Override,
    OverrideReply, OverrideRequest, clock, complete_decision_option, log_of_decisions,
    read_ballot_options,
};
use letters::discord::{MayDecide, OfferedSeat, OfferedWindow, ReasonField};
use letters::panel::{Field, Style, limits, shortened};
use letters::{LetterFault, MadeDecision, OverrideRefused, PutToTheVote, Reader, Refused};
use rules::Seat;
use rules::text::{Completion, Lang, fold};
use store::{posts, traces};
use tables::Notified;
use tables::ids::{AccountId, ProposalId, TableCode, VoteNumber};

/// The maximum length of a reason, in characters.
const REASON: usize = 1000;

/// Carries out a game master's command, or shows its dry run.
pub(super) async fn gm_request(cx: Context<'_>, request: &GmRequest) -> Result {
    let (code, gm, now) = (thread::code(cx).await?, cx.incoming.gm(), clock::now());
    if let GmCommand::Other(reply @ (OverrideReply::Appoint | OverrideReply::Dismiss)) =
        request.command
    {
        let may = reply == OverrideReply::Appoint;
        return appoint(cx, &code, cx.incoming.whom.as_ref(), may).await;
    }
    // The answer is private to the game master.
    let gm_view = desk::gm_view(&cx.handler.desk, &code, &gm, now).await?;
    let gm_view = GmView { lang: cx.incoming.person.lang, ..gm_view };
    let reader = gm_view.sight.reader(cx.incoming.person.lang).with_stamps();
    let verb = match request.command {
        GmCommand::Decide(verb) => verb,
        GmCommand::Other(OverrideReply::Log) => {
            let zone = gm_view.sight.pace.zone;
            let text =
                log_of_decisions(&gm_view.decided, &cx.handler.letters, &reader, zone, named)?;
            return Ok(PrivateAnswer::words(text));
        }
        GmCommand::Other(OverrideReply::Preview) => {
            return Ok(PrivateAnswer::words(gm_view.preview_words(&cx.handler.letters, &reader)?));
        }
        GmCommand::Other(_) => {
            return Ok(PrivateAnswer::words(gm_view.words(&cx.handler.letters, &reader)?));
        }
    };
    match OverrideRequest::read_options(verb, &request.arguments, &gm_view, now) {
        Ok(read) => {
            let guest = guest_of(cx.handler, &code, cx.incoming.whom.as_ref()).await?;
            propose(cx, &code, read.what, guest).await
        }
        Err(fault) => Ok(PrivateAnswer::words(fault.words(&cx.handler.letters, &reader)?)),
    }
}

/// Shows the effect of a decision, and asks for confirmation.
pub(super) async fn propose(
    cx: Context<'_>,
    code: &TableCode,
    what: Override,
    guest: Option<Contact>,
) -> Result {
    let (gm, lang, now) = (cx.incoming.gm(), cx.incoming.person.lang, clock::now());
    let rehearsal =
        desk::rehearse(&cx.handler.desk, code, &gm, what.clone(), guest.clone(), now).await?;
    let text = rehearsal.words(&what, "", &cx.handler.letters, lang, Reader::with_stamps)?;
    let audience = &rehearsal.audience;
    let shown = rehearsal.changes(&what, &cx.handler.letters)?;
    let foundation = Some(rehearsal.foundation.clone());
    let decision = Decision { guest, foundation, shown, ..what.into() };
    let proposal = desk::propose(&cx.handler.desk, code, &gm, &decision, now).await?;
    let decide = |public| Control::Decide { proposal: proposal.clone(), public };
    let reader = cx.plain_reader();
    let button = |word, style, public| {
        buttons::labelled(&cx.handler.letters, &reader, word, style, &decide(public))
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
pub(super) async fn ask_why(cx: Context<'_>, control: &Control) -> Result<()> {
    let reader = cx.plain_reader();
    let proposal = match control {
        Control::Decide { proposal, .. } => {
            desk::proposal(&cx.handler.desk, proposal, &cx.incoming.gm()).await?
        }
        _ => None,
    };
    // The reason of a message in the table's name is not published.
    let is_published = !proposal.is_some_and(|(_, of)| matches!(of.what, Override::Say { .. }));
    let caption = |what: &str| {
        let text = cx.write(&reader, &ReasonField { what, told: is_published })?;
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
    Ok(answer::open(&cx.handler.api, &cx.incoming.handle, control, &title, &[field]).await?)
}

/// Makes a decision after its reason was given; if the table has changed, shows the decision anew.
pub(super) async fn decided(
    cx: Context<'_>,
    proposal: &ProposalId,
    public: bool,
    reason: &str,
) -> Result {
    let gm = cx.incoming.gm();
    let reader = cx.plain_reader();
    let Some((code, proposed)) = desk::proposal(&cx.handler.desk, proposal, &gm).await? else {
        return Err(Refused::MovedOn.into());
    };
    let (what, guest) = (proposed.what.clone(), proposed.guest.clone());
    let decision = Decision {
        reason: reason.trim().to_owned(),
        notified: if public { Notified::Public } else { Notified::Private },
        ..proposed
    };
    match desk::decide(&cx.handler.desk, &code, &gm, decision, clock::now()).await {
        Ok(made) => {
            (cx.handler.ring)();
            // An invited person is added only after accepting.
            let is_asked = matches!(what, Override::Invite { .. });
            bring(cx.handler, &code, guest.as_ref().filter(|_| !is_asked)).await?;
            confirmation(cx.handler, &reader, &code, &what, made)
        }
        Err(NotDone::Refused(
            why @ (Refused::MovedOn
            | Refused::Override(OverrideRefused::NoReason | OverrideRefused::NotQuietly)),
        )) => {
            let note = cx.handler.letters.refused(&reader, why, "")?;
            Ok(below(note, propose(cx, &code, what, guest).await?))
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
) -> Result {
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

/// Adds the taker of a seat to the thread.
async fn bring(
    handler: &InteractionHandler,
    code: &TableCode,
    guest: Option<&Contact>,
) -> Result<()> {
    let Some(user) = guest.and_then(|guest| incoming::user(&guest.account)) else {
        return Ok(());
    };
    person::show_thread(handler, code, user).await
}

/// Returns the taker of a seat, with their language, or the table's if they are unknown.
async fn guest_of(
    handler: &InteractionHandler,
    code: &TableCode,
    whom: Option<&PickedTarget>,
) -> Result<Option<Contact>> {
    let Some(PickedTarget::Person { id, name, bot }) = whom else { return Ok(None) };
    if *bot {
        return Err(OverrideRefused::NoPerson.into());
    }
    let account = incoming::account(*id);
    let mut session = handler.desk.store().read().await?;
    let known = traces::language_of(&mut session, &account).await?;
    let table = session.table(code).await?.ok_or(Refused::NoTable)?;
    let language = known.unwrap_or(table.language).parse().unwrap_or(Lang::Ja);
    let (name, address) = (name.clone(), incoming::own(*id));
    Ok(Some(Contact { account, name, language, address }))
}

/// Lets a person or a role make decisions, or revokes that.
async fn appoint(
    cx: Context<'_>,
    code: &TableCode,
    whom: Option<&PickedTarget>,
    may: bool,
) -> Result {
    let (who, id, role) = match whom {
        Some(PickedTarget::Person { bot: true, .. }) | None => {
            return Err(OverrideRefused::NoPerson.into());
        }
        Some(PickedTarget::Person { id, .. }) => {
            (incoming::account(*id).to_string(), id.get(), false)
        }
        Some(PickedTarget::Role(id)) => (incoming::role(*id), id.get(), true),
    };
    desk::appoint(&cx.handler.desk, code, cx.account(), &who, may, clock::now()).await?;
    let reader = cx.plain_reader();
    let text = MayDecide { who: id.to_string(), role, may };
    cx.say_to(&reader, &text)
}

/// Returns a mention, which notifies nobody inside an answer.
fn named(account: &AccountId) -> String {
    incoming::user(account).map_or_else(String::new, |user: UserId| format!("<@{user}>"))
}

/// A choice: its label and its value.
type AutocompleteChoice = (String, Json);

/// Returns the choices for an argument that is being typed; an error for anybody but a game master.
pub(in crate::interactions) async fn choices(
    cx: Context<'_>,
    request: &GmRequest,
    focus: &str,
    typed: &str,
) -> Result<Vec<AutocompleteChoice>> {
    let GmCommand::Decide(verb) = request.command else { return Ok(Vec::new()) };
    let (code, gm, lang) = (thread::code(cx).await?, cx.incoming.gm(), cx.incoming.person.lang);
    let gm_view = desk::gm_view(&cx.handler.desk, &code, &gm, clock::now()).await?;
    let reader = gm_view.sight.reader(lang).in_plain_text();
    let arguments = verb.arguments();
    let form = arguments.iter().find(|(name, _)| *name == focus).map(|(_, form)| form);
    let mut choices = Vec::new();
    match form {
        Some(ArgumentForm::Seat) => {
            for &seat in &gm_view.sight.taken {
                choices.push((cx.write(&reader, &OfferedSeat { seat })?, json!(seat.name())));
            }
        }
        Some(ArgumentForm::Policy) => {
            let policies = gm_view.sight.game.policies();
            choices.extend(policies.iter().map(|policy| ((*policy).to_owned(), json!(policy))));
        }
        // The decisions that were not undone, the newest first.
        Some(ArgumentForm::Decision) => {
            let stand = gm_view.decided.iter().rev().filter(|logged| logged.undone.is_none());
            for logged in stand {
                let decision = logged.what.shown(&logged.reason, gm_view.sight.pace.zone);
                let decided = cx.handler.letters.stands(&reader, &decision)?;
                let number = logged.number.from_one();
                choices.push((format!("{number}. {decided}"), json!(number)));
            }
        }
        // The windows that the table can go back to, the newest first.
        Some(ArgumentForm::WindowBack) => {
            for window in gm_view.windows.iter().rev().map(|opened| opened.round) {
                choices.push((cx.write(&reader, &OfferedWindow { window })?, json!(window)));
            }
        }
        _ => {
            let argument = (focus, typed);
            let found =
                complete_decision_option(argument, verb, &request.arguments, &gm_view, lang);
            return Ok(texts(typed, found));
        }
    }
    Ok(fitting(choices, typed))
}

/// Returns completed texts as choices.
fn texts(typed: &str, found: Vec<Completion>) -> Vec<AutocompleteChoice> {
    let whole = found.into_iter().map(|next| format!("{}{}", &typed[..next.start], next.text));
    // A longer text is left out, since Discord limits choices and a text must not be cut.
    let short = whole.filter(|text| text.encode_utf16().count() <= limits::ENTRY);
    short.take(limits::ENTRIES).map(|text| (text.clone(), json!(text))).collect()
}

/// Returns the choices that contain the input, as many as can be shown.
fn fitting(choices: Vec<AutocompleteChoice>, typed: &str) -> Vec<AutocompleteChoice> {
    let typed = fold(typed);
    let fits = |choice: &AutocompleteChoice| fold(&choice.0).contains(&typed);
    let shown = choices.into_iter().filter(fits).take(limits::ENTRIES);
    shown.map(|(name, value)| (shortened(name.trim().to_owned(), limits::ENTRY), value)).collect()
}

/// `/vote`: proposes something, votes, or shows the open votes.
pub(super) async fn vote(cx: Context<'_>, code: &TableCode, arguments: &Arguments) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let of = |name: &str| arguments.get(name).map_or("", String::as_str);
    let (mut rest, mut seat) = (of("time").to_owned() + of("text"), None);
    if let Some(whom) = &cx.incoming.whom {
        let name;
        (seat, name) = seat_of(cx.handler, code, whom).await?;
        rest += &name;
    }
    let ballot = read_ballot_options(of("what"), &rest, seat, &sight, clock::now());
    let (balloted, answer) = cx.about(&sight, &reader).vote(ballot, None).await?;
    (cx.handler.ring)();
    let mut shown = cx.shown(code, &reader, answer)?;
    if let Some(Balloted::Shown(open)) = balloted {
        for vote in &open {
            shown.rows.extend(post::voices(code, vote, &cx.handler.letters, &reader)?);
        }
    }
    Ok(shown)
}

/// Agrees to a draw, if the table is unchanged since the question.
pub(super) async fn agree_to_draw(cx: Context<'_>, code: &TableCode, asked_at: &str) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let conversation = cx.about(&sight, &reader);
    let draw = Ok(Ballot::Propose(Override::End));
    let (_, answer) = conversation.vote(draw, Some(asked_at)).await?;
    (cx.handler.ring)();
    cx.shown(code, &reader, answer)
}

/// Handles a press on a vote.
pub(super) async fn cast_vote(
    cx: Context<'_>,
    code: &TableCode,
    number: VoteNumber,
    yes: bool,
) -> Result {
    let vote =
        desk::give_voice(&cx.handler.desk, code, cx.account(), number, yes, clock::now()).await;
    // A refused ballot may have ended the vote.
    (cx.handler.ring)();
    let (sight, reader) = cx.see(code).await?;
    let counted = Balloted::Counted { yes, vote: vote? };
    Ok(PrivateAnswer::words(counted.words(&cx.handler.letters, &reader, sight.pace.zone)?))
}

/// Returns the seat of a person, if they have one, and the text that names the person.
async fn seat_of(
    handler: &InteractionHandler,
    code: &TableCode,
    whom: &PickedTarget,
) -> Result<(Option<Seat>, String)> {
    let PickedTarget::Person { id, name, bot: false } = whom else {
        return Err(OverrideRefused::NoPerson.into());
    };
    let account = incoming::account(*id);
    let accounts = posts::accounts(&mut handler.desk.store().read().await?, code).await?;
    let found = accounts.into_iter().find(|(_, of)| *of == account);
    let seat = found.map(|(seat, _)| seat);
    Ok((seat, seat.map_or_else(|| format!("@{name}"), |seat| seat.name().to_owned())))
}
