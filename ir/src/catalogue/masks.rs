//! What is done with the elements of an array that a mask of its shape names: functions of the prelude that passes know.

use crate::func::Function;
use crate::types::{DType, Type};

/// A function on an array and a mask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MaskOperation {
    /// `(array, mask) -> fresh array of one axis`: the elements where the mask is true, in row-major order.
    Compress,
    /// `(mask) -> fresh array of int64`: the indices where a mask of one axis is true, in order.
    Places,
    /// `(array, mask, values)`: sets these elements to values of one axis, in the same order.
    Put,
}

impl MaskOperation {
    /// The file of the prelude that they are written in.
    pub const FILE: &'static str = "indexing";

    const ALL: [Self; 3] = [Self::Compress, Self::Places, Self::Put];

    /// The function in the prelude.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Compress => "masked_elements",
            Self::Places => "flatnonzero",
            Self::Put => "put_masked",
        }
    }

    const fn operands(self) -> usize {
        match self {
            Self::Compress => 2,
            Self::Places => 1,
            Self::Put => 3,
        }
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        let types: Vec<Type> = func.params().iter().map(|&param| func.ty(param)).collect();
        let is_mask = |ty: Type, rank: u8| ty == Type::array(DType::Bool, rank);
        let masked = match types[..] {
            [mask] => is_mask(mask, 1),
            [Type::Array { rank, .. }, mask, ..] => is_mask(mask, rank),
            _ => false,
        };
        let suits = |operation: &Self| operation.function() == name && types.len() == operation.operands();
        Self::ALL.into_iter().find(suits).filter(|_| masked)
    }
}

/// What finds equal numbers, or those in ranges: functions of the prelude that passes put in the place of many masks (see `group-masks`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupOperation {
    /// `(labels: int64) -> (order, keys, low, high, dense)`: the indices of an array's elements, those of equal ones beside each other and
    /// in order, and what [`Self::Find`] needs.
    Make,
    /// `(keys, low, high, dense, label) -> (start, stop)`: where in the order the indices of elements of this value are.
    Find,
    /// `(numbers, lows, highs, low is in, high is in, wanted) -> (order, starts, made)`: the same for ranges that rise, of int64 or float64.
    Ranges,
}

impl GroupOperation {
    /// The file of the prelude that they are written in.
    pub const FILE: &'static str = "indexing";

    const ALL: [Self; 3] = [Self::Make, Self::Find, Self::Ranges];

    /// The function in the prelude.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Make => "groups",
            Self::Find => "group",
            Self::Ranges => "range_groups",
        }
    }

    /// What a function is, if it is one of these.
    #[must_use]
    pub fn of(func: &Function) -> Option<Self> {
        let name = func.operation.as_deref()?;
        Self::ALL.into_iter().find(|operation| operation.function() == name)
    }
}
