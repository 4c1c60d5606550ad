//! Handlers of interactions: each is acknowledged first, and handled afterwards.

mod gm;
pub(super) mod handler;
mod panel;
mod person;
mod rules;
mod settings;
mod setup;
mod table;
mod thread;

use serenity::all::Interaction;

use crate::answer;
use crate::api::Refusal;
use crate::bot::permissions;
use crate::controls::{ButtonAction, Control, SettingChange, SettingsReference};
use crate::gateway::{Changed, Heard};
use crate::incoming;
use crate::incoming::{Arguments, Incoming, InteractionKind};
use crate::interactions::handler::{Context, InteractionError, InteractionHandler, Result};
use desk::commands::Command;
use desk::{Override, clock};
use letters::discord::TooFast;

/// Handles a forwarded event.
pub(super) async fn hear(handler: &InteractionHandler, heard: Heard) {
    match heard {
        Heard::Interaction(interaction) => Box::pin(handle(handler, *interaction)).await,
        Heard::Changed(changed) => setup::changed(handler, changed).await,
    }
}

/// Handles one interaction. A failure is shown to the person if possible, and is logged otherwise.
async fn handle(handler: &InteractionHandler, interaction: Interaction) {
    handler.counts.interactions.one(kind(&interaction));
    let Some(incoming) = Incoming::of(interaction, handler.desk.store(), &handler.counts) else {
        return;
    };
    let cx = Context { handler, incoming: &incoming };
    match answer(cx).await {
        Ok(()) => {}
        Err(InteractionError::Unsent(unsent)) if unsent.is(Refusal::AlreadyAcknowledged) => {
            tracing::debug!("an interaction is answered by another process");
            return;
        }
        Err(error) => {
            tracing::warn!(%error, "an interaction was not answered");
            return;
        }
    }
    if let Err(error) = warn_host(cx).await {
        tracing::warn!(%error, "a host was not told what keeps letters");
    }
    if let Err(error) = note_name(cx).await {
        tracing::warn!(%error, "somebody is shown by the name that they had before");
    }
    setup::changed(handler, Changed::Place(incoming.channel)).await;
}

/// Sends a host the obstacles of their tables' letters, if no letter of the bot could.
async fn warn_host(cx: Context<'_>) -> Result<()> {
    if !matches!(cx.incoming.what, InteractionKind::Command(..)) {
        return Ok(());
    }
    for (code, met) in desk::untold(&cx.handler.desk, cx.account(), clock::now()).await? {
        let (_, reader) = cx.see(&code).await?;
        let text = permissions::words(&code, &met, false, (&cx.handler.letters, &reader))?;
        cx.say_more(text).await?;
    }
    Ok(())
}

/// Shows a person by their present name at their tables on this server, where it is another than before.
async fn note_name(cx: Context<'_>) -> Result<()> {
    let Incoming { person, server, what, .. } = cx.incoming;
    let is_typing = matches!(what, InteractionKind::Typing(..) | InteractionKind::TypingGm { .. });
    if let (Some(server), false) = (server, is_typing) {
        let (server, now) = (incoming::server(*server), clock::now());
        let names = (server.as_str(), person.name.as_str());
        if desk::rename(&cx.handler.desk, cx.account(), names, now).await? {
            (cx.handler.ring)();
        }
    }
    Ok(())
}

