//! The redrawing of posts: of an open window in the table's present state, or of a window that is over.

use serde_json::json;
use serenity::all::{ChannelId, MessageId};

use crate::address::Destination;
use crate::api::Refusal;
use crate::posting::channel::Threads;
use crate::posting::failure::DrawError;
use crate::posting::message::{About, Message, Target};
use crate::posting::post::{self, PostDrawing};
use desk::{PlayView, Sight, clock};
use rules::Viewer;
use store::{PostedWindow, StalePost, StaleVote};
use tables::Stage;

impl Threads {
    /// Redraws a post; without buttons, if a later window has one. A deleted post is posted again while there
    /// is something to do at its table: then returns the new message.
    pub(crate) async fn redraw(&self, stale: &StalePost) -> Result<Option<MessageId>, DrawError> {
        let StalePost { code, place, message, window, .. } = stale;
        let (Some(Destination::Channel(channel)), Ok(message)) =
            (Destination::parse(place), message.parse::<MessageId>())
        else {
            return Ok(None);
        };
        let window = *window;
        let now = clock::now();
        let sight = desk::see(&self.desk, code, None, now).await?;
        // A resumed window has a new post.
        let past = stale.is_past() || post::is_past(&sight, window);
        let gone = match window {
            PostedWindow::Number(number) if past => {
                desk::gone(&self.desk, code, number, now).await?
            }
            _ => None,
        };
        let presence = sight.presence();
        let (gone, presence) = (gone.as_ref(), &presence);
        let in_words = self.pictures.is_none();
        let drawing =
            PostDrawing { sight: &sight, window, past, gone, presence, asked: &[], in_words, now };
        let drawn = post::draw(&drawing, &self.letters)?;
        let reader = sight.reader(sight.language).with_stamps();
        let about = About { code, place, reader: &reader };
        let report = |play: &PlayView| play.contest.report(Viewer::Public);
        let message_of = match self.acted_in(&sight, past).await? {
            // The picture must show immediate acts, and must drop those that were taken back.
            Some(play) => self.illustrated(drawn.clone(), &report(play), &reader).await,
            None => Message::of(drawn.clone()),
        };
        let is_there = self.edit((channel, message), about, &message_of).await?;
        if is_there || past || sight.stage == Stage::Over {
            return Ok(None);
        }
        let again = match sight.play.as_ref().map(report) {
            Some(report) => self.illustrated(drawn, &report, &reader).await,
            None => Message::of(drawn),
        };
        let letter = format!("{code}-again-{message}");
        self.say(channel, (&letter, 0), about, &again).await.map(Some)
    }

    /// Returns the game if the picture of the open window may have changed since its opening.
    async fn acted_in<'a>(
        &self,
        sight: &'a Sight,
        past: bool,
    ) -> Result<Option<&'a PlayView>, DrawError> {
        let Some(play) = sight.play.as_ref().filter(|_| !past) else { return Ok(None) };
        let acted = play.contest.acts_done() > 0
            || self.pictures.is_some() && desk::has_taken_back(&self.desk, &sight.code).await?;
        Ok(acted.then_some(play))
    }

    /// Redraws the post of a vote. A deleted post is posted again while the vote is open: then returns the
    /// new message.
    pub(crate) async fn redraw_vote(
        &self,
        stale: &StaleVote,
    ) -> Result<Option<MessageId>, DrawError> {
        let StaleVote { code, number, place, message, .. } = stale;
        let (Some(Destination::Channel(channel)), Ok(message)) =
            (Destination::parse(place), message.parse::<MessageId>())
        else {
            return Ok(None);
        };
        let votes = desk::votes(&self.desk, code).await?;
        let Some(vote) = votes.iter().find(|vote| vote.number == *number) else { return Ok(None) };
        let sight = desk::see(&self.desk, code, None, clock::now()).await?;
        let reader = sight.reader(sight.language).with_stamps();
        let drawn = json!({
            "content": vote.words(&self.letters, &reader, sight.pace.zone)?.trim_end(),
            "components": post::voices(code, vote, &self.letters, &reader)?,
            "allowed_mentions": { "parse": [] },
        });
        let (about, drawn) = (About { code, place, reader: &reader }, Message::of(drawn));
        let is_there = self.edit((channel, message), about, &drawn).await?;
        if is_there || vote.outcome.is_some() {
            return Ok(None);
        }
        let letter = format!("{code}-again-{message}");
        self.say(channel, (&letter, 0), about, &drawn).await.map(Some)
    }

    /// Edits a message of the bot, with the parts that Discord accepts. Returns false if the message was
    /// deleted. A message whose channel is gone counts as edited.
    pub(crate) async fn edit(
        &self,
        (channel, message): (ChannelId, MessageId),
        about: About<'_>,
        drawn: &Message,
    ) -> Result<bool, DrawError> {
        let target = Target::Posted { channel, message };
        match self.send_what_is_taken(about, &target, drawn).await {
            Ok(_) => Ok(true),
            Err(DrawError::Unsent(unsent)) if unsent.is(Refusal::UnknownMessage) => Ok(false),
            Err(DrawError::Unsent(unsent)) if unsent.is(Refusal::UnknownChannel) => Ok(true),
            Err(error) => Err(error),
        }
    }
}
