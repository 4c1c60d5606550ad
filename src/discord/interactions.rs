//! Handlers of interactions: each is acknowledged first, and handled afterwards.

mod away;
mod called;
mod conversation;
mod dashboard;
mod defaults;
mod ending;
mod gm;
mod help;
mod meant;
mod mended;
mod panel;
mod person;
mod relocate;
mod rules;
mod say;
mod settings;
mod setup;
mod substitute;
mod table;
mod verify;
mod vote;

use std::sync::Arc;

use serde_json::json;
use serenity::all::{GuildId, Interaction};

use crate::address;
use crate::answer::{self, DeferredReply, PrivateAnswer};
use crate::api::{Api, Refusal, SendError};
use crate::bot::obstacle;
use crate::bot::rate_limiter::RateLimiters;
use crate::controls::control::{ButtonAction, Control, SettingsReference};
use crate::controls::setting_change::SettingChange;
use crate::gateway::{Changed, GatewayState, Heard};
use crate::incoming::{
    CommandArguments, DiscordUser, Incoming, InteractionHandle, InteractionKind,
};
use crate::posting::channel::Threads;
use ::rules::text::Lang;
use desk::clock;
use desk::commands::Command;
use desk::conversation::{ConversationError, Speaker};
use desk::counts::Counts;
use desk::{Desk, Guest, NotDone, Sight};
use games::any::TableOptionsError;
use games::{GAMES, find};
use letters::discord::{
    DoneNote, FailedNote, MovedOn, OptionsUnfit, TableInThread, TooFast, WhichTable,
};
use letters::{Letters, Reader, Refused, TooMuch};
use tables::ids::{AccountId, TableCode};

/// The handler of interactions on Discord.
#[derive(Clone)]
pub(super) struct InteractionHandler {
    pub(super) api: Api,
    pub(super) desk: Desk,
    pub(super) letters: Letters,
    /// The threads that letters are sent to.
    pub(super) threads: Threads,
    /// True if tables have pictures.
    pub(super) draws: bool,
    /// The state of the connection to Discord.
    pub(super) gateway: Arc<GatewayState>,
    /// The one server where commands are registered during development; `None` for all servers.
    pub(super) guild: Option<GuildId>,
    /// The rate limits of each person.
    pub(super) rate_limiters: Arc<RateLimiters>,
    /// The pace of a table whose host sets none.
    pub(super) pace: String,
    pub(super) zone: chrono_tz::Tz,
    /// The callback after a change, so that the next check runs immediately.
    pub(super) ring: Arc<dyn Fn() + Send + Sync>,
    /// The counters of interactions.
    pub(super) counts: Arc<Counts>,
}

/// A failure to answer an interaction.
#[derive(Debug, thiserror::Error)]
pub(super) enum InteractionError {
    /// The conversation failed or refused.
    #[error(transparent)]
    Unsaid(ConversationError),
    #[error(transparent)]
    Unsent(#[from] SendError),
    /// One of several tables is meant: each table with its thread, and the number of tables left out.
    #[error("one of several tables is meant")]
    Which(Vec<TableInThread>, usize),
}

impl<E: Into<ConversationError>> From<E> for InteractionError {
    fn from(unsaid: E) -> Self {
        Self::Unsaid(unsaid.into())
    }
}

impl InteractionError {
    /// Returns the refusal; `None` if the failure is another.
    fn refused(&self) -> Option<Refused> {
        match self {
            Self::Unsaid(
                ConversationError::NotDone(NotDone::Refused(refused))
                | ConversationError::RefusedFor(refused, _),
            ) => Some(*refused),
            _ => None,
        }
    }
}

impl InteractionHandler {
    /// Handles a forwarded event.
    pub(super) async fn hear(&self, heard: Heard) {
        match heard {
            Heard::Interaction(interaction) => Box::pin(self.handle(*interaction)).await,
            Heard::Changed(changed) => self.changed(changed).await,
        }
    }

