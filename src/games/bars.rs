//! Options that are barred for now, each with its reason.

use rules::Bar;

/// A reason that bars an option, and its clause.
pub(crate) type Hindrance = (&'static str, &'static str);

/// Splits options into free and barred ones, in their order.
pub(crate) fn split<T: Copy>(
    options: impl IntoIterator<Item = T>,
    hindrance: impl Fn(T) -> Option<Hindrance>,
) -> (Vec<T>, Vec<Bar<T>>) {
    let (mut free, mut bars) = (Vec::new(), Vec::new());
    for option in options {
        match hindrance(option) {
            None => free.push(option),
            Some((why, clause)) => bars.push(Bar { option, why, clause }),
        }
    }
    (free, bars)
}
