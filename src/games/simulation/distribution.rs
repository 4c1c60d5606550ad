//! Distributions of values, and shares with confidence intervals.

use std::collections::BTreeMap;

use serde::Serialize;

/// The maximum number of bins in a histogram.
const BINS: u64 = 24;
/// The half width of a 95 % confidence interval, in standard deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

/// The number of occurrences of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution(BTreeMap<i64, u64>);

impl Distribution {
    /// Counts one more occurrence of a value.
    pub fn add(&mut self, value: i64) {
        *self.0.entry(value).or_default() += 1;
    }

    /// The number of values.
    pub fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// Merges the values of another distribution.
    pub fn merge(&mut self, other: Self) {
        for (value, count) in other.0 {
            *self.0.entry(value).or_default() += count;
        }
    }

    /// Returns the values without those of another distribution, a part of this one.
    #[must_use]
    pub fn without(&self, part: &Self) -> Self {
        let count = |value| part.0.get(value).copied().unwrap_or_default();
        let rest = self.0.iter().map(|(value, all)| (*value, all - count(value)));
        Self(rest.filter(|(_, count)| *count > 0).collect())
    }

    /// Returns the mean of the values; `None` if there are none.
    pub fn mean(&self) -> Option<Estimate> {
        Some(self.spread()?.interval(self.count()))
    }

    /// The value below which this share of all values lies, interpolated between two values.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = share * real(self.count().saturating_sub(1));
        let (below, part) = (place.floor(), place.fract());
        let at = |index: f64| {
            let mut passed = 0;
            let mut values = self.0.iter();
            let value = values.find(|(_, count)| {
                passed += **count;
                real(passed) > index
            });
            value.map_or(0.0, |(value, _)| signed(*value))
        };
        if part > 0.0 { at(below) * (1.0 - part) + at(below + 1.0) * part } else { at(below) }
    }

    /// The histogram, with at most [`BINS`] bins of the same round width.
    fn histogram(&self) -> Vec<Bin> {
        let (Some((&least, _)), Some((&most, _))) =
            (self.0.first_key_value(), self.0.last_key_value())
        else {
            return Vec::new();
        };
        let rounds = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_i64.pow(power)));
        let fits = |width: &i64| most.div_euclid(*width).abs_diff(least.div_euclid(*width)) < BINS;
        let width = rounds.take(50).find(fits).unwrap_or(i64::MAX);
        (least.div_euclid(width)..=most.div_euclid(width))
            .map(|bin| {
                let (from, to) = (bin * width, bin * width + width - 1);
                Bin { from, to, count: self.0.range(from..=to).map(|(_, count)| count).sum() }
            })
            .collect()
    }

    /// `None` if there are no values; otherwise the statistics of the values.
    pub fn spread(&self) -> Option<Spread> {
        let (min, max) = (*self.0.first_key_value()?.0, *self.0.last_key_value()?.0);
        let count = real(self.count());
        let sum = |of: fn(f64, f64) -> f64, middle: f64| -> f64 {
            self.0.iter().map(|(value, count)| of(signed(*value), middle) * real(*count)).sum()
        };
        let mean = sum(|value, _| value, 0.0) / count;
        let squares = sum(|value, mean| (value - mean).powi(2), mean);
        Some(Spread {
            min,
            lower_quartile: self.quantile(0.25),
            median: self.quantile(0.5),
            upper_quartile: self.quantile(0.75),
            max,
            mean,
            deviation: if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { 0.0 },
            histogram: self.histogram(),
        })
    }
}

/// The statistics of a distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub min: i64,
    /// The value below which a quarter of the values lie.
    pub lower_quartile: f64,
    /// The value below which half of the values lie.
    pub median: f64,
    /// The value below which three quarters of the values lie.
    pub upper_quartile: f64,
    pub max: i64,
    pub mean: f64,
    /// The sample standard deviation.
    pub deviation: f64,
    /// The counts by bin.
    pub histogram: Vec<Bin>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The smallest value of the bin.
    pub from: i64,
    /// The largest value of the bin.
    pub to: i64,
    /// The number of values in the bin.
    pub count: u64,
}

/// A share with its 95 % confidence interval (Wilson's).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The share. A first place shared by `k` counts `1/k`.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// A measured value with its 95 % confidence interval: of a mean, the normal one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Spread {
    /// Returns the mean with its interval, given the number of the values.
    pub fn interval(&self, count: u64) -> Estimate {
        let half = DEVIATIONS * self.deviation / real(count).sqrt();
        Estimate { value: self.mean, low: self.mean - half, high: self.mean + half }
    }
}

impl Estimate {
    /// Returns this value less another, with an interval from those of both (Newcombe's method 10).
    #[must_use]
    pub fn less(self, other: Self) -> Self {
        let value = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        Self { value, low: value - below, high: value + above }
    }
}

impl Share {
    /// The share of hits among trials, with Wilson's interval; the interval from 0 to 1 without trials.
    pub fn of(hits: f64, trials: u64) -> Self {
        if trials == 0 {
            return Self { value: 0.0, low: 0.0, high: 1.0 };
        }
        let trials = real(trials);
        let value = hits / trials;
        let square = DEVIATIONS * DEVIATIONS / trials;
        let middle = (value + square / 2.0) / (1.0 + square);
        let spread = (value * (1.0 - value) * square + square * square / 4.0).max(0.0).sqrt();
        let half = spread / (1.0 + square);
        Self { value, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}

#[expect(clippy::cast_precision_loss, reason = "no score is as large as 2^53")]
fn signed(value: i64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(values: &[i64]) -> Distribution {
        let mut distribution = Distribution::default();
        for &value in values {
            distribution.add(value);
        }
        distribution
    }

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    #[test]
    fn wilsons_interval_is_the_one_in_the_literature() {
        for (hits, trials, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let share = Share::of(hits, trials);
            assert!(
                (share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5,
                "{share:?}"
            );
        }
        assert_eq!(Share::of(0.0, 0), Share { value: 0.0, low: 0.0, high: 1.0 });
    }

    #[test]
    fn a_spread_is_that_of_the_values() {
        let spread = distribution(&[4, -2, 8, 6, 4]).spread().unwrap();
        assert_eq!((spread.min, spread.max), (-2, 8));
        let quartiles = [spread.lower_quartile, spread.median, spread.upper_quartile];
        assert_eq!(quartiles.map(|value| value.to_string()), ["4", "4", "6"]);
        assert!(
            (spread.mean - 4.0).abs() < 1e-12 && (spread.deviation - 14_f64.sqrt()).abs() < 1e-12
        );
        assert!((distribution(&[1, 2]).spread().unwrap().median - 1.5).abs() < 1e-12);
        assert_eq!(Distribution::default().spread(), None);
    }

    #[test]
    fn bins_are_round_and_hold_everything() {
        let bins = distribution(&[-7, 0, 3, 49]).spread().unwrap().histogram;
        assert_eq!(bins[0], Bin { from: -10, to: -6, count: 1 });
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<u64>(), 4);
        assert_eq!(bins.len(), 12);
        let one = distribution(&[5, 5]).spread().unwrap().histogram;
        assert_eq!(one, [Bin { from: 5, to: 5, count: 2 }]);
    }
}
