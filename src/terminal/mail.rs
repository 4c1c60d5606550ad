//! Letters to terminals: they lie in the database until somebody reads them there.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use desk::courier::{Channel, Undelivered};
use desk::{Guest, Letter, Unwritten};
use games::GAMES;
use letters::{LetterFault, Letters};
use rules::text::Lang;
use store::{Arrived, Delivered, Outgoing, Store, StoreError, read_json};
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

/// What the addresses of terminals begin with.
const SCHEME: &str = "terminal:";

/// Where the letters go of who plays at a terminal: who they are is where they are.
pub(super) fn own_address(account: &AccountId) -> Option<Address> {
    account.as_str().starts_with(SCHEME).then(|| account.as_str().into())
}

/// Who somebody of this name is.
pub(super) fn account(name: &str) -> AccountId {
    format!("{SCHEME}{name}").into()
}

/// Somebody of this name, who reads this language.
pub(super) fn guest(name: &str, language: Lang) -> Guest {
    let account = account(name);
    let address = account.as_str().into();
    Guest { account, name: name.to_owned(), language, address }
}

/// The name of who has this account, or this address.
pub(super) fn name(known_as: &str) -> &str {
    known_as.strip_prefix(SCHEME).unwrap_or(known_as)
}

/// The letters of terminals.
#[derive(Clone, Debug)]
pub struct Mail {
    store: Store,
    letters: Letters,
}

/// A letter that is read at a terminal.
pub(super) struct ReadableLetter {
    pub(super) letter: String,
    /// What it says.
    pub(super) text: String,
}

/// A letter that cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum MailError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

impl From<Unwritten> for MailError {
    fn from(unwritten: Unwritten) -> Self {
        match unwritten {
            Unwritten::Letter(fault) => fault.into(),
            unwritten @ Unwritten::NoGame(_) => {
                StoreError::Unreadable(unwritten.to_string()).into()
            }
        }
    }
}

impl Mail {
    /// The letters that lie in this database, written by these templates.
    pub fn new(store: Store, letters: Letters) -> Self {
        Self { store, letters }
    }

    /// The letters about a table that wait at an address, those that another terminal has shown
    /// since this time among them, but for those that have been on this screen. What is not due by
    /// now waits, so that nobody reads of a window before it can be seen.
    pub(super) async fn unread(
        &self,
        address: &Address,
        code: &TableCode,
        since: Time,
        seen: &HashSet<String>,
        lang: Lang,
        now: Time,
    ) -> Result<Vec<ReadableLetter>, MailError> {
        let delivered = self.store.read().await?.unread(address, code, since, now).await?;
        let unseen = delivered.into_iter().filter(|delivered| !seen.contains(&delivered.letter));
        unseen.map(|delivered| self.written(delivered, lang)).collect()
    }

    /// A letter in the language of the terminal: its reader may read another at another terminal.
    fn written(
        &self,
        Delivered { letter, body }: Delivered,
        lang: Lang,
    ) -> Result<ReadableLetter, MailError> {
        let told = Letter { language: lang.code().to_owned(), ..read_json(&body)? };
        Ok(ReadableLetter { text: told.write(&self.letters, GAMES)?, letter })
    }

    /// Notes that a letter has been read.
    pub(super) async fn mark_read(&self, letter: String, now: Time) -> Result<(), StoreError> {
        let about = (letter, now);
        self.store.write_about(about, |(letter, now), to| to.mark_read(letter, *now).boxed()).await
    }
}

impl Channel for Mail {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn patience(&self) -> Duration {
        // A letter lies there once, however often it is put there.
        Duration::ZERO
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        async {
            // A letter that cannot be written had better stay where it is.
            letter.write(&self.letters, GAMES)?;
            let about = (outgoing.letter.clone(), letter.code.clone());
            let delivered = self
                .store
                .write_about(about, |(letter, code), to| to.deliver(letter, code).boxed());
            delivered.await?;
            Ok(Arrived::default())
        }
        .boxed()
    }
}
