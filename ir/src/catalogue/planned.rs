//! Names of the language's library that are not compiled yet, so that a program which uses one hears that
//! instead of "not defined".

/// Bare names, and names under `np.` and as methods.
pub(super) const PLANNED: &[&str] = &["filter", "map", "tuple", "frexp", "ldexp"];
