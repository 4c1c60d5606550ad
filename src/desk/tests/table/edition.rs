//! A table keeps its edition: a program that knows another one leaves it alone.

use crate::tests::support::{
    BID, Database, HOUR, MINUTE, account, dealt, desk, everything, execute, form, looks, refused,
    rows, say, seal, verify,
};
use crate::tick::TickOutcome;
use crate::window::declare::DeclarationStatus;
use kit::time::{span, time};
use letters::Refused;
use tables::pace::OutageRule;
use tables::{CloseReason, Pace};

#[tokio::test]
async fn a_table_of_another_edition_is_left_alone() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    for outage in [OutageRule::Late, OutageRule::Extend, OutageRule::Wait] {
        let pace = Pace { outage, ..Pace::play(span(HOUR), chrono_tz::UTC) };
        let code = dealt(&desk, crate::table::form::Form { pace, ..form("toy") }).await;
        seal(&desk, &code, "sakura", BID, 1).await;
        let (own,): (String,) = rows(&database, "select min(data) from tables").await.remove(0);
        let data = |data: &str| format!("update tables set data = '{data}' where code = '{code}'");
        execute(&database, &data("another")).await;
        let before = everything(&database, &code).await;

        assert_eq!(crate::due(&desk, time(9 * HOUR), 9).await.unwrap(), [""; 0]);
        assert_eq!(crate::next_due(&desk).await.unwrap(), None);
        for at in [1, 50 * MINUTE, HOUR, 2 * HOUR] {
            assert_eq!(looks(&desk, &code, at).await, TickOutcome::Nothing);
        }
        let declared = say(&desk, &code, "kaede", BID, DeclarationStatus::Sealed, 2).await;
        assert_eq!(refused(declared), Refused::OtherEdition);
        let seen = crate::see(&desk, &code, &account("kaede"), time(2)).await;
        assert_eq!(refused(seen), Refused::OtherEdition);
        let host = &account("sakura");
        assert_eq!(
            refused(crate::close(&desk, &code, host, None, time(2)).await),
            Refused::OtherEdition
        );
        assert_eq!(
            refused(crate::resume(&desk, &code, host, None, time(2)).await),
            Refused::OtherEdition
        );
        assert_eq!(everything(&database, &code).await, before);

        // The program that knows the edition goes on with it.
        execute(&database, &data(&own)).await;
        seal(&desk, &code, "kaede", BID, 2).await;
        assert_eq!(looks(&desk, &code, 2).await, TickOutcome::Closed(CloseReason::AllSealed));
        crate::end(&desk, &code, host, None, None, time(3)).await.unwrap();
    }
    verify(&database, &desk).await;
}
