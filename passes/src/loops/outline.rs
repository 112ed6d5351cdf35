//! Makes a function of the body of each parallel loop, and launches it.
//!
//! ```text
//! func @f loop (%0: array<f64, 1>, %1: i64, …)
//!     pfor[| sliced write [i]] %2, %1, %3, %0 {         launch[@f.region0] %2, %1, %3, %cost, %free, %0
//!     (%i: i64):                                  ⇒
//!         store_raw %0, %4, %i
//!         continue
//!     }
//!                                                     func @f.region0 loop region[| m0 sliced write [i]]
//!                                                             (begin, end, start, step, %0: array<f64, 1>)
//!                                                         for (the iterations begin..end) { … }
//! ```
//!
//! Whoever runs iterations of the loop (threads, later a GPU, tasks or other machines) calls that function for a piece of the range.
//! It is given what the body captures, with the loop's table: operands of the table first, then all else. Constants and lengths
//! are made again inside. Loops inside loops come first.
//!
//! Slots that the body uses are the new function's own. A loop without a table, or one that still reduces into arrays, becomes a `for`, unless it only updates
//! their elements and is for devices (see [`privatize`](crate::array::privatize)). The table takes parameters as different arrays.
//! Where that is not known, as in versions for any arguments, `%free` is a test that what iterations write
//! meets nothing else that they use, nor itself, and that the pointers rise between which it writes segments.

mod guards;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Origin, Summaries};
use pydd_ir::cost::Cost;
use pydd_ir::device::only_updates;
use pydd_ir::rewrite::{Cloner, Layout, ValueMap, captures, import_block, position};
use pydd_ir::sharing::{Capture, Footprint, Residence, Segment, Span, Symbol};
use pydd_ir::{
    Builder, ElemOp, Entity, FuncRef, Function, Level, Module, Op, OpKind, Parallel, Region, Sharing, Table,
    Type, Value, Version,
};

use crate::lower::overlap::{Stretch, meet};
use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "outline",
    summary: "make functions of the bodies of parallel loops",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    let has_loops = |func: &Function| func.level == Level::Loop && !pfors(func).is_empty();
    let funcs: Vec<FuncRef> =
        module.funcs.iter().filter(|(_, func)| has_loops(func)).map(|(f, _)| f).collect();
    if funcs.is_empty() {
        return Ok(());
    }
    let summaries = Summaries::of_callees(module);
    for f in funcs {
        let func = &module.funcs[f];
        let memory = MemoryInfo::new(func, &summaries);
        let layout = Layout::new(func);
        let plans: Vec<Plan> =
            pfors(func).into_iter().map(|op| Plan::new(func, &memory, &layout, op)).collect();
        for (number, plan) in plans.iter().enumerate().rev() {
            match &plan.table {
                Some(table) => {
                    let callee = FuncRef::new(module.funcs.len());
                    let region = plan.outline(&mut module.funcs[f], (callee, number), &memory, table);
                    module.funcs.push(region);
                }
                None => {
                    let data = &mut module.funcs[f].ops[plan.op];
                    data.kind = OpKind::For;
                    data.args.truncate(3 + data.results.len());
                }
            }
        }
    }
    Ok(())
}

/// Outer loops before those in them.
fn pfors(func: &Function) -> Vec<Op> {
    func.all_ops().into_iter().filter(|&op| matches!(func.ops[op].kind, OpKind::PFor(_))).collect()
}

/// What is known of a loop before any is outlined.
struct Plan {
    op: Op,
    /// Of a loop that may be launched.
    table: Option<Table>,
    /// Operands of the table, then what else the body captures.
    captured: Vec<Value>,
    /// Operations from outside that are made again inside.
    repeated: Vec<Op>,
    /// Pairs of arrays of which one is written, that may overlap.
    clashes: Vec<[Value; 2]>,
    /// Arrays that are written, of which elements may lie in one place.
    folded: Vec<Value>,
    cost: Cost,
}

