//! The state of えいつく, and its filter for viewers (E2.5, E2.6).

use std::iter::repeat_n;

use arrayvec::ArrayVec;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::cards::{
    Budget, Budgets, EVENT_DECK, EventCard, Family, HandCard, ROLE_DECK, ROLES, Role, Slot,
};
use super::edition::EDITION;
use crate::switch::Switch;
use rules::{BySeat, Seat, Viewer};

/// えいつく as a game of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Eitsuku;

/// The engine's referee for this game.
pub(super) type Referee<'r> = rules::Referee<'r, Eitsuku>;

/// The host's options for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The visibility of the hands (E2.5).
    pub hands: Hands,
    /// On if a window closes as soon as all players have sealed (E2.3).
    pub early: Switch,
    /// On if a turn without a declaration is skipped (E4.1); if off, all its answers count as left out.
    pub skip: Switch,
}

impl Default for Options {
    fn default() -> Self {
        Self { hands: Hands::Closed, early: Switch::On, skip: Switch::On }
    }
}

/// The visibility of the hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hands {
    /// Only the player sees the hand.
    Closed,
    /// Everybody sees the hands, as on the bulletin board.
    Open,
}

/// A deck, its top at the end. A card that the viewer may not know is `None`.
pub type Deck<T, const N: usize> = ArrayVec<Option<T>, N>;

/// Cards of one kind in a hand, by their position among all cards of the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldCards<const N: usize>
where
    [u8; N]: Default + Serialize + for<'a> Deserialize<'a>,
{
    /// Cards held since before this turn: these can be named.
    pub known: [u8; N],
    /// Cards drawn in this turn: they cannot be named before the next declaration (E2.4).
    pub fresh: [u8; N],
    /// The number of cards face down to this viewer.
    pub down: u8,
}

/// Role cards in a hand.
pub type HeldRoles = HeldCards<ROLES>;
/// Event cards in a hand.
pub type HeldEvents = HeldCards<15>;

impl<const N: usize> HeldCards<N>
where
    [u8; N]: Default + Serialize + for<'a> Deserialize<'a>,
{
    fn empty() -> Self {
        Self { known: <[u8; N]>::default(), fresh: <[u8; N]>::default(), down: 0 }
    }

    /// The number of cards, face down ones included.
    pub fn count(&self) -> u8 {
        self.known.iter().sum::<u8>() + self.fresh.iter().sum::<u8>() + self.down
    }

    /// Draws a card in this turn, face down if its position is `None`.
    pub fn draw(&mut self, index: Option<usize>) {
        match index {
            Some(index) => self.fresh[index] += 1,
            None => self.down += 1,
        }
    }

    /// Removes a card, a nameable one if there is one.
    pub fn take(&mut self, index: usize) {
        let pile = if self.known[index] > 0 { &mut self.known } else { &mut self.fresh };
        pile[index] -= 1;
    }

    /// True if a card was drawn in this turn.
    pub fn has_fresh(&self) -> bool {
        self.fresh.iter().any(|&count| count > 0)
    }

    /// Makes the cards drawn in this turn nameable, at its end.
    pub fn settle(&mut self) {
        for (known, fresh) in self.known.iter_mut().zip(&mut self.fresh) {
            *known += std::mem::take(fresh);
        }
    }

    /// The positions of all visible cards, each repeated by its count.
    fn all(&self) -> impl Iterator<Item = usize> {
        let counts = self.known.iter().zip(&self.fresh).map(|(known, fresh)| known + fresh);
        counts.enumerate().flat_map(|(index, count)| repeat_n(index, usize::from(count)))
    }

    /// The positions of the cards in a pile, each repeated by its count.
    pub fn positions(pile: &[u8; N]) -> impl Iterator<Item = usize> {
        pile.iter().enumerate().flat_map(|(index, &count)| repeat_n(index, usize::from(count)))
    }

    fn covered(&self) -> Self {
        Self { down: self.count(), ..Self::empty() }
    }
}

impl HeldRoles {
    /// The different nameable roles.
    pub fn kinds(&self) -> impl Iterator<Item = Role> {
        Role::all().filter(|role| self.known[role.index()] > 0)
    }

    /// The nameable roles, each repeated by its count.
    pub fn nameable(&self) -> impl Iterator<Item = Role> {
        Self::positions(&self.known).map(Role::from_index)
    }
}

