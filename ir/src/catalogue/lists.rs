//! Methods of lists. What they do is written in the language, in `frontend/src/prelude/sequence.pydd`, but for those that
//! are operations of the IR. Their arguments follow the list's items, so that they stand in no table.

/// Methods that only Python's lists and deques have, or that mean something else for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListMethod {
    Pop,
    Insert,
    Extend,
    Remove,
    Clear,
    Sort,
    Reverse,
    Index,
    Count,
    Copy,
    /// Of deques, which are lists here.
    PopLeft,
    AppendLeft,
    ExtendLeft,
    Rotate,
}

const METHODS: [(&str, ListMethod); 14] = [
    ("pop", ListMethod::Pop),
    ("insert", ListMethod::Insert),
    ("extend", ListMethod::Extend),
    ("remove", ListMethod::Remove),
    ("clear", ListMethod::Clear),
    ("sort", ListMethod::Sort),
    ("reverse", ListMethod::Reverse),
    ("index", ListMethod::Index),
    ("count", ListMethod::Count),
    ("copy", ListMethod::Copy),
    ("popleft", ListMethod::PopLeft),
    ("appendleft", ListMethod::AppendLeft),
    ("extendleft", ListMethod::ExtendLeft),
    ("rotate", ListMethod::Rotate),
];

impl ListMethod {
    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        METHODS.iter().map(|(name, _)| *name)
    }

    /// The method of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        METHODS.iter().find(|(own, _)| *own == name).map(|(_, method)| *method)
    }
}
