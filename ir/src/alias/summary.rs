//! What callers need to know of functions.

use super::points_to::{Origin, OriginSet, PointsTo};
use super::set::{ClassSet, SortedSet};
use super::{MemoryInfo, may_be_held};
use crate::entity::{Entity, FuncRef, Op, PrimaryMap, Value};
use crate::func::{Function, Module};
use crate::op::OpKind;
use std::collections::BTreeSet;

/// What memory a result may be.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ResultSummary {
    /// Indices of parameters that it may be, or be a view of.
    pub params: SortedSet<u32>,
    /// Pieces of memory that the call makes, numbered by the first result that may be them.
    pub fresh: SortedSet<u32>,
    /// It may be what a list holds.
    pub held: bool,
}

/// The effects of calling a function. Parameters are meant by index.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FuncSummary {
    pub reads: SortedSet<u32>,
    pub writes: SortedSet<u32>,
    /// Parameters that are put into lists.
    pub holds: SortedSet<u32>,
    /// Whether it reads, and whether it writes, what lists of lists or arrays hold.
    pub reads_held: bool,
    pub writes_held: bool,
    pub results: Vec<ResultSummary>,
    pub allocates: bool,
    pub raises: bool,
    pub io: bool,
    pub diverges: bool,
}

/// Summaries of a module's functions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summaries {
    funcs: PrimaryMap<FuncRef, Option<FuncSummary>>,
}

impl Summaries {
    /// Nothing is known of any callee.
    #[must_use]
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Of all functions: the least solution.
    #[must_use]
    pub fn new(module: &Module) -> Self {
        Self::of(module, &|_| true)
    }

    /// Of the functions that others call, which is what an analysis of a function asks for.
    #[must_use]
    pub fn of_callees(module: &Module) -> Self {
        let called: BTreeSet<FuncRef> =
            module.funcs.values().flat_map(|func| callees(func).iter().collect::<Vec<_>>()).collect();
        Self::of(module, &|func| called.contains(&func))
    }

    fn of(module: &Module, wanted: &dyn Fn(FuncRef) -> bool) -> Self {
        let mut summaries = Self::default();
        for (func, data) in module.funcs.iter() {
            let results = vec![ResultSummary::default(); data.results.len()];
            let summary = FuncSummary { results, ..FuncSummary::default() };
            summaries.funcs.push(wanted(func).then_some(summary));
        }
        let (order, recursive) = callees_first(module);
        let order: Vec<FuncRef> = order.into_iter().filter(|&func| wanted(func)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &func in &order {
                let summary = Some(summarize(&module.funcs[func], &summaries));
                changed |= summary != summaries.funcs[func];
                summaries.funcs[func] = summary;
            }
            // Where none calls itself, maybe through others, one round is enough.
            changed &= recursive;
        }
        summaries
    }

    #[must_use]
    pub fn get(&self, func: FuncRef) -> Option<&FuncSummary> {
        self.funcs.get(func)?.as_ref()
    }

    pub(super) fn result(&self, func: FuncRef, index: usize) -> Option<&ResultSummary> {
        self.get(func)?.results.get(index)
    }
}

fn callees(func: &Function) -> SortedSet<FuncRef> {
    let mut found = SortedSet::default();
    func.walk(func.entry, &mut |op| {
        if let Some((callee, ..)) = func.passed(op) {
            found.insert(callee);
        }
    });
    found
}

/// All functions, each after those that it calls where there is no recursion, and whether there is some.
fn callees_first(module: &Module) -> (Vec<FuncRef>, bool) {
    let calls: Vec<SortedSet<FuncRef>> = module.funcs.values().map(callees).collect();
    let mut seen = vec![false; module.funcs.len()];
    let mut order = Vec::new();
    for root in module.funcs.keys() {
        // (function, whether its callees have been put on the stack)
        let mut stack = vec![(root, false)];
        while let Some((func, done)) = stack.pop() {
            if done {
                order.push(func);
            } else if module.funcs.get(func).is_some() && !std::mem::replace(&mut seen[func.index()], true) {
                stack.push((func, true));
                stack.extend(calls[func.index()].iter().map(|callee| (callee, false)));
            }
        }
    }
    let mut place = vec![usize::MAX; module.funcs.len()];
    order.iter().enumerate().for_each(|(at, func)| place[func.index()] = at);
    let later = |at, callee: FuncRef| place.get(callee.index()).is_none_or(|&other| other >= at);
    let recursive =
        order.iter().enumerate().any(|(at, func)| calls[func.index()].iter().any(|c| later(at, c)));
    (order, recursive)
}

