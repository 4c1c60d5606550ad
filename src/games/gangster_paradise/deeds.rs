//! Immediate deeds while a window is open: cards that nobody could answer (P3.3), cards that are shown
//! (P2.5), and trades as they are agreed (P3.5, P9.4).

use super::cards::{Card, Category, Life};
use super::edition::EDITION;
use super::hands::{discard, draw, lose, money_of, pick_up, turn_up};
use super::happening::Happening;
use super::reactions::MONEY;
use super::state::{Referee, State, WindowStage, ask_openly as ask};
use super::{looks, offers, victory};
use crate::pieces::pieces;
use rules::ask::Several;
use rules::{Answer, Bar, Declaration, Key, Label, Piece, Play, Seat, Value};
use smol_str::SmolStr;

pieces! {
    /// An immediate deed.
    Deed {
        /// P2.2: 購入
        Buy => "buy",
        /// P2.2: 売却
        Sell => "sell",
        /// P2.2: ワンモアドロー
        DrawMore => "draw-more",
        /// P2.2: シャッフル
        Shuffle => "shuffle",
        /// P3.3: a card that nobody could answer
        Play => "play",
        /// P2.5: BLACK reveals the life
        Reveal => "reveal",
        /// P2.5: shows a card
        Show => "show",
        /// P3.5: proposes a trade
        Propose => "propose",
        /// P3.5: withdraws the proposal
        Withdraw => "withdraw",
        /// P3.5: accepts a proposal
        Accept => "accept",
        /// P3.5: declines a proposal
        Decline => "decline",
        /// P9.4: gives consent
        Consent => "consent",
        /// P9.4: refuses consent
        Refuse => "refuse",
    }
}

impl Deed {
    /// True if a seat can do the deed now.
    fn is_open_to(self, state: &State, seat: Seat) -> bool {
        let player = &state.players[seat];
        let is_turn = is_turn(state, seat);
        let acts = is_turn && state.turn.actions > 0;
        match self {
            Self::Buy => {
                let buys = acts || is_turn && may_buy_free(state, seat);
                buys && state.field.iter().any(|card| is_affordable(state, seat, *card))
            }
            Self::Sell => acts && player.count(|card| card.is_of(Category::Weapon)) > 0,
            Self::DrawMore => acts && !state.deck.is_empty(),
            Self::Shuffle => acts && !state.field.is_empty(),
            Self::Play => is_turn && !playable(state, seat).is_empty(),
            Self::Reveal => {
                player.is_alive() && !player.revealed && player.life() == Some(Life::Black)
            }
            Self::Show => !showable(state, seat).is_empty(),
            Self::Propose => acts && offers::may_propose(state),
            Self::Withdraw => is_turn && !state.turn.proposals.is_empty(),
            Self::Accept => offers::may_accept(state, seat),
            Self::Decline => offers::proposal_to(state, seat).is_some(),
            Self::Consent => offers::may_consent(state, seat),
            Self::Refuse => offers::request_to(state, seat).is_some(),
        }
    }

    /// `None` if the reason is not worth showing; otherwise the reason why the deed is barred.
    fn bar(self, state: &State, seat: Seat) -> Option<Bar<Self>> {
        let bar = |why, clause| Some(Bar { option: self, why, clause });
        let costs =
            matches!(self, Self::Buy | Self::Sell | Self::DrawMore | Self::Shuffle | Self::Propose);
        let is_of_turn = costs || matches!(self, Self::Play | Self::Withdraw);
        let is_own_turn = state.active == seat && state.stage != WindowStage::Opening;
        match self {
            // An announced act stands while it is answered.
            Self::Withdraw if is_own_turn => bar("done-stands", "P6.9"),
            // The own act of this turn is being answered.
            _ if is_of_turn && is_own_turn && !is_turn(state, seat) => None,
            _ if is_of_turn && !is_turn(state, seat) => bar("not-your-turn", "P2.2"),
            _ if costs && state.turn.actions == 0 => bar("no-actions", "P2.1"),
            Self::Propose if state.turn.no_trades => bar("no-trades", "P6.5"),
            Self::Propose => bar("two-proposals", "P3.5"),
            Self::Accept if offers::proposal_to(state, seat).is_some() => {
                bar("too-few-cards", "P3.5")
            }
            Self::DrawMore => bar("no-deck", "P2.4"),
            _ => None,
        }
    }
}

