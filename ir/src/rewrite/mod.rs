//! What passes change functions with: positions and dominance ([`Layout`]), uses ([`Uses`]), replacement
//! ([`Replacements`]), copying ([`Cloner`]), moving and erasing, and equality of operations.
//!
//! Operations that are erased stay in the tables without standing in a block; [`compact`] drops them.
//! Values and blocks are never reused. `Layout` and `Uses` are snapshots, to be made again after changes.

mod choose;
mod clone;
mod equal;
mod layout;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::builder::Builder;
use crate::entity::{Block, Entity, Op, PrimaryMap, Value};
use crate::func::{Function, Module, ValueDef};
use crate::kind::OpKind;

pub use choose::choose;
pub use clone::{Cloner, ValueMap, clone_block, import_block, inline_block, write_out};
pub use equal::{hash_op, same_op};
pub use layout::Layout;

/// One use of a value: the operation and the operand's index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Use {
    pub op: Op,
    pub index: u32,
}

/// For each value its uses by operations that stand in a block, in order.
#[derive(Clone, Debug)]
pub struct Uses {
    uses: Vec<Vec<Use>>,
}

impl Uses {
    #[must_use]
    pub fn new(func: &Function) -> Self {
        let mut uses = vec![Vec::new(); func.values.len()];
        func.walk(func.entry, &mut |op| {
            for (index, arg) in (0..).zip(&func.ops[op].args) {
                uses[arg.index()].push(Use { op, index });
            }
        });
        Self { uses }
    }

