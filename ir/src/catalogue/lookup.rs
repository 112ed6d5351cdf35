//! Finding entries by name.

use super::{Entry, Space, TABLES, planned};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// An entry and the space it was found in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    pub entry: &'static Entry,
    pub space: Space,
    /// The name that found it.
    pub name: &'static str,
}

const SPACES: [Space; 20] = [
    Space::Bare,
    Space::Numpy,
    Space::Math,
    Space::Linalg,
    Space::Fft,
    Space::Method,
    Space::Attribute,
    Space::Sparse,
    Space::SparseAttribute,
    Space::Dict,
    Space::Set,
    Space::Collections,
    Space::Heapq,
    Space::Bisect,
    Space::Scipy,
    Space::Special,
    Space::SciPySparse,
    Space::Random,
    Space::Generator,
    Space::Internal,
];

fn index() -> &'static BTreeMap<(Space, &'static str), Found> {
    static INDEX: OnceLock<BTreeMap<(Space, &'static str), Found>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut map = BTreeMap::new();
        for entry in TABLES.iter().copied().flatten() {
            for space in SPACES {
                for &name in entry.in_space(space) {
                    map.entry((space, name)).or_insert(Found { entry, space, name });
                }
            }
        }
        map
    })
}

/// The entry of a name in a space.
#[must_use]
pub fn find(space: Space, name: &str) -> Option<Found> {
    index().get(&(space, name)).copied()
}

/// All names in a space, in alphabetical order.
pub fn names(space: Space) -> impl Iterator<Item = &'static str> {
    index().keys().filter(move |(s, _)| *s == space).map(|(_, name)| *name)
}

/// Whether the name belongs to the language and is not compiled yet.
#[must_use]
pub fn is_planned(name: &str) -> bool {
    planned::PLANNED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_listed_once_in_its_space() {
        for space in SPACES {
            let mut seen = std::collections::BTreeSet::new();
            for entry in TABLES.iter().copied().flatten() {
                for name in entry.in_space(space) {
                    assert!(seen.insert(*name), "{name} twice in {space:?}");
                }
            }
        }
    }

    #[test]
    fn entries_are_documented_and_named() {
        for entry in TABLES.iter().copied().flatten() {
            assert!(entry.doc.ends_with('.'), "{entry:?}");
            assert!(SPACES.iter().any(|&s| !entry.in_space(s).is_empty()), "{entry:?}");
        }
    }

    #[test]
    fn names_are_found_in_their_space() {
        assert_eq!(
            find(Space::Numpy, "sqrt").map(|f| f.entry.doc),
            find(Space::Math, "sqrt").map(|f| f.entry.doc)
        );
        assert!(find(Space::Math, "zeros").is_none());
        assert!(is_planned("strtol"));
    }
}
