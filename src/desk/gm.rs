//! What a game master decides.
//!
//! An override is rehearsed before it is made: the very work that would be done is done and undone
//! again, and what would be different then is shown. It has a reason, an entry in the log and one in
//! the journal, and can itself be undone as long as nothing else has followed from it. Nothing that
//! was is ever changed: a window that is asked or resolved again is a window of its own.

mod bench;
mod calls;
mod edit;
mod history;
mod image;
mod judge;
mod log;
mod propose;
mod read;
mod seats;
mod show;
mod spent;
mod windows;

use serde::{Deserialize, Serialize};

use super::end::Early;
use super::form::record;
use super::letter::{Notice, Part};
use super::see::{self, Past};
use super::vote::{Vote, has_others};
use super::{
    Desk, Games, Guest, Happened, NotDone, Sight, announced_stage, pace, read_json, reputation,
    write_json,
};
use crate::letters::{ChangedLine, Refused};
use crate::rules::{Declaration, Seat};
use crate::store::{OverrideRow, SeatRow, Session, StoreError, Touched, Work};
use crate::tables::Stage;

use image::Image;

pub use bench::{Bench, Case, Opened};
pub use judge::Change;
pub use log::Logged;
pub use propose::Proposal;
pub use read::{DecreeFault, Reply, Verb, Wish, check as check_words, complete, read, write};
pub use show::log;
pub(super) use windows::NEVER;

/// A table whose game masters see who has sealed, and not what.
pub(super) const BLIND: &str = "blind";

/// A table whose game masters see what is sealed.
pub(super) const OPEN: &str = "open";

/// Who decides, as the desk meets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gm {
    /// Who they are outside of this house.
    pub account: String,
    /// The roles they have there, such as `discord:role:1`.
    pub roles: Vec<String>,
}

/// Something that a game master decides. Times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "kebab-case")]
pub enum Override {
    /// The open window closes at another time.
    Extend {
        /// When.
        closes: i64,
    },
    /// The open window closes now.
    Close,
    /// The table stands still.
    Pause {
        /// Until then at the latest.
        until: i64,
    },
    /// The table goes on.
    Resume,
    /// The open window is asked again.
    Void,
    /// What a window brought is not announced before it is published.
    Hold,
    /// What a window brought is announced now.
    Publish,
    /// A window is resolved otherwise than by what was declared and thrown.
    Judge {
        /// Its number: that of the open window, or of the last one that was closed.
        window: i64,
        /// What is different.
        change: Change,
    },
    /// A move of the game master's, in the game's own words.
    Edit {
        /// The move.
        said: Declaration,
    },
    /// A ruling in words (審査員裁定).
    Rule {
        /// The words.
        words: String,
    },
    /// Somebody else takes a seat.
    Replace {
        /// Which.
        seat: Seat,
    },
    /// A house player takes a seat.
    House {
        /// Which.
        seat: Seat,
        /// How it plays.
        policy: String,
    },
    /// Two exchange their seats.
    Swap {
        /// One.
        a: Seat,
        /// The other.
        b: Seat,
    },
    /// A player is sought for a seat: whoever wants may take it.
    Call {
        /// Which.
        seat: Seat,
    },
    /// Nobody is sought or asked for a seat any more.
    Recall {
        /// Which.
        seat: Seat,
    },
    /// Somebody is asked to play.
    Invite {
        /// On which seat; none before the game begins, where it is any chair.
        seat: Option<Seat>,
    },
    /// Somebody is sent away.
    Kick {
        /// From which seat.
        seat: Seat,
    },
    /// The table goes back to a window.
    Rollback {
        /// Its number.
        number: i64,
        /// The round it begins, as players know it: counted from 0, which is the deal.
        #[serde(default)]
        round: Option<u32>,
    },
    /// The table is ended, and scored as it stands.
    End,
    /// The table is called off, without a result.
    Cancel,
    /// Something is said in the table's name.
    Say {
        /// What.
        words: String,
        /// Whom it names.
        to: Vec<Seat>,
    },
    /// The game master sees what is sealed from now on.
    Open,
    /// An override is undone.
    Undo {
        /// Its number.
        number: i64,
    },
}

impl Override {
    /// Whether it is told to the table in any case.
    fn is_public(&self) -> bool {
        matches!(self, Self::Open | Self::Rule { .. } | Self::Say { .. } | Self::Call { .. })
    }

