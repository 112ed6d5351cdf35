//! Arrays of few integers to which iterations add: histograms. Each block of a kernel has sums of its own in memory that its threads share, and adds them to the array at its end,
//! since many threads that add to one element of an array wait for each other much longer.
//!
//! Sums of 64 bits are kept as two numbers of 32, which that memory has an instruction for: the second one gets what the first one carries.

use pydd_ir::{Function, OpKind, ReduceOp, Region, Type, Value};

/// Numbers of 32 bits that a block has for all sums.
pub const NUMBERS: usize = 8192;

/// A captured array with sums in each block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Private {
    pub array: Value,
    pub rank: u8,
    /// Whether elements have 64 bits.
    pub is_wide: bool,
    /// Where its sums begin, among the numbers of the block.
    pub first: usize,
    /// The most elements that it may have.
    pub most: usize,
}

impl Private {
    /// Where the higher halves begin.
    #[must_use]
    pub const fn high(&self) -> usize {
        self.first + self.most
    }
}

/// Those of a region.
#[must_use]
pub fn arrays(func: &Function) -> Vec<Private> {
    let count = func.region.as_ref().map_or(0, |region| region.captures.len());
    let captured = func.params()[Region::CAPTURES..].iter().take(count);
    let found: Vec<(Value, u8, bool)> = captured.filter_map(|&array| summed(func, array)).collect();
    let each = NUMBERS / found.len().max(1);
    let place = |(i, (array, rank, is_wide)): (usize, (Value, u8, bool))| Private {
        array,
        rank,
        is_wide,
        first: i * each,
        most: if is_wide { each / 2 } else { each },
    };
    found.into_iter().enumerate().map(place).collect()
}

/// The rank of an array to which a region adds and does nothing else, and whether its elements have 64 bits.
fn summed(func: &Function, array: Value) -> Option<(Value, u8, bool)> {
    let Type::Array { dtype, rank } = func.ty(array) else { return None };
    if !(1..=2).contains(&rank) || !dtype.is_int() || dtype.size() < 4 {
        return None;
    }
    let (mut adds, mut only) = (false, true);
    for op in func.all_ops() {
        let data = &func.ops[op];
        if data.args.contains(&array) {
            let is_added = data.kind == OpKind::UpdateRaw(ReduceOp::Sum) && data.args[0] == array;
            adds |= is_added;
            only &= is_added || matches!(data.kind, OpKind::Dim(_));
        }
    }
    (adds && only).then_some((array, rank, dtype.size() == 8))
}