/// True if the declaration answers this question with this piece.
fn says(declaration: &Declaration, name: &'static str, piece: SmolStr) -> bool {
    declaration.get(&Key::new("act", name)).and_then(Answer::value) == Some(&Value::Choice(piece))
}

/// P6.9: `Ok` for a purchase, a sale, and a card that revealed nothing hidden. One more draw and a shuffle
/// touch the deck, and a shown card has been seen; a proposal is withdrawn instead.
pub(super) fn may_take_back(declaration: &Declaration) -> Result<(), Option<&'static str>> {
    let does = |deed: Deed| says(declaration, "do", deed.id());
    let cards = [Card::Gangster, Card::Porno, Card::Drug];
    let is_open =
        || does(Deed::Play) && cards.iter().any(|card| says(declaration, "card", card.id()));
    if does(Deed::Buy) || does(Deed::Sell) || is_open() { Ok(()) } else { Err(Some("P6.9")) }
}

/// P6.9: asks before a deed that cannot be taken back: one that turns up, draws or shows hidden cards, or
/// proposes a trade for nothing.
pub(super) fn at_stake(
    seen: &State,
    _draft: &Declaration,
    declaration: &Declaration,
) -> Option<&'static str> {
    let does = |deed: Deed| says(declaration, "do", deed.id());
    let holder = &seen.players[seen.active];
    let is_known = |card: Card| holder.known.by_all().contains(&card);
    let hidden = || holder.cards().filter(|card| !is_known(*card));
    let shows = || {
        [Deed::Sell, Deed::Play].into_iter().any(does)
            && hidden().any(|card| says(declaration, "card", card.id()))
    };
    let confides = || does(Deed::Play) && says(declaration, "card", Card::TheConfident.id());
    let wants = declaration.get(&Key::new("act", "wants")).and_then(Answer::value);
    let gives_away = does(Deed::Propose) && wants == Some(&Value::Number(0));
    let turns_up = [Deed::DrawMore, Deed::Shuffle, Deed::Reveal, Deed::Show];
    let is_for_good = turns_up.into_iter().any(does) || shows() || confides() || gives_away;
    is_for_good.then_some("secrecy")
}

fn is_turn(state: &State, seat: Seat) -> bool {
    state.stage == WindowStage::Turn && state.active == seat
}

/// The clause that allows deeds now.
fn clause(state: &State, seat: Seat) -> &'static str {
    if is_turn(state, seat) { "P2.2" } else { "P2.5" }
}

pub(super) fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    if matches!(
        state.stage,
        WindowStage::Choice(_) | WindowStage::Settled | WindowStage::Won | WindowStage::Over
    ) {
        return Ok(());
    }
    let (deeds, others): (Vec<Deed>, Vec<Deed>) =
        Deed::ALL.iter().copied().partition(|deed| deed.is_open_to(state, seat));
    let bars: Vec<Bar<Deed>> =
        others.into_iter().filter_map(|deed| deed.bar(state, seat)).collect();
    // A turn without possible deeds is worth showing only to the turn player.
    if deeds.is_empty() && (bars.is_empty() || !is_turn(state, seat)) {
        return Ok(());
    }
    let what = ask("do", clause(state, seat)).or_nothing();
    let Some(deed) = referee.choose_barring(seat, &what, &deeds, &bars)? else { return Ok(()) };
    do_at_once(state, seat, deed, referee)?;
    // P7.4: an immediate deed is an action, too.
    if state.stage == WindowStage::Turn {
        victory::check(state, referee);
    }
    Ok(())
}

