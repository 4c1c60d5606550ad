//! The settings of a table: shown to everybody, and changed by its host while it waits for its players; the
//! absence policy during the game, too.

use std::time::Duration;

use crate::answer;
use crate::answer::PrivateAnswer;
use crate::controls::settings::{SettingsDrawing, is_editable, preset, settings_reference, takes};
use crate::controls::{Control, SettingChange, SettingsReference, TypedSetting};
use crate::interactions::{Context, InteractionHandler, Result};
use desk::{Sight, TableChange, clock};
use letters::discord::MovedOn;
use letters::{Reader, follow};
use tables::ids::TableCode;
use tables::{Absence, Pace};

/// The timeout of drawing a form: a response that opens one cannot be deferred.
const FORM: Duration = Duration::from_secs(2);

/// Shows the settings of a table.
pub(super) async fn settings(cx: Context<'_>, code: &TableCode) -> Result {
    let (sight, reader) = cx.see(code).await?;
    Ok(drawing(cx.handler, &sight, &reader).draw(None)?)
}

fn drawing<'a>(
    handler: &'a InteractionHandler,
    sight: &'a Sight,
    reader: &'a Reader,
) -> SettingsDrawing<'a> {
    SettingsDrawing { sight, letters: &handler.letters, reader, now: clock::now() }
}

/// Handles a press on a table's settings.
pub(super) async fn change_setting(
    cx: Context<'_>,
    from: &SettingsReference,
    setting: SettingChange,
    typed: Option<&str>,
) -> Result<()> {
    match setting {
        SettingChange::Write(line) => return open_line(cx, from, line, None).await,
        SettingChange::Rewrite(line) => {
            return open_line(cx, from, line, typed).await;
        }
        _ => {}
    }
    cx.defer_update().await?;
    let (sight, reader) = cx.see(&from.code).await?;
    let change = match setting {
        SettingChange::Game(word) => Some(TableChange::Game(word)),
        SettingChange::Chairs(count) => Some(TableChange::Chairs(count)),
        SettingChange::Preset(key) => preset(&sight, &key).map(TableChange::Pace),
        SettingChange::Option { key, value } => Some(TableChange::Option { key, value }),
        SettingChange::Language(language) => Some(TableChange::Language(language)),
        SettingChange::Set(setting, on) => Some(TableChange::Set(setting, on)),
        SettingChange::Write(_) | SettingChange::Rewrite(_) => None,
    };
    let fresh = is_editable(&sight) && settings_reference(&sight) == *from;
    match change.filter(|_| fresh) {
        Some(change) => change_table(cx, &from.code, change).await,
        None => draw_outdated_settings(cx, &sight, &reader).await,
    }
}

/// Makes a change and redraws the settings, with the refusal above them if there is one.
async fn change_table(cx: Context<'_>, code: &TableCode, change: TableChange) -> Result<()> {
    let done =
        desk::change_table(&cx.handler.desk, code, &cx.incoming.gm(), change, clock::now()).await;
    let note = match done {
        Ok(()) => String::new(),
        Err(error) => cx.refusal_text(error.into())?,
    };
    (cx.handler.ring)();
    let (sight, reader) = cx.see(code).await?;
    let shown = drawing(cx.handler, &sight, &reader).draw(None)?;
    cx.send(below(note, shown)).await
}

/// Shows that the pressed settings are outdated, and draws the present ones.
async fn draw_outdated_settings(cx: Context<'_>, sight: &Sight, reader: &Reader) -> Result<()> {
    let note = cx.write(reader, &MovedOn {})?;
    let shown = drawing(cx.handler, sight, reader).draw(None)?;
    cx.send(below(note, shown)).await
}

/// Opens the form of a typed setting.
async fn open_line(
    cx: Context<'_>,
    from: &SettingsReference,
    line: TypedSetting,
    typed: Option<&str>,
) -> Result<()> {
    let seen = tokio::time::timeout(FORM, cx.see(&from.code)).await;
    if let Ok(Ok((sight, reader))) = &seen
        && takes(sight, line)
        && settings_reference(sight) == *from
    {
        let (title, field) = drawing(cx.handler, sight, reader).form(line, typed)?;
        let control = Control::Line { settings_reference: from.clone(), line };
        let (api, handle) = (&cx.handler.api, &cx.incoming.handle);
        return Ok(answer::open(api, handle, &control, &title, &[field]).await?);
    }
    cx.defer_update().await?;
    let (sight, reader) = cx.see(&from.code).await?;
    draw_outdated_settings(cx, &sight, &reader).await
}

/// Handles the submitted form of a typed setting. An input with faults is shown with them and stored for
/// correction.
pub(super) async fn write_setting(
    cx: Context<'_>,
    (from, line): (&SettingsReference, TypedSetting),
    fields: &[String],
) -> Result<()> {
    let (sight, reader) = cx.see(&from.code).await?;
    if !takes(&sight, line) || settings_reference(&sight) != *from {
        return draw_outdated_settings(cx, &sight, &reader).await;
    }
    let typed = fields.first().map_or("", String::as_str);
    let change = match line {
        TypedSetting::Pace => Pace::read(typed, sight.pace.zone)
            .map(TableChange::Pace)
            .map_err(|fault| cx.handler.letters.pace_fault(&reader, &fault)),
        TypedSetting::Absence => Absence::read(typed, &sight.supposed_absence())
            .map(TableChange::Absence)
            .map_err(|fault| cx.handler.letters.absence_fault(&reader, &fault)),
    };
    match change {
        Ok(change) => change_table(cx, &from.code, change).await,
        Err(note) => {
            let shown = drawing(cx.handler, &sight, &reader).draw(Some((line, typed)))?;
            cx.send(below(note?, shown)).await
        }
    }
}

/// Puts a note above an answer.
pub(super) fn below(mut note: String, answer: PrivateAnswer) -> PrivateAnswer {
    follow(&mut note, &answer.text);
    PrivateAnswer { text: note, ..answer }
}
