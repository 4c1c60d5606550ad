//! The windows that count at a table, and those that are yet to be announced.

use std::collections::{BTreeMap, BTreeSet};

use store::{Session, StoreError, TableRow, WindowRow};
use tables::ids::{TableCode, WindowNumber};
use tables::time::Time;

/// Returns the windows that led to the open one, and the open one itself. Windows that were asked again,
/// resolved again or rewound are left out.
pub(crate) async fn line(
    session: &mut Session,
    table: &TableRow,
) -> Result<BTreeSet<WindowNumber>, StoreError> {
    let before: BTreeMap<WindowNumber, Option<WindowNumber>> =
        session.followed(&table.code).await?.into_iter().collect();
    let mut line = BTreeSet::new();
    let mut next = table.open_window;
    while let Some(number) = next
        && line.insert(number)
    {
        next = before.get(&number).copied().flatten();
    }
    Ok(line)
}

/// Returns the windows that have closed and are yet to be announced: the last one, and the windows that it
/// resolves again.
pub(crate) async fn pending(
    session: &mut Session,
    code: &TableCode,
    open: Option<&WindowRow>,
    now: Time,
) -> Result<Vec<WindowNumber>, StoreError> {
    let Some(last) = open.filter(|open| open.opens_at > now).and_then(|open| open.follows) else {
        return Ok(Vec::new());
    };
    let (mut pending, mut opened) = (Vec::new(), None);
    for number in session.again(code, last).await? {
        let opens = session.window(code, number).await?.map(|window| window.opens_at);
        // A window that is resolved again keeps its opening time. One that had closed and was asked again is
        // public.
        if opened.is_some_and(|opened| opened != opens)
            && session.closed(code, number).await?.is_some()
        {
            break;
        }
        opened = Some(opens);
        pending.push(number);
    }
    Ok(pending)
}