impl Plan {
    fn new(func: &Function, memory: &MemoryInfo, layout: &Layout, op: Op) -> Self {
        let mut plan = Self {
            op,
            table: None,
            captured: func.table_args(op).to_vec(),
            repeated: Vec::new(),
            clashes: Vec::new(),
            folded: Vec::new(),
            cost: Cost::of_iteration(func, layout, op),
        };
        let is_passed =
            |value: &Value| func.def_op(*value).is_none_or(|def| !is_made_again(&func.ops[def].kind));
        let mut seen: BTreeSet<Value> = plan.captured.iter().copied().filter(is_passed).collect();
        captures(func, layout, op).into_iter().for_each(|value| plan.capture(func, value, &mut seen));
        let OpKind::PFor(Parallel { table: Some(table), .. }) = &func.ops[op].kind else { return plan };
        let is_for_threads = |(row, &array): (&Sharing<Symbol>, &Value)| match *row {
            Sharing::Reduced(reduce) => {
                func.device && only_updates(func, memory, func.ops[op].regions[0], array, reduce)
            }
            _ => true,
        };
        let may_launch = table.rows.iter().zip(func.table_args(op)).all(is_for_threads);
        if may_launch && plan.find_clashes(func, memory, table) {
            plan.table = Some(table.clone());
        }
        plan
    }

    /// Has a value in the region, if it is not among those `seen`: constants, lengths and views are made again, of what is captured, so that
    /// all that is known of them is known inside.
    fn capture(&mut self, func: &Function, value: Value, seen: &mut BTreeSet<Value>) {
        if !seen.insert(value) {
            return;
        }
        match func.def_op(value) {
            Some(def) if is_made_again(&func.ops[def].kind) => {
                func.ops[def].args.iter().for_each(|&arg| self.capture(func, arg, seen));
                self.repeated.push(def);
            }
            _ => self.captured.push(value),
        }
    }

    /// Finds what has to be tested; whether a test can tell.
    fn find_clashes(&mut self, func: &Function, memory: &MemoryInfo, table: &Table) -> bool {
        let memory_of = |value: &&Value| func.ty(**value).is_memory();
        let appended: Vec<Value> = table
            .rows
            .iter()
            .zip(&self.captured)
            .filter(|(row, _)| **row == Sharing::Appended)
            .map(|(_, &list)| list)
            .collect();
        let mut clashes = Vec::new();
        for (i, &one) in self.captured.iter().enumerate().filter(|(_, value)| memory_of(value)) {
            for &other in self.captured[i + 1..].iter().filter(memory_of) {
                let writes = |value: Value| self.is_written(func, table, value);
                let apart = !memory.may_alias(one, other) || !(writes(one) || writes(other));
                if apart || base(func, one) == base(func, other) {
                    continue;
                }
                if appended.contains(&one) || appended.contains(&other) {
                    return false;
                }
                if func.ty(one).is_array() && func.ty(other).is_array() {
                    clashes.push([one, other]);
                }
            }
        }
        self.clashes = clashes;
        // Arguments of the fast version have no gaps, and what a function makes is laid out by itself.
        let given = |value: Value| {
            memory.classes(value).iter().any(|class| !matches!(memory.origin(class), Origin::Fresh(..)))
        };
        let may_fold = |value: &Value| {
            func.ty(*value).is_array() && given(*value) && self.is_written(func, table, *value)
        };
        if func.version != Version::Fast {
            self.folded = self.captured.iter().copied().filter(may_fold).collect();
        }
        true
    }

