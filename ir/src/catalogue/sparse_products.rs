//! Functions of the prelude on sparse matrices that passes know.

use crate::func::Function;
use crate::types::SparseType;

/// A function on sparse matrices in compressed rows, each of which is its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SparseOperation {
    /// `(A, B)`: the product of matrices.
    Product,
    /// `(A, M)`: the product of their elements.
    TimesEntries,
    /// `(A, B, M)`: the latter of the former and a third matrix, for less than both cost.
    MaskedProduct,
}

impl SparseOperation {
    const ALL: [Self; 3] = [Self::Product, Self::TimesEntries, Self::MaskedProduct];

    /// The file of the prelude that the last of them is written in.
    pub const FILE: &'static str = "sparse_products";

    /// The function in the prelude.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::TimesEntries => "times_entries",
            Self::MaskedProduct => "masked_product",
        }
    }

    const fn matrices(self) -> usize {
        match self {
            Self::Product | Self::TimesEntries => 2,
            Self::MaskedProduct => 3,
        }
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        let suits = |operation: &Self| {
            operation.function() == name && func.params().len() == SparseType::PARTS * operation.matrices()
        };
        Self::ALL.into_iter().find(suits)
    }
}
