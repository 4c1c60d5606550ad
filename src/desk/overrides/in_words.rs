//! Decisions of a playing game master about hidden information: the dry run reveals nothing, words are parsed
//! as the decision is made, and a failed decision is announced as an attempt.

use crate::overrides::telling;

use crate::model::desk::NotDone;
use crate::model::overrides::{Override, Verb};
use crate::overrides::bench::whole_bench;
use crate::overrides::deciding::{Deciding, Run};
use crate::overrides::decision::Decision;
use crate::overrides::read::complete::ArgumentForm;
use crate::overrides::read::reader::{LAST, OverrideOptions, OverrideRequest, WINDOW};
use letters::{OverrideRefused, Refused};
use rules::{Seat, Viewer};
use tables::TableSetting;
use tables::ids::WindowNumber;

/// Returns the seat of a playing decider who must learn nothing about the result before the decision;
/// `None` for other deciders.
pub(crate) async fn blind(run: &mut Run<'_, '_>) -> Result<Option<Seat>, NotDone> {
    let is_open = run.touched.table.settings.has(TableSetting::Open);
    if is_open || !run.deciding.decision.what.stands_on_what_is_hidden() {
        return Ok(None);
    }
    let Some(seat) = telling::plays(run).await? else { return Ok(None) };
    let Some(window) = run.touched.open_window().await? else { return Ok(None) };
    let (_, contest) = run.contest(&window).await?;
    Ok(contest.hides_from(Viewer::Seat(seat)).then_some(seat))
}

/// Returns the decision with its words parsed against the questions of its seat.
pub(crate) async fn with_words_read(run: &mut Run<'_, '_>) -> Result<Deciding, NotDone> {
    let Override::InWords { window, verb, seat, words } = &run.deciding.decision.what else {
        return Ok(run.deciding.clone());
    };
    let what = read(run, *window, *verb, *seat, words).await?;
    Ok(Deciding {
        decision: Decision { what, ..run.deciding.decision.clone() },
        ..run.deciding.clone()
    })
}

async fn read(
    run: &mut Run<'_, '_>,
    window: WindowNumber,
    verb: Verb,
    seat: Seat,
    words: &str,
) -> Result<Override, NotDone> {
    let table = run.touched.table.clone();
    let bench =
        whole_bench(run.touched.session(), run.deciding.games, table, run.deciding.now).await?;
    let (_, is_named) = bench.case_of(window).ok_or(OverrideRefused::NoWindow)?;
    let mut options = OverrideOptions::new();
    if is_named {
        options.insert(WINDOW.to_owned(), LAST.to_owned());
    }
    for (option, form) in verb.arguments() {
        let value = match form {
            ArgumentForm::Seat => seat.to_string(),
            ArgumentForm::GameWords => words.to_owned(),
            _ => continue,
        };
        options.insert(option.to_owned(), value);
    }
    let read = OverrideRequest::read_options(verb, &options, &bench, run.deciding.now);
    Ok(read.map_err(|_| OverrideRefused::Unfit)?.what)
}

/// True if a refusal can follow from information hidden from a playing decider.
pub(crate) fn tells_what_is_hidden(why: &Refused) -> bool {
    use OverrideRefused as O;
    let is_hidden = |why: &O| matches!(why, O::Unfit | O::OnlyRollback | O::NothingLate);
    match why {
        Refused::Nothing => true,
        Refused::Override(why) => is_hidden(why),
        _ => false,
    }
}