fn do_at_once(state: &mut State, seat: Seat, deed: Deed, referee: &mut Referee<'_>) -> Play<()> {
    match deed {
        Deed::Buy => buy(state, seat, referee),
        Deed::Sell => sell(state, seat, referee),
        Deed::DrawMore => {
            draw_more(state, seat, referee);
            Ok(())
        }
        Deed::Shuffle => {
            shuffle(state, seat, referee);
            Ok(())
        }
        Deed::Play => play(state, seat, referee),
        Deed::Reveal => {
            reveal(state, seat, referee);
            Ok(())
        }
        Deed::Show => show(state, seat, referee),
        Deed::Propose => offers::propose(state, seat, referee),
        Deed::Withdraw => offers::withdraw(state, seat, referee),
        Deed::Accept => offers::accept(state, seat, referee),
        Deed::Decline => {
            offers::decline(state, seat, referee);
            Ok(())
        }
        Deed::Consent => offers::consent(state, seat, referee),
        Deed::Refuse => {
            offers::refuse(state, seat, referee);
            Ok(())
        }
    }
}

/// True if THE BILLIONAIRE spares the action of a purchase.
fn may_buy_free(state: &State, seat: Seat) -> bool {
    let player = &state.players[seat];
    player.holds(Card::TheBillionaire) && player.may_use(Card::TheBillionaire)
}

pub(super) fn is_affordable(state: &State, seat: Seat, card: Card) -> bool {
    let money = state.players[seat].count(Card::is_money);
    card.printed().cost.is_some_and(|cost| usize::from(cost) <= money)
}

/// P2.2: pays MONEY CARDS worth the cost to the field, and takes the card into the hand.
fn buy(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut cards = state.field.clone();
    cards.dedup();
    let (can, cannot): (Vec<Card>, Vec<Card>) =
        cards.into_iter().partition(|card| is_affordable(state, seat, *card));
    let bars: Vec<Bar<Card>> = cannot
        .into_iter()
        .map(|option| match option.printed().cost {
            Some(_) => Bar { option, why: "too-dear", clause: "P2.2" },
            None => Bar { option, why: "not-for-sale", clause: "P2.2" },
        })
        .collect();
    let Some(card) = referee.choose_barring(seat, &ask("card", "P2.2"), &can, &bars)? else {
        return Ok(());
    };
    let cost = usize::from(card.printed().cost.unwrap_or(0));
    let fakes = state.players[seat].count(|card| card == Card::FakeMoney);
    let real = state.players[seat].count(|card| card == Card::Money);
    let least = cost.saturating_sub(real);
    let mut fake = least;
    if fakes.min(cost) > least {
        // P9.3: FAKE MONEY after MONEY, unless named.
        let [low, high] = [least, fakes.min(cost)].map(|count| i64::try_from(count).unwrap_or(0));
        let given = referee.number(seat, &ask("fake", "P9.3").or_nothing(), low, high)?;
        fake = given.and_then(|given| usize::try_from(given).ok()).unwrap_or(least);
    }
    let mut is_free = false;
    if may_buy_free(state, seat) {
        let free = ask("free", "P3.1").or_nothing();
        let chosen = referee.choose(seat, &free, &[Card::TheBillionaire])?;
        is_free = chosen.is_some() || state.turn.actions == 0;
    }
    referee.cite("P3.3");
    referee.cite("P9.3");
    if is_free {
        state.players[seat].note_use(Card::TheBillionaire);
        referee.tell(Happening::Reacted { seat, card: Card::TheBillionaire, on: None });
    } else {
        state.turn.actions = state.turn.actions.saturating_sub(1);
    }
    let mut paid = vec![Card::Money; cost.saturating_sub(fake)];
    paid.extend(std::iter::repeat_n(Card::FakeMoney, fake));
    for money in &paid {
        discard(state, seat, *money);
    }
    pick_up(state, seat, card);
    referee.tell(Happening::Bought { seat, card, paid });
    Ok(())
}

/// P2.2: sells a WEAPON for MONEY CARDS of the field.
fn sell(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let is_weapon = |card: &Card| card.is_of(Category::Weapon);
    let mut weapons: Vec<Card> = state.players[seat].cards().filter(is_weapon).collect();
    weapons.dedup();
    let Some(card) = referee.choose(seat, &ask("card", "P2.2"), &weapons)? else { return Ok(()) };
    let cost = card.printed().cost.unwrap_or(0);
    let money: Vec<Card> = state.field.iter().copied().filter(|card| card.is_money()).collect();
    let mut named = Several::new();
    if cost > 0 && MONEY.iter().all(|card| money.contains(card)) {
        let ask = ask("money", "P9.3").or_nothing();
        named = referee.pick(seat, &ask, &money, money.len(), cost.into())?;
    }
    referee.cite("P3.3");
    spend(state);
    looks::sell(state, seat, card, &named, referee);
    Ok(())
}