impl HeldEvents {
    /// The different nameable events.
    pub fn kinds(&self) -> impl Iterator<Item = EventCard> {
        EventCard::ALL.iter().copied().filter(|card| self.known[card.index()] > 0)
    }

    /// The nameable events, each repeated by its count.
    pub fn nameable(&self) -> impl Iterator<Item = EventCard> {
        Self::positions(&self.known).map(|index| EventCard::ALL[index])
    }
}

/// A role on the field: a role card, or a promoter that counts as one (E5.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placed {
    /// The printed number, or the one declared for the promoter.
    #[serde(deserialize_with = "printed")]
    pub number: u8,
    /// `None` for a role card; otherwise the seat whose promoter it is.
    pub promoter: Option<Seat>,
}

/// Parses a number that is printed on a role.
fn printed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = u8::deserialize(deserializer)?;
    let is_printed = Role::all().any(|role| role.number == number);
    is_printed.then_some(number).ok_or_else(|| D::Error::custom(format!("no role is a {number}")))
}

impl Placed {
    /// The placed card, in this slot.
    pub fn card(self, slot: Slot) -> HandCard {
        match self.promoter {
            Some(_) => HandCard::Event(EventCard::Promoter),
            None => HandCard::Role(Role { family: slot.family(), number: self.number }),
        }
    }
}

/// An event card on the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Laid {
    pub card: EventCard,
    /// The turn in which it was laid.
    pub turn: u8,
    /// The slot that an award raises (E5.9).
    pub slot: Option<Slot>,
    /// The kind of cards that a network drew, and takes back (E5.12).
    pub kind: Option<Kind>,
    /// Used in this turn: it is destroyed in the end phase.
    pub used: bool,
}

/// The kind of cards that a network draws (E5.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Roles,
    Events,
}

/// A released film (E3.8), with the parts of the score that the release fixes (E3.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Film {
    /// The title; `None` if none was declared, shown as `無題`.
    pub title: Option<String>,
    /// The turn of the release.
    pub turn: u8,
    /// The turn of the release for the score: earlier by each 巻きを入れる (E5.2).
    pub corrected: i16,
    /// E6.1: the sum of the roles.
    pub sum: i16,
    /// E6.2: the best combination.
    pub bonus: i16,
    /// E6.4: tie-ins and promoters.
    pub events: i16,
}

/// One player's score, 0 without a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub seat: Seat,
    /// The rank, from 1; equal scores share it (E6.6).
    pub rank: u8,
    /// True if a film was released (E6.5).
    pub film: bool,
    /// E6.1
    pub a: i16,
    /// E6.2
    pub b: i16,
    /// E6.3
    pub c: i16,
    /// E6.4
    pub d: i16,
    /// E4.7: the points that the game master has added or deducted.
    #[serde(default, skip_serializing_if = "is_untouched")]
    pub adjusted: i16,
    pub total: i16,
}

/// One player's cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Budget cards in the hand.
    pub budgets: Budgets,
    /// Budget cards put on the field in the scout phase (E3.6).
    pub put: Budgets,
    /// Role cards in the hand.
    pub roles: HeldRoles,
    /// Event cards in the hand.
    pub events: HeldEvents,
    /// The slots, in the order of [`Slot::ALL`].
    pub slots: [Option<Placed>; 5],
    /// The events on the field, in the order laid.
    pub laid: ArrayVec<Laid, EVENT_DECK>,
    /// `None` until the film is released.
    pub film: Option<Film>,
    /// The points that the game master has added or deducted (E4.7).
    #[serde(default, skip_serializing_if = "is_untouched")]
    pub adjusted: i16,
}

