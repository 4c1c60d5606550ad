//! What comes in from a person, apart from the library that heard it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serenity::all::{
    ActionRowComponent, ApplicationId, ChannelId, ChannelType, CommandDataOption,
    CommandDataOptionValue, CommandDataResolved, ComponentInteractionDataKind, GuildId,
    Interaction, InteractionId, Message, MessageFlags, RoleId, User, UserId,
};

use crate::address;
use desk::commands::{Command, CommandPlace};
use desk::counts::Counts;
use desk::{Gm, OverrideReply, Verb};
use rules::text::Lang;
use store::Store;

/// Something that a person has done.
pub(super) struct Incoming {
    /// What its answer needs.
    pub(super) handle: InteractionHandle,
    pub(super) person: DiscordUser,
    pub(super) channel: ChannelId,
    /// The channel that it is a thread of, or else the same.
    pub(super) above: ChannelId,
    /// True if that is a channel of announcements.
    pub(super) news: bool,
    /// In which server that is, if it is in one.
    pub(super) server: Option<GuildId>,
    /// What roles they have there.
    pub(super) roles: Vec<RoleId>,
    /// What they may do where they are, as Discord's number; none in a conversation.
    pub(super) allowed: Option<u64>,
    /// What the bot may do there, as Discord's number.
    pub(super) permitted: Option<u64>,
    /// Whom they have picked for an argument; a game master's command has its own.
    pub(super) whom: Option<PickedTarget>,
    /// True if they did it on a message that nobody else sees.
    pub(super) on_private: bool,
    pub(super) what: InteractionKind,
}

/// What an answer needs. Its token is a secret while it is valid.
#[derive(Clone)]
pub(super) struct InteractionHandle {
    pub(super) id: InteractionId,
    pub(super) token: String,
    pub(super) application: ApplicationId,
    /// Where it is noted who has taken it on.
    pub(super) store: Store,
    /// When it was heard, and where it is counted how long its acknowledgement takes.
    pub(super) heard: Instant,
    pub(super) counts: Arc<Counts>,
}

/// Who has written or pressed something on Discord.
pub(super) struct DiscordUser {
    pub(super) id: UserId,
    /// What they are called there.
    pub(super) name: String,
    pub(super) lang: Lang,
}

/// What a person has done.
pub(super) enum InteractionKind {
    /// Typed a command.
    Command(Command, CommandArguments),
    /// Is typing an argument of a command.
    Typing(Command, CommandArguments, String),
    /// Typed a command of a game master.
    Gm(GmRequest),
    /// Is typing that: which argument, and what of it.
    TypingGm { request: GmRequest, focus: String, typed: String },
    /// Pressed a control, or picked this entry of it. The message may keep what they had typed.
    Press { control: String, picked: Option<String>, kept: Option<String> },
    /// Typed into a form.
    Form { form: String, fields: Vec<String> },
}

/// The arguments of a command, by name.
pub(super) type CommandArguments = BTreeMap<String, String>;

/// A game master's command with its arguments.
pub(super) struct GmRequest {
    pub(super) command: GmCommand,
    /// The arguments, people and roles by their ids.
    pub(super) said: CommandArguments,
    /// The person or the role that is meant.
    pub(super) whom: Option<PickedTarget>,
}

/// What a game master says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GmCommand {
    /// It is to be decided.
    Decide(Verb),
    /// It is to be looked at, or who decides.
    Other(OverrideReply),
}

impl GmCommand {
    /// What the command says that goes by this name.
    fn of(name: &str) -> Option<Self> {
        let decided = Verb::read(name).map(|(verb, _)| Self::Decide(verb));
        decided.or_else(|| OverrideReply::read(name).map(|(reply, _)| Self::Other(reply)))
    }
}

/// A person or a role that is picked for an argument.
pub(super) enum PickedTarget {
    Person {
        id: UserId,
        /// What they are called there.
        name: String,
        /// True if it is a program.
        bot: bool,
    },
    Role(RoleId),
}

