//! The check of a game's letters in a random game.

use serde_json::Value as Json;

use crate::checking::check::Check;
use crate::checking::samples;
use crate::template::picture::{PictureRoom, Widths};
use crate::template::reader::Reader;
use crate::write::{
    FinalScores, LinesOfState, OwnHand, PictureText, SidePlan, WholeBoard, WindowOpening,
    WindowResult,
};
use games::any::{AnyContest, AnyGame, RANDOM, Told};
use rules::{BySeat, Clause, Declaration, Dice, Entry, Key, Label, Seat, Viewer};
use tables::ResultForm;

impl Check<'_> {
    /// Plays a whole game at random, and writes the letters of its first windows and its end, and of the
    /// samples at the end.
    pub(super) fn play(
        &mut self,
        game: &dyn AnyGame,
        reader: &Reader,
        samples: &[Vec<Entry<Json>>],
    ) {
        let dice = Dice::new([0; 32], "letters");
        let chance = dice.of_window(0, 0);
        let seats = *game.seats().start();
        let Ok((mut contest, mut record)) = game.open(&Json::Null, seats, dice) else { return };
        for window in 0.. {
            let over = contest.standing().is_some();
            if window == 1 {
                self.moves(game, reader, &*contest);
            }
            if over || window < 3 {
                let samples = if over { samples } else { &[] };
                self.window(reader, &*contest, &record, samples);
            }
            if over {
                return;
            }
            let asked = contest.asked();
            let declared = BySeat::new(seats, |seat| {
                // The first seat declares nothing in the first window, so that its turn is skipped.
                let speaks = asked.contains(&seat) && (window > 0 || seat.index() > 0);
                let label = Label::of(seat, Key::part("letters").nth(window));
                let declare = || contest.declare(seat, RANDOM, chance.stream(&label));
                speaks.then(declare).flatten()
            });
            match contest.close(declared) {
                Ok(next) => record = next,
                // A game that cannot go on is not a fault of the letters.
                Err(_) => return,
            }
        }
    }

    /// Writes the letters of one window for every kind of viewer.
    fn window(
        &mut self,
        reader: &Reader,
        contest: &dyn AnyContest,
        record: &Told,
        samples: &[Vec<Entry<Json>>],
    ) {
        let letters = self.letters;
        let asked = contest.asked();
        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(0)), Viewer::All] {
            let (entries, report) = (contest.seen(&record.entries, viewer), contest.report(viewer));
            for (closes, is_skipped) in
                [(Some(samples::moment()), true), (Some(samples::moment()), false), (None, true)]
            {
                let skips = Clause::new("E4.1");
                let opening = WindowOpening {
                    window: contest.round(),
                    suspended: contest.is_suspended(),
                    asked: &asked,
                    announced: closes.clone(),
                    still: false,
                    closes,
                    early: true,
                    soonest: is_skipped.then(samples::moment),
                    missing: is_skipped.then_some(&skips),
                    position: true,
                    report: &report,
                };
                self.note(letters.write(reader, &opening));
                self.note(letters.write(reader, &WindowOpening { still: true, ..opening.clone() }));
                let suspended = !opening.suspended;
                self.note(
                    letters.write(reader, &WindowOpening { suspended, position: false, ..opening }),
                );
            }
            for entries in samples.iter().chain([&entries]) {
                for form in [ResultForm::Short, ResultForm::Full] {
                    self.note(letters.result(reader, entries, &report, form));
                }
            }
            self.entries(reader, contest, &entries);
            self.note(letters.log(reader, &[]));
            self.note(letters.write(reader, &LinesOfState { report: &report }));
            for room in [PictureRoom::Wide, PictureRoom::Narrow] {
                self.note(letters.picture(reader, &report, room, Widths));
            }
            self.note(letters.window(reader, &report, contest.is_suspended(), None));
            self.note(letters.window(reader, &report, contest.is_suspended(), Some(&report)));
            for brief in [true, false] {
                self.note(letters.write(reader, &PictureText { report: &report, brief }));
            }
            if contest.standing().is_some() {
                self.note(letters.write(reader, &FinalScores { report: &report }));
                self.note(letters.score_table(reader, &report));
            }
        }
        for entries in samples {
            self.entries(reader, contest, entries);
        }
        let chance = Dice::new([0; 32], "letters").of_window(1, 0);
        let declared = asked.iter().filter_map(|of| {
            let label = Label::of(*of, Key::part("plan"));
            Some((*of, contest.declare(*of, RANDOM, chance.stream(&label))?))
        });
        let declared: Vec<(Seat, Declaration)> = declared.collect();
        let drafts: Vec<(Seat, &Declaration)> =
            declared.iter().map(|(of, declared)| (*of, declared)).collect();
        for seat in Seat::all(contest.seats()) {
            let report = contest.report(Viewer::Seat(seat));
            self.note(letters.write(reader, &OwnHand { seat, report: &report }));
            self.note(letters.write(reader, &WholeBoard { report: &report, brief: false }));
            let plan = contest.planned(seat, &drafts);
            self.note(letters.write(reader, &SidePlan { report: &plan.unwrap_or(report) }));
            if asked.contains(&seat) {
                let interview = contest.interview(seat, &Declaration::default());
                self.note(letters.questions(reader, &interview));
            }
        }
    }

    /// Writes the letters about entries that depend on no report.
    fn entries(&mut self, reader: &Reader, contest: &dyn AnyContest, entries: &[Entry<Json>]) {
        let letters = self.letters;
        self.note(letters.why(reader, entries));
        self.note(letters.log(reader, &[WindowResult { number: contest.round(), entries }]));
        self.note(letters.skip(reader, Seat::new(0), entries));
    }
}
