//! Interactions in the bot's own types, and Discord's addresses in their stored form.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serenity::all::{
    ActionRowComponent, ApplicationId, ChannelId, ChannelType, CommandDataOption,
    CommandDataOptionValue, CommandDataResolved, ComponentInteractionDataKind, GuildId,
    Interaction, InteractionId, Message, MessageFlags, MessageId, RoleId, User, UserId,
};

use desk::commands::{Command, CommandPlace};
use desk::counts::Counts;
use desk::{Gm, OverrideReply, Verb};
use rules::text::Lang;
use store::Store;
use tables::ids::{AccountId, Address};

/// An interaction of a person.
pub(super) struct Incoming {
    /// The data that an answer needs.
    pub(super) handle: InteractionHandle,
    pub(super) person: DiscordUser,
    pub(super) channel: ChannelId,
    /// The parent channel of a thread, or else the channel itself.
    pub(super) above: ChannelId,
    /// True if the parent channel is for announcements.
    pub(super) news: bool,
    /// The server of the channel; `None` in a direct conversation.
    pub(super) server: Option<GuildId>,
    /// The person's roles on the server.
    pub(super) roles: Vec<RoleId>,
    /// The person's permissions in the channel, as Discord's number; `None` in a direct conversation.
    pub(super) allowed: Option<u64>,
    /// The bot's permissions in the channel, as Discord's number.
    pub(super) permitted: Option<u64>,
    /// The picked person or role; a game master's command has its own.
    pub(super) whom: Option<PickedTarget>,
    /// The message with the control or form; `None` for commands.
    pub(super) source: Option<SourceMessage>,
    pub(super) what: InteractionKind,
}

/// The message that an interaction came from.
#[derive(Clone, Copy)]
pub(crate) struct SourceMessage {
    pub(super) id: MessageId,
    /// True if only the person sees the message.
    pub(super) private: bool,
}

impl SourceMessage {
    fn of(message: &Message) -> Self {
        let flags = message.flags.unwrap_or_default();
        Self { id: message.id, private: flags.contains(MessageFlags::EPHEMERAL) }
    }
}

/// The data that an answer needs. The token is a secret while it is valid.
#[derive(Clone)]
pub(super) struct InteractionHandle {
    pub(super) id: InteractionId,
    pub(super) token: String,
    pub(super) application: ApplicationId,
    /// The store that notes which process handles the interaction.
    pub(super) store: Store,
    /// The time of arrival, from which the delay of the acknowledgement is measured.
    pub(super) heard: Instant,
    pub(super) counts: Arc<Counts>,
}

/// The person on Discord who caused an interaction.
pub(super) struct DiscordUser {
    pub(super) id: UserId,
    pub(super) account: AccountId,
    /// The display name on Discord.
    pub(super) name: String,
    pub(super) lang: Lang,
}

/// The kind of an interaction, with its data.
pub(super) enum InteractionKind {
    /// A command.
    Command(Command, Arguments),
    /// A completion of a command's argument.
    Typing(Command, Arguments, String),
    /// A game master's command.
    Gm(GmRequest),
    /// A completion of a game master's command: the focused argument and its input so far.
    TypingGm { request: GmRequest, focus: String, typed: String },
    /// A press on a control, with the picked entry of a menu. `input` is the earlier input that the message
    /// shows.
    Press { control: String, picked: Option<String>, input: Option<String> },
    /// A submitted form.
    Form { form: String, fields: Vec<String> },
}

/// The arguments of a command, by name.
pub(super) type Arguments = BTreeMap<String, String>;

/// A game master's command with its arguments.
pub(super) struct GmRequest {
    pub(super) command: GmCommand,
    /// The arguments; people and roles are ids.
    pub(super) arguments: Arguments,
}

/// The commands of a game master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GmCommand {
    /// Makes a decision.
    Decide(Verb),
    /// Shows decisions, or changes who may decide.
    Other(OverrideReply),
}

impl GmCommand {
    /// Finds the command of a name.
    fn of(name: &str) -> Option<Self> {
        let decided = Verb::read(name).map(|(verb, _)| Self::Decide(verb));
        decided.or_else(|| OverrideReply::read(name).map(|(reply, _)| Self::Other(reply)))
    }
}

/// A person or a role picked as an argument.
pub(super) enum PickedTarget {
    Person {
        id: UserId,
        /// The display name on Discord.
        name: String,
        /// True for a bot.
        bot: bool,
    },
    Role(RoleId),
}

/// Builds an `Incoming` from the fields that every kind of interaction has.
macro_rules! incoming {
    ($heard:ident, $at:ident, $what:expr, $whom:expr, $source:expr) => {{
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
        let (whom, what, source) = ($whom, $what, $source);
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
            source,
            what,
        })
    }};
}

impl Incoming {
    /// Returns the author of the command, with roles, as a game master.
    pub(crate) fn gm(&self) -> Gm {
        let roles = self.roles.iter().map(|id| role(*id)).collect();
        Gm { account: account(self.person.id), roles }
    }

