//! The letters for looking up cards, and rules by chapters, clauses and cards.

use smol_str::SmolStr;

use crate::rulebook::{
    Chapter, chapters_of, clause_in, clause_named, clause_of, in_one_language, laid_out,
};
use crate::template::typed::{letters, sampled, sampled_from};
use crate::{DESK, Letters, Reader, Result};
use games::any::{AnyGame, CardsBefore};
use games::card_texts::CardText;
use games::cards::sets::ReadyMade;
use rules::text::{Lang, fold};
use rules::{Clause, Seat, Value};
use tables::ids::TableCode;

/// The words that request all of the rules.
const WHOLE: [&str; 2] = ["all", "\u{5168}\u{6587}"];

/// The minimum length of a search in names, in characters: shorter texts match too many.
const SHORTEST: usize = 2;

/// A name of a card or a chapter that matches an input, and its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: String,
    pub about: String,
}

/// The requested rules, and the chapters to read next: empty after a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesShown {
    pub text: String,
    pub chapters: Vec<ChapterLink>,
}

/// A chapter of the rules: the word that requests it, and its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterLink {
    pub word: String,
    pub label: String,
}

sampled! {
    /// The fields of a card in a template.
    struct CardView<'a> {
        id: &'a SmolStr,
        clause: &'a Clause,
        /// The kind of the card; empty in a game that has none.
        kind: &'a str,
        text: &'a str,
    }

    /// The fields of a cited clause in a template.
    pub(crate) struct ClauseView {
        pub(crate) text: String,
    }
}

letters! {
    /// Letters for looking up cards and rules.
    LETTERS in DESK;

    /// The fields of the letter about cards.
    #[derive(Default)]
    "card" struct CardsView<'a> {
        /// The input that matches no card, and the most similar name of a card.
        unknown: Option<&'a str>,
        nearest: Option<&'a str>,
        /// The requested card.
        one: Vec<CardView<'a>>,
        /// The requested ready-made deck, and its cards with the number of copies.
        deck: Option<(&'a SmolStr, &'a [(SmolStr, usize)])>,
        held: Vec<CardView<'a>>,
        on_table: Vec<CardView<'a>>,
        /// The part of a name that all listed cards have.
        part: Option<&'a str>,
        /// The cards with the part in their names; all cards of the game, if the reader has none or asks for all.
        listed: Vec<CardView<'a>>,
    }

    /// The fields of the letter about the rules.
    #[derive(Default)]
    "rules" struct RulesView<'a> {
        unknown: Option<&'a str>,
        nearest: Option<&'a str>,
        start: Vec<String>,
        text: Option<String>,
        chapters: Vec<(&'a str, &'a str)>,
        /// A card, as an example of an input.
        card: Option<&'a SmolStr>,
    }

    /// The first lines of a game at a terminal: the table, the players and the aim of the game.
    "first" struct FirstLines<'a> {
        code: &'a str,
        you: Seat,
        house: &'a [Seat],
        options: &'a str,
        aim: String,
    }
}

impl<'a> CardView<'a> {
    fn whole(card: &'a CardText, lang: Lang) -> Self {
        let (kind, text) = (card.kind(lang), card.text(lang));
        Self { id: &card.id, clause: &card.clause, kind, text }
    }

    fn short(card: &'a CardText, lang: Lang) -> Self {
        Self { text: card.short(lang), ..Self::whole(card, lang) }
    }
}

sampled_from! { Clause: [Clause::new("E4.1")]; }

