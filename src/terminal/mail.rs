//! Letters to terminals, stored in the database until they are read there.

use std::collections::HashSet;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use desk::conversation::ConversationError;
use desk::courier::{Channel, Undelivered};
use desk::{Contact, Letter};
use games::GAMES;
use letters::Letters;
use rules::text::Lang;
use store::{Arrived, Delivered, Outgoing, Store, StoreError, outbox, read_json};
use tables::ids::{AccountId, Address, TableCode};
use tables::time::Time;

/// The prefix of the addresses of terminals.
const SCHEME: &str = "terminal:";

/// Returns the address of an account at a terminal, which is the account itself; `None` for other accounts.
pub(super) fn own_address(account: &AccountId) -> Option<Address> {
    account.as_str().starts_with(SCHEME).then(|| account.as_str().into())
}

/// Returns the account of a name.
pub(super) fn account(name: &str) -> AccountId {
    format!("{SCHEME}{name}").into()
}

/// Returns the guest of a name, with a language.
pub(super) fn guest(name: &str, language: Lang) -> Contact {
    let account = account(name);
    let address = account.as_str().into();
    Contact { account, name: name.to_owned(), language, address }
}

/// Returns the name of an account or an address.
pub(super) fn name(known_as: &str) -> &str {
    known_as.strip_prefix(SCHEME).unwrap_or(known_as)
}

/// The channel of letters to terminals.
#[derive(Clone, Debug)]
pub struct Mail {
    store: Store,
    letters: Letters,
}

/// A letter that can be read at a terminal.
pub(super) struct ReadableLetter {
    pub(super) letter: String,
    pub(super) text: String,
}

impl Mail {
    /// Creates the channel to this database, with these templates.
    pub fn new(store: Store, letters: Letters) -> Self {
        Self { store, letters }
    }

    /// Returns the unread letters about a table at an address, including those that another terminal has
    /// shown since a time, without those in `seen`. Letters that are not due are left out, so that nobody
    /// reads of a window before it opens.
    pub(super) async fn unread(
        &self,
        address: &Address,
        code: &TableCode,
        since: Time,
        seen: &HashSet<String>,
        lang: Lang,
        now: Time,
    ) -> Result<Vec<ReadableLetter>, ConversationError> {
        let delivered =
            outbox::unread(&mut self.store.read().await?, address, code, since, now).await?;
        let unseen = delivered.into_iter().filter(|delivered| !seen.contains(&delivered.letter));
        unseen.map(|delivered| self.written(delivered, lang)).collect()
    }

    /// Writes a letter in the language of the terminal; its reader may use another at another terminal.
    fn written(
        &self,
        Delivered { letter, body }: Delivered,
        lang: Lang,
    ) -> Result<ReadableLetter, ConversationError> {
        let translated = Letter { language: lang.code().to_owned(), ..read_json(&body)? };
        Ok(ReadableLetter { text: translated.write(&self.letters, GAMES)?, letter })
    }

    /// Marks a letter as read.
    pub(super) async fn mark_read(&self, letter: String, now: Time) -> Result<(), StoreError> {
        let about = (letter, now);
        self.store
            .write_about(about, |(letter, now), to| outbox::mark_read(to, letter, *now).boxed())
            .await
    }
}

impl Channel for Mail {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn patience(&self) -> Duration {
        // A repeated delivery stores the letter only once.
        Duration::ZERO
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        async {
            // A letter that cannot be written stays in the outbox.
            letter.write(&self.letters, GAMES)?;
            let about = (outgoing.letter.clone(), letter.code.clone());
            let delivered = self
                .store
                .write_about(about, |(letter, code), to| outbox::deliver(to, letter, code).boxed());
            delivered.await?;
            Ok(Arrived::default())
        }
        .boxed()
    }
}