/// What every interaction has, whatever its kind.
macro_rules! incoming {
    ($heard:ident, $at:ident, $what:expr) => {
        incoming!($heard, $at, $what, None, false)
    };
    ($heard:ident, $at:ident, $what:expr, $whom:expr, $on_private:expr) => {{
        let nick = $heard.member.as_ref().and_then(|member| member.nick.as_deref());
        let person = person(&$heard.user, nick, &$heard.locale);
        let roles = $heard.member.as_ref().map(|member| member.roles.clone()).unwrap_or_default();
        let allowed = $heard.member.as_ref().and_then(|member| member.permissions);
        let allowed = allowed.map(|permissions| permissions.bits());
        let (channel, server) = ($heard.channel_id, $heard.guild_id);
        let thread = $heard.channel.as_ref().filter(|channel| channel.thread_metadata.is_some());
        let above = thread.and_then(|thread| thread.parent_id).unwrap_or(channel);
        let kind = $heard.channel.as_ref().map(|channel| channel.kind);
        let news = matches!(kind, Some(ChannelType::News | ChannelType::NewsThread));
        let permitted = $heard.app_permissions.map(|permissions| permissions.bits());
        let (id, token) = ($heard.id, $heard.token.clone());
        let (store, counts, heard) = ($at.0.clone(), Arc::clone($at.1), Instant::now());
        let handle = InteractionHandle {
            id,
            token,
            application: $heard.application_id,
            store,
            heard,
            counts,
        };
        let (whom, what, on_private) = ($whom, $what, $on_private);
        Some(Incoming {
            handle,
            person,
            channel,
            above,
            news,
            server,
            roles,
            allowed,
            permitted,
            whom,
            on_private,
            what,
        })
    }};
}

impl Incoming {
    /// The one who gives a command, with their roles.
    pub(crate) fn gm(&self) -> Gm {
        let roles = self.roles.iter().map(|role| address::role(*role)).collect();
        Gm { account: address::account(self.person.id), roles }
    }

    /// What was heard; none for what is not ours to answer.
    pub(super) fn of(
        interaction: Interaction,
        store: &Store,
        counts: &Arc<Counts>,
    ) -> Option<Self> {
        let at = (store, counts);
        match interaction {
            Interaction::Command(heard) => {
                let (command, gm_command, options) = named(&heard.data.name, &heard.data.options)?;
                let said = said(options);
                let whom = whom(options, &heard.data.resolved);
                match gm_command {
                    None => {
                        incoming!(heard, at, InteractionKind::Command(command, said), whom, false)
                    }
                    Some(gm_command) => incoming!(
                        heard,
                        at,
                        InteractionKind::Gm(GmRequest { command: gm_command, said, whom })
                    ),
                }
            }
            Interaction::Autocomplete(heard) => {
                let (command, gm_command, options) = named(&heard.data.name, &heard.data.options)?;
                let (focus, typed) = options.iter().find_map(|option| match &option.value {
                    CommandDataOptionValue::Autocomplete { value, .. } => {
                        Some((option.name.clone(), value.clone()))
                    }
                    _ => None,
                })?;
                let what = match gm_command {
                    None => InteractionKind::Typing(command, said(options), typed),
                    Some(gm_command) => {
                        let request =
                            GmRequest { command: gm_command, said: said(options), whom: None };
                        InteractionKind::TypingGm { request, focus, typed }
                    }
                };
                incoming!(heard, at, what)
            }
            Interaction::Component(heard) => {
                let picked = match &heard.data.kind {
                    ComponentInteractionDataKind::StringSelect { values } => values.last().cloned(),
                    _ => None,
                };
                let control = heard.data.custom_id.clone();
                let kept = heard.message.embeds.first().and_then(|embed| embed.description.clone());
                let private = is_private(Some(&heard.message));
                incoming!(
                    heard,
                    at,
                    InteractionKind::Press { control, picked, kept },
                    None,
                    private
                )
            }
            Interaction::Modal(heard) => {
                let rows = heard.data.components.iter().flat_map(|row| &row.components);
                let fields = rows.filter_map(|field| match field {
                    ActionRowComponent::InputText(field) => {
                        Some(field.value.clone().unwrap_or_default())
                    }
                    _ => None,
                });
                let fields = fields.collect();
                let form = heard.data.custom_id.clone();
                let private = is_private(heard.message.as_deref());
                incoming!(heard, at, InteractionKind::Form { form, fields }, None, private)
            }
            _ => None,
        }
    }
}

