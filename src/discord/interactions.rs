//! Handlers of interactions: each is acknowledged first, and handled afterwards.

mod away;
mod called;
mod conversation;
mod dashboard;
mod defaults;
mod draft;
mod ending;
mod gm;
pub(super) mod handler;
mod help;
mod meant;
mod mended;
mod panel;
mod person;
mod relocate;
mod reply;
mod rules;
mod say;
mod settings;
mod setup;
mod substitute;
mod table;
mod verify;
mod vote;

use serenity::all::Interaction;

use crate::address;
use crate::answer::{self, PrivateAnswer};
use crate::api::Refusal;
use crate::bot::obstacle;
use crate::controls::control::{ButtonAction, Control, SettingsReference};
use crate::controls::setting_change::SettingChange;
use crate::gateway::{Changed, Heard};
use crate::incoming::{CommandArguments, Incoming, InteractionKind};
use crate::interactions::gm::complete;
use crate::interactions::handler::{InteractionError, InteractionHandler, plain_reader};
use crate::interactions::reply::Response;
use desk::clock;
use desk::commands::Command;
use letters::discord::TooFast;

/// Handles a forwarded event.
pub(super) async fn hear(handler: &InteractionHandler, heard: Heard) {
    match heard {
        Heard::Interaction(interaction) => Box::pin(handle(handler, *interaction)).await,
        Heard::Changed(changed) => mended::changed(handler, changed).await,
    }
}

/// Handles one interaction. A failure is shown to the person if possible, and is logged otherwise.
async fn handle(handler: &InteractionHandler, interaction: Interaction) {
    handler.counts.interactions.one(kind(&interaction));
    let Some(incoming) = Incoming::of(interaction, handler.desk.store(), &handler.counts) else {
        return;
    };
    match answer(handler, &incoming).await {
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
    if let Err(error) = warn_host(handler, &incoming).await {
        tracing::warn!(%error, "a host was not told what keeps letters");
    }
    mended::changed(handler, Changed::Place(incoming.channel)).await;
}

/// Sends a host the obstacles of their tables' letters, if no letter of the bot could.
async fn warn_host(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<(), InteractionError> {
    if !matches!(incoming.what, InteractionKind::Command(..)) {
        return Ok(());
    }
    let account = address::account(incoming.person.id);
    for (code, met) in desk::untold(&handler.desk, &account, clock::now()).await? {
        let (_, reader) = handler.see(incoming, &code).await?;
        let text = obstacle::words(&code, &met, false, (&handler.letters, &reader))?;
        reply::say_more(handler, incoming, text).await?;
    }
    Ok(())
}

async fn answer(handler: &InteractionHandler, incoming: &Incoming) -> Result<(), InteractionError> {
    let handle = || incoming.handle.clone();
    let response = Response { handler, incoming };
    if !is_within_rate_limit(handler, incoming) {
        return reply_rate_limited(handler, incoming).await;
    }
    match &incoming.what {
        InteractionKind::Typing(
            command @ (Command::Declare | Command::Act | Command::Orders | Command::Next),
            _,
            typed,
        ) => {
            let pieces =
                panel::suggested(handler, incoming, typed, *command).await.unwrap_or_default();
            Ok(answer::offer(&handler.api, &incoming.handle, &pieces).await?)
        }
        InteractionKind::Typing(command @ (Command::Card | Command::Rules), arguments, typed) => {
            let found = rules::looked_up(handler, incoming, *command, arguments, typed).await;
            let found = found.unwrap_or_default();
            Ok(answer::offer(&handler.api, &incoming.handle, &found).await?)
        }
        InteractionKind::Typing(..) => {
            Ok(answer::offer(&handler.api, &incoming.handle, &[]).await?)
        }
        InteractionKind::TypingGm { request, focus, typed } => {
            let choices = complete::choices(handler, incoming, request, focus, typed)
                .await
                .unwrap_or_default();
            Ok(answer::offer(&handler.api, &incoming.handle, &choices).await?)
        }
        InteractionKind::Gm(request) => {
            response.answer(gm::gm_request(handler, incoming, request)).await
        }
        InteractionKind::Command(Command::Act, arguments) => {
            response.show(|reply| say::act(handler, incoming, arguments.get("text"), reply)).await
        }
        InteractionKind::Command(command @ (Command::Orders | Command::Next), arguments) => {
            let text = arguments.get("text");
            response.show(|reply| panel::say_ahead(handler, incoming, *command, text, reply)).await
        }
        InteractionKind::Command(Command::Declare, arguments) => {
            response
                .show(|reply| panel::declare(handler, incoming, arguments.get("text"), reply))
                .await
        }
        InteractionKind::Command(command, arguments) => {
            response.answer(run_command(handler, incoming, *command, arguments)).await
        }
        InteractionKind::Press { control, picked, input } => {
            handle_press(handler, incoming, control, picked.as_deref(), input.as_deref()).await
        }
        InteractionKind::Form { form, fields } => match form.parse() {
            Ok(control) if is_misplaced(&control, incoming) => {
                reply::moved_on(handler, incoming).await
            }
            Ok(Control::Form { draft, blank }) => {
                response
                    .update(|reply| {
                        panel::type_into_draft(handler, incoming, &draft, blank, fields, reply)
                    })
                    .await
            }
            Ok(Control::Line { settings_reference, line }) => {
                response
                    .update(|reply| {
                        settings::write_setting(
                            handler,
                            incoming,
                            (&settings_reference, line),
                            fields,
                            reply,
                        )
                    })
                    .await
            }
            Ok(Control::Decide { proposal, public }) => {
                let reply = answer::defer_update(&handler.api, handle()).await?;
                gm::decide_with_reason(handler, incoming, (&proposal, public), fields, reply).await
            }
            _ => reply::moved_on(handler, incoming).await,
        },
    }
}

/// True if a person is within the rate limit.
fn is_within_rate_limit(handler: &InteractionHandler, incoming: &Incoming) -> bool {
    let rate_limiter = match &incoming.what {
        InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } => {
            &handler.rate_limiters.typing
        }
        _ => &handler.rate_limiters.doing,
    };
    rate_limiter.admits(incoming.person.id, clock::now())
}

/// Tells a person above the rate limit to wait.
async fn reply_rate_limited(
    handler: &InteractionHandler,
    incoming: &Incoming,
) -> Result<(), InteractionError> {
    if let InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } = &incoming.what {
        return Ok(answer::offer(&handler.api, &incoming.handle, &[]).await?);
    }
    let reader = plain_reader(incoming.person.lang);
    let text = handler.letters.write(&reader, &TooFast { most: handler.rate_limiters.most })?;
    Ok(answer::say(&handler.api, &incoming.handle, &text).await?)
}

