//! The collector that every stage reports to.

use super::{Code, Diagnostic, Severity};
use crate::source::Span;
use std::collections::BTreeSet;

/// Diagnostics past this many are counted and not kept: nobody reads them, and hostile input must not fill memory.
const KEPT: usize = 1000;

/// Collects diagnostics and keeps one for each code and place: one mistake gives one error.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    seen: BTreeSet<(Code, Span)>,
    errors: usize,
    left_out: usize,
}

impl Diagnostics {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic, unless the same code was already reported at the same place.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.seen.insert((diagnostic.code, diagnostic.span())) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.items.len() < KEPT {
            self.items.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    /// Whether the program must be refused.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Number of errors, those not kept included.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Number of diagnostics that were not kept.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Number of diagnostics kept.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// In the order of reporting.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.items.iter()
    }

    /// In the order of the source.
    pub fn sorted(&self) -> Vec<Diagnostic> {
        let mut items = self.items.clone();
        items.sort_by_key(|item| (item.span(), item.severity));
        items
    }

    /// Whether this code was reported.
    pub fn contains(&self, code: Code) -> bool {
        self.items.iter().any(|item| item.code == code)
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, items: T) {
        for item in items {
            self.push(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn the_same_mistake_is_told_once() {
        let mut sink = Diagnostics::new();
        for text in ["a", "b"] {
            Diagnostic::error(code::UNDEFINED_NAME, text).primary(Span::new(1, 2), "").emit(&mut sink);
        }
        Diagnostic::error(code::UNDEFINED_NAME, "c").primary(Span::new(0, 1), "").emit(&mut sink);
        assert_eq!(sink.error_count(), 2);
        assert_eq!(sink.sorted()[0].headline, "c");
    }
}
