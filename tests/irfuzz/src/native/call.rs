//! Calls an entry with arguments and reads what it gives.
//!
//! Unsafe here: generated code is called, with words that fit its description.

use super::load::Kernel;
use super::memory::Guarded;
use super::table;
use crate::args::Arg;
use crate::check::Expected;
use crate::compare::{Item, Outcome};
use pydd_abi::{Ctx, DTypeCode, List, Owner, TypeKind, TypeSpec};
use pydd_codegen::{sites::exc_number, words};
use pydd_core::{Raised, message, owner};
use pydd_interp::Scalar;
use pydd_ir::{DType, Exc};
use pydd_test_support::load::text;
use std::ptr;
use std::sync::atomic::Ordering;

/// The arguments in memory.
struct Passed {
    words: Vec<u64>,
    buffers: Vec<Guarded>,
    #[allow(clippy::vec_box, reason = "generated code holds the addresses")]
    owners: Vec<Box<Owner>>,
    /// The buffer of each owner.
    of: Vec<usize>,
    lists: Vec<(DType, *mut List)>,
}

fn dtype(code: DTypeCode) -> DType {
    DType::ALL.into_iter().find(|&d| words::dtype_code(d) == code).expect("the codes are those of the types")
}

fn scalar_words(s: Scalar) -> Vec<u64> {
    let half = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(wide)
    };
    match s {
        #[allow(clippy::cast_possible_truncation, reason = "sign-extended")]
        Scalar::Int(v, _) => vec![v as u64],
        Scalar::Complex(..) => {
            let bytes = s.to_bytes();
            let (re, im) = bytes.split_at(bytes.len() / 2);
            vec![half(re), half(im)]
        }
        _ => vec![half(&s.to_bytes())],
    }
}

/// A scalar from its words; nothing where they are not extended as the ABI says.
fn scalar(words: &[u64], d: DType) -> Option<Scalar> {
    let size = usize::try_from(d.size()).expect("small");
    let value = if d.is_complex() {
        let bytes: Vec<u8> = words[..2].iter().flat_map(|w| w.to_le_bytes()[..size / 2].to_vec()).collect();
        Scalar::from_bytes(&bytes, d)
    } else {
        Scalar::from_bytes(&words[0].to_le_bytes()[..size], d)
    };
    let exact = d.is_float() || d.is_complex() || scalar_words(value) == words[..1];
    exact.then_some(value)
}

fn pass(call: &Expected, ctx: &mut Ctx, real: bool) -> Passed {
    let set = &call.args;
    let mut passed = Passed { words: vec![], buffers: vec![], owners: vec![], of: vec![], lists: vec![] };
    for bytes in &set.buffers {
        let block = Guarded::new(bytes.len(), 1);
        // SAFETY: as many bytes as asked for.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), block.data, bytes.len()) };
        passed.buffers.push(block);
    }
    for arg in &set.args {
        match arg {
            Arg::Scalar(s) => passed.words.extend(scalar_words(*s)),
            Arg::Array { buffer, offset, dims, strides, .. } => {
                let data =
                    passed.buffers[*buffer].data.wrapping_offset(isize::try_from(*offset).expect("small"));
                let mut owner = Box::new(Owner::new(None, data, 0));
                passed.words.push(data as u64);
                passed.words.push(&raw mut *owner as u64);
                passed.words.extend(dims.iter().chain(strides).map(|n| n.cast_unsigned()));
                passed.owners.push(owner);
                passed.of.push(*buffer);
            }
            Arg::List(d, items) => {
                let mut list = ptr::null_mut();
                let len = i64::try_from(items.len()).expect("small");
                // SAFETY: the list has room for its items.
                unsafe {
                    (table::table(real).list_new)(ctx, words::dtype_code(*d), 1, len, &mut list);
                    let bytes: Vec<u8> = items.iter().flat_map(|s| s.to_bytes()).collect();
                    if !bytes.is_empty() {
                        ptr::copy_nonoverlapping(bytes.as_ptr(), (*list).data, bytes.len());
                    }
                }
                passed.words.push(list as u64);
                passed.lists.push((*d, list));
            }
        }
    }
    passed
}

/// Calls the version that the arguments are for.
pub fn call(kernel: &Kernel, call: &Expected, real: bool) -> Outcome {
    let mut ctx = Ctx::new(table::table(real), kernel.spec(), pydd_core::stack::limit());
    ctx.site = u32::MAX;
    table::forget();
    table::take_damage();
    let passed = pass(call, &mut ctx, real);
    let function = kernel.function();
    assert_eq!(passed.words.len(), function.arg_words as usize, "words of the arguments");
    let mut rets = vec![0x5555_5555_5555_5555; function.ret_words as usize];
    let entry = kernel.code(call.general);
    // SAFETY: the words are those that the description asks for.
    let status = unsafe { entry(&raw mut ctx, passed.words.as_ptr(), rets.as_mut_ptr()) };
    let outcome =
        if status == 0 { returned(&function.result, &rets, &passed) } else { raised(kernel, &mut ctx) };
    finish(outcome, passed)
}

