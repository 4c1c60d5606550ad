//! Hidden cards do not affect what others are shown or asked.
//!
//! A twin is a table with other cards in one seat's hand and in the decks. The open window looks the same at
//! both.

use std::cell::Cell;

use games::any::{AnyContest, Told};
use games::find;
use letters::panel::{
    self, Modal, Panel, PanelDrawing, PanelSubject, PressOutcome, Revision, View,
};
use letters::{Letters, PictureRoom, PictureText, Reader, Widths};
use rules::contest::Held;
use rules::dice::Stream;
use rules::playout;
use rules::text::{Lang, Words};
use rules::{BySeat, Contest, Declaration, Saved, Seat, Viewer};
use tables::ids::WindowNumber;

use crate::laws::lawful::{
    Lawful, another, are_partners, below, chance, dice, games, play, random, spoil,
};

/// Returns the open window at a twin. Its questions do not depend on the window's number.
fn twin<G: Lawful>(contest: &Contest<G>, of: Seat, chance: &mut Stream) -> Contest<G> {
    Contest::at(G::twin(contest.state(), of, chance), dice(0))
}

/// Asserts that a viewer is shown the same of both windows, and is asked the same in them.
fn assert_same_to<G: Lawful>(here: &Contest<G>, there: &Contest<G>, viewer: Viewer) {
    let seen = |contest: &Contest<G>| G::seen_by(contest.state(), viewer);
    assert_eq!(seen(here), seen(there), "{viewer:?}");
    assert_eq!(here.asked(), there.asked(), "{viewer:?}");
    if let Viewer::Seat(seat) = viewer {
        let nothing = Declaration::default();
        assert_eq!(here.interview(seat, &nothing), there.interview(seat, &nothing), "{seat}");
        assert_eq!(here.acting(seat, &nothing), there.acting(seat, &nothing), "{seat}");
        assert_eq!(here.ordering(seat, &nothing), there.ordering(seat, &nothing), "{seat}");
    }
}

pub(crate) fn nothing_of_an_open_window_depends_on_anothers_cards<G: Lawful>() {
    let pairs = Cell::new(0);
    let differ = |here: &Contest<G>, there: &Contest<G>| {
        pairs.set(pairs.get() + u32::from(here.state() != there.state()));
    };
    for game in games::<G>(G::PAIRED_SHARE) {
        let count = G::table(game).1;
        let (mut chance, mut opening) = (chance(game, "twin"), chance(game, "opening"));
        play::<G>(
            game,
            |contest, seat, declaration| {
                // Suspended windows are covered by the next law.
                if contest.is_suspended() {
                    return Some(declaration);
                }
                let of = another(seat, count, &mut chance);
                // Partners share what they hide from others.
                if are_partners::<G>(contest.state(), seat, of) {
                    return Some(declaration);
                }
                let there = twin(contest, of, &mut chance);
                differ(contest, &there);
                for viewer in [Viewer::Seat(seat), Viewer::Public] {
                    assert_same_to(contest, &there, viewer);
                }
                for said in [spoil::<G>(&declaration, &mut chance), declaration.clone()] {
                    let found = [contest, &there].map(|table| table.interview(seat, &said));
                    assert_eq!(found[0], found[1], "game {game}");
                }
                Some(declaration)
            },
            |contest, _| {
                let is_open = !contest.is_suspended() && contest.standing().is_none();
                // Not all windows with immediate acts are checked.
                if !is_open || contest.acts_done() > 0 && opening.below(4) > 0 {
                    return;
                }
                let of = Seat::new(below(&mut opening, count));
                let there = twin(contest, of, &mut opening);
                differ(contest, &there);
                let is_other =
                    |seat: &Seat| *seat != of && !are_partners::<G>(contest.state(), *seat, of);
                let others = Seat::all(count).filter(is_other).map(Viewer::Seat);
                for viewer in others.chain([Viewer::Public]) {
                    assert_same_to(contest, &there, viewer);
                }
                assert_eq!(contest.common_answers(), there.common_answers(), "game {game}");
                assert_eq!(contest.common_acts(), there.common_acts(), "game {game}");
            },
        );
    }
    assert!(pairs.get() >= G::PAIRS, "{} pairs of worlds", pairs.get());
}

type Declared = BySeat<Option<Declaration>>;

/// A root window since its opening.
struct Root<G: Lawful> {
    /// The contest before its first close.
    opening: Contest<G>,
    /// The declarations in the root window and in its suspended windows.
    declared: Vec<Declared>,
    /// The result of each close, and the contest after it.
    told: Vec<(Told, Contest<G>)>,
}

impl<G: Lawful> Root<G> {
    fn new(opening: Contest<G>) -> Self {
        Self { opening, declared: Vec::new(), told: Vec::new() }
    }

