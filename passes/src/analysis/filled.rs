//! Inner parts of arrays, as loops fill them.

use pydd_ir::{Function, Value};

use super::patterns::moved;

/// What of an axis is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filled {
    /// How many elements are not, at the start and at the end.
    pub before: i64,
    pub behind: i64,
    pub length: Value,
}

impl Filled {
    /// The `count` elements from the index `before` on, of an axis of this length, if both are known to be constants apart.
    #[must_use]
    pub fn new(func: &Function, before: i64, count: Value, length: Value) -> Option<Self> {
        let ((start, less), (end, more)) = (moved(func, count), moved(func, length));
        let room = match (func.as_int(start), func.as_int(end)) {
            (Some(start), Some(end)) => end.checked_add(more)?.checked_sub(start.checked_add(less)?)?,
            _ => (start == end).then(|| more.checked_sub(less))??,
        };
        let behind = room.checked_sub(before)?;
        (before >= 0 && behind >= 0).then_some(Self { before, behind, length })
    }

    #[must_use]
    pub fn has_border(self) -> bool {
        self.before > 0 || self.behind > 0
    }
}
