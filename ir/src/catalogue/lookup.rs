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

fn index() -> &'static BTreeMap<(Space, &'static str), Found> {
    static INDEX: OnceLock<BTreeMap<(Space, &'static str), Found>> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut map = BTreeMap::new();
        for entry in TABLES.iter().copied().flatten() {
            for &(space, name) in entry.names() {
                map.entry((space, name)).or_insert(Found { entry, space, name });
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
        let mut seen = std::collections::BTreeSet::new();
        for entry in TABLES.iter().copied().flatten() {
            for name in entry.names() {
                assert!(seen.insert(*name), "{name:?} twice");
            }
        }
    }

    #[test]
    fn entries_are_documented_and_named() {
        for entry in TABLES.iter().copied().flatten() {
            assert!(entry.doc.ends_with('.'), "{entry:?}");
            assert!(!entry.names().is_empty(), "{entry:?}");
        }
    }

    #[test]
    fn names_are_found_in_their_space() {
        assert_eq!(
            find(Space::Numpy, "sqrt").map(|f| f.entry.doc),
            find(Space::Math, "sqrt").map(|f| f.entry.doc)
        );
        assert!(find(Space::Math, "zeros").is_none());
        assert!(is_planned("frexp"));
    }

    #[test]
    fn modules_are_found_by_their_path_and_in_each_other() {
        for space in Space::modules() {
            assert_eq!(Space::of_module(space.path()), Some(space));
            if let Some((outer, name)) = space.path().rsplit_once('.') {
                let outer = Space::of_module(outer).expect("the module around it is known");
                assert_eq!(outer.inside(name), Some(space));
            }
        }
        assert_eq!(Space::Numpy.inside("sparse"), None);
        assert_eq!(Space::of_module(""), None);
    }
}
