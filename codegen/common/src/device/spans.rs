//! What an iteration of a device's loop touches of its arrays, as constant data.

use super::environment;
use crate::image::{Image, Target};
use pydd_abi::device::{
    DeviceProduct, DeviceSpan, DeviceSum, MAX_SYMBOLS, SPAN_ALL, SPAN_RANGE, SPAN_SEGMENT, SYMBOL_INDEX,
    SYMBOL_QUOTIENT,
};
use pydd_ir::Function;
use pydd_ir::poly::Poly;
use pydd_ir::sharing::{Sharing, Span, Symbol};
use std::mem::offset_of;

/// A sum with the symbols as the device's runtime knows them.
struct Sum {
    constant: i64,
    products: Vec<(i64, [u32; MAX_SYMBOLS])>,
}

/// Spans of a captured array, and where they are. Nothing where iterations may touch all of it.
pub(super) fn put(image: &mut Image, func: &Function, capture: usize) -> Option<usize> {
    let captures = &func.region.as_ref()?.captures;
    let Sharing::Sliced { footprint, .. } = &captures[capture].sharing else { return None };
    let sum = |poly: &Poly<Symbol>| Sum::new(func, poly);
    let spans: Vec<(u32, u32, Option<[Sum; 2]>)> = footprint
        .0
        .iter()
        .map(|span| match span {
            Span::All => None,
            Span::Range(low, high) => Some((SPAN_RANGE, 0, Some([sum(low)?, sum(high)?]))),
            Span::Segment(segment) => {
                let ends = [sum(&segment.first)?, sum(&segment.last)?];
                Some((SPAN_SEGMENT, segment.pointers.operand()?, Some(ends)))
            }
        })
        .map(|known| known.unwrap_or((SPAN_ALL, 0, None)))
        .collect();
    if spans.iter().all(|(kind, ..)| *kind == SPAN_ALL) {
        return None;
    }
    let table = image.reserve::<DeviceSpan>(spans.len());
    for (i, (kind, pointers, ends)) in spans.iter().enumerate() {
        let at = table + i * size_of::<DeviceSpan>();
        image.put_u32(at + offset_of!(DeviceSpan, kind), *kind);
        image.put_u32(at + offset_of!(DeviceSpan, pointers), *pointers);
        if let Some([low, high]) = ends {
            low.put(image, at + offset_of!(DeviceSpan, low));
            high.put(image, at + offset_of!(DeviceSpan, high));
        }
    }
    Some(table)
}

impl Sum {
    /// Nothing where it does not fit.
    fn new(func: &Function, poly: &Poly<Symbol>) -> Option<Self> {
        let product = |(product, factor): (pydd_ir::poly::Product<Symbol>, i64)| {
            let mut symbols = [0; MAX_SYMBOLS];
            for (i, symbol) in product.symbols().enumerate() {
                *symbols.get_mut(i)? = code(func, symbol)?;
            }
            Some((factor, symbols))
        };
        let products = poly.terms().map(product).collect::<Option<_>>()?;
        Some(Self { constant: i64::try_from(poly.offset()).ok()?, products })
    }

    fn put(&self, image: &mut Image, at: usize) {
        let table = image.reserve::<DeviceProduct>(self.products.len());
        for (i, (factor, symbols)) in self.products.iter().enumerate() {
            let at = table + i * size_of::<DeviceProduct>();
            image.put(at + offset_of!(DeviceProduct, factor), &factor.to_ne_bytes());
            for (j, &symbol) in symbols.iter().enumerate() {
                image.put_u32(at + offset_of!(DeviceProduct, symbols) + 4 * j, symbol);
            }
        }
        image.put_pointer(at + offset_of!(DeviceSum, products), Target::Image(table));
        image.put(at + offset_of!(DeviceSum, constant), &self.constant.to_ne_bytes());
        image.put_count(at + offset_of!(DeviceSum, n_products), self.products.len());
    }
}

/// How the runtime names a symbol.
fn code(func: &Function, symbol: Symbol) -> Option<u32> {
    let word = |operand: u32| environment::capture(func, operand as usize);
    Some(match symbol {
        Symbol::Index => SYMBOL_INDEX,
        Symbol::Number(operand) => word(operand)?,
        Symbol::Length(operand, axis) => word(operand)? + 2 + u32::from(axis),
        Symbol::Quotient(operand) => SYMBOL_QUOTIENT | word(operand)?,
    })
}
