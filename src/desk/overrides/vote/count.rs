//! The voters, and the number of votes needed.

use crate::model::overrides::Override;
use crate::model::vote::about;
use rules::Seat;
use store::{SeatRow, Session, StoreError, VoteRow, votes};
use tables::ids::{PersonId, TableCode};

/// The count of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VoteCount {
    pub(crate) yes: usize,
    pub(crate) no: usize,
    /// The number of voters.
    pub(crate) voters: usize,
    /// True if one vote besides the proposer's is enough.
    pub(crate) second: bool,
    /// True if all must agree.
    pub(crate) all: bool,
}

impl VoteCount {
    pub(crate) async fn of(
        session: &mut Session,
        code: &TableCode,
        seats: &[SeatRow],
        row: &VoteRow,
        what: &Override,
    ) -> Result<Self, StoreError> {
        let voters = voters(seats, about(what));
        let voices = votes::voices(session, code, row.number).await?;
        let of = |yes: bool| {
            let voices = voices.iter().filter(|voice| voice.yes == yes);
            voices.filter(|voice| voters.contains(&&voice.person)).count()
        };
        let (yes, no) = (of(true), of(false));
        let (second, all) = (row.second, what.needs_all_voices());
        Ok(Self { yes, no, voters: voters.len(), second, all })
    }

    /// Returns the number of votes needed: two thirds of the voters, rounded up; all voters if all must
    /// agree; or two, with the proposer's.
    pub(crate) fn needed(&self) -> usize {
        if self.all {
            return self.voters.max(1);
        }
        let most = (2 * self.voters).div_ceil(3).max(1);
        if self.second { most.min(2) } else { most }
    }

    pub(crate) fn has_passed(&self) -> bool {
        self.yes >= self.needed()
    }

    pub(crate) fn is_hopeless(&self) -> bool {
        self.voters.saturating_sub(self.no) < self.needed()
    }
}

/// Returns the voters: all players except the one whose seat the vote is about.
pub(crate) fn voters(seats: &[SeatRow], about: Option<Seat>) -> Vec<&PersonId> {
    let voters = seats.iter().filter(|row| Some(row.seat) != about);
    voters.filter_map(|row| row.person.as_ref()).collect()
}

/// True if another person than this seat's player sits at the table.
pub(crate) fn has_others(seats: &[SeatRow], seat: Seat) -> bool {
    seats.iter().any(|row| row.seat != seat && row.person.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thirds_are_rounded_up() {
        let needed = |voters: usize, second: bool, all: bool| {
            VoteCount { yes: 0, no: 0, voters, second, all }.needed()
        };
        let all: Vec<usize> = (1..=8).map(|voters| needed(voters, false, false)).collect();
        assert_eq!(all, [1, 2, 2, 3, 4, 4, 5, 6]);
        let second: Vec<usize> = (1..=8).map(|voters| needed(voters, true, false)).collect();
        assert_eq!(second, [1, 2, 2, 2, 2, 2, 2, 2]);
        let draw: Vec<usize> = (1..=8).map(|voters| needed(voters, false, true)).collect();
        assert_eq!(draw, [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_vote_is_over_once_too_many_do_not_agree() {
        let hopeless = |no: usize, voters: usize| {
            VoteCount { yes: 0, no, voters, second: false, all: false }.is_hopeless()
        };
        assert_eq!([hopeless(1, 2), hopeless(1, 3), hopeless(2, 3)], [true, false, true]);
        assert_eq!([hopeless(1, 4), hopeless(2, 4), hopeless(2, 6)], [false, true, false]);
        assert_eq!([hopeless(1, 6), hopeless(3, 6)], [false, true]);
    }
}