async fn handle_press(
    handler: &InteractionHandler,
    incoming: &Incoming,
    control: &str,
    picked: Option<&str>,
    input: Option<&str>,
) -> Result<(), InteractionError> {
    let response = Response { handler, incoming };
    match control.parse() {
        Ok(control) if is_misplaced(&control, incoming) => reply::moved_on(handler, incoming).await,
        Ok(Control::Table { code, button: ButtonAction::Declare }) => {
            response.show(|reply| panel::panel(handler, incoming, &code, reply)).await
        }
        Ok(Control::Table { code, button }) => {
            response.answer(table::press_button(handler, incoming, &code, button)).await
        }
        Ok(Control::Erase) => response.redraw(person::forget(handler, incoming)).await,
        Ok(Control::Rules { game, place }) => {
            response.answer(async { rules::rules_of(handler, incoming, &game, &place) }).await
        }
        Ok(Control::NotAway) => response.redraw(away::not_away(handler, incoming)).await,
        Ok(Control::TakeBack { code }) => {
            response.redraw(substitute::dismiss_substitute(handler, incoming, &code)).await
        }
        Ok(Control::Take { code, seat }) => {
            response.answer(table::take(handler, incoming, &code, Some(seat))).await
        }
        Ok(Control::Say { code, window, effect, answers }) => {
            say::say_by_press(handler, incoming, (&code, window), effect, &answers).await
        }
        Ok(Control::Panel { draft, action }) => {
            let shown = panel::press(handler, incoming, &draft, action).await;
            reply::follow_up_if_refused(handler, incoming, shown).await
        }
        Ok(Control::Menu { draft, .. }) => match picked.unwrap_or_default().parse() {
            Ok(action) => {
                let shown = panel::press(handler, incoming, &draft, action).await;
                reply::follow_up_if_refused(handler, incoming, shown).await
            }
            Err(_) => reply::moved_on(handler, incoming).await,
        },
        Ok(Control::Set { settings_reference, change }) => {
            press_setting(handler, incoming, &settings_reference, change, input).await
        }
        Ok(Control::Settings { settings_reference, .. }) => {
            match picked.unwrap_or_default().parse() {
                Ok(change) => {
                    press_setting(handler, incoming, &settings_reference, change, input).await
                }
                Err(_) => reply::moved_on(handler, incoming).await,
            }
        }
        Ok(Control::Close { code, shown }) => {
            response.redraw(ending::close_confirmed(handler, incoming, &code, &shown)).await
        }
        Ok(Control::End { code, shown, reason }) => {
            response.redraw(ending::end(handler, incoming, &code, &reason, Some(&shown))).await
        }
        Ok(Control::AgreeToDraw { code, shown }) => {
            response.redraw(vote::agree_to_draw(handler, incoming, &code, &shown)).await
        }
        Ok(control @ Control::Decide { .. }) => gm::ask_why(handler, incoming, &control).await,
        Ok(Control::Vote { code, number, yes }) => {
            response.answer(vote::cast_vote(handler, incoming, &code, number, yes)).await
        }
        Ok(Control::Letter { letter }) => {
            response
                .show(|reply| called::show_private_letters(handler, incoming, &letter, reply))
                .await
        }
        Ok(Control::Undo { code, number }) => {
            response.answer(gm::undo_override(handler, incoming, &code, number)).await
        }
        Ok(Control::Form { .. } | Control::Line { .. }) | Err(_) => {
            reply::moved_on(handler, incoming).await
        }
    }
}