    /// Whether it can be decided before the game begins.
    fn fits_forming(&self) -> bool {
        let is_seat = matches!(self, Self::Invite { .. } | Self::Kick { .. });
        is_seat || matches!(self, Self::Cancel | Self::Say { .. } | Self::Undo { .. })
    }

    /// Whether a table that stands still goes on doing so, with another window.
    fn keeps_pause(&self) -> bool {
        matches!(self, Self::Void | Self::Judge { .. } | Self::Edit { .. } | Self::Rollback { .. })
    }
}

/// Who is told of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notified {
    /// The table.
    Public,
    /// Those whose seats it is about.
    Private,
}

impl Notified {
    fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// An override that is to be made.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What is decided.
    pub what: Override,
    /// Who takes the seat, where somebody does.
    pub guest: Option<Guest>,
    /// Why.
    pub reason: String,
    /// Who is told.
    pub notified: Notified,
    /// [`Rehearsal::foundation`]: it is made on that, or not at all.
    pub foundation: Option<String>,
    /// [`Rehearsal::changes`], as they were shown, for the log.
    pub shown: Vec<ChangedLine>,
}

/// An override that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number at the table, from 0.
    pub number: i64,
    /// Whether it had been made before: it counts once.
    pub before: bool,
    /// Whether it was put to the vote instead, as it needs a second voice: the number is that of the
    /// vote.
    pub vote: bool,
}

/// What an override would make of a table.
#[derive(Debug)]
pub struct Rehearsal {
    /// The table now.
    pub before: Standing,
    /// The table then.
    pub after: Standing,
    /// What is to be thought of.
    pub remarks: Vec<Remark>,
    /// The hash of the journal on which it was rehearsed, in hex digits.
    pub foundation: String,
}

/// A table, and what its last window brought.
#[derive(Debug)]
pub struct Standing {
    /// As everybody sees it.
    pub sight: Sight,
    /// What was resolved last, announced or not.
    pub last: Option<Past>,
}

/// What is to be thought of before an override is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "thinks", rename_all = "kebab-case")]
pub enum Remark {
    /// What has been posted stays posted.
    Posted,
    /// What was revealed since stays known: all dice are thrown anew, and what nobody knows of the
    /// decks is shuffled.
    Revealed,
    /// What these have declared does not count.
    Lost {
        /// Whose.
        seats: Vec<Seat>,
    },
    /// Somebody comes to know what is secret to these, and knows it still when it is undone.
    Secrets {
        /// Which.
        seats: Vec<Seat>,
    },
    /// Who decides plays here, and everybody is told.
    Playing {
        /// Where.
        seat: Seat,
    },
    /// What is sealed in the window is not seen before it is decided.
    Unseen {
        /// Who has not sealed, where that may be known.
        missing: Vec<Seat>,
    },
    /// A house player plays on, and a player can be sought for the seat.
    Seek {
        /// Which.
        seat: Seat,
    },
    /// It cannot be undone.
    Final,
    /// Who decides plays here: it is put to the vote, and one other voice is enough.
    SecondVoice {
        /// Where.
        seat: Seat,
    },
}

impl Desk {
    /// Shows what an override would make of a table. Nothing is changed.
    ///
    /// # Errors
    /// As [`Self::decide`].
    pub async fn rehearse(
        &self,
        code: &str,
        gm: &Gm,
        what: Override,
        guest: Option<Guest>,
        now: i64,
    ) -> Result<Rehearsal, NotDone> {
        let (reason, notified, foundation) = (String::new(), Notified::Private, None);
        let decision = Decision { what, guest, reason, notified, foundation, shown: Vec::new() };
        self.store.write(Rehearsing(self.deciding(code, gm, decision, now))).await?
    }

    /// Makes an override.
    ///
    /// # Errors
    /// If it is no game master of the table who asks, no reason is given, it cannot be made now, or
    /// the table is not any more as it was when it was rehearsed.
    pub async fn decide(
        &self,
        code: &str,
        gm: &Gm,
        decision: Decision,
        now: i64,
    ) -> Result<Made, NotDone> {
        if decision.reason.trim().is_empty() {
            return Err(Refused::NoReason.into());
        }
        self.store.write(self.deciding(code, gm, decision, now)).await?
    }

