//! A bound for the depth of the tree that the parser would make of a logical line.
//!
//! Every operator puts what stands beside it one level deeper; a comma separates, so that a long list is
//! flat. The bound for a bracket is the largest number of operators between two commas plus the largest bound of a
//! bracket among them. A `lambda` has commas of its own, so each counts for all that follows in its bracket.

use crate::syntax::limits;

#[derive(Clone, Debug)]
pub(super) struct Depth {
    levels: Vec<Level>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Level {
    /// Operators since the last separator.
    operators: u32,
    /// The deepest bracket since the last separator.
    inner: u32,
    /// The bound for what came before the last separator.
    before: u32,
    /// Lambdas in this bracket.
    lambdas: u32,
}

impl Level {
    fn bound(self) -> u32 {
        self.before.max(self.operators + self.inner + self.lambdas)
    }
}

impl Default for Depth {
    fn default() -> Self {
        Self { levels: vec![Level::default()] }
    }
}

impl Depth {
    /// Counts an operator; whether the expression is now too deep.
    pub(super) fn operator(&mut self) -> bool {
        let level = self.level();
        level.operators = level.operators.saturating_add(1);
        level.bound() > limits::OPERATORS
    }

    /// Counts a `lambda`.
    pub(super) fn lambda(&mut self) {
        let level = self.level();
        level.lambdas = level.lambdas.saturating_add(1);
    }

    /// Enters a bracket.
    pub(super) fn open(&mut self) {
        self.levels.push(Level::default());
    }

    /// Leaves a bracket; whether the expression is now too deep.
    pub(super) fn close(&mut self) -> bool {
        let inner = if self.levels.len() > 1 { self.levels.pop() } else { None };
        let bound = inner.map_or(0, Level::bound);
        let level = self.level();
        level.inner = level.inner.max(bound);
        level.bound() > limits::OPERATORS
    }

    /// A comma or the like: what follows does not nest in what came before.
    pub(super) fn separate(&mut self) {
        let level = self.level();
        *level = Level { before: level.bound(), lambdas: level.lambdas, ..Level::default() };
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }
}