fn spend(state: &mut State) {
    state.turn.actions = state.turn.actions.saturating_sub(1);
}

/// P2.2: draws one card of the deck, and turns up the next onto the field.
fn draw_more(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("P3.3");
    referee.cite("P7.5");
    spend(state);
    draw(state, seat, referee);
    let cards = turn_up(state, 1);
    referee.tell(Happening::TurnedUp { cards });
}

/// P2.2: mixes the field into the deck, and turns up five cards.
fn shuffle(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("P3.3");
    referee.cite("P2.6");
    spend(state);
    let field = std::mem::take(&mut state.field);
    state.deck.extend(field.into_iter().map(Some));
    referee.shuffle(&Label::table(Key::part("deck")), &mut state.deck);
    let cards = turn_up(state, EDITION.setup.after_shuffle);
    let deck = state.deck.len();
    referee.tell(Happening::Shuffled { seat, cards, deck });
}

/// P2.5: reveals the life, for BLACK only: more actions in the own turn.
fn reveal(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("P2.5");
    let player = &mut state.players[seat];
    player.revealed = true;
    player.known.show(&[Card::BlackLife]);
    if state.stage == WindowStage::Turn && state.active == seat {
        let (less, more) = (EDITION.turn.actions, EDITION.turn.actions_of_black);
        state.turn.actions += more - less;
    }
    referee.tell(Happening::RevealedLife { seat });
}

/// P2.5: the cards that can be shown: not publicly known, and no life.
fn showable(state: &State, seat: Seat) -> Vec<Card> {
    let player = &state.players[seat];
    let count = |cards: &[Card], card: Card| cards.iter().filter(|other| **other == card).count();
    let is_hidden =
        |card: &Card| player.count(|other| other == *card) > count(player.known.by_all(), *card);
    let mut cards: Vec<Card> =
        player.cards().filter(|card| !card.is_life() && is_hidden(card)).collect();
    cards.dedup();
    cards
}

fn show(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let cards = showable(state, seat);
    let Some(card) = referee.choose(seat, &ask("card", "P2.5"), &cards)? else { return Ok(()) };
    state.players[seat].known.show_another(card);
    referee.tell(Happening::Showed { seat, card });
    Ok(())
}

/// The cards that can be used immediately (P3.3, P9.4).
pub(super) fn playable(state: &State, seat: Seat) -> Vec<Card> {
    let player = &state.players[seat];
    let has_money = |is_it: fn(Card) -> bool| state.field.iter().any(|card| is_it(*card));
    let fits = |card: &Card| match card {
        Card::Gangster => has_money(Card::is_money),
        // P1.1: not in the turn in which the card came into the hand.
        Card::Porno => !state.turn.porno_is_new && has_money(|card| card == Card::Money),
        Card::Drug => true,
        Card::TheConfident => player.count(Card::is_boss) > 0,
        Card::Bartender | Card::Cigar => offers::may_request(state, seat, *card),
        _ => false,
    };
    let costs = |card: &Card| card.printed().actions.is_some_and(|cost| cost <= state.turn.actions);
    let usable = player.cards().filter(|card| player.may_use(*card) && costs(card) && fits(card));
    let mut cards: Vec<Card> = usable.collect();
    cards.dedup();
    cards
}

