//! What a game master wants, as they would write it.

use crate::discord::deed::Deed;
use crate::discord::incoming::{Want, Whom};

/// What can stand between the names of several players.
const BETWEEN: [char; 4] = [' ', ',', '、', '　'];

/// The line that says the same: read by the same grammar, it is refused in the same words.
pub(super) fn line(want: &Want) -> String {
    let said = |name: &str| want.said.get(name).map_or("", |said| said.trim()).to_owned();
    let whom = match &want.whom {
        Some(Whom::Person { id, .. }) => id.to_string(),
        _ => String::new(),
    };
    let last = || if said("window") == "last" { said("window") } else { String::new() };
    let pieces = match want.deed {
        Deed::Extend | Deed::Pause => vec![said("time")],
        Deed::Declare | Deed::Die | Deed::Choose => vec![last(), said("seat"), said("text")],
        Deed::Return => vec![last(), said("seat"), said("part")],
        Deed::AcceptLate | Deed::Skip | Deed::Unskip => vec![last(), said("seat")],
        Deed::Edit | Deed::Rule => vec![said("text")],
        Deed::Rollback => vec![said("window")],
        Deed::Undo => vec![said("number")],
        Deed::Say => vec![called(&said("to")), said("text")],
        Deed::Replace | Deed::Invite => vec![said("seat"), whom],
        Deed::Call | Deed::Recall | Deed::Kick => vec![said("seat")],
        Deed::House => vec![said("seat"), said("policy")],
        Deed::Swap => vec![said("seat"), said("other")],
        Deed::Close
        | Deed::Resume
        | Deed::Void
        | Deed::Hold
        | Deed::Publish
        | Deed::End
        | Deed::Cancel
        | Deed::Open
        | Deed::Show
        | Deed::Log
        | Deed::Appoint
        | Deed::Dismiss => Vec::new(),
    };
    let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
    pieces.fold(want.deed.word().to_owned(), |line, piece| format!("{line} {piece}"))
}

/// Those who are called, each as the grammar has it.
fn called(names: &str) -> String {
    let names = names.split(BETWEEN).filter(|name| !name.is_empty());
    let called: Vec<String> =
        names.map(|name| format!("@{}", name.trim_start_matches('@'))).collect();
    called.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serenity::all::UserId;

    fn said(deed: Deed, said: &[(&str, &str)]) -> String {
        let said = said.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let whom = Whom::Person { id: UserId::new(7), name: "x".to_owned(), bot: false };
        line(&Want { deed, said: said.collect(), whom: Some(whom) })
    }

    #[test]
    fn a_wish_is_one_line() {
        assert_eq!(said(Deed::Close, &[]), "close");
        assert_eq!(said(Deed::Extend, &[("time", " 22:00")]), "extend 22:00");
        let skip = [("seat", "P2"), ("window", "last")];
        assert_eq!(said(Deed::Skip, &skip), "skip last P2");
        assert_eq!(said(Deed::Skip, &[("seat", "P2"), ("window", "open")]), "skip P2");
        assert_eq!(said(Deed::Rollback, &[("window", "3")]), "rollback 3");
        assert_eq!(said(Deed::Replace, &[("seat", "P2")]), "replace P2 7");
        assert_eq!(said(Deed::Invite, &[("seat", "P2")]), "invite P2 7");
        assert_eq!(said(Deed::Invite, &[]), "invite 7");
        assert_eq!(said(Deed::Say, &[("to", "P1、楓"), ("text", "a  b")]), "say @P1 @楓 a  b");
    }
}
