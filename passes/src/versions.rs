//! Makes the two versions of each exported function (DESIGN.md's rule 3).
//!
//! ```text
//! func @f(array<f64, 1>)  export f = @f
//!     ⇒
//! func @f.fast(array<f64, 1>)      contiguous arguments that do not overlap
//! func @f.general(array<f64, 1>)   any strides, any overlap
//! export f = @f.fast if contiguous apart, @f.general
//! ```
//!
//! Where devices are asked for, `@f.device` is the fast version once more, for machines with a device; it stands first, with one more guard.
//!
//! Only what may not hold of the arguments is a guard: `apart` where something is written and may be another argument too.
//! `@f` itself is kept where something calls it. A function without array parameters is fast as it is, unless two of its lists or
//! dicts may be one that it writes, and so is one whose
//! arrays are all parts of sparse matrices that it only reads: those have no gaps, and may overlap. One that takes
//! a sparse matrix with 64-bit indices is general alone where another one takes 32 bits, which are the usual ones.
//! What only general versions call is general as well. A function that both kinds call is made a second time for the general ones,
//! where these pass arrays on that Python gave them: else its loops were made for any strides, whoever calls it.
//! Where a parameter says that its arrays are column-major, the fast version takes them with their axes reversed.
//! It does not choose by symbolic shapes: two versions, not hundreds.

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Layout, Replacements, take_other_way};
use pydd_ir::{
    Builder, DType, Entity, Entry, Export, ExportType, FuncRef, Function, Guard, Level, Literal, Module, Op,
    OpKind, SparseType, Value, Version,
};

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "versions",
    summary: "make a fast and a general version of each exported function",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let called = called(module);
    for index in 0..module.exports.len() {
        let export = &module.exports[index];
        let also_narrow = has_narrow_version(module, index);
        let &[Entry { func, .. }] = export.entries.as_slice() else { continue };
        if module.funcs[func].version != Version::Any {
            continue;
        }
        if also_narrow && !called[func.index()] {
            module.funcs[func].version = Version::General;
            continue;
        }
        let guards = export.open_guards();
        module.exports[index].entries = make_versions(module, func, called[func.index()], guards);
        let fast = module.exports[index].entries[0].func;
        let reversed = module.exports[index].reversed(fast);
        reverse_axes(&mut module.funcs[fast], &reversed);
        // NumPy calls ufuncs for a few elements at a time.
        if cx.options.device && module.exports[index].ufunc.is_none() {
            add_device_version(module, index);
        }
    }
    split_callees(module);
    follow_callers(module);
    if cx.options.device {
        follow_device_versions(module);
    }
    module.funcs.values_mut().for_each(tell_devices);
    Ok(())
}

/// Answers what a function asks about devices: those for devices decide at the call, but within parallel loops, which are on one themselves.
fn tell_devices(func: &mut Function) {
    let asks: Vec<Op> =
        func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::OnDevice).collect();
    if asks.is_empty() {
        return;
    }
    let layout = Layout::new(func);
    let is_parallel = |around: Op| matches!(func.ops[around].kind, OpKind::PFor(_));
    let (open, answered): (Vec<Op>, Vec<Op>) =
        asks.into_iter().partition(|&op| func.device && !layout.ancestors(op).any(is_parallel));
    for op in open {
        func.ops[op].kind = OpKind::DeviceWanted;
    }
    for op in answered {
        func.ops[op].kind = OpKind::Const(Literal::Bool(false));
        // What is inlined by its size has no second half any more.
        take_other_way(func, op);
    }
}

/// Makes all functions once more, for devices, that versions for devices call.
fn follow_device_versions(module: &mut Module) {
    let devices: Vec<FuncRef> = module.funcs.keys().filter(|&r| module.funcs[r].device).collect();
    let is_reached = reached(module, devices.clone());
    let originals: Vec<FuncRef> =
        module.funcs.keys().filter(|r| is_reached[r.index()] && !module.funcs[*r].device).collect();
    let mut copies: BTreeMap<FuncRef, FuncRef> = BTreeMap::new();
    for original in originals {
        let func = &module.funcs[original];
        let copy = Function { device: true, ..renamed(func, "called.device", func.version) };
        copies.insert(original, module.funcs.push(copy));
    }
    for caller in devices.into_iter().chain(copies.values().copied()) {
        for data in module.funcs[caller].ops.values_mut() {
            if let OpKind::Call(callee) = &mut data.kind
                && let Some(&copy) = copies.get(callee)
            {
                *callee = copy;
            }
        }
    }
}

