//! Messages and the failures of sending them: retries at growing intervals, and messages reduced to the parts that Discord
//! accepts.

use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId};
use tokio::sync::Mutex;

use crate::api::{Attachment, Refusal};
use crate::bot::permissions;
use crate::bot::permissions::undelivered;
use crate::{Api, SendError, incoming};
use desk::courier::Undelivered;
use desk::{Desk, NotDone, Obstacle, Unwritten, clock};
use letters::discord::WordsRefused;
use letters::picture::Pictures;
use letters::{LetterFault, Letters, Reader};
use store::{Barrier, ShownAt, StoreError, obstacles};
use tables::ids::{Address, TableCode};
use tables::time::{Span, Time};

/// The channel of letters on Discord.
#[derive(Clone, Debug)]
pub struct Threads {
    pub(crate) api: Api,
    pub(crate) desk: Desk,
    pub(crate) letters: Letters,
    /// The renderer of tables; `None` if tables have no pictures.
    pub(crate) pictures: Option<Arc<Pictures>>,
    /// The lock of the renderer: one picture at a time, so that a storm leaves room for interactions.
    pub(crate) drawing: Arc<Mutex<()>>,
}

/// The last known state of files at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Files {
    /// Files were accepted the last time, or none were sent yet.
    Taken,
    /// Files were refused the last time, and a retry is due.
    AskedAgain,
    /// Files were refused a moment ago.
    Left,
}

impl Threads {
    /// Sends a message, with the parts that Discord accepts: without files if those are refused, which the
    /// table's host learns once, and with another text if the text is refused.
    pub(crate) async fn send_what_is_taken(
        &self,
        about: About<'_>,
        target: &Target,
        message: &Message,
    ) -> Result<MessageId> {
        let mut message = message.clone();
        let files =
            if message.files.is_empty() { Files::Taken } else { self.files_at(about).await? };
        if files == Files::Left {
            message.leave_files();
        }
        let (mut has_left_files, mut is_reworded) = (false, false);
        loop {
            let unsent = match self.send_to(target, &message).await {
                Ok(sent) => {
                    if has_left_files {
                        self.goes_without_files(about).await?;
                    } else if files == Files::AskedAgain && !is_reworded {
                        self.goes_with_files(about).await?;
                    }
                    return Ok(sent);
                }
                Err(unsent) => unsent,
            };
            match unsent.refusal() {
                Some(why) if why.may_be_of_files() && !message.files.is_empty() => {
                    message.leave_files();
                    has_left_files = true;
                }
                Some(why) if why.is_of_words() && !is_reworded => {
                    tracing::error!(table = %about.code, %unsent, "Discord refuses the words of a message");
                    let words = self.letters.write(about.reader, &WordsRefused {})?;
                    message.leave_files();
                    message.says_instead(&words, why == Refusal::Words);
                    is_reworded = true;
                }
                Some(why) if why.is_of_place() && has_left_files => {
                    // Discord has refused two requests.
                    self.bar(Barrier::place(about.place), clock::now()).await?;
                    return Err(unsent.into());
                }
                _ => return Err(unsent.into()),
            }
        }
    }

    /// Posts or edits a message. An archived thread is unarchived first.
    async fn send_to(&self, target: &Target, message: &Message) -> Result<MessageId, SendError> {
        let channel = match target {
            Target::New { channel, .. } | Target::Posted { channel, .. } => *channel,
        };
        match self.send_once(target, message).await {
            Err(unsent) if unsent.is(Refusal::Archived) => {
                self.unarchive(channel).await?;
                self.send_once(target, message).await
            }
            sent => sent,
        }
    }

    async fn send_once(&self, target: &Target, message: &Message) -> Result<MessageId, SendError> {
        let files = message.files.clone();
        let sent = match target {
            Target::New { channel, nonce } => {
                let mut body = message.body.clone();
                body["nonce"] = json!(nonce);
                body["enforce_nonce"] = json!(true);
                self.api.post(*channel, &body, files).await
            }
            Target::Posted { channel, message: posted } => {
                self.api.edit(*channel, *posted, &message.body, files).await
            }
        };
        Ok(sent?.id)
    }

    async fn files_at(&self, about: About<'_>) -> Result<Files, StoreError> {
        let barrier = Barrier::files(about.place);
        let waits = obstacles::until(&mut self.desk.store().read().await?, &barrier).await?;
        Ok(match waits {
            None => Files::Taken,
            Some(until) if until <= clock::now() && !self.api.is_refused_often() => {
                Files::AskedAgain
            }
            Some(_) => Files::Left,
        })
    }

    async fn goes_without_files(&self, about: About<'_>) -> Result<(), StoreError> {
        let now = clock::now();
        self.bar(Barrier::files(about.place), now).await?;
        self.meet(about.code, permissions::files(about.place), now).await
    }

    async fn goes_with_files(&self, about: About<'_>) -> Result<(), StoreError> {
        let files = vec![permissions::files(about.place)];
        desk::unbar(&self.desk, Barrier::files(about.place), files, clock::now()).await
    }

    /// Stores an obstacle of a table and notifies its host once, unless the obstacle is the host's own.
    pub(crate) async fn meet(
        &self,
        code: &TableCode,
        met: Obstacle,
        now: Time,
    ) -> Result<(), StoreError> {
        let host = obstacles::host(&mut self.desk.store().read().await?, code).await?;
        let host = host.and_then(|(account, _)| incoming::own_address(&account));
        if host.as_ref() == Some(&met.at) {
            return Ok(());
        }
        desk::meet(&self.desk, code, met, host, now).await
    }