    /// Puts a launch in the place of the loop; gives the function that its body becomes.
    fn outline(
        &self,
        func: &mut Function,
        (callee, number): (FuncRef, usize),
        memory: &MemoryInfo,
        table: &Table,
    ) -> Function {
        let region = self.function(func, number, memory, table);
        let init = func.init(self.op).to_vec();
        let (block, index) = position(func, self.op).expect("the loop stands in a block");
        let rest = func.blocks[block].ops.split_off(index);
        let mut b = Builder::new(func, block);
        b.loc = b.func.ops[self.op].loc;
        let cost = self.cost.emit(&mut b, None);
        let (start, stop) = (b.func.ops[self.op].args[0], b.func.ops[self.op].args[1]);
        let free = self.test(&mut b, table, [start, stop]);
        func.blocks[block].ops.extend(rest);
        let data = &mut func.ops[self.op];
        data.kind = OpKind::Launch(callee);
        data.regions.clear();
        data.args = [&data.args[..3], &[cost, free], &self.captured, &init].concat();
        region
    }

    /// Whether iterations may run at once.
    fn test(&self, b: &mut Builder<'_>, table: &Table, [start, stop]: [Value; 2]) -> Value {
        let mut stretches: BTreeMap<Value, Stretch> = BTreeMap::new();
        for &array in self.clashes.iter().flatten() {
            stretches.entry(array).or_insert_with(|| Stretch::of(b, array));
        }
        let mut free = b.bool(true);
        for pair in &self.clashes {
            let meets = meet(b, pair.map(|array| stretches[&array]));
            let apart = b.elem(ElemOp::Not, &[meets]);
            free = b.elem(ElemOp::And, &[free, apart]);
        }
        for &array in &self.folded {
            let unfolded = guards::is_unfolded(b, array);
            free = b.elem(ElemOp::And, &[free, unfolded]);
        }
        let mut segments: Vec<&Segment<Symbol>> = table.written_segments().collect();
        segments.dedup();
        for segment in segments {
            let rises = guards::is_rising(b, segment, &self.captured, [start, stop]);
            free = b.elem(ElemOp::And, &[free, rises]);
        }
        free
    }

    fn function(&self, func: &Function, number: usize, memory: &MemoryInfo, table: &Table) -> Function {
        let data = &func.ops[self.op];
        let OpKind::PFor(parallel) = &data.kind else { unreachable!("a parallel loop is outlined") };
        let mut region = Function::new(&format!("{}.region{number}", func.name), Level::Loop);
        region.version = func.version;
        region.device = func.device;
        region.region =
            Some(Region { captures: self.shared(func, memory, table), reduce: parallel.reduce.clone() });
        region.slots = func.slots;
        region.results = data.results.iter().map(|&result| func.ty(result)).collect();
        let entry = region.entry;
        let mut values = ValueMap::default();
        let [begin, end, start, step] = [(); 4].map(|()| region.add_param(entry, Type::I64));
        for &value in &self.captured {
            let param = region.add_param(entry, func.ty(value));
            values.insert(value, param);
            let names = func.names.get(&value).cloned();
            region.names.extend(names.map(|names| (param, names)));
        }
        let results = region.results.clone();
        let carried: Vec<Value> = results.iter().map(|&ty| region.add_param(entry, ty)).collect();
        let mut cloner = Cloner { values, ..Cloner::default() };
        for &op in &self.repeated {
            let copy = cloner.op(&mut region, Some(func), op);
            region.blocks[entry].ops.push(copy);
        }
        let constant_step = func.as_int(data.args[2]);
        let by = constant_step.filter(|step| matches!(step, 1 | -1));
        let mut b = Builder::new(&mut region, entry);
        b.loc = data.loc;
        let one = b.int(by.unwrap_or(1));
        let step = constant_step.map_or(step, |step| b.int(step));
        // What is known of it is known inside.
        let start = func.as_int(data.args[0]).map_or(start, |start| b.int(start));
        let (range, body) = match by {
            Some(by) => {
                let elem = if by > 0 { ElemOp::Add } else { ElemOp::Sub };
                let range = [b.elem(elem, &[start, begin]), b.elem(elem, &[start, end]), one];
                (range, import_block(b.func, func, data.regions[0], cloner.values))
            }
            None => ([begin, end, one], counted_body(&mut b, func, data.regions[0], cloner, [start, step])),
        };
        let looped = b.op(OpKind::For, [&range[..], &carried].concat(), &results, vec![body]);
        let done = b.func.ops[looped].results.clone();
        b.effect(OpKind::Return, done);
        region
    }