impl Reader {
    /// Returns the clause of a card's effect; `None` for an id that is not a card.
    pub fn clause_of(&self, id: &str) -> Option<&'static Clause> {
        Some(&self.game.cards().of(id)?.clause)
    }

    /// Returns the meaning of a piece, if its name does not say it, or the effect of a card, on one line.
    pub fn about(&self, id: &str) -> Option<&'static str> {
        let short = || Some(self.game.cards().of(id)?.short(self.lang));
        self.words.meaning(id, self.lang).or_else(short)
    }

    /// Returns the effect of each of several offered cards on one line, for the descriptions of menu entries:
    /// `None` for a value that is not a card, and for all if they have the same effect.
    pub fn about_cards(&self, offered: &[&Value]) -> Vec<Option<&'static str>> {
        let about = |value: &&Value| match value {
            Value::Choice(id) => Some(self.game.cards().of(id)?.short(self.lang)),
            _ => None,
        };
        let abouts: Vec<Option<&'static str>> = offered.iter().map(about).collect();
        let alike = abouts.len() > 1 && abouts.windows(2).all(|two| two[0] == two[1]);
        if alike { vec![None; abouts.len()] } else { abouts }
    }
}

/// The words that ask for all there is, in English and Japanese.
const ALL: [&str; 4] = ["all", "more", "\u{5168}\u{90e8}", "\u{3059}\u{3079}\u{3066}"];

/// True if an input asks for all there is.
pub fn asks_for_all(input: &str) -> bool {
    ALL.contains(&fold(input.trim()).as_str())
}

/// Returns the card of this name in a game, or else the only card with a name that begins with this, or else all
/// cards with a name that contains it.
fn cards_meant(game: &dyn AnyGame, input: &str) -> Vec<&'static CardText> {
    if let Some(card) = game.card(input) {
        return vec![card];
    }
    let part = fold(input.trim());
    if part.is_empty() {
        return Vec::new();
    }
    let named = |is_meant: &dyn Fn(&str) -> bool| {
        let is_card = |card: &&CardText| game.lexicon().names(&card.id).any(is_meant);
        game.cards().all().filter(is_card).collect::<Vec<_>>()
    };
    let begun = named(&|name| fold(name).starts_with(&part));
    if begun.len() == 1 { begun } else { named(&|name| fold(name).contains(&part)) }
}

/// Returns the ready-made deck of this name; `None` if the game has none.
fn deck_called(game: &dyn AnyGame, input: &str) -> Option<&'static ReadyMade> {
    let set = game.set()?;
    set.lexicon.called(input).find_map(|id| set.decks.1.iter().find(|deck| deck.id == *id))
}

/// Returns the card name most similar to the input; `None` if none is similar.
fn nearest_card(game: &dyn AnyGame, input: &str, lang: Lang) -> Option<&'static str> {
    let words = game.lexicon();
    let input = fold(input);
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(&input, &fold(name));
    let all =
        game.cards().all().flat_map(|card| words.names(&card.id).map(move |name| (card, name)));
    let near =
        all.map(|(card, name)| (card, likeness(name))).filter(|(_, likeness)| *likeness > 0.5);
    let nearest = near.max_by(|(_, one), (_, other)| one.total_cmp(other));
    nearest.map(|(card, _)| words.name(&card.id, lang))
}

/// Letters about the effects of cards.
impl Letters {
    /// Writes the effect of the card of this name, or the cards of the ready-made deck of this name, or all
    /// cards of the game; or that there is none, with the most similar name.
    pub fn card(&self, reader: &Reader, input: &str) -> Result<String> {
        let (game, lang) = (reader.game, reader.lang);
        if asks_for_all(input) && game.card(input).is_none() {
            return self.cards(reader, &CardsBefore::default());
        }
        let view = match (&cards_meant(game, input)[..], deck_called(game, input)) {
            ([card], _) => {
                CardsView { one: vec![CardView::whole(card, lang)], ..CardsView::default() }
            }
            (_, Some(deck)) => {
                CardsView { deck: Some((&deck.id, &deck.cards)), ..CardsView::default() }
            }
            ([], None) => CardsView {
                unknown: Some(input),
                nearest: nearest_card(game, input, lang),
                ..CardsView::default()
            },
            (cards, None) => {
                let listed = cards.iter().map(|card| CardView::short(card, lang)).collect();
                CardsView { listed, part: Some(input), ..CardsView::default() }
            }
        };
        self.write(reader, &view)
    }

