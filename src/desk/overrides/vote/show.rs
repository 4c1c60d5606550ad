//! Votes in words.

use chrono_tz::Tz;

use crate::model::vote::Vote;
use crate::overrides::vote::ballot::Balloted;
use crate::overrides::vote::read::{VoteFault, VoteMisread};
use letters::{Ballots, LetterFault, Letters, Moment, Reader, Voice, Voting, follow};

impl Vote {
    /// Writes the count or the outcome of the vote.
    pub fn words(
        &self,
        letters: &Letters,
        reader: &Reader,
        zone: Tz,
    ) -> Result<String, LetterFault> {
        let vote = Ballots {
            by: self.by,
            about: self.about.as_deref(),
            decision: self.what.shown(&self.reason, zone),
            closes: Moment::at(self.closes, zone),
            tally: self.tally(),
            second: self.second,
            outcome: self.outcome.map(Into::into),
        };
        letters.write(reader, &vote)
    }
}

impl Balloted {
    /// Writes the reply to the player.
    pub fn words(
        &self,
        letters: &Letters,
        reader: &Reader,
        zone: Tz,
    ) -> Result<String, LetterFault> {
        match self {
            Self::Shown(open) => {
                let mut text = String::new();
                for vote in open {
                    follow(&mut text, &vote.words(letters, reader, zone)?);
                }
                follow(&mut text, &letters.write(reader, &Voting {})?);
                Ok(text)
            }
            // The vote is announced to everybody, including its proposer.
            Self::Proposed(vote) => {
                let (tally, outcome) = (vote.tally(), vote.outcome.map(Into::into));
                letters.write(reader, &Voice { agrees: true, tally, outcome })
            }
            Self::Counted { yes, vote } => {
                let (tally, outcome) = (vote.tally(), vote.outcome.map(Into::into));
                letters.write(reader, &Voice { agrees: *yes, tally, outcome })
            }
            Self::Several(open) => {
                let open = open.iter().map(|vote| vote.what.verb()).collect();
                VoteFault::Several { open }.words(letters, reader)
            }
        }
    }
}

impl VoteFault {
    /// Writes the fault and suggestions.
    pub fn words(&self, letters: &Letters, reader: &Reader) -> Result<String, LetterFault> {
        match self {
            Self::NoPace(fault) => letters.pace_fault(reader, fault),
            Self::NoAbsence(fault) => letters.absence_fault(reader, fault),
            fault => letters.write(reader, &VoteMisread { fault }),
        }
    }
}
