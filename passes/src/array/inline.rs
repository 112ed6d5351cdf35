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
//! than [`LIMIT`] operations, and library operations of more than [`OPERATION_LIMIT`], or [`REPEATED_LIMIT`] where a
//! function calls them more than once, stay calls;
//! the functions themselves stay too (see `drop-unused`).
//!
//! `inline-library` does so with library functions written in the language alone, at every optimisation
//! level: they stand nowhere in the source, so what they raise is raised where they are called.

use pydd_ir::rewrite::{Cloner, replace_op, splice_block};
use pydd_ir::{Block, Entity, FuncRef, Function, Level, Module, Op, OpKind};

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
/// The same of those that a function calls more than once.
const REPEATED_LIMIT: usize = 30;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    inline(module, |_| true);
    Ok(())
}

fn run_library(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    inline(module, stands_nowhere);
    Ok(())
}

fn stands_nowhere(func: &Function) -> bool {
    func.all_ops().into_iter().all(|op| func.ops[op].loc.line == 0)
}

fn inline(module: &mut Module, wanted: impl Fn(&Function) -> bool) {
    let order = CallOrder::of(module);
    for caller in order.bottom_up {
        let calls = calls(&module.funcs[caller]);
        for &(op, callee) in &calls {
            let size = module.funcs[callee].all_ops().len();
            let is_repeated = calls.iter().filter(|call| call.1 == callee).count() > 1;
            let most = match module.funcs[callee].operation {
                None => LIMIT,
                Some(_) if is_repeated => REPEATED_LIMIT,
                Some(_) => OPERATION_LIMIT,
            };
            if order.in_cycle[callee.index()] || size > most {
                continue;
            }
            if !wanted(&module.funcs[callee]) {
                continue;
            }
            let body = module.funcs[callee].clone();
            inline_call(&mut module.funcs[caller], op, &body);
        }
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

fn inline_call(func: &mut Function, call: Op, callee: &Function) {
    let mut cloner = Cloner::default();
    cloner.values.insert_all(callee.params(), &func.ops[call].args);
    let body = func.new_block();
    cloner.ops(func, Some(callee), callee.entry, body);
    place_at_call(func, call, body);
    if returns_at_end_only(func, body) {
        let results = func.ops[call].results.clone();
        let values = splice_block(func, call, body);
        let mut replacements = pydd_ir::rewrite::Replacements::default();
        replacements.replace_all(&results, &values);
        replacements.apply(func);
        return;
    }
    returns_to_breaks(func, body, 0);
    let results = func.ops[call].results.clone();
    let types: Vec<_> = results.iter().map(|&r| func.ty(r)).collect();
    let scope = func.new_op(OpKind::Scope, vec![], &types, vec![body], func.ops[call].loc);
    pydd_ir::rewrite::insert_before(func, scope, call);
    let new = func.ops[scope].results.clone();
    replace_op(func, call, &new);
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