    /// True if a card of the reader's game goes by this name.
    pub fn is_card(&self, reader: &Reader, input: &str) -> bool {
        reader.game.card(input).is_some()
    }

    /// Writes the effects of the cards before a player, in short for those that many cards share. Without any
    /// card, lists all cards of the game.
    pub fn cards(&self, reader: &Reader, before: &CardsBefore) -> Result<String> {
        let (cards, words, lang) = (reader.game.cards(), reader.words, reader.lang);
        let view = |id: &SmolStr| {
            let card = cards.of(id)?;
            let is_listed = cards.listed(words).any(|listed| listed.id == *id);
            Some(if is_listed { CardView::whole(card, lang) } else { CardView::short(card, lang) })
        };
        let held: Vec<_> = before.held.iter().filter_map(view).collect();
        let on_table: Vec<_> = before.on_table.iter().filter_map(view).collect();
        let mut shown = CardsView { held, on_table, ..CardsView::default() };
        if shown.held.is_empty() && shown.on_table.is_empty() {
            let listed = cards.listed(words).map(|card| CardView::short(card, lang));
            shown.listed = listed.collect();
        }
        self.write(reader, &shown)
    }

    /// Returns the cards whose name begins with or contains the input, with their effects.
    pub fn cards_like(&self, reader: &Reader, input: &str) -> Vec<Named> {
        let (words, input) = (reader.words, fold(input));
        let (mut begun, mut within) = (Vec::new(), Vec::new());
        for card in reader.game.cards().all() {
            let named = || Named {
                name: words.name(&card.id, reader.lang).to_owned(),
                about: card.short(reader.lang).to_owned(),
            };
            let all: Vec<String> = words.names(&card.id).map(fold).collect();
            if all.iter().any(|name| name.starts_with(&input)) {
                begun.push(named());
            } else if all.iter().any(|name| name.contains(&input)) {
                within.push(named());
            }
        }
        begun.extend(within);
        begun
    }
}

/// Letters about the rules.
impl Letters {
    /// Writes the rules requested by the input: a chapter, a clause or a card; the quick start for an empty
    /// input.
    pub fn rules(&self, reader: &Reader, input: &str) -> Result<RulesShown> {
        let game = reader.game;
        let (start, chapters) = chapters_of(game.rules(), reader.lang);
        let text = text_for(game, &chapters, input, reader.lang);
        let is_clause = text.as_ref().is_some_and(|text| !text.starts_with('#'));
        let unknown = (text.is_none() && !input.is_empty()).then_some(input);
        let shown = RulesView {
            unknown,
            nearest: unknown.and_then(|input| nearest_card(game, input, reader.lang)),
            start: if input.is_empty() { start } else { Vec::new() },
            text: text.as_deref().map(|text| laid_out(text, reader.lang, reader.plain)),
            chapters: chapters.iter().map(|one| (&*one.word, &*one.name)).collect(),
            card: game.cards().listed(game.lexicon()).map(|card| &card.id).last(),
        };
        let text = self.write(reader, &shown)?;
        let link = |Chapter { word, name, .. }: Chapter| {
            // The brackets at the end of a name are left out of the label.
            let name = name.split(['(', '\u{ff08}']).next().unwrap_or_default().trim_end();
            ChapterLink { label: format!("{word} {name}"), word }
        };
        let chapters = chapters.into_iter().filter(|_| !is_clause).map(link);
        Ok(RulesShown { text, chapters: chapters.collect() })
    }

    /// Writes the first lines of a game at a terminal, for a player at a table with these bot players
    /// and chosen options.
    pub fn first_lines(
        &self,
        reader: &Reader,
        code: &TableCode,
        you: Seat,
        house: &[Seat],
        options: &str,
    ) -> Result<String> {
        let (start, _) = chapters_of(reader.game.rules(), reader.lang);
        let aim = start.into_iter().next().unwrap_or_default();
        self.write(reader, &FirstLines { code: code.as_str(), you, house, options, aim })
    }

