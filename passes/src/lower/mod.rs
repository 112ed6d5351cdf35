//! Bufferize: array IR becomes loop IR, with explicit buffers, loops and checks.
//!
//! ```text
//! %c = add %a, %b : array<f64, 1>        %ok = …shapes broadcast…   check %ok, ValueError "…"
//!                                   ⇒    %c = empty %n
//!                                        for %i in 0, %n, 1 { storeraw %c, (add (loadraw %a %i) (loadraw %b %i)) %i }
//! ```
//!
//! The function is built anew, one operation after the other; each family of operations has a file. An
//! operation that may raise becomes a `check` and a total operation. What is known of shapes
//! ([`crate::analysis::shapes`]) decides which checks, broadcasts and strides are left to run time.
//!
//! It does not fuse, does not reuse buffers, does not move checks out of loops, and leaves lifetimes to
//! [`crate::ownership`].

mod arith;
mod array;
mod assign;
mod bounds;
mod broadcast;
mod build;
mod by_stride;
mod contraction;
mod create;
mod elementwise;
mod index;
mod library;
mod nest;
pub mod overlap;
mod product;
mod reduce;
mod reduce_axes;
mod reshape;
mod rows;
mod search;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{
    Block, Builder, Entity, Function, Level, LibOp, Literal, MapTarget, Module, Op, OpKind, Type, Value,
    Version,
};

use self::array::Array;
use self::bounds::Range;
pub use self::broadcast::{assign_message, broadcast_message, shown};
pub use self::index::OUT_OF_BOUNDS;
use self::product::Delayed;
pub use self::reduce::{empty_message, identity};
use crate::analysis::shapes::{Length, Shapes};
use crate::pass::{Finding, Need, OptLevel, Options, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "lower",
    summary: "turn whole-array operations and checked accesses into loops, buffers and checks",
    takes: Level::Array,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

fn run(module: &mut Module, cx: &PassContext<'_>) -> Result<(), Finding> {
    let summaries = Summaries::of_callees(module);
    for func in module.funcs.values_mut().filter(|f| f.level == Level::Array) {
        *func = lower_function(func, &summaries, cx.options);
    }
    Ok(())
}

/// The loop IR of an array-IR function.
fn lower_function(src: &Function, summaries: &Summaries, options: &Options) -> Function {
    let mut dst = Function::new(&src.name, Level::Loop);
    dst.version = src.version;
    dst.device = src.device;
    dst.results.clone_from(&src.results);
    dst.recursive = src.recursive;
    dst.operation.clone_from(&src.operation);
    let entry = dst.entry;
    let mut lower = Lower {
        src,
        b: Builder::new(&mut dst, entry),
        shapes: Shapes::of(src),
        memory: asks_of_memory(src).then(|| MemoryInfo::new(src, summaries)),
        used: used(src),
        map: vec![None; src.values.len()],
        arrays: BTreeMap::new(),
        ranges: BTreeMap::new(),
        known: Known::default(),
        in_blocks: options.makes_parallel(src) && src.version != Version::General,
        loops_around: 0,
        terms: BTreeMap::new(),
        delayed: None,
        joins_sums: false,
        rows: rows::loops_of_rows(src, summaries, options),
        in_rows: false,
        found: BTreeSet::new(),
        strict_fp: options.strict_fp,
        loops_for_products: options.opt_level >= OptLevel::O2 && !options.strict_fp,
    };
    for &param in src.params() {
        let value = lower.b.func.add_param(entry, src.ty(param));
        lower.define(param, value);
    }
    lower.block(src.entry);
    debug_assert!(lower.delayed.is_none(), "its search stands in the same block");
    let map = lower.map;
    for (value, names) in &src.names {
        if let Some(made) = map[value.index()] {
            names.iter().for_each(|name| dst.add_name(made, name));
        }
    }
    dst
}

/// By value: whether it is an operand.
fn used(func: &Function) -> Vec<bool> {
    let mut used = vec![false; func.values.len()];
    for op in func.all_ops() {
        func.ops[op].args.iter().for_each(|arg| used[arg.index()] = true);
    }
    used
}

/// Whether anything asks what may overlap.
fn asks_of_memory(func: &Function) -> bool {
    func.ops.values().any(|data| match data.kind {
        OpKind::Overlaps | OpKind::Lib(LibOp::Matmul) => true,
        OpKind::Reduce(ref spec) => reduce::is_position(spec.op),
        OpKind::Assign => func.ty(data.args[1]).is_array(),
        _ => false,
    })
}

/// The state of lowering one function: what was made of each value, and what is known of it.
struct Lower<'a> {
    src: &'a Function,
    b: Builder<'a>,
    shapes: Shapes<'a>,
    /// Where something asks for it.
    memory: Option<MemoryInfo>,
    /// Values of `src` that are operands.
    used: Vec<bool>,
    /// From values of `src` to values made.
    map: Vec<Option<Value>>,
    /// Arrays made.
    arrays: BTreeMap<Value, Array>,
    /// Induction variables made.
    ranges: BTreeMap<Value, Range>,
    known: Known,
    /// Whether loops over rows are cut into blocks of columns, which may run in any order.
    in_blocks: bool,
    /// How many loops of the source are around what is lowered.
    loops_around: usize,
    /// Of sums along one axis of the source's arrays, how many terms they have.
    terms: BTreeMap<Value, Value>,
    /// A product that is made where it is searched.
    delayed: Option<Delayed>,
    /// Whether what is lowered searches sums of few terms, whatever their number.
    joins_sums: bool,
    /// Loops of the source that search a row of sums in each iteration.
    rows: BTreeSet<Op>,
    /// Whether what is lowered is in one of these, and the sums are few and short.
    in_rows: bool,
    /// Reductions that were found by others before them.
    found: BTreeSet<Op>,
    strict_fp: bool,
    /// Whether products of matrices may be loops, which need vectors, and sums in another order for that.
    loops_for_products: bool,
}