    fn deciding(&self, code: &str, gm: &Gm, decision: Decision, now: i64) -> Deciding {
        let (games, code, gm) = (self.games, code.to_owned(), gm.clone());
        let drawn = [super::draw::id(), super::draw::id()];
        Deciding { games, code, gm, decision, drawn, voted: None, number: 0, now }
    }
}

/// A vote by which the table has decided.
#[derive(Clone)]
pub(super) struct Voted {
    pub(super) vote: Vote,
    /// Whose seat somebody else is to take.
    pub(super) about: Option<String>,
}

/// An override under way.
#[derive(Clone)]
pub(super) struct Deciding {
    games: Games,
    code: String,
    gm: Gm,
    decision: Decision,
    /// The ids of who decides and of who takes a seat, if nobody has met them before.
    drawn: [String; 2],
    /// By which vote, if it is the table that decides.
    voted: Option<Voted>,
    /// Its number at the table, once it is being made.
    number: i64,
    now: i64,
}

impl Work for Deciding {
    type Done = Result<Made, NotDone>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        NotDone::told(self.decide(session).await)
    }

    /// A refusal leaves everything as it was.
    fn keeps(done: &Self::Done) -> bool {
        done.is_ok()
    }
}

/// An override that is made in order to be looked at, and undone.
struct Rehearsing(Deciding);

impl Work for Rehearsing {
    type Done = Result<Rehearsal, NotDone>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        NotDone::told(self.rehearse(session).await)
    }

    fn keeps(_: &Self::Done) -> bool {
        false
    }
}

impl Rehearsing {
    async fn rehearse(&self, session: &mut Session) -> Result<Rehearsal, NotDone> {
        let deciding = &self.0;
        let mut touched = session.touch(&deciding.code).await?.ok_or(Refused::NoTable)?;
        let person = deciding.authorize(&mut touched).await?;
        let foundation = touched.table.chain.clone();
        let before = deciding.standing(&mut touched).await?;
        let unseen = match deciding.decision.what {
            Override::Close => Some(deciding.standing(&mut touched).await?),
            _ => None,
        };
        let done = deciding.make(&mut touched, &person).await?;
        let after = match unseen {
            Some(unseen) => unseen,
            None => deciding.standing(&mut touched).await?,
        };
        Ok(Rehearsal { before, after, remarks: done.remarks, foundation })
    }
}

/// What an override has done.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// Its number at the table.
    number: i64,
    remarks: Vec<Remark>,
    /// The seats it is about.
    seats: Vec<Seat>,
    /// The window that it touches; none for the one that is open then.
    window: Option<i64>,
    /// Whether the table is told of it with what follows from it.
    told: bool,
    /// If it was put to the vote instead: whether that had been done before. The number is then that
    /// of the vote.
    vote: Option<bool>,
}

impl Done {
    /// It is about one seat.
    fn about(seat: Seat) -> Self {
        Self { seats: vec![seat], ..Self::default() }
    }

    fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}

impl Deciding {
    /// What a table has decided by a vote.
    pub(super) fn of_the_table(
        games: Games,
        code: String,
        what: Override,
        voted: Voted,
        now: i64,
    ) -> Self {
        let (guest, foundation, notified) = (None, None, Notified::Public);
        let reason = voted.vote.reason.clone();
        let decision = Decision { what, guest, reason, notified, foundation, shown: Vec::new() };
        let gm = Gm { account: String::new(), roles: Vec::new() };
        let drawn = Default::default();
        Self { games, code, gm, decision, drawn, voted: Some(voted), number: 0, now }
    }