/// Gives general versions functions of their own for what they pass arrays to that may be strided.
fn split_callees(module: &mut Module) {
    let is_general = |r: FuncRef| module.funcs[r].version == Version::General;
    let exported = module.exports.iter().flat_map(Export::funcs);
    let from_others = reached(module, exported.filter(|&r| !is_general(r)).collect());
    let strided = strided_params(module);
    let shared: Vec<FuncRef> =
        strided.keys().copied().filter(|&r| from_others[r.index()] && !is_general(r)).collect();
    let copies: BTreeMap<FuncRef, FuncRef> = shared
        .into_iter()
        .map(|r| {
            // An exported one has its general version.
            let general = format!("{}.general", module.funcs[r].name);
            let own = module.funcs.iter().find(|(_, func)| func.name == general).map(|(own, _)| own);
            let copy = renamed(&module.funcs[r], "strided", Version::General);
            (r, own.unwrap_or_else(|| module.funcs.push(copy)))
        })
        .collect();
    let callers: Vec<FuncRef> = strided.keys().map(|r| copies.get(r).copied().unwrap_or(*r)).collect();
    for caller in callers {
        for data in module.funcs[caller].ops.values_mut() {
            if let OpKind::Call(callee) = &mut data.kind
                && let Some(&copy) = copies.get(callee)
            {
                *callee = copy;
            }
        }
    }
}

/// The general versions of exports, and the functions that they pass arrays to which Python gave them, maybe through others: with the
/// parameters that take them.
fn strided_params(module: &Module) -> BTreeMap<FuncRef, BTreeSet<usize>> {
    let mut strided: BTreeMap<FuncRef, BTreeSet<usize>> = BTreeMap::new();
    let (mut work, summaries) = (Vec::new(), Summaries::of_callees(module));
    for export in &module.exports {
        let dense = dense_params(export);
        for func in export.funcs().filter(|&func| module.funcs[func].version == Version::General) {
            if !dense.is_empty() {
                strided.entry(func).or_default().extend(&dense);
                work.push(func);
            }
        }
    }
    while let Some(caller) = work.pop() {
        let func = &module.funcs[caller];
        let is_strided = derived(func, &strided[&caller], &summaries);
        for data in func.all_ops().into_iter().map(|op| &func.ops[op]) {
            let OpKind::Call(callee) = data.kind else { continue };
            let passed: BTreeSet<usize> =
                (0..data.args.len()).filter(|&i| is_strided(data.args[i])).collect();
            let known = strided.entry(callee).or_default();
            if !passed.is_subset(known) {
                known.extend(passed);
                work.push(callee);
            }
        }
    }
    strided.retain(|_, params| !params.is_empty());
    strided
}

/// The parameters of a function that are arrays from Python.
fn dense_params(export: &Export) -> Vec<usize> {
    fn add(ty: &ExportType, types: &mut Vec<pydd_ir::Type>, dense: &mut Vec<usize>) {
        match ty {
            ExportType::Array { .. } => dense.push(types.len()),
            ExportType::Tuple(items) => return items.iter().for_each(|item| add(item, types, dense)),
            _ => {}
        }
        ty.flatten(types);
    }
    let (mut dense, mut types) = (Vec::new(), Vec::new());
    export.params.iter().for_each(|param| add(&param.ty, &mut types, &mut dense));
    dense
}

/// Whether each value may be one of these parameters, or a view of one.
fn derived(
    func: &Function,
    params: &BTreeSet<usize>,
    summaries: &Summaries,
) -> impl Fn(Value) -> bool + use<> {
    let memory = MemoryInfo::with_own_params(func, summaries);
    let params: Vec<Value> = params.iter().map(|&i| func.params()[i]).collect();
    move |value| params.iter().any(|&param| memory.may_alias(value, param))
}

/// Whether an export takes sparse matrices with 64-bit indices, and another one the same with 32 bits.
fn has_narrow_version(module: &Module, index: usize) -> bool {
    let narrow = |ty: &ExportType| match ty {
        ExportType::Sparse(sparse) => ExportType::Sparse(SparseType { index: DType::I32, ..*sparse }),
        other => other.clone(),
    };
    let export = &module.exports[index];
    let types: Vec<ExportType> = export.params.iter().map(|param| narrow(&param.ty)).collect();
    let is_narrow =
        |other: &Export| other.name == export.name && other.params.iter().map(|p| &p.ty).eq(&types);
    !export.params.iter().map(|param| &param.ty).eq(&types) && module.exports.iter().any(is_narrow)
}

/// Makes functions general that are called, but by general ones only.
fn follow_callers(module: &mut Module) {
    let exported = module.exports.iter().flat_map(Export::funcs);
    let is_general = |&r: &FuncRef| module.funcs[r].version == Version::General;
    let (general, others) = exported.partition(is_general);
    let (from_general, from_others) = (reached(module, general), reached(module, others));
    for index in 0..module.funcs.len() {
        if from_general[index] && !from_others[index] {
            module.funcs[FuncRef::new(index)].version = Version::General;
        }
    }
}

/// By function: whether these are it or call it, if over others.
fn reached(module: &Module, mut work: Vec<FuncRef>) -> Vec<bool> {
    let mut reached = vec![false; module.funcs.len()];
    while let Some(r) = work.pop() {
        if !std::mem::replace(&mut reached[r.index()], true) {
            work.extend(callees(&module.funcs[r]));
        }
    }
    reached
}

