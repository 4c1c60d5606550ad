//! Input before a window opens: standing orders for all windows, and declarations for the next window of a
//! kind.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use strum::EnumCount;

use crate::model::{Desk, Result, Stored, in_play, refuse_if, stage_shown};
use crate::record::{Notice, Part};
use crate::view::see::{Sight, see};
use crate::window::declare::orders_of;
use games::any::AnyContest;
use letters::{DeclarationRefused, Refused};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::fold;
use rules::{Declaration, Interview, Seat, tidy};
use store::{
    NextDeclarationRow, OrdersRow, SeatRow, Session, SideLine, Touched, absences, people,
    said_ahead,
};
use tables::vocabulary::{WordForms, all_said};
use tables::{AccountId, HoldReason, PersonId, Stage, TableCode, Time, WindowNumber};

const FILE: &str = "data/desk/orders.toml";
const TEXT: &str = include_str!("../../../data/desk/orders.toml");

/// The words of standing orders, apart from the orders themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub enum OrdersWord {
    /// All orders are taken back.
    None,
    /// Everything without an order passes.
    Pass,
    /// The named part is used.
    Use,
    /// The current declaration always counts.
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

static WORDS: BuiltIn<OrdersWordFile> = BuiltIn::new(OrdersWordFile::parse);

/// Every form of every word, folded.
static FORMS: LazyLock<Vec<(OrdersWord, String)>> = LazyLock::new(|| {
    let forms =
        WORDS.word.iter().flat_map(|(word, forms)| forms.all().map(|form| (*word, fold(form))));
    forms.collect()
});

/// The length in bytes above which no text can be a word, however it is written.
static TOO_LONG: LazyLock<usize> =
    LazyLock::new(|| 3 * FORMS.iter().map(|(_, form)| form.len()).max().unwrap_or_default());

impl OrdersWord {
    /// Returns the word that the text is, in any language; `None` if the text orders something.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.len() > *TOO_LONG {
            return None;
        }
        let text = fold(text);
        FORMS.iter().find(|(_, form)| *form == text).map(|(word, _)| *word)
    }

    /// Returns the orders before the words that pass everything else: `GRENADE、ほかは通す`; `None` without these
    /// words.
    pub fn before_pass(text: &str) -> Option<&str> {
        if Self::read(text) == Some(Self::Pass) {
            return Some("");
        }
        let is_gap = |c: char| matches!(c, '、' | ',' | '，' | ';' | '；' | '。' | '\n');
        let (before, last) = text.trim().rsplit_once(is_gap)?;
        (Self::read(last) == Some(Self::Pass)).then_some(before)
    }

    /// Returns the part whose orders the text takes back: `If struck: none`, `取り下げ 5`; `None` for other
    /// texts.
    pub fn taken_back(text: &str) -> Option<&str> {
        let first = || {
            let (word, part) = text.trim().split_once(is_gap)?;
            (Self::read(word) == Some(Self::None)).then_some(part)
        };
        let part = Self::None.behind(text).or_else(first)?;
        Some(part.trim().trim_end_matches(is_gap)).filter(|part| !part.is_empty())
    }

    /// Returns the part that the text lets pass: `GRENADE pass`; `None` for other texts.
    pub fn passed(text: &str) -> Option<&str> {
        Self::Pass.behind(text)
    }

    /// Returns the part that the text orders to use without details: `GRENADE use`, or without the word.
    pub fn used(text: &str) -> &str {
        Self::Use.behind(text).unwrap_or(text)
    }

    /// Returns the text before this word, if the text ends with the word.
    fn behind(self, text: &str) -> Option<&str> {
        let text = text.trim();
        let mut gaps = text.match_indices(is_gap);
        let (at, _) = gaps.find(|(at, gap)| Self::read(&text[at + gap.len()..]) == Some(self))?;
        Some(text[..at].trim_end_matches(is_gap)).filter(|part| !part.is_empty())
    }

    /// Returns the faults in the data file of the words.
    pub fn check() -> Vec<DataFault> {
        WORDS.fault().into_iter().collect()
    }
}

/// True for a character between a part and its order.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | '\u{ff1a}')
}

/// The standing orders for a seat.
#[derive(Clone, Debug)]
pub struct StandingOrders {
    pub seat: Seat,
    /// The orders, valid from the next window on.
    pub orders: Declaration,
    /// The parsed orders, and the possible orders at this table.
    pub interview: Interview,
}

