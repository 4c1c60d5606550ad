//! What who sits at a table says before a window opens: standing orders, for as long as they like, and
//! what they declare for the next window of a kind.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use strum::EnumCount;

use crate::model::desk::{Desk, NotDone, Request};
use crate::view::see::Sight;
use crate::window::said_ahead::orders_of;
use games::any::AnyContest;
use letters::{DeclarationRefused, Refused};
use rules::data::{DataFault, built_in, parse};
use rules::text::fold;
use rules::{Declaration, Interview, Seat, WindowKind, tidy};
use store::{NextDeclarationRow, OrdersRow, SeatRow, Session, StoreError, Touched};
use tables::ids::{AccountId, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::vocabulary::{WordForms, all_said};
use tables::{HoldReason, Stage};

const FILE: &str = "data/desk/orders.toml";
const TEXT: &str = include_str!("../../../data/desk/orders.toml");

/// What can be said of standing orders beside what is ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub enum OrdersWord {
    /// All of them are taken back.
    None,
    /// What is not ordered is let pass.
    Pass,
    /// What is named is used.
    Use,
    /// What is declared now counts always.
    Always,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OrdersWordFile {
    word: BTreeMap<OrdersWord, WordForms>,
}

impl OrdersWordFile {
    fn parse() -> Result<Self, DataFault> {
        let words: Self = parse(FILE, TEXT)?;
        all_said((FILE, TEXT), "[word]", &words.word)?;
        Ok(words)
    }
}

/// Every form of every word, folded.
static FORMS: LazyLock<Vec<(OrdersWord, String)>> = LazyLock::new(|| {
    let words = built_in(OrdersWordFile::parse()).word;
    let forms = words.iter().flat_map(|(word, forms)| forms.all().map(|form| (*word, fold(form))));
    forms.collect()
});

/// The length in bytes that no word reaches, however it is written.
static TOO_LONG: LazyLock<usize> =
    LazyLock::new(|| 3 * FORMS.iter().map(|(_, form)| form.len()).max().unwrap_or_default());

impl OrdersWord {
    /// The word that a text is, in whichever language; none if it orders something.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > *TOO_LONG {
            return None;
        }
        let text = fold(text);
        FORMS.iter().find(|(_, form)| *form == text).map(|(word, _)| *word)
    }

    /// What a text orders before it says that the rest is let pass: `GRENADE、ほかは通す`; none if it does
    /// not say so.
    pub fn before_pass(text: &str) -> Option<&str> {
        if Self::read(text) == Some(Self::Pass) {
            return Some("");
        }
        let is_gap = |c: char| matches!(c, '、' | ',' | '，' | ';' | '；' | '。' | '\n');
        let (before, last) = text.trim().rsplit_once(is_gap)?;
        (Self::read(last) == Some(Self::Pass)).then_some(before)
    }

    /// The part of which a text takes the orders back: `If struck: none`, `取り下げ 5`; none if it is no
    /// such text.
    pub fn taken_back(text: &str) -> Option<&str> {
        let first = || {
            let (word, part) = text.trim().split_once(is_gap)?;
            (Self::read(word) == Some(Self::None)).then_some(part)
        };
        let part = Self::None.behind(text).or_else(first)?;
        Some(part.trim().trim_end_matches(is_gap)).filter(|part| !part.is_empty())
    }

    /// The part that a text lets pass: `GRENADE pass`; none if it is no such text.
    pub fn passed(text: &str) -> Option<&str> {
        Self::Pass.behind(text)
    }

    /// The part that a text orders to use, of which there is nothing else to say: `GRENADE use`, or
    /// without the word.
    pub fn used(text: &str) -> &str {
        Self::Use.behind(text).unwrap_or(text)
    }

    /// What stands before this word, where a text ends with it.
    fn behind(self, text: &str) -> Option<&str> {
        let text = text.trim();
        let mut gaps = text.match_indices(is_gap);
        let (at, _) = gaps.find(|(at, gap)| Self::read(&text[at + gap.len()..]) == Some(self))?;
        Some(text[..at].trim_end_matches(is_gap)).filter(|part| !part.is_empty())
    }

    /// What is wrong with the words.
    pub fn check() -> Vec<DataFault> {
        OrdersWordFile::parse().err().into_iter().collect()
    }
}

/// What stands between a part and what is ordered of it.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | '\u{ff1a}')
}

/// What somebody has ordered for a seat.
#[derive(Clone, Debug)]
pub struct StandingOrders {
    pub seat: Seat,
    /// What is ordered, from the next window that opens on.
    pub orders: Declaration,
    /// How that reads, and what can be ordered at this table.
    pub interview: Interview,
}

impl Desk {
    /// What somebody has ordered for their seat, or for the one that they stand in for.
    /// Refused if they have none, or nothing can be ordered there.
    pub async fn orders(
        &self,
        code: &TableCode,
        account: &AccountId,
        now: Time,
    ) -> Result<StandingOrders, NotDone> {
        let sight = self.see(code, account, now).await?;
        let (seat, contest) = ground(&sight)?;
        let mut session = self.store.read().await?;
        let orders = latest(&mut session, &sight, account, seat).await?;
        Ok(StandingOrders { seat, interview: contest.ordering(seat, &orders), orders })
    }

