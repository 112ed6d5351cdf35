//! Accumulations, and which floating-point additions, multiplications, minima and maxima may be reassociated.
//!
//! The language lets sums be reordered (LANGUAGE rule 4) and any of several zeros be the greatest or least number, so
//! that loops vectorise, but only where the program writes a plain accumulation: a value carried by a loop, or an
//! element of an array, that is combined with something and used for nothing else on the way round. So compensated
//! summation, which reads its running sum twice, stays as it is written.

use pydd_ir::flow::{Flow, flows};
use pydd_ir::{DType, ElemOp, Entity, Function, Op, OpKind, Value};

/// The operations that may be reassociated, indexed by `Op`.
#[must_use]
pub fn reassociable(func: &Function) -> Vec<bool> {
    let mut marks = vec![false; func.ops.len()];
    let ops = func.all_ops();
    let is_step = |&op: &Op| family(func, op).is_some() && result_is_inexact(func, op);
    if !ops.iter().any(is_step) {
        return marks;
    }
    let uses = Uses::new(func, &ops);
    for &op in &ops {
        if func.ops[op].kind.is_loop() {
            mark_carried(func, &uses, op, &mut marks);
        }
        if is_update_in_place(func, &uses, op) {
            marks[op.index()] = true;
        }
    }
    marks
}

/// What combines the values that several runs of a loop give for one that it carries, each with some of the iterations: an accumulation.
/// Nothing where the body uses the carried value otherwise, or may go on with another one. Whether floats may be reordered is the caller's to know.
#[must_use]
pub fn accumulation(func: &Function, looped: Op, param: Value) -> Option<ElemOp> {
    let uses = Uses::new(func, &func.all_ops());
    let is_one = |family: &Family| {
        let chain = chain(func, &uses, looped, param, *family);
        chain.is_some_and(|chain| !chain.steps.is_empty() && chain.keeps_all(func, &uses, looped))
    };
    let bits = BITS.map(Family::Bits);
    let extrema = EXTREMA.map(Family::Extremum);
    let all = [Family::Sum, Family::Product].into_iter().chain(extrema).chain(bits);
    Some(match all.into_iter().find(is_one)? {
        Family::Sum => ElemOp::Add,
        Family::Product => ElemOp::Mul,
        Family::Extremum(elem) | Family::Bits(elem) => elem,
    })
}

const EXTREMA: [ElemOp; 4] = [ElemOp::Min, ElemOp::Max, ElemOp::Fmin, ElemOp::Fmax];
const BITS: [ElemOp; 3] = [ElemOp::And, ElemOp::Or, ElemOp::Xor];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Sum,
    Product,
    /// `Min`, `Max`, `Fmin` or `Fmax`.
    Extremum(ElemOp),
    /// `And`, `Or` or `Xor`.
    Bits(ElemOp),
}

/// The kind of accumulation that an operation could be a step of.
fn family(func: &Function, op: Op) -> Option<Family> {
    let data = &func.ops[op];
    let dtype = func.ty(*data.results.first()?).dtype()?;
    match data.kind {
        OpKind::Elem(ElemOp::Add | ElemOp::Sub) => Some(Family::Sum),
        OpKind::Elem(ElemOp::Mul) if !dtype.is_complex() => Some(Family::Product),
        OpKind::Elem(elem) if EXTREMA.contains(&elem) && !dtype.is_complex() => Some(Family::Extremum(elem)),
        OpKind::Elem(elem) if BITS.contains(&elem) => Some(Family::Bits(elem)),
        _ => None,
    }
}

fn result_is_inexact(func: &Function, op: Op) -> bool {
    func.ops[op].results.first().is_some_and(|&result| func.ty(result).dtype().is_some_and(is_inexact))
}

const fn is_inexact(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex()
}

struct Uses {
    /// For each value: the operations that use it and as which operand.
    uses: Vec<Vec<(Op, usize)>>,
    flows: Vec<Vec<Flow>>,
}

impl Uses {
    fn new(func: &Function, ops: &[Op]) -> Self {
        let mut uses = vec![Vec::new(); func.values.len()];
        for &op in ops {
            for (i, &arg) in func.ops[op].args.iter().enumerate() {
                uses[arg.index()].push((op, i));
            }
        }
        let mut by_source = vec![Vec::new(); func.values.len()];
        for flow in flows(func) {
            by_source[flow.from.index()].push(flow);
        }
        Self { uses, flows: by_source }
    }

    fn passes_on(&self, value: Value, op: Op, arg: usize) -> impl Iterator<Item = Value> {
        self.flows[value.index()].iter().filter(move |f| f.op == op && f.arg == Some(arg)).map(|f| f.to)
    }
}