/// Returns the standing orders for the seat of an account, or the seat that it stands in for.
/// Refused without such a seat, or if the contest takes no orders.
pub async fn orders(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<StandingOrders> {
    let sight = see(desk, code, account, now).await?;
    let (seat, contest) = ground(&sight)?;
    let mut db = desk.store.read().await?;
    let orders = latest(&mut db, &sight, account, seat).await?;
    Ok(StandingOrders { seat, interview: contest.ordering(seat, &orders), orders })
}

/// Replaces the standing orders of an account, from the next window on: an open window keeps its orders.
/// Empty orders take them back.
/// Refused as by [`orders`], or if an order is faulty.
pub async fn give_orders(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    orders: &Declaration,
    now: Time,
) -> Result<StandingOrders> {
    let sight = see(desk, code, account, now).await?;
    let (seat, contest) = ground(&sight)?;
    let mut orders = orders.clone();
    let interview = tidy(&mut orders, &|draft| contest.ordering(seat, draft));
    refuse_if(!interview.faults.is_empty(), DeclarationRefused::Faulty)?;
    let about = (account.to_owned(), seat, orders.clone());
    let given = desk.at_table(&sight.code, now, about, |(account, seat, answers), tx| {
        Box::pin(async move {
            refuse_if(stage_shown(tx).await? == Stage::Over, Refused::Over)?;
            let person = declares_for(tx, account, *seat).await?;
            let row = OrdersRow { seat: *seat, person, answers: answers.clone() };
            let since = tx.table.next_window();
            Ok(said_ahead::keep_orders(tx, &row, since).await?)
        })
    });
    given.await?;
    Ok(StandingOrders { seat, orders, interview })
}

/// Returns the seat for which the viewer can give orders, and its contest.
fn ground(sight: &Sight) -> Result<(Seat, &dyn AnyContest), Refused> {
    let seat = sight.seated()?;
    in_play(sight.stage)?;
    let contest = &*sight.playing()?.contest;
    let can = !contest.ordering(seat, &Declaration::default()).asked.is_empty();
    can.then_some((seat, contest)).ok_or(DeclarationRefused::NoOrders.into())
}

/// Returns the latest standing orders of an account for a seat.
async fn latest(
    db: &mut Session,
    sight: &Sight,
    account: &AccountId,
    seat: Seat,
) -> Stored<Declaration> {
    let Some(person) = people::person(db, account).await? else {
        return Ok(Declaration::default());
    };
    let rows = said_ahead::orders(db, &sight.code, WindowNumber::new(u32::MAX)).await?;
    Ok(orders_of(&rows, seat, &person))
}

/// Returns the person of an account that declares for a seat, as its player or as a stand-in.
/// Refused for other accounts.
async fn declares_for(tx: &mut Touched<'_>, account: &AccountId, seat: Seat) -> Result<PersonId> {
    if tx.table.held.as_ref().is_some_and(HoldReason::is_lock) {
        return Err(DeclarationRefused::LockedNow.into());
    }
    let person = people::person(tx.db, account).await?.ok_or(Refused::NotSeated)?;
    let sits = |row: &SeatRow| row.seat == seat && row.is_of(Some(&person));
    let is_theirs = tx.seats().await?.iter().any(sits)
        || absences::stood_in_by(tx.db, &tx.table.code, account, tx.now).await? == Some(seat);
    if is_theirs { Ok(person) } else { Err(Refused::NotSeated.into()) }
}

/// Stores a declaration for the next window of the open window's kind, in place of the former one. The
/// declaration becomes a draft as that window opens. An empty declaration withdraws it.
/// Refused as by [`Sight::next_kind`], and while no window is open.
pub async fn declare_next(
    desk: &Desk,
    sight: &Sight,
    account: &AccountId,
    declaration: &Declaration,
    now: Time,
) -> Result<()> {
    let kind = sight.next_kind()?;
    let (play, seat) = sight.seated_in_play()?;
    let about = (account.to_owned(), play.number, declaration.clone());
    desk.at_table(
        &sight.code,
        now,
        (about, seat, kind),
        |((account, number, answers), seat, kind), tx| {
            Box::pin(async move {
                refuse_if(tx.table.open_window != Some(*number), Refused::NotYet)?;
                let person = declares_for(tx, account, *seat).await?;
                let row = NextDeclarationRow {
                    seat: *seat,
                    person,
                    kind: *kind,
                    answers: answers.clone(),
                };
                if answers.is_empty() {
                    said_ahead::withdraw_next_declaration(tx, &row).await?;
                } else {
                    said_ahead::keep_next_declaration(tx, &row).await?;
                }
                Ok(())
            })
        },
    )
    .await
}

/// The longest line, in characters.
const LONGEST: usize = 500;

/// Stores a line to the viewer's side, and notifies the partners. No letter contains the line.
/// Refused without partners, outside a game, or if the line is too long.
pub async fn write_to_side(
    desk: &Desk,
    sight: &Sight,
    account: &AccountId,
    words: &str,
    now: Time,
) -> Result<()> {
    let (play, seat) = sight.seated_in_game()?;
    let partners = play.partners.clone();
    let side = play.contest.sides()[seat].filter(|_| !partners.is_empty());
    let side = side.ok_or(DeclarationRefused::NoSide)?;
    refuse_if(words.chars().count() > LONGEST, DeclarationRefused::LineTooLong)?;
    let line = SideLine { seat, at: now, words: words.to_owned() };
    let about = (account.to_owned(), side, partners, line);
    desk.at_table(&sight.code, now, about, |(account, side, partners, line), tx| {
        Box::pin(async move {
            refuse_if(stage_shown(tx).await? == Stage::Over, Refused::Over)?;
            let person = declares_for(tx, account, line.seat).await?;
            let number = said_ahead::write_to_side(tx, *side, &person, line).await?;
            let seats = tx.seats().await?;
            let notice = Notice::of(&seats, format!("side-{number}-{}", tx.now), tx.now);
            let written = |seat: Seat| {
                let is_told = partners.contains(&seat);
                is_told.then_some(Part::SideLine { by: line.seat }).into_iter().collect()
            };
            Ok(notice.post_to_each(tx, &written).await?)
        })
    })
    .await
}
