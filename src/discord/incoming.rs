//! What comes in from a person, apart from the library that heard it.

use std::collections::BTreeMap;

use serenity::all::{
    ActionRowComponent, ApplicationId, ChannelId, ChannelType, CommandDataOption,
    CommandDataOptionValue, CommandDataResolved, ComponentInteractionDataKind, GuildId,
    Interaction, InteractionId, User, UserId,
};

use crate::commands::{Command, Place};
use crate::rules::text::Lang;
use crate::store::Store;

/// Something that a person has done.
pub(super) struct Incoming {
    /// To be answered by.
    pub(super) slip: Slip,
    /// Who.
    pub(super) person: Person,
    /// Where.
    pub(super) channel: ChannelId,
    /// The channel that it is a thread of, or else the same.
    pub(super) above: ChannelId,
    /// Whether that is a channel of announcements.
    pub(super) news: bool,
    /// In which server that is, if it is in one.
    pub(super) server: Option<GuildId>,
    /// What the bot may do there, as Discord's number.
    pub(super) permitted: Option<u64>,
    /// Whom they have picked for an argument.
    pub(super) whom: Option<Whom>,
    /// What.
    pub(super) what: What,
}

/// What an answer needs. Its token is a secret while it is valid.
#[derive(Clone)]
pub(super) struct Slip {
    pub(super) id: InteractionId,
    pub(super) token: String,
    pub(super) application: ApplicationId,
    /// Where it is noted who has taken it on.
    pub(super) store: Store,
}

/// A person.
pub(super) struct Person {
    pub(super) id: UserId,
    /// What they are called there.
    pub(super) name: String,
    pub(super) lang: Lang,
}

/// What a person has done.
pub(super) enum What {
    /// Typed a command.
    Command(Command, Said),
    /// Is typing an argument of a command.
    Typing(Command, String),
    /// Pressed a control, or picked this entry of it. The message may keep what they had typed.
    Press { control: String, picked: Option<String>, kept: Option<String> },
    /// Typed into a form.
    Form { form: String, fields: Vec<String> },
}

/// The arguments of a command, by name.
pub(super) type Said = BTreeMap<String, String>;

/// Somebody who is picked for an argument.
pub(super) enum Whom {
    /// Somebody.
    Person {
        /// Who.
        id: UserId,
        /// What they are called there.
        name: String,
        /// Whether it is a program.
        bot: bool,
    },
}

/// What every interaction has, whatever its kind.
macro_rules! incoming {
    ($heard:ident, $store:ident, $what:expr) => {
        incoming!($heard, $store, $what, None)
    };
    ($heard:ident, $store:ident, $what:expr, $whom:expr) => {{
        let nick = $heard.member.as_ref().and_then(|member| member.nick.as_deref());
        let person = person(&$heard.user, nick, &$heard.locale);
        let (channel, server) = ($heard.channel_id, $heard.guild_id);
        let thread = $heard.channel.as_ref().filter(|channel| channel.thread_metadata.is_some());
        let above = thread.and_then(|thread| thread.parent_id).unwrap_or(channel);
        let kind = $heard.channel.as_ref().map(|channel| channel.kind);
        let news = matches!(kind, Some(ChannelType::News | ChannelType::NewsThread));
        let permitted = $heard.app_permissions.map(|permissions| permissions.bits());
        let (id, token) = ($heard.id, $heard.token.clone());
        let slip = Slip { id, token, application: $heard.application_id, store: $store.clone() };
        let (whom, what) = ($whom, $what);
        Some(Incoming { slip, person, channel, above, news, server, permitted, whom, what })
    }};
}

impl Incoming {
    /// What was heard; none for what is not ours to answer.
    pub(super) fn of(interaction: Interaction, store: &Store) -> Option<Self> {
        match interaction {
            Interaction::Command(heard) => {
                let (command, options) = named(&heard.data.name, &heard.data.options)?;
                let said = options
                    .iter()
                    .filter_map(|option| Some((option.name.clone(), text(&option.value)?)))
                    .collect();
                let whom = whom(options, &heard.data.resolved);
                incoming!(heard, store, What::Command(command, said), whom)
            }
            Interaction::Autocomplete(heard) => {
                let (command, options) = named(&heard.data.name, &heard.data.options)?;
                let typed = options.iter().find_map(|option| match &option.value {
                    CommandDataOptionValue::Autocomplete { value, .. } => Some(value.clone()),
                    _ => None,
                })?;
                incoming!(heard, store, What::Typing(command, typed))
            }
            Interaction::Component(heard) => {
                let picked = match &heard.data.kind {
                    ComponentInteractionDataKind::StringSelect { values } => values.last().cloned(),
                    _ => None,
                };
                let control = heard.data.custom_id.clone();
                let kept = heard.message.embeds.first().and_then(|embed| embed.description.clone());
                incoming!(heard, store, What::Press { control, picked, kept })
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
                incoming!(heard, store, What::Form { form: heard.data.custom_id.clone(), fields })
            }
            _ => None,
        }
    }
}

/// The command that is meant, and what is said to it.
fn named<'a>(
    name: &str,
    options: &'a [CommandDataOption],
) -> Option<(Command, &'a [CommandDataOption])> {
    if let [CommandDataOption { name, value: CommandDataOptionValue::SubCommand(options), .. }] =
        options
    {
        return Some((Command::find(Place::Discord, name)?, options));
    }
    Some((Command::find(Place::Discord, name)?, options))
}

/// The person who is picked.
fn whom(options: &[CommandDataOption], resolved: &CommandDataResolved) -> Option<Whom> {
    options.iter().find_map(|option| match option.value {
        CommandDataOptionValue::User(id) => person_picked(id, resolved),
        _ => None,
    })
}

fn person_picked(id: UserId, resolved: &CommandDataResolved) -> Option<Whom> {
    let user = resolved.users.get(&id)?;
    let nick = resolved.members.get(&id).and_then(|member| member.nick.as_deref());
    let name = nick.unwrap_or_else(|| user.display_name()).to_owned();
    Some(Whom::Person { id, name, bot: user.bot })
}

fn text(value: &CommandDataOptionValue) -> Option<String> {
    match value {
        CommandDataOptionValue::String(text) => Some(text.clone()),
        CommandDataOptionValue::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

fn person(user: &User, nick: Option<&str>, locale: &str) -> Person {
    let name = nick.unwrap_or_else(|| user.display_name()).to_owned();
    let lang = if locale.starts_with("ja") { Lang::Ja } else { Lang::En };
    Person { id: user.id, name, lang }
}
