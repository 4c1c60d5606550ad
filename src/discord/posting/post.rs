//! The post of a table: its state and the possible actions, for everybody in its thread.

use chrono_tz::Tz;
use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId, UserId};

use crate::Threads;
use crate::api::Refusal;
use crate::controls::{ButtonAction, Control, buttons};
use crate::incoming::message_at;
use crate::posting::{About, DrawError, Message, Target, post};
use desk::{Event, Letter, Part, PlayView, Sight, Vote, clock};
use games::any::SetOption;
use games::options_line;
use letters::discord::PostText;
use letters::panel::Style;
use letters::{EndedWindow, Letters, Moment, PictureText, Presence, Reader, Result};
use rules::{Seat, Viewer};
use store::{PostedWindow, StalePost, StaleVote};
use tables::absence::Condition;
use tables::ids::TableCode;
use tables::time::Time;
use tables::{HoldReason, Stage};

/// The data that a post is drawn from.
#[derive(Debug)]
pub(crate) struct PostDrawing<'a> {
    /// The public view of the table.
    pub(crate) sight: &'a Sight,
    /// The window of the post.
    pub(crate) window: PostedWindow,
    /// True if a later window has a post of its own.
    pub(crate) past: bool,
    /// The end of the window; `None` if it is open.
    pub(crate) gone: Option<&'a EndedWindow>,
    /// The seats present in the window.
    pub(crate) presence: &'a Presence,
    /// The users named at the head of the post, who are pinged by a new message.
    pub(crate) asked: &'a [UserId],
    /// True if the post describes the table after immediate acts in words, because there is no picture.
    pub(crate) in_words: bool,
    pub(crate) now: Time,
}

/// True if a later window has a post of its own.
pub(crate) fn is_past(sight: &Sight, window: PostedWindow) -> bool {
    let open = match sight.stage {
        Stage::Over => PostedWindow::Over,
        Stage::Forming | Stage::Playing => {
            let play = sight.play.as_ref();
            play.map_or(PostedWindow::BeforeFirst, |play| PostedWindow::Number(play.number))
        }
    };
    window != open
}

/// Draws the post of a table.
pub(crate) fn draw(drawing: &PostDrawing<'_>, letters: &Letters) -> Result<Json> {
    let PostDrawing { sight, window, past, gone, presence, asked, in_words, now } = *drawing;
    let reader = sight.reader(sight.language).with_stamps();
    let play = sight.play.as_ref();
    let closed = play.is_some_and(|play| now >= play.timing.closes);
    let table = match play.filter(|play| in_words && play.contest.acts_done() > 0) {
        Some(play) => Some(letters.write(
            &reader,
            &PictureText { report: &play.contest.report(Viewer::Public), brief: true },
        )?),
        None => None,
    };
    let option = |set: &SetOption| letters.option(&reader, sight.game, set.option.key, &set.value);
    let options = options_line::chosen(sight.game, &sight.options);
    let shown = PostText {
        stage: sight.stage.into_str(),
        code: sight.code.clone(),
        past,
        closed,
        held: sight.held.as_ref().map(HoldReason::into_str),
        sought: sight.sought.clone(),
        chairs: Seat::all(sight.chairs).collect(),
        sides: sight.sides(),
        taken: sight.taken.clone(),
        house: sight.house.clone(),
        gathering: window == PostedWindow::BeforeFirst,
        options: options.iter().map(option).collect::<Result<_>>()?,
        gone: gone.cloned(),
        pace: letters.pace(&reader, &sight.pace)?,
        absence: letters.absence(&reader, &sight.absence)?,
        presence: presence.clone(),
        window: play.map(|play| play.contest.round()),
        suspended: play.is_some_and(|play| play.contest.is_suspended()),
        standing: play.map(|play| sight.window_progress(play)),
        announced: play.map(|play| announced(play, sight, sight.pace.zone)),
        table,
        commitment: sight.commitment.clone(),
        settings: sight.settings.clone(),
        host: sight.host_name(),
        asked: asked.iter().map(ToString::to_string).collect(),
    };
    let content = letters.write(&reader, &shown)?;
    let speaks = sight.stage == Stage::Playing && !past && !closed && sight.held.is_none();
    let mut rows = match play.filter(|_| speaks) {
        Some(play) => buttons::one_press_rows(sight, play, letters, &reader)?,
        None => Vec::new(),
    };
    let actions: &[ButtonAction] = match sight.stage {
        _ if past => &[],
        Stage::Forming => &[ButtonAction::Join, ButtonAction::Leave, ButtonAction::Start],
        Stage::Playing if !presence.inactive.is_empty() => &[
            ButtonAction::Declare,
            ButtonAction::Hand,
            ButtonAction::Show,
            ButtonAction::Why,
            ButtonAction::Back,
        ],
        Stage::Playing => {
            &[ButtonAction::Declare, ButtonAction::Hand, ButtonAction::Show, ButtonAction::Why]
        }
        Stage::Over => &[ButtonAction::Show, ButtonAction::Why, ButtonAction::Again],
    };
    rows.extend(buttons::action_row(&sight.code, actions, letters, &reader)?);
    Ok(json!({
        "content": content,
        "components": rows,
        "allowed_mentions": { "parse": [], "users": asked },
    }))
}

fn announced(play: &PlayView, sight: &Sight, zone: Tz) -> Moment {
    let closes = play.timing.closes;
    Moment::at(sight.window_pace().announced(play.timing.opens, closes), zone)
}

