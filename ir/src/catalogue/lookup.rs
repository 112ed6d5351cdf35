//! Finding entries by name.

use super::{Algebra, Entry, Space, TABLES, planned};
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

impl Found {
    /// The file of the prelude that it is written in.
    const fn file(&self) -> Option<&'static str> {
        match self.entry.algebra {
            Algebra::Prelude { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Whether it is written for sparse matrices.
    #[must_use]
    pub fn is_for_sparse(&self) -> bool {
        self.file().is_some_and(|file| file.starts_with("sparse"))
    }

    /// Whether it is written for dicts and sets.
    #[must_use]
    pub fn is_for_dicts(&self) -> bool {
        self.file() == Some("dicts")
    }

    /// Whether it is given lists as they are, not as arrays.
    #[must_use]
    pub fn takes_lists(&self) -> bool {
        matches!(self.file(), Some("sequence" | "random" | "python_random" | "dicts"))
    }

    /// Whether it is given tuples and numbers of NumPy's as they are, not as arrays and Python's.
    #[must_use]
    pub fn takes_all_as_given(&self) -> bool {
        self.file() == Some("python_random")
    }

    /// Whether it puts arrays together that it is given as one argument.
    #[must_use]
    pub fn joins_arrays(&self) -> bool {
        self.file() == Some("joining")
    }

    /// Whether it puts together rows of what it puts together.
    #[must_use]
    pub fn makes_blocks(&self) -> bool {
        matches!(self.entry.algebra, Algebra::Prelude { function: "block", .. })
    }

    /// Whether what it gives are numbers of Python's, whatever it is given.
    #[must_use]
    pub fn gives_python_numbers(&self) -> bool {
        let says_itself = matches!(self.entry.algebra, Algebra::Prelude { function: "product", .. });
        self.space == Space::Math && !says_itself
    }

    /// Whether it gives the entries of a sparse matrix: rows, columns and values side by side.
    #[must_use]
    pub fn gives_entries(&self) -> bool {
        matches!(self.entry.algebra, Algebra::Prelude { function: "nonzero_elements", .. })
    }

    /// Whether it gives indices of which each is taken with each of the others.
    #[must_use]
    pub fn gives_combinations(&self) -> bool {
        matches!(self.entry.algebra, Algebra::Prelude { function: "ix_", .. })
    }
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
