//! Puts the bodies of called functions in the place of calls.
//!
//! ```text
//! func @square(%0: f64) -> f64 { %1: f64 = mul %0, %0; return %1 }
//! func @f(%0: f64) -> f64 { %1: f64 = call[@square] %0; return %1 }
//!     ⇒
//! func @f(%0: f64) -> f64 { %1: f64 = mul %0, %0; return %1 }
//! ```
//!
//! A body that returns from within becomes a `scope`, its `return`s become `break`s to it. Callees come
//! before callers, so that what is inlined is done itself. Functions that take part in recursion, bodies of more
//! than [`LIMIT`] operations, and library operations of more than [`OPERATION_LIMIT`] (those that take several arrays may have more), or [`REPEATED_LIMIT`] where a
//! function calls them several times, stay calls;
//! the functions themselves stay too (see `drop-unused`). A library operation without loops that calls others only passes on: what it
//! calls is looked at where it was called.
//!
//! What is done by masks stays a call until there are versions (see [`fuse_masks`](super::fuse_masks) and
//! [`group_masks`](super::group_masks)), and so do operations on sparse
//! matrices that only look at some elements of a dense one (see [`sample`](super::sample)), or of a product
//! (see [`mask_products`](super::mask_products)), and what gives a range of its result (see [`take_ranges`](super::take_ranges)); `inline-kept` does the rest.
//!
//! `inline-library` does so with library functions written in the language alone, at every optimisation
//! level: they stand nowhere in the source, so what they raise is raised where they are called.

use pydd_ir::catalogue::{GroupOperation, MaskOperation, RangeOperation, SparseOperation};
use pydd_ir::rewrite::{Cloner, Replacements};
use pydd_ir::{Block, Entity, FuncRef, Function, Level, Module, Op, OpKind, PrimaryMap, Type, Value};
use std::collections::BTreeMap;

use super::sample::Sampler;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "inline",
    summary: "put the bodies of called functions in the place of calls",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O1),
    run,
};

pub const LIBRARY: Pass = Pass {
    name: "inline-library",
    summary: "put library functions written in the language in the place of their calls",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run: run_library,
};

/// The most operations that a body may have.
const LIMIT: usize = 1000;
/// The most operations that the body of a library operation may have: larger ones are loops that gain little from
/// being seen with their callers, while each copy costs time to compile. One function serves all its callers.
const OPERATION_LIMIT: usize = 60;
/// The same for each array that an operation takes, such as those that are joined: they are mostly made for that.
const ARRAY_LIMIT: usize = 40;
/// Of so many arrays, at most.
const MOST_ARRAYS: usize = 6;
/// The same of those that a function calls more often than [`calls_with_copies`].
const REPEATED_LIMIT: usize = 30;
/// Calls of an operation on whole arrays that have a copy each.
const FEW_CALLS: usize = 2;
/// A module grows by so many times its operations, and these more; then only small functions are inlined.
const GROWTH: (usize, usize) = (2, 20_000);
/// Operations of a function that is small.
const SMALL: usize = 12;

pub const KEPT: Pass = Pass {
    name: "inline-kept",
    summary: "put what passes had to see as calls in the place of its calls",
    run: run_kept,
    ..PASS
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    inline(module, |func| !is_kept(func));
    Ok(())
}

fn run_kept(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    inline(module, is_kept);
    Ok(())
}

/// Whether passes behind the versions look for calls of a function.
fn is_kept(func: &Function) -> bool {
    MaskOperation::of(func).is_some()
        || GroupOperation::of(func).is_some()
        || SparseOperation::of(func).is_some()
        || Sampler::of(func).is_some()
        || RangeOperation::of(func).is_some()
}

fn run_library(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    inline(module, stands_nowhere);
    Ok(())
}

fn stands_nowhere(func: &Function) -> bool {
    !is_kept(func) && func.all_ops().into_iter().all(|op| func.ops[op].loc.line == 0)
}

fn inline(module: &mut Module, wanted: impl Fn(&Function) -> bool) {
    let order = CallOrder::of(module);
    let mut growth = Growth::new(module);
    for caller in order.bottom_up {
        // What an operation passes on comes to be seen where the operation was called.
        loop {
            let chosen = chosen(module, caller, &order.in_cycle, &mut growth, &wanted);
            if chosen.is_empty() {
                break;
            }
            let mut func = std::mem::replace(&mut module.funcs[caller], Function::new("", Level::Array));
            inline_calls(&mut func, &chosen, &module.funcs);
            growth.sizes[caller.index()] = size(&func);
            module.funcs[caller] = func;
        }
    }
}

