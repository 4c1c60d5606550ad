//! Changes of a table's settings during its game, from the next window on.

use crate::absence::away;
use crate::model::desk::NotDone;
use crate::overrides::deciding::{Done, Run};
use letters::Refused;
use store::{TableRow, Touched, absences, traces};
use tables::{Absence, Pace};

/// Sets the pace of the next windows; the open one keeps its own.
pub(crate) async fn set_pace(touched: &mut Touched<'_>, wanted: &Pace) -> Result<Done, NotDone> {
    check_pace(touched, wanted)?;
    let next = (*touched.table.pace != *wanted).then(|| wanted.clone().into());
    let now = touched.table.pace.clone();
    traces::keep_paces(touched, now, next).await?;
    Ok(Done::default())
}

/// Refuses the pace that is set already.
pub(crate) fn check_pace(touched: &Touched<'_>, wanted: &Pace) -> Result<(), NotDone> {
    let TableRow { pace, next_pace, .. } = &touched.table;
    if **next_pace.as_ref().unwrap_or(pace) == *wanted {
        Err(Refused::Nothing.into())
    } else {
        Ok(())
    }
}

/// Sets the treatment of missing players, from the next window on.
pub(crate) async fn set_absence(run: &mut Run<'_, '_>, wanted: Absence) -> Result<Done, NotDone> {
    check_absence(run.touched, wanted).await?;
    away::keep(run.touched, wanted, run.deciding.now).await?;
    Ok(Done::default())
}

/// Refuses the treatment of missing players that is set already.
pub(crate) async fn check_absence(
    touched: &mut Touched<'_>,
    wanted: Absence,
) -> Result<(), NotDone> {
    let code = touched.table.code.clone();
    let set = absences::absence(touched.session(), &code).await?;
    if set == wanted { Err(Refused::Nothing.into()) } else { Ok(()) }
}
