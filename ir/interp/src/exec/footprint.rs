//! Whether iterations of launched loops touch only what the table of their region says. It is looked at where a loop runs in pieces, in parts
//! of one iteration.

use crate::value::{Array, Val};
use pydd_ir::poly::Poly;
use pydd_ir::sharing::{Capture, Footprint, Segment, Sharing, Span, Symbol};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What an iteration may touch.
#[derive(Clone, Debug)]
pub(super) struct Allowed {
    parts: Vec<Part>,
}

/// What it may touch of one captured array.
#[derive(Clone, Debug)]
struct Part {
    array: Array,
    writes: bool,
    /// Byte offsets of elements; nothing where that is all of them.
    elements: Option<BTreeSet<i64>>,
}

impl Allowed {
    /// For an iteration with this index, given what the region captures.
    pub(super) fn new(captures: &[Capture], values: &[Val], index: i64) -> Self {
        let part = |(capture, value): (&Capture, &Val)| {
            let Val::Array(array) = value else { return None };
            let elements = match &capture.sharing {
                Sharing::Sliced { footprint, .. } => elements(array, footprint, values, index),
                _ => None,
            };
            Some(Part { array: array.clone(), writes: capture.sharing.writes(), elements })
        };
        Self { parts: captures.iter().zip(values).filter_map(part).collect() }
    }

    /// Whether the element at a byte offset of this memory may be read, or written.
    pub(super) fn allows(&self, array: &Array, at: i64, writes: bool) -> bool {
        let mut captured =
            self.parts.iter().filter(|part| Rc::ptr_eq(&part.array.bytes, &array.bytes)).peekable();
        // What the iteration made.
        if captured.peek().is_none() {
            return true;
        }
        captured.any(|part| {
            let touches = part.elements.as_ref().is_none_or(|elements| {
                // A part of an element, such as its real one.
                let size = i64::try_from(part.array.dtype.size()).expect("small");
                elements.range(at + 1 - size..=at).next().is_some()
            });
            touches && (part.writes || !writes)
        })
    }
}

/// The byte offsets of a footprint's elements; nothing where it has all.
fn elements(
    array: &Array,
    footprint: &Footprint<Symbol>,
    values: &[Val],
    index: i64,
) -> Option<BTreeSet<i64>> {
    if footprint.0.iter().all(|span| *span == Span::All) {
        return None;
    }
    let mut offsets = BTreeSet::from([array.offset]);
    for ((span, &dim), &stride) in footprint.0.iter().zip(&array.dims).zip(&array.strides) {
        let (low, high) = match span {
            Span::All => (0, dim - 1),
            Span::Range(low, high) => (value(low, values, index)?, value(high, values, index)?),
            Span::Segment(segment) => bounds(segment, values, index)?,
        };
        let indices: BTreeSet<i64> =
            (low.max(-dim)..=high.min(dim - 1)).map(|at| if at < 0 { at + dim } else { at }).collect();
        offsets = offsets.iter().flat_map(|&at| indices.iter().map(move |i| at + i * stride)).collect();
    }
    Some(offsets)
}

/// The first and the last element of a segment; nothing where the pointers are none.
fn bounds(segment: &Segment<Symbol>, values: &[Val], index: i64) -> Option<(i64, i64)> {
    let Val::Array(pointers) = values.get(segment.pointers.operand()? as usize)? else { return None };
    let at = |poly| {
        let place = value(poly, values, index)?;
        pointers.get(&[place])?.as_i64()
    };
    let (first, last) = (at(&segment.first)?, at(&segment.last)?);
    (first >= 0).then_some((first, last - 1))
}

/// What a sum is in an iteration; nothing where it has no value that fits.
fn value(poly: &Poly<Symbol>, values: &[Val], index: i64) -> Option<i64> {
    let operand = |number: u32| values.get(number as usize)?.as_scalar()?.as_i64();
    let number = |symbol| match symbol {
        Symbol::Index => Some(index),
        Symbol::Number(number) => operand(number),
        Symbol::Quotient(number) => index.checked_div_euclid(operand(number)?),
        Symbol::Length(operand, axis) => match values.get(operand as usize)? {
            Val::Array(array) => array.dims.get(usize::from(axis)).copied(),
            _ => None,
        },
    };
    poly.replace(&mut |symbol| Some(Poly::<Symbol>::constant(number(symbol)?)))?.as_i64()
}
