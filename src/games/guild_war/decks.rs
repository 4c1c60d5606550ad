//! W1.2 and W11.1: decks, ready-made ones and those of one's own.

use super::options::{DeckStyle, Options};
use super::set::{Card, Line};
use super::state::{Referee, State};
use crate::cards::deck::{self, MAX_CHARS, WrittenDeck};
use rules::{Ask, Key, ListFault, Play, Reason, Seat, TextForm};

/// Asks for a ready-made deck, and for a deck of one's own to play its line with. Without an answer, a
/// ready-made one by die.
pub(super) fn choose(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let lines: Vec<Line> = state.options.set.lines().collect();
    let ask = Ask::new(Key::new("deck", "line"), "W1.2");
    state.characters[seat].line = referee.choose(seat, &ask, &lines)?;
    if state.options.deck == DeckStyle::Constructed {
        return Ok(());
    }
    let part = Key::part("own-deck");
    referee.part(&part, state, |state, referee| {
        let ask = Ask::new(part.named("cards"), "W1.2").or_nothing();
        let text = referee.text(seat, &ask, MAX_CHARS, TextForm::List)?;
        let Some(text) = text else { return Ok(()) };
        let deck = WrittenDeck::read(&text, state.options.set.lexicon());
        let line = state.characters[seat].line;
        for (reason, clause) in faults(&deck, line, &state.options) {
            let is_note =
                |wrong: &ListFault| matches!(wrong, ListFault::Useless | ListFault::Alone);
            if matches!(&reason, Reason::Listed { wrong, .. } if is_note(wrong)) {
                referee.note_on(&ask, reason, clause);
            } else {
                referee.object_by(&ask, reason, clause);
            }
        }
        referee.stands(&part)?;
        state.characters[seat].own_deck = cards(&deck);
        Ok(())
    })?;
    Ok(())
}

/// The cards of a faultless deck.
fn cards(deck: &WrittenDeck) -> Vec<Card> {
    let copies = deck.rows.iter().filter_map(|row| Some((Card::find(&row.card)?, row.count)));
    copies.flat_map(|(card, count)| std::iter::repeat_n(card, count)).collect()
}

/// Every fault of a deck, and the cards that its line cannot use, each with its clause.
fn faults(
    written: &WrittenDeck,
    line: Option<Line>,
    options: &Options,
) -> Vec<(Reason, &'static str)> {
    let mut faults: Vec<_> = written.faults.iter().map(|fault| (fault.clone(), "W1.2")).collect();
    for (place, row) in written.rows.iter().enumerate() {
        let Some(card) = Card::find(&row.card) else { continue };
        let mut fault = |wrong, clause| faults.push((row.fault(wrong), clause));
        let (limit, count) = (options.copies.get(), written.copies(place));
        if count > limit {
            fault(ListFault::TooMany { limit, count }, "W11.1");
        }
        if card.stats().is_some_and(|stats| stats.level == 1) {
            fault(ListFault::Given, "W3.1");
        } else if line.is_some_and(|line| !card.serves(line)) {
            fault(ListFault::Useless, "W11.6");
        }
    }
    if line.is_none() {
        faults.push((deck::fault(ListFault::Alone), "W3.4"));
    }
    let (sizes, count) = (options.deck.sizes(), written.size());
    if !sizes.contains(&count) {
        let wrong = ListFault::Size { least: *sizes.start(), most: *sizes.end(), count };
        faults.push((deck::fault(wrong), "W1.2"));
    }
    faults
}

/// The cards that a seat plays with: its own deck, or the ready-made one of its line.
pub(super) fn of(options: &Options, line: Line, own: &[Card]) -> Vec<Option<Card>> {
    if own.is_empty() {
        options.ready_made(line).map(Some).collect()
    } else {
        own.iter().copied().map(Some).collect()
    }
}
