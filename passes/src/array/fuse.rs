//! Elementwise fusion: one loop over elements instead of one for each operation, and no temporaries.
//!
//! ```text
//! %3: array<f64, 1> = mul %0, %1        %5: f64 = map[reduce sum] %0, %1, %2 {
//! %4: array<f64, 1> = add %3, %2    ⇒   (%6: f64, %7: f64, %8: f64):
//! %5: f64 = reduce[sum] %4                  %9: f64 = mul %6, %7
//!                                           %10: f64 = add %9, %8
//!                                           yield %10
//!                                       }
//! ```
//!
//! A producer joins the operation that uses it when nobody else uses it but for its lengths, which follow from its operands, when
//! it may as well stand there, and when it would not be computed more often than before (its shape is not stretched). Into an
//! assignment it joins when no input overlaps the destination except as the very same elements, and rows or columns, which are
//! copied: `a[:] = minimum(a, a[:, k:k + 1] + a[k])`. Where a write keeps producers from joining, others stay with them that make one array of several.
//! NumPy's complaints about shapes stay where they were, as checks. It fuses within one block, does not fuse
//! operations that share only inputs, and does not reorder loops.

mod group;
mod shape_checks;

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::rewrite::{Replacements, Uses};
use pydd_ir::{Block, Builder, Function, Level, MapTarget, Module, Op, OpKind, Type, Value};
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::shapes::Shapes;
use crate::array::each_function;
use crate::pass::{Finding, Need, OptLevel, Pass, PassContext};
use crate::report;
use group::{Finder, Group};
pub(super) use shape_checks::broadcast_axis;

pub const PASS: Pass = Pass {
    name: "fuse",
    summary: "compute elementwise operations in one loop, without temporaries",
    takes: Level::Array,
    gives: Level::Array,
    need: Need::From(OptLevel::O2),
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    each_function(module, |func, summaries| {
        let mut rewrites = Rewrites::default();
        let uses = Uses::new(func);
        let groups = find(func, &uses, summaries, cx.options.strict_fp);
        report::fusion(cx, func, groups.iter().map(|group| (group.members.as_slice(), group.root)));
        for group in groups {
            rewrite(func, &group, &uses, &mut rewrites);
        }
        rewrites.apply(func);
    });
    Ok(())
}

/// All groups of the function. Each operation is in one at most.
fn find(func: &Function, uses: &Uses, summaries: &Summaries, strict_fp: bool) -> Vec<Group> {
    let (memory, shapes) = (MemoryInfo::new(func, summaries), Shapes::of(func));
    let mut finder = Finder::new(func, &memory, uses, &shapes, strict_fp);
    let mut blocks = vec![func.entry];
    while let Some(block) = blocks.pop() {
        finder.block(block);
        for &op in &func.blocks[block].ops {
            // The region of a map is scalar code.
            if !matches!(func.ops[op].kind, OpKind::Map(_)) {
                blocks.extend(&func.ops[op].regions);
            }
        }
    }
    finder.groups
}

/// What becomes of a function's operations, collected first and done at once.
#[derive(Default)]
struct Rewrites {
    /// By operation, what comes before it.
    before: BTreeMap<Op, Vec<Op>>,
    dead: BTreeSet<Op>,
    replacements: Replacements,
}

impl Rewrites {
    fn apply(self, func: &mut Function) {
        if self.before.is_empty() && self.dead.is_empty() {
            return;
        }
        for block in func.blocks.values_mut() {
            let mut ops = Vec::with_capacity(block.ops.len());
            for &op in &block.ops {
                ops.extend(self.before.get(&op).into_iter().flatten());
                ops.extend((!self.dead.contains(&op)).then_some(op));
            }
            block.ops = ops;
        }
        self.replacements.apply(func);
    }
}

