//! Copies of blocks, within a function or from another one.

use crate::builder::Builder;
use crate::entity::{Block, Entity, Op, Slot, Value};
use crate::func::{Function, Loc, OpData};
use crate::op::OpKind;
use crate::rewrite::{Replacements, position};

/// What stands in the copy for values of the original.
#[derive(Clone, Default, Debug)]
pub struct ValueMap {
    by: Vec<Option<Value>>,
}

impl ValueMap {
    pub fn insert(&mut self, old: Value, new: Value) {
        self.by.resize(self.by.len().max(old.index() + 1), None);
        self.by[old.index()] = Some(new);
    }

    pub fn insert_all(&mut self, old: &[Value], new: &[Value]) {
        old.iter().zip(new).for_each(|(&old, &new)| self.insert(old, new));
    }

    #[must_use]
    pub fn get(&self, old: Value) -> Option<Value> {
        self.by.get(old.index()).copied().flatten()
    }
}

/// A copy in the making: the values so far, and what is changed on the way.
#[derive(Clone, Default, Debug)]
pub struct Cloner {
    pub values: ValueMap,
    /// Given to all copied operations, instead of their own.
    pub loc: Option<Loc>,
    /// Added to slots, for code of another function.
    pub slot_offset: usize,
}

impl Cloner {
    /// Copies an operation without putting it into a block. `src` is the function it stands in, `None`: the
    /// same one. Operands without a new value stay in the same function.
    ///
    /// # Panics
    /// If code from another function uses a value that nothing stands for.
    pub fn op(&mut self, dst: &mut Function, src: Option<&Function>, op: Op) -> Op {
        let data = src.map_or_else(|| dst.ops[op].clone(), |src| src.ops[op].clone());
        let OpData { mut kind, args, results, regions, loc } = data;
        self.shift_slots(&mut kind);
        let args = args.into_iter().map(|arg| self.operand(src.is_some(), arg)).collect();
        let types: Vec<_> = results.iter().map(|&r| src.map_or_else(|| dst.ty(r), |src| src.ty(r))).collect();
        let copy = dst.new_op(kind, args, &types, Vec::new(), self.loc.unwrap_or(loc));
        for (i, &result) in results.iter().enumerate() {
            self.stands_for(dst, src, result, dst.ops[copy].results[i]);
        }
        for region in regions {
            let region = self.block(dst, src, region);
            dst.ops[copy].regions.push(region);
        }
        copy
    }

    fn stands_for(&mut self, dst: &mut Function, src: Option<&Function>, old: Value, new: Value) {
        self.values.insert(old, new);
        let names = src.unwrap_or(dst).names.get(&old).cloned();
        dst.names.extend(names.map(|names| (new, names)));
    }

    fn operand(&self, other: bool, arg: Value) -> Value {
        match self.values.get(arg) {
            Some(value) => value,
            None if other => panic!("nothing stands for {arg} in the copy"),
            None => arg,
        }
    }

    fn shift_slots(&self, kind: &mut OpKind) {
        if let OpKind::Own { slot, .. } | OpKind::Disown(slot) = kind {
            *slot = Slot::new(slot.index() + self.slot_offset);
        }
    }

    /// Copies a block with new parameters.
    pub fn block(&mut self, dst: &mut Function, src: Option<&Function>, block: Block) -> Block {
        let copy = dst.new_block();
        dst.blocks[copy].cold = src.unwrap_or(dst).blocks[block].cold;
        self.fill_block(dst, src, block, copy);
        copy
    }

    /// Copies parameters and operations to the end of a block.
    pub fn fill_block(&mut self, dst: &mut Function, src: Option<&Function>, block: Block, into: Block) {
        let params = src.unwrap_or(dst).blocks[block].params.clone();
        for param in params {
            let ty = src.unwrap_or(dst).ty(param);
            let copy = dst.add_param(into, ty);
            self.stands_for(dst, src, param, copy);
        }
        self.ops(dst, src, block, into);
    }

    /// Copies the operations to the end of a block. What stands for the parameters is in `values`.
    pub fn ops(&mut self, dst: &mut Function, src: Option<&Function>, block: Block, into: Block) {
        let ops = src.unwrap_or(dst).blocks[block].ops.clone();
        for op in ops {
            let copy = self.op(dst, src, op);
            dst.blocks[into].ops.push(copy);
        }
    }
}

/// A copy of a block within its function. Values from outside stay, except those that the map replaces.
pub fn clone_block(func: &mut Function, block: Block, values: ValueMap) -> Block {
    Cloner { values, ..Cloner::default() }.block(func, None, block)
}

/// A copy of another function's block. The map has all values from outside the block.
pub fn import_block(dst: &mut Function, src: &Function, block: Block, values: ValueMap) -> Block {
    Cloner { values, ..Cloner::default() }.block(dst, Some(src), block)
}

/// Copies a block's operations to the end of another block of the function, with `args` for its
/// parameters. The terminator is not copied; what its operands are in the copy is given back.
pub fn inline_block(func: &mut Function, block: Block, args: &[Value], into: Block) -> Vec<Value> {
    let mut cloner = Cloner::default();
    cloner.values.insert_all(&func.blocks[block].params, args);
    let mut ops = func.blocks[block].ops.clone();
    let terminator = ops.pop().expect("a block ends with a terminator");
    for op in ops {
        let copy = cloner.op(func, None, op);
        func.blocks[into].ops.push(copy);
    }
    func.ops[terminator].args.iter().map(|&arg| cloner.values.get(arg).unwrap_or(arg)).collect()
}

/// Writes a `for` out: its body once for each of these indices, each of which runs to its end.
///
/// # Panics
/// If the loop stands in no block.
pub fn write_out(func: &mut Function, looped: Op, indices: &[i64]) {
    let data = func.ops[looped].clone();
    let mut carried = func.init(looped).to_vec();
    let block = func.new_block();
    for &index in indices {
        let mut b = Builder::new(func, block);
        b.loc = data.loc;
        let index = b.int(index);
        let args: Vec<Value> = std::iter::once(index).chain(carried).collect();
        carried = inline_block(func, data.regions[0], &args, block);
    }
    let made = std::mem::take(&mut func.blocks[block].ops);
    let (home, at) = position(func, looped).expect("the loop stands in a block");
    func.blocks[home].ops.splice(at..=at, made);
    let mut replacements = Replacements::default();
    replacements.replace_all(&data.results, &carried);
    replacements.apply(func);
}
