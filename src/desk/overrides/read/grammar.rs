//! The parsers, writers and completions of decisions, generated from the list of decisions.

use crate::model::overrides::{Judgement, Override, Verb, overrides};
use crate::overrides::read::arguments::{
    AbsenceSaid, Argument, Chosen, ClockSaid, Deadline, DecisionMade, Declared, LastAct, OwnWords,
    PaceSaid, Somebody, Until, WindowBack,
};
use crate::overrides::read::complete::{ArgumentForm, Completing};
use crate::overrides::read::dice::DieAndFace;
use crate::overrides::read::misread::DecisionFault;
use crate::overrides::read::moves::MoveSaid;
use crate::overrides::read::parts::PartNamed;
use crate::overrides::read::reader::{OverrideReader, OverrideRequest, WINDOW};
use crate::overrides::read::seats::{
    PolicyName, SeatNamed, SeatOnceBegun, SeatOrTable, SeatsCalled,
};
use crate::overrides::read::write::OverrideWriter;
use rules::Seat;
use rules::text::Completion;

macro_rules! grammar {
    (
        window { $($(#[$wdoc:meta])* $window:ident $({ $($wkind:ident($woption:literal): ($($wfield:ident: $wtype:ty),*)),+ })?)* }
        turn { $($(#[$doc:meta])* $turn:ident {
            $whose:ident($seat:literal): ($_:ident: $seat_type:ty) $(, $kind:ident($option:literal): ($($field:ident: $type:ty),*))*
        })* }
        table { $($(#[$tdoc:meta])* $table:ident $({ $($tkind:ident($toption:literal): ($($tfield:ident: $ttype:ty),*)),+ })?)* }
    ) => {
        impl Verb {
            /// Returns the arguments, with their names for front ends that ask for them one by one.
            pub fn arguments(self) -> Vec<(&'static str, ArgumentForm)> {
                let mut all = match self {
                    $(Self::$window => vec![$($(($woption, <$wkind as Argument>::FORM),)+)?],)*
                    $(Self::$turn => vec![
                        (WINDOW, ArgumentForm::Window),
                        ($seat, <$whose as Argument>::FORM),
                        $(($option, <$kind as Argument>::FORM),)*
                    ],)*
                    $(Self::$table => vec![$($(($toption, <$tkind as Argument>::FORM),)+)?],)*
                };
                // An argument without a name is never typed.
                all.retain(|(name, _)| !name.is_empty());
                all
            }
        }

        #[expect(unused_parens, reason = "some arguments are several fields")]
        impl OverrideReader<'_> {
            pub(super) fn read(mut self) -> Result<OverrideRequest, DecisionFault> {
                let what = match self.verb {
                    $(Verb::$window => {
                        $($(let ($($wfield),*) = self.next::<$wkind>($woption)?;)+)?
                        Override::$window $({ $($($wfield,)*)+ })?
                    })*
                    $(Verb::$turn => {
                        let (seat, window) = self.whose::<$whose>($seat)?;
                        $(let ($($field),*) = self.next::<$kind>($option)?;)*
                        match self.in_words.take() {
                            Some((seat, words)) => {
                                Override::InWords { window, verb: self.verb, seat, words }
                            }
                            None => {
                                let change = Judgement::$turn { seat, $($($field,)*)* };
                                Override::Judge { window, change }
                            }
                        }
                    })*
                    $(Verb::$table => {
                        $($(let ($($tfield),*) = self.next::<$tkind>($toption)?;)+)?
                        Override::$table $({ $($($tfield,)*)+ })?
                    })*
                };
                self.end()?;
                Ok(OverrideRequest { what, guest: self.guest })
            }
        }

        impl Completing<'_> {
            /// Returns the completions of the next argument as the error; `Ok` if no argument is left.
            pub(super) fn behind(&mut self) -> Result<(), Vec<Completion>> {
                match self.reader.verb {
                    $(Verb::$window => { $($(self.next::<$wkind>($woption)?;)+)? })*
                    $(Verb::$turn => {
                        self.whose::<$whose>($seat)?;
                        $(self.next::<$kind>($option)?;)*
                    })*
                    $(Verb::$table => { $($(self.next::<$tkind>($toption)?;)+)? })*
                }
                Ok(())
            }
        }

        impl OverrideWriter<'_> {
            /// Returns the verb and the arguments in order.
            pub(super) fn pieces(&mut self, what: &Override) -> Option<(Verb, Vec<String>)> {
                Some(match what {
                    $(Override::$window $({ $($($wfield,)*)+ })? => {
                        (Verb::$window, vec![$($(
                            <$wkind as Argument>::write(self, &($(Clone::clone($wfield)),*))?,
                        )+)?])
                    })*
                    Override::Judge { window, change } => {
                        let last = self.judge(*window, change.seat())?;
                        match change {
                            $(Judgement::$turn { seat, $($($field,)*)* } => {
                                (Verb::$turn, vec![
                                    last,
                                    <$whose as Argument>::write(self, seat)?,
                                    $(<$kind as Argument>::write(self, &($(Clone::clone($field)),*))?,)*
                                ])
                            })*
                        }
                    }
                    Override::InWords { window, verb, seat, words } => {
                        let last = self.judge(*window, Some(*seat))?;
                        (*verb, vec![last, seat.to_string(), words.clone()])
                    }
                    Override::Tried { what } => return self.pieces(what),
                    $(Override::$table $({ $($($tfield,)*)+ })? => {
                        (Verb::$table, vec![$($(
                            <$tkind as Argument>::write(self, &($(Clone::clone($tfield)),*))?,
                        )+)?])
                    })*
                })
            }
        }

        impl Override {
            /// Returns the seats that the decision is about.
            pub(crate) fn seats(&self) -> Vec<Seat> {
                let seats: &[Vec<Seat>] = match self {
                    Self::InWords { seat, .. } => &[vec![*seat]],
                    Self::Tried { what } => &[what.seats()],
                    $(Self::$window $({ $($($wfield,)*)+ })? => {
                        &[$($(<$wkind as Argument>::seats(&($(Clone::clone($wfield)),*)),)+)?]
                    })*
                    Self::Judge { change, .. } => &[change.seat().into_iter().collect()],
                    $(Self::$table $({ $($($tfield,)*)+ })? => {
                        &[$($(<$tkind as Argument>::seats(&($(Clone::clone($tfield)),*)),)+)?]
                    })*
                };
                seats.concat()
            }
        }
    };
}

overrides!(grammar);