async fn answer(cx: Context<'_>) -> Result<()> {
    if !is_within_rate_limit(cx) {
        return reply_rate_limited(cx).await;
    }
    match &cx.incoming.what {
        InteractionKind::Typing(command, arguments, typed) => {
            let choices = match command {
                Command::Declare | Command::Act | Command::Orders | Command::Next => {
                    panel::suggested(cx, typed, *command).await
                }
                Command::Card | Command::Rules => {
                    rules::looked_up(cx, *command, arguments, typed).await
                }
                _ => Ok(Vec::new()),
            };
            cx.offer(&choices.unwrap_or_default()).await
        }
        InteractionKind::TypingGm { request, focus, typed } => {
            let choices = gm::choices(cx, request, focus, typed).await;
            cx.offer(&choices.unwrap_or_default()).await
        }
        InteractionKind::Gm(request) => cx.answer(gm::gm_request(cx, request)).await,
        InteractionKind::Command(Command::Act, arguments) => {
            cx.show(panel::act(cx, arguments.get("text"))).await
        }
        InteractionKind::Command(command @ (Command::Orders | Command::Next), arguments) => {
            let text = arguments.get("text");
            cx.show(panel::say_ahead(cx, *command, text)).await
        }
        InteractionKind::Command(Command::Declare, arguments) => {
            cx.show(panel::declare(cx, arguments.get("text"))).await
        }
        InteractionKind::Command(command, arguments) => {
            cx.answer(run_command(cx, *command, arguments)).await
        }
        InteractionKind::Press { control, picked, input } => {
            handle_press(cx, control, picked.as_deref(), input.as_deref()).await
        }
        InteractionKind::Form { form, fields } => match form.parse() {
            Ok(control) if is_misplaced(&control, cx.incoming) => cx.moved_on().await,
            Ok(Control::Form { draft, blank }) => {
                cx.update(panel::type_into_draft(cx, &draft, blank, fields)).await
            }
            Ok(Control::Line { settings_reference, line }) => {
                cx.update(settings::write_setting(cx, (&settings_reference, line), fields)).await
            }
            Ok(Control::Decide { proposal, public }) => {
                let reason = fields.first().map_or("", String::as_str);
                cx.redraw(gm::decided(cx, &proposal, public, reason)).await
            }
            _ => cx.moved_on().await,
        },
    }
}

/// True if a person is within the rate limit.
fn is_within_rate_limit(cx: Context<'_>) -> bool {
    let rate_limiter = match &cx.incoming.what {
        InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } => {
            &cx.handler.rate_limiters.typing
        }
        _ => &cx.handler.rate_limiters.doing,
    };
    rate_limiter.admits(cx.incoming.person.id, clock::now())
}

/// Tells a person above the rate limit to wait.
async fn reply_rate_limited(cx: Context<'_>) -> Result<()> {
    if let InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } = &cx.incoming.what {
        return cx.offer(&[]).await;
    }
    let reader = cx.plain_reader();
    let text = cx.write(&reader, &TooFast { most: cx.handler.rate_limiters.most })?;
    Ok(answer::say(&cx.handler.api, &cx.incoming.handle, &text).await?)
}

async fn handle_press(
    cx: Context<'_>,
    control: &str,
    picked: Option<&str>,
    input: Option<&str>,
) -> Result<()> {
    match control.parse() {
        Ok(control) if is_misplaced(&control, cx.incoming) => cx.moved_on().await,
        Ok(Control::Table { code, button: ButtonAction::Declare }) => {
            cx.show(panel::panel(cx, &code)).await
        }
        Ok(Control::Table { code, button }) => {
            cx.answer(table::press_button(cx, &code, button)).await
        }
        Ok(Control::Erase) => cx.redraw(person::forget(cx)).await,
        Ok(Control::Rules { game, place }) => {
            cx.answer(async { rules::rules_of(cx, &game, &place) }).await
        }
        Ok(Control::NotAway) => cx.redraw(person::not_away(cx)).await,
        Ok(Control::TakeBack { code }) => cx.redraw(person::dismiss_substitute(cx, &code)).await,
        Ok(Control::Take { code, seat }) => cx.answer(table::take(cx, &code, Some(seat))).await,
        Ok(Control::Say { code, window, effect, answers }) => {
            panel::say_by_press(cx, (&code, window), effect, &answers).await
        }
        Ok(Control::Panel { draft, action }) => {
            let shown = panel::press(cx, &draft, action).await;
            cx.follow_up_if_refused(shown).await
        }
        Ok(Control::Menu { draft, .. }) => match picked.unwrap_or_default().parse() {
            Ok(action) => {
                let shown = panel::press(cx, &draft, action).await;
                cx.follow_up_if_refused(shown).await
            }
            Err(_) => cx.moved_on().await,
        },
        Ok(Control::Set { settings_reference, change }) => {
            press_setting(cx, &settings_reference, change, input).await
        }
        Ok(Control::Settings { settings_reference, .. }) => {
            match picked.unwrap_or_default().parse() {
                Ok(change) => press_setting(cx, &settings_reference, change, input).await,
                Err(_) => cx.moved_on().await,
            }
        }
        Ok(Control::Close { code, shown }) => {
            cx.redraw(table::close_confirmed(cx, &code, &shown)).await
        }
        Ok(Control::End { code, shown, reason }) => {
            cx.redraw(table::end(cx, &code, &reason, Some(&shown))).await
        }
        Ok(Control::AgreeToDraw { code, shown }) => {
            cx.redraw(gm::agree_to_draw(cx, &code, &shown)).await
        }
        Ok(control @ Control::Decide { .. }) => gm::ask_why(cx, &control).await,
        Ok(Control::Vote { code, number, yes }) => {
            cx.answer(gm::cast_vote(cx, &code, number, yes)).await
        }
        Ok(Control::Letter { letter }) => cx.show(person::show_private_letters(cx, &letter)).await,
        Ok(Control::Undo { code, number }) => {
            cx.answer(gm::propose(cx, &code, Override::Undo { number }, None)).await
        }
        Ok(Control::Form { .. } | Control::Line { .. }) | Err(_) => cx.moved_on().await,
    }
}

