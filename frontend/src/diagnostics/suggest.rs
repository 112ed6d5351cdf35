//! The nearest known name to a misspelt one.

/// Longer names are misspelt in ways that no distance finds.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, where one is near enough to be worth suggesting: by insertions, deletions,
/// substitutions, and swaps of neighbours. Case counts for nothing, so that `Zeros` finds `zeros`. Ties go to the candidate
/// that comes first.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    // A name of one letter is near to everything.
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    let near = candidates.into_iter().filter(|candidate| candidate.chars().count().abs_diff(length) <= 3);
    let distances = near.map(|known| (strsim::osa_distance(&name, &known.to_ascii_lowercase()), known));
    distances
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn near_names_are_found() {
        let names = ["zeros", "ones", "arange", "sqrt"];
        assert_eq!(did_you_mean("zeroes", names), Some("zeros"));
        assert_eq!(did_you_mean("Zeros", names), Some("zeros"));
        assert_eq!(did_you_mean("sqtr", names), Some("sqrt"));
        assert_eq!(did_you_mean("banana", names), None);
        assert_eq!(did_you_mean("q", ["x"]), None);
    }
}
