//! The post of a table: how it stands, and what can be done about it, for everybody in its thread.

use chrono_tz::Tz;
use serde_json::{Value as Json, json};
use serenity::all::UserId;

use super::control::{Control, Wish};
use crate::desk::{Play, Sight, moment};
use crate::letters::{DISCORD, LetterFault, Letters, Moment, Reader};
use crate::rules::Seat;
use crate::tables::Stage;

/// Draws the post of a table as it is seen in public, for the one of these windows. People are
/// named at its head, and pinged if it is a new message.
pub(super) fn draw(
    sight: &Sight,
    window: i64,
    asked: &[UserId],
    letters: &Letters,
    now: i64,
) -> Result<Json, LetterFault> {
    let play = sight.play.as_ref();
    if is_past(sight, window) {
        return retired(sight, window, letters);
    }
    let reader = sight.reader(sight.language).with_stamps();
    let closed = play.is_some_and(|play| now >= play.timing.closes);
    let shown = json!({
        "stage": sight.stage.word(),
        "code": sight.code,
        "closed": closed,
        "held": sight.held,
        "chairs": Seat::all(sight.chairs).collect::<Vec<_>>(),
        "taken": sight.taken,
        "pace": letters.pace(&reader, &sight.pace)?,
        "window": play.map(|play| play.contest.window()),
        "suspended": play.is_some_and(|play| play.contest.is_suspended()),
        "standing": play.map(|play| sight.standing(play)),
        "announced": play.map(|play| announced(play, sight, sight.pace.zone)),
        "commitment": sight.commitment,
        "asked": asked.iter().map(ToString::to_string).collect::<Vec<_>>(),
    });
    let content = letters.letter(DISCORD, &reader, "post", shown)?;
    let wishes: &[Wish] = match sight.stage {
        Stage::Forming => &[Wish::Join, Wish::Leave, Wish::Start],
        Stage::Playing => &[Wish::Declare, Wish::Hand, Wish::Show, Wish::Why],
        Stage::Over => &[Wish::Show, Wish::Why, Wish::Again],
    };
    Ok(json!({
        "content": content,
        "components": buttons(&sight.code, wishes, letters, &reader)?,
        "allowed_mentions": { "parse": [], "users": asked },
    }))
}

/// Whether what came after this window has a post of its own.
pub(super) fn is_past(sight: &Sight, window: i64) -> bool {
    let number = sight.play.as_ref().map_or(-1, |play| play.number);
    number != window && sight.stage != Stage::Over
}

/// Draws the post of a window after which another came.
pub(super) fn retired(sight: &Sight, window: i64, letters: &Letters) -> Result<Json, LetterFault> {
    let reader = sight.reader(sight.language).with_stamps();
    let said = json!({ "number": window, "over": sight.stage == Stage::Over });
    let content = letters.letter(DISCORD, &reader, "past", said)?;
    Ok(json!({ "content": content, "components": [], "allowed_mentions": { "parse": [] } }))
}

fn announced(play: &Play, sight: &Sight, zone: Tz) -> Moment {
    let closes = play.timing.closes;
    moment(sight.pace.announced(closes, closes), zone)
}

/// A row of buttons about a table; none without any.
pub(super) fn buttons(
    code: &str,
    wishes: &[Wish],
    letters: &Letters,
    reader: &Reader,
) -> Result<Vec<Json>, LetterFault> {
    let button = |wish: &Wish| {
        let label = letters.letter(DISCORD, reader, "label", json!({ "wish": wish.word() }))?;
        let style = if matches!(wish, Wish::Join | Wish::Declare | Wish::Start) { 1 } else { 2 };
        let control = Control::Table { code: code.to_owned(), wish: *wish };
        Ok(json!({ "type": 2, "style": style, "label": label, "custom_id": control.to_string() }))
    };
    let buttons = wishes.iter().map(button).collect::<Result<Vec<_>, LetterFault>>()?;
    let row = json!({ "type": 1, "components": buttons });
    Ok(if wishes.is_empty() { Vec::new() } else { vec![row] })
}