    async fn decide(&self, session: &mut Session) -> Result<Made, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let person = self.authorize(&mut touched).await?;
        if let Some(foundation) = &self.decision.foundation
            && *foundation != touched.table.chain
        {
            return self.made_before(&mut touched, &person, foundation).await;
        }
        let done = self.make(&mut touched, &person).await?;
        let (number, before) = (done.number, done.vote.unwrap_or_default());
        Ok(Made { number, before, vote: done.vote.is_some() })
    }

    /// A second press on the same button is one override.
    async fn made_before(
        &self,
        touched: &mut Touched<'_>,
        person: &str,
        foundation: &str,
    ) -> Result<Made, NotDone> {
        for row in touched.overrides().await? {
            let what: Override = read_json(&row.what)?;
            if row.foundation == foundation && row.person == person && what == self.decision.what {
                return Ok(Made { number: row.number, before: true, vote: false });
            }
        }
        Err(Refused::MovedOn.into())
    }

    /// The id of who decides, if they may.
    async fn authorize(&self, touched: &mut Touched<'_>) -> Result<String, NotDone> {
        let code = touched.table.code.clone();
        let masters = touched.session().game_masters(&code).await?;
        let person = touched.session().person(&self.gm.account).await?;
        let is_named = |who: &String| *who == self.gm.account || self.gm.roles.contains(who);
        let is_host = person.as_ref() == Some(&touched.table.host);
        if !is_host && !masters.iter().any(is_named) {
            return Err(Refused::NotGm.into());
        }
        if touched.table.stage == Stage::Forming && !self.decision.what.fits_forming() {
            return Err(Refused::NotBegun.into());
        }
        self.games.of(&touched.table)?;
        if let Some(person) = person {
            return Ok(person);
        }
        // Whoever decides by a role may never have been here.
        let language = touched.table.language.clone();
        Ok(touched.session().meet(&self.gm.account, &language, &self.drawn[0]).await?)
    }

    /// Over is over: the seed is known. Something can still be said.
    async fn refuse_over(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        if matches!(self.decision.what, Override::Say { .. } | Override::Rule { .. }) {
            return Ok(());
        }
        let open = touched.open_window().await?;
        match announced_stage(&touched.table, open.as_ref(), self.now) {
            Stage::Over => Err(Refused::Over.into()),
            _ => Ok(()),
        }
    }

    /// The table as everybody sees it, and what was resolved last.
    async fn standing(&self, touched: &mut Touched<'_>) -> Result<Standing, NotDone> {
        let sight = see::sight(touched.session(), self.games, &self.code, "", self.now).await?;
        let last = see::last(touched, &sight).await?;
        Ok(Standing { sight, last })
    }

    /// Carries it out, keeps what it changed, and tells whom it concerns.
    pub(super) async fn make(
        &self,
        touched: &mut Touched<'_>,
        person: &str,
    ) -> Result<Done, NotDone> {
        let overrides = touched.overrides().await?;
        let number = overrides.last().map_or(0, |row| row.number + 1);
        Self { number, ..self.clone() }.make_as_numbered(touched, person).await
    }

    async fn make_as_numbered(
        &self,
        touched: &mut Touched<'_>,
        person: &str,
    ) -> Result<Done, NotDone> {
        self.refuse_over(touched).await?;
        let foundation = touched.table.chain.clone();
        let before = Image::of(touched).await?;
        let seats = touched.seats().await?;
        let plays = seats.iter().find(|row| row.person.as_deref() == Some(person));
        let plays = plays.filter(|_| self.voted.is_none()).map(|row| row.seat);
        if let (Override::Pause { .. }, Some(seat)) = (&self.decision.what, plays)
            && has_others(&seats, seat)
        {
            return self.ask_for_a_second(touched, person, seat).await;
        }
        let mut done = self.carry_out(touched).await?;
        before.stay_paused(touched, &self.decision.what, self.now).await?;
        if !matches!(self.decision.what, Override::Undo { .. }) {
            reputation::replaced(touched, &seats, self.now).await?;
        }
        reputation::recount(touched, self.now).await?;
        // Who plays and decides does it before everybody's eyes.
        let is_public = plays.is_some() || done.told || self.decision.what.is_public();
        let notified = if is_public { Notified::Public } else { self.decision.notified };
        done.remarks.extend(plays.map(|seat| Remark::Playing { seat }));
        done.number = self.number;
        let happened = Happened::Overridden {
            number: done.number,
            window: done.window.unwrap_or(touched.table.open_window),
            what: self.decision.what.clone(),
            voted: self.voted.is_some(),
        };
        record(touched, &happened, self.now).await?;
        let image = before.changed(Image::of(touched).await?);
        let is_final = done.remarks.contains(&Remark::Final);
        let row = OverrideRow {
            number: done.number,
            at: self.now,
            person: person.to_owned(),
            what: write_json(&self.decision.what)?,
            reason: self.decision.reason.clone(),
            notice: notified.word().to_owned(),
            foundation,
            entries: touched.table.entries,
            image: if is_final { None } else { Some(write_json(&image)?) },
            undone: None,
            shown: self.shown()?,
            vote: self.voted.as_ref().map(|voted| voted.vote.number),
        };
        touched.keep_override(&row).await?;
        touched.stir().await?;
        if !done.told {
            self.notify(touched, &done, notified).await?;
        }
        self.dismiss(touched, &seats, &done).await?;
        Ok(done)
    }

    /// What it would change, as it was shown.
    fn shown(&self) -> Result<Option<String>, StoreError> {
        let shown = &self.decision.shown;
        if shown.is_empty() { Ok(None) } else { write_json(shown).map(Some) }
    }

    /// What its letters say of it.
    fn part(&self) -> Part {
        if let Some(voted) = &self.voted {
            return Part::Vote { vote: voted.vote.clone() };
        }
        Part::Override {
            number: Some(self.number),
            what: self.decision.what.clone(),
            reason: self.decision.reason.clone(),
        }
    }

    /// Tells the table, or those it is about.
    async fn notify(
        &self,
        touched: &mut Touched<'_>,
        done: &Done,
        notified: Notified,
    ) -> Result<(), NotDone> {
        let seats = touched.seats().await?;
        let notice = Notice {
            seats: &seats,
            zone: pace(&touched.table)?.zone,
            contest: None,
            id: format!("override-{}", done.number),
            send_at: self.now,
        };
        match notified {
            Notified::Public => notice.post(touched, |_| vec![self.part()]).await?,
            Notified::Private => {
                let about = |seat| done.seats.contains(&seat).then(|| self.part());
                notice.post_to_each(touched, |seat| about(seat).into_iter().collect()).await?;
            }
        }
        let own = Notice { id: format!("override-{}-own", done.number), ..notice };
        Ok(own.post_to_each(touched, |seat| self.entered(seat).into_iter().collect()).await?)
    }

    /// What a seat alone is told of what counts as its declaration.
    fn entered(&self, seat: Seat) -> Option<Part> {
        let Override::Judge { change, .. } = &self.decision.what else { return None };
        let is_own = matches!(change, Change::Declare { .. } | Change::Return { .. });
        (is_own && change.seat() == Some(seat)).then(|| Part::Entered { change: change.clone() })
    }

    /// Tells it those who sat at the table and do not any more.
    async fn dismiss(
        &self,
        touched: &mut Touched<'_>,
        before: &[SeatRow],
        done: &Done,
    ) -> Result<(), NotDone> {
        let after = touched.seats().await?;
        let stays = |row: &&SeatRow| after.iter().any(|other| other.person == row.person);
        let gone: Vec<Seat> = before.iter().filter(|row| !stays(row)).map(|row| row.seat).collect();
        let notice = Notice {
            seats: before,
            zone: pace(&touched.table)?.zone,
            contest: None,
            id: format!("override-{}-gone", done.number),
            send_at: self.now,
        };
        let told = |seat| gone.contains(&seat).then(|| self.part()).into_iter().collect();
        Ok(notice.post_to_each(touched, told).await?)
    }

    async fn carry_out(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        use Override as O;
        match &self.decision.what {
            O::Extend { closes } => self.extend(touched, *closes).await,
            O::Close => self.close(touched).await,
            O::Pause { until } => self.pause(touched, *until).await,
            O::Resume => self.resume(touched).await,
            O::Void => self.void(touched).await,
            O::Hold => self.hold(touched).await,
            O::Publish => self.publish(touched).await,
            O::Judge { window, change } => self.judge(touched, *window, change).await,
            O::Edit { said } => self.edit(touched, said).await,
            O::Rule { .. } | O::Say { .. } => Ok(Done::default().with(Remark::Posted)),
            O::Replace { seat } => self.replace(touched, *seat).await,
            O::House { seat, policy } => self.house(touched, *seat, policy).await,
            O::Swap { a, b } => self.swap(touched, *a, *b).await,
            O::Call { seat } => self.call(touched, *seat).await,
            O::Recall { seat } => self.recall(touched, *seat).await,
            O::Invite { seat } => self.invite(touched, *seat).await,
            O::Kick { seat } => self.kick(touched, *seat).await,
            O::Rollback { number, .. } => self.roll_back(touched, *number).await,
            O::End => self.end(touched, Early::Ended).await,
            O::Cancel => self.end(touched, Early::Cancelled).await,
            O::Open => self.open(touched).await,
            O::Undo { number } => self.undo(touched, *number).await,
        }
    }
}
