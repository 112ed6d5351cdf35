//! Variables that expressions have of their own: what comprehensions gather, and what they and lambdas name, which is seen
//! inside them alone.

use super::env::NameId;
use super::infer::Infer;
use crate::source::Span;
use std::collections::BTreeMap;
use std::fmt;

/// A variable of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Hidden {
    /// The list that grows.
    List,
    /// The set or dict that grows.
    Entries,
    Sum,
    Any,
    All,
    /// How many rows, or other arrays, there are so far.
    Rows,
    /// The length of the first row, or the lengths of the first array.
    Columns,
    /// How many items there are in all rows so far.
    Items,
    /// An item that the program gives no name.
    Item,
    /// The item before.
    Before,
    /// How many items there were.
    Counter,
    /// An item of what `map` or `filter` goes over, by its place among them.
    Mapped(usize),
    /// What a function by name is called with.
    Argument(usize),
    /// What the program names.
    Named(String),
}

/// As messages and dumps show it.
impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::List => "[…]",
            Self::Entries => "{…}",
            Self::Sum => "sum(…)",
            Self::Any => "any(…)",
            Self::All => "all(…)",
            Self::Rows => "rows of […]",
            Self::Columns => "columns of […]",
            Self::Items => "items of […]",
            Self::Item => "item of […]",
            Self::Before => "item before",
            Self::Counter => "count of items",
            Self::Mapped(0) => "item of map",
            Self::Mapped(at) => return write!(f, "item of map {at}"),
            Self::Argument(at) => return write!(f, "value {at} of f(…)"),
            Self::Named(name) => name,
        })
    }
}

/// What names stood for before an expression gave them another meaning.
pub type Shadowed = BTreeMap<String, Option<NameId>>;

impl Infer<'_, '_> {
    /// Makes names stand for variables of the expression at this place.
    pub fn shadow<'n>(&mut self, at: Span, names: impl IntoIterator<Item = &'n str>) -> Shadowed {
        let mut outer = BTreeMap::new();
        for name in names {
            let own = self.hidden(at, Hidden::Named(name.to_owned()));
            let before = self.names.insert(name.to_owned(), own);
            outer.entry(name.to_owned()).or_insert(before);
        }
        outer
    }

    /// Ends [`shadow`](Self::shadow): the variables are not bound any more.
    pub fn unshadow(&mut self, outer: Shadowed) {
        for (name, before) in outer {
            let own = match before {
                Some(before) => self.names.insert(name, before),
                None => self.names.remove(&name),
            };
            if let Some(own) = own {
                self.unbind(own);
            }
        }
    }

    /// Ends a variable.
    pub fn unbind(&mut self, name: NameId) {
        if let Some(env) = &mut self.env {
            env.set(name, None);
        }
    }
}