/// True if the value is the default. Defaults are not written, so old records stay the same.
fn is_untouched<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Player {
    fn new() -> Self {
        Self {
            budgets: Budgets::default(),
            put: Budgets::default(),
            roles: HeldCards::empty(),
            events: HeldCards::empty(),
            slots: [None; 5],
            laid: ArrayVec::new(),
            film: None,
            adjusted: 0,
        }
    }

    /// Takes a card into the hand, nameable immediately.
    pub fn hold(&mut self, card: HandCard) {
        match card {
            HandCard::Role(role) => self.roles.known[role.index()] += 1,
            HandCard::Event(event) => self.events.known[event.index()] += 1,
        }
    }

    /// Removes a card from the hand.
    pub fn let_go(&mut self, card: HandCard) {
        match card {
            HandCard::Role(role) => self.roles.take(role.index()),
            HandCard::Event(event) => self.events.take(event.index()),
        }
    }

    /// The visible role cards in the hand, each repeated by its count.
    pub(super) fn role_cards(&self) -> Vec<Role> {
        self.roles.all().map(Role::from_index).collect()
    }

    /// The visible event cards in the hand, each repeated by its count.
    pub(super) fn event_cards(&self) -> Vec<EventCard> {
        self.events.all().map(|index| EventCard::ALL[index]).collect()
    }

    /// The role in a slot; `None` if empty.
    pub fn slot(&self, slot: Slot) -> Option<Placed> {
        self.slots[slot.index()]
    }

    /// The slots that hold a role.
    pub fn occupied(&self) -> ArrayVec<Slot, 5> {
        Slot::ALL.iter().copied().filter(|slot| self.slot(*slot).is_some()).collect()
    }

    /// The roles on the field, each as the card with its slot's family and its number.
    pub fn on_field(&self) -> ArrayVec<(Slot, Role), 5> {
        let role =
            |slot: Slot, placed: Placed| Role { family: slot.family(), number: placed.number };
        let slots = Slot::ALL.iter().copied();
        slots.filter_map(|slot| Some((slot, role(slot, self.slot(slot)?)))).collect()
    }

    /// The number of copies of an event on the field.
    pub fn count(&self, card: EventCard) -> u8 {
        self.laid.iter().map(|laid| u8::from(laid.card == card)).sum()
    }

    /// The awards' addition to a slot (E5.9).
    pub fn awards(&self, slot: Slot) -> u8 {
        let awards = self.laid.iter().filter(|laid| laid.slot == Some(slot));
        awards.map(|_| EDITION.events.award).sum()
    }

    /// The slots of the roles that awards raise (E5.9).
    pub fn awarded(&self) -> ArrayVec<Slot, 5> {
        self.occupied().into_iter().filter(|slot| self.awards(*slot) > 0).collect()
    }

    /// The number in a slot, awards included (E5.10).
    pub fn number(&self, slot: Slot) -> Option<u8> {
        self.slot(slot).map(|placed| placed.number + self.awards(slot))
    }

    /// Removes the first fitting event from the field.
    pub fn unlay(&mut self, fits: impl Fn(&Laid) -> bool) -> Option<Laid> {
        let index = self.laid.iter().position(fits)?;
        Some(self.laid.remove(index))
    }
}

/// The numbers of cards on top of each deck that somebody knows: a player who put them back (E5.12), or the
/// game master.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// The four role decks, in the order of [`Family::ALL`].
    pub roles: [u8; 4],
    /// The event deck.
    pub events: u8,
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The table's options.
    pub options: Options,
    /// The turn that is played next, from 1.
    pub turn: u8,
    /// The turn order (E1.6).
    pub order: ArrayVec<Seat, 8>,
    /// The budget supply (E1.2).
    pub supply: Budgets,
    /// The four role decks, in the order of [`Family::ALL`].
    pub roles: [Deck<Role, ROLE_DECK>; 4],
    pub events: Deck<EventCard, EVENT_DECK>,
    /// The known cards on top of the decks.
    #[serde(default, skip_serializing_if = "is_untouched")]
    pub known: Known,
    pub players: BySeat<Player>,
    /// True if the game is over (E2.2).
    pub over: bool,
}

impl State {
    /// A state with all cards in decks and supply, hands and fields empty. The second turn is next, so that a
    /// position of the GM's can have cards from the turn before.
    ///
    /// # Panics
    /// If this number of players cannot sit at a table.
    pub fn bare(options: &Options, seats: usize) -> Self {
        let people = u8::try_from(seats).expect("at most six");
        let supply = EDITION.supply;
        Self {
            options: *options,
            turn: 2,
            order: Seat::all(seats).collect(),
            supply: Budgets {
                small: supply.small * people,
                medium: supply.medium * people,
                large: supply.large * people,
            },
            roles: std::array::from_fn(|family| {
                let of_family = Role::all().filter(|role| role.family.index() == family);
                let copies = |role: Role| {
                    let count = EDITION.decks.role_copies[usize::from(role.number) - 1];
                    std::iter::repeat_n(Some(role), usize::from(count))
                };
                of_family.flat_map(copies).collect()
            }),
            events: EventCard::ALL
                .iter()
                .flat_map(|card| {
                    std::iter::repeat_n(Some(*card), usize::from(EDITION.decks.event_copies))
                })
                .collect(),
            known: Known::default(),
            players: BySeat::new(seats, |_| Player::new()),
            over: false,
        }
    }