async fn press_setting(
    cx: Context<'_>,
    settings_reference: &SettingsReference,
    change: SettingChange,
    input: Option<&str>,
) -> Result<()> {
    let shown = settings::change_setting(cx, settings_reference, change, input).await;
    cx.follow_up_if_refused(shown).await
}

async fn run_command(cx: Context<'_>, command: Command, arguments: &Arguments) -> Result {
    match command {
        Command::New => return table::form(cx, arguments).await,
        Command::Move => return setup::relocate(cx, arguments).await,
        Command::List => return person::list(cx).await,
        Command::My => return person::my(cx).await,
        Command::Me => return person::me(cx, arguments).await,
        Command::Dashboard => return person::dashboard(cx).await,
        Command::Away => return person::away(cx, arguments).await,
        Command::Back => return person::back(cx, None).await,
        Command::Help => return rules::help(cx).await,
        Command::Privacy => return person::privacy(cx),
        Command::Export => return person::export(cx).await,
        Command::Erase => return person::erase(cx).await,
        Command::Check => return setup::check(cx).await,
        Command::Defaults => return setup::set_defaults(cx, arguments).await,
        Command::Rules => return rules::rules(cx, arguments).await,
        Command::Card => return rules::card(cx, arguments).await,
        Command::Deck => return rules::deck(cx, arguments).await,
        _ => {}
    }
    let code = thread::code(cx).await?;
    let button = match command {
        Command::Join => {
            let text = |name: &str| arguments.get(name).map(String::as_str);
            return table::join(cx, &code, (text("value"), text("seat"))).await;
        }
        Command::Leave => ButtonAction::Leave,
        Command::Start => ButtonAction::Start,
        Command::Hand => ButtonAction::Hand,
        Command::Show => ButtonAction::Show,
        Command::Why => ButtonAction::Why,
        Command::Log | Command::Receipt | Command::Close => {
            return table::converse(cx, &code, command).await;
        }
        Command::Side => return table::side(cx, &code, arguments).await,
        Command::Verify => return table::verify(cx, &code).await,
        Command::Seal => return panel::seal(cx, &code).await,
        Command::Withdraw => {
            return panel::withdraw(cx, &code, arguments.get("section")).await;
        }
        Command::Resume => {
            let gm = cx.incoming.gm();
            let shown = desk::see_as(&cx.handler.desk, &code, &gm, clock::now()).await?.revision;
            desk::resume(&cx.handler.desk, &code, gm, Some(&shown), clock::now()).await?;
            return cx.done(&code).await;
        }
        Command::End => {
            let reason = arguments.get("reason").map_or("", String::as_str);
            return table::end(cx, &code, reason, None).await;
        }
        Command::Take => return table::take_said(cx, &code, arguments).await,
        Command::Settings => return settings::settings(cx, &code).await,
        Command::Substitute => {
            return person::substitute(cx, &code, arguments).await;
        }
        Command::Vote => return gm::vote(cx, &code, arguments).await,
        _ => return cx.done(&code).await,
    };
    table::press_button(cx, &code, button).await
}

/// True if a control for private messages was pressed on a public message.
fn is_misplaced(control: &Control, incoming: &Incoming) -> bool {
    control.is_private() && !incoming.source.is_some_and(|message| message.private)
}

/// Returns the counter label of an interaction.
fn kind(interaction: &Interaction) -> &'static str {
    match interaction {
        Interaction::Command(_) => "command",
        Interaction::Autocomplete(_) => "completion",
        Interaction::Component(_) => "press",
        Interaction::Modal(_) => "form",
        _ => "other",
    }
}
