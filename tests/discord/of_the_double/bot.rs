//! A small bot on the real library, for which the fake Discord must suffice.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::json;
use serenity::{
    all::{
        ActionRowComponent, AutocompleteChoice, ButtonStyle, ChannelType, Client, Command,
        CommandInteraction, CommandOptionType, ComponentInteraction, ComponentInteractionDataKind,
        Context, CreateActionRow, CreateAttachment, CreateAutocompleteResponse, CreateButton,
        CreateCommand, CreateCommandOption, CreateInputText, CreateInteractionResponse as Response,
        CreateInteractionResponseFollowup, CreateInteractionResponseMessage, CreateMessage,
        CreateModal, CreateSelectMenu, CreateSelectMenuKind, CreateSelectMenuOption, CreateThread,
        EditInteractionResponse, Event, EventHandler, GatewayIntents, Guild, Http, HttpBuilder,
        InputTextStyle, Interaction, ModalInteraction, RawEventHandler, Ready,
    },
    async_trait,
};
use tokio::task::JoinHandle;

use double::Discord;

/// The events that the bot received.
#[derive(Debug, Default)]
pub(super) struct Met {
    guilds: AtomicUsize,
    unknown: AtomicUsize,
    interactions: AtomicUsize,
}

impl Met {
    /// Returns the number of guilds that became available.
    pub(super) fn guilds(&self) -> usize {
        self.guilds.load(Ordering::SeqCst)
    }

    /// Returns the number of events that the library could not parse.
    pub(super) fn unknown(&self) -> usize {
        self.unknown.load(Ordering::SeqCst)
    }

    /// Returns the number of interactions.
    pub(super) fn interactions(&self) -> usize {
        self.interactions.load(Ordering::SeqCst)
    }
}

/// A bot that runs in this process until it is dropped.
pub(super) struct Bot {
    pub(super) met: Arc<Met>,
    running: JoinHandle<Result<(), serenity::Error>>,
}

impl Bot {
    /// Starts the bot and waits until it is connected.
    pub(super) async fn start(discord: &Discord) -> Self {
        let bot = Self::start_alone(discord, GatewayIntents::GUILDS).await;
        discord.is_connected().await;
        bot
    }

    /// Starts the bot without waiting for its connection.
    pub(super) async fn start_alone(discord: &Discord, intents: GatewayIntents) -> Self {
        let (met, mut client) = client(discord, intents).await;
        let running = tokio::spawn(async move { client.start().await });
        Self { met, running }
    }

    /// Starts the bot with the recommended number of shards, without waiting for its connection.
    pub(super) async fn start_in_shards(discord: &Discord) -> Self {
        let (met, mut client) = client(discord, GatewayIntents::GUILDS).await;
        let running = tokio::spawn(async move { client.start_autosharded().await });
        Self { met, running }
    }

