//! How much of a loop one launch does: little enough that Ctrl-C is soon heard, and as much as keeps the device busy.

use pydd_abi::device::NODE;
use std::ops::Range;
use std::time::Duration;

/// Scalar operations of the first launch at least: short on the slowest device.
const FIRST: i64 = 1 << 27;

/// Seconds that the first launch is expected to take, where these are more operations: much longer than to start it and to wait for it. What is said of a loop's operations may
/// be too little by far, and Ctrl-C is to be heard nevertheless.
const FIRST_SECONDS: f64 = 10e-3;

/// Launches that take less are followed by longer ones, and those that take more by shorter ones.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(250);
const FACTOR: i64 = 4;

pub struct Pace {
    next: i64,
    end: i64,
    size: i64,
    least: i64,
    most: i64,
}

impl Pace {
    /// For a range of units, each about so many operations, on a device that does `rate` of these a second. A launch has at least `least`, which fill the device, and `most` at most.
    pub fn new(units: Range<i64>, operations: i64, rate: f64, least: i64, most: i64) -> Self {
        // A number that is too large is the largest one.
        let first = FIRST.max((FIRST_SECONDS * rate) as i64);
        let most = most.max(1);
        let least = least.clamp(1, most);
        Self {
            next: units.start,
            end: units.end,
            size: (first / operations.max(1)).clamp(least, most),
            least,
            most,
        }
    }

    /// The greatest piece that there can be from now on.
    pub fn most(&self) -> i64 {
        self.most.min(self.end - self.next)
    }

    /// The next piece.
    pub fn piece(&mut self) -> Option<Range<i64>> {
        let begin = self.next;
        // As many as nodes of the tree over parts have.
        let size = if self.size >> NODE == 0 { self.size } else { self.size >> NODE << NODE };
        self.next = begin.saturating_add(size).min(self.end);
        (begin < self.end).then_some(begin..self.next)
    }

    /// How long the last piece took.
    pub fn took(&mut self, time: Duration) {
        let size = if time < SHORT {
            self.size.saturating_mul(FACTOR)
        } else if time > LONG {
            self.size / FACTOR
        } else {
            self.size
        };
        self.size = size.clamp(self.least, self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fast_device_begins_with_more() {
        let first = |rate| Pace::new(0..i64::MAX, 4, rate, 1024, i64::MAX).piece();
        assert_eq!(first(0.0), Some(0..1 << 25));
        assert_eq!(first(4e12), Some(0..10_000_000_000));
        assert_eq!(first(f64::INFINITY), Some(0..(i64::MAX / 4) >> NODE << NODE));
    }

    #[test]
    fn pieces_cover_all_and_follow_the_clock() {
        let mut pace = Pace::new(0..i64::MAX, 1 << 20, 1e9, 1024, i64::MAX);
        assert_eq!(pace.piece(), Some(0..1024));
        pace.took(Duration::from_millis(1));
        assert_eq!(pace.piece(), Some(1024..5120));
        pace.took(Duration::from_millis(100));
        assert_eq!(pace.piece(), Some(5120..9216));
        pace.took(Duration::from_secs(1));
        assert_eq!(pace.piece(), Some(9216..10240));
        for _ in 0..40 {
            pace.took(Duration::ZERO);
        }
        assert_eq!(pace.piece(), Some(10240..i64::MAX));
        assert_eq!(pace.piece(), None);
        let mut bounded = Pace::new(10..20, i64::MAX, 1e12, 100, 4);
        assert_eq!(bounded.most(), 4);
        assert_eq!([0; 4].map(|_| bounded.piece()), [Some(10..14), Some(14..18), Some(18..20), None]);
    }
}
