//! `print` without Python: numbers, texts and lists as Python writes them.
//!
//! Unsafe here: items that generated code passes.

use crate::host;
use crate::number::Number;
use pydd_abi::{Ctx, ExcKind, List, PrintItem, Status, TypeKind};
use pydd_core::array::load;
use pydd_core::errors::{Error, guard};
use pydd_core::spec::text;
use pydd_core::{list, owner};
use std::ffi::c_char;

/// The table's `print`.
///
/// # Safety
/// `n` valid items; strings are null or C strings.
pub unsafe extern "C" fn print(
    ctx: *mut Ctx,
    items: *const PrintItem,
    n: i64,
    sep: *const c_char,
    end: *const c_char,
) -> Status {
    let body = || {
        // SAFETY: `n` items and the strings are valid, by the caller's promise.
        let (items, sep, end) = unsafe {
            let or = |given: *const c_char, usual| if given.is_null() { usual } else { text(given) };
            (owner::slice(items, n), or(sep, " "), or(end, "\n"))
        };
        let shown: Vec<String> = items.iter().map(item).collect::<Result<_, _>>()?;
        host::write(&(shown.join(sep) + end));
        Ok(())
    };
    // SAFETY: this call's context.
    unsafe { guard(ctx, body) }
}

fn item(item: &PrintItem) -> Result<String, Error> {
    let refuse = |what: &str| {
        Err(Error::new(ExcKind::NotImplementedError, format!("without Python {what} cannot be printed")))
    };
    // SAFETY: words as the item's kind says.
    unsafe {
        match item.kind {
            TypeKind::Scalar => {
                let number = Number { dtype: item.dtype, words: item.words };
                number.formatted(text(item.format)).map_err(Error::value)
            }
            TypeKind::Str if item.format.is_null() => Ok(text(item.words[0] as *const c_char).to_owned()),
            TypeKind::List if item.format.is_null() => Ok(of_list(&*(item.words[0] as *const List))),
            TypeKind::None => Ok("None".to_owned()),
            TypeKind::Array => refuse("an array"),
            _ => refuse("this"),
        }
    }
}

/// `[1, 2]`.
///
/// # Safety
/// A live list.
unsafe fn of_list(all: &List) -> String {
    let size = all.item_size();
    let one = |i: usize| {
        // SAFETY: `len` items, of the list's type.
        let words = unsafe { load(all.dtype, all.data.add(i * size)) };
        Number { dtype: all.dtype, words }
    };
    let items: Vec<String> = if all.holds_owners() {
        // SAFETY: a list of live lists.
        unsafe { list::inner(all).iter().map(|&inner| of_list(&*inner)).collect() }
    } else {
        (0..usize::try_from(all.len).unwrap_or(0)).map(|i| one(i).item()).collect()
    };
    format!("[{}]", items.join(", "))
}