    #[must_use]
    pub fn of(&self, value: Value) -> &[Use] {
        self.uses.get(value.index()).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn count(&self, value: Value) -> usize {
        self.of(value).len()
    }

    #[must_use]
    pub fn is_unused(&self, value: Value) -> bool {
        self.of(value).is_empty()
    }

    /// The operation that uses the value, if there is just one use.
    #[must_use]
    pub fn single(&self, value: Value) -> Option<Use> {
        match self.of(value) {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Whether no result of the operation is used.
    #[must_use]
    pub fn is_dead(&self, func: &Function, op: Op) -> bool {
        func.ops[op].results.iter().all(|&result| self.is_unused(result))
    }
}

/// Values that stand for others from now on. Collected first and applied once, since one replacement by
/// [`Function::replace_uses`] goes over all operations.
#[derive(Clone, Default, Debug)]
pub struct Replacements {
    /// By value; a chain where a replacement is replaced.
    by: Vec<Option<Value>>,
}

impl Replacements {
    /// `new` stands for `old`. What `new` is replaced by stands for both; a value never for itself.
    pub fn replace(&mut self, old: Value, new: Value) {
        let new = self.resolve(new);
        if new != old {
            self.by.resize(self.by.len().max(old.index() + 1), None);
            self.by[old.index()] = Some(new);
        }
    }

    pub fn replace_all(&mut self, old: &[Value], new: &[Value]) {
        old.iter().zip(new).for_each(|(&old, &new)| self.replace(old, new));
    }

    /// What stands for the value.
    #[must_use]
    pub fn resolve(&self, mut value: Value) -> Value {
        while let Some(next) = self.by.get(value.index()).copied().flatten() {
            value = next;
        }
        value
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by.iter().all(Option::is_none)
    }

    /// Replaces all operands.
    pub fn apply(&self, func: &mut Function) {
        func.replace_uses(|value| self.resolve(value));
    }
}

/// Takes operations out of their blocks, with all that is nested in them.
pub fn erase_ops(func: &mut Function, dead: &BTreeSet<Op>) {
    if !dead.is_empty() {
        for block in func.blocks.values_mut() {
            block.ops.retain(|op| !dead.contains(op));
        }
    }
}

/// Takes an operation out of its block. For many, [`erase_ops`] is faster.
pub fn erase_op(func: &mut Function, op: Op) {
    erase_ops(func, &BTreeSet::from([op]));
}

/// Puts values for the results of an operation and takes it out of its block.
///
/// # Panics
/// If there are not as many values as results.
pub fn replace_op(func: &mut Function, op: Op, values: &[Value]) {
    let results = func.ops[op].results.clone();
    assert_eq!(results.len(), values.len(), "one value for each result of {op}");
    let mut replacements = Replacements::default();
    replacements.replace_all(&results, values);
    erase_op(func, op);
    replacements.apply(func);
}

/// The index at which an operation stands in a block.
#[must_use]
pub fn index_in(func: &Function, block: Block, op: Op) -> Option<usize> {
    func.blocks[block].ops.iter().position(|&o| o == op)
}

/// The block and the index at which an operation stands; goes over all blocks.
#[must_use]
pub fn position(func: &Function, op: Op) -> Option<(Block, usize)> {
    func.blocks.iter().find_map(|(block, data)| data.ops.iter().position(|&o| o == op).map(|i| (block, i)))
}

/// Gives two operations each other's results, of equal types.
pub fn swap_results(func: &mut Function, a: Op, b: Op) {
    let (of_a, of_b) = (std::mem::take(&mut func.ops[a].results), std::mem::take(&mut func.ops[b].results));
    for (op, results) in [(a, of_b), (b, of_a)] {
        for (index, &result) in (0..).zip(&results) {
            func.values[result].def = ValueDef::Result(op, index);
        }
        func.ops[op].results = results;
    }
}

/// Puts an operation that stands in no block before `target`.
///
/// # Panics
/// If `target` stands in no block.
pub fn insert_before(func: &mut Function, op: Op, target: Op) {
    let (block, index) = position(func, target).expect("the target stands in a block");
    func.blocks[block].ops.insert(index, op);
}

/// Builds operations before `target`.
///
/// # Panics
/// If the target stands in no block.
pub fn build_before<R>(func: &mut Function, target: Op, build: impl FnOnce(&mut Builder<'_>) -> R) -> R {
    let (block, at) = position(func, target).expect("the target stands in a block");
    let rest = func.blocks[block].ops.split_off(at);
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[target].loc;
    let built = build(&mut b);
    func.blocks[block].ops.extend(rest);
    built
}

/// Moves an operation with all that is nested in it before `target`, which may stand in another block.
pub fn move_before(func: &mut Function, op: Op, target: Op) {
    erase_op(func, op);
    insert_before(func, op, target);
}

/// Puts the operations of `block`, which runs where `op` stands, in the place of `op`; all but the
/// terminator, whose operands are given back. For many, [`splice_blocks`] is faster.
pub fn splice_block(func: &mut Function, op: Op, block: Block) -> Vec<Value> {
    let mut ops = std::mem::take(&mut func.blocks[block].ops);
    let terminator = ops.pop().expect("a block ends with a terminator");
    let (outer, index) = position(func, op).expect("the operation stands in a block");
    func.blocks[outer].ops.splice(index..=index, ops);
    func.ops[terminator].args.clone()
}

/// Puts the second region of each `if` that asks for this value in its place; not one that leaves otherwise.
pub fn take_other_way(func: &mut Function, test: Op) {
    let asked = func.result(test);
    let branches: Vec<Op> = func
        .all_ops()
        .into_iter()
        .filter(|&op| func.ops[op].kind == OpKind::If && func.ops[op].args[0] == asked)
        .collect();
    let mut replacements = Replacements::default();
    for branch in branches {
        let (results, other) = (func.ops[branch].results.clone(), func.ops[branch].regions[1]);
        let ends = func.terminator(other).is_some_and(|end| func.ops[end].kind == OpKind::Yield);
        if ends {
            let values = splice_block(func, branch, other);
            replacements.replace_all(&results, &values);
        }
    }
    replacements.apply(func);
}

/// Puts the operations of a region, all but the terminator, in the place of each of these operations. They may nest.
pub fn splice_blocks(func: &mut Function, regions: &BTreeMap<Op, Block>) {
    if !regions.is_empty() {
        let entry = func.entry;
        let mut ops = Vec::new();
        splice_into(func, regions, entry, &mut ops);
        func.blocks[entry].ops = ops;
    }
}

fn splice_into(func: &mut Function, regions: &BTreeMap<Op, Block>, block: Block, ops: &mut Vec<Op>) {
    for op in std::mem::take(&mut func.blocks[block].ops) {
        if let Some(&region) = regions.get(&op) {
            splice_into(func, regions, region, ops);
            ops.pop().expect("a block ends with a terminator");
            continue;
        }
        for region in func.ops[op].regions.clone() {
            let mut inner = Vec::new();
            splice_into(func, regions, region, &mut inner);
            func.blocks[region].ops = inner;
        }
        ops.push(op);
    }
}

/// Whether a value is defined within the regions of an operation.
#[must_use]
pub fn is_defined_inside(func: &Function, layout: &Layout, value: Value, op: Op) -> bool {
    let block = match func.values[value].def {
        ValueDef::Param(block, _) => Some(block),
        ValueDef::Result(def, _) => layout.block_of(def),
    };
    block.is_some_and(|block| layout.is_block_inside(block, op))
}

/// The values that an operation's regions use but do not define, each once, in order of use.
#[must_use]
pub fn captures(func: &Function, layout: &Layout, op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for &region in &func.ops[op].regions {
        func.walk(region, &mut |inner| {
            for &arg in &func.ops[inner].args {
                if !is_defined_inside(func, layout, arg, op) && seen.insert(arg) {
                    found.push(arg);
                }
            }
        });
    }
    found
}

/// The function with only what is reachable, numbered in the order in which it is printed.
#[must_use]
pub fn compact(func: &Function) -> Function {
    let mut out = Function::new(&func.name, func.level);
    out.version = func.version;
    out.device = func.device;
    out.results.clone_from(&func.results);
    out.slots = func.slots;
    out.recursive = func.recursive;
    out.operation.clone_from(&func.operation);
    out.region.clone_from(&func.region);
    let entry = out.entry;
    Cloner::default().fill_block(&mut out, Some(func), func.entry, entry);
    out
}

/// All functions [`compact`]ed.
#[must_use]
pub fn compact_module(module: &Module) -> Module {
    let mut funcs = PrimaryMap::default();
    for func in module.funcs.values() {
        funcs.push(compact(func));
    }
    Module { funcs, ..module.clone() }
}
