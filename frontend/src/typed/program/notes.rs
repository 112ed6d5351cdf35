//! The types of expressions and variables by their places in the user's text, for editors.

use crate::source::Span;
use crate::typed::types::ty::Ty;
use std::collections::BTreeMap;

/// By place, each type that what stands there has: several where a function is made for several types.
#[derive(Debug, Default)]
pub struct Notes(BTreeMap<Span, Vec<Ty>>);

impl Notes {
    /// What was noted of one function.
    pub fn add(&mut self, noted: impl IntoIterator<Item = (Span, Ty)>) {
        for (span, ty) in noted {
            let types = self.0.entry(span).or_default();
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
    }

    /// The types of what stands at a place; empty where nothing is known.
    pub fn at(&self, span: Span) -> &[Ty] {
        self.0.get(&span).map_or(&[], Vec::as_slice)
    }
}
