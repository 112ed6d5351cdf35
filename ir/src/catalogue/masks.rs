//! What is done with the elements of an array that a mask of its shape names: functions of the prelude that passes know.

use crate::func::Function;
use crate::types::{DType, Type};

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

    const fn operands(self) -> usize {
        match self {
            Self::Compress => 2,
            Self::Put => 3,
        }
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        let types: Vec<Type> = func.params().iter().map(|&param| func.ty(param)).collect();
        let masked = matches!(
            types[..],
            [Type::Array { rank, .. }, Type::Array { dtype: DType::Bool, rank: own }, ..] if rank == own
        );
        let suits = |operation: &Self| operation.function() == name && types.len() == operation.operands();
        Self::ALL.into_iter().find(suits).filter(|_| masked)
    }
}
