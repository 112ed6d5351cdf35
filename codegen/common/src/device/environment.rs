//! Where in the environment of a loop something stands, in words.

use crate::words;
use pydd_abi::device::LOOP_WORDS;
use pydd_ir::{Function, OpKind, Region, Value, ValueDef};

/// The place of a number that is captured, or of a captured array's length.
pub fn number(func: &Function, value: Value) -> Option<u32> {
    if let ValueDef::Param(block, _) = func.values[value].def {
        return (block == func.entry).then(|| captured(func, value)).flatten();
    }
    let data = &func.ops[func.def_op(value)?];
    match data.kind {
        OpKind::Dim(axis) => length(func, data.args[0], axis),
        _ => None,
    }
}

/// The place of a captured array's length: behind data and owner.
pub fn length(func: &Function, array: Value, axis: u8) -> Option<u32> {
    Some(captured(func, array)? + 2 + u32::from(axis))
}

/// The place of a capture's first word.
fn captured(func: &Function, value: Value) -> Option<u32> {
    let count = func.region.as_ref()?.captures.len();
    let captures = &func.params()[Region::CAPTURES..][..count];
    capture(func, captures.iter().position(|&param| param == value)?)
}

/// As [`captured`], by its number.
pub fn capture(func: &Function, number: usize) -> Option<u32> {
    let before = func.params()[Region::CAPTURES..].get(..number)?;
    let before = words::total(before.iter().map(|&param| func.ty(param)));
    u32::try_from(LOOP_WORDS + before).ok()
}
