//! A game master's decisions: choices, dry runs, and confirmations.

use super::remembered::Pending;
use super::session::TerminalSession;
use crate::misuse::LONGEST_NAME;
use crate::{mail, misuse};
use desk::conversation::ConversationError;
use desk::{
    Bench, ConfirmingDecision, Decision, DecisionFault, Gm, Guest, OverrideReply, OverrideRequest,
    Remark, complete_decision, log_of_decisions,
};
use letters::{AppointedGm, Deciding, DroppedDecision, MadeDecision, PutToTheVote, Reader, follow};
use rules::text::Completion;
use tables::Notified;
use tables::ids::AccountId;
use tables::time::Time;

impl TerminalSession {
    fn gm(&self) -> Gm {
        Gm { account: self.guest.account.clone(), roles: Vec::new() }
    }

    /// Loads the table with a game master's view.
    pub(super) async fn look_as_gm(&mut self, now: Time) -> Result<&Bench, ConversationError> {
        let bench = desk::bench(&self.desk, &self.sight.code, &self.gm(), now).await?;
        Ok(self.bench.insert(Bench { lang: self.reader.lang, ..bench }))
    }

    /// Answers the input after `gm`.
    pub(super) async fn decide(
        &mut self,
        input: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        let reply = OverrideReply::read(input);
        if let Some((OverrideReply::Log, "")) = reply {
            return self.decided().await;
        }
        if let Some((reply @ (OverrideReply::Appoint | OverrideReply::Dismiss), name)) = reply {
            self.pending = None;
            return self.appoint(name, reply == OverrideReply::Appoint).await;
        }
        if let Some((OverrideReply::No, "")) = reply {
            return match self.pending.take() {
                Some(_) => Ok(self.letters.write(&self.reader, &DroppedDecision {})?),
                None => self.misread(&DecisionFault::Nothing),
            };
        }
        self.look_as_gm(now).await?;
        // Commands that only show something leave the pending decision in place.
        let looks = input.is_empty()
            || matches!(
                reply,
                Some((OverrideReply::Show | OverrideReply::Preview | OverrideReply::Help, ""))
            );
        if !looks && !matches!(reply, Some((OverrideReply::Yes | OverrideReply::Quietly, _))) {
            self.pending = None;
        }
        match reply {
            Some((OverrideReply::Yes, reason)) => self.make(Notified::Public, reason, now).await,
            Some((OverrideReply::Quietly, reason)) => {
                self.make(Notified::Private, reason, now).await
            }
            Some((OverrideReply::Show, "")) => self.bench_shown(),
            Some((OverrideReply::Preview, "")) => self.result_previewed(),
            Some((OverrideReply::Help, "")) => {
                Ok(self.letters.write(&self.reader, &Deciding {})?)
            }
            _ if input.is_empty() => Ok(self.letters.write(&self.reader, &Deciding {})?),
            _ => self.rehearse(input, now).await,
        }
    }

    /// Shows the dry run of a decision.
    async fn rehearse(&mut self, input: &str, now: Time) -> Result<String, ConversationError> {
        let Some(bench) = &self.bench else { return Ok(String::new()) };
        let wish = match OverrideRequest::read(input, bench, now) {
            Ok(wish) => wish,
            Err(fault) => return self.misread(&fault),
        };
        let OverrideRequest { what, guest } = wish;
        let guest = guest.map(|name| self.known(&name));
        let (code, gm) = (&self.sight.code, self.gm());
        let rehearsal =
            desk::rehearse(&self.desk, code, &gm, what.clone(), guest.clone(), now).await?;
        // The audit log is read by others too, so its times are in the table's zone.
        let shown = rehearsal.changes(&what, &self.letters)?;
        let rehearsal = rehearsal.in_zone(self.zone());
        let (lang, year) = (self.reader.lang, self.reader.year);
        let plain = |reader: Reader| reader.in_plain_text().in_the_year(year);
        let mut text = rehearsal.words(&what, "", &self.letters, lang, plain)?;
        let confirming = ConfirmingDecision { audience: &rehearsal.audience };
        follow(&mut text, &self.letters.write(&self.reader, &confirming)?);
        let is_final = rehearsal.remarks.contains(&Remark::Final);
        let foundation = Some(rehearsal.foundation);
        let decision = Decision { guest, foundation, shown, ..what.into() };
        self.pending = Some(Pending { decision, is_final, is_made: false });
        Ok(text)
    }

