//! The extra cards, challenges and specialists, and their piles (G4.2).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::pieces::pieces;
use rules::Piece;

pieces! {
    /// A challenge, in the order of its number.
    Challenge {
        /// 抜け道
        QuickAccess => "quick-access",
        /// ノイズセンサー
        NoiseSensors => "noise-sensors",
        /// 動体検知器
        MotionDetector => "motion-detector",
        /// 網膜スキャン
        RetinaScan => "retina-scan",
        /// 緊急逃走
        HastyGetaway => "hasty-getaway",
        /// 換気ダクト
        VentilationShaft => "ventilation-shaft",
        /// レーザートラップ
        LaserTripwires => "laser-tripwires",
        /// 停電
        Blackout => "blackout",
        /// 指紋スキャン
        FingerprintScan => "fingerprint-scan",
        /// 監視カメラ
        SecurityCameras => "security-cameras",
    }
}

pieces! {
    /// A specialist, in the order of its number.
    Specialist {
        /// 情報屋
        Informant => "informant",
        /// 逃がし屋
        GetawayDriver => "getaway-driver",
        /// 投資家
        Investor => "investor",
        /// 黒幕
        Mastermind => "mastermind",
        /// ハッカー
        Hacker => "hacker",
        /// 調整役
        Coordinator => "coordinator",
        /// ジャック
        Jack => "jack",
        /// 数学の天才
        MathWhiz => "math-whiz",
        /// 詐欺師
        ConArtist => "con-artist",
        /// マッスル
        Muscle => "muscle",
    }
}

impl Specialist {
    /// True if the specialist acts right after the deal, without a proposal (G6.11).
    pub fn acts_at_once(self) -> bool {
        matches!(self, Self::Investor | Self::Coordinator | Self::MathWhiz | Self::ConArtist)
    }
}

/// An extra card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Extra {
    Challenge(Challenge),
    Specialist(Specialist),
}

impl Extra {
    /// Every extra card.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let challenges = Challenge::ALL.iter().copied().map(Self::Challenge);
        challenges.chain(Specialist::ALL.iter().copied().map(Self::Specialist))
    }
}

impl Piece for Extra {
    fn id(&self) -> smol_str::SmolStr {
        match self {
            Self::Challenge(card) => card.id(),
            Self::Specialist(card) => card.id(),
        }
    }
}

/// A pile of extra cards, its top first. A card that the viewer may not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Kept<T>", bound(deserialize = "T: Deserialize<'de>"))]
pub struct Pile<T> {
    pub(super) cards: ArrayVec<Option<T>, 10>,
    /// The number of cards, from the top, not drawn since the last shuffle (G4.2.2).
    pub(super) fresh: usize,
    /// True if the pile has been shuffled; until then its order is public.
    pub(super) shuffled: bool,
}

/// A stored pile, before validation.
#[derive(Deserialize)]
struct Kept<T> {
    cards: ArrayVec<Option<T>, 10>,
    fresh: usize,
    shuffled: bool,
}

impl<T> TryFrom<Kept<T>> for Pile<T> {
    type Error = String;

    fn try_from(Kept { cards, fresh, shuffled }: Kept<T>) -> Result<Self, String> {
        if fresh > cards.len() {
            return Err(format!("{fresh} of {} cards have not been drawn", cards.len()));
        }
        Ok(Self { cards, fresh, shuffled })
    }
}

impl<T: Copy + PartialEq> Pile<T> {
    fn sorted(cards: &[T]) -> Self {
        let cards: ArrayVec<_, 10> = cards.iter().copied().map(Some).collect();
        Self { fresh: cards.len(), cards, shuffled: false }
    }

    fn covered(&self) -> Self {
        Self { cards: self.cards.iter().map(|_| None).collect(), ..*self }
    }

    /// The indices of the cards that can be drawn, the top first.
    pub(super) fn drawable(&self, may: impl Fn(T) -> bool) -> ArrayVec<usize, 10> {
        let is_drawable = |index: &usize| self.cards[*index].is_some_and(&may);
        (0..self.fresh).filter(is_drawable).collect()
    }

    pub(super) fn take(&mut self, index: usize) -> Option<T> {
        self.fresh -= usize::from(index < self.fresh);
        self.cards.remove(index)
    }

    pub(super) fn put_under(&mut self, card: T) {
        self.cards.push(Some(card));
    }

    /// Lays a card of the pile on top of it.
    pub(super) fn lay_on_top(&mut self, card: T) {
        if let Some(index) = self.cards.iter().position(|other| *other == Some(card)) {
            let card = self.take(index);
            self.cards.insert(0, card);
            self.fresh += 1;
        }
    }

    /// Takes a card out of the pile, at any position.
    pub(super) fn take_out(&mut self, card: T) {
        if let Some(index) = self.cards.iter().position(|other| *other == Some(card)) {
            self.take(index);
        }
    }
}

/// G4.2: both piles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piles {
    pub challenges: Pile<Challenge>,
    pub specialists: Pile<Specialist>,
}

impl Default for Piles {
    /// G4.2: 1 to 10, with 1 on top.
    fn default() -> Self {
        Self {
            challenges: Pile::sorted(Challenge::ALL),
            specialists: Pile::sorted(Specialist::ALL),
        }
    }
}

impl Piles {
    pub(super) fn covered(&self) -> Self {
        Self { challenges: self.challenges.covered(), specialists: self.specialists.covered() }
    }
}