    /// Waits for the end of the bot, and returns its error.
    pub(super) async fn ends(mut self) -> String {
        let result = (&mut self.running).await.unwrap();
        result.expect_err("it ends with an error").to_string()
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn client(discord: &Discord, intents: GatewayIntents) -> (Arc<Met>, Client) {
    let met = Arc::new(Met::default());
    let handler = Handler { met: met.clone(), guild: discord.guild() };
    let builder = serenity::client::ClientBuilder::new_with_http(http(discord), intents);
    let builder = builder.event_handler(handler).raw_event_handler(Raw(met.clone()));
    (met, builder.await.expect("a client can be built"))
}

/// Returns the library's REST client for the fake Discord.
pub(super) fn http(discord: &Discord) -> Http {
    let token = discord.token();
    HttpBuilder::new(token).proxy(discord.address()).ratelimiter_disabled(true).build()
}

struct Raw(Arc<Met>);

#[async_trait]
impl RawEventHandler for Raw {
    async fn raw_event(&self, _: Context, event: Event) {
        if let Event::Unknown(_) = event {
            self.0.unknown.fetch_add(1, Ordering::SeqCst);
        }
    }
}

struct Handler {
    met: Arc<Met>,
    guild: u64,
}

#[async_trait]
impl EventHandler for Handler {
    async fn ready(&self, ctx: Context, _: Ready) {
        let text = CreateCommandOption::new(CommandOptionType::String, "text", "What you declare");
        let text = text.name_localized("ja", "宣言文").required(true).set_autocomplete(true);
        let declare = CreateCommand::new("declare").description("Declare").add_option(text);
        let declare = declare.name_localized("ja", "宣言");
        let new = CreateCommandOption::new(CommandOptionType::SubCommand, "new", "A new table");
        let table = CreateCommand::new("table").description("Tables").add_option(new);
        serenity::all::GuildId::new(self.guild)
            .set_commands(&ctx.http, vec![declare, table])
            .await
            .unwrap();
        let hand = CreateCommand::new("hand").description("Your hand");
        Command::set_global_commands(&ctx.http, vec![hand]).await.unwrap();
    }

    async fn guild_create(&self, _: Context, guild: Guild, _: Option<bool>) {
        assert_eq!(guild.channels.len(), 1);
        self.met.guilds.fetch_add(1, Ordering::SeqCst);
    }

    async fn interaction_create(&self, ctx: Context, interaction: Interaction) {
        self.met.interactions.fetch_add(1, Ordering::SeqCst);
        let done = match interaction {
            Interaction::Command(command) if command.data.name == "table" => {
                table(&ctx, &command).await
            }
            Interaction::Command(command) if command.data.name == "hand" => {
                hand(&ctx, &command).await
            }
            Interaction::Command(command) => declare(&ctx, &command).await,
            Interaction::Autocomplete(command) => complete(&ctx, &command).await,
            Interaction::Component(component) => component_pressed(&ctx, &component).await,
            Interaction::Modal(modal) => filled(&ctx, &modal).await,
            _ => Ok(()),
        };
        // An interaction that arrives twice can be answered once.
        if let Err(error) = done {
            assert!(error.to_string().contains("already been acknowledged"), "{error}");
        }
    }
}

fn panel(text: &str) -> CreateInteractionResponseMessage {
    let roles = ["役者5", "演出家3"].map(|role| CreateSelectMenuOption::new(role, role));
    let menu = CreateSelectMenuKind::String { options: roles.to_vec() };
    CreateInteractionResponseMessage::new()
        .content(text)
        .ephemeral(true)
        .button(CreateButton::new("seal").label("封をする"))
        .button(CreateButton::new("words").label("文で書く").style(ButtonStyle::Secondary))
        .button(CreateButton::new("closed").label("まだ").disabled(true))
        .select_menu(CreateSelectMenu::new("role", menu).placeholder("役"))
}

async fn declare(ctx: &Context, command: &CommandInteraction) -> Result<(), serenity::Error> {
    let text = command.data.options[0].value.as_str().unwrap();
    command.create_response(ctx, Response::Message(panel(text))).await
}

async fn hand(ctx: &Context, command: &CommandInteraction) -> Result<(), serenity::Error> {
    let menu = CreateSelectMenuKind::User { default_users: None };
    let menu = CreateSelectMenu::new("whom", menu).placeholder("誰に");
    let text = if command.guild_id.is_none() { "手札：なし" } else { "手札" };
    let message = CreateInteractionResponseMessage::new().content(text).select_menu(menu);
    command.create_response(ctx, Response::Message(message)).await
}

async fn table(ctx: &Context, command: &CommandInteraction) -> Result<(), serenity::Error> {
    command.defer(ctx).await?;
    let said = EditInteractionResponse::new().content("卓を開きました");
    let said = command.edit_response(ctx, said).await?;
    let thread = CreateThread::new("卓").kind(ChannelType::PublicThread);
    let thread = command.channel_id.create_thread_from_message(ctx, said.id, thread).await?;
    thread.id.add_thread_member(ctx, command.user.id).await?;
    let board = CreateAttachment::bytes(b"picture".to_vec(), "board.png").description("盤の絵");
    let words = format!("<@{}> 受付を始めます", command.user.id);
    let message = CreateMessage::new().content(words).add_file(board);
    thread.send_message(ctx, message).await?;
    let more = CreateInteractionResponseFollowup::new().content("これで全部です").ephemeral(true);
    command.create_followup(ctx, more).await?;
    Ok(())
}

async fn complete(ctx: &Context, command: &CommandInteraction) -> Result<(), serenity::Error> {
    let typed = command.data.autocomplete().unwrap().value;
    let choices = ["役者5", "演出家3"].map(|role| format!("{typed} {role}"));
    let choices = choices.map(|choice| AutocompleteChoice::new(choice.clone(), choice)).to_vec();
    let response = CreateAutocompleteResponse::new().set_choices(choices);
    command.create_response(ctx, Response::Autocomplete(response)).await
}

async fn component_pressed(
    ctx: &Context,
    component: &ComponentInteraction,
) -> Result<(), serenity::Error> {
    if let ComponentInteractionDataKind::StringSelect { values } = &component.data.kind {
        component.create_response(ctx, Response::Acknowledge).await?;
        let said = EditInteractionResponse::new().content(format!("{}にします", values[0]));
        component.edit_response(ctx, said).await?;
        return Ok(());
    }
    if let ComponentInteractionDataKind::UserSelect { values } = &component.data.kind {
        let text = format!("<@{}>に見せます", values[0]);
        let shown = CreateInteractionResponseMessage::new().content(text).ephemeral(true);
        return component.create_response(ctx, Response::Message(shown)).await;
    }
    let response = if component.data.custom_id == "words" {
        let field = CreateInputText::new(InputTextStyle::Paragraph, "宣言文", "text").value("3B");
        let row = CreateActionRow::InputText(field);
        Response::Modal(CreateModal::new("form", "文で書く").components(vec![row]))
    } else {
        let sealed =
            CreateInteractionResponseMessage::new().content("封をしました").components(vec![]);
        Response::UpdateMessage(sealed)
    };
    component.create_response(ctx, response).await
}

async fn filled(ctx: &Context, modal: &ModalInteraction) -> Result<(), serenity::Error> {
    let ActionRowComponent::InputText(field) = &modal.data.components[0].components[0] else {
        panic!("{}", json!(modal.data.custom_id));
    };
    let text = field.value.clone().unwrap();
    modal.create_response(ctx, Response::UpdateMessage(panel(&text))).await
}