    /// Converts an interaction; `None` if the bot does not handle it.
    pub(super) fn of(
        interaction: Interaction,
        store: &Store,
        counts: &Arc<Counts>,
    ) -> Option<Self> {
        let at = (store, counts);
        match interaction {
            Interaction::Command(heard) => {
                let (command, gm_command, options) = named(&heard.data.name, &heard.data.options)?;
                let arguments = arguments(options);
                let whom = whom(options, &heard.data.resolved);
                let what = match gm_command {
                    None => InteractionKind::Command(command, arguments),
                    Some(command) => InteractionKind::Gm(GmRequest { command, arguments }),
                };
                incoming!(heard, at, what, whom, None)
            }
            Interaction::Autocomplete(heard) => {
                let (command, gm_command, options) = named(&heard.data.name, &heard.data.options)?;
                let (focus, typed) = options.iter().find_map(|option| match &option.value {
                    CommandDataOptionValue::Autocomplete { value, .. } => {
                        Some((option.name.clone(), value.clone()))
                    }
                    _ => None,
                })?;
                let arguments = arguments(options);
                let what = match gm_command {
                    None => InteractionKind::Typing(command, arguments, typed),
                    Some(command) => {
                        let request = GmRequest { command, arguments };
                        InteractionKind::TypingGm { request, focus, typed }
                    }
                };
                incoming!(heard, at, what, None, None)
            }
            Interaction::Component(heard) => {
                let picked = match &heard.data.kind {
                    ComponentInteractionDataKind::StringSelect { values } => values.last().cloned(),
                    _ => None,
                };
                let control = heard.data.custom_id.clone();
                let input =
                    heard.message.embeds.first().and_then(|embed| embed.description.clone());
                let source = Some(SourceMessage::of(&heard.message));
                incoming!(
                    heard,
                    at,
                    InteractionKind::Press { control, picked, input },
                    None,
                    source
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
                let source = heard.message.as_deref().map(SourceMessage::of);
                incoming!(heard, at, InteractionKind::Form { form, fields }, None, source)
            }
            _ => None,
        }
    }
}

/// A command, its game master's subcommand if there is one, and the arguments.
type NamedCommand<'a> = (Command, Option<GmCommand>, &'a [CommandDataOption]);

fn named<'a>(name: &str, options: &'a [CommandDataOption]) -> Option<NamedCommand<'a>> {
    use CommandDataOptionValue::{SubCommand, SubCommandGroup};
    let outer = Command::find(CommandPlace::Discord, name);
    match options {
        [CommandDataOption { name, value: SubCommand(options), .. }] => {
            let alone = outer.filter(|command| command.manifest().under.is_none());
            let command = alone.or_else(|| Command::find(CommandPlace::Discord, name))?;
            Some((command, None, options))
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
        _ => Some((outer?, None, options)),
    }
}

fn arguments(options: &[CommandDataOption]) -> Arguments {
    let argument = |option: &CommandDataOption| Some((option.name.clone(), text(&option.value)?));
    options.iter().filter_map(argument).collect()
}

/// Returns the picked person or role.
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
    DiscordUser { id: user.id, account: account(user.id), name, lang }
}

/// The prefix of the accounts on Discord.
pub(super) const SCHEME: &str = "discord:";

const CHANNEL: &str = "discord:channel:";
const USER: &str = "discord:user:";
const SERVER: &str = "discord:server:";
const ROLE: &str = "discord:role:";

/// The recipient of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// A channel or a thread.
    Channel(ChannelId),
    /// The direct messages of a user.
    User(UserId),
}

impl Destination {
    /// Parses an address; `None` if it is not one of Discord.
    pub(super) fn parse(address: &Address) -> Option<Self> {
        let id = |digits: &str| digits.parse().ok().filter(|id: &u64| *id > 0);
        let text = address.as_str();
        if let Some(digits) = text.strip_prefix(CHANNEL) {
            return id(digits).map(|id| Self::Channel(ChannelId::new(id)));
        }
        id(text.strip_prefix(USER)?).map(|id| Self::User(UserId::new(id)))
    }
}

/// Returns the address of a channel or a thread.
pub(super) fn place(channel: ChannelId) -> Address {
    format!("{CHANNEL}{channel}").into()
}

/// Returns the address of an account's direct messages; `None` if the account is not of Discord.
pub fn own_address(account: &AccountId) -> Option<Address> {
    user(account).map(own)
}

/// Returns the address of a user's direct messages.
pub(super) fn own(user: UserId) -> Address {
    format!("{USER}{user}").into()
}

/// Returns a server's id in its stored form.
pub(super) fn server(server: GuildId) -> String {
    format!("{SERVER}{server}")
}

/// Returns a role's id in its stored form.
pub(super) fn role(role: RoleId) -> String {
    format!("{ROLE}{role}")
}

/// Returns the account of a user.
pub(super) fn account(user: UserId) -> AccountId {
    format!("{SCHEME}{user}").into()
}

/// Returns the channel or thread at an address; `None` if the address is of a user.
pub(super) fn channel_of(place: &Address) -> Option<ChannelId> {
    match Destination::parse(place)? {
        Destination::Channel(channel) => Some(channel),
        Destination::User(_) => None,
    }
}

/// Returns the id of the channel or thread at an address; `None` if the address is of a user.
pub(super) fn thread_of(place: &Address) -> Option<String> {
    channel_of(place).map(|thread| thread.to_string())
}

/// Returns a message in a channel or thread, by its stored address and id.
pub(super) fn message_at(place: &Address, message: &str) -> Option<(ChannelId, MessageId)> {
    channel_of(place).zip(message.parse().ok())
}

/// Returns the user of an account; `None` if the account is not of Discord.
pub(super) fn user(account: &AccountId) -> Option<UserId> {
    account.as_str().strip_prefix(SCHEME)?.parse().ok().filter(|id: &u64| *id > 0).map(UserId::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_it_is_written() {
        let (channel, somebody) = (ChannelId::new(7), UserId::new(8));
        assert_eq!(Destination::parse(&place(channel)), Some(Destination::Channel(channel)));
        assert_eq!(Destination::parse(&own(somebody)), Some(Destination::User(somebody)));
        assert_eq!(user(&account(somebody)), Some(somebody));
        for text in ["", "discord:channel:", "discord:user:0", "terminal:7", "discord:channel:x"] {
            assert_eq!(Destination::parse(&text.into()), None, "{text}");
        }
    }
}
