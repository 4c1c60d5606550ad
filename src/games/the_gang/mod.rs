//! ザ・ギャング (The Gang): who holds the stronger hand, said with nothing but chips.

pub mod cards;
pub mod ranking;

#[cfg(test)]
mod test_ranking;