async fn press_setting(
    handler: &InteractionHandler,
    incoming: &Incoming,
    settings_reference: &SettingsReference,
    change: SettingChange,
    input: Option<&str>,
) -> Result<(), InteractionError> {
    let shown =
        settings::change_setting(handler, incoming, settings_reference, change, input).await;
    reply::follow_up_if_refused(handler, incoming, shown).await
}

async fn run_command(
    handler: &InteractionHandler,
    incoming: &Incoming,
    command: Command,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    match command {
        Command::New => return table::form(handler, incoming, arguments).await,
        Command::Move => return relocate::relocate(handler, incoming, arguments).await,
        Command::List => return person::list(handler, incoming).await,
        Command::My => return person::my(handler, incoming).await,
        Command::Me => return person::me(handler, incoming, arguments).await,
        Command::Dashboard => return dashboard::dashboard(handler, incoming).await,
        Command::Away => return away::away(handler, incoming, arguments).await,
        Command::Back => return away::back(handler, incoming, None).await,
        Command::Help => return help::help(handler, incoming).await,
        Command::Privacy => return person::privacy(handler, incoming),
        Command::Export => return person::export(handler, incoming).await,
        Command::Erase => return person::erase(handler, incoming).await,
        Command::Check => return setup::check(handler, incoming).await,
        Command::Defaults => return defaults::set_defaults(handler, incoming, arguments).await,
        Command::Rules => return rules::rules(handler, incoming, arguments).await,
        Command::Card => return rules::card(handler, incoming, arguments).await,
        Command::Deck => return rules::deck(handler, incoming, arguments).await,
        _ => {}
    }
    let code = meant::code(handler, incoming).await?;
    let button = match command {
        Command::Join => {
            let text = |name: &str| arguments.get(name).map(String::as_str);
            return table::join(handler, incoming, &code, (text("value"), text("seat"))).await;
        }
        Command::Leave => ButtonAction::Leave,
        Command::Start => ButtonAction::Start,
        Command::Hand => ButtonAction::Hand,
        Command::Show => ButtonAction::Show,
        Command::Why => ButtonAction::Why,
        Command::Log | Command::Receipt | Command::Close => {
            return conversation::converse(handler, incoming, &code, command).await;
        }
        Command::Side => return conversation::side(handler, incoming, &code, arguments).await,
        Command::Verify => return verify::verify(handler, incoming, &code).await,
        Command::Seal => return panel::seal(handler, incoming, &code).await,
        Command::Withdraw => {
            return panel::withdraw(handler, incoming, &code, arguments.get("section")).await;
        }
        Command::Resume => {
            let gm = incoming.gm();
            let shown = desk::see_as(&handler.desk, &code, &gm, clock::now()).await?.revision;
            desk::resume(&handler.desk, &code, gm, Some(&shown), clock::now()).await?;
            return handler.done(incoming, &code).await;
        }
        Command::End => {
            let reason = arguments.get("reason").map_or("", String::as_str);
            return ending::end(handler, incoming, &code, reason, None).await;
        }
        Command::Take => return table::take_said(handler, incoming, &code, arguments).await,
        Command::Settings => return settings::settings(handler, incoming, &code).await,
        Command::Substitute => {
            return substitute::substitute(handler, incoming, &code, arguments).await;
        }
        Command::Vote => return vote::vote(handler, incoming, &code, arguments).await,
        Command::New
        | Command::Move
        | Command::List
        | Command::My
        | Command::Me
        | Command::Dashboard
        | Command::Help
        | Command::Rules
        | Command::Card
        | Command::Deck
        | Command::Privacy
        | Command::Export
        | Command::Erase
        | Command::Check
        | Command::Defaults
        | Command::Declare
        | Command::Act
        | Command::Away
        | Command::Back
        | Command::Absence
        | Command::GmWindow
        | Command::GmTurn
        | Command::GmTable
        | Command::GmSeat
        | Command::Orders
        | Command::Next
        | Command::Questions
        | Command::Same
        | Command::Gm
        | Command::Quit => return handler.done(incoming, &code).await,
    };
    table::press_button(handler, incoming, &code, button).await
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