    /// True if a player is still in the game (E3.9).
    pub fn is_active(&self, seat: Seat) -> bool {
        self.players[seat].film.is_none()
    }

    /// The seats that are asked to declare.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.players.map(|seat, _| self.is_active(seat) && !self.over)
    }

    /// Ends the game in its current state.
    pub(super) fn finish(&mut self) {
        self.over = true;
    }

    /// The active players in turn order.
    pub fn active(&self) -> ArrayVec<Seat, 8> {
        self.order.iter().copied().filter(|seat| self.is_active(*seat)).collect()
    }

    /// The other active players in turn order.
    pub fn rivals(&self, seat: Seat) -> ArrayVec<Seat, 8> {
        self.active().into_iter().filter(|other| *other != seat).collect()
    }

    /// The families whose deck has cards.
    pub fn families(&self) -> ArrayVec<Family, 4> {
        Family::ALL
            .iter()
            .copied()
            .filter(|family| !self.roles[family.index()].is_empty())
            .collect()
    }

    /// E3.5: the cost for this player to place a role.
    pub fn cost(&self, seat: Seat, role: Role) -> u32 {
        u32::from(role.number) + EDITION.set.cost_above_number + self.surcharge(seat)
    }

    /// E5.11: the surcharge of the others' 話題の独占 on the cost of every role.
    pub fn surcharge(&self, seat: Seat) -> u32 {
        let rivals =
            self.players.iter().filter(|(other, rival)| *other != seat && rival.film.is_none());
        let monopolies = rivals.map(|(_, rival)| u32::from(rival.count(EventCard::Monopoly)));
        monopolies.sum::<u32>() * EDITION.events.monopoly_cost
    }

    /// Draws the top role of a family into a hand; `None` if the deck is empty.
    pub fn draw_role(&mut self, seat: Seat, family: Family) -> Option<Option<Role>> {
        let card = self.roles[family.index()].pop()?;
        let known = &mut self.known.roles[family.index()];
        *known = known.saturating_sub(1);
        self.players[seat].roles.draw(card.map(Role::index));
        Some(card)
    }

    /// Draws the top event into a hand; `None` if the deck is empty.
    pub fn draw_event(&mut self, seat: Seat) -> Option<Option<EventCard>> {
        let card = self.events.pop()?;
        self.known.events = self.known.events.saturating_sub(1);
        self.players[seat].events.draw(card.map(EventCard::index));
        Some(card)
    }

    /// Takes one budget card from the supply into a hand.
    pub fn take_budget(&mut self, seat: Seat, budget: Budget) {
        self.supply[budget] -= 1;
        self.players[seat].budgets[budget] += 1;
    }

    /// Marks one copy of an event on the field as used in this turn (E5.4).
    pub fn use_up(&mut self, seat: Seat, card: EventCard) {
        let unused = |laid: &&mut Laid| laid.card == card && !laid.used;
        if let Some(laid) = self.players[seat].laid.iter_mut().find(unused) {
            laid.used = true;
        }
    }

    /// Lays a card from the hand back on top of its deck.
    pub fn put_back(&mut self, seat: Seat, card: HandCard) {
        self.players[seat].let_go(card);
        self.lay_on_top(card);
    }

    /// Lays a card on top of its deck, as a known one.
    pub fn lay_on_top(&mut self, card: HandCard) {
        match card {
            HandCard::Role(role) => {
                self.roles[role.family.index()].push(Some(role));
                self.known.roles[role.family.index()] += 1;
            }
            HandCard::Event(event) => {
                self.events.push(Some(event));
                self.known.events += 1;
            }
        }
    }

    /// Filters the state for a viewer: decks face down, and the hands of others too if hands are closed
    /// (E2.5). Counts are public (E2.6).
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        if viewer == Viewer::All {
            return seen;
        }
        for deck in &mut seen.roles {
            deck.iter_mut().for_each(|card| *card = None);
        }
        seen.events.iter_mut().for_each(|card| *card = None);
        seen.known = Known::default();
        for (seat, player) in seen.players.iter_mut() {
            if self.options.hands == Hands::Closed && viewer != Viewer::Seat(seat) {
                player.roles = player.roles.covered();
                player.events = player.events.covered();
            }
        }
        seen
    }
}