fn summarize(func: &Function, summaries: &Summaries) -> FuncSummary {
    // Whether parameters overlap is the caller's knowledge, so each counts for itself here.
    let memory = MemoryInfo::with_own_params(func, summaries);
    let body = memory.block_effects(func, func.entry);
    let params = |classes: &ClassSet| {
        let indices = (0u32..).zip(func.params());
        indices.filter(|&(_, &p)| memory.classes(p).intersects(classes)).map(|(index, _)| index).collect()
    };
    let held = |classes: &ClassSet| classes.iter().any(|c| matches!(memory.origin(c), Origin::Held(_)));
    let points_to = PointsTo::new(func, summaries);
    let written = written_origins(func, summaries, &points_to);
    let param = |origin| match origin {
        Origin::Param(index) => Some(index),
        _ => None,
    };
    FuncSummary {
        reads: params(&body.reads),
        writes: (0u32..)
            .zip(func.params())
            .filter(|&(index, &param)| {
                let by_lists = written.contains(Origin::held(func.ty(param)));
                written.contains(Origin::Param(index))
                    || by_lists && may_be_held(func, &points_to, index as usize)
            })
            .map(|(index, _)| index)
            .collect(),
        holds: points_to.held.iter().filter_map(param).collect(),
        reads_held: held(&body.reads),
        writes_held: written.iter().any(|origin| matches!(origin, Origin::Held(_))),
        results: result_summaries(func, &points_to),
        allocates: body.allocates,
        raises: body.raises || func.recursive,
        io: body.io,
        diverges: body.diverges || func.recursive,
    }
}

/// The origins of all memory that is written. What the function makes itself is none that callers have, wherever it puts it.
fn written_origins(func: &Function, summaries: &Summaries, points_to: &PointsTo) -> OriginSet {
    let mut written = OriginSet::default();
    let held: OriginSet =
        points_to.sets.iter().flat_map(OriginSet::iter).filter(|o| matches!(o, Origin::Held(_))).collect();
    let of = |value: &Value| &points_to.sets[value.index()];
    func.walk(func.entry, &mut |op| {
        let data = &func.ops[op];
        let writes = data.kind.facts(func.level).writes;
        let end = writes.end.min(data.args.len());
        for arg in data.args.get(writes.start..end).unwrap_or_default() {
            written.union(of(arg));
        }
        let Some((callee, args, first)) = func.passed(op) else { return };
        let summary = summaries.get(callee);
        for (index, arg) in (first..).zip(args) {
            if summary.is_none_or(|s| s.writes.contains(u32::try_from(index).unwrap_or(u32::MAX))) {
                written.union(of(arg));
            }
        }
        if summary.is_none_or(|s| s.writes_held) {
            written.union(&held);
            args.iter().for_each(|&arg| {
                let inner = std::iter::successors(func.ty(arg).list_item(), |ty| ty.list_item());
                inner.filter(|ty| ty.is_memory()).for_each(|ty| {
                    written.insert(Origin::held(ty));
                });
            });
        }
    });
    written
}

fn result_summaries(func: &Function, points_to: &PointsTo) -> Vec<ResultSummary> {
    let mut origins = vec![OriginSet::default(); func.results.len()];
    func.walk(func.entry, &mut |op: Op| {
        if func.ops[op].kind == OpKind::Return {
            for (set, value) in origins.iter_mut().zip(&func.ops[op].args) {
                set.union(&points_to.sets[value.index()]);
            }
        }
    });
    origins.iter().map(|set| result_summary(set, &origins, &points_to.held)).collect()
}

fn result_summary(set: &OriginSet, all: &[OriginSet], held: &OriginSet) -> ResultSummary {
    let mut summary = ResultSummary::default();
    for origin in set.iter() {
        if let Origin::Param(index) = origin {
            summary.params.insert(index);
        } else if matches!(origin, Origin::Held(_)) || held.contains(origin) {
            summary.held = true;
        } else if let Some(first) = all.iter().position(|other| other.contains(origin)) {
            summary.fresh.insert(u32::try_from(first).expect("fewer than 2^32 results"));
        }
    }
    summary
}