/// True if a message is shown to one person alone.
fn is_private(message: Option<&Message>) -> bool {
    let flags = message.and_then(|message| message.flags);
    flags.is_some_and(|flags| flags.contains(MessageFlags::EPHEMERAL))
}

/// A command, the game master's command below it if it has one, and its arguments.
type NamedCommand<'a> = (Command, Option<GmCommand>, &'a [CommandDataOption]);

fn named<'a>(name: &str, options: &'a [CommandDataOption]) -> Option<NamedCommand<'a>> {
    use CommandDataOptionValue::{SubCommand, SubCommandGroup};
    match options {
        [CommandDataOption { name, value: SubCommand(options), .. }] => {
            Some((Command::find(CommandPlace::Discord, name)?, None, options))
        }
        [CommandDataOption { name, value: SubCommandGroup(below), .. }] => {
            let [CommandDataOption { name: gm_command, value: SubCommand(options), .. }] =
                &below[..]
            else {
                return None;
            };
            Some((
                Command::find(CommandPlace::Discord, name)?,
                Some(GmCommand::of(gm_command)?),
                options,
            ))
        }
        _ => Some((Command::find(CommandPlace::Discord, name)?, None, options)),
    }
}

fn said(options: &[CommandDataOption]) -> CommandArguments {
    let said = |option: &CommandDataOption| Some((option.name.clone(), text(&option.value)?));
    options.iter().filter_map(said).collect()
}

/// The person or the role that is picked.
fn whom(options: &[CommandDataOption], resolved: &CommandDataResolved) -> Option<PickedTarget> {
    options.iter().find_map(|option| match option.value {
        CommandDataOptionValue::User(id) => person_picked(id, resolved),
        CommandDataOptionValue::Role(id) => Some(PickedTarget::Role(id)),
        CommandDataOptionValue::Mentionable(id) => {
            let role = RoleId::new(id.get());
            if resolved.roles.contains_key(&role) {
                return Some(PickedTarget::Role(role));
            }
            person_picked(UserId::new(id.get()), resolved)
        }
        _ => None,
    })
}

fn person_picked(id: UserId, resolved: &CommandDataResolved) -> Option<PickedTarget> {
    let user = resolved.users.get(&id)?;
    let nick = resolved.members.get(&id).and_then(|member| member.nick.as_deref());
    let name = nick.unwrap_or_else(|| user.display_name()).to_owned();
    Some(PickedTarget::Person { id, name, bot: user.bot })
}

fn text(value: &CommandDataOptionValue) -> Option<String> {
    match value {
        CommandDataOptionValue::String(text) => Some(text.clone()),
        CommandDataOptionValue::Integer(number) => Some(number.to_string()),
        CommandDataOptionValue::Role(id) => Some(id.to_string()),
        CommandDataOptionValue::User(id) => Some(id.to_string()),
        _ => None,
    }
}

fn person(user: &User, nick: Option<&str>, locale: &str) -> DiscordUser {
    let name = nick.unwrap_or_else(|| user.display_name()).to_owned();
    let lang = if locale.starts_with("ja") { Lang::Ja } else { Lang::En };
    DiscordUser { id: user.id, name, lang }
}