fn mark_carried(func: &Function, uses: &Uses, looped: Op, marks: &mut [bool]) {
    let data = &func.ops[looped];
    for &param in &func.blocks[data.regions[0]].params {
        if func.ty(param).dtype().is_some_and(is_inexact) {
            let extrema = EXTREMA.map(Family::Extremum);
            for family in [Family::Sum, Family::Product].into_iter().chain(extrema) {
                if let Some(chain) = chain(func, uses, looped, param, family) {
                    chain.steps.iter().for_each(|op| marks[op.index()] = true);
                }
            }
        }
    }
}

/// What a loop does to a value that it carries.
struct Chain {
    steps: Vec<Op>,
    /// The value, and what the steps make of it.
    members: Vec<Value>,
}

impl Chain {
    /// Whether the next value is always made of the one before: nothing else takes its place on any way.
    fn keeps_all(&self, func: &Function, uses: &Uses, looped: Op) -> bool {
        let is_member = |value: &Value| self.members.contains(value);
        let flows = uses.flows.iter().flatten();
        let mut into = flows.filter(|flow| flow.op != looped && is_member(&flow.to));
        let selects = self.members.iter().filter_map(|&member| func.def_op(member)).map(|op| &func.ops[op]);
        let mut selects = selects.filter(|data| data.kind == OpKind::Elem(ElemOp::Select));
        into.all(|flow| is_member(&flow.from)) && selects.all(|data| data.args[1..].iter().all(is_member))
    }
}

/// The operations between a carried parameter and its next value, if they are one accumulation.
fn chain(func: &Function, uses: &Uses, looped: Op, param: Value, family: Family) -> Option<Chain> {
    let mut members = vec![param];
    let mut steps = Vec::new();
    let mut next = 0;
    while let Some(&value) = members.get(next) {
        next += 1;
        for &(op, arg) in &uses.uses[value.index()] {
            for target in follow(func, uses, value, op, arg, family, &mut steps)? {
                let leaves = func.ops[looped].results.contains(&target);
                if !leaves && !members.contains(&target) {
                    members.push(target);
                }
            }
        }
        if members.len() > 64 {
            return None;
        }
        // What a finished inner loop gives.
        for flow in uses.flows[value.index()].iter().filter(|f| f.arg.is_none() && f.op != looped) {
            if !members.contains(&flow.to) {
                members.push(flow.to);
            }
        }
    }
    let one_member = |op: &Op| func.ops[*op].args.iter().filter(|a| members.contains(a)).count() == 1;
    steps.iter().all(one_member).then_some(Chain { steps, members })
}

/// Where one use of a running value leads; `None` if it is not a step of the accumulation.
fn follow(
    func: &Function,
    uses: &Uses,
    value: Value,
    op: Op,
    arg: usize,
    wanted: Family,
    steps: &mut Vec<Op>,
) -> Option<Vec<Value>> {
    let data = &func.ops[op];
    match data.kind {
        OpKind::Elem(ElemOp::Select) if arg > 0 => Some(data.results.clone()),
        OpKind::Elem(elem) if family(func, op) == Some(wanted) && !(elem == ElemOp::Sub && arg == 1) => {
            steps.push(op);
            Some(data.results.clone())
        }
        OpKind::Yield | OpKind::Continue(_) | OpKind::Break(_) | OpKind::For | OpKind::Loop => {
            let targets: Vec<Value> = uses.passes_on(value, op, arg).collect();
            (!targets.is_empty()).then_some(targets)
        }
        _ => None,
    }
}

/// `a[i] = a[i] + x` or `a[i] = max(x, a[i])`, where the old element is used for nothing else.
fn is_update_in_place(func: &Function, uses: &Uses, op: Op) -> bool {
    let olds = match family(func, op) {
        _ if !result_is_inexact(func, op) => return false,
        Some(Family::Sum) => 1,
        Some(Family::Extremum(_)) => 2,
        _ => return false,
    };
    let only_use = |value: Value| match uses.uses[value.index()].as_slice() {
        &[(user, arg)] => Some((user, arg)),
        _ => None,
    };
    let Some((store, 1)) = only_use(func.result(op)) else { return false };
    let store = &func.ops[store];
    let is_old = |value: Value| {
        only_use(value).is_some()
            && func.def_op(value).is_some_and(|load| {
                let load = &func.ops[load];
                load.kind == OpKind::LoadRaw
                    && load.args[0] == store.args[0]
                    && load.args[1..] == store.args[2..]
            })
    };
    store.kind == OpKind::StoreRaw && func.ops[op].args[..olds].iter().any(|&old| is_old(old))
}