fn rewrite(func: &mut Function, group: &Group, uses: &Uses, rewrites: &mut Rewrites) {
    let lengths = shape_checks::emit(func, group, &mut rewrites.before);
    answer_lengths(func, group, uses, &lengths, rewrites);
    let root = func.ops[group.root].clone();
    let inputs = array_inputs(func, group);
    let (target, mut args) = match root.kind {
        OpKind::Assign => (MapTarget::Into, [&[root.args[0]], inputs.as_slice()].concat()),
        OpKind::Reduce(spec) => (MapTarget::Reduce(spec), inputs.clone()),
        _ => (MapTarget::Fresh, inputs.clone()),
    };
    let region = build_region(func, group, &args, &inputs);
    for &input in &group.copied {
        let copy = func.new_op(OpKind::Copy, vec![input], &[func.ty(input)], vec![], root.loc);
        let result = func.result(copy);
        args.iter_mut().filter(|arg| **arg == input).for_each(|arg| *arg = result);
        rewrites.before.entry(group.root).or_default().push(copy);
    }
    let types: Vec<Type> = root.results.iter().map(|&r| func.ty(r)).collect();
    let map = func.new_op(OpKind::Map(target), args, &types, vec![region], root.loc);
    for (&old, new) in root.results.iter().zip(func.ops[map].results.clone()) {
        func.names.extend(func.names.get(&old).cloned().map(|names| (new, names)));
    }
    rewrites.before.entry(group.root).or_default().push(map);
    rewrites.dead.extend(group.members.iter().copied().chain([group.root]));
    rewrites.replacements.replace_all(&root.results, &func.ops[map].results);
}

/// Who asks how long a member's result is gets what follows from its operands.
fn answer_lengths(
    func: &Function,
    group: &Group,
    uses: &Uses,
    lengths: &BTreeMap<Value, Vec<Value>>,
    rewrites: &mut Rewrites,
) {
    for &member in &group.members {
        let result = func.result(member);
        for used in uses.of(result) {
            if let OpKind::Dim(axis) = func.ops[used.op].kind {
                rewrites.replacements.replace(func.result(used.op), lengths[&result][usize::from(axis)]);
                rewrites.dead.insert(used.op);
            }
        }
    }
}

/// The operations whose elements the region computes, in order: the root too where it is elementwise.
fn computed(func: &Function, group: &Group) -> Vec<Op> {
    let mut ops = group.members.clone();
    if group::is_elementwise(func, group.root) {
        ops.push(group.root);
    }
    ops
}

/// Arrays that the group takes from outside, each once, in order of use.
fn array_inputs(func: &Function, group: &Group) -> Vec<Value> {
    let ops = computed(func, group);
    let inside: BTreeSet<Value> = ops.iter().flat_map(|&op| func.ops[op].results.clone()).collect();
    let mut inputs = Vec::new();
    for &op in &ops {
        for &arg in &func.ops[op].args {
            if func.ty(arg).is_array() && !inside.contains(&arg) && !inputs.contains(&arg) {
                inputs.push(arg);
            }
        }
    }
    inputs
}

/// The scalar code for one element. Scalars from outside are used as they are.
fn build_region(func: &mut Function, group: &Group, args: &[Value], inputs: &[Value]) -> Block {
    let region = func.new_block();
    let mut element: BTreeMap<Value, Value> = BTreeMap::new();
    let first_input = args.len() - inputs.len();
    for (i, &arg) in args.iter().enumerate() {
        let dtype = func.ty(arg).dtype().expect("arrays have elements");
        let param = func.add_param(region, Type::Scalar(dtype));
        if i >= first_input {
            element.insert(arg, param);
        }
    }
    let ops = computed(func, group);
    let mut last = None;
    for op in ops {
        let data = func.ops[op].clone();
        let dtype = func.ty(data.results[0]).dtype().expect("arrays have elements");
        let operands = data.args.iter().map(|arg| element.get(arg).copied().unwrap_or(*arg)).collect();
        let mut b = Builder::new(func, region);
        b.loc = data.loc;
        let value = b.value(data.kind, operands, Type::Scalar(dtype));
        element.insert(data.results[0], value);
        last = Some(value);
    }
    let mut b = Builder::new(func, region);
    b.loc = b.func.ops[group.root].loc;
    b.effect(OpKind::Yield, vec![last.expect("a group computes something")]);
    region
}