/// The versions of a function as entries: the fast one, for calls for which `guards` hold, and the general one. Without
/// guards the first does for all calls.
fn make_versions(module: &mut Module, original: FuncRef, called: bool, guards: Vec<Guard>) -> Vec<Entry> {
    let func = &mut module.funcs[original];
    let one = guards.is_empty();
    let is_called_with_arrays = called && func.params().iter().any(|&p| func.ty(p).is_array());
    if one && !is_called_with_arrays {
        func.version = Version::Fast;
        return vec![Entry::any(original)];
    }
    let fast = renamed(func, "fast", Version::Fast);
    if one {
        return vec![Entry::any(module.funcs.push(fast))];
    }
    let general = renamed(func, "general", Version::General);
    let (fast, general) = if called {
        (module.funcs.push(fast), module.funcs.push(general))
    } else {
        module.funcs[original] = general;
        (module.funcs.push(fast), original)
    };
    vec![Entry { func: fast, guards }, Entry::any(general)]
}

/// Has a function take arrays with their axes reversed: what was column-major is row-major then, as all passes want it.
fn reverse_axes(func: &mut Function, places: &[usize]) {
    let params: Vec<Value> = places.iter().map(|&place| func.params()[place]).collect();
    let body = std::mem::take(&mut func.blocks[func.entry].ops);
    let mut b = Builder::new(func, func.entry);
    let mut replacements = Replacements::default();
    let mut views = Vec::new();
    for param in params {
        let ty = b.func.ty(param);
        let axes = (0..ty.rank()).rev().collect();
        let view = b.value(OpKind::Transpose(axes), vec![param], ty);
        views.push((b.func.def_op(view).expect("an operation"), param));
        replacements.replace(param, view);
    }
    func.blocks[func.entry].ops.extend(body);
    replacements.apply(func);
    for (view, param) in views {
        func.ops[view].args = vec![param];
    }
}

/// Makes the fast version of an export once more, for devices.
fn add_device_version(module: &mut Module, index: usize) {
    let Entry { func, mut guards } = module.exports[index].entries[0].clone();
    if module.funcs[func].version != Version::Fast {
        return;
    }
    let name = module.funcs[func].name.trim_end_matches(".fast").to_owned();
    let copy = Function { name: format!("{name}.device"), device: true, ..module.funcs[func].clone() };
    guards.push(Guard::Device);
    let func = module.funcs.push(copy);
    module.exports[index].entries.insert(0, Entry { func, guards });
}

fn renamed(func: &Function, suffix: &str, version: Version) -> Function {
    Function { name: format!("{}.{suffix}", func.name), version, ..func.clone() }
}

/// For each function, whether a call of it stands anywhere.
fn called(module: &Module) -> Vec<bool> {
    let mut called = vec![false; module.funcs.len()];
    module.funcs.values().flat_map(callees).for_each(|callee| called[callee.index()] = true);
    called
}

fn callees(func: &Function) -> impl Iterator<Item = FuncRef> + '_ {
    func.all_ops().into_iter().filter_map(|op| match func.ops[op].kind {
        OpKind::Call(callee) => Some(callee),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{export, func};
    use pydd_ir::{DType, Type};

    fn run_on(module: &mut Module) {
        let options = crate::Options::default();
        run(module, &PassContext::quiet(&options)).unwrap();
    }

    #[test]
    fn array_parameters_give_two_versions() {
        let mut module = Module::default();
        let f = module.funcs.push(func("f", &[Type::array(DType::F64, 1)], |b, _| {
            b.effect(OpKind::Return, vec![]);
        }));
        export(&mut module, f);
        run_on(&mut module);
        let [fast, general] = &module.exports[0].entries[..] else { panic!("two versions") };
        assert_eq!(module.funcs[fast.func].name, "f.fast");
        assert_eq!(module.funcs[fast.func].version, Version::Fast);
        assert_eq!(fast.guards, [Guard::Contiguous], "one array cannot overlap another");
        assert_eq!(module.funcs[general.func].name, "f.general");
        assert_eq!(module.funcs[general.func].version, Version::General);
        assert_eq!(module.funcs.len(), 2);
    }

    #[test]
    fn scalar_parameters_give_one_version() {
        let mut module = Module::default();
        let f = module.funcs.push(func("f", &[Type::F64], |b, p| {
            b.effect(OpKind::Return, vec![p[0]]);
        }));
        export(&mut module, f);
        run_on(&mut module);
        assert_eq!(module.exports[0].entries, [Entry::any(f)]);
        assert_eq!(module.funcs[f].version, Version::Fast);
        assert_eq!(module.funcs.len(), 1);
    }

    #[test]
    fn called_function_keeps_the_version_for_inside() {
        let mut module = Module::default();
        let array = Type::array(DType::F64, 1);
        let f = module.funcs.push(func("f", &[array], |b, p| {
            b.effect(OpKind::Call(FuncRef::new(0)), vec![p[0]]);
            b.effect(OpKind::Return, vec![]);
        }));
        export(&mut module, f);
        run_on(&mut module);
        assert_eq!(module.funcs.len(), 3);
        assert_eq!(module.funcs[f].version, Version::Any);
    }
}