    /// Returns the root of the deal, for which nothing is declared.
    fn of_the_deal(game: u32) -> Self {
        let (options, seats) = G::table(game);
        let saved = Contest::<G>::at(G::bare(&options, seats), dice(game)).save();
        // A bare table is saved as the first window.
        let said = saved.said.replacen(r#""window":1"#, r#""window":0"#, 1);
        Self::new(Contest::load(&Saved { said, ..saved }, dice(game)).unwrap())
    }

    fn close(&mut self, contest: &mut Contest<G>, declared: Declared) -> Result<(), Held> {
        let told = AnyContest::close(contest, declared.clone())?;
        self.told.push((told, contest.clone()));
        self.declared.push(declared);
        Ok(())
    }

    /// Resolves the same declarations over another state; `None` if an earlier letter would differ.
    fn over(&self, state: &G::State, game: u32) -> Option<(Contest<G>, Self)> {
        let root = serde_json::to_string(state).unwrap();
        let saved = Saved { root, ..self.opening.save() };
        let mut contest = Contest::load(&saved, dice(game)).unwrap();
        let mut there = Self::new(contest.clone());
        for declared in &self.declared {
            match there.close(&mut contest, declared.clone()) {
                Ok(()) if contest.is_suspended() => {}
                Ok(()) => break,
                Err(Held::Differs { .. }) => return None,
                Err(held) => panic!("{held}"),
            }
        }
        Some((contest, there))
    }

    /// True if a viewer knew the same of both openings, and was shown the same since.
    fn is_same_to(&self, other: &Self, viewer: Viewer) -> bool {
        let told = |root: &Self| {
            let told = root.told.iter();
            told.map(|(told, by_then)| by_then.seen(&told.entries, viewer)).collect::<Vec<_>>()
        };
        let seen = |root: &Self| G::seen_by(root.opening.state(), viewer);
        seen(self) == seen(other) && told(self) == told(other)
    }
}

/// The number of twins tried for each suspended window.
const TWINS: u32 = 4;

/// Plays a game and calls `meet` for each suspended window with each twin, and each viewer who has seen the
/// same in both. A twin is another state of the root window with the same declarations.
fn meet_suspended<G: Lawful>(
    game: u32,
    mut meet: impl FnMut(&Contest<G>, &Contest<G>, Viewer, &mut Stream),
) {
    let count = G::table(game).1;
    let (mut chance, mut policies) = (chance(game, "twin"), random::<G>(game));
    let mut root = Root::<G>::of_the_deal(game);
    let mut contest = root.opening.clone();
    root.close(&mut contest, BySeat::new(count, |_| None)).unwrap();
    while contest.standing().is_none() {
        if contest.is_suspended() {
            assert!(G::SUSPENDS, "game {game}");
            let state: G::State = serde_json::from_str(&root.opening.save().root).unwrap();
            for _ in 0..TWINS {
                let of = Seat::new(below(&mut chance, count));
                let twin = G::twin(&state, of, &mut chance);
                let Some((there, other)) = root.over(&twin, game) else { continue };
                for viewer in Seat::all(count).map(Viewer::Seat).chain([Viewer::Public]) {
                    if root.is_same_to(&other, viewer) {
                        meet(&contest, &there, viewer, &mut chance);
                    }
                }
            }
        } else {
            contest.act_all(&mut policies, |_, _| {});
            root = Root::new(contest.clone());
        }
        let declared = playout::declarations(&contest, &mut policies);
        root.close(&mut contest, declared).unwrap();
    }
}

pub(crate) fn nothing_of_a_suspended_window_depends_on_anothers_cards<G: Lawful>() {
    let mut exchanged = 0;
    for game in games::<G>(32) {
        let mut policies = random::<G>(game);
        meet_suspended::<G>(game, |here, there, viewer, chance| {
            assert_same_to(here, there, viewer);
            if let Viewer::Seat(seat) = viewer {
                let declaration = playout::declare(here, seat, &mut *policies[seat.index()]);
                for said in [spoil::<G>(&declaration, chance), declaration] {
                    let found = [here, there].map(|table| table.interview(seat, &said));
                    assert_eq!(found[0], found[1], "game {game}");
                }
            }
            exchanged += u32::from(here.state() != there.state());
        });
    }
    assert!(exchanged > 200 || !G::SUSPENDS, "{exchanged} twins were met");
}

/// The mean number of windows of a game that are checked as pictures; a shorter game is checked whole.
const LOOKS: u32 = 13;

/// True if the picture of this window is checked.
fn is_looked_at<G: Lawful>(game: u32, chance: &mut Stream) -> bool {
    chance.below(G::most_windows(&G::table(game).0)) < LOOKS
}

/// Returns every page of a draft's panel, its modals, and its revision.
fn pages<G: Lawful>(
    letters: &Letters,
    contest: &Contest<G>,
    seat: Seat,
    draft: &Declaration,
    lang: Lang,
) -> (Revision, Vec<Panel>, Vec<Modal>) {
    let game = find(G::KEY).unwrap();
    let form: rules::Forms<'_> = &|said: &Declaration| contest.interview(seat, said);
    let reader = Reader::new(game, lang);
    let words =
        Words::new(game.lexicon(), &BySeat::new(AnyContest::seats(contest), |_| Vec::new()));
    let (mut panels, mut modals) = (Vec::new(), Vec::new());
    let mut views = vec![View::default()];
    while let Some(view) = views.pop() {
        let drawing = PanelDrawing {
            letters,
            reader: &reader,
            form,
            draft,
            before: None,
            view: &view,
            unread: &[],
            subject: PanelSubject::Declaration,
        };
        let drawn = panel::draw(&drawing).unwrap();
        let first = panels.is_empty();
        for action in drawn.actions() {
            match panel::take(action, form, draft, None).unwrap() {
                PressOutcome::Kept(kept) if first && kept.draft == *draft => views.push(kept.view),
                PressOutcome::Opens(blank) => {
                    modals.push(panel::modal(&drawing, &words, blank).unwrap());
                }
                PressOutcome::Kept(_) | PressOutcome::SaysAgain(_) | PressOutcome::Seals(_) => {}
            }
        }
        panels.push(drawn);
    }
    (Revision::of(WindowNumber::new(1), draft), panels, modals)
}

pub(crate) fn no_panel_depends_on_anothers_cards<G: Lawful>() {
    let letters = Letters::built_in();
    let (mut drawn, mut suspended) = (0, 0);
    for game in games::<G>(500) {
        let mut chance = chance(game, "panel");
        let lang = Lang::ALL[game as usize % 2];
        let count = G::table(game).1;
        let assert_same = |[here, there]: [&Contest<G>; 2], seat, said: &Declaration| {
            let of = |contest| pages(&letters, contest, seat, said, lang);
            assert_eq!(of(here), of(there), "game {game}");
        };
        play::<G>(
            game,
            |contest, seat, declaration| {
                if contest.is_suspended()
                    || !is_looked_at::<G>(game, &mut chance)
                    || below(&mut chance, 12) > 0
                {
                    return Some(declaration);
                }
                let of = another(seat, count, &mut chance);
                if are_partners::<G>(contest.state(), seat, of) {
                    return Some(declaration);
                }
                let there = twin(contest, of, &mut chance);
                for said in [Declaration::default(), spoil::<G>(&declaration, &mut chance)] {
                    assert_same([contest, &there], seat, &said);
                    drawn += 1;
                }
                Some(declaration)
            },
            |_, _| {},
        );
        let mut policies = random::<G>(game);
        meet_suspended::<G>(game, |here, there, viewer, chance| {
            let Viewer::Seat(seat) = viewer else { return };
            if here.asked().contains(&seat) {
                let declaration = playout::declare(here, seat, &mut *policies[seat.index()]);
                for said in [Declaration::default(), spoil::<G>(&declaration, chance)] {
                    assert_same([here, there], seat, &said);
                    suspended += 1;
                }
            }
        });
    }
    assert!(drawn >= 10, "{drawn}");
    assert!(suspended > 10 || !G::SUSPENDS, "{suspended}");
}

pub(crate) fn a_picture_of_the_table_depends_on_no_hidden_card<G: Lawful>() {
    let letters = Letters::built_in();
    let reader = Reader::new(find(G::KEY).unwrap(), Lang::Ja);
    let drawn = |state: &G::State| {
        let report = G::report(&G::seen_by(state, Viewer::Public));
        let words = letters.write(&reader, &PictureText { report: &report, brief: false }).unwrap();
        (letters.picture(&reader, &report, PictureRoom::Wide, Widths).unwrap(), words)
    };
    let (mut exchanged, mut suspended) = (0, 0);
    for game in games::<G>(500) {
        let mut chance = chance(game, "picture");
        play::<G>(
            game,
            |contest, seat, declaration| {
                // A window that is being resolved has a picture of the state so far.
                if is_looked_at::<G>(game, &mut chance) {
                    let (state, twin) =
                        (contest.state(), G::twin(contest.state(), seat, &mut chance));
                    exchanged += u32::from(*state != twin);
                    assert!(drawn(state) == drawn(&twin), "game {game}");
                }
                Some(declaration)
            },
            |_, _| {},
        );
        meet_suspended::<G>(game, |here, there, viewer, _| {
            if viewer == Viewer::Public && here.state() != there.state() {
                assert!(drawn(here.state()) == drawn(there.state()), "game {game}");
                suspended += 1;
            }
        });
    }
    assert!(exchanged > 10, "cards were exchanged");
    assert!(suspended > 5 || !G::SUSPENDS, "{suspended}");
}