    /// Keeps somebody's orders in place of those that were there, from the next window that opens on:
    /// one that is open keeps those that it was opened with. Empty ones take them back.
    /// Refused as by [`Desk::orders`], and where one of them cannot stand.
    pub async fn give_orders(
        &self,
        code: &TableCode,
        account: &AccountId,
        orders: &Declaration,
        now: Time,
    ) -> Result<StandingOrders, NotDone> {
        let sight = self.see(code, account, now).await?;
        let (seat, contest) = ground(&sight)?;
        let mut orders = orders.clone();
        let interview = tidy(&mut orders, &|said| contest.ordering(seat, said));
        if !interview.faults.is_empty() {
            return Err(DeclarationRefused::Faulty.into());
        }
        let (code, account, answers) = (sight.code.clone(), account.to_owned(), orders.clone());
        self.carry_out(GivingOrders { code, account, seat, answers, now }).await?;
        Ok(StandingOrders { seat, orders, interview })
    }
}

/// For which seat somebody can order anything, and at which contest.
fn ground(sight: &Sight) -> Result<(Seat, &dyn AnyContest), Refused> {
    let seat = sight.seated()?;
    match (&sight.play, sight.stage) {
        (_, Stage::Over) => Err(Refused::Over),
        (Some(play), Stage::Playing) => {
            let can = !play.contest.ordering(seat, &Declaration::default()).asked.is_empty();
            can.then_some((seat, &*play.contest)).ok_or(DeclarationRefused::NoOrders.into())
        }
        _ => Err(Refused::NotBegun),
    }
}

/// What somebody has ordered last for a seat.
async fn latest(
    session: &mut Session,
    sight: &Sight,
    account: &AccountId,
    seat: Seat,
) -> Result<Declaration, StoreError> {
    let Some(person) = session.person(account).await? else { return Ok(Declaration::default()) };
    let rows = session.orders(&sight.code, WindowNumber::new(u32::MAX)).await?;
    Ok(orders_of(&rows, seat, &person))
}

struct GivingOrders {
    code: TableCode,
    account: AccountId,
    seat: Seat,
    answers: Declaration,
    now: Time,
}

impl Request for GivingOrders {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if touched.table.stage == Stage::Over {
            return Err(Refused::Over.into());
        }
        let person = declares_for(&mut touched, &self.account, self.seat, self.now).await?;
        let row = OrdersRow { seat: self.seat, person, answers: self.answers.clone() };
        let since = touched.table.next_window();
        Ok(touched.keep_orders(&row, since).await?)
    }
}

/// Who an account is that declares for a seat, as its player or in their stead.
/// Refused if it does not.
pub(crate) async fn declares_for(
    touched: &mut Touched<'_>,
    account: &AccountId,
    seat: Seat,
    now: Time,
) -> Result<PersonId, NotDone> {
    if touched.table.held.as_ref().is_some_and(HoldReason::is_lock) {
        return Err(DeclarationRefused::LockedNow.into());
    }
    let code = touched.table.code.clone();
    let person = touched.session().person(account).await?.ok_or(Refused::NotSeated)?;
    let sits = |row: &SeatRow| row.seat == seat && row.is_of(Some(&person));
    let is_theirs = touched.seats().await?.iter().any(sits)
        || touched.session().stood_in_by(&code, account, now).await? == Some(seat);
    if is_theirs { Ok(person) } else { Err(Refused::NotSeated.into()) }
}

impl Sight {
    /// For which kind of window somebody can declare beforehand: another of the kind that is open.
    /// Refused while nothing is played, where all is done at once, or where no other such window asks
    /// them the same.
    pub fn next_kind(&self) -> Result<WindowKind, Refused> {
        let seat = self.seated()?;
        match (&self.play, self.stage) {
            (_, Stage::Over) => Err(Refused::Over),
            (Some(play), Stage::Playing) if play.contest.is_open_handed() => {
                Err(DeclarationRefused::NothingSealed.into())
            }
            (Some(play), Stage::Playing) => {
                let kind = play.contest.procedure().kind;
                let asks = || play.contest.interview(seat, &Declaration::default()).is_asking();
                let can = !play.contest.is_suspended() && kind != WindowKind::Setup && asks();
                can.then_some(kind).ok_or(DeclarationRefused::NoNext.into())
            }
            _ => Err(Refused::NotBegun),
        }
    }
}

impl Desk {
    /// Keeps what somebody declares for the next window of the kind of the open one, in place of what
    /// was there. It becomes a draft when that opens. An empty one takes it back.
    /// Refused as by [`Sight::next_kind`], and while no window is open.
    pub async fn declare_next(
        &self,
        sight: &Sight,
        account: &AccountId,
        declaration: &Declaration,
        now: Time,
    ) -> Result<(), NotDone> {
        let kind = sight.next_kind()?;
        let (play, seat) = sight.seated_in_play()?;
        let answers = (!declaration.is_empty()).then(|| declaration.clone());
        let (code, account, number) = (sight.code.clone(), account.to_owned(), play.number);
        let declaring = DeclaringNext { code, account, seat, number, kind, answers, now };
        self.carry_out(declaring).await
    }
}

struct DeclaringNext {
    code: TableCode,
    account: AccountId,
    seat: Seat,
    /// The window that was open.
    number: WindowNumber,
    kind: WindowKind,
    /// None takes back what was there.
    answers: Option<Declaration>,
    now: Time,
}

impl Request for DeclaringNext {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if touched.table.open_window != Some(self.number) {
            return Err(Refused::NotYet.into());
        }
        let person = declares_for(&mut touched, &self.account, self.seat, self.now).await?;
        let row = NextDeclarationRow {
            seat: self.seat,
            person,
            kind: self.kind,
            answers: self.answers.clone().unwrap_or_default(),
        };
        match &self.answers {
            Some(_) => touched.keep_next_declaration(&row).await?,
            None => touched.withdraw_next_declaration(&row).await?,
        }
        Ok(())
    }
}