fn finish(outcome: Outcome, passed: Passed) -> Outcome {
    for &(_, list) in &passed.lists {
        // SAFETY: our own count.
        unsafe { owner::release(list.cast()) };
    }
    if let Outcome::Fault(_) = outcome {
        return outcome;
    }
    let counts: Vec<i64> = passed.owners.iter().map(|o| o.count.load(Ordering::SeqCst)).collect();
    if table::alive() != 0 || counts.iter().any(|&c| c != 1) {
        return Outcome::Leak(format!("{} alive, counts of arguments {counts:?}", table::alive()));
    }
    if table::take_damage() || passed.buffers.iter().any(|b| !b.is_intact()) {
        return Outcome::Fault("something was written outside of an array".to_owned());
    }
    outcome
}

fn items_at(data: *const u8, dims: &[i64], strides: &[i64], d: DType) -> Vec<Scalar> {
    let count: i64 = dims.iter().product();
    let size = usize::try_from(d.size()).expect("small");
    let mut items = Vec::new();
    for flat in 0..count {
        let (mut rest, mut offset) = (flat, 0);
        for axis in (0..dims.len()).rev() {
            offset += rest % dims[axis] * strides[axis];
            rest /= dims[axis];
        }
        // SAFETY: an element of a live array.
        let bytes =
            unsafe { std::slice::from_raw_parts(data.offset(isize::try_from(offset).expect("small")), size) };
        items.push(bool_checked(bytes, d));
    }
    items
}

/// An element; a bool that is neither 0 nor 1 becomes an integer, which equals nothing.
fn bool_checked(bytes: &[u8], d: DType) -> Scalar {
    if d == DType::Bool && bytes[0] > 1 {
        return Scalar::Int(i128::from(bytes[0]), DType::U8);
    }
    Scalar::from_bytes(bytes, d)
}

fn returned(spec: &TypeSpec, rets: &[u64], passed: &Passed) -> Outcome {
    let specs: &[TypeSpec] = match spec.n_items {
        0 => &[],
        // SAFETY: the description says how many there are.
        n => unsafe { std::slice::from_raw_parts(spec.items, n as usize) },
    };
    let (mut results, mut rest) = (Vec::new(), rets);
    let mut held = Vec::new();
    for spec in specs {
        let d = dtype(spec.dtype);
        match spec.kind {
            TypeKind::Scalar => {
                let Some(value) = scalar(rest, d) else {
                    return Outcome::Fault(format!("a result's word {:x} is no {d}", rest[0]));
                };
                results.push(Item::Scalar(value));
                rest = &rest[words::of(pydd_ir::Type::Scalar(d))..];
            }
            TypeKind::List => {
                let list = rest[0] as *mut List;
                results.push(Item::List(list_items(list, d)));
                held.push(list.cast::<Owner>());
                rest = &rest[1..];
            }
            _ => {
                let rank = usize::from(spec.rank);
                let (data, owner) = (rest[0] as *const u8, rest[1] as *mut Owner);
                let numbers: Vec<i64> = rest[2..2 + 2 * rank].iter().map(|w| w.cast_signed()).collect();
                let (dims, strides) = numbers.split_at(rank);
                let place = passed.owners.iter().position(|o| ptr::eq(&raw const **o, owner));
                let view = place.map(|i| {
                    let buffer = passed.of[i];
                    let base = passed.buffers[buffer].data as i64;
                    (buffer, data as i64 - base)
                });
                let items = items_at(data, dims, strides, d);
                results.push(Item::Array { dims: dims.to_vec(), items, view });
                held.push(owner);
                rest = &rest[2 + 2 * rank..];
            }
        }
    }
    let read = |block: &Guarded| {
        // SAFETY: the block's bytes.
        unsafe { std::slice::from_raw_parts(block.data, block.len) }.to_vec()
    };
    let buffers = passed.buffers.iter().map(read).collect();
    let lists = passed.lists.iter().map(|&(d, list)| list_items(list, d)).collect();
    for owner in held {
        // SAFETY: results come with one count each.
        unsafe { owner::release(owner) };
    }
    Outcome::Returned { results, buffers, lists }
}

fn list_items(list: *const List, d: DType) -> Vec<Scalar> {
    // SAFETY: a live list.
    let list = unsafe { &*list };
    let size = i64::try_from(d.size()).expect("small");
    items_at(list.data, &[list.len], &[size], d)
}

fn raised(kernel: &Kernel, ctx: &mut Ctx) -> Outcome {
    let raised = Raised::take(ctx);
    let Some(site) = kernel.sites().get(raised.site as usize) else {
        return Outcome::Fault(format!("there is no site {}", raised.site));
    };
    let name = |number: u32| Exc::ALL.into_iter().find(|&e| exc_number(e) == number).map_or("?", Exc::name);
    let (exc, message) = if raised.kind == 0 {
        // SAFETY: strings of a description are C strings or null.
        let template = unsafe { text(site.message) }.unwrap_or_default();
        (name(site.kind), message::format(&template, &raised.payload))
    } else {
        (name(raised.kind), raised.message().unwrap_or_default())
    };
    Outcome::Raised { exc, message, line: site.line }
}