    /// Returns the chapters whose name contains the input, and the cards whose name begins with or contains
    /// it.
    pub fn rules_like(&self, reader: &Reader, input: &str) -> Vec<Named> {
        let folded = fold(input);
        let (_, chapters) = chapters_of(reader.game.rules(), reader.lang);
        let like =
            |one: &Chapter| [&one.word, &one.name].iter().any(|of| fold(of).contains(&folded));
        let chapters = chapters.into_iter().filter(like);
        let chapters = chapters.map(|one| Named { name: one.word, about: one.name });
        chapters.chain(self.cards_like(reader, input)).collect()
    }
}

/// Returns the rules requested by the input; `None` for an empty input or without a match.
fn text_for(game: &dyn AnyGame, chapters: &[Chapter], input: &str, lang: Lang) -> Option<String> {
    let (rules, folded) = (game.rules(), fold(input.trim()));
    if folded.is_empty() {
        return None;
    }
    if WHOLE.contains(&&*folded) {
        let whole = in_one_language(rules, lang);
        return whole.find("\n## ").map(|from| whole[from + 1..].to_owned());
    }
    let is_chapter = |(place, one): (usize, &Chapter)| {
        fold(&one.word) == folded || place.to_string() == folded || fold(&one.name) == folded
    };
    let place = chapters.iter().enumerate().position(is_chapter);
    if let Some(place) = place {
        return Some(chapters[place].text.clone());
    }
    let of_card = || clause_of(rules, game.card(input)?.clause.as_str(), lang);
    let is_long = folded.chars().count() >= SHORTEST;
    let within = || chapters.iter().find(|one| is_long && fold(&one.name).contains(&folded));
    let of_chapter = || within().map(|one| one.text.clone());
    let named = || clause_named(rules, input, lang).filter(|_| is_long);
    let of_name = || clause_of(rules, &named()?, lang);
    clause_of(rules, input, lang).or_else(of_card).or_else(of_chapter).or_else(of_name)
}

/// Returns the number and name of each cited clause, once each; readers request the full text.
pub(crate) fn clauses<'a>(
    reader: &Reader,
    cited: impl Iterator<Item = &'a str>,
) -> Vec<ClauseView> {
    let mut numbers: Vec<&str> = Vec::new();
    for number in cited {
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    if numbers.is_empty() {
        return Vec::new();
    }
    let rules = in_one_language(reader.game.rules(), reader.lang);
    let named = |number: &&str| {
        let clause = clause_in(&rules, number)?;
        let head = clause.lines().next().unwrap_or_default();
        Some(ClauseView { text: laid_out(head, reader.lang, reader.plain) })
    };
    numbers.iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::GAMES;

    #[test]
    fn cards_that_are_offered_together_say_what_tells_them_apart() {
        let choice = |id: &str| Value::Choice(id.into());
        let about = |place: usize, ids: &[&str]| {
            let reader = Reader::new(GAMES[place], Lang::En);
            let offered: Vec<Value> = ids.iter().map(|id| choice(id)).collect();
            let abouts = reader.about_cards(&offered.iter().collect::<Vec<_>>());
            abouts.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>()
        };
        let abouts = about(0, &["actor-5", "strike", "P1"]);
        assert!(
            abouts[0].starts_with("Costs 7") && abouts[1].starts_with("Every other"),
            "{abouts:?}"
        );
        assert_eq!(abouts[2], "");
        // The cards of a deck all have the same effect.
        assert_eq!(about(1, &["SA", "H2"]), ["", ""]);
        // The meaning of a letter belongs to its label, but has a column of its own elsewhere.
        assert_eq!(about(0, &["3A", "3B"]), ["", ""]);
        assert_eq!(Reader::new(GAMES[0], Lang::En).about("3A"), Some("draw an event"));
    }
}
