//! Finds the parallel loops that a device can run, and drops the versions for devices that have none.
//!
//! ```text
//! export f = @f.device if contiguous device, @f.fast if contiguous, @f.general
//! func @f.device.region0 loop fast device region[…]    stays `device` if a device has all that it needs: it gets a kernel
//! ```
//!
//! Of a loop that is there as a whole for a device, and beside that in parts for the processor ([`privatize`](crate::array::privatize)), only the whole one gets a
//! kernel. Where it can have none, the parts are what runs.
//!
//! What a device lacks is in [`pydd_ir::device`]. A version that launches no such loop, neither itself nor in what it calls, would be the fast version once
//! more.

mod choices;

use std::collections::BTreeSet;

use pydd_ir::device::{self, Refusal};
use pydd_ir::{Entity, Entry, FuncRef, Function, Level, LibOp, Loc, Module, OpKind, Version};

use crate::drop_unused;
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "device-loops",
    summary: "find the parallel loops that a device can run",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let is_device = |r: &FuncRef| module.funcs[*r].device && module.funcs[*r].region.is_some();
    if !module.funcs.values().any(|func| func.device) {
        return Ok(());
    }
    let regions: Vec<FuncRef> = module.funcs.keys().filter(is_device).collect();
    let places: Vec<Option<Loc>> = launches(module);
    let within: BTreeSet<FuncRef> = within_loops(module);
    let verdicts: Vec<Result<(), Refusal>> =
        regions.iter().map(|&region| device::runs(module, region, cx.options.strict_fp)).collect();
    for (&region, verdict) in regions.iter().zip(&verdicts) {
        let place = places[region.index()];
        if place.is_none() {
            // There in case: small rather than fast.
            module.funcs[region].version = Version::General;
        }
        // Within another loop all threads are busy, and arrays are the processor's.
        module.funcs[region].device = verdict.is_ok() && place.is_some() && !within.contains(&region);
    }
    let others = choices::decide(module);
    for (region, verdict) in regions.iter().zip(&verdicts) {
        if let Some(loc) = places[region.index()].filter(|_| !others.contains(region)) {
            report(cx, loc, verdict.as_ref().err());
        }
    }
    offer_libraries(module, &within, cx);
    let runs = launching(module);
    let is_kept = |entry: &Entry| !module.funcs[entry.func].device || runs[entry.func.index()];
    let mut dropped = false;
    for export in &mut module.exports {
        let count = export.entries.len();
        if count > 1 {
            export.entries.retain(is_kept);
        }
        dropped |= export.entries.len() < count;
    }
    if dropped {
        drop_unused::drop_unreached(module);
    }
    Ok(())
}

/// Lets devices' libraries do what they can: not under `--strict-fp`, since they add up in an order of their own.
fn offer_libraries(module: &mut Module, within: &BTreeSet<FuncRef>, cx: &PassContext<'_>) {
    if cx.options.strict_fp {
        return;
    }
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    for r in funcs.into_iter().filter(|r| !within.contains(r)) {
        let func = &mut module.funcs[r];
        if !func.device || func.region.is_some() {
            continue;
        }
        for op in func.all_ops() {
            let OpKind::Lib(lib) = func.ops[op].kind else { continue };
            let dtype = func.ops[op].args.first().and_then(|&first| func.ty(first).dtype());
            let Some(routine) = dtype.and_then(|dtype| lib.for_device(dtype)) else { continue };
            func.ops[op].kind = OpKind::Lib(LibOp::Routine(routine));
            let loc = func.ops[op].loc;
            cx.report(|| {
                Finding::new(
                    "loop-on-device",
                    loc,
                    format!("a device's library can do this `{}`", lib.name()),
                )
                .label(loc, "on a GPU, where there is one, its library, and enough to do")
            });
        }
    }
}

/// Where each region is launched, but for what is there in case.
fn launches(module: &Module) -> Vec<Option<Loc>> {
    let mut places = vec![None; module.funcs.len()];
    for func in module.funcs.values() {
        for op in func.hot_ops() {
            if let OpKind::Launch(callee) = func.ops[op].kind {
                places[callee.index()] = Some(func.ops[op].loc);
            }
        }
    }
    places
}

/// Loops that others launch, or the functions that others call.
fn within_loops(module: &Module) -> BTreeSet<FuncRef> {
    let mut within = BTreeSet::new();
    let is_region = |&r: &FuncRef| module.funcs[r].region.is_some();
    let mut work: Vec<FuncRef> = module.funcs.keys().filter(is_region).collect();
    while let Some(r) = work.pop() {
        for op in module.funcs[r].all_ops() {
            if let OpKind::Launch(callee) | OpKind::Call(callee) = module.funcs[r].ops[op].kind
                && within.insert(callee)
            {
                work.push(callee);
            }
        }
    }
    within
}

/// By function: whether it launches a loop that a device runs, calls what a device's library does, or a function that does so.
pub fn launching(module: &Module) -> Vec<bool> {
    let kinds = |func: &Function| -> Vec<OpKind> {
        func.all_ops().into_iter().map(|op| func.ops[op].kind.clone()).collect()
    };
    let kinds: Vec<Vec<OpKind>> = module.funcs.values().map(kinds).collect();
    let mut found = vec![false; kinds.len()];
    loop {
        let launches = |kind: &OpKind| match kind {
            OpKind::Launch(region) => module.funcs[*region].has_kernel(),
            OpKind::Lib(LibOp::Routine(routine)) => routine.on_processor().is_some(),
            OpKind::Call(callee) => found[callee.index()],
            _ => false,
        };
        let next: Vec<bool> = kinds.iter().map(|kinds| kinds.iter().any(launches)).collect();
        if next == found {
            return found;
        }
        found = next;
    }
}

fn report(cx: &PassContext<'_>, loc: Loc, refusal: Option<&Refusal>) {
    cx.report(|| match refusal {
        None => Finding::new("loop-on-device", loc, "a device can run this loop")
            .label(loc, "on a GPU, where there is one and enough to do"),
        Some(Refusal { loc: at, why }) => {
            let finding = Finding::new("loop-not-on-device", loc, "no device runs this loop")
                .label(loc, "on the processor");
            let at = if at.line == 0 { loc } else { *at };
            finding.label(at, format!("{why}"))
        }
    });
}