/// Returns the buttons for the reader of a letter with these parts: to declare what is missing, to end an
/// absence, or to sit down.
fn actions(parts: &[Part], you: Option<Seat>) -> &'static [ButtonAction] {
    let is_missed = |part: &Part| match part {
        Part::Reminder { .. }
        | Part::Opened { .. }
        | Part::StandIn { .. }
        | Part::Event(Event::PutOff { .. }) => you.is_some(),
        Part::Event(Event::Grace { late, .. }) => you.is_some_and(|you| late.contains(&you)),
        _ => false,
    };
    let is_gone = |part: &Part| match part {
        Part::Event(Event::Struck { struck, .. }) => struck.iter().any(|struck| {
            Some(struck.seat) == you && (struck.inactive || struck.condition == Condition::Inactive)
        }),
        Part::Event(Event::Away { away, .. }) => away.is_some(),
        _ => false,
    };
    let is_of_side = |part: &Part| matches!(part, Part::SideLine { .. } | Part::SideChanged { .. });
    if parts.iter().any(is_of_side) {
        &[ButtonAction::Side]
    } else if parts.iter().any(|part| matches!(part, Part::Invited { .. })) {
        &[ButtonAction::Join]
    } else if parts.iter().any(is_missed) {
        &[ButtonAction::Declare]
    } else if parts.iter().any(is_gone) {
        &[ButtonAction::Back]
    } else {
        &[]
    }
}

/// Returns the buttons below a letter: to vote, to take the offered seat, or other actions of its reader.
pub(crate) fn below(letter: &Letter, letters: &Letters, reader: &Reader) -> Result<Vec<Json>> {
    if let Some(vote) = letter.vote() {
        return voices(&letter.code, vote, letters, reader);
    }
    let offered = letter.parts.iter().find_map(|part| match part {
        Part::Called { seat, .. } => Some(*seat),
        Part::Invited { seat, .. } => *seat,
        _ => None,
    });
    let Some(seat) = offered else {
        return buttons::action_row(
            &letter.code,
            actions(&letter.parts, letter.seat),
            letters,
            reader,
        );
    };
    let control = Control::Take { code: letter.code.clone(), seat };
    buttons::one(letters, reader, "take", Style::Main, &control)
}

/// Returns the buttons below a vote; none once it is over.
pub(crate) fn voices(
    code: &TableCode,
    vote: &Vote,
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>> {
    if vote.outcome.is_some() {
        return Ok(Vec::new());
    }
    let button = |yes: bool| {
        let (word, style) = if yes { ("yes", Style::Main) } else { ("no", Style::Plain) };
        let control = Control::Vote { code: code.to_owned(), number: vote.number, yes };
        buttons::labelled(letters, reader, word, style, &control)
    };
    Ok(buttons::rows(&[button(true)?, button(false)?]))
}

impl Threads {
    /// Redraws a post; without buttons, if a later window has one. A deleted post is posted again while there
    /// is something to do at its table: then returns the new message.
    pub(crate) async fn redraw(&self, stale: &StalePost) -> Result<Option<MessageId>, DrawError> {
        let StalePost { code, at, window, .. } = stale;
        let Some(posted) = message_at(&at.place, &at.message) else { return Ok(None) };
        let window = *window;
        let now = clock::now();
        let sight = desk::see(&self.desk, code, None, now).await?;
        // A resumed window has a new post.
        let past = stale.past || post::is_past(&sight, window);
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
        let about = About { code, place: &at.place, reader: &reader };
        let report = |play: &PlayView| play.contest.report(Viewer::Public);
        let message_of = match self.acted_in(&sight, past).await? {
            // The picture must show immediate acts, and must drop those that were taken back.
            Some(play) => self.illustrated(drawn.clone(), &report(play), &reader).await,
            None => Message::of(drawn.clone()),
        };
        let is_there = self.edit(posted, about, &message_of).await?;
        if is_there || past || sight.stage == Stage::Over {
            return Ok(None);
        }
        let again = match sight.play.as_ref().map(report) {
            Some(report) => self.illustrated(drawn, &report, &reader).await,
            None => Message::of(drawn),
        };
        let letter = format!("{code}-again-{}", at.message);
        self.say(posted.0, (&letter, 0), about, &again).await.map(Some)
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
        let StaleVote { code, number, at, .. } = stale;
        let Some(posted) = message_at(&at.place, &at.message) else { return Ok(None) };
        let votes = desk::votes(&self.desk, code).await?;
        let Some(vote) = votes.iter().find(|vote| vote.number == *number) else { return Ok(None) };
        let sight = desk::see(&self.desk, code, None, clock::now()).await?;
        let reader = sight.reader(sight.language).with_stamps();
        let drawn = json!({
            "content": vote.words(&self.letters, &reader, sight.pace.zone)?.trim_end(),
            "components": post::voices(code, vote, &self.letters, &reader)?,
            "allowed_mentions": { "parse": [] },
        });
        let (about, drawn) =
            (About { code, place: &at.place, reader: &reader }, Message::of(drawn));
        let is_there = self.edit(posted, about, &drawn).await?;
        if is_there || vote.outcome.is_some() {
            return Ok(None);
        }
        let letter = format!("{code}-again-{}", at.message);
        self.say(posted.0, (&letter, 0), about, &drawn).await.map(Some)
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
