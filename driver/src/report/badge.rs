//! What a finding is called beside a line, in a word or two.

use pydd_passes::Finding;

/// Whether a user may want to do something about it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tone {
    Warn,
    Good,
    Plain,
}

impl Tone {
    /// The class in the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Good => "good",
            Self::Plain => "plain",
        }
    }
}

/// By code; what has no entry is called by its code.
const BADGES: &[(&str, &str, Tone)] = &[
    ("allocations", "arrays", Tone::Plain),
    ("array-contracted", "contracted", Tone::Good),
    ("array-in-registers", "in registers", Tone::Good),
    ("array-made", "allocated", Tone::Plain),
    ("copy-left-out", "no copy", Tone::Good),
    ("equal-lengths", "equal lengths", Tone::Plain),
    ("less-effort", "less effort", Tone::Warn),
    ("loop-check", "checked", Tone::Warn),
    ("loop-in-lanes", "side by side", Tone::Good),
    ("loop-in-order", "in order", Tone::Warn),
    ("loop-not-on-device", "not on a GPU", Tone::Warn),
    ("loop-not-vectorized", "not vectorised", Tone::Warn),
    ("loop-on-device", "GPU", Tone::Good),
    ("loop-parallel", "parallel", Tone::Good),
    ("loop-vectorized", "vectorised", Tone::Good),
    ("loop-versioned", "checked before", Tone::Good),
    ("loops-apart", "not joined", Tone::Warn),
    ("loops-joined", "joined", Tone::Good),
    ("made-once", "allocated once", Tone::Good),
    ("mask-in-place", "mask in place", Tone::Good),
    ("masks-grouped", "masks grouped", Tone::Good),
    ("moved-out-of-loop", "hoisted", Tone::Good),
    ("operations-fused", "fused", Tone::Good),
    ("part-computed", "in part", Tone::Good),
    ("pfor-table", "pfor", Tone::Plain),
    ("pfor-undecided", "not parallel", Tone::Warn),
    ("private-copies", "private copies", Tone::Good),
    ("product-masked", "masked", Tone::Good),
    ("product-sampled", "sampled", Tone::Good),
    ("short-axis", "short axis", Tone::Good),
    ("statements-vectorized", "stored at once", Tone::Good),
    ("columns-side-by-side", "columns side by side", Tone::Good),
    ("rows-side-by-side", "rows side by side", Tone::Good),
    ("time-inside", "time inside", Tone::Good),
];

#[must_use]
pub fn of(finding: &Finding) -> (&str, Tone) {
    let known = BADGES.iter().find(|(code, ..)| *code == finding.code);
    let (word, tone) = known.map_or((finding.code, Tone::Plain), |&(_, word, tone)| (word, tone));
    (finding.badge.as_deref().unwrap_or(word), tone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_badge_is_of_a_code() {
        let known = |code: &str| pydd_frontend::diagnostics::explain(code).is_some();
        assert!(BADGES.iter().all(|(code, ..)| known(code)));
    }
}
