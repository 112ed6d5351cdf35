//! What is done with the elements of an array that a mask of its shape names: functions of the prelude that passes know.

use crate::func::Function;

/// A function on an array and a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaskOperation {
    /// `(array, mask) -> fresh array of one axis`: the elements where the mask is true, in row-major order.
    Compress,
    /// `(array, mask, values)`: sets these elements to values of one axis, in the same order.
    Put,
}

impl MaskOperation {
    /// The file of the prelude that they are written in.
    pub const FILE: &'static str = "indexing";

    const ALL: [Self; 2] = [Self::Compress, Self::Put];

    /// The function in the prelude.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Compress => "masked_elements",
            Self::Put => "put_masked",
        }
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        Self::ALL.into_iter().find(|operation| operation.function() == name)
    }
}