    /// Makes the pending decision.
    async fn make(
        &mut self,
        notified: Notified,
        reason: &str,
        now: Time,
    ) -> Result<String, ConversationError> {
        let pending =
            self.pending.as_ref().filter(|pending| !pending.is_made || !reason.is_empty());
        let Some(Pending { decision, is_final, .. }) = pending else {
            return self.misread(&DecisionFault::Nothing);
        };
        let shown = decision.what.shown(reason, self.zone());
        let decision = Decision { reason: reason.to_owned(), notified, ..decision.clone() };
        let made = desk::decide(&self.desk, &self.sight.code, &self.gm(), decision, now).await?;
        if made.vote {
            return Ok(self.letters.write(&self.reader, &PutToTheVote {})?);
        }
        let (number, before) = (made.number.from_one(), made.before);
        let text = self.letters.write(
            &self.reader,
            &MadeDecision { number, before, is_final: *is_final, decision: &shown },
        )?;
        if let Some(pending) = &mut self.pending {
            pending.is_made = true;
        }
        Ok(text)
    }

    /// Lets a person make decisions, or revokes that.
    async fn appoint(&self, name: &str, may: bool) -> Result<String, ConversationError> {
        if let Some(text) = self.no_name(name)? {
            return Ok(text);
        }
        let (code, host, who) = (&self.sight.code, &self.guest.account, self.known(name).account);
        desk::appoint(&self.desk, code, host, who.as_str(), may).await?;
        Ok(self.letters.write(&self.reader, &AppointedGm { who: name, may })?)
    }

    /// Returns the guest of a name at a terminal.
    pub(super) fn known(&self, name: &str) -> Guest {
        mail::guest(name, self.guest.language)
    }

    /// Returns the fault of a name that nobody can have; `None` if the name is valid.
    pub(super) fn no_name(&self, name: &str) -> Result<Option<String>, ConversationError> {
        if misuse::name(name, true).is_ok() {
            return Ok(None);
        }
        let quoted = name.chars().take(LONGEST_NAME).collect();
        self.misread(&DecisionFault::NoName { said: quoted, longest: LONGEST_NAME }).map(Some)
    }

    fn misread(&self, fault: &DecisionFault) -> Result<String, ConversationError> {
        Ok(fault.words(&self.letters, &self.reader)?)
    }

    /// Returns the log of the table's decisions.
    async fn decided(&self) -> Result<String, ConversationError> {
        let logged = desk::overrides(&self.desk, &self.sight.code, &self.gm()).await?;
        let name = |account: &AccountId| mail::name(account.as_str()).to_owned();
        Ok(log_of_decisions(&logged, &self.letters, &self.reader, self.zone(), name)?)
    }

    /// Returns the progress of the seals, with their content if the game master may see it.
    fn bench_shown(&self) -> Result<String, ConversationError> {
        match &self.bench {
            Some(bench) => Ok(bench.words(&self.letters, &self.reader)?),
            None => Ok(self.sight.position(&self.letters, &self.reader)?),
        }
    }

    /// Returns the preview of the window's result.
    fn result_previewed(&self) -> Result<String, ConversationError> {
        let Some(bench) = &self.bench else { return Ok(String::new()) };
        Ok(bench.preview_words(&self.letters, &self.reader)?)
    }

    /// Returns the completions of a decision, after its command.
    pub(super) fn complete_decision(&self, line: &str, input: &str) -> Vec<Completion> {
        let Some(bench) = &self.bench else { return Vec::new() };
        let offset = line.len() - input.len();
        let found = complete_decision(input, bench, self.reader.lang).into_iter();
        found.map(|next| Completion { start: next.start + offset, ..next }).collect()
    }
}