    /// Handles one interaction. A failure is shown to the person if possible, and is logged otherwise.
    async fn handle(&self, interaction: Interaction) {
        self.counts.interactions.one(kind(&interaction));
        let Some(incoming) = Incoming::of(interaction, self.desk.store(), &self.counts) else {
            return;
        };
        match self.answer(&incoming).await {
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
        if let Err(error) = self.warn_host(&incoming).await {
            tracing::warn!(%error, "a host was not told what keeps letters");
        }
        self.changed(Changed::Place(incoming.channel)).await;
    }

    /// Sends a host the obstacles of their tables' letters, if no letter of the bot could.
    async fn warn_host(&self, incoming: &Incoming) -> Result<(), InteractionError> {
        if !matches!(incoming.what, InteractionKind::Command(..)) {
            return Ok(());
        }
        let account = address::account(incoming.person.id);
        for (code, met) in self.desk.untold(&account, clock::now()).await? {
            let (_, reader) = self.see(incoming, &code).await?;
            let text = obstacle::words(&code, &met, false, (&self.letters, &reader))?;
            self.say_more(incoming, text).await?;
        }
        Ok(())
    }

    async fn answer(&self, incoming: &Incoming) -> Result<(), InteractionError> {
        let handle = || incoming.handle.clone();
        if !self.is_within_rate_limit(incoming) {
            return self.reply_rate_limited(incoming).await;
        }
        match &incoming.what {
            InteractionKind::Typing(
                command @ (Command::Declare | Command::Act | Command::Orders | Command::Next),
                _,
                typed,
            ) => {
                let pieces = self.suggested(incoming, typed, *command).await.unwrap_or_default();
                Ok(answer::offer(&self.api, &incoming.handle, &pieces).await?)
            }
            InteractionKind::Typing(
                command @ (Command::Card | Command::Rules),
                arguments,
                typed,
            ) => {
                let found = self.looked_up(incoming, *command, arguments, typed).await;
                let found = found.unwrap_or_default();
                Ok(answer::offer(&self.api, &incoming.handle, &found).await?)
            }
            InteractionKind::Typing(..) => {
                Ok(answer::offer(&self.api, &incoming.handle, &[]).await?)
            }
            InteractionKind::TypingGm { request, focus, typed } => {
                let choices =
                    self.choices(incoming, request, focus, typed).await.unwrap_or_default();
                Ok(answer::offer(&self.api, &incoming.handle, &choices).await?)
            }
            InteractionKind::Gm(request) => {
                let reply = answer::defer(&self.api, handle()).await?;
                let done = self.gm_request(incoming, request).await;
                self.finish(incoming, reply, done).await
            }
            InteractionKind::Command(Command::Act, arguments) => {
                let reply = answer::defer(&self.api, handle()).await?;
                let shown = self.act(incoming, arguments.get("text"), reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
            InteractionKind::Command(command @ (Command::Orders | Command::Next), arguments) => {
                let reply = answer::defer(&self.api, handle()).await?;
                let text = arguments.get("text");
                let shown = self.say_ahead(incoming, *command, text, reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
            InteractionKind::Command(Command::Declare, arguments) => {
                let reply = answer::defer(&self.api, handle()).await?;
                let shown = self.declare(incoming, arguments.get("text"), reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
            InteractionKind::Command(command, arguments) => {
                let reply = answer::defer(&self.api, handle()).await?;
                let done = self.command(incoming, *command, arguments).await;
                self.finish(incoming, reply, done).await
            }
            InteractionKind::Press { control, picked, input } => {
                self.handle_press(incoming, control, picked.as_deref(), input.as_deref()).await
            }
            InteractionKind::Form { form, fields } => match form.parse() {
                Ok(control) if is_misplaced(&control, incoming) => self.moved_on(incoming).await,
                Ok(Control::Form { draft, blank }) => {
                    let reply = answer::defer_update(&self.api, handle()).await?;
                    let shown = self.type_into_draft(incoming, &draft, blank, fields, reply).await;
                    self.follow_up_if_refused(incoming, shown).await
                }
                Ok(Control::Line { settings_reference, line }) => {
                    let reply = answer::defer_update(&self.api, handle()).await?;
                    let shown = self
                        .write_setting(incoming, (&settings_reference, line), fields, reply)
                        .await;
                    self.follow_up_if_refused(incoming, shown).await
                }
                Ok(Control::Decide { proposal, public }) => {
                    let reply = answer::defer_update(&self.api, handle()).await?;
                    self.decide_with_reason(incoming, (&proposal, public), fields, reply).await
                }
                _ => self.moved_on(incoming).await,
            },
        }
    }

    /// True if a person is within the rate limit.
    fn is_within_rate_limit(&self, incoming: &Incoming) -> bool {
        let rate_limiter = match &incoming.what {
            InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } => {
                &self.rate_limiters.typing
            }
            _ => &self.rate_limiters.doing,
        };
        rate_limiter.admits(incoming.person.id, clock::now())
    }

    /// Tells a person above the rate limit to wait.
    async fn reply_rate_limited(&self, incoming: &Incoming) -> Result<(), InteractionError> {
        if let InteractionKind::Typing(..) | InteractionKind::TypingGm { .. } = &incoming.what {
            return Ok(answer::offer(&self.api, &incoming.handle, &[]).await?);
        }
        let reader = plain_reader(incoming.person.lang);
        let text = self.letters.write(&reader, &TooFast { most: self.rate_limiters.most })?;
        Ok(answer::say(&self.api, &incoming.handle, &text).await?)
    }

    async fn handle_press(
        &self,
        incoming: &Incoming,
        control: &str,
        picked: Option<&str>,
        input: Option<&str>,
    ) -> Result<(), InteractionError> {
        let handle = incoming.handle.clone();
        match control.parse() {
            Ok(control) if is_misplaced(&control, incoming) => self.moved_on(incoming).await,
            Ok(Control::Table { code, button: ButtonAction::Declare }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let shown = self.panel(incoming, &code, reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
            Ok(Control::Table { code, button }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.press_button(incoming, &code, button).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Erase) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.forget(incoming).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Rules { game, place }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.rules_of(incoming, &game, &place);
                self.finish(incoming, reply, done).await
            }
            Ok(Control::NotAway) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.not_away(incoming).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::TakeBack { code }) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.dismiss_substitute(incoming, &code).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Take { code, seat }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.take(incoming, &code, Some(seat)).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Say { code, window, effect, answers }) => {
                self.say_by_press(incoming, (&code, window), effect, &answers).await
            }
            Ok(Control::Panel { draft, action }) => {
                let shown = self.press(incoming, &draft, action).await;
                self.follow_up_if_refused(incoming, shown).await
            }
            Ok(Control::Menu { draft, .. }) => match picked.unwrap_or_default().parse() {
                Ok(action) => {
                    let shown = self.press(incoming, &draft, action).await;
                    self.follow_up_if_refused(incoming, shown).await
                }
                Err(_) => self.moved_on(incoming).await,
            },
            Ok(Control::Set { settings_reference, change }) => {
                self.press_setting(incoming, &settings_reference, change, input).await
            }
            Ok(Control::Settings { settings_reference, .. }) => {
                match picked.unwrap_or_default().parse() {
                    Ok(change) => {
                        self.press_setting(incoming, &settings_reference, change, input).await
                    }
                    Err(_) => self.moved_on(incoming).await,
                }
            }
            Ok(Control::Close { code, shown }) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.close_confirmed(incoming, &code, &shown).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::End { code, shown, reason }) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.end(incoming, &code, &reason, Some(&shown)).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::AgreeToDraw { code, shown }) => {
                let reply = answer::defer_update(&self.api, handle).await?;
                let done = self.agree_to_draw(incoming, &code, &shown).await;
                self.finish(incoming, reply, done).await
            }
            Ok(control @ Control::Decide { .. }) => self.ask_why(incoming, &control).await,
            Ok(Control::Vote { code, number, yes }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.cast_vote(incoming, &code, number, yes).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Letter { letter }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let shown = self.show_private_letters(incoming, &letter, reply.clone()).await;
                self.or_refuse(incoming, reply, shown).await
            }
            Ok(Control::Undo { code, number }) => {
                let reply = answer::defer(&self.api, handle).await?;
                let done = self.undo_override(incoming, &code, number).await;
                self.finish(incoming, reply, done).await
            }
            Ok(Control::Form { .. } | Control::Line { .. }) | Err(_) => {
                self.moved_on(incoming).await
            }
        }
    }

    async fn press_setting(
        &self,
        incoming: &Incoming,
        settings_reference: &SettingsReference,
        change: SettingChange,
        input: Option<&str>,
    ) -> Result<(), InteractionError> {
        let shown = self.change_setting(incoming, settings_reference, change, input).await;
        self.follow_up_if_refused(incoming, shown).await
    }

    /// Answers a press on an outdated control.
    async fn moved_on(&self, incoming: &Incoming) -> Result<(), InteractionError> {
        let reply = answer::defer(&self.api, incoming.handle.clone()).await?;
        let reader = plain_reader(incoming.person.lang);
        let text = self.letters.write(&reader, &MovedOn {})?;
        Ok(reply.send(PrivateAnswer::words(text)).await?)
    }

    async fn command(
        &self,
        incoming: &Incoming,
        command: Command,
        arguments: &CommandArguments,
    ) -> Result<PrivateAnswer, InteractionError> {
        match command {
            Command::New => return self.form(incoming, arguments).await,
            Command::Move => return self.relocate(incoming, arguments).await,
            Command::List => return self.list(incoming).await,
            Command::My => return self.my(incoming).await,
            Command::Me => return self.me(incoming, arguments).await,
            Command::Dashboard => return self.dashboard(incoming).await,
            Command::Away => return self.away(incoming, arguments).await,
            Command::Back => return self.back(incoming, None).await,
            Command::Help => return self.help(incoming).await,
            Command::Privacy => return self.privacy(incoming),
            Command::Export => return self.export(incoming).await,
            Command::Erase => return self.erase(incoming).await,
            Command::Check => return self.check(incoming).await,
            Command::Defaults => return self.set_defaults(incoming, arguments).await,
            Command::Rules => return self.rules(incoming, arguments).await,
            Command::Card => return self.card(incoming, arguments).await,
            _ => {}
        }
        let code = self.code(incoming).await?;
        let button = match command {
            Command::Join => {
                let text = |name: &str| arguments.get(name).map(String::as_str);
                return self.join(incoming, &code, (text("value"), text("seat"))).await;
            }
            Command::Leave => ButtonAction::Leave,
            Command::Start => ButtonAction::Start,
            Command::Hand => ButtonAction::Hand,
            Command::Show => ButtonAction::Show,
            Command::Why => ButtonAction::Why,
            Command::Log | Command::Receipt | Command::Close => {
                return self.converse(incoming, &code, command).await;
            }
            Command::Side => return self.side(incoming, &code, arguments).await,
            Command::Verify => return self.verify(incoming, &code).await,
            Command::Seal => return self.seal(incoming, &code).await,
            Command::Withdraw => {
                return self.withdraw(incoming, &code, arguments.get("section")).await;
            }
            Command::Resume => {
                let gm = incoming.gm();
                let shown = self.desk.see_as(&code, &gm, clock::now()).await?.revision;
                self.desk.resume(&code, gm, Some(&shown), clock::now()).await?;
                return self.done(incoming, &code).await;
            }
            Command::End => {
                let reason = arguments.get("reason").map_or("", String::as_str);
                return self.end(incoming, &code, reason, None).await;
            }
            Command::Take => return self.take_said(incoming, &code, arguments).await,
            Command::Settings => return self.settings(incoming, &code).await,
            Command::Substitute => return self.substitute(incoming, &code, arguments).await,
            Command::Vote => return self.vote(incoming, &code, arguments).await,
            Command::New
            | Command::Move
            | Command::List
            | Command::My
            | Command::Me
            | Command::Dashboard
            | Command::Help
            | Command::Rules
            | Command::Card
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
            | Command::Quit => return self.done(incoming, &code).await,
        };
        self.press_button(incoming, &code, button).await
    }

    /// Sends the deferred answer: the result, or the refusal.
    async fn finish(
        &self,
        incoming: &Incoming,
        reply: DeferredReply<'_>,
        done: Result<PrivateAnswer, InteractionError>,
    ) -> Result<(), InteractionError> {
        let answer = match done {
            Ok(answer) => answer,
            Err(error) => PrivateAnswer::words(self.refusal_text(incoming.person.lang, error)?),
        };
        Ok(reply.send(answer).await?)
    }

    /// Sends a refusal as the deferred answer, if there is one.
    async fn or_refuse(
        &self,
        incoming: &Incoming,
        reply: DeferredReply<'_>,
        shown: Result<(), InteractionError>,
    ) -> Result<(), InteractionError> {
        match shown {
            Ok(()) => Ok(()),
            Err(error) => self.finish(incoming, reply, Err(error)).await,
        }
    }

    /// Sends a refusal as a follow-up, and leaves the message with the control as it is.
    async fn follow_up_if_refused(
        &self,
        incoming: &Incoming,
        shown: Result<(), InteractionError>,
    ) -> Result<(), InteractionError> {
        let Err(error) = shown else { return Ok(()) };
        let content = self.refusal_text(incoming.person.lang, error)?;
        self.say_more(incoming, content).await
    }

    /// Sends a follow-up that only one person sees.
    async fn say_more(&self, incoming: &Incoming, content: String) -> Result<(), InteractionError> {
        let InteractionHandle { application, token, .. } = &incoming.handle;
        let body = json!({
            "content": content,
            "flags": 64,
            "allowed_mentions": { "parse": [] },
        });
        self.api.follow_up(*application, token, &body, Vec::new()).await?;
        Ok(())
    }

    /// Returns the text of why no table can be played with these options.
    fn unfit_text(
        &self,
        lang: Lang,
        error: &TableOptionsError,
    ) -> Result<String, InteractionError> {
        if let TableOptionsError::Misfit { game, misfit, said: requested } = error
            && let Some(game) = find(game)
        {
            return Ok(self.letters.misfit(
                &Reader::new(game, lang),
                game,
                (misfit, *requested),
            )?);
        }
        let unfit = OptionsUnfit { why: error.to_string() };
        Ok(self.letters.write(&plain_reader(lang), &unfit)?)
    }

    /// Returns the text of a refusal. A failure that has no text is returned as the error.
    fn refusal_text(
        &self,
        lang: Lang,
        error: InteractionError,
    ) -> Result<String, InteractionError> {
        let reader = plain_reader(lang);
        let unsaid = match error {
            InteractionError::Unsaid(ConversationError::NotDone(NotDone::Spent(spent))) => {
                return Ok(self.letters.write(&reader, &TooMuch { spent })?);
            }
            InteractionError::Unsaid(ConversationError::NotDone(NotDone::Options(error))) => {
                return self.unfit_text(lang, &error);
            }
            InteractionError::Unsaid(unsaid) => unsaid.refusal(),
            InteractionError::Which(tables, more) => {
                return Ok(self.letters.write(&reader, &WhichTable { tables, more })?);
            }
            // Nobody waits for an answer any more, or another process gives it.
            InteractionError::Unsent(unsent)
                if unsent.is(Refusal::AlreadyAcknowledged)
                    || unsent.is(Refusal::UnknownInteraction) =>
            {
                return Err(unsent.into());
            }
            InteractionError::Unsent(unsent) => {
                return self.failure_text(&unsent, is_forbidden(&unsent), &reader);
            }
        };
        match unsaid {
            Ok((refused, detail)) => Ok(self.letters.refused(&reader, refused, &detail)?),
            Err(broken) => self.failure_text(&broken, false, &reader),
        }
    }

    /// Logs a failure and returns its text.
    fn failure_text(
        &self,
        error: &dyn std::error::Error,
        forbidden: bool,
        reader: &Reader,
    ) -> Result<String, InteractionError> {
        tracing::error!(%error, "what somebody wished for could not be done");
        Ok(self.letters.write(reader, &FailedNote { forbidden })?)
    }

    async fn see(
        &self,
        incoming: &Incoming,
        code: &TableCode,
    ) -> Result<(Sight, Reader), InteractionError> {
        let sight = self.desk.see_as(code, &incoming.gm(), clock::now()).await?;
        let reader = sight.reader(incoming.person.lang).with_stamps();
        Ok((sight, reader))
    }

    /// Returns the speaker of a conversation for an account and a reader.
    fn speaker<'a>(&'a self, account: &'a AccountId, reader: &'a Reader) -> Speaker<'a> {
        Speaker { desk: &self.desk, letters: &self.letters, account, reader, now: clock::now() }
    }

    fn guest(person: &DiscordUser) -> Guest {
        Guest {
            account: address::account(person.id),
            name: person.name.clone(),
            language: person.lang,
            address: address::own(person.id),
        }
    }

    /// Rings after a change that shows elsewhere, and returns a short confirmation.
    async fn done(
        &self,
        incoming: &Incoming,
        code: &TableCode,
    ) -> Result<PrivateAnswer, InteractionError> {
        (self.ring)();
        let (_, reader) = self.see(incoming, code).await?;
        Ok(PrivateAnswer::words(self.letters.write(&reader, &DoneNote {})?))
    }
}

/// True if a control for private messages was pressed on a public message.
fn is_misplaced(control: &Control, incoming: &Incoming) -> bool {
    control.is_private() && !incoming.source.is_some_and(|message| message.private)
}

/// True if the bot lacks a permission.
fn is_forbidden(unsent: &SendError) -> bool {
    unsent.is(Refusal::MissingPermissions) || unsent.is(Refusal::MissingAccess)
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

/// Returns a reader without a game's context.
fn plain_reader(lang: Lang) -> Reader {
    Reader::new(GAMES[0], lang).with_stamps()
}
