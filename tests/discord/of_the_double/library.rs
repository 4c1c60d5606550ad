//! The library parses all responses of the fake Discord.

use serde_json::json;
use serenity::all::{
    AutoArchiveDuration, Channel, ChannelId, ChannelType, CreateMessage, CreateThread, EditMessage,
    EditThread, GetMessages, GuildId, HttpError, UserId,
};

use super::bot::http;
use double::{Discord, Locale};

#[tokio::test]
async fn what_there_is_can_be_read() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let http = http(&discord);
    let guild = GuildId::new(discord.guild());

    assert_eq!(
        http.get_gateway().await.unwrap().url,
        format!("{}/gateway", discord.address().replace("http", "ws"))
    );
    assert_eq!(http.get_bot_gateway().await.unwrap().shards, 1);
    let application = http.get_current_application_info().await.unwrap();
    assert_eq!(application.id.get(), discord.application());
    http.set_application_id(application.id);
    assert_eq!(http.get_current_user().await.unwrap().id.get(), discord.application());
    assert_eq!(http.get_user(UserId::new(alice.id())).await.unwrap().name, "alice");
    assert_eq!(http.get_guild(guild).await.unwrap().id, guild);
    assert_eq!(http.get_guild_roles(guild).await.unwrap().len(), 2);
    assert_eq!(http.get_channels(guild).await.unwrap().len(), 1);
    assert_eq!(http.get_member(guild, UserId::new(alice.id())).await.unwrap().user.name, "alice");
    assert_eq!(http.get_guilds(None, None).await.unwrap().len(), 1);
    assert!(http.get_global_commands().await.unwrap().is_empty());
    let created = http.create_global_command(&json!({ "name": "hand", "description": "1" })).await;
    let command = created.unwrap().id;
    assert_eq!(http.get_global_command(command).await.unwrap().name, "hand");
    http.delete_global_command(command).await.unwrap();
    assert!(discord.commands().is_empty());
}

#[tokio::test]
async fn threads_and_messages_can_be_read() {
    let discord = Discord::start();
    let alice = discord.person("alice", Locale::Ja);
    let http = http(&discord);
    let general = ChannelId::new(discord.channel("general").0);
    assert!(matches!(general.to_channel(&http).await.unwrap(), Channel::Guild(_)));

    let message = general.send_message(&http, CreateMessage::new().content("一")).await.unwrap();
    general.edit_message(&http, message.id, EditMessage::new().content("二")).await.unwrap();
    let thread = CreateThread::new("卓").auto_archive_duration(AutoArchiveDuration::OneDay);
    let thread = general.create_thread_from_message(&http, message.id, thread).await.unwrap();
    let read = general.messages(&http, GetMessages::new().limit(10)).await.unwrap();
    assert_eq!((read.len(), &*read[0].content), (1, "二"));
    assert_eq!(read[0].thread.as_ref().unwrap().id, thread.id);

    thread.id.edit_thread(&http, EditThread::new().archived(true).locked(true)).await.unwrap();
    let reply = thread.id.send_message(&http, CreateMessage::new().content("三")).await;
    let Err(serenity::Error::Http(HttpError::UnsuccessfulRequest(refused))) = reply else {
        panic!("it is archived");
    };
    assert_eq!(refused.error.code, 50083);
    thread.id.edit_thread(&http, EditThread::new().archived(false)).await.unwrap();
    thread.id.say(&http, "三").await.unwrap();

    let private = CreateThread::new("密談").kind(ChannelType::PrivateThread);
    let private = general.create_thread(&http, private).await.unwrap();
    private.id.add_thread_member(&http, UserId::new(alice.id())).await.unwrap();
    assert_eq!(private.id.get_thread_members(&http).await.unwrap().len(), 2);
    let active = GuildId::new(discord.guild()).get_active_threads(&http).await.unwrap();
    assert_eq!(active.threads.len(), 2);

    let conversation = UserId::new(alice.id()).create_dm_channel(&http).await.unwrap();
    conversation.say(&http, "手札").await.unwrap();
    message.delete(&http).await.unwrap();
    let told = "
> #general: 一
> edit #general: 二
> #卓 is opened in #general
> #卓 is archived
> #卓 is locked
> #卓 is taken out of the archive
> #卓: 三
> #密談 is joined by alice
> DM of alice: 手札
> gone from #general: 二
";
    assert_eq!(alice.transcript(), told.trim_start());
}
