//! What gives a range of a result: functions of the prelude that passes know.

use crate::func::Function;
use crate::types::{DType, Type};

/// A function whose last two operands, of int64, are a range of its result along the last axis, within that: it gives these elements, in a fresh array, raises nothing and writes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeOperation {
    /// `(vector, vector, first, last)`: sums of products of the one with the other turned round.
    Convolved,
    /// `(vector, first, last)`: the indices of elements in order.
    Order,
    /// `(array, first, last)`: the same along the last axis.
    Orders,
}

impl RangeOperation {
    const ALL: [Self; 3] = [Self::Convolved, Self::Order, Self::Orders];

    /// The function in the prelude.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Convolved => "convolved",
            Self::Order => "order_of",
            Self::Orders => "orders_of",
        }
    }

    /// What a function of the prelude with this name is.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.function() == name)
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        let types: Vec<Type> = func.params().iter().map(|&param| func.ty(param)).collect();
        let range = Type::Scalar(DType::I64);
        let suits = types.len() > 2 && types.ends_with(&[range, range]) && func.results.len() == 1;
        Self::named(name).filter(|_| suits)
    }
}