/// The calls of a function in the place of which bodies are put.
fn chosen(
    module: &Module,
    caller: FuncRef,
    in_cycle: &[bool],
    growth: &mut Growth,
    wanted: impl Fn(&Function) -> bool,
) -> BTreeMap<Op, FuncRef> {
    let calls = calls(&module.funcs[caller]);
    let mut times: BTreeMap<FuncRef, usize> = BTreeMap::new();
    calls.iter().for_each(|call| *times.entry(call.1).or_default() += 1);
    let passes_on = passes_on(&module.funcs[caller]);
    let is_wanted = |callee: FuncRef| {
        let func = &module.funcs[callee];
        !in_cycle[callee.index()] && wanted(func) && !(passes_on && func.operation.is_some())
    };
    times.retain(|&callee, _| is_wanted(callee));
    let mut chosen = BTreeMap::new();
    for (op, callee) in calls {
        let Some(&times) = times.get(&callee) else { continue };
        let most = match module.funcs[callee].operation {
            None => LIMIT,
            Some(_) if times == 1 => {
                OPERATION_LIMIT.max(ARRAY_LIMIT * arrays(&module.funcs[callee]).min(MOST_ARRAYS))
            }
            Some(_) if times <= calls_with_copies(&module.funcs[callee]) => 2 * ARRAY_LIMIT,
            Some(_) => REPEATED_LIMIT,
        };
        if growth.sizes[callee.index()] <= most && growth.take(caller, callee) {
            chosen.insert(op, callee);
        }
    }
    chosen
}

/// How often a library operation may be called for each call to have a copy. Whole arrays alone join what uses them.
fn calls_with_copies(func: &Function) -> usize {
    if has_loops(func) || arrays(func) == 0 { 1 } else { FEW_CALLS }
}

/// How many arrays a function takes; a list of arrays is several.
fn arrays(func: &Function) -> usize {
    let count = |&param: &Value| match func.ty(param) {
        Type::Array { .. } => 1,
        Type::List { rank: Some(_), depth: 1, .. } => 2,
        _ => 0,
    };
    func.params().iter().map(count).sum()
}

/// Whether a function is an operation that does nothing of length itself: what it calls is for its callers to see.
fn passes_on(func: &Function) -> bool {
    func.operation.is_some() && !has_loops(func)
}

fn has_loops(func: &Function) -> bool {
    func.all_ops().into_iter().any(|op| func.ops[op].kind.is_loop())
}

/// How large functions are, and how much a module may still grow.
struct Growth {
    /// By function.
    sizes: Vec<usize>,
    left: usize,
}

/// The operations of a function, without what it does on devices alone: most of its copies have none of that.
fn size(func: &Function) -> usize {
    let ops = func.all_ops();
    let asks = |value: Value| func.def_op(value).is_some_and(|op| func.ops[op].kind == OpKind::OnDevice);
    let mut on_devices = 0;
    for &op in &ops {
        let data = &func.ops[op];
        if data.kind == OpKind::If && asks(data.args[0]) {
            func.walk(data.regions[0], &mut |_| on_devices += 1);
            // The question, the branch, and the end of its other side.
            on_devices += 3;
        }
    }
    ops.len() - on_devices
}

impl Growth {
    fn new(module: &Module) -> Self {
        let sizes: Vec<usize> = module.funcs.values().map(size).collect();
        let left = sizes.iter().sum::<usize>() * GROWTH.0 + GROWTH.1;
        Self { sizes, left }
    }

    /// Whether there is room for one more copy of `callee`; it is taken. What is hardly more than the call always has room.
    fn take(&mut self, caller: FuncRef, callee: FuncRef) -> bool {
        let size = self.sizes[callee.index()];
        if size > SMALL {
            match self.left.checked_sub(size) {
                Some(left) => self.left = left,
                None => return false,
            }
        }
        self.sizes[caller.index()] += size;
        true
    }
}

/// All calls, and of what.
fn calls(func: &Function) -> Vec<(Op, FuncRef)> {
    let call = |op: Op| match func.ops[op].kind {
        OpKind::Call(callee) => Some((op, callee)),
        _ => None,
    };
    func.all_ops().into_iter().filter_map(call).collect()
}

/// Callees before callers, and who calls itself, if over others.
struct CallOrder {
    bottom_up: Vec<FuncRef>,
    in_cycle: Vec<bool>,
}

