//! Arrays that are one object of the whole module: nothing may write to them or give them away.
//!
//! ```text
//! %1: array<f64, 1> = module_constant %0       ⇒     %1: array<f64, 1> = copy %0
//! %2 = load %1, %3                                   %2 = load %1, %3
//! ```
//!
//! Each function makes such an array anew, which is the same as long as nobody writes to one: so a program that may is
//! refused, and so is a function that may return one, whose caller would then have the module's object in Python. A
//! function of the module that only reads may be passed one. What is a view or a copy by the strides counts as a view.

use pydd_ir::alias::{ClassSet, MemoryInfo, Summaries};
use pydd_ir::{FuncRef, Function, Level, Module, Op, OpKind};

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "module-constants",
    summary: "refuse writes to arrays that are constants of the module",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let has = |func: &Function| !constants(func).is_empty();
    let funcs: Vec<FuncRef> = module.funcs.keys().filter(|&f| has(&module.funcs[f])).collect();
    if funcs.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for f in funcs {
        let func = &mut module.funcs[f];
        check(func, &summaries)?;
        for op in constants(func) {
            func.ops[op].kind = OpKind::Copy;
        }
    }
    Ok(())
}

fn constants(func: &Function) -> Vec<Op> {
    func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::ModuleConstant).collect()
}

fn check(func: &Function, summaries: &Summaries) -> Result<(), Finding> {
    let memory = MemoryInfo::new(func, summaries);
    let mut shared = ClassSet::default();
    for op in constants(func) {
        shared.union(memory.classes(func.ops[op].results[0]));
    }
    for op in func.all_ops() {
        let data = &func.ops[op];
        let nests =
            matches!(data.kind, OpKind::For | OpKind::PFor(_) | OpKind::Loop | OpKind::Scope | OpKind::If);
        if !nests && memory.effects(op).writes.intersects(&shared) {
            let what = match data.kind {
                OpKind::Call(_) => "a function that writes to an array is given a constant of the module",
                _ => "an array that is a constant of the module is written",
            };
            return Err(refusal(func, op, what, "written here"));
        }
        let returns = |&value| memory.classes(value).intersects(&shared);
        if data.kind == OpKind::Return && data.args.iter().any(returns) {
            let what = "a function returns an array that is a constant of the module";
            return Err(refusal(func, op, what, "whoever gets it could write to it"));
        }
    }
    Ok(())
}

fn refusal(func: &Function, op: Op, message: &str, label: &str) -> Finding {
    let loc = func.ops[op].loc;
    Finding::new("not-writable", loc, message)
        .label(loc, label)
        .help("all functions share a constant and none may change it: use a copy, `b = U.copy()`")
}