fn play(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let cards = playable(state, seat);
    let Some(card) = referee.choose(seat, &ask("card", "P3.3"), &cards)? else { return Ok(()) };
    let cost = card.printed().actions.unwrap_or(0);
    if matches!(card, Card::Bartender | Card::Cigar) {
        return offers::request(state, seat, card, referee);
    }
    let mut first = None;
    if card == Card::Gangster {
        let mut money: Vec<Card> =
            state.field.iter().copied().filter(|card| card.is_money()).collect();
        money.dedup();
        first = referee.choose(seat, &ask("money", "P3.3").or_nothing(), &money)?;
    }
    let boss = if card == Card::TheConfident { boss_shown(state, seat, referee)? } else { None };
    state.players[seat].note_use(card);
    match card {
        Card::Gangster => {
            discard(state, seat, card);
            let taken = money_of(&state.field, first);
            let cards = taken.into_iter().filter(|card| pick_up(state, seat, *card)).collect();
            referee.tell(Happening::PickedUp { seat, card, cards });
        }
        Card::Porno => {
            let two = [Card::Money; 2].into_iter();
            let cards = two.filter(|card| pick_up(state, seat, *card)).collect();
            referee.tell(Happening::PickedUp { seat, card, cards });
        }
        Card::Drug => {
            lose(state, seat, card);
            state.players[seat].front.push(card);
            // P7.5: the action counts from this turn on.
            state.turn.actions += 1;
            referee.tell(Happening::LaidBefore { seat, card });
        }
        _ => {
            // P6.7: THE CONFIDENT, with a shown BOSS CARD.
            referee.cite("P6.7");
            state.turn.actions += 1;
            referee.tell(Happening::GotAction { seat, card });
            if let Some(card) = boss {
                state.players[seat].known.show(&[card]);
                referee.tell(Happening::Showed { seat, card });
            }
        }
    }
    referee.cite("P1.1");
    referee.cite("P3.3");
    state.turn.actions = state.turn.actions.saturating_sub(cost);
    Ok(())
}

/// The BOSS CARD to show, asked for if the hand has two.
fn boss_shown(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<Option<Card>> {
    let bosses: Vec<Card> = state.players[seat].cards().filter(|card| card.is_boss()).collect();
    match bosses[..] {
        [_, _, ..] => referee.choose(seat, &ask("boss", "P6.7"), &bosses),
        _ => Ok(bosses.first().copied()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gangster_paradise::options::Options;
    use rules::Viewer;

    fn declares(deed: Deed, card: Card) -> Declaration {
        let mut declaration = Declaration::default();
        for (name, id) in [("do", deed.id()), ("card", card.id())] {
            declaration.set(Key::new("act", name), Answer::Given(Value::Choice(id)));
        }
        declaration
    }

    #[test]
    fn only_what_brought_nothing_hidden_to_light_is_taken_back() {
        let taken_back = |deed: &Deed, card| may_take_back(&declares(*deed, card)).is_ok();
        let of_gun = Deed::ALL.iter().filter(|deed| taken_back(deed, Card::Gun));
        assert_eq!(of_gun.collect::<Vec<_>>(), [&Deed::Buy, &Deed::Sell]);
        let played = [
            Card::Gangster,
            Card::Porno,
            Card::Drug,
            Card::TheConfident,
            Card::Bartender,
            Card::Cigar,
        ];
        let stands = played.map(|card| taken_back(&Deed::Play, card));
        assert_eq!(stands, [true, true, true, false, false, false]);
        assert_eq!(may_take_back(&declares(Deed::Shuffle, Card::Gun)), Err(Some("P6.9")));
    }

    #[test]
    fn what_shows_something_hidden_or_turns_cards_up_is_for_good() {
        let is_for_good = |state: &State, act: Declaration| {
            at_stake(state, &Declaration::default(), &act).is_some()
        };
        let mut state = State::bare(&Options::default(), 4);
        state.players[state.active].hand = vec![Some(Card::Gun), Some(Card::Drug)];
        let of = |state: &State, card: Card| -> Vec<&Deed> {
            Deed::ALL.iter().filter(|deed| is_for_good(state, declares(**deed, card))).collect()
        };
        let shown = [&Deed::DrawMore, &Deed::Shuffle, &Deed::Reveal, &Deed::Show];
        let hidden =
            [&Deed::Sell, &Deed::DrawMore, &Deed::Shuffle, &Deed::Play, &Deed::Reveal, &Deed::Show];
        assert_eq!(of(&state, Card::Gun), hidden);
        assert_eq!(of(&state, Card::Drug), hidden);
        assert_eq!(of(&state.seen_by(Viewer::Public), Card::Drug), shown);
        let active = state.active;
        state.players[active].known.show(&[Card::Drug]);
        assert_eq!(of(&state, Card::Drug), shown);
        assert!(is_for_good(&state, declares(Deed::Play, Card::TheConfident)));
    }
}