impl CallOrder {
    fn of(module: &Module) -> Self {
        let callees: Vec<Vec<FuncRef>> = module.funcs.values().map(callees).collect();
        let mut order = Self { bottom_up: Vec::new(), in_cycle: Vec::new() };
        let mut seen = vec![false; callees.len()];
        for f in module.funcs.keys() {
            order.in_cycle.push(reaches(&callees, f));
            post_order(&callees, f, &mut seen, &mut order.bottom_up);
        }
        order
    }
}

fn callees(func: &Function) -> Vec<FuncRef> {
    calls(func).into_iter().map(|(_, callee)| callee).collect()
}

/// Whether a function calls itself, if over others.
fn reaches(callees: &[Vec<FuncRef>], start: FuncRef) -> bool {
    let mut seen = vec![false; callees.len()];
    let mut work = callees[start.index()].clone();
    while let Some(f) = work.pop() {
        if f == start {
            return true;
        }
        if !std::mem::replace(&mut seen[f.index()], true) {
            work.extend_from_slice(&callees[f.index()]);
        }
    }
    false
}

/// Depth first with a stack of its own: chains of calls may be long.
fn post_order(callees: &[Vec<FuncRef>], start: FuncRef, seen: &mut [bool], out: &mut Vec<FuncRef>) {
    let mut work = vec![(start, 0)];
    if std::mem::replace(&mut seen[start.index()], true) {
        return;
    }
    while let Some((f, next)) = work.pop() {
        match callees[f.index()].get(next) {
            Some(&callee) => {
                work.push((f, next + 1));
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    work.push((callee, 0));
                }
            }
            None => out.push(f),
        }
    }
}

/// Puts bodies in the place of these calls, all in one go.
fn inline_calls(func: &mut Function, chosen: &BTreeMap<Op, FuncRef>, funcs: &PrimaryMap<FuncRef, Function>) {
    let mut replacements = Replacements::default();
    let mut blocks = vec![func.entry];
    while let Some(block) = blocks.pop() {
        let old = std::mem::take(&mut func.blocks[block].ops);
        let mut ops = Vec::with_capacity(old.len());
        for op in old {
            blocks.extend(&func.ops[op].regions);
            match chosen.get(&op) {
                Some(&callee) => inline_call(func, op, &funcs[callee], &mut ops, &mut replacements),
                None => ops.push(op),
            }
        }
        func.blocks[block].ops = ops;
    }
    replacements.apply(func);
}

/// Appends a body to `ops` in the place of a call.
fn inline_call(
    func: &mut Function,
    call: Op,
    callee: &Function,
    ops: &mut Vec<Op>,
    replacements: &mut Replacements,
) {
    let mut cloner = Cloner::default();
    cloner.values.insert_all(callee.params(), &func.ops[call].args);
    let body = func.new_block();
    cloner.ops(func, Some(callee), callee.entry, body);
    place_at_call(func, call, body);
    let results = func.ops[call].results.clone();
    if returns_at_end_only(func, body) {
        let mut made = std::mem::take(&mut func.blocks[body].ops);
        let end = made.pop().expect("a body ends with a return");
        replacements.replace_all(&results, &func.ops[end].args);
        ops.extend(made);
        return;
    }
    returns_to_breaks(func, body, 0);
    let types: Vec<_> = results.iter().map(|&r| func.ty(r)).collect();
    let scope = func.new_op(OpKind::Scope, vec![], &types, vec![body], func.ops[call].loc);
    replacements.replace_all(&results, &func.ops[scope].results);
    ops.push(scope);
}

/// What stands nowhere, as library functions written in the language do, stands where it is called.
fn place_at_call(func: &mut Function, call: Op, body: Block) {
    let loc = func.ops[call].loc;
    let mut nowhere = Vec::new();
    func.walk(body, &mut |op| nowhere.extend((func.ops[op].loc.line == 0).then_some(op)));
    nowhere.into_iter().for_each(|op| func.ops[op].loc = loc);
}

fn returns_at_end_only(func: &Function, body: Block) -> bool {
    let mut returns = 0;
    func.walk(body, &mut |op| returns += usize::from(func.ops[op].kind == OpKind::Return));
    let last = func.terminator(body);
    returns == 1 && last.is_some_and(|op| func.ops[op].kind == OpKind::Return)
}

/// `depth`: how many breakable operations stand between the block and the scope.
fn returns_to_breaks(func: &mut Function, block: Block, depth: u32) {
    for op in func.blocks[block].ops.clone() {
        if func.ops[op].kind == OpKind::Return {
            func.ops[op].kind = OpKind::Break(depth);
        }
        let inner = depth + u32::from(func.ops[op].kind.is_breakable());
        for region in func.ops[op].regions.clone() {
            returns_to_breaks(func, region, inner);
        }
    }
}
