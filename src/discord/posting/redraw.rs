//! Drawing a post anew: as its table stands now, or, once another has come, as what is over.

use serde_json::json;
use serenity::all::{ChannelId, MessageId};

use crate::address::Destination;
use crate::api::{Refusal, SendError};
use crate::posting::channel::{Message, Threads};
use crate::posting::post;
use crate::posting::post::PostDrawing;
use desk::clock;
use desk::{NotDone, PlayView, Sight, Unwritten};
use letters::LetterFault;
use rules::Viewer;
use store::{PostedWindow, StalePost, StaleVote, StoreError};

/// Something about a post that could not be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Letter(#[from] LetterFault),
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    #[error(transparent)]
    Unsent(#[from] SendError),
}

impl Threads {
    /// Draws a post anew, as its table stands now; without buttons, if another is its post.
    pub(crate) async fn redraw(&self, stale: &StalePost) -> Result<(), DrawError> {
        let StalePost { code, place, message, window, .. } = stale;
        let (Some(Destination::Channel(channel)), Ok(message)) =
            (Destination::parse(place), message.parse::<MessageId>())
        else {
            return Ok(());
        };
        let window = *window;
        let now = clock::now();
        let sight = self.desk.see(code, None, now).await?;
        // A window that was taken up again has a new post.
        let past = stale.is_past() || post::is_past(&sight, window);
        let gone = match window {
            PostedWindow::Number(number) if past => self.desk.gone(code, number, now).await?,
            _ => None,
        };
        let presence = sight.presence();
        let (gone, presence) = (gone.as_ref(), &presence);
        let told = self.pictures.is_none();
        let drawing =
            PostDrawing { sight: &sight, window, past, gone, presence, asked: &[], told, now };
        let drawn = post::draw(&drawing, &self.letters)?;
        let drawn = match self.acted_in(&sight, past).await? {
            // What was done at once is seen on the picture, and what was taken back is not.
            Some(play) => {
                let reader = sight.reader(sight.language).with_stamps();
                self.illustrated(drawn, &play.contest.report(Viewer::Public), &reader).await
            }
            None => Message { said: drawn, files: Vec::new() },
        };
        self.edit(channel, message, drawn).await
    }

    /// The game, if the picture of the open window may have to be another than at its opening.
    async fn acted_in<'a>(
        &self,
        sight: &'a Sight,
        past: bool,
    ) -> Result<Option<&'a PlayView>, DrawError> {
        let Some(play) = sight.play.as_ref().filter(|_| !past) else { return Ok(None) };
        let acted = play.contest.acts_done() > 0
            || self.pictures.is_some() && self.desk.has_taken_back(&sight.code).await?;
        Ok(acted.then_some(play))
    }

    /// Draws the post of a vote anew, as that stands now.
    pub(crate) async fn redraw_vote(&self, stale: &StaleVote) -> Result<(), DrawError> {
        let StaleVote { code, number, place, message, .. } = stale;
        let (Some(Destination::Channel(channel)), Ok(message)) =
            (Destination::parse(place), message.parse::<MessageId>())
        else {
            return Ok(());
        };
        let votes = self.desk.votes(code).await?;
        let Some(vote) = votes.iter().find(|vote| vote.number == *number) else { return Ok(()) };
        let sight = self.desk.see(code, None, clock::now()).await?;
        let reader = sight.reader(sight.language).with_stamps();
        let drawn = json!({
            "content": vote.words(&self.letters, &reader, sight.pace.zone)?.trim_end(),
            "components": post::voices(code, vote, &self.letters, &reader)?,
            "allowed_mentions": { "parse": [] },
        });
        self.edit(channel, message, Message { said: drawn, files: Vec::new() }).await
    }

    /// Puts something else into a message of ours. One that nobody can see any more is left alone.
    pub(crate) async fn edit(
        &self,
        channel: ChannelId,
        message: MessageId,
        drawn: Message,
    ) -> Result<(), DrawError> {
        let Message { said, files } = drawn;
        let edited = match self.api.edit(channel, message, &said, files.clone()).await {
            Err(unsent) if unsent.is(Refusal::Archived) => {
                self.unarchive(channel).await?;
                self.api.edit(channel, message, &said, files).await
            }
            edited => edited,
        };
        match edited {
            Err(unsent)
                if !unsent.is(Refusal::UnknownMessage) && !unsent.is(Refusal::UnknownChannel) =>
            {
                Err(unsent.into())
            }
            _ => Ok(()),
        }
    }
}
