//! What a device can run.
//!
//! A device runs the function that a parallel loop's body became, as threads do ([`crate::Region`]); it has no runtime to call, and no memory but that of the
//! arrays that it is given.

use std::collections::BTreeSet;
use std::fmt;

use crate::alias::MemoryInfo;
use crate::entity::{Block, FuncRef, Op, Value};
use crate::func::{Function, Module};
use crate::op::{LibOp, Literal};
use crate::sharing::Sharing;
use crate::{ElemOp, Level, Loc, OpKind, ReduceOp, Region, Type};

/// Words of an environment at most: they are a kernel's parameters.
const MOST_WORDS: usize = 400;

/// Why a device can't run a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Of the operation, if there is one.
    pub loc: Loc,
    pub why: Why,
}

/// What a device does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Memory for an array that an iteration makes.
    NewArray,
    List,
    Print,
    /// A function of the runtime.
    Library(LibOp),
    /// A function of C's library.
    Function(ElemOp),
    Recursion,
    /// A loop in the loop whose sums are made in parts.
    InnerReduction,
    Text,
    /// Room for what the loop captures.
    TooMuch,
    /// Sums of floats in the order of a loop that runs in order on the processor, since it also updates an array.
    SumInOrder,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NewArray => f.write_str("it makes an array"),
            Self::List => f.write_str("it uses a list"),
            Self::Print => f.write_str("it prints"),
            Self::Library(op) => write!(f, "it calls `{}`", op.name()),
            Self::Function(op) => write!(f, "it computes `{}`", op.name()),
            Self::Recursion => f.write_str("it calls a function that calls itself"),
            Self::InnerReduction => f.write_str("a loop in it is parallel and reduces"),
            Self::Text => f.write_str("it uses text"),
            Self::TooMuch => f.write_str("it uses too many variables from outside"),
            Self::SumInOrder => {
                f.write_str("it sums up floats and updates an array, which `--strict-fp` has in order")
            }
        }
    }
}

/// Whether a device can run the loop whose body this function is.
///
/// # Errors
/// Why not.
pub fn runs(module: &Module, region: FuncRef, strict_fp: bool) -> Result<(), Refusal> {
    let func = &module.funcs[region];
    let is_inexact = |ty: &Type| ty.dtype().is_some_and(|dtype| dtype.is_float() || dtype.is_complex());
    let updates = func.region.as_ref().is_some_and(Region::updates);
    if strict_fp && updates && func.results.iter().any(is_inexact) {
        return Err(Refusal { loc: Loc::default(), why: Why::SumInOrder });
    }
    let words: usize = func.params().iter().map(|&param| words(func.ty(param))).sum();
    if words > MOST_WORDS {
        return Err(Refusal { loc: Loc::default(), why: Why::TooMuch });
    }
    let appends = func.region.as_ref().is_some_and(|region| {
        region.captures.iter().any(|capture| matches!(capture.sharing, Sharing::Appended))
    });
    if appends {
        return Err(Refusal { loc: Loc::default(), why: Why::List });
    }
    function(module, region, &mut BTreeSet::new())
}

const fn words(ty: Type) -> usize {
    match ty {
        Type::Scalar(_) => 2,
        Type::Array { rank, .. } => 2 + 2 * rank as usize,
        Type::List { .. } | Type::Str => 1,
    }
}

/// The function with all that it calls.
fn function(module: &Module, r: FuncRef, seen: &mut BTreeSet<FuncRef>) -> Result<(), Refusal> {
    if !seen.insert(r) {
        return Ok(());
    }
    let func = &module.funcs[r];
    debug_assert_eq!(func.level, Level::Loop);
    for op in func.all_ops() {
        let loc = func.ops[op].loc;
        if let Some(why) = refused(module, func, op) {
            return Err(Refusal { loc, why });
        }
        if let OpKind::Call(callee) | OpKind::Launch(callee) = func.ops[op].kind {
            function(module, callee, seen)?;
        }
    }
    Ok(())
}

/// Whether all that operations of a block do with an array is to combine values into its elements, as threads of a device may at once.
#[must_use]
pub fn only_updates(
    func: &Function,
    memory: &MemoryInfo,
    block: Block,
    array: Value,
    reduce: ReduceOp,
) -> bool {
    let classes = memory.classes(array);
    let mut only = true;
    func.walk(block, &mut |op| {
        let data = &func.ops[op];
        if data.regions.is_empty() && memory.effects(op).touches(classes) {
            only &= data.kind == OpKind::UpdateRaw(reduce);
        }
    });
    only
}

fn refused(module: &Module, func: &Function, op: Op) -> Option<Why> {
    Some(match &func.ops[op].kind {
        OpKind::Const(Literal::Str(_)) => Why::Text,
        OpKind::Elem(elem @ (ElemOp::Gamma | ElemOp::LogGamma | ElemOp::Nextafter)) => Why::Function(*elem),
        OpKind::Lib(lib) => Why::Library(*lib),
        OpKind::Print(_) => Why::Print,
        OpKind::ListNew
        | OpKind::ListLen
        | OpKind::ListGet
        | OpKind::ListSet
        | OpKind::ListAppend
        | OpKind::ListPrepend
        | OpKind::ListTruncate
        | OpKind::ListDropFront => Why::List,
        OpKind::Call(callee) if module.funcs[*callee].recursive => Why::Recursion,
        OpKind::Launch(callee) if !module.funcs[*callee].results.is_empty() => Why::InnerReduction,
        OpKind::Const(_)
        | OpKind::Elem(_)
        | OpKind::Cast
        | OpKind::Dim(_)
        | OpKind::Stride(_)
        | OpKind::RawView
        | OpKind::IsContiguous
        | OpKind::LoadRaw
        | OpKind::StoreRaw
        | OpKind::UpdateRaw(_)
        | OpKind::If
        | OpKind::For
        | OpKind::Loop
        | OpKind::Scope
        | OpKind::Call(_)
        | OpKind::Launch(_)
        | OpKind::Check { .. }
        | OpKind::Yield
        | OpKind::Continue(_)
        | OpKind::Break(_)
        | OpKind::Return
        | OpKind::Raise { .. }
        | OpKind::Unreachable => return None,
        // All else makes arrays, or is about owners of some.
        _ => Why::NewArray,
    })
}
