//! Decisions of a playing game master about hidden information: the dry run reveals nothing, words are parsed
//! as the decision is made, and a failed decision is announced as an attempt.

use async_trait::async_trait;

use crate::model::desk::{NotDone, Request};
use crate::model::overrides::{Override, Verb};
use crate::overrides::bench::whole_bench;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::decision::{
    Audience, Because, Decision, Made, Rehearsal, Remark, TableSnapshot,
};
use crate::overrides::read::complete::ArgumentForm;
use crate::overrides::read::reader::{LAST, OverrideOptions, OverrideRequest, WINDOW};
use letters::{OverrideRefused, Refused};
use rules::{Seat, Viewer};
use store::{Session, Touched};
use tables::Oversight;
use tables::ids::WindowNumber;

impl Deciding {
    /// Returns the seat of a playing decider who must learn nothing about the result before the decision;
    /// `None` for other deciders.
    pub(crate) async fn blind(&self, touched: &mut Touched<'_>) -> Result<Option<Seat>, NotDone> {
        let is_open = touched.table.oversight == Oversight::Open;
        if is_open || !self.decision.what.stands_on_what_is_hidden() {
            return Ok(None);
        }
        let Some(seat) = self.plays(touched).await? else { return Ok(None) };
        let Some(window) = touched.open_window().await? else { return Ok(None) };
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        Ok(contest.hides_from(Viewer::Seat(seat)).then_some(seat))
    }

    /// Returns the decision with its words parsed against the questions of its seat.
    pub(crate) async fn with_words_read(&self, touched: &mut Touched<'_>) -> Result<Self, NotDone> {
        let Override::InWords { window, verb, seat, words } = &self.decision.what else {
            return Ok(self.clone());
        };
        let what = self.read(touched, *window, *verb, *seat, words).await?;
        Ok(Self { decision: Decision { what, ..self.decision.clone() }, ..self.clone() })
    }

    async fn read(
        &self,
        touched: &mut Touched<'_>,
        window: WindowNumber,
        verb: Verb,
        seat: Seat,
        words: &str,
    ) -> Result<Override, NotDone> {
        let table = touched.table.clone();
        let bench = whole_bench(touched.session(), self.games, table, self.now).await?;
        let (_, is_named) = bench.case_of(window).ok_or(OverrideRefused::NoWindow)?;
        let mut options = OverrideOptions::new();
        if is_named {
            options.insert(WINDOW.to_owned(), LAST.to_owned());
        }
        for (option, form) in verb.arguments() {
            let value = match form {
                ArgumentForm::Seat => seat.to_string(),
                ArgumentForm::GameWords => words.to_owned(),
                _ => continue,
            };
            options.insert(option.to_owned(), value);
        }
        let read = OverrideRequest::read_options(verb, &options, &bench, self.now);
        Ok(read.map_err(|_| OverrideRefused::Unfit)?.what)
    }

    /// Returns the dry run of a decision about hidden information, which is the same for every result.
    pub(crate) async fn rehearse_blindly(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
    ) -> Result<Rehearsal, NotDone> {
        let (foundation, before) = (touched.table.chain.clone(), self.snapshot(touched).await?);
        let person = self.authorize(touched).await?;
        let foreseen = match (&self.decision.what, touched.open_window().await?) {
            (Override::Edit { said: moves }, Some(window)) => {
                let seats = touched.seats().await?;
                self.contest(touched, &seats, &window).await?.foresee(moves, Viewer::Public)
            }
            _ => Vec::new(),
        };
        match self.make(touched, &person).await {
            Ok(_) => {}
            Err(NotDone::Refused(why)) if tells_what_is_hidden(&why) => {}
            Err(error) => return Err(error),
        }
        Ok(Rehearsal {
            before: TableSnapshot { last: None, ..before },
            after: None,
            audience: Audience::Everybody { because: Because::Playing },
            foreseen,
            remarks: vec![Remark::Playing { seat }, Remark::Unseen { missing: Vec::new() }],
            foundation,
        })
    }
}

/// True if a refusal can follow from information hidden from a playing decider.
pub(crate) fn tells_what_is_hidden(why: &Refused) -> bool {
    use OverrideRefused as O;
    let is_hidden = |why: &O| matches!(why, O::Unfit | O::OnlyRollback | O::NothingLate);
    match why {
        Refused::Nothing => true,
        Refused::Override(why) => is_hidden(why),
        _ => false,
    }
}

/// A request to announce a decision that failed on hidden information.
pub(crate) struct Trying {
    pub(crate) deciding: Deciding,
    /// The reason of the failure.
    pub(crate) why: Refused,
}

#[async_trait]
impl Request for Trying {
    type Done = Made;

    async fn carry_out(&self, session: &mut Session) -> Result<Made, NotDone> {
        let deciding = &self.deciding;
        let mut touched = session.touch(&deciding.code).await?.ok_or(Refused::NoTable)?;
        let person = deciding.authorize(&mut touched).await?;
        let foundation = &deciding.decision.foundation;
        if foundation.as_ref().is_some_and(|foundation| *foundation != touched.table.chain) {
            return Err(Refused::MovedOn.into());
        }
        if deciding.blind(&mut touched).await?.is_none() {
            return Err(self.why.into());
        }
        let what = Override::Tried { what: Box::new(deciding.decision.what.clone()) };
        let decision = Decision { what, ..deciding.decision.clone() };
        let tried = Deciding { decision, ..deciding.clone() };
        let Done { number, .. } = tried.make(&mut touched, &person).await?;
        Ok(Made { number, before: false, vote: false, is_final: true })
    }

    fn keeps(done: &Result<Made, NotDone>) -> bool {
        done.is_ok()
    }
}