/// Facts that hold up to the end of the block in which they were found.
#[derive(Default)]
struct Known {
    /// Constants made.
    ints: BTreeMap<i64, Value>,
    /// Indices that were checked against a length, and what became of them.
    checked: BTreeMap<(Value, Value), Value>,
    log: Vec<Fact>,
}

enum Fact {
    Int(i64),
    Checked(Value, Value),
}

impl Known {
    fn forget_from(&mut self, mark: usize) {
        for fact in self.log.drain(mark..) {
            match fact {
                Fact::Int(value) => self.ints.remove(&value),
                Fact::Checked(index, dim) => self.checked.remove(&(index, dim)),
            };
        }
    }
}

impl Lower<'_> {
    /// What stands for a value of the source function.
    fn get(&self, value: Value) -> Value {
        self.map[value.index()].expect("operands are lowered before their users")
    }

    fn args(&self, op: Op) -> Vec<Value> {
        self.src.ops[op].args.iter().map(|&v| self.get(v)).collect()
    }

    /// `value` stands for `src` from now on; of arrays only what `src` says is known.
    fn define(&mut self, src: Value, value: Value) {
        self.map[src.index()] = Some(value);
        if self.src.ty(src).is_array() && !self.arrays.contains_key(&value) {
            let layout = self.shapes.layout(src).clone();
            let dims = layout.dims.iter().enumerate().map(|(axis, &length)| match length {
                Length::Const(n) => self.int(n),
                Length::Scalar(n) => self.get(n),
                Length::Axis(array, k) if array != src => self.array(self.get(array)).dims[usize::from(k)],
                Length::Axis(..) => self.b.dim(value, u8::try_from(axis).expect("ranks are small")),
            });
            let dims = dims.collect();
            self.remember(Array::new(value, dims, None, layout.contiguous));
        }
    }

    /// `array` stands for `src` from now on.
    fn define_array(&mut self, src: Value, array: &Array) {
        self.remember(array.clone());
        self.map[src.index()] = Some(array.value);
    }

    /// Lowers the operations of a source block at the current position.
    fn block(&mut self, block: Block) {
        let src = self.src;
        for &op in &src.blocks[block].ops {
            self.op(op);
        }
    }

    /// Lowers the region of a `Map` in place, for these elements; gives what it yields, which is nothing
    /// where it always raises.
    fn inline_region(&mut self, block: Block, elements: &[Value]) -> Vec<Value> {
        let src = self.src;
        let data = &src.blocks[block];
        for (&param, &element) in data.params.iter().zip(elements) {
            self.map[param.index()] = Some(element);
        }
        let (end, ops) = data.ops.split_last().expect("blocks end in a terminator");
        for &op in ops {
            self.op(op);
        }
        if src.ops[*end].kind == OpKind::Yield {
            return self.args(*end);
        }
        self.always_raise(*end);
        Vec::new()
    }

    fn op(&mut self, op: Op) {
        let src = self.src;
        let data = &src.ops[op];
        self.b.loc = data.loc;
        let on_arrays = data.args.iter().any(|&v| src.ty(v).is_array());
        match &data.kind {
            OpKind::Const(Literal::Int(n)) if src.ty(data.results[0]) == Type::I64 => {
                let value = self.int(*n);
                self.map[data.results[0].index()] = Some(value);
            }
            OpKind::Dim(axis) => {
                let dim = self.array(self.get(data.args[0])).dims[usize::from(*axis)];
                self.map[data.results[0].index()] = Some(dim);
            }
            OpKind::Stride(axis) => {
                let array = self.array(self.get(data.args[0])).clone();
                let stride = self.strides(&array)[usize::from(*axis)];
                self.map[data.results[0].index()] = Some(stride);
            }
            OpKind::Empty
            | OpKind::Zeros
            | OpKind::Full
            | OpKind::Iota
            | OpKind::Copy
            | OpKind::ModuleConstant
            | OpKind::KeepOrder(_) => self.create(op),
            OpKind::EmptyStrided => self.empty_strided(op),
            OpKind::View(items) => self.view(op, items),
            OpKind::Transpose(axes) => self.transpose(op, axes),
            OpKind::Reshape => self.reshape(op),
            OpKind::BroadcastTo => self.broadcast_to(op),
            OpKind::Diagonal => self.diagonal(op),
            OpKind::Windows => self.windows(op),
            OpKind::Part(part) => self.part(op, *part),
            OpKind::Overlaps => self.overlaps(op),
            OpKind::ReadOnly => {
                let array = self.array(self.get(data.args[0])).clone();
                self.define_array(data.results[0], &array);
            }
            OpKind::Load => self.load(op),
            OpKind::Store => self.store(op),
            OpKind::Update(reduce) => self.update(op, *reduce),
            OpKind::Assign => self.assign(op),
            OpKind::Elem(elem) if on_arrays => self.elem_on_arrays(op, *elem),
            OpKind::Cast if on_arrays => self.cast_on_array(op),
            OpKind::Elem(elem) => self.scalar(op, *elem),
            OpKind::Map(MapTarget::Fresh) => self.map_fresh(op),
            OpKind::Map(MapTarget::Into) => self.map_into(op),
            OpKind::Map(MapTarget::Reduce(spec)) => self.map_reduce(op, spec),
            OpKind::Reduce(spec) => self.reduce(op, spec),
            OpKind::Lib(LibOp::Matmul) => self.matmul(op),
            OpKind::Lib(LibOp::Sort) => self.sort(op),
            OpKind::For | OpKind::PFor(_) => self.counted_loop(op),
            _ => {
                self.keep(op, |_, _| {});
            }
        }
    }

    /// The same operation in loop IR, its regions lowered; `prepare` sees their parameters first.
    fn keep(&mut self, op: Op, mut prepare: impl FnMut(&mut Self, &[Value])) {
        let src = self.src;
        let data = &src.ops[op];
        let args = self.args(op);
        self.loops_around += usize::from(data.kind.is_loop());
        let regions = data.regions.iter().map(|&region| self.lower_region(region, &mut prepare)).collect();
        self.loops_around -= usize::from(data.kind.is_loop());
        let types: Vec<_> = data.results.iter().map(|&r| src.ty(r)).collect();
        self.b.loc = data.loc;
        let kept = self.b.op(data.kind.clone(), args, &types, regions);
        // The lengths of results that nothing uses may have no place: `unreachable` may follow.
        let used = data.results.iter().any(|&result| self.used[result.index()]);
        for (k, &result) in data.results.iter().enumerate() {
            let value = self.b.func.ops[kept].results[k];
            if used {
                self.define(result, value);
            } else {
                self.map[result.index()] = Some(value);
            }
        }
    }

    /// A new block with the lowered operations of a source block; `prepare` sees its parameters first.
    fn lower_region(&mut self, block: Block, prepare: impl FnOnce(&mut Self, &[Value])) -> Block {
        let src = self.src;
        let params = &src.blocks[block].params;
        let types: Vec<_> = params.iter().map(|&p| src.ty(p)).collect();
        self.region(&types, |lower, values| {
            for (&param, &value) in params.iter().zip(values) {
                lower.define(param, value);
            }
            prepare(lower, values);
            lower.block(block);
        })
    }
}

#[cfg(test)]
mod tests;
