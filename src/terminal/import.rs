//! `shimekiri import`: an exported table continues in this database.

use std::path::PathBuf;

use super::mail;
use super::misuse::{Console, Done, Misuse};
use super::services::open;
use super::table_source::bytes_of;
use super::texts::{HereAlready, Imported, NotTakenUp};
use super::why::why;
use crate::config::Config;
use desk::{Belief, Desk, FileFault, NotImported, TableFile};
use games::GAMES;
use store::Access;
use tables::ids::AccountId;

/// The arguments of `shimekiri import`.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportArguments {
    /// An exported file
    pub file: PathBuf,
    /// The file is your own: also import where the table is posted, pending messages and punctuality
    #[arg(long)]
    pub own: bool,
}

/// Imports the table of the file.
pub(super) async fn run(
    args: &ImportArguments,
    config: &Config,
    console: &mut Console<'_>,
) -> Done {
    let shown = &*args.file.display().to_string();
    let bad = |fault: &FileFault| Misuse::bad_file(shown, fault);
    let bytes = bytes_of(&args.file).map_err(|error| Misuse::unread(shown, &error))?;
    let file = TableFile::read(&bytes).map_err(|fault| bad(&fault))?;
    let store = open(config, Access::Make).await?;
    let own =
        |account: &AccountId| mail::own_address(account).or_else(|| discord::own_address(account));
    let belief = if args.own { Belief::All } else { Belief::Table(own) };
    let (code, secrets) = (&file.heading.table.clone(), file.heading.secrets);
    let taken = desk::import(&Desk::new(store.clone(), GAMES), file, belief).await;
    store.close().await;
    let left_out = taken.map_err(|error| match error {
        NotImported::Here => HereAlready { code }.into(),
        NotImported::Fault(fault) => bad(&fault),
        NotImported::Store(error) => NotTakenUp { code, why: why(&error) }.into(),
    })?;
    console.say(&Imported { code, file: shown, secrets, left_out })
}
