//! Days on which no window closes.

use chrono_tz::UTC;

use crate::model::Override;
use crate::table::form::Form;
use crate::tests::kit::{decision, gm_called};
use crate::tests::support::{BID, Database, HOUR, dealt, desk, form, looks, rows, seal, see};
use crate::tick::TickOutcome;
use kit::time::time;
use tables::{CloseReason, Pace};

const DAY: i64 = 24 * HOUR;

/// The first days of 1970 are excepted, and the table is dealt on the first.
#[tokio::test]
async fn a_deadline_moves_over_them_and_nothing_else_does() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let pace = Pace::read("daily 21:00 except 1/1-1/3", UTC).unwrap();
    let code = dealt(&desk, Form { pace: pace.clone(), ..form("toy") }).await;
    let closes = async || {
        let open = "select closes_at from windows
                    where number = (select open_window from tables)";
        rows::<(i64,)>(&database, open).await[0].0
    };
    assert_eq!(closes().await, 3 * DAY + 21 * HOUR);
    assert_eq!(see(&desk, &code, "kaede", 1).await.pace, pace, "it is kept as it was said");
    // A host's deadline for one window holds on any day.
    let extend = decision(Override::Extend { closes: time(DAY) });
    crate::decide(&desk, &code, &gm_called("sakura"), extend, time(1)).await.unwrap();
    assert_eq!(closes().await, DAY);
    // An early close is possible on any day.
    for name in ["sakura", "kaede"] {
        seal(&desk, &code, name, BID, HOUR).await;
    }
    assert_eq!(looks(&desk, &code, HOUR).await, TickOutcome::Closed(CloseReason::AllSealed));
    assert_eq!(closes().await, 3 * DAY + 21 * HOUR);
}
