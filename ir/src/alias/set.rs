//! Small sorted sets.

use std::fmt;

use crate::entity::AliasClass;

/// A sorted list without duplicates.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SortedSet<T>(Vec<T>);

/// A set of alias classes.
pub type ClassSet = SortedSet<AliasClass>;

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord + Copy> SortedSet<T> {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    #[must_use]
    pub fn contains(&self, item: T) -> bool {
        self.0.binary_search(&item).is_ok()
    }

    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.0.iter().copied()
    }

    /// Whether it was new.
    pub fn insert(&mut self, item: T) -> bool {
        match self.0.binary_search(&item) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, item);
                true
            }
        }
    }

    /// Adds all of `other`; whether any was new.
    pub fn union(&mut self, other: &Self) -> bool {
        if other.0.iter().all(|&item| self.contains(item)) {
            return false;
        }
        if other.0.len() <= 4 {
            other.iter().for_each(|item| {
                self.insert(item);
            });
            return true;
        }
        self.0.extend_from_slice(&other.0);
        self.0.sort_unstable();
        self.0.dedup();
        true
    }

    /// Whether the sets share an element.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        small.iter().any(|item| large.contains(item))
    }

    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|item| other.contains(item))
    }
}

impl<T: Ord + Copy> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items: Vec<T> = items.into_iter().collect();
        items.sort_unstable();
        items.dedup();
        Self(items)
    }
}

/// `m0|m2`
impl<T: fmt::Display> fmt::Display for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("|")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}
