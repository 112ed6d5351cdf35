//! What library functions do with the dicts, sets and sparse matrices that they are given.

use super::{Space, find};

/// What the result of a function or attribute has in common with a container that it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// It is a new container, with arrays and lists of its own.
    New,
    /// Nothing, and is none.
    None,
    /// It may be the container, or share arrays with it.
    Shared,
}

/// The [`Sharing`] of a name, which may be one of several functions; what is no library function may do anything.
#[must_use]
pub fn container_sharing(name: &str) -> Sharing {
    const SPACES: [Space; 6] =
        [Space::Bare, Space::Collections, Space::Dict, Space::Set, Space::Sparse, Space::SparseAttribute];
    let found = SPACES.iter().filter_map(|&space| find(space, name)).map(|found| found.entry.sharing);
    found
        .reduce(|a, b| match (a, b) {
            (Sharing::Shared, _) | (_, Sharing::Shared) => Sharing::Shared,
            (Sharing::New, _) | (_, Sharing::New) => Sharing::New,
            (Sharing::None, Sharing::None) => Sharing::None,
        })
        .unwrap_or(Sharing::Shared)
}

/// Whether a method changes the dict or set that it is called on.
#[must_use]
pub fn changes_container(method: &str) -> bool {
    [Space::Dict, Space::Set].iter().filter_map(|&space| find(space, method)).any(|found| found.entry.changes)
}