    /// Counts a refusal in a row.
    pub(crate) async fn bar(&self, barrier: Barrier, now: Time) -> Result<(), StoreError> {
        let store = self.desk.store();
        let barred = store.write_about((barrier, now), |(barrier, now), to| {
            obstacles::bar(to, barrier, *now).boxed()
        });
        barred.await.map(drop)
    }
}

/// The limits on updates of messages.
impl Threads {
    /// Begins an attempt to edit a message. Returns false if the last one was refused and a retry is too
    /// early.
    pub(crate) async fn may_change(&self, at: &ShownAt, now: Time) -> Result<bool, StoreError> {
        if !at.refused {
            return Ok(true);
        }
        if self.api.is_refused_often() {
            return Ok(false);
        }
        let barriers = [Barrier::place(&at.place), Barrier::message(&at.place, &at.message)];
        let taken_on = self.desk.store().write_about((barriers, now), |(barriers, now), to| {
            let take_on = async move {
                for barrier in barriers {
                    let is_barred = obstacles::until(to, barrier).await?.is_some();
                    if is_barred && !obstacles::try_barred(to, barrier, *now).await? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            take_on.boxed()
        });
        taken_on.await
    }

    /// Notes the result of an attempt to edit a message of a table: the time of the retry, and a place that
    /// takes no messages.
    pub(crate) async fn note_change(
        &self,
        code: Option<&TableCode>,
        at: &ShownAt,
        changed: Result<(), &DrawError>,
        now: Time,
    ) -> Result<(), StoreError> {
        let (place, message) =
            (Barrier::all_of(&at.place), Barrier::message(&at.place, &at.message));
        let error = match changed {
            Ok(()) if !at.refused => return Ok(()),
            Ok(()) => {
                return desk::changes_again(&self.desk, at, permissions::all_at(&at.place), now)
                    .await;
            }
            Err(error) => error,
        };
        match error {
            DrawError::Unsent(SendError::Later { after }) => {
                let about = (message, now + Span::from(*after), now);
                let held = self.desk.store().write_about(about, |(message, until, now), to| {
                    obstacles::hold_back(to, message, *until, *now).boxed()
                });
                held.await
            }
            // Such a fault passes without help.
            DrawError::Store(_)
            | DrawError::Unsent(SendError::Unreachable { .. } | SendError::Unauthorized) => Ok(()),
            DrawError::Unsent(unsent) if unsent.refusal().is_some_and(Refusal::is_of_place) => {
                self.bar(place, now).await?;
                match code {
                    Some(code) => {
                        self.meet(code, permissions::of_place(unsent, &at.place), now).await
                    }
                    None => Ok(()),
                }
            }
            _ => self.bar(message, now).await,
        }
    }
}

/// The result of drawing or sending a letter or a post.
pub(crate) type Result<T = (), E = DrawError> = std::result::Result<T, E>;

/// An error of drawing or sending a letter or a post.
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
    #[error(transparent)]
    Undelivered(#[from] Undelivered),
}

impl DrawError {
    /// True if the place takes no message until a person fixes it.
    pub(crate) fn is_of_place(&self) -> bool {
        matches!(self, Self::Unsent(unsent) if unsent.refusal().is_some_and(Refusal::is_of_place))
    }

    /// Returns the reason why a letter did not arrive at an address.
    pub(crate) fn at(self, address: &Address) -> Undelivered {
        match self {
            Self::NotDone(NotDone::Store(error)) | Self::Store(error) => error.into(),
            Self::NotDone(error) => Undelivered::Failed(error.to_string()),
            Self::Letter(fault) => Undelivered::Failed(fault.to_string()),
            Self::Unwritten(error) => error.into(),
            Self::Unsent(unsent) => undelivered(&unsent, address),
            Self::Undelivered(error) => error,
        }
    }
}

/// A message to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) body: Json,
    pub(crate) files: Vec<Attachment>,
    /// The text if the place takes no files; `None` for the same text.
    pub(crate) without_files: Option<String>,
}

/// The table and the place of a message.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) code: &'a TableCode,
    pub(crate) place: &'a Address,
    pub(crate) reader: &'a Reader,
}

/// The target of a sent message: a new message, or an edit of an existing one.
pub(crate) enum Target {
    New {
        channel: ChannelId,
        /// The nonce by which Discord merges repeated messages, for some minutes.
        nonce: String,
    },
    Posted {
        channel: ChannelId,
        message: MessageId,
    },
}

impl Message {
    /// Returns a message without files.
    pub(crate) fn of(body: Json) -> Self {
        Self { body, files: Vec::new(), without_files: None }
    }

    /// Removes the files, and replaces the text by [`Self::without_files`].
    fn leave_files(&mut self) {
        self.files.clear();
        if let Some(body) = self.body.as_object_mut() {
            body.remove("attachments");
        }
        if let Some(words) = self.without_files.take() {
            self.body["content"] = json!(words);
        }
    }

    /// Replaces the text and the embeds, and removes the controls unless they are surely not at fault.
    fn says_instead(&mut self, words: &str, keeps_controls: bool) {
        self.body["content"] = json!(words.trim());
        if let Some(body) = self.body.as_object_mut() {
            body.remove("embeds");
            if !keeps_controls {
                body.remove("components");
            }
        }
    }
}

/// Returns a message that pings nobody.
pub(crate) fn plain(content: &str) -> Message {
    let body = json!({ "content": content, "allowed_mentions": { "parse": [] } });
    Message::of(body)
}
