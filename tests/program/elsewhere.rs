//! Tables whose letters no process carries.

use serde_json::Value as Json;

use desk::{Contact, Desk, Form};
use games::GAMES;
use rules::text::Lang;
use tables::Pace;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// Starts a table at a given time, with a person who never declares and a bot player.
pub(crate) async fn begun(desk: &Desk, account: AccountId, pace: Pace, then: Time) -> TableCode {
    let host = Contact {
        account: account.clone(),
        name: "sakura".to_owned(),
        language: Lang::En,
        address: account.as_str().into(),
    };
    let form = Form {
        game: GAMES[0].key().to_owned(),
        options: Json::Null,
        chairs: 2,
        pace,
        host: host.clone(),
        place: None,
        settings: tables::TableSettings::default(),
        seed: None,
    };
    let code = desk::form(desk, form, then).await.unwrap().code;
    desk::join(desk, &code, host, None, then).await.unwrap();
    desk::start(desk, &code, &account, "house", then).await.unwrap();
    code
}
