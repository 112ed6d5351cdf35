//! Names that are read as forms of the language, not as functions of values.

use super::{Algebra, Builtin, DictOp, ListMethod, Space, find};

/// What a name stands for that is no function of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `map(f, xs)`, `filter(f, xs)` where something goes over them: generators.
    Map,
    Filter,
    /// `for i in prange(n)`: a parallel loop.
    ParallelRange,
    /// `with np.errstate(…)`, by its whole path.
    ErrorState,
    /// `np.newaxis`.
    NewAxis,
    /// `bin(n)`, of which `.count("1")` is asked.
    BinaryDigits,
    CountOfDigits,
    /// In the prelude: what is not supported for these arguments; the second one for real matrices.
    Unsupported,
    UnsupportedForReal,
}

const FORMS: [(&str, Form); 10] = [
    ("map", Form::Map),
    ("filter", Form::Filter),
    ("prange", Form::ParallelRange),
    ("np.errstate", Form::ErrorState),
    ("numpy.errstate", Form::ErrorState),
    ("newaxis", Form::NewAxis),
    ("bin", Form::BinaryDigits),
    ("count", Form::CountOfDigits),
    ("unsupported", Form::Unsupported),
    ("unsupported_for_real", Form::UnsupportedForReal),
];

impl Form {
    /// The form of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        FORMS.iter().find(|(own, _)| *own == name).map(|(_, form)| *form)
    }
}

/// Whether a function's first argument may be a generator. It is asked before anyone knows what the name stands for.
#[must_use]
pub fn takes_generator(name: &str) -> bool {
    let own = find(Space::Bare, name).is_some_and(|found| {
        matches!(
            found.entry.algebra,
            Algebra::Builtin(
                Builtin::Sum
                    | Builtin::Min
                    | Builtin::Max
                    | Builtin::Any
                    | Builtin::All
                    | Builtin::List
                    | Builtin::Sorted
                    | Builtin::Dict(DictOp::Set)
            )
        )
    });
    own || collects(name)
}

/// As [`takes_generator`], of what stands behind a dot: of modules, and methods of lists.
#[must_use]
pub fn attribute_takes_generator(name: &str) -> bool {
    collects(name) || matches!(ListMethod::named(name), Some(ListMethod::Extend | ListMethod::ExtendLeft))
}

/// Whether it is a class of `collections` that is made of items.
fn collects(name: &str) -> bool {
    find(Space::Collections, name).is_some_and(|found| {
        matches!(found.entry.algebra, Algebra::Builtin(Builtin::Deque | Builtin::Dict(DictOp::Counter)))
    })
}

/// Whether a function goes over each of its arguments, which may be `map` and `filter`.
#[must_use]
pub fn goes_over_all(name: &str) -> bool {
    find(Space::Bare, name).is_some_and(|found| {
        matches!(found.entry.algebra, Algebra::Builtin(Builtin::Zip | Builtin::Enumerate))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::names;

    #[test]
    fn generators_go_to_these_functions() {
        let all = |test: fn(&str) -> bool| {
            let spaces = [Space::Bare, Space::Collections];
            spaces.into_iter().flat_map(names).filter(|name| test(name)).collect::<Vec<_>>()
        };
        let generators = ["all", "any", "list", "max", "min", "set", "sorted", "sum", "Counter", "deque"];
        assert_eq!(all(takes_generator), generators);
        assert_eq!(all(attribute_takes_generator), ["Counter", "deque"]);
        assert_eq!(all(goes_over_all), ["enumerate", "zip"]);
    }
}