    /// How iterations share what is captured. What no row is about is only read, or another name of what is written.
    fn shared(&self, func: &Function, memory: &MemoryInfo, table: &Table) -> Vec<Capture> {
        let groups = groups(func, memory, &self.captured);
        let sharing = |(at, &value): (usize, &Value)| {
            let all = || Footprint(vec![Span::All; usize::from(func.ty(value).rank())]);
            // Views are made again inside, of the array that they are of.
            let is_seen_through =
                self.captured.iter().any(|&view| view != value && base(func, view) == value);
            match table.rows.get(at) {
                Some(Sharing::Sliced { writes, .. }) if is_seen_through => {
                    Sharing::Sliced { writes: *writes, footprint: all() }
                }
                Some(row) => row.clone(),
                None if self.is_written(func, table, value) => {
                    Sharing::Sliced { writes: true, footprint: all() }
                }
                None => Sharing::<Symbol>::Invariant,
            }
        };
        let sharing = self.captured.iter().enumerate().map(sharing);
        sharing
            .zip(groups)
            .zip(&self.captured)
            .map(|((sharing, group), &value)| Capture {
                sharing,
                memory: group,
                held: memory.is_held(func, value),
                residence: Residence::default(),
            })
            .collect()
    }

    /// Whether captured memory is what the table calls written, or a view of that.
    fn is_written(&self, func: &Function, table: &Table, value: Value) -> bool {
        let rows = table.rows.iter().zip(&self.captured);
        let wanted = base(func, value);
        rows.into_iter().any(|(row, &other)| row.writes() && base(func, other) == wanted)
    }
}

const fn is_made_again(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Const(_) | OpKind::Dim(_) | OpKind::Stride(_) | OpKind::RawView)
}

/// The loop's body with the index made of the iteration's number.
fn counted_body(
    b: &mut Builder<'_>,
    func: &Function,
    block: pydd_ir::Block,
    mut cloner: Cloner,
    [start, step]: [Value; 2],
) -> pydd_ir::Block {
    let params = &func.blocks[block].params;
    let types: Vec<Type> = params.iter().map(|&param| func.ty(param)).collect();
    b.region(&types, |b, made| {
        let gone = b.mul(made[0], step);
        let index = b.add(start, gone);
        cloner.values.insert_all(params, made);
        cloner.values.insert(params[0], index);
        let into = b.block;
        cloner.ops(b.func, Some(func), block, into);
    })
}

/// A number for each value; memory that may overlap has one number.
fn groups(func: &Function, memory: &MemoryInfo, values: &[Value]) -> Vec<u32> {
    let mut groups: Vec<u32> = (0..).take(values.len()).collect();
    let is_memory = |value: Value| func.ty(value).is_memory();
    for (i, &one) in values.iter().enumerate().filter(|&(_, &value)| is_memory(value)) {
        for (j, &other) in values.iter().enumerate().skip(i + 1).filter(|&(_, &value)| is_memory(value)) {
            if memory.may_alias(one, other) {
                let (a, b) = (groups[i].min(groups[j]), groups[i].max(groups[j]));
                groups.iter_mut().filter(|group| **group == b).for_each(|group| *group = a);
            }
        }
    }
    groups
}

/// The array that a view is of.
fn base(func: &Function, value: Value) -> Value {
    match func.def_op(value).map(|op| &func.ops[op]) {
        Some(view) if view.kind == OpKind::RawView => base(func, view.args[0]),
        _ => value,
    }
}
