//! The nearest known name to a misspelt one.

/// The candidate nearest to `name`, where one is near enough to be worth suggesting.
/// Ties go to the candidate that comes first.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(65).collect();
    if name.len() > 64 {
        return None;
    }
    let allowed = (name.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(&name, candidate);
        // A name of one letter is near to everything.
        let near = distance <= allowed && distance < name.len();
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance: insertions, deletions, substitutions, and swaps of neighbours. A
/// difference in case counts as nothing beside the first, so that `Zeros` finds `zeros`.
fn distance(name: &[char], candidate: &str) -> usize {
    let other: Vec<char> = candidate.chars().collect();
    if name.len().abs_diff(other.len()) > 3 {
        return usize::MAX;
    }
    let same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
    let mut before = vec![0; other.len() + 1];
    let mut previous: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=name.len() {
        let mut current = vec![i; other.len() + 1];
        for j in 1..=other.len() {
            let substitution = previous[j - 1] + usize::from(!same(name[i - 1], other[j - 1]));
            current[j] = substitution.min(previous[j] + 1).min(current[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && same(name[i - 1], other[j - 2]) && same(name[i - 2], other[j - 1]);
            if swapped {
                current[j] = current[j].min(before[j - 2] + 1);
            }
        }
        before = previous;
        previous = current;
    }
    previous[other.len()]
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
